"""Reports: their contents, their independence of other files, and their layout in a browser."""

from __future__ import annotations

import itertools
import re
from html import unescape
from html.parser import HTMLParser
from typing import TYPE_CHECKING

import duckdb
import pytest
from support import browser, process, results

import rankdcg_sql
from rankdcg_sql.report import report

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from rankdcg_sql import Comparison, Evaluation

HOSTILE = "<script>alert('x')</script> & \"co\" --> </svg>"
PAGES: dict[str, Callable[[], Evaluation | Comparison]] = {
    "evaluation": results.evaluation,
    "segments": lambda: results.evaluation(by=("country", "<b>age</b>")),
    "comparison": results.comparison,
    "many": lambda: results.comparison(systems={f"system {n}": n / 20 for n in range(9)}),
    "hostile": lambda: results.comparison(systems={HOSTILE: 0.2, "_$a$": 0.3, "x" * 80: 0.25}),
    # If all relevances are equal, rankDCG is not defined.
    "undefined": lambda: results.comparison(rel=None),
    "one user": lambda: results.evaluation(users=1),
    "other statistics": lambda: results.comparison(
        users=60, k=None, test="wilcoxon", alternative="greater", correction=None, interval="bootstrap"
    ),
}


@pytest.fixture(scope="module")
def evaluation() -> Evaluation:
    return results.evaluation()


@pytest.fixture(scope="module")
def comparison() -> Comparison:
    return results.comparison()


@pytest.fixture(scope="module")
def pages() -> dict[str, str]:
    return {name: report(make()) for name, make in PAGES.items()}


@pytest.fixture(params=PAGES)
def page(request: pytest.FixtureRequest, pages: dict[str, str]) -> str:
    return pages[request.param]


class Reader(HTMLParser):
    """The tags and attributes of a page, and the cells of its tables."""

    VOID = frozenset({"meta", "br", "link", "img"})

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.tables: list[list[list[str]]] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)
        if tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append([])
        elif tag in ("th", "td"):
            self.tables[-1][-1].append("")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "td" in self.open or "th" in self.open:
            self.tables[-1][-1][-1] += data


def table(page: str, *columns: str) -> list[dict[str, str]]:
    """The rows of the table whose first columns are these."""
    (found,) = (of for of in Reader(page).tables if of[0][: len(columns)] == list(columns))
    return [dict(zip(found[0], row, strict=True)) for row in found[1:]]


# Contents


def test_a_prompt_shows_the_size_of_a_page_and_not_its_text() -> None:
    page = report(results.evaluation())
    assert page.startswith("<!doctype html>")
    assert repr(page) == f"<HTML page of {len(page):,} characters>"


def test_evaluation_has_the_summary(evaluation: Evaluation, pages: dict[str, str]) -> None:
    expected = evaluation.summary.project(
        "metric || coalesce('@' || k, ''), n::VARCHAR, printf('%.4f', mean), "
        "printf('%.4f to %.4f', low, high), without_value::VARCHAR"
    )
    rows = table(pages["evaluation"], "metric", "users", "mean")
    assert [tuple(row.values()) for row in rows] == expected.fetchall()


def test_segments_have_columns_of_their_own(pages: dict[str, str]) -> None:
    rows = table(pages["segments"], "country", "<b>age</b>", "metric")
    assert [(row["country"], row["<b>age</b>"]) for row in rows[::5]] == [
        *((country, age) for country in "01" for age in "012"),
        ("all users", ""),
    ]


def test_segments_are_names_also_where_they_are_numbers() -> None:
    truth = {"userid": [1, 2], "itemid": [1, 1], "year": [2024, None]}
    rec = {"userid": [1], "itemid": [1], "score": [0.5]}
    page = report(rankdcg_sql.evaluate(truth, rec, by="year", k=5, metrics="ndcg"))
    assert {row["year"] for row in table(page, "year", "metric")} == {"2024", "\N{EN DASH}", "all users"}


