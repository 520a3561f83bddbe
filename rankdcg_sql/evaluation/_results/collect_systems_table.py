"""Collects the table of systems from a comparison: means, differences and marks of significance."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rankdcg_sql._sql import quote_name
from rankdcg_sql.evaluation._results.systems_table import Cell, Segment, SystemsTable
from rankdcg_sql.evaluation._terms.counts import Unit, pluralize
from rankdcg_sql.evaluation._terms.metrics import Measure
from rankdcg_sql.evaluation._terms.statistics import (
    RELATIONS,
    TESTS,
    TIE_TOLERANCE,
    significance_level,
    verdicts,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rankdcg_sql.evaluation._results.interface import ComparisonLike

#: The mark of each verdict; every other verdict has the mark of `better`.
_MARKS = {"better": "*", "worse": "†"}
#: The letters that name systems if all pairs are compared.
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def systems_table(compared: ComparisonLike, digits: int = 4) -> SystemsTable:
    """Collect the means of a comparison's systems, with marks of the differences that are significant.

    `digits` is the number of digits after the decimal point.
    """
    first = next(iter(compared.evaluations.values()))
    by = compared.by
    baseline = compared.baseline
    names = list(compared.evaluations)
    if baseline is not None:
        names.sort(key=lambda name: name != baseline)
    segment = f"{'all_users' if by else 'true'}, [{', '.join(compared.segment_cells)}]::VARCHAR[]"
    within = ", ".join(["metric", "k", *(["all_users"] if by else []), *map(quote_name, by)])
    order = f"ORDER BY {', '.join(['all_users', *map(quote_name, by)])}" if by else ""
    means = compared.fetch_summary(
        f"{segment}, system, metric, k, n, format('{{:.{digits}f}}', mean), "
        f"coalesce(mean >= max(mean) OVER (PARTITION BY {within}) - {TIE_TOLERANCE}, false)",
        order,
    )
    against = "against" if baseline is None else "NULL::VARCHAR"
    tested = compared.fetch_differences(
        f"{segment}, system, {against}, metric, k, n, format('{{:+.{digits}f}}', difference), "
        f"{compared.verdict_in_sql}"
    )

    differences: dict[tuple[Segment, str, str], tuple[str | None, str | None]] = {}
    pairs: dict[tuple[Segment, str], list[tuple[str, str, str | None]]] = {}
    in_pairs = set()
    tests = 0
    for all_users, texts, system, other, metric, k, n, difference, verdict in tested:
        where, measure = Segment(all_users, tuple(texts)), Measure(metric, k).column
        in_pairs.add(n)
        tests += verdict != "untested"
        shown = verdict if verdict in RELATIONS else None
        if baseline is None:
            pairs.setdefault((where, measure), []).append((system, other, shown))
        else:
            differences[where, system, measure] = difference, shown
    letters: dict[str, str] = letters_of(names) if baseline is None else {}
    better = {place: better_than(verdicts_on, names) for place, verdicts_on in pairs.items()}

    cells = {}
    segments: dict[Segment, None] = {}
    for all_users, texts, system, metric, k, n, mean, is_best in means:
        where, measure = Segment(all_users, tuple(texts)), Measure(metric, k).column
        segments[where] = None
        difference, verdict = differences.get((where, system, measure), (None, None))
        if baseline is None:
            others = [letters[other] for other in better.get((where, measure), {}).get(system, [])]
            mark = ("" if all(len(letter) == 1 for letter in letters.values()) else ",").join(others)
        else:
            mark = "" if verdict is None else _MARKS.get(verdict, _MARKS["better"])
        cells[where, system, measure] = Cell(mean, difference, mark, is_best, n)
    return SystemsTable(
        by,
        list(segments),
        {name: f"({letters[name]}) {name}" if letters else name for name in names},
        {measure.column: measure.paper_name for measure in first.measures},
        cells,
        baseline is not None,
        _about_users({cell.n for cell in cells.values()}, in_pairs, compared.words),
        compared.words,
        _meanings(compared),
        _about_test(compared, tests),
    )


def _meanings(compared: ComparisonLike) -> list[tuple[str, str]]:
    """Return the marks, and what each says about a system."""
    names = list(verdicts(compared.alternative, compared.margin))
    if compared.baseline is None:
        # All pairs are tested in both directions, or for equivalence.
        relation = f"equivalent to, within {compared.margin:g}" if compared.margin else "better than"
        return [("", f"Letters name the systems that a system is significantly {relation}")]
    relation = RELATIONS[names[0]].format(against=compared.baseline, margin=compared.margin)
    return [
        (_MARKS.get(name, _MARKS["better"]), relation if place == 0 else name)
        for place, name in enumerate(names)
    ]


def _about_test(compared: ComparisonLike, tests: int) -> str:
    parts = [
        TESTS[compared.test][1],
        compared.correction_in_words,
        # The p-values of a measure are those of all pairs at once.
        *([] if compared.test == "tukey_hsd" else [pluralize(tests, "test")]),
        f"alpha {significance_level(compared.confidence)}",
    ]
    return ", ".join(parts)


def _about_users(in_means: set[int], in_pairs: set[int], unit: Unit) -> str:
    counts = sorted(in_means)
    over = unit.count(counts[0]) if len(counts) == 1 else f"{counts[0]:,} to {unit.count(counts[-1])}"
    own = "" if in_pairs <= in_means else " (in tests, over those of both systems)"
    return f"Means over {over}{own}"


def letters_of(systems: Sequence[str]) -> dict[str, str]:
    """Give each system a letter: a to z, then aa, ab and so on."""
    return {
        name: (_LETTERS[place // len(_LETTERS) - 1] if place >= len(_LETTERS) else "")
        + _LETTERS[place % len(_LETTERS)]
        for place, name in enumerate(systems)
    }


def better_than(pairs: Iterable[tuple[str, str, str | None]], systems: Sequence[str]) -> dict[str, list[str]]:
    """Find the systems over which each system has a verdict.

    Parameters
    ----------
    pairs : iterable of (system, against, verdict)
        The verdict about `system`, compared with `against`: ``better``, ``worse``, what a margin shows, or
        None. A pair may be there in one order or in both.
    systems : sequence of str
        All systems, in the order of the result.

    Returns
    -------
    dict
        For each system with a verdict over others, these others: for ``better`` and ``worse``, those that it
        is better than.
    """
    others_of: dict[str, set[str]] = {}
    for system, against, verdict in pairs:
        if verdict in ("worse", "equivalent"):
            others_of.setdefault(against, set()).add(system)
        if verdict not in ("worse", None):
            others_of.setdefault(system, set()).add(against)
    return {name: [other for other in systems if other in others] for name, others in others_of.items()}
