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

users_at_k AS (
    SELECT
        *,
        judged > 0 AND (
            rankdcg_sql_users('rank_summary', users, options) = 'truth' OR retrieved > 0
        ) AS is_counted
    FROM (SELECT unnest(found, recursive := true), rec_left_out, truth_left_out FROM evaluated)
),

means_at_k AS (
    SELECT
        users_at_k.k,
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
        -- One column for each of the metrics, with the name of the metric.
        system.main.struct_pack(
            found := CASE rankdcg_sql_interval('rank_summary', interval)
                WHEN 't' THEN system.main.mean_ci(
                    CASE WHEN is_counted THEN COLUMNS(rankdcg_sql_chosen('rank_summary', metrics)) END,
                    system.main.concat('confidence=', confidence, ', lower_bound=0, upper_bound=1')
                )
                ELSE system.main.bootstrap_ci(
                    CASE WHEN is_counted THEN COLUMNS(rankdcg_sql_chosen('rank_summary', metrics)) END,
                    rankdcg_sql_bootstrap(confidence, resamples, seed, ', lower_bound=0, upper_bound=1')
                )
            END,
            interval_by := rankdcg_sql_interval_by(
                CASE WHEN is_counted THEN COLUMNS(rankdcg_sql_chosen('rank_summary', metrics)) END, interval
            ),
            without_value := system.main.count(
                CASE
                    WHEN is_counted AND COLUMNS(rankdcg_sql_chosen('rank_summary', metrics)) IS NULL THEN 1
                END
            )
        ) AS "\0"
    FROM users_at_k
    GROUP BY users_at_k.k
)

SELECT
    metric, means.k, low, high, users_evaluated, users_without_rec, users_without_truth,
    rec_repeats, truth_repeats, rec_left_out, truth_left_out, without_value, interval_by, mean, n
FROM (
    SELECT * EXCLUDE (mean_of_metric), unnest(mean_of_metric, recursive := true)
    FROM means_at_k UNPIVOT (mean_of_metric FOR metric IN (COLUMNS(* EXCLUDE (
        k, users_evaluated, users_without_rec, users_without_truth,
        rec_repeats, truth_repeats, rec_left_out, truth_left_out
    ))))
) AS means
ORDER BY
    system.main.list_position(rankdcg_sql_chosen('rank_summary', metrics), metric) ASC NULLS LAST,
    system.main.list_position(rankdcg_sql_cutoffs(ks, k), means.k) ASC NULLS LAST;
