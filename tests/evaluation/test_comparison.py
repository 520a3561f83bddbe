"""Comparisons of systems: differences, tests, corrections, warnings."""

from __future__ import annotations

import math
import re
import statistics
from pathlib import Path
from typing import Any, get_args

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import stats
from support import reference
from support.systems import RELEVANT, SYSTEMS, USERS, system
from support.two_tables import REC, TRUTH, approx, select

from rankdcg_sql import CallError, DataWarning, Evaluation, compare, evaluate, options
from rankdcg_sql.evaluation._tables import reader as _tables
from rankdcg_sql.evaluation._terms.statistics import CORRECTIONS, Correction


def values(evaluation: Evaluation, metric: str, k: int | None) -> list[float | None]:
    """The values of users, in their order."""
    return [row[3] for row in evaluation.per_user.fetchall() if row[1:3] == (metric, k)]


@pytest.mark.parametrize("interval", ["t", "bootstrap", "anytime"])
@pytest.mark.parametrize("users", [1, 3, 12])
def test_equal_differences_are_judged_by_the_range(users: int, interval: Any):
    """All users gain a hit: of differences of 1 and -1 with the mean 0, all are 1 with probability 2^-n."""
    truth = {user: {"a": 1} for user in range(users)}
    systems = {name: {user: {name: 1} for user in truth} for name in "bac"}
    compared = compare(truth, systems, k=1, metrics=["recall", "dcg"], interval=interval, correction=None)
    kept = "system, metric, difference, low, high, p_value, interval_by"
    share = 0.025 ** (1 / users)
    p_value = None if users == 1 else 2 * 0.5**users
    assert select(compared.differences, kept) == [
        ("a", "recall", 1.0, pytest.approx(2 * share - 1), 1.0, p_value, "range"),
        ("a", "dcg", 1.0, None, None, None, None),
        # Nobody differs, so there is nothing to test; but others might.
        ("c", "recall", 0.0, pytest.approx(share - 1), pytest.approx(1 - share), None, "range"),
        ("c", "dcg", 0.0, None, None, None, None),
    ]
    by = {"t": "Student's t", "bootstrap": "the bootstrap"}.get(interval, "anytime_mean_ci")
    assert compared.notes()[-2:] == [
        "all differences of recall@1 of a from b, recall@1 of c from b are equal: the interval is from the "
        f"range -1 to 1, not by {by}",
        "all differences of dcg@1 of a from b, dcg@1 of c from b are equal, and no range bounds them: there "
        "is no interval",
    ]


@pytest.mark.parametrize("users", [58, 59])
def test_few_users_who_do_not_differ_are_not_shown_to_be_equivalent(users: int):
    """A share of 0.95 without a difference and the rest at -1 have the mean -0.05: 0.95^n below 0.05."""
    same = {user: {"a": 1} for user in range(users)}
    recs = {"b": same, "a": same}
    compared = compare(same, recs, k=1, metrics="recall", alternative="equivalence", margin=0.05)
    assert select(compared.differences, "p_value") == [(pytest.approx(0.95**users),)]


TESTS: dict[str, Any] = {
    "t": lambda a, b, alternative: stats.ttest_rel(a, b, alternative=alternative),
    # Differences that are equal but for rounding have one rank.
    "wilcoxon": lambda a, b, alternative: stats.wilcoxon(
        np.round(np.subtract(a, b), 9), alternative=alternative, correction=False
    ),
}


