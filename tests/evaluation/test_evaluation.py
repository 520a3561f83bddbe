"""Evaluations of two tables: every kind of table, every number, every message."""

from __future__ import annotations

import bz2
import copy
import csv
import decimal
import gzip
import io
import itertools
import json
import lzma
import math
import os
import pickle
import random
import re
import statistics
import subprocess
import sys
import warnings
import zipfile
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb
import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.dataset
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from support import golden, latex, process, reference
from support.outputs import trec_values

import rankdcg_sql
from rankdcg_sql import DataWarning, _static, compare, evaluate
from rankdcg_sql.catalogue import metric_functions
from rankdcg_sql.evaluation._computing import parts as _parts
from rankdcg_sql.evaluation._computing import user_metrics as _user_metrics
from rankdcg_sql.evaluation._tables.workspace import Workspace
from rankdcg_sql.evaluation._terms.metrics import reason_without_value

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Table = dict[str, list[Any]]

TRUTH: Table = {"userid": [1, 1, 1, 2, 3], "itemid": ["a", "b", "d", "c", "e"]}
REC: Table = {
    "userid": [1, 1, 1, 2, 2],
    "itemid": ["a", "c", "b", "a", "c"],
    "score": [0.9, 0.8, 0.3, 0.7, 0.6],
}
#: NDCG at 2 of users 1, 2 and 3: a hit at rank 1 and two relevant items; a hit at rank 2 and one; no hit.
NDCG = {1: 1 / (1 + 1 / math.log2(3)), 2: 1 / math.log2(3), 3: 0.0}


def approx(expected: Any) -> Any:
    return pytest.approx(expected, rel=0, abs=1e-9, nan_ok=True)


def rounded(rows: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """The rows, with numbers that compare approximately."""
    return [tuple(round(cell, 9) if isinstance(cell, float) else cell for cell in row) for row in rows]


def of_users(truth: Any, rec: Any, **arguments: Any) -> dict[Any, float]:
    """The values of one metric at one k, by user."""
    found = evaluate(truth, rec, **arguments).per_user.fetchall()
    return {user: value for user, _, _, value in found}


# Tables of every kind


def written(folder: Path, name: str, table: Table, form: str) -> str:
    """Write a table to a file."""
    path = str(folder / name)
    relation = duckdb.from_arrow(pa.table(table))
    relation.query("it", f"COPY it TO '{path}' ({form})")
    return path


ELSEWHERE = duckdb.connect()

KINDS: dict[str, Callable[[Path, str, Table], Any]] = {
    "dict": lambda _, name, table: table,
    "dict of arrays": lambda _, name, table: {column: np.array(of) for column, of in table.items()},
    "dict of series": lambda _, name, table: {column: pl.Series(of) for column, of in table.items()},
    "dict of views": lambda _, name, table: {**table, "userid": dict(enumerate(table["userid"])).values()},
    "arrow": lambda _, name, table: pa.table(table),
    "arrow batch": lambda _, name, table: pa.table(table).to_batches()[0],
    "arrow reader": lambda _, name, table: pa.table(table).to_reader(),
    "arrow dataset": lambda _, name, table: pyarrow.dataset.dataset(pa.table(table)),
    "polars": lambda _, name, table: pl.DataFrame(table),
    "polars lazy": lambda _, name, table: pl.LazyFrame(table),
    "relation": lambda _, name, table: ELSEWHERE.from_arrow(pa.table(table)),
    "parquet": lambda folder, name, table: written(folder, f"{name}.parquet", table, "FORMAT parquet"),
    "csv": lambda folder, name, table: written(folder, f"{name}.csv", table, "FORMAT csv"),
    "tsv": lambda folder, name, table: written(folder, f"{name}.TSV", table, "FORMAT csv, DELIMITER '\t'"),
    "csv.gz": lambda folder, name, table: written(folder, f"{name}.csv.gz", table, "FORMAT csv"),
    "json": lambda folder, name, table: written(folder, f"{name}.json", table, "FORMAT json, ARRAY"),
    "jsonl": lambda folder, name, table: written(folder, f"{name}.jsonl", table, "FORMAT json"),
    "ndjson": lambda folder, name, table: written(folder, f"{name}.ndjson", table, "FORMAT json"),
    "json.gz": lambda folder, name, table: written(folder, f"{name}.json.gz", table, "FORMAT json, ARRAY"),
    "path": lambda folder, name, table: Path(written(folder, f"{name}.parquet", table, "FORMAT parquet")),
    "query": lambda folder, name, table: (
        f" from '{written(folder, f'{name}.parquet', table, 'FORMAT parquet')}'"
    ),
}


@pytest.mark.parametrize("kind", KINDS)
def test_tables_of_every_kind(kind: str, tmp_path: Path):
    truth, rec = (KINDS[kind](tmp_path, name, table) for name, table in [("truth", TRUTH), ("rec", REC)])
    assert of_users(truth, rec, k=2, metrics="ndcg") == approx(NDCG)


def test_pandas():
    import pandas as pd

    truth, rec = pd.DataFrame(TRUTH), pd.DataFrame(REC)
    assert of_users(truth, rec, k=2, metrics="ndcg") == approx(NDCG)
    assert evaluate(truth, rec, k=2).to_pandas().shape == (21, 4)


@pytest.mark.parametrize(
    "pattern", ["parts", "parts/below", "parts/*.parquet", "pa\\rts", "par[t]s", "parts/"]
)
def test_several_files(pattern: str, tmp_path: Path):
    folder = tmp_path / pattern.partition("/")[0]
    folder.mkdir()
    for user in (1, 2):
        rows = [place for place, each in enumerate(REC["userid"]) if each == user]
        part = {name: [column[place] for place in rows] for name, column in REC.items()}
        written(folder, f"{user}.parquet", part, "FORMAT parquet")
    if pattern == "parts/below":  # a folder stands for the files of its folders, too
        (folder / "a" / "b").mkdir(parents=True)
        (folder / "1.parquet").rename(folder / "a" / "b" / "1.parquet")
        pattern = "parts"
    assert of_users(TRUTH, str(tmp_path / pattern), k=2, metrics="ndcg") == approx(NDCG)


@pytest.mark.parametrize(
    "query",
    [
        "/* all */ FROM '{}'",
        "-- all\nFROM '{}'",
        "\n WITH t AS (FROM '{}') FROM t",
        "SELECT * FROM '{}' ; \n",
        "(FROM '{}')",
        "select*from '{}'",
        "FROM'{}'",
        'FROM"{}"',
        "FROM(FROM '{}')",
        "FROM '{}' -- all",
    ],
)
def test_texts_that_are_queries(query: str, tmp_path: Path):
    rec = query.format(written(tmp_path, "rec.csv", REC, "FORMAT csv"))
    assert of_users(TRUTH, rec, k=2, metrics="ndcg") == approx(NDCG)


def test_a_query_may_list_its_values():
    names = {"rec_user": "col0", "rec_item": "col1", "score": "col2"}
    found = of_users(TRUTH, "VALUES (1, 'b', 1), (2, 'c', 2)", k=1, metrics="hit_rate", **names)
    assert found == {1: 1, 2: 1, 3: 0}


def test_a_tilde_is_the_home_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    written(tmp_path, "rec.csv", REC, "FORMAT csv")
    rec: Any
    for rec in ("~/rec.csv", Path("~/rec.csv"), "~/*.csv", ["~/rec.csv"], ["~/*.csv"]):
        assert of_users(TRUTH, rec, k=2, metrics="ndcg") == approx(NDCG)


@pytest.fixture
def database() -> Iterator[duckdb.DuckDBPyConnection]:
    """Open a database with a table and a temporary table."""
    con = rankdcg_sql.connect()
    con.register("given", pa.table(TRUTH))
    con.execute("CREATE SCHEMA s; CREATE TABLE s.truth AS FROM given")
    con.register("given", pa.table(REC))
    con.execute("CREATE TEMP TABLE rec AS FROM given")
    con.unregister("given")
    yield con
    con.close()


@pytest.mark.parametrize("truth", ["s.truth", "SELECT * FROM s.truth", '"s"."truth"'])
@pytest.mark.parametrize("rec", ["rec", "REC", "FROM rec"])
def test_tables_of_a_connection(database: duckdb.DuckDBPyConnection, truth: str, rec: str):
    assert of_users(truth, rec, k=2, metrics="ndcg", con=database) == approx(NDCG)


def test_connections_of_every_way(con: duckdb.DuckDBPyConnection):
    """Connections of every way in, including those that take Python functions only."""
    found = evaluate(TRUTH, REC, k=[2, None], metrics=["ndcg", "rankdcg"], con=con, gain="linear")
    assert [row[1] for row in found.wide.fetchall()] == approx(list(NDCG.values()))
    assert (
        evaluate(TRUTH, REC, k=2, metrics="ndcg", con=con).summary.fetchall()
        == found.summary.limit(1).fetchall()
    )


def test_a_connection_is_left_as_it_was(database: duckdb.DuckDBPyConnection):
    tables = (
        "SELECT table_name FROM duckdb_tables() UNION ALL SELECT view_name FROM duckdb_views() ORDER BY ALL"
    )
    before = database.execute(tables).fetchall()
    database.execute("FROM range(5000)")
    assert database.fetchone() == (0,)
    evaluate("s.truth", "SELECT 1 AS userid, 'a' AS itemid, 1 AS score", con=database)
    with pytest.raises(ValueError, match="no column"):
        evaluate("s.truth", "s.truth", con=database)
    assert len(database.fetchall()) == 4999
    assert database.execute(tables).fetchall() == before
    assert database.execute("SELECT current_setting('python_enable_replacements')").fetchall() == [(True,)]


def test_names_are_not_those_of_variables(database: duckdb.DuckDBPyConnection):
    nothing = pa.table(REC)  # noqa: F841
    # Modules and instances have these names in this package.
    for name in ("nothing", "self", "duckdb", "label"):
        for con in (database, None):
            with pytest.raises(ValueError, match=f"Table with name {name} does not exist") as error:
                evaluate(TRUTH, f"FROM {name}", con=con)
            assert ("runs on an empty database" in str(error.value)) == (con is None)


def test_names_of_columns_have_no_case():
    truth = {"USER": TRUTH["userid"], "Doc": TRUTH["itemid"], "Seg": ["x", "x", "x", "y", "y"]}
    rec = {"user": REC["userid"], "DOC": REC["itemid"], "S": REC["score"]}
    found = evaluate(truth, rec, k=2, metrics="ndcg", user="User", item="doc", score="s", by="seg")
    assert found.per_user.columns == ["User", "seg", "metric", "k", "value"]
    assert {row[0]: row[-1] for row in found.per_user.fetchall()} == approx(NDCG)


@pytest.mark.parametrize(("name", "score"), [("SCORE", "score"), ("score", "Score"), ("Score", "sCORE")])
def test_names_of_columns_have_no_case_in_files_and_queries(name: str, score: str, tmp_path: Path):
    rec = {"USERID": [1, 1], "ItemId": ["a", "b"], name: [1, 0.5]}
    listed = f"SELECT 1 AS USERID, unnest(['a', 'b']) AS ItemId, unnest([1, 0.5]) AS {name}"
    for table in (*(KINDS[kind](tmp_path, kind, rec) for kind in ("csv", "json", "parquet")), listed):
        found = evaluate({"userid": [1], "itemid": ["b"]}, table, k=2, metrics="mrr", score=score)
        assert found.means == {"mrr@2": 0.5}
    truth = KINDS["parquet"](tmp_path, "truth", {"UserID": [1], "ITEMID": ["b"]})
    compared = compare(truth, {"one": rec, "other": rec}, k=2, metrics="mrr", score=score)
    assert compared.means == {"mrr@2": {"one": 0.5, "other": 0.5}}


@pytest.mark.parametrize(
    ("user", "item"),
    [
        ("TINYINT", "UBIGINT"),
        ("UBIGINT", "INTEGER"),
        ("HUGEINT", "DECIMAL(9, 2)"),
        ("VARCHAR", "UUID"),
        ("DATE", "VARCHAR"),
        ("STRUCT(a INTEGER)", "BLOB"),
        ("DOUBLE", "TIMESTAMP"),
        ("INTEGER[]", "BOOLEAN"),
        ("ENUM('1', '2')", "ENUM('3', '1')"),
    ],
)
def test_ids_of_any_type(user: str, item: str):
    """The judged item is the second one, for both users."""
    ids = {
        "DATE": "DATE '2020-01-01' + {}",
        "TIMESTAMP": "TIMESTAMP '2020-01-01' + to_days({})",
        "UUID": "md5('{}')",
        "STRUCT(a INTEGER)": "{{'a': {}}}",
        "BLOB": "'{}'::BLOB",
        "INTEGER[]": "[{}]",
        "BOOLEAN": "{} = 1",
        "ENUM('1', '2')": "'{}'",
        "ENUM('3', '1')": "'{}'",
    }

    def of(kind: str, number: int) -> str:
        return f"({ids.get(kind, '{}').format(number)})::{kind}"

    def row(*numbers: int) -> str:
        return f"{of(user, numbers[0])} AS userid, {of(item, numbers[1])} AS itemid"

    truth = " UNION ALL ".join(f"SELECT {row(each, 1)}" for each in (1, 2))
    rec = " UNION ALL ".join(f"SELECT {row(u, i)}, {s} AS score" for u in (1, 2) for i, s in ((3, 2), (1, 1)))
    found = evaluate(truth, rec, k=[2], metrics=["mrr", "r_precision"]).summary.fetchall()
    assert [(metric, k, n, mean) for metric, k, n, mean, *_ in found] == [
        ("mrr", 2, 2, 0.5),
        ("r_precision", None, 2, 0.0),
    ]
    # Alone, mrr is computed by the aggregate over all users, if there is one.
    assert evaluate(truth, rec, k=[2], metrics=["mrr"]).summary.project("n, mean").fetchall() == [(2, 0.5)]


@pytest.mark.parametrize("column", ["userid", "itemid"])
@pytest.mark.parametrize("narrow", ["truth", "rec"])
def test_ids_of_more_digits_than_the_type_of_both_has(column: str, narrow: str):
    def ids(of: str) -> str:
        value = "1::DECIMAL(38, 30)" if narrow == of else "1234567890123"
        other = "itemid" if column == "userid" else "userid"
        return f"SELECT {value} AS {column}, 1 AS {other}"

    of_truth, of_rec = ("DECIMAL(38,30)", "BIGINT") if narrow == "truth" else ("BIGINT", "DECIMAL(38,30)")
    wide = "rec" if narrow == "truth" else "truth"
    sentence = (
        f"evaluate: {column} of truth is {of_truth}, {column} of rec is {of_rec}, and the type of both, "
        f"DECIMAL(38,30), has too few digits for some of {wide}: cast {column} of "
    )
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}"):
        evaluate(ids("truth"), f"{ids('rec')}, 1 AS score", k=1)


@pytest.mark.parametrize("suffix", ["json", "jsonl"])
def test_large_ids_in_json_stay_exact(suffix: str, tmp_path: Path):
    """The users differ in the last digit, and one of the two items is judged."""
    user, item = 2**65, 2**70
    truth = [{"userid": user, "itemid": item}, {"userid": user + 1, "itemid": item + 1}]
    rec = [{"userid": user + u, "itemid": item, "score": 1.5} for u in (0, 1)]
    for name, rows in (("truth", truth), ("rec", rec)):
        lines = [json.dumps(row) for row in rows]
        text = "\n".join(lines) if suffix == "jsonl" else f"[{', '.join(lines)}]"
        (tmp_path / f"{name}.{suffix}").write_text(text)
    found = evaluate(
        *(str(tmp_path / f"{name}.{suffix}") for name in ("truth", "rec")), k=1, metrics="recall"
    )
    assert [row[-1] for row in found.wide.fetchall()] == [1, 0]


def test_numbers_in_json_that_floating_point_tells_apart_stay_numbers(tmp_path: Path):
    (tmp_path / "rec.json").write_text('{"userid": 1.50, "itemid": 1, "score": 1}')
    found = evaluate(
        "SELECT 1.5::DOUBLE AS userid, 1 AS itemid", str(tmp_path / "rec.json"), k=1, metrics="recall"
    )
    assert [row[-1] for row in found.wide.fetchall()] == [1]


