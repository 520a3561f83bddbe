"""The columns of truth, rec and segments, found by name and checked, and the rows of both as SQL."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from typing import TYPE_CHECKING

from rankdcg_sql._arguments import IdColumns
from rankdcg_sql._errors import Argument, CallError, CallValueError
from rankdcg_sql._sql import column_types, fetch_one, is_nan, quote_name, repr_in_sql
from rankdcg_sql.evaluation._tables.files import FORMATS
from rankdcg_sql.evaluation._tables.types import (
    BIGINT_OR_SMALLER,
    EXACT_NUMBERS,
    NUMBERS,
    SAME_AFTER_TEXT,
    base_type,
    exact_column,
    grouping_type,
    type_family,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import duckdb

#: A measure such as ``novelty(of=share)`` cannot name a column that has one of these.
_NOT_IN_NAMES = re.compile(r"[,()]|^\s|\s$")


@dataclass(frozen=True)
class Source:
    """A table or view on the working connection."""

    #: Whether it has judgements (``truth``), recommendations (``rec``), the segments of users (``segments``),
    #: or the properties of items (``items``).
    role: str
    #: Its name in messages.
    label: str
    #: Its name on the connection.
    view: str
    #: The SQL type of each column of the table that was given, keyed by the column's name.
    types: dict[str, str]
    #: The number of its rows.
    rows: int
    #: Whether it was read from a TREC file. Its columns then have the names that the caller gave for them.
    is_trec: bool = False
    #: The column of relevances, if the format says that there is one, otherwise None.
    rel: str | None = None
    #: The types as Spark writes them, keyed by the column's name, if the table is on Spark, otherwise None.
    spark_types: dict[str, str] | None = None

    def column(
        self, argument: str, name: str, other: Source | None = None, spelling: str | None = None
    ) -> str:
        """Return a column's name as the table writes it; `name` may differ from it in case.

        The error tells the caller to name another column with `argument`; or for users and items, which the
        `other` table has, too, with the argument for this table alone; or as in `spelling`, with ``{}`` for
        the name. It does not say the called function.
        """
        for column in self.types:
            if column.lower() == name.lower():
                return column
        near = get_close_matches(name.lower(), [column.lower() for column in self.types], n=1)
        misread = _how_misread([*self.types])
        has_own = self.role in ("truth", "rec") and argument in ("user", "item")
        own = f"{self.role}_{argument}" if other and has_own else argument
        is_third = (self.role, argument) == ("segments", "user") or (
            (self.role, argument) == ("items", "item") and other is not None and other.has(name)
        )
        hint: tuple[str | Argument, ...]
        if misread:
            hint = (f"; {misread}",)
        elif is_third:  # truth and rec, which have the column, have arguments of their own
            of_truth, of_rec = (Argument(f"{role}_{argument}") for role in ("truth", "rec"))
            others = "=, and those of truth and rec with ", of_truth, "= and ", of_rec, "="
            hint = ("; name the right one with ", Argument(argument), *others)
        elif spelling and near and not _NOT_IN_NAMES.search(near[0]):
            hint = (f"; did you mean {spelling.format(near[0])!r}?",)
        elif spelling:
            hint = (f"; name another one as in {spelling.format('...')!r}",)
        elif near:
            is_of_both = other and other.has(near[0])
            hint = ("; did you mean ", Argument(argument if is_of_both else own, near[0]), "?")
        elif own == argument or (other and other.has(name)):
            hint = ("; name the right one with ", Argument(own), "=")
        else:
            alone = f"=, or that of {self.label} alone with "
            hint = ("; name the right one with ", Argument(argument), alone, Argument(own), "=")
        missing = f"{self.label} has no column {name!r}, but {', '.join(self.types)}"
        raise CallValueError(None, argument, missing, *hint)

    def first_column(self, argument: str, names: Sequence[str], other: Source | None = None) -> str:
        """Return the column that has the first of these names that the table has, as `column` does."""
        return self.column(argument, next(filter(self.has, names), names[0]), other)

    def shown_type(self, column: str) -> str:
        """Return the type of a column as the engine of the table writes it."""
        return (self.spark_types or self.types)[column]

    def has(self, name: str) -> bool:
        """Whether there is a column of this name, in any case."""
        return name.lower() in map(str.lower, self.types)


def argument_of(caller: str, role: str) -> str:
    """Return the argument of the called function that has the tables of a role."""
    return "recs" if (caller, role) == ("compare", "rec") else role


def _how_misread(columns: list[str]) -> str:
    """Say what seems wrong with a file of which these names of columns were read; empty if nothing does."""
    if len(columns) == 1 and len(columns[0].split()) in {len(fields) for _, fields in FORMATS.values()}:
        return "it looks like a TREC file: let its name end with .txt"
    if all(re.fullmatch(r"column\d+", column) for column in columns):
        return "it has no line of names: add one, or if it is a TREC file, let its name end with .txt"
    if len(columns) == 1 and any(separator in columns[0] for separator in ",;\t|"):
        return "its lines could not be divided into columns: do all of them have as many as the first?"
    return ""


@dataclass(frozen=True)
class TruthAndRec:
    """Truth and one table of recommendations, on the working connection of a call."""

    #: The called function, which errors and warnings name.
    caller: str
    #: The working connection.
    con: duckdb.DuckDBPyConnection
    #: Runs a statement on `con` that may take long. Its arguments are a label for the progress bar, and the
    #: statement.
    run: Callable[[str, str], duckdb.DuckDBPyConnection]
    #: The judgements.
    truth: Source
    #: The recommendations.
    rec: Source
    #: The segments of users, if they have a table of their own.
    segments: Source | None = None

    def common_type(self, column: str, rec_column: str) -> str:
        """Return the type to which DuckDB casts a column of truth and one of rec beside each other."""
        one = f"{quote_name(column)} FROM {self.truth.view}"
        other = f"{quote_name(rec_column)} FROM {self.rec.view}"
        (common,) = column_types(self.con, f"(SELECT {one} UNION ALL SELECT {other})").values()
        return common

    def numbers(self, label: str, select: str) -> dict[str, int]:
        """Run a SELECT that returns one row of numbers, and return them keyed by the names of the columns."""
        cursor = self.run(label, f"SELECT {select}")
        names = [name for name, *_ in cursor.description or ()]
        return dict(zip(names, fetch_one(cursor) or (), strict=True))

    def nothing_in_common(self, what: str, source: Source, rows: str, other: Source, other_rows: str) -> str:
        """Say that no user or item (`what`) of `source` is in `other`, with the three smallest of each."""
        there, here = (self.examples(table, f"{what}id") for table in (other_rows, rows))
        alone = f"no {what} of {source.label} is one of {other.label}"
        return f"{alone}, where they are such as {there}, and in {source.label} {here}"

    def examples(self, rows: str, column: str) -> str:
        """List the three smallest different values of a column; ``NULL`` if there is none."""
        distinct = f"SELECT DISTINCT {column} AS example FROM {rows} WHERE {column} IS NOT NULL"
        smallest = f"{distinct} ORDER BY example ASC NULLS LAST LIMIT 3"
        examples = self.con.execute(
            f"SELECT {repr_in_sql('example')} FROM ({smallest}) ORDER BY example ASC NULLS LAST"
        ).fetchall()
        return ", ".join(example for (example,) in examples) or "NULL"


#: The values that a column must have, by argument: in words, and as types.
VALUES = {
    **dict.fromkeys(("score", "weight"), ("a number", NUMBERS)),
    "rel": ("a number or a boolean", {*NUMBERS, "BOOLEAN"}),
}
#: The types whose values may be NaN.
_FLOATING = {"FLOAT", "DOUBLE"}


@dataclass(frozen=True, kw_only=True)
class Columns(IdColumns):
    """The names of the columns that are read, as the caller gave them."""

    #: The column of scores, in rec.
    score: str
    #: The column of relevances, in truth; None if every row of truth is relevant.
    rel: str | None
    #: The columns of segments.
    by: tuple[str, ...]
    #: The column of aspects, in truth; None if items have none.
    aspect: str | None = None
    #: The column of weights of users; None if all count alike.
    weight: str | None = None
    #: The columns of items with the properties that measures read, as `Plan.properties` has them.
    properties: dict[str, str] = field(default_factory=dict)
    #: Those of these columns in which measures read numbers.
    numbers_of_items: list[str] = field(default_factory=list)
    #: The columns of the offsets of spans and chunks; None if items are no documents.
    spans: tuple[str, ...] | None = None
    #: When a chunk finds a span: ``any``, ``best`` or the least share of the span.
    overlap: str | float = "any"

    @property
    def of_users(self) -> list[tuple[str, str]]:
        """The argument and the name of each column that is about users: the segments, then the weight."""
        weights = [("weight", self.weight)] if self.weight is not None else []
        return [*(("by", name) for name in self.by), *weights]

    def name(self, role: str, what: str) -> str:
        """Return the name of the column of users or items (`what`) in a table, ``truth`` or ``rec``."""
        _, name = self.of(role, what)
        return str(name)

    @property
    def of_results(self) -> str:
        """The name of the column of users in results: that of truth."""
        return self.name("truth", "user")

    @property
    def users(self) -> tuple[str, ...]:
        """The names of columns of users, the one of every table first."""
        return tuple(filter(None, (self.user, self.truth_user, self.rec_user)))

    @property
    def items(self) -> tuple[str, ...]:
        """The names of columns of items, the one of every table first."""
        return tuple(filter(None, (self.item, self.truth_item, self.rec_item)))

    def read_from(self, role: str) -> tuple[str, ...]:
        """Return the names of the columns that may be read from a table, the one of users first.

        A file of qrels or of a run has columns without names, which get these in their order.
        """
        about_users = [name for _, name in self.of_users]
        if role == "segments":
            return (self.user, *about_users)
        if role == "items":
            return (*self.items, *self.properties)
        value = (self.rel or "rel") if role == "truth" else self.score
        aspect = (self.aspect,) if role == "truth" and self.aspect else ()
        spans = self.spans or ()
        return (self.name(role, "user"), self.name(role, "item"), value, *aspect, *about_users, *spans)


@dataclass(frozen=True)
class FoundColumns:
    """The columns of both tables as the tables write them, and the types in which they are read."""

    #: The column of users of truth.
    user: str
    #: The column of users of rec.
    rec_user: str
    #: The column of items of truth.
    item: str
    #: The column of items of rec.
    rec_item: str
    #: The column of scores, in rec.
    score: str
    #: The column of relevances, in truth; None if every row of truth is relevant.
    rel: str | None
    #: The column of aspects, in truth; None if items have none.
    aspect: str | None
    #: The columns of segments.
    by: tuple[str, ...]
    #: The column of weights of users; None if all count alike.
    weight: str | None
    #: The table that has these columns.
    by_source: Source
    #: The column of users in that table.
    by_user: str
    #: The SQL type of users: one by which one aggregate can group all, or the common type of both tables.
    user_type: str
    #: The SQL type of scores: DOUBLE, or the column's own type if DOUBLE could make different scores equal.
    score_type: str
    #: Whether scores may be NaN.
    score_has_nan: bool
    #: Whether relevances may be NaN.
    rel_has_nan: bool

    @property
    def of_users(self) -> tuple[str, ...]:
        """The columns of segments, then that of weights."""
        return (*self.by, *([] if self.weight is None else [self.weight]))

    @property
    def grouped_user(self) -> str | None:
        """SQL for the user in the form by which the aggregate over all users groups.

        It reads a column ``userid`` of type `user_type`. None if equal users might differ in that form.
        """
        if self.user_type in ("BIGINT", "VARCHAR"):
            return "userid"
        return "userid::VARCHAR" if base_type(self.user_type) in SAME_AFTER_TEXT else None


def find_columns(tables: TruthAndRec, names: Columns) -> FoundColumns:
    """Find the columns of both tables, and raise an error if one is missing or has a wrong type."""
    truth, rec = tables.truth, tables.rec
    try:
        # `of` returns the argument and the name, with which `column` looks for the column.
        (user, rec_user), (item, rec_item) = (
            (truth.column(*names.of("truth", what), rec), rec.column(*names.of("rec", what), truth))
            for what in ("user", "item")
        )
        _check_no_lists(truth, item, names.rel)
        _check_no_lists(rec, rec_item, names.score)
        score = rec.column("score", names.score)
        rel = names.rel or truth.rel
        rel = truth.column("rel", rel) if rel else None
        aspect = truth.column("aspect", names.aspect) if names.aspect else None
        by_source = _source_of_segments(tables, names)
        by = tuple(by_source.column("by", name) for name in names.by)
        weight = None if names.weight is None else by_source.column("weight", names.weight)
        # A table of segments has its users under any of the names that the caller gave.
        by_user = {"truth": user, "rec": rec_user}.get(by_source.role) or by_source.first_column(
            "user", names.users
        )
    except CallError as error:
        swapped = truth.has(names.score) and not rec.has(names.score)
        scored = f"{truth.label} has the column {names.score!r}, and {rec.label} has not"
        hint = f"; {scored}: are the two swapped?" if swapped else ""
        raise CallValueError(tables.caller, error.argument, *error.parts, hint) from None
    _check_type(tables, "score", rec, score)
    if rel:
        _check_type(tables, "rel", truth, rel)
    if weight:
        _check_type(tables, "weight", by_source, weight)
    _check_ids(tables, user, rec_user)
    _check_ids(tables, item, rec_item)
    _check_ids(replace(tables, rec=by_source), user, by_user)  # segments are joined by users, too
    user_type = grouping_type(truth.types[user], rec.types[rec_user])
    # Integers of up to 32 bits are exact in DOUBLE, so only the other exact types keep their own.
    is_exact = base_type(rec.types[score]) in (EXACT_NUMBERS - BIGINT_OR_SMALLER) | {"BIGINT"}
    return FoundColumns(
        user=user,
        rec_user=rec_user,
        item=item,
        rec_item=rec_item,
        score=score,
        rel=rel,
        aspect=aspect,
        by=by,
        weight=weight,
        by_source=by_source,
        by_user=by_user,
        user_type=user_type or tables.common_type(user, rec_user),
        score_type=rec.types[score] if is_exact else "DOUBLE",
        score_has_nan=rec.types[score] in _FLOATING,
        rel_has_nan=rel is not None and truth.types[rel] in _FLOATING,
    )


def check_digits(tables: TruthAndRec, columns: FoundColumns, error: duckdb.ConversionException) -> None:
    """Raise an error that names the columns of ids if their common type has too few digits.

    `error` is DuckDB's error, and becomes the cause.
    """
    for column, rec_column in ((columns.user, columns.rec_user), (columns.item, columns.rec_item)):
        common = tables.common_type(column, rec_column)
        for source, name in ((tables.truth, column), (tables.rec, rec_column)):
            if _first(tables, source, name, _no_cast(name, common)) is not None:
                why = f"the type of both, {common}, has too few digits for some of {source.label}"
                raise mismatch_error(tables, column, rec_column, why) from error


def _check_type(tables: TruthAndRec, argument: str, source: Source, column: str) -> None:
    """Raise an error if a column of values has no numbers. It quotes the first text that is none."""
    what, kinds = VALUES[argument]
    kind = source.types[column]
    if base_type(kind) in kinds:
        return
    if _first(tables, source, column, "true") is None:
        raise CallValueError(tables.caller, argument, f"{column} of {source.label} has no value but NULL")
    got = source.shown_type(column)
    if kind == "VARCHAR":
        no_number = f"({_no_cast(column, 'DOUBLE')} OR contains({quote_name(column)}, '_'))"
        text = _first(tables, source, column, no_number)
        got = (
            f"texts such as {text[:80]!r}" if text is not None else "texts that are numbers: cast the column"
        )
    raise CallValueError(tables.caller, argument, f"{column} of {source.label} must be {what}, got {got}")


def _source_of_segments(tables: TruthAndRec, names: Columns) -> Source:
    """Return the table with the columns of users: one of their own, rec if it alone has all, or truth."""
    if tables.segments:
        return tables.segments
    about_users = [name for _, name in names.of_users]
    if all(map(tables.truth.has, about_users)) or not all(map(tables.rec.has, about_users)):
        return tables.truth
    if tables.caller == "compare":
        argument, _ = names.of_users[0]
        what = "segments" if names.by else "weight"
        raise CallValueError(
            None,
            argument,
            f"{tables.truth.label} lacks a column of {', '.join(about_users)}, and the {what} of a user may "
            "differ between the tables of systems: give a table of users with ",
            Argument("segments"),
        )
    return tables.rec


def _check_no_lists(source: Source, item: str, value: str | None) -> None:
    """Raise an error if a row has a list of items. It says how to divide the row, and the values with it."""
    if not source.types[item].endswith("]"):
        return
    list_columns = {name.lower(): name for name, kind in source.types.items() if kind.endswith("]")}
    divided = dict.fromkeys([item, list_columns.get((value or "").lower(), item)])
    unnested = ", ".join(f"unnest({quote_name(name)}) AS {quote_name(name)}" for name in divided)
    ranks = ""
    if source.role == "rec" and value and not source.has(value):  # the lists are in ranked order
        ranks = f", -unnest(generate_series(1, len({quote_name(item)}))) AS {quote_name(value)}"
    in_duckdb = f", or with a query in place of the table: SELECT * REPLACE ({unnested}){ranks} FROM ..."
    raise CallValueError(
        None,
        "item",
        f"{item} of {source.label} is {source.shown_type(item)}, and must be one item: a row for each, in a "
        f"data frame by explode{'' if source.spark_types else in_duckdb}",
    )


def _first(tables: TruthAndRec, source: Source, column: str, condition: str) -> str | None:
    """Return the first value of a column that is not NULL and meets a condition, as text, or None."""
    name = quote_name(column)
    query = f"SELECT {name}::VARCHAR FROM {source.view} WHERE {name} IS NOT NULL AND {condition} LIMIT 1"
    row = fetch_one(tables.con.execute(query))
    return row[0] if row else None


def _no_cast(column: str, kind: str) -> str:
    """Write the condition that a value of a column cannot be cast to the type `kind`."""
    return f"try_cast({quote_name(column)} AS {kind}) IS NULL"


def _check_ids(tables: TruthAndRec, column: str, rec_column: str) -> None:
    """Raise an error if the ids of the two tables cannot be compared exactly."""
    one, other = tables.truth.types[column], tables.rec.types[rec_column]
    # DuckDB casts HUGEINT beside UHUGEINT to DOUBLE, in which different ids may become equal.
    common = base_type(tables.common_type(column, rec_column)) if one != other else one
    if type_family(one) != type_family(other) or (type_family(one) == "exact" and common == "DOUBLE"):
        raise mismatch_error(tables, column, rec_column, "they cannot be compared")


def mismatch_error(tables: TruthAndRec, column: str, rec_column: str, why: str) -> CallValueError:
    """Return the error about ids whose types do not match. It says which column to cast to which type."""
    truth, rec = tables.truth, tables.rec
    one, other = truth.types[column], rec.types[rec_column]
    # Every type can be cast to text, and the ids of TREC files are texts already. Most ids in floating point
    # were integers before some of them were missing.
    is_truth_cast = one != other and (other == "VARCHAR" or one in _FLOATING)
    source, name = (truth, column) if is_truth_cast else (rec, rec_column)
    truth_type, rec_type = truth.shown_type(column), rec.shown_type(rec_column)
    kind = rec_type if is_truth_cast else truth_type
    is_one_floating = {one, other} & _FLOATING and {base_type(one), base_type(other)} & EXACT_NUMBERS
    # A missing id makes pandas read whole numbers as floating point.
    astype = f", in pandas by astype({{{name!r}: 'Int64'}}), which keeps missing ids"
    in_pandas = astype if is_one_floating else ""
    quoted = quote_name(name)
    in_duckdb = (
        f"in a data frame before the call{in_pandas}, or with a query in place of the table: "
        f"SELECT * REPLACE ({quoted}::{kind} AS {quoted}) FROM ..."
    )
    on_spark = f"as by withColumn({name!r}, col({name!r}).cast({kind!r}))"
    return CallValueError(
        tables.caller,
        None,
        f"{column} of {truth.label} is {truth_type}, {rec_column} of {rec.label} is {rec_type}, and {why}: "
        f"cast {name} of {source.label} to {kind}, {on_spark if source.spark_types else in_duckdb}",
    )


@dataclass(frozen=True)
class Views:
    """Queries for the rows of truth and rec, and the names of temporary tables."""

    #: All rows of truth: userid, itemid, rel, and the segments as by_0, by_1 and so on, the weight as the
    #: last of these.
    all_truth: str
    #: All rows of rec: userid, itemid and score.
    all_rec: str
    #: The name of a table of users: their segments, their weights as one more, and whether these differ
    #: between rows.
    segments: str
    #: The name of a table of all users of both tables: the numbers of retrieved and judged items, and the
    #: value of each measure.
    user_metrics: str
    #: The name of a table of the items of users, with what each adds to a measure.
    explanations: str
    #: Rows with users and their segments.
    segment_rows: str = ""
    #: Whether the rows of truth have an aspect.
    has_aspects: bool = False

    @classmethod
    def of(cls, tables: TruthAndRec, columns: FoundColumns, prefix: str) -> Views:
        """Write the queries; the names of tables start with `prefix`."""
        truth, rec, user_type = tables.truth, tables.rec, columns.user_type
        rel = quote_name(columns.rel) if columns.rel else "1.0"
        aspect = f", {quote_name(columns.aspect)} AS aspect" if columns.aspect else ""
        source = columns.by_source
        segments = "".join(
            f", {exact_column(name, source.types[name])} AS by_{place}"
            for place, name in enumerate(columns.of_users)
        )
        users = exact_column(columns.by_user, source.types[columns.by_user])
        views = cls(
            all_truth=f"(SELECT {exact_column(columns.user, user_type)} AS userid, "
            f"{exact_column(columns.item, truth.types[columns.item])} AS itemid, "
            f"{rel}::DOUBLE AS rel{aspect}{segments if source is truth else ''} FROM {truth.view})",
            all_rec=f"(SELECT {exact_column(columns.rec_user, user_type)} AS userid, "
            f"{exact_column(columns.rec_item, rec.types[columns.rec_item])} AS itemid, "
            f"{quote_name(columns.score)}::{columns.score_type} AS score{segments if source is rec else ''} "
            f"FROM {rec.view})",
            segments=f"{prefix}_segments_of_users",
            user_metrics=f"{prefix}_user_metrics",
            explanations=f"{prefix}_explanations",
            has_aspects=columns.aspect is not None,
        )
        usable = {"truth": views.judgements, "rec": views.recommendations}
        own = f"(FROM (SELECT {users} AS userid{segments} FROM {source.view}) WHERE userid IS NOT NULL)"
        return replace(views, segment_rows=usable.get(source.role, own))

    @property
    def judgements(self) -> str:
        """The usable rows of truth: those with a user and a relevance that is a number."""
        usable = f"userid IS NOT NULL AND rel IS NOT NULL AND NOT {is_nan('rel')}"
        return f"(FROM {self.all_truth} WHERE {usable})"

    @property
    def judged_items(self) -> str:
        """The usable judgements, one for each item: its aspects, and its largest relevance to any."""
        if not self.has_aspects:
            return self.judgements
        aspects = "list({'aspect': aspect, 'rel': rel}) AS aspects"
        return f"(SELECT userid, itemid, max(rel) AS rel, {aspects} FROM {self.judgements} GROUP BY ALL)"

    @property
    def recommendations(self) -> str:
        """The usable rows of rec: those with a user and a score that is a number."""
        usable = f"userid IS NOT NULL AND score IS NOT NULL AND NOT {is_nan('score')}"
        return f"(FROM {self.all_rec} WHERE {usable})"

    def create_segments(self, tables: TruthAndRec, columns: FoundColumns) -> None:
        """Create the table `segments` if there are segments or weights.

        Those of a user must be the same in all rows.
        """
        by = [f"by_{place}" for place, _ in enumerate(columns.of_users)]
        if not by:
            return
        # Several values, or a value in some rows and NULL in others.
        differs = "min({0}) IS DISTINCT FROM max({0}) OR count({0}) NOT IN (0, count(*))"
        label = columns.by_source.label
        tables.run(
            f"users of {label}",
            f"CREATE TEMP TABLE {self.segments} AS SELECT userid, "
            f"{', '.join(f'any_value({name}) AS {name}' for name in by)}, "
            f"{' OR '.join(differs.format(name) for name in by)} AS several "
            f"FROM {self.segment_rows} GROUP BY userid",
        )
        user = fetch_one(
            tables.con.execute(f"SELECT {repr_in_sql('userid')} FROM {self.segments} WHERE several LIMIT 1")
        )
        if user:
            raise CallValueError(
                tables.caller,
                "by" if columns.by else "weight",
                f"{', '.join(columns.of_users)} must be the same in all rows of a user of {label}, and is "
                f"not for {user[0]}",
            )

    def drop(self, con: duckdb.DuckDBPyConnection) -> None:
        """Drop the table of metrics, and that of segments if there is one."""
        con.execute(f"DROP TABLE {self.user_metrics}; DROP TABLE IF EXISTS {self.segments}")
