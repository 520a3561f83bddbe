"""Commands on a terminal: tables as wide as that, progress bars, and interrupts."""

from __future__ import annotations

import json
import os
import pty
import re
import select
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from support.commands import run
from support.commands import tables as tables_of


class Terminal:
    """A command of which one output is a terminal, and the other one a pipe."""

    def __init__(self, command: list[str], output: str = "stderr", width: int = 100) -> None:
        self._master, end = pty.openpty()
        env = {**os.environ, "TERM": "xterm", "COLUMNS": str(width)}
        for name in ("NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE"):
            env.pop(name, None)
        outputs = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, output: end}
        self.process = subprocess.Popen(command, env=env, **outputs)
        os.close(end)
        self._shown = b""

    @property
    def text(self) -> str:
        """The text that the terminal has shown so far."""
        return self._shown.decode(errors="replace")

    def read(self, until: Callable[[str], bool] = lambda text: False) -> None:
        """Read the terminal until the command ends or a text appears."""
        end = time.monotonic() + 60
        while not until(self.text):
            if not select.select([self._master], [], [], max(0, end - time.monotonic()))[0]:
                self.process.kill()
                pytest.fail(f"it does not end: {self.text[-500:]!r}")
            try:
                self._shown += os.read(self._master, 1 << 16)
            except OSError:  # Linux reports the end of the other side as this error
                return

    def close(self) -> str:
        """Wait for the end of the command, and return what it wrote to the pipe."""
        self.read()
        os.close(self._master)
        (piped,) = filter(lambda text: text is not None, self.process.communicate())
        return piped.decode()


@pytest.mark.parametrize("width", [80, 120])
@pytest.mark.parametrize("details", [[], ["--details"]], ids=["systems", "details"])
def test_a_narrow_terminal_shows_whole_numbers(
    tables: Path, command: list[str], width: int, details: list[str]
) -> None:
    """Every cell is one of the table that is printed to a pipe, where nothing is divided."""
    options = ["compare", "--truth", "truth.csv", "--rec", "popular.csv", "--rec", "mine.csv"]
    options += ["--rec", "third=rec.csv", *details]
    terminal = Terminal([*command, *options], "stdout", width)
    terminal.close()
    assert terminal.process.returncode == 0
    assert max(map(len, terminal.text.splitlines())) <= width
    divided, undivided = (
        {cell for table in tables_of(text) for row in table for cell in row}
        for text in (terminal.text, run(*options).stdout)
    )
    assert divided == undivided


#: Tables, one of which takes a second to read on any machine. Statements under 0.1 seconds show no bar.
SLOW = [
    "evaluate",
    "--truth=SELECT range // 20 AS userid, range AS itemid FROM range(1000)",
    """--rec=SELECT range // 20 AS userid, range AS itemid, 1.0 AS score FROM range(2000), (
        WITH RECURSIVE waiting AS (
            SELECT uuidv7() AS id
            UNION ALL
            SELECT uuidv7() FROM waiting WHERE uuid_extract_timestamp(id) < now() + INTERVAL 1 SECOND
        )
        SELECT count(*) FROM waiting
    )""",
    "-m",
    "ndcg",
]


def test_progress_on_a_terminal(command: list[str]) -> None:
    terminal = Terminal([*command, *SLOW, "--output", "json"])
    (row, _) = json.loads(terminal.close())["rows"]
    # All recommended items are relevant for the first half of the users. The other half has no judgements.
    assert (terminal.process.returncode, row["n"], row["mean"]) == (0, 50, 1)
    bar, _, notes = terminal.text.rpartition("\x1b[?25h")
    assert re.search("reading rec.*━", bar)
    assert bar.count("\x1b[?25l") == 1  # shows the cursor that was hidden
    assert "━" not in notes
    assert "Evaluation of 50 users" in notes


def test_no_progress_elsewhere(command: list[str]) -> None:
    done = subprocess.run([*command, *SLOW], capture_output=True, text=True, check=True)
    assert done.stderr.startswith("Evaluation of 50 users\n")
    assert "\x1b" not in done.stderr + done.stdout
    terminal = Terminal([*command, *SLOW, "--no-progress"])
    terminal.close()
    assert terminal.text.startswith("Evaluation of")


def test_interrupted(tables: Path, command: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    (tables / "tmp").mkdir()
    monkeypatch.setenv("TMPDIR", str(tables / "tmp"))
    endless = "SELECT range % 3 AS userid, range AS itemid, 1.0 AS score FROM range(10_000_000_000_000)"
    terminal = Terminal([*command, "evaluate", "--truth", "truth.csv", "--rec", endless])
    terminal.read(lambda text: re.search("reading rec.*━", text) is not None)
    terminal.process.send_signal(signal.SIGINT)
    assert terminal.close() == ""
    assert terminal.process.returncode == 1
    bar, _, rest = terminal.text.rpartition("\x1b[?25h")
    assert "\x1b[?25l" in bar
    assert rest.endswith("Aborted!\r\n")
    assert "Traceback" not in terminal.text
    assert list((tables / "tmp").iterdir()) == []
