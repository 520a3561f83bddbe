"""The shared library with the metrics, called through ctypes with Arrow data."""

from __future__ import annotations

import ctypes
import json
from contextlib import contextmanager
from functools import cache
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rankdcg_sql._errors import Argument, CallValueError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import pyarrow as pa

# Sizes of the structs ArrowArray and ArrowSchema of the Arrow C data interface, in pointers.
_ARRAY_POINTERS = 10
_SCHEMA_POINTERS = 9
_POINTER, _TEXT, _SIZE, _NUMBER = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t, ctypes.c_int64
#: The symbols of the library: the type of the result, and those of the arguments.
_SYMBOLS: dict[str, list[Any]] = {
    "catalogue": [_TEXT],
    "free": [None, _POINTER],
    "register_static": [_POINTER, _TEXT],
    "call": [_POINTER, _TEXT, _SIZE, *[_POINTER] * 4],
    "call_lists": [_POINTER, _TEXT, *[_POINTER] * 4],
    "fingerprint": [_POINTER, _SIZE, *[_POINTER] * 4],
    "widening": [ctypes.c_double, _NUMBER, _NUMBER, ctypes.c_double, ctypes.c_bool],
    "check": [_POINTER, _TEXT, _SIZE, _POINTER, _TEXT],
    "error_in": [_POINTER, _TEXT],
    "resolve": [_POINTER, _TEXT, _TEXT, _POINTER],
    "find_measure": [_POINTER, _TEXT, _POINTER],
    "attach_macros": [None, ctypes.c_bool],
    "macro_statements": [_POINTER, ctypes.c_bool],
    "macro_script": [_POINTER, ctypes.c_bool, _TEXT],
    "polars_open": [_NUMBER],
    "polars_close": [None, _NUMBER],
}


def extension_path() -> str:
    """Return the path of the shared library, a DuckDB extension.

    Any DuckDB that allows unsigned extensions can ``LOAD`` it: the command line, R, Java and so on.

    Returns
    -------
    str
        The absolute path of ``rankdcg.duckdb_extension``.

    Examples
    --------
    >>> import rankdcg_sql
    >>> rankdcg_sql.extension_path().endswith("rankdcg.duckdb_extension")
    True
    """
    return str(Path(__file__).resolve().parent / "rankdcg.duckdb_extension")


@cache
def _library() -> ctypes.CDLL:
    path = extension_path()
    if not Path(path).exists():
        raise ImportError(f"the shared library is missing: {path}; install the package with pip")
    library = ctypes.CDLL(path)
    for name, (result, *arguments) in _SYMBOLS.items():
        symbol = getattr(library, f"rankdcg_{name}")
        symbol.restype, symbol.argtypes = result, arguments
    return library


def open_session() -> int:
    """Open a session of the plugin for Polars; return its number.

    Expressions read rows into it before the evaluation.
    """
    session: int = _library().rankdcg_polars_open()
    return session


def close_session(session: int) -> None:
    """Close a session of the plugin for Polars, and free its rows."""
    _library().rankdcg_polars_close(session)


def _message(pointer: int | None) -> str | None:
    """Copy and free a text that the library returned; None for a NULL pointer."""
    if not pointer:
        return None
    text = ctypes.string_at(pointer).decode()
    _library().rankdcg_free(pointer)
    return text


def _error(pointer: int | None) -> CallValueError | None:
    """Make an exception of an error that the library returned; None (a NULL pointer) means success."""
    text = _message(pointer)
    if text is None:
        return None
    fields = json.loads(text)
    # DuckDB and Polars show NUL so, because a NUL ends a C string.
    sentence = fields["text"].replace("\0", "\\0")
    return CallValueError(fields["function"], fields["argument"], sentence, kind=fields["kind"])


def error_in(message: str) -> CallValueError | None:
    """Return the library's error inside a message of DuckDB; None if the message has none.

    DuckDB passes on the text alone, which does not tell the argument.
    """
    return _error(_library().rankdcg_error_in(message.encode(errors="replace").replace(b"\0", b"\\0")))


def refusal(caller: str, error: Exception, *more: str) -> CallValueError:
    """Return the library's error inside an error of DuckDB, as one of the function `caller`.

    `more` are parts of the message, after its own. An error of something else is raised as it is.
    """
    found = error_in(str(error))
    if found is None:
        raise error
    return CallValueError(caller, found.argument, *found.parts, *more, kind=found.kind)


def catalogue() -> str:
    """Return the catalogue of functions, and the table macros, as JSON."""
    text: bytes = _library().rankdcg_catalogue()
    return text.decode()


@cache
def macro_statements(has_aggregates: bool) -> tuple[str, str, list[tuple[str, str]]]:
    """Return the statements that create macros as TEMP macros; a TEMP macro of the same name stays.

    The first text creates aggregates, for a database without native ones, and the second one the helpers of
    the table macros. Then comes each table macro with its name. `has_aggregates` is whether the database has
    the aggregates that only DuckDB 2.0 has. Without them, a call of a macro that needs them is an error that
    says so.
    """
    text = _message(_library().rankdcg_macro_statements(has_aggregates)) or ""
    aggregates, helpers, macros = json.loads(text)
    return aggregates, helpers, [(name, statement) for name, statement in macros]


def macro_script(temporary: bool) -> str:
    """Return the statements that create or replace the table macros, for any client of DuckDB."""
    return _message(_library().rankdcg_macro_script(temporary, extension_path().encode())) or ""


