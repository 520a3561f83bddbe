-- The helpers of rank_check, which need no extension. The other macros call them, too.

-- A family of types. Only values of one family can be equal.
${create} rankdcg_sql_family(kind) AS CASE
    WHEN system.main.regexp_full_match(kind, '(U?(TINY|SMALL|BIG)INT|HUGEINT|U?INTEGER|DECIMAL\(\d+,\d+\))')
        THEN 'whole number'
    WHEN system.main.regexp_full_match(kind, 'VARCHAR|ENUM\(.*\)') THEN 'text'
    WHEN kind IN ('FLOAT', 'DOUBLE') THEN 'floating point'
    ELSE kind
END;

-- Equal ids, and no others, have equal keys. Texts are compared as bytes.
${create} rankdcg_sql_key(found BIGINT) AS found,
    (found VARCHAR) AS system.main.encode(found),
    (found) AS found;

-- DuckDB 2.0 takes isnan(x) for false where the statistics of a Parquet file give x a range, and files of
-- Polars and pyarrow leave NaN out of them. It does not look through this CASE.
${create} rankdcg_sql_is_nan(number) AS system.main.isnan(CASE WHEN number IS NOT NULL THEN number END);

-- A number in which NaN becomes NULL. Types without NaN stay as they are, at no cost.
${create} rankdcg_sql_number_or_null(number) AS CASE
    WHEN system.main.typeof(number) IN ('FLOAT', 'DOUBLE') AND rankdcg_sql_is_nan(number::DOUBLE) THEN NULL
    ELSE number
END;

${create} rankdcg_sql_is_number(kind) AS
    kind IN ('UHUGEINT', 'BIGNUM') OR rankdcg_sql_family(kind) IN ('whole number', 'floating point');

-- The same in all rows of a table, and not in those of a table whose ids cannot be equal.
${create} rankdcg_sql_kinds(userid, itemid) AS system.main.hash(
    rankdcg_sql_family(system.main.typeof(userid)), rankdcg_sql_family(system.main.typeof(itemid))
);

-- True, or an error.
${create} rankdcg_sql_match(macro, kind, other_kind) AS CASE
    WHEN kind <> other_kind THEN system.main.error(system.main.concat(
        macro, ': users or items of the tables have types that cannot be compared, such as text and ',
        'integer: cast one, in a view or a CTE; rank_check names the types'
    ))
    ELSE true
END;

-- A list with the name of the column. DuckDB's error shows a name that the table does not have, and such a
-- name is therefore a sentence here. A table without scores may be truth: it has the column of relevances, or
-- nothing but users and items. A printed macro may be called in a DuckDB before 2.0, which finds the columns
-- before it misses the aggregates.
${create} rankdcg_sql_column(names, macro, source, parameter, given, rel) AS CASE
    WHEN macro NOT IN ('rank_check', 'rank_change_ids', 'rank_spans', 'rank_evaluate_spans') AND system.main.starts_with(system.main.version(), 'v1.')
        THEN system.main.list_value(system.main.concat(macro, ': ${needs}'))
    WHEN system.main.list_contains(
        system.main.list_transform(names, lambda name: system.main.lower(name)), system.main.lower(given)
    ) THEN system.main.list_value(given)
    ELSE system.main.list_value(system.main.concat(
        macro, ': ', source, ' has no column ', CASE WHEN given IS NULL THEN 'NULL' ELSE given END, ', and ',
        parameter, ' must name one of ',
        system.main.array_to_string(
            system.main.list_filter(names, lambda name: name <> 'rankdcg_sql: relevant'), ', '
        ),
        CASE
            WHEN parameter = 'score' AND (
                system.main.len(names) = 2
                OR system.main.list_contains(
                    system.main.list_transform(names, lambda name: system.main.lower(name)),
                    system.main.lower(rel)
                )
            ) THEN system.main.concat('; was truth given as ', source, '?')
            ELSE ''
        END
    ))
END;

-- One value is a list, too. Both are texts on the way, because a macro cannot be chosen by the type of a
-- parameter of a prepared statement, which has none yet.
${create} rankdcg_sql_listed(given) AS CASE
    WHEN system.main.ends_with(system.main.typeof(given), ']') THEN given::VARCHAR
    ELSE system.main.list_value(given)::VARCHAR
END;

${create} rankdcg_sql_has_integers(given) AS system.main.regexp_full_match(
    system.main.typeof(given), '("NULL"|U?(TINY|SMALL|BIG)INT|U?INTEGER)(\[\d*\])?'
);

${create} rankdcg_sql_numbers(given) AS
    (CASE WHEN rankdcg_sql_has_integers(given) THEN rankdcg_sql_listed(given) END)::BIGINT[];

${create} rankdcg_sql_names(given) AS rankdcg_sql_listed(given)::VARCHAR[];

-- Whether an argument is not the text of its default.
${create} rankdcg_sql_is_given(given, value) AS
    system.main.typeof(given) <> 'VARCHAR' OR given::VARCHAR <> value;

-- Each cutoff once, in their order. The list `numbers` has those that were given.
${create} rankdcg_sql_distinct(macro, name, given, numbers) AS CASE
    WHEN NOT rankdcg_sql_has_integers(given) THEN system.main.error(system.main.concat(
        macro, ': ', name, ' must be an integer, a list of integers or NULL, got ',
        CASE WHEN given IS NULL THEN 'NULL' ELSE given::VARCHAR END, ' of type ', system.main.typeof(given)
    ))
    WHEN numbers IS NULL THEN system.main.list_value(NULL)::BIGINT[]
    WHEN system.main.len(numbers) = 0 THEN system.main.error(system.main.concat(
        macro, ': ', name, ' is empty: give cutoffs, such as ', name, ' := [5, 10]'
    ))
    ELSE system.main.list_filter(numbers, lambda cut, place: system.main.list_position(numbers, cut) = place)
END;

-- The cutoffs that are evaluated, or an error.
${create} rankdcg_sql_ks(macro, ks, k) AS CASE
    WHEN NOT rankdcg_sql_is_given(k, 'ks') AND NOT rankdcg_sql_is_given(ks, '[5, 10]')
        THEN system.main.list_value(5, 10)::BIGINT[]
    WHEN NOT rankdcg_sql_is_given(k, 'ks')
        THEN rankdcg_sql_distinct(macro, 'ks', ks, rankdcg_sql_numbers(ks))
    WHEN NOT rankdcg_sql_is_given(ks, '[5, 10]')
        THEN rankdcg_sql_distinct(macro, 'k', k, rankdcg_sql_numbers(k))
    ELSE system.main.error(system.main.concat(macro, ': k is another name of ks: give one of the two'))
END;
