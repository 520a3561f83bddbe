"""Measures of the items of all rankings: values by hand and of others, and the reference."""

from __future__ import annotations

import random
from statistics import mean, stdev
from typing import Any

import duckdb
import pyarrow as pa
import pytest
from support import golden, reference
from support.engines import Core, Engine
from support.rankings import FAMILIES
from support.sql import value

import rankdcg_sql
from rankdcg_sql.catalogue import item_measures

ITEMS = [
    {"item": "a", "popularity": 9.0, "share": 0.5, "long_tail": False, "group": "x", "categories": ["p"]},
    {"item": "b", "popularity": 4.0, "share": 0.25, "long_tail": True, "group": "y", "categories": ["p"]},
    {"item": "c", "popularity": 1.0, "share": 0.125, "long_tail": True, "group": "x", "categories": ["r"]},
    {"item": "d", "popularity": 1.0, "share": None, "long_tail": None, "group": "y", "categories": []},
]  # fmt: skip
NAMES = [*reference.PROPERTIES]


def test_every_measure_is_tested() -> None:
    known = [*reference.ITEM_MEASURES, *reference.OF_RANKINGS, *reference.OF_ALL_RANKINGS]
    assert sorted(known) == sorted(NAMES)
    assert sorted(item_measures()) == sorted(NAMES)


def drawn(chance: random.Random, users: int, items: int) -> tuple[list, list, list]:
    """Rankings and truths of users, and a catalogue; some items are not in it."""
    pool = [*range(items + 2), None]
    recs = [
        None if chance.random() < 0.05 else chance.choices(pool, k=chance.randrange(7)) for _ in range(users)
    ]
    truths = [None if chance.random() < 0.1 else chance.choices(pool, k=chance.randrange(5)) for _ in recs]

    def some(one: Any) -> Any:
        return None if chance.random() < 0.15 else one

    catalogue = [
        {
            "item": item,
            "popularity": some(float(chance.randrange(5))),
            "share": some(chance.uniform(0.01, 1)),
            "long_tail": some(chance.random() < 0.5),
            "group": some(chance.randrange(3)),
            "categories": some(chance.choices([None, *range(4)], k=chance.randrange(4))),
        }
        for item in chance.sample(range(items), items)
    ]
    return recs, truths, [*catalogue, {**ITEMS[3], "item": None, "group": 1}]


STRUCTS = pa.struct(
    {
        "item": pa.int64(), "popularity": pa.float64(), "share": pa.float64(), "long_tail": pa.bool_(),
        "group": pa.int64(), "categories": pa.list_(pa.int64()),
    }
)  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_random_tables(engine: Engine, name: str) -> None:
    chance = random.Random(name)
    for users, items in [(0, 3), (1, 1), (1, 5), (2, 4), (9, 0), (30, 12)]:
        recs, truths, catalogue = drawn(chance, users, items)
        ids = pa.list_(pa.list_(pa.int64()))
        for k in (None, 1, 3):
            columns = [
                pa.array([recs], ids),
                pa.array([truths], ids),
                pa.array([catalogue], pa.list_(STRUCTS)),
                pa.array([name if k is None else f"{name}@{k}"]),
            ]
            (found,) = engine.over("rank_items", columns)
            expected = reference.rank_items(name, recs, truths, catalogue, k, reference.PROPERTIES[name])
            assert found == [each if each is None else pytest.approx(each, abs=1e-9) for each in expected]


OF_GROUPS = [name for name, of in reference.PROPERTIES.items() if of in ("group", "categories")]


@pytest.mark.parametrize("name", OF_GROUPS)
def test_items_of_several_groups(engine: Engine, name: str) -> None:
    chance = random.Random(name)
    recs, truths, catalogue = drawn(chance, 40, 12)
    ids = pa.list_(pa.list_(pa.int64()))
    columns = [pa.array([recs], ids), pa.array([truths], ids), pa.array([catalogue], pa.list_(STRUCTS))]
    for of in ("categories", "popularity"):
        for k in (2, 5):
            (found,) = engine.over("rank_items", [*columns, pa.array([f"{name}(of={of})@{k}"])])
            expected = reference.rank_items(name, recs, truths, catalogue, k, of)
            assert found == [each if each is None else pytest.approx(each, abs=1e-9) for each in expected]