def test_a_comparison_by_segment_has_the_differences_of_each() -> None:
    truth = {"userid": [*range(12)] * 2, "itemid": [1] * 12 + [2] * 12, "plan": [*"xyy"] * 8}
    recs = {
        name: {"userid": [*range(12)], "itemid": items, "score": [1] * 12}
        for name, items in (("old", [1, 9, 9] * 4), ("new", [1, 1, 9, 1, 1, 2] * 2))
    }
    compared = rankdcg_sql.compare(truth, recs, k=1, metrics="precision", by="plan")
    page = report(compared)
    rows = table(page, "system", "plan", "metric")
    assert [(row["plan"], row["users"], row["difference"]) for row in rows] == [
        ("x", "4", "+0.0000"),
        ("y", "8", "+0.7500"),
        ("all users", "12", "+0.5000"),
    ]
    # The tiles, the means and the plots are about all users.
    assert page.count("<dt>") == 1
    assert "+0.5000 better" in page
    (means,) = table(page, "metric", "old (baseline)", "new")
    assert (means["old (baseline)"][:6], means["new"][:6]) == ("0.3333", "0.8333")
    assert "p-values of 3 tests" in page


def test_comparison_marks_the_highest_means(comparison: Comparison, pages: dict[str, str]) -> None:
    means = comparison.summary.fetchall()
    best = [
        max(mean for _, *of, _, mean, _, _, _ in means if of == list(measure)) for measure in results.MEASURES
    ]
    assert re.findall(r'class="best">([\d.]+)<', pages["comparison"]) == [f"{mean:.4f}" for mean in best]


def test_comparison_has_the_differences(comparison: Comparison, pages: dict[str, str]) -> None:
    expected = comparison.differences.project(
        "system, metric || coalesce('@' || k, ''), n::VARCHAR, printf('%.4f', mean), "
        "printf('%.4f', baseline), replace(printf('%+.4f', difference), '-', chr(8722)), "
        "if(p_corrected < 0.001, '< 0.001', printf('%.3f', p_corrected)), "
        "CASE WHEN p_corrected >= 0.05 THEN 'undecided' "
        "WHEN difference > 0 THEN '▲ better' ELSE '▼ worse' END"
    ).fetchall()
    rows = table(pages["comparison"], "system", "metric", "users")
    for row in rows:
        del row["interval"]
    assert [tuple(row.values()) for row in rows] == expected
    assert {row["verdict"] for row in rows} == {"▲ better", "▼ worse"}


def test_the_headline_is_one_metric(comparison: Comparison, pages: dict[str, str]) -> None:
    """Metrics that rise and fall together are not independent, so wins are not counted over metrics."""
    metric = comparison._first.metrics[0]
    (row,) = (
        comparison.differences.filter(f"metric = '{metric}'").order("k DESC").limit(1)
        .project("k, printf('%+.4f', difference), difference > 0").fetchall()
    )  # fmt: skip
    tile = unescape(pages["comparison"].partition('<dl class="tiles">')[2].partition("</dl>")[0])
    assert f"<dt>mine against popular, {metric}@{row[0]}</dt>" in tile
    assert f"<dd>{row[1]} better</dd>" in tile
    assert row[2]
    assert tile.count("<dt>") == len(comparison.evaluations) - 1
    assert not re.search(r"\d+ of \d+", tile)


def test_users_without_a_value_are_reported() -> None:
    truth = {"userid": [1, 2, 3], "itemid": ["a"] * 3, "rel": [4, 2, 2]}
    rec = {"userid": [1, 2, 3], "itemid": ["a"] * 3, "score": [1] * 3}
    found = rankdcg_sql.evaluate(truth, rec, k=1, metrics=["recall", "ndcg"], rel="rel", min_rel=4)
    page = report(found)
    rows = table(page, "metric", "users", "mean")
    assert [(row["metric"], row["users"], row["users without value"]) for row in rows] == [
        ("recall@1", "1", "2"),
        ("ndcg@1", "3", "0"),
    ]
    assert "over 3 users, 1 to 3 of them in the means, by metric." in page
    assert "<li>2 users without a relevant item: in no mean of recall@1</li>" in page


