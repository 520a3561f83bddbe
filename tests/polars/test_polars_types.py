"""Every type of Polars as items, scores, relevances and users. An abort of the process would be noticed."""

from __future__ import annotations

import json
import math
import re
from decimal import Context, Decimal
from functools import cache
from typing import TYPE_CHECKING, Any

import polars as pl
import pyarrow as pa
import pytest
from support import process, reference

from rankdcg_sql import _native
from rankdcg_sql import polars as rk

if TYPE_CHECKING:
    from collections.abc import Iterator

VERSION = tuple(map(int, re.findall(r"\d+", pl.__version__)[:2]))

INTEGERS = [f"{sign}Int{bits}" for sign in ("", "U") for bits in (8, 16, 32, 64, 128)]
#: The name in errors of each unit of time.
UNITS = {"ms": "(ms)", "us": "", "ns": "(ns)"}
#: Types by a name, each with three different values in Python, of which the third may be NULL.
ITEMS = {
    **{name: f"[1, 2, 100], pl.{name}" for name in INTEGERS},
    "Int8, negative": "[-128, 127, None], pl.Int8",
    "UInt64, far apart": "[1, 2**64 - 1, 2**63], pl.UInt64",
    "Int128, far apart": "[-2**127, 2**127 - 1, 0], pl.Int128",
    "UInt128, far apart": "[2**127, 2**128 - 1, 0], pl.UInt128",
    **{f"Float{bits}": f"[1.5, float('nan'), 0.25], pl.Float{bits}" for bits in (16, 32, 64)},
    "String": "['a', 'more than twelve bytes', 'ä'], pl.String",
    "String, one NULL": "['a', 'more than twelve bytes', None], pl.String",
    "Binary": r"[b'a', b'\xff is more than twelve bytes', b''], pl.Binary",
    "Boolean": "[True, False, None], pl.Boolean",
    "Date": "[date(2024, 1, 1), date(2024, 1, 2), date(1900, 1, 1)], pl.Date",
    "Time": "[time(1), time(1, 0, 0, 1), time(2)], pl.Time",
    **{
        f"Datetime in {unit}{' with time zone' if zone else ''}": (
            "[datetime(2024, 1, 1), datetime(2024, 1, 1, 0, 0, 0, 1000), "
            f"{'None' if zone else 'datetime(1900, 1, 1)'}], "
            f"pl.Datetime({unit!r}{zone})"
        )
        for unit in UNITS
        for zone in ("", ", 'UTC'")
    },
    **{
        f"Duration in {unit}": f"[timedelta(1), timedelta(2), timedelta(-1)], pl.Duration({unit!r})"
        for unit in UNITS
    },
    "Decimal": "[Decimal('1.5'), Decimal('-1.5'), Decimal('0')], pl.Decimal(10, 2)",
    "Decimal, wide": "[Decimal('1.5'), Decimal('-1.5'), None], pl.Decimal(38, 10)",
    "Categorical": "['a', 'b', 'more than twelve bytes'], pl.Categorical",
    "Enum": "['a', 'b', None], pl.Enum(['more than twelve bytes', 'b', 'a'])",
    "Enum, large": "['a', 'b', 'c'], pl.Enum([*map(str, range(300)), 'a', 'b', 'c'])",
    "Struct": (
        "[{'a': 1, 'b': 'x'}, {'a': 1, 'b': None}, {'a': 2, 'b': 'x'}], "
        "pl.Struct({'a': pl.Int64, 'b': pl.String})"
    ),
    "Struct of three": (
        "[{'a': 1, 'b': [1], 'c': 1.5}, {'a': 1, 'b': [], 'c': 1.5}, {'a': 2, 'b': None, 'c': 1.5}], "
        "pl.Struct({'a': pl.Int64, 'b': pl.List(pl.Int8), 'c': pl.Float64})"
    ),
    "List": "[[1, 2], [1], []], pl.List(pl.Int64)",
    "List of String": "[['a', 'b'], ['ab', ''], []], pl.List(pl.String)",
    "List of Categorical": "[['a', 'b'], ['ab', ''], []], pl.List(pl.Categorical)",
    "List of Decimal": "[[Decimal('1.5')], [Decimal('2.5')], []], pl.List(pl.Decimal(10, 2))",
    "List of List": "[[[1], [2]], [[1, 2]], [[]]], pl.List(pl.List(pl.Int64))",
    "Array": "[[1, 2], [1, None], [2, 1]], pl.Array(pl.Int64, 2)",
    "Null": "[None, None, None], pl.Null",
    "Struct without fields": "[{}, {}, {}], pl.Struct([])",
    "Object": "[object(), object(), object()], pl.Object",
}
#: The names of types in errors, except of numbers.
NAMES = {
    "String": "text", "String, one NULL": "text", "Categorical": "text", "Binary": "blob", "Date": "date",
    "Time": "time(ns)",
    "Enum": "text", "Enum, large": "text", "Boolean": "boolean", "Struct": "struct(a integer, b text)",
    "Struct of three": "struct(a integer, b list of integer, c float)",
    "List": "list of integer", "Array": "list of integer", "List of String": "list of text",
    "List of Categorical": "list of text", "List of Decimal": "list of decimal",
    "List of List": "list of list of integer",
    **{f"Duration in {unit}": f"duration{short}" for unit, short in UNITS.items()},
    **{
        f"Datetime in {unit}{zone}": f"timestamp{short}{zone}"
        for unit, short in UNITS.items()
        for zone in ("", " with time zone")
    },
}  # fmt: skip
#: Types whose third value is NULL.
ONE_NULL = [name for name, values in ITEMS.items() if "None], pl." in values and "[None" not in values]
#: Types whose values are all NULL.
NOTHING = ["Null", "Struct without fields"]
#: Types that cannot be in a list.
NO_ITEM = ["Object"]
#: Types of values that cannot be users.
NO_USERS = [*NO_ITEM, "Float16", *(name for name in ITEMS if re.match("Struct|List|Array", name))]

