"""A figure of Matplotlib that notebooks show and that saves itself, in colours for light and dark pages."""

from __future__ import annotations

import re
from contextlib import contextmanager, nullcontext
from hashlib import sha256
from html import escape
from io import BytesIO, StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from matplotlib import rc_context
from matplotlib.colors import to_hex, to_rgb, to_rgba_array
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine

from rankdcg_sql._errors import CallOSError, CallValueError, shown

if TYPE_CHECKING:
    from collections.abc import Iterator
    from os import PathLike


#: Each colour on light pages, and the same on dark pages. The first seven tell systems apart. They are Okabe
#: and Ito's, which colour-blind people can tell apart; their yellow is too pale on white. No colour is in
#: both columns, so that replacing one twice does no harm.
THEMES = {
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
#: The colours of systems, and those of parts of plots.
COLOURS = tuple(THEMES)[:7]
INK, FAINT, ZERO, TIE, GRID, PAGE = tuple(THEMES)[7:]
WIN, LOSS = COLOURS[:2]
#: The colours of light pages in an SVG.
SVG_COLOUR = re.compile("|".join(THEMES), re.IGNORECASE)
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


def _style_sheet() -> str:
    """Write the colours of plots in HTML: those of the page's theme, or else those of the reader's choice."""
    light, dark = (
        "".join(f"--rankdcg-{name[1:]}:{colour};" for name, colour in zip(THEMES, colours, strict=True))
        for colours in (THEMES, THEMES.values())
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


def dark_svg(text: str) -> str:
    """Give the SVG of a plot the colours for dark pages."""
    return SVG_COLOUR.sub(lambda match: THEMES[match[0].lower()], text)


# Fonts of HTML pages. They are narrower than Matplotlib's, with which the plot is laid out.
_FONTS = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif'
# Parts of an SVG that are useless within an HTML page. Its style sheet would hold for the whole page.
_SVG_EXTRAS = re.compile(
    r"<!--.*?-->|<metadata>.*?</metadata>|<\?xml.*?\?>|<!DOCTYPE.*?>|<defs>\s*<style.*?</style>\s*</defs>",
    re.DOTALL,
)
# The text before an id in an SVG. Ids must be unique in the page, so each figure's get a prefix.
_SVG_NAMES = re.compile(r'(\bid="|href="#|url\(#)')
# The font of a text in an SVG: the size, which is kept, and the families.
_SVG_FONT = re.compile(r"(font: [^;\"]*?\d+(?:\.\d+)?px )[^;\"]*")
#: The endings of the files that `Plot.save` writes.
_ENDINGS = (".svg", ".png", ".pdf")


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
            raise CallValueError.about(
                "save", "path", f"must end with {' or '.join(_ENDINGS)}, got {shown(str(path))}"
            )
        self._settle()
        with _reproducible("path"), _darkened(self) if dark else nullcontext():
            # Equal plots give equal files, which therefore have no date.
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
        text = SVG_COLOUR.sub(lambda match: f"var(--rankdcg-{match[0][1:].lower()})", text)
        text = _SVG_FONT.sub(lambda match: match[1] + escape(_FONTS), text)
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


def _reproducible(fonts: str) -> Any:
    """Write equal SVGs for equal plots, with `fonts` as ``path`` or as text (``none``)."""
    return rc_context({"svg.hashsalt": "rankdcg_sql", "svg.fonttype": fonts})


@contextmanager
def _darkened(figure: Figure) -> Iterator[None]:
    """Draw a figure in the colours of dark pages."""
    figure.draw_without_rendering()  # makes the labels of axes
    _recolour(figure, THEMES)
    try:
        yield
    finally:
        _recolour(figure, {dark: light for light, dark in THEMES.items()})


def _recolour(figure: Figure, colours: dict[str, str]) -> None:
    """Replace the colours of all parts of a figure; each part keeps its transparency."""
    for artist in figure.findobj():
        for name in ("color", "facecolor", "edgecolor", "markerfacecolor", "markeredgecolor"):
            read, write = (getattr(artist, f"{verb}_{name}", None) for verb in ("get", "set"))
            if not (read and write):
                continue
            rgba = to_rgba_array(read())
            new = [
                (*to_rgb(colours.get(to_hex(colour), to_hex(colour))), float(colour[3])) for colour in rgba
            ]
            if new:
                write(new if len(new) > 1 else new[0])
