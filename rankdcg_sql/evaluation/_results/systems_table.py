"""The table of systems for people and papers: means with marks of significance, in each format."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass, replace
from html import escape
from typing import TYPE_CHECKING, NamedTuple

from rankdcg_sql import _output
from rankdcg_sql._sql import quote_name
from rankdcg_sql.evaluation._terms import statistics
from rankdcg_sql.evaluation._terms.counts import Unit, pluralize
from rankdcg_sql.evaluation._terms.metrics import Measure, less_is_better_in_sql, less_is_better_in_words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from rankdcg_sql.evaluation._results.interface import ComparisonLike


#: The width in characters for which a table is laid out if no other is known.
WIDTH = 80
_LATEX_MARKS = {"†": r"\dagger"}


class Cell(NamedTuple):
    """A system's mean of one measure, over the users of one segment."""

    #: The mean as text; None without users.
    mean: str | None
    #: The difference from the baseline as text, with its sign; None for the baseline and without users.
    difference: str | None
    #: The mark of significance, or the letters of other systems; empty if nothing is significant.
    mark: str
    #: Whether no other system has a larger mean.
    is_best: bool
    #: The number of users in the mean.
    n: int


class Segment(NamedTuple):
    """A segment of users, as far as there are segments."""

    #: Whether it is that of all users.
    all_users: bool
    #: A text for each column of segments; None is NULL.
    texts: tuple[str | None, ...]


class _Grid(NamedTuple):
    """Cells in rows and columns."""

    #: Whether rows are systems and columns measures, and not the other way round.
    by_systems: bool
    #: The names of the first columns, which say what a row is about.
    heads: list[str]
    #: The names of the columns of cells.
    columns: list[str]
    #: The rows: the texts of the first columns, and the cells.
    rows: list[tuple[list[str | None], list[Cell]]]
    #: Whether the last one of the first columns has numbers of users.
    has_users: bool


