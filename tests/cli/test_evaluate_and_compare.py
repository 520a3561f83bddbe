"""The commands `evaluate` and `compare`: they compute and print what the functions of Python give."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import duckdb
import pytest
from support.commands import BOTH, FILES, TABLES, rows, run

import rankdcg_sql
from rankdcg_sql import CallError
from rankdcg_sql.cli import main

USUAL: dict[str, dict[str, Any]] = {
    "evaluate": {"truth": "truth.csv", "rec": "rec.csv"},
    "compare": {"truth": "truth.csv", "recs": {"rec": "rec.csv", "mine": "mine.csv"}},
}
PLANS = "SELECT 1 AS userid, 'a' AS plan, 7 AS level UNION SELECT 2, 'b', 8"
WEIGHTS = "SELECT userid, userid * 2 AS shown FROM 'users.csv'"
SPARK = {"metrics": "precision", "k": 2, "rec": "mine.csv", "convention": "spark"}
NAMES = {"truth_user": "uid", "truth_item": "song", "rec_user": "customer_no", "rec_item": "track"}
#: Spans of documents, and chunks of which the last has more of a span than the first.
SPANS = (
    "SELECT * FROM (VALUES (1, 11, 0, 10), (1, 11, 20, 30), (2, 12, 0, 5)) "
    "AS t(userid, itemid, first, behind)"
)
CHUNKS = (
    "SELECT * FROM (VALUES (1, 11, 8, 15, 3), (1, 11, 1, 10, 1), (2, 12, 0, 4, 1)) "
    "AS t(userid, itemid, first, behind, score)"
)
#: Options of a command, and the arguments of Python that mean the same. The usual tables are not named.
#: A catalogue.
ITEMS = 'SELECT DISTINCT itemid, hash(itemid) % 9 AS popularity FROM "rec.csv"'
SAME: list[tuple[str, str, dict[str, Any]]] = [
    ("evaluate", "", {}),
    ("evaluate", "-k 2 --k 'ALL, 1' -m MRR --metric recall_at,mrr",
     {"k": [2, None, 1], "metrics": ["mrr", "recall"]}),
    ("evaluate", "-k 1 -m recall@2,MAP,ndcg@all", {"k": 1, "metrics": ["recall@2", "map", "ndcg@all"]}),
    ("evaluate", "-m r_precision", {"metrics": ["r_precision"]}),
    ("evaluate", "-m 'ndcg(gain=linear, idcg=k)@2,P(rel=2)@1' --rel rating",
     {"rel": "rating", "metrics": ["ndcg(gain=linear,idcg=k)@2", "precision(min_rel=2)@1"]}),
    ("evaluate", "--confidence 0.9 --rel rating", {"confidence": 0.9, "rel": "rating"}),
    ("evaluate", "--rel rating --options ' MIN_REL = 4 , gain=Linear'",
     {"rel": "rating", "min_rel": 4, "gain": "linear"}),
    ("evaluate", "--rel rating --options min_rel=5 --options no_relevant=zero",
     {"rel": "rating", "min_rel": 5, "no_relevant": "zero"}),
    ("evaluate", "--users both", {"users": "both"}),
    ("evaluate", "-k 2 -m precision --rec mine.csv --convention spark", SPARK),
    ("evaluate", "-k 2 -m precision --rec mine.csv --options convention=spark", SPARK),
    ("evaluate", "--truth T.csv --rec R.csv --truth-user=uid --truth-item=song --rec-user=customer_no "
     "--rec-item=track --score=wert", {"truth": "T.csv", "rec": "R.csv", "score": "wert", **NAMES}),
    ("evaluate", "--truth T.csv --rec same.csv --user UID --item Song",
     {"truth": "T.csv", "rec": "same.csv", "user": "uid", "item": "song"}),
    ("evaluate", "--by country", {"by": ["country"]}),
    ("evaluate", f"--by plan --by level --segments {PLANS!r}", {"by": ["plan", "level"], "segments": PLANS}),
    ("evaluate", f"--weight shown --segments {WEIGHTS!r}", {"weight": "shown", "segments": WEIGHTS}),
    ("evaluate", "-k 2 -m alpha_nDCG --aspect country",
     {"k": 2, "metrics": "alpha_ndcg", "aspect": "country"}),
    ("evaluate", "-k 1 -m recall,span_recall --spans=first,behind --overlap 0.5 "
     f"--truth {SPANS!r} --rec {CHUNKS!r}",
     {"k": 1, "metrics": ["recall", "span_recall"], "spans": ("first", "behind"), "overlap": 0.5,
      "truth": SPANS, "rec": CHUNKS}),
    ("evaluate", "-k 1 -m ndcg --spans=first,behind --overlap best "
     f"--truth {SPANS!r} --rec {CHUNKS!r}",
     {"k": 1, "metrics": "ndcg", "spans": ["first", "behind"], "overlap": "best",
      "truth": SPANS, "rec": CHUNKS}),
    ("evaluate", f"-k 1 -m coverage,ARP --items {ITEMS!r}",
     {"k": 1, "metrics": ["coverage", "arp"], "items": ITEMS}),
    ("evaluate", "--interval bootstrap --resamples 50 --seed 3",
     {"interval": "bootstrap", "resamples": 50, "seed": 3}),
    ("compare", "", {}),
    ("compare", "-k 2 -m recall,mrr --baseline mine --test wilcoxon --users both",
     {"k": 2, "metrics": ["recall", "mrr"], "baseline": "mine", "test": "wilcoxon", "users": "both"}),
    ("compare", "--rec rec.csv --rec mine.csv --rec new=popular.csv --baseline all",
     {"recs": {"rec": "rec.csv", "mine": "mine.csv", "new": "popular.csv"}, "baseline": "all"}),
    ("compare", "-k 2 --correction none --alternative less",
     {"k": 2, "correction": None, "alternative": "less"}),
    ("compare", "-k 2 --correction bonferroni --alternative greater --margin 0.5",
     {"k": 2, "correction": "bonferroni", "alternative": "greater", "margin": 0.5}),
    ("compare", "-k 2 --interval bootstrap --resamples 50 --seed 3",
     {"k": 2, "interval": "bootstrap", "resamples": 50, "seed": 3}),
]  # fmt: skip


def computed(command: str, **arguments: Any) -> Any:
    """The result of the function with the name of a command."""
    return getattr(rankdcg_sql, command)(**USUAL[command] | arguments)


def rows_of(result: Any) -> list[dict[str, Any]]:
    relation = result.summary if result.kind == "evaluation" else result.differences
    return [dict(zip(relation.columns, row, strict=True)) for row in relation.fetchall()]


def write_other_names() -> None:
    """Write the usual tables with other names of columns."""
    for name, table, columns in (
        ("T", "truth", "uid,song"), ("R", "rec", "customer_no,track"), ("same", "rec", "UID,Song"),
    ):  # fmt: skip
        text = FILES[f"{table}.csv"].replace("userid,itemid", columns)
        Path(f"{name}.csv").write_text(text.replace("score", "wert") if name == "R" else text)


@pytest.mark.parametrize(("command", "options", "arguments"), SAME)
def test_a_command_gives_the_rows_of_the_function(
    tables: Path, command: str, options: str, arguments: dict[str, Any]
) -> None:
    write_other_names()
    usual = [] if "--truth" in options else ["--truth", "truth.csv"]
    if "--rec" not in shlex.split(options):
        usual += BOTH[2:] if command == "compare" else TABLES[2:]
    found = rows(command, *usual, *shlex.split(options))
    assert found == rows_of(computed(command, **arguments))
    # No argument is there in vain.
    for name in arguments:
        fewer = {other: value for other, value in arguments.items() if other != name}
        try:
            assert rows_of(computed(command, **fewer)) != found, name
        except CallError:
            continue


#: Parameters that change no number, and those that the commands name in another way.
OTHERS = {
    "truth", "rec", "recs", "options", "unit", "output", "caption", "details", "per_user", "wide",
    "requirements", "inconclusive", "strict", "quiet", "append", "label", "engine", "database",
    "memory_limit", "threads", "progress",
}  # fmt: skip


@pytest.mark.parametrize("command", USUAL)
def test_every_option_that_changes_numbers_is_tested(command: str) -> None:
    tested = {name for _, _, arguments in SAME for name in arguments}
    assert {parameter.name for parameter in main.commands[command].params} - OTHERS - tested == set()


@pytest.mark.parametrize("kind", ["table", "csv", "markdown", "html", "latex"])
@pytest.mark.parametrize("command", ["evaluate", "compare", "compare --details"])
def test_outputs_are_those_of_the_result(tables: Path, command: str, kind: Any) -> None:
    name, *details = command.split()
    given = [*command.split(), *(TABLES if name == "evaluate" else BOTH), "-k", "2,all", "--output", kind]
    result = computed(name, k=[2, None])
    with_details = {"details": True} if details else {}
    assert run(*given).stdout.strip() == result.render(kind, **with_details).strip()
    if kind == "latex":
        captioned = run(*given, "--caption", "Our $k$").stdout.strip()
        assert captioned == result.to_latex("Our $k$", **with_details).strip()
        assert r"\caption{Our $k$}" in captioned
    elif kind == "markdown":
        done = run(*given, "--caption", "Ours", code=2)
        assert "--caption needs --output latex" in done.stderr
    if details:
        assert (result.render(kind, details=True) == result.render(kind)) == (kind == "csv")


@pytest.mark.parametrize("options", [[], ["--wide"], ["--long"]])
def test_values_of_users_are_written(tables: Path, options: list[str]) -> None:
    for command, given in (("evaluate", TABLES), ("compare", BOTH)):
        run(command, *given, "-k", "2,all", "--per-user", "values.csv", *options)
        computed(command, k=[2, None]).write("expected.csv", wide="--wide" in options)
        assert Path("values.csv").read_text() == Path("expected.csv").read_text()


# Tables


@pytest.mark.parametrize(
    ("truth", "rec", "args"),
    [
        ("SELECT * FROM 'truth.csv' WHERE userid = userid", "FROM 'rec.parquet'", []),
        ("truth", "rec", ["--database", "shop.db"]),
        ("truth.csv", "main.rec", ["--database", "shop.db"]),
        ("truth.csv", "SELECT * FROM rec", ["--database", "shop.db"]),
        ("truth.csv", "day=1/rec.csv", []),
        ("truth.csv", "day=1/*.csv", []),
    ],
)
def test_tables_are_named_in_many_ways(tables: Path, truth: str, rec: str, args: list[str]) -> None:
    Path("day=1").mkdir()
    Path("day=1/rec.csv").write_text(FILES["rec.csv"])
    assert rows("evaluate", "--truth", truth, "--rec", rec, *args) == rows("evaluate", *TABLES)


def test_a_database_is_only_read(tables: Path) -> None:
    """A process that only reads can do so while another process reads."""
    before = Path("shop.db").read_bytes()
    code = (
        "import duckdb; con = duckdb.connect('shop.db', read_only=True); print('open', flush=True); input()"
    )
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-c", code], text=True, **pipes) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "open\n"
        run("evaluate", "--truth", "truth", "--rec", "mine", "--database", "shop.db")
        other.communicate("\n")
    assert Path("shop.db").read_bytes() == before


def test_limits_reach_the_connection(tables: Path) -> None:
    limited = "current_setting('threads') = 3 AND current_setting('memory_limit') = '512.0 MiB'"
    rec = f"SELECT 1 AS userid, CASE WHEN {limited} THEN 1 ELSE 99 END AS itemid, 1 AS score"
    args = ["evaluate", "--truth", "truth.csv", "--rec", rec, "-m", "hit_rate", "-k", "1", "--users", "both"]
    assert [row["mean"] for row in rows(*args)] == [0]
    assert [row["mean"] for row in rows(*args, "--threads", "3", "--memory-limit", "512MiB")] == [1]


def test_names_of_systems(tables: Path) -> None:
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
    found = rows("compare", "--truth", "truth.csv", *args, "--database", "shop.db", "-m", "mrr", "-k", "1")
    assert [row["system"] for row in found] == list(recs.values())[1:]


def test_a_system_called_all_is_no_word(tables: Path) -> None:
    given = ["compare", *TABLES, "--rec", "all=mine.csv"]
    done = run(*given, "--baseline", "all")
    assert done.stderr.startswith("Comparison with all: ")
    assert "- --baseline all is the system of this name: to compare all pairs, " in done.stderr
    assert "give the system another name, as in --rec NAME=TABLE" in done.stderr
    assert "--baseline all is" not in run(*given).stderr
    assert "--baseline all is" not in run("compare", *BOTH, "--baseline", "all").stderr
    assert run(*given, "--baseline", "all", "--quiet").stderr == ""


def test_systems_are_compared_by_one_rule(here: Path) -> None:
    """A TREC run is ranked as trec_eval ranks it, and another table is not, unless the call decides."""
    Path("qrels.txt").write_text("q1 0 b 1\n")
    Path("run.txt").write_text("q1 Q0 a 1 0.5 tag\nq1 Q0 b 2 0.5 tag\n")
    Path("same.csv").write_text("userid,itemid,score\nq1,a,0.5\nq1,b,0.5\n")
    given = ["compare", "--truth", "qrels.txt", "--rec", "run.txt", "--rec", "same.csv", "-m", "mrr"]
    told = run(*given, code=1).stderr
    assert told.endswith(
        "run is a TREC run, which is ranked as trec_eval does, and same is not: for one rule, give "
        "--convention trec_eval, or ties and score_type\n"
    )
    swapped = [*given[:3], "--rec", "same.csv", "--rec", "run.txt", "-m", "mrr"]
    assert run(*swapped, code=1).stderr.splitlines()[-1] == told.splitlines()[-1]
    for rule in (["--convention", "trec_eval"], ["--options", "ties=average,score_type=exact"]):
        compared = rows(*given, *rule)
        assert compared
        assert {(row["difference"], row["ties"]) for row in compared} == {(0, 1)}


# Notes


def test_data_warnings_go_to_standard_error(tables: Path) -> None:
    done = run("evaluate", *TABLES[:3], "repeats.csv", "--rel", "rating", "--output", "csv")
    assert done.stdout.startswith("metric,k,n,")
    headline, *notes = done.stderr.splitlines()
    assert headline == "Evaluation of 3 users"
    assert [re.sub(r",.*|:.*", "", note) for note in notes] == [
        "- 1 user of truth without a row in rec",
        "- 1 row of rec with the user and item of another row",
        "- 1 row of rec without a user",
        "- 1 row of rec without an item",
        "- 1 row of rec without a score",
    ]


def test_a_comparison_names_the_users_it_covers(tables: Path) -> None:
    done = run("compare", *BOTH, "--rel", "rating", "-k", "2", "-m", "precision")
    headline, *notes = done.stderr.splitlines()
    assert headline == "Comparison with rec: paired t test, Holm's correction"
    assert notes[0] == "- rec: 1 user of truth without a row in rec"
    assert notes[1].startswith("- mine and rec have lists of different length for 1 user")
    assert len(notes) == 2


def test_a_system_called_rec_has_each_note_once(tables: Path) -> None:
    done = run("compare", "--truth", "truth.csv", "--rec", "rec=repeats.csv", "--rec", "mine.csv")
    assert done.stderr.count("1 row of rec without a score") == 1


def test_a_warning_is_a_note_with_options_of_the_command_and_comes_once(tables: Path) -> None:
    done = run("evaluate", *TABLES[:3], "SELECT * REPLACE (-itemid AS itemid) FROM 'rec.csv'")
    assert "- no item of rec is one of truth (truth.csv)" in done.stderr
    assert "DataWarning" not in done.stderr
    Path("graded.csv").write_text("userid,itemid,relevance\n1,1,1\n2,3,1\n")
    done = run("compare", "--truth", "graded.csv", "--rec", "rec.csv", "--rec", "mine.csv")
    text = "truth (graded.csv) has a column 'relevance', but no --rel relevance is given: each of its rows"
    assert done.stderr.count(text) == 1
    done = run("evaluate", *TABLES, "--options", "min_rel=2")
    assert "min_rel=2 is about relevances, but no --rel= names their column in truth" in done.stderr


def test_unit(tables: Path) -> None:
    found = run("evaluate", *TABLES, "--unit", "queries", "--require", "measured ndcg@10 >= 0")
    assert "Evaluation of 3 queries" in found.stderr
    assert "3 queries)" in found.stderr
    assert "user" not in found.output
