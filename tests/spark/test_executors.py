"""Sessions other than a local one: Spark Connect, and a cluster whose executors lack the package, or die."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import textwrap
import venv
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from support.process import PACKAGE

import rankdcg_sql

pytestmark = pytest.mark.usefixtures("spark_is_there")

ARGUMENTS: dict[str, Any] = {"rel": "rel", "k": [1, 3], "metrics": ["ndcg", "recall", "rankdcg"]}
#: The environment of scripts, in which nothing says where the package is.
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
#: The question of each script to its session: the values of each user, and the counts.
REPORT = """
    import json
    import rankdcg_sql

    def report(spark):
        tables = [spark.read.parquet(f"{name}.parquet") for name in ("truth", "rec")]
        found = rankdcg_sql.evaluate(*tables, **ARGUMENTS)
        return {"values": found.to_arrow(wide=True).to_pylist(), "counts": vars(found.counts)}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with both tables."""
    return write_tables(tmp_path)


def write_tables(folder: Path) -> Path:
    """Write the tables of users from 0 on, some of which are in one table alone; return their folder."""
    pairs = [(user, f"i{(user * 7 + n * n) % 11}", n) for user in range(400) for n in range(5)]
    truth = [(user, item, n % 3 + 1) for user, item, n in pairs if user % 7 and n % 2 == 0]
    rec = [(user, item, (n * 13 + user) % 4 / 4) for user, item, n in pairs if user % 5]
    for name, rows, value in (("truth", dict.fromkeys(truth), "rel"), ("rec", rec, "score")):
        kept = {(user, item): number for user, item, number in rows}
        columns = {"userid": [user for user, _ in kept], "itemid": [item for _, item in kept]}
        pq.write_table(pa.table(columns | {value: [*kept.values()]}), folder / f"{name}.parquet")
    return folder


def run(folder: Path, script: str, **environment: str) -> list[Any]:
    """Run a script whose driver has the package; return the JSON of each line that it prints."""
    path = folder / "script.py"
    front = f"import sys\nsys.path.insert(0, {str(PACKAGE.parent)!r})\nARGUMENTS = {ARGUMENTS!r}\n"
    path.write_text(front + textwrap.dedent(REPORT) + textwrap.dedent(script), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, str(path)],
        capture_output=True,
        text=True,
        cwd=folder,
        env=ENVIRONMENT | {"PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"} | environment,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr[-5000:]
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith(("{", "[", '"'))]


def expected(folder: Path) -> dict[str, Any]:
    """The answer that the scripts must print, by DuckDB."""
    found = rankdcg_sql.evaluate(str(folder / "truth.parquet"), str(folder / "rec.parquet"), **ARGUMENTS)
    assert found.counts.users_without_rec > 0
    assert found.counts.users_without_truth > 0
    values = found.to_arrow(wide=True).to_pylist()
    return json.loads(json.dumps({"values": values, "counts": vars(found.counts)}))


def test_spark_connect(folder: Path) -> None:
    script = """
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.remote("local[2]").config("spark.sql.shuffle.partitions", 2)
    spark = builder.config("spark.ui.enabled", "false").getOrCreate()
    assert type(spark).__module__ == "pyspark.sql.connect.session"
    print(json.dumps(report(spark)))
    from rankdcg_sql.spark import evaluate, explain

    tables = [spark.read.parquet(f"{name}.parquet") for name in ("truth", "rec")]
    rows = evaluate(*tables, **ARGUMENTS).where("k = 3").orderBy("userid").collect()
    print(json.dumps({"values": [[row.userid, row.ndcg, row.rankdcg] for row in rows]}))
    items = explain(*tables, 3, "ndcg", rel="rel").where("value IS NOT NULL").groupBy("userid")
    print(json.dumps([*map(list, items.agg({"contribution": "sum"}).orderBy("userid").collect())]))
    truth = spark.read.parquet("truth.parquet")
    truth.selectExpr("itemid", "length(itemid) AS popularity").distinct().createOrReplaceTempView("items")
    of_items = [
        rankdcg_sql.evaluate(*tables, metrics=["gini@3", "serendipity@3"], rel="rel", items=items).means
        for items in ("items", "FROM 'truth.parquet' SELECT DISTINCT itemid, length(itemid) AS popularity")
    ]
    print(json.dumps(of_items))
    twice = truth.union(truth.selectExpr("userid", "itemid", "rel + 1"))
    try:
        rankdcg_sql.evaluate(twice, truth.selectExpr("userid", "itemid", "rel AS score"), rel="rel")
    except rankdcg_sql.CallError as error:
        print(json.dumps(error.text))
    try:
        rankdcg_sql.evaluate("nothing", truth, spark=spark)
    except rankdcg_sql.CallError as error:
        print(json.dumps(str(error)))
    from pyspark.errors import PythonException
    from rankdcg_sql.spark import functions as rk

    rankdcg_sql.spark.register(spark, "rk_")
    frame = spark.sql("SELECT array(1, 3, 2, 6) AS rec, array(1L, 2L, 4L) AS truth, 2 AS k")
    of_columns = frame.select(
        rk.ndcg("rec", "truth", k=2),
        rk.ndcg("rec", frame.truth, k=frame.k, gain="linear"),
        rk.rank_metrics_at("rec", "truth", [1, None])[1].recall,
    )
    calls = "rk_ndcg(rec, truth, k => 2)", "rk_rank_metrics(rec, truth, 'gain=linear').recall"
    try:
        frame.selectExpr("rk_ndcg(rec, truth, 0)").collect()
    except PythonException as error:
        said = "ndcg: k must be at least 1, got 0" in str(error)
    print(json.dumps([*of_columns.first(), *frame.selectExpr(*calls).first(), said]))
    spark.stop()
    """
    # The package is importable for the server, which starts the workers.
    found, lazy, sums, of_items, conflict, missing, of_lists = run(
        folder, script, PYTHONPATH=str(PACKAGE.parent)
    )
    assert found == expected(folder)
    values = [[row["userid"], row["ndcg@3"], row["rankdcg"]] for row in expected(folder)["values"]]
    assert lazy["values"] == values
    assert dict(sums) == pytest.approx(
        {user: ndcg for user, ndcg, _ in values if ndcg is not None}, abs=1e-12
    )
    files = (str(folder / f"{name}.parquet") for name in ("truth", "rec"))
    items = f"FROM '{folder}/truth.parquet' SELECT DISTINCT itemid, length(itemid) AS popularity"
    asked = {"metrics": ["gini@3", "serendipity@3"], "rel": "rel", "items": items}
    assert of_items == [rankdcg_sql.evaluate(*files, **asked).means] * 2
    assert conflict.startswith("truth judges an item twice, with relevance ")
    assert missing == "evaluate: truth (nothing): Spark has no table or view of this name"
    lists = [1, 3, 2, 6], [1, 2, 4]
    at_2, recall = rankdcg_sql.ndcg(*lists, k=2), rankdcg_sql.recall(*lists)
    assert of_lists == [at_2, rankdcg_sql.ndcg(*lists, k=2, gain="linear"), recall, at_2, recall, True]


class Unloadable:
    """A finder of modules that fails to load those of this package."""

    def __init__(self, reason: Exception) -> None:
        self.reason = reason

    def find_spec(self, name: str, *_: object) -> None:
        if name.startswith("rankdcg_sql."):
            raise self.reason


@pytest.mark.parametrize(
    ("reason", "said"),
    [
        (ImportError("a.so: failed to map segment from shared object"), "a.so: failed to map segment from"),
        (OSError("a.so: failed to map segment from shared object"), "a.so: failed to map segment from"),
        (MemoryError(), "(MemoryError)"),
    ],
    ids=["import", "library", "memory"],
)
def test_a_worker_without_memory_for_the_package_says_so(
    spark: Any, monkeypatch: pytest.MonkeyPatch, reason: Exception, said: str
) -> None:
    from rankdcg_sql.spark._session import _on_executor
    from rankdcg_sql.spark._udf import _udf

    monkeypatch.setattr(sys, "meta_path", [Unloadable(reason), *sys.meta_path])
    for name, module, call in (
        (
            "evaluate",
            "spark._partition",
            lambda: next(_on_executor("evaluate", "evaluate_partition", "{}")(iter(()))),
        ),
        ("ndcg", "_spark_calls", lambda: _udf("ndcg").func()),
    ):
        monkeypatch.delitem(sys.modules, f"rankdcg_sql.{module}", raising=False)
        for limit, text in (
            ("300", f"{name}: rankdcg_sql and its packages cannot be loaded within the 300 MB that"),
            ("", f"{name}: rankdcg_sql cannot be imported on this executor"),
        ):
            monkeypatch.setenv("PYSPARK_EXECUTOR_MEMORY_MB", limit)
            with pytest.raises(ImportError) as caught:
                call()
            assert str(caught.value).startswith(text)
            if limit:
                assert said in str(caught.value)


def test_a_worker_that_lacks_a_package_says_so_whatever_its_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    from rankdcg_sql.spark._import_errors import import_errors

    missing = ModuleNotFoundError("No module named 'pyarrow'")
    lacking = (
        "ndcg: rankdcg_sql cannot be imported on this executor (No module named 'pyarrow'): install its "
        "wheel and the packages that it needs on every executor, or ship it as an archive (see docs/spark.md)"
    )
    for limit in ("300", ""):
        monkeypatch.setenv("PYSPARK_EXECUTOR_MEMORY_MB", limit)
        assert str(import_errors("ndcg")(missing)) == lacking
    monkeypatch.delenv("PYSPARK_EXECUTOR_MEMORY_MB")
    assert str(import_errors("ndcg")(missing)) == lacking
    monkeypatch.setenv("PYSPARK_EXECUTOR_MEMORY_MB", "300")
    assert str(import_errors("compare")(MemoryError())) == (
        "compare: rankdcg_sql and its packages cannot be loaded within the 300 MB that "
        "spark.executor.pyspark.memory grants a Python worker (MemoryError): grant 1g or more"
    )


def python_without_the_package(folder: Path) -> Path:
    """Make an environment with the packages of this one, except this package, however it is installed."""
    venv.create(folder, symlinks=True)
    (added,) = folder.glob("lib/python*/site-packages")
    for path in (Path(each) for each in sys.path if Path(each).name == "site-packages"):
        for part in path.iterdir():
            # Files that add paths, such as that of an editable installation, would show the package.
            if part.suffix != ".pth" and "rankdcg_sql" not in part.name and not (added / part.name).exists():
                (added / part.name).symlink_to(part)
    return folder / "bin" / "python"


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Any], list[Any]]:
    """The answer that is expected, and those of a cluster of two executors on this machine.

    They lack the package; then they get it as an archive; then one of them is killed.
    """
    import pyspark

    folder = write_tables(tmp_path_factory.mktemp("cluster"))
    python = python_without_the_package(folder / "python")
    command = [python, "-c", "import duckdb, pyarrow, rankdcg_sql.evaluation"]
    hidden = subprocess.run(command, capture_output=True, text=True, cwd=folder, env=ENVIRONMENT, timeout=60)
    assert "No module named 'rankdcg_sql" in hidden.stderr
    shipped = folder / "shipped"
    shutil.copytree(PACKAGE, shipped / "rankdcg_sql", ignore=shutil.ignore_patterns("__pycache__"))
    archive = shutil.make_archive(str(folder / "rankdcg_sql"), "zip", shipped)
    # Each worker of a cluster on one machine writes to SPARK_HOME.
    home = folder / "home"
    home.mkdir()
    for part in Path(pyspark.__file__).parent.iterdir():
        (home / part.name).symlink_to(part)
    script = f"""
    import os
    import signal
    from pathlib import Path

    from pyspark.errors import PythonException
    from pyspark.sql import SparkSession

    from rankdcg_sql.spark import _session

    settings = {{
        "spark.ui.enabled": "false",
        "spark.sql.shuffle.partitions": "2",
        "spark.sql.adaptive.enabled": "false",
        "spark.executorEnv.PYTHONPATH": "packages",
        "spark.executor.memory": "512m",
        "spark.executor.pyspark.memory": "1g",
        "spark.driver.host": "localhost",
    }}
    spark = SparkSession.builder.master("local-cluster[2,1,1024]").config(map=settings).getOrCreate()
    try:
        report(spark)
    except PythonException as error:
        print(json.dumps(str(error)))
    spark.addArtifacts({archive!r} + "#packages", archive=True)
    print(json.dumps(report(spark)))

    on_executor = _session._on_executor
    killed = Path("killed").absolute()

    def on_mortal_executor(caller, *task):
        evaluate = on_executor(caller, *task)

        def evaluate_and_die(batches):
            for batch in evaluate(batches):
                yield batch  # Spark has the metrics of users, but not the numbers of rows
                try:
                    os.close(os.open(killed, os.O_CREAT | os.O_EXCL | os.O_WRONLY))
                except FileExistsError:
                    continue
                # The parent of a worker is a Python process whose parent is the executor.
                status = Path(f"/proc/{{os.getppid()}}/status").read_text()
                executor = int(status.partition("PPid:")[2].split()[0])
                limit = os.environ["PYSPARK_EXECUTOR_MEMORY_MB"]
                killed.write_text(f"{{Path(f'/proc/{{executor}}/cmdline').read_text()}} {{limit}}")
                os.kill(executor, signal.SIGKILL)

        return evaluate_and_die

    _session._on_executor = on_mortal_executor
    print(json.dumps(report(spark)))
    print(json.dumps(killed.read_text()))
    spark.stop()
    """
    answers = run(folder, script, PYSPARK_PYTHON=str(python), SPARK_HOME=str(home))
    return expected(folder), answers


def test_executors_that_lack_the_package_say_so(cluster: tuple[dict[str, Any], list[Any]]) -> None:
    sentence = cluster[1][0]
    assert (
        "evaluate: rankdcg_sql cannot be imported on this executor (No module named 'rankdcg_sql" in sentence
    )
    assert "install its wheel and the packages that it needs on every executor" in sentence


def test_executors_that_get_the_package_as_an_archive(cluster: tuple[dict[str, Any], list[Any]]) -> None:
    expected, (_, found, *_) = cluster
    assert found == expected


def test_an_executor_that_is_killed_changes_no_value_and_no_count(
    cluster: tuple[dict[str, Any], list[Any]],
) -> None:
    expected, (_, _, found, killed) = cluster
    assert "CoarseGrainedExecutorBackend" in killed
    assert killed.endswith(" 1024")  # the limit of the memory that the session has set
    assert found == expected
