"""Recommended and judged items that the table of items does not have: counts, names, warnings."""

from __future__ import annotations

import json
import pickle
import random
import warnings
from collections import Counter
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pyarrow as pa
import pytest
from support.commands import run

import rankdcg_sql
from rankdcg_sql import DataWarning, compare, evaluate
from rankdcg_sql.evaluation._computing import user_metrics
from rankdcg_sql.report import report

TRUTH = {"userid": [1, 1, 2, 3], "itemid": ["a", "gone", "c", "lost"]}
REC = {
    "userid": [1, 1, 1, 2, 2, 9],
    "itemid": ["a", "new", "b", "made up", "c", "d"],
    "score": [9, 8, 3, 7, 6, 1],
}
ITEMS = {"itemid": ["a", "b", "c", "d"], "popularity": [9, 4, 1, 1]}
NOTES = [
    "2 rows of rec with an item that has no row in items, such as 'made up', 'new'",
    "2 rows of truth with an item that has no row in items, such as 'gone', 'lost'",
]

#: Items as numbers from 0 in types of each kind, and the order of equal scores of these.
KINDS: dict[str, tuple[pa.DataType, Any]] = {
    "int": (pa.int64(), int),
    "small": (pa.int8(), int),
    "unsigned": (pa.uint64(), lambda n: n + 2**63),
    "decimal": (pa.decimal128(20, 2), lambda n: Decimal(n) / 4),
    "float": (pa.float64(), lambda n: n / 4),
    "text": (pa.string(), lambda n: f"it's user {n:02}"),
    "enum": (pa.dictionary(pa.int8(), pa.string()), lambda n: f"i{n:02}"),
    "bytes": (pa.binary(), lambda n: bytes([n, 0])),
}


def drawn(seed: Any, users: int = 30) -> tuple[list[Any], list[Any], list[int]]:
    """Rows of truth and rec, some without an item, some repeated; and a catalogue without some items."""
    chance = random.Random(seed)
    items = [*range(12), None]
    truth = {
        (user, item): chance.choice([0.0, 1.0, 2.0])
        for user in range(users)
        for item in chance.sample(items, 4)
    }
    rec = [
        (chance.randrange(users + 3), chance.choice(items), chance.choice([1.0, 2.0, 3.0]))
        for _ in range(users * 6)
    ]
    return [(*ids, rel) for ids, rel in truth.items()], rec, chance.sample(range(14), 8)


def unknown(
    truth: list[Any], rec: list[Any], catalogue: list[int], users: str, k: int | None
) -> tuple[Counter[int], Counter[int]]:
    """How often each item that the catalogue lacks is in rankings of evaluated users, and is judged."""
    ranked: Counter[int] = Counter()
    for user in {user for user, *_ in truth}:
        best: dict[Any, float] = {}
        for place, (owner, item, score) in enumerate(rec):
            key = ("none", place) if item is None else item
            if owner == user:
                best[key] = max(score, best.get(key, score))
        # Items of equal scores are in ascending order, and those that are NULL come last.
        order = sorted(best, key=lambda each: (-best[each], isinstance(each, tuple), each))
        ranked.update(each for each in order[:k] if not isinstance(each, tuple) and each not in catalogue)
    judged = Counter(item for _, item, _ in truth if item is not None and item not in catalogue)
    return ranked, judged


#: Metrics, and the largest cutoff of those that decide.
ASKED: list[tuple[str, int | None]] = [
    ("ndcg@2, coverage@3, recall@5", 3),
    ("ndcg@2, recall@4", 4),
    ("ndcg@2, recall@all", None),
    ("rankdcg, precision@2", 2),  # users are grouped
    ("rankdcg", None),
    ("unknown_items@1, average_popularity@2", 2),
    ("ndcg(score_type=float32)@3", 3),
]


