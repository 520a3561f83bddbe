"""The metrics of all users in Polars: `evaluate_frames`, and the expressions that end in ``_by_user``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import polars as pl
import pytest
from conftest import needs_duckdb_2
from polars.testing import assert_frame_equal
from support import process, reference
from support.polars_calls import calls
from support.two_frames import KEYS, SCHEMA, apart, cut, dirty, together

import rankdcg_sql
from rankdcg_sql import _native
from rankdcg_sql import polars as rk

if TYPE_CHECKING:
    from collections.abc import Callable

VERSION = tuple(map(int, re.findall(r"\d+", pl.__version__)[:2]))
METRICS = ["precision", "recall", "f1", "hit_rate", "mrr", "average_precision", "ndcg", "auc"]

REC = pl.DataFrame(
    {
        "user": [1, 1, 1, 2, None, 3],
        "item": ["a", "c", "b", "a", "a", "a"],
        "score": [0.9, 0.8, 0.3, 0.7, 0.5, 0.1],
    }
)
TRUTH = pl.DataFrame({"user": [1, 1, 1, 2, 4, None], "item": ["a", "b", "d", "c", "e", "a"]})


def bits(frame: pl.DataFrame) -> dict[tuple[Any, Any], str]:
    """The metrics of each user and k as a text that shows every bit."""
    rows = frame.select(frame.columns[0], "k", *METRICS).rows()
    assert len({row[:2] for row in rows}) == len(rows)
    return {(user, k): repr(values) for user, k, *values in rows}


def of_duckdb(rows: pl.DataFrame, ks: list[int | None], options: str = "") -> dict[tuple[Any, Any], str]:
    """The same by `rank_metrics_at_rows` of DuckDB, which knows the users from a GROUP BY."""
    con = rankdcg_sql.connect()
    con.register("rows", rows.to_arrow())
    query = """
        SELECT "user", rank_metrics_at_rows(item, score, rel, $ks::BIGINT[], $options) FROM rows
        WHERE "user" IS NOT NULL AND (score IS NOT NULL OR rel IS NOT NULL) GROUP BY "user"
    """
    found = {}
    for user, values in con.execute(query, {"ks": ks, "options": options}).fetchall():
        for place, k in enumerate(ks):
            found[user, k] = repr([values[place][name] if values else None for name in METRICS])
    return found


OPTIONS = [
    {},
    {"ties": "item_desc", "gain": "linear"},
    {"ties": "pessimistic", "min_rel": 2, "gain": "binary", "no_relevant": "zero"},
    {"convention": "trec_eval"},
]


@needs_duckdb_2
@pytest.mark.parametrize(
    ("rows", "options"),
    [
        *((rows, options) for rows in (1, 40, 2047, 2048, 2049, 8192, 8193) for options in OPTIONS),
        *((300_001, options) for options in OPTIONS[:2]),
    ],
    ids=str,
)
def test_values_are_those_of_duckdb_bit_by_bit(rows: int, options: dict[str, Any]):
    frame, ks = dirty(rows), [1, 5, None]
    expected = of_duckdb(frame, ks, ",".join(f"{name}={value}" for name, value in options.items()))
    assert bits(rk.evaluate_frames(*apart(frame), ks, **KEYS, **options)) == expected
    call = rk.rank_metrics_at_by_user("user", "item", "score", "rel", ks, **options)
    assert bits(frame.select(call.struct.unnest())) == expected
    call = rk.rank_metrics_by_user("user", "item", "score", "rel", 5, **options)
    found = bits(frame.select(call.struct.unnest()))
    assert found == {key: values for key, values in expected.items() if key[1] == 5}


@needs_duckdb_2
def test_counts_of_rows_are_those_of_duckdb():
    frame = dirty(40_000)
    con = rankdcg_sql.connect()
    con.register("rows", frame.to_arrow())
    query = """
        SELECT unnest(rank_evaluation_by_user("user", item, score, rel, [3, NULL]), recursive := true)
        FROM rows
    """
    expected = con.sql(query).pl().rename({"userid": "user"})
    call = rk.rank_evaluation_by_user("user", "item", "score", "rel", [3, None])
    found = frame.select(call.struct.unnest())
    assert found.sort("user", "k").equals(expected.sort("user", "k"), null_equal=True)
    assert found["retrieved_repeats"].sum() > 0


def test_values_are_those_of_the_reference():
    found = rk.evaluate_frames(TRUTH, REC, [2], user="user", item="item").sort("user")
    users = {1: (["a", "c", "b"], ["a", "b", "d"]), 2: (["a"], ["c"]), 3: (["a"], None), 4: ([], ["e"])}
    assert found["user"].to_list() == [*users]
    for name in METRICS:
        function = f"{name}_at" if name in ("precision", "recall", "f1") else name
        expected = [reference.evaluate(function, *lists, 2) for lists in users.values()]
        assert found[name].to_list() == [value and pytest.approx(value) for value in expected], name


# Shapes of frames


SHAPED = dirty(250_000, users=900)


#: Functions of judgements and recommendations, named by what is special about each.
SAME: dict[str, Callable[[pl.DataFrame, pl.DataFrame], pl.DataFrame]] = {
    "lazy": lambda t, r: evaluated(t.lazy(), r.lazy()).collect(),
    "one is lazy": lambda t, r: evaluated(t.lazy(), r).collect(),
    "in memory": lambda t, r: evaluated(t, r.lazy()).collect(engine="in-memory"),
    "in chunks": lambda t, r: evaluated(cut(t, [1, 999]), cut(r, [7000, 1, 2048])),
    "slices": lambda t, r: evaluated(
        pl.concat([r.select("user", "item", rel=5.0)[:77], t])[77:], r.vstack(r)[: r.height]
    ),
    "in reverse": lambda t, r: evaluated(t.reverse(), r.reverse()),
    "sorted": lambda t, r: evaluated(t.sort("user"), r.sort("user", "score")),
    "truth twice": lambda t, r: evaluated(pl.concat([t, t]), r),
    "other names": lambda t, r: evaluated(
        t.select(u="user", i="item", r="rel"),
        r.select(i="item", s="score", u="user"),
        **{"user": "u", "item": "i", "score": "s", "rel": "r"},
    ),
    "expressions": lambda t, r: evaluated(
        t, r, user=pl.col("user") + 0, item=pl.col("item") * 2, score=pl.col("score") / 2
    ),
    "one of two": lambda t, r: (
        evaluated(t.lazy(), r.lazy(), [3, 9, None])
        .filter(pl.col("k").is_null() | (pl.col("k") == 3))
        .collect()
    ),
    "joined with itself": lambda t, r: (
        (lazy := evaluated(t.lazy(), r.lazy()))
        .join(lazy.select("user", "k"), on=["user", "k"], nulls_equal=True)
        .collect()
    ),
    "expression": lambda t, r: together(t, r).select(ROWS.struct.unnest()),
    "expression, in chunks": lambda t, r: cut(together(t, r), [3, 50_000]).select(ROWS.struct.unnest()),
    "expression, streaming": lambda t, r: (
        together(t, r).lazy().select(ROWS).unnest("rank_metrics_at").collect(engine="streaming")
    ),
    "expression of slices": lambda t, r: pl.concat(
        [t.select("user", "item", rel=5.0), together(t, r)], how="diagonal"
    )[t.height :].select(ROWS.struct.unnest()),
}
ROWS = rk.rank_metrics_at_by_user("user", "item", "score", "rel", [3, None])


def evaluated(truth: Any, rec: Any, ks: Any = (3, None), **named: Any) -> Any:
    return rk.evaluate_frames(truth, rec, list(ks), **KEYS | named)


@pytest.mark.parametrize("shape", SAME)
def test_shape_of_frames_changes_no_bit(shape: str):
    expected = evaluated(*apart(SHAPED))
    found = SAME[shape](*apart(SHAPED))
    assert bits(found) == bits(expected)
    if shape != "joined with itself":
        assert found.rows() == expected.rename({"user": found.columns[0]}).rows()


def test_a_lazy_frame_is_read_in_parts_and_only_when_it_is_collected():
    truth, rec = apart(dirty(600_000))
    before = calls()
    lazy = rk.evaluate_frames(truth.lazy(), rec.lazy(), 10, **KEYS)
    assert isinstance(lazy, pl.LazyFrame)
    assert calls() == before
    assert lazy.collect_schema() == pl.Schema(
        {"user": pl.Int64, "k": pl.Int64, **dict.fromkeys(METRICS, pl.Float64)}
    )
    collected = lazy.collect()
    # Polars 1.28 cannot call a plugin for a part of its rows.
    assert calls() - before > (4 if VERSION >= (2, 0) else 2)
    assert collected.schema == lazy.collect_schema()
    assert lazy.select("ndcg").head(3).collect().equals(collected.select("ndcg").head(3), null_equal=True)
    assert lazy.filter(pl.col("ndcg") > 0.5).collect().equals(collected.filter(pl.col("ndcg") > 0.5))
    assert lazy.select(pl.len()).collect().item() == collected.height


def test_rows_with_a_user_k_and_metrics():
    found = rk.evaluate_frames(TRUTH, REC, user="user", item="item")
    assert isinstance(found, pl.DataFrame)
    assert found.columns == ["user", "k", *METRICS]
    assert found["k"].to_list() == [5, 10] * 4
    assert set(found["user"].to_list()) == {1, 2, 3, 4}
    assert found.filter(pl.col("user") == 3).select(METRICS).unique().row(0) == (None,) * 8
    assert found.filter(pl.col("user") == 4).select("recall", "ndcg").rows() == [(0.0, 0.0)] * 2
    assert rk.evaluate_frames(TRUTH, REC, None, user="user", item="item")["k"].to_list() == [None] * 4


def test_rows_that_are_left_out_are_not_checked():
    left_out = pl.DataFrame(
        {
            "user": [None, None, None, 1, 1, 1],
            "item": ["a", "a", "b", None, None, None],
            "rel": [1.0, 2.0, -1.0, -1.0, float("inf"), float("nan")],
        }
    )
    truth = TRUTH.with_columns(rel=1.0)
    rec = pl.concat(
        [REC, pl.DataFrame({"user": [None], "item": ["a"], "score": [float("nan")]})], how="vertical_relaxed"
    )
    expected = rk.evaluate_frames(truth, REC, [2], **KEYS)
    for dirty_truth, dirty_rec in [
        (pl.concat([truth, left_out]), rec),
        (pl.concat([left_out, truth]).lazy(), rec.lazy()),
    ]:
        found = rk.evaluate_frames(dirty_truth, dirty_rec, [2], **KEYS).lazy().collect()
        assert found.equals(expected, null_equal=True)


def test_expression_in_groups_and_beside_other_frames():
    frame = together(TRUTH.with_columns(rel=1), REC)
    both = pl.concat([frame.with_columns(model=pl.lit(model)) for model in "xy"])
    both = both.with_columns(score=pl.when(pl.col("model") == "x").then("score").otherwise(-pl.col("score")))
    call = rk.rank_metrics_by_user("user", "item", "score", "rel", k=1).alias("m")
    grouped = both.group_by("model", maintain_order=True).agg(call).explode("m").unnest("m")
    for model in "xy":
        own = both.filter(pl.col("model") == model).select(call).unnest("m")
        assert own.equals(grouped.filter(pl.col("model") == model).drop("model"), null_equal=True)
    assert frame.select(call.struct.field("ndcg").mean()).item() > 0
    method = pl.col("user").rank_eval.rank_metrics_by_user("item", "score", "rel", k=1)  # type: ignore[attr-defined]
    assert frame.select(method).columns == ["rank_metrics@1"]
    assert (
        frame.select(method).unnest("rank_metrics@1").equals(frame.select(call).unnest("m"), null_equal=True)
    )


def test_no_rows():
    empty = rk.evaluate_frames(TRUTH[:0], REC[:0], user="user", item="item")
    assert empty.height == 0
    assert empty.columns == ["user", "k", *METRICS]
    untyped = pl.DataFrame({"userid": [], "itemid": [], "score": []})
    assert rk.evaluate_frames(untyped, untyped).height == 0
    assert rk.evaluate_frames(untyped.lazy(), untyped).collect().height == 0
    only_truth = rk.evaluate_frames(TRUTH, REC[:0], 1, user="user", item="item")
    assert only_truth["ndcg"].to_list() == [0.0] * 3
    only_rec = rk.evaluate_frames(TRUTH[:0], REC, 1, user="user", item="item")
    assert only_rec["ndcg"].to_list() == [None] * 3
    rows = together(TRUTH.with_columns(rel=1), REC)
    call = rk.rank_metrics_by_user("user", "item", "score", "rel")
    assert rows[:0].select(call.struct.unnest()).schema == rows.select(call.struct.unnest()).schema


# Threads


def test_number_of_threads_changes_nothing():
    script = """
        import json, os, sys
        os.environ["POLARS_MAX_THREADS"] = sys.argv[1]
        import polars as pl
        import rankdcg_sql.polars as rk

        assert pl.thread_pool_size() == int(sys.argv[1])
        count = 300_000
        rows = pl.select(i=pl.int_range(count)).select(
            user=pl.col("i").hash(1) % 5000, item=pl.col("i").hash(2) % 90, i="i",
            score=(pl.col("i").hash(3) % 50).cast(pl.Float64) / 3,
        )
        truth = rows.filter(pl.col("i") % 3 == 0)
        truth = truth.select("user", "item", rel=(pl.col("user") + pl.col("item")) % 3)
        rec = rows.filter(pl.col("i") % 3 != 0)
        keys = {"user": "user", "item": "item", "rel": "rel"}
        frames = rk.evaluate_frames(truth, rec, [3, None], **keys)
        assert frames.equals(rk.evaluate_frames(truth.lazy(), rec.lazy(), [3, None], **keys).collect())
        long = pl.concat([rec, truth], how="diagonal")
        call = rk.rank_metrics_at_by_user("user", "item", "score", "rel", [3, None])
        assert frames.equals(long.select(call.struct.unnest()))
        items = rk.explain_frames(truth, rec, 3, **keys)
        shown = [repr(row) for each in (frames, items) for row in each.rows()[:2000]]
        print(json.dumps([frames.height, items.height, shown]))
    """
    one, *others = [process.python(script, str(threads)) for threads in (1, 2, 5)]
    assert all(other == one for other in others)


# Types


MATCHING = [
    (pl.Int8, pl.Int64, pl.Int64),
    (pl.UInt32, pl.Int16, pl.Int64),
    (pl.UInt64, pl.Int64, pl.Int128),
    (pl.Float32, pl.Float64, pl.Float64),
    (pl.String, pl.Categorical, pl.String),
    (pl.Enum(["1", "2"]), pl.Enum(["3", "2", "1"]), pl.String),
    (pl.Null, pl.String, pl.String),
]


@pytest.mark.parametrize(("truth", "rec", "expected"), MATCHING, ids=str)
@pytest.mark.parametrize("turned", [False, True])
def test_columns_whose_types_match(truth: Any, rec: Any, expected: Any, turned: bool):
    def column(dtype: Any) -> pl.Series:
        return pl.Series([None, None]) if dtype == pl.Null else pl.Series(["1", "2"]).cast(dtype)

    one, other = (rec, truth) if turned else (truth, rec)
    found = rk.evaluate_frames(
        pl.DataFrame({"userid": column(one), "itemid": column(one)}),
        pl.DataFrame({"userid": column(other), "itemid": column(other), "score": [1.0, 2.0]}),
        1,
    )
    assert found.schema["userid"] == expected
    if pl.Null not in (truth, rec):
        assert sorted(found.select("userid", "recall").rows()) == [(user, 1) for user in column(expected)]


@pytest.mark.parametrize("is_lazy", [False, True])
def test_columns_of_different_names(is_lazy: bool):
    """A column of rec may have the name of another column of truth, and results have the name of truth."""
    truth = pl.DataFrame({"userid": [1, 1, 2], "itemid": ["a", "b", "c"], "rel": [1, 2, 1]})
    rec = pl.DataFrame({"userid": [1, 1, 2], "itemid": ["b", "c", "a"], "score": [2.0, 1.0, 1.0]})
    expected = rk.evaluate_frames(truth, rec, rel="rel")
    judged = truth.rename({"userid": "uid", "itemid": "song"})
    served = rec.rename({"userid": "customer", "itemid": "uid"})
    if is_lazy:
        judged, served = judged.lazy(), served.lazy()  # type: ignore[assignment]
    of_truth: dict[str, Any] = {"truth_user": "uid", "truth_item": pl.col("song")}
    found = rk.evaluate_frames(judged, served, rel="rel", rec_user="customer", rec_item="uid", **of_truth)
    assert_frame_equal(found.lazy().collect(), expected.rename({"userid": "uid"}))
    wrong = (
        "rec has no column 'userid', but customer, uid, score; name the right one with user=, or that of rec"
    )
    with pytest.raises(rankdcg_sql.CallError, match=f"{wrong} alone with rec_user=$"):
        rk.evaluate_frames(judged, served, rel="rel", **of_truth)
    with pytest.raises(rankdcg_sql.CallError, match=r"name the right one with rec_user=$"):
        rk.evaluate_frames(truth, rec, rec_user="nobody")


def test_the_error_about_a_frame_names_its_package():
    pandas = pytest.importorskip("pandas")
    with pytest.raises(TypeError, match=r"truth must be a .* of Polars .*, got pandas\.DataFrame$"):
        rk.evaluate_frames(pandas.DataFrame({"userid": [1]}), pl.DataFrame({"userid": [1]}))


@pytest.mark.parametrize("name", ["userid", "itemid"])
def test_columns_whose_types_do_not_match_are_refused(name: str):
    rec = pl.DataFrame({"userid": [1], "itemid": [1], "score": [1.0]})
    truth = rec.select("userid", "itemid").cast({name: pl.String})
    called = name.removesuffix("id")
    expected = (
        f"evaluate_frames: the column of {called}s must have one type in both frames, got String in truth "
        "and Int64 in rec; cast one of them"
    )
    with pytest.raises(rankdcg_sql.CallError, match=f"^{re.escape(expected)}$") as caught:
        rk.evaluate_frames(truth, rec)
    assert isinstance(caught.value, TypeError)
    assert caught.value.argument == called


# Errors


ERRORS: list[tuple[Callable[[], Any], type[Exception], str]] = [
    (lambda: frames(k=0), ValueError, "evaluate_frames: k must be at least 1, got 0"),
    (lambda: frames(k="5"), TypeError,
     "evaluate_frames: k must be an integer, None or a list of these, got '5'"),
    (lambda: frames(k=[1, 2.5]), TypeError, "evaluate_frames: k must be an integer"),
    (lambda: frames(k=[]), ValueError, "evaluate_frames: k is empty: give a cutoff, or None"),
    (lambda: frames(truth=TRUTH.to_dict()), TypeError,  # type: ignore[arg-type]
     "evaluate_frames: truth must be a DataFrame or LazyFrame of Polars .*, got dict"),
    (lambda: frames(rec="rec.parquet"), TypeError,  # type: ignore[arg-type]
     "evaluate_frames: rec must be a DataFrame or LazyFrame of Polars .*, got str"),
    (lambda: frames(gian="linear"), ValueError, "evaluate_frames: unknown option 'gian', the options here"),
    (lambda: frames(ties="input_order"), ValueError, "evaluate_frames: ties"),
    (lambda: frames(score="scores"), ValueError,
     "evaluate_frames: rec has no column 'scores', but user, item, score; name the right one with score="),
    (lambda: frames(score=pl.col("scores")), pl.exceptions.ColumnNotFoundError, "scores"),
    (lambda: frames(rec=REC.rename({"user": "ndcg"}), truth=TRUTH.rename({"user": "ndcg"}), user="ndcg"),
     ValueError, "evaluate_frames: the column of users must not be called ndcg, because a result is"),
    (lambda: frames(rec=REC.with_columns(score=float("nan"))), pl.exceptions.ComputeError,
     "evaluate_frames: score must not be NaN, got NaN"),
    (lambda: frames(truth=TRUTH.with_columns(rel=-1.0), rel="rel"), pl.exceptions.ComputeError,
     "evaluate_frames: relevance in rel must not be negative, got -1"),
    (lambda: frames(truth=pl.concat([TRUTH, TRUTH]).with_columns(rel=pl.int_range(12)), rel="rel"),
     pl.exceptions.ComputeError, "evaluate_frames: truth judges an item twice"),
    (lambda: REC.select(rk.rank_metrics_by_user("user", "item", "score", pl.lit("x"))),
     pl.exceptions.ComputeError, "rank_metrics_by_user: rel must be a number or a boolean, got text"),
    (lambda: REC.select(rk.rank_metrics_by_user("user", "item", "score", pl.Series([1, 2]))),
     pl.exceptions.PolarsError, "length"),
    (lambda: REC.rename({"user": "k"}).select(rk.rank_metrics_by_user("k", "item", "score", pl.lit(None))),
     pl.exceptions.PolarsError, "the column of users must not be called k, because a result is"),
    (lambda: rk.rank_metrics_by_user("user", "item", "score", "rel", k=0), ValueError,
     "rank_metrics_by_user: k must be at least 1, got 0"),
    (lambda: rk.rank_metrics_at_by_user("user", "item", "score", "rel", 5), TypeError,
     "rank_metrics_at_by_user: ks must be a list of integers or an expression, got 5"),
]  # fmt: skip


def frames(truth: pl.DataFrame = TRUTH, rec: pl.DataFrame = REC, **arguments: Any) -> pl.DataFrame:
    return rk.evaluate_frames(truth, rec, **{"user": "user", "item": "item"} | arguments)


@pytest.mark.parametrize(("call", "error", "text"), ERRORS, ids=[text for *_, text in ERRORS])
def test_errors_name_function_argument_and_value(
    monkeypatch: pytest.MonkeyPatch, call: Callable[[], Any], error: type[Exception], text: str
):
    opened, closed = [], []
    open_session, close_session = _native.open_session, _native.close_session
    monkeypatch.setattr(_native, "open_session", lambda: opened.append(open_session()) or opened[-1])
    monkeypatch.setattr(
        _native, "close_session", lambda number: closed.append(number) or close_session(number)
    )
    with pytest.raises(error, match=text):
        call()
    assert opened == closed


def test_the_first_rows_come_before_a_filter():
    lazy = rk.evaluate_frames(TRUTH.lazy(), REC, k=[1, 2], user="user", item="item")
    eager = frames(k=[1, 2])
    for count in range(5):
        assert lazy.head(count).filter(pl.col("k") == 2).collect().equals(eager.head(count).filter(k=2))
        assert lazy.filter(pl.col("k") == 2).head(count).collect().equals(eager.filter(k=2).head(count))


def test_repeated_k_counts_once():
    assert frames(k=[2, 1, 2])["k"].to_list()[:4] == [2, 1, 2, 1]
    assert frames(k=[2, 1, 2]).equals(frames(k=[2, 1]))


def test_error_of_many_rows_is_the_same_each_time():
    rec = pl.DataFrame({"userid": range(400_000), "itemid": 1, "score": 1.0}).with_columns(
        score=pl.when(pl.col("userid") > 300_000).then(float("nan")).otherwise("score")
    )
    truth = rec.select("userid", "itemid")
    for _ in range(3):
        with pytest.raises(pl.exceptions.ComputeError, match="score must not be NaN"):
            rk.evaluate_frames(truth, rec)
    twice = pl.concat([truth.with_columns(rel=1.0), truth.with_columns(rel=2.0)])
    with pytest.raises(pl.exceptions.ComputeError, match="evaluate_frames: "):
        rk.evaluate_frames(twice, rec.fill_nan(1), rel="rel")


def test_a_session_that_has_ended_is_an_error():
    from rankdcg_sql.polars import _plugin

    session = _native.open_session()
    _native.close_session(session)
    keywords = {"name": "rank_metrics_at_by_user", "caller": "evaluate_frames", "session": session}
    reading = _plugin.register("read_rows", [pl.col(name) for name in SCHEMA], keywords, is_elementwise=True)
    with pytest.raises(pl.exceptions.ComputeError, match="evaluate_frames: the session has ended"):
        dirty(10).select(reading)
