"""Requirements on the command line: lines, exit codes, and results as one JSON object."""

from __future__ import annotations

import json
import platform
import sys
from pathlib import Path
from typing import Any

import duckdb
import pytest
from support.commands import BOTH, TABLES, printed, rows, run
from support.process import unread

import rankdcg_sql

#: Every user's item is recommended to the first users by `good.csv`, and to all but some by `all.csv`.
USERS = 200
MANY = ["--truth", "many.csv", "-k", "1", "-m", "recall"]
ONE = ["evaluate", *MANY, "--rec", "good.csv"]
TWO = ["compare", *MANY, "--rec", "good.csv", "--rec", "all.csv"]
#: Requirements on a share of 0.75 of 200 users.
PASSED, FAILED, UNSURE = "recall@1 >= 0.6", "recall@1 > 0.9", "recall@1 > 0.74"


@pytest.fixture
def many(here: Path) -> None:
    """A working directory with tables of many users."""
    users = range(USERS)
    texts = {
        "many.csv": ["userid,itemid,plan", *(f"{user},1,{'free' if user % 2 else 'paid'}" for user in users)],
        "good.csv": ["userid,itemid,score", *(f"{user},{1 if user % 4 else 2},1" for user in users)],
        "all.csv": ["userid,itemid,score", *(f"{user},1,1" for user in users)],
        "repeated.csv": ["userid,itemid,score", *(f"{user // 2},1,1" for user in range(2 * USERS))],
    }
    for name, lines in texts.items():
        Path(name).write_text("\n".join([*lines, ""]))


def required(*texts: str) -> list[str]:
    return [argument for text in texts for argument in ("--require", text)]


def outcomes(text: str) -> list[str]:
    """The lines about requirements that a command printed, without what was measured."""
    lines = [line.partition(" (")[0] for line in text.splitlines()]
    return [line for line in lines if line.startswith(("passed: ", "failed: ", "inconclusive: "))]


@pytest.mark.parametrize(
    ("texts", "options", "code"),
    [
        ((PASSED,), [], 0),
        ((PASSED, PASSED), [], 0),
        ((FAILED,), [], 3),
        ((UNSURE,), [], 4),
        ((PASSED, UNSURE), [], 4),
        ((UNSURE, FAILED), [], 3),
        ((UNSURE, PASSED), ["--inconclusive", "pass"], 0),
        ((UNSURE, FAILED), ["--inconclusive", "pass"], 3),
        ((UNSURE,), ["--inconclusive", "fail"], 4),
        (("measured recall@1 > 0.74",), [], 0),
    ],
)
def test_exit_codes(many: None, texts: tuple[str, ...], options: list[str], code: int) -> None:
    done = run(*ONE, *required(*texts), *options, code=code)
    words = {PASSED: "passed", FAILED: "failed", UNSURE: "inconclusive"}
    expected = [f"{words.get(text, 'passed')}: {text}" for text in texts]
    assert outcomes(done.stderr) == expected
    assert done.stderr.splitlines()[1:] == done.stderr.splitlines()[-len(texts) :]
    assert "│ recall │ 1 │ 200 │ 0.7500 │" in done.stdout


def test_a_line_says_what_was_asked_and_measured(many: None) -> None:
    line = run(*ONE, *required(UNSURE), code=4).stderr.splitlines()[-1]
    result = rankdcg_sql.evaluate("many.csv", "good.csv", k=1, metrics="recall")
    assert [line] == [str(each) for each in result.require(UNSURE, inconclusive="pass")]
    measured = "mean 0.7500, 90% interval 0.6945 to 0.7998, p = 0.4092, "
    assert line.startswith(f"inconclusive: recall@1 > 0.74 ({measured}")
    run(*ONE, *required(f"measured {UNSURE}"))


def test_no_user_no_pass(many: None) -> None:
    """Nothing is relevant, so that no user has a value, and --inconclusive pass is about users."""
    Path("nothing.csv").write_text("userid,itemid,rel\n" + "".join(f"{user},1,0\n" for user in range(9)))
    given = ["--truth", "nothing.csv", "--rel", "rel", "-k", "1", "-m", "recall", "--rec", "good.csv"]
    for text in ("recall@1 >= 0.1", "measured recall@1 >= 0.1"):
        for options in ([], ["--inconclusive", "pass"], ["--inconclusive", "pass", "--quiet"]):
            done = run("evaluate", *given, *required(text), *options, code=4)
            assert done.stderr.splitlines()[-1] == f"inconclusive: {text} (no user has a value)"
    both = ["compare", *given, "--rec", "all.csv", "--inconclusive", "pass", "--quiet"]
    for form in ("better", "not worse by 1%", "differs", ">= 0.1"):
        done = run(*both, *required(f"all: recall@1 {form}"), code=4)
        assert done.stderr == f"inconclusive: all: recall@1 {form} (no user has a value)\n"


