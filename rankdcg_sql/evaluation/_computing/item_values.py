"""The measures of recommended items, which are computed from the rankings of all users at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import duckdb

from rankdcg_sql import _native
from rankdcg_sql._errors import CallError, CallValueError
from rankdcg_sql._sql import quote_name, quote_text
from rankdcg_sql.catalogue import options_text
from rankdcg_sql.evaluation._computing.user_metrics import evaluated_users, has_by_user, has_ranking
from rankdcg_sql.evaluation._tables.types import exact_column, grouping_type
from rankdcg_sql.evaluation._terms.metrics import function_of

if TYPE_CHECKING:
    from rankdcg_sql.evaluation._computing.user_metrics import Inputs
    from rankdcg_sql.evaluation._tables.columns import Source
    from rankdcg_sql.evaluation._terms.statistics import Users


def add_item_values(
    inputs: Inputs, items: Source, names: tuple[str, ...], users: Users, has_repeats: bool
) -> None:
    """Add the measures of items to the table `user_metrics`.

    `names` are those that the item may have in the table of items. `has_repeats` is whether rec has several
    rows of a user and an item, of which the largest score counts. Rankings of users who are not evaluated do
    not count, and that of an evaluated user without recommendations is empty.
    """
    tables, views, plan = inputs.tables, inputs.views, inputs.plan
    measures = plan.of_items
    text = quote_text(", ".join(measure.column for measure in measures))
    truths = "NULL"
    join = ""
    if any(function_of(measure.metric).needs_truth for measure in measures):
        least = plan.options.get("min_rel")
        relevant = "rel > 0" if least is None else f"rel >= {least}"
        truths = "list(truth)"
        of_users = f"SELECT userid, list(itemid) AS truth FROM {views.judged_items} WHERE {relevant}"
        join = f"LEFT JOIN ({of_users} GROUP BY userid) USING (userid)"
    ranked = f"(FROM {views.user_metrics} {evaluated_users(users)})"
    own = has_ranking(inputs)
    if not own:
        rows = views.recommendations
        if has_repeats:
            # Each NULL item takes a rank.
            best = f"SELECT userid, itemid, max(score) AS score FROM {rows} WHERE itemid IS NOT NULL"
            rows = (
                f"({best} GROUP BY userid, itemid "
                f"UNION ALL SELECT userid, itemid, score FROM {rows} WHERE itemid IS NULL)"
            )
        of_users = f"SELECT userid, {_ranking(inputs)} AS ranking FROM {rows} GROUP BY userid"
        ranked += f" LEFT JOIN ({of_users}) USING (userid)"
    catalogue = _catalogue(inputs, items, names)
    # Values come ranking by ranking. A slice with a step has those of one measure.
    values = ", ".join(
        f"unnest(found[{place}:-:{len(measures)}]) AS {quote_name(measure.column)}"
        for place, measure in enumerate(measures, 1)
    )
    columns = ", ".join(quote_name(measure.column) for measure in measures)
    of_all = (
        f"SELECT list(userid) AS users, "
        f"rank_items(list(coalesce(ranking, [])), {truths}, ({catalogue}), {text}) AS found "
        f"FROM {ranked} {join}"
    )
    joined = f"{views.user_metrics}_and_items"
    try:
        tables.run(
            f"items of {tables.rec.label}",
            f"CREATE TEMP TABLE {joined} AS SELECT of_users.*{' EXCLUDE (ranking)' * own}, {columns} "
            f"FROM {views.user_metrics} AS of_users "
            f"LEFT JOIN (SELECT unnest(users) AS userid, {values} FROM ({of_all})) USING (userid)",
        )
    except duckdb.InvalidInputException as error:
        raise _native.refusal(tables.caller, error) from None
    tables.con.execute(
        f"DROP TABLE {views.user_metrics}; ALTER TABLE {joined} RENAME TO {views.user_metrics}"
    )


def _ranking(inputs: Inputs) -> str:
    """Write the aggregate of a user's items, best first, down to the largest cutoff."""
    order, deepest = inputs.plan.order_of_items, inputs.plan.deepest_of_items
    item_types = (
        inputs.tables.rec.types[inputs.columns.rec_item],
        inputs.tables.truth.types[inputs.columns.item],
    )
    # An ENUM, which is grouped as VARCHAR, has the order of its texts in the other aggregates, too.
    item = "itemid::VARCHAR" if grouping_type(*item_types) == "VARCHAR" else "itemid"
    if has_by_user(inputs.tables.con):
        cut = "NULL::BIGINT" if deepest is None else str(deepest)
        return f"ranked_list({item}, score, {cut}, {quote_text(options_text(order))})"
    direction = "DESC" if order["ties"] == "item_desc" else "ASC"
    score = "score::FLOAT" if order["score_type"] == "float32" else "score"
    all_items = f"list({item} ORDER BY {score} DESC, {item} {direction} NULLS LAST)"
    return all_items if deepest is None else f"{all_items}[:{deepest}]"


def _catalogue(inputs: Inputs, items: Source, names: tuple[str, ...]) -> str:
    """Write a query of one row: the list of items with the properties that measures read."""
    caller = inputs.tables.caller
    name = next(filter(items.has, names), names[0])
    try:
        column = items.column("item", name)
        found = {each: items.column("items", each) for each in inputs.plan.properties}
    except CallError as error:
        raise CallValueError(caller, error.argument, *error.parts) from None
    fields = [f"item := {exact_column(column, items.types[column])}"]
    fields += [
        f"{quote_name(each)} := {quote_name(column)}" for each, column in found.items() if each != "item"
    ]
    return f"SELECT list(struct_pack({', '.join(fields)})) FROM {items.view}"
