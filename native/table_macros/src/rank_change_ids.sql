-- ${summary}
--   ${descriptions}
${create} rank_change_ids(
    ${parameters}
) AS TABLE
WITH both_tables AS NOT MATERIALIZED (
    SELECT 'truth_before' AS source, itemid, rankdcg_sql_kinds(userid, itemid) AS kinds
    FROM (
        ${rows_of_truth truth_before}
    )
    WHERE userid IS NOT NULL AND rankdcg_sql_number_or_null(grade) IS NOT NULL
    UNION ALL
    SELECT 'rec_before', itemid, rankdcg_sql_kinds(userid, itemid)
    FROM (
        ${rows_of_recommendations rec_before}
    )
    WHERE userid IS NOT NULL AND rankdcg_sql_number_or_null(points) IS NOT NULL
    UNION ALL
    SELECT 'truth_after', itemid, rankdcg_sql_kinds(userid, itemid)
    FROM (
        ${rows_of_truth truth_after}
    )
    WHERE userid IS NOT NULL AND rankdcg_sql_number_or_null(grade) IS NOT NULL
    UNION ALL
    SELECT 'rec_after', itemid, rankdcg_sql_kinds(userid, itemid)
    FROM (
        ${rows_of_recommendations rec_after}
    )
    WHERE userid IS NOT NULL AND rankdcg_sql_number_or_null(points) IS NOT NULL
)

SELECT items, gone, rankdcg_sql_ratio(gone, items) AS share
FROM (
    SELECT
        system.main.count(CASE WHEN is_known THEN 1 END) AS items,
        system.main.count(CASE WHEN is_known AND NOT is_there THEN 1 END) AS gone
    FROM (
        SELECT
            system.main.bool_or(source = 'truth_before') AND system.main.bool_or(source = 'rec_before') AS is_known,
            system.main.bool_or(source IN ('truth_after', 'rec_after')) AS is_there,
            system.main.min(kinds) AS kind,
            system.main.max(kinds) AS other_kind
        FROM both_tables
        WHERE itemid IS NOT NULL
        GROUP BY rankdcg_sql_key(itemid)
    )
    HAVING rankdcg_sql_match('${macro}', system.main.min(kind), system.main.max(other_kind))
        OR system.main.count(*) = 0
);
