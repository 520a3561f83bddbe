"""Expected values in closed form for rankings whose items all have the same score.

The forms come from McSherry and Najork, Computing information retrieval performance measures efficiently in
the presence of tied scores, ECIR 2008. Metrics that are not in the paper follow from the hypergeometric
distribution. Fractions keep the values exact.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import pairwise
from math import comb, log2
from typing import Any


@cache
def all_tied(items: int, relevant: int, k: int) -> list[tuple[str, dict[str, Any], float]]:
    """Functions, options and values at k, with `relevant` items of relevance 1, others of 0; k <= items."""
    share = Fraction(relevant, items)
    places = range(1, k + 1)
    orders = comb(items, k)
    hits = {  # the probability of each number of hits in the top k
        number: Fraction(comb(relevant, number) * comb(items - relevant, k - number), orders)
        for number in range(max(0, k + relevant - items), min(k, relevant) + 1)
    }
    first = {place: Fraction(comb(items - place, relevant - 1), comb(items, relevant)) for place in places}
    discounts = [1 / log2(place + 1) for place in places]
    dcg, idcg = float(share) * sum(discounts), sum(discounts[:relevant])
    mixed = 1 - hits.get(0, 0) - hits.get(k, 0)

    def precisions(among: int, number: int) -> Fraction:
        """The expected sum of the precisions at hits in the top k, if `among` ranks hold `number` hits."""
        before = Fraction(number - 1, among - 1) if among > 1 else Fraction(0)
        return Fraction(number, among) * sum((1 + (place - 1) * before) / place for place in places)

    found = {
        "precision_at": share,
        "recall_at": Fraction(k, items),
        "f1_at": 2 * k * share / (k + relevant),
        "hit_rate": 1 - hits.get(0, 0),
        "mrr": sum(chance / place for place, chance in first.items()),
        "average_precision": precisions(items, relevant) / relevant,
        "auc": Fraction(1, 2),
        "cg": k * share,
        "dcg": dcg,
        "idcg": idcg,
        "ndcg": dcg / idcg,
        "rbp": float(share) * (1 - 0.8**k),
        "rbp_residual": 0.8**k,
        "sdcg": share,
    }
    # With max_rel=1, a user stops at a relevant item with probability 1/2. `looking` has the probability that
    # the user goes on after the first 0, 1, 2 ... ranks.
    looking = [
        sum(
            comb(relevant, number) * comb(items - relevant, place - number) << (relevant - number)
            for number in range(min(relevant, place) + 1)
        )
        / (comb(items, place) << relevant)
        for place in range(k + 1)
    ]
    found["err"] = sum((before - after) / place for place, (before, after) in enumerate(pairwise(looking), 1))
    needed = {"err": {"max_rel": 1}, "sdcg": {"max_rel": 1}}
    over_hits = sum(chance * precisions(k, number) / number for number, chance in hits.items() if number)
    by_threshold = sum(chance * number * Fraction(number, k) for number, chance in hits.items()) / relevant
    over_shown = sum(chance * Fraction(number, k) for number, chance in hits.items())
    threshold: dict[str, Any] = {"k": k, "ap_steps": "threshold"}
    return [
        *((name, {"k": k, **needed.get(name, {})}, float(value)) for name, value in found.items()),
        ("average_precision", {"k": k, "ap_denominator": "hits"}, float(over_hits)),
        ("average_precision", threshold, float(by_threshold)),
        ("average_precision", threshold | {"ap_denominator": "hits"}, float(over_shown)),
        ("rbp", {"k": k, "rbp_gain": "linear"}, found["rbp"]),
        ("auc", {"k": k, "one_class": "zero"}, float(mixed / 2)),
        ("auc", {"k": k, "one_class": "by_class"}, float(mixed / 2 + hits.get(k, 0))),
        ("r_precision", {}, float(share)),
    ]
