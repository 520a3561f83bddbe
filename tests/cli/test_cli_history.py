"""The command `history`, and the options `--append` and `--label`."""

from __future__ import annotations

import csv
import io
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import duckdb
import pytest
from support.commands import printed, rows, run
from support.process import unread

import rankdcg_sql

HISTORY = "history.parquet"
#: Options that draw a picture, if that is possible here.
DRAWN = ["--plot", "drop.svg"] if find_spec("matplotlib") else []
EVALUATE = ["evaluate", "--truth", "truth.csv", "--rec", "rec.csv", "-k", "1", "-m", "recall"]
NUMBERS = ("metric", "k", "n", "mean", "low", "high", "without_value", "interval_by")


@pytest.fixture(autouse=True)
def users(here: Path) -> None:
    """The tables of 100 users, of whom 50 or 80 find their item."""
    users = "FROM range(100) AS users(userid)"
    duckdb.sql(f"COPY (SELECT userid, 'a' AS itemid {users}) TO 'truth.csv'")
    for name, hits in {"rec": 50, "mine": 80}.items():
        items = f"if(userid < {hits}, 'a', 'b') AS itemid, 1 AS score"
        duckdb.sql(f"COPY (SELECT userid, {items} {users}) TO '{name}.csv'")


def kept(path: str = HISTORY) -> list[dict[str, Any]]:
    return rankdcg_sql.history(path).runs.project("* EXCLUDE (run_at)").to_arrow_table().to_pylist()


@pytest.mark.parametrize("path", ["history.parquet", "history.csv"])
def test_evaluate_appends_what_it_prints_and_the_tables(path: str) -> None:
    done = run(*EVALUATE, "--append", path, "--label", "v42")
    (row,) = kept(path)
    assert [{name: row[name] for name in NUMBERS}] == rows(*EVALUATE)
    assert (row["label"], row["truth"], row["rec"]) == ("v42", "truth.csv", "rec.csv")
    assert f"Appended to {path}" in done.stderr


def test_compare_appends_each_system() -> None:
    run("compare", *EVALUATE[1:], "--rec", "new=mine.csv", "--append", HISTORY)
    found = [(row["system"], row["rec"], row["mean"], row["label"]) for row in kept()]
    assert found == [("rec", "rec.csv", 0.5, None), ("new", "mine.csv", 0.8, None)]


def append(label: str, rec: str = "rec.csv", truth: str = "truth.csv", *more: str) -> None:
    """Append the recall of a table to the history."""
    given = ["--truth", truth, "--rec", rec, *more, "-k", "1", "-m", "recall"]
    run("evaluate", *given, "--append", HISTORY, "--label", label)


def two_runs() -> None:
    append("old")
    append("new", "mine.csv")


def test_history_prints_changes_and_notes() -> None:
    two_runs()
    done = run("history", HISTORY)
    assert "+0.3000 *" in done.stdout
    assert "old" in done.stdout
    headline, note, *_ = done.stderr.splitlines()
    assert headline == "History of 2 runs, each against the previous run"
    assert note.startswith("- 1 of 1 change is significant")
    assert max(map(len, done.stdout.splitlines())) <= 100
    (first, second) = printed("history", HISTORY)
    assert (first["is_significant"], second["is_significant"], second["against_label"]) == (None, True, "old")
    assert second["difference"] == pytest.approx(0.3)
    of_csv = csv.DictReader(io.StringIO(run("history", HISTORY, "--output", "csv").stdout))
    assert [row["mean"] for row in of_csv] == ["0.5", "0.8"]
    against = ["--against", "new", "--metric", "recall@1", "--output", "markdown"]
    lines = run("history", HISTORY, *against).stdout.splitlines()
    assert [line.split("|")[-4].strip() for line in lines[2:]] == ["-0.3000 *", ""]


def test_one_change_that_is_not_significant_is_one() -> None:
    append("a")
    append("b")
    assert "- 0 of 1 change is significant" in run("history", HISTORY).stderr


def test_a_drop_of_the_last_run_has_an_exit_code() -> None:
    two_runs()
    run("history", HISTORY, "--fail-on-drop")
    append("fallen")
    assert "failed" not in run("history", HISTORY).stderr
    # A drop is no reason to draw nothing.
    done = run("history", HISTORY, "--fail-on-drop", *DRAWN, code=3)
    assert done.stderr.splitlines()[-1] == (
        "failed: recall@1: 0.5000 in run fallen is significantly below 0.8000 in run new "
        "(95% interval of the difference -0.4277 to -0.1723)"
    )
    assert "-0.3000 *" in done.stdout
    assert Path("drop.svg").exists() == bool(DRAWN)
    run("history", HISTORY, "--fail-on-drop", "--against", "old")


def test_anytime_needs_a_larger_drop() -> None:
    append("old", "mine.csv")
    duckdb.sql(
        "COPY (SELECT * REPLACE (if(userid < 13, 'z', itemid) AS itemid) FROM 'mine.csv') TO 'less.csv'"
    )
    append("new", "less.csv")
    drop = ["history", HISTORY, "--fail-on-drop"]
    assert "(95% interval of the difference -0.2" in run(*drop, code=3).stderr
    assert "0 of 1 change is significant (*): the 95% anytime interval" in run(*drop, "--anytime").stderr
    assert "anytime_low" in printed("history", HISTORY, "--anytime")[0]


