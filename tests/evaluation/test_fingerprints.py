"""Fingerprints of tables: beside the documented formula, and equal or different as tables are."""

from __future__ import annotations

import decimal
import math
import pickle
import random
import struct
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import xxhash
from hypothesis import given
from hypothesis import strategies as st

import rankdcg_sql
from rankdcg_sql import CallError, compare, evaluate, judge_corrected

CHANCE = random.Random(5)


def reference(rows: Any) -> str:
    """The fingerprint of rows, as docs/receipts.md describes it."""
    total = 0
    for row in rows:
        content = b""
        for cell in row:
            if cell is None:
                content += struct.pack("<Q", 2**64 - 1)
                continue
            encoded = (cell if isinstance(cell, str) else digits(cell)).encode()
            content += struct.pack("<Q", len(encoded)) + encoded
        total += xxhash.xxh3_128_intdigest(content)
    return f"{total % 2**128:032x}"


def digits(number: float) -> str:
    """The fewest decimal digits of a number, without an exponent."""
    if math.isnan(number):
        return "NaN"
    if math.isinf(number):
        return "inf" if number > 0 else "-inf"
    if isinstance(number, int) or (number.is_integer() and -(2**63) <= number < 2**63):
        return str(int(number))
    return format(decimal.Decimal(repr(number)), "f")


def table(rows: Any, *names: str) -> dict[str, list[Any]]:
    return {name: [row[place] for row in rows] for place, name in enumerate(names)}


def tables(size: int) -> tuple[list[Any], list[Any]]:
    """Rows of a truth and of a rec, with repeats and NULL."""
    truth = [
        (CHANCE.randrange(9), CHANCE.choice(["a", "b", "ü", None]), CHANCE.randrange(4)) for _ in range(size)
    ]
    truth = [(10, "a", 1), *{(user, item): (user, item, rel) for user, item, rel in truth}.values()]
    rec = [(10, CHANCE.choice(["a", "b", None]), CHANCE.random()) for _ in range(size)]
    return truth, rec


def fingerprints(truth: Any, rec: Any, **settings: Any) -> dict[str, str]:
    settings = {"rel": "rel", "k": 3, "metrics": "ndcg", **settings}
    return evaluate(truth, rec, fingerprints=True, **settings).fingerprints


@pytest.mark.filterwarnings("ignore::rankdcg_sql.DataWarning")
@pytest.mark.parametrize("size", [1, 2047, 2048, 2049, 130_000])
def test_fingerprints_are_those_of_the_formula_in_any_order(size: int) -> None:
    truth, rec = tables(size)
    expected = {"truth": reference(truth), "rec": reference(rec)}
    for _ in range(2):
        given = table(truth, "userid", "itemid", "rel"), table(rec, "userid", "itemid", "score")
        assert fingerprints(*given) == expected
        CHANCE.shuffle(truth)
        CHANCE.shuffle(rec)


CELLS = st.none() | st.floats() | st.integers(-(2**63), 2**63 - 1).map(float)


@given(st.lists(st.tuples(CELLS, st.none() | st.integers(-(2**63), 2**63 - 1), st.none() | st.text())))
def test_the_library_hashes_rows_as_the_formula_says(rows: list[Any]) -> None:
    batch = pa.record_batch(
        [
            pa.array([row[0] for row in rows], pa.float64()),
            pa.array([row[1] for row in rows], pa.int64()),
            pa.array([row[2] for row in rows], pa.string()),
        ],
        names=["number", "integer", "text"],
    )
    assert f"{rankdcg_sql._native.fingerprint(batch) % 2**128:032x}" == reference(rows)


def test_every_one_of_ten_thousand_changed_cells_changes_the_fingerprint() -> None:
    rows = [[CHANCE.randrange(50), f"i{CHANCE.randrange(99)}", CHANCE.gauss(0, 1)] for _ in range(200)]
    kinds = pa.int64(), pa.string(), pa.float64()

    def found() -> int:
        columns = [pa.array([row[place] for row in rows], kind) for place, kind in enumerate(kinds)]
        return rankdcg_sql._native.fingerprint(pa.record_batch(columns, names=["a", "b", "c"])) % 2**128

    original = found()
    seen = {original}
    for _ in range(10_000):
        row, place = CHANCE.choice(rows), CHANCE.randrange(3)
        kept = row[place]
        other = [CHANCE.randrange(10**9), f"i{CHANCE.randrange(10**9)}", CHANCE.gauss(0, 1)][place]
        row[place] = CHANCE.choice([None, other])
        assert found() != original, (row, place, kept)
        seen.add(found())
        row[place] = kept
    # A cell that becomes NULL has few ways to do so; other changes have one value each.
    assert len(seen) > 5_000


