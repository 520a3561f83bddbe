-- ${summary}
--   ${descriptions}
${create} rank_evaluate_spans(
    ${parameters}
) AS TABLE
WITH ${rows_of_spans},

${ranked_chunks},

${found_spans},

cutoffs AS (
    SELECT CASE
        WHEN cut < 1 THEN system.main.error(system.main.concat('${macro}: k must be at least 1, got ', cut))
        ELSE cut
    END AS cut
    FROM (SELECT unnest(rankdcg_sql_ks('${macro}', ks, k)) AS cut)
),

${evaluated_spans},

users_of_truth AS (SELECT DISTINCT userid FROM rows_of_spans)

SELECT
    users_of_truth.userid, cutoffs.cut AS k, span_recall, character_recall, character_precision
FROM users_of_truth
CROSS JOIN cutoffs
LEFT JOIN evaluated_spans
    ON users_of_truth.userid = evaluated_spans.userid AND cutoffs.cut IS NOT DISTINCT FROM evaluated_spans.cut;
