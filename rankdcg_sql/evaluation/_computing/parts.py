"""The rows of truth and rec in parts, each of which has all rows of its users."""

from __future__ import annotations

from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import duckdb

from rankdcg_sql._sql import fetch_one, quote_text
from rankdcg_sql._temporary_folder import temporary_folder
from rankdcg_sql.evaluation._tables.types import BIGINT_OR_SMALLER, base_type

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rankdcg_sql.evaluation._tables.source import TruthAndRec

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
    #: The columns that are needed.
    columns: tuple[str, ...]
    #: The types of these columns.
    types: tuple[str, ...]

    @property
    def can_be_copied(self) -> bool:
        """Whether a Parquet file returns all values as they were."""
        return {*map(base_type, self.types)} <= _SAME_IN_PARQUET


@contextmanager
def divide(tables: TruthAndRec, rows: tuple[Rows, ...], count: int) -> Iterator[list[tuple[str, ...]]]:
    """Divide rows by the hash of the user into `count` parts, which exist until the end of the block.

    A part is selected from all rows, so that `count` parts read them `count` times. If there are many parts,
    the rows are first copied to files of one part each, in DuckDB's folder for temporary files. They are not
    copied if Parquet cannot hold their types, if DuckDB may not write files, or if the disk is full.

    Yields
    ------
    list of tuple of str
        For each part, SQL that stands after FROM, one for each of `rows`.
    """
    with ExitStack() as closing:
        folder = None
        if count > _MAX_SCANS and all(table.can_be_copied for table in rows):
            folder = _copy(tables, rows, count, closing)
        yield [
            tuple(_part(table, place, number, count, folder) for place, table in enumerate(rows))
            for number in range(count)
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
                f"COPY (SELECT {', '.join(table.columns)}, hash(userid) % {count} AS part "
                f"FROM {table.query}) "
                f"TO {quote_text(str(folder / str(place)))} (FORMAT parquet, PARTITION_BY (part))",
            )
    except (OSError, duckdb.IOException, duckdb.PermissionException, duckdb.OutOfMemoryException):
        closing.close()  # frees the disk at once
        return None
    return folder


def _remove_if_empty(folder: str) -> None:
    with suppress(OSError):
        Path(folder).rmdir()


def _part(rows: Rows, place: int, number: int, count: int, folder: Path | None) -> str:
    if count == 1:
        return rows.query
    if folder is None:
        return f"{rows.query} WHERE hash(userid) % {count} = {number}"
    files = sorted((folder / str(place) / f"part={number}").glob("*.parquet"))
    if not files:
        return f"{rows.query} WHERE false"
    listed = ", ".join(quote_text(str(file)) for file in files)
    return f"read_parquet([{listed}], hive_partitioning = false)"
