"""Users with weights, in means, intervals, tests, requirements and histories."""

from __future__ import annotations

import pickle
import random
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from scipy import stats
from support import reference
from support.commands import run
from support.systems import RELEVANT, SYSTEMS, USERS
from support.two_tables import NDCG, REC, TRUTH, approx, of_users

import rankdcg_sql
from rankdcg_sql import CallError, compare, evaluate

WEIGHTS = {"userid": [1, 2, 3, 7], "impressions": [5, 2.5, 1, 9]}
MEAN, ERROR, EFFECT, EFFECTIVE_N = reference.weighted_mean(
    [(NDCG[user], weight) for user, weight in zip(*WEIGHTS.values(), strict=True) if user in NDCG]
)
#: The weight of each of `USERS`, which differ much.
MANY = {"userid": [*range(USERS)], "shown": [1 + user**2 % 17 for user in range(USERS)]}


def weighted(truth: Any = TRUTH, rec: Any = REC, **arguments: Any) -> rankdcg_sql.Evaluation:
    given = {"metrics": "ndcg", "k": 2, "weight": "impressions", "segments": WEIGHTS}
    return evaluate(truth, rec, **given | arguments)


def test_means_and_intervals_are_those_of_the_reference():
    found = weighted(confidence=0.5)
    assert found["ndcg@2"] == approx(MEAN)
    ((n, low, high, *effect),) = found.summary.project(
        "n, low, high, weighted_by, design_effect, effective_n"
    ).fetchall()
    half_width = stats.t.isf(0.25, 2) * ERROR
    assert (n, low, high) == (3, approx(MEAN - half_width), approx(MEAN + half_width))
    assert effect == ["impressions", approx(EFFECT), approx(EFFECTIVE_N)]
    assert found.headline() == "Evaluation of 3 users, weighted by impressions"
    note = f"weighted by impressions: design effect {EFFECT:.2f}, effective n {EFFECTIVE_N:.0f}"
    assert found.notes()[-1] == note
    assert found.wide.columns == ["userid", "impressions", "ndcg@2"]
    assert found.per_user.project("userid, impressions").fetchall() == [(1, 5), (2, 2.5), (3, 1)]
    assert repr(pickle.loads(pickle.dumps(found))) == repr(found)


def test_weights_are_in_the_table_of_segments_or_in_truth_or_in_rec():
    truth = {**TRUTH, "impressions": [5, 5, 5, 2.5, 1]}
    rec = {**REC, "impressions": [5, 5, 5, 2.5, 2.5]}
    assert weighted(truth, segments=None)["ndcg@2"] == approx(MEAN)
    both = weighted(rec=rec, segments=None, users="both")
    assert both["ndcg@2"] == approx((5 * NDCG[1] + 2.5 * NDCG[2]) / 7.5)
    with pytest.raises(CallError, match=r"user of truth, and is not for 1$") as caught:
        weighted({**TRUTH, "impressions": [5, 4, 5, 2.5, 1]}, segments=None)
    assert caught.value.argument == "weight"
    plans = {**WEIGHTS, "plan": [*"abab"]}
    rows = weighted(by="plan", segments=plans).summary.project("plan, all_users, mean").fetchall()
    expected = [("a", False, (5 * NDCG[1] + NDCG[3]) / 6), ("b", False, NDCG[2]), (None, True, MEAN)]
    assert rows == [(*names, approx(mean)) for *names, mean in expected]


def test_a_user_of_weight_0_is_not_evaluated():
    found = weighted(segments={"userid": [1, 2, 3], "impressions": [3, 0, 1]})
    assert found["ndcg@2"] == approx((3 * NDCG[1] + NDCG[3]) / 4)
    assert (found.counts.users_evaluated, found.counts.users_of_weight_0) == (2, 1)
    assert "1 user of weight 0, not evaluated" in found.notes()
    assert found.per_user.project("userid").fetchall() == [(1,), (3,)]


