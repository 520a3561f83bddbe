"""The two tables on one DuckDB connection: checks and counts of them, and the metrics of each user."""

from __future__ import annotations

import math
import tempfile
from contextlib import ExitStack, suppress
from dataclasses import astuple, dataclass, fields
from secrets import token_hex
from typing import TYPE_CHECKING, Any

import duckdb

from rankdcg_sql import _native
from rankdcg_sql._errors import Argument, CallError, CallTypeError, CallValueError
from rankdcg_sql._sql import call_if_known, fetch_one, quote_name
from rankdcg_sql.duckdb import open_without_table_macros, register_without_table_macros
from rankdcg_sql.evaluation._counts import Counts, pluralize, warn
from rankdcg_sql.evaluation._metrics import needs_grades, reason_without_value
from rankdcg_sql.evaluation._plan import TOTALS
from rankdcg_sql.evaluation._progress import Progress
from rankdcg_sql.evaluation._tables import Reader, Source
from rankdcg_sql.evaluation._types import (
    BIGINT_OR_SMALLER,
    NUMBERS,
    SAME_AFTER_TEXT,
    WHOLE_NUMBERS,
    base_type,
    common_type,
    exact_column,
    type_family,
)

if TYPE_CHECKING:
    from types import TracebackType

    import pyarrow as pa

    from rankdcg_sql.evaluation._plan import Plan
    from rankdcg_sql.evaluation._statistics import Users


#: Usual names of a column of relevances, in lower case.
_RELEVANCES = {"rel", "relevance", "relscore", "grade", "label"}
#: The most bytes that a row takes while rows are grouped by user: for users of type BIGINT, and for others.
_NUMBER_BYTES, _TEXT_BYTES = 32, 96
#: The most bytes that the result of one pass takes for a user and a cutoff: fourteen fields, and as much
#: again while the list grows.
_RESULT_BYTES = 224
#: The counts of rows in which something is missing.
_MISSING = [name.name for name in fields(Counts) if "_null_" in name.name or "_nan_" in name.name]
#: The units of DuckDB's memory limit, each 1024 times the one before.
_UNITS = ("bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB")


@dataclass(frozen=True)
class Columns:
    """The names of the columns that are read."""

    #: The column of users, in both tables.
    user: str
    #: The column of items, in both tables.
    item: str
    #: The column of scores, in rec.
    score: str
    #: The column of relevances, in truth; None if every row of truth is relevant.
    rel: str | None
    #: The columns of segments, in truth.
    by: tuple[str, ...]


@dataclass(frozen=True)
class UserMetrics:
    """The metrics of each user.

    Attributes
    ----------
    table : pyarrow.Table
        One row per user: the user, the segments, the number of retrieved items, and each measure's value.
    counts : Counts
        The numbers of rows and users in the two tables.
    plan : Plan
        The metrics that were computed, with their cutoffs and options.
    """

    table: pa.Table
    counts: Counts
    plan: Plan


@dataclass(frozen=True)
class _Tables:
    """The names of the temporary tables and views that a session makes from truth and rec."""

    #: A view of all rows of truth: userid, itemid, rel and the segments.
    all_truth: str
    #: A view of all rows of rec: userid, itemid and score.
    all_rec: str
    #: A view of the usable rows of truth: those with a user and a relevance.
    judgements: str
    #: A view of the usable rows of rec: those with a user and a score.
    recommendations: str
    #: A table of the users with judgements: their segments, and whether these differ in the rows of the user.
    segments: str
    #: A table of all users of both tables: the numbers of retrieved and judged items, and the value of each
    #: measure.
    user_metrics: str


