"""The table macros that evaluate and compare: numbers, tables, arguments, and errors."""

from __future__ import annotations

import io
import operator
import random
import re
from contextlib import redirect_stdout
from functools import cache
from itertools import product
from typing import TYPE_CHECKING, Any

import duckdb
import pytest
from conftest import needs_duckdb_2
from support.engines import METRICS, options_text
from support.sql import insert, rows
from support.two_tables import NDCG, STATEMENTS

import rankdcg_sql
from rankdcg_sql import _measures_elsewhere, compare, connect, evaluate
from rankdcg_sql.catalogue import metric_functions, table_macros

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = needs_duckdb_2

#: The beginnings of calls: of the macros with metrics, and of all those with cutoffs.
WITH_METRICS = ("rank_summary(truth, rec", "rank_compare(truth, rec, rec")
WITH_KS = ("rank_evaluate(truth, rec", *WITH_METRICS)


@pytest.fixture
def con(empty: duckdb.DuckDBPyConnection) -> duckdb.DuckDBPyConnection:
    """Give a database with the tables truth and rec."""
    return empty.execute(STATEMENTS)


def ndcg_of(con: duckdb.DuckDBPyConnection, arguments: str, before: str = "") -> dict[Any, float]:
    """NDCG at 2 of each user."""
    return dict(rows(con, f"{before} SELECT userid, ndcg FROM rank_evaluate({arguments}, ks := [2])"))


# Values


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
    for call in WITH_METRICS:
        assert rows(con, f"SELECT n FROM {call}, 2, metrics := 'ndcg', options := {given})") == [n]


@pytest.mark.parametrize("call", ["rank_summary(truth, rec", "rank_explain(truth, rec"])
def test_names_of_other_measures_get_the_advice_of_python(con: duckdb.DuckDBPyConnection, call: str) -> None:
    names = {
        (name, name.upper().replace("_", "-"), name.replace("_", " . "))[place % 3]
        + ("", "@5,10", "_0.10", "_at_k", " at n", "(rel=2)@all")[place // 3 % 6]: advice
        for place, (name, advice) in enumerate(_measures_elsewhere.advice().items())
    }
    for name, advice in names.items():
        with pytest.raises(duckdb.Error, match=re.escape(f": {advice}")):
            con.execute(f"FROM {call}, metrics := $1)", [name])


#: Users and items of these types, written from whole numbers.
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
    "JSON": "('[' || {} || ']')::JSON",
}


def make_dirty(
    con: duckdb.DuckDBPyConnection, seed: int, users: str = "BIGINT", items: str = "BIGINT"
) -> None:
    """Make the tables truth, rec and old with repeats, NULLs, NaN, ties, and users of one table only."""
    draw = random.Random(seed)
    if "ENUM" in (users, items):
        con.execute("CREATE TYPE names AS ENUM (SELECT 'id ' || range FROM range(80))")
    scores = [0.1, 0.25, 0.5, 0.5, 3.0, 7.5]
    for name, number, first, count, numbers in (
        ("truth", "rel", 0, 250, [1.0]),
        ("rec", "score", 4, 600, scores),
        ("old", "score", 2, 500, scores),
    ):
        drawn = [
            (
                draw.choice([*[None] * (draw.random() < 0.1), *range(first, first + 30)]),
                draw.choice([None, *[draw.randrange(25)] * 20]),
                draw.choice([None, "nan", *numbers * 10]),
            )
            for _ in range(count)
        ]
        con.execute(f"CREATE OR REPLACE TABLE given (u BIGINT, i BIGINT, {number} DOUBLE)")
        insert(con, "given", drawn)
        con.execute(
            f"CREATE OR REPLACE TABLE {name} AS SELECT {TYPES[users].format('u')} AS userid, "
            f"{TYPES[items].format('i')} AS itemid, {number} FROM given"
        )


@cache
def catalogue_options() -> set[str]:
    """The names of the options of metrics."""
    return {name for function in metric_functions().values() for name in function.options}


def in_sql(given: dict[str, Any]) -> str:
    """Arguments of Python as those of a macro."""
    options = {name: value for name, value in given.items() if name in catalogue_options()}
    named = {"ks" if name == "k" else name: value for name, value in given.items() if name not in options}
    if options:
        named["options"] = options_text(options)
    return "".join(f", {name} := {value!r}".replace("None", "NULL") for name, value in named.items())


def summarized(con: duckdb.DuckDBPyConnection, **given: Any) -> list[tuple[Any, ...]]:
    """The rows of `rank_summary`, checked to be those of `evaluate` to the last bit."""
    evaluation = evaluate("truth", "rec", con=con, **given)
    counted = ["users_evaluated", "users_without_rec", "users_without_truth", "rec_repeats", "truth_repeats"]
    columns = ", ".join([*evaluation.summary.columns, *counted])
    found = rows(con, f"SELECT {columns} FROM rank_summary(truth, rec{in_sql(given)})")
    counts = tuple(getattr(evaluation.counts, name) for name in counted)
    assert found == [row + counts for row in evaluation.summary.fetchall()]
    return found


def compared(con: duckdb.DuckDBPyConnection, **given: Any) -> list[tuple[Any, ...]]:
    """The rows of `rank_compare`, checked to be those of `compare` to the last bit."""
    differences = compare("truth", {"old": "old", "rec": "rec"}, con=con, **given).differences
    columns = ", ".join(differences.columns[2:])  # the names of both systems come first
    found = rows(con, f"SELECT {columns} FROM rank_compare(truth, old, rec{in_sql(given)})")
    assert found == [row[2:] for row in differences.fetchall()]
    return found


