"""Ranking evaluation where the data lies: metrics over truth and rec tables in DuckDB and Polars.

Importing the package makes the functions part of every DuckDB database that is opened afterwards, from
DuckDB 2.0 on:

>>> import duckdb, rankdcg_sql
>>> duckdb.connect().execute("SELECT round(ndcg([1, 3, 2, 6], [1, 2, 4], 2), 6)").fetchone()
(0.613147,)

For a connection that was open before, and for older versions of DuckDB, see `register`. The same functions as
Polars expressions are in `rankdcg_sql.polars`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rankdcg_sql import _static
from rankdcg_sql._native import extension_path
from rankdcg_sql.catalogue import (
    Convention,
    Function,
    Option,
    Preset,
    conventions,
    functions,
    options,
    version,
)

if TYPE_CHECKING:
    from rankdcg_sql.duckdb import Registration, connect, register
    from rankdcg_sql.evaluation import (
        Comparison,
        Counts,
        DataWarning,
        Evaluation,
        compare,
        evaluate,
    )
    from rankdcg_sql.hivemall import register_hivemall

__version__ = version()
__all__ = [
    "Comparison",
    "Convention",
    "Counts",
    "DataWarning",
    "Evaluation",
    "Function",
    "Option",
    "Preset",
    "Registration",
    "compare",
    "connect",
    "conventions",
    "evaluate",
    "extension_path",
    "functions",
    "options",
    "register",
    "register_hivemall",
]

#: What needs DuckDB is imported when it is first used, and where it comes from.
_LAZY = {
    "Comparison": "rankdcg_sql.evaluation",
    "compare": "rankdcg_sql.evaluation",
    "Counts": "rankdcg_sql.evaluation",
    "DataWarning": "rankdcg_sql.evaluation",
    "Evaluation": "rankdcg_sql.evaluation",
    "Registration": "rankdcg_sql.duckdb",
    "connect": "rankdcg_sql.duckdb",
    "evaluate": "rankdcg_sql.evaluation",
    "register": "rankdcg_sql.duckdb",
    "register_hivemall": "rankdcg_sql.hivemall",
}


def __getattr__(name: str) -> Any:
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_LAZY[name]), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_LAZY])


_static.install()
