SELECT
    ${columns_of_recommendations}
FROM system.main.query_table(${table})
