"""The result of `compare`: several systems, and their differences from a baseline or from each other."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any, ClassVar, Literal, get_args

from rankdcg_sql._cached import cached_property
from rankdcg_sql._errors import Argument, CallValueError
from rankdcg_sql._output import Output, Result
from rankdcg_sql._sql import fetch_one, quote_name, quote_text
from rankdcg_sql._text import printable
from rankdcg_sql.catalogue import metric_functions, resolve_options
from rankdcg_sql.evaluation._requirements.decider import Decider, Subject
from rankdcg_sql.evaluation._results.results import (
    K_TEXT,
    Evaluation,
    ResultBase,
    four_digits,
    results_connection,
)
from rankdcg_sql.evaluation._results.systems_table import WIDTH, SystemsTable, systems_table
from rankdcg_sql.evaluation._terms.checks import check_choice
from rankdcg_sql.evaluation._terms.counts import warn
from rankdcg_sql.evaluation._terms.metrics import MEANS, Measure, metric_range
from rankdcg_sql.evaluation._terms.statistics import (
    CORRECTIONS,
    TESTS,
    TIE_TOLERANCE,
    Alternative,
    Correction,
    Test,
    interval_by_in_sql,
    interval_in_sql,
    notes_on_equal,
    significance_level,
    structs,
    verdict_in_sql,
    with_bounds,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import duckdb

    from rankdcg_sql.evaluation._terms.counts import Counts
    from rankdcg_sql.plots import Plot


#: The users above which Wilcoxon's test has a note. It tests whether differences are symmetric around 0. If
#: their mean is 0 and their skewness 1, it rejects at 0.05 in 10 % of experiments of 50 users, 43 % of 500
#: and 70 % of 1,000 (400 were simulated from a gamma distribution of shape 4). Ihemelandu and Ekstrand, SIGIR
#: 2023, advise against it for experiments with thousands of users.
_MANY_FOR_RANKS = 1000
#: The digits after the decimal point that a number of 64 bits has at most.
_MAX_DIGITS = 17
#: The two reasons why a metric depends on the length of lists, in the words of the warning.
_BY_DIVISOR = "the denominators of some metrics depend on that"
_BY_UNJUDGED = "each retrieved item without a judgement has a place in the order"


@dataclass(frozen=True, repr=False, eq=False)
class Comparison(ResultBase):
    """The metrics of several systems, and their differences from one of them, the baseline, or of all pairs.

    Attributes
    ----------
    evaluations : dict of str to Evaluation
        The evaluation of each system, keyed by the system's name.
    baseline : str or None
        The name of the system with which the others are compared; None if all pairs are compared.
    test : {"t", "wilcoxon", "randomization", "tukey_hsd"}
        The test of the paired values of users.
    alternative : {"two_sided", "less", "greater", "equivalence"}
        The alternative hypothesis: the values of the system differ from those of the baseline, are less, are
        greater, or are equivalent.
    margin : float
        The difference that does not matter to the alternative, at least 0.
    correction : {"holm", "bonferroni", "benjamini_hochberg"} or None
        How p-values are corrected for the number of tests. There is one test for each metric, each k and each
        of `pairs`; if there are segments, as many again for each segment. With ``test="tukey_hsd"``, p-values
        are corrected for the pairs already, and ``"bonferroni"`` is for metrics, k and segments.
    """

    #: Tells a comparison from an evaluation.
    kind: ClassVar[Literal["comparison"]] = "comparison"

    evaluations: dict[str, Evaluation]
    baseline: str | None
    test: Test
    alternative: Alternative
    margin: float
    correction: Correction | None
    #: The options of the test as SQL text, such as ``alternative=less,seed=1``.
    test_options: str

    @property
    def systems(self) -> Iterable[tuple[str | None, Evaluation]]:
        """The name of each system with its evaluation."""
        return self.evaluations.items()

    @property
    def _first(self) -> Evaluation:
        return self.evaluations[self.baseline or next(iter(self.evaluations))]

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """The pairs of systems that are compared: the name of a system, and that of the other one.

        The other one is the baseline. If there is none, it is each system before this one in the order of
        `evaluations`.
        """
        if self.baseline is None:
            return [(system, against) for against, system in combinations(self.evaluations, 2)]
        return [(name, self.baseline) for name in self.evaluations if name != self.baseline]

    @property
    def confidence(self) -> float:
        """The confidence level of the intervals, between 0 and 1."""
        return self._first.confidence

    @property
    def by(self) -> tuple[str, ...]:
        """The names of the columns of segments."""
        return self._first.by

    @property
    def segment_cells(self) -> list[str]:
        """SQL for the segments as texts for people."""
        return self._first.segment_cells

    @property
    def _tables(self) -> dict[str, str]:
        """For each system, the name of the table of its values on the connection."""
        return {name: f"user_metrics_{place}" for place, name in enumerate(self.evaluations)}

    @cached_property
    def _con(self) -> duckdb.DuckDBPyConnection:
        """A connection with a table of the values of each system."""
        return results_connection(
            {table: self.evaluations[name].table for name, table in self._tables.items()}
        )

    @cached_property
    def _pairs(self) -> list[str]:
        """For each of `pairs`, the name of a view on the connection.

        Its rows are the users of both, in no order, on which no statistic depends. ``a_0``, ``a_1`` and so on
        are the values of the system, ``b_0`` and so on those of the other one.
        """
        values = ", ".join(
            [
                *(f"b.{quote_name(name)}" for name in self.by),
                *(
                    f"a.{column} AS a_{place}, b.{column} AS b_{place}"
                    for place, column in enumerate(quote_name(each.column) for each in self._first.measures)
                ),
            ]
        )
        tables = self._tables
        views = [f"pairs_{place}" for place, _ in enumerate(self.pairs)]
        for view, (system, against) in zip(views, self.pairs, strict=True):
            self._con.execute(
                f"CREATE TEMP VIEW {view} AS SELECT {values} FROM {tables[system]} AS a "
                f"JOIN {tables[against]} AS b USING ({quote_name(self._first.user)})"
            )
        return views

    @cached_property
    def _blocks(self) -> str:
        """The name of a view on the connection, whose rows are the users of all systems.

        ``v_0``, ``v_1`` and so on are lists with the values of all systems, one list for each measure.
        """
        tables = list(self._tables.values())
        values = (quote_name(each.column) for each in self._first.measures)
        columns = [*(f"{tables[0]}.{quote_name(name)}" for name in self.by)]
        columns += [
            f"[{', '.join(f'{table}.{column}' for table in tables)}] AS v_{place}"
            for place, column in enumerate(values)
        ]
        joined = f" JOIN {{}} USING ({quote_name(self._first.user)})"
        others = "".join(joined.format(table) for table in tables[1:])
        self._con.execute(f"CREATE TEMP VIEW blocks AS SELECT {', '.join(columns)} FROM {tables[0]}{others}")
        return "blocks"

    def _values_of_systems(self, columns: str) -> duckdb.DuckDBPyRelation:
        """Select `columns` from the table of values of each system, after a column ``system`` with its name.

        The columns are SQL. Systems follow one another in the order of `evaluations`.
        """
        return self._con.sql(
            " UNION ALL ".join(
                f"SELECT {quote_text(name)} AS system, {columns} FROM {table}"
                for name, table in self._ordered_names.items()
            )
        )

    @cached_property
    def _ordered_names(self) -> dict[str, str]:
        """For each system, the name of a table on the connection: its values in ascending order of users."""
        names = {name: f"ordered_user_metrics_{place}" for place, name in enumerate(self.evaluations)}
        for name, table in names.items():
            self._con.register(table, self.evaluations[name].ordered)
        return names

    @property
    def counts(self) -> dict[str, Counts]:
        """The numbers of rows and users in truth and in each system's table, keyed by the system's name."""
        return {name: each.counts for name, each in self.evaluations.items()}

    @cached_property
    def means(self) -> dict[str, dict[str, float | None]]:
        """The mean of each measure for each system, as `Evaluation.means` has it.

        The keys are the names of measures, such as ``ndcg@10``, and then those of systems.
        ``result["ndcg@10"]`` is the same dict of the systems' means.
        """
        return {
            each.column: {name: of.means[each.column] for name, of in self.evaluations.items()}
            for each in self._first.measures
        }

    @property
    def wide(self) -> duckdb.DuckDBPyRelation:
        """One row per system and user, with a column for each metric and k, such as ``ndcg@10``."""
        return self._values_of_systems("* EXCLUDE (retrieved)")

    @property
    def per_user(self) -> duckdb.DuckDBPyRelation:
        """One row per system, user, metric and k. ``value`` is NULL if the metric is not defined."""
        return self._values_of_systems(self._first.columns_of_values())

    @property
    def summary(self) -> duckdb.DuckDBPyRelation:
        """One row per system, segment, metric and k, with the columns of `Evaluation.summary`."""
        return self._con.sql(self._select_summary())

    def _select_summary(self) -> str:
        # Writes the query of `summary`.
        parts = " UNION ALL ".join(
            f"SELECT {quote_text(name)} AS system, {nth} AS nth, * "
            f"FROM ({self.evaluations[name].select_means(table)})"
            for nth, (name, table) in enumerate(self._tables.items())
        )
        order = ", ".join(["nth", *self._first.segments, "place"])
        return f"SELECT system, {self._first.named_segments}{MEANS} FROM ({parts}) ORDER BY {order}"

    def fetch_summary(self, columns: str, end: str = "") -> list[tuple[Any, ...]]:
        """Fetch columns of `summary`, in SQL: one statement is planned faster than the relation."""
        return self._con.execute(f"SELECT {columns} FROM ({self._select_summary()}) {end}").fetchall()

    @property
    def differences(self) -> duckdb.DuckDBPyRelation:
        """One row per pair of systems, segment, metric and k.

        ``system`` and ``against`` are the names of the two, in the order of `pairs`: ``against`` is the
        baseline, unless all pairs are compared. If there are segments, there are also rows for all users,
        where ``all_users`` is true. ``n`` is the number of users for whom both systems have a value. ``mean``
        and ``baseline`` are the means of ``system`` and of ``against`` over these users. ``difference`` is
        ``mean`` less ``baseline``, and ``low`` and ``high`` are the ends of its confidence interval.
        ``effect_size`` is Cohen's d_z: the difference divided by the standard deviation of users'
        differences. ``p_value`` is the p-value of the test, and
        ``p_corrected`` the same after correction for the number of tests. ``wins``, ``ties`` and ``losses``
        are the numbers of users for whom the system's value is larger, equal and smaller. ``without_value``
        is the number of users for whom one of the two has no value. ``interval_by`` is as in
        `Evaluation.summary`. If all differences are equal, the p-value of the t test is what the range of the
        metric allows, too.

        With ``test="tukey_hsd"``, ``p_value`` is over the users for whom all systems have a value, and
        corrected for the pairs of this metric, k and segment. All else is over the users of the pair.
        """
        return self._con.sql(self._select_differences())

    def _select_differences(self) -> str:
        # Writes the query of `differences`.
        first_of = self._first
        tie = f"tolerance={TIE_TOLERANCE}"
        # Student's t takes the mean of equal differences as certain. Without limits, nothing is known of it.
        if_known = "if(interval_by IS NULL, NULL, "
        testing = ",".join(filter(None, [self.test_options, tie]))
        # One aggregate has all about a difference, but for tests and intervals that are not Student's.
        of_t = f"{testing if self.test == 't' else tie},confidence={first_of.confidence!r}"
        others = {
            "tested": f"{TESTS[self.test][0]}({{0}}, {{1}}, '{testing}')",
        }
        if self.test in ("t", "tukey_hsd"):
            del others["tested"]
        interval = "compared" if first_of.interval == "t" else "found"

        def measured(place: int, each: Measure) -> dict[str, str]:
            a, b, limits = f"a_{place}", f"b_{place}", self._range_of_difference(each.metric)
            found = interval_in_sql(first_of.interval, f"{a} - {b}", first_of.interval_options, *limits)
            return {
                "place": str(place),
                "metric": quote_text(each.metric),
                "k": each.sql_k,
                "compared": f"paired_comparison({a}, {b}, '{with_bounds(of_t, *limits)}')",
                **{name: sql.format(a, b) for name, sql in others.items()},
                **({} if interval == "compared" else {"found": found}),
                "interval_by": interval_by_in_sql(first_of.interval, f"{a} - {b}", *limits),
                "without_value": f"count(*) FILTER ({a} IS NULL OR {b} IS NULL)",
            }

        measures = structs(measured(place, each) for place, each in enumerate(first_of.measures))
        tests = " UNION ALL ".join(
            f"SELECT {quote_text(system)} AS system, {quote_text(against)} AS against, {nth} AS nth, "
            "* EXCLUDE (measures), unnest(measures, max_depth := 2) "
            f"FROM ({first_of.by_segment(f'{measures} AS measures', view)})"
            for nth, ((system, against), view) in enumerate(zip(self.pairs, self._pairs, strict=True))
        )
        p_value, of_each_pair = "tested.p_value" if others else f"{if_known}compared.p_value)", ""
        if self.test == "tukey_hsd":
            # The p-values of a measure are corrected for pairs already, so the tests of one pair are counted.
            of_each_pair = "PARTITION BY nth "
            p_value = "p_values[place + 1][nth + 1]"
            calls = ", ".join(
                f"tukey_hsd(list(v_{place}), '{testing}')" for place, _ in enumerate(first_of.measures)
            )
            found = first_of.by_segment(f"[{calls}] AS p_values", self._blocks)
            same = " AND ".join(
                f"tests.{name} IS NOT DISTINCT FROM blocks.{name}"
                for name in first_of.segments or ["all_users"]
            )
            tests = (
                f"SELECT tests.*, p_values FROM ({tests}) AS tests LEFT JOIN ({found}) AS blocks ON {same}"
            )
        p_values = f"corrected_p_values(list(p_value) OVER every_test, 'correction={self.correction}')"
        p_corrected = "p_value" if self.correction is None else f"{p_values}[row_number() OVER in_order]"
        order = ", ".join(["nth", *first_of.segments, "place"])
        return f"""
            SELECT system, against, {first_of.named_segments}metric, k, compared.n AS n,
                compared.mean_a AS mean, compared.mean_b AS baseline, compared.mean_difference AS difference,
                {if_known}{interval}.low) AS low, {if_known}{interval}.high) AS high,
                compared.effect_size AS effect_size, p_value,
                {p_corrected} AS p_corrected,
                compared.wins AS wins, compared.ties AS ties, compared.losses AS losses, without_value,
                if({interval}.low IS NULL, NULL, interval_by) AS interval_by
            FROM (SELECT *, {p_value} AS p_value FROM ({tests}))
            WINDOW in_order AS ({of_each_pair}ORDER BY {order}),
                every_test AS (
                    {of_each_pair}ORDER BY {order} ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING
                )
            ORDER BY {order}
            """

    def fetch_differences(self, columns: str) -> list[tuple[Any, ...]]:
        """Fetch columns of `differences`, in SQL: one statement is planned faster than the relation."""
        return self._con.execute(f"SELECT {columns} FROM ({self._select_differences()})").fetchall()

    def tests_of_level(self, tests: int) -> int:
        """Return by how many tests a level is divided that is enough for every correction of so many."""
        return max(tests, 1) if self.correction is not None or self.test == "tukey_hsd" else 1

    def users_needed(self, measure: Measure, tests: int) -> dict[tuple[str, str], int | None]:
        """Return how many users would show the difference of each of `pairs`, if it is as measured.

        Of so many users, a paired t test finds it with probability 0.8, at a significance level that is
        divided by `tests_of_level`. None if there is no number, or the users are as many already.
        """
        place = self._first.measures.index(measure)
        alpha = f"{significance_level(self.confidence)} / {self.tests_of_level(tests)}"
        options = f"alternative={self.alternative},margin={self.margin!r},tolerance={TIE_TOLERANCE},alpha="
        selects = (
            f"SELECT unnest(paired_t_test_power(a_{place}, b_{place}, '{options}' || ({alpha}))) FROM {view}"
            for view in self._pairs
        )
        found = self._con.execute(
            "SELECT if(users_needed > n, try_cast(users_needed AS BIGINT), NULL) "
            f"FROM ({' UNION ALL '.join(selects)})"
        ).fetchall()
        return {pair: needed for pair, (needed,) in zip(self.pairs, found, strict=True)}

    @property
    def _summary(self) -> duckdb.DuckDBPyRelation:
        return self.differences

    def _range_of_difference(self, metric: str) -> tuple[float | None, float | None]:
        """Return the least and the largest difference of two values of a metric; None is no bound."""
        least, most = metric_range(metric, self._first.options)
        reach = None if least is None or most is None else most - least
        return None if reach is None else -reach, reach

    def _decider(self) -> Decider:
        first = next(iter(self.evaluations.values()))
        subject = Subject(first.measures, first.by, [*self.evaluations], self.baseline, first.confidence)
        # The alternative and the margin are those of the requirement.
        draws = [each for each in self.test_options.split(",") if each.startswith(("resamples=", "seed="))]
        tables: dict[str | None, str] = dict(self._tables.items())
        drawn = ",".join(draws)
        return Decider(subject, self._con, tables, first.user, self.test, drawn, first.options, first.unit)

    def _headline(self) -> str:
        margin = "" if self.alternative == "two_sided" else f", alternative={self.alternative}"
        margin += f", margin={self.margin}" if self.margin else ""
        with_others = f"with {self.baseline}" if self.baseline is not None else "of all pairs"
        return (
            f"Comparison {with_others}: {TESTS[self.test][1]}{margin}, {self.correction_in_words}"
            + self._first.options_suffix()
        )

    @property
    def correction_in_words(self) -> str:
        """How p-values are corrected, for a sentence."""
        words = CORRECTIONS[self.correction]
        if self.test != "tukey_hsd":
            return words
        if len(self._first.measures) == 1 and not self.by:
            return "corrected for the pairs"
        counted = "measures and segments" if self.by else "measures"
        if self.correction is None:
            return f"corrected for the pairs, not for the {counted}"
        return f"corrected for the pairs, and multiplied by the number of {counted}"

    @property
    def verdict_in_sql(self) -> str:
        """SQL over `differences` for the verdict on a difference."""
        return verdict_in_sql(self.alternative, self.margin, self.confidence)

    @property
    def about_intervals(self) -> str:
        """How the intervals of differences relate to a test that is not two-sided; empty if it is."""
        if self.alternative == "two_sided":
            return ""
        tests = (
            "The test is two one-sided tests"
            if self.alternative == "equivalence"
            else "The test is one-sided"
        )
        return (
            f"{tests}, at alpha {significance_level(self.confidence)}; the intervals are two-sided, "
            f"with {self.confidence * 100:.6g}% confidence."
        )

    def _notes(self, about_rows: bool = True) -> list[str]:
        return [
            *(
                f"{name}: {note}"
                for name, each in self.evaluations.items()
                for note in each._notes_on_users(about_rows)
            ),
            *self.notes_of_tests(),
        ]

    def notes_of_tests(self) -> list[str]:
        """Return sentences about the test: cases that it is not made for, and users that it leaves out."""
        notes = []
        users = self._first.counts.users_evaluated
        if self.test == "wilcoxon" and users > _MANY_FOR_RANKS:
            notes.append(
                f"Wilcoxon's test of {self.words.count(users)} finds differences significant that are "
                "skewed, though their mean may be 0: the t test and the randomization test compare means"
            )
        if self.test == "tukey_hsd":
            notes += self._notes_of_blocks()
        return notes + self._about_equal_differences()

    def _about_equal_differences(self) -> list[str]:
        # Says which differences are equal for all users, so that the interval is another one.
        measures = self._first.measures
        values = [f"a_{place} - b_{place}" for place, _ in enumerate(measures)]
        named = (
            (
                f"{measures[place].column}{segment} of {system} from {against}",
                self._range_of_difference(measures[place].metric),
            )
            for (system, against), view in zip(self.pairs, self._pairs, strict=True)
            for place, segment in self._first.equal_in(self._con, view, values)
        )
        return notes_on_equal("differences", named, self._first.interval)

    def _notes_of_blocks(self) -> list[str]:
        # Says where the test has fewer users than a pair of systems.
        places = range(len(self._first.measures))
        complete = ", ".join(
            f"count(*) FILTER (list_count(v_{place}) = {len(self.evaluations)})" for place in places
        )
        both = ", ".join(f"count(*) FILTER (a_{place} + b_{place} IS NOT NULL)" for place in places)
        tested = fetch_one(self._con.execute(f"SELECT {complete} FROM {self._blocks}")) or ()
        of_pairs = [fetch_one(self._con.execute(f"SELECT {both} FROM {view}")) or () for view in self._pairs]
        most = map(max, zip(*of_pairs, strict=True))
        fewer = [
            f"{users:,} for {each.column}"
            for each, users, of_pair in zip(self._first.measures, tested, most, strict=True)
            if users < of_pair
        ]
        every = f"the randomised Tukey HSD tests the {self._first.unit} with a value from every system: "
        return [every + ", ".join(fewer)] if fewer else []

    def _result(self) -> Result:
        numbers = ", ".join(
            map(four_digits, ("mean", "baseline", "difference", "low", "high", "effect_size"))
        )
        p_values = ", ".join(map(p_value_text, ("p_value", "p_corrected")))
        systems = ["system"] if self.baseline is not None else ["system", "against"]
        rows = self.fetch_differences(
            f"{', '.join([*systems, *self.segment_cells])}, metric, {K_TEXT}, n::VARCHAR, {numbers}, "
            f"{p_values}, wins::VARCHAR, ties::VARCHAR, losses::VARCHAR"
        )
        names = [*systems, *self.by, "metric"]
        columns = [*names, "k", "n", "mean", "baseline", "difference", "low", "high", "d_z"]
        columns += ["p", "p corrected", "wins", "ties", "losses"]
        return Result(columns, [False] * len(names) + [True] * 13, rows, heads=len(names) + 1)

    @cached_property
    def _systems_table(self) -> SystemsTable:
        return systems_table(self)

    def to_markdown(self, details: bool = False) -> str:
        """Return a table of systems and measures in Markdown.

        The best mean of each measure is in bold. Superscripts mark the means that differ significantly from
        the baseline's, and a note below the table says how. If all pairs are compared, the superscripts are
        letters that name the systems that a system is better than.

        Parameters
        ----------
        details : bool
            Whether to return a row for each system, metric and k instead, with the intervals and p-values.
        """
        return self.render("markdown", details)

    def to_html(self, details: bool = False) -> str:
        """Return the table of `to_markdown` in HTML, which also has the differences from the baseline."""
        return self.render("html", details)

    def to_latex(
        self,
        caption: str | None = None,
        label: str | None = None,
        *,
        digits: int = 4,
        details: bool = False,
    ) -> str:
        r"""Return the table of `to_markdown` as a float in LaTeX, which needs the package booktabs.

        Parameters
        ----------
        caption, label : str, optional
            The float's caption and label, in LaTeX. Without a caption, it says what the numbers are.
        digits : int
            The number of digits after the decimal point of the means, from 0 to 17.
        details : bool
            Whether to return a row for each system, metric and k instead, with the intervals and p-values,
            which have four digits.

        Raises
        ------
        ValueError
            If `digits` is not a whole number from 0 to 17.

        Notes
        -----
        pdfLaTeX prints only the letters for which it has fonts. For names in other scripts, take LuaLaTeX or
        XeLaTeX.

        Examples
        --------
        >>> import rankdcg_sql
        >>> truth = {"userid": [1, 2, 3], "itemid": ["a", "b", "c"]}
        >>> rec = {"userid": [1, 1, 2, 3], "itemid": ["a", "b", "a", "a"], "score": [2, 1, 2, 2]}
        >>> other = {"userid": [1, 1, 2, 3], "itemid": ["b", "a", "b", "a"], "score": [2, 1, 2, 2]}
        >>> compared = rankdcg_sql.compare(truth, {"old": rec, "new": other}, k=2, metrics="ndcg")
        >>> print("\n".join(compared.to_latex(digits=2).splitlines()[7:10]))
        old & 0.33 & \\
        new & \textbf{0.54} & \\
        \bottomrule
        """
        if isinstance(digits, bool) or not isinstance(digits, int) or not 0 <= digits <= _MAX_DIGITS:
            raise CallValueError(
                "to_latex", "digits", Argument("digits"), f" must be 0 to {_MAX_DIGITS}, got {digits!r}"
            )
        if details:
            return super().to_latex(caption, label)
        return systems_table(self, digits).latex(caption, label)

    def render(self, output: Output, details: bool = False, width: int | None = None) -> str:
        """Return the comparison in one of the output formats of the command line.

        Parameters
        ----------
        output : {"table", "csv", "json", "markdown", "html", "latex"}
            The format. CSV and JSON have the rows of `differences`, with all digits.
        details : bool
            Whether a format for people has the rows of `differences`, too, and not a table of systems and
            measures.
        width : int, optional
            The width in characters of ``"table"``, which is divided into several tables if it is wider.
        """
        if details or output in ("csv", "json"):
            rows = super().render(output, width=width)
            return rows + self._below_details(output) if details else rows
        check_choice("render", "output", output, get_args(Output))
        table = self._systems_table
        return table.text(width) if output == "table" else getattr(table, output)()

    def _below_details(self, output: Output) -> str:
        # The note about intervals, where people read the rows of differences.
        note = {"table": "\n{}", "markdown": "\n\n{}", "html": "\n<p>{}</p>"}.get(output)
        return note.format(self.about_intervals) if note and self.about_intervals else ""

    def __repr__(self) -> str:
        return printable("\n".join([self._about(), self.render("table", width=WIDTH)]))

    def _repr_html_(self) -> str:
        details = f"<details><summary>Details</summary>{self.to_html(details=True)}</details>"
        return super()._repr_html_() + details

    def warn_of_lengths(self) -> None:
        """Warn if a metric depends on the length of lists, and two systems' lists differ in length."""
        for consequence, metrics in self._dependent().items():
            cuts = dict.fromkeys(each.k for each in self._first.measures if each.metric in metrics)
            differs = " OR ".join(
                "a.retrieved <> b.retrieved"
                if k is None
                else f"least(a.retrieved, {k}) <> least(b.retrieved, {k})"
                for k in cuts
            )
            tables = self._tables
            for system, against in self.pairs:
                found = fetch_one(
                    self._con.execute(
                        f"SELECT count(*) FROM {tables[system]} AS a JOIN {tables[against]} AS b "
                        f"USING ({quote_name(self._first.user)}) "
                        f"WHERE a.retrieved > 0 AND b.retrieved > 0 AND ({differs})"
                    )
                )
                if found and found[0]:
                    warn(
                        "compare",
                        "recs",
                        f"{system} and {against} have lists of different length for "
                        f"{self.words.count(found[0])}, and {consequence}: "
                        f"{', '.join(metrics.values())}",
                    )

    def _dependent(self) -> dict[str, dict[str, str]]:
        """Find the metrics that depend on how many items are retrieved.

        Returns
        -------
        dict
            For each reason, the names of the metrics, each with the text that names its option as well.
        """
        found: dict[str, dict[str, str]] = {}
        for metric in self._first.metrics:
            resolved = resolve_options(metric_functions()[metric], self._first.options)
            for option, value in ((name, each.value) for name, each in resolved.items()):
                consequence = _BY_UNJUDGED if (option, value) == ("unjudged", "zero") else _BY_DIVISOR
                if "retrieved" in value or consequence == _BY_UNJUDGED:
                    found.setdefault(consequence, {})[metric] = f"{metric} ({option}={value})"
        return found

    def plot(self, metrics: str | Sequence[str] | None = None) -> Plot:
        """Plot the means of each system and their intervals at each k, for all metrics if none is given.

        See `rankdcg_sql.plots.metric_at_k`.
        """
        return self._draw("plot", "metric_at_k", metrics)

    def plot_learning_curve(
        self, metric: str | None = None, k: int | None = None, steps: Mapping[str, float] | None = None
    ) -> Plot:
        """Plot the means of checkpoints against their steps; see `rankdcg_sql.plots.learning_curve`."""
        return self._draw("plot_learning_curve", "learning_curve", metric, k, steps)

    def plot_distribution(self, metric: str, k: int | None = None) -> Plot:
        """Plot the distribution of a metric over users; see `rankdcg_sql.plots.distribution`."""
        return self._draw("plot_distribution", "distribution", metric, k)

    def plot_wins(self, metric: str | None = None, k: int | None = None) -> Plot:
        """Plot for how many users a system wins, ties and loses; see `rankdcg_sql.plots.wins`."""
        return self._draw("plot_wins", "wins", metric, k)

    def plot_differences(self, metric: str | None = None, k: int | None = None) -> Plot:
        """Plot the differences with their intervals as a forest plot; see `rankdcg_sql.plots.differences`."""
        return self._draw("plot_differences", "differences", metric, k)

    def plot_user_differences(self, metric: str, k: int | None = None) -> Plot:
        """Plot the sorted differences of single users; see `rankdcg_sql.plots.user_differences`."""
        return self._draw("plot_user_differences", "user_differences", metric, k)


def p_value_text(column: str) -> str:
    """Write SQL that formats a p-value with four digits, or as ``<0.0001`` if it is smaller."""
    return f"if({column} < 0.0001, '<0.0001', {four_digits(column)})"
