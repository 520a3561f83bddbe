-- The measures and counts of all users, a list. It is an error if types of ids do not fit.
CASE
    WHEN rankdcg_sql_match('${macro}', system.main.min(kinds), system.main.max(kinds))
        THEN system.main.rank_measures_by_user(
            named, itemid, ${table}_points, grade, rankdcg_sql_written(${measures_of_call}), options
        )
END
