"""The table of systems and measures, in each of its formats."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from scipy import stats
from support import latex
from support.commands import tables
from support.reference import corrected_p_values
from support.systems import system
from support.two_tables import select

from rankdcg_sql import Comparison, compare, evaluate
from rankdcg_sql.evaluation._results import systems_table as _systems_table
from rankdcg_sql.evaluation._results.systems_table import better_than, letters_of, systems_table

USERS = 60
RELEVANT = {"userid": [user for user in range(USERS) for _ in range(4)], "itemid": [*range(4)] * USERS}
PLANS = {"userid": [*range(USERS)], "plan": ["free" if user % 3 else "paid" for user in range(USERS)]}


SYSTEMS = {
    "plain": system(1, 0.5, users=USERS),
    "good": system(2, 2.5, users=USERS),
    "bad": system(3, -1, users=USERS),
    "same": system(4, 0.5, users=USERS),
}


@cache
def compared(*names: str, baseline: str = "plain", **options: Any) -> Comparison:
    return compare(RELEVANT, {name: SYSTEMS[name] for name in names or SYSTEMS}, baseline, **options)


def rows_of(text: str) -> list[list[str]]:
    """The cells of the rows of a table for a terminal, or of several, with the head of each."""
    return [row for table in tables(text) for row in table]


def read(text: str, heads: int = 1) -> dict[tuple[str, ...], str]:
    """The cells of one or several tables, keyed by the texts of the first columns and the name of theirs."""
    found: dict[tuple[str, ...], str] = {}
    for names, *rows in tables(text):
        for cells in rows:
            for name, cell in zip(names[heads:], cells[heads:], strict=True):
                found[(*cells[:heads], name)] = cell
    return found


def test_cells_have_means_differences_and_marks() -> None:
    """The numbers and marks are those of SciPy over the values of users."""
    found = compared(metrics=("ndcg", "recall"), k=(2, 5))
    wide = found.wide.df()
    measures = ["ndcg@2", "ndcg@5", "recall@2", "recall@5"]
    values = {
        (name, measure): wide[wide.system == name][measure].to_numpy()
        for name in SYSTEMS
        for measure in measures
    }
    tests = [(name, measure) for name in SYSTEMS if name != "plain" for measure in measures]
    p_values = corrected_p_values(
        [stats.ttest_rel(values[name, at], values["plain", at]).pvalue for name, at in tests]
    )
    expected = {("plain", measure): f"{values['plain', measure].mean():.4f}" for measure in measures}
    for (name, measure), p_value in zip(tests, p_values, strict=True):
        difference = (values[name, measure] - values["plain", measure]).mean()
        mark = (" *" if difference > 0 else " †") if p_value < 0.05 else ""
        expected[name, measure] = f"{values[name, measure].mean():.4f} {difference:+.4f}{mark}"
    assert {cell.partition(" ")[2][-1:] for cell in expected.values()} > {"", "*", "†"}
    text = found.render("table")
    assert read(text) == {(measure, name): cell for (name, measure), cell in expected.items()}
    assert (
        "Means over 60 users, and differences from plain.\n* better than plain, † worse; no mark: not "
        "significant (paired t test, Holm's\ncorrection, 12 tests, alpha 0.05)."
    ) in text


def test_the_baseline_is_first_and_is_named() -> None:
    found = compared("good", "bad", "plain", baseline="plain", metrics="ndcg", k=5)
    assert [cells[0] for cells in rows_of(repr(found))] == ["system", "plain", "good", "bad"]


@pytest.mark.parametrize("width", [40, 60, 80, 100, 120, 200])
@pytest.mark.parametrize("names", [("plain", "good"), ("plain", "good", "bad", "same")], ids=len)
@pytest.mark.parametrize("metrics", [None, ("ndcg",)], ids=["14 measures", "2 measures"])
def test_a_table_of_any_width_has_every_number(width: int, names: tuple[str, ...], metrics: Any) -> None:
    found = compared(*names, metrics=metrics)
    text = found.render("table", width=width)
    # Systems or measures are in rows, which may depend on the width.
    cells, every = (
        {frozenset(key): cell for key, cell in read(each).items()} for each in (text, found.render("table"))
    )
    assert len(every) == len(names) * (14 if metrics is None else 2)
    # At 40 characters, names of measures are cut.
    assert sorted(cells.values()) == sorted(every.values())
    if width >= 60:
        assert cells == every
    assert max(map(len, text.splitlines())) <= max(width, 45)


@pytest.mark.parametrize(
    ("names", "metrics", "head"),
    [
        (("plain", "good"), None, ["measure", "plain", "good"]),
        (("plain", "good", "bad", "same"), ("ndcg",), ["system", "ndcg@5", "ndcg@10"]),
        (("plain", "good"), ("ndcg",), ["system", "ndcg@5", "ndcg@10"]),
    ],
)
def test_fewer_systems_than_measures_are_columns(names: Any, metrics: Any, head: list[str]) -> None:
    found = compared(*names, metrics=metrics)
    assert rows_of(repr(found))[0] == head
    columns = found.to_markdown().splitlines()[0].strip("| ").split(" | ")
    assert columns == head
    assert [
        re.sub(r"\\multicolumn\{2\}\{c\}|[{}]", "", cell) for cell in latex.tables(found.to_latex())[0][0]
    ] == [name.replace("ndcg", "NDCG") for name in head]


def test_latex_names_metrics_as_papers_do() -> None:
    """In a row, in a column, and where each row has its metric; names of users stay as they are."""
    metrics = ("average_precision", "mrr", "ndcg@10", "recall")
    found = compared(metrics=metrics, k=None)
    head = latex.tables(found.to_latex())[0][0]
    for cell, name in zip(head, ["system", "MAP", "MRR", "NDCG@10", "Recall"], strict=True):
        assert name in cell
    in_rows = latex.tables(compared("plain", "good").to_latex())[0][1:]
    assert {"Precision@5", "NDCG@10", "MRR@5"} <= {row[0] for row in in_rows}
    rows = latex.tables(found.to_latex(details=True))[0][1:]
    assert [row[1] for row in rows[:4]] == ["MAP", "MRR", "NDCG", "Recall"]
    truth = {"userid": [1, 2], "itemid": ["a", "b"], "plan": ["ndcg", "recall"]}
    rec = {"userid": [1, 2], "itemid": ["a", "a"], "score": [1.0, 1.0]}
    by_plan = evaluate(truth, rec, k=1, metrics="hit_rate", by="plan")
    rows = latex.tables(by_plan.to_latex())[0][1:]
    assert [row[:2] for row in rows] == [["ndcg", "HR"], ["recall", "HR"], ["all users", "HR"]]
    assert "hit_rate" in by_plan.to_markdown()


def test_a_divided_table_repeats_the_baseline() -> None:
    text = compared().render("table", width=80)
    heads = [cells for cells in rows_of(text) if cells[0] == "measure"]
    assert len(heads) > 1
    assert all(head[:2] == ["measure", "plain"] for head in heads)


def test_segments_are_blocks_with_their_users() -> None:
    recs = {name: SYSTEMS[name] for name in ("plain", "good", "bad")}
    found = compare(RELEVANT, recs, metrics="ndcg", k=5, by="plan", segments=PLANS)
    rows = rows_of(repr(found))
    assert rows[0] == ["plan", "system", "users", "ndcg@5"]
    assert [row[:3] for row in rows[1:]] == [
        [plan, name, users]
        for plan, users in [("free", "40"), ("paid", "20"), ("all users", "60")]
        for name in ("plain", "good", "bad")
    ]
    told = "if(p_corrected >= 0.05, '', if(difference > 0, ' *', ' †'))"
    columns = f"coalesce(plan, 'all users'), system, printf('%+.4f', difference) || {told}"
    differences = [(row[0], row[1], row[3].split(" ", 1)[1]) for row in rows[1:] if row[1] != "plain"]
    assert sorted(differences) == sorted(select(found.differences, columns))
    # Two rules between three segments, and one below the names of columns.
    assert sum(line.startswith("├") for line in repr(found).splitlines()) == 3
    assert found.to_latex().count(r"\midrule") == 3
    assert "Means over the users of each row" in found.to_markdown()
    # Users are numbers, and each segment has a best system of its own.
    assert r"\begin{tabular}{llrr@{}l}" in found.to_latex()
    best = found.summary.aggregate("plan, all_users, arg_max(system, mean) AS best, max(mean) AS most")
    bold = [line.split(" | ") for line in found.to_markdown().splitlines() if "**" in line]
    assert {(plan.strip("| "), name, cell.split("**")[1]) for plan, name, _, cell in bold} == {
        ("all users" if is_all else plan, name, f"{most:.4f}") for plan, is_all, name, most in best.fetchall()
    }
    assert len(bold) == 3


def test_segments_that_differ_in_one_of_their_columns_are_divided():
    plans = {"userid": [1, 2, 3], "plan": ["free", "free", "paid"], "country": ["FR", "IT", "IT"]}
    hits = {user: {"a": 1} for user in (1, 2, 3)}
    systems = {"old": hits, "new": hits}
    found = compare(hits, systems, k=1, metrics="recall", by=["plan", "country"], segments=plans)
    # One rule below the names of columns, and one above each segment but the first, and above all users.
    assert found.to_latex().count(r"\midrule") == 4


def test_a_segment_without_a_name_is_not_that_of_all_users() -> None:
    plans = {"userid": [*range(USERS)], "plan": [None if user % 2 else "all users" for user in range(USERS)]}
    recs = {"a": SYSTEMS["plain"], "b": SYSTEMS["good"]}
    found = compare(RELEVANT, recs, metrics="ndcg", k=5, by="plan", segments=plans)
    assert [row[0] for row in rows_of(repr(found))][1::2] == ["all users", "NULL", "all users"]
    # Each of the three has a best mean of its own.
    assert found.to_markdown().count("| **") == 3


def one_sided(values: Any, edge: float, alternative: str) -> float:
    return float(stats.ttest_1samp(values, edge, alternative=alternative).pvalue)


@pytest.mark.parametrize(
    ("options", "test", "meaning"),
    [
        ({"alternative": "greater"}, lambda of: one_sided(of, 0, "greater"), "* better than plain"),
        ({"alternative": "less"}, lambda of: one_sided(of, 0, "less"), "† worse than plain"),
        ({"alternative": "greater", "margin": 0.2}, lambda of: one_sided(of, -0.2, "greater"),
         "* not worse than plain by 0.2 or more"),
        ({"alternative": "less", "margin": 0.2}, lambda of: one_sided(of, 0.2, "less"),
         "* not better than plain by 0.2 or more"),
        ({"alternative": "equivalence", "margin": 0.2},
         lambda of: max(one_sided(of, -0.2, "greater"), one_sided(of, 0.2, "less")),
         "* equivalent to plain, within 0.2"),
    ],
)  # fmt: skip
def test_marks_say_what_was_tested(options: dict[str, Any], test: Any, meaning: str) -> None:
    found = compared(metrics="ndcg", k=5, **options)
    wide = found.wide.df()
    values = {name: wide[wide.system == name]["ndcg@5"].to_numpy() for name in SYSTEMS}
    others = [name for name in SYSTEMS if name != "plain"]
    p_values = corrected_p_values([test(values[name] - values["plain"]) for name in others])
    marked = {name for name, p_value in zip(others, p_values, strict=True) if p_value < 0.05}
    assert 0 < len(marked) < len(others)
    text = found.render("table", width=120)
    assert {name for (name, _), cell in read(text).items() if cell.endswith(f" {meaning[0]}")} == marked
    assert not any(cell[-1] in {"*": "†", "†": "*"}[meaning[0]] for cell in read(text).values())
    assert f"\n{meaning}; no mark: not significant (" in text


def test_letters_of_a_margin_are_about_equivalence() -> None:
    found = compare(RELEVANT, SYSTEMS, "all", metrics="ndcg", k=5, alternative="equivalence", margin=0.2)
    words = "Letters name the systems that a system is significantly equivalent to, within 0.2 ("
    assert words in found.render("table", width=200)


def test_alpha_belongs_to_the_confidence() -> None:
    """A p-value between two levels has a mark at one of them only."""
    ((p,),) = select(compared("plain", "good", metrics="ndcg", k=5).differences, "p_corrected")
    for confidence, is_marked in ((1 - p * 1.1, True), (1 - p * 0.9, False)):
        found = compared("plain", "good", metrics="ndcg", k=5, confidence=confidence)
        text = found.render("table", width=120)
        assert read(text)["good", "ndcg@5"].endswith("*") == is_marked
        assert f"alpha {1 - confidence:.6g})" in text


def test_marks_are_those_of_corrected_p_values() -> None:
    found = select(compared(metrics="ndcg", k=5).differences, "system, p_value, p_corrected")
    system, least, most = max(found, key=lambda row: row[2] - row[1])
    assert most > least * 1.5
    for correction, is_marked in (("bonferroni", False), ("none", True)):
        between = compared(metrics="ndcg", k=5, correction=correction, confidence=1 - least * 1.2)
        cell = read(between.render("table"))[system, "ndcg@5"]
        assert cell.endswith(("*", "†")) == is_marked


@pytest.mark.parametrize("number", [0, 1])
def test_too_few_users_have_no_mark(number: int) -> None:
    """Without users with a value there is no mean, and with one user no test."""
    truth = {"userid": [1, 2], "itemid": ["a", "b"], "rel": [number, 0]}
    recs = {name: {"userid": [1], "itemid": [item], "score": [1]} for name, item in (("x", "a"), ("y", "c"))}
    found = compare(truth, recs, rel="rel", metrics="ndcg", k=1)
    expected = {"x": "1.0000", "y": "0.0000 -1.0000"} if number else {"x": "NULL", "y": "NULL"}
    assert {name: cell for (name, _), cell in read(repr(found)).items()} == expected
    assert f"Means over {number} user{'' if number == 1 else 's'}" in repr(found)
    assert "0 tests" in repr(found)
    for text in (found.to_markdown(), found.to_html(), found.to_latex(), found._repr_html_()):
        assert ("1.0000" in text) == (number == 1)
        assert number == 1 or text.count("NULL") >= 2
    latex.tables(found.to_latex())


def test_users_who_differ_by_system_are_told() -> None:
    first = {name: column[12:] for name, column in SYSTEMS["good"].items()}
    recs = {"a": SYSTEMS["plain"], "b": first}
    found = compare(RELEVANT, recs, metrics="ndcg", k=5, users="both")
    assert [cells[:2] for cells in rows_of(repr(found))] == [["system", "users"], ["a", "60"], ["b", "58"]]
    # With a measure in each row, no row has one number of users.
    found = compare(RELEVANT, recs, users="both")
    assert "Means over 58 to 60 users, and differences from a." in repr(found)
    # The users of tests may be fewer than those of means.
    last = {name: column[:-12] for name, column in SYSTEMS["bad"].items()}
    found = compare(RELEVANT, {"a": first, "b": last}, metrics="ndcg", k=5, users="both")
    assert select(found.differences, "n") == [(56,)]
    assert "Means over 58 users (in tests, over those of both systems), and" in repr(found).replace("\n", " ")


LONG = "a recommender whose name is far too long, number "


def test_long_names_are_cut_in_the_middle() -> None:
    recs = {f"{LONG}{number}": SYSTEMS["plain" if number else "good"] for number in range(3)}
    found = compare(RELEVANT, recs, metrics="ndcg", k=[2, 5])
    text = found.render("table", width=60)
    assert max(map(len, text.split("Means")[0].splitlines())) <= 60
    names = [cells[0] for cells in rows_of(text)][1:4]
    assert all(re.fullmatch(r"a recomm.*….*, number \d", name) for name in names)
    assert len(set(names)) == 3
    uncut = read(found.render("table"))
    assert sorted(uncut.values()) == sorted(read(text).values())
    assert {name for name, _ in uncut} == set(recs)


def test_a_narrow_evaluation_cuts_segments_and_no_number() -> None:
    segments = {"userid": [*range(USERS)], "taste": [LONG + str(user % 2) for user in range(USERS)]}
    found = evaluate(RELEVANT, SYSTEMS["good"], metrics="ndcg", k=5, by="taste", segments=segments)
    text = found.render("table", width=80)
    assert max(map(len, text.splitlines())) <= 80
    wide = rows_of(found.render("table"))
    assert [row[1:] for row in rows_of(text)] == [row[1:] for row in wide]
    assert {row[0] for row in wide} >= {LONG + "0", LONG + "1", "all users"}
    assert {row[0][-1] for row in rows_of(text)} == {"0", "1", "s", "e"}


# Details


def test_details_are_the_rows_of_differences() -> None:
    found = compared("plain", "good", "bad", metrics="ndcg", k=5)
    columns = "system, metric, k, n, mean, baseline, difference, low, high, effect_size, wins, ties, losses"
    head, *rows = rows_of(found.render("table", details=True))
    named = [dict(zip(head, row, strict=True)) for row in rows]
    for row, (*texts, wins, ties, losses) in zip(named, select(found.differences, columns), strict=True):
        names = ["system", "metric", "k", "n", "mean", "baseline", "difference", "low", "high", "d_z"]
        assert [row[name] for name in names] == [
            f"{of:.4f}" if isinstance(of, float) else str(of) for of in texts
        ]
        assert [row[name] for name in ("wins", "ties", "losses")] == list(map(str, (wins, ties, losses)))
    for text in (found.to_html(details=True), found.to_markdown(details=True), found.to_latex(details=True)):
        # LaTeX has NDCG in place of ndcg.
        lower = text.lower()
        assert all(cell.strip("-").lower() in lower for row in rows for cell in row if cell[0] != "<")


@pytest.mark.parametrize("width", [70, 80, 100, 120])
def test_details_of_any_width_have_every_number(width: int) -> None:
    found = compared(metrics="average_precision")
    text = found.render("table", details=True, width=width)
    assert max(map(len, text.splitlines())) <= width
    assert read(text, heads=3) == read(found.render("table", details=True), heads=3)


def test_notebooks_have_the_table_and_fold_the_details() -> None:
    found = compared("plain", "good", metrics="ndcg", k=5)
    page = found._repr_html_()
    before, _, details = page.partition("<details>")
    assert "d_z" in details
    assert "d_z" not in before
    ((mean, difference),) = select(found.differences, "mean, difference")
    assert f"<strong>{mean:.4f}</strong> {difference:+.4f} *" in before


# Papers


def test_markdown_has_bold_means_and_superscripts() -> None:
    found = compared("plain", "good", "bad", metrics="ndcg", k=5)
    means = found["ndcg@5"]
    lines = found.to_markdown().splitlines()
    assert lines[2:5] == [
        f"| plain | {means['plain']:.4f} |",
        f"| good | **{means['good']:.4f}**<sup>\\*</sup> |",
        f"| bad | {means['bad']:.4f}<sup>†</sup> |",
    ]
    assert lines[-1] == (
        "Means over 60 users. Bold: the best mean of each measure. <sup>\\*</sup> better than plain, "
        "<sup>†</sup> worse; no mark: not significant (paired t test, Holm's correction, 2 tests, "
        "alpha 0.05)."
    )


def test_html_has_bold_means_differences_and_marks() -> None:
    found = compared("plain", "good", "bad", metrics="ndcg", k=5)
    means = found["ndcg@5"]
    cells = {
        "plain": f"{means['plain']:.4f}",
        "good": f"<strong>{means['good']:.4f}</strong> {means['good'] - means['plain']:+.4f} *",
        "bad": f"{means['bad']:.4f} {means['bad'] - means['plain']:+.4f} †",
    }
    text = found.to_html()
    for name, cell in cells.items():
        assert f'<tr><th scope="row">{name}</th><td class="number">{cell}</td></tr>\n' in text
    assert text.endswith(
        "<p>Means over 60 users, and differences from plain. Bold: the best mean of each measure. * better "
        "than plain, † worse; no mark: not significant (paired t test, Holm&#x27;s correction, 2 tests, "
        "alpha 0.05).</p>"
    )


def test_equal_best_means_are_all_bold() -> None:
    recs = {"a": SYSTEMS["good"], "b": SYSTEMS["good"], "c": SYSTEMS["bad"]}
    found = compare(RELEVANT, recs, metrics="ndcg", k=5)
    bold = [line for line in found.to_markdown().splitlines() if "**" in line]
    assert [line.split(" ")[1] for line in bold] == ["a", "b"]


def test_latex_is_a_float_with_caption_label_and_note() -> None:
    found = compared("plain", "good", "bad", metrics="ndcg", k=5)
    means = found["ndcg@5"]
    text = found.to_latex("Systems on \\emph{songs}", "tab:songs", digits=2)
    assert "\\caption{Systems on \\emph{songs}}\n\\label{tab:songs}\n" in text
    (rows,) = latex.tables(found.to_latex(digits=2))
    assert rows[1:] == [
        ["plain", f"{means['plain']:.2f}", ""],
        ["good", rf"\textbf{{{means['good']:.2f}}}", "$^{*}$"],
        ["bad", f"{means['bad']:.2f}", r"$^{\dagger}$"],
    ]
    assert r"\caption{Means of each system over users.}" in found.to_latex()
    assert r"\label" not in found.to_latex()
    assert "\\caption{Rows}\n\\label{tab:rows}\n" in found.to_latex("Rows", "tab:rows", details=True)
    assert (
        r"Means over 60 users. Bold: the best mean of each measure. $^{*}$ better than plain, $^{\dagger}$ "
        "worse; no mark: not significant (paired t test, Holm's correction, 2 tests, alpha 0.05)."
    ) in " ".join(text.split())


@pytest.mark.parametrize("digits", [-1, 18, 2.5, True, "4"])
def test_digits_must_be_a_small_whole_number(digits: Any) -> None:
    with pytest.raises(ValueError, match=re.escape(f"to_latex: digits must be 0 to 17, got {digits!r}")):
        compared("plain", "good", metrics="ndcg", k=5).to_latex(digits=digits)


def test_means_may_have_no_digits_or_seventeen() -> None:
    found = compared("plain", "good", metrics="ndcg", k=5)
    mean = found["ndcg@5"]["plain"]
    for digits in (0, 17):
        (rows,) = latex.tables(found.to_latex(digits=digits))
        assert rows[1][:2] == ["plain", f"{mean:.{digits}f}"]


#: Names with every character that means something to LaTeX.
WEIRD = [
    r"_ % & # $ { } ~ ^ \ < > | `' " + '"',
    "two\nlines\tand a tab",
    "[brackets]",
    "*star*",
    "--- dashes --",
    r"\textbf{x} \\ \end{tabular}",
    "naïve “Größe” ½",
    "\x01control\x7f",
    "",
]


def test_latex_of_any_name_compiles(tmp_path: Path) -> None:
    """A strict reader checks the text, and a TeX compiles it if there is one."""
    recs = {name: SYSTEMS["good" if place % 2 else "plain"] for place, name in enumerate(WEIRD)}
    segments = {"userid": [*range(USERS)], "a_b&c": [WEIRD[user % len(WEIRD)] for user in range(USERS)]}
    many = compare(RELEVANT, recs, metrics=["ndcg", "hit_rate"], k=5)
    few = compare(RELEVANT, dict(list(recs.items())[:2]), by="a_b&c", segments=segments)
    one = evaluate(RELEVANT, SYSTEMS["good"], k=5, by="a_b&c", segments=segments)
    texts = [
        many.to_latex(label="tab:many"), few.to_latex("Few \\& small"), many.to_latex(details=True),
        one.to_latex(), one.to_latex("An evaluation", "tab:one"), one.to_latex(label="tab:two"),
    ]  # fmt: skip
    widths = [latex.tables(text)[0] for text in texts]
    assert [len(rows) for rows in widths] == [10, 1 + 14 * 10, 1 + 8 * 2, 1 + 7 * 10, 1 + 7 * 10, 1 + 7 * 10]
    latex.compile_document(tmp_path, *texts)


# All pairs


def test_systems_that_are_outperformed() -> None:
    pairs = [("b", "a", "better"), ("c", "a", None), ("c", "b", "worse"), ("a", "b", "worse")]
    assert better_than(pairs, ["a", "b", "c"]) == {"b": ["a", "c"]}
    assert better_than([("b", "a", "equivalent")], ["a", "b"]) == {"a": ["b"], "b": ["a"]}
    assert better_than([("b", "a", "not inferior")], ["a", "b"]) == {"b": ["a"]}


def test_letters_go_on_after_z() -> None:
    letters = list(letters_of(list(map(str, range(30)))).values())
    assert (letters[0], letters[25:28], len(set(letters))) == ("a", ["z", "aa", "ab"], 30)


def test_letters_of_two_characters_are_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """The third of these systems is aa, as the 27th is with the whole alphabet."""
    monkeypatch.setattr(_systems_table, "_LETTERS", "ab")
    cells = read(systems_table(compared(baseline="all", metrics="ndcg", k=5)).text(80))
    marks = {name: cell.partition(" ")[2].strip() for (name, _), cell in cells.items()}
    assert marks == {"(a) plain": "aa", "(b) good": "a,aa,ab", "(aa) bad": "", "(ab) same": "aa"}


def test_letters_name_the_systems_that_are_outperformed() -> None:
    names = list(SYSTEMS)
    table = systems_table(compared(baseline="all", metrics="ndcg", k=5))
    means = compared(metrics="ndcg", k=5)["ndcg@5"]
    assert means["good"] is not None
    marks = {"plain": "c", "good": "acd", "bad": "", "same": "c"}
    cells = {name: cell for (name, _), cell in read(table.text(80)).items()}
    assert cells == {
        f"({letter}) {name}": f"{means[name]:.4f} {marks[name]}".strip()
        for letter, name in zip("abcd", names, strict=True)
    }
    assert f"| (b) good | **{means['good']:.4f}**<sup>acd</sup> |" in table.markdown()
    (rows,) = latex.tables(table.latex())
    assert rows[2] == ["(b) good", rf"\textbf{{{means['good']:.4f}}}", "$^{acd}$"]
    for text in (table.text(120), table.markdown(), table.html(), table.latex()):
        words = "Letters name the systems that a system is significantly better than (paired"
        assert words in " ".join(text.split())
