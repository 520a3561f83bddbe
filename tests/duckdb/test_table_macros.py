"""The table macros: `rank_evaluate`, `rank_summary`, `rank_compare`, `rank_check` and `rank_functions`."""

from __future__ import annotations

import io
import json
import operator
import random
import re
import subprocess
import warnings
from contextlib import redirect_stdout
from typing import TYPE_CHECKING, Any

import duckdb
import pytest
from click.testing import CliRunner
from support import golden, process
from support.engines import METRICS, Row, Users, options_text
from support.sql import insert, value

import rankdcg_sql
from rankdcg_sql import _elsewhere, _static, compare, connect, evaluate, register
from rankdcg_sql._table_macros import table_macros
from rankdcg_sql.cli import main

if TYPE_CHECKING:
    from collections.abc import Iterator

needs_aggregates = pytest.mark.skipif(
    not _static.installed(), reason="the aggregates of all users are native from DuckDB 2.0 on"
)

TRUTH = "FROM (VALUES (1, 'a'), (1, 'b'), (1, 'd'), (2, 'c'), (3, 'e')) AS t(userid, itemid)"
REC = """
    FROM (VALUES (1, 'a', 0.9), (1, 'c', 0.8), (1, 'b', 0.3), (2, 'a', 0.7), (2, 'c', 0.6))
        AS r(userid, itemid, score)
"""
#: NDCG at 2 of the tables above, by the formula.
NDCG = {1: 0.6131471927654584, 2: 0.6309297535714575, 3: 0.0}


@pytest.fixture
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    with connect() as opened:
        opened.execute(f"CREATE TABLE truth AS {TRUTH}; CREATE TABLE rec AS {REC}")
        yield opened


def ndcg_of(con: duckdb.DuckDBPyConnection, arguments: str, before: str = "") -> dict[Any, float]:
    """NDCG at 2 of each user."""
    query = f"{before} SELECT userid, ndcg FROM rank_evaluate({arguments}, ks := [2])"
    return dict(con.execute(query).fetchall())


# Values


@needs_aggregates
@pytest.mark.parametrize(
    ("options", "n"),
    [
        ("", 3), (None, 3), ("convention=spark", 3), ("convention=trec_eval", 2),
        ("gain=linear , Convention = TREC_EVAL", 2),
        ("convention=recommenders,gain=linear", 2), ("convention=trec_eval', users := 'truth", 3),
    ],
)  # fmt: skip
def test_a_convention_says_over_which_users_means_are(
    con: duckdb.DuckDBPyConnection, options: str | None, n: int
) -> None:
    given = "NULL" if options is None else f"'{options}'"
    for call in ("rank_summary(truth, rec, 2", "rank_compare(truth, rec, rec, 2"):
        rows = con.execute(f"SELECT n FROM {call}, metrics := 'ndcg', options := {given})").fetchall()
        assert rows == [(n,)]


@needs_aggregates
def test_names_of_other_measures_get_the_advice_of_python(con: duckdb.DuckDBPyConnection) -> None:
    expected = {
        written + ending: f": {advice}"
        for name, advice in _elsewhere.advice().items()
        for written in (name, name.upper().replace("_", "-"), name.replace("_", " . "))
        for ending in ("", "@5,10", "_0.10", "_at_k", " at n", "(rel=2)@all")
    }
    expected |= dict.fromkeys(("", "ndgc", "a|b.*", "bpref|", "|", "did you mean", "\n", ".*"), "")
    asked = con.execute(
        "SELECT name, rankdcg_sql_advice(name) FROM (SELECT unnest(?) AS name)", [[*expected]]
    )
    assert dict(asked.fetchall()) == expected


@needs_aggregates
def test_golden_cases(con: duckdb.DuckDBPyConnection) -> None:
    """The values of other packages, and every bit of the aggregate of one user's rows."""
    engine, asked = Users(con), 0
    for case in golden.CASES.values():
        kind, *tables = case.args
        if case.expected == "error" or not engine.supports(
            case.function, kind, Row(case.args[1:], case.k, case.options)
        ):
            continue
        rec, truth = tables
        scored = rec if kind == "run" else {item: -float(place) for place, item in enumerate(rec)}
        judged = truth if isinstance(truth, dict) else dict.fromkeys(truth, 1.0)
        items = {type(item) for item in (*scored, *judged)}
        item_type = {int: "BIGINT", str: "VARCHAR", float: "DOUBLE"}[items.pop()]
        assert not items
        for name, rows, number in (("golden_rec", scored, "score"), ("golden_truth", judged, "rel")):
            con.execute(
                f"CREATE OR REPLACE TABLE {name} (userid INTEGER, itemid {item_type}, {number} DOUBLE)"
            )
            insert(con, name, [(7, *row) for row in rows.items()] or [(7, None, None)])
        cut = "NULL" if case.k is None else str(case.k)
        options = f"'{options_text(case.options) or ''}'"
        (found,) = con.execute(
            f"SELECT * EXCLUDE (userid, retrieved, judged, retrieved_repeats, judged_repeats) FROM "
            f"rank_evaluate(golden_truth, golden_rec, ks := [{cut}], rel := 'rel', options := {options})"
        ).fetchall() or [None]
        rows = (
            "SELECT itemid, score, NULL AS rel FROM golden_rec "
            "UNION ALL SELECT itemid, NULL, rel FROM golden_truth"
        )
        same = value(con, f"rank_metrics_rows(itemid, score, rel, {cut}, {options}) FROM ({rows})")
        assert found == (None if same is None else tuple(same.values())), case.id
        metric = engine._metric(case.function)
        assert metric
        assert (same and same[metric]) == pytest.approx(case.expected, rel=0, abs=1e-9), case.id
        asked += 1
    assert asked > 60


@needs_aggregates
def test_golden_means(con: duckdb.DuckDBPyConnection) -> None:
    for case in golden.TABLES:
        con.register("golden_truth", as_table(case.truth))
        con.register("golden_rec", as_table(case.rec))
        found = con.execute(
            "SELECT mean FROM rank_summary(golden_truth, golden_rec, ks := [$k], metrics := [$metric], "
            "users := $users, options := $options)".replace("$k", str(case.k))
            .replace("$metric", f"'{case.metric}'")
            .replace("$users", f"'{case.users}'")
            .replace("$options", f"'{options_text(case.options) or ''}'")
        ).fetchall()
        assert found == [(pytest.approx(case.expected, rel=0, abs=1e-9),)], case.id
    assert golden.TABLES


def as_table(columns: dict[str, list[Any]]) -> Any:
    import pyarrow as pa

    return pa.table(columns)


#: Users and items of these types, written from whole numbers; the second user is the first one plus 1.
TYPES = {
    "INTEGER": "{}::INTEGER",
    "BIGINT": "{}::BIGINT",
    "VARCHAR": "'id ' || {}",
    "UUID": "('00000000-0000-0000-0000-' || lpad({}::VARCHAR, 12, '0'))::UUID",
    "ENUM": "('id ' || {})::names",
    "DATE": "DATE '2020-01-01' + {}::INTEGER",
    "HUGEINT": "{}::HUGEINT + 170000000000000000000000000000000000000",
    "DECIMAL(9,2)": "({} / 4)::DECIMAL(9, 2)",
    "DOUBLE": "{}::DOUBLE / 4",
    "UBIGINT": "{}::UBIGINT + 18446744073709000000",
}


def make_dirty(
    con: duckdb.DuckDBPyConnection, seed: int, users: str = "BIGINT", items: str = "BIGINT"
) -> None:
    """Make the tables truth, rec and old with repeats, NULLs, NaN, ties, and users of one table only."""
    draw = random.Random(seed)

    def rows(first: int, count: int, numbers: list[Any]) -> list[tuple[Any, ...]]:
        return [
            (
                draw.choice(
                    [None, *range(first, first + 30)] if draw.random() < 0.1 else [*range(first, first + 30)]
                ),
                draw.choice([None, *[draw.randrange(25)] * 20]),
                draw.choice([None, "nan", *numbers * 10]),
            )
            for _ in range(count)
        ]

    con.execute(
        "CREATE TYPE names AS ENUM (SELECT 'id ' || range FROM range(80))"
        if users == "ENUM" or items == "ENUM"
        else "SELECT 1"
    )
    for name, first, count, numbers in (
        ("truth", 0, 250, [1.0]),
        ("rec", 4, 600, [0.1, 0.25, 0.5, 0.5, 3.0, 7.5]),
        ("old", 2, 500, [0.1, 0.25, 0.5, 0.5, 3.0, 7.5]),
    ):
        number = "rel" if name == "truth" else "score"
        con.execute(f"CREATE OR REPLACE TABLE given (u BIGINT, i BIGINT, {number} DOUBLE)")
        insert(con, "given", rows(first, count, numbers))
        con.execute(
            f"CREATE OR REPLACE TABLE {name} AS SELECT {TYPES[users].format('u')} AS userid, "
            f"{TYPES[items].format('i')} AS itemid, {number} FROM given"
        )


@needs_aggregates
@pytest.mark.parametrize("kinds", [*((kind, kind) for kind in TYPES), ("UUID", "VARCHAR")], ids="-".join)
def test_the_numbers_are_those_of_python(kinds: tuple[str, str]) -> None:
    """Each value, mean, interval and p-value is equal to the last bit, and so is each count."""
    ks: list[int | None] = [1, 3, None]
    with connect() as con, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        make_dirty(con, 3, *kinds)
        expected = evaluate("truth", "rec", ks, rel="rel", con=con)
        metrics = [name for name in METRICS if name != "auc"]
        structs = ", ".join(f"{{metric: {name!r}, k: k, value: {name}}}" for name in metrics)
        found = con.execute(
            f"SELECT userid, unnest([{structs}], "
            "recursive := true) FROM rank_evaluate(truth, rec, ks := [1, 3, NULL], rel := 'rel')"
        ).fetchall()
        # Python's results have passed through Arrow, where a UUID is a text.
        values = {(str(row[0]), *row[1:3]): row[3] for row in expected.per_user.fetchall()}
        assert {(str(row[0]), *row[1:3]): row[3] for row in found} == values
        assert len(values) > 20 * len(ks) * len(metrics)
        kind = con.sql("FROM rank_evaluate(truth, rec)").types[0]
        assert str(kind).partition("(")[0] == kinds[0].partition("(")[0]

        for users in ("truth", "both"):
            for interval in ("t", "bootstrap"):
                asked = evaluate(
                    "truth", "rec", ks, rel="rel", users=users, interval=interval, confidence=0.9, con=con
                )
                columns = ["users_evaluated", "users_without_rec", "users_without_truth"]
                columns += ["rec_repeats", "truth_repeats"]
                summary = con.execute(
                    f"SELECT {', '.join([*asked.summary.columns, *columns])} "
                    f"FROM rank_summary(truth, rec, ks := [1, 3, NULL], rel := 'rel', users := '{users}', "
                    f"interval := '{interval}', confidence := 0.9)"
                ).fetchall()
                assert [row[:8] for row in summary] == asked.summary.fetchall()
                counts = asked.counts
                assert {row[8:11] for row in summary} == {
                    (counts.users_evaluated, counts.users_without_rec, counts.users_without_truth)
                }
                assert {row[11:13] for row in summary} == {(counts.rec_repeats, counts.truth_repeats)}

        for test in ("t", "wilcoxon", "randomization"):
            for correction in ("holm", "bonferroni", "benjamini_hochberg", None):
                differences = compare(
                    "truth",
                    {"old": "old", "rec": "rec"},
                    k=ks,
                    rel="rel",
                    test=test,
                    correction=correction,
                    alternative="less",
                    con=con,
                ).differences
                columns = differences.columns[2:]
                found = con.execute(
                    f"SELECT {', '.join(columns)} "
                    "FROM rank_compare(truth, old, rec, ks := [1, 3, NULL], rel := 'rel', "
                    f"test := '{test}', alternative := 'less', "
                    f"correction := {'NULL' if correction is None else repr(correction)})"
                ).fetchall()
                assert found == [row[2:] for row in differences.fetchall()]
        for alternative in ("less", "greater", "equivalence"):
            differences = compare(
                "truth", {"old": "old", "rec": "rec"}, alternative=alternative, margin=0.1, con=con
            ).differences
            found = con.execute(
                f"SELECT {', '.join(columns)} "
                f"FROM rank_compare(truth, old, rec, alternative := '{alternative}', margin := 0.1)"
            ).fetchall()
            assert found == [row[2:] for row in differences.fetchall()]
        null, none = (
            con.execute(f"FROM rank_compare(truth, old, rec, correction := {given})").fetchall()
            for given in ("NULL", "'none'")
        )
        assert null == none


