"""The section about why means differ: the parts of a change, and the users, items and moves that decide."""

from __future__ import annotations

from functools import partial
from html import escape
from typing import TYPE_CHECKING, Any

from rankdcg_sql import plots
from rankdcg_sql._errors import CallError
from rankdcg_sql._output import Markup
from rankdcg_sql._sql import quote_name, quote_text
from rankdcg_sql.evaluation._terms.counts import are_few
from rankdcg_sql.evaluation._terms.metrics import Measure, less_is_better
from rankdcg_sql.evaluation._terms.statistics import significance_level
from rankdcg_sql.plots import percent
from rankdcg_sql.report import _parts

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from duckdb import DuckDBPyRelation

    from rankdcg_sql.evaluation._results.interface import ChangeLike, ComparisonLike
    from rankdcg_sql.report._parts import Mean


#: The most pairs of systems whose difference is explained: each is evaluated anew, item by item.
_MAX_PAIRS = 3
#: How many users, and how many items, are named on either side of a difference.
_NAMED = 5
#: Moves of items between two rankings, for people; ``{top}`` is the top k.
_MOVES = {
    "into top k": "into {top}",
    "out of top k": "out of {top}",
    "up": "up within {top}",
    "down": "down within {top}",
    "same rank": "at the same rank",
    "not retrieved": "in neither ranking",
    None: "none: a rule for empty rankings gives the value",
}
#: The words of each verdict, and its classes where more is better and where less is.
_VERDICTS = {
    "rose": ("▲ up", "better", "worse"),
    "fell": ("▼ down", "worse", "better"),
    "undecided": ("undecided", "same", "same"),
    "untested": ("no test", "same", "same"),
}


def why_of_comparison(result: ComparisonLike, means: list[Mean]) -> Iterator[str]:
    """Yield the HTML of what the differences of the leading measure are made of, for the first pairs."""
    of_users = _parts.of_single_users(means)
    if not of_users:
        return
    leading = _parts.leading_mean(of_users)
    measure = Measure(leading.metric, leading.k)
    pairs = result.pairs[:_MAX_PAIRS]
    yield "<h2>Why</h2>"
    about = f"The {result.words.plural} and items behind the differences of {measure.column}"
    if len(result.pairs) > len(pairs):
        about += f", for {len(pairs)} of {len(result.pairs)} pairs of systems"
    yield f"<p>{escape(about)}.</p>"
    for system, against in pairs:
        if len(result.pairs) > 1:
            yield f"<h3>{escape(f'{system} against {against}')}</h3>"
        change = result.change_of(system, against, measure)
        yield from _deciders(change, measure, (against, system))
        # One drawing, which is folded: a page has as many as it has pairs.
        yield _parts.folded(_title_of_curve(change, measure), _curve(change, measure, is_wide=False))


def decision_on_change(change: ChangeLike) -> Iterator[str]:
    """Yield the HTML of how far the leading measure of each metric moved, and by which parts."""
    yield '<div class="decision">'
    for measure in _leading(change):
        yield f"<p>{escape(change.headline(measure))}.</p>"
    yield "</div>"


def why_of_change(change: ChangeLike) -> Iterator[str]:
    """Yield the HTML of the parts of a change, and of what decides the first metric."""
    yield "<h2>Why</h2>"
    yield _parts.figure(
        partial(plots.change_parts, change),
        f"The mean before, the parts of its change with {percent(change.confidence)} intervals, and the mean "
        "after; the interval of the last is that of the whole change",
        is_wide=True,
    )
    yield _table_of_parts(change)
    leading = _leading(change)[0]
    if change.by:
        yield _table_of_segments(change, leading)
    yield f"<h3>{escape(f'Who and what decide {leading.column}')}</h3>"
    yield from _deciders(change, leading, ("before", "after"))
    yield _curve(change, leading, is_wide=True)


def _leading(change: ChangeLike) -> list[Measure]:
    """Return each metric at its last k."""
    return list({measure.metric: measure for measure in change.measures}.values())


def _at(relation: DuckDBPyRelation, measure: Measure) -> DuckDBPyRelation:
    """Select the rows of a measure."""
    return relation.filter(
        f"metric = {quote_text(measure.metric)} AND k IS NOT DISTINCT FROM {measure.sql_k}"
    )


