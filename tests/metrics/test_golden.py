"""The golden cases on every engine."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING, Any

import pytest
from support import golden
from support.engines import Aggregates, Engine, PolarsUsers, Row, Rows, Users, options_text

if TYPE_CHECKING:
    import duckdb


#: The least number of cases for each engine that cannot take all of them.
LEAST = {Aggregates: 30, Rows: 90, Users: 90, PolarsUsers: 90}


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


def asked(engine: Engine, case: golden.Case) -> list[str]:
    """The kinds of lists in which an engine can compute a case."""
    takes = engine.supports(case.function, case.args[0], Row(case.args[1:], case.k, case.options))
    return engine.forms(case.args[0]) if takes else []


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


def test_golden_cases_many_at_once(any_engine: Engine):
    engine = any_engine
    errors = {name for name, case in golden.CASES.items() if case.expected == "error"}
    groups: dict[tuple[str, str, type], dict[str, golden.Case]] = defaultdict(dict)
    for name, case in golden.CASES.items():
        for kind in asked(engine, case) if name not in errors else ():
            item = type(next(iter(case.args[1] or case.args[2] or [0])))
            groups[case.function, kind, item][name] = case
    covered = set()
    for (function, kind, _), cases in groups.items():
        rows = [Row(case.args[1:], case.k, case.options) for case in cases.values()]
        values = dict(zip(cases, engine.many(function, kind, rows), strict=True))
        assert values == {name: near(case.expected) for name, case in cases.items()}
        covered |= cases.keys()
    assert covered == {name for name in golden.CASES.keys() - errors if asked(engine, golden.CASES[name])}
    assert len(covered) >= LEAST.get(type(engine), 100)


def test_golden_dataset_cases(con: duckdb.DuckDBPyConnection):
    assert len(golden.DATASET) == 3
    for case in golden.DATASET:
        assert case.how == "avg"
        parameters: dict[str, Any] = {"users": case.rels_by_user, "options": options_text(case.options)}
        lists = "unnest($users::DOUBLE[][]) AS rels"
        if case.scores_by_user[0] is None:
            parameters["k"] = case.k
            call = "ndcg_rels(rels, $k, $options)"
        else:
            parameters["scores"] = case.scores_by_user
            lists += ", unnest($scores::DOUBLE[][]) AS scores"
            call = "roc_auc(scores, rels, $options)"
        query = f"SELECT avg({call}) FROM (SELECT {lists})"
        ((value,),) = con.execute(query, parameters).fetchall()
        assert value == near(case.expected), case.id