@pytest.mark.parametrize("suffix", ["csv", "json", "parquet"])
@pytest.mark.parametrize("name", ["~rec", "~folder/rec", "**", "a**b", "**/rec", "re?", "~[r]*"])
def test_files_whose_names_look_like_patterns(
    name: str, suffix: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """The file with exactly this name is read, and not the files that match it as a pattern."""
    monkeypatch.chdir(tmp_path)
    for path, item in ((name, 1), (re.sub(r"[*?]+", "c", name.replace("[r]", "r")), 2)):
        Path(path).parent.mkdir(exist_ok=True)
        if item == 1 or path != name:
            duckdb.sql(f"SELECT 1 AS userid, {item} AS itemid, 1 AS score").write_parquet("made.parquet")
            duckdb.sql(f"COPY (FROM 'made.parquet') TO 'made.{suffix}'")
            Path(f"made.{suffix}").rename(f"{path}.{suffix}")
    found = evaluate("SELECT 1 AS userid, 1 AS itemid", f"{name}.{suffix}", k=1, metrics="recall")
    assert [row[-1] for row in found.wide.fetchall()] == [1]


def test_a_pattern_with_two_stars_finds_files_in_folders_of_any_depth(tmp_path: Path):
    for user, folder in enumerate([".", "a", "a/b"]):
        (tmp_path / folder).mkdir(exist_ok=True)
        (tmp_path / folder / "rec.csv").write_text(f"userid,itemid,score\n{user},1,1\n")
    truth = "SELECT i AS userid, 1 AS itemid FROM range(3) AS t(i)"
    pattern = str(tmp_path / "**" / "*.csv")
    rec: Any
    for rec in (pattern, [pattern]):
        found = evaluate(truth, rec, k=1, metrics="recall")
        assert [row[-1] for row in found.wide.fetchall()] == [1, 1, 1]


@pytest.mark.parametrize("function", ["getvariable", "GetVariable"])
def test_variables_of_the_users_connection(function: str):
    with rankdcg_sql.connect() as con:
        con.execute("SET VARIABLE item = 2")
        truth = f"SELECT 1 AS userid, {function}('item') AS itemid"
        found = evaluate(truth, "SELECT 1 AS userid, 2 AS itemid, 1 AS score", k=1, metrics="recall", con=con)
        assert [row[-1] for row in found.wide.fetchall()] == [1]


@pytest.mark.parametrize(
    ("of_truth", "of_rec"),
    [
        ("INTEGER", "DECIMAL(9, 2)"),
        ("UBIGINT", "TINYINT"),
        ("HUGEINT", "BIGINT"),
        ("FLOAT", "DOUBLE"),
        ("VARCHAR", "ENUM('1', '2', '3')"),
    ],
)
def test_equal_users_of_different_types_are_one_user_in_many_parts(
    of_truth: str, of_rec: str, monkeypatch: pytest.MonkeyPatch
):
    """Users of different types that are equal are one user."""
    monkeypatch.setattr(_user_metrics, "_NUMBER_BYTES", 1 << 33)
    monkeypatch.setattr(_user_metrics, "_TEXT_BYTES", 1 << 33)
    ids = "(i::VARCHAR)" if "ENUM" in of_rec else "i"
    truth = f"SELECT {ids}::{of_truth} AS userid, 1 AS itemid FROM range(1, 4) AS t(i)"
    rec = f"SELECT {ids}::{of_rec} AS userid, 1 AS itemid, 1 AS score FROM range(1, 4) AS t(i)"
    found = evaluate(truth, rec, k=1, metrics=["mrr", "rankdcg"])
    assert [row[1] for row in found.wide.fetchall()] == [1, 1, 1]
    assert found.counts.notes() == []


# Numbers


@pytest.mark.parametrize("case", golden.TABLES, ids=lambda case: case.id)
def test_golden_tables(case: golden.TablesCase):
    found = evaluate(case.truth, case.rec, k=case.k, metrics=case.metric, users=case.users, **case.options)  # type: ignore[arg-type]
    ((metric, k, n, mean, *_),) = found.summary.fetchall()
    assert (metric, k, n) == (case.metric, case.k, {"truth": 3, "both": 2}[case.users])
    assert mean == approx(case.expected)


def test_trec_eval(third_party: Path, tmp_path: Path):
    """The values are those that trec_eval printed, and those of pytrec_eval to all digits."""
    folder = third_party / "data/trec_eval"
    ks = [1, 5, 10, 15, 20, 30, 100, 200, 500, 1000, None]
    metrics = {
        "average_precision": "map", "mrr": "recip_rank", "ndcg": "ndcg", "precision": "P",
        "recall": "recall", "hit_rate": "success", "r_precision": "Rprec",
    }  # fmt: skip
    packed = tmp_path / "packed.gz"
    packed.write_bytes(gzip.compress((folder / "results.test").read_bytes()))
    for run in (folder / "results.test", packed):
        found = evaluate(folder / "qrels.test", run, k=ks, metrics=list(metrics), convention="trec_eval")
        means = [("all", metric, k, mean) for metric, k, _, mean, *_ in found.summary.fetchall()]
        values = {}
        for query, metric, k, value in [*found.per_user.fetchall(), *means]:
            name = {"average_precision": "map_cut", "ndcg": "ndcg_cut"}.get(metric, metrics[metric])
            values[query, metrics[metric] if k is None else f"{name}_{k}"] = value
        expected = trec_values(folder / "out.test.aq", r"Rprec|map_cut_\d+")
        assert len(expected) > 4 * 40
        assert {key: f"{values[key]:.4f}" for key in expected} == expected
        published = json.loads((folder / "ref_results_test.json").read_text())["pytrec_eval"]["mean"]
        known_means = {name: mean for name, mean in published.items() if ("all", name) in values}
        assert len(known_means) > 20
        assert {name: values["all", name] for name in known_means} == approx(known_means)


def test_the_convention_of_trec_eval_leaves_out_queries_without_a_line_in_the_run(
    third_party: Path, tmp_path: Path
):
    """The means over the other queries, from the values that pytrec_eval gave each query."""
    folder = third_party / "data/trec_eval"
    values = json.loads((folder / "ref_results_test.json").read_text())["pytrec_eval"]["per_query"]
    left_out = next(iter(values))
    lines = (folder / "results.test").read_text().splitlines(keepends=True)
    run = tmp_path / "run.txt"
    run.write_text("".join(line for line in lines if line.split()[0] != left_out))
    of_both = statistics.mean(each["map"] for query, each in values.items() if query != left_out)
    of_truth = of_both * (len(values) - 1) / len(values)
    given = {"metrics": "map@all", "convention": "trec_eval"}
    for users, mean in ({}, of_both), ({"users": "both"}, of_both), ({"users": "truth"}, of_truth):
        found = evaluate(folder / "qrels.test", run, **given, **users)  # type: ignore[arg-type]
        assert found["map@all"] == approx(mean)
        assert found.users == users.get("users", "both")
    compared = rankdcg_sql.compare(folder / "qrels.test", {"a": run, "b": run}, **given)  # type: ignore[arg-type]
    assert compared["map@all"] == {"a": approx(of_both), "b": approx(of_both)}
    note = "1 user of truth without a row in rec, in no mean (users=both)"
    assert [evaluation._notes() for evaluation in compared.evaluations.values()] == [[note], [note]]


@pytest.mark.parametrize(
    "convention", [each.name for each in rankdcg_sql.conventions() if each.name != "ranx"]
)
def test_a_convention_says_over_which_users_means_are(convention: str):
    """ranx refuses a run that lacks queries, and rows have no order for its ties."""
    users = "both" if convention in ("trec_eval", "recommenders") else "truth"
    for name in (convention, convention.upper()):
        assert evaluate(TRUTH, OF_ALL, k=2, convention=name).users == users


@pytest.mark.parametrize("kind", [int, float, np.int64, np.float32, decimal.Decimal])
def test_a_negative_relevance_counts_as_0_in_qrels_of_either_kind(kind: Any, tmp_path: Path):
    (tmp_path / "qrels.txt").write_text("q 0 a 1\nq 0 b -1\nq 0 c -2\n")
    (tmp_path / "run.txt").write_text("q Q0 b 1 3 x\nq Q0 c 2 2 x\nq Q0 a 3 1 x\n")
    qrels = {"q": {"a": kind(1), "b": kind(-1), "c": kind(-2)}}
    for truth in (tmp_path / "qrels.txt", qrels):
        for convention in ({}, {"convention": "trec_eval"}):
            means = evaluate(
                truth, tmp_path / "run.txt", k=None, metrics=["ndcg", "rankdcg"], **convention
            ).means  # type: ignore[arg-type]
            # The relevant item is third, below two items of one level.
            assert means == {"ndcg": approx(0.5), "rankdcg": approx(0)}


def test_trec_files_may_begin_with_blank_lines(tmp_path: Path):
    (tmp_path / "run.txt").write_text("\n \t\n1 Q0 a 1 0.5 x\n1 Q0 b 2 0.4 x\n")
    (tmp_path / "qrels.txt").write_text("\n1 0 b 1\n")
    values = of_users(tmp_path / "qrels.txt", tmp_path / "run.txt", k=2, metrics="mrr")
    assert values == {"1": 0.5}


def test_a_convention_that_is_given_has_its_own_ties_for_trec_files(tmp_path: Path):
    """Two tied documents: each is first in half of the orders. The expected value is (1 + 1/2) / 2."""
    (tmp_path / "run.txt").write_text("1 Q0 a 1 0.5 x\n1 Q0 b 2 0.5 x\n")
    (tmp_path / "qrels.txt").write_text("1 0 b 2\n")
    found = evaluate(tmp_path / "qrels.txt", tmp_path / "run.txt", k=2, metrics="mrr", convention="sklearn")
    assert found.options == {"convention": "sklearn"}
    assert [row[3] for row in found.per_user.fetchall()] == [0.75]


def test_a_run_has_the_ties_of_trec_eval_and_qrels_do_not_ask_for_them(tmp_path: Path):
    """The last document of equal scores is the first one."""
    (tmp_path / "run.txt").write_text("1 Q0 a 1 0.5 x\n1 Q0 b 2 0.5 x\n")
    (tmp_path / "qrels.txt").write_text("1 0 b 1\n")
    of_run = evaluate({"1": {"b": 1}}, tmp_path / "run.txt", metrics="precision@1")
    of_dict = evaluate(tmp_path / "qrels.txt", {"1": {"a": 0.5, "b": 0.5}}, metrics="precision@1")
    assert (of_run.means, of_dict.means) == ({"precision@1": 1.0}, {"precision@1": 0.5})


def test_trec_ties_go_by_document(tmp_path: Path):
    (tmp_path / "run.txt").write_text("1 Q0 a 1 0.5 x\n1 Q0 b 2 0.5 x\n")
    (tmp_path / "qrels.txt").write_text("1 0 b 2\n1 0 c -1\n")
    found = evaluate(tmp_path / "qrels.txt", tmp_path / "run.txt", k=1, metrics=["mrr", "recall"])
    assert found.options == {"ties": "item_desc", "score_type": "float32"}
    assert [row[3] for row in found.per_user.fetchall()] == [1, 1]
    asked = evaluate(tmp_path / "qrels.txt", tmp_path / "run.txt", k=1, metrics="mrr", ties="item_asc")
    assert [row[3] for row in asked.per_user.fetchall()] == [0]
    assert asked.options == {"ties": "item_asc", "score_type": "float32"}


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({}, 1),
        ({"convention": "trec_eval"}, 1),
        ({"score_type": "exact"}, 0.5),
        ({"convention": "trec_eval", "score_type": "exact"}, 0.5),
        ({"convention": "spark"}, 0.5),
        ({"convention": "spark", "ties": "item_desc", "score_type": "float32"}, 1),
    ],
)
def test_trec_scores_are_compared_in_32_bits(tmp_path: Path, given: dict[str, str], expected: float):
    # Document a has the greater score in 64 bits. In 32 bits the scores tie, and document b comes first.
    (tmp_path / "run.txt").write_text("1 Q0 a 1 25.1234567 x\n1 Q0 b 2 25.1234566 x\n1 Q0 c 3 1e-60 x\n")
    (tmp_path / "qrels.txt").write_text("1 0 b 1\n")
    found = evaluate(tmp_path / "qrels.txt", tmp_path / "run.txt", k=2, metrics="mrr", **given)  # type: ignore[arg-type]
    assert [row[3] for row in found.per_user.fetchall()] == [expected]


def test_a_convention_keeps_the_ties_of_trec_away(tmp_path: Path):
    (tmp_path / "run.txt").write_text("1 Q0 a 1 0.5 x\n1 Q0 b 2 0.5 x\n")
    (tmp_path / "qrels.txt").write_text("1 0 b 2\n")
    found = evaluate(
        tmp_path / "qrels.txt", tmp_path / "run.txt", k=1, metrics="recall", convention="recommenders"
    )
    assert found.options == {"convention": "recommenders"}
    assert [row[3] for row in found.per_user.fetchall()] == [0.5]  # the mean over both orders


@pytest.mark.parametrize("judged", ["as a query", "by rating"])
def test_movielens(third_party: Path, judged: str):
    """Recommendations by popularity, with values on which two packages agree."""
    folder = third_party / "data/ml-latest-small"
    published = json.loads((folder / "ref_poprec.json").read_text())
    truth, more = folder / "truth.csv", {"rel": "rating", "min_rel": 4, "gain": "binary"}
    if judged == "as a query":
        truth, more = f"SELECT * FROM '{truth}' WHERE rating >= 4", {}
    found = evaluate(truth, folder / "rec.csv", k=[5, 10, 20, 100, None], precision_denominator="k", **more)  # type: ignore[arg-type]
    at_k = {"precision": "P", "recall": "recall", "average_precision": "map_cut", "ndcg": "ndcg_cut"}
    whole = {"average_precision": "map", "mrr": "recip_rank", "ndcg": "ndcg"}
    values = {}
    for metric, k, n, mean, *_ in found.summary.fetchall():
        assert n == published["n_queries_evaluated"]
        if metric in (at_k if k else whole):
            values[f"{at_k[metric]}_{k}" if k else whole[metric]] = mean
    means = {name: mean for name, mean in published["pytrec_eval"]["mean"].items() if name in values}
    assert len(means) == 4 * 4 - 1 + 3  # the reference has no map_cut_20
    assert {name: values[name] for name in means} == approx(means)
    of_each = {(user, metric, k): value for user, metric, k, value in found.per_user.fetchall()}
    for user, names in published["pytrec_eval"]["per_query"].items():
        assert of_each[int(user), "ndcg", 10] == approx(names["ndcg_cut_10"])


def rows_of(tables: Any) -> tuple[Table, Table]:
    """Make tables of judgements and recommendations, each item of a user once."""
    judged, retrieved = tables
    truth: Table = {"userid": [], "itemid": [], "rel": []}
    rec: Table = {"userid": [], "itemid": [], "score": []}
    for table, rows in ((truth, judged), (rec, retrieved)):
        for (user, item), value in rows.items():
            for column, cell in zip(table.values(), (user, item, value), strict=True):
                column.append(cell)
    return truth, rec


def tables() -> st.SearchStrategy[tuple[Table, Table]]:
    pairs = st.tuples(st.integers(0, 4), st.integers(0, 7))
    judged = st.dictionaries(pairs, st.integers(0, 3), min_size=1, max_size=25)
    retrieved = st.dictionaries(pairs, st.integers(0, 4), min_size=1, max_size=35)
    return st.tuples(judged, retrieved).map(rows_of)


@settings(deadline=None, max_examples=40)
@given(
    data=tables(),
    ks=st.lists(st.one_of(st.none(), st.integers(1, 6)), min_size=1, max_size=3, unique=True),
    metrics=st.lists(st.sampled_from(sorted(metric_functions())), min_size=1, max_size=4, unique=True),
    ties=st.sampled_from(["average", "pessimistic", "optimistic"]),
    users=st.sampled_from(["truth", "both"]),
    parts=st.booleans(),
)
def test_values_are_those_of_the_reference(
    data: tuple[Table, Table],
    ks: list[int | None],
    metrics: list[str],
    ties: str,
    users: Any,
    parts: bool,
):
    truth, rec = data
    judged, scores = defaultdict(dict), defaultdict(dict)  # type: ignore[var-annotated]
    for user, item, rel in zip(*truth.values(), strict=True):
        judged[user][item] = float(rel)
    for user, item, score in zip(*rec.values(), strict=True):
        scores[user][item] = float(score)
    options: dict[str, Any] = {"ties": ties}
    if "err" in metrics:
        options["max_rel"] = 3
        ties = "pessimistic"
        options["ties"] = ties
    if not any("k" in metric_functions()[metric].arguments for metric in metrics):
        ks = [None]
    arguments = dict(k=ks, metrics=metrics, rel="rel", users=users, **options)
    if not judged.keys() & scores.keys():
        with pytest.raises(ValueError, match="no user of rec is one of truth"):
            evaluate(truth, rec, **arguments)
        return
    with warnings.catch_warnings(), pytest.MonkeyPatch.context() as patch:
        warnings.simplefilter("ignore", DataWarning)  # about tables without a common item
        if parts:
            patch.setattr(_user_metrics, "_NUMBER_BYTES", 1 << 30)
        found = evaluate(truth, rec, **arguments)
    expected = {}
    for user in judged.keys() & scores.keys() if users == "both" else judged.keys():
        items = sorted({*judged[user], *scores[user]})
        of = [[of[user].get(item) for item in items] for of in (scores, judged)]
        for metric in metrics:
            function = metric_functions()[metric]
            name = function.name.removesuffix("_rows")
            taken = {key: value for key, value in options.items() if key in function.options}
            for k in ks if "k" in function.arguments else [None]:
                expected[user, metric, k] = reference.evaluate_scored(name, *of, k, aligned=False, **taken)
    values = {(user, metric, k): value for user, metric, k, value in found.per_user.fetchall()}
    assert values == {key: value if value is None else approx(value) for key, value in expected.items()}


def test_the_slower_way_is_the_same(monkeypatch: pytest.MonkeyPatch):
    """The path of DuckDB before 2.0, and of users of other types, gives the same values."""
    chance = random.Random(1)
    data = [
        {(user, item): chance.random() for user in range(50) for item in chance.sample(range(40), 20)}
        for _ in range(2)
    ]
    truth, rec = rows_of(data)
    fast = evaluate(truth, rec, k=[3, 10, None], rel="rel").wide.fetchall()
    monkeypatch.setattr(_user_metrics, "has_by_user", lambda _: False)
    assert evaluate(truth, rec, k=[3, 10, None], rel="rel").wide.fetchall() == fast


