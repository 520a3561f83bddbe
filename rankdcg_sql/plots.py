"""Plots of evaluations and comparisons, as figures of Matplotlib.

A notebook shows a plot by itself, on a light page and on a dark one, and ``plot.save("plot.svg")`` writes it
to a file. DuckDB counts and bins the values of users. Plots need ``pip install 'rankdcg_sql[plots]'``.
"""

from __future__ import annotations

import re
from contextlib import contextmanager
from functools import wraps
from hashlib import sha256
from html import escape
from io import BytesIO, StringIO
from math import isfinite, lcm
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from duckdb import ColumnExpression, ConstantExpression

try:
    from matplotlib import rc_context
    from matplotlib.figure import Figure
except ImportError as error:
    raise ImportError("Plots need Matplotlib: pip install 'rankdcg_sql[plots]'") from error
from matplotlib.colors import to_hex, to_rgb, to_rgba_array
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator, PercentFormatter

from rankdcg_sql._errors import Argument, CallOSError, CallValueError, shown
from rankdcg_sql._sql import quote_name
from rankdcg_sql.evaluation._terms.checks import check_choice
from rankdcg_sql.evaluation._terms.metrics import Measure

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from os import PathLike

    from duckdb import DuckDBPyRelation, Expression
    from matplotlib.axes import Axes

    from rankdcg_sql.evaluation._results.comparison import Comparison
    from rankdcg_sql.evaluation._results.results import Evaluation
    from rankdcg_sql.evaluation._terms.counts import Unit

    Drawing = TypeVar("Drawing", bound=Callable[..., Any])

#: Each colour on light pages, and the same on dark pages. The first seven tell systems apart. They are Okabe
#: and Ito's, which colour-blind people can tell apart; their yellow is too pale on white. No colour is in
#: both columns, so that replacing one twice does no harm.
_THEMES = {
    "#0072b2": "#5aaeea",
    "#d55e00": "#f58a45",
    "#009e73": "#35c596",
    "#cc79a7": "#e5a3c7",
    "#e69f00": "#f2b63f",
    "#56b4e9": "#a8dcfa",
    "#000000": "#f5f7fa",
    "#1b1f24": "#e7eaee",
    "#59636e": "#a0a9b4",
    "#8a929c": "#7c8691",
    "#d0d4d9": "#4b535c",
    "#e3e6ea": "#333a42",
    "#ffffff": "#1d2125",
}
_COLOURS = tuple(_THEMES)[:7]
_INK, _FAINT, _ZERO, _TIE, _GRID, _PAGE = tuple(_THEMES)[7:]
_WIN, _LOSS = _COLOURS[:2]
# Shapes tell systems apart where there are no colours, as in print.
_MARKERS = "os^DvPX"
_LINES = ("-", "--", ":", "-.")
#: The name of a checkpoint: its model, and the number of its step.
_STEP = re.compile(r"(?P<model>.*?)(?P<number>[0-9]+(\.[0-9]+)?)", re.DOTALL)
_BINS = 20
#: The most points of a curve over users.
_POINTS = 200
#: The width of plots in inches, unless another one is given.
_WIDTH = 7.5
#: Settings of Matplotlib for every plot, whatever style is in use.
_LOOK: dict[Any, Any] = {
    "text.color": _INK,
    "axes.edgecolor": _FAINT,
    "axes.facecolor": "none",
    "axes.labelcolor": _INK,
    "axes.titlecolor": _INK,
    "font.family": ["sans-serif"],
    "font.size": 10.0,
    "text.usetex": False,
}
#: The elements of HTML pages that choose a theme of their own: in JupyterLab, VS Code, Colab, marimo,
#: Zensical.
_DARK_PAGES = (
    '[data-jp-theme-light="false"]',
    "body.vscode-dark",
    "html[theme=dark]",
    ".dark",
    '[data-md-color-scheme="slate"]',
)
_LIGHT_PAGES = (
    '[data-jp-theme-light="true"]',
    "body.vscode-light",
    "html[theme=light]",
    ".light",
    '[data-md-color-scheme="default"]',
)
# Fonts of HTML pages. They are narrower than Matplotlib's, with which the plot is laid out.
_FONTS = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif'
# Parts of an SVG that are useless within an HTML page. Its style sheet would hold for the whole page.
_SVG_EXTRAS = re.compile(
    r"<!--.*?-->|<metadata>.*?</metadata>|<\?xml.*?\?>|<!DOCTYPE.*?>|<defs>\s*<style.*?</style>\s*</defs>",
    re.DOTALL,
)
# The text before an id in an SVG. Ids must be unique in the page, so each figure's get a prefix.
_SVG_NAMES = re.compile(r'(\bid="|href="#|url\(#)')
_SVG_COLOUR = re.compile("|".join(_THEMES), re.IGNORECASE)
_SVG_FONT = re.compile(r"(font: [^;\"]*?\d+(?:\.\d+)?px )[^;\"]*")
#: The endings of the files that `Plot.save` writes.
_ENDINGS = (".svg", ".png", ".pdf")


