"""Changes as people read them: the sentence that names the largest cause first, and tables of parts."""

from __future__ import annotations

import pickle
import random
import re
from typing import Any

import pytest
from conftest import needs_duckdb_2

from rankdcg_sql import CallError, Change, Evaluation, evaluate, explain_change

Table = dict[str, list[Any]]

#: Causes of a change, each with what its headline names.
CAUSES = {
    "users_left": r": mostly users who left \(-0\.\d+\)",
    "users_came": r": mostly users who came \(-0\.\d+\)",
    "judgements": r": mostly judgements \(-0\.\d+\)",
    "segment": r": mostly ranking \(-0\.\d+, most of it in plan=new",
    "item": r": mostly ranking \(-0\.\d+, most of it by the itemid 7\)",
    "": r": mostly [a-z ]+ \([-+]0\.\d+\), which chance alone may explain",
}


def planted(cause: str, seed: int) -> Change:
    """A change of 400 users of three plans, with one cause and some chance."""
    chance = random.Random(f"{cause} {seed}")
    relevant = {
        user: {7, *chance.sample(range(30), 3)} if user % 2 else {*chance.sample(range(30), 3)}
        for user in range(480)
    }
    # A worse list has fewer relevant items near the top.
    good = {user: chance.uniform(0.5, 1.5) + (user < 60) * 2 * (cause == "users_left") for user in relevant}

    def run(users: range, is_after: bool) -> Evaluation:
        truth: Table = {"userid": [], "itemid": [], "plan": []}
        rec: Table = {"userid": [], "itemid": [], "score": []}
        for user in users:
            judged = relevant[user]
            if is_after and cause == "judgements" and user % 5 == 0:
                judged = {(item + 11) % 30 for item in judged}
            plan = "new" if user % 4 == 0 else "free" if user % 3 else "paid"
            for item in sorted(judged):
                for column, value in zip(truth, (user, item, plan), strict=True):
                    truth[column].append(value)
            signal = good[user]
            if is_after and (
                (cause == "segment" and plan == "new") or (cause == "users_came" and user >= 400)
            ):
                signal = -1.0
            noise = random.Random(f"{seed} {user}")
            for item in range(30):
                score = (
                    signal * (item in relevant[user]) + noise.gauss(0, 1) + is_after * chance.gauss(0, 0.1)
                )
                if not (is_after and cause == "item" and item == 7):
                    for column, value in zip(rec, (user, item, score), strict=True):
                        rec[column].append(value)
        return evaluate(truth, rec, k=10, metrics="ndcg", by="plan")

    left = 60 if cause == "users_left" else 5
    return explain_change(
        run(range(400), False), run(range(left, 480 if cause == "users_came" else 405), True)
    )


@needs_duckdb_2
@pytest.mark.parametrize(
    ("ranked", "named"),
    [
        # Each of three items is relevant to 20 users of its own plan, and before returns x and y.
        ({"z": "z"}, ""),  # both are lost alike, for which z makes up in part
        ({"y": "y", "z": "?"}, ", most of it by the itemid 'x'"),
    ],
)
def test_most_of_a_change_is_more_than_half_of_a_direction(ranked: dict[str, str], named: str) -> None:
    items = [*"xyz"] * 20
    truth: Table = {"userid": [*range(60)], "itemid": items, "plan": items}

    def recall(ranked: dict[str, str]) -> Evaluation:
        rec = {**truth, "itemid": [ranked.get(item, "?") for item in items], "score": [1] * 60}
        return evaluate(truth, rec, k=1, metrics="recall", by="plan")

    change = explain_change(recall({"x": "x", "y": "y"}), recall(ranked))
    fell = "recall@1 fell from 0.6667 to 0.3333 (-0.3333)"
    assert change.headline() == f"{fell}: mostly ranking (-0.3333{named})"


@needs_duckdb_2
def test_many_items_are_not_read_for_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    change = planted("item", 1)
    rows = sum(run.counts.rec_rows + run.counts.truth_rows for run in (change.before, change.after))
    for most, is_named in ((rows - 1, False), (rows, True)):
        monkeypatch.setattr("rankdcg_sql.evaluation._terms.counts._MAX_ROWS", most)
        assert ("by the itemid 7" in change.headline()) == is_named