def test_a_last_run_without_a_user_has_an_exit_code() -> None:
    two_runs()
    Path("nothing.csv").write_text("userid,itemid,rel\n1,a,0\n2,a,0\n")
    append("empty", "rec.csv", "nothing.csv", "--rel", "rel")
    run("history", HISTORY)
    done = run("history", HISTORY, "--fail-on-drop", "--other-truth", code=3)
    told = "failed: recall@1: no user has a value in run empty, so a drop is not excluded"
    assert done.stderr.splitlines()[-1] == told
    append("again", "mine.csv")
    run("history", HISTORY, "--fail-on-drop", "--other-truth")


def test_another_truth_is_refused_unless_it_is_allowed() -> None:
    two_runs()
    duckdb.sql("COPY (SELECT userid, 'a' AS itemid FROM range(99) AS users(userid)) TO 'fewer.csv'")
    run("history", HISTORY, "--fail-on-drop")
    append("fewer", "mine.csv", "fewer.csv")
    done = run("history", HISTORY, "--fail-on-drop", code=3)
    (told,) = [line for line in done.stderr.splitlines() if line.startswith("failed: ")]
    assert told == (
        "failed: truth as it was read in run fewer is not that in run new, so a change may be one of "
        "judgements, which rankdcg-sql explain tells apart; --other-truth allows it"
    )
    run("history", HISTORY, "--fail-on-drop", "--other-truth")
    changes = rankdcg_sql.history(HISTORY).changes
    assert changes.project("label, has_same_truth").fetchall() == [
        ("old", None), ("new", True), ("fewer", False)
    ]  # fmt: skip
    done = run("history", HISTORY, "--other-truth", code=2)
    assert "--other-truth needs --fail-on-drop" in done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has other errors of pipes")
def test_a_drop_has_its_exit_code_if_nobody_reads() -> None:
    two_runs()
    append("fallen")
    assert unread("history", HISTORY, "--fail-on-drop").returncode == 3
    assert unread("history", HISTORY).returncode == 1


@pytest.mark.parametrize(("ending", "start"), [("SVG", b"<?xml"), ("png", b"\x89PNG"), ("pdf", b"%PDF")])
def test_history_draws_a_picture(ending: str, start: bytes) -> None:
    two_runs()
    done = run("history", "history.parquet", "--plot", f"history.{ending}")
    assert done.stderr.endswith(f"\nWrote history.{ending}\n")
    assert Path(f"history.{ending}").read_bytes().startswith(start)


@pytest.mark.parametrize(
    ("given", "text"),
    [
        (["--append", "own.parquet"], "is no history of rankdcg_sql, and stays as it is"),
        (["--append", "truth.csv"], "is no history of rankdcg_sql, and stays as it is"),
        (["--append", "history.xlsx"], "must end with .parquet or .csv"),
        (["--append", "none/history.csv"], "there is no folder"),
        (["--append", "h.csv", "--label", " "], "label must not be empty, got ' '"),
        (["--append", "h.csv", "--label", "first"], "'previous' or 'first', which mean other runs"),
        (["--label", "v1"], "--label needs --append"),
        (["--append", "h.csv", "--per-user", "sub/../h.csv"], "--append and --per-user need different files"),
    ],
)
def test_wrong_options_end_before_the_evaluation(here: Path, given: list[str], text: str) -> None:
    Path("own.parquet").write_text("mine")
    Path("sub").mkdir()
    before = {path: path.is_file() and path.read_bytes() for path in here.iterdir()}
    # A table that is missing would be the error of the evaluation.
    done = run("evaluate", "--truth", "none.csv", "--rec", "rec.csv", *given, code=2)
    assert text in " ".join(done.stderr.split())
    assert {path: path.is_file() and path.read_bytes() for path in here.iterdir()} == before


@pytest.mark.parametrize(
    ("given", "text", "code"),
    [
        (["none.parquet"], "there is no file 'none.parquet'", 1),
        (["truth.csv"], "is no history of rankdcg_sql: it lacks the column run_at and 9 others", 1),
        ([HISTORY, "--against", "v9"], "--against must be 'previous' or 'first' or 'new' or 'old'", 1),
        ([HISTORY, "--metric", "ndcg"], "there is no measure 'ndcg', but recall@1", 1),
        ([HISTORY, "--plot", "history.txt"], "'history.txt' must end with .svg, .png, .pdf", 2),
        ([HISTORY, "--plot", "no/history.svg"], "there is no folder 'no'", 2),
        ([HISTORY, "--against", "\udcff"], "is not text in UTF-8", 2),
    ],
)
def test_errors_of_history(given: list[str], text: str, code: int) -> None:
    two_runs()
    assert text in " ".join(run("history", *given, code=code).stderr.split())