def _verdict(change: ChangeLike) -> str:
    """Write SQL for one of `_VERDICTS`."""
    p, level = "coalesce(p_corrected, p_value)", significance_level(change.confidence)
    return (
        f"CASE WHEN {p} IS NULL THEN 'untested' WHEN {p} >= {level} THEN 'undecided' "
        "WHEN difference > 0 THEN 'rose' ELSE 'fell' END"
    )


def _verdict_cell(verdict: str, metric: str) -> Markup:
    """Write one of `_VERDICTS` on a part of the change of a metric."""
    words, if_more, if_less = _VERDICTS[verdict]
    return Markup(f'<span class="{if_less if less_is_better(metric) else if_more}">{words}</span>')


def _table_of_parts(change: ChangeLike) -> str:
    """Return the HTML of the parts of every measure."""
    rows = change.parts.project(
        "metric, k, part, users, difference, low, high, share, "
        f"coalesce(p_corrected, p_value), {_verdict(change)}"
    ).fetchall()
    cells = [
        (
            Measure(metric, k).column,
            change.words.parts[part],
            Markup(
                f"{_parts.number_text(difference, '+')}<small>{_parts.interval_text(low, high, '+')}</small>"
            ),
            _verdict_cell(verdict, metric),
            _parts.p_value_text(p),
            _share(share),
            f"{users:,}",
        )
        for metric, k, part, users, difference, low, high, share, p, verdict in rows
    ]
    caption = (
        f"Parts of the change with {percent(change.confidence)} intervals, which add up to it; p-values of "
        "parts have Holm's correction"
    )
    columns = ["metric", "part", "difference", "verdict", "p", "share", change.words.plural]
    return _parts.table(caption, columns, cells, numeric=[2, 4, 5, 6], heads=2)


def _share(share: float | None) -> str:
    """Write a share of a difference; a dash if there is none."""
    return _parts.NONE if share is None else f"{share:+.1%}".replace("-", "\N{MINUS SIGN}")


def _table_of_segments(change: ChangeLike, measure: Measure) -> str:
    """Return the HTML of what each segment adds to each part, the largest share of the change first."""
    names = [quote_name(name) for name in change.by]
    rows = (
        _at(change.by_segment, measure)
        .order(
            "max(abs(difference)) FILTER (part = 'total') OVER (PARTITION BY {}) DESC".format(
                ", ".join(names)
            )
        )
        .project(f"[{', '.join(f'{name}::VARCHAR' for name in names)}], part, users, difference")
        .fetchall()
    )
    segments: dict[tuple[Any, ...], dict[str, float]] = {}
    for segment, part, _, difference in rows:
        segments.setdefault(tuple(segment), {})[part] = difference
    parts = [part for part in change.words.parts if any(part in row for row in segments.values())]
    cells = [
        (*map(_parts.cell_text, segment), *(_parts.number_text(row.get(part), "+") for part in parts))
        for segment, row in segments.items()
    ]
    columns = [*change.by, *(change.words.parts[part] for part in parts)]
    caption = f"The share of each segment in the change of {measure.column} and in its parts"
    heads = len(change.by)
    return _parts.table(caption, columns, cells, numeric=range(heads, len(columns)), heads=heads)


def _deciders(change: ChangeLike, measure: Measure, names: tuple[str, str]) -> Iterator[str]:
    """Yield the HTML of the users, items and moves that make up most of a difference."""
    sentences = [*_half(change, measure), *_without(change, measure)]
    if sentences:
        yield _parts.bullets(sentences)
    yield from _table_of_users(change, measure, names)
    if change.has_items and are_few(change.before.counts, change.after.counts):
        try:
            yield "".join([*_table_of_items(change, measure), _table_of_moves(change, measure)])
        except CallError as error:  # streams can be read once, and a file or a connection may be gone
            yield _parts.bullets([f"Items are left out. {error}"])


def _title_of_curve(change: ChangeLike, measure: Measure) -> str:
    return change.words.say("How many users make up the difference") + f" of {measure.column}"


def _curve(change: ChangeLike, measure: Measure, is_wide: bool) -> str:
    """Return the HTML of the curve over users, narrow or for screens, too."""
    draw = partial(plots.cumulative_change, change, measure.metric, measure.k)
    return _parts.figure(draw, _title_of_curve(change, measure), is_wide)


def _half(change: ChangeLike, measure: Measure) -> Iterator[str]:
    """Say how few users make up half of a difference, if there is one."""
    users = _at(change.deciding_users, measure)
    ((half, n),) = users.aggregate("min(if(share >= 0.5, place, NULL)), any_value(n)").fetchall()
    if half is not None:
        yield f"{half:,} of {change.words.count(n)} make up half of the difference"


