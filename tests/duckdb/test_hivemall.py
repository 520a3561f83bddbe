"""Apache Hivemall's dialect: the functions that build lists, the averages, and whole queries."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb
import pytest
from conftest import needs_duckdb_2
from support.hivemall_page import BINARY, GRADED
from support.paths import ROOT
from support.sql import rows

import rankdcg_sql
from rankdcg_sql import catalogue

if TYPE_CHECKING:
    from collections.abc import Iterator

QUERIES = ROOT / "queries" / "hivemall"


@pytest.fixture(scope="module")
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    """Open a database in Hivemall's dialect, with pairs of keys and values."""
    with rankdcg_sql.connect() as opened:
        rankdcg_sql.register_hivemall(opened)
        yield opened.execute("""
            CREATE TABLE fruit AS FROM (VALUES
                (5, 'fig'), (3, 'kiwi'), (4, 'lime'), (1, 'pear'), (2, 'plum')
            ) AS t(key, value);
            CREATE TABLE tied AS FROM fruit UNION ALL VALUES (4, 'lime'), (4, 'date')
        """)


@pytest.fixture
def without_tables(empty: duckdb.DuckDBPyConnection) -> duckdb.DuckDBPyConnection:
    """Give a database in Hivemall's dialect."""
    rankdcg_sql.register_hivemall(empty)
    return empty


def columns(con: duckdb.DuckDBPyConnection, query: str) -> dict[str, Any]:
    """The single row of a query by column name."""
    result = con.execute(query)
    names = [column[0] for column in result.description or []]
    (row,) = result.fetchall()
    return dict(zip(names, row, strict=True))


# Building lists


#: Tables with NULLs in keys and values, and two of whose columns have names that the macros use.
PAIRS = "(VALUES (NULL, 'a'), (NULL, 'b'), (2, 'c'), (1, NULL)) AS t(key, value)"
SINGLE = "(VALUES (NULL, 'a'), (2, 'c'), (1, NULL), (1, 'b')) AS t(key, value)"
ODD = "(SELECT key AS pair, value AS pairs, '' AS ascending, 0 AS i FROM fruit)"


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("key % 2, map_values(to_ordered_map(key, value, true)) FROM fruit GROUP BY 1 ORDER BY 1", [
            (0, ["lime", "plum"]), (1, ["fig", "kiwi", "pear"]),
        ]),
        ("map_values(to_ordered_map(key, struct(-key, value), 2)) FROM fruit", [[(-5, "fig"), (-4, "lime")]]),
        (f"map_values(to_ordered_map(key, value)) FROM {PAIRS}", [[None, "c"]]),
        (f"map_values(to_ordered_map(key, value)) FROM {PAIRS} WHERE key IS NULL", [[]]),
        ("to_ordered_list(struct(key, value), key, '-k 2') FROM fruit", [[(5, "fig"), (4, "lime")]]),
        (f"to_ordered_list(value, key) FROM {SINGLE}", [["b", "c"]]),
        (f"to_ordered_list(value) FROM {SINGLE}", [["a", "b", "c"]]),
        (f"to_ordered_list(value) FROM {SINGLE} WHERE value IS NULL", [None]),
        (f"to_ordered_list(value, key, '-k 1') FROM {SINGLE} WHERE key IS NULL", [None]),
        (f"to_ordered_list(pairs, pair, '-k 2') FROM {ODD}", [["fig", "lime"]]),
        (f"to_ordered_list(pair, pairs, '-k -1') FROM {ODD} GROUP BY ascending, i", [[5]]),
        (f"map_keys(to_ordered_map(pair, i, 2)) FROM {ODD}", [[5, 4]]),
        ("collect_set(x) FROM (VALUES (3), (1), (NULL), (3)) AS t(x)", [[1, 3]]),
        ("collect_set(x) FROM (VALUES (NULL::VARCHAR)) AS t(x)", [[]]),
        *((f"struct({', '.join(map(str, range(n)))})", [(*range(n),)]) for n in range(1, 6)),
        *((f"size({value})", [2]) for value in ("[7, 8]", "MAP {'a': 1, 'b': NULL}")),
        *((f"size({value})", [0]) for value in ("[]", "MAP {}")),
        *((f"size({value})", [-1]) for value in ("NULL", "NULL::INTEGER[]", "NULL::MAP(INTEGER, INTEGER)")),
        ("size([NULL])", [1]),
    ],
)  # fmt: skip
def test_functions_that_build_lists(con: duckdb.DuckDBPyConnection, query: str, expected: list[Any]) -> None:
    assert rows(con, f"SELECT {query}") == expected