def test_formats_and_engines_agree(tmp_path: Path) -> None:
    truth = table([(u, i, (u + i) % 4) for u in range(30) for i in range(5)], "userid", "itemid", "rel")
    rec = table(
        [(u, i, (u * 7 + i * 3) % 11 / 7) for u in range(30) for i in range(8)], "userid", "itemid", "score"
    )
    expected = fingerprints(truth, rec)
    for ending, form in (
        (".csv", "csv"),
        (".tsv", "csv, DELIMITER '\t'"),
        (".parquet", "parquet"),
        (".json", "json"),
    ):
        paths = []
        for name, rows in (("truth", truth), ("rec", rec)):
            frame = pa.table(rows)  # noqa: F841 - DuckDB reads it
            paths.append(str(tmp_path / f"{name}{ending}"))
            duckdb.sql("FROM frame").query("t", f"COPY t TO '{paths[-1]}' (FORMAT {form})")
        assert fingerprints(*paths) == expected, ending
    makers: list[Any] = [pa.table, pl.DataFrame, pd.DataFrame, lambda given: pl.DataFrame(given).lazy()]
    for make in makers:
        assert fingerprints(make(truth), make(rec)) == expected, make
    with rankdcg_sql.connect() as con:
        for name, rows in (("t", truth), ("r", rec)):
            con.register("given", pa.table(rows))
            con.execute(f"CREATE TABLE {name} AS FROM given")
        assert fingerprints("t", "r", con=con) == expected


@pytest.mark.parametrize(
    "kinds",
    [
        [pa.int64(), pa.int8(), pa.uint32(), pa.float64(), pa.float32(), pa.string(), pa.decimal128(9, 2)],
        [pa.string(), pa.large_string(), pa.dictionary(pa.int8(), pa.string())],
    ],
)
def test_ids_are_equal_in_all_types_that_hold_them(kinds: list[pa.DataType]) -> None:
    ids: list[Any] = ["1", "2", "3"] if kinds[0] == pa.string() else [1, 2, 3]
    found = set()
    for kind in kinds:
        given: list[Any] = [str(each) for each in ids] if kind == pa.string() else ids
        if pa.types.is_decimal(kind):
            given = [decimal.Decimal(each) for each in ids]
        items = pa.array(given, kind)
        truth = pa.table({"userid": [1, 1, 2], "itemid": items, "rel": [1, 0, 2]})
        rec = pa.table({"userid": [1, 1, 2], "itemid": items, "score": [1.0, 2.0, 3.0]})
        found.add(tuple(fingerprints(truth, rec).values()))
    assert len(found) == 1


def test_wide_numbers_keep_every_digit() -> None:
    def of(value: str) -> str:
        with rankdcg_sql.connect() as con:
            con.execute(
                "CREATE TABLE t AS SELECT 1 AS userid, 1 AS itemid;"
                f"CREATE TABLE r AS SELECT *, {value} AS score FROM t"
            )
            return fingerprints("t", "r", con=con, rel=None)["rec"]

    values = ["9007199254740992", "9007199254740993", "18446744073709551615", "18446744073709551614"]
    values += [f"{number}::HUGEINT" for number in ("170141183460469231731687303715884105727",)]
    values += ["0.1234567890123456789::DECIMAL(38,19)", "0.1234567890123456788::DECIMAL(38,19)"]
    assert len({*map(of, values)}) == len(values)


@pytest.mark.parametrize("number", ["1.5", "0.1", "-2.25", "7", "100", "0"])
def test_numbers_are_equal_in_all_types_of_numbers(number: str) -> None:
    kinds = ["DOUBLE", "DECIMAL(5,2)", "DECIMAL(15,3)", "DECIMAL(18,3)", "DECIMAL(38,6)", "VARCHAR"]
    kinds += ["FLOAT"] * (number != "0.1") + ["BIGINT", "HUGEINT", "DECIMAL(38,0)"] * ("." not in number)
    assert len({of_ids(f"'{number}'::{kind}") for kind in kinds}) == 1


def of_ids(*values: str, setup: str = "") -> str:
    """The fingerprint of a truth whose items are these values, in SQL."""
    with rankdcg_sql.connect() as con:
        con.execute(setup or "SELECT 1")
        rows = " UNION ALL ".join(f"SELECT 1 AS userid, {value} AS itemid" for value in values)
        con.execute(f"CREATE TABLE t AS {rows}; CREATE TABLE r AS SELECT *, 1 AS score FROM t")
        return evaluate("t", "r", con=con, k=1, metrics="precision", fingerprints=True).fingerprints["truth"]


@pytest.mark.filterwarnings("ignore::rankdcg_sql.DataWarning")
@pytest.mark.parametrize(
    "kind", ["TIMESTAMPTZ", "TIMESTAMPTZ_NS", "TIMESTAMP", "DATE", "TIME WITH TIME ZONE", "BLOB"]
)
def test_the_time_zone_changes_nothing_and_limits_are_no_null(kind: str) -> None:
    values = {
        "BLOB": ["'a'::BLOB", "'\\xFF'::BLOB"],
        "TIME WITH TIME ZONE": ["'01:00:00+02'::TIMETZ", "'01:00:00+00'::TIMETZ"],
    }.get(kind, [f"'2026-01-01'::{kind}", f"'infinity'::{kind}", f"'-infinity'::{kind}"])
    alone = [of_ids(value) for value in (*values, f"NULL::{kind}")]
    assert len({*alone}) == len(alone)
    # The text of a literal without a zone is read in that of the session.
    zoned = [f"'2026-01-01 00:00:00+00'::{kind}"] if kind.startswith("TIMESTAMPTZ") else values
    assert of_ids(*zoned, setup="SET TimeZone = 'Asia/Tokyo'") == of_ids(*zoned, setup="SET TimeZone = 'UTC'")


