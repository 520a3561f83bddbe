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

-- GAUC is the mean of the AUC of each user, weighted by impressions, and the interval says how sure it is. A user who
-- clicked all or nothing has no AUC. A click and another impression with equal scores count as half a pair, which
-- queries with rank() or row_number() get wrong. RecBole weights by clicks: take sum(clicked) for its numbers.
WITH per_user AS (
    SELECT userid, count(*) AS impressions, roc_auc_agg(score, clicked) AS auc
    FROM impressions
    GROUP BY userid
)

SELECT
    gauc.n AS users, users_without_auc, round(gauc.mean, 3) AS gauc, round(gauc.low, 3) AS low,
    round(gauc.high, 3) AS high, round(gauc.effective_n, 2) AS effective_n
FROM (
    SELECT
        weighted_mean_ci(auc, impressions, 'lower_bound=0, upper_bound=1') AS gauc,
        count(*) - count(auc) AS users_without_auc
    FROM per_user
);
