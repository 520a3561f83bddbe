"""Bad input: the sentence of the error, and a connection that works afterwards."""

from __future__ import annotations

import math
import random
import re
from typing import TYPE_CHECKING, Any

import duckdb
import pytest
from conftest import WAYS, taken
from support.engines import METRICS
from support.forms import call as call_of
from support.sql import sentence, value

from rankdcg_sql import functions, register

if TYPE_CHECKING:
    from collections.abc import Iterator

OLD = int(duckdb.__version__.partition(".")[0]) < 2
GRADES = "a gain for each grade from 0, such as 0:1:3:7"
DENOMINATORS = "truth, min_truth_k, hits, k or min_truth_retrieved"
TYPES = "the items of rec and truth must be of one type, got"
KNOWN = "the options here are"
TWICE = "option 'recall_denominator' is given twice"
JUDGED_TWICE = "truth judges an item twice, with relevance 1 and 2"
WORTHS = "three numbers from -1000000 to 1000000, such as 1:-1:0"
OF_MRR = "min_rel, no_relevant, empty_rec, duplicates, unjudged, convention"
GAIN_OPTIONS = f"gain, discount, idcg, {OF_MRR}"

#: Errors while a query runs: the same sentence on all three ways in.
EXECUTED = {
    # k
    "ndcg([1, 2], [1], 0)": "k must be at least 1, got 0",
    "ndcg([1, 2], [1], -3)": "k must be at least 1, got -3",
    "ndcg([1, 2], [1], (-9223372036854775808)::BIGINT)": "k must be at least 1, got -9223372036854775808",
    "ndcg_rels([1, 2], 0)": "k must be at least 1, got 0",
    "ndcg([1, 2], [1], 'a')": "options are written key=value, separated by commas, got 'a'",
    "ndcg([1, 2], [1], '3')": "options are written key=value, separated by commas, got '3'",
    "rankdcg([1, 2], [2, 1], 3)": "takes no k, got 3",
    "rankdcg([1, 2], [2, 1], 3, 'ties=average')": "takes no k, got 3",
    "r_precision([1, 2], [2, 1], 3)": "takes no k, got 3",
    "roc_auc([1, 2], [2, 1], 3)": "takes no k, got 3",
    "ndcg([1], [1], 1000001, 'idcg=k')": (
        "k must be at most 1000000 if the ideal order has k items, got 1000001"
    ),
    "sdcg([1], [1], 1000001, 'max_rel=1')": (
        "k must be at most 1000000 if the ideal order has k items, got 1000001"
    ),
    "bpm([1], [1], 'max_rel=1, t=0')": "t must be a number above 0, got '0'",
    "inst_scored([0 FOR i IN range(60)], [i % 3 FOR i IN range(60)], 'max_rel=2')": (
        "too many tied items differ in relevance to compute the expected value over their orders: give "
        "ties=pessimistic or ties=optimistic, or a smaller k to a metric that takes one"
    ),
    "ndcg([1], [1], 4611686018427387904, 'idcg=k')": (
        "k must be at most 1000000 if the ideal order has k items, got 4611686018427387904"
    ),
    # relevances
    "ndcg(['a'], MAP {'a': 'nan'::DOUBLE})": "relevance in truth must be finite, got NaN",
    "ndcg(['a'], MAP {'a': 'inf'::DOUBLE})": "relevance in truth must be finite, got inf",
    "ndcg(['a'], [{'item': 'a', 'rel': '-inf'::FLOAT}])": "relevance in truth must be finite, got -inf",
    "ndcg(['a'], MAP {'a': -1})": "relevance in truth must not be negative, got -1",
    "recall_at(['a'], MAP {'a': -0.5})": "relevance in truth must not be negative, got -0.5",
    "ndcg([{'rel': -2}], [1])": "relevance in rec must not be negative, got -2",
    "ndcg([{'rel': 'nan'::FLOAT}], [1])": "relevance in rec must be finite, got NaN",
    "rankdcg([1, 2], [1, 'nan'::DOUBLE])": "relevance in rels must be finite, got NaN",
    "rankdcg(['nan'::DOUBLE, 2], [1, 2])": "scores must not be NaN, got NaN",
    "ndcg(['a'], MAP {'a': 2000})": "relevance 2000 is too large: its gain must be at most 1e300",
    "ndcg(['b'], MAP {'a': 1, 'b': 4}, 'gain=0:1:3')": (
        "relevance must be a grade from 0 to 2 of the gains given, got 4"
    ),
    "ndcg(['a'], MAP {'a': 0.5}, 'gain=0:1:3')": (
        "relevance must be a grade from 0 to 2 of the gains given, got 0.5"
    ),
    "ndcg(['a'], [{'item': 'a', 'rel': 1}, {'item': 'a', 'rel': 2}])": JUDGED_TWICE,
    "ndcg(['a'], [{'item': 'a', 'rel': 2}, {'item': 'a', 'rel': 1}])": JUDGED_TWICE,
    # lists
    "recall([1], ['a'])": f"{TYPES} integer and text",
    "recall([1.5], [1.5::DOUBLE])": f"{TYPES} decimal and float",
    "rankdcg([1, 2, 3], [2, 1])": "scores and rels must be of equal length, got 3 and 2",
    "rankdcg([1, 2, 3], [])": "scores and rels must be of equal length, got 3 and 0",
    "rankdcg(['a'], ['a', 'b'])": (
        "needs graded truth: a map or structs of item and relevance, or two lists of numbers, "
        "got lists of text and text"
    ),
    "mrr(1, [1])": "rec must be a list, got integer; for a row per item, use mrr_agg",
    "mrr([1], 1)": "truth must be a list or a map, got integer",
    "dcg_rels('a')": "rels must be a list of numbers, got text",
    "dcg_rels(['a'])": "rels must be a list of numbers, got list of text",
    "recall([1], [], 'no_relevant=error')": "truth has no relevant item, and no_relevant=error",
    # options
    "err([1], [1])": "max_rel must be given, the highest possible grade, such as max_rel=4",
    "err([1], [1], 2, 'max_rel=0.5')": "max_rel must be unset or a number from 1 to 100, got '0.5'",
    "err(['a'], MAP {'a': 5}, 'max_rel=4')": "relevance in truth must be at most max_rel=4, got 5",
    "err_scored([1], [5], 'max_rel=4')": "relevance in rels must be at most max_rel=4, got 5",
    "err_scored([0 FOR i IN range(60000)], [1 + i % 2 FOR i IN range(60000)], 'max_rel=4')": (
        "too many tied items differ in relevance to compute the expected value over their orders: give "
        "ties=pessimistic or ties=optimistic, or a smaller k to a metric that takes one"
    ),
    "rbp([1], [1], 'p=1')": "p must be a number between 0 and 1, got '1'",
    "kendall_tau([1], [1], 'ties=average')": f"unknown option 'ties', {KNOWN} score_type, convention",
    "kendall_tau(['nan'::DOUBLE], [NULL])": "scores must not be NaN, got NaN",
    "roc_auc([1], [-1])": "relevance in rels must not be negative, got -1",
    "roc_auc([1], [1, 0])": "scores and rels must be of equal length, got 1 and 2",
    "roc_auc(['a'], [1])": "scores must be a list of numbers, got list of text",
    "mrr_scored([1], [1], 'ties=item_asc')": "ties=item_asc needs items: use rank_metrics_rows",
    "rankdcg([1], [1], 'ties=item_desc')": "ties=item_desc needs items: use rank_metrics_rows",
    "ndcg_scored([1], [1], 'convention=trec_eval')": (
        "convention=trec_eval breaks ties by item: use rank_metrics_rows or evaluate"
    ),
    "ndcg([1], [1], 'convention=ranx,convention=ranx')": "option 'convention' is given twice",
    "ndcg([1], [1], 'gian=linear')": f"unknown option 'gian', {KNOWN} {GAIN_OPTIONS}",
    "mrr([1], [1], 'gain=linear')": (f"unknown option 'gain', {KNOWN} {OF_MRR}"),
    "mrr([1], [1], 'denominator=k')": (f"unknown option 'denominator', {KNOWN} {OF_MRR}"),
    "rankdcg([1], [1], 'k=3')": (
        f"unknown option 'k', {KNOWN} empty_rec, unjudged, ties, score_type, convention"
    ),
    "recall([1], [1], 1, 'denominator=hits')": "recall_denominator must be truth or min_truth_k, got 'hits'",
    "average_precision([1], [1], 'denominator=x')": f"ap_denominator must be {DENOMINATORS}, got 'x'",
    "ndcg([1], [1], 'gain=cubic')": f"gain must be exp2, linear, binary or {GRADES}, got 'cubic'",
    "ndcg([1], [1], 'gain=0:x')": f"gain must be exp2, linear, binary or {GRADES}, got '0:x'",
    "ndcg([1], [1], 'gain=0:-1')": f"gain must be exp2, linear, binary or {GRADES}, got '0:-1'",
    "ndcg([1], [1], 'gain=')": f"gain must be exp2, linear, binary or {GRADES}, got ''",
    "f1([1], [1], 'beta=0')": "beta must be a number above 0, up to 1000, got '0'",
    "iprec([1], [1], 'recall=1.5')": "recall must be a number from 0 to 1, got '1.5'",
    "utility([1], [1], 'worth=1:2')": f"worth must be {WORTHS}, got '1:2'",
    "utility([1], [1], 'worth=1:2:1e7')": f"worth must be {WORTHS}, got '1:2:1e7'",
    "bpref([1], [1], 5)": "takes no k, got 5",
    "ndcg([1], [1], 'unjudged=keep')": "unjudged must be zero or skip, got 'keep'",
    "ndcg([1], [1], 'min_rel=0')": "min_rel must be unset or a number above 0, got '0'",
    "ndcg([1], [1], 'min_rel=nan')": "min_rel must be unset or a number above 0, got 'nan'",
    "ndcg([1], [1], 'min_rel=2')": "min_rel needs gain=binary here: with other gains every relevance counts",
    "ndcg([1], [1], 'gain=linear, gain=linear')": "option 'gain' is given twice",
    "recall([1], [1], 'denominator=truth,recall_denominator=truth')": TWICE,
    "recall([1], [1], 'denominator=truth,denominator=min_truth_k')": TWICE,
    "ndcg([1], [1], 'gain')": "options are written key=value, separated by commas, got 'gain'",
    "ndcg([1], [1], 'gain=exp2,')": "options are written key=value, separated by commas, got ''",
    "ndcg([1], [1], 'gain=exp2;discount=ln')": (
        f"gain must be exp2, linear, binary or {GRADES}, got 'exp2;discount=ln'"
    ),
    "ndcg([1], [1], 'gain=a' || chr(0) || 'b')": (
        rf"gain must be exp2, linear, binary or {GRADES}, got 'a\0b'"
    ),
    "ndcg([1], [1], chr(0))": r"options are written key=value, separated by commas, got '\0'",
    "ndcg([1], [1], 'gäin=exp2')": f"unknown option 'gäin', {KNOWN} {GAIN_OPTIONS}",
}

