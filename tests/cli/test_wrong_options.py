"""Wrong options and tables of `evaluate`, `compare` and `report`: errors name the option and the fault."""

from __future__ import annotations

import os
import re
from pathlib import Path

import duckdb
import pytest
from support.commands import BOTH, FILES, TABLES, run

NEEDS_PAIRS = "--test tukey_hsd needs --baseline all, and no system called all."
#: Tables of which each has a fault.
WRONG_FILES = {
    "columns.csv": "user_id,movie,score\n1,1,0.9\n",
    "blank.csv": "userid,itemid,the scores\n1,1,0.9\n",
    "strangers.csv": "userid,itemid,score\n71,1,0.9\n",
    "grades.csv": "userid,itemid,score\n1,1,high\n",
    "empty.csv": "",
    "two.run": "q1 Q0 d1 1 0.5 bm25\nq1 Q0 d1 1 0.5 dense\n",
}


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--truth", "rec.csv", "--rec", "truth.csv"],
         "rec (truth.csv) has no column 'score'.* "
         "truth (rec.csv) has the column 'score', and rec (truth.csv) has not: are the two swapped?"),
        (["--truth", "run.txt", "--rec", "qrels.txt"],
         "truth (run.txt) is a TREC run, but must be TREC qrels: are truth and rec swapped?"),
        (["--rec", "columns.csv"],
         "rec (columns.csv) has no column 'userid', but user_id, movie, score; did you mean "
         "--rec-user user_id?"),
        ([*TABLES, "--user", "user_id"], "no column 'user_id'.* did you mean --user userid?"),
        (["--rec", "blank.csv", "--score", "the score"], "did you mean --score 'the scores'?"),
        ([*TABLES, "--rel", "stars"], "no column 'stars'.* name the right one with --rel="),
        (["--rec", "strangers.csv"], "no user of rec (strangers.csv) is one of truth.* 1, 2, 3.* 71"),
        (["--rec", "grades.csv"], "score of rec (grades.csv) must be a number, got texts such as 'high'"),
        (["--rec", "empty.csv"], "rec (empty.csv) is an empty file"),
        (["--rec", "missing.csv"], "rec (missing.csv): there is no such file"),
        (["--rec", "missing"], "rec (missing): there is no file and no table of this name"),
        (["--rec", "missing.run"], "rec (missing.run): there is no file and no table of this name"),
        (["--rec", "recc", "--database", "shop.db"], "rec (recc): there is no file and no table"),
        (["--rec", "FROM missing"], "rec: Catalog Error: Table with name missing does not exist!"),
        ([*TABLES, "--database", "run.txt"], "run.txt cannot be opened as a database"),
        ([*TABLES, "-m", "ndcg,tbg"], "'tbg': rankdcg_sql does not compute time-biased gain"),
        ([*TABLES, "-m", "ndcg,rbo"], "rbo is a function of SQL and Polars, and no metric of two tables"),
        ([*TABLES, "-m", "ndcg,"], "there is no metric ''"),
        ([*TABLES, "-m", "rankdcg", "-k", "5"], "rankdcg ranks the whole list and takes no k, got [5]"),
        ([*TABLES, "-m", "ndcg@10", "-k", "5"],
         "--k is for metrics without a cutoff of their own, of which there are none, got [5]"),
        ([*TABLES, "--options", "gian=linear"], "there is no option 'gian': did you mean gain?"),
        ([*TABLES, "--options", "gain=log"], "gain must be exp2, linear, .* got 'log'"),
        ([*TABLES, "--options", "p=0.5"], "p is an option of rbp, rbp_residual, "),
        ([*TABLES, "--seed", "1"], "--seed is for random numbers, .* drawn with --interval bootstrap, got 1"),
        ([*TABLES, "--memory-limit", "1MB"], "Out of Memory"),
        ([*TABLES, "--user", "value"], "the results have a column 'value' already"),
        ([*TABLES, "--segments", "users.csv"], "--segments has the .* named with --by or --weight\n"),
    ],
)  # fmt: skip
def test_errors_name_the_fault(tables: Path, args: list[str], message: str) -> None:
    for name, text in WRONG_FILES.items():
        Path(name).write_text(text)
    truth = [] if "--truth" in args else ["--truth", "truth.csv"]
    done = run("evaluate", *truth, *args, code=1)
    assert done.stdout == ""
    assert re.match("Error: .*" + ".*".join(map(re.escape, message.split(".*"))), done.stderr)


