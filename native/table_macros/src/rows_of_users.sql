-- The users as the aggregate takes them. One text stands for all equal users, however they are written.
rows_of_users AS NOT MATERIALIZED (
    SELECT *, rankdcg_sql_userid(userid) AS named
    FROM both_tables
    WHERE rankdcg_sql_has_one_text(system.main.typeof(userid))
    UNION ALL
    SELECT both_tables.*, rankdcg_sql_named(userid, name)
    FROM both_tables LEFT JOIN (
        SELECT userid AS other, system.main.max(userid::VARCHAR COLLATE "binary") AS name
        FROM both_tables
        WHERE NOT rankdcg_sql_has_one_text(system.main.typeof(userid))
        GROUP BY userid
    ) ON userid = other
    WHERE NOT rankdcg_sql_has_one_text(system.main.typeof(userid))
)
