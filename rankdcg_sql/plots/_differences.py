"""Plots of the differences of two systems: of means, of single users, and how many users win."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator, PercentFormatter

from rankdcg_sql._sql import quote_name
from rankdcg_sql.evaluation._terms.metrics import (
    Measure,
    chosen_measures,
    less_is_better,
    less_is_better_in_words,
    measures_of_single_users,
    only_measure,
)
from rankdcg_sql.plots import _panels
from rankdcg_sql.plots._figure import COLOURS, FAINT, INK, LOSS, PAGE, TIE, WIN, ZERO

if TYPE_CHECKING:
    from collections.abc import Sequence

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


@_panels.styled
def differences(
    comparison: ComparisonLike,
    metric: str | None = None,
    k: int | None = None,
    *,
    width: float = _panels.WIDTH,
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
    cells = f"[{', '.join(comparison.segment_cells)}]::VARCHAR[]"
    tested = comparison.differences.project(
        f"system, against, {cells}, metric, k, {numbers}, {comparison.verdict_in_sql}, interval_by"
    ).fetchall()
    chosen = chosen_measures("differences", (row[3:5] for row in tested), metric, k)
    single = len(chosen) == 1 and not comparison.by
    panels: dict[str, list[_Difference]] = {}
    for system, other, segment, *measure, difference, low, high, verdict, interval_by in tested:
        if tuple(measure) not in chosen:
            continue
        pair = _panels.pair_label(system, other)
        at_k = Measure(*measure).column
        title, row = (at_k, pair) if single else (pair, at_k)
        if comparison.by:
            # Up to four measures have a panel each, whose rows are the segments.
            label = _panels.label_of([part for part in segment if part != ""])
            title, row = (f"{pair}, {at_k}", label) if len(chosen) <= 4 else (pair, f"{at_k}, {label}")
        panels.setdefault(title, []).append(_Difference(row, difference, low, high, verdict, interval_by))
    draw = partial(_draw_differences, band=_band(comparison))
    figure = _panels.draw_forest(width, panels, draw, "difference of means")
    intervals_by = (row.interval_by for panel in panels.values() for row in panel)
    sure = _panels.intervals_in_words(comparison.confidence, intervals_by)
    less = less_is_better_in_words(name for name, _ in chosen)
    _panels.write_headline(figure, f"Differences of means, with {sure}{less}")
    verdicts = dict.fromkeys(row.verdict for panel in panels.values() for row in panel)
    signs: list[Any] = [
        Line2D([], [], linestyle="none", label=_VERDICTS.get(name, _SHOWN).text or name, **_marker(name))
        for name in sorted(verdicts, key=[*_VERDICTS, *verdicts].index)
    ]
    if comparison.margin:
        signs.append(Patch(facecolor=TIE, alpha=0.5, label=f"margin {comparison.margin:g}"))
    _panels.write_legend(figure, signs, [sign.get_label() for sign in signs])
    return figure


def _band(comparison: ComparisonLike) -> tuple[float, float] | None:
    """Return the differences that do not matter, from low to high; None if there is no margin."""
    if not comparison.margin:
        return None
    low, high = {"less": (0, 1), "greater": (-1, 0)}.get(comparison.alternative, (-1, 1))
    return low * comparison.margin, high * comparison.margin


def _draw_differences(axes: Axes, rows: Sequence[_Difference], band: tuple[float, float] | None) -> None:
    """Draw differences as points with intervals, from top to bottom, with their numbers at the right."""
    if band:
        axes.axvspan(*band, facecolor=TIE, alpha=0.5, linewidth=0, zorder=0)
    axes.axvline(0, color=FAINT, linewidth=1, zorder=1)
    for place, row in enumerate(rows):
        look = _VERDICTS.get(row.verdict, _SHOWN)
        axes.plot([row.low, row.high], [place, place], color=look.colour, linewidth=2, solid_capstyle="butt")
        axes.plot([row.difference], [place], linestyle="none", **_marker(row.verdict))
        number = look.sign + _panels.signed(row.difference)
        _panels.write_beside(axes, place, number, is_bold=look.colour != FAINT)


def _marker(verdict: str) -> dict[str, Any]:
    """Return the marker of a verdict; hollow if nothing is shown or tested."""
    look = _VERDICTS.get(verdict, _SHOWN)
    inside = PAGE if look.colour == FAINT else look.colour
    sizes = {"markersize": 7, "markeredgewidth": 1.5}
    return {"marker": look.marker, "color": look.colour, "markerfacecolor": inside, **sizes}


@_panels.styled
def wins(
    comparison: ComparisonLike,
    metric: str | None = None,
    k: int | None = None,
    *,
    width: float = _panels.WIDTH,
) -> Plot:
    """Plot the share of users for whom a system wins, ties and loses against the baseline.

    Parameters
    ----------
    comparison, metric, k, width
        As for `differences`, over all users.

    Returns
    -------
    Plot
        A figure of Matplotlib. A panel for each system, with a bar for each metric and k. If there is only
        one metric and k, a single panel with a bar for each system. Measures of all users together, of which
        no single user has a value, are left out.

    Raises
    ------
    ValueError
        If the comparison has no such metric, or the metric no such k, or no single user has a value of it.
    """
    shown_rows = _panels.plotted_rows(comparison.differences, comparison)
    rows = shown_rows.project(
        "system, against, metric, k, "
        "wins / nullif(n, 0), ties / nullif(n, 0), losses / nullif(n, 0), "
        "wins, ties, losses"
    ).fetchall()
    of_users = measures_of_single_users("wins", (row[2:4] for row in rows), metric)
    chosen = chosen_measures("wins", of_users, metric, k)
    rows = [row for row in rows if row[2:4] in chosen]
    single = len(chosen) == 1
    panels: dict[str, dict[str, tuple[Any, ...]]] = {}
    for system, other, name, at, *numbers in rows:
        pair = _panels.pair_label(system, other, "against")
        at_k = Measure(name, at).column
        # The baseline is the same in all bars of a panel, unless all pairs are compared.
        bar = pair if comparison.baseline is None else _panels.label_of([system])
        title, bar = (at_k, bar) if single else (pair, at_k)
        panels.setdefault(title, {})[bar] = tuple(numbers)
    bars = sum(map(len, panels.values()))
    height = 1.3 + 0.45 * len(panels) + 0.36 * bars
    figure, stack = _panels.stack_panels(width, height, [len(panel) + 0.5 for panel in panels.values()])
    for (title, panel), axes in zip(panels.items(), stack, strict=False):
        _draw_wins(axes, panel)
        _panels.write_title(axes, title, width)
    last = figure.axes[-1]
    last.set_xlabel(comparison.words.say("users with values of both systems"))
    last.xaxis.set_major_formatter(PercentFormatter(1))
    _panels.write_legend(figure, *figure.axes[0].get_legend_handles_labels())
    return figure


def _draw_wins(axes: Axes, bars: dict[str, tuple[Any, ...]]) -> None:
    """Draw stacked bars of shares that add up to 1, with counts if a part is wide enough.

    A bar has the shares of wins, of ties and of losses, and then the three counts.
    """
    kinds = [("wins", WIN, PAGE), ("ties", TIE, INK), ("losses", LOSS, PAGE)]
    left = [0.0] * len(bars)
    for number, (label, colour, ink) in enumerate(kinds):
        shares = [values[number] or 0.0 for values in bars.values()]
        drawn = axes.barh(range(len(bars)), shares, 0.72, left, color=colour, label=label)
        counts = [values[number + 3] for values in bars.values()]
        texts = [f"{count:,}" if share > 0.07 else "" for count, share in zip(counts, shares, strict=True)]
        axes.bar_label(drawn, texts, label_type="center", color=ink, fontsize="small")
        left = [start + share for start, share in zip(left, shares, strict=True)]
    _panels.name_rows(axes, list(bars), room=0.5)
    axes.set_xlim(0, 1)
    axes.spines[:].set_visible(False)


#: The most points of a curve over users.
_POINTS = 200


@_panels.styled
def user_differences(
    comparison: ComparisonLike, metric: str, k: int | None = None, *, width: float = _panels.WIDTH
) -> Plot:
    """Plot the differences of single users, sorted: how many gain and lose, and how much.

    Parameters
    ----------
    comparison : Comparison
        The comparison to plot, over all users.
    metric, k, width
        As for `distribution`.

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
        If the comparison has no such metric, or the metric no such k, or no single user has a value of it.
    """
    compared = _panels.plotted_rows(comparison.differences, comparison)
    counted = compared.project(
        "system, against, metric, k, n, wins / nullif(n, 0), losses / nullif(n, 0), wins, losses"
    ).fetchall()
    of_users = measures_of_single_users("user_differences", (row[2:4] for row in counted), metric)
    metric, k = only_measure("user_differences", of_users, metric, k)
    pairs = [row for row in counted if row[2:4] == (metric, k)]
    figure = _panels.make_figure(width, 0.9 + 2.0 * len(pairs))
    grid = figure.subplots(len(pairs) or 1, squeeze=False, sharex=True, sharey=True).flat
    name = Measure(metric, k).column
    for (system, other, _, _, n, won, lost, number_won, number_lost), axes in zip(pairs, grid, strict=False):
        _panels.write_title(axes, f"{_panels.pair_label(system, other)}: {comparison.words.count(n)}", width)
        places, values = _sorted_differences(comparison, system, other, metric, k)
        axes.axhline(0, color=ZERO, linewidth=1)
        # The side of larger values comes first.
        sides = [("better", won, number_won, WIN), ("worse", lost, number_lost, LOSS)]
        if less_is_better(metric):
            sides.reverse()
        for sign, (*_, colour) in zip((1, -1), sides, strict=True):
            reached = [value * sign > 0 for value in values]
            axes.fill_between(places, values, 0, where=reached, color=colour, alpha=0.3, linewidth=0)
        axes.plot(places, values, color=INK, linewidth=1.4)
        axes.set_xlim(0, 1)
        # Room for the texts above and below the curve.
        axes.margins(y=0.25)
        corners = [(0.02, 0.95, "left", "top"), (0.98, 0.05, "right", "bottom")]
        for (word, share, count, _), (x, y, across, up) in zip(sides, corners, strict=True):
            if share is not None:
                text = f"{word} for {share:.1%} ({count:,})"
                axes.text(x, y, text, transform=axes.transAxes, ha=across, va=up, fontsize="small")
        axes.xaxis.set_major_formatter(PercentFormatter(1))
        axes.yaxis.set_major_locator(MaxNLocator(5))
        _panels.clear_frame(axes, "y")
    figure.axes[-1].set_xlabel(comparison.words.say("users, sorted by difference"))
    figure.supylabel(f"difference of {name}", size="medium")
    _panels.write_headline(figure, f"Differences of {name}, {comparison.words.say('user by user')}")
    return figure


def _sorted_differences(
    comparison: ComparisonLike, system: str, other: str, metric: str, k: int | None
) -> tuple[list[float], list[float]]:
    """Return shares of users and the quantiles of their differences there, in descending order."""
    values = comparison.per_user.filter(_panels.equals("metric", metric)).filter(_panels.equals("k", k))
    user = quote_name(next(iter(comparison.evaluations.values())).user)
    a, b = (
        values.filter(_panels.equals("system", name)).project(f"{user}, value").set_alias(alias)
        for name, alias in ((system, "a"), (other, "b"))
    )
    pairs = a.join(b, user).project("a.value - b.value AS difference")
    shares = [place / _POINTS for place in range(_POINTS + 1)]
    ((quantiles,),) = pairs.aggregate(f"quantile_disc(difference, {shares})").fetchall()
    return (shares, quantiles[::-1]) if quantiles else ([], [])
