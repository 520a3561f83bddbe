"""Types of DuckDB's columns: whose values can be equal, and how values are compared exactly."""

from __future__ import annotations

import re
from typing import Literal

from rankdcg_sql._sql import quote_name

#: Integer types whose values all fit into BIGINT.
BIGINT_OR_SMALLER = {"TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER"}
#: Types that are ranked and compared exactly. In floating point, different values of them may become equal.
EXACT_NUMBERS = {*BIGINT_OR_SMALLER, "UBIGINT", "HUGEINT", "UHUGEINT", "DECIMAL"}
#: The types that scores and relevances may have.
NUMBERS = {*EXACT_NUMBERS, "FLOAT", "DOUBLE", "BIGNUM"}

#: Types whose values are the same after a cast to VARCHAR and back; equal values have equal texts.
SAME_AFTER_TEXT = {*EXACT_NUMBERS, "BOOLEAN", "DATE", "TIME", "TIMESTAMP", "UUID"}

#: Types that Arrow lacks: DuckDB writes their values in another type, and changes some of them.
_CHANGED_IN_ARROW = re.compile(r"\b(UHUGEINT|UUID|JSON|BIT|BIGNUM|VARIANT|TIME WITH TIME ZONE)\b")


def is_changed_in_arrow(kind: str) -> bool:
    """Whether Arrow might change values of a type."""
    return _CHANGED_IN_ARROW.search(kind) is not None


def as_arrow(column: str, kind: str) -> str:
    """Write a column of type `kind` in SQL for Arrow: as text, if Arrow might change its values."""
    return f"{column}::VARCHAR" if is_changed_in_arrow(kind) else column


def exact_column(column: str, kind: str) -> str:
    """Write a column in SQL as the type `kind`, with texts compared byte by byte.

    The setting ``default_collation``, or the collation of a table's column, could make different texts equal.
    The metrics ignore collations.
    """
    collated = ' COLLATE "binary"' if kind == "VARCHAR" else ""
    return f"{quote_name(column)}::{kind}{collated}"


def base_type(kind: str) -> str:
    """Return the name of a DuckDB type without its parameters, such as DECIMAL for DECIMAL(18,3).

    Lists stay whole, because a list of decimals is no decimal.
    """
    return kind if kind.endswith("]") else kind.partition("(")[0]


def type_family(kind: str) -> str:
    """Name the family of a type; only values of one family can be equal."""
    name = base_type(kind)
    if name in EXACT_NUMBERS:
        return "exact"
    return {"ENUM": "VARCHAR", "FLOAT": "DOUBLE"}.get(name, kind)


def grouping_type(*kinds: str) -> Literal["BIGINT", "VARCHAR"] | None:
    """Return the type in which one aggregate can group users of all these types; None if there is none."""
    if all(kind in BIGINT_OR_SMALLER for kind in kinds):
        return "BIGINT"
    return "VARCHAR" if all(type_family(kind) == "VARCHAR" for kind in kinds) else None