#: Errors when a query is bound. DuckDB itself refuses calls of functions with typed overloads, and names the
#: types of the arguments. An Arrow UDF takes any arguments, and the function refuses them.
BOUND = {
    "ndcg([1])": ("INTEGER[])'", "takes 2 to 4 arguments (rec, truth[, k[, options]]), got 1"),
    "ndcg([1], [1], 1, '', '')": (
        "INTEGER[], INTEGER[], ",
        "takes 2 to 4 arguments (rec, truth[, k[, options]]), got 5",
    ),
    "rankdcg([1], [1], 1, '', '')": (
        "INTEGER[], INTEGER[], ",
        "takes 2 to 3 arguments (rec, truth[, options]), got 5",
    ),
    "ndcg_rels([1], 1, '', '')": ("INTEGER[], ", "takes 1 to 3 arguments (rels[, k[, options]]), got 4"),
    "ndcg([1], [1], 2.5)": ("INTEGER[], INTEGER[], DECIMAL(2,1))'", "k must be an integer, got decimal"),
    "ndcg([1], [1], 2::DOUBLE)": ("INTEGER[], INTEGER[], DOUBLE)'", "k must be an integer, got float"),
    "ndcg([1], [1], true)": ("INTEGER[], INTEGER[], BOOLEAN)'", "k must be an integer, got boolean"),
    "ndcg([1], [1], [1])": ("INTEGER[], INTEGER[], INTEGER[])'", "k must be an integer, got list of integer"),
    "ndcg([1], [1], DATE '2024-01-01')": ("INTEGER[], INTEGER[], DATE)'", "k must be an integer, got date"),
    "ndcg([1], [1], 1, 2)": ("INTEGER[], INTEGER[], ", "options must be one text after k, got integer"),
    "ndcg([1], [1], 'idcg=k', 1)": (
        "INTEGER[], INTEGER[], ",
        "options must be one text after k, got integer",
    ),
}


