-- Do the first items show all aspects of a query, and is one system better at it?
--
--   rankdcg-sql sql aspects.sql

CREATE OR REPLACE TEMP TABLE truth AS
FROM (
    VALUES
        ('jaguar', 'zoo.org', 'animal', 1), ('jaguar', 'cats.net', 'animal', 1), ('jaguar', 'cars.com', 'car', 1),
        ('jaguar', 'cats.net', 'photos', 1), ('jaguar', 'cars.com', 'animal', 0),
        ('python', 'docs.org', 'language', 1), ('python', 'zoo.org', 'animal', 1)
) AS truth(userid, itemid, aspect, rel);

CREATE OR REPLACE TEMP TABLE rec AS
FROM (
    VALUES
        ('old', 'jaguar', 'zoo.org', 0.9), ('old', 'jaguar', 'cats.net', 0.8), ('old', 'jaguar', 'cars.com', 0.3),
        ('old', 'python', 'docs.org', 0.7),
        ('new', 'jaguar', 'cats.net', 0.9), ('new', 'jaguar', 'cars.com', 0.5), ('new', 'jaguar', 'zoo.org', 0.5),
        ('new', 'python', 'docs.org', 0.6), ('new', 'python', 'zoo.org', 0.4)
) AS rec(system, userid, itemid, score);

-- The values of each user and system. A user whom a system gave nothing has 0, and counts.
CREATE OR REPLACE TEMP TABLE found AS
SELECT
    system,
    userid,
    alpha_ndcg(retrieved, judged, 2) AS alpha_ndcg,
    subtopic_recall(retrieved, judged, 2) AS subtopic_recall
FROM (SELECT userid, list({'item': itemid, 'aspect': aspect, 'rel': rel}) AS judged FROM truth GROUP BY userid)
CROSS JOIN (SELECT DISTINCT system FROM rec)
LEFT JOIN (
    SELECT system, userid, list({'item': itemid, 'score': score}) AS retrieved FROM rec GROUP BY system, userid
) USING (system, userid);

-- Means over users. mean_ci(alpha_ndcg) gives the confidence interval of a mean.
SELECT system, count(alpha_ndcg) AS users, round(avg(alpha_ndcg), 3) AS alpha_ndcg, round(avg(subtopic_recall), 3) AS recall
FROM found
GROUP BY system
ORDER BY system DESC;

-- The values of both systems beside each other, for a test such as paired_t_test(new, old).
PIVOT (SELECT system, userid, round(alpha_ndcg, 3) AS alpha_ndcg FROM found) ON system USING first(alpha_ndcg)
ORDER BY userid;
