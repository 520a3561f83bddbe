"""Registration of the functions on DuckDB connections: `connect` and `register`."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from threading import Lock
from typing import TYPE_CHECKING, Any, Literal

import duckdb

from rankdcg_sql import _native, _static
from rankdcg_sql._errors import Argument, CallTypeError, CallValueError
from rankdcg_sql._sql import call_if_known
from rankdcg_sql.catalogue import by_name, version

if TYPE_CHECKING:
    from pathlib import Path

if tuple(map(int, duckdb.__version__.split(".")[:2])) < (1, 5):
    raise ImportError(
        f"rankdcg_sql needs DuckDB 1.5 or later, and this is DuckDB {duckdb.__version__}: "
        "pip install 'duckdb>=1.5'"
    )

Route = Literal["static", "load", "udf"]

_VERSION_FUNCTION = "rankdcg_sql_version"

#: Held while a database is opened, and while functions are looked up and then registered, so that two threads
#: do not both register them. A fork waits for it, because no thread of the child could release it.
_LOCK = Lock()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_LOCK.acquire, after_in_parent=_LOCK.release, after_in_child=_LOCK.release)

#: The Python functions of all databases. A database calls them as long as it is open, but the connection that
#: created them keeps them alive only until it is closed.
_UDFS: list[Callable[..., Any]] = []


@dataclass(frozen=True)
class Registration:
    """The way in which a connection got the functions.

    Attributes
    ----------
    route : {"static", "load", "udf"}
        ``static``: the functions are part of the database since it was opened. ``load``: they were loaded as
        an extension. ``udf``: they are Python functions over Arrow data, and macros over these; they call the
        same shared library and are somewhat slower.
    version : str
        The version of the functions.
    new : bool
        False if the database had the functions before the call.
    """

    route: Route
    version: str
    new: bool


def connect(
    database: str | Path = ":memory:", read_only: bool = False, config: dict[str, Any] | None = None
) -> duckdb.DuckDBPyConnection:
    """Open a DuckDB database that has the functions.

    Parameters
    ----------
    database, read_only, config
        As for `duckdb.connect`. Before DuckDB 2.0 the functions are an unsigned extension. The database then
        allows unsigned extensions, unless `config` says otherwise.

    Returns
    -------
    duckdb.DuckDBPyConnection
        A connection with the functions, and with the table macros that `register` creates.

    Examples
    --------
    >>> import rankdcg_sql
    >>> con = rankdcg_sql.connect()
    >>> con.execute("SELECT recall_at(['a', 'b', 'c'], ['b', 'z'], 2)").fetchone()
    (0.5,)
    """
    con = _open(database, read_only, config)
    register(con)
    return con


def open_without_table_macros(config: dict[str, Any] | None = None) -> duckdb.DuckDBPyConnection:
    """Open a database in memory as `connect` does, without table macros, which take time to create.

    Before DuckDB 2.0, all its connections share the macros of aggregates, which are in its schema.
    """
    con = _open(":memory:", False, config)
    if not _has_aggregates(_register(con)):
        statements = _native.macro_statements(False)[0]
        con.execute(statements.replace("CREATE TEMP MACRO", "CREATE MACRO"))
    return con


def _open(database: str | Path, read_only: bool, config: dict[str, Any] | None) -> duckdb.DuckDBPyConnection:
    settings = dict(config or {})
    if not _static.installed():  # then the functions are an extension that is not signed
        settings.setdefault("allow_unsigned_extensions", "true")
    with _LOCK:
        return duckdb.connect(database, read_only=read_only, config=settings)


def register(con: duckdb.DuckDBPyConnection) -> Registration:
    """Register the functions with the database of a connection.

    There are three routes. If the database has the functions already, nothing is registered. Otherwise, if
    the database allows unsigned extensions, the extension is loaded. Otherwise Python functions over Arrow
    data are created. Results are the same on all routes, and so are the messages of errors while a query
    runs.

    Parameters
    ----------
    con : duckdb.DuckDBPyConnection
        An open connection. Its pending result survives, except before DuckDB 2.0.

    Returns
    -------
    Registration
        The route that was taken.

    Warns
    -----
    RuntimeWarning
        If macros cannot be created because `con` has a result that is not fetched yet, or because its
        transaction has failed.

    Notes
    -----
    The table macros, such as ``rank_evaluate``, are TEMP macros on every route. They exist on `con` only. A
    macro of the same name that `con` sees already is not replaced. Before DuckDB 2.0, and with Python
    functions, only ``rank_check``, ``rank_functions``, ``rank_change_ids``, ``rank_spans`` and
    ``rank_evaluate_spans`` work, and an error of the others says so.

    DuckDB has no aggregates in Python, and before 2.0 aggregates of an extension are unsafe in windows. With
    Python functions, and before DuckDB 2.0, the aggregates of this package (names that end in ``_agg`` or
    ``_rows``, and the statistics) are therefore TEMP macros over ``list()``. They exist on `con` only: a
    cursor (``con.cursor()``) is another connection and needs a call of this function of its own, and if a
    transaction is open, its rollback removes them. docs/connections.md has their other limits.

    On every route, DuckDB prefers a macro of the caller to a function of the same name;
    ``system.main.ndcg(...)`` names the function itself.

    Examples
    --------
    >>> import duckdb, rankdcg_sql
    >>> con = duckdb.connect()
    >>> rankdcg_sql.register(con).new
    False
    """
    if not isinstance(con, duckdb.DuckDBPyConnection):
        got = type(con).__name__
        raise CallTypeError("register", "con", Argument("con"), f" must be a DuckDB connection, got {got}")
    registration = _register(con)
    _create_macros(con, registration, with_table_macros=True)
    return registration


def register_without_table_macros(con: duckdb.DuckDBPyConnection) -> None:
    """Register the functions as `register` does, without table macros, which take time to create."""
    _create_macros(con, _register(con), with_table_macros=False)


def _register(con: duckdb.DuckDBPyConnection) -> Registration:
    """Register the functions with the database of a connection."""
    # A second connection, so that pending results and open transactions of `con` survive.
    cursor = con.cursor()
    cursor.execute("SET SESSION search_path = 'system.main'")  # callers may have macros of the same names
    with _LOCK:
        registration = _registered(cursor, new=False)
        if registration is None:
            if not _load(cursor):
                _create_udfs(cursor)
            registration = _registered(cursor, new=True)
    if registration is None:
        raise RuntimeError("register: the functions are not there after they were registered")
    return registration


def _has_aggregates(registration: Registration) -> bool:
    """Whether aggregates are native, and not macros. Only DuckDB 2.0 or later has functions installed."""
    return registration.route != "udf" and _static.installed()


def _registered(cursor: duckdb.DuckDBPyConnection, *, new: bool) -> Registration | None:
    """Return the version and the route of the functions that the database has; None if it has none."""
    row = call_if_known(cursor, f"{_VERSION_FUNCTION}()")
    if row is None:
        return None
    number, _, route = row[0].partition("+")
    return Registration(route, number, new)


def _load(cursor: duckdb.DuckDBPyConnection) -> bool:
    """Load the extension if the database allows that; return whether it is loaded."""
    settings = (
        "SELECT current_setting('allow_unsigned_extensions'), current_setting('enable_external_access')"
    )
    if cursor.execute(settings).fetchone() != (True, True):
        return False
    path = _native.extension_path().replace("'", "''")
    try:
        with _native.no_macros_on_load():
            cursor.execute(f"LOAD '{path}'")
    except duckdb.Error:
        return False
    return True


def _create_udfs(cursor: duckdb.DuckDBPyConnection) -> None:
    """Create Python functions over Arrow data: one per function, and one over lists per aggregate."""
    named = by_name()
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
        elif not function.is_native_only:
            _create_udf(cursor, _over_lists(name), function.result, _arrow_udf_over_lists(name))
    text = f"{version()}+udf"
    answer = lambda: text  # noqa: E731
    _UDFS.append(answer)
    cursor.create_function(_VERSION_FUNCTION, answer, [], "VARCHAR")


def _create_udf(cursor: duckdb.DuckDBPyConnection, name: str, result: str, udf: Callable[..., Any]) -> None:
    from duckdb.func import FunctionNullHandling, PythonUDFType

    _UDFS.append(udf)
    cursor.create_function(
        name,
        udf,
        return_type=result,
        type=PythonUDFType.ARROW,
        null_handling=FunctionNullHandling.SPECIAL,  # NULL is passed to the function
    )


def _arrow_udf(name: str) -> Callable[..., Any]:
    import pyarrow as pa

    # DuckDB evaluates annotations at run time, where `pa` is not defined: hence `Any`.
    def call(*arguments: Any) -> Any:
        with _errors_for_duckdb():
            return _native.call(name, [pa.concat_arrays(argument.chunks) for argument in arguments])

    return call


def _arrow_udf_over_lists(name: str) -> Callable[..., Any]:
    import pyarrow as pa

    def call(lists: Any) -> Any:
        with _errors_for_duckdb():
            return _native.call_lists(name, pa.concat_arrays(lists.chunks))

    return call


@contextmanager
def _errors_for_duckdb() -> Iterator[None]:
    """Raise errors as `ValueError`: DuckDB shows its users the name of the class."""
    try:
        yield
    except CallValueError as error:
        raise ValueError(str(error)) from None


def _over_lists(name: str) -> str:
    """Return the name of the Python function over lists that the macro of an aggregate calls."""
    return f"rankdcg_sql_{name}"


def _create_macros(
    con: duckdb.DuckDBPyConnection, registration: Registration, *, with_table_macros: bool
) -> None:
    """Create what is missing as TEMP macros: the aggregates, and the table macros."""
    has_aggregates = _has_aggregates(registration)
    try:
        if not has_aggregates:
            con.sql(_native.macro_statements(has_aggregates)[0])
        if with_table_macros:
            _create_table_macros(con, has_aggregates)
    except duckdb.Error as error:
        # DuckDB has the first of these exceptions from 2.0 on.
        reason, remedy = {
            "ResourceInUseException": ("a result that is not fetched yet", "fetch it"),
            "TransactionException": ("a transaction that has failed", "roll it back"),
        }.get(type(error).__name__, (None, None))
        if reason is None:
            raise
        missing = "table macros" if has_aggregates else "aggregate functions"
        warnings.warn(
            f"register: the connection has {reason}, and no {missing}: {remedy} and call register again",
            RuntimeWarning,
            stacklevel=3,
        )


def _create_table_macros(con: duckdb.DuckDBPyConnection, has_aggregates: bool) -> None:
    """Create the table macros whose names are not taken."""
    helpers, macros = _table_macro_statements(has_aggregates)
    missing = [statement for name, statement in macros.items() if not _is_table_function(con, name)]
    if missing:
        # Unlike `execute`, `sql` refuses to end a pending result, so the first statement fails with one.
        con.sql(helpers[0].query)
        for statement in [*helpers[1:], *missing]:
            con.execute(statement)


@cache
def _table_macro_statements(
    has_aggregates: bool,
) -> tuple[list[duckdb.Statement], dict[str, duckdb.Statement]]:
    """Parse the statements that create the helpers of the table macros, and the latter, keyed by name.

    Parsing takes longer than anything else here, so it is done once.
    """
    _, helpers, macros = _native.macro_statements(has_aggregates)
    with duckdb.connect() as con:
        return con.extract_statements(helpers), {
            name: con.extract_statements(text)[0] for name, text in macros
        }


def create_helpers(con: duckdb.DuckDBPyConnection) -> None:
    """Create the helpers of the table macros on a connection of a database that this package opened."""
    helpers, _ = _table_macro_statements(_static.installed())
    for statement in helpers:
        con.execute(statement)


def _is_table_function(con: duckdb.DuckDBPyConnection, name: str) -> bool:
    """Whether a connection sees a table function or table macro of this name."""
    try:
        con.sql(f"FROM {name}()")
    except duckdb.CatalogException:
        return False
    except duckdb.BinderException:  # it needs arguments
        return True
    return True
