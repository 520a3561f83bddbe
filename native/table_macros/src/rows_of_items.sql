-- Items that are neither integers nor texts, by their numbers in ascending order.
numbered_items AS MATERIALIZED (
    SELECT itemid AS other, system.main.row_number() OVER (ORDER BY itemid ASC NULLS LAST) AS number
    FROM (SELECT DISTINCT itemid FROM both_tables)
    WHERE itemid IS NOT NULL AND NOT rankdcg_sql_is_plain(system.main.typeof(itemid))
),

rows_of_items AS NOT MATERIALIZED (
    SELECT *, rankdcg_sql_plain(itemid) AS plain
    FROM rows_of_users
    WHERE rankdcg_sql_is_plain(system.main.typeof(itemid))
    UNION ALL
    SELECT rows_of_users.*, number
    FROM rows_of_users LEFT JOIN numbered_items ON itemid = other
    WHERE NOT rankdcg_sql_is_plain(system.main.typeof(itemid))
)
