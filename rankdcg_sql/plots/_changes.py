"""Plots of why a mean moved: its parts, and the users who decide."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator

from rankdcg_sql.evaluation._terms.metrics import Measure, chosen_measures, less_is_better
from rankdcg_sql.evaluation._terms.statistics import significance_level
from rankdcg_sql.plots import _panels
from rankdcg_sql.plots._figure import FAINT, INK, LOSS, PAGE, WIN, ZERO

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

    from rankdcg_sql.evaluation._results.interface import ChangeLike
    from rankdcg_sql.plots._figure import Plot


class _Part(NamedTuple):
    """A part of a change; the last one, ``total``, is the whole."""

    #: The metric.
    metric: str
    #: The cutoff; None for the whole list.
    k: int | None
    #: The name of the part.
    name: str
    #: The mean before the part, and after it.
    start: float
    stop: float
    difference: float
    #: The mean after the part, had it been as small or as large as its interval allows; NaN without one.
    low: float
    high: float
    is_significant: bool


@_panels.styled
def change_parts(
    change: ChangeLike, metric: str | None = None, k: int | None = None, *, width: float = _panels.WIDTH
) -> Plot:
    """Plot the parts of a change as a waterfall: the mean before, each part, and the mean after.

    Parameters
    ----------
    change : Change
        The change to plot.
    metric : str, optional
        The metric to plot, alone or with its cutoff, such as ``ndcg@10``; all metrics if not given.
    k : int, optional
        The cutoff to plot; all cutoffs if not given.
    width : float, optional
        The width of the plot in inches, from 2 to 100.

    Returns
    -------
    Plot
        A figure of Matplotlib with a panel for each metric and k. The first row is the mean before, and the
        last the mean after. The bar of a part leads from one mean to the next, and is filled if the part is
        significant, in the colour of better or of worse values; the line on it is the part's interval. The
        interval in the last row is that of the whole difference.

    Raises
    ------
    ValueError
        If the change has no such metric, or the metric no such k.
    """
    before = "max(before) FILTER (part = 'total') OVER (PARTITION BY metric, k)"
    earlier = "PARTITION BY metric, k ORDER BY nth ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING"
    moved = f"if(part = 'total', 0, coalesce(sum(difference) OVER ({earlier}), 0))"
    of_all = (
        change.parts.project(f"*, list_position({[*change.words.parts]}, part) AS nth")
        .project(f"*, {before} + {moved} AS start, coalesce(p_corrected, p_value) AS p")
        .order("nth")
        .project(
            "metric, k, part, start, start + difference, difference, "
            "coalesce(start + low, 'nan'), coalesce(start + high, 'nan'), "
            f"coalesce(p < {significance_level(change.confidence)}, false)"
        )
        .fetchall()
    )
    chosen = chosen_measures("change_parts", measures_of(change), metric, k)
    # Rows of several measures are in no order.
    rows = [_Part(*row) for measure in chosen for row in of_all if row[:2] == measure]
    figure, stack = _panels.stack_panels(
        width, 1.5 + 2.3 * len(chosen), [1] * len(chosen), is_one_scale=False
    )
    for measure, axes in zip(chosen, stack, strict=False):
        parts = [part for part in rows if part[:2] == measure]
        names = [change.words.parts[part.name] for part in parts if part.name != "total"]
        _draw_waterfall(axes, parts, ["before", *names, "after"])
        _panels.write_title(axes, Measure(*measure).column)
        axes.set_xlabel("mean")
        axes.xaxis.set_major_locator(MaxNLocator(5 if width > 5 else 3, steps=[1, 2, 5, 10]))
    _panels.write_headline(
        figure, f"Why means moved, with {_panels.intervals_in_words(change.confidence, ())}"
    )
    shown = dict.fromkeys(_look(part) for part in rows if part.name != "total")
    signs = [Patch(facecolor=inside, edgecolor=edge) for _, edge, inside, _ in shown]
    _panels.write_legend(figure, signs, [text for *_, text in shown])
    return figure


def _look(part: _Part) -> tuple[str, str, str, str]:
    """Return the sign before a part's number, the colours of its bar, and its name in the legend."""
    if not part.is_significant:
        return "", FAINT, "none", "undecided"
    is_up, less = part.difference > 0, less_is_better(part.metric)
    sign = "\N{BLACK UP-POINTING TRIANGLE} " if is_up else "\N{BLACK DOWN-POINTING TRIANGLE} "
    colour = WIN if is_up != less else LOSS
    text = f"{'raises' if is_up else 'lowers'} the mean"
    if less:  # a figure may have measures of both kinds, with a direction in both colours
        text += f", for the {'worse' if is_up else 'better'}"
    return sign, colour, colour, text


