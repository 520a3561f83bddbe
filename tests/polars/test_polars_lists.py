"""Polars' functions over columns of lists: shapes of queries, slices, literals and k."""

from __future__ import annotations

import inspect
import os
import re
from functools import cache
from typing import TYPE_CHECKING, Any

import polars as pl
import pyarrow as pa
import pytest
from support import random_lists
from support.engines import Core
from support.forms import FORMS
from support.polars_calls import by_core, calls, cuts, shuffled

import rankdcg_sql
from rankdcg_sql import connect, functions, lists
from rankdcg_sql import polars as rk

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

COUNT = 2500
FUNCTIONS = {function.name: function for function in functions()}


def test_the_build_with_indexes_of_64_bits_is_in_use_where_it_is_asked_for():
    wanted = os.environ.get("POLARS_FORCE_PKG") == "64"
    assert (pl.DataFrame({"x": [1]}).select(pl.len()).schema["len"] == pl.UInt64) == wanted


@cache
def table() -> pl.DataFrame:
    """Random rows with NULLs in all places."""
    return pl.DataFrame(random_lists.arrow(COUNT, "all").select(["id", "part", "rec", "truth", "k"]))


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
    columns = FORMS[function.form].inputs
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


@pytest.mark.parametrize(
    "k",
    [
        *(pl.col("k").cast(dtype) for dtype in (pl.Int8, pl.Int64, pl.UInt8, pl.UInt32, pl.UInt64)),
        *(pl.lit(None), pl.col("truth").list.len().clip(1)),
    ],
    ids=str,
)
def test_k_is_an_expression(k: pl.Expr):
    frame = table().drop_nulls("truth")
    expected = by_core("recall_at", frame.with_columns(k=k), "rec", "truth", "k")
    assert frame.select(rk.recall("rec", "truth", k=k)).to_series().to_list() == expected


def test_k_beyond_64_bits_with_a_sign_is_the_whole_list():
    ks = pl.Series([1, 2**64 - 1], dtype=pl.UInt64)
    frame = pl.DataFrame({"rec": [[2, 1], [2, 1]], "truth": [[1], [1]], "k": ks})
    assert frame.select(rk.mrr("rec", "truth", k=pl.col("k"))).to_series().to_list() == [0, 0.5]
    wide = re.escape("mrr: k must be an integer of 64 bits, got a wider one")
    with pytest.raises(pl.exceptions.ComputeError, match=wide):
        frame.select(rk.mrr("rec", "truth", k=pl.col("k").cast(pl.Int128)))


def test_several_k_as_an_expression():
    frame = table().with_columns(ks=pl.concat_list(pl.col("k"), pl.lit(2, pl.Int64)))
    by_column = frame.select(rk.rank_metrics_at("rec", "truth", pl.col("ks"))).to_series()
    assert by_column.to_list() == by_core("rank_metrics_at", frame, "rec", "truth", "ks")
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
