"""The sections of means and of differences: tables, with plots of the same numbers."""

from __future__ import annotations

from collections import Counter
from html import escape
from typing import TYPE_CHECKING

from rankdcg_sql._output import Markup
from rankdcg_sql.evaluation._terms.statistics import WITH_MARGIN, significance_level
from rankdcg_sql.plots import groups_of, percent
from rankdcg_sql.report._decision import about_undecided
from rankdcg_sql.report._figures import figures_of_differences, means_figure
from rankdcg_sql.report._html import (
    NONE,
    cell_text,
    interval_text,
    join_sentences,
    number_text,
    p_value_text,
    table,
)
from rankdcg_sql.report._rows import common_users, count_tests

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rankdcg_sql.evaluation._results.interface import ComparisonLike, EvaluationLike
    from rankdcg_sql.report._rows import Difference, Mean


_VERDICTS = {
    "better": Markup('<span class="better">▲ better</span>'),
    "worse": Markup('<span class="worse">▼ worse</span>'),
    "same": Markup('<span class="same">undecided</span>'),
    "untested": Markup('<span class="same">no test</span>'),
} | {name: Markup(f'<span class="shown">{name}</span>') for name in WITH_MARGIN.values()}


def tables_of_evaluation(result: EvaluationLike, means: list[Mean]) -> Iterator[str]:
    """Yield the HTML of the means of an evaluation."""
    segments = groups_of(result)
    sure = f"{percent(result.confidence)} interval"
    yield f"<h2>Means over {result.unit}</h2>"
    users = common_users(means)
    columns = [*segments, "metric", "mean", sure]
    cells = [
        (*map(cell_text, of.group), of.measure, number_text(of.mean), interval_text(of.low, of.high))
        for of in means
    ]
    if users is None:
        columns += [result.unit, f"{result.unit} without value"]
        cells = [(*row, f"{of.n:,}", f"{of.without_value:,}") for row, of in zip(cells, means, strict=True)]
    heads = len(segments) + 1
    over = result.unit if users is None else result.words.count(users)
    caption = f"Means over {over} with their intervals"
    yield table(caption, columns, cells, numeric=range(heads, len(columns)), heads=heads)
    if result.by:
        every = result.words.all_of_them
        yield means_figure(result, [mean for mean in means if mean.group[0] != every])


def tables_of_comparison(
    result: ComparisonLike, means: list[Mean], differences: list[Difference]
) -> Iterator[str]:
    """Yield the HTML of the means of systems, and of their differences."""
    systems = list(dict.fromkeys(str(mean.group[0]) for mean in means))
    yield f"<h2>Means over {result.words.plural}</h2>"
    highest = {
        name: max((of.mean for of in means if of.measure == name and of.mean is not None), default=None)
        for name in dict.fromkeys(mean.measure for mean in means)
    }
    ((users, _),) = Counter(of.n for of in means).most_common(1)
    cells: dict[str, dict[str, str]] = {}
    for of in means:
        number = number_text(of.mean)
        if of.mean is not None and of.mean == highest[of.measure]:
            number = f'<span class="best">{number}</span>'
        notes = f"<small>{interval_text(of.low, of.high)}</small>"
        if of.n != users:
            notes += f"<small>{result.words.count(of.n)}</small>"
        cells.setdefault(of.measure, {})[str(of.group[0])] = Markup(number + notes)
    yield table(
        f"Means over {result.words.count(users)}, unless a cell has another number, with "
        f"{percent(result.confidence)} intervals; the highest of each row is marked",
        ["metric", *(f"{name} (baseline)" if name == result.baseline else name for name in systems)],
        [(name, *(row.get(system, NONE) for system in systems)) for name, row in cells.items()],
        numeric=range(1, len(systems) + 1),
    )
    yield means_figure(result, means)
    others = [name for name in systems if name != result.baseline]
    alone = f" of {others[0]}" if len(others) == 1 else ""
    heading = f"Differences{alone} from {result.baseline}" if result.baseline else "Differences"
    yield f"<h2>{escape(heading)}</h2>"
    yield _differences_table(result, differences)
    yield from figures_of_differences(result, means, differences)


def _differences_table(result: ComparisonLike, differences: list[Difference]) -> str:
    p_value = "p, corrected" if result.correction else "p"
    # The heading names a system that is compared alone.
    is_alone = len({row.system for row in differences}) == 1
    pair = ["system", "against"] if not result.baseline else [] if is_alone else ["system"]
    heads = [*pair, *result.by, "metric"]
    same_users = len({row.n for row in differences}) == 1
    of_users = [] if same_users else [result.words.plural]
    columns = [*heads, "difference", "verdict", p_value, "mean", "baseline", *of_users]
    cells = [
        (
            *(row.system, row.against)[: len(pair)],
            *map(cell_text, row.segment),
            row.measure,
            Markup(
                f"{number_text(row.difference, '+')}<small>{interval_text(row.low, row.high, '+')}</small>"
            ),
            _VERDICTS[row.verdict],
            p_value_text(row.p),
            number_text(row.mean),
            number_text(row.baseline),
            *([] if same_users else [f"{row.n:,}"]),
        )
        for row in differences
    ]
    users = result.words.count(differences[0].n) if same_users else f"the {result.words.plural}"
    caption = join_sentences(
        f"Differences of means over {users} with values of both systems, with {percent(result.confidence)} "
        f"intervals; a difference is undecided if p is at least {significance_level(result.confidence)}",
        result.about_intervals,
        about_undecided(result, differences, count_tests(differences)),
    )
    first = len(heads)
    numeric = [first, *range(first + 2, len(columns))]
    return table(caption, columns, cells, numeric=numeric, heads=first)
