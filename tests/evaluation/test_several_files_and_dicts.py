"""Tables in more forms: lists of files, and a dict of items for each user; and errors that lead to them."""

from __future__ import annotations

import gzip
import os
import re
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pytest
from support.two_tables import NDCG, REC, TRUTH, approx, written

from rankdcg_sql import CallError, DataWarning, compare, evaluate

MEAN = sum(NDCG.values()) / 3
CSV = "FORMAT csv, HEADER"


def part(table: dict[str, list[Any]], start: int, end: int) -> dict[str, list[Any]]:
    return {name: values[start:end] for name, values in table.items()}


def nested(table: dict[str, list[Any]], values: list[Any]) -> dict[Any, dict[Any, Any]]:
    """The items of each user with their values, as ranx and pytrec_eval take them."""
    found: dict[Any, dict[Any, Any]] = {}
    for user, item, value in zip(table["userid"], table["itemid"], values, strict=True):
        found.setdefault(user, {})[item] = value
    return found


# Lists of files


@pytest.mark.parametrize("form", [CSV, "FORMAT parquet"])
def test_several_files_are_one_table(tmp_path: Path, form: str):
    ending = "csv" if form == CSV else "parquet"
    paths = [written(tmp_path, f"{place}.{ending}", part(REC, place, place + 2), form) for place in (0, 2, 4)]
    found = evaluate(TRUTH, paths, metrics="ndcg@2")
    assert (found["ndcg@2"], found.counts.rec_rows) == (approx(MEAN), 5)
    patterns = (tmp_path / f"[02].{ending}", f"{tmp_path}/[4].{ending}")
    assert evaluate(TRUTH, patterns, metrics="ndcg@2").means == found.means
    assert evaluate(TRUTH, [paths[0]], metrics="ndcg@2").counts.rec_rows == 2


def test_several_trec_files_are_one_table(tmp_path: Path):
    (tmp_path / "1.txt").write_text("1 0 a 1\n1 0 b 0\n")
    (tmp_path / "2.txt").write_text("2 0 c 1\n")
    (tmp_path / "run.txt").write_text("1 Q0 b 1 2 x\n1 Q0 a 2 1 x\n2 Q0 c 1 1 x\n")
    paths = [tmp_path / "1.txt", tmp_path / "2.txt"]
    found = evaluate(paths, str(tmp_path / "run.txt"), metrics="mrr@2")
    assert (found["mrr@2"], found.options["ties"]) == (0.75, "item_desc")


@pytest.mark.parametrize(
    ("names", "error", "message"),
    [
        (["a.csv", "no.csv"], FileNotFoundError, "rec: there is no file '.*no.csv'$"),
        (["a.csv", "*.json"], FileNotFoundError, r"rec: there is no file '.*\*.json'$"),
        (["a.csv", "b.parquet"], ValueError, "rec: the files of one table must have one format, got .csv, "),
        (["a.csv", "truth.csv"], ValueError, r"rec \(.*a.csv and 1 more\): '.*truth.csv' cannot be both"),
        (["a.csv", "."], ValueError, "rec: '.*' is a folder, and a list may hold files only$"),
        (["a.csv", "other.csv"], ValueError, r"rec \(.*\): '.*a.csv' has the columns userid, "),
        (["a.csv", "wide.csv"], ValueError, "rec .*a.csv' has the columns .*wide.csv' has .*, note: all "),
        (["wide.csv", "a.csv"], ValueError, "rec .*wide.csv' has the columns .*, note, and '.*a.csv'"),
        (["o*.csv"], ValueError, r"rec \(.*other.csv and 2 more\) has no column 'userid', but u; "),
        (["other.csv"], ValueError, r"rec \(.*other.csv\) has no column 'userid', but u; "),
        (["run.txt", "run.gz"], ValueError, r"rec \(.*\): '.*run.txt' and '.*run.gz' must be compressed "),
        (["run.txt", "bad.txt"], ValueError,
         r"rec \(.*run.txt and 1 more\): .* got '1 Q0 c' \(line 2 of .*bad.txt\)$"),
        (["six.txt"], ValueError,
         r"rec \(.*six.txt\) has the runs of 6 systems \(ta, tb, tc, td, te\): put each into "),
        (["pipe"], ValueError, r"rec \(.*pipe\) is not a regular file: write the contents of a pipe to "),
    ],
)  # fmt: skip
def test_wrong_files(tmp_path: Path, names: list[str], error: type[Exception], message: str):
    truth = written(tmp_path, "truth.csv", TRUTH, CSV)
    written(tmp_path, "a.csv", REC, CSV)
    written(tmp_path, "b.parquet", REC, "FORMAT parquet")
    written(tmp_path, "wide.csv", REC | {"note": REC["userid"]}, CSV)
    for name in ("other.csv", "other1.csv", "other2.csv"):
        written(tmp_path, name, {"u": [1]}, CSV)
    (tmp_path / "run.txt").write_text("1 Q0 a 1 1 x\n")
    (tmp_path / "run.gz").write_bytes(gzip.compress(b"1 Q0 b 1 1 x\n"))
    (tmp_path / "bad.txt").write_text("1 Q0 b 1 1 x\n1 Q0 c\n")
    (tmp_path / "six.txt").write_text("".join(f"1 Q0 {item} 1 1 t{item}\n" for item in "fedcba"))
    if names == ["pipe"]:
        if not hasattr(os, "mkfifo"):
            pytest.skip("needs named pipes")
        os.mkfifo(tmp_path / "pipe")
    with pytest.raises(error, match=f"^evaluate: {message}"):
        evaluate(truth, [str(tmp_path / name) for name in names])


