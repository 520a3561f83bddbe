"""Requirements on results: their grammar, and their outcomes against SciPy and by hand."""

from __future__ import annotations

import math
import pickle
from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Any, get_args

import numpy as np
import polars as pl
import pytest
from scipy import stats
from support import reference
from support.results_from_values import between, of_values

import rankdcg_sql
from rankdcg_sql import CallError, Comparison, Evaluation, RequirementError, Requirements, compare
from rankdcg_sql.evaluation._requirements.requirements import Decision
from rankdcg_sql.evaluation._terms.statistics import Test

ALPHA = 0.05


def decided(result: Evaluation | Comparison, *requirements: str) -> Requirements:
    """The outcomes of requirements, whether they passed or not."""
    try:
        return result.require(*requirements)
    except RequirementError as error:
        return error.requirements


def decision(result: Evaluation | Comparison, requirement: str) -> Decision:
    (only,) = decided(result, requirement)
    return only


def near(value: Any) -> Any:
    return pytest.approx(value, rel=1e-9, abs=1e-12)


def values(seed: int, users: int = 60, mean: float = 0.4) -> list[float | None]:
    """The values of users, of whom every seventh has none."""
    chance = np.random.default_rng(seed)
    found = np.clip(chance.normal(mean, 0.2, users), 0, 1)
    return [None if (user + seed) % 7 == 0 else float(value) for user, value in enumerate(found)]


def there(*columns: Sequence[float | None]) -> list[np.ndarray[Any, Any]]:
    """The values of the users who have a value in every column."""
    rows = [row for row in zip(*columns, strict=True) if None not in row]
    return [np.array(column, dtype=float) for column in zip(*rows, strict=True)]


# The tests


@pytest.mark.parametrize("confidence", [0.95, 0.8])
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(
    ("form", "alternative"), [(">=", "greater"), (">", "greater"), ("<=", "less"), ("<", "less")]
)
def test_a_mean_is_tested_against_a_number(form: str, alternative: str, seed: int, confidence: float) -> None:
    given = values(seed)
    found = decision(of_values(given, confidence=confidence), f"ndcg@10 {form} 0.37")
    (x,) = there(given)
    assert (found.n, found.mean) == (len(x), near(x.mean()))
    assert found.p_value == near_p(p_of_mean(x, 0.37, alternative))
    alpha = 1 - confidence
    assert p_above(x, 0, found.low) == near_p(alpha)
    assert p_above(-x, -1, -found.high) == near_p(alpha)
    assert found.confidence == near(2 * confidence - 1)
    passes, fails = found.p_value < alpha, p_of_mean(x, 0.37, OPPOSITE[alternative]) < alpha
    assert found.outcome == ("passed" if passes else "failed" if fails else "inconclusive")
    assert (found.difference, found.baseline, found.test) == (None, None, "gaffke")


OPPOSITE = {"greater": "less", "less": "greater"}


def p_above(x: np.ndarray[Any, Any], least: float, mean: float) -> float:
    return reference.p_of_random_weights(x.tolist(), least, mean)


def p_of_mean(x: np.ndarray[Any, Any], mean: float, alternative: str) -> float:
    """The p-value of values from 0 to 1."""
    return p_above(x, 0, mean) if alternative == "greater" else p_above(-x, -1, -mean)


def near_p(p_value: float) -> Any:
    """A p-value as the saddlepoint approximation may have it."""
    return pytest.approx(p_value, rel=0.03, abs=1e-5)


@pytest.mark.parametrize(("users", "rate"), [(20, 0.5), (100, 0.9), (150, 0.04), (500, 0.98)])
def test_hits_are_judged_by_the_binomial_distribution(users: int, rate: float) -> None:
    exact = stats.binom(users, rate)
    for hits in {1, int(exact.ppf(0.95)), int(exact.ppf(0.97)) + 1, int(exact.ppf(0.04)), users - 1}:
        evaluated = of_values([1.0] * hits + [0.0] * (users - hits))
        above, below = decision(evaluated, f"ndcg@10 > {rate}"), decision(evaluated, f"ndcg@10 < {rate}")
        assert above.p_value == pytest.approx(exact.sf(hits - 1), rel=0.015, abs=1e-6)
        assert below.p_value == pytest.approx(exact.cdf(hits), rel=0.015, abs=1e-6)
        assert (above.low, above.high) == pytest.approx(
            (stats.beta.ppf(0.05, hits, users - hits + 1), stats.beta.ppf(0.95, hits + 1, users - hits)),
            rel=0.04 if hits == 1 else 0.005,
        )


def test_a_bound_beyond_the_limits_of_the_metric_or_of_a_difference_is_settled() -> None:
    two = of_values([0.0, 1.0])
    for form, outcome in {">= -1": "passed", "< 2": "passed", "> 2": "failed", "<= -0.5": "failed"}.items():
        found = decision(two, f"ndcg@10 {form}")
        assert (found.outcome, found.users_needed) == (outcome, None)
        assert found.low is not None
        assert 0 <= found.low < found.high <= 1
    compared = between({"old": [0.5, 0.25, 1.0], "new": [0.5, 0.75, 0.25]})
    for form, outcome in {"better by 1.5": "failed", "not worse by 1.5": "passed"}.items():
        found = decision(compared, f"ndcg@10 {form}")
        assert (found.outcome, found.low is not None) == (outcome, True)
        assert -1 <= found.low < found.high <= 1


#: For each form, the bounds of a value of the system: multiples of the baseline, and numbers added to that.
BOUNDS = {
    "better": [(1, 0, "greater")],
    "better by 0.02": [(1, 0.02, "greater")],
    "better by 5%": [(1.05, 0, "greater")],
    "not worse by 0.02": [(1, -0.02, "greater")],
    "not worse by 12.5 %": [(0.875, 0, "greater")],
    "equivalent within 0.08": [(1, -0.08, "greater"), (1, 0.08, "less")],
    "equivalent within 20%": [(0.8, 0, "greater"), (1.2, 0, "less")],
}


@pytest.mark.parametrize("difference", [-0.3, -0.06, 0.0, 0.03, 0.2])
@pytest.mark.parametrize("form", BOUNDS)
def test_a_difference_is_tested_against_its_bounds(form: str, difference: float) -> None:
    old, new = values(1, mean=0.45), values(2, mean=0.45 + difference)
    compared = between({"old": old, "new": new})
    found = decision(compared, f"new: ndcg@10 {form}")
    a, b = there(new, old)

    def p(slope: float, shift: float, alternative: str) -> float:
        bound = slope * b + shift
        if form == "better":
            return float(stats.ttest_rel(a, bound, alternative=alternative).pvalue)
        # The least value of a less its bound has no hit of the system, and one of the baseline.
        if alternative == "greater":
            return p_above(a - bound, -slope - shift, 0)
        return p_above(bound - a, shift - 1, 0)

    p_values = [p(*each) for each in BOUNDS[form]]
    assert found.p_value == near_p(max(p_values))
    assert found.test == ("t" if form == "better" else "gaffke")
    assert (found.n, found.mean, found.baseline) == (len(a), near(a.mean()), near(b.mean()))
    assert found.difference == near(a.mean() - b.mean())
    ends = [(slope - 1) * b.mean() + shift for slope, shift, _ in BOUNDS[form]]
    assert [end for end in (found.at_least, found.at_most) if end is not None] == near(ends)
    fails = min(p(slope, shift, OPPOSITE[of]) for slope, shift, of in BOUNDS[form])
    expected = "inconclusive"
    if max(p_values) < ALPHA:
        expected = "passed"
    elif fails < ALPHA / len(p_values):
        expected = "failed"
    assert found.outcome == expected
    (row,) = compared.differences.project("n, mean, baseline, difference").fetchall()
    assert row == (found.n, found.mean, found.baseline, found.difference)


