"""The lists of items that one pass over all users returns beside measures: rankings and relevant items."""

from __future__ import annotations

import duckdb
import pytest
from conftest import needs_duckdb_2

pytestmark = needs_duckdb_2

BY_USER = "rankdcg_sql_measures_and_ranking_by_user"
WITH_BOTH_LISTS = "rankdcg_sql_measures_and_lists_by_user"

#: Each type of users, of items and of scores, as SQL of a number.
USERS = ("{}", "'user ' || {}")
ITEMS = ("{}", "({})::VARCHAR", "'an item with a long name ' || {}")
SCORES = ("({})::DOUBLE", "({})::DECIMAL(9, 2)", "({})::HUGEINT", "({})::UBIGINT")


@pytest.fixture
def rows(aggregating: duckdb.DuckDBPyConnection) -> duckdb.DuckDBPyConnection:
    """Rows with tied scores, repeated items and NULL items; users of one table alone."""
    aggregating.execute(
        "CREATE TEMP TABLE numbers AS SELECT hash(i) % 97 AS u, hash(i + 7) % 50 AS n, "
        "hash(i + 99) % 7 AS s, hash(i + 5) % 3 = 0 AS is_rec, hash(i + 3) % 20 = 0 AS is_null "
        "FROM range(2049) t(i)"
    )
    return aggregating


@pytest.mark.parametrize("users", USERS)
@pytest.mark.parametrize("items", ITEMS)
@pytest.mark.parametrize("scores", SCORES)
def test_rankings_are_those_of_ranked_list(
    users: str, items: str, scores: str, rows: duckdb.DuckDBPyConnection
) -> None:
    rows.execute(
        f"CREATE TEMP TABLE both_tables AS SELECT {users.format('u::BIGINT')} AS userid, "
        f"if(is_null, NULL, {items.format('n::BIGINT')}) AS itemid, "
        f"if(is_rec, {scores.format('s')}, NULL) AS score, if(is_rec, NULL, 1) AS rel FROM numbers"
    )
    # Each NULL item counts; of other items, the one with the best score does.
    rec = (
        "SELECT userid, itemid, max(score) AS score FROM both_tables WHERE score IS NOT NULL "
        "AND itemid IS NOT NULL GROUP BY ALL UNION ALL "
        "SELECT userid, itemid, score FROM both_tables WHERE score IS NOT NULL AND itemid IS NULL"
    )
    for ties, measures, k in (
        ("average", "ndcg@5, precision@3", "3"),
        ("item_desc", "ndcg@5, precision@3", "3"),
        ("item_asc", "ndcg(unjudged=skip), precision@4", "4"),
        ("item_desc", "ndcg@1, precision", "NULL::BIGINT"),
        # The whole ranking decides, or more of it than the list has.
        ("item_desc", "rankdcg, ndcg@4, precision@2", "2"),
        ("average", "rankdcg, precision@2", "2"),
        ("item_asc", "recall@4, ndcg@2", "2"),
    ):
        order = "item_desc" if ties == "item_desc" else "item_asc"
        plain = rows.sql(
            f"SELECT unnest(rank_measures_by_user(userid, itemid, score, rel, '{measures}', 'ties={ties}'), "
            "recursive := true) FROM both_tables"
        )
        found = rows.sql(
            f"SELECT unnest({BY_USER}(userid, itemid, score, rel, '{measures}', 'ties={ties}'), "
            "recursive := true) FROM both_tables"
        )
        values = [row[:-1] for row in found.fetchall()]
        assert sorted(values) == sorted(plain.fetchall())
        rankings = found.project("userid, ranking").order("userid").fetchall()
        expected = rows.sql(
            f"SELECT userid, coalesce(ranking, []) FROM (SELECT DISTINCT userid FROM both_tables) LEFT JOIN "
            f"(SELECT userid, ranked_list(itemid, score, {k}, 'ties={order}') AS ranking FROM ({rec}) "
            "GROUP BY userid) USING (userid) ORDER BY userid"
        )
        assert rankings == expected.fetchall()
        assert len(rankings) == 97
        assert any(None in ranking for _, ranking in rankings)


