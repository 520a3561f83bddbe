"""Arguments that several modules read: cutoffs, and the columns of users, items and relevances."""

from __future__ import annotations

import operator
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from rankdcg_sql._errors import Argument, CallTypeError

#: Usual names of a column of relevances, in lower case.
USUAL_NAMES_OF_REL = (
    "rel",
    "relevance",
    "relscore",
    "grade",
    "label",
    "rating",
    "stars",
    "judgement",
    "judgment",
)


def integer(name: str, k: Any, column: str) -> int:
    """Return the cutoff of a call of the function `name`; `column` says what it may be instead."""
    try:
        number = operator.index(k)
    except TypeError:
        number = None
    if number is None or isinstance(k, bool) or not -(2**63) <= number < 2**63:
        wanted = f" must be an integer or {column}"
        raise CallTypeError(name, "k", Argument("k"), f"{wanted}, got {k!r}")
    return number


def integers(name: str, ks: Any, column: str) -> list[int | None]:
    """Return the cutoffs of a call of the function `name`, which are integers or None."""
    if not isinstance(ks, Iterable) or isinstance(ks, str):
        wanted = f" must be a list of integers or {column}"
        raise CallTypeError(name, "ks", Argument("ks"), f"{wanted}, got {ks!r}")
    return [None if k is None else integer(name, k, column) for k in ks]


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
