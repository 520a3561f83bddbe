"""Reports: their contents, their independence of other files, and their layout in a browser."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timezone
from html import unescape
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb
import pytest
from support import browser
from support import invented_results as results
from support.invented_changes import change
from support.invented_results import one_item_each as by_plan
from support.pages import Reader, decision, pairs, table
from support.results_from_values import between, corrected, of_values

import rankdcg_sql
from rankdcg_sql import Comparison, Evaluation
from rankdcg_sql.report import report
from rankdcg_sql.report._parts import p_value_text

if TYPE_CHECKING:
    from support.pages import Writer


HOSTILE = "<script>alert('x')</script> & \"co\" --> </svg>"
PAGES: dict[str, Callable[[], Any]] = {
    "evaluation": results.evaluation,
    "segments": lambda: results.evaluation(by=("country", "<b>age</b>")),
    "comparison": results.comparison,
    "many": lambda: results.comparison(
        100, systems={f"system {n}": n / 20 for n in range(6)}, metrics=["ndcg", "mrr"]
    ),
    "hostile": lambda: results.comparison(
        100, systems={HOSTILE: 0.2, "_$a$": 0.3, "x" * 80: 0.25}, metrics=["ndcg"]
    ),
    # If all relevances are equal, rankDCG is not defined.
    "undefined": lambda: results.comparison(rel=None, metrics=["ndcg", "rankdcg"]),
    "change": change,
    "judge": corrected,
    "judge of one": lambda: corrected(("only",), by="<b>plan</b>"),
    "hostile judge": lambda: corrected((HOSTILE, "_$a$", "x" * 80), by="plan", baseline="all"),
    "one user": lambda: results.evaluation(users=1),
    "other statistics": lambda: results.comparison(
        60, k=None, metrics=["ndcg"], interval="bootstrap",
        test="wilcoxon", alternative="greater", correction=None,
    ),
}  # fmt: skip
#: One item for each of three users, whose relevances are 4, 2 and 2.
THREE: dict[str, list[Any]] = {"userid": [1, 2, 3], "itemid": ["a"] * 3, "rel": [4, 2, 2]}
ONE_EACH = {"userid": [1, 2, 3], "itemid": ["a"] * 3, "score": [1] * 3}


#: The plans of fifty users, and the only item of each from the old and the new system: all users of plan a
#: gain, and nine of ten users of plan b lose.
PLANS = "a" * 40 + "b" * 10
GAINS_AND_LOSSES = [9] * 40 + [1] * 10, [1] * 40 + [9] * 9 + [1]


class Pages(dict[str, str]):
    """The pages, each written when it is first asked for."""

    def __missing__(self, name: str) -> str:
        return self.setdefault(name, report(PAGES[name]()))


@pytest.fixture(scope="module")
def evaluation() -> Evaluation:
    return results.evaluation()


@pytest.fixture(scope="module")
def comparison() -> Comparison:
    return results.comparison()


@pytest.fixture(scope="module")
def pages() -> dict[str, str]:
    return Pages()


@pytest.fixture(params=PAGES)
def page(request: pytest.FixtureRequest, pages: dict[str, str]) -> str:
    return pages[request.param]


# Contents


def test_a_prompt_shows_the_size_of_a_page_and_not_its_text(written: Writer) -> None:
    page = written(results.evaluation())
    assert page.startswith("<!doctype html>")
    assert repr(page) == f"<HTML page of {len(page):,} characters>"


def test_evaluation_has_the_summary(evaluation: Evaluation, pages: dict[str, str]) -> None:
    expected = evaluation.summary.project(
        "metric || coalesce('@' || k, ''), printf('%.4f', mean), printf('%.4f to %.4f', low, high)"
    )
    rows = table(pages["evaluation"], "metric", "mean")
    assert [tuple(row.values()) for row in rows] == expected.fetchall()
    # All means are over the same users, whose number the caption gives.
    assert "Means over 500 users with their intervals" in pages["evaluation"]


@pytest.mark.parametrize("name", ["evaluation", "segments"])
def test_an_evaluation_begins_with_its_main_means(name: str, pages: dict[str, str]) -> None:
    """Each metric is at its last k, over all users."""
    found = PAGES[name]().summary.filter("all_users" if name == "segments" else "true")
    tiles = found.filter("k IS NULL OR k = 10").project(
        "metric || coalesce('@' || k, ''), printf('%.4f', mean), "
        "printf('95%% interval %.4f to %.4f', low, high)"
    )
    assert re.findall("<dt>(.*)</dt><dd>(.*)</dd><dd>(.*)</dd>", pages[name]) == tiles.fetchall()
    assert "<p>precision, ndcg, rankdcg at k = 5, 10, over 500 users.</p>" in pages[name]
    segments = " by country, &lt;b&gt;age&lt;/b&gt;" * (name == "segments")
    captions = re.findall("<figcaption>(.*)</figcaption>", pages[name])
    assert captions == [
        *([f"Means of precision@10{segments}, with 95% intervals"] if segments else []),
        f"Means{segments} with 95% intervals",
        *(
            f"How the users&#x27; values of {measure} are distributed; those that are exactly 0 stand apart"
            for measure in ("precision@10", "ndcg@10", "rankdcg")
        ),
    ]
    # The distribution of the first metric is open, and those of the others are folded.
    folded = re.findall("<details><summary>(.*)</summary>\n<figure>", pages[name])
    assert folded == ["ndcg@10", "rankdcg"]


def test_segments_have_columns_of_their_own(pages: dict[str, str]) -> None:
    rows = table(pages["segments"], "country", "<b>age</b>", "metric")
    assert [(row["country"], row["<b>age</b>"]) for row in rows[::5]] == [
        *((country, age) for country in "01" for age in "012"),
        ("all users", ""),
    ]


def test_segments_are_names_also_where_they_are_numbers(written: Writer) -> None:
    truth = {"userid": [1, 2], "itemid": [1, 1], "year": [2024, None]}
    rec = {"userid": [1], "itemid": [1], "score": [0.5]}
    page = written(rankdcg_sql.evaluate(truth, rec, by="year", k=5, metrics="ndcg"))
    assert {row["year"] for row in table(page, "year", "metric")} == {"2024", "\N{EN DASH}", "all users"}


def test_a_comparison_by_segment_has_the_differences_of_each(written: Writer) -> None:
    page = written(by_plan("xyy" * 4, [1, 9, 9] * 4, [1, 1, 9, 1, 1, 1] * 2, "precision", by="plan"))
    assert "<h2>Differences of new from old</h2>" in page
    rows = table(page, "plan", "metric")
    assert [(row["plan"], row["users"], row["difference"][:7]) for row in rows] == [
        ("x", "4", "+0.0000"),
        ("y", "8", "+0.7500"),
        ("all users", "12", "+0.5000"),
    ]
    # The decision and the means are about all users.
    (sentence,) = decision(page)
    assert sentence.startswith(
        "new is better than old: precision@1 0.8333 against 0.3333, +0.5000 or +150.0% ("
    )
    (means,) = table(page, "metric", "old (baseline)", "new")
    assert (means["old (baseline)"][:6], means["new"][:6]) == ("0.3333", "0.8333")
    # All users of x have the same values from both systems.
    assert (
        "<li>all differences of precision@1 in plan=x of new from old are equal: the interval is from the "
        "range -1 to 1, not by Student&#x27;s t</li>"
    ) in page
    assert [row["verdict"] for row in rows] == ["no test", "▲ better", "▲ better"]
    assert "p-values of 2 tests" in page
    inputs = pairs(page, "name", "value")
    assert inputs["metrics and k"] == "precision@1"
    assert inputs["by"] == "plan"
    assert inputs["test"] == "paired t test, two-sided"
    assert inputs["correction"] == "Holm's correction"


def test_comparison_marks_the_highest_means(comparison: Comparison, pages: dict[str, str]) -> None:
    means = comparison.summary.project("metric, k, mean").fetchall()
    best = [max(mean for *of, mean in means if of == list(measure)) for measure in results.MEASURES]
    assert re.findall(r'class="best">([\d.]+)<', pages["comparison"]) == [f"{mean:.4f}" for mean in best]


def test_comparison_has_the_differences(comparison: Comparison, pages: dict[str, str]) -> None:
    expected = comparison.differences.project(
        "system, metric || coalesce('@' || k, ''), "
        "replace(printf('%+.4f%+.4f to %+.4f', difference, low, high), '-', chr(8722)), "
        "CASE WHEN p_corrected >= 0.05 THEN 'undecided' "
        "WHEN difference > 0 THEN '▲ better' ELSE '▼ worse' END, "
        "if(p_corrected < 0.001, '< 0.001', printf('%.3f', p_corrected)), "
        "printf('%.4f', mean), printf('%.4f', baseline)"
    ).fetchall()
    rows = table(pages["comparison"], "system", "metric", "difference")
    assert [tuple(row.values()) for row in rows] == expected
    assert {row["verdict"] for row in rows} == {"▲ better", "▼ worse"}
    tables = pages["comparison"].partition("<h2>Means over users</h2>")[2]
    numbers = re.findall('<th scope="col" class="number">([^<]*)</th>', tables)
    means = ["popular (baseline)", *(name for name in comparison.evaluations if name != "popular")]
    assert numbers[: len(means) + 4] == [*means, "difference", "p, corrected", "mean", "baseline"]
    assert re.findall("<figcaption>(.*)</figcaption>", pages["comparison"])[:7] == [
        "Differences of means, with 95% intervals",
        *["How many users make up the difference of precision@10"] * 2,
        f"Means of {', '.join(comparison.evaluations)} with 95% intervals",
        "For how many users each system wins, ties and loses",
        "How much precision@10 differs for single users, from the largest difference to the smallest",
        "How the users&#x27; values of precision@10 are distributed; those that are exactly 0 stand apart",
    ]


def test_the_decision_is_about_one_metric(comparison: Comparison, pages: dict[str, str]) -> None:
    """Metrics that rise and fall together are not independent, so wins are not counted over metrics."""
    metric = comparison._first.metrics[0]
    expected = (
        comparison.differences.filter(f"metric = '{metric}'").filter("k = 10")
        .project(
            "printf('%s is %s than popular: %s@10 %.4f against %.4f, %+.4f or %+.1f%% (95%% interval "
            "%+.4f to %+.4f), corrected p < 0.001.', system, if(difference > 0, 'better', 'worse'), "
            "metric, mean, baseline, difference, 100 * (mean - baseline) / baseline, low, high)"
        ).fetchall()
    )  # fmt: skip
    sentences = [sentence.replace("\N{MINUS SIGN}", "-") for sentence in decision(pages["comparison"])]
    assert sentences == [sentence for (sentence,) in expected]


def test_verdicts_against_the_decision_are_named(written: Writer) -> None:
    """The system finds one item more often, and puts it lower."""
    truth = {user: {1: 1, 2: 1} for user in range(40)}
    recs = {
        "old": {user: {1: 2, 9: 1} for user in truth},
        "new": {user: {2 if user < 20 else 9: 2, 1: 1} for user in truth},
    }
    compared = rankdcg_sql.compare(truth, recs, metrics=["recall@2", "mrr@2"])
    (sentence,) = decision(written(compared))
    assert sentence.startswith("new is better than old: recall@2 0.7500 against 0.5000, +0.2500 or +50.0% (")
    assert sentence.endswith(". But it is worse at mrr@2.")
    # It is worse for all users, who have no name there, and for each of three segments.
    plans = {"userid": [*range(40)], "plan": [*"abc" * 13, "a"]}
    compared = rankdcg_sql.compare(truth, recs, metrics=["recall@2", "mrr@2"], by="plan", segments=plans)
    (sentence,) = decision(written(compared))
    assert re.search(r"worse at mrr@2 for plan=a \(.*\), plan=b \(.*\), plan=c \([^()]*\)\.$", sentence)


def test_many_verdicts_against_the_decision_are_counted(written: Writer) -> None:
    """The new system finds both items, after one that is not relevant; the old one finds one at once."""
    truth = {user: {1: 1, 2: 1, 3: 0} for user in range(40)}
    lists = {"old": {1: 3, 8: 2, 9: 1}, "new": {9: 3, 1: 2, 2: 1}}
    recs = {name: dict.fromkeys(truth, items) for name, items in lists.items()}
    worse = ["recall@1", "mrr@1", "mrr@3", "precision@1"]
    for number, words in (
        (3, "at recall@1, mrr@1, mrr@3"),
        (4, "at 4 of 5 measures, recall@1 the first of them"),
    ):
        compared = rankdcg_sql.compare(truth, recs, metrics=[worse[0], "recall@3", *worse[1:number]])
        (sentence,) = decision(written(compared))
        assert sentence.startswith("new is better than old: recall@3 1.0000 against 0.5000, ")
        assert sentence.endswith(f". But it is worse {words}.")


@pytest.mark.parametrize(
    ("alternative", "words", "verdict"),
    [
        ("equivalence", "a{} equivalent to b, within 0.5", "equivalent"),
        ("greater", "a{} not worse than b by 0.5 or more", "not inferior"),
        ("less", "a{} not better than b by 0.5 or more", "not superior"),
    ],
)
def test_a_page_with_a_margin_says_what_was_shown(
    alternative: str, words: str, verdict: str, written: Writer
) -> None:
    """A small difference is within a wide margin, though not within a narrow one."""
    systems = {"b": 0.3, "a": 0.301}

    def page_of(users: int, margin: float) -> str:
        return written(
            results.comparison(users, systems, metrics="ndcg", k=5, alternative=alternative, margin=margin)
        )

    page = page_of(60, 0.5)
    (sentence,) = decision(page)
    assert sentence.startswith(f"{words.format(' is')}: ndcg@5 ")
    assert [row["verdict"] for row in table(page, "metric", "difference")] == [verdict]
    page = page_of(60, 1e-6)
    assert [row["verdict"] for row in table(page, "metric", "difference")] == ["undecided"]
    page = page_of(3, 1e-6)
    (sentence,) = decision(page)
    assert sentence.startswith(f"It is not shown that {words.format(' is').replace('0.5', '1e-06')}: ndcg@5 ")
    assert "<td>paired t test" in page
    assert ", margin 1e-06<" in page


def test_a_segment_that_contradicts_the_decision_is_named_once(written: Writer) -> None:
    """Forty users gain; nine of ten in the segment b lose, at both measures."""
    (sentence,) = decision(written(by_plan(PLANS, *GAINS_AND_LOSSES, by="plan")))
    assert sentence.startswith("new is better than old: precision@1 0.8200 against 0.2000, ")
    against = "But it is worse at all 2 measures for plan=b (10 users, precision@1 0.1000 against 1.0000)."
    assert sentence.endswith(f". {against}")
    # The means are those of the measure that the decision is about.
    twice = by_plan(PLANS, *GAINS_AND_LOSSES, by="plan", k=[1, 2])
    assert "for plan=b (10 users, precision@2 0.1000 against 1.0000)" in decision(written(twice))[0]
    old, new = [9] * 20 + [1] * 20, [1] * 20 + [9] * 9 + [1] + [1] + [9] * 9
    one = by_plan("a" * 20 + "b" * 10 + "c" * 10, old, new, "precision", by="plan")
    (sentence,) = decision(written(one))
    told = "No difference between new and old is shown: precision@1 0.5500 against 0.5000"
    assert sentence.startswith(told)
    assert sentence.endswith(
        "It is better at precision@1 for plan=a (20 users, precision@1 1.0000 against 0.0000). "
        "It is worse at precision@1 for plan=b (10 users, precision@1 0.1000 against 1.0000), "
        "plan=c (10 users, precision@1 0.1000 against 1.0000)."
    )


def test_a_segment_of_several_columns_is_named_with_each(written: Writer) -> None:
    segments = {"userid": [*range(50)], "plan": [*PLANS], "age": [None] * 50}
    page = written(by_plan(PLANS, *GAINS_AND_LOSSES, "recall", by=["plan", "age"], segments=segments))
    (sentence,) = decision(page)
    assert sentence.endswith(
        "worse at recall@1 for plan=b, age=\N{EN DASH} (10 users, recall@1 0.1000 against 1.0000)."
    )
    inputs = pairs(page, "name", "value")
    assert inputs["by"] == "plan, age"
    rows = table(page, "plan", "age", "metric")
    assert [(row["plan"], row["age"]) for row in rows] == [
        ("a", "\N{EN DASH}"), ("b", "\N{EN DASH}"), ("all users", ""),
    ]  # fmt: skip


@pytest.mark.parametrize(("losing", "more"), [("bcd", ""), ("bcde", " and 1 more"), ("bcdef", " and 2 more")])
def test_three_segments_that_contradict_the_decision_are_named(
    losing: str, more: str, written: Writer
) -> None:
    plans = "a" * 90 + "".join(plan * 10 for plan in losing)
    old = [9] * 90 + [1] * 10 * len(losing)
    new = [1] * 90 + ([9] * 9 + [1]) * len(losing)
    (sentence,) = decision(written(by_plan(plans, old, new, by="plan", metrics="precision")))
    assert sentence.startswith("new is better than old: ")
    assert "worse at precision@1 for plan=b (10 users, " in sentence
    assert sentence.endswith(f"plan=d (10 users, precision@1 0.1000 against 1.0000){more}.")


@pytest.mark.parametrize(
    ("options", "needed", "methods"),
    [
        ({"metrics": "precision"}, 34,
         ["users needed paired t test at alpha 0.05, power 0.8 paired_t_test_power"]),
        ({}, 41, ["users needed paired t test at alpha 0.05 / 2, power 0.8 paired_t_test_power"]),
        ({"correction": "none"}, 34, ["differences, two-sided", "p-values of 2 tests: not corrected"]),
        ({"correction": "none", "confidence": 0.9}, 27, ["at alpha 0.1, power 0.8", "means, 90%"]),
        ({"metrics": "recall", "alternative": "greater"}, 27, ["differences, greater", "of 1 test: Holm"]),
        ({"metrics": "recall", "alternative": "greater", "margin": 0.25}, 8,
         ["differences, greater with margin 0.25", "power 0.8"]),
    ],
)  # fmt: skip
def test_the_users_needed_are_those_of_the_test(
    options: dict[str, Any], needed: int, methods: list[str], written: Writer
) -> None:
    """The mean difference is half of its standard deviation. The numbers are from SciPy's noncentral t.

    One direction needs no more users than two directions at twice the level.
    """
    page = written(by_plan("abab", [9] * 4, [1, 9, 9, 9], **options))
    (sentence,) = decision(page)
    assert sentence.endswith(f". About {needed} users would show such a difference with probability 0.8.")
    assert ("corrected p = " in sentence) == (options.get("correction") != "none")
    stated = " ".join(" ".join(row.values()) for row in table(page, "of", "method"))
    assert all(words in stated for words in methods)
    inputs = pairs(page, "name", "value")
    margin = f", margin {options['margin']}" if "margin" in options else ""
    assert inputs["test"] == f"paired t test, {options.get('alternative', 'two-sided')}{margin}"
    (row, *_) = table(page, "metric", "difference")
    assert ("p" in row, "p, corrected" in row) == (("correction" in options), ("correction" not in options))


def test_a_change_from_nothing_has_no_percentage(written: Writer) -> None:
    (sentence,) = decision(written(by_plan("a" * 6, [9] * 6, [1] * 5 + [9])))
    assert sentence.startswith("new is better than old: precision@1 0.8333 against 0.0000, +0.8333 (95%")
    (sentence,) = decision(written(by_plan("a" * 8, [1] * 8, [9] * 6 + [1] * 2)))
    assert sentence.startswith(
        "new is worse than old: precision@1 0.2500 against 1.0000, "
        "\N{MINUS SIGN}0.7500 or \N{MINUS SIGN}75.0% ("
    )


def test_an_interval_without_0_may_be_undecided(written: Writer) -> None:
    """If six of ten users gain, p is 0.0051, and if five gain, it is 0.015; there are eight tests."""
    metrics = ["precision", "recall", "f1", "hit_rate", "mrr", "average_precision", "ndcg", "r_precision"]
    gained, unsure, lost = (
        written(by_plan("a" * 10, old, new, metrics, correction="bonferroni"))
        for old, new in (
            ([9] * 10, [1] * 6 + [9] * 4),
            ([9] * 10, [1] * 5 + [9] * 5),
            ([1] * 10, [9] * 5 + [1] * 5),
        )
    )
    why = (
        "p is corrected for 8 tests and intervals are not, so an interval that leaves out 0 may be undecided"
    )
    assert {row["p, corrected"] for row in table(gained, "metric", "difference")} == {"0.041"}
    assert why not in gained
    assert {row["verdict"] for row in table(unsure, "metric", "difference")} == {"undecided"}
    # In the decision, under its picture, and above the table.
    assert unsure.count(why) == lost.count(why) >= 3
    assert "may be undecided" not in written(by_plan("abab", [9] * 4, [1, 9, 9, 9]))


@pytest.mark.parametrize(
    ("options", "sign", "why"),
    [
        ({"alternative": "greater"}, -1, "The test looks for larger values alone"),
        ({"alternative": "less"}, 1, "The test looks for smaller values alone"),
        ({"alternative": "less", "margin": 0.25}, 1, "The test is against the margin 0.25"),
        # The least p-value of five differences is 2 / 2^5.
        ({"test": "wilcoxon", "correction": None}, 1, "Test and interval are different statistics"),
    ],
)
def test_a_page_says_why_an_interval_without_0_is_undecided(
    options: dict[str, Any], sign: int, why: str, written: Writer
) -> None:
    zeros, larger = [0.0] * 5, [0.5, 0.6, 0.7, 0.8, 0.9]
    systems = {"old": zeros, "new": larger} if sign == 1 else {"old": larger, "new": zeros}
    page = written(between(systems, **options))
    assert {row["verdict"] for row in table(page, "metric", "difference")} == {"undecided"}
    assert page.count(f"{why}, so an interval that leaves out 0 may be undecided") >= 3
    # So many users are there already, or no number of them would show it.
    assert "would show such a difference" not in page


def test_pages_of_all_pairs_name_both_systems(written: Writer) -> None:
    compared = results.comparison(60, metrics="ndcg", k=5, baseline="all")
    page = written(compared)
    rows = table(page, "system", "against", "metric")
    assert [(row["system"], row["against"]) for row in rows] == compared.pairs
    assert "<h2>Differences</h2>" in page
    (means,) = table(page, "metric", *compared.evaluations)
    assert means["metric"] == "ndcg@5"
    # The test corrects for the pairs by itself, and the users needed are those of a corrected t test.
    values = [[0.0] * 10, [1.0] * 5 + [0.0] * 5, [0.0] * 5 + [1.0] * 5]
    systems = dict(zip("abc", values, strict=True))
    page = written(between(systems, baseline="all", test="tukey_hsd", correction="none"))
    methods = pairs(page, "of", "method")
    assert methods["users needed"] == "paired t test at alpha 0.05 / 3, power 0.8"
    assert {row["verdict"] for row in table(page, "system", "against")} == {"undecided"}
    assert "p is corrected for 3 tests and intervals are not, so an interval that leaves out 0" in page


@pytest.mark.parametrize(("number", "many"), [(12, False), (13, True)])
def test_a_picture_of_many_differences_is_about_the_first_metric(
    number: int, many: bool, written: Writer
) -> None:
    page = written(results.comparison(60, {"a": 0.3, "b": 0.5}, metrics="ndcg", k=[*range(1, number + 1)]))
    first = page.partition("<figcaption>")[2].partition("</figcaption>")[0]
    assert first.startswith(f"Differences of means{' of ndcg@13' * many}, with 95% intervals")
    assert ("<summary>All differences as a picture</summary>" in page) == many


@pytest.mark.parametrize(
    ("users", "words"),
    [
        ("truth", "with judgements; a user without recommendations counts as 0."),
        ("both", "with both judgements and recommendations."),
    ],
)
def test_a_page_says_over_which_users_means_are(users: Any, words: str, written: Writer) -> None:
    assert f"<p>Means are over the users {words}</p>" in written(replace(results.evaluation(60), users=users))


def measures_in_figures(page: str) -> list[tuple[str, set[str]]]:
    """The caption of each figure, and the measures that its drawing names."""
    figures = re.findall("<figure>(.*?)<figcaption>(.*?)</figcaption>", page, re.DOTALL)
    return [
        (caption, set(re.findall(r"[> ]((?:precision|ndcg|mrr)@\d+|rankdcg)\b", drawn)))
        for drawn, caption in figures
    ]


@pytest.mark.parametrize("name", ["segments", "comparison", "many"])
def test_a_figure_of_one_measure_draws_it(name: str, pages: dict[str, str]) -> None:
    measures = [(caption, drawn) for caption, drawn in measures_in_figures(pages[name]) if drawn]
    found = 0
    for caption, drawn in measures:
        named = set(re.findall(r"(?:precision|ndcg|mrr)@\d+|rankdcg", caption))
        if named:
            found += 1
            assert drawn == named, caption
    # A figure of the leading measure, and a distribution of each metric.
    assert found >= (3 if name == "many" else 4)
    if name == "many":
        every = {f"{metric}@{k}" for metric in ("ndcg", "mrr") for k in (5, 10)}
        assert ("Differences of means", every) in measures


@pytest.mark.parametrize(
    ("name", "headline"),
    [
        ("evaluation", "Evaluation"),
        ("comparison", "Comparison with popular"),
        ("judge", "Judge corrected by people"),
        ("pairs", "Comparison of all pairs"),
    ],
)
def test_a_page_has_a_headline_the_time_and_no_rights(name: str, headline: str, written: Writer) -> None:
    before = datetime.now(timezone.utc).replace(microsecond=0)
    page = written(
        PAGES[name]() if name != "pairs" else results.comparison(9, metrics="ndcg", baseline="all")
    )
    assert f"<title>{headline}</title>" in page
    assert f"<h1>{headline}</h1>" in page
    assert "default-src 'none'; style-src 'unsafe-inline'" in page
    ((exact, shown),) = re.findall('<time datetime="(.*)">(.*)</time>', page)
    written_at = datetime.fromisoformat(exact.replace("Z", "+00:00"))
    assert before <= written_at <= datetime.now(timezone.utc)
    assert shown == f"{written_at:%Y-%m-%d %H:%M} UTC"


def test_requirements_come_first(written: Writer) -> None:
    compared = by_plan(PLANS, *GAINS_AND_LOSSES, by="plan")
    asked = ["precision@1 better", "precision@1 not worse by 0.01 in plan=b", "measured recall@1 >= 0.7"]
    page = written(compared, require=asked)
    rows = table(page, "outcome", "requirement")
    assert [row["outcome"] for row in rows] == ["✓ passed", "✗ failed", "✓ passed"]
    assert rows[1]["requirement"] == "new: precision@1 not worse by 0.01 in plan=b"
    assert page.index("✗ failed") < page.index('class="decision"')
    assert table(written(compared, require=asked[0]), "outcome", "requirement") == rows[:1]
    decided = compared.require(asked[0], asked[2])
    assert table(written(compared, require=decided), "outcome", "requirement") == [rows[0], rows[2]]
    assert "<caption>Requirements" not in written(compared)
    assert [*rows[0]] == ["outcome", "requirement", "measured"]
    # A column says how many users are needed if one requirement is inconclusive.
    unsure = written(of_values([1.0] * 3), require=["ndcg@10 >= 0.75", "measured ndcg@10 >= 0.75"])
    assert [(row["outcome"], row["users needed"]) for row in table(unsure, "outcome", "requirement")] == [
        ("inconclusive", "about 11 users would show that it is met"),
        ("✓ passed", ""),
    ]
    with pytest.raises(ValueError, match=r"^report: .*the result has no ndcg@1"):
        written(compared, require="ndcg@1 better")


def test_a_page_says_how_people_correct_the_verdict_of_a_judge(written: Writer) -> None:
    result = corrected(correction=None)
    ((row,), columns) = result.differences.fetchall(), result.differences.columns
    found = dict(zip(columns, row, strict=True))
    page = written(result, require="measured new: ndcg@10 not worse by 0.2")
    minus = "\N{MINUS SIGN}"

    def text(name: str) -> str:
        return f"{found[name]:+.4f}".replace("-", minus)

    assert found["p_judge"] < 0.001
    assert found["p_value"] > 0.05
    assert decision(page) == [
        f"By the judge alone, new is better than old (ndcg@10 {text('difference_judge')}, p < 0.001). "
        f"Corrected by people, new and old do not differ significantly (ndcg@10 {text('difference')}, 95% "
        f"interval {text('low')} to {text('high')}, p = {found['p_value']:.3f}). The judge is off by "
        f"{text('bias')} ({text('bias_low')} to {text('bias_high')}) for the difference."
    ]
    (cells,) = table(page, "system", "against", "metric")
    assert cells["corrected"] == f"{text('difference')}{text('low')} to {text('high')}"
    assert cells["people"] == f"{text('difference_human')}p = {found['p_human']:.3f}"
    assert cells["judge"] == f"{text('difference_judge')}p < 0.001"
    assert (cells["weight"], cells["p"]) == (f"{found['judge_weight']:.2f}", f"{found['p_value']:.3f}")
    (asked,) = table(page, "outcome", "requirement")
    assert asked["outcome"] == "✓ passed"
    methods = {row["of"]: row["function of SQL"] for row in table(page, "of", "method")}
    assert methods == {"means, 95%": "judge_corrected_mean", "several tests": "corrected_p_values"}
    every = written(corrected(("a", "b", "c"), baseline="all"))
    assert all(" of a single test). Corrected" in sentence for sentence in decision(every))
    assert all(" after Holm's correction for 3 tests). The" in sentence for sentence in decision(every))
    better = corrected(("new", "old"), correction=None)
    assert decision(written(better))[0].startswith("By the judge alone, old is better than new")


def test_a_page_of_one_judged_system_has_its_corrected_means(pages: dict[str, str]) -> None:
    page, summary = pages["judge of one"], corrected(("only",), by="plan").summary
    rows = summary.project("mean, low, high, bias, plan").fetchall()
    cells = table(page, "<b>plan</b>", "metric")
    assert [row["corrected"] for row in cells] == [
        f"{mean:.4f}{low:.4f} to {high:.4f}" for mean, low, high, *_ in rows
    ]
    assert [row["<b>plan</b>"] for row in cells] == ["a", "b", "all users"]
    mean, low, high = rows[-1][:3]
    tiles = re.findall("<dd>(.*?)</dd>", page)
    assert tiles == [f"{mean:.4f}", f"95% interval {low:.4f} to {high:.4f}"]


def test_the_decision_problems_its_picture_and_inputs_come_first(pages: dict[str, str]) -> None:
    page = pages["comparison"]
    order = [
        "<h1>",
        'class="decision"',
        "<figure>",
        "<h2>Notes",
        "<h2>Inputs",
        "Means over users",
        "<h2>Differences",
    ]
    places = [page.index(text) for text in order]
    assert places == sorted(places)
    first_figure = page[page.index("<figure>") : page.index("</figure>")]
    assert "mine \N{MINUS SIGN} popular" in first_figure
    assert "13 users of truth without a row in rec" in page[places[3] : places[4]]


def test_inputs_are_named(evaluation: Evaluation, written: Writer) -> None:
    page = written(evaluation, inputs={"truth": "a <b>.csv", "rec": 7})
    found = pairs(page, "name", "value")
    assert found == {
        "truth": "a <b>.csv",
        "rec": "7",
        "metrics and k": "precision@5, precision@10, ndcg@5, ndcg@10, rankdcg",
        "convention": "trec_eval",
        "gain": "exp2",
    }
    assert page.index("a &lt;b&gt;.csv") < page.index("<h2>Means over users")


@pytest.mark.usefixtures("written")
def test_a_result_reports_itself(evaluation: Evaluation, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    page = evaluation.report(path, "Spring <& Ünï ✓>", {"truth": "mine.csv"}, "ndcg@5 >= 0.01")
    assert path.read_text(encoding="utf-8") == page
    assert "<h1>Spring &lt;&amp; Ünï ✓&gt;</h1>" in page
    assert "mine.csv" in page
    assert "ndcg@5 &gt;= 0.01" in page


def test_means_name_users_only_where_they_differ(written: Writer) -> None:
    """All users have a value of NDCG at 1; recall at 1 needs a relevance of 4."""
    recs = {"a": ONE_EACH, "b": ONE_EACH}
    for metrics, usual, other in (
        (["ndcg", "ndcg@2", "recall"], "ndcg@1", ("recall@1", "1 user")),
        (["recall", "recall@2", "ndcg"], "recall@1", ("ndcg@1", "3 users")),
    ):
        compared = rankdcg_sql.compare(THREE, recs, k=1, metrics=metrics, rel="rel", min_rel=4)
        rows = pairs(written(compared), "metric", "a (baseline)")
        assert "user" not in rows[usual]
        assert rows[other[0]].endswith(other[1])


def test_users_without_a_value_are_reported(written: Writer) -> None:
    found = rankdcg_sql.evaluate(THREE, ONE_EACH, k=1, metrics=["recall", "ndcg"], rel="rel", min_rel=4)
    page = written(found)
    rows = table(page, "metric", "mean")
    assert [(row["metric"], row["users"], row["users without value"]) for row in rows] == [
        ("recall@1", "1", "2"),
        ("ndcg@1", "3", "0"),
    ]
    assert "over 3 users, 1 to 3 of them in the means, by metric." in page
    assert "<caption>Means over users with their intervals</caption>" in page
    assert "<li>2 users without a relevant item: in no mean of recall@1</li>" in page


def test_users_without_a_value_are_named_if_segments_differ_in_them_alone(written: Writer) -> None:
    """No segment has a user with a value."""
    truth = {**THREE, "plan": [*"xyy"]}
    found = rankdcg_sql.evaluate(truth, ONE_EACH, by="plan", k=1, metrics="recall", rel="rel", min_rel=5)
    rows = table(written(found), "plan", "metric")
    assert [(row["plan"], row["users"], row["users without value"]) for row in rows] == [
        ("x", "0", "1"),
        ("y", "0", "2"),
        ("all users", "0", "3"),
    ]


@pytest.mark.parametrize(
    ("p", "text"), [(0.00099, "< 0.001"), (0.001, "0.001"), (0.0406, "0.041"), (None, "\N{EN DASH}")]
)
def test_p_values_have_three_digits(p: float | None, text: str) -> None:
    assert p_value_text(p) == text


def test_the_verdict_is_that_of_the_corrected_p_value(written: Writer) -> None:
    """There are enough tests for the correction to raise a p-value from below 0.05 to above."""
    systems = {"a": 0.3, "b": 0.33, "c": 0.345, "d": 0.36}
    compared = results.comparison(systems=systems, correction="bonferroni")
    found = compared.differences.project("p_value, p_corrected").fetchall()
    assert any(p < 0.05 < corrected for p, corrected in found)
    rows = table(written(compared), "system", "metric", "difference")
    assert ["undecided" in row["verdict"] for row in rows] == [corrected >= 0.05 for _, corrected in found]


def test_report_lists_effective_options(pages: dict[str, str]) -> None:
    rows = table(pages["evaluation"], "option", "value")
    found = {
        (row["option"], row["metrics"]): (row["value"], row["set by"])
        for row in rows
        if row["option"] in ("precision_denominator", "gain", "discount", "ties")
    }
    assert found == {
        ("precision_denominator", "precision"): ("k", "convention trec_eval"),
        ("gain", "ndcg"): ("exp2", "given"),
        ("discount", "ndcg"): ("log2", "default"),
        ("ties", "precision, ndcg"): ("item_desc", "convention trec_eval"),
        ("ties", "rankdcg"): ("pessimistic", "default"),
    }
    # Options that were given stand out.
    definitions = pages["evaluation"].partition("<caption>Values of the options")[2].partition("</table>")[0]
    assert re.findall("<strong>([^<]*)</strong>", definitions) == ["exp2"]


def test_one_user_is_no_test(written: Writer) -> None:
    page = written(results.comparison(1, {"a": 0.3, "b": 0.31}, metrics="ndcg", k=5))
    (sentence,) = decision(page)
    assert sentence.startswith("There is no test of b against a, with 1 user of both: ndcg@5 ")
    assert "interval" not in sentence
    assert {row["verdict"] for row in table(page, "metric", "difference")} == {"no test"}
    assert "of 2 systems over 1 user." in page
    assert "1 users" not in page


def test_problems_are_apart_from_notes(written: Writer) -> None:
    truth, one = {"userid": [1, 2, 3], "itemid": ["a"] * 3}, ONE_EACH
    repeated = {name: [*column, column[0]] for name, column in one.items()}
    with pytest.warns(rankdcg_sql.DataWarning, match="another row"):
        twice = rankdcg_sql.compare(truth, {"one": one, "two": repeated, "three": repeated}, k=1)
    page = written(twice)
    problems = page.partition("<h2>Problems of the data</h2>")[2].partition("<h2>")[0]
    assert problems.count("<li>") == 1
    assert "<h3>two, three</h3>" in problems
    assert "<h3>one</h3>" not in page
    fewer = {name: column[:2] for name, column in one.items()}
    page = written(rankdcg_sql.evaluate(truth, fewer, k=1))
    assert "Problems of the data" not in page
    assert "<li>1 user of truth without a row in rec</li>" in page.partition("<h2>Notes</h2>")[2]
    # Notes that are the same for all systems stand without their names.
    page = written(rankdcg_sql.compare(truth, {"one": fewer, "two": fewer}, k=1))
    notes = page.partition("<h2>Notes</h2>")[2].partition("<h2>")[0]
    assert notes.count("<li>1 user of truth without a row in rec</li>") == 1
    assert "<h3>" not in notes
    page = written(rankdcg_sql.evaluate(truth, one | {"itemid": ["a", "a", "b"]}, k=1, metrics="recall"))
    assert "<h2>Notes" not in page
    assert "<p>No user, item or value of the data is missing, and no row is repeated.</p>" in page
    mixed = repeated | {"itemid": ["a", "a", "b", "a"]}
    with pytest.warns(rankdcg_sql.DataWarning, match="another row"):
        page = written(rankdcg_sql.evaluate(truth, mixed, k=1, metrics="recall"))
    assert "no row is repeated" not in page


def test_notes_of_the_test_are_on_the_page(written: Writer) -> None:
    """The third system has fewer users, and the test is over those of all systems."""
    truth = {user: {"a": 1} for user in range(9)}
    recs = {
        name: {user: {"abc"[user % 3]: 1} for user in range(users)}
        for name, users in (("one", 9), ("two", 9), ("three", 6))
    }
    compared = rankdcg_sql.compare(truth, recs, "all", k=1, metrics="recall", test="tukey_hsd", users="both")
    note, about_intervals = compared.notes_of_tests()
    assert note.endswith("the users with a value from every system: 6 for recall@1")
    notes = written(compared).partition("<h2>Notes</h2>")[2].partition("<h2>")[0]
    assert f"<li>{note}</li>" in notes
    assert f"<li>{about_intervals}</li>" in notes.replace("&#x27;", "'")


def test_the_test_and_its_intervals_are_told_apart(written: Writer) -> None:
    systems = {"a": 0.3, "b": 0.301}
    text = "The test is one-sided, at alpha 0.1; the intervals are two-sided, with 90% confidence."
    one_sided = results.comparison(60, systems, metrics="ndcg", alternative="greater", confidence=0.9)
    assert written(one_sided).count(text) >= 2
    assert one_sided.render("table", details=True).endswith(f"\n{text}")
    assert one_sided.to_html(details=True).endswith(f"<p>{text}</p>")
    assert text not in one_sided.render("csv", details=True)
    two_sided = results.comparison(60, systems, metrics="ndcg", confidence=0.9)
    assert "The test is" not in written(two_sided) + two_sided.render("table", details=True)


def test_the_report_states_its_methods_and_its_data(
    evaluation: Evaluation, comparison: Comparison, pages: dict[str, str]
) -> None:
    page = unescape(pages["comparison"])
    for text in (
        *comparison.evaluations["mine"].counts.notes(),
        "the measures of trec_eval",
        "Student's t",
        "p-values of 10 tests: Holm's correction",
        f"rankdcg_sql {rankdcg_sql.__version__}, DuckDB {duckdb.__version__}",
    ):
        assert text in page
    assert evaluation.counts.notes()
    counts = pairs(pages["evaluation"], "count", "number")
    assert counts["users evaluated"] == "500"
    assert counts["rec rows"] == f"{evaluation.counts.rec_rows:,}"
    assert counts["users without rec"] == "13"


def test_the_same_result_gives_the_same_page(evaluation: Evaluation, pages: dict[str, str]) -> None:
    again = report(evaluation)
    assert len(again.encode()) < 1_000_000
    date = re.compile("<time.*</time>")
    assert date.sub("", again) == date.sub("", pages["evaluation"])


# The file


def test_needs_nothing_else(page: str) -> None:
    reader = Reader(page)
    assert not {"script", "link", "img", "iframe", "object"} & {tag for tag, _ in reader.tags}
    for _, attributes in reader.tags:
        for name, value in attributes.items():
            assert name not in ("src", "srcset", "action", "data")
            assert not name.startswith("on")
            if name in ("href", "xlink:href"):
                assert value
                assert value.startswith("#")
            if "url(" in (value or ""):
                assert re.fullmatch(r"[^(]*url\(#[^(]*", value or "")
    assert "url(" not in page[: page.index("</style>")]
    assert "@import" not in page


def test_is_well_formed_and_accessible(page: str) -> None:
    reader = Reader(page)
    assert not reader.open
    assert ("html", {"lang": "en"}) in reader.tags
    levels = [int(tag[1]) for tag, _ in reader.tags if re.fullmatch("h[1-6]", tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in itertools.pairwise(levels))
    assert page.count("<table>") == page.count("<caption>")
    assert all(of["scope"] in ("row", "col") for tag, of in reader.tags if tag == "th")
    drawn = [of for tag, of in reader.tags if tag == "svg"]
    assert drawn
    assert all(of["role"] == "img" and of["aria-label"] for of in drawn)
    names = {of["id"] for _, of in reader.tags if "id" in of}
    links = {of["xlink:href"] for _, of in reader.tags if "xlink:href" in of}
    assert links
    assert {str(link)[1:] for link in links} <= names


def test_names_that_users_gave_are_escaped(pages: dict[str, str]) -> None:
    assert "alert" in pages["hostile"]
    assert "<script" not in pages["hostile"]
    assert "<b>age" not in pages["segments"]


# In a browser

LAYOUT = """{
    width: page.documentElement.scrollWidth,
    tables: page.querySelectorAll("table").length,
    captions: [...page.querySelectorAll("h1, h2")].map((of) => of.textContent),
    scripts: page.scripts.length,
    spilt: [...page.querySelectorAll("th, td, dd, dt, p, li")]
        .filter((of) => of.scrollWidth > of.clientWidth + 8)
        .map((of) => of.textContent),
    boxes: [...page.querySelectorAll("main > *")].map(box),
    scrolled: [...page.querySelectorAll(".definitions")]
        .filter((of) => of.scrollWidth > of.clientWidth).length,
    figures: [...page.querySelectorAll("main > figure svg, .figures svg")].map(box).filter((of) => of.width),
    letters: [...page.querySelectorAll("figure svg text")]
        .filter((of) => box(of).height)
        .map((of) => {
            const svg = of.ownerSVGElement;
            const scale = box(svg).width / svg.viewBox.baseVal.width;
            return [parseFloat(getComputedStyle(of).fontSize) * scale, of.textContent];
        }),
    cut: [...page.querySelectorAll("figure svg text")]
        .filter((of) => {
            const [inner, outer] = [of, of.ownerSVGElement].map(box);
            return inner.right > outer.right + 1 || inner.left < outer.left - 1;
        })
        .map((of) => of.textContent),
    inks: [...page.querySelectorAll("figure svg text")].map((of) => getComputedStyle(of).fill),
    colours: ["body", "figure", "h1"].map((of) => {
        const style = getComputedStyle(page.querySelector(of));
        return [style.backgroundColor, style.color];
    }),
}"""


@pytest.fixture(scope="module", params=[1200, 390])
def layouts(
    request: pytest.FixtureRequest, pages: dict[str, str], tmp_path_factory: pytest.TempPathFactory
) -> tuple[int, dict[str, Any]]:
    """Show all pages at a width; give the width and the layout of each page."""
    texts = [pages[name] for name in PAGES]
    shown = browser.ask_each(texts, LAYOUT, tmp_path_factory.mktemp("layouts"), request.param)
    return request.param, dict(zip(PAGES, shown, strict=True))


@pytest.mark.parametrize("name", PAGES)
def test_layout(name: str, pages: dict[str, str], layouts: tuple[int, dict[str, Any]]) -> None:
    page, (width, shown) = pages[name], (layouts[0], layouts[1][name])
    assert shown["width"] == width
    assert shown["tables"] == page.count("<table>") >= 4
    assert shown["scripts"] == 0
    assert shown["spilt"] == []
    assert shown["scrolled"] == 0
    assert {"Counts", "How the numbers were computed"} <= set(shown["captions"])
    assert {"Means over users", "Differences over users", "Why"} & set(shown["captions"])
    for above, below in zip(shown["boxes"], shown["boxes"][1:], strict=False):
        assert above["bottom"] <= below["top"] + 0.5
    for box in shown["boxes"]:
        assert box["height"] > 0
        assert 0 <= box["left"] < box["right"] <= width
    folded = page.count("</figure>\n</details>")
    assert len(shown["figures"]) == page.count("<figure>") - folded
    for box in shown["figures"]:
        assert box["height"] > 80
        assert 0 <= box["left"] < box["right"] <= width
        assert box["width"] > 300
    assert all(size >= 10.9 for size, _ in shown["letters"])
    assert shown["cut"] == []


DECISIVE = """{
    right: Math.min(...[...page.querySelectorAll(".card")].map((of) => box(of).right)),
    boxes: [
        ...page.querySelectorAll(".decision, .decision p, main > figure:first-of-type, .notes"),
        ...[...page.querySelectorAll("table")]
            .filter((of) => of.caption.textContent.startsWith("Differences"))
            .flatMap((of) => [...of.rows].flatMap((row) => [...row.cells].slice(0, 4))),
    ].map(box),
}"""


def test_nothing_decisive_is_off_the_screen_of_a_phone(pages: dict[str, str], tmp_path: Path) -> None:
    """The system or segment, the metric, the difference and the verdict are seen without scrolling."""
    one = report(results.comparison(40, {"popular": 0.3, "personalised": 0.5}, by="listener"))
    for shown in browser.ask_each([pages["comparison"], one], DECISIVE, tmp_path, 390):
        # A decision, the head of the table, and ten rows of it.
        assert len(shown["boxes"]) >= 1 + 4 * 11
        assert all(0 <= box["left"] < box["right"] <= shown["right"] for box in shown["boxes"])


CELLS = '[...page.querySelectorAll(".card:first-of-type td")].map(box).filter((of) => of.width)'


def test_requirements_have_room_on_a_phone(written: Writer, tmp_path: Path) -> None:
    asked = ["mine: ndcg@10 not worse by 0.01", "random: precision@5 better by 1%"]
    cells = browser.ask(written(results.comparison(60), require=asked), CELLS, tmp_path, 390)
    # The requirement, its measured values, and the users needed of the second.
    assert len(cells) >= 2 * 2
    assert max(box["height"] for box in cells) < 80


ROOM = """{
    wide: [...page.querySelectorAll(".card")]
        .filter((of) => of.scrollWidth > of.clientWidth)
        .map((of) => getComputedStyle(of).backgroundAttachment),
    figures: [...page.querySelectorAll("main > figure svg")].map((of) => box(of).width).filter((of) => of),
}"""


def test_a_table_that_scrolls_has_a_shadow_at_its_edge(
    pages: dict[str, str], written: Writer, tmp_path: Path
) -> None:
    """The cover of the shadow moves with the table, and the shadow does not."""
    shown = browser.ask(pages["comparison"], ROOM, tmp_path, 390)
    assert set(shown["wide"]) == {"local, scroll"}
    # Differences by segment fit on a screen.
    by_segment = written(results.comparison(60, by="plan of the user"))
    assert browser.ask(by_segment, ROOM, tmp_path)["wide"] == []


def test_plots_use_the_width_of_a_screen(pages: dict[str, str], tmp_path: Path) -> None:
    figures = browser.ask(pages["comparison"], ROOM, tmp_path)["figures"]
    # Differences, means, wins, differences of users and a distribution.
    assert len(figures) == 5
    assert min(figures) > 600


@pytest.mark.parametrize("dark", [False, True])
def test_plots_have_the_colours_of_the_page(pages: dict[str, str], dark: bool, tmp_path: Path) -> None:
    shown = browser.ask(pages["comparison"], LAYOUT, tmp_path, dark=dark)
    (body, ink), (figure, _), (_, heading) = shown["colours"]

    def bright(colour: str) -> bool:
        return sum(map(int, re.findall(r"\d+", colour)[:3])) > 3 * 128

    assert bright(body) is bright(figure) is not dark
    assert bright(ink) is dark
    assert bright(heading) is dark
    # Counts in bars have the colour of the page; all other texts have that of the text.
    letters = {colour for colour in shown["inks"] if colour != figure}
    assert letters
    assert all(bright(colour) is dark for colour in letters)


def test_opens_from_a_file(pages: dict[str, str], tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_text(pages["comparison"], encoding="utf-8")
    dom = Reader(browser.dump(path))
    assert dom.tables == Reader(pages["comparison"]).tables