class Session:
    """A truth table on a working connection; tables of recommendations are evaluated against it in turn."""

    def __init__(
        self,
        caller: str,
        truth: Any,
        columns: Columns,
        con: duckdb.DuckDBPyConnection | None,
        progress: bool,
    ) -> None:
        self._caller, self._columns = caller, columns
        trec = {
            "user": columns.user,
            "item": columns.item,
            "truth": columns.rel or "rel",
            "rec": columns.score,
        }
        with ExitStack() as closing:
            if not isinstance(con, duckdb.DuckDBPyConnection | None):
                wanted = " must be a DuckDB connection"
                raise CallTypeError(caller, "con", Argument("con"), f"{wanted}, got {con!r}")
            self._con = _open_connection(con, closing)
            self._run = closing.enter_context(Progress(self._con, progress)).run
            read = (columns.user, columns.item, columns.score, columns.rel or "rel", *columns.by)
            self._reader = Reader(
                caller,
                self._con,
                self._run,
                con,
                trec,
                frozenset(name.lower() for name in read),
                f"rankdcg_{token_hex(8)}",
            )
            self._reader.prefer_system()
            self._own = _Tables(*(self._reader.own(field.name) for field in fields(_Tables)))
            self._truth = self._reader.open("truth", truth, "truth")
            self._warned_of_grades = False
            self._closing = closing.pop_all()

    def __enter__(self) -> Session:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._closing.close()

    def compute_metrics(self, rec: Any, label: str, plan: Plan, users: Users) -> UserMetrics:
        """Compute the metrics of each user for one table of recommendations, which messages call `label`.

        Raises
        ------
        CallValueError
            If a column is missing, has a wrong type, or holds a value that is not allowed.
        """
        source = None
        try:
            source = self._reader.open("rec", rec, label)
            self._name_columns(source)
            plan = plan.with_trec_ties() if source.is_trec else plan
            self._hint_at_min_rel(plan)
            counts = self._create_user_metrics(source, plan)
            counts |= self._count_users(source, users)
            self._create_segments()
            self._check_items(source, plan, users)
            table = self._table(plan, users)
            without = {each.column: table[each.column].null_count for each in plan.measures}
            without = {column: number for column, number in without.items() if number}
            metrics = UserMetrics(table, Counts(**counts, users_without_value=without), plan)
        except duckdb.ConversionException as error:
            if source is not None:
                self._check_digits(source, error)
            raise
        finally:
            self._drop()
        system = f"{label}: " if label != "rec" else ""
        for note in metrics.counts.about_rows():
            warn(self._caller, None, f"{system}{note}", kind="rows")
        return metrics

    def _fail(self, argument: str | None, *parts: str | Argument) -> CallValueError:
        """Return an error about an argument, or about several or none."""
        return CallValueError(self._caller, argument, *parts)

    def _name_columns(self, rec: Source) -> None:
        """Make views of both tables with fixed names of columns, and views of their usable rows."""
        truth, names = self._truth, self._columns
        try:
            user, rec_user = (each.column(names.user, "user") for each in (truth, rec))
            item, rec_item = (each.column(names.item, "item") for each in (truth, rec))
            score = rec.column(names.score, "score")
            rel = names.rel or ("rel" if truth.is_trec else None)
            rel = truth.column(rel, "rel") if rel else None
            by = [truth.column(name, "by") for name in names.by]
        except CallError as error:
            swapped = truth.has(names.score) and not rec.has(names.score)
            hint = f"; {truth.label} has one: are the two swapped?" if swapped else ""
            raise self._fail(error.argument, *error.parts, hint) from None
        self._check_number("score", rec, score, "a number", NUMBERS)
        if rel:
            self._check_number("rel", truth, rel, "a number or a boolean", {*NUMBERS, "BOOLEAN"})
        self._check_ids(rec, user, rec_user)
        self._check_ids(rec, item, rec_item)
        self._user_type = common_type(truth.types[user], rec.types[rec_user])
        kind = self._user_type or self._type_of_both(rec, user, rec_user)
        self._user_kind = kind
        if self._user_type:
            self._user_of_pass: str | None = "userid"
        else:
            self._user_of_pass = "userid::VARCHAR" if base_type(kind) in SAME_AFTER_TEXT else None
        self._hint_at_rel(rel)
        # The metrics rank whole numbers exactly; small ones are exact in floating point, too.
        is_exact = base_type(rec.types[score]) in WHOLE_NUMBERS - BIGINT_OR_SMALLER | {"BIGINT"}
        self._score_type = rec.types[score] if is_exact else "DOUBLE"
        own = self._own
        segments = "".join(
            f", {exact_column(name, truth.types[name])} AS by_{place}" for place, name in enumerate(by)
        )
        self._con.execute(
            f"""
            CREATE TEMP VIEW {own.all_truth} AS
            SELECT {exact_column(user, kind)} AS userid, {exact_column(item, truth.types[item])} AS itemid,
                {quote_name(rel) if rel else "1.0"}::DOUBLE AS rel{segments}
            FROM {truth.view};
            CREATE TEMP VIEW {own.all_rec} AS
            SELECT {exact_column(rec_user, kind)} AS userid,
                {exact_column(rec_item, rec.types[rec_item])} AS itemid,
                {quote_name(score)}::{self._score_type} AS score
            FROM {rec.view};
            CREATE TEMP VIEW {own.judgements} AS
            FROM {own.all_truth} WHERE userid IS NOT NULL AND rel IS NOT NULL AND NOT isnan(rel);
            CREATE TEMP VIEW {own.recommendations} AS
            FROM {own.all_rec} WHERE userid IS NOT NULL AND score IS NOT NULL AND NOT isnan(score::DOUBLE);
            """
        )

    def _type_of_both(self, rec: Source, column: str, rec_column: str) -> str:
        """Return the common type of both columns; equal values must hash equally."""
        one, other = (
            f"{quote_name(column)} FROM {self._truth.view}",
            f"{quote_name(rec_column)} FROM {rec.view}",
        )
        return str(self._con.execute(f"DESCRIBE SELECT {one} UNION ALL SELECT {other}").fetchall()[0][1])

    def _hint_at_rel(self, rel: str | None) -> None:
        """Warn if truth seems to have a column of relevances and `rel` is not given."""
        names = [name for name, kind in self._truth.types.items() if base_type(kind) in {*NUMBERS, "BOOLEAN"}]
        forgotten = next((name for name in names if name.lower() in _RELEVANCES), None)
        if rel is None and forgotten:
            warn(
                self._caller,
                "rel",
                f"{self._truth.label} has a column {forgotten!r}, but no ",
                Argument("rel", forgotten),
                " is given: each of its rows counts as relevant",
            )

    def _hint_at_min_rel(self, plan: Plan) -> None:
        """Warn if `min_rel` is given and there are no relevances."""
        if "min_rel" in plan.options and self._columns.rel is None and not self._truth.is_trec:
            warn(
                self._caller,
                "min_rel",
                f"min_rel={plan.options['min_rel']} is about relevances, but no ",
                Argument("rel"),
                f"= names their column in {self._truth.label}: each of its rows has relevance 1",
            )

    def _hint_at_grades(self, plan: Plan, users: Users) -> None:
        """Warn, once a session, if a metric needs graded judgements and most users have none."""
        metrics = [metric for metric in plan.metrics if needs_grades(metric)]
        if not metrics or self._warned_of_grades:
            return
        found = self._row(
            "grades",
            "count_if(NOT graded) AS flat, count(*) AS users "
            f"FROM {self._own.user_metrics} {_evaluated(users)}",
        )
        if found["flat"] * 2 > found["users"]:
            self._warned_of_grades = True
            warn(
                self._caller,
                "truth",
                f"{', '.join(metrics)} needs graded truth: {found['flat']:,} of "
                f"{pluralize(found['users'], 'user')} have fewer than two distinct relevances in "
                f"{self._truth.label}. Such a user has no value, unless an item of another relevance is "
                "retrieved: means of systems may be over different users",
            )

    def _check_number(self, argument: str, source: Source, column: str, what: str, kinds: set[str]) -> None:
        kind = source.types[column]
        if base_type(kind) not in kinds:
            raise self._fail(argument, f"{column} of {source.label} must be {what}, got {kind}")

    def _check_ids(self, rec: Source, column: str, rec_column: str) -> None:
        # Raises an error if the ids of the two tables cannot be compared exactly.
        one, other = self._truth.types[column], rec.types[rec_column]
        # DuckDB casts HUGEINT beside UHUGEINT to DOUBLE, in which different ids may become equal.
        common = base_type(self._type_of_both(rec, column, rec_column)) if one != other else one
        if type_family(one) != type_family(other) or (type_family(one) == "whole" and common == "DOUBLE"):
            raise self._mismatch_error(rec, column, rec_column, "they cannot be compared")

    def _mismatch_error(self, rec: Source, column: str, rec_column: str, why: str) -> ValueError:
        one, other = self._truth.types[column], rec.types[rec_column]
        return self._fail(
            None,
            f"{column} of {self._truth.label} is {one}, {rec_column} of {rec.label} is {other}, and {why}: "
            f'cast one, as in the query "SELECT * REPLACE ({rec_column}::{one} AS {rec_column}) FROM ..." in '
            "place of the table",
        )

    def _check_digits(self, rec: Source, error: duckdb.ConversionException) -> None:
        """Raise an error that names the columns of ids if their common type has too few digits."""
        for name in (self._columns.user, self._columns.item):
            column, rec_column = self._truth.column(name, ""), rec.column(name, "")
            common = self._type_of_both(rec, column, rec_column)
            for source, of in ((self._truth, column), (rec, rec_column)):
                fails = f"{quote_name(of)} IS NOT NULL AND try_cast({quote_name(of)} AS {common}) IS NULL"
                if fetch_one(self._con.execute(f"SELECT 1 FROM {source.view} WHERE {fails} LIMIT 1")):
                    why = f"the type of both, {common}, has too few digits for some of {source.label}"
                    raise self._mismatch_error(rec, column, rec_column, why) from error

    def _count_rows(self, rec: Source) -> dict[str, int]:
        """Count the rows of both tables, and those without a user, an item, a score or a relevance."""
        return self._row(
            f"counting rows of {self._truth.label}",
            "count(*) AS truth_rows, count_if(userid IS NULL) AS truth_null_users, "
            "count_if(itemid IS NULL) AS truth_null_items, count_if(rel IS NULL) AS truth_null_rels, "
            f"count_if(isnan(rel)) AS truth_nan_rels FROM {self._own.all_truth}",
        ) | self._row(
            f"counting rows of {rec.label}",
            "count(*) AS rec_rows, count_if(userid IS NULL) AS rec_null_users, "
            "count_if(itemid IS NULL) AS rec_null_items, count_if(score IS NULL) AS rec_null_scores, "
            f"count_if(isnan(score::DOUBLE)) AS rec_nan_scores FROM {self._own.all_rec}",
        )

    def _count_repeats(self, rec: Source) -> dict[str, int]:
        """Count the rows of both tables that repeat the user and item of another row."""
        repeats: dict[str, int] = {}
        for name, source, table in (
            ("rec_repeats", rec, self._own.recommendations),
            ("truth_repeats", self._truth, self._own.judgements),
        ):
            repeats |= self._row(
                f"repeats in {source.label}",
                f"coalesce(sum(rows - 1), 0)::BIGINT AS {name} FROM (SELECT count(*) AS rows FROM {table} "
                "WHERE itemid IS NOT NULL GROUP BY userid, itemid HAVING count(*) > 1)",
            )
        return repeats

    def _count_users(self, rec: Source, users: Users) -> dict[str, int]:
        """Count the users of `user_metrics`; an error if the tables have none, or none in common."""
        truth, table = self._truth, self._own.user_metrics
        counts = self._row(
            "users",
            "count_if(judged > 0) AS judged, count_if(retrieved > 0) AS served, "
            "count_if(retrieved = 0 AND judged > 0) AS users_without_rec, "
            f"count_if(judged = 0 AND retrieved > 0) AS users_without_truth FROM {table}",
        )
        judged, served, without = counts.pop("judged"), counts.pop("served"), counts["users_without_rec"]
        for source, users_there, what in ((truth, judged, "relevance"), (rec, served, "score")):
            if not users_there:
                raise self._fail(None, f"no row of {source.label} has a user and a {what} that is a number")
        if judged == without:
            raise self._fail(
                None,
                f"no user of {rec.label} is one of {truth.label}, where they are such as "
                f"{self._examples(table, 'userid', 'judged > 0')}, and in {rec.label} "
                f"{self._examples(table, 'userid', 'retrieved > 0')}",
            )
        return counts | {"users_evaluated": judged - without if users == "both" else judged}

    def _create_segments(self) -> None:
        """Make the table `segments` if there are segments; an error if those of a user differ."""
        own = self._own
        by = [f"by_{place}" for place, _ in enumerate(self._columns.by)]
        if not by:
            return
        one = "min({0}) IS DISTINCT FROM max({0}) OR count({0}) NOT IN (0, count(*))"
        self._run(
            f"users of {self._truth.label}",
            f"CREATE TEMP TABLE {own.segments} AS SELECT userid, "
            f"{', '.join(f'any_value({name}) AS {name}' for name in by)}, "
            f"{' OR '.join(one.format(name) for name in by)} AS several "
            f"FROM {own.judgements} GROUP BY userid",
        )
        found = fetch_one(
            self._con.execute(f"SELECT {_sql_repr('userid')} FROM {own.segments} WHERE several LIMIT 1")
        )
        if found:
            raise self._fail(
                "by",
                f"{', '.join(self._columns.by)} must be the same in all rows of a user of "
                f"{self._truth.label}, and is not for {found[0]}",
            )

    def _examples(self, table: str, column: str, where: str = "true") -> str:
        # Returns the three smallest values of a column, for a message.
        known = f"SELECT DISTINCT {column} AS found FROM {table} WHERE {column} IS NOT NULL AND {where}"
        found = f"{known} ORDER BY found ASC NULLS LAST LIMIT 3"
        shown = self._con.execute(
            f"SELECT {_sql_repr('found')} FROM ({found}) ORDER BY found ASC NULLS LAST"
        ).fetchall()
        return ", ".join(value for (value,) in shown) or "NULL"

    def _row(self, label: str, select: str) -> dict[str, int]:
        # Runs a SELECT that returns one row, and returns its values keyed by the names of the columns.
        cursor = self._run(label, f"SELECT {select}")
        names = [name for name, *_ in cursor.description or ()]
        return dict(zip(names, fetch_one(cursor) or (), strict=True))

    def _create_user_metrics(self, rec: Source, plan: Plan) -> dict[str, int]:
        """Make the table `user_metrics`, and count the rows of both tables.

        Users are hashed into parts. One part at a time is computed, so that its rows fit into half of the
        memory limit.
        """
        own = self._own
        in_one_pass = plan.is_bundled and self._user_of_pass is not None and self._has_by_user()
        if in_one_pass:
            select, tables = plan.select_in_one_pass, (own.all_rec, own.all_truth)
            # The aggregate leaves out a row whose score or relevance is NULL, and so one with NaN.
            score, rel = "nullif(score, 'nan'::DOUBLE)", "nullif(rel, 'nan'::DOUBLE)"
            user = f"{self._user_of_pass} AS userid"
            score = score if self._score_type == "DOUBLE" else "score"
        else:
            select, tables = plan.select_by_group, (own.recommendations, own.judgements)
            user, score, rel = "userid", "score", "rel"
        rows = self._sum_of_both("counting rows", "count(*)", (rec.view, self._truth.view))
        parts = self._part_count(plan, rows, in_one_pass)
        for part in range(parts):
            where = f"WHERE hash(userid) % {parts} = {part}" if parts > 1 else ""
            measured = select(
                f"SELECT {user}, itemid, {score} AS score, NULL::DOUBLE AS rel FROM {tables[0]} {where} "
                f"UNION ALL SELECT {user}, itemid, NULL, {rel} FROM {tables[1]} {where}"
            )
            into = f"INSERT INTO {own.user_metrics}" if part else f"CREATE TEMP TABLE {own.user_metrics} AS"
            of = f" ({part + 1} of {parts})" if parts > 1 else ""
            try:
                self._run(
                    f"metrics of {rec.label}{of}",
                    f"{into} SELECT * REPLACE (userid::{self._user_kind} AS userid), {part} AS part "
                    f"FROM ({measured}) WHERE userid IS NOT NULL",
                )
            except duckdb.InvalidInputException as error:
                found = _native.error_in(str(error))
                if found is None:
                    raise
                where = self._where() if found.kind == "argument" else ""
                raise CallValueError(
                    self._caller, found.argument, *found.parts, where, kind=found.kind
                ) from None
        if in_one_pass:
            return self._counts_of_pass(rec, rows)
        return self._count_rows(rec) | self._count_repeats(rec)

    def _sum_of_both(self, label: str, aggregate: str, tables: tuple[str, str]) -> int:
        # Returns the sum of an aggregate over either table.
        counts = ", ".join(f"(SELECT {aggregate} FROM {table})" for table in tables)
        found: int = sum(fetch_one(self._run(label, f"SELECT {counts}")) or ())
        return found

    def _part_count(self, plan: Plan, rows: int, in_one_pass: bool) -> int:
        """Return how many parts of users there are; each fits into half of the memory limit.

        One pass returns the values of all users of a part in a single list, which takes memory, too.
        """
        width = _NUMBER_BYTES if self._user_type == "BIGINT" else _TEXT_BYTES
        needed, available = rows * width * plan.aggregate_count, self._memory() / 2
        of_user = _RESULT_BYTES * len(plan.ks) if in_one_pass else 0
        # There are no more users than rows. They are counted only if that many might not fit.
        if of_user and needed + rows * of_user > available:
            tables = (self._own.all_rec, self._own.all_truth)
            needed += of_user * self._sum_of_both("counting users", "approx_count_distinct(userid)", tables)
        return max(1, math.ceil(needed / available))

    def _counts_of_pass(self, rec: Source, rows: int) -> dict[str, int]:
        """Return the counts of rows that one pass over all of the `rows` found.

        Rows are counted apart for each table only if something is missing in any of them.
        """
        totals = ", ".join(f"any_value({name}) AS {name}" for name in TOTALS)
        sums = ", ".join(f"coalesce(sum({name}), 0)::BIGINT AS {name}" for name in TOTALS)
        found = self._row(
            "rows", f"{sums} FROM (SELECT {totals} FROM {self._own.user_metrics} GROUP BY part)"
        ) | self._row(
            "repeats",
            "coalesce(sum(retrieved_repeats), 0)::BIGINT AS retrieved, "
            "coalesce(sum(judged_repeats), 0)::BIGINT AS judged, "
            f"count_if(retrieved_repeats IS NULL) AS unknown FROM {self._own.user_metrics}",
        )
        scores, rels = found["rows_with_score"], found["rows_with_rel"]
        if rows == found["rows_with_user"] == found["rows_with_item"] == scores + rels:
            counts = dict.fromkeys(_MISSING, 0) | {"rec_rows": scores, "truth_rows": rels}
        else:
            counts = self._count_rows(rec)
        if found["unknown"]:
            return counts | self._count_repeats(rec)
        return counts | {"rec_repeats": found["retrieved"], "truth_repeats": found["judged"]}

    def _where(self) -> str:
        """Name the user and item of a row that a metric may have refused; empty if none is found."""
        select = f"SELECT {_sql_repr('userid')}, {_sql_repr('itemid')} FROM {self._own.judgements}"
        found = fetch_one(self._con.execute(f"{select} WHERE rel < 0 OR isinf(rel) LIMIT 1")) or fetch_one(
            self._con.execute(f"{select} GROUP BY userid, itemid HAVING min(rel) <> max(rel) LIMIT 1")
        )
        return f" (user {found[0]}, item {found[1]} of {self._truth.label})" if found else ""

    def _check_items(self, rec: Source, plan: Plan, users: Users) -> None:
        """Warn if no metric has a value, if judgements are not graded, or if no item is in both tables."""
        own = self._own
        columns = ", ".join(quote_name(each.column) for each in plan.measures)
        value = f"SELECT 1 FROM {own.user_metrics} WHERE coalesce({columns}) IS NOT NULL LIMIT 1"
        if fetch_one(self._con.execute(value)) is None:
            without = dict.fromkeys(reason_without_value(metric, plan.options) for metric in plan.metrics)
            all_users = f"each user of {self._truth.label} is {', or '.join(without)}"
            warn(self._caller, None, f"no metric has a value: {all_users}")
            return
        self._hint_at_grades(plan, users)
        # AUC and ideal DCG may be above 0 without a hit.
        measures = ", ".join(
            quote_name(each.column) for each in plan.measures if each.metric not in ("auc", "idcg")
        )
        hit = measures and f"SELECT 1 FROM {own.user_metrics} WHERE greatest({measures}) > 0 LIMIT 1"
        common = f"SELECT 1 FROM {own.recommendations} SEMI JOIN {own.judgements} USING (itemid) LIMIT 1"
        if not any(query and fetch_one(self._run("items", query)) for query in (hit, common)):
            one, other = (self._examples(table, "itemid") for table in (own.judgements, own.recommendations))
            warn(
                self._caller,
                None,
                f"no item of {rec.label} is one of {self._truth.label}, where they are such as {one}, and in "
                f"{rec.label} {other}",
            )

    def _memory(self) -> float:
        """Return DuckDB's memory limit in bytes."""
        (text,) = fetch_one(self._con.execute("SELECT current_setting('memory_limit')")) or ("",)
        number, unit = text.split()
        return float(number) * 1024.0 ** _UNITS.index(unit)

    def _has_by_user(self) -> bool:
        """Whether the database has the aggregate of all users, which Python functions cannot provide."""
        return call_if_known(self._con, "rank_evaluation_by_user(1, 1, 1, 1, [1])") is not None

    def _table(self, plan: Plan, users: Users) -> pa.Table:
        # Fetches the metrics of the evaluated users, in ascending order of users.
        own = self._own
        segments = "".join(
            f", by_{place} AS {quote_name(name)}" for place, name in enumerate(self._columns.by)
        )
        measures = ", ".join(quote_name(each.column) for each in plan.measures)
        return self._con.sql(
            f"""
            SELECT userid AS {quote_name(self._columns.user)}{segments}, retrieved, {measures}
            FROM {own.user_metrics} {f"JOIN {own.segments} USING (userid)" if segments else ""}
            {_evaluated(users)}
            ORDER BY {own.user_metrics}.userid ASC NULLS LAST
            """
        ).to_arrow_table()

    def _drop(self) -> None:
        """Drop the temporary tables and views of one table of recommendations; truth stays."""
        for name in (*astuple(self._own), self._reader.own("rec")):
            for kind in ("VIEW", "TABLE"):
                with suppress(duckdb.CatalogException):  # it is of the other kind
                    self._con.execute(f"DROP {kind} IF EXISTS {name}")
        self._con.unregister(self._reader.own("rec"))