@pytest.mark.parametrize("alternative", ["two_sided", "less", "greater"])
@pytest.mark.parametrize("test", TESTS)
def test_differences_are_those_of_scipy(test: Any, alternative: Any):
    compared = compare(
        RELEVANT, SYSTEMS, k=[2, 5], metrics=["ndcg", "recall"], test=test, alternative=alternative,
        confidence=0.9,
    )  # fmt: skip
    found = compared.differences
    rows = [dict(zip(found.columns, row, strict=True)) for row in found.fetchall()]
    measures = [(metric, k) for metric in ("ndcg", "recall") for k in (2, 5)]
    assert [(row["system"], row["against"], row["metric"], row["k"]) for row in rows] == [
        (name, "plain", *measure) for name in ("good", "same") for measure in measures
    ]
    for row in rows:
        name, measure = row["system"], (row["metric"], row["k"])
        a, b = values(compared.evaluations[name], *measure), values(compared.evaluations["plain"], *measure)
        assert a == values(evaluate(RELEVANT, SYSTEMS[name], k=[2, 5]), *measure)
        less = np.subtract(a, b)
        low, high = stats.ttest_1samp(less, 0).confidence_interval(0.9)
        won, lost = (sum(math.copysign(1, sign) * each > 0 for each in less) for sign in (1, -1))
        assert row == row | {
            "n": USERS, "mean": approx(np.mean(a)), "baseline": approx(np.mean(b)),
            "difference": approx(less.mean()), "low": approx(low), "high": approx(high), "interval_by": "t",
            "effect_size": approx(less.mean() / statistics.stdev(less)),
            "p_value": approx(TESTS[test](a, b, alternative.replace("_", "-")).pvalue),
            "wins": won, "ties": USERS - won - lost, "losses": lost,
        }  # fmt: skip


@pytest.mark.parametrize(
    ("odd", "argument", "message"),
    [
        ({"userid": [USERS, USERS + 1]}, None,
         "no user of odd is one of truth, where they are such as 0, 1, 2, and in odd 40, 41"),
        ({"score": [math.nan] * 2}, None, "no row of odd has a user and a score that is a number"),
        ({"score": ["1", "x"]}, "score", "score of odd must be a number, got texts such as 'x'"),
        ({"userid": ["0", "1"]}, None,
         "userid of truth is BIGINT, userid of odd is VARCHAR, and they cannot be compared: cast userid "
         "of truth to VARCHAR, in a data frame before the call, or with a query in place of the table: "
         'SELECT * REPLACE ("userid"::VARCHAR AS "userid") FROM ...'),
        ({"userid": [], "itemid": [], "score": []}, "recs", "odd has no rows"),
    ],
)  # fmt: skip
def test_errors_name_the_system(odd: dict[str, Any], argument: str | None, message: str):
    table = {"userid": [0, 1], "itemid": RELEVANT["itemid"][:2], "score": [2, 1], **odd}
    with pytest.raises(CallError, match=f"^{re.escape(f'compare: {message}')}$") as error:
        compare(RELEVANT, {"plain": SYSTEMS["plain"], "odd": table}, k=2)
    assert error.value.argument == argument


def test_a_warning_about_items_names_the_system():
    items = sorted({*RELEVANT["itemid"]})[:3]
    odd = {"userid": [0, 1], "itemid": [-1, -2], "score": [2, 1]}
    with pytest.warns(DataWarning, match="no item of") as met:
        compare(RELEVANT, {"plain": SYSTEMS["plain"], "odd": odd}, k=2, metrics="ndcg")
    assert [str(each.message) for each in met] == [
        "compare: no item of odd is one of truth, where they are such as "
        f"{', '.join(map(str, items))}, and in odd -2, -1"
    ]


@pytest.mark.parametrize("column", ["low", "high", "p_value"])
def test_each_random_number_repeats_with_its_seed(column: str):
    def found(seed: int) -> Any:
        compared = compare(
            RELEVANT, SYSTEMS, k=5, metrics="ndcg", test="randomization", interval="bootstrap",
            resamples=200, seed=seed,
        )  # fmt: skip
        return select(compared.differences, column)

    assert found(1) == found(1) != found(2)


@pytest.mark.parametrize("confidence", [0.95, 0.5])
def test_bootstrap_intervals_of_differences_are_nearly_those_of_student(confidence: float):
    recs = {name: SYSTEMS[name] for name in ("plain", "good")}
    compared = compare(
        RELEVANT, recs, k=5, metrics=["ndcg", "recall"], interval="bootstrap", confidence=confidence
    )
    for metric, low, high, kind in select(compared.differences, "metric, low, high, interval_by"):
        plain, good = (values(each, metric, 5) for each in compared.evaluations.values())
        less = [b - a for a, b in zip(plain, good, strict=True)]  # type: ignore[operator]
        interval = stats.ttest_1samp(less, 0).confidence_interval(confidence)
        width = interval.high - interval.low
        assert (low, high) == pytest.approx((*interval,), abs=0.15 * width)
        assert (kind, low > 0) == ("bootstrap", True)


