"""The queries that answer a question: what they print, and their numbers against the reference."""

from __future__ import annotations

import math
from itertools import pairwise
from pathlib import Path
from statistics import fmean
from typing import Any

import duckdb
import pytest
from conftest import needs_duckdb_2
from scipy import stats
from support import reference
from support.commands import run
from support.hivemall_page import BINARY

import rankdcg_sql
from rankdcg_sql.cli import _demo

pytestmark = needs_duckdb_2

QUERIES = _demo.queries()
#: The queries with their output beside them.
QUESTIONS = sorted(path.with_suffix(".sql") for path in QUERIES.glob("*.txt"))
assert len(QUESTIONS) == 18

Rows = list[dict[str, Any]]


def rounded(number: float) -> Any:
    return pytest.approx(number, rel=0, abs=5.1e-4)


class Answers:
    """The results of a query's statements, and its tables."""

    def __init__(self, name: str) -> None:
        self.con = rankdcg_sql.connect()
        self.results: list[Rows] = []
        for statement in duckdb.extract_statements((QUERIES / f"{name}.sql").read_text(encoding="utf-8")):
            found = self._rows(statement)
            if statement.type != duckdb.StatementType.CREATE:
                self.results.append(found)

    def _rows(self, query: Any) -> Rows:
        cursor = self.con.execute(query)
        names = [name for name, *_ in cursor.description or ()]
        return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]

    def table(self, name: str) -> Rows:
        return self._rows(f"FROM {name}")

    def metric(self, name: str, k: int | None, rec: str = "rec", where: str = "true") -> dict[str, float]:
        """A metric of each user of truth by the reference. No scores tie."""
        truth: dict[str, list[str]] = {}
        for row in self.table("truth"):
            truth.setdefault(row["userid"], []).append(row["itemid"])
        ranked: dict[str, list[str]] = {user: [] for user in truth}
        for row in self._rows(f"FROM {rec} WHERE {where} ORDER BY score DESC"):
            ranked.setdefault(row["userid"], []).append(row["itemid"])
        values = {user: reference.evaluate(name, ranked[user], truth[user], k) for user in truth}
        return {user: value for user, value in values.items() if value is not None}


@pytest.mark.parametrize("query", QUESTIONS, ids=lambda path: path.stem)
def test_a_query_prints_the_output_beside_it(query: Path) -> None:
    lines = query.read_text(encoding="utf-8").splitlines()
    assert lines[0].startswith("-- ")
    assert lines[0].endswith("?")
    assert lines[2] == f"--   rankdcg-sql sql {query.name}"
    assert run("sql", query).stdout == query.with_suffix(".txt").read_text(encoding="utf-8")


def test_aspects() -> None:
    """Tied scores are averaged over their orders, and a user without recommendations would have 0."""
    answers = Answers("aspects")
    means, by_user = answers.results
    rows = {
        table: [{"item": row["itemid"], **row} for row in answers.table(table)] for table in ("truth", "rec")
    }
    for row in by_user:
        judged, ranked = ([each for each in rows[table] if each["userid"] == row["userid"]] for table in rows)
        for system in ("old", "new"):
            of_system = [each for each in ranked if each["system"] == system]
            assert row[system] == rounded(reference.aspect_measure("alpha_ndcg", of_system, judged, 2) or 0)
    assert [row["alpha_ndcg"] for row in means] == [
        rounded(sum(row[system] for row in by_user) / 2) for system in ("old", "new")
    ]
    assert {row["users"] for row in means} == {2}


def test_spans() -> None:
    answers = Answers("spans")
    at_thresholds, of_characters = answers.results
    interval = ("itemid", "start", "end")
    spans: dict[str, list[reference.Span]] = {}
    for row in answers.table("truth"):
        spans.setdefault(row["userid"], []).append((*(row[name] for name in interval), row["rel"]))
    for system in ("small", "large"):
        chunks: dict[str, list[reference.Chunk]] = {}
        for row in answers.table(system):
            chunks.setdefault(row["userid"], []).append(
                (*(row[name] for name in interval), float(row["score"]))
            )
        for row in (row for row in at_thresholds if row["system"] == system):
            overlap = row["overlap"] if row["overlap"] == "any" else float(row["overlap"])
            values = [reference.span_measures(spans[user], chunks[user], 2, overlap, None) for user in spans]
            assert row["span_recall"] == rounded(fmean(value["span_recall"] or 0 for value in values))
            gains = [reference.items_of_spans(spans[user], chunks[user], overlap) for user in spans]
            ndcg = [
                reference.evaluate_run(
                    "ndcg",
                    {item: score for item, score, _ in rows if score is not None},
                    {item: rel for item, _, rel in rows if rel is not None},
                    2,
                    ties="item_asc",
                )
                for rows in gains
            ]
            assert row["ndcg"] == rounded(fmean(value or 0 for value in ndcg))
        (characters,) = (row for row in of_characters if row["system"] == system)
        values = [reference.span_measures(spans[user], chunks[user], 2, "any", None) for user in spans]
        for column in ("recall", "precision"):
            assert characters[column] == rounded(fmean(value[f"character_{column}"] or 0 for value in values))