@pytest.fixture
def con(way: str, kept: dict[str, duckdb.DuckDBPyConnection]) -> Iterator[duckdb.DuckDBPyConnection]:
    """Open a connection that has the functions by one of the ways. No test here creates a macro."""
    yield from taken(way, kept)


@pytest.fixture(autouse=True)
def works_afterwards(con: duckdb.DuckDBPyConnection) -> Iterator[None]:
    """The connection, its tables and the functions still work."""
    con.execute("CREATE TEMP TABLE kept AS SELECT [1, 3, 2, 6] AS rec, [1, 2, 4] AS truth")
    yield
    (found,) = con.execute("SELECT ndcg(rec, truth, 2) FROM kept").fetchall()
    assert found == (pytest.approx(0.6131471927654584),)


def name_of(expression: str) -> str:
    return expression.partition("(")[0]


@pytest.mark.parametrize("expression", EXECUTED, ids=lambda text: text[:60])
def test_error_found_while_a_query_runs(con: duckdb.DuckDBPyConnection, way: str, expression: str):
    expected = f"{name_of(expression)}: {EXECUTED[expression]}"
    assert sentence(con, way, expression) == expected
    # The same error occurs if the arguments are columns of a table instead of constants.
    arguments = arguments_of(expression)
    columns = ", ".join(f"{argument} AS a{index}" for index, argument in enumerate(arguments))
    con.execute(f"CREATE TEMP TABLE bad AS SELECT {columns} FROM range(3)")
    call = f"{name_of(expression)}({', '.join(f'a{index}' for index in range(len(arguments)))})"
    assert sentence(con, way, f"{call} FROM bad") == expected
    assert con.execute(f"SELECT TRY({call}) FROM bad").fetchall() == [(None,)] * 3


