-- Why did the mean move: other users, other judgements, or another ranking, and which users and items decide?
--
--   rankdcg-sql sql why.sql

CREATE OR REPLACE TEMP TABLE truth_before AS
FROM (
    VALUES ('ann', 'fig'), ('ann', 'lime'), ('bob', 'kiwi'), ('cleo', 'pear'), ('dan', 'fig')
) AS truth_before(userid, itemid);

CREATE OR REPLACE TEMP TABLE rec_before AS
FROM (
    VALUES
        ('ann', 'fig', 0.9), ('ann', 'lime', 0.8), ('bob', 'kiwi', 0.9), ('bob', 'fig', 0.8),
        ('cleo', 'pear', 0.9), ('cleo', 'fig', 0.8), ('dan', 'lime', 0.9), ('dan', 'kiwi', 0.8)
) AS rec_before(userid, itemid, score);

-- Dan left and eve came, and bob's plum has been judged since.
CREATE OR REPLACE TEMP TABLE truth_after AS
FROM (
    VALUES
        ('ann', 'fig'), ('ann', 'lime'), ('bob', 'kiwi'), ('bob', 'plum'), ('cleo', 'pear'), ('eve', 'lime')
) AS truth_after(userid, itemid);

-- Ann's lime fell below kiwi and fig.
CREATE OR REPLACE TEMP TABLE rec_after AS
FROM (
    VALUES
        ('ann', 'kiwi', 0.9), ('ann', 'fig', 0.8), ('ann', 'lime', 0.7), ('bob', 'kiwi', 0.9), ('bob', 'fig', 0.8),
        ('cleo', 'pear', 0.9), ('cleo', 'fig', 0.8), ('eve', 'fig', 0.9), ('eve', 'kiwi', 0.8)
) AS rec_after(userid, itemid, score);

-- The parts of the change of recall in the first two items. They add up to the whole change.
SELECT part, users, round(before, 3) AS before, round(after, 3) AS after, round(difference, 3) AS difference
FROM rank_change(truth_before, rec_before, truth_after, rec_after, k := 2, metrics := 'recall');

-- The users who decide, and by which part.
SELECT userid, part, before, after, round(difference, 3) AS difference
FROM rank_change_by_user(truth_before, rec_before, truth_after, rec_after, k := 2, metrics := 'recall')
WHERE part <> 'total' AND difference <> 0
ORDER BY difference, userid;

-- The items that decide, among users of both runs.
SELECT itemid, round(judgements, 3) AS judgements, round(ranking, 3) AS ranking, users, won, lost
FROM rank_change_by_item(truth_before, rec_before, truth_after, rec_after, k := 2, metrics := 'recall')
WHERE judgements <> 0 OR ranking <> 0
ORDER BY judgements + ranking, itemid;

-- Ann's list after the change, with what each item adds, and what a missed item would add.
SELECT itemid, rank, rel, contribution, if_found
FROM rank_explain(truth_after, rec_after, k := 2, metrics := 'recall')
WHERE userid = 'ann'
ORDER BY rank;