@pytest.mark.parametrize("family", [family for family in FAMILIES if family != "lists"])
def test_items_of_every_type(engine: Engine, family: str) -> None:
    """Rankings, truths and catalogue may have types of their own, as far as these can be compared."""
    chance = random.Random(family)
    kinds, pool = FAMILIES[family]
    recs, truths, catalogue = drawn(chance, 12, len(pool))
    written = [
        [row and [item if item is None or item >= len(pool) else pool[item] for item in row] for row in rows]
        for rows in (recs, truths)
    ]
    for kind in kinds.values():
        try:
            structs = pa.struct({**{field.name: field.type for field in STRUCTS}, "item": kind})
            columns = [
                *(pa.array([rows], pa.list_(pa.list_(kind))) for rows in written),
                pa.array(
                    [
                        [
                            {**each, "item": each["item"] if each["item"] is None else pool[each["item"]]}
                            for each in catalogue
                        ]
                    ],
                    pa.list_(structs),
                ),
            ]
        except (pa.ArrowException, OverflowError):
            continue  # not every type holds every item of its family
        found = engine.over("rank_items", [*columns, pa.array(["serendipity@3, coverage"])])
        assert found[0][::2] == Core().over("rank_items", [*columns, pa.array(["serendipity@3"])])[0]


def test_several_measures_are_those_of_each_alone(engine: Engine) -> None:
    recs, truths, catalogue = drawn(random.Random(1), 2049, 300)
    ids = pa.list_(pa.list_(pa.int64()))
    columns = [pa.array([recs], ids), pa.array([truths], ids), pa.array([catalogue], pa.list_(STRUCTS))]
    names = [
        *NAMES,
        "novelty@2",
        "average_popularity(of=share)@3",
        "Gini@ALL",
        " rsp ( of = 'categories' ) @ 2 ",
    ]
    all_names = pa.array([", ".join(names)])
    (together,) = engine.over("rank_items", [*columns, all_names])
    for threads in (1, 3, 100):
        (shared,) = engine.over("rank_items", [*columns, all_names, pa.array([f"threads={threads}"])])
        assert shared == together
    for place, name in enumerate(names):
        (alone,) = engine.over("rank_items", [*columns, pa.array([name])])
        assert together[place :: len(names)] == alone


@pytest.mark.parametrize("kind", [pa.int64(), pa.string()])
def test_parts_of_users_on_several_threads(kind: pa.DataType) -> None:
    """Measures are computed for parts of 16384 users. Those of one ranking know no other user."""
    recs, truths, catalogue = drawn(random.Random(4), 40_000, 300)
    ids = pa.list_(pa.list_(kind))
    structs = pa.struct([pa.field("item", kind), *[*STRUCTS][1:]])

    def over(users: list[int], *options: str) -> list[Any]:
        columns = [
            pa.array([[recs[user] for user in users]], pa.list_(pa.list_(pa.int64()))).cast(ids),
            pa.array([[truths[user] for user in users]], pa.list_(pa.list_(pa.int64()))).cast(ids),
            pa.array([catalogue], pa.list_(STRUCTS)).cast(pa.list_(structs)),
        ]
        return Core().over("rank_items", [*columns, *(pa.array([text]) for text in options)])[0]

    names = [*NAMES, "unknown_items", "categorical_diversity@2", "ndkl@3"]
    whole = over([*range(len(recs))], ", ".join(names))
    for threads in (2, 5):
        assert over([*range(len(recs))], ", ".join(names), f"threads={threads}") == whole
    single = [name for name in names if name.split("@")[0] not in reference.OF_ALL_RANKINGS]
    around = [0, 1, 16_382, 16_383, 16_384, 16_385, 32_767, 32_768, 39_999]
    found = over(around, ", ".join(single))
    for place, name in enumerate(single):
        of_name = whole[names.index(name) :: len(names)]
        assert found[place :: len(single)] == [of_name[user] for user in around], name