def test_marks_beside_anytime_intervals_are_said_to_be_of_one_look():
    recs = {name: SYSTEMS[name] for name in ("plain", "good")}
    found = {kind: compare(RELEVANT, recs, k=5, interval=kind) for kind in ("t", "anytime")}
    note = "marks, p-values and requirements are of a single look: at any time, intervals alone hold"
    assert {kind: note in repr(each) for kind, each in found.items()} == {"t": False, "anytime": True}


def test_anytime_intervals_of_means_and_differences_are_those_of_the_reference():
    recs = {name: SYSTEMS[name] for name in ("plain", "good")}
    compared = compare(RELEVANT, recs, k=5, metrics="ndcg", interval="anytime", confidence=0.9)
    variance = (math.log(1 - 2 * math.log(0.1)) - 2 * math.log(0.1)) / 100
    plain, good = (np.array(values(each, "ndcg", 5)) for each in compared.evaluations.values())
    for sample, found in ((good - plain, compared.differences), (good, compared.evaluations["good"].summary)):
        ((low, high, kind),) = select(found, "low, high, interval_by")
        assert kind == "anytime"
        for end in (low, high):
            t = stats.ttest_1samp(sample, end).statistic
            factor = reference.bayes_factor_of_t(t, len(sample), variance)
            assert factor == pytest.approx(1 / 0.1, rel=1e-6)


@pytest.mark.parametrize("correction", get_args(Correction))
def test_corrections(correction: Any):
    def p_values(correction: Any, column: str) -> list[float]:
        compared = compare(RELEVANT, SYSTEMS, k=[1, 2, 3, 5], correction=correction)
        assert compared.correction == (None if correction == "none" else correction)
        found = compared.differences.filter("p_value IS NOT NULL").project(column)
        return [p for (p,) in found.fetchall()]

    plain = p_values(None, "p_value")
    assert len({*plain}) > 20
    assert p_values(None, "p_corrected") == p_values("none", "p_corrected") == plain
    assert p_values(correction, "p_corrected") == approx(reference.corrected_p_values(plain, correction))


@pytest.mark.parametrize(
    ("test", "users", "is_noted"), [("wilcoxon", 1001, True), ("wilcoxon", 1000, False), ("t", 1001, False)]
)
def test_a_test_of_ranks_for_many_users_has_a_note(
    test: Any, users: int, is_noted: bool, recwarn: pytest.WarningsRecorder
):
    truth = {user: {"a": 1} for user in range(users)}
    recs = {
        name: {user: {"ab"[user % modulus == 0]: 1} for user in truth}
        for name, modulus in (("old", 2), ("new", 3))
    }
    compared = compare(truth, recs, k=1, metrics="mrr", test=test)
    assert ("Wilcoxon's test of 1,001 users" in repr(compared)) == is_noted
    assert not recwarn.list


@pytest.mark.parametrize(("alternative", "sides"), [("greater", 1), ("less", -1), ("equivalence", 0)])
def test_margins(alternative: Any, sides: int):
    """Both one-sided tests by SciPy; that of equivalence has the larger p-value of the two."""
    recs = {name: SYSTEMS[name] for name in ("plain", "good")}
    compared = compare(RELEVANT, recs, k=5, metrics="ndcg", alternative=alternative, margin=0.4)
    plain, good = (values(each, "ndcg", 5) for each in compared.evaluations.values())
    differences = [b - a for a, b in zip(plain, good, strict=True)]  # type: ignore[operator]
    greater = stats.ttest_1samp(differences, -0.4, alternative="greater").pvalue
    less = stats.ttest_1samp(differences, 0.4, alternative="less").pvalue
    expected = {1: greater, -1: less, 0: max(greater, less)}[sides]
    assert select(compared.differences, "p_value") == [(approx(expected),)]
    assert f"paired t test, alternative={alternative}, margin=0.4, Holm" in repr(compared)
    tests = {0: "two one-sided tests"}.get(sides, "one-sided")
    told = f"The test is {tests}, at alpha 0.05; the intervals are two-sided, with 95% confidence."
    assert compared.to_markdown(details=True).endswith(f"\n\n{told}")
    assert compared.render("csv", details=True) == compared.render("csv")