@needs_aggregates
def test_levels_resamples_and_seeds_are_those_of_the_call() -> None:
    systems = {"old": "old", "rec": "rec"}
    with connect() as con, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        make_dirty(con, 3)
        # Signs are drawn for more than 30 users that differ.
        pairs = "FROM range(100, 160) AS u(u), range(8) AS i(i)"
        con.execute(f"INSERT INTO truth SELECT u, i, 1 {pairs} WHERE i < 3")
        for place, name in enumerate(systems):
            con.execute(f"INSERT INTO {name} SELECT u, i, hash(u, i, {place}) % 1000 {pairs}")

        def ask(given: dict[str, Any], test: Any) -> tuple[Any, ...]:
            listed = "".join(f", {name} := {value!r}" for name, value in given.items())
            ends = f"ks := NULL, metrics := 'ndcg', rel := 'rel'{listed}"
            asked: dict[str, Any] = {"k": None, "metrics": "ndcg", "rel": "rel", "con": con} | given
            (summary,) = con.execute(f"SELECT low, high FROM rank_summary(truth, rec, {ends})").fetchall()
            expected = evaluate("truth", "rec", **asked).summary
            assert [summary] == expected.project("low, high").fetchall()
            call = f"rank_compare(truth, old, rec, test := '{test}', {ends})"
            (compared,) = con.execute(f"SELECT low, high, p_value FROM {call}").fetchall()
            differences = compare("truth", systems, test=test, **asked).differences
            assert [compared] == differences.project("low, high, p_value").fetchall()
            return (*summary, *compared)

        drawn = {"interval": "bootstrap", "resamples": 40}
        one, other = (
            ask(drawn | {"seed": seed, "confidence": 0.8}, "randomization") for seed in (5, 7_000_000_000)
        )
        assert all(map(operator.ne, one, other))
        ask({"confidence": 0.8}, "t")


def make_ranked(con: duckdb.DuckDBPyConnection, name: str, *hits: tuple[int, ...]) -> None:
    """Make a table of twelve items for each user. Those at some ranks are the items 1, 2 and 3."""
    con.execute(f"CREATE TABLE {name} (userid INTEGER, itemid INTEGER, score INTEGER)")
    rows = [
        (user, ranks.index(rank) + 1 if rank in ranks else 100 + rank, -rank)
        for user, ranks in enumerate(hits)
        for rank in range(1, 13)
    ]
    insert(con, name, rows)


@needs_aggregates
def test_numbers_that_rounding_parts_are_equal(con: duckdb.DuckDBPyConnection) -> None:
    """3/10 - 2/10 is less than 2/10 - 1/10 by rounding, and 1/1 + 2/12 is more than 1/2 + 2/3."""
    con.execute(
        "CREATE TABLE t AS SELECT u AS userid, i AS itemid FROM range(2) AS u(u), range(1, 4) AS i(i)"
    )
    make_ranked(con, "twos", (1, 2), (1,))
    make_ranked(con, "threes", (1, 2, 3), (1, 2))
    make_ranked(con, "same", (1, 2), (1, 2))
    make_ranked(con, "apart", (1, 2, 3), (1,))
    make_ranked(con, "near", (2, 3), (2, 3))
    make_ranked(con, "far", (1, 12), (1, 2))
    tenths = "ks := 10, metrics := 'precision', alternative := 'less'"
    columns = "SELECT interval_by, wins, ties, losses, p_value FROM rank_compare"
    (found,) = con.execute(f"{columns}(t, twos, threes, {tenths})").fetchall()
    assert found[:4] == ("range", 2, 0, 0)
    # One of two differences of one size is positive: their sum is no larger for three of four signs.
    for test, p_value in (("t", 0.5), ("wilcoxon", 0.75), ("randomization", 0.75)):
        (found,) = con.execute(f"{columns}(t, same, apart, {tenths}, test := '{test}')").fetchall()
        assert found == ("t", 1, 0, 1, pytest.approx(p_value))
        given = f"ks := NULL, metrics := 'average_precision', test := '{test}'"
        (found,) = con.execute(f"{columns}(t, near, far, {given})").fetchall()
        assert found[:4] == ("t", 1, 1, 0)


@needs_aggregates
@pytest.mark.parametrize("interval", ["t", "bootstrap"])
@pytest.mark.parametrize("hits", [[1, 1, 2], [1, 1, 1], [2, 2], [1]])
def test_intervals_of_few_users_are_those_of_python(hits: list[int], interval: Any) -> None:
    """Student's reach beyond 0 and 1. Values that are all equal have those of the range."""
    with connect() as con:
        columns = "unnest(range(len($1))) AS userid, unnest($1) AS itemid, 1 AS score"
        con.execute(f"CREATE TABLE rec AS SELECT {columns}", [hits])
        con.execute("CREATE TABLE truth AS SELECT userid, 1 AS itemid FROM rec")
        con.execute("CREATE TABLE other AS SELECT * REPLACE (3 - itemid AS itemid) FROM rec")
        kept = "metric, k, n, mean, low, high, without_value, interval_by"
        given = f"ks := [1], metrics := ['recall', 'mrr'], interval := '{interval}'"
        found = con.execute(f"SELECT {kept} FROM rank_summary(truth, rec, {given})").fetchall()
        asked = evaluate("truth", "rec", 1, ["recall", "mrr"], interval=interval, con=con)
        assert found == asked.summary.fetchall()
        assert all(0 <= low < high <= 1 for *_, low, high, _, _ in found)
        systems = {"other": "other", "rec": "rec"}
        compared = compare("truth", systems, k=1, metrics=["recall", "mrr"], interval=interval, con=con)
        kept = ", ".join(compared.differences.columns[2:])
        found = con.execute(f"SELECT {kept} FROM rank_compare(truth, other, rec, {given})").fetchall()
        assert found == [row[2:] for row in compared.differences.fetchall()]
        kinds = {row[-1] for row in found}
        assert kinds == {"range" if len(set(hits)) == 1 else interval}


@needs_aggregates
@pytest.mark.parametrize("seed", range(3))
def test_rows_are_counted_as_by_plain_sql(seed: int) -> None:
    with connect() as con:
        make_dirty(con, seed)
        (found,) = con.execute(
            "SELECT DISTINCT users_evaluated, users_without_rec, users_without_truth, rec_repeats, "
            "truth_repeats, rec_left_out, truth_left_out "
            "FROM rank_summary(truth, rec, rel := 'rel', ks := [4, NULL])"
        ).fetchall()
        good_rec, good_truth = (
            f"userid IS NOT NULL AND {number} IS NOT NULL AND NOT isnan({number})"
            for number in ("score", "rel")
        )
        (expected,) = con.execute(
            f"""
            WITH r AS (FROM rec WHERE {good_rec}), t AS (FROM truth WHERE {good_truth})
            SELECT
                (SELECT count(DISTINCT userid) FROM t),
                (SELECT count(DISTINCT userid) FROM t WHERE userid NOT IN (SELECT userid FROM r)),
                (SELECT count(DISTINCT userid) FROM r WHERE userid NOT IN (SELECT userid FROM t)),
                (SELECT count(itemid) - count(DISTINCT if(itemid IS NULL, NULL, (userid, itemid))) FROM r),
                (SELECT count(itemid) - count(DISTINCT if(itemid IS NULL, NULL, (userid, itemid))) FROM t),
                (SELECT count(*) FROM rec) - (SELECT count(*) FROM r),
                (SELECT count(*) FROM truth) - (SELECT count(*) FROM t WHERE itemid IS NOT NULL)
            """
        ).fetchall()
        assert found == expected
        assert min(found) > 0


@needs_aggregates
def test_threads_change_no_bit() -> None:
    found = []
    for threads in (1, 4):
        with connect(config={"threads": threads}) as con:
            make_dirty(con, 5)
            con.execute("INSERT INTO rec SELECT i % 5000, i % 97, hash(i) % 1000 FROM range(300000) AS t(i)")
            con.execute("INSERT INTO truth SELECT i % 5000, i % 89, 1 FROM range(60000) AS t(i)")
            found.append(
                [
                    con.execute(query).fetchall()
                    for query in (
                        "FROM rank_evaluate(truth, rec) ORDER BY ALL",
                        "FROM rank_summary(truth, rec, ks := [5, NULL])",
                        "FROM rank_compare(truth, old, rec)",
                        "FROM rank_check(truth, rec)",
                    )
                ]
            )
    assert found[0] == found[1]


@needs_aggregates
def test_repeats_are_null_where_they_are_not_known(con: duckdb.DuckDBPyConnection) -> None:
    """The row that the last one repeats was dropped, because it is far below the largest k."""
    con.execute(
        """
        CREATE TABLE apart AS
        SELECT 0 AS userid, i AS itemid, 1.0 AS score FROM range(300) AS t(i)
        UNION ALL SELECT 1, i, i FROM range(100) AS t(i)
        UNION ALL SELECT 2, i, 1.0 FROM range(300) AS t(i)
        UNION ALL SELECT 1, 0, 0.5
        """
    )
    query = "SELECT DISTINCT rec_repeats FROM rank_summary(apart, apart, ks := [{}])"
    assert con.execute(query.format("NULL")).fetchall() == [(1,)]
    assert con.execute(query.format("5")).fetchall() in ([(None,)], [(1,)])


