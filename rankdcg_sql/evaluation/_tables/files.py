"""Files of rows: whether they are whole, CSV and JSON as they were written, and TREC's qrels and runs."""

from __future__ import annotations

import os
import re
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from glob import escape
from io import BufferedReader
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING

import duckdb

from rankdcg_sql._errors import CallValueError, shown
from rankdcg_sql._sql import column_types, error_text, fetch_one, quote_name, quote_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    import duckdb

    from rankdcg_sql.evaluation._tables.workspace import Workspace


#: The names of compressions, keyed by the endings of files that DuckDB decompresses.
CODECS = {".gz": "gzip", ".zst": "zstd"}
#: The names of compressions, keyed by patterns of how compressed files start. TREC files may be compressed
#: with gzip alone.
_COMPRESSIONS = {
    rb"\x1f\x8b": "gzip",
    rb"BZh[1-9]1AY&SY": "bzip2",
    rb"\xfd7zXZ\x00": "xz",
    rb"\x28\xb5\x2f\xfd": "zstd",
    rb"PK\x03\x04": "zip",
}
#: Up to this number, floating point of 64 bits tells whole numbers apart.
_MAX_APART = 2**53
#: The bytes of a compressed file that are read at once.
_CHUNK = 1 << 20
#: Settings of the reader of CSV that it would otherwise guess. A wrong guess leaves out rows: those that
#: start with a mark of comments, those above the line that it takes for the names, and those between two
#: signs that it takes for quotes.
_SETTINGS = {"read_csv": ", comment = '', skip = 0, quote = '\"', escape = '\"'", "read_json": ""}


def _codec_in_name(path: str) -> str | None:
    """Return the compression that the ending of a file's name tells; None if it tells none."""
    return CODECS.get(Path(path).suffix.lower())


def codec_of(path: str) -> str:
    """Return the name of a file's compression, or ``none``, by its name, or else by its first bytes.

    The name tells DuckDB how files of CSV and JSON are compressed. TREC files may have any name.
    """
    named = _codec_in_name(path)
    if named or "://" in path:
        return named or "none"
    with Path(path).open("rb") as file:
        start = file.read(16)
    return next((name for pattern, name in _COMPRESSIONS.items() if re.match(pattern, start)), "none")


def arguments_of_reader(reader: str, paths: list[str]) -> str:
    """Write the arguments, after the files, with which a function of DuckDB reads them."""
    # Before version 2.0, DuckDB knows the endings of compressed files in small letters only. A call has one
    # argument for all its files, so files of different compressions are left to their endings.
    codecs = set(map(_codec_in_name, paths))
    codec = codecs.pop() if len(codecs) == 1 else None
    return _SETTINGS.get(reader, "") + (f", compression = '{codec}'" if codec else "")


def open_file(path: str, codec: str) -> BufferedReader:
    """Open a file to read what was compressed; `codec` is ``none`` for a plain one."""
    import pyarrow as pa

    return BufferedReader(pa.input_stream(path, compression=None if codec == "none" else codec), _CHUNK)


@contextmanager
def checked(paths: list[str], label: str) -> Iterator[None]:
    """Check compressed files while the body reads them, which hides most of the time that this takes.

    DuckDB compares no checksum of gzip, and reads a file in Zstandard that was cut off as a shorter one. An
    error about a file comes before one of the body. A file in Zstandard at a URL cannot be checked.
    """
    codecs = {path: codec_of(path) for path in paths}
    for path, codec in codecs.items():
        if "://" in path and codec == "zstd":
            raise ValueError(
                f"{label} is compressed with zstd, and whether {path!r} is whole can only be checked on this "
                "machine: download it first, or use gzip"
            )
    local = {path: codec for path, codec in codecs.items() if codec in CODECS.values() and "://" not in path}
    stopped = Event()
    with ThreadPoolExecutor(1) as worker:
        checks = [worker.submit(_check_whole, path, codec, label, stopped) for path, codec in local.items()]
        try:
            try:
                yield
            except Exception:
                _raise_damage(checks)
                raise
            _raise_damage(checks)
        finally:  # Ctrl+C ends the checks, too
            stopped.set()


