"""A change in plain English: the largest cause of a difference first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rankdcg_sql._errors import CallError
from rankdcg_sql._output import p_value_text
from rankdcg_sql._sql import fetch_one, quote_text, repr_in_sql
from rankdcg_sql.evaluation._requirements.grammar import PARTS
from rankdcg_sql.evaluation._terms.counts import are_few
from rankdcg_sql.evaluation._terms.statistics import TIE_TOLERANCE, significance_level

if TYPE_CHECKING:
    from rankdcg_sql.evaluation._results.changed_items import ChangedItems, MissingItems
    from rankdcg_sql.evaluation._results.changed_values import ChangedValues
    from rankdcg_sql.evaluation._terms.counts import Unit
    from rankdcg_sql.evaluation._terms.metrics import Measure

#: How many times the difference of a user outside of a segment that of a user inside must be, in SQL.
_ABOVE_OTHERS = "2"
#: Whether a part is not 0 but for rounding, in SQL.
_DIFFERS = f"abs(difference) > {TIE_TOLERANCE}"


@dataclass(frozen=True)
class ChangeInWords:
    """Sentences about a change."""

    values: ChangedValues
    items: ChangedItems
    #: The word for users.
    words: Unit
    #: Whether both runs have one truth.
    has_one_truth: bool

    def headline(self, measure: Measure) -> str:
        """Return a sentence on the change of a measure, with its largest cause first."""
        before, after, change, sign = self._fetch(
            "format('{:.4f}', before), format('{:.4f}', after), format('{:+.4f}', difference), "
            f"if({_DIFFERS}, sign(difference), 0)",
            measure,
            "part = 'total'",
        )
        if before is None or after is None:
            return f"{measure.column} has no mean {'before' if before is None else 'after'}"
        moved = {1.0: "rose", -1.0: "fell"}.get(sign)
        causes = self._all(
            f"part, format('{{:+.4f}}', difference), {p_value_text('p_corrected')}, "
            f"p_corrected < {significance_level(self.values.after.confidence)}",
            measure,
            f"part <> 'total' AND {_DIFFERS}",
            # A part against the change is no cause of it.
            f"sign(difference) = {sign} DESC, ",
        )
        what = (
            f"{measure.column} {moved} from {before} to {after} ({change})"
            if moved
            else (f"{measure.column} stayed at {after}")
        )
        if not causes:
            return what
        (part, difference, p_value, is_significant), *others = causes
        most = chance = ""
        if is_significant:
            most = self._most_of(part, measure)
        else:  # most of what is chance is one item's or segment's by chance, too
            chance = f", which chance alone may explain{'' if p_value is None else f' (p = {p_value})'}"
        rest = ", ".join(f"{self.words.parts[name]} {amount}" for name, amount, *_ in others)
        return (
            f"{what}: {'mostly ' * bool(moved)}{self.words.parts[part]} ({difference}{most}){chance}"
            + f"; also {rest}" * bool(rest)
        )

    def _most_of(self, part: str, measure: Measure) -> str:
        """Name the item, or else the segment, that explains most of a part; empty if none does."""
        named = ""
        can_be_read = self.items.can_be_read and are_few(self.values.before.counts, self.values.after.counts)
        if part in PARTS and can_be_read and measure in self.items.measures:
            named = self._item(part, measure)
        if not named and self.values.after.by:
            named = self._segment(part, measure)
        return f", most of it {named}" if named else ""

    def _segment(self, part: str, measure: Measure) -> str:
        """Name the segment that explains most of a part, and more than its number of users would."""
        cells = (
            f"concat({quote_text(f'{name}=')}, coalesce(by_{place}::VARCHAR, 'NULL'))"
            for place, name in enumerate(self.values.after.by)
        )
        others = "(sum(difference) OVER () - difference) / nullif(sum(users) OVER () - users, 0)"
        row = fetch_one(
            self.values.con.execute(
                f"SELECT concat_ws(', ', {', '.join(cells)}) FROM ({self.values.select_by_segment()}) "
                f"WHERE part = {quote_text(part)} AND {self._is(measure)} QUALIFY {_is_most('difference')} "
                f"AND abs(difference / users) > {_ABOVE_OTHERS} * abs({others})"
            )
        )
        return f"in {row[0]}" if row else ""

    def _item(self, part: str, measure: Measure) -> str:
        """Name the item that explains most of a part; empty if none does, or the tables are gone."""
        try:
            rows = self.items.by_item
        except CallError:
            return ""
        row = fetch_one(
            self.values.con.execute(
                f"SELECT {repr_in_sql('itemid')} FROM {rows} WHERE {self._is(measure)} "
                f"QUALIFY itemid IS NOT NULL AND {_is_most(part)}"
            )
        )
        return f"by the {self.items.column} {row[0]}" if row else ""

    def notes(self, missing: MissingItems | None) -> list[str]:
        """Return sentences on the users of the runs, on the truths, and on items that no longer exist."""
        measure = self.values.measures[0]
        numbers = "count(before + after)", "count(before)", "count(after)"
        counts = f"{numbers[0]}, {numbers[1]} - {numbers[0]}, {numbers[2]} - {numbers[0]}"
        of_measure = f"SELECT {counts} FROM {self.values.table} WHERE {self._is(measure)}"
        both, left, came = fetch_one(self.values.con.execute(of_measure)) or (0, 0, 0)
        users = f"{self.words.count(both)} with a value of {measure.column} in both runs"
        notes = [f"{users}, {left:,} only before, {came:,} only after"]
        if self.has_one_truth:
            notes.append("both runs have one truth: no judgement changed")
        runs = (self.values.before, self.values.after)
        without = [f"{run.counts.users_without_rec:,}" for run in runs]
        if without[0] != without[1]:
            users = self.words.say("users without recommendations")
            notes.append(
                f"{users}, whose lists count as part of the ranking: {' before, '.join(without)} after"
            )
        if missing and missing.missing and missing.share is not None:
            share = f"{missing.missing:,} of {missing.judged:,} judged items that were returned before"
            notes.append(
                f"{share} are neither returned nor judged after: if their ids changed, "
                "judgements and ranking cannot be told apart"
            )
        return notes

    @staticmethod
    def _is(measure: Measure) -> str:
        return f"metric = {quote_text(measure.metric)} AND k IS NOT DISTINCT FROM {measure.sql_k}"

    def _all(self, columns: str, measure: Measure, condition: str, first: str = "") -> list[tuple[Any, ...]]:
        """Fetch columns of the parts of a measure, the largest part first, or that in the order `first`."""
        return self.values.con.execute(
            f"SELECT {columns} FROM {self.values.parts} WHERE {self._is(measure)} AND {condition} "
            f"ORDER BY {first}abs(difference) DESC, part ASC"
        ).fetchall()

    def _fetch(self, columns: str, measure: Measure, condition: str) -> tuple[Any, ...]:
        (row,) = self._all(columns, measure, condition)
        return row


def _is_most(column: str) -> str:
    """Write in SQL that a row has more than half of all that moves a sum in the direction of its total.

    The rows in this direction add up to half of the absolute values and the absolute total, so that one row
    at most is such a row.
    """
    whole = f"sum({column}) OVER ()"
    return f"{column} * sign({whole}) > 0.25 * (sum(abs({column})) OVER () + abs({whole}))"