@pytest.mark.skipif(not _static.installed(), reason="before DuckDB 2.0, aggregates hold lists of all rows")
def test_a_small_memory_limit_divides_the_users_into_parts():
    """With little memory, users are evaluated in several parts. Counts are those of all users."""
    con = rankdcg_sql.connect(config={"memory_limit": "40MB", "threads": "2"})
    rec = "SELECT i // 10 AS userid, i % 10 AS itemid, i % 7 AS score FROM range(1000000) AS t(i)"
    truth = "SELECT i // 2 AS userid, i % 2 AS itemid FROM range(200000) AS t(i)"
    with pytest.warns(DataWarning, match="2 rows of rec with the user and item of another row"):
        found = evaluate(
            truth, f"{rec} UNION ALL SELECT i, 0, 0 FROM range(2) AS t(i)", k=[10], metrics="recall", con=con
        )
    assert found.summary.project("n, mean").fetchall() == [(100_000, 1.0)]
    assert found.counts.rec_repeats == 2


@pytest.mark.parametrize("limit", ["1GB", "3TB"])
def test_the_memory_limit_is_read_in_units_of_1024(limit: str):
    with duckdb.connect(config={"memory_limit": limit}) as con:
        expected = {"1GB": 10**9, "3TB": 3 * 10**12}[limit]
        assert _user_metrics.memory_limit(con) == pytest.approx(expected, rel=0.02)


#: For each type of users, the least and the largest value, and one between.
_USERS = {
    "BIGINT": ["-9223372036854775808", "9223372036854775807", "0"],
    "UBIGINT": ["0", "18446744073709551615", "9223372036854775808"],
    "DECIMAL(38, 2)": ["-" + "9" * 36 + ".99", "9" * 36 + ".99", "0.01"],
    "VARCHAR": ["", "\u00e9", "a longer text that is stored elsewhere"],
    "UUID": ["0" * 32, "f" * 32, "7fffffff-ffff-ffff-ffff-ffffffffffff"],
    "DATE": ["-infinity", "infinity", "0044-03-15 (BC)"],
    "TIMESTAMP": ["-infinity", "infinity", "294247-01-10 04:00:54.775806"],
    "BOOLEAN": ["false", "true"],
    # Parquet does not keep this type.
    "HUGEINT": ["-" + "9" * 38, "9" * 38, "0"],
}


def _divide(monkeypatch: pytest.MonkeyPatch, rows: int, parts: int) -> None:
    """Set the memory so that both tables, which have `rows` rows together, have this many parts."""
    for name, value in (("_NUMBER_BYTES", 1), ("_TEXT_BYTES", 1), ("_RESULT_BYTES", 0)):
        monkeypatch.setattr(_user_metrics, name, value)
    monkeypatch.setattr(_user_metrics, "memory_limit", lambda _: 2 * rows / (parts - 0.75))


@pytest.mark.parametrize("kind", _USERS)
def test_rows_of_many_parts_are_copied_once(
    kind: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, ran: list[tuple[str, str]]
):
    """The metrics of copied rows are those of the rows, and no copy is left."""
    users = ", ".join(f"('{user}'::{kind}, {place})" for place, user in enumerate(_USERS[kind]))
    rows = f"FROM (VALUES {users}) AS users(userid, place), range(3) AS items(i)"
    truth = f"SELECT userid, i + place AS itemid {rows}"
    rec = f"SELECT userid, 2 * i AS itemid, i % 2 AS score {rows}"
    temporary = tmp_path / "it's temporary"
    with rankdcg_sql.connect(config={"temp_directory": str(temporary)}) as con:
        expected = evaluate(truth, rec, k=2, con=con)
        ran.clear()
        _divide(monkeypatch, 2 * 3 * len(_USERS[kind]), parts=10)
        found = evaluate(truth, rec, k=2, con=con)
        assert [*tmp_path.rglob("*")] == []
    assert found.wide.fetchall() == expected.wide.fetchall()
    assert found.counts == expected.counts
    parts = [label for label, _ in ran if label.startswith("metrics of rec")]
    assert parts == [f"metrics of rec ({part} of 10)" for part in range(1, 11)]
    assert len(parts) > _parts._MAX_SCANS
    copied = [statement for label, statement in ran if label.startswith("dividing")]
    assert len(copied) == 2 * (kind != "HUGEINT")
    # The apostrophe is written twice.
    assert all(f"{tmp_path}/it''s temporary/" in statement for statement in copied)


def test_all_files_of_a_part_are_read(monkeypatch: pytest.MonkeyPatch):
    """DuckDB closes the file of a part if too many are open, and writes another one later."""
    config = {"partitioned_write_max_open_files": 1, "partitioned_write_flush_threshold": 100}
    with rankdcg_sql.connect(config=config) as con:
        con.execute(
            "CREATE TABLE truth AS SELECT i // 4 AS userid, i % 4 AS itemid FROM range(20_000) AS t(i)"
        )
        con.execute("CREATE TABLE rec AS SELECT *, itemid AS score FROM truth")
        _divide(monkeypatch, 40_000, parts=10)
        found = evaluate("truth", "rec", k=4, metrics="recall", con=con)
    assert (found.counts.users_evaluated, found.means) == (5_000, {"recall@4": 1.0})


@pytest.mark.parametrize("kind", ["HUGEINT", "UHUGEINT"])
@pytest.mark.parametrize("wide", ["truth", "rec"])
def test_neither_table_is_copied_if_one_has_a_type_that_a_file_changes(
    kind: str, wide: str, monkeypatch: pytest.MonkeyPatch, ran: list[tuple[str, str]]
):
    """A Parquet file returns such an integer as DOUBLE, in which 2^53 and 2^53 + 1 are one item."""
    with rankdcg_sql.connect() as con:
        of_truth, of_rec = (kind, "BIGINT") if wide == "truth" else ("BIGINT", kind)
        con.execute(
            f"CREATE TABLE truth AS SELECT i AS userid, {2**53 + 1}::{of_truth} AS itemid FROM range(6) t(i)"
        )
        con.execute(f"CREATE TABLE rec AS SELECT userid, {2**53}::{of_rec} AS itemid, 1 AS score FROM truth")
        _divide(monkeypatch, 12, parts=10)
        found = evaluate("truth", "rec", k=1, metrics="recall", con=con)
    assert [row[-1] for row in found.wide.fetchall()] == [0] * 6
    assert not any(label.startswith("dividing") for label, _ in ran)


@pytest.mark.parametrize(
    "setting",
    [
        "enable_external_access = false",
        "disabled_filesystems = 'LocalFileSystem'",
        # There is no folder below a file.
        f"temp_directory = '{__file__}/temporary'",
    ],
)
def test_rows_that_cannot_be_copied_are_read_for_each_part(setting: str, monkeypatch: pytest.MonkeyPatch):
    with rankdcg_sql.connect() as con:
        con.execute("CREATE TABLE truth AS FROM (VALUES (1, 1), (2, 2)) AS t(userid, itemid)")
        con.execute("CREATE TABLE rec AS SELECT *, 1 AS score FROM truth")
        con.execute(f"SET {setting}")
        _divide(monkeypatch, 4, parts=10)
        found = evaluate("truth", "rec", k=1, metrics="recall", con=con)
    assert [row[-1] for row in found.wide.fetchall()] == [1, 1]


def test_each_aggregate_has_its_part_of_memory(monkeypatch: pytest.MonkeyPatch, ran: list[tuple[str, str]]):
    """A row takes 32 bytes in each aggregate. The aggregates may take half of DuckDB's memory together."""
    monkeypatch.setattr(_user_metrics, "memory_limit", lambda _: 2.0 * 32 * 10)
    monkeypatch.setattr(_user_metrics, "_RESULT_BYTES", 0)
    for metrics, parts in ((["recall", "ndcg"], 1), (["recall", "rbp"], 2), (["recall", "rbp", "dcg"], 3)):
        ran.clear()
        found = evaluate(TRUTH, REC, k=2, metrics=metrics)
        assert (found.counts.truth_rows, found.counts.rec_rows) == (5, 5)
        assert sum(label.startswith("metrics of rec") for label, _ in ran) == parts, metrics


@pytest.mark.skipif(not _static.installed(), reason="before DuckDB 2.0, aggregates hold lists of all rows")
def test_values_at_many_cutoffs_fit_the_memory_limit():
    """The values of all users at ten cutoffs take more memory than their rows."""
    config = {"memory_limit": "300MB", "threads": 1}
    rec = "SELECT i % 200000 AS userid, i AS itemid, hash(i) % 1000 AS score FROM range(600000) AS t(i)"
    truth = "SELECT i % 200000 AS userid, i AS itemid FROM range(0, 600000, 5) AS t(i)"
    with rankdcg_sql.connect(config=config) as con:
        found = evaluate(truth, rec, k=[1, 2, 3, 5, 10, 20, 30, 50, 100, 200], metrics=["recall"], con=con)
        assert found.counts.users_evaluated == 40_000
        assert found.summary.project("k, mean").fetchall()[4:6] == [(10, 1.0), (20, 1.0)]


@pytest.mark.skipif(not _static.installed(), reason="before DuckDB 2.0, users are grouped")
@pytest.mark.parametrize(
    ("least", "greatest", "counted"), [(1, 10, False), (-(2**63), 2**63 - 1, True), (None, 10, False)]
)
def test_users_are_counted_if_neither_rows_nor_the_range_of_ids_say_that_they_are_few(
    least: int | None,
    greatest: int,
    counted: bool,
    monkeypatch: pytest.MonkeyPatch,
    ran: list[tuple[str, str]],
):
    """The results of ten users fit, and those of as many users as there are rows would not."""
    monkeypatch.setattr(_user_metrics, "_NUMBER_BYTES", 0)
    monkeypatch.setattr(_user_metrics, "_RESULT_BYTES", 1)
    monkeypatch.setattr(_user_metrics, "memory_limit", lambda _: 2.0 * 30)
    users = [least, greatest, *range(2, 10)]
    rows = {"userid": users * 6, "itemid": [item for item in range(6) for _ in users]}
    found = evaluate(rows, {**rows, "score": [1.0] * 60}, k=2, metrics="recall")
    assert found.counts.users_evaluated == len(users) - users.count(None)
    assert any("approx_count_distinct" in statement for _, statement in ran) == counted


@pytest.mark.skipif(not _static.installed(), reason="before DuckDB 2.0, users are grouped")
def test_the_users_of_either_table_take_memory(monkeypatch: pytest.MonkeyPatch, ran: list[tuple[str, str]]):
    """Twenty users of rec and ten of truth have three parts of at most 14. Few ids of truth are there."""
    monkeypatch.setattr(_user_metrics, "_NUMBER_BYTES", 0)
    monkeypatch.setattr(_user_metrics, "_RESULT_BYTES", 1)
    monkeypatch.setattr(_user_metrics, "memory_limit", lambda _: 2.0 * 14)
    of_truth, of_rec = [2**40 + user for user in range(10)] * 2, [*range(19), 2**40] * 2
    truth = {"userid": of_truth, "itemid": [1] * 10 + [2] * 10}
    rec = {"userid": of_rec, "itemid": [1] * 20 + [2] * 20, "score": [1.0] * 40}
    found = evaluate(truth, rec, k=2, metrics="recall")
    assert found.means == {"recall@2": approx(0.1)}
    assert sum(label.startswith("metrics of rec") for label, _ in ran) == 3


def test_intervals_are_those_of_scipy():
    chance = random.Random(2)
    data = [{(user, item): 1 + chance.random() for user in range(30) for item in range(4)} for _ in range(2)]
    truth, rec = rows_of(data)
    for confidence in (0.95, 0.5):
        found = evaluate(truth, rec, k=2, metrics=["ndcg", "dcg"], rel="rel", confidence=confidence)
        for metric, _, n, mean, low, high, *_ in found.summary.fetchall():
            sample = [value for _, name, _, value in found.per_user.fetchall() if name == metric]
            expected = stats.ttest_1samp(sample, 0).confidence_interval(confidence)
            assert (n, mean, low, high) == approx((30, sum(sample) / 30, *expected))
    drawn = evaluate(
        truth,
        rec,
        k=2,
        metrics="dcg",
        rel="rel",
        interval="bootstrap",
        confidence=0.9,
        seed=3,
        resamples=50_000,
    )
    values = drawn.to_arrow(wide=True)["dcg@2"].to_numpy()
    theirs = stats.bootstrap(
        (values,), np.mean, confidence_level=0.9, n_resamples=50_000, method="BCa", rng=1
    ).confidence_interval
    ((low, high),) = drawn.summary.project("low, high").fetchall()
    width = theirs.high - theirs.low
    # Both draw resamples of their own, so the ends differ by a few hundredths of the width at most.
    assert (low, high) == pytest.approx((theirs.low, theirs.high), abs=0.03 * width)


def test_the_bootstrap_draws_as_many_resamples_as_it_is_told():
    """Few resamples give other ends than many: those of the function in SQL."""
    truth = {"userid": range(12), "itemid": ["a"] * 12, "rel": range(1, 13)}
    rec = {"userid": range(12), "itemid": ["a"] * 12, "score": [1] * 12}
    given: dict[str, Any] = {"metrics": "dcg@1", "rel": "rel", "gain": "linear", "interval": "bootstrap"}
    drawn = {}
    for resamples in (100, 20_000):
        found = evaluate(truth, rec, **given, confidence=0.8, seed=3, resamples=resamples)
        options = f"confidence=0.8, resamples={resamples}, seed=3, lower_bound=0"
        with rankdcg_sql.connect() as con:
            (expected,) = con.execute(
                f"SELECT unnest(bootstrap_ci(i::DOUBLE, '{options}')) FROM range(1, 13) AS t(i)"
            ).fetchall()
        drawn[resamples] = found.summary.project("n, mean, low, high").fetchall()
        assert drawn[resamples] == [expected]
    assert drawn[100] != drawn[20_000]


def test_intervals_stay_within_the_range_of_the_metric():
    """Only Student's intervals reach below 0, above 1, and above the largest possible difference here."""
    truth = {"userid": [1, 2, 3], "itemid": ["a", "a", "a"]}
    rec = {"userid": [1, 2, 3], "itemid": ["a", "b", "a"], "score": [1, 1, 1]}
    found = evaluate(truth, rec, k=1, metrics=["recall", "dcg"])
    reach = stats.ttest_1samp([1, 0, 1], 0).confidence_interval()
    assert reach.low < 0
    assert reach.high > 1
    assert rounded(found.summary.project("metric, low, high").fetchall()) == rounded(
        [("recall", 0.0, 1.0), ("dcg", 0.0, reach.high)]
    )
    worse = {**rec, "itemid": ["b", "a", "b"]}
    compared = rankdcg_sql.compare(truth, {"a": rec, "b": worse}, k=1, metrics=["recall", "dcg"])
    beyond = stats.ttest_1samp([-1, 1, -1], 0).confidence_interval()
    assert beyond.low < -1
    assert beyond.high > 1
    assert rounded(compared.differences.project("metric, low, high").fetchall()) == rounded(
        [("recall", -1.0, 1.0), ("dcg", beyond.low, beyond.high)]
    )


def test_intervals_hold_their_mean_where_options_lead_out_of_the_range():
    """With idcg=k the ideal of one rank is 1, so a gain of 2 gives the value 2, beyond the range."""
    truth = {"userid": [1, 2], "itemid": ["a", "a"], "rel": [2, 2]}
    rec = {"userid": [1, 2], "itemid": ["a", "a"], "score": [1, 1]}
    found = evaluate(truth, rec, k=1, metrics="ndcg", rel="rel", idcg="k", gain="linear")
    ((mean, low, high),) = found.summary.project("mean, low, high").fetchall()
    # 2 * sqrt(0.025): two values of 2 are as likely as 1 in 40 if the mean is that.
    assert (mean, low, high) == (2.0, pytest.approx(2 * math.sqrt(0.025)), 2.0)


@pytest.mark.parametrize("interval", ["t", "bootstrap"])
@pytest.mark.parametrize("users", [1, 2, 12, 1000])
def test_equal_values_have_the_interval_of_clopper_and_pearson(users: int, interval: Any):
    """Student's t and the bootstrap take their mean as certain."""
    truth = {"userid": range(users), "itemid": ["a"] * users}
    hits = {**truth, "score": [1] * users}
    by = {"t": "Student's t", "bootstrap": "the bootstrap"}[interval]
    note = f"all values of recall@1 are equal: the interval is from the range 0 to 1, not by {by}"
    for item, count in (("a", users), ("b", 0)):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = evaluate(
                truth,
                {**hits, "itemid": [item] * users},
                k=1,
                metrics="recall",
                interval=interval,
                confidence=0.9,
            )
        theirs = stats.binomtest(count, users).proportion_ci(0.9, "exact")
        ((mean, *ends, kind),) = found.summary.project("mean, low, high, interval_by").fetchall()
        assert (mean, kind) == (count / users, "range")
        assert ends == pytest.approx([theirs.low, theirs.high], abs=1e-9)
        assert repr(found).startswith(
            "Evaluation of 1 user\n" if users == 1 else f"Evaluation of {users:,} users\n"
        )
        assert note in repr(found)
        assert json.loads(found.render("json"))[0]["interval_by"] == "range"


