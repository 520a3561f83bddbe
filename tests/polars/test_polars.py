"""Tests of Polars alone: plans of queries, groups, names of columns, and errors.

The tests in tests/metrics check the values in every form and with every option, as for other engines.
"""

from __future__ import annotations

import ctypes
import inspect
import os
import random
import re
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import polars as pl
import pyarrow as pa
import pytest
from support import process, random_lists
from support.engines import Core, Polars, options_text
from support.forms import FORMS, inputs

import rankdcg_sql
from rankdcg_sql import Function, connect, extension_path, functions, lists
from rankdcg_sql import polars as rk

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

COUNT = 2500
FUNCTIONS = {function.name: function for function in functions()}


def test_the_build_with_indexes_of_64_bits_is_in_use_where_it_is_asked_for():
    wanted = os.environ.get("POLARS_FORCE_PKG") == "64"
    assert (pl.DataFrame({"x": [1]}).select(pl.len()).schema["len"] == pl.UInt64) == wanted


# Rows of lists


@cache
def table(count: int = COUNT) -> pl.DataFrame:
    """Random rows with NULLs in all places."""
    rows = random_lists.arrow(COUNT, "all").select(["id", "part", "rec", "truth", "k"])
    return pl.DataFrame(rows)[:count]


def by_core(function: str, frame: pl.DataFrame, *columns: str) -> list[Any]:
    """The value of every row by the C function for Python, which does not use Polars."""
    return Core().over(function, [pa.array(frame[name].to_list(), ARROW[name]) for name in columns])


ARROW = {
    **dict.fromkeys(["rec", "truth"], pa.list_(pa.int64())),
    **dict.fromkeys(["scores", "rels"], pa.list_(pa.float64())),
    "k": pa.int64(),
}


@cache
def plain() -> dict[int, float | None]:
    frame = table()
    return dict(zip(frame["id"], by_core("ndcg", frame, "rec", "truth", "k"), strict=True))


def values(frame: pl.DataFrame | pl.LazyFrame) -> dict[int, float | None]:
    frame = frame.lazy().collect()
    assert frame.height == frame["id"].n_unique()
    return dict(frame.select("id", "v").iter_rows())


def halves(column: str, at: int) -> pl.Series:
    """A column of the table in two chunks."""
    series = table()[column]
    return pl.concat([series[:at], series[at:]], rechunk=False)