def test_a_difference_that_may_be_chance_is_undecided() -> None:
    compared = results.comparison(systems={"a": 0.3, "b": 0.301})
    rows = table(report(compared), "system", "metric", "users")
    assert {row["verdict"] for row in rows} == {"undecided"}


@pytest.mark.parametrize(
    ("alternative", "verdict"),
    [("equivalence", "equivalent"), ("greater", "not inferior"), ("less", "not superior")],
)
def test_the_verdict_with_a_margin_is_that_of_its_alternative(alternative: str, verdict: str) -> None:
    """A small difference is within a wide margin, though not within a narrow one."""
    systems = {"a": 0.3, "b": 0.301}
    for margin, expected in ((0.5, verdict), (1e-6, "undecided")):
        compared = results.comparison(60, systems, metrics="ndcg", alternative=alternative, margin=margin)
        rows = table(report(compared), "system", "metric", "users")
        assert {row["verdict"] for row in rows} == {expected}


def test_the_verdict_is_that_of_the_corrected_p_value() -> None:
    """There are enough tests for the correction to raise a p-value from below 0.05 to above."""
    compared = results.comparison(
        systems={"a": 0.3, "b": 0.33, "c": 0.345, "d": 0.36}, correction="bonferroni"
    )
    found = compared.differences.project("p_value, p_corrected").fetchall()
    assert any(p < 0.05 < corrected for p, corrected in found)
    rows = table(report(compared), "system", "metric", "users")
    assert ["undecided" in row["verdict"] for row in rows] == [corrected >= 0.05 for _, corrected in found]


def test_report_lists_effective_options(pages: dict[str, str]) -> None:
    rows = table(pages["evaluation"], "option", "value")
    found = {
        (row["option"], row["metrics"]): (row["value"], row["set by"])
        for row in rows
        if row["option"] in ("precision_denominator", "gain", "discount", "ties")
    }
    assert found == {
        ("precision_denominator", "precision"): ("k", "convention trec_eval"),
        ("gain", "ndcg"): ("exp2", "given"),
        ("discount", "ndcg"): ("log2", "default"),
        ("ties", "precision, ndcg"): ("item_desc", "convention trec_eval"),
        ("ties", "rankdcg"): ("pessimistic", "default"),
    }


def test_the_report_states_its_methods_and_its_data(
    evaluation: Evaluation, comparison: Comparison, pages: dict[str, str]
) -> None:
    page = unescape(pages["comparison"])
    for text in (
        *comparison.evaluations["mine"].counts.notes(),
        "the measures of trec_eval",
        "Student's t",
        "p-values of 10 tests: Holm's correction",
        f"rankdcg_sql {rankdcg_sql.__version__}, DuckDB {duckdb.__version__}",
    ):
        assert text in page
    assert evaluation.counts.notes()
    counts = {row["count"]: row["number"] for row in table(pages["evaluation"], "count")}
    assert counts["users evaluated"] == "500"
    assert counts["rec rows"] == f"{evaluation.counts.rec_rows:,}"
    assert counts["users without rec"] == "13"


