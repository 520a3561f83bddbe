"""Every type of item and of relevance, and every form of `rec` and `truth`."""

from __future__ import annotations

import math
import re
from decimal import Context, Decimal
from itertools import product
from typing import TYPE_CHECKING

import duckdb
import pytest
from conftest import NATIVE, taken
from support import reference
from support.sql import sentence, value

if TYPE_CHECKING:
    from collections.abc import Iterator

ONE_TYPE = "the items of rec and truth must be of one type, got"


@pytest.fixture
def con(way: str, kept: dict[str, duckdb.DuckDBPyConnection]) -> Iterator[duckdb.DuckDBPyConnection]:
    """Open a connection that has the functions by one of the ways. No test here creates a macro."""
    yield from taken(way, kept)


# Items

SIGNED = ["TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT"]
INTEGERS = [*SIGNED, *(f"U{name}" for name in SIGNED)]
DECIMALS = ["DECIMAL(4,1)", "DECIMAL(9,2)", "DECIMAL(18,3)", "DECIMAL(38,10)"]  # 16 to 128 bits inside
SMALL_ENUM = "ENUM('a', 'b', 'c')"
LARGE_ENUM = "ENUM({})".format(", ".join(f"'{name}'" for name in [*range(300), "a", "b", "c"]))

#: Three different values of each type of item.
ITEMS = {
    **dict.fromkeys(INTEGERS, ("1", "2", "127")),
    "BIGINT, far apart": ("-9223372036854775808", "9223372036854775807", "0"),
    "UBIGINT, far apart": ("18446744073709551615", "9223372036854775808", "0"),
    "HUGEINT, far apart": (f"'-{2**127}'", f"'{2**127 - 1}'", "0"),
    "UHUGEINT, far apart": (f"'{2**128 - 1}'", "1", "0"),
    **dict.fromkeys(DECIMALS, ("1.5", "-1.5", "0")),
    "FLOAT": ("'nan'", "'-0'", "1.5"),
    "DOUBLE": ("'inf'", "0.1", "'nan'"),
    "VARCHAR": ("''", "'a'", "'twelve bytes'"),
    "VARCHAR, long": ("'more than twelve bytes'", "'more than twelve bytes!'", "'more than twelve bites'"),
    "VARCHAR, beyond ASCII": ("'ä'", "'a'", "chr(97) || chr(0)"),
    SMALL_ENUM: ("'a'", "'b'", "'c'"),
    LARGE_ENUM: ("'a'", "'b'", "'c'"),
    "JSON": ("'1'", "'\"a\"'", "'{}'"),
    "BLOB": ("''", r"'\x00'", r"'\xFF\x00 and more than twelve'"),
    "BIT": ("'1'", "'01'", "'001'"),
    "BIGNUM": ("1", "-1", "'" + "9" * 60 + "'"),
    "BOOLEAN": ("true", "false", "NULL"),
    "DATE": ("'2024-02-29'", "'infinity'", "'1969-12-31'"),
    "TIME": ("'10:00:00'", "'10:00:00.000001'", "'24:00:00'"),
    "TIME_NS": ("'10:00:00'", "'10:00:00.000000001'", "'23:00:00'"),
    "TIMETZ": ("'10:00:00+00'", "'10:00:01+00'", "'11:00:00+00'"),
    "TIMESTAMP": ("'2024-02-29 01:02:03.000004'", "'-infinity'", "'1969-12-31'"),
    "TIMESTAMP_S": ("'2024-02-29 01:02:03'", "'2024-02-29 01:02:04'", "'1969-12-31'"),
    "TIMESTAMP_MS": ("'2024-02-29 01:02:03.001'", "'2024-02-29 01:02:03.002'", "'1969-12-31'"),
    "TIMESTAMP_NS": ("'2024-02-29 01:02:03.000000001'", "'2024-02-29 01:02:03.000000002'", "'1969-12-31'"),
    "TIMESTAMPTZ": ("'2024-02-29 01:02:03+01'", "'2024-02-29 01:02:03+00'", "'1969-12-31 00:00:00+00'"),
    "INTERVAL": ("'1 month'", "'31 days'", "'1 hour'"),
    "UUID": (
        "'00000000-0000-0000-0000-000000000001'",
        "'80000000-0000-0000-0000-000000000001'",
        "'ffffffff-ffff-ffff-ffff-ffffffffffff'",
    ),
    "STRUCT(a INTEGER, b VARCHAR)": ("{'a': 1, 'b': 'x'}", "{'a': 1, 'b': NULL}", "{'a': 2, 'b': 'x'}"),
    "STRUCT(a INTEGER, b STRUCT(c DOUBLE, d DATE[]))": (
        "{'a': 1, 'b': {'c': 0.5, 'd': ['2024-02-29']}}",
        "{'a': 1, 'b': {'c': 0.5, 'd': []}}",
        "{'a': 1, 'b': NULL}",
    ),
    "INTEGER[]": ("[1, 2]", "[1]", "[]"),
    "VARCHAR[][]": ("[['a', 'b']]", "[['a'], ['b']]", "[['ab']]"),
    "INTEGER[2]": ("[1, 2]", "[1, NULL]", "[2, 1]"),
    "MAP(INTEGER, VARCHAR)": ("MAP {1: 'a'}", "MAP {1: 'b'}", "MAP {}"),
}


