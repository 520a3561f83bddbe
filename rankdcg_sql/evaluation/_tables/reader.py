"""Tables as callers give them (files, queries, data frames), opened on one DuckDB connection."""

from __future__ import annotations

import os
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from glob import escape, glob, has_magic
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb

from rankdcg_sql._errors import Argument, CallError, CallFileNotFoundError, CallValueError
from rankdcg_sql._sql import error_text, fetch_one, quote_text
from rankdcg_sql.evaluation._tables import objects
from rankdcg_sql.evaluation._tables.columns import Source, argument_of
from rankdcg_sql.evaluation._tables.files import (
    CODECS,
    FORMATS,
    TextReader,
    arguments_of_reader,
    checked,
    literal,
    open_trec,
)
from rankdcg_sql.evaluation._tables.objects import is_path

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rankdcg_sql.evaluation._tables.workspace import Workspace


_READERS = {
    ".parquet": "read_parquet",
    ".csv": "read_csv",
    ".tsv": "read_csv",
    ".json": "read_json",
    ".jsonl": "read_json",
    ".ndjson": "read_json",
}
#: The most bytes that a row usually takes in a table: a user, an item and a relevance.
_ROW_BYTES = 96


@dataclass(frozen=True)
class Opened:
    """A table that was opened under a name on the working connection."""

    #: Its name in messages.
    label: str
    #: The SQL type of each column that was given, keyed by its name; empty if the opened table has them all.
    types: dict[str, str]
    #: Whether it was read from a TREC file.
    is_trec: bool = False
    #: The number of rows, if it is known.
    rows: int | None = None


