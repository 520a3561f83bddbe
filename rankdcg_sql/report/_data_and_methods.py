"""The sections about the data, problems, notes, inputs and counts, and about the methods."""

from __future__ import annotations

import dataclasses
import re
from html import escape
from typing import TYPE_CHECKING

from rankdcg_sql import catalogue
from rankdcg_sql._output import Markup
from rankdcg_sql.evaluation._terms.counts import pluralize
from rankdcg_sql.evaluation._terms.metrics import function_of, options_of
from rankdcg_sql.evaluation._terms.statistics import (
    INTERVALS,
    TESTS,
    WEIGHTED_COMPARISON,
    WEIGHTED_INTERVAL,
    judge_corrected_function,
    significance_level,
)
from rankdcg_sql.plots import percent
from rankdcg_sql.report._parts import bullets, folded, table

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from rankdcg_sql.catalogue import Convention, Function
    from rankdcg_sql.evaluation._results.interface import AnyResult, EvaluationLike


def problems_of_data(evaluations: Mapping[str, EvaluationLike]) -> Iterator[str]:
    """Yield the HTML of the rows that are wrong or missing."""
    problems = {name: evaluation.counts.about_rows() for name, evaluation in evaluations.items()}
    if any(problems.values()):
        yield "<h2>Problems of the data</h2>"
        yield f'<div class="notes problems">{_by_system(problems)}</div>'


def notes_of_data(result: AnyResult, evaluations: Mapping[str, EvaluationLike]) -> Iterator[str]:
    """Yield the HTML of the notes about users and tests."""
    notes = {name: evaluation.notes(about_rows=False) for name, evaluation in evaluations.items()}
    of_result: Sequence[str] = ()
    if result.kind != "evaluation":
        of_result = result.notes_of_tests() if result.kind == "comparison" else result.notes()
    if any(notes.values()) or of_result:
        yield "<h2>Notes</h2>"
        yield f'<div class="notes">{_by_system(notes)}{bullets(of_result) if of_result else ""}</div>'
    problems = (evaluation.counts.about_rows() for evaluation in evaluations.values())
    if not any([*notes.values(), *problems]):
        none = result.words.say("No user, item or value of the data is missing, and no row is repeated.")
        yield f"<p>{none}</p>"


def _by_system(sentences: Mapping[str, Sequence[str]]) -> str:
    """Return the HTML of sentences about systems, those that are the same for several only once."""
    systems: dict[tuple[str, ...], list[str]] = {}
    for name, notes in sentences.items():
        systems.setdefault(tuple(notes), []).append(name)
    named = len(systems) > 1
    return "".join(
        (f"<h3>{escape(', '.join(names))}</h3>\n" if named else "") + bullets(notes)
        for notes, names in systems.items()
        if notes
    )


def inputs_and_options(
    result: AnyResult, inputs: Mapping[str, object], evaluation: EvaluationLike
) -> Iterator[str]:
    """Yield the HTML of the tables that were read, and of the arguments on which the numbers depend."""
    given = {name: str(value) for name, value in inputs.items()}
    given["metrics and k"] = ", ".join(measure.column for measure in evaluation.measures)
    if result.by:
        given["by"] = ", ".join(result.by)
    if evaluation.weight:
        given["weight"] = evaluation.weight
    if result.kind == "comparison":
        margin = f", margin {result.margin:g}" if result.margin else ""
        _, test = TESTS[result.test]
        given["test"] = f"{test}, {result.alternative.replace('_', '-')}{margin}"
        given["correction"] = result.correction_in_words
    yield "<h2>Inputs</h2>"
    cells = list((given | evaluation.options).items())
    yield table("Tables, metrics, tests and options", ["name", "value"], cells)


def counts_of_data(evaluations: Mapping[str, EvaluationLike]) -> Iterator[str]:
    """Yield the HTML of the counts of rows and users."""
    yield "<h2>Counts</h2>"
    counts = {name: dataclasses.asdict(evaluation.counts) for name, evaluation in evaluations.items()}
    words = next(iter(evaluations.values())).words
    names = [name for name, value in next(iter(counts.values())).items() if isinstance(value, int)]
    cells = [
        (words.say(name.replace("_", " ")), *(f"{numbers[name]:,}" for numbers in counts.values()))
        for name in names
    ]
    columns = ["count", *(name or "number" for name in counts)]
    caption = words.say("Counts of rows and users")
    yield folded("All counts", table(caption, columns, cells, numeric=range(1, len(columns))))


_USERS = {
    "truth": "Means are over the users with judgements; a user without recommendations counts as 0.",
    "both": "Means are over the users with both judgements and recommendations.",
}


#: How a change is divided, and the shares of judgements and ranking for each order.
_DIVISION = (
    "The difference of the means is divided into parts that add up to it. The users of one mean alone make "
    "up two parts: how far the mean over the users of both is from the mean before, and from the mean after. "
    "A user of both has a third value: that of the ranking before by the judgements after."
)
_ORDERS = {
    "sequential": "The step from the value before to the third one is the share of judgements, and the step "
    "from there to the value after is that of ranking.",
    "shapley": "The shares of judgements and of ranking are means over both orders in which they can change.",
}


