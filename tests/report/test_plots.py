"""Plots: the drawn numbers are those of the result."""

from __future__ import annotations

import re
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import duckdb
import pytest
from duckdb import DuckDBPyRelation
from support import invented_results as results
from support import process
from support.invented_changes import change
from support.results_from_values import corrected

import rankdcg_sql
from rankdcg_sql import Comparison, plots
from rankdcg_sql._errors import CallValueError
from rankdcg_sql.evaluation._terms.counts import Unit

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


@pytest.fixture(scope="module")
def comparison() -> Comparison:
    return results.comparison()


def made(per_user: DuckDBPyRelation, summary: DuckDBPyRelation, by: tuple[str, ...] = ()) -> Any:
    """A result with invented values."""
    given = {"by": by, "per_user": per_user, "summary": summary}
    return SimpleNamespace(kind="evaluation", **given, confidence=0.95, words=Unit())


def close(value: Any) -> Any:
    return pytest.approx(value, rel=1e-12, abs=1e-12, nan_ok=True)


def panels(figure: Figure) -> dict[str, Axes]:
    figure.draw_without_rendering()
    return {axes.get_title(loc="left"): axes for axes in figure.axes}


def legend(figure: Figure) -> list[str]:
    return [text.get_text() for of in figure.legends for text in of.get_texts()]


def ticks(axes: Axes, which: str) -> list[str]:
    axis = axes.xaxis if which == "x" else axes.yaxis
    return [label.get_text() for label in axis.get_ticklabels()]


def means(result: Any, metric: str, column: str = "mean") -> list[float]:
    rows = result.summary.filter(f"metric = '{metric}'").project(column).fetchall()
    return [value for (value,) in rows]


def test_a_notebook_shows_a_plot_as_png(comparison: Comparison) -> None:
    figure = plots.metric_at_k(comparison)
    picture, shown = figure._repr_png_()
    assert picture.startswith(b"\x89PNG")
    width, height = (int.from_bytes(picture[place : place + 4], "big") for place in (16, 20))
    assert (shown["width"], shown["height"]) == (round(width / 2), round(height / 2))


def history_of(compared: Comparison) -> Any:
    """Draw a history with a run for each system, of which the last one rises significantly."""
    with TemporaryDirectory() as folder:
        path = Path(folder, "history.csv")
        for evaluation in compared.evaluations.values():
            evaluation.append(path)
        history = rankdcg_sql.history(path)
    assert len(history.changes.filter("is_significant")) > 0
    return history.plot()


DRAWN: dict[str, Any] = {
    "history": history_of,
    "metric_at_k": plots.metric_at_k,
    "distribution": lambda result: plots.distribution(result, "ndcg", 5),
    "wins": plots.wins,
    "differences": plots.differences,
    "user_differences": lambda result: plots.user_differences(result, "ndcg", 5),
    "judgements": lambda _: plots.judgements(corrected()),
    "change_parts": lambda _: plots.change_parts(change()),
    "cumulative_change": lambda _: plots.cumulative_change(change()),
    "user_lists": lambda _: plots.user_lists(change(), "ann"),
}


@pytest.fixture(scope="module")
def small() -> Comparison:
    return results.comparison(users=30, systems={"a": 0.2, "b": 0.6}, metrics="ndcg")


def test_means_with_other_weights_and_corrections_are_other_lines(tmp_path: Path) -> None:
    users, path = range(40), tmp_path / "history.csv"
    rec = {"userid": users, "itemid": ["a"] * 40, "score": [1.0] * 40}
    weights = {"userid": users, "w": [1, 2] * 20}
    judge = rankdcg_sql.evaluate({"userid": users, "itemid": ["a", "b"] * 20}, rec, k=1, metrics="recall")
    few = {"userid": [*users[::4], *users[1::4]], "itemid": ["a"] * 10 + ["b"] * 10}
    human = rankdcg_sql.evaluate(few, rec, k=1, metrics="recall")
    for result in (judge, rankdcg_sql.judge_corrected(human, judge)):
        result.append(path)
    given = {"k": 1, "metrics": "recall", "weight": "w", "segments": weights}
    rankdcg_sql.evaluate({"userid": users, "itemid": ["a"] * 40}, rec, **given).append(path)
    assert sorted(legend(rankdcg_sql.history(path).plot())) == [
        "weighted by w, not corrected",
        "without weights, corrected",
        "without weights, not corrected",
    ]


