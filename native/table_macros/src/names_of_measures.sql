system.main.regexp_extract_all(
    rankdcg_sql_joined(rankdcg_sql_names(measures)), '[^,()]+(\([^()]*\))?[^,()]*'
)
