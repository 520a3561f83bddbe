"""The commands `evaluate`, `compare` and `report`: output, files, wrong input, terminals, real data."""

from __future__ import annotations

import csv
import io
import json
import os
import pty
import re
import select
import shlex
import signal
import subprocess
import sys
import time
from html import escape
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Any

import click.testing
import duckdb
import pytest
from scipy import stats
from support import latex
from support.outputs import not_json, trec_values
from support.paths import PAGES

import rankdcg_sql
from rankdcg_sql.cli import main

if TYPE_CHECKING:
    from collections.abc import Callable

TABLES = ["--truth", "truth.csv", "--rec", "rec.csv"]
BOTH = ["--truth", "truth.csv", "--rec", "rec.csv", "--rec", "mine.csv"]
# The values of users 1, 2 and 3 at k=2, by hand.
RECALL = {"rec": [1 / 3, 1, 0], "mine": [2 / 3, 1, 0]}
MRR = {"rec": [1, 1 / 2, 0], "mine": [1, 1, 0]}
FILES = {
    "truth.csv": "userid,itemid,rating,country\n1,1,5,FR\n1,2,4,FR\n1,4,1,FR\n2,3,5,IT\n3,5,4,FR\n",
    "rec.csv": "userid,itemid,score\n1,1,0.9\n1,3,0.8\n1,2,0.3\n2,1,0.7\n2,3,0.6\n",
    "mine.csv": "userid,itemid,score\n1,1,0.9\n1,2,0.8\n2,3,0.3\n3,1,0.7\n",
    "qrels.txt": "q1 0 d1 1\nq2 0 d2 1\n",
    "run.txt": "q1 Q0 d1 1 0.5 bm25\nq1 Q0 d2 2 0.4 bm25\nq2 Q0 d1 1 0.4 bm25\n",
    "other.txt": "q1 Q0 d2 1 0.5 dense\nq2 Q0 d2 1 0.4 dense\n",
    "users.csv": "userid,country\n1,FR\n2,IT\n3,FR\n",
}
NEEDS_PAIRS = "--test tukey_hsd needs --baseline all, and no system called all."
WRONG_FILES = {
    "columns.csv": "user_id,movie,score\n1,1,0.9\n",
    "texts.csv": "userid,itemid,score\nann,1,0.9\nbob,2,0.8\n",
    "strangers.csv": "userid,itemid,score\n71,1,0.9\n",
    "grades.csv": "userid,itemid,score\n1,1,high\n",
    "header.csv": "userid,itemid,score\n",
    "empty.csv": "",
    "broken.parquet": "this is not Parquet",
    "notes.txt": "hello world\n",
    "two.run": "q1 Q0 d1 1 0.5 bm25\nq1 Q0 d1 1 0.5 dense\n",
    "repeats.csv": "userid,itemid,score\n1,1,0.9\n1,1,0.8\n1,,0.5\n,2,0.5\n2,3,\n2,3,0.3\n",
    "negative.csv": "userid,itemid,rel\n1,1,-2\n",
    "blank.csv": "userid,itemid,the scores\n1,1,0.9\n",
}


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory, with tables in it."""
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        Path(name).write_text(text)
    with duckdb.connect("shop.db") as con:
        for table, file in {"truth": "truth", "rec": "rec", "popular": "rec", "mine": "mine"}.items():
            con.execute(f"CREATE TABLE {table} AS FROM '{file}.csv'")
        con.execute("COPY truth TO 'truth.parquet'; COPY rec TO 'rec.parquet'")
        con.execute("COPY rec TO 'popular.csv'; COPY mine TO 'mine.parquet'; COPY rec TO 'popular.parquet'")
    return tmp_path


def run(*args: str | Path, code: int = 0) -> click.testing.Result:
    runner = click.testing.CliRunner(env=dict.fromkeys(("FORCE_COLOR", "TTY_COMPATIBLE", "COLUMNS")))
    result = runner.invoke(main, [str(arg) for arg in args], prog_name="rankdcg-sql")
    assert result.exception is None or isinstance(result.exception, SystemExit), result.output
    assert result.exit_code == code, result.output
    return result


def objects(*args: str | Path) -> list[dict[str, Any]]:
    """The rows that a command prints as JSON."""
    found: list[dict[str, Any]] = whole(*args)["rows"]
    return found


def whole(*args: str | Path, code: int = 0) -> dict[str, Any]:
    """The object that a command prints as JSON."""
    printed = run(*args, "--output", "json", code=code).stdout
    found: dict[str, Any] = json.loads(printed, parse_constant=not_json)
    return found


def near(value: float) -> Any:
    return pytest.approx(value, rel=0, abs=1e-12)


# evaluate


def test_means_and_intervals(here: Path) -> None:
    found = objects("evaluate", *TABLES, "-k", "2", "--metric", "recall,mrr", "--confidence", "0.9")
    for row, metric, values in zip(found, ("recall", "mrr"), (RECALL, MRR), strict=True):
        low, high = stats.ttest_1samp(values["rec"], 0).confidence_interval(0.9)
        assert row == {
            "metric": metric, "k": 2, "n": 3, "mean": near(fmean(values["rec"])),
            "low": pytest.approx(max(low, 0), abs=1e-9), "high": pytest.approx(min(high, 1), abs=1e-9),
            "without_value": 0, "interval_by": "t",
        }  # fmt: skip


def test_csv_and_json_have_every_digit_and_null(here: Path) -> None:
    Path("one.csv").write_text("userid,itemid\n1,1\n1,2\n1,4\n")
    args = ["evaluate", "--truth", "one.csv", "--rec", "rec.csv", "-k", "2,all", "-m", "recall,dcg"]
    expected = [("recall", 2, 1 / 3), ("recall", None, 2 / 3), ("dcg", 2, 1.0), ("dcg", None, 1.5)]
    found = objects(*args)
    for row, (metric, k, mean) in zip(found, expected, strict=True):
        # One value says something of the mean if it has limits: those of DCG have no end.
        low, high = 0.025 * mean, 1 - 0.025 * (1 - mean)
        ends = (near(low), near(high), "range") if metric == "recall" else (None, None, None)
        assert row.pop("without_value") == 0
        assert row == {
            "metric": metric, "k": k, "n": 1, "mean": mean,
            **dict(zip(("low", "high", "interval_by"), ends, strict=True)),
        }  # fmt: skip
    rows = list(csv.DictReader(io.StringIO(run(*args, "--output", "csv").stdout)))
    assert [row.pop("without_value") for row in rows] == ["0"] * 4
    assert rows == [
        {name: "" if value is None else str(value) for name, value in row.items()} for row in found
    ]


@pytest.mark.parametrize(
    ("kind", "row"),
    [
        ("table", r"│ recall +│ +2 │ 3 │ 0\.4444 │"),
        ("markdown", r"\| recall \| 2 \| 3 \| 0\.4444 \|"),
        ("html", r"<td>recall</td>.*0\.4444"),
        ("latex", r"Recall & 2 & 3 & 0\.4444 &"),
    ],
)
def test_other_outputs_are_rounded(here: Path, kind: str, row: str) -> None:
    text = run("evaluate", *TABLES, "-k", "2,all", "-m", "recall,mrr", "--output", kind).stdout
    assert re.search(row, text)
    assert "all" in text


def test_data_warnings_go_to_standard_error(here: Path) -> None:
    Path("repeats.csv").write_text(WRONG_FILES["repeats.csv"])
    done = run(
        "evaluate", "--truth", "truth.csv", "--rec", "repeats.csv", "--rel", "rating", "--output", "csv"
    )
    assert done.stdout.startswith("metric,k,n,")
    headline, *notes = done.stderr.splitlines()
    assert headline == "Evaluation of 3 users"
    assert all(note.startswith("- 1 ") for note in notes)
    assert [re.sub(r",.*|:.*", "", note) for note in notes] == [
        "- 1 user of truth without a row in rec",
        "- 1 row of rec with the user and item of another row",
        "- 1 row of rec without a user",
        "- 1 row of rec without an item",
        "- 1 row of rec without a score",
    ]


def test_a_system_called_rec_has_each_note_once(here: Path) -> None:
    Path("repeats.csv").write_text(WRONG_FILES["repeats.csv"])
    done = run("compare", "--truth", "truth.csv", "--rec", "rec=repeats.csv", "--rec", "mine.csv")
    assert done.stderr.count("1 row of rec without a score") == 1


def test_a_warning_is_a_note(here: Path) -> None:
    done = run(
        "evaluate", "--truth", "truth.csv", "--rec", "SELECT * REPLACE (-itemid AS itemid) FROM 'rec.csv'"
    )
    assert "- no item of rec is one of truth (truth.csv)" in done.stderr
    assert "DataWarning" not in done.stderr


def test_a_warning_names_options_of_the_command_and_comes_once(here: Path) -> None:
    Path("graded.csv").write_text("userid,itemid,relevance\n1,1,1\n2,3,1\n")
    done = run("compare", "--truth", "graded.csv", "--rec", "rec.csv", "--rec", "mine.csv")
    text = "truth (graded.csv) has a column 'relevance', but no --rel relevance is given: each of its rows"
    assert done.stderr.count(text) == 1
    done = run("evaluate", "--truth", "truth.csv", "--rec", "rec.csv", "--options", "min_rel=2")
    assert "min_rel=2 is about relevances, but no --rel= names their column in truth" in done.stderr


def test_metrics_and_cuts_in_any_way(here: Path) -> None:
    several = ["-k", "2", "--k", "ALL, 1", "-m", "MRR", "--metric", "recall_at,mrr"]
    found = objects("evaluate", *TABLES, *several)
    assert [(row["metric"], row["k"]) for row in found] == [
        (metric, k) for metric in ("mrr", "recall") for k in (2, None, 1)
    ]
    assert [row["k"] for row in objects("evaluate", *TABLES, "-m", "mrr")] == [5, 10]
    assert {row["metric"] for row in objects("evaluate", *TABLES)} >= {"precision", "ndcg", "mrr", "f1"}
    assert "auc" not in {row["metric"] for row in objects("evaluate", *TABLES)}


@pytest.mark.parametrize(
    ("args", "mean"),
    [
        (["-m", "recall", "--rel", "rating"], 4 / 9),
        (["-m", "recall", "--rel", "rating", "--options", "min_rel=4"], (1 / 2 + 1 + 0) / 3),
        (["-m", "recall", "--rel", "rating", "--options", " MIN_REL = 4 , no_relevant=Zero"], 1 / 2),
        (["-m", "recall", "--rel", "rating", "--options", "min_rel=5", "--options", "no_relevant=zero"],
         (1 + 1 + 0) / 3),
        (["-m", "recall", "--users", "both"], (1 / 3 + 1) / 2),
        (["-m", "precision", "--rec", "mine.csv"], (1 + 1 + 0) / 3),
        (["-m", "precision", "--rec", "mine.csv", "--convention", "spark"], (1 + 1 / 2 + 0) / 3),
        (["-m", "precision", "--rec", "mine.csv", "--options", "convention=spark"], 1 / 2),
        (["-m", "precision", "--rec", "mine.csv", "--convention", "spark", "--options",
          "precision_denominator=retrieved"], 2 / 3),
    ],
)  # fmt: skip
def test_columns_and_options_of_metrics(here: Path, args: list[str], mean: float) -> None:
    tables = ["--truth", "truth.csv", *(["--rec", "rec.csv"] if "--rec" not in args else [])]
    (row,) = objects("evaluate", *tables, "-k", "2", *args)
    assert row["mean"] == near(mean)


def test_segments(here: Path) -> None:
    found = objects("evaluate", *TABLES, "-k", "2", "-m", "recall", "--by", "country")
    assert [(row["country"], row["n"], row["mean"]) for row in found] == [
        ("FR", 2, near(1 / 6)),
        ("IT", 1, 1),
        (None, 3, near(4 / 9)),
    ]


def test_unit(here: Path) -> None:
    found = run("evaluate", *TABLES, "--unit", "queries", "--require", "measured ndcg@10 >= 0")
    assert "Evaluation of 3 queries" in found.stderr
    assert "3 queries)" in found.stderr
    assert "user" not in found.output
    refused = run("evaluate", *TABLES, "--unit", "query", code=2).stderr
    assert "unit must be a word in the plural that ends with s, such as 'queries', got 'query'" in refused


@pytest.mark.parametrize("recs", [["mine.csv"], ["rec.csv", "mine.csv"]])
def test_columns_of_different_names(here: Path, recs: list[str]) -> None:
    command = "compare" if recs[1:] else "evaluate"
    expected = objects(command, "--truth", "truth.csv", *(f"--rec={rec}" for rec in recs))
    for name in ("truth.csv", *recs):
        names = "uid,song" if name == "truth.csv" else "customer_no,track"
        (here / name).write_text((here / name).read_text().replace("userid,itemid", names))
    names_of_both = ["--truth-user=uid", "--truth-item=song", "--rec-user=customer_no", "--rec-item=track"]
    found = objects(command, "--truth", "truth.csv", *(f"--rec={rec}" for rec in recs), *names_of_both)
    assert found == expected


@pytest.mark.parametrize("segments", ["segments.csv", "SELECT 1 AS userid, 'a' AS plan UNION SELECT 2, 'b'"])
def test_segments_of_a_table_of_users(here: Path, segments: str) -> None:
    (here / "segments.csv").write_text("userid,plan\n1,a\n2,b\n")
    by = ["--by", "plan", "--segments", segments]
    found = objects("evaluate", *TABLES, "-k", "2", "-m", "recall", *by)
    assert [(row["plan"], row["all_users"], row["n"]) for row in found] == [
        ("a", False, 1),
        ("b", False, 1),
        (None, False, 1),
        (None, True, 3),
    ]
    compared = objects("compare", *BOTH, "-k", "2", "-m", "recall", *by)
    assert [(row["plan"], row["all_users"], row["n"]) for row in compared] == [
        (row["plan"], row["all_users"], row["n"]) for row in found
    ]
    run("report", *BOTH, *by, "-m", "recall", "--out", "report.html")
    assert "all users" in Path("report.html").read_text(encoding="utf-8")


def test_segments_are_not_overwritten(here: Path) -> None:
    (here / "segments.csv").write_text("userid,plan\n1,a\n")
    segments = ["--by", "plan", "--segments", "segments.csv", "--per-user", "segments.csv"]
    done = run("evaluate", *TABLES, *segments, code=2)
    assert "is one of the files that are read" in done.stderr
    done = run("evaluate", *TABLES, "--segments", "segments.csv", code=1)
    assert done.stderr.startswith("Error: --segments has the segments of users, ")
    assert done.stderr.endswith(" must be named with --by\n")


def test_bootstrap_depends_on_its_seed(here: Path) -> None:
    def low(*args: str) -> float:
        args = ("--interval", "bootstrap", "--resamples", "50", *args)
        (row,) = objects("evaluate", *TABLES, "-k", "2", "-m", "recall", *args)
        return row["low"]

    assert low("--seed", "1") == low("--seed", "1")
    assert len({low("--seed", str(seed)) for seed in range(5)}) > 1


@pytest.mark.parametrize(
    ("truth", "rec", "args"),
    [
        ("truth.parquet", "rec.parquet", []),
        ("SELECT * FROM 'truth.csv' WHERE userid = userid", "FROM 'rec.parquet'", []),
        ("truth", "rec", ["--database", "shop.db"]),
        ("truth.csv", "main.rec", ["--database", "shop.db"]),
        ("truth.csv", "SELECT * FROM rec", ["--database", "shop.db"]),
        ("T.csv", "R.csv", ["--user", "Nutzer", "--item", "ding", "--score", "wert"]),
        ("truth.csv", "day=1/rec.csv", []),
        ("truth.csv", "parts/*.csv", []),
    ],
)
def test_tables_are_named_in_many_ways(here: Path, truth: str, rec: str, args: list[str]) -> None:
    Path("T.csv").write_text(FILES["truth.csv"].replace("userid,itemid", "nutzer,Ding"))
    Path("R.csv").write_text(FILES["rec.csv"].replace("userid,itemid,score", "nutzer,Ding,wert"))
    Path("day=1").mkdir()
    Path("day=1/rec.csv").write_text(FILES["rec.csv"])
    Path("parts").mkdir()
    header, *lines = FILES["rec.csv"].splitlines(keepends=True)
    for part, line in enumerate(lines):
        Path(f"parts/{part}.csv").write_text(header + line)
    (row,) = objects("evaluate", "--truth", truth, "--rec", rec, "-k", "2", "-m", "recall", *args)
    assert row["mean"] == near(4 / 9)


def test_a_database_is_only_read(here: Path) -> None:
    """A process that only reads can do so while another process reads."""
    before = Path("shop.db").read_bytes()
    code = (
        "import duckdb; con = duckdb.connect('shop.db', read_only=True); print('open', flush=True); input()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "open\n"
        run("evaluate", "--truth", "truth", "--rec", "mine", "--database", "shop.db")
        other.communicate("\n")
    assert Path("shop.db").read_bytes() == before


def test_metrics_without_k_take_none(here: Path) -> None:
    args = ["evaluate", "--truth", "truth.csv", "--rec", "rec.csv"]
    for more in (["-m", "rankdcg", "-k", "5"], ["-m", "rankdcg,r_precision", "-k", "5,10"]):
        assert "the whole list and take" in run(*args, *more, code=1).stderr
    for more in ([], ["-k", "all"]):
        assert [row["k"] for row in objects(*args, "-m", "r_precision", *more)] == [None]
    told = "rankdcg needs graded truth: 3 of 3 users have fewer than two distinct relevances in truth ("
    assert told in run(*args, "-m", "rankdcg").stderr


def test_users_without_a_value_are_reported(here: Path) -> None:
    Path("graded.csv").write_text("userid,itemid,rating\n1,1,4\n2,1,2\n3,1,2\n")
    done = run(
        "evaluate", "--truth", "graded.csv", "--rec", "rec.csv", "--rel", "rating", "--options", "min_rel=4",
        "-k", "1", "-m", "recall,ndcg", "--output", "csv",
    )  # fmt: skip
    assert "Evaluation of 3 users, 1 to 3 of them in the means, by metric" in done.stderr
    assert "2 users without a relevant item: in no mean of recall@1" in done.stderr
    assert [row["without_value"] for row in csv.DictReader(io.StringIO(done.stdout))] == ["2", "0"]


def test_limits_reach_the_connection(here: Path) -> None:
    limited = "current_setting('threads') = 3 AND current_setting('memory_limit') = '512.0 MiB'"
    rec = f"SELECT 1 AS userid, CASE WHEN {limited} THEN 1 ELSE 99 END AS itemid, 1 AS score"
    args = ["evaluate", "--truth", "truth.csv", "--rec", rec, "-m", "hit_rate", "-k", "1", "--users", "both"]
    assert [row["mean"] for row in objects(*args)] == [0]
    assert [row["mean"] for row in objects(*args, "--threads", "3", "--memory-limit", "512MiB")] == [1]


@pytest.mark.parametrize("suffix", [".parquet", ".csv", ".tsv", ".json", ".jsonl", ".CSV"])
def test_values_of_users(here: Path, suffix: str) -> None:
    file = f"values{suffix}"
    args = ["evaluate", *TABLES, "-k", "2,all", "-m", "recall,mrr", "--per-user", file]
    reader = "read_csv" if suffix == ".CSV" else ""
    table = f"{reader}('{file}')" if reader else f"'{file}'"

    run(*args)
    found = duckdb.sql(f"SELECT userid, metric, value FROM {table} WHERE k = 2 ORDER BY metric DESC, userid")
    expected = [("recall", RECALL["rec"]), ("mrr", MRR["rec"])]
    assert found.fetchall() == [
        (user, metric, near(value)) for metric, values in expected for user, value in enumerate(values, 1)
    ]
    run(*args, "--wide")
    found = duckdb.sql(f"FROM {table} ORDER BY userid")
    assert found.columns == ["userid", "recall@2", "recall", "mrr@2", "mrr"]
    assert [row[1] for row in found.fetchall()] == [near(value) for value in RECALL["rec"]]
    run(*args, "--long")
    assert duckdb.sql(f"FROM {table}").columns == ["userid", "metric", "k", "value"]


# compare


def test_differences(here: Path) -> None:
    found = objects("compare", *BOTH, "-k", "2", "-m", "recall,mrr")
    p_values = []
    for row, metric, values in zip(found, ("recall", "mrr"), (RECALL, MRR), strict=True):
        mine, rec = values["mine"], values["rec"]
        test = stats.ttest_rel(mine, rec)
        low, high = test.confidence_interval()
        p_values.append(test.pvalue)
        assert [row[name] for name in ("system", "metric", "k", "n")] == ["mine", metric, 2, 3]
        assert [row[name] for name in ("mean", "baseline", "difference")] == [
            near(fmean(mine)), near(fmean(rec)), near(fmean(mine) - fmean(rec)),
        ]  # fmt: skip
        assert [row[name] for name in ("low", "high", "p_value")] == pytest.approx(
            [low, high, test.pvalue], rel=0, abs=1e-9
        )
        assert (row["wins"], row["ties"], row["losses"]) == (1, 2, 0)
    # Holm doubles the smaller p-value, and the larger one is no less than the result.
    corrected = 2 * min(p_values)
    assert [row["p_corrected"] for row in found] == pytest.approx(
        [max(p, corrected) for p in p_values], rel=0, abs=1e-9
    )


def test_how_systems_are_compared(here: Path) -> None:
    def row(*args: str) -> dict[str, Any]:
        (found,) = objects("compare", *BOTH, "-k", "2", "-m", "recall", *args)
        return found

    assert row("--baseline", "mine")["difference"] == near(-1 / 9)
    (mine, rec) = RECALL["mine"], RECALL["rec"]
    for alternative in ("less", "greater"):
        expected = stats.ttest_rel(mine, rec, alternative=alternative).pvalue
        assert row("--alternative", alternative)["p_value"] == pytest.approx(expected, rel=0, abs=1e-9)
    differences = [one - other for one, other in zip(mine, rec, strict=True)]
    expected = stats.ttest_1samp(differences, -0.5, alternative="greater").pvalue
    found = row("--alternative", "greater", "--margin", "0.5")
    assert found["p_value"] == pytest.approx(expected, rel=0, abs=1e-9)
    # One pair differs. Both of its signs are as extreme as the observed one.
    assert row("--test", "randomization")["p_value"] == 1
    assert row("--test", "wilcoxon")["p_value"] == 1
    for correction, factor in (("none", 1), ("bonferroni", 2)):
        found = objects("compare", *BOTH, "-k", "1,2", "-m", "recall", "--correction", correction)
        defined = [each for each in found if each["p_value"] is not None]
        assert defined
        assert all(each["p_corrected"] == min(1, factor * each["p_value"]) for each in defined[1:])


def test_names_of_systems(here: Path) -> None:
    for folder in ("day=1", "old"):
        Path(folder).mkdir()
        Path(folder, "rec.csv").write_text(FILES["rec.csv"])
    Path("v2.bm25.csv.gz").write_bytes(b"")
    duckdb.sql("COPY (FROM 'mine.csv') TO 'v2.bm25.csv.gz' (COMPRESSION gzip)")
    recs = {
        "rec.csv": "rec",
        "new-1.0=mine.csv": "new-1.0",
        "über=mine.parquet": "über",
        "v2.bm25.csv.gz": "v2.bm25",
        "q=SELECT *\nFROM 'rec.csv' WHERE userid=1": "q",
        "day=day=1/rec.csv": "day",
        "./day=1/../old/../mine.parquet": "mine",
        "popular": "popular",
    }
    args = [arg for rec in recs for arg in ("--rec", rec)]
    found = objects("compare", "--truth", "truth.csv", *args, "--database", "shop.db", "-m", "mrr", "-k", "1")
    assert [row["system"] for row in found] == list(recs.values())[1:]


def test_comparison_names_the_users_it_covers(here: Path) -> None:
    done = run(
        "compare", *BOTH, "--rel", "rating", "-k", "2", "-m", "recall,precision", "--output", "markdown"
    )
    assert done.stdout.startswith("| system |")
    headline, *notes = done.stderr.splitlines()
    assert headline == "Comparison with rec: paired t test, Holm's correction"
    assert notes[0] == "- rec: 1 user of truth without a row in rec"
    assert notes[1].startswith("- mine and rec have lists of different length for 1 user")
    assert len(notes) == 2


def test_values_of_users_of_all_systems(here: Path) -> None:
    run("compare", *BOTH, "-k", "2", "-m", "recall", "--per-user", "values.csv")
    found = duckdb.sql("SELECT system, value FROM 'values.csv' ORDER BY system DESC, userid").fetchall()
    assert found == [(name, near(value)) for name in ("rec", "mine") for value in RECALL[name]]


# report


@pytest.mark.parametrize(
    ("args", "headline", "words"),
    [
        (["--rec", "rec.csv", "--by", "country"], "Evaluation", ["country", "IT"]),
        (["--rec", "old=rec.csv", "--rec", "new=mine.csv"], "Comparison with old", ["new", "Holm"]),
        (["--rec", "rec.csv", "--title", "Spring & <autumn>"], "Spring &amp; &lt;autumn&gt;", []),
    ],
)
def test_report(here: Path, args: list[str], headline: str, words: list[str]) -> None:
    Path("page.html").write_text("of yesterday")
    done = run("report", "--truth", "truth.csv", *args, "-k", "2", "-m", "recall", "--out", "page.html")
    assert done.stdout == ""
    assert done.stderr.splitlines()[-1] == "Wrote page.html"
    page = Path("page.html").read_text(encoding="utf-8")
    assert f"<h1>{headline}</h1>" in page
    assert all(word in page for word in words)
    # The files that were read are named.
    for file in ("truth.csv", *(arg.rpartition("=")[2] for arg in args if arg.endswith(".csv"))):
        assert f"<td>{file}</td>" in page


def test_a_report_names_its_inputs(here: Path) -> None:
    given = ["report", "--truth", "truth.csv", "-k", "2", "-m", "recall", "--out", "page.html"]
    more = {"rel": "rating", "segments": "users.csv", "database": "shop.db"}
    options = [word for name, value in more.items() for word in (f"--{name}", value)]
    run(*given, "--rec", "old=rec.csv", "--rec", "mine.csv", "--by", "country", *options)
    page = Path("page.html").read_text(encoding="utf-8")
    (table,) = (part for part in page.split("<table>") if "<caption>Tables, metrics" in part)
    named = re.findall('<tr><th scope="row">([^<]*)</th><td>([^<]*)</td></tr>', table)
    read = {"truth": "truth.csv", "rec old": "rec.csv", "rec mine": "mine.csv"}
    assert named[:8] == [*(read | more).items(), ("metrics and k", "recall@2"), ("by", "country")]
    run(*given, "--rec", "rec.csv", code=0)
    page = Path("page.html").read_text(encoding="utf-8")
    assert '<th scope="row">rec rec</th><td>rec.csv</td>' in page
    assert '<th scope="row">database' not in page


def test_a_quiet_report_prints_nothing(here: Path) -> None:
    Path("repeated.csv").write_text(Path("rec.csv").read_text() + "1,1,0.9\n")
    for recs in (["--rec", "repeated.csv"], ["--rec", "rec.csv", "--rec", "repeated.csv"]):
        given = ["report", "--truth", "truth.csv", *recs, "-k", "1", "-m", "recall", "--out", "page.html"]
        assert "1 row of rec with" in run(*given).stderr.replace("repeated: ", "")
        done = run(*given, "--quiet")
        assert (done.stdout, done.stderr) == ("", "")
    assert run("report", "--truth", "no.csv", "--rec", "rec.csv", "--out", "a.html", "--quiet", code=1).stderr


def test_a_report_has_requirements_and_the_exit_code_of_their_outcomes(here: Path) -> None:
    given = ["report", "--truth", "truth.csv", "-k", "2", "-m", "recall", "--out", "page.html"]
    both = ["--rec", "old=rec.csv", "--rec", "new=mine.csv"]
    for recs, asked in ((["--rec", "rec.csv"], "measured recall@2"), (both, "measured new: recall@2")):
        done = run(*given, *recs, "--require", f"{asked} >= 0")
        assert done.stderr.splitlines()[-2:][0] == "Wrote page.html"
        assert done.stderr.splitlines()[-1].startswith(f"passed: {asked} >= 0 (")
        run(*given, *recs, "--require", f"{asked} > 1", "--quiet", code=3)
        page = Path("page.html").read_text(encoding="utf-8")
        assert page.index("✗ failed") < page.index(escape(f"{asked} > 1")) < page.index("<h2>")
    refused = run(*given, *both, "--require", "ndcg@2 better", code=2)
    assert "the result has no ndcg@2" in " ".join(refused.stderr.split())


# Wrong input


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
        ([*TABLES, "--by", "itemid"], "itemid must be the same in all rows of a user"),
        (["--rec", "texts.csv"],
         "userid of truth (truth.csv) is BIGINT, userid of rec (texts.csv) is VARCHAR.* cast userid"),
        (["--rec", "strangers.csv"], "no user of rec (strangers.csv) is one of truth.* 1, 2, 3.* 71"),
        (["--rec", "grades.csv"], "score of rec (grades.csv) must be a number, got texts such as 'high'"),
        (["--rec", "header.csv"], "rec (header.csv) has no rows"),
        (["--rec", "empty.csv"], "rec (empty.csv) is an empty file"),
        (["--rec", "broken.parquet"], "rec (broken.parquet) cannot be read"),
        (["--rec", "notes.txt"], "rec (notes.txt) is none of Parquet.* first line is 'hello world'"),
        (["--truth", "qrels.txt", "--rec", "two.run"],
         "rec (two.run) has the runs of 2 systems (bm25, dense): put each into a file of its own"),
        (["--truth", "negative.csv", "--rec", "rec.csv", "--rel", "rel"], "-2.*user 1, item 1 of truth"),
        (["--rec", "missing.csv"], "rec (missing.csv): there is no such file"),
        (["--rec", "missing"], "rec (missing): there is no file and no table of this name"),
        (["--rec", "missing.run"], "rec (missing.run): there is no file and no table of this name"),
        (["--rec", "recc", "--database", "shop.db"], "rec (recc): there is no file and no table"),
        (["--rec", "FROM missing"], "rec: Catalog Error: Table with name missing does not exist!"),
        (["--rec", "SELECT 1 +"], "rec: Parser Error"),
        ([*TABLES, "--database", "run.txt"], "run.txt cannot be opened as a database"),
        ([*TABLES, "-m", "ndgc"], "there is no metric 'ndgc': did you mean ndcg?"),
        ([*TABLES, "-m", "map_cut_10"], "'map_cut_10': did you mean 'average_precision@10'?"),
        ([*TABLES, "-m", "ndcg,rbo"], "'rbo': rankdcg_sql does not compute the rank-biased overlap"),
        ([*TABLES, "-m", "ndcg,"], "there is no metric ''"),
        ([*TABLES, "--options", "gian=linear"], "there is no option 'gian': did you mean gain?"),
        ([*TABLES, "--options", "gain=log"], "gain must be exp2, linear, .* got 'log'"),
        ([*TABLES, "--options", "p=0.5"], "p is an option of rbp, none of which is among metrics"),
        ([*TABLES, "--seed", "1"], "--seed is for random numbers, .* drawn with --interval bootstrap, got 1"),
        ([*TABLES, "--memory-limit", "1MB"], "Out of Memory"),
        ([*TABLES, "--user", "value"], "the results have a column 'value' already"),
    ],
)  # fmt: skip
def test_errors_name_the_fault(here: Path, args: list[str], message: str) -> None:
    for name, text in WRONG_FILES.items():
        Path(name).write_text(text)
    truth = [] if "--truth" in args else ["--truth", "truth.csv"]
    done = run("evaluate", *truth, *args, code=1)
    assert done.stdout == ""
    assert re.match("Error: .*" + ".*".join(map(re.escape, message.split(".*"))), done.stderr)


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
        (["compare", *BOTH, "--margin", "-0.1"], "-0.1 is not in the range x>=0"),
        (["evaluate", *TABLES, "--memory-limit", "lots"], "'lots' is not a size that DuckDB accepts"),
        (["evaluate", *TABLES, "--threads", "0"], "'--threads': 0 is not in the range"),
        (["evaluate", *TABLES, "--database", "no.db"], "File 'no.db' does not exist"),
        (["evaluate", *TABLES, "--per-user", "out.txt"], "'out.txt' must end with .parquet, .csv"),
        (["evaluate", *TABLES, "--per-user", "no/out.csv"], "there is no folder 'no'"),
        (
            ["evaluate", *TABLES, "--per-user", "rec.csv"],
            "'rec.csv' is one of the files that are read: write to another file",
        ),
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
        (
            ["report", *TABLES, "--out", "truth.csv"],
            "'truth.csv' is one of the files that are read: write to another file",
        ),
        (["report", *TABLES, "--out", "shop.db", "--database", "shop.db"], "'shop.db' is one of the files"),
        (["report", *TABLES, "--out", "no/a.html"], "there is no folder 'no'"),
    ],
)  # fmt: skip
def test_wrong_usage_is_an_error_before_the_work(here: Path, args: list[str], message: str) -> None:
    done = run(*args, code=2)
    assert done.stdout == ""
    assert message in done.stderr


def test_a_system_called_all_is_no_word(here: Path) -> None:
    given = ["compare", *TABLES, "--rec", "all=mine.csv"]
    note = (
        "- --baseline all is the system of this name: to compare all pairs, give the system another name, as"
    )
    done = run(*given, "--baseline", "all")
    assert done.stderr.startswith("Comparison with all: ")
    assert note in done.stderr
    assert "--baseline all is" not in run(*given).stderr
    assert "--baseline all is" not in run("compare", *BOTH, "--baseline", "all").stderr
    assert run(*given, "--baseline", "all", "--quiet").stderr == ""


def test_errors_of_a_system_name_it(here: Path) -> None:
    Path("two.run").write_text(WRONG_FILES["two.run"])
    done = run("compare", "--truth", "qrels.txt", "--rec", "run.txt", "--rec", "b=two.run", code=1)
    assert done.stderr.startswith("Error: b (two.run) has the runs of 2 systems")
    done = run("compare", *BOTH, "--baseline", "his", code=1)
    assert done.stderr == "Error: --baseline must be 'rec' or 'mine' or 'all', got 'his'\n"


def test_errors_name_options_of_the_command(here: Path) -> None:
    done = run("compare", *BOTH, "--resamples", "9", code=1)
    assert "--resamples is for random numbers, " in done.stderr
    assert "drawn with --interval bootstrap, --test randomization or --test tukey_hsd, got 9\n" in done.stderr
    done = run("evaluate", *TABLES, "-k", "5", "-m", "ndcg@10", code=1)
    assert done.stderr == (
        "Error: --k is for metrics without a cutoff of their own, of which there are none, got [5]\n"
    )


def test_metrics_have_cutoffs_of_their_own(here: Path) -> None:
    found = objects("evaluate", *TABLES, "-k", "2", "-m", "recall@1,MAP,ndcg@all")
    rows = [(row["metric"], row["k"]) for row in found]
    assert rows == [("recall", 1), ("average_precision", 2), ("ndcg", None)]


@pytest.mark.parametrize(
    "tables",
    [
        ["--truth", "truth.csv", "--rec", "FROM read_csv('in/rec.csv')"],
        ["--truth", "truth.csv", "--rec", "in/*.csv"],
        ["--truth", "truth.csv", "--rec", "a=./in/rec.csv", "--rec", "b=mine.csv"],
    ],
)
def test_inputs_are_not_overwritten(here: Path, tables: list[str]) -> None:
    Path("in").mkdir()
    Path("in/rec.csv").write_text(FILES["rec.csv"])
    command = "compare" if "b=mine.csv" in tables else "evaluate"
    assert (
        "is one of the files that are read"
        in run(command, *tables, "--per-user", here / "in" / "rec.csv", code=2).stderr
    )
    assert Path("in/rec.csv").read_text() == FILES["rec.csv"]
    run(command, *tables, "--per-user", "rec.csv")


def test_a_folder_that_is_read_is_not_written_into(here: Path) -> None:
    Path("in").mkdir()
    duckdb.sql("COPY (FROM 'rec.csv') TO 'in/rec.parquet'")
    before = Path("in/rec.parquet").read_bytes()
    tables = ["--truth", "truth.csv", "--rec", "in"]
    assert (
        "is one of the files that are read"
        in run("evaluate", *tables, "--per-user", "in/rec.parquet", code=2).stderr
    )
    assert Path("in/rec.parquet").read_bytes() == before


def test_a_folder_that_is_not_writable(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # The user root may write anywhere.
    monkeypatch.setattr(os, "access", lambda path, mode: mode != os.W_OK)
    for name in ("evaluate", "compare"):
        text = run(name, *BOTH[: 4 if name == "evaluate" else 6], "--per-user", "a.csv", code=2).stderr
        assert "the folder '.' is not writable" in text


def test_a_bug_is_not_hidden(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(**arguments: Any) -> None:
        raise KeyError("a bug")

    monkeypatch.setattr(rankdcg_sql, "evaluate", fail)
    done = click.testing.CliRunner().invoke(main, ["evaluate", *TABLES])
    assert isinstance(done.exception, KeyError)


# Help


def test_hints_at_trec_files(here: Path) -> None:
    """TREC files have no line of names, and their ids are texts. The query that the hint proposes works."""
    Path("qrels.tsv").write_text("q1\t0\td1\t1\nq1\t0\td2\t0\n")
    Path("run.tsv").write_text("q1\tQ0\td1\t1\t3.5\ttag\n")
    told = run("evaluate", "--truth", "qrels.tsv", "--rec", "run.tsv", code=1).stderr
    assert "it has no line of names: add one, or if it is a TREC file, let its name end with .txt" in told
    for name in ("qrels", "run"):
        Path(f"{name}.tsv").rename(f"{name}.txt")
    assert objects("evaluate", "--truth", "qrels.txt", "--rec", "run.txt", "-m", "mrr")[0]["mean"] == 1

    Path("run.txt").write_text("1 Q0 11 1 3.5 tag\n")
    told = run("evaluate", "--truth", "SELECT 1 AS userid, '11' AS itemid", "--rec", "run.txt", code=1).stderr
    found = re.search(r"cast userid of truth to VARCHAR, .*: SELECT (.*) FROM \.\.\.", told)
    assert found
    texts = f"SELECT {found[1]} FROM (SELECT 1 AS userid, '11' AS itemid)"
    assert objects("evaluate", "--truth", texts, "--rec", "run.txt", "-m", "mrr")[0]["mean"] == 1


def test_systems_are_compared_by_one_rule(here: Path) -> None:
    """A TREC run is ranked as trec_eval ranks it, and another table is not, unless the call decides."""
    Path("qrels.txt").write_text("q1 0 b 1\n")
    Path("run.txt").write_text("q1 Q0 a 1 0.5 tag\nq1 Q0 b 2 0.5 tag\n")
    Path("same.csv").write_text("userid,itemid,score\nq1,a,0.5\nq1,b,0.5\n")
    tables = ["compare", "--truth", "qrels.txt", "--rec", "run.txt", "--rec", "same.csv", "-m", "mrr"]
    told = run(*tables, code=1).stderr
    assert told.endswith(
        "run is a TREC run, which is ranked as trec_eval does, and same is not: for one rule, give "
        "--convention trec_eval, or ties and score_type\n"
    )
    swapped = [*tables[:3], "--rec", "same.csv", "--rec", "run.txt", "-m", "mrr"]
    assert run(*swapped, code=1).stderr.splitlines()[-1] == told.splitlines()[-1]
    for rule in (["--convention", "trec_eval"], ["--options", "ties=average,score_type=exact"]):
        compared = objects(*tables, *rule)
        assert compared
        assert {(row["difference"], row["ties"]) for row in compared} == {(0, 1)}


def shown_on_terminal(width: int, *args: str) -> list[str]:
    """The lines that a command prints if standard output is a terminal of this width."""
    terminal, output = pty.openpty()
    env = {**os.environ, "TERM": "xterm", "COLUMNS": str(width)}
    command = [sys.executable, "-c", "from rankdcg_sql.cli import main; main()", *args]
    with subprocess.Popen(command, stdout=output, stderr=subprocess.PIPE, env=env) as process:
        os.close(output)
        text = b""
        while select.select([terminal], [], [], 60)[0]:
            try:
                text += os.read(terminal, 1 << 16)
            except OSError:  # Linux reports the end of the other side as this error
                break
        else:
            process.kill()
        os.close(terminal)
        assert process.communicate(timeout=60)[1] is not None
    assert process.returncode == 0
    return text.decode().splitlines()


def cells(lines: list[str]) -> list[list[str]]:
    return [[cell.strip() for cell in line.split("│")[1:-1]] for line in lines if line.startswith("│")]


@pytest.mark.parametrize("width", [80, 120])
@pytest.mark.parametrize("details", [[], ["--details"]], ids=["systems", "details"])
def test_a_narrow_terminal_shows_whole_numbers(here: Path, width: int, details: list[str]) -> None:
    """Every cell is one of the table that is printed to a pipe, where nothing is divided."""
    options = ["compare", "--truth", "truth.csv", "--rec", "popular.csv", "--rec", "mine.csv"]
    options += ["--rec", "third=rec.csv", *details]
    lines = shown_on_terminal(width, *options)
    assert max(map(len, lines)) <= width
    shown = {cell for row in cells(lines) for cell in row}
    assert shown == {cell for row in cells(run(*options).stdout.splitlines()) for cell in row}


@pytest.mark.parametrize(
    "command", [["evaluate", *TABLES], ["compare", *BOTH], ["compare", *BOTH, "--details"]]
)
def test_a_caption_is_that_of_latex(command: list[str], here: Path) -> None:
    text = run(*command, "--output", "latex", "--caption", "Our $k$").stdout
    assert r"\caption{Our $k$}" in text
    # Without the caption, the rows are the same.
    assert latex.tables(run(*command, "--output", "latex").stdout) == latex.tables(text)
    done = run(*command, "--output", "markdown", "--caption", "Ours", code=2)
    assert "--caption needs --output latex" in done.stderr


def test_details_are_printed_on_request(here: Path) -> None:
    options = [
        "compare",
        "--truth",
        "truth.csv",
        "--rec",
        "popular.csv",
        "--rec",
        "mine.csv",
        "-m",
        "recall@2",
    ]
    head, baseline, other = cells(run(*options).stdout.splitlines())
    assert head == ["system", "recall@2"]
    assert (baseline, other) == (["popular", "0.4444"], ["mine", "0.5556 +0.1111"])
    head, row = cells(run(*options, "--details").stdout.splitlines())
    named = dict(zip(head, row, strict=True))
    assert (named["difference"], named["d_z"], named["wins"]) == ("0.1111", "0.5774", "1")
    for output in ("csv", "json"):
        assert (
            run(*options, "--output", output).stdout == run(*options, "--details", "--output", output).stdout
        )


def test_tables_of_compare_for_papers(here: Path) -> None:
    options = [
        "compare",
        "--truth",
        "truth.csv",
        "--rec",
        "popular.csv",
        "--rec",
        "mine.csv",
        "-m",
        "recall@2",
    ]
    markdown = run(*options, "--output", "markdown").stdout.splitlines()
    assert markdown[2:4] == ["| popular | 0.4444 |", "| mine | **0.5556** |"]
    (rows,) = latex.tables(run(*options, "--output", "latex").stdout)
    assert rows[1:] == [["popular", "0.4444", ""], ["mine", r"\textbf{0.5556}", ""]]
    (rows,) = latex.tables(run(*options, "--details", "--output", "latex").stdout)
    assert len(rows[0]) == 15


@pytest.mark.parametrize("closed", ["stdout", "stderr"])
def test_a_closed_output_is_no_fault(here: Path, closed: str) -> None:
    command = f'{shlex.quote(sys.executable)} -c "from rankdcg_sql.cli import main; main()"'
    redirected = (
        f"{command} evaluate {shlex.join(TABLES)} --output json {'>&-' if closed == 'stdout' else '2>&-'}"
    )
    ended = subprocess.run(redirected, shell=True, capture_output=True, text=True, check=False)
    assert ended.returncode == 0
    assert "Traceback" not in ended.stderr
    assert bool(ended.stdout) == (closed == "stderr")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is always full")
@pytest.mark.parametrize(
    "args", [["evaluate", *TABLES], ["sql", "-c", "SELECT 1", "--output", "csv"], ["--help"]]
)
def test_output_that_cannot_be_written(here: Path, args: list[str]) -> None:
    with Path("/dev/full").open("w") as full:
        command = [sys.executable, "-c", "from rankdcg_sql.cli import main; main()", *args]
        ended = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert ended.returncode == 1
    assert ended.stderr.splitlines()[-1] == "Error: the output cannot be written: No space left on device"
    assert "Traceback" not in ended.stderr


@pytest.mark.parametrize("name", ["evaluate", "compare", "report"])
def test_examples_of_help_work(here: Path, name: str) -> None:
    lines = re.findall(r"^ +rankdcg-sql (.*)", run(name, "--help").stdout.partition("Examples:")[2], re.M)
    assert len(lines) > 1
    for line in lines:
        run(*shlex.split(line))


def test_examples_of_the_documentation_work(here: Path) -> None:
    text = "".join(page.read_text(encoding="utf-8") for page in PAGES)
    blocks = re.findall(r"^```sh\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    names = ("demo", "evaluate", "compare", "report")
    commands = [
        line
        for block in blocks
        for line in re.findall(r"^rankdcg-sql (.*)", block, re.M)
        if line.startswith(names)
    ]
    assert {line.split()[0] for line in commands} == set(names)
    # Several pages begin with the same demonstration, whose tables later commands read.
    for line in dict.fromkeys(commands):
        run(*shlex.split(line))


def complete(*words: str) -> list[str]:
    """The completions that bash offers for the last word."""
    env = {
        "_RANKDCG_SQL_COMPLETE": "bash_complete",
        "COMP_WORDS": shlex.join(["rankdcg-sql", *words]) if words[-1] else f"rankdcg-sql {' '.join(words)}",
        "COMP_CWORD": str(len(words)),
    }
    done = click.testing.CliRunner(env=env).invoke(main, [], prog_name="rankdcg-sql")
    return [line.partition(",")[2] for line in done.stdout.splitlines()]


def test_completion() -> None:
    assert {"evaluate"} == set(complete("eval"))
    assert complete("evaluate", "--metr") == ["--metric"]
    assert complete("evaluate", "--users", "") == ["truth", "both"]
    assert complete("compare", "--test", "w") == ["wilcoxon"]
    assert complete("evaluate", "--convention", "tr") == ["trec_eval"]
    assert complete("report", "-m", "recall,nd") == ["recall,ndcg"]
    assert complete("history", "runs.parquet", "-m", "nd") == ["ndcg"]
    for option in ("--truth", "--rec", "--segments"):  # the shell completes names of files
        assert complete("compare", option, "tr") == ["tr"]
    source = click.testing.CliRunner(env={"_RANKDCG_SQL_COMPLETE": "zsh_source"}).invoke(
        main, [], prog_name="rankdcg-sql"
    )
    assert "#compdef rankdcg-sql" in source.stdout
    assert "_RANKDCG_SQL_COMPLETE=bash_source" in run("--help").stdout


# Terminals


class Terminal:
    """A command whose standard error is a terminal."""

    def __init__(self, command: list[str]) -> None:
        self._master, error = pty.openpty()
        env = {**os.environ, "TERM": "xterm", "COLUMNS": "100"}
        for name in ("NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE"):
            env.pop(name, None)
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=error, env=env)
        os.close(error)
        self.text = ""

    def read(self, until: Callable[[str], bool] = lambda text: False) -> None:
        """Read the terminal until the command ends or a text appears."""
        end = time.monotonic() + 60
        while not until(self.text):
            if not select.select([self._master], [], [], max(0, end - time.monotonic()))[0]:
                self.process.kill()
                pytest.fail(f"it does not end: {self.text[-500:]!r}")
            try:
                self.text += os.read(self._master, 1 << 16).decode(errors="replace")
            except OSError:  # Linux reports the end of the other side as this error
                return

    def close(self) -> str:
        """Wait for the end of the command, and return its standard output."""
        self.read()
        os.close(self._master)
        return self.process.communicate()[0].decode()


#: Tables, one of which takes two seconds to read on any machine. Statements under 0.1 seconds show no bar.
SLOW = [
    "evaluate",
    "--truth=SELECT range // 20 AS userid, range AS itemid FROM range(1000)",
    """--rec=SELECT range // 20 AS userid, range AS itemid, 1.0 AS score FROM range(2000), (
        WITH RECURSIVE waiting AS (
            SELECT uuidv7() AS id
            UNION ALL
            SELECT uuidv7() FROM waiting WHERE uuid_extract_timestamp(id) < now() + INTERVAL 2 SECONDS
        )
        SELECT count(*) FROM waiting
    )""",
    "-m",
    "ndcg",
]


def test_progress_on_a_terminal(command: list[str]) -> None:
    terminal = Terminal([*command, *SLOW, "--output", "json"])
    (row, _) = json.loads(terminal.close())["rows"]
    # All recommended items are relevant for the first half of the users. The other half has no judgements.
    assert (terminal.process.returncode, row["n"], row["mean"]) == (0, 50, 1)
    bar, _, notes = terminal.text.rpartition("\x1b[?25h")
    assert re.search("reading rec.*━", bar)
    assert bar.count("\x1b[?25l") == 1  # shows the cursor that was hidden
    assert "━" not in notes
    assert "Evaluation of 50 users" in notes


def test_no_progress_elsewhere(command: list[str]) -> None:
    done = subprocess.run([*command, *SLOW], capture_output=True, text=True, check=True)
    assert done.stderr.startswith("Evaluation of 50 users\n")
    assert "\x1b" not in done.stderr + done.stdout
    terminal = Terminal([*command, *SLOW, "--no-progress"])
    terminal.close()
    assert terminal.text.startswith("Evaluation of")


def test_interrupted(here: Path, command: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    (here / "tmp").mkdir()
    monkeypatch.setenv("TMPDIR", str(here / "tmp"))
    endless = "SELECT range % 3 AS userid, range AS itemid, 1.0 AS score FROM range(10_000_000_000_000)"
    terminal = Terminal([*command, "evaluate", "--truth", "truth.csv", "--rec", endless])
    terminal.read(lambda text: re.search("reading rec.*━", text) is not None)
    terminal.process.send_signal(signal.SIGINT)
    assert terminal.close() == ""
    assert terminal.process.returncode == 1
    bar, _, rest = terminal.text.rpartition("\x1b[?25h")
    assert "\x1b[?25l" in bar
    assert rest.endswith("Aborted!\r\n")
    assert "Traceback" not in terminal.text
    assert list((here / "tmp").iterdir()) == []


# Real data


def test_trec_eval_values(third_party: Path, tmp_path: Path) -> None:
    folder = third_party / "data/trec_eval"
    expected = trec_values(folder / "out.test.aq")
    names = {"precision": "P", "recall": "recall", "ndcg": "ndcg_cut", "hit_rate": "success"}
    whole = {"average_precision": "map", "mrr": "recip_rank", "ndcg": "ndcg"}

    def measure(metric: str, k: int | None) -> str | None:
        return whole.get(metric) if k is None else f"{names[metric]}_{k}" if metric in names else None

    args = ["evaluate", "--truth", folder / "qrels.test", "--rec", folder / "results.test"]
    args += ["-k", "1,5,10,15,20,30,100,200,500,1000,all", "--convention", "trec_eval", "--users", "both"]
    found = {("all", measure(row["metric"], row["k"])): row["mean"] for row in objects(*args)}
    run(*args, "--per-user", tmp_path / "values.json")
    for row in json.loads((tmp_path / "values.json").read_text()):
        found[row["userid"], measure(row["metric"], row["k"])] = row["value"]
    assert found.keys() >= expected.keys()
    assert {key: f"{found[key]:.4f}" for key in expected} == expected
    assert len(expected) == 4 * 33


def test_movielens_values(third_party: Path, tmp_path: Path) -> None:
    folder = third_party / "data/ml-latest-small"
    published = json.loads((folder / "ref_poprec.json").read_text())["pytrec_eval"]
    tables = ["--truth", folder / "truth.csv"]
    shared = ["-k", "5,10,all", "--convention", "trec_eval", "--per-user", tmp_path / "values.csv"]
    found = objects("evaluate", *tables, "--rec", folder / "rec.csv", *shared)
    at_k = {"precision": "P", "recall": "recall", "average_precision": "map_cut", "ndcg": "ndcg_cut"}
    whole = {"average_precision": "map", "mrr": "recip_rank", "ndcg": "ndcg"}
    checked = 0
    for row in found:
        name = whole.get(row["metric"]) if row["k"] is None else at_k.get(row["metric"])
        if name:
            name += f"_{row['k']}" * (row["k"] is not None)
            assert row["mean"] == pytest.approx(published["mean"][name], rel=0, abs=1e-9), name
            checked += 1
    assert checked == 4 * 2 + 3
    values = dict(
        duckdb.sql(
            f"SELECT userid::VARCHAR, value FROM '{tmp_path}/values.csv' WHERE metric = 'ndcg' AND k = 10"
        ).fetchall()
    )
    assert values == {
        user: pytest.approx(each["ndcg_cut_10"], rel=0, abs=1e-9)
        for user, each in published["per_query"].items()
    }

    # Against a system without hits, the differences are the values themselves.
    nothing = f"SELECT * REPLACE (-itemid AS itemid) FROM '{folder}/rec.csv'"
    recs = ["--rec", f"nothing={nothing}", "--rec", f"popular={folder / 'rec.csv'}"]
    (row,) = objects("compare", *tables, *recs, "-k", "10", "-m", "ndcg", "--convention", "trec_eval")
    expected = [each["ndcg_cut_10"] for each in published["per_query"].values()]
    test = stats.ttest_1samp(expected, 0)
    assert row["difference"] == pytest.approx(fmean(expected), rel=0, abs=1e-9)
    assert row["p_value"] == pytest.approx(test.pvalue, rel=1e-6, abs=0)
    assert (row["wins"], row["losses"]) == (sum(value > 0 for value in expected), 0)