def _without(change: ChangeLike, measure: Measure) -> Iterator[str]:
    """Say what remains of a difference without the users who decide most."""
    significant = f"p_value < {significance_level(change.confidence)}"
    rows = (
        _at(change.jackknife, measure)
        .project(f"users_left_out, difference, low, high, if({significant}, sign(difference), 0)")
        .fetchall()
    )
    verdict = next((sign for left_out, *_, sign in rows if left_out == 0), None)
    single = [sign for left_out, *_, sign in rows if left_out == 1]
    if not single:
        return
    decisive = change.words.say(f"the {len(single)} users who decide most")
    if other := sum(sign != verdict for sign in single):
        yield f"without {other} of {decisive}, each alone, the verdict of the t test would be another"
    else:
        yield f"without any one of {decisive}, the verdict of the t test is the same"
    for left_out, difference, low, high, _ in rows:
        if left_out > 1 and difference is not None:
            interval = f"{percent(change.confidence)} interval {_parts.interval_text(low, high, '+')}"
            yield f"without all of them, the difference is {_parts.number_text(difference, '+')} ({interval})"


def _decisive(relation: DuckDBPyRelation, measure: Measure, columns: str) -> list[tuple[Any, ...]]:
    """Fetch the first rows of a difference, and the last ones whose share is against it.

    `columns` is SQL over the relation; the share of the difference follows them.
    """
    return (
        _at(relation, measure)
        .project("*, max_by(cumulative, place) OVER () AS whole")
        .filter(
            f"difference <> 0 AND (place <= {_NAMED} "
            f"OR (place > n - {_NAMED} AND sign(difference) <> sign(whole)))"
        )
        .order("place")
        .project(f"{columns}, difference / nullif(whole, 0)")
        .fetchall()
    )


def _table_of_users(change: ChangeLike, measure: Measure, names: tuple[str, str]) -> Iterator[str]:
    """Yield the HTML of the users who make up most of a difference, and most against it."""
    rows = _decisive(change.deciding_users, measure, f"{quote_name(change.user)}::VARCHAR, before, after")
    if rows:
        cells = [
            (_parts.cell_text(user), _parts.number_text(before), _parts.number_text(after), _share(share))
            for user, before, after, share in rows
        ]
        caption = f"{change.words.plural.capitalize()} who make up most of the difference of {measure.column}"
        columns = [change.words.singular, *names, "share of it"]
        yield _parts.table(_and_against(caption, [share for *_, share in rows]), columns, cells, [1, 2, 3])


def _table_of_items(change: ChangeLike, measure: Measure) -> Iterator[str]:
    """Yield the HTML of the items that make up most of a difference, and most against it."""
    columns = f"{quote_name(change.item)}::VARCHAR, users, won, lost"
    rows = _decisive(change.deciding_items, measure, columns)
    if rows:
        cells = [
            (_parts.cell_text(item), f"{users:,}", f"{won:,}", f"{lost:,}", _share(share))
            for item, users, won, lost, share in rows
        ]
        caption = f"Items that make up most of the difference of {measure.column}"
        heads = ["item", change.words.plural, "won", "lost", "share of it"]
        yield _parts.table(_and_against(caption, [share for *_, share in rows]), heads, cells, range(1, 5))


def _and_against(caption: str, shares: Sequence[float | None]) -> str:
    """End the caption of a table with its last rows, if their shares are against the difference."""
    return f"{caption}, and most against it" if any(share and share < 0 for share in shares) else caption


def _table_of_moves(change: ChangeLike, measure: Measure) -> str:
    """Return the HTML of what items add that came into the top k, left it, or moved within it."""
    rows = _at(change.by_move, measure).project("move, items, users, ranking").fetchall()
    top = "the ranking" if measure.k is None else f"the top {measure.k}"
    cells = [
        (_MOVES[move].format(top=top), f"{items:,}", f"{users:,}", _parts.number_text(ranking, "+"))
        for move, items, users, ranking in sorted(rows, key=lambda row: [*_MOVES].index(row[0]))
    ]
    columns = ["move", "relevant items", change.words.plural, "difference"]
    caption = f"Moves of relevant items, and what they add to {measure.column}"
    return _parts.table(caption, columns, cells, numeric=[1, 2, 3])