V = rk.ndcg("rec", "truth", k=pl.col("k")).alias("v")
FIELD = pl.col("s").struct.field
#: Queries for id and v over the table, named by the feature of each.
SAME: dict[str, Callable[[pl.DataFrame], pl.DataFrame | pl.LazyFrame]] = {
    "select": lambda t: t.select("id", V),
    "with_columns": lambda t: t.with_columns(V),
    "in memory": lambda t: t.lazy().with_columns(V).collect(engine="in-memory"),
    "streaming": lambda t: t.lazy().with_columns(V).collect(engine="streaming"),
    "before a function of frames": lambda t: t.lazy().with_columns(V).map_batches(lambda frame: frame),
    "in chunks": lambda t: t[:1000].vstack(t[1000:]).vstack(t[:0]).select("id", V),
    "in chunks and streaming": lambda t: (
        t[:9].vstack(t[9:]).lazy().select("id", V).collect(engine="streaming")
    ),
    "columns in different chunks": lambda t: t.with_columns(
        halves("rec", 700), halves("truth", 1500), halves("k", 699)
    ).select("id", V),
    "one column in chunks": lambda t: t.with_columns(halves("truth", 1)).select("id", V),
    "rechunked": lambda t: t[:1000].vstack(t[1000:]).rechunk().select("id", V),
    "gathered": lambda t: t[shuffled(range(t.height))].select("id", V),
    "sorted": lambda t: t.sort("k", "part", nulls_last=True).select("id", V),
    "sorted by the value": lambda t: t.select("id", V).sort("v"),
    "reversed": lambda t: t.reverse().select("id", V),
    "put together of slices": lambda t: pl.concat(
        [t[1500:].select("id", V), t[7:1500].select("id", V), t[:7].select("id", V)]
    ),
    "put together of filtered rows": lambda t: pl.concat(
        [t.filter(pl.col("part") == part).select("id", V) for part in range(7)]
    ),
    "joined": lambda t: t.select("id", "rec", "k").join(t.select("id", "truth"), on="id").select("id", V),
    "fields of a struct": lambda t: t.select("id", s=pl.struct("rec", "truth", "k")).select(
        "id", v=rk.ndcg(FIELD("rec"), FIELD("truth"), k=FIELD("k"))
    ),
    "in a struct": lambda t: t.select("id", s=pl.struct(V)).unnest("s"),
    "in a branch": lambda t: t.select("id", v=pl.when(pl.col("part") < 3).then(V).otherwise(V)),
    "of filled lists": lambda t: t.select(
        "id", v=rk.ndcg(pl.col("rec").fill_null([]), "truth", k=pl.col("k"))
    ),
    "in groups of one": lambda t: t.group_by("id").agg(V).explode("v"),
    "of the first in groups": lambda t: t.group_by("id").agg(
        v=rk.ndcg(pl.col("rec").first(), pl.col("truth").first(), k=pl.col("k").first())
    ),
    "in windows": lambda t: t.select("id", V.over("part")),
    "SQL before": lambda t: (
        pl.SQLContext(t=t).execute("SELECT id, rec, truth, k FROM t WHERE id >= 0").select("id", V)
    ),
    "SQL after": lambda t: pl.SQLContext(t=t.lazy().with_columns(V)).execute(
        "SELECT id, v FROM t ORDER BY v"
    ),
    "SQL between": lambda t: pl.SQLContext(t=t.lazy().with_columns(V)).execute(
        "SELECT id, avg(v) AS v FROM t GROUP BY id"
    ),
    "Arrow and back": lambda t: pl.DataFrame(t.to_arrow()).select("id", V),
    "wide numbers": lambda t: t.select(
        "id", v=rk.ndcg(pl.col("rec").cast(pl.List(pl.Int128)), "truth", k=pl.col("k").cast(pl.UInt64))
    ),
    "text": lambda t: t.with_columns(pl.col("rec", "truth").cast(pl.List(pl.String))).select("id", V),
    "categories and text": lambda t: t.with_columns(
        pl.col("rec").cast(pl.List(pl.String)).cast(pl.List(pl.Categorical)),
        pl.col("truth").cast(pl.List(pl.String)),
    ).select("id", V),
    "judgements": lambda t: t.select(
        "id",
        v=rk.ndcg(
            "rec",
            pl.col("truth").list.unique().list.eval(pl.struct(item=pl.element(), rel=1.0)),
            k=pl.col("k"),
        ),
    ),
}


def shuffled(of: Iterable[Any], seed: int = 0) -> list[Any]:
    mixed = list(of)
    random.Random(seed).shuffle(mixed)
    return mixed


@pytest.mark.parametrize("shape", SAME)
def test_shape_of_a_query_changes_no_value(shape: str):
    assert values(SAME[shape](table())) == plain()


@pytest.mark.parametrize(
    "name", ["ndcg", "cg_rels", "rankdcg", "mrr_scored", "rank_metrics", "rank_metrics_at"]
)
def test_rows_of_many_chunks_and_morsels(name: str):
    """A morsel has about 100,000 rows."""
    function = FUNCTIONS[name]
    numbers = pl.element().cast(pl.Float64)
    part = table().with_columns(
        scores=pl.col("truth").list.eval(numbers / 7), rels=pl.col("truth").list.eval(numbers).list.reverse()
    )
    if name == "rankdcg":
        part = part.select(rec="scores", truth="rels")
    constants = cuts(function)
    columns = [name for name in function.arguments if name in ARROW and name != "k"]
    lists = [pa.array(part[name].to_list(), pa.list_(pa.float64())) for name in columns]
    expected = Core().over(name, [*lists, *(pa.array([constant] * COUNT) for constant in constants)])
    many = pl.concat([part] * 300, rechunk=False)
    assert many.n_chunks() == 300
    expression = getattr(rk, name)(*columns, *constants).alias("v")
    before = calls()
    found = many.lazy().select(expression).collect(engine="streaming")["v"]
    assert calls() - before > 2
    assert found[:COUNT].to_list() == found[-COUNT:].to_list() == expected
    in_memory = many.select(expression)["v"]
    assert in_memory.equals(pl.concat([in_memory[:COUNT]] * 300), null_equal=True)
    assert in_memory.equals(found)


def cuts(function: Function) -> list[Any]:
    """The argument k, if the function takes one."""
    return [[1, 3]] if "ks" in function.arguments else [3] if "k" in function.arguments else []


def needed(function: Function) -> dict[str, Any]:
    """The options that a function needs, or without which rows of groups and lists give different values."""
    given = {"max_rel": 4, "unjudged": "skip"}
    return {name: value for name, value in given.items() if name in function.options}


