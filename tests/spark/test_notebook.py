"""The notebook about Spark runs from the top, and gives the outputs that are kept in it."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from support.paths import ROOT

pytest.importorskip("nbclient")


def test_the_notebook_gives_its_outputs(spark_is_there: None) -> None:
    command = [sys.executable, str(ROOT / "tools" / "run_notebooks.py"), "--check", "spark"]
    environment = os.environ | {"SPARK_LOCAL_IP": "127.0.0.1"}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
