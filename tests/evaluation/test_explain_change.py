"""The parts of the difference of two evaluations: by hand, by slow Python, and with planted causes."""

from __future__ import annotations

import math
import pickle
import random
import re
from dataclasses import replace
from pathlib import Path
from statistics import fmean
from typing import Any

import duckdb
import pyarrow as pa
import pytest
from conftest import needs_duckdb_2
from scipy import stats
from support import reference
from support.two_tables import approx, rounded, select

import rankdcg_sql
from rankdcg_sql import (
    CallError,
    Change,
    Evaluation,
    RequirementError,
    compare,
    evaluate,
    explain_change,
)
from rankdcg_sql.evaluation._request import GivenTables
from rankdcg_sql.evaluation._results.changed_items import ChangedItems

Table = dict[str, list[Any]]
Values = dict[Any, float | None]

# Users 1 to 4 are in both runs; 5 leaves, and 6 comes. Each has one relevant item, and one that is returned.
# The judgements of 2 and 3 change from a to b.
PLANS = {"userid": [1, 2, 3, 4, 5, 6], "plan": ["free", "free", "paid", "paid", "free", "paid"]}
TRUTH = {"userid": [1, 2, 3, 4, 5], "itemid": [*"aaaaa"]}
REC = {"userid": [1, 2, 3, 4, 5], "itemid": [*"aabba"], "score": [1.0] * 5}
TRUTH_AFTER = {"userid": [1, 2, 3, 4, 6], "itemid": [*"abbaa"]}
REC_AFTER = {"userid": [1, 2, 3, 4, 6], "itemid": [*"bbbaa"], "score": [1.0] * 5}
LEFT, CAME, JUDGED, RANKED, TOTAL = "users_left", "users_came", "judgements", "ranking", "total"


def recall(truth: Any, rec: Any, **arguments: Any) -> Evaluation:
    return evaluate(truth, rec, k=1, metrics="recall", **arguments)


@pytest.fixture(scope="module")
def hand() -> Change:
    """The change of the tables above."""
    segments = {"by": "plan", "segments": PLANS}
    return explain_change(recall(TRUTH, REC, **segments), recall(TRUTH_AFTER, REC_AFTER, **segments))


def differences(change: Change) -> dict[str, float]:
    return dict(select(change.parts, "part, difference"))


def test_parts_by_hand(hand: Change) -> None:
    # Users 1 to 4 have the values 1, 1, 0, 0 before, 1, 0, 1, 0 in the middle, and 0, 1, 1, 1 after.
    assert rounded(select(hand.parts, "part, users, before, after, difference, share")) == [
        (LEFT, 1, 0.6, 0.5, -0.1, -0.5),
        (CAME, 1, 0.75, 0.8, 0.05, 0.25),
        (JUDGED, 2, 0.5, 0.5, 0.0, 0.0),
        (RANKED, 3, 0.5, 0.75, 0.25, 1.25),
        (TOTAL, 6, 0.6, 0.8, 0.2, 1.0),
    ]
    assert hand.order == "sequential"
    assert not hand.has_one_truth


def test_both_orders_by_hand(hand: Change) -> None:
    both = explain_change(hand.before, hand.after, order="shapley")
    # By the judgements before, the values after are 0, 0, 0, 1: judgements add 0 or 0.5, and the ranking 0.25
    # or -0.25.
    assert differences(both) == {
        LEFT: approx(-0.1),
        CAME: approx(0.05),
        JUDGED: 0.25,
        RANKED: 0.0,
        TOTAL: approx(0.2),
    }