@pytest.mark.parametrize("start", [0, 1, 7, 8, 63, 1000])
@pytest.mark.parametrize("count", [0, 1, 8, 1000])
def test_slices(start: int, count: int):
    expected = dict(list(plain().items())[start : start + count])
    for part in (table()[start : start + count], table().lazy().slice(start, count)):
        assert values(part.select("id", V)) == expected
    assert values(table().lazy().with_columns(V).slice(start, count)) == expected


def test_slices_of_lists():
    frame = table()
    lists = {"rec": pl.col("rec").list.slice(1, 3), "truth": pl.col("truth").list.tail(2)}
    sliced = frame.select("k", **lists)
    expected = by_core("ndcg", sliced, "rec", "truth", "k")
    assert sliced.select(V)["v"].to_list() == expected
    assert (
        frame.select(rk.ndcg(lists["rec"], lists["truth"], k=pl.col("k"))).to_series().to_list() == expected
    )
    assert expected != list(plain().values())


@pytest.mark.parametrize("condition", [pl.col("part") == 3, pl.col("rec").is_null(), pl.lit(False)], ids=str)
def test_filter(condition: pl.Expr):
    ids = table().filter(condition)["id"].to_list()
    expected = {id: plain()[id] for id in ids}
    assert values(table().filter(condition).select("id", V)) == expected
    assert values(table().lazy().with_columns(V).filter(condition)) == expected
    assert values(table().lazy().with_columns(V).filter(condition).collect(engine="streaming")) == expected


@pytest.mark.parametrize("engine", ["in-memory", "streaming"])
def test_filter_by_the_value(engine: Any):
    expected = {id for id, value in plain().items() if value is not None and value < 0.5}
    for query in (table().lazy().filter(V < 0.5), table().lazy().with_columns(V).filter(pl.col("v") < 0.5)):
        assert set(query.collect(engine=engine)["id"]) == expected


def test_filter_after_a_left_join_keeps_users_without_a_list():
    """A NULL list counts as empty and has the value 0, so Polars must not make the join an inner one."""
    rec = pl.when(pl.col("part") == 1).then("rec").alias("rec")
    recall = by_core("recall_at", table().with_columns(rec), "rec", "truth")
    expected = {id for id, value in enumerate(recall) if value == 0}
    assert expected & set(table().filter(pl.col("part") == 2)["id"])
    listed = table().lazy().filter(pl.col("part") == 1).select("id", "rec")
    query = table().lazy().select("id", "truth").join(listed, on="id", how="left")
    for engine in ("in-memory", "streaming"):
        found = query.filter(rk.recall("rec", "truth") == 0).collect(engine=engine)
        assert set(found["id"]) == expected


def test_parquet_is_read_only_where_it_is_needed(tmp_path: Path):
    file = tmp_path / "t.parquet"
    table().write_parquet(file, row_group_size=500)
    expected = {id: value for id, value in plain().items() if id % 7 == 3}
    query = pl.scan_parquet(file).with_columns(V).filter(pl.col("part") == 3).select("id", "v")
    plan = query.explain()
    scan = plan[plan.index("Parquet SCAN") :]
    assert "evaluate" not in scan
    assert re.search(r"SELECTION: \[?\(?col\(\"part\"\)", scan), plan
    assert re.search(r"PROJECT \d/5 COLUMNS", scan), plan
    assert "part" not in pl.scan_parquet(file).select("id", V).explain()
    for engine in ("in-memory", "streaming"):
        assert values(query.collect(engine=engine)) == expected
    unread = pl.scan_parquet(file).with_columns(V).select("id")
    assert "evaluate" not in unread.explain()


def test_values_are_sunk_into_a_file(tmp_path: Path):
    file = tmp_path / "v.parquet"
    at = rk.rank_metrics_at("rec", "truth", [1, 3])
    table().lazy().select("id", V, at).sink_parquet(file)
    found = pl.read_parquet(file)
    assert values(found) == plain()
    assert found.sort("id")["rank_metrics_at"].equals(table().select(at).to_series())


