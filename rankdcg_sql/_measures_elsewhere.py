"""Measures that other packages compute and this one does not, and other spellings of those that it does.

The tables of ``docs/measures_elsewhere.md`` are the only place of the former: errors about names read them
there. A measure that is added to the catalogue loses its row. The other spellings are below.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from rankdcg_sql._packaged import packaged

#: Regular expressions that bring a name to plain letters, for Python and for DuckDB, each with the text in
#: place of a match: arguments, blanks and the like, and a cutoff, such as ``@10``, ``_at_k`` or ``_0.10``.
TO_PLAIN_LETTERS = ((r"\(.*?\)", ""), (r"[-. ]+", "_"), (r"(_at)?[_\x40]+([0-9][0-9,_]*|k|n|all)$", ""))


@dataclass(frozen=True)
class Elsewhere:
    """A measure, or a family of measures, that other packages compute.

    Attributes
    ----------
    names : tuple of str
        Its usual names in plain letters.
    about : str
        A few words that say what it measures.
    packages : tuple of str
        Who computes it: the name of a package, with that of the measure there in brackets.
    here : str
        A sentence about what comes near it here, without a full stop; empty if nothing does.
    """

    names: tuple[str, ...]
    about: str
    packages: tuple[str, ...]
    here: str

    @property
    def advice(self) -> str:
        """A phrase that says that it is not computed here, and by whom it is."""
        *others, last = self.packages
        listed = f"{', '.join(others)} and {last} do" if others else f"{last} does"
        return f"rankdcg_sql does not compute {self.about}, but {listed}" + (self.here and f"; {self.here}")


#: Names of other packages, in plain letters, for metrics with certain arguments, and what to write here.
SPELLINGS = {
    "set_p": "precision of the whole list",
    "setp": "precision of the whole list",
    "set_recall": "recall of the whole list",
    "setr": "recall of the whole list",
    "set_f": "f1 of the whole list",
    "setf": "f1 of the whole list",
    "relative_p": "recall with the option recall_denominator=min_truth_k",
    "ndcg_burges": "ndcg with the option gain=exp2",
    "dcg_burges": "dcg with the option gain=exp2",
    "hits": "hit_rate, or cg of a truth without relevances",
    "arhr": "mrr, if each user has one relevant item",
}


def in_plain_letters(name: str) -> str:
    """Return a name as the tables write it: small letters, ``_`` between words, and no cutoff."""
    plain = name.lower()
    for part, instead in TO_PLAIN_LETTERS:
        plain = re.sub(part, instead, plain)
    return plain


@cache
def listed_measures() -> tuple[Elsewhere, ...]:
    """Return the measures that are not here, in the order of the page about them.

    A copy of the package alone, from a clone, lacks the page: errors about names then give less advice.
    """
    page = packaged("measures_elsewhere.md", "docs/measures_elsewhere.md")
    text = page.read_text(encoding="utf-8") if page.exists() else ""
    cells = re.findall(r"^\| (`.*`) \| (.+) \| (.+) \| (.*) \|$", text, re.MULTILINE)
    return tuple(
        Elsewhere(tuple(re.findall(r"\w+", names)), about, tuple(re.split(r"(?<=\)), ", packages)), here)
        for names, about, packages, here in cells
    )


@cache
def measures_elsewhere() -> dict[str, Elsewhere]:
    """Return the measures that are not here, keyed by each of their names in plain letters."""
    return {name: row for row in listed_measures() for name in row.names}


@cache
def advice() -> dict[str, str]:
    """Return what to say about each name in plain letters that is not one of a metric here."""
    elsewhere = {name: row.advice for name, row in measures_elsewhere().items()}
    return elsewhere | {name: f"did you mean {here}?" for name, here in SPELLINGS.items()}


def advice_on(name: str) -> str | None:
    """Return what to say about a name of a measure, with or without a cutoff; None if it is unknown."""
    return advice().get(in_plain_letters(name))