def _open_connection(con: duckdb.DuckDBPyConnection | None, closing: ExitStack) -> duckdb.DuckDBPyConnection:
    """Open a working connection, whose temporary tables no other connection sees."""
    if con is None:
        folder = closing.enter_context(tempfile.TemporaryDirectory(prefix="rankdcg_sql_"))
        working = closing.enter_context(open_without_table_macros({"temp_directory": folder}))
    else:
        working = closing.enter_context(con.cursor())
        register_without_table_macros(working)
    # A locked configuration refuses these settings.
    with suppress(duckdb.InvalidInputException):
        # Otherwise DuckDB could take the name of a table for a Python variable of this package.
        working.execute("SET SESSION python_enable_replacements = false")
        # Users are equal only if their texts are the same byte by byte.
        working.execute("SET SESSION default_collation = ''")
    return working


def _evaluated(users: Users) -> str:
    """Write the SQL condition for the users that are evaluated, among those of `user_metrics`."""
    return "WHERE judged > 0 AND retrieved > 0" if users == "both" else "WHERE judged > 0"


def _sql_repr(column: str) -> str:
    """Write SQL that formats a value for messages, with quotes around texts.

    DuckDB formats the value, because not every version can convert values of every type to Python.
    """
    text = f"{column}::VARCHAR"
    is_text = f"typeof({column}) = 'VARCHAR' OR typeof({column}) LIKE 'ENUM%'"
    return f"if({is_text}, concat(chr(39), {text}, chr(39)), {text})"
