-- A tour of the table macros: metrics, means, a comparison and a check of two tables, each in one line. They need
-- DuckDB 2.0 or later.
--
--   rankdcg-sql sql rank_macros.sql
--   rankdcg-sql macros

-- 1. The tables -----------------------------------------------------------------------------------------------

-- The judged items of each user. Dan has no recommendations.
CREATE OR REPLACE TEMP TABLE truth AS
FROM (
    VALUES
        ('ann', 'fig', 3), ('ann', 'plum', 1), ('ann', 'lime', 2),
        ('bob', 'kiwi', 1), ('bob', 'fig', 2),
        ('dan', 'pear', 1)
) AS truth(userid, itemid, rating);

-- The recommendations of two systems. Cleo has recommendations, but no truth.
CREATE OR REPLACE TEMP TABLE old AS
FROM (
    VALUES
        ('ann', 'kiwi', 0.9), ('ann', 'plum', 0.8), ('ann', 'fig', 0.7),
        ('bob', 'plum', 0.9), ('bob', 'kiwi', 0.9),
        ('cleo', 'fig', 0.7)
) AS old(userid, itemid, score);

CREATE OR REPLACE TEMP TABLE new AS
FROM (
    VALUES
        ('ann', 'fig', 0.9), ('ann', 'kiwi', 0.8), ('ann', 'plum', 0.7),
        ('bob', 'kiwi', 0.9), ('bob', 'plum', 0.4),
        ('cleo', 'fig', 0.7)
) AS new(userid, itemid, score);

-- 2. What may be wrong with them? -----------------------------------------------------------------------------

FROM rank_check(truth, new, rel := 'rating');

-- 3. The metrics of each user ---------------------------------------------------------------------------------

-- Without rel, each row of truth is relevant. NULL is the whole list.
SELECT userid, k, recall, ndcg, retrieved, judged
FROM rank_evaluate(truth, new, ks := [2, NULL])
ORDER BY userid, k;

-- The users for whom the metric is worst, with relevances as gains.
SELECT userid, ndcg
FROM rank_evaluate(truth, new, ks := [2], rel := 'rating', options := 'gain=linear')
ORDER BY ndcg, userid
LIMIT 2;

-- 4. Means, with confidence intervals -------------------------------------------------------------------------

SELECT metric, k, n, mean, low, high, users_without_rec, users_without_truth
FROM rank_summary(truth, new, ks := [1, 2]);

-- A part of the users: a view or a name in WITH is a table, too.
WITH judged AS (FROM truth WHERE userid <> 'dan')

SELECT metric, mean
FROM rank_summary(judged, new, ks := [2], metrics := ['recall', 'ndcg', 'auc'], confidence := 0.9);

-- 5. Is the new system better? --------------------------------------------------------------------------------

SELECT metric, k, mean, baseline, difference, low, high, p_value, p_corrected, wins, ties, losses
FROM rank_compare(truth, old, new, ks := [2], rel := 'rating', test := 'randomization');
