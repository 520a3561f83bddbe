"""The plot of checkpoints against their steps."""

from __future__ import annotations

import re
from math import isfinite
from typing import TYPE_CHECKING, Any

from matplotlib.ticker import MaxNLocator

from rankdcg_sql._errors import Argument, CallValueError, shown
from rankdcg_sql.evaluation._terms.checks import check_choice
from rankdcg_sql.evaluation._terms.metrics import Measure
from rankdcg_sql.plots._labels import intervals_in_words, label_of, shorten
from rankdcg_sql.plots._panels import (
    clear_frame,
    draw_line_with_band,
    make_panels,
    styled,
    styles_of,
    write_headline,
    write_legend,
    write_title,
)
from rankdcg_sql.plots._rows import MEANS, chosen_measures, plotted_rows

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from matplotlib.axes import Axes

    from rankdcg_sql.evaluation._results.interface import ComparisonLike
    from rankdcg_sql.plots._figure import Plot


#: The name of a checkpoint: its model, and the number of its step.
_STEP = re.compile(r"(?P<model>.*?)(?P<number>[0-9]+(\.[0-9]+)?)", re.DOTALL)


@styled
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
    metric : str, optional
        The metric to plot, alone or with its cutoff, such as ``ndcg@10``; all metrics if not given.
    k : int, optional
        The cutoff to plot; all cutoffs if not given.
    steps : mapping of str to number, optional
        The step, epoch or size of each checkpoint, keyed by the system's name. If not given, it is the number
        at the end of the name: 2000 for ``bert-2000``.
    width : float, optional
        The width of the plot in inches, from 2 to 100. It decides how many panels stand side by side.

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
    found = _steps(list(comparison.evaluations), steps)
    rows = plotted_rows(comparison.summary, comparison).project(f"system, metric, k, {MEANS}").fetchall()
    chosen = chosen_measures("learning_curve", (row[1:3] for row in rows), metric, k)
    styles = styles_of(model for model, _ in found.values())
    figure, panels = make_panels(len(chosen), width, 2.5)
    lines: dict[str, Any] = {}
    for measure, axes in zip(chosen, panels, strict=True):
        lines |= _draw_curves(axes, [row for row in rows if row[1:3] == measure], found, styles)
        write_title(axes, Measure(*measure).column)
    sure = intervals_in_words(comparison.confidence, (row[-1] for row in rows))
    write_headline(figure, f"Means by step, with {sure}")
    if len(lines) > 1:
        drawn = {model: lines[model] for model in styles}
        write_legend(figure, list(drawn.values()), list(map(shorten, drawn)))
    return figure


def _steps(systems: Sequence[str], steps: Mapping[str, float] | None) -> dict[str, tuple[str, float | None]]:
    """Return the label of each system's model, and its step; None if it has none."""
    where = ("learning_curve", "steps")
    found: dict[str, tuple[str, float | None]] = {}
    for system, step in ({} if steps is None else steps).items():
        check_choice(*where, system, systems)
        if isinstance(step, bool) or not isinstance(step, (int, float)) or not isfinite(step):
            given = f" must be numbers, got {shown(step)} for {shown(system)}"
            raise CallValueError(*where, Argument("steps"), given)
    for system in systems:
        parts = _STEP.fullmatch(system)
        number = None if steps is None else steps.get(system)
        if steps is None and parts:
            number = float(parts["number"])
        model = parts["model"].rstrip(" -_=:/@") if parts and number is not None else system
        found[system] = (label_of([model or "checkpoints"]), number)
    if sum(step is not None for _, step in found.values()) < 2:
        names = ", ".join(map(shown, systems))
        why = f" must give two systems or more a step: no two of {names} end in a number"
        raise CallValueError(*where, Argument("steps"), why if steps is None else why.partition(":")[0])
    return found


def _draw_curves(
    axes: Axes,
    rows: Iterable[tuple[Any, ...]],
    found: Mapping[str, tuple[str, float | None]],
    styles: Mapping[str, dict[str, Any]],
) -> dict[str, Any]:
    """Draw a line for each model, and a level for each system without a step; return them by label."""
    lines: dict[str, Any] = {}
    curves: dict[str, list[tuple[float, ...]]] = {}
    for system, _, _, mean, below, above, _ in rows:
        model, step = found[system]
        if step is not None:
            curves.setdefault(model, []).append((step, mean, mean - below, mean + above))
        else:
            level = {**styles[model], "marker": "", "linestyle": "--"}
            lines[model] = axes.axhline(mean, **level)
            axes.axhspan(mean - below, mean + above, color=level["color"], alpha=0.1, linewidth=0)
    for model, points in curves.items():
        places, means, lows, highs = zip(*sorted(points), strict=True)
        lines[model] = draw_line_with_band(axes, places, means, lows, highs, styles[model])
    axes.xaxis.set_major_locator(MaxNLocator(4))
    # Without this, Matplotlib writes 100,000 and 100,001 as 0 and 1 and the rest at the end of the axis.
    axes.ticklabel_format(axis="x", style="plain", useOffset=False)
    axes.set_xlabel("step")
    axes.set_ylabel("mean")
    axes.margins(x=0.06)
    clear_frame(axes, "y")
    return lines
