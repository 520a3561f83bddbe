"""The functions of lists, called with the lists of one ranking."""

from __future__ import annotations

import math
import subprocess
import sys
from datetime import date, datetime, timezone
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from support import process

import rankdcg_sql
import rankdcg_sql.lists
import rankdcg_sql.polars as rk
from rankdcg_sql import catalogue

DAY, NOON = date(2020, 1, 1), datetime(2020, 1, 1, 12)
NOON_UTC = NOON.replace(tzinfo=timezone.utc)

LISTS = {name: of for name, of in catalogue.expressions().items() if not of.is_aggregate}
#: NDCG at 2 of the ranking a, c, b if a, b and d are relevant: a hit at rank 1 of the ideal two.
AT_2 = 1 / (1 + 1 / math.log2(3))


@pytest.mark.parametrize("name", LISTS)
def test_every_function_of_lists_gives_what_polars_does(name: str):
    statement, call = (LISTS[name].examples.polars or "").split("\n")
    names: dict[str, Any] = {"pl": pl, "rk": rk}
    exec(statement, names)
    frame, asked = names["frame"], {}

    def note(*columns: str, **arguments: Any) -> pl.Expr:
        asked.update(arguments)
        return getattr(rk, name)(*columns, **arguments)

    rows = eval(call, {"frame": frame, "rk": type("rk", (), {name: staticmethod(note)})})
    found = getattr(rankdcg_sql, name)(*frame.row(0), **asked)
    assert [found] == rows.to_series().to_list()


def test_names_are_those_of_polars():
    assert {*rankdcg_sql.lists.__all__} == {*LISTS}
    assert {*LISTS} <= {*dir(rankdcg_sql)}
    with pytest.raises(AttributeError, match="has no attribute 'ndcg_agg'"):
        rankdcg_sql.ndcg_agg  # noqa: B018


@pytest.mark.parametrize(
    "rec", [[*"acb"], tuple("acb"), np.array([*"acb"]), pd.Series([*"acb"]), pl.Series([*"acb"])]
)
@pytest.mark.parametrize("truth", [[*"abd"], {*"abd"}, dict.fromkeys("abd", 1), np.array([*"abd"])])
def test_lists_of_every_kind(rec: Any, truth: Any):
    assert rankdcg_sql.ndcg(rec, truth, k=2) == pytest.approx(AT_2, rel=1e-12)
    assert rankdcg_sql.precision(rec, truth, 2) == 0.5


def test_nulls_and_empty_lists():
    assert rankdcg_sql.recall([1], None) is None
    assert rankdcg_sql.recall([1], []) is rankdcg_sql.recall([1], {}) is None
    assert rankdcg_sql.recall([], [1]) == rankdcg_sql.recall(None, [1]) == 0
    assert rankdcg_sql.recall([1, None], [1, 2], min_rel=None) == 0.5


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: rankdcg_sql.ndcg("acb", ["a"]), TypeError, "ndcg: rec must be a list, or None, got 'acb'"),
        (lambda: rankdcg_sql.ndcg(["a"], 3), TypeError, "ndcg: truth must be a list, or None, got 3"),
        (lambda: rankdcg_sql.ndcg({"a"}, ["a"]), TypeError, "ndcg: rec must have an order, got a set"),
        (lambda: rankdcg_sql.ndcg({"a": 1}, ["a"]), TypeError, "ndcg: rec must have an order, got a dict"),
        (lambda: rankdcg_sql.rankdcg(["a"], ["b"]), ValueError, "rankdcg: "),
        (lambda: rankdcg_sql.ndcg([1, "a"], []), TypeError, "ndcg: rec must be of one type, got Number"),
        (lambda: rankdcg_sql.ndcg([], ["b", b"a"]), TypeError, "ndcg: truth must be of one type, got b"),
        (lambda: rankdcg_sql.ndcg([DAY, NOON], [DAY]), TypeError, "ndcg: rec must be of one type, got d"),
        (lambda: rankdcg_sql.ndcg([NOON, NOON_UTC], []), TypeError, "ndcg: rec must be of one type"),
        (lambda: rankdcg_sql.ndcg([10**30], [1]), TypeError, "ndcg: rec cannot be read: "),
        (lambda: rankdcg_sql.ndcg(["\ud800"], ["a"]), TypeError, "ndcg: rec cannot be read: "),
        (lambda: rankdcg_sql.ndcg([np.datetime64("2020-01-01")], [1]), TypeError, "ndcg: rec cannot be"),
        (lambda: rankdcg_sql.ndcg(np.array(3), [1]), TypeError, "ndcg: rec cannot be read: "),
        (lambda: rankdcg_sql.ndcg([1], ["a"]), ValueError, "ndcg: the items of rec and truth must be of one"),
        (lambda: rankdcg_sql.ndcg([1], [1], 0), ValueError, "ndcg: k must be at least 1, got 0"),
        (lambda: rankdcg_sql.ndcg([1], [1], "2"), TypeError, "ndcg: k must be an integer or None, got '2'"),
        (lambda: rankdcg_sql.rank_metrics_at([1], [1], 2), TypeError, "rank_metrics_at: ks must be a list"),
        (lambda: rankdcg_sql.ndcg([1], [1], gain="cubic"), ValueError, "ndcg: gain must be "),
        (lambda: rankdcg_sql.ndcg([1], [1], gian="exp2"), ValueError, "ndcg: unknown option 'gian'"),
    ],
)  # fmt: skip
def test_wrong_lists(call: Any, error: type[Exception], message: str):
    with pytest.raises(error, match=f"^{message}") as raised:
        call()
    assert isinstance(raised.value, rankdcg_sql.CallError)


def test_the_import_of_the_package_does_not_import_them():
    code = "import rankdcg_sql, sys; print({'rankdcg_sql.lists', 'pyarrow'} & {*sys.modules})"
    assert process.run(code).stdout.strip() == "set()"


def test_the_package_is_a_program():
    done = subprocess.run(
        [sys.executable, "-m", "rankdcg_sql", "--version"], capture_output=True, text=True, timeout=120
    )
    assert (done.returncode, done.stdout.split()[-1]) == (0, rankdcg_sql.__version__)
