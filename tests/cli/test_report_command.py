"""The command `report`: its page, its inputs, requirements and exit codes."""

from __future__ import annotations

import re
from html import escape
from pathlib import Path

import pytest
from support.commands import run

GIVEN = ["report", "--truth", "truth.csv", "-k", "2", "-m", "recall", "--out", "page.html"]
SYSTEMS = ["--rec", "old=rec.csv", "--rec", "new=mine.csv"]


def page() -> str:
    return Path("page.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("args", "headline", "words"),
    [
        (["--rec", "rec.csv", "--by", "country"], "Evaluation", ["country", "IT"]),
        (SYSTEMS, "Comparison with old", ["new", "Holm", "Items that make up most"]),
        (["--rec", "rec.csv", "--title", "Spring & <autumn>"], "Spring &amp; &lt;autumn&gt;", []),
        (["--rec", "rec.csv", "--by", "plan", "--segments", "SELECT 1 AS userid, 'a' AS plan"], "Evaluation",
         ["all users"]),
    ],
)  # fmt: skip
def test_report(tables: Path, args: list[str], headline: str, words: list[str]) -> None:
    Path("page.html").write_text("of yesterday")
    done = run(*GIVEN, *args)
    assert done.stdout == ""
    assert done.stderr.splitlines()[-1] == "Wrote page.html"
    assert f"<h1>{headline}</h1>" in page()
    assert all(word in page() for word in words)


def test_a_report_names_its_inputs(tables: Path, undrawn: None) -> None:
    more = {"rel": "rating", "segments": "users.csv", "database": "shop.db"}
    options = [word for name, value in more.items() for word in (f"--{name}", value)]
    run(*GIVEN, "--rec", "old=rec.csv", "--rec", "mine.csv", "--by", "country", *options)
    (table,) = (part for part in page().split("<table>") if "<caption>Tables, metrics" in part)
    named = re.findall('<tr><th scope="row">([^<]*)</th><td>([^<]*)</td></tr>', table)
    read = {"truth": "truth.csv", "rec old": "rec.csv", "rec mine": "mine.csv"}
    assert named[:8] == [*(read | more).items(), ("metrics and k", "recall@2"), ("by", "country")]
    run(*GIVEN, "--rec", "rec.csv")
    assert '<th scope="row">rec rec</th><td>rec.csv</td>' in page()
    assert '<th scope="row">database' not in page()


def test_a_quiet_report_prints_nothing(tables: Path, undrawn: None) -> None:
    Path("repeated.csv").write_text(Path("rec.csv").read_text() + "1,1,0.9\n")
    for recs in (["--rec", "repeated.csv"], ["--rec", "rec.csv", "--rec", "repeated.csv"]):
        assert "1 row of rec with" in run(*GIVEN, *recs).stderr.replace("repeated: ", "")
        assert run(*GIVEN, *recs, "--quiet").output == ""
    assert run("report", "--truth", "no.csv", "--rec", "rec.csv", "--out", "a.html", "--quiet", code=1).stderr


def test_a_report_has_requirements_and_the_exit_code_of_their_outcomes(tables: Path, undrawn: None) -> None:
    for recs, asked in ((["--rec", "rec.csv"], "measured recall@2"), (SYSTEMS, "measured new: recall@2")):
        *_, wrote, passed = run(*GIVEN, *recs, "--require", f"{asked} >= 0").stderr.splitlines()
        assert wrote == "Wrote page.html"
        assert passed.startswith(f"passed: {asked} >= 0 (")
        run(*GIVEN, *recs, "--require", f"{asked} > 1", "--quiet", code=3)
        assert page().index("✗ failed") < page().index(escape(f"{asked} > 1")) < page().index("<h2>")
    refused = run(*GIVEN, *SYSTEMS, "--require", "ndcg@2 better", code=2)
    assert "the result has no ndcg@2" in " ".join(refused.stderr.split())
