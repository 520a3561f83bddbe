-- Do the scores put the clicked impressions of a user above the others?
--
--   rankdcg-sql sql gauc.sql

CREATE OR REPLACE TEMP TABLE impressions AS
FROM (
    VALUES
        ('ann', 0.9, 1), ('ann', 0.8, 1), ('ann', 0.7, 0), ('ann', 0.6, 1),
        ('bob', 0.3, 0), ('bob', 0.2, 1),
        ('cleo', 0.5, 0), ('cleo', 0.4, 0)
) AS impressions(userid, score, clicked);

-- AUC over all impressions compares users with each other: a model gains if it only knows who clicks much.
SELECT round(roc_auc_agg(score, clicked), 3) AS auc_of_all FROM impressions;

-- GAUC is the mean of the AUC of each user, weighted by impressions. A user who clicked all or nothing has no AUC.
WITH per_user AS (
    SELECT userid, count(*) AS impressions, roc_auc_agg(score, clicked) AS auc
    FROM impressions
    GROUP BY userid
)

SELECT
    count(auc) AS users, count(*) - count(auc) AS users_without_auc,
    round(sum(auc * impressions) / sum(impressions) FILTER (WHERE auc IS NOT NULL), 3) AS gauc
FROM per_user;
