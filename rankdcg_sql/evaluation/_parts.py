"""Temporary copies of truth and rec on disk, divided by the hash of the user."""

from __future__ import annotations

import tempfile
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import duckdb

from rankdcg_sql._sql import fetch_one, quote_text
from rankdcg_sql.evaluation._types import BIGINT_OR_SMALLER, base_type

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rankdcg_sql.evaluation._truth_and_rec import TruthAndRec

#: Types whose values a Parquet file returns as they were.
_SAME_IN_PARQUET = {
    *BIGINT_OR_SMALLER,
    *("UBIGINT", "FLOAT", "DOUBLE", "DECIMAL", "BOOLEAN", "VARCHAR", "UUID", "DATE", "TIMESTAMP"),
}
#: The number of parts above which rows are copied. Measured: to copy rows takes as long as to read them
#: seven times.
_MOST_SCANS = 8


class Parts:
    """The rows of both tables, divided by the hash of the user into parts."""

    def __init__(self, count: int, sources: tuple[str, str], folder: Path | None) -> None:
        #: The number of parts.
        self.count = count
        # Queries or views with the rows of rec and of truth.
        self._sources = sources
        # The folder with a copy of each part; None if each part is selected from `sources`.
        self._folder = folder

    def rows(self, part: int) -> tuple[str, str]:
        """Write SQL for the rows of rec and of truth whose users are in a part, to stand after FROM."""
        return self._rows(part, 0), self._rows(part, 1)

    def _rows(self, part: int, place: int) -> str:
        source = self._sources[place]
        if self.count == 1:
            return source
        if self._folder is None:
            return f"{source} WHERE hash(userid) % {self.count} = {part}"
        files = sorted((self._folder / str(place) / f"part={part}").glob("*.parquet"))
        if not files:
            return f"{source} LIMIT 0"
        listed = ", ".join(quote_text(str(file)) for file in files)
        return f"read_parquet([{listed}], hive_partitioning = false)"


@contextmanager
def divided(tables: TruthAndRec, count: int, sources: tuple[str, str], types: set[str]) -> Iterator[Parts]:
    """Divide the rows of both tables by user into `count` parts, until the end of the block.

    Each part is selected from the sources, which reads them once a part. If there are many parts, the rows
    are first copied to files of one part each, in DuckDB's folder for temporary files. They are not copied if
    Parquet cannot hold one of `types`, those of the columns, or if DuckDB may not write files.

    Parameters
    ----------
    tables : TruthAndRec
        The tables, on the working connection.
    count : int
        The number of parts.
    sources : (str, str)
        Views of the rows of rec and of truth. Both have a column ``userid``.
    types : set of str
        The types of all columns of the sources.
    """
    with ExitStack() as closing:
        folder = None
        if count > _MOST_SCANS and {*map(base_type, types)} <= _SAME_IN_PARQUET:
            folder = _copies(tables, count, sources, closing)
        yield Parts(count, sources, folder)


def _copies(tables: TruthAndRec, count: int, sources: tuple[str, str], closing: ExitStack) -> Path | None:
    """Copy the rows to files of one part each; return their folder, or None if they cannot be written."""
    (temporary,) = fetch_one(tables.con.execute("SELECT current_setting('temp_directory')")) or ("",)
    try:
        if temporary:
            Path(temporary).mkdir(parents=True, exist_ok=True)
        made = tempfile.TemporaryDirectory(prefix="rankdcg_sql_", dir=temporary or None)
        folder = Path(closing.enter_context(made))
        for place, (label, source) in enumerate(
            zip((tables.rec.label, tables.truth.label), sources, strict=True)
        ):
            target = folder / str(place)
            tables.run(
                f"dividing {label} by users",
                f"COPY (SELECT *, hash(userid) % {count} AS part FROM {source}) TO {quote_text(str(target))} "
                "(FORMAT parquet, PARTITION_BY (part))",
            )
    except (OSError, duckdb.IOException, duckdb.PermissionException, duckdb.OutOfMemoryException):
        closing.close()  # a full disk is freed
        return None
    return folder
