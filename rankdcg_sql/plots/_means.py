"""Plots of means: against k, and of segments side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from matplotlib.ticker import MaxNLocator

from rankdcg_sql._errors import Argument, CallValueError
from rankdcg_sql.evaluation._terms.checks import check_choice
from rankdcg_sql.evaluation._terms.metrics import Measure
from rankdcg_sql.plots._labels import intervals_in_words, label_of, shorten
from rankdcg_sql.plots._panels import (
    clear_frame,
    draw_line_with_band,
    height_of_rows,
    make_panels,
    name_rows,
    styled,
    styles_of,
    write_headline,
    write_legend,
    write_title,
)
from rankdcg_sql.plots._rows import MEANS, Mean, chosen_measures, groups_of, means_of
from rankdcg_sql.plots._theme import FAINT, WIN

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

    from rankdcg_sql.evaluation._results.interface import ComparisonLike, EvaluationLike
    from rankdcg_sql.plots._figure import Plot


@styled
def metric_at_k(
    result: EvaluationLike | ComparisonLike,
    metrics: str | Sequence[str] | None = None,
    *,
    width: float | None = None,
) -> Plot:
    """Plot the mean of each metric against k, a line for each system, with confidence intervals.

    Parameters
    ----------
    result : Evaluation or Comparison
        The result to plot. An evaluation by segments has a line for each segment, and a comparison one for
        each system, over all users.
    metrics : str or sequence of str, optional
        The metrics to plot, each in a panel of its own; all metrics of the result if not given. A name such
        as ``ndcg@10`` is that cutoff alone.
    width : float, optional
        The width of the plot in inches, from 2 to 100. It decides how many panels stand side by side; if it
        is not given, they are three at most.

    Returns
    -------
    Plot
        A figure of Matplotlib. The values of k are in ascending order at equal distances, and the whole list
        is the last. A metric with a single k is drawn as points with error bars.

    Raises
    ------
    ValueError
        If the result has no such metric, or the width is out of range.
    """
    means = means_of(result)
    known: dict[str, list[Mean]] = {}
    named: dict[str, list[Mean]] = {}
    for mean in means:
        known.setdefault(mean.metric, []).append(mean)
        named.setdefault(Measure(mean.metric, mean.k).column, []).append(mean)
    chosen = [metrics] if isinstance(metrics, str) else list(known if metrics is None else metrics)
    for metric in chosen:
        check_choice("metric_at_k", "metrics", metric, named if "@" in str(metric) else known)
    styles = styles_of(mean.group for mean in means)
    panels_of = {metric: known.get(metric) or named[metric] for metric in chosen}
    has_lines = any(len({mean.k for mean in drawn}) > 1 for drawn in panels_of.values())
    figure, panels = make_panels(len(panels_of), width, 2.5 if has_lines else height_of_rows(len(styles)))
    lines: dict[str, Any] = {}
    for drawn, axes in zip(panels_of.values(), panels, strict=True):
        ks = sorted({mean.k for mean in drawn}, key=_whole_list_last)
        if len(ks) == 1:
            _draw_points(axes, drawn, styles)
            write_title(axes, Measure(drawn[0].metric, ks[0]).column)
        else:
            lines |= _draw_lines(axes, drawn, ks, styles)
            write_title(axes, drawn[0].metric)
    kinds = [mean.interval_by for drawn in panels_of.values() for mean in drawn]
    sure = intervals_in_words(result.confidence, kinds)
    write_headline(figure, f"Means over {result.words.plural}, with {sure}")
    if len(lines) > 1:
        write_legend(
            figure, list(lines.values()), list(map(shorten, lines)), title=", ".join(groups_of(result))
        )
    return figure


def _whole_list_last(k: int | None) -> tuple[bool, int]:
    return k is None, k or 0


def _draw_lines(
    axes: Axes, means: list[Mean], ks: list[int | None], styles: dict[str, dict[str, Any]]
) -> dict[str, Any]:
    """Draw the means of each group as a line, with the intervals as a band; return the lines by group."""
    lines = {}
    for group in dict.fromkeys(mean.group for mean in means):
        line = sorted((mean for mean in means if mean.group == group), key=lambda m: _whole_list_last(m.k))
        places = [ks.index(mean.k) for mean in line]
        means_of_line = [mean.mean for mean in line]
        lows = [mean.mean - mean.below for mean in line]
        highs = [mean.mean + mean.above for mean in line]
        lines[group] = draw_line_with_band(axes, places, means_of_line, lows, highs, styles[group])
    # At most 12 labels, and the last k always has one.
    labelled = range(len(ks) - 1, -1, -(len(ks) // 12 + 1))[::-1]
    axes.set_xticks(labelled, ["all" if ks[place] is None else str(ks[place]) for place in labelled])
    axes.set_xlabel("k")
    axes.set_ylabel("mean")
    axes.margins(x=0.06)
    clear_frame(axes, "y")
    return lines


@styled
def segments(
    evaluation: EvaluationLike, metric: str | None = None, k: int | None = None, *, width: float | None = None
) -> Plot:
    """Plot the means of segments side by side, with confidence intervals.

    Parameters
    ----------
    evaluation : Evaluation
        An evaluation by segments.
    metric : str, optional
        The metric to plot, alone or with its cutoff, such as ``ndcg@10``; all metrics if not given.
    k : int, optional
        The cutoff to plot; all cutoffs if not given.
    width : float, optional
        The width of the plot in inches, from 2 to 100. It decides how many panels stand side by side.

    Returns
    -------
    Plot
        A figure of Matplotlib. A panel for each metric and k, with a row for each segment and one for all
        users, whose mean is a dashed line.

    Raises
    ------
    ValueError
        If the evaluation has no segments, no such metric, or the metric no such k.
    """
    if evaluation.kind != "evaluation" or not evaluation.by:
        raise CallValueError(
            "segments",
            "evaluation",
            Argument("evaluation"),
            " must be an evaluation with segments: ",
            Argument("evaluate(..., by=...)"),
        )
    cells = [f"if(all_users, NULL, {cell})" for cell in evaluation.segment_cells]
    found = evaluation.summary.project(", ".join(["all_users", *cells, "metric", "k", MEANS])).fetchall()
    chosen = chosen_measures("segments", (row[-6:-4] for row in found), metric, k)
    panels: dict[tuple[str, int | None], list[Mean]] = {measure: [] for measure in chosen}
    overall = {}
    for all_users, *segment, name, at, mean, below, above, interval_by in found:
        if (name, at) in panels:
            label = evaluation.words.all_of_them if all_users else label_of(segment)
            panels[name, at].append(Mean(label, name, at, mean, below, above, interval_by))
            if all_users:
                overall[name, at] = mean
    rows = max((len(panel) for panel in panels.values()), default=1)
    figure, grid = make_panels(len(panels), width, height_of_rows(rows))
    styles = {
        mean.group: {"color": FAINT if mean.group == evaluation.words.all_of_them else WIN, "marker": "o"}
        for panel in panels.values()
        for mean in panel
    }
    for (measure, panel), axes in zip(panels.items(), grid, strict=False):
        _draw_points(axes, panel, styles)
        axes.axvline(overall[measure], color=FAINT, linewidth=1, linestyle="--", zorder=0)
        write_title(axes, Measure(*measure).column)
    by = ", ".join(evaluation.by)
    kinds = (mean.interval_by for panel in panels.values() for mean in panel)
    write_headline(figure, f"Means by {by}, with {intervals_in_words(evaluation.confidence, kinds)}")
    return figure


def _draw_points(axes: Axes, means: list[Mean], styles: dict[str, dict[str, Any]]) -> None:
    """Draw the mean of each group as a point, with the interval as a bar, from top to bottom."""
    for place, mean in enumerate(means):
        reach = [[mean.below], [mean.above]]
        style = styles[mean.group] | {"linestyle": "none", "markersize": 6, "elinewidth": 2}
        axes.errorbar([mean.mean], [place], xerr=reach, **style)
    name_rows(axes, [mean.group for mean in means])
    axes.margins(x=0.15)
    axes.set_xlabel("mean")
    axes.xaxis.set_major_locator(MaxNLocator(5))
    clear_frame(axes, "x")