@dataclass(frozen=True)
class SystemsTable:
    """The means of systems over users, by segment and measure."""

    #: The names of the columns of segments.
    by: tuple[str, ...]
    #: The segments, that of all users last.
    segments: list[Segment]
    #: The heading of each system in the table, keyed by its name; the baseline first.
    systems: dict[str, str]
    #: The names of the measures in papers, such as ``NDCG@10``, keyed by their names, such as ``ndcg@10``.
    measures: dict[str, str]
    #: The metrics of these measures.
    metrics: list[str]
    #: The cells, keyed by segment, system and measure.
    cells: dict[tuple[Segment, str, str], Cell]
    #: Whether marks are about a baseline, and not about all pairs of systems.
    has_baseline: bool
    #: A sentence about the users over whom means are taken.
    users: str
    #: The word for users.
    unit: Unit
    #: The marks that cells may have, and what each says.
    marks: list[tuple[str, str]]
    #: The test, the correction and the significance level.
    test: str

    def text(self, width: int | None = None) -> str:
        """Return the table for a terminal, in parts of at most `width` characters unless that is None."""
        widest = WIDTH if width is None else width
        grids = [self._grid(by_systems) for by_systems in (True, False)]
        layouts = [self._terminal(grid) for grid in grids]
        # The layout that is divided into fewer tables; that of systems in rows if both are alike.
        chosen = min((0, 1), key=lambda place: len(_output.divide(layouts[place], widest)))
        lines = [self._about_users(grids[chosen], with_differences=True), self._about_marks(superscript=str)]
        notes = [textwrap.fill(line, max(widest, 20), break_long_words=False) for line in lines]
        return "\n".join([_output.render(layouts[chosen], "table", width), *notes])

    def markdown(self) -> str:
        """Return the table in Markdown, with the best means in bold and marks as superscripts."""

        def written(cell: Cell) -> str:
            mean = "NULL" if cell.mean is None else cell.mean
            return (f"**{mean}**" if cell.is_best else mean) + superscript(cell.mark)

        def superscript(mark: str) -> str:
            # The backslash keeps Markdown from reading stars as emphasis.
            return "<sup>" + mark.replace("*", r"\*") + "</sup>" if mark else ""

        grid = self._grid(self._is_by_systems())
        rows = [(*heads, *map(_output.Markup, map(written, cells))) for heads, cells in grid.rows]
        note = " ".join(
            [
                self._about_users(grid, text=_output.markdown_text),
                _BOLD,
                self._about_marks(superscript, text=_output.markdown_text),
            ]
        )
        return f"{_output.render(_result(grid, rows), 'markdown')}\n\n{note}"

    def html(self) -> str:
        """Return the table in HTML, with the best means in bold, and the differences from the baseline."""

        def written(cell: Cell) -> str | None:
            if cell.mean is None:
                return None
            parts = [
                f"<strong>{cell.mean}</strong>" if cell.is_best else cell.mean,
                cell.difference,
                escape(cell.mark),
            ]
            return _output.Markup(" ".join(part for part in parts if part))

        grid = self._grid(self._is_by_systems())
        rows = [(*heads, *map(written, cells)) for heads, cells in grid.rows]
        marks = self._about_marks(superscript=str)
        notes = " ".join([self._about_users(grid, with_differences=True), _BOLD, marks])
        return f"{_output.html(_result(grid, rows), heads=len(grid.heads))}\n<p>{escape(notes)}</p>"

    def latex(self, caption: str | None = None, label: str | None = None) -> str:
        """Return the table as a float in LaTeX, which needs the package booktabs.

        `caption` and `label` are LaTeX; without a caption, the float has one that says what the numbers are.
        """

        def superscript(mark: str) -> str:
            return f"$^{{{_LATEX_MARKS.get(mark, mark)}}}$" if mark else ""

        def written(cell: Cell) -> str:
            # A mean and its mark are in columns of their own, so that digits are below each other.
            mean = "NULL" if cell.mean is None else cell.mean.replace("-", "$-$")
            shown = rf"\textbf{{{mean}}}" if cell.is_best else mean
            return f"{shown} & {superscript(cell.mark)}".rstrip()

        grid = self._grid(self._is_by_systems())
        at = len(self.by)  # the place of the measure if rows are measures
        if grid.by_systems:
            grid = grid._replace(columns=[self.measures[name] for name in grid.columns])
        else:
            named = [
                ([*heads[:at], self.measures[str(heads[at])], *heads[at + 1 :]], cells)
                for heads, cells in grid.rows
            ]
            grid = grid._replace(rows=named)
        laid_out = _result(
            grid, [(*heads, *map(_output.Markup, map(written, cells))) for heads, cells in grid.rows]
        )
        columns = [
            _output.Markup(rf"\multicolumn{{2}}{{c}}{{{_output.latex_text(name)}}}") for name in grid.columns
        ]
        laid_out = replace(laid_out, columns=[*grid.heads, *columns], ruled=len(self.by))
        kinds = ["l"] * (len(grid.heads) - grid.has_users) + ["r"] * grid.has_users + ["r@{}l"] * len(columns)
        users = self._about_users(grid, text=_output.latex_text, in_papers=True)
        sentences = [users, _BOLD, self._about_marks(superscript, text=_output.latex_text)]
        note = textwrap.fill(" ".join(sentences), WIDTH, break_long_words=False, break_on_hyphens=False)
        caption = self.unit.say(_CAPTION) if caption is None else caption
        return _output.latex_float(_output.latex(laid_out, "".join(kinds)), caption, label, note)

    def _about_users(
        self,
        grid: _Grid,
        with_differences: bool = False,
        text: Callable[[str], str] = lambda text: text,
        in_papers: bool = False,
    ) -> str:
        """Say what the numbers are, over how many users, unless a column says that, and which are better."""
        means = f"Means over the {self.unit.plural} of each row" if grid.has_users else self.users
        if with_differences and self.has_baseline:
            means += f", and differences from {next(iter(self.systems.values()))}"
        return f"{means}{text(less_is_better_in_words(self.metrics, in_papers))}."

    def _about_marks(
        self, superscript: Callable[[str], str], text: Callable[[str], str] = lambda text: text
    ) -> str:
        """Say what the marks mean, with each mark and each text in the format's own form."""
        marks = ", ".join(f"{superscript(mark)} {text(meaning)}".lstrip() for mark, meaning in self.marks)
        unmarked = "; no mark: not significant" if self.has_baseline else ""
        return f"{marks}{unmarked} ({text(self.test)})."

    def _is_by_systems(self) -> bool:
        """Whether a page has systems as rows: if they need no more parts of 80 characters than measures."""

        def number_of_parts(by_systems: bool) -> int:
            grid = self._grid(by_systems)
            rows = [
                (*heads, *((cell.mean or "NULL") + cell.mark for cell in cells)) for heads, cells in grid.rows
            ]
            return len(_output.divide(_result(grid, rows), WIDTH))

        return number_of_parts(by_systems=True) <= number_of_parts(by_systems=False)

    def _grid(self, by_systems: bool) -> _Grid:
        """Put the cells in rows: a system in each row, or a measure."""
        systems, measures = list(self.systems), list(self.measures)
        rows: list[tuple[list[str | None], list[Cell]]] = []
        for segment in self.segments:
            for name in systems if by_systems else measures:
                cells = [
                    self.cells[(segment, name, other) if by_systems else (segment, other, name)]
                    for other in (measures if by_systems else systems)
                ]
                rows.append(([*segment.texts, self.systems[name] if by_systems else name], cells))
        heads = [*self.by, "system" if by_systems else "measure"]
        counts = [{cell.n for cell in cells} for _, cells in rows]
        # Numbers of users have a column if rows differ in them, and the cells of a row do not.
        has_users = len(set().union(*counts)) > 1 and all(len(users) == 1 for users in counts)
        if has_users:
            heads.append(self.unit.plural)
            rows = [([*texts, f"{cells[0].n:,}"], cells) for texts, cells in rows]
        columns = measures if by_systems else list(self.systems.values())
        return _Grid(by_systems, heads, columns, rows, has_users)

    def _terminal(self, grid: _Grid) -> _output.Result:
        """Lay out the table for a terminal, with the parts of cells below each other."""
        columns = [list(_aligned(column)) for column in zip(*(cells for _, cells in grid.rows), strict=True)]
        rows = [(*heads, *texts) for (heads, _), *texts in zip(grid.rows, *columns, strict=True)]
        # If the systems are columns, each of several tables has the baseline.
        heads = len(grid.heads) + (self.has_baseline and not grid.by_systems)
        laid_out = _result(grid, rows)
        numeric = laid_out.numeric[:heads] + [False] * (len(laid_out.columns) - heads)
        return replace(laid_out, numeric=numeric, heads=heads, ruled=len(self.by))


