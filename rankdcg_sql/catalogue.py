"""The catalogue of the shared library: functions, options, conventions and table macros."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Literal, NamedTuple

from rankdcg_sql import _native


@dataclass(frozen=True)
class Parameter:
    """An argument of a function.

    Attributes
    ----------
    name : str
        The argument's name.
    type : str
        The argument's type in SQL. ``ANY`` is any type whose values can be compared.
    required : bool
        Whether every call must have the argument.
    description : str
        The meaning of the argument, and of NULL.
    """

    name: str
    type: str
    required: bool
    description: str


@dataclass(frozen=True)
class Examples:
    """Calls of a function on the same data in SQL and in Polars.

    Attributes
    ----------
    sql : str
        A SQL statement.
    polars : str or None
        Two lines of Python, with ``polars`` imported as ``pl`` and ``rankdcg_sql.polars`` as ``rk``: a
        statement that makes a data frame, and an expression of its metrics. None if the function has no
        Polars expression.
    """

    sql: str
    polars: str | None


@dataclass(frozen=True)
class Function:
    """A function of the catalogue.

    Attributes
    ----------
    name : str
        The function's name in SQL.
    aliases : tuple of str
        The function's other names. ``precision`` must be quoted in DuckDB, where it is a keyword.
    synonyms : tuple of str
        Usual names of the metric elsewhere. `evaluate` and `compare` take them, and SQL does not.
    paper_name : str
        The name of the metric's mean over users in papers, such as MAP; empty if the function has no metric.
    by_default : bool
        Whether the function has one metric, and `evaluate` computes this metric unless metrics are named.
    form : str
        The name of the function's `Form`, such as ``lists`` or ``rows``: the arguments, and whether the
        function is an aggregate. `rankdcg_sql.catalogue.forms` has them all. For ``agg`` there must be one
        row per user and item: a join multiplies rows that repeat a user and an item, and no aggregate can
        detect that.
    is_aggregate : bool
        Whether the function aggregates the rows of a group.
    is_native_only : bool
        Whether the function is missing where aggregates are macros. The type of its result is that of an
        argument, which functions over lists of rows do not have.
    output : {"value", "metrics", "metrics_at", "items", "values", "explanation", "measures"}
        The result: one number, a struct of several numbers, a list of such structs, one for each k, a list of
        items, a list of numbers, or a list of structs, one for each item of which a value is made. Functions
        over all users have a list of structs that start with the user.
    base : str
        The metric's name in results, which functions of all forms share: ``precision`` for
        ``precision_at_rows``.
    expression : str or None
        The function's name in `rankdcg_sql.polars`; None if it has no Polars expression.
    fields : tuple of str
        The names of the struct's fields; empty if the result is one number, or a list of numbers or items.
    parameters : tuple of Parameter
        The arguments in order.
    signature : str
        The names of the arguments, with brackets around optional ones.
    result : str
        The type of the result in SQL, with ``ANY`` for the type of the users or items.
    examples : Examples
        Calls of the function.
    options : tuple of str
        The names of the options that the function takes.
    defaults : dict
        The defaults of the function that differ from `Option.default`, keyed by the option's name.
    denominator : str or None
        The option for which ``denominator`` is short.
    summary, formula, range, source : str
        The meaning of the result, its formula, its least and largest value, and the publication or package
        that defines it.
    latex : str
        The formula with default options, in LaTeX's mathematics; empty if words say all.
    least, most : float or None
        The numbers of `range`, which hold for the default options; None is no bound.
    truth_needs : str or None
        The items that a user must have for a value, unless the option `no_relevant` says otherwise: among
        those that are judged, or in functions of aligned lists only, among those with a score and a
        relevance. None if the function has no metric.
    item_property, item_needs : str or None
        For a measure that ``rank_items`` computes: the column of items that it reads, empty if it reads none,
        and the items that there must be for a value. None for others.
    reads_numbers, needs_truth, less_is_better : bool
        Whether such a measure reads numbers in the column of items, whether it reads the relevant items of
        users, and whether a smaller value is the better one.
    mean_of : str or None
        The metric of which it is the geometric mean over users; None for others.
    is_of_all_users : bool
        Whether its value is that of all users together: a geometric mean, or a measure of all rankings.
    """

    name: str
    aliases: tuple[str, ...]
    synonyms: tuple[str, ...]
    paper_name: str
    by_default: bool
    form: str
    is_aggregate: bool
    is_native_only: bool
    output: Literal["value", "metrics", "metrics_at", "items", "values", "explanation", "measures"]
    base: str
    expression: str | None
    fields: tuple[str, ...]
    parameters: tuple[Parameter, ...]
    signature: str
    result: str
    examples: Examples
    options: tuple[str, ...]
    defaults: dict[str, str] = field(hash=False)
    denominator: str | None
    summary: str
    formula: str
    latex: str
    range: str
    least: float | None
    most: float | None
    truth_needs: str | None
    source: str
    item_property: str | None
    reads_numbers: bool
    item_needs: str | None
    needs_truth: bool
    less_is_better: bool
    mean_of: str | None
    is_of_all_users: bool

    @property
    def names(self) -> tuple[str, ...]:
        """The function's name, followed by its aliases."""
        return (self.name, *self.aliases)

    @property
    def arguments(self) -> tuple[str, ...]:
        """The names of the arguments in order."""
        return tuple(parameter.name for parameter in self.parameters)

    @property
    def cut(self) -> str | None:
        """The argument with cutoffs, or with measures that have cutoffs of their own; None without one."""
        return next((name for name in self.arguments if name in ("k", "ks", "measures")), None)

    @property
    def required(self) -> int:
        """The number of required arguments, which come first."""
        return sum(parameter.required for parameter in self.parameters)


