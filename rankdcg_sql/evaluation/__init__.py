"""Evaluate recommendations, and compare several systems, from tables of any kind."""

from __future__ import annotations

from rankdcg_sql.evaluation._comparison import Comparison, compare
from rankdcg_sql.evaluation._results import Evaluation, evaluate
from rankdcg_sql.evaluation._session import Counts, DataWarning

__all__ = ["Comparison", "Counts", "DataWarning", "Evaluation", "compare", "evaluate"]
