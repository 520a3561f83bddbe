"""The statistics as aggregates: against SciPy, and on changed input that must not change them."""

from __future__ import annotations

import math
import random
from itertools import product
from typing import TYPE_CHECKING, Any

import duckdb
import numpy as np
import pytest
from scipy import stats
from support import golden, reference

import rankdcg_sql

if TYPE_CHECKING:
    from collections.abc import Sequence

TESTS = ("paired_t_test", "wilcoxon_signed_rank", "randomization_test")
#: The alternatives, and SciPy's names of them.
ALTERNATIVES = {"two_sided": "two-sided", "less": "less", "greater": "greater"}
#: The statistics with their arguments, the fields of their results, and their options.
INTERVAL, TEST = ("n", "mean", "low", "high"), ("n", "mean_difference", "statistic", "p_value", "effect_size")
LIMITS, PAIR = {"lower_bound", "upper_bound"}, ("a", "b")
EFFECT, COUNTS = ("design_effect", "effective_n"), ("wins", "ties", "losses")
#: The fields and options of a mean that people correct.
OF_JUDGE = (
    (
        *(*INTERVAL, "p_value", "mean_human", "mean_judge", "judge_weight", "effective_n", "users_needed"),
        *("n_human", "n_judge", "n_both"),
    ),
    {"confidence", "alpha", "power", "difference"} | LIMITS,
)
STATISTICS = {
    "mean_ci": (("x",), INTERVAL, {"confidence", "skewness"} | LIMITS),
    "bootstrap_ci": (("x",), INTERVAL, {"confidence", "resamples", "seed"} | LIMITS),
    "anytime_mean_ci": (("x",), INTERVAL, {"confidence", "narrowest_at"} | LIMITS),
    "paired_t_test": (PAIR, TEST, {"alternative", "margin", "tolerance", "skewness"} | LIMITS),
    "paired_t_test_power": (
        PAIR,
        ("n", "mean_difference", "min_detectable_effect", "users_needed"),
        {"alternative", "margin", "alpha", "power", "difference", "tolerance", "skewness"} | LIMITS,
    ),
    "wilcoxon_signed_rank": (PAIR, TEST, {"alternative", "tolerance"}),
    "randomization_test": (PAIR, TEST, {"alternative", "resamples", "seed", "tolerance"}),
    "win_tie_loss": (PAIR, ("n", "wins", "ties", "losses"), {"tolerance"}),
    "concentration": (("x",), ("n", "mean", "gini", "entropy"), set()),
    "paired_comparison": (
        PAIR,
        ("n", "mean_a", "mean_b", "mean_difference", "low", "high", *TEST[2:], *COUNTS),
        {"alternative", "margin", "confidence", "tolerance"} | LIMITS,
    ),
    "partially_overlapping_t_test": (
        PAIR,
        ("n", "mean_a", "mean_b", "mean_difference", "low", "high", *TEST[2:4], "n_a", "n_b", "n_both"),
        {"alternative", "margin", "confidence", "tolerance"} | LIMITS,
    ),
    "judge_corrected_mean": (("human", "judge"), *OF_JUDGE),
    "weighted_judge_corrected_mean": (("human", "judge", "weight"), *OF_JUDGE),
    "weighted_mean_ci": (("x", "weight"), (*INTERVAL, *EFFECT), {"confidence"} | LIMITS),
    "weighted_paired_comparison": (
        (*PAIR, "weight"),
        ("n", "mean_a", "mean_b", "mean_difference", "low", "high", *TEST[2:], *EFFECT, *COUNTS),
        {"alternative", "margin", "confidence", "tolerance"} | LIMITS,
    ),
}
CALLS = [
    "mean_ci(a)",
    "concentration(a)",
    "bootstrap_ci(a, 'resamples=300')",
    "anytime_mean_ci(a, 'narrowest_at=1')",
    "paired_t_test(a, b)",
    "wilcoxon_signed_rank(a, b, 'alternative=less')",
    "randomization_test(a, b, 'resamples=300')",
    "paired_t_test(a, b, 'alternative=equivalence, margin=0.1')",
    "paired_t_test(a, b, 'skewness=hall')",
    "mean_ci(a, 'skewness=hall')",
    "paired_t_test(a, b, 'skewness=gaffke, lower_bound=-9, upper_bound=9')",
    "mean_ci(a, 'skewness=gaffke, lower_bound=-9, upper_bound=9')",
    "paired_t_test_power(a, b, 'difference=0.1')",
    "win_tie_loss(a, b, 'tolerance=0.01')",
    "paired_comparison(a, b, 'tolerance=0.01')",
    "partially_overlapping_t_test(nullif(round(a, 1), 0.5), nullif(round(b, 1), 0.5), 'tolerance=0.01')",
    "judge_corrected_mean(nullif(round(a, 1), 0.5), nullif(round(b, 1), 0.5))",
    "weighted_mean_ci(a, b, 'lower_bound=0, upper_bound=1')",
    "weighted_paired_comparison(a, b, 10 * a, 'tolerance=0.01')",
    "weighted_judge_corrected_mean(nullif(round(a, 1), 0.5), nullif(round(b, 1), 0.5), 10 * b)",
]


@pytest.fixture
def con(aggregating: duckdb.DuckDBPyConnection) -> duckdb.DuckDBPyConnection:
    """Open a connection by each way that has native aggregates."""
    return aggregating


def of(con: duckdb.DuckDBPyConnection, call: str, pairs: Sequence[tuple[float | None, float | None]]) -> Any:
    """The result of a statistic over pairs a, b."""
    columns = [list(column) for column in zip(*pairs, strict=True)] or [[], []]
    rows = "(SELECT unnest($1::DOUBLE[]) AS a, unnest($2::DOUBLE[]) AS b)"
    ((found,),) = con.execute(f"SELECT {call} FROM {rows}", columns).fetchall()
    return found


def near(expected: float | None) -> Any:
    """A value that is not defined is NULL here, and NaN in SciPy."""
    undefined = expected is None or math.isnan(expected)
    return None if undefined else pytest.approx(expected, rel=1e-9, abs=1e-12)


def sample(chance: random.Random, how: str, size: int) -> list[tuple[float, float]]:
    """Pairs whose differences are distinct, often equal ("tied"), or often 0."""
    if how == "distinct":
        return [(chance.random(), chance.random() ** 2) for _ in range(size)]
    if how == "tied":  # in eighths, whose differences are exact
        return [(chance.randint(0, 8) / 8, chance.randint(0, 9) / 8) for _ in range(size)]
    return [
        (value, value if chance.random() < 0.6 else chance.random())
        for value, _ in sample(chance, "tied", size)
    ]


@pytest.mark.parametrize("case", golden.PAIRED, ids=lambda case: case.id)
def test_golden_case(con: duckdb.DuckDBPyConnection, case: golden.Case):
    pairs = [*zip(*case.args[1:], strict=True)]
    found = of(con, f"{case.function}(a, b)", pairs)
    assert {name: found[name] for name in case.expected} == {
        name: near(value) for name, value in case.expected.items()
    }
    assert found["n"] == len(pairs)


def test_every_statistic_is_there_and_those_of_pairs_have_a_golden_case():
    found = [function.name for function in rankdcg_sql.functions() if function.form == "sample"]
    assert sorted(found) == sorted(STATISTICS)
    assert {case.function for case in golden.PAIRED} == {*TESTS, "win_tie_loss"}


@pytest.mark.parametrize("name", STATISTICS)
def test_statistic_is_described(name: str):
    (function,) = (each for each in rankdcg_sql.functions() if each.name == name)
    arguments, fields, options = STATISTICS[name]
    assert (function.arguments, function.form) == ((*arguments, "options"), "sample")
    assert (function.fields, function.aliases) == (fields, ())
    assert set(function.options) == options


# Against SciPy


