"""The engines that compute the functions, behind one interface, so that one test body runs on each.

A call has the name of a function, a kind of lists, and the lists. These are the kinds:

========== ==================================== =====================================
kind       arguments                            SQL types
========== ==================================== =====================================
ids        ranked items, relevant items         T[], T[]
map        ranked items, {item: relevance}      T[], MAP(T, DOUBLE)
structs    ranked items, {item: relevance}      T[], STRUCT(item T, rel DOUBLE)[]
lists      relevances in ranked order, all      STRUCT(rel DOUBLE, item BIGINT)[], DOUBLE[]
aligned    scores, relevances: rankdcg only     DOUBLE[], DOUBLE[]
scored     scores, relevances: all others       DOUBLE[], DOUBLE[]
rels       relevances in ranked order           DOUBLE[]
run        {item: score}, relevant items        MAP(T, DOUBLE), T[]
========== ==================================== =====================================

The kind "graded" stands for map and structs, or for the one of the two that an engine takes. Judgements
{item: relevance} may also be a list of (item, relevance), in which None stands for a NULL struct.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import duckdb
import numpy as np
import polars as pl
import pyarrow as pa

from rankdcg_sql import _native, functions
from rankdcg_sql import polars as rk
from support import reference

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

GRADED = ("map", "structs")
KINDS = ("ids", *GRADED, "lists", "aligned", "scored", "rels")
#: The metrics of rank_metrics, which are computed in one pass.
METRICS = ("precision", "recall", "f1", "hit_rate", "mrr", "average_precision", "ndcg", "auc")
_FUNCTIONS = {name: function for function in functions() for name in function.names}
_ITEMS = {int: pa.int64(), str: pa.string(), float: pa.float64()}
K_TYPES = {"k": pa.int64(), "ks": pa.list_(pa.int64())}


@dataclass(frozen=True)
class Row:
    """The arguments of one call.

    Values of options are those of `reference`, where None means unset. If a function takes several k, `k` is
    a list.
    """

    #: The lists of the call, as its kind has them.
    args: Sequence[Any]
    #: The cutoff, or a list of cutoffs; None for the whole list.
    k: int | Sequence[int | None] | None = None
    #: The options by name; None for an option that is not set.
    options: Mapping[str, Any] = field(default_factory=dict)


class Engine(ABC):
    """Computes the functions, and raises an `error` for wrong arguments.

    A value is a number or None. For rank_metrics it is a dictionary, for rank_metrics_at a list of
    dictionaries.
    """

    error: type[Exception] | tuple[type[Exception], ...]
    #: The kinds of lists that the engine has types for.
    kinds: tuple[str, ...] = KINDS

    def forms(self, kind: str) -> list[str]:
        """The kinds in which the engine takes such lists: none, one, or both that "graded" stands for."""
        return [form for form in (GRADED if kind == "graded" else (kind,)) if form in self.kinds]

    def function_name(self, function: str) -> str:
        """The name under which the engine has a function. Errors begin with this name."""
        return function

    def expected_message(self, message: str) -> str:
        """The text of an error, with the names that the engine has for the arguments."""
        return message

    def supports(self, function: str, kind: str, row: Row) -> bool:
        """Whether the engine can compute a row of a kind that it has types for."""
        return True

    @abstractmethod
    def over(self, function: str, columns: Sequence[pa.Array]) -> list[Any]:
        """The value of each row. There is a column for each argument."""

    def many(self, function: str, kind: str, rows: Sequence[Row]) -> list[Any]:
        """The value of each row, computed in one call that passes every argument of the function."""
        return self.over(function, full(function, kind, rows))

    def one(self, function: str, kind: str, args: Sequence[Any], k: Any = None, **options: Any) -> Any:
        """The value of one call. It leaves out k and options if there are none."""
        (value,) = self.over(function, shortest(function, kind, Row(args, k, options)))
        return value


class Core(Engine):
    """The shared library, called with Arrow arrays."""

    error = ValueError

    def over(self, function: str, columns: Sequence[pa.Array]) -> list[Any]:
        values: list[Any] = _native.call(function, list(columns)).to_pylist()
        return values


class Sql(Engine):
    """A DuckDB connection. Many rows are one query over a table; one row is a query with parameters."""

    error = duckdb.InvalidInputException

    def __init__(self, con: duckdb.DuckDBPyConnection) -> None:
        self.con = con

    def over(self, function: str, columns: Sequence[pa.Array]) -> list[Any]:
        names = [f"c{index}" for index in range(len(columns))]
        self.con.register("rows", pa.table([pa.array(range(len(columns[0]))), *columns], ["place", *names]))
        query = f'SELECT "{function}"({", ".join(names)}) FROM rows ORDER BY place'
        return [value for (value,) in self.con.execute(query).fetchall()]

    def one(self, function: str, kind: str, args: Sequence[Any], k: Any = None, **options: Any) -> Any:
        columns = shortest(function, kind, Row(args, k, options))
        typed = ", ".join(f"?::{_sql_type(column.type)}" for column in columns)
        parameters = [_parameter(column) for column in columns]
        ((value,),) = self.con.execute(f'SELECT "{function}"({typed})', parameters).fetchall()
        return value


class Grouped(Sql):
    """Aggregate functions of DuckDB. Lists become rows in random order, and a query groups the rows again."""

    #: The columns of rows that an aggregate takes.
    inputs: tuple[str, ...]

    @abstractmethod
    def exploded(self, columns: Sequence[pa.Array]) -> str:
        """A SELECT of the elements of lists c0 and c1, a row each, beside the other columns.

        `columns` gives the types of the lists.
        """

    def grouped(self, function: str, more: Sequence[str]) -> str:
        """A SELECT of each place and its value. `more` are the columns of k and options."""
        call = f'"{self.function_name(function)}"({", ".join([*self.inputs, *more])})'
        return f"SELECT place, {call} FROM rows GROUP BY place"

    def over(self, function: str, columns: Sequence[pa.Array]) -> list[Any]:
        more = [f"c{index}" for index in range(2, len(columns))]
        places = pa.array(range(len(columns[0])))
        self.con.register("lists", pa.table([places, *columns], ["place", "c0", "c1", *more]))
        rows = self.con.sql(self.exploded(columns)).to_arrow_table()
        found = self.values(
            function, more, rows.take(np.random.default_rng(len(rows)).permutation(len(rows)))
        )
        return [found.get(place) for place in range(len(places))]

    def values(self, function: str, more: Sequence[str], rows: pa.Table) -> dict[int, Any]:
        """The value of each place from its rows."""
        self.con.register("rows", rows)
        return dict(self.con.execute(self.grouped(function, more)).fetchall())

    one = Engine.one


class Aggregates(Grouped):
    """The aggregates over scores and relevances."""

    kinds = ("aligned", "scored")
    inputs = ("score", "rel")

    def function_name(self, function: str) -> str:
        return f"{function.removesuffix('_scored')}_agg"

    def expected_message(self, message: str) -> str:
        return message.replace("scores", "score").replace("rels", "rel")

    def supports(self, function: str, kind: str, row: Row) -> bool:
        """Rows have no order, each relevance has a score (or NULL), and a group has at least one row."""
        scores, rels = row.args
        by_order = "ties" in _FUNCTIONS[function].options and reference.is_by_order(function, row.options)
        # Aligned lists leave out items without a judgement; groups do so with unjudged=skip alone.
        skips = kind != "aligned" or None not in (rels or ()) or row.options.get("unjudged") == "skip"
        return bool(rels) and (not scores or len(scores) == len(rels)) and not by_order and skips

    def exploded(self, columns: Sequence[pa.Array]) -> str:
        return "SELECT * EXCLUDE (c0, c1), unnest(c0) AS score, unnest(c1) AS rel FROM lists"


class Rows(Grouped):
    """The aggregates over recommendations and judgements. Each row is one or the other."""

    kinds = ("ids", "map", "run")
    inputs = ("item", "score", "rel")

    def function_name(self, function: str) -> str:
        return f"{_FUNCTIONS[function].name}_rows"

    def expected_message(self, message: str) -> str:
        return message.replace("in truth", "in rel")

    def supports(self, function: str, kind: str, row: Row) -> bool:
        """Rows have no order and count an item once. A group has a row, and its truth a judgement."""
        rec, truth = row.args
        items = [item + 0.0 if isinstance(item, float) else item for item in rec or [] if item is not None]
        floats = any(isinstance(item, float) for item in [*items, *(truth or ())])
        rels = truth.values() if isinstance(truth, dict) else truth or []
        return (
            self.function_name(function) in _FUNCTIONS
            # Rows make a plain relevant item one of relevance 1, but rankdcg over lists needs graded truth.
            # Only rows break ties by item.
            and not (function == "rankdcg" and (kind == "ids" or reference.is_by_item(function, row.options)))
            and bool(rec or truth)
            and len(items) == len(set(map(repr, items)))
            and (truth is None or any(rel is not None for rel in rels))
            and row.options.keys() <= set(_FUNCTIONS[self.function_name(function)].options)
            and not reference.is_by_order(function, row.options)
            and not (floats and reference.is_by_item(function, row.options))  # the reference cannot order NaN
        )

    def exploded(self, columns: Sequence[pa.Array]) -> str:
        scored, judged = (pa.types.is_map(column.type) for column in columns[:2])
        item, score = (
            ("unnest(map_keys(c0))", "unnest(map_values(c0))")
            if scored
            else ("unnest(c0)", "-generate_subscripts(c0, 1)")
        )
        truth, rel = ("unnest(map_keys(c1))", "unnest(map_values(c1))") if judged else ("unnest(c1)", "1.0")
        return f"""
            SELECT * EXCLUDE (c0, c1), {item} AS item, {score} AS score, NULL AS rel FROM lists
            UNION ALL
            SELECT * EXCLUDE (c0, c1), {truth}, NULL, {rel} FROM lists
        """


class Users(Rows):
    """rank_metrics_by_user over all users who share k and options. One of its metrics is the value."""

    def function_name(self, function: str) -> str:
        return "rank_metrics_by_user"

    def supports(self, function: str, kind: str, row: Row) -> bool:
        if self._metric(function) is None:
            return False
        gains = "gain" in _FUNCTIONS[function].options and row.options.get("gain") != "binary"
        of_others = gains and "min_rel" in row.options
        # An error of one of the metrics is an error of the call.
        fails = row.options.get("no_relevant") == "error"
        return not of_others and not fails and super().supports(function, kind, row)

    def grouped(self, function: str, more: Sequence[str]) -> str:
        call = f"rank_metrics_by_user({', '.join(['place', *self.inputs, *more])})"
        groups = f"GROUP BY {', '.join(more)}" if more else ""
        users = f"SELECT unnest({call}, recursive := true) FROM rows {groups}"
        return f"SELECT userid, {self._metric(function)} FROM ({users})"

    @staticmethod
    def _metric(function: str) -> str | None:
        return next((metric for metric in METRICS if metric in _FUNCTIONS[function].names), None)


class PolarsUsers(Users):
    """The expression of Polars over all users, and the function of two frames, which must say the same."""

    error = (ValueError, pl.exceptions.ComputeError)

    def values(self, function: str, more: Sequence[str], rows: pa.Table) -> dict[int, Any]:
        metric = self._metric(function)
        found: dict[int, Any] = {}
        for users in users_of_polars(self.function_name(function), more, rows):
            found |= zip(users["place"], users[metric], strict=True)
        return found


def users_of_polars(function: str, more: Sequence[str], rows: pa.Table) -> Iterator[pl.DataFrame]:
    """The results of a function over all users who share k and options, whose columns are `more`."""
    frame = pl.DataFrame(rows)
    together: dict[str, list[int]] = defaultdict(list)
    for place, shared in enumerate(frame.select(more).rows() if more else [()] * frame.height):
        together[repr(shared)].append(place)
    for places in together.values():
        part = frame[places]
        text, k = None, None
        for name in more:
            if part.schema[name] == pl.String:
                text = part[name][0]
            else:
                k = part[name].to_list()[0]
        options = keywords(text)
        no_ks = "_at_" in function and k is None  # a list of k that is NULL
        call = getattr(rk, function)(
            "place", "item", "score", "rel", pl.lit(None, dtype=pl.List(pl.Int64)) if no_ks else k, **options
        )
        users = part.select(call.struct.unnest())
        yield users
        cuts = k if isinstance(k, list) else [k]
        # A repeated k counts once there, and no k is an error.
        if not no_ks and cuts and len({*cuts}) == len(cuts):
            # Rows without a relevance are ignored in truth, and rows without a score in rec.
            keys: dict[str, Any] = {"user": "place", "item": "item", "rel": "rel"}
            assert rk.evaluate_frames(part, part, k, **keys, **options).equals(users, null_equal=True)


class Polars(Engine):
    """The expressions for Polars. Many rows pass k as a column; one row passes k as a constant.

    Options are constants in Polars. So rows with the same options are evaluated together, one set of options
    after the other.
    """

    error = (ValueError, pl.exceptions.ComputeError)
    kinds = tuple(kind for kind in KINDS if kind != "map")

    def function_name(self, function: str) -> str:
        name: str = _FUNCTIONS[function].name
        return name if name.startswith("rank_metrics") else re.sub("_at(?=_|$)", "", name)

    def over(self, function: str, columns: Sequence[pa.Array]) -> list[Any]:
        texts: list[str | None] = [None] * len(columns[0])
        options: dict[str, Any] = {}
        if "measures" in _FUNCTIONS[function].arguments and pa.types.is_string(columns[-2].type):
            *columns, behind_measures = columns
            options = keywords(behind_measures[0].as_py())
        if pa.types.is_string(columns[-1].type):
            *columns, last = columns
            texts = last.to_pylist()
        frame = pl.DataFrame([pl.Series(f"c{index}", column) for index, column in enumerate(columns)])
        # Lists can be given by name, but k must be a number or an expression.
        arguments = [pl.col(name) for name in frame.columns]
        places = defaultdict(list)
        for place, text in enumerate(texts):
            places[text].append(place)
        values: dict[int, Any] = {}
        # Without rows there are no options, but a function that takes max_rel refuses to run without it.
        needed = "max_rel=4" if "max_rel" in _FUNCTIONS[function].options else None
        for text, group in (places or {needed: []}).items():
            part = frame[group] if len(places) > 1 else frame
            if "measures" in _FUNCTIONS[function].arguments:
                found = self._select(function, part, *arguments, text, **options)
            else:
                found = self._select(function, part, *arguments, **keywords(text))
            values |= zip(group, found, strict=True)
        return [values[place] for place in range(len(texts))]

    def one(self, function: str, kind: str, args: Sequence[Any], k: Any = None, **options: Any) -> Any:
        several = "ks" in _FUNCTIONS[function].arguments
        if several and (k is None or None in k):  # as a column, which can be NULL and can hold NULL
            return super().one(function, kind, args, k, **options)
        columns = lists(kind, [args])
        frame = pl.DataFrame([pl.Series(f"c{index}", column) for index, column in enumerate(columns)])
        cut = [k] if several or k is not None else []
        (value,) = self._select(function, frame, *frame.columns, *cut, **options)
        return value

    def _select(self, function: str, frame: pl.DataFrame, *arguments: Any, **options: Any) -> list[Any]:
        call = getattr(rk, self.function_name(function))
        return frame.select(call(*arguments, **options)).to_series().to_list()


#: The engines over lists beside DuckDB.
OTHERS: dict[str, type[Engine]] = {"core": Core, "polars": Polars}
#: The engines whose functions are aggregates.
GROUPING: dict[str, type[Grouped]] = {
    "agg": Aggregates,
    "rows": Rows,
    "by_user": Users,
    "by_user_of_polars": PolarsUsers,
}


def holding(engines: Mapping[str, Engine], kind: str) -> list[Engine]:
    """The engines that take lists of this kind."""
    return [engine for engine in engines.values() if engine.forms(kind)]


def agreed(
    engine: Engine, function: str, kind: str, args: Sequence[Any], k: Any = None, **options: Any
) -> Any:
    """The value of one call, checked to be the same in every kind in which the engine takes such lists."""
    forms = engine.forms(kind)
    value, *others = [engine.one(function, form, args, k, **options) for form in forms]
    assert all(other == value for other in others), (forms, value, others)
    return value


def by_reference(function: str, kind: str, row: Row) -> float | None:
    """The value of one call by the slow reference; ValueError if the call is wrong."""
    if kind in ("aligned", "scored"):
        name = function.removesuffix("_scored")
        return reference.evaluate_scored(name, *row.args, k=row.k, **row.options)
    if kind == "rels":
        return reference.evaluate_rels(function.removesuffix("_rels"), *row.args, k=row.k, **row.options)
    evaluate = {"lists": reference.graded_lists, "run": reference.evaluate_run}.get(kind, reference.evaluate)
    return evaluate(function, *row.args, k=row.k, **row.options)


# Arguments as Arrow arrays


def full(function: str, kind: str, rows: Sequence[Row]) -> list[pa.Array]:
    """A column for every argument that the function takes."""
    columns = lists(kind, [row.args for row in rows])
    for name, of in K_TYPES.items():
        if name in _FUNCTIONS[function].arguments:
            columns.append(pa.array([row.k for row in rows], of))
    return [*columns, pa.array([options_text(row.options) for row in rows], pa.string())]


def shortest(function: str, kind: str, row: Row) -> list[pa.Array]:
    """A column of one row for each argument. k and options are left out if there are none."""
    columns = lists(kind, [row.args])
    several = "ks" in _FUNCTIONS[function].arguments
    if several or row.k is not None:
        columns.append(pa.array([row.k], K_TYPES["ks" if several else "k"]))
    if row.options:
        columns.append(pa.array([options_text(row.options)], pa.string()))
    return columns


def lists(kind: str, rows: Sequence[Sequence[Any]]) -> list[pa.Array]:
    """The columns of the lists, without k and options. Their types follow from the kind and the items."""
    item = pa.int64()
    if kind in ("ids", "run", *GRADED):
        entries = (entry for row in rows for arg in row for entry in arg or ())
        item = _item_type(entry[0] if isinstance(entry, tuple) else entry for entry in entries)
    return arrays(kind, rows, item, item, pa.float64(), pa.float64())


def arrays(
    kind: str,
    rows: Sequence[Sequence[Any]],
    rec: pa.DataType,
    truth: pa.DataType,
    score: pa.DataType,
    rel: pa.DataType,
) -> list[pa.Array]:
    """The columns of lists whose elements have these types."""
    structs = {"item": rec, "score": score, "rel": rel}
    types = {
        "ids": [pa.list_(rec), pa.list_(truth)],
        "map": [pa.list_(rec), pa.map_(truth, rel)],
        "structs": [pa.list_(rec), pa.list_(pa.struct({"item": truth, "rel": rel}))],
        "lists": [pa.list_(pa.struct({"rel": rel, "item": pa.int64()})), pa.list_(rel)],
        "aligned": [pa.list_(score), pa.list_(rel)],
        "scored": [pa.list_(score), pa.list_(rel)],
        "rels": [pa.list_(rel)],
        "rows": [pa.list_(pa.struct(structs))],
        "run": [pa.map_(rec, score), pa.list_(truth)],
        "blocks": [pa.list_(pa.list_(rel))],
    }[kind]
    columns = [
        [list(arg.items()) if isinstance(arg, dict) else arg for arg in args]
        for args in zip(*rows, strict=True)
    ]
    if kind == "lists" and rows:
        columns[0] = [rec and [(rel, place) for place, rel in enumerate(rec)] for rec in columns[0]]
    return [
        pa.array(column, type_) for column, type_ in zip(columns or [[] for _ in types], types, strict=True)
    ]


def options_text(options: Mapping[str, Any]) -> str | None:
    """Options as the text that SQL takes; None if there are none."""

    def text(value: Any) -> str:
        if isinstance(value, list):
            return ":".join(map(str, value))
        return "unset" if value is None else str(value)

    return ", ".join(f"{name}={text(value)}" for name, value in options.items()) or None


def keywords(text: str | None) -> dict[str, Any]:
    """Options as the keyword arguments that the Polars functions take."""

    def value(name: str, word: str) -> Any:
        if name == "gain" and word[0].isdigit():
            return [float(gain) for gain in word.split(":")]
        if name == "min_rel":
            return None if word == "unset" else float(word)
        return word

    pairs = [pair.lower().split("=") for pair in text.split(",")] if text else []
    words = {name.strip(): word.strip() for name, word in pairs}
    return {name: value(name, word) for name, word in words.items()}


def _item_type(items: Iterable[Any]) -> pa.DataType:
    kinds = {type(item) for item in items if item is not None} or {int}
    (kind,) = kinds
    return _ITEMS[kind]


def _sql_type(arrow: pa.DataType) -> str:
    names = {pa.int64(): "BIGINT", pa.string(): "VARCHAR", pa.float64(): "DOUBLE"}
    if pa.types.is_list(arrow):
        return f"{_sql_type(arrow.value_type)}[]"
    if pa.types.is_map(arrow):
        return f"MAP({_sql_type(arrow.key_type)}, {_sql_type(arrow.item_type)})"
    if pa.types.is_struct(arrow):
        return f"STRUCT({', '.join(f'{each.name} {_sql_type(each.type)}' for each in arrow)})"
    return names[arrow]


def _parameter(column: pa.Array) -> Any:
    """The only value of a column, as DuckDB's Python client takes it."""
    (value,) = column.to_pylist()
    if value is not None and pa.types.is_map(column.type):
        return {"key": [key for key, _ in value], "value": [rel for _, rel in value]}
    if value is not None and column.type == pa.list_(pa.float64()):
        # Before 2.0, the client turns the number NaN into NULL, but not the text 'nan'.
        return [None if number is None else str(number) for number in value]
    return value