@pytest.mark.parametrize(
    ("third", "keys"),
    [
        *((third, [1, 2, 3, 4, 5]) for third in ("", ", false", ", -100")),
        *((third, [5, 4, 3, 2, 1]) for third in (", true", ", 100")),
        *((third, [5, 4]) for third in (", 2", ", 2::BIGINT")),
        *((", 1", [5]), (", -1", [1]), (", -2", [1, 2])),
    ],
)
def test_map_is_ordered_by_its_keys(con: duckdb.DuckDBPyConnection, third: str, keys: list[int]) -> None:
    names = {1: "pear", 2: "plum", 3: "kiwi", 4: "lime", 5: "fig"}
    call = f"to_ordered_map(key, value{third})"
    ((found, found_keys, values),) = rows(
        con, f"SELECT {call}, map_keys({call}), map_values({call}) FROM fruit"
    )
    assert list(found.items()) == [(key, names[key]) for key in keys]
    assert (found_keys, values) == (keys, [names[key] for key in keys])


@pytest.mark.parametrize("third", ["", ", true", ", 2", ", -1"])
def test_map_with_equal_keys_is_an_error(con: duckdb.DuckDBPyConnection, third: str) -> None:
    message = r"to_ordered_map: key 4 occurs more than once.*use to_ordered_list\(value, key"
    with pytest.raises(duckdb.InvalidInputException, match=message):
        rows(con, f"SELECT to_ordered_map(key, value{third}) FROM tied")


@pytest.mark.parametrize("third", ["0", "2.5", "'two'", "NULL"])
def test_map_names_a_wrong_third_argument(con: duckdb.DuckDBPyConnection, third: str) -> None:
    message = "to_ordered_map: the third argument must be .* got " + re.escape(third.strip("'"))
    with pytest.raises(duckdb.InvalidInputException, match=message):
        rows(con, f"SELECT to_ordered_map(key, value, {third}) FROM fruit")


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ("value, key", "pear plum kiwi date lime lime fig"),
        ("value, key, ''", "pear plum kiwi date lime lime fig"),
        ("value, key, NULL", "pear plum kiwi date lime lime fig"),
        ("value, key, '-reverse'", "fig lime lime date kiwi plum pear"),
        ("value, key, '-reverse_order'", "fig lime lime date kiwi plum pear"),
        ("value, key, '-k 2'", "fig lime"),
        ("value, key, '-k 100'", "fig lime lime date kiwi plum pear"),
        ("value, key, '-k 2 -reverse'", "pear plum"),
        ("value, key, '-k -2'", "pear plum"),
        ("value, key, '-k -100'", "pear plum kiwi date lime lime fig"),
        ("value, key, '-reverse -k -2'", "fig lime"),
        ("value, key, '-dedup'", "pear plum kiwi date lime fig"),
        ("value, key, ' -k  4  -dedup '", "fig lime date kiwi"),
        ("value", "date fig kiwi lime lime pear plum"),
        ("value, '-k 2'", "plum pear"),
        ("value, '-dedup -reverse'", "plum pear lime kiwi fig date"),
        ("value, ' -k -2'", "date fig"),
        # A key that starts with a dash stays a key.
        ("value, '-' || key", "pear plum kiwi date lime lime fig"),
        ("value, '-k' || key", "pear plum kiwi date lime lime fig"),
    ],
)
def test_ordered_list(con: duckdb.DuckDBPyConnection, arguments: str, expected: str) -> None:
    assert rows(con, f"SELECT to_ordered_list({arguments}) FROM tied") == [expected.split()]


@pytest.mark.parametrize(
    ("options", "unknown"),
    [
        ("-k 2 -kv_map", "-kv_map"),
        *((option, option) for option in ("-vk_map", "-k 0", "-k", "-k 2.5", "-reversed", "k 2")),
    ],
)
def test_ordered_list_names_a_wrong_option(
    con: duckdb.DuckDBPyConnection, options: str, unknown: str
) -> None:
    message = re.escape(f"to_ordered_list: option '{unknown}' is not one of -k N ") + ".*-reverse, -dedup"
    with pytest.raises(duckdb.InvalidInputException, match=message):
        rows(con, f"SELECT to_ordered_list(value, key, '{options}') FROM fruit")


#: The macros over `ranked_list`, and those that serve the other types, and know no native functions.
LIST_MACROS = ("to_ordered_list", "hivemall_any_list")
MAP_MACROS = ("to_ordered_map", "hivemall_any_map")


