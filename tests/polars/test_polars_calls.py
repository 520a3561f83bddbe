"""Calls of Polars' functions: names, types, signatures, constants that are refused, and errors of queries."""

from __future__ import annotations

import inspect
import re
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
import pyarrow as pa
import pytest
from support import process
from support.engines import Core, Polars
from support.forms import FORMS, inputs
from support.polars_calls import MEASURES, cuts, needed

from rankdcg_sql import Function, functions
from rankdcg_sql import polars as rk

if TYPE_CHECKING:
    from collections.abc import Iterator


#: The functions that have an expression, without those of all users.
MODULE = [function for function in functions() if function.expression and function.form != "by_user"]
every = pytest.mark.parametrize("function", MODULE, ids=lambda function: function.expression)
FRAME = pl.DataFrame(
    {
        "rec": [[3, 1, 2], None, [4]],
        "truth": [[{"item": 1, "rel": 2.0}, {"item": 4, "rel": 1.0}], [], None],
        "aspects": [[{"item": 1, "aspect": 2}, {"item": 4, "aspect": 3}], [], None],
        "recs": [[[3, 1], None], [], None],
        "truths": [[[1], [4]], [], None],
        "items": [[{"item": 1}, {"item": 4}], [{"item": 2}], None],
        "rels": [[0.0, 2.0], None, [1.0]],
        "scores": [[0.5, 0.7], [], [None]],
        "p_values": [[0.5, 0.7], [], [None]],
        "user_values": [[0.5, 0.25], [], [None]],
        "blocks": [[[0.5, 0.7, 1.0], [0.25, None, 1.0]], None, [[1.0, 2.0]]],
        "values": [[1, 1, None], [], None],
        "a": [[3, 1, 2], [], None],
        "b": [[1, 2, 4], None, [4]],
        "score": [0.5, None, 0.5],
        "rel": [1.0, 2.0, None],
    }
)


def columns(function: Function) -> tuple[str, ...]:
    """The columns of `FRAME` for the inputs."""
    own = {"aspects": ("rec", "aspects"), "items": ("recs", "truths", "items")}
    if function.form in own:
        return own[function.form]
    return FORMS[function.form].inputs or ("score", "rel", "rel")[: len(inputs(function))]


def called(function: Function, *cut: Any, **options: Any) -> pl.Expr:
    """The expression over these columns, with the options that it needs."""
    call = getattr(rk, str(function.expression))
    expression: pl.Expr = call(*columns(function), *cut, **needed(function) | options)
    return expression


#: The fields of statistics that are counts.
COUNTS = ("wins", "ties", "losses", "n_a", "n_b", "n_both", "n_human", "n_judge")


def result_type(function: Function) -> pl.DataType:
    if function.output == "value":
        return pl.Float64()
    if function.output in ("values", "measures"):
        return pl.List(pl.Float64)
    first, *others = function.fields
    counts = COUNTS if function.output != "explanation" else ("truth_place", "rank", "last_rank")
    kinds = {name: pl.Int64 if name in counts else pl.Float64 for name in others}
    struct = pl.Struct({first: pl.Int64} | kinds)
    return struct if function.output == "metrics" else pl.List(struct)


@every
def test_names_and_types(function: Function):
    short = re.sub("_(scored|rels|agg)$", "", str(function.expression))
    named = {short: called(function, *([] if "k" in function.arguments else cuts(function)))}
    if "k" in function.arguments:
        named |= {f"{short}@10": called(function, 10), short: called(function, pl.lit(1))}
    if "ks" in function.arguments:
        assert called(function, pl.lit([1, 2])).meta.output_name() == short
    for name, expression in {**named, "mine": called(function, *cuts(function)).alias("mine")}.items():
        assert expression.meta.output_name() == name
        for frame in (FRAME, FRAME[:0], FRAME[2:].vstack(FRAME[:1])):
            query = frame.lazy().with_columns(expression)
            added = {**FRAME.schema, name: result_type(function)}
            assert dict(query.collect_schema()) == dict(query.collect().schema) == added
            assert query.collect().drop(name).equals(frame)
            schema = frame.lazy().select(expression).collect_schema()
            assert dict(schema) == dict(frame.select(expression).schema) == {name: added[name]}


def test_functions_are_those_of_the_catalogue():
    own = {
        name
        for name, value in vars(rk).items()
        if inspect.isfunction(value) and value.__module__.startswith(rk.__name__)
    }
    together = ("rank_metrics", "rank_metrics_at", "rank_evaluation", "rank_explain", "rank_measures")
    by_user, of_frames = {f"{name}_by_user" for name in together}, {"evaluate_frames", "explain_frames"}
    assert own == {function.expression for function in MODULE} | by_user | of_frames
    methods = {name for name, value in vars(rk.RankEval).items() if inspect.isfunction(value)}
    assert methods == own - of_frames | {"__init__"}
    assert not hasattr(rk.RankEval, "__getattr__")


