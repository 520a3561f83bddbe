-- The helpers of the macros that need aggregates.

-- The type decides at once, so that only one aggregate is needed, and integers are not written as text. Equal
-- values have equal texts: 0.0 and -0.0 are one user, and so are all NaN.
${create} rankdcg_sql_userid(found BIGINT) AS found, (found) AS CASE
    WHEN system.main.typeof(found) IN ('FLOAT', 'DOUBLE') AND found::VARCHAR IN ('-0.0', '-nan')
        THEN system.main.substr(found::VARCHAR, 2)
    ELSE found::VARCHAR
END;

-- Whether different texts are different values. They are not in intervals, and in lists and structs, which
-- may have numbers in them. The type decides at once.
${create} rankdcg_sql_has_one_text(kind) AS system.main.regexp_full_match(kind,
    '"NULL"|U?(TINY|SMALL|BIG|HUGE)INT|U?INTEGER|DECIMAL\(.*\)|BIGNUM|FLOAT|DOUBLE|BOOLEAN|VARCHAR|JSON|'
    'ENUM\(.*\)|DATE|TIME(_NS| WITH TIME ZONE)?|TIMESTAMP[^\[]*|UUID|BLOB|BIT'
);

${create} rankdcg_sql_named(found BIGINT, name) AS found, (found, name) AS name;

-- The argument with cutoffs that was given; NULL if none was.
${create} rankdcg_sql_asked(ks, k) AS CASE
    WHEN rankdcg_sql_is_given(k, 'ks') THEN 'k'
    WHEN rankdcg_sql_is_given(ks, '[5, 10]') THEN 'ks'
END;

-- The measures of a call, which the extension gives as text.
${create} rankdcg_sql_planned(given) AS
    given::STRUCT(place BIGINT, measure VARCHAR, metric VARCHAR, k BIGINT, least DOUBLE, most DOUBLE)[];

-- Texts with commas between them. DuckDB's array_to_string is a macro that calls macros of the caller.
${create} rankdcg_sql_joined(names) AS CASE
    WHEN system.main.len(names) > 0 THEN system.main.list_aggregate(names, 'string_agg', ', ')
    ELSE ''
END;

-- Measures as the aggregate takes them.
${create} rankdcg_sql_written(planned) AS rankdcg_sql_joined(
    system.main.list_transform(planned, lambda each: system.main.struct_extract(each, 'measure'))
);

-- The options for the least and the largest value; NULL is no bound.
${create} rankdcg_sql_bounds(least, most) AS system.main.concat(
    CASE WHEN least IS NULL THEN '' ELSE system.main.concat(', lower_bound=', least) END,
    CASE WHEN most IS NULL THEN '' ELSE system.main.concat(', upper_bound=', most) END
);

-- The options of a metric that is explained.
${create} rankdcg_sql_with_metric(name, options) AS CASE
    WHEN system.main.trim(options) <> '' THEN system.main.concat('metric=', name, ', ', options)
    ELSE system.main.concat('metric=', name)
END;

-- Whether items of a type go through the aggregate as they are.
${create} rankdcg_sql_is_plain(kind) AS system.main.regexp_full_match(
    kind, '"NULL"|(TINY|SMALL|BIG)INT|U(TINY|SMALL)INT|U?INTEGER|VARCHAR|JSON|ENUM\(.*\)'
);

-- Items as the aggregate takes them. An item of another type has none here, but a number.
${create} rankdcg_sql_plain(found BIGINT) AS found, (found VARCHAR) AS found, (found) AS NULL::BIGINT;

-- An argument that is one of these texts, or an error.
${create} rankdcg_sql_one_of(macro, named, given, allowed) AS CASE
    WHEN system.main.list_contains(allowed, given) THEN given
    ELSE system.main.error(system.main.concat(
        macro, ': ', named, ' must be one of ', system.main.array_to_string(allowed, ', '), ', got ',
        CASE WHEN given IS NULL THEN 'NULL' ELSE given END
    ))
END;

-- The users of means: those that the argument names, or else those of the convention.
${create} rankdcg_sql_users(macro, given, options) AS rankdcg_sql_one_of(
    macro,
    'users',
    CASE
        WHEN given IS NOT NULL THEN given
        WHEN system.main.regexp_matches(
            system.main.lower(options), '(^|,)\s*convention\s*=\s*(${conventions_of_both})\s*(,|$)'
        ) THEN 'both'
        ELSE 'truth'
    END,
    system.main.list_value('truth', 'both')
);

${create} rankdcg_sql_interval(macro, given) AS
    rankdcg_sql_one_of(macro, 'interval', given, system.main.list_value('t', 'bootstrap'));

-- The source of the interval of the mean of values between two bounds, as `interval_by_in_sql` writes it in Python.
${create} rankdcg_sql_interval_by(values_of_users, given, least, most) AS CASE
    WHEN system.main.subtract(system.main.max(values_of_users), system.main.min(values_of_users))
        <= system.main.multiply(
            1e-12, system.main.greatest(1, system.main.abs(system.main.min(values_of_users)))
        )
        THEN CASE WHEN least IS NOT NULL AND most IS NOT NULL THEN 'range' END
    WHEN system.main.count(values_of_users) > 0 THEN given
END;

-- The options of a bootstrap.
${create} rankdcg_sql_bootstrap(confidence, resamples, seed, bounds) AS
    system.main.concat('confidence=', confidence, ', resamples=', resamples, ', seed=', seed, bounds);

${create} rankdcg_sql_test(macro, given) AS
    rankdcg_sql_one_of(macro, 'test', given, system.main.list_value('t', 'wilcoxon', 'randomization'));

-- The option of a margin, or nothing.
${create} rankdcg_sql_margin(margin) AS
    CASE WHEN margin = 0 THEN '' ELSE system.main.concat(', margin=', margin) END;

-- A score as the macros read it, or an error unless it is a number.
${create} rankdcg_sql_score(macro, given) AS CASE
    WHEN system.main.typeof(given) = '"NULL"' OR rankdcg_sql_is_number(system.main.typeof(given))
        THEN rankdcg_sql_number_or_null(given)
    ELSE system.main.error(system.main.concat(
        macro, ': score must be a number, got ', system.main.typeof(given)
    ))
END;
