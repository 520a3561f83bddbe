"""The means and the differences in a report: tables, and plots with captions."""

from __future__ import annotations

from collections import Counter
from functools import partial
from html import escape
from typing import TYPE_CHECKING

from rankdcg_sql import plots
from rankdcg_sql._output import Markup
from rankdcg_sql.evaluation._terms.metrics import (
    OF_ALL_USERS,
    Measure,
    less_is_better,
    less_is_better_in_words,
)
from rankdcg_sql.evaluation._terms.statistics import WITH_MARGIN, significance_level
from rankdcg_sql.plots import groups_of, percent
from rankdcg_sql.report import _parts
from rankdcg_sql.report._decision import about_undecided

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rankdcg_sql.evaluation._results.interface import ComparisonLike, EvaluationLike
    from rankdcg_sql.report._parts import Difference, Mean


#: The most rows of the deciding picture. If there are more, it is about the leading metric.
_MAX_ROWS = 12


def picture_of_evaluation(result: EvaluationLike, means: list[Mean]) -> Iterator[str]:
    """Yield the HTML of the picture of the main means."""
    if result.by:
        last, sure = _parts.last_means(result, means), f"{percent(result.confidence)} interval"
        leading = next(iter(last.values()))
        yield _parts.figure(
            partial(plots.segments, result, leading.metric, leading.k),
            f"Means of {leading.measure} by {', '.join(result.by)}, with {sure}s",
            is_wide=True,
        )
    else:
        yield means_figure(result, means)


def picture_of_comparison(
    result: ComparisonLike, means: list[Mean], differences: list[Difference]
) -> Iterator[str]:
    """Yield the HTML of the differences as a picture."""
    leading = _parts.leading_mean(means)
    are_too_many = len(differences) > _MAX_ROWS
    metric, k = (leading.metric, leading.k) if are_too_many else (None, None)
    about = f" of {leading.measure}" if are_too_many else ""
    caption = f"Differences of means{about}, with {percent(result.confidence)} intervals"
    drawn = [row for row in differences if not are_too_many or row.measure == leading.measure]
    yield _parts.figure(
        partial(plots.differences, result, metric, k),
        _parts.join_sentences(
            caption, result.about_intervals, about_undecided(result, drawn, _parts.count_tests(differences))
        ),
        is_wide=True,
    )


def means_figure(result: EvaluationLike | ComparisonLike, means: Sequence[Mean]) -> str:
    """Return the HTML of the plot of means against k."""
    groups = ", ".join(dict.fromkeys(", ".join(map(_parts.cell_text, mean.group)) for mean in means))
    whose = f" by {', '.join(result.by)}" if result.kind == "evaluation" and result.by else f" of {groups}"
    caption = f"Means{whose if groups else ''} with {percent(result.confidence)} intervals"
    return _parts.figure(partial(plots.metric_at_k, result), caption, is_wide=True)


def figures_of_differences(
    result: ComparisonLike, means: list[Mean], differences: list[Difference]
) -> Iterator[str]:
    """Yield the HTML of the plots of all differences, if they are many, of wins, and of single users."""
    if len(differences) > _MAX_ROWS:
        yield _parts.folded(
            "All differences as a picture",
            _parts.figure(partial(plots.differences, result), "Differences of means"),
        )
    of_users = _parts.of_single_users(means)
    if not of_users:
        return
    caption = result.words.say("For how many users each system wins, ties and loses")
    yield _parts.figure(partial(plots.wins, result), caption, is_wide=True)
    leading = _parts.leading_mean(of_users)
    yield _parts.figure(
        partial(plots.user_differences, result, leading.metric, leading.k),
        f"How much {leading.measure} differs for single {result.words.plural}, from the largest difference "
        "to the smallest",
        is_wide=True,
    )


def distributions(result: EvaluationLike | ComparisonLike, means: list[Mean]) -> Iterator[str]:
    """Yield the HTML of the distribution of each metric at its last k; all but the first are folded."""
    last = {mean.metric: mean.k for mean in _parts.of_single_users(means)}
    yield f"<h2>Distributions over {result.words.plural}</h2>"
    others = dict.fromkeys(mean.metric for mean in means if mean.metric not in last)
    if others:
        yield _parts.bullets([f"{metric} is {OF_ALL_USERS}" for metric in others])
    for number, (metric, k) in enumerate(last.items()):
        name = Measure(metric, k).column
        whose = f"{result.words.plural}' values of {name}"
        caption = f"How the {whose} are distributed; those that are exactly 0 stand apart"
        drawn = _parts.figure(partial(plots.distribution, result, metric, k), caption, is_wide=True)
        yield drawn if number == 0 else _parts.folded(name, drawn)


