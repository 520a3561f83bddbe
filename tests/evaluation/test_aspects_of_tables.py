"""Measures of aspects of two tables, against the reference, and what aspects do to other metrics."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import pandas as pd
import pytest
from click.testing import CliRunner
from conftest import needs_duckdb_2
from support import reference

from rankdcg_sql import DataWarning, compare, evaluate
from rankdcg_sql.cli import main

if TYPE_CHECKING:
    from pathlib import Path

NAMES = [*reference.ASPECT_MEASURES]
#: Names of ir_measures, and ours.
THEIRS = {
    "alpha_nDCG": "alpha_ndcg", "alpha_DCG": "alpha_dcg", "nERR_IA": "nerr_ia", "ERR_IA": "err_ia",
    "nNRBP": "nnrbp", "NRBP": "nrbp", "StRecall": "subtopic_recall", "P_IA": "precision_ia",
    "AP_IA": "average_precision_ia",
}  # fmt: skip


def tables(seed: int = 1) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Random truth and rec with tied scores, users of one of them only, and items without a judgement."""
    chance = random.Random(seed)
    truth = [
        (user, item, aspect, chance.choice([0, 1, 1, 2]))
        for user in range(12)
        for item in "abcdefgh"
        for aspect in ("x", "y", "z")
        if chance.random() < 0.25
    ]
    rec = [
        (user, item, chance.choice([0.25, 0.5, 0.75, 1.0]))
        for user in range(3, 14)
        for item in chance.sample("abcdefghij", 7)
    ]
    chance.shuffle(truth)
    judged = pd.DataFrame(truth, columns=["userid", "itemid", "aspect", "rel"])
    return judged, pd.DataFrame(rec, columns=["userid", "itemid", "score"])


def by_reference(
    name: str, truth: pd.DataFrame, rec: pd.DataFrame, k: int | None, **options: Any
) -> dict[int, float | None]:
    """The value of each user of truth."""
    lists = {
        "truth": truth.rename(columns={"itemid": "item"}), "rec": rec.rename(columns={"itemid": "item"})
    }  # fmt: skip
    rows = {
        role: {user: part.drop(columns="userid").to_dict("records") for user, part in frame.groupby("userid")}
        for role, frame in lists.items()
    }
    return {
        user: reference.aspect_measure(name, rows["rec"].get(user), judged, k, **options)
        for user, judged in rows["truth"].items()
    }


@pytest.mark.parametrize("name", NAMES)
def test_values_of_users(name: str) -> None:
    truth, rec = tables()
    found = evaluate(truth, rec, k=[3, None], metrics=name, rel="rel", aspect="aspect")
    for k in (3, None):
        column = name if k is None else f"{name}@{k}"
        values = dict(found.wide.project(f'userid, "{column}"').fetchall())
        expected = by_reference(name, truth, rec, k)
        assert values == {user: pytest.approx(value, abs=1e-9) for user, value in expected.items()}
    assert {user for user, value in values.items() if value == 0} >= {0, 1, 2}


def test_names_and_options_of_ir_measures() -> None:
    truth, rec = tables(2)
    cut = "alpha_nDCG(alpha=0.25, rel=2)@4", "nRBP(alpha=0.75, beta=0.8)@all", "StRecall(rel=2)@2"
    found = evaluate(truth, rec, metrics=cut, rel="rel", aspect="ASPECT", ties="item_asc")
    options: list[dict[str, Any]] = [
        {"redundancy_intolerance": 0.25, "min_rel": 2},
        {"redundancy_intolerance": 0.75, "p": 0.8},
        {"min_rel": 2},
    ]
    names, ks = ("alpha_ndcg", "nrbp", "subtopic_recall"), (4, None, 2)
    for measure, name, k, own in zip(found.measures, names, ks, options, strict=True):
        values = dict(found.wide.project(f'userid, "{measure.column}"').fetchall())
        expected = by_reference(name, truth, rec, k, ties="item_asc", **own)
        assert values == {
            user: None if value is None else pytest.approx(value, abs=1e-9)
            for user, value in expected.items()
        }
    for theirs, ours in THEIRS.items():
        assert evaluate(truth, rec, metrics=f"{theirs}@5", rel="rel", aspect="aspect").metrics == (ours,)