def test_the_corrections_are_those_of_the_catalogue():
    (option,) = (option for option in options() if option.name == "correction")
    assert get_args(Correction) == option.values
    assert CORRECTIONS.keys() == {None, *option.values}


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({}, "paired t test, Holm's correction"),
        ({"test": "wilcoxon", "correction": "bonferroni"},
         "Wilcoxon's signed-rank test, Bonferroni's correction"),
        ({"test": "randomization", "correction": "benjamini_hochberg"},
         "Fisher's randomization test, Benjamini and Hochberg's correction"),
        ({"correction": None}, "paired t test, not corrected"),
    ],
)  # fmt: skip
def test_a_headline_names_the_test_and_the_correction(given: dict[str, Any], words: str):
    found = compare(RELEVANT, SYSTEMS, k=2, metrics="ndcg", **given)
    assert repr(found).startswith(f"Comparison with plain: {words}\n")


def test_without_differences_there_is_no_p_value():
    recs = {"a": SYSTEMS["good"], "b": SYSTEMS["good"]}
    compared = compare(RELEVANT, recs, k=5, metrics=["ndcg", "recall"])
    found = select(compared.differences, "difference, p_value, p_corrected, wins, ties, losses")
    assert found == [(0.0, None, None, 0, USERS, 0)] * 2


@pytest.mark.parametrize("correction", get_args(Correction))
def test_only_tests_that_have_a_p_value_count(correction: Any):
    """A system that equals the baseline has no differences, and no p-value."""
    recs = {"plain": SYSTEMS["plain"], "again": SYSTEMS["plain"], "good": SYSTEMS["good"]}
    compared = compare(RELEVANT, recs, k=5, metrics="ndcg", correction=correction)
    again, (p, corrected_p) = select(compared.differences, "p_value, p_corrected")
    assert again == (None, None)
    assert 0 < p == corrected_p < 0.5


def test_intervals_hold_their_difference_where_options_lead_out_of_the_range():
    """With idcg=k and a gain of 2, a hit has NDCG 2. A miss then differs by -2, beyond the range."""
    recs = {item: {1: {item: 1}, 2: {item: 1}} for item in "ab"}
    with pytest.warns(DataWarning):
        compared = compare({1: {"a": 2}, 2: {"a": 2}}, recs, k=1, metrics="ndcg", idcg="k", gain="linear")
    assert select(compared.differences, "difference, low, high") == [
        (-2.0, -2.0, pytest.approx(1 - 3 * math.sqrt(0.025)))
    ]


@pytest.mark.parametrize("test", ["t", "wilcoxon", "randomization"])
def test_differences_in_the_last_bits_count_as_ties(test: Any):
    """Expected values over the orders of ties are sums, which may differ in the last bits."""
    recs = {
        name: {user: dict(enumerate(scores)) for user in range(20)}
        for name, scores in {"a": (2, 1, 1, 0, 1), "b": (0, 0, 1, 0, 1)}.items()
    }
    # Large values differ by more, in the same bits.
    for metric, rel in (("precision", 1.0), ("cg", 1e9)):
        truth = {user: {0: rel, 2: rel, 4: rel} for user in range(20)}
        compared = compare(truth, recs, k=3, metrics=metric, test=test)
        assert compared.evaluations["a"].wide.fetchall() != compared.evaluations["b"].wide.fetchall()
        found = select(compared.differences, "difference, coalesce(p_value, 1), wins, ties, losses")
        assert found == [(0.0, 1.0, 0, 20, 0)]


def test_summary_is_that_of_each_system():
    given: dict[str, Any] = {"k": [5, None], "metrics": ["ndcg", "r_precision"]}
    compared = compare(RELEVANT, SYSTEMS, baseline="same", **given)
    alone = {name: evaluate(RELEVANT, rec, **given) for name, rec in SYSTEMS.items()}
    assert compared.baseline == "same"
    assert compared.counts == {name: each.counts for name, each in alone.items()}
    with pytest.raises(ValueError, match=r"^render: output must be 'table' or 'csv' or .*, got 'xml'$"):
        compared.render("xml")  # type: ignore[arg-type]
    expected = [(name, *row) for name, each in alone.items() for row in each.summary.fetchall()]
    assert compared.summary.fetchall() == expected
    assert len({row[5:7] for row in expected}) == 3 * 3
    assert compared.per_user.columns == ["system", "userid", "metric", "k", "value"]
    assert compared.per_user.aggregate("count(*)").fetchall() == [(3 * USERS * 3,)]
    assert compared.wide.columns == ["system", "userid", "ndcg@5", "ndcg", "r_precision"]
    assert {row[0] for row in compared.differences.fetchall()} == {"plain", "good"}


