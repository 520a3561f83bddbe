"""The plot of means by a judge that people correct."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from matplotlib.lines import Line2D

from rankdcg_sql.evaluation._terms.metrics import Measure, chosen_measures
from rankdcg_sql.plots import _panels
from rankdcg_sql.plots._figure import COLOURS, FAINT, INK, PAGE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

    from rankdcg_sql.evaluation._results.interface import JudgeCorrectedLike
    from rankdcg_sql.plots._figure import Plot

#: The marker, the colour and the colour inside for each source of a mean, and the source's word.
_SOURCES = {
    "judge": ("X", COLOURS[1], COLOURS[1]),
    "people": ("D", FAINT, PAGE),
    "corrected": ("o", INK, INK),
}


class _Row(NamedTuple):
    #: The measure.
    label: str
    #: The means or differences by the judge, by people, and corrected; NaN where there is none.
    judge: float
    people: float
    corrected: float
    #: The ends of the interval of the corrected one.
    low: float
    high: float


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
        The result of `rankdcg_sql.judge_corrected`. If it has several systems, their differences are plotted.
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
    panels: dict[str, list[_Row]] = {}
    for system, against, of_metric, of_k, *values in rows:
        if (of_metric, of_k) in chosen:
            title = _panels.pair_label(system, against) if has_pairs else ""
            panels.setdefault(title, []).append(_Row(Measure(of_metric, of_k).column, *values))

    def draw(axes: Axes, panel: Sequence[_Row]) -> None:
        if has_pairs:
            axes.axvline(0, color=FAINT, linewidth=1, zorder=1)
        for place, row in enumerate(panel):
            axes.plot([row.low, row.high], [place, place], color=INK, linewidth=2, solid_capstyle="butt")
            for source, value in zip(_SOURCES, (row.judge, row.people, row.corrected), strict=True):
                axes.plot([value], [place], **_look(source))
            text = _panels.signed(row.corrected) if has_pairs else f"{row.corrected:.4f}"
            _panels.write_beside(axes, place, text, is_bold=False)

    figure = _panels.draw_forest(width, panels, draw, "difference of means" if has_pairs else "mean")
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
