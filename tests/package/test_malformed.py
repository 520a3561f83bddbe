"""Malformed Arrow arrays and plugin arguments are refused with a sentence, and the process goes on."""

from __future__ import annotations

import ctypes
import json
import os
import pickle
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pyarrow as pa
import pytest
from support import malformed

from rankdcg_sql import _native

GOOD = "a good array after all"
DEEPEST = "nested as deep as may be"
#: Cases whose type is malformed, too.
OF_TYPES = [*malformed.OF_TYPES, *(name for name in malformed.TYPES if name != DEEPEST)]
PLACES = {(entry, name): place for place, (entry, name) in enumerate(malformed.all_cases())}
ENTRIES = ("call", "call_lists", "polars", "users", "items_of_users")


@cache
def outcomes() -> dict[tuple[str, str], str | None]:
    """The error of each case; cases in which the process died are missing."""
    script, folder = str(Path(malformed.__file__)), str(Path(_native.extension_path()).parents[1])
    found: dict[tuple[str, str], str | None] = {}
    start = 0
    while start < len(PLACES):
        done = subprocess.run(
            [sys.executable, script, str(start)],
            capture_output=True,
            text=True,
            env=os.environ | {"PYTHONPATH": folder},
            timeout=120,
        )
        for line in done.stdout.splitlines():
            entry, name, error = json.loads(line)
            found[entry, name] = error
        if done.returncode == 0:
            break
        begun = [line for line in done.stderr.splitlines() if line.startswith('["')]
        entry, name = json.loads(begun[-1])
        start = PLACES[entry, name] + 1  # after the case in which the process died
    return found


def outcome(entry: str, name: str) -> str | None:
    """The error of a case, which must not end the process."""
    assert (entry, name) in outcomes(), "the process died"
    return outcomes()[entry, name]


#: Cases that are refused by entry points, and the beginning of the sentence, or words in it.
REFUSED = [
    # The deepest type is a good one. Elsewhere, the error is that its array has no rows.
    *(
        (entry, name, "^(recall_at|recall_at_agg|rank_metrics_by_user): ")
        for entry in ENTRIES
        for name in (*malformed.CASES, *malformed.TYPES)
        if (entry, name) != ("items_of_users", DEEPEST)
    ),
    # A type is refused before there are arrays.
    *(("field", name, "^recall_at: ") for name in OF_TYPES),
    *(
        (entry, name, "^rankdcg: the arguments of the plugin could not be read: ")
        for entry in ("plugin", "plugin_field")
        for name in malformed.PICKLES
    ),
    *(("NULL", name, "NULL|no place|released") for name in malformed.nulls()),
]


@pytest.mark.parametrize(("entry", "name", "text"), REFUSED)
def test_malformed_arrays_and_arguments_are_refused(entry: str, name: str, text: str):
    error = outcome(entry, name)
    assert error is not None
    assert re.search(text, error)
    assert "internal error" not in error


@pytest.mark.parametrize("name", [GOOD, *malformed.UNUSUAL])
@pytest.mark.parametrize("entry", ["call", "polars", "field"])
def test_unusual_arrays_and_a_good_one_after_all_are_read(entry: str, name: str):
    assert outcome(entry, name) is None


def test_nulls_that_nobody_counted_are_null():
    rec, truth = pa.array([[1], [3, None], [1]]), pa.array([None, [1, None, 3], [1]])
    arrays, schemas = _native._exported([rec, truth])
    for place in range(2):
        array = malformed.Array.from_buffer(arrays, place * ctypes.sizeof(malformed.Array))
        array.null_count = array.children[0].contents.null_count = -1
    found = _native._answer(_native._library().rankdcg_call, b"recall_at", 2, arrays, schemas)
    assert found.to_pylist() == [None, 0.5, 1]


def named(array: pa.Array, name: bytes) -> malformed.Series:
    """A column with this array as both of its two chunks."""
    (one, schema), (other, _) = malformed.exported(array), malformed.exported(array)
    schema.name = name
    return malformed.column(one, schema, other)


def test_columns_of_groups_may_come_in_chunks():
    """All columns come in chunks, also lists with the k of each group. The first column names the results."""
    lists = {b"score": [[2.0, 1.0, 0.0]], b"rel": [[0.0, 0.0, 1.0]], b"k": [[2, 2, 2]]}
    columns = [named(pa.array(values), name) for name, values in lists.items()]
    inputs, result = (malformed.Series * len(columns))(*columns), malformed.Series()
    kwargs = pickle.dumps(malformed.KWARGS | {"name": "recall_agg", "grouped_k": True}, protocol=5)
    library = malformed.library
    library._polars_plugin_evaluate(inputs, len(columns), kwargs, len(kwargs), ctypes.byref(result), None)
    assert result.private_data, library._polars_plugin_get_last_error_message()
    assert result.field.contents.name == b"score"
    chunks = [result.arrays[place].contents for place in range(result.len)]
    doubles = [ctypes.cast(chunk.buffers[1], ctypes.POINTER(ctypes.c_double))[0] for chunk in chunks]
    assert doubles == [0.0, 0.0]  # over the whole lists, it would be 1


def test_results_have_the_name_of_the_first_column_before_there_are_any():
    schemas = [malformed.exported(malformed.LISTS)[1] for _ in range(2)]
    schemas[0].name, schemas[1].name = b"rec", b"truth"
    fields, result = (malformed.Schema * 2)(*schemas), malformed.Schema()
    kwargs = pickle.dumps(malformed.KWARGS, protocol=5)
    malformed.library._polars_plugin_field_evaluate(fields, 2, ctypes.byref(result), kwargs, len(kwargs))
    assert result.name == b"rec"


def test_deeply_nested_items_are_refused_by_type_name():
    runs = pa.RunEndEncodedArray.from_arrays(pa.array([1, 2], pa.int32()), pa.array([1, 2]))
    lists = pa.ListArray.from_arrays(pa.array([0, 2], pa.int32()), runs)
    with pytest.raises(ValueError, match=r"^mrr: items of type RunEndEncoded\(.*\) cannot be compared$"):
        _native.call("mrr", [lists, lists])


def test_types_may_nest_as_deep_as_64_levels():
    assert outcome("field", DEEPEST) is outcome("items_of_users", DEEPEST) is None
    # The array has no rows, and the other argument has two. So the error is not about the depth.
    of_length = "must be of equal length, got 2 and 0", "must be of one length, got 2 and 0 rows"
    for entry, expected in zip(("call", "polars"), of_length, strict=True):
        assert str(outcomes()[entry, DEEPEST]).endswith(expected)


@pytest.mark.parametrize(
    ("name", "error"),
    [
        ("negative offset", "the offset of an array must be 0 to 1099511627776, got -1"),
        ("more NULLs than values", "an array of length 2 cannot have 3 NULLs"),
        ("two children", "an array of List(Int64) has 1 children, got 2"),
        ("child NULL", "an array of Int64 is NULL"),
        ("type with two children", 'type "+l" has 1 children, got 2'),
        ("nested one deeper", "types are nested more than 64 deep"),
        ("2^60 fields", "a type has more than 65536 parts"),
    ],
)
def test_an_error_names_the_argument_and_what_is_wrong_with_it(name: str, error: str):
    assert outcomes()["call", name] == f"recall_at: argument 2 is no valid Arrow array: {error}"
    assert str(outcomes()["polars", name]).endswith(error)
