"""Tables as callers give them (files, queries, data frames), opened on one DuckDB connection."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from glob import escape, glob, has_magic
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import duckdb

from rankdcg_sql._cached import cached_property
from rankdcg_sql._errors import Argument, CallError, CallFileNotFoundError, CallValueError, shown
from rankdcg_sql._sql import error_text, fetch_one, quote_name, quote_text
from rankdcg_sql.evaluation._tables.files import (
    CODECS,
    SETTINGS,
    TextReader,
    checked,
    codec_of,
    literal,
    open_file,
)
from rankdcg_sql.evaluation._tables.types import is_changed_in_arrow
from rankdcg_sql.evaluation._terms.counts import pluralize, warn

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


_QUERY = re.compile(r"\s*(\(|--|/\*|(select|from|with|values)[\s*(\[{'\"])", re.IGNORECASE)
_PARTS = re.compile(r'"((?:[^"]|"")*)"|([^".]+)')
_READERS = {
    ".parquet": "read_parquet",
    ".csv": "read_csv",
    ".tsv": "read_csv",
    ".json": "read_json",
    ".jsonl": "read_json",
    ".ndjson": "read_json",
}
_FRAMES = (("polars", "DataFrame"), ("pandas", "DataFrame"))
#: The classes of data frames of Spark. Before version 4.0, that of Spark Connect is no subclass of the other.
_ON_SPARK = {"pyspark.sql.dataframe.DataFrame", "pyspark.sql.connect.dataframe.DataFrame"}
_KINDS = "Parquet (.parquet), CSV (.csv, .tsv), JSON (.json, .jsonl, .ndjson), or a TREC file"
#: The most bytes that a row usually takes in a table: a user, an item and a relevance.
_ROW_BYTES = 96
#: The names of tables and views that a query may read, itself or by a view or a macro.
_NAMES_OF_OTHERS = """
    WITH
        named AS (
            SELECT table_name AS name, NULL AS body FROM system.main.duckdb_tables()
            UNION ALL SELECT view_name, sql FROM system.main.duckdb_views() WHERE NOT internal
            UNION ALL SELECT NULL, macro_definition FROM system.main.duckdb_functions() WHERE NOT internal
        ),
        read AS (SELECT lower(concat_ws(' ', $1, string_agg(body, ' '))) AS bodies FROM named)
    SELECT DISTINCT name FROM named, read WHERE contains(bodies, lower(replace(name, '"', '""')))
