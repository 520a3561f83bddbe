-- How far does a judge, such as a language model, agree with people, and does it favour some documents?
--
--   rankdcg-sql sql judge_agreement.sql

-- The grades of the same documents by people and by the judge, both of them known: put a query of your tables here. The
-- source says who wrote a document: "own" are those that the judge wrote, and "web" all others.
CREATE OR REPLACE TEMP TABLE judgements AS
FROM (
    VALUES
        ('q1', 'a', 'web', 2, 2), ('q1', 'b', 'web', 0, 0), ('q1', 'c', 'own', 0, 1), ('q1', 'd', 'own', 1, 2),
        ('q2', 'e', 'web', 1, 1), ('q2', 'f', 'web', 0, 1), ('q2', 'g', 'own', 1, 2), ('q2', 'h', 'web', 0, 0),
        ('q3', 'i', 'own', 0, 2), ('q3', 'j', 'web', 2, 2), ('q3', 'k', 'web', 1, 1), ('q3', 'l', 'own', 1, 2),
        ('q4', 'm', 'web', 0, 0), ('q4', 'n', 'own', 0, 1), ('q4', 'o', 'own', 1, 1), ('q4', 'p', 'web', 2, 2)
) AS judgements(query, document, source, human, judge)
WHERE human IS NOT NULL AND judge IS NOT NULL;

-- How many documents of each grade by people have which grade by the judge?
PIVOT (SELECT human, 'judge ' || judge AS grade FROM judgements)
ON grade
USING count(*)
GROUP BY human
ORDER BY human;

-- Cohen's kappa is 1 if all grades agree, 0 if they agree as often as by chance, and below 0 if less often. With quadratic
-- weights, grades that are far apart count more. Both are NULL if all grades are one.
WITH grades AS (
    SELECT human, judge, count(*) / sum(count(*)) OVER () AS share FROM judgements GROUP BY ALL
),

of_human AS (SELECT human, sum(share) AS share FROM grades GROUP BY human),

of_judge AS (SELECT judge, sum(share) AS share FROM grades GROUP BY judge),

by_chance AS (SELECT human, judge, h.share * j.share AS share FROM of_human AS h CROSS JOIN of_judge AS j),

distances AS (
    SELECT
        (SELECT sum(share * (human <> judge)::INT) FROM grades) AS unequal,
        (SELECT sum(share * (human <> judge)::INT) FROM by_chance) AS unequal_by_chance,
        (SELECT sum(share * (human - judge) ** 2) FROM grades) AS squared,
        (SELECT sum(share * (human - judge) ** 2) FROM by_chance) AS squared_by_chance
)

SELECT
    round(1 - unequal, 3) AS agreement,
    round(1 - unequal / nullif(unequal_by_chance, 0), 3) AS kappa,
    round(1 - squared / nullif(squared_by_chance, 0), 3) AS kappa_with_quadratic_weights
FROM distances;

-- The bias of the judge by source: its grades less those of people. Documents of one query share its errors, so that
-- intervals are over the means of queries. The last row compares the two sources.
WITH of_queries AS (
    SELECT
        query,
        avg(judge - human) FILTER (source = 'own') AS own,
        avg(judge - human) FILTER (source = 'web') AS web
    FROM judgements
    GROUP BY query
)

SELECT
    what,
    round(bias.mean, 3) AS bias,
    round(bias.low, 3) AS low,
    round(bias.high, 3) AS high,
    bias.n AS queries
FROM (
    SELECT unnest([
        {'what': 'own', 'bias': mean_ci(own)},
        {'what': 'web', 'bias': mean_ci(web)},
        {'what': 'own less web', 'bias': mean_ci(own - web)}
    ], max_depth := 2)
    FROM of_queries
);