@needs_duckdb_2
@pytest.mark.parametrize("cause", CAUSES)
def test_a_planted_cause_is_named_first(cause: str) -> None:
    headline = planted(cause, 1).headline()
    assert re.match(r"ndcg@10 (fell|rose) from 0\.\d+ to 0\.\d+ \([-+]0\.\d+\)" + CAUSES[cause], headline), (
        headline
    )


def small(k: Any, unit: str = "users", **arguments: Any) -> Change:
    """A change of four users: 3 leaves, 4 comes and has no hit, and 2 loses its hit."""
    truth: Table = {"userid": [1, 2, 3], "itemid": [*"aba"], "plan": ["free", "paid", "paid"]}
    later: Table = {"userid": [1, 2, 4], "itemid": [*"aba"], "plan": ["free", "paid", "paid"]}
    rec: Table = {"userid": [1, 2, 3], "itemid": [*"aba"], "score": [1.0] * 3}
    newer: Table = {"userid": [1, 2, 4], "itemid": [*"acb"], "score": [1.0] * 3}
    settings = {"k": k, "metrics": "recall", "unit": unit, **arguments}
    return explain_change(evaluate(truth, rec, **settings), evaluate(later, newer, **settings))


def test_a_change_is_printed() -> None:
    change = small(1, "topics")
    # The p-values are 0.5 for one of two who changes, and 0.66 for one who came beside two, times 2 by Holm.
    headline = (
        "recall@1 fell from 1.0000 to 0.3333 (-0.6667): mostly ranking (-0.5000), which chance "
        "alone may explain (p = 1.0000); also topics that came -0.1667"
    )
    note = "2 topics with a value of recall@1 in both runs, 1 only before, 1 only after"
    table = """\
╭────────┬───┬──────────────────┬────────┬────────┬────────┬────────────┬─────────┬────────┬───────┬────────╮
│ metric │ k │ part             │ topics │ before │  after │ difference │     low │   high │ share │      p │
├────────┼───┼──────────────────┼────────┼────────┼────────┼────────────┼─────────┼────────┼───────┼────────┤
│ recall │ 1 │ topics that left │      1 │ 1.0000 │ 1.0000 │    +0.0000 │         │        │    0% │        │
│ recall │ 1 │ topics that came │      1 │ 0.5000 │ 0.3333 │    -0.1667 │ -1.0000 │ 1.0000 │   25% │ 1.0000 │
│ recall │ 1 │ judgements       │      0 │ 1.0000 │ 1.0000 │    +0.0000 │         │        │    0% │        │
│ recall │ 1 │ ranking          │      1 │ 1.0000 │ 0.5000 │    -0.5000 │ -1.0000 │ 1.0000 │   75% │ 1.0000 │
│ recall │ 1 │ total            │      4 │ 1.0000 │ 0.3333 │    -0.6667 │ -1.0000 │ 1.0000 │  100% │ 0.2432 │
╰────────┴───┴──────────────────┴────────┴────────┴────────┴────────────┴─────────┴────────┴───────┴────────╯"""
    assert repr(change) == f"{headline}\n- {note}\n{table}"
    page = change._repr_html_()
    assert page.startswith(f"<p>{headline}</p><ul><li>{note}</li></ul><table>".replace("'", "&#x27;"))
    assert change.to_markdown().splitlines()[-2:] == [
        "| recall | 1 | ranking | 1 | 1.0000 | 0.5000 | -0.5000 | -1.0000 | 1.0000 | 75% | 1.0000 |",
        "| recall | 1 | total | 4 | 1.0000 | 0.3333 | -0.6667 | -1.0000 | 1.0000 | 100% | 0.2432 |",
    ]
    assert r"Recall & 1 & topics that came & 1 & 0.5000 & 0.3333 & $-$0.1667 &" in change.to_latex("Parts")
    assert len(pickle.loads(pickle.dumps(change)).to_html()) == len(change.to_html())


