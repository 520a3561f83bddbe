"""Random spans and chunks of users, and tables of them."""

from __future__ import annotations

import random
from typing import Any

from support.reference import Chunk, Span

#: The rules of overlap.
RULES: tuple[str | float, ...] = ("any", "best", 0.3, 0.5, 1)
#: The columns of both tables.
_NAMES = ("userid", "itemid", "start", "end")


def drawn(users: int, seed: int) -> dict[int, tuple[list[Span], list[Chunk]]]:
    """Spans and chunks of users: with ties, repeats, windows that overlap, and documents without spans."""
    rng = random.Random(seed)

    def interval(longest: int) -> tuple[str, int, int]:
        start = rng.choice((0, 10, rng.randrange(40)))
        return rng.choice("aab"), start, start + rng.randint(1, longest)

    def of_user() -> tuple[list[Span], list[Chunk]]:
        spans = {interval(12): float(rng.randrange(4)) for _ in range(rng.randint(1, 5))}
        chunks: list[Chunk] = [(*interval(25), rng.randrange(5)) for _ in range(rng.randrange(9))]
        chunks += [(*chunk[:3], rng.randrange(5)) for chunk in chunks if rng.random() < 0.2]
        chunks += [(None, None, None, rng.randrange(5))] * (rng.random() < 0.2)
        return [(*span, rel) for span, rel in spans.items()], chunks

    return {user: of_user() for user in range(users)}


def tables(data: dict[int, tuple[list[Span], list[Chunk]]]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The tables truth and rec of users, as dicts of columns."""
    truth = [(user, *span) for user, (spans, _) in data.items() for span in spans]
    rec = [(user, *chunk) for user, (_, chunks) in data.items() for chunk in chunks]
    return (
        dict(zip((*_NAMES, "rel"), map(list, zip(*truth, strict=True)), strict=True)),
        dict(zip((*_NAMES, "score"), map(list, zip(*rec, strict=True)), strict=True)),
    )
