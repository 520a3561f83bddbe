-- The chunks of each user by score, those with equal scores by document and offsets. An interval that is there twice
-- is one chunk with its largest score, as an item is. A row without an interval takes a rank, too.
ranked_chunks AS MATERIALIZED (
    SELECT
        userid, document, start_offset, end_offset, points,
        system.main.row_number() OVER (
            PARTITION BY userid
            ORDER BY
                points DESC NULLS LAST, document ASC NULLS LAST, start_offset ASC NULLS LAST,
                end_offset ASC NULLS LAST
        ) AS place
    FROM (
        SELECT userid, document, start_offset, end_offset, system.main.max(points) AS points
        FROM rows_of_chunks
        WHERE document IS NOT NULL
        GROUP BY userid, document, start_offset, end_offset
        UNION ALL
        SELECT userid, document, start_offset, end_offset, points FROM rows_of_chunks WHERE document IS NULL
    )
)
