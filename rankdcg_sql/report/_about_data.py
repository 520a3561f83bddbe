"""The sections about the data: problems, notes, inputs and counts."""

from __future__ import annotations

import dataclasses
from html import escape
from typing import TYPE_CHECKING

from rankdcg_sql.evaluation._terms.statistics import TESTS
from rankdcg_sql.report._html import bullets, folded, table

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from rankdcg_sql.evaluation._results.interface import ComparisonLike, EvaluationLike


def problems_of_data(evaluations: Mapping[str, EvaluationLike]) -> Iterator[str]:
    """Yield the HTML of the rows that are wrong or missing."""
    problems = {name: of.counts.about_rows() for name, of in evaluations.items()}
    if any(problems.values()):
        yield "<h2>Problems of the data</h2>"
        yield f'<div class="notes problems">{_by_system(problems)}</div>'


def notes_of_data(
    result: EvaluationLike | ComparisonLike, evaluations: Mapping[str, EvaluationLike]
) -> Iterator[str]:
    """Yield the HTML of the notes about users and tests."""
    notes = {name: of.notes(about_rows=False) for name, of in evaluations.items()}
    of_tests = result.notes_of_tests() if result.kind == "comparison" else []
    if any(notes.values()) or of_tests:
        yield "<h2>Notes</h2>"
        yield f'<div class="notes">{_by_system(notes)}{bullets(of_tests) if of_tests else ""}</div>'
    if not any([*notes.values(), *(of.counts.about_rows() for of in evaluations.values())]):
        none = result.words.say("No user, item or value of the data is missing, and no row is repeated.")
        yield f"<p>{none}</p>"


def _by_system(sentences: Mapping[str, Sequence[str]]) -> str:
    """Return the HTML of sentences about systems, those that are the same for several only once."""
    systems: dict[tuple[str, ...], list[str]] = {}
    for name, each in sentences.items():
        systems.setdefault(tuple(each), []).append(name)
    named = len(systems) > 1
    return "".join(
        (f"<h3>{escape(', '.join(names))}</h3>\n" if named else "") + bullets(each)
        for each, names in systems.items()
        if each
    )


def inputs_and_options(
    result: EvaluationLike | ComparisonLike, inputs: Mapping[str, object], evaluation: EvaluationLike
) -> Iterator[str]:
    """Yield the HTML of the tables that were read, and of the arguments on which the numbers depend."""
    given = {name: str(value) for name, value in inputs.items()}
    given["metrics and k"] = ", ".join(each.column for each in evaluation.measures)
    if result.by:
        given["by"] = ", ".join(result.by)
    if result.kind == "comparison":
        margin = f", margin {result.margin:g}" if result.margin else ""
        given["test"] = f"{TESTS[result.test][1]}, {result.alternative.replace('_', '-')}{margin}"
        given["correction"] = result.correction_in_words
    yield "<h2>Inputs</h2>"
    cells = list((given | evaluation.options).items())
    yield table("Tables, metrics, tests and options", ["name", "value"], cells)


def counts_of_data(evaluations: Mapping[str, EvaluationLike]) -> Iterator[str]:
    """Yield the HTML of the counts of rows and users."""
    yield "<h2>Counts</h2>"
    counts = {name: dataclasses.asdict(of.counts) for name, of in evaluations.items()}
    words = next(iter(evaluations.values())).words
    names = [name for name, value in next(iter(counts.values())).items() if isinstance(value, int)]
    cells = [
        (words.say(name.replace("_", " ")), *(f"{of[name]:,}" for of in counts.values())) for name in names
    ]
    columns = ["count", *(name or "number" for name in counts)]
    caption = words.say("Counts of rows and users")
    yield folded("All counts", table(caption, columns, cells, numeric=range(1, len(columns))))
