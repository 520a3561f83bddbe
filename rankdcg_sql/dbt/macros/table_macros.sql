{#- The table macros, for what follows FROM. A table is a relation, such as ref('rec'), or a text that follows FROM.
    Parameters of the macro are named arguments: rank_evaluate(ref('truth'), ref('rec'), ks=[5, 10], rel='rating'). -#}

{%- macro rank_evaluate(truth, rec) -%}
    {{ rankdcg_sql.call_table_macro('rank_evaluate', {'truth': truth, 'rec': rec}, kwargs) }}
{%- endmacro -%}

{%- macro rank_measures(truth, rec) -%}
    {{ rankdcg_sql.call_table_macro('rank_measures', {'truth': truth, 'rec': rec}, kwargs) }}
{%- endmacro -%}

{%- macro rank_summary(truth, rec) -%}
    {{ rankdcg_sql.call_table_macro('rank_summary', {'truth': truth, 'rec': rec}, kwargs) }}
{%- endmacro -%}

{%- macro rank_compare(truth, baseline, rec) -%}
    {{ rankdcg_sql.call_table_macro('rank_compare', {'truth': truth, 'baseline': baseline, 'rec': rec}, kwargs) }}
{%- endmacro -%}

{%- macro rank_explain(truth, rec) -%}
    {{ rankdcg_sql.call_table_macro('rank_explain', {'truth': truth, 'rec': rec}, kwargs) }}
{%- endmacro -%}

{%- macro rank_change(truth_before, rec_before, truth_after, rec_after) -%}
    {{ rankdcg_sql.call_change('rank_change', truth_before, rec_before, truth_after, rec_after, kwargs) }}
{%- endmacro -%}

{%- macro rank_change_by_user(truth_before, rec_before, truth_after, rec_after) -%}
    {{ rankdcg_sql.call_change('rank_change_by_user', truth_before, rec_before, truth_after, rec_after, kwargs) }}
{%- endmacro -%}

{%- macro rank_change_by_item(truth_before, rec_before, truth_after, rec_after) -%}
    {{ rankdcg_sql.call_change('rank_change_by_item', truth_before, rec_before, truth_after, rec_after, kwargs) }}
{%- endmacro -%}

{%- macro rank_change_by_move(truth_before, rec_before, truth_after, rec_after) -%}
    {{ rankdcg_sql.call_change('rank_change_by_move', truth_before, rec_before, truth_after, rec_after, kwargs) }}
{%- endmacro -%}

{%- macro rank_change_ids(truth_before, rec_before, truth_after, rec_after) -%}
    {{ rankdcg_sql.call_change('rank_change_ids', truth_before, rec_before, truth_after, rec_after, kwargs) }}
{%- endmacro -%}

{#- One truth that is given twice keeps one name, which tells the macro that it is one. -#}
{%- macro call_change(name, truth_before, rec_before, truth_after, rec_after, parameters) -%}
    {%- set tables = {'truth_before': truth_before, 'rec_before': rec_before} -%}
    {%- set after = 'truth_before' if truth_after | string == truth_before | string else 'truth_after' -%}
    {%- do tables.update({after: truth_after, 'rec_after': rec_after}) -%}
    {{ rankdcg_sql.call_table_macro(name, tables, parameters, ['truth_before', 'rec_before', after, 'rec_after']) }}
{%- endmacro -%}

{%- macro rank_similarity(rec_a, rec_b) -%}
    {{ rankdcg_sql.call_table_macro('rank_similarity', {'rec_a': rec_a, 'rec_b': rec_b}, kwargs) }}
{%- endmacro -%}

{%- macro rank_check(truth, rec) -%}
    {{ rankdcg_sql.call_table_macro('rank_check', {'truth': truth, 'rec': rec}, kwargs) }}
{%- endmacro -%}

{#- The macro is given names of common table expressions: dbt writes some relations as files, functions or queries. -#}
{%- macro call_table_macro(name, tables, parameters, roles=none) -%}
    {%- set arguments = [] -%}
    {%- for role in roles or tables -%}
        {%- do arguments.append("'rankdcg_sql_" ~ role ~ "'") -%}
    {%- endfor -%}
    (with
    {%- for role, table in tables.items() %}
        rankdcg_sql_{{ role }} as not materialized (select * from {{ table }}){{ ',' if not loop.last }}
    {%- endfor %}
    {%- for parameter, value in parameters.items() -%}
        {%- do arguments.append(parameter ~ ' := ' ~ rankdcg_sql.as_sql(value)) -%}
    {%- endfor %}
    select * from {{ name }}({{ arguments | join(', ') }}))
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
