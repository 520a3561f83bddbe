"""Metrics of every user from two frames, and what they are made of, without a join."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from inspect import signature
from typing import TYPE_CHECKING, Any, overload

import polars as pl
from polars.io.plugins import register_io_source

from rankdcg_sql import _native, catalogue
from rankdcg_sql._arguments import IdColumns, integer, integers
from rankdcg_sql._errors import Argument, CallError, CallTypeError, CallValueError
from rankdcg_sql.polars import _plugin

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from rankdcg_sql.polars._generated import RankExplainByUserOptions, RankMetricsAtByUserOptions

__all__ = ["evaluate_frames", "explain_frames"]

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
    caller, function = "evaluate_frames", "rank_metrics_at_by_user"
    columns = IdColumns(
        user=user,
        item=item,
        truth_user=truth_user,
        rec_user=rec_user,
        truth_item=truth_item,
        rec_item=rec_item,
    )
    cuts, text = _cuts(caller, k), catalogue.options_text(options)
    _check(caller, function, cuts, text)
    frames = _Frames.of(caller, truth, rec, columns, score=score, rel=rel)
    values = _values(function)
    return frames.evaluate(
        function, frames.ids(("user",), values), values, {"ks": cuts, "options": text or None}
    )


@overload
def explain_frames(  # type: ignore[overload-overlap] # the first one that fits is meant
    truth: pl.DataFrame,
    rec: pl.DataFrame,
    k: int | None = ...,
    *,
    user: str | pl.Expr = ...,
    item: str | pl.Expr = ...,
    score: str | pl.Expr = ...,
    rel: str | pl.Expr | None = ...,
    truth_user: str | pl.Expr | None = ...,
    truth_item: str | pl.Expr | None = ...,
    rec_user: str | pl.Expr | None = ...,
    rec_item: str | pl.Expr | None = ...,
    **options: Unpack[RankExplainByUserOptions],
) -> pl.DataFrame: ...


@overload
def explain_frames(
    truth: pl.LazyFrame | pl.DataFrame,
    rec: pl.LazyFrame | pl.DataFrame,
    k: int | None = ...,
    *,
    user: str | pl.Expr = ...,
    item: str | pl.Expr = ...,
    score: str | pl.Expr = ...,
    rel: str | pl.Expr | None = ...,
    truth_user: str | pl.Expr | None = ...,
    truth_item: str | pl.Expr | None = ...,
    rec_user: str | pl.Expr | None = ...,
    rec_item: str | pl.Expr | None = ...,
    **options: Unpack[RankExplainByUserOptions],
) -> pl.LazyFrame: ...


def explain_frames(
    truth: pl.DataFrame | pl.LazyFrame,
    rec: pl.DataFrame | pl.LazyFrame,
    k: int | None = 10,
    *,
    user: str | pl.Expr = "userid",
    item: str | pl.Expr = "itemid",
    score: str | pl.Expr = "score",
    rel: str | pl.Expr | None = None,
    truth_user: str | pl.Expr | None = None,
    rec_user: str | pl.Expr | None = None,
    truth_item: str | pl.Expr | None = None,
    rec_item: str | pl.Expr | None = None,
    **options: Unpack[RankExplainByUserOptions],
) -> pl.DataFrame | pl.LazyFrame:
    """List the items of which the value of a metric is made, for every user of two frames.

    It shows what each retrieved item adds to the user's value, and what each relevant item that was missed
    would have added. The frames are read as `evaluate_frames` reads them.

    Parameters
    ----------
    truth, rec : DataFrame or LazyFrame
        The judgements and the recommendations, as in `evaluate_frames`.
    k : int or None
        How many of the first items count, at least 1. None is all of them.
    user, item, score, rel, truth_user, rec_user, truth_item, rec_item : str or Expr, optional
        The columns, as in `evaluate_frames`. Items are numbers, texts, bytes, booleans, dates or times.
    **options
        Options of `rank_explain_by_user`: ``metric="err"``, which is ``"ndcg"`` unless given, and the options
        of this metric, such as ``gain="linear"``.

    Returns
    -------
    DataFrame or LazyFrame
        A row for each user and item: first those that may be among the first `k`, best rank first, and then
        relevant ones that were missed. It is a lazy frame if one of the frames is. A user without judgements
        has no rows. The columns are

        - the user, under the name of its column in `truth`;
        - ``rank`` and ``last_rank``, the first and the last rank that the item can have among tied items;
          NULL for an item that was not retrieved;
        - the item, under the name of its column in `truth`;
        - ``score`` and ``rel``, NULL where there is none, and ``judged``, whether there is a ``rel``;
        - ``gain``, NULL unless the metric reads gains, and ``discount``, NULL unless it discounts them;
        - ``contribution``: what the item adds to the value, on average if items are tied. Those of a user
          add up to the value. NULL if a rule for empty rankings gives the value, such as `no_relevant`;
        - ``if_found``: what a missed item would have added at the best place that was free;
        - ``value``: the value of the metric for the user.

    Raises
    ------
    ValueError, TypeError, polars.exceptions.ComputeError
        As `evaluate_frames`, and for a metric whose values are no sums over items.

    Notes
    -----
    Rows are equal to the last bit to those of ``rank_explain`` in SQL, for any order of rows and any number
    of threads. The users, items and scores of all rows are kept in memory, because an item that was missed
    may have any rank.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> rec = pl.DataFrame({"user": [1, 1, 1], "item": ["a", "b", "c"], "score": [0.9, 0.8, 0.1]})
    >>> truth = pl.DataFrame({"user": [1, 1], "item": ["a", "d"], "rel": [2, 1]})
    >>> items = rk.explain_frames(truth, rec, k=2, user="user", item="item", rel="rel")
    >>> items.select("rank", "item", "rel", pl.col("contribution", "if_found").round(6)).rows()
    [(1, 'a', 2.0, 0.826235, None), (2, 'b', None, 0.0, None), (None, 'd', 1.0, 0.0, 0.173765)]
    """
    caller, function = "explain_frames", "rank_explain_by_user"
    columns = IdColumns(
        user=user,
        item=item,
        truth_user=truth_user,
        rec_user=rec_user,
        truth_item=truth_item,
        rec_item=rec_item,
    )
    cut, text = None if k is None else integer(caller, k, "None"), catalogue.options_text(options)
    _check(caller, function, [cut], text)
    frames = _Frames.of(caller, truth, rec, columns, score=score, rel=rel)
    values = _values(function)
    ids = frames.ids(("user", "item"), [*values, "judged"])
    explained = frames.evaluate(function, ids, values, {"k": cut, "options": text or None})
    users, items = ids
    judged = pl.col("rel").is_not_null().alias("judged")
    others = ("gain", "discount", "contribution", "if_found", "value")
    return explained.select(users, "rank", "last_rank", items, "score", "rel", judged, *others)


def _values(function: str) -> dict[str, Any]:
    """Return the types of the values of a function over all users, keyed by their names."""
    types = {"BIGINT": pl.Int64, "DOUBLE": pl.Float64}
    fields = catalogue.field_types(catalogue.expressions()[function])
    return {name: types[kind] for name, kind in fields.items() if kind in types}


@dataclass(frozen=True)
class _Frames:
    """Two frames, as the library reads them."""

    #: The called function, which errors name.
    caller: str
    #: The columns of users and of items, as the caller gave them.
    columns: IdColumns
    #: The types of users and of items in results, keyed by ``user`` and ``item``.
    types: dict[str, Any]
    #: Each frame, and its users, items, scores and relevances.
    rows: list[tuple[pl.LazyFrame, list[pl.Expr]]]
    #: Whether one of them is lazy.
    is_lazy: bool

    @classmethod
    def of(
        cls,
        caller: str,
        truth: Any,
        rec: Any,
        columns: IdColumns,
        *,
        score: str | pl.Expr,
        rel: str | pl.Expr | None,
    ) -> _Frames:
        """Find the columns of both frames; an error if one is missing, or if types do not match."""
        judged, of_truth = _select(caller, "truth", truth, columns, rel=pl.lit(1.0) if rel is None else rel)
        retrieved, of_rec = _select(caller, "rec", rec, columns, score=score)
        common = {what: _common(caller, what, of_truth[what], of_rec[what]) for what in ("user", "item")}
        ids = [column for _, column in common.values()]
        # The scores of both frames must have one type, also where there are none.
        no_score = pl.lit(None, dtype=of_rec["score"])
        rows = [
            (retrieved, [*ids, pl.col("score"), pl.lit(None)]),
            (judged, [*ids, no_score, pl.col("rel")]),
        ]
        is_lazy = isinstance(truth, pl.LazyFrame) or isinstance(rec, pl.LazyFrame)
        return cls(caller, columns, {what: kind for what, (kind, _) in common.items()}, rows, is_lazy)

    def ids(self, wanted: Iterable[str], taken: Collection[str]) -> dict[str, Any]:
        """Return the types of the ids of results, keyed by their names: users, or users and items.

        It is an error if one has the name of another column of the results, which are `taken`.
        """
        types: dict[str, Any] = {}
        for what in wanted:
            argument, column = self.columns.of("truth", what)
            name = column if isinstance(column, str) else column.meta.output_name()
            if name in taken or name in types:
                why = f"the column of {what}s must not be called {name}, because a result is"
                raise CallValueError(self.caller, argument, why)
            types[name] = self.types[what]
        return types

    def evaluate(
        self, function: str, ids: Mapping[Any, Any], values: Mapping[str, Any], settings: Mapping[str, Any]
    ) -> pl.DataFrame | pl.LazyFrame:
        """Evaluate a function over all users: a frame with ids of these types, and values of these types.

        `settings` are the arguments of the plugin that are no columns.
        """
        keywords = {"name": function, "caller": self.caller, "threads": pl.thread_pool_size()}

        def evaluate() -> pl.DataFrame:
            """Read the rows of both frames into a session of the library, and evaluate what it has kept.

            `read_rows` returns false for each row, of which `any` leaves one value. `evaluate_session` takes
            columns of ids for their names and their types alone.
            """
            session = _native.open_session()
            try:
                of_session = {"session": session}
                reading = [
                    frame.select(
                        _plugin.register(
                            "read_rows", columns, {**keywords, **settings, **of_session}, is_elementwise=True
                        ).any()
                    )
                    for frame, columns in self.rows
                ]
                pl.concat(reading).collect(engine="streaming")
                no_ids = pl.DataFrame(
                    schema={
                        name: pl.String if isinstance(kind, _TEXTS) else kind for name, kind in ids.items()
                    }
                )
                evaluating = _plugin.register(
                    "evaluate_session", [*map(pl.col, ids)], keywords | of_session, changes_length=True
                )
                results = no_ids.select(evaluating).to_series().struct.unnest()
            finally:
                _native.close_session(session)
            return results.cast(dict(ids))

        if not self.is_lazy:
            return evaluate()

        def source(
            columns: list[str] | None, predicate: pl.Expr | None, rows: int | None, _batch_size: int | None
        ) -> Iterator[pl.DataFrame]:
            results = evaluate()
            # Polars means the first rows of all, and then those of them that the predicate selects.
            if rows is not None:
                results = results.head(rows)
            if predicate is not None:
                results = results.filter(predicate)
            yield results if columns is None else results.select(columns)

        return register_io_source(source, schema={**ids, **values}, **_PURE)


def _check(caller: str, function: str, cuts: Iterable[int | None], options: str) -> None:
    """Check cutoffs and options of a function in a call of `caller`, before a frame is read."""
    try:
        _native.check(function, [cut for cut in cuts if cut is not None], options)
    except CallError as error:
        raise CallError.of(error, caller) from None


def _cuts(caller: str, k: Any) -> list[int | None]:
    """Return the cutoffs of a call as a list, each once."""
    is_list = isinstance(k, Iterable) and not isinstance(k, str)
    try:
        cuts = list(dict.fromkeys(integers(caller, k if is_list else [k], _plugin.EXPRESSION)))
    except CallTypeError:
        wanted = " must be an integer, None or a list of these"
        raise CallTypeError(caller, "k", Argument("k"), f"{wanted}, got {k!r}") from None
    if not cuts:
        raise CallValueError(
            caller, "k", Argument("k"), " is empty: give a cutoff, or None for the whole lists"
        )
    return cuts


def _select(
    caller: str, argument: str, frame: Any, ids: IdColumns, **values: str | pl.Expr
) -> tuple[pl.LazyFrame, pl.Schema]:
    """Return users, items and `values`, named as in the call, of a frame, lazily; and their types."""
    if not isinstance(frame, pl.DataFrame | pl.LazyFrame):
        wanted = " must be a DataFrame or LazyFrame of Polars (evaluate takes other tables)"
        raise CallTypeError(caller, argument, Argument(argument), f"{wanted}, got {_kind(frame)}")
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
            raise CallValueError(caller, name, text, *parts, "=")
    selected = frame.lazy().select(**{what: _plugin.column(column) for what, (_, column) in columns.items()})
    return selected, selected.collect_schema()


def _kind(frame: Any) -> str:
    """Name the type of a table, with its package if there is one: several have a DataFrame."""
    package, kind = type(frame).__module__.partition(".")[0], type(frame).__name__
    return kind if package == "builtins" else f"{package}.{kind}"


def _common(caller: str, argument: str, truth: Any, rec: Any) -> tuple[Any, pl.Expr]:
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
        caller,
        argument,
        f"the column of {argument}s must have one type in both frames, got {truth} in truth and {rec} in "
        "rec; cast one of them",
    )
