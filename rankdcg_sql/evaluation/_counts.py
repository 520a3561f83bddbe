"""What was met in the two tables, in numbers and in sentences."""

from __future__ import annotations

import sys
import warnings
from dataclasses import dataclass, field


class DataWarning(UserWarning):
    """What was met in the data should be looked at: rows were left out, or something does not fit."""


@dataclass(frozen=True)
class Counts:
    """What was met in the two tables.

    Attributes
    ----------
    rec_rows, truth_rows : int
        Rows.
    users_evaluated : int
        Users over whom the means are.
    users_without_rec : int
        Users in truth without recommendations: they count as zero or, with ``users="both"``, not at all.
        For ``rankdcg`` they have no value if all their items have one relevance.
    users_without_truth : int
        Users in rec without judgements, who are not evaluated.
    rec_repeats : int
        Rows of rec that repeat a user and an item, of which the largest score counts.
    truth_repeats : int
        Rows of truth that repeat a judgement.
    rec_null_users, rec_null_scores, rec_nan_scores, truth_null_users, truth_null_rels, truth_nan_rels : int
        Rows left out for what is missing in them.
    rec_null_items, truth_null_items : int
        Rows without an item: in rec it takes its position and is never relevant, in truth it is ignored.
    users_without_value : dict of str to int
        Evaluated users for whom a metric at a k is not defined and who count in no mean of it, by its name as
        a column, such as ``ndcg@10``. Metrics without such users are not there.
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

    def notes(self) -> list[str]:
        """Say what was met, a sentence for each count that is not zero."""
        return [*self._about_users(), *self.about_rows()]

    def _about_users(self) -> list[str]:
        return _sentences(
            (self.users_without_rec, "{} of truth without a row in rec"),
            (self.users_without_truth, "{} of rec without a row in truth, not evaluated"),
            noun="user",
        )

    def about_rows(self) -> list[str]:
        """Say what was met in rows that is not as it should be."""
        return _sentences(
            (self.rec_repeats, "{} of rec with the user and item of another row: the largest score counts"),
            (
                self.truth_repeats,
                "{} of truth with the user and item of another row: the judgement counts once",
            ),
            (self.rec_null_users, "{} of rec without a user, left out"),
            (
                self.rec_null_items,
                "{} of rec without an item: there is nothing relevant at that position",
            ),
            (self.rec_null_scores, "{} of rec without a score, left out"),
            (self.rec_nan_scores, "{} of rec with NaN as score, left out"),
            (self.truth_null_users, "{} of truth without a user, left out"),
            (self.truth_null_items, "{} of truth without an item, ignored"),
            (self.truth_null_rels, "{} of truth without a relevance, left out"),
            (self.truth_nan_rels, "{} of truth with NaN as relevance, left out"),
            noun="row",
        )


def _sentences(*counted: tuple[int, str], noun: str) -> list[str]:
    return [text.format(pluralize(count, noun)) for count, text in counted if count]


def pluralize(count: int, noun: str) -> str:
    """Say how many there are."""
    return f"{count:,} {noun}{'s' * (count != 1)}"


def warn(text: str) -> None:
    """Warn those who called the package."""
    frame, depth = sys._getframe(), 1
    while frame.f_back and frame.f_globals.get("__name__", "").startswith("rankdcg_sql."):
        frame, depth = frame.f_back, depth + 1
    warnings.warn(text, DataWarning, stacklevel=depth)
