"""The functions of lists in Spark: the numbers, types, NULLs and errors of DuckDB."""

from __future__ import annotations

import doctest
import random
import re
import subprocess
import sys
from collections import defaultdict
from typing import TYPE_CHECKING, Any

import duckdb
import pyarrow as pa
import pytest
from support import golden, random_lists, rankings
from support.engines import Core, Row, Sql, shortest
from support.forms import KEPT_AS_OTHERS, assert_same_arguments
from support.spark import Call, evaluate, rows, sentence

import rankdcg_sql
from rankdcg_sql import CallError

# Without PySpark, the fixture `spark` fails on CI for the tests of tables.
pytest.importorskip("pyspark")

from pyspark.cloudpickle import dumps
from pyspark.errors import PythonException
from pyspark.sql import functions as F  # noqa: N812

import rankdcg_sql.spark
from rankdcg_sql.spark import _udf
from rankdcg_sql.spark import functions as rk

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyspark.sql import SparkSession

#: The names that Spark SQL gets.
NAMES = {
    name for function in rankdcg_sql.functions() if not function.is_native_only for name in function.names
}
KINDS = {"graded": ("map", "structs")}


@pytest.fixture(autouse=True, scope="module")
def registered(spark: SparkSession) -> None:
    rankdcg_sql.spark.register(spark)


def near(expected: float | None) -> Any:
    return None if expected is None else pytest.approx(expected, rel=0, abs=1e-9)


def in_duckdb(query: str) -> list[tuple[Any, ...]]:
    return rankdcg_sql.connect().execute(query).fetchall()


def in_spark(text: str) -> str:
    """An expression of DuckDB with lists as Spark writes them."""
    return text.replace("[", "array(").replace("]", ")")


# Names


def test_no_name_is_one_of_spark(spark: SparkSession) -> None:
    own = {name for (name,) in rows(spark, "SHOW SYSTEM FUNCTIONS")}
    assert len(own) > 400
    assert own & NAMES == set()


def test_every_name_is_registered(spark: SparkSession) -> None:
    registered = {name for (name,) in rows(spark, "SHOW USER FUNCTIONS")}
    assert registered >= NAMES
    assert len(NAMES) > 90
    # Others need what the library has in DuckDB alone.
    others = {name for function in rankdcg_sql.functions() for name in function.names} - NAMES
    assert len(others) > 2
    assert registered & others == set()


def test_a_prefix_and_further_calls(spark: SparkSession) -> None:
    for _ in range(2):
        rankdcg_sql.spark.register(spark, "rk_")
    assert {name for (name,) in rows(spark, "SHOW USER FUNCTIONS")} >= {f"rk_{name}" for name in NAMES}
    query = in_spark("SELECT rk_recall([1, 2], [2, 3]), recall([1, 2], [2, 3])")
    assert rows(spark, query) == [(0.5, 0.5)]


@pytest.mark.parametrize("prefix", ["rk-", "ä", "a.b", 3])
def test_wrong_prefixes(spark: SparkSession, prefix: Any) -> None:
    wanted = "be text" if prefix == 3 else "have letters, digits and underscores only"
    with pytest.raises(TypeError if prefix == 3 else ValueError) as caught:
        rankdcg_sql.spark.register(spark, prefix)
    assert str(caught.value) == f"register: prefix must {wanted}, got {prefix!r}"
    assert caught.value.argument == "prefix"


def test_only_a_session_takes_functions() -> None:
    with pytest.raises(TypeError, match=r"^register: spark must be a Spark session, got str$") as caught:
        rankdcg_sql.spark.register("spark")  # type: ignore[arg-type]
    assert caught.value.argument == "spark"


# Values


def golden_calls() -> dict[str, tuple[golden.Case, str]]:
    """The golden cases with a value, and the kind of lists of each, by a name."""
    named = {}
    for name, case in golden.CASES.items():
        for kind in KINDS.get(case.args[0], (case.args[0],)):
            if case.expected != "error" and kind != "run":
                named[f"{name} {kind}"] = case, kind
    return named


def test_golden_cases_one_by_one(spark: SparkSession) -> None:
    cases = golden_calls()
    calls = [
        Call(case.function, shortest(case.function, kind, Row(case.args[1:], case.k, case.options)))
        for case, kind in cases.values()
    ]
    values = dict(zip(cases, (value for (value,) in evaluate(spark, calls)), strict=True))
    assert values == {name: near(case.expected) for name, (case, _) in cases.items()}
    assert len(values) > 150