#: Types that Polars 1.28, the oldest supported version, gets wrong itself.
FAULTS_OF_THE_OLDEST = {
    "List of Categorical": "Polars panics while it makes a list of such items",
    "Object": "Polars panics while it makes a list of objects",
}

SCRIPT = """
    import json, sys
    from datetime import date, datetime, time, timedelta
    from decimal import Decimal
    import polars as pl
    import rankdcg_sql.polars as rk

    def found(expression):
        try:
            return expression()
        except (pl.exceptions.PolarsError, TypeError) as error:
            return f"{type(error).__name__}: {str(error).splitlines()[0]}"

    def values(items, dtype):
        zone = getattr(dtype, "time_zone", None)
        items = pl.Series("x", items, pl.Datetime(dtype.time_unit) if zone else dtype)
        return items.dt.replace_time_zone(zone) if zone else items

    def mrr(frame, rec, truth):
        return found(lambda: frame.select(rk.mrr(rec.implode(), truth.implode())).item())

    x = pl.col("x")
    item = pl.struct(item="x", rel="rel").filter(pl.col("rel") > 0).implode()
    plain = {"u": [1] * 3, "i": [0, 1, 2], "score": [0.5, 0.6, 0.7]}

    def frames(truth, rec, user="i", item="i", k=1, **named):
        return rk.evaluate_frames(truth, rec, k, user=user, item=item, **named)

    def results(of_type):
        frame = pl.DataFrame({"x": of_type, "rel": [2, 0, 1]})
        # Each user has one item, and the second one is relevant. The rows come in chunks.
        served = pl.concat([pl.DataFrame(plain).with_columns(x=of_type)] * 3, rechunk=False)
        judged = served.select("x", i=pl.lit(1, pl.Int64), rel=1)
        both = pl.concat([served, judged], how="diagonal", rechunk=False)

        def by_user(users):
            # Whether users have their own type, the hit rate of each value, and the number of users.
            hits = {repr(user): hit for user, hit in users.select("x", "hit_rate").rows()}
            return [users.schema["x"] == of_type.dtype, [hits.get(repr(user)) for user in of_type], len(hits)]

        return {
            "one": [mrr(frame, x, x.gather([place])) for place in range(3)],
            "grouped": found(lambda: frame.select("x", g=1, truth=x.gather([1, 1, 1])).group_by("g")
                             .agg("x", "truth").select(rk.mrr("x", "truth")).item()),
            "judged": found(lambda: frame.select(rk.ndcg(x.implode(), item, gain="linear")).item()),
            # Long lists are hashed, where short ones are scanned.
            "large": mrr(frame, x.gather([0] * 500 + [1, 2]), x.gather([1] * 99)),
            "sliced": mrr(frame[1:], x, x.gather([1])),
            "scores": found(lambda: frame.select(rk.mrr_agg("x", "rel")).item()),
            "rels": found(lambda: frame.select(rk.cg_rels(x.implode())).item()),
            "users": found(lambda: by_user(frames(judged, served, user="x"))),
            "users, sliced": found(lambda: by_user(frames(judged[3:].clone(), served[3:], user="x"))),
            "users of rows": found(lambda: by_user(
                both.select(rk.rank_metrics_by_user("x", "i", "score", "rel", 1).struct.unnest()))),
            "items of users": found(lambda: frames(served[1:2], served[:3], "u", "x", None)["mrr"].item()),
            "scores of users": found(lambda: frames(judged, served, score="x").height),
            "rels of users": found(lambda: frames(served[:3], served, rel="x").height),
        }

    for name, text in json.loads(sys.argv[1]).items():
        print(json.dumps([name, results(values(*eval(f"({text})")))]), flush=True)
"""


