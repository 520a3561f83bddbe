"""Items of rankings, and what each adds to a metric: by hand, and against the values of users."""

from __future__ import annotations

import copy
import math
import pickle
import random
import re
from collections import Counter
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pyarrow as pa
import pytest
from conftest import needs_duckdb_2
from support.two_tables import NDCG, REC, TRUTH, approx

import rankdcg_sql
from rankdcg_sql import CallError, evaluate
from rankdcg_sql.evaluation._computing import explanations as _explanations
from rankdcg_sql.evaluation._terms.metrics import explained_metrics

pytestmark = needs_duckdb_2
#: The ideal DCG of user 1 at 2, who has three relevant items.
IDEAL = 1 + 1 / math.log2(3)
COLUMNS = [
    "rank",
    "last_rank",
    "item",
    "score",
    "rel",
    "judged",
    "gain",
    "discount",
    "contribution",
    "if_found",
]


def explained(result: rankdcg_sql.Evaluation, *arguments: Any) -> list[tuple[Any, ...]]:
    """The rows of one user, without those of the measure and the value."""
    rows = result.explain(*arguments).relation
    return rows.project(", ".join(name.replace("item", "itemid") for name in COLUMNS)).fetchall()


def test_a_user_by_hand() -> None:
    result = evaluate(TRUTH, REC, k=2, metrics=["ndcg", "recall", "precision"])
    one = result.explain(1)
    # Item b is at rank 3; c at rank 2 is the worst of the top 2, and gives its place up to b or to d.
    rest = (1 / math.log2(3)) / IDEAL
    assert explained(result, 1) == [
        (1, 1, "a", 0.9, 1.0, True, 1.0, 1.0, approx(1 / IDEAL), None),
        (2, 2, "c", 0.8, None, False, 0.0, approx(1 / math.log2(3)), 0.0, None),
        (3, 3, "b", 0.3, 1.0, True, 1.0, approx(0.0), 0.0, approx(rest)),
        (None, None, "d", None, 1.0, True, 1.0, 0.0, 0.0, approx(rest)),
    ]
    assert (one.metric, one.k, one.user, one.value) == ("ndcg", 2, "1", approx(NDCG[1]))
    recall = explained(result, 1, "recall")
    assert [row[2] for row in recall] == ["a", "c", "b", "d"]
    assert [row[-2:] for row in recall] == [
        (approx(1 / 3), None),
        (0.0, None),
        (0.0, approx(1 / 3)),
        (0.0, approx(1 / 3)),
    ]
    # Metrics without gains have none.
    assert {row[6:8] for row in recall} == {(None, None)}


def test_tied_items_have_their_mean_contribution() -> None:
    rec = {"userid": [1, 1, 1], "itemid": ["a", "b", "c"], "score": [2, 1, 1]}
    rows = explained(evaluate(TRUTH, rec, k=2, metrics="precision"), 1)
    # One of two tied items is at rank 2, each with probability 1/2; only b is relevant.
    assert [(*row[:3], row[8]) for row in rows[:3]] == [
        (1, 1, "a", 0.5),
        (2, 3, "b", 0.25),
        (2, 3, "c", 0.0),
    ]


def test_all_users_are_a_relation() -> None:
    rows = evaluate(TRUTH, REC, k=[1, 2], metrics=["auc", "ndcg"]).explain()
    assert rows.columns == [
        *("userid", "metric", "k", "rank", "last_rank", "itemid", "score", "rel", "judged"),
        *("gain", "discount", "contribution", "if_found", "value"),
    ]
    sums = rows.aggregate("userid, metric, k, sum(contribution), any_value(value)", "userid, metric, k")
    # User 3 has no recommendations: its item is missed.
    assert sorted(sums.fetchall()) == [
        (1, "ndcg", 2, approx(NDCG[1]), approx(NDCG[1])),
        (2, "ndcg", 2, approx(NDCG[2]), approx(NDCG[2])),
        (3, "ndcg", 2, 0.0, 0.0),
    ]


