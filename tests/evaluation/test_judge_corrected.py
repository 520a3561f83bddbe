"""Means by a judge, corrected by the judgements of people: beside the aggregate and the reference."""

from __future__ import annotations

import pickle
import random
import re
import warnings
from collections.abc import Sequence
from datetime import datetime, timezone
from functools import cache
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from scipy import stats
from support import reference

import rankdcg_sql
from rankdcg_sql import CallError, DataWarning, RequirementError, compare, evaluate, judge_corrected

Table = dict[str, list[Any]]
USERS = range(60)
ITEMS = range(6)
SETTINGS: dict[str, Any] = {"k": 3, "metrics": ["ndcg", "precision"], "rel": "rel", "min_rel": 2}


def table(rows: Sequence[tuple[Any, ...]], *names: str) -> Table:
    return {name: [row[place] for row in rows] for place, name in enumerate(names)}


CHANCE = random.Random(4)
RELS = {(user, item): CHANCE.randrange(4) for user in USERS for item in ITEMS}
RECS = {
    name: table(
        [(user, item, RELS[user, item] + CHANCE.gauss(0, noise)) for user in USERS for item in ITEMS],
        *("userid", "itemid", "score"),
    )
    for name, noise in (("one", 1.0), ("other", 2.0), ("third", 3.0))
}
SAMPLE = sorted(CHANCE.sample(USERS, 25))
COLUMNS = ("userid", "itemid", "rel", "country")
PEOPLE = table(
    [(user, item, rel, "de" if user % 2 else "fr") for (user, item), rel in RELS.items() if user in SAMPLE],
    *COLUMNS,
)
MODEL = table(
    [
        (user, item, min(3, rel + CHANCE.randrange(2)), "de" if user % 2 else "fr")
        for (user, item), rel in RELS.items()
    ],
    *COLUMNS,
)


def values(result: Any, metric: str) -> dict[int, float]:
    rows = result.per_user.filter(f"metric = '{metric}'").project("userid, value").fetchall()
    return dict(rows)


def rows_of(relation: Any) -> list[dict[str, Any]]:
    return [dict(zip(relation.columns, row, strict=True)) for row in relation.fetchall()]


def test_means_are_those_of_the_reference() -> None:
    human, judge = (evaluate(truth, RECS["one"], **SETTINGS) for truth in (PEOPLE, MODEL))
    found = rows_of(judge_corrected(human, judge).summary)
    assert [row["metric"] for row in found] == ["ndcg", "precision"]
    for row in found:
        by_people, by_model = values(human, row["metric"]), values(judge, row["metric"])
        mean, error, power, n = reference.judge_corrected_mean(
            [(by_people.get(user), by_model[user]) for user in USERS]
        )
        half_width = stats.t(n - 2).isf(0.025) * error
        assert row["mean"] == pytest.approx(mean, abs=1e-9)
        assert (row["low"], row["high"]) == pytest.approx((mean - half_width, mean + half_width), abs=1e-9)
        assert row["judge_weight"] == pytest.approx(power, abs=1e-9)
        assert (row["n_human"], row["n_judge"]) == (25, 60)
        assert row["mean_human"] == pytest.approx(human.means[f"{row['metric']}@3"])
        assert row["mean_judge"] == pytest.approx(judge.means[f"{row['metric']}@3"])
        errors = [by_model[user] - by_people[user] for user in SAMPLE]
        assert row["bias"] == pytest.approx(sum(errors) / 25)
        interval = stats.t.interval(0.95, 24, row["bias"], stats.sem(errors))
        assert (row["bias_low"], row["bias_high"]) == pytest.approx(interval)


def test_equal_differences_without_a_limit_have_no_interval_of_the_bias() -> None:
    recs = {"one": RECS["one"], "same": RECS["one"]}
    human, judge = (compare(truth, recs, k=3, metrics="dcg", rel="rel") for truth in (PEOPLE, MODEL))
    (row,) = rows_of(judge_corrected(human, judge).differences)
    assert [row[name] for name in ("low", "high", "bias", "bias_low", "bias_high")] == [
        None,
        None,
        0,
        None,
        None,
    ]