def parameters() -> Iterator[Any]:
    for name in ITEMS:
        dtype = name.partition(",")[0]
        marks = []
        if dtype in ("UInt128", "Float16") and not hasattr(pl, dtype):
            marks.append(pytest.mark.skip(reason="this version of Polars has no such type"))
        if VERSION < (1, 29) and name in FAULTS_OF_THE_OLDEST:
            marks.append(pytest.mark.xfail(reason=FAULTS_OF_THE_OLDEST[name], strict=True))
        yield pytest.param(name, marks=marks)


every = pytest.mark.parametrize("name", [*parameters()])


#: The types that Polars has and gets right, which share a process.
RIGHT = tuple(str(each.values[0]) for each in parameters() if not each.marks)


@cache
def outputs(names: tuple[str, ...]) -> dict[str, Any]:
    """The output of the script about each of these types."""
    done = process.run(SCRIPT, json.dumps({name: ITEMS[name] for name in names}))
    assert done.returncode == 0, (done.returncode, done.stdout[-500:], done.stderr)
    return dict(map(json.loads, done.stdout.splitlines()))


def results(name: str) -> dict[str, Any]:
    found: dict[str, Any] = outputs(RIGHT if name in RIGHT else (name,))[name]
    return found


@every
def test_type(name: str):
    found = results(name)
    if name in NO_ITEM:
        refused = re.compile("InvalidOperationError: .*nested objects are not supported")
        assert all(refused.match(found[how]) for how in ("grouped", "judged", "sliced", "scores", "rels"))
        return
    third = None if name in ONE_NULL else 1 / 3
    if name in NOTHING:
        assert found["one"] == [None, None, None]
        assert found["grouped"] is found["judged"] is found["large"] is found["sliced"] is None
    else:
        assert found["one"] == [1, 0.5, third]
        assert found["grouped"] == 0.5
        assert found["sliced"] == (third and 0.5)
        assert found["large"] == pytest.approx(1 / 501)
        # The items have relevances 2, 0 and 1. If the third item is NULL, 2 is the only one above 0.
        graded = (2 + 1 / 2) / (2 + 1 / math.log2(3))
        assert found["judged"] == pytest.approx(graded if third else 1)
    numbers = expected_as_numbers(name)
    assert found["scores"] == (numbers[0] if isinstance(numbers[0], str) else pytest.approx(numbers[0]))
    assert found["rels"] == (numbers[1] if isinstance(numbers[1], str) else pytest.approx(numbers[1]))


