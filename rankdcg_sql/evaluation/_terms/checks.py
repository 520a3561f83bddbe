"""Checks of arguments, whose errors name the called function and the argument."""

from __future__ import annotations

from collections.abc import Iterable
from numbers import Integral
from typing import Any

from rankdcg_sql._errors import CallTypeError, CallValueError, shown

#: The most allowed values that an error names.
_MAX_NAMED = 8


def check_choice(caller: str, argument: str, value: Any, allowed: Iterable[Any]) -> None:
    """Raise an error unless the value of an argument is one of the allowed values."""
    choices = list(allowed)
    # Expressions, arrays and missing values have an equality of their own, which is no boolean.
    if not (isinstance(value, str | Integral | None) and value in choices):
        named = [*map(repr, choices[:_MAX_NAMED])]
        if len(choices) > _MAX_NAMED:
            named.append(f"one of {len(choices) - _MAX_NAMED:,} others")
        raise CallValueError.about(caller, argument, f"must be {' or '.join(named)}, got {shown(value)}")


def as_names(caller: str, argument: str, given: str | Iterable[str] | None) -> tuple[str, ...]:
    """Return names of columns, which must be different texts, as a tuple; None is no name."""
    if given is None:
        return ()
    found = (given,) if isinstance(given, str) or not isinstance(given, Iterable) else tuple(given)
    if not all(isinstance(name, str) for name in found):
        raise CallTypeError.about(caller, argument, f"must be names of columns, got {shown(given)}")
    lower = [name.lower() for name in found]
    for place, name in enumerate(found):
        if name.lower() in lower[:place]:
            raise CallValueError.about(caller, argument, f"names the column {name!r} twice")
    return found
