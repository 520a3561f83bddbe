"""Qrels and runs of TREC, read line by line."""

from __future__ import annotations

from typing import TYPE_CHECKING

import duckdb

from rankdcg_sql._sql import error_text, fetch_one, quote_name, quote_text
from rankdcg_sql.evaluation._tables.files import CODECS, codec_of, open_file

if TYPE_CHECKING:
    from rankdcg_sql.evaluation._tables.workspace import Workspace

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
    line = f"concat_ws(chr({_NO_CHARACTER}), coalesce(line, chr({_NO_CHARACTER - 1})), rest)"
    bad = fetch_one(space.con.execute(f"SELECT {line} FROM {lines} WHERE {wrong} LIMIT 1"))
    if bad:
        raise ValueError(
            f"{label}: each line of {kind} must have {len(fields)} fields ({' '.join(fields)}) with a number "
            f"as {fields[value_field - 1]}, got {bad[0]!r}{_place_of_line(paths, codec, bad[0])}"
        )
    if role == "rec":
        _refuse_several_runs(space, lines, label)
    # A relevance below 0 counts as 0.
    value = number if role == "rec" else f"greatest({number}, 0)"
    user, item, last = map(quote_name, space.columns[role][:3])
    fields_of_line = f"field[1] AS {user}, field[3] AS {item}, {value} AS {last}"
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


def _check_first_line(line: str, role: str, label: str) -> None:
    """Raise an error unless the first line has the number of fields of a role."""
    kind, fields = FORMATS[role]
    found = len(line.encode().split())
    for other, (name, others) in FORMATS.items():
        if found == len(others) and other != role:
            raise ValueError(
                f"{label} is {name}, but must be {kind}: are truth and rec swapped? "
                f"Its first line is {line!r}"
            )
    if found != len(fields):
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
            for number, found in enumerate(opened, start=1):
                if found.strip().startswith(wanted):
                    return f" (line {number:,} of {path})"
    return ""