@pytest.mark.parametrize("baseline", ["one", "all"])
def test_differences_are_those_of_the_reference(baseline: str) -> None:
    human, judge = (compare(truth, RECS, baseline, **SETTINGS) for truth in (PEOPLE, MODEL))
    found = rows_of(judge_corrected(human, judge).differences)
    assert len(found) == (6 if baseline == "all" else 4)
    p_values = []
    for row in found:
        pairs = [
            [values(result.evaluations[row[name]], row["metric"]) for name in ("system", "against")]
            for result in (human, judge)
        ]
        by_people, by_model = ({user: a[user] - b[user] for user in a} for a, b in pairs)
        mean, error, _, n = reference.judge_corrected_mean(
            [(by_people.get(user), by_model[user]) for user in USERS]
        )
        assert row["difference"] == pytest.approx(mean, abs=1e-9)
        p_values.append(2 * stats.t(n - 2).sf(abs(mean) / error))
        assert row["p_value"] == pytest.approx(p_values[-1])
        assert row["p_human"] == pytest.approx(stats.ttest_1samp([*by_people.values()], 0).pvalue)
        assert row["p_judge"] == pytest.approx(stats.ttest_1samp([*by_model.values()], 0).pvalue)
        assert row["difference_human"] == pytest.approx(sum(by_people.values()) / 25)
        errors = [by_model[user] - by_people[user] for user in SAMPLE]
        interval = stats.t.interval(0.95, 24, sum(errors) / 25, stats.sem(errors))
        assert (row["bias_low"], row["bias_high"]) == pytest.approx(interval)
    holm = dict(zip(sorted(p_values), reference_holm(sorted(p_values)), strict=True))
    assert [row["p_corrected"] for row in found] == pytest.approx([holm[p] for p in p_values])


def reference_holm(ascending: list[float]) -> list[float]:
    largest, corrected = 0.0, []
    for place, p in enumerate(ascending):
        largest = max(largest, min(1.0, p * (len(ascending) - place)))
        corrected.append(largest)
    return corrected


def test_segments_have_rows_of_their_own() -> None:
    human, judge = (compare(truth, RECS, by="country", **SETTINGS) for truth in (PEOPLE, MODEL))
    result = judge_corrected(human, judge)
    for relation, systems in ((result.summary, 3), (result.differences, 2)):
        assert len(rows_of(relation)) == systems * 2 * 3
    alone = [
        judge_corrected(
            *(
                evaluate(
                    table([row for row in zip(*truth.values(), strict=True) if row[3] == "de"], *COLUMNS),
                    RECS["one"],
                    **SETTINGS,
                )
                for truth in (PEOPLE, MODEL)
            )
        )
    ]
    columns = "mean, low, high, bias, judge_weight, effective_n"
    in_de = result.summary.filter("system = 'one' AND country = 'de'").project(columns).fetchall()
    assert in_de == alone[0].summary.project(columns).fetchall()


def test_it_is_shown_in_every_format() -> None:
    human, judge = (compare(truth, RECS, **SETTINGS) for truth in (PEOPLE, MODEL))
    several = judge_corrected(human, judge)
    single = judge_corrected(human.evaluations["one"], judge.evaluations["one"])
    assert "corrected by those of people for 25 of them; Holm's correction" in repr(several)
    assert "Holm" not in repr(single)
    for result in (several, single):
        for text in (result.to_markdown(), result.to_html(), result.to_latex(), result._repr_html_()):
            assert "precision" in text.lower() or "P" in text
        assert result.render("csv").count("\n") == (4 if result is several else 2)
    with pytest.raises(CallError, match=r"differences: one system has no difference"):
        single.differences  # noqa: B018


def test_a_sample_that_is_visibly_not_random_has_a_warning() -> None:
    """People judged the users with the best values alone."""
    judge = evaluate(MODEL, RECS["one"], **SETTINGS)
    best = sorted(USERS, key=lambda user: values(judge, "precision")[user])[-20:]
    chosen = table([row for row in zip(*MODEL.values(), strict=True) if row[0] in best], *COLUMNS)
    human = evaluate(chosen, RECS["one"], **SETTINGS)
    with pytest.warns(DataWarning, match=r"precision@3 by the judge is 1\.0000 for the users that people"):
        judge_corrected(human, judge)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        judge_corrected(evaluate(PEOPLE, RECS["one"], **SETTINGS), judge)


def without_relevant(truth: Table, user: int) -> Table:
    rels = zip(truth["userid"], truth["rel"], strict=True)
    return {**truth, "rel": [0 if of_user == user else rel for of_user, rel in rels]}


def test_few_users_are_said() -> None:
    human, judge = (evaluate(truth, RECS["one"], **SETTINGS) for truth in (PEOPLE, MODEL))
    assert judge_corrected(human, judge).notes() == [
        "people judged 25 users: below 30, intervals may be too short"
    ]


def test_equal_values_in_a_range_without_an_end_have_no_interval() -> None:
    ones = {**PEOPLE, "rel": [2] * len(PEOPLE["rel"])}
    human, judge = (evaluate(truth, RECS["one"], k=3, metrics="dcg", rel="rel") for truth in (ones, MODEL))
    (row,) = rows_of(judge_corrected(human, judge).summary)
    assert (row["low"], row["high"], row["judge_weight"]) == (None, None, 0)


