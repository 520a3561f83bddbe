SELECT *
FROM (SELECT unnest(${table}_found, recursive := true) FROM evaluated)
WHERE judged > 0 AND (rankdcg_sql_users('${macro}', users, options) = 'truth' OR retrieved > 0)
