"""Advice on names of measures that other packages compute, and on other spellings of those that are here."""

from __future__ import annotations

import re
from functools import cache

from rankdcg_sql.catalogue import Elsewhere, listed_measures, spellings, to_plain_letters


def in_plain_letters(name: str) -> str:
    """Return a name as the catalogue writes it: small letters, ``_`` between words, and no cutoff."""
    plain = name.lower()
    for part, instead in to_plain_letters():
        plain = re.sub(part, instead, plain)
    return plain


@cache
def measures_elsewhere() -> dict[str, Elsewhere]:
    """Return the measures that are not here, keyed by each of their names in plain letters."""
    return {name: row for row in listed_measures() for name in row.names}


@cache
def advice() -> dict[str, str]:
    """Return what to say about each name that is not one of a metric here, in plain letters without ``_``."""
    elsewhere = {name: row.advice for name, row in measures_elsewhere().items()}
    said = elsewhere | {name: f"did you mean {here}?" for name, here in spellings().items()}
    return {name.replace("_", ""): text for name, text in said.items()}


def advice_on(name: str) -> str | None:
    """Return what to say about a name of a measure, with or without a cutoff; None if it is unknown."""
    return advice().get(in_plain_letters(name).replace("_", ""))
