-- Two recommenders in rec.parquet against truth.parquet: the metrics of each user, and their means.
-- generate.sql writes the two files.
CREATE OR REPLACE TEMP TABLE per_user AS
WITH judged AS (
    -- A map from item to relevance for each user. Without relevances, a list is enough: list(itemid).
    SELECT userid, map_from_entries(list((itemid, rel))) AS truth
    FROM 'truth.parquet'
    GROUP BY userid
),

ranked AS (
    -- A list for each user, best item first. Ties are broken by item, so that the result is always the same.
    SELECT recommender, userid, list(itemid ORDER BY score DESC, itemid) AS rec
    FROM 'rec.parquet'
    GROUP BY recommender, userid
)

SELECT
    userid,
    recommender,
    precision_at(rec, truth, 10) AS precision_at_10,
    recall_at(rec, truth, 10) AS recall_at_10,
    average_precision(rec, truth) AS average_precision,
    mrr(rec, truth) AS mrr,
    ndcg(rec, truth, 10) AS ndcg_at_10,
    rankdcg(rec, truth) AS rankdcg
FROM judged
CROSS JOIN (SELECT DISTINCT recommender FROM ranked)
-- The LEFT JOIN from the truth keeps users without recommendations, who count as 0.
LEFT JOIN ranked USING (recommender, userid);

-- Some users.
FROM per_user
ORDER BY userid, recommender
LIMIT 10;

-- Means over users. avg() leaves out NULL. rankDCG measures the whole order: 1 is the perfect order, 0 its reverse. It
-- takes no k. A retrieved song that the user did not play has relevance 0, below all others.
SELECT
    recommender,
    count(*) AS users,
    avg(precision_at_10) AS precision_at_10,
    avg(recall_at_10) AS recall_at_10,
    avg(average_precision) AS map,
    avg(mrr) AS mrr,
    avg(ndcg_at_10) AS ndcg_at_10,
    avg(rankdcg) AS rankdcg
FROM per_user
GROUP BY recommender
ORDER BY ndcg_at_10 DESC;