def _style_sheet() -> str:
    """Write the colours of plots in HTML: those of the page's theme, or else those of the reader's choice."""
    light, dark = (
        "".join(f"--rankdcg-{light[1:]}:{colour};" for light, colour in colours)
        for colours in (zip(_THEMES, _THEMES, strict=True), _THEMES.items())
    )
    of_dark, of_light = (
        ",".join(f"{page} .rankdcg-plot" for page in pages) for pages in (_DARK_PAGES, _LIGHT_PAGES)
    )
    return (
        f".rankdcg-plot{{{light}}}@media (prefers-color-scheme:dark){{.rankdcg-plot{{{dark}}}}}"
        f"{of_dark}{{{dark}}}{of_light}{{{light}}}@media print{{.rankdcg-plot{{{light}}}}}"
    )


#: The style sheet of the plots in an HTML page. `Plot.to_svg` refers to it.
STYLE = _style_sheet()


class Plot(Figure):
    """A figure of Matplotlib that notebooks show, and that saves itself.

    Jupyter, VS Code, Colab and marimo show it as SVG in the colours of the page, light or dark. Viewers that
    take no HTML show a PNG.

    Examples
    --------
    >>> import rankdcg_sql
    >>> truth = {"userid": [1, 1, 2], "itemid": ["a", "b", "c"]}
    >>> rec = {"userid": [1, 1, 2], "itemid": ["a", "c", "c"], "score": [0.9, 0.8, 0.7]}
    >>> plot = rankdcg_sql.evaluate(truth, rec, k=[1, 2], metrics="ndcg").plot()
    >>> plot.to_svg("Means of the shop").startswith("<svg")
    True
    """

    def save(self, path: str | PathLike[str], dark: bool = False) -> None:
        """Write the plot to a file.

        Parameters
        ----------
        path : path-like
            A file whose name ends with ``.svg``, ``.png`` or ``.pdf``; an existing file is replaced. A PNG
            has 200 pixels per inch. `savefig` of Matplotlib has more formats and options.
        dark : bool
            Whether the file is for dark pages. It is for light ones if not given.

        Raises
        ------
        ValueError
            If the name has another ending.
        OSError
            If the file cannot be written.
        """
        ending = Path(path).suffix.lower()
        if ending not in _ENDINGS:
            raise CallValueError(
                "save",
                "path",
                Argument("path"),
                f" must end with {' or '.join(_ENDINGS)}, got {shown(str(path))}",
            )
        self._settle()
        with _reproducible("path"), _darkened(self) if dark else _as_it_is():
            stamp = {"CreationDate" if ending == ".pdf" else "Date": None} if ending != ".png" else {}
            try:
                self.savefig(path, format=ending[1:], dpi=200, metadata=stamp)
            except OSError as error:
                raise CallOSError("save", "path", str(error)) from error

    def to_svg(self, label: str | None = None) -> str:
        """Return the plot as SVG for an HTML page, whose style sheet must have `STYLE`.

        Parameters
        ----------
        label : str, optional
            The description that screen readers read; the title of the plot if not given.

        Returns
        -------
        str
            An element ``svg`` without a background, as wide as the plot, or as the page if that is narrower.
            Equal plots give equal texts.
        """
        self._settle()
        file = StringIO()
        with _reproducible("none"):
            self.savefig(file, format="svg", transparent=True, metadata={"Date": None})
        text = _SVG_EXTRAS.sub("", file.getvalue()).strip()
        name = sha256(text.encode()).hexdigest()[:8]
        text = _SVG_NAMES.sub(rf"\g<1>{name}-", text)
        text = _SVG_COLOUR.sub(lambda found: f"var(--rankdcg-{found[0][1:].lower()})", text)
        text = _SVG_FONT.sub(lambda found: found[1] + escape(_FONTS), text)
        about = escape(self.get_suptitle() if label is None else label)
        style = "max-width:100%;height:auto;stroke-linejoin:round;stroke-linecap:butt"
        return text.replace(
            "<svg ", f'<svg class="rankdcg-plot" role="img" aria-label="{about}" style="{style}" ', 1
        )

    def _settle(self) -> None:
        """Compute the layout once: a second time, it would move the panels by fractions of a pixel."""
        engine = self.get_layout_engine()
        if isinstance(engine, ConstrainedLayoutEngine):
            engine.execute(self)
            # With an engine that places nothing, Matplotlib would draw the figure twice.
            with rc_context({"figure.autolayout": False, "figure.constrained_layout.use": False}):
                self.set_layout_engine(None)

    def _repr_html_(self) -> str:
        return f"<style>{STYLE}</style>{self.to_svg()}"

    def _mime_(self) -> tuple[str, str]:
        # marimo would draw any figure of Matplotlib as a PNG.
        return "text/html", self._repr_html_()

    def _repr_png_(self) -> tuple[bytes, dict[str, int]]:
        """Return the figure as PNG with twice its resolution, and the size in pixels to show it in."""
        self._settle()
        file = BytesIO()
        self.savefig(file, format="png", dpi=2 * self.dpi)
        width, height = self.get_size_inches() * self.dpi
        return file.getvalue(), {"width": round(width), "height": round(height)}


