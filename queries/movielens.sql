-- Metrics of recommendations for MovieLens users: means over users at several cutoffs, and for the whole lists (k
-- NULL). A film is relevant if the user rated it 4 or higher.
--
--   rankdcg-sql sql --set truth=truth.csv --set rec=rec.csv movielens.sql
--
-- truth.csv: userid,itemid,rating. rec.csv: userid,itemid,score. DuckDB detects the types of the columns.
SET VARIABLE truth = coalesce(getvariable('truth'), 'truth.csv');
SET VARIABLE rec = coalesce(getvariable('rec'), 'rec.csv');

WITH relevant AS (
    SELECT userid, list(itemid) AS truth
    FROM read_csv(getvariable('truth'))
    WHERE rating >= 4
    GROUP BY userid
),

ranked AS (
    SELECT userid, list(itemid ORDER BY score DESC, itemid DESC) AS rec
    FROM read_csv(getvariable('rec'))
    GROUP BY userid
)

SELECT
    k,
    count(*) AS users,
    -- Divides by k, also if fewer than k items were recommended.
    avg(precision_at(rec, truth, k, 'precision_denominator=k')) AS "precision",
    avg(recall_at(rec, truth, k)) AS recall,
    avg(hit_rate(rec, truth, k)) AS hit_rate,
    avg(average_precision(rec, truth, k)) AS average_precision,
    avg(mrr(rec, truth, k)) AS mrr,
    avg(ndcg(rec, truth, k)) AS ndcg
FROM relevant
-- A user without recommendations counts as 0.
LEFT JOIN ranked USING (userid)
CROSS JOIN (VALUES (5), (10), (20), (100), (NULL)) AS cutoffs(k)
GROUP BY k
ORDER BY k NULLS LAST;
