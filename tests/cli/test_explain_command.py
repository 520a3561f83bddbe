"""The command ``explain``: one user of a run, and a change between two runs."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from conftest import needs_duckdb_2
from support.commands import printed, rows, run

import rankdcg_sql

#: Users 1 to 4 are in both runs; 5 leaves, and 6 comes. The ranking of all but 3 changes.
FILES = {
    "old_truth.csv": "userid,itemid,plan\n1,a,free\n2,a,free\n3,a,paid\n4,a,paid\n5,a,free\n",
    "old.csv": "userid,itemid,score\n1,a,1\n2,a,1\n3,b,1\n4,b,1\n5,a,1\n",
    "truth.csv": "userid,itemid,plan\n1,a,free\n2,b,free\n3,b,paid\n4,a,paid\n6,a,paid\n",
    "new.csv": "userid,itemid,score\n1,b,1\n2,b,1\n3,b,1\n4,a,1\n6,a,1\n",
}
AFTER = ["explain", "--truth", "truth.csv", "--rec", "new.csv", "-k", "1"]
CHANGE = [*AFTER, "--before-truth", "old_truth.csv", "--before-rec", "old.csv", "-m", "recall"]


@pytest.fixture
def files(here: Path) -> None:
    """A working directory with the tables of two runs."""
    for name, text in FILES.items():
        Path(name).write_text(text)


def test_a_change(files: None) -> None:
    done = run(*CHANGE)
    assert (
        done.stdout
        == """\
