"""Counts of rows and users in the two tables, sentences about them, and warnings."""

from __future__ import annotations

import re
import sys
import warnings
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from rankdcg_sql._errors import AboutCall, Argument, CallTypeError, CallValueError, Kind, shown

if TYPE_CHECKING:
    from collections.abc import Callable


class DataWarning(AboutCall, UserWarning):
    """The data should be checked: rows were left out, or the tables do not fit together.

    Attributes
    ----------
    function : str
        The function that was called, ``"evaluate"`` or ``"compare"``.
    argument : str or None
        The argument to check; None if it is not one alone.
    kind : {"rows", "argument"}
        Whether rows are counted, as `Counts` does, or an argument may be wrong.
    text : str
        The message without the function.
    """


@dataclass(frozen=True)
class Counts:
    """Numbers of rows and users in the two tables.

    Attributes
    ----------
    rec_rows, truth_rows : int
        All rows of a table, also those that are left out.
    users_evaluated : int
        Users that are evaluated: those of truth, or with ``users="both"`` those of both tables.
    users_without_rec : int
        Users of truth without recommendations. They count as zero or, with ``users="both"``, not at all.
    users_without_truth : int
        Users of rec without judgements. They are not evaluated.
    rec_repeats : int
        Rows of rec that repeat the user and item of another row. The largest score counts.
    truth_repeats : int
        Rows of truth that repeat the user and item of another row. The judgement counts once.
    rec_null_users, rec_null_scores, rec_nan_scores, truth_null_users, truth_null_rels, truth_nan_rels : int
        Rows that are left out because the user, score or relevance is NULL or NaN.
    rec_null_items, truth_null_items : int
        Rows without an item. In rec such a row takes a rank and is never relevant; in truth it is ignored.
    users_without_value : dict of str to int
        Evaluated users for whom a metric at a k is not defined. They count in no mean of that metric. The
        keys are names of columns, such as ``ndcg@10``. Metrics that all evaluated users have are left out.
    users_of_weight_0 : int
        Users whose weight is 0. They are not evaluated.
    rec_unknown_items, truth_unknown_items : int
        Rows whose item has no row in the table of items. In rec, only the rankings of evaluated users count,
        down to the largest cutoff of measures of items, or without these, of all metrics. 0 without such a
        table.
    unknown_items : dict of str to str
        The three smallest of these items, such as ``'a', 'b', 'c'``, keyed by ``rec`` and ``truth``.
    """

    rec_rows: int
    truth_rows: int
    users_evaluated: int
    users_without_rec: int
    users_without_truth: int
    rec_repeats: int
    truth_repeats: int
    rec_null_users: int
    rec_null_items: int
    rec_null_scores: int
    rec_nan_scores: int
    truth_null_users: int
    truth_null_items: int
    truth_null_rels: int
    truth_nan_rels: int
    users_without_value: dict[str, int] = field(hash=False)
    users_of_weight_0: int = 0
    rec_unknown_items: int = 0
    truth_unknown_items: int = 0
    unknown_items: dict[str, str] = field(default_factory=dict, hash=False)

    def notes(self, about_rows: bool = True, no_rec: str = "", say: Callable[[str], str] = str) -> list[str]:
        """Return a sentence for each unusual count of users, and unless told otherwise of rows.

        `no_rec` ends the sentence about users of truth without recommendations. `say` writes a sentence with
        another word for users.
        """
        about_users = _sentences(
            (self.users_without_rec, f"{{}} of truth without a row in rec{no_rec}"),
            (self.users_without_truth, "{} of rec without a row in truth, not evaluated"),
            (self.users_of_weight_0, "{} of weight 0, not evaluated"),
            noun="user",
        )
        return [*map(say, about_users), *(self.about_rows(say) if about_rows else [])]

    def about_rows(self, say: Callable[[str], str] = str) -> list[str]:
        """Return a sentence for each unusual count of rows that is not zero; `say` is that of `notes`."""
        about_rows = _sentences(
            (self.rec_repeats, "{} of rec with the user and item of another row: the largest score counts"),
            (
                self.truth_repeats,
                "{} of truth with the user and item of another row: the judgement counts once",
            ),
            (self.rec_null_users, "{} of rec without a user, left out"),
            (self.rec_null_items, "{} of rec without an item: such a row takes a rank and is never relevant"),
            (self.rec_null_scores, "{} of rec without a score, left out"),
            (self.rec_nan_scores, "{} of rec with NaN as score, left out"),
            (self.truth_null_users, "{} of truth without a user, left out"),
            (self.truth_null_items, "{} of truth without an item, ignored"),
            (self.truth_null_rels, "{} of truth without a relevance, left out"),
            (self.truth_nan_rels, "{} of truth with NaN as relevance, left out"),
            noun="row",
        )
        # Names of items stay as they are.
        about_items = _sentences(
            (self.rec_unknown_items, "{} of rec with an item that has no row in items, such as %(rec)s"),
            (
                self.truth_unknown_items,
                "{} of truth with an item that has no row in items, such as %(truth)s",
            ),
            noun="row",
        )
        return [*map(say, about_rows), *(sentence % self.unknown_items for sentence in about_items)]


