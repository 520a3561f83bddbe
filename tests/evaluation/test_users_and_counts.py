"""Which users are evaluated, in which segments, and how rows and users are counted."""

from __future__ import annotations

import copy
import itertools
import json
import math
import pickle
import re
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from support.two_tables import NDCG, OF_ALL, REC, TRUTH, approx, of_users, rounded, select

import rankdcg_sql
from rankdcg_sql import DataWarning, _static, compare, evaluate
from rankdcg_sql.evaluation._tables.workspace import Workspace
from rankdcg_sql.evaluation._terms.metrics import reason_without_value

#: Three users, each with an item of relevance above 0. One user has an item of relevance 4.
GRADED = {"userid": [1, 1, 2, 2, 3], "itemid": ["a", "b", "a", "b", "a"], "rel": [4, 1, 3, 1, 2]}


def test_users_without_a_value_are_counted():
    found = evaluate(GRADED, OF_ALL, k=[1, 5], metrics=["recall", "ndcg", "rankdcg"], rel="rel", min_rel=4)
    assert select(found.summary, "metric, k, n, without_value") == [
        ("recall", 1, 1, 2),
        ("recall", 5, 1, 2),
        ("ndcg", 1, 3, 0),
        ("ndcg", 5, 3, 0),
        ("rankdcg", None, 2, 1),
    ]
    assert found.counts.users_without_value == {"recall@1": 2, "recall@5": 2, "rankdcg": 1}
    shown = repr(found)
    assert shown.startswith("Evaluation of 3 users, 1 to 3 of them in the means, by metric, min_rel=4\n")
    assert "- 2 users without a relevant item: in no mean of recall@1, recall@5\n" in shown
    without = "without two distinct relevances among what was judged and retrieved"
    assert f"- 1 user {without}: in no mean of rankdcg\n" in shown
    assert "<li>2 users without a relevant item" in found._repr_html_()
    for form in ("json", "csv"):
        assert "without_value" in found.render(form)  # type: ignore[arg-type]
    by_segment = {**GRADED, "seg": ["x", "x", "y", "y", "y"]}
    found = evaluate(by_segment, OF_ALL, k=1, metrics="recall", rel="rel", min_rel=4, by="seg")
    counted = [("x", 1, 0), ("y", 0, 2), (None, 1, 2)]
    assert select(found.summary, "seg, n, without_value") == counted
    # User 3 has one judged item, of relevance 2. As many users for another reason are another note.
    found = evaluate(GRADED, OF_ALL, metrics=["recall@1", "rankdcg", "map@1"], rel="rel", min_rel=3)
    assert found.notes()[:2] == [
        "1 user without a relevant item: in no mean of recall@1, average_precision@1",
        f"1 user {without}: in no mean of rankdcg",
    ]


@pytest.mark.parametrize(
    ("metric", "options", "reason"),
    [
        ("ndcg", {}, "without a relevant item"),
        ("ndcg", {"unjudged": "skip", "empty_rec": "NULL"},
         "without a relevant item, or with nothing retrieved"),
        ("precision", {"convention": "lenskit"}, "without a relevant item, or with nothing retrieved"),
        ("recall", {"convention": "lenskit"}, "without a relevant item"),
        ("rankdcg", {"empty_rec": "null"},
         "without two distinct relevances among what was judged and retrieved, or with nothing retrieved"),
        ("rankdcg", {"unjudged": "skip"}, "without two distinct relevances"),
        ("auc", {"convention": "sklearn"},
         "without a relevant item, or with only hits or only misses in the top k"),
    ],
)  # fmt: skip
def test_a_reason_follows_the_options_of_the_metric(metric: str, options: dict[str, str], reason: str):
    assert reason_without_value(metric, options) == reason


def test_no_relevant_zero_keeps_all_users_in_the_mean():
    """With no_relevant=zero, as in trec_eval, no user leaves a mean, and no message says so."""
    for options in ({"no_relevant": "zero"}, {"convention": "trec_eval"}):
        found = evaluate(GRADED, OF_ALL, k=1, metrics=["recall", "ndcg"], rel="rel", min_rel=4, **options)
        assert select(found.summary, "n, without_value") == [(3, 0)] * 2
        assert found.counts.users_without_value == {}
        assert found.counts.notes() == found.notes_on_users(about_rows=True) == []
        if "no_relevant" in options:
            assert found.headline().startswith("Evaluation of 3 users, min_rel=4")
        assert "in the means" not in found.headline()