def check_explanation(
    con: duckdb.DuckDBPyConnection,
    given: dict[str, Any],
    expected: dict[tuple[Any, ...], float],
    kinds: tuple[str, str],
) -> None:
    """The values of `rank_explain` are these, its contributions add up to them, and ids have their types."""
    metrics = ["ndcg", "recall", "average_precision"]
    call = f"rank_explain(truth, rec, k := 3, metrics := {metrics}{in_sql(given)})"
    found = rows(con, f"SELECT userid, metric, value, sum(contribution), count(rel) FROM {call} GROUP BY ALL")
    values = {(str(user), metric): value for user, metric, value, *_ in found}
    # A user without an item, neither retrieved nor relevant, has no row.
    of_metrics = {key[:2]: value for key, value in expected.items() if key[1] in metrics and key[2] == 3}
    assert values.items() <= of_metrics.items()
    assert len(found) > 20 * len(metrics)
    for user, _, value, added, judged in found:
        assert added == pytest.approx(value, abs=1e-12) if judged else value is None, user
    columns = con.sql(f"FROM {call}")
    for name, kind in zip(("userid", "itemid"), kinds, strict=True):
        shown = str(columns.types[columns.columns.index(name)])
        assert shown.partition("(")[0] == kind.partition("(")[0]
    missed = f"SELECT userid, itemid FROM {call} WHERE rank IS NULL AND metric = 'ndcg' ORDER BY ALL"
    assert rows(con, missed) == rows(
        con,
        """
        SELECT DISTINCT userid, itemid FROM truth
        WHERE rel > 0 AND NOT isnan(rel) AND userid IS NOT NULL AND itemid IS NOT NULL AND NOT EXISTS (
            FROM rec WHERE rec.userid = truth.userid AND rec.itemid = truth.itemid
                AND score IS NOT NULL AND NOT isnan(score)
        )
        ORDER BY ALL
        """,
    )


@pytest.mark.filterwarnings("ignore::rankdcg_sql.DataWarning")
@pytest.mark.parametrize("kinds", [*((kind, kind) for kind in TYPES), ("UUID", "VARCHAR")], ids="-".join)
def test_the_numbers_are_those_of_python(empty: duckdb.DuckDBPyConnection, kinds: tuple[str, str]) -> None:
    """Each value, mean, interval and p-value is equal to the last bit, and so is each count."""
    con = empty
    make_dirty(con, 3, *kinds)
    given: dict[str, Any] = {"k": [1, 3, None], "rel": "rel"}
    if kinds[0] == "VARCHAR":
        given |= {"ties": "pessimistic", "empty_rec": "null"}
    metrics = [name for name in METRICS if name != "auc"]
    structs = ", ".join(f"{{metric: {name!r}, k: k, value: {name}}}" for name in metrics)
    call = f"rank_evaluate(truth, rec{in_sql(given)})"
    found = rows(con, f"SELECT userid, unnest([{structs}], recursive := true) FROM {call}")
    values = evaluate("truth", "rec", con=con, **given).per_user.fetchall()
    # Python's results have passed through Arrow, where a UUID is a text.
    by_macro, by_python = ({(str(row[0]), *row[1:3]): row[3] for row in side} for side in (found, values))
    assert by_macro == by_python
    assert len(by_macro) > 20 * 3 * len(metrics)
    kind = con.sql("FROM rank_evaluate(truth, rec)").types[0]
    assert str(kind).partition("(")[0] == kinds[0].partition("(")[0]
    check_explanation(con, {key: value for key, value in given.items() if key != "k"}, by_python, kinds)

    if kinds[0] not in ("BIGINT", "VARCHAR"):
        # No number depends on types, so that one of each convention has every test and correction.
        summarized(con, **given, confidence=0.9)
        compared(con, **given, alternative="less")
        return
    for users, interval in (("truth", "bootstrap"), ("both", "t")):
        summarized(con, **given, users=users, interval=interval, confidence=0.9)
    # A correction is of p-values, of whichever test.
    tests = ("t", "holm"), ("wilcoxon", "bonferroni"), ("randomization", "benjamini_hochberg"), ("t", None)
    for test, correction in tests:
        compared(con, **given, test=test, correction=correction, alternative="less")
    for alternative in ("less", "greater", "equivalence"):
        compared(con, alternative=alternative, margin=0.1)
    null, none = (
        rows(con, f"FROM rank_compare(truth, old, rec, correction := {given})")
        for given in ("NULL", "'none'")
    )
    assert null == none


#: Metrics as a caller may name them, and options of the call.
NAMED: list[tuple[list[str], dict[str, Any]]] = [
    (["ndcg", "P(rel=2)@5", "rbp(p=0.5)", "bpref"], {}),
    (["nDCG@all", "MAP@3", "rankdcg", "ndcg", "mrr@3", "AP(denominator=k)@3"], {"gain": "linear"}),
    (["r_precision", "IPrec@0.5", "inf_ap", "hit_rate", "P(judged_only=True)@2"], {"min_rel": 2}),
    (["err", "NERR8(max_rel=5)@2", "sdcg", "cg", "rbp(rbp_gain=linear)", "rbp"], {"max_rel": 3, "p": 0.9}),
    (["auc", "ndcg(discount=ln, idcg=k)@2", "recall()@2"], {"convention": "trec_eval"}),
]


@pytest.mark.filterwarnings("ignore::rankdcg_sql.DataWarning")
@pytest.mark.parametrize("interval", ["t", "bootstrap"])
@pytest.mark.parametrize(("metrics", "options"), NAMED, ids=lambda each: str(each)[:30])
def test_metrics_are_named_as_in_python(
    empty: duckdb.DuckDBPyConnection, metrics: list[str], options: dict[str, Any], interval: str
) -> None:
    """Each has its cutoff and options, or else those of the call. Names and cutoffs of rows are Python's."""
    make_dirty(empty, 7)
    empty.execute("UPDATE truth SET rel = hash(userid, itemid) % 4 WHERE rel IS NOT NULL")
    given: dict[str, Any] = {"rel": "rel", "metrics": metrics, "interval": interval, **options}
    for ks in ({}, {"k": [1, None, 4]}):
        found = summarized(empty, **given, **ks)
        assert len(found) >= len({*metrics})
        tested = compared(empty, **given, **ks, test="t" if interval == "t" else "wilcoxon")
        assert [row[:2] for row in tested] == [row[:2] for row in found]


