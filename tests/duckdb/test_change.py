"""`rank_change` and its kin: why a mean moved between two runs."""

from __future__ import annotations

import json
import random
import re
from collections import Counter, defaultdict
from itertools import product
from math import fsum
from typing import TYPE_CHECKING, Any

import duckdb
import pytest
from conftest import _CONNECTIONS, needs_duckdb_2
from scipy import stats
from support import reference
from support.sql import insert, rows

import rankdcg_sql

if TYPE_CHECKING:
    from collections.abc import Iterator

RUNS = "truth_before, rec_before, truth_after, rec_after"
PARTS = ("users_left", "users_came", "judgements", "ranking")
#: Metrics that are sums over items, and others.
METRICS = ("ndcg", "precision", "recall", "f1", "mrr", "average_precision", "hit_rate", "auc")
OF_ITEMS = METRICS[:6]
#: Types of ids, written from whole numbers.
TYPES = {
    "BIGINT": "{}::BIGINT",
    "VARCHAR": "'id ' || {}",
    "UUID": "('00000000-0000-0000-0000-' || lpad({}::VARCHAR, 12, '0'))::UUID",
}


def near(expected: Any) -> Any:
    return None if expected is None else pytest.approx(float(expected), rel=0, abs=1e-12)


def make_runs(con: duckdb.DuckDBPyConnection, seed: int, kind: str = "BIGINT") -> None:
    """Make the tables of two runs, with NULLs, repeats and ties.

    Users left and came, and judgements and scores changed.
    """
    draw = random.Random(seed)
    judged = {
        (user, draw.randrange(12)): draw.choice([0, 1, 1, 2, None]) for user in range(40) for _ in range(5)
    }
    scored = {
        (user, draw.randrange(14)): draw.choice([None, "nan", 1, 2, 2.5, 3, 4])
        for user in range(3, 44)
        for _ in range(7)
    }

    def changed(rows: dict[Any, Any], numbers: list[Any], left: set[int], came: int) -> list[tuple[Any, ...]]:
        kept = {ids: number if draw.random() < 0.8 else draw.choice(numbers) for ids, number in rows.items()}
        kept = {ids: number for ids, number in kept.items() if ids[0] not in left and draw.random() < 0.9}
        new = {(came + draw.randrange(4), draw.randrange(12)): draw.choice(numbers) for _ in range(12)}
        return [(*ids, number) for ids, number in (kept | new).items()]

    left = {*draw.sample(range(40), 5)}
    tables = {
        "truth_before": ("rel", [(*ids, rel) for ids, rel in judged.items()]),
        "rec_before": ("score", [(*ids, score) for ids, score in scored.items()]),
        "truth_after": ("rel", changed(judged, [0, 1, 2], left, 100)),
        "rec_after": ("score", changed(scored, [1, 2, 3, 5], left, 100)),
    }
    for name, (number, found) in tables.items():
        found += [*draw.choices(found, k=5), (None, 1, 1), (5, None, 1), (6, 99, 1)]
        con.execute(f"CREATE OR REPLACE TABLE given (u BIGINT, i BIGINT, {number} DOUBLE)")
        insert(con, "given", draw.sample(found, len(found)))
        con.execute(
            f"CREATE OR REPLACE TABLE {name} AS SELECT {TYPES[kind].format('u')} AS userid, "
            f"{TYPES[kind].format('i')} AS itemid, {number} FROM given"
        )


def values(
    con: duckdb.DuckDBPyConnection, given: str, users: str
) -> dict[tuple[str, int | None], list[list[Any]]]:
    """The four values of each user by `rank_evaluate`, by metric and k. None is not in the mean."""
    found: dict[tuple[str, int | None], dict[Any, list[Any]]] = defaultdict(
        lambda: defaultdict(lambda: [None] * 4)
    )
    for place, (truth, rec) in enumerate(product(("before", "after"), repeat=2)):
        # The order of the reference: before, middle, other middle, after.
        place = (0, 2, 1, 3)[place]
        is_mean = place in (0, 3) and users == "both"
        query = f"""
            SELECT userid, k, {", ".join(METRICS)} FROM rank_evaluate(truth_{truth}, rec_{rec}, {given})
            WHERE retrieved > 0 OR NOT {is_mean}
        """
        for user, k, *of_metrics in rows(con, query):
            for metric, value in zip(METRICS, of_metrics, strict=True):
                found[metric, k][user][place] = value
    return {measure: [*of_users.values()] for measure, of_users in found.items()}


