-- ${summary}
-- It needs DuckDB 2.0 or later.
--   ${descriptions}
${create} rank_evaluate(
    ${parameters}
) AS TABLE
WITH ${both_tables},

evaluated AS (
    SELECT
        -- The metrics and counts of all users, a list. It is an error if types of ids do not fit.
        CASE
            WHEN rankdcg_sql_match('${macro}', system.main.min(kinds), system.main.max(kinds))
                THEN system.main.rank_evaluation_by_user(
                    named, itemid, rec_points, grade, rankdcg_sql_ks('${macro}', ks, k), options
                )
        END AS found,
        system.main.any_value(CASE WHEN false THEN userid END) AS no_user
    FROM rows_of_users
)

SELECT
    -- Users of other types than integers went through the aggregate as texts.
    system.main.cast_to_type(userid, no_user) AS userid, users_at_k.k,
    ${metrics},
    retrieved, judged, retrieved_repeats, judged_repeats
FROM (SELECT unnest(found, recursive := true), no_user FROM evaluated) AS users_at_k
WHERE judged > 0;
