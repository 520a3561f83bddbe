-- ${summary}
-- It needs DuckDB 2.0 or later.
--   ${descriptions}
${create} rank_explain(
    ${parameters}
) AS TABLE
WITH ${both_tables},

${rows_of_items},

-- The items of all users, a list for each metric. It is an error if types of ids do not fit.
explained AS NOT MATERIALIZED (
    SELECT
        metric,
        CASE
            WHEN rankdcg_sql_match('${macro}', system.main.min(kinds), system.main.max(kinds))
                THEN system.main.rank_explain_by_user(
                    named, plain, rec_points, grade, k, rankdcg_sql_with_metric(metric, options)
                )
        END AS found,
        system.main.any_value(CASE WHEN false THEN userid END) AS no_user,
        system.main.any_value(CASE WHEN false THEN itemid END) AS no_item
    FROM rows_of_items, (
        SELECT unnest(
            ${explained_metrics}
        ) AS metric
    )
    GROUP BY metric
),

items_of_users AS NOT MATERIALIZED (
    SELECT metric, no_user, no_item, unnest(found, recursive := true)
    FROM explained
)

-- Ids of other types than integers went through the aggregate as texts or numbers.
SELECT
    system.main.cast_to_type(items_of_users.userid, no_user) AS userid,
    metric, rank, last_rank,
    system.main.cast_to_type(items_of_users.item, no_item) AS itemid,
    items_of_users.score AS score,
    items_of_users.rel AS rel,
    items_of_users.rel IS NOT NULL AS judged,
    gain, discount, contribution, if_found, "value"
FROM items_of_users
WHERE rankdcg_sql_is_plain(system.main.typeof(no_item))
UNION ALL
SELECT
    system.main.cast_to_type(items_of_users.userid, no_user),
    metric, rank, last_rank,
    other,
    items_of_users.score,
    items_of_users.rel,
    items_of_users.rel IS NOT NULL,
    gain, discount, contribution, if_found, "value"
FROM items_of_users LEFT JOIN numbered_items ON items_of_users.item::BIGINT = number
WHERE NOT rankdcg_sql_is_plain(system.main.typeof(no_item));
