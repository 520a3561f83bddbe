"""Plots of evaluations and comparisons, as figures of Matplotlib.

A notebook shows a plot by itself, and ``plot.savefig("plot.svg")`` writes it to a file. DuckDB counts and
bins the values of users. Plots need ``pip install 'rankdcg_sql[plots]'``.
"""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING, Any, NamedTuple

from duckdb import ColumnExpression, ConstantExpression

try:
    from matplotlib.figure import Figure
except ImportError as error:
    raise ImportError("Plots need Matplotlib: pip install 'rankdcg_sql[plots]'") from error
from matplotlib.ticker import MaxNLocator, PercentFormatter

from rankdcg_sql._sql import quote_name
from rankdcg_sql.evaluation._checks import check_choice
from rankdcg_sql.evaluation._metrics import Measure

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from duckdb import DuckDBPyRelation, Expression
    from matplotlib.axes import Axes

    from rankdcg_sql.evaluation._comparison import Comparison
    from rankdcg_sql.evaluation._results import Evaluation

# Okabe and Ito's colours, which colour-blind people can tell apart; their yellow is too pale on white.
_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
# Shapes tell systems apart where there are no colours, as in print.
_MARKERS = "os^DvPX"
_LINES = ("-", "--", ":", "-.")
_WIN, _TIE, _LOSS = _COLOURS[0], "#D0D4D9", _COLOURS[1]
_ZERO = "#8A929C"
_BINS = 20


class Plot(Figure):
    """A figure of Matplotlib that notebooks show.

    Matplotlib registers with a notebook only where ``%matplotlib inline`` or ``pyplot`` is used.
    """

    def _repr_png_(self) -> tuple[bytes, dict[str, int]]:
        """Return the figure as PNG with twice its resolution, and the size in pixels to show it in."""
        file = BytesIO()
        self.savefig(file, format="png", dpi=2 * self.dpi)
        width, height = self.get_size_inches() * self.dpi
        return file.getvalue(), {"width": round(width), "height": round(height)}


class _Mean(NamedTuple):
    #: The label of the system or segment; empty if there is neither.
    group: str
    #: The metric.
    metric: str
    #: The cutoff; None for the whole list.
    k: int | None
    #: The mean over users; NaN where there is none.
    mean: float
    #: The mean less the lower end of the interval.
    below: float
    #: The upper end of the interval less the mean.
    above: float


