-- ${summary}
--   ${descriptions}
${create} rank_check(
    ${parameters}
) AS TABLE
WITH "rankdcg_sql: truth" AS (FROM system.main.query_table(truth)),

"rankdcg_sql: kinds" AS (
    -- The types of the ids, and whether values of both tables can be equal. The tables are not read for them.
    SELECT
        *,
        rankdcg_sql_family(users_of_truth) = rankdcg_sql_family(users_of_rec) AS users_fit,
        rankdcg_sql_family(items_of_truth) = rankdcg_sql_family(items_of_rec) AS items_fit
    FROM (
        SELECT
            system.main.typeof(system.main.any_value(userid)) AS users_of_truth,
            system.main.typeof(system.main.any_value(itemid)) AS items_of_truth
        FROM (
            ${rows_of_truth truth}
        )
        WHERE false
    ), (
        SELECT
            system.main.typeof(system.main.any_value(userid)) AS users_of_rec,
            system.main.typeof(system.main.any_value(itemid)) AS items_of_rec
        FROM (
            ${rows_of_recommendations rec}
        )
        WHERE false
    ), (
        -- A column that seems to hold relevances, although no argument names it.
        SELECT system.main.min(column_name) AS forgotten
        FROM (DESCRIBE "rankdcg_sql: truth")
        WHERE rel IS NULL
            AND system.main.list_contains(
                system.main.list_value(${usual_names_of_rel}), system.main.lower(column_name)
            )
            AND (column_type = 'BOOLEAN' OR rankdcg_sql_is_number(column_type))
    )
),

both_tables AS MATERIALIZED (
    SELECT
        true AS is_truth, userid, itemid, grade IS NULL AS is_missing, try_cast(grade AS DOUBLE) AS number,
        CASE
            WHEN system.main.typeof(grade) <> 'BOOLEAN'
                AND NOT rankdcg_sql_is_number(system.main.typeof(grade))
                THEN grade::VARCHAR
        END AS no_number
    FROM (
        ${rows_of_truth truth}
    )
    UNION ALL
    SELECT
        false, userid, itemid, points IS NULL, try_cast(points AS DOUBLE),
        CASE WHEN NOT rankdcg_sql_is_number(system.main.typeof(points)) THEN points::VARCHAR END
    FROM (
        ${rows_of_recommendations rec}
    )
),

shown AS (
    SELECT
        *,
        CASE WHEN is_truth THEN 'truth' ELSE 'rec' END AS source,
        CASE WHEN is_truth THEN 'relevance' ELSE 'score' END AS measured,
        system.main.concat(
            'user ', CASE WHEN userid IS NULL THEN 'NULL' ELSE userid::VARCHAR END,
            ', item ', CASE WHEN itemid IS NULL THEN 'NULL' ELSE itemid::VARCHAR END
        ) COLLATE "binary" AS example
    FROM both_tables
),

-- Rows that are left out are of no user. A row with a text is not left out: cast it, and it is of its user.
usable AS (
    SELECT is_truth, userid, itemid, number
    FROM both_tables
    WHERE userid IS NOT NULL AND NOT is_missing
        AND (no_number IS NOT NULL OR NOT rankdcg_sql_is_nan(number))
),

repeated AS (
    SELECT
        CASE WHEN is_truth THEN 'truth' ELSE 'rec' END AS source,
        system.main.subtract(system.main.count(*), 1) AS repeats,
        is_truth AND system.main.min(number) <> system.main.max(number) AS differs,
        system.main.concat(
            'user ', system.main.any_value(userid)::VARCHAR,
            ', item ', system.main.any_value(itemid)::VARCHAR
        ) COLLATE "binary" AS example
    FROM usable
    WHERE itemid IS NOT NULL
    GROUP BY is_truth, rankdcg_sql_key(userid), rankdcg_sql_key(itemid)
    HAVING system.main.count(*) > 1
),

user_ids AS (
    SELECT
        system.main.any_value(userid)::VARCHAR COLLATE "binary" AS id,
        system.main.bool_or(is_truth) AS in_truth, system.main.bool_or(NOT is_truth) AS in_rec
    FROM usable
    GROUP BY rankdcg_sql_key(userid)
),

item_ids AS (
    SELECT
        system.main.any_value(itemid)::VARCHAR COLLATE "binary" AS id,
        system.main.bool_or(is_truth) AS in_truth, system.main.bool_or(NOT is_truth) AS in_rec
    FROM usable
    WHERE itemid IS NOT NULL
    GROUP BY rankdcg_sql_key(itemid)
),