@pytest.mark.parametrize("test", get_args(Test)[:3])
def test_better_and_differs_are_tested_as_the_comparison_tests(test: Any) -> None:
    # SciPy takes long to assign all signs to more users.
    old, new = values(1, users=18), values(2, users=18, mean=0.5)
    compared = between({"old": old, "new": new}, test=test)
    a, b = there(new, old)
    for form, alternative in {"better": "greater", "differs": "two-sided"}.items():
        found = decision(compared, f"ndcg@10 {form}")
        tested = {
            "t": lambda of=alternative: stats.ttest_rel(a, b, alternative=of),
            "wilcoxon": lambda of=alternative: stats.wilcoxon(a, b, alternative=of),
            "randomization": lambda of=alternative: stats.permutation_test(
                (a - b,), np.mean, permutation_type="samples", n_resamples=math.inf, alternative=of
            ),
        }[test]()
        assert found.test == test
        assert found.p_value == pytest.approx(tested.pvalue, abs=0.02 if test == "randomization" else 1e-9)
        assert (found.low is None) == (test != "t")
        assert ("by " in found.measured) == (test != "t")


def test_random_numbers_are_those_of_the_comparison() -> None:
    """Other numbers give another p-value."""
    systems = {"old": values(1, users=80), "new": values(2, users=80, mean=0.36)}
    drawn = [between(systems, test="randomization", seed=seed, resamples=500) for seed in (5, 0)]
    p_values = [compared.differences.project("p_value").fetchall()[0][0] for compared in drawn]
    assert p_values[0] != p_values[1]
    assert [decision(compared, "ndcg@10 differs").p_value for compared in drawn] == p_values


def test_what_a_comparison_tests_changes_only_requirements_without_a_margin() -> None:
    systems = {"old": values(1), "new": values(2, mean=0.5)}
    plain, other = between(systems), between(systems, alternative="less", margin=0.1)
    for form in ("better", "differs", "not worse by 0.01"):
        assert decision(other, f"ndcg@10 {form}") == decision(plain, f"ndcg@10 {form}")
    for test in ("wilcoxon", "randomization"):
        other = between(systems, test=test)
        for form in ("not worse by 0.01", "better by 1%", "equivalent within 0.5"):
            found = decision(other, f"ndcg@10 {form}")
            assert found == decision(plain, f"ndcg@10 {form}")
            assert found.low is not None


@pytest.mark.parametrize("seed", range(4))
def test_intervals_agree_with_outcomes(seed: int) -> None:
    """An interval on one side of each bound that is not met is no interval of an inconclusive requirement."""
    chance = np.random.default_rng(seed)
    shift = chance.normal(0, 0.1)
    compared = between({"old": values(1), "new": values(seed + 2, mean=0.4 + shift)}, confidence=0.9)
    forms = [*BOUNDS, "differs", "> 0.41", "<= 0.39", ">= 1", "> 1.3", "< 0"]
    forms += [f"equivalent within {percent}%" for percent in range(2, 100, 6)]
    for form in forms:
        found = decision(compared, f"new: ndcg@10 {form}")
        assert found.low is not None
        assert found.high is not None
        assert found.low <= (found.mean if found.difference is None else found.difference) <= found.high
        least, most = (found.at_least, found.at_most) if form != "differs" else (0, 0)
        if form == "differs":
            met, missed = found.low > 0 or found.high < 0, False
        else:
            met = (least is None or found.low > least) and (most is None or found.high < most)
            missed = (least is not None and found.high < least) or (most is not None and found.low > most)
        assert found.outcome == ("passed" if met else "failed" if missed else "inconclusive"), found


def test_users_needed_are_those_of_the_power_of_the_test() -> None:
    """The number of users is the least one whose test has the power, and it has it by SciPy's formula."""
    old, new = values(1), values(2, mean=0.41)
    a, b = there(new, old)

    def power(users: int, bound: np.ndarray[Any, Any], reach: float, alpha: float = ALPHA) -> float:
        """The power of a t test whose mean is that of one value more: the limit, `reach` from the bound."""
        away = abs((a - bound).mean())
        shift = (users * away - reach) / (users + 1) / (a - bound).std(ddof=1) * math.sqrt(users)
        return float(stats.nct.sf(stats.t.isf(alpha, users - 1), users - 1, shift))

    compared = between({"old": old, "new": new})
    for form, bounds, reaches, wanted in (
        ("better by 0.005", [b + 0.005], [1.005], 0.8),
        ("not worse by 1%", [0.99 * b], [0.99], 0.8),
        ("equivalent within 0.03", [b - 0.03, b + 0.03], [0.97, 0.97], 0.9),
    ):
        found = decision(compared, f"ndcg@10 {form}")
        assert found.outcome == "inconclusive"
        needed = found.users_needed
        assert needed is not None
        assert needed > found.n
        given = [*zip(bounds, reaches, strict=True)]
        assert min(power(needed, *each) for each in given) >= wanted - 1e-9
        assert min(power(needed - 1, *each) for each in given) < wanted + 1e-9
        assert f"; about {needed:,} users would show that it is " in str(found)
        is_met = all((a - bound).mean() * sign > 0 for bound, sign in zip(bounds, (1, -1), strict=False))
        assert found.needed_for == ("passed" if is_met else "failed")
        assert f" would show that it is {'met' if is_met else 'not met'}; " in str(found)
    assert decision(compared, "new: ndcg@10 >= 0.1").users_needed is None
    # Beyond a bound of two, a two-sided test decides.
    compared = between({"old": old, "new": values(2, mean=0.44)})
    a, b = there(values(2, mean=0.44), old)
    found = decision(compared, "ndcg@10 equivalent within 0.005")
    assert (found.outcome, found.needed_for, found.difference > 0.005) == ("inconclusive", "failed", True)
    needed = found.users_needed
    assert power(needed, b + 0.005, 1.005, ALPHA / 2) >= 0.8 - 1e-9
    assert power(needed - 1, b + 0.005, 1.005, ALPHA / 2) < 0.8 + 1e-9


# Users who decide nothing, and all users together