@needs_aggregates
def test_rows_of_each_user_are_counted(con: duckdb.DuckDBPyConnection) -> None:
    """Each row without an item counts as one, and repeats nothing."""
    con.execute(
        """
        CREATE TABLE t AS FROM (VALUES
            (1, 'a'), (1, 'b'), (1, 'b'), (1, 'c'), (1, 'c'), (1, 'c'), (1, NULL), (2, 'x')
        ) AS v(userid, itemid);
        CREATE TABLE r AS FROM (VALUES
            (1, 'a', 6), (1, 'a', 5), (1, 'z', 4), (1, NULL, 3), (1, NULL, 2), (1, 'y', 1), (3, 'q', 1)
        ) AS v(userid, itemid, score)
        """
    )
    counts = "retrieved, judged, retrieved_repeats, judged_repeats"
    found = con.execute(f"SELECT userid, {counts} FROM rank_evaluate(t, r, ks := NULL)").fetchall()
    assert sorted(found) == [(1, 5, 4, 1, 3), (2, 0, 1, 0, 0)]


# Tables, columns and their names


@needs_aggregates
@pytest.mark.parametrize(
    ("tables", "before"),
    [
        ("truth, rec", ""),
        ("'truth', 'rec'", ""),
        ('"TRUTH", main.rec', ""),
        ("memory.main.truth, 'memory.main.rec'", ""),
        ("truth_view, rec_view", ""),
        ("other.truth, 'other.rec'", ""),
        ("a, b", "WITH a AS (FROM truth), b AS (FROM rec)"),
        # The names of the macro's own common table expressions and columns.
        ("evaluated, both_tables", "WITH both_tables AS (FROM rec), evaluated AS (FROM truth)"),
        ("userid, ks", "WITH ks AS (FROM rec), userid AS (FROM truth)"),
        ("""'"odd ""name"" of.truth"', '"select"'""", ""),
        ("getvariable('here'), rec", ""),
    ],
    ids=str,
)
def test_ways_to_name_tables(con: duckdb.DuckDBPyConnection, tables: str, before: str) -> None:
    con.execute(
        """
        CREATE VIEW truth_view AS FROM truth; CREATE VIEW rec_view AS FROM rec;
        CREATE SCHEMA other; CREATE TABLE other.truth AS FROM truth; CREATE TABLE other.rec AS FROM rec;
        CREATE TABLE "odd ""name"" of.truth" AS FROM truth; CREATE TABLE "select" AS FROM rec;
        SET VARIABLE here = 'truth'
        """
    )
    assert ndcg_of(con, tables, before) == pytest.approx(NDCG)


@needs_aggregates
@pytest.mark.parametrize(
    "name", ["both_tables", "evaluated", "users_at_k", "means_at_k", "pairs_at_k", "tests"]
)
def test_tables_with_the_names_that_macros_use(con: duckdb.DuckDBPyConnection, name: str) -> None:
    for other in ("truth", "rec"):
        con.execute(f"ALTER TABLE {other} RENAME TO {name}")
        tables = f"{name}, rec" if other == "truth" else f"truth, {name}"
        assert ndcg_of(con, tables) == pytest.approx(NDCG)
        assert len(con.execute(f"FROM rank_summary({tables})").fetchall()) == 14
        assert len(con.execute(f"FROM rank_compare({tables}, {tables.split(', ')[1]})").fetchall()) == 14
        assert len(con.execute(f"FROM rank_check({tables})").fetchall()) == 2
        con.execute(f"ALTER TABLE {name} RENAME TO {other}")


@needs_aggregates
def test_files_and_data_frames(con: duckdb.DuckDBPyConnection, tmp_path: Any) -> None:
    folder = tmp_path / "it's odd"
    folder.mkdir()
    for table in ("truth", "rec"):
        for ending in ("parquet", "csv"):
            path = str(folder / f"{table}.{ending}").replace("'", "''")
            con.execute(f"COPY {table} TO '{path}'")
    quoted = str(folder).replace("'", "''")
    for ending in ("parquet", "csv"):
        assert ndcg_of(con, f"'{quoted}/truth.{ending}', '{quoted}/rec.{ending}'") == pytest.approx(NDCG)
    assert ndcg_of(con, f"truth, '{quoted}/re*.parquet'") == pytest.approx(NDCG)
    frame = con.sql("FROM truth").pl()
    assert len(frame) == 5
    found = con.execute("SELECT userid, ndcg FROM rank_evaluate(frame, rec, ks := [2])").fetchall()
    assert dict(found) == pytest.approx(NDCG)


@needs_aggregates
def test_columns_by_name(con: duckdb.DuckDBPyConnection) -> None:
    con.execute(
        """
        CREATE TABLE judged AS
        SELECT userid AS "User ID", itemid AS "rel", 1 AS userid, 2 AS grade, 0 AS ks FROM truth;
        CREATE TABLE served AS SELECT userid AS "user id", itemid AS rel, score AS "truth" FROM rec
        """
    )
    names = "user := 'USER id', item := 'rel', score := 'Truth', rel := 'grade'"
    assert ndcg_of(con, f"judged, served, {names}, options := 'gain=linear'") == pytest.approx(NDCG)
    named = f"judged, served, {names}, ks := [2], metrics := ['ndcg']"
    summary = con.execute(f"SELECT mean FROM rank_summary({named})")
    assert summary.fetchall()[0][0] == pytest.approx(sum(NDCG.values()) / 3)
    assert con.execute(f"SELECT problem FROM rank_check(judged, served, {names})").fetchall() == [
        ("user without a row in rec",),
        ("item without a row in rec",),
    ]


@needs_aggregates
def test_columns_of_one_table(con: duckdb.DuckDBPyConnection) -> None:
    """A table may have names of its own for users and items, also those of columns of the other table."""
    con.execute(
        """
        CREATE TABLE judged AS SELECT userid AS uid, itemid AS song FROM truth;
        CREATE TABLE served AS SELECT userid AS customer_no, itemid AS uid, score FROM rec
        """
    )
    names = "truth_user := 'uid', truth_item := 'SONG', rec_user := 'customer_no', rec_item := 'uid'"
    assert ndcg_of(con, f"judged, served, {names}") == pytest.approx(NDCG)
    for one, other in (
        ("rank_summary(truth, rec", "rank_summary(judged, served"),
        ("rank_compare(truth, rec, rec", "rank_compare(judged, served, served"),
        ("rank_check(truth, rec", "rank_check(judged, served"),
    ):
        expected = con.execute(f"FROM {one})").fetchall()
        assert con.execute(f"FROM {other}, {names})").fetchall() == expected != []
    assert ndcg_of(con, "judged, rec, truth_user := 'uid', truth_item := 'song'") == pytest.approx(NDCG)
    calls = ["rank_check(judged, rec)", "rank_summary(judged, rec, truth_user := 'userid')"]
    for call in calls:
        with pytest.raises(
            duckdb.Error, match="has no column userid, and user or truth_user must name one of uid"
        ):
            con.execute(f"FROM {call}")


@needs_aggregates
@pytest.mark.parametrize("given", ["3", "[3, 1, 3]", "NULL", "[NULL, 2]"])
def test_k_is_another_name_of_ks(con: duckdb.DuckDBPyConnection, given: str) -> None:
    for call in ("rank_evaluate(truth, rec", "rank_summary(truth, rec", "rank_compare(truth, rec, rec"):
        expected = con.execute(f"FROM {call}, ks := {given})").fetchall()
        found = con.execute(f"FROM {call}, k := {given})").fetchall()
        assert sorted(map(str, found)) == sorted(map(str, expected)) != []
        for both in (f"k := {given}, ks := [5, 10]", f"ks := {given}, k := 10"):
            with pytest.raises(duckdb.Error, match="k is another name of ks: give one of the two"):
                con.execute(f"FROM {call}, {both})").fetchall()
    with pytest.raises(
        duckdb.Error, match="rank_evaluate: k must be an integer, a list of integers or NULL, got 5"
    ):
        con.execute("FROM rank_evaluate(truth, rec, k := '5')").fetchall()


@needs_aggregates
@pytest.mark.parametrize(
    ("call", "shown"),
    [
        ("rank_compare(truth, old, rec", ["metric", "k", "difference", "p_corrected"]),
        ("rank_summary(truth, rec", ["metric", "k", "mean", "n"]),
    ],
)
def test_a_narrow_terminal_shows_what_is_read_first(call: str, shown: list[str]) -> None:
    """DuckDB leaves out columns in the middle of a table that is wider than a terminal of 80 characters."""
    with connect() as con:
        make_dirty(con, 3)
        sql = f"FROM {call}, rel := 'rel', metrics := ['average_precision', 'ndcg'])"
        buffer = io.StringIO()
        with redirect_stdout(buffer):
            con.sql(sql).show(max_width=80)
        head = buffer.getvalue().splitlines()[1]
        assert "\N{HORIZONTAL ELLIPSIS}" in head
        assert [name for name in head.replace("│", " ").split() if name in shown] == shown


@needs_aggregates
def test_zero_and_negative_zero_are_one_user(con: duckdb.DuckDBPyConnection) -> None:
    for kind in ("DOUBLE", "FLOAT"):
        zeros = f"(VALUES ('0.0'::{kind}, 1), ('-0.0'::{kind}, 2)) AS t(userid, itemid)"
        con.execute(f"CREATE OR REPLACE TABLE t AS FROM {zeros}")
        con.execute(
            f"CREATE OR REPLACE TABLE r AS SELECT '-0.0'::{kind} AS userid, itemid, 1 AS score FROM t"
        )
        assert con.execute("SELECT k, recall FROM rank_evaluate(t, r, ks := [2])").fetchall() == [(2, 1)]
        assert con.execute("FROM rank_check(t, r)").fetchall() == []


#: Pairs of values that DuckDB holds equal, as SQL. Their texts differ.
EQUAL = (
    ("INTERVAL 1 MONTH", "INTERVAL 30 DAY"),
    ("INTERVAL 1 DAY", "INTERVAL 24 HOUR"),
    ("{'a': 0::DOUBLE}", "{'a': '-0.0'::DOUBLE}"),
    ("{'a': INTERVAL 1 MONTH, 'b': NULL}", "{'a': INTERVAL 30 DAY, 'b': NULL}"),
    ("['0.0'::FLOAT, 1]", "['-0.0'::FLOAT, 1]"),
    ("MAP {1: 0::DOUBLE}", "MAP {1: '-0.0'::DOUBLE}"),
    ("'nan'::DOUBLE", "-('nan'::DOUBLE)"),
    ("['nan'::DOUBLE]", "[-('nan'::DOUBLE)]"),
    ("TIMESTAMPTZ '2020-01-01 12:00:00+00'", "TIMESTAMPTZ '2020-01-01 13:00:00+01'"),
)


