"""The metrics of tables: what they are called, the functions behind them, and who has no value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from rankdcg_sql.catalogue import Function, effective_options, functions

#: What others call metrics.
METRIC_SYNONYMS = {"map": "average_precision", "ap": "average_precision", "rr": "mrr", "success": "hit_rate"}

#: The metrics of one pass that are computed only where they are asked for: within the top k, AUC compares the
#: hits that are there with the misses, and misleads whoever expects more hits to be better.
NOT_BY_DEFAULT = {"auc"}


@dataclass(frozen=True)
class Measure:
    """A metric at a k.

    Attributes
    ----------
    metric : str
        Its name in results.
    k : int or None
        The cut; None for the whole list, and for metrics that have no cut.
    """

    metric: str
    k: int | None

    @property
    def column(self) -> str:
        """Its name where it is a column."""
        return self.metric if self.k is None else f"{self.metric}@{self.k}"

    @property
    def sql_k(self) -> str:
        """The cut in SQL."""
        return "NULL::BIGINT" if self.k is None else f"{self.k}::BIGINT"


@cache
def bundle() -> Function:
    """The function of the metrics that are computed in one pass."""
    return next(each for each in functions() if each.name == "rank_metrics_at_rows")


@cache
def metric_functions() -> dict[str, Function]:
    """The functions over recommendations and judgements, by what the metric is called in results."""
    return {
        function.base: function
        for function in functions()
        if function.shape == "rows" and function.output == "value"
    }


@cache
def metric_names() -> dict[str, str]:
    """The metrics over recommendations and judgements, by each name that people may give them."""
    return {
        name: function.base
        for function in functions()
        if function.shape == "lists" and function.base in metric_functions()
        for name in function.names
    }


def metric_range(metric: str) -> tuple[float | None, float | None]:
    """Return the least and the largest value of a metric; None where it has no bound."""
    function = metric_functions()[metric]
    return function.least, function.most


#: Why a user may have no value because of an option and its value, besides what the truth of the user lacks.
_REASONS_BY_OPTION = {
    ("unjudged", "zero"): " among what was judged and retrieved",
    ("empty_rec", "null"): ", or with nothing retrieved",
    ("one_class", "null"): ", or with only hits or only misses in the top k",
}


def reason_without_value(metric: str, options: Mapping[str, str]) -> str:
    """Say which users have no value of a metric."""
    function = metric_functions()[metric]
    effective = effective_options(function, metric, options)
    reasons = [text for (name, value), text in _REASONS_BY_OPTION.items() if effective.get(name) == value]
    return f"without {function.truth_needs}{''.join(reasons)}"


def needs_grades(metric: str) -> bool:
    """Whether a metric compares levels of relevance, and tells nothing of a truth that has only one."""
    return metric_functions()[metric].truth_needs == "two distinct relevances"
