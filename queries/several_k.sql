-- How do the metrics change with the length of the list?
--
--   rankdcg-sql sql several_k.sql

CREATE OR REPLACE TEMP TABLE truth AS
FROM (VALUES ('ann', 'fig'), ('ann', 'lime'), ('bob', 'kiwi'), ('bob', 'fig')) AS truth(userid, itemid);

CREATE OR REPLACE TEMP TABLE rec AS
FROM (
    VALUES
        ('ann', 'fig', 0.9), ('ann', 'pear', 0.8), ('ann', 'plum', 0.7), ('ann', 'lime', 0.6),
        ('bob', 'pear', 0.9), ('bob', 'kiwi', 0.8), ('bob', 'plum', 0.7)
) AS rec(userid, itemid, score);

-- A column for each k. NULL among the cutoffs is the whole list.
PIVOT (
    SELECT metric, coalesce('at ' || k, 'all') AS k, round(mean, 3) AS mean
    FROM rank_summary(truth, rec, ks := [1, 2, 4, NULL], metrics := ['precision', 'recall', 'hit_rate'])
)
ON k IN ('at 1', 'at 2', 'at 4', 'all')
USING any_value(mean)
ORDER BY metric;
