-- ${summary}
-- It needs DuckDB 2.0 or later.
--   ${descriptions}
${create} rank_compare(
    ${parameters}
) AS TABLE
WITH both_tables AS NOT MATERIALIZED (
    -- Each table has a column of its own for its numbers, which is NULL in rows of the others.
    SELECT
        userid, itemid,
        rankdcg_sql_number_or_null(points) AS rec_points,
        NULL AS baseline_points,
        NULL AS grade,
        rankdcg_sql_kinds(userid, itemid) AS kinds,
        false AS is_truth
    FROM (
        ${rows_of_recommendations rec}
    )
    UNION ALL
    SELECT
        userid, itemid,
        NULL AS rec_points,
        rankdcg_sql_number_or_null(points) AS baseline_points,
        NULL AS grade,
        rankdcg_sql_kinds(userid, itemid) AS kinds,
        false AS is_truth
    FROM (
        ${rows_of_recommendations baseline}
    )
    UNION ALL
    SELECT
        userid, itemid,
        NULL AS rec_points,
        NULL AS baseline_points,
        rankdcg_sql_number_or_null(grade) AS grade,
        rankdcg_sql_kinds(userid, itemid) AS kinds,
        true AS is_truth
    FROM (
        ${rows_of_truth truth}
    )
),

${rows_of_users},

evaluated AS MATERIALIZED (
    SELECT
        ${evaluated rec} AS found,
        ${evaluated baseline} AS baseline_found
    FROM rows_of_users
),

users_of_both AS (
    SELECT a.results AS rec_results, b.results AS baseline_results
    FROM (SELECT unnest(found, recursive := true) FROM evaluated) AS a
    JOIN (SELECT unnest(baseline_found, recursive := true) FROM evaluated) AS b
        ON rankdcg_sql_key(a.userid) = rankdcg_sql_key(b.userid)
    WHERE a.judged > 0 AND (
        rankdcg_sql_users('${macro}', users, options) = 'truth'
        OR (a.retrieved > 0 AND b.retrieved > 0)
    )
),

measures AS (SELECT unnest(${measures_of_call}, recursive := true)),

-- The values of each user: a of rec, and b of the baseline. A user without one of the two has no pair.
pairs AS (
    SELECT
        place, metric, values_of_users.k, least_difference, most_difference,
        rankdcg_sql_bounds(least_difference, most_difference) AS bounds,
        CASE WHEN value_b IS NOT NULL THEN value_a END AS a,
        CASE WHEN value_a IS NOT NULL THEN value_b END AS b
    FROM (
        SELECT
            measures.*,
            system.main.subtract(least, most) AS least_difference,
            system.main.subtract(most, least) AS most_difference,
            system.main.list_extract(rec_results, place) AS value_a,
            system.main.list_extract(baseline_results, place) AS value_b
        FROM users_of_both, measures
    ) AS values_of_users
),

tests_of_measures AS (
    SELECT
        place, metric, pairs.k,
        system.main.paired_comparison(a, b, system.main.concat(
            'tolerance=1e-12, confidence=', confidence,
            CASE rankdcg_sql_test('${macro}', test)
                WHEN 't' THEN system.main.concat(', alternative=', alternative, rankdcg_sql_margin(margin))
                ELSE ''
            END,
            bounds
        )) AS compared,
        rankdcg_sql_interval_by(
            system.main.subtract(a, b), interval, least_difference, most_difference
        ) AS interval_by,
        -- NULL for Student's t, which `compared` has.
        CASE rankdcg_sql_interval('${macro}', interval)
            WHEN 't' THEN NULL
            ELSE system.main.bootstrap_ci(
                system.main.subtract(a, b), rankdcg_sql_bootstrap(confidence, resamples, seed, bounds)
            )
        END AS found,
        CASE rankdcg_sql_test('${macro}', test)
            WHEN 't' THEN NULL
            WHEN 'wilcoxon' THEN system.main.wilcoxon_signed_rank(a, b, system.main.concat(
                'tolerance=1e-12, alternative=', alternative, rankdcg_sql_margin(margin)
            ))
            ELSE system.main.randomization_test(a, b, system.main.concat(
                'tolerance=1e-12, alternative=', alternative, rankdcg_sql_margin(margin),
                ', resamples=', resamples, ', seed=', seed
            ))
        END AS tested,
        system.main.count(CASE WHEN a IS NULL THEN 1 END) AS without_value
    FROM pairs
    GROUP BY place, metric, pairs.k, least_difference, most_difference
),

-- Nothing is known of equal differences in a range without an end: `interval_by` is NULL then.
tests AS (
    SELECT
        * REPLACE (CASE WHEN low IS NOT NULL THEN interval_by END AS interval_by),
        CASE
            WHEN rankdcg_sql_test('${macro}', test) <> 't' THEN system.main.struct_extract(tested, 'p_value')
            WHEN interval_by IS NOT NULL THEN system.main.struct_extract(compared, 'p_value')
        END AS p_value
    FROM (
        SELECT
            *,
            CASE
                WHEN interval_by IS NULL THEN NULL
                WHEN rankdcg_sql_interval('${macro}', interval) = 't'
                    THEN system.main.struct_extract(compared, 'low')
                ELSE system.main.struct_extract(found, 'low')
            END AS low,
            CASE
                WHEN interval_by IS NULL THEN NULL
                WHEN rankdcg_sql_interval('${macro}', interval) = 't'
                    THEN system.main.struct_extract(compared, 'high')
                ELSE system.main.struct_extract(found, 'high')
            END AS high
        FROM tests_of_measures
    ) AS with_intervals
)

SELECT
    metric,
    tests.k,
    system.main.struct_extract(compared, 'mean_a') AS mean,
    system.main.struct_extract(compared, 'mean_b') AS baseline,
    system.main.struct_extract(compared, 'n') AS n,
    low,
    high,
    system.main.struct_extract(compared, 'effect_size') AS effect_size,
    p_value,
    system.main.struct_extract(compared, 'wins') AS wins,
    system.main.struct_extract(compared, 'ties') AS ties,
    system.main.struct_extract(compared, 'losses') AS losses,
    without_value,
    interval_by,
    system.main.struct_extract(compared, 'mean_difference') AS difference,
    CASE
        WHEN correction IS NULL THEN p_value
        WHEN rankdcg_sql_one_of(
            '${macro}', 'correction', correction, system.main.list_value(${corrections}, 'none')
        ) = 'none' THEN p_value
        ELSE system.main.list_extract(
            system.main.corrected_p_values(
                system.main.list(p_value) OVER (
                    ORDER BY place ASC NULLS LAST ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING
                ),
                system.main.concat('correction=', correction)
            ),
            place
        )
    END AS p_corrected
FROM tests
ORDER BY place ASC NULLS LAST;
