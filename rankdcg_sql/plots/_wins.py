"""The plot of wins, ties and losses."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from matplotlib.ticker import PercentFormatter

from rankdcg_sql.evaluation._terms.metrics import Measure
from rankdcg_sql.plots._labels import label_of, pair_label
from rankdcg_sql.plots._panels import WIDTH, name_rows, stack_panels, styled, write_legend, write_title
from rankdcg_sql.plots._rows import chosen_measures, plotted_rows
from rankdcg_sql.plots._theme import INK, LOSS, PAGE, TIE, WIN

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from rankdcg_sql.evaluation._results.interface import ComparisonLike
    from rankdcg_sql.plots._figure import Plot


@styled
def wins(
    comparison: ComparisonLike, metric: str | None = None, k: int | None = None, *, width: float = WIDTH
) -> Plot:
    """Plot the share of users for whom a system wins, ties and loses against the baseline.

    Parameters
    ----------
    comparison : Comparison
        The comparison to plot, over all users.
    metric : str, optional
        The metric to plot, alone or with its cutoff, such as ``ndcg@10``; all metrics if not given.
    k : int, optional
        The cutoff to plot; all cutoffs if not given.
    width : float, optional
        The width of the plot in inches, from 2 to 100.

    Returns
    -------
    Plot
        A figure of Matplotlib. A panel for each system, with a bar for each metric and k. If there is only
        one metric and k, a single panel with a bar for each system.

    Raises
    ------
    ValueError
        If the comparison has no such metric, or the metric no such k.
    """
    shown_rows = plotted_rows(comparison.differences, comparison)
    rows = shown_rows.project(
        "system, against, metric, k, "
        "wins / nullif(n, 0), ties / nullif(n, 0), losses / nullif(n, 0), "
        "wins, ties, losses"
    ).fetchall()
    rows = [
        row for row in rows if row[2:4] in chosen_measures("wins", (each[2:4] for each in rows), metric, k)
    ]
    single = len({row[2:4] for row in rows}) == 1
    panels: dict[str, dict[str, tuple[Any, ...]]] = {}
    for system, other, name, at, *numbers in rows:
        pair = pair_label(system, other, "against")
        at_k = Measure(name, at).column
        # The baseline is the same in all bars of a panel, unless all pairs are compared.
        bar = pair if comparison.baseline is None else label_of([system])
        title, bar = (at_k, bar) if single else (pair, at_k)
        panels.setdefault(title, {})[bar] = tuple(numbers)
    bars = sum(map(len, panels.values()))
    height = 1.3 + 0.45 * len(panels) + 0.36 * bars
    figure, stack = stack_panels(width, height, [len(panel) + 0.5 for panel in panels.values()])
    for (title, panel), axes in zip(panels.items(), stack, strict=False):
        _draw_wins(axes, panel)
        write_title(axes, title, width)
    last = figure.axes[-1]
    last.set_xlabel(comparison.words.say("users with values of both systems"))
    last.xaxis.set_major_formatter(PercentFormatter(1))
    write_legend(figure, *figure.axes[0].get_legend_handles_labels())
    return figure


def _draw_wins(axes: Axes, bars: dict[str, tuple[Any, ...]]) -> None:
    """Draw stacked bars of shares that add up to 1, with counts if a part is wide enough."""
    kinds = [("wins", WIN, PAGE), ("ties", TIE, INK), ("losses", LOSS, PAGE)]
    left = [0.0] * len(bars)
    for number, (label, colour, ink) in enumerate(kinds):
        shares = [values[number] or 0.0 for values in bars.values()]
        drawn = axes.barh(range(len(bars)), shares, 0.72, left, color=colour, label=label)
        counts = [values[number + 3] for values in bars.values()]
        texts = [f"{count:,}" if share > 0.07 else "" for count, share in zip(counts, shares, strict=True)]
        axes.bar_label(drawn, texts, label_type="center", color=ink, fontsize="small")
        left = [start + share for start, share in zip(left, shares, strict=True)]
    name_rows(axes, list(bars), room=0.5)
    axes.set_xlim(0, 1)
    axes.spines[:].set_visible(False)
