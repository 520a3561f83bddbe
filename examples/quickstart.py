"""From two tables to metrics, per user and as means.

Run it with ``python examples/quickstart.py``.
"""

import duckdb

import rankdcg_sql  # databases opened after this import have the functions

con = duckdb.connect()
print("the functions are here:", rankdcg_sql.register(con))

con.execute("""
    CREATE TABLE truth AS
    FROM (VALUES ('u1', 'a', 3), ('u1', 'b', 1), ('u2', 'c', 2), ('u3', 'a', 1)) AS t(userid, itemid, rel);

    CREATE TABLE rec AS
    FROM (VALUES ('u1', 'b', 0.9), ('u1', 'a', 0.8), ('u1', 'z', 0.1), ('u2', 'z', 0.7), ('u2', 'c', 0.2))
        AS r(userid, itemid, score);
""")

# A row for each user, with a list and a map. The LEFT JOIN keeps u3, who has no recommendations and scores 0.
con.execute("""
    CREATE VIEW rankings AS
    SELECT userid, rec, judgements
    FROM (SELECT userid, map(list(itemid), list(rel)) AS judgements FROM truth GROUP BY userid)
    LEFT JOIN (SELECT userid, list(itemid ORDER BY score DESC) AS rec FROM rec GROUP BY userid) USING (userid)
""")

print("per user:")
con.sql("""
    SELECT userid, ndcg(rec, judgements, 2) AS "ndcg@2", mrr(rec, judgements) AS mrr,
        recall(rec, judgements, 1, 'min_rel=2') AS "recall@1 of rel >= 2"
    FROM rankings ORDER BY userid
""").show()

print("means over users, and the pooled NDCG:")
con.sql("""
    SELECT avg(ndcg(rec, judgements, 2)) AS "ndcg@2", avg(mrr(rec, judgements)) AS mrr,
        sum(dcg(rec, judgements, 2)) / sum(idcg(rec, judgements, 2)) AS "pooled ndcg@2"
    FROM rankings
""").show()