def test_users_have_no_value_where_an_option_says_so():
    """Everyone has only hits, and the system has no recommendation for user 3."""
    without = "without a relevant item, or with only hits or only misses in the top k"
    with pytest.warns(DataWarning, match=f"no metric has a value: each user of truth is {without}$"):
        found = evaluate(GRADED, OF_ALL, k=1, metrics="auc", rel="rel", one_class="null")
    assert found.notes() == [f"3 users {without}: in no mean of auc@1"]
    found = evaluate(TRUTH, REC, k=1, metrics=["precision", "recall"], convention="lenskit")
    without = "without a relevant item, or with nothing retrieved"
    note = f"1 user {without}: in no mean of precision@1"
    assert found.notes() == ["1 user of truth without a row in rec", note]


def test_differences_count_users_without_a_value():
    """One system has no value for user 1. No system has a value for user 3."""
    truth = {1: {"a": 1}, 2: {"a": 1}, 3: {"a": 0}}
    recs = {"both": {1: {"a": 2, "b": 1}, 2: {"a": 2, "b": 1}}, "one": {1: {"a": 2}, 2: {"a": 2, "b": 1}}}
    compared = rankdcg_sql.compare(truth, recs, k=2, metrics="auc", one_class="null")
    assert select(compared.differences, "n, mean, baseline, without_value") == [(1, 1.0, 1.0, 2)]
    assert compared.notes()[0].startswith("both: 1 user of truth without a row in rec")
    assert "one: 2 users without a relevant item, or with only hits" in repr(compared)


#: Four users with one relevant item each. All systems have the same hits for two of them. To the others, one
#: system gives nothing, one the relevant item alone, and one a miss above it.
SINGLE = {"userid": [1, 2, 3, 4], "itemid": ["x"] * 4}
SKIPS = {"userid": [1, 1, 2, 2], "itemid": ["x", "z"] * 2, "score": [2, 1] * 2}
SERVES_LESS = {"userid": [1, 1, 2, 2, 3, 4], "itemid": ["x", "z"] * 2 + ["x"] * 2, "score": [2, 1] * 3}
SERVES = {"userid": [1, 1, 2, 2, 3, 3, 4, 4], "itemid": ["x", "z"] * 2 + ["z", "x"] * 2, "score": [2, 1] * 4}


def test_rankdcg_of_binary_truth_warns_that_users_differ_between_systems():
    told = (
        "rankdcg needs graded truth: 4 of 4 users have fewer than two distinct relevances in truth. Such a "
        "user has no value, unless nothing or an item of another relevance is retrieved"
    )
    for rec, row in ((SERVES_LESS, (2, 1.0)), (SERVES, (4, 0.5))):
        with pytest.warns(DataWarning, match=f"^evaluate: {told}") as met:
            found = evaluate(SINGLE, rec, metrics="rankdcg")
        assert met[0].filename == __file__
        assert select(found.summary, "n, mean") == [row]
        assert found.counts.users_without_value == ({"rankdcg": 2} if rec is SERVES_LESS else {})
    # A comparison warns once.
    with pytest.warns(DataWarning) as met:
        compare(SINGLE, {"skips": SKIPS, "serves": SERVES}, k=1, metrics=["ndcg", "rankdcg"])
    assert [str(each.message)[: len(told) + 9] for each in met] == [f"compare: {told}"]
    told = "no metric has a value: each user of truth is without two distinct relevances among what was"
    with pytest.warns(DataWarning, match=told):
        evaluate(TRUTH, {**OF_ALL, "itemid": ["a", "c", "e"]}, metrics="rankdcg")