@pytest.mark.parametrize(
    ("arguments", "argument", "message"),
    [
        ({"weight": 3}, "weight", "must be the name of a column, got 3"),
        ({"weight": "shows"}, "weight", "segments has no column 'shows', but userid, impressions"),
        ({"weight": "userid"}, "weight", "the results have a column 'userid' already"),
        ({"interval": "bootstrap"}, "interval", "must be 't' with weight: 'bootstrap' has no form for users"),
        ({"segments": {"userid": [1, 2], "impressions": [1, 2]}}, "weight", "least 0 .*, got NULL for 3$"),
        ({"segments": {**WEIGHTS, "impressions": [1, -2.0, 1, 1]}}, "weight", "least 0 .*, got -2.0 for 2$"),
        ({"segments": {**WEIGHTS, "impressions": [1, 2, float("nan"), 1]}}, "weight", ", got nan for 3$"),
        ({"segments": {**WEIGHTS, "impressions": [float("inf"), 2, 1, 1]}}, "weight", ", got inf for 1$"),
        ({"segments": {**WEIGHTS, "impressions": [0, 0, 0, 1]}}, "weight", "is 0 for each evaluated user"),
        (
            {"segments": {**WEIGHTS, "impressions": [*"abcd"]}},
            "weight",
            "must be a number, got texts such as",
        ),
        ({"weight": None}, "segments", "its columns must be named with by or weight"),
    ],
)
def test_errors(arguments: dict[str, Any], argument: str, message: str):
    with pytest.raises(CallError, match=message) as caught:
        weighted(**arguments)
    assert caught.value.argument == argument


def compared(**arguments: Any) -> rankdcg_sql.Comparison:
    given = {"metrics": "ndcg", "k": 3, "weight": "shown", "segments": MANY}
    return compare(RELEVANT, SYSTEMS, **given | arguments)


def test_differences_are_those_of_the_reference():
    found = compared()
    values = {name: of_users(RELEVANT, rec, metrics="ndcg", k=3) for name, rec in SYSTEMS.items()}
    weights = dict(zip(*MANY.values(), strict=True))
    rows = found.differences.project("system, difference, p_value, weighted_by, effective_n").fetchall()
    for system, difference, p_value, weighted_by, effective_n in rows:
        mean, error, _, users = reference.weighted_mean(
            [(values[system][user] - values["plain"][user], weights[user]) for user in weights]
        )
        assert (difference, weighted_by, effective_n) == (approx(mean), "shown", approx(users))
        assert p_value == approx(2 * stats.t.sf(abs(mean) / error, USERS - 1))
    assert found.headline().startswith("Comparison with plain: paired t test, weighted by shown, Holm's")
    for text in (repr(found), found.to_latex(), found.to_markdown(), found.to_html()):
        assert "paired t test, weighted by shown" in " ".join(text.split())
    page = found.report()
    assert "They are weighted by shown." in page
    assert "weighted_paired_comparison" in page
    assert "<h2>Why</h2>" not in page
    with pytest.raises(CallError, match=r"test must be 't' with weight: 'wilcoxon' has no form for users"):
        compared(test="wilcoxon")
    with pytest.raises(CallError, match="the weight of a user may differ between the tables of systems"):
        compare(TRUTH, {name: {**REC, "w": [1] * 5} for name in "ab"}, weight="w")


def test_equal_weights_change_no_number():
    equal = {"userid": MANY["userid"], "shown": [2] * USERS}
    without = compare(RELEVANT, SYSTEMS, metrics="ndcg", k=3)
    for name in ("summary", "differences"):
        relation = getattr(without, name)
        columns = ", ".join(relation.columns)
        assert getattr(compared(segments=equal), name).project(columns).fetchall() == relation.fetchall()


