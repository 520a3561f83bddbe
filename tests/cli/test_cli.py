"""The command line: every command, every output, wrong input, the queries of the package, and real data."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
from html import escape
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Any

import click.testing
import duckdb
import pytest
from support import reference
from support.hivemall_page import BINARY, GRADED
from support.outputs import not_json, trec_values

import rankdcg_sql
from rankdcg_sql import _static
from rankdcg_sql._output import Result, render
from rankdcg_sql._table_macros import table_macros
from rankdcg_sql.cli import _demo, main

if TYPE_CHECKING:
    from collections.abc import Iterator

QUERIES = _demo.queries()
PAPER = [1, 0.975, 0.65, 0.325, 0.325, 0]  # the rankDCG column of the paper's Table 1


@pytest.fixture(autouse=True)
def _plain_output(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("FORCE_COLOR", "TTY_COMPATIBLE", "COLUMNS", "PYTHONIOENCODING"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to work in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*args: str | Path, text: str | bytes | None = None) -> click.testing.Result:
    result = click.testing.CliRunner().invoke(
        main, [str(arg) for arg in args], input=text, prog_name="rankdcg-sql"
    )
    assert result.exception is None or isinstance(result.exception, SystemExit), result.output
    return result


def output(*args: str | Path, text: str | bytes | None = None) -> str:
    """The standard output of a command, which must succeed."""
    result = run(*args, text=text)
    assert result.exit_code == 0, result.output
    return result.output


def error(*args: str | Path, code: int, text: str | bytes | None = None) -> str:
    """The error of a command, which must fail."""
    result = run(*args, text=text)
    assert result.exit_code == code, result.output
    return result.output


def objects(*args: str | Path) -> list[list[dict[str, Any]]]:
    """The results of `sql --output json`, a list for each statement."""
    text = output("sql", "--output", "json", *args)
    return [json.loads(part, parse_constant=not_json) for part in text.split("\n\n") if part.strip()]


def rows(*args: str | Path) -> list[dict[str, Any]]:
    """The rows of the only result of `sql --output json`."""
    (result,) = objects(*args)
    return result


def tables(text: str) -> Iterator[list[list[str]]]:
    """The cells of every table in a text, the header first."""
    cells: list[list[str]] = []
    for line in text.splitlines():
        if line.startswith("│"):
            cells.append([cell.strip() for cell in line.strip("│").split("│")])
        elif line.startswith("╰"):
            yield cells
            cells = []


# Results


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
    assert rows("-c", f"SELECT {expression} AS v") == [{"v": expected}]


def test_json_keeps_columns_of_one_name_apart() -> None:
    (row,) = rows("-c", 'SELECT 1 AS a, 2 AS a, 3 AS a_1, 4 AS "q""q", 5 AS "é"')
    assert row == {"a": 1, "a_1": 2, "a_1_1": 3, 'q"q': 4, "é": 5}


def test_json_of_no_rows_is_an_empty_list() -> None:
    assert rows("-c", "SELECT 1 WHERE false") == []


def test_csv_reads_back() -> None:
    query = """
        SELECT * FROM (VALUES
            (1, 'plain', 0.1::DOUBLE + 0.2::DOUBLE, [1, 2]),
            (2, 'a "quoted", comma', 'nan'::DOUBLE, []),
            (3, e'two\nlines', NULL, NULL),
            (4, '', 1.0, [NULL])
        ) AS t(i, "te,xt", x, l)
    """
    text = output("sql", "--output", "csv", "-c", query)
    assert list(csv.reader(io.StringIO(text))) == [
        ["i", "te,xt", "x", "l"],
        ["1", "plain", "0.30000000000000004", "[1, 2]"],
        ["2", 'a "quoted", comma', "nan", "[]"],
        ["3", "two\nlines", "", ""],
        ["4", "", "1.0", "[NULL]"],
    ]
    assert text.splitlines()[-2:] == [
        'lines",,',
        '4,"",1.0,[NULL]',
    ]  # NULL is an empty field, '' is a pair of quotes


def test_csv_quotes_a_bare_carriage_return() -> None:
    text = output("sql", "--output", "csv", "-c", "SELECT 'a' || chr(13) || 'b' AS x, 1 AS y")
    assert text == 'x,y\n"a\rb",1\n'


def test_csv_keeps_texts_that_spreadsheets_read_as_formulas() -> None:
    cells = ["=1+1", "+1", "-1", "@SUM(A1)"]
    text = output("sql", "--output", "csv", "-c", f"SELECT unnest({cells!r}) AS x")
    assert [row for (row,) in csv.reader(io.StringIO(text))] == ["x", *cells]


def test_csv_reads_back_in_duckdb(here: Path) -> None:
    query = "SELECT range AS i, 'é, ' || range AS t, range / 7 AS x FROM range(5000)"
    (here / "out.csv").write_text(output("sql", "--output", "csv", "-c", query), encoding="utf-8")
    (count,) = rows("-c", f"SELECT count(*) AS n FROM (FROM 'out.csv' INTERSECT ({query}))")
    assert count == {"n": 5000}


def test_markdown() -> None:
    query = "SELECT 'a|b' AS \"x|y\", e'two\nlines\r\nor\rfour' AS t, 0.5::DOUBLE AS v, NULL AS n"
    assert output("sql", "--output", "markdown", "-c", query).splitlines()[:1] == ["| x\\|y | t | v | n |"]
    _, rules, row = output("sql", "--output", "markdown", "-c", query).splitlines()
    assert rules.split()[:6] == ["|", "---", "|", "---", "|", "---:"]
    assert row == "| a\\|b | two<br>lines<br>or<br>four | 0.5 | NULL |"


def test_markdown_holds_no_html() -> None:
    query = 'SELECT \'<img src=x onerror=alert(1)> & "b"\' AS "<b>"'
    assert output("sql", "--output", "markdown", "-c", query).splitlines() == [
        "| &lt;b&gt; |",
        "| --- |",
        '| &lt;img src=x onerror=alert(1)&gt; &amp; "b" |',
    ]


def test_json_keeps_digits_beside_nan_and_infinity() -> None:
    query = """SELECT {'x': 'NaN'::DOUBLE, 'd': 0.12345678901234567890123456789::DECIMAL(38, 29),
        't': 'Infinity "é"', 'l': [1e300, '-inf'::DOUBLE],
        'h': 170141183460469231731687303715884105727, 'n': NULL} AS v"""
    text = output("sql", "--output", "json", "-c", query)
    assert json.loads(text, parse_float=str, parse_constant=not_json) == [
        {
            "v": {
                "x": "NaN",
                "d": "0.12345678901234567890123456789",
                "t": 'Infinity "é"',
                "l": ["1e300", "-Infinity"],
                "h": 2**127 - 1,
                "n": None,
            }
        }
    ]


def test_texts_are_texts_in_json() -> None:
    """Texts stay texts if they look like numbers or like words of JSON."""
    cells = ("ndcg", "0.4147", "null", 'a"b', None)
    text = render(Result(list("abcde"), [False] * 5, [cells]), "json")
    assert json.loads(text, parse_constant=not_json) == [dict(zip("abcde", cells, strict=True))]


def test_macros_do_not_change_how_results_are_written() -> None:
    assert objects("-c", "CREATE MACRO to_json(x) AS 42; SELECT 'a' AS x") == [[{"x": "a"}]]


def test_html() -> None:
    query = "SELECT '<b> & \"c\"' AS \"x<y\", e'two\nlines' AS t, -0.5::DOUBLE AS v, NULL::VARCHAR AS n"
    assert output("sql", "--output", "html", "-c", query).splitlines() == [
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
    assert output("sql", "--output", "latex", "-c", query).splitlines() == [
        r"\begin{tabular}{llrl}",
        r"\toprule",
        r"x\&y & t & v & n \\",
        r"\midrule",
        r"{-}{[}50 \%] {-}{-}a\_b & two lines & $-$0.5 & NULL \\",
        r"\bottomrule",
        r"\end{tabular}",
    ]


@pytest.mark.parametrize("kind", ["html", "latex"])
def test_no_rows_are_a_table_without_rows(kind: str) -> None:
    text = output("sql", "--output", kind, "-c", "SELECT 1 AS a WHERE false")
    assert "a" in text
    assert "1" not in text


def test_table() -> None:
    text = output(
        "sql",
        "-c",
        "FROM (VALUES ('[bold]x[/bold] :fig:', 0.1::DOUBLE + 0.2::DOUBLE), (NULL, 1e-7)) AS t(name, x)",
    )
    assert list(tables(text)) == [
        [["name", "x"], ["[bold]x[/bold] :fig:", "0.30000000000000004"], ["NULL", "1e-07"]]
    ]
    assert "│               1e-07 │" in text  # numbers are aligned to the right
    assert "│ NULL                 │" in text


def test_numbers_of_all_types_are_aligned_to_the_right() -> None:
    whole = ["TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT"]
    numbers = [*whole, *(f"U{name}" for name in whole), "FLOAT", "DOUBLE", "DECIMAL(9, 2)"]
    others = ["VARCHAR", "BOOLEAN", "INTEGER[]", "DATE", "INTERVAL"]
    columns = ", ".join(f"NULL::{kind}" for kind in (*numbers, *others))
    _, rules, _ = output("sql", "--output", "markdown", "-c", f"SELECT {columns}").splitlines()
    assert rules.strip("| ").split(" | ") == ["---:"] * len(numbers) + ["---"] * len(others)


def test_rows_of_several_lines_have_a_rule_between_them() -> None:
    for text, rules in (("two\nlines", 2), ("one line", 1)):
        shown = output("sql", "-c", f"SELECT unnest([e'{text}', 'other', NULL][:2]) AS t")
        assert sum(line.startswith("├") for line in shown.splitlines()) == rules


def test_table_is_as_wide_as_its_values() -> None:
    text = output("sql", "-c", "SELECT range(500) AS long")
    assert list(tables(text)) == [[["long"], [str(list(range(500)))]]]


@pytest.mark.parametrize(
    ("width", "columns"),
    [
        (16, [["aa", "bb", "cc"]]),
        (15, [["aa", "bb"], ["aa", "cc"]]),
        (11, [["aa", "bb"], ["aa", "cc"]]),
    ],
)
def test_a_table_is_divided_if_it_is_wider_than_the_terminal(width: int, columns: list[list[str]]) -> None:
    """A column of two characters has five with its border and spaces; there is one more border."""
    result = Result(["aa", "bb", "cc"], [False, True, True], [("xx", "10", "11")], heads=1)
    text = render(result, "table", width)
    assert [table[0] for table in tables(text)] == columns
    assert max(map(len, text.splitlines())) <= width


@pytest.mark.parametrize(
    ("width", "length"),
    [
        (47, 43),
        (46, 32),
        (36, 32),
        (35, 24),
        (28, 24),
        (27, 16),
        (20, 16),
        (19, 12),
        (16, 12),
        (15, 8),
        (9, 8),
    ],
)
def test_a_name_is_cut_as_little_as_the_terminal_needs(width: int, length: int) -> None:
    """A name of 43 characters with its borders and spaces, which are four. Both of its ends are kept."""
    name = f"begin{'x' * 33}tail!"
    text = render(Result(["a"], [False], [(name,)], heads=1), "table", width)
    ((_, (shown,)),) = tables(text)
    assert (len(shown), shown[:3], shown[-3:]) == (length, "beg", "il!")
    assert ("…" in shown) == (length < len(name))
    assert {*map(len, text.splitlines())} == {length + 4}


def test_order_of_rows_is_kept() -> None:
    found = rows("-c", "SELECT range AS i FROM range(300000) ORDER BY hash(range) DESC")
    hashes = "SELECT list(range ORDER BY hash(range) DESC) FROM range(300000)"
    ((expected,),) = duckdb.connect().execute(hashes).fetchall()
    assert [row["i"] for row in found] == expected


# Statements


def test_every_statement_that_returns_rows_is_shown() -> None:
    script = """
        -- A comment; with a semicolon.
        CREATE TABLE t AS SELECT 1 AS a;
        INSERT INTO t VALUES (2); -- after; it
        SET VARIABLE x = 'y';
        SELECT getvariable('x') AS x;
        /* in; between */
        INSERT INTO t VALUES (3) RETURNING a;
        UPDATE t SET a = a + 1;
        BEGIN; DELETE FROM t WHERE a = 2; COMMIT;
        SELECT count(*) AS "Count" FROM t; ;
        PIVOT t ON a USING count(*);
        DESCRIBE t;
        PREPARE p AS SELECT ?::INTEGER AS one; EXECUTE p(1);
        DROP TABLE t;
        SELECT ';é' AS "semi;colon" -- the end; really
    """
    results = objects("-c", script)
    assert [result for result in results if "column_name" not in result[0]] == [
        [{"x": "y"}],
        [{"a": 3}],
        [{"Count": 2}],
        [{"3": 1, "4": 1}],
        [{"one": 1}],
        [{"semi;colon": ";é"}],
    ]
    assert results[4][0]["column_name"] == "a"


def test_statements_without_rows_print_nothing(here: Path) -> None:
    script = "CREATE TABLE t(a INTEGER); INSERT INTO t VALUES (1); COPY t TO 't.parquet'; SET threads = 1"
    for kind in ("table", "csv", "json", "markdown"):
        assert output("sql", "--output", kind, "-c", script) == ""


def test_results_are_apart() -> None:
    assert output("sql", "--output", "csv", "-c", "SELECT 1 AS a; SELECT 2 AS b") == "a\n1\n\nb\n2\n"


def test_results_before_an_error_are_shown() -> None:
    text = error("sql", "--output", "csv", "-c", "SELECT 1 AS a; SELECT error('boom')", code=1)
    assert text.startswith("a\n1\n")
    assert "boom" in text


def test_files_in_order_and_standard_input(here: Path) -> None:
    (here / "first é.sql").write_text("CREATE TABLE t AS SELECT 'ü' AS a;", encoding="utf-8-sig")
    text = output("sql", "--output", "csv", "first é.sql", "-", text="SELECT a || 'ß' AS a FROM t")
    assert text == "a\nüß\n"


def test_database_is_kept(here: Path) -> None:
    output("sql", "--database", "kept.db", "-c", "CREATE TABLE t AS SELECT 5 AS a")
    assert rows("--database", "kept.db", "-c", "SELECT a, mrr([a], [5]) AS mrr FROM t") == [
        {"a": 5, "mrr": 1}
    ]


def test_variables_are_texts() -> None:
    query = "SELECT getvariable('a b') AS a, getvariable('K') AS k, typeof(getvariable('K')) AS type"
    found = rows("--set", 'a b=it\'s = "it"', "--set", "K=007", "-c", query)
    assert found == [{"a": 'it\'s = "it"', "k": "007", "type": "VARCHAR"}]


def test_names_of_python_are_no_tables() -> None:
    for name in ("statements", "scripts", "files", "con"):
        assert f"Table with name {name} does not exist" in error("sql", "-c", f"FROM {name}", code=1)


@pytest.mark.parametrize("suffix", ["csv", "parquet", "json"])
def test_files_are_queried_in_place(here: Path, suffix: str) -> None:
    output(
        "sql",
        "-c",
        f"""
        COPY (FROM (VALUES ('ü', 'fig'), ('ü', 'plum'), ('v', 'kiwi')) AS t(userid, itemid))
            TO 'truth.{suffix}';
        COPY (FROM (VALUES ('ü', 'fig', 0.1), ('ü', 'kiwi', 0.9)) AS r(userid, itemid, score))
            TO 'rec.{suffix}';
        """,
    )
    query = f"""
        SELECT userid, recall_at(rec, truth) AS recall, mrr(rec, truth) AS mrr
        FROM (SELECT userid, list(itemid) AS truth FROM 'truth.{suffix}' GROUP BY userid)
        LEFT JOIN (
            SELECT userid, list(itemid ORDER BY score DESC) AS rec FROM 'rec.{suffix}' GROUP BY userid
        ) USING (userid)
        ORDER BY userid
    """
    assert rows("-c", query) == [
        {"userid": "v", "recall": 0, "mrr": 0},
        {"userid": "ü", "recall": 0.5, "mrr": 0.5},
    ]


# Wrong input


@pytest.mark.parametrize(
    ("args", "code", "message"),
    [
        (["sql"], 2, "Give the SQL in FILEs"),
        (["sql", "-c", "SELECT 1", "there.sql"], 2, "one of the two"),
        (["sql", "missing.sql"], 2, "'missing.sql': No such file"),
        (["sql", "."], 2, "directory"),
        (["sql", "-c", ""], 1, "no SQL statement"),
        (["sql", "-c", " ; -- nothing"], 1, "no SQL statement"),
        (["sql", "empty.sql"], 1, "no SQL statement"),
        (["sql", "latin1.sql"], 1, "latin1.sql is not text in UTF-8"),
        (["sql", "-c", "SELCT 1"], 1, "Parser Error: syntax error at or near \"SELCT\""),
        (["sql", "-c", "SELECT 1 AS a; SELCT 1"], 1, "Parser Error"),
        (["sql", "-c", "SELECT Precision ([1], [1])"], 1, "is a keyword of SQL: write precision_at("),
        (["sql", "-c", "SELECT nope(1)"], 1, "nope does not exist"),
        (["sql", "-c", "FROM 'missing.parquet'"], 1, "missing.parquet"),
        (["sql", "-c", "SELECT ndcg([1], [1], 0)"], 1, "ndcg: k must be at least 1, got 0"),
        (["sql", "-c", "SELECT 'a'::INTEGER"], 1, "Conversion Error"),
        (["sql", "-c", "SELECT '\udcff'"], 1, "surrogates not allowed"),
        (["sql", "--set", "a=\udcff", "-c", "SELECT 1"], 1, "surrogates not allowed"),
        (["sql", "--database", "\udcff", "-c", "SELECT 1"], 1, "surrogates not allowed"),
        (["sql", "--database", "latin1.sql", "-c", "SELECT 1"], 1, "latin1.sql"),
        (["sql", "--set", "run", "-c", "SELECT 1"], 2, "expected NAME=VALUE, got 'run'"),
        (["sql", "--set", "=run", "-c", "SELECT 1"], 2, "expected NAME=VALUE, got '=run'"),
        (["sql", "--output", "xml", "-c", "SELECT 1"], 2, "'xml' is not one of"),
        (["functions", "ndgc"], 2, "there is no function 'ndgc': did you mean ndcg"),
        (["functions", "Rank_Check"], 2, "Rank_Check is a table macro: rankdcg-sql macros prints its SQL"),
        (["functions", "bpref"], 2, "no function 'bpref': rankdcg_sql does not compute binary preference"),
        (["functions", "MAP"], 2, "there is no function 'MAP': did you mean average_precision?"),
        (["functions", "ndcg", "zzzzzz"], 2, "there is no function 'zzzzzz'\n"),
        (["functions", "--output", "csv"], 2, "'csv' is not one of"),
        (["demo", "--users", "0"], 2, "x>=1"),
        (["demo", "--users", "many"], 2, "not a valid integer"),
        (["demo", "--directory", "there.sql"], 2, "is a file"),
        (["demo", "--directory", "there.sql/in"], 1, "cannot be made"),
        (["nope"], 2, "No such command 'nope'"),
    ],
)  # fmt: skip
def test_wrong_input_is_named(here: Path, args: list[str], code: int, message: str) -> None:
    (here / "there.sql").write_text("SELECT 1")
    (here / "empty.sql").write_text("\n-- nothing here\n")
    (here / "latin1.sql").write_bytes(b"SELECT '\xfc'")
    text = error(*args, code=code)
    assert message in text
    assert "Traceback" not in text


def test_no_statement_runs_where_one_does_not_parse() -> None:
    assert "a\n1" not in error("sql", "--output", "csv", "-c", "SELECT 1 AS a; SELCT 1", code=1)


# The command itself, and help


def test_process(command: list[str]) -> None:
    script = "SELECT 'ü' AS a, ndcg([1, 3, 2, 6], [1, 2, 4], 2) AS ndcg"
    done = subprocess.run(
        [*command, "sql", "--output", "csv", "-"], input=script.encode(), capture_output=True, check=True
    )
    name, value = done.stdout.decode("utf-8").splitlines()[1].split(",")
    assert name == "ü"
    assert float(value) == pytest.approx(0.6131471927654585, rel=0, abs=1e-9)
    assert done.stderr == b""


def test_process_reports_errors_on_stderr(command: list[str]) -> None:
    done = subprocess.run([*command, "sql", "-c", "SELECT nope(1)"], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("Error: Catalog Error: Scalar Function with name nope does not exist!")
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("kind", ["table", "csv"])
def test_reader_may_leave(command: list[str], kind: str) -> None:
    query = "SELECT range, repeat('x', 1000) FROM range(2000)"
    with subprocess.Popen(
        [*command, "sql", "--output", kind, "-c", query], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.read(10)
        process.stdout.close()
        assert process.stderr.read() == b""


@pytest.mark.parametrize("name", ["-h", "--help"])
@pytest.mark.parametrize(
    "args", [[], ["evaluate"], ["compare"], ["report"], ["sql"], ["functions"], ["demo"]]
)
def test_help_has_examples(args: list[str], name: str) -> None:
    text = output(*args, name)
    assert "  Examples:\n    rankdcg-sql " in text
    assert "\b" not in text


def test_version() -> None:
    assert rankdcg_sql.__version__ in output("--version").split()


# functions


def test_functions_as_json_are_the_catalogue() -> None:
    listed = json.loads(output("functions", "--output", "json"))
    assert [entry["name"] for entry in listed] == [f.name for f in rankdcg_sql.functions()]
    for entry, function in zip(listed, rankdcg_sql.functions(), strict=True):
        assert entry["aliases"] == list(function.aliases)
        assert [each["name"] for each in entry["parameters"]] == list(function.arguments)
        assert entry["options"] == list(function.options)
        assert (entry["formula"], entry["range"], entry["source"]) == (
            function.formula, function.range, function.source,
        )  # fmt: skip


@pytest.mark.parametrize("kind", ["table", "markdown"])
def test_functions_are_listed_with_their_options(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "1000000")
    text = output("functions", "--output", kind)
    for function in rankdcg_sql.functions():
        assert f"{function.name}({function.signature})" in text
        formula = function.formula
        if kind == "markdown":
            formula = escape(formula, quote=False).replace("|", r"\|")
        assert all(word in text for word in (*function.aliases, formula, function.source))
        assert all(word in text for word in function.fields)
    assert text.count("aggregate") >= sum(function.is_aggregate for function in rankdcg_sql.functions())
    for option in rankdcg_sql.options():
        assert all(word in text for word in (option.name, *option.values, option.other, option.doc))


def test_functions_in_a_pipe_fit_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    for columns in (80, 120):
        monkeypatch.setenv("COLUMNS", str(columns))
        assert max(map(len, output("functions").splitlines())) == columns


def test_functions_by_name() -> None:
    names = ["Precision", "mrr", "PRECISION_AT", "reciprocal_rank"]
    listed = json.loads(output("functions", *names, "--output", "json"))
    assert [entry["name"] for entry in listed] == ["precision_at", "mrr"]
    text = output("functions", "rankdcg")
    assert "ties" in text
    assert "average_precision" not in text
    assert "ap_denominator" not in text


# The queries

TREC_RUN = "q1 Q0 d1 1 0.5 tag\nq1\tQ0\td2  2\t0.9 tag\n\nq1 Q0 d3 3 0.5 tag\r\nq2 Q0 d1 1 7e0 tag\n"
TREC_QRELS = "q1 0 d3 2\nq1 0 d1 1\nq1 0 d2 -1\nq1 0 d9 1\n  q2 0 d2 0\nq3 0 d1 1\n"


def prepared(query: Path, here: Path) -> list[str | Path]:
    """The arguments with which a file of `queries` runs. Its data are written to the working directory."""
    if query.parent.name == "hivemall":
        return ["--hivemall", *([QUERIES / "hivemall" / "tables.sql"] * (query.name != "tables.sql")), query]
    if query == QUERIES / "demo" / "evaluate.sql":
        output("sql", "--set", "users=60", QUERIES / "demo" / "generate.sql")
    if query == QUERIES / "trec_eval.sql":
        (here / "run.txt").write_bytes(TREC_RUN.encode())
        (here / "qrels.txt").write_bytes(TREC_QRELS.encode())
    if query == QUERIES / "movielens.sql":
        (here / "truth.csv").write_text("userid,itemid,rating\n1,10,4.5\n1,11,3.5\n1,12,4\n2,10,5\n3,10,1\n")
        (here / "rec.csv").write_text("userid,itemid,score\n1,11,0.5\n1,12,0.4\n1,10,0.3\n3,10,1\n")
    return [query]


#: The queries of DuckDB.
FOR_DUCKDB = sorted(path for path in QUERIES.rglob("*.sql") if path.parent.name != "spark")


@pytest.mark.parametrize("query", FOR_DUCKDB, ids=lambda path: path.stem)
def test_queries_run_as_they_are(here: Path, query: Path) -> None:
    native = [function.name for function in rankdcg_sql.functions() if function.is_native_only]
    native += [macro.name for macro in table_macros() if macro.needs_aggregates]
    if not _static.installed() and any(f"{name}(" in query.read_text(encoding="utf-8") for name in native):
        pytest.skip("aggregates are native from DuckDB 2.0 on")
    results = objects(*prepared(query, here))
    assert all(results)
    assert len(results) > 0 or query.name == "tables.sql"


def test_queries_of_the_package_are_found_by_name(here: Path) -> None:
    by_path = output("sql", QUERIES / "data_check.sql")
    assert output("sql", "data_check.sql") == by_path
    assert "is never retrieved" in by_path
    means = objects("--hivemall", "hivemall/tables.sql", "hivemall/binary_response.sql")
    assert means == objects(*prepared(QUERIES / "hivemall" / "binary_response.sql", here))


def test_a_file_comes_before_a_query_of_the_package(here: Path) -> None:
    Path("data_check.sql").write_text("SELECT 42 AS mine")
    assert rows("data_check.sql") == [{"mine": 42}]
    assert "'nothing.sql': No such file" in error("sql", "nothing.sql", code=2)


def test_queries_are_there() -> None:
    names = {path.relative_to(QUERIES).as_posix() for path in QUERIES.rglob("*.sql")}
    assert names >= {
        "trec_eval.sql",
        "movielens.sql",
        "demo/evaluate.sql",
    }
    assert names >= {"hivemall/binary_response.sql", "hivemall/graded_response.sql"}


@pytest.mark.parametrize("line_end", ["mixed", "\n", "\r\n"])
def test_trec_eval_by_hand(here: Path, line_end: str) -> None:
    query = prepared(QUERIES / "trec_eval.sql", here)
    if line_end != "mixed":
        for path in here.iterdir():
            path.write_bytes(line_end.join(path.read_text().splitlines()).encode())
    found = {(row["query"], row["measure"]): row["value"] for row in rows(*query)}
    # q1 ranks d2 (judged below 0), then d3 and d1 (tied, larger id first); d9 is not retrieved.
    # q2 has one document, and no relevant one. q3 is not in the run.
    assert {query for query, _ in found} == {"q1", "q2", "all"}
    expected = {
        "map": (1 / 2 + 2 / 3) / 3,
        "recip_rank": 1 / 2,
        "P_5": 2 / 5,
        "P_1000": 2 / 1000,
        "recall_5": 2 / 3,
        "success_1": 0,
        "success_5": 1,
    }
    for measure, value in expected.items():
        assert found["q1", measure] == pytest.approx(value, rel=0, abs=1e-12)
        assert found["q2", measure] == 0
        assert found["all", measure] == pytest.approx(value / 2, rel=0, abs=1e-12)
    gain = reference.evaluate("ndcg", ["d2", "d3", "d1"], {"d3": 2, "d1": 1, "d9": 1}, gain="linear")
    assert found["q1", "ndcg"] == found["q1", "ndcg_cut_5"] == pytest.approx(gain, rel=0, abs=1e-9)


def test_movielens_by_hand(here: Path) -> None:
    first, *_, whole = rows(*prepared(QUERIES / "movielens.sql", here))
    # User 1 has hits 12 and 10 at ranks 2 and 3. User 2 gets nothing. User 3 has no relevant item.
    assert first["users"] == whole["users"] == 2
    assert first["precision"] == pytest.approx(2 / 5 / 2, rel=0, abs=1e-12)
    assert whole["average_precision"] == pytest.approx((1 / 2 + 2 / 3) / 2 / 2, rel=0, abs=1e-12)
    assert whole["recall"] == whole["hit_rate"] == 0.5


# demo


def invented_truth() -> tuple[dict[int, dict[int, int]], dict[int, str]]:
    """The judgements of each user in the current folder's `truth.parquet`, and the kind of listener."""
    judgements: dict[int, dict[int, int]] = {}
    listeners: dict[int, str] = {}
    rows = duckdb.connect().execute("SELECT userid, itemid, rel, listener FROM 'truth.parquet'").fetchall()
    for userid, itemid, rel, listener in rows:
        judgements.setdefault(userid, {})[itemid] = rel
        listeners[userid] = listener
    return judgements, listeners