@pytest.fixture(params=sorted(ITEMS), ids=lambda name: name[:30])
def items(request: pytest.FixtureRequest, con: duckdb.DuckDBPyConnection) -> duckdb.DuckDBPyConnection:
    """A connection with a table of two equal rows with three different items a, b and c."""
    name = re.sub(", (far apart|long|beyond ASCII)$", "", request.param)
    a, b, c = (f"CAST({item} AS {name})" for item in ITEMS[request.param])
    con.execute(f"CREATE TEMP TABLE items AS SELECT {a} AS a, {b} AS b, {c} AS c FROM range(2)")
    return con


def both(con: duckdb.DuckDBPyConnection, expression: str) -> float | None:
    """The value of an expression over the table of items, checked to be the same in both rows."""
    (one,), (other,) = con.execute(f"SELECT {expression} FROM items").fetchall()
    assert one == other
    return one


ORDER_OF_TWO = (1 + 7 / math.log2(3)) / (7 + 1 / math.log2(3))  # NDCG of relevances 1 and 3 in this order
# Long lists take another path than short ones: a and 999 NULLs, a, b.
MANY = "list_concat(list_resize([a], 1000), [a, b])"
#: Values of expressions over three different items, the last of which may be NULL.
FOUND: dict[str, float] = {
    "average_precision([c, NULL, b, a], [a, b])": (1 / 3 + 2 / 4) / 2,
    "mrr([NULL, a, b], [b])": 1 / 3,
    "ndcg([b, a], [{'rel': 3, 'item': a}, {'rel': 1, 'item': b}])": ORDER_OF_TWO,
    "ndcg([b, a], MAP([a, b], [3, 1]))": ORDER_OF_TWO,
    "rankdcg([b, a], MAP([a, b], [3, 1]))": 0,
    "rankdcg([a, b], MAP([a, b], [3, 1]))": 1,
    "recall_at(array_value(b, NULL, a), array_value(a, b))": 1,
    "recall_at(array_value(b, NULL), [a, b])": 0.5,
    "recall_at([b, NULL], array_value(a, b, a))": 0.5,
    "recall_at([b], array_value({'item': a, 'rel': 1}, {'item': b, 'rel': 1}))": 0.5,
    f"recall_at([a], {MANY})": 0.5,
    f"mrr({MANY}, [b])": 1 / 1002,
    f"precision_at({MANY}, {MANY})": 2 / 1002,  # repeats are irrelevant
}


def test_items_are_found(items: duckdb.DuckDBPyConnection):
    relevant = both(items, "list_unique([a, c, b])")  # 2 if one of the items is NULL
    assert both(items, "recall_at([b, NULL, a], [a, c, NULL, c, b], 2)") == pytest.approx(1 / relevant)
    for expression, expected in FOUND.items():
        assert both(items, expression) == pytest.approx(expected), expression


@pytest.mark.parametrize(
    ("name", "items"),
    [
        ("union", "union_value(a := 1), union_value(a := 2)"),
        ("union", "NULL::UNION(a INTEGER, b VARCHAR), 1::UNION(a INTEGER, b VARCHAR)"),
    ],
)
def test_items_without_an_order_are_refused(con: duckdb.DuckDBPyConnection, way: str, name: str, items: str):
    expected = f"recall_at: items of type {name} cannot be compared"
    assert sentence(con, way, f"recall_at([{items}], [{items}])") == expected
    nested = f"list_transform([{items}], lambda x: [x])"
    assert sentence(con, way, f"recall_at({nested}, {nested})") == expected


# Items of two types

NUMBERS = [*INTEGERS, *DECIMALS]


def test_whole_numbers_and_decimals_are_matched_by_value(con: duckdb.DuckDBPyConnection):
    pairs = [*product(NUMBERS, NUMBERS)]
    equal = ", ".join(f"recall_at([7::{rec}, 9], [7::{truth}])" for rec, truth in pairs)
    other = ", ".join(f"recall_at([7::{rec}, 9], [8::{truth}])" for rec, truth in pairs)
    (hits,) = con.execute(f"SELECT {equal}").fetchall()
    (misses,) = con.execute(f"SELECT {other}").fetchall()
    assert [pair for pair, hit in zip(pairs, hits, strict=True) if hit != 1] == []
    assert [pair for pair, miss in zip(pairs, misses, strict=True) if miss != 0] == []


