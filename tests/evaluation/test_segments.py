"""Segments of users: from truth, from rec or from a table of users, in evaluations and in comparisons."""

from __future__ import annotations

import copy
import decimal
import random
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import stats
from support.commands import tables
from support.systems import RELEVANT, SYSTEMS, USERS, system
from support.two_tables import NDCG, REC, TRUTH, approx, rounded, written

from rankdcg_sql import Comparison, DataWarning, Evaluation, compare, evaluate

#: The segments of users 1, 2 and 3, and of a user of neither table.
PLANS = {"userid": [1, 2, 3, 7], "plan": ["free", "paid", "free", "other"]}
#: The rows of NDCG at 2 that they give: the plan, whether it is all users, how many they are, and the mean.
EXPECTED = [
    ("free", False, 2, (NDCG[1] + NDCG[3]) / 2),
    ("paid", False, 1, NDCG[2]),
    (None, True, 3, sum(NDCG.values()) / 3),
]


def means(found: Evaluation, by: str = "plan") -> list[tuple[Any, ...]]:
    return rounded(found.summary.project(f"{by}, all_users, n, mean").fetchall())


def test_segments_of_a_table_of_users():
    found = evaluate(TRUTH, REC, 2, "ndcg", by="plan", segments=PLANS)
    assert means(found) == rounded(EXPECTED)
    assert found.wide.project("userid, plan").fetchall() == [(1, "free"), (2, "paid"), (3, "free")]
    assert "│ all users │ ndcg   │" in repr(found)
    repeated = {name: values * 2 for name, values in PLANS.items()}
    # Rows without a user are of nobody.
    nobody = {"userid": [*PLANS["userid"], None, None], "plan": [*PLANS["plan"], "free", "other"]}
    for segments in (repeated, nobody):
        assert means(evaluate(TRUTH, REC, 2, "ndcg", by="plan", segments=segments)) == rounded(EXPECTED)


def test_a_table_of_users_may_be_of_any_kind(tmp_path: Path):
    con = duckdb.connect()
    con.register("given", pa.table(PLANS))
    con.execute("CREATE TABLE plans AS FROM given")
    path = written(tmp_path, "plans.csv", PLANS, "FORMAT csv, HEADER")
    for segments in (path, [path], f"FROM '{path}'", pl.DataFrame(PLANS), "plans", con.table("plans")):
        found = evaluate(TRUTH, REC, 2, "ndcg", by="plan", segments=segments, con=con)
        assert means(found) == rounded(EXPECTED)


def test_the_table_of_users_prevails_over_columns_of_truth():
    truth = {**TRUTH, "plan": [*"xyzzy"]}  # as segments of truth, an error: those of user 1 differ
    assert means(evaluate(truth, REC, 2, "ndcg", by="plan", segments=PLANS)) == rounded(EXPECTED)
    told = "plan must be the same in all rows of a user of truth, and is not for 1$"
    with pytest.raises(ValueError, match=told):
        evaluate(truth, REC, 2, "ndcg", by="plan")


def test_segments_of_rec():
    """User 3 has no recommendations, and so no segment."""
    rec = {**REC, "device": [*"aaabb"]}
    assert means(evaluate(TRUTH, rec, 2, "ndcg", by="device"), "device") == rounded(
        [("a", False, 1, NDCG[1]), ("b", False, 1, NDCG[2]), (None, False, 1, NDCG[3]), EXPECTED[-1]]
    )
    told = "device must be the same in all rows of a user of rec, and is not for 2$"
    with pytest.raises(ValueError, match=told):
        evaluate(TRUTH, {**REC, "device": [*"aaabc"]}, by="device")
    both = evaluate(TRUTH, rec, 2, "ndcg", by="device", users="both")
    assert [row[:3] for row in means(both, "device")] == [("a", False, 1), ("b", False, 1), (None, True, 2)]


