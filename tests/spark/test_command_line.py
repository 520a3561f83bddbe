"""The command line with tables on Spark prints what it prints with tables in DuckDB."""

from __future__ import annotations

import gzip
import json
from typing import TYPE_CHECKING, Any

import click.testing
import duckdb
import pandas as pd
import pyarrow.parquet as pq
import pytest
from pyarrow import orc

from rankdcg_sql.cli import main

pyspark = pytest.importorskip("pyspark")

if TYPE_CHECKING:
    from pathlib import Path

ARGUMENTS = ["--rel", "rel", "-k", "1,2", "--output", "json"]


@pytest.fixture
def paths(tmp_path: Path) -> list[str]:
    """The paths of truth and of two systems."""
    texts = {
        "truth.csv": "userid,itemid,rel\n1,a,3\n1,b,1\n2,b,2\n3,c,1\n",
        "old.csv": "userid,itemid,score\n1,b,0.9\n1,a,0.5\n2,c,0.7\n2,b,0.1\n",
        "new.csv": "userid,itemid,score\n1,a,0.9\n1,b,0.5\n2,b,0.7\n3,d,0.1\n3,c,\n",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return [str(tmp_path / name) for name in texts]


def call(*arguments: str) -> tuple[int, Any, str]:
    """The exit code of a command, its output without the names of tables, and its notes."""
    done = click.testing.CliRunner().invoke(main, arguments)
    if "json" not in arguments or done.exit_code not in (0, 3, 4):
        return done.exit_code, done.stdout, done.stderr
    printed = json.loads(done.stdout)
    inputs = printed.pop("inputs")
    assert inputs["engine"] == ("spark" if "spark" in arguments else "duckdb")
    assert printed["versions"].pop("spark", None) == (pyspark.__version__ if "spark" in arguments else None)
    return done.exit_code, printed, done.stderr


def tables_of(truth: str, *recs: str) -> list[str]:
    return ["--truth", truth, *(text for rec in recs for text in ("--rec", rec))]


def test_files_give_the_output_of_duckdb(spark: Any, paths: list[str]) -> None:
    tables = ["evaluate", *tables_of(*paths[:2]), *ARGUMENTS]
    options = ["--options", "gain=linear,min_rel=2", "--convention", "trec_eval"]
    expected = call(*tables, *options)
    assert expected[0] == 0
    assert "without a row in rec" in expected[2]
    assert expected[1]["rows"] != call(*tables)[1]["rows"]
    assert call(*tables, *options, "--engine", "spark") == expected


def test_files_of_other_formats_give_the_output_of_duckdb(
    spark: Any, paths: list[str], tmp_path: Path
) -> None:
    """A path without an ending is a folder of Parquet files."""
    expected = call("compare", *tables_of(*paths), *ARGUMENTS)
    truth, old, new = (duckdb.read_csv(path).to_arrow_table() for path in paths)
    names = [tmp_path / name for name in ("truth.json", "old.ORC", "new")]
    names[0].write_text("".join(f"{json.dumps(row)}\n" for row in truth.to_pylist()), encoding="utf-8")
    orc.write_table(old, names[1])
    names[2].mkdir()
    pq.write_table(new, names[2] / "1.parquet")
    assert call("compare", *tables_of(*map(str, names)), *ARGUMENTS, "--engine", "spark") == expected


def test_compressed_files_with_names_in_capitals(spark: Any, paths: list[str], tmp_path: Path) -> None:
    tables = ["evaluate", "--truth", paths[0], *ARGUMENTS, "--rec"]
    expected = call(*tables, paths[1])
    path = tmp_path / "old.CSV.gz"
    text = (tmp_path / "old.csv").read_text(encoding="utf-8")
    path.write_bytes(gzip.compress(text.replace("userid,itemid,score", "UserId,ItemId,Score").encode()))
    for names in ([], ["--score", "SCORE"]):
        code, found, _ = call(*tables, str(path), *names, "--engine", "spark")
        assert (code, found["rows"]) == (0, expected[1]["rows"])


def test_items_and_aspects(spark: Any, paths: list[str], tmp_path: Path) -> None:
    """The table of items is a file of this machine, or a name in the catalogue of Spark."""
    truth, items = tmp_path / "aspects.csv", tmp_path / "items.csv"
    truth.write_text("userid,itemid,topic\n1,a,x\n1,b,y\n2,b,x\n2,b,y\n3,c,x\n", encoding="utf-8")
    items.write_text("itemid,popularity\na,9\nb,4\nc,1\nd,1\n", encoding="utf-8")
    tables = ["evaluate", *tables_of(str(truth), paths[1]), "--aspect", "topic", "--output", "json"]
    asked = [*tables, "-m", "alpha_nDCG@2,serendipity@2,coverage@1,ndcg@2", "--items"]
    expected = call(*asked, str(items))
    assert expected[0] == 0
    spark.createDataFrame(pd.read_csv(items)).createOrReplaceTempView("catalogue")
    try:
        for name in (str(items), "catalogue"):
            assert call(*asked, name, "--engine", "spark") == expected
    finally:
        spark.catalog.dropTempView("catalogue")


def test_requirements(spark: Any, paths: list[str]) -> None:
    tables = ["compare", "--truth", paths[0], "--rec", paths[1], "--rec", paths[2], *ARGUMENTS]
    required = ["--require", "new: ndcg@2 not worse by 1%", "--require", "measured old: ndcg@2 > 0.9"]
    expected = call(*tables, *required)
    assert expected[0] == 3
    assert [each["outcome"] for each in expected[1]["requirements"]] == ["inconclusive", "failed"]
    assert call(*tables, *required, "--engine", "spark") == expected


def test_ids_of_csv_files_are_texts(spark: Any, tmp_path: Path) -> None:
    """Spark would take these ids for numbers, of which some are equal."""
    truth, rec = tmp_path / "truth.csv", tmp_path / "rec.csv"
    truth.write_text("userid,itemid\n1,007\n2,7\n3,1d\n", encoding="utf-8")
    rec.write_text("userid,itemid,score\n1,7,2\n1,007,1\n2,007,2\n2,7,1\n3,1f,2\n3,1d,1\n", encoding="utf-8")
    arguments = ("evaluate", "--truth", str(truth), "--rec", str(rec), "-k", "1,2", "-m", "recall")
    expected = call(*arguments, "--output", "csv")
    assert [line.split(",")[3] for line in expected[1].splitlines()[1:]] == ["0.0", "1.0"]
    assert call(*arguments, "--output", "csv", "--engine", "spark") == expected


def test_tables_of_the_catalogue(spark: Any, paths: list[str]) -> None:
    expected = call("evaluate", "--truth", paths[0], "--rec", paths[1], *ARGUMENTS)
    for name, path in zip(("judged", "retrieved"), paths, strict=False):
        spark.read.csv(path, header=True, inferSchema=True).createOrReplaceTempView(name)
    try:
        tables = ["--truth", "judged", "--rec", "retrieved"]
        found = call("evaluate", *tables, *ARGUMENTS, "--engine", "spark")
    finally:
        for name in ("judged", "retrieved"):
            spark.catalog.dropTempView(name)
    assert found[:2] == expected[:2]


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["--rec", "nowhere.parquet"], 1, "[PATH_NOT_FOUND]"),
        (["--rec", "s3://bucket/rec"], 1, 'No FileSystem for scheme "s3"'),
        (["--rec", "nothing"], 1, "rec (nothing): Spark has no table or view of this name"),
        (
            ["--rec", "nothing", "--options", "convention=ranx", "--convention", "spark"],
            2,
            "Give the convention once, with --convention or in --options.",
        ),
        (["--rec", "nothing", "--threads", "2"], 2, "--threads is for --engine duckdb."),
        (["--rec", "nothing", "--database", __file__], 2, "--database is for --engine duckdb."),
        (["--rec", "nothing", "--memory-limit", "1GB"], 2, "--memory-limit is for --engine duckdb."),
    ],
)
def test_errors(spark: Any, paths: list[str], arguments: list[str], code: int, message: str) -> None:
    found = call("evaluate", "--truth", paths[0], "--engine", "spark", *arguments)
    assert found[:2] == (code, "")
    assert message in found[2]
    assert "Traceback" not in found[2]
    if code == 1:
        assert len(found[2].splitlines()) == 1
        assert found[2].startswith("Error: ")
