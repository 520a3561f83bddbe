"""Random rankings as data: many rows of arguments for one function, with the types of their columns.

Items are numbers from 0 on. Number n stands for the n-th item of a family, in ascending order of the items,
so that the reference works on the same rows for all types. Everything follows from a `random.Random`.
"""

from __future__ import annotations

import datetime
import math
import random
from collections import Counter
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cache, partial
from typing import TYPE_CHECKING, Any

import pyarrow as pa

import rankdcg_sql
from support import reference
from support.engines import GRADED, K_TYPES, METRICS, Core, Row, arrays, by_reference, options_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

#: The functions that rankings are made for. A function of rows has the name of the function of lists.
FUNCTIONS = {
    function.name: function
    for function in rankdcg_sql.functions()
    if function.form in ("lists", "rels", "scored") and function.output != "explanation"
}
#: The metrics that are sums over items, with the names of their functions over lists.
EXPLAINED = {
    "ndcg": "ndcg", "precision": "precision_at", "recall": "recall_at", "f1": "f1_at", "mrr": "mrr",
    "average_precision": "average_precision", "cg": "cg", "dcg": "dcg", "r_precision": "r_precision",
    "rbp": "rbp", "err": "err", "sdcg": "sdcg", "relative_precision": "relative_precision",
    "rankdcg": "rankdcg",
}  # fmt: skip
NAMES = {name for function in rankdcg_sql.functions() for name in function.names}
OPTIONS = {option.name: option for option in rankdcg_sql.options()}

