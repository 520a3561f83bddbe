-- Which queries shall people judge, if a rare kind needs more of them than its share, and which weight has each?
--
--   rankdcg-sql sql draw_weighted_queries.sql

-- All queries, with what is known of each before anybody judges.
CREATE OR REPLACE TEMP TABLE queries AS
FROM (
    VALUES
        ('apple pie', 'how to'), ('boil an egg', 'how to'), ('change a tyre', 'how to'), ('dye wool', 'how to'),
        ('capital of peru', 'fact'), ('height of k2', 'fact'), ('moons of mars', 'fact'), ('speed of sound', 'fact'),
        ('buy bike', 'shop'), ('cheap flights', 'shop')
) AS queries(query, intent);

-- How many queries of each intent people judge.
CREATE OR REPLACE TEMP TABLE wanted AS
FROM (VALUES ('fact', 2), ('how to', 2), ('shop', 2)) AS wanted(intent, judged);

-- The first ones of a random order within an intent, that of a hash of the query and the seed. A query stands for as many as
-- its weight, which rankdcg_sql.evaluate takes for the judgements of people: weight='weight', segments=drawn, user='query'.
WITH drawn AS (
    SELECT
        query,
        intent,
        md5(concat(query, ' ', coalesce(getvariable('seed'), 1))) AS random,
        row_number() OVER (PARTITION BY intent ORDER BY random) AS place,
        count(*) OVER (PARTITION BY intent) AS queries_of_intent
    FROM (SELECT DISTINCT query, intent FROM queries)
)

SELECT intent, query, queries_of_intent / least(floor(judged), queries_of_intent) AS weight
FROM drawn
LEFT JOIN wanted USING (intent)
-- A query that nobody could draw would be missing from the mean.
WHERE place <= if(coalesce(judged, 0) >= 1, floor(judged), error(concat('people must judge a query of intent ', intent)))
ORDER BY intent, place;