def test_equal_values_in_a_range_without_an_end_have_no_interval(con: duckdb.DuckDBPyConnection) -> None:
    con.execute("CREATE TABLE t AS SELECT userid, itemid FROM rec; CREATE TABLE other AS FROM rec")
    given: dict[str, Any] = {"k": 1, "metrics": ["cg", "rbp(rbp_gain=linear)", "recall@all"]}
    for interval in ("t", "bootstrap"):
        call = f"t, rec{in_sql(given)}, interval := '{interval}')"
        found = rows(con, f"SELECT mean > 0, low, high, interval_by FROM rank_summary({call}")
        assert found[:2] == [(True, None, None, None)] * 2
        assert found[2][3] == "range"
        compared_call = f"t, other, rec{in_sql(given)}, interval := '{interval}')"
        columns = "low, high, interval_by, p_value"
        assert rows(con, f"SELECT {columns} FROM rank_compare({compared_call}")[:2] == [(None,) * 4] * 2


@pytest.mark.filterwarnings("ignore::rankdcg_sql.DataWarning")
def test_levels_resamples_and_seeds_are_those_of_the_call(empty: duckdb.DuckDBPyConnection) -> None:
    con = empty
    make_dirty(con, 3)
    # Signs are drawn for more than 30 users that differ.
    pairs = "FROM range(100, 160) AS u(u), range(8) AS i(i)"
    con.execute(f"INSERT INTO truth SELECT u, i, 1 {pairs} WHERE i < 3")
    for place, name in enumerate(("old", "rec")):
        con.execute(f"INSERT INTO {name} SELECT u, i, hash(u, i, {place}) % 1000 {pairs}")
    given: dict[str, Any] = {"k": None, "metrics": "ndcg", "rel": "rel", "confidence": 0.8}
    drawn = {"interval": "bootstrap", "resamples": 40}
    one, other = (
        [
            *(row[place] for row in summarized(con, **given, **drawn, seed=seed) for place in (4, 5)),
            *(
                row[place]
                for row in compared(con, **given, **drawn, seed=seed, test="randomization")
                for place in (6, 7, 9)
            ),
        ]
        for seed in (5, 7_000_000_000)
    )
    # Both ends of the two intervals, and the p-value.
    assert len(one) == 5
    assert all(map(operator.ne, one, other))
    summarized(con, **given)
    compared(con, **given, test="t")


def make_ranked(con: duckdb.DuckDBPyConnection, name: str, *hits: tuple[int, ...]) -> None:
    """Make a table of twelve items for each user. Those at some ranks are the items 1, 2 and 3."""
    con.execute(f"CREATE TABLE {name} (userid INTEGER, itemid INTEGER, score INTEGER)")
    ranked = [
        (user, ranks.index(rank) + 1 if rank in ranks else 100 + rank, -rank)
        for user, ranks in enumerate(hits)
        for rank in range(1, 13)
    ]
    insert(con, name, ranked)


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
    (found,) = rows(con, f"{columns}(t, twos, threes, {tenths})")
    assert found[:4] == ("range", 2, 0, 0)
    # One of two differences of one size is positive: their sum is no larger for three of four signs.
    for test, p_value in (("t", 0.5), ("wilcoxon", 0.75), ("randomization", 0.75)):
        (found,) = rows(con, f"{columns}(t, same, apart, {tenths}, test := '{test}')")
        assert found == ("t", 1, 0, 1, pytest.approx(p_value))
        given = f"ks := NULL, metrics := 'average_precision', test := '{test}'"
        (found,) = rows(con, f"{columns}(t, near, far, {given})")
        assert found[:4] == ("t", 1, 1, 0)


@pytest.mark.parametrize("interval", ["t", "bootstrap"])
@pytest.mark.parametrize("hits", [[1, 1, 2], [1, 1, 1], [2, 2], [1]])
def test_intervals_of_few_users_are_those_of_python(
    empty: duckdb.DuckDBPyConnection, hits: list[int], interval: str
) -> None:
    """Student's reach beyond 0 and 1. Values that are all equal have those of the range."""
    columns = "unnest(range(len($1))) AS userid, unnest($1) AS itemid, 1 AS score"
    empty.execute(f"CREATE TABLE rec AS SELECT {columns}", [hits])
    empty.execute("CREATE TABLE truth AS SELECT userid, 1 AS itemid FROM rec")
    empty.execute("CREATE TABLE old AS SELECT * REPLACE (3 - itemid AS itemid) FROM rec")
    given: dict[str, Any] = {"k": [1], "metrics": ["recall", "mrr"], "interval": interval}
    assert all(0 <= row[4] < row[5] <= 1 for row in summarized(empty, **given))
    source = "range" if len(set(hits)) == 1 else interval
    assert {row[-1] for row in compared(empty, **given)} == {source}
    # A user without recommendations is in a mean over users of truth, as 0, and in none over users of both.
    empty.execute("INSERT INTO truth VALUES (99, 1)")
    assert {row[7] for row in summarized(empty, **given, users="both")} == {source}
    assert {row[7] for row in summarized(empty, **given)} == {"range" if set(hits) == {2} else interval}


@pytest.mark.parametrize("seed", range(3))
def test_rows_are_counted_as_by_plain_sql(empty: duckdb.DuckDBPyConnection, seed: int) -> None:
    make_dirty(empty, seed)
    (found,) = rows(
        empty,
        "SELECT DISTINCT users_evaluated, users_without_rec, users_without_truth, rec_repeats, "
        "truth_repeats, rec_left_out, truth_left_out "
        "FROM rank_summary(truth, rec, rel := 'rel', ks := [4, NULL])",
    )
    good_rec, good_truth = (
        f"userid IS NOT NULL AND {number} IS NOT NULL AND NOT isnan({number})" for number in ("score", "rel")
    )
    repeats = "count(itemid) - count(DISTINCT if(itemid IS NULL, NULL, (userid, itemid)))"
    (expected,) = rows(
        empty,
        f"""
        WITH r AS (FROM rec WHERE {good_rec}), t AS (FROM truth WHERE {good_truth})
        SELECT
            (SELECT count(DISTINCT userid) FROM t),
            (SELECT count(DISTINCT userid) FROM t WHERE userid NOT IN (SELECT userid FROM r)),
            (SELECT count(DISTINCT userid) FROM r WHERE userid NOT IN (SELECT userid FROM t)),
            (SELECT {repeats} FROM r),
            (SELECT {repeats} FROM t),
            (SELECT count(*) FROM rec) - (SELECT count(*) FROM r),
            (SELECT count(*) FROM truth) - (SELECT count(*) FROM t WHERE itemid IS NOT NULL)
        """,
    )
    assert found == expected
    assert min(found) > 0


