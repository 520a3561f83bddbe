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

-- The values of each user: a of rec, and b of the baseline.
users_at_k AS (
    SELECT
        a.k,
        ${pairs_of_metrics}
    FROM (SELECT unnest(found, recursive := true) FROM evaluated) AS a
    JOIN (SELECT unnest(baseline_found, recursive := true) FROM evaluated) AS b
        ON rankdcg_sql_key(a.userid) = rankdcg_sql_key(b.userid) AND a.k IS NOT DISTINCT FROM b.k
    WHERE a.judged > 0 AND (
        rankdcg_sql_users('rank_compare', users, options) = 'truth'
        OR (a.retrieved > 0 AND b.retrieved > 0)
    )
),

-- A user without one of the two values has no pair.
pairs_at_k AS (
    SELECT
        users_at_k.k,
        CASE
            WHEN rankdcg_sql_is_whole(COLUMNS(rankdcg_sql_chosen('rank_compare', metrics)))
                THEN COLUMNS(rankdcg_sql_chosen('rank_compare', metrics))
        END AS "\0"
    FROM users_at_k
),

tests_at_k AS (
    SELECT
        pairs_at_k.k,
        -- One column for each of the metrics, with the name of the metric.
        system.main.struct_pack(
            compared := CASE rankdcg_sql_test('rank_compare', test)
                WHEN 't' THEN system.main.paired_comparison(
                    system.main.struct_extract(COLUMNS(* EXCLUDE (k)), 'a'),
                    system.main.struct_extract(COLUMNS(* EXCLUDE (k)), 'b'),
                    system.main.concat(
                        'confidence=', confidence, ', lower_bound=-1, upper_bound=1, ',
                        'tolerance=1e-12, alternative=', alternative, rankdcg_sql_margin(margin)
                    )
                )
                ELSE system.main.paired_comparison(
                    system.main.struct_extract(COLUMNS(* EXCLUDE (k)), 'a'),
                    system.main.struct_extract(COLUMNS(* EXCLUDE (k)), 'b'),
                    system.main.concat(
                        'confidence=', confidence, ', lower_bound=-1, upper_bound=1, ', 'tolerance=1e-12'
                    )
                )
            END,
            -- NULL for Student's t, which `compared` has.
            found := CASE rankdcg_sql_interval('rank_compare', interval)
                WHEN 't' THEN NULL
                ELSE system.main.bootstrap_ci(
                    rankdcg_sql_difference(COLUMNS(* EXCLUDE (k))),
                    rankdcg_sql_bootstrap(confidence, resamples, seed, ', lower_bound=-1, upper_bound=1')
                )
            END,
            interval_by := rankdcg_sql_interval_by(
                rankdcg_sql_difference(COLUMNS(* EXCLUDE (k))), interval
            ),
            tested := CASE rankdcg_sql_test('rank_compare', test)
                WHEN 't' THEN NULL
                WHEN 'wilcoxon' THEN system.main.wilcoxon_signed_rank(
                    system.main.struct_extract(COLUMNS(* EXCLUDE (k)), 'a'),
                    system.main.struct_extract(COLUMNS(* EXCLUDE (k)), 'b'),
                    system.main.concat(
                        'tolerance=1e-12, alternative=', alternative, rankdcg_sql_margin(margin)
                    )
                )
                ELSE system.main.randomization_test(
                    system.main.struct_extract(COLUMNS(* EXCLUDE (k)), 'a'),
                    system.main.struct_extract(COLUMNS(* EXCLUDE (k)), 'b'),
                    system.main.concat(
                        'tolerance=1e-12, alternative=', alternative, rankdcg_sql_margin(margin),
                        ', resamples=', resamples, ', seed=', seed
                    )
                )
            END,
            without_value := system.main.count(CASE WHEN COLUMNS(* EXCLUDE (k)) IS NULL THEN 1 END)
        ) AS "\0"
    FROM pairs_at_k
    GROUP BY pairs_at_k.k
),

tests AS (
    SELECT
        *,
        CASE rankdcg_sql_interval('rank_compare', interval)
            WHEN 't' THEN system.main.struct_extract(compared, 'low')
            ELSE system.main.struct_extract(found, 'low')
        END AS low,
        CASE rankdcg_sql_interval('rank_compare', interval)
            WHEN 't' THEN system.main.struct_extract(compared, 'high')
            ELSE system.main.struct_extract(found, 'high')
        END AS high,
        CASE rankdcg_sql_test('rank_compare', test)
            WHEN 't' THEN system.main.struct_extract(compared, 'p_value')
            ELSE system.main.struct_extract(tested, 'p_value')
        END AS p_value,
        system.main.row_number() OVER (
            ORDER BY
                system.main.list_position(rankdcg_sql_chosen('rank_compare', metrics), metric) ASC NULLS LAST,
                system.main.list_position(rankdcg_sql_cutoffs(ks, k), unnested.k) ASC NULLS LAST
        ) AS place
    FROM (
        SELECT unpivoted.metric, unpivoted.k, unnest(test_of_metric)
        FROM tests_at_k UNPIVOT (test_of_metric FOR metric IN (COLUMNS(* EXCLUDE (k)))) AS unpivoted
    ) AS unnested
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
            'rank_compare', 'correction', correction, system.main.list_value(${corrections}, 'none')
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
