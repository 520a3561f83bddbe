"""Counts of the rows and users of truth and rec."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING

from rankdcg_sql._errors import CallValueError
from rankdcg_sql.evaluation._counts import Counts
from rankdcg_sql.evaluation._plan import TOTALS

if TYPE_CHECKING:
    from rankdcg_sql.evaluation._statistics import Users
    from rankdcg_sql.evaluation._truth_and_rec import TruthAndRec
    from rankdcg_sql.evaluation._views import Views

#: The counts of rows in which something is missing.
_MISSING = [name.name for name in fields(Counts) if "_null_" in name.name or "_nan_" in name.name]


def count_rows(tables: TruthAndRec, views: Views) -> dict[str, int]:
    """Count rows that are missing a value, and rows that repeat others, by reading both tables.

    The keys are fields of `Counts`.
    """
    return _count_missing(tables, views) | _count_repeats(tables, views)


def count_rows_of_pass(tables: TruthAndRec, views: Views, rows: int) -> dict[str, int]:
    """Return the counts of rows that one pass over all users found; `rows` is the number of all rows.

    Each table is read once more only if something is missing in any row, or if the pass does not know the
    repeats. The keys are fields of `Counts`.
    """
    totals = ", ".join(f"any_value({name}) AS {name}" for name in TOTALS)
    sums = ", ".join(f"coalesce(sum({name}), 0)::BIGINT AS {name}" for name in TOTALS)
    found = tables.numbers(
        "rows", f"{sums} FROM (SELECT {totals} FROM {views.user_metrics} GROUP BY part)"
    ) | tables.numbers(
        "repeats",
        "coalesce(sum(retrieved_repeats), 0)::BIGINT AS retrieved, "
        "coalesce(sum(judged_repeats), 0)::BIGINT AS judged, "
        f"count_if(retrieved_repeats IS NULL) AS unknown FROM {views.user_metrics}",
    )
    scores, rels = found["rows_with_score"], found["rows_with_rel"]
    if rows == found["rows_with_user"] == found["rows_with_item"] == scores + rels:
        counts = dict.fromkeys(_MISSING, 0) | {"rec_rows": scores, "truth_rows": rels}
    else:
        counts = _count_missing(tables, views)
    if found["unknown"]:
        return counts | _count_repeats(tables, views)
    return counts | {"rec_repeats": found["retrieved"], "truth_repeats": found["judged"]}


def _count_missing(tables: TruthAndRec, views: Views) -> dict[str, int]:
    """Count the rows of both tables, and those without a user, an item, a score or a relevance."""
    return tables.numbers(
        f"counting rows of {tables.truth.label}",
        "count(*) AS truth_rows, count_if(userid IS NULL) AS truth_null_users, "
        "count_if(itemid IS NULL) AS truth_null_items, count_if(rel IS NULL) AS truth_null_rels, "
        f"count_if(isnan(rel)) AS truth_nan_rels FROM {views.all_truth}",
    ) | tables.numbers(
        f"counting rows of {tables.rec.label}",
        "count(*) AS rec_rows, count_if(userid IS NULL) AS rec_null_users, "
        "count_if(itemid IS NULL) AS rec_null_items, count_if(score IS NULL) AS rec_null_scores, "
        f"count_if(isnan(score::DOUBLE)) AS rec_nan_scores FROM {views.all_rec}",
    )


def _count_repeats(tables: TruthAndRec, views: Views) -> dict[str, int]:
    """Count the rows of both tables that repeat the user and item of another row."""
    repeats: dict[str, int] = {}
    for name, source, table in (
        ("rec_repeats", tables.rec, views.recommendations),
        ("truth_repeats", tables.truth, views.judgements),
    ):
        repeats |= tables.numbers(
            f"repeats in {source.label}",
            f"coalesce(sum(rows - 1), 0)::BIGINT AS {name} FROM (SELECT count(*) AS rows FROM {table} "
            "WHERE itemid IS NOT NULL GROUP BY userid, itemid HAVING count(*) > 1)",
        )
    return repeats


def count_users(tables: TruthAndRec, views: Views, users: Users) -> dict[str, int]:
    """Count the users of `user_metrics`. The keys are fields of `Counts`.

    Raises
    ------
    CallValueError
        If a table has no usable row, or if the tables have no user in common.
    """
    truth, rec, table = tables.truth, tables.rec, views.user_metrics
    counts = tables.numbers(
        "users",
        "count_if(judged > 0) AS judged, count_if(retrieved > 0) AS served, "
        "count_if(retrieved = 0 AND judged > 0) AS users_without_rec, "
        f"count_if(judged = 0 AND retrieved > 0) AS users_without_truth FROM {table}",
    )
    judged, served, without = counts.pop("judged"), counts.pop("served"), counts["users_without_rec"]
    for source, users_there, what in ((truth, judged, "relevance"), (rec, served, "score")):
        if not users_there:
            raise CallValueError(
                tables.caller, None, f"no row of {source.label} has a user and a {what} that is a number"
            )
    if judged == without:
        raise CallValueError(
            tables.caller,
            None,
            f"no user of {rec.label} is one of {truth.label}, where they are such as "
            f"{tables.examples(table, 'userid', 'judged > 0')}, and in {rec.label} "
            f"{tables.examples(table, 'userid', 'retrieved > 0')}",
        )
    return counts | {"users_evaluated": judged - without if users == "both" else judged}
