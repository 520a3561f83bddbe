"""Files of means of runs over time: how they are recognised, read and appended to.

A history has one row for each run, system, segment, metric and k. Other programs' files are never changed.
"""

from __future__ import annotations

import csv
import json
import os
import re
import shutil
import stat
import sys
import time
from collections import Counter
from contextlib import contextmanager, suppress
from copy import copy
from datetime import datetime, timezone
from glob import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import duckdb
import pyarrow as pa

from rankdcg_sql import _native
from rankdcg_sql._errors import (
    CallError,
    CallFileNotFoundError,
    CallOSError,
    CallTypeError,
    CallValueError,
    shown,
)
from rankdcg_sql._sql import error_text, quote_name, quote_text
from rankdcg_sql._temporary_folder import temporary_folder
from rankdcg_sql.catalogue import options_text, version
from rankdcg_sql.evaluation._tables.workspace import connect_in_memory
from rankdcg_sql.evaluation._terms.counts import pluralize
from rankdcg_sql.evaluation._terms.metrics import ALL_USERS

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from rankdcg_sql.evaluation._results.interface import EvaluationLike

    #: The summary of each system, and texts for columns, in place of those of its evaluation.
    Corrected = Mapping[str | None, tuple[duckdb.DuckDBPyRelation, dict[str, str | None]]]

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
    "interval_by": "VARCHAR",
    "confidence": "DOUBLE",
    "options": "VARCHAR",
    "weighted_by": "VARCHAR",
    "corrected_by": "VARCHAR",
    "truth": "VARCHAR",
    "rec": "VARCHAR",
    "truth_fingerprint": "VARCHAR",
    "rec_fingerprint": "VARCHAR",
    "items_fingerprint": "VARCHAR",
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
#: The most characters of a run's label: more would not be read again, and no table has room for them.
_MAX_LABEL_LENGTH = 1_000
#: The content of the lock of a history. A file with another content was not made here, and stays.
_LOCK = b"rankdcg_sql: an append holds this lock\n"
#: The types of Parquet that integers have without a word, too.
_SIGNED = ("Int(bitWidth=64, isSigned=true)", "Int(bitWidth=32, isSigned=true)")
#: Only Windows lacks the flags: the last part of a path is no link, and a FIFO is not waited for.
_PLAINLY = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
#: The seconds after which an append gives up to wait for others.
_PATIENCE = 60.0


def connect_in_utc() -> duckdb.DuckDBPyConnection:
    """Open a connection that reads and shows times in UTC."""
    con = connect_in_memory()
    con.execute("SET TimeZone = 'UTC'")
    return con


def check_history_path(caller: str, path: str | Path) -> Path:
    """Return the path of a history with links followed, and raise an error if it cannot be appended to."""
    target = _real_path(caller, path)
    if not target.parent.is_dir():
        raise CallOSError(caller, "path", f"there is no folder {str(target.parent)!r}")
    if not os.access(target.parent, os.W_OK):
        raise CallOSError(caller, "path", f"the folder {str(target.parent)!r} is not writable")
    if target.exists():
        read_history(caller, target, is_kept=True)  # fails if it is no history
        if not os.access(target, os.W_OK):
            raise CallOSError(caller, "path", f"{str(target)!r} is not writable")
    return target


def read_history(caller: str, path: str | Path, is_kept: bool = False) -> pa.Table:
    """Read a history: the columns `COLUMNS`, NULL if the file lacks one, and then those of others.

    With `is_kept`, an error says that the file stays as it is, because the call would write it.
    """
    target = _real_path(caller, path)
    if not target.exists():
        raise CallFileNotFoundError(caller, "path", f"there is no file {str(path)!r}")
    refused = f"{str(path)!r} is no history of rankdcg_sql{', and stays as it is' if is_kept else ''}"
    if not target.is_file():
        raise CallValueError(caller, "path", f"{refused}: it is no file")
    with connect_in_utc() as con, temporary_folder() as folder:
        try:
            # DuckDB opens a file several times, and an append may replace it in between.
            copied = shutil.copyfile(target, Path(folder, f"history{target.suffix.lower()}"))
            source, columns = _open(con, copied)
            missing = [name for name in REQUIRED if name not in columns]
            wrong = _why_no_history(con, source, columns, copied)
            if missing:
                others = f" and {pluralize(len(missing) - 1, 'other')}" if len(missing) > 1 else ""
                wrong = f"it lacks the column {missing[0]}{others}"
            if wrong:
                raise CallValueError(caller, "path", f"{refused}: {wrong}")
            return con.sql(f"SELECT {_as_history(columns)} FROM {source}").to_arrow_table()
        except duckdb.InvalidInputException as error:  # DuckDB's text lists all settings of its readers
            kind = "Parquet" if target.suffix.lower() == ".parquet" else "CSV"
            raise CallValueError(caller, "path", f"{refused}: it cannot be read as {kind}") from error
        except duckdb.Error as error:
            raise CallValueError(caller, "path", f"{refused}: {error_text(error)}") from error
        except OSError as error:
            raise CallOSError(caller, "path", f"{str(path)!r} cannot be read: {error}") from error


