-- Is the new model better than the old one, for whom, and could it be chance?
--
--   rankdcg-sql sql two_models.sql

CREATE OR REPLACE TEMP TABLE truth AS
FROM (
    VALUES ('ann', 'fig'), ('bob', 'kiwi'), ('cleo', 'pear'), ('dan', 'fig'), ('eve', 'lime'), ('finn', 'plum')
) AS truth(userid, itemid);

CREATE OR REPLACE TEMP TABLE old AS
FROM (
    VALUES
        ('ann', 'kiwi', 0.9), ('ann', 'fig', 0.8),
        ('bob', 'fig', 0.9), ('bob', 'lime', 0.8), ('bob', 'kiwi', 0.7),
        ('cleo', 'pear', 0.9),
        ('dan', 'lime', 0.9), ('dan', 'fig', 0.8),
        ('eve', 'plum', 0.9), ('eve', 'pear', 0.8), ('eve', 'fig', 0.7), ('eve', 'lime', 0.6),
        ('finn', 'fig', 0.9)
) AS old(userid, itemid, score);

CREATE OR REPLACE TEMP TABLE new AS
FROM (
    VALUES
        ('ann', 'fig', 0.9), ('bob', 'kiwi', 0.9), ('cleo', 'fig', 0.9), ('cleo', 'pear', 0.8),
        ('dan', 'fig', 0.9), ('eve', 'kiwi', 0.9), ('eve', 'lime', 0.8), ('finn', 'plum', 0.7)
) AS new(userid, itemid, score);

-- The difference of the means, its 95 % confidence interval, and the p-value of a paired t test.
SELECT
    metric, n, round(baseline, 3) AS old, round(mean, 3) AS new, round(difference, 3) AS difference,
    round(low, 3) AS low, round(high, 3) AS high, round(p_value, 3) AS p_value, wins, ties, losses
FROM rank_compare(truth, old, new, ks := 4, metrics := 'mrr');

-- The users for whom the new model is worse.
SELECT userid, a.mrr AS old, b.mrr AS new
FROM rank_evaluate(truth, old, ks := 4) AS a
JOIN rank_evaluate(truth, new, ks := 4) AS b USING (userid)
WHERE b.mrr < a.mrr
ORDER BY b.mrr - a.mrr, userid;
