"""The plot of one user's ranking before and after a change."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from matplotlib.lines import Line2D

from rankdcg_sql._errors import CallValueError, shown
from rankdcg_sql._sql import quote_name
from rankdcg_sql.evaluation._terms.metrics import Measure, chosen_measures
from rankdcg_sql.plots import _panels
from rankdcg_sql.plots._changes import measures_of
from rankdcg_sql.plots._figure import FAINT, INK, PAGE, ZERO

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from rankdcg_sql.evaluation._results.interface import ChangeLike
    from rankdcg_sql.plots._changes import measures_of
from rankdcg_sql.plots._figure import Plot

#: The most ranks of a list, and of missed items below it, that are drawn.
_MAX_LISTED, _MAX_MISSED = 20, 8
#: The columns of the two runs from 0 to 1 across the plot, and the side on which names of items stand.
_COLUMNS = {"before": (0.41, "right"), "after": (0.59, "left")}
#: The letters for which ranks have room.
_RANK_LETTERS = 2


class _Item(NamedTuple):
    """An item in the list of a run, or missed by it."""

    run: str
    #: The item as text; empty for NULL.
    name: str
    #: Whether it is in the list, and not below.
    is_listed: bool
    #: The place in the list, or among the missed items, from 1.
    place: int
    #: The ranks that it can have; None if it was not retrieved.
    rank: int | None
    last_rank: int | None
    is_hit: bool
    contribution: float | None
    value: float | None

    @property
    def ranks(self) -> str:
        """The ranks as text; a dash if it was not retrieved."""
        if self.rank is None:
            return "\N{EN DASH}"
        tied = self.last_rank is not None and self.last_rank > self.rank
        return f"{self.rank}\N{EN DASH}{self.last_rank}" if tied else str(self.rank)


@_panels.styled
def user_lists(
    change: ChangeLike,
    user: Any,
    metric: str | None = None,
    k: int | None = None,
    *,
    width: float = _panels.WIDTH,
) -> Plot:
    """Plot the ranking of one user before and after a change side by side, with lines between equal items.

    Parameters
    ----------
    change : Change
        The change to plot.
    user : object
        The user, as the tables have it.
    metric : str, optional
        The metric, alone or with its cutoff, such as ``ndcg@10``; the first one if not given.
    k : int, optional
        The cutoff of the metric; its first one if not given.
    width : float, optional
        The width of the plot in inches, from 2 to 100.

    Returns
    -------
    Plot
        A figure of Matplotlib with two columns of up to 20 ranks. An item of relevance above 0 is a hit: it
        has a filled circle, bold letters and what it adds to the value; other items have a hollow circle. A
        thick line leads from a hit to the same item in the other list, and a thin line from other items. Up
        to eight relevant items that a list missed are below it, with their ranks if they were retrieved.

    Raises
    ------
    ValueError
        If neither run has the user, if the change has no such metric, or the metric no such k.
    """
    metric, k = chosen_measures("user_lists", measures_of(change), metric, k)[0]
    is_listed = "rank IS NOT NULL" if k is None else f"coalesce(rank <= {k}, false)"
    explained = change.explain(user, metric, k).project(f"*, {is_listed} AS is_listed")
    item = f"coalesce({quote_name(change.item)}::VARCHAR, '')"
    # The missed items that the other list has come first.
    is_news = "bool_or(is_listed) OVER (PARTITION BY item_text)"
    order = "is_news DESC, rank NULLS LAST, last_rank, item_text"
    place = f"row_number() OVER (PARTITION BY run, is_listed ORDER BY if(is_listed, rank, 0), {order})"
    rows = (
        explained.project(f"*, {item} AS item_text")
        .project(f"*, {is_news} AS is_news")
        .project(
            f"run, item_text, is_listed, {place} AS place, rank, last_rank, coalesce(rel > 0, false), "
            "contribution, value"
        )
    )
    items = [_Item(*row) for row in rows.order("run DESC, is_listed DESC, place").fetchall()]
    if not items:
        raise CallValueError.about("user_lists", "user", f"must be in a run, got {shown(user)}")
    name = _panels.shorten(_panels.label_of([user]))
    return _draw(items, f"{Measure(metric, k).column} of {change.words.singular} {name}, item by item", width)


def _draw(items: list[_Item], headline: str, width: float) -> Plot:
    """Draw the lists and, below them, the relevant items that they missed."""
    listed = [item for item in items if item.is_listed and item.place <= _MAX_LISTED]
    missed = [item for item in items if not item.is_listed and item.is_hit and item.place <= _MAX_MISSED]
    last = max((item.place for item in listed), default=0)
    # Missed items stand below the longer list, after an empty place for their heading.
    places = {item: item.place if item.is_listed else last + 1.2 + item.place for item in [*listed, *missed]}
    bottom = max(places.values(), default=1)
    figure = _panels.make_figure(width, 1.6 + 0.27 * bottom)
    axes = figure.subplots()
    axes.set_axis_off()
    axes.set_xlim(0, 1)
    axes.set_ylim(bottom + 0.6, -0.6)
    _draw_lines(axes, places)
    for run, (x, side) in _COLUMNS.items():
        values = [item.value for item in items if item.run == run]
        value = "not there" if not values else "no value" if values[0] is None else f"{values[0]:.4f}"
        head = f"{run}: {value}"
        axes.text(x, -0.1, head, ha=side, va="center", fontweight="bold")
    if missed:
        # Lines that cross the words pass behind them.
        axes.text(
            0.5, last + 1.3, "relevant, but missed", ha="center", va="center", size="small", color=FAINT,
            bbox={"facecolor": PAGE, "edgecolor": "none", "pad": 1},
        )  # fmt: skip
    for item, place in places.items():
        _write_item(axes, item, place, width)
    _panels.write_headline(figure, headline)
    signs = [Line2D([], [], **_look(is_hit)) for is_hit in (True, False)]
    _panels.write_legend(
        figure, signs, [f"relevant{', with what it adds' * _has_room(width)}", "not relevant, or not judged"]
    )
    return figure


def _has_room(width: float) -> bool:
    """Say whether a plot is so wide that names of items have room for numbers beside them."""
    return width > 5


def _draw_lines(axes: Axes, places: dict[_Item, float]) -> None:
    """Join the places of each item that both runs have."""
    before, after = ({item.name: item for item in places if item.run == run} for run in _COLUMNS)
    (left, _), (right, _) = _COLUMNS.values()
    for name in before.keys() & after.keys():
        pair = before[name], after[name]
        # An item that is missed twice is no news, and lines below the lists would cross.
        if not any(item.is_listed for item in pair):
            continue
        is_hit = any(item.is_hit for item in pair)
        axes.plot(
            [left, right], [places[item] for item in pair],
            color=INK if is_hit else ZERO, linewidth=2.2 if is_hit else 0.8, zorder=1,
        )  # fmt: skip


def _write_item(axes: Axes, item: _Item, place: float, width: float) -> None:
    """Draw the circle of an item, and outside of it the rank and the name."""
    x, side = _COLUMNS[item.run]
    outwards = -1 if side == "right" else 1
    axes.plot([x], [place], zorder=2, **_look(item.is_hit))
    # Distances in inches, as shares of the width.
    at_rank, at_name = (x + outwards * distance / width for distance in (0.14, 0.2 + 0.095 * _RANK_LETTERS))
    axes.text(at_rank, place, item.ranks, ha=side, va="center", size="small", color=FAINT)
    name = _panels.shorten(_panels.label_of([item.name]), int(width * 2.5))
    if _has_room(width) and item.is_hit and item.is_listed and item.contribution is not None:
        name += f" ({_panels.signed(item.contribution)})"
    axes.text(at_name, place, name, ha=side, va="center", fontweight="bold" if item.is_hit else "normal")


def _look(is_hit: bool) -> dict[str, Any]:
    """Return the circle of an item: filled for a hit, and hollow otherwise."""
    colour = INK if is_hit else ZERO
    inside = INK if is_hit else PAGE
    return {"marker": "o", "color": colour, "markerfacecolor": inside, "markersize": 6, "linestyle": "none"}