CASES = [
    ("sequential", "truth", "", "BIGINT"),
    ("shapley", "truth", "no_relevant=zero, ties=optimistic", "VARCHAR"),
    ("sequential", "both", "empty_rec=null, gain=linear", "UUID"),
    ("shapley", "both", "convention=trec_eval", "BIGINT"),
    ("shapley", "truth", "no_relevant=one, min_rel=2", "BIGINT"),
]


@needs_duckdb_2
@pytest.mark.parametrize(("attribution", "users", "options", "kind"), CASES)
def test_the_parts_are_those_of_the_reference(
    empty: duckdb.DuckDBPyConnection, attribution: str, users: str, options: str, kind: str
) -> None:
    make_runs(empty, len(options), kind)
    given = f"k := [3, NULL], rel := 'rel', options := '{options}'"
    change = f"{RUNS}, {given}, metrics := {[*METRICS]}, users := '{users}', attribution := '{attribution}'"
    expected = values(empty, given, users)
    query = f"SELECT metric, k, part, users, before, after, difference, share FROM rank_change({change})"
    parts = defaultdict(dict)
    for metric, k, part, *cells in rows(empty, query):
        parts[metric, k][part] = cells
    assert [*parts] == [*product(METRICS, (3, None))]
    by_user = defaultdict(lambda: defaultdict(list))
    for metric, k, part, value in rows(
        empty, f"SELECT metric, k, part, difference FROM rank_change_by_user({change})"
    ):
        by_user[metric, k][part].append(value)
    for measure, found in parts.items():
        assert [*found] == [*PARTS, "total"]
        of_users = reference.parts_of_change(expected[measure], attribution)
        *_, (in_total, before, after, total, of_total) = found.values()
        assert in_total == sum(row[0] is not None or row[3] is not None for row in expected[measure])
        for place, mean in ((0, before), (3, after)):
            of_run = [row[place] for row in expected[measure] if row[place] is not None]
            assert mean == near(fsum(of_run) / len(of_run))
        assert total == near(after - before) == near(fsum(found[part][3] for part in PARTS))
        assert of_total == (1 if total else None)
        for part in PARTS:
            users_of_part, first, last, difference, share = found[part]
            assert difference == near(sum(of_users[part])) == near(last - first)
            assert sorted(by_user[measure][part]) == [near(each) for each in sorted(of_users[part])]
            assert share == (near(difference / total) if total else None)
            moved = sum(abs(each) > 1e-12 for each in of_users[part])
            assert users_of_part == (len(of_users[part]) if part in PARTS[:2] else moved)


