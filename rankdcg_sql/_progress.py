"""A bar on the terminal while DuckDB works."""

from __future__ import annotations

from threading import Event, Thread
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import BarColumn, TaskProgressColumn, TextColumn, TimeElapsedColumn
from rich.progress import Progress as Bars

if TYPE_CHECKING:
    from types import TracebackType

    import duckdb

_SECONDS = 0.1


class Progress:
    """Runs the statements of a connection, with a bar for each if these are to be shown."""

    def __init__(self, con: duckdb.DuckDBPyConnection, shown: bool) -> None:
        self._con = con
        columns = TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeElapsedColumn()
        self._bars = Bars(*columns, console=Console(stderr=True), transient=True) if shown else None

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
        task = self._bars.add_task(label, total=None)
        done = Event()
        watcher = Thread(target=self._watch, args=(self._bars, task, done), daemon=True)
        watcher.start()
        try:
            return self._con.execute(statement)
        finally:
            done.set()
            watcher.join()
            self._bars.update(task, total=100, completed=100)

    def _watch(self, bars: Bars, task: int, done: Event) -> None:
        while not done.wait(_SECONDS):
            percent = self._con.query_progress()
            if percent > 0:  # below, DuckDB does not know
                bars.update(task, total=100, completed=percent)  # type: ignore[arg-type]
