"""Comparisons of all pairs of systems, and the randomised Tukey HSD."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest
from support import reference
from support.systems import RELEVANT, SYSTEMS, USERS
from support.two_tables import select

import rankdcg_sql
from rankdcg_sql import Comparison, compare

PAIRS = [("good", "plain"), ("same", "plain"), ("same", "good")]
PLANS = {"userid": [*range(USERS)], "plan": [("free", "paid", None)[user % 3] for user in range(USERS)]}
BY_PLAN: dict[str, Any] = {"k": 5, "metrics": ["ndcg", "recall"], "by": "plan", "segments": PLANS}
TUKEY: dict[str, Any] = {"baseline": "all", "k": 5, "metrics": "ndcg", "test": "tukey_hsd"}


def tukey_hsd(compared: Comparison, **options: int) -> Any:
    """The test of a single measure over the values of the users who have one from every system."""
    of_systems = [dict(each.wide.fetchall()) for each in compared.evaluations.values()]
    users = set.intersection(*map(set, of_systems))
    blocks = [[values[user] for values in of_systems] for user in users]
    return rankdcg_sql.tukey_hsd(blocks, **options, tolerance=1e-12)


def test_all_pairs_are_compared_in_the_order_of_systems():
    compared = compare(RELEVANT, SYSTEMS, "all", k=[2, 5], metrics=["ndcg", "recall"])
    assert compared.baseline is None
    assert compared.pairs == PAIRS
    measures = [("ndcg", 2), ("ndcg", 5), ("recall", 2), ("recall", 5)]
    found = select(compared.differences, "system, against, metric, k")
    assert found == [(*pair, *each) for pair in PAIRS for each in measures]
    assert compared.differences.columns[:2] == ["system", "against"]
    head, _, first, *_ = compared.to_markdown(details=True).splitlines()
    assert head.startswith("| system | against | metric | k | n | mean | baseline | difference |")
    assert first.startswith("| good | plain | ndcg | 2 | 40 |")


@pytest.mark.parametrize("against", SYSTEMS)
def test_a_pair_has_the_numbers_of_a_comparison_with_a_baseline(against: str):
    """The p-values are the same, too, and the correction counts the tests of all pairs."""
    keys = "system, against, metric, plan, all_users"
    columns = f"{keys}, n, mean, baseline, difference, low, high, effect_size, p_value, wins, ties, losses"
    every, one = (compare(RELEVANT, SYSTEMS, baseline, **BY_PLAN) for baseline in ("all", against))
    of_all, of_one = (
        {row[:5]: row[5:] for row in select(each.differences, columns)} for each in (every, one)
    )
    assert {key[1] for key in of_one} == {against}
    shared = of_all.keys() & of_one.keys()
    assert len(shared) == 8 * sum(pair[1] == against for pair in PAIRS)
    assert all(of_all[key] == of_one[key] for key in shared)
    found = select(every.differences, "p_value, p_corrected")
    assert len(found) == 3 * 2 * 4
    expected = reference.corrected_p_values([p for p, _ in found])
    assert [corrected for _, corrected in found] == pytest.approx(expected)


def test_a_system_may_be_called_all():
    recs = {"one": SYSTEMS["plain"], "all": SYSTEMS["good"]}
    compared = compare(RELEVANT, recs, "all", k=5, metrics="ndcg")
    assert compared.baseline == "all"
    assert select(compared.differences, "system, against") == [("one", "all")]


def test_tukey_hsd_is_that_of_the_values_of_users():
    drawn = {"resamples": 999, "seed": 3}
    compared = compare(RELEVANT, SYSTEMS, **TUKEY, **drawn, correction="none")
    found = tukey_hsd(compared, **drawn)
    assert select(compared.differences, "p_value, p_corrected") == [(p, p) for p in found]
    assert found != tukey_hsd(compared, resamples=999, seed=4)


def test_tukey_hsd_is_corrected_for_metrics_and_segments_by_bonferroni():
    """Each pair has 2 metrics in 3 segments and over all users, and so 8 tests."""
    compared = compare(RELEVANT, SYSTEMS, **TUKEY | BY_PLAN)
    assert compared.correction == "bonferroni"
    found = select(compared.differences, "p_value, p_corrected")
    assert len(found) == 24
    assert [corrected for _, corrected in found] == pytest.approx([min(1, 8 * p) for p, _ in found])
    text = " ".join(repr(compared).split())
    assert text.count("corrected for the pairs, and multiplied by the number of measures and segments") == 2
    assert "tests" not in text
    words = "corrected for the pairs, and multiplied by the number of measures"
    measures = compare(RELEVANT, SYSTEMS, **TUKEY | {"metrics": ["ndcg", "recall"]})
    assert measures.correction_in_words == words
    segments = compare(RELEVANT, SYSTEMS, **TUKEY | {"by": "plan", "segments": PLANS})
    assert segments.correction_in_words == f"{words} and segments"
    for result, counted in ((measures, "measures"), (compared, "measures and segments")):
        words = replace(result, correction=None).correction_in_words
        assert words == f"corrected for the pairs, not for the {counted}"
    plain = select(compare(RELEVANT, SYSTEMS, **TUKEY).differences, "p_value, p_corrected")
    everyone = compared.differences.filter("metric = 'ndcg' AND all_users")
    assert [(p, p) for (p,) in select(everyone, "p_value")] == plain


def test_tukey_hsd_counts_users_with_values_of_all_systems():
    """The third system has fewer users; the others are compared over all of theirs."""
    fewer = {name: column[: 6 * 30] for name, column in SYSTEMS["same"].items()}
    compared = compare(RELEVANT, {**SYSTEMS, "same": fewer}, **TUKEY, users="both")
    assert select(compared.differences, "n") == [(40,), (30,), (30,)]
    note = "- the randomised Tukey HSD tests the users with a value from every system: 30 for ndcg@5"
    assert note in repr(compared)
    assert select(compared.differences, "p_value") == [(p,) for p in tukey_hsd(compared)]


@pytest.mark.parametrize("test", ["t", "tukey_hsd"])
def test_systems_that_are_equal(test: Any):
    same = dict.fromkeys(("a", "b", "c"), SYSTEMS["plain"])
    compared = compare(RELEVANT, same, "all", k=5, metrics="ndcg", test=test)
    found = select(compared.differences, "difference, p_value, wins")
    assert found == [(0.0, 1.0 if test == "tukey_hsd" else None, 0)] * 3


def test_texts_and_pages_of_all_pairs():
    pytest.importorskip("matplotlib")
    compared = compare(RELEVANT, SYSTEMS, **TUKEY)
    assert "Comparison of all pairs: randomised Tukey HSD, corrected for the pairs" in repr(compared)
    page = compared.report()
    assert "<h1>Comparison of all pairs</h1>" in page
    for system, against in PAIRS:
        decision = re.search(f"<b>{system}</b>[^<]*<b>{against}</b>.*?</p>", page)
        assert decision is not None
        assert "ndcg@5" in decision[0]
    labels = [text.get_text() for text in compared.plot_wins().axes[0].get_yticklabels()]
    assert {" ".join(label.split()) for label in labels} >= {"same against good", "same against plain"}


def test_warnings_name_every_pair():
    systems = {
        name: {0: {item: item for item in range(length)}}
        for length, name in enumerate(("short", "middle", "long"), start=2)
    }
    with pytest.warns(Warning, match="lists of different length") as met:
        compare(RELEVANT, systems, "all", k=5, metrics="precision", users="both")
    texts = " ".join(str(each.message) for each in met)
    for one, other in [("middle", "short"), ("long", "short"), ("long", "middle")]:
        assert f"{one} and {other} have lists of different length" in texts
