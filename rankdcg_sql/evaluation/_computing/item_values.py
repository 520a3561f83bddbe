"""The measures of recommended items, which are computed from the rankings of all users at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import duckdb

from rankdcg_sql import _native
from rankdcg_sql._errors import CallError, CallValueError
from rankdcg_sql._sql import column_types, quote_name, quote_text
from rankdcg_sql.catalogue import options_text
from rankdcg_sql.evaluation._computing.user_metrics import added_columns, evaluated_users, has_by_user
from rankdcg_sql.evaluation._tables.types import BIGINT_OR_SMALLER, base_type, exact_column, grouping_type

if TYPE_CHECKING:
    from rankdcg_sql.evaluation._computing.user_metrics import Inputs
    from rankdcg_sql.evaluation._tables.columns import Columns, FoundColumns, Source, TruthAndRec
    from rankdcg_sql.evaluation._terms.statistics import Users


def users_with_lists(inputs: Inputs, has_repeats: bool) -> str:
    """Write the table `user_metrics` with the lists that measures of items read, as what stands after FROM.

    `has_repeats` is whether rec has several rows of a user and an item, of which the largest score counts.
    Lists that the table has are not computed again.
    """
    plan, views = inputs.plan, inputs.views
    needed = {*plan.lists_of_users} - {*column_types(inputs.tables.con, views.user_metrics)}
    users = views.user_metrics
    if "relevant" in needed:
        least = plan.options.get("min_rel")
        relevant = "rel > 0" if least is None else f"rel >= {least}"
        of_users = f"SELECT userid, list(itemid) AS relevant FROM {views.judged_items} WHERE {relevant}"
        users += f" LEFT JOIN ({of_users} GROUP BY userid) USING (userid)"
    if "ranking" in needed:
        rows = views.recommendations
        if has_repeats:
            # Each NULL item takes a rank.
            best = f"SELECT userid, itemid, max(score) AS score FROM {rows} WHERE itemid IS NOT NULL"
            rows = (
                f"({best} GROUP BY userid, itemid "
                f"UNION ALL SELECT userid, itemid, score FROM {rows} WHERE itemid IS NULL)"
            )
        of_users = f"SELECT userid, {_ranking(inputs)} AS ranking FROM {rows} GROUP BY userid"
        users += f" LEFT JOIN ({of_users}) USING (userid)"
    return users


def add_item_values(
    inputs: Inputs, items: Source, names: Columns, users: Users, has_repeats: bool, judged: str
) -> dict[str, Any]:
    """Add the measures of items to the table `user_metrics`, and drop the lists that they read from it.

    `has_repeats` is that of `users_with_lists`. Rankings of users who are not evaluated do not count, and
    that of an evaluated user without recommendations is empty. `judged` is what stands after FROM for judged
    items: itemid, and rows, the number of its judgements. Returns the counts of rows whose item has no row in
    `items`, keyed by fields of `Counts`.
    """
    tables, plan = inputs.tables, inputs.plan
    measures, table = plan.of_items, inputs.views.user_metrics
    there = column_types(tables.con, table)
    try:
        if measures[0].column in there:
            # One pass has computed them, and kept rankings with unknown items.
            return _unknown_items(inputs, items, names, table, f"{table} {evaluated_users(users)}", judged)
        evaluated = f"{users_with_lists(inputs, has_repeats)} {evaluated_users(users)}"
        truths = "list(relevant)" if "relevant" in plan.lists_of_users else "NULL"
        catalogue = query_of_items(inputs, items, names)
        found = plan.found_in("rank_items", "list(coalesce(ranking, []))", truths, catalogue)
        of_all = f"SELECT list(userid) AS users, {found} FROM {evaluated}"
        by_place = f"SELECT users, found, unnest(range(len(users))) AS place FROM ({of_all})"
        values = ", ".join(
            f"found[place * {len(measures)} + {number}] AS {quote_name(measure.column)}"
            for number, measure in enumerate(measures, 1)
        )
        by_user = f"SELECT users[place + 1] AS userid, {values} FROM ({by_place})"
        # Lists of one pass over all users, or of executors.
        kept = [name for name in plan.lists_of_users if name in there]
        with added_columns(inputs, f"items of {tables.rec.label}", measures, by_user, kept) as joined:
            return _unknown_items(inputs, items, names, joined, evaluated, judged)
    except duckdb.InvalidInputException as error:
        raise _native.refusal(tables.caller, error) from None


def _unknown_items(
    inputs: Inputs, items: Source, names: Columns, table: str, evaluated: str, judged: str
) -> dict[str, Any]:
    """Count the rows whose item is not in the table of items, keyed by fields of `Counts`.

    `table` has the measures of items of each user. `evaluated` is what stands after FROM for evaluated users,
    among them all that have unknown items, with their rankings. `judged` is that of `add_item_values`.
    """
    tables, plan = inputs.tables, inputs.plan
    if not plan.has_items:
        return {}
    item, _ = find_item_columns(tables.caller, items, names)
    unknown = f"bool_or({quote_name(plan.unknown_items.column)} > 0) AS unknown FROM {table}"
    ranked = f"(SELECT unnest(ranking) AS itemid, 1 AS rows FROM {evaluated})"
    rows = {"rec": ranked} if tables.numbers("items of users", unknown)["unknown"] else {}
    rows |= {} if _has_all(tables, items, item, judged) else {"truth": judged}
    return _count_unknown_items(tables, inputs.columns, _catalogue(items, item, {}), rows)


def count_unknown_documents(
    given: TruthAndRec, columns: FoundColumns, items: Source, names: Columns
) -> dict[str, Any]:
    """Count the rows of spans and of chunks whose document has no row in `items`.

    `given` are truth and rec before documents became items. The keys are fields of `Counts`.
    """
    item, _ = find_item_columns(given.caller, items, names)
    rows = {}
    for source, column in ((given.rec, columns.rec_item), (given.truth, columns.item)):
        document = exact_column(column, source.types[column])
        rows[source.role] = f"(SELECT {document} AS itemid, 1 AS rows FROM {source.view})"
    try:
        return _count_unknown_items(given, columns, _catalogue(items, item, {}), rows)
    except duckdb.InvalidInputException as error:
        raise _native.refusal(given.caller, error) from None


def _has_all(tables: TruthAndRec, items: Source, item: str, judged: str) -> bool:
    """Whether each judged item is in the table of items; False if types make a join inexact.

    The table has each item once, or else there are no measures.
    """
    kind, other = column_types(tables.con, judged)["itemid"], items.types[item]
    if kind != other and grouping_type(kind, other) is None:
        return False
    catalogue = f"(SELECT {exact_column(item, other)} AS itemid FROM {items.view})"
    if {kind, other} <= BIGINT_OR_SMALLER and _has_all_between(tables, catalogue, judged):
        return True
    known = f"(SELECT count(*) FROM {judged} JOIN {catalogue} USING (itemid))"
    (has_all,) = tables.numbers("judged items", f"count(*) = {known} FROM {judged}").values()
    return bool(has_all)


def _has_all_between(tables: TruthAndRec, catalogue: str, judged: str) -> bool:
    """Whether a catalogue of integers, each there once, has no gap, and no judged item is beyond its ends.

    Files and tables say the least and the greatest integer without a scan.
    """
    ends = "min(itemid)::HUGEINT AS {0}, max(itemid)::HUGEINT AS {1}"
    of_items = f"(SELECT count(itemid) AS items, {ends.format('least', 'greatest')} FROM {catalogue})"
    of_truth = f"(SELECT {ends.format('first', 'last')} FROM {judged})"
    found = tables.numbers("judged items", f"* FROM {of_items}, {of_truth}")
    least, greatest = found["least"], found["greatest"]
    if not found["items"] or found["items"] != greatest - least + 1:
        return False
    no_items = found["first"] is None
    return no_items or (least <= found["first"] and found["last"] <= greatest)


def _count_unknown_items(
    tables: TruthAndRec, columns: FoundColumns, catalogue: str, rows: dict[str, str]
) -> dict[str, Any]:
    """Count rows whose item is not in a catalogue, and name some of these items, keyed by fields of `Counts`.

    `rows` has what stands after FROM for the rows of a table, as for judged items, keyed by the table's role.
    Items are compared as measures of items do, whatever their types are.
    """
    types = {"rec": tables.rec.types[columns.rec_item], "truth": tables.truth.types[columns.item]}
    counts: dict[str, int] = {}
    examples: dict[str, str] = {}
    for role, of_role in rows.items():
        of_items = f"SELECT itemid, sum(rows) AS rows FROM {of_role} WHERE itemid IS NOT NULL GROUP BY itemid"
        is_unknown = f"rank_items([[item] FOR item IN items], NULL, ({catalogue}), 'unknown_items')"
        unknown = (
            f"(SELECT itemid, rows FROM (SELECT unnest(items) AS itemid, unnest(counted) AS rows, "
            f"unnest({is_unknown}) AS unknown FROM "
            f"(SELECT list(itemid) AS items, list(rows) AS counted FROM ({of_items}))) WHERE unknown > 0)"
        )
        name = f"{role}_unknown_items"
        counts |= tables.numbers(
            f"items of {role}", f"coalesce(sum(rows), 0)::BIGINT AS {name} FROM {unknown}"
        )
        if counts[name]:
            named = f"(SELECT itemid::{types[role]} AS itemid FROM {unknown})"  # as the table writes them
            examples[role] = tables.examples(named, "itemid")
    return {**counts, "unknown_items": examples}


def _ranking(inputs: Inputs) -> str:
    """Write the aggregate of a user's items, best first, down to the largest cutoff."""
    order, deepest = inputs.plan.order_of_items, inputs.plan.deepest_of_items
    item_types = (
        inputs.tables.rec.types[inputs.columns.rec_item],
        inputs.tables.truth.types[inputs.columns.item],
    )
    # An ENUM, which is grouped as VARCHAR, has the order of its texts in the other aggregates, too.
    item = "itemid::VARCHAR" if grouping_type(*item_types) == "VARCHAR" else "itemid"
    # The aggregate takes no decimals, which Spark makes of whole numbers beside them.
    if has_by_user(inputs.tables.con) and base_type(item_types[0]) != "DECIMAL":
        cut = "NULL::BIGINT" if deepest is None else str(deepest)
        return f"ranked_list({item}, score, {cut}, {quote_text(options_text(order))})"
    direction = "DESC" if order["ties"] == "item_desc" else "ASC"
    score = "score::FLOAT" if order["score_type"] == "float32" else "score"
    all_items = f"list({item} ORDER BY {score} DESC, {item} {direction} NULLS LAST)"
    return all_items if deepest is None else f"{all_items}[:{deepest}]"


def find_item_columns(
    caller: str, items: Source, names: Columns, truth: Source | None = None
) -> tuple[str, dict[str, str]]:
    """Return the column of items in the table of items, and those of properties, keyed by the given names.

    Errors know whether `truth` has a column that `items` lacks.
    """
    try:
        return items.first_column("item", names.items, truth), {
            each: items.column("metrics", each, spelling=spelling)
            for each, spelling in names.properties.items()
        }
    except CallError as error:
        raise CallValueError(caller, error.argument, *error.parts) from None


def query_of_items(inputs: Inputs, items: Source, names: Columns) -> str:
    """Write a query of one row: the list of items with the properties that the measures of a call read."""
    return _catalogue(items, *find_item_columns(inputs.tables.caller, items, names))


def _catalogue(items: Source, item: str, properties: dict[str, str]) -> str:
    """Write a query of one row: the list of items with some properties."""
    itemid = exact_column(item, items.types[item])
    fields = [f"item := {itemid}"]
    fields += [
        f"{quote_name(each)} := {quote_name(column)}" for each, column in properties.items() if each != "item"
    ]
    return f"SELECT list(struct_pack({', '.join(fields)})) FROM {items.view}"
