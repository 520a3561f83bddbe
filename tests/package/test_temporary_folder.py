"""Temporary folders are removed, also after a process was killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from support.process import PACKAGE

from rankdcg_sql import _temporary_folder

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows cannot lock folders")

HOLD = """
import sys, time
from rankdcg_sql._temporary_folder import temporary_folder
with temporary_folder(sys.argv[1]) as folder:
    open(folder + "/rows", "w").write("rows of a table")
    print(folder, flush=True)
    time.sleep(600)
"""
EVALUATE = """
import sys, time
from rankdcg_sql.cli import main
from rankdcg_sql.cli import _evaluation

def wait(*_, **__):
    print("waits", flush=True)
    time.sleep(600)

_evaluation.rankdcg_sql.evaluate = wait
main(["evaluate", "--truth", "a.csv", "--rec", "b.csv"])
"""


def started(script: str, *arguments: str, folder: Path) -> tuple[subprocess.Popen[str], str]:
    """A process that runs, and the first line that it prints."""
    environment = os.environ | {"PYTHONPATH": str(PACKAGE.parent), "TMPDIR": str(folder)}
    running = subprocess.Popen(
        [sys.executable, "-c", script, *arguments], stdout=subprocess.PIPE, text=True, env=environment
    )
    assert running.stdout is not None
    return running, running.stdout.readline().strip()


def test_a_folder_is_private_and_removed(tmp_path: Path) -> None:
    with _temporary_folder.temporary_folder(str(tmp_path)) as folder:
        assert os.stat(folder).st_mode & 0o777 == 0o700
        Path(folder, "rows").touch()
    assert list(tmp_path.iterdir()) == []


def test_no_file_stays_open(tmp_path: Path) -> None:
    abandoned = tmp_path / "rankdcg_sql.tmp.abcdefgh"
    abandoned.mkdir()
    os.utime(abandoned, (0, 0))
    opened = os.listdir("/dev/fd")
    with _temporary_folder.temporary_folder(str(tmp_path)):
        pass
    assert not abandoned.exists()
    assert len(os.listdir("/dev/fd")) == len(opened)


def test_folders_of_killed_processes_alone_are_removed(tmp_path: Path) -> None:
    killed, abandoned = started(HOLD, str(tmp_path), folder=tmp_path)
    living, held = started(HOLD, str(tmp_path), folder=tmp_path)
    names = "rankdcg_sql_mine", "rankdcg_sql.tmp.my_folder", "rankdcg_sql.tmp.x"
    others = [tmp_path / name for name in names]
    link = tmp_path / "rankdcg_sql.tmp.abcdefgh"
    try:
        killed.kill()
        killed.wait()
        for folder in others:
            folder.mkdir()
        (tmp_path / "far").mkdir()
        link.symlink_to(tmp_path / "far")
        long_ago = time.time() - 3600
        for path in (abandoned, held, *others, tmp_path / "far"):
            os.utime(path, (long_ago, long_ago))
        with _temporary_folder.temporary_folder(str(tmp_path)):
            assert not Path(abandoned).exists()
        assert Path(held, "rows").exists()
        assert all(folder.is_dir() for folder in (*others, tmp_path / "far"))
        assert link.is_symlink()
    finally:
        living.kill()
        living.wait()


def test_a_command_that_is_asked_to_end_removes_its_folder(tmp_path: Path) -> None:
    running, said = started(EVALUATE, folder=tmp_path)
    assert said == "waits"
    assert [path.name[:16] for path in tmp_path.iterdir()] == ["rankdcg_sql.tmp."]
    running.send_signal(signal.SIGTERM)
    assert running.wait(timeout=60) == 128 + signal.SIGTERM
    assert list(tmp_path.iterdir()) == []