@pytest.mark.parametrize("interval", ["t", "bootstrap"])
def test_no_interval_stops_at_a_limit_that_an_option_takes_away(interval: Any):
    """RBP of relevances may be above 1: here it is 0.2 times the relevance."""
    truth = {"userid": [1, 2], "itemid": ["a", "a"], "rel": [3, 4]}
    rec = {"userid": [1, 2], "itemid": ["a", "a"], "score": [1, 1]}
    equal = {**truth, "rel": [4, 4]}
    rbp: dict[str, Any] = {"k": 1, "metrics": "rbp", "rel": "rel", "interval": interval}
    ends = "low, high, interval_by"
    assert evaluate(equal, rec, **rbp).summary.project(ends).fetchall()[0][2] == "range"
    found = evaluate(equal, rec, **rbp, rbp_gain="linear")
    assert found.summary.project(ends).fetchall() == [(None, None, None)]
    assert "all values of rbp@1 are equal, in a range without an end: there is no interval" in repr(found)
    (found,) = evaluate(truth, rec, **rbp, rbp_gain="linear").summary.project(ends).fetchall()
    high = 0.7 + stats.t.ppf(0.975, 1) * 0.1 if interval == "t" else 0.8
    assert found[1] == pytest.approx(high)


@pytest.mark.parametrize(
    ("measures", "named"),
    [
        (5, "recall@1, recall@2, recall@3, recall@4, recall@5"),
        (6, "recall@1, recall@2, recall@3, recall@4, 2 more"),
    ],
)
def test_a_note_names_at_most_five_means_of_equal_values(measures: int, named: str):
    found = evaluate(OF_ALL, OF_ALL, metrics=[f"recall@{k}" for k in range(1, measures + 1)])
    assert found._notes() == [
        f"all values of {named} are equal: the interval is from the range 0 to 1, not by Student's t"
    ]


def test_values_that_differ_by_rounding_are_equal():
    """Expected values over the orders of tied items are sums."""
    con = rankdcg_sql.connect()
    (low, high) = con.sql(
        "SELECT unnest([f.low, f.high]) FROM (SELECT mean_ci(x, 'lower_bound=0, upper_bound=1') AS f "
        "FROM (VALUES (0.1::DOUBLE + 0.2), (0.3)) AS t(x))"
    ).fetchall()
    assert (low[0], high[0]) == pytest.approx((0.3 * math.sqrt(0.025), 1 - 0.7 * math.sqrt(0.025)))


@pytest.mark.parametrize(("more", "are_equal"), [(1e-6, True), (1e-4, False)])
def test_large_values_are_equal_if_their_first_twelve_digits_are(more: float, are_equal: bool):
    truth = {"userid": [1, 2], "itemid": ["a", "a"], "rel": [1e7, 1e7 + more]}
    found = evaluate(truth, OF_ALL, k=1, metrics="dcg", rel="rel", gain="linear")
    assert found.summary.project("low IS NULL, interval_by").fetchall() == [
        (True, None) if are_equal else (False, "t")
    ]
    note = "all values of dcg@1 are equal, in a range without an end: there is no interval"
    assert (note in found._notes()) == are_equal


def test_notes_name_the_segments_whose_values_are_equal():
    truth = {"userid": range(6), "itemid": ["a"] * 6, "plan": ["free", "free", "paid", "paid", None, None]}
    rec = {"userid": range(6), "itemid": ["a", "a", "a", "b", "b", "b"], "score": [1] * 6}
    found = evaluate(truth, rec, k=1, metrics=["recall", "dcg"], by="plan")
    assert found._notes()[-2:] == [
        "all values of recall@1 in plan=NULL, recall@1 in plan=free are equal: "
        "the interval is from the range 0 to 1, not by Student's t",
        "all values of dcg@1 in plan=NULL, dcg@1 in plan=free are equal, in a range without an end: "
        "there is no interval",
    ]
    kinds = found.summary.project("plan, all_users, metric, low IS NULL, interval_by").fetchall()
    assert sorted(kinds, key=str) == sorted(
        [
            *((plan, False, "recall", False, "range") for plan in ("free", None)),
            *((plan, False, "dcg", True, None) for plan in ("free", None)),
            *(
                (plan, plan is None, metric, False, "t")
                for plan in ("paid", None)
                for metric in ("recall", "dcg")
            ),
        ],
        key=str,
    )


def test_intervals_of_hits_hold_the_mean_more_often_than_student_s():
    """The share of samples of 12 users whose interval holds the mean, by every number of hits."""
    ends = []
    for hits in range(13):
        truth = {"userid": range(12), "itemid": ["a"] * 12}
        items = ["a"] * hits + ["b"] * (12 - hits)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = evaluate(truth, {**truth, "itemid": items, "score": [1] * 12}, k=1, metrics="recall")
        ends += found.summary.project("low, high").fetchall()
    for mean in np.linspace(0.75, 0.999, 100):
        likely = stats.binom.pmf(range(13), 12, mean)
        held = sum(share for share, (low, high) in zip(likely, ends, strict=True) if low <= mean <= high)
        assert held > 0.9, mean


def test_an_interval_of_one_user_without_a_largest_value_has_no_ends():
    truth = {"userid": [1], "itemid": ["a"]}
    found = evaluate(truth, {**truth, "score": [1]}, k=1, metrics="dcg")
    assert found.summary.project("low, high, interval_by").fetchall() == [(None, None, None)]


# Users, segments, counts


def test_users_without_a_relevant_item_have_no_value():
    truth = {"userid": [1, 2], "itemid": ["a", "a"], "rel": [1, 0]}
    rec = {"userid": [1, 2], "itemid": ["a", "a"], "score": [1, 1]}
    found = evaluate(truth, rec, k=1, metrics="ndcg", rel="rel")
    assert found.per_user.fetchall() == [(1, "ndcg", 1, 1.0), (2, "ndcg", 1, None)]
    assert found.summary.project("n, mean").fetchall() == [(1, 1.0)]
    zero = evaluate(truth, rec, k=1, metrics="ndcg", rel="rel", no_relevant="zero")
    assert zero.summary.project("n, mean").fetchall() == [(2, 0.5)]


#: Three users, each with an item of relevance above 0. One user has an item of relevance 4.
GRADED = {"userid": [1, 1, 2, 2, 3], "itemid": ["a", "b", "a", "b", "a"], "rel": [4, 1, 3, 1, 2]}
OF_ALL = {"userid": [1, 2, 3], "itemid": ["a", "a", "a"], "score": [1, 1, 1]}


