"""The plots of a report, with their captions."""

from __future__ import annotations

from functools import partial
from html import escape
from typing import TYPE_CHECKING

from rankdcg_sql import plots
from rankdcg_sql.evaluation._terms.metrics import Measure
from rankdcg_sql.plots import percent
from rankdcg_sql.report._decision import about_undecided
from rankdcg_sql.report._html import cell_text, folded, join_sentences
from rankdcg_sql.report._rows import count_tests, last_means, leading_mean

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from rankdcg_sql.evaluation._results.interface import ComparisonLike, EvaluationLike
    from rankdcg_sql.plots import Plot
    from rankdcg_sql.report._rows import Difference, Mean


#: The widths of figures in inches, on screens and on phones. The page shows one of the two.
_WIDE, _NARROW = 7.5, 3.5
#: The most rows of the deciding picture. If there are more, it is about the leading metric.
_MAX_ROWS = 12


def picture_of_evaluation(result: EvaluationLike, means: list[Mean]) -> Iterator[str]:
    """Yield the HTML of the picture of the main means."""
    if result.by:
        last, sure = last_means(result, means), f"{percent(result.confidence)} interval"
        leading = next(iter(last.values()))
        yield figure(
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
    leading = leading_mean(means)
    many = len(differences) > _MAX_ROWS
    only = (leading.metric, leading.k) if many else (None, None)
    about = f" of {leading.measure}" if many else ""
    caption = f"Differences of means{about}, with {percent(result.confidence)} intervals"
    drawn = [row for row in differences if not many or row.measure == leading.measure]
    yield figure(
        partial(plots.differences, result, *only),
        join_sentences(
            caption, result.about_intervals, about_undecided(result, drawn, count_tests(differences))
        ),
        is_wide=True,
    )


def means_figure(result: EvaluationLike | ComparisonLike, means: Sequence[Mean]) -> str:
    """Return the HTML of the plot of means against k."""
    groups = ", ".join(dict.fromkeys(", ".join(map(cell_text, mean.group)) for mean in means))
    of = f" by {', '.join(result.by)}" if result.kind == "evaluation" and result.by else f" of {groups}"
    of = of if groups else ""
    caption = f"Means{of} with {percent(result.confidence)} intervals"
    return figure(partial(plots.metric_at_k, result), caption, is_wide=True)


def figures_of_differences(
    result: ComparisonLike, means: list[Mean], differences: list[Difference]
) -> Iterator[str]:
    """Yield the HTML of the plots of all differences, if they are many, of wins, and of single users."""
    if len(differences) > _MAX_ROWS:
        yield folded(
            "All differences as a picture", figure(partial(plots.differences, result), "Differences of means")
        )
    caption = result.words.say("For how many users each system wins, ties and loses")
    yield figure(partial(plots.wins, result), caption, is_wide=True)
    leading = leading_mean(means)
    yield figure(
        partial(plots.user_differences, result, leading.metric, leading.k),
        f"How much {leading.measure} differs for single {result.words.plural}, from the largest difference "
        "to the smallest",
        is_wide=True,
    )


def distributions(result: EvaluationLike | ComparisonLike, means: list[Mean]) -> Iterator[str]:
    """Yield the HTML of the distribution of each metric at its last k; all but the first are folded."""
    last = {mean.metric: mean.k for mean in means}
    yield f"<h2>Distributions over {result.words.plural}</h2>"
    for number, (metric, k) in enumerate(last.items()):
        name = Measure(metric, k).column
        whose = f"{result.words.plural}' values of {name}"
        caption = f"How the {whose} are distributed; those that are exactly 0 stand apart"
        drawn = figure(partial(plots.distribution, result, metric, k), caption, is_wide=True)
        yield drawn if number == 0 else folded(name, drawn)


def figure(draw: Callable[..., Plot], caption: str, is_wide: bool = False) -> str:
    """Return the HTML of a plot as inline SVG, narrow enough for phones.

    If `is_wide`, it is drawn a second time, for screens, and the page shows one of the two.
    """
    drawn = []
    for name, width in [("narrow", _NARROW), *([("wide", _WIDE)] if is_wide else [])]:
        plot = draw(width=width)
        plot.suptitle("")  # the caption says it
        drawn.append(f'<div class="{name}">\n{plot.to_svg(caption)}\n</div>\n')
    return f"<figure>\n{''.join(drawn)}<figcaption>{escape(caption)}</figcaption>\n</figure>"
