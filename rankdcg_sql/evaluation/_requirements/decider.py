"""Decides requirements on the values of users, by tests or by what is measured."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from rankdcg_sql._sql import quote_name, quote_text
from rankdcg_sql.evaluation._requirements.grammar import (
    ABOUT_P_VALUES,
    P_VALUE,
    Bound,
    Requirement,
    RequirementKind,
    literal,
    wrong,
)
from rankdcg_sql.evaluation._requirements.requirements import Decision, Requirements
from rankdcg_sql.evaluation._terms.metrics import Measure, metric_range
from rankdcg_sql.evaluation._terms.statistics import (
    TESTS,
    TIE_TOLERANCE,
    WEIGHTED_COMPARISON,
    interval_in_sql,
    with_bounds,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    import duckdb

#: The bound of a system that equals the baseline.
SAME = Bound(Decimal(1), Decimal(0))
#: The bound of 0.
_ZERO = Bound(Decimal(0), Decimal(0))
#: The largest number that a metric without a limit is taken to have.
_NO_LIMIT = Decimal("1e308")
#: The probability with which a test of as many users as needed decides.
_POWER = Decimal("0.8")
#: The power of each of two tests, both of which then decide with the probability `_POWER` at least.
_POWER_OF_EACH = Decimal("0.9")


@dataclass(frozen=True)
class Subject:
    """A result, as far as requirements are about it."""

    #: The metrics at their cutoffs.
    measures: Sequence[Measure]
    #: The columns of segments.
    by: Sequence[str]
    #: The names of the systems; none for an evaluation and a change.
    systems: Sequence[str]
    #: The system with which the others are compared; None if there is none, or not one alone.
    baseline: str | None
    #: The confidence level; tests are at 1 less it.
    confidence: float
    #: The parts that a requirement may be about; none unless the result is a change.
    parts: Sequence[str] = ()

    def check(self, requirements: Iterable[Requirement]) -> None:
        """Raise an error if a requirement is not about this result, or the confidence is too low to test."""
        there = [measure.column for measure in self.measures]
        for requirement in requirements:
            if requirement.measure not in there and P_VALUE.search(requirement.text):
                why = ABOUT_P_VALUES
            elif requirement.measure not in there:
                listed = ", ".join(there)
                why = f"the result has no {requirement.measure}, but {listed}: add it to the metrics and k"
            elif requirement.part and not self.parts:
                why = "'part of' is about a change, which explain_change returns"
            elif self.parts and (requirement.part is None or not requirement.kind.is_difference):
                of_part = f"{self.parts[0]} part of {requirement.measure} not worse by 1%"
                why = f"a change has requirements on the difference that a part makes: write {of_part!r}"
            elif requirement.system == "measured" and "measured" not in self.systems:
                why = f"no colon follows 'measured': write {requirement.text.replace(':', '', 1)!r}"
            elif requirement.system is not None and not self.systems:
                this = "a change" if self.parts else "an evaluation"
                why = f"{this} has one system, without a name: leave out {requirement.system + ':'!r}"
            elif requirement.system is not None and requirement.system not in self.systems:
                why = f"there is no system {requirement.system!r}, but {', '.join(self.systems)}"
            elif requirement.kind.is_difference and not (self.systems or self.parts):
                why = f"{requirement.kind.words!r} is about a comparison, and this is an evaluation"
            elif requirement.kind.is_difference and self.baseline is None:
                why = f"{requirement.kind.words!r} needs a baseline, and all pairs are compared"
            elif requirement.baseline not in (None, self.baseline):
                why = f"the baseline is {self.baseline!r}, not {requirement.baseline!r}"
            elif requirement.kind.is_difference and requirement.system == self.baseline:
                why = f"{self.baseline!r} is the baseline itself"
            elif (requirement.segment or requirement.is_in_every_segment) and not self.by:
                why = "the result has no segments: name their columns with by"
            elif unknown := [name for name, _ in requirement.segment if name not in self.by]:
                why = f"there are no segments of {unknown[0]!r}, but those of {', '.join(self.by)}"
            elif not (requirement.is_measured or self.confidence > 0.5):
                why = f"a test needs a confidence above 0.5, got {self.confidence}"
            else:
                continue
            raise wrong(requirement.text, why)

    def systems_of(self, requirement: Requirement) -> Sequence[str | None]:
        """Return the systems that must meet a requirement; None is the only one of an evaluation.

        The part of a change is that of the system before, with this part of the change alone.
        """
        if requirement.part is not None:
            return [requirement.part]
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
    #: The name of the table of values of each system; None is the only system of an evaluation. That of
    #: a part of a change has the values before plus this part.
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
    #: The column of weights of users; None if all count alike.
    weight: str | None = None

    def decide(self, requirements: Sequence[Requirement]) -> Requirements:
        """Decide requirements that `Subject.check` has passed.

        Raises `CallValueError` if a segment has no users, or a margin is relative to a mean below 0.
        """
        return Requirements(
            decided
            for requirement in requirements
            for system in self.subject.systems_of(requirement)
            for decided in self._decide(requirement, system)
        )

    def _decide(self, requirement: Requirement, system: str | None) -> Iterator[Decision]:
        """Yield the decision on one system, or if every segment must meet the requirement, one for each."""
        cursor = self.con.execute(self._select(requirement, system))
        names = [name for name, *_ in cursor.description or ()]
        rows = cursor.fetchall()
        if not rows:
            raise wrong(requirement.text, f"no user is in the segment {_segment(requirement.segment)}")
        limits = self._limits(requirement, SAME if requirement.kind.is_difference else _ZERO)
        least, most = (None if limit is None else float(limit) for limit in limits)
        for row in rows:
            values: dict[str, Any] = dict(zip(names, row, strict=True))
            values |= {"lower_limit": least, "upper_limit": most, "unit": self.unit}
            values["weighted_by"] = self.weight
            own_segment = [
                (name, values.pop(f"segment_by_{place}", None)) for place, name in enumerate(self.subject.by)
            ]
            segment = _segment(own_segment if requirement.is_in_every_segment else requirement.segment)
            if requirement.is_relative and values["baseline"] is not None and values["baseline"] < 0:
                why = f"a relative margin needs a baseline with a mean of 0 or more, got {values['baseline']}"
                raise wrong(requirement.text, why)
            named = None if requirement.part else system
            asked = requirement.of(named, segment)
            yield Decision(requirement.text, asked, named, segment, requirement.measure, **values)

    def _select(self, requirement: Requirement, system: str | None) -> str:
        """Write a SELECT of the last fields of `Decision`, for each segment after its columns.

        `tests` are aggregates over the users of a segment, and `outcome` are the columns made of them. The
        segment that a requirement names has no row if it has no user.
        """
        kind = requirement.kind
        alpha = 1 - Decimal(repr(self.subject.confidence))
        tests: dict[str, str] = {}
        if requirement.is_measured:
            outcome = _outcome_without_test(kind)
        elif kind.above is None and kind.below is None:
            tests, outcome = self._two_sided(requirement, alpha)
        else:
            tests, outcome = self._sides(requirement, alpha)
        bounds = {"at_least": requirement.bound(kind.above), "at_most": requirement.bound(kind.below)}
        ends = {name: bound.of_means_in_sql if bound else NONE for name, bound in bounds.items()}
        columns = self._measured(requirement) | tests
        by = [f"by_{place}" for place, _ in enumerate(self.subject.by)]
        group = f"GROUP BY {', '.join(by)}"
        if not requirement.is_in_every_segment:
            by, group = [], "HAVING count(*) > 0" if requirement.segment else ""
        segment = "".join(f"{name}, " for name in by)
        as_text = "".join(f"{name}::VARCHAR AS segment_{name}, " for name in by)
        grouped = f"SELECT {segment}{_select(columns)} FROM ({self._values(requirement, system)}) {group}"
        bounded = f"SELECT *, {_select(ends)}, coalesce(difference, mean) AS measured FROM ({grouped})"
        return (
            f"SELECT {as_text}outcome, n, n_judge, mean, baseline, difference, at_least, at_most, "
            "is_constant, low, high, if(low IS NULL, NULL, confidence) AS confidence, test, p_value, "
            "needed AS users_needed, CASE WHEN needed IS NULL THEN NULL "
            "WHEN measured < at_least OR measured > at_most THEN 'failed' ELSE 'passed' END AS needed_for "
            "FROM (SELECT *, CASE WHEN outcome = 'inconclusive' AND users_needed > n "
            "THEN try_cast(users_needed AS BIGINT) END AS needed "
            f"FROM (SELECT *, {outcome} FROM ({bounded}))) ORDER BY {segment}n"
        )

    def _measured(self, requirement: Requirement) -> dict[str, str]:
        """Write the columns of what is measured, without a test, for `_select`."""
        paired = requirement.kind.is_difference
        values = "a - b" if paired else "a"
        return {
            "n": "count(a)",
            "n_judge": "NULL::BIGINT",
            "mean": f"{self._interval('a')}.mean",
            "baseline": f"{self._interval('b')}.mean" if paired else NONE,
            "difference": f"{self._paired('paired_t_test', 'b')}.mean_difference" if paired else NONE,
            "is_constant": f"count(a) > 1 AND max({values}) - min({values}) <= {TIE_TOLERANCE}",
        }

    def _values(self, requirement: Requirement, system: str | None) -> str:
        """Write a SELECT of the columns of segments, and those of `_columns_of_values`."""
        by = self._segments
        segments = "".join(f"a.{column} AS by_{place}, " for place, column in enumerate(by.values()))
        source = f"{self.tables[system]} AS a"
        if requirement.kind.is_difference:
            source += f" JOIN {self.tables[self.subject.baseline]} AS b USING ({quote_name(self.user)})"
        conditions = " AND ".join(
            f"a.{by[name]}::VARCHAR IS NOT DISTINCT FROM {'NULL' if of is None else quote_text(of)}"
            for name, of in requirement.segment
        )
        values = _select(self._columns_of_values(requirement))
        return f"SELECT {segments}{values} FROM {source}" + f" WHERE {conditions}" * bool(conditions)

    @property
    def _segments(self) -> dict[str, str]:
        """SQL for the columns of segments in the tables of values, keyed by their names."""
        return {name: quote_name(name) for name in self.subject.by}

    def _columns_of_values(self, requirement: Requirement) -> dict[str, str]:
        """Write the columns of values, ``a``, and of those of the baseline, ``b``.

        In a difference, both are NULL if one is. Without a difference, ``b`` is NULL. If users have weights,
        ``weight`` is one more column.
        """
        values = pair(quote_name(requirement.measure), requirement.kind.is_difference)
        return values | ({"weight": f"a.{quote_name(self.weight)}"} if self.weight else {})

    def _two_sided(self, requirement: Requirement, alpha: Decimal) -> tuple[dict[str, str], str]:
        """Write the tests and the outcome, as `_select` needs them, for a difference in either direction."""
        level, limits = 1 - alpha, self._limits(requirement, SAME)
        columns = {
            "p_passed": self._p_value(self.test, bound="b", alternative="two_sided", limits=limits),
            "difference_ci": self._interval("a - b", limits_as_options(limits, confidence=f"{level:f}")),
            "users_needed": self._users_needed("b", "two_sided", alpha, _POWER, limits),
        }
        chosen = {
            "outcome": f"if(p_passed < {literal(alpha)}, 'passed', 'inconclusive')",
            "p_value": "p_passed",
            "confidence": literal(level),
            "test": quote_text(self.test),
        }
        ends = "difference_ci.low", "difference_ci.high"
        interval = _interval(*ends) if self.test == "t" else _NO_INTERVAL
        return columns, _select(chosen | interval)

    def _p_value(
        self,
        test: str,
        bound: str,
        alternative: str,
        limits: Limits,
        options: Mapping[str, str] | None = None,
    ) -> str:
        """Write the p-value of values and their bound. Student's test alone has `limits` and `options`."""
        function, _ = TESTS[test]
        student = limits_as_options(_finite_limits(limits), **(options or {}))
        return f"{self._paired(function, bound, alternative, student if test == 't' else self.draws)}.p_value"

    def _interval(self, values: str, options: str = "") -> str:
        """Write the mean of values with its interval."""
        weight = "weight" if self.weight else None
        return interval_in_sql("t", values, weight, options, None, None)

    def _paired(self, function: str, bound: str, alternative: str = "two_sided", options: str = "") -> str:
        """Write a call of a test of values and their bound, in which rounding makes no difference."""
        own = f"alternative={alternative}, tolerance={TIE_TOLERANCE}"
        weight = ""
        if self.weight:
            function, weight = WEIGHTED_COMPARISON, ", weight"
        return f"{function}(a, {bound}{weight}, '{', '.join(filter(None, (own, options)))}')"

    def _users_needed(
        self,
        bound: str,
        alternative: str,
        alpha: Decimal,
        power: Decimal,
        limits: Limits,
        skewness: Mapping[str, str] | None = None,
    ) -> str:
        """Write the number of users with whom a test finds what is measured with the probability `power`.

        It is NULL for users with weights, because those of more users are not known.
        """
        if self.weight:
            return NONE
        known = _finite_limits(limits)
        options = limits_as_options(known, alpha=f"{alpha:f}", power=f"{power}", **(skewness or {}))
        return f"{self._paired('paired_t_test_power', bound, alternative, options)}.users_needed"

    def _sides(self, requirement: Requirement, alpha: Decimal) -> tuple[dict[str, str], str]:
        """Write the tests, against one bound or two, each in both directions, and the outcome, for `_select`.

        With two bounds, a value that is measured between them passes if both one-sided tests are significant
        at alpha, as the interval with confidence 1 - 2 * alpha then is between the bounds. A value beyond a
        bound fails at alpha / 2, because it might as well lie beyond the other one.
        """
        kind = requirement.kind
        signs = {"above": kind.above, "below": kind.below}
        bounds = {
            side: bound
            for side, bound in ((side, requirement.bound(sign)) for side, sign in signs.items())
            if bound is not None
        }
        # `better` without a margin is tested by the comparison's own test.
        is_of_comparison = kind.is_difference and not kind.has_margin
        test = self.test if is_of_comparison else "t"
        skewness = {} if is_of_comparison else self._skewness(requirement)
        power = _POWER if len(bounds) == 1 else _POWER_OF_EACH  # both of two tests must be significant
        columns: dict[str, str] = {}
        for side, bound in bounds.items():
            limits = self._limits(requirement, bound)
            columns |= self._columns_of_side(side, bound, test, limits, skewness, alpha, power)
        chosen = _choose_of_one(next(iter(bounds)), alpha) if len(bounds) == 1 else _choose_of_two(alpha)
        interval = _interval(chosen.pop("low"), chosen.pop("high")) if test == "t" else _NO_INTERVAL
        chosen |= interval | {"test": quote_text("gaffke" if "gaffke" in skewness.values() else test)}
        passed, failed = self._conditions(chosen, alpha)
        outcome = f"CASE WHEN {passed} THEN 'passed' WHEN {failed} THEN 'failed' ELSE 'inconclusive' END"
        chosen.pop("p_failed")
        if kind.is_difference:
            is_baseline = f"is_constant AND abs(difference) <= {TIE_TOLERANCE}"
            met = "passed" if kind.is_met_by_baseline else "failed"
            outcome = f"if({is_baseline}, '{met}', {outcome})"
            chosen = {name: f"if({is_baseline}, NULL, {sql})" for name, sql in chosen.items()}
        return columns, _select({"outcome": outcome} | chosen)

    def _conditions(self, chosen: Mapping[str, str], alpha: Decimal) -> list[str]:
        """Write when a requirement with bounds passes and fails; `chosen` are columns of what is tested."""
        return [f"{chosen[name]} < {literal(alpha)}" for name in ("p_value", "p_failed")]

    def _skewness(self, requirement: Requirement) -> dict[str, str]:
        """Return the option of a test that allows for skewed values; none for differences without limits."""
        if self.weight:  # these tests know no weights
            return {}
        # Values of few users are skewed, and a sample lacks the rare ones.
        if None not in self._range(requirement):
            return {"skewness": "gaffke"}
        # Differences have rare large values, for which the transformation is no good.
        return {} if requirement.kind.is_difference else {"skewness": "hall"}

    def _columns_of_side(
        self,
        side: str,
        bound: Bound,
        test: str,
        limits: Limits,
        skewness: Mapping[str, str],
        alpha: Decimal,
        power: Decimal,
    ) -> dict[str, str]:
        """Write tests, intervals and numbers of users for one bound, in columns that begin with `side`.

        `side` is ``above`` or ``below``, where the value must lie. The interval ``outer`` is for a value that
        is measured beyond one of two bounds, and ``inner`` for all others.
        """
        at = bound.in_sql
        met, unmet = ("greater", "less") if side == "above" else ("less", "greater")
        columns = {
            f"{side}_{name}": self._p_value(test, at, alternative, limits, skewness)
            for name, alternative in (("passes", met), ("fails", unmet))
        }
        for name, level in (("inner", 1 - 2 * alpha), ("outer", 1 - alpha)):
            options = limits_as_options(limits, confidence=f"{level:f}", **skewness)
            columns[f"{side}_{name}"] = self._interval(f"a - ({at})", options)
        # No number of users is known for the transformation.
        known = {} if skewness == {"skewness": "hall"} else skewness
        columns[f"{side}_users"] = self._users_needed(at, met, alpha, power, limits, known)
        columns[f"{side}_users_beyond"] = self._users_needed(at, "two_sided", alpha, _POWER, limits, known)
        return columns

    def _range(self, requirement: Requirement) -> tuple[float | None, float | None]:
        """Return the least and the largest possible value of the metric of a requirement."""
        measure = next(measure for measure in self.subject.measures if measure.column == requirement.measure)
        return metric_range(measure.metric, self.options)

    def _limits(self, requirement: Requirement, bound: Bound) -> Limits:
        """Return the least and the largest possible value less its bound.

        The part of a change may be as large as the range of the metric, in both directions.
        """
        of_metric = self._range(requirement)
        least, most = (None if end is None else Decimal(repr(end)) for end in of_metric)
        if requirement.part:
            if least is None or most is None:
                return None, None
            rest = [(1 - bound.slope) * end - bound.shift for end in (least, most)]
            return min(rest) - (most - least), max(rest) + (most - least)

        def less_bound(value: Decimal | None, baseline: Decimal | None) -> Decimal | None:
            if value is None or (bound.slope and baseline is None):
                return None
            return value - bound.slope * (baseline or 0) - bound.shift

        # A value is farthest below its bound where the baseline has its largest value.
        return less_bound(least, baseline=most), less_bound(most, baseline=least)