def arguments_of(expression: str) -> list[str]:
    """The arguments of a call, split at the commas outside of brackets and texts."""
    inside = expression[expression.index("(") + 1 : -1]
    parts, depth, quoted = [""], 0, False
    for character in inside:
        quoted ^= character == "'"
        if not quoted:
            depth += (character in "([{") - (character in ")]}")
        if character == "," and depth == 0 and not quoted:
            parts.append("")
        else:
            parts[-1] += character
    return parts


@pytest.mark.parametrize("expression", BOUND)
def test_error_found_when_a_query_is_bound(con: duckdb.DuckDBPyConnection, way: str, expression: str):
    types, by_udf = BOUND[expression]
    if way == "udf":
        assert sentence(con, way, expression) == f"{name_of(expression)}: {by_udf}"
        return
    by_duckdb = f"No function matches the given name and argument types '{name_of(expression)}({types}"
    with pytest.raises(duckdb.BinderException, match=re.escape(by_duckdb)):
        con.execute(f"SELECT {expression}")


def test_options_before_k(con: duckdb.DuckDBPyConnection, way: str):
    expression = "ndcg([1], [1], 'idcg=k', 'gain=linear')"
    if way == "udf":
        assert sentence(con, way, expression) == "ndcg: options must be one text after k, got text"
        return
    with pytest.raises(duckdb.ConversionException, match="Could not convert string 'idcg=k' to INT64"):
        con.execute(f"SELECT {expression}")


def test_wide_integers_as_k(con: duckdb.DuckDBPyConnection, way: str):
    if way == "udf":
        expected = "ndcg: k must be an integer of 64 bits, got a wider one"
        assert sentence(con, way, "ndcg([1], [1], 1::HUGEINT)") == expected
        assert value(con, "mrr([2, 1], [1], 1::UBIGINT)") == 0
        assert value(con, f"mrr([2, 1], [1], {2**64 - 1}::UBIGINT)") == 0.5
        return
    for k in ("1::HUGEINT", "1::UBIGINT"):
        with pytest.raises(duckdb.BinderException, match="No function matches"):
            con.execute(f"SELECT ndcg([1], [1], {k})")


