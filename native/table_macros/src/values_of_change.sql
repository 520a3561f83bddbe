both_tables AS NOT MATERIALIZED (
    -- Each table has a column of its own for its numbers, which is NULL in rows of the others.
    SELECT
        'rec_before' AS source, userid, itemid,
        rankdcg_sql_number_or_null(points) AS points_before,
        NULL AS points_after,
        NULL AS grade_before,
        NULL AS grade_after,
        rankdcg_sql_kinds(userid, itemid) AS kinds
    FROM (
        ${rows_of_recommendations rec_before}
    )
    UNION ALL
    SELECT
        'rec_after' AS source, userid, itemid,
        NULL AS points_before,
        rankdcg_sql_number_or_null(points) AS points_after,
        NULL AS grade_before,
        NULL AS grade_after,
        rankdcg_sql_kinds(userid, itemid) AS kinds
    FROM (
        ${rows_of_recommendations rec_after}
    )
    UNION ALL
    SELECT
        'truth_before' AS source, userid, itemid,
        NULL AS points_before,
        NULL AS points_after,
        rankdcg_sql_number_or_null(grade) AS grade_before,
        NULL AS grade_after,
        rankdcg_sql_kinds(userid, itemid) AS kinds
    FROM (
        ${rows_of_truth truth_before}
    )
    UNION ALL
    SELECT
        'truth_after' AS source, userid, itemid,
        NULL AS points_before,
        NULL AS points_after,
        NULL AS grade_before,
        rankdcg_sql_number_or_null(grade) AS grade_after,
        rankdcg_sql_kinds(userid, itemid) AS kinds
    FROM (
        ${rows_of_truth truth_after}
    )
),

${rows_of_users},

-- Whether one truth is given twice: as an argument of a table function, the name of a table is a text.
truths AS NOT MATERIALIZED (
    SELECT *
    FROM system.main.repeat(CASE WHEN truth_before = truth_after THEN true ELSE false END, 1) AS given(is_one)
),

-- The metrics and counts of all users by one truth and one table of recommendations, a list. To read a table twice takes
-- less than to pass its rows to aggregates that leave them out.
evaluated_before AS NOT MATERIALIZED (
    SELECT
        system.main.rank_measures_by_user(
            named, itemid, points_before, grade_before, rankdcg_sql_written(${measures_of_change}), options
        ) AS found,
        system.main.min(kinds) AS kind,
        system.main.max(kinds) AS other_kind,
        system.main.any_value(CASE WHEN false THEN userid END) AS no_user
    FROM rows_of_users
    WHERE source IN ('rec_before', 'truth_before')
),

evaluated_after AS NOT MATERIALIZED (
    SELECT
        system.main.rank_measures_by_user(
            named, itemid, points_after, grade_after, rankdcg_sql_written(${measures_of_change}), options
        ) AS found,
        system.main.min(kinds) AS kind,
        system.main.max(kinds) AS other_kind
    FROM rows_of_users
    WHERE source IN ('rec_after', 'truth_after')
),

-- It is an error if types of ids do not fit.
evaluated AS MATERIALIZED (
    SELECT b.found AS before_found, a.found AS after_found, no_user
    FROM evaluated_before AS b, evaluated_after AS a
    WHERE rankdcg_sql_match(
        '${macro}', system.main.least(b.kind, a.kind), system.main.greatest(b.other_kind, a.other_kind)
    ) IS NOT FALSE
),

-- With one truth, the values between the runs are those before, and no row is read for them.
evaluated_middle AS NOT MATERIALIZED (
    SELECT system.main.rank_measures_by_user(
        named, itemid, points_before, grade_after, rankdcg_sql_written(${measures_of_change}), options
    ) AS found
    FROM rows_of_users, truths
    WHERE NOT is_one AND source IN ('rec_before', 'truth_after')
),

evaluated_other_middle AS NOT MATERIALIZED (
    SELECT system.main.rank_measures_by_user(
        named, itemid, points_after, grade_before, rankdcg_sql_written(${measures_of_change}), options
    ) AS found
    FROM rows_of_users, truths
    WHERE NOT is_one AND source IN ('rec_after', 'truth_before') AND ${attribution} = 'shapley'
),

users_of_runs AS NOT MATERIALIZED (
    SELECT
        CASE WHEN b.userid IS NULL THEN a.userid ELSE b.userid END AS userid,
        b.results AS before_results,
        m.results AS middle_results,
        o.results AS other_middle_results,
        a.results AS after_results
    FROM (
        ${counted_users before}
    ) AS b
    FULL JOIN (
        ${counted_users after}
    ) AS a
        ON rankdcg_sql_key(b.userid) = rankdcg_sql_key(a.userid)
    LEFT JOIN (SELECT unnest(found, recursive := true) FROM evaluated_middle) AS m
        ON rankdcg_sql_key(b.userid) = rankdcg_sql_key(m.userid)
    LEFT JOIN (SELECT unnest(found, recursive := true) FROM evaluated_other_middle) AS o
        ON rankdcg_sql_key(b.userid) = rankdcg_sql_key(o.userid)
),

measures AS NOT MATERIALIZED (SELECT unnest(${measures_of_change}, recursive := true)),

values_of_measures AS NOT MATERIALIZED (
    SELECT
        userid, metric, measures.k,
        system.main.list_extract(before_results, place) AS "before",
        system.main.list_extract(middle_results, place) AS middle,
        system.main.list_extract(other_middle_results, place) AS other_middle,
        system.main.list_extract(after_results, place) AS "after",
        rankdcg_sql_bounds(system.main.subtract(least, most), system.main.subtract(most, least)) AS bounds
    FROM users_of_runs, measures
)
