${rows_of_items},

rows_of_metrics AS NOT MATERIALIZED (
    SELECT *, rankdcg_sql_with_metric(metric, options) AS options_of_metric
    FROM rows_of_items, (
        SELECT unnest(
            ${explained_metrics}
        ) AS metric
    )
),

-- The items of users by each pair of recommendations and judgements, as the values of users.
explained AS NOT MATERIALIZED (
    SELECT metric, 'before' AS run, system.main.rank_explain_by_user(
        named, plain, points_before, grade_before, k, options_of_metric
    ) AS found
    FROM rows_of_metrics
    WHERE source IN ('rec_before', 'truth_before')
    GROUP BY metric
    UNION ALL
    SELECT metric, 'after', system.main.rank_explain_by_user(
        named, plain, points_after, grade_after, k, options_of_metric
    )
    FROM rows_of_metrics
    WHERE source IN ('rec_after', 'truth_after')
    GROUP BY metric
    UNION ALL
    SELECT metric, 'middle', system.main.rank_explain_by_user(
        named, plain, points_before, grade_after, k, options_of_metric
    )
    FROM rows_of_metrics, truths
    WHERE NOT is_one AND source IN ('rec_before', 'truth_after')
    GROUP BY metric
    UNION ALL
    SELECT metric, 'other_middle', system.main.rank_explain_by_user(
        named, plain, points_after, grade_before, k, options_of_metric
    )
    FROM rows_of_metrics, truths
    WHERE NOT is_one AND source IN ('rec_after', 'truth_before') AND ${attribution} = 'shapley'
    GROUP BY metric
),

-- The contribution of each item to the values of a user, and twice its mean rank. Ids are grouped by their keys, because texts
-- that differ may be equal by a setting.
items_of_users AS NOT MATERIALIZED (
    SELECT
        metric, user_key, item_key,
        system.main.any_value(each_item.item) AS item,
        rankdcg_sql_or_zero(system.main.max(CASE run WHEN 'before' THEN contribution END)) AS item_before,
        rankdcg_sql_or_zero(system.main.max(CASE run WHEN 'middle' THEN contribution END)) AS item_middle,
        rankdcg_sql_or_zero(system.main.max(CASE run WHEN 'other_middle' THEN contribution END)) AS item_other_middle,
        rankdcg_sql_or_zero(system.main.max(CASE run WHEN 'after' THEN contribution END)) AS item_after,
        system.main.max(CASE WHEN run IN ('before', 'middle') THEN ranks END) AS ranks_before,
        system.main.max(CASE WHEN run IN ('after', 'other_middle') THEN ranks END) AS ranks_after
    FROM (
        SELECT
            metric, run, each.item,
            rankdcg_sql_key(each.userid) AS user_key,
            rankdcg_sql_key(each.item) AS item_key,
            each.contribution AS contribution,
            -- A missed item may have a rank after k.
            CASE WHEN k IS NULL OR each.rank <= k THEN system.main.add(each.rank, each.last_rank) END AS ranks
        FROM (SELECT metric, run, unnest(found, recursive := true) FROM explained) AS each
        WHERE each.contribution <> 0 OR each.rank <= CASE WHEN k IS NULL THEN each.rank ELSE k END
    ) AS each_item
    GROUP BY metric, user_key, item_key
),

-- The same for users in both means, with a value between the two steps as they have.
steps_of_items AS (
    SELECT
        items_of_users.*,
        rankdcg_sql_between(
            ${attribution},
            item_before,
            CASE WHEN steps.middle IS NULL THEN item_before ELSE item_middle END,
            CASE WHEN steps.other_middle IS NULL THEN item_after ELSE item_other_middle END,
            item_after
        ) AS item_between
    FROM items_of_users
    JOIN steps
        ON user_key = rankdcg_sql_key(steps.userid)
        AND items_of_users.metric = steps.metric
    WHERE steps.between_steps IS NOT NULL
),

-- The values of users that no item adds: those that a rule for empty rankings gives.
rests AS NOT MATERIALIZED (
    SELECT
        steps.metric,
        rankdcg_sql_key(steps.userid) AS user_key,
        rankdcg_sql_rest(steps.before, sum_before) AS rest_before,
        rankdcg_sql_rest(steps.between_steps, sum_between) AS rest_between,
        rankdcg_sql_rest(steps.after, sum_after) AS rest_after
    FROM steps
    LEFT JOIN (
        SELECT
            metric, user_key,
            system.main.sum(item_before) AS sum_before,
            system.main.sum(item_between) AS sum_between,
            system.main.sum(item_after) AS sum_after
        FROM steps_of_items
        GROUP BY metric, user_key
    ) AS sums
        ON rankdcg_sql_key(steps.userid) = sums.user_key AND steps.metric = sums.metric
    WHERE steps.between_steps IS NOT NULL
),

-- The changes of what items add, and of the rest, whose item is NULL.
changes_of_items AS NOT MATERIALIZED (
    SELECT
        means.metric, means.k, user_key, item_key, changes.item, n_both, ranks_before, ranks_after,
        system.main.subtract(item_between, item_before) AS of_judgements,
        system.main.subtract(item_after, item_between) AS of_ranking,
        item_before, item_after
    FROM (
        SELECT
            metric, user_key, item_key, steps_of_items.item, item_before, item_between, item_after, ranks_before,
            ranks_after
        FROM steps_of_items
        WHERE NOT (item_before = 0 AND item_between = 0 AND item_after = 0)
        UNION ALL
        SELECT metric, user_key, NULL, NULL, rest_before, rest_between, rest_after, NULL, NULL
        FROM rests
        WHERE NOT (rest_before = 0 AND rest_between = 0 AND rest_after = 0)
    ) AS changes
    JOIN means ON changes.metric = means.metric
)
