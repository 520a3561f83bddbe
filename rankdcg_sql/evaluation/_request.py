"""The arguments of an evaluation, checked before any table is read; its tables, opened once or again."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, Literal, get_args

import duckdb

from rankdcg_sql import _native
from rankdcg_sql._arguments import as_names, check_choice
from rankdcg_sql._errors import Argument, CallTypeError, CallValueError, shown
from rankdcg_sql.catalogue import options_text
from rankdcg_sql.evaluation._computing.session import Session
from rankdcg_sql.evaluation._tables.columns import Columns
from rankdcg_sql.evaluation._tables.objects import is_on_spark
from rankdcg_sql.evaluation._terms import statistics
from rankdcg_sql.evaluation._terms.counts import check_unit
from rankdcg_sql.evaluation._terms.metrics import MEANS, WEIGHTED, function_of
from rankdcg_sql.evaluation._terms.plan import Plan, make_plan

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import pyarrow as pa

    from rankdcg_sql.evaluation._terms.metrics import Measure


#: The names of the columns that results add to the caller's columns.
_RESERVED = {"system", "value", "retrieved", "all_users", *MEANS.split(", "), *WEIGHTED.split(", ")}
#: The names of the other columns of differences, beside which segments stand.
_OF_DIFFERENCES = {
    *("against", "baseline", "difference", "effect_size", "p_value", "p_corrected", "wins", "ties", "losses")
}


@dataclass(frozen=True)
class Request:
    """The checked arguments of an evaluation."""

    #: The called function, which errors name.
    caller: str
    #: Its arguments, keyed by their names.
    arguments: Mapping[str, Any]
    #: The names of the columns of both tables.
    columns: Columns
    #: The metrics, their cutoffs and their options.
    plan: Plan
    #: The users over whom means are taken.
    users: statistics.Users
    #: The options of the intervals as SQL text, such as ``confidence=0.95``.
    interval_options: str

    @classmethod
    def check(cls, caller: str, arguments: Mapping[str, Any]) -> Request:
        """Check the arguments of the function `caller` as far as possible without tables.

        An argument that the function does not take has the default of `evaluate`.
        """
        by = as_names(caller, "by", arguments.get("by"))
        weight = arguments.get("weight")
        names = {field.name for field in fields(Columns)} & {*arguments} - {
            "by",
            "weight",
            "spans",
            "overlap",
        }
        spans, overlap = _spans(caller, arguments)
        of_tables = {name: arguments[name] for name in names}
        columns = Columns(**of_tables, by=by, weight=weight, spans=spans, overlap=overlap)
        interval: statistics.Interval = arguments.get("interval", "t")
        check_choice(caller, "interval", interval, get_args(statistics.Interval))
        draws = {name: arguments.get(name) for name in ("resamples", "seed")}
        are_used = interval == "bootstrap" or arguments.get("test") in statistics.RANDOM_TESTS
        statistics.check_draws(caller, draws, are_used)
        users: statistics.Users | None = arguments.get("users")
        check_choice(caller, "users", users, [*get_args(statistics.Users), None])
        check_unit(caller, arguments.get("unit", "users"))
        for name in [*names, "weight"]:
            column = arguments.get(name)
            if not isinstance(column, str if name in ("user", "item", "score") else str | None):
                raise CallTypeError.about(caller, name, f"must be the name of a column, got {shown(column)}")
            _native.check_text(caller, name, column or "")
        for argument, column in [*(("by", name) for name in by), *(("spans", name) for name in spans or ())]:
            _native.check_text(caller, argument, column)
        if weight is not None:
            statistics.check_weighted(caller, interval, arguments.get("test", "t"))
        drawn = draws if interval == "bootstrap" else {}
        interval_options = options_text({"confidence": arguments.get("confidence", 0.95), **drawn})
        statistics.check_function(caller, statistics.INTERVALS[interval], interval_options)
        plan = make_plan(caller, arguments["k"], arguments["metrics"], arguments["options"], arguments)
        of_aspects = [metric for metric in plan.metrics if function_of(metric).form == "aspects"]
        if of_aspects and not columns.aspect:
            needed = f"{of_aspects[0]} needs the aspects of items: name their column in truth with "
            raise CallValueError(caller, "metrics", needed, Argument("aspect"), "=")
        if plan.of_spans and not spans:
            needed = f"{plan.of_spans[0].metric} needs spans of documents: name the columns of offsets with "
            raise CallValueError(caller, "metrics", needed, Argument("spans"), "=")
        columns = replace(columns, properties=plan.properties, numbers_of_items=plan.numbers_of_items)
        _check_items(caller, plan, arguments)
        _check_of_all_users(caller, plan, arguments, columns.of_users)
        plan = replace(plan, has_items=arguments.get("items") is not None and not spans)
        taken = [*_RESERVED, *(measure.column for measure in plan.measures)]
        taken_for_segments = _OF_DIFFERENCES if caller == "compare" else set()
        for argument, name in (columns.of("truth", "user"), *columns.of_users):
            if name.lower() in taken or (argument == "by" and name.lower() in taken_for_segments):
                why = f"the results have a column {name!r} already: rename yours"
                raise CallValueError(caller, argument, why)
            taken.append(name.lower())
        return cls(caller, arguments, columns, plan, users or plan.users, interval_options)

    def open_session(self, recs: Collection[Any]) -> Session:
        """Open truth for the tables of recommendations `recs`, on Spark if any table is there."""
        truth, con, progress, spark, partitions, segments, items, fingerprints = (
            self.arguments[name]
            for name in (
                *("truth", "con", "progress", "spark", "partitions", "segments", "items", "fingerprints"),
            )
        )
        for name in ("progress", "fingerprints"):
            if not isinstance(flag := self.arguments[name], bool):
                raise CallTypeError.about(self.caller, name, f"must be True or False, got {shown(flag)}")
        if segments is not None and not self.columns.of_users:
            needed = "has the segments of users, and its columns must be named with "
            raise CallValueError.about(
                self.caller, "segments", needed, Argument("by"), " or ", Argument("weight")
            )
        is_in_duckdb = spark is None and not any(map(is_on_spark, [truth, *recs]))
        unused = {"partitions": "is for tables on Spark, of which there are none, got {!r}"}
        if not is_in_duckdb:
            unused = {
                "con": "is for tables of DuckDB, and tables of this call are on Spark",
                "segments": "is for tables of DuckDB: on Spark, join the segments with truth",
                "spans": "is for tables of DuckDB, and tables of this call are on Spark: collect them",
            }
        for name, why in unused.items():
            if self.arguments.get(name) is not None:
                raise CallValueError.about(self.caller, name, why.format(self.arguments[name]))
        if is_in_duckdb:
            return Session(
                self.caller, truth, self.columns, len(recs), con, progress, segments, items, fingerprints
            )
        check_spark(self.caller, spark)
        from rankdcg_sql.spark._session import SessionOnSpark

        return SessionOnSpark(
            self.caller, truth, self.columns, len(recs), spark, partitions, items, fingerprints
        )


def _spans(caller: str, arguments: Mapping[str, Any]) -> tuple[tuple[str, ...] | None, str | float]:
    """Check and return the columns of offsets, None if there are none, and the rule of overlap."""
    given, overlap = arguments.get("spans"), arguments.get("overlap", "any")
    spans = None if given is None else as_names(caller, "spans", given)
    if spans is not None and len(spans) != 2:
        wanted = "must name two columns, such as ('start', 'end'), got "
        raise CallValueError.about(caller, "spans", f"{wanted}{shown(given)}")
    is_share = isinstance(overlap, int | float) and not isinstance(overlap, bool) and 0 < overlap <= 1
    if not is_share and not (isinstance(overlap, str) and overlap in ("any", "best")):
        wanted = "must be 'any', 'best' or a share of the span above 0 and at most 1, got "
        raise CallValueError.about(caller, "overlap", f"{wanted}{shown(overlap)}")
    if spans is None and overlap != "any":
        needs = "is about spans, which need the names of their columns: give them with "
        raise CallValueError.about(caller, "overlap", needs, Argument("spans"), "=")
    return spans, overlap if isinstance(overlap, str) else float(overlap)


def _check_items(caller: str, plan: Plan, arguments: Mapping[str, Any]) -> None:
    """Raise an error unless there is a table of items if measures read one.

    A function that returns metrics of users lazily has no argument for it.
    """
    of_items = [measure.metric for measure in plan.of_items]
    if of_items and arguments.get("spans") is not None:
        why = f"{of_items[0]} is about recommended items, and with "
        told = " items are places in documents"
        raise CallValueError(caller, "metrics", why, Argument("spans"), told)
    if of_items and arguments.get("items") is None:
        needs = f"{of_items[0]} needs a table of items: give it with "
        lazily = "" if "items" in arguments else " of rankdcg_sql.evaluate, which collects all rankings"
        raise CallValueError(caller, "metrics", needs, Argument("items"), f"={lazily}")


def _check_of_all_users(
    caller: str, plan: Plan, arguments: Mapping[str, Any], of_users: Sequence[tuple[str, str]]
) -> None:
    """Raise an error if a measure of all users together is asked for what needs values of single users.

    `of_users` are the columns of segments and weights, each after the argument that names it.
    """
    for metric in plan.metrics:
        if not function_of(metric).is_of_all_users:
            continue
        is_of_all = f"{metric} is a measure of all users together"
        if of_users:
            why = f"{is_of_all}, which has no segments and no weights"
            raise CallValueError(caller, of_users[0][0], why)
        if "items" not in arguments:  # a function that returns metrics of users lazily
            raise CallValueError(caller, "metrics", f"{is_of_all}: rankdcg_sql.evaluate has it")
        if arguments.get("test") == "wilcoxon":
            why = f"wilcoxon ranks the values of users, and {is_of_all}: give "
            options = Argument("test", "t"), " or ", Argument("test", "randomization")
            raise CallValueError(caller, "test", why, *options)


def check_spark(caller: str, spark: Any) -> None:
    """Check that `spark` is a session of Spark or None, without an import of PySpark."""
    if spark is not None and not callable(getattr(spark, "table", None)):
        raise CallTypeError.about(caller, "spark", f"must be a session of Spark, got {type(spark).__name__}")


@dataclass(frozen=True, eq=False)
class GivenTables:
    """Truth and one table of recommendations as the caller gave them, which can be read again."""

    #: The arguments of the call; those of `compare` have the recommendations of other systems, too.
    request: Request
    #: The table of recommendations.
    rec: Any
    #: How messages call it.
    label: str

    @property
    def truth(self) -> Any:
        """The table of judgements."""
        return self.request.arguments["truth"]

    @property
    def is_on_spark(self) -> bool:
        """Whether Spark reads the tables."""
        return self.request.arguments["spark"] is not None or is_on_spark(self.rec)

    @contextmanager
    def opened(self, caller: str) -> Iterator[Session]:
        """Open truth again, without segments; errors name the function `caller`."""
        arguments = {**self.request.arguments, "segments": None, "fingerprints": False}
        columns = replace(self.request.columns, by=())
        request = replace(self.request, caller=caller, arguments=arguments, columns=columns)
        try:
            session = request.open_session([self.rec])
        except duckdb.ConnectionException as error:
            closed = "its connection is closed, with which the tables were read: evaluate them again"
            raise CallValueError(caller, "con", closed) from error
        with session:
            yield session

    def has_same(self, table: Literal["truth", "rec"], other: GivenTables) -> bool:
        """Whether a table of both is one object, or has one name, and is read in the same way.

        It may be another table for all that, because its rows were replaced between the two calls.
        """

        def read(given: GivenTables) -> tuple[Any, ...]:
            request = given.request
            columns = (request.columns.name(table, what) for what in ("user", "item"))
            return (*columns, request.columns.rel, id(request.arguments["con"]))

        one, another = getattr(self, table), getattr(other, table)
        are_names = all(isinstance(each, str | os.PathLike) for each in (one, another))
        return (one is another or (are_names and str(one) == str(another))) and read(self) == read(other)

    def with_truth_of(self, other: GivenTables, caller: str, label: str) -> GivenTables:
        """Return this rec, which messages call `label`, with the truth of `other`; errors name `caller`."""
        own, theirs = self.request, other.request
        cons = {id(con): con for con in (own.arguments["con"], theirs.arguments["con"]) if con is not None}
        if len(cons) > 1:
            why = "before and after were evaluated with two connections: give both the same con"
            raise CallValueError(caller, "before", why)
        if own.columns.spans != theirs.columns.spans:
            why = "was evaluated with other spans than after: give both the same"
            raise CallValueError.about(caller, "before", why)
        columns = replace(
            theirs.columns,
            truth_user=theirs.columns.name("truth", "user"),
            truth_item=theirs.columns.name("truth", "item"),
            rec_user=own.columns.name("rec", "user"),
            rec_item=own.columns.name("rec", "item"),
            score=own.columns.score,
        )
        arguments = {**theirs.arguments, "con": next(iter(cons.values()), None)}
        if arguments["spark"] is None:
            arguments["spark"] = own.arguments["spark"]
        return GivenTables(replace(theirs, arguments=arguments, columns=columns), self.rec, label)

    def values(self, caller: str, measures: Sequence[Measure]) -> tuple[pa.Table, dict[str, int]]:
        """Compute the values of users for some measures, and count the rows of both tables."""
        cutoffs: dict[str, tuple[int | None, ...]] = {}
        for measure in measures:
            cutoffs[measure.metric] = (*cutoffs.get(measure.metric, ()), measure.k)
        plan = replace(self.request.plan, cutoffs=cutoffs, has_items=False)
        with self.opened(caller) as session:
            return session.compute_values(self.rec, self.label, plan, self.request.users)

    def explain(
        self,
        caller: str,
        measures: Sequence[Measure],
        user: Any,
        into: duckdb.DuckDBPyConnection,
        name: str = "explanations",
    ) -> None:
        """Explain measures of all users, or of `user` alone, in the table `name` on the connection `into`."""
        plan, users = self.request.plan, self.request.users
        with self.opened(caller) as session:
            session.explain(self.rec, self.label, plan, measures, users, user, into, name)

    def items(self, caller: str, are_judged: bool) -> pa.Table:
        """Return the items of rec that truth judges, or if not `are_judged`, all items, as texts."""
        with self.opened(caller) as session:
            return session.items(self.rec, self.label, self.request.plan, are_judged)