def test_no_argument_at_all_and_named_arguments(con: duckdb.DuckDBPyConnection, way: str):
    with pytest.raises(duckdb.BinderException, match="No function matches"):
        con.execute("SELECT ndcg()")
    if way == "udf":  # DuckDB does not pass the name to an Arrow UDF, so it is ignored
        assert value(con, "ndcg([2, 1], [1], k := 1)") == 0
    elif not OLD:
        with pytest.raises(duckdb.BinderException, match="No function matches"):
            con.execute("SELECT ndcg([2, 1], [1], k := 1)")


def test_error_names_the_function_as_it_was_called(con: duckdb.DuckDBPyConnection, way: str):
    from conftest import AGGREGATING

    if way not in AGGREGATING:
        register(con)  # macros belong to one connection
    for function in functions():
        if way not in AGGREGATING and function.is_native_only:
            continue
        if function.output == "measures":  # a text alone has the measures
            continue
        for name in function.names:
            expected = f"{name}: unknown option 'nonsense', {KNOWN} "
            assert sentence(con, way, call_of(function, "'nonsense=1'", name=name)).startswith(expected)


def test_one_bad_row_among_many(con: duckdb.DuckDBPyConnection, way: str):
    con.execute("CREATE TEMP TABLE rows AS SELECT i, if(i = 3000, 0, 2) AS k FROM range(5000) AS t(i)")
    call = "ndcg([1, i], [i], k)"
    assert sentence(con, way, f"sum({call}) FROM rows") == "ndcg: k must be at least 1, got 0"
    found = con.execute(f"SELECT count(*), max({call}) FROM rows WHERE i <> 3000 AND i > 1").fetchall()
    assert found == [(4997, pytest.approx(1 / math.log2(3)))]
    (found,) = con.execute(
        f"SELECT count(*), count(TRY({call})), any_value(i) FILTER (TRY({call}) IS NULL) FROM rows"
    ).fetchall()
    assert found == (5000, 4999, 3000)
    with pytest.raises(duckdb.InvalidInputException, match="k must be at least 1, got 0"):
        con.execute(f"CREATE TEMP TABLE made AS SELECT {call} FROM rows")
    assert con.execute("SELECT count(*) FROM duckdb_tables() WHERE table_name = 'made'").fetchall() == [(0,)]


def test_bad_options_in_a_column(con: duckdb.DuckDBPyConnection, way: str):
    con.execute(
        "CREATE TEMP TABLE rows AS SELECT i, if(i = 7, 'gain=x', 'gain=linear') AS o FROM range(9) AS t(i)"
    )
    expected = f"ndcg: gain must be exp2, linear, binary or {GRADES}, got 'x'"
    assert sentence(con, way, "ndcg([i], [i], o) FROM rows") == expected
    assert value(con, "sum(ndcg([i], [i], o)) FROM rows WHERE i < 7") == 7


# Extremes


@pytest.mark.parametrize("k", [2**31, 2**32, 2**62, 2**63 - 1])
def test_k_may_be_huge(con: duckdb.DuckDBPyConnection, k: int):
    for name in (*METRICS, "dcg"):
        assert value(con, f'"{name}"([1, 2, 3], [2, 3], {k})') == value(con, f'"{name}"([1, 2, 3], [2, 3])')
    assert value(con, f"precision_at([1, 2], [2], {k}, 'denominator=k')") == pytest.approx(1 / k)
    assert value(con, f"average_precision([1, 2], [2], {k}, 'denominator=k')") == pytest.approx(0.5 / k)
    assert value(con, f"auc([1, 2], [1], {k}, 'auc_pairs=k')") == pytest.approx(1 / (k - 1))


def test_idcg_of_k_ranks(con: duckdb.DuckDBPyConnection):
    ideal = math.fsum(1 / math.log2(rank + 1) for rank in range(1, 1_000_001))
    assert value(con, "ndcg([1], [1], 1000000, 'idcg=k')") == pytest.approx(1 / ideal)


