"""The warning about systems whose lists differ in length, where a metric depends on that."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rankdcg_sql._sql import fetch_one, quote_name
from rankdcg_sql.catalogue import metric_functions, resolve_options
from rankdcg_sql.evaluation._terms.counts import warn

if TYPE_CHECKING:
    from rankdcg_sql.evaluation._results.compared_values import ComparedValues
    from rankdcg_sql.evaluation._results.evaluation import Evaluation

#: The two reasons why a metric depends on the length of lists, in the words of the warning.
_BY_DIVISOR = "the denominators of some metrics depend on that"
_BY_UNJUDGED = "each retrieved item without a judgement has a place in the order"


def warn_of_lengths(values: ComparedValues) -> None:
    """Warn if a metric depends on the length of lists, and two systems' lists differ in length."""
    first = values.first
    for reason, metrics in _metrics_by_reason(first).items():
        cuts = dict.fromkeys(measure.k for measure in first.measures if measure.metric in metrics)
        differs = " OR ".join(
            "a.retrieved <> b.retrieved"
            if k is None
            else f"least(a.retrieved, {k}) <> least(b.retrieved, {k})"
            for k in cuts
        )
        for system, against in values.pairs:
            row = fetch_one(
                values.con.execute(
                    f"SELECT count(*) FROM {values.tables[system]} AS a JOIN {values.tables[against]} AS b "
                    f"USING ({quote_name(first.user)}) "
                    f"WHERE a.retrieved > 0 AND b.retrieved > 0 AND ({differs})"
                )
            )
            if row and row[0]:
                warn(
                    "compare",
                    "recs",
                    f"{system} and {against} have lists of different length for "
                    f"{first.words.count(row[0])}, and {reason}: {', '.join(metrics.values())}",
                )


def _metrics_by_reason(evaluation: Evaluation) -> dict[str, dict[str, str]]:
    """Find the metrics that depend on how many items are retrieved.

    Returns
    -------
    dict
        For each reason, the names of the metrics, each with the text that names its option as well.
    """
    metrics: dict[str, dict[str, str]] = {}
    for metric in evaluation.metrics:
        resolved = resolve_options(metric_functions()[metric], evaluation.options)
        for option, value in ((name, setting.value) for name, setting in resolved.items()):
            reason = _BY_UNJUDGED if (option, value) == ("unjudged", "zero") else _BY_DIVISOR
            if "retrieved" in value or reason == _BY_UNJUDGED:
                metrics.setdefault(reason, {})[metric] = f"{metric} ({option}={value})"
    return metrics