def test_names_of_segments_mean_nothing() -> None:
    """Columns have the names of those that queries have within."""
    expected = None
    for name in ("country", "by_people", "human_0", "userid_", "segment_0", "found", "h"):
        truths = [{**truth, name: truth["country"]} for truth in (PEOPLE, MODEL)]
        human, judge = (compare(truth, RECS, by=name, **SETTINGS) for truth in truths)
        result = judge_corrected(human, judge)
        found = [relation.fetchall() for relation in (result.summary, result.differences)]
        expected = expected or found
        assert found == expected, name


@pytest.mark.parametrize(("size", "power"), [(0.05, 0.8), (0.2, 0.9), (0.001, 0.8)])
def test_users_needed_are_those_of_the_aggregate(size: float, power: float) -> None:
    human, judge = (compare(truth, RECS, by="country", **SETTINGS) for truth in (PEOPLE, MODEL))
    found = rows_of(judge_corrected(human, judge).users_needed(size, power))
    assert len(found) == 12
    con = rankdcg_sql.connect()
    for row in found:
        if not row["all_users"]:
            continue
        pairs = [
            [values(result.evaluations[row[name]], row["metric"]) for name in ("system", "against")]
            for result in (human, judge)
        ]
        by_people, by_model = ({user: a[user] - b[user] for user in a} for a, b in pairs)
        listed = ", ".join(f"({by_people.get(user, 'NULL')}, {by_model[user]})" for user in USERS)
        query = f"judge_corrected_mean(a, b, 'difference={size}, power={power}').users_needed"
        (needed,) = con.execute(f"SELECT {query} FROM (VALUES {listed}) AS t(a, b)").fetchone() or ()
        assert row["users_needed"] == needed
    with pytest.raises(CallError, match=r"^users_needed: power must be"):
        judge_corrected(human, judge).users_needed(size, 2)


#: The weight of each user, and a table of the users whom people judged with theirs.
WEIGHT_OF = [1.0 + user % 3 for user in USERS]
WEIGHTS = {"userid": SAMPLE, "w": [WEIGHT_OF[user] for user in SAMPLE]}


def test_weights_are_those_of_the_values_by_people(tmp_path: Path) -> None:
    human = evaluate(PEOPLE, RECS["one"], weight="w", segments=WEIGHTS, **SETTINGS)
    judge = evaluate(MODEL, RECS["one"], **SETTINGS)
    result = judge_corrected(human, judge)
    for row in rows_of(result.summary):
        by_people, by_model = values(human, row["metric"]), values(judge, row["metric"])
        pairs = [(by_people.get(user), by_model[user]) for user in USERS]
        mean, error, power, n = reference.judge_corrected_mean(pairs, WEIGHT_OF)
        half_width = stats.t(n - 2).isf(0.025) * error
        assert row["mean"] == pytest.approx(mean, abs=1e-9)
        assert (row["low"], row["high"]) == pytest.approx((mean - half_width, mean + half_width), abs=1e-9)
        assert row["judge_weight"] == pytest.approx(power, abs=1e-9)
        assert row["mean_human"] == pytest.approx(human.means[f"{row['metric']}@3"])
        assert row["mean_judge"] == pytest.approx(judge.means[f"{row['metric']}@3"])
        errors = [(by_model[user] - by_people[user], WEIGHT_OF[user]) for user in SAMPLE]
        bias, error, *_ = reference.weighted_mean(errors)
        half_width = stats.t(24).isf(0.025) * error
        found = (row["bias"], row["bias_low"], row["bias_high"])
        assert found == pytest.approx((bias, bias - half_width, bias + half_width), abs=1e-9)
    (decision,) = decided(result, "ndcg@3 > 0.8")
    by_people, by_model = values(human, "ndcg"), values(judge, "ndcg")
    pairs = [(by_people.get(user), by_model[user]) for user in USERS]
    aggregate = by_hand(pairs, "confidence=0.9, lower_bound=0, upper_bound=1", WEIGHT_OF)
    assert (decision.mean, decision.low, decision.weighted_by) == (aggregate["mean"], aggregate["low"], "w")
    assert str(decision).endswith("25 users by people and 60 by the judge, weighted by w)")
    assert "25 of them, weighted by w" in repr(result)
    assert "weighted_judge_corrected_mean" in result.report()
    effective = sum(WEIGHTS["w"]) ** 2 / sum(weight**2 for weight in WEIGHTS["w"])
    judged = f"people judged 25 users, who say as much as {effective:.0f} without weights"
    assert result.notes() == [f"{judged}: below 30, intervals may be too short"]
    result.append(tmp_path / "history.parquet")
    kept = pq.read_table(tmp_path / "history.parquet", columns=["weighted_by"])["weighted_by"]
    assert kept.to_pylist() == ["w"] * 2


