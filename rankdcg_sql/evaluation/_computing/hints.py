"""Warnings about arguments and data that are allowed, and look like mistakes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rankdcg_sql._arguments import USUAL_NAMES_OF_REL
from rankdcg_sql._errors import Argument
from rankdcg_sql._sql import fetch_one
from rankdcg_sql.evaluation._computing.user_metrics import evaluated_users
from rankdcg_sql.evaluation._tables.types import NUMBERS, base_type
from rankdcg_sql.evaluation._terms.counts import pluralize, warn
from rankdcg_sql.evaluation._terms.metrics import needs_grades, reason_without_value

if TYPE_CHECKING:
    from rankdcg_sql.evaluation._computing.user_metrics import Inputs
    from rankdcg_sql.evaluation._tables.source import TruthAndRec
    from rankdcg_sql.evaluation._tables.views import Views
    from rankdcg_sql.evaluation._terms.statistics import Users


def hint_at_rel(inputs: Inputs) -> None:
    """Warn if truth seems to have a column of relevances and `rel` is not given."""
    tables = inputs.tables
    types = tables.truth.types
    names = [name for name, kind in types.items() if base_type(kind) in {*NUMBERS, "BOOLEAN"}]
    forgotten = next((name for name in names if name.lower() in USUAL_NAMES_OF_REL), None)
    if inputs.columns.rel is None and forgotten:
        warn(
            tables.caller,
            "rel",
            f"{tables.truth.label} has a column {forgotten!r}, but no ",
            Argument("rel", forgotten),
            " is given: each of its rows counts as relevant",
        )


def hint_at_min_rel(inputs: Inputs) -> None:
    """Warn if `min_rel` is given and there are no relevances."""
    tables, options = inputs.tables, inputs.plan.options
    if "min_rel" in options and inputs.columns.rel is None:
        warn(
            tables.caller,
            "min_rel",
            f"min_rel={options['min_rel']} is about relevances, but no ",
            Argument("rel"),
            f"= names their column in {tables.truth.label}: each of its rows has relevance 1",
        )


def hint_at_no_value(inputs: Inputs) -> None:
    """Warn that no user has a value of any metric."""
    tables, plan = inputs.tables, inputs.plan
    without = dict.fromkeys(reason_without_value(metric, plan.options) for metric in plan.metrics)
    all_users = f"each user of {tables.truth.label} is {', or '.join(without)}"
    warn(tables.caller, None, f"no metric has a value: {all_users}")


def hint_at_grades(inputs: Inputs, users: Users) -> bool:
    """Warn if a metric needs graded judgements and most users have none; return whether that is so."""
    tables, user_metrics = inputs.tables, inputs.views.user_metrics
    metrics = [metric for metric in inputs.plan.metrics if needs_grades(metric)]
    if not metrics:
        return False
    counts = tables.numbers(
        "grades",
        f"count_if(NOT graded) AS flat, count(*) AS users FROM {user_metrics} {evaluated_users(users)}",
    )
    if counts["flat"] * 2 <= counts["users"]:
        return False
    warn(
        tables.caller,
        "truth",
        f"{', '.join(metrics)} needs graded truth: {counts['flat']:,} of "
        f"{pluralize(counts['users'], 'user')} have fewer than two distinct relevances in "
        f"{tables.truth.label}. Such a user has no value, unless nothing or an item of another "
        "relevance is retrieved: means of systems may be over different users",
    )
    return True


def hint_at_segments(inputs: Inputs) -> None:
    """Warn if the segments are in a table of their own, and no evaluated user is there."""
    tables, views, source = inputs.tables, inputs.views, inputs.columns.by_source
    joined = f"{views.user_metrics} AS users JOIN {views.segments} AS of ON users.userid = of.userid"
    judged = f"SELECT 1 FROM {joined} WHERE judged > 0 LIMIT 1"
    if source is not tables.segments or fetch_one(tables.run("segments", judged)):
        return
    one, other = (tables.examples(rows, "userid") for rows in (views.judgements, views.segment_rows))
    warn(
        tables.caller,
        "segments",
        f"no user of {tables.truth.label} is one of {source.label}, where they are such as {other}, and in "
        f"{tables.truth.label} {one}: each is in the segment NULL",
    )


def hint_at_items(tables: TruthAndRec, views: Views) -> None:
    """Warn if no item is in both tables."""
    common = f"SELECT 1 FROM {views.recommendations} SEMI JOIN {views.judgements} USING (itemid) LIMIT 1"
    if fetch_one(tables.run("items", common)):
        return
    one, other = (tables.examples(rows, "itemid") for rows in (views.judgements, views.recommendations))
    warn(
        tables.caller,
        None,
        f"no item of {tables.rec.label} is one of {tables.truth.label}, where they are such as {one}, and in "
        f"{tables.rec.label} {other}",
    )