def test_lists_by_measure(native: duckdb.DuckDBPyConnection) -> None:
    """The function that only SQL of this project calls has a list of the numbers of each measure."""
    recs, truths, catalogue = drawn(random.Random(5), 50, 9)
    ids = pa.list_(pa.list_(pa.int64()))
    rows = pa.table(
        {
            "recs": pa.array([recs, None, [], recs[:7]] * 600, ids),
            "truths": pa.array([truths, None, [], truths[:7]] * 600, ids),
            "items": pa.array([catalogue] * 2400, pa.list_(STRUCTS)),
            "names": ["gini@2, awrf, reo@3", "coverage", "novelty", "ndkl@2"] * 600,
        }
    )
    native.register("rows_of_lists", rows)
    arguments = "recs, truths, items, names"
    found = native.execute(
        f"SELECT rank_items({arguments}), rankdcg_sql_items_by_measure({arguments}), names FROM rows_of_lists"
    ).fetchall()
    assert len(found) == 2400
    for together, by_measure, names in found:
        if together is None:
            assert by_measure is None
            continue
        measures = len(names.split(","))
        assert by_measure == [together[place::measures] for place in range(measures)]
    with pytest.raises(duckdb.Error, match=r"^Invalid Input Error: rank_items: truth must be a list"):
        native.execute("SELECT rankdcg_sql_items_by_measure([[1]], NULL, [{'item': 1, 'group': 2}], 'reo')")


def test_the_order_of_the_catalogue_changes_no_bit(engine: Engine) -> None:
    recs, truths, catalogue = drawn(random.Random(3), 300, 40)
    ids = pa.list_(pa.list_(pa.int64()))
    names = pa.array([", ".join(NAMES)])
    found = []
    for items in (catalogue, catalogue[::-1], sorted(catalogue, key=lambda each: str(each["item"]))):
        columns = [pa.array([recs], ids), pa.array([truths], ids), pa.array([items], pa.list_(STRUCTS))]
        found.append(engine.over("rank_items", [*columns, names]))
    assert found[0] == found[1] == found[2]


def test_rankings_may_be_a_field_of_structs(engine: Engine) -> None:
    """The aggregate of all users returns them so."""
    recs, _, catalogue = drawn(random.Random(2), 300, 9)
    ids = pa.list_(pa.int64())
    structs = [None if rec is None else {"retrieved": 7, "ranking": rec} for rec in recs]
    rankings = (
        pa.array([recs], pa.list_(ids)),
        pa.array([structs], pa.list_(pa.struct({"retrieved": pa.int64(), "ranking": ids}))),
        pa.array([[{"Ranking": rec} for rec in recs]], pa.list_(pa.struct({"Ranking": ids}))),
    )
    others = [
        pa.nulls(1, pa.list_(ids)),
        pa.array([catalogue], pa.list_(STRUCTS)),
        pa.array(["gini@2, awrf"]),
    ]
    found = [engine.over("rank_items", [each, *others]) for each in rankings]
    assert found[0] == found[1] == found[2]
    assert len(found[0][0]) == 2 * len(recs)


def test_rows_are_systems(con: duckdb.DuckDBPyConnection) -> None:
    """A query may group rankings by system. Each row has its own rankings, catalogue and measures."""
    query = """
        SELECT rank_items(rec, NULL, items, measures) FROM (VALUES
            (1, [['a', 'b'], ['a']], [{'item': 'a'}, {'item': 'b'}], 'coverage'),
            (2, [['a']], [{'item': 'a'}, {'item': 'b'}], 'coverage, gini'),
            (3, NULL, [{'item': 'a'}], 'coverage'), (4, [['a']], NULL, 'coverage'),
            (5, [['a']], [{'item': 'a'}], NULL), (6, [], [], 'coverage'), (7, [['a']], [], 'coverage')
        ) AS t(place, rec, items, measures) ORDER BY place
    """
    found = [found for (found,) in con.execute(query).fetchall()]
    assert found == [[1.25, 0.75], [0.5, 0.5], None, None, None, [], [None]]


