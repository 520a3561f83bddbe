-- The table macros of spans that Python calls, in each DuckDB. They call the helpers of spans alone.

-- The chunks of each user by rank, from rows of `userid`, `document`, `start_offset`, `end_offset` and `points`.
${create} rankdcg_sql_ranked_chunks(chunks_given) AS TABLE
WITH rows_of_chunks AS (FROM system.main.query_table(chunks_given)),

${ranked_chunks}

FROM ranked_chunks;

-- The spans of each user with the rank of the chunk that finds them, from rows with `grade` and from ranked chunks.
${create} rankdcg_sql_found_spans(spans_given, chunks_given, overlap) AS TABLE
WITH rows_of_spans AS (FROM system.main.query_table(spans_given)),

ranked_chunks AS (FROM system.main.query_table(chunks_given)),

${found_spans}

FROM found_spans;

-- The measures of spans, from spans that were looked for, and from ranked chunks.
${create} rankdcg_sql_evaluated_spans(spans_given, chunks_given, ks, min_rel) AS TABLE
WITH found_spans AS (FROM system.main.query_table(spans_given)),

ranked_chunks AS (FROM system.main.query_table(chunks_given)),

cutoffs AS (SELECT unnest(ks::BIGINT[]) AS cut),

${evaluated_spans}

FROM evaluated_spans;