@needs_duckdb_2
@pytest.mark.parametrize("attribution", ["sequential", "shapley"])
def test_intervals_and_tests_are_those_of_the_users(
    empty: duckdb.DuckDBPyConnection, attribution: str
) -> None:
    make_runs(empty, 3)
    change = f"{RUNS}, 3, rel := 'rel', attribution := '{attribution}'"
    found = {
        part: cells
        for part, *cells in rows(
            empty,
            f"SELECT part, low, high, p_value, p_corrected FROM rank_change({change}, confidence := 0.9)",
        )
    }
    of_users: dict[str, list[tuple[float | None, float | None]]] = defaultdict(list)
    for part, before, after in rows(empty, f"SELECT part, before, after FROM rank_change_by_user({change})"):
        of_users[part].append((before, after))
    before = [before for before, _ in of_users["judgements"]]
    after = [after for _, after in of_users["ranking"]]
    left = [before for before, _ in of_users["users_left"]]
    came = [after for _, after in of_users["users_came"]]
    for part in ("judgements", "ranking"):
        first, last = zip(*of_users[part], strict=True)
        tested = stats.ttest_rel(last, first)
        interval = tested.confidence_interval(0.9)
        assert found[part][:3] == [pytest.approx(each) for each in (*interval, tested.pvalue)], part
    # The mean of those who stay, with that of all users of the run.
    for part, pairs in (
        ("users_left", [*zip(before, before, strict=True), *((None, each) for each in left)]),
        ("users_came", [*zip(after, after, strict=True), *((each, None) for each in came)]),
    ):
        difference, error, freedom = reference.partially_overlapping_t_test(pairs)
        interval = [difference + side * stats.t.isf(0.05, freedom) * error for side in (-1, 1)]
        p_value = 2 * stats.t.sf(abs(difference / error), freedom)
        assert found[part][:3] == [pytest.approx(each) for each in (*interval, p_value)], part
    p_values = [found[part][2] for part in PARTS]
    assert [found[part][3] for part in PARTS] == pytest.approx(reference.corrected_p_values(p_values))
    # The first of all rows is that of the run before.
    pairs = [
        *zip(after, before, strict=True),
        *((None, each) for each in left),
        *((each, None) for each in came),
    ]
    difference, error, freedom = reference.partially_overlapping_t_test(pairs)
    half_width = stats.t.isf(0.05, freedom) * error
    p_value = 2 * stats.t.sf(abs(difference / error), freedom)
    assert found["total"] == pytest.approx(
        [difference - half_width, difference + half_width, p_value, p_value]
    )


@needs_duckdb_2
def test_options_and_a_cutoff_of_a_metric_are_those_of_a_call(empty: duckdb.DuckDBPyConnection) -> None:
    make_runs(empty, 11)
    for attribution, named, own, alone in (
        ("sequential", "P(rel=2)@3", "precision(min_rel=2)",
         "k := 3, metrics := 'precision', options := 'min_rel=2'"),
        ("shapley", "RBP(p=0.5)@all", "rbp(p=0.5)", "k := NULL, metrics := 'rbp', options := 'p=0.5'"),
        ("shapley", "cg", "cg", "k := 4, metrics := 'cg'"),
        ("sequential", "R_Precision", "r_precision", "k := 9, metrics := 'r_precision'"),
    ):  # fmt: skip
        given = f"{RUNS}, rel := 'rel', attribution := '{attribution}'"
        together = f"{given}, k := 4, metrics := ['ndcg@2', '{named}', 'mrr']"
        for rows_of, order in (("", ""), ("_by_user", " ORDER BY ALL")):
            found = rows(empty, f"FROM rank_change{rows_of}({together}) WHERE metric = '{own}'{order}")
            query = f"FROM rank_change{rows_of}({given}, {alone}){order}"
            expected = rows(empty, f"SELECT * REPLACE ('{own}' AS metric) {query}")
            assert found == expected != []
        measures = rows(empty, f"SELECT DISTINCT metric FROM rank_change({together})")
        assert {*measures} == {"ndcg", own, "mrr"}


@needs_duckdb_2
@pytest.mark.parametrize("few", ["stay", "go"])
def test_few_users_of_one_value_are_no_significant_part(empty: duckdb.DuckDBPyConnection, few: str) -> None:
    # Every second of 103 users has a hit, and so have the first three, who alone stay or alone go.
    empty.execute(
        f"""
        CREATE TABLE truth_before AS SELECT userid, 'a' AS itemid FROM range(103) AS u(userid);
        CREATE TABLE truth_after AS FROM truth_before WHERE (userid < 3) = ('{few}' = 'stay');
        CREATE TABLE rec AS
        SELECT userid, CASE WHEN userid < 3 OR userid % 2 = 0 THEN 'a' ELSE 'b' END AS itemid, 1 AS score
        FROM truth_before;
        """
    )
    change = "truth_before, rec, truth_after, rec, k := 1, metrics := 'recall'"
    (p_value,) = rows(empty, f"SELECT p_value FROM rank_change({change}) WHERE part = 'users_left'")
    hits = [1.0 if user < 3 or user % 2 == 0 else 0.0 for user in range(103)]
    assert p_value == pytest.approx(stats.ttest_ind(hits[:3], hits[3:]).pvalue, rel=0.1)