@pytest.mark.parametrize("how", ["distinct", "tied", "zeros"])
@pytest.mark.parametrize("size", [2, 3, 8, 10, 14, 50, 51, 400])
def test_scipy(con: duckdb.DuckDBPyConnection, how: str, size: int):
    pairs = sample(random.Random(f"{how} {size}"), how, size)
    a, b = ([*column] for column in zip(*pairs, strict=True))
    for confidence in (0.95, 0.5, 0.999):
        found = of(con, f"mean_ci(a, 'confidence={confidence}')", pairs)
        low, high = stats.ttest_1samp(a, 0).confidence_interval(confidence)
        assert (found["n"], found["mean"]) == (size, near(sum(a) / size))
        assert (found["low"], found["high"]) == (near(low), near(high))
    for alternative, theirs in ALTERNATIVES.items():
        found = of(con, f"paired_t_test(a, b, 'alternative={alternative}')", pairs)
        wanted = stats.ttest_rel(a, b, alternative=theirs)
        assert (found["statistic"], found["p_value"]) == (near(wanted.statistic), near(wanted.pvalue))
        assert found["mean_difference"] == near(sum(one - other for one, other in pairs) / size)
        differences = [one - other for one, other in pairs]
        assert found["effect_size"] == near(wanted.statistic / math.sqrt(size))
        shifted = [stats.ttest_1samp(differences, -0.1, alternative="greater")]
        shifted.append(stats.ttest_1samp(differences, 0.1, alternative="less"))
        larger = max(shifted, key=lambda test: (test.pvalue, -test.statistic))
        for sign, wanted in zip(("greater", "less", "equivalence"), (*shifted, larger), strict=True):
            found = of(con, f"paired_t_test(a, b, 'alternative={sign}, margin=0.1')", pairs)
            assert (found["statistic"], found["p_value"]) == (near(wanted.statistic), near(wanted.pvalue))

        found = of(con, f"wilcoxon_signed_rank(a, b, 'alternative={alternative}')", pairs)
        differs = any(one != other for one, other in pairs)
        if differs:
            wanted = stats.wilcoxon(a, b, alternative=theirs, correction=False)
            assert (found["statistic"], found["p_value"]) == (near(wanted.statistic), near(wanted.pvalue))


# SciPy takes long to count all assignments of signs to 13 ties, which is the most that it counts.
@pytest.mark.parametrize(("size", "divisor"), [*product((2, 9, 14, 40, 300), (3, 6, 7, 10)), (13, 7)])
def test_ranks_of_fractions_tie_as_those_of_their_numerators(
    con: duckdb.DuckDBPyConnection, size: int, divisor: int
):
    """1 - 2/3 and 1/3 differ in floating point. SciPy gets the numerators, whose ties are exact."""
    chance = random.Random(f"{size} {divisor}")
    wholes = (
        [(1, 2), (0, 1)]
        if size == 2
        else [tuple(chance.choices(range(divisor + 1), k=2)) for _ in range(size)]
    )
    pairs = [(a / divisor, b / divisor) for a, b in wholes]
    for alternative, theirs in [*ALTERNATIVES.items()][: 1 if size == 13 else None]:
        options = f"alternative={alternative}, tolerance=1e-12"
        found = of(con, f"wilcoxon_signed_rank(a, b, '{options}')", pairs)
        wanted = stats.wilcoxon([a - b for a, b in wholes], alternative=theirs, correction=False)
        assert (found["statistic"], found["p_value"]) == (near(wanted.statistic), near(wanted.pvalue))


def test_a_size_ties_with_the_smallest_of_its_tie(con: duckdb.DuckDBPyConnection):
    """0.5 ties with 0.375, and 0.75 is too far from that: the ranks are 1.5, 1.5 and 3."""
    pairs = [(0.375, 0), (0, 0.5), (0.75, 0)]
    found = of(con, "wilcoxon_signed_rank(a, b, 'alternative=greater, tolerance=0.25')", pairs)
    assert (found["statistic"], found["p_value"]) == (4.5, 3 / 8)
    # Beyond 1, the tolerance is a share of the smallest: 10 and 12 tie, and so do 12.6 and 15.
    pairs = [(0, 10), (12, 0), (12.6, 0), (0, 15)]
    found = of(con, "wilcoxon_signed_rank(a, b, 'alternative=greater, tolerance=0.25')", pairs)
    assert found["statistic"] == 1.5 + 3.5


@pytest.mark.parametrize("how", ["distinct", "tied", "zeros"])
@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_randomization_by_scipy(con: duckdb.DuckDBPyConnection, how: str, alternative: str):
    def difference(a: Any, b: Any, axis: int) -> Any:
        return (a - b).mean(axis=axis)

    def theirs(pairs: Sequence[tuple[float, float]], resamples: float) -> float:
        columns = tuple([*column] for column in zip(*pairs, strict=True))
        word = ALTERNATIVES[alternative]
        options = {"permutation_type": "samples", "vectorized": True, "n_resamples": resamples, "rng": 1}
        return float(stats.permutation_test(columns, difference, alternative=word, **options).pvalue)

    for size in (2, 5, 9):  # so few pairs that all assignments of signs are counted
        pairs = sample(random.Random(f"{how} {size}"), how, size)
        found = of(con, f"randomization_test(a, b, 'alternative={alternative}')", pairs)
        assert found["p_value"] == near(theirs(pairs, float("inf")))
        assert found["statistic"] == found["mean_difference"]
    pairs = sample(random.Random(how), how, 90)  # so many pairs that assignments are drawn
    found = of(con, f"randomization_test(a, b, 'alternative={alternative}')", pairs)
    assert found["p_value"] == pytest.approx(theirs(pairs, 9999), abs=0.02)


def test_randomization_of_many_pairs_by_scipy(con: duckdb.DuckDBPyConnection):
    """Hits and misses of two systems. The sum of differences of 1, 0 and -1 has a binomial distribution."""
    for better, worse in [(900, 860), (1000, 1000), (1040, 960), (870, 930)]:
        pairs = [(1.0, 0.0)] * better + [(0.0, 1.0)] * worse + [(1.0, 1.0)] * 500
        for alternative in ALTERNATIVES:
            found = of(con, f"randomization_test(a, b, 'alternative={alternative}, resamples=1')", pairs)
            theirs = stats.binomtest(better, better + worse, alternative=ALTERNATIVES[alternative])
            assert found["n"] == len(pairs)
            assert found["p_value"] == pytest.approx(theirs.pvalue, abs=1e-4)


@pytest.mark.parametrize("size", [60, 90, 700])
def test_bootstrap_by_scipy(con: duckdb.DuckDBPyConnection, size: int):
    pairs = sample(random.Random(3), "distinct", size)
    skewed = [other**2 for _, other in pairs]
    found = of(con, f"bootstrap_ci(b * b, 'resamples={20_000 if size == 90 else 10_000}')", pairs)
    theirs = stats.bootstrap(
        (skewed,), lambda x, axis: x.mean(axis=axis), n_resamples=20000, method="BCa", rng=1
    )
    error = theirs.standard_error
    assert found["low"] == pytest.approx(theirs.confidence_interval.low, abs=error / 8)
    assert found["high"] == pytest.approx(theirs.confidence_interval.high, abs=error / 8)


def test_resamples_that_are_not_drawn_change_no_interval(con: duckdb.DuckDBPyConnection):
    """One value of 20,000 is 1. It is more than six times in 83 of a million resamples."""
    pairs = [(float(number == 0), 0.0) for number in range(20_000)]
    found = [
        of(con, f"bootstrap_ci(a, 'confidence=0.9999, resamples={resamples}')", pairs)
        for resamples in (100, 1_000_000)
    ]
    assert found[0] == found[1]
    assert found[0]["high"] > 6 / 20_000