@needs_aggregates
@pytest.mark.parametrize(("one", "other"), EQUAL)
def test_equal_users_are_one_user(con: duckdb.DuckDBPyConnection, one: str, other: str) -> None:
    """The user is written in one way in one row, and otherwise in the next. A NULL user is none."""
    assert con.execute(f"SELECT ({one}) = ({other})").fetchall() == [(True,)]
    con.execute(f"""
        CREATE TABLE t AS SELECT {one} AS userid, 1 AS itemid UNION ALL SELECT {other}, 2;
        CREATE TABLE r AS
        SELECT {other} AS userid, 1 AS itemid, 1 AS score
        UNION ALL SELECT {one}, 2, 1 UNION ALL SELECT NULL, 3, 1
    """)
    assert con.execute(f"SELECT userid = {one}, recall FROM rank_evaluate(t, r, ks := 2)").fetchall() == [
        (True, 1.0)
    ]
    (summary,) = con.execute(
        "SELECT n, mean, users_evaluated, users_without_rec, rec_left_out "
        "FROM rank_summary(t, r, ks := 2, metrics := 'recall')"
    ).fetchall()
    assert summary == (1, 1.0, 1, 0, 1)
    compared = con.execute(
        "SELECT n, mean, baseline FROM rank_compare(t, r, r, ks := 2, metrics := 'recall')"
    ).fetchall()
    assert compared == [(1, 1.0, 1.0)]
    problems = con.execute("SELECT problem FROM rank_check(t, r) WHERE source <> 'both'").fetchall()
    assert problems == [("user is NULL",)]
    with pytest.warns(rankdcg_sql.DataWarning, match="1 row of rec without a user"):
        evaluated = evaluate("t", "r", k=2, metrics="recall", con=con)
    assert evaluated.summary.project("n, mean").fetchall() == [(1, 1.0)]


@needs_aggregates
@pytest.mark.parametrize(("one", "other"), [("['a, b']", "['a', 'b']"), ("[NULL]", "['NULL']")])
def test_users_of_similar_texts_are_two_users(con: duckdb.DuckDBPyConnection, one: str, other: str) -> None:
    con.execute(f"CREATE TABLE t AS SELECT {one} AS userid, 1 AS itemid UNION ALL SELECT {other}, 2")
    con.execute("CREATE TABLE r AS SELECT *, 1 AS score FROM t")
    found = con.execute(f"SELECT userid = {one}, recall FROM rank_evaluate(t, r, ks := 2)").fetchall()
    assert sorted(found) == [(False, 1.0), (True, 1.0)]


@needs_aggregates
def test_users_of_both_have_recommendations_of_both_systems(con: duckdb.DuckDBPyConnection) -> None:
    con.execute("""
        CREATE TABLE t AS FROM (VALUES (1, 'a'), (2, 'a'), (3, 'a')) AS v(userid, itemid);
        CREATE TABLE one AS FROM (VALUES (1, 'a', 1), (2, 'a', 1)) AS v(userid, itemid, score);
        CREATE TABLE other AS FROM (VALUES (1, 'b', 1), (3, 'a', 1)) AS v(userid, itemid, score)
    """)
    for baseline, rec, means in (("one", "other", (0, 1)), ("other", "one", (1, 0))):
        call = f"rank_compare(t, {baseline}, {rec}, ks := 1, metrics := 'recall', users := 'both')"
        assert con.execute(f"SELECT n, mean, baseline FROM {call}").fetchall() == [(1, *means)]


@needs_aggregates
def test_users_without_a_value_have_no_part_in_means_and_are_counted(con: duckdb.DuckDBPyConnection) -> None:
    """User 3 has no recommendations, and user 2 only of one system."""
    con.execute("CREATE TABLE other AS FROM rec WHERE userid <> 2; CREATE TABLE nothing AS FROM rec LIMIT 0")
    given = "ks := [1], metrics := 'recall', options := 'empty_rec=null'"
    columns = "n, mean, low IS NULL, interval_by, without_value"
    for rec, expected in (("rec", (2, 1 / 6, False, "t", 1)), ("nothing", (0, None, True, None, 3))):
        call = f"rank_summary(truth, {rec}, {given})"
        assert con.execute(f"SELECT {columns} FROM {call}").fetchall() == [expected]
    for tables in ("other, rec", "rec, other"):
        call = f"rank_compare(truth, {tables}, {given})"
        assert con.execute(f"SELECT {columns} FROM {call}").fetchall() == [(1, 1 / 3, False, "range", 2)]
    call = f"rank_compare(truth, nothing, rec, {given})"
    assert con.execute(f"SELECT {columns} FROM {call}").fetchall() == [(0, None, True, None, 3)]


@needs_aggregates
def test_a_row_without_a_p_value_is_no_test(con: duckdb.DuckDBPyConnection) -> None:
    """AUC of one item has no difference. In two rows one of three users differs, so that t is -1."""
    con.execute("CREATE TABLE other AS SELECT userid, itemid, -score AS score FROM rec")
    given = "ks := 1, metrics := ['auc', 'recall', 'mrr']"
    p_value = pytest.approx(1 - 3**-0.5)
    for correction, times in (("holm", 2), ("bonferroni", 2), ("benjamini_hochberg", 1), ("none", 1)):
        call = f"rank_compare(truth, other, rec, {given}, correction := '{correction}')"
        assert con.execute(f"SELECT metric, p_value, p_corrected FROM {call}").fetchall() == [
            ("auc", None, None),
            *((metric, p_value, pytest.approx(times * (1 - 3**-0.5))) for metric in ("recall", "mrr")),
        ]


def test_users_and_items_may_be_lists(con: duckdb.DuckDBPyConnection) -> None:
    con.execute("CREATE TABLE t AS SELECT ['a', 'b'] AS userid, [1] AS itemid FROM range(2)")
    con.execute("CREATE TABLE r AS SELECT *, 1 AS score FROM t LIMIT 1")
    assert con.execute("SELECT problem, example FROM rank_check(t, r)").fetchall() == [
        ("user and item of another row", "user [a, b], item [1]")
    ]


def test_errors_are_the_first_findings(con: duckdb.DuckDBPyConnection) -> None:
    con.execute("CREATE TABLE texts AS SELECT userid::VARCHAR AS userid, itemid, score FROM rec")
    first, *others = con.execute("SELECT problem, consequence FROM rank_check(truth, texts)").fetchall()
    assert first == ("user has another type", "an error: cast one in a view")
    assert others
    for problem, consequence in others:
        assert not consequence.startswith("an error")
        assert not problem.startswith("user"), "users of two types all have no row in the other table"


@pytest.mark.parametrize(
    ("column", "rel", "expected"),
    [
        ("2 AS Rating", None, [("rel is not given", "column Rating", "each row counts as relevant")]),
        ("true AS label", None, [("rel is not given", "column label", "each row counts as relevant")]),
        ("2 AS rating", "rating", []),
        ("'good' AS label", None, []),
        ("2 AS price", None, []),
    ],
)
def test_a_forgotten_column_of_relevances(
    con: duckdb.DuckDBPyConnection, column: str, rel: str | None, expected: list[tuple[str, ...]]
) -> None:
    con.execute(f"CREATE TABLE rated AS SELECT userid, itemid, {column} FROM truth")
    given = f"rel := '{rel}'" if rel else "rel := NULL"
    query = f"SELECT problem, example, consequence FROM rank_check(rated, rec, {given})"
    assert con.execute(f"{query} WHERE problem LIKE 'rel %'").fetchall() == expected


def test_usual_names_of_relevances(con: duckdb.DuckDBPyConnection) -> None:
    """The first of them in the order of letters is named."""
    names = ["grade", "judgement", "judgment", "label", "rating", "rel", "relevance", "relscore", "stars"]
    con.execute(f"CREATE TABLE rated AS SELECT *, {', '.join(f'1.5 AS {name}' for name in names)} FROM truth")
    query = "SELECT example FROM rank_check(rated, rec) WHERE problem = 'rel is not given'"
    for name in names:
        assert con.execute(query).fetchall() == [(f"column {name}",)]
        con.execute(f"ALTER TABLE rated DROP COLUMN {name}")
    assert con.execute(query).fetchall() == []


@needs_aggregates
def test_arguments_in_the_order_of_their_names(con: duckdb.DuckDBPyConnection) -> None:
    """All parameters may be given by place, and their defaults are those that are documented."""
    for macro in table_macros():
        tables = ["truth" if each.name == "truth" else "rec" for each in macro.parameters if not each.default]
        defaults = [str(each.default) for each in macro.parameters if each.default]
        short = con.execute(f"FROM {macro.name}({', '.join(tables)})")
        assert tuple(name for name, *_ in short.description or ()) == macro.columns
        rows = sorted(map(str, short.fetchall()))
        assert (
            sorted(map(str, con.execute(f"FROM {macro.name}({', '.join(tables + defaults)})").fetchall()))
            == rows
        )
        ((names,),) = con.execute(
            "SELECT parameters FROM duckdb_functions() WHERE function_name = ?", [macro.name]
        ).fetchall()
        assert names == [each.name for each in macro.parameters]


@needs_aggregates
@pytest.mark.parametrize(
    ("ks", "expected"),
    [
        ("[3, 1, 3]", [3, 1]), ("NULL", [None]), ("[NULL, 2, NULL]", [None, 2]), ("range(1, 3)", [1, 2]),
        ("[3, 1]::BIGINT[2]", [3, 1]),
        *((f"[3, 1]::{kind}[]", [3, 1]) for kind in ("UTINYINT", "SMALLINT", "UINTEGER", "UBIGINT")),
    ],
)  # fmt: skip
def test_each_cutoff_comes_once(con: duckdb.DuckDBPyConnection, ks: str, expected: list[int | None]) -> None:
    query = f"SELECT k FROM rank_evaluate(truth, rec, ks := {ks}) WHERE userid = 1"
    assert sorted(con.execute(query).fetchall(), key=str) == sorted(((k,) for k in expected), key=str)
    query = f"SELECT k, n FROM rank_summary(truth, rec, ks := {ks}, metrics := ['mrr'])"
    assert sorted(con.execute(query).fetchall(), key=str) == sorted(((k, 3) for k in expected), key=str)


@needs_aggregates
@pytest.mark.parametrize("call", ["rank_summary(truth, rec", "rank_compare(truth, rec, rec"])
def test_prepared_statements(con: duckdb.DuckDBPyConnection, call: str) -> None:
    """A parameter has no type before the statement is executed."""
    arguments = "ks := $1, metrics := $2, user := $3, confidence := $4"
    con.execute(f"PREPARE asked AS SELECT metric, k FROM {call}, {arguments})")
    for ks, cuts in (("2", [2]), ("[3, NULL]", [3, None]), ("NULL", [None])):
        for metrics, names in (("'ndcg'", ["ndcg"]), ("['mrr', 'auc']", ["mrr", "auc"])):
            found = con.execute(f"EXECUTE asked({ks}, {metrics}, 'userid', 0.9)").fetchall()
            assert found == [(name, k) for name in names for k in cuts]
    with pytest.raises(duckdb.Error, match="ks must be an integer, a list of integers or NULL, got five"):
        con.execute("EXECUTE asked('five', 'ndcg', 'userid', 0.9)")
    given = [[2, None], ["mrr"], "userid", 0.9]
    found = con.execute(f"SELECT metric, k FROM {call}, {arguments})", given).fetchall()
    assert found == [("mrr", 2), ("mrr", None)]