@pytest.mark.parametrize(
    ("kind", "metrics", "deepest"),
    [
        *((kind, *ASKED[1]) for kind in KINDS),
        *((kind, *asked) for kind in ("int", "text") for asked in ASKED if asked != ASKED[1]),
        *((kind, *ASKED[2]) for kind in ("unsigned", "enum")),
    ],
)
def test_counts_are_those_of_a_literal_search(kind: str, metrics: str, deepest: int | None) -> None:
    arrow, item = KINDS[kind]
    truth, rec, catalogue = drawn(metrics + kind)

    def table(rows: list[Any], *names: str) -> pa.Table:
        columns = dict(zip(names, zip(*rows, strict=True), strict=True))
        ids = pa.array([each if each is None else item(each) for each in columns["itemid"]], arrow)
        return pa.table({**columns, "itemid": ids})

    items = table([(each, float(each)) for each in catalogue], "itemid", "popularity")
    for users in ("truth", "both"):
        found = evaluate(
            table(truth, "userid", "itemid", "rel"),
            table(rec, "userid", "itemid", "score"),
            metrics=metrics.split(", "),
            rel="rel",
            users=users,
            items=items,
        )
        ranked, judged = unknown(truth, rec, catalogue, users, deepest)
        assert min(len(ranked), len(judged)) > 1
        counts = found.counts
        assert (counts.rec_unknown_items, counts.truth_unknown_items) == (ranked.total(), judged.total())
        con = duckdb.connect()
        for role, those in (("rec", ranked), ("truth", judged)):
            con.register(
                "three", pa.table({"item": pa.array([item(each) for each in sorted(those)[:3]], arrow)})
            )
            quoted = "'" if kind in ("text", "enum") else ""
            names = con.execute("SELECT item::VARCHAR FROM three ORDER BY item").fetchall()
            assert counts.unknown_items[role] == ", ".join(f"{quoted}{name}{quoted}" for (name,) in names)
        if "unknown_items@1" in found.means:
            at_1, _ = unknown(truth, rec, catalogue, users, 1)
            assert found.means["unknown_items@1"] == pytest.approx(at_1.total() / counts.users_evaluated)


def test_parts_change_no_count(monkeypatch: pytest.MonkeyPatch) -> None:
    truth, rec, catalogue = drawn(1, 300)
    frames = [pl.DataFrame(rows, ["userid", "itemid", "value"], orient="row") for rows in (truth, rec)]
    asked: dict[str, Any] = {"metrics": ["ndcg@3"], "rel": "value", "score": "value"}
    items = {"itemid": catalogue}
    in_one = evaluate(*frames, items=items, **asked).counts
    monkeypatch.setattr(user_metrics, "memory_limit", lambda _: 20_000.0)
    assert evaluate(*frames, items=items, **asked).counts == in_one
    ranked, judged = unknown(truth, rec, catalogue, "truth", 3)
    assert (in_one.rec_unknown_items, in_one.truth_unknown_items) == (ranked.total(), judged.total())


def test_a_whole_catalogue_and_none_are_no_problem() -> None:
    whole = {"itemid": [*{*TRUTH["itemid"], *REC["itemid"]}]}
    for items in (None, whole):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            found = evaluate(TRUTH, REC, 2, "ndcg", items=items)
        counts = found.counts
        assert (counts.rec_unknown_items, counts.truth_unknown_items, counts.unknown_items) == (0, 0, {})
        assert found.notes() == evaluate(TRUTH, REC, 2, "ndcg").notes()


def test_a_check_leaves_the_metrics_as_they_are() -> None:
    alone, checked = (evaluate(TRUTH, REC, items=items) for items in (None, ITEMS))
    assert checked.per_user.fetchall() == alone.per_user.fetchall()
    assert checked.summary.fetchall() == alone.summary.fetchall()
    assert checked.metrics == alone.metrics
    assert checked.measures == alone.measures