LARGEST = f"'{2**128 - 1}'::UHUGEINT"
#: Two items, and whether they are equal in DuckDB.
PAIRS = [
    ("1.50::DECIMAL(9,2)", "1.5::DECIMAL(38,37)", True),
    ("-1.5::DECIMAL(4,1)", "1.5::DECIMAL(4,1)", False),
    ("-0.0::DECIMAL(4,1)", "0", True),
    ("1.5::DECIMAL(4,1)", "1", False),
    ("100::DECIMAL(38,0)", "1e2::DECIMAL(9,3)", True),
    ("-1", "18446744073709551615::UBIGINT", False),
    ("-1::TINYINT", "255::UTINYINT", False),
    (f"'{2**127 - 1}'::HUGEINT", f"'{2**127 - 1}'::UHUGEINT", True),
    (LARGEST, LARGEST, True),
    ("1.5::FLOAT", "1.5::DOUBLE", True),
    ("0.1::FLOAT", "0.1::DOUBLE", False),
    ("'nan'::FLOAT", "'nan'::DOUBLE", True),
    ("'nan'::DOUBLE", "'-nan'::DOUBLE", True),
    ("'-0'::DOUBLE", "'0'::FLOAT", True),
    ("'-inf'::DOUBLE", "'inf'::DOUBLE", False),
    ("'a'", f"'a'::{SMALL_ENUM}", True),
    (f"'b'::{SMALL_ENUM}", "'a'", False),
    (f"'c'::{SMALL_ENUM}", f"'c'::{LARGE_ENUM}", True),
    (f"'b'::{LARGE_ENUM}", f"'c'::{SMALL_ENUM}", False),
    ("'a'::ENUM('a', 'b')", "'a'::ENUM('b', 'a')", True),
    ("'a'::ENUM('a', 'b')", "'b'::ENUM('b', 'a')", False),
    ("'a' || chr(0) || 'b'", "'a' || chr(0) || 'c'", False),
    ("'a'", "'A'", False),
    ("'a'", "'a '", False),
    ("'1'::JSON", "'1'", True),
    ("'1 month'::INTERVAL", "'30 days'::INTERVAL", True),
    ("'1 day'::INTERVAL", "'24 hours'::INTERVAL", True),
    ("'1 month'::INTERVAL", "'31 days'::INTERVAL", False),
    ("'2024-01-01 00:00:00+00'::TIMESTAMPTZ", "'2024-01-01 01:00:00+01'::TIMESTAMPTZ", True),
    ("MAP {1: 2, 3: 4}", "MAP {3: 4, 1: 2}", False),
    ("{'a': 1, 'b': 2, 'c': 3}", "{'a': 1, 'b': 2::BIGINT, 'c': 3::TINYINT}", True),
    ("{'a': 1.5::FLOAT, 'b': 2, 'c': 3}", "{'a': 1.5::DOUBLE, 'b': 2, 'c': 3}", True),
    ("{'a': '-0'::DOUBLE, 'b': 2, 'c': 3}", "{'a': 0::DOUBLE, 'b': 2, 'c': 3}", True),
    ("{'a': 'nan'::DOUBLE, 'b': 2, 'c': 3}", "{'a': '-nan'::DOUBLE, 'b': 2, 'c': 3}", True),
    ("{'a': 'x', 'b': 2, 'c': 3}", "{'a': 'x'::ENUM('y', 'x'), 'b': 2, 'c': 3}", True),
    ("{'a': '1 month'::INTERVAL, 'b': 2, 'c': 3}", "{'a': '30 days'::INTERVAL, 'b': 2, 'c': 3}", True),
    ("{'a': NULL::INTEGER, 'b': 2, 'c': 3}", "{'a': NULL::INTEGER, 'b': 2, 'c': 3}", True),
    ("[1, 2]", "[1, 2]::BIGINT[]", True),
    ("[1, 2]", "[1, 2]::INTEGER[2]", True),
    ("['nan'::DOUBLE]", "['-nan'::DOUBLE]", True),
    ("['a', 'b']", "['ab', '']", False),
    ("['a', 'b']", "['a', 'b']::ENUM('a', 'b')[]", True),
    ("MAP {1: 2}", "MAP {1: 2::BIGINT}", True),
]


@pytest.mark.parametrize(("one", "other", "equal"), PAIRS, ids=lambda text: str(text)[:40])
def test_item_equality_is_that_of_sql(con: duckdb.DuckDBPyConnection, one: str, other: str, equal: bool):
    assert value(con, f"{one} IS NOT DISTINCT FROM {other}") is equal
    for rec, truth in [(one, other), (other, one)]:
        assert value(con, f"recall_at([{rec}], [{truth}])") == equal


# DuckDB passes UHUGEINT to Arrow as a signed number.
@pytest.mark.parametrize("way", NATIVE, indirect=True)
def test_the_largest_unsigned_number_is_not_minus_one(con: duckdb.DuckDBPyConnection):
    assert value(con, f"recall_at([{LARGEST}], [-1])") == 0
    assert value(con, f"cg_rels([{LARGEST}])") == 2.0**128


@pytest.mark.parametrize("size", [255, 256, 65_535, 65_536])
def test_dictionaries_of_every_size(con: duckdb.DuckDBPyConnection, size: int):
    """The codes of an ENUM have 8, 16 or 32 bits."""
    con.execute(f"CREATE OR REPLACE TYPE large AS ENUM (SELECT 'item ' || i FROM range({size}) AS t(i))")
    try:
        last = f"'item {size - 1}'"
        hit = f"recall_at(['item 0'::large, {last}::large, NULL], [{last}, 'item 1'])"
        assert value(con, hit) == 0.5
        assert value(con, f"recall_at(['item 1', {last}], [{last}::large, 'item 0'::large, NULL])") == 0.5
        assert value(con, f"precision_at([{last}::large], [{last}::large])") == 1
    finally:
        con.execute("DROP TYPE large")


