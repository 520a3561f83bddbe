-- Graded relevance in Hivemall's dialect: NDCG of the predicted order, a mean over users in one row.
-- Needs tables.sql and rankdcg_sql.register_hivemall(con).
-- The prediction is a list of (relevance, item), descending by score. The truth is a list of relevances.
-- to_ordered_list takes equal relevances of a user, which a map refuses.
--
--   ndcg_at_2  0.8128912838590544
--   ndcg_at_3  0.9187707805346093
WITH judged AS (
    SELECT
        userid,
        to_ordered_list(struct(relscore, itemid), score, '-reverse') AS ranked,
        to_ordered_list(relscore, '-reverse') AS relevances
    FROM dummy_recrel
    GROUP BY userid
)

SELECT
    ndcg(ranked, relevances, 2) AS ndcg_at_2,
    ndcg(ranked, relevances, 3) AS ndcg_at_3
FROM judged;