def test_a_user_who_got_nothing_lowers_rankdcg_as_a_miss_does():
    """With binary truth, a miss alone has two levels of relevance, and nothing at all has one."""
    of_misses = {"userid": [3, 4], "itemid": ["z"] * 2, "score": [1] * 2}
    misses = {name: [*values, *of_misses[name]] for name, values in SKIPS.items()}
    for rec in (SKIPS, misses):
        with pytest.warns(DataWarning, match="rankdcg needs graded truth"):
            found = evaluate(SINGLE, rec, metrics="rankdcg")
        assert select(found.per_user.order("userid"), "value") == [(1.0,), (1.0,), (0.0,), (0.0,)]
        assert select(found.summary, "n, mean") == [(4, 0.5)]


def test_a_repeat_counts_once_in_rankdcg_of_lists_and_of_tables():
    """Every list of up to four of three items, one of which is not judged, and the same list as rows."""
    judged = {"a": 2, "b": 1}
    lists = [rec for length in range(1, 5) for rec in itertools.product("abz", repeat=length)]
    rows = [(user, item, -rank) for user, rec in enumerate(lists) for rank, item in enumerate(rec)]
    rec = pa.table([*map(list, zip(*rows, strict=True))], ["userid", "itemid", "score"])
    with pytest.warns(DataWarning, match="the largest score counts"):
        found = of_users(dict.fromkeys(range(len(lists)), judged), rec, metrics="rankdcg")
    for one, value in zip(lists, found.values(), strict=True):
        once = [*dict.fromkeys(one)]
        assert value == rankdcg_sql.rankdcg([*one], judged) == rankdcg_sql.rankdcg(once, judged)


def test_rankdcg_of_grades_for_half_of_the_users_warns_of_nothing(recwarn: pytest.WarningsRecorder):
    half = {1: {"x": 2, "y": 1}, 2: {"x": 2, "y": 1}, 3: {"x": 1}, 4: {"x": 1}}
    evaluate(half, SERVES, metrics="rankdcg")
    evaluate(half, SKIPS, metrics="rankdcg", users="both")
    # The truth of users who are not evaluated does not matter.
    more = half | {5: {"y": 2}, 6: {"x": 1}, 7: {"x": 1}}
    evaluate(more, SKIPS, metrics="rankdcg", users="both")
    evaluate(SINGLE, SKIPS, k=1, metrics="ndcg")
    assert not recwarn.list
    with pytest.warns(DataWarning, match="3 of 4 users have fewer than two"):
        evaluate(half | {2: {"x": 1, "y": 1}}, SERVES, metrics="rankdcg")
    with pytest.warns(DataWarning, match="1 of 1 user have fewer than two"):
        evaluate({3: {"x": 1}}, SERVES, metrics="rankdcg")
    # A row without an item judges nothing.
    graded = {"userid": [1, 1, 3, 4], "itemid": ["x", None, "x", "x"], "rel": [2, 1, 1, 1]}
    with pytest.warns(DataWarning) as told:
        evaluate(graded, SERVES, metrics="rankdcg", rel="rel")
    assert any("3 of 3 users have fewer than two" in str(each.message) for each in told)


def test_users_in_no_mean_are_reported_by_metric(recwarn: pytest.WarningsRecorder):
    """No item has relevance 4 in this truth. Only NDCG has values, because every relevance is a gain."""
    truth, options = {**GRADED, "rel": [3, 1, 3, 1, 2]}, {"k": 1, "rel": "rel", "min_rel": 4}
    found = evaluate(truth, OF_ALL, metrics=["recall", "ndcg"], **options)
    some = evaluate(GRADED, OF_ALL, metrics="recall", **options)
    assert not recwarn.list
    with pytest.warns(DataWarning, match="no metric has a value"):
        none = evaluate(truth, OF_ALL, metrics="recall", **options)
    for result, words in ((found, "0 to 3 of them in the means, by metric"), (some, "1 of them in the means"),
                          (none, "none of them in the means")):  # fmt: skip
        assert result.headline() == f"Evaluation of 3 users, {words}, min_rel=4"


def test_a_least_relevance_without_relevances_warns():
    told = "min_rel=4 is about relevances, but no rel= names their column in truth: each of its rows has"
    with pytest.warns(DataWarning, match=f"{told} relevance 1$"):
        evaluate({**TRUTH, "rating": [4, 1, 1, 4, 4]}, REC, k=2, metrics=["recall", "ndcg"], min_rel=4)


