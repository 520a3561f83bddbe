"""How often requirements pass and fail by chance in simulated experiments, and how often they decide."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from scipy import stats
from support.gates import between, of_values

from rankdcg_sql import Comparison, Evaluation, RequirementError

EXPERIMENTS = 1000


def rates(result: Evaluation | Comparison, requirement: str) -> tuple[float, float]:
    """The shares of experiments, which are segments, in which a requirement passes and fails."""
    try:
        found = result.require(f"{requirement} in every segment")
    except RequirementError as error:
        found = error.requirements
    assert len(found) == EXPERIMENTS
    passed, failed = (
        sum(each.outcome == outcome for each in found) / EXPERIMENTS for outcome in ("passed", "failed")
    )
    return passed, failed


def number(users: int) -> pa.Array:
    """The number of the experiment of each user."""
    return pa.array(np.repeat(np.arange(EXPERIMENTS), users))


def ndcg(chance: np.random.Generator, users: int) -> np.ndarray:
    """NDCG of one relevant item for each user: 0, or the discount of one of ten ranks."""
    values = np.concatenate([[0.0], 1 / np.log2(np.arange(2, 12))])
    return chance.choice(values, EXPERIMENTS * users, p=[0.6, *[0.04] * 10])


#: The expected value of `ndcg`.
MEAN = 0.04 * float((1 / np.log2(np.arange(2, 12))).sum())


@pytest.mark.parametrize("users", [50, 500, 5000])
def test_a_mean_on_the_bound_passes_and_fails_as_rarely_as_promised(users: int) -> None:
    """The share of three relevant items that is found. The standard deviation of a rate is 0.007."""
    values = np.random.default_rng(users).binomial(3, 0.5, EXPERIMENTS * users) / 3
    found = of_values(pa.array(values), {"experiment": number(users)})
    for form in (">=", "<="):
        passed, failed = rates(found, f"ndcg@10 {form} 0.5")
        assert max(passed, failed) <= 0.06, (form, passed, failed)


@pytest.mark.parametrize("users", [50, 500, 5000])
def test_a_mean_of_skewed_values_on_the_bound_does_so_too(users: int) -> None:
    """More than half of the values are 0, so a sample with few others has a small mean and a small spread."""
    values = ndcg(np.random.default_rng(users), users)
    found = of_values(pa.array(values), {"experiment": number(users)})
    for form in (">=", "<"):
        passed, failed = rates(found, f"ndcg@10 {form} {MEAN!r}")
        assert max(passed, failed) <= 0.06, (form, passed, failed)


@pytest.mark.parametrize("rate", [0.5, 0.9, 0.98])
@pytest.mark.parametrize("users", [10, 20, 50, 100, 200, 500])
def test_a_hit_rate_on_the_bound_does_so_too(users: int, rate: float) -> None:
    """The probability itself, over every number of hits. All of 10 users have one in a third of samples."""
    hits = np.arange(users + 1)
    values = (np.arange(users) < hits[:, None]).astype(float)
    found = of_values(pa.array(values.ravel()), {"hits": pa.array(np.repeat(hits, users))})
    try:
        outcomes = found.require(f"ndcg@10 > {rate} in every segment")
    except RequirementError as error:
        outcomes = error.requirements
    ranks = ("failed", "inconclusive", "passed")
    by_hits = sorted(outcomes, key=lambda each: each.mean or 0)
    found_ranks = [ranks.index(each.outcome) for each in by_hits]
    assert found_ranks == sorted(found_ranks), "more hits are no weaker evidence"
    probability = dict.fromkeys(ranks, 0.0)
    for each in outcomes:
        probability[each.outcome] += stats.binom.pmf(round(each.mean * users), users, rate)
    assert sum(probability.values()) == pytest.approx(1)
    assert max(probability["passed"], probability["failed"]) <= 0.06, probability


#: For each form, the shift and the factor of the baseline at which the system is on the bound.
ON_BOUND = {
    "better": (0, 1),
    "better by 0.02": (0.02, 1),
    "not worse by 0.02": (-0.02, 1),
    "not worse by 5%": (0, 0.95),
    "better by 5%": (0, 1.05),
    "equivalent within 0.02": (0.02, 1),
    "equivalent within 0.001": (-0.001, 1),
    "equivalent within 10%": (0, 0.9),
}


@pytest.mark.parametrize("users", [50, 500, 5000])
def test_a_difference_on_the_bound_passes_and_fails_as_rarely_as_promised(users: int) -> None:
    chance = np.random.default_rng(users)
    a, b = ndcg(chance, users), ndcg(chance, users)
    systems = {f"s{place}": pa.array(a * of + shift) for place, (shift, of) in enumerate(ON_BOUND.values())}
    compared = between({"old": pa.array(b), **systems}, {"experiment": number(users)})
    forms = [*enumerate(ON_BOUND)][:: 3 if users == 5000 else 1]  # millions of users take their time
    found = {form: rates(compared, f"s{place}: ndcg@10 {form}") for place, form in forms}
    assert all(max(of_form) <= 0.06 for of_form in found.values()), found


@pytest.mark.parametrize("users", [50, 500])
def test_a_requirement_decides_as_often_as_the_formula_says(users: int) -> None:
    """The number of users that is said to be needed passes 0.8 of experiments. The rate deviates by 0.013."""
    spread = np.resize([1.0, -1.0], users) * np.sqrt((users - 1) / users)  # a standard deviation of 1
    shift = 2.9 / np.sqrt(users)
    wanted = of_values(pa.array(spread + shift))
    t = stats.t.isf(0.05, users - 1)
    power = stats.nct.sf(t, users - 1, 2.9)
    values = np.random.default_rng(users).standard_normal(EXPERIMENTS * users) + shift
    passed, failed = rates(of_values(pa.array(values), {"experiment": number(users)}), "ndcg@10 > 0")
    assert passed == pytest.approx(power, abs=0.04)
    assert failed <= 0.001
    assert wanted.require("ndcg@10 > 0")[0].outcome == "passed"
