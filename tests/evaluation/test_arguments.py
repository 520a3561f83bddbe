"""Every argument refuses values that have no truth value or no equality, and its error names it."""

from __future__ import annotations

from collections.abc import Callable
from inspect import signature
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import rankdcg_sql
from rankdcg_sql import CallError, compare, evaluate, history

TABLE = {"userid": [1, 2, 3], "itemid": [1, 2, 1], "score": [1, 2, 1]}
#: Values that no argument takes. A comparison with most of them is no boolean.
STRANGE = {
    "NA": pd.NA,
    "NaT": pd.NaT,
    "NaN": float("nan"),
    "expression": pl.col("x"),
    "array": np.array([1.5, 2.5]),
    "series of pandas": pd.Series([1.5, 2.5]),
    "series of Polars": pl.Series([1.5, 2.5]),
    "bytes": b"x",
    "object": object(),
}
OPTIONS = ["min_rel", "ties"]


def arguments(function: Callable[..., Any], *more: str) -> list[str]:
    return [name for name in signature(function).parameters if name != "options"] + list(more)


CALLS: dict[str, tuple[Callable[..., Any], dict[str, Any], list[str]]] = {
    "evaluate": (evaluate, {"truth": TABLE, "rec": TABLE, "k": 1}, arguments(evaluate, *OPTIONS)),
    "compare": (
        compare,
        {"truth": TABLE, "recs": {"a": TABLE, "b": TABLE}, "k": 1},
        arguments(compare, *OPTIONS),
    ),
    "history": (history, {}, arguments(history)),
}


@pytest.mark.parametrize("value", STRANGE.values(), ids=STRANGE)
@pytest.mark.parametrize(
    ("call", "argument"), [(call, each) for call, (*_, names) in CALLS.items() for each in names]
)
def test_each_argument_refuses_strange_values(call: str, argument: str, value: Any, tmp_path: Path):
    function, given, _ = CALLS[call]
    if call == "history":
        given = {"path": tmp_path / "history.csv"}
        evaluate(TABLE, TABLE, k=1, metrics="recall").append(given["path"])
    with pytest.raises(CallError) as error:
        function(**given | {argument: value})
    assert (error.value.function, error.value.argument) == (call, argument)


@pytest.mark.parametrize("correction", [None, "none", "bonferroni"])
def test_usual_values_are_taken(correction: Any):
    recs = {"a": TABLE, "b": TABLE}
    compared = compare(
        TABLE, recs, k=np.array([1, 2]), margin=np.float64(0.1), alternative="greater", correction=correction
    )
    assert compared.margin == 0.1
    assert rankdcg_sql.evaluate(TABLE, TABLE, k=pd.Series([1, 2]), min_rel=1).ks == (1, 2)
