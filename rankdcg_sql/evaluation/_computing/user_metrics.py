"""The metrics of each user, computed in as many parts as the memory limit asks for."""

from __future__ import annotations

import math
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import duckdb

from rankdcg_sql import _native
from rankdcg_sql._sql import column_types, fetch_one, is_nan, quote_name, quote_text, repr_in_sql
from rankdcg_sql._temporary_folder import temporary_folder
from rankdcg_sql.evaluation._tables.types import BIGINT_OR_SMALLER, base_type, grouping_type

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rankdcg_sql._errors import CallValueError
    from rankdcg_sql.evaluation._tables.columns import FoundColumns, TruthAndRec, Views
    from rankdcg_sql.evaluation._terms.metrics import Measure
    from rankdcg_sql.evaluation._terms.plan import Plan
    from rankdcg_sql.evaluation._terms.statistics import Users


#: Types whose values a Parquet file returns as they were.
_SAME_IN_PARQUET = {
    *BIGINT_OR_SMALLER,
    *("UBIGINT", "FLOAT", "DOUBLE", "DECIMAL", "BOOLEAN", "VARCHAR", "UUID", "DATE", "TIMESTAMP"),
}
#: The number of parts above which rows are copied. Measured with 100 million rows: to copy rows takes as much
#: CPU time as to read them seven times.
_MAX_SCANS = 8


@dataclass(frozen=True)
class Rows:
    """Rows of one table, as SQL."""

    #: The name of the table in messages.
    label: str
    #: A query in parentheses, which has the column ``userid``.
    query: str
    #: The types of the columns that are needed, keyed by their names.
    types: dict[str, str]

    @property
    def can_be_copied(self) -> bool:
        """Whether a Parquet file returns all values as they were."""
        return {*map(base_type, self.types.values())} <= _SAME_IN_PARQUET


@contextmanager
def divide(tables: TruthAndRec, rows: tuple[Rows, ...], count: int) -> Iterator[list[tuple[str, ...]]]:
    """Divide rows by the hash of the user into `count` parts, which exist until the end of the block.

    Yields for each part the SQL that stands after FROM, one for each of `rows`. A part is selected from all
    rows, so that `count` parts read them `count` times. If there are many parts, the rows are first copied to
    files of one part each, in DuckDB's folder for temporary files. They are not copied if Parquet cannot hold
    their types, if DuckDB may not write files, or if the disk is full.
    """
    with ExitStack() as closing:
        folder = None
        if count > _MAX_SCANS and all(table.can_be_copied for table in rows):
            folder = _copy(tables, rows, count, closing)
        yield [
            tuple(
                _part(table, part, count, folder and folder / str(place)) for place, table in enumerate(rows)
            )
            for part in range(count)
        ]


def _copy(tables: TruthAndRec, rows: tuple[Rows, ...], count: int, closing: ExitStack) -> Path | None:
    """Copy rows to files of one part each; return the folder, which `closing` removes, or None on failure."""
    (temporary,) = fetch_one(tables.con.execute("SELECT current_setting('temp_directory')")) or ("",)
    try:
        if temporary and not Path(temporary).exists():
            Path(temporary).mkdir(parents=True)
            closing.callback(_remove_if_empty, temporary)
        folder = Path(closing.enter_context(temporary_folder(temporary)))
        for place, table in enumerate(rows):
            tables.run(
                f"dividing {table.label} by users",
                f"COPY (SELECT {', '.join(table.types)}, hash(userid) % {count} AS part "
                f"FROM {table.query}) "
                f"TO {quote_text(str(folder / str(place)))} (FORMAT parquet, PARTITION_BY (part))",
            )
    except (OSError, duckdb.IOException, duckdb.PermissionException, duckdb.OutOfMemoryException):
        closing.close()  # frees the disk at once
        return None
    return folder


def _remove_if_empty(folder: str) -> None:
    """Remove a folder, unless it has files, such as those of another call."""
    with suppress(OSError):
        Path(folder).rmdir()


def _part(rows: Rows, part: int, count: int, copy: Path | None) -> str:
    """Write what stands after FROM for one of `count` parts; `copy` is the folder of copied rows, if any."""
    if count == 1:
        return rows.query
    if copy is None:
        return f"{rows.query} WHERE hash(userid) % {count} = {part}"
    files = sorted((copy / f"part={part}").glob("*.parquet"))
    if not files:
        return f"{rows.query} WHERE false"
    listed = ", ".join(quote_text(str(file)) for file in files)
    return f"read_parquet([{listed}], hive_partitioning = false)"


