"""Checks of arguments."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


def check_choice(caller: str, argument: str, value: Any, allowed: Iterable[Any]) -> None:
    """Check an argument that has a few values.

    Raises
    ------
    ValueError
        If it is none of them.
    """
    if value not in (choices := list(allowed)):
        raise ValueError(f"{caller}: {argument} must be {' or '.join(map(repr, choices))}, got {value!r}")


def as_names(caller: str, argument: str, given: str | Iterable[str] | None) -> tuple[str, ...]:
    """Return one name or several as a tuple.

    Raises
    ------
    TypeError
        If they are no texts.
    """
    if given is None:
        return ()
    found = (given,) if isinstance(given, str) or not isinstance(given, Iterable) else tuple(given)
    if not all(isinstance(name, str) for name in found):
        raise TypeError(f"{caller}: {argument} must be names of columns, got {given!r}")
    return found
