-- The table macros that Python calls, in each DuckDB. They call the helpers of rank_change alone.

-- The parts of a change in a table of values of users: `userid`, `metric`, `k`, `before`, `middle`, `other_middle`,
-- `after` and `test_options`. A value is NULL if the user is not in the mean.
${create} rankdcg_sql_parts_of_change(values_of_runs, attribution) AS TABLE
WITH values_of_users AS (FROM system.main.query_table(values_of_runs)),

${tests_of_change},

${parts_of_change}

SELECT
    parts.metric, parts.k, place, part, parts.users, before, after, difference, low, high, share, p_value, p_corrected
FROM parts;

-- The same by user.
${create} rankdcg_sql_users_of_change(values_of_runs, attribution) AS TABLE
WITH values_of_users AS (FROM system.main.query_table(values_of_runs)),

${tests_of_change},

${users_of_change}

SELECT userid, parts_of_users.metric, parts_of_users.k, part, before, after, difference FROM parts_of_users;
