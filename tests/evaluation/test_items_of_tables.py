"""Measures of recommended items from tables of truth, recommendations and items."""

from __future__ import annotations

import random
from pathlib import Path
from statistics import mean
from typing import Any

import duckdb
import polars as pl
import pytest
from support import reference

import rankdcg_sql
from rankdcg_sql import evaluate
from rankdcg_sql.evaluation._computing import user_metrics
from rankdcg_sql.report import report

TRUTH = {"userid": [1, 1, 2, 3], "itemid": ["a", "b", "c", "d"]}
REC = {"userid": [1, 1, 1, 2, 2, 9], "itemid": ["a", "c", "b", "a", "c", "d"], "score": [9, 8, 3, 7, 6, 1]}
ITEMS = {
    "itemid": ["a", "b", "c", "d"],
    "popularity": [9, 4, 1, 1],
    "share": [0.5, 0.25, 0.125, None],
    "group": ["x", "y", "x", "y"],
    "categories": [["p", "q"], ["p"], ["r"], []],
}
NAMES = [*reference.PROPERTIES]


def drawn(chance: random.Random, users: int) -> tuple[Any, Any, Any]:
    """Tables with ties, repeated rows, users of one table, and items that the catalogue lacks."""
    truth = [(chance.randrange(users), chance.randrange(9), chance.randrange(3)) for _ in range(users * 3)]
    truth = [*{(user, item): (user, item, rel) for user, item, rel in truth}.values()]
    served = range(1, users)
    rec = [(chance.choice(served), chance.randrange(9), chance.randrange(4)) for _ in range(users * 5)]
    items = [
        {
            "item": item,
            "popularity": chance.randrange(4),
            "share": chance.choice([None, 0.5, 0.25]),
            "long_tail": chance.random() < 0.5,
            "categories": chance.choices("pqrs", k=chance.randrange(3)),
            "group": chance.choice("xy"),
        }
        for item in range(8)
    ]
    return truth, rec, items


def ranked(rec: list[tuple[int, int, int]], user: int) -> list[int]:
    """The items of a user by score, tied ones ascending; a repeated one has its largest score."""
    best: dict[int, int] = {}
    for owner, item, score in rec:
        if owner == user:
            best[item] = max(score, best.get(item, score))
    return sorted(best, key=lambda item: (-best[item], item))


@pytest.mark.parametrize(
    ("users", "kind", "metrics"),
    [
        ("truth", pl.Int64, ["ndcg"]),
        ("both", pl.Int32, ["ndcg@all", "recall@9"]),
        ("truth", pl.String, ["precision@1"]),
        # These rank in other ways than the measures of items.
        ("both", pl.String, ["ndcg(ties=item_desc)@3", "rankdcg"]),
        ("truth", pl.UInt64, ["ndcg"]),
        ("both", pl.Decimal(9, 2), ["ndcg"]),
    ],
)
@pytest.mark.parametrize("name", NAMES)
def test_values_are_those_of_the_reference(name: str, users: Any, kind: Any, metrics: list[str]) -> None:
    truth, rec, items = drawn(random.Random(name), 20)
    found = evaluate(
        pl.DataFrame(truth, ["userid", "itemid", "rel"], orient="row").cast({"itemid": kind}),
        pl.DataFrame(rec, ["userid", "itemid", "score"], orient="row").cast({"itemid": kind}),
        k=[2, 4],
        metrics=[name, *metrics],
        rel="rel",
        items=pl.DataFrame(items).rename({"item": "itemid"}).cast({"itemid": kind}),
        users=users,
    )
    both = {user for user, *_ in truth} & {user for user, *_ in rec}
    evaluated = sorted({user for user, *_ in truth} if users == "truth" else both)
    recs = [ranked(rec, user) for user in evaluated]
    truths = [[item for owner, item, rel in truth if owner == user and rel > 0] for user in evaluated]
    for k in (2, 4):
        expected = reference.rank_items(name, recs, truths, items, k, reference.PROPERTIES[name])
        rows = found.per_user.filter(f"metric = '{name}' AND k = {k}").order("userid").fetchall()
        assert [row[0] for row in rows] == evaluated
        assert [row[-1] for row in rows] == [
            each if each is None else pytest.approx(each, abs=1e-9) for each in expected
        ]
        known = [each for each in expected if each is not None]
        (of_all,) = found.summary.filter(f"metric = '{name}' AND k = {k}").project("mean").fetchall()
        assert of_all[0] == pytest.approx(mean(known), abs=1e-12)