def test_no_bit_of_a_mean_or_interval_changes_with_the_order_of_rows_nor_with_threads():
    # A pseudorandom score for each user and item, with ties.
    rows = [(u, i, (u * 7919 + i * 104729) % 1009 % 97) for u in range(700) for i in range(20)]
    rec = pl.DataFrame(rows, ["userid", "itemid", "score"], orient="row")
    truth = rec.filter(pl.col("itemid") < 3).drop("score")
    found = set()
    for threads, seed, interval in itertools.product((1, 2), range(3), ("t", "bootstrap")):
        with rankdcg_sql.connect(config={"threads": threads}) as con:
            evaluation = evaluate(
                truth.sample(fraction=1, shuffle=True, seed=seed),
                rec.sample(fraction=1, shuffle=True, seed=seed + 9),
                k=5, metrics=["ndcg", "precision"], con=con, interval=interval,
            )  # fmt: skip
        numbers = select(evaluation.summary, "mean, low, high")
        found.add((interval, *(number.hex() for of_metric in numbers for number in of_metric)))
    assert sorted(interval for interval, *_ in found) == ["bootstrap", "t"]


def test_metrics_without_k_take_none():
    for metrics, whole in (
        ("rankdcg", "rankdcg ranks the whole list and takes no k"),
        (["rankdcg", "r_precision"], "rankdcg and r_precision rank the whole list and take no k"),
    ):
        for k in (5, [5, 10], (5, 10), [5, None]):
            with pytest.raises(ValueError, match=rf"^evaluate: {whole}, got {re.escape(repr(k))}$"):
                evaluate(GRADED, OF_ALL, k=k, metrics=metrics, rel="rel")
        for k in ({}, {"k": None}, {"k": [None]}):
            evaluate(GRADED, OF_ALL, metrics=metrics, rel="rel", **k)
    with pytest.raises(ValueError, match=r"^compare: rankdcg ranks the whole list and takes no k, got 3$"):
        rankdcg_sql.compare(GRADED, {"a": OF_ALL, "b": OF_ALL}, k=3, metrics="rankdcg", rel="rel")


def test_auc_is_computed_only_where_it_is_asked_for():
    usual = ["precision", "recall", "f1", "hit_rate", "mrr", "average_precision", "ndcg"]
    assert list(evaluate(TRUTH, REC).metrics) == usual
    assert list(rankdcg_sql.compare(TRUTH, {"a": REC, "b": REC})._first.metrics) == usual
    # User 1 has a hit at rank 1 and a miss at rank 2, user 2 the reverse, user 3 nothing.
    assert of_users(TRUTH, REC, k=2, metrics="auc") == {1: 1.0, 2: 0.0, 3: 0.0}


@pytest.mark.parametrize(
    "name",
    ["rankdcg_found", "rankdcg_place", "found", "place", "by_0", "nth", "least", "judged", "several",
     "userid", "itemid", "rel", "score", "x'\"y"],
)  # fmt: skip
def test_segments_may_have_the_names_of_our_own_columns(name: str):
    truth = {"u": TRUTH["userid"], "i": TRUTH["itemid"], name: ["b", "b", "b", "a", "a"]}
    rec = {"u": REC["userid"], "i": REC["itemid"], "s": REC["score"]}
    found = evaluate(truth, rec, k=2, metrics="ndcg", by=name, user="u", item="i", score="s")
    assert rounded(select(found.summary, "#1, n, mean")) == rounded(
        [("a", 2, (NDCG[2] + NDCG[3]) / 2), ("b", 1, NDCG[1]), (None, 3, sum(NDCG.values()) / 3)]
    )
    assert found.summary.columns[0] == name


def test_tables_may_have_names_such_as_our_own():
    con = rankdcg_sql.connect()
    for name, table in (("rankdcg_truth", TRUTH), ("rankdcg_rec", REC), ("rankdcg_measured", REC)):
        con.register("given", pa.table(table))
        con.execute(f"CREATE TABLE {name} AS FROM given")
    for rec in ("rankdcg_rec", "FROM rankdcg_measured"):
        assert of_users("rankdcg_truth", rec, k=2, metrics="ndcg", con=con) == approx(NDCG)