def test_comparisons_and_segments(many: None) -> None:
    texts = (
        "all: recall@1 better by 10% in every segment",
        "good: recall@1 >= 0.3 in plan=paid",
        "recall@1 not worse by 0.01",
    )
    done = run(*TWO, "--by", "plan", *required(*texts), code=3)
    assert outcomes(done.stderr) == [
        # Users with a multiple of 4 are all in the segment paid; in the other one, the two systems are equal.
        "failed: all: recall@1 better by 10% in plan=free",
        "passed: all: recall@1 better by 10% in plan=paid",
        "passed: good: recall@1 >= 0.3 in plan=paid",
        "passed: all: recall@1 not worse by 0.01",
    ]


@pytest.mark.parametrize(
    ("args", "text", "message"),
    [
        ([*ONE], "recall@1", "it follows no form"),
        ([*ONE], "recal@1 > 1", "there is no metric 'recal@1'"),
        ([*ONE], "recall@2 > 1", "the result has no recall@2, but recall@1"),
        ([*ONE], "recall@1 better", "'better' is about a comparison, and this is an evaluation"),
        ([*TWO], "new: recall@1 better", "there is no system 'new', but good, all"),
        ([*TWO, "--baseline", "all"], "all: recall@1 better", "'all' is the baseline itself"),
        (
            ["compare", *MANY, "--rec", "good.csv", "--rec", "x=all.csv", "--baseline", "all"],
            "recall@1 better",
            "'better' needs a baseline, and all pairs are compared",
        ),
        ([*ONE], "recall@1 > 0 in plan=free", "the result has no segments: "),
        ([*ONE, "--confidence", "0.3"], "recall@1 > 0", "a test needs a confidence above 0.5, got 0.3"),
    ],
)
def test_wrong_requirements_are_found_before_the_evaluation(
    many: None, args: list[str], text: str, message: str
) -> None:
    Path("many.csv").unlink()
    done = run(*args, *required(text), code=2)
    assert done.stderr.startswith("Usage: ")
    start = f"Error: Invalid value for '--require': {text!r} cannot be required: {message}"
    assert done.stderr.splitlines()[-1].startswith(start)
    assert done.stdout == ""


def test_other_errors_keep_their_codes(many: None) -> None:
    missing = run(*ONE, "--by", "plan", *required("recall@1 > 0 in plan=none"), code=1)
    assert missing.stderr.endswith("cannot be required: no user is in the segment plan=none\n")
    unknown = run(*ONE, "-m", "recal", *required(PASSED), code=1)
    assert unknown.stderr.startswith("Error: there is no metric 'recal': did you mean recall")
    wrong = run(*TWO, "--baseline", "other", *required("recall@1 better"), code=1)
    assert "--baseline must be 'good' or 'all', got 'other'" in wrong.stderr
    assert "--inconclusive" in run(*ONE, "--inconclusive", "no", code=2).stderr


def test_strict_makes_warnings_failures(many: None) -> None:
    repeated = ["evaluate", *MANY, "--rec", "repeated.csv"]
    line = "- 200 rows of rec with the user and item of another row: the largest score counts"
    assert line in run(*repeated, *required(PASSED)).stderr
    done = run(*repeated, *required(PASSED), "--strict", code=5)
    assert done.stderr.splitlines()[-2:] == ["failed: --strict allows no warning about the data:", line]
    assert "│ recall │ 1 │ 200 │" in done.stdout
    # Two systems have the same warning, which is printed with the name of each.
    both = ["compare", *MANY, "--rec", "repeated.csv", "--rec", "again=repeated.csv", "--strict", "--quiet"]
    of_both = [line.replace("- ", f"- {name}: ") for name in ("repeated", "again")]
    assert run(*both, code=5).stderr.splitlines()[1:] == of_both
    quiet = run(*repeated, *required(PASSED), "--strict", "--quiet", code=5)
    assert (quiet.stdout, quiet.stderr.splitlines()) == ("", done.stderr.splitlines()[-2:])
    assert "failed" not in run(*ONE, *required(PASSED), "--strict").stderr
    # 0.999^200 is 0.82.
    unsure = run(*repeated, *required("recall@1 > 0.999"), "--strict", code=5)
    assert outcomes(unsure.stderr)[0] == "inconclusive: recall@1 > 0.999"
    run(*repeated, *required("recall@1 < 0.5"), "--strict", code=3)
    # A note about users is no warning.
    Path("few.csv").write_text("userid,itemid,score\n1,1,1\n2,1,1\n")
    few = run("evaluate", *MANY, "--rec", "few.csv", "--strict")
    assert "198 users of truth without a row in rec" in few.stderr


