"""The colours of plots, on light pages and on dark ones."""

from __future__ import annotations

import re

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
    return SVG_COLOUR.sub(lambda found: THEMES[found[0].lower()], text)
