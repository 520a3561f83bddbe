rankdcg_sql_planned(system.main.rank_macro_measures(
    '${macro}', rankdcg_sql_names(metrics), ${cutoffs_of_change}, NULL, options
))
