COLUMNS(rankdcg_sql_column(
    *, '${macro}', '${table}', 'spans', rankdcg_sql_bound(spans::VARCHAR[], 1), NULL
)) AS given_start,
COLUMNS(rankdcg_sql_column(
    *, '${macro}', '${table}', 'spans', rankdcg_sql_bound(spans::VARCHAR[], 2), NULL
)) AS given_end