_INTEGERS = {f"int{bits}": (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) for bits in (8, 16, 32, 64)} | {
    f"uint{bits}": (0, 2**bits - 1) for bits in (8, 16, 32, 64)
}
_DECIMALS = {"decimal": pa.decimal128(9, 2), "wide decimal": pa.decimal128(38, 4)}
_POWERS = [2**31, 2**53 + 1, 2**63 - 1, 2**64 - 1]
_NUMBERS = [-(2**63), -(2**40), -128, *range(-1, 4), 7, 100, 127, 255, 65535, *_POWERS]
_TEXTS = ["", "A", "a", "a ", "a" * 12, "a" * 12 + "b", "a" * 13, "b" * 300, "ä", "日本語"]
#: For each family, the types of items that match each other, and the items in ascending order. A batch takes
#: those numbers that both of its types hold.
FAMILIES: dict[str, tuple[dict[str, pa.DataType], list[Any]]] = {
    "numbers": ({name: getattr(pa, name)() for name in _INTEGERS} | _DECIMALS, _NUMBERS),
    "texts": (
        {
            "string": pa.string(),
            "large_string": pa.large_string(),
            "enum": pa.dictionary(pa.int32(), pa.string()),
        },
        sorted(_TEXTS, key=str.encode),
    ),
    "floats": (
        {"float32": pa.float32(), "float64": pa.float64()},
        [-math.inf, -1.5, 0.0, 0.5, 1.0, 2.0, math.inf, math.nan],
    ),
    "blobs": ({"binary": pa.binary()}, [b"", b"\0", b"\0\0", b"a" * 12, b"a" * 13, b"\xff"]),
    "booleans": ({"bool": pa.bool_()}, [False, True]),
    "dates": ({"date": pa.date32()}, [datetime.date(1970 + year, 1, 1) for year in range(-5, 5)]),
    "timestamps": (
        {"timestamp": pa.timestamp("us")},
        [datetime.datetime(2000, 1, day, 1, 2, 3, 4) for day in range(1, 9)],
    ),
    "times": ({"time": pa.time64("us")}, [datetime.time(hour, 1, 2, 3) for hour in range(8)]),
    "structs": (
        {"struct": pa.struct({"a": pa.int32(), "b": pa.string(), "c": pa.bool_()})},
        [{"a": number, "b": "x" * number, "c": None} for number in range(8)],
    ),
    "lists": ({"list": pa.list_(pa.int16())}, [[], [0], [0, 0], [0, 1], [1], [1, None], [2]]),
}
#: Families of items by which ties can be broken.
_ORDERED = ("numbers", "texts", "floats")
#: Scores that equal 3, -0 and infinity if they are rounded to 32 bits.
_TIED_IN_32_BITS = [3.0 + 2**-30, 1e-300, -(2.0**-160), 1e39]
_SCORES: dict[str, tuple[pa.DataType, list[float]]] = {
    "float64": (
        pa.float64(),
        [3.0, 2.0, 1.0, 0.0, -0.0, -1.5, math.inf, -math.inf, 0.1, 0.3, *_TIED_IN_32_BITS],
    ),
    "float32": (pa.float32(), [3.0, 2.0, 1.0, 0.0, -1.5, math.inf, -math.inf, 0.125]),
    "int8": (pa.int8(), [3, 2, 1, 0, -1, -128]),
    "int64": (pa.int64(), [3, 2, 1, 0, -1, 2**40]),
    "uint64": (pa.uint64(), [3, 2, 1, 0, 2**40]),
    "decimal": (pa.decimal128(18, 3), [3, 2, 1.5, 0.125, -2]),
}
_RELS: dict[str, pa.DataType] = {
    "float64": pa.float64(),
    "float32": pa.float32(),
    "int32": pa.int32(),
    "uint8": pa.uint8(),
    "decimal": pa.decimal128(6, 2),
    "bool": pa.bool_(),
}
#: Sets of relevances for a ranking. If all judgements are 1, the core takes another path.
_GRADES: list[list[float | None]] = [
    [1.0],
    [1.0, None],
    [0.0, 1.0],
    [0.0, 1.0, 2.0, 3.0, None],
    [0.0],
    [float(grade) for grade in range(8)],
    [None],
]
_FRACTIONS: list[list[float | None]] = [[0.5, 1.0, 2.5, 4.25, -0.0, 10.0, None], [0.25, None]]
_SIGNED: list[list[float | None]] = [[-2.0, -0.5, 0.0, 1.0, None]]
_WRONG: list[list[float | None]] = [[math.nan, 1.0], [math.inf, 1.0, 0.0], [2000.0, 1.0], [-1.0, 1.0]]
#: Values of options that are no names.
_OTHER_VALUES: dict[str, list[Any]] = {
    "gain": [[0.0, 1.0, 3.0, 7.0], [0.0, 2.5, 1.0], [1.0] * 11],
    "worth": [[2.0, -0.5, -1.0], [0.0, 1.0, 0.25]],
    **{name: [*number.drawn] for name, number in reference.NUMBERS.items()},
}
#: How many orders of tied items the reference has to try at most.
_ORDERS = 150


@dataclass(frozen=True)
class Types:
    """The types of the columns of a batch, by name."""

    #: The family of the items. Items of one family can be equal.
    family: str = "numbers"
    #: The type of retrieved items.
    rec: str = "int64"
    #: The type of judged items.
    truth: str = "int64"
    score: str = "float64"
    rel: str = "float64"


@dataclass(frozen=True)
class Batch:
    """Rows of arguments for one function in one form."""

    function: str
    kind: str
    types: Types
    #: The rankings, a call for each.
    rows: list[Row] = field(repr=False)


def kinds(name: str) -> tuple[str, ...]:
    """The forms of arguments that a function takes, including the form of its aggregate."""
    function = FUNCTIONS[name]
    if function.form == "rels":
        return ("rels",)
    if function.form == "scored":
        return ("scored",)
    if name == "rankdcg":
        return ("aligned", "lists", *GRADED, "rows")
    return ("ids", "lists", *GRADED, "rows")


@cache
def pool(types: Types) -> list[Any]:
    """The items of a family that both types hold."""
    of, items = FAMILIES[types.family]
    if types.family != "numbers":
        return items

    def fits(item: int, name: str) -> bool:
        if name in _INTEGERS:
            least, most = _INTEGERS[name]
            return least <= item <= most
        return abs(item) < 10 ** (of[name].precision - of[name].scale)

    return [item for item in items if fits(item, types.rec) and fits(item, types.truth)]


