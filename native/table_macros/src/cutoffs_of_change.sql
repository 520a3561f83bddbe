rankdcg_sql_distinct('${macro}', 'k', k, rankdcg_sql_numbers(k))