@every
def test_users_of_every_type_come_back_in_their_type(name: str):
    found = results(name)
    failed = "ComputeError: the plugin failed with message:"
    called = NAMES.get(name, "FixedSizeBinary(8)" if name in NO_ITEM else "float")
    users = {how: found[how] for how in ("users", "users, sliced", "users of rows")}
    if name in NOTHING:
        assert all(count == 0 for *_, count in users.values())
    elif name in NO_USERS:
        sentence = f"userid must be a number, a text, bytes, a boolean, a date or a time, got {called}"
        callers = ("evaluate_frames", "evaluate_frames", "rank_metrics_by_user")
        assert [*users.values()] == [f"{failed} {caller}: {sentence}" for caller in callers]
    else:
        if VERSION < (1, 29) and name.startswith("Enum"):
            # Polars 1.28 makes a Categorical of each Enum that a plugin returns.
            assert not users.pop("users of rows")[0]
        own = [True, [0, 1, None if name in ONE_NULL else 0], 2 if name in ONE_NULL else 3]
        assert [*users.values()] == [own] * len(users)
    assert found["items of users"] == (None if name in NOTHING else 0.5)
    if name in NO_ITEM:
        return
    score, rel = expected_as_numbers(name)
    # A row without a score is ignored. The second user is also judged.
    height = 1 if name in NOTHING else 2 if name in ONE_NULL else 3
    score = score.replace("mrr_agg", "evaluate_frames") if isinstance(score, str) else height
    assert found["scores of users"] == score
    if name in NAMES and name != "Boolean":
        rel = f"{failed} evaluate_frames: rel must be a number or a boolean, got {called}"
    elif isinstance(rel, str):
        rel = rel.replace("cg_rels", "evaluate_frames").replace("in rels", "in rel")
    elif name in ("UInt64, far apart", "UInt128, far apart"):  # as gains of exp2
        assert re.match(f"{failed} evaluate_frames: relevance .* is too large", found["rels of users"])
        return
    assert found["rels of users"] == (rel if isinstance(rel, str) else 3)


def expected_as_numbers(name: str) -> tuple[Any, Any]:
    """The expected values with the three values as scores beside relevances 2, 0 and 1, and as relevances."""
    failed = "ComputeError: the plugin failed with message:"
    if name in NOTHING:
        return 0, None
    if name in NAMES:
        called = NAMES[name]
        rels = (
            1
            if name == "Boolean"
            else f"{failed} cg_rels: rels must be a list of numbers, got list of {called}"
        )
        return f"{failed} mrr_agg: score must be a number, got {called}", rels
    if name.startswith("Float"):
        return (
            f"{failed} mrr_agg: score must not be NaN, got NaN",
            f"{failed} cg_rels: relevance in rels must be finite, got NaN",
        )
    if name.startswith("Decimal"):
        return 1, f"{failed} cg_rels: relevance in rels must not be negative, got -1.5"
    if name == "Int8, negative":
        return 0.5, f"{failed} cg_rels: relevance in rels must not be negative, got -128"
    if name == "Int128, far apart":
        least = "-170141183460469230000000000000000000000"
        return 0.5, f"{failed} cg_rels: relevance in rels must not be negative, got {least}"
    if name == "UInt128, far apart":
        return 0.5, 2.0**127 + 2.0**128
    if name == "UInt64, far apart":
        return 0.5, 2.0**64 + 2.0**63 + 1
    return 1, 103


@pytest.mark.parametrize(
    ("dtype", "least"),
    [
        (pl.Int64, Decimal(2**62)),
        (pl.UInt64, Decimal(2**64 - 9)),
        (pl.Int128, Decimal(1 - 2**127)),
        *([(pl.UInt128, Decimal(2**128 - 9))] if hasattr(pl, "UInt128") else []),
        (pl.Decimal(18, 3), Decimal("999999999999999.991")),
        (pl.Decimal(38, 10), Decimal("-9999999999999999999999999999.9999999999")),
    ],
    ids=str,
)
def test_scores_that_floating_point_does_not_tell_apart_are_ranked_exactly(dtype: Any, least: Decimal):
    is_decimal = isinstance(dtype, pl.Decimal)
    step = Decimal(1).scaleb(-dtype.scale) if is_decimal else 1
    exact = [Context(prec=50).add(least, level * step) for level in (3, 1, 4, 1, 5, 2)]
    scores, rels = exact if is_decimal else [int(score) for score in exact], [1, 0, 2, 1, 0, 2]
    frame = pl.DataFrame({"s": pl.Series(scores, dtype=dtype), "r": rels, "i": range(6)})
    for name, k in [("ndcg", 4), ("rankdcg", None), ("roc_auc", None), ("kendall_tau", None)]:
        expected = pytest.approx(reference.evaluate_scored(name, scores, rels, k), abs=1e-12)
        cut = {} if k is None else {"k": k}
        form = getattr(rk, "ndcg_scored" if k else name)
        lists = (pl.col("s").implode(), pl.col("r").implode())
        assert frame.select(form(*lists, **cut)).item() == expected, name
        assert frame.select(getattr(rk, f"{name}_agg")("s", "r", **cut)).item() == expected, name


