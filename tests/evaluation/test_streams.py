"""Streams of Arrow data and frames of narwhals, of any library, as tables."""

from __future__ import annotations

import re
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import duckdb
import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.dataset
import pytest
from support.skipping import skip_unless_ci
from support.two_tables import NDCG, REC, TRUTH, Table, approx, of_users

import rankdcg_sql
from rankdcg_sql import CallError, compare, evaluate

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


class Lazy:
    """A table that is computed each time that its stream is read."""

    def __init__(self, table: pa.Table) -> None:
        self.table = table
        self.computed = 0

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        self.computed += 1
        return self.table.__arrow_c_stream__(requested_schema)


def of_plugin(name: str, frame: Any) -> Any:
    """A data frame as another package may have it, which implements the protocol of narwhals."""
    import narwhals

    return type(
        "Frame", (), {f"__narwhals_{name}__": lambda self: narwhals.from_native(frame)._compliant_frame}
    )()


def of_arro3(name: str, table: Any) -> Any:
    import arro3.core

    return getattr(arro3.core, name).from_arrow(table)


def of_nanoarrow(table: Any) -> Any:
    import nanoarrow

    return nanoarrow.ArrayStream(table)


def of_narwhals(frame: Any) -> Any:
    import narwhals

    return narwhals.from_native(frame)


def of_stable_narwhals(frame: Any) -> Any:
    import narwhals.stable.v1

    return narwhals.stable.v1.from_native(frame)


def of_ibis(table: pa.Table) -> Any:
    import ibis

    return ibis.memtable(table).filter(ibis._.userid > 0).mutate(itemid=ibis._.itemid.upper().lower())


def relation(table: pa.Table) -> Any:
    return duckdb.connect().from_arrow(table)


#: Tables by the library that must be installed, which may be none.
KINDS: dict[str, Callable[[pa.Table], Any]] = {
    "a lazy stream": Lazy,
    "an array of structs": lambda table: table.to_struct_array(),
    "many chunks": lambda table: pa.RecordBatchReader.from_batches(table.schema, chunks(table)),
    "arro3 table": lambda table: of_arro3("Table", table),
    "arro3 reader": lambda table: of_arro3("RecordBatchReader", table),
    "arro3 batch": lambda table: of_arro3("RecordBatch", table.to_batches()[0]),
    "nanoarrow stream": of_nanoarrow,
    "nanoarrow array": lambda table: of_nanoarrow(table).read_all(),
    "narwhals pandas": lambda table: of_narwhals(table.to_pandas()),
    "narwhals lazy": lambda table: of_narwhals(pl.DataFrame(table).lazy()),
    "narwhals lazy relation": lambda table: of_stable_narwhals(relation(table)),
    "narwhals protocol": lambda table: of_plugin("dataframe", table),
    "narwhals lazy protocol": lambda table: of_plugin("lazyframe", relation(table)),
    "ibis": of_ibis,
    "ibis in narwhals": lambda table: of_narwhals(of_ibis(table)),
}


def chunks(table: pa.Table) -> Iterator[pa.RecordBatch]:
    """Chunks of one row, each after an empty one."""
    for row in range(len(table)):
        yield pa.RecordBatch.from_pylist([], schema=table.schema)
        yield from table.slice(row, 1).to_batches()


def made(kind: str, table: Table | pa.RecordBatchReader) -> Any:
    library = kind.partition(" ")[0]
    if library in ("arro3", "nanoarrow", "narwhals", "ibis") and find_spec(library) is None:
        skip_unless_ci(f"needs {library}: pip install 'rankdcg_sql[test]'")
    return KINDS[kind](pa.table(table) if isinstance(table, dict) else table)


@pytest.mark.parametrize("kind", KINDS)
def test_a_stream_is_a_table(kind: str):
    truth = made(kind, {**TRUTH, "rel": [2, 1, 1, 1, 1]})
    wide = {**REC, "other": [[1]] * 5}
    assert of_users(truth, made(kind, wide), k=2, metrics="ndcg") == approx(NDCG)
    systems = {"old": made(kind, REC), "new": made(kind, wide)}
    compared = compare(made(kind, TRUTH), systems, k=2, metrics="ndcg")
    assert compared.means["ndcg@2"] == {name: approx(sum(NDCG.values()) / 3) for name in systems}
    segments = made(kind, {"userid": [1, 2, 3], "plan": ["x", "x", "y"]}) if "ibis" not in kind else None
    if segments is not None:
        found = evaluate(TRUTH, made(kind, REC), k=2, metrics="hit_rate", by="plan", segments=segments)
        assert dict(found.summary.project("plan, mean").fetchall()) == {None: approx(2 / 3), "x": 1, "y": 0}