def test_threads_change_no_bit() -> None:
    found = []
    for threads in (1, 4):
        with connect(config={"threads": threads}) as con:
            make_dirty(con, 5)
            con.execute("INSERT INTO rec SELECT i % 5000, i % 97, hash(i) % 1000 FROM range(300000) AS t(i)")
            con.execute("INSERT INTO truth SELECT i % 5000, i % 89, 1 FROM range(60000) AS t(i)")
            queries = (
                "FROM rank_evaluate(truth, rec) ORDER BY ALL",
                "FROM rank_summary(truth, rec, ks := [5, NULL])",
                "FROM rank_compare(truth, old, rec)",
                "FROM rank_explain(truth, rec, metrics := ['ndcg', 'average_precision']) ORDER BY ALL",
                "FROM rank_similarity(rec, old, k := [5, NULL]) ORDER BY ALL",
                "FROM rank_measures(truth, rec, measures := ['P(min_rel=1)@5', 'rankdcg']) ORDER BY ALL",
                "FROM rank_check(truth, rec)",
            )
            found.append([rows(con, query) for query in queries])
    assert found[0] == found[1]


def test_repeats_are_null_where_they_are_not_known(empty: duckdb.DuckDBPyConnection) -> None:
    """The row that the last one repeats was dropped, because it is far below the largest k."""
    empty.execute("""
        CREATE TABLE apart AS
        SELECT 0 AS userid, i AS itemid, 1.0 AS score FROM range(300) AS t(i)
        UNION ALL SELECT 1, i, i FROM range(100) AS t(i)
        UNION ALL SELECT 2, i, 1.0 FROM range(300) AS t(i)
        UNION ALL SELECT 1, 0, 0.5
    """)
    query = "SELECT DISTINCT rec_repeats FROM rank_summary(apart, apart, ks := [{}])"
    assert rows(empty, query.format("NULL")) == [1]
    assert rows(empty, query.format("5")) in ([None], [1])


def test_rows_of_each_user_are_counted(empty: duckdb.DuckDBPyConnection) -> None:
    """Each row without an item counts as one, and repeats nothing."""
    empty.execute("""
        CREATE TABLE t AS FROM (VALUES
            (1, 'a'), (1, 'b'), (1, 'b'), (1, 'c'), (1, 'c'), (1, 'c'), (1, NULL), (2, 'x')
        ) AS v(userid, itemid);
        CREATE TABLE r AS FROM (VALUES
            (1, 'a', 6), (1, 'a', 5), (1, 'z', 4), (1, NULL, 3), (1, NULL, 2), (1, 'y', 1), (3, 'q', 1)
        ) AS v(userid, itemid, score)
    """)
    counts = "retrieved, judged, retrieved_repeats, judged_repeats"
    found = rows(empty, f"SELECT userid, {counts} FROM rank_evaluate(t, r, ks := NULL)")
    assert sorted(found) == [(1, 5, 4, 1, 3), (2, 0, 1, 0, 0)]


# Tables, columns and their names


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
        ("'user', 'main.current_user'", ""),  # values of SQL
        ("getvariable('here'), rec", ""),
    ],
    ids=str,
)
def test_ways_to_name_tables(con: duckdb.DuckDBPyConnection, tables: str, before: str) -> None:
    con.execute("""
        CREATE VIEW truth_view AS FROM truth; CREATE VIEW rec_view AS FROM rec;
        CREATE SCHEMA other; CREATE TABLE other.truth AS FROM truth; CREATE TABLE other.rec AS FROM rec;
        CREATE TABLE "odd ""name"" of.truth" AS FROM truth; CREATE TABLE "select" AS FROM rec;
        CREATE TABLE "user" AS FROM truth; CREATE TABLE "current_user" AS FROM rec;
        SET VARIABLE here = 'truth'
    """)
    assert ndcg_of(con, tables, before) == pytest.approx(NDCG)


@pytest.mark.parametrize(
    "name", ["both_tables", "evaluated", "users_at_k", "means_at_k", "pairs_at_k", "tests"]
)
def test_tables_with_the_names_that_macros_use(con: duckdb.DuckDBPyConnection, name: str) -> None:
    for other in ("truth", "rec"):
        con.execute(f"ALTER TABLE {other} RENAME TO {name}")
        tables = f"{name}, rec" if other == "truth" else f"truth, {name}"
        assert ndcg_of(con, tables) == pytest.approx(NDCG)
        assert len(rows(con, f"FROM rank_summary({tables})")) == 14
        assert len(rows(con, f"FROM rank_compare({tables}, {tables.split(', ')[1]})")) == 14
        assert len(rows(con, f"FROM rank_check({tables})")) == 2
        con.execute(f"ALTER TABLE {name} RENAME TO {other}")


def test_files_and_data_frames(con: duckdb.DuckDBPyConnection, tmp_path: Any) -> None:
    folder = tmp_path / "it's odd"
    folder.mkdir()
    quoted = str(folder).replace("'", "''")
    for ending in ("parquet", "csv"):
        for table in ("truth", "rec"):
            con.execute(f"COPY {table} TO '{quoted}/{table}.{ending}'")
        assert ndcg_of(con, f"'{quoted}/truth.{ending}', '{quoted}/rec.{ending}'") == pytest.approx(NDCG)
    assert ndcg_of(con, f"truth, '{quoted}/re*.parquet'") == pytest.approx(NDCG)
    frame = con.sql("FROM truth").pl()
    assert len(frame) == 5
    found = con.execute("SELECT userid, ndcg FROM rank_evaluate(frame, rec, ks := [2])").fetchall()
    assert dict(found) == pytest.approx(NDCG)


def test_columns_by_name(con: duckdb.DuckDBPyConnection) -> None:
    con.execute("""
        CREATE TABLE judged AS
        SELECT userid AS "User ID", itemid AS "rel", 1 AS userid, 2 AS grade, 0 AS ks FROM truth;
        CREATE TABLE served AS SELECT userid AS "user id", itemid AS rel, score AS "truth" FROM rec
    """)
    names = "user := 'USER id', item := 'rel', score := 'Truth', rel := 'grade'"
    assert ndcg_of(con, f"judged, served, {names}, options := 'gain=linear'") == pytest.approx(NDCG)
    mean = rows(
        con, f"SELECT mean FROM rank_summary(judged, served, {names}, ks := [2], metrics := ['ndcg'])"
    )
    assert mean == [pytest.approx(sum(NDCG.values()) / 3)]
    problems = rows(con, f"SELECT problem FROM rank_check(judged, served, {names})")
    assert problems == ["user without a row in rec", "item without a row in rec"]


