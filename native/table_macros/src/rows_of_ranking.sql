SELECT
    COLUMNS(rankdcg_sql_column(*, '${macro}', '${table}', 'user', user, NULL)) AS userid,
    COLUMNS(rankdcg_sql_column(*, '${macro}', '${table}', 'item', item, NULL)) AS itemid,
    COLUMNS(rankdcg_sql_column(*, '${macro}', '${table}', 'score', score, NULL)) AS points
FROM system.main.query_table(${table})
