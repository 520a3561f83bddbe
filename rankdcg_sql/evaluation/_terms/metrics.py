"""The metrics of tables: their names, their SQL functions, and which users have no value."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from rankdcg_sql import _native, catalogue
from rankdcg_sql._arguments import check_choice
from rankdcg_sql._errors import Argument, CallValueError, shown
from rankdcg_sql._sql import quote_text

#: The cutoff that is none, the whole list, as text.
ALL = "all"
#: The name of all users where tables for people name a segment.
ALL_USERS = "all users"
#: The columns of means in the summary of a result, after those of systems and segments.
MEANS = "metric, k, n, mean, low, high, without_value, interval_by"
#: The columns that follow them, and those of differences, if users have weights.
WEIGHTED = "weighted_by, design_effect, effective_n"
#: The least and the largest possible value; None is no bound.
Limits = tuple[float | None, float | None]


@dataclass(frozen=True)
class Measure:
    """A metric at a cutoff."""

    #: The metric's name in results, with options of its own in brackets: ``ndcg`` or ``ndcg(gain=linear)``.
    metric: str
    #: The cutoff, in items from 1; None for the whole list, and for metrics that take no cutoff.
    k: int | None

    @property
    def column(self) -> str:
        """The name of its column, such as ``ndcg@10``; the metric alone if k is None."""
        return self.metric if self.k is None else f"{self.metric}@{self.k}"

    @property
    def paper_name(self) -> str:
        """The name in papers, such as ``NDCG@10`` or ``MAP``."""
        own = "".join(self.metric.partition("(")[1:])
        return f"{function_of(self.metric).paper_name}{own}" + ("" if self.k is None else f"@{self.k}")

    @property
    def of_users(self) -> str:
        """The name of the measure of which each user has a value: `column`, but for a mean of another one."""
        of, brackets, own = self.metric.partition("(")
        return Measure(f"{function_of(of).mean_of or of}{brackets}{own}", self.k).column

    @property
    def sql_k(self) -> str:
        """The cutoff as a BIGINT in SQL."""
        return bigint(self.k)


def bigint(k: int | None) -> str:
    """Write a cutoff as a BIGINT in SQL."""
    return "NULL::BIGINT" if k is None else f"{k}::BIGINT"


@cache
def bundle() -> catalogue.Function:
    """Return the function that computes several metrics, at several cutoffs, in one pass."""
    return next(function for function in catalogue.functions() if function.name == "rank_metrics_at_rows")


def find_measure(name: Any) -> tuple[str | None, str | None]:
    """Read the name of a metric, with or without options and a cutoff: ``ndcg@10``, ``P(min_rel=2)@5``.

    Returns the metric's name in results, None if there is no such metric, and the cutoff as text or None.
    """
    try:
        return _native.find_measure(name) if isinstance(name, str) else (None, None)
    except CallValueError:
        return None, None


def function_of(metric: str) -> catalogue.Function:
    """Return the function of a metric, which may have options of its own."""
    return catalogue.metric_functions()[metric.partition("(")[0]]


def options_of(metric: str, options: Mapping[str, str]) -> dict[str, str]:
    """Return the options of a call as they hold for a metric: its own come first."""
    own = metric.partition("(")[2].removesuffix(")")
    return {**options, **dict(pair.split("=", 1) for pair in own.split(",") if pair)}


def unknown_metric(caller: str, name: Any) -> CallValueError:
    """Return the error about a name that is not one of a metric, with the one that was meant or advice."""
    if not isinstance(name, str):
        there = ", ".join(catalogue.metric_functions())
        return CallValueError(caller, "metrics", f"there is no metric {shown(name)}: there are {there}")
    try:
        _native.find_measure(name)
    except CallValueError as error:
        return CallValueError(caller, "metrics", error.text)
    raise AssertionError(f"{name} is a metric")


def metric_range(metric: str, options: Mapping[str, str]) -> Limits:
    """Return the least and the largest value of a metric."""
    return catalogue.value_range(function_of(metric), options_of(metric, options))


def difference_range(metric: str, options: Mapping[str, str]) -> Limits:
    """Return the least and the largest difference of two values of a metric."""
    return reach_of(metric_range(metric, options))


def reach_of(limits: Limits) -> Limits:
    """Return the least and the largest difference of two values between `limits`."""
    least, most = limits
    return (None, None) if least is None or most is None else (least - most, most - least)


def reason_without_value(metric: str, options: Mapping[str, str]) -> str:
    """Return a phrase for the users who have no value of a metric; it starts with ``without``."""
    return catalogue.null_reason(function_of(metric), options_of(metric, options))


def definition(metric: str, options: Mapping[str, str]) -> dict[str, Any]:
    """Spell out a metric: its formula, its source, and all options that it takes with their values."""
    function = function_of(metric)
    resolved = catalogue.resolve_options(function, options_of(metric, options))
    return {
        "formula": function.formula,
        "options": {name: option.value for name, option in resolved.items()},
        "source": function.source,
    }


def less_is_better(metric: str) -> bool:
    """Whether a smaller value of a metric is the better one."""
    return function_of(metric).less_is_better


def less_is_better_in_sql() -> str:
    """Write the same in SQL, for the metric in the column ``metric``."""
    return _is_one_of(name for name, measure in catalogue.item_measures().items() if measure.less_is_better)


#: Errors and reports say this of a measure where values of single users are wanted.
OF_ALL_USERS = "a measure of all users together, of which no single user has a value"


def is_of_all_users_in_sql() -> str:
    """Write in SQL whether the metric in the column ``metric`` is a measure of all users together."""
    measures = catalogue.metric_functions().items()
    return _is_one_of(name for name, measure in measures if measure.is_of_all_users)


def _is_one_of(names: Iterable[str]) -> str:
    """Write in SQL that the metric in the column ``metric`` has one of some names, with any options."""
    return f"split_part(metric, '(', 1) IN ({', '.join(map(quote_text, names))})"


def less_is_better_in_words(metrics: Iterable[str], in_papers: bool = False) -> str:
    """Say of which metrics smaller values are better, as the end of a sentence; empty if of none."""
    less = dict.fromkeys(metric for metric in metrics if less_is_better(metric))
    named = ", ".join(Measure(metric, None).paper_name if in_papers else metric for metric in less)
    return f"; smaller values of {named} are better" if named else ""


#: The metrics that may be above 0 for a user who gets no relevant item.
_ABOVE_0_WITHOUT_HIT = ("auc", "idcg", "judged_share", "rankdcg", "rbp_residual", "utility")


def is_zero_without_hit(metric: str, options: Mapping[str, str]) -> bool:
    """Whether a metric with these options is 0, or has no value, for a user who gets no relevant item."""
    function, given = function_of(metric), options_of(metric, options)
    # Small calls notice the time to resolve options, and no default is 1.
    resolved = catalogue.resolve_options(function, given) if given else {}
    is_one = "no_relevant" in resolved and resolved["no_relevant"].value in ("one", "one_if_rec_empty")
    return function.base not in _ABOVE_0_WITHOUT_HIT and not is_one


def needs_grades(metric: str) -> bool:
    """Whether a metric compares levels of relevance, and is not defined if there is only one level."""
    return function_of(metric).truth_needs == "two distinct relevances"


def chosen_measures(
    caller: str, measures: Iterable[tuple[str, int | None]], metric: str | None, k: int | None
) -> list[tuple[str, int | None]]:
    """Return the metrics and cutoffs that a call names; None is every metric of `measures`, or every k."""
    distinct = list(dict.fromkeys(measures))
    if measure := _measure_with_cutoff(caller, distinct, metric, k):
        return [measure]
    if metric is not None:
        check_choice(caller, "metric", metric, dict.fromkeys(name for name, _ in distinct))
        distinct = [measure for measure in distinct if measure[0] == metric]
    if k is not None:
        check_choice(caller, f"k of {metric}" if metric else "k", k, dict.fromkeys(at for _, at in distinct))
        distinct = [measure for measure in distinct if measure[1] == k]
    return distinct


def measures_of_single_users(
    caller: str, measures: Iterable[tuple[str, int | None]], metric: str | None
) -> list[tuple[str, int | None]]:
    """Return the measures of which single users have values, or raise an error if `metric` is another one."""
    distinct = list(dict.fromkeys(measures))
    of_users = [measure for measure in distinct if not function_of(measure[0]).is_of_all_users]
    named, _ = find_measure(metric)
    if distinct and not of_users:
        named, _ = chosen_measures(caller, distinct, metric, None)[0]
    if named is None or not function_of(named).is_of_all_users:
        return of_users
    others = " or ".join(Measure(*measure).column for measure in of_users)
    why = f"{named} is {OF_ALL_USERS}"
    raise CallValueError(caller, "metric", f"{why}: give {others}" if others else why)


@cache
def explained_metrics() -> tuple[str, ...]:
    """Return the metrics that are sums over items."""
    return next(option.values for option in catalogue.options() if option.name == "metric")


def is_explained(metric: str) -> bool:
    """Whether a metric, which may have options of its own, is a sum over items."""
    return function_of(metric).base in explained_metrics()


def explained_measure(caller: str, measures: Iterable[Measure], metric: str | None, k: int | None) -> Measure:
    """Return the measure that a call explains, which is a sum over items, or raise an error.

    Without a metric, it is NDCG or else the first one that is a sum; without a k, the largest.
    """
    known = [(measure.metric, measure.k) for measure in measures]
    sums = [measure for measure in known if is_explained(measure[0])]
    named = metric if metric is None else str(metric).partition("@")[0]
    if not sums or (named in dict(known) and named not in dict(sums)):
        why = f"{named or ', '.join(dict(known))} is no sum over items; these are: "
        raise CallValueError(caller, "metric", why + ", ".join(explained_metrics()))
    default = "ndcg" if "ndcg" in dict(sums) else sums[0][0]
    chosen = chosen_measures(caller, sums, default if metric is None else metric, k)
    return Measure(*max(chosen, key=lambda measure: math.inf if measure[1] is None else measure[1]))


def _measure_with_cutoff(
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
    """Return a metric and its k: the given one, or else the only one or the whole list, or raise an error."""
    distinct = list(dict.fromkeys(measures))
    if measure := _measure_with_cutoff(caller, distinct, metric, k):
        return measure
    check_choice(caller, "metric", metric, dict.fromkeys(name for name, _ in distinct))
    ks = [at for name, at in distinct if name == metric]
    if k is None and len(ks) == 1:
        return metric, ks[0]
    check_choice(caller, f"k of {metric}", k, ks)
    return metric, k