_VERDICTS = {
    "better": Markup('<span class="better">▲ better</span>'),
    "worse": Markup('<span class="worse">▼ worse</span>'),
    "same": Markup('<span class="same">undecided</span>'),
    "untested": Markup('<span class="same">no test</span>'),
} | {name: Markup(f'<span class="shown">{name}</span>') for name in WITH_MARGIN.values()}


def tables_of_evaluation(result: EvaluationLike, means: list[Mean]) -> Iterator[str]:
    """Yield the HTML of the table of means and, with segments, of their plot against k."""
    segments = groups_of(result)
    sure = f"{percent(result.confidence)} interval"
    yield f"<h2>Means over {result.unit}</h2>"
    users = _parts.common_users(means)
    columns = [*segments, "metric", "mean", sure]
    cells = [
        (
            *map(_parts.cell_text, mean.group),
            mean.measure,
            _parts.number_text(mean.mean),
            _parts.interval_text(mean.low, mean.high),
        )
        for mean in means
    ]
    # Without a common number of users, each row has its own.
    if users is None:
        columns += [result.unit, f"{result.unit} without value"]
        numbers = [(f"{mean.n:,}", f"{mean.without_value:,}") for mean in means]
        cells = [(*row, *users_of_row) for row, users_of_row in zip(cells, numbers, strict=True)]
    heads = len(segments) + 1
    over = result.unit if users is None else result.words.count(users)
    caption = f"Means over {over} with their intervals"
    yield _parts.table(caption, columns, cells, numeric=range(heads, len(columns)), heads=heads)
    # Without segments, the plot is the picture above. With them, it has no line for all users.
    if result.by:
        all_users = result.words.all_of_them
        yield means_figure(result, [mean for mean in means if mean.group[0] != all_users])


def tables_of_comparison(
    result: ComparisonLike, means: list[Mean], differences: list[Difference]
) -> Iterator[str]:
    """Yield the HTML of the means of systems, and of their differences."""
    systems = list(dict.fromkeys(str(mean.group[0]) for mean in means))
    yield f"<h2>Means over {result.words.plural}</h2>"
    best = {
        measure: (min if less_is_better(metric) else max)(
            (m.mean for m in means if m.measure == measure and m.mean is not None), default=None
        )
        for measure, metric in {mean.measure: mean.metric for mean in means}.items()
    }
    ((usual_number, _),) = Counter(mean.n for mean in means).most_common(1)
    cells: dict[str, dict[str, str]] = {}
    for mean in means:
        number = _parts.number_text(mean.mean)
        if mean.mean is not None and mean.mean == best[mean.measure]:
            number = f'<span class="best">{number}</span>'
        notes = f"<small>{_parts.interval_text(mean.low, mean.high)}</small>"
        if mean.n != usual_number:
            notes += f"<small>{result.words.count(mean.n)}</small>"
        cells.setdefault(mean.measure, {})[str(mean.group[0])] = Markup(number + notes)
    yield _parts.table(
        f"Means over {result.words.count(usual_number)}, unless a cell has another number, with "
        f"{percent(result.confidence)} intervals; the best of each row is marked"
        + less_is_better_in_words(mean.metric for mean in means),
        ["metric", *(f"{name} (baseline)" if name == result.baseline else name for name in systems)],
        [(name, *(row.get(system, _parts.NONE) for system in systems)) for name, row in cells.items()],
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
    """Return the HTML of the table of differences.

    The system and the number of users have no column if they are the same in all rows: the texts name them.
    """
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
            *map(_parts.cell_text, row.segment),
            row.measure,
            Markup(
                f"{_parts.number_text(row.difference, '+')}"
                f"<small>{_parts.interval_text(row.low, row.high, '+')}</small>"
            ),
            _VERDICTS[row.verdict],
            _parts.p_value_text(row.p),
            _parts.number_text(row.mean),
            _parts.number_text(row.baseline),
            *([] if same_users else [f"{row.n:,}"]),
        )
        for row in differences
    ]
    users = result.words.count(differences[0].n) if same_users else f"the {result.words.plural}"
    caption = _parts.join_sentences(
        f"Differences of means over {users} with values of both systems, with {percent(result.confidence)} "
        f"intervals; a difference is undecided if p is at least {significance_level(result.confidence)}",
        result.about_intervals,
        about_undecided(result, differences, _parts.count_tests(differences)),
    )
    first = len(heads)
    numeric = [first, *range(first + 2, len(columns))]
    return _parts.table(caption, columns, cells, numeric=numeric, heads=first)