def test_users_without_a_value_are_counted():
    found = evaluate(GRADED, OF_ALL, k=[1, 5], metrics=["recall", "ndcg", "rankdcg"], rel="rel", min_rel=4)
    assert found.summary.project("metric, k, n, without_value").fetchall() == [
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


@pytest.mark.parametrize(
    ("metric", "options", "reason"),
    [
        ("ndcg", {}, "without a relevant item"),
        (
            "ndcg",
            {"unjudged": "skip", "empty_rec": "NULL"},
            "without a relevant item, or with nothing retrieved",
        ),
        ("precision", {"convention": "lenskit"}, "without a relevant item, or with nothing retrieved"),
        ("recall", {"convention": "lenskit"}, "without a relevant item"),
        (
            "rankdcg",
            {"empty_rec": "null"},
            "without two distinct relevances among what was judged and retrieved, or with nothing retrieved",
        ),
        ("rankdcg", {"unjudged": "skip"}, "without two distinct relevances"),
        (
            "auc",
            {"convention": "sklearn"},
            "without a relevant item, or with only hits or only misses in the top k",
        ),
    ],
)
def test_a_reason_follows_the_options_of_the_metric(metric: str, options: dict[str, str], reason: str):
    assert reason_without_value(metric, options) == reason


def test_as_many_users_without_a_value_for_another_reason_are_another_note():
    """User 3 has one judged item, of relevance 2."""
    found = evaluate(GRADED, OF_ALL, metrics=["recall@1", "rankdcg", "map@1"], rel="rel", min_rel=3)
    assert found._notes()[:2] == [
        "1 user without a relevant item: in no mean of recall@1, average_precision@1",
        "1 user without two distinct relevances among what was judged and retrieved: in no mean of rankdcg",
    ]


def test_users_of_segments_without_a_value_are_counted():
    truth = {**GRADED, "seg": ["x", "x", "y", "y", "y"]}
    found = evaluate(truth, OF_ALL, k=1, metrics="recall", rel="rel", min_rel=4, by="seg")
    assert found.summary.project("seg, n, without_value").fetchall() == [
        ("x", 1, 0),
        ("y", 0, 2),
        (None, 1, 2),
    ]


def test_no_relevant_zero_keeps_all_users_in_the_mean():
    """With no_relevant=zero, as in trec_eval, no user leaves a mean, and no message says so."""
    for options in ({"no_relevant": "zero"}, {"convention": "trec_eval"}):
        found = evaluate(GRADED, OF_ALL, k=1, metrics=["recall", "ndcg"], rel="rel", min_rel=4, **options)
        assert found.summary.project("n, without_value").fetchall() == [(3, 0)] * 2
        assert found.counts.users_without_value == {}
        assert found.counts.notes() == found._notes_on_users(about_rows=True) == []
        assert found._headline().startswith(
            "Evaluation of 3 users, min_rel=4" if "no_relevant" in options else ""
        )
        assert "in the means" not in found._headline()


def test_users_with_only_hits_have_no_auc_where_it_is_null():
    without = "without a relevant item, or with only hits or only misses in the top k"
    with pytest.warns(DataWarning, match=f"no metric has a value: each user of truth is {without}$"):
        found = evaluate(GRADED, OF_ALL, k=1, metrics="auc", rel="rel", one_class="null")
    assert found._notes() == [f"3 users {without}: in no mean of auc@1"]


def test_users_for_whom_nothing_was_retrieved_have_no_value_where_it_is_null():
    """User 3 has a relevant item in this truth. The system has no recommendation for user 3."""
    found = evaluate(TRUTH, REC, k=1, metrics=["precision", "recall"], convention="lenskit")
    without = "without a relevant item, or with nothing retrieved"
    assert found._notes() == [
        "1 user of truth without a row in rec",
        f"1 user {without}: in no mean of precision@1",
    ]


def test_differences_count_users_without_a_value():
    """One system has no value for user 1. No system has a value for user 3."""
    truth = {"userid": [1, 2, 3], "itemid": ["a", "a", "a"], "rel": [1, 1, 0]}
    recs = {
        "both": {"userid": [1, 1, 2, 2], "itemid": ["a", "b"] * 2, "score": [2, 1] * 2},
        "one": {"userid": [1, 2, 2], "itemid": ["a", "a", "b"], "score": [2, 2, 1]},
    }
    compared = rankdcg_sql.compare(truth, recs, k=2, metrics="auc", rel="rel", one_class="null")
    found = compared.differences.project("n, mean, baseline, without_value").fetchall()
    assert found == [(1, 1.0, 1.0, 2)]
    assert compared._notes()[0].startswith("both: 1 user of truth without a row in rec")
    assert "one: 2 users without a relevant item, or with only hits" in repr(compared)


def test_rankdcg_of_binary_truth_says_that_it_needs_two_relevances():
    told = "no metric has a value: each user of truth is without two distinct relevances among what was"
    with pytest.warns(DataWarning, match=told):
        found = evaluate(TRUTH, {**OF_ALL, "itemid": ["a", "c", "e"]}, metrics="rankdcg")
    assert found.counts.users_without_value == {"rankdcg": 3}


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
    with pytest.warns(DataWarning, match=f"^evaluate: {told}") as met:
        less = evaluate(SINGLE, SERVES_LESS, metrics="rankdcg")
    assert met[0].filename == __file__
    with pytest.warns(DataWarning, match=f"^evaluate: {told}"):
        serves = evaluate(SINGLE, SERVES, metrics="rankdcg")
    assert less.summary.project("n, mean").fetchall() == [(2, 1.0)]
    assert serves.summary.project("n, mean").fetchall() == [(4, 0.5)]
    assert less._notes_on_users(about_rows=True) == [
        "2 users without two distinct relevances among what was judged and retrieved: in no mean of rankdcg"
    ]


def test_a_user_who_got_nothing_lowers_rankdcg_as_a_miss_does():
    """With binary truth, a miss alone has two levels of relevance, and nothing at all has one."""
    of_misses = {"userid": [3, 4], "itemid": ["z"] * 2, "score": [1] * 2}
    misses = {name: [*values, *of_misses[name]] for name, values in SKIPS.items()}
    for rec in (SKIPS, misses):
        with pytest.warns(DataWarning, match="rankdcg needs graded truth"):
            found = evaluate(SINGLE, rec, metrics="rankdcg")
        assert found.per_user.order("userid").project("value").fetchall() == [(1.0,), (1.0,), (0.0,), (0.0,)]
        assert found.summary.project("n, mean").fetchall() == [(4, 0.5)]


def test_a_repeat_counts_once_in_rankdcg_of_lists_and_of_tables():
    """Every list of up to four of three items, one of which is not judged, and the same list as rows."""
    judged = {"a": 2, "b": 1}
    lists = [rec for length in range(1, 5) for rec in itertools.product("abz", repeat=length)]
    rows = [(user, item, -rank) for user, rec in enumerate(lists) for rank, item in enumerate(rec)]
    rec = dict(
        zip(("userid", "itemid", "score"), (list(column) for column in zip(*rows, strict=True)), strict=True)
    )
    truth = dict.fromkeys(range(len(lists)), judged)
    with pytest.warns(DataWarning, match="the largest score counts"):
        found = evaluate(truth, rec, metrics="rankdcg").per_user.order("userid").project("value").fetchall()
    assert found == [(rankdcg_sql.rankdcg(list(rec), judged),) for rec in lists]
    once = [list(dict.fromkeys(rec)) for rec in lists]
    assert found == [(rankdcg_sql.rankdcg(rec, judged),) for rec in once]


def test_a_comparison_warns_once_that_rankdcg_needs_grades():
    with pytest.warns(DataWarning) as met:
        rankdcg_sql.compare(SINGLE, {"skips": SKIPS, "serves": SERVES}, k=1, metrics=["ndcg", "rankdcg"])
    assert [str(each.message).partition(":")[0] for each in met] == ["compare"]
    assert "rankdcg needs graded truth" in str(met[0].message)


def test_rankdcg_of_a_truth_with_grades_for_half_of_the_users_warns_of_nothing(
    recwarn: pytest.WarningsRecorder,
):
    truth = {
        "userid": [1, 1, 2, 2, 3, 4],
        "itemid": ["x", "y", "x", "y", "x", "x"],
        "rel": [2, 1, 2, 1, 1, 1],
    }
    evaluate(truth, SERVES, metrics="rankdcg", rel="rel")
    assert not recwarn.list
    evaluate(truth, SKIPS, metrics="rankdcg", rel="rel", users="both")
    assert not recwarn.list
    # The truth of users who are not evaluated does not matter.
    more = {name: [*values, *values[-3:]] for name, values in truth.items()} | {
        "userid": [*truth["userid"], 5, 6, 7]
    }
    evaluate(more, SKIPS, metrics="rankdcg", rel="rel", users="both")
    assert not recwarn.list
    evaluate(SINGLE, SKIPS, k=1, metrics="ndcg")
    assert not recwarn.list
    with pytest.warns(DataWarning, match="3 of 4 users have fewer than two"):
        evaluate({**truth, "rel": [2, 1, 1, 1, 1, 1]}, SERVES, metrics="rankdcg", rel="rel")
    with pytest.warns(DataWarning, match="1 of 1 user have fewer than two"):
        evaluate({"userid": [3], "itemid": ["x"]}, SERVES, metrics="rankdcg")


def test_users_in_no_mean_are_reported_by_metric():
    """No item has relevance 4 in this truth. Only NDCG has values, because every relevance is a gain."""
    truth = {**GRADED, "rel": [3, 1, 3, 1, 2]}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = evaluate(truth, OF_ALL, k=1, metrics=["recall", "ndcg"], rel="rel", min_rel=4)
    assert found._headline() == "Evaluation of 3 users, 0 to 3 of them in the means, by metric, min_rel=4"
    some = evaluate(GRADED, OF_ALL, k=1, metrics="recall", rel="rel", min_rel=4)
    assert some._headline() == "Evaluation of 3 users, 1 of them in the means, min_rel=4"
    with pytest.warns(DataWarning, match="no metric has a value"):
        found = evaluate(truth, OF_ALL, k=1, metrics="recall", rel="rel", min_rel=4)
    assert found._headline() == "Evaluation of 3 users, none of them in the means, min_rel=4"


def test_a_least_relevance_without_relevances_warns():
    told = (
        "min_rel=4 is about relevances, but no rel= names their column in truth: each of its rows has "
        "relevance 1$"
    )
    with pytest.warns(DataWarning, match=told):
        evaluate({**TRUTH, "rating": [4, 1, 1, 4, 4]}, REC, k=2, metrics=["recall", "ndcg"], min_rel=4)


def test_no_bit_of_a_mean_or_interval_changes_with_the_order_of_rows_nor_with_threads():
    users, items = 700, 20
    truth = pl.DataFrame({"userid": [u for u in range(users) for _ in range(3)], "itemid": [0, 1, 2] * users})
    rec = pl.DataFrame(
        {
            "userid": [u for u in range(users) for _ in range(items)],
            "itemid": list(range(items)) * users,
            # A pseudorandom score for each user and item, with ties.
            "score": [(u * 7919 + i * 104729) % 1009 % 97 for u in range(users) for i in range(items)],
        }
    )
    found = set()
    for threads in (1, 2):
        for seed in range(3):
            for interval in ("t", "bootstrap"):
                with rankdcg_sql.connect(config={"threads": threads}) as con:
                    evaluation = evaluate(
                        truth.sample(fraction=1, shuffle=True, seed=seed),
                        rec.sample(fraction=1, shuffle=True, seed=seed + 9),
                        k=5, metrics=["ndcg", "precision"], con=con, interval=interval,
                    )  # fmt: skip
                rows = evaluation.summary.project("metric, mean, low, high").fetchall()
                found.add((interval, *((name, *(x.hex() for x in numbers)) for name, *numbers in rows)))
    assert sorted(interval for interval, *_ in found) == ["bootstrap", "t"]


def test_metrics_without_k_take_none():
    for metrics in ("rankdcg", ["rankdcg", "r_precision"]):
        for k in (5, [5, 10], (5, 10), [5, None]):
            whole = "rankdcg ranks the whole list and takes no k"
            if metrics != "rankdcg":
                whole = "rankdcg and r_precision rank the whole list and take no k"
            with pytest.raises(ValueError, match=rf"^evaluate: {whole}, got {re.escape(repr(k))}$"):
                evaluate(GRADED, OF_ALL, k=k, metrics=metrics, rel="rel")
        evaluate(GRADED, OF_ALL, metrics=metrics, rel="rel")
        for whole in (None, [None]):
            evaluate(GRADED, OF_ALL, k=whole, metrics=metrics, rel="rel")
    with pytest.raises(ValueError, match=r"^compare: rankdcg ranks the whole list and takes no k, got 3$"):
        rankdcg_sql.compare(GRADED, {"a": OF_ALL, "b": OF_ALL}, k=3, metrics="rankdcg", rel="rel")


def test_auc_is_computed_only_where_it_is_asked_for():
    usual = ["precision", "recall", "f1", "hit_rate", "mrr", "average_precision", "ndcg"]
    assert list(evaluate(TRUTH, REC).metrics) == usual
    assert list(rankdcg_sql.compare(TRUTH, {"a": REC, "b": REC})._first.metrics) == usual
    # User 1 has a hit at rank 1 and a miss at rank 2, user 2 the reverse, user 3 nothing.
    assert of_users(TRUTH, REC, k=2, metrics="auc") == {1: 1.0, 2: 0.0, 3: 0.0}


@pytest.mark.parametrize(
    "name", ["rankdcg_found", "rankdcg_place", "found", "place", "by_0", "nth", "least", "userid", "x'\"y"]
)
def test_segments_may_have_the_names_of_our_own_columns(name: str):
    truth = {"u": TRUTH["userid"], "i": TRUTH["itemid"], name: ["b", "b", "b", "a", "a"]}
    rec = {"u": REC["userid"], "i": REC["itemid"], "score": REC["score"]}
    found = evaluate(truth, rec, k=2, metrics="ndcg", by=name, user="u", item="i")
    assert rounded(found.summary.project("#1, n, mean").fetchall()) == rounded(
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


def test_segments():
    truth = {**TRUTH, "country": ["x", "x", "x", "y", "y"], "plan": [1, 1, 1, 1, 2]}
    found = evaluate(truth, REC, k=2, metrics="ndcg", by=["country", "plan"])
    assert found.summary.columns == [
        "country",
        "plan",
        "all_users",
        "metric",
        "k",
        "n",
        "mean",
        "low",
        "high",
        "without_value",
        "interval_by",
    ]
    rows = found.summary.project("country, plan, n, mean, all_users").fetchall()
    assert rounded(rows) == rounded(
        [
            ("x", 1, 1, NDCG[1], False),
            ("y", 1, 1, NDCG[2], False),
            ("y", 2, 1, NDCG[3], False),
            (None, None, 3, sum(NDCG.values()) / 3, True),
        ]
    )
    assert "country" in repr(found)


def test_segments_may_be_called_anything():
    for name in ("place", "found", "rel", "by_0", "itemid", "score", "judged", "several"):
        truth = {**TRUTH, name: TRUTH["itemid"] if name == "itemid" else ["x"] * 3 + ["y"] * 2}
        if name == "itemid":
            truth["itemid"] = ["a", "a", "a", "c", "e"]
        found = evaluate(truth, REC, k=2, metrics="hit_rate", by=name)
        one, other = ("a", "c") if name == "itemid" else ("x", "y")
        first, second, *_, last = (row[:4] for row in found.summary.fetchall())
        assert first == (one, False, "hit_rate", 2)
        assert second == (other, False, "hit_rate", 2)
        assert last == (None, True, "hit_rate", 2)


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
    assert found.summary.project("n, mean").fetchall() == [(2, 0.25)]  # 0 and 1/2


def test_ids_that_floating_point_makes_equal_are_told_apart_in_json(tmp_path: Path):
    """The reader takes ids for floating point because of 1.5. There, 2^53 + 1 is 2^53."""
    for large in ([2**53, 2**53 + 1], [2**53 + 1], [-(2**53) - 1]):
        ids = [1.5, *large]
        rows = [{"userid": user, "itemid": place, "score": 1} for place, user in enumerate(ids)]
        path = tmp_path / "rows.json"
        path.write_text("\n".join(map(json.dumps, rows)))
        table = {"userid": list(map(str, ids)), "itemid": list(range(len(ids)))}
        found = evaluate(table, str(path), k=1, metrics="recall")
        assert found.per_user.project("userid, value").fetchall() == [
            (user, 1.0) for user in sorted(map(str, ids))
        ]


@pytest.mark.parametrize("kind", ["UUID", "UHUGEINT", "HUGEINT", "TIMETZ", "BIT", "JSON", "ENUM('0', '1')"])
def test_types_of_temporary_tables_are_those_of_others(kind: str):
    """Arrow, by which rows come from the caller's connection, lacks some of them."""
    con = duckdb.connect()
    value = {"UUID": "uuid()", "TIMETZ": "'12:00:00+01'", "JSON": "'{}'", "ENUM('0', '1')": "'1'"}.get(
        kind, "1"
    )
    con.execute(f"CREATE TABLE rec AS SELECT {value}::{kind} AS userid, 1 AS itemid, 1 AS score")
    con.execute("CREATE TEMP TABLE truth AS SELECT userid, itemid FROM rec")
    for truth in ("truth", "SELECT userid, itemid FROM truth WHERE itemid > 0", con.sql("FROM truth")):
        found = evaluate(truth, "rec", k=1, metrics="recall", con=con)
        assert found.summary.project("n, mean").fetchall() == [(1, 1.0)]


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
    for truth in (
        "mytruth",
        "FROM mytruth",
        "FROM given WHERE itemid = 'truth'",
        "SELECT * FROM given -- truth",
    ):
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
    with pytest.warns(
        DataWarning, match="no item of rec .* such as '1.10', '1e5', and in rec .* '1.1', '10e4'"
    ):
        found = evaluate(tmp_path / "truth.csv", str(tmp_path / "rec.csv"), k=1, metrics="hit_rate")
    assert [row[1] for row in found.wide.fetchall()] == [0, 0]


@pytest.mark.parametrize(
    "name", ["br[1].csv", "st*r.csv", "values 1.csv", "it's.csv", "with (x).csv", "a\\b.csv", "a\\*.csv"]
)
def test_files_of_any_name(name: str, tmp_path: Path):
    (tmp_path / "star.csv").write_text("no,table\n")
    path = written(tmp_path, "plain.csv", REC, "FORMAT csv")
    (tmp_path / name).write_bytes(Path(path).read_bytes())
    for rec in (tmp_path / name, str(tmp_path / name)):
        assert of_users(TRUTH, rec, k=2, metrics="ndcg") == approx(NDCG)


def test_a_locked_configuration():
    con = duckdb.connect(config={"lock_configuration": True})
    assert of_users(TRUTH, REC, k=2, metrics="ndcg", con=con, progress=True) == approx(NDCG)


def test_a_pandas_index_is_a_column():
    import pandas as pd

    truth = pd.DataFrame(TRUTH).set_index("userid")
    assert of_users(truth, pd.DataFrame(REC).set_index(["userid", "itemid"]), k=2, metrics="ndcg") == approx(
        NDCG
    )


def test_results_are_copied():
    found = evaluate(TRUTH, REC, k=2, metrics="ndcg")
    assert repr(pickle.loads(pickle.dumps(found))) == repr(found)
    assert copy.deepcopy(found).summary.fetchall() == found.summary.fetchall()
    # A result that was used before has tables on a connection, which its copies have not.
    compared = compare(TRUTH, {"a": REC, "b": REC}, k=2, metrics="ndcg")
    result: Any
    for result in (found, compared):
        used = [relation.fetchall() for relation in (result.per_user, result.wide)]
        copied = pickle.loads(pickle.dumps(result))
        assert [relation.fetchall() for relation in (copied.per_user, copied.wide)] == used


@pytest.mark.parametrize("name", ["Grade", "Stars"])
def test_a_forgotten_rel_warns(name: str):
    text = f"truth has a column '{name}', but no rel='{name}' is given: each of its rows counts as relevant$"
    for values in ([1, 0, 1, 1, 1], [1.5] * 5, [True, False, True, True, True]):
        with pytest.warns(DataWarning, match=text):
            evaluate({**TRUTH, name: values}, REC, k=2)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        evaluate({**TRUTH, name: [*"abcde"]}, REC, k=2)
        evaluate({**TRUTH, name: [1] * 5}, REC, k=2, rel=name)


def test_nothing_is_relevant():
    users: Any
    for users in ("both", "truth"):
        with pytest.warns(DataWarning, match="each user of truth is without a relevant item$"):
            found = evaluate({**TRUTH, "rel": [0] * 5}, REC, k=2, metrics="ndcg", rel="rel", users=users)
    assert found.summary.project("n, mean").fetchall() == [(0, None)]
    # No item is in both tables either. That is no reason for a second warning.
    with pytest.warns(DataWarning) as met:
        evaluate(
            {**TRUTH, "rel": [0] * 5},
            {**REC, "itemid": [*"vwxyz"]},
            metrics=["recall@1", "mrr@1", "rankdcg"],
            rel="rel",
        )
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
    tables = {
        name: [row for number, row in counted for _ in range(number)] for name, counted in COUNTED.items()
    }
    truth, rec = (
        pa.table(dict(zip(names, map(list, zip(*tables[name], strict=True)), strict=True)))
        for name, names in (("truth", ["userid", "itemid", "rel"]), ("rec", ["userid", "itemid", "score"]))
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
    truth = pa.table(
        {
            "userid": [1, 1, 2, 3],
            "itemid": ["a", "b", "c", "e"],
            "rel": pa.array([1.0, math.nan, 2.0, 1.0], width),
            "half": ["x", "y", "x", "y"],
        }
    )
    rec = pa.table(REC).set_column(2, "score", pa.array([0.5, math.nan, 0.25, 0.75, math.nan], width))
    pq.write_table(truth, tmp_path / "truth.parquet")
    pq.write_table(rec, tmp_path / "rec.parquet")
    stated = pq.ParquetFile(tmp_path / "rec.parquet").metadata.row_group(0).column(2).statistics
    assert (stated.min, stated.max) == (0.25, 0.75)
    with pytest.warns(DataWarning, match="NaN as"):
        found = evaluate(
            tmp_path / "truth.parquet", tmp_path / "rec.parquet", 2, metrics, rel="rel", by="half"
        )
    with pytest.warns(DataWarning):
        in_memory = evaluate(truth, rec, 2, metrics, rel="rel", by="half")
    assert (found.counts.rec_nan_scores, found.counts.truth_nan_rels) == (2, 1)
    assert found.per_user.fetchall() == in_memory.per_user.fetchall()
    assert len(found.per_user) == 3


@pytest.mark.parametrize("column", ["score", "rel"])
def test_nan_in_one_of_the_columns_alone(column: str):
    """The other column is of integers, which have no NaN."""
    truth = {"userid": [1, 1], "itemid": ["a", "b"], "rel": [1, 2]}
    rec = {"userid": [1, 1], "itemid": ["a", "b"], "score": [1, 2]}
    table = truth if column == "rel" else rec
    table[column] = [1.0, math.nan]
    with pytest.warns(DataWarning, match=f"1 row of {'truth' if column == 'rel' else 'rec'} with NaN as "):
        found = evaluate(truth, rec, metrics="recall@2", rel="rel")
    assert found.means == {"recall@2": {"rel": 1.0, "score": 0.5}[column]}


def test_clean_tables_have_no_notes(recwarn: pytest.WarningsRecorder):
    found = evaluate(TRUTH, {**REC, "userid": [1, 1, 1, 2, 3]}, k=2)
    assert found.counts.notes() == []
    assert not recwarn.list


# Results


def test_results():
    found = evaluate(
        TRUTH, REC, k=[1, None, 1, "all"], metrics=["Recall", "reciprocal_rank", "rankdcg", "recall_at"]
    )
    assert found.metrics == ("recall", "mrr", "rankdcg")
    assert found.ks == (1, None)
    assert found.wide.columns == ["userid", "recall@1", "recall", "mrr@1", "mrr", "rankdcg"]
    assert found.per_user.columns == ["userid", "metric", "k", "value"]
    assert found.to_polars().rows() == found.per_user.fetchall()
    assert found.to_polars(wide=True).columns == found.wide.columns
    assert found.to_arrow().num_rows == 3 * 5
    assert (
        [*found.to_pandas(wide=True).columns] == found.to_arrow(wide=True).column_names == found.wide.columns
    )
    wide = {(row[0], name): value for row in found.wide.fetchall() for name, value in zip(found.wide.columns[1:], row[1:], strict=True)}  # noqa: E501  # fmt: skip
    for user, metric, k, value in found.per_user.fetchall():
        assert wide[user, metric if k is None else f"{metric}@{k}"] == value


@pytest.mark.parametrize("suffix", [".parquet", ".csv", ".tsv", ".json", ".jsonl", ".CSV"])
def test_written_values_are_read_again(suffix: str, tmp_path: Path):
    found = evaluate(TRUTH, REC, k=2, metrics=["ndcg", "recall"])
    for wide in (False, True):
        path = tmp_path / f"it's {wide}{suffix}"
        found.write(path, wide=wide)
        readers = {".parquet": "read_parquet", ".csv": "read_csv", ".tsv": "read_csv"}
        reader = readers.get(suffix.lower(), "read_json")
        read = duckdb.sql(f"FROM {reader}(?)", params=[str(path)])
        assert read.columns == (found.wide if wide else found.per_user).columns
        assert rounded(read.fetchall()) == rounded((found.wide if wide else found.per_user).fetchall())
        # DuckDB would read other forms, too.
        text = path.read_bytes()
        if suffix == ".json":
            assert len(json.loads(text)) == len(read)
        elif suffix == ".jsonl":
            assert [*map(len, map(json.loads, text.splitlines()))] == [len(read.columns)] * len(read)
        elif suffix != ".parquet":
            separator = "\t" if suffix == ".tsv" else ","
            assert text.decode().splitlines()[0].split(separator) == read.columns


@pytest.mark.parametrize("of", [evaluate, lambda *tables, **more: rankdcg_sql.compare(tables[0], {"a,\"\n": REC, "b": tables[1]}, **more)])  # noqa: E501  # fmt: skip
def test_rendered_results_are_read_again(of: Any):
    """Other packages read every digit, and NULL for a missing number."""
    found = of(TRUTH, {**REC, "itemid": ["c", *"bcac"]}, k=[2, None], metrics=["ndcg", "rankdcg"])
    relation = found.differences if isinstance(found, rankdcg_sql.Comparison) else found.summary
    expected = [dict(zip(relation.columns, row, strict=True)) for row in relation.fetchall()]
    assert None in expected[-1].values()
    assert json.loads(found.render("json"), parse_constant=pytest.fail) == expected
    read = [*csv.DictReader(io.StringIO(found.render("csv")))]
    assert [{**row} for row in read] == [
        {name: "" if cell is None else str(cell) for name, cell in row.items()} for row in expected
    ]
    for form, rows in (("markdown", 2), ("html", 0), ("latex", 0), ("table", 0)):
        text = found.render(form)
        assert f"{expected[0]['n']}" in text
        if form == "latex":  # it has the names of papers
            assert "NDCG" in text
            assert "rankDCG" in text
        else:
            assert text.count("ndcg") == text.count("rankdcg") + 1 == 2 if rows == 0 else True


def test_results_that_cannot_be_written_are_errors(tmp_path: Path):
    found = evaluate(TRUTH, REC, k=2)
    with pytest.raises(ValueError, match=r"write: '.*values.xlsx' must end with .parquet, .csv"):
        found.write(tmp_path / "values.xlsx")
    with pytest.raises(OSError, match=r"write: .*nowhere"):
        found.write(tmp_path / "nowhere" / "values.csv")


def test_printed_tables_have_four_digits():
    found = evaluate(TRUTH, REC, k=2, metrics="ndcg", gain="linear")
    assert repr(found).startswith(
        "Evaluation of 3 users, gain=linear\n- 1 user of truth without a row in rec"
    )
    assert "| ndcg | 2 | 3 | 0.4147 |" in found.to_markdown()
    cells = r"metric & k & n & mean & low & high \\"
    # A caption or a label makes a float of the table.
    assert found.to_latex().startswith(r"\begin{tabular}{lrrrrr}")
    for text, alone in (
        (found.to_latex("The means."), r"\caption"),
        (found.to_latex(label="means"), r"\label"),
    ):
        assert text.startswith(r"\begin{table}")
        assert [each in text for each in (r"\caption{The means.}", r"\label{means}")] == [
            alone == each for each in (r"\caption", r"\label")
        ]
        assert cells in text
        assert "0.4147" in text
    assert "<table>" in found.to_html()
    assert "<li>1 user of truth" in found._repr_html_()
    by = evaluate(
        {**TRUTH, "plan": ["<b>"] * 3 + ["x", "x"]}, REC, metrics="recall@2", by="plan"
    )._repr_html_()
    assert "<li>all values of recall@2 in plan=&lt;b&gt; are equal: " in by
    assert "<b>" not in by


def test_tables_have_the_rows_of_the_summary_in_its_order():
    """Tables in LaTeX have the names of papers, and a cutoff of none is the whole list."""
    truth = {**TRUTH, "plan": ["x_y"] * 3 + ["m"] * 2}
    found = evaluate(truth, REC, metrics=["recall@2", "mrr@all"], by="plan")
    rows = [
        ["m", "Recall", "2", "2", "0.5000"],
        ["m", "MRR", "all", "2", "0.2500"],
        ["x\\_y", "Recall", "2", "1", "0.3333"],
        ["x\\_y", "MRR", "all", "1", "1.0000"],
        ["all users", "Recall", "2", "3", "0.4444"],
        ["all users", "MRR", "all", "3", "0.5000"],
    ]
    ((head, *cells),) = latex.tables(found.to_latex())
    assert head == ["plan", "metric", "k", "n", "mean", "low", "high"]
    assert [row[:5] for row in cells] == rows
    head, _, *lines = found.to_markdown().splitlines()
    assert head == "| plan | metric | k | n | mean | low | high |"
    names = {"m": "m", "x\\_y": "x_y", "all users": "all users", "Recall": "recall", "MRR": "mrr"}
    assert [[cell.strip() for cell in line.split("|")[1:6]] for line in lines] == [
        [names.get(cell, cell) for cell in row] for row in rows
    ]


def test_each_part_of_a_wide_table_begins_with_the_segment_the_metric_and_the_cutoff():
    found = evaluate({**TRUTH, "plan": [*"xxxyy"]}, REC, k=2, metrics="ndcg", by="plan")
    heads = [
        [cell.strip() for cell in line.split("│")[1:-1]]
        for line in found.render("table", width=50).splitlines()
        if "metric" in line
    ]
    start = ["plan", "metric", "k"]
    assert len(heads) == 2
    assert [each[:3] for each in heads] == [start, start]
    assert [name for each in heads for name in each[3:]] == ["n", "mean", "low", "high"]


def test_in_a_notebook_the_text_of_a_result_shows_nothing_else(monkeypatch: pytest.MonkeyPatch):
    displayed: list[Any] = []
    monkeypatch.setattr("rich.console._is_jupyter", lambda: True)
    monkeypatch.setattr("rich.jupyter.display", lambda *shown: displayed.append(shown))
    assert "│ ndcg" in repr(evaluate(TRUTH, REC, k=2, metrics="ndcg"))
    assert displayed == []


# Wrong input


def wrong(**columns: Any) -> Table:
    """Recommendations with other columns."""
    return {**REC, **columns}


def judged(*rels: Any) -> dict[str, Any]:
    """Judgements with relevances. The first relevance fills the rows that are left."""
    return {"truth": {**TRUTH, "rel": [*rels, *rels[:1] * (5 - len(rels))]}, "rel": "rel"}


#: Wrong tables and arguments, each with the message of the error.
WRONG: list[tuple[dict[str, Any], str]] = [
    (
        {"truth": REC, "rec": TRUTH},
        "rec has no column 'score', but userid, itemid; name the right one with score=; "
        "truth has the column 'score', and rec has not: are the two swapped.$",
    ),
    # Either table has the column that is named as missing under another name.
    (
        {"truth": {"userid": [1], "song": ["a"], "score": [1.0]}, "rec": {**TRUTH, "rel": [1] * 5}},
        "truth has no column 'itemid', but userid, song, score; name the right one with truth_item=; "
        "truth has the column 'score', and rec has not: are the two swapped.$",
    ),
    (
        {"rec": {"user_id": [1], "itemid": ["a"], "score": [1.0]}},
        "rec has no column 'userid', but user_id, itemid, score; did you mean rec_user='user_id'.$",
    ),
    # The case of names is no reason for another hint.
    (
        {"rec": {"User_ID": [1], "itemid": ["a"], "score": [1.0]}},
        "rec has no column 'userid', but User_ID, itemid, score; did you mean rec_user='user_id'.$",
    ),
    (
        {"rec_user": "uid"},
        "rec has no column 'uid', but userid, itemid, score; did you mean rec_user='userid'",
    ),
    (
        {"truth": {"account": [1], "itemid": ["a"]}, "user": "uid", "rec_user": "userid"},
        "truth has no column 'uid', but account, itemid; name the right one with user=, or that of truth "
        "alone with truth_user=$",
    ),
    ({"truth_user": "mean"}, "the results have a column 'mean' already"),
    ({"user": "uid"}, "truth has no column 'uid', but userid, itemid; did you mean user='userid'"),
    # Both tables have scores, so they do not look swapped.
    (
        {"truth": {**TRUTH, "score": [1] * 5}, "user": "uid"},
        "truth has no column 'uid', but userid, itemid, score; did you mean user='userid'.$",
    ),
    ({"by": "nope"}, "truth has no column 'nope'"),
    ({"rel": "rating"}, "truth has no column 'rating'"),
    (
        {"rec": wrong(userid=["1"] * 5)},
        "userid of truth is BIGINT, userid of rec is VARCHAR, and they cannot be compared: cast userid of "
        "truth to VARCHAR, in a data frame before the call, or with a query in place of the table: "
        r'SELECT \* REPLACE \("userid"::VARCHAR AS "userid"\) FROM ...$',
    ),
    (
        {"rec": wrong(itemid=[1] * 5)},
        "itemid of truth is VARCHAR, itemid of rec is BIGINT, .*: cast itemid of rec to VARCHAR, in a data "
        r'frame before the call, or with a .* REPLACE \("itemid"::VARCHAR AS "itemid"\) FROM ...$',
    ),
    ({"rec": wrong(userid=[7] * 5)}, "no user of rec is one of truth, .* such as 1, 2, 3, and in rec 7"),
    (
        {"rec": wrong(itemid=[1.0, 2.0, 3.0, 4.0, 5.0]), "truth": {"userid": [1], "itemid": [1]}},
        "itemid of truth is BIGINT, itemid of rec is DOUBLE, .*: cast itemid of rec to BIGINT, .* in pandas "
        r"by astype\({'itemid': 'Int64'}\), which keeps missing ids, or .*::BIGINT AS ",
    ),
    (
        {"rec": wrong(itemid=[1] * 5), "truth": {"userid": [1], "itemid": [1.5]}},
        "itemid of truth is DOUBLE, itemid of rec is BIGINT, .*: cast itemid of truth to BIGINT, .* in "
        r"pandas by astype\({'itemid': 'Int64'}\), which keeps missing ids, or .*::BIGINT AS ",
    ),
    (
        {"rec": "SELECT 1 AS userid, 'a' AS itemid, NULL::VARCHAR AS score"},
        "score of rec has no value but NULL",
    ),
    (
        {"rec": "SELECT 1 AS userid, 'a' AS itemid, '1.5' AS score"},
        "score of rec must be a number, got texts that are numbers: cast the column",
    ),
    ({"rec": wrong(score=["x"] * 5)}, "score of rec must be a number, got texts such as 'x'$"),
    (
        {"rec": wrong(score=["1", None, "1_0", "1", "1"])},
        "score of rec must be a number, got texts such as '1_0'$",
    ),
    ({"rec": wrong(score=["x" * 81] * 5)}, f"score of rec must be a number, got texts such as '{'x' * 80}'$"),
    ({"rec": wrong(score=[True] * 5)}, "score of rec must be a number, got BOOLEAN$"),
    (
        {"truth": "SELECT 1 AS userid, 'a' AS itemid, DATE '2020-01-01' AS rel", "rel": "rel"},
        "rel of truth must be a number or a boolean, got DATE$",
    ),
    # Before DuckDB 2.0, a column of NULLs is one of integers.
    (
        judged(None),
        "rel of truth has no value but NULL$"
        if _static.installed()
        else "no row of truth has a user and a relevance that is a number$",
    ),
    (judged(math.nan), "no row of truth has a user and a relevance that is a number$"),
    (judged("x"), "rel of truth must be a number or a boolean, got texts such as 'x'"),
    (judged(1, -1), r"must not be negative, got -1 \(user 1, item 'b' of truth\)"),
    (judged(1, math.inf), r"must be finite, got inf \(user 1, item 'b' of truth\)"),
    (
        {"truth": {"userid": [1, 1], "itemid": ["a", "a"], "rel": [1, 2]}, "rel": "rel"},
        r"judges an item twice, with relevance 1 and 2 \(user 1, item 'a' of truth\)",
    ),
    (
        {"truth": {**TRUTH, "s": [1, 2, 1, 1, 1]}, "by": "s"},
        "s must be the same in all rows of a user .* for 1",
    ),
    (
        {"truth": {**TRUTH, "s": ["x", None, "x", "x", "x"]}, "by": "s"},
        "s must be the same in all rows of a user",
    ),
    ({"truth": {**TRUTH, "NDCG@5": [1] * 5}, "by": "NDCG@5"}, "the results have a column 'NDCG@5' already"),
    ({"truth": {**TRUTH, "USERID": [1] * 5}, "by": "USERID"}, "the results have a column 'USERID' already"),
    (
        {"truth": {**TRUTH, "retrieved": [1] * 5}, "by": "retrieved"},
        "the results have a column 'retrieved' already",
    ),
    ({"truth": " "}, "truth is an empty text: give a path, a query or the name of a table$"),
    ({"partitions": 3}, "partitions is for tables on Spark, of which there are none, got 3$"),
    ({"rec": "SELECT 1; SELECT 2"}, "rec must be one query that returns rows, got 'SELECT 1; SELECT 2'$"),
    ({"truth": {}}, "truth "),
    ({"truth": {"userid": 1, "itemid": 2}}, "truth cannot be read"),
    ({"rec": wrong(score=[math.nan] * 5)}, "no row of rec has a user and a score that is a number"),
    ({"rec": "SELECT 1 AS x; DROP TABLE rankdcg_truth"}, "rec must be one query that returns rows"),
    ({"rec": "FROM (DELETE FROM t)"}, "rec: "),
    ({"metrics": "P_10"}, r"there is no metric 'P_10': did you mean 'precision@10'\?"),
    ({"metrics": "ndcg_cut_5,10"}, "there is no metric 'ndcg_cut_5,10': did you mean 'ndcg@5', 'ndcg@10'"),
    ({"metrics": "ndcg_10"}, r"there is no metric 'ndcg_10': did you mean 'ndcg@10'\?"),
    ({"metrics": "ndcg@x"}, "there is no metric 'ndcg@x': did you mean ndcg"),
    ({"metrics": "ndcg@"}, "there is no metric 'ndcg@': did you mean ndcg"),
    ({"metrics": "ndcg@0"}, "k must be at least 1, got 0"),
    ({"metrics": "rankdcg@5"}, "rankdcg ranks the whole list and takes no cutoff, got 'rankdcg@5'"),
    (
        {"metrics": ["ndcg@5", "map@10"], "k": [5, 7]},
        r"k is for metrics without a cutoff of their own, of which there are none, got \[5, 7\]$",
    ),
    (
        {"metrics": ["ndcg@5", "map@all"], "k": 10},
        "k is for metrics without a cutoff of their own, of which there are none, got 10",
    ),
    (
        {"metrics": "roc_auc"},
        "roc_auc is a function of SQL and Polars, and no metric of two tables: did you mean auc",
    ),
    ({"metrics": "10"}, "there is no metric '10': there are precision, recall"),
    (
        {"metrics": "recall,ndcg"},
        r"metrics must be a list of names, such as \['ndcg', 'recall@5'\], got 'recall",
    ),
    ({"truth": {"userid": [], "itemid": []}}, "truth has no rows"),
    ({"rec": {"userid": [], "itemid": [], "score": []}}, "rec has no rows"),
    ({"k": 0}, "k must be at least 1, got 0"),
    ({"k": [5, -(10**30)]}, "k must be at least 1"),
    ({"k": [5, 0]}, "k must be at least 1, got 0$"),
    ({"k": 2**63}, "k must be at most 9223372036854775807, got 9223372036854775808$"),
    ({"k": []}, "k is empty"),
    ({"metrics": "ndgc"}, "there is no metric 'ndgc': did you mean ndcg"),
    ({"metrics": []}, "metrics is empty; there are precision, "),
    ({"users": "all"}, "users must be 'truth' or 'both' or None, got 'all'"),
    ({"interval": "z"}, "interval must be 't' or 'bootstrap', got 'z'"),
    ({"confidence": 95}, "confidence must be a number between 0 and 1, got '95'"),
    ({"gain": "cubic"}, "gain must be exp2"),
    ({"p": 0.5}, "p is an option of rbp, none of which is among metrics"),
    (
        {"denominator": "k"},
        "denominator is short for the option of one metric: give precision_denominator, "
        "recall_denominator or ap_denominator$",
    ),
    ({"metrics": "err"}, "max_rel must be given"),
    ({"rec": "\udcff.parquet"}, r"rec: '.*\.parquet' is not text in UTF-8"),
    (
        {"rec": "(SELECT*FROM nowhere)"},
        "rec: Catalog Error: Table with name nowhere does not exist.*; the query runs on an empty "
        "database: give another one with con=$",
    ),
    ({"rec": "-- none\nSELECT 1 AS x"}, "rec has no column 'userid', but x"),
    ({"seed": 1}, "seed is for random numbers, which are drawn with interval='bootstrap', got 1"),
    (
        {"duplicates": "count"},
        "duplicates is an option of functions over lists: in a table, one row for each user and item counts",
    ),
    ({"metrics": "rankdcg", "k": 5}, "rankdcg ranks the whole list and takes no k, got 5"),
    ({"by": "userid"}, "the results have a column 'userid' already: rename yours"),
    ({"truth": "SELEC 1"}, "truth: there is no file 'SELEC 1'"),
    ({"rec": "SELECT * FROM nowhere"}, "rec: Catalog Error: Table with name nowhere does not exist"),
    ({"rec": "SELECT nope"}, "rec: Binder Error"),
]


@pytest.mark.parametrize(("given", "message"), WRONG)
def test_wrong_input(given: dict[str, Any], message: str):
    with pytest.raises((ValueError, FileNotFoundError), match=f"^evaluate: .*{message}") as error:
        evaluate(**{"truth": TRUTH, "rec": REC, **given})
    assert "LINE 1" not in str(error.value)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"k": "5"}, "k must be a whole number, \"all\" or None for the whole list, .* got '5'"),
        ({"k": 2.5}, "k must be a whole number, .* or a list of these, got 2.5"),
        ({"k": True}, "k must be a whole number, .* or a list of these, got True"),
        ({"k": pl.DataFrame({"a": [1]})}, "k must be a whole number, .*, got a Series$"),
        ({"user": pl.DataFrame(TRUTH)}, "user must be the name of a column, got a DataFrame$"),
        ({"con": pl.DataFrame(TRUTH)}, "con must be a DuckDB connection, got a DataFrame$"),
        ({"gian": "linear"}, "there is no option 'gian': did you mean gain"),
        ({"ks": [1, 2]}, r"there is no option 'ks': did you mean k\?"),
        ({"metric": "ndcg"}, "there is no option 'metric': did you mean metrics"),
        ({"relevance": "rating"}, r"there is no option 'relevance': did you mean rel\?"),
        ({"relevance_level": 2}, r"there is no option 'relevance_level': did you mean min_rel\?"),
        ({"options": "gain=linear"}, 'options are keyword arguments here: give gain="linear"'),
        ({"user": None}, "user must be the name of a column, got None$"),
        ({"score": None}, "score must be the name of a column, got None$"),
        ({"min_re": 1}, r"there is no option 'min_re': did you mean min_rel or max_rel\?$"),
        ({"rec_item_name": "x"}, r"there is no option 'rec_item_name': did you mean rec_item"),
        ({"something_else": 1}, "there is no option 'something_else'$"),
        ({"user": ("u", "v")}, r"user must be the name of a column, got \('u', 'v'\)"),
        ({"con": "x"}, "con must be a DuckDB connection, got 'x'"),
        ({"progress": 1}, "progress must be True or False, got 1$"),
        ({"spark": 3}, "spark must be a session of Spark, got int$"),
        ({"rec": ["a.csv", 3]}, "rec must be a path, .* with their values, got list$"),
        ({"rec": []}, "rec must be a path, .* with their values, got list$"),
        ({"metrics": 3}, "metrics must be a name or a list of names, got 3"),
        ({"by": 3}, "evaluate: by must be names of columns, got 3"),
        ({"rec": 3}, "rec must be a path, a query, the name of a table, .*, got int"),
        ({"truth": [1]}, "truth must be a path, .*, got list"),
    ],
)
def test_wrong_types(arguments: dict[str, Any], message: str):
    with pytest.raises(TypeError, match=message):
        evaluate(**{"truth": TRUTH, "rec": REC, **arguments})