def test_expressions_that_differ_by_constants_only_are_different():
    """Polars evaluates equal expressions once."""
    frame = table().lazy()
    cut = [rk.ndcg("rec", "truth", k=k).alias(f"{k}") for k in (1, 3)]
    options = [rk.ndcg("rec", "truth", no_relevant=value).alias(value) for value in ("zero", "one")]
    together = frame.select(
        *cut, *options, rk.mrr("rec", "truth"), rk.mrr("rec", "truth").alias("again")
    ).collect()
    for each in (*cut, *options):
        assert frame.select(each).collect().to_series().equals(together[each.meta.output_name()])
    assert together["mrr"].equals(together["again"])
    assert together.unique(["1", "3"]).height > 3
    assert not together["zero"].equals(together["one"])


LITERALS: dict[str, Callable[[list[Any]], Any]] = {
    "list": lambda items: items,
    "tuple": tuple,
    "literal": lambda items: pl.lit(items, dtype=pl.List(pl.Int64)),
    "series of one list": lambda items: pl.Series([items], dtype=pl.List(pl.Int64)),
    "literal series": lambda items: pl.lit(pl.Series([items], dtype=pl.List(pl.Int64))),
    "series of one array": lambda items: pl.Series([items], dtype=pl.Array(pl.Int64, len(items))),
    "series of all rows": lambda items: pl.Series([items] * COUNT, dtype=pl.List(pl.Int64)),
}


@pytest.mark.parametrize("items", [[3, 1, 2], [], [None, 1]], ids=str)
@pytest.mark.parametrize("literal", LITERALS)
def test_list_that_stands_for_every_row(literal: str, items: list[Any]):
    frame = table()
    given = LITERALS[literal](items)
    for name, arguments in {"rec": (given, "truth"), "truth": ("rec", given)}.items():
        repeated = frame.with_columns(pl.Series(name, [items] * COUNT, dtype=pl.List(pl.Int64)))
        expected = by_core("average_precision", repeated, "rec", "truth", "k")
        value = rk.average_precision(*arguments, k=pl.col("k"))
        assert frame.select(value).to_series().to_list() == expected
        assert frame.lazy().select(value).collect(engine="in-memory").to_series().to_list() == expected
        if literal != "series of all rows":
            assert frame.lazy().select(value).collect(engine="streaming").to_series().to_list() == expected
            assert frame[:0].select(value).height == 0
            assert frame.with_columns(value).height == COUNT


def test_lists_that_stand_for_every_row_on_both_sides():
    value = rk.mrr(pl.lit([1, 2]), [2])
    assert table().select(value).to_series().to_list() == [0.5]  # one row, as for any constant
    assert table().with_columns(value)["mrr"].to_list() == [0.5] * COUNT
    assert pl.select(rk.ndcg(["a", "b"], pl.lit(["b"]), k=1)).item() == 0


@pytest.mark.parametrize("name", sorted({*rk.__all__} & {*lists.__all__}))
def test_a_call_without_a_column_is_refused(name: str):
    """It looks like one of the function of lists, which has the same name, and the error points to it."""
    function = getattr(rk, name)
    parameters = inspect.signature(function).parameters.values()
    arguments = [
        [1, 2] for each in parameters if each.default is each.empty and each.kind < each.VAR_POSITIONAL
    ]
    assert callable(getattr(rankdcg_sql, name))
    with pytest.raises(TypeError, match=rf"^{name}: .* call rankdcg_sql\.{name}, or"):
        function(*arguments)


def test_null_in_place_of_a_list():
    frame = pl.DataFrame({"rec": [[1], None], "truth": [[1], [1]]})
    for null in (None, pl.lit(None), pl.lit(None, dtype=pl.List(pl.Int64))):
        assert frame.select(rk.mrr(null, "truth")).to_series().to_list() == [0, 0]
        assert frame.with_columns(rk.mrr("rec", null))["mrr"].to_list() == [None, None]
    for dtype in (
        pl.Null,
        pl.List(pl.Null),
        pl.List(pl.String),
        pl.List(pl.Struct({"item": pl.Int8, "rel": pl.Int8})),
    ):
        nulls = pl.Series([None, None], dtype=dtype)
        assert frame.select(rk.mrr(nulls, nulls)).to_series().to_list() == [None, None]
    assert frame.select(rk.mrr("rec", "truth", k=pl.lit(None))).to_series().to_list() == [1, 0]