@pytest.mark.parametrize(("confidence", "narrowest_at"), [(0.95, 100), (0.8, 10), (0.999, 3000)])
@pytest.mark.parametrize("size", [2, 9, 30, 200])
def test_an_anytime_interval_holds_the_means_with_a_small_bayes_factor(
    con: duckdb.DuckDBPyConnection, size: int, confidence: float, narrowest_at: int
):
    pairs = sample(random.Random(size), "distinct", size)
    options = f"confidence={confidence}, narrowest_at={narrowest_at}"
    found = of(con, f"anytime_mean_ci(a, '{options}')", pairs)
    values = [a for a, _ in pairs]
    alpha = 1 - confidence
    variance = (math.log(1 - 2 * math.log(alpha)) - 2 * math.log(alpha)) / narrowest_at
    if found["low"] is None:
        assert found["high"] is None
        assert reference.bayes_factor_of_t(50, size, variance) < 1 / alpha
    else:
        for end, sign in (("low", 1), ("high", -1)):
            t = stats.ttest_1samp(values, found[end]).statistic
            assert reference.bayes_factor_of_t(sign * t, size, variance) == pytest.approx(1 / alpha, rel=1e-6)
    limited = of(con, f"anytime_mean_ci(a, '{options}, lower_bound=0, upper_bound=1')", pairs)
    assert limited["low"] == max(0, found["low"] or 0)
    assert limited["high"] == min(1, found["high"] or 1)


def test_anytime_intervals_hold_over_a_thousand_looks(con: duckdb.DuckDBPyConnection):
    """NDCG of one relevant item, from 100 users to 1,099. The standard deviation of a rate of 5% is 2.2%."""
    values = [0.0, *(1 / math.log2(rank + 1) for rank in range(1, 11))]
    drawn = np.random.default_rng(4).choice(values, (100, 1099), p=[0.4, *[0.06] * 10])
    con.execute("CREATE OR REPLACE TEMP TABLE drawn AS SELECT unnest($1) AS x", [drawn.ravel().tolist()])
    missing = (
        f"CASE WHEN {sum(values) * 0.06} BETWEEN found.low AND found.high THEN 0 ELSE 1 END AS is_missing"
    )
    (shares,) = con.execute(
        f"""
        WITH numbered AS (SELECT x, row_number() OVER () - 1 AS place FROM drawn),
        looks AS (
            SELECT place // 1099 AS e, anytime_mean_ci(x) OVER sofar AS anytime, mean_ci(x) OVER sofar AS once
            FROM numbered WINDOW sofar AS (PARTITION BY e ORDER BY place) QUALIFY place % 1099 >= 99
        )
        SELECT avg(anytime), avg(once) FROM (
            SELECT max((SELECT {missing} FROM (SELECT anytime AS found))) AS anytime,
                max((SELECT {missing} FROM (SELECT once AS found))) AS once
            FROM looks GROUP BY e
        )
        """
    ).fetchall()
    assert shares[0] <= 0.05 + 2.6 * 0.022
    assert shares[1] > 0.2


@pytest.mark.parametrize("power", [1, 3])
@pytest.mark.parametrize("size", [2, 3, 20, 500])
def test_hall_s_transformation_is_that_of_the_reference(
    con: duckdb.DuckDBPyConnection, size: int, power: int
):
    chance = random.Random(size)
    pairs = [(chance.random() ** power, chance.random() / 2) for _ in range(size)]
    differences = [a - b for a, b in pairs]
    for margin in (0, 0.1):
        for alternative, sign in {"greater": 1, "less": -1}.items():
            options = f"skewness=hall, alternative={alternative}, margin={margin}"
            t = sign * reference.t_without_skewness(differences, -sign * margin)
            p_value = of(con, f"paired_t_test(a, b, '{options}')", pairs)["p_value"]
            assert p_value == near(stats.t.sf(t, size - 1))
    found = of(con, "mean_ci(a, 'skewness=hall, confidence=0.9')", pairs)
    ends = [reference.t_without_skewness([a for a, _ in pairs], found[end]) for end in ("low", "high")]
    quantile = stats.t.isf(0.05, size - 1)
    assert ends == pytest.approx([quantile, -quantile], rel=1e-7)


@pytest.mark.parametrize("size", [10, 100])
def test_gaffke_s_test_is_that_of_the_reference(con: duckdb.DuckDBPyConnection, size: int):
    chance = random.Random(size)
    pairs = [(chance.random() ** 8, chance.random() / 2) for _ in range(size)]
    differences = [a - b for a, b in pairs]
    for margin in (0, 0.1):
        for alternative, sign in {"greater": 1, "less": -1}.items():
            limits = "skewness=gaffke, lower_bound=-1, upper_bound=1"
            signed = [sign * each for each in differences]
            p_value = of(
                con, f"paired_t_test(a, b, '{limits}, alternative={alternative}, margin={margin}')", pairs
            )
            expected = reference.p_of_random_weights(signed, -1, -margin)
            assert p_value["p_value"] == pytest.approx(expected, rel=0.03, abs=1e-4)
    # Without a limit above, the end above is that of Hall's transformation.
    found = of(con, "mean_ci(a, 'skewness=gaffke, lower_bound=0')", pairs)
    values = [a for a, _ in pairs]
    assert reference.p_of_random_weights(values, 0, found["low"]) == pytest.approx(0.025, rel=0.03)
    assert found["high"] == near(of(con, "mean_ci(a, 'skewness=hall')", pairs)["high"])
    # Nothing is known beyond equal values without a limit.
    equal = [(0.5, 0.25)] * 4
    found = of(con, "mean_ci(a, 'skewness=gaffke, lower_bound=0')", equal)
    assert (found["low"], found["high"]) == (near(0.5 * 0.025**0.25), None)
    for alternative, expected in {"greater": 0.8**4, "less": 1}.items():
        options = f"skewness=gaffke, lower_bound=-1, alternative={alternative}"
        assert of(con, f"paired_t_test(a, b, '{options}')", equal)["p_value"] == near(expected)


@pytest.mark.parametrize("sign", [1, -1])
def test_the_power_of_gaffke_s_test_counts_the_limit_beyond_the_denied_difference(
    con: duckdb.DuckDBPyConnection, sign: int
):
    """Student's t of n differences has one value more: the limit, which is far away on one side."""
    pairs = [(sign * (0.2 + each), 0.0) for each in (-0.5, 0.5)] * 10
    deviation = 0.5 * math.sqrt(20 / 19)
    limits = "lower_bound=-2, upper_bound=9" if sign > 0 else "lower_bound=-9, upper_bound=2"
    toward, away = ("greater", "less")[::sign]

    def power(n: Any, alpha: float, *tests: tuple[float, float]) -> Any:
        """Return the probability that all tests are significant, by distances to a bound and to a limit."""
        shifts = [(to - reach / (n + 1)) * np.sqrt(n) / deviation for to, reach in tests]
        each = [stats.nct.sf(stats.t.isf(alpha, n - 1), n - 1, shift) for shift in shifts]
        return sum(each) - (len(tests) - 1)

    users = np.arange(2, 3000)
    for options, alpha, tests in (
        (f"alternative={toward}", 0.05, [(0.2, 2.2)]),
        # Without a margin, the test is that on the side of the difference, whose size is given.
        (f"alternative={away}", 0.05, [(0.2, 2.2)]),
        (f"alternative={toward}, difference=0.3", 0.05, [(0.3, 2.3)]),
        (f"alternative={toward}, margin=0.1", 0.05, [(0.3, 2.2)]),
        ("alternative=two_sided", 0.025, [(0.2, 2.2)]),
        ("alternative=equivalence, margin=0.5", 0.05, [(0.3, 8.8), (0.7, 2.2)]),
        ("alternative=equivalence, margin=0.5, difference=0", 0.05, [(0.5, 9), (0.5, 2)]),
    ):
        found = of(con, f"paired_t_test_power(a, b, 'skewness=gaffke, {limits}, {options}')", pairs)
        assert found["users_needed"] == users[power(users, alpha, *tests) >= 0.8][0], options
    found = of(
        con,
        f"paired_t_test_power(a, b, 'skewness=gaffke, {limits}, alternative={toward}, margin=0.1')",
        pairs,
    )
    effect = found["min_detectable_effect"]
    assert power(20, 0.05, (effect + 0.1, effect + 2)) == pytest.approx(0.8, abs=1e-9)


