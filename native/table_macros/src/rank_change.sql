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
        system.main.concat('confidence=', confidence, ', tolerance=1e-12', bounds) AS test_options
    FROM values_of_measures
),

${tests_of_change},

${parts_of_change}

SELECT
    parts.metric, parts.k, part, parts.users, before, after, difference, low, high, share, p_value, p_corrected
FROM parts JOIN measures ON parts.metric = measures.metric AND parts.k IS NOT DISTINCT FROM measures.k
ORDER BY measures.place ASC NULLS LAST, parts.place ASC NULLS LAST;
