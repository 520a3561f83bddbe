"""The command `verify`: receipts of evaluations and comparisons, computed again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from support.commands import run

from rankdcg_sql.cli import main

ARGUMENTS = ["--truth", "truth.csv", "--rel", "rel", "-k", "2,all", "-m", "ndcg,P(min_rel=2)@3,rankdcg,auc"]
#: Options of `evaluate` and `compare` whose receipts are checked, keyed by what they are about.
CALLS = {
    "evaluation": ["evaluate", *ARGUMENTS, "--rec", "rec.csv"],
    "segments and weights": ["evaluate", *ARGUMENTS, "--rec", "rec.csv", "--by", "plan", "--weight", "size"],
    "bootstrap": ["evaluate", *ARGUMENTS, "--rec", "rec.csv", "--interval", "bootstrap", "--seed", "3"],
    "items": [
        "evaluate",
        "--truth",
        "truth.csv",
        "--rec",
        "rec.csv",
        "-m",
        "ndcg@2,coverage@2",
        "--items",
        "items.csv",
    ],
    "corpus": ["evaluate", *ARGUMENTS, "--rec", "rec.csv", "--items", "corpus.csv"],
    "trec_eval": ["evaluate", *ARGUMENTS[:-1], "ndcg", "--rec", "rec.csv", "--convention", "trec_eval"],
    "comparison": ["compare", *ARGUMENTS, "--rec", "one=rec.csv", "--rec", "two=other.csv"],
    "randomization": [
        *("compare", *ARGUMENTS, "--rec", "rec.csv", "--rec", "other.csv", "--test", "randomization"),
        *("--resamples", "999", "--baseline", "all"),
    ],
    "all pairs": [
        *("compare", *ARGUMENTS, "--rec", "rec.csv", "--rec", "other.csv", "--rec", "third=worst.csv"),
        *("--baseline", "all", "--test", "tukey_hsd", "--resamples", "99"),
    ],
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with tables, which is the current one."""
    monkeypatch.chdir(tmp_path)
    users, items = range(40), range(6)
    tables = {
        "truth.csv": ["userid,itemid,rel,plan,size"]
        + [f"{u},{i},{(u + i) % 4},{'ab'[u % 2]},{1 + u % 3}" for u in users for i in items],
        "rec.csv": ["userid,itemid,score"]
        + [f"{u},{i},{(u * 7 + i * 5) % 13 / 7}" for u in users for i in items],
        "other.csv": ["userid,itemid,score"]
        + [f"{u},{i},{(u * 5 + i * 3) % 11 / 7}" for u in users for i in items],
        "worst.csv": ["userid,itemid,score"] + [f"{u},{i},{i % 3}" for u in users for i in items],
        "items.csv": ["itemid,popularity"] + [f"{i},{i + 1}" for i in range(9)],
        "corpus.csv": ["itemid", "0", "1", "5"],
    }
    for name, lines in tables.items():
        (tmp_path / name).write_text("\n".join(lines) + "\n")
    return tmp_path


def receipt(arguments: list[str]) -> Path:
    """Write the receipt of a call."""
    path = Path("receipt.json")
    path.write_text(run(*arguments, "--output", "json").stdout)
    return path


@pytest.mark.parametrize("arguments", CALLS.values(), ids=CALLS)
def test_a_receipt_of_the_same_data_is_verified(folder: Path, arguments: list[str]) -> None:
    path = receipt(arguments)
    verified = run("verify", path)
    assert verified.stdout == ""
    assert "verified: " in verified.stderr
    lines = (folder / "rec.csv").read_text().splitlines()
    (folder / "rec.csv").write_text("\n".join([lines[0], *reversed(lines[1:])]) + "\n")
    run("verify", path)


@pytest.mark.parametrize("arguments", CALLS.values(), ids=CALLS)
def test_a_changed_table_is_named(folder: Path, arguments: list[str]) -> None:
    path = receipt(arguments)
    kept = (folder / "rec.csv").read_text()
    changed = kept.replace("\n39,5,", "\n39,4,")
    assert changed != kept
    (folder / "rec.csv").write_text(changed)
    differing = run("verify", path, "--output", "json", code=3)
    parts = {(row["part"], row["value"]) for row in json.loads(differing.stdout)}
    assert any(part == "fingerprints" and "rec" in name for part, name in parts)
    assert not any(part == "fingerprints" and "truth" in name for part, name in parts)
    assert "failed: " in differing.stderr


@pytest.mark.parametrize(
    ("part", "name", "value"),
    [
        (("rows", 0), "mean", 0.5),
        (("rows", 0), "n", 39),
        (("counts",), "rec_rows", 1),
        (("definitions", "ndcg"), "formula", "another one"),
        (("definitions", "ndcg", "options"), "gain", "linear"),
        (("fingerprints",), "truth", "0" * 32),
    ],
)
def test_each_changed_value_of_a_receipt_is_found(
    folder: Path, part: tuple[str | int, ...], name: str, value: object
) -> None:
    path = receipt(CALLS["evaluation"])
    content = json.loads(path.read_text())
    inner = content
    for step in part:
        inner = inner[step]
    written = inner[name]
    inner[name] = value
    path.write_text(json.dumps(content))
    differing = run("verify", path, "--output", "json", code=3)
    (row,) = json.loads(differing.stdout)
    assert row["part"] == part[0]
    assert name in row["value"]
    assert (row["receipt"], row["now"]) == (str(value), str(written))