@pytest.mark.parametrize("how", ["distinct", "tied", "zeros"])
@pytest.mark.parametrize("size", [2, 3, 50, 2500])
def test_a_comparison_by_scipy(con: duckdb.DuckDBPyConnection, how: str, size: int):
    pairs = sample(random.Random(size), how, size)
    a, b = zip(*pairs, strict=True)
    for alternative in ALTERNATIVES:
        tested = stats.ttest_rel(a, b, alternative=ALTERNATIVES[alternative])
        found = of(con, f"paired_comparison(a, b, 'alternative={alternative}, confidence=0.9')", pairs)
        low, high = stats.ttest_rel(a, b).confidence_interval(0.9)
        assert found == {
            "n": size,
            "mean_a": near(math.fsum(a) / size),
            "mean_b": near(math.fsum(b) / size),
            "mean_difference": near(math.fsum(one - other for one, other in pairs) / size),
            "low": near(low),
            "high": near(high),
            "statistic": near(tested.statistic),
            "p_value": near(tested.pvalue),
            "effect_size": near(tested.statistic / math.sqrt(size)),
            "wins": sum(one > other for one, other in pairs),
            "ties": sum(one == other for one, other in pairs),
            "losses": sum(one < other for one, other in pairs),
        }


@pytest.mark.parametrize("how", ["distinct", "tied", "zeros"])
@pytest.mark.parametrize("size", [2, 3, 50, 2500])
def test_weighted_means_and_differences_are_those_of_the_reference(
    con: duckdb.DuckDBPyConnection, how: str, size: int
):
    """The weight of a pair is 8 times its first value, so that some are 0: such pairs are left out."""
    pairs = [(1.0, 0.5), (0.125, 1.0), *sample(random.Random(size), how, size)]
    weighed = [(a, b, 8 * a) for a, b in pairs if a]
    t = stats.t(len(weighed) - 1)
    mean, error, effect, effective_n = reference.weighted_mean([(b, 8 * a) for a, b in pairs])
    half_width = t.isf(0.05) * error
    assert of(con, "weighted_mean_ci(b, 8 * a, 'confidence=0.9')", pairs) == {
        "n": len(weighed),
        "mean": near(mean),
        "low": near(mean - half_width),
        "high": near(mean + half_width),
        "design_effect": near(effect),
        "effective_n": near(effective_n),
    }
    difference, error, *_ = reference.weighted_mean([(a - b, w) for a, b, w in weighed])
    deviation = math.sqrt(
        len(weighed)
        / (len(weighed) - 1)
        * np.average([(a - b - difference) ** 2 for a, b, _ in weighed], weights=[w for *_, w in weighed])
    )
    statistic = difference / error
    for alternative, margin, p_value in (
        ("less", 0, t.cdf(statistic)),
        ("greater", 0.1, t.sf((difference + 0.1) / error)),
        ("two_sided", 0, 2 * t.sf(abs(statistic))),
    ):
        options = f"alternative={alternative}, margin={margin}, confidence=0.9"
        found = of(con, f"weighted_paired_comparison(a, b, 8 * a, '{options}')", pairs)
        assert found == {
            "n": len(weighed),
            "mean_a": near(reference.weighted_mean([(a, w) for a, _, w in weighed])[0]),
            "mean_b": near(mean),
            "mean_difference": near(difference),
            "low": near(difference - t.isf(0.05) * error),
            "high": near(difference + t.isf(0.05) * error),
            "statistic": near((difference + margin) / error),
            "p_value": near(p_value),
            "effect_size": near(difference / deviation),
            "design_effect": near(effect),
            "effective_n": near(effective_n),
            "wins": sum(a > b for a, b, _ in weighed),
            "ties": sum(a == b for a, b, _ in weighed),
            "losses": sum(a < b for a, b, _ in weighed),
        }


def test_weighted_means_are_those_of_statsmodels(con: duckdb.DuckDBPyConnection):
    """WLS of statsmodels 0.15.0 on a constant, with cov_type="HC1" and use_t=True, computed these."""
    x, y = [0.5, 0.25, 1.0, 0.0, 0.75, 0.4], [0.4, 0.5, 0.75, 0.1, 0.7, 0.1]
    rows = [[3.0, 1.0, 2.0, 5.0, 0.5, 8.0], x, y]
    source = "(SELECT unnest($1) AS w, unnest($2) AS x, unnest($3) AS y)"
    calls = "weighted_mean_ci(x, w), weighted_paired_comparison(x, y, w)"
    ((mean, compared),) = con.execute(f"SELECT {calls} FROM {source}", rows).fetchall()
    assert [mean["mean"], mean["low"], mean["high"]] == pytest.approx(
        [0.3756410256410256, 0.04272370220914268, 0.7085583490729085], rel=1e-12
    )
    assert mean["design_effect"] == pytest.approx(1.629191321499014, rel=1e-12)
    named = ("mean_difference", "low", "high", "statistic", "p_value")
    expected = [0.12692307692307694, -0.13994343994619965, 0.39378959379235356]
    expected += [1.222581835627406, 0.2759681227818353]
    assert [compared[name] for name in named] == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("weight", [1, 3, 0.1, 1e-320, 1e308])
def test_equal_weights_change_no_bit(con: duckdb.DuckDBPyConnection, weight: float):
    pairs = sample(random.Random(weight), "distinct", 30)
    for rows, options in product(
        (pairs, pairs[:1], [(0.5, 0.25)] * 3), ("", "lower_bound=-1, upper_bound=1")
    ):
        n = len(rows)
        found = of(con, f"weighted_mean_ci(a, {weight}::DOUBLE, '{options}')", rows)
        effect = {"design_effect": 1, "effective_n": n}
        assert found == of(con, f"mean_ci(a, '{options}')", rows) | effect
        found = of(con, f"weighted_paired_comparison(a, b, {weight}::DOUBLE, '{options}')", rows)
        assert found == of(con, f"paired_comparison(a, b, '{options}')", rows) | effect


def halves(
    chance: random.Random, pairs: int, lone: tuple[int, int]
) -> list[tuple[float | None, float | None]]:
    """Pairs whose values are correlated, and rows of which one value is NULL, in any order."""
    rows: list[tuple[float | None, float | None]] = []
    for _ in range(pairs):
        value = chance.random()
        rows.append((value, (value + chance.random()) / 2))
    rows += [(chance.random(), None) for _ in range(lone[0])] + [
        (None, chance.random() ** 3) for _ in range(lone[1])
    ]
    return chance.sample(rows, len(rows))


@pytest.mark.parametrize(
    ("pairs", "lone"), [(1, (1, 1)), (2, (0, 3)), (40, (7, 0)), (30, (3, 50)), (0, (7, 90))]
)
def test_means_of_some_common_users_are_compared_as_by_the_reference(
    con: duckdb.DuckDBPyConnection, pairs: int, lone: tuple[int, int]
):
    rows = halves(random.Random(pairs), pairs, lone)
    difference, error, freedom = reference.partially_overlapping_t_test(rows)
    t = stats.t(freedom)
    half_width = t.isf(0.05) * error
    for alternative, margin, shift in (
        ("less", 0, 0),
        ("greater", 0, 0),
        ("two_sided", 0, 0),
        ("greater", 0.1, 0.1),
        ("less", 0.1, -0.1),
        ("equivalence", 0.5, -math.copysign(0.5, difference)),
    ):
        options = f"alternative={alternative}, margin={margin}, confidence=0.9"
        statistic = (difference + shift) / error
        p_values = {
            "less": t.cdf(statistic),
            "greater": t.sf(statistic),
            "two_sided": 2 * t.sf(abs(statistic)),
        }
        p_values["equivalence"] = p_values["less" if difference >= 0 else "greater"]
        found = of(con, f"partially_overlapping_t_test(a, b, '{options}')", [*rows, (None, None)])
        assert found == {
            "n": len(rows),
            "mean_a": near(np.mean([a for a, _ in rows if a is not None])),
            "mean_b": near(np.mean([b for _, b in rows if b is not None])),
            "mean_difference": near(difference),
            "low": near(difference - half_width),
            "high": near(difference + half_width),
            "statistic": near(statistic),
            "p_value": near(p_values[alternative]),
            "n_a": pairs + lone[0],
            "n_b": pairs + lone[1],
            "n_both": pairs,
        }