def test_items_may_be_segments():
    truth = {**TRUTH, "itemid": ["a", "a", "a", "c", "e"]}
    found = evaluate(truth, REC, k=2, metrics="hit_rate", by="itemid")
    segments = select(found.summary, "itemid, n, mean")
    assert segments == [("a", 1, 1), ("c", 1, 1), ("e", 1, 0), (None, 3, approx(2 / 3))]


@pytest.mark.parametrize("scores", ["BIGINT", "DECIMAL(38, 5)", "UBIGINT", "HUGEINT", "UHUGEINT"])
def test_scores_that_floating_point_cannot_tell_apart(scores: str):
    """Times in nanoseconds are such scores."""
    last = 1_732_190_000_000_000_000
    rows = ", ".join(f"(1, '{item}', {last + later})" for later, item in enumerate("cab"))
    values = f"(VALUES {rows}, (1, 'd', NULL)) AS t(u, i, s)"
    rec = f"SELECT u AS userid, i AS itemid, s::{scores} AS score FROM {values}"
    with pytest.warns(DataWarning, match="1 row of rec without a score"):
        found = evaluate({"userid": [1], "itemid": ["a"]}, rec, k=3, metrics="mrr")
    assert found.per_user.fetchall() == [(1, "mrr", 3, 0.5)]


@pytest.mark.skipif(not _static.installed(), reason="before DuckDB 2.0, to ask would cut off pending results")
def test_a_user_whose_judgements_have_no_item_is_evaluated():
    truth = "FROM (VALUES (1, NULL), (2, 5), (2, 6)) AS t(userid, itemid)"
    rec = "FROM (VALUES (1, 5, 1), (2, 5, 1)) AS r(userid, itemid, score)"
    with pytest.warns(DataWarning, match="1 row of truth without an item, ignored"):
        found = evaluate(truth, rec, k=2, metrics="recall", no_relevant="zero")
    assert select(found.summary, "n, mean") == [(2, 0.25)]  # 0 and 1/2


@pytest.mark.parametrize("large", [[2**53, 2**53 + 1], [2**53 + 1], [-(2**53) - 1]])
def test_ids_that_floating_point_makes_equal_are_told_apart_in_json(large: list[int], tmp_path: Path):
    """The reader takes ids for floating point because of 1.5. There, 2^53 + 1 is 2^53."""
    path, ids = tmp_path / "rows.json", [1.5, *large]
    rows = [{"userid": user, "itemid": place, "score": 1} for place, user in enumerate(ids)]
    path.write_text("\n".join(map(json.dumps, rows)))
    table = {"userid": list(map(str, ids)), "itemid": list(range(len(ids)))}
    assert of_users(table, path, k=1, metrics="recall") == {str(user): 1.0 for user in ids}


@pytest.mark.parametrize("kind", ["UUID", "UHUGEINT", "HUGEINT", "TIMETZ", "BIT", "JSON", "ENUM('0', '1')"])
def test_types_of_temporary_tables_are_those_of_others(kind: str):
    """Arrow, by which rows come from the caller's connection, lacks some of them."""
    con = duckdb.connect()
    values = {"UUID": "uuid()", "TIMETZ": "'12:00:00+01'", "JSON": "'{}'", "ENUM('0', '1')": "'1'"}
    value = values.get(kind, "1")
    con.execute(f"CREATE TABLE rec AS SELECT {value}::{kind} AS userid, 1 AS itemid, 1 AS score")
    con.execute("CREATE TEMP TABLE truth AS SELECT userid, itemid FROM rec")
    for truth in ("truth", "SELECT userid, itemid FROM truth WHERE itemid > 0", con.sql("FROM truth")):
        found = evaluate(truth, "rec", k=1, metrics="recall", con=con)
        assert select(found.summary, "n, mean") == [(1, 1.0)]


