"""The items of which values are made, in Polars: `explain_frames`, and the expressions of `rank_explain`."""

from __future__ import annotations

import datetime
import random
import re
from collections import defaultdict
from decimal import Decimal
from math import fsum
from typing import TYPE_CHECKING, Any

import polars as pl
import pyarrow as pa
import pytest
from conftest import needs_duckdb_2
from polars.testing import assert_frame_equal
from support import rankings, reference
from support.engines import METRICS, Core, Polars, Sql
from support.rankings import EXPLAINED
from support.two_frames import KEYS, apart, cut, dirty, together

from rankdcg_sql import polars as rk

if TYPE_CHECKING:
    from collections.abc import Callable

    import duckdb

COLUMNS = (
    "user", "rank", "last_rank", "item", "score", "rel", "judged", "gain", "discount", "contribution",
    "if_found", "value",
)  # fmt: skip
ROWS = "user", "item", "score", "rel"
VERSION = tuple(map(int, re.findall(r"\d+", pl.__version__)[:2]))


def rows(frame: pl.DataFrame) -> dict[Any, list[str]]:
    """The rows of each user in their order, as texts that show every bit."""
    found = defaultdict(list)
    for user, *others in frame.select(COLUMNS).rows():
        found[user].append(repr(others))
    return found


def explained(frame: pl.DataFrame, k: int | None = 10, **options: Any) -> pl.DataFrame:
    """The rows of the expression over all rows, in the form of `explain_frames`."""
    call = rk.rank_explain_by_user(*ROWS, k, **options)
    return frame.select(call.struct.unnest()).with_columns(judged=pl.col("rel").is_not_null()).select(COLUMNS)


def in_duckdb(con: duckdb.DuckDBPyConnection, frame: pl.DataFrame, k: int | None, **options: Any) -> Any:
    con.register("frame", frame.to_arrow())
    text = ", ".join(f"{name}={value}" for name, value in options.items())
    call = 'rank_explain_by_user("user", item, score, rel, $k, $text)'
    found = con.sql(
        f'SELECT * RENAME (userid AS "user") FROM (SELECT unnest({call}, recursive := true) FROM frame)',
        params={"k": k, "text": text},
    )
    return found.pl().with_columns(judged=pl.col("rel").is_not_null())


@needs_duckdb_2
@pytest.mark.parametrize("metric", EXPLAINED)
def test_items_are_those_of_duckdb_bit_by_bit_and_add_up_to_the_value(
    native: duckdb.DuckDBPyConnection, metric: str
):
    chosen: list[dict[str, Any]] = [{"ties": ties} for ties in ("average", "item_desc", "pessimistic")]
    chosen = chosen * (metric != "rankdcg") + [
        {"convention": name} | ({"ties": "average"} if name == "ranx" and metric != "rankdcg" else {})
        for name in reference.CONVENTIONS
    ]
    sums = 0
    for place, options in enumerate(chosen):
        k = None if metric in ("rankdcg", "r_precision") else (5, None, 1)[place % 3]
        options |= {"metric": metric} | ({"max_rel": 3} if metric in ("err", "sdcg") else {})
        frame, keys = dirty(500, users=15), KEYS
        if metric not in ("err", "sdcg", "rankdcg") and place % 2:
            # Without a column of relevances, each judgement is 1.
            frame = frame.with_columns(pl.when(pl.col("rel").is_not_null()).then(1.0).alias("rel"))
            keys = KEYS | {"rel": None}
        truth, rec = apart(frame)
        found = rk.explain_frames(truth, rec, k, **keys, **options)
        assert rows(found) == rows(in_duckdb(native, frame, k, **options))
        assert explained(frame, k, **options).rows() == found.rows()
        for items in found.partition_by("user"):
            (value,) = items["value"].unique()
            if None in items["contribution"].to_list():
                assert items["contribution"].is_null().all()
                continue
            assert fsum(items["contribution"]) == pytest.approx(value, rel=1e-12, abs=1e-12)
            sums += value != 0
        if metric in METRICS:
            del options["metric"]
            values = rk.evaluate_frames(truth, rec, k, **keys, **options)
            of_items = found.select("user", "value").unique(maintain_order=True).rows()
            assert dict(of_items).items() <= dict(values.select("user", metric).rows()).items()
    assert sums > 50


