-- Graded relevance, as on Hivemall's page "Ranking Problems", in Spark SQL. In Python:
--
--   rankdcg_sql.spark.register(spark)
--   for query in open("graded_response.sql").read().split(";\n")[:-1]:
--       spark.sql(query).show(truncate=False)
--
-- The numbers are those of ../hivemall/graded_response.sql.
CREATE OR REPLACE TEMPORARY VIEW dummy_recrel AS
SELECT userid, itemid, score, relscore
FROM VALUES (1), (2), (3) AS users(userid)
CROSS JOIN VALUES (1, 10.0, 5.0), (3, 8.0, 2.0), (2, 6.0, 4.0), (6, 2.0, 1.0), (4, 1.0, 3.0)
    AS judged(itemid, score, relscore);

-- Hivemall: to_ordered_list(struct(relscore, itemid), score, '-reverse') and to_ordered_list(relscore, '-reverse').
CREATE OR REPLACE TEMPORARY VIEW judged AS
SELECT
    userid,
    transform(sort_array(array_agg(struct(score, struct(relscore, itemid) AS it)), false), x -> x.it) AS rec,
    array_agg(relscore) AS truth
FROM dummy_recrel
GROUP BY userid;

SELECT avg(ndcg(rec, truth, 2)) AS ndcg_at_2, avg(ndcg(rec, truth, 3)) AS ndcg_at_3
FROM judged;

-- The same from scores and relevances, in any order.
SELECT avg(ndcg_at_2) AS ndcg_at_2, avg(ndcg_at_3) AS ndcg_at_3
FROM (
    SELECT
        ndcg_scored(array_agg(score), array_agg(relscore), 2) AS ndcg_at_2,
        ndcg_scored(array_agg(score), array_agg(relscore), 3) AS ndcg_at_3
    FROM dummy_recrel
    GROUP BY userid
);
