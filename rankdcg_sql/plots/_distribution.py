"""The plot of how values are distributed over users."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from matplotlib.ticker import MaxNLocator, PercentFormatter

from rankdcg_sql._sql import quote_name
from rankdcg_sql.evaluation._terms.metrics import Measure, measures_of_single_users, only_measure
from rankdcg_sql.plots import _panels
from rankdcg_sql.plots._figure import INK, ZERO

if TYPE_CHECKING:
    from duckdb import DuckDBPyRelation

    from rankdcg_sql.evaluation._results.interface import ComparisonLike, EvaluationLike
    from rankdcg_sql.evaluation._terms.counts import Unit
    from rankdcg_sql.plots._figure import Plot


_BINS = 20


@_panels.styled
def distribution(
    result: EvaluationLike | ComparisonLike,
    metric: str,
    k: int | None = None,
    *,
    width: float = _panels.WIDTH,
) -> Plot:
    """Plot the distribution of a metric over users, a histogram for each system.

    Parameters
    ----------
    result : Evaluation or Comparison
        The result to plot. An evaluation by segments has a histogram for each segment, and a comparison one
        for each system, over all users.
    metric : str
        The metric to plot, alone or with its cutoff, such as ``ndcg@10``.
    k : int, optional
        The cutoff of the metric. If not given, it is the only k of the metric, or the whole list.
    width : float, optional
        The width of the plot in inches, from 2 to 100.

    Returns
    -------
    Plot
        A figure of Matplotlib. A separate bar shows the users whose value is exactly 0. They are often the
        majority.

    Raises
    ------
    ValueError
        If the result has no such metric, or the metric no such k, or no single user has a value of it.
    """
    groups = _panels.groups_of(result)
    # Only these columns are read, so that DuckDB computes no interval.
    shown = _panels.plotted_rows(result.summary, result)
    rows = shown.project(", ".join([*map(quote_name, groups), "metric", "k"])).fetchall()
    of_users = measures_of_single_users("distribution", (row[-2:] for row in rows), metric)
    metric, k = only_measure("distribution", of_users, metric, k)
    values = result.per_user.filter(_panels.equals("metric", metric)).filter(_panels.equals("k", k))
    labels = dict.fromkeys(_panels.label_of(row[:-2]) for row in rows)
    return _histograms(values, groups, list(labels), Measure(metric, k).column, width, result.words)


def _histograms(
    values: DuckDBPyRelation, groups: list[str], labels: list[str], name: str, inches: float, words: Unit
) -> Plot:
    """Draw a histogram of shares of users for each label."""
    names = [quote_name(group) for group in groups]
    # The columns of groups alone, and before others in a list.
    by, first = ", ".join(names), "".join(f"{name}, " for name in names)
    counted = values.aggregate(
        f"{first}avg(value), count(value), count(*) - count(value), min(value), max(value)", by
    )
    facts: dict[str, tuple[float | None, int, int]] = {}
    ends: list[Any] = [0.0, 1.0]  # the axis covers 0 to 1, and values beyond if there are any
    for *group, mean, defined, undefined, least, most in counted.fetchall():
        facts[_panels.label_of(group)] = mean, defined, undefined
        ends += [end for end in (least, most) if end is not None]
    low, high = min(ends), max(ends)
    width = (high - low) / _BINS
    # Bin NULL has the values that are exactly 0.
    binned = values.filter("value IS NOT NULL").project(
        f"{first}CASE WHEN value <> 0 "
        f"THEN least(floor((value - {low!r}) * {_BINS} / {high - low!r}), {_BINS - 1})::INTEGER END "
        "AS rankdcg_bin"
    )
    shares = binned.aggregate(
        f"{first}rankdcg_bin, count(*) / sum(count(*)) OVER ({by and 'PARTITION BY ' + by})",
        f"{first}rankdcg_bin",
    )
    bars: dict[str, dict[int | None, float]] = {label: {} for label in labels}
    for *group, number, share in shares.order(f"{first}rankdcg_bin").fetchall():
        bars[_panels.label_of(group)][number] = share
    figure = _panels.make_figure(inches, 1.5 + 1.35 * len(labels))
    grid = figure.subplots(len(labels), squeeze=False, sharex=True, sharey=True).flat
    styles = _panels.styles_of(labels)
    # The bar of zeros stands apart, at the left of all values. A bar fills 0.92 of its bin.
    zero_left, zero_middle = low - 2 * width, low - 1.54 * width
    for label, axes in zip(labels, grid, strict=True):
        mean, defined, undefined = facts.get(label, (None, 0, 0))
        zero = bars[label].pop(None, 0)
        places = [low + width * number for number in bars[label]]
        axes.bar(places, bars[label].values(), width * 0.92, align="edge", color=styles[label]["color"])
        axes.bar(zero_left, zero, width * 0.92, align="edge", color=ZERO)
        text = f"{zero:.0%}"
        axes.annotate(
            text, (zero_middle, zero), (0, 1.5), textcoords="offset points", ha="center", size="small"
        )
        notes = [words.count(defined)]
        if mean is not None:
            axes.axvline(mean, color=INK, linewidth=1, linestyle="--")
            notes.append(f"mean {mean:.4f} (dashed)")
        if undefined:
            notes.append(f"{undefined:,} not defined")
        title = ": ".join(filter(None, [_panels.shorten(label), ", ".join(notes)]))
        _panels.write_title(axes, title, inches - 0.6)
        axes.yaxis.set_major_formatter(PercentFormatter(1, decimals=0))
        axes.yaxis.set_major_locator(MaxNLocator(4))
        axes.margins(y=0.15)
        _panels.clear_frame(axes, "y")
    ticks = [tick for tick in MaxNLocator(6).tick_values(low, high) if low <= tick <= high]
    axes.set_xticks([zero_middle, *ticks], ["0\nexactly", *(f"{tick:g}" for tick in ticks)])
    axes.set_xlim(low - 2.5 * width, high + 0.5 * width)
    axes.set_xlabel(f"{name} of a {words.singular}")
    figure.supylabel(words.plural, size="medium")
    _panels.write_headline(figure, f"Distribution of {name} over {words.plural}")
    return figure