def test_no_rankings(con: duckdb.DuckDBPyConnection) -> None:
    names = ", ".join(name for name in NAMES if not name.startswith("intra"))
    items = f"[{', '.join(str(each).replace('None', 'NULL') for each in ITEMS)}]"
    assert value(con, f"rank_items([], [], {items}, '{names}')") == []
    assert value(con, f"rank_items([], NULL, {items}, 'awrf, coverage, gini')") == []


def test_an_ideal_ranking_has_no_more_items_than_the_catalogue(engine: Engine) -> None:
    """Unknown items may fill more places."""
    catalogue = [{**ITEMS[3], "item": item, "group": 0, "categories": [0]} for item in range(50)]
    ids = pa.list_(pa.list_(pa.int64()))
    for recs, truths, k in [
        ([[*range(150)]], [[*range(49)]], None),
        ([[*range(1000, 3000)]] * 2, [[*range(49)]] * 2, None),
        ([[], [], [3, 60, 70]], [[1], [*range(50)], []], 60),
    ]:
        columns = [pa.array([recs], ids), pa.array([truths], ids), pa.array([catalogue], pa.list_(STRUCTS))]
        (found,) = engine.over("rank_items", [*columns, pa.array(["eel" if k is None else f"eel@{k}"])])
        expected = reference.rank_items("eel", recs, truths, catalogue, k, "group")
        assert found == [pytest.approx(each, abs=1e-9) for each in expected]


def test_vectors(con: duckdb.DuckDBPyConnection) -> None:
    items = "[{'item': 1, 'v': [1.0, 0.0]::FLOAT[2]}, {'item': 2, 'v': [0.0, 2.0]}, {'item': 3, 'v': NULL}]"
    call = f"rank_items([[1, 2, 3], [1, 3]], NULL, {items}, 'intra_list_diversity(of=v)')"
    assert value(con, call) == [1.0, None]


