"""The rows of a result that are plotted."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from duckdb import ColumnExpression, ConstantExpression

from rankdcg_sql._errors import Argument, CallValueError
from rankdcg_sql._sql import quote_name
from rankdcg_sql.evaluation._terms.checks import check_choice
from rankdcg_sql.evaluation._terms.metrics import Measure
from rankdcg_sql.plots._panels import label_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from duckdb import DuckDBPyRelation, Expression

    from rankdcg_sql.evaluation._results.interface import ComparisonLike, EvaluationLike


#: A mean and the lengths of its interval below and above, in SQL; NaN if they are NULL. The last column is
#: what the interval is from.
MEANS = ", ".join(
    [
        *(f"coalesce({number}, 'nan')::DOUBLE" for number in ("mean", "mean - low", "high - mean")),
        "interval_by",
    ]
)


class Mean(NamedTuple):
    """A mean of one measure with its interval."""

    #: The label of the system or segment; empty if there is neither.
    group: str
    #: The metric.
    metric: str
    #: The cutoff; None for the whole list.
    k: int | None
    #: The mean over users; NaN where there is none.
    mean: float
    #: The mean less the lower end of the interval.
    below: float
    #: The upper end of the interval less the mean.
    above: float
    #: The source of the interval, as `interval_by` has it; None if there is none.
    interval_by: str | None


def groups_of(result: EvaluationLike | ComparisonLike) -> list[str]:
    """Return the names of the columns that tell systems or segments apart."""
    return ["system"] if result.kind == "comparison" else list(result.by)


def plotted_rows(rows: DuckDBPyRelation, result: EvaluationLike | ComparisonLike) -> DuckDBPyRelation:
    """Leave out the rows that are not plotted: of an evaluation all users, of a comparison the segments."""
    if not result.by:
        return rows
    return rows.filter("all_users" if result.kind == "comparison" else "NOT all_users")


def means_of(result: EvaluationLike | ComparisonLike) -> list[Mean]:
    """Fetch the means and the lengths of their intervals below and above; NaN if a mean is NULL."""
    groups = groups_of(result)
    shown = plotted_rows(result.summary, result)
    rows = shown.project(", ".join([*map(quote_name, groups), "metric, k", MEANS])).fetchall()
    width = len(groups)
    return [Mean(label_of(row[:width]), *row[width:]) for row in rows]


def equals(column: str, value: str | int | None) -> Expression:
    """Write the condition that a column has a value; None is NULL."""
    values = ColumnExpression(column)
    return values.isnull() if value is None else values == ConstantExpression(value)


def chosen_measures(
    caller: str, measures: Iterable[tuple[str, int | None]], metric: str | None, k: int | None
) -> list[tuple[str, int | None]]:
    """Return the metrics and cutoffs to plot, out of `measures`; None is every metric, or every k."""
    found = list(dict.fromkeys(measures))
    if measure := _named(caller, found, metric, k):
        return [measure]
    if metric is not None:
        check_choice(caller, "metric", metric, dict.fromkeys(name for name, _ in found))
        found = [measure for measure in found if measure[0] == metric]
    if k is not None:
        check_choice(caller, f"k of {metric}" if metric else "k", k, dict.fromkeys(at for _, at in found))
        found = [measure for measure in found if measure[1] == k]
    return found


def _named(
    caller: str, measures: list[tuple[str, int | None]], metric: str | None, k: int | None
) -> tuple[str, int | None] | None:
    """Return the metric and the cutoff that a name such as ``ndcg@10`` has; None if it has no cutoff."""
    if not isinstance(metric, str) or "@" not in metric:
        return None
    if k is not None:
        named = Argument("metric", metric)
        raise CallValueError(caller, "k", named, " has a cutoff: give no ", Argument("k"), f", got {k!r}")
    known = {Measure(*measure).column: measure for measure in measures}
    check_choice(caller, "metric", metric, known)
    return known[metric]


def only_measure(
    caller: str, measures: Iterable[tuple[str, int | None]], metric: str, k: int | None
) -> tuple[str, int | None]:
    """Return a metric and its k: the given one, or if none is given, the only one or the whole list."""
    found = list(dict.fromkeys(measures))
    if measure := _named(caller, found, metric, k):
        return measure
    check_choice(caller, "metric", metric, dict.fromkeys(name for name, _ in found))
    ks = [at for name, at in found if name == metric]
    if k is None and len(ks) == 1:
        return metric, ks[0]
    check_choice(caller, f"k of {metric}", k, ks)
    return metric, k