def test_users_without_values() -> None:
    nobody = of_values([None, None])
    found = decision(nobody, "ndcg@10 >= 0.3")
    assert (found.outcome, found.n, found.mean, found.users_needed) == ("inconclusive", 0, None, None)
    assert str(found) == "inconclusive: ndcg@10 >= 0.3 (no user has a value)"
    for form in ("ndcg@10 >= 0.3", "measured ndcg@10 >= 0.3"):
        assert decision(nobody, form).outcome == "inconclusive"
        with pytest.raises(RequirementError, match="no user has a value"):
            nobody.require(form, inconclusive="pass")
    apart = between({"old": [0.5, None], "new": [None, 0.5]}, by={"plan": ["x", "y"]})
    for form in [*BOUNDS, "differs"]:
        assert decision(apart, f"ndcg@10 {form}").outcome == "inconclusive"
    found = decided(apart, "ndcg@10 differs in every segment")
    outcomes = [(each.segment, each.n, each.outcome) for each in found]
    assert outcomes == [("plan=x", 0, "inconclusive"), ("plan=y", 0, "inconclusive")]


def test_one_user() -> None:
    found = decision(of_values([0.5, None]), "ndcg@10 >= 0.3")
    assert (found.outcome, found.n, found.mean) == ("inconclusive", 1, 0.5)
    assert (found.low, found.high, found.confidence, found.p_value, found.users_needed) == (None,) * 5
    for test in get_args(Test)[:3]:
        one = between({"old": [0.5], "new": [0.5]}, test=test)
        for form in [*BOUNDS, "differs"]:
            assert decision(one, f"ndcg@10 {form}").outcome == "inconclusive"


@pytest.mark.parametrize(
    ("form", "value", "users", "p_value", "outcome"),
    [
        # A share of 3 in 4 values of 1 has a mean of 0.75, if the others are 0.
        (">= 0.75", 1, 10, 0.75**10, "inconclusive"), (">= 0.75", 1, 11, 0.75**11, "passed"),
        ("<= 0.75", 1, 11, 1, "failed"), ("< 0.25", 0, 11, 0.75**11, "passed"),
        ("> 0.25", 0, 11, 1, "failed"), ("> 0.25", 0, 10, 1, "inconclusive"),
        (">= 1", 1, 1000, 1, "inconclusive"),
        # If the others are 1, a mean of 0.5 has 2 in 3 values of 0.25 at most.
        ("< 0.5", 0.25, 8, (2 / 3) ** 8, "passed"), (">= 0.5", 0.25, 8, 1, "failed"),
        (">= 0.30", 0.1 + 0.2, 5, 1, "inconclusive"), (">= 0.3", 0.31, 5, (0.3 / 0.31) ** 5, "inconclusive"),
        # No mean of NDCG is below 0 or above 1.
        (">= -0.1", 0.5, 2, 0, "passed"), ("> 1.1", 0.5, 2, 1, "failed"),
    ],
)  # fmt: skip
def test_equal_values_are_judged_by_the_limits_of_the_metric(
    form: str, value: float, users: int, p_value: float, outcome: str
) -> None:
    found = decision(of_values([float(value)] * users), f"ndcg@10 {form}")
    assert (found.outcome, found.p_value, found.is_constant) == (outcome, near(p_value), True)
    assert (found.confidence, found.test) == (0.9, "gaffke")
    # The most extreme means with equal values at 5%: the others are at a limit.
    share = 0.05 ** (1 / users)
    assert (found.low, found.high) == (near(value * share), near(1 - (1 - value) * share))
    assert "the same for each user, " in found.measured


def test_users_needed_if_values_are_equal() -> None:
    """As many as have a p-value of 0.05: ln 0.05 / ln 0.75 is 10.4, and ln 0.05 / ln 0.99 is 298.07."""
    assert decision(of_values([1.0] * 3), "ndcg@10 >= 0.75").users_needed == 11
    found = decision(of_values([1.0] * 3), "ndcg@10 > 0.99")
    assert (found.users_needed, found.needed_for) == (299, "passed")
    # Both directions need as many: ln 0.05 / ln 0.5 is 4.3.
    for form, outcome in {">= 0.5": "failed", "<= 0.5": "passed"}.items():
        found = decision(of_values([0.0] * 2), f"ndcg@10 {form}")
        assert (found.users_needed, found.needed_for) == (5, outcome)
    # No number of users shows that a mean is not below its limit.
    found = decision(of_values([1.0] * 3), "ndcg@10 >= 1")
    assert (found.users_needed, found.needed_for) == (None, None)
    assert not found.needed


def test_equal_values_of_a_metric_without_a_limit_decide_nothing_beyond() -> None:
    """DCG is 0 at least, and may be any number."""
    truth = {"userid": [1, 2, 3] * 2, "itemid": [1] * 3 + [2] * 3, "rel": [1.0] * 6}
    rec = {"userid": [1, 2, 3], "itemid": [1, 1, 1], "score": [1.0] * 3}
    evaluated = rankdcg_sql.evaluate(truth, rec, k=2, metrics="dcg", rel="rel")
    assert decision(evaluated, "dcg@2 <= 9").p_value == near(1)
    found = decision(evaluated, "dcg@2 >= 0.25")
    assert (found.p_value, found.outcome) == (near(0.25**3), "passed")
    assert decision(evaluated, "dcg@2 >= 0.9").users_needed == 29  # ln 0.05 / ln 0.9 is 28.4


def test_a_metric_without_a_limit_has_tests_of_student() -> None:
    """DCG is the relevance here. The t of a mean is without skewness, and that of differences is as it is."""
    relevances = [1.0] * 8 + [2.0] * 6 + [3.0, 4.0, 9.0, 15.0]
    users = range(len(relevances))
    truth = {"userid": users, "itemid": [1] * len(users), "rel": relevances}
    steps = {"old": 2, "new": 5}
    recs = {name: {user: {1 if user % step else 2: 1} for user in users} for name, step in steps.items()}
    compared = compare(truth, recs, k=1, metrics="dcg", rel="rel", gain="linear")
    old, new = ([r * (user % step > 0) for user, r in enumerate(relevances)] for step in steps.values())
    free = len(users) - 1
    for form, sign in {">=": 1, "<=": -1}.items():
        found = decision(compared, f"new: dcg@1 {form} 1.25")
        assert found.p_value == near(stats.t.sf(sign * reference.t_without_skewness(new, 1.25), free))
        ends = [reference.t_without_skewness(new, end or 0) for end in (found.low, found.high)]
        assert ends == pytest.approx([stats.t.isf(0.05, free), -stats.t.isf(0.05, free)], abs=1e-6)
        assert (found.test, found.n, found.mean) == ("t", len(users), near(np.mean(new)))
    less = np.subtract(new, old)
    for form, bound in (("better by 0.5", 0.5), ("not worse by 0.5", -0.5)):
        found = decision(compared, f"dcg@1 {form}")
        tested = stats.ttest_1samp(less, bound, alternative="greater")
        assert (found.p_value, found.test) == (near(tested.pvalue), "t")
        interval = stats.ttest_1samp(less, 0).confidence_interval(0.9)
        assert (found.low, found.high) == near((*interval,))