def test_users_of_both():
    recs = {"a": REC, "b": {**REC, "userid": [3, 3, 3, 2, 2]}}
    for baseline in recs:
        compared = compare(TRUTH, recs, baseline, k=2, metrics="hit_rate", users="both")
        columns = "n, mean, baseline, without_value"
        assert select(compared.differences, columns) == [(1, 1.0, 1.0, 0)]
    everyone = compare(TRUTH, recs, k=2, metrics="hit_rate")
    assert select(everyone.differences, "n, wins, losses") == [(3, 0, 1)]


def test_users_without_a_value_for_one_are_left_out():
    """Only user 2 has a value in both: user 1 has none in the system, user 3 none in the baseline."""
    hit, one, other = {"a": 1}, {"a": 2, "b": 1}, {"b": 2, "a": 1}
    recs = {"base": {1: other, 2: one, 3: hit}, "mine": {1: hit, 2: other, 3: one}}
    compared = compare({1: hit, 2: hit, 3: hit}, recs, k=2, metrics="auc", one_class="null")
    assert [values(each, "auc", 2) for each in compared.evaluations.values()] == [[0, 1, None], [None, 0, 1]]
    columns = "n, mean, baseline, difference, wins, ties, losses, without_value"
    assert select(compared.differences, columns) == [(1, 0.0, 1.0, -1.0, 0, 0, 1, 2)]


# Lists of different length

LONGER = {"long": SYSTEMS["plain"], "short": system(2, 1.5, length=3)}


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"k": 5, "metrics": ["precision", "ndcg"]}, r"precision \(precision_denominator=retrieved\)$"),
        ({"k": [3, None], "metrics": ["f1", "auc"]}, r"f1 \(.*\), auc \(auc_pairs=retrieved\)$"),
        ({"k": 5, "metrics": "ndcg", "idcg": "retrieved"}, r"ndcg \(idcg=retrieved\)$"),
        ({"k": 5, "metrics": "ndcg", "convention": "hivemall_java"}, r"ndcg \(idcg=retrieved\)$"),
        ({"k": 5, "metrics": "ndcg", "convention": " Hivemall_Java"}, r"ndcg \(idcg=retrieved\)$"),
        ({"k": 5, "metrics": "average_precision", "convention": "lenskit"}, "=min_truth_retrieved"),
    ],
)  # fmt: skip
def test_lists_of_different_length(arguments: dict[str, Any], told: str):
    message = f"^compare: short and long have lists of different length for {USERS} users, .*{told}"
    with pytest.warns(DataWarning, match=message) as met:
        compare(RELEVANT, LONGER, **arguments)
    assert met[0].filename == __file__


@pytest.mark.parametrize(
    "arguments",
    [
        {"k": 3},
        {"k": 5, "metrics": ["ndcg", "recall", "average_precision"]},
        {"k": 5, "metrics": "precision", "precision_denominator": "k"},
        {"k": 5, "metrics": "precision", "convention": "trec_eval"},
    ],
)
def test_lists_whose_length_does_not_matter(arguments: dict[str, Any], recwarn: pytest.WarningsRecorder):
    compare(RELEVANT, LONGER, **arguments)
    assert not recwarn.list