def test_requirements_are_about_weighted_means():
    found = compared()
    mean = found["ndcg@3"]["good"]
    decided = found.require(f"measured good: ndcg@3 >= {mean - 1e-6:.9f}", "good: ndcg@3 better by 1%")
    assert [each.outcome for each in decided] == ["passed"] * 2
    assert str(decided[1]).endswith("40 users, weighted by shown)")
    low, high = found.differences.filter("system = 'good'").project("low, high").fetchall()[0]
    (tested,) = found.require("good: ndcg@3 differs")
    assert (tested.low, tested.high, tested.test) == (approx(low), approx(high), "t")
    (decided_later,) = found.require("same: ndcg@3 better", inconclusive="pass")
    assert (decided_later.outcome, decided_later.users_needed) == ("inconclusive", None)


def test_a_history_does_not_compare_weighted_means_with_others(tmp_path: Path):
    path = tmp_path / "history.csv"
    one = evaluate(RELEVANT, SYSTEMS["plain"], metrics="ndcg", k=3)
    other = evaluate(RELEVANT, SYSTEMS["good"], metrics="ndcg", k=3, weight="shown", segments=MANY)
    for result, label in ((one, "a"), (other, "b"), (other, "c")):
        result.append(path, label)
    history = rankdcg_sql.history(path)
    assert history.changes.project("label, weighted_by, against_label").fetchall() == [
        ("a", None, None),
        ("b", "shown", None),
        ("c", "shown", "b"),
    ]
    assert "weighted by" in repr(history)
    with pytest.raises(CallError, match="explain_change: after has means weighted by shown"):
        rankdcg_sql.explain_change(one, other)


def test_the_command_line_takes_a_column_of_weights(tmp_path: Path):
    paths = {"truth": {**TRUTH, "impressions": [5, 5, 5, 2.5, 1]}, "rec": REC}
    for name, table in paths.items():
        rankdcg_sql.connect().from_arrow(pa.table(table)).write_csv(f"{tmp_path / name}.csv")
    files = [part for name in paths for part in (f"--{name}", f"{tmp_path / name}.csv")]
    printed = run("evaluate", *files, "-m", "ndcg@2", "--weight", "impressions")
    assert f"{MEAN:.4f}" in printed.stdout


def gauc(rows: list[tuple[int, int, float, bool]], by_clicks: bool) -> float:
    """The weighted mean of the AUC of users with clicks and others, where a pair that ties is a half."""
    total = weight = 0.0
    for user in {user for user, *_ in rows}:
        clicked, others = (
            [score for of, _, score, is_click in rows if of == user and is_click == wanted]
            for wanted in (True, False)
        )
        if clicked and others:
            pairs = [(a > b) + (a == b) / 2 for a in clicked for b in others]
            own = len(clicked) if by_clicks else len(clicked) + len(others)
            total, weight = total + own * sum(pairs) / len(pairs), weight + own
    return total / weight


@pytest.mark.parametrize("by_clicks", [False, True])
def test_gauc_is_auc_weighted_by_impressions_or_as_in_recbole_by_clicks(by_clicks: bool):
    chance = random.Random(8)
    rows = [
        (user, item, chance.randrange(4) / 4, chance.random() < 0.4)
        for user in range(60)
        for item in range(chance.randint(1, 9))
    ]
    users, items, scores, clicks = (list(column) for column in zip(*rows, strict=True))
    shown = [sum(is_click or not by_clicks for of, *_, is_click in rows if of == user) for user in users]
    rec = {"userid": users, "itemid": items, "score": scores, "shown": shown}
    truth = {"userid": users, "itemid": items, "rel": clicks}
    found = evaluate(truth, rec, k=None, metrics="auc", rel="rel", one_class="null", weight="shown")
    assert found["auc"] == approx(gauc(rows, by_clicks))
    with pytest.raises(ValueError, match=r"did you mean auc of the whole list .* and evaluate's weight"):
        evaluate(truth, rec, metrics="gauc", rel="rel")
