"""Evaluate recommendations, and compare several systems, from tables of any kind."""

from __future__ import annotations

from rankdcg_sql.evaluation._compare import compare
from rankdcg_sql.evaluation._comparison import Comparison
from rankdcg_sql.evaluation._counts import Counts, DataWarning
from rankdcg_sql.evaluation._evaluate import evaluate
from rankdcg_sql.evaluation._history import History, history
from rankdcg_sql.evaluation._requirements import RequirementError, Requirements
from rankdcg_sql.evaluation._results import Evaluation

__all__ = [
    "Comparison",
    "Counts",
    "DataWarning",
    "Evaluation",
    "History",
    "RequirementError",
    "Requirements",
    "compare",
    "evaluate",
    "history",
]