def assert_same_groups(con: duckdb.DuckDBPyConnection, *calls: str) -> None:
    """Check that two calls have one type, and one value for each of the 40 groups of the table random."""
    one, other = (rows(con, f"SELECT g, typeof({each}), {each} FROM random GROUP BY g") for each in calls)
    assert len(one) == 40
    assert sorted(one, key=str) == sorted(other, key=str)


LIST_OPTIONS = ["", "-k 3", "-k -3", "-reverse", "-reverse -k 3", "-k -3 -reverse", "-k 1000", "-dedup -k 4"]


@needs_duckdb_2
@pytest.mark.parametrize(
    ("value", "key"),
    [
        *(("VARCHAR", key) for key in ("DOUBLE", "FLOAT", "BIGINT", "HUGEINT", "DECIMAL(9, 2)", "DATE")),
        *((value, "DOUBLE") for value in ("INTEGER", "UUID", "BLOB", "INTEGER[]", "ENUM('a', 'b')")),
    ],
)
def test_lists_are_the_same_with_and_without_ranked_lists(
    con: duckdb.DuckDBPyConnection, key: str, value: str
) -> None:
    keys = {"DATE": "DATE '2020-01-01' + x % 9"}.get(key, f"(x % 9)::{key}")
    values = {
        "UUID": "md5((x % 30)::VARCHAR)",
        "BLOB": "encode((x % 30)::VARCHAR)",
        "INTEGER[]": "[x % 30]",
        "ENUM('a', 'b')": "if(x % 2 = 0, 'a', 'b')",
    }.get(value, "x % 30")
    con.execute(f"""
        CREATE OR REPLACE TABLE random AS
        SELECT i % 40 AS g, if(x % 17 = 0, NULL, ({keys})::{key}) AS k, if(y % 17 = 0, NULL, v) AS v, i
        FROM (SELECT *, ({values.replace("x", "y")})::{value} AS v FROM (
            SELECT i, (hash(i) % 1009)::INT AS x, (hash(i + 1) % 1013)::INT AS y FROM range(1500) AS r(i)
        ))
    """)
    for options in LIST_OPTIONS:
        assert_same_groups(con, *(f"{name}(v, k, '{options}')" for name in LIST_MACROS))
    for call in ("(v, k)", "(v)"):
        assert_same_groups(con, *(name + call for name in LIST_MACROS))


@needs_duckdb_2
@pytest.mark.parametrize("value", ["INTEGER", "VARCHAR", "INTEGER[]"])
@pytest.mark.parametrize("key", ["DOUBLE", "BIGINT", "DECIMAL(9, 2)", "VARCHAR"])
def test_maps_are_the_same_with_and_without_ranked_lists(
    con: duckdb.DuckDBPyConnection, key: str, value: str
) -> None:
    made = f"if(i % 5 = 0, NULL, {'[i]' if value == 'INTEGER[]' else 'i'}::{value})"
    con.execute(f"""
        CREATE OR REPLACE TABLE random AS
        SELECT i % 40 AS g, if(i % 7 = 0, NULL, (i * 61 % 1511)::{key}) AS k, {made} AS v
        FROM range(1500) AS r(i)
    """)
    for third in ("", ", true", ", false", ", 3", ", -3", ", 1000"):
        assert_same_groups(con, *(f"map_entries({name}(k, v{third}))" for name in MAP_MACROS))


@needs_duckdb_2
def test_lists_of_ranked_lists_sort_nothing(con: duckdb.DuckDBPyConnection) -> None:
    """Values and keys of the usual types reach `ranked_list`, which refuses NaN."""
    for call in ("to_ordered_list(1, x, '-k 2')", "to_ordered_list('a', x)", "to_ordered_map(x, 1, true)"):
        with pytest.raises(duckdb.InvalidInputException, match="ranked_list: score must not be NaN"):
            rows(con, f"SELECT {call} FROM (VALUES (1.0::DOUBLE), ('nan')) AS t(x)")


# Averages


def test_metrics_are_means_over_users(con: duckdb.DuckDBPyConnection) -> None:
    con.execute("CREATE OR REPLACE TABLE users (rec INTEGER[], truth INTEGER[])")
    con.execute("INSERT INTO users VALUES ([1, 2], [2]), ([3, 4], [3]), ([5], NULL)")
    query = "SELECT mrr(rec, truth), mrr(rec, truth, 1), ndcg(rec, truth, 1) FROM users"
    assert rows(con, query) == [(0.75, 0.5, 0.5)]
    # A text in the place of k holds options, as in all functions.
    query = "SELECT recall(rec, truth, 'no_relevant=zero'), recall(rec, truth, 1, '') FROM users"
    assert rows(con, query) == [(1.0, 0.5)]
    assert rows(con, "SELECT system.main.mrr(rec, truth) FROM users") == [0.5, 1.0, None]


