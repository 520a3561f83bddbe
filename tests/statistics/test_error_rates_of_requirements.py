"""How often requirements pass and fail by chance in simulated experiments, and how often they decide."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pytest
from scipy import stats
from support.results_from_values import between, of_values
from test_error_rates import EXPERIMENTS, ndcg

from rankdcg_sql import Comparison, Evaluation, RequirementError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rankdcg_sql.evaluation._requirements.requirements import Decision


def required(result: Evaluation | Comparison, requirement: str) -> Sequence[Decision]:
    """The decisions about a requirement in the experiments, which are segments."""
    try:
        return result.require(f"{requirement} in every segment")
    except RequirementError as error:
        return error.requirements


def rates(result: Evaluation | Comparison, requirement: str) -> tuple[float, float]:
    """The shares of experiments in which a requirement passes and fails."""
    found = required(result, requirement)
    assert len(found) == EXPERIMENTS
    passed, failed = (
        sum(each.outcome == outcome and not is_baseline(each) for each in found) / EXPERIMENTS
        for outcome in ("passed", "failed")
    )
    return passed, failed


def is_baseline(found: Decision) -> bool:
    """Whether no user differs from the baseline. The system then counts as equal to it, without a test."""
    return found.is_constant and found.difference == 0


def number(users: int) -> pa.Array:
    """The number of the experiment of each user."""
    return pa.array(np.repeat(np.arange(EXPERIMENTS), users))


#: The expected value of `ndcg`.
MEAN = 0.04 * float((1 / np.log2(np.arange(2, 12))).sum())


@pytest.mark.parametrize("is_skewed", [False, True])
@pytest.mark.parametrize("users", [50, 500])
def test_a_mean_on_the_bound_passes_and_fails_as_rarely_as_promised(users: int, is_skewed: bool) -> None:
    """The share of three relevant items that is found, or NDCG. The standard deviation of a rate is 0.007.

    More than half of the values of NDCG are 0: a sample with few others has a small mean and a small spread.
    """
    chance = np.random.default_rng(users)
    values = ndcg(chance, users).ravel() if is_skewed else chance.binomial(3, 0.5, EXPERIMENTS * users) / 3
    found = of_values(pa.array(values), {"experiment": number(users)})
    for form in (">=", "<" if is_skewed else "<="):
        passed, failed = rates(found, f"ndcg@10 {form} {MEAN if is_skewed else 0.5!r}")
        assert max(passed, failed) <= 0.06, (form, passed, failed)


@pytest.mark.parametrize("rate", [0.5, 0.9, 0.98])
@pytest.mark.parametrize("users", [10, 20, 50, 100, 200, 500])
def test_a_hit_rate_on_the_bound_does_so_too(users: int, rate: float) -> None:
    """The probability itself, over every number of hits. All of 10 users have one in a third of samples."""
    hits = np.arange(users + 1)
    values = (np.arange(users) < hits[:, None]).astype(float)
    found = of_values(pa.array(values.ravel()), {"hits": pa.array(np.repeat(hits, users))})
    outcomes = required(found, f"ndcg@10 > {rate}")
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


@pytest.mark.parametrize("users", [50, 500])
def test_a_difference_on_the_bound_passes_and_fails_as_rarely_as_promised(users: int) -> None:
    chance = np.random.default_rng(users)
    a, b = ndcg(chance, users).ravel(), ndcg(chance, users).ravel()
    systems = {f"s{place}": pa.array(a * of + shift) for place, (shift, of) in enumerate(ON_BOUND.values())}
    compared = between({"old": pa.array(b), **systems}, {"experiment": number(users)})
    forms = [*enumerate(ON_BOUND)][:: 4 if users == 500 else 1]  # so many users take their time
    found = {form: rates(compared, f"s{place}: ndcg@10 {form}") for place, form in forms}
    assert all(max(of_form) <= 0.06 for of_form in found.values()), found


def reciprocal_ranks(chance: np.random.Generator, users: int, rate: float) -> np.ndarray:
    """MRR at 10 of one relevant item: 0, or with this rate the reciprocal of one of ten ranks."""
    found = chance.random(EXPERIMENTS * users) < rate
    return np.where(found, 1 / chance.integers(1, 11, found.size), 0.0)


#: The expected value of `reciprocal_ranks` at the rate 0.1: 0.029.
LESS = 0.1 * float((1 / np.arange(1, 11)).mean())


@pytest.mark.parametrize("users", [20, 150])
def test_rare_values_of_few_users_pass_and_fail_as_rarely_as_promised(users: int) -> None:
    """Few samples have the rare large losses. Without regard to those, up to a sixth of experiments err."""
    chance = np.random.default_rng(users)
    by = {"experiment": number(users)}
    rare, often = (reciprocal_ranks(chance, users, rate) for rate in (0.1, 0.2))
    hits, fewer = ((chance.random(EXPERIMENTS * users) < rate) * 1.0 for rate in (0.05, 0.04))
    many = (chance.random(EXPERIMENTS * users) < 0.5) * 1.0
    lost = many * (chance.random(many.size) > 0.2)  # no user wins a hit
    pairs = [
        (rare, often, [f"not worse by {LESS!r}", f"equivalent within {LESS!r}"]),
        (often, rare, [f"better by {LESS!r}"]),
        (fewer, hits, ["not worse by 20%"]),
        (lost, many, ["not worse by 0.1", "not worse by 20%"]),
    ]
    found = {}
    for system, baseline, forms in pairs:
        compared = between({"old": pa.array(baseline), "new": pa.array(system)}, by)
        found |= {(system.mean(), form): rates(compared, f"ndcg@10 {form}") for form in forms}
    of_means = of_values(pa.array(rare), by)
    found |= {(LESS, form): rates(of_means, f"ndcg@10 {form} {LESS!r}") for form in (">=", "<=")}
    assert all(max(of_form) <= 0.06 for of_form in found.values()), found


@pytest.mark.parametrize("margin", [0.05, 0.03])
def test_as_many_users_as_are_needed_decide_in_most_experiments(margin: float) -> None:
    """They decide with a probability of about 0.8. The standard deviation of a rate is 0.013."""
    chance = np.random.default_rng(1)
    typical = np.repeat([0.0, *1 / np.log2(np.arange(2, 12))], [30, *[2] * 10])
    for form in (f"> {MEAN - margin!r}", f"< {MEAN + margin!r}"):
        (wanted,) = of_values(pa.array(typical)).require(f"ndcg@10 {form}", inconclusive="pass")
        assert wanted.users_needed is not None
        values = ndcg(chance, wanted.users_needed).ravel()
        found = of_values(pa.array(values), {"experiment": number(wanted.users_needed)})
        passed, failed = rates(found, f"ndcg@10 {form}")
        assert passed == pytest.approx(0.8, abs=0.06), (form, wanted.users_needed)
        assert failed <= 0.001
    shuffled = np.random.default_rng(4).permutation(typical)
    compared = between({"old": pa.array(shuffled), "new": pa.array(typical)})
    margin += float((typical - shuffled).mean()) * -1
    (wanted,) = compared.require(f"ndcg@10 not worse by {margin!r}", inconclusive="pass")
    users = wanted.users_needed
    assert users is not None
    pairs = chance.integers(0, 50, EXPERIMENTS * users)
    compared = between(
        {"old": pa.array(shuffled[pairs]), "new": pa.array(typical[pairs])}, {"experiment": number(users)}
    )
    passed, _ = rates(compared, f"ndcg@10 not worse by {margin!r}")
    assert passed == pytest.approx(0.8, abs=0.06), users