#: The least and the largest possible value; None is no limit.
Limits = tuple[Decimal | None, Decimal | None]
#: SQL for a number that is not there.
NONE = "NULL::DOUBLE"
#: SQL for the ends of an interval that is not there.
_NO_INTERVAL = {"low": NONE, "high": NONE}


def pair(column: str, is_difference: bool) -> dict[str, str]:
    """Write a column ``a`` and that of the baseline, ``b``: NULL if one is, and b without a difference."""
    if not is_difference:
        return {"a": f"a.{column}", "b": NONE}
    return {
        "a": f"if(b.{column} IS NULL, NULL, a.{column})",
        "b": f"if(a.{column} IS NULL, NULL, b.{column})",
    }


def _interval(low: str, high: str) -> dict[str, str]:
    """Write the ends of an interval, which one user and equal values without limits do not have."""
    is_point = f"n = 1 OR {high} - ({low}) <= {TIE_TOLERANCE}"
    return {name: f"if({is_point}, NULL, {end})" for name, end in (("low", low), ("high", high))}


def _choose_of_one(side: str, alpha: Decimal) -> dict[str, str]:
    """Write the last fields of `Decision`, and ``p_failed``, the p-value against it, from the only bound."""
    end = {"above": "at_least", "below": "at_most"}[side]
    return {
        "p_value": f"{side}_passes",
        "p_failed": f"{side}_fails",
        "low": f"{end} + {side}_inner.low",
        "high": f"{end} + {side}_inner.high",
        "confidence": literal(1 - 2 * alpha),
        "users_needed": f"if({end} = measured, NULL, {side}_users)",
    }


