"""Expressions of Ibis that call the functions of the catalogue."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from inspect import Parameter, Signature
from textwrap import fill
from typing import Any

from rankdcg_sql import _native, catalogue
from rankdcg_sql._arguments import integer, integers, text
from rankdcg_sql._errors import Argument, CallTypeError, shown

try:
    import ibis
    import ibis.expr.datatypes as dt
except ImportError as error:
    raise ImportError(
        "rankdcg_sql.ibis needs Ibis with DuckDB, and there is none: pip install 'rankdcg_sql[ibis]'"
    ) from error


@cache
def functions() -> dict[str, Callable[..., Any]]:
    """Return the functions of `rankdcg_sql.ibis`, keyed by name."""
    return {name: _function(name, of) for name, of in catalogue.python_names().items()}


def _function(name: str, of: catalogue.Function) -> Callable[..., Any]:
    """Make the function that makes an expression of a function of the catalogue."""
    cut = of.cut
    columns = [argument for argument in of.arguments if argument not in (cut, "options")]
    # The columns whose types the result may have.
    ids = [field for field, kind in catalogue.field_types(of).items() if kind == "ANY"] or columns[:1]
    arguments = [
        *(Parameter(column, Parameter.POSITIONAL_OR_KEYWORD) for column in columns),
        *([Parameter("k", Parameter.POSITIONAL_OR_KEYWORD, default=None)] if cut == "k" else []),
        *([Parameter(cut, Parameter.POSITIONAL_OR_KEYWORD)] if cut in ("ks", "measures") else []),
        *([Parameter("where", Parameter.KEYWORD_ONLY, default=None)] if of.is_aggregate else []),
        Parameter("options", Parameter.VAR_KEYWORD),
    ]
    signature = Signature(arguments)

    def call(*args: Any, **named: Any) -> Any:
        try:
            given = signature.bind(*args, **named).arguments
        except TypeError as error:
            raise CallTypeError(name, None, str(error)) from None
        options = catalogue.options_text(given.get("options", {}))
        k = given.get(cut) if cut else None
        cuts = [] if cut == "measures" else _cuts(name, k, several=cut == "ks")
        _native.check(name, [each for each in cuts if each is not None], options)
        values = {column: _value(name, column, given[column]) for column in columns}
        if cut and _is_expression(k):
            values[cut] = k
        elif cut == "measures":
            values["measures"] = ibis.literal(text(name, "measures", k))
        elif cut == "ks":
            values["ks"] = ibis.literal(cuts, "array<int64>")
        elif cuts:
            values["k"] = ibis.literal(cuts[0], "int64")
        if options:
            values["options"] = ibis.literal(options)
        if given.get("where") is not None:
            values["where"] = _value(name, "where", given["where"]).pipe(_condition, name)

        def build(**given: Any) -> Any:
            # A deferred column has a type once it is resolved, and `pipe` calls this again then.
            deferred = next((column for column in ids if isinstance(given[column], ibis.Deferred)), None)
            if deferred is not None:
                return given.pop(deferred).pipe(
                    lambda found, **others: build(**{deferred: found}, **others), **given
                )
            result = _type(of.result, {column: given[column].type() for column in ids})
            return _builtin(of.name, of.is_aggregate, tuple(values), result)(**given)

        at_k = f"@{cuts[0]}" if cut == "k" and cuts else ""
        return build(**values).name(f"{of.base}{at_k}")

    call.__name__ = call.__qualname__ = name
    call.__module__ = __package__
    call.__signature__ = signature  # type: ignore[attr-defined]
    call.__doc__ = _docstring(of)
    return call


def _is_expression(given: Any) -> bool:
    return isinstance(given, ibis.Value | ibis.Deferred)


def _cuts(name: str, k: Any, *, several: bool) -> list[int | None]:
    """Return the cutoffs of a call of `name`; none if they are a column, or the whole list."""
    if _is_expression(k):
        return []
    if several:
        return integers(name, k, "a column")
    return [] if k is None else [integer(name, k, "a column")]


def _value(name: str, argument: str, given: Any) -> Any:
    """Return what was given for an argument as an expression: a text names a column."""
    if _is_expression(given):
        return given
    if isinstance(given, str):
        return ibis._[given]
    try:
        return ibis.literal(given)
    except Exception as error:
        wanted = f" must be a column, its name, or a value for all rows, got {shown(given)}"
        raise CallTypeError(name, argument, Argument(argument), wanted) from error


def _condition(where: Any, name: str) -> Any:
    """Return the condition of a call of `name`, which must have the type of one."""
    kind = where.type()
    if kind.is_boolean() or kind.is_null():
        return where
    wanted = f" must be a column of booleans, its name, or a boolean for all rows, got {kind}"
    raise CallTypeError(name, "where", Argument("where"), wanted)


@cache
def _builtin(
    name: str, is_aggregate: bool, arguments: tuple[str, ...], result: dt.DataType
) -> Callable[..., Any]:
    """Return the builtin of Ibis for the function `name` of SQL with some of its arguments.

    It is the same object in every call, because Ibis compares expressions by their builtins.
    """

    def builtin() -> None: ...

    builtin.__name__ = builtin.__qualname__ = name
    parameters = [Parameter(argument, Parameter.POSITIONAL_OR_KEYWORD) for argument in arguments]
    builtin.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    types = tuple(dt.boolean if argument == "where" else None for argument in arguments)
    make = ibis.udf.agg.builtin if is_aggregate else ibis.udf.scalar.builtin
    return make(builtin, name=name, signature=(types, result))  # type: ignore[no-any-return]


def _type(kind: str, of_columns: Mapping[str, dt.DataType]) -> dt.DataType:
    """Return a type of the catalogue as Ibis has it.

    ``ANY`` is the type of a column: in a struct of the one with the name of the field, else of the first one.
    """
    if kind.endswith("[]"):
        return dt.Array(_type(kind.removesuffix("[]"), of_columns))
    if kind.startswith("STRUCT("):
        fields = (field.split(" ") for field in kind[len("STRUCT(") : -1].split(", "))
        return dt.Struct(
            {
                field: of_columns[field] if of_field == "ANY" else _type(of_field, of_columns)
                for field, of_field in fields
            }
        )
    return {"DOUBLE": dt.float64, "BIGINT": dt.int64, "ANY": next(iter(of_columns.values()))}[kind]


def _docstring(of: catalogue.Function) -> str:
    """Write the documentation of a function in the form of numpydoc, from the catalogue."""

    def entry(head: str, text: str) -> str:
        return f"{head}\n{fill(text, 110, initial_indent='    ', subsequent_indent='    ')}"

    kinds = {"k": "int or column, optional", "ks": "list of int, or column", "measures": "str, or column"}
    entries = [
        entry(
            f"{each.name} : {kinds.get(each.name, 'column, its name, or a value for all rows')}",
            each.description,
        )
        for each in of.parameters
        if each.name != "options"
    ]
    if of.is_aggregate:
        entries.append(entry("where : boolean column, optional", "The rows that count, if not all do."))
    if of.options:
        about = f"{', '.join(of.options)}: see docs/functions/{of.base}.md and `rankdcg_sql.options()`."
        entries.append(entry("**options", about))
    result = entry(of.result, f"{of.range}. DuckDB computes it by ``{of.name}``.")
    sections = {"Parameters": "\n".join(entries), "Returns": result, "Examples in SQL": of.examples.sql}
    summary = fill(f"{of.summary[0].upper()}{of.summary[1:]}.", 110)
    return "\n\n".join(
        [summary, *(f"{title}\n{'-' * len(title)}\n{text}" for title, text in sections.items())]
    )