def dark_svg(text: str) -> str:
    """Give the SVG of a plot the colours for dark pages."""
    return _SVG_COLOUR.sub(lambda found: _THEMES[found[0].lower()], text)


@contextmanager
def _as_it_is() -> Iterator[None]:
    yield


def _reproducible(fonts: str) -> Any:
    """Write equal SVGs for equal plots, with `fonts` as ``path`` or as text (``none``)."""
    return rc_context({"svg.hashsalt": "rankdcg_sql", "svg.fonttype": fonts})


@contextmanager
def _darkened(figure: Figure) -> Iterator[None]:
    """Draw a figure in the colours of dark pages."""
    figure.draw_without_rendering()  # makes the labels of axes
    _recolour(figure, _THEMES)
    try:
        yield
    finally:
        _recolour(figure, {dark: light for light, dark in _THEMES.items()})


def _recolour(figure: Figure, colours: dict[str, str]) -> None:
    """Replace the colours of all parts of a figure; each part keeps its transparency."""
    for artist in figure.findobj():
        for name in ("color", "facecolor", "edgecolor", "markerfacecolor", "markeredgecolor"):
            read, write = (getattr(artist, f"{verb}_{name}", None) for verb in ("get", "set"))
            if not (read and write):
                continue
            found = to_rgba_array(read())
            new = [(*to_rgb(colours.get(to_hex(each), to_hex(each))), float(each[3])) for each in found]
            if new:
                write(new if len(new) > 1 else new[0])


def _styled(draw: Drawing) -> Drawing:
    """Let a function draw with the settings of this package; check the width that it is given."""

    @wraps(draw)
    def styled(*arguments: Any, **named: Any) -> Any:
        width = named.get("width")
        if width is not None and not (isinstance(width, (int, float)) and 2 <= width <= 100):
            raise CallValueError(
                draw.__name__, "width", Argument("width"), f" must be 2 to 100 inches, got {shown(width)}"
            )
        with rc_context(_LOOK):
            figure = draw(*arguments, **named)
        # Ticks are made when a figure is drawn, with the settings of that time.
        for axes in figure.axes:
            axes.tick_params(color=_FAINT, labelcolor=_INK)
        return figure

    return styled  # type: ignore[return-value]


#: A mean and the lengths of its interval below and above, in SQL; NaN if they are NULL. The last column is
#: what the interval is from.
_MEANS = ", ".join(
    [
        *(f"coalesce({number}, 'nan')::DOUBLE" for number in ("mean", "mean - low", "high - mean")),
        "interval_by",
    ]
)


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
    #: The source of the interval, as `interval_by` has it; None if there is none.
    interval_by: str | None