@pytest.mark.parametrize("name", DRAWN)
def test_a_page_shows_a_plot_in_its_own_colours(name: str, small: Comparison) -> None:
    """Every colour is one that the style sheet sets, once for light pages and once for dark ones."""
    plot = DRAWN[name](small)
    html = plot._repr_html_()
    assert plot._mime_() == ("text/html", html)
    style, _, svg = html.partition("</style>")
    assert svg.startswith("<svg ")
    assert "<style" not in svg
    assert not re.findall(r"(?:fill|stroke): (?!none|var\()[^;\"]*", svg)
    used = set(re.findall(r"var\((--[\w-]+)\)", svg))
    texts = re.findall(r"<text style=\"([^\"]*)\"", svg)
    assert texts
    assert all("fill: var(" in text for text in texts)
    for page in ("prefers-color-scheme:dark", 'data-jp-theme-light="false"', "vscode-dark", "theme=dark"):
        colours = dict(re.findall(r"(--[\w-]+):(#\w+)", style[style.index(page) :].partition("}")[0]))
        assert used <= set(colours)
        light = dict(re.findall(r"(--[\w-]+):(#\w+)", style.partition("}")[0]))
        assert all(colours[name] != light[name] for name in used)


def test_no_style_of_matplotlib_changes_a_plot(small: Comparison) -> None:
    from matplotlib import rc_context, style

    plain = plots.differences(small).to_svg()
    with rc_context():
        style.use("dark_background")
        assert plots.differences(small).to_svg() == plain


@pytest.mark.parametrize("ending", ["svg", "PNG", "pdf"])
@pytest.mark.parametrize("name", ["metric_at_k", "differences"])
def test_a_plot_saves_itself_for_light_and_dark_pages(
    name: str, ending: str, small: Comparison, tmp_path: Path
) -> None:
    plot = DRAWN[name](small)
    files = [tmp_path / f"{place}.{ending}" for place in range(3)]
    for file, dark in zip(files, (False, True, False), strict=True):
        plot.save(file, dark=dark)
    light, dark_file, again = (file.read_bytes() for file in files)
    assert light.startswith({"svg": b"<?xml", "PNG": b"\x89PNG", "pdf": b"%PDF"}[ending])
    assert light != dark_file
    # The plot has its colours again.
    assert light == again
    if ending == "svg":
        assert b"#1b1f24" in light
        assert b"#1b1f24" not in dark_file
        assert b"#e7eaee" in dark_file


@pytest.mark.parametrize("name", ["plot.jpg", "plot", "svg"])
def test_a_plot_cannot_be_saved_as_anything(name: str, small: Comparison, tmp_path: Path) -> None:
    message = "save: path must end with .svg or .png or .pdf, got "
    with pytest.raises(ValueError, match=message):
        plots.wins(small).save(tmp_path / name)
    assert not list(tmp_path.iterdir())


def test_a_plot_in_a_missing_folder_is_an_error(small: Comparison, tmp_path: Path) -> None:
    with pytest.raises(OSError, match=r"^save: .*No such file"):
        plots.wins(small).save(tmp_path / "missing" / "plot.png")


@pytest.mark.parametrize("width", [1, "wide", float("nan")])
def test_a_width_out_of_range_is_an_error(width: Any, small: Comparison) -> None:
    with pytest.raises(ValueError, match=r"^wins: width must be 2 to 100 inches, got "):
        plots.wins(small, width=width)


# metric_at_k


def test_metric_at_k_draws_lines_with_bands(comparison: Comparison) -> None:
    figure = plots.metric_at_k(comparison)
    drawn = panels(figure)
    assert list(drawn) == ["precision", "ndcg", "rankdcg"]
    assert legend(figure) == list(results.SYSTEMS)
    assert figure.get_suptitle() == "Means over users, with 95% confidence intervals"
    for metric in ("precision", "ndcg"):
        axes = drawn[metric]
        assert [y for line in axes.lines for y in line.get_ydata()] == close(means(comparison, metric))
        assert (ticks(axes, "x"), axes.get_xlabel(), axes.get_ylabel()) == (["5", "10"], "k", "mean")
        ends = [(y.min(), y.max()) for band in axes.collections for y in [band.get_paths()[0].vertices[:, 1]]]
        low, high = means(comparison, metric, "low"), means(comparison, metric, "high")
        pairs = zip(low[::2], low[1::2], high[::2], high[1::2], strict=True)
        assert [end for band in ends for end in band] == close(
            [end for a, b, c, d in pairs for end in (min(a, b), max(c, d))]
        )


