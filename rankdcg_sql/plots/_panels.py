"""Figures of panels, and what they share: rows, texts, titles, frames, labels of rows, styles, legends."""

from __future__ import annotations

from functools import wraps
from math import isnan, lcm
from textwrap import fill
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from duckdb import ColumnExpression, ConstantExpression
from matplotlib import rc_context
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.ticker import MaxNLocator

from rankdcg_sql._errors import CallValueError, shown
from rankdcg_sql._sql import quote_name
from rankdcg_sql.plots._figure import COLOURS, FAINT, GRID, INK, PAGE, Plot

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from duckdb import DuckDBPyRelation, Expression
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D

    from rankdcg_sql.evaluation._results.interface import ComparisonLike, EvaluationLike

    Drawing = TypeVar("Drawing", bound=Callable[..., Any])
    Row = TypeVar("Row", bound=tuple[Any, ...])


_NUMBERS = [f"coalesce({number}, 'nan')::DOUBLE" for number in ("mean", "mean - low", "high - mean")]
#: A mean and the lengths of its interval below and above, in SQL; NaN if they are NULL. The last column is
#: what the interval is from.
MEANS = ", ".join([*_NUMBERS, "interval_by"])


class Mean(NamedTuple):
    """A mean of one measure with its interval."""

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
    #: The source of the interval, as `interval_by` has it; None if there is none.
    interval_by: str | None


def groups_of(result: EvaluationLike | ComparisonLike) -> list[str]:
    """Return the names of the columns that tell systems or segments apart."""
    return ["system"] if result.kind == "comparison" else list(result.by)


def plotted_rows(rows: DuckDBPyRelation, result: EvaluationLike | ComparisonLike) -> DuckDBPyRelation:
    """Leave out the rows that are not plotted: of an evaluation all users, of a comparison the segments."""
    if not result.by:
        return rows
    return rows.filter("all_users" if result.kind == "comparison" else "NOT all_users")


def means_of(result: EvaluationLike | ComparisonLike) -> list[Mean]:
    """Fetch the means and the lengths of their intervals below and above; NaN if a mean is NULL."""
    groups = groups_of(result)
    shown = plotted_rows(result.summary, result)
    rows = shown.project(", ".join([*map(quote_name, groups), "metric, k", MEANS])).fetchall()
    width = len(groups)
    return [Mean(label_of(row[:width]), *row[width:]) for row in rows]


def equals(column: str, value: str | int | None) -> Expression:
    """Write the condition that a column has a value; None is NULL."""
    values = ColumnExpression(column)
    return values.isnull() if value is None else values == ConstantExpression(value)


def label_of(group: Sequence[Any]) -> str:
    """Write the name of a system or the values of a segment, as Matplotlib shows them."""
    # Matplotlib leaves labels with a leading underscore out of legends, and reads formulas between dollars.
    text = ", ".join("NULL" if part is None else str(part) for part in group).replace("$", r"\$")
    return f" {text}" if text.startswith("_") else text


def shorten(label: str, most: int = 30) -> str:
    """Cut a label to a number of characters, to leave room for the plot."""
    # The backslash of an escaped dollar is not shown: it does not count, and no cut parts the two.
    shown = label.replace(r"\$", "$")
    if len(shown) <= most:
        return label
    return shown[: most - 1].replace("$", r"\$") + "\N{HORIZONTAL ELLIPSIS}"


def wrap(text: str, most: int) -> str:
    """Break a text into lines of at most `most` characters, but no less than twelve."""
    return fill(text.replace(r"\$", "$"), max(12, most)).replace("$", r"\$")


def pair_label(system: str, other: str, word: str = "\N{MINUS SIGN}") -> str:
    """Name two systems, with a word between them."""
    return f"{shorten(label_of([system]))} {word} {shorten(label_of([other]))}"


def percent(share: float) -> str:
    """Write a share (0 to 1) as a percentage.

    Examples
    --------
    >>> from rankdcg_sql.plots import percent
    >>> percent(0.95), percent(0.999)
    ('95%', '99.9%')
    """
    return f"{share * 100:.6g}%"


def intervals_in_words(confidence: float, sources: Iterable[str | None]) -> str:
    """Name the intervals of a plot for its headline; `sources` are their values of ``interval_by``."""
    return f"{percent(confidence)} confidence intervals{about_range(sources)}"