WRONG = [
    ("[['a']], NULL, [{'item': 1}], 'coverage'", "items of rec and items must be of one type"),
    ("[['a']], [[1]], [{'item': 'a'}], 'reo(of=item)'", "items of truth and items must be of one type"),
    ("[['a']], NULL, [{'item': 'a'}, {'item': 'a'}], 'coverage'", "items must have each item once"),
    (
        "[['a']], NULL, [{'item': 'a'}, {'item': 'b'}, {'item': 'a'}, {'item': 'b'}, {'item': 'b'}], 'gini'",
        "place 3 has 'a' again",
    ),
    (
        "[[1]], NULL, [{'item': 9}, {'item': 1}, {'item': 9}, {'item': 1}, {'item': 1}], 'gini'",
        "place 3 has 9 again",
    ),
    ("[[1.5]], NULL, [{'item': 1.5}, {'item': 1.5}], 'gini'", "place 2 has the item of another one"),
    ("[['a']], NULL, [{'item': 'a', 'popularity': 1}], 'serendipity'", "truth must be a list with the items"),
    ("[['a']], NULL, [{'item': 'a'}], 'novelty'", "items must have the field share for novelty"),
    ("[['a']], NULL, [{'item': 'a', 'share': 0}], 'novelty'", "items must have shares above 0"),
    (
        "[['a']], NULL, [{'item': 'a', 'group': [0.2, 0.8]}], 'awrf'",
        "items must have labels in the field group for awrf, got list of ",
    ),
    (
        "[['a']], NULL, [{'item': 'a', 'group': [0.2::DOUBLE]}], 'rsp'",
        "items must have labels in the field group for rsp, got list of ",
    ),
    ("[['a']], NULL, [{'item': 'a', 'share': 'x'}], 'novelty'", "in the field share for novelty, got text"),
    ("[['a']], [['a']], [{'item': 'a', 'popularity': 'nan'::DOUBLE}], 'serendipity'", "got NaN"),
    ("[['a']], NULL, [{'item': 'a'}], 'coverage(of=item)'", "it takes no option"),
    ("[['a']], NULL, [{'item': 'a'}], 'novelty(at=item)'", "it takes no option but of="),
    ("[['a']], NULL, [{'item': 'a'}], 'coverage@0'", "a cutoff is a whole number from 1, or all"),
    ("[['a']], NULL, [{'item': 'a'}], 'ndcg@10'", "it is no measure of items"),
    ("[['a']], NULL, [{'item': 'a'}], 'gini, MinSkew@10'", "it is minus infinity if a group is not shown"),
    ("[['a']], NULL, [{'item': 'a'}], 'surprisal@10'", "did you mean novelty, divided by log2 of"),
    ("[['a']], NULL, [{'item': 'a'}], 'coverage', 'k=1'", "unknown option 'k'"),
    ("[['a']], NULL, [{'item': 'a'}], 'coverage', 'threads=0'", "a whole number that is at least 1, got '0'"),
    ("[['a']], NULL, [{'item': 'a'}], 'coverage', 'threads=1.5'", "that is at least 1, got '1.5'"),
    ("['a'], NULL, [{'item': 'a'}], 'coverage'", "rec must be a list of lists of items, got a list of text"),
    ("[{'ranked': ['a']}], NULL, [{'item': 'a'}], 'coverage'", "rec must be a list of lists of items, got"),
    ("[{'ranking': 'a'}], NULL, [{'item': 'a'}], 'coverage'", "rec must be a list of lists of items, got"),
    ("[['a']], NULL, ['a'], 'coverage'", "items must be a list of structs of an item"),
    ("[['a']], NULL, [{'thing': 'a'}], 'coverage'", "items needs one field named item"),
    ("[['a']], [['a'], ['b']], [{'item': 'a'}], 'coverage'", "truth must have a list for each of rec"),
    ("[['a']], [], [{'item': 'a'}], 'coverage'", "truth must have a list for each of rec, got 0 and 1"),
]  # fmt: skip


@pytest.mark.parametrize(("arguments", "message"), WRONG)
def test_errors_name_the_argument_and_the_value(
    con: duckdb.DuckDBPyConnection, arguments: str, message: str
) -> None:
    with pytest.raises(duckdb.Error, match="rank_items") as error:
        value(con, f"rank_items({arguments})")
    assert message in str(error.value)


@pytest.mark.parametrize("name", ["coverage", "gini", "entropy", "personalisation"])
def test_the_interval_has_the_value_of_many_users_of_the_same_kind(name: str) -> None:
    """The standard error is that of the values of samples, or larger, as Efron and Stein prove."""
    chance = random.Random(name)
    catalogue = [{"item": item} for item in range(60)]

    def values() -> list[float]:
        recs = [
            sorted({min(int(chance.expovariate(0.08)), 59) for _ in range(4)}, key=lambda _: chance.random())
            for _ in range(40)
        ]
        return rankdcg_sql.rank_items(recs, None, catalogue, measures=name)

    samples = [values() for _ in range(400)]
    errors = [stdev(sample) / len(sample) ** 0.5 for sample in samples]
    spread = stdev(map(mean, samples))
    assert 0.9 * spread < mean(errors) < 1.6 * spread


@pytest.mark.parametrize("case", golden.RANKINGS_OF_ITEMS, ids=lambda case: case.id)
def test_golden_cases(engine: Engine, case: golden.Case) -> None:
    recs, truths, items = case.args[1:]
    written = [pa.array([recs]), pa.array([truths], pa.list_(pa.list_(pa.string()))), pa.array([items])]
    name = case.options["measure"] if case.k is None else f"{case.options['measure']}@{case.k}"
    (found,) = engine.over("rank_items", [*written, pa.array([name])])
    near = 1e-5 if case.options["measure"] == "ndkl" else 1e-9  # the source says why
    assert mean(found) == pytest.approx(case.expected, abs=near)
