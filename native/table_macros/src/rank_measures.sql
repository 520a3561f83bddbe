-- ${summary}
-- It needs DuckDB 2.0 or later.
--   ${descriptions}
${create} rank_measures(
    ${parameters}
) AS TABLE
WITH ${both_tables},

evaluated AS (
    SELECT
        CASE
            WHEN rankdcg_sql_match('${macro}', system.main.min(kinds), system.main.max(kinds))
                THEN system.main.rank_measures_by_user(
                    named, itemid, rec_points, grade,
                    rankdcg_sql_joined(rankdcg_sql_names(measures)), options
                )
        END AS found,
        system.main.any_value(CASE WHEN false THEN userid END) AS no_user
    FROM rows_of_users
),

users_with_measures AS (
    SELECT
        system.main.cast_to_type(userid, no_user) AS userid,
        -- The names between commas that do not stand in brackets.
        unnest(system.main.list_transform(
            ${names_of_measures},
            lambda name: system.main.trim(name)
        )) AS measure,
        unnest(results) AS value
    FROM (SELECT unnest(found, recursive := true), no_user FROM evaluated)
    WHERE judged > 0
)

SELECT userid, measure, value FROM users_with_measures;