def test_an_option_of_none_is_not_given():
    found = evaluate(TRUTH, REC, k=2, metrics="ndcg", gain=None, min_rel=None, idcg="k")
    assert found.options == {"idcg": "k"}
    with pytest.raises(TypeError, match=r"^evaluate: there is no option 'gian': did you mean gain\?$"):
        evaluate(TRUTH, REC, gian=None)


@pytest.mark.parametrize("k", [0, -1, 5 - 2**64, -(2**70)])
def test_a_k_far_below_1_has_the_error_of_a_k_below_1(k: int):
    with pytest.raises(ValueError, match=r"^evaluate: k must be at least 1, got (0|-\d+)$"):
        evaluate(TRUTH, REC, k=k)


@pytest.mark.parametrize("metrics", [None, ["idcg", "recall"], ["idcg"]])
def test_items_that_are_never_the_same(metrics: list[str] | None):
    with pytest.warns(
        DataWarning, match="no item of rec is one of truth, .*as 'a', 'b', 'c', and in rec 'x'"
    ):
        # idcg is above 0 without a hit.
        evaluate(TRUTH, wrong(itemid=["x"] * 5, userid=[1, 2, 3, 4, 5]), k=2, metrics=metrics)


def test_items_in_common_only_across_users_give_no_warning(recwarn: pytest.WarningsRecorder):
    found = evaluate(
        {"userid": [1, 2], "itemid": ["a", "b"]},
        {"userid": [1, 2], "itemid": ["b", "a"], "score": [1, 1]},
        k=1,
        metrics="recall",
    )
    assert [row[1] for row in found.wide.fetchall()] == [0, 0]
    assert not recwarn.list


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("rec.csv", "", "is an empty file"),
        ("rec.csv", "userid,itemid,score\n", "has no rows"),
        ("rec.parquet", "no parquet", "cannot be read: .*Parquet"),
        ("rec.json", "{", "cannot be read: "),
        (
            "rec.txt",
            "hello world\n",
            r"is none of Parquet \(.parquet\), CSV \(.csv, .tsv\), JSON \(.json, .jsonl, .ndjson\), or a "
            "TREC file; its first line is 'hello world'$",
        ),
        ("rec.txt", "userid,itemid,score\n", "; if it is a CSV file, let its name end with .csv$"),
        (
            "rec.csv",
            "userid,column0,score\n1,a,0.5\n",
            "but userid, column0, score; name the right one with rec_item=$",
        ),
        ("rec.csv", "1 Q0 a 1 0.5 x\n" * 2, "; it looks like a TREC file: let its name end with .txt$"),
        ("rec.csv", "1 0 a 1\n" * 2, "; it looks like a TREC file: let its name end with .txt$"),
        (
            "rec.csv",
            "1,a,0.5\n2,b,0.4\n",
            "; it has no line of names: add one, or if it is a TREC file, let its name end with .txt$",
        ),
        *(
            (
                "rec.csv",
                "userid,itemid,score\n1,a\n2,b,0.5\n3,c,1\n".replace(",", separator),
                "; its lines could not be divided into columns: do all of them have as many as the first.$",
            )
            for separator in ";|\t"
        ),
        (
            "rec.csv",
            "userid,itemid,score\n1,a\n2,b,0.5\n3,c,1\n",
            "; its lines could not be divided into columns: do all of them have as many as the first.$",
        ),
        ("rec.txt", "1 0 a 1\n", "is TREC qrels, but must be a TREC run: are truth and rec swapped?"),
        (
            "rec.txt",
            "1 Q0 a 1 0.5 x\n1 Q0 b\n",
            r"each line of a TREC run must have 6 fields .*, got '1 Q0 b' \(line 2 of .*rec.txt\)",
        ),
        (
            "rec.txt",
            "1 Q0 a 1 0.5 x\n1 Q0 b 2 0.4 x y\n",
            "each line of a TREC run must have 6 .* got '1 Q0 b 2 0.4 x y'",
        ),
        ("rec.txt", "1 Q0 a 1 high x\n", "with a number as score, got '1 Q0 a 1 high x'"),
        ("rec.txt", "1 Q0 a 1 0.5 x\n1 Q0 b 2 0.4 y\n", r"has the runs of 2 systems \(x, y\): put each"),
    ],
)
def test_wrong_files(name: str, content: str, message: str, tmp_path: Path):
    path = tmp_path / name
    path.write_text(content)
    with pytest.raises(ValueError, match=f"^evaluate: rec .*{re.escape(name)}.* {message}|{message}"):
        evaluate(TRUTH, path)