def _open(con: duckdb.DuckDBPyConnection, path: Path) -> tuple[str, list[str]]:
    """Return SQL for the rows of a file, and the names of its columns."""
    source = READERS[path.suffix.lower()].format(quote_text(escape(str(path))))
    return source, con.sql(f"FROM {source}").columns


def _why_no_history(con: duckdb.DuckDBPyConnection, source: str, columns: list[str], path: Path) -> str:
    """Say what is wrong with a file that has the columns of a history; empty if nothing is."""
    if path.suffix == ".csv" and not path.read_bytes().endswith(b"\n"):
        return "its last line has no end"
    # DuckDB gives the second of two columns with one name another one.
    for name, number in Counter(map(str.lower, _written_names(path))).items():
        if number > 1:
            return f"it has {number} columns {name!r}"
    # A cast to BIGINT would round numbers that are not whole.
    for name in [name for name, kind in COLUMNS.items() if kind == "BIGINT" and name in columns]:
        column = quote_name(name)
        has_part = f"{column}::DOUBLE <> floor({column}::DOUBLE)"
        rows = con.execute(f"SELECT {column}::VARCHAR FROM {source} WHERE {has_part} LIMIT 1").fetchall()
        if rows:
            ((number,),) = rows
            return f"{name} must be a whole number, got {number}"
    return ""


def _written_names(path: Path) -> list[str]:
    """Return the names of columns as a file writes them."""
    if path.suffix == ".csv":
        with path.open(encoding="utf-8-sig", newline="") as file:
            return next(csv.reader(file), [])
    from pyarrow.parquet import read_schema

    names: list[str] = read_schema(path).names
    return names


def _kinds_of_others(path: Path) -> list[str]:
    """Return the types of the columns of others in a Parquet file, and of their parts, in their order."""
    from pyarrow.parquet import ParquetFile

    with ParquetFile(path) as file:
        leaves = [file.schema.column(place) for place in range(len(file.schema))]
    kinds = {leaf.path: (str(leaf.logical_type), leaf.physical_type, leaf.length) for leaf in leaves}
    return [
        # A signed integer may or may not say that it is one.
        f"{physical} {length}" if logical == "None" or logical in _SIGNED else logical
        for path, (logical, physical, length) in kinds.items()
        if path not in COLUMNS
    ]


def _as_history(columns: list[str]) -> str:
    """Write SQL that selects the columns of a history from those of a file."""
    known = [
        f"CAST({quote_name(name) if name in columns else 'NULL'} AS {kind}) AS {quote_name(name)}"
        for name, kind in COLUMNS.items()
    ]
    return ", ".join([*known, *(quote_name(name) for name in columns if name not in COLUMNS)])


