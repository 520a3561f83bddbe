"""The functions in DuckDB: connections that have them, and ways to give them to one that has not."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock
from typing import TYPE_CHECKING, Any, Literal

import duckdb
from duckdb.func import FunctionNullHandling, PythonUDFType

from rankdcg_sql import _native, _static
from rankdcg_sql.catalogue import Function, functions, version

if TYPE_CHECKING:
    from pathlib import Path

Route = Literal["static", "load", "udf"]

_VERSION_FUNCTION = "rankdcg_sql_version"

#: Registration looks before it acts, so one thread at a time.
_LOCK = Lock()

#: A database calls its Python functions for as long as it is open, but a connection keeps them for no longer
#: than itself.
_UDFS: list[Callable[..., Any]] = []


@dataclass(frozen=True)
class Registration:
    """How a connection came to have the functions.

    Attributes
    ----------
    route : {"static", "load", "udf"}
        ``static``: part of the database since it was opened. ``load``: loaded as an extension. ``udf``:
        Python functions over Arrow data, with the same kernel and somewhat slower, and macros over them.
    version : str
        The version of the functions.
    new : bool
        False if the database had them already.
    """

    route: Route
    version: str
    new: bool


def connect(
    database: str | Path = ":memory:",
    read_only: bool = False,
    config: dict[str, Any] | None = None,
) -> duckdb.DuckDBPyConnection:
    """Open a DuckDB database that has the functions.

    Parameters
    ----------
    database, read_only, config
        As for `duckdb.connect`. Before DuckDB 2.0 the functions come as an unsigned extension, which the
        connection then allows unless `config` says otherwise.

    Returns
    -------
    duckdb.DuckDBPyConnection

    Examples
    --------
    >>> import rankdcg_sql
    >>> con = rankdcg_sql.connect()
    >>> con.execute("SELECT recall_at(['a', 'b', 'c'], ['b', 'z'], 2)").fetchone()
    (0.5,)
    """
    settings = dict(config or {})
    if not _static.installed():
        settings.setdefault("allow_unsigned_extensions", "true")
    con = duckdb.connect(database, read_only=read_only, config=settings)
    register(con)
    return con


def register(con: duckdb.DuckDBPyConnection) -> Registration:
    """Give a connection, and every other connection to its database, the functions.

    Tries three ways in turn: nothing where the functions are there already; loading the extension where the
    database allows unsigned ones; Python functions over Arrow data otherwise. Results, and the sentences of
    errors found while a query runs, are the same in all three.

    Parameters
    ----------
    con : duckdb.DuckDBPyConnection
        An open connection. Its pending result is left alone; only where macros are made before DuckDB 2.0, it
        ends.

    Returns
    -------
    Registration
        Which way was taken.

    Warns
    -----
    RuntimeWarning
        Where macros cannot be made because `con` has a result that is not fetched yet.

    Notes
    -----
    DuckDB has no aggregates in Python, and before 2.0 none that windows call rightly. Beside Python
    functions, and before 2.0, those of this package (names that end in ``_agg`` or ``_rows``, and the
    statistics) are TEMP macros over ``list()``:

    - They hold for `con` only: a cursor (``con.cursor()``) is a connection of its own, for which this
      function is called again. In an open transaction, its rollback takes them away.
    - ``FILTER``, ``DISTINCT`` and ``ORDER BY`` within a call are errors; ``OVER`` works from DuckDB 2.0 on.
    - A group is held as a list until its end, with all of its rows.
    - ``rank_metrics_by_user`` and ``rank_metrics_at_by_user`` are not there, and DuckDB says that a
      function of this name does not exist; ``rank_metrics_rows`` with ``GROUP BY`` gives the same numbers.
    - A macro of the same name that `con` has already stays.

    A macro of a user comes before a function of the same name, as DuckDB has it, also where these functions
    are native: ``system.main.ndcg(...)`` names the function itself.

    Examples
    --------
    >>> import duckdb, rankdcg_sql
    >>> con = duckdb.connect()
    >>> rankdcg_sql.register(con).new
    False
    """
    if not isinstance(con, duckdb.DuckDBPyConnection):
        raise TypeError(f"register: con must be a DuckDB connection, got {type(con).__name__}")
    # A connection of its own: pending results and open transactions of the other one are left alone.
    cursor = con.cursor()
    cursor.execute("SET SESSION search_path = 'system.main'")  # macros of users may have names of the system
    with _LOCK:
        found = _registered(cursor, new=False)
        if found is None:
            if not _load(cursor):
                _create_udfs(cursor)
            found = _registered(cursor, new=True)
    if found is None:
        raise RuntimeError("register: the functions are not there after they were registered")
    if found.route == "udf" or not _static.installed():
        _create_macros(con)
    return found


def _registered(cursor: duckdb.DuckDBPyConnection, *, new: bool) -> Registration | None:
    """Ask the database for the functions."""
    present = cursor.execute(
        "SELECT count(*) FROM duckdb_functions() "
        "WHERE function_name = ? AND function_type = 'scalar' AND database_name = 'system'",
        [_VERSION_FUNCTION],
    ).fetchone()
    if present == (0,):
        return None
    row = cursor.execute(f"SELECT system.main.{_VERSION_FUNCTION}()").fetchone()
    assert row is not None
    number, _, route = row[0].partition("+")
    return Registration(route, number, new)


def _load(cursor: duckdb.DuckDBPyConnection) -> bool:
    """Load the extension where the database allows that."""
    settings = (
        "SELECT current_setting('allow_unsigned_extensions'), current_setting('enable_external_access')"
    )
    if cursor.execute(settings).fetchone() != (True, True):
        return False
    path = _native.extension_path().replace("'", "''")
    try:
        cursor.execute(f"LOAD '{path}'")
    except duckdb.Error:
        return False
    return True


def _create_udfs(cursor: duckdb.DuckDBPyConnection) -> None:
    """Register every function as a Python function over Arrow data."""
    named = {name: function for function in functions() for name in function.names}
    taken = cursor.execute(
        "SELECT DISTINCT function_name FROM duckdb_functions() WHERE function_name IN (FROM unnest(?))",
        [list(named)],
    ).fetchall()
    if taken:
        listed = ", ".join(sorted(name for (name,) in taken))
        raise duckdb.CatalogException(
            f"register: the database has functions of its own named {listed}: drop them first"
        )
    for name, function in named.items():
        if not function.is_aggregate:
            _create_udf(cursor, name, function.result, _arrow_udf(name))
        elif function.shape != "by_user":
            _create_udf(cursor, _over_lists(name), function.result, _arrow_udf_over_lists(name))
    text = f"{version()}+udf"
    answer = lambda: text  # noqa: E731
    _UDFS.append(answer)
    cursor.create_function(_VERSION_FUNCTION, answer, [], "VARCHAR")


def _create_udf(cursor: duckdb.DuckDBPyConnection, name: str, result: str, udf: Callable[..., Any]) -> None:
    _UDFS.append(udf)
    cursor.create_function(
        name,
        udf,
        return_type=result,
        type=PythonUDFType.ARROW,
        null_handling=FunctionNullHandling.SPECIAL,
    )


def _arrow_udf(name: str) -> Callable[..., Any]:
    import pyarrow as pa

    # DuckDB looks the annotations of a function up at run time.
    def call(*arguments: Any) -> Any:
        return _native.call(name, [pa.concat_arrays(argument.chunks) for argument in arguments])

    return call


def _arrow_udf_over_lists(name: str) -> Callable[..., Any]:
    import pyarrow as pa

    def call(lists: Any) -> Any:
        return _native.call_lists(name, pa.concat_arrays(lists.chunks))

    return call


def _over_lists(name: str) -> str:
    """The name of the Python function that an aggregate is made of."""
    return f"rankdcg_sql_{name}"


def _create_macros(con: duckdb.DuckDBPyConnection) -> None:
    """Make the aggregates that Python functions cannot be, unless the connection has them."""
    macros = [
        _macro(name, function)
        for function in functions()
        if function.is_aggregate and function.shape != "by_user"
        for name in function.names
    ]
    try:
        con.sql("\n".join(macros))
    except duckdb.Error as error:
        # From DuckDB 2.0 on.
        if type(error).__name__ != "ResourceInUseException":
            raise
        warnings.warn(
            "register: the connection has a result that is not fetched yet, and no aggregate functions: "
            "fetch it and call register again",
            RuntimeWarning,
            stacklevel=3,
        )


def _macro(name: str, function: Function) -> str:
    """Write a macro with one list of all arguments, for a window holds no more than one aggregate."""

    def overload(arguments: tuple[str, ...]) -> str:
        row = ", ".join(f"{argument} := {argument}" for argument in arguments)
        rows = f"system.main.list(system.main.struct_pack({row}))"
        return f'({", ".join(arguments)}) AS system.main."{_over_lists(name)}"({rows})'

    arities = range(function.required, len(function.arguments) + 1)
    overloads = ", ".join(overload(function.arguments[:arity]) for arity in arities)
    return f'CREATE TEMP MACRO IF NOT EXISTS "{name}" {overloads};'
