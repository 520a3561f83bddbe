-- Three users with the same small data: six items, of which 1, 2 and 4 are relevant.
-- Load this before binary_response.sql and graded_response.sql.

-- The relevant items of each user.
CREATE TABLE dummy_truth AS
SELECT userid, itemid
FROM (VALUES (1), (2), (3)) AS users(userid)
CROSS JOIN (VALUES (1), (2), (4)) AS relevant(itemid);

-- The recommendations, with their scores.
CREATE TABLE dummy_rec AS
SELECT userid, itemid, score
FROM (VALUES (1), (2), (3)) AS users(userid)
CROSS JOIN (VALUES (1, 10.0), (3, 8.0), (2, 6.0), (6, 2.0)) AS ranked(itemid, score);

-- The score and the relevance of the same items, side by side.
CREATE TABLE dummy_recrel AS
SELECT userid, itemid, score, relscore
FROM (VALUES (1), (2), (3)) AS users(userid)
CROSS JOIN (
    VALUES (1, 10.0, 5.0), (3, 8.0, 2.0), (2, 6.0, 4.0), (6, 2.0, 1.0), (4, 1.0, 3.0)
) AS judged(itemid, score, relscore);