def test_a_table_is_printed() -> None:
    one = evaluate(TRUTH, REC, k=2, metrics="ndcg", unit="queries").explain(1)
    assert (
        repr(one)
        == """\
ndcg@2 of query 1: 0.6131; 2 missed items
╭──────┬────────┬───────┬─────┬────────┬──────┬──────────┬──────────────┬────────╮
│ rank │ itemid │ score │ rel │ judged │ gain │ discount │ contribution │    sum │
├──────┼────────┼───────┼─────┼────────┼──────┼──────────┼──────────────┼────────┤
│    1 │ a      │   0.9 │   1 │ ✓      │    1 │   1.0000 │       0.6131 │ 0.6131 │
│    2 │ c      │   0.8 │     │        │    0 │   0.6309 │       0.0000 │ 0.6131 │
╰──────┴────────┴───────┴─────┴────────┴──────┴──────────┴──────────────┴────────╯
Missed items, and what each would have added at the best free rank
╭──────┬────────┬───────┬─────┬──────┬───────────╮
│ rank │ itemid │ score │ rel │ gain │ would add │
├──────┼────────┼───────┼─────┼──────┼───────────┤
│    3 │ b      │   0.3 │   1 │    1 │   +0.3869 │
│      │ d      │       │   1 │    1 │   +0.3869 │
╰──────┴────────┴───────┴─────┴──────┴───────────╯"""
    )
    renamed = [{name.replace("itemid", "sum"): cells for name, cells in of.items()} for of in (TRUTH, REC)]
    lines = repr(evaluate(*renamed, k=2, metrics="ndcg", item="sum").explain(1)).splitlines()
    assert [cells[2].strip() for cells in (line.split("│") for line in lines) if len(cells) > 2] == [
        *("sum", "a", "c"),
        *("sum", "b", "d"),
    ]
    page = one._repr_html_()
    assert page.startswith("<p>ndcg@2 of query 1: 0.6131; 2 missed items</p><table>")
    assert "<p>Missed items, and what each would have added at the best free rank</p>" in page
    assert one.render("csv").splitlines()[0].startswith("userid,metric,k,rank,last_rank,itemid,score,")
    assert one.to_polars().equals(pl.from_arrow(one.to_arrow()))
    assert one.to_pandas()["itemid"].tolist() == ["a", "c", "b", "d"]
    assert repr(pickle.loads(pickle.dumps(one))) == repr(one)
    unserved = evaluate(TRUTH, REC, k=2, metrics="ndcg").explain(3)
    assert repr(unserved).startswith("ndcg@2 of user 3: 0.0000; 1 missed item\nMissed items, and what each")
    judged = {"userid": [1], "itemid": ["a"], "rel": [0]}
    irrelevant = evaluate(judged, REC, k=2, metrics="ndcg", rel="rel", no_relevant="one").explain(1)
    by_rule = "ndcg@2 of user 1: 1.0000, by the rule for rankings without hits or judgements"
    assert repr(irrelevant).splitlines()[0] == by_rule
    without = evaluate(judged, REC, k=2, metrics="ndcg", rel="rel", no_relevant="null").explain(1)
    assert without.headline() == "ndcg@2 of user 1: no value"


def test_long_rankings_are_cut_where_people_read_them() -> None:
    items = [*range(80)]
    rec = {"userid": [1] * 80, "itemid": items, "score": [-item for item in items]}
    one = evaluate({"userid": [1], "itemid": [70]}, rec, k=None, metrics="mrr").explain(1)
    assert repr(one).count("\n│") == 51  # and the names of columns
    assert repr(one).splitlines()[-1] == "Tables show at most 50 rows of 80: .relation has all."
    assert len(one.relation) == 80


#: Ids of several types in SQL, from the number of a user or an item.
IDS = {
    "int32": "{}::INTEGER",
    "int64": "{}",
    "text": "format('{{:03d}}é', {})",
    "decimal": "{}::DECIMAL(30, 2)",
    "float": "{} + 0.5::DOUBLE",
    "date": "'2000-01-01'::DATE + {}::INTEGER",
    "uuid": "format('00000000-0000-0000-0000-{{:012d}}', {})::UUID",
    "uhugeint": "{}::UHUGEINT + 340282366920938463463374607431768211000",
    "struct": "if({0} IS NULL, NULL, {{'a': {0}}})",
}


