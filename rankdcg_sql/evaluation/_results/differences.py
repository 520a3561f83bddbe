"""The values of several systems on one connection, and their differences as SQL, with intervals and tests."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

from rankdcg_sql._cached import cached_property
from rankdcg_sql._sql import fetch_one, quote_name, quote_text
from rankdcg_sql.catalogue import resolve_options
from rankdcg_sql.evaluation._tables.workspace import results_connection
from rankdcg_sql.evaluation._terms import statistics
from rankdcg_sql.evaluation._terms.counts import warn
from rankdcg_sql.evaluation._terms.metrics import (
    WEIGHTED,
    difference_range,
    function_of,
    is_of_all_users_in_sql,
    less_is_better_in_sql,
    needs_grades,
    options_of,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    import duckdb

    from rankdcg_sql.evaluation._results.evaluation import Evaluation
    from rankdcg_sql.evaluation._terms.metrics import Measure


@dataclass(frozen=True, repr=False, eq=False)
class ComparedValues:
    """The values of the systems of a comparison."""

    #: The evaluation of each system, keyed by the system's name.
    evaluations: dict[str, Evaluation]
    #: The name of the system with which the others are compared; None if all pairs are compared.
    baseline: str | None

    @property
    def first(self) -> Evaluation:
        """The evaluation of the baseline, or of the first system if there is none."""
        return self.evaluations[self.baseline or next(iter(self.evaluations))]

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """The pairs of a system and the one it is compared with: the baseline, or each system before it."""
        if self.baseline is None:
            return [(system, against) for against, system in combinations(self.evaluations, 2)]
        return [(name, self.baseline) for name in self.evaluations if name != self.baseline]

    @property
    def tables(self) -> dict[str, str]:
        """For each system, the name of the table of its values on the connection."""
        return {name: f"user_metrics_{place}" for place, name in enumerate(self.evaluations)}

    @cached_property
    def con(self) -> duckdb.DuckDBPyConnection:
        """A connection with a table of the values of each system."""
        tables = {table: self.evaluations[name].table for name, table in self.tables.items()}
        return results_connection(tables)

    @cached_property
    def pair_views(self) -> list[str]:
        """For each of `pairs`, the name of a view on the connection.

        Its rows are the users of both, in no order, because no statistic depends on one. ``a_0``, ``a_1`` and
        so on are the values of the system, ``b_0`` and so on those of the other one. ``_weight`` is the
        weight of a user, if users have weights.
        """
        measures = enumerate(quote_name(measure.column) for measure in self.first.measures)
        values = ", ".join(
            [
                *(f"b.{quote_name(name)}" for name in self.first.by),
                *([f"b.{self.first.weight_in_sql} AS _weight"] if self.first.weight else []),
                *(f"a.{column} AS a_{place}, b.{column} AS b_{place}" for place, column in measures),
            ]
        )
        views = [f"pairs_{place}" for place, _ in enumerate(self.pairs)]
        for view, (system, against) in zip(views, self.pairs, strict=True):
            self.con.execute(
                f"CREATE TEMP VIEW {view} AS SELECT {values} FROM {self.tables[system]} AS a "
                f"JOIN {self.tables[against]} AS b USING ({quote_name(self.first.user)})"
            )
        return views

    def users_of_one(self, measures: Sequence[Measure]) -> tuple[Measure, str, str, int] | None:
        """Find two systems that have values of a measure for different users, some for the same ones.

        Returns the measure, the names of the systems, and the number of users for whom only one of both has a
        value; None if there are no such systems.
        """
        columns = [quote_name(measure.column) for measure in measures]
        there = [
            f"(a.{column} IS NOT NULL)::INTEGER + (b.{column} IS NOT NULL)::INTEGER" for column in columns
        ]
        counts = ", ".join(f"[count_if({each} = 1), count_if({each} = 2)]" for each in there)
        user = quote_name(self.first.user)
        for system, against in self.pairs if measures else []:
            joined = f"{self.tables[system]} AS a FULL JOIN {self.tables[against]} AS b USING ({user})"
            found = fetch_one(self.con.execute(f"SELECT {counts} FROM {joined}")) or ()
            for measure, (of_one, of_both) in zip(measures, found, strict=True):
                if of_one and of_both:
                    return measure, system, against, of_one
        return None

    @cached_property
    def blocks(self) -> str:
        """The name of a view on the connection, whose rows are the users of all systems.

        ``v_0``, ``v_1`` and so on are lists with the values of all systems, one list for each measure.
        """
        first_table, *other_tables = tables = list(self.tables.values())
        columns = [f"{first_table}.{quote_name(name)}" for name in self.first.by]
        columns += [
            f"[{', '.join(f'{table}.{quote_name(measure.column)}' for table in tables)}] AS v_{place}"
            for place, measure in enumerate(self.first.measures)
        ]
        joins = "".join(f" JOIN {table} USING ({quote_name(self.first.user)})" for table in other_tables)
        self.con.execute(f"CREATE TEMP VIEW blocks AS SELECT {', '.join(columns)} FROM {first_table}{joins}")
        return "blocks"

    @cached_property
    def _ordered_tables(self) -> dict[str, str]:
        """For each system, the name of a table on the connection: its values in ascending order of users."""
        tables = {name: f"ordered_user_metrics_{place}" for place, name in enumerate(self.evaluations)}
        for name, table in tables.items():
            self.con.register(table, self.evaluations[name].ordered)
        return tables

    def select_from_each(self, columns: str) -> duckdb.DuckDBPyRelation:
        """Select `columns` from the values of each system, after a column ``system`` with its name.

        The columns are SQL. Systems follow one another in the order of `evaluations`.
        """
        return self.con.sql(
            " UNION ALL ".join(
                f"SELECT {quote_text(name)} AS system, {columns} FROM {table}"
                for name, table in self._ordered_tables.items()
            )
        )


# The start of SQL for an end of an interval, or a p-value, that is NULL for equal differences without limits:
# Student's t would take their mean as certain.
_IF_KNOWN = "if(interval_by IS NULL, NULL, "


def select_differences(
    values: ComparedValues, test: statistics.Test, test_options: str, correction: statistics.Correction | None
) -> str:
    """Write the query of `Comparison.differences`; `test_options` are options of the test as SQL text."""
    tolerance = f"tolerance={statistics.TIE_TOLERANCE}"
    test_options = ",".join(filter(None, [test_options, tolerance]))
    # The struct `compared` has all about a difference, but for tests and intervals that are not Student's.
    interval = "compared" if values.first.interval == "t" else "other_interval"
    function, _ = statistics.TESTS[test]
    other_test = None if test in ("t", "tukey_hsd") else f"{function}({{a}}, {{b}}, '{test_options}')"
    tests = _select_tests(values, test_options if test == "t" else tolerance, other_test)
    p_value = "tested.p_value" if other_test else f"{_IF_KNOWN}compared.p_value)"
    of_each_pair = ""
    if test == "tukey_hsd":
        # The p-values of a measure are corrected for pairs already, so a correction counts those of one pair.
        of_each_pair = "PARTITION BY nth "
        p_value = "p_values[place + 1][nth + 1]"
        tests = _with_tukey_p_values(values, tests, test_options)
    # Both windows below have one order, in which a row's number is the place of its p-value.
    p_values = f"corrected_p_values(list(p_value) OVER every_test, 'correction={correction}')"
    p_corrected = "p_value" if correction is None else f"{p_values}[row_number() OVER in_order]"
    segments = values.first.segments
    weighted = "".join(f", {value} AS {name}" for name, value in _weighted(values.first).items())
    order = ", ".join(["nth", *segments.columns, "place"])
    less, of_all = less_is_better_in_sql(), is_of_all_users_in_sql()
    return f"""
        SELECT system, against, {segments.named_columns}metric, k, compared.n AS n,
            compared.mean_a AS mean, compared.mean_b AS baseline, compared.mean_difference AS difference,
            {_IF_KNOWN}{interval}.low) AS low, {_IF_KNOWN}{interval}.high) AS high,
            compared.effect_size AS effect_size, p_value,
            {p_corrected} AS p_corrected,
            if({of_all}, NULL, if({less}, compared.losses, compared.wins)) AS wins,
            if({of_all}, NULL, compared.ties) AS ties,
            if({of_all}, NULL, if({less}, compared.wins, compared.losses)) AS losses, without_value,
            if({interval}.low IS NULL, NULL, interval_by) AS interval_by{weighted}
        FROM (SELECT *, {p_value} AS p_value FROM ({tests}))
        WINDOW in_order AS ({of_each_pair}ORDER BY {order}),
            every_test AS (
                {of_each_pair}ORDER BY {order} ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING
            )
        ORDER BY {order}
        """


def _weighted(evaluation: Evaluation) -> dict[str, str]:
    """Return the columns of differences that tell of weights, each with its SQL; none without weights."""
    if not evaluation.weight:
        return {}
    names = WEIGHTED.split(", ")
    return {name: f"compared.{name}" for name in names} | {names[0]: quote_text(evaluation.weight)}


def _select_tests(values: ComparedValues, options_of_t: str, other_test: str | None) -> str:
    """Write a SELECT of the tests, one for each pair of systems, segment and measure.

    ``nth`` is the place of the pair and ``place`` that of the measure. `options_of_t` are those of Student's
    test, and `other_test` is SQL for another test if there is one, with ``{a}`` and ``{b}`` for the values.
    """
    first = values.first
    options_of_t = f"{options_of_t},confidence={first.confidence!r}"
    comparison, weight = "paired_comparison", ""
    if first.weight:
        comparison, weight = statistics.WEIGHTED_COMPARISON, "_weight, "

    def fields(place: int, measure: Measure) -> dict[str, str]:
        """Write the fields of the struct of one measure in SQL, keyed by their names."""
        a, b, limits = f"a_{place}", f"b_{place}", difference_range(measure.metric, first.options)
        options = statistics.with_bounds(options_of_t, *limits)
        interval = statistics.interval_in_sql(
            first.interval, f"{a} - {b}", None, first.interval_options, *limits
        )
        return {
            "place": str(place),
            "metric": quote_text(measure.metric),
            "k": measure.sql_k,
            "compared": f"{comparison}({a}, {b}, {weight}'{options}')",
            **({"tested": other_test.format(a=a, b=b)} if other_test else {}),
            **({} if first.interval == "t" else {"other_interval": interval}),
            "interval_by": statistics.interval_by_in_sql(first.interval, f"{a} - {b}", *limits),
            "without_value": f"count(*) FILTER ({a} IS NULL OR {b} IS NULL)",
        }

    # The depth 2 unnests the list and the struct of a measure; the structs of statistics in it stay whole.
    measures = statistics.structs(fields(place, measure) for place, measure in enumerate(first.measures))
    return " UNION ALL ".join(
        f"SELECT {quote_text(system)} AS system, {quote_text(against)} AS against, {nth} AS nth, "
        "* EXCLUDE (measures), unnest(measures, max_depth := 2) "
        f"FROM ({first.segments.group(f'{measures} AS measures', view)})"
        for nth, ((system, against), view) in enumerate(zip(values.pairs, values.pair_views, strict=True))
    )


def _with_tukey_p_values(values: ComparedValues, tests: str, options: str) -> str:
    """Write a SELECT of `tests` with ``p_values``: for each measure, a list of one p-value per pair."""
    first = values.first
    calls = ", ".join(f"tukey_hsd(list(v_{place}), '{options}')" for place, _ in enumerate(first.measures))
    blocks = first.segments.group(f"[{calls}] AS p_values", values.blocks)
    same_segment = " AND ".join(
        f"tests.{name} IS NOT DISTINCT FROM blocks.{name}" for name in first.segments.columns or ["all_users"]
    )
    # A segment that has users of a pair may have no user of all systems.
    joined = f"({tests}) AS tests LEFT JOIN ({blocks}) AS blocks ON {same_segment}"
    return f"SELECT tests.*, p_values FROM {joined}"


def users_that_show(
    values: ComparedValues, measure: Measure, options: str, alpha: str
) -> dict[tuple[str, str], int | None]:
    """Return how many users would show the difference of each pair, if it is as measured.

    None if there is no number, as for users with weights, or the users are as many already. `options` are
    those of a paired t test as SQL text, and `alpha` its significance level in SQL.
    """
    if values.first.weight:
        return dict.fromkeys(values.pairs)
    place = values.first.measures.index(measure)
    options = f"{options},tolerance={statistics.TIE_TOLERANCE},alpha="
    selects = (
        f"SELECT unnest(paired_t_test_power(a_{place}, b_{place}, '{options}' || ({alpha}))) FROM {view}"
        for view in values.pair_views
    )
    rows = values.con.execute(
        "SELECT if(users_needed > n, try_cast(users_needed AS BIGINT), NULL) "
        f"FROM ({' UNION ALL '.join(selects)})"
    ).fetchall()
    return {pair: needed for pair, (needed,) in zip(values.pairs, rows, strict=True)}


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
        # A user whom a system does not serve has no list whose length could differ.
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
    """Find the metrics that depend, by the value of an option, on how many items are retrieved.

    Returns for each reason their names, each with the text that names its option as well.
    """
    metrics: dict[str, dict[str, str]] = {}
    for metric in evaluation.metrics:
        resolved = resolve_options(function_of(metric), options_of(metric, evaluation.options))
        for option, value in ((name, setting.value) for name, setting in resolved.items()):
            is_unjudged = (option, value) == ("unjudged", "zero") and needs_grades(metric)
            if is_unjudged or "retrieved" in value:  # such as ap_denominator=min_truth_retrieved
                reason = _BY_UNJUDGED if is_unjudged else _BY_DIVISOR
                metrics.setdefault(reason, {})[metric] = f"{metric} ({option}={value})"
    return metrics


#: The users above which Wilcoxon's test has a note. It tests whether differences are symmetric around 0. If
#: their mean is 0 and their skewness 1, it rejects at 0.05 in 10 % of experiments of 50 users, 43 % of 500
#: and 70 % of 1,000 (400 were simulated from a gamma distribution of shape 4). Ihemelandu and Ekstrand, SIGIR
#: 2023, advise against it for experiments with thousands of users.
_MANY_FOR_RANKS = 1000


def notes_of_tests(values: ComparedValues, test: statistics.Test) -> list[str]:
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
    """Say which differences are one number for every user, so that the spread gives no interval."""
    measures = values.first.measures
    differences = [f"a_{place} - b_{place}" for place, _ in enumerate(measures)]
    named = (
        (
            f"{measures[place].column}{segment} of {system} from {against}",
            difference_range(measures[place].metric, values.first.options),
        )
        for (system, against), view in zip(values.pairs, values.pair_views, strict=True)
        for place, segment in values.first.segments.find_constant(values.con, view, differences)
    )
    return statistics.notes_on_equal("differences", named, values.first.interval)


def _notes_of_blocks(values: ComparedValues) -> list[str]:
    """Say for which measures the randomised Tukey HSD has fewer users than a pair of systems."""
    measures = values.first.measures
    places = range(len(measures))
    systems = len(values.evaluations)
    of_all = ", ".join(f"count(*) FILTER (list_count(v_{place}) = {systems})" for place in places)
    of_both = ", ".join(f"count(*) FILTER (a_{place} + b_{place} IS NOT NULL)" for place in places)
    users_of_all = fetch_one(values.con.execute(f"SELECT {of_all} FROM {values.blocks}")) or ()
    users_of_pairs = [
        fetch_one(values.con.execute(f"SELECT {of_both} FROM {view}")) or () for view in values.pair_views
    ]
    most_of_a_pair = map(max, zip(*users_of_pairs, strict=True))
    fewer = [
        f"{users:,} for {measure.column}"
        for measure, users, most in zip(measures, users_of_all, most_of_a_pair, strict=True)
        if users < most
    ]
    tests = f"the randomised Tukey HSD tests the {values.first.unit} with a value from every system: "
    return [tests + ", ".join(fewer)] if fewer else []