def test_arrays():
    rows = shuffled([(a, b, c) for a in (1, 2, None) for b in (2, 3, None) for c in (1, 5)])
    lists = pl.DataFrame({"rec": [*rows, None], "truth": [None, *rows[::-1]], "k": [2] * (len(rows) + 1)})
    expected = by_core("average_precision", lists, "rec", "truth", "k")
    array = pl.col("rec").cast(pl.Array(pl.Int64, 3)), pl.col("truth").cast(pl.Array(pl.Int32, 3))
    for rec, truth in [array, (array[0], "truth"), ("rec", array[1])]:
        for frame in (lists, lists[:5].vstack(lists[5:])):
            assert frame.select(rk.average_precision(rec, truth, k=2)).to_series().to_list() == expected
        sliced = lists.with_columns(rec=rec, truth=truth)[3:9].select(
            rk.average_precision("rec", "truth", k=2)
        )
        assert sliced.to_series().to_list() == expected[3:9]


@pytest.mark.parametrize("start", range(9))
def test_slices_of_structs_and_arrays_with_nulls(start: int):
    """Up to version 1.42, Polars passes them with an offset that does not fit their children."""
    places, missing = range(start, 20), {4, 6, 9, 17}
    structs = [{"item": place, "rel": 1.0} if place not in missing else None for place in range(20)]
    arrays = [[place, place + 1] if place not in missing else None for place in range(20)]
    frame = pl.DataFrame(
        {
            "judged": pl.Series(structs, dtype=pl.Struct({"item": pl.Int64, "rel": pl.Float64})),
            "array": pl.Series(arrays, dtype=pl.Array(pl.Int64, 2)),
            "second": [[place + 1] for place in range(20)],
        }
    )[start:]
    judged = frame.select(rk.recall([*places][:-1], pl.col("judged").implode())).item()
    assert judged == len({*places[:-1]} - missing) / len({*places} - missing)
    by_array = frame.select(rk.mrr("array", "second")).to_series().to_list()
    assert by_array == [0 if place in missing else 0.5 for place in places]
    nested = frame.select(rk.mrr(pl.col("array").implode(), pl.lit([arrays[12]]))).item()
    assert nested == 1 / (13 - start)


@pytest.mark.parametrize("dtype", [pl.Int8, pl.Int64, pl.UInt8, pl.UInt32, pl.UInt64, pl.Null], ids=str)
def test_k_in_a_column(dtype: Any):
    frame = table().with_columns(pl.lit(None).alias("k") if dtype == pl.Null else "k")
    expected = by_core("recall_at", frame, "rec", "truth", "k")
    assert (
        frame.select(rk.recall("rec", "truth", k=pl.col("k").cast(dtype))).to_series().to_list() == expected
    )


def test_k_beyond_64_bits_with_a_sign_is_the_whole_list():
    ks = pl.Series([1, 2**64 - 1], dtype=pl.UInt64)
    frame = pl.DataFrame({"rec": [[2, 1], [2, 1]], "truth": [[1], [1]], "k": ks})
    assert frame.select(rk.mrr("rec", "truth", k=pl.col("k"))).to_series().to_list() == [0, 0.5]
    wide = re.escape("mrr: k must be an integer of 64 bits, got a wider one")
    with pytest.raises(pl.exceptions.ComputeError, match=wide):
        frame.select(rk.mrr("rec", "truth", k=pl.col("k").cast(pl.Int128)))


def test_k_as_an_expression_of_other_columns():
    frame = table().drop_nulls("truth").with_columns(k=pl.col("truth").list.len().clip(1).cast(pl.Int64))
    expected = by_core("precision_at", frame, "rec", "truth", "k")
    found = frame.select(rk.precision("rec", "truth", k=pl.col("truth").list.len().clip(1)))
    assert found.to_series().to_list() == expected


def test_several_k_as_an_expression():
    frame = table().with_columns(ks=pl.concat_list(pl.col("k"), pl.lit(2, pl.Int64)))
    by_column = frame.select(rk.rank_metrics_at("rec", "truth", pl.col("ks"))).to_series()
    ks = pa.array(frame["ks"].to_list(), pa.list_(pa.int64()))
    lists = [pa.array(frame[name].to_list(), ARROW[name]) for name in ("rec", "truth")]
    assert by_column.to_list() == Core().over("rank_metrics_at", [*lists, ks])
    constant = frame.select(rk.rank_metrics_at("rec", "truth", pl.lit([1, 3]))).to_series()
    assert constant.equals(frame.select(rk.rank_metrics_at("rec", "truth", (1, 3))).to_series())


@pytest.mark.parametrize("k", [1, 2, 127, 128, 200, 255, 256, 65_535, 65_536, 2**31, 2**40, 2**63 - 1])
def test_k_of_any_size_reaches_the_function(k: int):
    """The pickle of k has one to eight bytes, by its size."""
    frame = pl.DataFrame({"rec": [[*range(300)]], "truth": [[0, 299]]})
    expected = 0.5 if k < 300 else 1.0
    assert frame.select(rk.recall("rec", "truth", k=k)).item() == expected