@dataclass(frozen=True)
class Form:
    """A layout of the arguments that functions read.

    Attributes
    ----------
    name : str
        The form's name.
    inputs : tuple of str
        The names of the arguments before k and the options; empty for statistics, which name their own.
    suffix : str
        The ending of the names of functions of this form.
    reads : str
        The inputs in words.
    notes : str
        Sentences about all inputs together; empty if the descriptions of the parameters say all.
    is_aggregate : bool
        Whether functions aggregate the rows of a group.
    is_aligned : bool
        Whether functions read scores and relevances, which belong together element by element or row by row.
    is_of_users : bool
        Whether a group has the rows of all users, so that the result is a list of structs that start with the
        user.
    is_statistic : bool
        Whether functions read results of users, and not rankings.
    has_expression : bool
        Whether functions have a Polars expression.
    has_bundles : bool
        Whether there are functions of this form that compute several metrics in one pass.
    """

    name: str
    inputs: tuple[str, ...]
    suffix: str
    reads: str
    notes: str
    is_aggregate: bool
    is_aligned: bool
    is_of_users: bool
    is_statistic: bool
    has_expression: bool
    has_bundles: bool


@dataclass(frozen=True)
class Option:
    """An option of functions.

    Attributes
    ----------
    name : str
        The option's name, the key in ``key=value``.
    values : tuple of str
        The allowed values that have names.
    other : str
        A description of the other allowed values; empty if there are none.
    other_type : {"number", "integer", "numbers"} or None
        The type of these other values: a number, a whole number, or a list of numbers, which SQL writes with
        colons between them. None if there are none.
    default : str
        The value if none is given.
    doc : str
        The effect of the option.
    """

    name: str
    values: tuple[str, ...]
    other: str
    other_type: Literal["number", "integer", "numbers"] | None
    default: str
    doc: str


@dataclass(frozen=True)
class OptionValue:
    """The value of an option in a call.

    Attributes
    ----------
    value : str
        The value as text, in lower case.
    origin : {"given", "metric", "convention", "default"}
        The origin of the value: the call, a default of the function or of its metric (``metric``), the
        convention of the call, or the default of the option. The first of these that has a value decides.
    """

    value: str
    origin: Literal["given", "metric", "convention", "default"]


