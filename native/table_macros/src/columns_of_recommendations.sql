COLUMNS(rankdcg_sql_column(
    *, '${macro}', '${table}', 'user or rec_user',
    CASE WHEN rec_user IS NULL THEN user ELSE rec_user END, rel
)) AS userid,
COLUMNS(rankdcg_sql_column(
    *, '${macro}', '${table}', 'item or rec_item',
    CASE WHEN rec_item IS NULL THEN item ELSE rec_item END, rel
)) AS itemid,
COLUMNS(rankdcg_sql_column(*, '${macro}', '${table}', 'score', score, rel)) AS points
