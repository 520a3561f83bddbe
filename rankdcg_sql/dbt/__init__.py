"""dbt: the plugin of dbt-duckdb, with whose connections models, tests and snapshots have the functions.

This folder is also the dbt package `rankdcg_sql`, with its macros and generic tests. docs/dbt.md says how a
project gets both.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from dbt.adapters.duckdb.plugins import BasePlugin

from rankdcg_sql import _static, register

if TYPE_CHECKING:
    import duckdb

__all__ = ["Plugin", "package_path"]


def package_path() -> str:
    """Return the path of the dbt package, for `packages.yml`.

    Examples
    --------
    >>> from rankdcg_sql.dbt import package_path
    >>> package_path().endswith("rankdcg_sql/dbt")
    True
    """
    return Path(__file__).resolve().parent.as_posix()


class Plugin(BasePlugin):
    """Registers the functions and the table macros on every connection that dbt-duckdb opens.

    A profile names it under ``plugins`` as ``module: rankdcg_sql.dbt``.
    """

    def update_connection_config(self, creds: Any, config: dict[str, Any]) -> None:
        """Allow unsigned extensions where the functions are one, unless the profile says otherwise."""
        if not _static.installed():
            config.setdefault("allow_unsigned_extensions", "true")

    def configure_connection(self, conn: duckdb.DuckDBPyConnection) -> None:
        """Register the functions with the database."""
        register(conn)

    def configure_cursor(self, cursor: duckdb.DuckDBPyConnection) -> None:
        """Create the macros, which are TEMP, on the connection of one model, test or snapshot."""
        register(cursor)
