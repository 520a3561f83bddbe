{#- The table macros, for what follows FROM. A table is a relation, such as ref('rec'), or a text that the macro takes.
    Parameters of the macro are named arguments: rank_evaluate(ref('truth'), ref('rec'), ks=[5, 10], rel='rating'). -#}

{%- macro rank_evaluate(truth, rec) -%}
    {{ rankdcg_sql.call_table_macro('rank_evaluate', [truth, rec], kwargs) }}
{%- endmacro -%}

{%- macro rank_summary(truth, rec) -%}
    {{ rankdcg_sql.call_table_macro('rank_summary', [truth, rec], kwargs) }}
{%- endmacro -%}

{%- macro rank_compare(truth, baseline, rec) -%}
    {{ rankdcg_sql.call_table_macro('rank_compare', [truth, baseline, rec], kwargs) }}
{%- endmacro -%}

{%- macro rank_check(truth, rec) -%}
    {{ rankdcg_sql.call_table_macro('rank_check', [truth, rec], kwargs) }}
{%- endmacro -%}

{%- macro call_table_macro(name, tables, parameters) -%}
    {%- set arguments = [] -%}
    {%- for table in tables -%}
        {#- As text, the name of a table may be a value of SQL, such as user. With --empty, dbt writes relations as
            queries, which no macro of DuckDB takes. -#}
        {%- do arguments.append(rankdcg_sql.as_sql(table if table is string else table.render())) -%}
    {%- endfor -%}
    {%- for parameter, value in parameters.items() -%}
        {%- do arguments.append(parameter ~ ' := ' ~ rankdcg_sql.as_sql(value)) -%}
    {%- endfor -%}
    {{ name }}({{ arguments | join(', ') }})
{%- endmacro -%}

{%- macro as_sql(value) -%}
    {%- if value is none -%}NULL
    {%- elif value is boolean or value is number -%}{{ value }}
    {%- elif value is string -%}'{{ value | replace("'", "''") }}'
    {%- else -%}
        {%- set values = [] -%}
        {%- for each in value %}{% do values.append(rankdcg_sql.as_sql(each)) %}{% endfor -%}
        [{{ values | join(', ') }}]
    {%- endif -%}
{%- endmacro -%}