@pytest.mark.parametrize("metric", EXPLAINED)
def test_items_of_lists_are_those_of_duckdb_bit_by_bit(native: duckdb.DuckDBPyConnection, metric: str):
    chance, name, seen = random.Random(metric), EXPLAINED[metric], 0
    for kind in ("ids", "structs", "lists")[metric == "rankdcg" :] * 3:
        batch = rankings.draw(chance, name, kind)
        *lists, options = rankings.columns(batch)
        texts = [f"metric={metric}, {text or ''}".removesuffix(", ") for text in options.to_pylist()]
        core, right = Core(), []
        for place, row in enumerate(batch.rows[:80]):
            try:
                core.one(name, kind, row.args, row.k, **row.options)
            except ValueError:
                continue
            right.append(place)
        if not right:
            continue
        columns = [each.take(pa.array(right)) for each in (*lists, pa.array(texts))]
        expected = Sql(native).over("rank_explain", columns)
        assert core.over("rank_explain", columns) == expected
        assert Polars().over("rank_explain", columns) == expected
        seen += sum(len(items or ()) for items in expected)
    assert seen > 100


@needs_duckdb_2
def test_columns_are_those_of_the_table_macro(empty: duckdb.DuckDBPyConnection):
    truth, rec = (part.rename({"user": "userid", "item": "itemid"}) for part in apart(dirty(500, users=15)))
    empty.register("truth", truth.to_arrow())
    empty.register("rec", rec.to_arrow())
    expected = empty.sql("SELECT * EXCLUDE (metric) FROM rank_explain(truth, rec, rel := 'rel')").pl()
    found = rk.explain_frames(truth, rec, rel="rel")
    assert_frame_equal(
        found.sort("userid", maintain_order=True), expected.sort("userid", maintain_order=True)
    )


TRUTH, REC = apart(dirty(150_000, users=900))
#: Functions of judgements and recommendations, named by what is special about each.
SAME: dict[str, Callable[[pl.DataFrame, pl.DataFrame], pl.DataFrame]] = {
    "lazy": lambda t, r: rk.explain_frames(t.lazy(), r.lazy(), 7, **KEYS).collect(),
    "one is lazy": lambda t, r: rk.explain_frames(t, r.lazy(), 7, **KEYS).collect(engine="streaming"),
    "in chunks, in reverse": lambda t, r: rk.explain_frames(
        cut(t.reverse(), [1, 999]), cut(r.reverse(), [7000, 1, 2048]), 7, **KEYS
    ),
    "expression": lambda t, r: explained(together(t, r), 7),
    "expression, streaming": lambda t, r: (
        together(t, r)
        .lazy()
        .select(rk.rank_explain_by_user(*ROWS, 7).alias("items"))
        .unnest("items")
        .with_columns(judged=pl.col("rel").is_not_null())
        .select(COLUMNS)
        .collect(engine="streaming")
    ),
}


@pytest.mark.parametrize("shape", SAME)
def test_shape_of_frames_changes_no_bit(shape: str):
    expected = rk.explain_frames(TRUTH, REC, 7, **KEYS)
    assert SAME[shape](TRUTH, REC).rows() == expected.rows()
    assert expected.height > 10_000


def test_a_lazy_frame_tells_its_columns_before_it_is_collected():
    truth, rec = apart(dirty(500))
    lazy = rk.explain_frames(truth.lazy(), rec, **KEYS)
    collected = rk.explain_frames(truth, rec, **KEYS)
    assert isinstance(lazy, pl.LazyFrame)
    assert lazy.collect_schema() == collected.schema
    assert tuple(collected.columns) == COLUMNS
    missed = pl.col("if_found") > 0
    assert_frame_equal(lazy.filter(missed).select("item").collect(), collected.filter(missed).select("item"))
    assert_frame_equal(lazy.head(3).collect(), collected.head(3))


