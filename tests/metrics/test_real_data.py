"""Real data: SQL computes the values that trec_eval, pytrec_eval and ranx printed.

The data come from others (see the fixture `third_party`): trec_eval's own test (three topics of 500
documents), and MovieLens ratings with a ranking by popularity (646 users).
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    import duckdb

AVERAGE_PRECISION = "average_precision(rec, truth, {k}, 'ap_denominator=truth, min_rel=1, no_relevant=zero')"
MRR = "mrr(rec, truth, {k}, 'min_rel=1, no_relevant=zero')"
NDCG = "ndcg(rec, truth, {k}, 'gain=linear, discount=log2, idcg=truth, no_relevant=zero')"
NDCG_EXP2 = "ndcg(rec, truth, {k}, 'gain=exp2, discount=log2, idcg=truth, no_relevant=zero')"
PRECISION = "precision_at(rec, truth, {k}, 'precision_denominator=k, min_rel=1, no_relevant=zero')"
RECALL = "recall_at(rec, truth, {k}, 'recall_denominator=truth, min_rel=1, no_relevant=zero')"
RECALL_OF_K = "recall_at(rec, truth, {k}, 'recall_denominator=min_truth_k, min_rel=1, no_relevant=zero')"
#: The names of the measures in each package; k stands for a cutoff.
TREC_EVAL = {
    "P_k": PRECISION,
    "Rprec": PRECISION.format(k="relevant"),
    "map": AVERAGE_PRECISION,
    "map_cut_k": AVERAGE_PRECISION,
    "ndcg": NDCG,
    "ndcg_cut_k": NDCG,
    "recall_k": RECALL,
    "recip_rank": MRR,
    "relative_P_k": RECALL_OF_K,
    "set_F": "f1_at(rec, truth, 'min_rel=1, no_relevant=zero')",
    "set_P": "precision_at(rec, truth, 'precision_denominator=retrieved, min_rel=1, no_relevant=zero')",
    "set_recall": RECALL,
    "success_k": "hit_rate(rec, truth, {k}, 'min_rel=1, no_relevant=zero')",
}
RANX = {
    "map": AVERAGE_PRECISION,
    "map@k": AVERAGE_PRECISION,
    "mrr": MRR,
    "mrr@k": MRR,
    "ndcg": NDCG,
    "ndcg@k": NDCG,
    "ndcg_burges": NDCG_EXP2,
    "ndcg_burges@k": NDCG_EXP2,
    "precision@k": PRECISION,
    "r-precision": PRECISION.format(k="relevant"),
    "recall@k": RECALL,
}
JUDGEMENTS = {
    "map": "map(list(item), list(rel))",
    "structs": "list({'item': item, 'rel': rel})",
}


def expression(measure: str, names: dict[str, str]) -> str | None:
    """A measure as an expression in SQL; None if there is none."""
    name, mark, k = re.fullmatch(r"(.*?)(?:([_@])(\d+))?", measure).groups()
    sql = names.get(f"{name}{mark}k" if k else measure)
    return sql and sql.format(k=k or "NULL")


def evaluate(
    con: duckdb.DuckDBPyConnection, kind: str, measures: Iterable[str], names: dict[str, str]
) -> dict[str, dict[str, float]]:
    """The measures over the tables `run` and `qrels`: by topic, and their means as topic "all"."""
    columns = ", ".join(f'{expression(measure, names)} AS "{measure}"' for measure in measures)
    con.execute(f"""
        CREATE OR REPLACE TEMP TABLE per_topic AS
        SELECT topic, {columns}
        FROM (SELECT topic, list(item ORDER BY score DESC, item DESC) AS rec FROM run GROUP BY topic)
        JOIN (
            SELECT topic, {JUDGEMENTS[kind]} AS truth, count(*) FILTER (rel >= 1) AS relevant
            FROM qrels GROUP BY topic
        ) USING (topic)
    """)
    result = con.execute("""
        FROM per_topic UNION ALL BY NAME SELECT 'all' AS topic, avg(COLUMNS(* EXCLUDE topic)) FROM per_topic
    """)
    _, *columns = (column[0] for column in result.description or [])
    return {topic: dict(zip(columns, values, strict=True)) for topic, *values in result.fetchall()}


@pytest.fixture
def trec_test(native: duckdb.DuckDBPyConnection, third_party: Path) -> duckdb.DuckDBPyConnection:
    """trec_eval's own test; its scores are in single precision."""
    folder = third_party / "data/trec_eval"
    native.execute(f"""
        CREATE TEMP TABLE run AS SELECT topic, item, score
        FROM read_csv('{folder / "results.test"}', delim = '\t', header = false, columns = {{
            'topic': 'VARCHAR', 'q0': 'VARCHAR', 'item': 'VARCHAR',
            'rank': 'INTEGER', 'score': 'FLOAT', 'tag': 'VARCHAR'
        }})
    """)
    native.execute(f"""
        CREATE TEMP TABLE qrels AS SELECT topic, item, rel
        FROM read_csv('{folder / "qrels.test"}', delim = ' ', header = false, columns = {{
            'topic': 'VARCHAR', 'iteration': 'VARCHAR', 'item': 'VARCHAR', 'rel': 'INTEGER'
        }})
    """)
    return native