def test_segments_of_two_columns():
    """One column of several may differ between rows. Rows that are left out may have any segment."""
    truth = {**TRUTH, "rel": [1] * 5, "country": [*"aaabb"], "plan": [1, 1, 1, 1, 2]}
    for column, values in (("country", [*"azabb"]), ("plan", [1, 3, 1, 1, 2])):
        told = r"country, plan must be the same in all rows of a user of truth, and is not for 1$"
        with pytest.raises(ValueError, match=told):
            evaluate({**truth, column: values}, REC, by=["country", "plan"])
    left_out = {**truth, "rel": [1, 1, None, 1, 1], "plan": [1, 1, 9, 1, 2]}
    with pytest.warns(DataWarning, match="1 row of truth without a relevance, left out"):
        found = evaluate(left_out, REC, 2, "ndcg", rel="rel", by="plan")
    assert [row[0] for row in means(found)] == [1, 2, None]
    found = evaluate(truth, REC, 2, "recall", by=["country", "plan"])
    numbers = ["metric", "k", "n", "mean", "low", "high", "without_value", "interval_by"]
    assert found.summary.columns == ["country", "plan", "all_users", *numbers]
    ((_, *rows),) = tables(repr(found))
    assert [row[:2] for row in rows] == [["a", "1"], ["b", "1"], ["b", "2"], ["all users", ""]]
    assert found.notes()[-1] == (
        "all values of recall@2 in country=a, plan=1, recall@2 in country=b, plan=1, recall@2 in country=b, "
        "plan=2 are equal: the interval is from the range 0 to 1, not by Student's t"
    )


def test_segments_come_from_one_table_that_has_all_of_them():
    truth = {**TRUTH, "plan": [1, 1, 1, 1, 2]}
    both = {**REC, "plan": [5] * 5, "device": [*"aaabb"]}
    rec = {name: values for name, values in both.items() if name != "plan"}
    found = evaluate(truth, both, 2, "ndcg", by=["plan", "device"])
    segments = [row[:3] for row in means(found, "plan, device")]
    assert segments == [(5, "a", False), (5, "b", False), (None, None, False), (None, None, True)]
    told = "^evaluate: truth has no column 'device', but userid, itemid, plan; "
    with pytest.raises(ValueError, match=told):
        evaluate(truth, rec, by=["plan", "device"])
    assert [row[0] for row in means(evaluate(truth, both, 2, "ndcg", by="plan"))] == [1, 2, None]


def test_users_without_a_segment_are_apart_from_all_users():
    segments = {"userid": [1, 2], "plan": ["free", None]}
    found = evaluate(TRUTH, REC, 2, "ndcg", by="plan", segments=segments)
    assert means(found) == rounded(
        [("free", False, 1, NDCG[1]), (None, False, 2, (NDCG[2] + NDCG[3]) / 2), EXPECTED[-1]]
    )
    ((_, *rows),) = tables(repr(found))
    assert [row[0] for row in rows] == ["free", "NULL", "all users"]