def test_errors_of_a_comparison_name_options_and_systems(tables: Path) -> None:
    Path("two.run").write_text(WRONG_FILES["two.run"])
    done = run("compare", "--truth", "qrels.txt", "--rec", "run.txt", "--rec", "b=two.run", code=1)
    assert done.stderr.startswith("Error: b (two.run) has the runs of 2 systems")
    done = run("compare", *BOTH, "--baseline", "his", code=1)
    assert done.stderr == "Error: --baseline must be 'rec' or 'mine' or 'all', got 'his'\n"
    done = run("compare", *BOTH, "--resamples", "9", code=1)
    assert "--resamples is for random numbers, " in done.stderr
    assert "drawn with --interval bootstrap, --test randomization or --test tukey_hsd, got 9\n" in done.stderr


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["evaluate", *TABLES, "--k", "0"], "'0' is no cutoff: give whole numbers from 1 on, or all"),
        (["evaluate", *TABLES, "--k", "abc"], "'abc' is no cutoff"),
        (["evaluate", *TABLES, "--k", "5,,10"], "'' is no cutoff"),
        (["evaluate", *TABLES, "--k", "-3"], "'-3' is no cut"),
        (["evaluate", *TABLES, "--k", "1.5"], "'1.5' is no cut"),
        (["evaluate", *TABLES, "--k", str(2**63)], "is no cut"),
        (["evaluate", *TABLES, "--options", "gain"], "expected NAME=VALUE, got 'gain'"),
        (["evaluate", *TABLES, "--options", "gain=exp2,gain=linear"], "gain is given twice"),
        (["evaluate", *TABLES, "--options", "k=5"], "k is not an option of metrics"),
        (["evaluate", *TABLES, "--options", "test=t"], "test is not an option of metrics"),
        (["evaluate", *TABLES, "--options", "=linear"], "expected NAME=VALUE, got '=linear'"),
        (["evaluate", *TABLES, "--options", "convention=ranx", "--convention", "spark"], "convention once"),
        (["evaluate", *TABLES, "--convention", "mine"], "'mine' is not one of 'hivemall_page'"),
        (["evaluate", *TABLES, "--confidence", "95"], "95.0 is not in the range 0<x<1"),
        (["evaluate", *TABLES, "--confidence", "1"], "1.0 is not in the range 0<x<1"),
        (["evaluate", *TABLES, "--confidence", "0"], "0.0 is not in the range 0<x<1"),
        (["evaluate", *TABLES, "--resamples", "0"], "0 is not in the range 1<=x<=1000000"),
        (["evaluate", *TABLES, "--seed", "-1"], "-1 is not in the range 0<=x<=18446744073709551615"),
        (["evaluate", *TABLES, "--unit", "query"], "unit must be a word in the plural that ends with s"),
        (["compare", *BOTH, "--margin", "-0.1"], "-0.1 is not in the range x>=0"),
        (["evaluate", *TABLES, "--memory-limit", "lots"], "'lots' is not a size that DuckDB accepts"),
        (["evaluate", *TABLES, "--threads", "0"], "'--threads': 0 is not in the range"),
        (["evaluate", *TABLES, "--database", "no.db"], "File 'no.db' does not exist"),
        (["evaluate", *TABLES, "--per-user", "out.txt"], "'out.txt' must end with .parquet, .csv"),
        (["evaluate", *TABLES, "--per-user", "no/out.csv"], "there is no folder 'no'"),
        (["evaluate", *TABLES, "--wide"], "--wide and --long need --per-user: they are about its file"),
        (["evaluate", *TABLES, "--rec", "mine.csv"], "give it once, or use `rankdcg-sql compare`"),
        (["evaluate", "--truth", "\udcff", "--rec", "rec.csv"], "is not text in UTF-8"),
        (["evaluate", "--truth", "truth.csv", "--rec", "\udcff"], "is not text in UTF-8"),
        (["compare", *TABLES, "--rec", "new=\udcff"], "is not text in UTF-8"),
        (["evaluate", *TABLES, "--segments", "\udcff"], "is not text in UTF-8"),
        (["evaluate", *TABLES, "--require", "\udcff"], "is not text in UTF-8"),
        (["evaluate", "--truth", "truth.csv"], "Missing option '--rec'"),
        (["compare", *TABLES], "Give --rec for two systems or more"),
        (["compare", *TABLES, "--rec", "rec.csv"], "'rec.csv' and 'rec.csv' are both called 'rec'"),
        (["compare", *TABLES, "--rec", "rec=mine.csv"], "give each a name of its own, as in --rec NAME"),
        (["compare", *TABLES, "--rec", "FROM 'mine.csv'"], "needs a name, as in --rec NAME=TABLE"),
        (["compare", *TABLES, "--rec", "m*.csv"], "'m*.csv' needs a name"),
        (["report", *TABLES, "--test", "t", "--out", "a.html"], "--test is for a comparison"),
        (["compare", *BOTH, "--test", "tukey_hsd"], NEEDS_PAIRS),
        (["compare", *BOTH, "--test", "tukey_hsd", "--baseline", "mine"], NEEDS_PAIRS),
        (["compare", *BOTH, "--rec", "all=rec.csv", "--test", "tukey_hsd", "--baseline", "all"], NEEDS_PAIRS),
        (["report", *BOTH, "--test", "tukey_hsd", "--out", "a.html"], NEEDS_PAIRS),
        (["report", *TABLES], "Missing option '--out'"),
        (["report", *TABLES, "--out", "no/a.html"], "there is no folder 'no'"),
    ],
)
def test_wrong_usage_is_an_error_before_the_work(tables: Path, args: list[str], message: str) -> None:
    done = run(*args, code=2)
    assert done.stdout == ""
    assert message in done.stderr


