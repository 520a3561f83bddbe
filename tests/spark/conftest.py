"""One session of Spark for all tests of Spark: two threads, and files in a temporary folder only."""

from __future__ import annotations

import os
import shutil
import sys
import warnings
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from support.process import PACKAGE
from support.skipping import skip_unless_ci

if TYPE_CHECKING:
    from collections.abc import Iterator

# Each Java lives for seconds, in which good code and threads that collect garbage cost more than they save.
os.environ.setdefault("JDK_JAVA_OPTIONS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC")


@pytest.fixture(scope="session")
def spark_is_there() -> None:
    """Skip the tests that need PySpark or Java if they are missing, or fail them on CI."""
    if find_spec("pyspark") is None:
        skip_unless_ci("needs PySpark: make test-spark installs it")
    home = os.environ.get("JAVA_HOME")
    if shutil.which("java") is None and not (home and Path(home, "bin", "java").exists()):
        skip_unless_ci("needs Java 17 or later")


@pytest.fixture(scope="session")
def spark(spark_is_there: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Open a session of Spark."""
    from pyspark.sql import SparkSession

    folder = tmp_path_factory.mktemp("spark")
    patch = pytest.MonkeyPatch()
    patch.chdir(folder)  # Spark writes some files to the current folder
    patch.setenv("PYSPARK_PYTHON", sys.executable)
    # The package may be importable from the folder of the tests alone.
    patch.setenv("PYTHONPATH", os.pathsep.join([str(PACKAGE.parent), os.environ.get("PYTHONPATH", "")]))
    patch.setenv("SPARK_LOCAL_IP", "127.0.0.1")  # the name of the machine may not be known to it
    settings = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.driver.memory": "2g",
        "spark.driver.host": "localhost",
        "spark.sql.shuffle.partitions": "4",
        "spark.local.dir": str(folder / "local"),
        "spark.sql.warehouse.dir": str(folder / "warehouse"),
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        session = SparkSession.builder.master("local[2]").config(map=settings).getOrCreate()
        session.sparkContext.setLogLevel("OFF")
    try:
        yield session
    finally:
        session.stop()
        patch.undo()