def append_means(
    systems: Iterable[tuple[str | None, EvaluationLike]],
    path: str | Path,
    label: str | None = None,
    run_at: datetime | None = None,
    truth: str | None = None,
    recs: Mapping[Any, str] | None = None,
    corrected: Corrected | None = None,
) -> None:
    """Append the means of `ResultBase.systems` to a history; see `ResultBase.append`.

    `truth` and `recs` are the tables as texts, those of rec keyed by the system, or by None without systems.
    `corrected` are corrected means, likewise, in place of those of the evaluations.
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
        # A copy has a connection of its own, so that threads can append one result at once.
        _rows(evaluation, constants | {"system": system, "rec": (recs or {}).get(system)} | texts, summary)
        for system, evaluation in systems
        for summary, texts in [(corrected or {}).get(system) or (copy(evaluation).summary, {})]
    )
    try:
        with _locked(caller, target):
            _replace(caller, target, rows)
    except CallError:  # some are an OSError as well, and say enough
        raise
    except (OSError, duckdb.IOException) as error:
        raise CallOSError(caller, "path", f"{str(path)!r} cannot be written: {error}") from error


def check_label(caller: str, label: str | None) -> None:
    """Raise an error unless this is a name for a run, or None for no name."""
    if label is None:
        return
    if not isinstance(label, str):
        raise CallTypeError.about(caller, "label", f"must be a text, got {shown(label)}")
    _native.check_text(caller, "label", label)
    if not label.strip():
        raise CallValueError.about(caller, "label", f"must not be empty, got {label!r}")
    if len(label) > _MAX_LABEL_LENGTH:
        allowed = f"must have at most {_MAX_LABEL_LENGTH:,} characters, got {len(label):,}"
        raise CallValueError.about(caller, "label", allowed)
    if label in WORDS_FOR_RUNS:
        words = " or ".join(map(repr, WORDS_FOR_RUNS))
        allowed = f"must not be {words}, which mean other runs in `history`, got {label!r}"
        raise CallValueError.about(caller, "label", allowed)


def _utc(caller: str, run_at: datetime | None) -> str:
    """Write a time in UTC, which is the present if none is given."""
    if run_at is None:
        return datetime.now(timezone.utc).isoformat()
    if not isinstance(run_at, datetime):
        raise CallTypeError.about(
            caller, "run_at", f"must be a datetime with a time zone, got {shown(run_at)}"
        )
    if run_at.utcoffset() is None:
        raise CallValueError.about(caller, "run_at", f"must have a time zone, such as UTC, got {run_at}")
    return run_at.astimezone(timezone.utc).isoformat()


def _rows(
    evaluation: EvaluationLike, constants: Mapping[str, str | None], summary: duckdb.DuckDBPyRelation
) -> pa.Table:
    """Return a summary as rows of a history, with the settings of its evaluation and the constants."""
    values = {
        **{
            f"{role}_fingerprint": _sql_text(evaluation.fingerprints.get(role))
            for role in ("truth", "rec", "items")
        },
        "segment": _segment(evaluation.by),
        "users": quote_text(evaluation.users),
        "interval": quote_text(evaluation.interval),
        "confidence": repr(evaluation.confidence),
        "weighted_by": _sql_text(evaluation.weight),
        "corrected_by": "NULL",
        "options": _sql_text(options_text(dict(sorted(evaluation.options.items())))),
        **{name: _sql_text(text) for name, text in constants.items()},
    }
    columns = (
        f"CAST({values.get(name, quote_name(name))} AS {kind}) AS {quote_name(name)}"
        for name, kind in COLUMNS.items()
    )
    return summary.project(", ".join(columns)).to_arrow_table()


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
    """Write the old rows and the new ones to another file, which then takes the place of the old one.

    The file is made with the rights and the owner of the old one, before it has any content.
    """
    _remove_leftovers(target)
    suffix = target.suffix.lower()
    with temporary_folder() as folder:
        old, new = Path(folder, f"old{suffix}"), Path(folder, f"new{suffix}")
        status = None
        if target.exists():
            shutil.copyfile(target, old)
            status = target.stat()
            read_history(caller, old, is_kept=True)  # fails if it is no history any more
        _write(caller, old if status else None, new, rows)
        read_history(caller, new)  # fails if the next append could not read it
        replacement = target.with_name(f".{target.name}.rankdcg_sql-{uuid4().hex}{target.suffix}")
        try:
            mode = 0o600 if status else 0o666  # the rights of the old file follow
            opened = os.open(replacement, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _PLAINLY, mode)
            with os.fdopen(opened, "wb") as file, new.open("rb") as content:
                if status and sys.platform != "win32":
                    with suppress(PermissionError):  # only an administrator gives files away
                        os.fchown(opened, status.st_uid, status.st_gid)
                    os.fchmod(opened, stat.S_IMODE(status.st_mode))
                shutil.copyfileobj(content, file)
                file.flush()
                os.fsync(opened)
            os.replace(replacement, target)
        finally:
            replacement.unlink(missing_ok=True)
    _sync_folder(target.parent)


def _remove_leftovers(target: Path) -> None:
    """Remove files of appends that were killed. The lock is held, so that no other append writes one."""
    name = re.escape(f".{target.name}.rankdcg_sql-") + "[0-9a-f]{32}" + re.escape(target.suffix)
    for path in target.parent.iterdir():
        if re.fullmatch(name, path.name) and not path.is_symlink():
            with suppress(OSError):
                path.unlink()


def _write(caller: str, old: Path | None, new: Path, rows: pa.Table) -> None:
    """Write the rows of the file `old`, if there is one, and then the new ones; columns of others stay."""
    # A zone has no meaning in the text of CSV, which therefore says UTC.
    is_csv = new.suffix == ".csv"
    time_in_utc = "strftime(make_timestamp(epoch_us(run_at)), '%Y-%m-%dT%H:%M:%S.%fZ') AS run_at"
    chosen = f"* REPLACE ({time_in_utc})" if is_csv else "*"
    both, metadata = "FROM new_rows", ""
    with connect_in_utc() as con:
        con.register("new_rows", rows)
        if old:
            source, columns = _open(con, old)
            both = f"SELECT {_as_history(columns)} FROM {source} UNION ALL BY NAME {both}"
            if not is_csv:
                added = COLUMNS.keys() - {*columns}  # some metadata lists the columns, and would lack these
                metadata = _metadata(con, old, leave_out=("ARROW:schema", "pandas") if added else ())
        form = f"{_WRITERS[new.suffix]}{metadata}"
        con.execute(f"COPY (SELECT {chosen} FROM ({both})) TO {quote_text(str(new))} ({form})")
    if old and not is_csv and _kinds_of_others(old) != _kinds_of_others(new):
        raise CallValueError(
            caller,
            "path",
            "the file stays as it is: it has a column with a type of Parquet that an append would change: "
            "keep the column in another file",
        )


def _metadata(con: duckdb.DuckDBPyConnection, path: Path, leave_out: tuple[str, ...]) -> str:
    """Write the option for the pairs of keys and values of a Parquet file; empty if it has none."""
    rows = con.execute(
        f"SELECT decode(key), value FROM parquet_kv_metadata({quote_text(escape(str(path)))})"
    ).fetchall()
    pairs = [
        # The value as a BLOB in SQL: a backslash (92), an x and two digits for each byte.
        f"{quote_name(key)}: {quote_text(''.join(f'{chr(92)}x{byte:02x}' for byte in value))}::BLOB"
        for key, value in rows
        if key not in leave_out
    ]
    return f", KV_METADATA {{{', '.join(pairs)}}}" if pairs else ""


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

    The operating system frees the lock of a process that ends. The holder removes the file.
    """
    path = target.with_name(f".{target.name}.lock")
    end = time.monotonic() + _PATIENCE
    while True:
        lock = _open_lock(caller, path)
        if _try_lock(lock):
            # The process that held the lock before may have removed the file from the folder.
            with suppress(FileNotFoundError):
                if os.path.samestat(os.fstat(lock), os.lstat(path)):
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
        os.lseek(lock, 0, os.SEEK_SET)
        if os.read(lock, len(_LOCK) + 1) == _LOCK:  # otherwise it is a file of others with this name
            with suppress(PermissionError):  # Windows removes no file that is open
                path.unlink(missing_ok=True)
        os.close(lock)