"""
#: The code of a character that is none, and that no text has. The one before it is none either.
_NO_CHARACTER = 0x10FFFF
#: The characters between the fields of a TREC file, in SQL.
_BLANKS = r"e' \t\r\x0b\f'"
#: The first line of a TREC file must be shorter than this, in bytes.
_MAX_LINE = 1_000_000
#: The TREC format of each role: its name, and the fields of its lines.
_TREC = {
    "truth": ("TREC qrels", ("query", "iteration", "document", "relevance")),
    "rec": ("a TREC run", ("query", "Q0", "document", "rank", "score", "tag")),
}


@dataclass(frozen=True)
class Source:
    """A table or view on the working connection.

    Attributes
    ----------
    role : {"truth", "rec", "segments"}
        Whether it has judgements, recommendations, or the segments of users.
    label : str
        Its name in messages.
    view : str
        Its name on the connection.
    types : dict
        The SQL type of each column of the table that was given, keyed by the column's name.
    rows : int
        The number of its rows.
    is_trec : bool
        Whether it was read from a TREC file. Its columns then have the names that the caller gave for them.
    rel : str or None
        The column of relevances, if the format says that there is one, otherwise None.
    spark_types : dict or None
        The types as Spark writes them, keyed by the column's name, if the table is on Spark, otherwise None.
    """

    role: str
    label: str
    view: str
    types: dict[str, str]
    rows: int
    is_trec: bool = False
    rel: str | None = None
    spark_types: dict[str, str] | None = None

    def column(self, argument: str, name: str, other: Source | None = None) -> str:
        """Return a column's name as the table writes it; `name` may differ from it in case.

        The error tells the caller to name another column with `argument`; or for users and items, which the
        `other` table has, too, with the argument for this table alone.

        Raises
        ------
        CallValueError
            If there is no such column. It does not say the called function.
        """
        for column in self.types:
            if column.lower() == name.lower():
                return column
        near = get_close_matches(name.lower(), [column.lower() for column in self.types], n=1)
        misread = _how_misread([*self.types])
        own = f"{self.role}_{argument}" if other and argument in ("user", "item") else argument
        hint: tuple[str | Argument, ...]
        if misread:
            hint = (f"; {misread}",)
        elif self.role == "segments" and argument == "user":
            others = "=, and those of truth and rec with ", Argument("truth_user"), "= and "
            hint = ("; name the right one with ", Argument("user"), *others, Argument("rec_user"), "=")
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

    def shown_type(self, column: str) -> str:
        """Return the type of a column as the engine of the table writes it."""
        return (self.spark_types or self.types)[column]

    def has(self, name: str) -> bool:
        """Whether there is a column of this name, in any case."""
        return name.lower() in map(str.lower, self.types)


def is_on_spark(table: Any) -> bool:
    """Whether a table is a data frame of Spark or Spark Connect, found without an import of PySpark."""
    return any(f"{kind.__module__}.{kind.__name__}" in _ON_SPARK for kind in type(table).__mro__)


def _how_misread(columns: list[str]) -> str:
    """Say what seems wrong with a file of which these names of columns were read; empty if nothing does."""
    if len(columns) == 1 and len(columns[0].split()) in {len(fields) for _, fields in _TREC.values()}:
        return "it looks like a TREC file: let its name end with .txt"
    if all(re.fullmatch(r"column\d+", column) for column in columns):
        return "it has no line of names: add one, or if it is a TREC file, let its name end with .txt"
    if len(columns) == 1 and any(separator in columns[0] for separator in ",;\t|"):
        return "its lines could not be divided into columns: do all of them have as many as the first?"
    return ""


@dataclass(frozen=True)
class Reader:
    """Opens tables on a working connection.

    Attributes
    ----------
    caller : str
        The called function, which errors name.
    con : duckdb.DuckDBPyConnection
        The working connection; everything that is made on it is temporary.
    run : callable
        Runs a statement on `con` that may take long. Its arguments are a label for the progress bar, and the
        statement.
    user_connection : duckdb.DuckDBPyConnection or None
        The caller's connection, in which names of tables are looked up.
    columns : dict of str to tuple
        The names of the columns that are read, keyed by role. Those of truth and rec begin with the user, the
        item and the value, a relevance or a score: the names that columns of TREC files get.
    prefix : str
        The start of the names of this package's tables and views. It is random, so that no name of the
        caller has it.
    files : dict of str to set of str
        The paths of the files that each role was last read from.
    kinds : dict of str to str
        ``TABLE`` or ``VIEW`` for each opened table that a statement created, keyed by its name on `con`.
        Objects of Python, such as data frames, are registered instead.
    of_parquet : dict of str to tuple of str
        The role and the label of each view of Parquet files, keyed by the name of the view.
    """

    caller: str
    con: duckdb.DuckDBPyConnection
    run: Callable[[str, str], duckdb.DuckDBPyConnection]
    user_connection: duckdb.DuckDBPyConnection | None
    columns: dict[str, tuple[str, ...]]
    prefix: str
    files: dict[str, set[str]] = field(default_factory=dict)
    kinds: dict[str, str] = field(default_factory=dict)
    of_parquet: dict[str, tuple[str, str]] = field(default_factory=dict)

    def own(self, name: str) -> str:
        """Return the name of a temporary table or view with the prefix."""
        return f"{self.prefix}_{name}"

    def prefer_system(self) -> None:
        """Look up names in SQL in DuckDB's own schema, as callers may have macros of the same names."""
        self._look_in("system.main")

    @cached_property
    def _path(self) -> tuple[str, ...]:
        """The schemas in which names of the caller are looked up."""
        return ("system.main",) if self.user_connection is None else search_path(self.user_connection)

    @contextmanager
    def _as_user(self) -> Iterator[None]:
        """Look up names in SQL as on the caller's connection."""
        # DuckDB looks up schemas without a database in the current database: that of the first schema.
        self._look_in(self._path[0])
        self._look_in(",".join(self._path))
        try:
            yield
        finally:
            self.prefer_system()

    def _look_in(self, path: str) -> None:
        self.con.execute(f"SET SESSION search_path = {quote_text(path)}")

    def open(self, role: str, given: Any, label: str) -> Source:
        """Make a temporary view or table of what the caller gave.

        Raises
        ------
        CallTypeError, CallValueError, CallFileNotFoundError
            If `given` cannot be read, does not exist, or has no rows.
        """
        try:
            return self._source(role, given, label, self.own(role))
        except (TypeError, ValueError, FileNotFoundError) as error:
            raise CallError.of(error, self.caller, self._argument(role)) from error.__cause__

    def _argument(self, role: str) -> str:
        """Return the argument of the called function that has the tables of a role."""
        return "recs" if (self.caller, role) == ("compare", "rec") else role

    def copy_parquet(self, source: Source, memory: float) -> Source:
        """Copy Parquet files into a table, which is faster to read several times.

        They stay as they are if the table might take more than `memory`, in bytes. Other tables also stay as
        they are. The copy has only the columns that are read.
        """
        if source.view not in self.of_parquet or source.rows * _ROW_BYTES > memory:
            return source
        kept = self.own("kept")
        names = [quote_name(name) for name in source.types if self._is_read(name)]
        with self.naming_damaged_files():
            self._create("TABLE", kept, f"SELECT {', '.join(names) or 1} FROM {source.view}", source.label)
        self.drop(source)
        return replace(source, view=kept)

    def _is_read(self, name: str) -> bool:
        """Whether a column of this name is read from any table."""
        return name.lower() in map(str.lower, chain(*self.columns.values()))

    @contextmanager
    def naming_damaged_files(self) -> Iterator[None]:
        """Turn an error of DuckDB into one that names a Parquet file, if the file cannot be read.

        The pages of such a file are not read when it is opened, so that any later statement may fail.
        """
        try:
            yield
        except (duckdb.OutOfMemoryException, duckdb.InterruptException):
            raise
        except duckdb.Error as error:
            for view, (role, label) in self.of_parquet.items():
                columns = ", ".join(map(quote_name, filter(self._is_read, self._types(view)))) or "1"
                for path in sorted(self.files.get(role, ())):
                    read = f"SELECT max(hash({columns})) FROM read_parquet({quote_text(literal(path))})"
                    try:
                        self.con.execute(read).fetchall()
                    except duckdb.Error as damage:
                        wrong = f"{label} cannot be read: {path!r} is damaged: {error_text(damage)}"
                        raise CallValueError(self.caller, self._argument(role), wrong) from error
            raise

    def drop(self, source: Source) -> None:
        """Drop what was opened, so that another table of the same role can be opened."""
        self.of_parquet.pop(source.view, None)
        kind = self.kinds.pop(source.view, None)
        if kind is None:
            self.con.unregister(source.view)
        else:
            self.con.execute(f"DROP {kind} {source.view}")

    def _create(self, kind: Literal["TABLE", "VIEW"], view: str, query: str, label: str) -> None:
        """Create a temporary table or view of what was given, which `drop` drops."""
        self.run(f"reading {label}", f"CREATE TEMP {kind} {view} AS {query}")
        self.kinds[view] = kind

    def _source(self, role: str, given: Any, label: str, view: str) -> Source:
        is_trec, rows = False, None
        types: dict[str, str] = {}
        is_nested = role in _TREC and _is_nested(given)
        if isinstance(given, str | os.PathLike):
            text = _decoded(given, label)
            label, is_trec, types = self._open_text(role, text, label, view, isinstance(given, os.PathLike))
        elif isinstance(given, list | tuple) and given and all(map(_is_path, given)):
            label, is_trec, types = self._open_paths(
                role, [_decoded(each, label) for each in given], label, view
            )
        else:
            if role == "rec" and self.caller == "evaluate" and self._are_systems(given):
                raise ValueError(
                    f"{label} must be one table, and this is a dict of tables ({', '.join(given)}): give one "
                    "of them, or call `compare`"
                )
            given = self._flattened(role, given, label) if is_nested else given
            types, rows = self._open_object(given, label, view)
        types = types or self._types(view)
        if rows is None:
            (rows,) = fetch_one(self.run(f"reading {label}", f"SELECT count(*) FROM {view}")) or (0,)
        if not rows:
            raise ValueError(f"{label} has no rows")
        has_rel = role == "truth" and (is_trec or is_nested)
        return Source(role, label, view, types, rows, is_trec, self.columns[role][2] if has_rel else None)

    def _are_systems(self, given: Any) -> bool:
        """Whether this is a dict of the tables of systems, and not of the columns of one table."""

        def is_table(value: Any) -> bool:
            in_columns = isinstance(value, Mapping) and self.columns["rec"][0] in value
            return in_columns or _is_path(value) or hasattr(value, "columns")

        return (
            isinstance(given, Mapping)
            and bool(given)
            and all(isinstance(name, str) and is_table(value) for name, value in given.items())
        )

    def _flattened(self, role: str, given: Mapping[Any, Mapping[Any, Any]], label: str) -> dict[str, Any]:
        """Return a dict of the items of each user as columns: a row for each user and item."""
        user, item, value, *_ = self.columns[role]
        if user in given:
            raise ValueError(
                f"{label} has a dict for each column: give a list for each, in pandas with to_dict('list')"
            )
        without = [each for each, items in given.items() if not items]
        if without and role == "truth":
            warn(
                self.caller,
                role,
                f"{pluralize(len(without), 'user')} of {label} without any item left out, such as "
                f"{without[0]!r}",
            )
        rows = [(each, *row) for each, items in given.items() for row in items.items()]
        columns = {name: [row[place] for row in rows] for place, name in enumerate((user, item, value))}
        if role == "truth":
            columns[value] = list(map(_not_negative, columns[value]))
        return columns

    def _types(self, view: str) -> dict[str, str]:
        return {name: kind for name, kind, *_ in self.con.execute(f"DESCRIBE FROM {view}").fetchall()}

    def _open_object(self, given: Any, label: str, view: str) -> tuple[dict[str, str], int | None]:
        # Opens an object of Python. Returns its types and the number of its rows as far as they are known.
        import pyarrow as pa

        # Importing pyarrow.dataset takes longer than the evaluation. A caller with a dataset has imported it
        # already.
        datasets = sys.modules.get("pyarrow.dataset")
        registered = (pa.Table, datasets.Dataset) if datasets else pa.Table

        def kind() -> tuple[str, str]:
            return type(given).__module__.partition(".")[0], type(given).__name__

        try:
            if kind() == ("polars", "LazyFrame"):
                given = given.collect(engine="streaming")
            elif kind() == ("pandas", "DataFrame") and any(given.index.names):
                given = given.reset_index()
            elif isinstance(given, Mapping):
                _check_columns_of_dict(given)
                given = pa.table(dict(given))
            if isinstance(given, registered) or kind() in _FRAMES:
                self.con.register(view, given)
                return self._types(view), len(given) if hasattr(given, "__len__") else None
            # A series of Polars or pandas is a stream, too, of one column without a name.
            if hasattr(given, "__arrow_c_stream__") and kind()[1] != "Series":
                self._copy(given, label, view)
                return {}, None
        except Exception as error:
            raise ValueError(f"{label} cannot be read: {error_text(error)}") from error
        raise TypeError(
            f"{label} must be a path, a query, the name of a table, a DuckDB relation, a Polars or pandas "
            f"data frame, an Arrow table, a dict of columns, a list of paths, or a dict of the items of "
            f"each user with their values, got {type(given).__name__}"
        )

    def _copy(self, stream: Any, label: str, view: str) -> None:
        """Copy a stream into a table.

        A stream can be read only once, or it belongs to another connection.
        """
        import pyarrow as pa

        name = self.own("stream")
        casts: list[str] = []
        if isinstance(stream, duckdb.DuckDBPyRelation):
            # Types that Arrow lacks go as texts, and come back from them.
            kinds = [
                (quote_name(column), str(kind))
                for column, kind in zip(stream.columns, stream.types, strict=True)
                if is_changed_in_arrow(str(kind))
            ]
            if kinds:
                texts = ", ".join(f"{column}::VARCHAR AS {column}" for column, _ in kinds)
                stream = stream.project(f"* REPLACE ({texts})")
            casts = [f"{column}::{kind} AS {column}" for column, kind in kinds]
        self.con.register(name, pa.RecordBatchReader.from_stream(stream))
        replaced = f" REPLACE ({', '.join(casts)})" if casts else ""
        self._create("TABLE", view, f"SELECT *{replaced} FROM {name}", label)
        self.con.unregister(name)

    def _open_text(
        self, role: str, text: str, label: str, view: str, is_path: bool
    ) -> tuple[str, bool, dict[str, str]]:
        """Open a path, a query or the name of a table.

        Returns
        -------
        tuple
            The label for messages; whether it is a TREC file; the types of all its columns if the view has
            only some of the columns, otherwise no types.
        """
        if not text.strip():
            raise ValueError(f"{label} is an empty text: give a path, a query or the name of a table")
        is_there = os.path.exists(os.path.expanduser(text))
        if not (is_path or is_there) and _QUERY.match(text):
            return label, False, self._open_query(text, label, view)
        text = os.path.expanduser(text)
        suffix = _suffix(text)
        paths = [text] if is_there else sorted(glob(text, recursive=True)) if has_magic(text) else []
        if suffix in _READERS or paths or is_path:
            label = f"{label} ({text})"
            return label, *self._open_file(role, text, suffix, paths, label, view)
        if self.user_connection is None:
            missing = (
                f"{label}: there is no file {text!r}; for a table of a database, give the connection with "
            )
            raise CallFileNotFoundError(None, None, missing, Argument("con"), "=")
        label = f"{label} ({text})"
        try:
            types = self._open_query(f"FROM {_quote_qualified(text)}", label, view, self._table(text))
        except ValueError as error:
            if not isinstance(error.__cause__, duckdb.CatalogException):
                raise
            raise ValueError(f"{label}: there is no file and no table of this name") from error.__cause__
        return label, False, types

    def _table(self, name: str) -> str | None:
        """Return a table's qualified name; None unless it is the only table or view that `name` can mean."""
        *above, last = [part.lower() for part in _split_qualified(name)]
        found = [
            (".".join(map(quote_name, names)), is_table)
            for *names, is_table in self.con.execute(
                "SELECT database_name, schema_name, table_name, true FROM duckdb_tables() "
                "UNION ALL SELECT database_name, schema_name, view_name, false FROM duckdb_views()"
            ).fetchall()
            if names[2].lower() == last and {*above} <= {each.lower() for each in names[:2]}
        ]
        return found[0][0] if len(found) == 1 and found[0][1] else None

    def _open_paths(
        self, role: str, texts: list[str], label: str, view: str
    ) -> tuple[str, bool, dict[str, str]]:
        """Open several files of one format as one table; a path may be a pattern.

        Returns what `_open_text` returns.
        """
        paths: list[str] = []
        for text in map(os.path.expanduser, texts):
            is_known = os.path.exists(text) or "://" in text
            found = [text] if is_known else sorted(glob(text, recursive=True)) if has_magic(text) else []
            if not found:
                raise FileNotFoundError(f"{label}: there is no file {text!r}")
            if os.path.isdir(text):
                raise ValueError(f"{label}: {text!r} is a folder, and a list may hold files only")
            paths += found
        suffixes = dict.fromkeys(map(_suffix, paths))
        if len({_READERS.get(suffix) for suffix in suffixes}) > 1:
            raise ValueError(
                f"{label}: the files of one table must have one format, got {', '.join(suffixes)}"
            )
        label = f"{label} ({paths[0]} and {len(paths) - 1} more)" if paths[1:] else f"{label} ({paths[0]})"
        return label, *self._open_file(role, paths[0], _suffix(paths[0]), paths, label, view)

    def _open_query(self, query: str, label: str, view: str, table: str | None = None) -> dict[str, str]:
        """Open what a query returns; return the types of all its columns if only some are kept.

        `table` is given if the query only names a table, which is then read in place. Any other query runs
        once, for two reasons. A second run might return other rows. The query also uses the caller's macros,
        which no other SQL of this package may call.
        """
        try:
            kinds = [statement.type for statement in self.con.extract_statements(query)]
            if kinds != [duckdb.StatementType.SELECT]:
                raise ValueError(f"{label} must be one query that returns rows, got {query!r}")
            if self.user_connection is not None and (_names_variables(query) or self._names_temporary(query)):
                self._copy(self.user_connection.sql(query), label, view)
            elif table:
                with self._as_user():
                    self.con.execute(f"DESCRIBE {query}")  # fails if the name is not visible
                self._create("VIEW", view, f"FROM {table}", label)
            else:
                with self._as_user():
                    return self._run_query(query.rstrip().rstrip(";"), label, view)
        except duckdb.CatalogException as error:
            try:
                relation = None if self.user_connection is None else self.user_connection.sql(query)
            except duckdb.Error:
                relation = None
            if relation is None:
                hint: list[str | Argument] = []
                if self.user_connection is None:
                    hint = [
                        "; the query runs on an empty database: give another one with ",
                        Argument("con"),
                        "=",
                    ]
                raise CallValueError(None, None, f"{label}: {error_text(error)}", *hint) from error
            self._copy(relation, label, view)
        except duckdb.Error as error:
            raise ValueError(f"{label}: {error_text(error)}") from error
        return {}

    def _run_query(self, query: str, label: str, view: str) -> dict[str, str]:
        """Run a query, keep the columns that are read, and return the types of all columns.

        Called within `_as_user`, so that the caller's names resolve.
        """
        name = self.own("query")
        self.con.execute(f"CREATE TEMP VIEW {name} AS {query}")
        try:
            types = self._types(name)
            kept = ", ".join(quote_name(column) for column in types if self._is_read(column))
            # Without any of the columns, 1 keeps the number of rows; `find_columns` names the missing one.
            self._create("TABLE", view, f"SELECT {kept or 1} FROM {name}", label)
        finally:
            self.con.execute(f"DROP VIEW {name}")
        return types

    def _names_temporary(self, query: str) -> bool:
        """Whether a query reads something temporary, which only the caller's connection sees.

        If there is anything temporary, the plans of both connections are compared: they name what is read.
        Before DuckDB 2, a query would end the connection's pending result. There, the names of other tables
        that may be read are looked up among the temporary ones.
        """
        assert self.user_connection is not None
        try:
            if duckdb.__version__.startswith("1."):
                names = self.con.execute(_NAMES_OF_OTHERS, [query]).fetchall()
                return any(self._is_temporary(name) for (name,) in names)
            names = self.user_connection.sql(
                "SELECT table_name FROM system.main.duckdb_tables() WHERE temporary "
                "UNION ALL SELECT view_name FROM system.main.duckdb_views() WHERE temporary AND NOT internal"
            ).fetchall()
            if not names:
                return False
            theirs = self.user_connection.sql(f"EXPLAIN {query}").fetchall()
        except duckdb.Error:  # the connection is in use
            return False
        with self._as_user():
            return theirs != self.con.execute(f"EXPLAIN {query}").fetchall()

    def _is_temporary(self, name: str) -> bool:
        assert self.user_connection is not None
        try:
            self.user_connection.sql(f"FROM temp.{quote_name(name)}")
        except duckdb.CatalogException:
            return False
        return True

    def _open_file(
        self, role: str, path: str, suffix: str, paths: list[str], label: str, view: str
    ) -> tuple[bool, dict[str, str]]:
        """Open files of one format.

        Returns whether they are TREC files, and the types of all columns if the view has only some of them.
        """
        is_remote = "://" in path
        if not (paths or is_remote):
            raise FileNotFoundError(f"{label}: there is no such file")
        if Path(path).is_dir():
            suffix = ".parquet"
            paths = sorted(glob(f"{escape(path)}/**/*.parquet", recursive=True))
            if not paths:
                raise FileNotFoundError(
                    f"{label}: the folder has no Parquet file, and no other files of a folder are read"
                )
        elif not is_remote:
            if not all(Path(each).is_file() for each in paths):
                raise ValueError(
                    f"{label} is not a regular file: write the contents of a pipe to a file first"
                )
            if all(Path(each).stat().st_size == 0 for each in paths):
                raise ValueError(f"{label} is an empty file")
        listed = (paths or [path]) if is_remote else [*map(literal, paths)]
        if not is_remote:
            self._refuse_shared_files(role, paths, label)
        reader = _READERS.get(suffix)
        if reader is None:
            if role not in _TREC:
                raise ValueError(f"{label} must be a file in Parquet, CSV or JSON, with its ending")
            with checked(paths, label):
                self._open_trec(role, listed, paths, label, view)
            return True, {}
        try:
            with checked([] if reader == "read_parquet" else paths or [path], label):
                if reader != "read_json" and len(paths) > 1:  # a missing JSON field is NULL
                    self._check_columns(reader, paths, label)
                if reader != "read_parquet":
                    return False, self._open_rows(role, reader, listed, label, view)
            texts = ", ".join(map(quote_text, listed))
            self._create("VIEW", view, f"FROM read_parquet([{texts}])", label)
            self.of_parquet[view] = role, label
        except duckdb.Error as error:
            raise ValueError(f"{label} cannot be read: {error_text(error)}") from error
        return False, {}

    def _open_rows(self, role: str, reader: str, paths: list[str], label: str, view: str) -> dict[str, str]:
        """Read CSV or JSON into a table, because parsing is slow; return the types of all columns."""
        columns = frozenset(map(str.lower, chain(*self.columns.values())))
        value = self.columns[role][2].lower() if role in _TREC else ""
        rows = TextReader(self.con, reader, paths, columns, value)
        try:
            self._create("TABLE", view, rows.query(), label)
        except duckdb.Error:
            if not rows.widen(label, "rel" if role == "truth" else "score"):
                raise
            self._create("TABLE", view, rows.query(), label)
        names = rows.find_names(view)
        if names:
            raise ValueError(
                f"{label}: {names}: remove it, or give the parts of the table as a list of files"
            )
        return rows.types

    def _refuse_shared_files(self, role: str, paths: list[str], label: str) -> None:
        """Remember the files of this role, and refuse one that the other role is read from."""
        names = {os.path.realpath(path): path for path in paths}
        both = names.keys() & self.files.get("truth" if role == "rec" else "rec", set())
        self.files[role] = {*names}
        if both:
            listed = ", ".join(repr(names[each]) for each in sorted(both))
            raise ValueError(
                f"{label}: {listed} cannot be both truth and rec: give each its own files, or queries"
            )

    def _check_columns(self, reader: str, paths: list[str], label: str) -> None:
        """Refuse files whose columns have different names: DuckDB might read them as one table."""
        found = {
            path: self._types(f"{reader}({quote_text(literal(path))}{SETTINGS.get(reader, '')})")
            for path in paths
        }
        expected = {name.lower() for name in found[paths[0]]}
        for path, types in found.items():
            if {name.lower() for name in types} != expected:
                raise ValueError(
                    f"{label}: {paths[0]!r} has the columns {', '.join(found[paths[0]])}, and {path!r} has "
                    f"{', '.join(types)}: all files must be parts of one table"
                )

    def _open_trec(self, role: str, listed: list[str], paths: list[str], label: str, view: str) -> None:
        """Read TREC files into a table: each row is a line, with fields separated by blanks or tabs."""
        kind, fields = _TREC[role]
        codec = codec_of(paths[0])
        for path in paths:
            if codec_of(path) != codec:
                raise ValueError(f"{label}: {paths[0]!r} and {path!r} must be compressed alike")
        if codec not in ("none", *CODECS.values()):
            raise ValueError(f"{label} is compressed with {codec}: decompress it first, or use gzip")
        start = _first_line(paths[0], codec, label)
        found = len(start.encode().split())
        for other, (name, others) in _TREC.items():
            if found == len(others) and other != role:
                raise ValueError(
                    f"{label} is {name}, but must be {kind}: are truth and rec swapped? "
                    f"Its first line is {start!r}"
                )
        if found != len(fields):
            csv = "; if it is a CSV file, let its name end with .csv" if "," in start else ""
            raise ValueError(f"{label} is none of {_KINDS}; its first line is {start[:80]!r}{csv}")
        lines = self.own("lines")
        try:
            self.run(
                f"reading {label}",
                f"""
                CREATE TEMP TABLE {lines} AS
                SELECT line, rest, string_split_regex(trim(line, {_BLANKS}), '[[:space:]]+') AS field
                FROM read_csv(
                    [{", ".join(map(quote_text, listed))}],
                    columns = {{'line': 'VARCHAR', 'rest': 'VARCHAR'}},
                    delim = chr({_NO_CHARACTER}), nullstr = chr({_NO_CHARACTER - 1}), null_padding = true,
                    quote = '', escape = '', header = false, auto_detect = false, strict_mode = false,
                    compression = '{codec}'
                )
                WHERE line IS NULL OR rest IS NOT NULL OR trim(line, {_BLANKS}) <> ''
                """,
            )
        except duckdb.Error as error:
            raise ValueError(f"{label} cannot be read: {error_text(error)}") from error
        value_field = 5 if role == "rec" else 4
        text = f"field[{value_field}]"
        number = f"try_cast({text} AS DOUBLE)"
        wrong = f"len(field) <> {found} OR {number} IS NULL OR contains({text}, '_') OR rest IS NOT NULL"
        line = f"concat_ws(chr({_NO_CHARACTER}), coalesce(line, chr({_NO_CHARACTER - 1})), rest)"
        bad = fetch_one(self.con.execute(f"SELECT {line} FROM {lines} WHERE {wrong} LIMIT 1"))
        if bad:
            raise ValueError(
                f"{label}: each line of {kind} must have {found} fields ({' '.join(fields)}) with a number "
                f"as {fields[value_field - 1]}, got {bad[0]!r}{_place_of_line(paths, codec, bad[0])}"
            )
        if role == "rec":
            tags = self.con.execute(f"SELECT DISTINCT field[6] FROM {lines} ORDER BY 1 ASC").fetchall()
            if len(tags) > 1:
                named = ", ".join(tag for (tag,) in tags[:5])
                raise ValueError(
                    f"{label} has the runs of {len(tags)} systems ({named}): put each into a file of its "
                    "own, and compare them"
                )
        # A relevance below 0 counts as 0.
        value = number if role == "rec" else f"greatest({number}, 0)"
        user, item, last = map(quote_name, self.columns[role][:3])
        fields_of_line = f"field[1] AS {user}, field[3] AS {item}, {value} AS {last}"
        self._create("TABLE", view, f"SELECT {fields_of_line} FROM {lines}", label)
        self.con.execute(f"DROP TABLE {lines}")


