-- Why do metrics over sampled negatives mislead?
--
--   rankdcg-sql sql sampled_negatives.sql

-- 1,000 items for each of 200 users, one of them relevant. The steady model ranks it at 40 for everybody. The daring
-- model ranks it at 1 for every second user, and at 500 for the others.
CREATE OR REPLACE TEMP TABLE relevant AS
SELECT userid, 40 AS steady, if(userid % 2 = 0, 1, 500) AS daring
FROM range(200) AS users(userid);

CREATE OR REPLACE TEMP TABLE candidates AS
SELECT model, userid, rank, (rank = relevant_rank)::INTEGER AS rel
FROM (UNPIVOT relevant ON steady, daring INTO NAME model VALUE relevant_rank), range(1, 1001) AS ranks(rank);

-- The sample: the relevant item and 99 others that are drawn at random, as in many papers.
CREATE OR REPLACE TEMP TABLE sampled AS
SELECT *, rel = 1 OR row_number() OVER (PARTITION BY model, userid, rel ORDER BY hash(userid, rank)) <= 99 AS is_drawn
FROM candidates;

-- Over all items the daring model wins. Over the sample the steady one seems to be nearly perfect: an item at rank 40
-- of 1,000 is expected at rank 5 of 100.
SELECT model, avg(hit_of_all) AS hit_rate_of_all, round(avg(hit_of_sample), 1) AS hit_rate_of_sample
FROM (
    SELECT
        model,
        hit_rate_agg(-rank, rel, 10) AS hit_of_all,
        -- An item without a score is not in the list.
        hit_rate_agg(if(is_drawn, -rank, NULL), rel, 10) AS hit_of_sample
    FROM sampled
    GROUP BY model, userid
)
GROUP BY model
ORDER BY model;
