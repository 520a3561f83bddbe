"""The plot of means by a judge that people correct."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from rankdcg_sql.evaluation._terms.metrics import Measure, chosen_measures
from rankdcg_sql.plots import _panels
from rankdcg_sql.plots._figure import COLOURS, FAINT, INK, PAGE

if TYPE_CHECKING:
    from rankdcg_sql.evaluation._results.interface import JudgeCorrectedLike
    from rankdcg_sql.plots._figure import Plot

#: The marker, the colour and the colour inside for each source of a mean, and the source's word.
_SOURCES = {
    "judge": ("X", COLOURS[1], COLOURS[1]),
    "people": ("D", FAINT, PAGE),
    "corrected": ("o", INK, INK),
}


@_panels.styled
def judgements(
    corrected: JudgeCorrectedLike,
    metric: str | None = None,
    k: int | None = None,
    *,
    width: float = _panels.WIDTH,
) -> Plot:
    """Plot means by a judge and by people, and the corrected means with their intervals.

    Parameters
    ----------
    corrected : JudgeCorrected
        The result of `rankdcg_sql.judge_corrected`. Of several systems, their differences are plotted.
    metric : str, optional
        The metric to plot, alone or with its cutoff, such as ``ndcg@10``; all metrics if not given.
    k : int, optional
        The cutoff to plot; all cutoffs if not given.
    width : float, optional
        The width of the plot in inches, from 2 to 100.

    Returns
    -------
    Plot
        A figure of Matplotlib. A panel for each pair of systems has a row for each metric and k, over all
        users: a cross for the judge, a hollow diamond for people, and a circle for the corrected mean, with
        its interval and its number.

    Raises
    ------
    ValueError
        If the result has no such metric, or the metric no such k.
    """
    has_pairs = bool(corrected.pairs)
    relation = corrected.differences if has_pairs else corrected.summary
    shown = relation.filter("all_users") if corrected.by else relation
    names = ("system", "against", "difference") if has_pairs else ("''", "''", "mean")
    number, judge, people = names[2], *(f"{names[2]}_{side}" for side in ("judge", "human"))
    numbers = ", ".join(f"coalesce({name}, 'nan')::DOUBLE" for name in (judge, people, number, "low", "high"))
    rows = shown.project(f"{names[0]}, {names[1]}, metric, k, {numbers}").fetchall()
    chosen = chosen_measures("judgements", (row[2:4] for row in rows), metric, k)
    panels: dict[str, list[tuple[str, tuple[float, ...]]]] = {}
    for system, against, of_metric, of_k, *values in rows:
        if (of_metric, of_k) in chosen:
            title = _panels.pair_label(system, against) if has_pairs else ""
            panels.setdefault(title, []).append((Measure(of_metric, of_k).column, tuple(values)))
    height = 1.45 + 0.42 * len(panels) + 0.3 * sum(map(len, panels.values()))
    figure, stack = _panels.stack_panels(width, height, [len(panel) + 0.4 for panel in panels.values()])
    for (title, panel), axes in zip(panels.items(), stack, strict=False):
        if has_pairs:
            axes.axvline(0, color=FAINT, linewidth=1, zorder=1)
        for place, (_, (by_judge, by_people, mean, low, high)) in enumerate(panel):
            axes.plot([low, high], [place, place], color=INK, linewidth=2, solid_capstyle="butt")
            for source, value in zip(_SOURCES, (by_judge, by_people, mean), strict=True):
                axes.plot([value], [place], **_look(source))
            text = _panels.signed(mean) if has_pairs else f"{mean:.4f}"
            _panels.write_beside(axes, place, text, is_bold=False)
        _panels.name_rows(axes, [label for label, _ in panel])
        axes.margins(x=0.06)
        _panels.clear_frame(axes, "x")
        axes.spines["left"].set_visible(False)
        _panels.write_title(axes, title, width)
    last = figure.axes[-1]
    last.set_xlabel("difference of means" if has_pairs else "mean")
    last.xaxis.set_major_locator(MaxNLocator(5 if width > 5 else 3, symmetric=False))
    kind = "Differences" if has_pairs else "Means"
    sure = f"{_panels.percent(corrected.confidence)} interval"
    _panels.write_headline(figure, f"{kind} by a judge, by people, and corrected with its {sure}")
    signs = [Line2D([], [], label=source, **_look(source)) for source in _SOURCES]
    _panels.write_legend(figure, signs, list(_SOURCES))
    return figure


def _look(source: str) -> dict[str, Any]:
    marker, colour, inside = _SOURCES[source]
    look = {"marker": marker, "color": colour, "markerfacecolor": inside, "linestyle": "none"}
    return {**look, "markersize": 7, "markeredgewidth": 1.5}