def _not_negative(rel: Any) -> Any:
    """Return a relevance of qrels, in which one below 0 counts as 0; what is no number stays as it is."""
    try:
        return type(rel)(0) if rel < 0 else rel
    except TypeError:
        return rel


def _is_path(given: Any) -> bool:
    return isinstance(given, str | os.PathLike)


def _decoded(given: str | os.PathLike[str], label: str) -> str:
    """Return a path or a query as text."""
    text = os.fsdecode(given)
    try:
        text.encode()
    except UnicodeEncodeError:
        raise ValueError(f"{label}: {text!r} is not text in UTF-8") from None
    return text


def _check_columns_of_dict(columns: Mapping[Any, Any]) -> None:
    """Raise an error unless the columns of a dict are there, and have names and an order."""
    if not columns:
        raise ValueError("a dict of columns must have a column")
    for name, values in columns.items():
        if not isinstance(name, str):
            raise TypeError(f"the names of columns must be texts, got {shown(name)}")
        # Arrow would read the keys of a dict, and a set in any order.
        if isinstance(values, Mapping | set | frozenset):
            in_pandas = ", in pandas with to_dict('list')" if isinstance(values, Mapping) else ""
            kind = type(values).__name__
            raise TypeError(f"{name} is a {kind}: give a list for each column{in_pandas}")


