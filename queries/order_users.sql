-- How well does a model order users by their future activity?
--
--   rankdcg-sql sql order_users.sql

-- The predicted and the real number of messages of the members of two groups.
CREATE OR REPLACE TEMP TABLE members AS
FROM (
    VALUES
        ('chess', 'ann', 9.0, 7), ('chess', 'bob', 5.0, 3), ('chess', 'cleo', 2.0, 1), ('chess', 'dan', 1.0, 1),
        ('music', 'eve', 8.0, 2), ('music', 'finn', 6.0, 5), ('music', 'gus', 4.0, 9)
) AS members(community, userid, predicted, messages);

-- rankDCG is 1 for the right order and 0 for the worst one. NDCG is above 0 even then, because it adds up gains. Users
-- are few, and each of them has a place: so there is no k.
SELECT
    community, count(*) AS users,
    rankdcg_agg(predicted, messages) AS rankdcg,
    round(ndcg_agg(predicted, messages), 3) AS ndcg,
    round(kendall_tau_agg(predicted, messages), 3) AS kendall_tau
FROM members
GROUP BY community
ORDER BY community;
