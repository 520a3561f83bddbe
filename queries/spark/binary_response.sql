-- Binary relevance, as on Hivemall's page "Ranking Problems", in Spark SQL. In Python:
--
--   rankdcg_sql.spark.register(spark)
--   for query in open("binary_response.sql").read().split(";\n")[:-1]:
--       spark.sql(query).show(truncate=False)
--
-- The numbers are those of ../hivemall/binary_response.sql.
CREATE OR REPLACE TEMPORARY VIEW dummy_truth AS
SELECT userid, itemid
FROM VALUES (1), (2), (3) AS users(userid)
CROSS JOIN VALUES (1), (2), (4) AS relevant(itemid);

CREATE OR REPLACE TEMPORARY VIEW dummy_rec AS
SELECT userid, itemid, score
FROM VALUES (1), (2), (3) AS users(userid)
CROSS JOIN VALUES (1, 10.0), (3, 8.0), (2, 6.0), (6, 2.0) AS ranked(itemid, score);

-- Hivemall: map_values(to_ordered_map(score, itemid, true)) and collect_set(itemid). The best score comes first.
-- The LEFT JOIN keeps users without recommendations, whose metrics are 0.
CREATE OR REPLACE TEMPORARY VIEW lists AS
SELECT userid, rec, truth
FROM (SELECT userid, collect_set(itemid) AS truth FROM dummy_truth GROUP BY userid)
LEFT JOIN (
    SELECT userid, transform(sort_array(array_agg(struct(score, itemid)), false), x -> x.itemid) AS rec
    FROM dummy_rec
    GROUP BY userid
) USING (userid);

-- The metrics of a user at several k in one pass. k is NULL for the whole list. The mean over users is avg.
SELECT
    m.k,
    avg(m.recall) AS recall,
    avg(m.precision) AS precision,
    avg(m.average_precision) AS average_precision,
    avg(m.auc) AS auc,
    avg(m.mrr) AS mrr,
    avg(m.ndcg) AS ndcg
FROM lists LATERAL VIEW explode(rank_metrics_at(rec, truth, array(NULL, 2))) AS m
GROUP BY m.k
ORDER BY m.k;

-- One metric is one function. Arguments can be named, and options say what another definition of a metric does.
SELECT
    avg(ndcg(rec, truth, 2)) AS ndcg_at_2,
    avg(precision(rec, truth, k => 5, options => 'denominator=k')) AS precision_at_5
FROM lists;