TRUTH = {
    "userid": [1, 1, 2],
    "itemid": [1, 2, 3],
    "rel": [1, 2, 1],
    "aspect": ["x", "y", "x"],
    "other": [1, 2, 3],
}
REC = {"userid": [1, 1, 2], "itemid": [1, 3, 3], "score": [1.0, 2.0, 3.0], "other": [1, 2, 3]}
SEGMENTS = {"userid": [1, 2], "plan": ["a", "b"], "size": [1, 2], "other": [1, 2]}
ITEMS = {"itemid": [1, 2, 3], "share": [0.5, 0.25, 1.0], "other": [1, 2, 3]}
#: The columns that are read from each table with these settings.
READ = {
    "truth": ("userid", "itemid", "rel", "aspect"),
    "rec": ("userid", "itemid", "score"),
    "segments": ("userid", "plan", "size"),
    "items": ("itemid", "share"),
}


@pytest.mark.filterwarnings("ignore::rankdcg_sql.DataWarning")
def test_a_fingerprint_is_of_the_columns_that_are_read() -> None:
    given: dict[str, dict[str, list[Any]]] = {
        "truth": TRUTH,
        "rec": REC,
        "segments": SEGMENTS,
        "items": ITEMS,
    }

    def found(**changed: Any) -> dict[str, str]:
        return evaluate(
            **{**given, **changed},
            **{"k": 2, "metrics": ["ndcg", "alpha_ndcg", "novelty"], "rel": "rel", "aspect": "aspect"},
            **{"by": "plan", "weight": "size", "fingerprints": True},
        ).fingerprints

    original = found()
    expected = {
        role: reference(zip(*(given[role][name] for name in names), strict=True))
        for role, names in READ.items()
    }
    assert original == expected
    for role, columns in given.items():
        for name in ("rel", "score", "aspect", "plan", "size", "share", "other"):
            if name not in columns:
                continue
            *kept, last = columns[name]
            new = f"{last}z" if isinstance(last, str) else last / 2
            changes = found(**{role: {**columns, name: [*kept, new]}})
            differing = {each for each in original if changes[each] != original[each]}
            assert differing == ({role} if name in READ[role] else set()), (role, name)


@pytest.mark.filterwarnings("ignore::rankdcg_sql.DataWarning")
def test_segments_in_truth_or_rec_have_a_fingerprint_of_their_own() -> None:
    rows = [(1, 1, "a", 1), (1, 2, "a", 1), (2, 3, "b", 2)]
    truth = table(rows, "userid", "itemid", "plan", "size")
    without = fingerprints(truth, REC, rel=None)
    found = fingerprints(truth, REC, rel=None, by="plan", weight="size")
    of_segments = reference((user, plan, size) for user, _, plan, size in rows)
    assert found == {**without, "segments": of_segments}
    rec = {**REC, "plan": ["a", "a", "b"]}
    of_rec = reference(zip(rec["userid"], rec["plan"], strict=True))
    assert fingerprints(TRUTH, rec, by="plan")["segments"] == of_rec


def test_a_comparison_has_those_of_each_system() -> None:
    other = {**REC, "score": [3.0, 2.0, 1.0]}
    found = compare(TRUTH, {"one": REC, "two": other}, k=2, metrics="ndcg", rel="rel", fingerprints=True)
    one, two = (evaluation.fingerprints for evaluation in found.evaluations.values())
    assert one == fingerprints(TRUTH, REC)
    assert two == fingerprints(TRUTH, other)
    assert one["rec"] != two["rec"]


def test_they_are_found_only_if_asked_for_and_kept_in_copies() -> None:
    assert evaluate(TRUTH, REC, k=2).fingerprints == {}
    result = evaluate(TRUTH, REC, k=2, fingerprints=True)
    assert pickle.loads(pickle.dumps(result)).fingerprints == result.fingerprints
    with pytest.raises(CallError, match="fingerprints must be True or False, got 'yes'"):
        evaluate(TRUTH, REC, fingerprints="yes")  # type: ignore[arg-type]


@pytest.mark.filterwarnings("ignore::rankdcg_sql.DataWarning")
def test_judge_corrected_tells_two_recs_of_one_size_apart() -> None:
    users = range(40)
    truth = {"userid": [*users], "itemid": [1] * 40}
    people = {name: column[:20] for name, column in truth.items()}
    one = {"userid": [*users], "itemid": [user % 2 for user in users], "score": [1.0] * 40}
    other = {**one, "itemid": [user % 3 for user in users]}
    human, judge, of_other = (
        evaluate(*given, k=1, metrics="recall", fingerprints=True)
        for given in ((people, one), (truth, one), (truth, other))
    )
    assert judge_corrected(human, judge)
    with pytest.raises(CallError, match="judge has another rec than human: their fingerprints differ"):
        judge_corrected(human, of_other)
