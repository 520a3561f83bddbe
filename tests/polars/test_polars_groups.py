"""Polars' functions over rows of groups: shapes of groupings, k of groups, and one call for all groups."""

from __future__ import annotations

import random
import re
from functools import cache
from typing import TYPE_CHECKING, Any

import polars as pl
import pyarrow as pa
import pytest
from support.engines import Core, Polars, options_text
from support.polars_calls import by_core, calls, cuts, needed, shuffled

from rankdcg_sql import Function, functions
from rankdcg_sql import polars as rk

if TYPE_CHECKING:
    from collections.abc import Callable

FUNCTIONS = {function.name: function for function in functions()}


@cache
def grouped(groups: int = 200) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Rows in groups of 1 to 8 rows, and a row for each group with the lists of its rows.

    Scores have ties and NULLs, and relevances have NULLs. k is the same in all rows of a group.
    """
    chance = random.Random(groups)
    rows = [
        (
            group,
            group % 4 + 1,
            chance.choice([None, 0.1, 0.5, 0.5, 0.7, chance.random()]),
            chance.choice([None, 0.0, 0.0, 1.0, 2.0]),
        )
        for group in range(groups)
        for _ in range(chance.randint(1, 8))
    ]
    frame = pl.DataFrame(rows, ["g", "k", "score", "rel"], orient="row")
    parts = frame.partition_by("g", maintain_order=True)
    lists = {
        "k": [part["k"][0] for part in parts],
        "scores": [part["score"].to_list() for part in parts],
        "rels": [part["rel"].to_list() for part in parts],
    }
    return frame, pl.DataFrame(lists)


def mixed(rows: pl.DataFrame, seed: int = 1) -> pl.DataFrame:
    return rows[shuffled(range(rows.height), seed)]


NDCG = rk.ndcg_agg("score", "rel", k=3).alias("v")
#: Queries for the groups in ascending order and their v, named by the feature of each.
GROUPINGS: dict[str, Callable[[pl.DataFrame, pl.Expr], pl.DataFrame | pl.LazyFrame]] = {
    "agg": lambda t, v: t.group_by("g").agg(v).sort("g"),
    "in the order of rows": lambda t, v: t.group_by("g", maintain_order=True).agg(v),
    "in any order of rows": lambda t, v: mixed(t).group_by("g").agg(v).sort("g"),
    "in memory": lambda t, v: t.lazy().group_by("g").agg(v).sort("g").collect(engine="in-memory"),
    "streaming": lambda t, v: t.lazy().group_by("g").agg(v).sort("g").collect(engine="streaming"),
    "in chunks": lambda t, v: t[:100].vstack(t[100:]).group_by("g").agg(v).sort("g"),
    "by two keys": lambda t, v: t.with_columns(h=pl.col("g") % 3).group_by("g", "h").agg(v).sort("g"),
    "by a struct": lambda t, v: t.group_by(s=pl.struct("g", "k")).agg(v).unnest("s").sort("g"),
    "among others": lambda t, v: (
        t.group_by("g").agg(pl.len(), v, v.alias("w"), pl.col("rel").sum()).sort("g")
    ),
    "over": lambda t, v: t.with_columns(v.over("g")).group_by("g", maintain_order=True).agg(once("v")),
    "over, in any order": lambda t, v: (
        mixed(t).with_columns(v.over("g")).group_by("g").agg(once("v")).sort("g")
    ),
    "over and streaming": lambda t, v: (
        t.lazy().with_columns(v.over("g")).collect(engine="streaming").group_by("g").agg(once("v")).sort("g")
    ),
    "over, ordered": lambda t, v: (
        t.with_columns(v.over("g", order_by="rel")).group_by("g").agg(once("v")).sort("g")
    ),
    "one frame after the other": lambda t, v: pl.concat(
        [part.select(v) for part in t.partition_by("g", maintain_order=True)]
    ),
    "one after the other, lazy": lambda t, v: pl.concat(
        [part.lazy().select(v) for part in t.partition_by("g", maintain_order=True)]
    ),
    "dynamic": lambda t, v: t.group_by_dynamic("g", every="1i").agg(v),
    "rolling": lambda t, v: t.rolling("g", period="1i").agg(v).group_by("g").agg(once("v")).sort("g"),
    "rolling expression": lambda t, v: (
        t.select("g", v.rolling("g", period="1i")).group_by("g").agg(once("v")).sort("g")
    ),
    "of lists": lambda t, v: (
        t.group_by("g", maintain_order=True)
        .agg("score", "rel", "k")
        .explode("score", "rel", "k")
        .group_by("g", maintain_order=True)
        .agg(v)
    ),
    "sorted in the groups": lambda t, v: t.sort("rel", "score").group_by("g").agg(v).sort("g"),
}


def once(name: str) -> pl.Expr:
    """The value that all rows of a group share; -1 if they differ."""
    return pl.when(pl.col(name).n_unique() == 1).then(pl.col(name).first()).otherwise(-1.0)


@pytest.mark.parametrize("shape", GROUPINGS)
def test_shape_of_a_grouping_changes_no_value(shape: str):
    rows, lists = grouped()
    expected = by_core("ndcg_scored", lists.with_columns(k=pl.lit(3)), "scores", "rels", "k")
    assert len(set(expected)) > 50
    assert GROUPINGS[shape](rows, NDCG).lazy().collect()["v"].to_list() == expected


AGGREGATES = [function for function in functions() if function.form == "agg"]


@pytest.mark.parametrize("aggregated", AGGREGATES, ids=lambda function: function.name)
def test_aggregate_is_the_scored_form_of_each_group(aggregated: Function):
    stem = aggregated.name.removesuffix("_agg")
    function = FUNCTIONS.get(f"{stem}_scored") or FUNCTIONS[stem]
    rows, lists = grouped()
    cut, options = cuts(function), needed(function)
    constants = [*cut, options_text(options)] if options else cut
    columns = [pa.array(lists[name].to_list(), pa.list_(pa.float64())) for name in ("scores", "rels")]
    columns += [pa.array([constant] * lists.height) for constant in constants]
    expected = Core().over(function.name, columns)
    aggregate = getattr(rk, Polars().function_name(aggregated.name))
    value = aggregate("score", "rel", *cut, **options).alias("v")
    assert rows.group_by("g", maintain_order=True).agg(value)["v"].to_list() == expected
    for seed in range(5):  # the same bits in every order of the rows
        assert mixed(rows, seed).group_by("g").agg(value).sort("g")["v"].to_list() == expected
    over = rows.select("g", value.over("g")).group_by("g", maintain_order=True).agg(pl.col("v").first())
    assert over["v"].to_list() == expected


SIZE = pl.col("scores").list.len().cast(pl.Int64)
#: Expressions for k of the rows of a group, and for the same k of its lists.
KS: dict[str, tuple[pl.Expr, pl.Expr]] = {
    "column": (pl.col("k"), pl.col("k")),
    "first": (pl.col("k").first(), pl.col("k")),
    "largest": (pl.col("k").max(), pl.col("k")),
    "computed": (pl.col("g") % 4 + 1, pl.col("k")),
    "wide": (pl.col("k").cast(pl.UInt64), pl.col("k")),
    "literal": (pl.lit(2), pl.lit(2)),
    "NULL": (pl.lit(None), pl.lit(None)),
    "number of rows": (pl.len(), SIZE),
    "half of the rows": (pl.len() // 2 + 1, SIZE // 2 + 1),
}


@pytest.mark.parametrize("how", ["a constant", *KS])
def test_all_groups_are_evaluated_in_one_call(how: str):
    rows = grouped(1000)[0]
    value = rk.ndcg_agg("score", "rel", k=KS[how][0] if how in KS else 3)
    for query in (
        lambda: rows.group_by("g").agg(value),
        lambda: rows.lazy().group_by("g").agg(value).collect(engine="in-memory"),
        lambda: rows.select(value.over("g")),
        lambda: rows.rolling("g", period="1i").agg(value),
    ):
        before = calls()
        query()
        assert calls() - before == 1


@pytest.mark.parametrize(
    "shape", ["agg", "streaming", "over", "in any order of rows", "one frame after the other"]
)
@pytest.mark.parametrize("how", KS)
def test_k_of_groups(how: str, shape: str):
    rows, lists = grouped()
    k, of_lists = KS[how]
    expected = by_core("ndcg_scored", lists.with_columns(k=of_lists), "scores", "rels", "k")
    value = rk.ndcg_agg("score", "rel", k=k).alias("v")
    assert GROUPINGS[shape](rows, value).lazy().collect()["v"].to_list() == expected


@pytest.mark.parametrize(
    ("ks", "sentence"),
    [
        (pl.Series([1, 2, 1]), "got 2 and 1"),
        (pl.Series([1, None, 1]), "got NULL and 1"),
        (pl.Series([1, 1, None]), "got 1 and NULL"),
    ],
    ids=str,
)
def test_k_that_differs_in_a_group(ks: pl.Series, sentence: str):
    frame = pl.DataFrame({"g": [1, 2, 2], "score": [0.5] * 3, "rel": [1] * 3, "k": ks})
    expected = re.escape(f"ndcg_agg: k must be the same in all rows of a group, {sentence}")
    value = rk.ndcg_agg("score", "rel", k=pl.col("k"))
    for query in (frame.group_by("g").agg, lambda value: frame.select(value.over("g"))):
        with pytest.raises(pl.exceptions.ComputeError, match=expected):
            query(value)
    assert frame.group_by("g").agg(rk.ndcg_agg("score", "rel", k=pl.col("k").first())).height == 2


def test_several_k_of_groups():
    rows, lists = grouped()
    both = pl.concat_list(pl.col("k"), pl.lit(2, pl.Int64))
    rows, lists = rows.with_columns(ks=both), lists.with_columns(ks=both)
    constant = pl.lit([1, 3], dtype=pl.List(pl.Int64))
    for ks, of_lists in [
        (pl.col("ks"), pl.col("ks")),
        (pl.col("ks").first(), pl.col("ks")),
        (constant, constant),
    ]:
        value = rk.rank_metrics_at_agg("score", "rel", ks).alias("v")
        expected = lists.select(rk.rank_metrics_at_scored("scores", "rels", of_lists)).to_series()
        for query in (rows.group_by("g"), mixed(rows).lazy().group_by("g")):
            assert query.agg(value).lazy().collect().sort("g")["v"].equals(expected)
        over = rows.select("g", value.over("g")).unique("g", keep="any").sort("g")
        assert over["v"].equals(expected)
    for one, other in [([1, None], [1, 2, 3]), ([1], [1, 2]), ([1, 2], [1]), ([1], None), (None, [1])]:
        differing = pl.DataFrame({"g": [1, 1], "score": [0.5] * 2, "rel": [1] * 2, "ks": [one, other]})
        got = " and ".join(str(ks).replace("None", "NULL") for ks in (one, other))
        expected = f"rank_metrics_at_agg: k must be the same in all rows of a group, got {got}"
        with pytest.raises(pl.exceptions.ComputeError, match=re.escape(expected)):
            differing.group_by("g").agg(rk.rank_metrics_at_agg("score", "rel", pl.col("ks")))


@pytest.mark.parametrize("ks", [0.5, [0.5]], ids=["k", "several k"])
def test_k_of_another_type_in_groups(ks: Any):
    name = "rank_metrics_at_agg" if isinstance(ks, list) else "ndcg_agg"
    frame = pl.DataFrame({"g": [1, 2, 2], "score": [0.5] * 3, "rel": [1] * 3, "k": [ks] * 3})
    value = getattr(rk, name)("score", "rel", pl.col("k"))
    with pytest.raises(pl.exceptions.ComputeError, match=f"{name}: k must be an integer, got float"):
        frame.group_by("g").agg(value)


def test_expressions_of_rows_in_groups():
    frame = pl.DataFrame({"g": [1, 1, 1, 2, 2], "score": [3, 2, 1, 2, 1], "rel": [0, 1, 2, 0, 1]})

    def found(score: Any, rel: Any) -> list[Any]:
        return frame.group_by("g", maintain_order=True).agg(rk.mrr_agg(score, rel))["mrr"].to_list()

    score, rel = pl.col("score"), pl.col("rel")
    assert found(score, rel) == [0.5, 0.5]
    assert found(-score, rel) == [1, 1]
    assert found(score / 2, rel > 1) == [1 / 3, None]
    assert found(score.filter(score < 3), rel.filter(score < 3)) == [1, 0.5]
    few = score.filter(score > 2), rel.filter(score > 2)
    assert found(*few) == [None, None]  # a group without a relevant item, and one without rows
    assert found(score.sort_by("rel"), rel.sort()) == [0.5, 0.5]
    assert found(score.head(2), rel.tail(2)) == [1, 0.5]
    different = "mrr_agg: score and rel must be of equal length, got 1 and 3"
    with pytest.raises(pl.exceptions.ComputeError, match=different):
        found(score.head(1), rel)


def test_whole_frame_is_one_group():
    frame = pl.DataFrame({"score": [3, 2, 1], "rel": [0, 1, 2]})
    value = rk.mrr_agg("score", "rel")
    assert frame.select(value).rows() == [(0.5,)]
    assert frame.with_columns(value)["mrr"].to_list() == [0.5] * 3
    lazy = frame.lazy().with_columns(value).filter(pl.col("rel") == 2)  # the filter comes last
    assert lazy.collect().rows() == [(1, 2, 0.5)]
    assert frame.lazy().select(value).collect(engine="streaming").rows() == [(0.5,)]
    assert frame[:0].select(value).rows() == [(None,)]
    assert frame[:0].group_by("rel").agg(value).schema == {"rel": pl.Int64, "mrr": pl.Float64}
    for rels in ([0, 1, 2], (0, 1, 2), pl.Series([0, 1, 2])):
        assert frame.select(rk.mrr_agg("score", rels)).item() == 0.5
