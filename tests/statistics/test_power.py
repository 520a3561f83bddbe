"""The differences that tests find and the users that they need, against SciPy's distributions."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from scipy import integrate, stats

if TYPE_CHECKING:
    from collections.abc import Callable

    import duckdb

#: Differences of users, with a standard deviation of 0.3.
SPREAD = np.resize([1.0, -1.0], 40)
SPREAD *= 0.3 / SPREAD.std(ddof=1)


def power(n: int, difference: float, margin: float, alternative: str, alpha: float) -> float:
    """The probability that the test of n users is significant, for users with the spread above."""
    freedom, scale = n - 1, np.sqrt(n) / 0.3
    critical = stats.t.isf(alpha, freedom)
    above, below = (margin + difference) * scale, (margin - difference) * scale
    if alternative != "equivalence":
        return float(stats.nct.sf(critical, freedom, above if alternative == "greater" else below))

    def both(spread: float) -> float:
        return float(stats.norm.cdf(below - critical * spread) - stats.norm.cdf(critical * spread - above))

    # Both tests can be significant only below this spread.
    return mean_over_spreads(both, freedom, (above + below) / 2 / critical)


def mean_over_spreads(share: Callable[[float], float], freedom: int, end: float) -> float:
    """The mean of a function of the estimated standard deviation over the true one, up to `end`."""

    def weighted(spread: float) -> float:
        return float(share(spread) * stats.chi.pdf(spread * np.sqrt(freedom), freedom) * np.sqrt(freedom))

    cuts = [0.0, *(cut for cut in (0.5, 0.8, 1.0, 1.2, 1.5, 4.0) if cut < end), min(end, 9.0)]
    return sum(integrate.quad(weighted, *cut, epsabs=1e-12)[0] for cut in pairwise(cuts))


def found(con: duckdb.DuckDBPyConnection, options: str, values: Any = SPREAD) -> dict[str, Any]:
    query = f"SELECT paired_t_test_power(d, 0, '{options}') FROM (SELECT unnest($1) AS d)"
    ((result,),) = con.execute(query, [values.tolist()]).fetchall()
    return result


@pytest.mark.parametrize("alpha", [0.05, 0.01])
@pytest.mark.parametrize("wanted", [0.8, 0.95])
@pytest.mark.parametrize(("difference", "margin"), [(0.0, 0.1), (0.02, 0.1), (-0.03, 0.12), (0.0, 0.4)])
@pytest.mark.parametrize("alternative", ["greater", "less", "equivalence"])
def test_users_needed_with_a_margin(
    aggregating: duckdb.DuckDBPyConnection,
    alternative: str,
    difference: float,
    margin: float,
    wanted: float,
    alpha: float,
):
    options = f"alternative={alternative}, margin={margin}, difference={difference}"
    options += f", power={wanted}, alpha={alpha}"
    result = found(aggregating, options)
    users = int(result["users_needed"])
    assert power(users, difference, margin, alternative, alpha) >= wanted
    assert users == 2 or power(users - 1, difference, margin, alternative, alpha) < wanted
    effect = result["min_detectable_effect"]
    if alternative == "equivalence":
        assert effect is None
    else:
        assert power(40, effect, margin, "greater", alpha) == pytest.approx(wanted, abs=1e-9)


@pytest.mark.parametrize(
    "options",
    [
        "alternative=greater, margin=0.1, difference=-0.1",
        "alternative=less, margin=0.1, difference=0.2",
        "alternative=equivalence, margin=0.1, difference=-0.1",
    ],
)
def test_a_difference_beyond_the_margin_needs_no_number_of_users(
    aggregating: duckdb.DuckDBPyConnection, options: str
):
    assert found(aggregating, options)["users_needed"] is None


@pytest.mark.parametrize("users", [2, 20, 1001])
@pytest.mark.parametrize(
    ("alternative", "alpha", "wanted", "difference"),
    [
        ("two_sided", 0.05, 0.8, None),
        ("greater", 0.05, 0.8, 0.05),
        ("two_sided", 0.01, 0.9, 0.2),
        ("two_sided", 0.05, 0.1, 0.01),
        ("less", 0.4, 0.5, 0.3),
    ],
)
def test_users_needed_without_a_margin(
    aggregating: duckdb.DuckDBPyConnection,
    alternative: str,
    alpha: float,
    wanted: float,
    difference: float | None,
    users: int,
):
    """A difference is found on its side. A test of both sides may find it on the other one, too."""
    values = np.random.default_rng(users).normal(0.1, 0.3, users)
    sides = 2 if alternative == "two_sided" else 1

    def power(n: int, size: float) -> float:
        critical, shift = stats.t.isf(alpha / sides, n - 1), size * np.sqrt(n) / values.std(ddof=1)

        def share(spread: float) -> float:
            above, below = (
                stats.norm.sf(critical * spread - shift),
                stats.norm.cdf(-critical * spread - shift),
            )
            return float(above + (below if sides == 2 else 0))

        return mean_over_spreads(share, n - 1, 9)

    options = f"alternative={alternative}, alpha={alpha}, power={wanted}"
    options += "" if difference is None else f", difference={difference}"
    result = found(aggregating, options, values)
    needed, size = int(result["users_needed"]), abs(values.mean()) if difference is None else difference
    assert power(needed, size) >= wanted
    assert needed == 2 or power(needed - 1, size) < wanted
    assert power(users, result["min_detectable_effect"]) == pytest.approx(wanted, abs=1e-9)