def test_none_among_several_k_is_the_whole_list():
    """None means the whole list, as NULL does in SQL. The recall is that of a hit at rank 2."""
    lists = pl.DataFrame({"rec": [["a", "b"]], "truth": [["b"]]})
    (found,) = lists.select(rk.rank_metrics_at("rec", "truth", ks=[1, None, 2])).to_series().to_list()
    assert [(each["k"], each["recall"]) for each in found] == [(1, 0.0), (None, 1.0), (2, 1.0)]
    rows = pl.DataFrame({"u": [1, 1], "score": [2.0, 1.0], "rel": [0, 1]})
    (grouped,) = rows.group_by("u").agg(rk.rank_metrics_at_agg("score", "rel", ks=[None, 1]).alias("m"))["m"]
    assert [(each["k"], each["recall"]) for each in grouped] == [(None, 1.0), (1, 0.0)]
    sql = "SELECT rank_metrics_at(['a', 'b'], ['b'], [1, NULL, 2])"
    assert connect().execute(sql).fetchall() == [(found,)]


def test_options_that_are_no_unicode():
    with pytest.raises(ValueError, match=r"^ndcg: options must be text in UTF-8, got 'gain=x\\udc80'"):
        rk.ndcg("rec", "truth", gain="x\udc80")  # type: ignore[arg-type]


def test_columns_of_different_lengths():
    frame = pl.DataFrame({"rec": [[1], [2], [3]]})
    with pytest.raises(pl.exceptions.PolarsError, match=r"length|rows"):
        frame.select(rk.mrr("rec", pl.Series([[1], [2]])))


# Groups


class Grouped(NamedTuple):
    """Rows in groups, and the same rows as lists."""

    #: A row for each item, with its group.
    rows: pl.DataFrame
    #: A row for each group, with the lists of its rows.
    lists: pl.DataFrame


@cache
def grouped(groups: int = 200) -> Grouped:
    """Random scores with ties and NULLs, and relevances with NULLs, in groups of 1 to 8 rows."""
    chance = random.Random(groups)

    def row(group: int) -> dict[str, Any]:
        score = chance.choice([None, 0.1, 0.5, 0.5, 0.7, chance.random()])
        return {
            "g": group,
            "k": group % 4 + 1,
            "score": score,
            "rel": chance.choice([None, 0.0, 0.0, 1.0, 2.0]),
        }

    rows = [row(group) for group in range(groups) for _ in range(chance.randint(1, 8))]
    schema = {"g": pl.Int64, "k": pl.Int64, "score": pl.Float64, "rel": pl.Float64}
    frame = pl.DataFrame(rows, schema)
    by_group: dict[int, list[dict[str, Any]]] = {}
    for each in rows:
        by_group.setdefault(each["g"], []).append(each)
    lists = {
        "k": [group[0]["k"] for group in by_group.values()],
        "scores": [[each["score"] for each in group] for group in by_group.values()],
        "rels": [[each["rel"] for each in group] for group in by_group.values()],
    }
    return Grouped(frame, pl.DataFrame(lists))


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
    cut = cuts(function)
    columns = [pa.array(lists[name].to_list(), ARROW[name]) for name in ("scores", "rels")]
    more = [pa.array([each] * lists.height) for each in cut]
    options = needed(function)
    if options:
        more.append(pa.array([options_text(options)] * lists.height))
    expected = Core().over(function.name, [*columns, *more])
    aggregate = getattr(rk, Polars().function_name(aggregated.name))
    value = aggregate("score", "rel", *cut, **options).alias("v")
    assert rows.group_by("g", maintain_order=True).agg(value)["v"].to_list() == expected
    for seed in range(5):  # the same bits in every order of the rows
        assert mixed(rows, seed).group_by("g").agg(value).sort("g")["v"].to_list() == expected
    over = rows.select("g", value.over("g")).group_by("g", maintain_order=True).agg(pl.col("v").first())
    assert over["v"].to_list() == expected
    scored = lists.select(
        getattr(rk, Polars().function_name(function.name))("scores", "rels", *cut, **options)
    ).to_series()
    assert scored.to_list() == expected


def calls() -> int:
    """How often Polars has called the library."""
    count = ctypes.CDLL(extension_path()).rankdcg_polars_calls
    count.restype = ctypes.c_uint64
    return int(count())


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
    rows = grouped(1000).rows
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