@dataclass(frozen=True)
class Inputs:
    """The input of the computation of one table of recommendations."""

    #: Truth and rec on the working connection.
    tables: TruthAndRec
    #: Their columns, and the types in which these are compared.
    columns: FoundColumns
    #: Their rows as SQL, and the names of the tables that are made from them.
    views: Views
    #: The metrics, cutoffs and options.
    plan: Plan


#: The most bytes that a row takes while rows are grouped by user: for users of type BIGINT, and for others.
_NUMBER_BYTES, _TEXT_BYTES = 32, 96
#: The most bytes that the result of one pass takes for a user, and for each of the user's values: six fields
#: and a number, and as much again while the list grows.
_USER_BYTES, _VALUE_BYTES = 112, 16
#: The same for an item of the user's ranking, which may be a text.
_ITEM_BYTES = 32
#: The units of DuckDB's memory limit, each 1024 times the one before.
_UNITS = ("bytes", "KiB", "MiB", "GiB", "TiB", "PiB")


def is_in_one_pass(inputs: Inputs) -> bool:
    """Whether one aggregate over all users computes the metrics; otherwise users are grouped."""
    is_grouped = inputs.columns.grouped_user is not None
    return not inputs.views.has_aspects and is_grouped and has_by_user(inputs.tables.con)


def create_user_metrics(inputs: Inputs, users: Users = "truth", catalogue: str = "") -> int | None:
    """Create the table `user_metrics`; an error is about a value that a metric refuses.

    Users are hashed into parts. One part at a time is computed, so that its rows fit into half of the memory
    limit. Returns the number of parts if one aggregate over all users of a part computed the metrics. The
    table then has the columns of `Plan.select_in_one_pass` and ``part``. Returns None if the users were
    grouped; it then has those of `Plan.select_by_group` and ``part``.

    If there is a single part, the table has the columns of measures of items, too, for the evaluated `users`.
    `catalogue` is a query of the list of items, and empty if it is not known.
    """
    tables, columns, views, plan = inputs.tables, inputs.columns, inputs.views, inputs.plan
    in_one_pass = is_in_one_pass(inputs)
    count = _part_count(inputs, in_one_pass)
    if in_one_pass:
        select = plan.select_in_one_pass
        if has_lists(inputs):
            select = plan.select_with_lists
            if catalogue and count == 1:
                select = partial(plan.select_with_items, catalogue, users)
        rec, truth = views.all_rec, views.all_truth
        user = f"{columns.grouped_user} AS userid"
    else:
        select, rec, truth = plan.select_by_group, views.recommendations, views.judged_items
        user = "userid"
    # Without `rel`, each row of truth is relevant, and a BOOLEAN costs less than a DOUBLE.
    score, rel, rel_type = ("score", "rel", "DOUBLE") if columns.rel else ("score", "true", "BOOLEAN")
    aspects = {"aspects": "STRUCT[]"} if views.has_aspects else {}
    no_aspects, of_truth = (f", {each} AS aspects" if aspects else "" for each in ("NULL", "aspects"))
    rows = tuple(
        Rows(source.label, query, {"userid": columns.user_type, "itemid": source.types[item], **values})
        for source, query, item, values in (
            (tables.rec, rec, columns.rec_item, {"score": columns.score_type}),
            (tables.truth, truth, columns.item, {"rel": "DOUBLE", **aspects}),
        )
    )
    may_be_nan = in_one_pass and (columns.score_has_nan or columns.rel_has_nan)
    with divide(tables, rows, count) as parts:
        for number, (rec_rows, truth_rows) in enumerate(parts):
            is_nan_refused = True
            while is_nan_refused:
                metrics = select(
                    f"SELECT {user}, itemid, {score} AS score, NULL::{rel_type} AS rel{no_aspects} FROM "
                    f"{rec_rows} UNION ALL SELECT {user}, itemid, NULL, {rel}{of_truth} FROM {truth_rows}"
                )
                is_nan_refused = _run_part(inputs, metrics, number, len(parts), may_be_nan)
                if is_nan_refused:
                    # The aggregate refuses NaN. Rows with NULL in its place are left out. To look at every
                    # row takes time, so that is done only now.
                    may_be_nan = False
                    score = f"if({is_nan('score')}, NULL, score)" if columns.score_has_nan else score
                    rel = f"if({is_nan('rel')}, NULL, rel)" if columns.rel_has_nan else rel
        return len(parts) if in_one_pass else None