def random_tables(seed: int, user: str, item: str) -> tuple[Any, Any]:
    """Truth and rec of 30 users with ties, repeats, unserved and unjudged users, and rows without an item."""
    chance = random.Random(seed)
    pairs = [(chance.randrange(30), chance.choice([None, *range(12)])) for _ in range(300)]
    judged = {pair: chance.randrange(4) for pair in pairs[:150]}
    returned = [(*pair, float(chance.randrange(6))) for pair in pairs[100:]]

    def table(rows: list[tuple[Any, ...]], value: str) -> duckdb.DuckDBPyRelation:
        columns = {
            name: pa.array(of) for name, of in zip(("u", "i", value), zip(*rows, strict=True), strict=True)
        }
        ids = f"{IDS[user].format('u')} AS userid, {IDS[item].format('i')} AS itemid"
        return duckdb.from_arrow(pa.table(columns)).project(f"{ids}, {value}")

    return table([(*pair, rel) for pair, rel in judged.items()], "rel"), table(returned, "score")


@pytest.mark.parametrize(
    ("user", "item", "options"),
    [
        ("int32", "int64", {}),
        ("int64", "text", {"ties": "item_desc"}),
        ("text", "int32", {"convention": "trec_eval"}),
        ("date", "decimal", {"ties": "optimistic"}),
        ("uuid", "float", {"ties": "item_asc"}),
        ("float", "uuid", {"gain": "linear"}),
        ("struct", "date", {"users": "both"}),
        ("decimal", "struct", {"gain": "binary", "min_rel": 2}),
        # One of these metrics does not read it.
        ("int32", "text", {"min_rel": 2, "metrics": ["ndcg", "recall", "precision"]}),
    ],
)
def test_contributions_add_up_to_the_values_of_users(user: str, item: str, options: dict[str, Any]) -> None:
    truth, rec = random_tables(len(user + item), user, item)
    asked = {} if "metrics" in options else {"metrics": explained_metrics(), "max_rel": 3}
    result = evaluate(truth, rec, k=[1, 3, None], rel="rel", **asked, **options)
    con = duckdb.connect()
    result.tables("explain").explain("explain", result.measures, None, con)
    columns = "metric, k, userid::VARCHAR, sum(contribution), any_value(value)"
    found = con.table("explanations").aggregate(columns, "metric, k, userid").fetchall()
    of_users = result.per_user.project("metric, k, userid::VARCHAR, value").fetchall()
    values = {tuple(key): value for *key, value in of_users}
    explained = Counter()
    for metric, k, user, total, value in found:
        expected = values[metric, k, user]
        assert value == (None if expected is None else approx(expected))
        assert total is None or total == approx(value)
        explained[metric, k] += total is not None
    assert {*explained} == {(measure.metric, measure.k) for measure in result.measures}
    assert min(explained.values()) > 15


@pytest.mark.parametrize("parts", [2, 11])
def test_users_are_divided_into_parts(parts: int, monkeypatch: pytest.MonkeyPatch) -> None:
    truth, rec = random_tables(1, "text", "int32")
    result = evaluate(truth, rec, k=3, metrics="ndcg", rel="rel")
    whole = result.explain().fetchall()
    memory = (
        2 * (result.counts.truth_rows + result.counts.rec_rows) * _explanations._ROW_BYTES / (parts - 0.5)
    )
    monkeypatch.setattr(_explanations, "memory_limit", lambda _: memory)
    divided: list[int] = []
    divide = _explanations.divide

    def counting(tables: Any, rows: Any, count: int) -> Any:
        divided.append(count)
        return divide(tables, rows, count)

    monkeypatch.setattr(_explanations, "divide", counting)
    assert result.explain().fetchall() == whole
    assert divided == [parts]
    assert len(result.explain("001é").relation) > 0
    assert divided == [parts, 1]


@pytest.mark.parametrize(
    ("user", "item", "given"),
    [
        ("int32", "text", 3),
        ("int64", "text", "3"),
        ("text", "uhugeint", "003é"),
        ("date", "text", "2000-01-04"),
    ],
)
def test_a_user_is_named_as_the_table_has_it_or_by_its_text(user: str, item: str, given: Any) -> None:
    truth, rec = random_tables(2, user, item)
    result = evaluate(truth, rec, k=3, metrics="ndcg", rel="rel")
    one = result.explain(given)
    assert len(one.relation) > 0
    literal = one.user if one.user.startswith("'") else f"'{one.user}'"
    alone = result.explain().filter(f"userid::VARCHAR = {literal}")
    assert alone.fetchall() == one.relation.fetchall()


