"""Texts of plots: labels of systems and segments, and words about intervals."""

from __future__ import annotations

from textwrap import fill
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


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
    """Break a text into lines of so many characters, or of twelve."""
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


def intervals_in_words(confidence: float, kinds: Iterable[str | None]) -> str:
    """Name the intervals of a plot for its headline; `kinds` is what each is from."""
    return f"{percent(confidence)} confidence intervals{about_range(kinds)}"


def about_range(kinds: Iterable[str | None]) -> str:
    """Say that some intervals are from the range of a metric; `kinds` is what each is from."""
    return "; those of equal values are from the range of the metric" if "range" in kinds else ""
