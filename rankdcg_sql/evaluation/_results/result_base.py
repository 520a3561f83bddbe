"""The members that evaluations and comparisons share: data frames, files, histories, pages."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb

from rankdcg_sql import _native
from rankdcg_sql._errors import CallKeyError, CallOSError, CallValueError
from rankdcg_sql._sql import quote_text
from rankdcg_sql.evaluation._results.required_result import RequiredResult
from rankdcg_sql.evaluation._terms.counts import Unit
from rankdcg_sql.evaluation._terms.metrics import ALL, find_measure

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

    import pandas as pd
    import polars as pl
    import pyarrow as pa

    from rankdcg_sql.evaluation._results.interface import EvaluationLike
    from rankdcg_sql.plots import Plot
#: The options of DuckDB's COPY statement, keyed by the ending of the file's name.
WRITERS = {
    ".parquet": "FORMAT parquet",
    ".csv": "FORMAT csv, HEADER",
    ".tsv": "FORMAT csv, HEADER, DELIMITER '\t'",
    ".json": "FORMAT json, ARRAY",
    ".jsonl": "FORMAT json",
}


def write_rows(rows: duckdb.DuckDBPyRelation, path: str | Path) -> None:
    """Write rows to a file for the method ``write`` of a result."""
    _native.check_text("write", "path", str(path))
    form = WRITERS.get(Path(path).suffix.lower())
    if form is None:
        raise CallValueError("write", "path", f"{str(path)!r} must end with {', '.join(WRITERS)}")
    try:
        rows.query("rows_of_result", f"COPY rows_of_result TO {quote_text(str(path))} ({form})")
    except duckdb.IOException as error:
        raise CallOSError("write", "path", str(error)) from error


@dataclass(frozen=True, repr=False, eq=False)
class ResultBase(RequiredResult):
    """The base of an evaluation and a comparison: values of each user, and a summary of them."""

    @property
    def per_user(self) -> duckdb.DuckDBPyRelation:
        """The values of each user, one row per metric and k."""
        raise NotImplementedError

    @property
    def wide(self) -> duckdb.DuckDBPyRelation:
        """The values of each user, one column per metric and k."""
        raise NotImplementedError

    @property
    def means(self) -> Mapping[str, Any]:
        """The means over all users, keyed by the names of measures, such as ``ndcg@10``."""
        raise NotImplementedError

    def __getitem__(self, name: str) -> Any:
        """Return one of `means`. The metric may have any of its names, such as ``MAP@10``.

        Raises
        ------
        KeyError
            If there is no such measure.
        """
        metric, cutoff = find_measure(name)  # None for a name that no metric has
        column = f"{metric}" if cutoff in (None, ALL) else f"{metric}@{cutoff}"
        if column not in self.means:
            columns = ", ".join(self.means)
            raise CallKeyError(type(self).__name__, None, f"there is no measure {name!r}, but {columns}")
        return self.means[column]

    def __contains__(self, name: object) -> bool:
        """Whether `means` has this measure, by any of the metric's names."""
        try:
            self[name]  # type: ignore[index]
        except KeyError:
            return False
        return True

    # Otherwise Python would look for a measure named 0.
    __iter__ = None

    def to_polars(self, wide: bool = False) -> pl.DataFrame:
        """Return the values of each user as a Polars data frame, with a column for each metric if `wide`."""
        frame: pl.DataFrame = (self.wide if wide else self.per_user).pl()
        return frame

    def to_pandas(self, wide: bool = False) -> pd.DataFrame:
        """Return the values of each user as a pandas data frame, with a column for each metric if `wide`."""
        frame: pd.DataFrame = (self.wide if wide else self.per_user).df()
        return frame

    def to_arrow(self, wide: bool = False) -> pa.Table:
        """Return the values of each user as an Arrow table, with a column for each metric if `wide`."""
        return (self.wide if wide else self.per_user).to_arrow_table()

    def write(self, path: str | Path, wide: bool = False) -> None:
        """Write the values of each user to a file.

        Parameters
        ----------
        path : str or pathlib.Path
            A file whose name ends with ``.parquet``, ``.csv``, ``.tsv``, ``.json`` or ``.jsonl``.
        wide : bool
            Whether to write one row per user, with a column for each metric and k, and not one row per value.

        Raises
        ------
        ValueError
            If the name has another ending.
        OSError
            If the file cannot be written.
        """
        write_rows(self.wide if wide else self.per_user, path)

    @property
    def systems(self) -> Iterable[tuple[str | None, EvaluationLike]]:
        """The name of each system with its evaluation; None is the name of a single evaluation."""
        raise NotImplementedError

    @property
    def words(self) -> Unit:
        """The word for users, and texts with it."""
        return Unit(next(evaluation.unit for _, evaluation in self.systems))

    def weight_suffix(self) -> str:
        """Say by which column users are weighted, as the end of a phrase; empty if all count alike."""
        weight = next(evaluation.weight for _, evaluation in self.systems)
        return f", weighted by {weight}" if weight else ""

    def append(self, path: str | Path, label: str | None = None, run_at: datetime | None = None) -> None:
        """Append the means to a history, a file of the means of runs over time.

        The file has one row for each run, system, segment, metric and k. `rankdcg_sql.history` reads it. Only
        a history is appended to: any other file stays as it is. The file is replaced as a whole, so a crash
        leaves the old one. Several processes may append at the same time.

        Parameters
        ----------
        path : str or pathlib.Path
            A file whose name ends with ``.parquet`` or ``.csv``. It is made if there is none. Links are
            followed.
        label : str, optional
            A name for the run, such as a version, of at most 1,000 characters. Several runs may have the same
            one. ``"previous"`` and ``"first"`` are no names, because they mean other runs in
            `rankdcg_sql.history`.
        run_at : datetime.datetime, optional
            The time of the run, with a time zone; the present if not given.

        Raises
        ------
        ValueError, TypeError
            If the file is there and is no history, if its name has another ending, or if an argument has a
            wrong type or value. Each is a `CallError` as well, which says the argument.
        OSError
            If the file cannot be written, or another process has held its lock for a minute.
        """
        from rankdcg_sql.evaluation._history.file import append_means

        append_means(self.systems, path, label, run_at)

    def plot(self, metrics: str | Sequence[str] | None = None) -> Plot:
        """Plot the means and their intervals at each k, for all metrics if none is given.

        See `rankdcg_sql.plots.metric_at_k`.
        """
        return self._draw("plot", "metric_at_k", metrics)

    def plot_distribution(self, metric: str, k: int | None = None) -> Plot:
        """Plot the distribution of a metric over users; see `rankdcg_sql.plots.distribution`."""
        return self._draw("plot_distribution", "distribution", metric, k)