def test_golden_errors(spark: SparkSession) -> None:
    wrong = [case for case in golden.CASES.values() if case.expected == "error"]
    assert wrong
    for case in wrong:
        columns = shortest(case.function, case.args[0], Row(case.args[1:], case.k, case.options))
        with pytest.raises(ValueError, match=f"{case.function}: ") as expected:
            Core().over(case.function, columns)
        with pytest.raises(PythonException) as raised:
            evaluate(spark, [Call(case.function, columns)])
        assert sentence(raised.value) == str(expected.value)


#: The types of `rankings` that Spark has, too.
TYPES = {
    *("int8", "int16", "int32", "int64", "decimal", "wide decimal", "string", "float32", "float64"),
    *("binary", "bool", "date", "timestamp", "struct", "list"),
}


def random_call(chance: random.Random, function: str, kind: str) -> Call:
    """Random rows that are no errors, in types that Spark has."""
    while True:
        batch = rankings.draw(chance, function, kind)
        types = batch.types
        if {types.rec, types.truth, types.score, types.rel} <= TYPES:
            columns = rankings.columns(batch)
            right = [place for place in range(len(batch.rows))[:200] if is_right(function, columns, place)]
            if right:
                return Call(function, [column.take(pa.array(right)) for column in columns])


def is_right(function: str, columns: Sequence[pa.Array], place: int) -> bool:
    try:
        Core().over(function, [column.slice(place, 1) for column in columns])
    except ValueError:
        return False
    return True


def test_random_rankings_are_those_of_duckdb_bit_by_bit(spark: SparkSession) -> None:
    chance = random.Random(3)
    calls = [
        random_call(chance, name, kind)
        for name, function in rankings.FUNCTIONS.items()
        for kind in rankings.kinds(name)
        if kind != "rows" and function.base not in KEPT_AS_OTHERS
    ]
    in_duckdb = Sql(rankdcg_sql.connect())
    for call, values in zip(calls, evaluate(spark, calls), strict=True):
        assert values == in_duckdb.over(call.function, call.columns), call.function
    assert sum(len(call.columns[0]) for call in calls) > 3_000


def test_explanations_are_those_of_duckdb_bit_by_bit(spark: SparkSession) -> None:
    chance, calls = random.Random(4), []
    for metric, name in rankings.EXPLAINED.items():
        *columns, options = random_call(chance, name, "structs").columns
        texts = [f"metric={metric}, {text or ''}".removesuffix(", ") for text in options.to_pylist()]
        calls.append(Call("rank_explain", [*columns, pa.array(texts)]))
    in_duckdb = Sql(rankdcg_sql.connect())
    for call, values in zip(calls, evaluate(spark, calls), strict=True):
        assert values == in_duckdb.over("rank_explain", call.columns)
        assert any(values)


@pytest.mark.parametrize("count", [0, 1, 2049, 10_001])
def test_batches_of_rows(spark: SparkSession, count: int) -> None:
    """Spark's batches have 10,000 rows, and the core reads 2,048 rows at once."""
    table = random_lists.arrow(count, "all") if count else random_lists.SCHEMA.empty_table()
    functions = [each for each in rankdcg_sql.functions() if each.form == "lists" and "k" in each.arguments]
    # The options are those of most metrics: none needs a largest relevance, and repeats count once.
    metrics = [
        each.name
        for each in functions
        if {"duplicates", "no_relevant"} <= {*each.options}
        and "max_rel" not in each.options
        and each.base not in KEPT_AS_OTHERS
    ]
    calls = [f"{name}(rec, {truth}, k, options)" for name in metrics for truth in ("truth", "graded")]
    found = spark.createDataFrame(table).coalesce(1).selectExpr("id", *calls).toArrow()
    expected = rankdcg_sql.connect().sql(f"SELECT id, {', '.join(calls)} FROM 'table'").to_arrow_table()
    assert found.num_rows == count
    for own, others in zip(found.sort_by("id").columns, expected.sort_by("id").columns, strict=True):
        assert own.to_pylist() == others.to_pylist()