def test_the_tables_of_a_connection_of_ibis():
    """They are read while the same connection looks up the names of others."""
    if find_spec("ibis") is None:
        skip_unless_ci("needs Ibis: pip install 'rankdcg_sql[test]'")
    import ibis

    con = ibis.duckdb.connect()
    for name, table in (("truth", TRUTH), ("rec", REC)):
        con.con.register("given", pa.table(table))
        con.con.execute(f"CREATE TABLE {name} AS FROM given").fetchall()
    rec = con.table("rec").filter(ibis._.score > 0)
    for truth in ("truth", con.table("truth")):
        assert of_users(truth, rec, k=2, metrics="ndcg", con=con.con) == approx(NDCG)
    with pytest.raises(ValueError, match=r"rec has no column 'score', but userid, itemid, value; name the"):
        evaluate("truth", rec.rename(value="score"), con=con.con)


def test_a_lazy_stream_is_computed_once():
    truth, rec = Lazy(pa.table(TRUTH)), Lazy(pa.table(REC))
    assert of_users(truth, rec, k=2, metrics=["ndcg"]) == approx(NDCG)
    assert of_users(truth, rec, k=2, metrics=["ndcg"]) == approx(NDCG)
    assert (truth.computed, rec.computed) == (2, 2)


# Types that DuckDB does not read, in columns that are read and in others


UNREADABLE = {
    "halffloat": pa.array(np.array([5, 4, 3, 2, 1], np.float16)),
    "decimal256(50, 2)": pa.array([1] * 5, pa.decimal256(50, 2)),
}


def test_a_stream_of_other_columns():
    with pytest.raises(ValueError, match=r"rec has no column 'userid', but a, b; name the right one"):
        evaluate(TRUTH, Lazy(pa.table({"a": [1], "b": [2]})))


@pytest.mark.parametrize("kind", UNREADABLE)
@pytest.mark.parametrize("given", [lambda table: table, lambda table: table.to_reader(), Lazy])
def test_types_that_duckdb_does_not_read(kind: str, given: Callable[[pa.Table], Any]):
    rec = pa.table(REC).append_column("other", UNREADABLE[kind])
    assert of_users(TRUTH, given(rec), k=2, metrics="ndcg") == approx(NDCG)
    with pytest.raises(
        ValueError, match=r"rec has no column 'scores', but userid, itemid, score, other; did"
    ):
        evaluate(TRUTH, given(rec), score="scores")
    sentence = (
        f"evaluate: rec cannot be read: other has the Arrow type {kind}, which DuckDB does not read: cast "
        "the column"
    )
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$") as raised:
        evaluate(TRUTH, given(rec), score="other")
    assert raised.value.argument == "rec"
    # None of its columns is read, and none can be.
    with pytest.raises(ValueError, match=r"rec has no column 'userid', but other|rec cannot be read"):
        evaluate(TRUTH, given(rec.select(["other"])))


def test_a_dataset_with_a_type_that_duckdb_does_not_read_is_an_error():
    rec = pyarrow.dataset.dataset(pa.table(REC).append_column("other", UNREADABLE["halffloat"]))
    with pytest.raises(ValueError, match=r"^evaluate: rec cannot be read: Not implemented Error"):
        evaluate(TRUTH, rec)


# Streams that end early, with an error, or were read before


def broken(error: BaseException, after: int) -> pa.RecordBatchReader:
    """A stream of many rows that raises an error after some batches."""

    def batches() -> Iterator[pa.RecordBatch]:
        batch = pa.table({name: column * 1000 for name, column in REC.items()}).to_batches()[0]
        for _ in range(after):
            yield batch
        raise error

    return pa.RecordBatchReader.from_batches(pa.table(REC).schema, batches())