def test_names_that_contain_those_of_temporary_objects(monkeypatch: pytest.MonkeyPatch):
    """Only what a query reads decides whether it is run on the caller's connection."""
    con = duckdb.connect()
    con.execute("""
        CREATE TABLE given AS SELECT 1 AS userid, 'truth' AS itemid, 1 AS score;
        CREATE VIEW mytruth AS SELECT * FROM given;
        CREATE TEMP TABLE truth AS SELECT 1 AS x;
        CREATE TEMP VIEW my AS SELECT 1 AS x
    """)
    copied = []
    copy = Workspace.copy
    monkeypatch.setattr(Workspace, "copy", lambda self, *given: (copied.append(given), copy(self, *given)))
    of_given = ("FROM given WHERE itemid = 'truth'", "SELECT * FROM given -- truth")
    for truth in ("mytruth", "FROM mytruth", *of_given):
        assert evaluate(truth, "given", k=1, metrics="recall", con=con).means == {"recall@1": 1.0}
    assert copied == []
    # A view of the caller's connection hides another one, although both read the same table.
    con.execute("CREATE TEMP VIEW mytruth AS SELECT * REPLACE ('other' AS itemid) FROM given")
    with pytest.warns(DataWarning):
        assert evaluate("mytruth", "given", k=1, metrics="recall", con=con).means == {"recall@1": 0.0}


def test_users_that_arrow_cannot_hold_come_back_as_text():
    """DuckDB writes UHUGEINT as decimals of 128 bits, in which 2^128 - 5 is -5."""
    users = [2**128 - 1, 2**128 - 5, 2**127, 5]
    con = duckdb.connect()
    listed = ", ".join(f"('{user}'::UHUGEINT, {place})" for place, user in enumerate(users))
    con.execute(f"CREATE TABLE truth AS FROM (VALUES {listed}) AS t(userid, itemid)")
    con.execute("CREATE TABLE rec AS SELECT *, 1 AS score, userid AS segment FROM truth")
    found = evaluate("truth", "rec", k=1, metrics="recall", by="segment", con=con)
    expected = [str(user) for user in sorted(users)]
    assert [row[0] for row in found.per_user.fetchall()] == expected
    assert found.to_polars()["userid"].to_list() == expected
    assert found.to_pandas()["userid"].to_list() == expected
    assert found.to_arrow()["userid"].to_pylist() == expected
    assert {row[0] for row in found.summary.fetchall()} >= {*expected}
    compared = compare("truth", {"a": "rec", "b": "rec"}, k=1, metrics="recall", con=con)
    assert {row[1] for row in compared.per_user.fetchall()} == {*expected}


def test_temporary_tables_come_before_others():
    con = duckdb.connect()
    con.register("given", pa.table(TRUTH))
    con.execute("""
        CREATE TABLE truth AS FROM given LIMIT 1;
        CREATE VIEW seen AS FROM truth;
        CREATE MACRO called() AS TABLE FROM truth;
        CREATE TEMP TABLE truth AS FROM given
    """)
    joined = 'WITH t AS (FROM "truth" JOIN (SELECT 2 AS two) ON true) FROM t'
    for truth in ("truth", "FROM Truth", joined, "seen", "FROM called()"):
        assert evaluate(truth, REC, k=2, con=con).counts.truth_rows == 5


def test_floating_point_ids_of_any_width_match():
    truth = pa.table({"userid": [1], "itemid": pa.array([1.5], pa.float64())})
    rec = {"userid": [1, 1], "itemid": pa.array([2.5, 1.5], pa.float32()), "score": [2, 1]}
    assert of_users(truth, pa.table(rec), k=2, metrics="mrr") == {1: 0.5}


@pytest.mark.parametrize("item", ["itemid", "ItemID"])
def test_ids_that_look_like_decimal_numbers(item: str, tmp_path: Path):
    (tmp_path / "truth.csv").write_text(f"userid,{item}\n1,1.10\n2,1e5\n")
    (tmp_path / "rec.csv").write_text("userid,itemid,score\n1,1.1,0.5\n2,10e4,0.5\n")
    told = "no item of rec .* such as '1.10', '1e5', and in rec .* '1.1', '10e4'"
    with pytest.warns(DataWarning, match=told):
        found = evaluate(tmp_path / "truth.csv", str(tmp_path / "rec.csv"), k=1, metrics="hit_rate")
    assert [row[1] for row in found.wide.fetchall()] == [0, 0]


def test_a_locked_configuration():
    con = duckdb.connect(config={"lock_configuration": True})
    assert of_users(TRUTH, REC, k=2, metrics="ndcg", con=con, progress=True) == approx(NDCG)


