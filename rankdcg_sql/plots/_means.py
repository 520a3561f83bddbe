"""Plots of means: against k, of segments side by side, of checkpoints, and of runs over time."""

from __future__ import annotations

import re
from math import isfinite
from typing import TYPE_CHECKING, Any

from matplotlib.dates import AutoDateLocator, ConciseDateFormatter
from matplotlib.ticker import MaxNLocator

from rankdcg_sql._arguments import check_choice
from rankdcg_sql._errors import Argument, CallValueError, shown
from rankdcg_sql.evaluation._history.file import segment_in_words
from rankdcg_sql.evaluation._terms.metrics import Measure, chosen_measures, less_is_better_in_words
from rankdcg_sql.plots import _panels
from rankdcg_sql.plots._figure import FAINT, WIN

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from duckdb import DuckDBPyRelation
    from matplotlib.axes import Axes

    from rankdcg_sql.evaluation._results.interface import ComparisonLike, EvaluationLike
    from rankdcg_sql.plots._figure import Plot


@_panels.styled
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
    means = _panels.means_of(result)
    by_metric: dict[str, list[_panels.Mean]] = {}
    by_measure: dict[str, list[_panels.Mean]] = {}
    for mean in means:
        by_metric.setdefault(mean.metric, []).append(mean)
        by_measure.setdefault(Measure(mean.metric, mean.k).column, []).append(mean)
    chosen = [metrics] if isinstance(metrics, str) else list(by_metric if metrics is None else metrics)
    for metric in chosen:
        check_choice("metric_at_k", "metrics", metric, by_measure if "@" in str(metric) else by_metric)
    styles = _panels.styles_of(mean.group for mean in means)
    panels_of = {metric: by_metric.get(metric) or by_measure[metric] for metric in chosen}
    has_lines = any(len({mean.k for mean in drawn}) > 1 for drawn in panels_of.values())
    height = 2.5 if has_lines else _panels.height_of_rows(len(styles))
    figure, panels = _panels.make_panels(len(panels_of), width, height)
    lines: dict[str, Any] = {}
    for drawn, axes in zip(panels_of.values(), panels, strict=True):
        ks = sorted({mean.k for mean in drawn}, key=_whole_list_last)
        if len(ks) == 1:
            _draw_points(axes, drawn, styles)
            _panels.write_title(axes, Measure(drawn[0].metric, ks[0]).column)
        else:
            lines |= _draw_lines(axes, drawn, ks, styles)
            _panels.write_title(axes, drawn[0].metric)
    sources = [mean.interval_by for drawn in panels_of.values() for mean in drawn]
    sure = _panels.intervals_in_words(result.confidence, sources)
    less = less_is_better_in_words(mean.metric for drawn in panels_of.values() for mean in drawn)
    over = f"{result.words.plural}{result.weight_suffix()}"
    _panels.write_headline(figure, f"Means over {over}, with {sure}{less}")
    if len(lines) > 1:
        groups = ", ".join(_panels.groups_of(result))
        _panels.write_legend(figure, lines.values(), map(_panels.shorten, lines), groups)
    return figure


def _whole_list_last(k: int | None) -> tuple[bool, int]:
    """Return a key that sorts cutoffs in ascending order, and the whole list last."""
    return k is None, k or 0


