"""Parts of an HTML page: tables, tiles, lists, sentences and numbers."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from rankdcg_sql._output import Result, html

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Sequence


#: The text where there is no value.
NONE = "\N{EN DASH}"


def tiles(tiles: Iterable[tuple[str, str, str]]) -> str:
    """Return the HTML of a few large numbers, each given as its name, the number and a note."""
    texts = (tuple(map(escape, tile)) for tile in tiles)
    parts = "\n".join(
        f"<div><dt>{name}</dt><dd>{number}</dd><dd>{note}</dd></div>" for name, number, note in texts
    )
    return f'<dl class="tiles">\n{parts}\n</dl>'


def table(
    caption: str,
    columns: Sequence[str],
    rows: Sequence[tuple[str | None, ...]],
    numeric: Container[int] = (),
    heads: int = 1,
    kind: str = "",
) -> str:
    """Return the HTML of a table on a card that scrolls, also by keyboard, if the table is too wide.

    `numeric` has the indices (from 0) of the columns of numbers. The first `heads` columns are header cells.
    `kind` is one more class of the card: ``definitions`` puts the cells of a row below each other on phones.
    """
    result = Result(list(columns), [number in numeric for number in range(len(columns))], rows)
    attributes = f'class="{f"card {kind}".strip()}" role="region" tabindex="0" aria-label="{escape(caption)}"'
    return f"<div {attributes}>\n{html(result, caption, heads)}\n</div>"


def folded(name: str, content: str) -> str:
    """Return the HTML of content below a name, hidden until the reader opens it."""
    return f"<details><summary>{escape(name)}</summary>\n{content}\n</details>"


def bullets(sentences: Iterable[str]) -> str:
    """Return the HTML of a list of sentences."""
    return "<ul>\n" + "\n".join(f"<li>{escape(sentence)}</li>" for sentence in sentences) + "\n</ul>"


def join_sentences(*sentences: str) -> str:
    """Join sentences with full stops, leaving out empty ones. One alone has no full stop, as a title."""
    given = [sentence.rstrip(".") for sentence in sentences if sentence]
    return ". ".join(given) + "." * (len(given) > 1)


def cell_text(value: object) -> str:
    """Write a value of a segment; a dash is NULL."""
    return NONE if value is None else str(value)


def number_text(value: float | None, sign: str = "") -> str:
    """Write a number with four digits; with ``+`` for `sign`, always with a sign."""
    return NONE if value is None else f"{value:{sign}.4f}".replace("-", "\N{MINUS SIGN}")


def interval_text(low: float | None, high: float | None, sign: str = "") -> str:
    """Write the ends of an interval as `number_text` does."""
    return NONE if low is None else f"{number_text(low, sign)} to {number_text(high, sign)}"


def p_value_text(p: float | None) -> str:
    """Write a p-value with three digits, or as ``< 0.001`` if it is smaller."""
    if p is None:
        return NONE
    return "< 0.001" if p < 0.001 else f"{p:.3f}"