@pytest.mark.parametrize("rel", ["1e300", "1.7976931348623157e308"])
def test_relevances_may_be_large_but_not_sums_infinite(con: duckdb.DuckDBPyConnection, way: str, rel: str):
    calls = [f"cg_rels([{rel}, {rel}]::DOUBLE[])", f"ndcg_rels([1, {rel}]::DOUBLE[], 'gain=linear')"]
    for call in calls:
        if float(rel) > 1e300:
            assert sentence(con, way, call).endswith(" is too large: its gain must be at most 1e300")
        else:
            assert math.isfinite(value(con, call))
    assert sentence(con, way, f"ndcg_rels([1, {rel}]::DOUBLE[])").endswith(
        " is too large: its gain must be at most 1e300"
    )
    assert value(con, f"recall_at([1, 2], MAP {{1: {rel}::DOUBLE}})") == 1
    assert value(con, f"rankdcg([1, 2], [{rel}, -{rel}]::DOUBLE[])") == 0


def test_largest_gain_of_a_grade(con: duckdb.DuckDBPyConnection):
    # 2^rel - 1 is exact for whole numbers up to 53, and finite up to 996.
    for rel in (52, 53, 60, 996):
        assert value(con, f"dcg_rels([{rel}])") == pytest.approx(2.0**rel - 1)


def test_smallest_relevances(con: duckdb.DuckDBPyConnection):
    for rel in ("5e-324", "1e-310", "1e-20"):
        assert value(con, f"recall_at([1], MAP {{1: {rel}::DOUBLE}})") == 1
        assert value(con, f"ndcg([1], MAP {{1: {rel}::DOUBLE}})") == 1
        assert value(con, f"ndcg_rels([0, {rel}]::DOUBLE[], 'gain=linear')") <= 1


def test_ndcg_of_nearly_equal_relevances_is_at_most_1(con: duckdb.DuckDBPyConnection):
    # The two sums differ in the last bits only, so rounding decides which one is larger.
    some, more, most = 1.0, 1.0 + 2**-52, 1.0 + 2**-51
    for rels in ([most, more, some, most, some, some], [some, more, most, some], [0.7, 0.1 + 0.6, 0.7]):
        for options in ("gain=linear", "gain=exp2"):
            assert value(con, f"ndcg_rels(?, '{options}')", [rels]) <= 1, (rels, options)


def test_long_options(con: duckdb.DuckDBPyConnection, way: str):
    grades = ":".join(map(str, range(20_000)))
    assert value(con, f"dcg(['a'], MAP {{'a': 19999}}, 'gain={grades}')") == 19999
    assert value(con, f"ndcg(['a'], ['a'], '{' ' * 100_000}gain=linear')") == 1
    assert value(con, "dcg(['a'], MAP {'a': 2}, ' gain = 0 : 1 : 3 ')") == 3
    for options in (
        "'x' || repeat('y', 1_000_000)",
        "repeat('gain=exp2,', 10_000)",
        "'gain=' || repeat('9', 400)",
    ):
        assert sentence(con, way, f"ndcg([1], [1], {options})").startswith("ndcg: ")


def test_deep_nesting(con: duckdb.DuckDBPyConnection, way: str):
    one, two = "[" * 40 + "1" + "]" * 40, "[" * 40 + "2" + "]" * 40
    assert value(con, f"recall_at([{one}], [{one}, {two}])") == 0.5
    kind = "list of " * 40
    expected = f"mrr: the items of rec and truth must be of one type, got {kind}integer and text"
    assert sentence(con, way, f"mrr([{one}], ['a'])") == expected
    struct = "1"
    for depth in range(40):
        struct = f"{{'a{depth}': {struct}, 'b': 'x', 'c': NULL}}"
    assert value(con, f"recall_at([{struct}], [{struct}, NULL])") == 1


def test_calls_within_calls(con: duckdb.DuckDBPyConnection, way: str):
    assert value(con, "ndcg_rels([recall_at([1], [1]), mrr([2, 1], [1]), ndcg([], [1])])") == 1
    nested = "ndcg_rels([recall_at([1], [1], 0), mrr([2], ['a'])])"
    assert sentence(con, way, nested) == "recall_at: k must be at least 1, got 0"


def test_error_in_a_transaction(con: duckdb.DuckDBPyConnection):
    con.begin()
    con.execute("CREATE TEMP TABLE inside AS SELECT 1 AS x")
    with pytest.raises(duckdb.InvalidInputException):
        con.execute("SELECT ndcg([1], [1], 0)")
    con.rollback()


