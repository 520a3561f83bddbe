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
        unnest(${names_of_measures}, recursive := true),
        unnest(results) AS value
    FROM (SELECT unnest(found, recursive := true), no_user FROM evaluated)
    WHERE judged > 0
)

-- A measure that is named again has no more rows, which a mean and its interval would count as more users.
SELECT userid, measure, value FROM users_with_measures WHERE is_first;
