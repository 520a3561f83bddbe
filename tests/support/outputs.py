"""Readers of outputs: values of other packages, and a guard against JSON with NaN or Infinity."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest


def not_json(word: str) -> None:
    pytest.fail(f"{word} is not JSON")


def movielens_means(folder: Path) -> tuple[dict[str, Any], dict[tuple[str, int | None], float]]:
    """Return the published results of recommendations by popularity, and their means by metric and k."""
    published = json.loads((folder / "ref_poprec.json").read_text())
    given = published["pytrec_eval"]["mean"]
    at_k = {"P": "precision", "recall": "recall", "map_cut": "average_precision", "ndcg_cut": "ndcg"}
    whole = {"map": "average_precision", "recip_rank": "mrr", "ndcg": "ndcg"}
    means: dict[tuple[str, int | None], float] = {
        (metric, None): given[name] for name, metric in whole.items()
    }
    for name, metric in at_k.items():
        means |= {(metric, k): given[f"{name}_{k}"] for k in (5, 10, 20, 100) if f"{name}_{k}" in given}
    assert len(means) == 4 * 4 - 1 + 3  # there is no map_cut_20
    return published, means


def trec_values(path: Path, more: str = "map") -> dict[tuple[str, str], str]:
    """The values that trec_eval printed for the measures of queries/trec_eval.sql, by query and measure.

    `more` is a pattern of further measures.
    """
    measures = re.compile(rf"map|recip_rank|ndcg|(P|recall|ndcg_cut|success)_\d+|{more}")
    lines = (line.split() for line in path.read_text().splitlines())
    return {(query, measure): value for measure, query, value in lines if measures.fullmatch(measure)}