def test_results_are_copied():
    found = evaluate(TRUTH, REC, k=2, metrics="ndcg")
    assert repr(pickle.loads(pickle.dumps(found))) == repr(found)
    assert copy.deepcopy(found).summary.fetchall() == found.summary.fetchall()
    # A result that was used before has tables on a connection, which its copies have not.
    tukey: Any = {"baseline": "all", "test": "tukey_hsd", "resamples": 1, "seed": 1}
    compared = [compare(TRUTH, {"a": REC, "b": REC}, k=2, metrics="ndcg", **test) for test in ({}, tukey)]
    result: Any
    for result in (found, *compared):
        relations = ["per_user", "wide", "summary", *(["differences"] if result is not found else [])]
        used = [getattr(result, name).fetchall() for name in relations]
        copied = pickle.loads(pickle.dumps(result))
        assert [getattr(copied, name).fetchall() for name in relations] == used
        assert repr(pickle.loads(pickle.dumps(result))) == repr(result)


@pytest.mark.parametrize("name", ["Grade", "Stars"])
def test_a_forgotten_rel_warns(name: str, recwarn: pytest.WarningsRecorder):
    text = f"truth has a column '{name}', but no rel='{name}' is given: each of its rows counts as relevant$"
    for values in ([1, 0, 1, 1, 1], [1.5] * 5, [True, False, True, True, True]):
        with pytest.warns(DataWarning, match=text):
            evaluate({**TRUTH, name: values}, REC, k=2)
    evaluate({**TRUTH, name: [*"abcde"]}, REC, k=2)
    evaluate({**TRUTH, name: [1] * 5}, REC, k=2, rel=name)
    assert not recwarn.list


def test_nothing_is_relevant():
    truth = {**TRUTH, "rel": [0] * 5}
    users: Any
    for users in ("both", "truth"):
        with pytest.warns(DataWarning, match="each user of truth is without a relevant item$"):
            found = evaluate(truth, REC, k=2, metrics="ndcg", rel="rel", users=users)
    assert select(found.summary, "n, mean") == [(0, None)]
    # No item is in both tables either. That is no reason for a second warning.
    others = {**REC, "itemid": [*"vwxyz"]}
    with pytest.warns(DataWarning) as met:
        evaluate(truth, others, metrics=["recall@1", "mrr@1", "rankdcg"], rel="rel")
    assert [str(each.message) for each in met] == [
        "evaluate: no metric has a value: each user of truth is without a relevant item, or without two "
        "distinct relevances among what was judged and retrieved"
    ]


#: Rows of truth and of rec, each with its number of copies. The numbers are all different.
COUNTED: dict[str, list[tuple[int, tuple[Any, Any, Any]]]] = {
    "truth": [
        (6, (1, "a", 1.0)),  # 5 repeats
        (1, (2, "a", 1.0)), (1, (3, "a", 1.0)), (1, (21, "a", 1.0)), (1, (22, "a", 1.0)),
        (1, (None, "a", 1.0)), (3, (1, None, 1.0)), (6, (1, "b", None)), (7, (1, "c", math.nan)),
    ],
    "rec": [
        (11, (1, "a", 9.0)),  # 10 repeats
        (1, (2, "a", 9.0)), (1, (3, "a", 8.0)), (1, (3, None, 9.0)),
        *((1, (user, "a", 1.0)) for user in (31, 32, 33, 34)),
        (9, (None, "a", 1.0)), (12, (1, None, 1.0)), (8, (1, "b", None)), (14, (1, "c", math.nan)),
    ],
}  # fmt: skip