# Files that are read, or cannot be written


@pytest.mark.parametrize(
    ("args", "path"),
    [
        (["evaluate", *TABLES, "--per-user"], "rec.csv"),
        (["evaluate", *TABLES, "--by", "country", "--segments", "users.csv", "--per-user"], "users.csv"),
        (["evaluate", "--truth", "truth.csv", "--rec", "FROM read_csv('in/rec.csv')", "--per-user"],
         "in/rec.csv"),
        (["evaluate", "--truth", "truth.csv", "--rec", "in/*.csv", "--per-user"], "in/rec.csv"),
        (["compare", "--truth", "truth.csv", "--rec", "a=./in/rec.csv", "--rec", "mine.csv", "--per-user"],
         "in/rec.csv"),
        (["evaluate", "--truth", "truth.csv", "--rec", "parts", "--per-user"], "parts/rec.parquet"),
        (["report", *TABLES, "--out"], "truth.csv"),
        (["report", *TABLES, "--database", "shop.db", "--out"], "shop.db"),
    ],
)  # fmt: skip
def test_a_file_or_folder_that_is_read_is_not_written_into(tables: Path, args: list[str], path: str) -> None:
    Path("in").mkdir()
    Path("in/rec.csv").write_text(FILES["rec.csv"])
    Path("parts").mkdir()
    duckdb.sql("COPY (FROM 'rec.csv') TO 'parts/rec.parquet'")
    before = Path(path).read_bytes()
    # Another name of the same file is refused, too.
    for name in (path, tables / path):
        done = run(*args, name, code=2)
        assert f"{str(name)!r} is one of the files that are read: write to another file" in done.stderr
    assert Path(path).read_bytes() == before


def test_a_file_of_the_name_of_one_that_is_read_is_replaced(tables: Path) -> None:
    Path("in").mkdir()
    Path("in/rec.csv").write_text(FILES["rec.csv"])
    run("evaluate", "--truth", "truth.csv", "--rec", "in/*.csv", "--per-user", "rec.csv")
    assert Path("rec.csv").read_text().startswith("userid,metric,k,value\n")


@pytest.mark.parametrize("given", [["evaluate", *TABLES], ["compare", *BOTH]])
def test_a_folder_that_is_not_writable(
    tables: Path, given: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    # The user root may write anywhere.
    monkeypatch.setattr(os, "access", lambda path, mode: mode != os.W_OK)
    assert "the folder '.' is not writable" in run(*given, "--per-user", "a.csv", code=2).stderr