def test_segments_and_users_by_hand(hand: Change) -> None:
    found = rounded(select(hand.by_segment, "plan, part, users, difference"))
    assert found == [
        ("free", LEFT, 1, -0.1),
        ("free", JUDGED, 2, -0.25),
        ("free", RANKED, 2, 0.0),
        ("free", TOTAL, 3, -0.35),
        ("paid", CAME, 1, 0.05),
        ("paid", JUDGED, 2, 0.25),
        ("paid", RANKED, 2, 0.25),
        ("paid", TOTAL, 3, 0.55),
    ]
    users = rounded(
        select(hand.by_user.filter("userid IN (2, 5)"), "userid, part, before, after, difference")
    )
    assert users == [
        (2, JUDGED, 1.0, 0.0, -0.25),
        (2, RANKED, 0.0, 1.0, 0.25),
        (2, TOTAL, 1.0, 1.0, 0.0),
        (5, LEFT, 1.0, None, -0.1),
        (5, TOTAL, 1.0, None, -0.1),
    ]


def test_those_who_decide_by_hand(hand: Change) -> None:
    # The mean rose: 3 and 4 add 0.25, 6 adds 0.05, 2 nothing, 5 takes 0.1, and 1 takes 0.25.
    users = rounded(select(hand.deciding_users, "userid, place, n, difference, cumulative, share"))
    assert users == [
        (3, 1, 6, 0.25, 0.25, 1.25),
        (4, 2, 6, 0.25, 0.5, 2.5),
        (6, 3, 6, 0.05, 0.55, 2.75),
        (2, 4, 6, 0.0, 0.55, 2.75),
        (5, 5, 6, -0.1, 0.45, 2.25),
        (1, 6, 6, -0.25, 0.2, 1.0),
    ]
    assert rounded(select(hand.deciding_segments, "plan, place, difference, share")) == [
        ("paid", 1, 0.55, 2.75),
        ("free", 2, -0.35, 1.0),
    ]
    left_out = select(hand.jackknife, "users_left_out, userid, users, difference")
    # Without user 3, the means are 3 of 4 before, and 3 of 4 after.
    assert (1, 3, 5, approx(0.0)) in left_out
    assert [row for row in left_out if row[0] != 1] == [
        (0, None, 6, approx(0.2))
    ]  # no one is left without all
    assert len(left_out) == 7


@needs_duckdb_2
def test_items_and_moves_by_hand(hand: Change) -> None:
    assert hand.has_items
    # Item a is a hit of 1 before and in the middle, of 2 before, and of 4 after; b is one of 2 after, and of
    # 3 in the middle and after.
    assert rounded(select(hand.by_item, "itemid, judgements, ranking, users, won, lost")) == [
        ("b", 0.25, 0.25, 2, 2, 0),
        ("a", -0.25, 0.0, 3, 1, 2),
    ]
    # The hits of 2 and 4 come, those of 1 and 2 go, and that of 3 stays.
    assert rounded(select(hand.by_move, "move, items, users, ranking")) == [
        ("into top k", 2, 2, 0.5),
        ("out of top k", 2, 2, -0.25),
        ("same rank", 1, 1, 0.0),
    ]
    assert rounded(select(hand.deciding_items, "itemid, place, difference, cumulative")) == [
        ("b", 1, 0.5, 0.5),
        ("a", 2, -0.25, 0.25),
    ]
    rows = select(hand.explain(1), "run, itemid, contribution")
    assert rows == [("before", "a", 1.0), ("after", "b", 0.0), ("after", "a", 0.0)]
    assert select(hand.explain(6), "run, itemid, contribution") == [("after", "a", 1.0)]
    with pytest.raises(ValueError, match=r"^explain: 7 is no user of truth, where they are such as 1, 2, 3$"):
        hand.explain(7)


def random_run(seed: int, users: range, judgements: int, quality: float) -> tuple[Table, Table]:
    """Truth and rec of these users. Equal numbers of `judgements` are equal judgements.

    The rec of some users has only items that judgements 2 judge, all alike.
    """
    chance = random.Random(seed)
    truth: Table = {"userid": [], "itemid": [], "rel": [], "plan": []}
    rec: Table = {"userid": [], "itemid": [], "score": []}
    for user in users:
        judged, later = (random.Random(f"{user} {each}").sample(range(20), 4) for each in (judgements, 2))
        is_flat = user % 11 == 0
        for item in judged:
            rel = 1 if is_flat and judgements == 2 else (item + user) % 4 if (user + judgements) % 5 else 0
            for column, value in zip(truth, (user, item, rel, ["free", "paid", None][user % 3]), strict=True):
                truth[column].append(value)
        for item in later if is_flat and judgements == 1 else range(20):
            if user % 7 and chance.random() < (quality if item in judged else 0.3):
                for column, value in zip(rec, (user, item, chance.randrange(8)), strict=True):
                    rec[column].append(value)
    return truth, rec


