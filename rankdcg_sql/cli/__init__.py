"""The command ``rankdcg-sql``."""

from __future__ import annotations

from rankdcg_sql.cli._main import main

__all__ = ["main"]
