"""Arguments in Python that are not columns: the cutoffs."""

from __future__ import annotations

import operator
from collections.abc import Iterable
from typing import Any

from rankdcg_sql._errors import Argument, CallTypeError


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