def _open_lock(caller: str, path: Path) -> int:
    """Open the file of a lock, or make it. It is an error if the name is that of a link, or of no file."""
    in_the_way = f"{str(path)!r} is no file, and an append needs the name: remove it"
    try:
        lock = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | _PLAINLY, 0o666)
        os.write(lock, _LOCK)
        return lock
    except FileExistsError:
        pass
    if not path.is_symlink():
        try:
            lock = os.open(path, os.O_RDWR | _PLAINLY)
        except FileNotFoundError:  # the holder has removed it
            return _open_lock(caller, path)
        except IsADirectoryError as error:
            raise CallOSError(caller, "path", in_the_way) from error
        if stat.S_ISREG(os.fstat(lock).st_mode):
            return lock
        os.close(lock)
    raise CallOSError(caller, "path", in_the_way)


def _try_lock(lock: int) -> bool:
    """Lock an open file unless another process has; closing the file frees it."""
    try:
        if sys.platform == "win32":
            # The byte that is locked is the one at the position in the file, which its maker has moved.
            os.lseek(lock, 0, os.SEEK_SET)
            msvcrt.locking(lock, msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    return True


def _real_path(caller: str, path: Any) -> Path:
    """Return the file that a path or a link means, after a check of the ending of either name."""
    if not isinstance(path, str | os.PathLike):
        raise CallTypeError.about(caller, "path", f"must be a path, got {shown(path)}")
    _native.check_text(caller, "path", str(path))
    target = Path(os.path.realpath(path))
    for name in (Path(path), target):
        if name.suffix.lower() not in READERS:
            raise CallValueError(caller, "path", f"{str(name)!r} must end with {' or '.join(READERS)}")
    return target
