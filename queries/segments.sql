-- Which segment of users gets the better recommendations?
--
--   rankdcg-sql sql segments.sql

CREATE OR REPLACE TEMP TABLE users AS
FROM (VALUES ('ann', 'FR'), ('bob', 'FR'), ('cleo', 'IT'), ('dan', 'IT'), ('eve', 'IT')) AS users(userid, country);

CREATE OR REPLACE TEMP TABLE truth AS
FROM (
    VALUES
        ('ann', 'fig'), ('ann', 'lime'), ('bob', 'kiwi'), ('cleo', 'pear'), ('dan', 'fig'), ('eve', 'lime'), ('eve', 'fig')
) AS truth(userid, itemid);

CREATE OR REPLACE TEMP TABLE rec AS
FROM (
    VALUES
        ('ann', 'fig', 0.9), ('ann', 'lime', 0.8),
        ('bob', 'pear', 0.9), ('bob', 'kiwi', 0.6),
        ('cleo', 'lime', 0.9), ('cleo', 'fig', 0.1),
        ('dan', 'fig', 0.9),
        ('eve', 'kiwi', 0.7), ('eve', 'lime', 0.6)
) AS rec(userid, itemid, score);

-- The users in each mean stand beside it. mean_ci(recall) gives the confidence interval of a mean.
SELECT country, count(*) AS users, round(avg(recall), 3) AS recall, round(avg(mrr), 3) AS mrr
FROM rank_evaluate(truth, rec, ks := 2)
JOIN users USING (userid)
GROUP BY country
ORDER BY country;