def test_rows_that_were_added_are_found(folder: Path) -> None:
    path = receipt(CALLS["evaluation"])
    content = json.loads(path.read_text())
    for rows in (
        [{**content["rows"][0], "mean": 0.99}, *content["rows"]],
        [*content["rows"], content["rows"][0]],
        content["rows"][1:],
    ):
        path.write_text(json.dumps({**content, "rows": rows}))
        assert "failed: " in run("verify", path, code=3).stderr


def test_segments_whose_names_look_alike_are_told_apart(folder: Path) -> None:
    rows = [(1, "x, two y", ""), (2, "x", "y"), (3, "x, two y", ""), (4, "x", "y")]
    lines = [f'{user},1,"{one}",{two}' for user, one, two in rows]
    (folder / "truth.csv").write_text("\n".join(["userid,itemid,one,two", *lines]) + "\n")
    given = [
        "--truth",
        "truth.csv",
        "--rec",
        "rec.csv",
        "-k",
        "3",
        "-m",
        "recall",
        "--by",
        "one",
        "--by",
        "two",
    ]
    path = receipt(["evaluate", *given])
    run("verify", path)
    content = json.loads(path.read_text())
    for place in range(len(content["rows"])):
        rows_now = [{**row, "mean": 0.123} if at == place else row for at, row in enumerate(content["rows"])]
        path.write_text(json.dumps({**content, "rows": rows_now}))
        assert "failed: 1 of" in run("verify", path, code=3).stderr


def test_the_last_digit_does_not_count(folder: Path) -> None:
    path = receipt(CALLS["comparison"])
    content = json.loads(path.read_text())
    for row in content["rows"]:
        row["baseline"] *= 1 + 2e-15
        row["difference"] *= 1 + 2e-15
    path.write_text(json.dumps(content))
    run("verify", path)


@pytest.mark.parametrize(
    ("part", "name", "value"),
    [
        ("options", "interval", None),
        ("options", "options", None),
        ("options", "options", 5),
        ("options", "by", None),
        ("options", "rec", "rec.csv"),
        ("options", "measures", [1]),
        ("options", "measures", ["no_metric@3"]),
        ("options", "user", "\ud800"),
        ("inputs", "rec", None),
        ("inputs", "database", "\ud800"),
        ("fingerprints", "truth", "\ud800"),
        ("counts", "rec_rows", 10**400),
    ],
)
def test_a_value_that_nobody_wrote_is_no_crash(folder: Path, part: str, name: str, value: object) -> None:
    path = receipt(CALLS["evaluation"])
    content = json.loads(path.read_text())
    content[part][name] = value
    path.write_text(json.dumps(content))
    failed = CliRunner().invoke(main, ["verify", str(path)])
    assert failed.exit_code in (1, 3)
    assert isinstance(failed.exception, SystemExit)


def test_other_versions_are_a_note(folder: Path) -> None:
    path = receipt(CALLS["evaluation"])
    content = json.loads(path.read_text())
    content["versions"]["duckdb"] = "1.4.9"
    path.write_text(json.dumps(content))
    verified = run("verify", path)
    assert "- computed with duckdb 1.4.9, and now with " in verified.stderr


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "cannot be read as JSON"),
        ("[]", "is no receipt of evaluate or compare: its kind must be evaluation or comparison, got None"),
        ('{"kind": ["a"]}', "its kind must be evaluation or comparison, got ['a']"),
        ('{"kind": "change"}', "its kind must be evaluation or comparison, got 'change'"),
        ("[" * 100_000, "cannot be read as JSON"),
        ('{"kind": "evaluation"}', "is no receipt: its part fingerprints must be an object"),
    ],
)
def test_another_file_is_no_receipt(folder: Path, content: str, message: str) -> None:
    (folder / "bad.json").write_text(content)
    failed = run("verify", "bad.json", code=1)
    assert message in failed.stderr


@pytest.mark.parametrize(
    "part", ["options", "inputs", "versions", "rows", "counts", "fingerprints", "definitions"]
)
@pytest.mark.parametrize("value", [None, 1, [], {}, [1], {"a": 1}, "text"])
def test_a_part_that_is_something_else_is_no_crash(folder: Path, part: str, value: object) -> None:
    path = receipt(CALLS["evaluation"])
    content = json.loads(path.read_text())
    content[part] = value
    path.write_text(json.dumps(content))
    failed = CliRunner().invoke(main, ["verify", str(path)])
    is_note = part == "versions" and isinstance(value, dict)
    assert failed.exit_code in ((0,) if is_note else (1, 2, 3))
    assert failed.exception is None or isinstance(failed.exception, SystemExit)


def test_a_table_that_is_gone_is_an_error(folder: Path) -> None:
    path = receipt(CALLS["evaluation"])
    (folder / "rec.csv").unlink()
    failed = run("verify", path, code=1)
    assert "rec.csv" in failed.stderr