def values_of(truth: Any, rec: Any, **arguments: Any) -> Values:
    """The values of one measure, by user."""
    result = evaluate(truth, rec, **arguments)
    return dict(select(result.wide, "userid, #3"))


@pytest.mark.parametrize("metric", ["ndcg", "rankdcg"])
def test_the_parts_of_random_runs(metric: str) -> None:
    before, after = random_run(1, range(60), 1, 0.6), random_run(2, range(10, 80), 2, 0.8)
    settings: dict[str, Any] = {"k": None, "metrics": metric, "rel": "rel", "by": "plan"}
    of = {
        (judged, ranked): values_of(truth, rec, **settings)
        for judged, (truth, _) in (("before", before), ("after", after))
        for ranked, (_, rec) in (("before", before), ("after", after))
    }
    old, new = of["before", "before"], of["after", "after"]
    middle, other = of["after", "before"], of["before", "after"]
    counted = {
        run: {u: v for u, v in values.items() if v is not None}
        for run, values in (("old", old), ("new", new))
    }
    both = sorted(counted["old"].keys() & counted["new"].keys())
    assert any(middle[user] is None for user in both) == (metric == "rankdcg")
    means = [fmean(values.values()) for values in counted.values()]
    stayed = [fmean(counted[run][user] for user in both) for run in ("old", "new")]
    for order in ("sequential", "shapley"):
        change = explain_change(evaluate(*before, **settings), evaluate(*after, **settings), order=order)
        judged = {}
        for user in both:
            first = (old[user] if middle[user] is None else middle[user]) - old[user]
            last = new[user] - (new[user] if other[user] is None else other[user])
            judged[user] = first if order == "sequential" else (first + last) / 2
        ranked = {user: new[user] - old[user] - judged[user] for user in both}
        expected = {
            LEFT: stayed[0] - means[0],
            CAME: means[1] - stayed[1],
            JUDGED: fmean(judged.values()),
            RANKED: fmean(ranked.values()),
            TOTAL: means[1] - means[0],
        }
        found = differences(change)
        assert found == approx(expected)
        assert abs(math.fsum(found[part] for part in expected if part != TOTAL) - found[TOTAL]) < 1e-12
        tests = {name: rest for name, *rest in select(change.parts, "part, low, high, p_value, p_corrected")}
        for part, changes in ((JUDGED, judged), (RANKED, ranked)):
            tested = stats.ttest_1samp(list(changes.values()), 0)
            assert tests[part][2] == approx(tested.pvalue)
            assert tests[part][:2] == approx(list(tested.confidence_interval()))
        pairs = [(new.get(user), old.get(user)) for user in old.keys() | new.keys()]
        difference, error, freedom = reference.partially_overlapping_t_test(
            [pair for pair in pairs if pair != (None, None)]
        )
        assert tests[TOTAL][2] == approx(2 * stats.t.sf(abs(difference / error), freedom))
        # Users who stay are compared with all users of the run before.
        difference, error, freedom = reference.partially_overlapping_t_test(
            [(value if user in both else None, value) for user, value in counted["old"].items()]
        )
        half_width = stats.t.isf(0.025, freedom) * error
        assert tests[LEFT][2] == approx(2 * stats.t.sf(abs(difference / error), freedom))
        assert tests[LEFT][:2] == approx([difference - half_width, difference + half_width])
        holm = sorted(tests[part][2] for part in (LEFT, CAME, JUDGED, RANKED))
        assert min(tests[part][3] for part in tests if part != TOTAL) == approx(min(1, 4 * holm[0]))
        for relation, names in ((change.by_user, ""), (change.by_segment, "plan, ")):
            sums = dict(relation.aggregate("part, sum(difference)", "part").fetchall())
            assert sums == approx(found), names