def test_differences_have_weights_too() -> None:
    human = compare(PEOPLE, RECS, "other", weight="w", segments=WEIGHTS, **SETTINGS)
    judge = compare(MODEL, RECS, "other", **SETTINGS)
    result = judge_corrected(human, judge)
    needed = result.users_needed(0.2).fetchall()
    found = dict(zip(("one", "third"), decided(result, "ndcg@3 differs"), strict=True))
    for row, (*_, users) in zip(rows_of(result.differences), needed, strict=True):
        pairs = pairs_of(human, judge, row["metric"], row["system"], row["against"])
        aggregate = by_hand(pairs, "difference=0.2", WEIGHT_OF)
        for name, of_aggregate in (("difference", "mean"), ("p_value",) * 2, ("effective_n",) * 2):
            assert row[name] == pytest.approx(aggregate[of_aggregate], abs=1e-9)
        assert users == aggregate["users_needed"]
        assert row["difference_human"] == pytest.approx(aggregate["mean_human"])
        if row["metric"] == "ndcg":
            assert found[row["system"]].p_value == pytest.approx(row["p_value"])
        of_people = [(pairs[user][0] or 0.0, WEIGHT_OF[user]) for user in SAMPLE]
        mean, error, *_ = reference.weighted_mean(of_people)
        assert row["p_human"] == pytest.approx(2 * stats.t(24).sf(abs(mean) / error))
        assert row["p_judge"] == pytest.approx(stats.ttest_1samp([judge for _, judge in pairs], 0).pvalue)


def test_a_sample_in_proportion_to_its_weights_is_no_cause_for_a_warning() -> None:
    """A user with a high value is drawn twice in three times, and one with a low value once in six times."""
    users = range(600)
    model = table([(user, user % 2 == 0) for user in users], "userid", "itemid")
    rec = {"userid": [*users], "itemid": [True] * 600, "score": [1.0] * 600}
    sample = [user for user in users if user % 6 in (0, 4) or user % 12 == 9]
    people = table([(user, user % 2 == 0) for user in sample], "userid", "itemid")
    shares = {even: sum(user % 2 == even for user in sample) / 300 for even in (0, 1)}
    weights = {"userid": sample, "w": [1 / shares[user % 2] for user in sample]}
    settings: dict[str, Any] = {"k": 1, "metrics": "precision"}
    judge = evaluate(model, rec, **settings)
    with pytest.warns(DataWarning, match="they seem to be no random sample"):
        judge_corrected(evaluate(people, rec, **settings), judge)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        judge_corrected(evaluate(people, rec, weight="w", segments=weights, **settings), judge)
    wrong = {**weights, "w": [1 / weight for weight in weights["w"]]}
    with pytest.warns(DataWarning, match=r"people judged with their weights, and 0\.5000 for all: they seem"):
        judge_corrected(evaluate(people, rec, weight="w", segments=wrong, **settings), judge)


def decided(result: rankdcg_sql.JudgeCorrected, *requirements: str) -> Any:
    """The outcomes of requirements, whether they are met or not."""
    try:
        return result.require(*requirements)
    except RequirementError as error:
        return error.requirements


@cache
def both(confidence: float = 0.95, **settings: Any) -> tuple[Any, Any]:
    human, judge = (
        compare(truth, RECS, confidence=confidence, **SETTINGS, **settings) for truth in (PEOPLE, MODEL)
    )
    return human, judge


def pairs_of(human: Any, judge: Any, metric: str, *systems: str) -> list[tuple[float | None, float]]:
    """The values of a system, or the differences of two, by people and by the judge."""
    by_people, by_model = (
        [values(result.evaluations[system], metric) for system in systems] for result in (human, judge)
    )

    def value(sides: list[dict[int, float]], user: int) -> float | None:
        return sides[0][user] - sum(side[user] for side in sides[1:]) if user in sides[0] else None

    return [(value(by_people, user), value(by_model, user) or 0.0) for user in USERS]


def by_hand(
    pairs: Sequence[tuple[float | None, float]], options: str, weights: Sequence[float] | None = None
) -> dict[str, Any]:
    """The aggregate of pairs of values, of which those by people may have weights."""
    listed = ", ".join(
        f"({'NULL' if human is None else human}::DOUBLE, {judge}::DOUBLE, {weight})"
        for (human, judge), weight in zip(pairs, weights or [1.0] * len(pairs), strict=True)
    )
    call = "judge_corrected_mean(a, b" if weights is None else "weighted_judge_corrected_mean(a, b, w"
    query = f"SELECT {call}, '{options}') FROM (VALUES {listed}) AS t(a, b, w)"
    (found,) = rankdcg_sql.connect().execute(query).fetchone() or ({},)
    return dict(found)


MEANS = [0.55, 0.65, 0.7, 0.75, 0.9]
MARGINS = [0.01, 0.05, 0.1, 0.15, 0.2, 0.3]


