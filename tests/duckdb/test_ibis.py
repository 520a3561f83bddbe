"""The functions as builtins of Ibis, on each way into DuckDB."""

from __future__ import annotations

import ast
import doctest
import inspect
import re
import runpy
import sys
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb
import pyarrow as pa
import pytest
from conftest import _CONNECTIONS, AGGREGATING, WAYS, needs_duckdb_2
from support import golden
from support.engines import Aggregates, Engine, Row, Rows, keywords, lists
from support.skipping import skip_unless_ci

import rankdcg_sql
from rankdcg_sql import CallError, catalogue

if find_spec("ibis") is None:
    skip_unless_ci("needs Ibis: pip install 'ibis-framework[duckdb]'")

import ibis
import ibis.common.exceptions
from ibis import _

import rankdcg_sql.ibis as rk

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ibis.backends.duckdb import Backend

NAMES = catalogue.python_names()


@cache
def backend_of(way: str) -> Backend:
    con = _CONNECTIONS[way].cursor()
    rankdcg_sql.register(con)
    return ibis.duckdb.from_connection(con)


@pytest.fixture
def backend(way: str) -> Backend:
    """Give a connection of Ibis that has the functions by one of the ways."""
    return backend_of(way)


def value(backend: Backend, expression: Any) -> Any:
    return backend.to_pyarrow(expression).as_py()


# Names


def test_every_function_is_there_with_its_documentation_and_types():
    assert [*NAMES] == rk.__all__
    assert {*rk.__all__} <= {*catalogue.by_name()}
    assert {of.name for of in NAMES.values()} == {of.name for of in rankdcg_sql.functions()}
    stub = ast.parse(Path(rk.__file__).with_suffix(".pyi").read_text("utf-8"))
    written = {node.name: node for node in stub.body if isinstance(node, ast.FunctionDef)}
    assert [*written] == rk.__all__
    for name, node in written.items():
        function = getattr(rk, name)
        parameters = inspect.signature(function).parameters.values()
        arguments = [*node.args.args, *node.args.kwonlyargs, node.args.kwarg]
        assert [each.name for each in parameters] == [each.arg for each in arguments if each]
        defaults = [each.name for each in parameters if each.default is not each.empty]
        assert len(defaults) == len(node.args.defaults) + len(node.args.kw_defaults)
        for section in ("Parameters\n---", "Returns\n---", NAMES[name].examples.sql):
            assert section in function.__doc__


def test_without_ibis(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "ibis", None)
    with pytest.raises(
        ImportError, match=r"^rankdcg_sql.ibis needs Ibis with DuckDB, and there is none: pip "
    ):
        runpy.run_module("rankdcg_sql.ibis._builtins")


@needs_duckdb_2
def test_the_example_of_the_module():
    failed, attempted = doctest.testmod(rk)
    assert (failed, attempted > 0) == (0, True)


# Values


class OfIbis(Engine):
    """The functions of lists, of one row."""

    def __init__(self, backend: Backend) -> None:
        self.backend = backend

    def over(self, function: str, columns: Sequence[pa.Array]) -> list[Any]:
        raise NotImplementedError

    def one(self, function: str, kind: str, args: Sequence[Any], k: Any = None, **options: Any) -> Any:
        table = ibis.memtable(pa.table(lists(kind, [args]), ["c0", "c1"][: len(args)]))
        call = getattr(rk, in_python(function))
        selected = table.select(call(*table.columns, *([] if k is None else [k]), **options))
        return self.backend.to_pyarrow(selected)[0][0].as_py()


class GroupsOfIbis:
    """The aggregates: the rows of one group at a time."""

    backend: Backend
    function_name: Callable[[str], str]
    inputs: tuple[str, ...]

    def values(self, function: str, more: Sequence[str], rows: pa.Table) -> dict[int, Any]:
        constants = [rows[name][0].as_py() for name in more]
        options = keywords(constants.pop()) if constants and isinstance(constants[-1], str) else {}
        call = getattr(rk, in_python(self.function_name(function)))(*self.inputs, *constants, **options)
        found = self.backend.to_pyarrow(ibis.memtable(rows).group_by("place").agg(value=call))
        return dict(zip(found["place"].to_pylist(), found["value"].to_pylist(), strict=True))


class AggregatesOfIbis(GroupsOfIbis, Aggregates):
    """The aggregates over scores and relevances."""


class RowsOfIbis(GroupsOfIbis, Rows):
    """The aggregates over recommendations and judgements."""


def in_python(function: str) -> str:
    return next(name for name, of in NAMES.items() if function in of.names)


