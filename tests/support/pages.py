"""The tags, tables and sentences of pages of HTML."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape
from html.parser import HTMLParser

#: A function that writes a report.
Writer = Callable[..., str]


class Reader(HTMLParser):
    """The tags and attributes of a page, and the cells of its tables."""

    VOID = frozenset({"meta", "br", "link", "img"})

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.tables: list[list[list[str]]] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)
        if tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append([])
        elif tag in ("th", "td"):
            self.tables[-1][-1].append("")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "td" in self.open or "th" in self.open:
            self.tables[-1][-1][-1] += data


def table(page: str, *columns: str) -> list[dict[str, str]]:
    """The rows of the table whose first columns are these."""
    (found,) = (of for of in Reader(page).tables if of[0][: len(columns)] == list(columns))
    return [dict(zip(found[0], row, strict=True)) for row in found[1:]]


def pairs(page: str, *columns: str) -> dict[str, str]:
    """The second cell of each row of a table, keyed by the first."""
    return {row[columns[0]]: row[columns[1]] for row in table(page, *columns)}


def decision(page: str) -> list[str]:
    """The sentences of the decision."""
    found = page.partition('<div class="decision">')[2].partition("</div>")[0]
    return [unescape(re.sub("<[^>]*>", "", sentence)).strip() for sentence in found.split("</p>")[:-1]]