def invented_lists(system: str) -> dict[int, list[int]]:
    """The songs that a system recommends to each user, best first."""
    lists: dict[int, list[int]] = {}
    query = f"SELECT userid, itemid FROM '{system}.parquet' ORDER BY score DESC"
    for userid, itemid in duckdb.connect().execute(query).fetchall():
        lists.setdefault(userid, []).append(itemid)
    return lists


def test_demo_tells_which_system_is_better_and_for_whom(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = output("demo", "--users", "400", "--directory", "data")
    files, better, by_listener = tables(text)
    monkeypatch.chdir("data")
    truth, listeners = invented_truth()
    lists = {system: invented_lists(system) for system in ("popularity", "personalised")}
    assert [(name, int(users)) for name, _, users in files[1:]] == [
        ("truth.parquet", len(truth)), *((f"{system}.parquet", len(rec)) for system, rec in lists.items())
    ]  # fmt: skip

    values = {
        (metric, system): {
            user: value
            for user, judged in truth.items()
            if (value := reference.evaluate(function, rec.get(user), judged, 10)) is not None
        }
        for metric, function in (("ndcg", "ndcg"), ("recall", "recall_at"), ("mrr", "mrr"))
        for system, rec in lists.items()
    }
    assert better[0] == ["metric", "popularity", "personalised", "better by", "low", "high", "p"]
    assert [row[0] for row in better[1:]] == ["ndcg", "recall", "mrr"]
    for metric, *numbers in better[1:]:
        popularity, personalised, difference, low, high = map(float, numbers[:5])
        assert popularity == pytest.approx(fmean(values[metric, "popularity"].values()), rel=0, abs=6e-5)
        assert personalised == pytest.approx(fmean(values[metric, "personalised"].values()), rel=0, abs=6e-5)
        assert difference == pytest.approx(personalised - popularity, rel=0, abs=1.1e-4)
        assert 0 < low < difference < high
        assert numbers[5] == "<0.0001"

    for kind, users, *means in by_listener[1:]:
        those = [user for user in truth if listeners[user] == kind]
        assert int(users) == len(those)
        for system, mean in zip(lists, means, strict=True):
            ndcg = values["ndcg", system]
            assert float(mean) == pytest.approx(fmean(ndcg[user] for user in those), rel=0, abs=6e-5)
    assert {kind for kind, *_ in by_listener[1:]} == {"new", "casual", "regular"}
    assert {user for user, kind in listeners.items() if kind == "new"} == set(truth) - set(
        lists["personalised"]
    )

    assert "The tables are in data." in text
    assert f"Open this report in a browser: {Path('data') / 'report.html'}" in text
    page = Path("report.html").read_text(encoding="utf-8")
    assert "Which recommender is better?" in page
    # The table above has the same finding.
    assert "But it is worse at all 3 measures for listener=new (" in page
    assert "20 of 20 published values reproduced (from Hivemall's page and the rankDCG paper; " in text


def test_demo_fits_on_a_screen(here: Path) -> None:
    lines = output("demo", "--users", "60", "--directory", "data").splitlines()
    assert len(lines) < 60
    assert max(len(line) for line in lines if line.startswith("│")) <= 80


def test_demo_without_matplotlib_writes_no_report(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("matplotlib.figure", "rankdcg_sql.plots", "rankdcg_sql.report"):
        monkeypatch.delitem(sys.modules, module, raising=False)
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    text = output("demo", "--users", "60", "--directory", "data")
    assert "its plots need Matplotlib: pip install 'rankdcg_sql[plots]'" in text
    assert "report.html" not in text
    assert {path.name for path in Path("data").iterdir()} == set(_demo.FILES) - {"report.html"}
    assert "20 of 20 published values reproduced" in text


def test_demo_leaves_its_files_among_the_temporary_ones(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    there = here / "temporary"
    there.mkdir()
    monkeypatch.setattr(_demo, "mkdtemp", lambda prefix: str(there))
    text = output("demo", "--users", "60")
    assert str(there / "report.html") in text
    assert {path.name for path in there.iterdir()} == set(_demo.FILES)
    assert list(here.iterdir()) == [there]
    assert Path.cwd() == here


@pytest.mark.skipif(not _static.installed(), reason="the table macros need native aggregates")
@pytest.mark.parametrize("directory", ["data", "it's [mine]"])
def test_sql_of_the_demo_gives_the_numbers_of_the_demo(here: Path, directory: str) -> None:
    text = output("demo", "--users", "400", "--directory", directory)
    _, better, by_listener = tables(text)
    # The printed SQL runs in the folder in which the command ran.
    sql = text.partition("The same in SQL:")[2].partition("The tables are in")[0]
    compared, by_kind = objects("-c", sql)
    assert better[1:] == [
        [row["metric"], *(f"{row[name]:.4f}" for name in ("baseline", "mean", "difference", "low", "high")),
         "<0.0001"]
        for row in compared
    ]  # fmt: skip
    assert by_listener[1:] == [
        [row["listener"], str(row["users"]), f"{row['popularity']:.4f}", f"{row['personalised']:.4f}"]
        for row in by_kind
    ]


def test_demo_shows_published_values(here: Path) -> None:
    *_, published = tables(output("demo", "--users", "60", "--directory", "data", "--verbose"))
    assert published[0] == ["source", "value of", "computed", "published", ""]
    for _, _, value, expected, mark in published[1:]:
        assert mark == "✓"
        assert float(value) == pytest.approx(float(expected), rel=0, abs=1e-9)
    binary, graded, paper = (
        [(name, float(expected)) for source, name, _, expected, _ in published if source.startswith(start)]
        for start in ("Hivemall's page, binary", "Hivemall's page, graded", "rankDCG paper")
    )
    assert dict(binary) == BINARY
    assert [expected for _, expected in graded] == GRADED
    assert [expected for _, expected in paper] == PAPER


def test_demo_overwrites_nothing(here: Path) -> None:
    for name in _demo.FILES:
        (here / name).write_text("mine")
        assert f"{name} is there already" in error("demo", "--directory", ".", code=1)
        assert [(path.name, path.read_text()) for path in here.iterdir()] == [(name, "mine")]
        (here / name).unlink()


def test_demo_fails_where_a_value_differs(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(_demo._BINARY, "mrr", 1 + 2e-9)
    text = error("demo", "--users", "60", "--directory", "data", "--verbose", code=1)
    assert [row[1] for table in tables(text) for row in table if row[-1] == "✗"] == ["mrr"]
    assert "19 of 20 published values reproduced" in text
    assert "A computed value differs from the published one." in text


def test_demo_data_depend_on_the_seed_alone(here: Path) -> None:
    script = (QUERIES / "demo" / "generate.sql").read_text(encoding="utf-8")
    made = {}
    for name, seed, threads in (("a", 1, 1), ("b", 1, 4), ("c", 2, 1)):
        output(
            "sql", "--set", f"seed={seed}", "--set", "users=700", "-c", f"SET threads = {threads}; {script}"
        )
        con = duckdb.connect()
        made[name] = [
            con.execute(f"FROM '{file}'").fetchall() for file in _demo.FILES if file.endswith(".parquet")
        ]
    assert made["a"] == made["b"]
    assert made["a"] != made["c"]
    _demo._invent(700, 2)
    assert made["c"] == [con.execute(f"FROM '{file}'").fetchall() for file in _demo.FILES[:3]]


def test_demo_data_are_skewed_and_of_a_realistic_size(here: Path) -> None:
    output("sql", QUERIES / "demo" / "generate.sql")
    ((users, items, size), (share,)) = (
        duckdb.connect().execute(query).fetchall()[0]
        for query in (
            "SELECT count(DISTINCT userid), count(DISTINCT itemid), count(*) FROM 'truth.parquet'",
            """
            SELECT sum(n) FILTER (place <= 200) / sum(n)
            FROM (
                SELECT count(*) AS n, row_number() OVER (ORDER BY count(*) DESC) AS place
                FROM 'truth.parquet' GROUP BY itemid
            )
            """,
        )
    )
    assert users > 4500
    assert items > 1500
    assert size > 30_000
    assert share > 1 / 3  # a tenth of the items


# Real data


def test_trec_eval_values(third_party: Path) -> None:
    folder = third_party / "data/trec_eval"
    found = {
        (row["query"], row["measure"]): row["value"]
        for row in rows(
            "--set", f"run={folder / 'results.test'}", "--set", f"qrels={folder / 'qrels.test'}",
            QUERIES / "trec_eval.sql",
        )
    }  # fmt: skip
    expected = trec_values(folder / "out.test.aq")
    assert len(expected) == 4 * 33
    assert {key: f"{value:.4f}" for key, value in found.items()} == expected

    means = json.loads((folder / "ref_results_test.json").read_text())["pytrec_eval"]["mean"]
    checked = {measure: value for measure, value in means.items() if ("all", measure) in found}
    assert {"map", "ndcg", "recip_rank", "P_100", "recall_1000", "ndcg_cut_20"} <= checked.keys()
    assert {measure: found["all", measure] for measure in checked} == pytest.approx(checked, rel=0, abs=1e-9)


def test_movielens_values(third_party: Path) -> None:
    folder = third_party / "data/ml-latest-small"
    found = rows(
        "--set", f"truth={folder / 'truth.csv'}", "--set", f"rec={folder / 'rec.csv'}",
        QUERIES / "movielens.sql",
    )  # fmt: skip
    published = json.loads((folder / "ref_poprec.json").read_text())
    means = published["pytrec_eval"]["mean"]
    assert [row["k"] for row in found] == [5, 10, 20, 100, None]
    assert {row["users"] for row in found} == {published["n_queries_evaluated"]}
    at_k = {"precision": "P", "recall": "recall", "average_precision": "map_cut", "ndcg": "ndcg_cut"}
    whole = {"average_precision": "map", "mrr": "recip_rank", "ndcg": "ndcg"}
    checked = 0
    for row in found:
        names = {column: f"{name}_{row['k']}" for column, name in at_k.items()} if row["k"] else whole
        for column, name in names.items():
            if name in means:
                assert row[column] == pytest.approx(means[name], rel=0, abs=1e-9), name
                checked += 1
    assert checked == 4 * 4 - 1 + 3  # the reference has no map_cut_20