# Fuzz

#: Items in SQL, by kind. Items of one kind can be in one list, and have the same type on every way in.
POOLS: dict[str, list[str]] = {
    "number": ["1", "2", "3::TINYINT", "4::UINTEGER", "-1", "NULL", "1.5", "2::DECIMAL(18,3)", "5::SMALLINT"],
    "float": ["1::DOUBLE", "2::FLOAT", "'nan'::DOUBLE", "'inf'::DOUBLE", "'-0'::FLOAT", "NULL"],
    "text": ["'a'", "'b'", "'more than twelve bytes'", "''", "NULL", "'a'::ENUM('b', 'a')", "'ä'"],
    "boolean": ["true", "false", "NULL"],
    "date": ["DATE '2024-01-01'", "DATE '1969-12-31'", "NULL"],
    "list": ["[1, 2]", "[]::INTEGER[]", "[NULL]::INTEGER[]", "NULL"],
    "struct": ["{'a': 1, 'b': 'x', 'c': true}", "{'a': 2, 'b': NULL, 'c': false}", "NULL"],
    "rel struct": ["{'rel': 1, 'item': 2}", "{'rel': 0, 'item': 1}", "NULL"],
    "unnamed": ["row(1, 'a')", "row(0, 'b')", "row(3, NULL)"],
}
RELS = ["0", "1", "2", "3", "0.5", "NULL", "5::DOUBLE", "true", "1::UTINYINT", "-1", "'nan'::DOUBLE", "1e300"]
KS = [
    *["1", "2", "3", "10", "NULL"],
    *["0", "-1", "4611686018427387904", "2.5", "'x'", "true", "[1]", "2::UTINYINT"],
]
#: Options that leave values in the range of the catalogue, and texts of wrong options.
TEXTS = [
    *["NULL", "''", "'no_relevant=zero'", "'no_relevant=one'", "'no_relevant=error'", "'one_class=null'"],
    *["'auc_pairs=k'", "'denominator=k'", "'gain=linear'", "'gain=binary, min_rel=2'", "'gain=0:1:2:5'"],
    *["'discount=ln'", "'discount=log2_clip'", "'idcg=retrieved'", "'ap_denominator=min_truth_k'"],
    *["'recall_denominator=min_truth_k'", "'min_rel=0.5'", "'ties=average'", "'ties=optimistic'"],
    *["'gain=x'", "'x'", "',,,'", "'='", "chr(0)", "repeat('gain=exp2,', 9)", "7", "[1]"],
]
CALLS = 1500


def random_call(chance: random.Random) -> str:
    def sample(pool: list[str]) -> list[str]:
        return [chance.choice(pool) for _ in range(chance.choice([0, 1, 2, 3, 5, 40]))]

    def as_list(items: list[str]) -> str:
        text = f"[{', '.join(items)}]"
        return f"array_value({', '.join(items)})" if items and chance.random() < 0.1 else text

    def truth(kind: str) -> str:
        items, form = sample(POOLS[kind]), chance.random()
        if form < 0.4:
            return as_list(items)
        rels = [chance.choice(RELS if chance.random() < 0.1 else RELS[:6]) for _ in items]
        if form < 0.5:
            return as_list(rels)
        entries = list(zip(items, rels, strict=True))
        if form < 0.75:
            return as_list([f"{{'item': {item}, 'rel': {rel}}}" for item, rel in entries])
        if form < 0.9:
            distinct = dict(entry for entry in entries if entry[0] != "NULL")
            return f"MAP([{', '.join(distinct)}], [{', '.join(distinct.values())}])"
        return as_list([f"row({item}, {rel})" for item, rel in entries])

    function = chance.choice([each for each in functions() if not each.is_aggregate])
    kind = chance.choice(list(POOLS))
    other = kind if chance.random() < 0.9 else chance.choice(list(POOLS))
    if function.arguments[0] == "rels":
        arguments = [as_list(sample(RELS[:6])) if chance.random() < 0.9 else as_list(sample(POOLS[kind]))]
    elif function.form == "p_values":
        arguments = [as_list(sample(["NULL", "0", "0.5", "0.5", "1", "0.25", "1.5"]))]
    elif function.form == "blocks":
        blocks = [chance.choices(["NULL", "0", "0.5", "1"], k=chance.choice([3, 3, 3, 2])) for _ in range(3)]
        arguments = [as_list([as_list(block) for block in blocks])]
    elif function.form == "scored":
        size = chance.choice([0, 1, 2, 3, 5, 40])
        rels = RELS if chance.random() < 0.1 else RELS[:6]
        arguments = [as_list(chance.choices(pool, k=size)) for pool in (["NULL", "2", "1.5", "-1"], rels)]
    elif function.form == "values":
        arguments = [as_list(sample(chance.choice([["0.5", "1", "NULL"], RELS, POOLS[kind]])))]
    elif function.form == "rankings":
        arguments = [as_list(sample(POOLS[kind])), as_list(sample(POOLS[other]))]
    else:
        arguments = [as_list(sample(POOLS[kind])), truth(other)]
    for index in range(len(arguments)):
        if chance.random() < 0.05:
            arguments[index] = chance.choice(["NULL", "[]", "3", "'a'", "MAP {1: 1}", "[NULL]", "[[]]"])
    if "ks" in function.arguments:
        arguments.append(f"[{', '.join(chance.choices(KS[:5], k=chance.choice([0, 1, 1, 2])))}]")
    elif chance.random() < 0.6:
        arguments.append(chance.choice(KS if chance.random() < 0.3 else KS[:5]))
    if chance.random() < 0.5:
        arguments.append(chance.choice(TEXTS))
    if chance.random() < 0.03:
        arguments = arguments[: chance.randrange(5)] + ["1"] * chance.randrange(3)
    return f'"{chance.choice(function.names)}"({", ".join(arguments)})'


