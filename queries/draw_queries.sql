-- Which queries shall people judge, and which next, so that those judged are a random sample of all at any time?
--
--   rankdcg-sql sql draw_queries.sql

-- All queries, with what is known of each before anybody judges.
CREATE OR REPLACE TEMP TABLE queries AS
FROM (
    VALUES
        ('apple pie', 'how to'), ('boil an egg', 'how to'), ('change a tyre', 'how to'), ('dye wool', 'how to'),
        ('capital of peru', 'fact'), ('height of k2', 'fact'), ('moons of mars', 'fact'), ('speed of sound', 'fact'),
        ('buy bike', 'shop'), ('cheap flights', 'shop')
) AS queries(query, intent);

-- People judge from the top, as many as they can, and go on later. The order within an intent is random: that of a hash of
-- the query and the seed. Each intent has its share of any number of first queries.
WITH drawn AS (
    SELECT
        query,
        intent,
        md5(concat(query, ' ', coalesce(getvariable('seed'), 1))) AS random,
        row_number() OVER (PARTITION BY intent ORDER BY random) - 0.5 AS place,
        count(*) OVER (PARTITION BY intent) AS queries_of_intent
    FROM queries
)

SELECT row_number() OVER (ORDER BY place / queries_of_intent, random) AS turn, intent, query
FROM drawn
ORDER BY turn;