@pytest.mark.parametrize("confidence", [0.95, 0.8])
@pytest.mark.parametrize(
    ("form", "is_above", "systems", "numbers"),
    [
        ("third: ndcg@3 >= {}", True, ["third"], MEANS),
        ("third: ndcg@3 > {}", True, ["third"], MEANS),
        ("third: ndcg@3 <= {}", False, ["third"], MEANS),
        ("third: ndcg@3 < {}", False, ["third"], MEANS),
        ("one: ndcg@3 better by {}", True, ["one", "other"], MARGINS),
        ("third: ndcg@3 not worse by {}", True, ["third", "other"], MARGINS),
        ("one: ndcg@3 better", True, ["one", "other"], [0]),
        ("third: ndcg@3 better", True, ["third", "other"], [0]),
    ],
)
def test_a_bound_is_tested_by_students_t(
    form: str, is_above: bool, systems: list[str], numbers: list[float], confidence: float
) -> None:
    human, judge = both(confidence, baseline="other")
    result, alpha = judge_corrected(human, judge), 1 - confidence
    pairs = pairs_of(human, judge, "ndcg", *systems)
    mean, error, _, n = reference.judge_corrected_mean(pairs)
    least = len(systems) - 1  # a difference may be -1
    aggregate = by_hand(pairs, f"confidence={1 - 2 * alpha!r}, lower_bound={-least}, upper_bound=1")
    outcomes = set()
    for number in numbers:
        bound = -number if "worse" in form else number
        (found,) = decided(result, form.format(number))
        p_above = stats.t(n - 2).sf((mean - bound) / error)
        passes, fails = (p_above, 1 - p_above) if is_above else (1 - p_above, p_above)
        outcome = "passed" if passes < alpha else "failed" if fails < alpha else "inconclusive"
        assert found.outcome == outcome, found
        outcomes.add(outcome)
        assert (found.low, found.high) == pytest.approx((aggregate["low"], aggregate["high"]), abs=1e-9)
        assert (found.n, found.n_judge, found.test, found.p_value) == (25, 60, "t", None)
        assert found.confidence == pytest.approx(1 - 2 * alpha)
        measured = found.mean if found.difference is None else found.difference
        assert measured == pytest.approx(mean, abs=1e-9)
    assert len(outcomes) == {1: 1, 5: 3, 6: 2 if "worse" in form else 3}[len(numbers)]


def test_equivalence_is_two_tests_and_fails_beyond_a_margin_at_half_of_alpha() -> None:
    human, judge = both(baseline="other")
    result = judge_corrected(human, judge)
    outcomes = []
    for system in ("one", "third"):
        pairs = pairs_of(human, judge, "ndcg", system, "other")
        mean, error, _, n = reference.judge_corrected_mean(pairs)
        student = stats.t(n - 2)
        for margin in (0.01, 0.02, 0.05, 0.09, 0.1, 0.12, 0.15, 0.25):
            (found,) = decided(result, f"{system}: ndcg@3 equivalent within {margin}")
            nearest = min(student.cdf((mean + margin) / error), student.sf((mean - margin) / error))
            beyond = student.cdf((margin - abs(mean)) / error)
            expected = "failed" if beyond < 0.025 else "passed" if 1 - nearest < 0.05 else "inconclusive"
            assert found.outcome == expected, found
            outcomes.append(expected)
    assert set(outcomes) == {"passed", "failed", "inconclusive"}


@pytest.mark.parametrize(
    ("requirement", "bounds", "options"),
    [
        ("one: ndcg@3 >= {}", [0.85, 0.87, 0.92], "alpha=0.02, power=0.8"),
        ("one: ndcg@3 < {}", [0.999, 0.96, 0.92], "alpha=0.02, power=0.8"),
        ("one: ndcg@3 better by {}", [0.02, 0.03, 0.1, 0.2], "alpha=0.02, power=0.8"),
        ("one: ndcg@3 equivalent within {}", [0.18, 0.19, 0.2], "alpha=0.02, power=0.9"),
        ("one: ndcg@3 equivalent within {}", [0.01, 0.02, 0.1], "alpha=0.01, power=0.8"),
    ],
)
def test_users_needed_to_decide_are_those_of_the_aggregate(
    requirement: str, bounds: list[float], options: str
) -> None:
    truth = table([row for row in zip(*PEOPLE.values(), strict=True) if row[0] in SAMPLE[:9]], *COLUMNS)
    human, judge = (compare(each, TWO, "other", confidence=0.99, **SETTINGS) for each in (truth, MODEL))
    result = judge_corrected(human, judge)
    systems = ["one"] if ">" in requirement or "<" in requirement else ["one", "other"]
    pairs = pairs_of(human, judge, "ndcg", *systems)
    mean, _, _, _ = reference.judge_corrected_mean(pairs)
    needed = []
    for bound in bounds:
        (found,) = decided(result, requirement.format(bound))
        aggregate = by_hand(pairs, f"difference={abs(mean - bound)!r}, {options}")
        expected = aggregate["users_needed"] if found.outcome == "inconclusive" else None
        needed.append(found.users_needed)
        assert found.users_needed == (expected if expected and expected > 9 else None)
        assert ("users by people would show" in found.needed) == (found.users_needed is not None)
    assert any(needed)