def test_rows_by_hand():
    """The gain of an item is 2^rel - 1, and the discount of rank 2 is 1 / log2(3), about 0.6309."""
    rec = pl.DataFrame({"u": [1, 1, 1, 2], "i": ["a", "b", "c", "a"], "s": [0.9, 0.8, 0.8, 0.5]})
    truth = pl.DataFrame({"u": [1, 1, 3], "i": ["b", "d", "a"], "r": [1, 1, 2]})
    names: dict[str, Any] = {"user": "u", "item": "i", "score": "s", "rel": "r"}
    found = rk.explain_frames(truth, rec, 2, metric="dcg", **names).sort("u", "rank", "i", nulls_last=True)
    log = 0.63092975
    expected = [
        (1, 1, 1, "a", 0.9, None, False, 0.0, 1.0, 0.0, None, log / 2),
        # Each of the tied items may have rank 2, and is else below the cutoff.
        (1, 2, 3, "b", 0.8, 1.0, True, 1.0, log / 2, log / 2, None, log / 2),
        (1, 2, 3, "c", 0.8, None, False, 0.0, log / 2, 0.0, None, log / 2),
        (1, None, None, "d", None, 1.0, True, 1.0, 0.0, 0.0, 1.0, log / 2),
        (3, None, None, "a", None, 2.0, True, 3.0, 0.0, 0.0, 3.0, 0.0),
    ]
    assert found.columns == ["u", "rank", "last_rank", "i", *COLUMNS[4:]]
    for row, wanted in zip(found.rows(), expected, strict=True):
        assert row[:7] == wanted[:7]
        assert row[7:] == pytest.approx(wanted[7:], abs=1e-8)


# Types