def test_other_metrics_read_the_largest_relevance_of_an_item() -> None:
    truth, rec = tables(3)
    metrics = ["ndcg", "recall", "rankdcg", "subtopic_recall"]
    found = evaluate(truth, rec, k=3, metrics=metrics, rel="rel", aspect="aspect")
    items = truth.groupby(["userid", "itemid"], as_index=False).rel.max()
    plain = evaluate(items, rec, k=3, metrics=metrics[:3], rel="rel")
    assert {name: found.means[name] for name in plain.means} == plain.means
    assert evaluate(truth, rec, k=3, metrics=metrics[:2], rel="rel", aspect="aspect").means == {
        name: plain.means[name] for name in ("ndcg@3", "recall@3")
    }
    counts, alone = found.counts, plain.counts
    assert (counts.truth_rows, counts.truth_repeats) == (len(truth), 0)
    assert counts.users_without_rec == alone.users_without_rec == 3


def test_rows_that_are_left_out_or_repeat_others() -> None:
    truth, rec = tables()
    more = pd.DataFrame([(5, "a", "x", None), tuple(truth.iloc[0])], columns=truth.columns)
    with pytest.warns(DataWarning) as met:
        found = evaluate(pd.concat([truth, more]), rec, metrics="err_ia", rel="rel", aspect="aspect")
    assert found.means == evaluate(truth, rec, metrics="err_ia", rel="rel", aspect="aspect").means
    assert (found.counts.truth_null_rels, found.counts.truth_repeats) == (1, 1)
    assert len(met) >= 2


def test_systems_are_compared() -> None:
    truth, rec = tables()
    other = tables(5)[1]
    compared = compare(
        truth, {"old": rec, "new": other}, k=5, metrics=["alpha_ndcg", "ndcg"], rel="rel", aspect="aspect"
    )
    means = dict(compared.differences.project("metric, difference").fetchall())
    for metric in means:
        each = [
            evaluate(truth, table, k=5, metrics=metric, rel="rel", aspect="aspect").means[f"{metric}@5"]
            for table in (rec, other)
        ]
        assert means[metric] == pytest.approx(each[1] - each[0], abs=1e-12)


@needs_duckdb_2
def test_items_of_other_metrics_are_explained() -> None:
    truth, rec = tables()
    found = evaluate(truth, rec, k=5, metrics=["ndcg", "alpha_ndcg"], rel="rel", aspect="aspect")
    value = dict(found.wide.project('userid, "ndcg@5"').fetchall())[4]
    explained = found.explain(4)
    assert explained.value == pytest.approx(value, abs=1e-12)


def test_qrels_of_trec(tmp_path: Path) -> None:
    qrels, run = tmp_path / "qrels.txt", tmp_path / "run.txt"
    qrels.write_text("q 1 a 1\nq 2 b 1\nq 2 c -2\n")
    run.write_text("q Q0 a 1 0.5 s\nq Q0 b 2 0.5 s\nq Q0 c 3 0.1 s\n")
    found = evaluate(qrels, run, k=1, metrics=["StRecall", "ERR_IA"], aspect="iteration")
    # trec_eval puts the tied document with the larger id first.
    assert found.means == {"subtopic_recall@1": 0.5, "err_ia@1": 0.5}


def test_wrong_calls() -> None:
    truth, rec = tables()
    calls: list[tuple[dict[str, Any], str]] = [
        ({}, "err_ia needs the aspects of items: name their column in truth with aspect="),
        ({"aspect": "topic"}, "truth has no column 'topic', but userid, itemid, aspect, rel"),
        ({"aspect": 3}, "aspect must be the name of a column, got 3"),
        ({"aspect": "aspect", "ties": "optimistic"}, "ties=optimistic is not defined"),
        ({"aspect": "aspect", "redundancy_intolerance": 2}, "must be a number from 0 to 1, got '2'"),
    ]
    for given, sentence in calls:
        with pytest.raises((ValueError, TypeError)) as raised:
            evaluate(truth, rec, metrics="err_ia", rel="rel", **given)
        assert sentence in str(raised.value)
    twice = pd.concat([truth, truth.assign(rel=3)])
    with pytest.raises(ValueError, match=r"truth judges an item twice, with relevance \d and 3"):
        evaluate(twice, rec, metrics="err_ia", rel="rel", aspect="aspect")


def test_command_line(tmp_path: Path) -> None:
    truth, rec = tables()
    truth.to_csv(tmp_path / "truth.csv", index=False)
    rec.to_csv(tmp_path / "rec.csv", index=False)
    files = ["--truth", str(tmp_path / "truth.csv"), "--rec", str(tmp_path / "rec.csv")]
    words = ["evaluate", *files, "--metric", "alpha_nDCG@5", "--rel", "rel", "--aspect", "aspect"]
    found = CliRunner().invoke(main, [*words, "--output", "csv"])
    mean = evaluate(truth, rec, metrics="alpha_ndcg@5", rel="rel", aspect="aspect").means["alpha_ndcg@5"]
    assert found.exit_code == 0, found.output
    assert f"{mean:.4f}"[:6] in found.output
