"""The arguments of an evaluation, checked before any table is read, and the session of its tables."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, fields
from typing import Any, get_args

from rankdcg_sql import _native
from rankdcg_sql._arguments import as_names, check_choice
from rankdcg_sql._errors import Argument, CallTypeError, CallValueError, shown
from rankdcg_sql.catalogue import options_text
from rankdcg_sql.evaluation._computing.session import Session
from rankdcg_sql.evaluation._results.evaluation import Evaluation
from rankdcg_sql.evaluation._tables.columns import Columns
from rankdcg_sql.evaluation._tables.objects import is_on_spark
from rankdcg_sql.evaluation._terms import statistics
from rankdcg_sql.evaluation._terms.counts import check_unit
from rankdcg_sql.evaluation._terms.metrics import MEANS
from rankdcg_sql.evaluation._terms.plan import Plan, make_plan

#: The names of the columns that results add to the caller's columns.
_RESERVED = {"system", "value", "retrieved", "all_users", *MEANS.split(", ")}
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
        names = [field.name for field in fields(Columns) if field.name != "by"]
        columns = Columns(**{name: arguments[name] for name in names}, by=by)
        interval: statistics.Interval = arguments.get("interval", "t")
        check_choice(caller, "interval", interval, get_args(statistics.Interval))
        draws = {name: arguments.get(name) for name in ("resamples", "seed")}
        are_used = interval == "bootstrap" or arguments.get("test") in statistics.RANDOM_TESTS
        statistics.check_draws(caller, draws, are_used)
        users: statistics.Users | None = arguments.get("users")
        check_choice(caller, "users", users, [*get_args(statistics.Users), None])
        check_unit(caller, arguments.get("unit", "users"))
        for name in names:
            column = arguments[name]
            if not isinstance(column, str if name in ("user", "item", "score") else str | None):
                raise CallTypeError.about(caller, name, f"must be the name of a column, got {shown(column)}")
            _native.check_text(caller, name, column or "")
        for column in by:
            _native.check_text(caller, "by", column)
        drawn = draws if interval == "bootstrap" else {}
        interval_options = options_text({"confidence": arguments.get("confidence", 0.95), **drawn})
        statistics.check_function(caller, statistics.INTERVALS[interval], interval_options)
        plan = make_plan(caller, arguments["k"], arguments["metrics"], arguments["options"], arguments)
        taken = [*_RESERVED, *(measure.column for measure in plan.measures)]
        taken_for_segments = _OF_DIFFERENCES if caller == "compare" else set()
        for argument, name in (columns.of("truth", "user"), *(("by", column) for column in by)):
            if name.lower() in taken or (argument == "by" and name.lower() in taken_for_segments):
                why = f"the results have a column {name!r} already: rename yours"
                raise CallValueError(caller, argument, why)
            taken.append(name.lower())
        return cls(caller, arguments, columns, plan, users or plan.users, interval_options)

    def open_session(self, recs: Collection[Any]) -> Session:
        """Open truth for the tables of recommendations `recs`, on Spark if any table is there."""
        truth, con, progress, spark, partitions, segments = (
            self.arguments[name] for name in ("truth", "con", "progress", "spark", "partitions", "segments")
        )
        if not isinstance(progress, bool):
            raise CallTypeError.about(
                self.caller, "progress", f"must be True or False, got {shown(progress)}"
            )
        if segments is not None and not self.columns.by:
            needed = "has the segments of users, and its columns must be named with "
            raise CallValueError.about(self.caller, "segments", needed, Argument("by"))
        is_in_duckdb = spark is None and not any(map(is_on_spark, [truth, *recs]))
        unused = {"partitions": "is for tables on Spark, of which there are none, got {!r}"}
        if not is_in_duckdb:
            unused = {
                "con": "is for tables of DuckDB, and tables of this call are on Spark",
                "segments": "is for tables of DuckDB: on Spark, join the segments with truth",
            }
        for name, why in unused.items():
            if self.arguments[name] is not None:
                raise CallValueError.about(self.caller, name, why.format(self.arguments[name]))
        if is_in_duckdb:
            return Session(self.caller, truth, self.columns, len(recs), con, progress, segments)
        check_spark(self.caller, spark)
        from rankdcg_sql.spark._session import SessionOnSpark

        return SessionOnSpark(self.caller, truth, self.columns, len(recs), spark, partitions)

    def evaluation(self, session: Session, rec: Any, label: str) -> Evaluation:
        """Evaluate one table of recommendations, which messages call `label`."""
        computed = session.compute_metrics(rec, label, self.plan, self.users)
        return Evaluation(
            counts=computed.counts,
            metrics=self.plan.metrics,
            ks=self.plan.ks,
            options=computed.plan.options,
            users=self.users,
            interval=self.arguments["interval"],
            confidence=self.arguments["confidence"],
            user=self.columns.of_results,
            by=self.columns.by,
            measures=tuple(computed.plan.measures),
            interval_options=self.interval_options,
            unit=self.arguments["unit"],
            table=computed.table,
            is_ordered=computed.is_ordered,
        )


def check_spark(caller: str, spark: Any) -> None:
    """Check that `spark` is a session of Spark or None, without an import of PySpark."""
    if spark is not None and not callable(getattr(spark, "table", None)):
        raise CallTypeError.about(caller, "spark", f"must be a session of Spark, got {type(spark).__name__}")
