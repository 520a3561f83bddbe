"""Outcomes of requirements: which are met, which are not, and which the users cannot decide."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, fields
from decimal import Decimal
from html import escape
from typing import TYPE_CHECKING, Literal

from rankdcg_sql._output import Result, html
from rankdcg_sql._printable import printable
from rankdcg_sql.evaluation._terms.counts import Unit
from rankdcg_sql.evaluation._terms.statistics import TESTS

if TYPE_CHECKING:
    from collections.abc import Iterable

    import polars as pl

Outcome = Literal["passed", "failed", "inconclusive"]
#: How requirements count that the users cannot decide.
Inconclusive = Literal["fail", "pass"]

#: A bound of this size is written as 0.
_ROUNDING = 1e-9
#: The largest number of users that is said to be needed.
_MAX_USERS = 10**9
#: Why the interval of a test is not that of the table of results.
_INTERVALS = {
    "gaffke": "the interval is not that of the table, because the test allows for values that no user has",
    "t": "the interval is not that of the table, because the test is one-sided",
}


@dataclass(frozen=True)
class Decision:
    """One requirement on one system and one segment, and its outcome.

    Attributes
    ----------
    requirement : str
        The requirement as it was given.
    asked : str
        The requirement with the names of this system and this segment.
    system : str or None
        The system that must meet it; None for an evaluation.
    segment : str or None
        The segment of users, such as ``plan=free``; None for all users.
    measure : str
        The metric at its cutoff, such as ``ndcg@10``.
    outcome : {"passed", "failed", "inconclusive"}
        Whether the test finds that the requirement is met, or that it is not met, or neither.
    n : int
        The number of users: those with a value or, for a difference, with values of both systems.
        For corrected means, it is the number of users whom people judged.
    n_judge : int or None
        The number of users whom a judge judged, by whose values means and differences are corrected; None
        unless `judge_corrected` made the result.
    mean : float or None
        The mean of the system over these users; None if there are none.
    baseline : float or None
        The mean of the baseline over them; None if the requirement does not refer to the baseline.
    difference : float or None
        `mean` less `baseline`, likewise.
    at_least, at_most : float or None
        The bounds between which `difference`, or without a baseline `mean`, must lie; None is no bound. A
        relative margin is multiplied with `baseline`.
    is_constant : bool
        Whether all users, of whom there are two or more, have the same value or, for a difference, the same
        difference.
    low, high : float or None
        The ends of the interval that agrees with the outcome. It lies within the bounds if the requirement
        passed, beyond one of them if it failed, and otherwise on both sides of one. None for one user,
        without a test, for equal values of a metric without limits, and for a test of another statistic than
        the mean.
    confidence : float or None
        The confidence level of this interval.
    test : {"gaffke", "t", "wilcoxon", "randomization"} or None
        The test that decides; None if the measured value does, or if no user differs from the baseline.
        ``"t"`` is Student's for differences, and for means without skewness.
    p_value : float or None
        The p-value of the test that the requirement is met: 0 to 1. None if there is none, and for a bound on
        a corrected mean, which the interval decides.
    users_needed : int or None
        If the outcome is inconclusive, the number of users that decide with probability 0.8 if what is
        measured is true. None if no number is known to.
    needed_for : {"passed", "failed"} or None
        The outcome that so many users are likely to have; None if there is no such number.
    lower_limit, upper_limit : float or None
        The least and the largest possible value of `difference`, or without a baseline of `mean`; None is no
        limit.
    unit : str
        The word for users, in the plural.
    weighted_by : str or None
        The column of weights of users, by which means are weighted; None if all count alike.
    """

    requirement: str
    asked: str
    system: str | None
    segment: str | None
    measure: str
    outcome: Outcome
    n: int
    n_judge: int | None
    mean: float | None
    baseline: float | None
    difference: float | None
    at_least: float | None
    at_most: float | None
    is_constant: bool
    low: float | None
    high: float | None
    confidence: float | None
    test: str | None
    p_value: float | None
    users_needed: int | None
    needed_for: str | None
    lower_limit: float | None
    upper_limit: float | None
    unit: str
    weighted_by: str | None = None

    @property
    def measured(self) -> str:
        """The value that is measured, with its interval and its test, in words."""
        if not self.n:
            return Unit(self.unit).say("no user has a value")
        ends = [end for end in (self.at_least, self.at_most) if end is not None]

        def digits(number: float | None) -> str:
            return _format_beside_bounds(number, ends)

        corrected = "" if self.n_judge is None else "corrected "
        if self.difference is None:
            phrases = [f"{corrected}mean {digits(self.mean)}"]
        else:
            phrases = [f"{corrected}difference {digits(self.difference)} from {digits(self.baseline)}"]
        if self.is_constant:
            phrases.append(Unit(self.unit).say("the same for each user"))
        if self.low is not None and self.high is not None:
            level = format((Decimal(repr(self.confidence)) * 100).normalize(), "f")
            phrases.append(f"{level}% interval {digits(self.low)} to {digits(self.high)}")
        if ends and (self.difference is not None or self._bound_beyond_limits):
            bounds = f"bound{'s' * (len(ends) > 1)} {' and '.join(map(digits, ends))}"
            phrases.append(" ".join(filter(None, (bounds, self._bound_beyond_limits))))
        if self.p_value is not None:
            by_test = "" if self.test in ("gaffke", "t") else f" by {TESTS[str(self.test)][1]}"
            phrases.append(f"p {'< 0.0001' if self.p_value < 0.0001 else f'= {self.p_value:.4f}'}{by_test}")
        users = Unit(self.unit).count(self.n)
        phrases.append(f"{users} by people and {self.n_judge:,} by the judge" if corrected else users)
        if self.weighted_by:
            phrases.append(f"weighted by {self.weighted_by}")
        return ", ".join(phrases)

    @property
    def _bound_beyond_limits(self) -> str:
        """The place, in words, of a bound that every possible value meets or none can; empty without one.

        A mean's bound on a limit does not count: it may have to be the largest value, or above the least.
        """
        least, most = self.lower_limit, self.upper_limit
        for end in (self.at_least, self.at_most):
            is_low = end is not None and least is not None and end <= least
            is_high = end is not None and most is not None and end >= most
            if (is_low or is_high) and (self.difference is not None or end not in (least, most)):
                limits = [f"{limit:g}" for limit in (least, most) if limit is not None]
                words = "not between the limits" if limits[1:] else "below"
                return f"{words} {' and '.join(limits)}"
        return ""

    @property
    def needed(self) -> str:
        """The number of users that would decide, and which way, in words; empty if there is none."""
        if self.users_needed is None:
            return ""
        amount = users_in_words(self.users_needed)
        by_people = "" if self.n_judge is None else " by people"
        met = f"{'not ' * (self.needed_for == 'failed')}met"
        return f"{amount} {self.unit}{by_people} would show that it is {met}"

    @property
    def without_test(self) -> str:
        """Why the interval is not that of the table, and how to require the measured value alone, in words.

        Empty unless the measured value alone would decide.
        """
        if self.outcome != "inconclusive" or not self.n:
            return ""
        has_bounds = self.at_least is not None or self.at_most is not None
        has_interval = self.low is not None and has_bounds
        why = Unit(self.unit).say(_INTERVALS.get(self.test or "", "")) if has_interval else ""
        plain = f"to compare what is measured alone, write 'measured {self.requirement.strip()}'"
        return "; ".join(filter(None, (why, plain)))

    def __str__(self) -> str:
        parts = self.measured, self.needed, self.without_test
        return f"{self.outcome}: {self.asked} ({'; '.join(filter(None, parts))})"


def users_in_words(number: int) -> str:
    """Write a number of users that are needed, which is an estimate."""
    return f"more than {_MAX_USERS:,}" if number > _MAX_USERS else f"about {number:,}"


class Requirements(tuple[Decision, ...]):
    """The outcomes of requirements, as `Decision`; a tuple in the order in which they were asked.

    With several systems or segments, a requirement has one for each of them.
    """

    __slots__ = ()

    @property
    def failed(self) -> Requirements:
        """Those that failed."""
        return Requirements(decision for decision in self if decision.outcome == "failed")

    @property
    def inconclusive(self) -> Requirements:
        """Those that the users cannot decide."""
        return Requirements(decision for decision in self if decision.outcome == "inconclusive")

    def unmet(self, inconclusive: Inconclusive) -> Requirements:
        """Return those that count as not met.

        With `inconclusive` ``"pass"``, those that the users cannot decide are met, unless there is no user.
        """
        return Requirements(
            decision
            for decision in self
            if decision.outcome == "failed"
            or (decision.outcome == "inconclusive" and (inconclusive == "fail" or not decision.n))
        )

    def to_polars(self) -> pl.DataFrame:
        """Return them as a Polars data frame with a row for each."""
        import polars as pl

        texts = {"str": pl.String, "Outcome": pl.String}
        types = {**texts, "bool": pl.Boolean, "int": pl.Int64, "float": pl.Float64}
        # The type of a field is a text such as `float | None`, whose first word is a key.
        schema = {field.name: types[str(field.type).partition(" ")[0]] for field in fields(Decision)}
        return pl.DataFrame([asdict(decision) for decision in self], schema=schema)

    def __repr__(self) -> str:
        return printable("\n".join(map(str, self)))

    def _repr_html_(self) -> str:
        columns = ["outcome", "requirement", "measured", "needed"]
        rows = [(decision.outcome, decision.asked, decision.measured, decision.needed) for decision in self]
        return html(Result(columns, [False] * len(columns), rows), heads=1)


class RequirementError(Exception):
    """A result does not meet its requirements.

    Attributes
    ----------
    requirements : Requirements
        The outcomes of all requirements, also of those that passed.
    inconclusive : {"fail", "pass"}
        How those count that the users cannot decide.
    """

    def __init__(self, requirements: Requirements, inconclusive: Inconclusive = "fail") -> None:
        self.requirements = requirements
        self.inconclusive = inconclusive
        super().__init__(requirements, inconclusive)

    def __str__(self) -> str:
        unmet = list(map(str, self.requirements.unmet(self.inconclusive)))
        return "\n".join([f"{len(unmet)} of {len(self.requirements)} not met", *unmet])

    def _repr_html_(self) -> str:
        return f"<p>{escape(type(self).__name__)}</p>{self.requirements._repr_html_()}"


def _format_beside_bounds(number: float | None, bounds: Iterable[float]) -> str:
    """Write a number with four decimals, or with as many as the least of some bounds needs for two digits."""
    if number is None:
        return "NULL"
    least = min((abs(bound) for bound in bounds if abs(bound) > _ROUNDING), default=1.0)
    decimals = max(4, 1 - math.floor(math.log10(least)))
    return f"{round(number, decimals) + 0.0:.{decimals}f}"  # adding 0.0 makes 0.0 of -0.0
