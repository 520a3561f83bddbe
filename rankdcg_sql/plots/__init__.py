"""Plots of evaluations and comparisons, as figures of Matplotlib.

A notebook shows a plot by itself, on a light page and on a dark one, and ``plot.save("plot.svg")`` writes it
to a file. DuckDB counts and bins the values of users. Plots need ``pip install 'rankdcg_sql[plots]'``.
"""

from __future__ import annotations

try:
    import matplotlib.figure  # noqa: F401
except ImportError as error:
    raise ImportError("Plots need Matplotlib: pip install 'rankdcg_sql[plots]'") from error

from rankdcg_sql.plots._changes import change_parts, cumulative_change
from rankdcg_sql.plots._differences import differences, user_differences, wins
from rankdcg_sql.plots._distribution import distribution
from rankdcg_sql.plots._figure import STYLE, Plot, dark_svg
from rankdcg_sql.plots._judgements import judgements
from rankdcg_sql.plots._means import learning_curve, means_over_time, metric_at_k, segments
from rankdcg_sql.plots._panels import groups_of, percent
from rankdcg_sql.plots._user_lists import user_lists

__all__ = [
    "STYLE",
    "Plot",
    "change_parts",
    "cumulative_change",
    "dark_svg",
    "differences",
    "distribution",
    "groups_of",
    "judgements",
    "learning_curve",
    "means_over_time",
    "metric_at_k",
    "percent",
    "segments",
    "user_differences",
    "user_lists",
    "wins",
]