@pytest.mark.parametrize(
    ("ending", "row"), [("txt", "1 Q0 a 1 1 x\n"), ("jsonl", '{"userid": "1", "itemid": "a", "score": 1}\n')]
)
def test_one_of_several_files_may_be_empty(ending: str, row: str, tmp_path: Path):
    paths = [tmp_path / f"{place}.{ending}" for place in range(2)]
    for path, text in zip(paths, (row, ""), strict=True):
        path.write_text(text)
    truth = {"userid": ["1"], "itemid": ["a"]}
    assert evaluate(truth, paths, metrics="recall@1").means == {"recall@1": 1}
    with pytest.raises(ValueError, match=r"^evaluate: rec \(.*1.* and 1 more\) is an empty file$"):
        evaluate(truth, [paths[1], paths[1]])


def test_a_folder_without_parquet_is_no_table(tmp_path: Path):
    written(tmp_path, "rec.csv", REC, CSV)
    none = "the folder has no Parquet file, and no other files of a folder are read"
    with pytest.raises(FileNotFoundError, match=rf"^evaluate: rec \({re.escape(str(tmp_path))}\): {none}$"):
        evaluate(TRUTH, tmp_path)


def test_a_field_that_one_file_of_json_lacks_is_missing_there(tmp_path: Path):
    one, other = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    one.write_text('{"userid": 1, "itemid": "b", "score": 1}\n')
    other.write_text('{"userid": 2, "itemid": "c"}\n{"userid": 2, "itemid": "d", "score": 1, "more": 3}\n')
    with pytest.warns(DataWarning, match="1 row of rec without a score, left out"):
        found = evaluate(TRUTH, [one, other], metrics="hit_rate@2")
    assert [row[-1] for row in found.per_user.fetchall()] == [1, 0, 0]


# Dicts of dicts


def test_a_dict_of_items_for_each_user_is_a_table():
    truth, rec = nested(TRUTH, [1] * 5), nested(REC, REC["score"])
    expected = evaluate(TRUTH, REC, k=[2, None])
    found = evaluate(truth, rec, k=[2, None])
    assert found.means == expected.means
    assert found.counts == expected.counts
    named = evaluate(truth, rec, user="q", item="doc", score="s", rel="grade", metrics="ndcg@2")
    assert named.wide.columns == ["q", "ndcg@2"]
    assert named["ndcg@2"] == approx(MEAN)
    other = compare(truth, {"a": rec, "b": REC}, metrics="ndcg@2")
    assert other["ndcg@2"] == approx({"a": MEAN, "b": MEAN})


def test_relevances_of_a_dict_count():
    # The gains at 2 are 2^2 - 1 at rank 2; of the ideal order, 2^2 - 1 at rank 1 and 2^1 - 1 at rank 2.
    truth, rec = {1: {"a": 1, "b": 2, "c": 0}}, {1: {"c": 0.9, "b": 0.5}}
    found = evaluate(truth, rec, metrics=["ndcg@2", "precision@2"])
    discount = 0.6309297535714575
    assert found.means == approx({"ndcg@2": 3 * discount / (3 + discount), "precision@2": 0.5})


def test_relevances_of_a_dict_that_are_no_numbers():
    with pytest.warns(DataWarning, match="1 row of truth without a relevance, left out"):
        found = evaluate({1: {"a": None, "b": 1}}, {1: {"a": 2, "b": -1}}, metrics=["recall", "mrr"], k=2)
    # A score below 0 stays one, and so b is second.
    assert found.means == {"recall@2": 1.0, "mrr@2": 0.5}
    told = "^evaluate: rel of truth must be a number or a boolean, got texts"
    with pytest.raises(CallError, match=told) as error:
        evaluate({1: {"a": "x"}}, {1: {"a": 2}})
    assert error.value.argument == "rel"


