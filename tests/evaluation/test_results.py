"""Results as tables and objects."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import duckdb
import pytest
from support import latex
from support.commands import tables
from support.two_tables import REC, TRUTH, rounded

import rankdcg_sql
from rankdcg_sql import evaluate


def test_results():
    metrics = ["Recall", "reciprocal_rank", "rankdcg", "recall_at"]
    found = evaluate(TRUTH, REC, k=[1, None, 1, "all"], metrics=metrics)
    assert found.metrics == ("recall", "mrr", "rankdcg")
    assert found.ks == (1, None)
    assert found.wide.columns == ["userid", "recall@1", "recall", "mrr@1", "mrr", "rankdcg"]
    assert found.per_user.columns == ["userid", "metric", "k", "value"]
    assert found.to_polars().rows() == found.per_user.fetchall()
    assert found.to_polars(wide=True).columns == found.wide.columns
    assert found.to_arrow().num_rows == 3 * 5
    assert [*found.to_pandas(wide=True).columns] == found.wide.columns
    assert found.to_arrow(wide=True).column_names == found.wide.columns
    wide = {(row[0], name): value for row in found.wide.fetchall() for name, value in zip(found.wide.columns[1:], row[1:], strict=True)}  # noqa: E501  # fmt: skip
    for user, metric, k, value in found.per_user.fetchall():
        assert wide[user, metric if k is None else f"{metric}@{k}"] == value


@pytest.mark.parametrize("suffix", [".parquet", ".csv", ".tsv", ".json", ".jsonl", ".CSV"])
def test_written_values_are_read_again(suffix: str, tmp_path: Path):
    found = evaluate(TRUTH, REC, k=2, metrics=["ndcg", "recall"])
    for wide in (False, True):
        path = tmp_path / f"it's {wide}{suffix}"
        found.write(path, wide=wide)
        readers = {".parquet": "read_parquet", ".csv": "read_csv", ".tsv": "read_csv"}
        reader = readers.get(suffix.lower(), "read_json")
        read = duckdb.sql(f"FROM {reader}(?)", params=[str(path)])
        assert read.columns == (found.wide if wide else found.per_user).columns
        assert rounded(read.fetchall()) == rounded((found.wide if wide else found.per_user).fetchall())
        # DuckDB would read other forms, too.
        text = path.read_bytes()
        if suffix == ".json":
            assert len(json.loads(text)) == len(read)
        elif suffix == ".jsonl":
            assert [*map(len, map(json.loads, text.splitlines()))] == [len(read.columns)] * len(read)
        elif suffix != ".parquet":
            separator = "\t" if suffix == ".tsv" else ","
            assert text.decode().splitlines()[0].split(separator) == read.columns


@pytest.mark.parametrize("of", [evaluate, lambda *tables, **more: rankdcg_sql.compare(tables[0], {"a,\"\n": REC, "b": tables[1]}, **more)])  # noqa: E501  # fmt: skip
def test_rendered_results_are_read_again(of: Any):
    """Other packages read every digit, and NULL for a missing number."""
    found = of(TRUTH, {**REC, "itemid": ["c", *"bcac"]}, k=[2, None], metrics=["ndcg", "rankdcg"])
    relation = found.differences if isinstance(found, rankdcg_sql.Comparison) else found.summary
    expected = [dict(zip(relation.columns, row, strict=True)) for row in relation.fetchall()]
    assert None in expected[-1].values()
    assert json.loads(found.render("json"), parse_constant=pytest.fail) == expected
    read = [*csv.DictReader(io.StringIO(found.render("csv")))]
    assert [{**row} for row in read] == [
        {name: "" if cell is None else str(cell) for name, cell in row.items()} for row in expected
    ]
    for form, rows in (("markdown", 2), ("html", 0), ("latex", 0), ("table", 0)):
        text = found.render(form)
        assert f"{expected[0]['n']}" in text
        if form == "latex":  # it has the names of papers
            assert "NDCG" in text
            assert "rankDCG" in text
        else:
            assert text.count("ndcg") == text.count("rankdcg") + 1 == 2 if rows == 0 else True


def test_results_that_cannot_be_written_are_errors(tmp_path: Path):
    found = evaluate(TRUTH, REC, k=2)
    with pytest.raises(ValueError, match=r"write: '.*values.xlsx' must end with .parquet, .csv"):
        found.write(tmp_path / "values.xlsx")
    with pytest.raises(OSError, match=r"write: .*nowhere"):
        found.write(tmp_path / "nowhere" / "values.csv")


def test_printed_tables_have_four_digits():
    found = evaluate(TRUTH, REC, k=2, metrics="ndcg", gain="linear")
    note = "1 user of truth without a row in rec"
    assert repr(found).startswith(f"Evaluation of 3 users, gain=linear\n- {note}")
    assert "| ndcg | 2 | 3 | 0.4147 |" in found.to_markdown()
    # A caption or a label makes a float of the table.
    assert found.to_latex().startswith(r"\begin{tabular}{lrrrrr}")
    parts = (r"\caption{The means.}", r"\label{means}")
    for text, part in zip((found.to_latex("The means."), found.to_latex(label="means")), parts, strict=True):
        assert text.startswith(r"\begin{table}")
        assert [each in text for each in parts] == [each == part for each in parts]
        assert r"metric & k & n & mean & low & high \\" in text
        assert "0.4147" in text
    assert "<table>" in found.to_html()
    assert f"<li>{note}" in found._repr_html_()
    truth = {**TRUTH, "plan": ["<b>"] * 3 + ["x", "x"]}
    by = evaluate(truth, REC, metrics="recall@2", by="plan")._repr_html_()
    assert "<li>all values of recall@2 in plan=&lt;b&gt; are equal: " in by
    assert "<b>" not in by


def test_tables_have_the_rows_of_the_summary_in_its_order():
    """Tables in LaTeX have the names of papers, and a cutoff of none is the whole list."""
    truth = {**TRUTH, "plan": ["x_y"] * 3 + ["m"] * 2}
    found = evaluate(truth, REC, metrics=["recall@2", "mrr@all"], by="plan")
    rows = [
        ["m", "Recall", "2", "2", "0.5000"],
        ["m", "MRR", "all", "2", "0.2500"],
        ["x\\_y", "Recall", "2", "1", "0.3333"],
        ["x\\_y", "MRR", "all", "1", "1.0000"],
        ["all users", "Recall", "2", "3", "0.4444"],
        ["all users", "MRR", "all", "3", "0.5000"],
    ]
    ((head, *cells),) = latex.tables(found.to_latex())
    assert head == ["plan", "metric", "k", "n", "mean", "low", "high"]
    assert [row[:5] for row in cells] == rows
    head, _, *lines = found.to_markdown().splitlines()
    assert head == "| plan | metric | k | n | mean | low | high |"
    names = {"m": "m", "x\\_y": "x_y", "all users": "all users", "Recall": "recall", "MRR": "mrr"}
    assert [[cell.strip() for cell in line.split("|")[1:6]] for line in lines] == [
        [names.get(cell, cell) for cell in row] for row in rows
    ]


def test_each_part_of_a_wide_table_begins_with_the_segment_the_metric_and_the_cutoff():
    found = evaluate({**TRUTH, "plan": [*"aaabb"]}, REC, k=2, metrics="ndcg", by="plan")
    one, other = (head for head, *_ in tables(found.render("table", width=50)))
    assert one[:3] == other[:3] == ["plan", "metric", "k"]
    assert one[3:] + other[3:] == ["n", "mean", "low", "high"]


def test_in_a_notebook_the_text_of_a_result_shows_nothing_else(monkeypatch: pytest.MonkeyPatch):
    displayed: list[Any] = []
    monkeypatch.setattr("rich.console._is_jupyter", lambda: True)
    monkeypatch.setattr("rich.jupyter.display", lambda *shown: displayed.append(shown))
    assert "│ ndcg" in repr(evaluate(TRUTH, REC, k=2, metrics="ndcg"))
    assert displayed == []