def test_a_warning_of_strict_names_options_of_the_command(many: None) -> None:
    Path("rated.csv").write_text("userid,itemid,rating\n1,1,5\n2,1,1\n")
    done = run("evaluate", "--truth", "rated.csv", "--rec", "all.csv", "--strict", "--quiet", code=5)
    told = "no --rel rating is given: each of its rows counts as relevant"
    assert done.stderr.count(told) == 1
    # A warning about truth comes once for all systems.
    both = ["compare", "--truth", "rated.csv", "--rec", "all.csv", "--rec", "good.csv", "--strict", "--quiet"]
    assert run(*both, code=5).stderr.count(told) == 1


def test_quiet_prints_what_is_wrong_alone(many: None) -> None:
    well = run(*ONE, *required(PASSED), "--quiet")
    assert (well.stdout, well.stderr) == ("", "")
    unsure = run(*ONE, *required(PASSED, UNSURE), "--quiet", "--inconclusive", "pass")
    assert (unsure.stdout, unsure.stderr) == ("", "")
    wrong = run(*TWO, *required("all: recall@1 < 0.5", "recall@1 better", UNSURE), "--quiet", code=3)
    assert (wrong.stdout, outcomes(wrong.stderr)) == ("", ["failed: all: recall@1 < 0.5"])
    assert len(wrong.stderr.splitlines()) == 1
    assert json.loads(run(*ONE, "--quiet", "--output", "json").stdout)["rows"]
    assert run(*ONE, "--quiet", "--output", "csv").stdout.startswith("metric,k,n")
    run(*ONE, "--quiet", "--per-user", "values.csv")
    assert len(Path("values.csv").read_text().splitlines()) == 1 + USERS
    assert run(*ONE, "--quiet", "--append", "history.csv").output == ""
    assert len(Path("history.csv").read_text().splitlines()) == 2


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has other errors of pipes")
@pytest.mark.parametrize(("text", "code"), [(FAILED, 3), (UNSURE, 4), (PASSED, 1)])
def test_a_failure_has_its_exit_code_if_nobody_reads(many: None, text: str, code: int) -> None:
    """Without a failure, a reader that is gone ends the command, as it ends others."""
    done = unread(*ONE, *required(text), "--append", "history.csv")
    assert done.returncode == code
    assert b"Traceback" not in done.stderr
    if code != 1:
        assert Path("history.csv").exists()
        assert outcomes(done.stderr.decode()) == [f"{'failed' if code == 3 else 'inconclusive'}: {text}"]


# JSON


def test_json_has_all_that_results_depend_on(many: None) -> None:
    found = printed(*ONE, *required(PASSED), "--users", "both", "--options", "no_relevant=zero")
    assert [*found] == [
        *("kind", "rows", "counts", "warnings", "requirements", "options"),
        *("definitions", "fingerprints", "inputs", "versions"),
    ]
    assert found["kind"] == "evaluation"
    assert [row["mean"] for row in found["rows"]] == [0.75]
    assert (found["counts"]["users_evaluated"], found["counts"]["rec_rows"]) == (USERS, USERS)
    assert found["warnings"] == []
    (requirement,) = found["requirements"]
    assert (requirement["requirement"], requirement["outcome"], requirement["n"]) == (PASSED, "passed", USERS)
    assert found["options"] == {
        "metrics": ["recall"], "k": [1], "measures": ["recall@1"], "user": "userid", "item": "itemid",
        "truth_user": None, "rec_user": None, "truth_item": None, "rec_item": None,
        "score": "score", "rel": None, "aspect": None, "weight": None, "by": [], "spans": None,
        "overlap": "any",
        "users": "both", "interval": "t", "confidence": 0.95,
        "resamples": None, "seed": None, "options": {"no_relevant": "zero"},
    }  # fmt: skip
    effective = printed(*ONE, "--convention", "trec_eval")["options"]["options"]
    assert effective["convention"] == "trec_eval"
    assert found["inputs"] == {
        "truth": "many.csv", "rec": "good.csv", "segments": None, "items": None, "database": None,
        "engine": "duckdb",
    }  # fmt: skip
    definition = found["definitions"]["recall"]
    assert [*found["definitions"]] == ["recall"]
    assert definition["formula"] == rankdcg_sql.catalogue.by_name()["recall"].formula
    assert (definition["options"]["no_relevant"], definition["options"]["min_rel"]) == ("zero", "unset")
    assert {name: len(text) for name, text in found["fingerprints"].items()} == {"truth": 32, "rec": 32}
    assert found["versions"] == {
        "rankdcg_sql": rankdcg_sql.__version__,
        "duckdb": duckdb.__version__,
        "python": platform.python_version(),
    }