def test_warnings_notes_and_reports_say_the_same(tmp_path: Path) -> None:
    with pytest.warns(DataWarning) as met:
        found = evaluate(TRUTH, REC, 2, "ndcg", items=ITEMS)
    assert [str(each.message) for each in met] == [f"evaluate: {note}" for note in NOTES]
    assert {each.message.kind for each in met} == {"rows"}
    assert found.counts.notes()[-2:] == NOTES
    assert all(note in repr(found) for note in NOTES)
    report(found, tmp_path / "one.html")
    page = (tmp_path / "one.html").read_text("utf-8")
    assert "no row in items, such as &#x27;made up&#x27;, &#x27;new&#x27;" in page
    assert "truth unknown items" in page
    assert pickle.loads(pickle.dumps(found)).counts == found.counts


def test_systems_have_counts_of_their_own() -> None:
    other = {"userid": [1, 2, 3], "itemid": ["b", "c", "zz"], "score": [1, 1, 1]}
    with pytest.warns(DataWarning) as met:
        found = compare(TRUTH, {"one": REC, "two": other}, k=2, metrics="ndcg", items=ITEMS)
    assert [counts.unknown_items["rec"] for counts in found.counts.values()] == ["'made up', 'new'", "'zz'"]
    of_two = "compare: two: 1 row of rec with an item that has no row in items, such as 'zz'"
    assert of_two in [str(each.message) for each in met]


def test_a_name_of_an_item_keeps_its_words() -> None:
    truth = {"userid": [1, 1], "itemid": ["a", "manual for users"]}
    found = evaluate(truth, REC, 1, "ndcg", items=ITEMS, unit="queries", users="truth")
    assert found.notes()[:2] == [
        "2 queries of rec without a row in truth, not evaluated",
        "1 row of truth with an item that has no row in items, such as 'manual for users'",
    ]


@pytest.mark.parametrize(
    ("truth", "rec", "items"),
    [
        ("BIGINT", "INT", "TINYINT"),
        ("BIGINT", "BIGINT", "HUGEINT"),
        ("UBIGINT", "BIGINT", "UHUGEINT"),
        ("DECIMAL(38, 30)", "DECIMAL(4, 1)", "BIGINT"),
        ("DECIMAL(3, 0)", "INT", "DECIMAL(38, 37)"),
        ("VARCHAR", "ENUM('1', '2', '3')", "VARCHAR"),
        ("DOUBLE", "DOUBLE", "FLOAT"),
        ("UUID", "UUID", "UUID"),
        ("DATE", "DATE", "DATE"),
    ],
)
def test_items_of_types_that_differ(truth: str, rec: str, items: str) -> None:
    value = {"UUID": "('00000000-0000-0000-0000-00000000000' || {})", "DATE": "'2020-01-0{}'"}
    con = duckdb.connect()

    def table(name: str, kind: str, *numbers: int) -> None:
        written = value.get(kind, "'{}'")
        rows = ", ".join(f"(1, {written.format(number)}::{kind}, 9 - {number})" for number in numbers)
        con.execute(f"CREATE TABLE {name} AS FROM (VALUES {rows}) AS t(userid, itemid, score)")

    table("truth", truth, 1, 2)
    table("rec", rec, 1, 3)
    table("items", items, 1)
    counts = evaluate("truth", "rec", 2, "ndcg", items="items", con=con).counts
    assert (counts.rec_unknown_items, counts.truth_unknown_items) == (1, 1)
    for role, number in (("rec", 3), ("truth", 2)):
        assert str(number) in counts.unknown_items[role]


