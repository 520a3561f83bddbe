"""Plots: the drawn numbers are those of the result."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import duckdb
import pytest
from support import process, results

from rankdcg_sql import plots

if TYPE_CHECKING:
    from duckdb import DuckDBPyRelation
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from rankdcg_sql import Comparison, Evaluation


@pytest.fixture(scope="module")
def con() -> duckdb.DuckDBPyConnection:
    return duckdb.connect()


@pytest.fixture(scope="module")
def evaluation() -> Evaluation:
    return results.evaluation()


@pytest.fixture(scope="module")
def comparison() -> Comparison:
    return results.comparison()


def made(per_user: DuckDBPyRelation, summary: DuckDBPyRelation, by: tuple[str, ...] = ()) -> Any:
    """A result with invented values."""
    return SimpleNamespace(kind="evaluation", by=by, per_user=per_user, summary=summary, confidence=0.95)


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
    systems = {f"s{number}": number / 20 for number in range(16)}
    lines = panels(plots.metric_at_k(results.comparison(systems=systems)))["ndcg"].lines
    looks = {(line.get_color(), line.get_marker(), line.get_linestyle()) for line in lines}
    assert len(looks) == 16


def test_one_user_has_no_interval() -> None:
    panels(plots.metric_at_k(results.evaluation(users=1)))


def test_labels_are_the_names_that_users_gave() -> None:
    compared = results.comparison(systems={"_hidden": 0.2, "$x_1$": 0.3, "it's": 0.4})
    figure = plots.metric_at_k(compared)
    panels(figure)
    assert [name.strip().replace(r"\$", "$") for name in legend(figure)] == ["_hidden", "$x_1$", "it's"]
    panels(plots.wins(compared))
    panels(plots.distribution(compared, "ndcg", 5))


@pytest.mark.parametrize("before", [26, 27, 28, 29])
def test_a_cut_label_is_the_start_of_the_name(before: int) -> None:
    name = "x" * before + "$$" + "y" * 9
    compared = results.comparison(systems={"a": 0.2, name: 0.3})
    figure = plots.metric_at_k(compared)
    panels(figure)
    drawn, is_formula = figure.legends[0].get_texts()[1]._preprocess_math(legend(figure)[1])
    assert (drawn, is_formula) == (name[:29] + "…", False)


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
def test_distribution_covers_all_values(
    con: duckdb.DuckDBPyConnection, values: list[float | None], expected: dict[float, float]
) -> None:
    rows = ", ".join(f"({n}, 'm', 5, {'NULL' if x is None else x}::DOUBLE)" for n, x in enumerate(values))
    per_user = con.sql(f"SELECT * FROM (VALUES {rows}) AS t(userid, metric, k, value)")
    summary = con.sql("SELECT 'm' AS metric, 5 AS k, 1 AS n, 0.5 AS mean, 0.4 AS low, 0.6 AS high")
    (title, axes), *_ = panels(plots.distribution(made(per_user, summary), "m")).items()
    found = {round(bar.get_x(), 6): bar.get_height() for bar in axes.patches}
    assert found == close(expected)
    assert ("not defined" in title) is (None in values)


def test_distribution_of_segments_without_values_is_empty(con: duckdb.DuckDBPyConnection) -> None:
    per_user = con.sql("SELECT 1 AS userid, 'DE' AS country, 'm' AS metric, 5 AS k, 0.5 AS value")
    summary = con.sql(
        "SELECT *, 'm' AS metric, 5 AS k, 1 AS n, 0.5 AS mean, NULL::DOUBLE AS low, NULL::DOUBLE AS high "
        "FROM (VALUES ('DE', false), (NULL, false), (NULL, true)) AS t(country, all_users)"
    )
    drawn = panels(plots.distribution(made(per_user, summary, ("country",)), "m", 5))
    assert list(drawn) == ["DE: 1 users, mean 0.5000 (dashed)", "NULL: 0 users"]


# wins


def test_wins_are_shares_of_users(comparison: Comparison) -> None:
    figure = plots.wins(comparison)
    drawn = panels(figure)
    assert list(drawn) == ["mine against popular", "random against popular"]
    assert legend(figure) == ["wins", "ties", "losses"]
    for system, axes in zip(["mine", "random"], drawn.values(), strict=True):
        rows = (
            comparison.differences.filter(f"system = '{system}'").project("wins, ties, losses, n").fetchall()
        )
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


# Metrics and k that the result does not have


@pytest.mark.parametrize(
    ("draw", "arguments", "message"),
    [
        (
            plots.metric_at_k,
            (["ndcg", "map"],),
            "metrics must be 'precision' or 'ndcg' or 'rankdcg', got 'map'",
        ),
        (plots.distribution, ("map", 5), "metric must be 'precision' or 'ndcg' or 'rankdcg', got 'map'"),
        (plots.distribution, ("ndcg", 7), "k of ndcg must be 5 or 10, got 7"),
        (plots.distribution, ("ndcg",), "k of ndcg must be 5 or 10, got None"),
        (plots.wins, ("map",), "metric must be 'precision' or 'ndcg' or 'rankdcg', got 'map'"),
        (plots.wins, ("rankdcg", 5), "k of rankdcg must be None, got 5"),
        (plots.wins, (None, 7), "k must be 5 or 10 or None, got 7"),
    ],
)
def test_unknown_metric_or_k_is_an_error(
    comparison: Comparison, draw: Any, arguments: Any, message: str
) -> None:
    with pytest.raises(ValueError, match=f"^{draw.__name__}: {message}$"):
        draw(comparison, *arguments)


def test_without_matplotlib_says_what_to_install() -> None:
    done = process.run("import sys; sys.modules['matplotlib'] = None; import rankdcg_sql.plots")
    assert "ImportError: Plots need Matplotlib: pip install 'rankdcg_sql[plots]'" in done.stderr


def test_no_figure_is_kept() -> None:
    script = (
        "import json, sys; import rankdcg_sql.plots; print(json.dumps('matplotlib.pyplot' in sys.modules))"
    )
    assert process.python(script) is False