def _is_nested(given: Any) -> bool:
    """Whether this is a dict of the items of each user, itself a dict, as in ranx and pytrec_eval."""
    return (
        isinstance(given, Mapping)
        and bool(given)
        and all(isinstance(items, Mapping) for items in given.values())
    )


def _names_variables(query: str) -> bool:
    """Whether a query may read a variable, which only its own connection sees."""
    return "getvariable" in query.lower()


def _suffix(path: str) -> str:
    """Return the ending of a file's name without that of a compression, in lower case."""
    return _uncompressed(path).suffix.lower()


def _uncompressed(path: str) -> Path:
    """Return the path without the ending of a compression."""
    ending = Path(path).suffix
    return Path(path.removesuffix(ending) if ending.lower() in CODECS else path)


def default_name(text: str) -> str:
    """Return a system's name from its table: a file's name without folders and endings, or a table's name.

    Empty for a query and for a pattern of paths.
    """
    if _QUERY.match(text) or has_magic(text):
        return ""
    is_file = _suffix(text) in _READERS or os.path.exists(text)
    return _uncompressed(text).stem if is_file else text


def _first_line(path: str, codec: str, label: str) -> str:
    """Return the first line that is not blank."""
    try:
        with open_file(path, codec) as opened:
            # A binary file may be one long line.
            starts = iter(lambda: opened.readline(_MAX_LINE), b"")
            first = next((line for line in starts if line.strip()), b"")
    except OSError as error:
        raise ValueError(f"{label} cannot be read: {error}") from error
    if len(first) == _MAX_LINE:
        raise ValueError(
            f"{label} is none of {_KINDS}: its first line has more than {_MAX_LINE:,} bytes, and starts with "
            f"{first[:80].strip().decode(errors='replace')!r}"
        )
    return first.strip().decode(errors="replace")


