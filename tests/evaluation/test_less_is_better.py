"""Measures whose smaller values are better, beside one that measures the same with larger ones."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from matplotlib.colors import to_rgb

import rankdcg_sql
from rankdcg_sql.plots._figure import LOSS, WIN
from rankdcg_sql.report import report

USERS = range(60)
#: The groups of the four items of each user's ranking. Even groups have an AWRF near 1 and an NDKL near 0.
GROUPS = {"even": ["xyxy", "yxyx", "xxyy"], "odd": ["xxxy", "xxxx", "yyyx"]}
#: The items of a group have numbers in a row.
FIRST = {"x": 0, "y": 10}
ITEMS = {"itemid": [*range(20)], "group": ["x"] * 10 + ["y"] * 10}
TRUTH = {"userid": [*USERS], "itemid": [0] * len(USERS)}


def rec(name: str) -> dict[str, list[int]]:
    """The recommendations of a system, whose users have its rankings by turns."""
    ranked = [
        (user, FIRST[group] + place, -place)
        for user in USERS
        for place, group in enumerate(GROUPS[name][user % 3])
    ]
    return dict(zip(("userid", "itemid", "score"), map(list, zip(*ranked, strict=True)), strict=True))


def compared(*names: str, **options: Any) -> rankdcg_sql.Comparison:
    recs = {name: rec(name) for name in names}
    return rankdcg_sql.compare(TRUTH, recs, k=4, metrics=["awrf", "ndkl"], items=ITEMS, **options)


def outcomes(result: rankdcg_sql.Comparison, *requirements: str) -> list[str]:
    """The outcome of each requirement, whether it is met or not."""
    try:
        decided = result.require(*requirements)
    except rankdcg_sql.RequirementError as error:
        decided = error.requirements
    return [each.outcome for each in decided]


def test_one_measure_is_larger_and_the_other_one_smaller() -> None:
    found = compared("odd", "even").means
    assert found["awrf@4"]["even"] > found["awrf@4"]["odd"] + 0.1
    assert found["ndkl@4"]["even"] < found["ndkl@4"]["odd"] - 0.1


FORMS = [
    "better", "better by 1%", "better by 0.01", "not worse by 1%", "not worse by 0.01",
    "equivalent within 1%", "equivalent within 0.9", "differs",
]  # fmt: skip


@pytest.mark.parametrize(
    ("measured", "form"), [*(("", form) for form in FORMS), *(("measured ", form) for form in FORMS[:-1])]
)
@pytest.mark.parametrize("names", [("odd", "even"), ("even", "odd"), ("even", "even")])
def test_requirements_decide_alike(form: str, measured: str, names: tuple[str, str]) -> None:
    recs = {"old": rec(names[0]), "new": rec(names[1])}
    found = rankdcg_sql.compare(TRUTH, recs, k=4, metrics=["awrf", "ndkl"], items=ITEMS)
    of_awrf, of_ndkl = outcomes(found, *(f"{measured}new: {name}@4 {form}" for name in ("awrf", "ndkl")))
    assert of_awrf == of_ndkl
    if form.startswith(("better", "not worse")):
        is_met = names == ("odd", "even") or (names[0] == names[1] and form.startswith("not"))
        assert of_ndkl == ("passed" if is_met else "failed")


def test_a_relative_margin_above_the_baseline_may_be_large() -> None:
    assert outcomes(compared("even", "odd"), "odd: ndkl@4 not worse by 1000%") == ["passed"]
    with pytest.raises(ValueError, match="a relative margin must be below 100%"):
        compared("even", "odd").require("odd: awrf@4 not worse by 1000%")


@pytest.mark.parametrize(
    "options",
    [{}, {"baseline": "all"}, {"alternative": "greater"}, {"alternative": "less"},
     {"alternative": "greater", "margin": 0.01}, {"alternative": "less", "margin": 0.01}],
)  # fmt: skip
def test_marks_and_bold_means(options: dict[str, Any]) -> None:
    text = compared("odd", "even", **options).to_latex()
    bold = [line for line in text.splitlines() if "textbf" in line]
    assert len(bold) == 1
    assert bold[0].count("textbf") == 2
    assert "even" in bold[0]
    page = compared("odd", "even", **options).to_html()
    assert "worse than odd" not in page.replace("not worse than odd", "")


def test_verdicts_are_about_what_is_better() -> None:
    for alternative, verdicts in {
        "two_sided": {"awrf": "better", "ndkl": "better"},
        "greater": {"awrf": "better", "ndkl": "same"},
        "less": {"awrf": "same", "ndkl": "better"},
    }.items():
        found = compared("odd", "even", alternative=alternative)
        rows = found.differences.project(f"metric, {found.verdict_in_sql}").fetchall()
        assert dict(rows) == verdicts
    for alternative, verdicts in {
        "greater": {"awrf": "not inferior", "ndkl": "same"},
        "less": {"awrf": "same", "ndkl": "not inferior"},
        "equivalence": {"awrf": "same", "ndkl": "same"},
    }.items():
        found = compared("odd", "even", alternative=alternative, margin=0.01)
        rows = found.differences.project(f"metric, {found.verdict_in_sql}").fetchall()
        assert dict(rows) == verdicts


def test_wins_are_users_for_whom_a_system_is_better() -> None:
    for names, expected in ((("odd", "even"), "wins"), (("even", "odd"), "losses")):
        rows = compared(*names).differences.project("metric, wins, ties, losses").fetchall()
        assert rows[0][1:] == rows[1][1:]
        wins, ties, losses = rows[1][1:]
        assert {"wins": wins, "losses": losses}[expected] == len(USERS)
        assert ties == 0


def test_a_plot_of_users_names_the_better_system() -> None:
    for names, word in ((("odd", "even"), "better"), (("even", "odd"), "worse")):
        for metric in ("awrf", "ndkl"):
            figure = compared(*names).plot_user_differences(metric)
            texts = [text.get_text() for axes in figure.axes for text in axes.texts]
            assert f"{word} for 100.0% (60)" in texts


def test_reports_say_which_system_is_better() -> None:
    page = report(compared("odd", "even"))
    assert "<b>even</b> is better than <b>odd</b>" in page
    assert "worse than" not in page


@pytest.mark.parametrize(("names", "is_worse"), [(("even", "odd"), True), (("odd", "even"), False)])
def test_a_change_for_the_worse_has_its_colours(names: tuple[str, str], is_worse: bool) -> None:
    """The words are about the number: AWRF falls where NDKL rises."""
    before, after = (
        rankdcg_sql.evaluate(TRUTH, rec(name), k=4, metrics=["awrf", "ndkl"], items=ITEMS) for name in names
    )
    change = rankdcg_sql.explain_change(before, after)
    words, others = ("▼ down", "▲ up") if is_worse else ("▲ up", "▼ down")
    page, kind = report(change), "worse" if is_worse else "better"
    found = re.findall('<span class="(better|worse)">(. (?:up|down))</span>', page)
    assert found == [(kind, words)] * 2 + [(kind, others)] * 2  # the ranking and the total of each
    moved = ("lowers the mean", "raises the mean") if is_worse else ("raises the mean", "lowers the mean")
    figure = change.plot()
    texts = [text.get_text() for text in figure.legends[0].get_texts()]
    assert texts == ["undecided", moved[0], f"{moved[1]}, for the {kind}"]
    colour = to_rgb(LOSS if is_worse else WIN)
    for axes in figure.axes:
        assert [bar.get_facecolor()[:3] for bar in axes.patches if bar.get_facecolor()[3]] == [colour]
    for axes in change.plot_cumulative().axes:
        assert {tuple(area.get_facecolor()[0][:3]) for area in axes.collections} == {colour}


def test_results_say_of_which_measures_less_is_better() -> None:
    recs = {name: rec(name) for name in ("odd", "even")}
    metrics = ["awrf", "ndkl", "unknown_items"]
    found = rankdcg_sql.compare(TRUTH, recs, k=4, metrics=metrics, items=ITEMS)
    told = "; smaller values of ndkl, unknown_items are better"
    of_table = f"Means over 60 users, and differences from odd{told}."
    assert of_table in repr(found).replace("\n", " ")
    assert of_table in found.to_html()
    assert f"Means over 60 users{told}. Bold" in found.to_markdown()
    in_latex = "Means over 60 users; smaller values of NDKL, Unknown items are better. Bold"
    assert in_latex in found.to_latex().replace("\n", " ")
    assert repr(found).count("are better") == 1
    for output in ("table", "markdown", "html"):
        assert f"of the system less the other one{told}." in found.render(output, details=True)
    for figure in (
        found.plot(),
        found.plot_differences(),
        found.plot_learning_curve(steps={"odd": 1, "even": 2}),
    ):
        assert figure.get_suptitle().replace("\n", " ").endswith(told)
    assert f"the best of each row is marked{told}" in report(found)
    of_awrf = rankdcg_sql.compare(TRUTH, recs, k=4, metrics="awrf", items=ITEMS)
    texts = (repr(of_awrf), of_awrf.to_html(details=True), of_awrf.plot().get_suptitle(), report(of_awrf))
    assert not any("smaller values" in text for text in texts)


@pytest.mark.parametrize(("names", "is_drop"), [(("even", "odd"), True), (("odd", "even"), False)])
def test_a_drop_of_a_history_is_a_change_for_the_worse(
    names: tuple[str, str], is_drop: bool, tmp_path: Path
) -> None:
    path = tmp_path / "history.parquet"
    for name in names:
        found = rankdcg_sql.evaluate(TRUTH, rec(name), k=4, metrics=["awrf", "ndkl"], items=ITEMS)
        found.append(path)
    drops = rankdcg_sql.history(path)
    assert [row[0] for row in drops.drops.project("metric").fetchall()] == ["awrf", "ndkl"] * is_drop
    words = " ".join(drops.drops_in_words())
    assert ("is significantly above" in words, "is significantly below" in words) == (is_drop, is_drop)


@pytest.mark.parametrize("metric", ["coverage", "reo"])
def test_wilcoxons_test_is_refused_for_measures_of_all_users(metric: str) -> None:
    told = (
        f"compare: wilcoxon ranks the values of users, and {metric} is a measure of all users together: give"
    )
    recs = {name: rec(name) for name in GROUPS}
    with pytest.raises(ValueError, match=told):
        rankdcg_sql.compare(TRUTH, recs, k=4, metrics=metric, items=ITEMS, test="wilcoxon")
    rankdcg_sql.compare(TRUTH, recs, k=4, metrics="ndkl", items=ITEMS, test="wilcoxon")
