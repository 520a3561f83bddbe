-- Binary relevance in Hivemall's dialect. Its metrics are aggregates, so the only row has means over users.
-- Needs tables.sql and rankdcg_sql.register_hivemall(con). "precision" is quoted because it is a keyword in DuckDB.
--
--                      whole list (4)        top 2
--   recall             0.6666666666666666    0.3333333333333333
--   precision          0.5                   0.5
--   average_precision  0.5555555555555555    0.3333333333333333   (MAP)
--   auc                0.75                  1.0
--   mrr                1.0                   1.0
--   ndcg               0.7039180890341349    0.6131471927654585
WITH rankings AS (
    SELECT
        userid,
        map_values(to_ordered_map(score, itemid, true)) AS ranked,
        count(*) AS max_k
    FROM dummy_rec
    GROUP BY userid
),

relevant AS (
    SELECT userid, collect_set(itemid) AS items
    FROM dummy_truth
    GROUP BY userid
)

SELECT
    recall(ranked, items, max_k) AS recall,
    recall(ranked, items, 2) AS recall_at_2,
    "precision"(ranked, items, max_k) AS "precision",
    "precision"(ranked, items, 2) AS precision_at_2,
    average_precision(ranked, items, max_k) AS average_precision,
    average_precision(ranked, items, 2) AS average_precision_at_2,
    auc(ranked, items, max_k) AS auc,
    auc(ranked, items, 2) AS auc_at_2,
    mrr(ranked, items, max_k) AS mrr,
    mrr(ranked, items, 2) AS mrr_at_2,
    ndcg(ranked, items, max_k) AS ndcg,
    ndcg(ranked, items, 2) AS ndcg_at_2
FROM rankings
INNER JOIN relevant USING (userid);