def is_ordered(types: Types) -> bool:
    """Whether ties can be broken by such items: texts, floating point, and integers that fit int64."""
    return types.family in _ORDERED and types.rec not in (*_DECIMALS, "uint64")


# Drawing


def draw(
    chance: random.Random, function: str | None = None, kind: str | None = None, types: Types | None = None
) -> Batch:
    """A batch. Its rows differ in lists, k and options."""
    name = function or chance.choice(list(FUNCTIONS))
    form = kind or chance.choice(kinds(name))
    types = types or _types(chance, form)
    texts = [options(chance, name, form) for _ in range(chance.choice([1, 3, 6]))]
    count = chance.choice([1, 2, 60, 300, 300, 300])
    rows = [_row(chance, name, form, types, chance.choice(texts)) for _ in range(count)]
    if chance.random() < 0.03:  # about as many rows as a DuckDB vector has
        rows = chance.choices(rows, k=chance.choice([2047, 2048, 2049]))
    return Batch(name, form, types, rows)


def _types(chance: random.Random, form: str) -> Types:
    if form in ("lists", "rels"):
        return Types()
    family = chance.choice([*["numbers", "texts"] * 4, *FAMILIES])
    if form in GRADED and family in ("structs", "lists", "floats"):
        family = "texts"  # an item that is a struct can be taken for a judgement
    of = list(FAMILIES[family][0])
    rels = [name for name in _RELS if form not in GRADED or name != "bool"]
    return Types(
        family, chance.choice(of), chance.choice(of), chance.choice(list(_SCORES)), chance.choice(rels)
    )


def options(chance: random.Random, name: str, form: str) -> dict[str, Any]:
    """Options of a function, most of them without contradictions."""
    known = set(FUNCTIONS[name].options)
    if form == "rows":
        known = (known - {"duplicates"}) | {"ties"}
    drawn: dict[str, Any] = {}
    for option in sorted(known):
        if chance.random() < (0.6 if option == "ties" else 0.3) or option == "max_rel":
            names = [None if value == "unset" else value for value in OPTIONS[option].values]
            drawn[option] = chance.choice([*names, *_OTHER_VALUES.get(option, [])])
    if chance.random() < 0.95:
        if drawn.get("min_rel") is not None and "gain" in known and FUNCTIONS[name].output == "value":
            drawn["gain"] = "binary"
        if drawn.get("max_rel", 0) is None:
            drawn["max_rel"] = 10.0
        if drawn.get("no_relevant") == "error":
            del drawn["no_relevant"]
    if form != "rows" and "ties" in known and chance.random() < 0.9 and reference.is_by_item(name, drawn):
        drawn["ties"] = "average"
    if form == "rows" and reference.is_by_order(name, drawn):
        drawn["ties"] = chance.choice(["average", "pessimistic", "optimistic"])
    items = list(drawn.items())
    chance.shuffle(items)
    return dict(items)


def _size(chance: random.Random) -> int:
    return chance.choice(
        [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 9, 6, 31, 32, 33, 64, 65, 150] if chance.random() < 0.15 else range(9)
    )


def _row(chance: random.Random, name: str, form: str, types: Types, settings: dict[str, Any]) -> Row:
    function = FUNCTIONS[name]
    known = list(_rel_values(chance, name, types))
    k: Any = None
    if "k" in function.arguments:
        k = chance.choice([None, None, 1, 2, 3, 4, 5, 10, 500])
        if chance.random() < 0.01:
            k = chance.choice([0, -1])
    elif "ks" in function.arguments:
        k = [chance.choice([None, 1, 2, 3, 5, 10]) for _ in range(chance.choice([0, 1, 2, 3]))]
        k = k if chance.random() < 0.95 else None
    args = _args(chance, form, types, known, settings)
    return Row(args, k, settings)