@pytest.mark.parametrize("how", ["distinct", "tied", "zeros"])
def test_means_of_the_same_or_of_other_users_have_the_usual_tests(con: duckdb.DuckDBPyConnection, how: str):
    """With all users in common it is the paired test to the last bit, and with none Welch's by SciPy."""
    pairs = sample(random.Random(how), how, 40)
    for options in ("", "alternative=greater, margin=0.1, tolerance=0.01", "lower_bound=-1, upper_bound=1"):
        for rows in (pairs, pairs[:2], pairs[:1], [(0.5, 0.25)] * 3):
            found = of(con, f"partially_overlapping_t_test(a, b, '{options}')", rows)
            paired = of(con, f"paired_comparison(a, b, '{options}')", rows)
            assert found == {name: paired.get(name, len(rows)) for name in found}
    a, b = [a for a, _ in pairs], [b for _, b in pairs[:25]]
    for alternative, theirs in ALTERNATIVES.items():
        wanted = stats.ttest_ind(a, b, equal_var=False, alternative=theirs)
        rows = [*((each, None) for each in a), *((None, each) for each in b)]
        found = of(con, f"partially_overlapping_t_test(a, b, 'alternative={alternative}')", rows)
        assert (found["statistic"], found["p_value"]) == (near(wanted.statistic), near(wanted.pvalue))
    low, high = stats.ttest_ind(a, b, equal_var=False).confidence_interval()
    found = of(con, "partially_overlapping_t_test(a, b)", rows)
    assert (found["low"], found["high"]) == (near(low), near(high))


# Means that are corrected by a judge


def corrected_fields(
    rows: list[Any], difference: float | None = None, weights: Sequence[float] | None = None
) -> dict[str, Any]:
    """The fields of a corrected mean by the reference, with an interval of 90%."""
    given = zip(rows, weights or [1.0] * len(rows), strict=True)
    people = [(human, weight) for (human, _), weight in given if human is not None]
    mean, error, power, n = reference.judge_corrected_mean(rows, weights)
    of_people, alone, *_ = reference.weighted_mean(people)
    half_width = stats.t(n - 2).isf(0.05) * error
    return {
        "n": len(rows),
        "mean": near(mean),
        "low": near(mean - half_width),
        "high": near(mean + half_width),
        "p_value": near(2 * stats.t(n - 2).sf(abs(mean) / error)),
        "mean_human": near(of_people),
        "mean_judge": near(np.mean([judge for _, judge in rows])),
        "judge_weight": near(power),
        "effective_n": near(len(people) * (alone / error) ** 2),
        "users_needed": users_needed(rows, mean if difference is None else difference, 0.05, 0.8, weights),
        "n_human": len(people),
        "n_judge": len(rows),
        "n_both": len(people),
    }


@pytest.mark.parametrize(("both", "judged"), [(3, 0), (3, 50), (30, 970), (40, 1)])
@pytest.mark.parametrize("slope", [1.0, -0.7, 0.0])
def test_means_are_corrected_as_by_the_reference(
    con: duckdb.DuckDBPyConnection, both: int, judged: int, slope: float
):
    chance = random.Random(both + judged)
    people = [chance.random() for _ in range(both)]
    pairs = [(value, 0.3 + slope * value + chance.gauss(0, 0.2)) for value in people]
    rows: list[Any] = [*pairs, *((None, chance.random()) for _ in range(judged))]
    found = of(con, "judge_corrected_mean(a, b, 'confidence=0.9')", chance.sample(rows, len(rows)))
    equal = of(
        con, "weighted_judge_corrected_mean(a, b, 7, 'confidence=0.9')", chance.sample(rows, len(rows))
    )
    assert equal == found
    assert found == corrected_fields(rows)


def of_weighted(con: duckdb.DuckDBPyConnection, options: str, rows: list[Any]) -> Any:
    """The corrected mean over rows of a value by people, one by the judge, and a weight."""
    columns = [list(column) for column in zip(*rows, strict=True)]
    values = ", ".join(f"unnest(${place}::DOUBLE[]) AS {name}" for place, name in enumerate("abw", start=1))
    call = f"weighted_judge_corrected_mean(a, b, w, '{options}')"
    ((found,),) = con.execute(f"SELECT {call} FROM (SELECT {values})", columns).fetchall()
    return found


@pytest.mark.parametrize(("both", "judged"), [(9, 50), (30, 970), (40, 1)])
@pytest.mark.parametrize("slope", [1.0, -0.7, 0.0])
def test_means_are_corrected_with_weights_as_by_the_reference(
    con: duckdb.DuckDBPyConnection, both: int, judged: int, slope: float
):
    chance = random.Random(both + judged)
    people = [chance.random() for _ in range(both)]
    rows: list[Any] = [(value, 0.3 + slope * value + chance.gauss(0, 0.2)) for value in people]
    rows += [(None, chance.random()) for _ in range(judged)]
    weights = [math.exp(chance.gauss(0, 1)) for _ in rows]
    weighted = [(*row, weight) for row, weight in zip(rows, weights, strict=True)]
    found = of_weighted(con, "confidence=0.9, difference=0.3", chance.sample(weighted, len(rows)))
    assert found == corrected_fields(rows, 0.3, weights)
    # A value by people whose weight is 0 or NULL does not count, and that by the judge does.
    mean, *_ = reference.judge_corrected_mean([*rows, (None, 0.25), (None, 0.5)], [*weights, 1, 1])
    found = of_weighted(con, "", [*weighted, (0.9, 0.25, 0), (0.8, 0.5, None)])
    counts = [found[name] for name in ("n", "n_human", "n_judge", "n_both")]
    assert (found["mean"], counts) == (near(mean), [len(rows) + 2, both, len(rows) + 2, both])


@pytest.mark.parametrize(
    "rows",
    [
        # The effective number of users is (3 + 3 + 1)^2 / (9 + 9 + 1) = 2.58.
        [(0.5, 0.1, 3), (0.7, 0.2, 3), (0.2, 0.4, 1), (None, 0.9, 1)],
        # Only the value with a weight of next to nothing differs.
        [(0.1, 0.5, 1e300), (0.2, 0.5, 1e300), (0.3, 0.5, 1e300), (0.4, 0.9, 1e-300), (None, 0.7, 1)],
    ],
)
def test_weights_that_leave_too_little_leave_the_mean_of_people(
    con: duckdb.DuckDBPyConnection, rows: list[Any]
):
    found = of_weighted(con, "lower_bound=0, upper_bound=1", rows)
    people = [(human, weight) for human, _, weight in rows if human is not None]
    alone = of(con, "weighted_mean_ci(a, b, 'lower_bound=0, upper_bound=1')", people)
    assert [found[name] for name in INTERVAL[1:]] == [alone[name] for name in INTERVAL[1:]]
    assert (found["judge_weight"], found["effective_n"]) == (0, len(people))


def test_values_of_a_judge_that_differ_by_rounding_are_equal(con: duckdb.DuckDBPyConnection):
    rows = [(0.1, 0.3), (0.2, 0.1 + 0.2), (0.5, 0.3), (None, 0.7)]
    for call in ("judge_corrected_mean(a, b)", "weighted_judge_corrected_mean(a, b, 1 + a)"):
        found = of(con, call, rows)
        assert (found["mean"], found["judge_weight"]) == (found["mean_human"], 0)


