"""The plot of the differences of single users."""

from __future__ import annotations

from typing import TYPE_CHECKING

from matplotlib.ticker import MaxNLocator, PercentFormatter

from rankdcg_sql._sql import quote_name
from rankdcg_sql.evaluation._terms.metrics import Measure
from rankdcg_sql.plots._labels import pair_label
from rankdcg_sql.plots._panels import WIDTH, clear_frame, make_figure, styled, write_headline, write_title
from rankdcg_sql.plots._rows import equals, only_measure, plotted_rows
from rankdcg_sql.plots._theme import INK, LOSS, WIN, ZERO

if TYPE_CHECKING:
    from rankdcg_sql.evaluation._results.interface import ComparisonLike
    from rankdcg_sql.plots._figure import Plot


#: The most points of a curve over users.
_POINTS = 200


@styled
def user_differences(
    comparison: ComparisonLike, metric: str, k: int | None = None, *, width: float = WIDTH
) -> Plot:
    """Plot the differences of single users, sorted: how many gain and lose, and how much.

    Parameters
    ----------
    comparison : Comparison
        The comparison to plot, over all users.
    metric : str
        The metric to plot, alone or with its cutoff, such as ``ndcg@10``.
    k : int, optional
        The cutoff of the metric. If not given, it is the only k of the metric, or the whole list.
    width : float, optional
        The width of the plot in inches, from 2 to 100.

    Returns
    -------
    Plot
        A figure of Matplotlib. A panel for each system has a curve over the users with values of both
        systems, from the largest difference to the smallest. It has up to 201 points, at equal distances:
        quantiles that DuckDB computes, each the difference of a user. Texts give the shares of users who win
        and lose.

    Raises
    ------
    ValueError
        If the comparison has no such metric, or the metric no such k.
    """
    compared = plotted_rows(comparison.differences, comparison)
    counted = compared.project(
        "system, against, metric, k, n, wins / nullif(n, 0), losses / nullif(n, 0), wins, losses"
    ).fetchall()
    metric, k = only_measure("user_differences", (row[2:4] for row in counted), metric, k)
    pairs = [row for row in counted if row[2:4] == (metric, k)]
    figure = make_figure(width, 0.9 + 2.0 * len(pairs))
    grid = figure.subplots(len(pairs) or 1, squeeze=False, sharex=True, sharey=True).flat
    name = Measure(metric, k).column
    for (system, other, _, _, n, *shares_and_counts), axes in zip(pairs, grid, strict=False):
        write_title(axes, f"{pair_label(system, other)}: {comparison.words.count(n)}", width)
        places, values = _sorted_differences(comparison, system, other, metric, k)
        axes.axhline(0, color=ZERO, linewidth=1)
        for sign, colour in ((1, WIN), (-1, LOSS)):
            reached = [value * sign > 0 for value in values]
            axes.fill_between(places, values, 0, where=reached, color=colour, alpha=0.3, linewidth=0)
        axes.plot(places, values, color=INK, linewidth=1.4)
        axes.set_xlim(0, 1)
        # Room for the texts above and below the curve.
        axes.margins(y=0.25)
        texts = [("better", 0.02, 0.95, "left", "top"), ("worse", 0.98, 0.05, "right", "bottom")]
        for (word, x, y, across, up), share, count in zip(
            texts, shares_and_counts[:2], shares_and_counts[2:], strict=True
        ):
            if share is not None:
                text = f"{word} for {share:.1%} ({count:,})"
                axes.text(x, y, text, transform=axes.transAxes, ha=across, va=up, fontsize="small")
        axes.xaxis.set_major_formatter(PercentFormatter(1))
        axes.yaxis.set_major_locator(MaxNLocator(5))
        clear_frame(axes, "y")
    figure.axes[-1].set_xlabel(comparison.words.say("users, sorted by difference"))
    figure.supylabel(f"difference of {name}", size="medium")
    write_headline(figure, f"Differences of {name}, {comparison.words.say('user by user')}")
    return figure


def _sorted_differences(
    comparison: ComparisonLike, system: str, other: str, metric: str, k: int | None
) -> tuple[list[float], list[float]]:
    """Return shares of users and the quantiles of their differences there, in descending order."""
    values = comparison.per_user.filter(equals("metric", metric)).filter(equals("k", k))
    user = quote_name(next(iter(comparison.evaluations.values())).user)
    sides = [values.filter(equals("system", name)).project(f"{user}, value") for name in (system, other)]
    pairs = (
        sides[0].set_alias("a").join(sides[1].set_alias("b"), user).project("a.value - b.value AS difference")
    )
    shares = [place / _POINTS for place in range(_POINTS + 1)]
    ((quantiles,),) = pairs.aggregate(f"quantile_disc(difference, {shares})").fetchall()
    return (shares, quantiles[::-1]) if quantiles else ([], [])