def zipped(data: bytes) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as opened:
        opened.writestr("run.txt", data)
    return file.getvalue()


@pytest.mark.parametrize(
    ("compress", "name"), [(bz2.compress, "bzip2"), (lzma.compress, "xz"), (zipped, "zip")]
)
def test_compressions_of_trec_files_are_named(compress: Callable[[bytes], bytes], name: str, tmp_path: Path):
    path = tmp_path / "run.txt"
    path.write_bytes(compress(b"1 Q0 a 1 0.5 x\n"))
    wanted = rf"rec \(.*run.txt\) is compressed with {name}: decompress it first, or use gzip$"
    with pytest.raises(ValueError, match=wanted):
        evaluate(TRUTH, path)


@pytest.mark.parametrize("name", ["rec.txt", "rec.csv"])
def test_files_in_other_encodings_are_refused_in_a_sentence(name: str, tmp_path: Path):
    """DuckDB's message goes on with options of its reader."""
    path = tmp_path / name
    lines = {"rec.txt": "1 Q0 \xe9 1 0.5 x\n", "rec.csv": "userid,itemid,score\n1,\xe9,0.5\n"}
    path.write_text(lines[name], encoding="latin-1")
    with pytest.raises(ValueError, match=r"rec .* cannot be read: .* This file is not utf-8 encoded\.$"):
        evaluate(TRUTH, path)


def test_the_place_of_a_bad_line_is_found_in_compressed_files(tmp_path: Path):
    path = tmp_path / "run.gz"
    path.write_bytes(gzip.compress(b"\n1 Q0 a 1 0.5 x\n\n 1 Q0 b \n"))
    with pytest.raises(ValueError, match=r"got ' ?1 Q0 b ?' \(line 4 of .*run.gz\)$"):
        evaluate(TRUTH, path)


def test_a_folder_of_both_tables_is_refused(tmp_path: Path):
    """A folder stands for all of its Parquet files. DuckDB would mix the columns of the two tables."""
    rec = written(tmp_path, "rec.parquet", REC, "FORMAT parquet")
    truth = written(tmp_path, "truth.parquet", TRUTH, "FORMAT parquet")
    differ = r"rec.parquet' has the columns userid, itemid, score, and '.*truth.parquet' has userid, itemid:"
    for both in (str(tmp_path), str(tmp_path / "*.parquet")):
        for other in (REC, rec):
            with pytest.raises(ValueError, match=differ):
                evaluate(both, other)
    (tmp_path / "alone").mkdir()
    alone = written(tmp_path / "alone", "rec.parquet", REC, "FORMAT parquet")
    with pytest.raises(
        ValueError, match=r"rec \(.*\): .*alone/rec.parquet' cannot be both truth and rec: give"
    ):
        evaluate(str(tmp_path / "alone"), alone)
    (tmp_path / "link.parquet").symlink_to(rec)
    for other in (rec, tmp_path / "link.parquet"):
        with pytest.raises(ValueError, match="cannot be both truth and rec"):
            evaluate(rec, other)
    queried = f"FROM '{truth}' SEMI JOIN '{rec}' USING (userid)"
    assert evaluate(queried, f"FROM '{rec}'", k=2).counts.truth_rows == 4


def test_several_files_may_write_their_columns_in_any_case(tmp_path: Path):
    for name, case in (("a", str.lower), ("b", str.upper)):
        part = slice(0, 3) if name == "a" else slice(3, 5)
        table = {case(column): values[part] for column, values in REC.items()}
        written(tmp_path, f"{name}.parquet", table, "FORMAT parquet")
    assert of_users(TRUTH, str(tmp_path / "*.parquet"), k=2, metrics="ndcg") == approx(NDCG)


def test_files_of_one_table_that_differ_are_refused(tmp_path: Path):
    for name, table in (("a", REC), ("b", {**REC, "more": [1] * 5})):
        written(tmp_path, f"{name}.csv", table, "FORMAT csv")
    with pytest.raises(
        ValueError, match=r"a.csv' has the columns userid.*b.csv' has .*, more: all files must"
    ):
        evaluate(TRUTH, str(tmp_path / "*.csv"))


def test_recommendations_of_several_systems_may_be_one_file(tmp_path: Path):
    rec = written(tmp_path, "rec.parquet", REC, "FORMAT parquet")
    compared = rankdcg_sql.compare(TRUTH, {"a": rec, "b": rec}, k=2)
    assert compared.differences.project("difference").distinct().fetchall() == [(0.0,)]


def test_a_qrels_file_of_one_endless_line(tmp_path: Path):
    """Only the start of the line is read. The line has 3 GB here, in a sparse file."""
    with (tmp_path / "qrels").open("wb") as file:
        file.write(b"1 0 a 1 ")
        file.truncate(3 << 30)
    code = (
        "import resource, sys, rankdcg_sql; resource.setrlimit(resource.RLIMIT_AS, (5 << 29, 5 << 29))\n"
        "try: rankdcg_sql.evaluate(sys.argv[1], {'userid': ['1'], 'itemid': ['a'], 'score': [1]})\n"
        "except ValueError as error: print(error)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "qrels")], capture_output=True, text=True, check=False
    )
    assert "is none of Parquet" in done.stdout, done.stderr
    assert "its first line has more than 1,000,000 bytes, and starts with '1 0 a 1" in done.stdout
    (tmp_path / "later").write_bytes(b"1 0 a 1\n" + b"x" * 3_000_000)
    with pytest.raises(ValueError, match=r"truth \(.*later\) cannot be read: .*[Mm]aximum line size"):
        evaluate(tmp_path / "later", {"userid": ["1"], "itemid": ["a"], "score": [1]})


def test_texts_that_are_no_unicode():
    """Half of a surrogate pair, which can come from a file name or the command line."""
    half = "x\udc80"
    for argument in ("user", "item", "score", "rel", "by"):
        with pytest.raises(ValueError, match=rf"^evaluate: {argument} must be text in UTF-8, got 'x\\udc80'"):
            evaluate(TRUTH, REC, **{argument: half})
    with pytest.raises(ValueError, match=r"^evaluate: options must be text in UTF-8, got 'gain=x\\udc80'"):
        evaluate(TRUTH, REC, gain=half)
    with pytest.raises(ValueError, match=r"^compare: recs must be text in UTF-8, got 'x\\udc80'"):
        rankdcg_sql.compare(TRUTH, {"a": REC, half: REC})
    with pytest.raises(ValueError, match=r"^evaluate: truth cannot be read"):
        evaluate({half: [1]}, REC)
    found = evaluate(TRUTH, REC, k=2, metrics="ndcg")
    with pytest.raises(ValueError, match=r"^write: path must be text in UTF-8, got 'x\\udc80.csv'"):
        found.write(f"{half}.csv")
    with pytest.raises(ValueError, match=r"^report: title must be text in UTF-8"):
        found.report(title=half)


def test_files_that_do_not_exist(tmp_path: Path):
    for rec in (tmp_path / "no", str(tmp_path / "no.parquet"), str(tmp_path / "*.csv")):
        with pytest.raises(FileNotFoundError, match=r"^evaluate: rec \(.*\): there is no such file"):
            evaluate(TRUTH, rec)
    with pytest.raises(
        FileNotFoundError,
        match="there is no file 'rec'; for a table of a database, give the connection with con=",
    ):
        evaluate(TRUTH, "rec")


def test_truncated_gzip(tmp_path: Path):
    path = tmp_path / "run.gz"
    path.write_bytes(gzip.compress(b"1 Q0 a 1 0.5 x\n" * 1000)[:30])
    with pytest.raises(ValueError, match=r"^evaluate: rec \(.*run.gz\) "):
        evaluate(TRUTH, path)


@pytest.mark.parametrize("sign", [1, -1])
def test_a_refused_row_is_named_with_its_own_relevances(sign: int):
    """Many rows are refused. The relevances and the row of the message belong together."""
    order = np.random.default_rng(3).permutation(100).tolist()
    truth = {
        "userid": [place // 2 for place in order],
        "itemid": ["x"] * 100,
        "rel": [sign * (place + 1) for place in order],
    }
    relevances = "an item twice, with relevance 1 and 2" if sign > 0 else r"must not be negative, got -[12]"
    with pytest.raises(ValueError, match=rf"{relevances} \(user 0, item 'x' of truth\)$"):
        evaluate(truth, {"userid": [1], "itemid": ["x"], "score": [1]}, rel="rel", k=1)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (
            [(1, None, -5), (2, "b", -1), (2, "a", -2)],
            "relevance in rel must not be negative, got -2 (user 2, item 'a' of truth)",
        ),
        (
            [(1, None, 1), (1, None, 2), (2, "b", 1), (2, "a", 2), (2, "b", 3), (2, "a", 4)],
            "truth judges an item twice, with relevance 2 and 4 (user 2, item 'a' of truth)",
        ),
    ],
)
def test_the_refused_row_that_is_named_is_the_first_with_an_item(rows: list[Any], message: str):
    """Rows without an item are ignored, whatever their relevance is."""
    truth = dict(zip(("userid", "itemid", "rel"), map(list, zip(*rows, strict=True)), strict=True))
    with pytest.raises(ValueError, match=f"^{re.escape(f'evaluate: {message}')}$"):
        evaluate(truth, REC, rel="rel")
    with pytest.warns(DataWarning, match="row of truth without an item, ignored"):
        found = evaluate(
            {"userid": [1, 1], "itemid": [None, "a"], "rel": [-5, 1]}, REC, rel="rel", metrics="mrr@1"
        )
    assert found.means == {"mrr@1": 1}


def test_names_of_an_enum_have_quotes_in_messages():
    truth = "SELECT '7'::ENUM('7', '8') AS userid, '8'::ENUM('7', '8') AS itemid, -1 AS rel"
    with duckdb.connect() as con, pytest.raises(ValueError, match=r" \(user '7', item '8' of truth\)$"):
        evaluate(truth, f"SELECT * EXCLUDE (rel), 1 AS score FROM ({truth})", rel="rel", con=con)


# Macros, settings and names in users' databases


#: Overloads of a macro, with 0 to 8 parameters.
OVERLOADS = ", ".join(f"({', '.join('abcdefghijkl'[:count])}) AS 42" for count in range(9))


def shadowed(con: duckdb.DuckDBPyConnection, own: list[str]) -> int:
    """Make a macro with the name of each function of the system, and return the number of macros."""
    found = con.execute(
        "SELECT DISTINCT function_name, function_type LIKE 'table%' FROM duckdb_functions() "
        "WHERE database_name = 'system' ORDER BY ALL"
    ).fetchall()
    number = 0
    for name, is_table in [*found, *((name, False) for name in own)]:
        quoted = '"' + name.replace('"', '""') + '"'
        body = OVERLOADS.replace("AS 42", "AS TABLE SELECT 42 AS answer") if is_table else OVERLOADS
        try:
            con.execute(f"CREATE OR REPLACE MACRO {quoted} {body}")
            number += 1
        except duckdb.Error:  # some names cannot be names of macros, such as those of types
            assert not name.startswith(("rank", "count"))
    return number


@pytest.fixture(scope="module")
def hostile() -> Iterator[duckdb.DuckDBPyConnection]:
    """Open a database with the two tables, and with a macro for the name of every function."""
    con = rankdcg_sql.connect()
    for name, table in (("truth", TRUTH), ("rec", REC)):
        con.register("given", pa.table(table))
        con.execute(f"CREATE TABLE {name} AS FROM given")
    con.unregister("given")
    con.execute(
        "CREATE MACRO mine(x) AS x; "
        "CREATE VIEW truth_view AS SELECT mine(userid) AS userid, itemid FROM truth"
    )
    own = [name for function in rankdcg_sql.functions() for name in function.names]
    assert shadowed(con, own) > 700
    assert con.execute("SELECT count_if(true), 1 + 1, rank_metrics_at_by_user(1, 2, 3, 4, 5)").fetchall() == [
        (42, 42, 42)
    ]
    yield con
    con.close()


@pytest.mark.parametrize("truth", ["table", "view", "query", "csv", "TREC", "dict", "stream"])
def test_macros_of_users_change_nothing(truth: str, hostile: duckdb.DuckDBPyConnection, tmp_path: Path):
    (tmp_path / "qrels").write_text("".join(f"{u} 0 {i} 1\n" for u, i in zip(*TRUTH.values(), strict=True)))
    (tmp_path / "run").write_text(
        "".join(f"{u} Q0 {i} 1 {s} x\n" for u, i, s in zip(*REC.values(), strict=True))
    )
    given = {
        "table": "truth",
        "view": "truth_view",
        "query": "SELECT mine(userid) AS userid, itemid FROM truth",
        "csv": written(tmp_path, "truth.csv", TRUTH, "FORMAT csv"),
        "TREC": str(tmp_path / "qrels"),
        "dict": TRUTH,
        "stream": pa.table(TRUTH),
    }[truth]
    rec, key = (tmp_path / "run", str) if truth == "TREC" else ("rec", int)
    # One is computed over all users at once, the other group by group.
    for metrics in (["ndcg"], ["ndcg", "rankdcg"]):
        table = given.to_reader() if truth == "stream" else given
        found = evaluate(table, rec, k=[2, None], metrics=metrics, con=hostile)
        assert {user: row[0] for user, *row in found.wide.fetchall()} == approx(
            {key(user): value for user, value in NDCG.items()}
        )
        assert found.counts == evaluate(TRUTH, REC, k=2, metrics=metrics).counts


