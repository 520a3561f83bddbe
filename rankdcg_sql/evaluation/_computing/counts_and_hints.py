"""Numbers of rows and users of truth and rec, and warnings about what looks like a mistake."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

from rankdcg_sql._errors import Argument, CallValueError
from rankdcg_sql._sql import fetch_one, is_nan, quote_name, repr_in_sql
from rankdcg_sql.catalogue import usual_names_of_rel
from rankdcg_sql.evaluation._computing.user_metrics import evaluated_users, graded_users
from rankdcg_sql.evaluation._tables.types import NUMBERS, base_type
from rankdcg_sql.evaluation._terms.counts import Counts, pluralize, warn
from rankdcg_sql.evaluation._terms.metrics import is_zero_without_hit, needs_grades, reason_without_value

if TYPE_CHECKING:
    from rankdcg_sql.evaluation._computing.user_metrics import Inputs
    from rankdcg_sql.evaluation._tables.columns import TruthAndRec, Views
    from rankdcg_sql.evaluation._terms.statistics import Users


#: The counts of rows in which something is missing.
MISSING = [count.name for count in fields(Counts) if "_null_" in count.name or "_nan_" in count.name]


@dataclass(frozen=True)
class Tally:
    """Numbers of all users together, from the table `user_metrics`."""

    #: Users with a judged item.
    judged: int
    #: Users with a retrieved item.
    served: int
    #: Users with a judged item and no retrieved one.
    without_rec: int
    #: Users with a retrieved item and no judged one.
    without_truth: int
    #: Whether any user has a value of any metric.
    has_value: bool
    #: Whether any metric of any user is above 0 that is 0 without a hit.
    has_hit: bool
    #: Rows of both tables together, if nothing is missing in any of them, otherwise fewer. None if one pass
    #: over all users did not compute the metrics; then the next three are None, too.
    complete_rows: int | None = None
    #: Rows of rec that repeat the item of another row of the user.
    rec_repeats: int | None = None
    #: Rows of truth that repeat the item of another row of the user.
    truth_repeats: int | None = None
    #: Users whose rows were dropped before they could be compared, so that `rec_repeats` lacks theirs.
    unknown_repeats: int | None = None


def tally_users(inputs: Inputs, parts: int | None) -> Tally:
    """Read the table `user_metrics` once. `parts` is what `create_user_metrics` returned.

    The table has numbers of rows only if one pass computed it. `parts` is then a number, otherwise None.
    """
    # Measures of items are computed later.
    table, measures = inputs.views.user_metrics, inputs.plan.of_rankings
    values = ", ".join(quote_name(measure.column) for measure in measures)
    zero_without_hit = ", ".join(
        quote_name(measure.column)
        for measure in measures
        if is_zero_without_hit(measure.metric, inputs.plan.options)
    )
    has_hit = f"coalesce(bool_or(greatest({zero_without_hit}) > 0), false)" if zero_without_hit else "false"
    has_value = f"coalesce(bool_or(coalesce({values}) IS NOT NULL), false)"
    if not measures:
        has_hit = has_value = "true"
    select = (
        "count_if(judged > 0) AS judged, count_if(retrieved > 0) AS served, "
        "count_if(retrieved = 0 AND judged > 0) AS without_rec, "
        "count_if(judged = 0 AND retrieved > 0) AS without_truth, "
        f"{has_value} AS has_value, "
        f"{has_hit} AS has_hit"
    )
    if parts:
        # Each user of a part has the number of the whole part.
        complete = "coalesce(any_value(complete_rows), 0)"
        if parts > 1:
            by_part = f"SELECT {complete} AS complete FROM {table} GROUP BY part"
            complete = f"(SELECT coalesce(sum(complete), 0) FROM ({by_part}))"
        select += (
            f", {complete}::BIGINT AS complete_rows, "
            "coalesce(sum(retrieved_repeats), 0)::BIGINT AS rec_repeats, "
            "coalesce(sum(judged_repeats), 0)::BIGINT AS truth_repeats, "
            "count_if(retrieved_repeats IS NULL) AS unknown_repeats"
        )
    return Tally(**inputs.tables.numbers("users", f"{select} FROM {table}"))  # type: ignore[arg-type]


def count_rows(inputs: Inputs, tally: Tally) -> dict[str, int]:
    """Count the rows of both tables, those that are missing a value, and those that repeat others.

    A table is read once more only for what the tally does not know. The keys are fields of `Counts`.
    """
    truth, rec = inputs.tables.truth.rows, inputs.tables.rec.rows
    if tally.complete_rows == truth + rec:
        counts = dict.fromkeys(MISSING, 0) | {"rec_rows": rec, "truth_rows": truth}
    else:
        counts = _count_missing(inputs)
    if tally.rec_repeats is None or tally.truth_repeats is None or tally.unknown_repeats:
        return counts | _count_repeats(inputs)
    return counts | {"rec_repeats": tally.rec_repeats, "truth_repeats": tally.truth_repeats}


def _count_missing(inputs: Inputs) -> dict[str, int]:
    """Count the rows of both tables, and those without a user, an item, a score or a relevance."""
    tables, views = inputs.tables, inputs.views
    counts: dict[str, int] = {}
    for source, value, rows in ((tables.truth, "rel", views.all_truth), (tables.rec, "score", views.all_rec)):
        role = source.role
        counts |= tables.numbers(
            f"counting rows of {source.label}",
            f"count(*) AS {role}_rows, count_if(userid IS NULL) AS {role}_null_users, "
            f"count_if(itemid IS NULL) AS {role}_null_items, "
            f"count_if({value} IS NULL) AS {role}_null_{value}s, "
            f"count_if({is_nan(value)}) AS {role}_nan_{value}s FROM {rows}",
        )
    return counts


def _count_repeats(inputs: Inputs) -> dict[str, int]:
    """Count the rows of both tables that repeat the user and item of another row, and its aspect."""
    tables, views = inputs.tables, inputs.views
    aspect = ", aspect" if views.has_aspects else ""
    repeats: dict[str, int] = {}
    for name, source, rows, keys in (
        ("rec_repeats", tables.rec, views.recommendations, "userid, itemid"),
        ("truth_repeats", tables.truth, views.judgements, f"userid, itemid{aspect}"),
    ):
        repeats |= tables.numbers(
            f"repeats in {source.label}",
            f"coalesce(sum(rows - 1), 0)::BIGINT AS {name} FROM (SELECT count(*) AS rows FROM {rows} "
            f"WHERE itemid IS NOT NULL GROUP BY {keys} HAVING count(*) > 1)",
        )
    return repeats


def count_users(inputs: Inputs, tally: Tally, users: Users) -> dict[str, int]:
    """Return the numbers of users, keyed by fields of `Counts`. At least one user must be in both tables."""
    tables, user_metrics = inputs.tables, inputs.views.user_metrics
    truth, rec = tables.truth, tables.rec
    for source, users_there, value in ((truth, tally.judged, "relevance"), (rec, tally.served, "score")):
        if not users_there:
            raise CallValueError(
                tables.caller, None, f"no row of {source.label} has a user and a {value} that is a number"
            )
    if tally.judged == tally.without_rec:
        users_of_rec, users_of_truth = (
            f"(FROM {user_metrics} WHERE {number} > 0)" for number in ("retrieved", "judged")
        )
        why = tables.nothing_in_common("user", rec, users_of_rec, truth, users_of_truth)
        raise CallValueError(tables.caller, None, why)
    return {
        "users_without_rec": tally.without_rec,
        "users_without_truth": tally.without_truth,
        "users_evaluated": tally.judged - tally.without_rec if users == "both" else tally.judged,
    }


def hint_at_rel(inputs: Inputs) -> None:
    """Warn if `rel` is not given, and truth seems to have it, or `min_rel` needs it."""
    tables, options = inputs.tables, inputs.plan.options
    if inputs.columns.rel is not None:
        return
    truth = tables.truth.label
    numbers = {*NUMBERS, "BOOLEAN"}
    names = [name for name, kind in tables.truth.types.items() if base_type(kind) in numbers]
    forgotten = next((name for name in names if name.lower() in usual_names_of_rel()), None)
    if forgotten:
        rel = Argument("rel", forgotten)
        effect = " is given: each of its rows counts as relevant"
        warn(tables.caller, "rel", f"{truth} has a column {forgotten!r}, but no ", rel, effect)
    if "min_rel" in options:
        about = f"min_rel={options['min_rel']} is about relevances, but no "
        effect = f"= names their column in {truth}: each of its rows has relevance 1"
        warn(tables.caller, "min_rel", about, Argument("rel"), effect)


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
        f"count_if(graded.userid IS NULL) AS flat, count(*) AS users FROM {user_metrics} AS of_users "
        f"LEFT JOIN {graded_users(inputs)} AS graded USING (userid) {evaluated_users(users)}",
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
    """Warn if the segments are in a table of their own, and no judged user is there."""
    tables, views, source = inputs.tables, inputs.views, inputs.columns.by_source
    joined = f"{views.user_metrics} AS users JOIN {views.segments} AS of ON users.userid = of.userid"
    judged = f"SELECT 1 FROM {joined} WHERE judged > 0 LIMIT 1"
    if source is not tables.segments or fetch_one(tables.run("segments", judged)):
        return
    rows = tables.truth, views.judgements, source, views.segment_rows
    none = tables.nothing_in_common("user", *rows)
    warn(tables.caller, "segments", f"{none}: each is in the segment NULL")


def count_weights(inputs: Inputs, users: Users, evaluated: int) -> dict[str, int]:
    """Check the weights of users, and count those of weight 0, who are not evaluated, among `evaluated` ones.

    An error names a user without a weight, or with one that is below 0 or not finite. The keys are fields of
    `Counts`.
    """
    tables, views, columns = inputs.tables, inputs.views, inputs.columns
    weights = (
        f"(SELECT users.userid, by_{len(columns.by)}::DOUBLE AS weight FROM {views.user_metrics} AS users "
        f"LEFT JOIN {views.segments} AS of ON of.userid = users.userid {evaluated_users(users)})"
    )
    refused = "weight IS NULL OR NOT (weight >= 0 AND isfinite(weight))"
    shown = (
        f"SELECT {repr_in_sql('userid')}, coalesce(weight::VARCHAR, 'NULL') FROM {weights} WHERE {refused}"
    )
    row = fetch_one(tables.run("weights", f"{shown} ORDER BY 1 LIMIT 1"))
    if row:
        wanted = "must have a finite number that is at least 0 for each evaluated user"
        about = f"{columns.weight} of {columns.by_source.label} {wanted}, got {row[1]} for {row[0]}"
        raise CallValueError(tables.caller, "weight", about)
    zeros = tables.numbers("weights", f"count(*) AS users_of_weight_0 FROM {weights} WHERE weight = 0")
    counts = zeros | {"users_evaluated": evaluated - zeros["users_of_weight_0"]}
    if not counts["users_evaluated"]:
        zero = f"{columns.weight} of {columns.by_source.label} is 0 for each evaluated user"
        raise CallValueError(tables.caller, "weight", zero)
    return counts


def hint_at_items(tables: TruthAndRec, views: Views) -> None:
    """Warn if no item is in both tables."""
    # All rows are compared only if it is likely that there is something to warn of.
    some = f"(SELECT itemid FROM {views.recommendations} LIMIT 2048)"
    for recommended in (some, views.recommendations):
        common = f"SELECT 1 FROM {views.judgements} SEMI JOIN {recommended} USING (itemid) LIMIT 1"
        if fetch_one(tables.run("items", common)):
            return
    rows = tables.rec, views.recommendations, tables.truth, views.judgements
    warn(tables.caller, None, tables.nothing_in_common("item", *rows))