@contextmanager
def no_macros_on_load() -> Iterator[None]:
    """Let ``LOAD`` attach no database with the table macros."""
    _library().rankdcg_attach_macros(False)
    try:
        yield
    finally:
        _library().rankdcg_attach_macros(True)


def register_static(path: str) -> str | None:
    """Register the extension with the DuckDB library at `path`, which this process has loaded.

    Databases opened afterwards have the functions. Return an error message, or None.
    """
    return _message(_library().rankdcg_register_static(path.encode()))


def check_text(caller: str, argument: str, text: str) -> None:
    """Check that a text can be encoded in UTF-8, the encoding of texts in all engines.

    Raises
    ------
    CallValueError
        If it cannot, for example because of half a surrogate pair.
    """
    try:
        text.encode()
    except UnicodeEncodeError:
        raise CallValueError(
            caller, argument, Argument(argument), f" must be text in UTF-8, got {text!r}"
        ) from None


def check(name: str, ks: list[int], options: str) -> None:
    """Check the arguments of the function `name` that are not columns: the cutoffs and the options.

    Raises
    ------
    CallValueError
        If one is not allowed, with the same sentence in every engine.
    """
    check_text(name, "options", options)
    numbers = (ctypes.c_int64 * len(ks))(*ks)
    name_text, options_text = (text.encode().replace(b"\0", b"\\0") for text in (name, options))
    error = _error(_library().rankdcg_check(name_text, len(ks), numbers, options_text))
    if error is not None:
        raise error


def resolve(name: str, options: str) -> str:
    """Resolve options of the function `name`.

    Return their values, and which rankings have the value NULL, as JSON.

    Raises
    ------
    CallValueError
        If the function does not take an option, or the option does not take its value.
    """
    check_text(name, "options", options)
    name_text, options_text = (text.encode().replace(b"\0", b"\\0") for text in (name, options))
    resolved = ctypes.c_void_p()
    error = _error(_library().rankdcg_resolve(name_text, options_text, ctypes.byref(resolved)))
    if error is not None:
        raise error
    return _message(resolved.value) or ""


def find_measure(name: str) -> tuple[str, str | None]:
    """Read a name of a metric: its name in results, with options of its own, and its cutoff as text or None.

    Raises
    ------
    CallValueError
        If no metric has the name. It says which one was meant, or who computes it.
    """
    text = name.encode(errors="replace").replace(b"\0", b"\\0")
    found = ctypes.c_void_p()
    error = _error(_library().rankdcg_find_measure(text, ctypes.byref(found)))
    if error is not None:
        raise error
    metric, cutoff = json.loads(_message(found.value) or "")
    return metric, cutoff


def call(name: str, arguments: list[pa.Array]) -> pa.Array:
    """Evaluate the function `name` on arrays with an element for each row, or with one element for all rows.

    Raises
    ------
    CallValueError
        If an argument is not allowed, with the same sentence in every engine.
    """
    arrays, schemas = _exported(arguments)
    return _answer(_library().rankdcg_call, name.encode(), len(arguments), arrays, schemas)


def call_lists(name: str, lists: pa.Array) -> pa.Array:
    """Evaluate the aggregate `name` on an array with one list per group.

    A list has one struct per row of the group, whose fields are the arguments of the aggregate.

    Raises
    ------
    CallValueError
        If an argument is not allowed, with the same sentence in every engine.
    """
    return _answer(_library().rankdcg_call_lists, name.encode(), *_exported([lists]))


def fingerprint(rows: pa.RecordBatch) -> int:
    """Return the sum of the hashes of some rows of texts, integers of 64 bits and floating point.

    The sum modulo 2**128 over all rows of a table is the table's fingerprint.
    """
    arrays, schemas = _exported(rows.columns)
    low, high = _answer(_library().rankdcg_fingerprint, rows.num_columns, arrays, schemas).to_pylist()
    return int(low) | int(high) << 64


def widening(look: int, n: int | None, confidence: float | None, is_of_range: bool) -> float | None:
    """Return how many times as far an interval reaches so that those of all looks hold together.

    Looks are counted from 1. The interval is Student's t of `n` values, or if `is_of_range`, that of `n`
    equal values between two bounds. None for numbers that no interval has.
    """
    if n is None or confidence is None:
        return None
    factor: float = _library().rankdcg_widening(look, n, confidence, is_of_range)
    return None if isnan(factor) else factor


def _exported(arguments: list[pa.Array]) -> tuple[Any, Any]:
    """Export arrays and their schemas to the structs of the Arrow C data interface."""
    arrays = (ctypes.c_void_p * (_ARRAY_POINTERS * len(arguments)))()
    schemas = (ctypes.c_void_p * (_SCHEMA_POINTERS * len(arguments)))()
    width = ctypes.sizeof(ctypes.c_void_p)
    start, schema_start = ctypes.addressof(arrays), ctypes.addressof(schemas)
    for index, argument in enumerate(arguments):
        argument._export_to_c(
            start + index * _ARRAY_POINTERS * width, schema_start + index * _SCHEMA_POINTERS * width
        )
    return arrays, schemas


def _answer(function: Callable[..., int | None], *arguments: Any) -> pa.Array:
    """Call the library with room for a result, and import the result."""
    import pyarrow as pa

    result = (ctypes.c_void_p * _ARRAY_POINTERS)()
    schema = (ctypes.c_void_p * _SCHEMA_POINTERS)()
    error = _error(function(*arguments, result, schema))
    if error is not None:
        raise error
    return pa.Array._import_from_c(ctypes.addressof(result), ctypes.addressof(schema))