def test_a_difference_in_either_direction_has_the_p_value_of_the_aggregate() -> None:
    human, judge = both(baseline="other")
    found = decided(judge_corrected(human, judge), "ndcg@3 differs", "precision@3 differs")
    assert [each.system for each in found] == ["one", "third"] * 2
    for each in found:
        pairs = pairs_of(human, judge, each.measure.partition("@")[0], each.system, "other")
        aggregate = by_hand(pairs, "lower_bound=-1, upper_bound=1")
        for name in ("p_value", "low", "high"):
            assert getattr(each, name) == pytest.approx(aggregate[name], abs=1e-9)
        assert each.outcome == ("passed" if aggregate["p_value"] < 0.05 else "inconclusive")


def test_a_requirement_is_of_a_segment_or_of_what_is_measured() -> None:
    human, judge = both(baseline="other", by="country")
    result = judge_corrected(human, judge)
    found = decided(result, "one: ndcg@3 better in every segment", "one: ndcg@3 better in country=de")
    assert [each.segment for each in found] == ["country=de", "country=fr", "country=de"]
    assert found[0].low == found[2].low
    in_table = result.differences.filter("system = 'one' AND metric = 'ndcg'").order("country")
    rows = in_table.project("n_human, n_judge, difference").fetchall()
    assert [(each.n, each.n_judge, each.difference) for each in found[:2]] == rows[:2]
    relative = decided(result, "measured one: ndcg@3 better by 1%", "measured one: ndcg@3 > 0.95")
    assert [each.outcome for each in relative] == ["passed", "failed"]
    means = dict(result.summary.filter("metric = 'ndcg' AND all_users").project("system, mean").fetchall())
    assert (relative[1].mean, relative[0].baseline) == pytest.approx((means["one"], means["other"]), abs=1e-9)
    assert "25 users by people and 60 by the judge" in str(relative[1])


def test_a_segment_whom_nobody_judged_is_undecided() -> None:
    truths = [
        {**truth, "country": [user not in SAMPLE for user in truth["userid"]]} for truth in (PEOPLE, MODEL)
    ]
    human, judge = (evaluate(truth, RECS["one"], by="country", **SETTINGS) for truth in truths)
    result = judge_corrected(human, judge)
    with pytest.raises(RequirementError, match="no user has a value"):
        result.require("ndcg@3 > 0 in country=true", inconclusive="pass")


def test_equal_values_are_decided_by_the_range_of_the_metric_or_not_at_all() -> None:
    rel = [3 if item == 0 else 0 for _, item in RELS]
    perfect = {**MODEL, "rel": rel}
    by_people = table([row for row in zip(*perfect.values(), strict=True) if row[0] in SAMPLE], *COLUMNS)
    first = {**RECS["one"], "score": [float(item == 0) for item in RECS["one"]["itemid"]]}
    settings = {"metrics": ["ndcg", "dcg"], "k": 3, "rel": "rel"}
    recs = {"new": first, "old": first, "late": {**first, "score": [-score for score in first["score"]]}}
    human, judge = (compare(truth, recs, "old", **settings) for truth in (by_people, perfect))
    result = judge_corrected(human, judge)
    found = decided(
        result,
        *("new: ndcg@3 > 0.85", "new: ndcg@3 > 0.95", "new: dcg@3 > 0.1", "late: ndcg@3 differs"),
        *("new: ndcg@3 not worse by 0.001", "new: ndcg@3 better", "new: ndcg@3 differs"),
    )
    outcomes = ["passed", "inconclusive", "inconclusive", "passed", "passed", "failed", "inconclusive"]
    assert [each.outcome for each in found] == outcomes
    assert found[0].low == pytest.approx(0.05 ** (1 / 25))
    assert (found[2].low, found[2].is_constant) == (None, True)


REQUIRED = {
    "'one: ndcg@3 better by 1%' cannot be required: a corrected mean is tested against a number": (
        "one: ndcg@3 better by 1%"
    ),
    "'ndcg@5 > 0' cannot be required: the result has no ndcg@5": "ndcg@5 > 0",
    "'second: ndcg@3 > 0' cannot be required: there is no system 'second'": "second: ndcg@3 > 0",
    "'ndcg@3 > 0 in country=de' cannot be required: the result has no segments": "ndcg@3 > 0 in country=de",
}


@pytest.mark.parametrize("message", REQUIRED)
def test_what_cannot_be_required_is_refused(message: str) -> None:
    with pytest.raises(CallError, match=f"^require: {re.escape(message)}"):
        judge_corrected(*both(baseline="other")).require(REQUIRED[message])


