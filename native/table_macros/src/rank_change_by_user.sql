-- ${summary}
-- It needs DuckDB 2.0 or later.
--   ${descriptions}
${create} rank_change_by_user(
    ${parameters}
) AS TABLE
WITH ${values_of_change},

values_of_users AS (SELECT *, '' AS test_options FROM values_of_measures),

${tests_of_change},

${users_of_change}

SELECT
    -- Users of other types than integers went through the aggregate as texts.
    system.main.cast_to_type(userid, no_user) AS userid,
    metric, parts_of_users.k, part, before, after, difference
FROM parts_of_users, (SELECT no_user FROM evaluated);
