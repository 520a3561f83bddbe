"""The members of every result: texts for people in each format, and plots."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from html import escape
from typing import TYPE_CHECKING, Any, get_args

from rankdcg_sql._arguments import check_choice
from rankdcg_sql._errors import CallError
from rankdcg_sql._output import Output, Result, fetch, latex_float, render
from rankdcg_sql._printable import printable
from rankdcg_sql.evaluation._terms.metrics import Measure

if TYPE_CHECKING:
    import duckdb

    from rankdcg_sql.plots import Plot


@dataclass(frozen=True, repr=False, eq=False)
class ShownResult:
    """The base of every result: a summary, which is shown."""

    @property
    def _summary(self) -> duckdb.DuckDBPyRelation:
        # The summary with all digits.
        raise NotImplementedError

    def headline(self) -> str:
        """Return one line that says what this result is about."""
        raise NotImplementedError

    def notes(self, about_rows: bool = True) -> list[str]:
        """Return the sentences about unusual data and tests that are shown beside the summary.

        Those about rows, which are warnings of the call as well, are left out unless `about_rows`.
        """
        raise NotImplementedError

    def _summary_cells(self) -> Result:
        # Returns the summary as cells for people, with numbers of four digits.
        raise NotImplementedError

    def to_markdown(self) -> str:
        """Return the summary as a Markdown table."""
        return self.render("markdown")

    def to_latex(self, caption: str | None = None, label: str | None = None) -> str:
        """Return the summary as a LaTeX table, which needs the package booktabs.

        With a `caption` or a `label`, which are LaTeX, the table is in a float.
        """
        tabular = render(self.shown("latex"), "latex")
        return tabular if caption is None and label is None else latex_float(tabular, caption, label)

    def to_html(self) -> str:
        """Return the summary as an HTML table."""
        return self.render("html")

    def render(self, output: Output, *, width: int | None = None) -> str:
        """Return the summary in one of the output formats of the command line.

        If `width` is given, ``"table"`` is divided into several tables if it is wider, in characters.
        """
        check_choice("render", "output", output, get_args(Output))
        return render(self.shown(output), output, width)

    def shown(self, output: Output) -> Result:
        """Return the summary as cells: with all digits for CSV and JSON, with four for other formats.

        In LaTeX, metrics have their names in papers.
        """
        if output in ("csv", "json"):
            return fetch(self._summary, output)
        result = self._summary_cells()
        if output != "latex":
            return result
        place = result.columns.index("metric")
        rows = [
            (*row[:place], Measure(str(row[place]), None).paper_name, *row[place + 1 :])
            for row in result.rows
        ]
        return replace(result, rows=rows)

    def __getstate__(self) -> dict[str, Any]:
        """Leave out what needs a connection, which cannot be copied: what is computed when it is read."""
        return {field.name: getattr(self, field.name) for field in fields(self) if field.compare}

    def _draw(self, method: str, function: str, *arguments: Any) -> Plot:
        # Calls a function of `plots`. Its errors name the method that was called.
        from rankdcg_sql import plots

        try:
            plot: Plot = getattr(plots, function)(self, *arguments)
        except CallError as error:
            raise CallError.of(error, method) from None
        return plot

    def _about(self) -> str:
        return "\n".join([self.headline(), *(f"- {note}" for note in self.notes())])

    def __repr__(self) -> str:
        return printable("\n".join([self._about(), self.render("table")]))

    def _repr_html_(self) -> str:
        # A notebook keeps the warnings of the call, which are about rows, on the same page.
        notes = "".join(f"<li>{escape(note)}</li>" for note in self.notes(about_rows=False))
        return f"<p>{escape(self.headline())}</p><ul>{notes}</ul>{self.to_html()}"
