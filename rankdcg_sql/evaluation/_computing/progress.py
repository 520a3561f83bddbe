"""Statements that may take long: a progress bar on the terminal, and Ctrl+C to interrupt them."""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import suppress
from typing import TYPE_CHECKING

import duckdb

from rankdcg_sql._printable import printable

if TYPE_CHECKING:
    from types import TracebackType

    from rich.progress import Progress as Bars

#: Seconds that a statement runs before its bar is shown, and seconds between updates of the bar.
_SECONDS = 0.1


class Progress:
    """Runs the statements of a connection, one at a time, and shows a bar if asked to."""

    def __init__(self, con: duckdb.DuckDBPyConnection, has_bar: bool) -> None:
        self._con = con
        self._bars = _make_bars() if has_bar else None
        # Statements run in a worker thread, because DuckDB may deadlock if it is interrupted in the main one.
        self._worker = ThreadPoolExecutor(1)

    def __enter__(self) -> Progress:
        if self._bars:
            with suppress(duckdb.InvalidInputException):  # the configuration may be locked
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
        """Run a statement; the bar shows `label`. Ctrl+C interrupts the statement."""
        running = self._worker.submit(self._con.execute, statement)
        try:
            self._watch(running, label)
        except BaseException:  # Ctrl+C, or the end of the process
            self._con.interrupt()
            wait([running])
            raise
        return running.result()

    def _watch(self, running: Future[duckdb.DuckDBPyConnection], label: str) -> None:
        """Wait for the end of a statement, and show its progress."""

        def still_runs_after_wait() -> bool:
            """Wait until the statement ends, `_SECONDS` at most; return whether it still runs."""
            return not wait([running], _SECONDS).done

        if self._bars is None:
            # On Windows, Ctrl+C is noticed between waits, and not during a wait without an end.
            while still_runs_after_wait():
                pass
        elif still_runs_after_wait():
            # The bar of the statement before stays until now, because the terminal would flicker without it.
            for task in self._bars.task_ids:
                self._bars.remove_task(task)
            task = self._bars.add_task(printable(label), total=None)
            while still_runs_after_wait():
                percent = self._con.query_progress()
                if percent > 0:  # otherwise the progress is unknown
                    # DuckDB reports the share of rows that it has read, and work remains after the last row.
                    self._bars.update(task, total=100, completed=min(percent, 99))


def _make_bars() -> Bars:
    """Make progress bars on standard error."""
    # Rich takes as long to import as a small evaluation takes.
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn
    from rich.table import Column

    label = TextColumn("{task.description}", markup=False, table_column=Column(no_wrap=True))
    columns = label, BarColumn(), TaskProgressColumn(), TimeElapsedColumn()
    # Otherwise Rich would redirect standard output to this console, which is on standard error.
    return Progress(*columns, console=Console(stderr=True), transient=True, redirect_stdout=False)
