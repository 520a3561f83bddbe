rankdcg_sql_one_of(
    '${macro}', 'attribution', attribution, system.main.list_value('sequential', 'shapley')
)
