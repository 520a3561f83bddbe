"""The word for users in results."""

from __future__ import annotations

import re
from typing import Any

import pytest

import rankdcg_sql
from rankdcg_sql.evaluation._terms.counts import Unit, check_unit, pluralize

TRUTH = {
    "userid": [1, 1, 2, 3, 4, 4],
    "itemid": ["a", "b", "c", "a", "d", "x"],
    "lang": ["de", "de", "en", "en", "en", "en"],
    "rel": [1, 2, 1, 1, 1, 0],
}
REC = {"userid": [1, 1, 2, 2, 3, 9], "itemid": ["a", "c", "d", "c", "a", "a"], "score": [3.0, 2, 2, 1, 1, 1]}
OTHER = {**REC, "score": [2.0, 3, 1, 2, 1, 1]}
LIKE = {"k": 1, "metrics": ["ndcg", "recall", "rankdcg", "mrr", "map"], "rel": "rel"}


def results(**more: Any) -> list[Any]:
    like, recs = {**LIKE, **more}, {"old": REC, "new": OTHER}
    return [
        rankdcg_sql.evaluate(TRUTH, REC, **like),
        rankdcg_sql.evaluate(TRUTH, REC, **like, by="lang"),
        rankdcg_sql.compare(TRUTH, recs, **like),
        rankdcg_sql.compare(TRUTH, recs, **like, by="lang"),
        rankdcg_sql.compare(TRUTH, recs, **like, test="wilcoxon"),
        rankdcg_sql.compare(TRUTH, recs, **like, baseline="all", test="tukey_hsd"),
    ]


def texts(result: Any) -> list[str]:
    """Return the texts that a result shows: tables, LaTeX, notes and requirements."""
    floats = (result.to_latex("The means."), result.to_latex(label="means"))
    texts = [repr(result), result._repr_html_(), *floats]
    texts += [*result.notes(), result.render("markdown")]
    systems = result.kind == "comparison" and result.baseline is not None
    for text in ["recall@1 >= 0.99", *(["new: ndcg@1 not worse by 0.9"] if systems else [])]:
        try:
            texts.append(str(result.require(text, inconclusive="pass")))
        except rankdcg_sql.RequirementError as error:
            texts.append(str(error))
    return texts


def test_results_have_the_word():
    for result, usual in zip(results(unit="queries"), results(), strict=True):
        shown, shown_usually = ("\n".join(texts(each)) for each in (result, usual))
        # The columns keep their names in what is no sentence.
        assert not re.search(r"\buser", shown, re.IGNORECASE)
        assert re.search(r"\bquer(y|ies)\b", shown)
        assert "quer" not in shown_usually
        assert result.unit == "queries" if result.kind == "evaluation" else result.words.plural == "queries"
        assert result.means == usual.means


def test_reports_and_plots_have_the_word(monkeypatch: pytest.MonkeyPatch):
    pytest.importorskip("matplotlib")
    from matplotlib.text import Text

    from rankdcg_sql.plots import Plot
    from rankdcg_sql.report import report

    def words(plot: Any) -> list[str]:
        return [text.get_text() for text in plot.findobj(Text)]

    # To lay out each plot of a page would take most of the time.
    monkeypatch.setattr(Plot, "to_svg", lambda plot, label: "\n".join([label, *words(plot)]))
    for result in results(unit="queries", metrics="ndcg"):  # a page draws each metric
        page = re.sub(r"<style>.*?</style>|<[^>]*>", " ", str(report(result)), flags=re.DOTALL)
        assert not re.search(r"\busers?\b", page, re.IGNORECASE)
        assert "queries" in page
        plots = [result.plot(), result.plot_distribution("ndcg", 1)]
        if result.kind == "comparison":
            plots += [result.plot_wins(), result.plot_user_differences("ndcg", 1), result.plot_differences()]
        elif result.by:
            plots.append(result.plot_segments())
        drawn = [text for plot in plots for text in words(plot)]
        assert not [text for text in drawn if re.search(r"\buser", text, re.IGNORECASE)]
        assert any("quer" in text for text in drawn)


def test_numbers():
    for plural, singular in {
        "users": "user", "queries": "query", "sessions": "session", "searches": "search", "dishes": "dish",
        "classes": "class", "boxes": "box", "search topics": "search topic", "courses": "course",
        "e-mails": "e-mail",
    }.items():  # fmt: skip
        check_unit("evaluate", plural)
        counted = [Unit(plural).count(number) for number in (0, 1, 1200)]
        assert counted == [f"0 {plural}", f"1 {singular}", f"1,200 {plural}"]
    rows = [pluralize(number, "row") for number in (1, 999, 1234567)]
    assert rows == ["1 row", "999 rows", "1,234,567 rows"]


@pytest.mark.parametrize(
    "unit", ["query", "", "class", "top-10s", "<b>s", "s", " users", "users ", "user_ids", "page\n views"]
)
def test_wrong_words(unit: str):
    wanted = f"evaluate: unit must be a word in the plural that ends with s, such as 'queries', got {unit!r}"
    with pytest.raises(ValueError, match=f"^{re.escape(wanted)}$"):
        rankdcg_sql.evaluate(TRUTH, REC, unit=unit)