@dataclass(frozen=True)
class Unit:
    """The word for users in results: ``queries``, for instance."""

    plural: str = "users"

    @property
    def singular(self) -> str:
        """The word for one of them."""
        return next(
            self.plural.removesuffix(ending) + single
            for ending, single in _SINGULARS.items()
            if self.plural.endswith(ending)
        )

    @property
    def all_of_them(self) -> str:
        """The name of the segment of all of them."""
        return f"all {self.plural}"

    @property
    def parts(self) -> dict[str, str]:
        """The names of the parts of a change for people."""
        users = f"{self.plural} {'who' if self.plural == 'users' else 'that'}"
        return {
            "users_left": f"{users} left",
            "users_came": f"{users} came",
            "judgements": "judgements",
            "ranking": "ranking",
            "total": "total",
        }

    def count(self, number: int) -> str:
        """Write a number of them."""
        return f"{number:,} {self.singular if number == 1 else self.plural}"

    def say(self, text: str) -> str:
        """Write a text about users with the word in their place; the text holds no name of the caller."""
        words = {"user": self.singular, "users": self.plural}
        return re.sub(r"\busers?\b", lambda match: words[match[0]], text)


#: Endings of words in the plural, and those of the singular.
_SINGULARS = {"ies": "y", "sses": "ss", "ches": "ch", "shes": "sh", "xes": "x", "s": ""}


def check_unit(caller: str, unit: Any) -> None:
    """Raise an error unless this is a word in the plural."""
    if isinstance(unit, str) and re.fullmatch(r"([^\W\d_]+[ -])*[^\W\d_]*[^\W\d_s]s", unit):
        return
    kind = CallValueError if isinstance(unit, str) else CallTypeError
    wanted = "must be a word in the plural that ends with s, such as 'queries', got "
    raise kind.about(caller, "unit", f"{wanted}{shown(unit)}")


def _sentences(*counted: tuple[int, str], noun: str) -> list[str]:
    """Write each count that is not zero into its sentence, with the noun."""
    return [text.format(pluralize(count, noun)) for count, text in counted if count]


def pluralize(count: int, noun: str) -> str:
    """Write a count with its noun, in the plural unless the count is 1."""
    return f"{count:,} {noun}{'s' * (count != 1)}"


def warn(function: str, argument: str | None, *parts: str | Argument, kind: Kind = "argument") -> None:
    """Issue a `DataWarning` that points at the code that called this package."""
    frame, depth = sys._getframe(), 1
    while frame.f_back and frame.f_globals.get("__name__", "").startswith("rankdcg_sql."):
        frame, depth = frame.f_back, depth + 1
    warnings.warn(DataWarning(function, argument, *parts, kind=kind), stacklevel=depth)


#: The most rows of two runs whose items are read again for a sentence or a report.
_MAX_ROWS = 20_000_000


def are_few(*runs: Counts) -> bool:
    """Whether runs have so few rows that nobody waits for minutes if their items are read again."""
    return sum(run.rec_rows + run.truth_rows for run in runs) <= _MAX_ROWS
