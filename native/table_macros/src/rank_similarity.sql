-- ${summary}
-- It needs DuckDB 2.0 or later.
--   ${descriptions}
${create} rank_similarity(
    ${parameters}
) AS TABLE
WITH both_tables AS NOT MATERIALIZED (
    -- Each table has scores of its own, so that those of one type do not become those of another.
    SELECT
        userid, itemid,
        rankdcg_sql_score('${macro}', points) AS points_a,
        NULL AS points_b,
        rankdcg_sql_kinds(userid, itemid) AS kinds
    FROM (
        ${rows_of_ranking rec_a}
    )
    UNION ALL
    SELECT
        userid, itemid,
        NULL AS points_a,
        rankdcg_sql_score('${macro}', points) AS points_b,
        rankdcg_sql_kinds(userid, itemid) AS kinds
    FROM (
        ${rows_of_ranking rec_b}
    )
),

-- The items of each user with their scores, which the function ranks. It is an error if types of ids do not fit.
rankings_of_users AS NOT MATERIALIZED (
    SELECT
        system.main.any_value(userid) AS userid,
        system.main.list(system.main.struct_pack(item := itemid, score := points_a))
            FILTER (points_a IS NOT NULL) AS items_a,
        system.main.list(system.main.struct_pack(item := itemid, score := points_b))
            FILTER (points_b IS NOT NULL) AS items_b
    FROM both_tables
    WHERE userid IS NOT NULL AND (points_a IS NOT NULL OR points_b IS NOT NULL)
    GROUP BY rankdcg_sql_key(userid)
    QUALIFY rankdcg_sql_match(
        '${macro}',
        system.main.min(system.main.min(kinds)) OVER (),
        system.main.max(system.main.max(kinds)) OVER ()
    )
),

compared AS NOT MATERIALIZED (
    SELECT userid, cut, unnest(system.main.rank_similarity(items_a, items_b, cut, options))
    FROM rankings_of_users, (SELECT unnest(${cutoffs_of_change}) AS cut)
)

SELECT userid, cut AS k, ${similarities} FROM compared;
