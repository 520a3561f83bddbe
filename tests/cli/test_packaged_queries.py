"""The queries of the package: they run as they are, and give the values by hand and of other packages."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support import reference
from support.commands import only_result, results, run
from support.outputs import movielens_means, trec_values

import rankdcg_sql
from rankdcg_sql import _static
from rankdcg_sql.catalogue import table_macros
from rankdcg_sql.cli import _demo

QUERIES = _demo.queries()
TREC_RUN = "q1 Q0 d1 1 0.5 tag\nq1\tQ0\td2  2\t0.9 tag\n\nq1 Q0 d3 3 0.5 tag\r\nq2 Q0 d1 1 7e0 tag\n"
TREC_QRELS = "q1 0 d3 2\nq1 0 d1 1\nq1 0 d2 -1\nq1 0 d9 1\n  q2 0 d2 0\nq3 0 d1 1\n"


def prepared(query: Path, here: Path) -> list[str | Path]:
    """The arguments with which a file of `queries` runs. Its data are written to the working directory."""
    if query.parent.name == "hivemall":
        return ["--hivemall", *([QUERIES / "hivemall" / "tables.sql"] * (query.name != "tables.sql")), query]
    if query == QUERIES / "demo" / "evaluate.sql":
        run("sql", "--set", "users=60", QUERIES / "demo" / "generate.sql")
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
    found = results(*prepared(query, here))
    assert all(found)
    assert len(found) > 0 or query.name == "tables.sql"


def test_queries_of_the_package_are_found_by_name(here: Path) -> None:
    by_path = run("sql", QUERIES / "data_check.sql").output
    assert run("sql", "data_check.sql").output == by_path
    assert "is never retrieved" in by_path
    means = results("--hivemall", "hivemall/tables.sql", "hivemall/binary_response.sql")
    assert means == results(*prepared(QUERIES / "hivemall" / "binary_response.sql", here))


def test_a_file_comes_before_a_query_of_the_package(here: Path) -> None:
    Path("data_check.sql").write_text("SELECT 42 AS mine")
    assert only_result("data_check.sql") == [{"mine": 42}]
    assert "'nothing.sql': No such file" in run("sql", "nothing.sql", code=2).output


@pytest.mark.parametrize("line_end", ["mixed", "\n", "\r\n"])
def test_trec_eval_by_hand(here: Path, line_end: str) -> None:
    query = prepared(QUERIES / "trec_eval.sql", here)
    if line_end != "mixed":
        for path in here.iterdir():
            path.write_bytes(line_end.join(path.read_text().splitlines()).encode())
    found = {(row["query"], row["measure"]): row["value"] for row in only_result(*query)}
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
    first, *_, whole = only_result(*prepared(QUERIES / "movielens.sql", here))
    # User 1 has hits 12 and 10 at ranks 2 and 3. User 2 gets nothing. User 3 has no relevant item.
    assert first["users"] == whole["users"] == 2
    assert first["precision"] == pytest.approx(2 / 5 / 2, rel=0, abs=1e-12)
    assert whole["average_precision"] == pytest.approx((1 / 2 + 2 / 3) / 2 / 2, rel=0, abs=1e-12)
    assert whole["recall"] == whole["hit_rate"] == 0.5


def test_trec_eval_values(third_party: Path) -> None:
    folder = third_party / "data/trec_eval"
    found = {
        (row["query"], row["measure"]): row["value"]
        for row in only_result(
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
    found = only_result(
        "--set", f"truth={folder / 'truth.csv'}", "--set", f"rec={folder / 'rec.csv'}",
        QUERIES / "movielens.sql",
    )  # fmt: skip
    published, means = movielens_means(folder)
    values = {(metric, row["k"]): value for row in found for metric, value in row.items()}
    assert {measure: values[measure] for measure in means} == pytest.approx(means, rel=0, abs=1e-9)
    assert [row["k"] for row in found] == [5, 10, 20, 100, None]
    assert {row["users"] for row in found} == {published["n_queries_evaluated"]}