def test_results_have_the_types_of_the_catalogue(spark: SparkSession) -> None:
    calls = {
        "ndcg": "ndcg([1], [1])",
        "rank_metrics": "rank_metrics([1], [1])",
        "rank_metrics_at": "rank_metrics_at([1], [1], [1])",
        "corrected_p_values": "corrected_p_values([0.5])",
        "mean_ci": "mean_ci([struct(0.5)])",
    }
    schema = spark.sql(f"SELECT {', '.join(map(in_spark, calls.values()))}").schema
    types = {name: each.dataType.simpleString() for name, each in zip(calls, schema, strict=True)}
    assert types["ndcg"] == "double"
    assert types["corrected_p_values"] == "array<double>"
    assert types["mean_ci"] == "struct<n:bigint,mean:double,low:double,high:double>"
    assert types["rank_metrics"].startswith("struct<k:bigint,precision:double,recall:double,")
    assert types["rank_metrics_at"] == f"array<{types['rank_metrics']}>"


#: Calls with the same meaning in DuckDB, once lists are written as Spark writes them.
SAME = [
    "ndcg([1, 3, 2, 6], [1, 2, 4])",
    "ndcg([1, 3, 2, 6], [1, 2, 4], 2)",
    "ndcg([1, 3, 2, 6], [1, 2, 4], CAST(2 AS BIGINT))",
    "ndcg([1, 3, 2, 6], [1, 2, 4], CAST(2 AS SMALLINT))",
    "ndcg([1, 3, 2, 6], [1, 2, 4], NULL)",
    "ndcg([1, 3, 2, 6], [1, 2, 4], 'discount=ln, idcg=k')",
    "ndcg([1, 3, 2, 6], [1, 2, 4], 2, 'discount=log2_clip')",
    "ndcg([1, 3, 2, 6], [1, 2, 4], NULL, 'idcg=retrieved')",
    "ndcg([1, 3, 2, 6], [1, 2, 4], 2, NULL)",
    "ndcg(NULL, [1])",
    "ndcg([1], NULL)",
    "ndcg([], [1])",
    "ndcg([1], [])",
    "ndcg([1], [], 'no_relevant=zero')",
    "recall([NULL, 1], [1, NULL])",
    "recall([CAST(1 AS INT)], [CAST(1 AS BIGINT), 2])",
    "recall([CAST(1 AS SMALLINT)], [CAST(1 AS DECIMAL(9, 2))])",
    "recall(['a', 'b'], ['b', 'c'])",
    "recall([1.5], [1.50, 2.25])",
    "recall([CAST(1.5 AS FLOAT)], [CAST(1.5 AS DOUBLE)])",
    "recall([CAST('NaN' AS DOUBLE)], [CAST('NaN' AS DOUBLE)])",
    "recall([DATE '2020-01-01'], [DATE '2020-01-01', DATE '2020-01-02'])",
    "recall([TIMESTAMP '2020-01-01 12:00:00'], [TIMESTAMP '2020-01-01 12:00:00'])",
    "recall([TRUE], [TRUE, FALSE])",
    "precision_at([1, 2], [2])",
    "hitrate([1, 2], [2])",
    "rankdcg([4, 4, 2, 9, 2, 2, 1, 1, 1, 1], [9, 4, 4, 2, 2, 2, 1, 1, 1, 1])",
    "roc_auc([0.1, 0.4, 0.35, 0.8, NULL], [0, 0, 1, 1, 1])",
    "ndcg_scored([0.9, 0.5, 0.5], [1, 0, 2], 2, 'ties=optimistic')",
    "ndcg_rels([3, 1, 2, 0, 2], 3)",
    "rank_metrics(['a', 'c', 'b'], ['a', 'b', 'd'], 2)",
    "rank_metrics_at(['a', 'c', 'b'], ['a', 'b', 'd'], [1, NULL, 3])",
    "rank_metrics_at(['a'], ['a'], NULL)",
    "rank_metrics_at(['a'], ['a'], [])",
    "corrected_p_values([0.01, 0.04, NULL], 'correction=bonferroni')",
    "geometric_mean_values([0.25, 1.0, NULL])",
    "tukey_hsd([[0.5, 0.4, 0.8], [0.75, 0.5, 0.9], [0.25, 0.3, 0.6]])",
    "tukey_hsd([[0.5, 0.4, 0.8], [0.75, NULL, 0.9]], 'seed=3')",
    "rbo(['a', 'c', 'b'], ['b', 'a', 'd'], 2, 'p=0.5')",
    "rank_similarity([1, 3, 2], [CAST(3 AS SMALLINT), 1, NULL, 2])",
    "novelty([0.5, NULL, 0.25], 2)",
    "intra_list_diversity([['a', 'b'], ['b', NULL], NULL])",
    "intra_list_diversity([[0.5, 1.5], [-2.5, 0.0]])",
]


