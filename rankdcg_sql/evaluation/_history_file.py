"""Files of means of runs over time: how they are recognised, read and appended to.

A history has one row for each run, system, segment, metric and k. Other programs' files are never changed.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import time
from contextlib import contextmanager, suppress
from datetime import datetime, timezone
from glob import escape
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import duckdb
import pyarrow as pa

from rankdcg_sql import _native
from rankdcg_sql._errors import (
    Argument,
    CallError,
    CallFileNotFoundError,
    CallOSError,
    CallTypeError,
    CallValueError,
    shown,
)
from rankdcg_sql._sql import error_text, quote_name, quote_text
from rankdcg_sql.catalogue import options_text, version
from rankdcg_sql.evaluation._connection import connect_in_memory
from rankdcg_sql.evaluation._metrics import ALL_USERS

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from rankdcg_sql.evaluation._results import Evaluation, ResultBase

#: The columns of a history with their types, in the order in which a new file has them.
COLUMNS = {
    "run_at": "TIMESTAMPTZ",
    "label": "VARCHAR",
    "system": "VARCHAR",
    "segment": "VARCHAR",
    "metric": "VARCHAR",
    "k": "BIGINT",
    "n": "BIGINT",
    "mean": "DOUBLE",
    "low": "DOUBLE",
    "high": "DOUBLE",
    "without_value": "BIGINT",
    "users": "VARCHAR",
    "interval": "VARCHAR",
    "confidence": "DOUBLE",
    "options": "VARCHAR",
    "truth": "VARCHAR",
    "rec": "VARCHAR",
    "rankdcg_sql": "VARCHAR",
    "duckdb": "VARCHAR",
}
#: The words by which `history` finds the run with which each run is compared. They are no labels.
WORDS_FOR_RUNS = ("previous", "first")
#: The columns by which a file is recognised. A file without one of the others is a history, too.
REQUIRED = ("run_at", "label", "metric", "k", "n", "mean", "low", "high", "confidence", "rankdcg_sql")
#: The reader of each ending, with `{}` for the path. The values of CSV are read as texts, so that columns of
#: others come back as they were.
READERS = {
    ".parquet": "read_parquet({})",
    ".csv": "read_csv({}, delim = ',', quote = '\"', escape = '\"', header = true, all_varchar = true)",
}
_WRITERS = {".parquet": "FORMAT parquet", ".csv": "FORMAT csv, HEADER"}
#: The seconds after which an append gives up to wait for others.
_PATIENCE = 60.0


def connect_in_utc() -> duckdb.DuckDBPyConnection:
    """Open a connection that reads and shows times in UTC."""
    con = connect_in_memory()
    con.execute("SET TimeZone = 'UTC'")
    return con


def check_history_path(caller: str, path: str | Path) -> Path:
    """Check that a history can be appended to, and return the path of the file with links followed.

    Raises
    ------
    CallValueError
        If the name has another ending, or the file is there and is no history.
    CallOSError
        If the folder is missing, or the file or its folder is not writable.
    """
    target = _real_path(caller, path)
    if not target.parent.is_dir():
        raise CallOSError(caller, "path", f"there is no folder {str(target.parent)!r}")
    if not os.access(target.parent, os.W_OK):
        raise CallOSError(caller, "path", f"the folder {str(target.parent)!r} is not writable")
    if target.exists():
        read_history(caller, target, is_kept=True)
        if not os.access(target, os.W_OK):
            raise CallOSError(caller, "path", f"{str(target)!r} is not writable")
    return target


def read_history(caller: str, path: str | Path, is_kept: bool = False) -> pa.Table:
    """Read a history: the columns `COLUMNS`, NULL if the file lacks one, and then those of others.

    With `is_kept`, an error says that the file stays as it is, because the call would write it.

    Raises
    ------
    CallFileNotFoundError
        If there is no such file.
    CallValueError
        If the file is no history.
    """
    target = _real_path(caller, path)
    if not target.exists():
        raise CallFileNotFoundError(caller, "path", f"there is no file {str(path)!r}")
    refused = f"{str(path)!r} is no history of rankdcg_sql{', and stays as it is' if is_kept else ''}"
    if not target.is_file():
        raise CallValueError(caller, "path", f"{refused}: it is no file")
    reader = READERS[target.suffix.lower()]
    with connect_in_utc() as con, TemporaryDirectory(prefix="rankdcg_sql_") as folder:
        try:
            found = con.sql(f"FROM {reader.format(quote_text(escape(str(target))))}")
            missing = [name for name in REQUIRED if name not in found.columns]
            if missing:
                others = f" and {len(missing) - 1} others" if len(missing) > 1 else ""
                raise CallValueError(caller, "path", f"{refused}: it lacks the column {missing[0]}{others}")
            # DuckDB opens a file several times, and an append may replace it in between.
            copied = shutil.copyfile(target, Path(folder, f"history{target.suffix.lower()}"))
            if copied.suffix == ".csv" and not copied.read_bytes().endswith(b"\n"):
                raise CallValueError(caller, "path", f"{refused}: its last line has no end")
            found = con.sql(f"FROM {reader.format(quote_text(escape(str(copied))))}")
            return found.project(_as_history(found.columns)).to_arrow_table()
        except duckdb.InvalidInputException as error:  # DuckDB's text lists all settings of its readers
            kind = "Parquet" if target.suffix.lower() == ".parquet" else "CSV"
            raise CallValueError(caller, "path", f"{refused}: it cannot be read as {kind}") from error
        except duckdb.Error as error:
            raise CallValueError(caller, "path", f"{refused}: {error_text(error)}") from error
        except OSError as error:
            raise CallOSError(caller, "path", f"{str(path)!r} cannot be read: {error}") from error


def _as_history(columns: list[str]) -> str:
    """Write SQL that selects the columns of a history from those of a file."""
    known = [
        f"CAST({quote_name(name) if name in columns else 'NULL'} AS {kind}) AS {quote_name(name)}"
        for name, kind in COLUMNS.items()
    ]
    return ", ".join([*known, *(quote_name(name) for name in columns if name not in COLUMNS)])


def append_result(
    result: ResultBase,
    path: str | Path,
    label: str | None = None,
    run_at: datetime | None = None,
    truth: str | None = None,
    recs: Mapping[Any, str] | None = None,
) -> None:
    """Append the means of a result to a history; see `ResultBase.append`.

    `truth` and `recs` are the tables as texts, those of rec keyed by the system, or by None without systems.
    """
    caller = "append"
    check_label(caller, label)
    constants = {
        "run_at": _utc(caller, run_at),
        "label": label,
        "truth": truth,
        "rankdcg_sql": version(),
        "duckdb": duckdb.__version__,
    }
    target = check_history_path(caller, path)
    rows = pa.concat_tables(
        _rows(each, constants | {"system": system, "rec": (recs or {}).get(system)})
        for system, each in result.systems
    )
    try:
        with _locked(caller, target):
            _replace(caller, target, rows)
    except CallError:
        raise
    except (OSError, duckdb.IOException) as error:
        raise CallOSError(caller, "path", f"{str(path)!r} cannot be written: {error}") from error


def check_label(caller: str, label: str | None) -> None:
    """Check the name of a run; None is no name.

    Raises
    ------
    CallTypeError
        If it is no text.
    CallValueError
        If it is empty, or one of `WORDS_FOR_RUNS`.
    """
    if label is None:
        return
    if not isinstance(label, str):
        raise CallTypeError(caller, "label", Argument("label"), f" must be a text, got {shown(label)}")
    _native.check_text(caller, "label", label)
    if not label.strip():
        raise CallValueError(caller, "label", Argument("label"), f" must not be empty, got {label!r}")
    if label in WORDS_FOR_RUNS:
        words = " or ".join(map(repr, WORDS_FOR_RUNS))
        allowed = f" must not be {words}, which mean other runs in `history`, got {label!r}"
        raise CallValueError(caller, "label", Argument("label"), allowed)


def _utc(caller: str, run_at: datetime | None) -> str:
    """Write a time in UTC, which is the present if none is given."""
    if run_at is None:
        return datetime.now(timezone.utc).isoformat()
    if not isinstance(run_at, datetime):
        raise CallTypeError(
            caller, "run_at", Argument("run_at"), f" must be a datetime with a time zone, got {shown(run_at)}"
        )
    if run_at.utcoffset() is None:
        raise CallValueError(
            caller,
            "run_at",
            Argument("run_at"),
            f" must have a time zone, such as UTC, got {run_at}",
        )
    return run_at.astimezone(timezone.utc).isoformat()


def _rows(evaluation: Evaluation, constants: Mapping[str, str | None]) -> pa.Table:
    """Return the means of an evaluation as rows of a history."""
    values = {
        **{name: _sql_text(text) for name, text in constants.items()},
        "segment": _segment(evaluation.by),
        "users": quote_text(evaluation.users),
        "interval": quote_text(evaluation.interval),
        "confidence": repr(evaluation.confidence),
        "options": _sql_text(options_text(dict(sorted(evaluation.options.items())))),
    }
    columns = (
        f"CAST({values.get(name, quote_name(name))} AS {kind}) AS {quote_name(name)}"
        for name, kind in COLUMNS.items()
    )
    return evaluation.summary.project(", ".join(columns)).to_arrow_table()


def _sql_text(text: str | None) -> str:
    """Write a text in SQL. An empty one is NULL, because CSV does not tell the two apart."""
    return quote_text(text) if text else "NULL"


def _segment(by: tuple[str, ...]) -> str:
    """Write SQL for a segment as a JSON object of the columns of `by`; NULL for all users."""
    if not by:
        return "NULL"
    pairs = ", ".join(f"{quote_text(name)}, {quote_name(name)}" for name in by)
    return f"if(all_users, NULL, system.main.json_object({pairs})::VARCHAR)"


def segment_in_words(segment: str | None) -> str:
    """Write a segment of a history as a requirement names it, such as ``plan=free``."""
    if segment is None:
        return ALL_USERS
    try:
        values = json.loads(segment).items()
    except (AttributeError, ValueError):  # somebody else wrote the row
        return segment
    return ", ".join(f"{name}={'NULL' if value is None else value}" for name, value in values)


def _replace(caller: str, target: Path, rows: pa.Table) -> None:
    """Write the old rows and the new ones to another file, which then takes the place of the old one."""
    is_there = target.exists()
    old = read_history(caller, target, is_kept=True) if is_there else rows.slice(0, 0)
    written = target.with_name(f".{target.name}.{uuid4().hex}{target.suffix}")
    # A zone has no meaning in the text of CSV, which therefore says UTC.
    is_csv = target.suffix.lower() == ".csv"
    time_in_utc = "strftime(make_timestamp(epoch_us(run_at)), '%Y-%m-%dT%H:%M:%S.%fZ') AS run_at"
    chosen = f"* REPLACE ({time_in_utc})" if is_csv else "*"
    try:
        with connect_in_utc() as con:
            con.register("old_rows", old)
            con.register("new_rows", rows)
            con.execute(
                f"COPY (SELECT {chosen} FROM (FROM old_rows UNION ALL BY NAME FROM new_rows)) "
                f"TO {quote_text(str(written))} ({_WRITERS[target.suffix.lower()]})"
            )
        if is_there:
            shutil.copymode(target, written)
        with written.open("r+b") as file:
            os.fsync(file.fileno())
        os.replace(written, target)
    finally:
        written.unlink(missing_ok=True)
    _sync_folder(target.parent)


def _sync_folder(folder: Path) -> None:
    """Make the new name of a file last through a crash of the machine; Windows cannot open folders."""
    if sys.platform != "win32":
        opened = os.open(folder, os.O_RDONLY)
        try:
            with suppress(OSError):  # some file systems of networks refuse
                os.fsync(opened)
        finally:
            os.close(opened)


@contextmanager
def _locked(caller: str, target: Path) -> Iterator[None]:
    """Hold the lock of a history, a file beside it that only appends open.

    The operating system frees the lock of a process that ends. The last holder removes the file.
    """
    path = target.with_name(f".{target.name}.lock")
    end = time.monotonic() + _PATIENCE
    while True:
        lock = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
        if _try_lock(lock):
            # The process that held the lock before may have removed the file from the folder.
            with suppress(FileNotFoundError):
                if os.path.samestat(os.fstat(lock), os.stat(path)):
                    break
        os.close(lock)
        if time.monotonic() > end:
            raise CallOSError(
                caller, "path", f"another process has held {str(path)!r} for {_PATIENCE:.0f} seconds"
            )
        time.sleep(0.02)
    try:
        yield
    finally:
        if os.fstat(lock).st_size == 0:  # otherwise it is a file of others with this name
            with suppress(PermissionError):  # Windows removes no file that is open
                path.unlink(missing_ok=True)
        os.close(lock)


def _try_lock(lock: int) -> bool:
    """Lock an open file unless another process has; closing the file frees it."""
    try:
        if sys.platform == "win32":
            msvcrt.locking(lock, msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    return True


def _real_path(caller: str, path: Any) -> Path:
    """Follow links, and check the ending of the name."""
    if not isinstance(path, str | os.PathLike):
        raise CallTypeError(caller, "path", Argument("path"), f" must be a path, got {shown(path)}")
    _native.check_text(caller, "path", str(path))
    target = Path(os.path.realpath(path))
    for name in (Path(path), target):
        if name.suffix.lower() not in READERS:
            raise CallValueError(caller, "path", f"{str(name)!r} must end with {' or '.join(READERS)}")
    return target