@pytest.fixture
def movielens(native: duckdb.DuckDBPyConnection, third_party: Path) -> duckdb.DuckDBPyConnection:
    """MovieLens, where every item in the truth is relevant."""
    folder = third_party / "data/ml-latest-small"
    native.execute(f"""
        CREATE TEMP TABLE run AS SELECT userid::VARCHAR AS topic, itemid AS item, score
        FROM read_csv('{folder / "rec.csv"}')
    """)
    native.execute(f"""
        CREATE TEMP TABLE qrels AS SELECT userid::VARCHAR AS topic, itemid AS item, 1 AS rel
        FROM read_csv('{folder / "truth.csv"}')
    """)
    return native


@pytest.mark.parametrize("kind", JUDGEMENTS)
def test_trec_eval_to_its_four_digits(trec_test: duckdb.DuckDBPyConnection, third_party: Path, kind: str):
    lines = (third_party / "data/trec_eval/out.test.aq").read_text("utf-8").splitlines()
    expected: dict[str, dict[str, str]] = {}
    for measure, topic, value in map(str.split, lines):
        if expression(measure, TREC_EVAL):
            expected.setdefault(topic, {})[measure] = value
    found = evaluate(trec_test, kind, expected["all"], TREC_EVAL)
    assert {
        topic: {measure: f"{value:.4f}" for measure, value in values.items()}
        for topic, values in found.items()
    } == expected
    # trec_eval prints 7 measures of the whole list, 5 measures at 9 cutoffs each, and success at 3 cutoffs.
    assert len(expected["all"]) == 7 + 5 * 9 + 3
    assert expected.keys() == {"301", "302", "303", "all"}


@pytest.mark.parametrize("kind", JUDGEMENTS)
@pytest.mark.parametrize("package", ["pytrec_eval", "ranx"])
@pytest.mark.parametrize(
    ("data", "file"),
    [("trec_test", "trec_eval/ref_results_test.json"), ("movielens", "ml-latest-small/ref_poprec.json")],
)
def test_packages_to_nine_digits(
    request: pytest.FixtureRequest, third_party: Path, data: str, file: str, package: str, kind: str
):
    printed = json.loads((third_party / f"data/{file}").read_text("utf-8"))[package]
    expected = printed["per_query"] | {"all": printed["mean"]}
    for values in expected.values():
        for count in ("num_rel", "num_rel_ret", "num_ret"):
            values.pop(count, None)
    names = {"pytrec_eval": TREC_EVAL, "ranx": RANX}[package]
    found = evaluate(request.getfixturevalue(data), kind, expected["all"], names)
    assert found.keys() == expected.keys()
    for topic, values in found.items():
        assert values == pytest.approx(expected[topic], rel=0, abs=1e-9), topic