def test_metric_at_k_draws_points_where_there_is_one_k(comparison: Comparison) -> None:
    axes = panels(plots.metric_at_k(comparison, "rankdcg"))["rankdcg"]
    assert [float(line.get_xdata()[0]) for line in axes.lines] == close(means(comparison, "rankdcg"))
    assert ticks(axes, "y") == list(results.SYSTEMS)
    bars = [float(end) for bar in axes.collections for end in bar.get_segments()[0][:, 0]]
    low, high = means(comparison, "rankdcg", "low"), means(comparison, "rankdcg", "high")
    assert bars == close([end for ends in zip(low, high, strict=True) for end in ends])
    assert axes.get_ylim()[0] > axes.get_ylim()[1]  # the axis is inverted, so the first system is at the top


def test_metric_at_k_puts_the_whole_list_last() -> None:
    result = results.evaluation(metrics="ndcg", k=[None, 20, 3])
    figure = plots.metric_at_k(result)
    axes = panels(figure)["ndcg"]
    assert ticks(axes, "x") == ["3", "20", "all"]
    by_k = dict(result.summary.project("k, mean").fetchall())
    assert list(axes.lines[0].get_ydata()) == close([by_k[3], by_k[20], by_k[None]])
    assert not legend(figure)


def test_metric_at_k_shows_intervals_that_reach_further_on_one_side() -> None:
    result = results.evaluation(metrics="ndcg", k=[3, 20], interval="bootstrap")
    (band,) = panels(plots.metric_at_k(result))["ndcg"].collections
    heights = {float(height) for _, height in band.get_paths()[0].vertices}
    ends = [end for row in result.summary.project("low, high").fetchall() for end in row]
    assert sorted(heights) == close(sorted(ends))


@pytest.mark.parametrize(("last", "labels"), [(11, 11), (12, 6), (25, 9), (100, 12)])
def test_metric_at_k_labels_as_many_k_as_there_is_room_for(last: int, labels: int) -> None:
    result = results.evaluation(users=20, metrics="ndcg", k=range(1, last + 1))
    axes = panels(plots.metric_at_k(result))["ndcg"]
    places = {label.get_text(): label.get_position()[0] for label in axes.xaxis.get_ticklabels()}
    assert len(places) == labels
    assert all(int(k) == place + 1 for k, place in places.items())
    assert str(last) in places


def test_metric_at_k_takes_some_metrics_in_an_order(comparison: Comparison) -> None:
    assert list(panels(plots.metric_at_k(comparison, ["rankdcg", "ndcg"]))) == ["rankdcg", "ndcg"]


def test_metric_at_k_has_a_line_for_each_segment() -> None:
    result = results.evaluation(by=("country", "age"))
    figure = plots.metric_at_k(result)
    panels(figure)
    assert legend(figure) == [f"{country}, {age}" for country in "01" for age in "012"]
    assert figure.legends[0].get_title().get_text() == "country, age"


def test_more_systems_than_colours_look_different() -> None:
    compared = results.comparison(users=30, systems={f"s{number}": number / 20 for number in range(16)})
    lines = panels(plots.metric_at_k(compared))["ndcg"].lines
    looks = {(line.get_color(), line.get_marker(), line.get_linestyle()) for line in lines}
    assert len(looks) == 16


def test_one_user_has_an_interval_of_the_range() -> None:
    figure = plots.metric_at_k(results.evaluation(users=1))
    panels(figure)
    assert figure.get_suptitle().replace("\n", " ") == (
        "Means over users, with 95% confidence intervals; those of equal values are from the range of the "
        "metric"
    )


def test_equal_differences_and_segments_name_the_range() -> None:
    truth = {"userid": range(4), "itemid": ["a"] * 4, "plan": ["x", "x", "y", "y"]}
    old, new = ({**truth, "itemid": items, "score": [1] * 4} for items in (["b"] * 3 + ["a"], ["a"] * 4))
    segmented = rankdcg_sql.evaluate(truth, old, k=1, metrics="recall", by="plan")
    same = rankdcg_sql.compare(truth, {"new": new, "again": new}, k=1, metrics="recall")
    other = rankdcg_sql.compare(truth, {"old": old, "new": new}, k=1, metrics="recall")
    end = "those of equal values are from the range of the metric"
    titles = [
        figure.get_suptitle().replace("\n", " ").endswith(end)
        for figure in (plots.segments(segmented), plots.differences(same), plots.differences(other))
    ]
    assert titles == [True, True, False]