def about_range(sources: Iterable[str | None]) -> str:
    """Say that some intervals are from the range of a metric; empty if none of the sources is that."""
    return "; those of equal values are from the range of the metric" if "range" in sources else ""


# Shapes tell systems apart where there are no colours, as in print.
_MARKERS = "os^DvPX"
_LINES = ("-", "--", ":", "-.")
#: The width of plots in inches, unless another one is given.
WIDTH = 7.5
#: Settings of Matplotlib for every plot, whatever style is in use.
_LOOK: dict[Any, Any] = {
    "text.color": INK,
    "axes.edgecolor": FAINT,
    "axes.facecolor": "none",
    "axes.labelcolor": INK,
    "axes.titlecolor": INK,
    "font.family": ["sans-serif"],
    "font.size": 10.0,
    "text.usetex": False,
}


def styled(draw: Drawing) -> Drawing:
    """Let a function draw with the settings of this package; check the width that it is given."""

    @wraps(draw)
    def draw_styled(*arguments: Any, **named: Any) -> Any:
        width = named.get("width")
        if width is not None and not (isinstance(width, (int, float)) and 2 <= width <= 100):
            raise CallValueError.about(draw.__name__, "width", f"must be 2 to 100 inches, got {shown(width)}")
        with rc_context(_LOOK):
            figure = draw(*arguments, **named)
        # Matplotlib makes ticks when it renders the figure, after these settings have ended.
        for axes in figure.axes:
            axes.tick_params(color=FAINT, labelcolor=INK)
        return figure

    return draw_styled  # type: ignore[return-value]


def make_figure(width: float, height: float) -> Plot:
    """Make a figure of this size in inches, outside of pyplot, which would keep it or open a window."""
    # Letters are a little wider in some browsers than in the layout.
    return Plot(figsize=(width, height), layout=ConstrainedLayoutEngine(w_pad=0.08), facecolor=PAGE)


