"""The two tables on one connection: what is in them, and the metrics of each user."""

from __future__ import annotations

import math
import re
import sys
import tempfile
import warnings
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field, fields
from secrets import token_hex
from typing import TYPE_CHECKING, Any, Literal

import duckdb

from rankdcg_sql.duckdb import connect, register
from rankdcg_sql.evaluation._plan import lacking, needs_grades
from rankdcg_sql.evaluation._progress import Progress
from rankdcg_sql.evaluation._tables import Reader, Source, first, quoted

if TYPE_CHECKING:
    from types import TracebackType

    import pyarrow as pa

    from rankdcg_sql.evaluation._plan import Plan

Users = Literal["truth", "both"]

_NARROW = {"TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER"}
_WHOLE = {*_NARROW, "UBIGINT", "HUGEINT", "UHUGEINT", "DECIMAL"}
_NUMBERS = {*_WHOLE, "FLOAT", "DOUBLE", "BIGNUM"}
#: What a column of relevances may be called.
_RELEVANCES = {"rel", "relevance", "relscore", "grade", "label"}
#: What a row takes at most while users are grouped, with users that are numbers and others.
_NUMBER_BYTES, _TEXT_BYTES = 32, 96
_UNITS = ("bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB")


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
    return [text.format(counting(count, noun)) for count, text in counted if count]


def counting(count: int, noun: str) -> str:
    """Say how many there are."""
    return f"{count:,} {noun}{'s' * (count != 1)}"


@dataclass(frozen=True)
class Columns:
    """What the columns are called: those of users and items in both tables, the others in one."""

    user: str
    item: str
    score: str
    rel: str | None
    by: tuple[str, ...]


@dataclass(frozen=True)
class Measured:
    """The metrics of each user.

    Attributes
    ----------
    table : pyarrow.Table
        The user, the segments, how many recommendations there are, and the measures.
    counts : Counts
        What was met in the tables.
    plan : Plan
        What was computed.
    """

    table: pa.Table
    counts: Counts
    plan: Plan


@dataclass(frozen=True)
class _Tables:
    """What the tables and views are called that are made of both tables.

    The first two have all rows, the next two those that can be used; then there are the users of either, and
    the measures of users.
    """

    all_truth: str
    all_rec: str
    judgements: str
    recommendations: str
    judged: str
    served: str
    measured: str