findings AS (
    SELECT
        1 AS place, source, 'user and item of another row' AS problem,
        system.main.sum(repeats)::BIGINT AS found, system.main.min(example) AS example,
        CASE source WHEN 'truth' THEN 'the judgement counts once' ELSE 'the largest score counts' END
            AS consequence
    FROM repeated
    WHERE differs IS DISTINCT FROM true
    GROUP BY source
    UNION ALL
    SELECT
        2, source, 'item of a user with several relevances', system.main.count(*), system.main.min(example),
        'an error: keep one relevance'
    FROM repeated
    WHERE differs
    GROUP BY source
    UNION ALL
    SELECT 3, source, 'user is NULL', system.main.count(*), system.main.min(example), 'the row is left out'
    FROM shown
    WHERE userid IS NULL
    GROUP BY source
    UNION ALL
    SELECT
        4, source, 'item is NULL', system.main.count(*), system.main.min(example),
        CASE source WHEN 'truth' THEN 'the row is left out' ELSE 'the row takes a rank, and is irrelevant' END
    FROM shown
    WHERE itemid IS NULL
    GROUP BY source
    UNION ALL
    SELECT
        5, source, system.main.concat(measured, ' is NULL'), system.main.count(*), system.main.min(example),
        'the row is left out'
    FROM shown
    WHERE is_missing
    GROUP BY source, measured
    UNION ALL
    SELECT
        6, source, system.main.concat(measured, ' is NaN'), system.main.count(*), system.main.min(example),
        'the row is left out'
    FROM shown
    WHERE rankdcg_sql_is_nan(number) AND no_number IS NULL
    GROUP BY source, measured
    UNION ALL
    SELECT
        7, source, system.main.concat(measured, ' is no number'), system.main.count(*),
        system.main.min(no_number), 'an error: cast the column to a number'
    FROM shown
    WHERE no_number IS NOT NULL
    GROUP BY source, measured
    UNION ALL
    SELECT
        8, source, 'relevance is infinite or negative', system.main.count(*), system.main.min(example),
        'an error'
    FROM shown
    WHERE is_truth AND userid IS NOT NULL AND itemid IS NOT NULL AND no_number IS NULL
        AND (number < 0 OR system.main.isinf(number))
    GROUP BY source
    UNION ALL
    SELECT 9, 'truth', 'user without a row in rec', system.main.count(*), system.main.min(id),
        'counts as 0'
    FROM user_ids
    WHERE in_truth AND NOT in_rec AND (SELECT users_fit FROM "rankdcg_sql: kinds")
    HAVING system.main.count(*) > 0
    UNION ALL
    SELECT 9, 'rec', 'user without a row in truth', system.main.count(*), system.main.min(id),
        'is not evaluated'
    FROM user_ids
    WHERE in_rec AND NOT in_truth AND (SELECT users_fit FROM "rankdcg_sql: kinds")
    HAVING system.main.count(*) > 0
    UNION ALL
    SELECT 10, 'truth', 'item without a row in rec', system.main.count(*), system.main.min(id),
        'is never retrieved'
    FROM item_ids
    WHERE in_truth AND NOT in_rec AND (SELECT items_fit FROM "rankdcg_sql: kinds")
    HAVING system.main.count(*) > 0
    UNION ALL
    SELECT 10, 'rec', 'item without a row in truth', system.main.count(*), system.main.min(id),
        'is irrelevant to every user'
    FROM item_ids
    WHERE in_rec AND NOT in_truth AND (SELECT items_fit FROM "rankdcg_sql: kinds")
    HAVING system.main.count(*) > 0
    UNION ALL
    SELECT 11, 'both', 'no user in common', 1, NULL, 'all metrics are 0'
    FROM user_ids
    WHERE (SELECT users_fit FROM "rankdcg_sql: kinds")
    HAVING system.main.count(*) > 0 AND NOT system.main.bool_or(in_truth AND in_rec)
    UNION ALL
    SELECT 11, 'both', 'no item in common', 1, NULL, 'all metrics are 0'
    FROM item_ids
    WHERE (SELECT items_fit FROM "rankdcg_sql: kinds")
    HAVING system.main.count(*) > 0 AND NOT system.main.bool_or(in_truth AND in_rec)
    UNION ALL
    SELECT 12, 'both', 'user has another type', 1,
        system.main.concat(users_of_truth, ' in truth, ', users_of_rec, ' in rec'),
        'an error: cast one in a view'
    FROM "rankdcg_sql: kinds"
    WHERE NOT users_fit
    UNION ALL
    SELECT 12, 'both', 'item has another type', 1,
        system.main.concat(items_of_truth, ' in truth, ', items_of_rec, ' in rec'),
        'an error: cast one in a view'
    FROM "rankdcg_sql: kinds"
    WHERE NOT items_fit
    UNION ALL
    SELECT
        13, 'truth', 'rel is not given', 1, system.main.concat('column ', forgotten),
        'each row counts as relevant'
    FROM "rankdcg_sql: kinds"
    WHERE forgotten IS NOT NULL
)

SELECT source, problem, found, example, consequence
FROM findings
ORDER BY
    system.main.starts_with(consequence, 'an error') DESC NULLS LAST,
    source = 'both' ASC NULLS LAST, source DESC NULLS LAST,
    place ASC NULLS LAST, problem ASC NULLS LAST;
