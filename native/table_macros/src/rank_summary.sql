-- ${summary}
-- It needs DuckDB 2.0 or later.
--   ${descriptions}
${create} rank_summary(
    ${parameters}
) AS TABLE
WITH ${both_tables},

evaluated AS (
    SELECT
        ${evaluated rec} AS found,
        system.main.count(
            CASE WHEN NOT is_truth AND (userid IS NULL OR rec_points IS NULL) THEN 1 END
        ) AS rec_left_out,
        system.main.count(
            CASE WHEN is_truth AND (userid IS NULL OR itemid IS NULL OR grade IS NULL) THEN 1 END
        ) AS truth_left_out
    FROM rows_of_users
),

counted AS (
    SELECT
        *,
        judged > 0 AND (rankdcg_sql_users('${macro}', users, options) = 'truth' OR retrieved > 0) AS is_counted
    FROM (SELECT unnest(found, recursive := true), rec_left_out, truth_left_out FROM evaluated)
),

measures AS (SELECT unnest(${measures_of_call}, recursive := true)),

-- A value is NULL if the user is in no mean.
values_of_users AS (
    SELECT
        counted.*, measures.*,
        CASE WHEN is_counted THEN system.main.list_extract(results, place) END AS value_of_user,
        rankdcg_sql_bounds(least, most) AS bounds
    FROM counted, measures
),

means AS (
    SELECT
        place, metric, values_of_users.k, least, most,
        system.main.count(CASE WHEN is_counted THEN 1 END) AS users_evaluated,
        system.main.count(CASE WHEN judged > 0 AND retrieved = 0 THEN 1 END) AS users_without_rec,
        system.main.count(CASE WHEN judged = 0 AND retrieved > 0 THEN 1 END) AS users_without_truth,
        -- The repeats of a user are NULL where rows were dropped before they could be compared.
        CASE
            WHEN system.main.count(*) = system.main.count(retrieved_repeats)
                THEN system.main.sum(retrieved_repeats)::BIGINT
        END AS rec_repeats,
        system.main.sum(judged_repeats)::BIGINT AS truth_repeats,
        system.main.any_value(rec_left_out) AS rec_left_out,
        system.main.any_value(truth_left_out) AS truth_left_out,
        CASE rankdcg_sql_interval('${macro}', interval)
            WHEN 't' THEN system.main.mean_ci(
                value_of_user, system.main.concat('confidence=', confidence, bounds)
            )
            ELSE system.main.bootstrap_ci(
                value_of_user, rankdcg_sql_bootstrap(confidence, resamples, seed, bounds)
            )
        END AS found,
        rankdcg_sql_interval_by(value_of_user, interval, least, most) AS interval_by,
        system.main.count(CASE WHEN is_counted AND value_of_user IS NULL THEN 1 END) AS without_value
    FROM values_of_users
    GROUP BY place, metric, values_of_users.k, least, most
)

SELECT
    metric, means.k,
    CASE WHEN interval_by IS NOT NULL THEN system.main.struct_extract(found, 'low') END AS low,
    CASE WHEN interval_by IS NOT NULL THEN system.main.struct_extract(found, 'high') END AS high,
    users_evaluated, users_without_rec, users_without_truth,
    rec_repeats, truth_repeats, rec_left_out, truth_left_out, without_value,
    CASE WHEN system.main.struct_extract(found, 'low') IS NOT NULL THEN interval_by END AS interval_by,
    system.main.struct_extract(found, 'mean') AS mean,
    system.main.struct_extract(found, 'n') AS n
FROM means
ORDER BY place ASC NULLS LAST;