def test_columns_of_one_table(con: duckdb.DuckDBPyConnection) -> None:
    """A table may have names of its own for users and items, also those of columns of the other table."""
    con.execute("""
        CREATE TABLE judged AS SELECT userid AS uid, itemid AS song FROM truth;
        CREATE TABLE served AS SELECT userid AS customer_no, itemid AS uid, score FROM rec
    """)
    names = "truth_user := 'uid', truth_item := 'SONG', rec_user := 'customer_no', rec_item := 'uid'"
    assert ndcg_of(con, f"judged, served, {names}") == pytest.approx(NDCG)
    for call in (*WITH_METRICS, "rank_check(truth, rec"):
        other = call.replace("(truth", "(judged").replace(" rec", " served")
        assert rows(con, f"FROM {other}, {names})") == rows(con, f"FROM {call})") != []
    assert ndcg_of(con, "judged, rec, truth_user := 'uid', truth_item := 'song'") == pytest.approx(NDCG)
    missing = "has no column userid, and user or truth_user must name one of uid"
    for call in ("rank_check(judged, rec)", "rank_summary(judged, rec, truth_user := 'userid')"):
        with pytest.raises(duckdb.Error, match=missing):
            con.execute(f"FROM {call}")


@pytest.mark.parametrize(
    ("given", "same", "calls"),
    [
        *((f"k := {ks}", f"ks := {ks}", WITH_KS) for ks in ("3", "[3, 1, 3]", "NULL", "[NULL, 2]")),
        ("ks := 2::UTINYINT", "ks := [2, 2]", WITH_KS),
        ("ks := NULL", "ks := [NULL]", WITH_KS),
        ("metrics := 'NDCG'", "metrics := ['ndcg']", WITH_METRICS),
        (*("metrics := ['Recall', 'f1', 'MRR']", "metrics := ['recall', 'f1', 'mrr']"), WITH_METRICS),
    ],
)
def test_arguments_that_are_the_same(
    con: duckdb.DuckDBPyConnection, given: str, same: str, calls: tuple[str, ...]
) -> None:
    """k is another name of ks, one value is a list, and metrics have no case."""
    for call in calls:
        in_order = list if call in WITH_METRICS else sorted
        found, expected = (in_order(map(str, rows(con, f"FROM {call}, {each})"))) for each in (given, same))
        assert found == expected != []


@pytest.mark.parametrize("call", WITH_KS)
@pytest.mark.parametrize("both", ["k := 3, ks := [5, 10]", "ks := NULL, k := 10"])
def test_two_names_of_cutoffs_are_refused(con: duckdb.DuckDBPyConnection, call: str, both: str) -> None:
    with pytest.raises(duckdb.Error, match="k is another name of ks: give one of the two"):
        con.execute(f"FROM {call}, {both})").fetchall()


@pytest.mark.parametrize(
    ("ks", "expected"),
    [
        ("[3, 1, 3]", [3, 1]), ("NULL", [None]), ("[3, NULL, 1, NULL]", [3, None, 1]),
        ("range(1, 3)", [1, 2]), ("[3, 1]::BIGINT[2]", [3, 1]),
        *((f"[3, 1]::{kind}[]", [3, 1]) for kind in ("UTINYINT", "SMALLINT", "UINTEGER", "UBIGINT")),
    ],
)  # fmt: skip
def test_each_cutoff_comes_once_in_its_order(
    con: duckdb.DuckDBPyConnection, ks: str, expected: list[int | None]
) -> None:
    """The rows of summaries and comparisons have the order of metrics and cutoffs."""
    found = rows(con, f"SELECT k FROM rank_evaluate(truth, rec, ks := {ks}) WHERE userid = 1")
    assert sorted(found, key=str) == sorted(expected, key=str)
    for name, call in product(("k", "ks"), WITH_METRICS):
        query = f"SELECT metric, k, n FROM {call}, {name} := {ks}, metrics := ['ndcg', 'mrr', 'recall'])"
        assert rows(con, query) == [(metric, k, 3) for metric in ("ndcg", "mrr", "recall") for k in expected]


@pytest.mark.parametrize(
    ("call", "shown"),
    [
        ("rank_compare(truth, old, rec", ["metric", "k", "difference", "p_corrected"]),
        ("rank_summary(truth, rec", ["metric", "k", "mean", "n"]),
    ],
)
def test_a_narrow_terminal_shows_what_is_read_first(
    empty: duckdb.DuckDBPyConnection, call: str, shown: list[str]
) -> None:
    """DuckDB leaves out columns in the middle of a table that is wider than a terminal of 80 characters."""
    make_dirty(empty, 3)
    with redirect_stdout(io.StringIO()) as printed:
        empty.sql(f"FROM {call}, rel := 'rel', metrics := ['average_precision', 'ndcg'])").show(max_width=80)
    head = printed.getvalue().splitlines()[1]
    assert "\N{HORIZONTAL ELLIPSIS}" in head
    assert [name for name in head.replace("│", " ").split() if name in shown] == shown