@pytest.mark.parametrize(
    ("users", "segment_users"),
    [
        (pa.array([1, 2, 3], pa.int32()), pa.array([1, 2, 2**40], pa.int64())),
        (pa.array([1, 2, 3], pa.int64()), pa.array([1, 2, 2**63 + 1], pa.uint64())),
        (pa.array([1, 2, 3], pa.int64()), pa.array([decimal.Decimal(n) for n in ("1", "2", "2.6")])),
        (pa.array([1, 2, 3], pa.decimal128(9, 2)), pa.array([1, 2, 4], pa.int8())),
        (pa.array([*"abc"]), pa.array([*"abA"])),
        (pa.array([*"abc"]), pa.array([*"abB"]).dictionary_encode()),
        (pa.array([1.5, 2.5, 3.5]), pa.array([1.5, 2.5, 4.5], pa.float32())),
    ],
)
def test_users_of_other_types_are_compared_exactly(users: Any, segment_users: Any):
    truth = pa.table({"userid": users, "itemid": [1, 1, 1]})
    rec = pa.table({"userid": users, "itemid": [1, 2, 1], "score": [1, 1, 1]})
    segments = pa.table({"userid": segment_users, "plan": [*"xyz"]})
    found = evaluate(truth, rec, 1, "recall", by="plan", segments=segments)
    expected = [("x", False, 1, 1), ("y", False, 1, 0), (None, False, 1, 1)]
    assert means(found) == [*expected, (None, True, 3, 0.666666667)]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"segments": {**PLANS, "userid": [1, 2, 3, 2]}}, "plan must be .* of a user of segments, .* for 2$"),
        ({"segments": {"uid": [1], "plan": [1]}}, "segments has no column 'userid', but uid, plan; "),
        ({"segments": {"userid": [1], "x": [1]}}, "segments has no column 'plan', .* right one with by=$"),
        ({"segments": {"userid": ["1"], "plan": [1]}}, "userid of truth is BIGINT, userid of segments is"),
        ({"segments": {"userid": [], "plan": []}}, "segments has no rows$"),
        ({"segments": "no.csv"}, r"segments \(no.csv\): there is no such file$"),
        ({"segments": 3}, "segments must be a path, a query, .*, got int$"),
        ({"segments": pd.Series([1])}, "segments must be a path, .*, got Series$"),
        ({"segments": {}}, "segments cannot be read: a dict of columns must have a column$"),
        ({"segments": {1: {"plan": "x"}}}, "segments cannot be read: the names of columns must be texts"),
        (
            {"segments": pd.DataFrame(PLANS).to_dict()},
            r"segments cannot be read: userid is a dict: give a list for each column, in pandas with "
            r"to_dict\('list'\)$",
        ),
        ({"segments": {1: ["x"]}}, "segments cannot be read: the names of columns must be texts, got 1$"),
        ({"by": ["plan", "PLAN"], "segments": PLANS}, "by names the column 'PLAN' twice$"),
        ({"by": None, "segments": PLANS}, "segments has the segments of users, .* with by or weight$"),
        ({}, "truth has no column 'plan', .* right one with by=$"),
        ({"by": "all_users", "segments": PLANS}, "the results have a column 'all_users' already"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("caller", ["evaluate", "compare"])
def test_wrong_segments(caller: str, arguments: dict[str, Any], message: str):
    given = {"truth": TRUTH, "by": "plan"} | arguments
    call: Any = {
        "evaluate": lambda: evaluate(rec=REC, **given),
        "compare": lambda: compare(recs={"a": REC, "b": REC}, **given),
    }[caller]
    with pytest.raises((ValueError, TypeError, FileNotFoundError), match=f"^{caller}: {message}"):
        call()


def test_segments_have_no_name_of_another_column_of_results():
    """Evaluations may have segments with the names that only differences have, as may columns of users."""
    segments = {"userid": [1, 2, 3], "plan": [1, 1, 2]}
    compared = compare(TRUTH, {"a": REC, "b": REC}, k=2, by="plan", segments=segments)
    relations = compared.summary, compared.per_user, compared.wide
    of_evaluations = {name for relation in relations for name in relation.columns} - {"plan"}
    of_differences = {*compared.differences.columns} - of_evaluations - {"plan"}
    assert {"n", "interval_by", "ndcg@2", "userid"} <= of_evaluations
    assert {"against", "baseline", "difference"} <= of_differences
    for name in of_evaluations | of_differences:
        given = {"k": 2, "by": name.title(), "segments": {**segments, name: [1, 1, 2]}}
        taken = rf"the results have a column '{name.title()}' already: rename yours$"
        with pytest.raises(ValueError, match=f"^compare: {taken}"):
            compare(TRUTH, {"a": REC, "b": REC}, **given)
        if name in of_evaluations:
            with pytest.raises(ValueError, match=f"^evaluate: {taken}"):
                evaluate(TRUTH, REC, **given)
    found = evaluate(TRUTH, REC, k=2, by="wins", segments={**segments, "wins": [1, 1, 2]})
    assert found.summary.columns[0] == "wins"
    names = {"userid": "wins"}
    truth, rec = ({names.get(name, name): of for name, of in each.items()} for each in (TRUTH, REC))
    assert compare(truth, {"a": rec, "b": rec}, k=2, user="wins").per_user.columns[:2] == ["system", "wins"]


def test_a_text_file_is_no_table_of_users(tmp_path: Path):
    (tmp_path / "users.txt").write_text("1 free\n")
    with pytest.raises(ValueError, match=r"must be a file in Parquet, CSV or JSON, with its ending$"):
        evaluate(TRUTH, REC, by="plan", segments=tmp_path / "users.txt")


def test_a_table_of_other_users_is_a_warning():
    """A user of rec alone is not evaluated."""
    rec = {name: [*column, value] for (name, column), value in zip(REC.items(), (8, "a", 1.0), strict=True)}
    with pytest.warns(DataWarning) as met:
        found = evaluate(TRUTH, rec, 2, "ndcg", by="plan", segments={"userid": [8, 9], "plan": [1, 2]})
    assert [(str(each.message), each.message.argument) for each in met] == [
        ("evaluate: no user of truth is one of segments, where they are such as 8, 9, and in truth 1, 2, 3: "
         "each is in the segment NULL", "segments")
    ]  # fmt: skip
    assert means(found) == rounded([(None, False, 3, EXPECTED[-1][3]), EXPECTED[-1]])


# Comparisons

#: The segments of the users of `RELEVANT`, for users 0, 1 and so on: NULL for every fifth.
GROUPS = [None if user % 5 == 4 else "xy"[user % 2] for user in range(USERS)]
IN_TRUTH = {**RELEVANT, "plan": [GROUPS[user] for user in RELEVANT["userid"]]}
OF_USERS = {"userid": [*range(USERS)], "plan": GROUPS}


def values(compared: Comparison, name: str, column: str, chosen: list[int]) -> list[float]:
    of_users = compared.evaluations[name].wide.project(f'userid, "{column}"').fetchall()
    found = dict(of_users)
    return [found[user] for user in chosen]


@pytest.mark.parametrize("tables", [{"truth": IN_TRUTH}, {"truth": RELEVANT, "segments": OF_USERS}])
def test_differences_of_segments_are_those_of_scipy(tables: dict[str, Any]):
    compared = compare(**tables, recs=SYSTEMS, k=[2, 5], metrics="ndcg", by="plan", correction="bonferroni")
    assert compared.differences.columns[:6] == ["system", "against", "plan", "all_users", "metric", "k"]
    columns = "system, plan, all_users, metric, k, n, mean, baseline, difference, p_value, p_corrected"
    rows = compared.differences.project(columns).fetchall()
    order = [("x", False), ("y", False), (None, False), (None, True)]
    assert [row[:5] for row in rows] == [
        (name, *segment, "ndcg", k) for name in ("good", "same") for segment in order for k in (2, 5)
    ]
    for name, segment, all_users, _, k, n, mean, baseline, difference, p, corrected in rows:
        chosen = [user for user in range(USERS) if all_users or GROUPS[user] == segment]
        one, other = (values(compared, each, f"ndcg@{k}", chosen) for each in (name, "plain"))
        tested = stats.ttest_rel(one, other)
        assert (n, mean, baseline) == approx((len(chosen), sum(one) / n, sum(other) / n))
        assert (difference, p) == approx((mean - baseline, tested.pvalue))
        # There are 2 systems, 2 cutoffs, 3 segments and all users.
        assert corrected == approx(min(1, tested.pvalue * 16))


def test_all_users_of_a_comparison_are_those_without_segments():
    alone = compare(RELEVANT, SYSTEMS, k=3, metrics=["ndcg", "recall"], correction=None)
    by_segment = compare(IN_TRUTH, SYSTEMS, k=3, metrics=["ndcg", "recall"], by="plan", correction=None)
    for relation, of in (("differences", alone.differences), ("summary", alone.summary)):
        found = getattr(by_segment, relation).filter("all_users").project("* EXCLUDE (plan, all_users)")
        assert found.fetchall() == of.fetchall()
    assert by_segment.means == alone.means
    of_system = evaluate(IN_TRUTH, SYSTEMS["good"], k=3, metrics=["ndcg", "recall"], by="plan").summary
    chosen = by_segment.summary.filter("system = 'good'").project("* EXCLUDE (system)")
    assert chosen.fetchall() == of_system.fetchall()
    assert copy.copy(by_segment).differences.fetchall() == by_segment.differences.fetchall()


def test_rows_in_any_order_give_the_same_segments():
    places = random.Random(5).sample(range(len(RELEVANT["userid"])), len(RELEVANT["userid"]))
    shuffled = {name: [values[place] for place in places] for name, values in IN_TRUTH.items()}
    one, other = (
        compare(truth, SYSTEMS, k=3, by="plan").differences.fetchall() for truth in (IN_TRUTH, shuffled)
    )
    assert one == other


def test_segments_of_too_few_users_have_no_p_value_and_are_no_tests():
    plans = {"userid": [0], "plan": ["alone"]}
    recs = {"a": SYSTEMS["plain"], "b": system(9, 1.0)}
    compared = compare(RELEVANT, recs, k=3, metrics="ndcg", by="plan", segments=plans)
    columns = "plan, all_users, p_value, p_corrected"
    rows = {row[:2]: row[2:] for row in compared.differences.project(columns).fetchall()}
    assert rows["alone", False] == (None, None)
    assert sorted(rows, key=str) == sorted([("alone", False), (None, False), (None, True)], key=str)
    smaller, larger = sorted((rows[None, False], rows[None, True]))
    # Holm's correction of two tests.
    assert smaller[1] == approx(min(1, 2 * smaller[0]))
    assert larger[1] == approx(max(larger[0], smaller[1]))


def test_nothing_is_said_of_segments_that_fit(recwarn: pytest.WarningsRecorder):
    compared = compare(RELEVANT, SYSTEMS, k=3, metrics="ndcg", by="plan", segments=OF_USERS)
    assert compared.by == ("plan",)
    assert "│ all users │" in repr(compared)
    assert not recwarn.list
