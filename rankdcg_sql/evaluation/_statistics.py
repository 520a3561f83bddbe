"""Means, their intervals, tests and corrections: their names, and their functions in SQL."""

from __future__ import annotations

from typing import Literal

from rankdcg_sql import _native

#: The users that means are over: those of truth, or those of both tables.
Users = Literal["truth", "both"]
Interval = Literal["t", "bootstrap"]
Test = Literal["t", "wilcoxon", "randomization"]
Correction = Literal["holm", "bonferroni"]
Alternative = Literal["two_sided", "less", "greater"]

#: The functions of intervals.
INTERVALS = {"t": "mean_ci", "bootstrap": "bootstrap_ci"}
#: The functions of tests, and what people call them.
TESTS = {
    "t": ("paired_t_test", "paired t test"),
    "wilcoxon": ("wilcoxon_signed_rank", "Wilcoxon's signed-rank test"),
    "randomization": ("randomization_test", "Fisher's randomization test"),
}
#: p-values of `tests` by how many tests there are and how many have a p-value that is not larger.
CORRECTED_P_VALUES = {
    None: "p_value",
    "bonferroni": "least(1, p_value * count(p_value) OVER ())",
    # Each p-value counts for the tests that are left, and is no less than the one before.
    "holm": "max(least(1, p_value * left_over)) OVER (ORDER BY p_value, nth, place ROWS UNBOUNDED PRECEDING)",
}
CORRECTIONS = {None: "not corrected", "bonferroni": "Bonferroni's correction", "holm": "Holm's correction"}


def range_columns(column: str, least: float | None, most: float | None) -> str:
    """The columns ``least`` and ``most`` in SQL: the range, and values that options lead out of it."""
    low = "NULL::DOUBLE" if least is None else f"least({least!r}, min({column}))"
    high = "NULL::DOUBLE" if most is None else f"greatest({most!r}, max({column}))"
    return f"{low} AS least, {high} AS most"


def clipped_interval(found: str) -> str:
    """The columns of an interval in SQL, no wider than from ``least`` to ``most``: no true mean is beyond."""
    return (
        f"{found}.n AS n, {found}.mean AS mean, "
        f"CASE WHEN {found}.low < least THEN least ELSE {found}.low END AS low, "
        f"CASE WHEN {found}.high > most THEN most ELSE {found}.high END AS high"
    )


def check_draws(caller: str, given: dict[str, int | None], are_used: bool) -> None:
    """Check that nothing is asked of random numbers where there are none.

    Raises
    ------
    ValueError
        If it is.
    """
    for name, value in given.items():
        if value is not None and not are_used:
            drawing = ["interval='bootstrap'", *(["test='randomization'"] if caller == "compare" else [])]
            raise ValueError(
                f"{caller}: {name} is for random numbers, which are drawn with {' or '.join(drawing)}, "
                f"got {value!r}"
            )


def check_statistic(caller: str, name: str, options: str) -> None:
    """Check the options of a statistic.

    Raises
    ------
    ValueError
        In the words of every engine.
    """
    try:
        _native.check(name, [], options)
    except ValueError as error:
        raise ValueError(f"{caller}: {str(error).partition(': ')[2]}") from None