def test_rankdcg_of_lists_of_different_length_warns_unless_unjudged_items_are_left_out(
    recwarn: pytest.WarningsRecorder,
):
    """Both systems rank the judged items in the worst order. One adds an unjudged item."""
    truth = {1: {"a": 2, "b": 1}, 2: {"a": 2, "b": 1}}
    short = {1: {"b": 3, "a": 2}, 2: {"b": 3, "a": 2}}
    recs = {"short": short, "longer": {**short, 1: {"b": 3, "a": 2, "z": 1}}}
    told = (
        r"^compare: longer and short have lists of different length for 1 user, and each retrieved item "
        r"without a judgement has a place in the order: rankdcg \(unjudged=zero\)$"
    )
    with pytest.warns(DataWarning, match=told) as met:
        compared = compare(truth, recs, k=1, metrics=["ndcg", "rankdcg"])
    assert len(met) == 1
    # Levels 2, 1, 0 gain 3, 2, 1. DCG' of b, a, z is 2 + 3/2 + 1/3, at best 3 + 2/2 + 1/3, at worst
    # 1 + 2/2 + 3/3.
    expected = {"short": [0.0, 0.0], "longer": [pytest.approx((3 + 5 / 6 - 3) / (4 + 1 / 3 - 3)), 0.0]}
    assert {name: values(each, "rankdcg", None) for name, each in compared.evaluations.items()} == expected
    compare(truth, recs, k=1, metrics=["ndcg", "rankdcg"], unjudged="skip")
    assert not recwarn.list


@pytest.mark.parametrize("baseline", ["all", "fewer"])
def test_users_whom_one_system_does_not_serve_have_no_lists_of_different_length(
    baseline: str, recwarn: pytest.WarningsRecorder
):
    fewer = {name: column[6:] for name, column in SYSTEMS["good"].items()}
    recs = {"all": SYSTEMS["plain"], "fewer": fewer}
    compared = compare(RELEVANT, recs, baseline, k=5, metrics="precision")
    assert compared.evaluations["fewer"].counts.users_without_rec == 1
    assert not recwarn.list


# Tables, and what is wrong


def test_names_of_systems_are_no_html():
    recs = {"pop|ular": SYSTEMS["plain"], "m<i>ne": SYSTEMS["good"]}
    compared = compare(RELEVANT, recs, k=5, metrics="ndcg")
    assert repr(compared).startswith("Comparison with pop|ular: paired t test, Holm's correction")
    assert "m<i>ne" not in compared.to_html() + compared._repr_html_()
    assert compared.to_latex().startswith(r"\begin{table}")