def test_an_option_may_leave_a_metric_without_a_limit() -> None:
    """RBP of relevances may be above 1, here 9 * (1 - 0.8), so values of 1 at most are no premise."""
    truth = {"userid": range(4), "itemid": [1] * 4, "rel": [9] * 4}
    rec = {"userid": range(4), "itemid": [1] * 4, "score": [1] * 4}
    rbp = {"k": 1, "metrics": "rbp", "rel": "rel"}
    binary = rankdcg_sql.evaluate(truth, rec, **rbp)
    assert decision(binary, "rbp@1 <= 0.9").p_value == near((0.1 / 0.8) ** 4)
    for options in ({"rbp_gain": "linear"}, {"convention": "ranx", "ties": "average"}):
        found = decision(rankdcg_sql.evaluate(truth, rec, **rbp, **options), "rbp@1 <= 1.9")
        assert (found.mean, found.p_value) == (near(1.8), near(1))
        worse = {**rec, "itemid": [2] * 4}
        compared = rankdcg_sql.compare(truth, {"old": worse, "new": rec}, **rbp, **options)
        found = decision(compared, "rbp@1 better by 0.1")
        assert (found.difference, found.p_value, found.outcome) == (near(1.8), near(1), "inconclusive")


@pytest.mark.parametrize("test", get_args(Test)[:3])
@pytest.mark.parametrize(
    ("form", "outcome"),
    [
        ("better", "failed"), ("differs", "inconclusive"), ("not worse by 0.01", "passed"),
        ("equivalent within 0.01", "passed"), ("better by 0.01", "failed"), ("not worse by 50%", "passed"),
        ("better by 5%", "failed"), ("equivalent within 1%", "passed"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("old", [[0.5, 0.625, 0.75, 0.5], [0.0, 0.0]])
def test_a_system_that_is_the_baseline_for_every_user_is_decided_without_a_test(
    test: Any, form: str, outcome: str, old: list[float]
) -> None:
    compared = between({"old": old, "new": [*old]}, test=test)
    found = decision(compared, f"ndcg@10 {form}")
    assert (found.outcome, found.is_constant) == (outcome, True)
    is_tested = form == "differs" and test == "t"
    assert found.high == (near(1 - 0.025 ** (1 / len(old))) if is_tested else None)
    assert found.low == (-found.high if found.high else None)
    assert found.measured.startswith(f"difference 0.0000 from {np.mean(old):.4f}, the same for each user, ")
    if form != "differs":
        assert (found.p_value, found.test, found.users_needed) == (None, None, None)
    measured = decision(compared, f"measured ndcg@10 {form}").outcome
    assert measured == ("failed" if form == "differs" else outcome)


@pytest.mark.parametrize(
    ("form", "difference", "users", "p_value", "outcome"),
    [
        # Differences are -1 at least. A mean of 0 has 4 in 5 values of 0.25 at most.
        ("better", 0.25, 13, 0.8**13, "inconclusive"), ("better", 0.25, 14, 0.8**14, "passed"),
        ("differs", 0.25, 16, 2 * 0.8**16, "inconclusive"), ("differs", 0.25, 17, 2 * 0.8**17, "passed"),
        ("better", -0.25, 14, 1, "failed"), ("better", -0.25, 13, 1, "inconclusive"),
        ("better by 0.25", 0.25, 99, 1, "inconclusive"), ("not worse by 0.25", -0.25, 99, 1, "inconclusive"),
        ("not worse by 0.5", -0.25, 7, (2 / 3) ** 7, "inconclusive"),
        ("not worse by 0.5", -0.25, 8, (2 / 3) ** 8, "passed"),
        ("not worse by 0.25", -0.375, 31, 1, "inconclusive"), ("not worse by 0.25", -0.375, 32, 1, "failed"),
        ("equivalent within 0.5", 0.25, 7, (2 / 3) ** 7, "inconclusive"),
        ("equivalent within 0.5", 0.25, 8, (2 / 3) ** 8, "passed"),
    ],
)  # fmt: skip
def test_equal_differences_are_judged_by_the_limits_of_the_metric(
    form: str, difference: float, users: int, p_value: float, outcome: str
) -> None:
    old = [0.5, 0.625] * users
    compared = between({"old": old[:users], "new": [value + difference for value in old[:users]]})
    found = decision(compared, f"ndcg@10 {form}")
    assert (found.outcome, found.p_value, found.is_constant) == (outcome, near(p_value), True)
    share = (0.025 if form == "differs" else 0.05) ** (1 / users)
    ends = near((difference + 1) * share - 1), near(1 - (1 - difference) * share)
    assert (found.low, found.high) == ends


@pytest.mark.parametrize(
    ("form", "difference", "outcome"),
    [
        ("better", 0.01, "passed"), ("better", -0.01, "failed"), ("better", 0, "failed"),
        ("better by 0.02", 0.01, "failed"), ("better by 10%", 0.051, "passed"),
        ("better by 10%", 0.049, "failed"), ("not worse by 0.02", -0.01, "passed"),
        ("not worse by 0.02", -0.03, "failed"), ("not worse by 4%", -0.02, "passed"),
        ("equivalent within 0.02", -0.03, "failed"), ("equivalent within 0.02", -0.02, "passed"),
        ("better by 0.02", 0.02, "passed"),
        ("differs", 0.001, "passed"), ("differs", 0, "failed"),
        # Values at the bound, without rounding.
        (">= 0.5", 0, "passed"), ("at least 0.5", 0, "passed"), ("> 0.5", 0, "failed"),
        ("above 0.5", 0, "failed"), ("<= 0.5", 0, "passed"), ("at most 0.5", 0, "passed"),
        ("< 0.5", 0, "failed"), ("below 0.5", 0, "failed"),
        ("not worse by 0.25", -0.25, "passed"), ("not worse by 0.25", 0.25, "passed"),
        ("equivalent within 0.25", -0.25, "passed"), ("equivalent within 0.25", 0.25, "passed"),
        ("better by 0.25", -0.25, "failed"), ("better by 0.25", 0.25, "passed"),
    ],
)  # fmt: skip
def test_measured_values_decide_without_a_test(form: str, difference: float, outcome: str) -> None:
    old, new = ([0.4, 0.6], [0.6, 0.4]) if abs(difference) < 0.25 else ([0.5, 0.75], [0.75, 0.5])
    compared = between({"old": old, "new": [value + difference for value in new]})
    found = decision(compared, f"measured new: ndcg@10 {form}")
    assert (found.outcome, found.test, found.p_value, found.low, found.high) == (outcome, *(None,) * 4)


# The grammar


def test_synonyms_spaces_and_cases() -> None:
    truth = {"userid": [1, 1, 2], "itemid": [1, 2, 3]}
    rec = {"userid": [1, 1, 2], "itemid": [1, 3, 3], "score": [2, 1, 1]}
    compared = compare(truth, {"my model": rec, 'a:b "x"': rec}, k=[2, None], metrics=["map", "ndcg"])
    for text, measure in {
        "MAP@2>=.1": "average_precision@2",
        " ap@2   >=  1e-1 ": "average_precision@2",
        "ap@02 >= 0.1": "average_precision@2",
        "my model : map@all >= 0.1": "average_precision",
        '"my model": Average_Precision>=+0.1': "average_precision",
        '"a:b ""x""": ndcg NOT  Worse by 0.1': "ndcg",
        "measured my model: ndcg@2 < 2": "ndcg@2",
    }.items():
        assert [each.measure for each in decided(compared, text)] == [measure] * len(decided(compared, text))
        assert {each.requirement for each in decided(compared, text)} == {text}
    # The baseline is asked for by its name alone.
    assert [each.system for each in decided(compared, "ndcg >= 0.1")] == ['a:b "x"']
    assert decision(compared, "my model: ndcg >= 0.1").system == "my model"


#: Other ways to write the forms.
PHRASES = {
    ">= 0.25": ["≥ 0.25", "≥0.25", "at least 0.25", "is at least .25", "must be >= 0.25"],
    "> 0.25": ["above 0.25", "more than 0.25", "is greater than 0.25"],
    "<= 0.25": ["≤ 0.25", "at most 0.25", "AT  MOST 0.25"],
    "< 0.25": ["below 0.25", "less than 0.25"],
    "not worse by 0.25": [
        "not worse by more than 0.25", "not worse than old by 0.25", 'not worse than "old" by more than 0.25',
        "is not worse than the baseline by 0.25",
    ],
    "not worse by 25%": ["not worse than old by 25%", "not worse by more than 25 %"],
    "better by 0.25": ["better than old by 0.25", "better by at least 0.25"],
    "better": ["better than old", "is better than  The Baseline", "better than BASELINE"],
    "equivalent within 25%": ["equivalent to old within 25%"],
    "differs": ["differs from old"],
    "better in every segment": ["better in all segments", "better in each segment"],
    "better in plan=free": ["better in plan='free'"],
    'better in plan="a, b"': ["better in plan = 'a, b'"],
}  # fmt: skip


@pytest.mark.parametrize(("form", "others"), PHRASES.items())
def test_forms_are_written_in_several_ways(form: str, others: list[str]) -> None:
    compared = between({"old": values(1), "new": values(2)}, by={"plan": PLANS})
    for suffix in ("",) if " in " in form else ("", " in every segment"):
        expected = decided(compared, f"ndcg@10 {form}{suffix}")
        for other in others:
            found = decided(compared, f"ndcg@10 {other}{suffix}")
            assert [replace(each, requirement="") for each in found] == [
                replace(each, requirement="") for each in expected
            ], other


def test_an_inconclusive_line_says_how_to_ask_for_the_measured_value() -> None:
    given = of_values([1.0, 1.0, 0.0])
    way = "to compare what is measured alone, write 'measured ndcg@10"
    told = "the interval is not that of the table, because the test allows for values that no user has; "
    assert str(decision(given, "ndcg@10 >= 0.5")).endswith(f"; {told}{way} >= 0.5')")
    assert decision(given, "measured ndcg@10 >= 0.5").outcome == "passed"
    compared = between({"old": values(1), "new": values(2, mean=0.41)})
    one_sided = "the interval is not that of the table, because the test is one-sided; "
    for form, why in {"better": one_sided, "differs": ""}.items():
        found = decision(compared, f"ndcg@10 {form}")
        assert (found.outcome, found.low is not None) == ("inconclusive", True)
        assert found.without_test == f"{why}{way} {form}'"
        assert str(found).endswith(f"{found.without_test})")
    assert "measured" not in str(decision(of_values([1.0] * 9), "ndcg@10 >= 0.5"))


def test_every_other_system_must_meet_a_requirement_without_one() -> None:
    given = {name: values(seed) for seed, name in enumerate(("a", "b", "c"))}
    for baseline, others in (("a", ["b", "c"]), ("b", ["a", "c"])):
        found = decided(between(given, baseline=baseline), "ndcg@10 differs", "ndcg@10 > 0.1")
        assert [each.system for each in found] == others * 2
        assert [each.asked for each in found] == [
            f"{name}: {asked}" for asked in ("ndcg@10 differs", "ndcg@10 > 0.1") for name in others
        ]


PLANS = ["free", "paid", None, "a, b"] * 15


@pytest.mark.parametrize(
    ("suffix", "plan"),
    [
        ("in plan=free", "free"),
        ('IN "plan" = "a, b"', "a, b"),
        ("in plan=NULL", None),
        ("in plan = paid", "paid"),
    ],
)
def test_a_segment_is_decided_by_its_users(suffix: str, plan: str | None) -> None:
    given = {"old": values(1), "new": values(2)}
    chosen = {
        name: [each for each, of in zip(of_system, PLANS, strict=True) if of == plan]
        for name, of_system in given.items()
    }
    compared, alone = between(given, by={"plan": PLANS}), between(chosen)
    for form in ("better", "not worse by 1%", "> 0.3"):
        found = decision(compared, f"new: ndcg@10 {form} {suffix}")
        assert found.segment == f"plan={plan or 'NULL'}"
        expected = decision(alone, f"new: ndcg@10 {form}")
        texts = {"asked": found.asked, "requirement": found.requirement, "segment": found.segment}
        assert found == replace(expected, **texts)  # type: ignore[arg-type]


@pytest.mark.parametrize(("text", "name"), [("NULL", 'plan="NULL"'), ("null", "plan=null")])
def test_the_text_null_is_no_missing_segment(text: str, name: str) -> None:
    compared = between({"old": [0.5] * 4, "new": [0.5] * 4}, by={"plan": [text, None, text, text]})
    found = decided(compared, "ndcg@10 differs in every segment")
    assert {each.segment: each.n for each in found} == {name: 3, "plan=NULL": 1}
    alone = [decision(compared, f"ndcg@10 differs in {each.segment}") for each in found]
    assert [each.n for each in alone] == [each.n for each in found]


def test_names_of_columns_and_segments_may_have_any_characters() -> None:
    """The columns of users, of segments and their values are quoted in the SQL of a decision."""
    users, plan, value = 'the "user"', 'a b\'s "c"', "it's, 'so' = \"x\""
    truth = {users: [1, 2, 3], "itemid": [1, 1, 1], plan: [value, "b", value]}
    recs = {name: {users: [1, 2, 3], "itemid": items, "score": [1] * 3}
            for name, items in {"old": [2, 1, 2], "new": [1, 1, 2]}.items()}  # fmt: skip
    compared = compare(truth, recs, k=1, metrics="recall", user=users, by=plan)
    quoted = ['"' + text.replace('"', '""') + '"' for text in (plan, value)]
    found = decided(compared, "measured recall@1 better in every segment")
    assert [(each.segment, each.n, each.difference) for each in found] == [
        (f"{plan}=b", 1, 0), (f"{plan}={value}", 2, 0.5),
    ]  # fmt: skip
    alone = decision(compared, f"measured new: recall@1 better in {quoted[0]} = {quoted[1]}")
    assert replace(alone, requirement=found[1].requirement) == found[1]
    other = value.replace("'", "''")
    assert decision(compared, f"measured recall@1 better in {quoted[0]}='{other}'").n == 2
    with pytest.raises(ValueError, match="there are no segments of 'plan', but those of"):
        compared.require("recall@1 > 0 in plan=free")
    nobody = compare(truth | {plan: [None, "b", "b"]}, recs, k=1, metrics="recall", user=users, by=plan)
    assert decision(nobody, f"measured recall@1 better in {quoted[0]}=NULL").n == 1


def test_a_mean_on_its_bound_says_nothing_of_the_users_needed() -> None:
    found = decision(of_values([0.0, 1.0] * 4), "ndcg@10 >= 0.5")
    assert (found.outcome, found.mean, found.users_needed, found.needed) == ("inconclusive", 0.5, None, "")
    assert decision(of_values([0.0, 1.0, 1.0] * 4), "ndcg@10 >= 0.5").users_needed is not None


@pytest.mark.parametrize(
    ("margin", "asked"),
    [("0.0050", "0.0050"), ("1e-9", "0.000000001"), ("1e-10", "1e-10"), ("12345678", "12345678"),
     ("2.50 %", "2.5%"), ("250%", "250%"), ("1e-9 %", "0.000000001%"), ("1e-12%", "1e-12%")],
)  # fmt: skip
def test_numbers_are_asked_as_they_are_read(margin: str, asked: str) -> None:
    compared = between({"old": [0.5, 0.25], "new": [0.5, 0.375]})
    assert decision(compared, f"ndcg@10 better by {margin}").asked == f"new: ndcg@10 better by {asked}"


def test_numbers_have_the_digits_that_bounds_need() -> None:
    compared = between({"old": [0.5, 0.25, 0.125], "new": [0.5, 0.25 + 1e-5, 0.125]})
    assert "difference 0.000003 from 0.291667, " in decision(compared, "ndcg@10 better by 0.00002").measured
    assert "difference 0.0000 from 0.2917, " in decision(compared, "ndcg@10 better by 0.002").measured
    tiny = decision(compared, "ndcg@10 not worse by 1e-320")
    assert tiny.asked == "new: ndcg@10 not worse by 1e-320"
    assert len(tiny.measured) < 200
    nothing = decision(between({"old": [0.3, 0.2], "new": [0.1 + 0.2 - 1e-16, 0.2]}), "ndcg@10 differs")
    assert nothing.measured.startswith("difference 0.0000 from ")


@pytest.mark.parametrize(
    ("users", "p"), [(10, "p = 0.0010"), (13, "p = 0.0001"), (14, "p < 0.0001"), (5, "p = 0.0312")]
)
def test_small_p_values_have_four_digits(users: int, p: str) -> None:
    """The p-value of values of 1 against 0.5 is 0.5 to the power of their number."""
    found = decision(of_values([1.0] * users), "ndcg@10 > 0.5")
    ends = f"90% interval {0.05 ** (1 / users):.4f} to 1.0000"
    assert found.measured == f"mean 1.0000, the same for each user, {ends}, {p}, {users} users"


@pytest.mark.parametrize("hits", range(6))
@pytest.mark.parametrize("bound", [0.05, 0.5, 0.9, 0.95])
def test_no_fewer_users_are_needed_than_there_are(hits: int, bound: float) -> None:
    for form in (">=", "<="):
        found = decision(of_values([1.0] * hits + [0.0] * (5 - hits)), f"ndcg@10 {form} {bound}")
        assert found.users_needed is None or found.users_needed > 5


def test_as_many_users_as_there_are_are_not_needed() -> None:
    """The p-value of four values of 1 against 0.5 is 0.5^4, which is no less than the level."""
    found = decision(of_values([1.0] * 4, confidence=1 - 0.5**4), "ndcg@10 >= 0.5")
    assert (found.p_value, found.outcome, found.users_needed) == (0.5**4, "inconclusive", None)


def test_a_system_may_be_called_as_a_word_of_the_grammar_and_the_baseline_be_held_to_a_number() -> None:
    compared = between({"old": [0.5, 0.7], "measured": [0.1, 0.2], "is": [0.6, 0.8]})
    for text, name, mean, outcome in (
        ("measured: ndcg@10 > 0.1", "measured", 0.15, "inconclusive"),
        ("measured measured: ndcg@10 > 0.1", "measured", 0.15, "passed"),
        ("is: ndcg@10 is better", "is", 0.7, "inconclusive"),
        ("measured old: ndcg@10 >= 0.4", "old", 0.6, "passed"),
    ):
        found = decision(compared, text)
        assert (found.system, found.mean, found.outcome) == (name, near(mean), outcome)


def test_a_difference_beyond_a_bound_of_equivalence_has_the_interval_of_two_sides() -> None:
    """It fails at alpha / 2, and more users would show that it is not met."""
    old, new = values(1), values(2, mean=0.45)
    difference = decision(between({"old": old, "new": new}), "ndcg@10 better").difference
    assert difference is not None
    for sign, (one, other) in ((1, (old, new)), (-1, (new, old))):
        given = between({"old": one, "new": other})
        found = decision(given, f"ndcg@10 equivalent within {difference - 0.01:.4f}")
        assert (found.outcome, found.confidence, found.needed_for) == ("inconclusive", 0.95, "failed")
        assert found.difference == near(sign * difference)
        assert found.needed.endswith("users would show that it is not met")
        assert decision(given, f"ndcg@10 equivalent within {difference + 0.05:.4f}").confidence == 0.9


@pytest.mark.parametrize(("users", "outcome"), [(85, "inconclusive"), (110, "failed")])
def test_a_difference_beyond_a_margin_fails_at_half_of_alpha(users: int, outcome: str) -> None:
    """Three in five users win a hit: with 85 of them, the p-value of failing is between 0.025 and 0.05."""
    won = (np.arange(users) < 0.6 * users) * 1.0
    found = decision(between({"old": [0.0] * users, "new": won}), "ndcg@10 equivalent within 0.48")
    p_value = p_above(won, -1, 0.48)
    assert found.outcome == outcome
    assert (0.03 < p_value < 0.045) if outcome == "inconclusive" else p_value < 0.02


def test_a_bound_that_every_value_meets_or_none_is_told() -> None:
    """A percentage without its sign, such as 1 for 1%, would pass in silence."""
    compared = between({"old": [0.5, 0.25, 1.0], "new": [0.5, 0.75, 0.25]})
    for text, told in {
        "not worse by 1": "bound -1.0000 not between the limits -1 and 1",
        "not worse by 5": "bound -5.0000 not between the limits -1 and 1",
        "equivalent within 2": "bounds -2.0000 and 2.0000 not between the limits -1 and 1",
        "not worse by 0.9": "bound -0.9000,",
        ">= 30": "bound 30.0000 not between the limits 0 and 1",
        "> -0.5": "bound -0.5000 not between the limits 0 and 1",
    }.items():
        assert told in str(decision(compared, f"ndcg@10 {text}"))
        assert told.rstrip(",") in str(decision(compared, f"measured ndcg@10 {text}"))
    for text in ("> 0", ">= 1", "<= 1", "> 0.5", "not worse by 0.9", "better", "better by 1%", "differs"):
        assert "limits" not in str(decision(compared, f"ndcg@10 {text}"))
    evaluated = rankdcg_sql.evaluate({1: {1: 1}, 2: {2: 1}}, {1: {1: 1}, 2: {1: 1}}, metrics="dcg@1")
    assert "bound -1.0000 below 0" in str(decision(evaluated, "dcg@1 > -1"))
    assert "bound" not in str(decision(evaluated, "dcg@1 > 30"))


def test_numbers_with_many_digits_are_read() -> None:
    for number in ("9" * 25, f"0.{'9' * 25}", "1e-300", "1e100", "-1e100"):
        for form in (">=", "<"):
            assert decision(of_values([0.5, 0.25]), f"ndcg@10 {form} {number}").n == 2
    compared = between({"old": [0.5, 0.25], "new": [0.5, 0.375]})
    long = "9" * 25
    for form in (f"better by {long}", "not worse by 1e100", "equivalent within 1e100", f"better by {long}%"):
        assert decision(compared, f"ndcg@10 {form}").n == 2


def test_many_users_needed_are_not_counted() -> None:
    found = decision(of_values([0.0, 1.0]), "ndcg@10 > 0.499999")
    assert found.users_needed is not None
    assert found.users_needed > 10**9
    assert found.needed == "more than 1,000,000,000 users would show that it is met"


def test_every_segment_and_segments_of_several_columns() -> None:
    ages = [1, 2, 10] * 20
    compared = between({"old": values(1), "new": values(2)}, by={"plan": PLANS, "age": ages})
    found = decided(compared, "ndcg@10 differs in every segment")
    expected = [(plan, age) for plan in ("a, b", "free", "paid", None) for age in (1, 2, 10)]
    for (plan, age), each in zip(expected, found, strict=True):
        assert each.segment == f"plan={plan or 'NULL'}, age={age}"
        name = f'"{plan}"' if plan else "NULL"
        alone = decision(compared, f"ndcg@10 differs in plan={name} and age={age}")
        assert (alone.n, alone.p_value, alone.segment) == (each.n, each.p_value, each.segment)
    some = decision(compared, "ndcg@10 differs in age=2")
    rows = zip(values(1), values(2), ages, strict=True)
    assert some.n == sum(None not in (old, new) and age == 2 for old, new, age in rows)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "it follows no form. Write it such as 'ndcg@10 >= 0.30'"),
        ("ndcg@10", "it follows no form"),
        ("ndcg@10 > = 0.3", "it follows no form: did you mean '>=' or '<='? Write it such as"),
        ("ndcg@10 => 0.3", "did you mean '>=' or '<='?"),
        ("ndcg@10 = 0.3", "did you mean '>=' or '<='?"),
        *((f"ndcg@10 {words}", "did you mean a number for the percentage, such as 0.3 for 30%?")
          for words in (">= 30%", ">= 30 percent", "≥ 30%", "at least 30%", "at most 30 %")),
        ("ndcg@10 >= 0,3", "did you mean a point in the number?"),
        ("ndcg@10 not worse", "did you mean 'not worse by' with a margin, such as 0.005 or 1%?"),
        ("ndcg@10 no worse by 0.1", "did you mean 'ndcg@10 not worse by 0.1'?"),
        ("ndcg@10 is higher than 0.3", "did you mean 'ndcg@10 is > 0.3'?"),
        ("ndcg@10 lower than 0.3", "did you mean 'ndcg@10 < 0.3'?"),
        *((f"ndcg@10 {words} 0.3", f"did you mean 'ndcg@10 {meant} 0.3'?") for words, meant in {
            "not below": "at least", "not under": "at least", "not less than": "at least",
            "not above": "at most", "not over": "at most", "not more than": "at most",
            "larger than": ">", "over": ">", "smaller than": "<", "under": "<",
        }.items()),
        ("ndcg@10 > old", "did you mean 'ndcg@10 better than old'?"),
        ("ndcg@10 > recall@10", "it follows no form. Write it such as"),
        ("ndcg@10 significantly better", "did you mean 'ndcg@10 better'?"),
        ("ndcg@10 equal to old within 0.01", "did you mean 'ndcg@10 equivalent to old within 0.01'?"),
        ("ndcg@10 better by 10 percent", "did you mean 'ndcg@10 better by 10%'?"),
        *((f"ndcg@10 > 0.3 {word} plan=x", "did you mean 'ndcg@10 > 0.3 in plan=x'?")
          for word in ("for", "on", "among")),
        *((f"ndcg@10 > 0.2{between}ndcg@10 < 0.3", "2 requirements, 'ndcg@10 > 0.2' and 'ndcg@10 < 0.3'?")
          for between in ("; ", "\n", " and ")),
        ("0.2 < ndcg@10 < 0.3", "did you mean a requirement of its own for each bound?"),
        ("ndcg@10 differently", "did you mean 'differs'?"),
        ("new: ndcg@10 > 0.2 and new: ndcg@10 better",
         "did you mean 2 requirements, 'new: ndcg@10 > 0.2' and 'new: ndcg@10 better'?"),
        ("ndcg@10 > 0.2 and so on", "it follows no form. Write it such as"),
        ("measured: ndcg@10 better", "no colon follows 'measured': write 'measured ndcg@10 better'"),
        ("ndcg@10 not worse by -0.1", "did you mean 'not worse by'"),
        ("ndcg@10 equivalent to old", "did you mean 'equivalent within' with a margin"),
        ("ndcg@10 much better", "did you mean 'better', or 'better by' with a margin"),
        ("ndcg@10 better than other", "the baseline is 'old', not 'other'"),
        ("new ndcg@10 not worse by 1%", "a colon after the system, as in 'new: ndcg@10 not worse by 1%'?"),
        ("my new ndcg@10 > 0.1", "a colon after the system, as in 'my new: ndcg@10 > 0.1'?"),
        *((text, "a p-value is no metric. A test decides each requirement at the level of 1 less")
          for text in ("p < 0.05", "ndcg@10 > 0.1 with p < 0.05", "new: ndcg@10 p < 0.05", "ndcg@5 p < 0.05",
                       "new: p_value < 0.05", "new: p value < 0.05", "ndcg@10 P-value ≤ 0.05",
                       "pvalues >= 0.05")),
        ("ndcg@10 >= 0.1, recall@10 >= 0.1", "did you mean a requirement of its own for each bound?"),
        ("p@5 > 0.3", "the result has no precision@5, but ndcg@10: add it"),
        ("ndcg@10 > -1e101", "-1e101 is too large a number"),
        ("ndcg@10 better by 0%", "a margin must be above 0, got 0%"),
        ("ndcg@10 better by 1e-400", "a margin must be above 0, got 1e-400"),
        ("ndcg@10 equivalent within 150%", "a relative margin must be below 100%, got 150%"),
        ("ndcg@10 >= 1e308", "1e308 is too large a number, of which the largest is 1e+100"),
        ("ndcg@10 is different", "did you mean 'differs'?"),
        ("ndcg@10 differs in", "it follows no form"),
        ("ndcg@10 differs in plan", "'plan' is no segment. Write it as 'in plan=free'"),
        *((f"ndcg@10 differs in plan=a,{more}", "no segment") for more in ("", " b")),
        ("ndcg@10 differs in plan=other", "no user is in the segment plan=other"),
        ("ndcg@10 differs in age=3", "there are no segments of 'age', but those of plan"),
        ("ndcg@10 >= 1e999", "1e999 is too large a number"),
        ("ndcg@10 not worse by 0.0", "a margin must be above 0, got 0.0"),
        ("ndcg@10 not worse by 100%", "a relative margin must be below 100%, got 100%"),
        ("ndgc@10 > 0.3", "there is no metric 'ndgc@10': did you mean ndcg"),
        ("ndcg@5 > 0.3", "the result has no ndcg@5, but ndcg@10: add it to the metrics and k"),
        ("ndcg > 0.3", "the result has no ndcg, but ndcg@10"),
        ("other: ndcg@10 > 0.3", "there is no system 'other', but old, new"),
        ("old: ndcg@10 better", "'old' is the baseline itself"),
    ],
)  # fmt: skip
def test_wrong_requirements(text: str, message: str) -> None:
    compared = between({"old": [0.5, 0.4], "new": [0.5, 0.2]}, by={"plan": ["x", "y"]})
    with pytest.raises(CallError) as error:
        compared.require("new: ndcg@10 > 0", text)
    assert isinstance(error.value, ValueError)
    assert (error.value.function, error.value.argument) == ("require", "requirements")
    assert error.value.text.startswith(f"{text!r} cannot be required: ")
    assert message in error.value.text