def test_rows_with_weights_that_no_value_by_people_has_change_nothing(con: duckdb.DuckDBPyConnection):
    rows = [(0.1, 0.2), (0.5, 0.3), (0.7, 0.9), (0.8, 0.4), (None, 0.5), (None, 0.6)]
    one, other = (
        of(con, f"weighted_judge_corrected_mean(a, b, if(a IS NULL, {of_judge}, 1 + a))", rows)
        for of_judge in ("NULL", "1e300")
    )
    assert one == other
    assert one["n_judge"] == 6


def test_a_corrected_mean_stays_within_its_bounds(con: duckdb.DuckDBPyConnection):
    rows = [(0.9, 0.1), (1, 0.2), (0.95, 0.15), (None, 0.9), *[(None, 1)] * 3]
    found = of(con, "judge_corrected_mean(a, b, 'lower_bound=0, upper_bound=1')", rows)
    assert (found["mean"], found["high"]) == (1, 1)
    assert of(con, "judge_corrected_mean(a, b)", rows)["mean"] == near(
        reference.judge_corrected_mean(rows)[0]
    )


def users_needed(
    rows: list[Any], difference: float, alpha: float, power: float, weights: Sequence[float] | None = None
) -> int | None:
    """By the definition: the first number of users whose test has the power."""
    _, _, slope, n = reference.judge_corrected_mean(rows, weights)
    given = zip(rows, weights or [1.0] * len(rows), strict=True)
    human, judge, u = np.array([(*row, weight) for row, weight in given if None not in row]).T
    u /= np.mean(u)
    residuals = u * (human - np.average(human, weights=u) - slope * (judge - np.average(judge, weights=u)))
    share = n / len(human)  # of users that the effective number is
    everybody = np.array([judged for _, judged in rows if judged is not None])
    of_judge = slope**2 * np.var(everybody, ddof=1) / len(everybody)
    for users in range(3, len(everybody) + 1):
        shift = abs(difference) / math.sqrt(np.sum(residuals**2) * share / (n - 2) / users + of_judge)
        freedom = users * share - 2
        if freedom < 1:
            continue
        critical = stats.t(freedom).isf(alpha / 2)
        if stats.nct(freedom, shift).sf(critical) + stats.nct(freedom, shift).cdf(-critical) >= power:
            return users
    return None


@pytest.mark.parametrize(
    ("size", "alpha", "power"), [(0.1, 0.05, 0.8), (0.05, 0.01, 0.9), (0.001, 0.05, 0.8)]
)
def test_users_needed_are_those_of_the_definition(
    con: duckdb.DuckDBPyConnection, size: float, alpha: float, power: float
):
    chance = random.Random(8)
    people = [chance.random() for _ in range(40)]
    rows: list[Any] = [(value, value + chance.gauss(0, 0.2)) for value in people]
    rows += [(None, chance.random()) for _ in range(400)]
    options = f"'difference={size}, alpha={alpha}, power={power}'"
    found = of(con, f"judge_corrected_mean(a, b, {options})", rows)
    assert found["users_needed"] == users_needed(rows, size, alpha, power)


@pytest.mark.parametrize(
    "rows",
    [
        [(0.5, 0.1), (0.7, 0.2), (None, 0.9)],  # too few pairs
        [(0.5, 0.1), (0.7, 0.1), (0.2, 0.1), (None, 0.9)],  # a judge without a spread
        [(0.5, 0.1), (0.5, 0.2), (0.5, 0.4), (None, 0.9)],  # people who always say the same
        [(0.5, 0.1), (0.7, 0.2), (0.2, 0.4), (0.9, None), (None, 0.9)],  # a judgement that the judge lacks
        [(0.5, None), (0.7, None)],
    ],
)
def test_a_judge_who_says_nothing_leaves_the_mean_of_people(con: duckdb.DuckDBPyConnection, rows: list[Any]):
    found = of(con, "judge_corrected_mean(a, b, 'lower_bound=0, upper_bound=1')", rows)
    equal = of(con, "weighted_judge_corrected_mean(a, b, 3, 'lower_bound=0, upper_bound=1')", rows)
    assert equal == found
    weighted = of(con, "weighted_judge_corrected_mean(a, b, 1 + a, 'lower_bound=0, upper_bound=1')", rows)
    of_people = of(con, "weighted_mean_ci(a, 1 + a, 'lower_bound=0, upper_bound=1')", rows)
    assert [weighted[name] for name in INTERVAL[1:]] == [of_people[name] for name in INTERVAL[1:]]
    people = [(human, None) for human, _ in rows if human is not None]
    alone = of(con, "mean_ci(a, 'lower_bound=0, upper_bound=1')", people)
    assert [found[name] for name in ("mean", "low", "high")] == [
        alone[name] for name in ("mean", "low", "high")
    ]
    assert (found["judge_weight"], found["effective_n"]) == (0, len(people))
    equal = len({value for value, _ in people}) == 1
    tested = None if equal else near(stats.ttest_1samp([value for value, _ in people], 0).pvalue)
    assert found["p_value"] == tested


def test_a_perfect_judge_is_believed(con: duckdb.DuckDBPyConnection):
    """The error is that of the judge's values alone."""
    chance = random.Random(3)
    judge = [chance.random() for _ in range(500)]
    rows = [(value if place < 20 else None, value) for place, value in enumerate(judge)]
    found = of(con, "judge_corrected_mean(a, b)", rows)
    assert found["mean"] == near(np.mean(judge))
    assert found["high"] - found["mean"] == near(
        stats.t(18).isf(0.025) * np.std(judge, ddof=1) / math.sqrt(500)
    )
    assert of(con, "judge_corrected_mean(a, b)", [(None, 0.5), (None, 0.75)])["mean"] is None


# Ties


@pytest.mark.parametrize("tolerance", [0, 0.01, 0.3])
def test_wins_ties_and_losses_are_those_of_the_reference(con: duckdb.DuckDBPyConnection, tolerance: float):
    chance = random.Random(tolerance)
    for how in ("distinct", "tied", "zeros"):
        pairs = [(10 * a, 10 * b) for a, b in sample(chance, how, 200)]
        found = of(con, f"win_tie_loss(a, b, 'tolerance={tolerance}')", pairs)
        assert found == reference.win_tie_loss(pairs, tolerance)
        assert min(found["wins"], found["losses"]) > 0


@pytest.mark.parametrize("name", ["paired_t_test", "randomization_test"])
def test_pairs_within_the_tolerance_are_equal_to_a_test(con: duckdb.DuckDBPyConnection, name: str):
    """The result is that of the same pairs, in which tied values were made equal before."""
    pairs = [(10 * a, 10 * b) for a, b in sample(random.Random(name), "distinct", 30)]
    equal = [(b if abs(a - b) <= 0.3 * max(1, abs(b)) else a, b) for a, b in pairs]
    assert 3 < sum(a == b for a, b in equal) < 27
    found = of(con, f"{name}(a, b, 'tolerance=0.3')", pairs)
    assert found == of(con, f"{name}(a, b)", equal) != of(con, f"{name}(a, b)", pairs)


def test_sizes_within_the_tolerance_are_equal_to_ranks(con: duckdb.DuckDBPyConnection):
    """The result is that of differences whose tied sizes were made equal before."""
    pairs = sample(random.Random(4), "distinct", 30)
    differences = sorted((a - b for a, b in pairs), key=abs)
    settled, least = [], 0.0
    for each in differences:
        if abs(each) - least > 0.05:
            least = abs(each)
        settled.append((math.copysign(least, each), 0.0))
    assert 5 < len({abs(a) for a, _ in settled}) < 20
    found = of(con, "wilcoxon_signed_rank(a, b, 'tolerance=0.05')", pairs)
    wanted = of(con, "wilcoxon_signed_rank(a, b)", settled)
    assert (found["statistic"], found["p_value"]) == (wanted["statistic"], wanted["p_value"])


# Changes of the input that must not change a bit


