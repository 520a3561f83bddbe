-- Which system is better, if popular items are clicked more often because they are seen more often?
--
--   rankdcg-sql sql propensities.sql

-- Each judgement counts 1 / propensity, the inverse of the probability that it was observed (IPS).
CREATE OR REPLACE TEMP TABLE truth AS
SELECT userid, itemid, propensity, 1 / propensity AS weight
FROM (
    VALUES ('ann', 'fig', 0.8), ('ann', 'plum', 0.1), ('bob', 'fig', 0.8), ('bob', 'lime', 0.25)
) AS truth(userid, itemid, propensity);

CREATE OR REPLACE TEMP TABLE rec AS
FROM (
    VALUES
        ('popular', 'ann', 'fig', 0.9), ('popular', 'ann', 'kiwi', 0.8),
        ('popular', 'bob', 'fig', 0.9), ('popular', 'bob', 'kiwi', 0.8),
        ('personal', 'ann', 'plum', 0.9), ('personal', 'ann', 'kiwi', 0.8),
        ('personal', 'bob', 'kiwi', 0.9), ('personal', 'bob', 'lime', 0.8)
) AS rec(system, userid, itemid, score);

-- The sums over hits of the weight, and of the weight over log2(rank + 1).
WITH of_users AS (
    SELECT
        system,
        userid,
        recall_rows(itemid, score, rel, 2) AS recall,
        cg_rows(itemid, score, rel, 2) AS weighted_hits,
        dcg_rows(itemid, score, rel, 2, 'gain=linear') AS weighted_dcg,
        sum(rel) AS weights
    FROM (
        SELECT system, userid, itemid, score, NULL AS rel FROM rec
        UNION ALL
        SELECT system, userid, itemid, NULL, weight FROM truth CROSS JOIN (SELECT DISTINCT system FROM rec)
    )
    GROUP BY ALL
)

SELECT
    system,
    round(avg(recall), 3) AS recall,
    -- Self-normalised by the weights of each user (SNIPS), as Yang et al. (RecSys 2018) do.
    round(avg(weighted_hits / weights), 3) AS snips_recall,
    round(avg(weighted_dcg / weights), 3) AS snips_dcg,
    -- Sums of all users: unbiased, and of a larger variance.
    round(sum(weighted_hits) / sum(weights), 3) AS recall_of_all,
    round(avg(weighted_dcg), 3) AS ips_dcg
FROM of_users
GROUP BY system
ORDER BY system;