REC = pl.DataFrame({"user": [1, 1, 1, 2], "item": ["a", "b", "c", "a"], "score": [0.9, 0.8, 0.1, 0.5]})
TRUTH = pl.DataFrame({"user": [1, 1, 2, 3], "item": ["a", "d", "b", "a"], "rel": [2.0, 1.0, 1.0, 1.0]})


def test_tables_of_recommendations_and_truth():
    def joined(how: Any) -> dict[int, Any]:
        rows = REC.join(TRUTH, on=["user", "item"], how=how, coalesce=True)
        return dict(rows.group_by("user").agg(rk.recall_agg("score", "rel")).iter_rows())

    lists = TRUTH.group_by("user").agg(truth=pl.struct("item", "rel")).join(
        REC.sort("score", descending=True).group_by("user", maintain_order=True).agg(rec="item"),
        on="user", how="left",
    )  # fmt: skip
    expected = {1: 0.5, 2: 0, 3: 0}
    assert dict(lists.select("user", rk.recall("rec", "truth")).iter_rows()) == expected
    assert joined("full") == expected
    # A left join loses relevant items that were not retrieved. Its value is too high, or missing.
    assert joined("left") == {1: 1, 2: None}


# Names and types


class Called(NamedTuple):
    """A function of the module."""

    #: The name in `rankdcg_sql.polars`.
    name: str
    #: The form of the arguments.
    form: str
    #: The function of the catalogue.
    function: Function

    def __call__(self, *cut: Any, **options: Any) -> pl.Expr:
        options = needed(self.function) | options
        expression: pl.Expr = getattr(rk, self.name)(*self.columns, *cut, **options)
        return expression

    @property
    def columns(self) -> tuple[str, ...]:
        return FORMS[self.form].inputs or ("score", "rel")[: len(inputs(self.function))]

    @property
    def short(self) -> str:
        return re.sub("_(scored|rels|agg)$", "", self.name)


def module() -> Iterator[Called]:
    for function in functions():
        if FORMS[function.form].has_expression and function.form != "by_user":
            yield Called(Polars().function_name(function.name), function.form, function)


MODULE = list(module())
every = pytest.mark.parametrize("called", MODULE, ids=lambda called: called.name)
FRAME = pl.DataFrame(
    {
        "rec": [[3, 1, 2], None, [4]],
        "truth": [[{"item": 1, "rel": 2.0}, {"item": 4, "rel": 1.0}], [], None],
        "rels": [[0.0, 2.0], None, [1.0]],
        "scores": [[0.5, 0.7], [], [None]],
        "p_values": [[0.5, 0.7], [], [None]],
        "blocks": [[[0.5, 0.7, 1.0], [0.25, None, 1.0]], None, [[1.0, 2.0]]],
        "score": [0.5, None, 0.5],
        "rel": [1.0, 2.0, None],
    }
)


#: The fields of statistics that are counts.
COUNTS = ("wins", "ties", "losses")


def result_type(function: Function) -> pl.DataType:
    if function.output == "value":
        return pl.Float64()
    if function.output == "values":
        return pl.List(pl.Float64)
    first, *others = function.fields
    kinds = {name: pl.Int64 if name in COUNTS else pl.Float64 for name in others}
    struct = pl.Struct({first: pl.Int64} | kinds)
    return struct if function.output == "metrics" else pl.List(struct)


@every
def test_names_and_types(called: Called):
    named = {called.short: called(*([[1, 2]] if "ks" in called.function.arguments else []))}
    if "k" in called.function.arguments:
        named |= {f"{called.short}@10": called(10), called.short: called(pl.lit(1))}
    if "ks" in called.function.arguments:
        assert called(pl.lit([1, 2])).meta.output_name() == called.short
    for name, expression in {**named, "mine": called(*cuts(called.function)).alias("mine")}.items():
        assert expression.meta.output_name() == name
        for frame in (FRAME, FRAME[:0], FRAME[2:].vstack(FRAME[:1])):
            query = frame.lazy().with_columns(expression)
            added = {**FRAME.schema, name: result_type(called.function)}
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
    by_user = {f"{name}_by_user" for name in ("rank_metrics", "rank_metrics_at", "rank_evaluation")}
    assert own == {called.name for called in MODULE} | by_user | {"evaluate_frames"}
    methods = {name for name, value in vars(rk.RankEval).items() if inspect.isfunction(value)}
    assert methods == own - {"evaluate_frames"} | {"__init__"}
    assert not hasattr(rk.RankEval, "__getattr__")


