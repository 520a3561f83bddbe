"""Results of evaluations and comparisons of invented systems, to be drawn and reported."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import TYPE_CHECKING, Any

import rankdcg_sql

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rankdcg_sql import Comparison, Evaluation

METRICS = ("precision", "ndcg", "rankdcg")
#: The metrics with their cutoffs; rankdcg takes none.
MEASURES = (("precision", 5), ("precision", 10), ("ndcg", 5), ("ndcg", 10), ("rankdcg", None))
OPTIONS = {"rel": "rel", "convention": "trec_eval", "gain": "exp2", "users": "truth"}
#: The number that each system adds to the score of a relevant item, the baseline first. The scores themselves
#: are random between 0 and 1.
SYSTEMS = {"popular": 0.3, "mine": 0.5, "random": 0.0}

RELEVANT, ITEMS, RECOMMENDED = 5, 40, 12


def evaluation(users: int = 500, by: Sequence[str] = (), k: Any = (5, 10), **arguments: Any) -> Evaluation:
    """Evaluate an invented system."""
    segments = {name: _segments(users, number) for number, name in enumerate(by, start=2)}
    truth, rec = _truth(users) | segments, _rec(users, SYSTEMS["popular"])
    return rankdcg_sql.evaluate(truth, rec, k, **{"metrics": METRICS, "by": list(by)} | OPTIONS | arguments)


def comparison(users: int = 500, systems: dict[str, float] = SYSTEMS, **arguments: Any) -> Comparison:
    """Compare invented systems with the first of them."""
    recs = {name: _rec(users, skill) for name, skill in systems.items()}
    segments = {arguments["by"]: _segments(users, 3)} if "by" in arguments else {}
    return rankdcg_sql.compare(_truth(users) | segments, recs, **{"metrics": METRICS} | OPTIONS | arguments)


def one_item_each(
    plans: str, old: list[int], new: list[int], metrics: Any = ("precision", "recall"), **arguments: Any
) -> Comparison:
    """Compare two systems of one item for each user. Item 1 is relevant, and a letter is a user's plan."""
    users = [*range(len(plans))]
    truth = {"userid": users, "itemid": [1] * len(users), "plan": [*plans]}
    recs = {
        name: {"userid": users, "itemid": items, "score": [1] * len(users)}
        for name, items in (("old", old), ("new", new))
    }
    return rankdcg_sql.compare(truth, recs, **{"k": 1, "metrics": metrics} | arguments)


def _segments(users: int, number: int) -> list[int]:
    """Divide users into segments; a value for each row of truth."""
    return [user % number for user in range(users) for _ in range(RELEVANT)]


@cache
def _truth(users: int) -> dict[str, list[int]]:
    rows = [(user, item, 1 + item % 3) for user in range(users) for item in range(RELEVANT)]
    return _columns(["userid", "itemid", "rel"], rows)


@cache
def _rec(users: int, skill: float) -> dict[str, list[Any]]:
    """Recommend the items with the highest scores; every 40th user gets none."""
    rows = []
    for user in range(users):
        random = Random(f"{user} {skill}")
        scores = [random.random() + skill * (item < RELEVANT) for item in range(ITEMS)]
        best = sorted(range(ITEMS), key=lambda item: -scores[item])[:RECOMMENDED]
        rows += [(user, item, scores[item]) for item in best if user % 40 != 7]
    return _columns(["userid", "itemid", "score"], rows)


def _columns(names: Sequence[str], rows: Sequence[tuple[Any, ...]]) -> dict[str, list[Any]]:
    return {name: list(column) for name, column in zip(names, zip(*rows, strict=True), strict=True)}