@every
def test_method_is_the_function(function: Function):
    name = str(function.expression)
    _, *parameters = inspect.signature(getattr(rk, name)).parameters.values()
    myself, *others = inspect.signature(getattr(rk.RankEval, name)).parameters.values()
    assert (myself.name, others) == ("self", parameters)
    returned = [inspect.signature(getattr(place, name)).return_annotation for place in (rk, rk.RankEval)]
    assert returned[0] == returned[1]
    first, *others = columns(function)
    cut, options = cuts(function), {"ties": "item_desc" if function.form == "aspects" else "optimistic"}
    options = options if "ties" in function.options else {}
    if function.output == "explanation":
        options = {"metric": "dcg", "gain": "linear"}
    for namespace in (pl.col(first).rank_eval, rk.RankEval(pl.col(first))):  # type: ignore[attr-defined]
        bound = getattr(namespace, name)
        found = FRAME.select(bound(*others, *cut, **needed(function), **options))
        assert found.equals(FRAME.select(called(function, *cut, **options)))


@every
def test_signature_is_that_of_the_catalogue(function: Function):
    *arguments, options = inspect.signature(getattr(rk, function.expression)).parameters.values()
    cut = [name for name in function.arguments if name in ("k", "ks", "measures")]
    columns = [name for name in function.arguments if name not in (*cut, "options")]
    assert [argument.name for argument in arguments] == [*columns, *cut]
    assert [argument.default for argument in arguments if argument.name == "k"] == [None] * ("k" in cut)
    named = getattr(rk, re.findall(r"Unpack\[(\w+)\]", options.annotation)[0])
    short = {"denominator"} if function.denominator else set()
    assert set(named.__annotations__) == {*function.options} | short


# Errors

LISTS = pl.DataFrame({"rec": [[1, 2]], "truth": [[1]]})


@pytest.fixture(autouse=True)
def works_afterwards() -> Iterator[None]:
    yield
    assert LISTS.select(rk.mrr("rec", "truth")).item() == 1


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"gian": "linear"}, "gian=linear"),
        ({"gain": "cubic"}, "gain=cubic"),
        ({"gain": [0, 1, "x"]}, "gain=0:1:x"),
        ({"gain": []}, "gain="),
        ({"gain": True}, "gain=True"),
        ({"min_rel": 0}, "min_rel=0"),
        ({"min_rel": 2}, "min_rel=2"),
        ({"gain": "exp2,discount=ln,discount=log2"}, "gain=exp2,discount=ln,discount=log2"),
        ({"no_relevant": "a\0b"}, "no_relevant=a\0b"),
        *(({"k": k}, "") for k in (0, -3, -(2**63))),
    ],
    ids=str,
)
def test_constants_are_checked_before_the_query_runs(options: dict[str, Any], text: str):
    cut = [pa.array([options["k"]])] if "k" in options else []
    with pytest.raises(ValueError, match=r"^ndcg: ") as by_core:
        Core().over("ndcg", [pa.array([[1]]), pa.array([[1]]), *cut, pa.array([text])])
    with pytest.raises(ValueError, match=r"^ndcg: ") as by_polars:
        rk.ndcg("rec", "truth", **options)
    assert str(by_polars.value) == str(by_core.value)


def test_constants_are_checked_under_the_name_of_the_function():
    for function in MODULE:
        cut = cuts(function)
        with pytest.raises(
            ValueError, match=f"^{function.expression}: unknown option 'nonsense', the options here are"
        ):
            called(function, *cut, nonsense=1)
        if cut and cut[0] != MEASURES:
            with pytest.raises(ValueError, match=f"^{function.expression}: k must be at least 1, got 0$"):
                called(function, [1, 0] if isinstance(cut[0], list) else 0)
    with pytest.raises(ValueError, match=r"^rank_metrics_at: .* got -1$"):
        rk.rank_metrics_at("rec", "truth", [-1])


@pytest.mark.parametrize(
    "k", [2.5, True, "3", 2**63, 2.0, "k", [1], object()], ids=lambda given: type(given).__name__
)
def test_k_of_another_type(k: Any):
    expected = re.escape(f"k must be an integer or an expression, got {k!r}")
    with pytest.raises(TypeError, match=f"^ndcg: {expected}$"):
        rk.ndcg("rec", "truth", k=k)
    with pytest.raises(TypeError, match=f"^ndcg_agg: {expected}$"):
        rk.ndcg_agg("score", "rel", k=k)
    with pytest.raises(TypeError, match=f"^rank_metrics_at: {expected}$"):
        rk.rank_metrics_at("rec", "truth", [1, k])


@pytest.mark.parametrize("ks", [3, "3", None, 2.5], ids=str)
def test_several_k_of_another_type(ks: Any):
    expected = re.escape(f"ks must be a list of integers or an expression, got {ks!r}")
    for name in ("rank_metrics_at", "rank_metrics_at_scored", "rank_metrics_at_agg"):
        with pytest.raises(TypeError, match=f"^{name}: {expected}$"):
            getattr(rk, name)("a", "b", ks)