#: Columns of a type with a value for each number, in ascending order.
TYPES: dict[str, tuple[Any, Callable[[int], Any]]] = {
    "Int8": (pl.Int8, lambda n: n - 100),
    "UInt64": (pl.UInt64, lambda n: 2**64 - 200 + n),
    "Int128": (pl.Int128, lambda n: 2**100 + n),
    "Decimal": (pl.Decimal(38, 2), lambda n: Decimal(n) / 4),
    "Float32": (pl.Float32, lambda n: n / 4),
    "Float64": (pl.Float64, lambda n: n - 0.1),
    "short texts": (pl.String, lambda n: f"{n:03}"),
    "long texts": (pl.String, lambda n: f"{n:03} of a list of products of a shop"),
    "Categorical": (pl.Categorical, lambda n: f"{n:03}"),
    "Enum": (pl.Enum([f"{n:03}" for n in range(99, -1, -1)]), lambda n: f"{n:03}"),
    "Binary": (pl.Binary, lambda n: bytes([n])),
    "Date": (pl.Date, lambda n: datetime.date.fromordinal(700_000 + n)),
    "Datetime": (
        pl.Datetime("ns", "UTC"),
        lambda n: datetime.datetime.fromtimestamp(n, datetime.timezone.utc),
    ),
    "Time": (pl.Time, lambda n: datetime.time(1, n % 60, n // 60)),
    "Duration": (pl.Duration("ms"), lambda n: datetime.timedelta(n)),
}


@pytest.mark.parametrize("kind", TYPES)
def test_ids_come_back_in_the_type_in_which_they_came(kind: str):
    dtype, value = TYPES[kind]
    values = pl.Series([value(n) for n in range(60)]).cast(dtype)

    def typed(rows: pl.DataFrame) -> pl.DataFrame:
        return rows.with_columns(values.gather(rows[name]).alias(name) for name in ("user", "item"))

    frame = dirty(300, users=9)
    expected = typed(rk.explain_frames(*apart(frame), None, **KEYS))
    assert expected["item"].null_count() > 0
    found = rk.explain_frames(*map(typed, apart(frame)), None, **KEYS)
    of_expression = explained(typed(frame), None)
    assert found.rows() == of_expression.rows()
    assert found.schema == expected.schema
    # Polars 1.28 takes an Enum from a plugin as a Categorical.
    assert of_expression.schema == expected.schema or (kind == "Enum" and VERSION < (2, 0))
    # The order of users depends on their type, and that of tied items on the type of the items.
    assert sorted(map(repr, found.rows())) == sorted(map(repr, expected.rows()))


def test_types_of_both_frames_that_match():
    truth = pl.DataFrame({"userid": ["1"], "itemid": [7]}, schema_overrides={"itemid": pl.UInt8})
    rec = pl.DataFrame({"userid": ["1"], "itemid": [7], "score": [1]}).cast({"userid": pl.Categorical})
    found = rk.explain_frames(truth, rec)
    assert found.select("userid", "itemid", "value").rows() == [("1", 7, 1.0)]
    assert found.schema["userid"] == pl.String
    assert found.schema["itemid"] == pl.Int64
    nothing = rk.explain_frames(
        truth.select(pl.lit(None).alias("itemid"), "userid"), rec.with_columns(itemid=None)
    )
    assert nothing.schema["itemid"] == pl.Null


@pytest.mark.parametrize("items", [pl.Int64, pl.String])
@pytest.mark.parametrize("scores", [pl.Int8, pl.Int64, pl.UInt64, pl.Decimal(9, 3), pl.Decimal(38, 3)])
def test_scores_of_other_types(items: Any, scores: Any):
    """Scores of 128 bits are kept beside items that are encoded."""
    truth, rec = (part.cast({"item": items}) for part in apart(dirty(400, users=9)))
    rec = rec.with_columns((pl.col("score") * 7).round())
    found = rk.explain_frames(truth, rec.cast({"score": scores}), 4, **KEYS)
    assert found.equals(rk.explain_frames(truth, rec, 4, **KEYS), null_equal=True)
    assert found["score"].n_unique() > 10


# Errors


FRAMES: dict[str, Any] = {
    "truth": pl.DataFrame({"userid": [1], "itemid": [1]}),
    "rec": pl.DataFrame({"userid": [1], "itemid": [1], "score": [1.0]}),
}
ERRORS: list[tuple[dict[str, Any], type[Exception], str]] = [
    ({"k": 0}, ValueError, "k must be at least 1, got 0"),
    ({"k": [5]}, TypeError, "k must be an integer or None, got [5]"),
    ({"k": "5"}, TypeError, "k must be an integer or None, got '5'"),
    ({"metric": "auc"}, ValueError, "metric must be ndcg, precision, recall, f1, mrr, "
     "average_precision, cg, dcg, r_precision, rbp, err, sdcg, relative_precision or rankdcg, got 'auc'"),
    ({"metric": "rbp", "gain": "linear"}, ValueError,
     "unknown option 'gain', the options here are metric, min_rel, p, "),
    ({"metric": "err"}, ValueError, "max_rel"),
    ({"ties": "input_order"}, ValueError, "ties=input_order needs lists, rows of a group have no order"),
    ({"item": "item"}, ValueError,
     "truth has no column 'item', but userid, itemid; name the right one with item="),
    ({"truth": FRAMES["truth"].rename({"itemid": "judged"}), "truth_item": "judged"}, ValueError,
     "the column of items must not be called judged, because a result is"),
    ({"truth": FRAMES["truth"].rename({"userid": "rank"}), "truth_user": "rank"}, ValueError,
     "the column of users must not be called rank, because a result is"),
    ({"item": "userid"}, ValueError, "the column of items must not be called userid, because a result is"),
    ({"rec": FRAMES["rec"].with_columns(itemid=pl.lit("a"))}, TypeError,
     "the column of items must have one type in both frames, got Int64 in truth and String in rec; cast one"),
    ({name: frame.with_columns(itemid=[1]) for name, frame in FRAMES.items()}, pl.exceptions.ComputeError,
     "item must be a number, a text, bytes, a boolean, a date or a time, got list of integer"),
    ({name: frame.cast({"itemid": pl.UInt64}) for name, frame in FRAMES.items()} |
     {"ties": "item_asc"},
     pl.exceptions.ComputeError, "ties by item need items that are integers that fit 64 bits with a sign"),
    ({name: frame.cast({"itemid": pl.Decimal(9, 1)}) for name, frame in FRAMES.items()} |
     {"ties": "item_asc"},
     pl.exceptions.ComputeError, "floating point or text, got decimal"),
    ({"rec": FRAMES["rec"].with_columns(score=float("nan"))}, pl.exceptions.ComputeError,
     "score must not be NaN, got NaN"),
    ({"truth": FRAMES["truth"].with_columns(r=-1.0), "rel": "r"}, pl.exceptions.ComputeError,
     "relevance in rel must not be negative, got -1"),
]  # fmt: skip


@pytest.mark.parametrize(("arguments", "error", "text"), ERRORS, ids=[text for *_, text in ERRORS])
def test_errors_name_function_argument_and_value(
    arguments: dict[str, Any], error: type[Exception], text: str
):
    with pytest.raises(error, match=f"explain_frames: .*{re.escape(text)}"):
        rk.explain_frames(**FRAMES | arguments)


def test_errors_of_the_expressions():
    frame = FRAMES["rec"].with_columns(rel=1, rank=1)
    with pytest.raises(ValueError, match=r"^rank_explain_by_user: metric must be .*, got 'map'$"):
        rk.rank_explain_by_user("userid", "itemid", "score", "rel", metric="map")  # type: ignore[arg-type]
    named = "the column of items must not be called rank, because a result is"
    with pytest.raises(pl.exceptions.PolarsError, match=named):
        frame.select(rk.rank_explain_by_user("userid", "rank", "score", "rel"))
    with pytest.raises(ValueError, match=r"^rank_explain: k must be at least 1, got 0$"):
        rk.rank_explain("rec", "truth", 0)
