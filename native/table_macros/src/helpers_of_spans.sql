-- The helpers of the macros of spans, which need no native aggregates.

-- The name of a column of offsets; NULL unless there are two.
${create} rankdcg_sql_bound(names, place) AS
    CASE WHEN system.main.len(names) = 2 THEN system.main.list_extract(names, place) END;

-- An offset, or an error unless it is an integer. One that BIGINT does not hold is NULL.
${create} rankdcg_sql_offset(macro, given) AS CASE
    WHEN system.main.regexp_full_match(
        system.main.typeof(given), '"NULL"|U?(TINY|SMALL|BIG|HUGE)INT|U?INTEGER'
    ) THEN TRY_CAST(given AS BIGINT)
    ELSE system.main.error(system.main.concat(
        macro, ': spans must name columns of integers, got ', system.main.typeof(given)
    ))
END;

-- Whether a row has a span: a document, and offsets from 0 of which the second is larger.
${create} rankdcg_sql_is_span(document, start_offset, end_offset) AS
    document IS NOT NULL AND start_offset IS NOT NULL AND end_offset IS NOT NULL
    AND start_offset >= 0 AND start_offset < end_offset;

-- Ids with texts that are compared as bytes.
${create} rankdcg_sql_exact(found BIGINT) AS found, (found VARCHAR) AS found COLLATE "binary", (found) AS found;

-- The document in the form in which documents are compared: equal ones are the same.
${create} rankdcg_sql_document(found BIGINT) AS found, (found) AS (CASE
    WHEN system.main.typeof(found) IN ('FLOAT', 'DOUBLE') AND found::VARCHAR IN ('-0.0', '-nan')
        THEN system.main.substr(found::VARCHAR, 2)
    ELSE found::VARCHAR
END) COLLATE "binary";

-- The item of a span, and that of a chunk, which no span has.
${create} rankdcg_sql_span(document, start_offset, end_offset) AS
    CASE WHEN document IS NOT NULL
        THEN system.main.concat(document, '[', start_offset, ',', end_offset, ')')
    END;
${create} rankdcg_sql_chunk(document, start_offset, end_offset) AS
    CASE WHEN document IS NOT NULL
        THEN system.main.concat(document, '[', start_offset, ',', end_offset, ') chunk')
    END;

-- The least share of a span that a chunk must have to find it; 0 is any character. An error if the rule is none.
${create} rankdcg_sql_least_share(macro, rule) AS CASE
    WHEN rule IN ('any', 'best') THEN 0
    WHEN TRY_CAST(rule AS DOUBLE) > 0 AND TRY_CAST(rule AS DOUBLE) <= 1 THEN TRY_CAST(rule AS DOUBLE)
    ELSE system.main.error(system.main.concat(
        macro, ': overlap must be any, best or a share above 0 and at most 1, got ',
        CASE WHEN rule IS NULL THEN 'NULL' ELSE rule END
    ))
END;

-- The number of characters that two intervals share, which overlap.
${create} rankdcg_sql_shared(one_low, one_high, other_low, other_high) AS system.main.subtract(
    system.main.least(one_high, other_high), system.main.greatest(one_low, other_low)
);

-- The rank of a chunk from its turn, in which characters are counted in units of more than any rank.
${create} rankdcg_sql_place(turn) AS system.main."%"(
    system.main.add(system.main."%"(turn::HUGEINT, 4611686018427387904), 4611686018427387904),
    4611686018427387904
)::BIGINT;
