"""Evaluate recommendations, and compare several systems, from tables of any kind."""

from __future__ import annotations

from rankdcg_sql.evaluation._calls import compare, evaluate
from rankdcg_sql.evaluation._explain_change import explain_change
from rankdcg_sql.evaluation._history.history import History, history
from rankdcg_sql.evaluation._judge_corrected import judge_corrected
from rankdcg_sql.evaluation._requirements.requirements import RequirementError, Requirements
from rankdcg_sql.evaluation._results.change import Change
from rankdcg_sql.evaluation._results.comparison import Comparison
from rankdcg_sql.evaluation._results.evaluation import Evaluation
from rankdcg_sql.evaluation._results.explanation import Explanation
from rankdcg_sql.evaluation._results.judge_corrected import JudgeCorrected
from rankdcg_sql.evaluation._terms.counts import Counts, DataWarning

__all__ = [
    "Change",
    "Comparison",
    "Counts",
    "DataWarning",
    "Evaluation",
    "Explanation",
    "History",
    "JudgeCorrected",
    "RequirementError",
    "Requirements",
    "compare",
    "evaluate",
    "explain_change",
    "history",
    "judge_corrected",
]
