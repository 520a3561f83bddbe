"""The golden cases on every engine."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from conftest import GROUPED, WAYS, every_way
from support import golden
from support.engines import OTHERS, Aggregates, Engine, PolarsUsers, Row, Rows, Users, options_text

if TYPE_CHECKING:
    import duckdb


#: The least number of cases for each engine that cannot take all of them.
LEAST = {Aggregates: 30, Rows: 90, Users: 90, PolarsUsers: 90}

on_every_way = pytest.mark.parametrize("any_engine", [*WAYS, *OTHERS, *GROUPED], indirect=True)


def near(expected: float | None) -> Any:
    return None if expected is None else pytest.approx(expected, rel=0, abs=1e-9)


def test_the_readme_counts_the_cases_of_each_source():
    text = (golden.VECTORS / "README.md").read_text("utf-8")
    rows = re.findall(r"^\| `(.+)` \| .+ \| (\d+) \|$", text, re.MULTILINE)
    named = {case_id: golden.sources(case_id) for case_id in golden.IDS}
    counted = {begins: sum(golden.names(case_id, (begins,)) for case_id in named) for begins, _ in rows}
    assert counted == {begins: int(count) for begins, count in rows}
    every = {source for sources in named.values() for source in sources}
    assert [source for source in every if sum(map(source.startswith, counted)) != 1] == []
    assert f"holds {len(golden.IDS)} cases" in text


def test_every_golden_case_has_its_place():
    kinds = (
        golden.DATASET, golden.PAIRED, golden.CORRECTIONS, golden.TABLES, golden.ITEMS, golden.EXPOSURES,
        golden.ASPECTS, golden.RANKINGS_OF_ITEMS,
    )  # fmt: skip
    apart = [case.id for cases in kinds for case in cases]
    assert sorted([*golden.CASES, *apart]) == sorted(golden.IDS)
    assert all(kinds)


def asked(engine: Engine, case: golden.Case) -> list[str]:
    """The kinds of lists in which an engine can compute a case."""
    takes = engine.supports(case.function, case.args[0], Row(case.args[1:], case.k, case.options))
    return engine.forms(case.args[0]) if takes else []


@on_every_way
@pytest.mark.parametrize("case_id", sorted(golden.CASES))
def test_golden_case(any_engine: Engine, case_id: str):
    engine, case = any_engine, golden.CASES[case_id]
    for kind in asked(engine, case):
        if case.expected == "error":
            with pytest.raises(engine.error, match=f"{engine.function_name(case.function)}: "):
                engine.one(case.function, kind, case.args[1:], case.k, **case.options)
        else:
            value = engine.one(case.function, kind, case.args[1:], case.k, **case.options)
            assert value == near(case.expected), kind


@on_every_way
def test_every_engine_computes_most_cases(any_engine: Engine):
    least = LEAST.get(type(any_engine), 100)
    assert sum(bool(asked(any_engine, case)) for case in golden.CASES.values()) >= least


@every_way
def test_golden_dataset_cases(con: duckdb.DuckDBPyConnection):
    assert len(golden.DATASET) == 3
    for case in golden.DATASET:
        _, scores, rels = case.args
        parameters: dict[str, Any] = {"rels": rels, "options": options_text(case.options)}
        lists = "unnest($rels::DOUBLE[][]) AS rels"
        if scores is None:
            parameters["k"] = case.k
            arguments = "rels, $k, $options"
        else:
            parameters["scores"] = scores
            lists += ", unnest($scores::DOUBLE[][]) AS scores"
            arguments = "scores, rels, $options"
        query = f"SELECT avg({case.function}({arguments})) FROM (SELECT {lists})"
        ((value,),) = con.execute(query, parameters).fetchall()
        assert value == near(case.expected), case.id