@dataclass(frozen=True)
class Reader:
    """Opens tables on a working connection."""

    #: The called function, which errors name.
    caller: str
    #: Has the working connection, and what is made on it.
    space: Workspace
    #: The column of weights of users; None if all count alike.
    weight: str | None = None
    #: The columns of numbers in the table of items.
    numbers_of_items: Sequence[str] = ()
    #: The paths of the files that each role was last read from.
    files: dict[str, set[str]] = field(default_factory=dict)
    #: The role and the label of each view of Parquet files, keyed by the name of the view.
    parquet_views: dict[str, tuple[str, str]] = field(default_factory=dict)

    def open(self, role: str, given: Any, label: str) -> Source:
        """Make a temporary view or table of what the caller gave, which must have rows."""
        try:
            return self._source(role, given, label, self.space.own(role))
        except (TypeError, ValueError, FileNotFoundError) as error:
            raise CallError.of(error, self.caller, argument_of(self.caller, role)) from error.__cause__

    def copy_parquet(self, source: Source, memory: float) -> Source:
        """Copy Parquet files into a table, which is faster to read several times.

        They stay as they are if the table might take more than `memory`, in bytes. Other tables also stay as
        they are. The copy has only the columns that are read.
        """
        if source.view not in self.parquet_views or source.rows * _ROW_BYTES > memory:
            return source
        kept = self.space.own("kept")
        query = f"SELECT {self.space.select_read(source.types)} FROM {source.view}"
        with self.naming_damaged_files():
            self.space.create("TABLE", kept, query, source.label)
        self.drop(source)
        return replace(source, view=kept)

    @contextmanager
    def naming_damaged_files(self) -> Iterator[None]:
        """Turn an error of DuckDB into one that names a Parquet file, if a file cannot be read to its end.

        The pages of such a file are not read when it is opened, so that any later statement may fail.
        """
        try:
            yield
        except (duckdb.OutOfMemoryException, duckdb.InterruptException):
            raise
        except duckdb.Error as error:
            for view, (role, label) in self.parquet_views.items():
                columns = self.space.select_read(self.space.types(view))
                for path in sorted(self.files.get(role, ())):
                    read = f"SELECT max(hash({columns})) FROM read_parquet({quote_text(literal(path))})"
                    try:
                        self.space.con.execute(read).fetchall()
                    except duckdb.Error as damage:
                        wrong = f"{label} cannot be read: {path!r} is damaged: {error_text(damage)}"
                        raise CallValueError(self.caller, argument_of(self.caller, role), wrong) from error
            raise

    def drop(self, source: Source) -> None:
        """Drop what was opened, so that another table of the same role can be opened."""
        self.parquet_views.pop(source.view, None)
        self.space.drop(source.view)

    def _source(self, role: str, given: Any, label: str, view: str) -> Source:
        """Open what the caller gave as `view`, and return its description."""
        is_nested = role in FORMATS and objects.is_nested(given)
        if is_path(given):
            is_file = isinstance(given, os.PathLike)
            opened = self._open_text(role, _decoded(given, label), label, view, is_file=is_file)
        elif isinstance(given, list | tuple) and given and all(map(is_path, given)):
            opened = self._open_paths(role, [_decoded(path, label) for path in given], label, view)
        else:
            names = self.space.columns[role]
            if role == "rec" and self.caller == "evaluate" and objects.are_systems(given, user=names[0]):
                raise ValueError(
                    f"{label} must be one table, and this is a dict of tables ({', '.join(given)}): give one "
                    "of them, or call `compare`"
                )
            given = objects.flatten(self.caller, role, given, label, names) if is_nested else given
            types, known_rows = objects.open_object(self.space, given, label, view)
            opened = Opened(label, types, rows=known_rows)
        label, rows = opened.label, opened.rows
        types = opened.types or self.space.types(view)
        if rows is None:
            counted = self.space.run(f"reading {label}", f"SELECT count(*) FROM {view}")
            (rows,) = fetch_one(counted) or (0,)
        if not rows:
            raise ValueError(f"{label} has no rows")
        # Qrels and nested dicts of truth have relevances, in the third of the columns that are read.
        has_rel = role == "truth" and (opened.is_trec or is_nested)
        rel = self.space.columns[role][2] if has_rel else None
        return Source(role, label, view, types, rows, opened.is_trec, rel)

    def _open_text(self, role: str, text: str, label: str, view: str, is_file: bool) -> Opened:
        """Open a path, a query or the name of a table; with `is_file`, it is a path."""
        if not text.strip():
            raise ValueError(f"{label} is an empty text: give a path, a query or the name of a table")
        is_there = os.path.exists(os.path.expanduser(text))
        if not (is_file or is_there) and objects.is_query(text):
            return Opened(label, objects.open_query(self.space, text, label, view))
        text = os.path.expanduser(text)
        suffix = _suffix(text)
        paths = [text] if is_there else sorted(glob(text, recursive=True)) if has_magic(text) else []
        if suffix in _READERS or paths or is_file:
            return self._open_file(role, text, suffix, paths, f"{label} ({text})", view)
        if self.space.user_connection is None:
            missing = (
                f"{label}: there is no file {text!r}; for a table of a database, give the connection with "
            )
            raise CallFileNotFoundError(None, None, missing, Argument("con"), "=")
        label = f"{label} ({text})"
        try:
            return Opened(label, objects.open_table(self.space, text, label, view))
        except ValueError as error:
            if not isinstance(error.__cause__, duckdb.CatalogException):
                raise
            raise ValueError(f"{label}: there is no file and no table of this name") from error.__cause__

    def _open_paths(self, role: str, texts: list[str], label: str, view: str) -> Opened:
        """Open several files of one format as one table; a path may be a pattern."""
        paths: list[str] = []
        for text in map(os.path.expanduser, texts):
            is_known = os.path.exists(text) or "://" in text
            matches = [text] if is_known else sorted(glob(text, recursive=True)) if has_magic(text) else []
            if not matches:
                raise FileNotFoundError(f"{label}: there is no file {text!r}")
            if os.path.isdir(text):
                raise ValueError(f"{label}: {text!r} is a folder, and a list may hold files only")
            paths += matches
        suffixes = dict.fromkeys(map(_suffix, paths))
        if len({_READERS.get(suffix) for suffix in suffixes}) > 1:
            raise ValueError(
                f"{label}: the files of one table must have one format, got {', '.join(suffixes)}"
            )
        label = f"{label} ({paths[0]} and {len(paths) - 1} more)" if paths[1:] else f"{label} ({paths[0]})"
        return self._open_file(role, paths[0], _suffix(paths[0]), paths, label, view)

    def _open_file(
        self, role: str, path: str, suffix: str, paths: list[str], label: str, view: str
    ) -> Opened:
        """Open files of one format: `paths`, or `path` if it is a URL, or the files of the folder `path`."""
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
            if not all(Path(file).is_file() for file in paths):
                raise ValueError(
                    f"{label} is not a regular file: write the contents of a pipe to a file first"
                )
            if all(Path(file).stat().st_size == 0 for file in paths):
                raise ValueError(f"{label} is an empty file")
        listed = (paths or [path]) if is_remote else [*map(literal, paths)]
        if not is_remote:
            self._refuse_shared_files(role, paths, label)
        reader = _READERS.get(suffix)
        if reader is None:
            if role not in FORMATS:
                raise ValueError(f"{label} must be a file in Parquet, CSV or JSON, with its ending")
            with checked(paths, label):
                open_trec(self.space, role, listed, paths, label, view)
            return Opened(label, {}, is_trec=True)
        try:
            with checked([] if reader == "read_parquet" else paths or [path], label):
                if reader != "read_json" and len(paths) > 1:  # a missing JSON field is NULL
                    self._check_columns(reader, paths, label)
                if reader != "read_parquet":
                    return Opened(label, self._open_rows(role, reader, listed, label, view))
            texts = ", ".join(map(quote_text, listed))
            self.space.create("VIEW", view, f"FROM read_parquet([{texts}])", label)
            self.parquet_views[view] = role, label
        except duckdb.Error as error:
            raise ValueError(f"{label} cannot be read: {error_text(error)}") from error
        return Opened(label, {})

    def _open_rows(self, role: str, reader: str, paths: list[str], label: str, view: str) -> dict[str, str]:
        """Read CSV or JSON into a table, because parsing is slow; return the types of all columns."""
        columns = frozenset(map(str.lower, chain(*self.space.columns.values())))
        named = dict.fromkeys(self.numbers_of_items, "items") if role == "items" else {}
        if role in FORMATS:  # truth and rec have a column of values after those of users and items
            named[self.space.columns[role][2]] = "rel" if role == "truth" else "score"
        if self.weight is not None:
            named[self.weight] = "weight"
        numbers = {name.lower(): argument for name, argument in named.items()}
        rows = TextReader(self.space.con, reader, paths, columns=columns, numbers=numbers)
        try:
            self.space.create("TABLE", view, rows.query(), label)
        except duckdb.Error:
            if not rows.widen(label):
                raise
            self.space.create("TABLE", view, rows.query(), label)
        repeat = rows.repeated_names(view)
        if repeat:
            advice = "remove it, or give the parts of the table as a list of files"
            raise ValueError(f"{label}: {repeat}: {advice}")
        return rows.types

    def _refuse_shared_files(self, role: str, paths: list[str], label: str) -> None:
        """Remember the files of this role, and refuse one that the other role is read from."""
        given_paths = {os.path.realpath(path): path for path in paths}
        shared_paths = given_paths.keys() & self.files.get("truth" if role == "rec" else "rec", set())
        self.files[role] = {*given_paths}
        if shared_paths:
            listed = ", ".join(repr(given_paths[path]) for path in sorted(shared_paths))
            raise ValueError(
                f"{label}: {listed} cannot be both truth and rec: give each its own files, or queries"
            )

    def _check_columns(self, reader: str, paths: list[str], label: str) -> None:
        """Refuse files whose columns have different names: DuckDB might read them as one table."""
        columns = {
            path: self.space.types(
                f"{reader}({quote_text(literal(path))}{arguments_of_reader(reader, [path])})"
            )
            for path in paths
        }
        expected = {name.lower() for name in columns[paths[0]]}
        for path, types in columns.items():
            if {name.lower() for name in types} != expected:
                raise ValueError(
                    f"{label}: {paths[0]!r} has the columns {', '.join(columns[paths[0]])}, and {path!r} has "
                    f"{', '.join(types)}: all files must be parts of one table"
                )


def _decoded(given: str | os.PathLike[str], label: str) -> str:
    """Return a path or a query as text, which must be in UTF-8."""
    text = os.fsdecode(given)
    try:
        text.encode()
    except UnicodeEncodeError:
        raise ValueError(f"{label}: {text!r} is not text in UTF-8") from None
    return text


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
    if objects.is_query(text) or has_magic(text):
        return ""
    is_file = _suffix(text) in _READERS or os.path.exists(text)
    return _uncompressed(text).stem if is_file else text