@pytest.mark.parametrize("users", ["truth", "both"])
def test_counts(users: Any):
    truth, rec = (
        pa.table(
            [*map(list, zip(*(row for n, row in COUNTED[name] for _ in range(n)), strict=True))], columns
        )
        for name, columns in (("truth", ["userid", "itemid", "rel"]), ("rec", ["userid", "itemid", "score"]))
    )
    with pytest.warns(DataWarning) as met:
        found = evaluate(truth, rec, k=3, metrics="mrr", rel="rel", users=users)
    assert found.users == users
    assert found.counts == rankdcg_sql.Counts(
        rec_rows=61,
        truth_rows=27,
        users_evaluated={"truth": 5, "both": 3}[users],
        users_without_rec=2,
        users_without_truth=4,
        rec_repeats=10,
        truth_repeats=5,
        rec_null_users=9,
        rec_null_items=13,
        rec_null_scores=8,
        rec_nan_scores=14,
        truth_null_users=1,
        truth_null_items=3,
        truth_null_rels=6,
        truth_nan_rels=7,
        users_without_value={},
    )
    # The NULL item of user 3 takes rank 1. The repeats of user 1 take no rank.
    expected = {1: 1.0, 2: 1.0, 3: 0.5} | ({21: 0.0, 22: 0.0} if users == "truth" else {})
    assert {user: value for user, *_, value in found.per_user.fetchall()} == approx(expected)
    assert found.counts.notes() == [
        "2 users of truth without a row in rec",
        "4 users of rec without a row in truth, not evaluated",
        "10 rows of rec with the user and item of another row: the largest score counts",
        "5 rows of truth with the user and item of another row: the judgement counts once",
        "9 rows of rec without a user, left out",
        "13 rows of rec without an item: such a row takes a rank and is never relevant",
        "8 rows of rec without a score, left out",
        "14 rows of rec with NaN as score, left out",
        "1 row of truth without a user, left out",
        "3 rows of truth without an item, ignored",
        "6 rows of truth without a relevance, left out",
        "7 rows of truth with NaN as relevance, left out",
    ]
    assert [f"evaluate: {note}" for note in found.counts.notes()[2:]] == [str(each.message) for each in met]
    assert all(each.filename == __file__ for each in met)
    assert all(note in repr(found) for note in found.counts.notes())


@pytest.mark.parametrize("width", [pa.float32(), pa.float64()])
@pytest.mark.parametrize("metrics", ["ndcg", "rbp"])
def test_nan_is_seen_in_files_whose_statistics_leave_it_out(metrics: str, width: pa.DataType, tmp_path: Path):
    """The least and the largest number that a Parquet file states for a column are never NaN."""
    rel = pa.array([1.0, math.nan, 2.0, 1.0], width)
    truth = pa.table({"userid": [1, 1, 2, 3], "itemid": [*"abce"], "rel": rel, "half": [*"xyxy"]})
    rec = pa.table(REC).set_column(2, "score", pa.array([0.5, math.nan, 0.25, 0.75, math.nan], width))
    pq.write_table(truth, tmp_path / "truth.parquet")
    pq.write_table(rec, tmp_path / "rec.parquet")
    stated = pq.ParquetFile(tmp_path / "rec.parquet").metadata.row_group(0).column(2).statistics
    assert (stated.min, stated.max) == (0.25, 0.75)
    files = tmp_path / "truth.parquet", tmp_path / "rec.parquet"
    with pytest.warns(DataWarning, match="NaN as"):
        found = evaluate(*files, 2, metrics, rel="rel", by="half")
    with pytest.warns(DataWarning):
        in_memory = evaluate(truth, rec, 2, metrics, rel="rel", by="half")
    assert (found.counts.rec_nan_scores, found.counts.truth_nan_rels) == (2, 1)
    assert found.per_user.fetchall() == in_memory.per_user.fetchall()
    assert len(found.per_user) == 3


@pytest.mark.parametrize(("column", "table", "recall"), [("score", "rec", 0.5), ("rel", "truth", 1.0)])
def test_nan_in_one_of_the_columns_alone(column: str, table: str, recall: float):
    """The other column is of integers, which have no NaN."""
    ids = {"userid": [1, 1], "itemid": ["a", "b"]}
    tables = {"truth": {**ids, "rel": [1, 2]}, "rec": {**ids, "score": [1, 2]}}
    tables[table][column] = [1.0, math.nan]
    with pytest.warns(DataWarning, match=f"1 row of {table} with NaN as "):
        found = evaluate(**tables, metrics="recall@2", rel="rel")
    assert found.means == {"recall@2": recall}


def test_clean_tables_have_no_notes(recwarn: pytest.WarningsRecorder):
    found = evaluate(TRUTH, {**REC, "userid": [1, 1, 1, 2, 3]}, k=2)
    assert found.counts.notes() == []
    assert not recwarn.list