def test_wrong_calls() -> None:
    evaluation = of_values([0.5, 0.4])
    for text, message in {
        "a: ndcg@10 > 0": "an evaluation has one system, without a name: leave out 'a:'",
        "measured: ndcg@10 > 0": "no colon follows 'measured': write 'measured ndcg@10 > 0'",
        "ndcg@10 better": "'better' is about a comparison, and this is an evaluation",
        "ndcg@10 > 0 in every segment": "the result has no segments: name their columns with by",
        "ndcg@10 > 0 in plan=x": "the result has no segments: name their columns with by",
    }.items():
        with pytest.raises(ValueError, match=f"^require: '{text}' cannot be required: {message}$"):
            evaluation.require(text)
    given: Any
    for given, message in (
        ((), "give one requirement or more"),
        ((3,), "requirements must be texts such as .*, got 3"),
        ((["ndcg@10 > 0"],), r".* got \['ndcg@10 > 0'\]: write \* before a list"),
        ((("ndcg@10 > 0",),), r".*: write \* before a list"),
    ):
        with pytest.raises(TypeError if given else ValueError, match=f"^require: {message}$"):
            evaluation.require(*given)
    with pytest.raises(ValueError, match=r"^require: inconclusive must be 'fail' or 'pass', got 'no'$"):
        evaluation.require("ndcg@10 > 0", inconclusive="no")  # type: ignore[arg-type]
    unsure = of_values([0.5, 0.4], confidence=0.5)
    with pytest.raises(ValueError, match=r"a test needs a confidence above 0.5, got 0.5$"):
        unsure.require("ndcg@10 > 0")
    assert unsure.require("measured ndcg@10 > 0")[0].outcome == "passed"


