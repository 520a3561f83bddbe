"""Calls of functions of lists with the lists of one ranking, which are objects of Python."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from datetime import date, datetime
from numbers import Number
from typing import Any, TypeAlias

import pyarrow as pa

from rankdcg_sql import _native, catalogue
from rankdcg_sql._arguments import integer, integers, text
from rankdcg_sql._errors import Argument, CallTypeError, shown

#: The items, scores or relevances of a ranking; a set or a dict of relevances for truth. None is NULL.
Values: TypeAlias = Iterable[Any] | Mapping[Any, float] | None
#: The cutoff, in items from 1; None is the whole list.
K: TypeAlias = int | None
#: Several cutoffs; None is the whole list.
Ks: TypeAlias = Sequence[int | None]

#: Types whose subclasses are of one kind. Arrow refuses to mix the kinds of numbers that it cannot.
_KINDS = (Number, str, bytes, date)


def call(name: str, lists: Sequence[Values], k: K | Ks | str, options: Mapping[str, Any]) -> Any:
    """Evaluate a function, given by its name in `catalogue.expressions`, and return its result for Python.

    In place of k, a function of measures has their names.
    """
    function = catalogue.expressions()[name]
    # The first arguments are lists; k and the options follow. Each becomes an array of one row.
    given = [
        _array(name, argument, values) for argument, values in zip(function.arguments, lists, strict=False)
    ]
    if "ks" in function.arguments:
        given.append(pa.array([integers(name, k, "None")], pa.list_(pa.int64())))
    elif "k" in function.arguments:
        given.append(pa.array([None if k is None else integer(name, k, "None")], pa.int64()))
    elif "measures" in function.arguments:
        given.append(pa.array([text(name, "measures", k)], pa.string()))
    written = catalogue.options_text(options)
    _native.check_text(name, "options", written)
    given.append(pa.array([written], pa.string()))
    return _native.call(name, given)[0].as_py()


def _array(name: str, argument: str, given: Values) -> pa.Array:
    """Return a list as the only element of an array: a dict as a map, None as NULL. Or raise an error."""
    if given is None:
        return pa.nulls(1)
    if isinstance(given, str | bytes) or not isinstance(given, Iterable):
        wanted = " must be a list, or None, got "
        raise CallTypeError(name, argument, Argument(argument), f"{wanted}{shown(given)}")
    if isinstance(given, Set | Mapping) and argument != "truth":
        wanted = f" must have an order, got a {type(given).__name__}"
        raise CallTypeError(name, argument, Argument(argument), wanted)
    try:
        elements = list(given)
        kinds = {_kind(element) for element in elements if element is not None}
        if len(kinds) > 1:
            wanted = f" must be of one type, got {' and '.join(sorted(kinds))}"
            raise CallTypeError(name, argument, Argument(argument), wanted)
        values = pa.array(elements)
        ends = [0, len(values)]
        if isinstance(given, Mapping) and given:
            return pa.MapArray.from_arrays(ends, values, pa.array(list(given.values())))
        return pa.ListArray.from_arrays(ends, values)
    except CallTypeError:
        raise
    except (TypeError, ValueError, OverflowError, pa.ArrowException) as error:
        raise CallTypeError(name, argument, Argument(argument), f" cannot be read: {error}") from error


def _kind(element: Any) -> str:
    """Name the kind of an element. Arrow may convert elements of other kinds to the kind of the first one."""
    if isinstance(element, datetime):
        return "datetime without a time zone" if element.tzinfo is None else "datetime with a time zone"
    return next((kind.__name__ for kind in _KINDS if isinstance(element, kind)), type(element).__name__)