def test_tables_are_read_once():
    """A stream can be read only once, but every system needs the truth."""
    recs = {name: duckdb.from_arrow(pa.table(rec)) for name, rec in SYSTEMS.items()}
    compared = compare(pa.table(RELEVANT).to_reader(), recs, k=5, metrics="ndcg")
    expected = compare(RELEVANT, SYSTEMS, k=5, metrics="ndcg").differences
    assert compared.differences.fetchall() == expected.fetchall()


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"recs": {"a": REC}}, TypeError, "recs must be a dict of two or more systems by .*, got 1$"),
        ({"recs": [REC, REC]}, TypeError, "recs must be a dict of two or more systems .*, got list$"),
        ({"recs": {1: REC, 2: REC}}, TypeError, "recs must be a dict of two .*, got names such as 1$"),
        ({"recs": REC}, TypeError, "recs must be a dict of two .*, this looks like one table$"),
        ({"recs": {"UserID": REC, "b": REC}}, TypeError, ".*, this looks like one table$"),
        ({"recs": {"UID": REC, "b": REC}, "rec_user": "uid"}, TypeError, ".*, this looks like one table$"),
        ({"recs": {"a": REC, "\udc80": REC}}, ValueError, "recs must be text in UTF-8, got "),
        ({"baseline": "c"}, ValueError, "baseline must be 'a' or 'b' or 'all', got 'c'"),
        ({"baseline": pl.DataFrame(REC)}, ValueError, "baseline must be 'a' or .*, got a DataFrame$"),
        ({"baseline": pd.DataFrame(REC)}, ValueError, "baseline must be 'a' or .*, got a DataFrame$"),
        ({"recs": [pd.DataFrame(REC)] * 2}, TypeError, "recs must be a dict of two or more .*, got list$"),
        ({"test": "z"}, ValueError, "test must be 't' or .* or 'tukey_hsd', got 'z'"),
        ({"correction": "fdr"}, ValueError,
         "correction must be 'holm' or 'bonferroni' or 'benjamini_hochberg' or 'none' or None"),
        ({"alternative": "both"}, ValueError, "alternative must be 'two_sided' or 'less' or 'greater' or"),
        ({"margin": -1, "alternative": "less"}, ValueError, "margin must be a finite number that is"),
        ({"margin": True}, TypeError, "margin must be a number that is at least 0, got True$"),
        ({"margin": "0.1"}, TypeError, "margin must be a number that is at least 0, got '0.1'$"),
        ({"margin": 0.1}, ValueError, "margin needs alternative=less, greater or equivalence"),
        ({"alternative": "equivalence"}, ValueError, "margin must be above 0 with alternative=equivalence"),
        ({"alternative": "equivalence", "margin": 0.1, "test": "wilcoxon"}, ValueError,
         "margin and the alternative of equivalence need test='t', got 'wilcoxon'"),
        ({"recs": {"a": REC, "b": TRUTH}}, ValueError, "b has no column 'score'"),
        ({"recs": {"a": REC, "b": "no.csv"}}, FileNotFoundError, r"b \(no.csv\): there is no such file"),
        ({"resamples": 9}, ValueError, "resamples is for .*'randomization' or test='tukey_hsd', got 9"),
        ({"seed": 3}, ValueError, "seed is for random numbers, which are drawn with interval='bootstrap', "
         "test='randomization' or test='tukey_hsd', got 3$"),
        ({"test": "tukey_hsd"}, ValueError, "test='tukey_hsd' needs baseline='all', got 'a'"),
        ({"test": "tukey_hsd", "baseline": "all", "recs": {"a": REC, "all": REC}}, ValueError,
         "test='tukey_hsd' needs baseline='all', got the system 'all'"),
        ({"test": "tukey_hsd", "baseline": "all", "alternative": "less"}, ValueError,
         "test='tukey_hsd' needs alternative='two_sided', got 'less'"),
        ({"baseline": "all", "alternative": "greater"}, ValueError,
         "baseline='all' needs alternative='two_sided' or alternative='equivalence', got 'greater'"),
        ({"baseline": "all", "alternative": "less", "margin": 0.1}, ValueError,
         "baseline='all' needs alternative='two_sided' or alternative='equivalence', got 'less'"),
        ({"test": "tukey_hsd", "baseline": "all", "correction": "benjamini_hochberg"}, ValueError,
         "test='tukey_hsd' bounds the probability of any false discovery, and needs "
         "correction='bonferroni' or correction='none', got 'benjamini_hochberg'"),
        ({"test": "tukey_hsd", "baseline": "all", "margin": 0.1}, ValueError,
         "margin and the alternative of equivalence need test='t', got 'tukey_hsd'"),
        ({"k": 0}, ValueError, "k must be at least 1, got 0"),
        ({"by": "s"}, ValueError, "truth has no column 's', but userid, itemid; name the right one"),
        ({"by": "score"}, ValueError, "truth lacks a column of score, and the segments of a user.* give a "
         "table of users with seg"),
        ({"unit": 3}, TypeError, "unit must be a word .*, got 3"),
        ({"gian": "linear"}, TypeError, "there is no option 'gian': did you mean gain"),
    ],
)  # fmt: skip
def test_wrong_input(arguments: dict[str, Any], error: type[Exception], message: str):
    with pytest.raises(error, match=f"^compare: {message}"):
        compare(**{"truth": TRUTH, "recs": {"a": REC, "b": REC}, **arguments})


@pytest.mark.parametrize("row_bytes", [96, 1 << 40])
def test_files_of_truth_are_read_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ran: list[tuple[str, str]], row_bytes: int
):
    """Unless a copy in memory would be too large: then each system reads them again, with the same result."""
    path = str(tmp_path / "truth.parquet")
    duckdb.from_arrow(pa.table({**RELEVANT, "more": RELEVANT["itemid"]})).write_parquet(path)
    monkeypatch.setattr(_tables, "_ROW_BYTES", row_bytes)
    compared = compare(path, SYSTEMS, k=3, metrics="ndcg")
    copies = [statement for _, statement in ran if "_kept AS SELECT" in statement]
    assert len(copies) == (row_bytes == 96)
    assert not any("more" in copy for copy in copies)
    expected = compare(RELEVANT, SYSTEMS, k=3, metrics="ndcg").differences
    assert compared.differences.fetchall() == expected.fetchall()
