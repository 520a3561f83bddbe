"""Errors and warnings cross the boundary to Python as fields: function, argument, kind and text."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any

import duckdb
import pyarrow as pa
import pytest

import rankdcg_sql
from rankdcg_sql import CallError, DataWarning, _native
from rankdcg_sql._errors import Argument, CallFileNotFoundError, CallOSError, CallTypeError, CallValueError

LISTS = pa.array([[1, 2]])
ROWS = pa.array([[{"item": 1, "score": 1.0, "rel": -1.0}]])
TRUTH = {"userid": [1, 1], "itemid": [1, 2], "grade": [1, 2]}
REC = {"userid": [1, 1], "itemid": [1, 2], "score": [2.0, 1.0]}
FIELDS = ("function", "argument", "kind", "text")


def fields(error: CallError | DataWarning) -> tuple[Any, ...]:
    return tuple(getattr(error, name) for name in FIELDS)


def raised(call: Callable[[], Any]) -> CallError:
    with pytest.raises(CallError) as error:
        call()
    return error.value


@pytest.mark.parametrize(
    ("call", "function", "argument", "text"),
    [
        (lambda: _native.check("mrr", [0], ""), "mrr", "k", "k must be at least 1, got 0"),
        (lambda: _native.check("roc_auc", [5], ""), "roc_auc", "k", "takes no k, got 5"),
        (lambda: _native.check("ndcg", [], "discount=log3"), "ndcg", "discount", "discount must be "),
        (lambda: _native.check("ndcg", [], "gian=exp2"), "ndcg", "options", "unknown option 'gian', "),
        (lambda: _native.check("precision_at", [], "denominator=2"), "precision_at",
         "precision_denominator", "precision_denominator must be "),
        (lambda: _native.check("no_such", [], ""), None, None, "there is no function no_such"),
        (lambda: _native.call("mrr", [pa.array([1]), LISTS]), "mrr", "rec", "rec must be a list, got "),
        (lambda: _native.call("mrr", [LISTS, pa.array([1])]), "mrr", "truth", "truth must be a list or "),
        (lambda: _native.call("mrr", [LISTS]), "mrr", None, "takes 2 to 4 arguments (rec, truth"),
        (lambda: _native.call("mean_ci", [pa.array([[float("inf")]])]), "mean_ci", "x",
         "x must be finite, got inf"),
        (lambda: _native.call_lists("mrr_rows", ROWS), "mrr_rows", "rel",
         "relevance in rel must not be negative, got -1"),
    ],
)  # fmt: skip
def test_fields_of_the_library(
    call: Callable[[], Any], function: str | None, argument: str | None, text: str
):
    error = raised(call)
    assert isinstance(error, ValueError)
    assert (error.function, error.argument, error.kind) == (function, argument, "argument")
    assert error.text.startswith(text)
    assert str(error) == (f"{function}: {error.text}" if function else error.text)


@pytest.mark.parametrize(
    "call", ["mrr([1], [1], 0)", "ndcg([1], [1], 5, 'gain=log')", "rank_metrics_at([1], [1], [0])"]
)
def test_errors_that_duckdb_passes_on_have_fields(call: str):
    with pytest.raises(duckdb.InvalidInputException) as error:
        rankdcg_sql.connect().execute(f"SELECT {call}").fetchall()
    found = _native.error_in(str(error.value))
    assert found is not None
    name = call.partition("(")[0]
    assert (found.function, found.argument, found.kind) == (name, None, "argument")
    assert str(error.value) == f"Invalid Input Error: {found}"


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("ndcg_rows: out of memory: 8 bytes could not be allocated", "memory"),
        ("rankdcg: internal error: row 7", "internal"),
        ("ndcg: options are written key=value, got 'out of memory: \udc80\0'", "argument"),
    ],
)
def test_kinds_of_errors_that_duckdb_passes_on(text: str, kind: str):
    found = _native.error_in(f"Invalid Input Error: {text}")
    assert found is not None
    assert found.kind == kind


@pytest.mark.parametrize("text", ["", "Catalog Error: Table with name t does not exist!", "mine: k", "ndcg"])
def test_errors_of_duckdb_are_none_of_the_library(text: str):
    assert _native.error_in(text) is None


def evaluated(**given: Any) -> Callable[[], Any]:
    return lambda: rankdcg_sql.evaluate(**{"truth": TRUTH, "rec": REC, "rel": "grade", **given})


def compared(**given: Any) -> Callable[[], Any]:
    recs = {"a": REC, "b": REC}
    return lambda: rankdcg_sql.compare(**{"truth": TRUTH, "recs": recs, "rel": "grade", **given})


@pytest.mark.parametrize(
    ("call", "function", "argument", "builtin"),
    [
        (evaluated(gain="log"), "evaluate", "gain", ValueError),
        (evaluated(gian="exp2"), "evaluate", "gian", TypeError),
        (evaluated(k=0), "evaluate", "k", ValueError),
        (evaluated(k="5"), "evaluate", "k", TypeError),
        (evaluated(confidence=2), "evaluate", "confidence", ValueError),
        (evaluated(metrics="P_10"), "evaluate", "metrics", ValueError),
        (evaluated(users="all"), "evaluate", "users", ValueError),
        (evaluated(user="\udc80"), "evaluate", "user", ValueError),
        (evaluated(item="ding"), "evaluate", "item", ValueError),
        (evaluated(score="itemid", rec={**REC, "itemid": ["1", "2"]}), "evaluate", "score", ValueError),
        (evaluated(by="grade"), "evaluate", "by", ValueError),
        (evaluated(seed=1), "evaluate", "seed", ValueError),
        (evaluated(truth=3), "evaluate", "truth", TypeError),
        (evaluated(rec="no.csv"), "evaluate", "rec", FileNotFoundError),
        (evaluated(con=3), "evaluate", "con", TypeError),
        (compared(recs=REC), "compare", "recs", TypeError),
        (compared(recs={"a": REC, "b": "no.csv"}), "compare", "recs", FileNotFoundError),
        (compared(truth="no.csv"), "compare", "truth", FileNotFoundError),
        (compared(baseline="c"), "compare", "baseline", ValueError),
        (compared(alternative="both"), "compare", "alternative", ValueError),
        (lambda: evaluated()().write("values.xlsx"), "write", "path", ValueError),
        (lambda: evaluated()().write("no/values.csv"), "write", "path", OSError),
        (lambda: rankdcg_sql.register(3), "register", "con", TypeError),
    ],
)
def test_errors_in_python_have_fields(
    call: Callable[[], Any], function: str, argument: str, builtin: type[Exception]
):
    error = raised(call)
    assert (error.function, error.argument, error.kind) == (function, argument, "argument")
    assert isinstance(error, builtin)
    assert str(error) == f"{function}: {error.text}"


def test_an_error_of_a_metric_names_the_row():
    error = raised(evaluated(truth={**TRUTH, "grade": [-2, 1]}))
    text = "relevance in rel must not be negative, got -2 (user 1, item 1 of truth)"
    assert fields(error) == ("evaluate", None, "argument", text)


def test_an_error_that_is_not_about_a_row_names_none(monkeypatch: pytest.MonkeyPatch):
    no_memory = CallValueError("ndcg_rows", None, "out of memory: 8 bytes", kind="memory")
    monkeypatch.setattr(_native, "error_in", lambda message: no_memory)
    error = raised(evaluated(truth={**TRUTH, "grade": [-2, 1]}))
    assert fields(error) == ("evaluate", None, "memory", "out of memory: 8 bytes")


@pytest.mark.parametrize(
    ("given", "argument", "kind", "text"),
    [
        ({"rel": None}, "rel", "argument", "truth has a column 'grade', but no rel='grade' is given: each "),
        ({"rec": {**REC, "score": [1.0, None]}}, None, "rows", "1 row of rec without a score, left out"),
        ({"rec": {**REC, "itemid": [8, 9]}}, None, "argument", "no item of rec is one of truth, "),
        (
            {"min_rel": 3, "metrics": "recall"},
            None,
            "argument",
            "no metric has a value: each user of truth is ",
        ),
        (
            {"truth": {"userid": [1], "itemid": [1]}, "rel": None, "min_rel": 1},
            "min_rel",
            "argument",
            "min_rel=1 is about relevances, but no rel= names their column in truth: ",
        ),
        (
            {"truth": {**TRUTH, "grade": [1, 1]}, "metrics": "rankdcg", "rec": {**REC, "itemid": [1, 3]}},
            "truth",
            "argument",
            "rankdcg needs graded truth: 1 of 1 user have fewer than two distinct relevances in truth. ",
        ),
    ],
)
def test_warnings_have_fields(given: dict[str, Any], argument: str | None, kind: str, text: str):
    with pytest.warns(DataWarning) as caught:
        evaluated(**given)()
    (message,) = (each.message for each in caught)
    assert isinstance(message, DataWarning)
    assert (message.function, message.argument, message.kind) == ("evaluate", argument, kind)
    assert message.text.startswith(text)
    assert str(message) == f"evaluate: {message.text}"


@pytest.mark.parametrize(
    "kind", [CallValueError, CallTypeError, CallFileNotFoundError, CallOSError, DataWarning]
)
def test_errors_and_warnings_are_copied(kind: type[CallError | DataWarning]):
    error = kind("evaluate", "rel", "no ", Argument("rel", "x"), kind="memory")
    found = pickle.loads(pickle.dumps(error))
    assert type(found) is kind
    assert fields(found) == fields(error) == ("evaluate", "rel", "memory", "no rel='x'")
    assert str(found) == "evaluate: no rel='x'"
    assert found.parts == error.parts


def test_each_front_end_writes_arguments_as_its_users_do():
    error = CallValueError("evaluate", "rel", Argument("rel"), " is no ", Argument("by", "x"))
    assert error.text == "rel is no by='x'"
    assert error.write(lambda argument: f"<{argument.name} {argument.value}>") == "<rel None> is no <by x>"