def test_labels_are_the_names_that_users_gave() -> None:
    from matplotlib.text import Text

    compared = results.comparison(systems={"$x_1$": 0.2, "_hidden": 0.3, "it's": 0.4})
    figure = plots.metric_at_k(compared)
    panels(figure)
    assert [name.strip().replace(r"\$", "$") for name in legend(figure)] == ["$x_1$", "_hidden", "it's"]
    for plot in (plots.differences, plots.wins, plots.distribution):
        figure = plot(compared, "ndcg", 5)
        panels(figure)
        assert not [text for text in figure.findobj(Text) if text._preprocess_math(text.get_text())[1]]


@pytest.mark.parametrize("before", [26, 27, 28, 29])
def test_a_cut_label_is_the_start_of_the_name(before: int) -> None:
    name = "x" * before + "$$" + "y" * 9
    compared = results.comparison(systems={"a": 0.2, name: 0.3, name[:30]: 0.4})
    figure = plots.metric_at_k(compared)
    panels(figure)
    texts = zip(figure.legends[0].get_texts()[1:], legend(figure)[1:], strict=True)
    drawn = [text._preprocess_math(label) for text, label in texts]
    assert drawn == [(name[:29] + "…", False), (name[:30], False)]


# distribution


def test_distribution_draws_shares_of_users(comparison: Comparison) -> None:
    drawn = panels(plots.distribution(comparison, "ndcg", 10))
    for (title, axes), name in zip(drawn.items(), results.SYSTEMS, strict=True):
        of = comparison.per_user.filter(f"system = '{name}' AND metric = 'ndcg' AND k = 10")
        values = [value for (value,) in of.project("value").fetchall()]
        zero = values.count(0) / len(values)
        mean = sum(values) / len(values)
        assert title == f"{name}: 500 users, mean {mean:.4f} (dashed)"
        *bins, apart = ((bar.get_x(), bar.get_height()) for bar in axes.patches)
        assert apart[1] == close(zero)
        assert apart[0] < 0
        assert [text.get_text() for text in axes.texts] == [f"{zero:.0%}"]
        for left, share in bins:
            inside = [x for x in values if x and int(x * 20 + 1e-9) == round(left * 20)]
            assert share == pytest.approx(len(inside) / len(values), abs=2 / 500)
        assert sum(bar.get_height() for bar in axes.patches) == close(1)
        assert list(axes.lines[0].get_xdata()) == close([mean, mean])
    assert axes.get_xlabel() == "ndcg@10 of a user"
    assert ticks(axes, "x")[:2] == ["0\nexactly", "0"]


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([1, 1, 0, 0.5], {-0.1: 0.25, 0.5: 0.25, 0.95: 0.5}),
        ([-1, 0, 1, 1], {-1.2: 0.25, -1.0: 0.25, 0.9: 0.5}),
        ([0, 20, 1, None], {-2.0: 1 / 3, 1.0: 1 / 3, 19.0: 1 / 3}),
        ([0, 0], {-0.1: 1.0}),
        ([None], {-0.1: 0}),
    ],
)
def test_distribution_covers_all_values(values: list[float | None], expected: dict[float, float]) -> None:
    rows = ", ".join(f"({n}, 'ndcg', 5, {'NULL' if x is None else x}::DOUBLE)" for n, x in enumerate(values))
    per_user = duckdb.sql(f"SELECT * FROM (VALUES {rows}) AS t(userid, metric, k, value)")
    summary = duckdb.sql("SELECT 'ndcg' AS metric, 5 AS k, 1 AS n, 0.5 AS mean, 0.4 AS low, 0.6 AS high")
    (title, axes), *_ = panels(plots.distribution(made(per_user, summary), "ndcg")).items()
    found = {round(bar.get_x(), 6): bar.get_height() for bar in axes.patches}
    assert found == close(expected)
    assert ("not defined" in title) is (None in values)


