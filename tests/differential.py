"""Random rankings on every engine and way in, against the reference and each other.

`python tests/differential.py --seconds 600 --seed 1` draws batches of rankings, each from a seed of its own.
It compares the values of the core with the reference, and the values of every other engine with the core, bit
by bit. It also compares the sentences of errors. A case is one ranking, with its options, on one engine. A
difference is reduced to few rows and printed with its seed; `--batch SEED` draws the batch again. Aggregates
also run on the same rows in other orders, parts and threads; such a difference is not reduced, and
`--orders SEED` draws its rows again.
"""

from __future__ import annotations

import argparse
import math
import random
import re
import sys
import time
from collections import Counter, defaultdict
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import conftest  # before all that imports the package
import duckdb
import polars as pl
import pyarrow as pa
import pyarrow.compute as pc
from support import rankings, reference
from support.engines import GROUPING, OTHERS, Aggregates, Engine, Row, Rows, Sql, keywords, users_of_polars
from support.forms import inputs
from support.rankings import FUNCTIONS, Batch, columns

import rankdcg_sql
from rankdcg_sql import _native
from rankdcg_sql import polars as rk

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

#: The aggregates but those of measures, which tests/duckdb/test_rank_measures.py draws.
AGGREGATES = [each for each in rankdcg_sql.functions() if each.is_aggregate and each.output != "measures"]
#: Layouts of vectors that DuckDB's setting debug_verify_vector produces.
LAYOUTS = ("dictionary_expression", "constant_operator", "nested_shuffle")
ERRORS = (ValueError, duckdb.Error, pl.exceptions.PolarsError)


# Engines that only this program has


class ListedRows(Rows):
    """The aggregates over recommendations and judgements, for lists of (item, score, relevance)."""

    kinds = ("rows",)

    def supports(self, function: str, kind: str, row: Row) -> bool:
        return f"{FUNCTIONS[function].name}_rows" in rankings.NAMES and bool(row.args[0])

    def exploded(self, columns: Sequence[pa.Array]) -> str:
        rows = "SELECT * EXCLUDE (c0, c1), unnest(c0) AS row FROM lists"
        return f"SELECT * EXCLUDE (row), row.item, row.score, row.rel FROM ({rows})"

    def over(self, function: str, columns: Sequence[pa.Array]) -> list[Any]:
        lists, *more = columns  # one column of lists; other kinds have two
        return super().over(function, [lists, pa.nulls(len(lists)), *more])


class ListedUsers(ListedRows):
    """The same lists by user: one call over all users who share k and options."""

    def supports(self, function: str, kind: str, row: Row) -> bool:
        together = FUNCTIONS[function].output != "value"
        return together and bool(row.args[0])

    def function_name(self, function: str) -> str:
        return f"{function}_by_user"

    def grouped(self, function: str, more: Sequence[str]) -> str:
        call = f"{self.function_name(function)}({', '.join(['place', *self.inputs, *more])})"
        return f"SELECT unnest({call}) FROM rows GROUP BY {', '.join(more)}"

    def values(self, function: str, more: Sequence[str], rows: pa.Table) -> dict[int, Any]:
        several = FUNCTIONS[function].output == "metrics_at"
        found: dict[int, Any] = {place: [] for place in rows["place"].to_pylist() if several}
        for place, struct in self.users(function, more, rows):
            if several:
                found[place].append(struct)
            else:
                found[place] = struct
        return found

    def users(self, function: str, more: Sequence[str], rows: pa.Table) -> Iterator[tuple[int, Any]]:
        """The place of each user, and the values at one k."""
        self.con.register("rows", rows)
        for (struct,) in self.con.execute(self.grouped(function, more)).fetchall():
            yield struct.pop("userid"), struct


class PolarsListedUsers(ListedUsers):
    """Polars' functions over all users who share k and options."""

    def users(self, function: str, more: Sequence[str], rows: pa.Table) -> Iterator[tuple[int, Any]]:
        for users in users_of_polars(self.function_name(function), more, rows):
            yield from ((struct.pop("place"), struct) for struct in users.to_dicts())


