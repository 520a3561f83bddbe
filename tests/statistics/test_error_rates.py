"""How often the tests of pairs err in simulated experiments, against the rates that they promise."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pytest

if TYPE_CHECKING:
    import duckdb

EXPERIMENTS = 1000
#: The tests of pairs. All groups of a query draw the same signs, so few resamples would move the whole rate.
TESTS = {
    "t": "paired_t_test(a, b)",
    "wilcoxon": "wilcoxon_signed_rank(a, b)",
    "randomization": "randomization_test(a, b)",
    "greater": "paired_t_test(a, b, 'alternative=greater')",
}


def rate(con: duckdb.DuckDBPyConnection, p_value: str, **systems: np.ndarray) -> float:
    """The share of experiments, one in each row of the systems' values, with a p-value below 0.05."""
    shape = next(iter(systems.values())).shape
    number = np.repeat(np.arange(shape[0]), shape[1])
    values = {name: values.ravel() for name, values in systems.items()}
    con.register("experiments", pa.table({"number": number, **values}))
    sql = f"SELECT {p_value} AS p FROM experiments GROUP BY number"
    ((share,),) = con.execute(f"SELECT count(*) FILTER (p < 0.05) / count(*) FROM ({sql})").fetchall()
    con.unregister("experiments")
    return float(share)


def ndcg(chance: np.random.Generator, users: int) -> np.ndarray:
    """NDCG of one relevant item for each user: 0, or the discount of one of ten ranks."""
    values = np.concatenate([[0.0], 1 / np.log2(np.arange(2, 12))])
    return chance.choice(values, (EXPERIMENTS, users), p=[0.6, *[0.04] * 10])


@pytest.mark.parametrize("users", [50, 500, 5000])
def test_false_alarms_are_as_rare_as_promised(aggregating: duckdb.DuckDBPyConnection, users: int) -> None:
    """Two systems of equal quality. The standard deviation of a rate is 0.007."""
    chance = np.random.default_rng(users)
    a, b = ndcg(chance, users), ndcg(chance, users)
    rates = {name: rate(aggregating, f"{call}.p_value", a=a, b=b) for name, call in TESTS.items()}
    # Half of the pairs are equal, and a quarter of the users have one value.
    b = np.where(np.random.default_rng(users + 1).random(b.shape) < 0.5, a, b)
    a[:, : users // 8] = b[:, -users // 8 :] = -1
    overlapping = "partially_overlapping_t_test(nullif(a, -1), nullif(b, -1)).p_value"
    rates["overlapping"] = rate(aggregating, overlapping, a=a, b=b)
    assert all(0.03 <= found <= 0.06 for found in rates.values()), rates


@pytest.mark.parametrize(("users", "limits"), [(50, (0.04, 0.09)), (500, (0.03, 0.07)), (5000, (0.03, 0.06))])
def test_false_alarms_with_weights_are_rare(
    aggregating: duckdb.DuckDBPyConnection, users: int, limits: tuple[float, float]
) -> None:
    """Two systems of equal quality, and lognormal weights, by which 50 users say as much as about 20."""
    chance = np.random.default_rng(users)
    a, b = ndcg(chance, users), ndcg(chance, users)
    w = np.exp(chance.standard_normal(a.shape))
    found = rate(aggregating, "weighted_paired_comparison(a, b, w).p_value", a=a, b=b, w=w)
    assert limits[0] <= found <= limits[1], found


@pytest.mark.parametrize("users", [50, 500])
def test_false_alarms_of_all_pairs_are_as_rare_as_promised(
    aggregating: duckdb.DuckDBPyConnection, users: int
) -> None:
    """Four systems of equal quality, of which no pair should differ. The standard deviation is 0.007."""
    chance = np.random.default_rng(users)
    systems = {name: ndcg(chance, users) for name in ("s0", "s1", "s2", "s3")}
    # All experiments draw the same permutations. 1,000 of them move p by chance, but not the mean rate.
    least = "list_min(tukey_hsd(list([s0, s1, s2, s3]), 'resamples=1000'))"
    assert 0.03 <= rate(aggregating, least, **systems) <= 0.06


@pytest.mark.parametrize("users", [10, 200])
def test_power_is_that_of_the_formula(aggregating: duckdb.DuckDBPyConnection, users: int) -> None:
    """A difference of the size that is found with a probability of 0.8. The rate deviates by 0.013."""
    chance = np.random.default_rng(users)
    normal = chance.standard_normal((EXPERIMENTS, users))
    spread = np.resize([1.0, -1.0], users) * np.sqrt((users - 1) / users)  # a standard deviation of 1
    aggregating.register("spread", pa.table({"a": spread}))
    ((least,),) = aggregating.execute(
        "SELECT paired_t_test_power(a, 0).min_detectable_effect FROM spread"
    ).fetchall()
    aggregating.unregister("spread")
    found = rate(aggregating, f"{TESTS['t']}.p_value", a=normal + least, b=np.zeros_like(normal))
    assert found == pytest.approx(0.8, abs=0.04)
