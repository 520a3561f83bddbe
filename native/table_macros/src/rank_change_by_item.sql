-- ${summary}
-- It needs DuckDB 2.0 or later.
--   ${descriptions}
${create} rank_change_by_item(
    ${parameters}
) AS TABLE
WITH ${values_of_change},

values_of_users AS (SELECT *, '' AS test_options FROM values_of_measures),

${tests_of_change},

${items_of_change},

changes_by_item AS (
    SELECT
        metric, changes_of_items.k,
        system.main.any_value(changes_of_items.item) AS item,
        ${sum_over_mean of_judgements} AS judgements,
        ${sum_over_mean of_ranking} AS ranking,
        system.main.count(*) AS users_of_item,
        system.main.count(
            CASE WHEN item_after > item_before AND rankdcg_sql_differ(item_after, item_before) THEN 1 END
        ) AS won,
        system.main.count(
            CASE WHEN item_after < item_before AND rankdcg_sql_differ(item_after, item_before) THEN 1 END
        ) AS lost
    FROM changes_of_items
    GROUP BY metric, changes_of_items.k, item_key
),

no_ids AS (SELECT system.main.any_value(CASE WHEN false THEN itemid END) AS no_item FROM both_tables WHERE false)

-- Ids of other types than integers went through the aggregate as texts or numbers.
SELECT
    system.main.cast_to_type(changes_by_item.item, no_item) AS itemid,
    metric, changes_by_item.k, judgements, ranking, users_of_item AS users, won, lost
FROM changes_by_item, no_ids
WHERE rankdcg_sql_is_plain(system.main.typeof(no_item))
UNION ALL
SELECT other, metric, changes_by_item.k, judgements, ranking, users_of_item, won, lost
FROM changes_by_item LEFT JOIN numbered_items ON changes_by_item.item::BIGINT = number, no_ids
WHERE NOT rankdcg_sql_is_plain(system.main.typeof(no_item));