@pytest.mark.parametrize("users", ["truth", "both"])
@pytest.mark.parametrize("min_rel", [None, 2])
def test_one_statement_and_parts_find_the_same(
    min_rel: Any, users: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One pass computes measures of items, too, unless users are in parts."""
    truth, rec, items = drawn(random.Random(users), 2049)
    asked: dict[str, Any] = {
        "truth": pl.DataFrame(truth, ["userid", "itemid", "rel"], orient="row"),
        "rec": pl.DataFrame(rec, ["userid", "itemid", "score"], orient="row"),
        "items": pl.DataFrame(items).rename({"item": "itemid"}),
        "rel": "rel",
        "min_rel": min_rel,
        "users": users,
    }
    found = []
    for metrics in (["ndcg@4", *NAMES], [*NAMES, "ndcg@9", "recall(min_rel=1)@4"]):
        results = [evaluate(k=4, metrics=metrics, **asked)]
        with monkeypatch.context() as patched:
            patched.setattr(user_metrics, "memory_limit", lambda _: 20_000.0)
            results.append(evaluate(k=4, metrics=metrics, **asked))
        chosen = f"metric IN {(*NAMES,)}"
        found += [each.per_user.filter(chosen).order("ALL").fetchall() for each in results]
        assert results[0].counts == results[1].counts
        assert results[0].counts.rec_unknown_items > 0
    assert found[0] == found[1] == found[2] == found[3]
    assert len(found[0]) == len(NAMES) * results[0].counts.users_evaluated


def test_measures_beside_others_leave_these_as_they_are() -> None:
    alone = evaluate(TRUTH, REC, k=2, metrics=["ndcg", "bpref"])
    together = evaluate(TRUTH, REC, k=2, metrics=["ndcg", "coverage", "bpref", "arp@1"], items=ITEMS)
    chosen = "metric IN ('ndcg', 'bpref')"
    assert together.per_user.filter(chosen).fetchall() == alone.per_user.fetchall()
    assert [row[:2] for row in together.summary.project("metric, k").fetchall()] == [
        ("ndcg", 2), ("coverage", 2), ("bpref", None), ("average_popularity", 1),
    ]  # fmt: skip


def test_measures_of_items_need_no_others() -> None:
    found = evaluate(TRUTH, REC, k=2, metrics="coverage", items=ITEMS)
    assert found.means["coverage@2"] == 0.5
    assert found.counts.users_evaluated == 3
    assert found.counts.users_without_value == {}


def test_a_measure_may_read_another_column_and_tables_of_any_kind(tmp_path: Any) -> None:
    con = duckdb.connect()
    con.register("frame", pl.DataFrame(ITEMS))
    con.execute('CREATE TABLE items AS SELECT itemid AS "Item", popularity * 2 AS price FROM frame')
    con.execute(f"COPY items TO '{tmp_path}/items.parquet'")
    con.execute("CREATE TABLE truth (userid INT, item VARCHAR)")
    con.execute("CREATE TABLE rec (userid INT, item VARCHAR, score INT)")
    con.executemany("INSERT INTO truth VALUES (?, ?)", [*zip(*TRUTH.values(), strict=True)])
    con.executemany("INSERT INTO rec VALUES (?, ?, ?)", [*zip(*REC.values(), strict=True)])
    for items in ("items", f"{tmp_path}/items.parquet", "FROM items"):
        found = evaluate("truth", "rec", 1, "average_popularity(of=PRICE)", item="item", items=items, con=con)
        assert found.means["average_popularity(of=price)@1"] == 18
    assert con.sql("SHOW TABLES").fetchall() == [("frame",), ("items",), ("rec",), ("truth",)]


def test_tied_items_are_in_the_order_of_the_option() -> None:
    rec = {"userid": [1, 1], "itemid": ["a", "d"], "score": [1.0, 1.0]}
    found = {
        ties: evaluate(TRUTH, rec, 1, "arp", items=ITEMS, users="both", ties=ties).means[
            "average_popularity@1"
        ]
        for ties in ("item_asc", "item_desc", "average")
    }
    assert found == {"item_asc": 9, "item_desc": 1, "average": 9}


@pytest.mark.parametrize(
    "others", [["ndcg@1"], ["ndcg@1", "gini@all"], ["rankdcg"], ["ndcg(ties=item_asc)@1"]]
)
def test_a_measure_does_not_depend_on_the_others(others: list[str]) -> None:
    """They decide whether the pass over all users returns the rankings, or a query of its own."""

    def mean(metric: str, truth: Any = TRUTH, rec: Any = None, **options: Any) -> float | None:
        tied = {"userid": [1, 1, 1], "itemid": ["a", "b", "c"], "score": [1, 1 + 1e-12, 1]}
        given = {"metrics": [metric, *others], "items": ITEMS, "users": "both", **options}
        found = evaluate(truth, tied if rec is None else rec, **given)
        return found.means[metric]

    assert mean("average_popularity@1") == 4
    assert mean("average_popularity@1", convention="trec_eval") == 1
    assert mean("average_popularity@1", ties="item_desc", score_type="float32") == 1
    rec = {"userid": [1] * 5, "itemid": ["a", "a", None, None, "b"], "score": [9, 8, 7, 6, 5]}
    with pytest.warns(rankdcg_sql.DataWarning):
        assert mean("coverage@3", rec=rec) == 0.25
    rec = {"userid": [1, 1], "itemid": ["b", "a"], "score": [1.0, float("nan")]}
    with pytest.warns(rankdcg_sql.DataWarning, match="NaN as score, left out"):
        assert mean("average_popularity@1", rec=rec) == 4
    as_enum = {"itemid": pl.Enum(["d", "c", "b", "a"])}
    frames = [pl.DataFrame(each).cast(as_enum) for each in (TRUTH, {**REC, "score": [1] * 6})]
    assert mean("average_popularity@2", *frames) == pytest.approx((6.5 + 5) / 2)


def test_an_error_about_a_value_says_where_it_is() -> None:
    truth = {**TRUTH, "rel": [1.0, -1.0, 1.0, 1.0]}
    with pytest.raises(ValueError, match=r"^evaluate: .*\(user 1, item 'b' of truth\)"):
        evaluate(truth, REC, metrics=["ndcg", "coverage"], rel="rel", items=ITEMS)


def test_a_large_cutoff_needs_no_more_memory_than_rec() -> None:
    assert evaluate(TRUTH, REC, metrics=["coverage@9223372036854775807"], items=ITEMS).means == {
        "coverage@9223372036854775807": 0.75
    }


def test_metrics_may_have_a_type_of_scores_of_their_own() -> None:
    metrics = ["coverage@2", "ndcg(score_type=float32)@20"]
    assert evaluate(TRUTH, REC, metrics=metrics, items=ITEMS).means["coverage@2"] == 0.5


def test_systems_are_compared_by_measures_of_all_users() -> None:
    """The means are the measures of each system, so that their difference is that of the measures."""
    other = {"userid": [1, 2, 3], "itemid": ["b", "c", "d"], "score": [1, 1, 1]}
    metrics = ["coverage", "gini", "novelty"]
    compared = rankdcg_sql.compare(TRUTH, {"one": REC, "other": other}, k=2, metrics=metrics, items=ITEMS)
    means = {
        name: evaluate(TRUTH, rec, k=2, metrics="coverage", items=ITEMS).means["coverage@2"]
        for name, rec in (("one", REC), ("other", other))
    }
    (row,) = compared.differences.filter("metric = 'coverage'").project("n, difference").fetchall()
    assert row == (3, pytest.approx(means["other"] - means["one"]))


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"metrics": "novelty"}, "novelty needs a table of items: give it with items="),
    ({"metrics": "novelty(at=x)", "items": ITEMS}, "a measure of items takes no option but of="),
    ({"metrics": "coverage", "items": ITEMS, "by": "itemid"}, "coverage is a measure of all users together"),
    ({"metrics": "coverage", "items": ITEMS, "weight": "w"}, "coverage is a measure of all users together"),
    (
        {"metrics": "arp(of=price)@3", "items": ITEMS},
        r"items has no column 'price', but .*; name another one as in 'average_popularity\(of=\.\.\.\)@3'$",
    ),
    (
        {"metrics": ["arp", "long_tail_share"], "k": [2, 4], "items": {**ITEMS, "longtail": [True] * 4}},
        r"items has no column 'long_tail', but .*; did you mean 'long_tail_share\(of=longtail\)@2'\?$",
    ),
    (
        {"metrics": "long_tail_share", "k": 2, "items": {**ITEMS, "long_tail()": [True] * 4}},
        r"items has no column 'long_tail', but .*; name another one as in 'long_tail_share\(of=\.\.\.\)@2'$",
    ),
    ({"metrics": "novelty(of=popularity)", "items": ITEMS}, "items must have shares above 0 and at most 1"),
    ({"metrics": "coverage", "items": {"itemid": [1]}}, "the items of rec and items must be of one type"),
    (
        {"metrics": "coverage", "items": {"thing": ["a"]}},
        "items has no column 'itemid', but thing; name the right one with item=, and those of truth and rec "
        "with truth_item= and rec_item=$",
    ),
    (
        {"metrics": "coverage", "items": {"thing": ["a"]}, "item": "song"},
        "items has no column 'song', but thing; name the right one with item=$",
    ),
    ({"metrics": "coverage", "items": {"itemid": ["a", "a"]}}, "items must have each item once"),
    ({"metrics": "coverage", "items": 3}, "items"),
]  # fmt: skip


@pytest.mark.parametrize(("arguments", "message"), WRONG)
def test_errors_name_the_argument(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises((ValueError, TypeError), match=message):
        evaluate(TRUTH, REC, **arguments)


def test_the_table_of_items_may_have_a_name_of_its_own_for_them() -> None:
    items = {"thing": ITEMS["itemid"], "popularity": ITEMS["popularity"]}
    names = {"item": "thing", "truth_item": "itemid", "rec_item": "itemid"}
    expected = evaluate(TRUTH, REC, k=2, metrics="arp", items=ITEMS)
    assert evaluate(TRUTH, REC, k=2, metrics="arp", items=items, **names).means == expected.means


def test_segments_divide_the_means_of_measures_of_users() -> None:
    truth = {**TRUTH, "country": ["de", "de", "fr", "fr"]}
    found = evaluate(truth, REC, 2, "novelty", items=ITEMS, by="country")
    assert found.summary.filter("country IS NOT NULL").project("country, mean").order(
        "country"
    ).fetchall() == [("de", 2.0), ("fr", 2.0)]


def test_an_order_of_rows_changes_no_bit() -> None:
    truth, rec, items = drawn(random.Random(5), 300)
    results = []
    for _ in range(3):
        frames = [
            pl.DataFrame(truth, ["userid", "itemid", "rel"], orient="row"),
            pl.DataFrame(rec, ["userid", "itemid", "score"], orient="row"),
            pl.DataFrame(items).rename({"item": "itemid"}),
        ]
        shuffled = [frame.sample(fraction=1, shuffle=True, seed=len(results)) for frame in frames]
        found = evaluate(*shuffled[:2], k=3, metrics=NAMES, rel="rel", items=shuffled[2])
        results.append((found.summary.fetchall(), found.per_user.order("ALL").fetchall()))
    assert results[0] == results[1] == results[2]


def test_no_user_wins_by_a_measure_of_all_users() -> None:
    other = {"userid": [1, 2, 3], "itemid": ["b", "c", "d"], "score": [1, 1, 1]}
    recs = {"one": REC, "other": other}
    compared = rankdcg_sql.compare(TRUTH, recs, k=2, metrics=["gini", "arp", "reo"], items=ITEMS)
    counts = compared.differences.project("metric, wins, ties, losses").fetchall()
    none = (None, None, None)
    assert counts == [("gini", *none), ("average_popularity", 2, 0, 0), ("reo", *none)]
    rows = [line.split("│")[-4:-1] for line in compared.render("table", details=True).splitlines()]
    assert [[cell.strip() for cell in row] for row in rows if len(row) == 3][1] == ["NULL"] * 3


def test_plots_of_users_leave_out_measures_of_all_users() -> None:
    alone, both = (
        rankdcg_sql.compare(TRUTH, {"one": REC, "other": REC}, k=2, metrics=metrics, items=ITEMS)
        for metrics in (["coverage", "gini"], ["gini", "arp"])
    )
    (axes,) = both.plot_wins().axes
    assert axes.get_title(loc="left") == "average_popularity@2"
    told = ": gini is a measure of all users together, of which no single user has a value"
    for name in ("plot_wins", "plot_user_differences", "plot_distribution"):
        with pytest.raises(ValueError, match=f"^{name}{told}: give average_popularity@2$"):
            getattr(both, name)("gini@2")
        with pytest.raises(ValueError, match=f"^{name}{told}$"):
            getattr(alone, name)("gini")
    with pytest.raises(ValueError, match=f"^plot_wins{told.replace('gini', 'coverage')}$"):
        alone.plot_wins()
    with pytest.raises(ValueError, match=r"^plot_wins: metric must be 'coverage' or 'gini', got 'ndcg'$"):
        alone.plot_wins("ndcg")
    with pytest.raises(ValueError, match=f"^plot_distribution{told}"):
        both.evaluations["one"].plot_distribution("gini")
    for result in (alone, both, both.evaluations["one"]):
        page = report(result)
        assert f"<li>gini is{told.partition('is')[2]}</li>" in page
        assert "users' values of gini@2" not in page.replace("&#x27;", "'")
        of_users = "users' values of average_popularity@2"
        assert (of_users in page.replace("&#x27;", "'")) == (result is not alone)
    assert "differences of average_popularity@2" in report(both).partition("<h2>Why</h2>")[2]
    assert "<h2>Why</h2>" not in report(alone)


def test_a_change_of_a_measure_of_all_users_has_no_parts() -> None:
    alone = evaluate(TRUTH, REC, k=2, metrics="coverage", items=ITEMS)
    told = "^explain_change: coverage is a measure of all users together, of which no single user has a value"
    with pytest.raises(ValueError, match=f"{told}$"):
        rankdcg_sql.explain_change(alone, alone)
    both = evaluate(TRUTH, REC, k=2, metrics=["coverage", "novelty", "arp"], items=ITEMS)
    changed = rankdcg_sql.explain_change(both, both).measures
    assert [measure.metric for measure in changed] == ["novelty", "average_popularity"]
    for metric in ("coverage", "coverage@2", "coverage@9"):
        with pytest.raises(ValueError, match=f"{told}: give novelty@2 or average_popularity@2$"):
            rankdcg_sql.explain_change(both, both, metric=metric)
    with pytest.raises(ValueError, match=r"^explain_change: metric must be 'novelty' or .*, got 'ndcg'$"):
        rankdcg_sql.explain_change(both, both, metric="ndcg")


@pytest.mark.filterwarnings("ignore::rankdcg_sql.DataWarning")
@pytest.mark.parametrize("metrics", [["coverage"], ["novelty", "ndcg"]])
def test_reports_and_requirements_know_measures_of_items(metrics: list[str], tmp_path: Any) -> None:
    one = evaluate(TRUTH, REC, k=2, metrics=metrics, items=ITEMS)
    two = rankdcg_sql.compare(TRUTH, {"a": REC, "b": REC}, k=2, metrics=metrics, items=ITEMS)
    for number, result in enumerate((one, two)):
        path = tmp_path / f"{number}.html"
        report(result, path)
        assert f"{metrics[0]}@2" in path.read_text("utf-8")
    met = one.require(f"measured {metrics[0]}@2 at least 0.1", f"measured {metrics[0]}@2 at most 9")
    assert not met.unmet("fail")


def test_numbers_of_items_in_text_files(tmp_path: Path) -> None:
    """They may have fractions and exponents. Labels that look like numbers are texts there."""
    path = tmp_path / "items.csv"
    path.write_text(
        "itemid,popularity,share,group\na,9.0,5e-1,1.10\nb,4.5,0.25,1.1\nc,7,0.125,1.1\nd,,1,1.10\n"
    )
    items = {
        "itemid": ["a", "b", "c", "d"],
        "popularity": [9, 4.5, 7, None],
        "share": [0.5, 0.25, 0.125, 1],
        "group": ["x", "y", "y", "x"],
    }
    names = ["average_popularity", "serendipity", "novelty", "awrf", "categorical_diversity(of=group)"]
    found = evaluate(TRUTH, REC, 2, names, items=path)
    assert found.means == evaluate(TRUTH, REC, 2, names, items=items).means
    assert found.means["categorical_diversity(of=group)@2"] > 0.5
    path.write_text("itemid,popularity\na,9.0\nb,many\n")
    with pytest.raises(
        ValueError, match="finite numbers in the field popularity for average_popularity, got text"
    ):
        evaluate(TRUTH, REC, 2, "average_popularity", items=path)
