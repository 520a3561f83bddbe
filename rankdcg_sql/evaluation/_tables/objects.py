"""Objects of Python that hold a table: data frames, Arrow tables, streams, dicts."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from rankdcg_sql._errors import shown
from rankdcg_sql._sql import error_text
from rankdcg_sql.evaluation._terms.counts import pluralize, warn

if TYPE_CHECKING:
    from rankdcg_sql.evaluation._tables.workspace import Workspace

_FRAMES = (("polars", "DataFrame"), ("pandas", "DataFrame"))
#: The classes of data frames of Spark. Before version 4.0, that of Spark Connect is no subclass of the other.
_ON_SPARK = {"pyspark.sql.dataframe.DataFrame", "pyspark.sql.connect.dataframe.DataFrame"}


def open_object(space: Workspace, given: Any, label: str, view: str) -> tuple[dict[str, str], int | None]:
    """Open an object of Python.

    Returns the types of its columns, or no types if they are not known yet, and the number of its rows, or
    None.
    """
    import pyarrow as pa

    # Importing pyarrow.dataset takes longer than the evaluation. A caller with a dataset has imported it
    # already.
    datasets = sys.modules.get("pyarrow.dataset")
    registered = (pa.Table, datasets.Dataset) if datasets else pa.Table

    def kind() -> tuple[str, str]:
        return type(given).__module__.partition(".")[0], type(given).__name__

    try:
        if kind() == ("polars", "LazyFrame"):
            given = given.collect(engine="streaming")
        elif kind() == ("pandas", "DataFrame") and any(given.index.names):
            given = given.reset_index()
        elif isinstance(given, Mapping):
            _check_columns_of_dict(given)
            given = pa.table(dict(given))
        if isinstance(given, registered) or kind() in _FRAMES:
            space.con.register(view, given)
            return space.types(view), len(given) if hasattr(given, "__len__") else None
        # A series of Polars or pandas is a stream, too, of one column without a name.
        if hasattr(given, "__arrow_c_stream__") and kind()[1] != "Series":
            space.copy(given, label, view)
            return {}, None
    except Exception as error:
        raise ValueError(f"{label} cannot be read: {error_text(error)}") from error
    raise TypeError(
        f"{label} must be a path, a query, the name of a table, a DuckDB relation, a Polars or pandas "
        f"data frame, an Arrow table, a dict of columns, a list of paths, or a dict of the items of "
        f"each user with their values, got {type(given).__name__}"
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
    return any(f"{kind.__module__}.{kind.__name__}" in _ON_SPARK for kind in type(table).__mro__)


def are_systems(given: Any, user: str) -> bool:
    """Whether this is a dict of the tables of systems, and not of the columns of one table.

    `user` is the name of the column of users.
    """

    def is_table(value: Any) -> bool:
        in_columns = isinstance(value, Mapping) and user in value
        return in_columns or is_path(value) or hasattr(value, "columns")

    return (
        isinstance(given, Mapping)
        and bool(given)
        and all(isinstance(name, str) and is_table(value) for name, value in given.items())
    )


def is_nested(given: Any) -> bool:
    """Whether this is a dict of the items of each user, itself a dict, as in ranx and pytrec_eval."""
    return (
        isinstance(given, Mapping)
        and bool(given)
        and all(isinstance(items, Mapping) for items in given.values())
    )


def flatten(
    caller: str, role: str, given: Mapping[Any, Mapping[Any, Any]], label: str, names: tuple[str, ...]
) -> dict[str, Any]:
    """Return a dict of the items of each user as columns: a row for each user and item.

    `names` begins with those of the columns of users, items and values.
    """
    user, item, value, *_ = names
    if user in given:
        raise ValueError(
            f"{label} has a dict for each column: give a list for each, in pandas with to_dict('list')"
        )
    without = [each for each, items in given.items() if not items]
    if without and role == "truth":
        warn(
            caller,
            role,
            f"{pluralize(len(without), 'user')} of {label} without any item left out, such as {without[0]!r}",
        )
    rows = [(each, *row) for each, items in given.items() for row in items.items()]
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