#: A value of each type that matches only itself, by the name of the type in errors.
KINDS = {
    "integer": "1",
    "float": "1::DOUBLE",
    "text": "'a'",
    "boolean": "true",
    "blob": "'a'::BLOB",
    "bit": "'1'::BIT",
    "bignum": "1::BIGNUM",
    "uuid": "'00000000-0000-0000-0000-000000000001'::UUID",
    "date": "'2024-01-01'::DATE",
    "time": "'10:00:00'::TIME",
    "time with time zone": "'10:00:00+00'::TIMETZ",
    "timestamp": "'2024-01-01'::TIMESTAMP",
    "timestamp(s)": "'2024-01-01'::TIMESTAMP_S",
    "timestamp(ms)": "'2024-01-01'::TIMESTAMP_MS",
    "timestamp(ns)": "'2024-01-01'::TIMESTAMP_NS",
    "timestamp with time zone": "'2024-01-01'::TIMESTAMPTZ",
    "interval": "'1 day'::INTERVAL",
    "list of integer": "[1]",
    "list of text": "['a']",
    "map(integer, text)": "MAP {1: 'a'}",
}
#: The names of these types in errors, for the data that DuckDB passes to an Arrow UDF by default.
IN_ARROW = {"uuid": "text", "bit": "blob", "bignum": "blob", "time with time zone": "time"}


@pytest.mark.parametrize("rec", KINDS)
def test_items_of_different_types_are_refused(con: duckdb.DuckDBPyConnection, way: str, rec: str):
    names = IN_ARROW if way == "udf" else {}
    for truth in KINDS.keys() - {rec}:
        got = names.get(rec, rec), names.get(truth, truth)
        if got[0] != got[1]:
            expected = f"{ONE_TYPE} {got[0]} and {got[1]}"
            assert sentence(con, way, f"mrr([{KINDS[rec]}], [{KINDS[truth]}])") == f"mrr: {expected}"
            judged = f"[{{'item': {KINDS[truth]}, 'rel': 1}}]"
            assert sentence(con, way, f"mrr([{KINDS[rec]}], {judged})") == f"mrr: {expected}"


def test_decimals_and_structs_are_refused_beside_other_types(con: duckdb.DuckDBPyConnection, way: str):
    one_type = f"mrr: {ONE_TYPE} "
    struct, other = "{'a': 1, 'b': 'x', 'c': 2.5}", "{'a': 1, 'b': 'x', 'd': 2.5}"
    in_words = "struct(a integer, b text, c decimal)"
    assert sentence(con, way, "mrr([1.5], ['a'])") == f"{one_type}decimal and text"
    assert sentence(con, way, "mrr([1.5], [1.5::FLOAT])") == f"{one_type}decimal and float"
    assert sentence(con, way, f"mrr([{struct}], ['a'])") == f"{one_type}{in_words} and text"
    assert sentence(con, way, f"mrr([1], [{struct}])") == f"{one_type}integer and {in_words}"
    assert sentence(con, way, f"mrr([{struct}], [{other}])") == (
        f"{one_type}{in_words} and struct(a integer, b text, d decimal)"
    )


ARROW_SETTINGS = ["arrow_large_buffer_size", "produce_arrow_string_view", "arrow_output_list_view"]