def _draw_waterfall(axes: Axes, parts: Sequence[_Part], labels: Sequence[str]) -> None:
    """Draw the means before and after as points, and between them the parts as bars."""
    for place, part in enumerate(parts, start=1):
        sign, edge, inside, _ = _look(part)
        if part.name == "total":
            axes.plot([part.low, part.high], [place, place], color=INK, linewidth=2, solid_capstyle="butt")
            axes.plot([part.start, part.stop], [0, place], linestyle="none", marker="o", color=INK)
            _panels.write_beside(axes, 0, f"{part.start:.4f}", is_bold=False)
            _panels.write_beside(axes, place, f"{part.stop:.4f}", is_bold=False)
            _panels.write_beside(
                axes, place + 0.55, sign + _panels.signed(part.difference), is_bold=part.is_significant
            )
            continue
        axes.barh(
            place, part.difference, 0.56, part.start,
            facecolor=inside, edgecolor=edge, linewidth=1.2,
        )  # fmt: skip
        # An edge in the colour of the page sets the interval apart from a filled bar.
        if part.is_significant:
            axes.plot([part.low, part.high], [place, place], color=PAGE, linewidth=3.6)
        axes.plot([part.low, part.high], [place, place], color=INK, linewidth=1.4)
        # A thin line leads from the end of a part to the next row.
        axes.plot([part.stop, part.stop], [place, place + 1], color=ZERO, linewidth=0.8, zorder=0)
        number = _panels.signed(part.difference)
        _panels.write_beside(axes, place, sign + number, is_bold=part.is_significant)
    if parts:
        axes.plot([parts[0].start] * 2, [0, 1], color=ZERO, linewidth=0.8, zorder=0)
    _panels.name_rows(axes, labels)
    # The whole difference stands below the mean after.
    axes.set_ylim(len(parts) + 0.9, -0.6)
    axes.margins(x=0.06)
    _panels.clear_frame(axes, "x")
    axes.spines["left"].set_visible(False)


def measures_of(change: ChangeLike) -> list[tuple[str, int | None]]:
    """Return the metrics of a change with their cutoffs."""
    return [(measure.metric, measure.k) for measure in change.measures]


#: The most points of a curve over users.
_POINTS = 200


@_panels.styled
def cumulative_change(
    change: ChangeLike, metric: str | None = None, k: int | None = None, *, width: float = _panels.WIDTH
) -> Plot:
    """Plot how much of a change the users make up who decide most.

    Parameters
    ----------
    change, metric, k, width
        As for `change_parts`.

    Returns
    -------
    Plot
        A figure of Matplotlib with a panel for each metric and k. Users are sorted by their share: those who
        moved the mean furthest in the direction of the change come first. The curve is the sum of the shares
        down to a user. It rises above the whole change, which is a dashed line, if users with opposite shares
        follow. It has about 200 points, which DuckDB selects.

    Raises
    ------
    ValueError
        If the change has no such metric, or the metric no such k.
    """
    chosen = chosen_measures("cumulative_change", measures_of(change), metric, k)
    figure, stack = _panels.stack_panels(
        width, 0.9 + 2.1 * len(chosen), [1] * len(chosen), is_one_scale=False
    )
    for measure, axes in zip(chosen, stack, strict=False):
        _panels.write_title(axes, Measure(*measure).column)
        _draw_cumulative(axes, change, measure)
        axes.set_xlabel(change.words.say("users, those who decide most first"))
    figure.supylabel("change of the mean", size="medium")
    _panels.write_headline(figure, change.words.say("How many users make up the change"))
    return figure


def _draw_cumulative(axes: Axes, change: ChangeLike, measure: tuple[str, int | None]) -> None:
    """Draw the curve of one measure, and say how many users make up half of the change."""
    metric, k = measure
    users = change.deciding_users.filter(_panels.equals("metric", metric)).filter(_panels.equals("k", k))
    counted = users.project(
        "place, n, cumulative, share, min(if(share >= 0.5, place, NULL)) OVER () AS half, "
        "max_by(cumulative, place) OVER () AS whole"
    )
    sampled = f"(place - 1) % greatest(1, n // {_POINTS}) = 0"
    rows = counted.filter(f"place = n OR place = half OR {sampled}").order("place").fetchall()
    if rows:
        *_, half, whole = rows[0]
        axes.axhline(0, color=ZERO, linewidth=1)
        axes.axhline(whole, color=FAINT, linewidth=1, linestyle="--")
        places, heights = [0, *(row[0] for row in rows)], [0.0, *(row[2] for row in rows)]
        text = f"whole change: {_panels.signed(whole)}"
        # The curve reaches the line from the side that is away from 0, so the other side is free.
        below = whole > 0
        axes.annotate(
            text, (rows[-1][0], whole), (-2, -2 if below else 2), textcoords="offset points",
            ha="right", va="top" if below else "bottom", size="small", color=FAINT,
        )  # fmt: skip
        colour = WIN if (whole > 0) != less_is_better(metric) else LOSS
        axes.fill_between(places, heights, 0, color=colour, alpha=0.15, linewidth=0)
        axes.plot(places, heights, color=INK, linewidth=1.4)
        if half is not None:
            (at_half,) = [row[2] for row in rows if row[0] == half]
            axes.plot([half], [at_half], marker="o", color=INK)
            axes.annotate(
                f"half of it: {change.words.count(half)} of {rows[0][1]:,}",
                (half, at_half), (8, -1), textcoords="offset points", va="center", size="small",
            )  # fmt: skip
    axes.margins(x=0.02, y=0.12)
    axes.xaxis.set_major_locator(MaxNLocator(5, integer=True))
    axes.yaxis.set_major_locator(MaxNLocator(5))
    _panels.clear_frame(axes, "y")
