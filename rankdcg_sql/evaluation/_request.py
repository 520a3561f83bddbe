"""The arguments of an evaluation, checked before any table is read, and the session of its tables."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import Any, get_args

from rankdcg_sql import _native
from rankdcg_sql._errors import Argument, CallTypeError, CallValueError, shown
from rankdcg_sql.catalogue import options_text
from rankdcg_sql.evaluation._computing.session import Session
from rankdcg_sql.evaluation._results.evaluation import Evaluation
from rankdcg_sql.evaluation._tables.columns import Columns
from rankdcg_sql.evaluation._tables.objects import is_on_spark
from rankdcg_sql.evaluation._terms.checks import check_choice
from rankdcg_sql.evaluation._terms.counts import check_unit
from rankdcg_sql.evaluation._terms.plan import K, Plan, make_plan
from rankdcg_sql.evaluation._terms.statistics import INTERVALS, Interval, Users, check_statistic

#: The names of the columns that results add to the caller's columns.
_RESERVED = {
    "system",
    "metric",
    "k",
    "value",
    "n",
    "mean",
    "low",
    "high",
    "retrieved",
    "without_value",
    "interval_by",
    "all_users",
}
#: The names of the other columns of differences, beside which segments stand.
_OF_DIFFERENCES = {
    "against",
    "baseline",
    "difference",
    "effect_size",
    "p_value",
    "p_corrected",
    "wins",
    "ties",
    "losses",
}


@dataclass(frozen=True)
class Request:
    """The checked arguments of an evaluation, all but the tables and the connection."""

    #: The names of the columns of both tables.
    columns: Columns
    #: The metrics, their cutoffs and their options.
    plan: Plan
    #: The users over whom means are taken.
    users: Users
    #: The kind of interval of a mean.
    interval: Interval
    #: The confidence level of the intervals, between 0 and 1.
    confidence: float
    #: The options of the intervals as SQL text, such as ``confidence=0.95``.
    interval_options: str
    #: The word for users in results.
    unit: str

    @classmethod
    def check(
        cls,
        caller: str,
        k: K,
        metrics: str | Iterable[str] | None,
        columns: Columns,
        users: Users | None,
        interval: Interval,
        confidence: float,
        resamples: int | None,
        seed: int | None,
        options: dict[str, Any],
        arguments: Iterable[str],
        unit: str = "users",
    ) -> Request:
        """Check arguments as far as possible without tables.

        Errors name the function `caller`. `arguments` are its arguments that are not options of metrics.

        Raises
        ------
        CallValueError, CallTypeError
            If an argument has a wrong type or value.
        """
        check_choice(caller, "users", users, [*get_args(Users), None])
        check_choice(caller, "interval", interval, get_args(Interval))
        check_unit(caller, unit)
        for argument in (each.name for each in fields(columns) if each.name != "by"):
            name = getattr(columns, argument)
            if not isinstance(name, str if argument in ("user", "item", "score") else str | None):
                wanted = " must be the name of a column"
                raise CallTypeError(caller, argument, Argument(argument), f"{wanted}, got {shown(name)}")
            _native.check_text(caller, argument, name or "")
        for name in columns.by:
            _native.check_text(caller, "by", name)
        given = {"resamples": resamples, "seed": seed} if interval == "bootstrap" else {}
        text = options_text({"confidence": confidence, **given})
        check_statistic(caller, INTERVALS[interval], text)
        made = make_plan(caller, k, metrics, options, arguments)
        taken = [*_RESERVED, *(each.column for each in made.measures)]
        of_segments = _OF_DIFFERENCES if caller == "compare" else set()
        for argument, name in (columns.of("truth", "user"), *(("by", name) for name in columns.by)):
            if name.lower() in taken or (argument == "by" and name.lower() in of_segments):
                raise CallValueError(
                    caller, argument, f"the results have a column {name!r} already: rename yours"
                )
            taken.append(name.lower())
        return cls(columns, made, users or made.users, interval, confidence, text, unit)

    def evaluation(self, session: Session, rec: Any, label: str) -> Evaluation:
        """Evaluate one table of recommendations, which messages call `label`."""
        computed = session.compute_metrics(rec, label, self.plan, self.users)
        return Evaluation(
            computed.counts,
            self.plan.metrics,
            self.plan.ks,
            computed.plan.options,
            self.users,
            self.interval,
            self.confidence,
            self.columns.of_results,
            self.columns.by,
            tuple(computed.plan.measures),
            self.interval_options,
            self.unit,
            computed.table,
            computed.is_ordered,
        )


def open_session(
    caller: str,
    truth: Any,
    recs: Iterable[Any],
    columns: Columns,
    con: Any,
    progress: bool,
    spark: Any,
    partitions: int | None,
    segments: Any = None,
) -> Session:
    """Open truth for the tables of recommendations `recs`, on Spark if any table is there.

    Raises
    ------
    CallValueError, CallTypeError
        If an argument is not for tables of this kind, or if truth cannot be opened.
    """
    systems = list(recs)
    if not isinstance(progress, bool):
        wanted = f" must be True or False, got {shown(progress)}"
        raise CallTypeError(caller, "progress", Argument("progress"), wanted)
    if segments is not None and not columns.by:
        unused = " has the segments of users, and its columns must be named with "
        raise CallValueError(caller, "segments", Argument("segments"), unused, Argument("by"))
    if spark is None and not any(map(is_on_spark, [truth, *systems])):
        if partitions is not None:
            wanted = " is for tables on Spark, of which there are none, got "
            raise CallValueError(caller, "partitions", Argument("partitions"), f"{wanted}{partitions!r}")
        return Session(caller, truth, columns, len(systems), con, progress, segments)
    if con is not None:
        wanted = " is for tables of DuckDB, and tables of this call are on Spark"
        raise CallValueError(caller, "con", Argument("con"), wanted)
    if segments is not None:
        wanted = " is for tables of DuckDB: on Spark, join the segments with truth"
        raise CallValueError(caller, "segments", Argument("segments"), wanted)
    check_spark(caller, spark)
    from rankdcg_sql.spark._session import SessionOnSpark

    return SessionOnSpark(caller, truth, columns, len(systems), spark, partitions)


def check_spark(caller: str, spark: Any) -> None:
    """Check that `spark` is a session of Spark or None, without an import of PySpark."""
    if spark is not None and not callable(getattr(spark, "table", None)):
        wanted = f" must be a session of Spark, got {type(spark).__name__}"
        raise CallTypeError(caller, "spark", Argument("spark"), wanted)
