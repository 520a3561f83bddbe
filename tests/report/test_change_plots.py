"""Plots of changes: the drawn numbers are those of the change."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import duckdb
import pytest
from support.invented_changes import SHARES, change

from rankdcg_sql import plots
from rankdcg_sql._errors import CallValueError
from rankdcg_sql.evaluation._terms.metrics import Measure

if TYPE_CHECKING:
    from matplotlib.axes import Axes


MINUS, DASH = "\N{MINUS SIGN}", "\N{EN DASH}"


def close(value: Any) -> Any:
    return pytest.approx(value, rel=1e-12, abs=1e-12)


def texts(axes: Axes) -> list[str]:
    return [text.get_text() for text in axes.texts]


def legend(figure: Any) -> list[str]:
    return [text.get_text() for text in figure.legends[0].get_texts()]


# change_parts


def test_parts_lead_from_the_mean_before_to_the_mean_after() -> None:
    """The relation has them in another order."""
    figure = plots.change_parts(change())
    (axes,) = figure.axes
    rows = [label.get_text() for label in axes.get_yticklabels()]
    assert rows == ["before", "users who left", "users who came", "judgements", "ranking", "after"]
    ends = [(bar.get_x(), bar.get_x() + bar.get_width()) for bar in axes.patches]
    steps = [(0.4, 0.4002), (0.4002, 0.4202), (0.415, 0.4202), (0.4117, 0.415)]
    assert [tuple(sorted(pair)) for pair in ends] == [close(pair) for pair in steps]
    assert texts(axes) == [
        "+0.0002", "▲ +0.0200", f"▼ {MINUS}0.0052", f"{MINUS}0.0033", "0.4000", "0.4117", "▲ +0.0117",
    ]  # fmt: skip
    # A part whose corrected p-value is above 0.05 is hollow, also if the other one is below.
    assert [bar.get_facecolor()[3] for bar in axes.patches] == [0, 1, 1, 0]
    assert legend(figure) == ["undecided", "raises the mean", "lowers the mean"]


def test_parts_have_their_intervals() -> None:
    (axes,) = plots.change_parts(change()).axes
    drawn = {
        round(float(line.get_ydata()[0])): tuple(map(float, line.get_xdata()))
        for line in axes.lines
        if len(set(line.get_ydata())) == 1
    }
    assert drawn == {
        1: close((0.3996, 0.4008)),
        2: close((0.4152, 0.4252)),
        3: close((0.4141, 0.4159)),
        4: close((0.408, 0.4154)),
        5: close((0.403, 0.4204)),
    }


# cumulative_change


def test_the_curve_adds_up_the_shares_of_users() -> None:
    (axes,) = plots.cumulative_change(change()).axes
    sums = [sum(SHARES[:number]) for number in range(6)]
    curve = next(line for line in axes.lines if len(line.get_xdata()) == 6)
    assert list(curve.get_xdata()) == [0, 1, 2, 3, 4, 5]
    assert list(curve.get_ydata()) == close(sums)
    assert texts(axes) == ["whole change: +0.0117", "half of it: 1 user of 5"]


def test_the_curve_of_many_users_has_about_200_points() -> None:
    """The user with whom half of the change is reached, and the last one, are among them."""
    fallen = duckdb.sql(
        "SELECT 'ndcg' AS metric, 10::BIGINT AS k, i AS place, 5003 AS n, -i / 5003 AS cumulative, "
        "i / 5003 AS share FROM range(1, 5004) AS t(i)"
    )
    (axes,) = plots.cumulative_change(change(deciding_users=fallen), "ndcg@10").axes
    curve = max(axes.lines, key=lambda line: len(line.get_xdata()))
    places = list(curve.get_xdata())
    assert 200 <= len(places) <= 212
    assert places == sorted(places)
    assert {0, 1, 2502, 5003} <= {*places}
    assert texts(axes)[1] == "half of it: 2,502 users of 5,003"


def test_a_change_of_nothing_has_no_half() -> None:
    still = change().deciding_users.project("* REPLACE (0::DOUBLE AS cumulative, NULL::DOUBLE AS share)")
    (axes,) = plots.cumulative_change(change(deciding_users=still)).axes
    assert texts(axes) == ["whole change: +0.0000"]
    (axes,) = plots.cumulative_change(change(deciding_users=still.limit(0))).axes
    assert texts(axes) == []


# user_lists


def names(axes: Axes) -> dict[str, str]:
    """The side of each item with its weight, keyed by what is written."""
    return {text.get_text(): f"{text.get_ha()} {text.get_fontweight()}" for text in axes.texts}


def test_two_lists_of_a_user_stand_side_by_side() -> None:
    figure = plots.user_lists(change(), "ann")
    (axes,) = figure.axes
    assert figure.get_suptitle() == "ndcg@10 of user ann, item by item"
    assert names(axes) == {
        "before: 0.7500": "right bold", "after: 0.5000": "left bold",
        "relevant, but missed": "center normal",
        "1": "left normal", "2": "left normal", "3": "left normal", "23": "right normal",
        f"2{DASH}3": "right normal", DASH: "left normal",
        "fig (+0.5000)": "right bold", "kiwi (+0.2500)": "right bold", "lime": "left normal",
        "fig (+0.3000)": "left bold", "pear (+0.2000)": "left bold",
        "pear": "right bold", "plum": "left bold", "kiwi": "left bold",
    }  # fmt: skip
    # Lines join fig, kiwi, lime and pear. Those of hits are thick, and plum, which both lists miss, has none.
    joined = {
        tuple(map(float, line.get_ydata())): line.get_linewidth()
        for line in axes.lines
        if len(line.get_xdata()) == 2
    }
    assert joined == {(1, 2): 2.2, (2, 4.2 + 1): 2.2, (3, 1): 0.8, (4.2 + 1, 3): 2.2} | {}
    assert legend(figure)[0] == "relevant, with what it adds"


def test_a_narrow_plot_of_lists_has_names_alone() -> None:
    figure = plots.user_lists(change(), "ann", width=3.5)
    assert {"fig", "kiwi", "pear"} <= {*names(figure.axes[0])}
    assert legend(figure)[0] == "relevant"


def test_at_most_20_ranks_and_8_missed_items_are_drawn() -> None:
    many = duckdb.sql(
        "SELECT 'after' AS run, i AS rank, i AS last_rank, 'item ' || i AS itemid, 1.0 AS rel, "
        "0.1 AS contribution, 1.0 AS value FROM range(1, 101) AS t(i)"
    )
    at_30 = change(explain=lambda *_: many, measures=[Measure("recall", 30)])
    drawn = texts(plots.user_lists(at_30, 1, width=3.5).axes[0])
    assert "before: not there" in drawn
    assert [text for text in drawn if text.startswith("item")] == [
        f"item {rank}" for rank in (*range(1, 21), *range(31, 39))
    ]


def test_errors_name_the_argument() -> None:
    with pytest.raises(CallValueError, match=r"^user_lists: user must be in a run, got 'bob'$"):
        plots.user_lists(change(), "bob")
    for draw in (
        plots.change_parts,
        plots.cumulative_change,
        lambda *of: plots.user_lists(of[0], "ann", *of[1:]),
    ):
        with pytest.raises(CallValueError, match="k of ndcg must be 10, got 7"):
            draw(change(), "ndcg", 7)
