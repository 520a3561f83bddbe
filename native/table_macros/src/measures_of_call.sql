rankdcg_sql_planned(system.main.rank_macro_measures(
    '${macro}', rankdcg_sql_names(metrics),
    rankdcg_sql_ks('${macro}', ks, k), rankdcg_sql_asked(ks, k), options
))
