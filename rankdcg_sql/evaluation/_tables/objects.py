"""Tables that callers give in place of files: queries, names of tables, and objects of Python."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import duckdb

from rankdcg_sql._errors import Argument, CallValueError, shown
from rankdcg_sql._sql import error_text, quote_name
from rankdcg_sql.evaluation._tables.streams import copy_stream
from rankdcg_sql.evaluation._terms.counts import pluralize, warn

if TYPE_CHECKING:
    from rankdcg_sql.evaluation._tables.workspace import Workspace


_FRAMES = (("polars", "DataFrame"), ("pandas", "DataFrame"))
#: Errors whose text says what is wrong. The text of a KeyError, for instance, is a key alone.
_SAYING = (duckdb.Error, TypeError, ValueError)
#: The classes of data frames of Spark. Before version 4.0, that of Spark Connect is no subclass of the other.
_ON_SPARK = {"pyspark.sql.dataframe.DataFrame", "pyspark.sql.connect.dataframe.DataFrame"}


def open_object(space: Workspace, given: Any, label: str, view: str) -> tuple[dict[str, str], int | None]:
    """Open an object as `view`; return the types of its columns, and its number of rows, None if unknown.

    The types are empty if the caller shall ask `view` for them.
    """
    import pyarrow as pa

    # To import pyarrow.dataset takes longer than the evaluation, and a caller with a dataset has done so.
    datasets = sys.modules.get("pyarrow.dataset")
    registered_classes = (pa.Table, datasets.Dataset) if datasets else pa.Table

    def package_and_class() -> tuple[str, str]:
        """Return the package and the name of the class."""
        return type(given).__module__.partition(".")[0], type(given).__name__

    try:
        if package_and_class() == ("polars", "LazyFrame"):
            given = given.collect(engine="streaming")
        elif package_and_class() == ("pandas", "DataFrame") and any(given.index.names):  # users, for instance
            given = given.reset_index()
        elif isinstance(given, Mapping):
            _check_columns_of_dict(given)
            given = pa.table(dict(given))
        elif package_and_class() == ("narwhals", "LazyFrame") or any(
            hasattr(type(given), f"__narwhals_{kind}__") for kind in ("dataframe", "lazyframe")
        ):
            import narwhals

            given = narwhals.from_native(given).lazy().collect("pyarrow").to_native()
        elif hasattr(given, "__arrow_c_array__") and not hasattr(given, "__arrow_c_stream__"):
            given = pa.record_batch(given)
        if isinstance(given, duckdb.DuckDBPyRelation):
            space.copy(given, label, view)
            return {}, None
        # A series of Polars or pandas is a stream, too, of one column without a name.
        is_stream = hasattr(given, "__arrow_c_stream__") and package_and_class()[1] != "Series"
        if isinstance(given, registered_classes) or package_and_class() in _FRAMES:
            try:
                space.con.register(view, given)
                return space.types(view), len(given) if hasattr(given, "__len__") else None
            except duckdb.NotImplementedException:  # a type, perhaps of a column that is not read
                if not is_stream:
                    raise
        if is_stream:
            return copy_stream(space, given, label, view)
    except Exception as error:
        kind = "" if isinstance(error, _SAYING) else f"{type(error).__name__}: "
        raise ValueError(f"{label} cannot be read: {kind}{error_text(error)}") from error
    raise TypeError(
        f"{label} must be a path, a query, the name of a table, a DuckDB relation, a Polars or pandas "
        f"data frame, an Arrow table or another object with __arrow_c_stream__, a frame of narwhals, a dict "
        f"of columns, a list of paths, or a dict of the items of each user with their values, got "
        f"{type(given).__name__}"
    )


def _check_columns_of_dict(columns: Mapping[Any, Any]) -> None:
    """Raise an error unless the columns of a dict are there, and have names and an order."""
    if not columns:
        raise ValueError("a dict of columns must have a column")
    for name, values in columns.items():
        if not isinstance(name, str):
            raise TypeError(f"the names of columns must be texts, got {shown(name)}")
        # Arrow would read the keys of a dict, and a set in any order.
        if isinstance(values, Mapping | set | frozenset):
            in_pandas = ", in pandas with to_dict('list')" if isinstance(values, Mapping) else ""
            kind = type(values).__name__
            raise TypeError(f"{name} is a {kind}: give a list for each column{in_pandas}")


def is_path(given: Any) -> bool:
    """Whether this is a text or a path."""
    return isinstance(given, str | os.PathLike)


def is_on_spark(table: Any) -> bool:
    """Whether a table is a data frame of Spark or Spark Connect, found without an import of PySpark."""
    return any(f"{base.__module__}.{base.__name__}" in _ON_SPARK for base in type(table).__mro__)


def are_systems(given: Any, user: str) -> bool:
    """Whether this is a dict of the tables of systems, and not of the columns of one table.

    `user` is the name of the column of users.
    """

    def is_table(value: Any) -> bool:
        is_dict_of_columns = isinstance(value, Mapping) and user in value
        return is_dict_of_columns or is_path(value) or hasattr(value, "columns")

    return (
        isinstance(given, Mapping)
        and bool(given)
        and all(isinstance(name, str) and is_table(value) for name, value in given.items())
    )


def is_nested(given: Any) -> bool:
    """Whether this is a dict of the items of each user, itself a dict, as in ranx and pytrec_eval."""
    items_of_users = given.values() if isinstance(given, Mapping) else ()
    return bool(items_of_users) and all(isinstance(items, Mapping) for items in items_of_users)


def flatten(
    caller: str, role: str, given: Mapping[Any, Mapping[Any, Any]], label: str, names: tuple[str, ...]
) -> dict[str, Any]:
    """Return a dict of the items of each user as columns: a row for each user and item.

    `names` begins with those of the columns of users, items and values.
    """
    user, item, value, *_ = names
    if user in given:  # a dict of columns then, and not of users
        raise ValueError(
            f"{label} has a dict for each column: give a list for each, in pandas with to_dict('list')"
        )
    without = [owner for owner, items in given.items() if not items]
    # A user without items has no row: one of truth leaves the means, and one of rec counts as 0 there.
    if without and role == "truth":
        warn(
            caller,
            role,
            f"{pluralize(len(without), 'user')} of {label} without any item left out, such as {without[0]!r}",
        )
    rows = [(owner, *row) for owner, items in given.items() for row in items.items()]
    columns = {name: [row[place] for row in rows] for place, name in enumerate((user, item, value))}
    if role == "truth":
        columns[value] = list(map(_not_negative, columns[value]))
    return columns


def _not_negative(rel: Any) -> Any:
    """Return a relevance of qrels, in which one below 0 counts as 0; what is no number stays as it is."""
    try:
        return type(rel)(0) if rel < 0 else rel
    except TypeError:
        return rel


_QUERY = re.compile(r"\s*(\(|--|/\*|(select|from|with|values)[\s*(\[{'\"])", re.IGNORECASE)
_PARTS = re.compile(r'"((?:[^"]|"")*)"|([^".]+)')
#: The names of tables and views that a query may read, itself or by a view or a macro.
_NAMES_IN_QUERY = """
    WITH
        named AS (
            SELECT table_name AS name, NULL AS body FROM system.main.duckdb_tables()
            UNION ALL SELECT view_name, sql FROM system.main.duckdb_views() WHERE NOT internal
            UNION ALL SELECT NULL, macro_definition FROM system.main.duckdb_functions() WHERE NOT internal
        ),
        read AS (SELECT lower(concat_ws(' ', $1, string_agg(body, ' '))) AS bodies FROM named)
    SELECT DISTINCT name FROM named, read WHERE contains(bodies, lower(replace(name, '"', '""')))