class Session:
    """A truth table on a working connection, beside which tables of recommendations are held."""

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
                raise TypeError(f"{caller}: con must be a DuckDB connection, got {con!r}")
            self._con = _working(con, closing)
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
            self._told_of_grades = False
            self._closing = closing.pop_all()

    def __enter__(self) -> Session:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._closing.close()

    def measure(self, rec: Any, label: str, plan: Plan, users: Users) -> Measured:
        """Compute the metrics of each user.

        Raises
        ------
        ValueError
            Where a column is missing or of another type than it must be, or holds what it must not.
        """
        source = None
        try:
            source = self._reader.open("rec", rec, label)
            self._name_columns(source)
            plan = plan.of_trec() if source.is_trec else plan
            self._hint_at_min_rel(plan)
            counts = self._count(source, users)
            repeats = self._measure(source, plan, counts["rec_rows"] + counts["truth_rows"])
            self._check_items(source, plan, users)
            table = self._table(plan, users)
            without = {each.column: table[each.column].null_count for each in plan.measures}
            without = {column: number for column, number in without.items() if number}
            found = Counts(**counts, **repeats, users_without_value=without)
            measured = Measured(table, found, plan)
        except duckdb.ConversionException as error:
            if source is not None:
                self._check_digits(source, error)
            raise
        finally:
            self._drop()
        for note in measured.counts.about_rows():
            warn(": ".join([self._caller, *([label] if label != "rec" else []), note]))
        return measured

    def _fail(self, text: str) -> ValueError:
        return ValueError(f"{self._caller}: {text}")

    def _name_columns(self, rec: Source) -> None:
        """Make views of both tables in which columns have our names, and of the rows that can be used."""
        truth, names = self._truth, self._columns
        try:
            user, rec_user = (each.column(names.user, "user") for each in (truth, rec))
            item, rec_item = (each.column(names.item, "item") for each in (truth, rec))
            score = rec.column(names.score, "score")
            rel = names.rel or ("rel" if truth.is_trec else None)
            rel = truth.column(rel, "rel") if rel else None
            by = [truth.column(name, "by") for name in names.by]
        except ValueError as error:
            swapped = truth.has(names.score) and not rec.has(names.score)
            hint = f"; {truth.label} has one: are the two swapped?" if swapped else ""
            raise self._fail(f"{error}{hint}") from None
        self._check_number(rec, score, "a number", _NUMBERS)
        if rel:
            self._check_number(truth, rel, "a number or a boolean", {*_NUMBERS, "BOOLEAN"})
        self._check_ids(rec, user, rec_user)
        self._check_ids(rec, item, rec_item)
        self._user_type = _common_type(truth.types[user], rec.types[rec_user])
        kind = self._user_type or self._type_of_both(rec, user, rec_user)
        self._hint_at_rel(rel)
        own = self._own
        segments = "".join(
            f", {_exact(name, truth.types[name])} AS by_{place}" for place, name in enumerate(by)
        )
        self._con.execute(
            f"""
            CREATE TEMP VIEW {own.all_truth} AS
            SELECT {_exact(user, kind)} AS userid, {_exact(item, truth.types[item])} AS itemid,
                {quoted(rel) if rel else "1.0"}::DOUBLE AS rel{segments}
            FROM {truth.view};
            CREATE TEMP VIEW {own.all_rec} AS
            SELECT {_exact(rec_user, kind)} AS userid, {_exact(rec_item, rec.types[rec_item])} AS itemid,
                {self._score(rec, score)} AS score
            FROM {rec.view};
            CREATE TEMP VIEW {own.judgements} AS
            FROM {own.all_truth} WHERE userid IS NOT NULL AND rel IS NOT NULL AND NOT isnan(rel);
            CREATE TEMP VIEW {own.recommendations} AS
            FROM {own.all_rec} WHERE userid IS NOT NULL AND score IS NOT NULL AND NOT isnan(score::DOUBLE);
            """
        )

    def _type_of_both(self, rec: Source, column: str, rec_column: str) -> str:
        """The type of all values of both: equal ones of different types would have different hashes."""
        one, other = f"{quoted(column)} FROM {self._truth.view}", f"{quoted(rec_column)} FROM {rec.view}"
        return str(self._con.execute(f"DESCRIBE SELECT {one} UNION ALL SELECT {other}").fetchall()[0][1])

    def _score(self, rec: Source, score: str) -> str:
        """The scores in a type that the functions rank exactly."""
        name = quoted(score)
        return name if _base(rec.types[score]) in _WHOLE - _NARROW | {"BIGINT"} else f"{name}::DOUBLE"

    def _hint_at_rel(self, rel: str | None) -> None:
        """Warn where relevances may have been forgotten."""
        names = [name for name, kind in self._truth.types.items() if _base(kind) in {*_NUMBERS, "BOOLEAN"}]
        forgotten = next((name for name in names if name.lower() in _RELEVANCES), None)
        if rel is None and forgotten:
            warn(
                f"{self._caller}: {self._truth.label} has a column {forgotten!r}, but no rel={forgotten!r} "
                "is given: each of its rows counts as relevant"
            )

    def _hint_at_min_rel(self, plan: Plan) -> None:
        """Warn where relevances were forgotten that options are about."""
        if "min_rel" in plan.options and self._columns.rel is None and not self._truth.is_trec:
            warn(
                f"{self._caller}: min_rel={plan.options['min_rel']} is about relevances, but no rel= names "
                f"their column in {self._truth.label}: each of its rows has relevance 1"
            )

    def _hint_at_grades(self, plan: Plan, users: Users) -> None:
        """Warn where most users have a truth of which some metric can tell nothing."""
        metrics = [metric for metric in plan.metrics if needs_grades(metric)]
        if not metrics or self._told_of_grades:
            return
        own = self._own
        both = f"SEMI JOIN {own.served} USING (userid)" if users == "both" else ""
        found = self._row(
            "grades", f"count_if(NOT graded) AS flat, count(*) AS users FROM {own.judged} {both}"
        )
        if found["flat"] * 2 > found["users"]:
            self._told_of_grades = True
            warn(
                f"{self._caller}: {', '.join(metrics)} needs graded truth: {found['flat']:,} of "
                f"{counting(found['users'], 'user')} have fewer than two distinct relevances in "
                f"{self._truth.label}. Such a user has no value, unless an item of another relevance is "
                "retrieved: means of systems may be over different users"
            )

    def _check_number(self, source: Source, column: str, what: str, kinds: set[str]) -> None:
        kind = source.types[column]
        if _base(kind) not in kinds:
            raise self._fail(f"{column} of {source.label} must be {what}, got {kind}")

    def _check_ids(self, rec: Source, column: str, rec_column: str) -> None:
        one, other = self._truth.types[column], rec.types[rec_column]
        # Of HUGEINT and UHUGEINT together, DuckDB makes DOUBLE, in which different ids are equal.
        common = _base(self._type_of_both(rec, column, rec_column)) if one != other else one
        if _family(one) != _family(other) or (_family(one) == "whole" and common == "DOUBLE"):
            raise self._unlike(rec, column, rec_column, "they cannot be compared")

    def _unlike(self, rec: Source, column: str, rec_column: str, why: str) -> ValueError:
        one, other = self._truth.types[column], rec.types[rec_column]
        return self._fail(
            f"{column} of {self._truth.label} is {one}, {rec_column} of {rec.label} is {other}, and {why}: "
            f'cast one, as in the query "SELECT * REPLACE ({rec_column}::{one} AS {rec_column}) FROM ..." in '
            "place of the table"
        )

    def _check_digits(self, rec: Source, error: duckdb.ConversionException) -> None:
        """Raise an error that names columns of ids if a type of both has too few digits for some value."""
        for name in (self._columns.user, self._columns.item):
            column, rec_column = self._truth.column(name, ""), rec.column(name, "")
            common = self._type_of_both(rec, column, rec_column)
            for source, of in ((self._truth, column), (rec, rec_column)):
                fails = f"{quoted(of)} IS NOT NULL AND try_cast({quoted(of)} AS {common}) IS NULL"
                if first(self._con.execute(f"SELECT 1 FROM {source.view} WHERE {fails} LIMIT 1")):
                    why = f"the type of both, {common}, has too few digits for some of {source.label}"
                    raise self._unlike(rec, column, rec_column, why) from error

    def _count(self, rec: Source, users: Users) -> dict[str, int]:
        """Count rows and users, and make tables of the users."""
        truth, own = self._truth, self._own
        by = [f"by_{place}" for place, _ in enumerate(self._columns.by)]
        one = "min({0}) IS DISTINCT FROM max({0}) OR count({0}) NOT IN (0, count(*))"
        several = " OR ".join(one.format(name) for name in by) or "false"
        kept = "".join(f", any_value({name}) AS {name}" for name in by)
        counts = self._row(
            f"counting rows of {truth.label}",
            "count(*) AS truth_rows, count_if(userid IS NULL) AS truth_null_users, "
            "count_if(itemid IS NULL) AS truth_null_items, count_if(rel IS NULL) AS truth_null_rels, "
            f"count_if(isnan(rel)) AS truth_nan_rels FROM {own.all_truth}",
        ) | self._row(
            f"counting rows of {rec.label}",
            "count(*) AS rec_rows, count_if(userid IS NULL) AS rec_null_users, "
            "count_if(itemid IS NULL) AS rec_null_items, count_if(score IS NULL) AS rec_null_scores, "
            f"count_if(isnan(score::DOUBLE)) AS rec_nan_scores FROM {own.all_rec}",
        )
        self._run(
            f"users of {truth.label}",
            f"CREATE TEMP TABLE {own.judged} AS SELECT userid{kept}, {several} AS several, "
            "coalesce(min(rel) < max(rel), false) AS graded "
            f"FROM {own.judgements} GROUP BY userid",
        )
        self._run(
            f"users of {rec.label}",
            f"CREATE TEMP TABLE {own.served} AS SELECT userid, count(*) AS recommendations "
            f"FROM {own.recommendations} GROUP BY userid",
        )
        found = first(self._con.execute(f"SELECT {_shown('userid')} FROM {own.judged} WHERE several LIMIT 1"))
        if found:
            raise self._fail(
                f"{', '.join(self._columns.by)} must be the same in all rows of a user of {truth.label}, "
                f"and is not for {found[0]}"
            )
        counts |= self._row(
            "users",
            f"count({own.judged}.userid) AS judged, "
            f"count({own.served}.userid) AS served, "
            f"count_if({own.served}.userid IS NULL) AS users_without_rec, "
            f"count_if({own.judged}.userid IS NULL) AS users_without_truth "
            f"FROM {own.judged} FULL JOIN {own.served} USING (userid)",
        )
        judged, served, without = counts.pop("judged"), counts.pop("served"), counts["users_without_rec"]
        for table, users_there, what in ((truth, judged, "relevance"), (rec, served, "score")):
            if not users_there:
                raise self._fail(f"no row of {table.label} has a user and a {what} that is a number")
        if judged == without:
            raise self._fail(
                f"no user of {rec.label} is one of {truth.label}, where they are such as "
                f"{self._examples(own.judged, 'userid')}, and in {rec.label} "
                f"{self._examples(own.served, 'userid')}"
            )
        return counts | {"users_evaluated": judged - without if users == "both" else judged}

    def _examples(self, table: str, column: str) -> str:
        known = f"SELECT DISTINCT {column} AS found FROM {table} WHERE {column} IS NOT NULL"
        found = f"{known} ORDER BY found ASC NULLS LAST LIMIT 3"
        shown = self._con.execute(
            f"SELECT {_shown('found')} FROM ({found}) ORDER BY found ASC NULLS LAST"
        ).fetchall()
        return ", ".join(value for (value,) in shown) or "NULL"

    def _row(self, label: str, select: str) -> dict[str, int]:
        cursor = self._run(label, f"SELECT {select}")
        names = [name for name, *_ in cursor.description or ()]
        return dict(zip(names, first(cursor) or (), strict=True))

    def _measure(self, rec: Source, plan: Plan, rows: int) -> dict[str, int]:
        """Make the table of measures, of as many users at a time as memory has room for; count repeats."""
        own = self._own
        width = _NUMBER_BYTES if self._user_type == "BIGINT" else _TEXT_BYTES
        parts = math.ceil(rows * width * plan.passes / (self._memory() / 2))
        by_user = plan.together and self._user_type is not None and self._has_by_user()
        repeats = {"rec_repeats": 0, "truth_repeats": 0}
        for part in range(parts):
            where = f"WHERE hash(userid) % {parts} = {part}" if parts > 1 else ""
            rows_of_part = (
                f"SELECT userid, itemid, score, NULL::DOUBLE AS rel FROM {own.recommendations} {where} "
                f"UNION ALL SELECT userid, itemid, NULL, rel FROM {own.judgements} {where}"
            )
            measured = (plan.over_users if by_user else plan.over_groups)(rows_of_part)
            into = f"INSERT INTO {own.measured}" if part else f"CREATE TEMP TABLE {own.measured} AS"
            of = f" ({part + 1} of {parts})" if parts > 1 else ""
            try:
                self._run(f"metrics of {rec.label}{of}", f"{into} {measured}")
            except duckdb.InvalidInputException as error:
                # What a metric says of its arguments comes behind its name.
                found = re.search(r"\brank_metrics\w*: (.*)|\b\w+_rows: (.*)", str(error))
                if found is None:
                    raise
                raise self._fail((found[1] or found[2]) + self._where()) from None
            for name, table in (("rec_repeats", own.recommendations), ("truth_repeats", own.judgements)):
                repeats[name] += self._row(
                    f"repeats in {name.partition('_')[0]}{of}",
                    "coalesce(sum(rows - 1), 0)::BIGINT AS found FROM (SELECT count(*) AS rows "
                    f"FROM {table} {where or 'WHERE true'} AND itemid IS NOT NULL "
                    "GROUP BY userid, itemid HAVING count(*) > 1)",
                )["found"]
        return repeats

    def _where(self) -> str:
        """Say which row a metric may have found wrong."""
        select = f"SELECT {_shown('userid')}, {_shown('itemid')} FROM {self._own.judgements}"
        found = first(self._con.execute(f"{select} WHERE rel < 0 OR isinf(rel) LIMIT 1")) or first(
            self._con.execute(f"{select} GROUP BY userid, itemid HAVING min(rel) <> max(rel) LIMIT 1")
        )
        return f" (user {found[0]}, item {found[1]} of {self._truth.label})" if found else ""

    def _check_items(self, rec: Source, plan: Plan, users: Users) -> None:
        """Warn where nothing is ever found because items are not the same ones, or nothing is relevant."""
        own = self._own
        columns = ", ".join(quoted(each.column) for each in plan.measures)
        value = f"SELECT 1 FROM {own.measured} WHERE coalesce({columns}) IS NOT NULL LIMIT 1"
        if first(self._con.execute(value)) is None:
            without = dict.fromkeys(lacking(metric, plan.options) for metric in plan.metrics)
            all_users = f"each user of {self._truth.label} is {', or '.join(without)}"
            warn(f"{self._caller}: no metric has a value: {all_users}")
            return
        self._hint_at_grades(plan, users)
        # These are what they are without a hit.
        measures = ", ".join(
            quoted(each.column) for each in plan.measures if each.metric not in ("auc", "idcg")
        )
        hit = measures and f"SELECT 1 FROM {own.measured} WHERE greatest({measures}) > 0 LIMIT 1"
        common = f"SELECT 1 FROM {own.recommendations} SEMI JOIN {own.judgements} USING (itemid) LIMIT 1"
        if not any(query and first(self._run("items", query)) for query in (hit, common)):
            one, other = (self._examples(table, "itemid") for table in (own.judgements, own.recommendations))
            warn(
                f"{self._caller}: no item of {rec.label} is one of {self._truth.label}, where they are such "
                f"as {one}, and in {rec.label} {other}"
            )

    def _memory(self) -> float:
        """What DuckDB may take, in bytes."""
        (text,) = first(self._con.execute("SELECT current_setting('memory_limit')")) or ("",)
        number, unit = text.split()
        return float(number) * 1024.0 ** _UNITS.index(unit)

    def _has_by_user(self) -> bool:
        return first(
            self._con.execute(
                "SELECT count(DISTINCT function_name) FROM duckdb_functions() "
                "WHERE function_name = 'rank_metrics_at_by_user' AND database_name = 'system'"
            )
        ) == (1,)

    def _table(self, plan: Plan, users: Users) -> pa.Table:
        own = self._own
        names = {f"{own.judged}.userid": self._columns.user} | {
            f"by_{place}": name for place, name in enumerate(self._columns.by)
        }
        columns = ", ".join(f"{column} AS {quoted(name)}" for column, name in names.items())
        measures = ", ".join(quoted(each.column) for each in plan.measures)
        return self._con.sql(
            f"""
            SELECT {columns}, coalesce(recommendations, 0) AS recommendations, {measures}
            FROM {own.judged} JOIN {own.measured} USING (userid)
                {"LEFT" if users == "truth" else ""} JOIN {own.served} USING (userid)
            ORDER BY {own.judged}.userid ASC NULLS LAST
            """
        ).to_arrow_table()

    def _drop(self) -> None:
        """Drop what belongs to one table of recommendations."""
        kinds = dict(
            self._con.execute(
                "SELECT view_name, 'VIEW' FROM duckdb_views() WHERE temporary UNION ALL "
                "SELECT table_name, 'TABLE' FROM duckdb_tables() WHERE temporary"
            ).fetchall()
        )
        for name, kind in kinds.items():
            if name.startswith(self._reader.prefix) and name != self._truth.view:
                self._con.execute(f"DROP {kind} {name}")
        self._con.unregister(self._reader.own("rec"))