def test_without_a_baseline_every_system_must_meet_a_number() -> None:
    compared = replace(between({"a": [0.5, 0.4], "b": [0.6, 0.3]}), baseline=None)
    assert [each.system for each in decided(compared, "ndcg@10 > 0.1")] == ["a", "b"]
    with pytest.raises(ValueError, match=r"'better' needs a baseline, and all pairs are compared$"):
        compared.require("a: ndcg@10 better")


def test_a_relative_margin_needs_a_mean_of_0_or_more() -> None:
    compared = between({"old": [-0.5, -0.4], "new": [0.5, 0.2]})
    with pytest.raises(ValueError, match=r"needs a baseline with a mean of 0 or more, got -0.45$"):
        compared.require("ndcg@10 not worse by 1%")


# The outcomes as objects


def test_an_error_has_all_outcomes_and_is_copied() -> None:
    result = of_values([0.4, 0.5, 0.6])
    with pytest.raises(RequirementError) as told:
        result.require("ndcg@10 > 0.1", "ndcg@10 > 0.9", "ndcg@10 > 0.49")
    assert not isinstance(told.value, (CallError, ValueError))
    found = told.value.requirements
    assert [each.outcome for each in found] == ["passed", "failed", "inconclusive"]
    assert (found.failed, found.inconclusive) == (found[1:2], found[2:])
    assert str(told.value).splitlines() == ["2 of 3 not met", str(found[1]), str(found[2])]
    copied = pickle.loads(pickle.dumps(told.value))
    assert (copied.requirements, str(copied)) == (found, str(told.value))
    assert isinstance(copied.requirements, Requirements)
    assert told.value._repr_html_() == f"<p>RequirementError</p>{found._repr_html_()}"


