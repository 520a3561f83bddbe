-- The recall of spans, and recall and precision of characters, for each user with a span and each cutoff `cut` of the
-- table `cutoffs`.
relevant_spans AS NOT MATERIALIZED (
    FROM found_spans WHERE CASE WHEN min_rel IS NULL THEN grade > 0 ELSE grade >= min_rel END
),

chunks_of_cutoffs AS NOT MATERIALIZED (
    SELECT userid, cut, document, start_offset, end_offset
    FROM ranked_chunks JOIN cutoffs ON cut IS NULL OR place <= cut
    WHERE document IS NOT NULL
),

-- The ends of intervals in documents with relevant spans: 1 where an interval begins, and -1 where it ends.
ends_of_intervals AS NOT MATERIALIZED (
    SELECT userid, cut, document, unnest(system.main.list_value(start_offset, end_offset)) AS place_of_end,
        unnest(system.main.list_value(1, -1)) AS more_spans, 0 AS more_chunks
    FROM relevant_spans, cutoffs
    UNION ALL
    SELECT userid, cut, document, unnest(system.main.list_value(start_offset, end_offset)),
        0, unnest(system.main.list_value(1, -1))
    FROM chunks_of_cutoffs SEMI JOIN relevant_spans USING (userid, document)
),

-- The stretches between neighbouring ends, each with how many spans and chunks have it.
stretches AS NOT MATERIALIZED (
    SELECT
        userid, cut,
        system.main.subtract(system.main.lead(place_of_end) OVER in_document, place_of_end) AS characters,
        system.main.sum(more_spans) OVER in_document > 0 AS is_relevant,
        system.main.sum(more_chunks) OVER in_document > 0 AS is_retrieved
    FROM ends_of_intervals
    WINDOW in_document AS (
        PARTITION BY userid, cut, document ORDER BY place_of_end ASC NULLS LAST
        ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    )
),

characters_of_users AS NOT MATERIALIZED (
    SELECT
        userid, cut,
        system.main.sum(characters) FILTER (is_relevant) AS relevant,
        system.main.sum(characters) FILTER (is_relevant AND is_retrieved) AS found
    FROM stretches
    GROUP BY userid, cut
),

lengths_of_users AS NOT MATERIALIZED (
    SELECT userid, cut, system.main.sum(system.main.subtract(end_offset, start_offset)) AS retrieved
    FROM chunks_of_cutoffs
    GROUP BY userid, cut
),

evaluated_spans AS NOT MATERIALIZED (
    SELECT
        wanted.userid, wanted.cut,
        system.main."/"(wanted.found::DOUBLE, wanted.relevant) AS span_recall,
        system.main."/"(CASE WHEN texts.found IS NULL THEN 0 ELSE texts.found END::DOUBLE, texts.relevant)
            AS character_recall,
        CASE
            WHEN lengths.retrieved IS NULL OR texts.found IS NULL THEN 0
            ELSE system.main."/"(texts.found::DOUBLE, lengths.retrieved)
        END AS character_precision
    FROM (
        SELECT
            userid, cut,
            system.main.count(*) AS relevant,
            system.main.count(CASE WHEN cut IS NULL OR place <= cut THEN place END) AS found
        FROM relevant_spans, cutoffs
        GROUP BY userid, cut
    ) AS wanted
    JOIN characters_of_users AS texts ON wanted.userid = texts.userid AND wanted.cut IS NOT DISTINCT FROM texts.cut
    LEFT JOIN lengths_of_users AS lengths
        ON wanted.userid = lengths.userid AND wanted.cut IS NOT DISTINCT FROM lengths.cut
)