def test_writes_a_file_with_a_title(evaluation: Evaluation, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    text = report(evaluation, path, title="Spring <& Ünï ✓>")
    assert path.read_text(encoding="utf-8") == text
    assert "<h1>Spring &lt;&amp; Ünï ✓&gt;</h1>" in text


def test_the_same_result_gives_the_same_page(comparison: Comparison, pages: dict[str, str]) -> None:
    again = report(comparison)
    date = re.compile("<time.*</time>")
    assert date.sub("", again) == date.sub("", pages["comparison"])


def test_without_matplotlib_says_what_to_install() -> None:
    done = process.run("import sys; sys.modules['matplotlib'] = None; import rankdcg_sql.report")
    assert "ImportError: Plots need Matplotlib: pip install 'rankdcg_sql[plots]'" in done.stderr


# The file


def test_needs_nothing_else(page: str) -> None:
    reader = Reader(page)
    assert not {"script", "link", "img", "iframe", "object"} & {tag for tag, _ in reader.tags}
    for _, attributes in reader.tags:
        for name, value in attributes.items():
            assert name not in ("src", "srcset", "action", "data")
            assert not name.startswith("on")
            if name in ("href", "xlink:href"):
                assert value
                assert value.startswith("#")
            if "url(" in (value or ""):
                assert re.fullmatch(r"[^(]*url\(#[^(]*", value or "")
    assert "url(" not in page[: page.index("</style>")]
    assert "@import" not in page


def test_is_well_formed_and_accessible(page: str) -> None:
    reader = Reader(page)
    assert not reader.open
    assert ("html", {"lang": "en"}) in reader.tags
    levels = [int(tag[1]) for tag, _ in reader.tags if re.fullmatch("h[1-6]", tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in itertools.pairwise(levels))
    assert page.count("<table>") == page.count("<caption>")
    assert all(of["scope"] in ("row", "col") for tag, of in reader.tags if tag == "th")
    drawn = [of for tag, of in reader.tags if tag == "svg"]
    assert drawn
    assert all(of["role"] == "img" and of["aria-label"] for of in drawn)
    names = {of["id"] for _, of in reader.tags if "id" in of}
    links = {of["xlink:href"] for _, of in reader.tags if "xlink:href" in of}
    assert links
    assert {str(link)[1:] for link in links} <= names


def test_names_that_users_gave_are_escaped(pages: dict[str, str]) -> None:
    assert "alert" in pages["hostile"]
    assert "<script" not in pages["hostile"]
    assert "<b>age" not in pages["segments"]


# In a browser

LAYOUT = """{
    width: page.documentElement.scrollWidth,
    tables: page.querySelectorAll("table").length,
    captions: [...page.querySelectorAll("h1, h2")].map((of) => of.textContent),
    scripts: page.scripts.length,
    spilt: [...page.querySelectorAll("th, td, dd, dt, p, li")]
        .filter((of) => of.scrollWidth > of.clientWidth + 8)
        .map((of) => of.textContent),
    boxes: [...page.querySelectorAll("main > *")].map(box),
    figures: [...page.querySelectorAll("main > figure svg")].map(box),
    parts: [...page.querySelectorAll("main > figure svg")].map((of) => of.querySelectorAll("path").length),
    colours: ["body", "figure", "h1"].map((of) => {
        const style = getComputedStyle(page.querySelector(of));
        return [style.backgroundColor, style.color];
    }),
}"""


@pytest.mark.parametrize("width", [1200, 400])
def test_layout(page: str, width: int, tmp_path: Path) -> None:
    shown = browser.ask(page, LAYOUT, tmp_path, width)
    assert shown["width"] == width
    assert shown["tables"] == page.count("<table>") >= 4
    assert shown["scripts"] == 0
    assert shown["spilt"] == []
    assert {"Means over users", "Data", "How the numbers were computed"} <= set(shown["captions"])
    for above, below in zip(shown["boxes"], shown["boxes"][1:], strict=False):
        assert above["bottom"] <= below["top"] + 0.5
    for box in shown["boxes"]:
        assert box["height"] > 0
        assert 0 <= box["left"] < box["right"] <= width
    assert len(shown["figures"]) >= 2
    assert all(box["height"] > 100 and box["width"] >= 500 for box in shown["figures"])
    assert all(parts > 50 for parts in shown["parts"])


@pytest.mark.parametrize("dark", [False, True])
def test_plots_are_on_white_by_day_and_by_night(pages: dict[str, str], dark: bool, tmp_path: Path) -> None:
    (body, ink), (figure, _), (_, heading) = browser.ask(pages["comparison"], LAYOUT, tmp_path, dark=dark)[
        "colours"
    ]

    def bright(colour: str) -> bool:
        return sum(map(int, re.findall(r"\d+", colour)[:3])) > 3 * 128

    assert bright(body) is not dark
    assert bright(ink) is dark
    assert bright(heading) is dark
    assert figure == "rgb(255, 255, 255)"


def test_opens_from_a_file(pages: dict[str, str], tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_text(pages["comparison"], encoding="utf-8")
    dom = Reader(browser.dump(path))
    assert dom.tables == Reader(pages["comparison"]).tables
