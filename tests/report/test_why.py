"""The section of a report that says why means differ."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import duckdb
import pyarrow as pa
from conftest import needs_duckdb_2
from support.invented_changes import change
from support.pages import decision, table

from rankdcg_sql import compare

if TYPE_CHECKING:
    from support.pages import Writer

MINUS, DASH = "\N{MINUS SIGN}", "\N{EN DASH}"


def why(page: str) -> str:
    """The section, without its tags."""
    return re.sub("<[^>]*>", "", page.partition("<h2>Why</h2>")[2].partition("<h2>")[0])


def test_a_change_begins_with_its_parts(written: Writer) -> None:
    page = written(change())
    assert "<h1>Change</h1>" in page
    assert decision(page) == ["ndcg@10 rose."]
    rows = table(page, "metric", "part")
    assert [(row["part"], row["verdict"], row["share"], row["users"]) for row in rows] == [
        ("ranking", "undecided", f"{MINUS}28.2%", "4,650"),
        ("users who left", "undecided", "+1.7%", "40"),
        ("users who came", "▲ up", "+170.9%", "310"),
        ("judgements", "▼ down", f"{MINUS}44.4%", "4,650"),
        ("total", "▲ up", "+100.0%", "5,000"),
    ]
    assert rows[0]["difference"] == f"{MINUS}0.0033{MINUS}0.0070 to +0.0004"
    assert [row["p"] for row in rows] == ["0.080", "0.400", "< 0.001", "< 0.001", "0.010"]


def test_a_part_without_a_test_has_no_verdict(written: Writer) -> None:
    untested = change().parts.project("* REPLACE (NULL::DOUBLE AS p_value, NULL::DOUBLE AS p_corrected)")
    rows = table(written(change(parts=untested)), "metric", "part")
    assert {(row["verdict"], row["p"]) for row in rows} == {("no test", DASH)}


def test_the_methods_say_how_a_change_is_divided(written: Writer) -> None:
    page = written(change())
    assert "The step from the value before to the third one is the share of judgements" in page
    assert "parts of the change, two-sided, 95%" in [row["of"] for row in table(page, "of", "method")]
    assert "means over both orders" in written(change(order="shapley"))


def test_the_users_items_and_moves_that_decide_are_named(written: Writer) -> None:
    page = written(change())
    shares = ["+256.4%", "+34.2%", "+6.0%", f"{MINUS}25.6%", f"{MINUS}170.9%"]
    users = table(page, "user", "before", "after")
    assert [row["share of it"] for row in users] == shares
    assert users[0] == {"user": "user 1", "before": "0.2500", "after": "0.5000", "share of it": shares[0]}
    items = table(page, "item", "users", "won", "lost")
    assert [row["share of it"] for row in items] == shares
    assert items[4] == {"item": "item 5", "users": "11", "won": "8", "lost": "3", "share of it": shares[4]}
    assert [tuple(row.values()) for row in table(page, "move", "relevant items")] == [
        ("into the top 10", "1,000", "700", "+0.0180"),
        ("out of the top 10", "12", "9", f"{MINUS}0.0200"),
        ("up within the top 10", "5", "5", "+0.0010"),
        ("none: a rule for empty rankings gives the value", "2", "2", "+0.0000"),
    ]
    # The segment that moved the mean further comes first.
    assert [tuple(row.values()) for row in table(page, "plan", "ranking")] == [
        ("paid", DASH, "+0.0147"),
        ("free", f"{MINUS}0.0030", f"{MINUS}0.0030"),
    ]
    for sentence in (
        "1 of 5 users make up half of the difference",
        "without 1 of the 2 users who decide most, each alone, the verdict of the t test would be another",
        f"without all of them, the difference is +0.0051 (95% interval {MINUS}0.0049 to +0.0151)",
    ):
        assert sentence in why(page)
    assert "7.0% of judged items are gone" in page.partition("<h2>Notes</h2>")[2]


def test_five_users_are_named_on_either_side(written: Writer) -> None:
    """Users whose share is 0 are none of them."""
    many = duckdb.sql(
        "SELECT 'ndcg' AS metric, 10 AS k, i AS place, 20 AS n, 'u' || i AS userid, 0.5 AS before, "
        "0.5 AS after, CASE WHEN i <= 7 THEN 3 WHEN i <= 14 THEN 0 ELSE -2 END AS difference, "
        "sum(difference) OVER (ORDER BY i) AS cumulative, cumulative / 9 AS share FROM range(1, 21) AS t(i)"
    )
    rows = table(written(change(deciding_users=many)), "user", "before")
    assert [row["user"] for row in rows] == [f"u{place}" for place in (1, 2, 3, 4, 5, 16, 17, 18, 19, 20)]


def test_without_tables_only_users_are_named(written: Writer) -> None:
    page = written(change(has_items=False, deciding_items=None, by_move=None, by=()))
    assert "Users who make up most" in page
    assert "Items that make up" not in page
    assert "Moves of relevant items" not in page


@needs_duckdb_2
def test_tables_that_cannot_be_read_again_leave_items_out(written: Writer) -> None:
    truth: dict[str, list[int]] = {"userid": [1, 2], "itemid": [1, 2]}
    recs = {name: {**truth, "itemid": [1, last], "score": [1, 1]} for name, last in (("old", 3), ("new", 2))}
    streams = {name: pa.table(rec).to_reader() for name, rec in recs.items()}
    section = why(written(compare(truth, streams, k=1, metrics="recall")))
    assert "Users who make up most of the difference of recall@1" in section
    assert "Items are left out. explain_change: old cannot be read: it has no rows, or had been" in section


def test_a_verdict_that_no_user_decides(written: Writer) -> None:
    firm = change().jackknife.project("* REPLACE (0.001 AS p_value)")
    sentence = "without any one of the 2 users who decide most, the verdict of the t test is the same"
    assert sentence in why(written(change(jackknife=firm)))
    assert "t test" not in why(written(change(jackknife=firm.limit(0))))