def _rel_values(chance: random.Random, name: str, types: Types) -> list[float | None]:
    choices = _GRADES if types.rel != "bool" else _GRADES[:3]
    if types.rel in ("float64", "float32", "decimal"):
        choices = choices + _FRACTIONS
        if name in ("rankdcg", "kendall_tau"):
            choices = choices + _SIGNED
        if types.rel == "float64":  # numbers whose sums round
            choices = [*choices, [chance.random() * 3 for _ in range(4)]]
    several = "ks" in FUNCTIONS[name].arguments  # without any k, nothing of a list is read
    if types.rel == "float64" and chance.random() < 0.02 and not several:
        choices = _WRONG
    return chance.choice(choices)


def _args(
    chance: random.Random, form: str, types: Types, rels: list[float | None], settings: dict[str, Any]
) -> tuple[Any, ...]:
    items = range(len(pool(types)))

    def maybe(value: Any) -> Any:
        return value if chance.random() < 0.97 else None

    def ranked(size: int) -> list[int | None]:
        if chance.random() < 0.6 and size <= len(items):
            return list(chance.sample(items, size))
        return [maybe(chance.choice(items)) for _ in range(size)]

    def judged() -> list[tuple[int, float | None]]:
        size = chance.randrange(len(items) + 1)
        return [(item, chance.choice(rels)) for item in chance.sample(items, size)]

    if form == "ids":
        return maybe(ranked(_size(chance))), maybe(ranked(_size(chance)))
    if form == "map":
        return maybe(ranked(_size(chance))), maybe(dict(judged()))
    if form == "structs":
        entries: list[Any] = judged()
        if entries and chance.random() < 0.2:
            entries += [entries[0], None, (None, 1.0)]
        return maybe(ranked(_size(chance))), maybe(entries or [])
    if form == "lists":
        truth = [chance.choice(rels) for _ in range(_size(chance))]
        rec = [*truth, None, 0.0]
        chance.shuffle(rec)
        rec = rec[: chance.randrange(len(rec) + 1)]
        if chance.random() < 0.02:
            rec.append(chance.choice(rels))
        return maybe(rec), maybe(truth)
    if form == "rels":
        return (maybe([chance.choice(rels) for _ in range(_size(chance))]),)
    if form in ("scored", "aligned"):
        scores, values = _scored(chance, types, rels, settings)
        if chance.random() < 0.03:
            return chance.choice([None, [], [None] * len(values), [*scores, 1.0]]), values
        return scores, maybe(values)
    assert form == "rows"
    scores, values = _scored(chance, types, rels, settings)
    names: list[int | None] = [*chance.sample(items, min(len(items), len(scores)))]
    triples: list[tuple[int | None, float | None, float | None]] = []
    for item, score, rel in zip(names, scores, values, strict=False):
        if chance.random() < 0.3:
            triples.append((item, score, rel))
        else:
            triples += [(item, score, None), (item, None, rel)]
        if chance.random() < 0.1:
            triples += [(item, None, rel)] * 2
    if chance.random() < 0.1:
        triples.append((None, chance.choice(_SCORES[types.score][1]), None))
    if chance.random() < 0.05:
        triples.append((None, None, 1.0))
    chance.shuffle(triples)
    return (triples,)


def _scored(
    chance: random.Random, types: Types, rels: list[float | None], settings: dict[str, Any]
) -> tuple[list[float | None], list[float | None]]:
    """Scores and relevances, with no more orders than the reference can try."""
    levels: list[float | None] = chance.sample(_SCORES[types.score][1], chance.choice([1, 2, 3, 5]))
    if chance.random() < 0.5:
        levels.append(None)
    size = _size(chance)
    while True:
        scores = [chance.choice(levels) for _ in range(size)]
        values = [chance.choice(rels) for _ in range(size)]
        if size < 3 or orders(scores, values) <= _ORDERS:
            return scores, values
        size = size * 2 // 3


def orders(scores: Sequence[float | None], rels: Sequence[float | None]) -> int:
    """How many distinct orders the tied items have, in all."""
    blocks: dict[float, Counter[float | None]] = {}
    for score, rel in zip(scores, rels, strict=True):
        if score is not None:
            blocks.setdefault(score + 0.0, Counter())[rel if rel is None else rel + 0.0] += 1
    count = 1
    for block in blocks.values():
        count *= math.factorial(block.total())
        for same in block.values():
            count //= math.factorial(same)
    return count


