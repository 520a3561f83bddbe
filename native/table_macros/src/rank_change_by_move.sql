-- ${summary}
-- It needs DuckDB 2.0 or later.
--   ${descriptions}
${create} rank_change_by_move(
    ${parameters}
) AS TABLE
WITH ${values_of_change},

values_of_users AS (SELECT *, '' AS test_options FROM values_of_measures),

${tests_of_change},

${items_of_change},

moves AS (
    SELECT
        *,
        CASE
            WHEN changes_of_items.item IS NULL THEN NULL
            WHEN ranks_before IS NULL AND ranks_after IS NULL THEN 'not retrieved'
            WHEN ranks_before IS NULL THEN 'into top k'
            WHEN ranks_after IS NULL THEN 'out of top k'
            WHEN ranks_after < ranks_before THEN 'up'
            WHEN ranks_after > ranks_before THEN 'down'
            ELSE 'same rank'
        END AS move
    FROM changes_of_items
)

SELECT
    metric, moves.k, move,
    system.main.count(DISTINCT user_key) AS users,
    system.main.count(moves.item) AS items,
    ${sum_over_mean of_ranking} AS ranking
FROM moves
GROUP BY metric, moves.k, move
ORDER BY
    system.main.list_position(
        ${explained_metrics},
        metric
    ) ASC NULLS LAST,
    system.main.list_position(
        system.main.list_value('into top k', 'up', 'same rank', 'down', 'out of top k', 'not retrieved'), move
    ) ASC NULLS LAST;