@dataclass(frozen=True)
class Preset:
    """The value that a convention gives to an option.

    Attributes
    ----------
    option, value : str
        The option's name and its value.
    metrics : tuple of str
        The metrics to which the preset applies; empty for all metrics.
    """

    option: str
    value: str
    metrics: tuple[str, ...]


@dataclass(frozen=True)
class Convention:
    """A named set of option values that reproduces the results of another package.

    Attributes
    ----------
    name : str
        The convention's name, the value in ``convention=name``.
    of : str
        The package or publication that it reproduces.
    users : {"truth", "both"}
        The users over whom `evaluate` takes means with the convention: those of truth, or as in some packages
        those of both tables.
    options : tuple of Preset
        The presets. If several presets of an option apply to a metric, the last one wins.
    differs : tuple of str
        The cases in which the other package gives a number that no option reproduces.
    """

    name: str
    of: str
    users: Literal["truth", "both"]
    options: tuple[Preset, ...]
    differs: tuple[str, ...]


class MacroParameter(NamedTuple):
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
    """

    name: str
    type: str | None
    default: str | None
    description: str


class TableMacro(NamedTuple):
    """A table macro of DuckDB.

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
    needs_aggregates: bool


class Elsewhere(NamedTuple):
    """A measure, or a family of measures, that other packages compute.

    Attributes
    ----------
    names : tuple of str
        Its usual names in plain letters.
    packages : tuple of str
        Who computes it: the name of a package, with that of the measure there in brackets.
    advice : str
        A phrase that says what it measures, that it is not computed here, by whom it is, and what comes near
        it here.
    """

    names: tuple[str, ...]
    packages: tuple[str, ...]
    advice: str


@cache
def _catalogue() -> dict[str, Any]:
    catalogue: dict[str, Any] = json.loads(_native.catalogue())
    return catalogue


def _frozen(entry: dict[str, Any]) -> dict[str, Any]:
    # Returns the entry with tuples in place of lists, for a class that is frozen.
    return {key: tuple(value) if isinstance(value, list) else value for key, value in entry.items()}


def version() -> str:
    """Return the version of the shared library, which is the version of the package."""
    text: str = _catalogue()["version"]
    return text


def functions() -> list[Function]:
    """List every function that the package registers.

    Returns
    -------
    list of Function
        In the order of the documentation.

    Examples
    --------
    >>> import rankdcg_sql
    >>> [function.name for function in rankdcg_sql.functions()][:4]
    ['precision_at', 'recall_at', 'f1_at', 'hit_rate']
    >>> next(f for f in rankdcg_sql.functions() if f.name == "ndcg").formula
    '(sum of gain(rel) * discount(rank)) / (the same sum over the k largest gains)'
    """
    return list(_functions())


@cache
def _functions() -> tuple[Function, ...]:
    return _read_functions("functions")


def _read_functions(key: str) -> tuple[Function, ...]:
    def function(entry: dict[str, Any]) -> Function:
        parameters = [Parameter(**parameter) for parameter in entry["parameters"]]
        examples = Examples(**entry["examples"])
        return Function(**_frozen(entry | {"parameters": parameters, "examples": examples}))

    return tuple(function(entry) for entry in _catalogue()[key])


@cache
def geometric_means() -> dict[str, Function]:
    """Return the geometric means of metrics over users, keyed by their names. None is a function of SQL."""
    return {function.name: function for function in _read_functions("geometric_means")}


@cache
def item_measures() -> dict[str, Function]:
    """Return the measures of items that ``rank_items`` computes, keyed by their names.

    Not each of them is a function of SQL.
    """
    return {function.name: function for function in _read_functions("item_measures")}


@cache
def span_measures() -> dict[str, Function]:
    """Return the measures of spans of documents, keyed by their names. None of them is a function of SQL."""
    return {function.name: function for function in _read_functions("span_measures")}


