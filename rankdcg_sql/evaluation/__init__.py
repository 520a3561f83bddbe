"""Evaluate recommendations, and compare several systems, from tables of any kind."""

from __future__ import annotations

from rankdcg_sql.evaluation._calls import compare, evaluate
from rankdcg_sql.evaluation._history.history import History, history
from rankdcg_sql.evaluation._requirements.requirements import RequirementError, Requirements
from rankdcg_sql.evaluation._results.comparison import Comparison
from rankdcg_sql.evaluation._results.evaluation import Evaluation
from rankdcg_sql.evaluation._terms.counts import Counts, DataWarning

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