def make_panels(number: int, width: float | None, height: float) -> tuple[Plot, list[Axes]]:
    """Make a figure with panels of this height side by side, as many as the width has room for.

    The panels of the last row are wider if they are fewer, so that no place is empty.
    """
    columns = min(number, 3 if width is None else max(1, int(width / 3))) or 1
    rows = -(-number // columns) or 1  # rounded up
    figure = make_figure(1.2 + 3.1 * columns if width is None else width, 0.9 + height * rows)
    in_last = number - columns * (rows - 1)
    # Both a full row and the last one can be divided into so many cells.
    cells = lcm(columns, in_last or 1)
    grid = figure.add_gridspec(rows, cells)
    panels = []
    for place in range(number):
        row, column = divmod(place, columns)
        span = cells // (in_last if row == rows - 1 else columns)
        panels.append(figure.add_subplot(grid[row, column * span : (column + 1) * span]))
    return figure, panels


def stack_panels(
    width: float, height: float, weights: Sequence[float], is_one_scale: bool = True
) -> tuple[Plot, list[Axes]]:
    """Make a figure of this size with panels below each other, whose heights are as the weights.

    Without a weight, there is one empty panel. All have one horizontal axis if `is_one_scale`.
    """
    figure = make_figure(width, height)
    ratios = list(weights) or [1]
    grid = figure.subplots(len(ratios), squeeze=False, sharex=is_one_scale, height_ratios=ratios)
    return figure, list(grid.flat)


def draw_forest(
    width: float,
    panels: Mapping[str, Sequence[Row]],
    draw: Callable[[Axes, Sequence[Row]], None],
    x_label: str,
) -> Plot:
    """Make a figure with a panel for each title, in which `draw` draws a row for each of its values.

    The first field of a row is its label. All panels have one scale.
    """
    height = 1.45 + 0.42 * len(panels) + 0.3 * sum(map(len, panels.values()))
    figure, stack = stack_panels(width, height, [len(panel) + 0.4 for panel in panels.values()])
    for (title, rows), axes in zip(panels.items(), stack, strict=False):
        draw(axes, rows)
        name_rows(axes, [row[0] for row in rows])
        axes.margins(x=0.06)
        clear_frame(axes, "x")
        axes.spines["left"].set_visible(False)
        write_title(axes, title, width)
    last = figure.axes[-1]
    last.set_xlabel(x_label)
    last.xaxis.set_major_locator(MaxNLocator(5 if width > 5 else 3, symmetric=False))
    return figure


def height_of_rows(number: int) -> float:
    """Return the height in inches of a panel with a row for each system or segment."""
    return 0.75 + 0.28 * number


def name_rows(axes: Axes, labels: Sequence[str], room: float = 0.6) -> None:
    """Write the labels of rows from top to bottom, with room above the first row and below the last.

    Labels are cut, on narrow figures more than on wide ones.
    """
    width = axes.figure.get_size_inches()[0]  # type: ignore[union-attr]
    texts = [shorten(label, min(28, int(width * 5))) for label in labels]
    axes.set_yticks(range(len(texts)), texts)
    axes.set_ylim(len(texts) - (1 - room), -room)
    axes.tick_params(axis="y", length=0)


def signed(number: float) -> str:
    """Write a difference with its sign; a dash is NaN."""
    return "\N{EN DASH}" if isnan(number) else f"{number:+.4f}".replace("-", "\N{MINUS SIGN}")


def write_beside(axes: Axes, place: float, text: str, is_bold: bool) -> None:
    """Write a number at the right of a row, beside the panel."""
    weight = "bold" if is_bold else "normal"
    axes.text(
        1.02, place, text, transform=axes.get_yaxis_transform(),
        va="center", fontsize="small", fontweight=weight,
    )  # fmt: skip


def styles_of(groups: Iterable[str]) -> dict[str, dict[str, Any]]:
    """Give each group a colour and a marker of its own; after the last colour, the style of lines changes."""
    names = list(dict.fromkeys(groups))
    count = len(COLOURS)
    return {
        name: {
            "color": COLOURS[number % count],
            "marker": _MARKERS[number % count],
            "linestyle": _LINES[number // count % len(_LINES)],
        }
        for number, name in enumerate(names)
    }


def draw_line_with_band(axes: Axes, points: Iterable[Sequence[Any]], style: dict[str, Any]) -> Line2D:
    """Draw means as a line, with their intervals as a band; return the line.

    A point is its place on the axis, the mean, and the ends of its interval.
    """
    places, means, lows, highs = zip(*points, strict=True)
    (line,) = axes.plot(places, means, markersize=4.5, **style)
    axes.fill_between(places, lows, highs, color=style["color"], alpha=0.15, linewidth=0)
    return line


def frame_lines(axes: Axes, x_label: str, room: float | None = None) -> None:
    """Finish a panel of lines with the names of its axes, and `room` above and below if that is given."""
    axes.set_xlabel(x_label)
    axes.set_ylabel("mean")
    axes.margins(x=0.06, y=room)
    clear_frame(axes, "y")


def clear_frame(axes: Axes, axis: str) -> None:
    """Remove the upper and the right edge of the frame; draw a faint grid at the ticks of the axis."""
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(axis=axis, color=GRID, linewidth=0.8)  # type: ignore[arg-type]
    axes.set_axisbelow(True)


def write_title(axes: Axes, text: str, width: float | None = None) -> None:
    """Write the title of a panel, in lines that fit into a width in inches."""
    lines = text if width is None else wrap(text, int((width - 1.4) * 10.5))  # 10.5 letters an inch
    axes.set_title(lines, loc="left", fontsize="medium", fontweight="bold")


def write_headline(figure: Figure, text: str) -> None:
    """Write the title of a figure, in lines that fit."""
    width, _ = figure.get_size_inches()
    figure.suptitle(wrap(text, int(width * 10)))  # 10 letters an inch


def write_legend(
    figure: Figure, signs: Iterable[Any], texts: Iterable[str], title: str | None = None
) -> None:
    """Write a legend below the panels, in as many columns as there is room for."""
    labels = list(texts)
    # In points: a column has a sign, and up to 6.2 for each character.
    column = 45 + 6.2 * max(map(len, labels), default=0)
    columns = max(1, min(len(labels), 4, int(figure.get_size_inches()[0] * 72 / column)))
    figure.legend(list(signs), labels, title=title, loc="outside lower center", ncols=columns, frameon=False)
