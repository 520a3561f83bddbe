"""Results in each format: every value comes back from JSON and CSV, and tables fit the terminal."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import duckdb
import pytest
from support.commands import only_result, run, sql, tables
from support.outputs import not_json

from rankdcg_sql._output import Result, render


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("NULL", None),
        ("true", True),
        ("42", 42),
        ("170141183460469231731687303715884105727::HUGEINT", 2**127 - 1),
        ("0.1::DOUBLE + 0.2::DOUBLE", 0.1 + 0.2),
        ("1e300", 1e300),
        ("5e-324::DOUBLE", 5e-324),
        ("-0.0::DOUBLE", -0.0),
        ("1.25::DECIMAL(9, 2)", 1.25),
        ("'NaN'::DOUBLE", "NaN"),
        ("'inf'::FLOAT", "Infinity"),
        ("'-inf'::DOUBLE", "-Infinity"),
        ("['NaN'::DOUBLE, 1, NULL]", ["NaN", 1, None]),
        ("'NaN, \"Infinity\" and \\'", 'NaN, "Infinity" and \\'),
        ("{'NaN': '-inf'::DOUBLE, 'b': 'NaN', 'c': [{'d': 'nan'::FLOAT}]}",
         {"NaN": "-Infinity", "b": "NaN", "c": [{"d": "NaN"}]}),
        ("''", ""),
        ("'Ünï ✓ 日本 👍'", "Ünï ✓ 日本 👍"),
        ("e'a\\tb\\r\\nc'", "a\tb\r\nc"),
        ("DATE '2024-02-29'", "2024-02-29"),
        ("'infinity'::DATE", "infinity"),
        ("TIMESTAMP '2024-02-29 12:34:56.789'", "2024-02-29 12:34:56.789"),
        ("'2024-02-29 00:00:00.123456789'::TIMESTAMP_NS", "2024-02-29 00:00:00.123456789"),
        ("INTERVAL '1 month 2 days'", "1 month 2 days"),
        ("'\\x00a'::BLOB", "\\x00a"),
        ("UUID '00000000-0000-0000-0000-00000000002a'", "00000000-0000-0000-0000-00000000002a"),
        ("'b'::ENUM('a', 'b')", "b"),
        ("[1, 2]::INTEGER[2]", [1, 2]),
        ("MAP {'fig': 3, 'plum': 1}", {"fig": 3, "plum": 1}),
        ("MAP {7: [1.5::DOUBLE]}", {"7": [1.5]}),
        ('\'{"a": [1, null]}\'::JSON', {"a": [1, None]}),
        ("TIMESTAMPTZ '2024-02-29 12:00:00+00' = TIMESTAMPTZ '2024-02-29 13:00:00+01'", True),
    ],
)  # fmt: skip
def test_json_holds_every_value(expression: str, expected: Any) -> None:
    assert only_result("-c", f"SELECT {expression} AS v") == [{"v": expected}]


def test_json_keeps_columns_of_one_name_apart_and_calls_no_macro_of_users() -> None:
    macro = "CREATE MACRO to_json(x) AS 42"
    (row,) = only_result("-c", f'{macro}; SELECT 1 AS a, 2 AS a, 3 AS a_1, 4 AS "q""q", 5 AS "é", 6 AS a')
    assert row == {"a": 1, "a_1": 2, "a_1_1": 3, 'q"q': 4, "é": 5, "a_2": 6}


def test_json_keeps_digits_beside_nan_and_infinity() -> None:
    query = """SELECT {'x': 'NaN'::DOUBLE, 'd': 0.12345678901234567890123456789::DECIMAL(38, 29),
        't': 'Infinity "é"', 'l': [1e300, '-inf'::DOUBLE],
        'h': 170141183460469231731687303715884105727, 'n': NULL} AS v"""
    (row,) = json.loads(sql("json", "-c", query), parse_float=str, parse_constant=not_json)
    assert row["v"] == {
        "x": "NaN", "d": "0.12345678901234567890123456789", "t": 'Infinity "é"', "l": ["1e300", "-Infinity"],
        "h": 2**127 - 1, "n": None,
    }  # fmt: skip


def test_texts_are_texts_in_json() -> None:
    """Texts stay texts if they look like numbers or like words of JSON."""
    cells = ("ndcg", "0.4147", "null", 'a"b', None)
    text = render(Result(list("abcde"), [False] * 5, [cells]), "json")
    assert json.loads(text, parse_constant=not_json) == [dict(zip("abcde", cells, strict=True))]


def test_csv_reads_back() -> None:
    query = """
        SELECT * FROM (VALUES
            (1, 'plain', 0.1::DOUBLE + 0.2::DOUBLE, [1, 2]),
            (2, 'a "quoted", comma', 'nan'::DOUBLE, []),
            (3, e'two\nlines', NULL, NULL),
            (4, '', 1.0, [NULL])
        ) AS t(i, "te,xt", x, l)
    """
    text = sql("csv", "-c", query)
    assert list(csv.reader(io.StringIO(text))) == [
        ["i", "te,xt", "x", "l"],
        ["1", "plain", "0.30000000000000004", "[1, 2]"],
        ["2", 'a "quoted", comma', "nan", "[]"],
        ["3", "two\nlines", "", ""],
        ["4", "", "1.0", "[NULL]"],
    ]
    # NULL is an empty field, '' is a pair of quotes.
    assert text.splitlines()[-2:] == ['lines",,', '4,"",1.0,[NULL]']


def test_csv_has_the_texts_as_they_are() -> None:
    assert sql("csv", "-c", "SELECT 'a' || chr(13) || 'b' AS x, 1 AS y") == 'x,y\n"a\rb",1\n'
    cells = ["=1+1", "+1", "-1", "@SUM(A1)"]  # spreadsheets read them as formulas
    text = sql("csv", "-c", f"SELECT unnest({cells!r}) AS x")
    assert [row for (row,) in csv.reader(io.StringIO(text))] == ["x", *cells]


def test_order_of_rows_is_kept() -> None:
    found = only_result("-c", "SELECT range AS i FROM range(300000) ORDER BY hash(range) DESC")
    hashes = "SELECT list(range ORDER BY hash(range) DESC) FROM range(300000)"
    ((expected,),) = duckdb.connect().execute(hashes).fetchall()
    assert [row["i"] for row in found] == expected


def test_markdown() -> None:
    query = "SELECT 'a|b' AS \"x|y\", e'two\nlines\r\nor\rfour' AS t, 0.5::DOUBLE AS v, NULL AS n"
    head, rules, row = sql("markdown", "-c", query).splitlines()
    assert head == "| x\\|y | t | v | n |"
    assert rules.split()[:6] == ["|", "---", "|", "---", "|", "---:"]
    assert row == "| a\\|b | two<br>lines<br>or<br>four | 0.5 | NULL |"


def test_markdown_holds_no_html() -> None:
    query = 'SELECT \'<img src=x onerror=alert(1)> & "b"\' AS "<b>"'
    assert sql("markdown", "-c", query).splitlines() == [
        "| &lt;b&gt; |",
        "| --- |",
        '| &lt;img src=x onerror=alert(1)&gt; &amp; "b" |',
    ]


def test_html() -> None:
    query = "SELECT '<b> & \"c\"' AS \"x<y\", e'two\nlines' AS t, -0.5::DOUBLE AS v, NULL::VARCHAR AS n"
    assert sql("html", "-c", query).splitlines() == [
        "<table>",
        "<thead>",
        '<tr><th scope="col">x&lt;y</th><th scope="col">t</th>'
        '<th scope="col" class="number">v</th><th scope="col">n</th></tr>',
        "</thead>",
        "<tbody>",
        "<tr><td>&lt;b&gt; &amp; &quot;c&quot;</td><td>two<br>lines</td>"
        '<td class="number">-0.5</td><td>NULL</td></tr>',
        "</tbody>",
        "</table>",
    ]


def test_latex() -> None:
    query = "SELECT '-[50 %] --a_b' AS \"x&y\", e'two\nlines' AS t, -0.5::DOUBLE AS v, NULL::VARCHAR AS n"
    assert sql("latex", "-c", query).splitlines() == [
        r"\begin{tabular}{llrl}",
        r"\toprule",
        r"x\&y & t & v & n \\",
        r"\midrule",
        r"{-}{[}50 \%] {-}{-}a\_b & two lines & $-$0.5 & NULL \\",
        r"\bottomrule",
        r"\end{tabular}",
    ]


@pytest.mark.parametrize("kind", ["html", "latex", "json"])
def test_no_rows_are_a_table_without_rows(kind: str) -> None:
    text = sql(kind, "-c", "SELECT 1 AS a WHERE false")
    assert "1" not in text
    assert json.loads(text) == [] if kind == "json" else "a" in text


def test_table() -> None:
    query = "FROM (VALUES ('[bold]x[/bold] :fig:', 0.1::DOUBLE + 0.2::DOUBLE), (NULL, 1e-7)) AS t(name, x)"
    text = run("sql", "-c", query).output
    rows = [["[bold]x[/bold] :fig:", "0.30000000000000004"], ["NULL", "1e-07"]]
    assert list(tables(text)) == [[["name", "x"], *rows]]
    assert "│               1e-07 │" in text  # numbers are aligned to the right
    assert "│ NULL                 │" in text


def test_numbers_of_all_types_are_aligned_to_the_right() -> None:
    whole = ["TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT"]
    numbers = [*whole, *(f"U{name}" for name in whole), "FLOAT", "DOUBLE", "DECIMAL(9, 2)"]
    others = ["VARCHAR", "BOOLEAN", "INTEGER[]", "DATE", "INTERVAL"]
    columns = ", ".join(f"NULL::{kind}" for kind in (*numbers, *others))
    _, rules, _ = sql("markdown", "-c", f"SELECT {columns}").splitlines()
    assert rules.strip("| ").split(" | ") == ["---:"] * len(numbers) + ["---"] * len(others)


def test_rows_of_several_lines_have_a_rule_between_them() -> None:
    for text, rules in (("two\nlines", 2), ("one line", 1)):
        shown = run("sql", "-c", f"SELECT unnest([e'{text}', 'other', NULL][:2]) AS t").output
        assert sum(line.startswith("├") for line in shown.splitlines()) == rules


def test_table_is_as_wide_as_its_values() -> None:
    text = run("sql", "-c", "SELECT range(500) AS long").output
    assert list(tables(text)) == [[["long"], [str(list(range(500)))]]]


@pytest.mark.parametrize(
    ("width", "columns"),
    [(16, [["aa", "bb", "cc"]]), (15, [["aa", "bb"], ["aa", "cc"]]), (11, [["aa", "bb"], ["aa", "cc"]])],
)
def test_a_table_is_divided_if_it_is_wider_than_the_terminal(width: int, columns: list[list[str]]) -> None:
    """A column of two characters has five with its border and spaces; there is one more border."""
    result = Result(["aa", "bb", "cc"], [False, True, True], [("xx", "10", "11")], heads=1)
    text = render(result, "table", width)
    assert [table[0] for table in tables(text)] == columns
    assert max(map(len, text.splitlines())) <= width


@pytest.mark.parametrize(
    ("widths", "length"),
    [([47], 43), ([46, 36], 32), ([35, 28], 24), ([27, 20], 16), ([19, 16], 12), ([15, 9], 8)],
)
def test_a_name_is_cut_as_little_as_the_terminal_needs(widths: list[int], length: int) -> None:
    """A name of 43 characters with its borders and spaces, which are four. Both of its ends are kept."""
    name = f"begin{'x' * 33}tail!"
    for width in widths:
        text = render(Result(["a"], [False], [(name,)], heads=1), "table", width)
        ((_, (shown,)),) = tables(text)
        assert (len(shown), shown[:3], shown[-3:]) == (length, "beg", "il!")
        assert ("…" in shown) == (length < len(name))
        assert {*map(len, text.splitlines())} == {length + 4}