def valid_rows(kind: str, names: Iterable[str]) -> list[tuple[str, list[Row]]]:
    """Several times for each function that takes lists of this kind, rows that are no error for the core.

    None has a list of gains, by which irrelevant items may gain.
    """
    known = [name for name in names if kind in kinds(name)]
    return [
        (name, rows) for drawing in range(3) for name in known for rows in [_valid_rows(kind, name, drawing)]
    ]


@cache  # many rules are about the same rows
def _valid_rows(kind: str, name: str, drawing: int) -> list[Row]:
    chance, found = random.Random(f"{kind} {name} {drawing}"), []
    while not found:
        drawn = draw(chance, name, kind, Types()).rows[:60]
        found = _valid(name, kind, [row for row in drawn if not isinstance(row.options.get("gain"), list)])
    return found


def _valid(name: str, kind: str, rows: list[Row]) -> list[Row]:
    """The rows that are no error for the core, which computes all together, or parts after an error."""
    try:
        Core().many(name, kind, rows)
    except ValueError:
        half = len(rows) // 2
        return [row for part in (rows[:half], rows[half:]) if half for row in _valid(name, kind, part)]
    return rows


# By the reference


def expected(batch: Batch, row: Row) -> Any:
    """The result by the reference; ValueError if the row is wrong."""
    function = FUNCTIONS[batch.function]
    if function.output == "value":
        return _alone(batch.function, batch.kind, row)
    several = function.output == "metrics_at"
    if several and row.k is None:
        _checked(function, row)
        return None
    structs = [_together(batch, Row(row.args, k, row.options)) for k in (row.k if several else [row.k])]
    if not structs:  # without any k there are no values, but lists may still be wrong
        _together(batch, Row(row.args, None, {**row.options, "no_relevant": "zero"}))
    known = _is_judged(batch.kind, row)
    if not known:
        return None
    return structs if several else structs[0]


def _checked(function: rankdcg_sql.Function, row: Row) -> None:
    """Raise ValueError if options are wrong for all lists."""
    for metric in METRICS:
        name, own = of_metric(metric, function, row)
        reference._settings(
            name, None, _without_ties(own.options) if "ties" not in function.options else own.options
        )


def of_metric(metric: str, function: rankdcg_sql.Function, row: Row) -> tuple[str, Row]:
    """The function for one of several metrics, and the row with the options that it takes."""
    suffix = "_scored" if function.form == "scored" else ""
    (name,) = (each.name for each in FUNCTIONS.values() if f"{metric}{suffix}" in each.names)
    known = {*reference.OPTIONS[name], "ties"} if function.form != "scored" else {*reference.OPTIONS[name]}
    settings = {option: value for option, value in row.options.items() if option in known}
    if reference.with_convention(settings).get("gain", "exp2") != "binary" and "gain" in known:
        settings.pop("min_rel", None)  # every relevance counts
    return name, Row(row.args, row.k, settings)


def _together(batch: Batch, row: Row) -> dict[str, Any]:
    values: dict[str, Any] = {"k": row.k}
    for metric in METRICS:
        name, own = of_metric(metric, FUNCTIONS[batch.function], row)
        values[metric] = _alone(name, batch.kind, own)
    return values


def _is_judged(kind: str, row: Row) -> bool:
    if kind == "rows":
        return any(rel is not None for _, _, rel in row.args[0])
    if kind == "scored":
        return any(rel is not None for rel in row.args[1] or [])
    return row.args[1] is not None


