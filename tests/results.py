"""Results of an evaluation and of a comparison, to be drawn and reported.

They have what plots and reports read of those of `evaluate` and `compare`, over values that are invented.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from duckdb import DuckDBPyConnection, DuckDBPyRelation

MEASURES = (("precision", 5), ("precision", 10), ("ndcg", 5), ("ndcg", 10), ("rankdcg", None))
#: How good the invented systems are, the baseline first.
SYSTEMS = {"popular": 2.2, "mine": 1.6, "random": 6.0}


@dataclass(frozen=True)
class Counts:
    rec_rows: int = 10_000
    truth_rows: int = 2400
    users_evaluated: int = 500
    users_without_rec: int = 12
    rec_null_scores: int = 0
    sentences: tuple[str, ...] = ("12 users have no recommendations and score 0.",)

    def notes(self) -> list[str]:
        return list(self.sentences)


@dataclass(frozen=True)
class Evaluation:
    per_user: DuckDBPyRelation
    summary: DuckDBPyRelation
    counts: Counts = field(default_factory=Counts)
    options: dict[str, str] = field(default_factory=lambda: {"convention": "trec_eval", "gain": "exp2"})
    users: str = "truth"
    interval: str = "t"
    confidence: float = 0.95
    user: str = "userid"
    by: tuple[str, ...] = ()
    metrics: tuple[str, ...] = ("precision", "ndcg", "rankdcg")
    ks: tuple[int | None, ...] = (5, 10)


@dataclass(frozen=True)
class Comparison:
    evaluations: dict[str, Evaluation]
    baseline: str
    per_user: DuckDBPyRelation
    summary: DuckDBPyRelation
    differences: DuckDBPyRelation
    test: str = "t"
    alternative: str = "two_sided"
    correction: str | None = "holm"
    confidence: float = 0.95


def evaluation(
    con: DuckDBPyConnection,
    users: int = 500,
    skill: float = 2,
    by: Sequence[str] = (),
    measures: Sequence[tuple[str, int | None]] = MEASURES,
) -> Evaluation:
    """Evaluate an invented system: two of five users have values of 0."""
    rows = ", ".join(f"('{metric}', {'NULL' if k is None else k}::BIGINT)" for metric, k in measures)
    segments = "".join(f'userid % {number} AS "{name}", ' for number, name in enumerate(by, start=2))
    per_user = con.sql(f"""
        SELECT userid, {segments} metric, k,
            CASE WHEN hash(userid, 'zero') % 5 > 1
            THEN (hash(userid, metric, k, {skill}) % 1000 / 1000::DOUBLE) ** {skill} ELSE 0 END AS value
        FROM range({users}) AS users(userid), (VALUES {rows}) AS measures(metric, k)
    """)
    measured = dict.fromkeys(metric for metric, _ in measures)
    at = tuple(dict.fromkeys(k for _, k in measures if k is not None)) or (None,)
    return Evaluation(
        per_user, _summary(per_user, by, measures), by=tuple(by), metrics=tuple(measured), ks=at
    )


def comparison(
    con: DuckDBPyConnection,
    users: int = 500,
    systems: dict[str, float] = SYSTEMS,
    measures: Sequence[tuple[str, int | None]] = MEASURES,
) -> Comparison:
    """Compare invented systems with the first of them."""
    evaluations = {name: evaluation(con, users, skill, (), measures) for name, skill in systems.items()}
    baseline = next(iter(systems))
    parts = [_named(of.per_user, name) for name, of in evaluations.items()]
    per_user = parts[0]
    for part in parts[1:]:
        per_user = per_user.union(part)
    base, others = (per_user.filter(f"system {sign} {_text(baseline)}") for sign in ("=", "<>"))
    pairs = others.set_alias("a").join(
        base.set_alias("b"), "a.userid = b.userid AND a.metric = b.metric AND a.k IS NOT DISTINCT FROM b.k"
    )
    differences = pairs.project(
        "a.system, a.metric, a.k, a.value, b.value AS base, a.value - b.value AS d"
    ).aggregate("""
        system, metric, k, count(*) AS n, avg(value) AS mean, avg(base) AS baseline, avg(d) AS difference,
        avg(d) - 1.96 * stddev(d) / sqrt(n) AS low, avg(d) + 1.96 * stddev(d) / sqrt(n) AS high,
        exp(-0.5 * n * (avg(d) / stddev(d)) ** 2) AS p_value, least(p_value * 5, 1) AS p_corrected,
        count_if(d > 0) AS wins, count_if(d = 0) AS ties, count_if(d < 0) AS losses
    """)
    return Comparison(
        evaluations,
        baseline,
        per_user,
        _summary(per_user, ["system"], measures, list(systems)),
        differences.order(f"{_place('system', list(systems))}, {_place('metric', _metrics(measures))}, k"),
    )


def _summary(
    per_user: DuckDBPyRelation,
    by: Sequence[str],
    measures: Sequence[tuple[str, int | None]],
    systems: Sequence[str] = (),
) -> DuckDBPyRelation:
    first = "".join(f'"{name}", ' for name in by)
    reach = "1.96 * stddev(value) / sqrt(count(value))"
    means = per_user.aggregate(f"""
        {first} metric, k, count(value) AS n, avg(value) AS mean,
        avg(value) - {reach} AS low, avg(value) + {reach} AS high
    """)
    groups = [_place(name, systems) if systems else f'"{name}"' for name in by]
    return means.order(", ".join([*groups, _place("metric", _metrics(measures)), "k"]))


def _metrics(measures: Sequence[tuple[str, int | None]]) -> list[str]:
    return list(dict.fromkeys(metric for metric, _ in measures))


def _place(column: str, names: Sequence[str]) -> str:
    return f"list_position([{', '.join(map(_text, names))}], {column})"


def _text(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"


def _named(per_user: DuckDBPyRelation, system: str) -> DuckDBPyRelation:
    return per_user.project(f"{_text(system)} AS system, *")