_BOLD = "Bold: the best mean of each measure."
_CAPTION = "Means of each system over users."


def _result(grid: _Grid, rows: list[tuple[str | None, ...]]) -> _output.Result:
    """Return rows of texts under the names of the columns of a grid."""
    texts = len(grid.heads) - grid.has_users
    numeric = [False] * texts + [True] * (grid.has_users + len(grid.columns))
    return _output.Result([*grid.heads, *grid.columns], numeric, rows, heads=len(grid.heads))


def _aligned(cells: Sequence[Cell]) -> Iterator[str]:
    """Write the cells of a column as plain text, with means, differences and marks below each other."""
    parts = [(cell.mean or "NULL", cell.difference or "", cell.mark) for cell in cells]
    widths = [max(map(_output.width_of, column)) for column in zip(*parts, strict=True)]
    for mean, difference, mark in parts:
        padded = mean.rjust(widths[0]), difference.rjust(widths[1]), mark.ljust(widths[2])
        yield " ".join(text for text, width in zip(padded, widths, strict=True) if width)


#: The mark of each verdict; every other verdict has the mark of `better`.
_MARKS = {"better": "*", "worse": "†"}
#: The letters that name systems if all pairs are compared.
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def systems_table(compared: ComparisonLike, digits: int = 4) -> SystemsTable:
    """Collect the means of a comparison, with `digits` decimals, and marks of significant differences."""
    first = next(iter(compared.evaluations.values()))
    by = compared.by
    baseline = compared.baseline
    names = list(compared.evaluations)
    if baseline is not None:
        names.sort(key=lambda name: name != baseline)  # the baseline first
    segment_columns = f"{'all_users' if by else 'true'}, [{', '.join(compared.segment_cells)}]::VARCHAR[]"
    within = ", ".join(["metric", "k", *(["all_users"] if by else []), *map(quote_name, by)])
    order = f"ORDER BY {', '.join(['all_users', *map(quote_name, by)])}" if by else ""
    good = f"if({less_is_better_in_sql()}, -mean, mean)"  # larger if it is better
    means = compared.fetch_summary(
        f"{segment_columns}, system, metric, k, n, format('{{:.{digits}f}}', mean), "
        f"coalesce({good} >= max({good}) OVER (PARTITION BY {within}) - {statistics.TIE_TOLERANCE}, false)",
        end=order,
    )
    against = "against" if baseline is None else "NULL::VARCHAR"
    tested = compared.fetch_differences(
        f"{segment_columns}, system, {against}, metric, k, n, format('{{:+.{digits}f}}', difference), "
        f"{compared.verdict_in_sql}"
    )

    differences: dict[tuple[Segment, str, str], tuple[str | None, str | None]] = {}
    pairs: dict[tuple[Segment, str], list[tuple[str, str, str | None]]] = {}
    users_of_pairs = set()
    tests = 0
    for all_users, texts, system, other, metric, k, n, difference, verdict in tested:
        segment, measure = Segment(all_users, tuple(texts)), Measure(metric, k).column
        users_of_pairs.add(n)
        tests += verdict != "untested"
        verdict = verdict if verdict in statistics.RELATIONS else None
        if baseline is None:
            pairs.setdefault((segment, measure), []).append((system, other, verdict))
        else:
            differences[segment, system, measure] = difference, verdict
    letters: dict[str, str] = letters_of(names) if baseline is None else {}
    better = {place: better_than(verdicts_on, names) for place, verdicts_on in pairs.items()}

    cells = {}
    segments: dict[Segment, None] = {}
    for all_users, texts, system, metric, k, n, mean, is_best in means:
        segment, measure = Segment(all_users, tuple(texts)), Measure(metric, k).column
        segments[segment] = None
        difference, verdict = differences.get((segment, system, measure), (None, None))
        if baseline is None:
            others = [letters[other] for other in better.get((segment, measure), {}).get(system, [])]
            mark = ("" if all(len(letter) == 1 for letter in letters.values()) else ",").join(others)
        else:
            mark = "" if verdict is None else _MARKS.get(verdict, _MARKS["better"])
        cells[segment, system, measure] = Cell(mean, difference, mark, is_best, n)
    return SystemsTable(
        by=by,
        segments=list(segments),
        systems={name: f"({letters[name]}) {name}" if letters else name for name in names},
        measures={measure.column: measure.paper_name for measure in first.measures},
        metrics=[measure.metric for measure in first.measures],
        cells=cells,
        has_baseline=baseline is not None,
        users=_about_users({cell.n for cell in cells.values()}, users_of_pairs, compared.words),
        unit=compared.words,
        marks=_meanings(compared),
        test=_about_test(compared, tests),
    )