def methods(
    result: AnyResult,
    evaluations: Mapping[str, EvaluationLike],
    tests: int,
) -> Iterator[str]:
    """Yield the HTML of the methods: metrics, options, intervals and tests, whose number is `tests`."""
    evaluation = next(iter(evaluations.values()))
    functions = {
        metric: function_of(metric)
        for metric in dict.fromkeys(measure.metric for measure in evaluation.measures)
    }
    yield "<h2>How the numbers were computed</h2>"
    who = "Those by people" if result.kind == "judge_corrected" else "They"
    weighted = f" {who} are weighted by {evaluation.weight}." if evaluation.weight else ""
    yield f"<p>{escape(result.words.say(_USERS.get(evaluation.users, '')) + weighted)}</p>"
    if result.kind == "change":
        yield f"<h3>Parts of the change</h3>\n<p>{escape(result.words.say(_DIVISION))}"
        yield f" {escape(result.words.say(_ORDERS[result.order]))}</p>"
    yield "<h3>Metrics</h3>"
    cells = [(name, f.summary, f.formula, f.range, f.source) for name, f in functions.items()]
    columns = ["metric", "description", "formula", "range", "source"]
    yield table("Definitions of the metrics", columns, cells, kind="definitions")
    yield "<h3>Conventions and options</h3>"
    convention = _convention(functions, evaluation.options)
    yield f"<p>The convention is <code>{escape(convention.name)}</code>: {escape(convention.of)}.</p>"
    columns = ["option", "value", "set by", "metrics", "effect"]
    rows = list(_options(functions, evaluation.options))
    yield table("Values of the options", columns, rows, kind="definitions")
    yield "<h3>Intervals and tests</h3>"
    columns = ["of", "method", "function of SQL", "source"]
    rows = list(_statistics(result, evaluation, tests))
    yield table("Intervals and tests", columns, rows, kind="definitions")


def _convention(functions: Mapping[str, Function], given: Mapping[str, str]) -> Convention:
    """Return the convention of a call, which is one for all metrics. Measures of items have none."""
    resolved = (catalogue.resolve_options(function, given) for function in functions.values())
    names = [options["convention"].value for options in resolved if options]
    known = catalogue.conventions()
    return next(each for each in known if each.name == names[0]) if names else known[0]


def _options(functions: Mapping[str, Function], given: Mapping[str, str]) -> Iterator[tuple[str, ...]]:
    """Yield a row for each option and value: the option, the value, its origin, its metrics, its meaning."""
    resolved = {
        metric: catalogue.resolve_options(function, options_of(metric, given))
        for metric, function in functions.items()
    }
    convention = _convention(functions, given)
    origins = {"metric": "default", "convention": f"convention {convention.name}"}
    for option in catalogue.options():
        metrics_of: dict[tuple[str, str], list[str]] = {}
        for metric, values in resolved.items():
            if option.name in values and option.name != "convention":
                option_value = values[option.name]
                origin = origins.get(option_value.origin, option_value.origin)
                metrics_of.setdefault((option_value.value, origin), []).append(metric)
        for (value, origin), metrics in metrics_of.items():
            mark = Markup(f"<strong>{escape(value)}</strong>") if origin == "given" else value
            yield option.name, mark, origin, ", ".join(metrics), option.doc


def _statistics(result: AnyResult, evaluation: EvaluationLike, tests: int) -> Iterator[tuple[str, ...]]:
    """Yield a row for each method: its use, its name, its function, and its source."""
    functions = {function.name: function for function in catalogue.functions()}
    function = WEIGHTED_INTERVAL if evaluation.weight else INTERVALS[evaluation.interval]
    if result.kind == "judge_corrected":
        function = judge_corrected_function(result.weight)
    yield f"means, {percent(result.confidence)}", *_described(functions[function])

    def several_tests(corrected: str) -> tuple[str, ...]:
        words = f"p-values of {pluralize(tests, 'test')}: {corrected}"
        return "several tests", words, *_described(functions["corrected_p_values"])[1:]

    if result.kind == "judge_corrected" and result.pairs:
        yield several_tests(result.correction_in_words)
    if result.kind == "change":
        overlapping = functions["partially_overlapping_t_test"]
        yield f"parts of the change, two-sided, {percent(result.confidence)}", *_described(overlapping)
    if result.kind == "comparison":
        margin = f" with margin {result.margin:g}" if result.margin else ""
        hypothesis = result.alternative.replace("_", "-") + margin
        test = WEIGHTED_COMPARISON if evaluation.weight else TESTS[result.test][0]
        yield f"differences, {hypothesis}", *_described(functions[test])
        yield several_tests(result.correction_in_words)
        if evaluation.weight:  # no number of users is known
            return
        power = functions["paired_t_test_power"]
        divided = f" / {result.tests_of_level(tests)}" if result.tests_of_level(tests) > 1 else ""
        words = f"paired t test at alpha {significance_level(result.confidence)}{divided}, power 0.8"
        yield f"{result.words.plural} needed", words, *_described(power)[1:]


def _described(function: Function) -> tuple[str, str, str]:
    """Return the first words about a function, its name, and its first source."""
    return re.split("[.;] ", function.summary)[0], function.name, function.source.partition("; ")[0]