def metric_at_k(result: Evaluation | Comparison, metrics: str | Sequence[str] | None = None) -> Plot:
    """Plot the mean of each metric against k, a line for each system, with confidence intervals.

    Parameters
    ----------
    result : Evaluation or Comparison
        The result to plot. An evaluation by segments has a line for each segment, and a comparison one for
        each system, over all users.
    metrics : str or sequence of str, optional
        The metrics to plot, each in a panel of its own; all metrics of the result if not given.

    Returns
    -------
    Plot
        A figure of Matplotlib. The values of k are in ascending order at equal distances, and the whole list
        is the last. A metric with a single k is drawn as points with error bars.

    Raises
    ------
    ValueError
        If the result has no such metric.
    """
    means = _means(result)
    known = list(dict.fromkeys(mean.metric for mean in means))
    chosen = [metrics] if isinstance(metrics, str) else list(known if metrics is None else metrics)
    for metric in chosen:
        check_choice("metric_at_k", "metrics", metric, known)
    styles = _styles(mean.group for mean in means)
    columns = min(len(chosen), 3) or 1
    rows = -(-len(chosen) // columns) or 1
    figure = _figure(1.2 + 3.1 * columns, 0.9 + 2.5 * rows)
    panels = figure.subplots(rows, columns, squeeze=False).flat
    lines: dict[str, Any] = {}
    for metric, axes in zip(chosen, panels, strict=False):
        drawn = [mean for mean in means if mean.metric == metric]
        ks = sorted({mean.k for mean in drawn}, key=_whole_list_last)
        if len(ks) == 1:
            _draw_points(axes, drawn, styles)
            _title(axes, Measure(metric, ks[0]).column)
        else:
            lines |= _draw_lines(axes, drawn, ks, styles)
            _title(axes, metric)
    for axes in list(figure.axes)[len(chosen) :]:
        axes.remove()
    figure.suptitle(f"Means over users, with {percent(result.confidence)} confidence intervals")
    if len(lines) > 1:
        _legend(figure, list(lines.values()), list(map(_short, lines)), title=", ".join(groups_of(result)))
    return figure


def distribution(result: Evaluation | Comparison, metric: str, k: int | None = None) -> Plot:
    """Plot the distribution of a metric over users, a histogram for each system.

    Parameters
    ----------
    result : Evaluation or Comparison
        The result to plot. An evaluation by segments has a histogram for each segment, and a comparison one
        for each system, over all users.
    metric : str
        The metric to plot.
    k : int, optional
        The cutoff of the metric. If not given, it is the only k of the metric, or the whole list.

    Returns
    -------
    Plot
        A figure of Matplotlib. A separate bar shows the users whose value is exactly 0. They are often the
        majority.

    Raises
    ------
    ValueError
        If the result has no such metric, or the metric no such k.
    """
    groups = groups_of(result)
    # Only these columns are read, so that DuckDB computes no interval.
    shown = _shown(result.summary, result)
    rows = shown.project(", ".join([*map(quote_name, groups), "metric", "k"])).fetchall()
    check_choice("distribution", "metric", metric, dict.fromkeys(row[-2] for row in rows))
    ks = list(dict.fromkeys(row[-1] for row in rows if row[-2] == metric))
    if k is None and len(ks) == 1:
        k = ks[0]
    check_choice("distribution", f"k of {metric}", k, ks)
    values = result.per_user.filter(_is("metric", metric)).filter(_is("k", k))
    labels = dict.fromkeys(_label(row[:-2]) for row in rows)
    return _histograms(values, groups, list(labels), Measure(metric, k).column)


def wins(comparison: Comparison, metric: str | None = None, k: int | None = None) -> Plot:
    """Plot the share of users for whom a system wins, ties and loses against the baseline.

    Parameters
    ----------
    comparison : Comparison
        The comparison to plot, over all users.
    metric : str, optional
        The metric to plot; all metrics if not given.
    k : int, optional
        The cutoff to plot; all cutoffs if not given.

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
    # The name of the other one is in the label where systems have several.
    system = "system" if comparison.baseline is not None else "system || ' against ' || against"
    rows = (
        _shown(comparison.differences, comparison)
        .project(
            f"{system}, metric, k, wins / nullif(n, 0), ties / nullif(n, 0), losses / nullif(n, 0), "
            "wins, ties, losses"
        )
        .fetchall()
    )
    if metric is not None:
        check_choice("wins", "metric", metric, dict.fromkeys(row[1] for row in rows))
        rows = [row for row in rows if row[1] == metric]
    if k is not None:
        check_choice("wins", f"k of {metric}" if metric else "k", k, dict.fromkeys(row[2] for row in rows))
        rows = [row for row in rows if row[2] == k]
    single = len({row[1:3] for row in rows}) == 1
    panels: dict[str, dict[str, tuple[Any, ...]]] = {}
    for system, name, at, *numbers in rows:
        label, at_k = _label([system]), Measure(name, at).column
        title, bar = (at_k, label) if single else (label, at_k)
        panels.setdefault(title, {})[bar] = tuple(numbers)
    bars = sum(map(len, panels.values()))
    figure = _figure(7.5, 1.3 + 0.45 * len(panels) + 0.36 * bars)
    ratios = [len(panel) + 0.5 for panel in panels.values()] or [1]
    grid = figure.subplots(len(ratios), squeeze=False, sharex=True, height_ratios=ratios)
    baseline = comparison.baseline
    against = "" if baseline is None else f" against {_short(_label([baseline]))}"
    for (title, panel), axes in zip(panels.items(), grid.flat, strict=False):
        _draw_wins(axes, panel)
        _title(axes, title if single else f"{_short(title)}{against}")
    last = figure.axes[-1]
    last.set_xlabel("users with values of both systems")
    last.xaxis.set_major_formatter(PercentFormatter(1))
    _legend(figure, *figure.axes[0].get_legend_handles_labels())
    return figure


def percent(share: float) -> str:
    """Write a share (0 to 1) as a percentage.

    Examples
    --------
    >>> from rankdcg_sql.plots import percent
    >>> percent(0.95), percent(0.999)
    ('95%', '99.9%')
    """
    return f"{share * 100:.6g}%"


def _figure(width: float, height: float) -> Plot:
    """Make a figure of this size in inches, outside of pyplot, which would keep it or open a window."""
    return Plot(figsize=(width, height), layout="constrained", facecolor="white")


def groups_of(result: Evaluation | Comparison) -> list[str]:
    """Return the names of the columns that tell systems or segments apart."""
    return ["system"] if result.kind == "comparison" else list(result.by)


def _shown(rows: DuckDBPyRelation, result: Evaluation | Comparison) -> DuckDBPyRelation:
    """Leave out the rows that are not plotted: of an evaluation all users, of a comparison the segments."""
    if not result.by:
        return rows
    return rows.filter("all_users" if result.kind == "comparison" else "NOT all_users")


def _label(group: Sequence[Any]) -> str:
    # Matplotlib leaves labels with a leading underscore out of legends, and reads formulas between dollars.
    text = ", ".join("NULL" if part is None else str(part) for part in group).replace("$", r"\$")
    return f" {text}" if text.startswith("_") else text


def _short(label: str) -> str:
    """Cut a label to 30 characters, to leave room for the plot."""
    # The backslash of an escaped dollar is not shown: it does not count, and no cut parts the two.
    shown = label.replace(r"\$", "$")
    return label if len(shown) <= 30 else shown[:29].replace("$", r"\$") + "\N{HORIZONTAL ELLIPSIS}"


def _means(result: Evaluation | Comparison) -> list[_Mean]:
    """Fetch the means and the lengths of their intervals below and above; NaN if a mean is NULL."""
    groups = groups_of(result)
    numbers = ", ".join(
        f"coalesce({number}, 'nan')::DOUBLE" for number in ("mean", "mean - low", "high - mean")
    )
    shown = _shown(result.summary, result)
    rows = shown.project(", ".join([*map(quote_name, groups), "metric, k", numbers])).fetchall()
    width = len(groups)
    return [_Mean(_label(row[:width]), *row[width:]) for row in rows]


def _is(column: str, value: str | int | None) -> Expression:
    values = ColumnExpression(column)
    return values.isnull() if value is None else values == ConstantExpression(value)


def _whole_list_last(k: int | None) -> tuple[bool, int]:
    return k is None, k or 0


def _styles(groups: Iterable[str]) -> dict[str, dict[str, Any]]:
    # Each group has its own colour and marker; after the last colour, the style of lines changes.
    names = list(dict.fromkeys(groups))
    count = len(_COLOURS)
    return {
        name: {
            "color": _COLOURS[number % count],
            "marker": _MARKERS[number % count],
            "linestyle": _LINES[number // count % len(_LINES)],
        }
        for number, name in enumerate(names)
    }


def _draw_lines(
    axes: Axes, means: list[_Mean], ks: list[int | None], styles: dict[str, dict[str, Any]]
) -> dict[str, Any]:
    """Draw the means of each group as a line, with the intervals as a band; return the lines by group."""
    lines = {}
    for group in dict.fromkeys(mean.group for mean in means):
        line = sorted((mean for mean in means if mean.group == group), key=lambda m: _whole_list_last(m.k))
        places = [ks.index(mean.k) for mean in line]
        lines[group] = axes.plot(places, [mean.mean for mean in line], markersize=4.5, **styles[group])[0]
        low = [mean.mean - mean.below for mean in line]
        high = [mean.mean + mean.above for mean in line]
        axes.fill_between(places, low, high, color=styles[group]["color"], alpha=0.15, linewidth=0)
    # At most 12 labels, and the last k always has one.
    labelled = range(len(ks) - 1, -1, -(len(ks) // 12 + 1))[::-1]
    axes.set_xticks(labelled, ["all" if ks[place] is None else str(ks[place]) for place in labelled])
    axes.set_xlabel("k")
    axes.set_ylabel("mean")
    axes.margins(x=0.06)
    _clear(axes, "y")
    return lines


def _draw_points(axes: Axes, means: list[_Mean], styles: dict[str, dict[str, Any]]) -> None:
    """Draw the mean of each group as a point, with the interval as a bar, from top to bottom."""
    for place, mean in enumerate(means):
        reach = [[mean.below], [mean.above]]
        style = styles[mean.group] | {"linestyle": "none", "markersize": 6, "elinewidth": 2}
        axes.errorbar([mean.mean], [place], xerr=reach, **style)
    axes.set_yticks(range(len(means)), [_short(mean.group) for mean in means])
    axes.set_ylim(len(means) - 0.4, -0.6)
    axes.tick_params(axis="y", length=0)
    axes.margins(x=0.15)
    axes.set_xlabel("mean")
    axes.xaxis.set_major_locator(MaxNLocator(5))
    _clear(axes, "x")


def _histograms(values: DuckDBPyRelation, groups: list[str], labels: list[str], name: str) -> Plot:
    """Draw a histogram of shares of users for each label."""
    names = [quote_name(group) for group in groups]
    by, first = ", ".join(names), "".join(f"{group}, " for group in names)
    counted = values.aggregate(
        f"{first}avg(value), count(value), count(*) - count(value), min(value), max(value)", by
    )
    facts = {_label(row[:-5]): row[-5:] for row in counted.fetchall()}
    ends = [end for fact in facts.values() for end in fact[3:] if end is not None]
    # The axis covers 0 to 1, and values beyond if there are any.
    low, high = min([0.0, *ends]), max([1.0, *ends])
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
    for row in shares.order(f"{first}rankdcg_bin").fetchall():
        bars[_label(row[:-2])][row[-2]] = row[-1]
    figure = _figure(7.5, 1.5 + 1.35 * len(labels))
    grid = figure.subplots(len(labels), squeeze=False, sharex=True, sharey=True).flat
    styles = _styles(labels)
    zero_left, zero_middle = low - 2 * width, low - 1.54 * width
    for label, axes in zip(labels, grid, strict=True):
        mean, defined, undefined = facts.get(label, (None, 0, 0, None, None))[:3]
        zero = bars[label].pop(None, 0)
        places = [low + width * number for number in bars[label]]
        axes.bar(places, bars[label].values(), width * 0.92, align="edge", color=styles[label]["color"])
        axes.bar(zero_left, zero, width * 0.92, align="edge", color=_ZERO)
        axes.annotate(
            f"{zero:.0%}",
            (zero_middle, zero),
            (0, 1.5),
            textcoords="offset points",
            ha="center",
            size="small",
        )
        notes = [f"{defined:,} users"]
        if mean is not None:
            axes.axvline(mean, color="black", linewidth=1, linestyle="--")
            notes.append(f"mean {mean:.4f} (dashed)")
        if undefined:
            notes.append(f"{undefined:,} not defined")
        _title(axes, ": ".join(filter(None, [_short(label), ", ".join(notes)])))
        axes.yaxis.set_major_formatter(PercentFormatter(1, decimals=0))
        axes.yaxis.set_major_locator(MaxNLocator(4))
        axes.margins(y=0.15)
        _clear(axes, "y")
    ticks = [tick for tick in MaxNLocator(6).tick_values(low, high) if low <= tick <= high]
    axes.set_xticks([zero_middle, *ticks], ["0\nexactly", *(f"{tick:g}" for tick in ticks)])
    axes.set_xlim(low - 2.5 * width, high + 0.5 * width)
    axes.set_xlabel(f"{name} of a user")
    figure.supylabel("users", size="medium")
    figure.suptitle(f"Distribution of {name} over users")
    return figure


def _draw_wins(axes: Axes, bars: dict[str, tuple[Any, ...]]) -> None:
    """Draw stacked bars of shares that add up to 1, with counts if a part is wide enough."""
    kinds = [("wins", _WIN, "white"), ("ties", _TIE, "black"), ("losses", _LOSS, "white")]
    left = [0.0] * len(bars)
    for number, (label, colour, ink) in enumerate(kinds):
        shares = [values[number] or 0.0 for values in bars.values()]
        drawn = axes.barh(range(len(bars)), shares, 0.72, left, color=colour, label=label)
        counts = [values[number + 3] for values in bars.values()]
        texts = [f"{count:,}" if share > 0.07 else "" for count, share in zip(counts, shares, strict=True)]
        axes.bar_label(drawn, texts, label_type="center", color=ink, fontsize="small")
        left = [start + share for start, share in zip(left, shares, strict=True)]
    axes.set_yticks(range(len(bars)), list(map(_short, bars)))
    axes.set_ylim(len(bars) - 0.5, -0.5)
    axes.set_xlim(0, 1)
    axes.spines[:].set_visible(False)
    axes.tick_params(axis="y", length=0)


def _clear(axes: Axes, along: str) -> None:
    """Remove the upper and the right edge of the frame, and draw a faint grid behind the values."""
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(axis=along, color="#E3E6EA", linewidth=0.8)  # type: ignore[arg-type]
    axes.set_axisbelow(True)


def _title(axes: Axes, text: str) -> None:
    axes.set_title(text, loc="left", fontsize="medium", fontweight="bold")


def _legend(figure: Figure, lines: list[Any], labels: list[str], title: str | None = None) -> None:
    columns = min(len(labels), 4)
    figure.legend(lines, labels, title=title, loc="outside lower center", ncols=columns, frameon=False)
