-- A tour of the functions over lists. A row has the ranking and the truth of one user.
--
--   rankdcg-sql sql list_metrics.sql
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

-- The recommendations. Cleo has recommendations, but no truth.
CREATE OR REPLACE TEMP TABLE rec AS
SELECT *
FROM (
    VALUES
        ('ann', 'fig', 0.9), ('ann', 'kiwi', 0.8), ('ann', 'plum', 0.7), ('ann', 'pear', 0.6),
        ('bob', 'plum', 0.9), ('bob', 'kiwi', 0.8),
        ('cleo', 'fig', 0.7)
) AS rec(userid, itemid, score);

-- One row for each user. The best score comes first, and ties are broken by item, so that the order is always the same.
-- The LEFT JOIN from the truth keeps Dan, whose metrics are 0, and drops Cleo, who cannot be evaluated.
CREATE OR REPLACE TEMP VIEW users AS
SELECT userid, rec, truth, judged
FROM (
    SELECT userid, list(itemid) AS truth, map_from_entries(list((itemid, rel))) AS judged
    FROM truth
    GROUP BY userid
)
LEFT JOIN (
    SELECT userid, list(itemid ORDER BY score DESC, itemid) AS rec
    FROM rec
    GROUP BY userid
) USING (userid);

-- 2. Metrics of each user: the ranking first, then the truth, then k ------------------------------------------

SELECT
    userid,
    precision_at(rec, truth, 2) AS precision_at_2,
    recall_at(rec, truth, 2) AS recall_at_2,
    f1_at(rec, truth, 2) AS f1_at_2,
    hit_rate(rec, truth, 2) AS hit_rate_at_2,
    -- Without k, the whole list counts.
    mrr(rec, truth) AS mrr,
    average_precision(rec, truth) AS average_precision,
    ndcg(rec, truth) AS ndcg,
    auc(rec, truth) AS auc
FROM users
ORDER BY userid;

-- 3. Means over users -----------------------------------------------------------------------------------------

SELECT
    avg(average_precision(rec, truth)) AS map,
    avg(mrr(rec, truth)) AS mrr,
    avg(ndcg(rec, truth, 2)) AS ndcg_at_2
FROM users;

-- 4. k as a column: one row for each cut-off ------------------------------------------------------------------

SELECT k, avg(recall_at(rec, truth, k)) AS recall, avg(ndcg(rec, truth, k)) AS ndcg
FROM users
CROSS JOIN (VALUES (1), (2), (3), (NULL)) AS cutoffs(k)
GROUP BY k
ORDER BY k NULLS LAST;

-- 5. Graded truth: how relevant each item is ------------------------------------------------------------------

-- As a MAP from item to relevance ...
SELECT userid, ndcg(rec, judged, 3) AS ndcg_at_3, rankdcg(rec, judged) AS rankdcg
FROM users
ORDER BY userid;

-- ... or as a list of structs, whose fields are known by their names: item and rel, docid and grade, and so on.
-- In binary metrics, an item is relevant if its relevance is above 0, or if it is at least min_rel.
SELECT
    ndcg(rec, judged, 3) AS ndcg_at_3,
    recall_at(rec, judged) AS recall,
    recall_at(rec, judged, 'min_rel=2') AS recall_of_the_best
FROM (
    SELECT
        ['fig', 'kiwi', 'plum', 'pear'] AS rec,
        [{'item': 'fig', 'rel': 3}, {'item': 'plum', 'rel': 1}, {'item': 'lime', 'rel': 2}] AS judged
);

-- 6. Options: the last argument, or in the place of k ---------------------------------------------------------

-- The command "rankdcg-sql functions ndcg" lists the options of ndcg and their values.
SELECT
    userid,
    ndcg(rec, judged, 3) AS ndcg,
    ndcg(rec, judged, 3, 'gain=linear') AS linear_gain,
    ndcg(rec, judged, 3, 'gain=0:1:3:7, discount=log2_clip') AS chosen_gains,
    -- Divides by k, also if fewer than k items were recommended. denominator is short for precision_denominator.
    precision_at(rec, truth, 3, 'denominator=k') AS precision_at_3
FROM users
ORDER BY userid;

-- A user without a relevant item has the value NULL, which avg() leaves out, or 0, which avg() counts.
SELECT
    avg(ndcg(rec, truth)) AS without_them,
    avg(ndcg(rec, truth, 'no_relevant=zero')) AS with_zeros
FROM (VALUES (['a', 'b'], ['a']), (['a', 'b'], [])) AS users(rec, truth);

-- 7. Pooled NDCG: users with more to find weigh more ----------------------------------------------------------

SELECT sum(dcg(rec, judged, 3)) / sum(idcg(rec, judged, 3)) AS pooled, avg(ndcg(rec, judged, 3)) AS mean
FROM users;

-- 8. One list: the relevances in ranked order -----------------------------------------------------------------

SELECT
    cg_rels([3, 2, 3, 0, 1, 2]) AS cg,
    dcg_rels([3, 2, 3, 0, 1, 2], 'gain=linear') AS dcg,
    idcg_rels([3, 2, 3, 0, 1, 2], 'gain=linear') AS idcg,
    ndcg_rels([3, 2, 3, 0, 1, 2], 'gain=linear') AS ndcg;

-- 9. rankDCG: is the whole order kept? ------------------------------------------------------------------------

-- Element i of the two lists is the score and the relevance of item i. 1 is the perfect order, 0 its reverse.
-- Tied items are in the worst order, unless ties says otherwise.
SELECT
    rankdcg([0.9, 0.5, 0.2], [9, 3, 1]) AS perfect,
    rankdcg([0.2, 0.5, 0.9], [9, 3, 1]) AS reversed,
    rankdcg([0.5, 0.1, 0.7], [9, 3, 1]) AS between,
    rankdcg([0.5, 0.5, 0.5], [9, 3, 1]) AS all_tied,
    rankdcg([0.5, 0.5, 0.5], [9, 3, 1], 'ties=average') AS all_tied_on_average;
