"""`rank_measures_rows` and `rank_measures_by_user`, beside the functions of one metric."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest
from conftest import needs_duckdb_2
from support import reference
from support.sql import rows

from rankdcg_sql import catalogue

if TYPE_CHECKING:
    import duckdb

#: The functions of one metric over rows, keyed by the metric.
METRICS = {
    name: each
    for name, each in catalogue.metric_functions().items()
    if each.form == "rows" and not each.mean_of
}
#: Options of metrics, as they are drawn.
DRAWN = {
    "min_rel": ["2", "3"],
    "gain": ["linear", "exp2", "0:1:3:7"],
    "p": ["0.5", "0.95"],
    "ties": ["pessimistic", "optimistic", "item_asc"],
    "no_relevant": ["zero", "one"],
    "discount": ["ln"],
    "empty_rec": ["null"],
}
#: A table with tied scores, items and judgements without the other, and users without either.
TABLE = """
CREATE OR REPLACE TABLE rows AS
SELECT
    u::{kind} AS userid, i::{kind} AS item, score,
    CASE WHEN score IS NULL THEN ({rel})::DOUBLE END AS rel
FROM (
    SELECT hash(u, seed) % 7 + 1 AS u, hash(i, u, seed) % 30 AS i, (hash(i, u) % 6)::DOUBLE AS score
    FROM range(60) AS users(u), range(8) AS items(i), (SELECT {seed} AS seed)
    UNION ALL
    SELECT hash(u, seed) % 9, hash(i, seed) % 30, NULL
    FROM range(40) AS users(u), range(9) AS items(i), (SELECT {seed} AS seed)
)
"""


def drawn(chance: random.Random) -> tuple[str, str, int | None, str]:
    """A measure: its name, the function of its metric, its cutoff and its options."""
    metric = chance.choice(sorted(METRICS))
    function = METRICS[metric]
    names = sorted({*DRAWN} & {*function.options})
    taken = {
        name: chance.choice(DRAWN[name])
        for name in chance.sample(names, min(len(names), chance.randrange(3)))
    }
    if taken.get("gain", "") != "binary" and "gain" in function.options:
        taken.pop("min_rel", None)
    if metric in reference.BY_ORDERS:  # the orders are too many here
        taken["ties"] = "item_asc"
    if "max_rel" in function.options:
        taken["max_rel"] = "3"
    k = chance.choice([None, 1, 3, 5, 100]) if "k" in function.arguments else None
    own = ", ".join(f"{name}={value}" for name, value in taken.items())
    brackets = f"({own})" if own else chance.choice(["", "()"])
    word = chance.choice([metric, metric.upper(), *function.synonyms])
    cutoff = f"@{k}" if k else chance.choice(["", "@all"]) if "k" in function.arguments else ""
    return (
        f"{word}{brackets}{cutoff}",
        function.name,
        k,
        own,
    )


@pytest.mark.parametrize("rel", ["1", "i % 4"], ids=["ones", "grades"])
@pytest.mark.parametrize("kind", ["BIGINT", "VARCHAR"])
def test_values_are_those_of_each_metric(native: duckdb.DuckDBPyConnection, kind: str, rel: str) -> None:
    chance = random.Random(f"{kind} {rel}")
    for seed in range(6):
        native.execute(TABLE.format(kind=kind, seed=seed, rel=rel))
        measures = [drawn(chance) for _ in range(20)]
        text = ", ".join(name for name, *_ in measures)
        calls = [
            f"{function}(item, score, rel, {'NULL::BIGINT' if k is None else k}, '{own}')"
            for _, function, k, own in measures
        ]
        expected = rows(native, f"SELECT [{', '.join(calls)}] FROM rows GROUP BY userid ORDER BY userid")
        found = rows(
            native,
            f"SELECT rank_measures_rows(item, score, rel, '{text}') "
            "FROM rows GROUP BY userid ORDER BY userid",
        )
        nothing = [None] * len(measures)
        # A user without judgements has no list.
        assert [values or nothing for values in found] == expected, text
        assert any(sum(value is not None for value in values) > 10 for values in expected)


@needs_duckdb_2
@pytest.mark.parametrize("threads", [1, 4])
def test_all_users_have_the_values_of_their_groups(native: duckdb.DuckDBPyConnection, threads: int) -> None:
    chance = random.Random(threads)
    for kind in ("BIGINT", "VARCHAR"):
        native.execute(TABLE.format(kind=kind, seed=threads, rel="i % 4"))
        native.execute(f"SET threads = {threads}")
        text = ", ".join(drawn(chance)[0] for _ in range(12))
        found = rows(
            native,
            "FROM (SELECT unnest(rank_measures_by_user(userid, item, score, rel, "
            f"'{text}'), recursive := true) FROM rows) ORDER BY userid",
        )
        of_rows = rows(
            native,
            "SELECT userid, count(DISTINCT item) FILTER (rel IS NOT NULL), "
            f"coalesce(rank_measures_rows(item, score, rel, '{text}'), [NULL for _ in range(12)]) "
            "FROM rows GROUP BY userid ORDER BY userid",
        )
        assert [(user, judged, values) for user, _, judged, *_, values in found] == [
            (user, judged, values) for user, judged, values in of_rows
        ]


def test_options_of_the_call_are_those_of_every_metric_that_takes_them(
    native: duckdb.DuckDBPyConnection,
) -> None:
    native.execute(TABLE.format(kind="BIGINT", seed=1, rel="i % 4"))
    found = rows(
        native,
        "SELECT rank_measures_rows(item, score, rel, 'dcg(gain=exp2)@3, dcg@3, rbp', "
        "'gain=linear, p=0.5, ties=item_desc') "
        "FROM rows GROUP BY userid ORDER BY userid",
    )
    expected = rows(
        native,
        "SELECT [dcg_rows(item, score, rel, 3, 'gain=exp2, ties=item_desc'), dcg_rows(item, score, rel, 3, "
        "'gain=linear, ties=item_desc'), rbp_rows(item, score, rel, 'p=0.5, ties=item_desc')] "
        "FROM rows GROUP BY userid ORDER BY userid",
    )
    assert [values or [None] * 3 for values in found] == expected


NAMES = "measures must be names of metrics, such as 'ndcg@10, precision(min_rel=2)@5', got "
REFUSED = {
    "'foo'": f"{NAMES}'foo': there is no metric 'foo'",
    "''": f"{NAMES}'': there is no metric ''",
    "'ndcg, , mrr'": f"{NAMES}'': there is no metric ''",
    "'ndcg@0'": f"{NAMES}'ndcg@0': a cutoff is a whole number from 1, or all",
    "'ndcg@-1'": f"{NAMES}'ndcg@-1': a cutoff is a whole number from 1, or all",
    "'mrr@9999999999999999999999'": f"{NAMES}'mrr@9999999999999999999999': a cutoff is a whole number",
    "'rankdcg@3'": f"{NAMES}'rankdcg@3': it ranks the whole list and takes no cutoff",
    "'ndcg(gain=linear@3'": f"{NAMES}'ndcg(gain=linear@3': its options stand in brackets, before the cutoff",
    "'ndcg(gain=foo)@3'": "ndcg(gain=foo): gain must be exp2, linear, binary or a gain for each ",
    "'mrr(gain=linear)'": "mrr(gain=linear): unknown option 'gain', the options here are min_rel, ",
    "'err@3'": "max_rel must be given, the highest possible grade, such as max_rel=4",
    "'mrr, mrr(score_type=float32)'": "score_type is an option of all measures: give it among options",
    "'mrr', 'p=0.5'": "p is an option of no metric among measures, got 'mrr'",
    "'mrr', 'foo=1'": "unknown option 'foo', the options here are ",
    "7": "measures must be a text, got integer",
}


@pytest.mark.parametrize("arguments", REFUSED)
def test_a_wrong_text_is_an_error_that_says_what_is_allowed(
    native: duckdb.DuckDBPyConnection, arguments: str
) -> None:
    import duckdb

    with pytest.raises(duckdb.Error) as refused:
        native.execute(f"SELECT rank_measures_rows('a', 1, 1, {arguments})").fetchall()
    if arguments != "7":  # DuckDB casts a number to a text
        assert f"rank_measures_rows: {REFUSED[arguments]}" in str(refused.value)


def test_measures_are_the_same_in_all_rows_of_a_group(native: duckdb.DuckDBPyConnection) -> None:
    import duckdb

    values = "(1, 'mrr', ''), (1, 'ndcg', ''), (2, 'ndcg', ''), (2, 'ndcg', 'gain=linear')"
    table = f"(VALUES {values}) AS t(u, names, options)"
    for user, text in (
        (1, "measures must be the same in all rows of a group, got '"),
        (2, "options must be the same"),
    ):
        with pytest.raises(duckdb.InvalidInputException, match=text):
            native.execute(
                f"SELECT rank_measures_rows(names, 1, 1, names, options) FROM {table} WHERE u = {user}"
            ).fetchall()
    found = rows(
        native, f"SELECT u, rank_measures_rows(u, 1, 1, names) FROM {table} GROUP BY u, names ORDER BY ALL"
    )
    assert found == [(1, [1.0]), (1, [1.0]), (2, [1.0])]
    assert rows(native, "SELECT rank_measures_rows(1, 1, 1, NULL)") == [None]


def test_every_metric_has_options_that_are_drawn() -> None:
    assert {name for function in METRICS.values() for name in function.options} >= {*DRAWN}
    assert {*METRICS} == {name.removesuffix("_at") for name in reference.OPTIONS} & {*METRICS}