def has_lists(inputs: Inputs) -> bool:
    """Whether one pass can return the lists of users that measures of items read, too."""
    columns, tables, plan = inputs.columns, inputs.tables, inputs.plan
    item_types = tables.rec.types[columns.rec_item], tables.truth.types[columns.item]
    # The database is asked last, because most calls have no measures of items.
    is_possible = plan.has_one_ranking and grouping_type(*item_types) is not None
    return is_possible and is_in_one_pass(inputs)


def _run_part(inputs: Inputs, metrics: str, number: int, count: int, may_be_nan: bool) -> bool:
    """Add the metrics of the users of one part, which the query `metrics` computes, to `user_metrics`.

    Returns whether a value was refused that may be NaN; then nothing is added. `may_be_nan` is whether there
    may be such a value. Another value that is refused is an error.
    """
    tables, views = inputs.tables, inputs.views
    into = f"INSERT INTO {views.user_metrics}" if number else f"CREATE TEMP TABLE {views.user_metrics} AS"
    part = f" ({number + 1} of {count})" if count > 1 else ""
    try:
        tables.run(
            f"metrics of {tables.rec.label}{part}",
            f"{into} SELECT * REPLACE (userid::{inputs.columns.user_type} AS userid), {number} AS part "
            f"FROM ({metrics})",
        )
    except duckdb.InvalidInputException as error:
        refusal = _native.refusal(tables.caller, error)
        is_about_value = refusal.kind == "argument"  # and not about memory
        if may_be_nan and is_about_value:
            return True
        raise (_refused_row(inputs) if is_about_value else None) or refusal from None
    return False


@contextmanager
def added_columns(
    inputs: Inputs, label: str, measures: Sequence[Measure], by_user: str, dropped: Sequence[str] = ()
) -> Iterator[str]:
    """Add the values of measures to the table `user_metrics`, and drop some columns of it, after the block.

    `by_user` is a query with the column ``userid`` and one for each measure. Yields the name of the new
    table.
    """
    table = inputs.views.user_metrics
    without = f" EXCLUDE ({', '.join(dropped)})" if dropped else ""
    columns = ", ".join(f"added.{quote_name(measure.column)}" for measure in measures)
    inputs.tables.run(
        label,
        f"CREATE TEMP TABLE {table}_added AS SELECT of_users.*{without}, {columns} "
        f"FROM {table} AS of_users LEFT JOIN ({by_user}) AS added USING (userid)",
    )
    yield f"{table}_added"
    inputs.tables.con.execute(f"DROP TABLE {table}; ALTER TABLE {table}_added RENAME TO {table}")


def evaluated_users(users: Users) -> str:
    """Write the SQL condition for the users that are evaluated, among those of `user_metrics`."""
    return "WHERE judged > 0 AND retrieved > 0" if users == "both" else "WHERE judged > 0"


def graded_users(inputs: Inputs) -> str:
    """Write what stands after FROM for users of two distinct relevances of items: the column ``userid``."""
    if "graded" in column_types(inputs.tables.con, inputs.views.user_metrics):
        # Executors of Spark, which have the judgements, have told which users these are.
        return f"(SELECT userid FROM {inputs.views.user_metrics} WHERE graded)"
    # Without `rel`, all relevances are 1.
    counts = "false" if inputs.columns.rel is None else "itemid IS NOT NULL"
    rows = f"{inputs.views.judged_items} WHERE {counts}"
    return f"(SELECT userid FROM {rows} GROUP BY userid HAVING min(rel) < max(rel))"


def has_by_user(con: duckdb.DuckDBPyConnection) -> bool:
    """Whether the database has the aggregate of all users, which Python functions cannot provide."""
    try:
        con.sql("SELECT system.main.rank_measures_by_user(1, 1, 1, 1, 'ndcg')")  # the query does not run
    except duckdb.CatalogException:
        return False
    return True


