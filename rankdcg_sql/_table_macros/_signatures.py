"""The table macros: their names, parameters and columns, and what they are for."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from rankdcg_sql import catalogue
from rankdcg_sql._sql import quote_name, quote_text


@dataclass(frozen=True)
class MacroParameter:
    """A parameter of a table macro.

    Attributes
    ----------
    name : str
        Its name, for ``name := value`` in a call.
    type : str or None
        Its type in SQL, to which a value is cast; None for a table, and for a list that may be one value.
    default : str or None
        Its default as SQL; None if it must be given.
    description : str
        A description, with the allowed values.
    is_told : bool
        Whether the macro sees if a value is given. The default is then a text in SQL, which is no value.
    """

    name: str
    type: str | None
    default: str | None
    description: str
    is_told: bool = False

    @property
    def sql(self) -> str:
        """The parameter in the statement that creates the macro."""
        if self.default is None:
            return quote_name(self.name)
        # A macro of the caller could stand for the brackets.
        default = self.default.replace("[", "system.main.list_value(").replace("]", ")")
        default = quote_text(self.default) if self.is_told else default
        # Before DuckDB 2.0, a keyword such as interval is a name between quotes only.
        return f"{' '.join(filter(None, (quote_name(self.name), self.type)))} := {default}"


@dataclass(frozen=True)
class TableMacro:
    """A table macro.

    Attributes
    ----------
    name : str
        Its name.
    summary : str
        A description of its rows.
    parameters : tuple of MacroParameter
        Its parameters, in their order.
    columns : tuple of str
        The columns of its result.
    needs_aggregates : bool
        Whether it calls aggregates that only DuckDB 2.0 has.
    """

    name: str
    summary: str
    parameters: tuple[MacroParameter, ...]
    columns: tuple[str, ...]
    needs_aggregates: bool = True

    @property
    def signature(self) -> str:
        """The parameters as they are given, with their defaults."""
        return ", ".join(
            each.name if each.default is None else f"{each.name} := {each.default}"
            for each in self.parameters
        )


_TRUTH = MacroParameter(
    "truth", None, None, "the table of judgements: a name, a view, a CTE, or the path of a file in quotes"
)
_REC = MacroParameter("rec", None, None, "the table of recommendations, given like truth")
_BASELINE = MacroParameter("baseline", None, None, "the recommendations to compare with, given like truth")
_COLUMNS = (
    MacroParameter("user", "VARCHAR", "'userid'", "the column of users, in each table"),
    MacroParameter("item", "VARCHAR", "'itemid'", "the column of items, in each table"),
    MacroParameter("score", "VARCHAR", "'score'", "the column of scores, in the recommendations"),
    MacroParameter(
        "rel", "VARCHAR", "NULL", "the column of relevances in truth; NULL: every row of truth is relevant"
    ),
)
_KS = MacroParameter(
    "ks", None, "[5, 10]", "the cutoffs, or one; NULL among them is the whole list", is_told=True
)
_K = MacroParameter("k", None, "'ks'", "another name of ks, for one of the two")
_COLUMNS_OF_ONE = tuple(
    MacroParameter(
        f"{role}_{what}", "VARCHAR", "NULL", f"the column of {what}s in {tables} alone, in place of {what}"
    )
    for role, tables in (("truth", "truth"), ("rec", "the recommendations"))
    for what in ("user", "item")
)
_OPTIONS = MacroParameter(
    "options", "VARCHAR", "''", "options of the metrics, such as 'gain=linear, min_rel=4'"
)
_MEANS = (
    MacroParameter(
        "users",
        "VARCHAR",
        "NULL",
        "the users of the means: 'truth', or 'both' for those who have recommendations, too; NULL: those of "
        "the convention in options, 'truth' without one",
    ),
    MacroParameter("interval", "VARCHAR", "'t'", "the kind of interval: 't' or 'bootstrap'"),
    MacroParameter("confidence", "DOUBLE", "0.95", "the confidence level of the intervals"),
)
_DRAWS = (
    MacroParameter("resamples", "BIGINT", "10000", "how many resamples are drawn, if any are"),
    MacroParameter("seed", "BIGINT", "0", "the seed of the resamples"),
)


def option(name: str) -> catalogue.Option:
    """Return an option of the catalogue."""
    return next(option for option in catalogue.options() if option.name == name)


def _tests() -> tuple[MacroParameter, ...]:
    """List the parameters for tests."""
    corrections = ", ".join(map(quote_text, option("correction").values))
    alternatives = ", ".join(map(quote_text, option("alternative").values))
    corrected = f"how p-values are corrected for the number of rows: {corrections}, or 'none'; NULL is 'none'"
    return (
        MacroParameter("test", "VARCHAR", "'t'", "the test: 't', 'wilcoxon' or 'randomization'"),
        MacroParameter("alternative", "VARCHAR", "'two_sided'", f"one of {alternatives}"),
        MacroParameter("margin", "DOUBLE", "0", "the difference that does not matter, with test := 't'"),
        MacroParameter("correction", "VARCHAR", "'holm'", corrected),
    )


@cache
def metrics() -> tuple[str, ...]:
    """List the metrics that the aggregates of all users compute, in the order of their fields."""
    return catalogue.expressions()["rank_metrics_at_by_user"].fields[1:]  # the first one is k


def _metrics_parameter() -> MacroParameter:
    chosen = {function.base for function in catalogue.functions() if function.by_default}
    named = [metric for metric in metrics() if metric in chosen]
    others = ", ".join(metric for metric in metrics() if metric not in chosen)
    description = f"the metrics, or one; {others} is among them only if it is named"
    return MacroParameter("metrics", None, str(named), description)  # SQL writes lists as Python does


#: The columns of rank_functions.
COLUMNS_OF_FUNCTIONS = (
    *("name", "aliases", "form", "arguments", "result", "description"),
    *("formula", "range", "options", "example", "source"),
)


@cache
def table_macros() -> tuple[TableMacro, ...]:
    """List the table macros.

    DuckDB leaves out columns in the middle of a result that is too wide. Those that are read first are
    therefore the first and the last ones.
    """
    counts = ("retrieved", "judged", "retrieved_repeats", "judged_repeats")
    return (
        TableMacro(
            "rank_evaluate",
            "The metrics of each user of truth, in a row for each k.",
            (_TRUTH, _REC, _KS, *_COLUMNS, _OPTIONS, _K, *_COLUMNS_OF_ONE),
            ("userid", "k", *metrics(), *counts),
        ),
        TableMacro(
            "rank_summary",
            "The mean of each metric over users and its confidence interval, in a row for each metric and k, "
            "with numbers of users and rows.",
            (
                *(_TRUTH, _REC, _KS, *_COLUMNS, _OPTIONS, _metrics_parameter()),
                *(*_MEANS, *_DRAWS, _K, *_COLUMNS_OF_ONE),
            ),
            (
                *("metric", "k", "low", "high"),
                *("users_evaluated", "users_without_rec", "users_without_truth"),
                *("rec_repeats", "truth_repeats", "rec_left_out", "truth_left_out"),
                *("without_value", "interval_by", "mean", "n"),
            ),
        ),
        TableMacro(
            "rank_compare",
            "How rec differs from a baseline, user by user, in a row for each metric and k.",
            (
                *(_TRUTH, _BASELINE, _REC, _KS, *_COLUMNS, _OPTIONS, _metrics_parameter()),
                *(*_MEANS, *_tests(), *_DRAWS, _K, *_COLUMNS_OF_ONE),
            ),
            (
                *("metric", "k", "mean", "baseline", "n", "low", "high", "effect_size", "p_value"),
                *("wins", "ties", "losses", "without_value", "interval_by", "difference", "p_corrected"),
            ),
        ),
        TableMacro(
            "rank_check",
            "Findings about the two tables, errors first; no row if nothing seems wrong.",
            (_TRUTH, _REC, *_COLUMNS, *_COLUMNS_OF_ONE),
            ("source", "problem", "found", "example", "consequence"),
            needs_aggregates=False,
        ),
        TableMacro(
            "rank_functions",
            "The functions of rankdcg_sql, in the order of the documentation.",
            (),
            COLUMNS_OF_FUNCTIONS,
            needs_aggregates=False,
        ),
    )
