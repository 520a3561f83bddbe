"""Random rows with the arguments of functions of lists, some of them NULL."""

from __future__ import annotations

import random
from functools import cache
from typing import Any, NamedTuple

import pyarrow as pa


class Row(NamedTuple):
    """The arguments of one call, and two numbers that queries need."""

    id: int
    #: The group of the row, 0 to 6, for queries with groups.
    part: int
    #: The retrieved items, best first.
    rec: list[int | None] | None
    #: The relevant items.
    truth: list[int | None] | None
    #: The relevance of each judged item.
    graded: dict[int, float | None] | None
    k: int | None
    #: The options as the text that SQL takes.
    options: str | None


#: Texts of options that every metric over lists of items takes, each with its meaning.
OPTIONS: dict[str | None, dict[str, str]] = {
    None: {},
    "": {},
    "no_relevant=zero": {"no_relevant": "zero"},
    "duplicates=count": {"duplicates": "count"},
    " NO_RELEVANT = one ,duplicates=count": {"no_relevant": "one", "duplicates": "count"},
}

TEXTS = [text for text in OPTIONS if text is not None]

SCHEMA = pa.schema(
    {
        "id": pa.int32(),
        "part": pa.int32(),
        "rec": pa.list_(pa.int32()),
        "truth": pa.list_(pa.int64()),
        "graded": pa.map_(pa.int64(), pa.float32()),
        "k": pa.int64(),
        "options": pa.string(),
    }
)


@cache
def rows(count: int, nulls: str = "") -> list[Row]:
    """Random rows. `nulls` names what may be NULL: lists, items, k, options, all or nothing.

    `count` is the seed, too.
    """
    chance = random.Random(count)

    def maybe(place: str, present: Any) -> Any:
        return None if nulls in (place, "all") and chance.random() < 0.2 else present

    def items() -> list[int | None] | None:
        return maybe("lists", [maybe("items", chance.randrange(9)) for _ in range(chance.randrange(8))])

    def graded() -> dict[int, float | None] | None:
        judged = chance.sample(range(9), chance.randrange(8))
        return maybe("lists", {item: maybe("items", float(chance.randrange(4))) for item in judged})

    return [
        Row(
            index,
            index % 7,
            items(),
            items(),
            graded(),
            maybe("k", chance.randrange(1, 9)),
            maybe("options", chance.choice(TEXTS)),
        )
        for index in range(count)
    ]


@cache
def arrow(count: int, nulls: str) -> pa.Table:
    columns = zip(*rows(count, nulls), strict=True)
    arrays = [pa.array(list(column), field.type) for column, field in zip(columns, SCHEMA, strict=True)]
    return pa.table(arrays, schema=SCHEMA)
