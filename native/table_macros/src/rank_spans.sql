-- ${summary}
--   ${descriptions}
${create} rank_spans(
    ${parameters}
) AS TABLE
WITH ${rows_of_spans},

${ranked_chunks},

${found_spans},

items_of_chunks AS (FROM found_spans WHERE is_item)

SELECT
    wanted.userid,
    rankdcg_sql_span(wanted.document, wanted.start_offset, wanted.end_offset) AS itemid,
    CASE WHEN wanted.is_item THEN chunks.points END AS score,
    wanted.grade AS rel,
    wanted.document, wanted.start_offset AS start_offset, wanted.end_offset AS end_offset
FROM found_spans AS wanted
LEFT JOIN ranked_chunks AS chunks ON wanted.userid = chunks.userid AND wanted.place = chunks.place
UNION ALL
SELECT
    chunks.userid,
    rankdcg_sql_chunk(chunks.document, chunks.start_offset, chunks.end_offset),
    chunks.points, NULL, chunks.document, chunks.start_offset, chunks.end_offset
FROM ranked_chunks AS chunks
ANTI JOIN items_of_chunks AS items ON chunks.userid = items.userid AND chunks.place = items.place;