def test_golden_cases(backend: Backend, way: str):
    """Ibis writes the same SQL on the other ways in, where one case of each function and kind will do."""
    cases, least = golden.CASES, (150, 30, 90)
    if way != WAYS[0]:
        of_each = {(case.function, case.args[0], case.k is None): name for name, case in cases.items()}
        cases, least = {name: cases[name] for name in of_each.values()}, (60, 4, 25)
    engines: list[Engine] = [OfIbis(backend), AggregatesOfIbis(backend.con), RowsOfIbis(backend.con)]
    counts = []
    for engine in engines:
        engine.backend = backend
        found = {}
        for name, case in cases.items():
            if engine.supports(case.function, case.args[0], Row(case.args[1:], case.k, case.options)):
                for kind in engine.forms(case.args[0]):
                    if case.expected != "error":
                        arguments = case.function, kind, case.args[1:], case.k
                        found[name, kind] = engine.one(*arguments, **case.options)
        expected = {key: golden.CASES[key[0]].expected for key in found}
        assert found == {
            key: None if of is None else pytest.approx(of, rel=0, abs=1e-9) for key, of in expected.items()
        }
        counts.append(len(found))
    assert all(count > few for count, few in zip(counts, least, strict=True)), counts


def example(function: rankdcg_sql.Function) -> tuple[list[Any], dict[str, Any], str]:
    """The arguments and the options of the example in SQL, and its rows. A text names a column."""
    query = function.examples.sql
    (arguments,) = re.findall(rf"\b{function.name}\(((?:'.*?'|[^'])*?)\)(?:,| FROM|$)", query)
    (call,) = ast.parse(f"call({arguments.replace('NULL', 'None')})").body
    assert isinstance(call, ast.Expr)
    assert isinstance(call.value, ast.Call)
    given = [each.id if isinstance(each, ast.Name) else ast.literal_eval(each) for each in call.value.args]
    is_text = isinstance(call.value.args[-1], ast.Constant) and isinstance(given[-1], str)
    rows = re.findall(r"FROM (\(VALUES .*\) AS t\(.*?\))", query)
    has_options = is_text and "measures" not in function.arguments
    return given, keywords(given.pop() if has_options else None), "".join(rows)


@pytest.mark.parametrize("name", NAMES)
def test_the_examples_have_the_values_of_sql(name: str, backend: Backend, way: str):
    function = NAMES[name]
    if function.is_native_only and way not in AGGREGATING:
        pytest.skip("needs native aggregates")
    given, options, rows = example(function)
    expected = backend.con.sql(function.examples.sql).to_arrow_table().to_pylist()
    call = getattr(rk, name)(*given, **options)
    if not rows:
        assert [value(backend, call)] == [each for row in expected for each in row.values()]
        return
    table = ibis.memtable(backend.con.sql(f"FROM {rows}").to_arrow_table())
    is_grouped = "GROUP BY userid" in function.examples.sql
    found = backend.to_pyarrow((table.group_by("userid") if is_grouped else table).agg(call)).to_pylist()
    results = [[*row.values()][-1] for row in found]
    if function.form == "by_user":
        assert results == [expected]
    else:
        assert results == [[*row.values()][-1] for row in expected]
    assert [*found[0]][-1] == (f"{function.base}@2" if given[-1] == 2 else function.base)


def test_columns_are_names_columns_deferred_columns_and_values(backend: Backend):
    table = ibis.memtable({"rec": [["a", "b"], ["a"]], "truth": [["b"], None], "n": [1, 2]})
    columns = ("rec", "truth"), (table.rec, table["truth"]), (_.rec, _.truth), (["a", "b"], "truth")
    for rec, truth in columns:
        for k, expected in ((1, 0.0), (2, 1.0), (None, 1.0), (_.n, 0.0), (table.n + 1, 1.0)):
            found = backend.to_pyarrow(table.select(found=rk.recall(rec, truth, k)))["found"].to_pylist()
            assert found == [expected, None]
    # A list of k can be a column, too, or have the whole list.
    for ks in ([1, None], _.ks):
        of_lists = table.mutate(ks=ibis.literal([1, None], "array<int64>"))
        found = backend.to_pyarrow(of_lists.select(rk.rank_metrics_at("rec", "truth", ks)))[0][0].as_py()
        assert [(each["k"], each["recall"]) for each in found] == [(1, 0.0), (None, 1.0)]
    assert value(backend, rk.recall(["a", None], {"a": 1, "c": 2})) == 0.5
    assert value(backend, rk.recall([], ["a"])) == 0.0
    assert value(backend, rk.recall(["a"], None)) is None
    assert value(backend, rk.recall(["a"], [], no_relevant="zero")) == 0.0
    assert value(backend, rk.ndcg(["a", "b"], {"b": 2}, gain=[0, 1, 3], convention=None)) == pytest.approx(
        0.6309297535714575
    )