@every
def test_method_is_the_function(called: Called):
    function, method = getattr(rk, called.name), getattr(rk.RankEval, called.name)
    _, *parameters = inspect.signature(function).parameters.values()
    myself, *others = inspect.signature(method).parameters.values()
    assert (myself.name, others) == ("self", parameters)
    assert inspect.signature(method).return_annotation == inspect.signature(function).return_annotation
    first, *columns = called.columns
    cut, options = cuts(called.function), {"ties": "optimistic"} if "ties" in called.function.options else {}
    for namespace in (pl.col(first).rank_eval, rk.RankEval(pl.col(first))):  # type: ignore[attr-defined]
        bound = getattr(namespace, called.name)
        found = FRAME.select(bound(*columns, *cut, **needed(called.function), **options))
        assert found.equals(FRAME.select(called(*cut, **options)))


@every
def test_signature_is_that_of_the_catalogue(called: Called):
    *arguments, options = inspect.signature(getattr(rk, called.name)).parameters.values()
    cut = [name for name in called.function.arguments if name in ("k", "ks")]
    columns = [name for name in called.function.arguments if name not in ("k", "ks", "options")]
    assert [argument.name for argument in arguments] == [*columns, *cut]
    assert [argument.default for argument in arguments if argument.name == "k"] == [None] * ("k" in cut)
    named = getattr(rk, re.findall(r"Unpack\[(\w+)\]", options.annotation)[0])
    short = {"denominator"} if called.function.denominator else set()
    assert set(named.__annotations__) == {*called.function.options} | short


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
        ({"k": 0}, ""),
        ({"k": -3}, ""),
        ({"k": -(2**63)}, ""),
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
    for called in MODULE:
        cut = cuts(called.function)
        with pytest.raises(
            ValueError, match=f"^{called.name}: unknown option 'nonsense', the options here are"
        ):
            called(*cut, nonsense=1)
        if cut:
            with pytest.raises(ValueError, match=f"^{called.name}: k must be at least 1, got 0$"):
                called([1, 0] if isinstance(cut[0], list) else 0)
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
STRUCT = pa.struct({"item": pa.int64(), "rel": pa.float64()})


def judged(*rels: float | None) -> pa.Array:
    return pa.array([[{"item": index, "rel": rel} for index, rel in enumerate(rels)]], pa.list_(STRUCT))


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
    "k must be at least 1, got 0": ("ndcg", [NUMBERS, NUMBERS, pa.array([0])]),
    "k must be at least 1, got -9223372036854775808": ("ndcg", [NUMBERS, NUMBERS, pa.array([-(2**63)])]),
    "k must be at least 1, got -1": ("rank_metrics_at", [NUMBERS, NUMBERS, pa.array([[2, -1]])]),
    "k must be at most 1000000 with idcg=k, got 1000001": (
        "ndcg", [NUMBERS, NUMBERS, pa.array([1000001]), pa.array(["idcg=k"])],
    ),
    "relevance in truth must be finite, got NaN": ("ndcg", [NUMBERS, judged(float("nan"))]),
    "relevance in truth must be finite, got inf": ("ndcg", [NUMBERS, judged(1, float("inf"))]),
    "relevance in truth must not be negative, got -0.5": ("ndcg", [NUMBERS, judged(-0.5)]),
    "relevance 2000 is too large: its gain must be at most 1e300": ("ndcg", [NUMBERS, judged(2000)]),
    "relevance must be a grade from 0 to 2 of the gains given, got 4": (
        "ndcg", [NUMBERS, judged(1, 4), pa.array([None], pa.int64()), pa.array(["gain=0:1:3"])],
    ),
    "truth has no relevant item, and no_relevant=error": (
        "recall_at", [NUMBERS, judged(0), pa.array([1]), pa.array(["no_relevant=error"])],
    ),
    "scores must not be NaN, got NaN": ("ndcg_scored", [pa.array([[float("nan")]]), pa.array([[1]])]),
    "scores and rels must be of equal length, got 2 and 1": ("mrr_scored", [NUMBERS, pa.array([[1]])]),
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
    for called in MODULE:
        bad = [pl.lit("a")] * len(called.columns)
        expression = getattr(rk, called.name)(*bad, *cuts(called.function), **needed(called.function))
        with pytest.raises(pl.exceptions.ComputeError, match=f"with message: {called.name}: "):
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