def _meanings(compared: ComparisonLike) -> list[tuple[str, str]]:
    """Return the marks, and what each says about a system."""
    metrics = [measure.metric for measure in next(iter(compared.evaluations.values())).measures]
    verdicts = statistics.verdicts(compared.alternative, compared.margin, metrics)
    if compared.baseline is None:
        # All pairs are tested in both directions, or for equivalence.
        relation = f"equivalent to, within {compared.margin:g}" if compared.margin else "better than"
        return [("", f"Letters name the systems that a system is significantly {relation}")]
    # The first meaning says the baseline, and "worse" after it needs no more words.
    first = statistics.RELATIONS[verdicts[0]].format(against=compared.baseline, margin=compared.margin)
    return [
        (_MARKS.get(verdict, _MARKS["better"]), meaning)
        for verdict, meaning in zip(verdicts, [first, *verdicts[1:]], strict=True)
    ]


def _about_test(compared: ComparisonLike, tests: int) -> str:
    """Name the test, the correction, the number of tests and the significance level."""
    parts = [
        compared.test_in_words,
        compared.correction_in_words,
        # The p-values of a measure are those of all pairs at once.
        *([] if compared.test == "tukey_hsd" else [pluralize(tests, "test")]),
        f"alpha {statistics.significance_level(compared.confidence)}",
    ]
    return ", ".join(parts)


def _about_users(in_means: set[int], in_pairs: set[int], unit: Unit) -> str:
    """Say over how many users means are, from the numbers of users in means and in tests of pairs."""
    counts = sorted(in_means)
    over = unit.count(counts[0]) if len(counts) == 1 else f"{counts[0]:,} to {unit.count(counts[-1])}"
    own = "" if in_pairs <= in_means else " (in tests, over those of both systems)"
    return f"Means over {over}{own}"


def letters_of(systems: Sequence[str]) -> dict[str, str]:
    """Give each system a letter: a to z, then aa, ab and so on."""
    return {
        name: (_LETTERS[place // len(_LETTERS) - 1] if place >= len(_LETTERS) else "")
        + _LETTERS[place % len(_LETTERS)]
        for place, name in enumerate(systems)
    }


def better_than(pairs: Iterable[tuple[str, str, str | None]], systems: Sequence[str]) -> dict[str, list[str]]:
    """Find for each system the others over which it has a verdict, in the order of `systems`.

    `pairs` has a system, the one that it is compared with, and the verdict about it: ``better``, ``worse``,
    what a margin shows, or None. A pair may be there in one order or in both.
    """
    others_of: dict[str, set[str]] = {}
    for system, against, verdict in pairs:
        if verdict in ("worse", "equivalent"):
            others_of.setdefault(against, set()).add(system)
        if verdict not in ("worse", None):
            others_of.setdefault(system, set()).add(against)
    return {name: [other for other in systems if other in others] for name, others in others_of.items()}
