"""The plot of the differences of means, as a forest plot."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator

from rankdcg_sql.evaluation._terms.metrics import Measure
from rankdcg_sql.plots._labels import intervals_in_words, label_of, pair_label
from rankdcg_sql.plots._panels import (
    WIDTH,
    clear_frame,
    name_rows,
    stack_panels,
    styled,
    write_headline,
    write_legend,
    write_title,
)
from rankdcg_sql.plots._rows import chosen_measures
from rankdcg_sql.plots._theme import COLOURS, FAINT, LOSS, PAGE, TIE, WIN

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from rankdcg_sql.evaluation._results.interface import ComparisonLike
    from rankdcg_sql.plots._figure import Plot


class _Look(NamedTuple):
    #: The word in the legend; empty if it is that of the verdict.
    text: str
    marker: str
    colour: str
    #: The sign before the number.
    sign: str


_VERDICTS = {
    "better": _Look("better", "^", WIN, "\N{BLACK UP-POINTING TRIANGLE} "),
    "worse": _Look("worse", "v", LOSS, "\N{BLACK DOWN-POINTING TRIANGLE} "),
    "same": _Look("undecided", "o", FAINT, ""),
    "untested": _Look("no test", "d", FAINT, ""),
}
#: How the alternative of a margin looks if it is shown.
_SHOWN = _Look("", "s", COLOURS[2], "")


class _Difference(NamedTuple):
    #: The label of the row.
    label: str
    #: The mean difference; NaN where there is none.
    difference: float
    #: The lower end of the interval.
    low: float
    #: The upper end of the interval.
    high: float
    #: The decision, as `Comparison.verdict_in_sql` selects it.
    verdict: str
    #: The source of the interval, as `interval_by` has it; None if there is none.
    interval_by: str | None


@styled
def differences(
    comparison: ComparisonLike, metric: str | None = None, k: int | None = None, *, width: float = WIDTH
) -> Plot:
    """Plot the mean differences of systems with their confidence intervals, as a forest plot.

    Parameters
    ----------
    comparison : Comparison
        The comparison to plot.
    metric : str, optional
        The metric to plot, alone or with its cutoff, such as ``ndcg@10``; all metrics if not given.
    k : int, optional
        The cutoff to plot; all cutoffs if not given.
    width : float, optional
        The width of the plot in inches, from 2 to 100.

    Returns
    -------
    Plot
        A figure of Matplotlib. A panel for each system, titled with the system less the baseline, has a row
        for each metric and k, and if there are segments, for each segment. If there is only one metric and k,
        and no segment, a single panel has a row for each system. A line marks the difference 0, and a band
        the margin of the comparison, if there is one. The marker is a triangle up or down if the difference
        is significant, a square if the alternative of the margin is shown, a hollow circle if nothing is
        shown, and a hollow diamond if there is no test. All panels have one scale.

    Raises
    ------
    ValueError
        If the comparison has no such metric, or the metric no such k.
    """
    numbers = ", ".join(f"coalesce({name}, 'nan')::DOUBLE" for name in ("difference", "low", "high"))
    segment = f"[{', '.join(comparison.segment_cells)}]::VARCHAR[]"
    found = comparison.differences.project(
        f"system, against, {segment}, metric, k, {numbers}, {comparison.verdict_in_sql}, interval_by"
    ).fetchall()
    chosen = chosen_measures("differences", (row[3:5] for row in found), metric, k)
    single = len(chosen) == 1 and not comparison.by
    panels: dict[str, list[_Difference]] = {}
    for system, other, of, name, at, *drawn in found:
        if (name, at) not in chosen:
            continue
        pair = pair_label(system, other)
        at_k = Measure(name, at).column
        title, row = (at_k, pair) if single else (pair, at_k)
        if comparison.by:
            label = label_of([part for part in of if part != ""])
            title, row = (f"{pair}, {at_k}", label) if len(chosen) <= 4 else (pair, f"{at_k}, {label}")
        panels.setdefault(title, []).append(_Difference(row, *drawn))
    rows = sum(map(len, panels.values()))
    height = 1.45 + 0.42 * len(panels) + 0.3 * rows
    figure, stack = stack_panels(width, height, [len(panel) + 0.4 for panel in panels.values()])
    for (title, panel), axes in zip(panels.items(), stack, strict=False):
        _draw_differences(axes, panel, _band(comparison))
        write_title(axes, title, width)
    last = figure.axes[-1]
    last.set_xlabel("difference of means")
    last.xaxis.set_major_locator(MaxNLocator(5 if width > 5 else 3, symmetric=False))
    intervals_by = (row.interval_by for panel in panels.values() for row in panel)
    sure = intervals_in_words(comparison.confidence, intervals_by)
    write_headline(figure, f"Differences of means, with {sure}")
    kinds = dict.fromkeys(row.verdict for panel in panels.values() for row in panel)
    keys: list[Any] = [
        Line2D([], [], linestyle="none", label=_VERDICTS.get(kind, _SHOWN).text or kind, **_marker(kind))
        for kind in sorted(kinds, key=[*_VERDICTS, *kinds].index)
    ]
    if comparison.margin:
        keys.append(Patch(facecolor=TIE, alpha=0.5, label=f"margin {comparison.margin:g}"))
    write_legend(figure, keys, [key.get_label() for key in keys])
    return figure


def _band(comparison: ComparisonLike) -> tuple[float, float] | None:
    """Return the differences that do not matter, from low to high; None if there is no margin."""
    if not comparison.margin:
        return None
    low, high = {"less": (0, 1), "greater": (-1, 0)}.get(comparison.alternative, (-1, 1))
    return low * comparison.margin, high * comparison.margin


def _draw_differences(axes: Axes, rows: list[_Difference], band: tuple[float, float] | None) -> None:
    """Draw differences as points with intervals, from top to bottom, with their numbers at the right."""
    if band:
        axes.axvspan(*band, facecolor=TIE, alpha=0.5, linewidth=0, zorder=0)
    axes.axvline(0, color=FAINT, linewidth=1, zorder=1)
    for place, row in enumerate(rows):
        look = _VERDICTS.get(row.verdict, _SHOWN)
        axes.plot([row.low, row.high], [place, place], color=look.colour, linewidth=2, solid_capstyle="butt")
        axes.plot([row.difference], [place], linestyle="none", **_marker(row.verdict))
        number = (
            f"{row.difference:+.4f}".replace("-", "\N{MINUS SIGN}")
            if row.difference == row.difference
            else "\N{EN DASH}"
        )
        axes.text(
            1.02,
            place,
            look.sign + number,
            transform=axes.get_yaxis_transform(),
            va="center",
            fontsize="small",
            fontweight="normal" if look.colour == FAINT else "bold",
        )
    name_rows(axes, [row.label for row in rows])
    axes.margins(x=0.06)
    clear_frame(axes, "x")
    axes.spines["left"].set_visible(False)


def _marker(verdict: str) -> dict[str, Any]:
    """Return the marker of a verdict; hollow if nothing is shown or tested."""
    look = _VERDICTS.get(verdict, _SHOWN)
    inside = PAGE if look.colour == FAINT else look.colour
    return {
        "marker": look.marker,
        "color": look.colour,
        "markerfacecolor": inside,
        "markersize": 7,
        "markeredgewidth": 1.5,
    }
