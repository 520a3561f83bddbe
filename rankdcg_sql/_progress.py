"""A bar on the terminal while DuckDB works."""

from __future__ import annotations

from threading import Event, Thread
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import BarColumn, TaskProgressColumn, TextColumn, TimeElapsedColumn
from rich.progress import Progress as Bars
from rich.table import Column

if TYPE_CHECKING:
    from types import TracebackType

    import duckdb

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

    def __enter__(self) -> Progress:
        if self._bars:
            self._con.execute("SET SESSION enable_progress_bar_print = false")
            self._con.execute("SET SESSION enable_progress_bar = true")
            self._bars.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self._bars:
            self._bars.stop()

    def run(self, label: str, statement: str) -> duckdb.DuckDBPyConnection:
        """Run a statement; the label says what for."""
        if self._bars is None:
            return self._con.execute(statement)
        done = Event()
        watcher = Thread(target=self._watch, args=(self._bars, label, done), daemon=True)
        watcher.start()
        try:
            return self._con.execute(statement)
        finally:
            done.set()
            watcher.join()

    def _watch(self, bars: Bars, label: str, done: Event) -> None:
        if done.wait(_SECONDS):
            return
        # In place of the one before, which stayed till now: lines that come and go would flicker.
        for task in bars.task_ids:
            bars.remove_task(task)
        task = bars.add_task(label, total=None)
        while not done.wait(_SECONDS):
            percent = self._con.query_progress()
            if percent > 0:  # below, DuckDB does not know
                # What it has read is not yet what it has done.
                bars.update(task, total=100, completed=min(percent, 99))
        bars.update(task, total=100, completed=100)
