-- Metrics for each day, from two folders of Parquet files that are partitioned by day. In Python:
--
--   rankdcg_sql.spark.register(spark)
--   for name in ("truth", "rec"):
--       spark.read.parquet(name).createOrReplaceTempView(name)
--   for query in open("partitioned_parquet.sql").read().split(";\n")[:-1]:
--       spark.sql(query).show(truncate=False)
--
-- truth has the columns day, userid, itemid and rel, and rec has day, userid, itemid and score. An item appears at most
-- once for a user and day in either one. Spark reads the files of the days that the queries ask for.
CREATE OR REPLACE TEMPORARY VIEW lists AS
SELECT day, userid, rec, truth
FROM (
    SELECT day, userid, map_from_entries(array_agg(struct(itemid, rel))) AS truth
    FROM truth
    WHERE day >= '2026-01-02'
    GROUP BY day, userid
)
LEFT JOIN (
    SELECT day, userid, transform(sort_array(array_agg(struct(score, itemid)), false), x -> x.itemid) AS rec
    FROM rec
    GROUP BY day, userid
) USING (day, userid);

SELECT
    day,
    m.k,
    count(m.ndcg) AS users,
    round(avg(m.recall), 6) AS recall,
    round(avg(m.mrr), 6) AS mrr,
    round(avg(m.ndcg), 6) AS ndcg
FROM lists LATERAL VIEW explode(rank_metrics_at(rec, truth, array(1, 3), 'gain=linear')) AS m
GROUP BY day, m.k
ORDER BY day, m.k;