@pytest.mark.parametrize("call", CALLS)
def test_threads_and_the_order_of_rows(con: duckdb.DuckDBPyConnection, call: str):
    chance = random.Random(call)
    con.execute(f"""
        CREATE OR REPLACE TEMP TABLE x AS
        SELECT i, i % 3 AS g, hash(i)::DOUBLE / 1e19 AS a,
            hash(i + {chance.randrange(99)})::DOUBLE / 1e19 AS b
        FROM range(150000) AS t(i)
    """)
    found = set()
    for threads in (1, 2, 4):
        con.execute(f"SET threads = {threads}")
        con.execute(f"CREATE OR REPLACE TEMP TABLE x AS FROM x ORDER BY hash(i * {threads})")
        found.add(repr(con.execute(f"SELECT g, {call} FROM x GROUP BY g ORDER BY g").fetchall()))
        found.add(
            repr(con.execute(f"SELECT g, {call} FROM (FROM x ORDER BY i) GROUP BY g ORDER BY g").fetchall())
        )
    assert len(found) == 1


@pytest.mark.parametrize("call", CALLS)
def test_groups_and_missing_values(con: duckdb.DuckDBPyConnection, call: str):
    """A NULL in a pair drops the pair from its group."""
    chance = random.Random(call)
    groups = {number: sample(chance, "distinct", size) for number, size in enumerate([2, 7, 40])}
    rows: list[tuple[int, float | None, float | None]] = [
        (number, *pair) for number, pairs in groups.items() for pair in pairs
    ]
    one_sided = "_ci" in call or call.startswith("concentration")
    rows += [(number, None, 0.5) for number in groups] + [(9, None, None)]
    rows += [] if one_sided else [(number, 0.5, None) for number in groups] + [(9, 0.5, None)]
    chance.shuffle(rows)
    values = ", ".join(
        f"({', '.join('NULL' if cell is None else repr(cell) for cell in row)})" for row in rows
    )
    source = f"(VALUES {values}) AS t(g, x, y)"
    query = f"SELECT g, {call} FROM (SELECT g, x::DOUBLE AS a, y::DOUBLE AS b FROM {source}) GROUP BY g"
    found = dict(con.execute(query).fetchall())
    nothing = found.pop(9)
    assert found == {number: of(con, call, pairs) for number, pairs in groups.items()}
    counts = {"n", "wins", "ties", "losses", "n_a", "n_b", "n_both", "n_human", "n_judge"}
    absent = {name: 0 if name in counts else None for name in nothing}
    assert nothing == of(con, call, []) == absent


@pytest.mark.parametrize("name", ["bootstrap_ci", "randomization_test"])
def test_seeds(con: duckdb.DuckDBPyConnection, name: str):
    pairs = sample(random.Random(name), "tied", 60)
    arguments = "a" if name == "bootstrap_ci" else "a, b"
    seeds = ("seed=7", "SEED = 7", "seed=8", "seed=18446744073709551615")
    found = [of(con, f"{name}({arguments}, '{options}')", pairs) for options in seeds]
    assert found[0] == found[1] != found[2] != found[3] != found[0]
    assert of(con, f"{name}({arguments})", pairs) == of(con, f"{name}({arguments}, '')", pairs)


# Few values, and wrong values


@pytest.mark.parametrize(
    ("call", "pairs", "expected"),
    [
        ("mean_ci(a)", [(0.5, 0)], (1, 0.5, None, None)),
        ("bootstrap_ci(a)", [(0.5, 0)], (1, 0.5, None, None)),
        ("bootstrap_ci(a)", [(0.5, 0)] * 2, (2, 0.5, 0.5, 0.5)),
        ("anytime_mean_ci(a)", [(0.5, 0)], (1, 0.5, None, None)),
        ("anytime_mean_ci(a)", [(0.5, 0)] * 2, (2, 0.5, None, None)),
        ("anytime_mean_ci(a)", [(0.5, 0)] * 20, (20, 0.5, 0.5, 0.5)),
        ("anytime_mean_ci(a, 'lower_bound=0')", [(0.5, 0), (0.7, 0)], (2, 0.6, 0, None)),
        ("paired_t_test(a, b)", [(1, 0.5)], (1, 0.5, None, None, None)),
        # t = 1 with one degree of freedom, which is a Cauchy distribution
        ("paired_t_test(a, b)", [(1, 0), (0, 0)], (2, 0.5, 1.0, 0.5, 0.5**0.5)),
        ("wilcoxon_signed_rank(a, b)", [(1, 0)], (1, 1.0, 0.0, 1.0, None)),
        (
            "wilcoxon_signed_rank(a, b, 'alternative=greater')",
            [(1, 0), (3, 1)],
            (2, 1.5, 3.0, 0.25, 4.5**0.5),
        ),
        ("randomization_test(a, b)", [(1, 0), (3, 1)], (2, 1.5, 1.5, 0.5, 4.5**0.5)),
        ("randomization_test(a, b, 'alternative=less')", [(1, 0), (3, 1)], (2, 1.5, 1.5, 1.0, 4.5**0.5)),
        # With a mean of 0 at most and differences of -1 at least, 2 in 3 differences are 0.5 at most.
        (
            "paired_t_test(a, b, 'alternative=greater, lower_bound=-1, upper_bound=2')",
            [(1, 0.5), (0.5, 0), (0.75, 0.25)],
            (3, 0.5, math.inf, 8 / 27, math.inf),
        ),
        # Differences beyond a bound move it: none is above -0.5 then, and their mean cannot be 0.
        (
            "paired_t_test(a, b, 'alternative=less, lower_bound=-3, upper_bound=-0.75')",
            [(0.5, 1), (0, 0.5), (0.25, 0.75)],
            (3, -0.5, -math.inf, 0.0, -math.inf),
        ),
        # (2/3)^7 is above 0.05, and (2/3)^8 below.
        (
            "paired_t_test_power(a, b, 'alternative=greater, lower_bound=-1, upper_bound=2')",
            [(1, 0.5), (0.5, 0), (0.75, 0.25)],
            (3, 0.5, None, 8.0),
        ),
        # By Student's t, the interval of these is from -0.74 to 1.74.
        ("mean_ci(a, 'lower_bound=0, upper_bound=1')", [(0, 0), (0.5, 0), (1, 0)], (3, 0.5, 0.0, 1.0)),
        # Values beyond the bounds move them.
        ("mean_ci(a, 'lower_bound=0.25, upper_bound=0.75')", [(0, 0), (0.5, 0), (1, 0)], (3, 0.5, 0.0, 1.0)),
        # The third pair ties with the tolerance, and adds a difference of 0. Then t = 2 with two degrees of
        # freedom.
        (
            "paired_t_test(a, b, 'tolerance=0.25')",
            [(1.5, 0), (1.5, 0), (8, 10)],
            (3, 1.0, 2.0, stats.t.sf(2, 2) * 2, 2 / 3**0.5),
        ),
        # Without a spread, a difference needs no power to be found.
        ("paired_t_test_power(a, b)", [(1, 0.5)] * 3, (3, 0.5, None, None)),
        ("paired_t_test_power(a, b)", [(1, 0.5)], (1, 0.5, None, None)),
        ("win_tie_loss(a, b)", [(1, 0), (0, 1), (0, 1), (2, 2), (8, 10)], (5, 1, 1, 3)),
        ("win_tie_loss(a, b, 'tolerance=0.25')", [(1, 0), (0, 1), (0, 1), (2, 2), (8, 10)], (5, 1, 2, 2)),
        ("win_tie_loss(a, b, 'tolerance=1')", [(1, 0), (0, 1), (-1, 0.5), (-4, -2)], (4, 0, 3, 1)),
        ("partially_overlapping_t_test(a, b)", [(0.5, None)], (1, 0.5, *[None] * 6, 1, 0, 0)),
        (
            "partially_overlapping_t_test(a, b)",
            [(0.5, None), (0.25, 0)],
            (2, 0.375, 0, 0.375, *[None] * 4, 2, 1, 1),
        ),
        (
            "partially_overlapping_t_test(a, b)",
            [(0.5, None), (None, 0.25)] * 2,
            (4, 0.5, 0.25, 0.25, *[None] * 4, 2, 2, 0),
        ),
        # One pair has no correlation. The standard error is 2^0.5 / 8, and there is one degree of freedom, so
        # that t has a Cauchy distribution.
        (
            "partially_overlapping_t_test(a, b, 'confidence=0.5')",
            [(0.5, None), (None, 0), (0.25, 0.25)],
            (
                *(3, 0.375, 0.125, 0.25, 0.25 - 2**0.5 / 8, 0.25 + 2**0.5 / 8),
                *(2**0.5, 1 - 2 * math.atan(2**0.5) / math.pi, 2, 2, 1),
            ),
        ),
        ("weighted_mean_ci(a, b)", [(0.5, 2), (0.7, 0), (0.9, None)], (1, 0.5, None, None, 1, 1)),
        # Weights of 3 and 1 say as much as 1.6 equal ones. Then 0.5 is the limit of Clopper and Pearson.
        (
            "weighted_mean_ci(a, b, 'confidence=0.3402460446135529, lower_bound=0, upper_bound=1')",
            [(1, 3), (1, 1)],
            (2, 1, 0.5, 1, 1.25, 1.6),
        ),
        # The first pair ties, so that the means tie, and bounds cut the interval.
        (
            "partially_overlapping_t_test(a, b, 'tolerance=0.25, lower_bound=-0.01, upper_bound=0.01')",
            [(1.25, 1), (0, 0), (0.5, None)],
            (3, 1.75 / 3, 0.5, 0, -0.01, 0.01, 0, 1, 3, 2, 2),
        ),
    ],
)
def test_few_values(con: duckdb.DuckDBPyConnection, call: str, pairs: list[Any], expected: tuple[Any, ...]):
    """The values of the fields, in their order."""
    found = of(con, call, pairs)
    assert tuple(found) == STATISTICS[call.partition("(")[0]][1]
    assert tuple(found.values()) == tuple(map(near, expected))