class PolarsAggregates(Aggregates):
    """Polars' functions over groups. Options are constants in Polars."""

    def function_name(self, function: str) -> str:
        name = super().function_name(function)
        return name if name.startswith("rank_metrics") else name.replace("_at_", "_")

    def values(self, function: str, more: Sequence[str], rows: pa.Table) -> dict[int, Any]:
        frame = pl.from_arrow(rows)
        assert isinstance(frame, pl.DataFrame)
        call = getattr(rk, self.function_name(function))
        *cut, options = more
        found: dict[int, Any] = {}
        for (text,), part in frame.group_by(options):
            value = call("score", "rel", *map(pl.col, cut), **keywords(text)).alias("value")
            groups = part.group_by("place", maintain_order=True).agg(value)
            found |= zip(groups["place"].to_list(), groups["value"].to_list(), strict=True)
        return found


def _of_core(name: str, rows: pa.Table, arguments: Sequence[str]) -> dict[int, Any]:
    """The values of the C function for lists of rows, on which the macros are built."""
    rows = rows.take(pc.sort_indices(rows, [("place", "ascending")])).combine_chunks()
    counts = pc.value_counts(rows["place"])
    ends = [0, *pc.cumulative_sum(counts.field("counts")).to_pylist()]
    fields = [rows[name].chunk(0) if len(rows) else pa.array([], rows[name].type) for name in arguments]
    structs = pa.StructArray.from_arrays(fields, list(arguments))
    lists = pa.ListArray.from_arrays(pa.array(ends, pa.int32()), structs)
    values = _native.call_lists(name, lists).to_pylist()
    return dict(zip(counts.field("values").to_pylist(), values, strict=True))


class CoreAggregates(Aggregates):
    """The core, for scores and relevances."""

    def values(self, function: str, more: Sequence[str], rows: pa.Table) -> dict[int, Any]:
        return _of_core(self.function_name(function), rows, [*self.inputs, *more])


class CoreRows(ListedRows):
    """The core, for recommendations and judgements."""

    def values(self, function: str, more: Sequence[str], rows: pa.Table) -> dict[int, Any]:
        return _of_core(self.function_name(function), rows, [*self.inputs, *more])


class Sliced(Engine):
    """An engine whose columns are slices of longer columns, with lists as Arrow's large lists."""

    def __init__(self, inner: Engine) -> None:
        self.inner, self.error, self.kinds = inner, inner.error, inner.kinds

    def over(self, function: str, columns: Sequence[pa.Array]) -> list[Any]:
        def changed(column: pa.Array) -> pa.Array:
            doubled = pa.concat_arrays([column[-1:], column, column[:1]])[1:-1]
            if pa.types.is_list(column.type):
                return doubled.cast(pa.large_list(column.type.value_type))
            return doubled

        return self.inner.over(function, [changed(column) for column in columns])


def ways() -> dict[str, Engine]:
    """Every engine and way in, by name. The core comes first, because the others are compared with it."""
    found: dict[str, Engine] = {name: make() for name, make in OTHERS.items()}
    found["core, sliced"] = Sliced(found["core"])
    found |= {way: Sql(conftest._connection(way)) for way in conftest.WAYS}
    of = GROUPING | {"rows": ListedRows, "by_user": ListedUsers}
    of |= {"by_user_of_polars": PolarsListedUsers}
    for name in conftest.GROUPED:
        form, way = name.split(" ")
        found[name] = of[form](conftest._grouping_connection(way))
    for layout in LAYOUTS:
        con = duckdb.connect()
        if rankdcg_sql.register(con).route == "static":
            con.execute(f"SET debug_verify_vector = '{layout}'")
            found[f"static, {layout}"] = Sql(con)
    con = conftest._grouping_connection(conftest.WAYS[0])
    found |= {
        "agg polars": PolarsAggregates(con),
        "agg core": CoreAggregates(con),
        "rows core": CoreRows(con),
    }
    return found


# Comparing


@dataclass
class Difference:
    """Two answers that should be equal."""

    #: The engine or way in that gives the other answer.
    way: str
    batch: Batch
    #: How the answers differ, in words.
    reason: str

    def __str__(self) -> str:
        rows = "".join(f"\n    {row}" for row in self.batch.rows[:5])
        return f"on {self.way}: {self.batch}\n  {self.reason}{rows}\n  {len(self.batch.rows)} rows in all"

    @property
    def group(self) -> tuple[str, ...]:
        """A key that differences with the same cause are likely to share."""
        return self.batch.function, self.batch.kind, self.reason.split(" ")[0]