def _choose_of_two(alpha: Decimal) -> dict[str, str]:
    """Write the last fields of `Decision`, and ``p_failed``, from the columns of two bounds.

    A value that is measured beyond a bound is compared with that bound alone.
    """
    choice = "CASE WHEN measured < at_least THEN {0} WHEN measured > at_most THEN {1} ELSE {2} END"
    return {
        # `greatest` and `least` leave out NULLs, of which there are both or none.
        "p_value": "greatest(above_passes, below_passes)",
        "p_failed": "2 * least(above_fails, below_fails)",
        **{
            end: choice.format(f"at_least + above_outer.{end}", f"at_most + below_outer.{end}", inner)
            for end, inner in (("low", "at_least + above_inner.low"), ("high", "at_most + below_inner.high"))
        },
        "confidence": choice.format(literal(1 - alpha), literal(1 - alpha), literal(1 - 2 * alpha)),
        "users_needed": choice.format(
            "above_users_beyond", "below_users_beyond", "greatest(above_users, below_users)"
        ),
    }


def _select(columns: Mapping[str, str]) -> str:
    """Write the columns of a SELECT, keyed by their names."""
    return ", ".join(f"{sql} AS {name}" for name, sql in columns.items())


def _finite_limits(limits: Limits) -> Limits:
    """Replace a missing limit by -1e308 or 1e308: without limits, equal values pass for a certain mean."""
    least, most = limits
    return -_NO_LIMIT if least is None else least, _NO_LIMIT if most is None else most