@pytest.fixture(params=ARROW_SETTINGS)
def arrow(
    request: pytest.FixtureRequest, con: duckdb.DuckDBPyConnection
) -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection with a setting that changes the Arrow types that UDFs receive."""
    con.execute(f"SET {request.param} = true")
    yield con
    con.execute(f"RESET {request.param}")


@pytest.mark.parametrize("way", ["udf"])
def test_settings_for_arrow_change_no_result(arrow: duckdb.DuckDBPyConnection):
    for expression, expected in [
        ("recall_at([1, 2], [2::HUGEINT, 3])", 0.5),
        ("recall_at(['a', 'more than twelve bytes'], ['more than twelve bytes', 'b'])", 0.5),
        ("recall_at(['a'::ENUM('a', 'b')], ['a', 'b'])", 0.5),
        ("recall_at(['a'::BLOB], ['a'::BLOB])", 1),
        ("recall_at(['1'::BIT], ['1'::BIT, '0'])", 0.5),
        ("recall_at([1.5], [1.50])", 1),
        ("recall_at([[1, 2]], [[1, 2]])", 1),
        ("recall_at(['a']::VARCHAR[1], MAP {'a': 1, 'b': 2})", 0.5),
        ("cg_rels([1.5, 2.25])", 3.75),
        ("cg_rels([7::HUGEINT])", 7),
        ("hit_rate(['a'], [{'item': 'a', 'rel': 1}], 1, 'min_rel=1')", 1),
    ]:
        assert value(arrow, expression) == expected, expression


# Relevances


@pytest.mark.parametrize("name", [*NUMBERS, "FLOAT", "DOUBLE"])
def test_relevances_of_every_type_of_number(con: duckdb.DuckDBPyConnection, name: str):
    rels = [f"{rel}::{name}" for rel in (5, 2, 4, 1, 3)]
    expected = pytest.approx(0.9187707805346093)
    truth = ", ".join(sorted(rels))
    assert value(con, f"ndcg([{', '.join(f'row({rel})' for rel in rels)}], [{truth}], 3)") == expected
    items = ", ".join(f"'{item}'" for item in "abcde")
    assert value(con, f"ndcg([{items}], MAP([{items}], [{', '.join(rels)}]), 3)") == expected
    judged = ", ".join(f"{{'item': '{item}', 'rel': {rel}}}" for item, rel in zip("abcde", rels, strict=True))
    assert value(con, f"ndcg([{items}], [{judged}], 3)") == expected
    assert value(con, f"ndcg_rels([{', '.join(rels)}], 3)") == expected
    expected = pytest.approx(reference.evaluate_scored("rankdcg", [5, 2, 4, 1, 3], [1, 3, 2, 4, 5]))
    assert value(con, f"rankdcg([{', '.join(rels)}], [1, 3, 2, 4, 5])") == expected
    assert value(con, f"rankdcg([5, 2, 4, 1, 3], [{', '.join(rels)}])") == 1


@pytest.mark.parametrize("name", [*DECIMALS, "FLOAT", "DOUBLE"])
def test_relevances_may_have_places(con: duckdb.DuckDBPyConnection, name: str):
    assert value(con, f"cg_rels([2.5::{name}, NULL, 0.5])") == 3
    assert value(con, f"cg(['a', 'b'], MAP {{'a': 2.5::{name}, 'b': 0.5}})") == 3
    if name in DECIMALS:  # a decimal is read as the nearest number
        assert value(con, f"[cg_rels([0.1::{name}]), cg_rels([0.3::{name}])]") == [0.1, 0.3]


def test_a_wide_decimal_is_read_as_the_nearest_number(con: duckdb.DuckDBPyConnection):
    assert value(con, "cg_rels(['12345678901234567.89'::DECIMAL(38,10)])") == 12345678901234567.89


def test_booleans_tell_relevant_or_not(con: duckdb.DuckDBPyConnection):
    for truth in [
        "MAP {'a': true, 'b': false}",
        "[{'item': 'a', 'rel': true}, {'item': 'b', 'rel': false}, {'item': 'c', 'rel': NULL}]",
        "[row('b', false), row('a', true)]",
    ]:
        assert value(con, f"recall_at(['b', 'a'], {truth}, 1)") == 0
        assert value(con, f"ndcg(['b', 'a'], {truth})") == pytest.approx(1 / math.log2(3))
        assert value(con, f"rankdcg(['b', 'a'], {truth})") == 0
    assert value(con, "ndcg([{'rel': false}, {'rel': true}], [true, false])") == pytest.approx(
        1 / math.log2(3)
    )
    assert value(con, "mrr([{'rel': false}, {'rel': true}], [true, false])") == 0.5
    assert value(con, "ndcg_rels([false, true])") == pytest.approx(1 / math.log2(3))
    assert value(con, "rankdcg([0.1, 0.9], [false, true])") == 1


@pytest.mark.parametrize("name", ["VARCHAR", "DATE", "BIGNUM", "INTEGER[]"])
def test_other_types_are_no_relevances(con: duckdb.DuckDBPyConnection, way: str, name: str):
    called = {"VARCHAR": "text", "DATE": "date", "BIGNUM": "bignum", "INTEGER[]": "list of integer"}[name]
    if way == "udf":
        called = IN_ARROW.get(called, called)
    rel = f"NULL::{name}"
    for expression, expected in [
        (f"ndcg(['a'], MAP {{'a': {rel}}})", f"truth must map items to numbers, got values of type {called}"),
        (
            f"ndcg(['a'], [{{'item': 'a', 'rel': {rel}}}])",
            f"the relevances in truth must be numbers, got the fields (item text, rel {called})",
        ),
        (
            f"ndcg([{{'rel': {rel}}}], [1, 2])",
            f"the relevances in rec must be numbers, got the fields (rel {called})",
        ),
    ]:
        assert sentence(con, way, expression) == f"ndcg: {expected}"
    assert (
        sentence(con, way, f"ndcg_rels([{rel}])")
        == f"ndcg_rels: rels must be a list of numbers, got list of {called}"
    )


# Scores

#: Types with values that floating point does not tell apart, each with the digits of the least of some
#: neighbouring values.
NEIGHBOURS = {
    "BIGINT": 2**62,
    "UBIGINT": 2**64 - 9,
    "HUGEINT": 1 - 2**127,
    "UHUGEINT": 2**128 - 9,
    "DECIMAL(18,3)": 10**18 - 9,
    "DECIMAL(38,10)": 1 - 10**38,
}


def number(digits: int, name: str) -> str:
    """The number as SQL writes it."""
    places = int(name.rstrip(")").partition(",")[2] or 0)
    return f"'{Decimal(digits).scaleb(-places, Context(prec=50))}'::{name}"


@pytest.mark.parametrize("name", NEIGHBOURS)
def test_scores_are_ranked_exactly(con: duckdb.DuckDBPyConnection, way: str, name: str):
    scores = [NEIGHBOURS[name] + level for level in (3, 1, 4, 1, 5, 2)] + [None]
    rels = [1, 0, 2, 1, 0, 2, 1]
    written = ["NULL" if score is None else number(score, name) for score in scores]
    rows = ", ".join(
        f"({place}, {row[0]}, {row[1]})" for place, row in enumerate(zip(written, rels, strict=True))
    )
    table = f"(VALUES {rows}) AS t(i, s, r)"
    for metric, form in [("ndcg", "ndcg_scored"), ("rankdcg",) * 2, ("roc_auc",) * 2, ("kendall_tau",) * 2]:
        k = 4 if metric == "ndcg" else None
        cut = "" if k is None else f", {k}"
        expected = pytest.approx(reference.evaluate_scored(metric, scores, rels, k), abs=1e-12)
        assert value(con, f"{form}([{', '.join(written)}], {rels}{cut})") == expected, form
        if way != "udf":  # there, aggregates are macros of one connection
            assert value(con, f"{metric}_agg(s, r{cut}) FROM {table}") == expected, metric
    expected = pytest.approx(reference.evaluate_scored("ndcg", scores, rels, 4), abs=1e-12)
    apart = f"(SELECT i, s, NULL AS r FROM {table} UNION ALL SELECT i, NULL, r FROM {table})"
    assert way == "udf" or value(con, f"ndcg_rows(i, s, r, 4) FROM {apart}") == expected


def test_unsigned_scores_above_the_signed_range(con: duckdb.DuckDBPyConnection, way: str):
    least, most = f"{2**63}::UBIGINT", f"{2**64 - 1}::UBIGINT"
    assert value(con, f"cg_rels([{least}, {most}, 1])") == 2.0**63 + 2.0**64 + 1
    assert value(con, f"cg(['a', 'b'], MAP {{'a': {least}, 'b': 1}})") == 2.0**63 + 1
    # Read as signed numbers, the scores would be 1, -2^63 and -1.
    for options in ("", ", 'score_type=float32'"):
        scores = f"[1::UBIGINT, {least}, {most}]"
        assert value(con, f"mrr_scored({scores}, [1, 0, 0]{options})") == pytest.approx(1 / 3), options
        assert value(con, f"mrr_scored({scores}, [0, 0, 1]{options})") == 1, options
        if way != "udf":  # there, aggregates are macros of one connection
            table = f"(VALUES (1, 1::UBIGINT, 1), (2, {least}, 0), (3, {most}, 0)) AS t(i, s, r)"
            assert value(con, f"mrr_agg(s, r{options}) FROM {table}") == pytest.approx(1 / 3), options
            assert value(con, f"mrr_rows(i, s, r{options}) FROM {table}") == pytest.approx(1 / 3), options
    for rec, truth in [(least, f"-{2**63}"), (most, "-1"), (f"-{2**63}", least), ("-1", most)]:
        assert value(con, f"recall_at([{rec}], [{truth}])") == 0
        assert value(con, f"recall_at([{rec}, 5], MAP {{{truth}: 1, 5: 1}})") == 0.5
    assert value(con, f"recall_at([{least}, {most}], [{most}, 7])") == 0.5
    assert value(con, f"recall_at([{most}], ['{2**64 - 1}'::HUGEINT])") == 1


# Forms

REL_NAMES = ["rel", "relevance", "relscore", "grade", "label", "value"]
ITEM_NAMES = ["item", "itemid", "id", "doc", "docid", "docno", "key"]
JUDGED = {"a": 3, "b": 1, "c": 2}
RANKED = "['b', 'x', NULL, 'a']"


def structs(first: str, second: str, swapped: bool = False) -> str:
    """The judgements as structs with two named fields: item and relevance, in one order or the other."""
    pairs = [(f"'{item}'", rel) for item, rel in JUDGED.items()]
    entries = [(rel, item) if swapped else (item, rel) for item, rel in pairs]
    return "[{}]".format(", ".join(f"{{'{first}': {one}, '{second}': {other}}}" for one, other in entries))


@pytest.mark.parametrize(
    "truth",
    [
        "MAP {'a': 3, 'b': 1, 'c': 2}",
        "map_from_entries([('a', 3), ('b', 1), ('c', 2)])",
        "MAP {'a': 3, 'b': 1, 'c': 2, 'd': NULL}",
        "[row('a', 3), row('b', 1), row('c', 2)]",
        structs("item", "rel") + "::STRUCT(item VARCHAR, rel INTEGER)[3]",
        structs("movie", "stars"),
        structs("movie", "rel"),
        structs("item", "stars"),
        structs("rel", "movie", swapped=True),
        structs("stars", "item", swapped=True),
        structs("DocNo", "RELEVANCE"),
        f"list_concat([NULL, {{'item': NULL, 'rel': 5}}], {structs('item', 'rel')})",
        f"list_concat({structs('item', 'rel')}, [{{'item': 'd', 'rel': NULL}}, NULL])",
        f"list_concat({structs('item', 'rel')}, {structs('item', 'rel')})",
    ],
)
def test_judgements_in_every_form(con: duckdb.DuckDBPyConnection, truth: str):
    for name in ("ndcg", "average_precision", "recall_at", "rankdcg"):
        expected = reference.evaluate(name, ["b", "x", None, "a"], JUDGED)
        assert value(con, f"{name}({RANKED}, {truth})") == pytest.approx(expected, abs=1e-12), name


def test_fields_are_found_by_name_in_any_order(con: duckdb.DuckDBPyConnection):
    expected = reference.evaluate("ndcg", ["b", "x", None, "a"], JUDGED)
    names = list(product(ITEM_NAMES, REL_NAMES))
    calls = [f"ndcg({RANKED}, {structs(item, rel)})" for item, rel in names]
    calls += [f"ndcg({RANKED}, {structs(rel, item, swapped=True)})" for item, rel in names]
    (values,) = con.execute(f"SELECT {', '.join(calls)}").fetchall()
    assert values == pytest.approx([expected] * len(calls))


def test_names_tell_fields_of_one_type_apart(con: duckdb.DuckDBPyConnection):
    # Item 2 has relevance 1, item 1 has relevance 2.
    for truth in ["[{'rel': 1, 'item': 2}, {'rel': 2, 'item': 1}]", "[{'id': 2, 'n': 1}, {'id': 1, 'n': 2}]"]:
        assert value(con, f"cg([2], {truth})") == 1
        assert value(con, f"rankdcg([1, 2], {truth})") == 1


#: Ambiguous types of rec and truth, and the sentence of the error.
UNCLEAR = {
    **{
        (rec, truth): f"cannot tell item from relevance in truth's fields ({fields}): name them item and rel"
        for rec, truth, fields in [
            ("[1]", "[{'n': 1, 'm': 2}]", "n integer, m integer"),
            ("[1]", "[row(1, 2)]", "integer, integer"),
            ("['a']", "[row(2, 'a')]", "integer, text"),
            ("['a']", "[row('a', 'b')]", "text, text"),
        ]
    },
    **{
        (rec, truth): f"cannot tell the relevance among rec's fields ({fields}): name one of them rel"
        for rec, truth, fields in [
            ("[{'n': 1, 'm': 'a'}]", "[1, 2]", "n integer, m text"),
            ("[{'rel': 1, 'grade': 2}]", "[1, 2]", "rel integer, grade integer"),
            ("[{'n': 1}]", "[1, 2]", "n integer"),
        ]
    },
    ("['a']", "[{'id': 'a', 'key': 1}]"): (
        "truth needs one item and one relevance, got the fields (id text, key integer)"
    ),
    ("['a']", "[{'rel': 'a', 'label': 1}]"): (
        "truth needs one item and one relevance, got the fields (rel text, label integer)"
    ),
    ("['a']", "[{'item': 'a', 'rel': 'b'}]"): (
        "the relevances in truth must be numbers, got the fields (item text, rel text)"
    ),
    ("['a']", "[{'item': 'a', 'n': 'b'}]"): (
        "the relevances in truth must be numbers, got the fields (item text, n text)"
    ),
    ("[{'rel': 'a'}]", "[1, 2]"): "the relevances in rec must be numbers, got the fields (rel text)",
    ("[row('a', 1)]", "[1, 2]"): "the relevances in rec must be numbers, got the fields (text, integer)",
    ("['a']", "[{'item': 1, 'rel': 1}]"): f"{ONE_TYPE} text and integer",
    ("['a']", "[{'item': 'a'}]"): f"{ONE_TYPE} text and struct(item text)",
    ("['a']", "[{'item': 'a', 'rel': 1, 'n': 2}]"): (
        f"{ONE_TYPE} text and struct(item text, rel integer, n integer)"
    ),
    ("['a']", "MAP {1: 2}"): f"{ONE_TYPE} text and integer",
    ("['a']", "MAP {'a': 'b'}"): "truth must map items to numbers, got values of type text",
    ("['a']", "3"): "truth must be a list or a map, got integer",
    ("['a']", "'a'"): "truth must be a list or a map, got text",
    ("['a']", "{'item': 'a', 'rel': 1}"): "truth must be a list or a map, got struct(item text, rel integer)",
    ("3", "['a']"): "rec must be a list, got integer; for a row per item, use {name}_agg",
    ("'a'", "['a']"): "rec must be a list, got text",
    ("MAP {'a': 1}", "['a']"): "rec must be a list, got map(text, integer)",
    ("{'a': 1}", "['a']"): "rec must be a list, got struct(a integer)",
    ("{'a': ['a']}", "{'a': ['a']}"): "rec must be a list, got struct(a list of text)",
}


@pytest.mark.parametrize(("rec", "truth"), UNCLEAR)
def test_forms_that_are_unclear_are_refused(con: duckdb.DuckDBPyConnection, way: str, rec: str, truth: str):
    for name in ("ndcg", "recall", "rankdcg"):
        assert (
            sentence(con, way, f"{name}({rec}, {truth})")
            == f"{name}: {UNCLEAR[rec, truth].replace('{name}', name)}"
        )


@pytest.mark.parametrize(
    "entry",
    [
        "{{'rel': {}, 'item': 'a'}}",
        "{{'itemid': 'a', 'relscore': {}}}",
        "row({}, 'a')",
        "row({})",
        "{{'Grade': {}}}",
    ],
)
def test_relevances_in_predicted_order(con: duckdb.DuckDBPyConnection, entry: str):
    rec = "[{}]".format(", ".join(entry.format(rel) for rel in (5, 2, 4, 1, 3)))
    for truth in ["[5, 4, 3, 2, 1]", "[1, 2, NULL, 3, 4, 5]::DOUBLE[]", "array_value(5, 4, 3, 2, 1)"]:
        assert value(con, f"ndcg({rec}, {truth}, 2)") == pytest.approx(0.8128912838590544)
        assert value(con, f"ndcg({rec}, {truth}, 3)") == pytest.approx(0.9187707805346093)


def test_null_relevances_in_predicted_order_take_their_place(con: duckdb.DuckDBPyConnection):
    expected = reference.graded_lists("ndcg", [None, 2, None, 1], [2, None, 1])
    for rec in [
        "[{'rel': NULL}, {'rel': 2}, {'rel': NULL}, {'rel': 1}]",
        "[NULL, {'rel': 2}, NULL, {'rel': 1}]",
    ]:
        assert value(con, f"ndcg({rec}, [2, NULL, 1])") == pytest.approx(expected)
        assert value(con, f"mrr({rec}, [2, NULL, 1])") == 0.5


def test_structs_can_be_items(con: duckdb.DuckDBPyConnection):
    one, two = "{'item': 1, 'rel': 2}", "{'item': 2, 'rel': 2}"
    assert value(con, f"recall_at([{one}], [{one}, {two}, {one}])") == 0.5
    assert value(con, f"recall_at([{one}], [{{'item': {one}, 'rel': 1}}])") == 1
    assert value(con, f"recall_at([{one}], MAP {{{one}: 1, {two}: 1}})") == 0.5


# Empty lists and NULL

STRUCTS = "STRUCT(item VARCHAR, rel INTEGER)[]"
#: Judgements in every form: NULL, without a relevant item, or with 'a' as the only relevant item.
TRUTHS = {
    "null": [
        "NULL",
        *(f"NULL::{kind}" for kind in ("VARCHAR[]", "MAP(VARCHAR, INTEGER)", STRUCTS, "VARCHAR[3]")),
    ],
    "nothing": [
        *["[]", "[NULL]", "[]::VARCHAR[]", "[NULL, NULL]::VARCHAR[]", "[NULL]::VARCHAR[1]"],
        *["MAP {}", "MAP([], [])::MAP(VARCHAR, INTEGER)", "MAP {'a': 0}", "MAP {'a': NULL}"],
        *(
            "MAP(['a', 'b'], [NULL, NULL])::MAP(VARCHAR, INTEGER)",
            f"[]::{STRUCTS}",
            f"[NULL, NULL]::{STRUCTS}",
        ),
        *["[{'item': 'a', 'rel': 0}]", "[{'item': 'a', 'rel': NULL}]", "[{'item': NULL, 'rel': 1}]"],
    ],
    "a": [
        *["['a']", "['a', NULL, 'a']", "['a']::VARCHAR[1]", "MAP {'a': 1}", "MAP {'a': 1, 'b': 0}"],
        *["[{'item': 'a', 'rel': 1}, NULL]", "[row('a', 1)]"],
    ],
}
#: Rankings: empty, without the item 'a', or with 'a'.
RECS = {
    "nothing": ["NULL", "[]", "NULL::VARCHAR[]", "[]::VARCHAR[]", "NULL::VARCHAR[2]"],
    "miss": ["[NULL]", "['b']", "['b', NULL]", "[NULL]::VARCHAR[1]"],
    "a": ["['a']", "['a']::VARCHAR[1]"],
}
AT_ALL = ["precision_at", "recall_at", "f1_at", "hit_rate", "mrr", "average_precision", "ndcg"]


@pytest.mark.parametrize(("judged", "ranked"), list(product(TRUTHS, RECS)))
def test_null_and_empty_lists_in_every_form(con: duckdb.DuckDBPyConnection, judged: str, ranked: str):
    expected = None if judged != "a" else 1 if ranked == "a" else 0
    unless_null = None if judged == "null" else expected or 0
    for truth, rec in product(TRUTHS[judged], RECS[ranked]):
        calls = [f"{name}({rec}, {truth})" for name in AT_ALL]
        (values,) = con.execute(f"SELECT {', '.join(calls)}").fetchall()
        assert values == (expected,) * len(AT_ALL), (rec, truth)
        zero = [f"{name}({rec}, {truth}, 'no_relevant=zero')" for name in AT_ALL]
        (values,) = con.execute(f"SELECT {', '.join(zero)}").fetchall()
        assert values == (unless_null,) * len(AT_ALL), (rec, truth)
        auc = expected if ranked == "nothing" or expected is None else 0.5  # one class in the top k
        assert value(con, f"auc({rec}, {truth})") == auc, (rec, truth)


def test_null_and_empty_lists_of_relevances(con: duckdb.DuckDBPyConnection):
    for rec in ["NULL::STRUCT(rel INTEGER)[]", "[]::STRUCT(rel INTEGER)[]"]:
        assert value(con, f"ndcg({rec}, [2, 1])") == 0
        assert value(con, f"rankdcg({rec}, [2, 1])") == 0
        assert value(con, f"idcg({rec}, [2])") == 3
    for truth in ["NULL", "[]", "[NULL]::INTEGER[]", "[0]", "NULL::INTEGER[]"]:
        assert value(con, f"ndcg([{{'rel': 0}}], {truth})") is None
        assert value(con, f"ndcg_rels({truth})") is None
        assert value(con, f"rankdcg([], {truth})") is None
    assert value(con, "rankdcg(NULL, [2, 1])") == 0
    assert value(con, "rankdcg(['a'], MAP {'a': 1})") is None
    assert value(con, "rankdcg([], MAP {'a': 1, 'b': 2})") == 0