RANGES = {
    "0 to 1": (0.0, 1.0),
    "0 or 1": (0.0, 1.0),
    "0 or more": (0.0, math.inf),
    "-1 to 1": (-1.0, 1.0),
    "any number": (-math.inf, math.inf),
    "0 to 1, or 0 to 2 for vectors": (0.0, 2.0),
    "between the least and the largest value": (-math.inf, math.inf),
    "in the ranges of the measures, or beyond them with its influence": (
        -math.inf,
        math.inf,
    ),
    "items of the ranking": (-math.inf, math.inf),  # an item may have been better for rankdcg elsewhere
}


def numbers(found: Any) -> list[float]:
    """The values in a result of any shape."""
    if isinstance(found, list):
        return [number for each in found for number in numbers(each)]
    if isinstance(found, dict):
        return [each for name, each in found.items() if name != "k" and each is not None]
    return [] if found is None else [found]


def outcome(con: duckdb.DuckDBPyConnection, call: str) -> tuple[str, Any]:
    """The value of a call, the sentence of its error, or "refused" if DuckDB refused the call itself."""
    try:
        return "value", value(con, call)
    except duckdb.InvalidInputException as error:
        text = str(error).split("\n\nAt:\n")[0]
        return "error", re.sub("^Invalid Input Error: (Python exception .* ValueError: )?", "", text)
    except (duckdb.BinderException, duckdb.ConversionException, duckdb.NotImplementedException) as error:
        return "refused", str(error)


def test_random_calls(con: duckdb.DuckDBPyConnection, native: duckdb.DuckDBPyConnection, way: str):
    """No call crashes or leaves the range of its function, and every way in gives the same outcome."""
    chance = random.Random(2024)
    scalars = [function for function in functions() if not function.is_aggregate]
    ranges = {name: RANGES[function.range] for function in scalars for name in function.names}
    seen = {"value": 0, "error": 0, "refused": 0}
    for _ in range(CALLS):
        call = random_call(chance)
        kind, found = outcome(con, call)
        seen[kind] += 1
        for number in numbers(found) if kind == "value" else ():
            low, high = ranges[call.split('"')[1]]
            assert low <= number <= high, (call, found)
            assert math.isfinite(number), call
        if kind == "error":
            assert "internal error" not in found, call
        if way == WAYS[0]:
            continue
        by_native = outcome(native, call)
        if way == "udf" and by_native[0] == "refused":  # an Arrow UDF takes any argument
            assert kind != "value", call
        else:
            assert (kind, found) == by_native, call
    # Many of the calls are right, and many are wrong.
    assert seen["value"] > CALLS / 4
    assert seen["error"] > CALLS / 10