def test_inconclusive_requirements_may_pass() -> None:
    result = of_values([0.4, 0.5, 0.6])
    found = result.require("ndcg@10 > 0.49", "ndcg@10 > 0.1", inconclusive="pass")
    assert [each.outcome for each in found] == ["inconclusive", "passed"]
    with pytest.raises(RequirementError, match=r"^1 of 2 not met\n"):
        result.require("ndcg@10 > 0.1", "ndcg@10 > 0.9", inconclusive="pass")
    # The error lists those that count as not met, also if it is copied.
    with pytest.raises(RequirementError) as told:
        result.require("ndcg@10 > 0.49", "ndcg@10 > 0.9", inconclusive="pass")
    unsure, failed = told.value.requirements
    assert str(told.value).splitlines() == ["1 of 2 not met", str(failed)]
    assert str(pickle.loads(pickle.dumps(told.value))) == str(told.value)
    with pytest.raises(RequirementError) as told:
        result.require("ndcg@10 > 0.49", "ndcg@10 > 0.9")
    assert str(told.value).splitlines() == ["2 of 2 not met", str(unsure), str(failed)]


def test_outcomes_are_shown_as_lines_frames_and_html() -> None:
    compared = between({"old": values(1), "<new>": values(2, mean=0.6)}, by={"plan": PLANS})
    found = decided(compared, "ndcg@10 better", "measured ndcg@10 > 0.2", "ndcg@10 differs in every segment")
    assert repr(found).splitlines() == [str(each) for each in found]
    frame = found.to_polars()
    assert frame.rows(named=True) == [asdict(each) for each in found]
    assert frame.schema["n"] == frame.schema["users_needed"] == pl.Int64
    assert frame.clear().schema == Requirements().to_polars().schema
    assert "&lt;new&gt;: ndcg@10 better" in found._repr_html_()
    assert found._repr_html_().count("<tr>") == 1 + len(found)


def test_a_result_of_tables_is_required() -> None:
    """The old system finds the item of every third user, and the new one that of all."""
    users = range(30)
    finders = {"old": 1, "new": 3}
    recs = {name: {u: {1 if u % 3 < hits else 2: 1} for u in users} for name, hits in finders.items()}
    compared = rankdcg_sql.compare({user: {1: 1} for user in users}, recs, k=1, metrics="recall")
    (found,) = compared.require("new: recall@1 better by 0.4")
    assert (found.difference, found.n) == (near(2 / 3), 30)
    assert pickle.loads(pickle.dumps(compared)).require("new: recall@1 better by 0.4") == (found,)