def test_all_pairs_have_no_baseline_to_be_better_than() -> None:
    result = judge_corrected(*both(baseline="all"))
    assert result.require("one: ndcg@3 > 0.5")[0].outcome == "passed"
    with pytest.raises(CallError, match=r"'better' needs a baseline"):
        result.require("one: ndcg@3 better")


def of(truth: Table, **changed: Any) -> rankdcg_sql.Evaluation:
    return evaluate(truth, changed.pop("rec", RECS["one"]), **{**SETTINGS, **changed})


def of_two(truth: Table = PEOPLE, **changed: Any) -> rankdcg_sql.Comparison:
    return compare(truth, RECS, **SETTINGS, **changed)


#: One row is of another user.
ANOTHER = {**RECS["one"], "userid": [*RECS["one"]["userid"]]}
ANOTHER["userid"][ANOTHER["userid"].index(SAMPLE[0])] = 1000
SHORT = {name: column[:30] for name, column in RECS["one"].items()}
TWO = {name: RECS[name] for name in ("one", "other")}
AS_TEXT = {**PEOPLE, "userid": [*map(str, PEOPLE["userid"])]}
REC_AS_TEXT = {**RECS["one"], "userid": [*map(str, RECS["one"]["userid"])]}
WRONG = {
    "human must be the result of evaluate or compare, got 3": lambda: (3, of(MODEL)),
    "judge must be the result of evaluate or compare, got None": lambda: (of(PEOPLE), None),
    "judge must be of the same kind as human, Evaluation, got Comparison": lambda: (
        of(PEOPLE),
        compare(MODEL, RECS, **SETTINGS),
    ),
    r"judge has metrics=\['ndcg@2', 'precision@2'\], and human": lambda: (of(PEOPLE), of(MODEL, k=2)),
    r"judge has confidence=0\.9, and human has confidence=0\.95": lambda: (
        of(PEOPLE),
        of(MODEL, confidence=0.9),
    ),
    "judge has options=": lambda: (of(PEOPLE), of(MODEL, min_rel=1)),
    r"judge lacks userid .*, which human has: .*\(are human and judge swapped\?\)": lambda: (
        of(MODEL),
        of(PEOPLE),
    ),
    "judge has another rec than human: 30 and 360 rows": lambda: (of(PEOPLE), of(MODEL, rec=SHORT)),
    "judge has another rec than human: other numbers of items for userid": lambda: (
        of(PEOPLE, k=None),
        of(MODEL, k=None, rec=ANOTHER),
    ),
    r"human has no value of ndcg@3 for userid .*no_relevant=\"zero\"": lambda: (
        of(without_relevant(PEOPLE, SAMPLE[0])),
        of(MODEL),
    ),
    "judge has no value of ndcg@3 for userid": lambda: (of(PEOPLE), of(without_relevant(MODEL, SAMPLE[0]))),
    "judge has another country than human for userid": lambda: (
        of(PEOPLE, by="country"),
        of({**MODEL, "country": ["de"] * len(MODEL["rel"])}, by="country"),
    ),
    "human has segments by judge_weight, and the results have a column": lambda: (
        of({**PEOPLE, "judge_weight": PEOPLE["country"]}, by="judge_weight"),
        of({**MODEL, "judge_weight": MODEL["country"]}, by="judge_weight"),
    ),
    "human has test='wilcoxon'": lambda: (of_two(test="wilcoxon"), of_two(MODEL, test="wilcoxon")),
    "human has alternative='greater'": lambda: (
        of_two(alternative="greater"),
        of_two(MODEL, alternative="greater"),
    ),
    "judge has alternative='less'": lambda: (of_two(), of_two(MODEL, alternative="less", margin=0.01)),
    "human has interval='bootstrap'": lambda: (
        of(PEOPLE, interval="bootstrap"),
        of(MODEL, interval="bootstrap"),
    ),
    "judge has users weighted by itemid: all users of the judge count alike": lambda: (
        of(PEOPLE, **WEIGHT),
        of(MODEL, **WEIGHT),
    ),
    "human has coverage@3, a measure of all users together": lambda: (of(PEOPLE, **ALL), of(MODEL, **ALL)),
    "judge has users of the type int64, and human of": lambda: (of(AS_TEXT, rec=REC_AS_TEXT), of(MODEL)),
    "judge has pairs=": lambda: (
        compare(PEOPLE, RECS, "one", **SETTINGS),
        compare(MODEL, RECS, "all", **SETTINGS),
    ),
    "judge has baseline=None, and human has baseline='one'": lambda: (
        compare(PEOPLE, TWO, "one", **SETTINGS),
        compare(MODEL, TWO, "all", **SETTINGS),
    ),
    "judge has correction=": lambda: (
        compare(PEOPLE, RECS, **SETTINGS),
        compare(MODEL, RECS, correction=None, **SETTINGS),
    ),
}
WEIGHT: dict[str, Any] = {
    "weight": "itemid",
    "segments": {"userid": [*USERS], "itemid": [2] * len(USERS)},
}
ALL: dict[str, Any] = {"metrics": ["coverage"], "items": {"itemid": [*ITEMS]}, "rel": "rel", "min_rel": 2}


