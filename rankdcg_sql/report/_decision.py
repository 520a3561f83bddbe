"""The top of a report: the outcomes of requirements, and the decision in words."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from rankdcg_sql._output import Markup
from rankdcg_sql.evaluation._requirements.requirements import users_in_words
from rankdcg_sql.evaluation._terms.counts import pluralize
from rankdcg_sql.evaluation._terms.metrics import Measure
from rankdcg_sql.evaluation._terms.statistics import RELATIONS, verdicts
from rankdcg_sql.plots import percent
from rankdcg_sql.report import _parts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from rankdcg_sql.evaluation._requirements.requirements import Decision
    from rankdcg_sql.evaluation._results.interface import ComparisonLike, EvaluationLike
    from rankdcg_sql.evaluation._terms.counts import Unit
    from rankdcg_sql.report._parts import Difference, Mean


_OUTCOMES = {
    "passed": Markup('<span class="better">✓ passed</span>'),
    "failed": Markup('<span class="worse">✗ failed</span>'),
    "inconclusive": Markup('<span class="same">inconclusive</span>'),
}
#: The values that a one-sided test looks for.
_ONE_SIDED = {"greater": "larger", "less": "smaller"}
#: The most measures or segments that a sentence names.
_MAX_NAMES = 3


def outcomes_of_requirements(outcomes: Sequence[Decision]) -> Iterator[str]:
    """Yield the HTML of the outcomes of requirements."""
    if outcomes:
        cells = [(_OUTCOMES[one.outcome], one.asked, one.measured, one.needed) for one in outcomes]
        columns = ["outcome", "requirement", "measured"]
        if any(one.needed for one in outcomes):
            columns.append(f"{outcomes[0].unit} needed")
        rows = [row[: len(columns)] for row in cells]
        yield _parts.table("Requirements", columns, rows, kind="definitions")


def decision_on_evaluation(result: EvaluationLike, means: list[Mean]) -> Iterator[str]:
    """Yield the HTML of the main means of an evaluation."""
    yield _lead(means, f"over {result.users_phrase()}")
    sure = f"{percent(result.confidence)} interval"
    yield _parts.tiles(
        (mean.measure, _parts.number_text(mean.mean), f"{sure} {_parts.interval_text(mean.low, mean.high)}")
        for mean in _parts.last_means(result, means).values()
    )


def decision_on_comparison(
    result: ComparisonLike, means: list[Mean], differences: list[Difference]
) -> Iterator[str]:
    """Yield the HTML of the decision on each system in words.

    The words are about the first metric at its last k, because metrics mostly rise and fall together.
    Verdicts that contradict it are named.
    """
    systems = list(dict.fromkeys(str(mean.group[0]) for mean in means))
    # All systems are evaluated for the same users.
    users = next(iter(result.evaluations.values())).counts.users_evaluated
    yield _lead(means, f"of {len(systems)} systems over {result.words.count(users)}")
    leading = _parts.leading_mean(means)
    decisions = [row for row in differences if row.measure == leading.measure and row.is_of_all_users]
    needed: Mapping[tuple[str, str], int | None] = {}
    if any(row.verdict == "same" for row in decisions):
        needed = result.users_needed(Measure(leading.metric, leading.k), _parts.count_tests(differences))
    tested = verdicts(result.alternative, result.margin, [leading.metric])
    yield '<div class="decision">'
    for row in decisions:
        yield f"<p>{_decision(result, row, tested, differences, needed.get((row.system, row.against)))}</p>"
    yield "</div>"


def _lead(means: Sequence[Mean], over: str) -> str:
    """Return the HTML of the first sentence: the metrics, the values of k, and over whom means are."""
    metrics = ", ".join(dict.fromkeys(mean.metric for mean in means))
    ks = ", ".join(str(k) for k in dict.fromkeys(mean.k for mean in means) if k is not None)
    return f"<p>{escape(f'{metrics} at k = {ks}' if ks else metrics)}, {escape(over)}.</p>"


def _decision(
    result: ComparisonLike,
    row: Difference,
    tested: Sequence[str],
    differences: Sequence[Difference],
    needed: int | None,
) -> str:
    """Return the HTML of a sentence about the difference of a system, and of verdicts against it.

    `tested` are the verdicts that the test may show, and `needed` is the number of users that would show the
    difference.
    """
    system, other = (f"<b>{escape(name)}</b>" for name in (row.system, row.against))
    # Without a relation that is shown, the sentence names the one that was looked for.
    shown = row.verdict if row.verdict in RELATIONS else tested[0]
    relation = f"{system} is {RELATIONS[shown].format(against=other, margin=result.margin)}"
    if row.verdict == "untested":
        sentence = f"There is no test of {system} against {other}, with {result.words.count(row.n)} of both"
    elif row.verdict in RELATIONS:
        sentence = relation
    elif len(tested) == 1:
        sentence = f"It is not shown that {relation}"
    else:
        sentence = f"No difference between {system} and {other} is shown"
    change = f"{row.measure} {_parts.number_text(row.mean)} against {_parts.number_text(row.baseline)}, "
    change += _parts.number_text(row.difference, "+")
    if row.relative is not None:
        change += f" or {row.relative:+.1%}".replace("-", "\N{MINUS SIGN}")
    if row.verdict != "untested":
        p_value, p = ("corrected p" if result.correction else "p"), _parts.p_value_text(row.p)
        change += (
            f" ({percent(result.confidence)} interval {_parts.interval_text(row.low, row.high, '+')}), "
            f"{p_value} {p if p.startswith('<') else f'= {p}'}"
        )
    parts = [change, about_undecided(result, [row], _parts.count_tests(differences))]
    if needed is not None:
        users = users_in_words(needed).capitalize()
        parts.append(f"{users} {result.words.plural} would show such a difference with probability 0.8")
    parts += _other_verdicts(row, differences, result.by, result.words)
    return f'{sentence}: <span class="numbers">{escape(_parts.join_sentences(*parts).rstrip("."))}.</span>'


def _other_verdicts(
    row: Difference, differences: Iterable[Difference], by: Sequence[str], words: Unit
) -> Iterator[str]:
    """Yield sentences about verdicts of the same systems that differ from that of the decision.

    Segments share a part of a sentence if they have the same verdict at the same measures.
    """
    segments: dict[tuple[str | None, ...], list[Difference]] = {}
    for other in differences:
        if (other.system, other.against) == (row.system, row.against):
            segments.setdefault(tuple(other.segment), []).append(other)
    but = "But it" if row.verdict in ("better", "worse") else "It"
    for verdict in ("better", "worse"):
        if verdict == row.verdict:
            continue
        segments_at: dict[str, list[str]] = {}
        for rows in segments.values():
            agreeing = [other for other in rows if other.verdict == verdict]
            if agreeing:
                shown = next((other for other in agreeing if other.measure == row.measure), agreeing[0])
                at = _measures_in_words(agreeing, len(rows))
                segments_at.setdefault(at, []).append(_segment_in_words(shown, by, words))
        parts = [f"{at}{_for_segments(names)}" for at, names in segments_at.items()]
        if parts:
            yield f"{but} is {verdict} {', and '.join(parts)}"


def _measures_in_words(rows: Sequence[Difference], number: int) -> str:
    """Name the measures of some rows; `number` is that of all measures."""
    if len(rows) == number > 1:
        return f"at all {number} measures"
    if len(rows) <= _MAX_NAMES:
        return f"at {', '.join(row.measure for row in rows)}"
    return f"at {len(rows)} of {number} measures, {rows[0].measure} the first of them"


def _segment_in_words(row: Difference, by: Sequence[str], words: Unit) -> str:
    """Name the segment of a row with its users and its means; empty for all users."""
    if row.is_of_all_users:
        return ""
    means = f"{row.measure} {_parts.number_text(row.mean)} against {_parts.number_text(row.baseline)}"
    pairs = zip(by, row.segment, strict=True)
    segment = ", ".join(f"{column}={_parts.cell_text(value)}" for column, value in pairs)
    return f"{segment} ({words.count(row.n)}, {means})"


def _for_segments(names: Sequence[str]) -> str:
    """Write the names of segments after ``for``, as many as are read; an empty name is all users."""
    named = [name for name in names if name]
    if not named:
        return ""
    more = len(named) - _MAX_NAMES
    return f" for {', '.join(named[:_MAX_NAMES])}{f' and {more} more' if more > 0 else ''}"


def about_undecided(result: ComparisonLike, rows: Iterable[Difference], tests: int) -> str:
    """Say why the interval of a difference may leave out 0 although it is undecided; empty if none does."""
    if not any(row.is_undecided_without_0 for row in rows):
        return ""
    of_interval = "an interval that leaves out 0 may be undecided"
    if result.margin:
        return f"The test is against the margin {result.margin:g}, so {of_interval}"
    if result.alternative != "two_sided":
        return f"The test looks for {_ONE_SIDED[result.alternative]} values alone, so {of_interval}"
    if result.correction or result.test == "tukey_hsd":
        return f"p is corrected for {pluralize(tests, 'test')} and intervals are not, so {of_interval}"
    return f"Test and interval are different statistics, so {of_interval}"
