"""The functions and their options, as the core lists them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Literal

from rankdcg_sql import _native


@dataclass(frozen=True)
class Parameter:
    """An argument of a function.

    Attributes
    ----------
    name : str
        Its name.
    type : str
        Its type in SQL. ``ANY`` stands for any type whose values can be compared.
    required : bool
        Whether a call must have it.
    description : str
        What it holds, and what NULL means.
    """

    name: str
    type: str
    required: bool
    description: str


@dataclass(frozen=True)
class Examples:
    """A function in use, on the same data in SQL and in Polars.

    Attributes
    ----------
    sql : str
        A statement.
    polars : str or None
        An expression that is a data frame, with ``polars`` as ``pl`` and ``rankdcg_sql.polars`` as ``rk``;
        None where Polars has no such function.
    """

    sql: str
    polars: str | None


@dataclass(frozen=True)
class Function:
    """A function and what there is to know about it.

    Attributes
    ----------
    name : str
        Its name in SQL.
    aliases : tuple of str
        Its other names. ``precision`` must be quoted in DuckDB, where it is a keyword.
    shape : {"lists", "rels", "scored", "agg", "rows", "by_user", "sample"}
        Its lists: ranked items and truth, relevances in ranked order, or scores beside relevances. Of an
        aggregate, its rows: score and relevance of an item (``agg``: one row per user and item, for a join
        multiplies rows that repeat them, and no aggregate can see that), recommendations and judgements,
        these of all users, or values of a metric.
    output : {"value", "metrics", "metrics_at"}
        Its result: one number, several numbers in a struct, or a list of such structs, one for each k. By
        user, a list with the user's name in front of each.
    base : str
        The name that functions of all shapes share, as results have it: ``precision`` of
        ``precision_at_rows``.
    expression : str or None
        Its name in `rankdcg_sql.polars`; None where Polars has no such function.
    fields : tuple of str
        The names of the struct's fields; empty where the result is one number.
    parameters : tuple of Parameter
        Its arguments in order.
    signature : str
        The arguments with brackets around those that may be left out.
    result : str
        The type of its result in SQL, with ``ANY`` for the type of the users.
    examples : Examples
        The function in use.
    options : tuple of str
        The names of the options it takes.
    defaults : dict
        Those of its options whose default is another one than `Option.default`.
    denominator : str or None
        The option that ``denominator`` is short for.
    summary, formula, range, source : str
        What it means, how it is computed, its least and largest value, and where it comes from.
    least, most : float or None
        The numbers of `range`, which hold for the default options.
    truth_needs : str or None
        What a truth must have for a value, unless the option `no_relevant` says otherwise.
    """

    name: str
    aliases: tuple[str, ...]
    shape: Literal["lists", "rels", "scored", "agg", "rows", "by_user", "sample"]
    output: Literal["value", "metrics", "metrics_at"]
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
    range: str
    least: float | None
    most: float | None
    truth_needs: str | None
    source: str

    @property
    def names(self) -> tuple[str, ...]:
        """Its name and its other names."""
        return (self.name, *self.aliases)

    @property
    def arguments(self) -> tuple[str, ...]:
        """The names of its arguments in order."""
        return tuple(parameter.name for parameter in self.parameters)

    @property
    def required(self) -> int:
        """How many arguments a call must have, the first ones."""
        return sum(parameter.required for parameter in self.parameters)

    @property
    def is_aggregate(self) -> bool:
        """Whether its arguments are the rows of a group."""
        return self.shape in ("agg", "rows", "by_user", "sample")


@dataclass(frozen=True)
class Option:
    """An option: what it is called, which values it takes, and its default.

    Attributes
    ----------
    name : str
        Its name, the key in ``key=value``.
    values : tuple of str
        The values it takes by name.
    other : str
        What else it takes, in words; empty if nothing.
    default : str
        The value where none is given.
    doc : str
        What it decides.
    """

    name: str
    values: tuple[str, ...]
    other: str
    default: str
    doc: str


@dataclass(frozen=True)
class Preset:
    """An option of a convention.

    Attributes
    ----------
    option, value : str
        The option and what it is.
    metrics : tuple of str
        The metrics that it is limited to; empty if it holds for all.
    """

    option: str
    value: str
    metrics: tuple[str, ...]


@dataclass(frozen=True)
class Convention:
    """Options under one name, with which functions give what those of another package give.

    Attributes
    ----------
    name : str
        Its name, the value in ``convention=name``.
    of : str
        What it reproduces.
    options : tuple of Preset
        Its options; of several for one option that hold for a metric, the last one does.
    differs : tuple of str
        Where the package gives another number, which no option here expresses.
    """

    name: str
    of: str
    options: tuple[Preset, ...]
    differs: tuple[str, ...]


@cache
def _catalogue() -> dict[str, Any]:
    catalogue: dict[str, Any] = json.loads(_native.catalogue())
    return catalogue


def _frozen(entry: dict[str, Any]) -> dict[str, Any]:
    return {key: tuple(value) if isinstance(value, list) else value for key, value in entry.items()}


def version() -> str:
    """Return the version of the shared library, which is that of the package."""
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
    'dcg / idcg'
    """
    return list(_functions())


@cache
def _functions() -> tuple[Function, ...]:
    def function(entry: dict[str, Any]) -> Function:
        parameters = [Parameter(**each) for each in entry["parameters"]]
        examples = Examples(**entry["examples"])
        return Function(**_frozen(entry | {"parameters": parameters, "examples": examples}))

    return tuple(function(entry) for entry in _catalogue()["functions"])


@cache
def expressions() -> dict[str, Function]:
    """Return the functions that Polars has, by their names there."""
    return {each.expression: each for each in _functions() if each.expression is not None}


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
        Convention(
            entry["name"],
            entry["of"],
            tuple(Preset(**_frozen(preset)) for preset in entry["options"]),
            tuple(entry["differs"]),
        )
        for entry in _catalogue()["conventions"]
    ]


def effective_options(function: Function, metric: str, given: Mapping[str, str]) -> dict[str, str]:
    """Return the value of each option of a function: one that is given, or a convention's, or the default."""
    values = {option.name: option.default for option in options() if option.name in function.options}
    values |= function.defaults
    for convention in conventions():
        if convention.name == given.get("convention", "").strip().lower():
            presets = [preset for preset in convention.options if metric in (preset.metrics or (metric,))]
            values |= {preset.option: preset.value for preset in presets if preset.option in values}
            values |= function.defaults  # what a metric has by itself remains
    return values | {name: value for name, value in given.items() if name in values}


def options_text(given: Mapping[str, Any]) -> str:
    """Write options as SQL has them, without those that are None."""

    def text(value: Any) -> str:
        is_list = isinstance(value, Iterable) and not isinstance(value, str)
        return ":".join(map(str, value)) if is_list else str(value)

    return ",".join(f"{name}={text(value)}" for name, value in given.items() if value is not None)