@dataclass
class Outcomes:
    """The comparisons so far, and their differences."""

    #: How many cases were compared, by class.
    counts: Counter[tuple[str, ...]] = field(default_factory=Counter)
    #: The first difference of each group, and the seed that shows it.
    differences: dict[tuple[str, ...], tuple[int, Any]] = field(default_factory=dict)
    #: How many differences each group has.
    differing: Counter[tuple[str, ...]] = field(default_factory=Counter)


class Programme(Outcomes):
    """Random rankings on engines, given by name."""

    def __init__(self, engines: dict[str, Engine]) -> None:
        super().__init__()
        self.engines = engines

    def run(self, seed: int, function: str | None = None, kind: str | None = None) -> None:
        """Draw a batch, and compare it on all engines that take its kind."""
        batch = rankings.draw(random.Random(seed), function, kind)
        for difference in self.compare(batch):
            self.differing[(*difference.group, difference.way)] += 1
            if difference.group not in self.differences:
                self.differences[difference.group] = seed, reduced(self, difference)

    def compare(self, batch: Batch, only: str = "") -> Iterator[Difference]:
        """The first difference of each engine, or of one alone, from the reference and the first engine."""
        engines = {way: engine for way, engine in self.engines.items() if batch.kind in engine.kinds}
        if only:
            engines = {way: engines[way] for way in (next(iter(engines)), only)}
        right: list[Row] = []
        wrong: list[Row] = []
        expected: list[Any] = []
        known: dict[int, Any] = {}  # a batch may hold the same row several times
        for row in batch.rows:
            try:
                if id(row) not in known:
                    known[id(row)] = rankings.expected(batch, row)
                expected.append(known[id(row)])
                right.append(row)
            except ValueError:
                wrong.append(row)
        first, values_of_first = "", dict[int, Any]()
        for way, engine in engines.items():
            places = [place for place, row in enumerate(right) if supports(engine, batch, row)]
            taken = replace(batch, rows=[right[place] for place in places])
            try:
                values = engine.over(taken.function, columns(taken)) if places else []
            except ERRORS as error:
                values = []
                if _UPSTREAM not in str(error):
                    yield Difference(way, taken, f"{type(error).__name__}: {error}")
            read = _of_user if isinstance(engine, ListedUsers) else lambda value: value
            found = dict(zip(places, values, strict=bool(values)))
            for place, value in found.items():
                if not near(read(value), read(expected[place])):
                    other = f"the reference says {expected[place]}"
                elif place in values_of_first and read(value) != read(values_of_first[place]):
                    other = f"{first} says {values_of_first[place]}"
                else:
                    continue
                yield Difference(way, taken, f"row {right[place]}: {value}, {other}")
                break
            if not values_of_first:
                first, values_of_first = way, found
            self._count(batch, way, taken.rows, "value")
        yield from self._errors(batch, wrong, engines)

    def _errors(self, batch: Batch, wrong: list[Row], engines: dict[str, Engine]) -> Iterator[Difference]:
        """Compare the sentences of errors of rows that the reference refuses."""
        for row in wrong[:2]:
            one = replace(batch, rows=[row])
            first: str | None = None
            for way, engine in engines.items():
                if not supports(engine, batch, row):
                    continue
                self._count(batch, way, [row], "error")
                try:
                    value = engine.over(batch.function, columns(one))
                except ERRORS as error:
                    sentence = _sentence(engine, batch.function, error)
                    if first is None and _UPSTREAM not in str(error):
                        first = sentence
                    said = engine.expected_message(first or sentence)
                    if _UPSTREAM not in str(error) and _kind_of(said) != _kind_of(sentence):
                        yield Difference(way, one, f"says {sentence!r}, another {said!r}")
                else:
                    yield Difference(way, one, f"{value}, the reference refuses it")

    def _count(self, batch: Batch, way: str, rows: Sequence[Row], outcome: str) -> None:
        for row in rows:
            self.counts[batch.kind, way, str(reference._ties(batch.function, row.options)), outcome] += 1


#: DuckDB cannot read some Arrow arrays, and this is its error.
_UPSTREAM = "only empty lists over a dictionary-encoded child"


