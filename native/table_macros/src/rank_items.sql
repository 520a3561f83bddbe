-- ${summary}
-- It needs DuckDB 2.0 or later.
--   ${descriptions}
${create} rank_items(
    ${parameters}
) AS TABLE
WITH ${both_tables},

-- The items of each user by score, those with equal scores by item, and the relevant ones. A repeated item counts once
-- in the function. It is an error if types of ids do not fit.
rankings_of_users AS NOT MATERIALIZED (
    SELECT
        system.main.any_value(userid) AS userid,
        system.main.list(itemid ORDER BY rec_points DESC NULLS LAST, rankdcg_sql_key(itemid) ASC NULLS LAST)
            FILTER (rec_points IS NOT NULL) AS ranking,
        system.main.list(itemid) FILTER (grade > 0) AS relevant,
        system.main.count(grade) > 0 AS is_judged
    FROM both_tables
    WHERE userid IS NOT NULL
    GROUP BY rankdcg_sql_key(userid)
    QUALIFY rankdcg_sql_match(
        '${macro}',
        system.main.min(system.main.min(kinds)) OVER (),
        system.main.max(system.main.max(kinds)) OVER ()
    )
),

all_users AS (
    SELECT
        system.main.list(userid) AS users,
        system.main.rank_items(
            system.main.list(CASE WHEN ranking IS NULL THEN system.main.list_value() ELSE ranking END),
            system.main.list(relevant),
            (
                SELECT system.main.list(system.main.struct_pack(*COLUMNS(*)))
                FROM (
                    SELECT COLUMNS(rankdcg_sql_column(*, '${macro}', 'items', 'item', item, NULL)) AS item, *
                    FROM system.main.query_table(items)
                )
            ),
            rankdcg_sql_joined(rankdcg_sql_names(measures)),
            system.main.concat('threads=', system.main.current_setting('threads'))
        ) AS found
    FROM rankings_of_users
    WHERE is_judged
),

users_with_measures AS (
    SELECT
        unnest(system.main.flatten(system.main.list_transform(
            users,
            lambda user_of_list: system.main.list_transform(
                ${names_of_measures},
                lambda named: system.main.struct_insert(named, userid := user_of_list)
            )
        ))) AS of_value,
        unnest(found) AS value
    FROM all_users
)

-- A measure that is named again has no more rows, which a mean and its interval would count as more users.
SELECT
    system.main.struct_extract(of_value, 'userid') AS userid,
    system.main.struct_extract(of_value, 'measure') AS measure,
    value
FROM users_with_measures
WHERE system.main.struct_extract(of_value, 'is_first');