def test_distribution_of_segments_without_values_is_empty() -> None:
    per_user = duckdb.sql("SELECT 1 AS userid, 'DE' AS country, 'ndcg' AS metric, 5 AS k, 0.5 AS value")
    summary = duckdb.sql(
        "SELECT *, 'ndcg' AS metric, 5 AS k, 1 AS n, 0.5 AS mean, NULL::DOUBLE AS low, NULL::DOUBLE AS high "
        "FROM (VALUES ('DE', false), (NULL, false), (NULL, true)) AS t(country, all_users)"
    )
    drawn = panels(plots.distribution(made(per_user, summary, ("country",)), "ndcg", 5))
    assert list(drawn) == ["DE: 1 user, mean 0.5000 (dashed)", "NULL: 0 users"]


# judgements


@pytest.mark.parametrize("systems", [("old", "new"), ("only",)])
def test_judgements_are_drawn_with_their_correction(systems: tuple[str, ...]) -> None:
    result = corrected(systems, by="plan")
    relation = (result.differences if result.pairs else result.summary).filter("all_users")
    name = "difference" if result.pairs else "mean"
    columns = f"{name}_judge, {name}_human, {name}, low, high"
    ((judge, people, mean, low, high),) = relation.project(columns).fetchall()
    figure = plots.judgements(result)
    (axes,) = panels(figure).values()
    drawn = {str(line.get_marker()): list(line.get_xdata()) for line in axes.lines}
    zero = drawn.pop("None", [])
    assert drawn == {"X": [judge], "D": [people], "o": [mean]}
    assert [low, high] in [list(line.get_xdata()) for line in axes.lines]
    assert ([0, 0] in [list(line.get_xdata()) for line in axes.lines]) == bool(result.pairs), zero
    assert legend(figure) == ["judge", "people", "corrected"]
    assert list(panels(result.plot("ndcg@10"))) == (["new \N{MINUS SIGN} old"] if result.pairs else [""])
    with pytest.raises(CallValueError, match=r"^plot: metric must be 'ndcg'"):
        result.plot("mrr")


# wins


def test_wins_are_shares_of_users(comparison: Comparison) -> None:
    figure = plots.wins(comparison)
    drawn = panels(figure)
    assert list(drawn) == ["mine against popular", "random against popular"]
    assert legend(figure) == ["wins", "ties", "losses"]
    for system, axes in zip(["mine", "random"], drawn.values(), strict=True):
        of_system = comparison.differences.filter(f"system = '{system}'")
        rows = of_system.project("wins, ties, losses, n").fetchall()
        for number, bars in enumerate(axes.containers):
            assert [bar.get_width() for bar in bars] == close([row[number] / row[3] for row in rows])
            assert [bar.get_x() for bar in bars] == close([sum(row[:number]) / row[3] for row in rows])
        assert [text.get_text() for text in axes.texts] == [
            str(row[number]) if row[number] > 0.07 * row[3] else "" for number in range(3) for row in rows
        ]
        assert ticks(axes, "y") == ["precision@5", "precision@10", "ndcg@5", "ndcg@10", "rankdcg"]


def test_wins_of_one_metric_and_k_have_a_bar_for_each_system(comparison: Comparison) -> None:
    ((title, axes),) = panels(plots.wins(comparison, "ndcg", 10)).items()
    assert (title, ticks(axes, "y")) == ("ndcg@10", ["mine", "random"])


# differences


def forest(axes: Axes) -> list[tuple[str, float, float, float, str]]:
    """The label, difference, ends of the interval and marker of each row."""
    intervals, points = axes.lines[1::2], axes.lines[2::2]
    return [
        (label, *map(float, (point.get_xdata()[0], *line.get_xdata())), str(point.get_marker()))
        for label, line, point in zip(ticks(axes, "y"), intervals, points, strict=True)
    ]


def test_differences_are_drawn_with_their_intervals(comparison: Comparison) -> None:
    drawn = panels(plots.differences(comparison))
    assert list(drawn) == ["mine \N{MINUS SIGN} popular", "random \N{MINUS SIGN} popular"]
    for system, axes in zip(["mine", "random"], drawn.values(), strict=True):
        of_system = comparison.differences.filter(f"system = '{system}'")
        expected = of_system.project(
            "metric || coalesce('@' || k, ''), difference, low, high, "
            "CASE WHEN p_corrected >= 0.05 THEN 'o' WHEN difference > 0 THEN '^' ELSE 'v' END"
        ).fetchall()
        for found, row in zip(forest(axes), expected, strict=True):
            assert (found[0], found[-1]) == (row[0], row[-1])
            assert found[1:4] == close(row[1:4])
        assert list(axes.lines[0].get_xdata()) == [0, 0]
        numbers = [text.get_text().split()[-1].replace("\N{MINUS SIGN}", "-") for text in axes.texts]
        assert numbers == [f"{row[1]:+.4f}" for row in expected]


