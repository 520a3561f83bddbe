"""Comparisons of all pairs of systems, and the randomised Tukey HSD."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from scipy import stats
from support import reference

from rankdcg_sql import Comparison, compare, evaluate

USERS = 600
TRUTH = {"userid": [user for user in range(USERS) for _ in range(3)], "itemid": [*range(3)] * USERS}
SEGMENTS = {"userid": [*range(USERS)], "plan": ["free", "paid", None] * (USERS // 3)}


def system(seed: int, good: float, users: int = USERS) -> dict[str, list[Any]]:
    """Five of nine items for each user, in random order, the relevant ones earlier on average if `good`."""
    chance = np.random.default_rng(seed)
    scores = chance.random((users, 9)) + good * (np.arange(9) < 3)
    kept = np.argsort(-scores)[:, :5]
    return {
        "userid": np.repeat(np.arange(users), 5).tolist(),
        "itemid": kept.ravel().tolist(),
        "score": np.take_along_axis(scores, kept, 1).ravel().tolist(),
    }


SYSTEMS = {"one": system(1, 0.1), "two": system(2, 0.1), "three": system(3, 0.25)}
PAIRS = [("two", "one"), ("three", "one"), ("three", "two")]


def rows(compared: Comparison, columns: str) -> list[Any]:
    return compared.differences.project(columns).fetchall()


def values(name: str, measure: str) -> list[float]:
    """The values of users by one system, in the order of users."""
    metric, k = measure.split("@")
    found = evaluate(TRUTH, SYSTEMS[name], k=int(k), metrics=metric).per_user
    return [value for (value,) in found.order("userid").project("value").fetchall()]


def test_all_pairs_are_compared_in_the_order_of_systems():
    compared = compare(TRUTH, SYSTEMS, "all", k=[2, 5], metrics=["ndcg", "recall"])
    assert compared.baseline is None
    assert compared.pairs == PAIRS
    measures = [("ndcg", 2), ("ndcg", 5), ("recall", 2), ("recall", 5)]
    columns = "system, against, metric, k"
    assert rows(compared, columns) == [(*pair, *each) for pair in PAIRS for each in measures]
    assert compared.differences.columns[:2] == ["system", "against"]
    head, _, first, *_ = compared.to_markdown(details=True).splitlines()
    assert head.startswith("| system | against | metric | k | n | mean | baseline | difference |")
    assert first.startswith("| two | one | ndcg | 2 | 600 |")


@pytest.mark.parametrize("against", SYSTEMS)
def test_a_pair_has_the_numbers_of_a_comparison_with_a_baseline(against: str):
    """The p-values are the same, too, and the correction counts the tests of all pairs."""
    columns = "n, mean, baseline, difference, low, high, effect_size, p_value, wins, ties, losses"
    every = compare(TRUTH, SYSTEMS, "all", k=5, metrics=["ndcg", "recall"], by="plan", segments=SEGMENTS)
    one = compare(TRUTH, SYSTEMS, against, k=5, metrics=["ndcg", "recall"], by="plan", segments=SEGMENTS)
    keys = "system, against, metric, plan, all_users"
    of_one = {row[:5]: row[5:] for row in rows(one, f"{keys}, {columns}")}
    assert {key[1] for key in of_one} == {against}
    of_all = {row[:5]: row[5:] for row in rows(every, f"{keys}, {columns}")}
    shared = of_all.keys() & of_one.keys()
    assert len(shared) == 8 * sum(pair[1] == against for pair in PAIRS)
    assert all(of_all[key] == of_one[key] for key in shared)
    found = rows(every, "p_value, p_corrected")
    assert len(found) == 3 * 2 * 4
    expected = reference.corrected_p_values([p for p, _ in found])
    assert [corrected for _, corrected in found] == pytest.approx(expected)


def test_a_system_may_be_called_all():
    compared = compare(TRUTH, {"one": SYSTEMS["one"], "all": SYSTEMS["two"]}, "all", k=5, metrics="ndcg")
    assert compared.baseline == "all"
    assert rows(compared, "system, against") == [("one", "all")]


def test_tukey_hsd_has_the_studentized_range():
    compared = compare(
        TRUTH, SYSTEMS, "all", k=5, metrics="ndcg", test="tukey_hsd", resamples=1_000_000, correction="none"
    )
    found = np.array([values(name, "ndcg@5") for name in SYSTEMS])
    sums, deviation = found.sum(axis=1), np.sqrt(found.var(axis=0, ddof=1).sum())
    expected = [
        stats.studentized_range.sf(abs(one - other) / deviation, 3, np.inf)
        for one, other in combinations(sums, 2)
    ]
    assert [p for p, _ in rows(compared, "p_value, p_corrected")] == pytest.approx(expected, abs=0.01)
    assert rows(compared, "p_value") == rows(compared, "p_corrected")
    assert min(expected) < 1e-3 < max(expected)


def test_tukey_hsd_of_two_systems_is_the_randomization_test():
    two = {name: SYSTEMS[name] for name in ("one", "three")}
    tests = [
        compare(TRUTH, two, "all", k=5, metrics="ndcg", test=test, seed=3)
        for test in ("tukey_hsd", "randomization")
    ]
    one, other = (rows(each, "p_value, p_corrected, difference, effect_size") for each in tests)
    assert one == other


def test_tukey_hsd_is_corrected_for_metrics_and_segments_by_bonferroni():
    """Each pair has 2 metrics in 3 segments and over all users, and so 8 tests."""
    compared = compare(
        TRUTH, SYSTEMS, "all", k=5, metrics=["ndcg", "recall"], test="tukey_hsd", by="plan", segments=SEGMENTS
    )
    assert compared.correction == "bonferroni"
    found = rows(compared, "p_value, p_corrected")
    assert len(found) == 24
    assert [corrected for _, corrected in found] == pytest.approx([min(1, 8 * p) for p, _ in found])
    text = " ".join(repr(compared).split())
    assert text.count("corrected for the pairs, and multiplied by the number of measures and segments") == 2
    assert "tests" not in text
    few = {name: column[:30] for name, column in TRUTH.items()}
    measures = compare(few, SYSTEMS, "all", k=5, metrics=["ndcg", "recall"], test="tukey_hsd", resamples=9)
    words = "corrected for the pairs, and multiplied by the number of measures"
    assert measures.correction_in_words == words
    one = compare(TRUTH, SYSTEMS, "all", k=5, metrics="ndcg", test="tukey_hsd", by="plan", segments=SEGMENTS)
    assert one.correction_in_words == f"{words} and segments"
    for result, counted in ((measures, "measures"), (compared, "measures and segments")):
        words = replace(result, correction=None).correction_in_words
        assert words == f"corrected for the pairs, not for the {counted}"
    plain = rows(
        compare(TRUTH, SYSTEMS, "all", k=5, metrics="ndcg", test="tukey_hsd"), "p_value, p_corrected"
    )
    everyone = rows(compared, "p_value, metric, all_users")
    assert [p for p, metric, is_all in everyone if metric == "ndcg" and is_all] == [p for p, _ in plain]
    assert all(p == corrected for p, corrected in plain)


def test_tukey_hsd_counts_users_with_values_of_all_systems():
    """The third system has fewer users; the others are compared over all of theirs."""
    systems = {**SYSTEMS, "three": system(3, 0.25, users=500)}
    compared = compare(TRUTH, systems, "all", k=5, metrics="ndcg", test="tukey_hsd", users="both")
    assert rows(compared, "n") == [(600,), (500,), (500,)]
    assert (
        "- the randomised Tukey HSD tests the users with a value from every system: 500 for ndcg@5"
        in repr(compared)
    )
    truth = {name: column[: 3 * 500] for name, column in TRUTH.items()}
    fewer = {
        name: system(seed, good, 500)
        for seed, (name, good) in enumerate([("one", 0.1), ("two", 0.1), ("three", 0.25)], 1)
    }
    part = {name: {column: of[:2500] for column, of in SYSTEMS[name].items()} for name in ("one", "two")}
    only = compare(truth, {**part, "three": fewer["three"]}, "all", k=5, metrics="ndcg", test="tukey_hsd")
    assert rows(only, "p_value") == rows(compared, "p_value")


@pytest.mark.parametrize("test", ["t", "tukey_hsd"])
def test_systems_that_are_equal(test: Any):
    same = dict.fromkeys(("a", "b", "c"), SYSTEMS["one"])
    found = rows(compare(TRUTH, same, "all", k=5, metrics="ndcg", test=test), "difference, p_value, wins")
    assert found == [(0.0, 1.0 if test == "tukey_hsd" else None, 0)] * 3


def test_texts_and_pages_of_all_pairs():
    pytest.importorskip("matplotlib")
    compared = compare(TRUTH, SYSTEMS, "all", k=5, metrics="ndcg", test="tukey_hsd")
    assert "Comparison of all pairs: randomised Tukey HSD, corrected for the pairs" in repr(compared)
    page = compared.report()
    assert "<h1>Comparison of all pairs</h1>" in page
    for system, against in (("two", "one"), ("three", "one"), ("three", "two")):
        decision = re.search(f"<b>{system}</b>[^<]*<b>{against}</b>.*?</p>", page)
        assert decision is not None
        assert "ndcg@5" in decision[0]
    labels = [text.get_text() for text in compared.plot_wins().axes[0].get_yticklabels()]
    assert {" ".join(label.split()) for label in labels} >= {"three against two", "three against one"}


def test_warnings_name_every_pair():
    lists = {"short": 2, "middle": 3, "long": 4}
    systems = {
        name: {"userid": [0] * length, "itemid": [*range(length)], "score": [*range(length)]}
        for name, length in lists.items()
    }
    with pytest.warns(Warning, match="lists of different length") as found:
        compare(TRUTH, systems, "all", k=5, metrics="precision", users="both")
    texts = [str(each.message) for each in found]
    for one, other in [("middle", "short"), ("long", "short"), ("long", "middle")]:
        assert any(f"{one} and {other} have lists of different length" in text for text in texts)
