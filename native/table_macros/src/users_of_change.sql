-- The parts of each user, who has two if they are in both means.
parts_of_users AS (
    SELECT
        steps.userid, steps.metric, steps.k,
        unnest(
            CASE
                WHEN after IS NULL THEN system.main.list_value(
                    rankdcg_sql_part_of_user('users_left', before, after, before, stayed_before, n_before)
                )
                WHEN before IS NULL THEN system.main.list_value(
                    rankdcg_sql_part_of_user('users_came', before, after, stayed_after, after, n_after)
                )
                ELSE system.main.list_value(
                    rankdcg_sql_part_of_user(
                        'judgements', before, between_steps, before, between_steps, n_both
                    ),
                    rankdcg_sql_part_of_user('ranking', between_steps, after, between_steps, after, n_both)
                )
            END,
            recursive := true
        )
    FROM steps
    JOIN means ON steps.metric = means.metric AND steps.k IS NOT DISTINCT FROM means.k
    WHERE before IS NOT NULL OR after IS NOT NULL
)
