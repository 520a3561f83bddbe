parts_at_k AS (
    SELECT
        means.metric, means.k,
        system.main.list_value(
            rankdcg_sql_part_of_users(
                'users_left', mean_before, stayed_before, n_before, n_both, stayed_of_before, left_of_before
            ),
            rankdcg_sql_part_of_users(
                'users_came', stayed_after, mean_after, n_after, n_both, stayed_of_after, came_of_after
            ),
            rankdcg_sql_part('judgements', judged_anew, stayed_before, stayed_between, judgements, 1),
            rankdcg_sql_part('ranking', ranked_anew, stayed_between, stayed_after, ranking, 1),
            rankdcg_sql_part(
                'total', system.main.struct_extract(total, 'n'), mean_before, mean_after, total, 1
            )
        ) AS listed
    FROM means
),

-- The total is no part, and its p-value is not corrected.
parts AS (
    SELECT
        * EXCLUDE (p_values),
        CASE place WHEN 5 THEN p_value ELSE system.main.list_extract(p_values, place) END AS p_corrected
    FROM (
        SELECT
            parts_at_k.metric, parts_at_k.k,
            unnest(system.main.list_value(1, 2, 3, 4, 5)) AS place,
            unnest(listed, recursive := true),
            rankdcg_sql_ratio(
                system.main.struct_extract(unnest(listed), 'difference'),
                system.main.struct_extract(system.main.list_extract(listed, 5), 'difference')
            ) AS share,
            system.main.corrected_p_values(system.main.list_transform(
                system.main.list_slice(listed, 1, 4),
                lambda each: system.main.struct_extract(each, 'p_value')
            )) AS p_values
        FROM parts_at_k
    )
)