#: Pairs of values that DuckDB holds equal, as SQL. Their texts differ.
EQUAL = (
    ("'0.0'::DOUBLE", "'-0.0'::DOUBLE"),
    ("'-0.0'::FLOAT", "'0.0'::FLOAT"),
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


@pytest.mark.parametrize(("one", "other"), EQUAL)
def test_equal_users_are_one_user(empty: duckdb.DuckDBPyConnection, one: str, other: str) -> None:
    """The user is written in one way in one row, and otherwise in the next. A NULL user is none."""
    assert rows(empty, f"SELECT ({one}) = ({other})") == [True]
    empty.execute(f"""
        CREATE TABLE t AS SELECT {one} AS userid, 1 AS itemid UNION ALL SELECT {other}, 2;
        CREATE TABLE r AS
        SELECT {other} AS userid, 1 AS itemid, 1 AS score
        UNION ALL SELECT {one}, 2, 1 UNION ALL SELECT NULL, 3, 1
    """)
    given = "ks := 2, metrics := 'recall'"
    for query, expected in (
        (f"SELECT userid = {one}, recall FROM rank_evaluate(t, r, ks := 2)", (True, 1.0)),
        (
            "SELECT n, mean, users_evaluated, users_without_rec, rec_left_out "
            f"FROM rank_summary(t, r, {given})",
            (1, 1.0, 1, 0, 1),
        ),
        (f"SELECT n, mean, baseline FROM rank_compare(t, r, r, {given})", (1, 1.0, 1.0)),
        ("SELECT problem FROM rank_check(t, r) WHERE source <> 'both'", "user is NULL"),
    ):
        assert rows(empty, query) == [expected]
    with pytest.warns(rankdcg_sql.DataWarning, match="1 row of rec without a user"):
        evaluated = evaluate("t", "r", k=2, metrics="recall", con=empty)
    assert evaluated.summary.project("n, mean").fetchall() == [(1, 1.0)]


@pytest.mark.parametrize(("one", "other"), [("['a, b']", "['a', 'b']"), ("[NULL]", "['NULL']")])
def test_users_of_similar_texts_are_two_users(empty: duckdb.DuckDBPyConnection, one: str, other: str) -> None:
    empty.execute(f"CREATE TABLE t AS SELECT {one} AS userid, 1 AS itemid UNION ALL SELECT {other}, 2")
    empty.execute("CREATE TABLE r AS SELECT *, 1 AS score FROM t")
    found = rows(empty, f"SELECT userid = {one}, recall FROM rank_evaluate(t, r, ks := 2)")
    assert sorted(found) == [(False, 1.0), (True, 1.0)]


def test_users_of_both_have_recommendations_of_both_systems(empty: duckdb.DuckDBPyConnection) -> None:
    empty.execute("""
        CREATE TABLE t AS FROM (VALUES (1, 'a'), (2, 'a'), (3, 'a')) AS v(userid, itemid);
        CREATE TABLE one AS FROM (VALUES (1, 'a', 1), (2, 'a', 1)) AS v(userid, itemid, score);
        CREATE TABLE other AS FROM (VALUES (1, 'b', 1), (3, 'a', 1)) AS v(userid, itemid, score)
    """)
    for systems, means in (("one, other", (0, 1)), ("other, one", (1, 0))):
        call = f"rank_compare(t, {systems}, ks := 1, metrics := 'recall', users := 'both')"
        assert rows(empty, f"SELECT n, mean, baseline FROM {call}") == [(1, *means)]


def test_users_without_a_value_have_no_part_in_means_and_are_counted(con: duckdb.DuckDBPyConnection) -> None:
    """User 3 has no recommendations, and user 2 only of one system."""
    con.execute("CREATE TABLE other AS FROM rec WHERE userid <> 2; CREATE TABLE nothing AS FROM rec LIMIT 0")
    for call, expected in {
        "rank_summary(truth, rec": (2, 1 / 6, False, "t", 1),
        "rank_summary(truth, nothing": (0, None, True, None, 3),
        "rank_compare(truth, other, rec": (1, 1 / 3, False, "range", 2),
        "rank_compare(truth, rec, other": (1, 1 / 3, False, "range", 2),
        "rank_compare(truth, nothing, rec": (0, None, True, None, 3),
    }.items():
        given = f"{call}, ks := [1], metrics := 'recall', options := 'empty_rec=null')"
        found = rows(con, f"SELECT n, mean, low IS NULL, interval_by, without_value FROM {given}")
        assert found == [expected], call


def test_a_row_without_a_p_value_is_no_test(con: duckdb.DuckDBPyConnection) -> None:
    """AUC of one item has no difference. In two rows one of three users differs, so that t is -1."""
    con.execute("CREATE TABLE other AS SELECT userid, itemid, -score AS score FROM rec")
    p_value = 1 - 3**-0.5
    for correction, times in (("holm", 2), ("bonferroni", 2), ("benjamini_hochberg", 1), ("none", 1)):
        given = f"ks := 1, metrics := ['auc', 'recall', 'mrr'], correction := '{correction}'"
        call = f"rank_compare(truth, other, rec, {given})"
        tested = pytest.approx(p_value), pytest.approx(times * p_value)
        assert rows(con, f"SELECT metric, p_value, p_corrected FROM {call}") == [
            *(("auc", None, None), ("recall", *tested), ("mrr", *tested))
        ]


def test_arguments_in_the_order_of_their_names(con: duckdb.DuckDBPyConnection) -> None:
    """All parameters may be given by place, and their defaults are those that are documented."""
    for macro in table_macros():
        con.execute("CREATE OR REPLACE TEMP TABLE catalogue AS SELECT DISTINCT itemid FROM rec")
        own = {"truth": "truth", "items": "catalogue"}
        if any(each.name == "spans" for each in macro.parameters):
            own = {"truth": "spans", "rec": "chunks"}
            for table, source in (("spans", "truth"), ("chunks", "rec")):
                with_offsets = f'SELECT *, 0 AS "start", 9 AS "end" FROM {source}'
                con.execute(f"CREATE OR REPLACE TEMP TABLE {table} AS {with_offsets}")
        tables = [own.get(each.name, "rec") for each in macro.parameters if not each.default]
        defaults = [str(each.default) for each in macro.parameters if each.default]
        short = con.execute(f"FROM {macro.name}({', '.join(tables)})")
        assert tuple(name for name, *_ in short.description or ()) == macro.columns
        found = sorted(map(str, short.fetchall()))
        assert sorted(map(str, rows(con, f"FROM {macro.name}({', '.join(tables + defaults)})"))) == found
        query = "SELECT parameters FROM duckdb_functions() WHERE (function_name, function_type) = (?, ?)"
        assert rows(con, query, [macro.name, "table_macro"]) == [[each.name for each in macro.parameters]]


@pytest.mark.parametrize("call", WITH_METRICS)
def test_prepared_statements(con: duckdb.DuckDBPyConnection, call: str) -> None:
    """A parameter has no type before the statement is executed."""
    query = f"SELECT metric, k FROM {call}, ks := $1, metrics := $2, user := $3, confidence := $4)"
    con.execute(f"PREPARE asked AS {query}")
    for ks, cuts in (("2", [2]), ("[3, NULL]", [3, None]), ("NULL", [None])):
        for metrics, names in (("'ndcg'", ["ndcg"]), ("['mrr', 'auc']", ["mrr", "auc"])):
            found = rows(con, f"EXECUTE asked({ks}, {metrics}, 'userid', 0.9)")
            assert found == [*product(names, cuts)]
    with pytest.raises(duckdb.Error, match="ks must be an integer, a list of integers or NULL, got five"):
        con.execute("EXECUTE asked('five', 'ndcg', 'userid', 0.9)")
    assert rows(con, query, [[2, None], ["mrr"], "userid", 0.9]) == [("mrr", 2), ("mrr", None)]


# Errors

#: Values that are no names of metrics, as the error shows them.
WRONG_METRICS = {
    "['ndgc']": "there is no metric 'ndgc': did you mean ndcg",
    "'ndgc'": "there is no metric 'ndgc': did you mean ndcg",
    "['ndcg', 'retrieved']": "there is no metric 'retrieved': ",
    "['ndcg', NULL]": "metrics must be names of metrics, got NULL",
    "[]": "metrics is empty; there are precision, recall",
    "NULL": "metrics must be names of metrics, got NULL",
    "5": "there is no metric '5': there are precision, recall",
    "'mrr, ndcg'": "there is no metric 'mrr, ndcg': give a list of names, such as ['ndcg', 'recall@5']",
    "'P_10'": "there is no metric 'P_10': did you mean 'precision@10'?",
    "'rankdcg@5'": "rankdcg ranks the whole list and takes no cutoff, got 'rankdcg@5'",
    "'ndcg@0'": "k must be at least 1, got 0",
    "'P(rel)@5'": "there is no metric 'P(rel)@5': write its options once each, as in 'precision(min_rel=2, ",
    "'mrr(gain=linear)'": "mrr(gain=linear): unknown option 'gain', the options here are min_rel, ",
    "'ndcg(convention=spark)'": "ndcg(convention=spark): a convention is an option of all metrics",
    "'alpha_ndcg'": "alpha_ndcg reads aspects of items: evaluate in Python has it, with the argument aspect",
    "'err'": "max_rel must be given, the highest possible grade, such as max_rel=4",
    "'ndcg@5', ks := 3": "ks is for metrics without a cutoff of their own, of which there are none, got 3",
    "['rankdcg', 'bpref'], k := 3": "rankdcg and bpref rank the whole list and take no k, got 3",
}
#: Values that are no cutoffs, as the error shows them.
WRONG_KS = {
    "'5'": "5 of type VARCHAR",
    "NULL::VARCHAR": "NULL of type VARCHAR",
    "2.5": "2.5 of type DECIMAL(2,1)",
    "[2.5]": "[2.5] of type DECIMAL(2,1)[]",
    "[[5]]": "[[5]] of type INTEGER[][]",
    "5::HUGEINT": "5 of type HUGEINT",
}
NO_SCORE = "has no column score, and score must name one of userid, itemid"
NO_MACRO = "Macro rank_evaluate() does not support the supplied arguments"
NOT_COMPARED = "users or items of the tables have types that cannot be compared, such as text and integer: "
#: Errors by call and, after the tables, its arguments. The name of the macro comes before a colon.
ERRORS: dict[str, dict[str, str]] = {
    "rank_evaluate(nope, rec": {"": "Table with name nope does not exist"},
    "rank_evaluate(truth": {"": NO_MACRO},
    "rank_evaluate(truth, rec": {
        ", usr := 'x'": NO_MACRO,
        ", user := 'uid'": (
            ": rec has no column uid, and user or rec_user must name one of userid, itemid, score"
        ),
        ", ks := []": ": ks is empty: give cutoffs, such as ks := [5, 10]",
        ", ks := [0]": "rank_evaluation_by_user: k must be at least 1, got 0",
        ", rel := 'itemid'": "rank_evaluation_by_user: rel must be a number or a boolean, got text",
    },
    "rank_evaluate(truth, rated": {"": f': rec {NO_SCORE}, rating"'},
    "rank_evaluate(truth, texts": {"": "rank_evaluation_by_user: score must be a number, got text"},
    "rank_evaluate(truth, other_users": {"": f": {NOT_COMPARED}"},
    "rank_evaluate(truth, 'nothing.parquet'": {"": "No files found that match the pattern"},
    "rank_evaluate(rec, rated": {", rel := 'Rating'": f": rec {NO_SCORE}, rating; was truth given as rec?"},
    "rank_check(truth, truth": {
        ", rec_item := 'song'": (
            ': rec has no column song, and item or rec_item must name one of userid, itemid"'
        )
    },
    "rank_check(truth, rec": {
        ", item := NULL": (
            ': truth has no column NULL, and item or truth_item must name one of userid, itemid"'
        )
    },
    "rank_summary(truth, rec": {
        ", rel := 'grade'": ': truth has no column grade, and rel must name one of userid, itemid"',
        ", k := []": ": k is empty: give cutoffs, such as k := [5, 10]",
        ", options := 'gian=linear'": "unknown option 'gian', the options here are ",
        ", users := 'all'": ": users must be one of truth, both, got all",
        ", interval := NULL": ": interval must be one of t, bootstrap, got NULL",
        ", confidence := 95": "mean_ci: confidence must be a number between 0 and 1, got '95.0'",
        ", confidence := NULL": "mean_ci: confidence must be a number between 0 and 1, got ''",
        ", interval := 'bootstrap', resamples := 0": "bootstrap_ci: resamples must be a whole number from 1 ",
        ", interval := 'bootstrap', seed := -1": "bootstrap_ci: seed must be a whole number from 0 ",
    },
    "rank_compare(truth, rec, rec": {
        ", test := 'z'": ": test must be one of t, wilcoxon, randomization, got z",
        ", correction := 'sidak'": (
            ": correction must be one of holm, bonferroni, benjamini_hochberg, none, got sidak"
        ),
        ", alternative := 'more'": "alternative must be two_sided, less, greater or equivalence, got 'more'",
        ", alternative := 'less', margin := 0.1, test := 'wilcoxon'": (
            "unknown option 'margin', the options here are alternative, tolerance"
        ),
        ", alternative := 'equivalence'": "margin must be above 0 with alternative=equivalence, got 0",
        ", margin := 0.1": "margin needs alternative=less, greater or equivalence, got margin=0.1",
        ", margin := -0.1": "margin must be a finite number that is at least 0, got '-0.1'",
        ", margin := NULL": "margin must be a finite number that is at least 0, got ''",
        ", confidence := 1.0": "confidence must be a number between 0 and 1, got '1.0'",
        ", test := 'randomization', resamples := 0": "randomization_test: resamples must be a whole number ",
        ", test := 'randomization', seed := -1": "randomization_test: seed must be a whole number from 0 ",
    },
    "rank_measures(truth, rec": {
        ", measures := 'ndcg@0'": "rank_measures_by_user: measures must be names of metrics, such as ",
        ", measures := []": "rank_measures_by_user: measures must be names of metrics, such as ",
        ", measures := 'mrr', options := 'p=0.5'": "rank_measures_by_user: p is an option of no metric ",
    },
    "rank_measures(rec, truth": {"": f": rec {NO_SCORE}; was truth given as rec?"},
    "rank_measures(other_users, rec": {"": f": {NOT_COMPARED}"},
    "rank_similarity(rec, rec": {
        ", item := 'song'": ": rec_a has no column song, and item must name one of userid, itemid, score",
        ", k := []": ": k is empty: give cutoffs, such as k := [5, 10]",
        ", k := 0": ": k must be at least 1, got 0",
        ", k := 2.5": ": k must be an integer, a list of integers or NULL, got 2.5 of type DECIMAL(2,1)",
        ", options := 'gian=linear'": ": unknown option 'gian', the options here are ",
    },
    "rank_similarity(rec, truth": {"": f": rec_b {NO_SCORE}; was truth given as rec_b?"},
    "rank_similarity(rec, texts": {"": ": score must be a number, got VARCHAR"},
    "rank_similarity(other_users, rec": {"": f": {NOT_COMPARED}"},
    "rank_similarity(rec, other_items": {"": f": {NOT_COMPARED}"},
    "rank_compare(truth, rec, truth": {"": f": rec {NO_SCORE}; was truth given as rec?"},
    "rank_compare(truth, truth, rec": {"": f": baseline {NO_SCORE}; was truth given as baseline?"},
    "rank_compare(truth, rec, other_items": {"": f": {NOT_COMPARED}"},
    "rank_compare(truth, other_users, rec": {
        "": f": {NOT_COMPARED}cast one, in a view or a CTE; rank_check names the types"
    },
}
WRONG = [
    *((call, given, text) for call, errors in ERRORS.items() for given, text in errors.items()),
    *(
        (call, f", {name} := {ks}", f": {name} must be an integer, a list of integers or NULL, got {shown}")
        for call in WITH_KS
        for name in ("k", "ks")
        for ks, shown in WRONG_KS.items()
    ),
    *(
        (call, f", metrics := {metrics}", shown)
        for call in WITH_METRICS
        for metrics, shown in WRONG_METRICS.items()
    ),
]


@pytest.fixture(scope="module")
def odd() -> Iterator[duckdb.DuckDBPyConnection]:
    """Open a database with the tables truth and rec, and with tables that differ from those in a column."""
    with rankdcg_sql.connect() as opened:
        yield opened.execute(f"""
            {STATEMENTS};
            CREATE TABLE texts AS SELECT userid, itemid, 'high' AS score FROM rec;
            CREATE TABLE rated AS SELECT userid, itemid, 5 AS rating FROM truth;
            CREATE TABLE other_users AS SELECT userid::VARCHAR AS userid, itemid, score FROM rec;
            CREATE TABLE other_items AS SELECT userid, 3 AS itemid, score FROM rec
        """)


@pytest.mark.parametrize(("call", "arguments", "text"), WRONG)
def test_errors(odd: duckdb.DuckDBPyConnection, call: str, arguments: str, text: str) -> None:
    expected = call.partition("(")[0] + text if text.startswith(":") else text
    with pytest.raises(duckdb.Error, match=re.escape(expected)):
        odd.execute(f"FROM {call}{arguments})").fetchall()


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
    assert "cast" not in str(rows(con, "FROM rank_check(t, r)"))


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


@pytest.mark.parametrize("setting", SETTINGS)
def test_settings_of_a_database_change_nothing(setting: str) -> None:
    found, expected = results_after(f"SET {setting}"), results_after("SELECT 1")
    assert found == expected
    assert len({row[8] for row in found[2]}) > 3


@cache
def results_after(before: str) -> list[list[Any]]:
    """Results of macros after this statement: users and items differ in case alone, p-values by row."""
    ids = "upper(chr((97 + i % 13)::INTEGER)) || if(i % 3 = 0, 'x', 'X')"
    queries = [
        'SELECT userid, k, ndcg FROM rank_evaluate(truth, rec) ORDER BY userid COLLATE "binary" ASC, k ASC',
        "FROM rank_summary(truth, rec, ks := [3, NULL, 1])",
        "FROM rank_compare(truth, old, rec, ks := [3, NULL, 1])",
        "FROM rank_check(truth, rec)",
        "FROM rank_measures(truth, rec, measures := 'ndcg(gain=linear)@3, rbp') "
        'ORDER BY userid COLLATE "binary" ASC, measure COLLATE "binary" ASC',
        'FROM rank_similarity(rec, old, k := [3, 9]) ORDER BY userid COLLATE "binary" ASC, k ASC',
    ]
    with connect() as con:
        truth = f"SELECT {ids} AS userid, {ids} || i % 5 AS itemid FROM range(90) AS t(i)"
        con.execute(f"CREATE TABLE truth AS {truth}")
        for name, factor in (("rec", 7), ("old", 11)):
            con.execute(
                f"CREATE TABLE {name} AS SELECT {ids} AS userid, {ids} || i * {factor} % 11 AS itemid, "
                f"(i * {factor} % 31)::DOUBLE AS score FROM range(200) AS t(i)"
            )
        con.execute(before)
        return [rows(con, query) for query in queries]


# The plan


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