def _alone(name: str, kind: str, row: Row) -> float | None:
    if kind != "rows":
        return by_reference(name, kind, row)
    best: dict[int, float] = {}
    unnamed: list[float] = []
    judged: dict[int, float] = {}
    for item, score, rel in row.args[0]:
        if item is None and score is not None:
            unnamed.append(score)
        elif score is not None:
            best[item] = max(best.get(item, -math.inf), score)
        if item is not None and rel is not None and judged.setdefault(item, rel) != rel:
            raise ValueError(f"item {item} is judged twice")
    settings = dict(row.options)
    if not judged and _is_judged(kind, row):  # the only judgements are those of NULL items
        return reference.evaluate(name, [*best, *[None] * len(unnamed)], {}, row.k, **_without_ties(settings))
    if reference.is_by_item(name, settings):
        backwards = settings.pop("ties", "item_desc") == "item_desc"
        named: list[int | None] = [*sorted(best, reverse=backwards), *[None] * len(unnamed)]
        precision = reference.score_type(settings)
        scores = [reference.compared(best[item], precision) for item in named if item is not None]
        scores += [reference.compared(score, precision) for score in unnamed]
        ranked = sorted(range(len(named)), key=lambda place: -scores[place])
        if name == "average_precision":  # ap_steps=threshold needs the scores, also if items break ties
            missed = [item for item in judged if item not in best]
            levels = [*(scores[place] for place in ranked), *[None] * len(missed)]
            found = [judged.get(item) for item in (*(named[place] for place in ranked), *missed)]
            settings["ties"] = "input_order"
            return reference.evaluate_scored(name, levels, found, row.k, aligned=False, **settings)
        return reference.evaluate(name, [named[place] for place in ranked], judged or None, row.k, **settings)
    items = sorted(best.keys() | judged.keys())
    scored: list[float | None] = [*(best.get(item) for item in items), *unnamed]
    rels: list[float | None] = [*(judged.get(item) for item in items), *[None] * len(unnamed)]
    return reference.evaluate_scored(name, scored, rels, row.k, aligned=False, **settings)


def _without_ties(settings: dict[str, Any]) -> dict[str, Any]:
    return {option: value for option, value in settings.items() if option != "ties"}


# As Arrow arrays


def columns(batch: Batch) -> list[pa.Array]:
    """A column for every argument that the function takes. For rows of groups, a list for each group."""
    types, items = batch.types, pool(batch.types)
    of = FAMILIES[types.family][0]

    def item(name: str, place: int | None) -> Any:
        found = None if place is None else items[place]
        return Decimal(found) if found is not None and name in _DECIMALS else found

    def number(type_: pa.DataType, value: float | None) -> Any:
        if value is None or pa.types.is_floating(type_):
            return value
        if pa.types.is_decimal(type_):
            return Decimal(str(value))
        return bool(value) if pa.types.is_boolean(type_) else int(value)

    def each(convert: Callable[[Any], Any]) -> Callable[[Any], list[Any]]:
        return lambda values: [convert(value) for value in values]

    def judged(pairs: Iterable[Any]) -> list[Any]:
        return [pair and (truth(pair[0]), rel(pair[1])) for pair in pairs]

    rec, truth = partial(item, types.rec), partial(item, types.truth)
    score_type, rel_type = _SCORES[types.score][0], _RELS[types.rel]
    score, rel = partial(number, score_type), partial(number, rel_type)
    converters: Sequence[Callable[[Any], list[Any]]] = {
        "ids": (each(rec), each(truth)),
        "map": (each(rec), lambda judgements: judged(judgements.items())),
        "structs": (each(rec), judged),
        "lists": (each(rel), each(rel)),
        "rels": (each(rel),),
        "scored": (each(score), each(rel)),
        "aligned": (each(score), each(rel)),
        "rows": (each(lambda row: (rec(row[0]), score(row[1]), rel(row[2]))),),
    }[batch.kind]
    rows = [
        [arg and convert(arg) for convert, arg in zip(converters, row.args, strict=True)]
        for row in batch.rows
    ]
    found = arrays(batch.kind, rows, of[types.rec], of[types.truth], score_type, rel_type)
    for name, type_ in K_TYPES.items():
        if name in FUNCTIONS[batch.function].arguments:
            found.append(pa.array([row.k for row in batch.rows], type_))
    return [*found, pa.array([options_text(row.options) for row in batch.rows], pa.string())]
