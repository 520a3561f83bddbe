"""Types of columns by what their values are equal to, and how they are compared exactly."""

from __future__ import annotations

from typing import Literal

from rankdcg_sql._sql import quote_name

#: Whole numbers that BIGINT holds.
BIGINT_OR_SMALLER = {"TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER"}
#: Numbers that are ranked and compared exactly: floating point would make different ones equal.
WHOLE_NUMBERS = {*BIGINT_OR_SMALLER, "UBIGINT", "HUGEINT", "UHUGEINT", "DECIMAL"}
#: What scores and relevances may be.
NUMBERS = {*WHOLE_NUMBERS, "FLOAT", "DOUBLE", "BIGNUM"}


def exact_column(column: str, kind: str) -> str:
    """Write a column of a type in SQL, where texts are equal only if all their letters are.

    The setting ``default_collation``, or that of a table, may say otherwise, and the metrics do not ask it.
    """
    collated = ' COLLATE "binary"' if kind == "VARCHAR" else ""
    return f"{quote_name(column)}::{kind}{collated}"


def base_type(kind: str) -> str:
    """Return the name of a type without what it is of; of lists, all of it."""
    return kind if kind.endswith("]") else kind.partition("(")[0]


def type_family(kind: str) -> str:
    """Name the types whose values can be equal to those of this one."""
    name = base_type(kind)
    if name in WHOLE_NUMBERS:
        return "whole"
    return {"ENUM": "VARCHAR", "FLOAT": "DOUBLE"}.get(name, kind)


def common_type(*kinds: str) -> Literal["BIGINT", "VARCHAR"] | None:
    """Return the type in which users of all these types can be grouped at once, if there is one."""
    if all(kind in BIGINT_OR_SMALLER for kind in kinds):
        return "BIGINT"
    return "VARCHAR" if all(type_family(kind) == "VARCHAR" for kind in kinds) else None
