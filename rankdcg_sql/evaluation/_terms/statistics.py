"""Intervals of means, tests and corrections: their names, and their functions in SQL."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from rankdcg_sql import _native
from rankdcg_sql._errors import Argument, CallError, CallValueError
from rankdcg_sql.evaluation._terms.metrics import less_is_better, less_is_better_in_sql

#: The users over whom means are taken: those of truth, or those of both tables.
Users = Literal["truth", "both"]
Interval = Literal["t", "bootstrap", "anytime"]
Test = Literal["t", "wilcoxon", "randomization", "tukey_hsd"]
Correction = Literal["holm", "bonferroni", "benjamini_hochberg"]
Alternative = Literal["two_sided", "less", "greater", "equivalence"]

#: The SQL function of the t interval and of all about a pair of systems, if users have weights.
WEIGHTED_INTERVAL, WEIGHTED_COMPARISON = "weighted_mean_ci", "weighted_paired_comparison"
#: The SQL function of each kind of interval.
INTERVALS = {"t": "mean_ci", "bootstrap": "bootstrap_ci", "anytime": "anytime_mean_ci"}
#: The SQL function of each test, and the name that people know.
TESTS = {
    "t": ("paired_t_test", "paired t test"),
    "wilcoxon": ("wilcoxon_signed_rank", "Wilcoxon's signed-rank test"),
    "randomization": ("randomization_test", "Fisher's randomization test"),
    "tukey_hsd": ("tukey_hsd", "randomised Tukey HSD"),
}
#: The tests that draw random numbers.
RANDOM_TESTS = ("randomization", "tukey_hsd")
#: The option `tolerance` with which values of two systems are compared. Expected values over the orders of
#: tied items are sums, and rounding may make equal ones differ in the last digits.
TIE_TOLERANCE = 1e-12
#: How each correction is called in text.
CORRECTIONS: dict[Correction | None, str] = {
    None: "not corrected",
    "holm": "Holm's correction",
    "bonferroni": "Bonferroni's correction",
    "benjamini_hochberg": "Benjamini and Hochberg's correction",
}

#: How many means with equal values a note names at most.
_MAX_NAMED = 4

#: The verdicts of a test without a margin if its p-value is small, by the alternative.
_DIRECTIONS = {"two_sided": ("better", "worse"), "greater": ("better",), "less": ("worse",)}
#: The difference that a verdict is about, in SQL.
_DIFFERENCES = {"better": " AND difference > 0", "worse": " AND difference < 0"}
#: The verdict of a test with a margin if its p-value is small, by the alternative.
WITH_MARGIN = {"less": "not superior", "greater": "not inferior", "equivalence": "equivalent"}
#: How a system that has a verdict relates to another one.
RELATIONS = {
    "better": "better than {against}",
    "worse": "worse than {against}",
    "not superior": "not better than {against} by {margin:g} or more",
    "not inferior": "not worse than {against} by {margin:g} or more",
    "equivalent": "equivalent to {against}, within {margin:g}",
}


#: Each verdict, and that on the same difference if a smaller value is the better one.
_IF_LESS_IS_BETTER = {
    "better": "worse",
    "worse": "better",
    "not superior": "not inferior",
    "not inferior": "not superior",
    "equivalent": "equivalent",
}


def _verdicts_if_more_is_better(alternative: Alternative, margin: float) -> tuple[str, ...]:
    return (WITH_MARGIN[alternative],) if margin else _DIRECTIONS[alternative]


def verdicts(alternative: Alternative, margin: float, metrics: Iterable[str]) -> list[str]:
    """Return the verdicts of `RELATIONS` that a test of some metrics may show, in the order of these."""
    shown = {
        _IF_LESS_IS_BETTER[verdict] if less_is_better(metric) else verdict
        for metric in metrics
        for verdict in _verdicts_if_more_is_better(alternative, margin)
    }
    return [verdict for verdict in RELATIONS if verdict in shown]


def verdict_in_sql(alternative: Alternative, margin: float, confidence: float) -> str:
    """Write SQL over `Comparison.differences` for the verdict on a difference.

    It is one of `verdicts`, ``same`` if nothing is shown, or ``untested`` without a p-value.
    """
    significant = f"p_corrected < {significance_level(confidence)}"
    cases = (
        f"WHEN {significant}{_DIFFERENCES.get(verdict, '')} "
        f"THEN if({less_is_better_in_sql()}, '{_IF_LESS_IS_BETTER[verdict]}', '{verdict}')"
        for verdict in _verdicts_if_more_is_better(alternative, margin)
    )
    return f"CASE WHEN p_corrected IS NULL THEN 'untested' {' '.join(cases)} ELSE 'same' END"


def significance_level(confidence: float) -> str:
    """Write the significance level that belongs to a confidence level: 1 less that."""
    return f"{1 - confidence:.6g}"


def interval_in_sql(
    interval: Interval,
    values: str,
    weight: str | None,
    options: str,
    least: float | None,
    most: float | None,
) -> str:
    """Write the confidence interval of the mean of `values` in SQL, with options of the interval.

    `weight` is SQL for the weights of values, or None. No true mean is below `least` or above `most`; None is
    no bound.
    """
    bounded = with_bounds(options, least, most)
    if weight is not None:
        return f"{WEIGHTED_INTERVAL}({values}, {weight}, '{bounded}')"
    return f"{INTERVALS[interval]}({values}, '{bounded}')"


def judge_corrected_in_sql(human: str, judge: str, weight: str | None, options: str) -> str:
    """Write a judge's mean that people correct, in SQL; `weight` is that of the values by people, or None."""
    arguments = [human, judge, *([] if weight is None else [weight]), f"'{options}'"]
    return f"{judge_corrected_function(weight)}({', '.join(arguments)})"