@pytest.mark.parametrize("after", [0, 3])
@pytest.mark.parametrize(
    ("error", "said"),
    [
        (RuntimeError("the network is down"), "RuntimeError: the network is down"),
        (ValueError("row 7 is bad"), "row 7 is bad"),
        (KeyError("user"), "KeyError: 'user'"),
        (OSError(), "OSError: "),
    ],
)
def test_an_error_within_a_stream(after: int, error: Exception, said: str):
    with pytest.raises(ValueError, match=f"^evaluate: rec cannot be read: {re.escape(said)}$") as raised:
        evaluate(TRUTH, broken(error, after))
    assert isinstance(raised.value, CallError)
    assert (raised.value.argument, raised.value.__cause__) == ("rec", error)
    with pytest.raises(ValueError, match=f"^compare: new cannot be read: {re.escape(said)}$"):
        compare(TRUTH, {"old": REC, "new": broken(error, after)})
    # The next evaluation on the same database works.
    assert of_users(TRUTH, REC, k=2, metrics="ndcg") == approx(NDCG)


@pytest.mark.parametrize("kind", ["arro3 reader", "nanoarrow stream"])
def test_an_error_within_a_stream_of_another_library(kind: str):
    """The text alone comes through the C interface, and nothing of this package is in the sentence."""
    given = made(kind, broken(RuntimeError("the network is down"), 3))
    with pytest.raises(ValueError, match=r"^evaluate: rec cannot be read: .*the network is down") as raised:
        evaluate(TRUTH, given)
    assert "rankdcg_" not in str(raised.value)


@pytest.mark.parametrize("error", [KeyboardInterrupt(), SystemExit(3)], ids=repr)
def test_an_interrupt_within_a_stream_stays_one(error: BaseException):
    with pytest.raises(type(error)) as raised:
        evaluate(TRUTH, broken(error, 1))
    assert raised.value is error


@pytest.mark.parametrize(
    "other",
    [
        {"itemid": ["a"], "userid": [1], "score": [5.0]},
        {"userid": [1], "itemid": ["a"]},
        {"userid": [1], "itemid": ["a"], "score": [5]},
    ],
    ids=["order", "fewer", "type"],
)
def test_a_batch_with_other_columns_than_its_stream(other: Table):
    """Pyarrow does not compare them, so that numbers might be read as texts."""
    rec = pa.table(REC)
    batches = [*rec.to_batches(), *pa.table(other).to_batches()]
    with pytest.raises(ValueError, match=r"^evaluate: rec cannot be read: a batch has other columns than"):
        evaluate(TRUTH, pa.RecordBatchReader.from_batches(rec.schema, batches))


def test_a_stream_is_read_once():
    reader = pa.table(REC).to_reader()
    assert of_users(TRUTH, reader, k=2, metrics="ndcg") == approx(NDCG)
    sentence = "^evaluate: rec cannot be read: it has no rows, or had been read before$"
    with pytest.raises(ValueError, match=sentence):
        evaluate(TRUTH, reader)
    with pytest.raises(ValueError, match=sentence):
        evaluate(TRUTH, pa.RecordBatchReader.from_batches(pa.table(REC).schema, []))
    reader = pa.table(REC).to_reader()
    with pytest.raises(ValueError, match=r"^compare: new cannot be read: it has no rows, or had"):
        compare(TRUTH, {"old": reader, "new": reader})


class Wrong:
    """A stream that is none."""

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return 3


class Missing:
    """A stream that cannot be made."""

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        raise KeyError("no such table")


@pytest.mark.parametrize(
    ("rec", "message"),
    [
        (Wrong(), "rec cannot be read: "),
        (Missing(), "rec cannot be read: KeyError: 'no such table'$"),
        (pa.chunked_array([[1.0]]), "rec cannot be read: .*non-struct"),
        (pa.array([1.0]), "rec cannot be read: .*non-struct"),
        (pl.Series([1]), r"rec must be a path, .* an Arrow table or another object with __arrow_c_stream__, "
         r"a frame of narwhals, a dict of columns, .*, got Series$"),
        (object(), "rec must be a path, .*, got object$"),
    ],
)  # fmt: skip
def test_objects_that_are_no_tables(rec: Any, message: str):
    with pytest.raises((TypeError, ValueError), match=f"^evaluate: {message}") as raised:
        evaluate(TRUTH, rec)
    assert isinstance(raised.value, rankdcg_sql.CallError)