"""


def is_query(text: str) -> bool:
    """Whether a text begins as a query does, and not as a path or a name."""
    return _QUERY.match(text) is not None


def open_table(space: Workspace, name: str, label: str, view: str) -> dict[str, str]:
    """Open a table or view by its name, which may be quoted and qualified; return what `open_query` does."""
    quoted = ".".join(map(quote_name, _split_qualified(name)))
    return open_query(space, f"FROM {quoted}", label, view, _qualified_table(space, name))


def open_query(
    space: Workspace, query: str, label: str, view: str, table: str | None = None
) -> dict[str, str]:
    """Open what a query returns as `view`; return the types of all its columns, empty if `view` has them all.

    `table` is the qualified name of a table if the query only names one, which is then read in place. Any
    other query, also one of a view, runs once: a second run might return other rows, and the query may use
    the caller's macros, which no other SQL of this package may call.
    """
    theirs = space.user_connection
    try:
        kinds = [statement.type for statement in space.con.extract_statements(query)]
        if kinds != [duckdb.StatementType.SELECT]:
            raise ValueError(f"{label} must be one query that returns rows, got {query!r}")
        if theirs is not None and _reads_own(space, theirs, query):
            space.copy(theirs.sql(query), label, view)
        elif table:
            with space.as_user():
                space.con.execute(f"DESCRIBE {query}")  # fails if the name is not visible
            space.create("VIEW", view, f"FROM {table}", label)
        else:
            with space.as_user():
                return _run_query(space, query.rstrip().rstrip(";"), label, view)
    except duckdb.CatalogException as error:  # the caller's connection alone may know the name
        try:
            relation = None if theirs is None else theirs.sql(query)
        except duckdb.Error:
            relation = None
        if relation is None:
            hint: list[str | Argument] = []
            if theirs is None:
                hint = ["; the query runs on an empty database: give another one with ", Argument("con"), "="]
            raise CallValueError(None, None, f"{label}: {error_text(error)}", *hint) from error
        space.copy(relation, label, view)
    except duckdb.Error as error:
        raise ValueError(f"{label}: {error_text(error)}") from error
    return {}


def _run_query(space: Workspace, query: str, label: str, view: str) -> dict[str, str]:
    """Run a query, keep the columns that are read, and return the types of all columns.

    Called within `Workspace.as_user`, so that the caller's names resolve.
    """
    name = space.own("query")
    space.con.execute(f"CREATE TEMP VIEW {name} AS {query}")
    try:
        types = space.types(name)
        # A column that is missing is no error yet: `find_columns` names it.
        space.create("TABLE", view, f"SELECT {space.select_read(types)} FROM {name}", label)
    finally:
        space.con.execute(f"DROP VIEW {name}")
    return types


def _reads_own(space: Workspace, theirs: duckdb.DuckDBPyConnection, query: str) -> bool:
    """Whether a query reads a variable or something temporary, which only the caller's connection sees.

    If there is anything temporary, the plans of both connections are compared: they name what is read.
    Before DuckDB 2, any query ends a pending result of the caller. There, each name that `space.con`
    knows and the query may read is looked up among the caller's temporary ones. A name that only the caller's
    connection knows fails in `open_query`, which then asks that connection.
    """
    if "getvariable" in query.lower():
        return True
    try:
        if duckdb.__version__.startswith("1."):
            names = space.con.execute(_NAMES_IN_QUERY, [query]).fetchall()
            return any(_is_temporary(theirs, name) for (name,) in names)
        names = theirs.sql(
            "SELECT table_name FROM system.main.duckdb_tables() WHERE temporary "
            "UNION ALL SELECT view_name FROM system.main.duckdb_views() WHERE temporary AND NOT internal"
        ).fetchall()
        if not names:
            return False
        plan = theirs.sql(f"EXPLAIN {query}").fetchall()
    except duckdb.Error:  # the connection is in use
        return False
    with space.as_user():
        return plan != space.con.execute(f"EXPLAIN {query}").fetchall()


def _is_temporary(theirs: duckdb.DuckDBPyConnection, name: str) -> bool:
    """Whether the caller has a temporary table or view of this name. The relation is made, and never run."""
    try:
        theirs.sql(f"FROM temp.{quote_name(name)}")
    except duckdb.CatalogException:
        return False
    return True


def _qualified_table(space: Workspace, name: str) -> str | None:
    """Return the qualified name of a table; None unless exactly one table, and no view, has this name."""
    *above, last = [part.lower() for part in _split_qualified(name)]
    matches = [
        ".".join(map(quote_name, names)) if is_table else None
        for *names, is_table in space.con.execute(
            "SELECT database_name, schema_name, table_name, true FROM duckdb_tables() "
            "UNION ALL SELECT database_name, schema_name, view_name, false FROM duckdb_views()"
        ).fetchall()
        if names[2].lower() == last and {*above} <= {part.lower() for part in names[:2]}
    ]
    return matches[0] if len(matches) == 1 else None


def _split_qualified(text: str) -> list[str]:
    """Split a table's name into the names of its database, its schema (both optional) and the table."""
    if '"' not in text:
        return text.split(".")
    return [quoted.replace('""', '"') or plain for quoted, plain in _PARTS.findall(text)]
