"""A plot of the means of runs over time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from matplotlib.dates import AutoDateLocator, ConciseDateFormatter

from rankdcg_sql.evaluation._history.file import segment_in_words
from rankdcg_sql.evaluation._terms.metrics import Measure
from rankdcg_sql.plots._labels import about_range, label_of, shorten
from rankdcg_sql.plots._panels import (
    WIDTH,
    clear_frame,
    draw_line_with_band,
    make_panels,
    styled,
    styles_of,
    write_legend,
    write_title,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from duckdb import DuckDBPyRelation
    from matplotlib.axes import Axes

    from rankdcg_sql.plots._figure import Plot

#: The columns that tell the lines of a panel apart.
_OF_LINE = ("system", "segment", "options", "users", "interval", "confidence")
#: The labels of times whose distance is years, months, days, hours, minutes and seconds, in the way of
#: `ConciseDateFormatter`. Each day has its month, because a plot may have days of several months.
_TICKS = ["%Y", "%b %Y", "%d %b", "%H:%M", "%H:%M", "%H:%M:%S"]
_FIRST_TICKS = ["", "%b %Y", "%d %b", "%d %b", "%H:%M", "%H:%M"]
#: The end of the axis has the part of a date that its labels leave out.
_REST = ["", "", "%Y", "%Y", "%d %b %Y", "%d %b %Y"]
#: Runs within so many seconds are at equal distances: an axis of time would show fractions of seconds.
_LEAST_SPAN = 60
#: The most labels of runs below a panel, in one column and beside others.
_MAX_LABELS = {True: 12, False: 6}


@styled
def means_over_time(changes: DuckDBPyRelation, runs: DuckDBPyRelation, other_run: str) -> Plot:
    """Plot the means of runs and their intervals over time.

    Parameters
    ----------
    changes : duckdb.DuckDBPyRelation
        The means with their changes, as `History.changes` has them.
    runs : duckdb.DuckDBPyRelation
        The rows of the history, as `History.runs` has them.
    other_run : str
        The words for the run with which each run is compared.

    Returns
    -------
    Plot
        A figure of Matplotlib; see `History.plot`.
    """
    # Python has no time zones without a package: these times are in UTC without saying so.
    rows = changes.project(
        f"metric, k, {', '.join(_OF_LINE)}, label, make_timestamp(epoch_us(run_at)), "
        "coalesce(mean, 'nan'), coalesce(low, 'nan'), coalesce(high, 'nan'), coalesce(is_significant, false)"
    ).fetchall()
    drawn = sorted({(row[-5], row[-6] or "") for row in rows})
    is_short = bool(drawn) and (drawn[-1][0] - drawn[0][0]).total_seconds() < _LEAST_SPAN
    is_by_run = len(drawn) > 1 and (is_short or any(label for _, label in drawn))
    time = "%H:%M:%S" if is_short else "%d %b %H:%M"
    names = [label or f"{run_at:{time}}" for run_at, label in drawn]
    kinds = [kind for (kind,) in runs.project("interval_by").fetchall()]
    differ = [place for place, _ in enumerate(_OF_LINE, start=2) if len({row[place] for row in rows}) > 1]
    panels: dict[str, dict[str, list[Any]]] = {}
    at_segment = 2 + _OF_LINE.index("segment")
    for row in rows:
        group = label_of([segment_in_words(row[p]) if p == at_segment else row[p] for p in differ])
        panels.setdefault(Measure(*row[:2]).column, {}).setdefault(group, []).append(
            (drawn.index((row[-5], row[-6] or "")) if is_by_run else row[-5], *row[-4:])
        )
    styles = styles_of(group for panel in panels.values() for group in panel)
    columns = min(len(panels), 3) or 1
    figure, grid = make_panels(len(panels), WIDTH if columns == 1 else None, 2.5)
    lines: dict[str, Any] = {}
    rings: list[Any] = []
    for (title, panel), axes in zip(panels.items(), grid, strict=True):
        for group, points in panel.items():
            times, means, lows, highs, significant = zip(*points, strict=True)
            lines[group] = draw_line_with_band(axes, times, means, lows, highs, styles[group])
            marked = [place for place, is_significant in enumerate(significant) if is_significant]
            if marked:
                rings = axes.plot(
                    [times[place] for place in marked],
                    [means[place] for place in marked],
                    linestyle="none", marker="o", markersize=9, markerfacecolor="none", color="black",
                )  # fmt: skip
        if is_by_run:
            _name_runs(axes, names, _MAX_LABELS[columns == 1])
        else:
            _date_runs(axes, maxticks=4 if columns > 1 else 7)
        axes.set_ylabel("mean")
        axes.margins(x=0.06, y=0.15)
        write_title(axes, title)
        clear_frame(axes, "y")
    by = "run" if is_by_run else "time (UTC)"
    figure.suptitle(f"Means over users by {by}, with confidence intervals{about_range(kinds)}")
    named = [(line, shorten(label)) for label, line in lines.items() if label]
    if rings:
        named.append((rings[0], f"differs significantly from {shorten(label_of([other_run]))}"))
    if named:
        signs, labels = zip(*named, strict=True)
        write_legend(figure, [*signs], [*labels])
    return figure


def _name_runs(axes: Axes, names: Sequence[str], most: int) -> None:
    """Write the names of runs below an axis of their numbers, at most so many."""
    # The last run always has its name.
    shown = range(len(names) - 1, -1, -(len(names) // (most + 1) + 1))[::-1]
    written = [shorten(label_of([names[place]]), 20) for place in shown]
    axes.set_xticks(list(shown), written)
    if sum(map(len, written)) > 4 * most:
        axes.tick_params(axis="x", rotation=30)
        for text in axes.get_xticklabels():
            text.set(ha="right", rotation_mode="anchor")


def _date_runs(axes: Axes, maxticks: int) -> None:
    """Write dates and times below an axis of time."""
    locator = AutoDateLocator(minticks=2, maxticks=maxticks)  # type: ignore[no-untyped-call]
    axes.xaxis.set_major_locator(locator)
    axes.xaxis.set_major_formatter(
        ConciseDateFormatter(locator, None, _TICKS, _REST, _FIRST_TICKS)  # type: ignore[no-untyped-call]
    )
