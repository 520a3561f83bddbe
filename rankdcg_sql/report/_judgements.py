"""The sections of a report about the judgements of a judge that people correct."""

from __future__ import annotations

from functools import partial
from html import escape
from typing import TYPE_CHECKING, Any

from rankdcg_sql import plots
from rankdcg_sql._output import Markup
from rankdcg_sql.evaluation._terms.metrics import Measure, less_is_better
from rankdcg_sql.evaluation._terms.statistics import significance_level
from rankdcg_sql.plots import percent
from rankdcg_sql.report import _parts

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rankdcg_sql.evaluation._results.interface import JudgeCorrectedLike

#: The columns of the table of means after the measure: each with the names of its number, and of the ends of
#: its interval or the p-value below it.
_OF_MEANS = {
    "corrected": ("mean", "low", "high"),
    "people": ("mean_human",),
    "judge": ("mean_judge",),
    "bias of the judge": ("bias", "bias_low", "bias_high"),
}
#: Those of the table of differences.
_OF_DIFFERENCES = {
    "corrected": ("difference", "low", "high"),
    "people": ("difference_human", "p_human"),
    "judge": ("difference_judge", "p_judge"),
    "bias of the judge": ("bias", "bias_low", "bias_high"),
}


def rows_of_judgements(result: JudgeCorrectedLike) -> list[dict[str, Any]]:
    """Fetch the differences of systems, or the means of one, as values keyed by columns, and the measure."""
    relation = result.differences if result.pairs else result.summary
    rows = (dict(zip(relation.columns, row, strict=True)) for row in relation.fetchall())
    return [{**row, "measure": Measure(row["metric"], row["k"]).column} for row in rows]


def decision_on_judgements(
    result: JudgeCorrectedLike, rows: Sequence[dict[str, Any]], tests: int
) -> Iterator[str]:
    """Yield the HTML of the corrected means or, of several systems, of each verdict and its correction.

    The words about systems are about the first metric at its last k, over all users. `tests` is the number of
    tests of differences.
    """
    yield f"<p>{escape(result.headline())}.</p>"
    of_all = [row for row in rows if row.get("all_users", True)]
    if not result.pairs:
        sure = f"{percent(result.confidence)} interval"
        yield _parts.tiles(
            (row["measure"], _parts.number_text(row["mean"]), f"{sure} {_interval(row)}") for row in of_all
        )
        return
    leading = [row["measure"] for row in of_all if row["metric"] == of_all[0]["metric"]][-1]
    is_corrected = result.correction is not None and tests > 1
    after = f" after {result.correction_in_words} for {tests} tests" if is_corrected else ""
    decisions = (_decision(result, row, after) for row in of_all if row["measure"] == leading)
    yield f'<div class="decision">{"".join(f"<p>{decision}</p>" for decision in decisions)}</div>'


def _interval(row: dict[str, Any], sign: str = "") -> str:
    return _parts.interval_text(row["low"], row["high"], sign)


def _decision(result: JudgeCorrectedLike, row: dict[str, Any], after: str) -> str:
    """Return the HTML of sentences about a difference by the judge, its bias, and the corrected one.

    `after` says how the p-value of the corrected one is corrected for the number of tests, if it is.
    """
    names = [f"<b>{escape(row[name])}</b>" for name in ("system", "against")]

    def finding(difference: float | None, p: float | None) -> str:
        if p is None:
            return f"there is no test of {' and '.join(names)}"
        if p >= float(significance_level(result.confidence)):
            return f"{' and '.join(names)} do not differ significantly"
        is_better = ((difference or 0) > 0) != less_is_better(row["metric"])
        return f"{names[0]} is {'better' if is_better else 'worse'} than {names[1]}"

    def numbers(difference: float | None, p: float | None, more: str = "") -> str:
        return f"({row['measure']} {_parts.number_text(difference, '+')}{more}, p {_p_value(p)}"

    bias = _parts.interval_text(row["bias_low"], row["bias_high"], "+")
    sure = f", {percent(result.confidence)} interval {_interval(row, '+')}"
    by_judge, corrected = (row["difference_judge"], row["p_judge"]), (row["difference"], row["p_corrected"])
    single = " of a single test" if after else ""
    return (
        f"By the judge alone, {finding(*by_judge)} {numbers(*by_judge)}{single}). Corrected by people, "
        f"{finding(*corrected)} {numbers(*corrected, sure)}{after}). The judge is off by "
        f"{_parts.number_text(row['bias'], '+')} ({bias}) for the difference."
    )


def _p_value(p: float | None) -> str:
    text = _parts.p_value_text(p)
    return escape(text) if text.startswith("<") else f"= {text}"


def picture_of_judgements(result: JudgeCorrectedLike) -> Iterator[str]:
    """Yield the HTML of the means or differences by the judge, by people, and corrected, as a picture."""
    kind = "Differences" if result.pairs else "Means"
    caption = f"{kind} by the judge, by people, and corrected with {percent(result.confidence)} intervals"
    yield _parts.figure(partial(plots.judgements, result), caption, is_wide=True)


def tables_of_judgements(result: JudgeCorrectedLike, rows: Sequence[dict[str, Any]]) -> Iterator[str]:
    """Yield the HTML of the table of corrected differences of systems, or of corrected means of one."""
    kind, columns = ("Differences", _OF_DIFFERENCES) if result.pairs else ("Means", _OF_MEANS)
    sign = "+" if result.pairs else ""
    every = next(iter(result.by), None)
    heads = [*(["system", "against"] if result.pairs else []), *result.by, "metric"]
    numbers = [*columns, *(["p"] if result.pairs else []), "weight", "effective n"]
    cells = [
        (
            *(
                result.words.all_of_them
                if name == every and row["all_users"]
                else _parts.cell_text(row[name])
                for name in heads[:-1]
            ),
            row["measure"],
            *(_cell(row, names, sign) for names in columns.values()),
            *([_parts.p_value_text(row["p_corrected"])] if result.pairs else []),
            f"{row['judge_weight']:.2f}" if row["judge_weight"] is not None else _parts.NONE,
            f"{row['effective_n']:,.0f}" if row["effective_n"] is not None else _parts.NONE,
        )
        for row in rows
    ]
    yield f"<h2>{kind} over {result.words.plural}</h2>"
    caption = f"{kind} with {percent(result.confidence)} intervals"
    if result.pairs:
        caption += "; p of people and of the judge alone is of single tests"
    width = len(heads)
    numeric = range(width, width + len(numbers))
    yield _parts.table(caption, [*heads, *numbers], cells, numeric=numeric, heads=width)


def _cell(row: dict[str, Any], names: tuple[str, ...], sign: str) -> str:
    """Return a number with its interval or its p-value below it, if it has one."""
    number, *more = (row[name] for name in names)
    below = ""
    if len(more) == 2:
        below = _parts.interval_text(more[0], more[1], sign)
    elif more:
        below = f"p {_p_value(more[0])}"
    return Markup(f"{_parts.number_text(number, sign)}<small>{below}</small>")
