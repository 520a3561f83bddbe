-- The values of users with one between the two steps, for those who have both. Without a middle, the judgements change
-- nothing.
steps AS (
    SELECT
        *,
        CASE
            WHEN before IS NOT NULL AND after IS NOT NULL THEN rankdcg_sql_between(
                ${attribution},
                before,
                CASE WHEN middle IS NULL THEN before ELSE middle END,
                CASE WHEN other_middle IS NULL THEN after ELSE other_middle END,
                after
            )
        END AS between_steps
    FROM values_of_users
),

tests AS (
    SELECT
        steps.metric, steps.k,
        ${statistics}.partially_overlapping_t_test(after, before, test_options) AS total,
        ${statistics}.partially_overlapping_t_test(
            between_steps, CASE WHEN after IS NOT NULL THEN before END, test_options
        ) AS judgements,
        ${statistics}.partially_overlapping_t_test(
            CASE WHEN before IS NOT NULL THEN after END, between_steps, test_options
        ) AS ranking,
        -- Those who stay, and those who left or came, each with all of the run. A few of them may have one value, and the
        -- test of two samples would take that for their spread.
        ${statistics}.partially_overlapping_t_test(
            CASE WHEN after IS NOT NULL THEN before END, before, test_options
        ) AS stayed_of_before,
        ${statistics}.partially_overlapping_t_test(
            before, CASE WHEN after IS NULL THEN before END, test_options
        ) AS left_of_before,
        ${statistics}.partially_overlapping_t_test(
            after, CASE WHEN before IS NOT NULL THEN after END, test_options
        ) AS stayed_of_after,
        ${statistics}.partially_overlapping_t_test(
            CASE WHEN before IS NULL THEN after END, after, test_options
        ) AS came_of_after,
        system.main.count(CASE WHEN rankdcg_sql_differ(between_steps, before) THEN 1 END) AS judged_anew,
        system.main.count(CASE WHEN rankdcg_sql_differ(after, between_steps) THEN 1 END) AS ranked_anew
    FROM steps
    GROUP BY steps.metric, steps.k
),

-- The means of each run, and of the users in both. Without such users, theirs count as 0.
means AS (
    SELECT
        *,
        system.main.struct_extract(total, 'mean_b') AS mean_before,
        system.main.struct_extract(total, 'mean_a') AS mean_after,
        system.main.struct_extract(total, 'n_b') AS n_before,
        system.main.struct_extract(total, 'n_a') AS n_after,
        system.main.struct_extract(total, 'n_both') AS n_both,
        rankdcg_sql_or_zero(system.main.struct_extract(judgements, 'mean_b')) AS stayed_before,
        rankdcg_sql_or_zero(system.main.struct_extract(judgements, 'mean_a')) AS stayed_between,
        rankdcg_sql_or_zero(system.main.struct_extract(ranking, 'mean_a')) AS stayed_after
    FROM tests
)