def _draw_lines(
    axes: Axes, means: list[_panels.Mean], ks: list[int | None], styles: dict[str, dict[str, Any]]
) -> dict[str, Any]:
    """Draw the means of each group as a line, with the intervals as a band; return the lines by group."""
    lines = {}
    for group in dict.fromkeys(mean.group for mean in means):
        line = sorted((mean for mean in means if mean.group == group), key=lambda m: _whole_list_last(m.k))
        points = [(ks.index(m.k), m.mean, m.mean - m.below, m.mean + m.above) for m in line]
        lines[group] = _panels.draw_line_with_band(axes, points, styles[group])
    # At most 12 labels, and the last k always has one.
    labelled = range(len(ks) - 1, -1, -(len(ks) // 12 + 1))[::-1]
    axes.set_xticks(labelled, ["all" if ks[place] is None else str(ks[place]) for place in labelled])
    _panels.frame_lines(axes, "k")
    return lines


@_panels.styled
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
        call = Argument("evaluate(..., by=...)")
        raise CallValueError.about("segments", "evaluation", "must be an evaluation with segments: ", call)
    cells = [f"if(all_users, NULL, {cell})" for cell in evaluation.segment_cells]
    summary = evaluation.summary.project(
        ", ".join(["all_users", *cells, "metric", "k", _panels.MEANS])
    ).fetchall()
    measures = ((name, at) for *_, name, at, _, _, _, _ in summary)
    chosen = chosen_measures("segments", measures, metric, k)
    panels: dict[tuple[str, int | None], list[_panels.Mean]] = {measure: [] for measure in chosen}
    overall = {}
    for all_users, *segment, name, at, mean, below, above, interval_by in summary:
        if (name, at) in panels:
            label = evaluation.words.all_of_them if all_users else _panels.label_of(segment)
            panels[name, at].append(_panels.Mean(label, name, at, mean, below, above, interval_by))
            if all_users:
                overall[name, at] = mean
    rows = max((len(panel) for panel in panels.values()), default=1)
    figure, grid = _panels.make_panels(len(panels), width, _panels.height_of_rows(rows))
    styles = {
        mean.group: {"color": FAINT if mean.group == evaluation.words.all_of_them else WIN, "marker": "o"}
        for panel in panels.values()
        for mean in panel
    }
    for (measure, panel), axes in zip(panels.items(), grid, strict=False):
        _draw_points(axes, panel, styles)
        axes.axvline(overall[measure], color=FAINT, linewidth=1, linestyle="--", zorder=0)
        _panels.write_title(axes, Measure(*measure).column)
    by = ", ".join(evaluation.by)
    sources = (mean.interval_by for panel in panels.values() for mean in panel)
    sure = _panels.intervals_in_words(evaluation.confidence, sources)
    _panels.write_headline(figure, f"Means by {by}{evaluation.weight_suffix()}, with {sure}")
    return figure


def _draw_points(axes: Axes, means: list[_panels.Mean], styles: dict[str, dict[str, Any]]) -> None:
    """Draw the mean of each group as a point, with the interval as a bar, from top to bottom."""
    for place, mean in enumerate(means):
        reach = [[mean.below], [mean.above]]
        style = styles[mean.group] | {"linestyle": "none", "markersize": 6, "elinewidth": 2}
        axes.errorbar([mean.mean], [place], xerr=reach, **style)
    _panels.name_rows(axes, [mean.group for mean in means])
    axes.margins(x=0.15)
    axes.set_xlabel("mean")
    axes.xaxis.set_major_locator(MaxNLocator(5))
    _panels.clear_frame(axes, "x")


#: The name of a checkpoint: its model, and the number of its step.
_STEP = re.compile(r"(?P<model>.*?)(?P<number>[0-9]+(\.[0-9]+)?)", re.DOTALL)


@_panels.styled
def learning_curve(
    comparison: ComparisonLike,
    metric: str | None = None,
    k: int | None = None,
    steps: Mapping[str, float] | None = None,
    *,
    width: float | None = None,
) -> Plot:
    """Plot the means of a model's checkpoints against their steps, with confidence intervals.

    Parameters
    ----------
    comparison : Comparison
        The comparison to plot, over all users.
    metric, k, width
        As for `segments`.
    steps : mapping of str to number, optional
        The step, epoch or size of each checkpoint, keyed by the system's name. If not given, it is the number
        at the end of the name: 2000 for ``bert-2000``.

    Returns
    -------
    Plot
        A figure of Matplotlib. A panel for each metric and k has a line for each model: the checkpoints whose
        names are equal but for the number. A system without a step is a dashed level with its interval.

    Raises
    ------
    ValueError
        If fewer than two systems have steps, or if `steps` names an unknown system or has no finite number.
        Also if the comparison has no such metric, or the metric no such k.

    Examples
    --------
    >>> import rankdcg_sql
    >>> truth = {"userid": [1, 2, 3], "itemid": ["a", "b", "c"]}
    >>> items = {"popular": "abb", "bert-1000": "aba", "bert-2000": "abc"}
    >>> recs = {name: {"userid": [1, 2, 3], "itemid": [*of], "score": [1] * 3} for name, of in items.items()}
    >>> plot = rankdcg_sql.compare(truth, recs, k=1, metrics="recall").plot_learning_curve()
    >>> [text.get_text() for text in plot.legends[0].get_texts()]
    ['popular', 'bert']
    """
    checkpoints = _steps(list(comparison.evaluations), steps)
    rows = (
        _panels.plotted_rows(comparison.summary, comparison)
        .project(f"system, metric, k, {_panels.MEANS}")
        .fetchall()
    )
    chosen = chosen_measures("learning_curve", (row[1:3] for row in rows), metric, k)
    styles = _panels.styles_of(model for model, _ in checkpoints.values())
    figure, panels = _panels.make_panels(len(chosen), width, 2.5)
    lines: dict[str, Any] = {}
    for measure, axes in zip(chosen, panels, strict=True):
        lines |= _draw_curves(axes, [row for row in rows if row[1:3] == measure], checkpoints, styles)
        _panels.write_title(axes, Measure(*measure).column)
    sure = _panels.intervals_in_words(comparison.confidence, (interval_by for *_, interval_by in rows))
    less = less_is_better_in_words(name for name, _ in chosen)
    _panels.write_headline(figure, f"Means by step{comparison.weight_suffix()}, with {sure}{less}")
    if len(lines) > 1:
        drawn = {model: lines[model] for model in styles}
        _panels.write_legend(figure, drawn.values(), map(_panels.shorten, drawn))
    return figure


def _steps(systems: Sequence[str], steps: Mapping[str, float] | None) -> dict[str, tuple[str, float | None]]:
    """Return the label of each system's model, and its step; None if it has none."""
    where = ("learning_curve", "steps")  # the function and the argument that errors name
    checkpoints: dict[str, tuple[str, float | None]] = {}
    for system, step in ({} if steps is None else steps).items():
        check_choice(*where, system, systems)
        if isinstance(step, bool) or not isinstance(step, (int, float)) or not isfinite(step):
            given = f"must be numbers, got {shown(step)} for {shown(system)}"
            raise CallValueError.about(*where, given)
    for system in systems:
        parts = _STEP.fullmatch(system)
        number = None if steps is None else steps.get(system)
        if steps is None and parts:
            number = float(parts["number"])
        model = parts["model"].rstrip(" -_=:/@") if parts and number is not None else system
        checkpoints[system] = (_panels.label_of([model or "checkpoints"]), number)
    if sum(step is not None for _, step in checkpoints.values()) < 2:
        names = ", ".join(map(shown, systems))
        why = f"must give two systems or more a step: no two of {names} end in a number"
        raise CallValueError.about(*where, why if steps is None else why.partition(":")[0])
    return checkpoints


def _draw_curves(
    axes: Axes,
    rows: Iterable[tuple[Any, ...]],
    checkpoints: Mapping[str, tuple[str, float | None]],
    styles: Mapping[str, dict[str, Any]],
) -> dict[str, Any]:
    """Draw a line for each model, and a level for each system without a step; return them by label."""
    lines: dict[str, Any] = {}
    curves: dict[str, list[tuple[float, ...]]] = {}
    for system, _, _, mean, below, above, _ in rows:
        model, step = checkpoints[system]
        if step is not None:
            curves.setdefault(model, []).append((step, mean, mean - below, mean + above))
        else:
            level = {**styles[model], "marker": "", "linestyle": "--"}
            lines[model] = axes.axhline(mean, **level)
            axes.axhspan(mean - below, mean + above, color=level["color"], alpha=0.1, linewidth=0)
    for model, points in curves.items():
        lines[model] = _panels.draw_line_with_band(axes, sorted(points), styles[model])
    axes.xaxis.set_major_locator(MaxNLocator(4))
    # Without this, Matplotlib writes 100,000 and 100,001 as 0 and 1 and the rest at the end of the axis.
    axes.ticklabel_format(axis="x", style="plain", useOffset=False)
    _panels.frame_lines(axes, "step")
    return lines


#: SQL for what tells the lines of a panel apart.
_OF_LINE = (
    *("system", "segment", "options", "users", "interval", "confidence"),
    "coalesce('weighted by ' || weighted_by, 'without weights')",
    "if(corrected_by IS NULL, 'not corrected', 'corrected')",
)
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
#: The most letters of a run's name on an axis, and the mean number of them up to which names stand level.
_MAX_LETTERS, _LEVEL_LETTERS = 20, 4


@_panels.styled
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
    drawn = sorted({(run_at, label or "") for *_, label, run_at, _, _, _, _ in rows})
    is_short = bool(drawn) and (drawn[-1][0] - drawn[0][0]).total_seconds() < _LEAST_SPAN
    is_by_run = len(drawn) > 1 and (is_short or any(label for _, label in drawn))
    time = "%H:%M:%S" if is_short else "%d %b %H:%M"
    names = [label or f"{run_at:{time}}" for run_at, label in drawn]
    sources = [source for (source,) in runs.project("interval_by").fetchall()]
    # A line is named by the columns that are not the same in all rows.
    differ = [place for place, _ in enumerate(_OF_LINE, start=2) if len({row[place] for row in rows}) > 1]
    panels: dict[str, dict[str, list[Any]]] = {}
    at_segment = 2 + _OF_LINE.index("segment")
    for row in rows:
        *_, label, run_at, mean, low, high, is_significant = row
        group = _panels.label_of([segment_in_words(row[p]) if p == at_segment else row[p] for p in differ])
        panels.setdefault(Measure(*row[:2]).column, {}).setdefault(group, []).append(
            (drawn.index((run_at, label or "")) if is_by_run else run_at, mean, low, high, is_significant)
        )
    styles = _panels.styles_of(group for panel in panels.values() for group in panel)
    columns = min(len(panels), 3) or 1
    figure, grid = _panels.make_panels(len(panels), _panels.WIDTH if columns == 1 else None, 2.5)
    lines: dict[str, Any] = {}
    rings: list[Any] = []
    for (title, panel), axes in zip(panels.items(), grid, strict=True):
        for group, points in panel.items():
            lines[group] = _panels.draw_line_with_band(axes, (point[:4] for point in points), styles[group])
            marked = [(time, mean) for time, mean, _, _, is_significant in points if is_significant]
            if marked:
                rings = axes.plot(
                    *zip(*marked, strict=True),
                    linestyle="none", marker="o", markersize=9, markerfacecolor="none", color="black",
                )  # fmt: skip
        if is_by_run:
            _name_runs(axes, names, _MAX_LABELS[columns == 1])
        else:
            _date_runs(axes, maxticks=4 if columns > 1 else 7)
        _panels.frame_lines(axes, "", room=0.15)
        _panels.write_title(axes, title)
    by = "run" if is_by_run else "time (UTC)"
    figure.suptitle(f"Means over users by {by}, with confidence intervals{_panels.about_range(sources)}")
    lines.pop("", None)  # a line that is alone needs no legend
    labels = list(map(_panels.shorten, lines))
    if rings:
        labels.append(f"differs significantly from {_panels.shorten(_panels.label_of([other_run]))}")
    if labels:
        _panels.write_legend(figure, [*lines.values(), *rings], labels)
    return figure


def _name_runs(axes: Axes, names: Sequence[str], most: int) -> None:
    """Write at most `most` names of runs, evenly apart, below an axis of the numbers of runs."""
    # The last run always has its name, so places are counted from it, by the least step that leaves no more.
    step = len(names) // (most + 1) + 1
    shown = range(len(names) - 1, -1, -step)[::-1]
    written = [_panels.shorten(_panels.label_of([names[place]]), _MAX_LETTERS) for place in shown]
    axes.set_xticks(list(shown), written)
    if sum(map(len, written)) > _LEVEL_LETTERS * most:
        axes.tick_params(axis="x", rotation=30)
        for text in axes.get_xticklabels():
            text.set(ha="right", rotation_mode="anchor")


def _date_runs(axes: Axes, maxticks: int) -> None:
    """Write dates and times below an axis of time."""
    locator = AutoDateLocator(minticks=2, maxticks=maxticks)  # type: ignore[no-untyped-call]
    axes.xaxis.set_major_locator(locator)
    axes.xaxis.set_major_formatter(
        ConciseDateFormatter(  # type: ignore[no-untyped-call]
            locator, formats=_TICKS, offset_formats=_REST, zero_formats=_FIRST_TICKS
        )
    )
