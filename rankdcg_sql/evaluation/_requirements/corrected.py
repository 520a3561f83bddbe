"""Decides requirements on means by a judge that are corrected by the judgements of people."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rankdcg_sql.evaluation._requirements.decider import NONE, SAME, Decider, Limits, limits_as_options, pair
from rankdcg_sql.evaluation._requirements.grammar import Requirement, wrong
from rankdcg_sql.evaluation._terms.statistics import (
    TIE_TOLERANCE,
    judge_corrected_in_sql,
    with_bounds,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from decimal import Decimal

    from rankdcg_sql.evaluation._requirements.requirements import Requirements


@dataclass(frozen=True)
class CorrectedDecider(Decider):
    """Decides requirements on corrected means, by whose intervals a bound is tested.

    Its tables are those of `JudgeCorrected`, with a value by people and one by the judge for each measure.
    Bounds are taken from the values of people alone, which moves the corrected mean by as much.
    """

    def decide(self, requirements: Sequence[Requirement]) -> Requirements:
        for requirement in requirements:
            if requirement.is_relative and not requirement.is_measured:
                why = (
                    "a corrected mean is tested against a number: write a margin such as 0.005, and no share"
                )
                raise wrong(requirement.text, why)
        return super().decide(requirements)

    def _measured(self, requirement: Requirement) -> dict[str, str]:
        paired = requirement.kind.is_difference
        of_one = with_bounds("", *self._range(requirement))
        of_both = limits_as_options(self._limits(requirement, SAME))
        values = "a - b" if paired else "a"
        spread = f"greatest(max({values}), max(judge)) - least(min({values}), min(judge))"
        return {
            "n": "count(a)",
            "n_judge": "count(judge)",
            "mean": f"{self._interval('a', of_one, 'judge_a')}.mean",
            "baseline": f"{self._interval('b', of_one, 'judge_b')}.mean" if paired else NONE,
            "difference": f"{self._interval('a - b', of_both)}.mean" if paired else NONE,
            "is_constant": f"count(a) > 1 AND {spread} <= {TIE_TOLERANCE}",
        }

    @property
    def _segments(self) -> dict[str, str]:
        return {name: f"segment_{place}" for place, name in enumerate(self.subject.by)}

    def _columns_of_values(self, requirement: Requirement) -> dict[str, str]:
        place = [measure.column for measure in self.subject.measures].index(requirement.measure)
        paired = requirement.kind.is_difference
        by_judge = pair(f"judge_{place}", paired)
        return {
            **pair(f"human_{place}", paired),
            **{f"judge_{own}": column for own, column in by_judge.items()},
            "judge": "judge_a - judge_b" if paired else "judge_a",
            **({"weight": "a.weight"} if self.weight else {}),
        }

    def _p_value(
        self,
        test: str,
        bound: str,
        alternative: str,
        limits: Limits,
        options: Mapping[str, str] | None = None,
    ) -> str:
        if alternative != "two_sided":
            return NONE  # the end of an interval decides
        of_people = super()._p_value(test, bound, alternative, limits, options)
        # People who all give the same value have an interval by its limits alone, and so a p-value.
        return f"coalesce({self._interval(f'a - ({bound})')}.p_value, {of_people})"

    def _conditions(self, chosen: Mapping[str, str], alpha: Decimal) -> list[str]:
        low, high = chosen["low"], chosen["high"]
        return [
            f"(at_least IS NULL OR {low} > at_least) AND (at_most IS NULL OR {high} < at_most)",
            f"{high} < at_least OR {low} > at_most",
        ]

    def _skewness(self, requirement: Requirement) -> dict[str, str]:
        return {}

    def _interval(self, values: str, options: str = "", judge: str = "judge") -> str:
        return judge_corrected_in_sql(values, judge, "weight" if self.weight else None, options)

    def _users_needed(
        self,
        bound: str,
        alternative: str,
        alpha: Decimal,
        power: Decimal,
        limits: Limits,
        skewness: Mapping[str, str] | None = None,
    ) -> str:
        of_both_sides = alpha if alternative == "two_sided" else 2 * alpha
        return f"{self._interval(f'a - ({bound})', f'alpha={of_both_sides:f}, power={power}')}.users_needed"
