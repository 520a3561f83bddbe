"""Ranking evaluation within DuckDB and Polars: metrics over a table of truth and a table of recommendations.

From DuckDB 2.0 on, importing the package makes its functions part of every DuckDB database that is opened
afterwards:

>>> import duckdb, rankdcg_sql
>>> duckdb.connect().execute("SELECT round(ndcg([1, 3, 2, 6], [1, 2, 4], 2), 6)").fetchone()
(0.613147,)

For a connection that was open before the import, and for older versions of DuckDB, see `register`. The module
`rankdcg_sql.polars` has the same functions as Polars expressions, and those of lists take lists of Python:

>>> rankdcg_sql.ndcg([1, 3, 2, 6], [1, 2, 4], k=2)
0.6131471927654584
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rankdcg_sql import _static
from rankdcg_sql._errors import CallError
from rankdcg_sql._native import extension_path
from rankdcg_sql.catalogue import (
    Convention,
    Function,
    Option,
    Preset,
    conventions,
    expressions,
    functions,
    options,
    version,
)

if TYPE_CHECKING:
    from rankdcg_sql.duckdb import Registration, connect, register
    from rankdcg_sql.evaluation import (
        Change,
        Comparison,
        Counts,
        DataWarning,
        Evaluation,
        Explanation,
        History,
        JudgeCorrected,
        RequirementError,
        Requirements,
        compare,
        evaluate,
        explain_change,
        history,
        judge_corrected,
    )
    from rankdcg_sql.hivemall import register_hivemall
    from rankdcg_sql.lists import *  # noqa: F403

__version__ = version()
__all__ = [
    "CallError",
    "Change",
    "Comparison",
    "Convention",
    "Counts",
    "DataWarning",
    "Evaluation",
    "Explanation",
    "Function",
    "History",
    "JudgeCorrected",
    "Option",
    "Preset",
    "Registration",
    "RequirementError",
    "Requirements",
    "compare",
    "connect",
    "conventions",
    "evaluate",
    "explain_change",
    "extension_path",
    "functions",
    "history",
    "judge_corrected",
    "options",
    "register",
    "register_hivemall",
]

#: Names that need DuckDB, with their modules, which are imported when a name is first used.
_LAZY = {
    name: f"rankdcg_sql.{module}"
    for module, names in {
        "duckdb": ("Registration", "connect", "register"),
        "evaluation": (
            *("Change", "Comparison", "Counts", "DataWarning", "Evaluation", "Explanation", "History"),
            *("JudgeCorrected", "RequirementError", "Requirements"),
            *("compare", "evaluate", "explain_change", "history", "judge_corrected"),
        ),
        "hivemall": ("register_hivemall",),
    }.items()
    for name in names
}


def _of_lists() -> list[str]:
    """Return the names of the functions of lists, whose module is imported when one is first used."""
    return [name for name, function in expressions().items() if not function.is_aggregate]


def __getattr__(name: str) -> Any:
    """Import a name of `_LAZY`, or a function of lists, from its module when it is first used."""
    from importlib import import_module

    module = _LAZY.get(name) or ("rankdcg_sql.lists" if name in _of_lists() else None)
    if module is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    # Kept, because an import takes a lock, and a child that is forked meanwhile would wait for it forever.
    value = globals()[name] = getattr(import_module(module), name)
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *_LAZY, *_of_lists()])


_static.install()