@pytest.mark.parametrize("kind", [pa.int8(), pa.uint32(), pa.int64(), pa.uint64()])
def test_integers_at_the_ends_of_a_catalogue(kind: pa.DataType) -> None:
    """A catalogue without gaps is compared with truth by its ends."""
    for catalogue, judged, unknown in (
        ([2, 3, 4], [4, 2], 0),
        ([4, 3, 2], [1, 3], 1),
        ([2, 3, 4], [3, 5, 5], 2),
        ([2, 4], [4, 2], 0),
        ([2, 4], [3], 1),
        ([2, None, 3], [3], 0),
        ([2, None, 4], [3], 1),
        ([7], [7], 0),
        ([None], [7], 1),
    ):
        truth = pa.table({"userid": [*range(len(judged))], "itemid": pa.array(judged, kind)})
        rec = pa.table({"userid": [0], "itemid": pa.array(judged[:1], kind), "score": [1.0]})
        for of_items in (kind, pa.int64()):
            items = pa.table({"itemid": pa.array(catalogue, of_items)})
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", rankdcg_sql.DataWarning)
                counts = evaluate(truth, rec, 2, "coverage", items=items).counts
            assert counts.truth_unknown_items == unknown


def test_rows_of_aspects_are_counted() -> None:
    truth = {"userid": [1] * 4, "itemid": ["a", "gone", "gone", "gone"], "aspect": ["x", "x", "y", None]}
    found = evaluate(truth, REC, 2, ["alpha_ndcg", "ndcg"], aspect="aspect", items=ITEMS)
    assert (found.counts.rec_unknown_items, found.counts.truth_unknown_items) == (1, 3)


WRONG: list[tuple[Any, str]] = [
    ({"itemid": [1]}, "the items of rec and items must be of one type"),
    ({"thing": ["a"]}, "items has no column 'itemid'"),
    ({"itemid": ["a", "a"]}, "items must have each item once"),
    ({"itemid": pa.array([], pa.string())}, "items has no rows"),
    (3, "items must be a path"),
]


@pytest.mark.parametrize(("items", "message"), WRONG)
def test_errors_name_the_argument(items: Any, message: str) -> None:
    with pytest.raises((ValueError, TypeError), match=message):
        evaluate(TRUTH, REC, 2, "ndcg", items=items)


def test_a_catalogue_of_null_has_no_item() -> None:
    found = evaluate(TRUTH, REC, 2, "ndcg", items={"itemid": pa.array([None], pa.string())})
    assert (found.counts.rec_unknown_items, found.counts.truth_unknown_items) == (4, 4)


def test_a_requirement_limits_unknown_items() -> None:
    found = evaluate(TRUTH, REC, 2, ["ndcg", "unknown_items"], items=ITEMS)
    found.require("measured unknown_items@2 at most 0.7")
    with pytest.raises(rankdcg_sql.RequirementError, match=r"unknown_items@2 <= 0 \(mean 0.6667, 3 users"):
        found.require("measured unknown_items@2 at most 0")


def test_results_with_a_catalogue_are_explained_and_fingerprinted() -> None:
    found = evaluate(TRUTH, REC, 2, "ndcg", items=ITEMS, fingerprints=True)
    assert {*found.fingerprints} == {"truth", "rec", "items"}
    other = evaluate(TRUTH, REC, 2, "ndcg", items={"itemid": ["a"]}, fingerprints=True)
    assert other.fingerprints["items"] != found.fingerprints["items"]
    assert "ndcg@2 of user 1" in repr(found.explain(user=1))
    assert rankdcg_sql.explain_change(found, other).parts.fetchall()


def test_the_command_line_says_them(tmp_path: Path) -> None:
    for name, columns in (("truth", TRUTH), ("rec", REC), ("items", ITEMS)):
        pl.DataFrame(columns).write_csv(tmp_path / f"{name}.csv")
    given = [
        each for name in ("truth", "rec", "items") for each in (f"--{name}", str(tmp_path / f"{name}.csv"))
    ]
    assert all(note in run("evaluate", *given, "-m", "ndcg@2").stderr for note in NOTES)
    found = json.loads(run("evaluate", *given, "-m", "ndcg@2", "--output", "json").stdout)
    assert found["counts"]["rec_unknown_items"] == found["counts"]["truth_unknown_items"] == 2
    assert found["counts"]["unknown_items"] == {"rec": "'made up', 'new'", "truth": "'gone', 'lost'"}
    assert [each["text"] for each in found["warnings"]] == NOTES