def test_an_undecided_difference_has_a_hollow_marker() -> None:
    compared = results.comparison(systems={"a": 0.3, "b": 0.301}, metrics="ndcg")
    (axes,) = panels(plots.differences(compared, "ndcg", 10)).values()
    assert (axes.get_title(loc="left"), ticks(axes, "y")) == ("ndcg@10", ["b \N{MINUS SIGN} a"])
    assert [row[-1] for row in forest(axes)] == ["o"]
    assert axes.lines[2].get_markerfacecolor() != axes.lines[2].get_markeredgecolor()


@pytest.mark.parametrize(
    ("alternative", "band"), [("equivalence", (-0.2, 0.2)), ("greater", (-0.2, 0)), ("less", (0, 0.2))]
)
def test_a_margin_is_a_band(alternative: str, band: tuple[float, float]) -> None:
    compared = results.comparison(
        60, {"a": 0.3, "b": 0.301}, metrics="ndcg", k=5, alternative=alternative, margin=0.2
    )
    figure = plots.differences(compared)
    ((_, axes),) = panels(figure).items()
    (span,) = axes.patches
    ends = span.get_extents().transformed(axes.transData.inverted())
    assert (ends.x0, ends.x1) == close(band)
    assert [row[-1] for row in forest(axes)] == ["s"]
    words = {"equivalence": "equivalent", "greater": "not inferior", "less": "not superior"}
    assert legend(figure) == [words[alternative], "margin 0.2"]


def test_differences_have_a_row_for_each_segment() -> None:
    compared = results.one_item_each("xyy" * 4, [1, 9, 9] * 4, [1, 1, 9, 1, 1, 1] * 2, "precision", by="plan")
    ((title, axes),) = panels(plots.differences(compared)).items()
    assert title == "new \N{MINUS SIGN} old, precision@1"
    assert [row[:2] for row in forest(axes)] == [("x", 0), ("y", 0.75), ("all users", 0.5)]


def test_differences_of_all_pairs_name_both_systems() -> None:
    systems = {"a": 0.3, "b": 0.6, "c": 0.301}
    compared = results.comparison(60, systems, metrics="ndcg", k=5, baseline="all")
    (axes,) = panels(plots.differences(compared)).values()
    assert forest(axes) == [
        (f"{system} \N{MINUS SIGN} {against}", *map(close, numbers), marker)
        for (system, against, *numbers), marker in zip(
            compared.differences.project("system, against, difference, low, high").fetchall(),
            "^ov",
            strict=True,
        )
    ]


# learning_curve


def test_a_learning_curve_has_the_means_of_checkpoints_by_step() -> None:
    """Names end in steps, in no order; a system without a step is a level."""
    skills = {"popular": 0.2, "bert-100010": 0.4, "bert-100000": 0.3, "gpt 100005": 0.1, "gpt 100020": 0.5}
    compared = results.comparison(60, skills, metrics="ndcg", k=[5, 10])
    means = dict(compared.summary.filter("k = 5").project("system, mean").fetchall())
    drawn = panels(compared.plot_learning_curve("ndcg", 5))
    assert drawn.keys() == {"ndcg@5"}
    level, bert, gpt = drawn["ndcg@5"].lines
    assert bert.get_xdata().tolist() == [100000, 100010]
    assert bert.get_ydata().tolist() == [means["bert-100000"], means["bert-100010"]]
    assert gpt.get_ydata().tolist() == [means["gpt 100005"], means["gpt 100020"]]
    assert set(level.get_ydata()) == {means["popular"]}
    figure = compared.plot_learning_curve()
    assert panels(figure).keys() == {"ndcg@5", "ndcg@10"}
    assert legend(figure) == ["popular", "bert", "gpt"]
    steps = ticks(figure.axes[0], "x")
    assert all(step.isdecimal() and 99_000 < int(step) < 101_000 for step in steps)
    assert figure.axes[0].xaxis.get_offset_text().get_text() == ""