def limits_as_options(limits: Limits, **options: str) -> str:
    """Write the options of a statistic that knows the limits of values."""
    least, most = (None if limit is None else float(limit) for limit in limits)
    return with_bounds(", ".join(f"{name}={value}" for name, value in options.items()), least, most)


def _outcome_without_test(kind: RequirementKind) -> str:
    """Write the last columns if the measured value decides."""
    # `least` leaves out NULLs. Without bounds, the value must differ from 0.
    slack = "coalesce(least(measured - at_least, at_most - measured), abs(measured))"
    met = f"{slack} >= -{TIE_TOLERANCE}" if kind.includes_bound else f"{slack} > {TIE_TOLERANCE}"
    if kind.is_difference and not kind.is_met_by_baseline:
        # A share of a baseline of 0 is no difference.
        met += f" AND abs(measured) > {TIE_TOLERANCE}"
    outcome = f"CASE WHEN measured IS NULL THEN 'inconclusive' WHEN {met} THEN 'passed' ELSE 'failed' END"
    others = {"confidence": NONE, "test": "NULL", "p_value": NONE, "users_needed": "NULL"}
    return _select({"outcome": outcome} | _NO_INTERVAL | others)


def _segment(pairs: Iterable[tuple[str, Any]]) -> str | None:
    """Write the columns and values of a segment; None is no segment."""
    written = {None: "NULL", "NULL": '"NULL"'}
    return ", ".join(f"{name}={written.get(of, of)}" for name, of in pairs) or None
