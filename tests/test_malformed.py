"""Arrow arrays and plugin arguments that are none: refused with a sentence, by a process that lives on."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import malformed
import pytest

from rankdcg_sql import _native

GOOD = "a good array after all"
#: What is wrong with arrays that is also wrong with their types.
OF_TYPES = [
    "format NULL",
    "format not in UTF-8",
    "unknown format",
    "name not in UTF-8",
    "type without children",
    "type with two children",
    "type with a negative number of children",
    "type with a huge number of children",
    "types of children NULL",
    "type of a child NULL",
    "keys of a dictionary of text",
    "entries of a map that are no structs",
    "negative width",
    "negative width of bytes",
    "nested one deeper",
    "nested 100,000 deep",
    "2^60 fields",
]
PLACES = {(entry, name): place for place, (entry, name) in enumerate(malformed.all_cases())}
ENTRIES = ("call", "call_lists", "polars")


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
        start = PLACES[entry, name] + 1  # after the one that the process died of
    return found


@pytest.mark.parametrize("name", [*malformed.CASES, *malformed.TYPES])
@pytest.mark.parametrize("entry", ENTRIES)
def test_malformed_arrays_are_refused(entry: str, name: str):
    assert (entry, name) in outcomes(), "the process died"
    error = outcomes()[entry, name]
    assert error is not None
    assert error.startswith(("recall_at: ", "recall_at_agg: "))
    assert "internal error" not in error


@pytest.mark.parametrize("name", OF_TYPES)
def test_malformed_types_are_refused_before_there_are_arrays(name: str):
    assert ("field", name) in outcomes(), "the process died"
    error = outcomes()["field", name]
    assert error is not None
    assert error.startswith("recall_at: ")
    assert "internal error" not in error


@pytest.mark.parametrize("name", malformed.PICKLES)
@pytest.mark.parametrize("entry", ["plugin", "plugin_field"])
def test_arguments_of_a_plugin_that_are_none_are_refused(entry: str, name: str):
    assert (entry, name) in outcomes(), "the process died"
    error = outcomes()[entry, name]
    assert error is not None
    assert error.startswith("rankdcg: the arguments of the plugin could not be read: ")


@pytest.mark.parametrize("name", malformed.nulls())
def test_pointers_that_are_null_are_refused(name: str):
    assert ("NULL", name) in outcomes(), "the process died"
    error = outcomes()["NULL", name]
    assert error is not None
    assert "NULL" in error or "no place" in error or "released" in error


@pytest.mark.parametrize("entry", ["call", "polars", "field"])
def test_a_good_array_is_read_after_all_of_them(entry: str):
    assert outcomes()[entry, GOOD] is None


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
