-- Checks two tables for rows that make metrics wrong, or that metrics leave out. Each check gives a line with the
-- number of rows, users or pairs that it found. Not all of these are faults: a user without recommendations, for
-- example, is a result of the system.
--
--   rankdcg-sql sql --set truth=truth.csv --set rec=rec.csv check_tables.sql
--   rankdcg-sql sql --database shop.db --set truth=relevant --set rec=served check_tables.sql
--
-- truth: userid, itemid, and rel where items are not all equally relevant. rec: userid, itemid, score.
SET VARIABLE truth = coalesce(getvariable('truth'), 'truth');
SET VARIABLE rec = coalesce(getvariable('rec'), 'rec');

WITH judged AS (
    -- If truth has no column rel, the name stands for everything.rel, which is 1: each item is relevant.
    SELECT judgements.*
    FROM
        (VALUES (1)) AS everything(rel),
        LATERAL (SELECT userid, itemid, rel FROM query_table(getvariable('truth'))) AS judgements
),

retrieved AS (
    SELECT userid, itemid, score FROM query_table(getvariable('rec'))
),

-- Both tables with the same columns. number is the relevance or the score; NULL if it is no number.
rows AS (
    SELECT
        'truth' AS source, userid::VARCHAR AS userid, itemid::VARCHAR AS itemid, rel::VARCHAR AS given,
        try_cast(rel AS DOUBLE) AS number
    FROM judged
    UNION ALL
    SELECT 'rec', userid::VARCHAR, itemid::VARCHAR, score::VARCHAR, try_cast(score AS DOUBLE)
    FROM retrieved
),

pairs AS (
    SELECT source, count(*) - 1 AS repeats, count(DISTINCT number) > 1 AS differ
    FROM rows
    WHERE userid IS NOT NULL AND itemid IS NOT NULL
    GROUP BY source, userid, itemid
),

users AS (
    SELECT bool_or(source = 'truth') AS in_truth, bool_or(source = 'rec') AS in_rec
    FROM rows
    WHERE userid IS NOT NULL
    GROUP BY userid
),

-- Integers of any width and decimals match by value, texts and ENUMs as texts, and FLOAT and DOUBLE by value. Every
-- other type matches only itself.
types AS (
    SELECT
        name,
        count(
            DISTINCT CASE
                WHEN regexp_matches(type, '^(U?(TINY|SMALL|BIG|HUGE)?INT|INTEGER|UINTEGER|DECIMAL)') THEN 'whole'
                WHEN regexp_matches(type, '^(VARCHAR|ENUM)') THEN 'text'
                WHEN type IN ('FLOAT', 'DOUBLE') THEN 'floating point'
                ELSE type
            END
        ) - 1 AS differ
    FROM (
        (SELECT unnest(['userid', 'itemid']) AS name, unnest([typeof(userid), typeof(itemid)]) AS type FROM judged LIMIT 2)
        UNION ALL
        (SELECT unnest(['userid', 'itemid']), unnest([typeof(userid), typeof(itemid)]) FROM retrieved LIMIT 2)
    )
    GROUP BY name
),

items AS (
    SELECT count(*) AS common
    FROM (SELECT itemid FROM rows WHERE source = 'truth' INTERSECT SELECT itemid FROM rows WHERE source = 'rec')
    WHERE itemid IS NOT NULL
)

SELECT source, problem, found::BIGINT AS found, consequence
FROM (
    SELECT
        source,
        unnest([
            {
                'place': 2, 'problem': 'userid is NULL', 'found': count_if(userid IS NULL),
                'consequence': 'the row is left out'
            },
            {
                'place': 3, 'problem': 'itemid is NULL', 'found': count_if(itemid IS NULL),
                'consequence': if(source = 'truth', 'the row is left out', 'the item takes a rank, and is irrelevant')
            },
            {
                'place': 4, 'problem': if(source = 'truth', 'rel', 'score') || ' is NULL', 'found': count_if(given IS NULL),
                'consequence': 'the row is left out'
            },
            {
                'place': 5, 'problem': if(source = 'truth', 'rel', 'score') || ' is NaN or no number',
                'found': count_if(given IS NOT NULL AND (number IS NULL OR isnan(number))),
                'consequence': 'an error; evaluate leaves NaN out'
            },
            {
                'place': 6, 'problem': if(source = 'truth', 'rel is infinite or below 0', 'score is infinite'),
                'found': count_if(isinf(number) OR (source = 'truth' AND number < 0)),
                'consequence': if(source = 'truth', 'an error', 'none: the best or the worst')
            }
        ], recursive := true)
    FROM rows
    GROUP BY source
    UNION ALL
    SELECT
        source, 1, 'userid and itemid of another row', sum(repeats),
        'a join multiplies such rows, and _agg counts each; rank_metrics_rows and rank_metrics_by_user count one'
    FROM pairs
    GROUP BY source
    UNION ALL
    SELECT 'truth', 7, 'item of a user with several relevances', count_if(differ), 'an error'
    FROM pairs
    WHERE source = 'truth'
    UNION ALL
    SELECT 'truth', 8, 'user without a row in rec', count_if(NOT in_rec), 'counts as 0; a query with an inner join loses the user'
    FROM users
    UNION ALL
    SELECT 'rec', 8, 'user without a row in truth', count_if(NOT in_truth), 'is not evaluated'
    FROM users
    UNION ALL
    SELECT 'both', 9, name || ' has another type', differ, 'rows do not meet, or an error'
    FROM types
    UNION ALL
    SELECT 'both', 10, 'no item in common', (common = 0)::INTEGER, 'all metrics are 0'
    FROM items
)
ORDER BY source = 'both', source DESC, place, problem;
