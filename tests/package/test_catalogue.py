"""The catalogue: engines agree with its arguments, results and examples."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import polars as pl
import pytest
from support.forms import FORMS

import rankdcg_sql
import rankdcg_sql.polars as rk
from rankdcg_sql import Function, _static
from rankdcg_sql.catalogue import by_name, options, options_text, resolve_options

if TYPE_CHECKING:
    import duckdb

FUNCTIONS = {function.name: function for function in rankdcg_sql.functions()}


def numbers(value: Any) -> list[Any]:
    """List the numbers or items of a result, from structs and lists, without the user."""
    if isinstance(value, dict):
        value = [each for name, each in value.items() if name != "userid"]
    if isinstance(value, list | tuple):
        return [number for each in value for number in numbers(each)]
    return [value]


def of_sql(con: duckdb.DuckDBPyConnection, function: Function) -> list[dict[str, Any]]:
    if function.is_native_only and not _static.installed():
        pytest.skip("the function is native from DuckDB 2.0 on")
    return con.sql(function.examples.sql).pl().to_dicts()


@pytest.mark.parametrize("name", FUNCTIONS)
def test_examples_give_the_same_in_sql_and_in_polars(native: duckdb.DuckDBPyConnection, name: str) -> None:
    function = FUNCTIONS[name]
    found = [tuple(numbers(row)) for row in of_sql(native, function)]
    number = float if "DOUBLE" in function.result else int
    kind = str if function.output == "items" else number
    assert any(isinstance(value, kind) for row in found for value in row)
    assert (function.expression is not None) == FORMS[function.form].has_expression
    if function.expression is None:
        assert function.examples.polars is None
        return
    statement, expression = (function.examples.polars or "").split("\n")
    names = {"pl": pl, "rk": rk}
    exec(statement, names)
    assert [tuple(numbers(row)) for row in eval(expression, names).to_dicts()] == found


@pytest.mark.parametrize("name", FUNCTIONS)
def test_examples_name_every_argument_that_a_call_must_have(
    native: duckdb.DuckDBPyConnection, name: str
) -> None:
    function = FUNCTIONS[name]
    assert function.examples.sql.startswith("SELECT ")
    assert f"{name}(" in function.examples.sql
    assert [parameter.required for parameter in function.parameters] == [True] * function.required + [
        False
    ] * (len(function.parameters) - function.required)
    for parameter in function.parameters:
        for kind in parameter.type.replace("ANY", "BIGINT").split(" or "):
            native.execute(f"SELECT NULL::{kind}")
        assert parameter.description.endswith(".")
    assert function.arguments[-1] == "options"


@pytest.mark.parametrize("name", FUNCTIONS)
def test_result_has_the_type_that_duckdb_says(native: duckdb.DuckDBPyConnection, name: str) -> None:
    function = FUNCTIONS[name]
    if function.is_native_only and function.output != "items":
        user = "userid ANY, " if function.form == "by_user" else ""
        kind = "ANY" if function.output == "explanation" else "BIGINT"
        assert function.result.startswith(f"STRUCT({user}{function.fields[0]} {kind}, ")
        assert function.result.endswith(")[]")
        return
    if function.output == "items":
        assert function.result == "ANY[]"
        return
    ((_, found, *_),) = native.sql(f"DESCRIBE {function.examples.sql}").fetchall()[-1:]
    assert [(found,)] == native.sql(f"SELECT typeof(NULL::{function.result})").fetchall()


def test_functions_of_one_base_are_one_metric() -> None:
    for function in FUNCTIONS.values():
        of_base = [each for each in FUNCTIONS.values() if each.base == function.base]
        assert {each.summary for each in of_base} == {function.summary}
        assert len({each.form for each in of_base}) == len(of_base)
    expressions = [each.expression for each in FUNCTIONS.values() if each.expression]
    assert len(set(expressions)) == len(expressions)
    assert {*expressions, "RankEval"} <= {*rk.__all__}


def test_options_are_written_as_sql_takes_them() -> None:
    given = {"gain": "exp2", "unjudged": 0, "max_rel": None, "weights": [1, 2.5], "cuts": (3,), "last": ""}
    assert options_text(given) == "gain=exp2,unjudged=0,weights=1:2.5,cuts=3,last="
    assert options_text({}) == ""


def test_an_option_that_is_not_given_has_the_default_of_the_function_or_its_own() -> None:
    """An option that the function does not take is left out."""
    defaults = {option.name: option.default for option in options()}
    given = {"max_rel": 4, "nothing": 7}
    for function in FUNCTIONS.values():
        if function.output == "explanation":
            continue
        expected = {option: (defaults[option], "default") for option in function.options}
        expected |= {option: (value, "metric") for option, value in function.defaults.items()}
        expected |= {"max_rel": ("4", "given")} if "max_rel" in function.options else {}
        found = resolve_options(function, given)
        assert {option: (each.value, each.origin) for option, each in found.items()} == expected


def test_an_explanation_has_the_options_of_its_metric() -> None:
    for suffix in ("", "_rows"):
        found = resolve_options(by_name()[f"rank_explain{suffix}"], {"metric": "rankdcg", "ties": "average"})
        own = resolve_options(by_name()[f"rankdcg{suffix}"], {"ties": "average"})
        assert {**found, "metric": None} == {**own, "metric": None}
        assert (found["metric"].value, found["metric"].origin) == ("rankdcg", "given")


def test_options_of_a_call_prevail() -> None:
    found = resolve_options(by_name()["rankdcg"], {"ties": "OPTIMISTIC", "convention": "sklearn"})
    assert (found["ties"].value, found["ties"].origin) == ("optimistic", "given")
    # The convention has another value for auc than for other metrics.
    for name, value in {"auc": "null", "ndcg": "zero", "rank_metrics": "zero"}.items():
        found = resolve_options(by_name()[name], {"convention": "sklearn"})
        assert (found["no_relevant"].value, found["no_relevant"].origin) == (value, "convention")
    with pytest.raises(ValueError, match=r"ndcg: gain must be .*, got 'cubic'"):
        resolve_options(by_name()["ndcg"], {"gain": "cubic"})
