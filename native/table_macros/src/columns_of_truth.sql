COLUMNS(rankdcg_sql_column(
    *, '${macro}', '${table}', 'user or truth_user',
    CASE WHEN truth_user IS NULL THEN user ELSE truth_user END, rel
)) AS userid,
COLUMNS(rankdcg_sql_column(
    *, '${macro}', '${table}', 'item or truth_item',
    CASE WHEN truth_item IS NULL THEN item ELSE truth_item END, rel
)) AS itemid,
COLUMNS(rankdcg_sql_column(
    *, '${macro}', '${table}', 'rel',
    CASE WHEN rel IS NULL THEN 'rankdcg_sql: relevant' ELSE rel END, rel
)) AS grade