def test_calls_have_the_values_of_duckdb(spark: SparkSession) -> None:
    (found,) = rows(spark, f"SELECT {', '.join(map(in_spark, SAME))}")
    (expected,) = in_duckdb(f"SELECT {', '.join(SAME)}")
    assert dict(zip(SAME, found, strict=True)) == dict(zip(SAME, expected, strict=True))


def test_judgements_as_maps_and_structs(spark: SparkSession) -> None:
    (found,) = rows(
        spark,
        """SELECT ndcg(array('a', 'c', 'b'), map('a', 3, 'b', 1, 'd', 2), 2),
            ndcg(array('a', 'c', 'b'), array(struct('a', 3), struct('b', 1), struct('d', 2)), 2),
            ndcg(array('a', 'b'), array(named_struct('rel', 3.0, 'item', 'b'))),
            ndcg(array(struct(5 AS rel), struct(2 AS rel), struct(4 AS rel)), array(5, 4, 3, 2), 2),
            recall(array(x'00', x'01'), array(x'01', x'02')),
            alpha_ndcg(array('a', 'b'), array(named_struct('item', 'b', 'aspect', 1)), 2),
            nrbp(array(named_struct('item', 1, 'score', 1D)), array(named_struct('item', 1, 'aspect', 2)))""",
    )
    expected = in_duckdb(
        """SELECT ndcg(['a', 'c', 'b'], MAP {'a': 3, 'b': 1, 'd': 2}, 2) AS n, n,
            ndcg(['a', 'b'], [{'rel': 3.0, 'item': 'b'}]),
            ndcg([(5, 1), (2, 3), (4, 2)], [5, 4, 3, 2], 2),
            recall(['\\x00'::BLOB, '\\x01'::BLOB], ['\\x01'::BLOB, '\\x02'::BLOB]),
            alpha_ndcg(['a', 'b'], [{'item': 'b', 'aspect': 1}], 2),
            nrbp([{'item': 1, 'score': 1.0}], [{'item': 1, 'aspect': 2}])"""
    )
    assert [found] == expected


def test_arguments_by_name(spark: SparkSession) -> None:
    lists = "array(1, 3, 2, 6), array(1, 2, 4)"
    by_name = "truth => array(1, 2, 4), options => 'discount=ln', rec => array(1, 3, 2, 6)"
    (found,) = rows(
        spark,
        f"""SELECT ndcg({lists}, k => 2), ndcg({lists}, options => 'discount=ln'),
            ndcg({lists}, options => 'idcg=k', k => 2), ndcg({by_name}), ndcg({by_name}, k => 3),
            ndcg({lists}, k => NULL, options => NULL), ndcg({lists}, k => 'idcg=k'),
            size(rank_metrics_at({lists}, ks => array(1, 2), options => 'discount=ln'))""",
    )
    lists = "[1, 3, 2, 6], [1, 2, 4]"
    expected = in_duckdb(
        f"""SELECT ndcg({lists}, 2), ndcg({lists}, 'discount=ln'), ndcg({lists}, 2, 'idcg=k'),
            ndcg({lists}, 'discount=ln'), ndcg({lists}, 3, 'discount=ln'),
            ndcg({lists}), ndcg({lists}, 'idcg=k'), 2"""
    )
    assert [found] == expected


# Aggregates, over lists of rows


def test_aggregates_take_lists_of_rows(spark: SparkSession) -> None:
    pairs = "(1, 0.9, 1), (1, 0.5, 0), (1, NULL, 2), (2, 0.1, 0), (2, 0.7, 1), (3, 0.4, NULL)"
    table = f"(SELECT * FROM VALUES {pairs} AS t(user, score, rel))"
    found = rows(
        spark,
        f"""SELECT user, ndcg_agg(array_agg(struct(score, rel))),
            recall_agg(array_agg(struct(score, rel, 1))),
            rank_metrics_agg(rows => array_agg(struct(score, rel, 2, 'gain=linear'))),
            ndcg_rows(array_agg(struct(score AS item, score, rel)))
        FROM {table} GROUP BY user ORDER BY user""",
    )
    expected = in_duckdb(
        f"""SELECT user, ndcg_agg(score, rel), recall_agg(score, rel, 1),
            rank_metrics_agg(score, rel, 2, 'gain=linear'), ndcg_rows(score, score, rel)
        FROM (VALUES {pairs}) AS t(user, score, rel) GROUP BY user ORDER BY user"""
    )
    assert found == expected


