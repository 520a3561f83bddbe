"""The result of `compare`: several systems, and their differences from a baseline or from each other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal, get_args

from rankdcg_sql._arguments import check_choice
from rankdcg_sql._cached import cached_property
from rankdcg_sql._errors import Argument, CallValueError
from rankdcg_sql._output import K_TEXT, Output, Result, four_digits, p_value_text
from rankdcg_sql._printable import printable
from rankdcg_sql._sql import quote_text
from rankdcg_sql.evaluation._requirements.decider import Decider, Subject
from rankdcg_sql.evaluation._results.change import Change
from rankdcg_sql.evaluation._results.differences import (
    ComparedValues,
    notes_of_tests,
    select_differences,
    users_that_show,
    warn_of_lengths,
)
from rankdcg_sql.evaluation._results.evaluation import Evaluation
from rankdcg_sql.evaluation._results.result_base import ResultBase
from rankdcg_sql.evaluation._results.systems_table import WIDTH, SystemsTable, systems_table
from rankdcg_sql.evaluation._terms import statistics
from rankdcg_sql.evaluation._terms.metrics import Measure, function_of, less_is_better_in_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    import duckdb

    from rankdcg_sql.evaluation._terms.counts import Counts
    from rankdcg_sql.plots import Plot


#: The digits after the decimal point that a number of 64 bits has at most.
_MAX_DIGITS = 17


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
    test: statistics.Test
    alternative: statistics.Alternative
    margin: float
    correction: statistics.Correction | None
    #: The options of the test as SQL text, such as ``alternative=less,seed=1``.
    test_options: str

    @property
    def systems(self) -> Iterable[tuple[str | None, Evaluation]]:
        """The name of each system with its evaluation."""
        return self.evaluations.items()

    @cached_property
    def _values(self) -> ComparedValues:
        """The values of the systems, on a connection that is opened when it is first needed."""
        return ComparedValues(self.evaluations, self.baseline)

    @property
    def _first(self) -> Evaluation:
        # The evaluation of the baseline, or of the first system, which has the settings of all.
        return self._values.first

    def check_users(self, users: statistics.Users) -> None:
        """Raise an error if systems have values of a measure of all users together for different users.

        Such values are made from all users of a system, and their mean over some of them is not the measure
        of these. `users` are those over whom means are taken.
        """
        measures = self._first.measures
        of_all = [measure for measure in measures if function_of(measure.metric).is_of_all_users]
        if of_one := self._values.users_of_one(of_all):
            measure, system, against, number = of_one
            why = f"{measure.metric} is a measure of all users together, and for "
            why += f"{self.words.count(number)} only one of {system} and {against} has a value: "
            how = ("give ", Argument("users", "truth")) if users == "both" else ("leave it out",)
            raise CallValueError("compare", "metrics", why, *how)

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """The pairs of systems that are compared: the name of a system, and that of the other one.

        The other one is the baseline. If there is none, it is each system before this one in the order of
        `evaluations`.
        """
        return self._values.pairs

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
    def counts(self) -> dict[str, Counts]:
        """The numbers of rows and users in truth and in each system's table, keyed by the system's name."""
        return {name: evaluation.counts for name, evaluation in self.evaluations.items()}

    @cached_property
    def means(self) -> dict[str, dict[str, float | None]]:
        """The mean of each measure for each system, as `Evaluation.means` has it.

        The keys are the names of measures, such as ``ndcg@10``, and then those of systems.
        ``result["ndcg@10"]`` is the same dict of the systems' means.
        """
        return {
            measure.column: {
                name: evaluation.means[measure.column] for name, evaluation in self.evaluations.items()
            }
            for measure in self._first.measures
        }

    @property
    def wide(self) -> duckdb.DuckDBPyRelation:
        """One row per system and user, with a column for each metric and k, such as ``ndcg@10``."""
        return self._values.select_from_each("* EXCLUDE (retrieved)")

    @property
    def per_user(self) -> duckdb.DuckDBPyRelation:
        """One row per system, user, metric and k. ``value`` is NULL if the metric is not defined."""
        return self._values.select_from_each(self._first.columns_of_values())

    @property
    def summary(self) -> duckdb.DuckDBPyRelation:
        """One row per system, segment, metric and k, with the columns of `Evaluation.summary`."""
        return self._values.con.sql(self._select_summary())

    def _select_summary(self) -> str:
        # Writes the query of `summary`.
        parts = " UNION ALL ".join(
            f"SELECT {quote_text(name)} AS system, {nth} AS nth, * "
            f"FROM ({self.evaluations[name].select_means(table)})"
            for nth, (name, table) in enumerate(self._values.tables.items())
        )
        first = self._first
        order = ", ".join(["nth", *first.segments.columns, "place"])
        columns = f"system, {first.segments.named_columns}{first.columns_of_means}"
        return f"SELECT {columns} FROM ({parts}) ORDER BY {order}"

    def fetch_summary(self, columns: str, end: str = "") -> list[tuple[Any, ...]]:
        """Fetch columns of `summary`, SQL before `end`: one statement is planned faster than the relation."""
        return self._values.con.execute(f"SELECT {columns} FROM ({self._select_summary()}) {end}").fetchall()

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
        are the numbers of users for whom the system's value is better, equal and worse, and NULL for a
        measure of all users together, of which no single user has a value. ``without_value`` is
        the number of users for whom one of the two has no value. ``interval_by`` is as in
        `Evaluation.summary`. If all differences are equal, the p-value of the t test is what the range of the
        metric allows, too. If users have weights, ``weighted_by``, ``design_effect`` and ``effective_n``
        follow, as in `Evaluation.summary`; ``wins``, ``ties`` and ``losses`` count users without weights.

        With ``test="tukey_hsd"``, ``p_value`` is over the users for whom all systems have a value, and
        corrected for the pairs of this metric, k and segment. All else is over the users of the pair.
        """
        return self._values.con.sql(self._select_differences())

    def _select_differences(self) -> str:
        return select_differences(self._values, self.test, self.test_options, self.correction)

    def fetch_differences(self, columns: str) -> list[tuple[Any, ...]]:
        """Fetch columns of `differences`, in SQL: one statement is planned faster than the relation."""
        return self._values.con.execute(f"SELECT {columns} FROM ({self._select_differences()})").fetchall()

    def change_of(self, system: str, against: str, measure: Measure) -> Change:
        """Return why a measure of a system differs from that of another one, all of which is the ranking."""
        before, after = self.evaluations[against], self.evaluations[system]
        return Change(before, after, (measure,), "sequential", True, None, None)

    def tests_of_level(self, tests: int) -> int:
        """Return the number by which the level of each of `tests` tests is divided: 1 without a correction.

        A test that is significant at the divided level, which is Bonferroni's, is so by every correction.
        """
        return max(tests, 1) if self.correction is not None or self.test == "tukey_hsd" else 1

    def users_needed(self, measure: Measure, tests: int) -> dict[tuple[str, str], int | None]:
        """Return how many users would show the difference of each of `pairs`, if it is as measured.

        Of so many users, a paired t test finds it with probability 0.8, at a significance level that is
        divided by `tests_of_level`. None if there is no number, as for users with weights, or the users are
        as many already.
        """
        alpha = f"{statistics.significance_level(self.confidence)} / {self.tests_of_level(tests)}"
        options = f"alternative={self.alternative},margin={self.margin!r}"
        return users_that_show(self._values, measure, options, alpha)

    @property
    def _summary(self) -> duckdb.DuckDBPyRelation:
        return self.differences  # `ResultBase` writes these as CSV and JSON

    def _decider(self) -> Decider:
        first = self._first
        subject = Subject(first.measures, first.by, [*self.evaluations], self.baseline, first.confidence)
        # Only these options hold for requirements, which have an alternative and a margin of their own.
        options = self.test_options.split(",")
        draws = ",".join(option for option in options if option.startswith(("resamples=", "seed=")))
        return Decider(
            subject,
            con=self._values.con,
            tables=dict(self._values.tables.items()),
            user=first.user,
            test=self.test,
            draws=draws,
            options=first.options,
            unit=first.unit,
            weight=first.weight,
        )

    def headline(self) -> str:
        hypothesis = "" if self.alternative == "two_sided" else f", alternative={self.alternative}"
        hypothesis += f", margin={self.margin}" if self.margin else ""
        test = self.test_in_words
        with_others = f"with {self.baseline}" if self.baseline is not None else "of all pairs"
        return (
            f"Comparison {with_others}: {test}{hypothesis}, {self.correction_in_words}"
            + self._first.options_suffix()
        )

    @property
    def test_in_words(self) -> str:
        """The name of the test, with the column of weights."""
        _, test = statistics.TESTS[self.test]
        return test + self.weight_suffix()

    @property
    def weight(self) -> str | None:
        """The column of weights of users; None if all count alike."""
        return self._first.weight

    @property
    def correction_in_words(self) -> str:
        """How p-values are corrected, for a sentence."""
        words = statistics.CORRECTIONS[self.correction]
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
        return statistics.verdict_in_sql(self.alternative, self.margin, self.confidence)

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
            f"{tests}, at alpha {statistics.significance_level(self.confidence)}; the intervals are "
            f"two-sided, with {self.confidence * 100:.6g}% confidence."
        )

    def notes(self, about_rows: bool = True) -> list[str]:
        return [
            *(
                f"{name}: {note}"
                for name, evaluation in self.evaluations.items()
                for note in evaluation.notes_on_users(about_rows)
            ),
            *self.notes_of_tests(),
        ]

    def notes_of_tests(self) -> list[str]:
        """Return sentences about the test: cases that it is not made for, and users that it leaves out."""
        of_one_look = []
        if self._first.interval == "anytime":
            told = "marks, p-values and requirements are of a single look: at any time, intervals alone hold"
            of_one_look = [told]
        return [*of_one_look, *notes_of_tests(self._values, self.test)]

    def _summary_cells(self) -> Result:
        numbers = map(four_digits, ("mean", "baseline", "difference", "low", "high", "effect_size"))
        texts = ", ".join([*numbers, *map(p_value_text, ("p_value", "p_corrected"))])
        systems = ["system"] if self.baseline is not None else ["system", "against"]
        rows = self.fetch_differences(
            f"{', '.join([*systems, *self.segment_cells])}, metric, {K_TEXT}, n::VARCHAR, {texts}, "
            f"wins::VARCHAR, ties::VARCHAR, losses::VARCHAR"
        )
        names = [*systems, *self.by, "metric"]
        heads = [*names, "k"]
        columns = [*heads, "n", "mean", "baseline", "difference", "low", "high", "d_z"]
        columns += ["p", "p corrected", "wins", "ties", "losses"]
        return Result(columns, [place >= len(names) for place in range(len(columns))], rows, heads=len(heads))

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
        self, caption: str | None = None, label: str | None = None, *, digits: int = 4, details: bool = False
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
            raise CallValueError.about("to_latex", "digits", f"must be 0 to {_MAX_DIGITS}, got {digits!r}")
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
            # The notes about the numbers, where people read the rows of differences.
            note = {"table": "\n{}", "markdown": "\n\n{}", "html": "\n<p>{}</p>"}.get(output, "")
            less = less_is_better_in_words(self._first.metrics)
            signs = f"Differences are of means, of the system less the other one{less}." if less else ""
            notes = " ".join(filter(None, [self.about_intervals, signs]))
            return rows + note.format(notes) if details and notes else rows
        check_choice("render", "output", output, get_args(Output))
        table = self._systems_table
        return table.text(width) if output == "table" else getattr(table, output)()

    def __repr__(self) -> str:
        return printable("\n".join([self._about(), self.render("table", width=WIDTH)]))

    def _repr_html_(self) -> str:
        details = f"<details><summary>Details</summary>{self.to_html(details=True)}</details>"
        return super()._repr_html_() + details

    def warn_of_lengths(self) -> None:
        """Warn if a metric depends on the length of lists, and two systems' lists differ in length."""
        warn_of_lengths(self._values)

    def plot_learning_curve(
        self, metric: str | None = None, k: int | None = None, steps: Mapping[str, float] | None = None
    ) -> Plot:
        """Plot the means of checkpoints against their steps; see `rankdcg_sql.plots.learning_curve`."""
        return self._draw("plot_learning_curve", "learning_curve", metric, k, steps)

    def plot_wins(self, metric: str | None = None, k: int | None = None) -> Plot:
        """Plot for how many users a system wins, ties and loses; see `rankdcg_sql.plots.wins`."""
        return self._draw("plot_wins", "wins", metric, k)

    def plot_differences(self, metric: str | None = None, k: int | None = None) -> Plot:
        """Plot the differences with their intervals as a forest plot; see `rankdcg_sql.plots.differences`."""
        return self._draw("plot_differences", "differences", metric, k)

    def plot_user_differences(self, metric: str, k: int | None = None) -> Plot:
        """Plot the sorted differences of single users; see `rankdcg_sql.plots.user_differences`."""
        return self._draw("plot_user_differences", "user_differences", metric, k)