def test_worst_users() -> None:
    found = Answers("worst_users")
    worst, missed = found.results
    recall, mrr = (found.metric(f"{name}", 3) for name in ("recall_at", "mrr"))
    lowest = sorted(recall, key=recall.__getitem__)[:2]
    assert [row["userid"] for row in worst] == lowest
    for row in worst:
        assert (row["recall"], row["mrr"]) == (rounded(recall[row["userid"]]), rounded(mrr[row["userid"]]))
    got = {(row["userid"], row["itemid"]) for row in found.table("rec")}
    pairs = [(row["userid"], row["itemid"]) for row in found.table("truth")]
    expected = {
        user: sorted(item for other, item in pairs if other == user and (user, item) not in got)
        for user in lowest
    }
    assert {row["userid"]: row["missed"] for row in missed} == expected


def test_segments() -> None:
    found = Answers("segments")
    (segments,) = found.results
    countries = {row["userid"]: row["country"] for row in found.table("users")}
    for row in segments:
        users = [user for user, country in countries.items() if country == row["country"]]
        assert row["users"] == len(users)
        for column, name in (("recall", "recall_at"), ("mrr", "mrr")):
            values = found.metric(name, 2)
            assert row[column] == rounded(fmean(values[user] for user in users))
    assert {row["country"] for row in segments} == set(countries.values())


def test_several_k() -> None:
    found = Answers("several_k")
    (metrics,) = found.results
    assert [row["metric"] for row in metrics] == ["hit_rate", "precision", "recall"]
    for row in metrics:
        name = {"precision": "precision_at", "recall": "recall_at"}.get(row["metric"], row["metric"])
        for column, k in (("at 1", 1), ("at 2", 2), ("at 4", 4), ("all", None)):
            assert row[column] == rounded(fmean(found.metric(name, k).values()))


def test_two_models() -> None:
    found = Answers("two_models")
    (compared,), losers = found.results
    old, new = (found.metric("mrr", 4, table) for table in ("old", "new"))
    assert compared["old"] == rounded(fmean(old.values()))
    assert compared["new"] == rounded(fmean(new.values()))
    differences = [new[user] - old[user] for user in old]
    assert compared["difference"] == rounded(fmean(differences))
    test = stats.ttest_1samp(differences, 0)
    assert compared["p_value"] == rounded(test.pvalue)
    interval = test.confidence_interval(0.95)
    assert (compared["low"], compared["high"]) == (rounded(interval.low), rounded(interval.high))
    counted = [sum(new[user] > old[user] for user in old), sum(new[user] < old[user] for user in old)]
    assert [compared["wins"], compared["losses"]] == counted
    assert compared["ties"] == len(old) - sum(counted)
    assert {row["userid"]: (row["old"], row["new"]) for row in losers} == {
        user: (old[user], new[user]) for user in old if new[user] < old[user]
    }


def test_learning_curve() -> None:
    found = Answers("learning_curve")
    (versions,) = found.results
    means = []
    for row in versions:
        of_version = f"version = {row['version']}"
        recall, mrr = (found.metric(name, 2, where=of_version) for name in ("recall_at", "mrr"))
        assert (row["recall"], row["mrr"]) == (rounded(fmean(recall.values())), rounded(fmean(mrr.values())))
        means.append(fmean(mrr.values()))
    changes = [None, *(rounded(after - before) for before, after in pairwise(means))]
    assert [row["change_of_mrr"] for row in versions] == changes
    assert len(versions) == 3


