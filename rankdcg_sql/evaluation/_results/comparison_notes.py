"""Sentences about the lists and the tests of a comparison: warnings and notes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rankdcg_sql._sql import fetch_one, quote_name
from rankdcg_sql.catalogue import metric_functions, resolve_options
from rankdcg_sql.evaluation._terms.counts import warn
from rankdcg_sql.evaluation._terms.statistics import Test, notes_on_equal

if TYPE_CHECKING:
    from rankdcg_sql.evaluation._results.differences import ComparedValues
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


#: The users above which Wilcoxon's test has a note. It tests whether differences are symmetric around 0. If
#: their mean is 0 and their skewness 1, it rejects at 0.05 in 10 % of experiments of 50 users, 43 % of 500
#: and 70 % of 1,000 (400 were simulated from a gamma distribution of shape 4). Ihemelandu and Ekstrand, SIGIR
#: 2023, advise against it for experiments with thousands of users.
_MANY_FOR_RANKS = 1000


def notes_of_tests(values: ComparedValues, test: Test) -> list[str]:
    """Return the sentences about `test`."""
    notes = []
    users = values.first.counts.users_evaluated
    if test == "wilcoxon" and users > _MANY_FOR_RANKS:
        notes.append(
            f"Wilcoxon's test of {values.first.words.count(users)} finds differences significant that are "
            "skewed, though their mean may be 0: the t test and the randomization test compare means"
        )
    if test == "tukey_hsd":
        notes += _notes_of_blocks(values)
    return notes + _notes_of_equal_differences(values)


def _notes_of_equal_differences(values: ComparedValues) -> list[str]:
    """Say which differences are equal for all users, so that the interval is another one."""
    measures = values.first.measures
    differences = [f"a_{place} - b_{place}" for place, _ in enumerate(measures)]
    named = (
        (
            f"{measures[place].column}{segment} of {system} from {against}",
            values.range_of_difference(measures[place].metric),
        )
        for (system, against), view in zip(values.pairs, values.pair_views, strict=True)
        for place, segment in values.first.segments.find_equal(values.con, view, differences)
    )
    return notes_on_equal("differences", named, values.first.interval)


def _notes_of_blocks(values: ComparedValues) -> list[str]:
    """Say for which measures the randomised Tukey HSD has fewer users than a pair of systems."""
    measures = values.first.measures
    places = range(len(measures))
    complete = ", ".join(
        f"count(*) FILTER (list_count(v_{place}) = {len(values.evaluations)})" for place in places
    )
    both = ", ".join(f"count(*) FILTER (a_{place} + b_{place} IS NOT NULL)" for place in places)
    tested = fetch_one(values.con.execute(f"SELECT {complete} FROM {values.blocks}")) or ()
    of_pairs = [
        fetch_one(values.con.execute(f"SELECT {both} FROM {view}")) or () for view in values.pair_views
    ]
    most = map(max, zip(*of_pairs, strict=True))
    fewer = [
        f"{users:,} for {measure.column}"
        for measure, users, users_of_pair in zip(measures, tested, most, strict=True)
        if users < users_of_pair
    ]
    every = f"the randomised Tukey HSD tests the {values.first.unit} with a value from every system: "
    return [every + ", ".join(fewer)] if fewer else []
