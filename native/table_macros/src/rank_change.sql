-- ${summary}
-- It needs DuckDB 2.0 or later.
--   ${descriptions}
${create} rank_change(
    ${parameters}
) AS TABLE
WITH ${values_of_change},

values_of_users AS (
    SELECT
        *,
        system.main.concat(
            'confidence=', confidence, ', tolerance=1e-12, lower_bound=-1, upper_bound=1'
        ) AS test_options
    FROM values_at_k
),

${tests_of_change},

${parts_of_change}

SELECT
    metric, parts.k, part, parts.users, before, after, difference, low, high, share, p_value, p_corrected
FROM parts
ORDER BY
    system.main.list_position(rankdcg_sql_chosen('${macro}', metrics), metric) ASC NULLS LAST,
    system.main.list_position(rankdcg_sql_numbers(k), parts.k) ASC NULLS LAST,
    place ASC NULLS LAST;