def test_draw_queries() -> None:
    """Any first turns have the share of each intent; another seed draws other queries."""
    found = Answers("draw_queries")
    (drawn,) = found.results
    queries = found.table("queries")
    assert sorted(row["query"] for row in drawn) == sorted(row["query"] for row in queries)
    for turns in range(1, len(drawn) + 1):
        for intent in ("how to", "fact", "shop"):
            of_intent, of_first = (
                sum(row["intent"] == intent for row in rows) for rows in (queries, drawn[:turns])
            )
            assert abs(of_first - turns * of_intent / len(queries)) <= 1
    orders = {tuple(row["query"] for row in drawn)}
    for seed in range(2, 5):
        out = run("sql", QUERIES / "draw_queries.sql", "--set", f"seed={seed}", "--output", "csv").stdout
        orders.add(tuple(line.split(",")[2] for line in out.splitlines()[1:]))
    assert len(orders) == 4


def test_draw_weighted_queries() -> None:
    """As many as wanted of each intent, which together stand for all of it."""
    found = Answers("draw_weighted_queries")
    (drawn,) = found.results
    intents = {row["query"]: row["intent"] for row in found.table("queries")}
    assert all(intents[row["query"]] == row["intent"] for row in drawn)
    assert len({row["query"] for row in drawn}) == len(drawn)
    for row in found.table("wanted"):
        weights = [each["weight"] for each in drawn if each["intent"] == row["intent"]]
        assert len(weights) == row["judged"]
        assert sum(weights) == list(intents.values()).count(row["intent"])
    orders = {
        run("sql", QUERIES / "draw_weighted_queries.sql", "--set", f"seed={seed}", "--output", "csv").stdout
        for seed in range(1, 5)
    }
    assert len(orders) > 1


def test_judge_agreement() -> None:
    found = Answers("judge_agreement")
    confusion, (kappa,), biases = found.results
    rows = found.table("judgements")
    assert confusion == [
        {
            "human": human,
            **{
                f"judge {judge}": sum((row["human"], row["judge"]) == (human, judge) for row in rows)
                for judge in range(3)
            },
        }
        for human in range(3)
    ]
    of_human, of_judge = ([row[name] for row in rows] for name in ("human", "judge"))
    assert kappa["agreement"] == rounded(fmean(map(int.__eq__, of_human, of_judge)))
    for name, distance in (
        ("kappa", lambda a, b: a != b),
        ("kappa_with_quadratic_weights", lambda a, b: (a - b) ** 2),
    ):
        by_chance = fmean(distance(a, b) for a in of_human for b in of_judge)
        seen = fmean(map(distance, of_human, of_judge))
        assert kappa[name] == rounded(1 - seen / by_chance)
    by_query: dict[str, dict[str, list[int]]] = {}
    for row in rows:
        of_query = by_query.setdefault(row["query"], {"own": [], "web": []})
        of_query[row["source"]].append(row["judge"] - row["human"])
    means = [{source: fmean(errors) for source, errors in each.items()} for each in by_query.values()]
    means = [each | {"own less web": each["own"] - each["web"]} for each in means]
    for bias in biases:
        errors = [each[bias["what"]] for each in means]
        low, high = stats.t.interval(0.95, len(errors) - 1, fmean(errors), stats.sem(errors))
        assert bias == {
            "what": bias["what"],
            "bias": rounded(fmean(errors)),
            "low": rounded(low),
            "high": rounded(high),
            "queries": len(by_query),
        }
    assert [bias["what"] for bias in biases] == ["own", "web", "own less web"]
    assert biases[2]["low"] > 0


def test_items() -> None:
    """Items are owned 8, 4, 2, 1 and 1 times by 10 users. Values are those of formulas."""
    (systems,) = Answers("items").results
    bits = [math.log2(10 / owners) for owners in (8, 4, 2, 1)]
    assert systems == [
        {
            "system": "personal",
            "coverage": 4 / 5,
            "gini": rounded((-2 + 0 + 2 + 4) / (5 * 4)),
            "entropy": 2,
            "personalisation": 1,
            "popularity": (2 + 8 + 1 + 1) / 4,
            "novelty": rounded((bits[2] + bits[0] + bits[3] + bits[3]) / 4),
            "long_tail": 3 / 4,
            # Two items have one category in common, of two and of two, or of one and of two.
            "diversity": rounded(((1 - 1 / 3) + (1 - 1 / 2)) / 2),
        },
        {
            "system": "popular",
            "coverage": 2 / 5,
            "gini": rounded((2 + 4) * 2 / (5 * 4)),
            "entropy": 1,
            "personalisation": 0,
            "popularity": (8 + 4) / 2,
            "novelty": rounded((bits[0] + bits[1]) / 2),
            "long_tail": 0,
            "diversity": rounded(1 - 1 / 3),
        },
    ]