def test_json_of_a_comparison(many: None) -> None:
    Path("repeats.csv").write_text(Path("repeated.csv").read_text())
    given = ["--rec", "x=repeats.csv", "--by", "plan", "--segments", "many.csv", "--interval", "bootstrap"]
    found = printed(*TWO, *given, *required("x: recall@1 > 2"), "--quiet", code=3)
    assert found["kind"] == "comparison"
    assert {row["system"] for row in found["rows"]} == {"all", "x"}
    repeats = {name: of["rec_repeats"] for name, of in found["counts"].items()}
    assert repeats == {"good": 0, "all": 0, "x": 200}
    fingerprints = found["fingerprints"]
    assert len({of["truth"] for of in fingerprints.values()}) == 1
    assert len({of["rec"] for of in fingerprints.values()}) == 3
    assert [*fingerprints["x"]] == ["truth", "rec", "segments"]
    text = "x: 200 rows of rec with the user and item of another row: the largest score counts"
    assert found["warnings"] == [{"argument": None, "kind": "rows", "text": text}]
    options: dict[str, Any] = found["options"]
    assert (options["baseline"], options["test"], options["correction"]) == ("good", "t", "holm")
    assert (options["resamples"], options["seed"], options["by"]) == (10_000, 0, ["plan"])
    assert (options["alternative"], options["margin"], options["interval"]) == ("two_sided", 0, "bootstrap")
    assert {*options} - {*printed(*ONE)["options"]} == {
        "baseline", "test", "correction", "alternative", "margin",
    }  # fmt: skip
    assert found["inputs"]["recs"] == {"good": "good.csv", "all": "all.csv", "x": "repeats.csv"}
    assert found["inputs"]["segments"] == "many.csv"
    assert [each["outcome"] for each in found["requirements"]] == ["failed"]


def test_json_has_the_seed_of_every_test_that_draws(many: None) -> None:
    given = ["--truth", "many.csv", "--rec", "good.csv", "--rec", "x=all.csv", "-k", "1", "-m", "recall"]
    for test, options in {"tukey_hsd": ["--baseline", "all"], "randomization": [], "t": []}.items():
        found = printed("compare", *given, "--test", test, *options)["options"]
        assert (found["resamples"], found["seed"]) == ((None, None) if test == "t" else (10_000, 0))
    drawn = ["--interval", "bootstrap", "--resamples", "99"]
    found = printed("compare", *given, *drawn, "--seed", "7", "-m", "mrr@all", "-k", "2,all")["options"]
    assert (found["resamples"], found["seed"], found["k"]) == (99, 7, [1, 2, None])
    assert found["measures"] == ["recall@1", "recall@2", "recall", "mrr"]
    assert printed("compare", *given, *drawn)["options"]["seed"] == 0


def test_json_has_the_arguments_of_warnings(many: None) -> None:
    Path("rated.csv").write_text("userid,itemid,rating\n1,1,5\n2,1,1\n")
    (found,) = printed("evaluate", "--truth", "rated.csv", "--rec", "all.csv")["warnings"]
    assert (found["argument"], found["kind"]) == ("rel", "argument")
    assert "no --rel rating is given" in found["text"]


def test_json_is_strict(tables: Path) -> None:
    """An effect size may be infinite, and is a text."""
    Path("best.csv").write_text("userid,itemid,score\n1,1,1\n2,3,1\n3,5,1\n")
    Path("worst.csv").write_text("userid,itemid,score\n1,9,1\n2,9,1\n3,9,1\n")
    given = ["--truth", "truth.csv", "--rec", "worst.csv", "--rec", "best.csv", "-k", "1", "-m", "precision"]
    (row,) = rows("compare", *given)
    assert row["effect_size"] == "Infinity"
    exact = printed("compare", *given, *required("precision@1 better"), code=4)
    assert exact["requirements"][0]["p_value"] == 0.125


def test_json_holds_texts_of_any_kind(tables: Path) -> None:
    Path('q"é.csv').write_text(Path("rec.csv").read_text())
    assert printed("evaluate", *TABLES[:3], 'q"é.csv')["inputs"]["rec"] == 'q"é.csv'
    assert printed("compare", *BOTH)["inputs"]["recs"] == {"rec": "rec.csv", "mine": "mine.csv"}
