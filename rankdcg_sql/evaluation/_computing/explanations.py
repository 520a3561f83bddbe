"""The contributions of items to metrics, computed in as many parts as the memory limit asks for."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import duckdb

from rankdcg_sql import _native
from rankdcg_sql._errors import CallError, CallValueError, shown
from rankdcg_sql._sql import fetch_one, quote_text
from rankdcg_sql.catalogue import options_text
from rankdcg_sql.evaluation._computing.user_metrics import Inputs, Rows, divide, memory_limit
from rankdcg_sql.evaluation._tables.types import grouping_type
from rankdcg_sql.evaluation._terms.metrics import function_of, options_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rankdcg_sql.evaluation._terms.metrics import Measure
    from rankdcg_sql.evaluation._terms.plan import Plan
    from rankdcg_sql.evaluation._terms.statistics import Users

#: The most bytes that a row takes: while it is grouped, and as a struct of ten fields in the list of a part,
#: and as much again while that list grows.
_ROW_BYTES = 320


@dataclass(frozen=True)
class _Items:
    """The items of both tables, as they go through the aggregates."""

    #: Their SQL type.
    kind: str
    #: The type in which the aggregates take them; None if they go as the places of items in their order.
    grouped: str | None
    #: The name of the table of items and their places.
    table: str

    def put_in(self, rows: str) -> str:
        """Write what stands after FROM for rows with a column ``item``."""
        if self.grouped:
            return f"(SELECT *, itemid::{self.grouped} AS item FROM {rows})"
        return (
            f"(SELECT rows.*, place AS item FROM (FROM {rows}) AS rows LEFT JOIN {self.table} USING (itemid))"
        )

    def take_out(self, explained: str) -> str:
        """Write what stands after FROM for a query whose column ``item`` becomes ``itemid``."""
        if self.grouped:
            return f"(SELECT *, item::{self.kind} AS itemid FROM ({explained}))"
        joined = f"({explained}) AS explained LEFT JOIN {self.table} ON place = item"
        return f"(SELECT explained.*, itemid FROM {joined})"


def create_explanations(inputs: Inputs, measures: Sequence[Measure], users: Users, user: Any = None) -> None:
    """Create the table `explanations` of the items of all evaluated users, or of `user` alone.

    Its columns are userid, metric, k, rank, last_rank, itemid, score, rel, judged, gain, discount,
    contribution, if_found and value, as `Evaluation.explain` describes them.
    """
    tables, columns, views = inputs.tables, inputs.columns, inputs.views
    _check_engine(inputs)
    only = "" if user is None else f" WHERE userid = {_find_user(inputs, users, user)}"
    rows = tuple(
        Rows(
            source.label,
            f"(FROM {query}{only})",
            {"userid": columns.user_type, "itemid": source.types[item], value: kind},
        )
        for source, query, item, value, kind in (
            (tables.rec, views.recommendations, columns.rec_item, "score", columns.score_type),
            (tables.truth, views.judged_items, columns.item, "rel", "DOUBLE"),
        )
    )
    items = _open_items(inputs, rows)
    into = f"CREATE TEMP TABLE {views.explanations} AS"
    with divide(tables, rows, 1 if only else _part_count(inputs)) as parts:
        for number, (rec_rows, truth_rows) in enumerate(parts):
            part = f" ({number + 1} of {len(parts)})" if len(parts) > 1 else ""
            served = rec_rows if users == "both" else None
            both = _both_tables(inputs, items, rec_rows, truth_rows)
            for measure in measures:
                label = f"{measure.column} of the items of {tables.rec.label}{part}"
                _run(inputs, label, f"{into} {_explain(inputs, items, measure, both, served)}")
                into = f"INSERT INTO {views.explanations}"
    if not items.grouped:
        tables.con.execute(f"DROP TABLE {items.table}")


def _check_engine(inputs: Inputs) -> None:
    """Raise an error if the database lacks the aggregates, which Python functions cannot provide."""
    try:
        inputs.tables.con.sql("SELECT system.main.rank_explain_by_user(1, 1, 1, 1, 1)")  # it does not run
    except duckdb.CatalogException:
        raise CallValueError(
            inputs.tables.caller,
            None,
            "this needs DuckDB 2.0 or later, and a database that was opened after the import of rankdcg_sql, "
            f"or by rankdcg_sql.connect; this is DuckDB {duckdb.__version__}",
        ) from None


def _find_user(inputs: Inputs, users: Users, user: Any) -> str:
    """Return an evaluated user as SQL, or raise an error that names it.

    A text that is written as a user of another type is this user, as on the command line.
    """
    tables, views, kind = inputs.tables, inputs.views, inputs.columns.user_type
    found = f"try_cast($1 AS {kind})"
    is_same = f"if(typeof($1) = 'VARCHAR', {found}::VARCHAR = $1::VARCHAR, {found} = $1)"
    try:
        row = fetch_one(tables.con.execute(f"SELECT {found}::VARCHAR WHERE {is_same}", [user]))
    except duckdb.Error:  # the value cannot be compared with users
        row = None
    literal = f"{quote_text(row[0])}::{kind}" if row else f"NULL::{kind}"
    sources = [(tables.truth, views.judgements), (tables.rec, views.recommendations)]
    for source, rows in sources if users == "both" else sources[:1]:
        if not fetch_one(tables.run("the user", f"SELECT 1 FROM {rows} WHERE userid = {literal} LIMIT 1")):
            such_as = tables.examples(rows, "userid")
            why = f"{shown(user)} is no user of {source.label}, where they are such as {such_as}"
            raise CallValueError(tables.caller, "user", why)
    return literal


def _open_items(inputs: Inputs, rows: tuple[Rows, ...]) -> _Items:
    """Find how items go through the aggregates; number them in their order if they cannot go themselves."""
    tables, columns = inputs.tables, inputs.columns
    kind = tables.common_type(columns.item, columns.rec_item)
    grouped = grouping_type(*(table.types["itemid"] for table in rows))
    items = _Items(kind, grouped, f"{inputs.views.explanations}_items")
    if not grouped:
        union = " UNION ".join(f"SELECT itemid::{kind} AS itemid FROM {table.query}" for table in rows)
        places = f"SELECT itemid, row_number() OVER (ORDER BY itemid) AS place FROM ({union})"
        named = f"CREATE TEMP TABLE {items.table} AS {places} WHERE itemid IS NOT NULL"
        tables.run("the order of items", named)
    return items


def _part_count(inputs: Inputs) -> int:
    """Return how many parts of users there are; each fits into half of the memory limit."""
    needed = (inputs.tables.truth.rows + inputs.tables.rec.rows) * _ROW_BYTES
    return max(1, math.ceil(needed / (memory_limit(inputs.tables.con) / 2)))


def _both_tables(inputs: Inputs, items: _Items, rec: str, truth: str) -> str:
    """Write a query of userid, item, score and rel, with a row for each of rec and of truth."""
    user = inputs.columns.grouped_user or "userid"
    rel, rel_type = ("rel", "DOUBLE") if inputs.columns.rel else ("true", "BOOLEAN")
    return (
        f"SELECT {user} AS userid, item, score, NULL::{rel_type} AS rel FROM {items.put_in(rec)} "
        f"UNION ALL SELECT {user}, item, NULL, {rel} FROM {items.put_in(truth)}"
    )


def _explain(inputs: Inputs, items: _Items, measure: Measure, both: str, served: str | None) -> str:
    """Write a query of the columns of `explanations`, of the users in `served` alone if that is given.

    The aggregates leave out users without judgements.
    """
    options = quote_text(options_text(_options_read(inputs.plan, measure.metric)))
    arguments = f"item, score, rel, {measure.sql_k}, {options}"
    user_type = inputs.columns.user_type
    if inputs.columns.grouped_user:
        found = f"SELECT rank_explain_by_user(userid, {arguments}) AS found FROM ({both})"
        unnested = "unnest(found, recursive := true)"
    else:
        found = f"SELECT userid, rank_explain_rows({arguments}) AS found FROM ({both}) GROUP BY userid"
        unnested = "userid, unnest(found, recursive := true)"
    explained = f"SELECT * REPLACE (userid::{user_type} AS userid) FROM (SELECT {unnested} FROM ({found}))"
    semi_join = f" SEMI JOIN (SELECT userid FROM {served}) USING (userid)" if served else ""
    return (
        f"SELECT userid, {quote_text(measure.metric)} AS metric, {measure.sql_k} AS k, rank, last_rank, "
        "itemid, score, rel, rel IS NOT NULL AS judged, gain, discount, contribution, if_found, value "
        f"FROM {items.take_out(explained)}{semi_join}"
    )


def _options_read(plan: Plan, metric: str) -> dict[str, str]:
    """Return the options that explain a metric: those of a plan that it reads, and the metric.

    The plan was evaluated, so that an option which this metric refuses is read by another one.
    """
    function = function_of(metric)
    given = options_of(metric, plan.options)
    options = {name: value for name, value in given.items() if name in function.options}
    while True:
        try:
            _native.check(function.name, [], options_text(options))
        except CallError as error:
            if error.argument not in options:
                raise
            del options[error.argument]
        else:
            return {"metric": function.base, **options}


def _run(inputs: Inputs, label: str, statement: str) -> None:
    """Run a statement; its error about a value names this call."""
    try:
        inputs.tables.run(label, statement)
    except duckdb.InvalidInputException as error:
        raise _native.refusal(inputs.tables.caller, error) from None
