"""Statements that may take long: with a bar on the terminal, and an end where people do not want to wait."""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import suppress
from typing import TYPE_CHECKING

import duckdb
from rich.console import Console
from rich.progress import BarColumn, TaskProgressColumn, TextColumn, TimeElapsedColumn
from rich.progress import Progress as Bars
from rich.table import Column

if TYPE_CHECKING:
    from types import TracebackType

#: How long a statement runs before it is shown, and how often DuckDB is asked how far it is.
_SECONDS = 0.1


class Progress:
    """Runs the statements of a connection, with a bar for the one that runs if it is to be shown."""

    def __init__(self, con: duckdb.DuckDBPyConnection, shown: bool) -> None:
        self._con = con
        label = TextColumn("{task.description}", markup=False, table_column=Column(no_wrap=True))
        columns = label, BarColumn(), TaskProgressColumn(), TimeElapsedColumn()
        console = Console(stderr=True)
        # What people print meanwhile stays on standard output.
        self._bars = Bars(*columns, console=console, transient=True, redirect_stdout=False) if shown else None
        # DuckDB works in a thread of its own: interrupted in the main one, it may wait for itself forever.
        self._worker = ThreadPoolExecutor(1)

    def __enter__(self) -> Progress:
        if self._bars:
            with suppress(duckdb.InvalidInputException):  # a configuration may be locked
                self._con.execute("SET SESSION enable_progress_bar_print = false")
                self._con.execute("SET SESSION enable_progress_bar = true")
            self._bars.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self._bars:
            self._bars.stop()
        self._worker.shutdown()

    def run(self, label: str, statement: str) -> duckdb.DuckDBPyConnection:
        """Run a statement; the label says what for."""
        running = self._worker.submit(self._con.execute, statement)
        try:
            self._watch(running, label)
        except KeyboardInterrupt:
            self._con.interrupt()
            wait([running])
            raise
        return running.result()

    def _watch(self, running: Future[duckdb.DuckDBPyConnection], label: str) -> None:
        """Wait for the end of a statement, and show how far it is."""

        def goes_on() -> bool:
            return not wait([running], _SECONDS).done

        if self._bars is None:
            while goes_on():
                pass
        elif goes_on():
            # In place of the one before, which stayed till now: lines that come and go would flicker.
            for task in self._bars.task_ids:
                self._bars.remove_task(task)
            task = self._bars.add_task(label, total=None)
            while goes_on():
                percent = self._con.query_progress()
                if percent > 0:  # below, DuckDB does not know
                    # What it has read is not yet what it has done.
                    self._bars.update(task, total=100, completed=min(percent, 99))