@needs_duckdb_2
@pytest.mark.parametrize("metric", ["ndcg", "hit_rate"])
def test_with_one_truth_the_total_is_that_of_rank_compare(
    empty: duckdb.DuckDBPyConnection, metric: str
) -> None:
    """The ranking is then the only part, and users without recommendations count."""
    make_runs(empty, 5)
    given = f"k := 3, rel := 'rel', metrics := '{metric}'"
    columns = "low, high, p_value"
    compared = rows(
        empty, f"SELECT {columns} FROM rank_compare(truth_before, rec_before, rec_after, {given})"
    )
    empty.execute("CREATE VIEW copied AS FROM truth_before")
    of_copy = []
    for truth in ("truth_before", "'truth_before'", "copied"):
        call = f"rank_change(truth_before, rec_before, {truth}, rec_after, {given})"
        found = {
            part: cells
            for part, *cells in rows(empty, f"SELECT part, difference, users, {columns} FROM {call}")
        }
        of_copy.append(found)
        assert tuple(found["total"][2:]) == tuple(found["ranking"][2:]) == compared[0]
        for part in PARTS[:3]:
            assert found[part] == [0, 0, None, None, None]
    assert of_copy[0] == of_copy[1] == of_copy[2]


@needs_duckdb_2
def test_with_one_truth_no_table_is_read_for_values_between(
    empty: duckdb.DuckDBPyConnection,
) -> None:
    size = 200_000
    for name in RUNS.split(", "):
        empty.execute(
            f"CREATE TABLE {name} AS SELECT i % 99 AS userid, i AS itemid, 1 AS score FROM range({size}) t(i)"
        )

    def times_read(truth_after: str) -> dict[str, int]:
        call = f"rank_change(truth_before, rec_before, {truth_after}, rec_after)"
        (plan,) = (json.loads(row[1]) for row in rows(empty, f"EXPLAIN (ANALYZE, FORMAT json) FROM {call}"))
        counts: Counter[str] = Counter()
        operators = plan["operator"]
        while operators:
            each = operators.pop()
            operators += each.get("children", [])
            if table := each.get("extra_info", {}).get("Table"):
                counts[table.split(".")[-1]] += each["rows_scanned"]
        # Reads of which no row is needed end soon.
        return {name: count // size for name, count in counts.items()}

    assert times_read("truth_before") == {"truth_before": 2, "rec_before": 1, "rec_after": 1}
    assert times_read("truth_after") == {"truth_before": 1, "rec_before": 2, "truth_after": 2, "rec_after": 1}


@needs_duckdb_2
@pytest.mark.parametrize(("attribution", "users", "options", "kind"), CASES)
def test_items_and_moves_add_up_to_the_parts(
    empty: duckdb.DuckDBPyConnection, attribution: str, users: str, options: str, kind: str
) -> None:
    make_runs(empty, len(options) + 1, kind)
    # Each metric takes its own options alone: gains are of NDCG, and it does not take min_rel with them.
    metrics = ["ndcg"] if "gain" in options else [*OF_ITEMS[1:]] if "min_rel" in options else [*OF_ITEMS]
    if not options:
        metrics += ["dcg", "rbp", "r_precision", "rankdcg"]
    k = None if users == "both" else 3
    change = (
        f"{RUNS}, k := {k or 'NULL'}, rel := 'rel', options := '{options}', metrics := {metrics}, "
        f"users := '{users}', attribution := '{attribution}'"
    )
    parts = defaultdict(dict)
    for metric, part, value in rows(empty, f"SELECT metric, part, difference FROM rank_change({change})"):
        parts[metric][part] = value
    columns = "metric, k, judgements, ranking, users, won, lost"
    items = rows(empty, f"SELECT {columns} FROM rank_change_by_item({change})")
    moves = rows(empty, f"SELECT metric, k, move, ranking FROM rank_change_by_move({change})")
    whole = ("r_precision", "rankdcg")
    assert {(row[0], row[1]) for row in items + moves} == {
        (metric, None if metric in whole else k) for metric in metrics
    }
    for metric in metrics:
        for place, part in ((2, "judgements"), (3, "ranking")):
            assert fsum(row[place] for row in items if row[0] == metric) == near(parts[metric][part])
        assert fsum(row[3] for row in moves if row[0] == metric) == near(parts[metric]["ranking"])
    assert all(won + lost <= of_item for *_, of_item, won, lost in items)
    in_tables = " UNION ".join(f"SELECT itemid FROM {name}" for name in RUNS.split(", "))
    query = f"SELECT count(*) FROM rank_change_by_item({change}) WHERE itemid NOT IN ({in_tables})"
    assert rows(empty, query) == [0]


#: Precision at 2 of users 1 to 4, of whom 3 left and 4 came, by hand. User 1 gets b in the place of c, and d
#: becomes relevant to user 2.
BY_HAND = """
    CREATE TABLE truth_before AS FROM (VALUES (1, 'a'), (1, 'b'), (2, 'a'), (3, 'a')) AS t(userid, itemid);
    CREATE TABLE truth_after AS
    FROM (VALUES (1, 'a'), (1, 'b'), (2, 'a'), (2, 'd'), (4, 'x')) AS t(userid, itemid);
    CREATE TABLE rec_before AS FROM (VALUES
        (1, 'c', 3), (1, 'a', 2), (1, 'b', 1), (2, 'a', 2), (2, 'd', 1), (3, 'b', 2), (3, 'c', 1)
    ) AS r(userid, itemid, score);
    CREATE TABLE rec_after AS FROM (VALUES
        (1, 'a', 3), (1, 'b', 2), (1, 'c', 1), (2, 'd', 2), (2, 'e', 1), (4, 'x', 2), (4, 'c', 1)
    ) AS r(userid, itemid, score);
"""


@needs_duckdb_2
def test_a_change_by_hand(empty: duckdb.DuckDBPyConnection) -> None:
    """The values are 1/2, 1/2 and 0 before, 1/2 and 1 in the middle, and 1, 1/2 and 1/2 after."""
    empty.execute(BY_HAND)
    call = f"({RUNS}, k := 2, metrics := 'precision')"
    found = rows(empty, f"SELECT part, users, before, after FROM rank_change{call}")
    assert found == [
        ("users_left", 1, near(1 / 3), 0.5),
        ("users_came", 1, 0.75, near(2 / 3)),
        ("judgements", 1, 0.5, 0.75),
        ("ranking", 2, 0.75, 0.75),
        ("total", 4, near(1 / 3), near(2 / 3)),
    ]
    found = rows(empty, f"FROM rank_change_by_item{call} ORDER BY itemid")
    assert found == [
        ("a", "precision", 2, 0.0, -0.25, 2, 0, 1),
        ("b", "precision", 2, 0.0, 0.25, 1, 1, 0),
        ("d", "precision", 2, 0.25, 0.0, 1, 1, 0),
    ]
    assert rows(empty, f"SELECT * EXCLUDE (metric, k) FROM rank_change_by_move{call}") == [
        ("into top k", 1, 1, 0.25),
        ("up", 2, 2, 0.0),
        ("out of top k", 1, 1, -0.25),
    ]


def test_items_that_are_gone(empty: duckdb.DuckDBPyConnection) -> None:
    """Items a and b were judged and recommended before. DuckDB 1.5 counts them, too."""
    empty.execute(BY_HAND)
    assert rows(empty, f"FROM rank_change_ids({RUNS})") == [(2, 0, 0.0)]
    renamed = "SELECT userid, itemid || '-new' AS itemid"
    empty.execute(
        f"CREATE TABLE t AS {renamed} FROM truth_after; CREATE TABLE r AS {renamed}, score FROM rec_after"
    )
    assert rows(empty, "FROM rank_change_ids(truth_before, rec_before, t, r)") == [(2, 2, 1.0)]
    assert rows(empty, "FROM rank_change_ids(truth_before, rec_before, t, rec_after)") == [(2, 0, 0.0)]
    assert rows(empty, "FROM rank_change_ids(t, rec_before, t, r)") == [(0, 0, None)]
    # Without a user, a score or a judgement, an item is neither recommended nor judged.
    empty.execute("""
        ALTER TABLE truth_before ADD COLUMN rel INTEGER DEFAULT 1;
        CREATE TABLE nothing AS
        SELECT userid, itemid, NULL::DOUBLE AS score, 'NaN'::DOUBLE AS rel FROM truth_before;
        CREATE TABLE nobody AS SELECT NULL::INTEGER AS userid, itemid, 1 AS score, 1 AS rel FROM nothing
    """)
    for gone in ("nothing", "nobody"):
        for tables, expected in (
            (f"truth_before, {gone}, truth_before, rec_before", (0, 0, None)),
            (f"{gone}, rec_before, truth_before, rec_before", (0, 0, None)),
            (f"truth_before, rec_before, {gone}, {gone}", (2, 2, 1.0)),
        ):
            assert rows(empty, f"FROM rank_change_ids({tables}, rel := 'rel')") == [expected], tables


@needs_duckdb_2
def test_without_a_common_user_their_mean_counts_as_0(empty: duckdb.DuckDBPyConnection) -> None:
    empty.execute(BY_HAND)
    others = "SELECT userid + 10 AS userid, itemid"
    empty.execute(
        f"CREATE TABLE t AS {others} FROM truth_after; CREATE TABLE r AS {others}, score FROM rec_after"
    )
    call = "(truth_before, rec_before, t, r, k := 2, metrics := 'precision')"
    found = rows(empty, f"SELECT part, difference FROM rank_change{call}")
    expected = (near(-1 / 3), near(2 / 3), 0, 0, near(1 / 3))
    assert dict(found) == dict(zip((*PARTS, "total"), expected, strict=True))
    assert fsum(rows(empty, f"SELECT difference FROM rank_change_by_user{call}")) == near(1 / 3)
    empty.execute("CREATE TABLE nothing AS FROM truth_before LIMIT 0")
    found = rows(empty, "SELECT part, difference FROM rank_change(nothing, rec_before, t, r, 2, 'precision')")
    assert dict(found)["total"] is None


@needs_duckdb_2
def test_threads_and_the_order_of_rows_change_no_bit(empty: duckdb.DuckDBPyConnection) -> None:
    for name in ("truth_before", "truth_after"):
        empty.execute(
            f"CREATE TABLE {name} AS SELECT hash(i, '{name}') % 900 AS userid, hash(i, 1) % 50 AS itemid "
            "FROM range(5000) AS t(i)"
        )
    for name in ("rec_before", "rec_after"):
        empty.execute(
            f"CREATE TABLE {name} AS SELECT hash(i, 2) % 900 AS userid, hash(i, 3) % 50 AS itemid, "
            f"hash(i, '{name}') % 97 AS score FROM range(10000) AS t(i)"
        )
    found = set()
    for threads in (1, 3):
        empty.execute(f"SET threads = {threads}")
        for name in RUNS.split(", "):
            empty.execute(
                f"CREATE OR REPLACE TABLE {name} AS FROM {name} ORDER BY hash(userid, itemid, {threads})"
            )
        queries = [
            f"FROM rank_change({RUNS}, [5, NULL], ['ndcg', 'average_precision'], 'shapley')",
            f"FROM rank_change_by_user({RUNS}, 5) ORDER BY ALL",
            f"FROM rank_change_by_item({RUNS}, 5, 'ndcg', 'shapley') ORDER BY ALL",
            f"FROM rank_change_by_move({RUNS}, 5, ['mrr', 'ndcg'])",
        ]
        found.add(repr([rows(empty, query) for query in queries]))
    assert len(found) == 1


# The helpers that Python calls


@pytest.mark.parametrize("attribution", ["sequential", "shapley"])
def test_helpers_are_the_same_on_every_connection(attribution: str) -> None:
    """A connection with Python functions has no native aggregates, as no DuckDB before 2.0 has."""
    draw = random.Random(attribution)
    of_users = [
        [draw.choice([None, value, value]) for value in (draw.random() for _ in range(4))] for _ in range(30)
    ]
    given = [(user, "ndcg", None, *cells) for user, cells in enumerate(of_users)]
    found = []
    for opened in {id(con): con for con in _CONNECTIONS.values()}.values():
        con = opened.cursor()
        rankdcg_sql.register(con)
        kinds = ", ".join(f"{name} DOUBLE" for name in ("before", "middle", "other_middle", "after"))
        con.execute(
            f"CREATE TEMP TABLE given (userid INT, metric TEXT, k BIGINT, {kinds}, test_options TEXT)"
        )
        insert(con, "given", [(*row, "tolerance=1e-12") for row in given])
        found.append(
            [
                rows(con, f"FROM rankdcg_sql_{rows_of}_of_change(given, '{attribution}') ORDER BY ALL")
                for rows_of in ("parts", "users")
            ]
        )
        con.close()
    assert all(each == found[0] for each in found)
    expected = reference.parts_of_change(of_users, attribution)
    parts, of_user = found[0]
    assert {part: difference for _, _, _, part, _, _, _, difference, *_ in parts[:4]} == {
        part: near(sum(added)) for part, added in expected.items()
    }
    assert len(of_user) == sum(map(len, expected.values()))


# Errors

WRONG = {
    f"rank_change({RUNS}, attribution := 'both')": (
        "rank_change: attribution must be one of sequential, shapley, got both"
    ),
    f"rank_change_by_user({RUNS}, attribution := NULL)": (
        "rank_change_by_user: attribution must be one of sequential, shapley, got NULL"
    ),
    f"rank_change({RUNS}, k := [])": "rank_change: k is empty: give cutoffs, such as k := [5, 10]",
    f"rank_change({RUNS}, k := '5')": "k must be an integer, a list of integers or NULL, got 5 of type ",
    f"rank_change({RUNS}, k := 0)": "rank_change: k must be at least 1, got 0",
    f"rank_change({RUNS}, metrics := 'ndgc')": "rank_change: there is no metric 'ndgc': did you mean ndcg",
    f"rank_change({RUNS}, users := 'all')": "rank_change: users must be one of truth, both, got all",
    f"rank_change({RUNS}, confidence := 95)": "confidence must be a number between 0 and 1, got '95.0'",
    f"rank_change({RUNS}, options := 'gian=linear')": "unknown option 'gian', the options here are ",
    f"rank_change_by_item({RUNS}, metrics := 'auc')": (
        "rank_change_by_item: metrics must be among ndcg, precision, recall, f1, mrr, average_precision, cg, "
        "dcg, r_precision, rbp, err, sdcg, relative_precision, rankdcg, got auc, which is no sum over items"
    ),
    f"rank_change_by_move({RUNS}, metrics := 'ndcg@5')": (
        "relative_precision, rankdcg, got ndcg@5: options and the cutoff are arguments here"
    ),
    "rank_change(truth_before, rec_before, truth_after, texts)": (
        "rank_change: users or items of the tables have types that cannot be compared, such as "
    ),
    "rank_change_ids(truth_before, rec_before, truth_after, texts)": (
        "rank_change_ids: users or items of the tables have types that cannot be compared, such as "
    ),
    "rank_change(truth_before, rec_before, truth_after, truth_before)": "rec_after has no column score",
    "rank_change(truth_before, truth_after, rec_before, rec_after)": "rec_before has no column score",
    f"rank_change({RUNS}, rel := 'grade')": "rank_change: truth_before has no column grade",
}  # fmt: skip


@pytest.fixture(scope="module")
def by_hand() -> Iterator[duckdb.DuckDBPyConnection]:
    """Open a database with the runs by hand, and a table of users that are texts."""
    with rankdcg_sql.connect() as opened:
        opened.execute(BY_HAND)
        opened.execute("CREATE TABLE texts AS SELECT userid::VARCHAR AS userid, itemid, score FROM rec_after")
        yield opened


@needs_duckdb_2
@pytest.mark.parametrize("call", WRONG)
def test_errors(by_hand: duckdb.DuckDBPyConnection, call: str) -> None:
    with pytest.raises(duckdb.Error, match=re.escape(WRONG[call])):
        by_hand.execute(f"FROM {call}").fetchall()