def test_every_list_metric_has_its_average(con: duckdb.DuckDBPyConnection) -> None:
    query = "SELECT DISTINCT function_name FROM duckdb_functions() WHERE macro_definition LIKE 'avg(%'"
    averages = set(rows(con, query))
    metrics = [f for f in rankdcg_sql.functions() if f.form == "lists"]
    assert {"precision", "precision_at", "ndcg", "hitrate", "rankdcg"} <= averages
    assert averages == {
        name for f in metrics for name in (f.name, *f.aliases) if not f.name.startswith("rank_")
    }
    con.execute(
        "CREATE OR REPLACE TABLE users AS FROM (VALUES ([1, 2], MAP {1: 1, 2: 3})) AS t(rec, truth), range(3)"
    )
    for name in averages:
        option = ", 'max_rel=3'" * ("max_rel" in catalogue.by_name()[name].options)
        assert len(rows(con, f'SELECT "{name}"(rec, truth{option}) FROM users')) == 1


def test_the_dialect_belongs_to_one_connection(con: duckdb.DuckDBPyConnection) -> None:
    cursor = con.cursor()
    assert rows(cursor, "SELECT mrr([1, x], [x]) FROM range(2, 4) AS t(x)") == [0.5, 0.5]
    rankdcg_sql.register_hivemall(cursor)
    rankdcg_sql.register_hivemall(cursor)
    assert rows(cursor, "SELECT mrr([1, x], [x]) FROM range(2, 4) AS t(x)") == [0.5]


def test_the_dialect_works_over_python_functions() -> None:
    """They come without `ranked_list`."""
    from conftest import _CONNECTIONS

    with _CONNECTIONS["udf"].cursor() as con:
        rankdcg_sql.register_hivemall(con)
        con.execute("CREATE TEMP TABLE few AS FROM (VALUES (1, 'a'), (3, 'c'), (2, 'b')) AS t(key, value)")
        lists = "to_ordered_list(value, key, '-k 2'), map_values(to_ordered_map(key, value, true))"
        assert rows(con, f"SELECT {lists} FROM few") == [(["c", "b"], ["c", "b", "a"])]
        assert rows(con, "SELECT mrr([key, 1], [1]) FROM few") == [pytest.approx((1 + 0.5 + 0.5) / 3)]


# Whole queries


@pytest.mark.parametrize(
    ("name", "expected"),
    [("binary_response", BINARY), ("graded_response", {"ndcg_at_2": GRADED[0], "ndcg_at_3": GRADED[1]})],
)
def test_installed_queries(
    without_tables: duckdb.DuckDBPyConnection, name: str, expected: dict[str, float]
) -> None:
    con = without_tables
    con.execute((QUERIES / "tables.sql").read_text("utf-8"))
    found = columns(con, (QUERIES / f"{name}.sql").read_text("utf-8"))
    assert found == pytest.approx(expected, rel=0, abs=1e-12)


@pytest.fixture
def page(third_party: Path) -> str:
    """Hivemall's page "Ranking Problems"."""
    (found,) = (third_party / "seeds").glob("003*.txt")
    return found.read_text("utf-8")


def test_queries_of_hivemalls_page(without_tables: duckdb.DuckDBPyConnection, page: str) -> None:
    con = without_tables
    tables: dict[int, list[str]] = {}  # the page's three tables differ in the number of columns
    for line in page.splitlines():
        if re.fullmatch(r"\d+ \|( [\d.]+ \|)+", line):
            cells = line.strip("| ").split(" | ")
            tables.setdefault(len(cells), []).append(f"({', '.join(cells)})")
    assert {width: len(lines) for width, lines in tables.items()} == {2: 9, 3: 12, 4: 15}
    fields = ["userid INTEGER", "itemid INTEGER", "score DOUBLE", "relscore DOUBLE"]
    for name, width in (("dummy_truth", 2), ("dummy_rec", 3), ("dummy_recrel", 4)):
        con.execute(f"CREATE TABLE {name} ({', '.join(fields[:width])})")
        con.execute(f"INSERT INTO {name} VALUES {', '.join(tables[width])}")

    quoted = re.sub(r"\bprecision\(", '"precision"(', page)
    binary, graded = re.findall(r"```\n(.*?)```", quoted, re.DOTALL)
    assert columns(con, binary) == pytest.approx(BINARY, rel=0, abs=1e-12)
    assert con.execute(graded).fetchall() == [pytest.approx(GRADED, rel=0, abs=1e-12)]
