-- A tour of the aggregate functions: metrics from the rows of two tables, without lists.
--
--   rankdcg-sql sql aggregate_metrics.sql
--   rankdcg-sql functions

-- 1. Two tables -----------------------------------------------------------------------------------------------

-- The relevant items of each user, with their relevance. Dan has no recommendations.
CREATE OR REPLACE TEMP TABLE truth AS
SELECT *
FROM (
    VALUES
        ('ann', 'fig', 3), ('ann', 'plum', 1), ('ann', 'lime', 2),
        ('bob', 'kiwi', 1), ('bob', 'fig', 2),
        ('dan', 'pear', 1)
) AS truth(userid, itemid, rel);

-- The recommendations of two systems. Cleo has recommendations, but no truth. Two of Bob's items tie.
CREATE OR REPLACE TEMP TABLE rec AS
SELECT *
FROM (
    VALUES
        ('old', 'ann', 'kiwi', 0.9), ('old', 'ann', 'plum', 0.8), ('old', 'ann', 'fig', 0.7),
        ('old', 'bob', 'plum', 0.9), ('old', 'bob', 'kiwi', 0.9),
        ('old', 'cleo', 'fig', 0.7),
        ('new', 'ann', 'fig', 0.9), ('new', 'ann', 'kiwi', 0.8), ('new', 'ann', 'plum', 0.7), ('new', 'ann', 'pear', 0.6),
        ('new', 'bob', 'kiwi', 0.9), ('new', 'bob', 'plum', 0.4),
        ('new', 'cleo', 'fig', 0.7)
) AS rec(system, userid, itemid, score);

-- 2. One table after the other --------------------------------------------------------------------------------

-- A recommendation has a score, a judgement has a rel. Rows that repeat a user and an item count once.
CREATE OR REPLACE TEMP VIEW rows AS
SELECT system, userid, itemid, score, NULL AS rel FROM rec
UNION ALL
SELECT system, userid, itemid, NULL, rel FROM truth, (SELECT DISTINCT system FROM rec);

-- trec_eval breaks ties by item, descending. Without the option, the value is the expected value over all orders.
SELECT
    userid,
    rank_metrics_rows(itemid, score, rel, 1).hit_rate AS expected,
    rank_metrics_rows(itemid, score, rel, 1, 'ties=item_desc').hit_rate AS by_item
FROM rows
WHERE system = 'old'
GROUP BY userid
ORDER BY userid;

-- One aggregate over all users is the fastest way. GROUP BY separates the systems.
CREATE OR REPLACE TEMP TABLE per_user AS
SELECT system, unnest(rank_metrics_by_user(userid, itemid, score, rel, 2), recursive := true)
FROM rows
GROUP BY system;

FROM per_user ORDER BY system, userid;

-- 3. A full join ----------------------------------------------------------------------------------------------

-- Each table must have one row for a user and an item. A join multiplies repeated rows, which no aggregate can detect;
-- check_tables.sql finds them. score is NULL for an item that was not retrieved, rel for an item that is not judged.
-- Cleo has no judgements, and gets NULL.
CREATE OR REPLACE TEMP VIEW joined AS
SELECT userid, itemid, score, rel
FROM (FROM rec WHERE system = 'new')
FULL JOIN truth USING (userid, itemid);

SELECT userid, ndcg_agg(score, rel, 2) AS ndcg, recall_agg(score, rel, 2) AS recall, rankdcg_agg(score, rel) AS rankdcg
FROM joined
GROUP BY userid
ORDER BY userid;

-- The mean over users is avg over the values of the users.
SELECT round(avg(ndcg), 4) AS ndcg, count(ndcg) AS users
FROM (SELECT ndcg_agg(score, rel, 2) AS ndcg FROM joined GROUP BY userid);

-- 4. Other joins are wrong ------------------------------------------------------------------------------------

-- A left join from rec loses Dan, and the relevant items that Ann and Bob did not get. An inner join keeps only hits.
SELECT
    round(avg(whole), 4) AS full_join, round(avg("left"), 4) AS left_join, round(avg("inner"), 4) AS inner_join
FROM (
    SELECT
        userid,
        ndcg_agg(score, rel) AS whole,
        ndcg_agg(score, rel) FILTER (score IS NOT NULL) AS "left",
        ndcg_agg(score, rel) FILTER (score IS NOT NULL AND rel IS NOT NULL) AS "inner"
    FROM joined
    GROUP BY userid
);

-- 5. Several metrics, several k -------------------------------------------------------------------------------

FROM (
    SELECT userid, unnest(rank_metrics_at_agg(score, rel, [1, 2, 3]), recursive := true)
    FROM joined
    GROUP BY userid
)
ORDER BY userid, k;

-- 6. Which system is better? ----------------------------------------------------------------------------------

SELECT system, unnest(mean_ci(ndcg), recursive := true) FROM per_user GROUP BY system ORDER BY system;

-- A pair is the two values of a user. Cleo has no value and drops out.
SELECT unnest(randomization_test(new.ndcg, old.ndcg), recursive := true)
FROM (FROM per_user WHERE system = 'new') AS new
JOIN (FROM per_user WHERE system = 'old') AS old USING (userid);

-- 7. Classification -------------------------------------------------------------------------------------------

-- AUC of clicks: over all rows, as the mean over users, and as the mean weighted by impressions (GAUC). A user without
-- clicks, or with nothing else, has no AUC.
CREATE OR REPLACE TEMP TABLE shown AS
SELECT *
FROM (
    VALUES
        ('ann', 0.9, true), ('ann', 0.5, false), ('ann', 0.1, false), ('bob', 0.2, true), ('bob', 0.3, false),
        ('cleo', 0.8, false)
) AS shown(userid, score, clicked);

SELECT
    (SELECT roc_auc_agg(score, clicked) FROM shown) AS auc,
    avg(auc) AS mean_auc,
    sum(auc * impressions) / sum(impressions) FILTER (auc IS NOT NULL) AS gauc
FROM (SELECT roc_auc_agg(score, clicked) AS auc, count(*) AS impressions FROM shown GROUP BY userid);