def _place_of_line(paths: list[str], codec: str, line: str) -> str:
    """Say where a line of TREC files is first found, for the end of a message; empty if it is not found."""
    wanted = line.strip().encode()
    for path in paths:
        with open_file(path, codec) as opened:
            for number, found in enumerate(opened, start=1):
                if found.strip().startswith(wanted):
                    return f" (line {number:,} of {path})"
    return ""


def _quote_qualified(text: str) -> str:
    """Quote the parts of a table's name, which may be quoted or qualified already."""
    return ".".join(map(quote_name, _split_qualified(text)))


def _split_qualified(text: str) -> list[str]:
    """Split a table's name into the names of its database, its schema (both optional) and the table."""
    if '"' not in text:
        return text.split(".")
    return [part.replace('""', '"') or plain for part, plain in _PARTS.findall(text)]


def search_path(con: duckdb.DuckDBPyConnection) -> tuple[str, ...]:
    """Return the schemas in which a connection looks up names, in the form of the setting ``search_path``.

    The setting leaves out the database if there is only one schema. The first schema is therefore taken from
    the current database and schema. The values are read from the names of a relation's columns: the relation
    is never run, so a pending result of the connection survives.
    """
    named = ", ".join(
        f"""' AS "', system.main.replace({value}, '"', '""'), '=", 0'"""
        for value in (
            "system.main.current_database()",
            "system.main.current_schema()",
            "system.main.current_setting('search_path')",
        )
    )
    relation = con.sql(f"FROM system.main.query(system.main.concat('SELECT 0', {named}))")
    database, schema, path = (column.removesuffix("=") for column in relation.columns[:3])
    return f"{quote_name(database)}.{quote_name(schema)}", *path.split(",")[1:]
