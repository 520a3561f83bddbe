"""The contributions of one user's items to a metric, as a table for people."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any, get_args

from rankdcg_sql._arguments import check_choice
from rankdcg_sql._cached import cached_property
from rankdcg_sql._output import Output, Result, fetch, four_digits, render
from rankdcg_sql._printable import printable
from rankdcg_sql._sql import fetch_one, quote_name, repr_in_sql
from rankdcg_sql.evaluation._tables.workspace import as_stream, results_connection
from rankdcg_sql.evaluation._terms.counts import Unit

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import duckdb
    import pandas as pd
    import polars as pl
    import pyarrow as pa

    from rankdcg_sql.evaluation._terms.metrics import Measure

#: The most rows of a table for people.
_MAX_ROWS = 50
#: The columns of a table of explanations in SQL, after the user.
COLUMNS = (
    "metric, k, rank, last_rank, {item}, score, rel, judged, gain, discount, contribution, if_found, value"
)
#: The order of the items of a user: that of ranks, and then from the item that is missed most.
ORDER = "rank ASC NULLS LAST, last_rank ASC NULLS LAST, if_found DESC NULLS LAST, itemid ASC NULLS LAST"
#: A number as short as six digits allow, in SQL.
_SHORT = "format('{{:.6g}}', {})"


@dataclass(frozen=True, repr=False, eq=False)
class Explanation:
    """The items of one user: what each adds to a metric, and what the missed ones would have added.

    Attributes
    ----------
    user : str
        The user, as SQL writes it.
    metric : str
        The name of the metric.
    k : int or None
        The cutoff, in items from 1; None is the whole list.
    value : float or None
        The value of the metric, to which the contributions add up; None if there is none.
    """

    user: str
    measure: Measure
    #: The column of users, and that of items.
    names: tuple[str, str]
    #: The word for users, in the plural.
    unit: str
    #: The rows of the user, with the columns userid and itemid, and the SQL of these columns in their types.
    table: pa.Table
    columns: str

    @property
    def metric(self) -> str:
        """The name of the metric."""
        return self.measure.metric

    @property
    def k(self) -> int | None:
        """The cutoff, in items from 1; None is the whole list."""
        return self.measure.k

    @cached_property
    def value(self) -> float | None:
        """The value of the metric; None if there is none."""
        row = fetch_one(self._con.execute("SELECT any_value(value) FROM explanations"))
        return row[0] if row else None

    @cached_property
    def _con(self) -> duckdb.DuckDBPyConnection:
        con = results_connection({"arrow_rows": self.table})
        con.execute(f"CREATE TEMP VIEW explanations AS SELECT {self.columns} FROM arrow_rows")
        return con

    def __getstate__(self) -> Mapping[str, Any]:
        """Leave out what is computed when it is read."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}

    @property
    def relation(self) -> duckdb.DuckDBPyRelation:
        """The rows of `Evaluation.explain` for this user, in the order of ranks."""
        return explained_rows(self._con, *self.names)

    def to_polars(self) -> pl.DataFrame:
        """Return `relation` as a Polars data frame."""
        frame: pl.DataFrame = self.relation.pl()
        return frame

    def to_pandas(self) -> pd.DataFrame:
        """Return `relation` as a pandas data frame."""
        frame: pd.DataFrame = self.relation.df()
        return frame

    def to_arrow(self) -> pa.Table:
        """Return `relation` as an Arrow table."""
        return self.relation.to_arrow_table()

    def headline(self) -> str:
        """Return one line with the value, and the number of items that are missed."""
        what = f"{self.measure.column} of {Unit(self.unit).singular} {self.user}"
        rows = (
            "SELECT count(contribution), count(if_found), if(count(if_found) = 1, 'item', 'items') "
            "FROM explanations"
        )
        terms, missed, items = fetch_one(self._con.execute(rows)) or (0, 0, "")
        if self.value is None:
            return f"{what}: no value"
        by_rule = "" if terms else ", by the rule for rankings without hits or judgements"
        found = f"; {missed:,} missed {items}" if missed else ""
        return f"{what}: {self.value:.4f}{by_rule}{found}"

    def _parts(self) -> dict[str, Result]:
        """The tables for people: the ranking, and the missed items under their heading."""
        _, item = self.names
        rank = "concat(rank, if(last_rank <> rank, ' to ' || last_rank, ''))"
        places = f"row_number() OVER (ORDER BY {ORDER})"
        running = f"sum(contribution) OVER (ORDER BY {ORDER} ROWS UNBOUNDED PRECEDING)"
        numbered = f"SELECT *, {places} AS place, {running} AS running FROM explanations"
        # R-precision has a cutoff without k, so that a retrieved item may be missed.
        is_ranked = f"if_found IS NULL AND rank {'IS NOT NULL' if self.k is None else f'<= {self.k}'}"
        rel = f"coalesce({_SHORT.format('rel')}, '')"
        judged = "if(judged, '✓', '')"
        # Pairs, because the column of items may have the name of another one.
        own = [("rank", rank), (item, "itemid::VARCHAR"), ("score", _SHORT.format("score")), ("rel", rel)]
        gain = ("gain", _SHORT.format("gain"))
        ranked = [
            *own,
            ("judged", judged),
            gain,
            ("discount", four_digits("discount")),
            ("contribution", four_digits("contribution")),
            ("sum", four_digits("running")),
        ]
        missed = [*own, gain, ("would add", "format('{:+.4f}', if_found)")]
        return {
            "": self._cells(ranked, numbered, is_ranked),
            "Missed items, and what each would have added at the best free rank": self._cells(
                missed, numbered, f"({is_ranked}) IS NOT TRUE"
            ),
        }

    def _cells(self, columns: Sequence[tuple[str, str]], rows: str, condition: str) -> Result:
        """Fetch cells in the order of items; later columns without any value are left out."""
        cells = self._con.execute(
            f"SELECT {', '.join(cell for _, cell in columns)} FROM ({rows}) WHERE {condition} "
            f"ORDER BY place LIMIT {_MAX_ROWS}"
        ).fetchall()
        kept = [
            place
            for place in range(len(columns))
            if place < 2 or any(row[place] is not None for row in cells)
        ]
        texts = [tuple("" if cell is None else cell for cell in row) for row in cells]
        names = [name for name, _ in columns]
        numeric = [place != 1 and name != "judged" for place, name in enumerate(names)]
        return Result(names, numeric, texts, heads=2).select(kept)

    def render(self, output: Output, *, width: int | None = None) -> str:
        """Return the table in one of the output formats of the command line, as `Evaluation.render`."""
        check_choice("render", "output", output, get_args(Output))
        if output in ("csv", "json"):
            return render(fetch(self.relation, output), output)
        parts = {heading: part for heading, part in self._parts().items() if part.rows}
        html = "<p>{}</p>" if output == "html" else "{}"
        return ("\n" if output == "table" else "\n\n").join(
            "\n".join(filter(None, [heading and html.format(heading), render(part, output, width)]))
            for heading, part in parts.items()
        )

    def __repr__(self) -> str:
        return printable("\n".join([self.headline(), self.render("table"), *self.notes()]))

    def _repr_html_(self) -> str:
        notes = "".join(f"<p>{escape(note)}</p>" for note in self.notes())
        return f"<p>{escape(self.headline())}</p>{self.render('html')}{notes}"

    def notes(self, about_rows: bool = True) -> list[str]:
        """Return a sentence if rows are left out."""
        rows = self.table.num_rows
        return [f"Tables show at most {_MAX_ROWS} rows of {rows:,}: .relation has all."] * (rows > _MAX_ROWS)


def explained_rows(con: duckdb.DuckDBPyConnection, user: str, item: str) -> duckdb.DuckDBPyRelation:
    """Select the rows of the table `explanations` of a connection, under the names of users and items."""
    columns = COLUMNS.format(item=f"itemid AS {quote_name(item)}")
    return con.sql(
        f"SELECT userid AS {quote_name(user)}, {columns} FROM explanations "
        f"ORDER BY userid ASC, metric ASC, k ASC, {ORDER}"
    )


def one_user(con: duckdb.DuckDBPyConnection) -> tuple[str, pa.Table, str]:
    """Fetch the user as SQL writes it, and the rows of the table `explanations`, which are those of one user.

    The last value is the SQL of the columns of these rows.
    """
    shown = fetch_one(con.execute(f"SELECT {repr_in_sql('userid')} FROM explanations LIMIT 1"))
    stream, columns = as_stream(con.table("explanations"))
    return (shown[0] if shown else ""), stream.read_all(), columns