def test_steps_may_be_given() -> None:
    compared = results.comparison(30, {"early": 0.2, "late": 0.4, "v2": 0.3}, metrics="ndcg", k=5)
    (axes,) = compared.plot_learning_curve(steps={"late": 10, "early": 1.5, "v2": 20}).axes
    assert sorted(x for line in axes.lines for x in line.get_xdata()) == [1.5, 10, 20]


@pytest.mark.parametrize(
    ("steps", "message"),
    [
        (None, "steps must give two systems or more a step: no two of 'a', 'b' end in a number"),
        ({"a": 1}, "steps must give two systems or more a step"),
        ({"a": 1, "c": 2}, "steps must be 'a' or 'b', got 'c'"),
        ({"a": 1, "b": float("nan")}, "steps must be numbers, got nan for 'b'"),
        ({"a": 1, "b": "2"}, "steps must be numbers, got '2' for 'b'"),
    ],
)
def test_a_learning_curve_needs_steps(small: Comparison, steps: Any, message: str) -> None:
    with pytest.raises(CallValueError, match=f"^plot_learning_curve: {message}"):
        small.plot_learning_curve(steps=steps)


# user_differences


@pytest.mark.parametrize("users", [3, 60, 500])
def test_user_differences_are_sorted_quantiles(users: int) -> None:
    compared = results.comparison(users, metrics="ndcg", k=10)
    drawn = panels(plots.user_differences(compared, "ndcg"))
    wide = compared.wide.pl().to_dicts()
    for system, (title, axes) in zip(["mine", "random"], drawn.items(), strict=True):
        values = {row["userid"]: row["ndcg@10"] for row in wide if row["system"] == system}
        baseline = {row["userid"]: row["ndcg@10"] for row in wide if row["system"] == "popular"}
        found = sorted((values[user] - baseline[user] for user in values), reverse=True)
        assert title == f"{system} \N{MINUS SIGN} popular: {users} users"
        curve = axes.lines[-1]
        places, heights = curve.get_xdata(), curve.get_ydata()
        assert (places[0], places[-1]) == (0, 1)
        assert (heights[0], heights[-1]) == close((found[0], found[-1]))
        for place, height in zip(places, heights, strict=True):
            # A quantile is the value of a user, at this share of the users or a place beside it.
            at = place * users
            near = found[max(0, int(at) - 1) : int(at) + 2]
            assert any(height == close(value) for value in near)
        of_system = compared.differences.filter(f"system = '{system}'")
        ((wins, losses),) = of_system.project("wins, losses").fetchall()
        assert [text.get_text() for text in axes.texts] == [
            f"better for {wins / users:.1%} ({wins})",
            f"worse for {losses / users:.1%} ({losses})",
        ]


# segments


def test_segments_are_side_by_side() -> None:
    result = results.evaluation(by=("country", "age"))
    figure = plots.segments(result)
    drawn = panels(figure)
    assert list(drawn) == ["precision@5", "precision@10", "ndcg@5", "ndcg@10", "rankdcg"]
    axes = drawn["ndcg@10"]
    assert ticks(axes, "y") == [*(f"{country}, {age}" for country in "01" for age in "012"), "all users"]
    rows = result.summary.filter("metric = 'ndcg' AND k = 10").project("mean, low, high").fetchall()
    points = [float(line.get_xdata()[0]) for line in axes.lines if len(line.get_xdata()) == 1]
    assert points == close([row[0] for row in rows])
    ends = [tuple(map(float, bar.get_segments()[0][:, 0])) for bar in axes.collections]
    assert ends == [close(row[1:]) for row in rows]
    assert list(axes.lines[-1].get_xdata()) == close([rows[-1][0]] * 2)
    assert figure.get_suptitle() == "Means by country, age, with 95% confidence intervals"


def test_segments_need_an_evaluation_by_segment(comparison: Comparison) -> None:
    for result in (comparison, comparison.evaluations["mine"]):
        with pytest.raises(ValueError, match=r"^segments: evaluation must be an evaluation with segments"):
            plots.segments(result)  # type: ignore[arg-type]


def test_results_draw_themselves(small: Comparison) -> None:
    assert panels(small.plot_differences()).keys() == panels(plots.differences(small)).keys()
    assert panels(small.plot_user_differences("ndcg", 5)).keys() == {"b \N{MINUS SIGN} a: 30 users"}


# Metrics and k that the result does not have