@needs_duckdb_2
@pytest.mark.parametrize("metric", ["ndcg", "average_precision", "rankdcg"])
def test_the_items_of_random_runs_add_up_to_the_parts(metric: str) -> None:
    before, after = random_run(3, range(60), 1, 0.6), random_run(4, range(10, 80), 2, 0.8)
    runs = [evaluate(*run, k=None, metrics=metric, rel="rel") for run in (before, after)]
    for order in ("sequential", "shapley"):
        change = explain_change(*runs, order=order)
        found = differences(change)
        (sums,) = change.by_item.aggregate("sum(judgements), sum(ranking)").fetchall()
        assert sums == approx((found[JUDGED], found[RANKED]))
        assert change.by_move.aggregate("sum(ranking)").fetchall() == [(approx(found[RANKED]),)]
    # One item, slowly: what it adds by the judgements after, and before for users without a value by them.
    change = explain_change(*runs)
    item = select(change.by_item, "itemid")[0][0]
    middle = evaluate(after[0], before[1], k=None, metrics=metric, rel="rel")
    first, second, last = (
        dict(
            run.explain()
            .filter(f"itemid = {item}")
            .aggregate("userid, sum(contribution)", "userid")
            .fetchall()
        )
        for run in (runs[0], middle, runs[1])
    )
    without = {user for user, value in select(middle.wide, "userid, #2") if value is None}
    both = [user for (user,) in select(change.by_user.filter("part = 'ranking'"), "userid")]
    expected = fmean(
        (last.get(user) or 0) - ((first if user in without else second).get(user) or 0) for user in both
    )
    assert select(change.by_item.filter(f"itemid = {item}"), "ranking") == [(approx(expected),)]


def test_rows_and_threads_change_no_bit() -> None:
    before, after = random_run(5, range(300), 1, 0.6), random_run(6, range(20, 330), 2, 0.8)

    def shuffled(table: Table, seed: int) -> Table:
        order = [*range(len(table["userid"]))]
        random.Random(seed).shuffle(order)
        return {name: [column[place] for place in order] for name, column in table.items()}

    found = []
    for seed, threads in ((1, 1), (2, 4), (3, 2)):
        con = rankdcg_sql.connect(config={"threads": threads})
        runs = [
            evaluate(
                *(shuffled(table, seed) for table in run), k=5, metrics="ndcg", rel="rel", by="plan", con=con
            )
            for run in (before, after)
        ]
        change = explain_change(*runs)
        found.append([rel.fetchall() for rel in (change.parts, change.by_segment, change.by_user)])
        if change.has_items:
            found[-1].append(sorted(change.by_item.fetchall(), key=repr))
    assert found[0] == found[1] == found[2]