@pytest.mark.filterwarnings("ignore::rankdcg_sql.DataWarning")
@pytest.mark.parametrize("message", WRONG)
def test_what_cannot_be_corrected_is_refused(message: str) -> None:
    human, judge = WRONG[message]()
    with pytest.raises(CallError, match=f"^judge_corrected: {message}"):
        judge_corrected(human, judge)  # type: ignore[arg-type]


@pytest.mark.parametrize("ending", ["parquet", "csv"])
def test_a_history_compares_corrected_means_with_corrected_ones_alone(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"history.{ending}"
    human, judge = both(baseline="other", by="country", fingerprints=True)
    result = judge_corrected(human, judge)
    for appended, label in ((judge, "a"), (result, "b"), (human, "c"), (result, "d")):
        appended.append(path, label)
    history = rankdcg_sql.history(path)
    against = history.changes.project("label, against_label, corrected_by").distinct().order("ALL")
    assert against.fetchall() == [
        ("a", None, None),
        ("b", None, "people"),
        ("c", "a", None),
        ("d", "b", "people"),
    ]
    columns = "system, metric, k, {}, mean, low, high, interval_by"
    segment = "CASE WHEN NOT all_users THEN json_object('country', country)::VARCHAR END"
    expected = result.summary.project(f"{columns.format('n_human')}, {segment} AS segment").order("ALL")
    kept = history.runs.filter("label = 'd'").project(f"{columns.format('n')}, segment").order("ALL")
    assert kept.fetchall() == expected.fetchall()
    rows = history.runs.filter("label = 'd'").project(
        "users, interval, confidence, options, weighted_by, without_value, truth_fingerprint, rec_fingerprint"
    )
    first = judge.evaluations["one"]
    truths = " ".join(each.evaluations["one"].fingerprints["truth"] for each in (human, judge))
    settings = ("truth", "t", 0.95, "min_rel=2", None, 0, truths, first.fingerprints["rec"])
    assert settings in rows.fetchall()
    assert set(history.runs.filter("label = 'a'").project("truth_fingerprint").fetchall()) == {
        (first.fingerprints["truth"],)
    }
    assert "corrected by" in repr(history)


def test_a_correction_of_one_system_is_appended_without_a_name(tmp_path: Path) -> None:
    path = tmp_path / "history.csv"
    human, judge = both()
    alone = judge_corrected(human.evaluations["one"], judge.evaluations["one"])
    alone.append(path, "a", datetime(2026, 3, 1, tzinfo=timezone.utc))
    pickle.loads(pickle.dumps(alone)).append(path, "b")
    changes = rankdcg_sql.history(path, metrics="ndcg").changes
    row = changes.project("label, system, corrected_by, truth_fingerprint, difference, is_significant")
    assert row.fetchall() == [
        ("a", None, "people", None, None, None),
        ("b", None, "people", None, 0.0, False),
    ]
    with pytest.raises(CallError, match="append: label must not be 'previous'"):
        alone.append(path, "first")


def test_a_history_without_the_column_has_means_that_are_not_corrected(tmp_path: Path) -> None:
    path, older = tmp_path / "history.parquet", tmp_path / "older.parquet"
    human, judge = both()
    judge.append(path, "a")
    con = rankdcg_sql.connect()
    con.execute(f"COPY (SELECT * EXCLUDE (corrected_by) FROM '{path}') TO '{older}'")
    judge_corrected(human, judge).append(older, "b")
    judge.append(older, "c")
    against = rankdcg_sql.history(older).changes.project("label, against_label").distinct().order("ALL")
    assert against.fetchall() == [("a", None), ("b", None), ("c", "a")]


def test_rows_are_given_as_frames_and_written_to_files(tmp_path: Path) -> None:
    human, judge = both(by="country")
    several = judge_corrected(human, judge)
    single = judge_corrected(human.evaluations["one"], judge.evaluations["one"])
    for result, relation in ((several, several.differences), (single, single.summary)):
        expected = relation.to_arrow_table()
        assert result.to_arrow() == expected
        assert result.to_polars().to_arrow().to_pylist() == expected.to_pylist()
        assert result.to_pandas().shape == expected.shape
        result.write(tmp_path / "rows.parquet")
        assert pq.read_table(tmp_path / "rows.parquet").to_pylist() == expected.to_pylist()
    with pytest.raises(CallError, match=r"^write: .*rows\.xlsx' must end with \.parquet, \.csv"):
        several.write(tmp_path / "rows.xlsx")
    with pytest.raises(OSError, match="nowhere"):
        several.write(tmp_path / "nowhere" / "rows.csv")
