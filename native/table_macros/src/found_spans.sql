-- The spans of each user and the chunks that have enough of them, of which there may be none. The first chunk finds the
-- span, or for 'best' the first one of those that have most of it: a character then counts more than any rank.
pairs_of_spans AS NOT MATERIALIZED (
    SELECT
        wanted.userid, wanted.document, wanted.start_offset, wanted.end_offset, wanted.grade,
        CASE overlap
            WHEN 'best' THEN system.main.subtract(place, system.main.multiply(
                rankdcg_sql_shared(
                    wanted.start_offset, wanted.end_offset, chunks.start_offset, chunks.end_offset
                )::HUGEINT,
                4611686018427387904
            ))
            ELSE place
        END AS turn
    FROM (
        SELECT userid, document, start_offset, end_offset, system.main.max(grade) AS grade
        FROM rows_of_spans
        WHERE document IS NOT NULL
        GROUP BY userid, document, start_offset, end_offset
    ) AS wanted
    LEFT JOIN (FROM ranked_chunks WHERE document IS NOT NULL) AS chunks
        ON wanted.userid = chunks.userid AND wanted.document = chunks.document
        AND wanted.start_offset < chunks.end_offset AND chunks.start_offset < wanted.end_offset
        AND (
            rankdcg_sql_least_share('${macro}', overlap) = 0
            OR system.main."/"(
                rankdcg_sql_shared(
                    wanted.start_offset, wanted.end_offset, chunks.start_offset, chunks.end_offset
                )::DOUBLE,
                system.main.subtract(wanted.end_offset, wanted.start_offset)
            ) >= rankdcg_sql_least_share('${macro}', overlap)
        )
),

-- Each span with the rank of the chunk that finds it; NULL if none does.
spans_with_finder AS NOT MATERIALIZED (
    SELECT
        userid, document, start_offset, end_offset,
        system.main.any_value(grade) AS grade,
        rankdcg_sql_place(system.main.min(turn)) AS place
    FROM pairs_of_spans
    GROUP BY userid, document, start_offset, end_offset
),

-- A chunk has the item of one of the spans that it finds: of the most relevant one, or else of the first.
found_spans AS MATERIALIZED (
    SELECT *,
        place IS NOT NULL AND system.main.row_number() OVER (
            PARTITION BY userid, place
            ORDER BY
                grade DESC NULLS LAST, document ASC NULLS LAST, start_offset ASC NULLS LAST,
                end_offset ASC NULLS LAST
        ) = 1 AS is_item
    FROM spans_with_finder
)
