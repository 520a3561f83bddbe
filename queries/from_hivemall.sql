-- I have Hivemall's queries for ranking metrics: how do I write them here?
--
--   rankdcg-sql sql from_hivemall.sql
--
-- To run them unchanged: rankdcg-sql sql --hivemall hivemall/tables.sql hivemall/binary_response.sql

-- The rows of the example of Hivemall's page "Ranking Problems".
CREATE OR REPLACE TEMP TABLE rec AS
FROM (VALUES (1, 1, 10.0), (1, 3, 8.0), (1, 2, 6.0), (1, 6, 2.0)) AS rec(userid, itemid, score);

CREATE OR REPLACE TEMP TABLE truth AS
FROM (VALUES (1, 1), (1, 2), (1, 4)) AS truth(userid, itemid);

-- 1. Lists of items.                      Hivemall: map_values(to_ordered_map(score, itemid, true)), collect_set(itemid)
CREATE OR REPLACE TEMP TABLE lists AS
SELECT rec.items AS rec, truth.items AS truth
FROM (SELECT userid, ranked_list(itemid, score) AS items FROM rec GROUP BY userid) AS rec
JOIN (SELECT userid, list(DISTINCT itemid) AS items FROM truth GROUP BY userid) AS truth USING (userid);

SELECT rec, list_sort(truth) AS truth FROM lists;

-- 2. Metrics. Hivemall's are aggregates: the mean over users. Here a function over lists is the value of one user, and
-- avg() is the mean. Only the name of precision differs, because PRECISION is a keyword of DuckDB.
SELECT
    avg(recall(rec, truth, 2)) AS recall_at_2,                        -- Hivemall: recall(rec, truth, 2)
    avg(precision_at(rec, truth, 2)) AS precision_at_2,               -- Hivemall: precision(rec, truth, 2)
    avg(average_precision(rec, truth, 2)) AS average_precision_at_2,  -- Hivemall: average_precision(rec, truth, 2)
    avg(auc(rec, truth)) AS auc,                                      -- Hivemall: auc(rec, truth, max_k)
    avg(mrr(rec, truth, 2)) AS mrr_at_2,                              -- Hivemall: mrr(rec, truth, 2)
    avg(ndcg(rec, truth, 2)) AS ndcg_at_2                             -- Hivemall: ndcg(rec, truth, 2)
FROM lists;

-- 3. The same from the two tables, without lists, in one line.
SELECT recall, "precision", average_precision, mrr, ndcg
FROM rank_evaluate(truth, rec, ks := 2);
