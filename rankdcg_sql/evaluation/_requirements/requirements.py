"""Requirements on results: which are met, which are not, and which the users cannot decide."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, fields
from decimal import Decimal
from html import escape
from typing import TYPE_CHECKING, Any, Literal

from rankdcg_sql._errors import CallValueError
from rankdcg_sql._output import Result, html
from rankdcg_sql._sql import quote_name, quote_text
from rankdcg_sql._text import printable
from rankdcg_sql.evaluation._requirements.grammar import (
    ABOUT_P_VALUES,
    P_VALUE,
    Bound,
    Form,
    Requirement,
    literal,
    wrong,
)
from rankdcg_sql.evaluation._terms.counts import Unit
from rankdcg_sql.evaluation._terms.metrics import Measure, metric_range
from rankdcg_sql.evaluation._terms.statistics import TESTS, TIE_TOLERANCE, with_bounds

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    import duckdb
    import polars as pl

Outcome = Literal["passed", "failed", "inconclusive"]
#: How requirements count that the users cannot decide.
Inconclusive = Literal["fail", "pass"]

#: The bound of a system that equals the baseline.
_SAME = Bound(Decimal(1), Decimal(0))
#: The bound of 0.
_ZERO = Bound(Decimal(0), Decimal(0))
#: The largest number that a metric without a limit is taken to have.
_NO_LIMIT = Decimal("1e308")
#: A bound of this size is written as 0.
_ROUNDING = 1e-9
#: The largest number of users that is said to be needed.
_MAX_USERS = 10**9
#: The probability with which a test of as many users as needed decides.
_POWER = Decimal("0.8")
#: The power of each of two tests, both of which then decide with the probability `_POWER` at least.
_POWER_OF_EACH = Decimal("0.9")


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
        The p-value of the test that the requirement is met: 0 to 1. None if there is none.
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
    """

    requirement: str
    asked: str
    system: str | None
    segment: str | None
    measure: str
    outcome: Outcome
    n: int
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

    @property
    def measured(self) -> str:
        """The value that is measured, with its interval and its test, in words."""
        if not self.n:
            return Unit(self.unit).say("no user has a value")
        ends = [end for end in (self.at_least, self.at_most) if end is not None]

        def digits(number: float | None) -> str:
            return _digits(number, ends)

        if self.difference is None:
            found = [f"mean {digits(self.mean)}"]
        else:
            found = [f"difference {digits(self.difference)} from {digits(self.baseline)}"]
        if self.is_constant:
            found.append(Unit(self.unit).say("the same for each user"))
        if self.low is not None and self.high is not None:
            level = format((Decimal(repr(self.confidence)) * 100).normalize(), "f")
            found.append(f"{level}% interval {digits(self.low)} to {digits(self.high)}")
        if ends and (self.difference is not None or self._beyond):
            bounds = f"bound{'s' * (len(ends) > 1)} {' and '.join(map(digits, ends))}"
            found.append(" ".join(filter(None, (bounds, self._beyond))))
        if self.p_value is not None:
            by = "" if self.test in ("gaffke", "t") else f" by {TESTS[str(self.test)][1]}"
            found.append(f"p {'< 0.0001' if self.p_value < 0.0001 else f'= {self.p_value:.4f}'}{by}")
        found.append(Unit(self.unit).count(self.n))
        return ", ".join(found)

    @property
    def _beyond(self) -> str:
        """The place of a bound that every value meets, or none, in words; empty if there is no such bound.

        A mean that must be the largest value is no such bound, and neither is a mean above the least one.
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
        return f"{amount} {self.unit} would show that it is {'not ' * (self.needed_for == 'failed')}met"

    @property
    def without_test(self) -> str:
        """How to require the measured value alone, in words; empty unless that would decide."""
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
        return Requirements(each for each in self if each.outcome == "failed")

    @property
    def inconclusive(self) -> Requirements:
        """Those that the users cannot decide."""
        return Requirements(each for each in self if each.outcome == "inconclusive")

    def unmet(self, inconclusive: Inconclusive) -> Requirements:
        """Return those that count as not met.

        With `inconclusive` ``"pass"``, those that the users cannot decide are met, unless there is no user.
        """
        return Requirements(
            each
            for each in self
            if each.outcome == "failed"
            or (each.outcome == "inconclusive" and (inconclusive == "fail" or not each.n))
        )

    def to_polars(self) -> pl.DataFrame:
        """Return them as a Polars data frame with a row for each."""
        import polars as pl

        kinds = {
            "str": pl.String,
            "Outcome": pl.String,
            "bool": pl.Boolean,
            "int": pl.Int64,
            "float": pl.Float64,
        }
        schema = {field.name: kinds[str(field.type).partition(" ")[0]] for field in fields(Decision)}
        return pl.DataFrame([asdict(each) for each in self], schema=schema)

    def __repr__(self) -> str:
        return printable("\n".join(map(str, self)))

    def _repr_html_(self) -> str:
        columns = ["outcome", "requirement", "measured", "needed"]
        rows = [(each.outcome, each.asked, each.measured, each.needed) for each in self]
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


@dataclass(frozen=True)
class Subject:
    """A result, as far as requirements are about it."""

    #: The metrics at their cutoffs.
    measures: Sequence[Measure]
    #: The columns of segments.
    by: Sequence[str]
    #: The names of the systems; none for an evaluation.
    systems: Sequence[str]
    #: The system with which the others are compared; None if there is none, or not one alone.
    baseline: str | None
    #: The confidence level; tests are at 1 less it.
    confidence: float

    def check(self, requirements: Iterable[Requirement]) -> None:
        """Check that the requirements are about this result.

        Raises
        ------
        CallValueError
            If one is about a measure, a system or a column that is not there, or if the confidence is too low
            for a test.
        """
        there = [each.column for each in self.measures]
        for each in requirements:
            if each.measure not in there and P_VALUE.search(each.text):
                why = ABOUT_P_VALUES
            elif each.measure not in there:
                why = f"the result has no {each.measure}, but {', '.join(there)}: add it to the metrics and k"
            elif each.system == "measured" and "measured" not in self.systems:
                why = f"no colon follows 'measured': write {each.text.replace(':', '', 1)!r}"
            elif each.system is not None and not self.systems:
                why = f"an evaluation has one system, without a name: leave out {each.system + ':'!r}"
            elif each.system is not None and each.system not in self.systems:
                why = f"there is no system {each.system!r}, but {', '.join(self.systems)}"
            elif each.form.is_difference and not self.systems:
                why = f"{each.form.words!r} is about a comparison, and this is an evaluation"
            elif each.form.is_difference and self.baseline is None:
                why = f"{each.form.words!r} needs a baseline, and all pairs are compared"
            elif each.baseline not in (None, self.baseline):
                why = f"the baseline is {self.baseline!r}, not {each.baseline!r}"
            elif each.form.is_difference and each.system == self.baseline:
                why = f"{self.baseline!r} is the baseline itself"
            elif (each.segment or each.is_in_every_segment) and not self.by:
                why = "the result has no segments: name their columns with by"
            elif unknown := [name for name, _ in each.segment if name not in self.by]:
                why = f"there are no segments of {unknown[0]!r}, but those of {', '.join(self.by)}"
            elif not (each.is_measured or self.confidence > 0.5):
                why = f"a test needs a confidence above 0.5, got {self.confidence}"
            else:
                continue
            raise wrong(each.text, why)

    def held(self, requirement: Requirement) -> Sequence[str | None]:
        """Return the systems that must meet a requirement; None is the only one of an evaluation."""
        if requirement.system is not None:
            return [requirement.system]
        others = [name for name in self.systems if name != self.baseline]
        return others or [None]


@dataclass(frozen=True)
class Decider:
    """Decides requirements on the values of users."""

    subject: Subject
    #: A connection with the tables of values.
    con: duckdb.DuckDBPyConnection
    #: The name of the table of values of each system.
    tables: dict[str | None, str]
    #: The column of users.
    user: str
    #: The comparison's own test.
    test: str
    #: The options with which this test draws random numbers, as SQL text.
    draws: str
    #: The options of the metrics.
    options: Mapping[str, str]
    #: The word for users in sentences.
    unit: str

    def decide(self, requirements: Sequence[Requirement]) -> Requirements:
        """Decide requirements that `Subject.check` has passed.

        Raises
        ------
        CallValueError
            If a segment has no users, or a margin is relative to a mean below 0.
        """
        return Requirements(
            decided
            for requirement in requirements
            for system in self.subject.held(requirement)
            for decided in self._decide(requirement, system)
        )

    def _decide(self, requirement: Requirement, system: str | None) -> Iterator[Decision]:
        cursor = self.con.execute(self._select(requirement, system))
        names = [each[0] for each in cursor.description or ()]
        rows = cursor.fetchall()
        if not rows:
            raise wrong(requirement.text, f"no user is in the segment {_segment(requirement.segment)}")
        limits = self._limits(requirement, _SAME if requirement.form.is_difference else _ZERO)
        least, most = (None if limit is None else float(limit) for limit in limits)
        for row in rows:
            values: dict[str, Any] = dict(zip(names, row, strict=True))
            values |= {"lower_limit": least, "upper_limit": most, "unit": self.unit}
            of = [
                (name, values.pop(f"segment_by_{place}", None)) for place, name in enumerate(self.subject.by)
            ]
            segment = _segment(of) if requirement.is_in_every_segment else _segment(requirement.segment)
            if requirement.is_relative and values["baseline"] is not None and values["baseline"] < 0:
                why = f"a relative margin needs a baseline with a mean of 0 or more, got {values['baseline']}"
                raise wrong(requirement.text, why)
            asked = requirement.of(system, segment)
            yield Decision(requirement.text, asked, system, segment, requirement.measure, **values)

    def _select(self, requirement: Requirement, system: str | None) -> str:
        """Write a SELECT of the last fields of `Decision`, for each segment after its columns."""
        form = requirement.form
        alpha = 1 - Decimal(repr(self.subject.confidence))
        sides: dict[str, str] = {}
        if requirement.is_measured:
            outer = _by_value(form)
        elif form.above is None and form.below is None:
            sides, outer = self._two_sided(requirement, alpha)
        else:
            sides, outer = self._sides(requirement, alpha)
        bounds = {"at_least": requirement.bound(form.above), "at_most": requirement.bound(form.below)}
        ends = _select(
            {
                name: "NULL::DOUBLE" if bound is None else bound.of_means_in_sql
                for name, bound in bounds.items()
            }
        )
        values = "a - b" if form.is_difference else "a"
        columns = {
            "n": "count(a)",
            "mean": "mean_ci(a).mean",
            "baseline": "mean_ci(b).mean" if form.is_difference else "NULL::DOUBLE",
            "difference": f"{_paired('paired_t_test', 'b')}.mean_difference"
            if form.is_difference
            else "NULL::DOUBLE",
            "is_constant": f"count(a) > 1 AND max({values}) - min({values}) <= {TIE_TOLERANCE}",
            **sides,
        }
        columns_of = [f"by_{place}" for place, _ in enumerate(self.subject.by)]
        group = f"GROUP BY {', '.join(columns_of)}"
        if not requirement.is_in_every_segment:
            columns_of, group = [], "HAVING count(*) > 0" if requirement.segment else ""
        inner = "".join(f"{name}, " for name in columns_of)
        named = "".join(f"{name}::VARCHAR AS segment_{name}, " for name in columns_of)
        found = f"SELECT {inner}{_select(columns)} FROM ({self._values(requirement, system)}) {group}"
        bounded = f"SELECT *, {ends}, coalesce(difference, mean) AS measured FROM ({found})"
        return (
            f"SELECT {named}outcome, n, mean, baseline, difference, at_least, at_most, is_constant, "
            "low, high, if(low IS NULL, NULL, confidence) AS confidence, test, p_value, "
            "needed AS users_needed, CASE WHEN needed IS NULL THEN NULL "
            "WHEN measured < at_least OR measured > at_most THEN 'failed' ELSE 'passed' END AS needed_for "
            "FROM (SELECT *, CASE WHEN outcome = 'inconclusive' AND users_needed > n "
            "THEN try_cast(users_needed AS BIGINT) END AS needed "
            f"FROM (SELECT *, {outer} FROM ({bounded}))) ORDER BY {inner}n"
        )

    def _values(self, requirement: Requirement, system: str | None) -> str:
        """Write a SELECT of the columns of segments and of the values ``a`` and ``b``, both NULL or none."""
        columns = list(map(quote_name, self.subject.by))
        value = quote_name(requirement.measure)
        segments = "".join(f"a.{name} AS by_{place}, " for place, name in enumerate(columns))
        source, values = f"{self.tables[system]} AS a", f"a.{value} AS a, NULL::DOUBLE AS b"
        if requirement.form.is_difference:
            source += f" JOIN {self.tables[self.subject.baseline]} AS b USING ({quote_name(self.user)})"
            values = (
                f"if(b.{value} IS NULL, NULL, a.{value}) AS a, if(a.{value} IS NULL, NULL, b.{value}) AS b"
            )
        conditions = " AND ".join(
            f"a.{quote_name(name)} IS NULL"
            if of is None
            else f"a.{quote_name(name)}::VARCHAR = {quote_text(of)}"
            for name, of in requirement.segment
        )
        return f"SELECT {segments}{values} FROM {source}" + f" WHERE {conditions}" * bool(conditions)

    def _two_sided(self, requirement: Requirement, alpha: Decimal) -> tuple[dict[str, str], str]:
        """Write the columns for a test that finds a difference in either direction."""
        level, limits = 1 - alpha, self._limits(requirement, _SAME)
        columns = {
            "p_passed": f"{self._test(self.test, 'b', 'two_sided', limits)}.p_value",
            "found": f"mean_ci(a - b, '{_written(limits, confidence=f'{level:f}')}')",
            "users_needed": _users_needed("b", "two_sided", alpha, _POWER, limits),
        }
        chosen = {
            "outcome": f"if(p_passed < {literal(alpha)}, 'passed', 'inconclusive')",
            "p_value": "p_passed",
            "confidence": literal(level),
            "test": quote_text(self.test),
        }
        interval = _interval("found.low", "found.high") if self.test == "t" else _NO_INTERVAL
        return columns, _select(chosen | interval)

    def _test(
        self,
        test: str,
        bound: str,
        alternative: str,
        limits: Limits,
        options: Mapping[str, str] | None = None,
    ) -> str:
        """Write a test of values and their bound."""
        if test != "t":
            return _paired(TESTS[test][0], bound, alternative, self.draws)
        return _paired(TESTS[test][0], bound, alternative, _written(_known(limits), **(options or {})))

    def _sides(self, requirement: Requirement, alpha: Decimal) -> tuple[dict[str, str], str]:
        """Write the columns for tests against one bound or two, each in both directions.

        With two bounds, a value that is measured between them passes if both one-sided tests are significant
        at alpha, as the interval with confidence 1 - 2 * alpha then is between the bounds. A value beyond a
        bound fails at alpha / 2, because it might as well lie beyond the other one.
        """
        form = requirement.form
        bounds = {
            side: bound
            for side, bound in (
                ("above", requirement.bound(form.above)),
                ("below", requirement.bound(form.below)),
            )
            if bound is not None
        }
        is_of_comparison = form.is_difference and not form.has_margin
        test = self.test if is_of_comparison else "t"
        # Values of few users are skewed, and a sample lacks the rare ones.
        has_limits = None not in metric_range(self._measure(requirement).metric, self.options)
        skewness = {"skewness": "gaffke"} if has_limits and not is_of_comparison else {}
        if not has_limits and not form.is_difference:
            # Differences have rare large values, for which the transformation is no good.
            skewness = {"skewness": "hall"}
        columns: dict[str, str] = {}
        for side, bound in bounds.items():
            at, limits = bound.in_sql, self._limits(requirement, bound)
            one, other = ("greater", "less") if side == "above" else ("less", "greater")
            for name, alternative in (("passes", one), ("fails", other)):
                columns[f"{side}_{name}"] = f"{self._test(test, at, alternative, limits, skewness)}.p_value"
            for name, level in (("inner", 1 - 2 * alpha), ("outer", 1 - alpha)):
                options = _written(limits, confidence=f"{level:f}", **skewness)
                columns[f"{side}_{name}"] = f"mean_ci(a - ({at}), '{options}')"
            power = _POWER if len(bounds) == 1 else _POWER_OF_EACH
            of_limits = skewness if has_limits else {}
            columns[f"{side}_users"] = _users_needed(at, one, alpha, power, limits, of_limits)
            columns[f"{side}_users_beyond"] = _users_needed(at, "two_sided", alpha, _POWER, limits, of_limits)
        named = {"above": "at_least", "below": "at_most"}
        if len(bounds) == 1:
            (side,) = bounds
            chosen = {
                "p_value": f"{side}_passes",
                "p_failed": f"{side}_fails",
                "low": f"{named[side]} + {side}_inner.low",
                "high": f"{named[side]} + {side}_inner.high",
                "confidence": literal(1 - 2 * alpha),
                "users_needed": f"if({named[side]} = measured, NULL, {side}_users)",
            }
        else:
            # A value that is measured beyond a bound is compared with that bound alone.
            beyond = "CASE WHEN measured < at_least THEN {0} WHEN measured > at_most THEN {1} ELSE {2} END"
            chosen = {
                # `greatest` and `least` leave out NULLs, of which there are both or none.
                "p_value": "greatest(above_passes, below_passes)",
                "p_failed": "2 * least(above_fails, below_fails)",
                "low": beyond.format(
                    "at_least + above_outer.low", "at_most + below_outer.low", "at_least + above_inner.low"
                ),
                "high": beyond.format(
                    "at_least + above_outer.high", "at_most + below_outer.high", "at_most + below_inner.high"
                ),
                "confidence": beyond.format(literal(1 - alpha), literal(1 - alpha), literal(1 - 2 * alpha)),
                "users_needed": beyond.format(
                    "above_users_beyond", "below_users_beyond", "greatest(above_users, below_users)"
                ),
            }
        interval = _interval(chosen.pop("low"), chosen.pop("high")) if test == "t" else _NO_INTERVAL
        chosen |= interval | {"test": quote_text("gaffke" if "gaffke" in skewness.values() else test)}
        significant = literal(alpha)
        outcome = (
            f"CASE WHEN {chosen['p_value']} < {significant} THEN 'passed' "
            f"WHEN {chosen.pop('p_failed')} < {significant} THEN 'failed' ELSE 'inconclusive' END"
        )
        if form.is_difference:
            is_baseline = f"is_constant AND abs(difference) <= {TIE_TOLERANCE}"
            met = "passed" if form.is_met_by_baseline else "failed"
            outcome = f"if({is_baseline}, '{met}', {outcome})"
            chosen = {name: f"if({is_baseline}, NULL, {sql})" for name, sql in chosen.items()}
        return columns, _select({"outcome": outcome} | chosen)

    def _measure(self, requirement: Requirement) -> Measure:
        return next(each for each in self.subject.measures if each.column == requirement.measure)

    def _limits(self, requirement: Requirement, bound: Bound) -> Limits:
        """Return the least and the largest possible value less its bound."""
        of_metric = metric_range(self._measure(requirement).metric, self.options)
        least, most = (None if end is None else Decimal(repr(end)) for end in of_metric)

        def less(end: Decimal | None, other: Decimal | None) -> Decimal | None:
            if end is None or (bound.slope and other is None):
                return None
            return end - bound.slope * (other or 0) - bound.shift

        return less(least, most), less(most, least)


#: The least and the largest possible value; None is no limit.
Limits = tuple[Decimal | None, Decimal | None]
#: SQL for the ends of an interval that is not there.
_NO_INTERVAL = {"low": "NULL::DOUBLE", "high": "NULL::DOUBLE"}


def _interval(low: str, high: str) -> dict[str, str]:
    """Write the ends of an interval, which one user and equal values without limits do not have."""
    is_point = f"n = 1 OR {high} - ({low}) <= {TIE_TOLERANCE}"
    return {name: f"if({is_point}, NULL, {end})" for name, end in (("low", low), ("high", high))}


def _select(columns: Mapping[str, str]) -> str:
    """Write the columns of a SELECT, keyed by their names."""
    return ", ".join(f"{sql} AS {name}" for name, sql in columns.items())


def _known(limits: Limits) -> Limits:
    """Return limits of which an unknown one is beyond all numbers that occur."""
    least, most = limits
    return -_NO_LIMIT if least is None else least, _NO_LIMIT if most is None else most


def _written(limits: Limits, **options: str) -> str:
    """Write the options of a statistic that knows the limits of values."""
    least, most = (None if limit is None else float(limit) for limit in limits)
    return with_bounds(", ".join(f"{name}={value}" for name, value in options.items()), least, most)


def _paired(function: str, bound: str, alternative: str = "two_sided", options: str = "") -> str:
    """Write a call of a test of values and their bound, in which rounding makes no difference."""
    own = f"alternative={alternative}, tolerance={TIE_TOLERANCE}"
    return f"{function}(a, {bound}, '{', '.join(filter(None, (own, options)))}')"


def _users_needed(
    bound: str,
    alternative: str,
    alpha: Decimal,
    power: Decimal,
    limits: Limits,
    skewness: Mapping[str, str] | None = None,
) -> str:
    """Write the number of users with which a test finds what is measured."""
    options = _written(_known(limits), alpha=f"{alpha:f}", power=f"{power}", **(skewness or {}))
    return f"{_paired('paired_t_test_power', bound, alternative, options)}.users_needed"


def _by_value(form: Form) -> str:
    """Write the last columns if the measured value decides."""
    # `least` leaves out NULLs. Without bounds, the value must differ from 0.
    slack = "coalesce(least(measured - at_least, at_most - measured), abs(measured))"
    met = f"{slack} >= -{TIE_TOLERANCE}" if form.includes_bound else f"{slack} > {TIE_TOLERANCE}"
    if form.is_difference and not form.is_met_by_baseline:
        # A share of a baseline of 0 is no difference.
        met += f" AND abs(measured) > {TIE_TOLERANCE}"
    outcome = f"CASE WHEN measured IS NULL THEN 'inconclusive' WHEN {met} THEN 'passed' ELSE 'failed' END"
    others = {"confidence": "NULL::DOUBLE", "test": "NULL", "p_value": "NULL::DOUBLE", "users_needed": "NULL"}
    return _select({"outcome": outcome} | _NO_INTERVAL | others)


def _segment(pairs: Iterable[tuple[str, Any]]) -> str | None:
    """Write the columns and values of a segment; None is no segment."""
    written = {None: "NULL", "NULL": '"NULL"'}
    return ", ".join(f"{name}={written.get(of, of)}" for name, of in pairs) or None


def _digits(number: float | None, bounds: Iterable[float]) -> str:
    """Write a number with four decimals, or with as many as the least of some bounds needs for two digits."""
    if number is None:
        return "NULL"
    least = min((abs(bound) for bound in bounds if abs(bound) > _ROUNDING), default=1.0)
    decimals = max(4, 1 - math.floor(math.log10(least)))
    return f"{round(number, decimals) + 0.0:.{decimals}f}"


def enforce(found: Requirements, inconclusive: Inconclusive) -> Requirements:
    """Return the outcomes if all are met; `Requirements.unmet` says which are not.

    Raises
    ------
    RequirementError
        If they did not.
    """
    if found.unmet(inconclusive):
        raise RequirementError(found, inconclusive)
    return found


def check_given(requirements: Sequence[Any]) -> None:
    """Check that there is a requirement.

    Raises
    ------
    CallValueError
        If there is none.
    """
    if not requirements:
        raise CallValueError("require", "requirements", "give one requirement or more")