@pytest.mark.skipif(not hasattr(pa, "decimal64"), reason="this version of PyArrow has no such type")
def test_decimals_of_64_bits_are_ranked_exactly():
    """Decimals of Polars have 128 bits. These two are equal as floating point."""
    scores = pa.array([[Decimal(10**17 + level) for level in (2, 1, 3)]], pa.list_(pa.decimal64(18, 0)))
    assert _native.call("mrr_scored", [scores, pa.array([[0.0, 0.0, 1.0]])]).to_pylist() == [1]
    assert _native.call("mrr_scored", [scores, pa.array([[0.0, 1.0, 0.0]])]).to_pylist() == [
        pytest.approx(1 / 3)
    ]


# Items of two types


def hits(rec: tuple[Any, Any], truth: tuple[Any, Any]) -> float | None:
    """The recall of lists of items, each given with its type."""
    columns = {"rec": rec, "truth": truth}
    frame = pl.DataFrame([pl.Series(name, [items], pl.List(of)) for name, (items, of) in columns.items()])
    found: float | None = frame.select(rk.recall("rec", "truth")).item()
    return found


WIDTHS = [getattr(pl, name) for name in INTEGERS if hasattr(pl, name)]


@pytest.mark.parametrize("rec", [*WIDTHS, pl.Decimal(10, 2)], ids=str)
def test_whole_numbers_and_decimals_are_matched_by_value(rec: Any):
    for truth in [*WIDTHS, pl.Decimal(20, 1)]:
        assert hits(([7, 9], rec), ([7, 8], truth)) == 0.5, (rec, truth)


def test_numbers_beyond_each_other():
    assert hits(([-1], pl.Int64), ([2**64 - 1], pl.UInt64)) == 0
    assert hits(([-1], pl.Int8), ([255], pl.UInt8)) == 0
    assert hits(([2**64 - 1], pl.UInt64), ([2**64 - 1], pl.Int128)) == 1
    if hasattr(pl, "UInt128"):
        assert hits(([2**128 - 1], pl.UInt128), ([-1], pl.Int128)) == 0
        assert hits(([2**127 - 1], pl.UInt128), ([2**127 - 1], pl.Int128)) == 1


def test_floats_are_matched_by_value():
    assert hits(([1.5, float("nan"), -0.0], pl.Float32), ([0.0, float("nan"), 0.1], pl.Float64)) == 2 / 3
    assert hits(([0.1], pl.Float32), ([0.1], pl.Float64)) == 0


TEXTS = [pl.String, pl.Categorical, pl.Enum(["a", "b", "c"]), pl.Enum(["c", "b", "a"])]


@pytest.mark.parametrize("rec", TEXTS, ids=str)
def test_text_categories_and_enumerations_are_matched_as_text(rec: Any):
    for truth in TEXTS:
        assert hits((["a", "b", None], rec), (["c", "b"], truth)) == 0.5, (rec, truth)


KINDS = {
    "integer": ([1], pl.Int8),
    "float": ([1.0], pl.Float32),
    "text": (["1"], pl.String),
    "boolean": ([True], pl.Boolean),
    "blob": ([b"1"], pl.Binary),
    "date": ([1], pl.Date),
    "time(ns)": ([1], pl.Time),
    "timestamp": ([1], pl.Datetime("us")),
    "timestamp(ms)": ([1], pl.Datetime("ms")),
    "timestamp with time zone": ([1], pl.Datetime("us", "UTC")),
    "duration": ([1], pl.Duration("us")),
    "list of integer": ([[1]], pl.List(pl.Int8)),
    "struct(a integer)": ([{"a": 1}], pl.Struct({"a": pl.Int8})),
}


@pytest.mark.parametrize("rec", [*KINDS][:-1])  # except structs, which beside numbers are read as relevances
def test_items_of_different_types_are_refused(rec: str):
    for truth in KINDS.keys() - {rec}:
        with pytest.raises(pl.exceptions.ComputeError) as caught:
            hits(KINDS[rec], KINDS[truth])
        assert (
            f"recall: the items of rec and truth must be of one type, got {rec} and {truth}\n"
            in f"{caught.value}\n"
        )


def test_time_zones_do_not_matter():
    assert hits(([1], pl.Datetime("us", "UTC")), ([1], pl.Datetime("us", "Europe/Berlin"))) == 1