def test_files_of_trec_are_ranked_as_evaluate_ranks_them(tmp_path: Path) -> None:
    (tmp_path / "qrels.txt").write_text("q1 0 d1 1\nq1 0 d2 1\nq2 0 d1 2\n")
    (tmp_path / "run.txt").write_text("q1 Q0 d1 1 0.5 x\nq1 Q0 d2 2 0.5 x\nq2 Q0 d3 1 1 x\n")
    result = evaluate(tmp_path / "qrels.txt", tmp_path / "run.txt", k=1, metrics="recall")
    ranks = result.explain("q1").relation.project("itemid, rank, last_rank").fetchall()
    assert ranks == [("d2", 1, 1), ("d1", 2, 2)]  # of equal scores, the larger id


def test_wrong_calls() -> None:
    result = evaluate(TRUTH, REC, k=2, metrics=["ndcg", "auc", "hit_rate"])
    for arguments, message in {
        (4,): "4 is no user of truth, where they are such as 1, 2, 3",
        (1.5,): "1.5 is no user of truth, where they are such as 1, 2, 3",
        ("x",): "'x' is no user of truth, where they are such as 1, 2, 3",
        (1, "auc"): f"auc is no sum over items; these are: {', '.join(explained_metrics())}",
        (None, "hit_rate@2"): f"hit_rate is no sum over items; these are: {', '.join(explained_metrics())}",
        (1, "recall"): "metric must be 'ndcg', got 'recall'",
        (1, ""): "metric must be 'ndcg', got ''",
        (1, "ndcg", 3): "k of ndcg must be 2, got 3",
        (1, "ndcg@2", 2): "metric='ndcg@2' has a cutoff: give no k, got 2",
    }.items():
        with pytest.raises(ValueError, match=f"^explain: {re.escape(message)}$"):
            result.explain(*arguments)
    with pytest.raises(ValueError, match=r"^explain: auc, hit_rate is no sum over items"):
        evaluate(TRUTH, REC, k=2, metrics=["auc", "hit_rate"]).explain()
    both = evaluate(TRUTH, REC, k=2, metrics="ndcg", users="both")
    with pytest.raises(ValueError, match=r"^explain: 3 is no user of rec, where they are such as 1, 2$"):
        both.explain(3)


def test_a_copy_has_no_tables() -> None:
    result = evaluate(TRUTH, REC, k=2, metrics="ndcg")
    assert result.given is not None
    for copied in (pickle.loads(pickle.dumps(result)), copy.copy(result)):
        assert copied.means == result.means
        with pytest.raises(CallError, match=r"^explain: this result has no tables, as a copy from a pickle"):
            copied.explain(1)


def test_tables_that_are_gone() -> None:
    con = rankdcg_sql.connect()
    con.register("given", pa.table(REC))
    con.execute("CREATE TABLE rec AS FROM given")
    result = evaluate(TRUTH, "rec", k=2, metrics="ndcg", con=con)
    assert result.explain(2).value == approx(NDCG[2])
    con.execute("DROP TABLE rec")
    with pytest.raises(
        CallError, match=r"^explain: rec \(rec\): there is no file and no table of this name$"
    ):
        result.explain(2)
    con.close()
    with pytest.raises(CallError, match=r"^explain: its connection is closed, .*: evaluate them again$"):
        result.explain(2)
    once = evaluate(TRUTH, pa.table(REC).to_reader(), k=2, metrics="ndcg")
    with pytest.raises(
        CallError, match=r"^explain: rec cannot be read: it has no rows, or had been read before"
    ):
        once.explain(2)


@pytest.mark.parametrize("way", ["udf"])
def test_the_database_may_lack_the_aggregates(con: duckdb.DuckDBPyConnection) -> None:
    result = evaluate(TRUTH, REC, k=2, metrics="ndcg", con=con)
    with pytest.raises(CallError, match=r"^explain: this needs DuckDB 2.0 or later, and a database that was"):
        result.explain(1)
