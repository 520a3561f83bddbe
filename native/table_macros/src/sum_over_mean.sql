-- The sum of changes over the number of users, which no order of rows changes.
system.main.multiply(
    system.main.struct_extract(system.main.mean_ci(${table}), 'mean'),
    rankdcg_sql_ratio(system.main.count(${table}), system.main.any_value(n_both))
)
