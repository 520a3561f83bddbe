"""The differential programme from fixed seeds; `make fuzz` runs it for any time."""

from __future__ import annotations

import random
from dataclasses import replace

import differential
import pytest
from support import rankings, reference
from support.forms import FORMS

import rankdcg_sql

#: How many batches are compared for each form of arguments, and how many runs in other orders.
BATCHES, ORDERS = 6, 32


@pytest.fixture(scope="module")
def engines() -> dict[str, differential.Engine]:
    """Every engine, on the ways in that differ."""
    return {name: engine for name, engine in differential.ways().items() if "load" not in name}


@pytest.mark.parametrize("kind", ["ids", "map", "structs", "lists", "aligned", "scored", "rels", "rows"])
def test_random_rankings_agree_with_the_reference_on_every_engine(
    engines: dict[str, differential.Engine], kind: str
):
    programme = differential.Programme(engines)
    names = [name for name in rankings.FUNCTIONS if kind in rankings.kinds(name)]
    chance = random.Random(kind)
    for _ in range(BATCHES):
        programme.run(chance.randrange(2**48), chance.choice(names), kind)
    batch = rankings.draw(chance, chance.choice(names), kind)
    large = replace(batch, rows=chance.choices(batch.rows, k=2049))  # one more than a DuckDB vector has
    assert [*programme.compare(large)] == []
    assert programme.differences == {}
    assert sum(programme.counts.values()) > 1500


def test_rankdcg_of_a_group_counts_unjudged_items(engines: dict[str, differential.Engine]):
    """Unjudged items have relevance 0 in the rows of a group, and are left out of aligned lists."""
    batch = rankings.draw(random.Random(10), "rankdcg", "aligned", rankings.Types())
    asked = 0
    for row in batch.rows[:100]:
        try:
            expected = reference.evaluate_scored("rankdcg", *row.args, aligned=False, **row.options)
        except ValueError:
            continue
        for way, engine in engines.items():
            if way.startswith("agg ") and row.args[1] and not reference.is_by_order("rankdcg", row.options):
                (value,) = engine.many("rankdcg", "aligned", [row])
                assert differential.near(value, expected), (way, row)
                asked += None in row.args[1]
    assert asked > 100


#: Metrics that have a way of their own through tied items.
OF_TIES = [
    "bpm",
    "err",
    "inst",
    "insq",
    "nearly_err",
    "nerr",
    "q_measure",
    "rbp_residual",
    "sdcg",
    "rank_metrics",
]


@pytest.mark.parametrize("name", OF_TIES)
@pytest.mark.parametrize("kind", ["scored", "rows"])
def test_every_rule_for_ties_on_judgements_of_ones_and_of_grades(
    engines: dict[str, differential.Engine], kind: str, name: str
):
    """A call has groups of both kinds of judgements. Nothing of one group reaches the next."""
    programme = differential.Programme(engines)
    chance = random.Random(name)
    for _ in range(2):
        programme.run(chance.randrange(2**48), f"{name}_scored" if kind == "scored" else name, kind)
    assert programme.differences == {}


@pytest.mark.parametrize("form", [name for name, form in FORMS.items() if form.is_aggregate])
def test_no_bit_changes_with_the_order_of_rows_nor_with_threads(form: str):
    orders = differential.Orders(rankdcg_sql.connect())
    functions = [each.name for each in differential.AGGREGATES if each.form == form]
    chance = random.Random(form)
    for _ in range(ORDERS // 4):
        orders.run(chance.randrange(2**48), chance.choice(functions))
    assert orders.differences == {}
    assert sum(orders.counts.values()) > 100


def test_a_difference_is_reduced_to_the_row_that_shows_it(engines: dict[str, differential.Engine]):
    """A deliberate fault is found, and reduced to its row."""

    class Wrong(differential.OTHERS["core"]):  # type: ignore[misc, name-defined]
        def over(self, function, columns):
            values = super().over(function, columns)
            return [value and value + (0.5 if value < 0.4 else 0) for value in values]

    programme = differential.Programme({"core": engines["core"], "wrong": Wrong()})
    seed = 0
    while not programme.differences and seed < 100:
        programme.run(seed, "precision_at", "ids")
        seed += 1
    ((_, difference),) = programme.differences.values()
    assert difference.way == "wrong"
    assert len(difference.batch.rows) == 1
