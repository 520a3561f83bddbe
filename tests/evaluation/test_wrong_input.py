"""Errors and warnings about wrong input."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import math
import re
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import polars as pl
import pytest
from support.two_tables import NDCG, REC, TRUTH, Table, approx, of_users, written

import rankdcg_sql
from rankdcg_sql import DataWarning, _static, evaluate


def wrong(**columns: Any) -> Table:
    """Recommendations with other columns."""
    return {**REC, **columns}


def judged(*rels: Any) -> dict[str, Any]:
    """Judgements with relevances. The first relevance fills the rows that are left."""
    return {"truth": {**TRUTH, "rel": [*rels, *rels[:1] * (5 - len(rels))]}, "rel": "rel"}


#: Wrong tables and arguments, each with the message of the error.
WRONG: list[tuple[dict[str, Any], str]] = [
    ({"truth": REC, "rec": TRUTH},
     "rec has no column 'score', but userid, itemid; name the right one with score=; "
     "truth has the column 'score', and rec has not: are the two swapped.$"),
    # Either table has the column that is named as missing under another name.
    ({"truth": {"userid": [1], "song": ["a"], "score": [1.0]}, "rec": {**TRUTH, "rel": [1] * 5}},
     "truth has no column 'itemid', but userid, song, score; name the right one with truth_item=; "
     "truth has the column 'score', and rec has not: are the two swapped.$"),
    ({"rec": {"user_id": [1], "itemid": ["a"], "score": [1.0]}},
     "rec has no column 'userid', but user_id, itemid, score; did you mean rec_user='user_id'.$"),
    # The case of names is no reason for another hint.
    ({"rec": {"User_ID": [1], "itemid": ["a"], "score": [1.0]}},
     "rec has no column 'userid', but User_ID, itemid, score; did you mean rec_user='user_id'.$"),
    ({"rec_user": "uid"},
     "rec has no column 'uid', but userid, itemid, score; did you mean rec_user='userid'"),
    ({"truth": {"account": [1], "itemid": ["a"]}, "user": "uid", "rec_user": "userid"},
     "truth has no column 'uid', but account, itemid; name the right one with user=, or that of truth "
     "alone with truth_user=$"),
    ({"truth_user": "mean"}, "the results have a column 'mean' already"),
    ({"user": "uid"}, "truth has no column 'uid', but userid, itemid; did you mean user='userid'"),
    # Both tables have scores, so they do not look swapped.
    ({"truth": {**TRUTH, "score": [1] * 5}, "user": "uid"},
     "truth has no column 'uid', but userid, itemid, score; did you mean user='userid'.$"),
    ({"by": "nope"}, "truth has no column 'nope'"),
    ({"rel": "rating"}, "truth has no column 'rating'"),
    ({"rec": wrong(userid=["1"] * 5)},
     "userid of truth is BIGINT, userid of rec is VARCHAR, and they cannot be compared: cast userid of "
     "truth to VARCHAR, in a data frame before the call, or with a query in place of the table: "
     r'SELECT \* REPLACE \("userid"::VARCHAR AS "userid"\) FROM ...$'),
    ({"rec": wrong(itemid=[1] * 5)},
     "itemid of truth is VARCHAR, itemid of rec is BIGINT, .*: cast itemid of rec to VARCHAR, in a data "
     r'frame before the call, or with a .* REPLACE \("itemid"::VARCHAR AS "itemid"\) FROM ...$'),
    ({"rec": wrong(userid=[7] * 5)}, "no user of rec is one of truth, .* such as 1, 2, 3, and in rec 7"),
    ({"rec": wrong(itemid=[1.0, 2.0, 3.0, 4.0, 5.0]), "truth": {"userid": [1], "itemid": [1]}},
     "itemid of truth is BIGINT, itemid of rec is DOUBLE, .*: cast itemid of rec to BIGINT, .* in pandas "
     r"by astype\({'itemid': 'Int64'}\), which keeps missing ids, or .*::BIGINT AS "),
    ({"rec": wrong(itemid=[1] * 5), "truth": {"userid": [1], "itemid": [1.5]}},
     "itemid of truth is DOUBLE, itemid of rec is BIGINT, .*: cast itemid of truth to BIGINT, .* in "
     r"pandas by astype\({'itemid': 'Int64'}\), which keeps missing ids, or .*::BIGINT AS "),
    ({"rec": "SELECT 1 AS userid, 'a' AS itemid, NULL::VARCHAR AS score"},
     "score of rec has no value but NULL"),
    ({"rec": "SELECT 1 AS userid, 'a' AS itemid, '1.5' AS score"},
     "score of rec must be a number, got texts that are numbers: cast the column"),
    ({"rec": wrong(score=["x"] * 5)}, "score of rec must be a number, got texts such as 'x'$"),
    ({"rec": wrong(score=["1", None, "1_0", "1", "1"])},
     "score of rec must be a number, got texts such as '1_0'$"),
    ({"rec": wrong(score=["x" * 81] * 5)}, f"score of rec must be a number, got texts such as '{'x' * 80}'$"),
    ({"rec": wrong(score=[True] * 5)}, "score of rec must be a number, got BOOLEAN$"),
    ({"truth": "SELECT 1 AS userid, 'a' AS itemid, DATE '2020-01-01' AS rel", "rel": "rel"},
     "rel of truth must be a number or a boolean, got DATE$"),
    # Before DuckDB 2.0, a column of NULLs is one of integers.
    (judged(None), "rel of truth has no value but NULL$" if _static.installed()
     else "no row of truth has a user and a relevance that is a number$"),
    (judged(math.nan), "no row of truth has a user and a relevance that is a number$"),
    (judged("x"), "rel of truth must be a number or a boolean, got texts such as 'x'"),
    (judged(1, -1), r"must not be negative, got -1 \(user 1, item 'b' of truth\)"),
    (judged(1, math.inf), r"must be finite, got inf \(user 1, item 'b' of truth\)"),
    ({"truth": {"userid": [1, 1], "itemid": ["a", "a"], "rel": [1, 2]}, "rel": "rel"},
     r"judges an item twice, with relevance 1 and 2 \(user 1, item 'a' of truth\)"),
    # rankdcg allows relevances below 0, which are therefore not the ones that are named.
    (judged(-1, math.inf) | {"metrics": "rankdcg"}, r"must be finite, got inf \(user 1, item 'b' of truth\)"),
    ({"truth": {"userid": [1] * 3, "itemid": ["a", "b", "b"], "rel": [-1, 2, 3]}, "rel": "rel",
      "metrics": "rankdcg"}, r"judges an item twice, with relevance 2 and 3 \(user 1, item 'b' of truth\)"),
    ({"truth": {**TRUTH, "s": [1, 2, 1, 1, 1]}, "by": "s"},
     "s must be the same in all rows of a user .* for 1"),
    ({"truth": {**TRUTH, "s": ["x", None, "x", "x", "x"]}, "by": "s"},
     "s must be the same in all rows of a user"),
    ({"truth": {**TRUTH, "NDCG@5": [1] * 5}, "by": "NDCG@5"}, "the results have a column 'NDCG@5' already"),
    ({"truth": {**TRUTH, "USERID": [1] * 5}, "by": "USERID"}, "the results have a column 'USERID' already"),
    ({"truth": {**TRUTH, "retrieved": [1] * 5}, "by": "retrieved"},
     "the results have a column 'retrieved' already"),
    ({"truth": " "}, "truth is an empty text: give a path, a query or the name of a table$"),
    ({"partitions": 3}, "partitions is for tables on Spark, of which there are none, got 3$"),
    ({"rec": "SELECT 1; SELECT 2"}, "rec must be one query that returns rows, got 'SELECT 1; SELECT 2'$"),
    ({"truth": {}}, "truth "),
    ({"truth": {"userid": 1, "itemid": 2}}, "truth cannot be read"),
    ({"rec": wrong(score=[math.nan] * 5)}, "no row of rec has a user and a score that is a number"),
    ({"rec": "SELECT 1 AS x; DROP TABLE rankdcg_truth"}, "rec must be one query that returns rows"),
    ({"rec": "FROM (DELETE FROM t)"}, "rec: "),
    ({"metrics": "P_10"}, r"there is no metric 'P_10': did you mean 'precision@10'\?"),
    ({"metrics": "ndcg_cut_5,10"}, "there is no metric 'ndcg_cut_5,10': did you mean 'ndcg@5', 'ndcg@10'"),
    ({"metrics": "ndcg_10"}, r"there is no metric 'ndcg_10': did you mean 'ndcg@10'\?"),
    ({"metrics": "ndcg@x"}, "there is no metric 'ndcg@x': did you mean ndcg"),
    ({"metrics": "ndcg@"}, "there is no metric 'ndcg@': did you mean ndcg"),
    ({"metrics": "ndcg@0"}, "k must be at least 1, got 0"),
    ({"metrics": "rankdcg@5"}, "rankdcg ranks the whole list and takes no cutoff, got 'rankdcg@5'"),
    ({"metrics": ["ndcg@5", "map@10"], "k": [5, 7]},
     r"k is for metrics without a cutoff of their own, of which there are none, got \[5, 7\]$"),
    ({"metrics": ["ndcg@5", "map@all"], "k": 10},
     "k is for metrics without a cutoff of their own, of which there are none, got 10"),
    ({"metrics": "roc_auc"},
     "roc_auc is a function of SQL and Polars, and no metric of two tables: did you mean auc"),
    ({"metrics": "10"}, "there is no metric '10': there are precision, recall"),
    ({"metrics": "recall,ndcg"},
     r"there is no metric 'recall,ndcg': give a list of names, such as \['ndcg', 'recall@5'\]"),
    ({"truth": {"userid": [], "itemid": []}}, "truth has no rows"),
    ({"rec": {"userid": [], "itemid": [], "score": []}}, "rec has no rows"),
    ({"k": 0}, "k must be at least 1, got 0"),
    ({"k": [5, -(10**30)]}, "k must be at least 1"),
    ({"k": [5, 0]}, "k must be at least 1, got 0$"),
    ({"k": 2**63}, "k must be at most 9223372036854775807, got 9223372036854775808$"),
    ({"k": []}, "k is empty"),
    ({"metrics": "ndgc"}, "there is no metric 'ndgc': did you mean ndcg"),
    ({"metrics": []}, "metrics is empty; there are precision, "),
    ({"users": "all"}, "users must be 'truth' or 'both' or None, got 'all'"),
    ({"interval": "z"}, "interval must be 't' or 'bootstrap' or 'anytime', got 'z'"),
    ({"confidence": 95}, "confidence must be a number between 0 and 1, got '95'"),
    ({"gain": "cubic"}, "gain must be exp2"),
    ({"p": 0.5}, "p is an option of rbp, rbp_residual, "),
    ({"denominator": "k"}, "denominator is short for the option of one metric: give precision_denominator, "
     "recall_denominator or ap_denominator$"),
    ({"metrics": "err"}, "max_rel must be given"),
    ({"rec": "\udcff.parquet"}, r"rec: '.*\.parquet' is not text in UTF-8"),
    ({"rec": "(SELECT*FROM nowhere)"},
     "rec: Catalog Error: Table with name nowhere does not exist.*; the query runs on an empty "
     "database: give another one with con=$"),
    ({"rec": "-- none\nSELECT 1 AS x"}, "rec has no column 'userid', but x"),
    ({"seed": 1}, "seed is for random numbers, which are drawn with interval='bootstrap', got 1"),
    ({"threads": 1},
     "threads is no option: run SET threads = 1 on a connection of DuckDB, and give it with con=, or give "),
    ({"duplicates": "count"},
     "duplicates is an option of functions over lists: in a table, one row for each user and item counts"),
    ({"metrics": "rankdcg", "k": 5}, "rankdcg ranks the whole list and takes no k, got 5"),
    ({"by": "userid"}, "the results have a column 'userid' already: rename yours"),
    ({"user": "USERID", "by": "userid"}, "the results have a column 'userid' already: rename yours"),
    ({"truth": "SELEC 1"}, "truth: there is no file 'SELEC 1'"),
    ({"rec": "SELECT * FROM nowhere"}, "rec: Catalog Error: Table with name nowhere does not exist"),
    ({"rec": "SELECT nope"}, "rec: Binder Error"),
]  # fmt: skip


@pytest.mark.parametrize(("given", "message"), WRONG)
def test_wrong_input(given: dict[str, Any], message: str):
    with pytest.raises((ValueError, FileNotFoundError), match=f"^evaluate: .*{message}") as error:
        evaluate(**{"truth": TRUTH, "rec": REC, **given})
    assert "LINE 1" not in str(error.value)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"k": "5"}, "k must be a whole number, \"all\" or None for the whole list, .* got '5'"),
        ({"k": 2.5}, "k must be a whole number, .* or a list of these, got 2.5"),
        ({"k": True}, "k must be a whole number, .* or a list of these, got True"),
        ({"k": pl.DataFrame({"a": [1]})}, "k must be a whole number, .*, got a Series$"),
        ({"user": pl.DataFrame(TRUTH)}, "user must be the name of a column, got a DataFrame$"),
        ({"con": pl.DataFrame(TRUTH)}, "con must be a DuckDB connection, got a DataFrame$"),
        ({"gian": "linear"}, "there is no option 'gian': did you mean gain"),
        ({"ks": [1, 2]}, r"there is no option 'ks': did you mean k\?"),
        ({"metric": "ndcg"}, "there is no option 'metric': did you mean metrics"),
        ({"relevance": "rating"}, r"there is no option 'relevance': did you mean rel\?"),
        ({"relevance_level": 2}, r"there is no option 'relevance_level': did you mean min_rel\?"),
        ({"options": "gain=linear"}, 'options are keyword arguments here: give gain="linear"'),
        ({"user": None}, "user must be the name of a column, got None$"),
        ({"score": None}, "score must be the name of a column, got None$"),
        ({"min_re": 1}, r"there is no option 'min_re': did you mean min_rel or max_rel\?$"),
        ({"rec_item_name": "x"}, r"there is no option 'rec_item_name': did you mean rec_item"),
        ({"something_else": 1}, "there is no option 'something_else'$"),
        ({"user": ("u", "v")}, r"user must be the name of a column, got \('u', 'v'\)"),
        ({"truth_item": 3}, "^evaluate: truth_item must be the name of a column, got 3"),
        ({"con": "x"}, "con must be a DuckDB connection, got 'x'"),
        ({"progress": 1}, "progress must be True or False, got 1$"),
        ({"spark": 3}, "spark must be a session of Spark, got int$"),
        ({"rec": ["a.csv", 3]}, "rec must be a path, .* with their values, got list$"),
        ({"rec": []}, "rec must be a path, .* with their values, got list$"),
        ({"metrics": 3}, "metrics must be a name or a list of names, got 3"),
        ({"by": 3}, "evaluate: by must be names of columns, got 3"),
        ({"rec": 3}, "rec must be a path, a query, the name of a table, .*, got int"),
        ({"truth": [1]}, "truth must be a path, .*, got list"),
    ],
)
def test_wrong_types(arguments: dict[str, Any], message: str):
    with pytest.raises(TypeError, match=message):
        evaluate(**{"truth": TRUTH, "rec": REC, **arguments})


def test_an_option_of_none_is_not_given():
    found = evaluate(TRUTH, REC, k=2, metrics="ndcg", gain=None, min_rel=None, idcg="k")
    assert found.options == {"idcg": "k"}
    with pytest.raises(TypeError, match=r"^evaluate: there is no option 'gian': did you mean gain\?$"):
        evaluate(TRUTH, REC, gian=None)


@pytest.mark.parametrize("k", [0, -1, 5 - 2**64, -(2**70)])
def test_a_k_far_below_1_has_the_error_of_a_k_below_1(k: int):
    with pytest.raises(ValueError, match=r"^evaluate: k must be at least 1, got (0|-\d+)$"):
        evaluate(TRUTH, REC, k=k)


@pytest.mark.parametrize(
    ("metrics", "options"),
    [
        (None, {}),
        # These are above 0 without a hit.
        (["idcg", "recall"], {}),
        (["idcg"], {}),
        (["rbp_residual", "recall"], {}),
        (["utility(worth=1:1:0)", "recall"], {}),
        (["rankdcg"], {"rel": [-1, -2, -1, -2, -3], "k": None}),
        (["recall"], {"rel": [0, 0, 1, 1, 1], "no_relevant": "one"}),
        (["ndcg(no_relevant=one)"], {"rel": [0, 0, 1, 1, 1]}),
    ],
)
def test_items_that_are_never_the_same(metrics: list[str] | None, options: dict[str, Any]):
    rels = options.get("rel")
    truth = {**TRUTH, "rel": rels} if rels else TRUTH
    given = {"k": 2, **options, "rel": "rel" if rels else None}
    with pytest.warns(
        DataWarning, match="no item of rec is one of truth, .*as 'a', 'b', 'c', and in rec 'x'"
    ):
        evaluate(truth, wrong(itemid=["x"] * 5, userid=[1, 2, 3, 4, 5]), metrics=metrics, **given)


def test_the_only_item_in_common_may_be_beyond_the_first_block(recwarn: pytest.WarningsRecorder):
    rec = {"userid": [1] * 2048 + [2], "itemid": [f"x{place}" for place in range(2048)] + ["a"]}
    evaluate(TRUTH, {**rec, "score": [*range(2049)]}, k=2, metrics="idcg")
    assert not recwarn.list


def test_items_in_common_only_across_users_give_no_warning(recwarn: pytest.WarningsRecorder):
    found = evaluate({1: {"a": 1}, 2: {"b": 1}}, {1: {"b": 1}, 2: {"a": 1}}, k=1, metrics="recall")
    assert [row[1] for row in found.wide.fetchall()] == [0, 0]
    assert not recwarn.list


RUN = b"1 Q0 a 1 0.5 x\n"


def zipped(data: bytes) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as opened:
        opened.writestr("run.txt", data)
    return file.getvalue()


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("rec.csv", "", "is an empty file"),
        ("rec.csv", "userid,itemid,score\n", "has no rows"),
        ("rec.parquet", "no parquet", "cannot be read: .*Parquet"),
        ("rec.json", "{", "cannot be read: "),
        ("rec.txt", "hello world\n",
         r"is none of Parquet \(.parquet\), CSV \(.csv, .tsv\), JSON \(.json, .jsonl, .ndjson\), or a "
         "TREC file; its first line is 'hello world'$"),
        ("rec.txt", "userid,itemid,score\n", "; if it is a CSV file, let its name end with .csv$"),
        ("rec.csv", "userid,column0,score\n1,a,0.5\n",
         "but userid, column0, score; name the right one with rec_item=$"),
        ("rec.csv", "1 Q0 a 1 0.5 x\n" * 2, "; it looks like a TREC file: let its name end with .txt$"),
        ("rec.csv", "1 0 a 1\n" * 2, "; it looks like a TREC file: let its name end with .txt$"),
        ("rec.csv", "1,a,0.5\n2,b,0.4\n",
         "; it has no line of names: add one, or if it is a TREC file, let its name end with .txt$"),
        *(("rec.csv", "userid,itemid,score\n1,a\n2,b,0.5\n3,c,1\n".replace(",", separator),
           "; its lines could not be divided into columns: do all of them have as many as the first.$")
          for separator in ",;|\t"),
        ("rec.txt", "1 0 a 1\n", "is TREC qrels, but must be a TREC run: are truth and rec swapped?"),
        ("rec.txt", "1 Q0 a 1 0.5 x\n1 Q0 b\n",
         r"each line of a TREC run must have 6 fields .*, got '1 Q0 b' \(line 2 of .*rec.txt\)"),
        ("rec.txt", "1 Q0 a 1 0.5 x\n1 Q0 b 2 0.4 x y\n",
         "each line of a TREC run must have 6 .* got '1 Q0 b 2 0.4 x y'"),
        ("rec.txt", "1 Q0 a 1 high x\n", "with a number as score, got '1 Q0 a 1 high x'"),
        ("rec.txt", "1 Q0 a 1 0.5 x\n1 Q0 b 2 0.4 y\n", r"has the runs of 2 systems \(x, y\): put each"),
        *(("run.txt", compress(RUN),
           rf"rec \(.*run.txt\) is compressed with {kind}: decompress it first, or use gzip$")
          for kind, compress in {"bzip2": bz2.compress, "xz": lzma.compress, "zip": zipped}.items()),
        # The place of a bad line is found in compressed files.
        ("run.gz", gzip.compress(b"\n%b\n 1 Q0 b \n" % RUN, mtime=0),
         r"got ' ?1 Q0 b ?' \(line 4 of .*run.gz\)$"),
        # DuckDB's message goes on with options of its reader.
        *((name, data, r"rec .* cannot be read: .* This file is not utf-8 encoded\.$") for name, data in
          {"rec.txt": b"1 Q0 \xe9 1 0.5 x\n", "rec.csv": b"userid,itemid,score\n1,\xe9,0.5\n"}.items()),
    ],
)  # fmt: skip
def test_wrong_files(name: str, content: str | bytes, message: str, tmp_path: Path):
    path = tmp_path / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    with pytest.raises(ValueError, match=f"^evaluate: rec .*{re.escape(name)}.* {message}|{message}"):
        evaluate(TRUTH, path)


def test_a_folder_of_both_tables_is_refused(tmp_path: Path):
    """A folder stands for all of its Parquet files. DuckDB would mix the columns of the two tables."""
    rec = written(tmp_path, "rec.parquet", REC, "FORMAT parquet")
    truth = written(tmp_path, "truth.parquet", TRUTH, "FORMAT parquet")
    differ = r"rec.parquet' has the columns userid, itemid, score, and '.*truth.parquet' has userid, itemid:"
    for both in (str(tmp_path), str(tmp_path / "*.parquet")):
        for other in (REC, rec):
            with pytest.raises(ValueError, match=differ):
                evaluate(both, other)
    (tmp_path / "alone").mkdir()
    alone = written(tmp_path / "alone", "rec.parquet", REC, "FORMAT parquet")
    told = r"rec \(.*\): .*alone/rec.parquet' cannot be both truth and rec: give"
    with pytest.raises(ValueError, match=told):
        evaluate(str(tmp_path / "alone"), alone)
    (tmp_path / "link.parquet").symlink_to(rec)
    for other in (rec, tmp_path / "link.parquet"):
        with pytest.raises(ValueError, match="cannot be both truth and rec"):
            evaluate(rec, other)
    queried = f"FROM '{truth}' SEMI JOIN '{rec}' USING (userid)"
    assert evaluate(queried, f"FROM '{rec}'", k=2).counts.truth_rows == 4


@pytest.mark.parametrize("cases", [(str.lower, str.upper), (str.upper, str.lower)], ids=["lower", "upper"])
def test_several_files_may_write_their_columns_in_any_case(tmp_path: Path, cases: Any):
    for name, case in zip("ab", cases, strict=True):
        part = slice(0, 3) if name == "a" else slice(3, 5)
        table = {case(column): values[part] for column, values in REC.items()}
        written(tmp_path, f"{name}.parquet", table, "FORMAT parquet")
    assert of_users(TRUTH, str(tmp_path / "*.parquet"), k=2, metrics="ndcg") == approx(NDCG)


def test_recommendations_of_several_systems_may_be_one_file(tmp_path: Path):
    rec = written(tmp_path, "rec.parquet", REC, "FORMAT parquet")
    compared = rankdcg_sql.compare(TRUTH, {"a": rec, "b": rec}, k=2)
    assert compared.differences.project("difference").distinct().fetchall() == [(0.0,)]


def test_a_qrels_file_of_one_endless_line(tmp_path: Path):
    """Only the start of the line is read. The line has 3 GB here, in a sparse file."""
    with (tmp_path / "qrels").open("wb") as file:
        file.write(b"1 0 a 1 ")
        file.truncate(3 << 30)
    code = (
        "import resource, sys, rankdcg_sql; resource.setrlimit(resource.RLIMIT_AS, (5 << 29, 5 << 29))\n"
        "try: rankdcg_sql.evaluate(sys.argv[1], {'userid': ['1'], 'itemid': ['a'], 'score': [1]})\n"
        "except ValueError as error: print(error)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "qrels")], capture_output=True, text=True, check=False
    )
    assert "is none of Parquet" in done.stdout, done.stderr
    assert "its first line has more than 1,000,000 bytes, and starts with '1 0 a 1" in done.stdout
    (tmp_path / "later").write_bytes(b"1 0 a 1\n" + b"x" * 3_000_000)
    with pytest.raises(ValueError, match=r"truth \(.*later\) cannot be read: .*[Mm]aximum line size"):
        evaluate(tmp_path / "later", {"userid": ["1"], "itemid": ["a"], "score": [1]})


def test_texts_that_are_no_unicode():
    """Half of a surrogate pair, which can come from a file name or the command line."""
    half = "x\udc80"
    for argument in ("user", "item", "score", "rel", "by"):
        with pytest.raises(ValueError, match=rf"^evaluate: {argument} must be text in UTF-8, got 'x\\udc80'"):
            evaluate(TRUTH, REC, **{argument: half})
    with pytest.raises(ValueError, match=r"^evaluate: options must be text in UTF-8, got 'gain=x\\udc80'"):
        evaluate(TRUTH, REC, gain=half)
    with pytest.raises(ValueError, match=r"^compare: recs must be text in UTF-8, got 'x\\udc80'"):
        rankdcg_sql.compare(TRUTH, {"a": REC, half: REC})
    with pytest.raises(ValueError, match=r"^evaluate: truth cannot be read"):
        evaluate({half: [1]}, REC)
    found = evaluate(TRUTH, REC, k=2, metrics="ndcg")
    with pytest.raises(ValueError, match=r"^write: path must be text in UTF-8, got 'x\\udc80.csv'"):
        found.write(f"{half}.csv")
    with pytest.raises(ValueError, match=r"^report: title must be text in UTF-8"):
        found.report(title=half)


def test_files_that_do_not_exist(tmp_path: Path):
    for rec in (tmp_path / "no", str(tmp_path / "no.parquet"), str(tmp_path / "*.csv")):
        with pytest.raises(FileNotFoundError, match=r"^evaluate: rec \(.*\): there is no such file"):
            evaluate(TRUTH, rec)
    with pytest.raises(
        FileNotFoundError,
        match="there is no file 'rec'; for a table of a database, give the connection with con=",
    ):
        evaluate(TRUTH, "rec")


@pytest.mark.parametrize("sign", [1, -1])
def test_a_refused_row_is_named_with_its_own_relevances(sign: int):
    """Many rows are refused. The relevances and the row of the message belong together."""
    order = np.random.default_rng(3).permutation(100)
    truth = {"userid": order // 2, "itemid": ["x"] * 100, "rel": sign * (order + 1)}
    relevances = "an item twice, with relevance 1 and 2" if sign > 0 else r"must not be negative, got -[12]"
    with pytest.raises(ValueError, match=rf"{relevances} \(user 0, item 'x' of truth\)$"):
        evaluate(truth, {"userid": [1], "itemid": ["x"], "score": [1]}, rel="rel", k=1)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([(1, None, -5), (2, "b", -1), (2, "a", -2)],
         "relevance in rel must not be negative, got -2 (user 2, item 'a' of truth)"),
        ([(1, None, 1), (1, None, 2), (2, "b", 1), (2, "a", 2), (2, "b", 3), (2, "a", 4)],
         "truth judges an item twice, with relevance 2 and 4 (user 2, item 'a' of truth)"),
    ],
)  # fmt: skip
def test_the_refused_row_that_is_named_is_the_first_with_an_item(rows: list[Any], message: str):
    """Rows without an item are ignored, whatever their relevance is."""
    truth = dict(zip(("userid", "itemid", "rel"), map(list, zip(*rows, strict=True)), strict=True))
    with pytest.raises(ValueError, match=f"^{re.escape(f'evaluate: {message}')}$"):
        evaluate(truth, REC, rel="rel")
    of_no_item = {"userid": [1, 1], "itemid": [None, "a"], "rel": [-5, 1]}
    with pytest.warns(DataWarning, match="row of truth without an item, ignored"):
        found = evaluate(of_no_item, REC, rel="rel", metrics="mrr@1")
    assert found.means == {"mrr@1": 1}


def test_names_of_an_enum_have_quotes_in_messages():
    truth = "SELECT '7'::ENUM('7', '8') AS userid, '8'::ENUM('7', '8') AS itemid, -1 AS rel"
    with duckdb.connect() as con, pytest.raises(ValueError, match=r" \(user '7', item '8' of truth\)$"):
        evaluate(truth, f"SELECT * EXCLUDE (rel), 1 AS score FROM ({truth})", rel="rel", con=con)