def _raise_damage(checks: list[Future[None]]) -> None:
    """Wait for the checks of files, and raise the error of the first one that failed."""
    for check in checks:
        check.result()


def _check_whole(path: str, codec: str, label: str, stopped: Event) -> None:
    """Read a compressed file to its end, where its checksums are, unless this is `stopped`."""
    try:
        with open_file(path, codec) as opened:
            while not stopped.is_set() and opened.read(_CHUNK):
                pass
    except OSError as error:
        raise ValueError(
            f"{label} cannot be read: {path!r} is damaged, was cut off, or is not in {codec}: {error}"
        ) from error


def literal(path: str) -> str:
    """Write the path of an existing file so that DuckDB does not read it as a pattern.

    A path with a backslash stays as it is: DuckDB tries a path literally first, and could not read the
    escaped form of this one. A path with a tilde in front is made absolute, because DuckDB would replace the
    tilde by the home folder.
    """
    path = os.path.abspath(path) if path.startswith("~") else path
    return path if "\\" in path else escape(path)


@dataclass
class TextReader:
    """Reads CSV or JSON so that every value is the one that was written, or else an error names it.

    DuckDB chooses the types of columns by the first rows, and changes later values to these types: 1.5 to 2,
    and 007 and 1_000 to 7 and 1000. The columns that matter are therefore read as texts. A column takes the
    type that DuckDB chose if all its texts are values of this type as people write them. Otherwise ids stay
    texts, and numbers become floating point. So do those of a column of JSON with values of several kinds.
    """

    #: The working connection.
    con: duckdb.DuckDBPyConnection
    #: DuckDB's function, ``read_csv`` or ``read_json``.
    reader: str
    #: The files, without patterns for DuckDB, or one URL.
    paths: list[str]
    #: The names of the columns that matter, in lower case.
    columns: frozenset[str]
    #: The argument that names each column of numbers, keyed by the column's name in lower case.
    numbers: dict[str, str]
    #: The SQL type of each column of the files, keyed by name.
    types: dict[str, str] = field(init=False)

    def __post_init__(self) -> None:
        """Choose the types by the first rows."""
        self._arguments = arguments_of_reader(self.reader, self.paths)
        self.types = column_types(self.con, self._rows(self.paths))
        # Nested values, whose types end in a bracket, get errors of their own.
        texts = {
            name: "VARCHAR"
            for name, kind in self.types.items()
            if name.lower() in self.columns and kind != "VARCHAR" and kind[-1] not in ")]"
        }
        self._read_as_text = [*texts]
        # read_json takes the types of all columns or of none.
        argument, types = ("types", texts) if self.reader == "read_csv" else ("columns", self.types | texts)
        if texts:
            pairs = ", ".join(f"{quote_name(name)}: {quote_text(kind)}" for name, kind in types.items())
            self._arguments += f", {argument} = {{{pairs}}}"
        # DuckDB gives the type JSON to values of several kinds, if it meets them in its first rows.
        for name in texts:
            if self.types[name] == "JSON":
                self.types[name] = self._widest(name)

    def query(self) -> str:
        """Return SQL for the columns that matter; it fails if a text is no value of its column's type."""
        kept = (self._selected(name) for name in self.types if name.lower() in self.columns)
        # Without any of the columns, 1 keeps the number of rows.
        return f"SELECT {', '.join(kept) or 1} FROM {self._rows(self.paths)}"

    def widen(self, label: str) -> bool:
        """Widen the type of each column with a text that is no value of it; return whether there was one.

        A text in a column of numbers that is no number is an error about the argument that names the column.
        """
        narrow = [name for name in self._read_as_text if self._misfit(name) is not None]
        for name in narrow:
            self.types[name] = self._widest(name)
            text = self._misfit(name)
            if text is not None:
                again = ": is it a second line of names?" if text == name else ""
                wrong = f"{name} of {label} must be a number, got {shown(text)}"
                raise CallValueError(
                    None, self.numbers[name.lower()], f"{wrong}{self._place(name, text)}{again}"
                )
        return bool(narrow)

    def repeated_names(self, view: str) -> str | None:
        """Return a sentence if a row of `view`, which has the rows of CSV, repeats the line of names."""
        kept = [name for name in self.types if name.lower() in self.columns]
        # A name in a column of numbers is an error of `widen`. One column alone may have its name as a value.
        if self.reader != "read_csv" or len(kept) < 2 or {self.types[name] for name in kept} != {"VARCHAR"}:
            return None
        same = " AND ".join(f"{quote_name(name)} = {quote_text(name)}" for name in kept)
        if not fetch_one(self.con.execute(f"SELECT 1 FROM {view} WHERE {same} LIMIT 1")):
            return None
        return f"the line of names stands among the rows, too{self._place(kept[0], kept[0])}"

    def _rows(self, paths: list[str]) -> str:
        """Write SQL for the rows of files."""
        return f"{self.reader}([{', '.join(map(quote_text, paths))}]{self._arguments})"

    def _selected(self, name: str) -> str:
        """Write a column in the type that was chosen for it; a text that is no value of it is an error."""
        column, kind = quote_name(name), self.types[name]
        if name not in self._read_as_text or kind == "VARCHAR":
            return column
        # The query shall fail if a text does not fit, and CAST takes less time than TRY_CAST.
        fits = self._fits(name, "CAST")
        return (
            f"CASE WHEN {fits} THEN CAST({column} AS {kind}) "
            f"WHEN {column} IS NOT NULL THEN error('a value of another type') END AS {column}"
        )

    def _widest(self, name: str) -> str:
        """Return the type to which a column changes if texts do not fit the one that DuckDB chose."""
        return "DOUBLE" if name.lower() in self.numbers else "VARCHAR"

    def _fits(self, name: str, cast: str = "TRY_CAST") -> str:
        """Write the condition that a text is a value of its column's type; it is NULL or false otherwise."""
        column, kind = quote_name(name), self.types[name]
        value = f"{cast}({column} AS {kind})"
        if kind == "VARCHAR":
            return "true"
        if name.lower() in self.numbers and kind in ("DOUBLE", "BOOLEAN"):
            return f"(NOT contains({column}, '_') AND {value} IS NOT NULL)"
        if kind == "DOUBLE":  # 1.10 and 1.1 are two ids in CSV, and one number in JSON
            return f"abs({value}) < {_MAX_APART}" if self.reader == "read_json" else "false"
        return f"({value}::VARCHAR = {column} OR {value}::VARCHAR = trim({column}))"  # 007 is not 7

    def _misfit(self, name: str) -> str | None:
        """Return a text that is no value of its column's type; None if there is none."""
        column = quote_name(name)
        bad = f"{column} IS NOT NULL AND NOT coalesce({self._fits(name)}, false)"
        query = f"SELECT {column} FROM {self._rows(self.paths)} WHERE {bad} LIMIT 1"
        row = fetch_one(self.con.execute(query))
        return row[0] if row else None

    def _place(self, name: str, text: str) -> str:
        """Say where a text first stands, for the end of a message."""
        for path in self.paths:
            query = (
                f"SELECT row_number() OVER () AS place, {quote_name(name)} AS text FROM {self._rows([path])}"
            )
            (place,) = fetch_one(
                self.con.execute(f"SELECT min(place) FROM ({query}) WHERE text = {quote_text(text)}")
            ) or (None,)
            if place:
                return f" (row {place:,} of {path})"
        return ""