@needs_aggregates
def test_the_order_of_rows_is_that_of_metrics_and_cutoffs(con: duckdb.DuckDBPyConnection) -> None:
    expected = [(metric, k) for metric in ("ndcg", "auc", "recall") for k in (3, None, 1)]
    for name in ("k", "ks"):
        arguments = f"{name} := [3, NULL, 1], metrics := ['ndcg', 'auc', 'recall']"
        for call in (f"rank_summary(truth, rec, {arguments})", f"rank_compare(truth, rec, rec, {arguments})"):
            assert con.execute(f"SELECT metric, k FROM {call}").fetchall() == expected


@needs_aggregates
def test_metrics_have_no_case(con: duckdb.DuckDBPyConnection) -> None:
    for macro in ("rank_summary(truth, rec", "rank_compare(truth, rec, rec"):
        found = con.execute(
            f"SELECT metric FROM {macro}, ks := 1, metrics := ['Recall', 'NDCG', 'f1', 'MRR'])"
        )
        assert found.fetchall() == [("recall",), ("ndcg",), ("f1",), ("mrr",)]


@needs_aggregates
def test_one_value_is_a_list(con: duckdb.DuckDBPyConnection) -> None:
    for one, many in (
        ("rank_evaluate(truth, rec, ks := 2)", "rank_evaluate(truth, rec, ks := [2])"),
        ("rank_evaluate(truth, rec, ks := NULL)", "rank_evaluate(truth, rec, ks := [NULL])"),
        (
            "rank_summary(truth, rec, ks := 2::UTINYINT, metrics := 'NDCG')",
            "rank_summary(truth, rec, ks := [2, 2], metrics := ['ndcg'])",
        ),
        (
            "rank_compare(truth, rec, rec, ks := 2, metrics := 'auc')",
            "rank_compare(truth, rec, rec, ks := [2], metrics := ['auc'])",
        ),
    ):
        found, expected = (con.execute(f"FROM {call}").fetchall() for call in (one, many))
        assert found == expected != []


# Errors


@needs_aggregates
@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("rank_evaluate(nope, rec)", "Table with name nope does not exist"),
        ("rank_evaluate(truth)", "Macro rank_evaluate() does not support the supplied arguments"),
        (
            "rank_evaluate(truth, rec, usr := 'x')",
            "Macro rank_evaluate() does not support the supplied arguments",
        ),
        (
            "rank_evaluate(truth, rec, user := 'uid')",
            "rank_evaluate: rec has no column uid, and user or rec_user must name one of userid, itemid, "
            "score",
        ),
        (
            "rank_summary(truth, rec, rel := 'grade')",
            'rank_summary: truth has no column grade, and rel must name one of userid, itemid"',
        ),
        (
            "rank_compare(truth, rec, truth)",
            "rank_compare: rec has no column score, and score must name one of userid, itemid; "
            "was truth given as rec?",
        ),
        (
            "rank_compare(truth, truth, rec)",
            "rank_compare: baseline has no column score, and score must name one of userid, itemid; "
            "was truth given as baseline?",
        ),
        (
            "rank_evaluate(rec, rated, rel := 'Rating')",
            "rank_evaluate: rec has no column score, and score must name one of userid, itemid, rating; "
            "was truth given as rec?",
        ),
        (
            "rank_check(truth, truth, rec_item := 'song')",
            'rank_check: rec has no column song, and item or rec_item must name one of userid, itemid"',
        ),
        (
            "rank_evaluate(truth, rated)",
            'rank_evaluate: rec has no column score, and score must name one of userid, itemid, rating"',
        ),
        (
            "rank_check(truth, rec, item := NULL)",
            'rank_check: truth has no column NULL, and item or truth_item must name one of userid, itemid"',
        ),
        *(
            (
                f"{call}, ks := {given})",
                f"{name}: ks must be an integer, a list of integers or NULL, got {shown}",
            )
            for name, call in (
                ("rank_evaluate", "rank_evaluate(truth, rec"),
                ("rank_summary", "rank_summary(truth, rec"),
                ("rank_compare", "rank_compare(truth, rec, rec"),
            )
            for given, shown in (
                ("'5'", "5 of type VARCHAR"),
                ("NULL::VARCHAR", "NULL of type VARCHAR"),
                ("2.5", "2.5 of type DECIMAL(2,1)"),
                ("[2.5]", "[2.5] of type DECIMAL(2,1)[]"),
                ("[[5]]", "[[5]] of type INTEGER[][]"),
            )
        ),
        (
            "rank_evaluate(truth, rec, ks := [])",
            "rank_evaluate: ks is empty: give cutoffs, such as ks := [5, 10]",
        ),
        (
            "rank_summary(truth, rec, k := [])",
            "rank_summary: k is empty: give cutoffs, such as k := [5, 10]",
        ),
        ("rank_evaluate(truth, rec, ks := [0])", "rank_evaluation_by_user: k must be at least 1, got 0"),
        (
            "rank_summary(truth, rec, options := 'gian=linear')",
            "unknown option 'gian', the options here are ",
        ),
        *(
            (f"{call}, metrics := {given})", f"metrics must be among {', '.join(METRICS)}, got {shown}")
            for call in ("rank_summary(truth, rec", "rank_compare(truth, rec, rec")
            for given, shown in (
                ("['ndgc']", "ndgc"),
                ("'ndgc'", "ndgc"),
                ("['ndcg', 'judged']", "judged"),
                ("['ndcg', NULL]", "NULL"),
                ("[]", "none"),
                ("NULL", "NULL"),
                ("5", "5"),
                ("'mrr, ndcg'", "mrr, ndcg"),
                (
                    "'Bpref@10'",
                    "Bpref@10: rankdcg_sql does not compute binary preference, but pytrec_eval (bpref), ",
                ),
                ("'MAP'", "MAP: did you mean average_precision?"),
                (
                    "'rank-biased overlap'",
                    "rank-biased overlap: rankdcg_sql does not compute the rank-",
                ),
                ("'rbp'", "rbp: rbp_rows computes it from rows, and evaluate() in Python from tables"),
            )
        ),
        (
            "rank_summary(truth, rec, users := 'all')",
            "rank_summary: users must be one of truth, both, got all",
        ),
        (
            "rank_summary(truth, rec, interval := NULL)",
            "rank_summary: interval must be one of t, bootstrap, got NULL",
        ),
        (
            "rank_summary(truth, rec, confidence := 95)",
            "mean_ci: confidence must be a number between 0 and 1, got '95.0'",
        ),
        (
            "rank_compare(truth, rec, rec, test := 'z')",
            "rank_compare: test must be one of t, wilcoxon, randomization, got z",
        ),
        (
            "rank_compare(truth, rec, rec, correction := 'sidak')",
            "rank_compare: correction must be one of holm, bonferroni, benjamini_hochberg, none, got sidak",
        ),
        (
            "rank_compare(truth, rec, rec, alternative := 'more')",
            "alternative must be two_sided, less, greater or equivalence, got 'more'",
        ),
        (
            "rank_compare(truth, rec, rec, alternative := 'less', margin := 0.1, test := 'wilcoxon')",
            "unknown option 'margin', the options here are alternative, tolerance",
        ),
        (
            "rank_compare(truth, rec, rec, alternative := 'equivalence')",
            "margin must be above 0 with alternative=equivalence, got 0",
        ),
        ("rank_evaluate(truth, texts)", "rank_evaluation_by_user: score must be a number, got text"),
        (
            "rank_evaluate(truth, rec, rel := 'itemid')",
            "rank_evaluation_by_user: rel must be a number or a boolean, got text",
        ),
        (
            "rank_evaluate(truth, other_users)",
            "rank_evaluate: users or items of the tables have types that cannot ",
        ),
        (
            "rank_compare(truth, rec, other_items)",
            "rank_compare: users or items of the tables have types that cannot ",
        ),
        (
            "rank_compare(truth, other_users, rec)",
            "rank_compare: users or items of the tables have types that cannot be compared, such as text and "
            "integer: cast one, in a view or a CTE; rank_check names the types",
        ),
        (
            "rank_summary(truth, rec, ks := 5::HUGEINT)",
            "rank_summary: ks must be an integer, a list of integers or NULL, got 5 of type HUGEINT",
        ),
        ("rank_evaluate(truth, 'nothing.parquet')", "No files found that match the pattern"),
    ],
)
def test_errors(con: duckdb.DuckDBPyConnection, call: str, expected: str) -> None:
    con.execute(
        """
        CREATE TABLE texts AS SELECT userid, itemid, 'high' AS score FROM rec;
        CREATE TABLE rated AS SELECT userid, itemid, 5 AS rating FROM truth;
        CREATE TABLE other_users AS SELECT userid::VARCHAR AS userid, itemid, score FROM rec;
        CREATE TABLE other_items AS SELECT userid, 3 AS itemid, score FROM rec
        """
    )
    with pytest.raises(duckdb.Error, match=re.escape(expected)):
        con.execute(f"FROM {call}").fetchall()


@needs_aggregates
@pytest.mark.parametrize(
    ("truth", "rec"),
    [
        ("INTEGER", "BIGINT"),
        ("UTINYINT", "DECIMAL(5,1)"),
        ("FLOAT", "DOUBLE"),
        ("VARCHAR", "ENUM('1','2','3')"),
    ],
)
def test_types_of_one_family_fit(con: duckdb.DuckDBPyConnection, truth: str, rec: str) -> None:
    con.execute(
        f"CREATE TABLE t AS SELECT userid::VARCHAR::{truth} AS userid, itemid FROM truth;"
        f"CREATE TABLE r AS SELECT userid::VARCHAR::{rec} AS userid, itemid, score FROM rec"
    )
    assert {int(float(user)): ndcg for user, ndcg in ndcg_of(con, "t, r").items()} == pytest.approx(NDCG)
    assert "cast" not in str(con.execute("FROM rank_check(t, r)").fetchall())


#: Settings of a database. Each changes the result of some query.
SETTINGS = [
    "default_order = 'DESC'",
    "default_null_order = 'NULLS_FIRST'",
    "default_collation = 'NOCASE'",
    "integer_division = true",
    "old_implicit_casting = true",
    "preserve_insertion_order = false",
    "ieee_floating_point_ops = false",
    "order_by_non_integer_literal = true",
    "preserve_identifier_case = false",
]