def test_one_truth(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = tmp_path / "truth.parquet"
    duckdb.from_arrow(pa.table(TRUTH)).write_parquet(str(path))
    for one, other in ((TRUTH, TRUTH), (path, str(path)), (str(path), str(path))):
        runs = [recall(truth, rec) for truth, rec in ((one, REC), (other, REC_AFTER))]
        change = explain_change(*runs)
        assert change.has_one_truth
        with monkeypatch.context() as patched:
            patched.delattr(GivenTables, "opened")
            # Users 1 to 5 have 1, 1, 0, 0, 1 before; after, 4 alone has a hit, and 5 is not served.
            assert rounded(select(change.parts, "part, users, difference")) == [
                (LEFT, 0, 0.0),
                (CAME, 0, 0.0),
                (JUDGED, 0, 0.0),
                (RANKED, 4, -0.4),
                (TOTAL, 5, -0.4),
            ]
            assert change.missing_items is None
            assert change.notes()[1] == "both runs have one truth: no judgement changed"
        compared = compare(TRUTH, {"before": REC, "after": REC_AFTER}, k=1, metrics="recall")
        of_test = select(compared.differences, "difference, low, high, p_value")
        of_ranking = select(change.parts.filter("part = 'ranking'"), "difference, low, high, p_value")
        assert rounded(of_ranking) == rounded(of_test)
    graded = {**TRUTH, "rel": [1, 1, 0, 1, 1]}
    assert not explain_change(recall(graded, REC), recall(graded, REC_AFTER, rel="rel")).has_one_truth


@pytest.mark.parametrize("kind", ["table", "file", "dict"])
def test_a_truth_that_changes_under_its_name_is_two(tmp_path: Path, kind: str) -> None:
    """Its rows are as many as before: users 2 and 4 swap their judgements, and lose their hits."""
    con = rankdcg_sql.connect()
    truth: Any = {"table": "truth", "file": str(tmp_path / "truth.parquet"), "dict": {}}[kind]

    def write(items: list[str]) -> None:
        rows = {"userid": [1, 2, 3, 4], "itemid": items}
        if kind == "dict":
            truth.update(rows)
        con.register("given", pa.table(rows))
        con.execute("CREATE OR REPLACE TABLE truth AS FROM given")
        con.sql("FROM given").write_parquet(str(tmp_path / "truth.parquet"))

    served = {"userid": [1, 2, 3, 4], "itemid": ["a", "b", "c", "d"], "score": [1, 1, 1, 1]}
    runs = []
    for items, rec in ((["a", "b", "c", "d"], served), (["a", "d", "c", "b"], dict(served))):
        write(items)
        runs.append(recall(truth, rec, con=con))
    change = explain_change(*runs)
    assert not change.has_one_truth
    assert differences(change) == {
        LEFT: 0.0,
        CAME: 0.0,
        JUDGED: approx(-0.5),
        RANKED: 0.0,
        TOTAL: approx(-0.5),
    }
    # Without the rec before, nobody knows which of the two changed.
    write(["a", "b", "c", "d"])
    before = recall(truth, served, con=con)
    write(["a", "d", "c", "b"])
    with pytest.raises(CallError, match=r"^explain_change: before is of the same names as after: keep"):
        explain_change(before, recall(truth, served, con=con))


def test_a_truth_that_grows_under_its_name_is_two() -> None:
    con = rankdcg_sql.connect()
    runs = []
    for truth, rec in ((TRUTH, REC), (TRUTH_AFTER, REC_AFTER)):
        con.register("given", pa.table(truth))
        con.execute("CREATE OR REPLACE TABLE truth AS FROM given LIMIT 4 + ?", [len(runs)])
        runs.append(recall("truth", rec, con=con))
    # Users 1 to 4 are in both: as by hand, a judgement gives one of them a hit and takes one from another.
    change = explain_change(*runs)
    assert select(change.parts.filter("part = 'judgements'"), "users, difference") == [(2, 0.0)]
    if change.has_items:
        changed = "the tables of before have changed since they were evaluated: evaluate them again"
        with pytest.raises(CallError, match=f"^explain_change: {changed}$"):
            change.by_item  # noqa: B018 - it reads the tables
    with pytest.raises(CallError, match=r"^explain_change: truth of before has changed .*: 5 rows, and"):
        explain_change(*runs, order="shapley")


def test_the_systems_of_a_comparison_have_one_truth(monkeypatch: pytest.MonkeyPatch) -> None:
    systems = compare(TRUTH, {"old": REC, "new": REC_AFTER}, k=1, metrics="recall").evaluations
    monkeypatch.delattr(GivenTables, "opened")
    assert differences(explain_change(systems["old"], systems["new"]))[RANKED] == approx(-0.4)


def test_no_user_is_in_both_runs() -> None:
    other = {"userid": [7, 8], "itemid": ["a", "b"]}
    change = explain_change(recall(TRUTH, REC), recall(other, {**other, "score": [1.0, 1.0]}))
    # Without such users, their means count as 0.
    assert differences(change) == {
        LEFT: approx(-0.6),
        CAME: 1.0,
        JUDGED: 0.0,
        RANKED: 0.0,
        TOTAL: approx(0.4),
    }


def test_columns_may_have_other_names_in_each_run() -> None:
    def renamed(table: Table, **names: str) -> Table:
        return {names.get(name, name): column for name, column in table.items()}

    before = recall(
        renamed(TRUTH, userid="u", itemid="i"),
        renamed(REC, userid="customer", score="points"),
        truth_user="u",
        rec_user="customer",
        truth_item="i",
        score="points",
    )
    after = recall(renamed(TRUTH_AFTER, itemid="song"), REC_AFTER, truth_item="song")
    change = explain_change(before, after)
    assert differences(change) == {
        LEFT: approx(-0.1),
        CAME: approx(0.05),
        JUDGED: 0.0,
        RANKED: 0.25,
        TOTAL: approx(0.2),
    }
    assert change.by_user.columns[0] == "userid"
    if change.has_items:
        assert select(change.by_item, "song, users") == [("b", 2), ("a", 3)]


def test_wrong_calls(hand: Change) -> None:
    before, after = recall(TRUTH, REC), recall(TRUTH_AFTER, REC_AFTER)
    ndcg = evaluate(TRUTH_AFTER, REC_AFTER, k=2, metrics=["ndcg", "recall"])
    texts = {**REC_AFTER, "userid": [*map(str, REC_AFTER["userid"])]}
    of_texts = recall({**TRUTH_AFTER, "userid": texts["userid"]}, texts)
    both = recall(TRUTH_AFTER, REC_AFTER, users="both")
    days = pa.array(REC_AFTER["userid"], pa.date32())
    of_days = recall(pa.table({**TRUTH_AFTER, "userid": days}), pa.table({**REC_AFTER, "userid": days}))
    for arguments, message in (
        ((before, TRUTH), "after must be the result of evaluate, got {'userid': [1, 2, 3, 4, 5], 'itemid': "),
        ((None, after), "before must be the result of evaluate, got None"),
        ((before, both), "after was evaluated with users='both', and before with users='truth'"),
        ((hand.before, after), "after was evaluated with by=(), and before with by=('plan',)"),
        ((before, ndcg), "after has no measure of before: ndcg@2, recall@2, and not recall@1"),
        ((before, after, "ndcg"), "metric must be 'recall', got 'ndcg'"),
        ((before, after, None, 2), "k must be 1, got 2"),
        ((before, after, None, None, "random"), "order must be 'sequential' or 'shapley', got 'random'"),
        (
            (before, of_texts),
            "after has users of the type string, and before of int64: cast those of one run",
        ),
        ((before, of_days), "after has users of the type date32[day], and before of int64: cast"),
    ):
        with pytest.raises(CallError, match=f"^explain_change: {re.escape(message)}"):
            explain_change(*arguments)


def test_tables_that_are_gone_or_have_changed(hand: Change, tmp_path: Path) -> None:
    copied = pickle.loads(pickle.dumps(hand))
    assert copied.parts.fetchall() == hand.parts.fetchall()
    assert not copied.has_items
    assert copied.headline()
    with pytest.raises(
        CallError, match=r"^explain_change: this result has no tables, as a copy from a pickle has"
    ):
        copied.by_item  # noqa: B018 - it reads the tables
    with pytest.raises(
        CallError, match=r"^explain_change: this result has no tables, as a copy from a pickle has"
    ):
        explain_change(copied.before, hand.after)
    path = str(tmp_path / "rec.parquet")
    duckdb.from_arrow(pa.table(REC)).write_parquet(path)
    before, after = recall(TRUTH, path), recall(TRUTH_AFTER, REC_AFTER)
    duckdb.from_arrow(pa.table(REC)).limit(4).write_parquet(path)
    changed = "rec of before has changed since it was evaluated: 4 rows, and 5 then"
    with pytest.raises(CallError, match=f"^explain_change: {changed}$"):
        explain_change(before, after)
    cons = [rankdcg_sql.connect() for _ in range(2)]
    one, other = (recall(TRUTH, REC, con=con) for con in cons)
    with pytest.raises(
        CallError, match=r"^explain_change: before and after were evaluated with two connections"
    ):
        explain_change(one, other)
    change = explain_change(one, recall(TRUTH_AFTER, REC_AFTER))
    cons[0].close()
    assert change.notes()
    assert change.headline().startswith(
        "recall@1 rose from 0.6000 to 0.8000 (+0.2000): mostly ranking (+0.2500)"
    )


@needs_duckdb_2
def test_what_was_interrupted_is_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """An interrupt after each step that reads tables or adds up their items."""
    change = explain_change(recall(TRUTH, REC), recall(TRUTH_AFTER, REC_AFTER))
    steps = [(GivenTables, "explain"), (ChangedItems, "_check"), (ChangedItems, "_create")]
    for owner, name in steps:
        whole = getattr(owner, name)

        def interrupted(*given: Any, whole: Any = whole) -> None:
            whole(*given)
            raise KeyboardInterrupt

        with monkeypatch.context() as patched:
            patched.setattr(owner, name, interrupted)
            with pytest.raises(KeyboardInterrupt):
                change.by_item  # noqa: B018 - it reads the tables
    assert select(change.by_item, "itemid, users") == [("b", 2), ("a", 3)]


def requirement(change: Change, text: str) -> rankdcg_sql.Requirements:
    """The outcome of a requirement, whether it is met or not."""
    try:
        return change.require(text)
    except RequirementError as error:
        return error.requirements


def many(values: dict[str, list[float]]) -> Change:
    """A change in which users have these values of DCG before, in the middle and after; NaN is no value."""
    table = {"userid": [1], "itemid": [1]}
    rec = {**table, "score": [1.0]}
    empty = evaluate(table, rec, k=10, metrics="dcg", by="plan", segments={"userid": [1], "plan": ["x"]})

    def run(name: str) -> pa.Table:
        users = range(len(values[name]))
        column = [None if math.isnan(value) else value for value in values[name]]
        plans = ["free" if user % 2 else "paid" for user in users]
        return pa.table({"userid": users, "plan": plans, "dcg@10": column})

    runs = [replace(empty, table=run(name), is_ordered=True) for name in ("before", "after")]
    return replace(
        explain_change(empty, empty), before=runs[0], after=runs[1], has_one_truth=False, middle=run("middle")
    )


def test_parts_are_required() -> None:
    chance = random.Random(1)
    before = [chance.uniform(1, 3) for _ in range(40)]
    middle = [value - chance.uniform(0, 1) for value in before]
    after = [value + chance.uniform(0, 0.1) for value in middle]
    change = many({"before": before, "middle": middle, "after": after})
    # Values are not bounded, so that Student's t decides on the change less its share of the value before.
    changes = {
        "ranking": list(zip(before, middle, after, strict=True)),
        "judgements": list(zip(before, before, middle, strict=True)),
    }
    for text, part, shift, share, alternative in (
        ("ranking part of dcg@10 not worse by 1%", "ranking", 0.0, 0.01, "greater"),
        ("judgements part of dcg@10 not worse by 1%", "judgements", 0.0, 0.01, "greater"),
        ("the judgment part of dcg@10 not worse by 0.6", "judgements", 0.6, 0.0, "greater"),
        ("Ranking part of dcg@10 better by 0.04", "ranking", -0.04, 0.0, "greater"),
        ("ranking part of dcg@10 better", "ranking", 0.0, 0.0, "greater"),
        ("judgements part of dcg@10 differs", "judgements", 0.0, 0.0, "two-sided"),
    ):
        tested = [new - old + shift + share * first for first, old, new in changes[part]]
        expected = stats.ttest_1samp(tested, 0, alternative=alternative).pvalue
        (decision,) = requirement(change, text)
        assert decision.p_value == approx(expected), text
        fails = alternative == "greater" and stats.ttest_1samp(tested, 0, alternative="less").pvalue < 0.05
        assert decision.outcome == ("passed" if expected < 0.05 else "failed" if fails else "inconclusive")
        assert decision.difference == approx(fmean(new - old for _, old, new in changes[part]))
        assert (decision.baseline, decision.system, decision.n) == (approx(fmean(before)), None, 40)
    (decision,) = requirement(change, "measured ranking part of dcg@10 not worse by 1%")
    assert (decision.outcome, decision.p_value) == ("passed", None)
    assert str(decision).startswith("passed: measured ranking part of dcg@10 not worse by 1% (difference 0.0")
    segments = requirement(change, "ranking part of dcg@10 not worse by 1% in every segment")
    assert [(each.segment, each.n, each.outcome) for each in segments] == [
        ("plan=free", 20, "passed"),
        ("plan=paid", 20, "passed"),
    ]
    (decision,) = requirement(change, "ranking part of dcg@10 not worse than before by 1% in plan=free")
    assert decision.asked == "ranking part of dcg@10 not worse by 1% in plan=free"


def test_a_part_has_twice_the_range_of_the_metric() -> None:
    # 30 users all lose a hit by the ranking.
    users = [*range(30)]
    truth, rec = (
        {"userid": users, "itemid": ["a"] * 30},
        {"userid": users, "itemid": ["a"] * 30, "score": [1] * 30},
    )
    after = {**rec, "itemid": ["b"] * 30}
    change = explain_change(recall(truth, rec), recall(truth, after))
    (decision,) = requirement(change, "ranking part of recall@1 not worse by 0.5")
    assert (decision.outcome, decision.lower_limit, decision.upper_limit) == ("failed", -1.0, 1.0)
    (same,) = requirement(change, "judgements part of recall@1 not worse by 0.5")
    assert (same.outcome, same.p_value) == ("passed", None)


def test_wrong_requirements(hand: Change) -> None:
    for text, message in (
        ("recall@1 not worse by 1%", "a change has requirements on the difference that a part makes: write"),
        (
            "ranking part of recall@1 >= 0.5",
            "a change has requirements on the difference that a part makes: write",
        ),
        ("ranking part of new: recall@1 better", "a change has one system, without a name: leave out 'new:'"),
        (
            "ranking part of ndcg@10 better",
            "the result has no ndcg@10, but recall@1: add it to the metrics and k",
        ),
        ("ranking part of recall@1 better in city=x", "there are no segments of 'city', but those of plan"),
        (
            "users part of recall@1 better",
            "it follows no form: did you mean 'ranking part of' or 'judgements part of'? Write",
        ),
    ):
        with pytest.raises(ValueError, match=f"^require: '{text}' cannot be required: {re.escape(message)}"):
            hand.require(text)
    part = "'part of' is about a change, which explain_change returns"
    with pytest.raises(ValueError, match=f"cannot be required: {part}$"):
        hand.after.require("ranking part of recall@1 better")


@needs_duckdb_2
@pytest.mark.parametrize("order", ["sequential", "shapley"])
def test_the_table_macros_say_the_same(order: Any) -> None:
    runs = random_run(3, range(60), 1, 0.6), random_run(4, range(10, 80), 2, 0.8)
    con = rankdcg_sql.connect()
    for name, table in zip(
        ("truth_before", "rec_before", "truth_after", "rec_after"), sum(runs, ()), strict=True
    ):
        con.register("given", pa.table(table))
        con.execute(f"CREATE TABLE {name} AS FROM given")
    change = explain_change(*(evaluate(*run, k=5, metrics="ndcg", rel="rel") for run in runs), order=order)
    tables = "truth_before, rec_before, truth_after, rec_after"
    for macro, relation, columns in (
        (
            "rank_change",
            change.parts,
            "part, users, before, after, difference, low, high, share, p_value, p_corrected",
        ),
        (
            "rank_change_by_user",
            change.by_user.filter("part <> 'total'"),
            "userid, part, before, after, difference",
        ),
        ("rank_change_by_item", change.by_item, "itemid, users, won, lost, judgements, ranking"),
        ("rank_change_by_move", change.by_move, "move, items, users, ranking"),
    ):
        call = f"{macro}({tables}, k := 5, metrics := 'ndcg', rel := 'rel', attribution := '{order}')"
        expected = con.sql(f"SELECT {columns} FROM {call} ORDER BY ALL").fetchall()
        assert rounded(select(relation.order(columns), columns)) == rounded(expected), macro
