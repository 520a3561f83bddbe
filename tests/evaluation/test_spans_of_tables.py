"""Spans of documents in `evaluate` and `compare`, against a formula that looks at every character."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import pytest
from conftest import needs_duckdb_2
from support import reference
from support.spans import RULES, drawn, tables

import rankdcg_sql
from rankdcg_sql import CallError, DataWarning, compare, evaluate, explain_change, judge_corrected

MEASURES = ["span_recall", "character_recall", "character_precision"]
SPANS = ("start", "end")
TRUTH: dict[str, list[Any]] = {
    "userid": [1, 1, 1, 2], "itemid": ["h", "h", "h", "g"],
    "start": [100, 180, 400, 0], "end": [200, 260, 500, 9], "rel": [3, 1, 2, 1],
}  # fmt: skip
REC: dict[str, list[Any]] = {
    "userid": [1, 1, 1, 1, 2], "itemid": ["h", "h", "h", "h", "g"],
    "start": [150, 50, 0, 380, 0], "end": [300, 160, 100, 450, 4], "score": [9, 8, 7, 6, 5],
}  # fmt: skip


@pytest.mark.filterwarnings("ignore::rankdcg_sql.DataWarning")  # about rows that repeat others
@pytest.mark.parametrize("overlap", RULES)
def test_measures_are_those_of_the_formula(overlap: Any) -> None:
    data = drawn(400, seed=3)
    truth, rec = tables(data)
    asked = [f"{name}@{k}" for k in (1, 3, "all") for name in MEASURES]
    found = evaluate(truth, rec, metrics=asked, rel="rel", spans=SPANS, overlap=overlap, min_rel=2)
    values = found.per_user.project("userid, metric, k, value").fetchall()
    assert len(values) == len(data) * len(asked)
    for user, metric, k, value in values:
        expected = reference.span_measures(*data[user], k, overlap, 2)[metric]
        assert value == pytest.approx(expected), (user, metric, k)


@pytest.mark.filterwarnings("ignore::rankdcg_sql.DataWarning")
@pytest.mark.parametrize("overlap", RULES)
def test_other_metrics_are_those_of_the_items(overlap: Any) -> None:
    data = drawn(300, seed=9)
    truth, rec = tables(data)
    metrics = ["ndcg", "recall", "mrr", "precision"]
    found = evaluate(truth, rec, k=[1, 3], metrics=metrics, rel="rel", spans=SPANS, overlap=overlap)
    items = [
        (user, *row)
        for user, (spans, chunks) in data.items()
        for row in reference.items_of_spans(spans, chunks, overlap)
    ]
    users, names, scores, rels = zip(*items, strict=True)
    frame = pd.DataFrame({"userid": users, "itemid": names, "score": scores, "rel": rels})
    judged, ranked = frame[frame.rel.notna()], frame[frame.score.notna()]
    expected = evaluate(judged, ranked, k=[1, 3], metrics=metrics, rel="rel")
    assert found.per_user.order("ALL").fetchall() == expected.per_user.order("ALL").fetchall()


def test_an_example_by_hand() -> None:
    found = evaluate(TRUTH, REC, k=2, metrics=["ndcg", "recall", *MEASURES], rel="rel", spans=SPANS)
    first = found.per_user.filter("userid = 1").project("metric, round(value, 4)").fetchall()
    # Gains of 7 and 0, of the best 7 and 3; two of three spans; 160 of 260 characters, in chunks of 260.
    assert first == [
        ("ndcg", round(7 / (7 + 3 * 0.63093), 4)), ("recall", 0.3333), ("span_recall", 0.6667),
        ("character_recall", 0.6154), ("character_precision", 0.6154),
    ]  # fmt: skip
    assert dict(found.summary.project("metric, n").fetchall()) == dict.fromkeys(
        ["ndcg", "recall", *MEASURES], 2
    )


@needs_duckdb_2
def test_an_explanation_names_spans_and_chunks() -> None:
    found = evaluate(TRUTH, REC, k=2, metrics="ndcg", rel="rel", spans=SPANS)
    shown = str(found.explain(1))
    assert all(name in shown for name in ("h[100,200)", "h[50,160) chunk", "h[400,500)"))


def test_rows_without_an_interval_and_repeats_are_counted() -> None:
    rec = {name: [*column, *column[:1], None] for name, column in REC.items()}
    rec["userid"][-1] = rec["score"][-1] = 1
    truth = {name: [*column, column[0]] for name, column in TRUTH.items()}
    truth["end"][-1] = truth["start"][-1]
    with pytest.warns(DataWarning) as warned:
        found = evaluate(truth, rec, k=10, metrics=MEASURES, rel="rel", spans=SPANS)
    counts = found.counts
    assert (counts.rec_rows, counts.rec_repeats, counts.rec_null_items, counts.truth_null_items) == (
        7,
        1,
        1,
        1,
    )
    assert len(warned) == 3
    assert found.summary.project("round(mean, 4)").fetchall()[0] == (1,)


def test_comparisons_requirements_and_segments() -> None:
    truth = {**TRUTH, "language": ["de", "de", "de", "en"]}
    longer = {**REC, "end": [end + 100 for end in REC["end"]]}
    compared = compare(
        truth, {"short": REC, "long": longer}, k=1, metrics=MEASURES, rel="rel", spans=SPANS, by="language"
    )
    of_all = compared.summary.filter("all_users").project("system, metric, mean")
    means = {(system, metric): mean for system, metric, mean in of_all.fetchall()}
    # The first chunk has 110 of 260 characters, and with 100 more still 110: the next span begins behind.
    assert means["short", "character_recall"] == pytest.approx((110 / 260 + 4 / 9) / 2)
    assert means["long", "character_recall"] == pytest.approx((110 / 260 + 1) / 2)
    assert means["long", "character_precision"] == pytest.approx((110 / 250 + 9 / 104) / 2)
    outcomes = compared.require("measured character_recall@1 >= 0.5", "measured span_recall@1 > 0.8")
    assert len(outcomes) == 2


@needs_duckdb_2
def test_a_change_of_the_rule_is_no_change_of_the_run() -> None:
    before, after = (
        evaluate(TRUTH, REC, k=1, metrics="span_recall", spans=SPANS, overlap=overlap)
        for overlap in ("any", 1)
    )
    with pytest.raises(CallError, match=r"after was evaluated with options=.*1\.0"):
        explain_change(before, after)
    renamed = ({**table, "stop": table["end"]} for table in (TRUTH, REC))
    other = evaluate(*renamed, k=1, metrics="span_recall", spans=("start", "stop"))
    with pytest.raises(CallError, match="before was evaluated with other spans than after"):
        explain_change(other, before)
    change = explain_change(before, evaluate(dict(TRUTH), dict(REC), k=1, metrics="span_recall", spans=SPANS))
    assert change.parts.filter("part = 'total'").project("difference").fetchall() == [(0,)]


def test_fingerprints_are_those_of_the_given_tables() -> None:
    one, other = (
        evaluate(TRUTH, REC, k=1, metrics="ndcg", spans=SPANS, overlap=rule, rel="rel", fingerprints=True)
        for rule in ("any", 1)
    )
    assert one.fingerprints == other.fingerprints
    moved = {**REC, "end": [*REC["end"][:-1], 5]}
    changed = evaluate(TRUTH, moved, k=1, metrics="ndcg", spans=SPANS, rel="rel", fingerprints=True)
    assert changed.fingerprints["rec"] != one.fingerprints["rec"]
    assert changed.fingerprints["truth"] == one.fingerprints["truth"]


def test_nothing_is_left_on_a_connection_with_macros_of_its_own() -> None:
    with duckdb.connect() as con:
        con.register("truth", pd.DataFrame(TRUTH))
        con.register("rec", pd.DataFrame(REC))
        con.execute("CREATE MACRO least(a, b) AS 7; CREATE MACRO concat(a, b) AS 'x'")
        found = evaluate("truth", "rec", k=1, metrics=["ndcg", *MEASURES], rel="rel", spans=SPANS, con=con)
        same = evaluate(TRUTH, REC, k=1, metrics=["ndcg", *MEASURES], rel="rel", spans=SPANS)
        assert found.summary.fetchall() == same.summary.fetchall()
        assert not con.sql("FROM duckdb_tables()").fetchall()
        views = con.sql("SELECT view_name FROM duckdb_views() WHERE NOT internal").fetchall()
        assert {name for (name,) in views} <= {"truth", "rec"}


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"metrics": "span_recall"}, "span_recall needs spans of documents: name the columns of offsets with"),
    ({"overlap": 0.5}, "overlap is about spans"),
    ({"spans": "start"}, r"spans must name two columns, such as \('start', 'end'\), got 'start'"),
    ({"spans": ("start", "start")}, "spans names the column 'start' twice"),
    ({"spans": ("start", 2)}, "spans must be names of columns"),
    ({"spans": ("start", "stop")}, "truth has no column 'stop'"),
    ({"spans": ("itemid", "end")}, "itemid of truth must be an integer, got VARCHAR"),
    ({"spans": SPANS, "overlap": 0}, "overlap must be 'any', 'best' or a share"),
    ({"spans": SPANS, "overlap": float("nan")}, "overlap must be 'any', 'best' or a share"),
    ({"spans": SPANS, "overlap": True}, "overlap must be 'any', 'best' or a share"),
    ({"spans": SPANS, "overlap": "most"}, "overlap must be 'any', 'best' or a share"),
    ({"spans": SPANS, "metrics": "span_recall(min_rel=2)"}, "a measure of spans takes no options"),
    ({"spans": SPANS, "metrics": "span_recall", "gain": "linear"}, "gain is an option of"),
    ({"spans": SPANS, "spark": object()}, "spans is for tables of DuckDB, and tables of this call are on"),
]  # fmt: skip


@pytest.mark.parametrize(("arguments", "message"), WRONG)
def test_errors(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(CallError, match=message):
        evaluate(TRUTH, REC, **arguments)


def test_offsets_in_floating_point_are_refused() -> None:
    rec = pd.DataFrame({**REC, "start": [None, *REC["start"][1:]]})
    with pytest.raises(CallError, match="start of rec must be an integer, got DOUBLE: cast it to BIGINT"):
        rankdcg_sql.evaluate(TRUTH, rec, spans=SPANS)


@pytest.mark.parametrize("kind", [str, int])
def test_documents_that_the_corpus_lacks_are_counted_and_named(kind: type) -> None:
    number = {"h": 7, "g": 8}
    truth, rec = (
        table | {"itemid": [each if kind is str else number[each] for each in table["itemid"]]}
        for table in (TRUTH, REC)
    )
    corpus = {"itemid": ["g", "z"] if kind is str else [8, 9]}
    shown = "'h'" if kind is str else "7"
    with pytest.warns(
        DataWarning, match=f"3 rows of truth with an item that has no row in items, such as {shown}"
    ):
        found = evaluate(truth, rec, metrics="span_recall", spans=SPANS, items=corpus)
    counts = found.counts
    assert (counts.rec_unknown_items, counts.truth_unknown_items) == (4, 3)
    assert counts.unknown_items == {"rec": shown, "truth": shown}
    every = evaluate(truth, rec, metrics="span_recall", spans=SPANS)
    assert found.per_user.fetchall() == every.per_user.fetchall()
    known = evaluate(truth, rec, metrics="span_recall", spans=SPANS, items={"itemid": truth["itemid"][2:]})
    assert (known.counts.rec_unknown_items, known.counts.unknown_items) == (0, {})
    with pytest.raises(CallError, match=r"^evaluate: items must have each item once"):
        evaluate(truth, rec, metrics="span_recall", spans=SPANS, items={"itemid": truth["itemid"]})


def test_measures_of_items_are_not_for_spans() -> None:
    with pytest.raises(
        CallError, match="coverage is about recommended items, and with spans items are places"
    ):
        evaluate(TRUTH, REC, metrics="coverage", spans=SPANS, items={"itemid": ["h"]})


def test_results_of_another_overlap_are_others(tmp_path: Path) -> None:
    path = tmp_path / "history.parquet"
    any_of_it, half = (
        evaluate(TRUTH, REC, k=2, metrics="recall", spans=SPANS, overlap=overlap) for overlap in ("any", 0.5)
    )
    for result in (any_of_it, any_of_it, half):
        result.append(path)
    differences = rankdcg_sql.history(path).changes.project("options, difference").fetchall()
    assert sorted(differences, key=str) == [
        ("overlap=0.5", None),
        ("overlap=any", 0.0),
        ("overlap=any", None),
    ]
    with pytest.raises(CallError, match="judge_corrected: judge has options="):
        judge_corrected(half, any_of_it)
