"""Geometric means of metrics over users: evaluations, comparisons, requirements and calls that refuse."""

from __future__ import annotations

import math
import random
import re
from typing import Any

import duckdb
import polars as pl
import pytest
from support import reference

import rankdcg_sql
from rankdcg_sql import compare, evaluate


def tables(seed: int, users: int = 60) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Judgements of grades, some of 0, and rankings with ties. Some users are in one table alone."""
    rng = random.Random(seed)
    truth = [
        (user, item, rng.choice((0, 1, 1, 2)))
        for user in range(users)
        for item in rng.sample(range(25), rng.randint(1, 6))
    ]
    rec = [
        (user, item, rng.randint(0, 6))
        for user in range(5, users + 5)
        for item in rng.sample(range(25), rng.randint(1, 12))
    ]
    return (
        pl.DataFrame(truth, schema=["userid", "itemid", "rel"], orient="row"),
        pl.DataFrame(rec, schema=["userid", "itemid", "score"], orient="row"),
    )


def values(result: Any, column: str) -> list[float | None]:
    """The values of users in a column, in the order of users."""
    return [value for (value,) in result.wide.project(f'"{column}"').fetchall()]


@pytest.mark.parametrize("users", ["truth", "both"])
@pytest.mark.parametrize("ties", ["average", "item_desc", "optimistic"])
@pytest.mark.parametrize("rel", ["rel", None])
def test_each_user_has_the_mean_with_the_influence_of_the_user(
    users: Any, ties: str, rel: str | None
) -> None:
    truth, rec = tables(1)
    means = {
        "gmap@3": "average_precision@3",
        "gmap": "average_precision",
        "gmap(ap_denominator=k)@4": "average_precision(ap_denominator=k)@4",
        "gm_bpref": "bpref",
    }
    asked = [
        "GMAP@3",
        "gm_map@all",
        "gmap(ap_denominator=k)@4",
        "GM_bpref",
        *means.values(),
        "average_precision@all",
    ]
    found = evaluate(truth, rec, metrics=asked, rel=rel, users=users, ties=ties)
    for mean, metric in means.items():
        of_users = values(found, metric)
        assert values(found, mean) == [
            value if value is None else pytest.approx(value, rel=1e-11, abs=1e-12)
            for value in reference.geometric_mean_values(of_users)
        ]
        known = [max(value, 1e-5) for value in of_users if value is not None]
        assert found[mean] == pytest.approx(math.exp(math.fsum(map(math.log, known)) / len(known)))
        row = found.summary.filter(f"metric || coalesce('@' || k, '') = '{mean}'")
        ((n, without),) = row.project("n, without_value").fetchall()
        assert (n, n + without) == (len(known), len(of_users))


def test_the_metric_itself_is_not_needed_beside_its_mean() -> None:
    truth, rec = tables(2)
    both = evaluate(truth, rec, metrics=["gmap@5", "ndcg@5", "MAP@5"], rel="rel")
    alone = evaluate(truth, rec, metrics="gmap@5", rel="rel")
    assert values(alone, "gmap@5") == values(both, "gmap@5")
    assert alone.metrics == ("gmap",)


def test_a_mean_is_that_of_all_parts_of_users(monkeypatch: pytest.MonkeyPatch) -> None:
    truth, rec = tables(3)
    expected = evaluate(
        truth, rec, metrics=["gmap@5", "novelty@5"], items={"itemid": range(25), "share": [0.5] * 25}
    )
    monkeypatch.setattr("rankdcg_sql.evaluation._computing.user_metrics._part_count", lambda *_: 3)
    found = evaluate(
        truth, rec, metrics=["gmap@5", "novelty@5"], items={"itemid": range(25), "share": [0.5] * 25}
    )
    for column in ("gmap@5", "novelty@5"):
        assert values(found, column) == values(expected, column)


@pytest.mark.parametrize("test", ["t", "randomization"])
def test_differences_are_those_of_the_means(test: Any) -> None:
    (truth, rec), (_, other) = tables(4), tables(5)
    found = compare(truth, {"a": rec, "b": other}, "a", metrics=["gmap@5", "MAP@5"], rel="rel", test=test)
    ((difference, p_value, wins),) = (
        found.differences.filter("metric = 'gmap'").project("difference, p_value, wins").fetchall()
    )
    gmap = {name: each["gmap@5"] for name, each in found.systems}
    assert difference == pytest.approx(gmap["b"] - gmap["a"])
    assert 0 < p_value <= 1
    assert wins is None  # no single user has a geometric mean
    assert "gmap is a measure of all users together" in found.report()
    found.require("gmap@5 not worse by 1")


def test_requirements_hold_the_mean() -> None:
    truth, rec = tables(6)
    found = evaluate(truth, rec, metrics="gmap@5", rel="rel")
    found.require(f"measured GMAP@5 >= {found['gmap@5'] - 1e-9}")
    with pytest.raises(rankdcg_sql.RequirementError, match="gmap@5"):
        found.require(f"measured GMAP@5 >= {found['gmap@5'] + 1e-9}")


def test_single_users_have_no_geometric_mean() -> None:
    truth, rec = tables(7)
    weighted = truth.with_columns(w=pl.lit(2.0))
    for argument in ("by", "weight"):
        given: dict[str, Any] = {argument: "w"}
        with pytest.raises(
            ValueError, match="gmap is a measure of all users together, which has no segments"
        ):
            evaluate(weighted, rec, metrics="gmap", **given)
    with pytest.raises(ValueError, match="wilcoxon ranks the values of users, and gmap is a measure of all"):
        compare(truth, {"a": rec, "b": rec}, "a", metrics="gmap", test="wilcoxon")


def test_a_mean_of_no_value_is_none() -> None:
    truth, rec = (
        {"userid": [1, 2], "itemid": ["a", "c"]},
        {"userid": [1, 2], "itemid": ["a", "b"], "score": [0.9, 0.8]},
    )
    with pytest.warns(
        rankdcg_sql.DataWarning, match="no metric has a value: each user of truth is without a relevant"
    ):
        found = evaluate(truth, rec, metrics="gmap(min_rel=2)@10")
    assert found.means == {"gmap(min_rel=2)@10": None}
    assert found.counts.users_without_value == {"gmap(min_rel=2)@10": 2}


@pytest.mark.parametrize("metric", ["gmap@5", "coverage@5"])
def test_systems_have_values_for_the_same_users(metric: str) -> None:
    """The mean of such values over the users of both systems is not the measure of these users."""
    truth = {"userid": range(15), "itemid": ["a"] * 15}

    def rec(users: int, good: range) -> dict[str, Any]:
        items = ["a" if user in good else "b" for user in range(users)]
        return {"userid": range(users), "itemid": items, "score": [1.0] * users}

    recs = {"a": rec(15, range(5, 15)), "b": rec(5, range(5)), "c": rec(15, range(3))}
    given: dict[str, Any] = {"metrics": metric, "items": {"itemid": ["a", "b", "c"]}}
    name = metric.partition("@")[0]
    sentence = "is a measure of all users together, and for 10 users only one of b and a has a value: "
    with pytest.raises(ValueError, match=f"compare: {name} {sentence}" + "give users='truth'"):
        compare(truth, recs, **given, users="both")
    same = {name: recs[name] for name in ("a", "c")}
    for found in (compare(truth, recs, **given), compare(truth, same, **given, users="both")):
        for system, difference in found.differences.project("system, difference").fetchall():
            assert difference == pytest.approx(
                found.evaluations[system][metric] - found.evaluations["a"][metric]
            )
    if name == "gmap":
        with pytest.raises(ValueError, match=f"compare: {name} {sentence}" + "leave it out"):
            compare(truth, recs, **given, empty_rec="null")


def test_calls_of_values_of_users_say_what_sql_computes_the_mean() -> None:
    truth, rec = tables(8)
    con = rankdcg_sql.connect()
    con.register("truth", truth.to_arrow())
    con.register("rec", rec.to_arrow())
    con.execute("CREATE TABLE items AS SELECT DISTINCT itemid FROM rec")
    options = "rel := 'rel'"
    for query in (
        "FROM rank_summary(truth, rec, metrics := ['{}'], ks := 5)",
        "FROM rank_measures(truth, rec, measures := ['{}'])",
        "FROM rank_items(truth, rec, items, measures := ['{}'])",
        "SELECT rank_measures_rows(itemid, score, 1, '{}') FROM rec",
    ):
        for name in ("gmap(min_rel=2)@3", "GM_bpref", "gm_map"):
            with pytest.raises(duckdb.Error, match="it is a mean over users") as refused:
                con.execute(query.format(name)).fetchall()
            (advice,) = re.findall(r"in SQL: (SELECT .*\]\))", str(refused.value))
            ((found,),) = con.execute(advice.replace("measures :=", f"{options}, measures :=")).fetchall()
            whole = "gmap@5" if "ks" in query else "gmap@all"
            in_python = evaluate(truth, rec, metrics=whole if name == "gm_map" else name, rel="rel")
            assert [found] == pytest.approx([*in_python.means.values()])