@needs_duckdb_2
def test_groups_windows_and_conditions(aggregating: duckdb.DuckDBPyConnection):
    backend = ibis.duckdb.from_connection(aggregating)
    rows = {"user": [1, 1, 1, 2], "item": ["a", "b", "c", "a"], "score": [3, 2, 1, 1], "rel": [0, 1, 1, None]}
    table = ibis.memtable(pa.table(rows))
    mrr = rk.mrr_agg("score", "rel", k=3)
    assert backend.to_pyarrow(table.group_by("user").agg(mrr).order_by("user")).to_pylist() == [
        {"user": 1, "mrr@3": 0.5},
        {"user": 2, "mrr@3": None},
    ]
    # A window, a condition, and arithmetic.
    windowed = table.mutate(of_user=mrr.over(ibis.window(group_by="user"))).order_by("user")
    assert backend.to_pyarrow(windowed)["of_user"].to_pylist() == [0.5, 0.5, 0.5, None]
    of_one = table.mutate(kept=_.item == "c").filter(_.user == 1)
    conditions = (_.item == "c", 1.0), ("kept", 1.0), (table.item != "b", 0.5), (True, 0.5), (None, 0.5)
    for where, expected in conditions:
        found = of_one.agg(rk.mrr_agg("score", "rel", where=where) + 1)
        assert backend.to_pyarrow(found)[0].to_pylist() == [expected + 1], where
    for null in (ibis.null(), ibis.null("boolean")):  # no row is left, as in SQL
        assert backend.to_pyarrow(of_one.agg(rk.mrr_agg("score", "rel", where=null)))[0].to_pylist() == [None]
    # The users of a result have their type, also if the column is deferred.
    for user, ids in (("user", [1, 2]), (table.user, [1, 2]), (_.user.cast("string"), ["1", "2"])):
        users = table.agg(found=rk.rank_metrics_by_user(user, "item", "score", "rel"))
        unnested = users.select(found=_.found.unnest()).unpack("found").order_by("userid")
        assert backend.to_pyarrow(unnested.select("userid", "mrr")).to_pylist() == [
            {"userid": ids[0], "mrr": 0.5},
            {"userid": ids[1], "mrr": None},
        ]
    ranked = table.group_by("user").agg(rk.ranked_list("item", "score", k=2)).order_by("user")
    assert ranked.schema()["ranked_list@2"] == ibis.dtype("array<string>")
    assert backend.to_pyarrow(ranked)["ranked_list@2"].to_pylist() == [["a", "b"], ["a"]]


def test_equal_calls_are_equal_expressions():
    table = ibis.table({"rec": "array<int64>", "truth": "array<int64>"}, name="t")
    call = rk.ndcg(table.rec, table.truth, k=2, gain="linear")
    assert call.equals(rk.ndcg(table.rec, table.truth, k=2, gain="linear"))
    assert not call.equals(rk.ndcg(table.rec, table.truth, k=2))


# Errors


LETTERS = ibis.table({"item": "string", "score": "float64"}, name="letters")


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: rk.ndcg("rec"), TypeError, "ndcg: missing a required argument: 'truth'"),
        (lambda: rk.ndcg("rec", "truth", 1, 2), TypeError, "ndcg: too many positional arguments"),
        (lambda: rk.ndcg("rec", "truth", 0), ValueError, "ndcg: k must be at least 1, got 0"),
        (lambda: rk.ndcg("rec", "truth", "k"), TypeError, "ndcg: k must be an integer or a column, got 'k'"),
        (lambda: rk.precision_rows("i", "s", "r", 2.5), TypeError,
         "precision_rows: k must be an integer or a column, got 2.5"),
        (lambda: rk.rank_metrics_at("rec", "truth", 5), TypeError,
         "rank_metrics_at: ks must be a list of integers or a column, got 5"),
        (lambda: rk.rank_metrics_at("rec", "truth"), TypeError,
         "rank_metrics_at: missing a required argument: 'ks'"),
        (lambda: rk.ndcg("rec", "truth", gains="linear"), ValueError, "ndcg: unknown option 'gains', "),
        (lambda: rk.ndcg("rec", "truth", where=True), ValueError, "ndcg: unknown option 'where', "),
        (lambda: rk.ndcg("rec", "truth", gain="log"), ValueError, "ndcg: gain must be "),
        (lambda: rk.ndcg("rec", "truth", gain=_.gain), ValueError, "ndcg: gain must be "),
        (lambda: rk.ndcg(object(), "truth"), TypeError,
         "ndcg: rec must be a column, its name, or a value for all rows, got <object object at "),
        (lambda: rk.mrr_agg("score", "rel", where=[object()]), TypeError,
         "mrr_agg: where must be a column, its name, or a value for all rows, got [<object "),
        (lambda: rk.mrr_agg("score", "rel", where=2), TypeError,
         "mrr_agg: where must be a column of booleans, its name, or a boolean for all rows, got int8"),
        (lambda: LETTERS.agg(rk.mrr_agg(LETTERS.score, "score", where="item")), TypeError,
         "mrr_agg: where must be a column of booleans, its name, or a boolean for all rows, got string"),
    ],
)  # fmt: skip
def test_errors_before_a_query(call: Callable[[], Any], error: type[Exception], message: str):
    with pytest.raises(error, match=f"^{re.escape(message)}") as raised:
        call()
    assert isinstance(raised.value, CallError)
    assert raised.value.function == message.partition(":")[0]


def test_errors_of_columns_are_those_of_duckdb(backend: Backend):
    table = ibis.memtable({"rec": [1], "truth": [["a"]]})
    with pytest.raises(duckdb.Error, match="ndcg: rec must be a list"):
        backend.to_pyarrow(table.select(rk.ndcg("rec", "truth")))
    with pytest.raises(ibis.common.exceptions.IbisError, match="reco"):
        backend.to_pyarrow(table.select(rk.ndcg("reco", "truth")))
