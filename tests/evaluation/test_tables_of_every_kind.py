"""Tables of every kind that `evaluate` takes."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.dataset
import pytest
from support.two_tables import NDCG, REC, STATEMENTS, TRUTH, Table, approx, of_users, select, written

import rankdcg_sql
from rankdcg_sql import compare, evaluate
from rankdcg_sql.evaluation._computing import user_metrics as _user_metrics

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
    "csv.gz": lambda folder, name, table: written(
        folder, f"{name}.CSV.GZ", table, "FORMAT csv, COMPRESSION gzip"
    ),
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


def test_systems_in_tables_of_different_kinds(tmp_path: Path):
    systems = {
        kind: KINDS[kind](tmp_path, f"rec{number}", REC) for number, kind in enumerate(reversed(KINDS))
    }
    per_user = compare(TRUTH, systems, k=2, metrics="ndcg").per_user
    for system in systems:
        rows = per_user.filter(duckdb.ColumnExpression("system") == duckdb.ConstantExpression(system))
        assert dict(rows.project("userid, value").fetchall()) == approx(NDCG)


def test_pandas():
    import pandas as pd

    truth, rec = pd.DataFrame(TRUTH), pd.DataFrame(REC)
    for rows in (rec, rec.set_index(["userid", "itemid"])):
        assert of_users(truth.set_index("userid"), rows, k=2, metrics="ndcg") == approx(NDCG)
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
    with rankdcg_sql.connect() as con:
        con.execute(f"CREATE SCHEMA s; USE s; {STATEMENTS.replace('TABLE rec', 'TEMP TABLE rec')}; USE main")
        yield con


@pytest.mark.parametrize("truth", ["s.truth", "SELECT * FROM s.truth", '"s"."truth"'])
@pytest.mark.parametrize("rec", ["rec", "REC", "FROM rec"])
def test_tables_of_a_connection(database: duckdb.DuckDBPyConnection, truth: str, rec: str):
    assert of_users(truth, rec, k=2, metrics="ndcg", con=database) == approx(NDCG)


def test_connections_of_every_way(con: duckdb.DuckDBPyConnection):
    """Connections of every way in, including those that take Python functions only."""
    found = evaluate(TRUTH, REC, k=[2, None], metrics=["ndcg", "rankdcg"], con=con, gain="linear")
    assert [row[1] for row in found.wide.fetchall()] == approx(list(NDCG.values()))
    alone = evaluate(TRUTH, REC, k=2, metrics="ndcg", con=con).summary
    assert alone.fetchall() == found.summary.limit(1).fetchall()


def test_a_connection_is_left_as_it_was(database: duckdb.DuckDBPyConnection):
    tables = (
        "SELECT table_name FROM duckdb_tables() UNION ALL SELECT view_name FROM duckdb_views() ORDER BY 1"
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
    assert select(evaluate(truth, rec, k=[2], metrics=["mrr"]).summary, "n, mean") == [(2, 0.5)]


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
    truth, rec = tmp_path / f"truth.{suffix}", tmp_path / f"rec.{suffix}"
    for path, rows in (
        (truth, [{"userid": user, "itemid": item}, {"userid": user + 1, "itemid": item + 1}]),
        (rec, [{"userid": user + u, "itemid": item, "score": 1.5} for u in (0, 1)]),
    ):
        path.write_text("\n".join(map(json.dumps, rows)) if suffix == "jsonl" else json.dumps(rows))
    assert [*of_users(truth, rec, k=1, metrics="recall").values()] == [1, 0]


def test_numbers_in_json_that_floating_point_tells_apart_stay_numbers(tmp_path: Path):
    path = tmp_path / "rec.json"
    path.write_text('{"userid": 1.50, "itemid": 1, "score": 1}')
    truth = "SELECT 1.5::DOUBLE AS userid, 1 AS itemid"
    assert evaluate(truth, path, metrics="recall@1").means == {"recall@1": 1}


@pytest.mark.parametrize("suffix", ["csv", "json", "parquet"])
@pytest.mark.parametrize(
    "name",
    ["~rec", "~folder/rec", "**", "a**b", "**/rec", "re?", "~[r]*", "br[1]", "a 1", "it's", "with (x)",
     "a\\b", "a\\*"],
)  # fmt: skip
def test_files_whose_names_look_like_patterns(
    name: str, suffix: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """The file with exactly this name is read, and not the files that match it as a pattern."""
    monkeypatch.chdir(tmp_path)
    for path, item in ((name, 1), (re.sub(r"[*?]+", "c", re.sub(r"\[(.)\]", r"\1", name)), 2)):
        Path(path).parent.mkdir(exist_ok=True)
        if item == 1 or path != name:
            duckdb.sql(f"SELECT 1 AS userid, {item} AS itemid, 1 AS score").write_parquet("made.parquet")
            duckdb.sql(f"COPY (FROM 'made.parquet') TO 'made.{suffix}'")
            Path(f"made.{suffix}").rename(f"{path}.{suffix}")
    for rec in (f"{name}.{suffix}", tmp_path / f"{name}.{suffix}"):
        assert of_users("SELECT 1 AS userid, 1 AS itemid", rec, k=1, metrics="recall") == {1: 1}


def test_a_pattern_with_two_stars_finds_files_in_folders_of_any_depth(tmp_path: Path):
    for user, folder in enumerate([".", "a", "a/b"]):
        (tmp_path / folder).mkdir(exist_ok=True)
        (tmp_path / folder / "rec.csv").write_text(f"userid,itemid,score\n{user},1,1\n")
    truth = "SELECT i AS userid, 1 AS itemid FROM range(3) AS t(i)"
    pattern = str(tmp_path / "**" / "*.csv")
    for rec in (pattern, [pattern]):
        assert of_users(truth, rec, k=1, metrics="recall") == {0: 1, 1: 1, 2: 1}


@pytest.mark.parametrize("function", ["getvariable", "GetVariable"])
def test_variables_of_the_users_connection(function: str):
    with rankdcg_sql.connect() as con:
        con.execute("SET VARIABLE item = 2")
        truth = f"SELECT 1 AS userid, {function}('item') AS itemid"
        assert evaluate(truth, {1: {2: 1}}, metrics="recall@1", con=con).means == {"recall@1": 1}


@pytest.mark.parametrize(
    ("of_truth", "of_rec"),
    [
        ("INTEGER", "DECIMAL(9, 2)"), ("UBIGINT", "TINYINT"), ("HUGEINT", "BIGINT"), ("FLOAT", "DOUBLE"),
        ("VARCHAR", "ENUM('1', '2', '3')"),
    ],
)  # fmt: skip
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
