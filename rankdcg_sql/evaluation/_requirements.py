"""Requirements on results: which are met, which are not, and which the users cannot decide."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from decimal import Decimal
from html import escape
from typing import TYPE_CHECKING, Any, Literal

from rankdcg_sql._errors import CallValueError
from rankdcg_sql._output import Result, html
from rankdcg_sql._sql import quote_name, quote_text
from rankdcg_sql.evaluation._metrics import Measure, metric_range
from rankdcg_sql.evaluation._requirement_grammar import Bound, Requirement, literal, wrong
from rankdcg_sql.evaluation._statistics import TESTS, TIE_TOLERANCE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    import duckdb
    import polars as pl

Outcome = Literal["passed", "failed", "inconclusive"]
#: How requirements count that the users cannot decide.
Inconclusive = Literal["fail", "pass"]

#: The bound of a system that equals the baseline.
_SAME = Bound(Decimal(1), Decimal(0))
#: The probability with which a test of as many users as needed decides.
_POWER = Decimal("0.8")
#: The power of each of two tests, both of which then decide with the probability `_POWER` at least.
_POWER_OF_EACH = Decimal("0.9")


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
    low, high : float or None
        The ends of the interval that agrees with the outcome. It lies within the bounds if the requirement
        passed, beyond one of them if it failed, and otherwise on both sides of one. None for one user,
        without a test, and for a test of another statistic than the mean.
    confidence : float or None
        The confidence level of this interval.
    test : {"t", "wilcoxon", "randomization"} or None
        The test that decides; None if the measured value does.
    p_value : float or None
        The p-value of the test that the requirement is met: 0 to 1. None if there is none.
    users_needed : int or None
        If the outcome is inconclusive, the number of users that decide with probability 0.8 if what is
        measured is true. None if no number is known to.
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
    low: float | None
    high: float | None
    confidence: float | None
    test: str | None
    p_value: float | None
    users_needed: int | None

    @property
    def measured(self) -> str:
        """The value that is measured, with its interval and its test, in words."""
        if not self.n:
            return "no user has a value"
        if self.difference is None:
            found = [f"mean {_digits(self.mean)}"]
        else:
            found = [f"difference {_digits(self.difference)} from {_digits(self.baseline)}"]
        if self.low is not None and self.high is not None:
            level = format((Decimal(repr(self.confidence)) * 100).normalize(), "f")
            found.append(f"{level}% interval {_digits(self.low)} to {_digits(self.high)}")
        if self.difference is not None and (
            ends := [end for end in (self.at_least, self.at_most) if end is not None]
        ):
            found.append(f"bound {' and '.join(map(_digits, ends))}")
        if self.p_value is not None:
            by = "" if self.test == "t" else f" by {TESTS[str(self.test)][1]}"
            found.append(f"p {'< 0.0001' if self.p_value < 0.0001 else f'= {self.p_value:.4f}'}{by}")
        found.append(f"{self.n:,} user{'s' * (self.n != 1)}")
        return ", ".join(found)

    def __str__(self) -> str:
        needed = f"; about {self.users_needed:,} users would decide" if self.users_needed else ""
        return f"{self.outcome}: {self.asked} ({self.measured}{needed})"


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

    def to_polars(self) -> pl.DataFrame:
        """Return them as a Polars data frame with a row for each."""
        import polars as pl

        kinds = {"str": pl.String, "Outcome": pl.String, "int": pl.Int64, "float": pl.Float64}
        schema = {field.name: kinds[str(field.type).partition(" ")[0]] for field in fields(Decision)}
        return pl.DataFrame([asdict(each) for each in self], schema=schema)

    def __repr__(self) -> str:
        return "\n".join(map(str, self))

    def _repr_html_(self) -> str:
        columns = ["outcome", "requirement", "measured", "users needed"]
        rows = [
            (each.outcome, each.asked, each.measured, f"{each.users_needed:,}" if each.users_needed else "")
            for each in self
        ]
        return html(Result(columns, [False, False, False, True], rows), heads=1)


class RequirementError(Exception):
    """A result does not meet its requirements.

    Attributes
    ----------
    requirements : Requirements
        The outcomes of all requirements, also of those that passed.
    """

    def __init__(self, requirements: Requirements) -> None:
        self.requirements = requirements
        super().__init__(requirements)

    def __str__(self) -> str:
        unmet = [str(each) for each in self.requirements if each.outcome != "passed"]
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
            if each.measure not in there:
                why = f"there is no measure {each.measure!r}, but {', '.join(there)}"
            elif each.system is not None and not self.systems:
                why = f"an evaluation has one system, without a name: leave out {each.system + ':'!r}"
            elif each.system is not None and each.system not in self.systems:
                why = f"there is no system {each.system!r}, but {', '.join(self.systems)}"
            elif each.form.is_difference and not self.systems:
                why = f"{each.form.words!r} is about a comparison, and this is an evaluation"
            elif each.form.is_difference and self.baseline is None:
                why = f"{each.form.words!r} needs a baseline, and all pairs are compared"
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
        for row in rows:
            values: dict[str, Any] = dict(zip(names, row, strict=True))
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
            outer = _by_value(form.includes_bound)
        elif form.above is None and form.below is None:
            sides, outer = self._two_sided(requirement, alpha)
        else:
            sides, outer = self._sides(requirement, alpha)
        bounds = {"at_least": requirement.bound(form.above), "at_most": requirement.bound(form.below)}
        ends = ", ".join(
            f"{'NULL::DOUBLE' if bound is None else bound.of_means_in_sql} AS {name}"
            for name, bound in bounds.items()
        )
        columns = {
            "n": "count(a)",
            "mean": "mean_ci(a).mean",
            "baseline": "mean_ci(b).mean" if form.is_difference else "NULL::DOUBLE",
            "difference": f"{_paired('paired_t_test', 'b')}.mean_difference"
            if form.is_difference
            else "NULL::DOUBLE",
            **sides,
        }
        values = ", ".join(f"{sql} AS {name}" for name, sql in columns.items())
        columns_of = [f"by_{place}" for place, _ in enumerate(self.subject.by)]
        group = f"GROUP BY {', '.join(columns_of)}"
        if not requirement.is_in_every_segment:
            columns_of, group = [], "HAVING count(*) > 0" if requirement.segment else ""
        inner = "".join(f"{name}, " for name in columns_of)
        named = "".join(f"{name}::VARCHAR AS segment_{name}, " for name in columns_of)
        found = f"SELECT {inner}{values} FROM ({self._values(requirement, system)}) {group}"
        bounded = f"SELECT *, {ends}, coalesce(difference, mean) AS measured FROM ({found})"
        return (
            f"SELECT {named}outcome, n, mean, baseline, difference, at_least, at_most, low, high, "
            "if(low IS NULL, NULL, confidence) AS confidence, test, p_value, "
            "if(outcome = 'inconclusive', try_cast(users_needed AS BIGINT), NULL) AS users_needed "
            f"FROM (SELECT *, {outer} FROM ({bounded})) ORDER BY {inner}n"
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
        level = 1 - alpha
        columns = {
            "p_passed": f"{_paired(*self._own_test, 'two_sided')}.p_value",
            "found": f"mean_ci(a - b, 'confidence={level:f}{self._limits(requirement, _SAME)}')",
            "users_needed": _users_needed("b", "two_sided", alpha, _POWER),
        }
        interval = "found.low AS low, found.high AS high" if self.test == "t" else _NO_INTERVAL
        outcome = f"if(p_passed < {literal(alpha)}, 'passed', 'inconclusive')"
        return columns, (
            f"{outcome} AS outcome, p_passed AS p_value, {interval}, "
            f"{literal(level)} AS confidence, {quote_text(self.test)} AS test"
        )

    @property
    def _own_test(self) -> tuple[str, str, str]:
        """The function of the comparison's own test, the baseline, and the options of random numbers."""
        return TESTS[self.test][0], "b", self.draws

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
        own = form.is_difference and not form.has_margin
        test = self.test if own else "t"
        columns: dict[str, str] = {}
        for side, bound in bounds.items():
            at, limits = bound.in_sql, self._limits(requirement, bound)
            one, other = ("greater", "less") if side == "above" else ("less", "greater")
            function, options = (TESTS[test][0], self.draws) if own else ("paired_t_test", "")
            # If all users are on the bound, a t test has no p-value, and the decision is exact.
            is_exact = f"count(a) > 1 AND {_paired('paired_t_test', at)}.p_value IS NULL"
            met = form.includes_bound
            for name, alternative, exact in (("passes", one, int(not met)), ("fails", other, int(met))):
                p_value = f"{_paired(function, at, options, alternative)}.p_value"
                columns[f"{side}_{name}"] = f"if({is_exact}, {exact}, {p_value})"
            for name, level in (("inner", 1 - 2 * alpha), ("outer", 1 - alpha)):
                columns[f"{side}_{name}"] = f"mean_ci(a - ({at}), 'confidence={level:f}{limits}')"
            power = _POWER if len(bounds) == 1 else _POWER_OF_EACH
            columns[f"{side}_users"] = _users_needed(at, one, alpha, power)
            columns[f"{side}_users_beyond"] = _users_needed(at, "two_sided", alpha, _POWER)
        named = {"above": "at_least", "below": "at_most"}
        if len(bounds) == 1:
            (side,) = bounds
            chosen = {
                "p_value": f"{side}_passes",
                "p_failed": f"{side}_fails",
                "low": f"{named[side]} + {side}_inner.low",
                "high": f"{named[side]} + {side}_inner.high",
                "confidence": literal(1 - 2 * alpha),
                "users_needed": f"{side}_users",
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
        if test != "t":
            chosen |= dict.fromkeys(("low", "high"), "NULL::DOUBLE")
        significant = literal(alpha)
        outcome = (
            f"CASE WHEN {chosen['p_value']} < {significant} THEN 'passed' "
            f"WHEN {chosen.pop('p_failed')} < {significant} THEN 'failed' ELSE 'inconclusive' END"
        )
        outer = ", ".join(f"{sql} AS {name}" for name, sql in chosen.items())
        return columns, f"{outcome} AS outcome, {outer}, {quote_text(test)} AS test"

    def _limits(self, requirement: Requirement, bound: Bound) -> str:
        """Write the options that end the interval of a value less its bound at the limits of the metric.

        They are never within the bound, so that the interval stays on the side of the bound on which it is.
        """
        measure = next(each for each in self.subject.measures if each.column == requirement.measure)
        least, most = (None if end is None else Decimal(repr(end)) for end in metric_range(measure.metric))
        if least is None or most is None:
            return ""
        low, high = (end - bound.slope * other - bound.shift for end, other in ((least, most), (most, least)))
        return f", lower_bound={float(min(low, Decimal(0)))!r}, upper_bound={float(max(high, Decimal(0)))!r}"


#: SQL for an interval that is not there.
_NO_INTERVAL = "NULL::DOUBLE AS low, NULL::DOUBLE AS high"


def _paired(function: str, bound: str, options: str = "", alternative: str = "two_sided") -> str:
    """Write a call of a test of values and their bound, in which rounding makes no difference."""
    drawn = f", {options}" if options else ""
    return f"{function}(a, {bound}, 'alternative={alternative}, tolerance={TIE_TOLERANCE}{drawn}')"


def _users_needed(bound: str, alternative: str, alpha: Decimal, power: Decimal) -> str:
    """Write the number of users with which a t test finds what is measured."""
    options = f"alternative={alternative}, alpha={alpha:f}, power={power}, tolerance={TIE_TOLERANCE}"
    return f"paired_t_test_power(a, {bound}, '{options}').users_needed"


def _by_value(includes_bound: bool) -> str:
    """Write the last columns if the measured value decides, and whether it meets a bound that it equals."""
    # `least` leaves out NULLs. Without bounds, the value must differ from 0.
    slack = "coalesce(least(measured - at_least, at_most - measured), abs(measured))"
    met = f"{slack} >= -{TIE_TOLERANCE}" if includes_bound else f"{slack} > {TIE_TOLERANCE}"
    return (
        f"CASE WHEN measured IS NULL THEN 'inconclusive' WHEN {met} THEN 'passed' ELSE 'failed' END "
        f"AS outcome, {_NO_INTERVAL}, NULL::DOUBLE AS confidence, NULL AS test, NULL::DOUBLE AS p_value, "
        "NULL AS users_needed"
    )


def _segment(pairs: Iterable[tuple[str, Any]]) -> str | None:
    """Write the columns and values of a segment; None is no segment."""
    return ", ".join(f"{name}={'NULL' if of is None else of}" for name, of in pairs) or None


def _digits(number: float | None) -> str:
    """Write a number with four digits, and a small one with as many as it needs."""
    if number is None:
        return "NULL"
    return f"{number:.4f}" if number == 0 or abs(number) >= 0.001 else f"{number:.3g}"


def enforce(found: Requirements, inconclusive: Inconclusive) -> Requirements:
    """Return the outcomes if all passed, or with ``inconclusive="pass"`` if none failed.

    Raises
    ------
    RequirementError
        If they did not.
    """
    if found.failed or (inconclusive == "fail" and found.inconclusive):
        raise RequirementError(found)
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