def test_statistics_take_lists_of_rows(spark: SparkSession) -> None:
    pairs = "(0.5D, 0.25D), (0.75D, 0.5D), (1D, 0.125D), (0D, NULL), (0.25D, 0.375D)"
    statistics = [each for each in rankdcg_sql.functions() if each.form == "sample"]
    by_lists = [f"{each.name}(array_agg(struct({', '.join(each.arguments[:-1])})))" for each in statistics]
    by_rows = [f"{each.name}({', '.join(each.arguments[:-1])})" for each in statistics]
    (found,) = rows(
        spark,
        f"SELECT {', '.join(by_lists)} "
        f"FROM (SELECT *, a AS x, 2D AS weight, a AS human, b AS judge FROM VALUES {pairs} AS t(a, b))",
    )
    values = pairs.replace("D", "::DOUBLE")
    expected = in_duckdb(
        f"SELECT {', '.join(by_rows)} "
        f"FROM (SELECT *, a AS x, 2::DOUBLE AS weight, a AS human, b AS judge "
        f"FROM (VALUES {values}) AS t(a, b))"
    )
    assert [found] == expected


# Errors


REST = "the arguments are rec, truth[, k[, options]]"
#: Calls that are errors, and their sentences. None is that of DuckDB, and only Spark lets the others pass.
WRONG = {
    "ndcg([1], [1], 0)": None,
    "ndcg([1], ['a'])": None,
    "ndcg(1, [1])": None,
    "ndcg([1], [1], 'gian=linear')": None,
    "precision_at([1], [1], 2, 'gain=linear')": None,
    "rankdcg([1], [1], 3)": None,
    "rank_metrics_at([1], [1], [0])": None,
    "ndcg([1], [1], 2.5)": "ndcg: k must be an integer, got decimal",
    "ndcg([1], [1], options => 3)": "ndcg: options must be one text after k, got integer",
    "ndcg([1])": f"ndcg: missing a required argument: 'truth'; {REST}",
    "ndcg([1], [1], depth => 3)": f"ndcg: got an unexpected keyword argument 'depth'; {REST}",
    "ndcg([1], [1], 3, k => 3)": f"ndcg: multiple values for argument 'k'; {REST}",
    "recall_agg(0.5, 1)": "recall_agg: too many positional arguments; the arguments are rows, such as "
    "array_agg(struct(score, rel[, k[, options]]))",
}


@pytest.mark.parametrize("call", WRONG)
def test_sentences_of_errors(spark: SparkSession, call: str) -> None:
    expected = WRONG[call]
    if expected is None:
        with pytest.raises(duckdb.InvalidInputException) as of_duckdb:
            in_duckdb(f"SELECT {call}")
        expected = str(of_duckdb.value).removeprefix("Invalid Input Error: ")
    with pytest.raises(PythonException) as raised:
        rows(spark, f"SELECT {in_spark(call)}")
    assert sentence(raised.value) == expected


def test_an_executor_without_the_package_says_what_to_install() -> None:
    script = (
        "import pickle, sys; sys.modules['rankdcg_sql'] = None; "
        "pickle.loads(bytes.fromhex(sys.stdin.read()))([[1]], [[1]])"
    )
    text = dumps(_udf._udf("ndcg").func).hex()
    done = subprocess.run([sys.executable, "-c", script], input=text, capture_output=True, text=True)
    *_, last = done.stderr.splitlines()
    assert last.startswith("ImportError: ndcg: rankdcg_sql cannot be imported on this executor (")
    assert "): install its wheel and the packages that it needs on every executor, or ship it as" in last


# Functions of columns


