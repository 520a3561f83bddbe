both_tables AS NOT MATERIALIZED (
    -- A row of rec has `points`, a row of truth has `grade`, and the others are NULL.
    SELECT
        userid, itemid,
        rankdcg_sql_offset('${macro}', given_start) AS start_offset,
        rankdcg_sql_offset('${macro}', given_end) AS end_offset,
        rankdcg_sql_number_or_null(points) AS points,
        NULL AS grade,
        rankdcg_sql_kinds(userid, itemid) AS kinds,
        false AS is_truth
    FROM (
        SELECT
            ${columns_of_recommendations rec},
            ${columns_of_spans rec}
        FROM system.main.query_table(rec)
    )
    UNION ALL
    SELECT
        userid, itemid,
        rankdcg_sql_offset('${macro}', given_start) AS start_offset,
        rankdcg_sql_offset('${macro}', given_end) AS end_offset,
        NULL AS points,
        rankdcg_sql_number_or_null(grade)::DOUBLE AS grade,
        rankdcg_sql_kinds(userid, itemid) AS kinds,
        true AS is_truth
    FROM (
        SELECT
            ${columns_of_truth truth},
            ${columns_of_spans truth}
        FROM (SELECT *, true AS "rankdcg_sql: relevant" FROM system.main.query_table(truth))
    )
),

-- A row without a span has no document and no offsets. It is an error if types of ids do not fit.
usable_rows AS NOT MATERIALIZED (
    SELECT
        rankdcg_sql_exact(userid) AS userid,
        CASE WHEN is_span THEN rankdcg_sql_document(itemid) END AS document,
        CASE WHEN is_span THEN start_offset END AS start_offset,
        CASE WHEN is_span THEN end_offset END AS end_offset,
        points, grade, is_truth
    FROM (
        SELECT *, rankdcg_sql_is_span(itemid, start_offset, end_offset) AS is_span FROM both_tables
    )
    WHERE userid IS NOT NULL AND (points IS NOT NULL OR grade IS NOT NULL) AND (
        SELECT rankdcg_sql_match('${macro}', system.main.min(kinds), system.main.max(kinds)) FROM both_tables
    )
),

rows_of_chunks AS NOT MATERIALIZED (
    SELECT userid, document, start_offset, end_offset, points FROM usable_rows WHERE NOT is_truth
),

rows_of_spans AS NOT MATERIALIZED (
    SELECT userid, document, start_offset, end_offset, grade FROM usable_rows WHERE is_truth
)