def test_names_of_the_system_in_the_users_schema_change_nothing():
    con = rankdcg_sql.connect()
    con.register("given", pa.table(TRUTH))
    con.execute("CREATE TABLE truth AS FROM given; CREATE TYPE userid AS ENUM ('x')")
    for name in ("duckdb_tables", "duckdb_views", "duckdb_functions", "rankdcg_truth", "rankdcg_rec"):
        con.execute(f"CREATE VIEW {name} AS SELECT 1 AS userid")
    assert of_users("truth", REC, k=2, metrics="ndcg", con=con) == approx(NDCG)


#: Settings of a database. Each changes the result of some query.
SETTINGS = {
    "default_order": "DESC",
    "default_null_order": "NULLS_FIRST",
    "default_collation": "NOCASE",
    "integer_division": "true",
    "old_implicit_casting": "true",
    "preserve_insertion_order": "false",
    "ieee_floating_point_ops": "false",
    "scalar_subquery_error_on_multiple_rows": "false",
    "order_by_non_integer_literal": "true",
    "preserve_identifier_case": "false",
    "TimeZone": "Asia/Tokyo",
}


@pytest.mark.parametrize("setting", SETTINGS)
def test_settings_of_a_database_change_nothing(setting: str):
    """Users, items and segments differ only in case, and scores by less than floating point can tell."""
    large = 2**60
    truth = {"UserID": ["a", "a", "A", "b"], "itemid": ["x", "Y", "y", "X"], "Seg": ["s", "s", "S", "s"]}
    rec = {
        "userid": ["a", "a", "A", "A", "b", "b"],
        "itemid": ["X", "Y", "x", "y", "X", "x"],
        "score": [large, large + 1, large + 1, large, large + 1, large],
    }
    con = rankdcg_sql.connect()
    con.execute(f"SET GLOBAL {setting} = '{SETTINGS[setting]}'")
    found = evaluate(truth, rec, k=[1, 2], metrics=["recall", "mrr", "r_precision"], by="seg", con=con)
    assert found.wide.fetchall() == [
        ("A", "S", 0.0, 1.0, 0.0, 0.5, 0.0),
        ("a", "s", 0.5, 0.5, 1.0, 1.0, 0.5),
        ("b", "s", 1.0, 1.0, 1.0, 1.0, 1.0),
    ]
    assert found.counts.notes() == []


def test_names_are_looked_for_where_the_connection_looks():
    con = rankdcg_sql.connect()
    con.register("given", pa.table(TRUTH))
    con.execute(
        "CREATE SCHEMA s; CREATE TABLE s.truth AS FROM given; "
        "CREATE SCHEMA t; CREATE TABLE t.other AS FROM given"
    )
    con.execute("CREATE TABLE truth AS SELECT 'nobody' AS userid, 'z' AS itemid; USE s")
    for truth in ("truth", "FROM truth", '"truth"', "SELECT * FROM truth"):
        con.execute("FROM range(5000)")
        con.fetchone()
        assert of_users(truth, REC, k=2, metrics="ndcg", con=con) == approx(NDCG)
        assert len(con.fetchall()) == 4999
    with pytest.raises(ValueError, match=r"truth \(other\): there is no file and no table of this name"):
        evaluate("other", REC, con=con)
    con.execute("SET search_path = 's,t'")
    for truth in ("other", "FROM other", "truth"):
        con.execute("FROM range(5000)")
        con.fetchone()
        assert of_users(truth, REC, k=2, metrics="ndcg", con=con) == approx(NDCG)
        assert len(con.fetchall()) == 4999


def test_a_connection_in_a_failed_transaction_is_left_as_it_is():
    con = rankdcg_sql.connect()
    con.register("given", pa.table(TRUTH))
    con.execute("CREATE TABLE truth AS FROM given; CREATE TABLE one (i INTEGER UNIQUE)")
    con.execute("BEGIN; INSERT INTO one VALUES (1)")
    with pytest.raises(duckdb.ConstraintException):
        con.execute("INSERT INTO one VALUES (1)")
    assert of_users(TRUTH, REC, k=2, metrics="ndcg", con=con) == approx(NDCG)
    if _static.installed():
        assert of_users("truth", REC, k=2, metrics="ndcg", con=con) == approx(NDCG)
    else:  # before DuckDB 2.0, such a connection does not tell its search path
        with pytest.raises(ValueError, match=r"^evaluate: truth \(truth\): .*transaction is aborted"):
            evaluate("truth", REC, con=con)
    with pytest.raises(duckdb.TransactionException):
        con.execute("FROM truth")


@pytest.mark.parametrize(
    "name", ['"my ""truth"""', '"s ""1"""."my ""truth"""', 'memory."s ""1"""."my ""truth"""']
)
def test_names_of_tables_may_have_quotes(name: str):
    con = rankdcg_sql.connect()
    con.register("given", pa.table(TRUTH))
    con.execute('CREATE SCHEMA "s ""1"""; CREATE TABLE "s ""1"""."my ""truth""" AS FROM given')
    if "." not in name:
        con.execute('CREATE TABLE "my ""truth""" AS FROM given')
    assert of_users(name, REC, k=2, metrics="ndcg", con=con) == approx(NDCG)


def test_a_query_is_run_once():
    con = rankdcg_sql.connect()
    con.execute("CREATE SEQUENCE once")
    query = "SELECT nextval('once') AS userid, 'a' AS itemid, 1.0 AS score, 7 AS more FROM range(3)"
    found = evaluate("SELECT i AS userid, 'a' AS itemid FROM range(1, 4) t(i)", query, k=1, con=con)
    assert con.execute("SELECT nextval('once')").fetchall() == [(4,)]
    assert found.counts.rec_rows == found.counts.users_evaluated == 3


@pytest.mark.parametrize("metric", ["ndcg", "rbp"])  # users at once, and group by group
def test_users_that_differ_in_case_are_different_ones(metric: str):
    with duckdb.connect() as con:
        con.execute("SET default_collation = 'nocase'")
        con.execute("CREATE TABLE truth AS SELECT unnest(['a', 'A']) AS userid, unnest([1, 2]) AS itemid")
        con.execute(
            "CREATE TABLE rec AS SELECT unnest(['a', 'A']) AS userid, unnest([1, 3]) AS itemid, 1 AS score"
        )
        found = evaluate("truth", "rec", con=con, k=1, metrics=metric)
        assert sorted(value for *_, value in found.per_user.fetchall()) == [
            0,
            pytest.approx(1 if metric == "ndcg" else 0.2),
        ]


def test_ids_of_a_column_without_case_have_one():
    with duckdb.connect() as con:
        con.execute("CREATE TABLE truth (userid VARCHAR COLLATE nocase, itemid VARCHAR COLLATE nocase)")
        con.execute(
            "CREATE TABLE rec (userid VARCHAR COLLATE nocase, itemid VARCHAR COLLATE nocase, score INT)"
        )
        con.execute("INSERT INTO truth VALUES ('a', 'x'), ('A', 'X')")
        con.execute("INSERT INTO rec VALUES ('a', 'x', 2), ('a', 'X', 1), ('A', 'x', 2)")
        found = evaluate("truth", "rec", con=con, k=2, metrics=["mrr", "r_precision"])
        assert sorted(found.wide.fetchall()) == [("A", 0, 0), ("a", 1, 1)]
        assert found.counts.rec_repeats == found.counts.truth_repeats == 0


def test_whole_ids_without_a_common_exact_type_are_refused():
    with duckdb.connect() as con:
        con.execute("CREATE TABLE truth AS SELECT 1 AS userid, 9007199254740993::HUGEINT AS itemid")
        con.execute(
            "CREATE TABLE rec AS SELECT 1 AS userid, 9007199254740992::UHUGEINT AS itemid, 1 AS score"
        )
        with pytest.raises(ValueError, match=r"itemid of truth .* is HUGEINT, itemid of rec .* is UHUGEINT"):
            evaluate("truth", "rec", con=con, k=1)


@pytest.mark.parametrize("place", ["truth", "rec"])
def test_examples_of_items_are_items_of_the_tables(place: str):
    truth, rec = {"userid": [1], "itemid": [5]}, {"userid": [1], "itemid": [1], "score": [1.0]}
    table = truth if place == "truth" else rec
    for name, values in table.items():
        values.append(None if name == "itemid" else values[0])
    with pytest.warns(DataWarning, match="no item of rec is one of truth"):
        found = evaluate(truth, rec, k=1, metrics="ndcg")
    assert [value for *_, value in found.per_user.fetchall()] == [0]


@pytest.mark.parametrize("kind", ["BIGINT", "VARCHAR", "UUID", "DATE", "DECIMAL(9, 2)", "HUGEINT", "DOUBLE"])
@pytest.mark.parametrize("clean", [True, False])
@pytest.mark.parametrize("memory", [1e9, 1e5])
def test_counts_are_those_of_plain_sql(
    monkeypatch: pytest.MonkeyPatch, kind: str, clean: bool, memory: float
) -> None:
    """With little memory, users are evaluated in several parts."""
    monkeypatch.setattr(_user_metrics, "memory_limit", lambda _: memory)
    con = rankdcg_sql.connect()
    user = {
        "UUID": "lpad({}::VARCHAR, 32, '0')::UUID",
        "DATE": "DATE '2026-01-01' + {}::INTEGER",
    }.get(kind, f"{{}}::{kind}")
    maybe = "{}" if clean else "if(hash(i, '{name}') % 9 = 0, NULL, {})"

    def column(name: str, expression: str) -> str:
        return f"{maybe.format(expression, name=name)} AS {name}"

    number = (
        "hash(i, 'n') % 97 / 7.0"
        if clean
        else "if(hash(i, 'q') % 9 = 0, 'nan'::DOUBLE, hash(i, 'n') % 97 / 7.0)"
    )
    items = "i" if clean else "hash(i, 'item') % 30"
    con.execute(
        f"CREATE TABLE rec AS SELECT {column('userid', user.format('(i % 150)'))}, "
        f"{column('itemid', items)}, {column('score', number)} FROM range(4000) AS t(i)"
    )
    con.execute(
        f"CREATE TABLE truth AS SELECT {column('userid', user.format('(50 + i % 140)'))}, "
        f"{column('itemid', items)}, {column('rel', '1.0' if clean else number.replace('97', '1'))} "
        "FROM range(1000) AS t(i)"
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = evaluate("truth", "rec", k=3, rel="rel", metrics="ndcg", con=con).counts
    usable = {
        "rec": "rec WHERE userid IS NOT NULL AND score IS NOT NULL AND NOT isnan(score)",
        "truth": "truth WHERE userid IS NOT NULL AND rel IS NOT NULL AND NOT isnan(rel)",
    }
    expected = {}
    for table, value, name in (("rec", "score", "scores"), ("truth", "rel", "rels")):
        for count, condition in {
            "rows": "true",
            "null_users": "userid IS NULL",
            "null_items": "itemid IS NULL",
            f"null_{name}": f"{value} IS NULL",
            f"nan_{name}": f"isnan({value})",
        }.items():
            (expected[f"{table}_{count}"],) = con.execute(
                f"SELECT count(*) FROM {table} WHERE {condition}"
            ).fetchone()
        (expected[f"{table}_repeats"],) = con.execute(
            f"SELECT count(*) - count(DISTINCT (userid, itemid)) FROM {usable[table]} AND itemid IS NOT NULL"
        ).fetchone()
    for name, one, other in (("without_rec", "truth", "rec"), ("without_truth", "rec", "truth")):
        (expected[f"users_{name}"],) = con.execute(
            f"SELECT count(DISTINCT userid) FROM {usable[one]} "
            f"AND userid NOT IN (SELECT userid FROM {usable[other]})"
        ).fetchone()
    assert {name: getattr(found, name) for name in expected} == expected


def test_a_row_of_nulls_is_counted():
    with pytest.warns(DataWarning):
        found = evaluate(
            TRUTH, "SELECT * FROM (VALUES (1, 'a', 1.0), (NULL, NULL, NULL)) AS t(userid, itemid, score)"
        )
    counts = found.counts
    assert (counts.rec_rows, counts.truth_rows) == (2, len(TRUTH["userid"]))
    assert (counts.rec_null_users, counts.rec_null_items, counts.rec_null_scores) == (1, 1, 1)
    assert (counts.truth_null_users, counts.truth_null_items, counts.truth_null_rels) == (0, 0, 0)


@pytest.mark.parametrize("memory", [1e9, 1e5, 2e4])
@pytest.mark.parametrize("kind", ["BIGINT", "VARCHAR", "DECIMAL(38, 3)"])
def test_rows_of_truth_without_a_user_may_disagree(kind: str, memory: float, monkeypatch: Any):
    """They are left out, from tables that are read once, or once for each part of users, or copied."""
    monkeypatch.setattr(_user_metrics, "memory_limit", lambda _: memory)
    con = duckdb.connect()
    con.execute(
        f"CREATE TABLE rec AS SELECT i::{kind} AS userid, i AS itemid, 1 AS score FROM range(3000) t(i)"
    )
    con.execute(
        "CREATE TABLE truth AS SELECT userid, itemid, 1 AS rel FROM rec WHERE itemid % 3 = 0 "
        "UNION ALL FROM (VALUES (NULL, 0, 2), (NULL, 0, 1))"
    )
    with pytest.warns(DataWarning, match="2 rows of truth without a user, left out"):
        found = evaluate("truth", "rec", k=1, rel="rel", metrics="ndcg", con=con)
    assert (found.counts.truth_null_users, found.counts.truth_rows) == (2, 1002)
    assert found.counts.truth_repeats == 0
    assert found.summary.project("n, mean").fetchall() == [(1000, 1.0)]


def test_repeats_in_several_places_of_rec_are_counted():
    """Rows of user 1 below the cutoff are dropped before its last rows are read."""
    users = [0] * 300 + [1] * 100 + [2] * 300 + [1] * 50
    items = [*range(300), *range(100), *range(300), *range(25, 75)]
    rec = {"userid": users, "itemid": items, "score": [float(item) for item in items]}
    with pytest.warns(DataWarning, match="50 rows of rec with the user and item of another row"):
        found = evaluate({"userid": [1], "itemid": [99]}, rec, k=2, metrics="mrr")
    assert found.counts.rec_repeats == 50
    assert found.summary.project("mean").fetchall() == [(1.0,)]


@pytest.mark.parametrize("kind", ["BIGINT", "VARCHAR", "DATE"])
def test_users_are_in_ascending_order(kind: str):
    """Users are as many as several vectors hold, in no order in the tables."""
    user = {"DATE": "DATE '1990-01-01' + {}::INTEGER"}.get(kind, f"{{}}::{kind}").format("(hash(i) % 5000)")
    rec = f"SELECT DISTINCT {user} AS userid, i % 3 AS itemid, i % 3 AS score FROM range(12000) AS t(i)"
    found = evaluate(f"SELECT DISTINCT userid, 1 AS itemid FROM ({rec})", rec, k=[1, 2, 3], metrics="ndcg")
    for result in (found, pickle.loads(pickle.dumps(found))):
        users = [row[0] for row in result.wide.fetchall()]
        assert len(users) > 4096
        assert users == sorted(users)
        assert [row[0] for row in result.per_user.fetchall()] == [each for each in users for _ in range(3)]


# Processes


@pytest.mark.skipif(sys.platform == "win32", reason="needs fork")
@pytest.mark.skipif(
    duckdb.__version__.startswith("1."),
    reason="`import duckdb` opens a connection, with which a child that opens another one cannot end",
)
def test_a_child_of_a_fork_evaluates_and_ends(tmp_path: Path):
    """The parent has evaluated before, on threads that the child has not. Neither leaves a file behind."""
    script = """
        import json, os, sys, warnings
        import rankdcg_sql

        warnings.simplefilter("ignore", DeprecationWarning)  # about threads beside a fork
        truth, rec = json.loads(sys.argv[1])

        def mean():
            found = rankdcg_sql.evaluate(truth, rec, k=2, metrics="ndcg")
            return found.summary.project("mean").fetchall()[0][0]

        first = mean()
        child = os.fork()
        if child == 0:
            sys.exit(0 if mean() == first else 7)
        print(json.dumps([os.waitpid(child, 0)[1], mean() == first]))
    """
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "environ", environment)
        assert process.python(script, json.dumps([TRUTH, REC])) == [0, True]
    assert list(tmp_path.iterdir()) == []


def test_results_of_many_threads_do_not_meet():
    """All evaluations share a database; each has tables and results of its own."""

    def mean(place: int) -> float:
        rec = {**REC, "score": [-score if place % 2 else score for score in REC["score"]]}
        return evaluate(TRUTH, rec, k=2, metrics="ndcg").summary.project("mean").fetchall()[0][0]

    alone = [mean(0), mean(1)]
    assert alone[0] != alone[1]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(mean, range(40))) == alone * 20