@_styled
def metric_at_k(
    result: Evaluation | Comparison,
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
    means = _means(result)
    known: dict[str, list[_Mean]] = {}
    named: dict[str, list[_Mean]] = {}
    for mean in means:
        known.setdefault(mean.metric, []).append(mean)
        named.setdefault(Measure(mean.metric, mean.k).column, []).append(mean)
    chosen = [metrics] if isinstance(metrics, str) else list(known if metrics is None else metrics)
    for metric in chosen:
        check_choice("metric_at_k", "metrics", metric, named if "@" in str(metric) else known)
    styles = _styles(mean.group for mean in means)
    panels_of = {metric: known.get(metric) or named[metric] for metric in chosen}
    has_lines = any(len({mean.k for mean in drawn}) > 1 for drawn in panels_of.values())
    figure, panels = _grid(len(panels_of), width, 2.5 if has_lines else _height_of_rows(len(styles)))
    lines: dict[str, Any] = {}
    for drawn, axes in zip(panels_of.values(), panels, strict=True):
        ks = sorted({mean.k for mean in drawn}, key=_whole_list_last)
        if len(ks) == 1:
            _draw_points(axes, drawn, styles)
            _title(axes, Measure(drawn[0].metric, ks[0]).column)
        else:
            lines |= _draw_lines(axes, drawn, ks, styles)
            _title(axes, drawn[0].metric)
    kinds = [mean.interval_by for drawn in panels_of.values() for mean in drawn]
    sure = f"{percent(result.confidence)} confidence intervals{_about_range(kinds)}"
    _headline(figure, f"Means over {result.words.plural}, with {sure}")
    if len(lines) > 1:
        _legend(figure, list(lines.values()), list(map(_short, lines)), title=", ".join(groups_of(result)))
    return figure


@_styled
def learning_curve(
    comparison: Comparison,
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
    rows = _shown(comparison.summary, comparison).project(f"system, metric, k, {_MEANS}").fetchall()
    chosen = _chosen("learning_curve", (row[1:3] for row in rows), metric, k)
    styles = _styles(model for model, _ in found.values())
    figure, panels = _grid(len(chosen), width, 2.5)
    lines: dict[str, Any] = {}
    for measure, axes in zip(chosen, panels, strict=True):
        curves: dict[str, list[tuple[float, ...]]] = {}
        for system, *of, mean, below, above, _ in rows:
            model, step = found[system]
            if tuple(of) == measure and step is not None:
                curves.setdefault(model, []).append((step, mean, mean - below, mean + above))
            elif tuple(of) == measure:
                level = {**styles[model], "marker": "", "linestyle": "--"}
                lines[model] = axes.axhline(mean, **level)
                axes.axhspan(mean - below, mean + above, color=level["color"], alpha=0.1, linewidth=0)
        for model, points in curves.items():
            places, means, lows, highs = zip(*sorted(points), strict=True)
            (lines[model],) = axes.plot(places, means, markersize=4.5, **styles[model])
            axes.fill_between(places, lows, highs, color=styles[model]["color"], alpha=0.15, linewidth=0)
        axes.xaxis.set_major_locator(MaxNLocator(4))
        # Without this, Matplotlib writes 100,000 and 100,001 as 0 and 1 and the rest at the end of the axis.
        axes.ticklabel_format(axis="x", style="plain", useOffset=False)
        axes.set_xlabel("step")
        axes.set_ylabel("mean")
        axes.margins(x=0.06)
        _title(axes, Measure(*measure).column)
        _clear(axes, "y")
    sure = f"{percent(comparison.confidence)} confidence intervals{_about_range(row[-1] for row in rows)}"
    _headline(figure, f"Means by step, with {sure}")
    if len(lines) > 1:
        drawn = {model: lines[model] for model in styles}
        _legend(figure, list(drawn.values()), list(map(_short, drawn)))
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
        found[system] = (_label([model or "checkpoints"]), number)
    if sum(step is not None for _, step in found.values()) < 2:
        names = ", ".join(map(shown, systems))
        why = f" must give two systems or more a step: no two of {names} end in a number"
        raise CallValueError(*where, Argument("steps"), why if steps is None else why.partition(":")[0])
    return found


@_styled
def distribution(
    result: Evaluation | Comparison, metric: str, k: int | None = None, *, width: float = _WIDTH
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
        If the result has no such metric, or the metric no such k.
    """
    groups = groups_of(result)
    # Only these columns are read, so that DuckDB computes no interval.
    shown = _shown(result.summary, result)
    rows = shown.project(", ".join([*map(quote_name, groups), "metric", "k"])).fetchall()
    metric, k = _only("distribution", (row[-2:] for row in rows), metric, k)
    values = result.per_user.filter(_is("metric", metric)).filter(_is("k", k))
    labels = dict.fromkeys(_label(row[:-2]) for row in rows)
    return _histograms(values, groups, list(labels), Measure(metric, k).column, width, result.words)


@_styled
def wins(
    comparison: Comparison, metric: str | None = None, k: int | None = None, *, width: float = _WIDTH
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
    shown_rows = _shown(comparison.differences, comparison)
    rows = shown_rows.project(
        "system, against, metric, k, "
        "wins / nullif(n, 0), ties / nullif(n, 0), losses / nullif(n, 0), "
        "wins, ties, losses"
    ).fetchall()
    rows = [row for row in rows if row[2:4] in _chosen("wins", (each[2:4] for each in rows), metric, k)]
    single = len({row[2:4] for row in rows}) == 1
    panels: dict[str, dict[str, tuple[Any, ...]]] = {}
    for system, other, name, at, *numbers in rows:
        pair = f"{_short(_label([system]))} against {_short(_label([other]))}"
        at_k = Measure(name, at).column
        # The baseline is the same in all bars of a panel, unless all pairs are compared.
        bar = pair if comparison.baseline is None else _label([system])
        title, bar = (at_k, bar) if single else (pair, at_k)
        panels.setdefault(title, {})[bar] = tuple(numbers)
    bars = sum(map(len, panels.values()))
    figure = _figure(width, 1.3 + 0.45 * len(panels) + 0.36 * bars)
    ratios = [len(panel) + 0.5 for panel in panels.values()] or [1]
    grid = figure.subplots(len(ratios), squeeze=False, sharex=True, height_ratios=ratios)
    for (title, panel), axes in zip(panels.items(), grid.flat, strict=False):
        _draw_wins(axes, panel)
        _title(axes, title, width)
    last = figure.axes[-1]
    last.set_xlabel(comparison.words.say("users with values of both systems"))
    last.xaxis.set_major_formatter(PercentFormatter(1))
    _legend(figure, *figure.axes[0].get_legend_handles_labels())
    return figure


@_styled
def differences(
    comparison: Comparison, metric: str | None = None, k: int | None = None, *, width: float = _WIDTH
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
    segment = f"[{', '.join(comparison.segment_cells)}]::VARCHAR[]"
    found = comparison.differences.project(
        f"system, against, {segment}, metric, k, {numbers}, {comparison.verdict_in_sql}, interval_by"
    ).fetchall()
    chosen = _chosen("differences", (row[3:5] for row in found), metric, k)
    single = len(chosen) == 1 and not comparison.by
    panels: dict[str, list[_Difference]] = {}
    for system, other, of, name, at, *drawn in found:
        if (name, at) not in chosen:
            continue
        pair = f"{_short(_label([system]))} \N{MINUS SIGN} {_short(_label([other]))}"
        at_k = Measure(name, at).column
        title, row = (at_k, pair) if single else (pair, at_k)
        if comparison.by:
            label = _label([part for part in of if part != ""])
            title, row = (f"{pair}, {at_k}", label) if len(chosen) <= 4 else (pair, f"{at_k}, {label}")
        panels.setdefault(title, []).append(_Difference(row, *drawn))
    rows = sum(map(len, panels.values()))
    figure = _figure(width, 1.45 + 0.42 * len(panels) + 0.3 * rows)
    ratios = [len(panel) + 0.4 for panel in panels.values()] or [1]
    grid = figure.subplots(len(ratios), squeeze=False, sharex=True, height_ratios=ratios)
    for (title, panel), axes in zip(panels.items(), grid.flat, strict=False):
        _draw_differences(axes, panel, _band(comparison))
        _title(axes, title, width)
    last = figure.axes[-1]
    last.set_xlabel("difference of means")
    last.xaxis.set_major_locator(MaxNLocator(5 if width > 5 else 3, symmetric=False))
    about_range = _about_range(row.interval_by for panel in panels.values() for row in panel)
    sure = f"{percent(comparison.confidence)} confidence intervals{about_range}"
    _headline(figure, f"Differences of means, with {sure}")
    kinds = dict.fromkeys(row.verdict for panel in panels.values() for row in panel)
    keys: list[Any] = [
        Line2D([], [], linestyle="none", label=_VERDICTS.get(kind, _SHOWN).text or kind, **_marker(kind))
        for kind in sorted(kinds, key=[*_VERDICTS, *kinds].index)
    ]
    if comparison.margin:
        keys.append(Patch(facecolor=_TIE, alpha=0.5, label=f"margin {comparison.margin:g}"))
    _legend(figure, keys, [key.get_label() for key in keys])
    return figure


@_styled
def user_differences(
    comparison: Comparison, metric: str, k: int | None = None, *, width: float = _WIDTH
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
    compared = _shown(comparison.differences, comparison)
    counted = compared.project(
        "system, against, metric, k, n, wins / nullif(n, 0), losses / nullif(n, 0), wins, losses"
    ).fetchall()
    metric, k = _only("user_differences", (row[2:4] for row in counted), metric, k)
    pairs = [row for row in counted if row[2:4] == (metric, k)]
    figure = _figure(width, 0.9 + 2.0 * len(pairs))
    grid = figure.subplots(len(pairs) or 1, squeeze=False, sharex=True, sharey=True).flat
    name = Measure(metric, k).column
    for (system, other, _, _, n, *shares_and_counts), axes in zip(pairs, grid, strict=False):
        pair = f"{_short(_label([system]))} \N{MINUS SIGN} {_short(_label([other]))}"
        _title(axes, f"{pair}: {comparison.words.count(n)}", width)
        places, values = _sorted_differences(comparison, system, other, metric, k)
        axes.axhline(0, color=_ZERO, linewidth=1)
        for sign, colour in ((1, _WIN), (-1, _LOSS)):
            reached = [value * sign > 0 for value in values]
            axes.fill_between(places, values, 0, where=reached, color=colour, alpha=0.3, linewidth=0)
        axes.plot(places, values, color=_INK, linewidth=1.4)
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
        _clear(axes, "y")
    figure.axes[-1].set_xlabel(comparison.words.say("users, sorted by difference"))
    figure.supylabel(f"difference of {name}", size="medium")
    _headline(figure, f"Differences of {name}, {comparison.words.say('user by user')}")
    return figure


@_styled
def segments(
    evaluation: Evaluation, metric: str | None = None, k: int | None = None, *, width: float | None = None
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
    found = evaluation.summary.project(", ".join(["all_users", *cells, "metric", "k", _MEANS])).fetchall()
    chosen = _chosen("segments", (row[-6:-4] for row in found), metric, k)
    panels: dict[tuple[str, int | None], list[_Mean]] = {measure: [] for measure in chosen}
    overall = {}
    for all_users, *segment, name, at, mean, below, above, interval_by in found:
        if (name, at) in panels:
            label = evaluation.words.all_of_them if all_users else _label(segment)
            panels[name, at].append(_Mean(label, name, at, mean, below, above, interval_by))
            if all_users:
                overall[name, at] = mean
    rows = max((len(panel) for panel in panels.values()), default=1)
    figure, grid = _grid(len(panels), width, _height_of_rows(rows))
    styles = {
        mean.group: {"color": _FAINT if mean.group == evaluation.words.all_of_them else _WIN, "marker": "o"}
        for panel in panels.values()
        for mean in panel
    }
    for (measure, panel), axes in zip(panels.items(), grid, strict=False):
        _draw_points(axes, panel, styles)
        axes.axvline(overall[measure], color=_FAINT, linewidth=1, linestyle="--", zorder=0)
        _title(axes, Measure(*measure).column)
    by = ", ".join(evaluation.by)
    about_range = _about_range(mean.interval_by for panel in panels.values() for mean in panel)
    sure = f"{percent(evaluation.confidence)} confidence intervals{about_range}"
    _headline(figure, f"Means by {by}, with {sure}")
    return figure


def _about_range(kinds: Iterable[str | None]) -> str:
    """Say that some intervals are from the range of a metric; `kinds` is what each is from."""
    return "; those of equal values are from the range of the metric" if "range" in kinds else ""


def percent(share: float) -> str:
    """Write a share (0 to 1) as a percentage.

    Examples
    --------
    >>> from rankdcg_sql.plots import percent
    >>> percent(0.95), percent(0.999)
    ('95%', '99.9%')
    """
    return f"{share * 100:.6g}%"


class _Look(NamedTuple):
    #: The word in the legend; empty if it is that of the verdict.
    text: str
    marker: str
    colour: str
    #: The sign before the number.
    sign: str


_VERDICTS = {
    "better": _Look("better", "^", _WIN, "\N{BLACK UP-POINTING TRIANGLE} "),
    "worse": _Look("worse", "v", _LOSS, "\N{BLACK DOWN-POINTING TRIANGLE} "),
    "same": _Look("undecided", "o", _FAINT, ""),
    "untested": _Look("no test", "d", _FAINT, ""),
}
#: How the alternative of a margin looks if it is shown.
_SHOWN = _Look("", "s", _COLOURS[2], "")


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


def _band(comparison: Comparison) -> tuple[float, float] | None:
    """Return the differences that do not matter, from low to high; None if there is no margin."""
    if not comparison.margin:
        return None
    low, high = {"less": (0, 1), "greater": (-1, 0)}.get(comparison.alternative, (-1, 1))
    return low * comparison.margin, high * comparison.margin


def _sorted_differences(
    comparison: Comparison, system: str, other: str, metric: str, k: int | None
) -> tuple[list[float], list[float]]:
    """Return shares of users and the quantiles of their differences there, in descending order."""
    values = comparison.per_user.filter(_is("metric", metric)).filter(_is("k", k))
    user = quote_name(next(iter(comparison.evaluations.values())).user)
    sides = [values.filter(_is("system", name)).project(f"{user}, value") for name in (system, other)]
    pairs = (
        sides[0].set_alias("a").join(sides[1].set_alias("b"), user).project("a.value - b.value AS difference")
    )
    shares = [place / _POINTS for place in range(_POINTS + 1)]
    ((quantiles,),) = pairs.aggregate(f"quantile_disc(difference, {shares})").fetchall()
    return (shares, quantiles[::-1]) if quantiles else ([], [])


def _chosen(
    caller: str, measures: Iterable[tuple[str, int | None]], metric: str | None, k: int | None
) -> list[tuple[str, int | None]]:
    """Return the metrics and cutoffs to plot, out of `measures`; None is every metric, or every k."""
    found = list(dict.fromkeys(measures))
    if measure := _named(caller, found, metric, k):
        return [measure]
    if metric is not None:
        check_choice(caller, "metric", metric, dict.fromkeys(name for name, _ in found))
        found = [measure for measure in found if measure[0] == metric]
    if k is not None:
        check_choice(caller, f"k of {metric}" if metric else "k", k, dict.fromkeys(at for _, at in found))
        found = [measure for measure in found if measure[1] == k]
    return found


def _named(
    caller: str, measures: list[tuple[str, int | None]], metric: str | None, k: int | None
) -> tuple[str, int | None] | None:
    """Return the metric and the cutoff that a name such as ``ndcg@10`` has; None if it has no cutoff."""
    if not isinstance(metric, str) or "@" not in metric:
        return None
    if k is not None:
        named = Argument("metric", metric)
        raise CallValueError(caller, "k", named, " has a cutoff: give no ", Argument("k"), f", got {k!r}")
    known = {Measure(*measure).column: measure for measure in measures}
    check_choice(caller, "metric", metric, known)
    return known[metric]


def _only(
    caller: str, measures: Iterable[tuple[str, int | None]], metric: str, k: int | None
) -> tuple[str, int | None]:
    """Return a metric and its k: the given one, or if none is given, the only one or the whole list."""
    found = list(dict.fromkeys(measures))
    if measure := _named(caller, found, metric, k):
        return measure
    check_choice(caller, "metric", metric, dict.fromkeys(name for name, _ in found))
    ks = [at for name, at in found if name == metric]
    if k is None and len(ks) == 1:
        return metric, ks[0]
    check_choice(caller, f"k of {metric}", k, ks)
    return metric, k


def _figure(width: float, height: float) -> Plot:
    """Make a figure of this size in inches, outside of pyplot, which would keep it or open a window."""
    # Letters are a little wider in some browsers than in the layout.
    return Plot(figsize=(width, height), layout=ConstrainedLayoutEngine(w_pad=0.08), facecolor=_PAGE)


def _grid(number: int, width: float | None, height: float) -> tuple[Plot, list[Axes]]:
    """Make a figure with panels of this height side by side, as many as the width has room for.

    The panels of the last row are wider if they are fewer, so that no place is empty.
    """
    columns = min(number, 3 if width is None else max(1, int(width / 3))) or 1
    rows = -(-number // columns) or 1
    figure = _figure(1.2 + 3.1 * columns if width is None else width, 0.9 + height * rows)
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


def _height_of_rows(number: int) -> float:
    """Return the height in inches of a panel with a row for each system or segment."""
    return 0.75 + 0.28 * number


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


def _short(label: str, most: int = 30) -> str:
    """Cut a label to a number of characters, to leave room for the plot."""
    # The backslash of an escaped dollar is not shown: it does not count, and no cut parts the two.
    shown = label.replace(r"\$", "$")
    if len(shown) <= most:
        return label
    return shown[: most - 1].replace("$", r"\$") + "\N{HORIZONTAL ELLIPSIS}"


def _fitting(axes: Axes, labels: Iterable[str]) -> list[str]:
    """Cut the labels of rows, on narrow figures more than on wide ones."""
    width = axes.figure.get_size_inches()[0]  # type: ignore[union-attr]
    return [_short(label, min(28, int(width * 5))) for label in labels]


def _wrapped(text: str, most: int) -> str:
    """Break a text into lines of so many characters, or of twelve."""
    return fill(text.replace(r"\$", "$"), max(12, most)).replace("$", r"\$")


def _means(result: Evaluation | Comparison) -> list[_Mean]:
    """Fetch the means and the lengths of their intervals below and above; NaN if a mean is NULL."""
    groups = groups_of(result)
    shown = _shown(result.summary, result)
    rows = shown.project(", ".join([*map(quote_name, groups), "metric, k", _MEANS])).fetchall()
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
    axes.set_yticks(range(len(means)), _fitting(axes, (mean.group for mean in means)))
    axes.set_ylim(len(means) - 0.4, -0.6)
    axes.tick_params(axis="y", length=0)
    axes.margins(x=0.15)
    axes.set_xlabel("mean")
    axes.xaxis.set_major_locator(MaxNLocator(5))
    _clear(axes, "x")


def _histograms(
    values: DuckDBPyRelation, groups: list[str], labels: list[str], name: str, inches: float, words: Unit
) -> Plot:
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
    figure = _figure(inches, 1.5 + 1.35 * len(labels))
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
        notes = [words.count(defined)]
        if mean is not None:
            axes.axvline(mean, color=_INK, linewidth=1, linestyle="--")
            notes.append(f"mean {mean:.4f} (dashed)")
        if undefined:
            notes.append(f"{undefined:,} not defined")
        _title(axes, ": ".join(filter(None, [_short(label), ", ".join(notes)])), inches - 0.6)
        axes.yaxis.set_major_formatter(PercentFormatter(1, decimals=0))
        axes.yaxis.set_major_locator(MaxNLocator(4))
        axes.margins(y=0.15)
        _clear(axes, "y")
    ticks = [tick for tick in MaxNLocator(6).tick_values(low, high) if low <= tick <= high]
    axes.set_xticks([zero_middle, *ticks], ["0\nexactly", *(f"{tick:g}" for tick in ticks)])
    axes.set_xlim(low - 2.5 * width, high + 0.5 * width)
    axes.set_xlabel(f"{name} of a {words.singular}")
    figure.supylabel(words.plural, size="medium")
    _headline(figure, f"Distribution of {name} over {words.plural}")
    return figure


def _draw_wins(axes: Axes, bars: dict[str, tuple[Any, ...]]) -> None:
    """Draw stacked bars of shares that add up to 1, with counts if a part is wide enough."""
    kinds = [("wins", _WIN, _PAGE), ("ties", _TIE, _INK), ("losses", _LOSS, _PAGE)]
    left = [0.0] * len(bars)
    for number, (label, colour, ink) in enumerate(kinds):
        shares = [values[number] or 0.0 for values in bars.values()]
        drawn = axes.barh(range(len(bars)), shares, 0.72, left, color=colour, label=label)
        counts = [values[number + 3] for values in bars.values()]
        texts = [f"{count:,}" if share > 0.07 else "" for count, share in zip(counts, shares, strict=True)]
        axes.bar_label(drawn, texts, label_type="center", color=ink, fontsize="small")
        left = [start + share for start, share in zip(left, shares, strict=True)]
    axes.set_yticks(range(len(bars)), _fitting(axes, bars))
    axes.set_ylim(len(bars) - 0.5, -0.5)
    axes.set_xlim(0, 1)
    axes.spines[:].set_visible(False)
    axes.tick_params(axis="y", length=0)


def _clear(axes: Axes, along: str) -> None:
    """Remove the upper and the right edge of the frame, and draw a faint grid behind the values."""
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(axis=along, color=_GRID, linewidth=0.8)  # type: ignore[arg-type]
    axes.set_axisbelow(True)


def _draw_differences(axes: Axes, rows: list[_Difference], band: tuple[float, float] | None) -> None:
    """Draw differences as points with intervals, from top to bottom, with their numbers at the right."""
    if band:
        axes.axvspan(*band, facecolor=_TIE, alpha=0.5, linewidth=0, zorder=0)
    axes.axvline(0, color=_FAINT, linewidth=1, zorder=1)
    for place, row in enumerate(rows):
        look = _VERDICTS.get(row.verdict, _SHOWN)
        axes.plot([row.low, row.high], [place, place], color=look.colour, linewidth=2, solid_capstyle="butt")
        axes.plot([row.difference], [place], linestyle="none", **_marker(row.verdict))
        number = (
            f"{row.difference:+.4f}".replace("-", "\N{MINUS SIGN}")
            if row.difference == row.difference
            else "\N{EN DASH}"
        )
        axes.text(
            1.02,
            place,
            look.sign + number,
            transform=axes.get_yaxis_transform(),
            va="center",
            fontsize="small",
            fontweight="normal" if look.colour == _FAINT else "bold",
        )
    axes.set_yticks(range(len(rows)), _fitting(axes, (row.label for row in rows)))
    axes.set_ylim(len(rows) - 0.4, -0.6)
    axes.tick_params(axis="y", length=0)
    axes.margins(x=0.06)
    _clear(axes, "x")
    axes.spines["left"].set_visible(False)


def _marker(verdict: str) -> dict[str, Any]:
    """Return the marker of a verdict; hollow if nothing is shown or tested."""
    look = _VERDICTS.get(verdict, _SHOWN)
    inside = _PAGE if look.colour == _FAINT else look.colour
    return {
        "marker": look.marker,
        "color": look.colour,
        "markerfacecolor": inside,
        "markersize": 7,
        "markeredgewidth": 1.5,
    }


def _title(axes: Axes, text: str, width: float | None = None) -> None:
    """Write the title of a panel, in lines that fit into a width in inches."""
    lines = text if width is None else _wrapped(text, int((width - 1.4) * 10.5))
    axes.set_title(lines, loc="left", fontsize="medium", fontweight="bold")


def _headline(figure: Figure, text: str) -> None:
    """Write the title of a figure, in lines that fit."""
    figure.suptitle(_wrapped(text, int(figure.get_size_inches()[0] * 10)))


def _legend(figure: Figure, lines: list[Any], labels: list[str], title: str | None = None) -> None:
    """Write a legend below the panels, in as many columns as there is room for."""
    # In points: a column has a sign, and up to 6.2 for each character.
    column = 45 + 6.2 * max(map(len, labels), default=0)
    columns = max(1, min(len(labels), 4, int(figure.get_size_inches()[0] * 72 / column)))
    figure.legend(lines, labels, title=title, loc="outside lower center", ncols=columns, frameon=False)
