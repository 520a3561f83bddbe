"""The page of measures has every metric, and no name that is none."""

from __future__ import annotations

import re

from support.paths import ROOT

from rankdcg_sql import catalogue

PAGE = (ROOT / "docs" / "measures.md").read_text("utf-8")


def test_every_measure_is_on_the_page() -> None:
    rows = [row.split(" | ")[0] for row in PAGE.splitlines() if row.startswith("| `")]
    named = {name for row in rows for name in re.findall(r"`([a-z_0-9]+)`", row)}
    similarities = {each.base for each in catalogue.functions() if each.form == "rankings"}
    measures = {*catalogue.metric_functions()} | similarities - {"rank_similarity"}
    scored = {each.base for each in catalogue.functions() if each.form == "scored" and each.output == "value"}
    assert measures <= named
    assert named <= measures | scored | {"roc_auc"}
