"""Metrics of every user from two frames, without a join."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from inspect import signature
from typing import TYPE_CHECKING, Any, overload

import polars as pl
from polars.io.plugins import register_io_source

from rankdcg_sql import _native, catalogue
from rankdcg_sql._arguments import IdColumns, integers
from rankdcg_sql._errors import Argument, CallError, CallTypeError, CallValueError
from rankdcg_sql.polars import _plugin

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from rankdcg_sql.polars._generated import RankMetricsAtByUserOptions

__all__ = ["evaluate_frames"]

_CALLER = "evaluate_frames"
_FUNCTION = "rank_metrics_at_by_user"
#: Types whose values match by their text.
_TEXTS = (pl.String, pl.Categorical, pl.Enum)
#: Integers that fit 64 bits with a sign.
_NARROW = (pl.Int8, pl.Int16, pl.Int32, pl.Int64, pl.UInt8, pl.UInt16, pl.UInt32)
#: That the frame is the same each time, which older versions of Polars cannot be told.
_PURE: dict[str, Any] = {"is_pure": True} if "is_pure" in signature(register_io_source).parameters else {}


@overload
def evaluate_frames(  # type: ignore[overload-overlap] # the first one that fits is meant
    truth: pl.DataFrame,
    rec: pl.DataFrame,
    k: int | Sequence[int | None] | None = ...,
    *,
    user: str | pl.Expr = ...,
    item: str | pl.Expr = ...,
    score: str | pl.Expr = ...,
    rel: str | pl.Expr | None = ...,
    truth_user: str | pl.Expr | None = ...,
    truth_item: str | pl.Expr | None = ...,
    rec_user: str | pl.Expr | None = ...,
    rec_item: str | pl.Expr | None = ...,
    **options: Unpack[RankMetricsAtByUserOptions],
) -> pl.DataFrame: ...


@overload
def evaluate_frames(
    truth: pl.LazyFrame | pl.DataFrame,
    rec: pl.LazyFrame | pl.DataFrame,
    k: int | Sequence[int | None] | None = ...,
    *,
    user: str | pl.Expr = ...,
    item: str | pl.Expr = ...,
    score: str | pl.Expr = ...,
    rel: str | pl.Expr | None = ...,
    truth_user: str | pl.Expr | None = ...,
    truth_item: str | pl.Expr | None = ...,
    rec_user: str | pl.Expr | None = ...,
    rec_item: str | pl.Expr | None = ...,
    **options: Unpack[RankMetricsAtByUserOptions],
) -> pl.LazyFrame: ...


def evaluate_frames(
    truth: pl.DataFrame | pl.LazyFrame,
    rec: pl.DataFrame | pl.LazyFrame,
    k: int | Sequence[int | None] | None = (5, 10),
    *,
    user: str | pl.Expr = "userid",
    item: str | pl.Expr = "itemid",
    score: str | pl.Expr = "score",
    rel: str | pl.Expr | None = None,
    truth_user: str | pl.Expr | None = None,
    rec_user: str | pl.Expr | None = None,
    truth_item: str | pl.Expr | None = None,
    rec_item: str | pl.Expr | None = None,
    **options: Unpack[RankMetricsAtByUserOptions],
) -> pl.DataFrame | pl.LazyFrame:
    """Compute the metrics of every user from a frame of judgements and a frame of recommendations.

    It is the fastest way from two frames to metrics. There is no join, and no list of items. A frame is read
    once, on all threads of Polars. A lazy frame is read by Polars' streaming engine, a part at a time: only
    users, items and scores that a metric can still see are kept in memory.

    Parameters
    ----------
    truth : DataFrame or LazyFrame
        The judgements: a row for each user and relevant item. If it repeats an item of a user, the item
        counts once, and different relevances are an error.
    rec : DataFrame or LazyFrame
        The recommendations: a row for each user and retrieved item. If it repeats an item of a user, the
        item counts once, with its largest score.
    k : int, None, or sequence of int and None
        How many of the first items count, at least 1. None is all of them. A repeated k counts once.
    user, item : str or Expr
        The columns of users and of items in both frames. A row without a user is left out, and so is a row
        of `truth` without an item. A NULL item in `rec` takes its rank and matches nothing. Integers of
        different widths, and String, Categorical and Enum, match each other; otherwise a column has one type
        in both frames. Users are numbers, texts, bytes, booleans, dates or times.
    score : str or Expr
        The column of scores in `rec`, numbers. A row with a NULL is ignored.
    rel : str or Expr, optional
        The column of relevances in `truth`, numbers or booleans. A row with a NULL is ignored. Without it,
        each row is a relevant item.
    truth_user, rec_user, truth_item, rec_item : str or Expr, optional
        The columns of users and of items in `truth` alone and in `rec` alone, if they have another name than
        `user` and `item`. The result has the name of users in `truth`.
    **options
        Options of `rank_metrics_at_by_user`, such as ``gain="linear"`` or ``ties="item_desc"``.

    Returns
    -------
    DataFrame or LazyFrame
        A row for each user and k: the user in the type of its column, under the name of that column; k,
        Int64; and precision, recall, f1, hit_rate, mrr, average_precision, ndcg and auc, Float64. All users
        of both frames are there. Their order depends on nothing but the users, and the rows of a user are in
        the order of `k`. Metrics of a user without judgements are NULL. Those of a user without
        recommendations are 0. It is a lazy frame if one of the frames is. If the columns of users have
        different types, users are Int64, Int128, Float64 or String.

    Raises
    ------
    ValueError, TypeError
        For a column that a frame does not have, a k below 1, an option that there is not, or a value that it
        does not take; and for columns whose types do not match.
    polars.exceptions.ComputeError
        While the frames are read: for types that do not fit, for a score that is NaN, for a relevance that is
        NaN, infinite or negative, and for an item that a user judges in two ways.

    Notes
    -----
    Values are equal to the last bit to those of `rank_metrics_at_by_user` in SQL, for any order of rows and
    any number of threads. If the frame that is returned is lazy, both frames are read whenever it is
    collected.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> rec = pl.DataFrame({"user": [1, 1, 1, 2], "item": ["a", "b", "c", "a"], "score": [0.9, 0.8, 0.1, 0]})
    >>> truth = pl.DataFrame({"user": [1, 1, 2], "item": ["a", "d", "b"], "rel": [2, 1, 1]})
    >>> metrics = rk.evaluate_frames(truth, rec, k=[1, 3], user="user", item="item", rel="rel")
    >>> metrics.sort("user", "k").select("user", "k", "recall", pl.col("ndcg").round(6)).rows()
    [(1, 1, 0.5, 1.0), (1, 3, 0.5, 0.826235), (2, 1, 0.0, 0.0), (2, 3, 0.0, 0.0)]
    """
    function = catalogue.expressions()[_FUNCTION]
    cuts = _cuts(k)
    text = catalogue.options_text(options)
    try:
        _native.check(_FUNCTION, [cut for cut in cuts if cut is not None], text)
    except CallError as error:
        raise CallError.of(error, _CALLER) from None
    ids = IdColumns(
        user=user,
        item=item,
        truth_user=truth_user,
        rec_user=rec_user,
        truth_item=truth_item,
        rec_item=rec_item,
    )
    judged, of_truth = _select("truth", truth, ids, rel=pl.lit(1.0) if rel is None else rel)
    retrieved, of_rec = _select("rec", rec, ids, score=score)
    user_type, as_user = _common("user", of_truth["user"], of_rec["user"])
    _, as_item = _common("item", of_truth["item"], of_rec["item"])
    # The scores of both frames must have one type, also where there are none.
    no_score = pl.lit(None, dtype=of_rec["score"])
    rows = [
        (retrieved, [as_user, as_item, pl.col("score"), pl.lit(None)]),
        (judged, [as_user, as_item, no_score, pl.col("rel")]),
    ]
    argument, users = ids.of("truth", "user")
    name = users if isinstance(users, str) else users.meta.output_name()
    if name in function.fields:
        why = f"the column of users must not be called {name}, because a result is"
        raise CallValueError(_CALLER, argument, why)
    schema = {name: user_type, "k": pl.Int64, **dict.fromkeys(function.fields[1:], pl.Float64)}
    keywords = {"name": _FUNCTION, "caller": _CALLER, "threads": pl.thread_pool_size()}
    settings = {**keywords, "ks": cuts, "options": text or None}

    def evaluate() -> pl.DataFrame:
        """Read the rows of both frames into a session of the library, and evaluate what it has kept of them.

        `read_rows` returns false for each row, of which `any` leaves one value. `evaluate_session` takes a
        column of users for its name and its type alone.
        """
        session = _native.open_session()
        try:
            of_session = {"session": session}
            reading = [
                frame.select(
                    _plugin.register("read_rows", columns, settings | of_session, is_elementwise=True).any()
                )
                for frame, columns in rows
            ]
            pl.concat(reading).collect(engine="streaming")
            stored = pl.String if isinstance(user_type, _TEXTS) else user_type
            no_users = pl.DataFrame(schema={name: stored})
            evaluating = _plugin.register(
                "evaluate_session", [pl.col(name)], keywords | of_session, changes_length=True
            )
            metrics = no_users.select(evaluating).to_series().struct.unnest()
        finally:
            _native.close_session(session)
        return metrics.cast({name: user_type})

    if isinstance(truth, pl.DataFrame) and isinstance(rec, pl.DataFrame):
        return evaluate()

    def source(
        columns: list[str] | None, predicate: pl.Expr | None, rows: int | None, _batch_size: int | None
    ) -> Iterator[pl.DataFrame]:
        metrics = evaluate()
        # Polars means the first rows of all, and then those of them that the predicate selects.
        if rows is not None:
            metrics = metrics.head(rows)
        if predicate is not None:
            metrics = metrics.filter(predicate)
        yield metrics if columns is None else metrics.select(columns)

    return register_io_source(source, schema=schema, **_PURE)


def _cuts(k: Any) -> list[int | None]:
    """Return the cutoffs of a call as a list, each once."""
    is_list = isinstance(k, Iterable) and not isinstance(k, str)
    try:
        cuts = list(dict.fromkeys(integers(_CALLER, k if is_list else [k], _plugin.EXPRESSION)))
    except CallTypeError:
        wanted = " must be an integer, None or a list of these"
        raise CallTypeError(_CALLER, "k", Argument("k"), f"{wanted}, got {k!r}") from None
    if not cuts:
        raise CallValueError(
            _CALLER, "k", Argument("k"), " is empty: give a cutoff, or None for the whole lists"
        )
    return cuts


def _select(
    argument: str, frame: Any, ids: IdColumns, **values: str | pl.Expr
) -> tuple[pl.LazyFrame, pl.Schema]:
    """Return users, items and `values`, named as in the call, of a frame, lazily; and their types."""
    if not isinstance(frame, pl.DataFrame | pl.LazyFrame):
        wanted = " must be a DataFrame or LazyFrame of Polars (evaluate takes other tables)"
        raise CallTypeError(_CALLER, argument, Argument(argument), f"{wanted}, got {_kind(frame)}")
    known = frame.lazy().collect_schema().names()
    columns: dict[str, tuple[str, Any]] = {what: ids.of(argument, what) for what in ("user", "item")}
    columns |= {name: (name, column) for name, column in values.items()}
    for what, (name, column) in columns.items():
        if isinstance(column, str) and column not in known:
            text = f"{argument} has no column {column!r}, but {', '.join(known)}; name the right one with "
            # The error names the argument that was given, and if it is for both tables, that for this one.
            own = f"{argument}_{what}"
            alone = (f"=, or that of {argument} alone with ", Argument(own)) if hasattr(ids, own) else ()
            parts = (Argument(own),) if name == own else (Argument(name), *alone)
            raise CallValueError(_CALLER, name, text, *parts, "=")
    selected = frame.lazy().select(**{what: _plugin.column(column) for what, (_, column) in columns.items()})
    return selected, selected.collect_schema()


def _kind(frame: Any) -> str:
    """Name the type of a table, with its package if there is one: several have a DataFrame."""
    package, kind = type(frame).__module__.partition(".")[0], type(frame).__name__
    return kind if package == "builtins" else f"{package}.{kind}"


def _common(argument: str, truth: Any, rec: Any) -> tuple[Any, pl.Expr]:
    """Return the type of users or items of two types, and the column in a form that matches the other one."""
    column = pl.col(argument)
    if truth == rec or rec == pl.Null:
        return truth, column
    if truth == pl.Null:
        return rec, column
    # The library matches values of these types without a cast.
    if isinstance(truth, _TEXTS) and isinstance(rec, _TEXTS):
        return pl.String(), column
    if isinstance(truth, _NARROW) and isinstance(rec, _NARROW):
        return pl.Int64(), column
    if truth.is_float() and rec.is_float():
        return pl.Float64(), column
    if truth.is_integer() and rec.is_integer() and "UInt128" not in (str(truth), str(rec)):
        return pl.Int128(), column.cast(pl.Int128)
    raise CallTypeError(
        _CALLER,
        argument,
        f"the column of {argument}s must have one type in both frames, got {truth} in truth and {rec} in "
        "rec; cast one of them",
    )