def supports(engine: Engine, batch: Batch, row: Row) -> bool:
    if reference.is_by_item(batch.function, row.options) and not rankings.is_ordered(batch.types):
        return False
    return engine.supports(batch.function, batch.kind, row)


def near(value: Any, expected: Any) -> bool:
    match value, expected:
        case (dict(), dict()):
            return value.keys() == expected.keys() and all(
                near(value[name], expected[name]) for name in value
            )
        case (list(), list()):
            return len(value) == len(expected) and all(map(near, value, expected))
        case (float() | int(), float() | int()):
            return math.isclose(value, expected, rel_tol=1e-9, abs_tol=1e-12)
    return value is None and expected is None


def _of_user(value: Any) -> Any:
    """The value of a user, or None if there is no metric in it.

    A user without a judgement has NULL for every metric, and a user without any k has no row.
    """
    structs = value if isinstance(value, list) else [value]
    known = any(
        any(number is not None for name, number in each.items() if name != "k")
        for each in structs
        if each is not None
    )
    return value if known else None


def _sentence(engine: Engine, function: str, error: Exception) -> str:
    """The sentence of an error, without the function's name and without the texts that engines add."""
    text = str(error).split("\n\nAt:\n")[0].split("\n\nThis error occurred")[0].split("\n\nResolved plan")[0]
    name = f"{engine.function_name(function)}: "
    _, _, sentence = text.partition(name)
    return sentence or text


def _kind_of(sentence: str) -> str:
    """A sentence without the value that it names. Engines may name different ones if several are wrong."""
    return re.sub("got .*", "got", sentence)


# Orders and threads


