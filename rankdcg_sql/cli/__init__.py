"""The command line: ``rankdcg-sql`` and its commands."""

from __future__ import annotations

from rankdcg_sql.cli._main import main

__all__ = ["main"]