MEASURES = "'precision@5' or 'precision@10' or 'ndcg@5' or 'ndcg@10' or 'rankdcg'"
#: The methods that draw, and the functions that they call.
METHODS = {
    "plot": plots.metric_at_k,
    "plot_distribution": plots.distribution,
    "plot_wins": plots.wins,
    "plot_differences": plots.differences,
    "plot_user_differences": plots.user_differences,
}


@pytest.mark.parametrize(
    ("method", "arguments", "message"),
    [
        ("plot", (["ndcg", "map"],), "metrics must be 'precision' or 'ndcg' or 'rankdcg', got 'map'"),
        ("plot", ("precision@7",), f"metrics must be {MEASURES}, got 'precision@7'"),
        ("plot_distribution", ("map", 5), "metric must be 'precision' or 'ndcg' or 'rankdcg', got 'map'"),
        ("plot_distribution", ("ndcg", 7), "k of ndcg must be 5 or 10, got 7"),
        ("plot_distribution", ("ndcg",), "k of ndcg must be 5 or 10, got None"),
        ("plot_wins", ("map",), "metric must be 'precision' or 'ndcg' or 'rankdcg', got 'map'"),
        ("plot_wins", ("ndcg", 7), "k of ndcg must be 5 or 10, got 7"),
        ("plot_wins", ("rankdcg", 5), "k of rankdcg must be None, got 5"),
        ("plot_wins", (None, 7), "k must be 5 or 10 or None, got 7"),
        ("plot_differences", ("ndcg", 7), "k of ndcg must be 5 or 10, got 7"),
        ("plot_differences", ("ndcg@7",), f"metric must be {MEASURES}, got 'ndcg@7'"),
        ("plot_differences", ("ndcg@5", 5), "metric='ndcg@5' has a cutoff: give no k, got 5"),
        ("plot_user_differences", ("ndcg", 7), "k of ndcg must be 5 or 10, got 7"),
        ("plot_user_differences", ("ndcg",), "k of ndcg must be 5 or 10, got None"),
    ],
)
def test_errors_name_the_function_that_was_called(
    comparison: Comparison, method: str, arguments: Any, message: str
) -> None:
    with pytest.raises(CallValueError, match=f"^{METHODS[method].__name__}: {message}$"):
        METHODS[method](comparison, *arguments)
    with pytest.raises(CallValueError, match=f"^{method}: {message}$") as found:
        getattr(comparison, method)(*arguments)
    assert found.value.function == method


@pytest.mark.parametrize("draw", [plots.distribution, plots.wins, plots.differences, plots.user_differences])
def test_a_name_may_have_the_cutoff(small: Comparison, draw: Any) -> None:
    assert (
        draw(small, "ndcg@5").to_svg() == draw(small, "ndcg", 5).to_svg() != draw(small, "ndcg", 10).to_svg()
    )


def test_a_cutoff_of_many_is_drawn_as_points(small: Comparison) -> None:
    assert panels(small.plot(["ndcg@10", "ndcg"])).keys() == {"ndcg@10", "ndcg"}


def test_a_segment_has_a_measure() -> None:
    by = results.evaluation(users=30, by=("country",), metrics="ndcg", k=[5, 10])
    assert panels(by.plot_segments()).keys() == {"ndcg@5", "ndcg@10"}
    assert panels(by.plot_segments("ndcg@5")).keys() == {"ndcg@5"}
    assert panels(by.plot_segments("ndcg", 10)).keys() == {"ndcg@10"}
    for method in ("plot_segments", "plot_distribution"):
        with pytest.raises(CallValueError, match=rf"^{method}: k of ndcg must be 5 or 10, got 7$"):
            getattr(by, method)("ndcg", 7)
    with pytest.raises(CallValueError, match=r"^plot: metrics must be 'ndcg', got 'map'$"):
        by.plot("map")


@pytest.mark.parametrize("module", ["plots", "report"])
def test_without_matplotlib_says_what_to_install(module: str) -> None:
    done = process.run(f"import sys; sys.modules['matplotlib'] = None; import rankdcg_sql.{module}")
    assert "ImportError: Plots need Matplotlib: pip install 'rankdcg_sql[plots]'" in done.stderr


def test_no_figure_is_kept() -> None:
    script = "import sys; import rankdcg_sql.plots; print('matplotlib.pyplot' in sys.modules)"
    assert process.run(script).stdout == "False\n"
