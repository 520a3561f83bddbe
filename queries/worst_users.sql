-- Which users get the worst recommendations, and what do they miss?
--
--   rankdcg-sql sql worst_users.sql

CREATE OR REPLACE TEMP TABLE truth AS
FROM (
    VALUES
        ('ann', 'fig'), ('ann', 'lime'),
        ('bob', 'fig'), ('bob', 'kiwi'), ('bob', 'plum'),
        ('cleo', 'pear'),
        ('dan', 'fig')
) AS truth(userid, itemid);

-- Dan has no recommendations.
CREATE OR REPLACE TEMP TABLE rec AS
FROM (
    VALUES
        ('ann', 'fig', 0.9), ('ann', 'pear', 0.8), ('ann', 'lime', 0.7),
        ('bob', 'pear', 0.9), ('bob', 'lime', 0.6), ('bob', 'plum', 0.5),
        ('cleo', 'pear', 0.9), ('cleo', 'fig', 0.1)
) AS rec(userid, itemid, score);

-- The users with the lowest recall in the first three items. A user without recommendations has a recall of 0.
CREATE OR REPLACE TEMP TABLE worst AS
SELECT userid, round(recall, 3) AS recall, round(mrr, 3) AS mrr, retrieved, judged
FROM rank_evaluate(truth, rec, ks := 3)
ORDER BY recall, judged DESC, userid
LIMIT 2;

FROM worst;

-- The relevant items that they did not get.
SELECT userid, list(itemid ORDER BY itemid) AS missed
FROM truth
SEMI JOIN worst USING (userid)
ANTI JOIN rec USING (userid, itemid)
GROUP BY userid
ORDER BY userid;