@needs_aggregates
@pytest.mark.parametrize("setting", SETTINGS)
def test_settings_of_a_database_change_nothing(setting: str) -> None:
    """Users and items differ in case alone, and p-values differ from row to row."""
    ids = "upper(chr((97 + i % 13)::INTEGER)) || if(i % 3 = 0, 'x', 'X')"
    queries = [
        'SELECT userid, k, ndcg FROM rank_evaluate(truth, rec) ORDER BY userid COLLATE "binary" ASC, k ASC',
        "FROM rank_summary(truth, rec, ks := [3, NULL, 1])",
        "FROM rank_compare(truth, old, rec, ks := [3, NULL, 1])",
        "FROM rank_check(truth, rec)",
    ]
    found = []
    for before in ("SELECT 1", f"SET {setting}"):
        with connect() as con:
            truth = f"SELECT {ids} AS userid, {ids} || i % 5 AS itemid FROM range(90) AS t(i)"
            con.execute(f"CREATE TABLE truth AS {truth}")
            for name, factor in (("rec", 7), ("old", 11)):
                con.execute(
                    f"CREATE TABLE {name} AS SELECT {ids} AS userid, {ids} || i * {factor} % 11 AS itemid, "
                    f"(i * {factor} % 31)::DOUBLE AS score FROM range(200) AS t(i)"
                )
            con.execute(before)
            found.append([con.execute(query).fetchall() for query in queries])
    assert found[0] == found[1]
    assert len({row[8] for row in found[0][2]}) > 3


# The check


#: Each line is a table and its findings: the problem, the number, the example and the consequence.
FAULTS: dict[str, tuple[str, list[tuple[str, int, str, str]]]] = {
    "truth": (
        """FROM (VALUES (1, 'a', 1.0), (2, 'a', 1.0)) AS t(userid, itemid, rel)
        UNION ALL SELECT 1, 'twice', 1.0 FROM range(1 + 3)
        UNION ALL SELECT i, 'differs', r FROM range(1, 3) AS i(i), (VALUES (1.0), (2.0)) AS r(r)
        UNION ALL SELECT NULL, 'a', 1.0 FROM range(4)
        UNION ALL SELECT 1, NULL, 1.0 FROM range(6)
        UNION ALL SELECT 1, 'n' || i, NULL FROM range(7) AS t(i)
        UNION ALL SELECT 1, 'm' || i, 'nan' FROM range(8) AS t(i)
        UNION ALL SELECT 1, 'a' || i, if(i < 4, -1, 'inf'::DOUBLE) FROM range(9) AS t(i)
        UNION ALL SELECT 100 + i, 'a', 1.0 FROM range(10) AS t(i)""",
        [
            (
                "item of a user with several relevances",
                2,
                "user 1, item differs",
                "an error: keep one relevance",
            ),
            ("relevance is infinite or negative", 9, "user 1, item a0", "an error"),
            ("user and item of another row", 3, "user 1, item twice", "the judgement counts once"),
            ("user is NULL", 4, "user NULL, item a", "the row is left out"),
            ("item is NULL", 6, "user 1, item NULL", "the row is left out"),
            ("relevance is NULL", 7, "user 1, item n0", "the row is left out"),
            ("relevance is NaN", 8, "user 1, item m0", "the row is left out"),
            ("user without a row in rec", 10, "100", "counts as 0"),
            ("item without a row in rec", 10, "a0", "is never retrieved"),
        ],
    ),
    "rec": (
        """FROM (VALUES (1, 'a', 1.0), (2, 'a', 1.0)) AS t(userid, itemid, score)
        UNION ALL SELECT 1, 'twice', i FROM range(1 + 11) AS t(i)
        UNION ALL SELECT NULL, 'a', 1.0 FROM range(12)
        UNION ALL SELECT 1, NULL, 1.0 FROM range(13)
        UNION ALL SELECT 1, 'n' || i, NULL FROM range(14) AS t(i)
        UNION ALL SELECT 1, 'm' || i, 'nan' FROM range(15) AS t(i)
        UNION ALL SELECT 1, 'k' || i, '-inf' FROM range(16) AS t(i)
        UNION ALL SELECT 200 + i, 'a', 1.0 FROM range(17) AS t(i)""",
        [
            ("user and item of another row", 11, "user 1, item twice", "the largest score counts"),
            ("user is NULL", 12, "user NULL, item a", "the row is left out"),
            ("item is NULL", 13, "user 1, item NULL", "the row takes a rank, and is irrelevant"),
            ("score is NULL", 14, "user 1, item n0", "the row is left out"),
            ("score is NaN", 15, "user 1, item m0", "the row is left out"),
            ("user without a row in truth", 17, "200", "is not evaluated"),
            ("item without a row in truth", 16, "k0", "is irrelevant to every user"),
        ],
    ),
}


#: The column of numbers of each table.
NUMBERS = {"truth": "rel", "rec": "score"}


def check(con: duckdb.DuckDBPyConnection, arguments: str) -> dict[str, list[tuple[str, int, str]]]:
    found: dict[str, list[tuple[str, int, str]]] = {}
    for source, *finding, consequence in con.execute(f"FROM rank_check({arguments})").fetchall():
        assert consequence
        found.setdefault(source, []).append(tuple(finding))
    return found


def test_planted_faults_are_found() -> None:
    with connect() as con:
        for name, (query, _) in FAULTS.items():
            con.execute(
                f"CREATE TABLE {name} AS "
                f"SELECT * REPLACE ({NUMBERS[name]}::DOUBLE AS {NUMBERS[name]}) FROM ({query})"
            )
        found = con.execute("FROM rank_check(truth, rec, rel := 'rel')").fetchall()
        assert found == [(name, *fault) for name, (_, faults) in FAULTS.items() for fault in faults]


def test_an_example_is_the_least_by_bytes() -> None:
    """Capitals are less than small letters, also where the collation of the database has no case."""
    with connect() as con:
        con.execute(
            """
            SET default_collation = 'NOCASE';
            CREATE TABLE t AS SELECT u AS userid, i AS itemid
            FROM (VALUES ('a'), ('B')) AS u(u), (VALUES ('k'), ('L')) AS i(i), range(2);
            CREATE TABLE r AS SELECT u AS userid, i AS itemid, s AS score
            FROM (VALUES ('c'), ('D')) AS u(u), (VALUES ('m', 1), ('N', 1), ('o', NULL)) AS i(i, s)
            """
        )
        assert check(con, "t, r") == {
            "truth": [
                ("user and item of another row", 4, "user B, item L"),
                ("user without a row in rec", 2, "B"),
                ("item without a row in rec", 2, "L"),
            ],
            "rec": [
                ("score is NULL", 2, "user D, item o"),
                ("user without a row in truth", 2, "D"),
                ("item without a row in truth", 2, "N"),
            ],
            "both": [("no item in common", 1, None), ("no user in common", 1, None)],
        }


def test_sound_tables_have_no_finding() -> None:
    with connect() as con:
        con.execute(
            """
            CREATE TABLE truth AS SELECT 1::TINYINT AS userid, 2::DECIMAL(4, 0) AS itemid, true AS rel;
            CREATE TABLE rec AS SELECT 1 AS userid, 2::UBIGINT AS itemid, 'inf'::FLOAT AS score
            """
        )
        assert check(con, "truth, rec, rel := 'rel'") == {}
        con.execute("DELETE FROM truth; DELETE FROM rec")
        assert check(con, "truth, rec, rel := 'rel'") == {}


def test_tables_that_do_not_fit_are_found() -> None:
    with connect() as con:
        con.execute(
            """
            CREATE TABLE truth AS SELECT 1 AS userid, 'a' AS itemid, 'good' AS rel;
            CREATE TABLE rec AS SELECT '1' AS userid, 5 AS itemid, DATE '2020-01-02' AS score
            """
        )
        cast, in_a_view = "an error: cast the column to a number", "an error: cast one in a view"
        assert con.execute("FROM rank_check(truth, rec, rel := 'rel')").fetchall() == [
            ("truth", "relevance is no number", 1, "good", cast),
            ("rec", "score is no number", 1, "2020-01-02", cast),
            ("both", "item has another type", 1, "VARCHAR in truth, INTEGER in rec", in_a_view),
            ("both", "user has another type", 1, "INTEGER in truth, VARCHAR in rec", in_a_view),
        ]
        con.execute(
            "CREATE TABLE twice AS SELECT 1 AS userid, 'a' AS itemid, unnest(['good', 'good']) AS rel"
        )
        assert con.execute("FROM rank_check(twice, twice, rel := 'rel', score := 'rel')").fetchall()[2:] == [
            ("truth", "user and item of another row", 1, "user 1, item a", "the judgement counts once"),
            ("rec", "user and item of another row", 1, "user 1, item a", "the largest score counts"),
        ]
        # Users are compared although items are not, and items although users are not.
        con.execute("CREATE TABLE one AS SELECT 1 AS userid, 5 AS itemid, 1 AS score")
        con.execute("CREATE TABLE other AS SELECT '1' AS userid, 'a' AS itemid, 1 AS score")
        for rec, found in (("one", "item has another type"), ("other", "user has another type")):
            assert [row[1] for row in con.execute(f"FROM rank_check(truth, {rec})").fetchall()] == [found]
        con.execute("CREATE TABLE others AS SELECT 7 AS userid, 'b' AS itemid, true AS score")
        assert con.execute("FROM rank_check(truth, others)").fetchall() == [
            ("rec", "score is no number", 1, "true", cast),
            ("truth", "user without a row in rec", 1, "1", "counts as 0"),
            ("truth", "item without a row in rec", 1, "a", "is never retrieved"),
            ("rec", "user without a row in truth", 1, "7", "is not evaluated"),
            ("rec", "item without a row in truth", 1, "b", "is irrelevant to every user"),
            ("both", "no item in common", 1, None, "all metrics are 0"),
            ("both", "no user in common", 1, None, "all metrics are 0"),
        ]


def test_a_text_that_is_a_number_to_people_is_no_number(con: duckdb.DuckDBPyConnection) -> None:
    """It is the only finding about the row: a text is neither negative, nor NaN, nor infinite."""
    con.execute(
        """
        CREATE TABLE t AS
        SELECT 1 AS userid, * FROM (VALUES (1, 'nan'), (2, '-1'), (3, 'inf')) AS v(itemid, rel);
        CREATE TABLE r AS SELECT userid, itemid, 'nan' AS score FROM t
        """
    )
    assert check(con, "t, r, rel := 'rel'") == {
        "truth": [("relevance is no number", 3, "-1")],
        "rec": [("score is no number", 3, "nan")],
    }


