both_tables AS NOT MATERIALIZED (
    -- A row of rec has `rec_points`, a row of truth has `grade`, and the others are NULL.
    SELECT
        userid, itemid,
        rankdcg_sql_number_or_null(points) AS rec_points,
        NULL AS grade,
        rankdcg_sql_kinds(userid, itemid) AS kinds,
        false AS is_truth
    FROM (
        ${rows_of_recommendations rec}
    )
    UNION ALL
    SELECT
        userid, itemid,
        NULL AS rec_points,
        rankdcg_sql_number_or_null(grade) AS grade,
        rankdcg_sql_kinds(userid, itemid) AS kinds,
        true AS is_truth
    FROM (
        ${rows_of_truth truth}
    )
),

${rows_of_users}
