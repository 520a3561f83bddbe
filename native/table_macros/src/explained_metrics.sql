-- The names of metrics that are sums over items, or an error.
system.main.rank_macro_explained('${macro}', rankdcg_sql_names(metrics), NULL, NULL, options)::VARCHAR[]
