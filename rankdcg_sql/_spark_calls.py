"""Calls of functions with arguments by position and by name, on batches of rows.

Spark's executors import this module, and so it imports neither Spark nor DuckDB.
"""

from __future__ import annotations

from inspect import Parameter, Signature
from typing import TYPE_CHECKING

import pyarrow as pa

from rankdcg_sql import _native, catalogue
from rankdcg_sql._errors import CallTypeError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

#: The only argument of an aggregate: the rows of a group as a list.
_ROWS = "rows"


def evaluate(name: str, positional: Sequence[pa.Array], named: Mapping[str, pa.Array]) -> pa.Array:
    """Evaluate the function `name` on a batch of rows: an array for each argument of the call."""
    function = catalogue.by_name()[name]
    try:
        bound = _signature(function).bind(*positional, **named)
    except TypeError as error:
        rows = f"{_ROWS}, such as array_agg(struct({function.signature}))"
        takes = rows if function.is_aggregate else function.signature
        raise CallTypeError(name, None, f"{error}; the arguments are {takes}") from None
    if function.is_aggregate:
        return _native.call_lists(name, bound.arguments[_ROWS])
    bound.apply_defaults()
    given = list(bound.args)
    # An optional argument that is missing before a given one is NULL.
    while given[-1] is None:
        given.pop()
    length = len(given[0])
    return _native.call(name, [pa.nulls(length) if array is None else array for array in given])


def _signature(function: catalogue.Function) -> Signature:
    """Return the signature of a function in Spark."""
    taken = {parameter.name: parameter.required for parameter in function.parameters}
    return Signature(
        [
            Parameter(name, Parameter.POSITIONAL_OR_KEYWORD, default=Parameter.empty if required else None)
            for name, required in ({_ROWS: True} if function.is_aggregate else taken).items()
        ]
    )