def test_numbers_of_other_packages_as_k():
    frame = pl.DataFrame({"rec": [[1, 2]], "truth": [[2]]})
    assert frame.select(rk.mrr("rec", "truth", k=np.int8(1))).rows() == [(0,)]
    expected = frame.select(rk.rank_metrics_at("rec", "truth", [1, 2]))
    for ks in (np.array([1, 2]), pl.Series([1, 2]), range(1, 3), (1, 2)):
        assert frame.select(rk.rank_metrics_at("rec", "truth", ks)).equals(expected)


NUMBERS = pa.array([[1, 2]])

#: Functions and arguments by the sentence of their error, which occurs while the query runs.
BAD: dict[str, tuple[str, list[pa.Array]]] = {
    "rec must be a list, got integer; for a row per item, use mrr_agg": ("mrr", [pa.array([1]), NUMBERS]),
    "rec must be a list, got text": ("mrr", [pa.array(["a"]), NUMBERS]),
    "truth must be a list or a map, got struct(a integer)": ("mrr", [NUMBERS, pa.array([{"a": 1}])]),
    "the items of rec and truth must be of one type, got integer and text": (
        "recall_at", [NUMBERS, pa.array([["a"]])],
    ),
    "the items of rec and truth must be of one type, got float and integer": (
        "recall_at", [pa.array([[1.5]]), NUMBERS],
    ),
    "k must be an integer, got float": ("ndcg", [NUMBERS, NUMBERS, pa.array([2.5])]),
    "k must be an integer, got boolean": ("ndcg", [NUMBERS, NUMBERS, pa.array([True])]),
    "k must be an integer, got list of integer": ("ndcg", [NUMBERS, NUMBERS, NUMBERS]),
    "k must be at least 1, got -9223372036854775808": ("ndcg", [NUMBERS, NUMBERS, pa.array([-(2**63)])]),
    "k must be at least 1, got -1": ("rank_metrics_at", [NUMBERS, NUMBERS, pa.array([[2, -1]])]),
    "k must be at most 1000000 if the ideal order has k items, got 1000001": (
        "ndcg", [NUMBERS, NUMBERS, pa.array([1000001]), pa.array(["idcg=k"])],
    ),
    "scores must be a list of numbers, got list of text": ("mrr_scored", [pa.array([["a"]]), NUMBERS]),
    "rels must be a list of numbers, got integer": ("dcg_rels", [pa.array([1])]),
    "cannot tell item from relevance in truth's fields (n integer, m integer): name them item and rel": (
        "ndcg", [NUMBERS, pa.array([[{"n": 1, "m": 2}]])],
    ),
}  # fmt: skip


@pytest.mark.parametrize("sentence", BAD)
def test_error_found_while_a_query_runs(sentence: str):
    function, columns = BAD[sentence]
    with pytest.raises(ValueError, match=re.escape(sentence)) as by_core:
        Core().over(function, columns)
    assert str(by_core.value) == f"{function}: {sentence}"
    engine = Polars()
    with pytest.raises(pl.exceptions.ComputeError) as by_polars:
        engine.over(function, columns)
    text = str(by_polars.value)
    assert f"plugin failed with message: {engine.function_name(function)}: {sentence}" in text
    assert "internal error" not in text


@pytest.mark.parametrize("engine", ["in-memory", "streaming"])
def test_error_in_one_row_among_many(engine: Any):
    frame = pl.concat([LISTS] * 1000).with_columns(
        k=pl.when(pl.int_range(pl.len()) == 777).then(0).otherwise(1)
    )
    query = frame.lazy().select(rk.ndcg("rec", "truth", k=pl.col("k")))
    with pytest.raises(pl.exceptions.ComputeError, match="ndcg: k must be at least 1, got 0"):
        query.collect(engine=engine)


def test_error_names_the_function_as_it_was_called():
    for function in MODULE:
        bad = [pl.lit("a")] * len(columns(function))
        expression = getattr(rk, function.expression)(*bad, *cuts(function), **needed(function))
        with pytest.raises(pl.exceptions.ComputeError, match=f"with message: {function.expression}: "):
            FRAME.select(expression)


@pytest.mark.parametrize("engine", ["in-memory", "streaming"])
def test_threads_get_errors_of_their_own(engine: Any):
    def sentence(k: int) -> bool:
        query = LISTS.lazy().select(rk.ndcg("rec", "truth", k=pl.lit(-k)))
        with pytest.raises(pl.exceptions.ComputeError) as caught:
            query.collect(engine=engine)
        return f"k must be at least 1, got {-k}\n" in f"{caught.value}\n"

    with ThreadPoolExecutor(2) as pool:
        assert all(pool.map(sentence, range(1000, 1200)))


# Imports


@pytest.mark.parametrize(
    ("module", "other"),
    [("rankdcg_sql.polars", "duckdb"), ("rankdcg_sql", "polars"), ("rankdcg_sql.duckdb", "polars")],
)
def test_an_engine_is_imported_only_where_it_is_used(module: str, other: str):
    script = (
        "import json, sys, importlib; importlib.import_module(sys.argv[1]); print(json.dumps([*sys.modules]))"
    )
    imported = process.python(script, module)
    assert module in imported
    assert other not in imported