class Orders(Outcomes):
    """The same rows in other orders, in other parts, on more threads. No bit of a value may change."""

    def __init__(self, con: duckdb.DuckDBPyConnection) -> None:
        super().__init__()
        self.con = con

    def run(self, seed: int, name: str | None = None) -> None:
        chance = random.Random(seed)
        function = (
            next(each for each in rankdcg_sql.functions() if each.name == name)
            if name
            else chance.choice(AGGREGATES)
        )
        rows, more = self._rows(chance, function)
        arguments = [*(name for name in inputs(function) if name != "userid"), *more]
        by_user = function.form == "by_user"
        call = f'"{function.name}"({", ".join((["g"] if by_user else []) + arguments)})'
        whole = f"SELECT {call} FROM {{}}" if by_user else f"SELECT g, {call} FROM {{}} GROUP BY g"
        self.con.register("incoming", rows)
        self.con.execute("SET threads = 1")
        orders = {"plain": "i", "shuffled": f"hash(i + {chance.randrange(10**6)})"}
        for table, order in orders.items():
            self.con.execute(f"CREATE OR REPLACE TEMP TABLE {table} AS FROM incoming ORDER BY {order}")
        expected = self._values(whole.format("plain"), by_user)
        variants = {
            "shuffled": whole.format("shuffled"),
            "backwards": whole.format("(FROM plain ORDER BY i DESC)"),
            "group by group": whole.format("(FROM shuffled ORDER BY g)"),
            "in two parts": whole.format(
                "(FROM plain WHERE i % 2 = 0 UNION ALL FROM shuffled WHERE i % 2 = 1)"
            ),
        }
        if not by_user:
            variants |= {
                "in a window": f"SELECT DISTINCT ON (g) g, {call} OVER (PARTITION BY g) FROM shuffled",
                "filtered": f"SELECT g, {call} FILTER (g >= 0) FROM shuffled GROUP BY g",
                "one by one": f"SELECT g, {call} FROM shuffled WHERE g < 3 GROUP BY g",
                "sorted": f"SELECT g, {call[:-1]} ORDER BY hash(i)) FROM plain GROUP BY g",
            }
        for variant, query in variants.items():
            for threads in (1, 2):
                self.con.execute(f"SET threads = {threads}")
                self.con.execute(
                    "PRAGMA verify_parallelism" if threads == 2 else "PRAGMA disable_verify_parallelism"
                )
                found = self._values(query, by_user)
                self.counts[function.form, variant, f"{threads} threads"] += len(found)
                said = _said(found, expected, variant == "one by one")
                if said is None:
                    continue
                group = (function.name, "error" if "Exception" in said else "bits")
                if group not in self.differences:
                    self.differences[group] = seed, f"{said}\n  {query}"
                self.differing[(*group, f"{variant}, {threads} threads")] += 1
        self.con.execute("SET threads = 1")
        self.con.execute("PRAGMA disable_verify_parallelism")

    def _values(self, query: str, by_user: bool) -> dict[Any, str]:
        """The value of each group as a text, which shows every bit and makes NaN equal to NaN."""
        try:
            return self._texts(query, by_user)
        except duckdb.Error as error:
            return {0: f"{type(error).__name__}: {error}"}

    def _texts(self, query: str, by_user: bool) -> dict[Any, str]:
        if by_user:
            ((users,),) = self.con.execute(query).fetchall()
            found: dict[Any, str] = defaultdict(str)
            for struct in users or []:
                found[struct["userid"]] += repr(struct)
            return dict(found)
        return {g: repr(value) for g, value in self.con.execute(query).fetchall()}

    def _rows(self, chance: random.Random, function: rankdcg_sql.Function) -> tuple[pa.Table, list[str]]:
        """Rows of groups with ties, NULLs and numbers that round; and k and options as SQL constants."""
        count = chance.choice([1, 40, 2047, 2048, 2049, 6000])
        groups = chance.choice([1, 3, 50, max(1, count // 5)])
        levels = [chance.random() for _ in range(chance.choice([2, 5, 40, 10**4]))]
        grades = chance.choice(
            [[1.0], [1.0, None], [0.0, 1.0, 2.0, 4.0, None], [chance.random() * 3 for _ in range(50)]]
        )

        def some(values: list[Any], null: float) -> list[Any]:
            return [None if chance.random() < null else chance.choice(values) for _ in range(count)]

        data: dict[str, Any] = {
            "i": list(range(count)),
            "g": [chance.randrange(groups) for _ in range(count)],
        }
        if function.form == "sample":
            data |= {name: some(levels, 0.05) for name in inputs(function)}
            texts = {
                "confidence": "confidence=0.9",
                "resamples": "resamples=200, seed=7",
                "alternative": f"alternative={chance.choice(['greater', 'less', 'two_sided'])}",
                "tolerance": f"tolerance={chance.choice([0, 0.1])}",
            }
            known = [text for name, text in texts.items() if name in function.options]
            return pa.table(data, schema=_schema(data)), [f"'{', '.join(known)}'"]
        data |= {"score": some(levels, 0.15), "rel": some(grades, 0.2)}
        # Items are unique, so that none has two judgements.
        data["item"] = [f"item {i}" if chance.random() < 0.9 else None for i in range(count)]
        if function.form == "rec":
            ties, nulls = chance.choice(["item_asc", "item_desc"]), chance.choice(["last", "skip"])
            k = chance.choice(["NULL", "1", "3", "10", "100"])
            return pa.table(data, schema=_schema(data)), [k, f"'ties={ties}, null_scores={nulls}'"]
        kind = "rows" if "item" in inputs(function) else "scored"
        of, chosen = function, {}
        if function.output == "explanation":
            metric = chance.choice([*rankings.EXPLAINED])
            # The other options are those of the metric.
            (of,) = (
                each for each in rankdcg_sql.functions() if each.name == f"{rankings.EXPLAINED[metric]}_rows"
            )
            chosen = {"metric": metric}
        settings = _orderless(rankings.options(chance, self._listed(of), kind), of)
        more = [f"'{rankings.options_text(chosen | settings) or ''}'"]
        if "ks" in function.arguments:
            more.insert(0, "[1, 3, 10, NULL]")
        elif "k" in function.arguments:
            more.insert(0, chance.choice(["NULL", "1", "3", "10", "100"]))
        return pa.table(data, schema=_schema(data)), more

    @staticmethod
    def _listed(function: rankdcg_sql.Function) -> str:
        """The function over lists that has the same options."""
        name = re.sub("_(agg|rows|by_user)$", "", function.name)
        if name == "rank_evaluation":  # no function over lists counts rows
            return "rank_metrics_at"
        scored = f"{name}_scored" if function.form == "agg" and f"{name}_scored" in FUNCTIONS else name
        return scored


def _said(found: dict[Any, str], expected: dict[Any, str], is_part: bool) -> str | None:
    """The first difference from the values of the rows in order; None if there is none.

    If `is_part`, groups may be missing.
    """
    for g in found.keys() | expected.keys():
        if g not in found and is_part:
            continue
        value, want = found.get(g, "no such group"), expected.get(g, "no such group")
        if value != want:
            return f"group {g}: {value}, in order {want}"
    return None


def _schema(data: dict[str, Any]) -> pa.Schema:
    types = {"i": pa.int64(), "g": pa.int64(), "item": pa.string()}
    return pa.schema([(name, types.get(name, pa.float64())) for name in data])


def _orderless(settings: dict[str, Any], function: rankdcg_sql.Function) -> dict[str, Any]:
    """The options, with values replaced that would be an error for some group."""
    settings = {
        name: value for name, value in settings.items() if name in function.options and name != "convention"
    }
    if settings.get("ties") in ("input_order", "item_asc", "item_desc") and function.form == "agg":
        settings["ties"] = "average"
    if isinstance(settings.get("gain"), list):
        settings["gain"] = "linear"
    if settings.get("min_rel") is not None and "gain" in function.options:
        settings["gain"] = "binary"
    if settings.get("no_relevant") == "error":
        settings["no_relevant"] = "zero"
    if "max_rel" in function.options:
        settings["max_rel"] = 10.0
    return settings


# Making a difference small


def reduced(programme: Programme, difference: Difference) -> Difference:
    """The difference on few rows that still show it, after at most 20 seconds."""
    deadline, changed = time.monotonic() + 20, True
    while changed:
        changed = False
        for rows in _without_a_part(difference.batch.rows):
            if time.monotonic() > deadline:
                break
            found = Programme(programme.engines).compare(replace(difference.batch, rows=rows), difference.way)
            fewer = next((each for each in found if each.way == difference.way), None)
            if fewer is not None:
                difference, changed = fewer, True
                break
    return difference


def _without_a_part(rows: list[Any]) -> Iterator[list[Any]]:
    """The rows without a half, without a quarter, and so on to single rows."""
    size = len(rows) // 2
    while size >= 1:
        yield from (rows[:start] + rows[start + size :] for start in range(0, len(rows), size))
        size //= 2


# The program


def report(programme: Programme, orders: Orders, started: float) -> None:
    """Print the counts of cases by kind, engine and outcome, and the differences."""
    print(f"{sum(programme.counts.values()):,} cases in {time.monotonic() - started:.0f} s")
    by_way: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for (kind, way, ties, outcome), count in programme.counts.items():
        by_way[kind, way] += Counter({outcome: count, f"ties={ties}": count})
    for (kind, way), counts in sorted(by_way.items()):
        print(f"  {kind:8} {way:16} " + " ".join(f"{name}={count}" for name, count in sorted(counts.items())))
    print(f"{sum(orders.counts.values()):,} groups in other orders, parts and threads")
    for key, count in sorted(orders.counts.items()):
        print(f"  {' '.join(key)}: {count}")
    for outcomes, option in ((programme, "--batch"), (orders, "--orders")):
        for group, (seed, difference) in outcomes.differences.items():
            ways = {each[-1]: count for each, count in outcomes.differing.items() if each[:-1] == group}
            print(f"\nDIFFERENCE {' '.join(group)}: by way: {ways}\n  {option} {seed}\n  {difference}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--cases", type=float, default=math.inf)
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--batch", type=int, default=None)
    parser.add_argument("--orders", type=int, default=None)
    parser.add_argument("--function")
    parser.add_argument("--kind")
    arguments = parser.parse_args()
    seed = random.SystemRandom().randrange(2**32) if arguments.seed is None else arguments.seed
    programme, started = Programme(ways()), time.monotonic()
    orders = Orders(duckdb.connect())
    rankdcg_sql.register(orders.con)
    if arguments.batch is not None:
        programme.run(arguments.batch, arguments.function, arguments.kind)
    elif arguments.orders is not None:
        orders.run(arguments.orders, arguments.function)
    else:
        print(f"seed {seed}", flush=True)
        chance = random.Random(seed)
        while (
            time.monotonic() - started < arguments.seconds
            and sum(programme.counts.values()) < arguments.cases
        ):
            programme.run(chance.randrange(2**48), arguments.function, arguments.kind)
            if chance.random() < 0.2:
                orders.run(chance.randrange(2**48))
    report(programme, orders, started)
    sys.exit(bool(programme.differences or orders.differences))


if __name__ == "__main__":
    main()