@cache
def measures_of_tables() -> dict[str, Function]:
    """Return the measures of tables that are no functions over one user, keyed by their names."""
    return geometric_means() | item_measures() | span_measures()


@cache
def forms() -> dict[str, Form]:
    """Return the forms of functions, keyed by their names.

    Examples
    --------
    >>> from rankdcg_sql.catalogue import forms
    >>> forms()["agg"].reads
    'the rows of a group, each an item with its score and relevance'
    """
    return {entry["name"]: Form(**_frozen(entry)) for entry in _catalogue()["forms"]}


@cache
def by_name() -> dict[str, Function]:
    """Return the functions keyed by each of their names in SQL."""
    return {name: function for function in _functions() for name in function.names}


@cache
def expressions() -> dict[str, Function]:
    """Return the functions that have a Polars expression, keyed by the expression's name."""
    return {function.expression: function for function in _functions() if function.expression is not None}


@cache
def python_names() -> dict[str, Function]:
    """Return every function keyed by its name in Python, which Polars and Ibis share."""
    return {f.expression or f"{f.base}{forms()[f.form].suffix}": f for f in _functions()}


@cache
def metric_functions() -> dict[str, Function]:
    """Return the functions that compute one metric of the users of two tables.

    They are aggregates over recommendations and judgements, functions of lists for measures of aspects,
    geometric means of metrics, measures that ``rank_items`` computes, and measures of spans. They are keyed
    by the metric's name in results.
    """
    of_users = {
        function.base: function
        for function in functions()
        if function.form in ("rows", "aspects") and function.output == "value"
    }
    return of_users | measures_of_tables()


@cache
def metric_names() -> dict[str, str]:
    """Return the metric's name in results, keyed by every name that a caller may give."""
    names = {
        name: function.base
        for function in functions()
        if function.form in ("lists", "aspects") and function.base in metric_functions()
        for name in function.names
    }
    usual_elsewhere = {
        name: metric for metric, function in metric_functions().items() for name in function.synonyms
    }
    return usual_elsewhere | names | {name: name for name in measures_of_tables()}


def options() -> list[Option]:
    """List every option with its values and its default.

    Returns
    -------
    list of Option
        In the order of the documentation.

    Examples
    --------
    >>> import rankdcg_sql
    >>> next(o for o in rankdcg_sql.options() if o.name == "discount").values
    ('log2', 'log2_clip', 'ln')
    """
    return [Option(**_frozen(entry)) for entry in _catalogue()["options"]]


def conventions() -> list[Convention]:
    """List every convention with its options.

    Returns
    -------
    list of Convention
        In the order of the documentation, the default one first.

    Examples
    --------
    >>> import rankdcg_sql
    >>> spark = next(c for c in rankdcg_sql.conventions() if c.name == "spark")
    >>> spark.options[0].option, spark.options[0].value
    ('precision_denominator', 'k')
    """
    return [
        Convention(**_frozen(entry | {"options": [Preset(**_frozen(preset)) for preset in entry["options"]]}))
        for entry in _catalogue()["conventions"]
    ]


@cache
def table_macros() -> tuple[TableMacro, ...]:
    """List the table macros of DuckDB."""

    def macro(entry: dict[str, Any]) -> TableMacro:
        parameters = [MacroParameter(**parameter) for parameter in entry["parameters"]]
        return TableMacro(**_frozen(entry | {"parameters": parameters}))

    return tuple(macro(entry) for entry in _catalogue()["table_macros"])


@cache
def listed_measures() -> tuple[Elsewhere, ...]:
    """List the measures that are not here, in the order of ``docs/measures_elsewhere.md``."""
    return tuple(Elsewhere(**_frozen(entry)) for entry in _catalogue()["elsewhere"])


def spellings() -> dict[str, str]:
    """Return what to write here for names of other packages, in plain letters: metrics with arguments."""
    return dict(_catalogue()["spellings"])


