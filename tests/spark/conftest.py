"""The Spark session of the tests: it runs in this process's JVM, and leaves no files behind."""

from __future__ import annotations

import os
import sys
from importlib.util import find_spec
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pyspark.sql import SparkSession

if find_spec("pyspark") is None:
    assert not os.environ.get("CI"), "CI runs the tests of Spark"
    collect_ignore_glob = ["test_*.py"]


@pytest.fixture(scope="session")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkSession]:
    """Open a session on two threads that has the functions."""
    from pyspark.sql import SparkSession

    import rankdcg_sql.spark

    folder = tmp_path_factory.mktemp("spark")
    # Workers are to run this Python, which has the package.
    os.environ["PYSPARK_PYTHON"] = sys.executable
    settings = {
        "spark.driver.memory": "2g",
        "spark.local.dir": folder / "local",
        "spark.sql.session.timeZone": "UTC",
        "spark.sql.shuffle.partitions": 4,
        "spark.sql.warehouse.dir": folder / "warehouse",
        "spark.ui.enabled": "false",
    }
    builder = SparkSession.builder.master("local[2]").appName("rankdcg_sql tests")
    for key, value in settings.items():
        builder = builder.config(key, str(value))
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    rankdcg_sql.spark.register(session)
    yield session
    session.stop()
