SELECT
    ${columns_of_truth}
FROM (SELECT *, true AS "rankdcg_sql: relevant" FROM system.main.query_table(${table}))