def test_columns_take_k_and_options(spark: SparkSession) -> None:
    frame = spark.sql("SELECT array(1, 3, 2, 6) AS rec, array(1, 2, 4) AS truth, 2 AS k")
    found = frame.select(
        rk.ndcg("rec", "truth"),
        rk.ndcg(frame.rec, F.col("truth"), 2),
        rk.ndcg("rec", "truth", F.col("k"), gain=[0, 1], discount="ln"),
        rk.ndcg("rec", "truth", min_rel=None, gain="binary"),
        rk.recall("rec", "truth", k=2, denominator="min_truth_k"),
        F.size(rk.rank_metrics_at("rec", "truth", [1, None], gain="linear")),
        F.size(rk.rank_metrics_at("rec", "truth", [None])),
        F.size(rk.rank_metrics_at("rec", "truth", F.array("k"))),
        F.size(rk.rank_metrics_at("rec", "truth", [])),
    )
    lists = "[1, 3, 2, 6], [1, 2, 4]"
    expected = in_duckdb(
        f"""SELECT ndcg({lists}), ndcg({lists}, 2), ndcg({lists}, 2, 'gain=0:1,discount=ln'),
            ndcg({lists}, 'gain=binary'), recall({lists}, 2, 'denominator=min_truth_k'), 2, 1, 1, 0"""
    )
    assert [tuple(found.first())] == expected
    assert found.columns[:2] == ["ndcg(rec, truth)", "ndcg(rec, truth, 2)"]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: rk.ndcg("rec", "truth", 0), "ndcg: k must be at least 1, got 0"),
        (lambda: rk.ndcg("rec", "truth", "10"), "ndcg: k must be an integer or a column, got '10'"),
        (lambda: rk.ndcg("rec", "truth", True), "ndcg: k must be an integer or a column, got True"),
        (lambda: rk.ndcg("rec", "truth", gian="exp2"), "ndcg: unknown option"),
        (lambda: rk.precision("rec", "truth", min_rel=-1), "precision: min_rel must be"),
        (lambda: rk.rank_metrics_at("rec", "truth", 3), "ks must be a list of integers or a column, got 3"),
        (lambda: rk.rank_metrics_at("rec", "truth", [0]), "rank_metrics_at: k must be at least 1, got 0"),
    ],
)
def test_wrong_constants_are_errors_before_the_query(spark: SparkSession, call: Any, message: str) -> None:
    with pytest.raises(CallError, match=re.escape(message)):
        call()


def test_every_function_of_lists_has_a_function_of_columns() -> None:
    names = {each.expression for each in rankdcg_sql.functions() if not each.is_aggregate}
    assert set(rk.__all__) == names


def test_every_function_of_columns_passes_its_arguments_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rk, "column", lambda *passed: passed)
    catalogue = {each.expression: each for each in rankdcg_sql.functions() if not each.is_aggregate}
    for name in rk.__all__:
        *names, options = catalogue[name].arguments
        values: dict[str, Any] = {"k": 3, "ks": [3, None], "measures": "coverage@3"}
        lists = [each for each in names if each not in values]
        cuts = {each: values[each] for each in names if each not in lists}
        k = next(iter(cuts.values()), None)
        given = dict.fromkeys(lists) | cuts
        assert options == "options"
        call = getattr(rk, name)
        assert call(**given, option="x") == (name, [None] * len(lists), k, {"option": "x"})
        assert call(*lists, *cuts.values()) == (name, lists, k, {})
        if "k" in cuts:
            assert call(*lists) == (name, lists, None, {})


@pytest.mark.parametrize("name", rk.__all__)
def test_the_arguments_are_those_of_the_function_of_lists(name: str) -> None:
    assert_same_arguments(rk, name)


def test_the_examples_of_the_functions(spark: SparkSession) -> None:
    """One job for each frame computes the values of its examples."""
    shown = defaultdict(list)
    for test in doctest.DocTestFinder().find(rk):
        if test.examples:
            *before, last = (each.source for each in test.examples)
            call = re.fullmatch(r"frame\.select\((.*)\)\.first\(\)\[0\](.*)\n", last, re.DOTALL)
            assert call, last
            shown["".join(before)].append((*call.groups(), test.examples[-1].want))
    for statements, examples in shown.items():
        names: dict[str, Any] = {"spark": spark}
        exec(statements, names)
        columns = [eval(column, names) for column, *_ in examples]
        for value, (_, path, want) in zip(names["frame"].select(*columns).first(), examples, strict=True):
            assert f"{eval(f'value{path}', {'value': value})!r}\n" == want
    assert sum(map(len, shown.values())) == len(rk.__all__) + 1