def judge_corrected_function(weight: str | None) -> str:
    """Return the name of the aggregate of a judge's mean that people correct, with or without a weight."""
    return "judge_corrected_mean" if weight is None else "weighted_judge_corrected_mean"


def interval_by_in_sql(interval: Interval, values: str, least: float | None, most: float | None) -> str:
    """Write SQL for the column ``interval_by`` of `values`, between `least` and `most`; None is no bound.

    It is ``range`` for values that are all equal, because their bounds alone say something of their mean. If
    one of these is not known, it is NULL. For other values it is `interval`.
    """
    if_equal = "NULL" if least is None or most is None else "'range'"
    return f"CASE WHEN {are_equal_in_sql(values)} THEN {if_equal} ELSE '{interval}' END"


def are_equal_in_sql(values: str) -> str:
    """Write SQL for whether all values are equal but for rounding, as `mean_ci` sees it; NULL for none."""
    return f"max({values}) - min({values}) <= {TIE_TOLERANCE} * greatest(1, abs(min({values})))"


def notes_on_equal(
    what: str, ranges: Iterable[tuple[str, tuple[float | None, float | None]]], interval: Interval
) -> list[str]:
    """Return sentences about intervals of values that are all equal, which `interval` knows nothing of.

    `what` is their noun, such as ``values``. `ranges` has the name of the mean of each, and the least and the
    largest possible value.
    """
    names: dict[tuple[float | None, float | None], list[str]] = {}
    for name, limits in ranges:
        names.setdefault(limits, []).append(name)
    by = {"t": "Student's t", "bootstrap": "the bootstrap", "anytime": "anytime_mean_ci"}[interval]
    notes = []
    for (least, most), members in names.items():
        rest = [f"{len(members) - _MAX_NAMED} more"] if len(members) > _MAX_NAMED + 1 else []
        named = ", ".join(members[:_MAX_NAMED] + rest if rest else members)
        if least is None or most is None:
            notes.append(f"all {what} of {named} are equal, and no range bounds them: there is no interval")
        else:
            end = f"the interval is from the range {least:g} to {most:g}, not by {by}"
            notes.append(f"all {what} of {named} are equal: {end}")
    return notes


def with_bounds(options: str, least: float | None, most: float | None) -> str:
    """Add the options for the least and the largest possible value to others; None is no bound."""
    bounds = {"lower_bound": least, "upper_bound": most}
    written = [f"{name}={bound!r}" for name, bound in bounds.items() if bound is not None]
    return ", ".join(filter(None, [options, *written]))


def structs(rows: Iterable[Mapping[str, object]]) -> str:
    """Write a list of structs in SQL; each of `rows` has the SQL of the fields, keyed by their names.

    If the fields are aggregates, a table is read once for all of them.
    """
    written = (f"{{{', '.join(f'{name!r}: {sql}' for name, sql in row.items())}}}" for row in rows)
    return f"[{', '.join(written)}]"


def check_weighted(caller: str, interval: Interval, test: Test) -> None:
    """Raise an error if the interval or the test has no form for users with weights."""
    for name, given in (("interval", interval), ("test", test)):
        if given != "t":
            why = f": {given!r} has no form for users with weights"
            raise CallValueError.about(caller, name, "must be 't' with ", Argument("weight"), why)


def check_draws(caller: str, given: dict[str, int | None], are_used: bool) -> None:
    """Raise an error if an argument about random numbers is given, and none are drawn."""
    drawing: list[str | Argument] = [Argument("interval", "bootstrap")]
    if caller == "compare":
        one, other = (Argument("test", test) for test in RANDOM_TESTS)
        drawing += [", ", one, " or ", other]
    for name, value in given.items():
        if value is not None and not are_used:
            purpose = "is for random numbers, which are drawn with "
            raise CallValueError.about(caller, name, purpose, *drawing, f", got {value!r}")


def check_function(caller: str, name: str, options: str, ks: Sequence[int] = ()) -> None:
    """Raise an error if a function refuses an option or a cutoff, in the same words as every engine."""
    try:
        _native.check(name, [*ks], options)
    except CallError as error:
        raise CallError.of(error, caller) from None