def test_gauc() -> None:
    found = Answers("gauc")
    rows = [(row["userid"], row["score"], row["clicked"]) for row in found.table("impressions")]

    def auc(of: list[tuple[str, Any, int]]) -> float | None:
        pairs = [(a, b) for _, a, clicked in of for _, b, other in of if clicked > other]
        return fmean(a > b for a, b in pairs) if pairs else None

    ((of_all,), (grouped,)) = found.results
    assert of_all["auc_of_all"] == rounded(auc(rows) or 0)
    users = {user: [row for row in rows if row[0] == user] for user, *_ in rows}
    weighted = [(value, len(own)) for own in users.values() if (value := auc(own)) is not None]
    assert (grouped["users"], grouped["users_without_auc"]) == (len(weighted), len(users) - len(weighted))
    expected = sum(value * weight for value, weight in weighted) / sum(weight for _, weight in weighted)
    assert grouped["gauc"] == rounded(expected)


def test_sampled_negatives() -> None:
    """An item at rank 40 of 1,000 is among the first ten of a sample unless ten of the 39 above are drawn."""
    ((daring, steady),) = Answers("sampled_negatives").results
    assert (daring["hit_rate_of_all"], steady["hit_rate_of_all"]) == (0.5, 0)
    assert stats.hypergeom(999, 39, 99).sf(9) < 0.01
    assert stats.hypergeom(999, 499, 99).cdf(9) < 1e-9
    assert (daring["hit_rate_of_sample"], steady["hit_rate_of_sample"]) == (0.5, 1)


def test_order_users() -> None:
    found = Answers("order_users")
    (communities,) = found.results
    members = found.table("members")
    for row in communities:
        own = [each for each in members if each["community"] == row["community"]]
        scores, rels = [float(each["predicted"]) for each in own], [each["messages"] for each in own]
        assert row["rankdcg"] == rounded(reference.evaluate_scored("rankdcg", scores, rels) or 0)
        assert row["ndcg"] == rounded(reference.evaluate_scored("ndcg", scores, rels) or 0)
        assert row["kendall_tau"] == rounded(stats.kendalltau(scores, rels).statistic)
        assert row["users"] == len(own)


def test_from_hivemall() -> None:
    _, (lists,), (tables,) = Answers("from_hivemall").results
    assert {name.removesuffix("_at_2"): value for name, value in lists.items()} == pytest.approx(
        {name: BINARY[f"{name}_at_2"] for name in tables} | {"auc": BINARY["auc"]}
    )
    assert tables == pytest.approx({name: BINARY[f"{name}_at_2"] for name in tables})


def test_why() -> None:
    """By hand: recall of ann, bob, cleo and dan is 1, 1, 1 and 0 before.

    That of ann, bob, cleo and eve is 1/2, 1/2, 1 and 0 after.
    """
    parts, users, items, ann = Answers("why").results
    by_part = {row["part"]: row for row in parts}
    assert [*by_part] == ["users_left", "users_came", "judgements", "ranking", "total"]
    assert (by_part["total"]["before"], by_part["total"]["after"]) == (0.75, 0.5)
    # Ann, bob and cleo have the mean 1 before, and 2/3 after.
    expected = {
        "users_left": 1 - 3 / 4, "users_came": 2 / 4 - 2 / 3, "judgements": -1 / 2 / 3, "ranking": -1 / 2 / 3,
        "total": -1 / 4,
    }  # fmt: skip
    assert {part: row["difference"] for part, row in by_part.items()} == {
        part: rounded(difference) for part, difference in expected.items()
    }
    deciding = {(row["userid"], row["part"]): row["difference"] for row in users}
    assert deciding == {
        ("ann", "ranking"): rounded(-1 / 6),
        ("bob", "judgements"): rounded(-1 / 6),
        ("eve", "users_came"): rounded(-1 / 6),
        ("dan", "users_left"): rounded(1 / 4),
    }
    # Kiwi was all of bob's judgements, and is one of two.
    assert [(row["itemid"], row["judgements"], row["ranking"]) for row in items] == [
        ("kiwi", rounded(-1 / 6), 0),
        ("lime", 0, rounded(-1 / 6)),
    ]
    assert [tuple(row.values()) for row in ann] == [
        ("kiwi", 1, None, 0, None),
        ("fig", 2, 1, 0.5, None),
        ("lime", 3, 1, 0, 0.5),
    ]