def test_each_measure_has_a_sentence() -> None:
    change = small([1, None], by="plan")
    assert [change.headline(measure).split()[0] for measure in change.measures] == ["recall@1", "recall"]
    same = explain_change(change.before, change.before)
    assert same.headline() == "recall@1 stayed at 1.0000"
    unjudged = {"userid": [1, 2], "itemid": ["a", "b"], "rel": [0, 0]}
    rec = {"userid": [1, 2], "itemid": ["a", "b"], "score": [1, 1]}
    nothing, something = (
        evaluate({**unjudged, "rel": rels}, rec, k=1, metrics="recall", rel="rel")
        for rels in ([0, 0], [1, 1])
    )
    assert explain_change(nothing, something).headline() == "recall@1 has no mean before"
    assert explain_change(something, nothing).headline() == "recall@1 has no mean after"


@pytest.mark.parametrize(
    ("came", "expected"),
    [
        # One of four users loses its hit by the judgements, and one by the ranking: t = -1 with 3 degrees of
        # freedom, p = 0.3910 each. Three who come raise the mean by more than each of these parts lowers it.
        # That of eight who come, compared with all twelve, is p = 0.0928 by Derrick's formula. Holm's
        # correction multiplies the least of the three by 3, and the next by 2.
        (3, "fell from 0.7500 to 0.5714 (-0.1786): mostly judgements (-0.2500), which chance alone may "
            "explain (p = 0.7820); also ranking -0.2500, users who came +0.3214"),
        (8, "stayed at 0.7500: users who came (+0.5000), which chance alone may explain (p = 0.2783); "
            "also judgements -0.2500, ranking -0.2500"),
    ],
)  # fmt: skip
def test_a_cause_moves_a_mean_as_it_moved(came: int, expected: str) -> None:
    def recall(judged: list[int], ranked: list[int]) -> Evaluation:
        truth = {"userid": [*range(len(judged))], "itemid": judged}
        return evaluate(truth, {**truth, "itemid": ranked, "score": ranked}, k=1, metrics="recall")

    hits = [1] * came
    before, after = recall([1] * 4, [1, 1, 1, 0]), recall([2, 1, 1, 1, *hits], [1, 0, 1, 0, *hits])
    change = explain_change(before, after)
    assert change.headline() == f"recall@1 {expected}"


def test_items_that_no_longer_exist_are_counted() -> None:
    truth: Table = {"userid": [1, 2, 3], "itemid": [*"abc"]}
    rec: Table = {"userid": [1, 1, 2, 3], "itemid": [*"axbx"], "score": [2.0, 1.0, 1.0, 1.0]}
    # Items a and b were judged and returned; b is called c later, and a stays.
    later: Table = {"userid": [1, 2, 3], "itemid": [*"acc"]}
    newer: Table = {"userid": [1, 2, 3], "itemid": [*"acx"], "score": [1.0] * 3}
    change = explain_change(
        *(evaluate(*run, k=1, metrics="recall") for run in ((truth, rec), (later, newer)))
    )
    assert change.missing_items is not None
    assert (change.missing_items.judged, change.missing_items.missing, change.missing_items.share) == (
        2,
        1,
        0.5,
    )
    assert change.notes()[1] == (
        "1 of 2 judged items that were returned before are neither returned nor judged after: if their ids "
        "changed, judgements and ranking cannot be told apart"
    )


def test_users_whose_lists_are_gone_are_told() -> None:
    """Users 1 to 3 of 8 have no list after, and user 8 has none before."""
    truth = {"userid": [*range(1, 9)], "itemid": [*"abcdefgh"]}
    before, after = (
        evaluate(truth, {"userid": users, "itemid": ["a"] * len(users), "score": [1] * len(users)}, k=1)
        for users in ([*range(1, 8)], [*range(4, 9)])
    )
    note = "users without recommendations, whose lists count as part of the ranking: 1 before, 3 after"
    assert note in explain_change(before, after).notes()
    assert not any("without recommendations" in each for each in explain_change(before, before).notes())
    with pytest.raises(CallError, match=r"headline: measure must be .*, got 'ndcg'"):
        explain_change(before, after).headline("ndcg")  # type: ignore[arg-type]
