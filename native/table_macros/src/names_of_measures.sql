-- The names between commas that do not stand in brackets, each with whether it is the first of its name.
system.main.list_extract(system.main.list_transform(
    system.main.list_value(system.main.list_transform(
        system.main.regexp_extract_all(
            rankdcg_sql_joined(rankdcg_sql_names(measures)), '[^,()]+(\([^()]*\))?[^,()]*'
        ),
        lambda name: system.main.trim(name)
    )),
    lambda names: system.main.list_transform(
        names,
        lambda name, place: system.main.struct_pack(
            measure := name,
            is_first := system.main.list_position(names, name) = place
        )
    )
), 1)