def test_users_of_a_dict_without_items_have_no_row():
    truth, rec = {1: {"a": 1}, 2: {"b": 1}, 3: {}}, {1: {"a": 1}, 2: {}, 3: {"a": 1}}
    with pytest.warns(DataWarning) as met:
        found = evaluate(truth, rec, metrics="recall@1")
    left_out = "evaluate: 1 user of truth without any item left out, such as 3"
    assert [str(warning.message) for warning in met] == [left_out]
    assert (met[0].message.argument, met[0].message.kind) == ("truth", "argument")  # type: ignore[union-attr]
    assert (found["recall@1"], found.counts.users_evaluated, found.counts.users_without_rec) == (0.5, 2, 1)
    with pytest.raises(ValueError, match=r"^evaluate: rec has no rows$"):
        evaluate(TRUTH, {1: {}})


# Errors that say what to give instead


@pytest.mark.parametrize(
    ("rec", "argument", "message"),
    [
        ({"mine": REC, "popular": REC}, "rec",
         r"this is a dict of tables \(mine, popular\): give one of them, or call `compare`$"),
        ({"mine": pl.DataFrame(REC)}, "rec", r"rec must be one table, and this is a dict of tables \(mine\)"),
        ({"a": "a.csv", "b": "b.csv"}, "rec", r"this is a dict of tables \(a, b\)"),
        (pd.DataFrame(REC).to_dict(), "rec", r"rec has a dict for each column: .* to_dict\('list'\)$"),
        ({**REC, "itemid": {*"abcde"}}, "rec", "rec cannot be read: itemid is a set: give a list for "),
        ({**REC, "score": dict(enumerate(REC["score"]))}, "rec", "rec cannot be read: score is a dict: "),
        ({"userid": [1], "itemid": [["a", "b"]]}, "item",
         r"itemid of rec is VARCHAR\[\], and must be one item: .* explode, .* REPLACE "
         r'\(unnest\("itemid"\) AS "itemid"\), -unnest\(generate_series\(1, len\("itemid"\)\)\) '
         r'AS "score" FROM ...$'),
        ({"userid": [1], "itemid": [["a", "b"]], "score": [1]}, "item",
         r'REPLACE \(unnest\("itemid"\) AS "itemid"\) FROM ...$'),
        ({"userid": [1], "itemid": [["a", "b"]], "SCORE": [[2, 1]]}, "item",
         r'REPLACE \(unnest\("itemid"\) AS "itemid", unnest\("SCORE"\) AS "SCORE"\) FROM ...$'),
    ],
)  # fmt: skip
def test_tables_of_another_shape(rec: Any, argument: str, message: str):
    with pytest.raises(CallError, match=message) as error:
        evaluate(TRUTH, rec)
    assert (error.value.function, error.value.argument) == ("evaluate", argument)


def test_lists_of_judged_items_are_divided_with_their_relevances():
    truth = {"userid": [1], "itemid": [["a", "b"]], "grade": [[2, 1]]}
    divided = {
        None: 'unnest("itemid") AS "itemid"',
        "nope": 'unnest("itemid") AS "itemid"',
        "grade": 'unnest("itemid") AS "itemid", unnest("grade") AS "grade"',
    }
    for rel, columns in divided.items():
        message = (
            "evaluate: itemid of truth is VARCHAR[], and must be one item: a row for each, in a data frame "
            f"by explode, or with a query in place of the table: SELECT * REPLACE ({columns}) FROM ..."
        )
        with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
            evaluate(truth, REC, rel=rel)


@pytest.mark.parametrize("ending", ["parquet", "json"])
def test_the_query_of_the_error_about_lists_divides_them(ending: str, tmp_path: Path):
    lists = pl.DataFrame({"userid": [1, 2], "itemid": [["a", "c", "b"], ["a", "c"]]})
    path = str(tmp_path / f"lists.{ending}")
    (lists.write_parquet if ending == "parquet" else lists.write_ndjson)(path)
    with pytest.raises(ValueError, match="SELECT") as error:
        evaluate(TRUTH, path)
    query = str(error.value).partition("the table: ")[2].replace("...", f"'{path}'")
    assert evaluate(TRUTH, query, metrics="ndcg@2")["ndcg@2"] == approx(MEAN)