╭────────┬───┬────────────────┬───────┬────────┬────────┬────────────┬─────────┬────────┬───────┬────────╮
│ metric │ k │ part           │ users │ before │  after │ difference │     low │   high │ share │      p │
├────────┼───┼────────────────┼───────┼────────┼────────┼────────────┼─────────┼────────┼───────┼────────┤
│ recall │ 1 │ users who left │     1 │ 0.6000 │ 0.5000 │    -0.1000 │ -0.4881 │ 0.2881 │  -50% │ 1.0000 │
│ recall │ 1 │ users who came │     1 │ 0.7500 │ 0.8000 │    +0.0500 │ -0.2930 │ 0.3930 │   25% │ 1.0000 │
│ recall │ 1 │ judgements     │     2 │ 0.5000 │ 0.5000 │    +0.0000 │ -1.0000 │ 1.0000 │    0% │ 1.0000 │
│ recall │ 1 │ ranking        │     3 │ 0.5000 │ 0.7500 │    +0.2500 │ -1.0000 │ 1.0000 │  125% │ 1.0000 │
│ recall │ 1 │ total          │     6 │ 0.6000 │ 0.8000 │    +0.2000 │ -0.8647 │ 1.0000 │  100% │ 0.6279 │
╰────────┴───┴────────────────┴───────┴────────┴────────┴────────────┴─────────┴────────┴───────┴────────╯
"""
    )
    headline, *notes = done.stderr.splitlines()
    assert headline.startswith("recall@1 rose from 0.6000 to 0.8000 (+0.2000): mostly ranking (+0.2500")
    assert notes[0] == "- 4 users with a value of recall@1 in both runs, 1 only before, 1 only after"
    before, after = (
        rankdcg_sql.evaluate(truth, rec, k=1, metrics="recall")
        for truth, rec in (("old_truth.csv", "old.csv"), ("truth.csv", "new.csv"))
    )
    change = rankdcg_sql.explain_change(before, after, order="shapley")
    parts = rows(*CHANGE, "--order", "shapley")
    assert parts == change.parts.pl().to_dicts()
    assert run(*CHANGE, "--order", "shapley", "--output", "latex").stdout == f"{change.to_latex()}\n"


def test_one_truth(files: None) -> None:
    with_truth = run(*AFTER, "--before-rec", "old.csv", "-m", "recall")
    assert "- both runs have one truth: no judgement changed" in with_truth.stderr.splitlines()
    assert "│ judgements     │     0 │" in with_truth.stdout


@pytest.mark.parametrize(
    ("shown", "relation"),
    [
        ("segments", "by_segment"),
        ("users", "deciding_users"),
        pytest.param("items", "by_item", marks=needs_duckdb_2),
        pytest.param("moves", "by_move", marks=needs_duckdb_2),
        ("jackknife", "jackknife"),
    ],
)
def test_other_tables_of_a_change(files: None, shown: str, relation: str) -> None:
    found = printed(*CHANGE, "--by", "plan", "--show", shown)
    before, after = (
        rankdcg_sql.evaluate(truth, rec, k=1, metrics="recall", by="plan")
        for truth, rec in (("old_truth.csv", "old.csv"), ("truth.csv", "new.csv"))
    )
    change = rankdcg_sql.explain_change(before, after)
    assert found["rows"] == getattr(change, relation).pl().to_dicts()
    assert not re.search(r"\.\d{5}", run(*CHANGE, "--by", "plan", "--show", shown).stdout)
    assert run(*CHANGE, "--by", "plan", "--show", shown, "--output", "csv").stdout.count("\n") == 1 + len(
        found["rows"]
    )


def test_json_has_everything_on_which_a_change_depends(files: None) -> None:
    found = printed(*CHANGE, "--require", "measured ranking part of recall@1 not worse by 1%", "--by", "plan")
    assert found["kind"] == "change"
    assert found["inputs"] == {
        "truth": "truth.csv",
        "rec": "new.csv",
        "before_rec": "old.csv",
        "before_truth": "old_truth.csv",
        "segments": None,
        "items": None,
        "database": None,
        "engine": "duckdb",
    }
    assert {name: counts["truth_rows"] for name, counts in found["counts"].items()} == {
        "before": 5,
        "after": 5,
    }
    assert found["options"]["order"] == "sequential"
    assert found["requirements"][0]["outcome"] == "passed"


@pytest.mark.parametrize(
    ("text", "options", "code"),
    [
        ("measured ranking part of recall@1 not worse by 1%", [], 0),
        ("measured ranking part of recall@1 better by 0.3", [], 3),
        ("ranking part of recall@1 better", [], 4),
        ("ranking part of recall@1 better", ["--inconclusive", "pass"], 0),
    ],
)
def test_exit_codes(files: None, text: str, options: list[str], code: int) -> None:
    done = run(*CHANGE, "--require", text, *options, "--quiet", code=code)
    assert done.stdout == ""
    assert [line.partition(" (")[0] for line in done.stderr.splitlines()] == (
        [] if not code else [f"{'failed' if code == 3 else 'inconclusive'}: {text}"]
    )


@needs_duckdb_2
def test_one_user(files: None) -> None:
    done = run(*AFTER, "--user-id", "1")
    assert done.stderr == "ndcg@1 of user 1: 0.0000; 1 missed item\n"
    result = rankdcg_sql.evaluate("truth.csv", "new.csv", k=1, metrics="ndcg")
    assert done.stdout == result.explain(1).render("table") + "\n"
    found = json.loads(run(*AFTER, "--user-id", "1", "--output", "json").stdout)
    assert found == result.explain(1).to_polars().to_dicts()
    missing = run(*AFTER, "--user-id", "5", code=1)
    assert missing.stderr == "Error: '5' is no user of truth (truth.csv), where they are such as 1, 2, 3\n"


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ([], "Give --before-rec to explain a change, or --user-id to explain a ranking."),
        (
            ["--before-rec", "old.csv", "--user-id", "1"],
            "Give --before-rec to explain a change, or --user-id to",
        ),
        (
            ["--before-truth", "old_truth.csv", "--user-id", "1"],
            "--before-truth needs --before-rec: it has the",
        ),
        (["--user-id", "1", "-m", "ndcg,mrr"], "--user-id explains one metric: give one -m."),
        (
            ["--user-id", "1", "--show", "users"],
            "--require and --show are about a change: give --before-rec.",
        ),
        (
            ["--before-rec", "old.csv", "--require", "ndcg@1 better"],
            "Invalid value for '--require': 'ndcg@1 better'",
        ),
        (
            ["--before-rec", "old.csv", "--require", "ranking part of ndcg@2 better"],
            "Invalid value for '--require': 'ranking part of ndcg@2 better' cannot be required: the result",
        ),
    ],
)
def test_wrong_calls(files: None, args: list[str], message: str) -> None:
    assert run(*AFTER, *args, code=2).stderr.splitlines()[-1].startswith(f"Error: {message}")
