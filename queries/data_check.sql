-- What is wrong with my two tables?
--
--   rankdcg-sql sql data_check.sql

-- Ann's fig is judged twice, in two ways. Bob has no recommendations. One judgement has no item.
CREATE OR REPLACE TEMP TABLE truth AS
FROM (
    VALUES ('ann', 'fig', 1), ('ann', 'fig', 3), ('ann', 'lime', 2), ('bob', 'kiwi', 1), ('bob', NULL, 1)
) AS truth(userid, itemid, rating);

-- Ann's plum is there twice, and one score is missing. Cleo has no truth.
CREATE OR REPLACE TEMP TABLE rec AS
FROM (
    VALUES
        ('ann', 'plum', 0.9), ('ann', 'plum', 0.4), ('ann', 'fig', NULL), ('cleo', 'lime', 0.5)
) AS rec(userid, itemid, score);

-- Each problem, how often it was found, and what the metrics do about it.
SELECT source, problem, found, example, consequence
FROM rank_check(truth, rec, rel := 'rating');