def test_families_of_types(con: duckdb.DuckDBPyConnection) -> None:
    """Ids of one family can be equal. DuckDB compares UHUGEINT and BIGNUM with other numbers as DOUBLE."""
    integers = [f"{sign}{size}INT" for sign in ("", "U") for size in ("TINY", "SMALL", "BIG")]
    whole = [*integers, "INTEGER", "UINTEGER", "HUGEINT", "DECIMAL(4,1)", "DECIMAL(38,10)"]
    families = dict.fromkeys(whole, "whole number")
    families |= dict.fromkeys(["VARCHAR", "ENUM('a', 'b')"], "text")
    families |= dict.fromkeys(["FLOAT", "DOUBLE"], "floating point")
    alone = ["UHUGEINT", "BIGNUM", "BOOLEAN", "DATE", "TIMESTAMP", "UUID", "BLOB", "INTEGER[]", "VARCHAR[]"]
    families |= {kind: kind for kind in alone}
    found = con.execute(
        "SELECT kind, rankdcg_sql_family(kind), rankdcg_sql_is_number(kind) FROM (SELECT unnest(?) AS kind)",
        [[*families]],
    ).fetchall()
    numbers = {*whole, "FLOAT", "DOUBLE", "UHUGEINT", "BIGNUM"}
    assert found == [(kind, family, kind in numbers) for kind, family in families.items()]


@pytest.mark.parametrize(
    ("score", "least"), [("score::VARCHAR", "0.1"), ("'high ' || score", "high 0.1"), ("'nan'", "nan")]
)
def test_rows_with_a_text_as_score_are_there(con: duckdb.DuckDBPyConnection, score: str, least: str) -> None:
    """Users, items and repeats are those of the same table with scores that are numbers."""
    con.execute(
        f"""
        INSERT INTO rec VALUES (4, 'z', 0.1), (1, 'a', 0.2);
        CREATE TABLE texts AS SELECT * REPLACE ({score} AS score) FROM rec
        """
    )
    expected = check(con, "truth, rec")
    assert len(expected["rec"]) == 3
    (no_number, *found), truth = (check(con, "truth, texts")[name] for name in ("rec", "truth"))
    assert no_number == ("score is no number", 7, least)
    assert (found, truth) == (expected["rec"], expected["truth"])


@pytest.mark.parametrize("rel", ["rel", "rel::VARCHAR"])
def test_a_row_either_counts_once_or_is_an_error(con: duckdb.DuckDBPyConnection, rel: str) -> None:
    con.execute(
        f"""
        CREATE TABLE rated AS SELECT userid, itemid, {rel} AS rel
        FROM (VALUES (1, 'a', 1), (1, 'a', 2), (1, 'a', 2), (1, 'b', 3), (1, 'b', 3))
            AS t(userid, itemid, rel)
        """
    )
    query = "SELECT problem, found, example, consequence FROM rank_check(rated, rec, rel := 'rel')"
    found = con.execute(f"{query} WHERE problem SIMILAR TO '.*(another|several).*'").fetchall()
    assert found == [
        ("item of a user with several relevances", 1, "user 1, item a", "an error: keep one relevance"),
        ("user and item of another row", 1, "user 1, item b", "the judgement counts once"),
    ]


@pytest.mark.parametrize("kind", ["Float32", "Float64"])
def test_nan_in_files_of_polars(kind: str, tmp_path: Any) -> None:
    """Their statistics leave NaN out, and DuckDB 2.0 takes isnan for false by these statistics."""
    import polars as pl

    for name, number in NUMBERS.items():
        frame = pl.DataFrame(
            {"userid": [1, 1, 2, 2], "itemid": [1, 2, 1, 2], number: [0.5, float("nan"), 0.25, 0.125]},
            schema_overrides={number: getattr(pl, kind)},
        )
        frame.write_parquet(tmp_path / f"{name}.parquet")
    truth, rec = (f"'{tmp_path / name}.parquet'" for name in NUMBERS)
    with connect() as con:
        assert check(con, f"{truth}, {rec}, rel := 'rel'") == {
            "truth": [("relevance is NaN", 1, "user 1, item 2")],
            "rec": [("score is NaN", 1, "user 1, item 2")],
        }
        if not _static.installed():
            return
        rest = "rel := 'rel', ks := 2, metrics := 'recall'"
        summary = "SELECT n, mean, rec_left_out, truth_left_out FROM rank_summary"
        assert con.execute(f"{summary}({truth}, {rec}, {rest})").fetchall() == [(2, 1.0, 1, 1)]
        comparison = "SELECT n, mean, baseline FROM rank_compare"
        assert con.execute(f"{comparison}({truth}, {rec}, {rec}, {rest})").fetchall() == [(2, 1.0, 1.0)]
        counts = "SELECT userid, retrieved, judged FROM rank_evaluate"
        found = con.execute(f"{counts}({truth}, {rec}, rel := 'rel', ks := 2)").fetchall()
        assert sorted(found) == [(1, 1, 1), (2, 2, 2)]


@needs_aggregates
@pytest.mark.parametrize("kind", ["BIGINT", "VARCHAR", "DATE"])
def test_rows_that_are_left_out_are_not_checked(con: duckdb.DuckDBPyConnection, kind: str) -> None:
    """Neither a row without a user, nor a judgement without an item: `rank_check` says so."""
    user = {"BIGINT": "1", "VARCHAR": "'u'", "DATE": "DATE '2000-01-31'"}[kind]
    con.execute(f"""
        CREATE TABLE t AS
        SELECT u::{kind} AS userid, i AS itemid, r::DOUBLE AS rel
        FROM (VALUES
            ({user}, 'x', 3::DOUBLE), (NULL, 'x', 1), (NULL, 'x', 2), (NULL, 'y', -1),
            (NULL, 'z', 'inf'::DOUBLE), ({user}, NULL, -1), ({user}, NULL, 'inf'::DOUBLE),
            ({user}, NULL, 'nan'::DOUBLE)
        ) AS v(u, i, r);
        CREATE TABLE r AS
        SELECT u::{kind} AS userid, i AS itemid, s::DOUBLE AS score
        FROM (VALUES ({user}, 'x', 1::DOUBLE), (NULL, 'x', 1), (NULL, 'y', 'nan'::DOUBLE)) AS v(u, i, s)
    """)
    problems = con.execute(
        "SELECT source, problem, found, consequence FROM rank_check(t, r, rel := 'rel') "
        "WHERE source <> 'both'"
    ).fetchall()
    assert problems == [
        ("truth", "user is NULL", 4, "the row is left out"),
        ("truth", "item is NULL", 3, "the row is left out"),
        ("truth", "relevance is NaN", 1, "the row is left out"),
        ("rec", "user is NULL", 2, "the row is left out"),
        ("rec", "score is NaN", 1, "the row is left out"),
    ]
    found = con.execute(
        "SELECT count(*), min(ndcg) FROM rank_evaluate(t, r, rel := 'rel', ks := 2)"
    ).fetchall()
    assert found == [(1, 1.0)]
    (summary,) = con.execute(
        "SELECT n, mean, users_evaluated, truth_repeats, rec_left_out, truth_left_out "
        "FROM rank_summary(t, r, rel := 'rel', ks := 2, metrics := 'ndcg')"
    ).fetchall()
    assert summary == (1, 1.0, 1, 0, 2, 7)
    compared = con.execute(
        "SELECT n, mean, baseline FROM rank_compare(t, r, r, rel := 'rel', ks := 2, metrics := 'ndcg')"
    ).fetchall()
    assert compared == [(1, 1.0, 1.0)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rankdcg_sql.DataWarning)
        evaluated = evaluate("t", "r", rel="rel", k=2, metrics="ndcg", con=con)
    assert evaluated.summary.project("n, mean").fetchall() == [(1, 1.0)]
    assert (evaluated.counts.truth_null_users, evaluated.counts.truth_null_items) == (4, 3)


# The plan


@needs_aggregates
def test_the_plan_has_no_sort_and_no_join_and_reads_each_table_once(con: duckdb.DuckDBPyConnection) -> None:
    def plan(call: str) -> str:
        return "".join(row[1] for row in con.execute(f"EXPLAIN FROM {call}").fetchall()).lower()

    evaluating = plan("rank_evaluate(truth, rec, options := 'gain=linear')")
    assert "sort" not in evaluating
    assert "order" not in evaluating
    assert "join" not in evaluating
    assert "cross" not in evaluating
    assert evaluating.count("seq scan") == 2
    assert "join" not in plan("rank_summary(truth, rec)")
    assert plan("rank_summary(truth, rec)").count("seq scan") == 2
    con.execute("CREATE TABLE other AS FROM rec")
    assert plan("rank_compare(truth, other, rec)").count("seq scan") == 3
    assert plan("rank_check(truth, rec)").count("seq scan") == 2


# Macros of users, connections and transactions


#: The names of all functions that a table macro may call. DuckDB calls `unpivot_list` by this name alone for
#: UNPIVOT.
SYSTEM_NAMES = """
    SELECT DISTINCT function_name FROM duckdb_functions()
    WHERE internal AND function_type IN ('scalar', 'aggregate', 'macro', 'window')
        AND function_name <> 'unpivot_list'
"""


@needs_aggregates
def test_macros_of_users_are_not_called(con: duckdb.DuckDBPyConnection) -> None:
    queries = [
        "FROM rank_evaluate(truth, rec) ORDER BY ALL",
        "FROM rank_summary(truth, rec, ks := system.main.list_value(2, NULL), interval := 'bootstrap')",
        "FROM rank_compare(truth, rec, rec)",
        "FROM rank_compare(truth, rec, rec, test := 'randomization', correction := NULL)",
        "FROM rank_check(truth, rec)",
    ]
    expected = [con.execute(query).fetchall() for query in queries]
    names = [name for (name,) in con.execute(SYSTEM_NAMES).fetchall()]
    assert len(names) > 1000
    with duckdb.connect() as hostile:
        hostile.execute(f"CREATE TABLE truth AS {TRUTH}; CREATE TABLE rec AS {REC}")
        overloads = ", ".join(f"({', '.join('abcdefgh'[:arity])}) AS 42" for arity in range(7))
        for name in names:
            quoted = name.replace('"', '""')
            hostile.execute(f'CREATE MACRO "{quoted}" {overloads}')
        for name in ("unnest", "query_table"):
            hostile.execute(f"CREATE MACRO {name}(a) AS TABLE SELECT 42 AS userid")
        assert hostile.execute("SELECT count(1), min(1)").fetchall() == [(42, 42)]
        register(hostile)
        assert [hostile.execute(query).fetchall() for query in queries] == expected


@pytest.mark.parametrize("kind", ["TEMP ", ""])
def test_a_macro_of_a_user_stays(kind: str, tmp_path: Any) -> None:
    path = str(tmp_path / "shop.db")
    with connect(path) as con:
        con.execute(f"CREATE OR REPLACE {kind}MACRO rank_check(a, b) AS TABLE SELECT 42 AS mine")
        if kind:
            register(con)
            assert con.execute("FROM rank_check(1, 2)").fetchall() == [(42,)]
    if not kind:
        with connect(path) as con:
            register(con)
            assert con.execute("FROM rank_check(1, 2)").fetchall() == [(42,)]