def memory_limit(con: duckdb.DuckDBPyConnection) -> float:
    """Return DuckDB's memory limit in bytes."""
    (text,) = fetch_one(con.execute("SELECT current_setting('memory_limit')")) or ("",)
    number, unit = text.split()
    return float(number) * 1024.0 ** _UNITS.index(unit)


def _part_count(inputs: Inputs, in_one_pass: bool) -> int:
    """Return how many parts of users there are; each fits into half of the memory limit.

    One pass returns the values of all users of a part in a single list, which takes memory, too.
    """
    tables, plan = inputs.tables, inputs.plan
    rows = tables.truth.rows + tables.rec.rows
    width = _NUMBER_BYTES if inputs.columns.user_type == "BIGINT" else _TEXT_BYTES
    needed, available = rows * width, memory_limit(tables.con) / 2
    result_width = _USER_BYTES + _VALUE_BYTES * len(plan.measures) if in_one_pass else 0
    lists = plan.lists_of_users if has_lists(inputs) else ()
    most_ranked = tables.rec.rows * ("ranking" in lists)
    most_relevant = tables.truth.rows * ("relevant" in lists)
    most_items = most_ranked + most_relevant
    # There are no more users than rows. They are counted only if that many might not fit.
    if result_width and needed + rows * result_width + most_items * _ITEM_BYTES > available:
        most_users = (available - needed) / result_width
        users = _users_by_range(inputs, most_users) or _estimated_users(inputs)
        # No ranking has more items than the cutoff.
        most_items = min(most_ranked, users * (plan.deepest_of_items or 0)) + most_relevant
        needed += result_width * users + _ITEM_BYTES * most_items
    return max(1, math.ceil(needed / available))


def _users_by_range(inputs: Inputs, most: float) -> int | None:
    """Return an upper bound of the number of users: that of the integers between the least and the greatest.

    Files and tables say both without a scan. None if users are no integers, or if the bound is above `most`.
    """
    if inputs.columns.user_type != "BIGINT":
        return None
    ends = (
        f"SELECT min(userid) AS least, max(userid) AS greatest FROM {rows_of}"
        for rows_of in (inputs.views.all_rec, inputs.views.all_truth)
    )
    # One more user may be NULL.
    bound = f"SELECT coalesce(max(greatest)::HUGEINT - min(least) + 2, 1) FROM ({' UNION ALL '.join(ends)})"
    (users,) = fetch_one(inputs.tables.run("counting users", bound)) or (1,)
    return users if users <= most else None


def _estimated_users(inputs: Inputs) -> int:
    """Estimate the number of users, as DuckDB does for each table; a user of both tables counts twice."""
    users = (
        f"(SELECT approx_count_distinct(userid) FROM {rows_of})"
        for rows_of in (inputs.views.all_rec, inputs.views.all_truth)
    )
    return sum(fetch_one(inputs.tables.run("counting users", f"SELECT {', '.join(users)}")) or ())


def _refused_row(inputs: Inputs) -> CallValueError | None:
    """Find a row that a metric refuses: the error about it alone, which names its user and item.

    None if no row is found. Many rows may be refused, and the error of a query is about any of them.
    """
    tables = inputs.tables
    rows = f"(FROM {inputs.views.judged_items} WHERE itemid IS NOT NULL)"
    order = "ORDER BY userid ASC, itemid ASC LIMIT 1"
    # A row below 0 is not refused if `rankdcg` is the only metric: it allows such relevances.
    refusals = "WHERE rel < 0", "WHERE isinf(rel)", "GROUP BY userid, itemid HAVING min(rel) <> max(rel)"
    for refused in refusals:
        one = f"SELECT userid, itemid FROM {rows} {refused} {order}"
        shown = f"SELECT {repr_in_sql('userid')}, {repr_in_sql('itemid')} FROM ({one})"
        row = fetch_one(tables.con.execute(shown))
        if row:
            alone = f"SELECT *, NULL::DOUBLE AS score FROM {rows} SEMI JOIN ({one}) USING (userid, itemid)"
            try:
                tables.con.execute(inputs.plan.select_by_group(alone)).fetchall()
            except duckdb.InvalidInputException as error:
                place = f" (user {row[0]}, item {row[1]} of {tables.truth.label})"
                return _native.refusal(tables.caller, error, place)
    return None
