"""Tables whose columns of users and items have different names."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest
from support.two_tables import written

import rankdcg_sql
from rankdcg_sql import CallError

TRUTH = {
    "userid": ["1", "1", "2", "3", "4"],
    "itemid": ["a", "b", "c", "a", "d"],
    "rel": [2.0, 1.0, 1.0, 1.0, 3.0],
    "plan": ["free", "free", "paid", "paid", "free"],
}
REC: dict[str, list[Any]] = {"userid": [*"11223"], "itemid": [*"acdca"], "score": [3.0, 2.0, 2.0, 1.0, 1.0]}
OTHER = {**REC, "score": [2.0, 3.0, 1.0, 2.0, 1.0]}
#: Other names in truth and in rec, and the arguments that give them. Some names are those of the other table.
NAMES = {"truth_user": "uid", "truth_item": "song", "rec_user": "customer_no", "rec_item": "userid"}
OF_TRUTH = {"userid": "uid", "itemid": "song"}
OF_REC = {"userid": "customer_no", "itemid": "userid"}
ARGUMENTS: dict[str, Any] = {"k": [1, 2], "metrics": ["ndcg", "recall", "rankdcg"], "rel": "rel"}


def renamed(table: dict[str, list[Any]], names: dict[str, str]) -> dict[str, list[Any]]:
    return {names.get(name, name): column for name, column in table.items()}


@pytest.mark.parametrize("form", ["dicts", "frames", "csv", "parquet", "json", "queries"])
def test_evaluate(form: str, tmp_path: Path):
    """Other names of columns change nothing but the name of users in results, in which truth has its way."""
    expected = rankdcg_sql.evaluate(TRUTH, REC, **ARGUMENTS)
    truth: Any = renamed(TRUTH, OF_TRUTH)
    rec: Any = renamed(REC, OF_REC)
    if form == "frames":
        truth, rec = pl.DataFrame(truth), pl.DataFrame(rec)
    elif form != "dicts":
        kind = "csv" if form == "queries" else form
        truth, rec = (
            written(tmp_path, f"{name}.{kind}", table, f"FORMAT {kind}")
            for name, table in (("truth", truth), ("rec", rec))
        )
    if form == "queries":
        truth, rec = (
            f"SELECT * REPLACE ({name}::DOUBLE AS {name}) FROM read_csv('{path}', all_varchar = true)"
            for name, path in (("rel", truth), ("score", rec))
        )
    found = rankdcg_sql.evaluate(truth, rec, **ARGUMENTS, **NAMES)
    assert found.user == found.per_user.columns[0] == "uid"
    # The ids of the file of text are numbers.
    values = found.per_user.project("uid::VARCHAR, * EXCLUDE (uid)").order("ALL").fetchall()
    assert values == expected.per_user.order("ALL").fetchall()
    assert found.counts == expected.counts
    assert found.summary.fetchall() == expected.summary.fetchall()


@pytest.mark.parametrize("given", [{"user": "uid", "rec_user": "customer_no"}, {"truth_user": "uid"}])
def test_one_name_of_its_own(given: dict[str, str]):
    """An argument for one table leaves `user` to the other one."""
    of_rec = {"userid": given.get("rec_user", "userid")}
    truth, rec = renamed(TRUTH, {"userid": "uid"}), renamed(REC, of_rec)
    found = rankdcg_sql.evaluate(truth, rec, **ARGUMENTS, **given)
    assert found.means == rankdcg_sql.evaluate(TRUTH, REC, **ARGUMENTS).means


@pytest.mark.parametrize("where", ["userid", "uid", "customer_no", "truth", "rec"])
def test_segments(where: str):
    """Segments are joined whichever of the names their users have, also if truth or rec has the segments."""
    plans = {"userid": ["1", "2", "3", "4"], "plan": ["free", "paid", "paid", "free"]}
    truth, rec = renamed(TRUTH, OF_TRUTH), renamed(REC, {**OF_REC, "itemid": "song"})
    names = {**NAMES, "rec_item": "song"}
    segments = None if where in ("truth", "rec") else renamed(plans, {"userid": where})
    if where == "rec":
        plan = dict(zip(plans["userid"], plans["plan"], strict=True))
        rec["plan"] = [plan[user] for user in rec["customer_no"]]
        rec["uid"] = ["1"] * 5  # in rec, this is no column of users
    if where != "truth":
        del truth["plan"]
    found = rankdcg_sql.evaluate(truth, rec, **ARGUMENTS, **names, by="plan", segments=segments)
    by_plan = TRUTH
    if where == "rec":  # user 4 has no row there, and no segment
        by_plan = {**TRUTH, "plan": ["free", "free", "paid", "paid", None]}
    expected = rankdcg_sql.evaluate(by_plan, REC, **ARGUMENTS, by="plan")
    assert found.summary.fetchall() == expected.summary.fetchall()


def test_segments_with_a_name_of_their_own():
    """The column `user` is that of the segments if truth and rec have arguments of their own."""
    users = {"account": ["1", "2", "3", "4"], "tier": ["a", "a", "b", "b"]}
    arguments = {**ARGUMENTS, "by": "tier"}
    with pytest.raises(CallError, match="name the right one with user=, and those of truth and rec with "):
        rankdcg_sql.evaluate(TRUTH, REC, **arguments, segments=users)
    names = {"user": "account", "truth_user": "userid", "rec_user": "userid"}
    found = rankdcg_sql.evaluate(TRUTH, REC, **arguments, **names, segments=users).summary.fetchall()
    assert [row[4] for row in found if row[:4] == ("a", False, "recall", 1)] == [2]
    # A column of the name that truth or rec has for users may be there, too.
    others = {**users, "userid": users["account"][::-1]}
    beside = rankdcg_sql.evaluate(TRUTH, REC, **arguments, **names, segments=others)
    assert beside.summary.fetchall() == found
    names = {"user": "id", "truth_user": "uid", "rec_user": "userid"}
    both = {**others, "uid": users["account"]}
    truth = renamed(TRUTH, {"userid": "uid"})
    beside = rankdcg_sql.evaluate(truth, REC, **arguments, **names, segments=both)
    assert beside.summary.fetchall() == found


def test_compare():
    expected = rankdcg_sql.compare(TRUTH, {"one": REC, "two": OTHER}, **ARGUMENTS, by="plan")
    recs = {"one": renamed(REC, OF_REC), "two": renamed(OTHER, OF_REC)}
    found = rankdcg_sql.compare(renamed(TRUTH, OF_TRUTH), recs, **ARGUMENTS, by="plan", **NAMES)
    assert found.differences.fetchall() == expected.differences.fetchall()
    assert found.per_user.columns[:2] == ["system", "uid"]
    required, alike = (
        result.require("two: ndcg@1 not worse by 0.9", "recall@2 >= 0.1", inconclusive="pass")
        for result in (found, expected)
    )
    assert [each.n for each in required] == [each.n for each in alike]


def test_trec_files(tmp_path: Path):
    """The columns of TREC files have the names of the arguments, each table its own."""
    qrels, run = tmp_path / "qrels.txt", tmp_path / "run.txt"
    nested = {"1": {"a": 2, "b": 1}, "2": {"c": 1}, "3": {"a": 1}, "4": {"d": 3}}  # as in TRUTH
    qrels.write_text(
        "".join(f"{user} 0 {item} {rel}\n" for user in nested for item, rel in nested[user].items())
    )
    run.write_text("".join("{} Q0 {} 1 {} tag\n".format(*row) for row in zip(*REC.values(), strict=True)))
    names = {"k": 2, "truth_user": "query", "rec_user": "topic", "rec_item": "doc"}
    found = rankdcg_sql.evaluate(qrels, run, **names)
    assert found.per_user.columns[0] == "query"
    assert found.means == rankdcg_sql.evaluate(qrels, run, k=2).means
    assert rankdcg_sql.evaluate(nested, run, **names).means == found.means


def test_ids_of_csv_files_stay_texts(tmp_path: Path):
    """The ids 1.10 and 1.1 of a column are different ones, by whatever argument its name is given."""
    truth, rec, users = (tmp_path / f"{name}.csv" for name in ("truth", "rec", "users"))
    truth.write_text("uid,song\n1.10,2.50\n1.1,2.5\n")
    rec.write_text("customer,track,score\n1.10,2.50,1\n1.1,2.50,1\n")
    users.write_text("customer,size\n1.10,0.5\n1.1,1.5\n")
    names = {"truth_user": "uid", "rec_user": "customer", "truth_item": "song", "rec_item": "track"}
    found = rankdcg_sql.evaluate(truth, rec, k=1, metrics="recall", **names, segments=users, by="size")
    values = found.per_user.project("uid, size::DOUBLE, value").fetchall()
    assert sorted(values) == [("1.1", 1.5, 0), ("1.10", 0.5, 1)]


def test_names_of_columns_may_have_quotes():
    truth = {'us"er': [1, 1], "it'em": ["a", "b"], "r\"e'l": [1, 2], "p'l\"an": ["x", "x"]}
    rec = {'us"er': [1, 1], "it'em": ["b", "c"], "s\"co're": [2, 1]}
    names = {"user": 'us"er', "item": "it'em", "score": "s\"co're", "rel": "r\"e'l", "by": "p'l\"an"}
    found = rankdcg_sql.evaluate(truth, rec, metrics="recall@1", **names)  # type: ignore[arg-type]
    assert found.per_user.columns == ['us"er', "p'l\"an", "metric", "k", "value"]
    assert found.per_user.fetchall() == [(1, "x", "recall", 1, 0.5)]
