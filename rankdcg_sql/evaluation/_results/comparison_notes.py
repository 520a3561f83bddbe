"""Notes on the tests of a comparison: cases that they are not made for, and users that they leave out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rankdcg_sql._sql import fetch_one
from rankdcg_sql.evaluation._terms.statistics import Test, notes_on_equal

if TYPE_CHECKING:
    from rankdcg_sql.evaluation._results.compared_values import ComparedValues

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
