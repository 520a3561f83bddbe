"""Reports of evaluations and comparisons, each a self-contained HTML page.

The plots in a report need ``pip install 'rankdcg_sql[plots]'``.
"""

from __future__ import annotations

from datetime import datetime, timezone
from html import escape
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import duckdb

from rankdcg_sql import _native, catalogue
from rankdcg_sql._errors import CallError
from rankdcg_sql.evaluation._requirements.requirements import RequirementError, Requirements
from rankdcg_sql.plots import STYLE
from rankdcg_sql.report import _data_and_methods, _decision, _judgements, _means_and_differences, _why
from rankdcg_sql.report._parts import count_tests, differences_of, means_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from os import PathLike

    from rankdcg_sql.evaluation._requirements.requirements import Decision
    from rankdcg_sql.evaluation._results.interface import AnyResult, EvaluationLike

__all__ = ["Page", "report"]


# The security policy forbids the page to load anything or to run scripts.
_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>{title}</title>
<style>
{style}</style>
</head>
<body>
<main>
<h1>{title}</h1>
{parts}
</main>
<footer>Written by {versions}, on {date}.</footer>
</body>
</html>
"""


class Page(str):
    """The text of an HTML page. A prompt or a notebook shows its size instead, because the page is long."""

    def __repr__(self) -> str:
        return f"<HTML page of {len(self):,} characters>"


def report(
    result: AnyResult,
    path: str | PathLike[str] | None = None,
    title: str | None = None,
    inputs: Mapping[str, object] | None = None,
    require: str | Sequence[str] | Requirements = (),
) -> Page:
    """Write a report of an evaluation, a comparison, a change, or means by a judge that people correct.

    Parameters
    ----------
    result : Evaluation, Comparison, Change or JudgeCorrected
        The result to report.
    path : path-like, optional
        The file to which the page is written; not written to a file if not given.
    title : str, optional
        The headline; if not given, ``Evaluation``, ``Comparison with`` the name of the baseline,
        ``Change``, or ``Judge corrected by people``.
    inputs : mapping of str to object, optional
        The tables that were evaluated, such as ``{"truth": "truth.csv"}``, which the page names as they are
        given. A result does not know where its tables come from.
    require : str, sequence of str or Requirements
        Requirements on the result, as `Evaluation.require` takes them, or their outcomes. The page begins
        with the outcomes; none of them is an error.

    Returns
    -------
    Page
        The text of a self-contained HTML page. It begins with the outcomes of requirements, the decision in
        words, problems of the data, the decision as a picture, and why the means differ. Notes, the inputs,
        tables, more plots, counts, the options in effect and the methods follow. The page loads nothing and
        runs no script.

    Raises
    ------
    ValueError, TypeError
        If the title is no valid text, or a requirement cannot be read or is about a measure, system or
        segment that is not there.

    Examples
    --------
    >>> import rankdcg_sql
    >>> from rankdcg_sql.report import report
    >>> truth = {"userid": [1, 1, 2], "itemid": ["a", "b", "c"]}
    >>> rec = {"userid": [1, 1, 2], "itemid": ["a", "c", "c"], "score": [0.9, 0.8, 0.7]}
    >>> page = report(rankdcg_sql.evaluate(truth, rec, k=2, metrics="ndcg"), title="Spring campaign")
    >>> "<h1>Spring campaign</h1>" in page, ">0.8066</td>" in page
    (True, True)
    """
    _native.check_text("report", "title", title or "")
    outcomes = _outcomes(result, require)
    heading = {"judge_corrected": "Judge corrected by people"}.get(result.kind, result.kind.capitalize())
    if result.kind == "comparison":
        heading = f"Comparison with {result.baseline}" if result.baseline else "Comparison of all pairs"
    now = datetime.now(timezone.utc)
    text = _PAGE.format(
        title=escape(title or heading),
        style=Path(__file__).with_name("report.css").read_text(encoding="utf-8") + STYLE,
        parts="\n".join(_sections(result, outcomes, inputs or {})),
        versions=f"rankdcg_sql {catalogue.version()}, DuckDB {duckdb.__version__}",
        date=f'<time datetime="{now:%Y-%m-%dT%H:%M:%SZ}">{now:%Y-%m-%d %H:%M} UTC</time>',
    )
    if path is not None:
        Path(path).write_text(text, encoding="utf-8")
    return Page(text)


def _outcomes(result: AnyResult, require: str | Sequence[str] | Requirements) -> Sequence[Decision]:
    """Decide requirements, unless their outcomes are given."""
    if isinstance(require, Requirements):
        return require
    if not require:
        return ()
    try:
        return result.require(*([require] if isinstance(require, str) else require), inconclusive="pass")
    except RequirementError as error:  # the page shows the outcomes, whatever they are
        return error.requirements
    except CallError as error:
        raise CallError.of(error, "report") from None


def _sections(result: AnyResult, outcomes: Sequence[Decision], inputs: Mapping[str, object]) -> Iterator[str]:
    """Yield the HTML below the headline, in the order of the page."""
    evaluations: Mapping[str, EvaluationLike]
    tests = 0
    if result.kind == "change":
        evaluations = {"before": result.before, "after": result.after}
        decision, picture = _why.decision_on_change(result), _why.why_of_change(result)
        tables: Iterator[str] = iter(())
    elif result.kind == "judge_corrected":
        evaluations = {
            " by ".join(filter(None, [system, by])): evaluation
            for by, of_systems in (("people", result.human), ("the judge", result.judge))
            for system, evaluation in of_systems.items()
        }
        rows = _judgements.rows_of_judgements(result)
        tests = sum(row["p_value"] is not None for row in rows) if result.pairs else 0
        decision = _judgements.decision_on_judgements(result, rows, tests)
        picture = _judgements.picture_of_judgements(result)
        tables = _judgements.tables_of_judgements(result, rows)
    elif result.kind == "comparison":
        evaluations, means = result.evaluations, means_of(result)
        if result.by:
            # The means of a comparison by segments are those over all users, keyed by the system alone.
            every = result.words.all_of_them
            means = [mean._replace(group=mean.group[:1]) for mean in means if mean.group[1] == every]
        differences = differences_of(result)
        tests = count_tests(differences)
        decision = _decision.decision_on_comparison(result, means, differences)
        picture = chain(
            _means_and_differences.picture_of_comparison(result, means, differences),
            () if result.weight else _why.why_of_comparison(result, means),
        )
        tables = _means_and_differences.tables_of_comparison(result, means, differences)
    else:
        evaluations, means = {"": result}, means_of(result)
        decision = _decision.decision_on_evaluation(result, means)
        picture = _means_and_differences.picture_of_evaluation(result, means)
        tables = _means_and_differences.tables_of_evaluation(result, means)
    yield from _decision.outcomes_of_requirements(outcomes)
    yield from decision
    yield from _data_and_methods.problems_of_data(evaluations)
    yield from picture
    yield from _data_and_methods.notes_of_data(result, evaluations)
    yield from _data_and_methods.inputs_and_options(result, inputs, next(iter(evaluations.values())))
    yield from tables
    if result.kind in ("evaluation", "comparison"):
        yield from _means_and_differences.distributions(result, means)
    yield from _data_and_methods.counts_of_data(evaluations)
    yield from _data_and_methods.methods(result, evaluations, tests)