def to_plain_letters() -> list[tuple[str, str]]:
    """List regular expressions that bring a name in small letters to plain ones, with replacements."""
    return [(part, instead) for part, instead in _catalogue()["to_plain_letters"]]


def usual_names_of_rel() -> tuple[str, ...]:
    """List usual names of a column of relevances, in small letters."""
    return tuple(_catalogue()["usual_names_of_rel"])


def resolve_options(function: Function, given: Mapping[str, Any]) -> dict[str, OptionValue]:
    """Return the value of each option of a function in a call.

    Parameters
    ----------
    function : Function
        The function of the call.
    given : dict
        The options of the call, keyed by name. Those that the function does not take are left out.

    Returns
    -------
    dict of str to OptionValue
        The values, keyed by the option's name. For a function of several metrics, presets that the convention
        limits to some metrics are left out.

    Raises
    ------
    ValueError
        If an option does not take its value. Whether values go together is not checked.

    Examples
    --------
    >>> from rankdcg_sql.catalogue import functions, resolve_options
    >>> ndcg = next(function for function in functions() if function.name == "ndcg")
    >>> resolved = resolve_options(ndcg, {"convention": "sklearn", "discount": "ln"})
    >>> for name in ("gain", "discount", "idcg"):
    ...     print(name, resolved[name].value, resolved[name].origin)
    gain linear convention
    discount ln given
    idcg truth default
    """
    values = _resolved(function, given)["options"]
    return {option["name"]: OptionValue(option["value"], option["origin"]) for option in values}


def field_types(function: Function) -> dict[str, str]:
    """Return the SQL types of the fields of a function's result, keyed by their names.

    ``ANY`` is the type of an argument.
    """
    return dict(re.findall(r"(\w+) (ANY|BIGINT|DOUBLE)", function.result))


def null_reason(function: Function, given: Mapping[str, Any]) -> str:
    """Return the reason why results of a function of one metric, similarity or measure of items are NULL.

    It starts with ``without``.

    Examples
    --------
    >>> from rankdcg_sql.catalogue import functions, null_reason
    >>> ndcg = next(function for function in functions() if function.name == "ndcg")
    >>> null_reason(ndcg, {"empty_rec": "null"})
    'without a relevant item, or with nothing retrieved'
    """
    reason: str = _resolved(function, given)["null_reason"]
    return reason


def value_range(function: Function, given: Mapping[str, Any]) -> tuple[float | None, float | None]:
    """Return the least and the largest value of a function of one metric; None is no bound.

    Examples
    --------
    >>> from rankdcg_sql.catalogue import functions, value_range
    >>> rbp = next(function for function in functions() if function.name == "rbp")
    >>> value_range(rbp, {}), value_range(rbp, {"rbp_gain": "linear"})
    ((0.0, 1.0), (0.0, None))
    """
    if function.mean_of:
        return None, None  # the influence of a user is beyond the range
    resolved = _resolved(function, given)
    return resolved["least"], resolved["most"]


def _resolved(function: Function, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options of a call as the library resolves them, the reason of NULL, and the range."""
    if function.form in ("items", "spans") and function.item_needs:
        reason = f"without {function.item_needs}"
        return {"options": [], "null_reason": reason, "least": function.least, "most": function.most}
    taken = options_text({name: value for name, value in given.items() if name in function.options})
    resolved: dict[str, Any] = json.loads(_native.resolve(function.name, taken))
    return resolved


def options_text(given: Mapping[str, Any]) -> str:
    """Write options as the text that SQL functions take, ``key=value,key=value``; None is not given."""

    def text(value: Any) -> str:
        try:
            return str(value) if isinstance(value, str | bytes) else ":".join(map(str, value))
        except TypeError:  # also from expressions of Ibis, which are Iterable by their class
            return str(value)

    return ",".join(f"{name}={text(value)}" for name, value in given.items() if value is not None)
