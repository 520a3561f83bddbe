-- The helpers of rank_change that need no native aggregates.

-- One number divided by another; NULL if that is 0 but for rounding.
${create} rankdcg_sql_ratio(number, divisor) AS CASE
    WHEN system.main.abs(divisor) > 1e-12
        THEN CASE WHEN number = 0 THEN 0 ELSE system.main."/"(number::DOUBLE, divisor) END
END;

${create} rankdcg_sql_or_zero(number) AS CASE WHEN number IS NULL THEN 0 ELSE number END;

-- A value between two steps: that of the changed judgements and the ranking before, or else the mean of both orders.
${create} rankdcg_sql_between(attribution, value_before, middle, other_middle, value_after) AS CASE attribution
    WHEN 'sequential' THEN middle
    ELSE system.main.multiply(0.5, system.main.add(
        system.main.add(value_before, middle), system.main.subtract(value_after, other_middle)
    ))
END;

-- Whether two values of a user differ, and not only by rounding.
${create} rankdcg_sql_differ(one, other) AS
    system.main.abs(system.main.subtract(one, other))
        > system.main.multiply(1e-12, system.main.greatest(1, system.main.abs(other)));

-- A value less a sum of parts of it, which differs from 0 not only by rounding.
${create} rankdcg_sql_rest(given, added) AS CASE
    WHEN rankdcg_sql_differ(given, rankdcg_sql_or_zero(added))
        THEN system.main.subtract(given, rankdcg_sql_or_zero(added))
    ELSE 0
END;

-- Whether the values of some users vary, so that there is something to test.
${create} rankdcg_sql_varies(users_of_part, tested) AS
    users_of_part > 0 AND system.main.struct_extract(tested, 'low') < system.main.struct_extract(tested, 'high');

-- A part of a change: that from one mean to another. Its interval is that of a test, times a factor.
${create} rankdcg_sql_part(named, users_of_part, first, last, tested, factor) AS system.main.struct_pack(
    part := named,
    "users" := users_of_part,
    "before" := first,
    "after" := last,
    difference := system.main.subtract(last, first),
    low := CASE
        WHEN rankdcg_sql_varies(users_of_part, tested)
            THEN system.main.multiply(factor, system.main.struct_extract(tested, 'low'))
    END,
    high := CASE
        WHEN rankdcg_sql_varies(users_of_part, tested)
            THEN system.main.multiply(factor, system.main.struct_extract(tested, 'high'))
    END,
    p_value := CASE
        WHEN rankdcg_sql_varies(users_of_part, tested) THEN system.main.struct_extract(tested, 'p_value')
    END
);

-- The part of users who left or came. Its test compares the larger of the two groups, those who stay and the others, with
-- all users of the run. The mean of the others differs from that of all by the part times stayed / others.
${create} rankdcg_sql_part_of_users(named, first, last, n_of_run, stayed, tested_stayed, tested_others) AS
    rankdcg_sql_part(
        named, system.main.subtract(n_of_run, stayed), first, last,
        CASE WHEN stayed >= system.main.subtract(n_of_run, stayed) THEN tested_stayed ELSE tested_others END,
        CASE
            WHEN stayed >= system.main.subtract(n_of_run, stayed) THEN 1
            ELSE rankdcg_sql_ratio(system.main.subtract(n_of_run, stayed), stayed)
        END
    );

-- The share of a user in a part: the difference of two values, of which the part is the mean over so many users.
${create} rankdcg_sql_part_of_user(named, value_before, value_after, first, last, users_of_part) AS
    system.main.struct_pack(
        part := named,
        "before" := value_before,
        "after" := value_after,
        difference := rankdcg_sql_ratio(system.main.subtract(last, first), users_of_part)
    );