def warn(text: str) -> None:
    """Warn those who called the package."""
    frame, depth = sys._getframe(), 1
    while frame.f_back and frame.f_globals.get("__name__", "").startswith("rankdcg_sql."):
        frame, depth = frame.f_back, depth + 1
    warnings.warn(text, DataWarning, stacklevel=depth)


def _working(con: duckdb.DuckDBPyConnection | None, closing: ExitStack) -> duckdb.DuckDBPyConnection:
    """Open a connection whose temporary tables nobody else sees."""
    if con is None:
        folder = closing.enter_context(tempfile.TemporaryDirectory(prefix="rankdcg_sql_"))
        working = closing.enter_context(connect(config={"temp_directory": folder}))
    else:
        working = closing.enter_context(con.cursor())
        register(working)
    # Else names of tables could be taken for variables of ours; a configuration may be locked.
    with suppress(duckdb.InvalidInputException):
        working.execute("SET SESSION python_enable_replacements = false")
        # Users whose texts differ are different ones.
        working.execute("SET SESSION default_collation = ''")
    return working


def _shown(column: str) -> str:
    """Write a value as messages have it, in SQL: not all types come to Python everywhere."""
    text = f"{column}::VARCHAR"
    is_text = f"typeof({column}) = 'VARCHAR' OR typeof({column}) LIKE 'ENUM%'"
    return f"if({is_text}, concat(chr(39), {text}, chr(39)), {text})"


def _exact(column: str, kind: str) -> str:
    """Write a column of a type in SQL, where texts are equal only if all their letters are.

    The setting ``default_collation``, or that of a table, may say otherwise, and the metrics do not ask it.
    """
    collated = ' COLLATE "binary"' if kind == "VARCHAR" else ""
    return f"{quoted(column)}::{kind}{collated}"


def _base(kind: str) -> str:
    """The name of a type without what it is of; of lists, all of it."""
    return kind if kind.endswith("]") else kind.partition("(")[0]


def _family(kind: str) -> str:
    """Types whose values can be equal."""
    base = _base(kind)
    if base in _WHOLE:
        return "whole"
    return {"ENUM": "VARCHAR", "FLOAT": "DOUBLE"}.get(base, kind)


def _common_type(*kinds: str) -> Literal["BIGINT", "VARCHAR"] | None:
    """The type in which users of all these types can be grouped at once, if there is one."""
    if all(kind in _NARROW for kind in kinds):
        return "BIGINT"
    return "VARCHAR" if all(_family(kind) == "VARCHAR" for kind in kinds) else None
