"""Aggregates on connections that take Python functions only: macros that give the native values."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

import duckdb
import pytest
from conftest import needs_duckdb_2
from support.forms import KEPT_AS_OTHERS, inputs
from support.sql import sentence

import rankdcg_sql
from rankdcg_sql import Function, _static, functions

if TYPE_CHECKING:
    from collections.abc import Iterator

AGGREGATES = [each for each in functions() if each.is_aggregate and not each.is_native_only]
every = pytest.mark.parametrize("function", AGGREGATES, ids=lambda function: function.name)

#: Groups of many sizes, in random order, with ties and NULLs on both sides. k is constant in a group.
ROWS = """
    CREATE TEMP TABLE rows AS
    SELECT
        u,
        i AS item,
        CASE WHEN x % 7 > 0 THEN (x % 13) / 4 END AS score,
        CASE WHEN (x // 13) % 3 > 0 THEN (x // 39) % 5 END AS rel,
        CASE WHEN (x // 13) % 3 > 0 THEN (x // 39) % 5 / 4 END AS a,
        CASE WHEN x % 7 > 0 THEN (x // 7) % 11 / 10 END AS b,
        x % 4 AS weight,
        nullif(x % 5, 0) AS human,
        x % 7 AS judge,
        nullif(u % 4, 0)::BIGINT AS k,
        nullif([1, u % 3 + 2], [1, 4]) AS ks
    FROM (
        SELECT u, i, (hash(u * 1000 + i) % 1000003)::BIGINT AS x FROM range(250) AS t(u), range(40) AS s(i)
        WHERE i < hash(u) % 41
    )
    ORDER BY hash(x)
"""


@pytest.fixture(scope="module")
def connections() -> Iterator[dict[str, duckdb.DuckDBPyConnection]]:
    """Open a connection with Python functions and one with native functions, both with the same rows."""
    from conftest import _CONNECTIONS, WAYS

    opened = {"macros": _CONNECTIONS["udf"].cursor(), "native": _CONNECTIONS[WAYS[0]].cursor()}
    # Before DuckDB 2.0, the macros on the native connection call native list functions.
    for con in opened.values():
        rankdcg_sql.register(con)
    for con in opened.values():
        con.execute(ROWS)
    yield opened
    for con in opened.values():
        con.close()


@pytest.fixture
def macros(connections: dict[str, duckdb.DuckDBPyConnection]) -> duckdb.DuckDBPyConnection:
    return connections["macros"]


def columns(function: Function) -> list[str]:
    """The columns of the rows for the inputs."""
    return ["a" if name == "x" else name for name in inputs(function)]


#: Texts of options of a function that has an option, by the first option among these.
TEXTS = {
    "max_rel": ["max_rel=4", "max_rel=5, no_relevant=zero"],
    "alternative": ["alternative=less"],
    "resamples": ["seed=7, resamples=50", "resamples=9"],
    "confidence": ["confidence=0.9"],
    "tolerance": ["tolerance=0.1"],
}
OF_METRICS = {"no_relevant": "zero", "ties": "optimistic"}


def calls(function: Function) -> Iterator[str]:
    """Calls with every number of arguments."""
    of_metrics = [f"{name}={text}" for name, text in OF_METRICS.items() if name in function.options]
    texts = next((texts for name, texts in TEXTS.items() if name in function.options), of_metrics)
    texts = texts or (["convention=lenskit"] if function.options else [""])
    if function.base in ("nearly_err", "inst"):  # the orders of tied items are too many
        texts = [f"{text}, ties=optimistic" for text in texts]
    several = bool({"ks", "measures"} & {*function.arguments})
    named = "measures" in function.arguments
    texts = of_metrics if named else texts
    needs_options = "max_rel" in function.options and not named
    measures = ["'ndcg@2, r_precision, bpref, ndcg(gain=linear)@3'"]
    cuts = measures if named else ["ks"] if several else ["", "k", "2"] if "k" in function.arguments else [""]
    # Options are the same in a group, and differ between groups.
    column = f"CASE WHEN u % 2 = 0 THEN '{texts[0]}' ELSE '{texts[-1]}' END"
    for cut in cuts:
        for text in [*(f"'{text}'" for text in texts), column, *([] if needs_options else [""])]:
            arguments = [*columns(function), *filter(None, [cut, text])]
            yield f'"{function.name}"({", ".join(arguments)})'
    if not several and not needs_options:
        yield f'"{function.name}"({", ".join([*columns(function), "NULL"])})'


@every
def test_macro_is_the_aggregate(connections: dict[str, duckdb.DuckDBPyConnection], function: Function):
    """Every bit is the same: for groups, over all rows, and over no rows."""
    for call in islice(calls(function), 1 if function.base in KEPT_AS_OTHERS else None):
        found = {}
        for name, con in connections.items():
            grouped = con.execute(f"SELECT u, {call} FROM rows GROUP BY u ORDER BY u").fetchall()
            one = con.execute(f"SELECT {call} FROM rows WHERE u = 8").fetchall()
            none = con.execute(f"SELECT {call} FROM rows WHERE u < 0").fetchall()
            found[name] = (grouped, one, none)
        assert found["macros"] == found["native"], call
        assert len(found["native"][0]) > 230
        assert len({str(value) for _, value in found["native"][0]}) > 2


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("ndcg_agg(score, rel, u)", "k must be the same in all rows of a group, got "),
        ("recall_agg(score, rel, 2, if(u < 9, 'min_rel=2', ''))", "options must be the same in all rows of "),
        ("precision_agg(score, rel, 0)", "k must be at least 1, got 0"),
        ("rankdcg_agg(score, rel, 3)", "takes no k, got 3"),
        ("mrr_agg(score, rel, 2.5)", "k must be an integer, got decimal"),
        ("mrr_agg('x', rel)", "score must be a number, got text"),
        ("mrr_agg(score, 'x')", "rel must be a number or a boolean, got text"),
        ("hitrate_agg(score, -1)", "relevance in rel must not be negative, got -1"),
        ("roc_auc_agg('nan'::DOUBLE, rel)", "score must not be NaN, got NaN"),
        ("cg_agg(score, rel, 'gian=linear')", "unknown option 'gian', the options here are "),
        ("ndcg_agg(score, rel, 'ties=item_asc')", "ties=item_asc needs items: use rank_metrics_rows"),
        ("rank_metrics_at_agg(score, rel, [0])", "k must be at least 1, got 0"),
        ("rank_metrics_rows(item, score, rel)", "truth judges an item twice, with relevance "),
        ("mean_ci('inf'::DOUBLE)", "x must be finite, got inf"),
        ("paired_t_test(a, 'x')", "b must be a number, got text"),
        ("bootstrap_ci(a, 'resamples=0')", "resamples must be a whole number from 1 to 1000000, got '0'"),
    ],
)
def test_errors(macros: duckdb.DuckDBPyConnection, call: str, expected: str):
    name = call.partition("(")[0]
    assert sentence(macros, "udf", f"{call} FROM rows").startswith(f"{name}: {expected}")


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        # A required argument is left out.
        *(
            (call, duckdb.BinderException, "does not support the supplied arguments|parameters")
            for call in ("mrr_agg(score)", "mrr_rows(item, score)", "mean_ci()", "paired_t_test(a)")
        ),
        ("ndcg_agg(score, rel) FILTER (u > 1)", duckdb.Error, "ndcg_agg"),
        ("ndcg_agg(DISTINCT score, rel)", duckdb.Error, "ndcg_agg"),
        ("ndcg_agg(score, rel ORDER BY item)", duckdb.Error, "ndcg_agg"),
        # The type of the result is that of an argument.
        *(
            (call, duckdb.CatalogException, f"{call.partition('(')[0]} does not exist")
            for call in (
                "rank_metrics_by_user(u, item, score, rel)",
                "rank_metrics_at_by_user(u, item, score, rel, ks)",
                "ranked_list(item, score)",
            )
        ),
    ],
)
def test_calls_that_macros_refuse(
    macros: duckdb.DuckDBPyConnection, call: str, error: type[duckdb.Error], text: str
):
    with pytest.raises(error, match=text):
        macros.execute(f"SELECT {call} FROM rows")


def test_types_of_arguments(connections: dict[str, duckdb.DuckDBPyConnection]):
    query = """
        SELECT ndcg_agg(score::DECIMAL(9, 3), rel > 1), mrr_agg(NULL, rel), mrr_agg(score, NULL),
            roc_auc_agg((score * 4)::TINYINT, rel::UBIGINT > 2),
            recall_agg(score::FLOAT, rel::HUGEINT, k::UTINYINT),
            mean_ci(a::FLOAT), rank_metrics_rows(item::VARCHAR, score, NULL)
        FROM rows WHERE u = 7
    """
    macros, native = (con.execute(query).fetchall() for con in connections.values())
    assert macros == native


@needs_duckdb_2
@pytest.mark.parametrize(
    "window",
    [
        "()",
        "(PARTITION BY u)",
        "(PARTITION BY u ORDER BY item)",
        "(PARTITION BY u ORDER BY item ROWS BETWEEN 5 PRECEDING AND 2 FOLLOWING)",
        "(PARTITION BY u % 50 ORDER BY u, item ROWS BETWEEN 3 FOLLOWING AND 9 FOLLOWING)",
    ],
)
def test_windows(connections: dict[str, duckdb.DuckDBPyConnection], window: str):
    query = f"""
        SELECT u, item, ndcg_agg(score, rel) OVER {window}, recall_agg(score, rel, 3) OVER {window},
            mean_ci(a) OVER {window}, rank_metrics_agg(score, rel, 2, 'ties=pessimistic') OVER {window}
        FROM rows WHERE u < 150 ORDER BY ALL
    """
    macros, native = (con.execute(query).fetchall() for con in connections.values())
    assert macros == native


def test_macros_are_those_of_one_connection(macros: duckdb.DuckDBPyConnection):
    query = "SELECT mean_ci(a).n FROM (VALUES (1), (2)) AS t(a)"
    other: Any = macros.cursor()
    with pytest.raises(duckdb.CatalogException, match="mean_ci does not exist"):
        other.execute(query)
    assert not rankdcg_sql.register(other).new
    assert other.execute(query).fetchall() == [(2,)]


def test_macro_of_a_user_stays(macros: duckdb.DuckDBPyConnection):
    con = macros.cursor()
    con.execute("CREATE TEMP MACRO mrr_agg(a, b) AS 42")
    for _ in range(2):
        rankdcg_sql.register(con)
        assert con.execute("SELECT mrr_agg(1, 1), recall_agg(1, 1)").fetchall() == [(42, 1.0)]


def test_named_arguments(macros: duckdb.DuckDBPyConnection):
    query = "SELECT ndcg_agg(score, rel, k := 2) = ndcg_agg(score, rel, 2) FROM rows"
    assert macros.execute(query).fetchall() == [(True,)]


def test_macros_of_users_are_not_called_by_ours(con: duckdb.DuckDBPyConnection) -> None:
    """Our macros call functions by their full names in the system, which a user's macro does not replace."""
    for name in ("list", "struct_pack", "rankdcg_sql_mrr_agg", "count"):
        con.execute(f"CREATE TEMP MACRO {name} (a) AS 42, (a, b) AS 42")
    rankdcg_sql.register(con)
    rows = "FROM (VALUES (2.0, 0), (1.0, 1)) AS t(score, rel)"
    assert con.execute(f"SELECT list(1), mrr_agg(score, rel), mrr_agg(score, rel, 1) {rows}").fetchall() == [
        (42, 0.5, 0.0)
    ]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("SELECT {agg}(CASE WHEN u = 2 THEN l END) FROM g ORDER BY u", [None, 0.5, None]),
        ("SELECT {agg}(l) FROM g, range(2) ORDER BY u", [1.0, 1.0, 0.5, 0.5, 0.0, 0.0]),
        ("SELECT {agg}(l) FROM (SELECT [{{'s': 2, 'r': 1}}, {{'s': 1, 'r': 0}}] AS l), range(2)", [1.0, 1.0]),
        ("SELECT {agg}(list(x) OVER (PARTITION BY u)) FROM (SELECT u, unnest(l) AS x FROM g) ORDER BY u", [
            *(1.0, 1.0, 1.0, 0.5, 0.5, 0.0),
        ]),
        ("SELECT {agg}(l[i:3]) FROM g, range(1, 4) AS t(i) WHERE u = 1 ORDER BY i", [1.0, 0.5, 1.0]),
    ],
    ids=["left out", "shared", "constant", "window", "in part"],
)  # fmt: skip
@pytest.mark.parametrize("way", ["macros", "native"])
def test_lists_may_share_elements_and_leave_some_out(
    connections: dict[str, duckdb.DuckDBPyConnection], way: str, query: str, expected: list[float | None]
) -> None:
    if way == "native" and _static.installed():
        pytest.skip("from DuckDB 2.0 on, native aggregates take rows and no lists")
    con = connections[way].cursor()
    con.execute(
        "CREATE TEMP TABLE g AS FROM (VALUES"
        " (1, [{'s': 0.9, 'r': 1}, {'s': 0.8, 'r': 0}, {'s': 0.7, 'r': 1}]),"
        " (2, [{'s': 0.9, 'r': 0}, {'s': 0.8, 'r': 1}]), (3, [{'s': NULL, 'r': 1}])) AS t(u, l)"
    )
    found = con.execute(query.format(agg="rankdcg_sql_mrr_agg")).fetchall()
    assert [value for (value,) in found] == expected
