"""Readers of printed output: trec_eval's values, and a guard against JSON with NaN or Infinity."""

from __future__ import annotations

import re
from pathlib import Path

import pytest


def not_json(word: str) -> None:
    pytest.fail(f"{word} is not JSON")


def trec_values(path: Path, more: str = "map") -> dict[tuple[str, str], str]:
    """The values that trec_eval printed for the measures of queries/trec_eval.sql, by query and measure.

    `more` is a pattern of further measures.
    """
    measures = re.compile(rf"map|recip_rank|ndcg|(P|recall|ndcg_cut|success)_\d+|{more}")
    lines = (line.split() for line in path.read_text().splitlines())
    return {(query, measure): value for measure, query, value in lines if measures.fullmatch(measure)}