@pytest.mark.parametrize("measures", ["rankdcg, ndcg@9, precision@3", "auc, ndcg@30, mrr@20, precision@3"])
def test_deeper_cutoffs_of_other_measures_leave_a_long_ranking_as_it_is(
    measures: str, rows: duckdb.DuckDBPyConnection
) -> None:
    rows.execute(
        "CREATE TEMP TABLE long AS SELECT (u % 7)::BIGINT AS userid, n::BIGINT AS itemid, "
        "if(is_rec, max(s), NULL)::DOUBLE AS score, if(is_rec, NULL, 1 + n % 3) AS rel "
        "FROM numbers GROUP BY u % 7, n, is_rec"
    )
    found = rows.sql(
        f"SELECT unnest({BY_USER}(userid, itemid, score, rel, '{measures}'), recursive := true) FROM long"
    )
    expected = rows.sql(
        "SELECT userid, ranked_list(itemid, score, 3) FROM long WHERE score >= 0 GROUP BY userid"
    )
    assert found.project("userid, ranking").order("ALL").fetchall() == expected.order("ALL").fetchall()
    ((fewest,),) = rows.execute(
        "SELECT min(items) FROM (SELECT count(score) AS items FROM long GROUP BY userid)"
    ).fetchall()
    assert fewest > 32  # short lists are sorted where only the best are wanted


def test_a_user_without_recommendations_has_an_empty_ranking_and_one_without_judgements_none(
    rows: duckdb.DuckDBPyConnection,
) -> None:
    values = (
        "(1, 'a', NULL, 1), (2, 'b', 0.5, NULL), (2, NULL, 0.7, NULL), (3, 'a', 0.5, NULL), (3, 'a', 1, 0)"
    )
    found = rows.sql(
        f"SELECT unnest({BY_USER}(u, i, s, r, 'ndcg@2'), recursive := true) "
        f"FROM (VALUES {values}) AS t(u, i, s, r)"
    )
    assert found.project("userid, results, ranking").order("userid").fetchall() == [
        (1, [0.0], []),
        (2, [None], None),
        (3, [None], ["a"]),
    ]


def test_no_rows_are_no_users(rows: duckdb.DuckDBPyConnection) -> None:
    assert rows.sql(f"SELECT {BY_USER}(1, 1, u, u, 'ndcg@2') FROM numbers WHERE false").fetchall() == [([],)]


@pytest.mark.parametrize("users", USERS)
@pytest.mark.parametrize("items", ITEMS)
@pytest.mark.parametrize("rel", ["s % 4", "1"])
def test_relevant_items_are_those_of_the_last_measure(
    users: str, items: str, rel: str, rows: duckdb.DuckDBPyConnection
) -> None:
    # A repeated item is judged once.
    rows.execute(
        f"CREATE TEMP TABLE both_tables AS SELECT {users.format('u::BIGINT')} AS userid, "
        f"if(is_null, NULL, {items.format('n::BIGINT')}) AS itemid, if(is_rec, s, NULL) AS score, "
        f"if(is_rec, NULL, {rel}) AS rel FROM numbers "
        "QUALIFY is_rec OR row_number() OVER (PARTITION BY u, n, is_rec) = 1"
    )
    for measures, options, least in (
        ("ndcg@5, precision@3", "", "> 0"),
        ("ndcg@5, precision@3", "min_rel=2", ">= 2"),
        ("recall(min_rel=1)@2, precision(min_rel=3)@4", "min_rel=2", ">= 3"),
    ):
        call = f"(userid, itemid, score, rel, '{measures}', '{options}')"
        found = rows.sql(f"SELECT unnest({WITH_BOTH_LISTS}{call}, recursive := true) FROM both_tables")
        plain = rows.sql(f"SELECT unnest({BY_USER}{call}, recursive := true) FROM both_tables")
        order = "userid"
        assert found.project("* EXCLUDE (relevant)").order(order).fetchall() == plain.order(order).fetchall()
        relevant = found.project("userid, list_sort(relevant)").order(order).fetchall()
        expected = rows.sql(
            "SELECT userid, CASE WHEN count(rel) > 0 THEN coalesce(list(itemid ORDER BY itemid) "
            f"FILTER (WHERE rel {least} AND itemid IS NOT NULL), []) END FROM both_tables GROUP BY userid"
        )
        assert relevant == expected.order(order).fetchall()
        assert len(relevant) == 97
        assert any(items for _, items in relevant) == (rel != "1" or least == "> 0")
