-- How does quality change from version to version of a model?
--
--   rankdcg-sql sql learning_curve.sql

CREATE OR REPLACE TEMP TABLE truth AS
FROM (VALUES ('ann', 'fig'), ('ann', 'lime'), ('bob', 'kiwi')) AS truth(userid, itemid);

-- The recommendations of all versions in one table.
CREATE OR REPLACE TEMP TABLE rec AS
FROM (
    VALUES
        (1, 'ann', 'pear', 0.9), (1, 'ann', 'fig', 0.8), (1, 'bob', 'fig', 0.9), (1, 'bob', 'lime', 0.8),
        (2, 'ann', 'fig', 0.9), (2, 'ann', 'pear', 0.8), (2, 'bob', 'fig', 0.9), (2, 'bob', 'kiwi', 0.8),
        (3, 'ann', 'fig', 0.9), (3, 'ann', 'lime', 0.8), (3, 'bob', 'pear', 0.9), (3, 'bob', 'kiwi', 0.8)
) AS rec(version, userid, itemid, score);

-- Each version is evaluated on the same truth. A row of rec has a score, and a row of truth has a rel.
WITH rows AS (
    SELECT version, userid, itemid, score, NULL AS rel FROM rec
    UNION ALL
    SELECT version, userid, itemid, NULL, 1 FROM truth, (SELECT DISTINCT version FROM rec)
),

per_user AS (
    SELECT version, unnest(rank_metrics_by_user(userid, itemid, score, rel, 2), recursive := true)
    FROM rows
    GROUP BY version
)

SELECT
    version, count(*) AS users, round(avg(recall), 3) AS recall, round(avg(mrr), 3) AS mrr,
    round(avg(mrr) - lag(avg(mrr)) OVER (ORDER BY version), 3) AS change_of_mrr
FROM per_user
GROUP BY version
ORDER BY version;