#: The format of each role: its name, and the fields of its lines.
FORMATS = {
    "truth": ("TREC qrels", ("query", "iteration", "document", "relevance")),
    "rec": ("a TREC run", ("query", "Q0", "document", "rank", "score", "tag")),
}
_KINDS = "Parquet (.parquet), CSV (.csv, .tsv), JSON (.json, .jsonl, .ndjson), or a TREC file"
#: The code of a character that is none, and that no text has. The one before it is none either.
_NO_CHARACTER = 0x10FFFF
#: The characters between the fields of a line, in SQL.
_BLANKS = r"e' \t\r\x0b\f'"
#: The first line must be shorter than this, in bytes.
_MAX_LINE = 1_000_000


def open_trec(
    space: Workspace, role: str, listed: list[str], paths: list[str], label: str, view: str
) -> None:
    """Read files into a table: each row is a line, with fields separated by blanks or tabs.

    `listed` has the `paths` as DuckDB takes them.
    """
    kind, fields = FORMATS[role]
    codec = _codec(paths, label)
    _check_first_line(_first_line(paths[0], codec, label), role, label)
    lines = space.own("lines")
    # `line` is a whole line, because no text has the delimiter. A line that has it anyway is refused below.
    try:
        space.run(
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
    wrong = f"len(field) <> {len(fields)} OR {number} IS NULL OR contains({text}, '_') OR rest IS NOT NULL"
    as_written = f"concat_ws(chr({_NO_CHARACTER}), coalesce(line, chr({_NO_CHARACTER - 1})), rest)"
    wrong_line = fetch_one(space.con.execute(f"SELECT {as_written} FROM {lines} WHERE {wrong} LIMIT 1"))
    if wrong_line:
        raise ValueError(
            f"{label}: each line of {kind} must have {len(fields)} fields ({' '.join(fields)}) with a number "
            f"as {fields[value_field - 1]}, got {wrong_line[0]!r}"
            f"{_place_of_line(paths, codec, wrong_line[0])}"
        )
    if role == "rec":
        _refuse_several_runs(space, lines, label)
    # A relevance below 0 counts as 0.
    value = number if role == "rec" else f"greatest({number}, 0)"
    user, item, value_name = map(quote_name, space.columns[role][:3])
    fields_of_line = f"field[1] AS {user}, field[3] AS {item}, {value} AS {value_name}"
    if role == "truth" and "iteration" in map(str.lower, space.columns[role][3:]):  # the aspects
        fields_of_line += ", field[2] AS iteration"
    space.create("TABLE", view, f"SELECT {fields_of_line} FROM {lines}", label)
    space.con.execute(f"DROP TABLE {lines}")


def _codec(paths: list[str], label: str) -> str:
    """Return the compression of all files, ``none`` if they have none."""
    codec = codec_of(paths[0])
    for path in paths:
        if codec_of(path) != codec:
            raise ValueError(f"{label}: {paths[0]!r} and {path!r} must be compressed alike")
    if codec not in ("none", *CODECS.values()):
        raise ValueError(f"{label} is compressed with {codec}: decompress it first, or use gzip")
    return codec


def _first_line(path: str, codec: str, label: str) -> str:
    """Return the first line that is not blank; empty if there is none."""
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


def _check_first_line(line: str, role: str, label: str) -> None:
    """Raise an error unless the first line has the number of fields of a role."""
    kind, fields = FORMATS[role]
    count = len(line.encode().split())  # text would be divided at the blanks of Unicode, too
    for other, (name, others) in FORMATS.items():
        if count == len(others) and other != role:
            raise ValueError(
                f"{label} is {name}, but must be {kind}: are truth and rec swapped? "
                f"Its first line is {line!r}"
            )
    if count != len(fields):
        csv = "; if it is a CSV file, let its name end with .csv" if "," in line else ""
        raise ValueError(f"{label} is none of {_KINDS}; its first line is {line[:80]!r}{csv}")


def _refuse_several_runs(space: Workspace, lines: str, label: str) -> None:
    tags = space.con.execute(f"SELECT DISTINCT field[6] FROM {lines} ORDER BY 1 ASC").fetchall()
    if len(tags) > 1:
        named = ", ".join(tag for (tag,) in tags[:5])
        raise ValueError(
            f"{label} has the runs of {len(tags)} systems ({named}): put each into a file of its "
            "own, and compare them"
        )


def _place_of_line(paths: list[str], codec: str, line: str) -> str:
    """Say where a line is first found, for the end of a message; empty if it is not found."""
    wanted = line.strip().encode()
    for path in paths:
        with open_file(path, codec) as opened:
            for number, text in enumerate(opened, start=1):
                if text.strip().startswith(wanted):
                    return f" (line {number:,} of {path})"
    return ""
