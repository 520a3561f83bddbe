-- trec_eval's measures of a TREC run, query by query and as means ("all"), as trec_eval -q prints them.
--
--   rankdcg-sql sql --set run=results.txt --set qrels=qrels.txt trec_eval.sql
--
-- In any other client: SET VARIABLE run = 'results.txt'; SET VARIABLE qrels = 'qrels.txt'; before this file.
SET VARIABLE run = coalesce(getvariable('run'), 'run.txt');
SET VARIABLE qrels = coalesce(getvariable('qrels'), 'qrels.txt');

WITH run_lines AS (
    -- Such files mix blanks, tabs and line ends. So the CSV reader reads whole lines, which are split here.
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

-- The fields of a line: query Q0 document rank score tag. The rank does not count. Scores have 32 bits, and ties are
-- broken by document, descending.
rankings AS (
    SELECT field[1] AS query, list(field[3] ORDER BY field[5]::FLOAT DESC, field[3] DESC) AS run
    FROM run_lines
    GROUP BY query
),

-- The fields of a line: query iteration document relevance. A relevance below 0 counts as 0.
judgements AS (
    SELECT field[1] AS query, map_from_entries(list((field[3], greatest(field[4]::BIGINT, 0)))) AS qrels
    FROM qrels_lines
    GROUP BY query
),

-- Queries that are in both files. A LEFT JOIN from judgements would count the others as 0, as trec_eval -c does.
judged AS (
    FROM judgements INNER JOIN rankings USING (query)
),

cutoffs AS (
    FROM (VALUES (5), (10), (15), (20), (30), (100), (200), (500), (1000)) AS cutoffs(k)
),

-- As in trec_eval, precision divides by the cutoff also if the run is shorter, gains are the relevances themselves, and
-- a query without a relevant document counts as 0.
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
