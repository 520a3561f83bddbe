-- trec_eval's measures of a TREC run, query by query and as means ("all"), as trec_eval -q prints them.
--
--   rankdcg-sql sql --set run=results.txt --set qrels=qrels.txt trec_eval.sql
--
-- In any other client: SET VARIABLE run = 'results.txt'; SET VARIABLE qrels = 'qrels.txt'; before this file.
SET VARIABLE run = coalesce(getvariable('run'), 'run.txt');
SET VARIABLE qrels = coalesce(getvariable('qrels'), 'qrels.txt');

WITH run_lines AS (
    -- Such files mix blanks, tabs and line ends: the CSV reader takes whole lines, which are split here.
    SELECT string_split_regex(trim(line, e' \t\r'), '\s+') AS field
    FROM read_csv(
        getvariable('run'), columns = {'line': 'VARCHAR'}, delim = e'\x01', quote = '', escape = '',
        header = false, auto_detect = false, strict_mode = false
    )
    WHERE trim(line, e' \t\r') <> ''
),

qrels_lines AS (
    SELECT string_split_regex(trim(line, e' \t\r'), '\s+') AS field
    FROM read_csv(
        getvariable('qrels'), columns = {'line': 'VARCHAR'}, delim = e'\x01', quote = '', escape = '',
        header = false, auto_detect = false, strict_mode = false
    )
    WHERE trim(line, e' \t\r') <> ''
),

-- query Q0 document rank score tag: the rank does not count, and scores are numbers of 32 bits.
-- Equal scores: the larger document id first.
rankings AS (
    SELECT field[1] AS query, list(field[3] ORDER BY field[5]::FLOAT DESC, field[3] DESC) AS run
    FROM run_lines
    GROUP BY query
),

-- query iteration document relevance: below zero is not relevant.
judgements AS (
    SELECT field[1] AS query, map_from_entries(list((field[3], greatest(field[4]::BIGINT, 0)))) AS qrels
    FROM qrels_lines
    GROUP BY query
),

-- Queries that are in both files; LEFT JOIN from judgements counts the others as zero, as trec_eval -c does.
judged AS (
    FROM judgements INNER JOIN rankings USING (query)
),

cutoffs AS (
    FROM (VALUES (5), (10), (15), (20), (30), (100), (200), (500), (1000)) AS cutoffs(k)
),

-- A cut-off beyond the end of the run divides by the cut-off, gains are the relevances themselves, and a query
-- without a relevant document counts as zero.
measured AS (
    SELECT query, 'map' AS measure, NULL AS k, average_precision(run, qrels, 'no_relevant=zero') AS value
    FROM judged
    UNION ALL
    SELECT query, 'recip_rank', NULL, mrr(run, qrels, 'no_relevant=zero')
    FROM judged
    UNION ALL
    SELECT query, 'ndcg', NULL, ndcg(run, qrels, 'gain=linear, no_relevant=zero')
    FROM judged
    UNION ALL
    SELECT query, 'ndcg_cut', k, ndcg(run, qrels, k, 'gain=linear, no_relevant=zero')
    FROM judged CROSS JOIN cutoffs
    UNION ALL
    SELECT query, 'P', k, precision_at(run, qrels, k, 'precision_denominator=k, no_relevant=zero')
    FROM judged CROSS JOIN cutoffs
    UNION ALL
    SELECT query, 'recall', k, recall_at(run, qrels, k, 'no_relevant=zero')
    FROM judged CROSS JOIN cutoffs
    UNION ALL
    SELECT query, 'success', k, hit_rate(run, qrels, k, 'no_relevant=zero')
    FROM judged CROSS JOIN (VALUES (1), (5), (10)) AS successes(k)
)

SELECT concat_ws('_', measure, k) AS measure, coalesce(query, 'all') AS query, avg(value) AS value
FROM measured
GROUP BY GROUPING SETS ((measured.query, measured.measure, k), (measured.measure, k))
ORDER BY measured.query NULLS LAST, measured.measure, k;