#: Wrong calls, and the sentences of their errors.
ERRORS = {
    "mean_ci('nan'::DOUBLE)": "x must be finite, got NaN",
    "paired_t_test(1, '-inf'::DOUBLE)": "b must be finite, got -inf",
    "mean_ci(1, 'confidence=2')": "confidence must be a number between 0 and 1, got '2'",
    "mean_ci(1, 'seed=1')": (
        "unknown option 'seed', the options here are confidence, skewness, lower_bound, upper_bound"
    ),
    "mean_ci(1, 'lower_bound=-inf')": "lower_bound must be unset or a number, got '-inf'",
    "bootstrap_ci(1, 'seed=-1')": "seed must be a whole number from 0 to 18446744073709551615, got '-1'",
    "randomization_test(1, 2, 'alternative=up')": (
        "alternative must be two_sided, less, greater or equivalence, got 'up'"
    ),
    "wilcoxon_signed_rank(1, 2, 'alternative=equivalence')": (
        "alternative=equivalence needs a margin: use paired_t_test"
    ),
    "paired_t_test(1, 2, 'margin=0.1')": (
        "margin needs alternative=less, greater or equivalence, got margin=0.1"
    ),
    "paired_t_test(1, 2, 'alternative=equivalence')": (
        "margin must be above 0 with alternative=equivalence, got 0"
    ),
    "paired_t_test_power(1, 2, 'alpha=0.6')": "alpha must be a number from 0.000000001 to 0.5, got '0.6'",
    "paired_t_test_power(1, 2, 'alternative=greater, margin=inf')": (
        "margin must be a finite number that is at least 0, got 'inf'"
    ),
    "paired_t_test_power(1, 2, 'difference=-1')": (
        "difference must be unset or a number, above 0 without a margin, got '-1'"
    ),
    "paired_t_test_power(1, 2, 'power=0.01')": "power must be above alpha, 0.05, got 0.01",
    "partially_overlapping_t_test(NULL, 'inf'::DOUBLE)": "b must be finite, got inf",
    "partially_overlapping_t_test('nan'::DOUBLE, NULL)": "a must be finite, got NaN",
    "mean_ci('a')": "x must be a number, got text",
    "paired_t_test(1, [1])": "b must be a number, got list of integer",
    "mean_ci(1, 3)": "takes no k, got 3",
    "paired_t_test(1e308, -1e308)": "a - b must be finite, got inf",
    "paired_comparison(1e308, -1e308)": "a - b must be finite, got inf",
    "paired_comparison('inf'::DOUBLE, 1)": "a must be finite, got inf",
    "paired_comparison(1, 'nan'::DOUBLE)": "b must be finite, got NaN",
    "mean_ci(x) FROM (VALUES (1e200), (0)) AS t(x)": (
        "the sum of squares must be finite, got numbers from 0.0 to 1e200"
    ),
    "mean_ci(1, 'confidence=1')": "confidence must be a number between 0 and 1, got '1'",
    "mean_ci(1, 'upper_bound=inf')": "upper_bound must be unset or a number, got 'inf'",
    "mean_ci(1, 'lower_bound=1, upper_bound=-1')": ("lower_bound must not be above upper_bound, -1, got 1"),
    "anytime_mean_ci(1, 'narrowest_at=0')": (
        "narrowest_at must be a whole number from 1 to 1000000000, got '0'"
    ),
    "bootstrap_ci(1, 'resamples=0')": "resamples must be a whole number from 1 to 1000000, got '0'",
    "paired_t_test(1, 2, 'margin=-1')": "margin must be a finite number that is at least 0, got '-1'",
    "paired_t_test_power(1, 2, 'alpha=0')": "alpha must be a number from 0.000000001 to 0.5, got '0'",
    "paired_t_test_power(1, 2, 'power=1')": "power must be a number between 0 and 1, got '1'",
    "paired_t_test_power(1, 2, 'power=0.05')": "power must be above alpha, 0.05, got 0.05",
    "paired_t_test_power(1, 2, 'difference=0')": (
        "difference must be unset or a number, above 0 without a margin, got '0'"
    ),
    "paired_t_test(1, 2, 'tolerance=inf')": "tolerance must be a number that is at least 0, got 'inf'",
    "weighted_judge_corrected_mean(1, 2, -1)": "weight must be a finite number that is at least 0, got -1",
    "weighted_judge_corrected_mean(NULL, 2, 'inf'::DOUBLE)": (
        "weight must be a finite number that is at least 0, got inf"
    ),
    "weighted_judge_corrected_mean(NULL, 'nan'::DOUBLE, NULL)": "judge must be finite, got NaN",
    "weighted_mean_ci(1, -1)": "weight must be a finite number that is at least 0, got -1",
    "weighted_mean_ci(NULL, 'nan'::DOUBLE)": "weight must be a finite number that is at least 0, got NaN",
    "weighted_paired_comparison(1, 2, 'inf'::DOUBLE)": (
        "weight must be a finite number that is at least 0, got inf"
    ),
    "weighted_paired_comparison(1e308, -1e308, 1)": "a - b must be finite, got inf",
    "weighted_mean_ci('inf'::DOUBLE, 1)": "x must be finite, got inf",
    "weighted_mean_ci(1, 'a')": "weight must be a number, got text",
    "weighted_mean_ci(x, 1) FROM (VALUES (1e200), (0)) AS t(x)": (
        "the sum of squares must be finite, got numbers from 0.0 to 1e200"
    ),
    "win_tie_loss(1, 2, 'tolerance=-0.1')": "tolerance must be a number that is at least 0, got '-0.1'",
}


@pytest.mark.parametrize("call", ERRORS)
def test_errors(con: duckdb.DuckDBPyConnection, call: str):
    with pytest.raises(duckdb.InvalidInputException) as caught:
        con.execute(f"SELECT {call}")
    assert str(caught.value) == f"Invalid Input Error: {call.partition('(')[0]}: {ERRORS[call]}"
