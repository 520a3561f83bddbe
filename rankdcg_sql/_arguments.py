"""Arguments that several modules read and check: choices, cutoffs, and names of columns."""

from __future__ import annotations

import operator
from collections.abc import Iterable
from dataclasses import dataclass
from numbers import Integral
from typing import Any

from rankdcg_sql._errors import CallTypeError, CallValueError, shown
from rankdcg_sql._native import check_text


def integer(name: str, k: Any, column: str) -> int:
    """Return `k`, a cutoff in a call of `name`, as an int. The error says that it may be `column`, too."""
    try:
        number = operator.index(k)
    except TypeError:
        number = None
    if number is None or isinstance(k, bool) or not -(2**63) <= number < 2**63:
        raise CallTypeError.about(name, "k", f"must be an integer or {column}, got {k!r}")
    return number


def integers(name: str, ks: Any, column: str) -> list[int | None]:
    """Return `ks`, in a call of `name`, as a list. The error says that it may be `column`, too."""
    if not isinstance(ks, Iterable) or isinstance(ks, str):
        raise CallTypeError.about(name, "ks", f"must be a list of integers or {column}, got {ks!r}")
    return [None if k is None else integer(name, k, column) for k in ks]


def text(name: str, argument: str, given: Any) -> str:
    """Return a text, the `argument` of a call of `name`, or raise an error."""
    if not isinstance(given, str):
        raise CallTypeError.about(name, argument, f"must be a text, got {shown(given)}")
    check_text(name, argument, given)
    return given


@dataclass(frozen=True, kw_only=True)
class IdColumns:
    """The columns of users and of items, as the caller gave them.

    `user` and `item` are those of every table. The others are those of one table, truth or rec, and None if
    that table has no name of its own for the column.
    """

    user: Any
    item: Any
    truth_user: Any = None
    rec_user: Any = None
    truth_item: Any = None
    rec_item: Any = None

    def of(self, role: str, what: str) -> tuple[str, Any]:
        """Return the argument that gives a column of a table, and what it gives.

        `role` is ``truth`` or ``rec``, and `what` is ``user`` or ``item``.
        """
        own = f"{role}_{what}"
        return (what, getattr(self, what)) if getattr(self, own) is None else (own, getattr(self, own))


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
    names = (given,) if isinstance(given, str) or not isinstance(given, Iterable) else tuple(given)
    if not all(isinstance(name, str) for name in names):
        raise CallTypeError.about(caller, argument, f"must be names of columns, got {shown(given)}")
    lower = [name.lower() for name in names]
    for place, name in enumerate(names):
        if name.lower() in lower[:place]:
            raise CallValueError.about(caller, argument, f"names the column {name!r} twice")
    return names
