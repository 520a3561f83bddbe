"""The number of users that tests with a margin need, against SciPy's distributions."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from scipy import integrate, stats

if TYPE_CHECKING:
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
        shares = stats.norm.cdf(below - critical * spread) - stats.norm.cdf(critical * spread - above)
        density = stats.chi.pdf(spread * np.sqrt(freedom), freedom) * np.sqrt(freedom)
        return float(shares * density)

    # Both tests can be significant only below this spread.
    end = (above + below) / 2 / critical
    cuts = [0.0, *(cut for cut in (0.5, 0.8, 1.0, 1.2, 1.5) if cut < end), min(end, 4.0)]
    return sum(integrate.quad(both, *cut, epsabs=1e-12)[0] for cut in pairwise(cuts))


def found(con: duckdb.DuckDBPyConnection, options: str) -> dict[str, Any]:
    query = f"SELECT paired_t_test_power(d, 0, '{options}') FROM (SELECT unnest($1) AS d)"
    ((result,),) = con.execute(query, [SPREAD.tolist()]).fetchall()
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