def macros_of(con: duckdb.DuckDBPyConnection) -> set[str]:
    names = [macro.name for macro in table_macros()]
    found = con.execute(
        "SELECT function_name FROM duckdb_functions() "
        f"WHERE function_type = 'table_macro' AND function_name IN ({', '.join(map(repr, names))})"
    )
    return {name for (name,) in found.fetchall()}


EVERY = {macro.name for macro in table_macros()}


def test_connections_that_have_the_macros(tmp_path: Any) -> None:
    with connect() as con:
        assert macros_of(con) == EVERY
        with con.cursor() as cursor:
            assert macros_of(cursor) == set()
            register(cursor)
            register(cursor)
            assert macros_of(cursor) == EVERY
    path = str(tmp_path / "shop.db")
    connect(path).close()
    with connect(path, read_only=True) as con:
        assert macros_of(con) == EVERY
    with duckdb.connect(path) as con:
        assert macros_of(con) == set()


@pytest.mark.parametrize(
    "call",
    [
        "SELECT userid, ndcg FROM rank_evaluate(truth, 'rec.parquet', ks := 3, rel := 'rel')",
        "SELECT mean FROM rank_summary(truth, rec, 5, metrics := 'ndcg', users := 'both')",
        "FROM rank_compare(truth, rec, rec, correction := NULL)",
    ],
)
def test_macros_say_what_they_lack(call: str) -> None:
    """They lack aggregates before DuckDB 2.0, and where the functions are Python functions."""
    program = """
        import json, sys
        import duckdb
        con = duckdb.connect()
        import rankdcg_sql
        assert rankdcg_sql.register(con).route == "udf"
        try:
            con.execute(sys.argv[1]).fetchall()
        except duckdb.Error as error:
            print(json.dumps(str(error)))
    """
    name = call.partition("FROM ")[2].partition("(")[0]
    expected = (
        f"Invalid Input Error: {name}: needs DuckDB 2.0 or later, and its functions as an extension: "
        "evaluate() and compare() in Python need neither"
    )
    assert process.python(program, call) == expected
    if not _static.installed():
        with connect() as con, pytest.raises(duckdb.Error, match=re.escape(expected)):
            con.execute(call).fetchall()


def test_registration_within_a_transaction() -> None:
    for end, there in (("COMMIT", EVERY), ("ROLLBACK", set())):
        with duckdb.connect() as con:
            if not _static.installed():
                register(con)
                for name in EVERY:
                    con.execute(f"DROP MACRO TABLE {name}")
            con.execute("CREATE TABLE t (a INTEGER)")
            con.execute("BEGIN; INSERT INTO t VALUES (1)")
            register(con)
            con.execute(end)
            assert macros_of(con) == there
            assert len(con.execute("FROM t").fetchall()) == (end == "COMMIT")


@needs_aggregates
def test_registration_in_a_transaction_that_has_failed() -> None:
    with duckdb.connect() as con:
        con.execute("BEGIN")
        with pytest.raises(duckdb.Error, match="on purpose"):
            con.execute("SELECT error('on purpose')").fetchall()
        with pytest.warns(
            RuntimeWarning, match="a transaction that has failed, and no table macros: roll it back"
        ) as warned:
            register(con)
        assert [each.filename for each in warned] == [__file__]
        con.execute("ROLLBACK")
        register(con)
        assert macros_of(con) == EVERY


def test_evaluations_create_no_macros(
    monkeypatch: pytest.MonkeyPatch, con: duckdb.DuckDBPyConnection
) -> None:
    """The sessions and results of `evaluate` do not pay for macros that they do not use."""
    created = []
    monkeypatch.setattr("rankdcg_sql.duckdb._create_table_macros", lambda *given: created.append(given))
    found = evaluate("truth", "rec", k=2, metrics="ndcg", con=con)
    assert found.summary.fetchall()
    rankdcg_sql.compare(con.sql("FROM truth"), {"a": con.sql("FROM rec"), "b": con.sql("FROM rec")}, k=2)
    assert created == []
    connect().close()
    assert len(created) == 1


def test_rank_functions_is_the_catalogue() -> None:
    with connect() as con:
        rows = con.execute("FROM rank_functions()").fetchall()
    assert rows == [
        (
            *(each.name, list(each.aliases), each.form, each.signature, each.result, each.summary),
            *(each.formula, each.range, list(each.options), each.examples.sql, each.source),
        )
        for each in rankdcg_sql.functions()
    ]


# Other clients


def script(*arguments: str) -> str:
    done = CliRunner().invoke(main, ["macros", *arguments], catch_exceptions=False)
    assert done.exit_code == 0
    return done.output


@needs_aggregates
@pytest.mark.parametrize("arguments", [[], ["--persistent"]], ids=str)
def test_printed_macros_run_without_the_package(arguments: list[str], tmp_path: Any) -> None:
    """A process without this package loads the extension and runs what is printed, twice."""
    path = tmp_path / "macros.sql"
    path.write_text(script(*arguments), encoding="utf-8")
    found = process.python(
        """
        import json, sys
        import duckdb
        con = duckdb.connect(sys.argv[2], config={"allow_unsigned_extensions": "true"})
        text = open(sys.argv[1], encoding="utf-8").read()
        load = next(line.removeprefix("-- ") for line in text.splitlines() if line.startswith("-- LOAD "))
        con.execute(load)
        for _ in range(2):
            con.execute(text)
        con.execute(sys.argv[3])
        query = "SELECT userid, ndcg FROM rank_evaluate(truth, rec, ks := [2]) ORDER BY userid"
        found = con.execute(query).fetchall()
        rows = [len(con.execute(f"FROM {call}").fetchall()) for call in (
            "rank_summary(truth, rec)", "rank_compare(truth, rec, rec)", "rank_check(truth, rec)"
        )]
        assert "rankdcg_sql" not in sys.modules
        con.close()
        again = duckdb.connect(sys.argv[2], config={"allow_unsigned_extensions": "true"})
        again.execute(load)
        kept = again.execute(
            "SELECT count(*) FROM duckdb_functions() "
            "WHERE function_type = 'table_macro' AND starts_with(function_name, 'rank_')"
        ).fetchone()[0]
        print(json.dumps([found, rows, kept]))
        """,
        str(path),
        str(tmp_path / "shop.db"),
        f"CREATE TABLE truth AS {TRUTH}; CREATE TABLE rec AS {REC}",
    )
    expected = [[user, pytest.approx(value)] for user, value in NDCG.items()]
    assert found == [expected, [14, 14, 2], 5 if arguments else 0]


@pytest.mark.parametrize("arguments", [[], ["--persistent"]], ids=str)
def test_printed_macros_load_in_every_duckdb(arguments: list[str], tmp_path: Any) -> None:
    """The macros that need no extension work after all of them were created, also before DuckDB 2.0."""
    newest = {"storage_compatibility_version": "latest"}
    with duckdb.connect(str(tmp_path / "shop.db"), config=newest) as con:
        con.execute(script(*arguments))
        con.execute(f"CREATE TABLE truth AS {TRUTH}; CREATE TABLE rec AS {REC}")
        assert len(con.execute("FROM rank_check(truth, rec)").fetchall()) == 2
        assert len(con.execute("FROM rank_functions()").fetchall()) == len(rankdcg_sql.functions())
        if duckdb.__version__.startswith("1."):
            with pytest.raises(duckdb.BinderException, match="rank_summary: needs DuckDB"):
                con.execute("FROM rank_summary(truth, rec)")


@pytest.mark.parametrize("is_loaded", [False, True], ids=["without the extension", "with the extension"])
def test_printed_macros_say_what_they_lack_in_an_earlier_command_line(is_loaded: bool, tmp_path: Any) -> None:
    """The command line of PyPI is older than DuckDB 2.0."""
    path = tmp_path / "macros.sql"
    path.write_text(script(), encoding="utf-8")
    load = f"LOAD '{rankdcg_sql.extension_path()}';" if is_loaded else ""
    tables = f"CREATE TABLE truth AS {TRUTH}; CREATE TABLE rec AS {REC};"

    def ask(query: str) -> subprocess.CompletedProcess[str]:
        command = [process.duckdb(), "-unsigned", "-json", "-init", str(path), "-c", f"{load}{tables}{query}"]
        return subprocess.run(command, capture_output=True, text=True)

    (found,) = json.loads(ask("SELECT version() AS version").stdout)
    if not found["version"].startswith("v1."):
        pytest.skip("the command line is not older than DuckDB 2.0")
    for call in (
        "rank_evaluate(truth, rec)",
        "rank_summary(truth, rec, 5, metrics := 'bpref', user := 'uid')",
        "rank_compare(truth, rec, rec, rel := 'rel', options := 'gian=linear')",
    ):
        done = ask(f"FROM {call}")
        assert f'"{call.partition("(")[0]}: needs DuckDB 2.0 or later, and its functions as' in done.stderr
        assert "does not exist" not in done.stderr
        assert done.returncode != 0
    assert len(json.loads(ask("FROM rank_check(truth, rec)").stdout)) == 2


def test_printed_macros_explain_themselves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rankdcg_sql._table_macros.extension_path", lambda: "/it's/here")
    text = script()
    assert text.startswith(f"-- Table macros of rankdcg_sql {rankdcg_sql.__version__}.\n")
    assert "\n-- LOAD '/it''s/here';\n" in text
    for macro in table_macros():
        assert f"-- {macro.summary}\n" in text
        assert f"CREATE OR REPLACE TEMP MACRO {macro.name}(" in text
        for parameter in macro.parameters:
            assert f"--   {parameter.name}: {parameter.description}\n" in text
        assert (f"{macro.summary}\n-- It needs DuckDB 2.0 or later.\n" in text) == macro.needs_aggregates
    assert "TEMP" not in script("--persistent")
    assert "v1.4.0" not in text
    assert "v1.4.0" in script("--persistent")


@needs_aggregates
def test_a_limit_of_memory_ends_the_query_alone() -> None:
    with connect(config={"memory_limit": "60MB", "threads": 1}) as con:
        con.execute("CREATE VIEW truth AS SELECT range AS userid, range AS itemid FROM range(2000000)")
        con.execute("CREATE VIEW rec AS SELECT *, 1.0 AS score FROM truth")
        with pytest.raises(duckdb.OutOfMemoryException):
            con.execute("FROM rank_evaluate(truth, rec)").fetchall()
        con.execute("CREATE TABLE few AS SELECT 1 AS userid, 1 AS itemid, 1.0 AS score")
        assert con.execute("SELECT ndcg FROM rank_evaluate(few, few)").fetchall() == [(1.0,), (1.0,)]


@needs_aggregates
def test_a_table_with_the_name_of_a_value_of_sql_is_given_as_text(con: duckdb.DuckDBPyConnection) -> None:
    con.execute('CREATE TABLE "user" AS SELECT 1 AS userid, 1 AS itemid, 1 AS score')
    for name in ("'user'", "'main.user'"):
        assert con.sql(f"FROM rank_evaluate({name}, {name}, ks := 1) SELECT recall").fetchall() == [(1.0,)]
