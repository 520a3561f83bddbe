{#- Generic tests of a model with recommendations. docs/dbt.md has their arguments. -#}

{% test one_row_per_user_and_item(model, user='userid', item='itemid') %}
{%- set user, item = adapter.quote(user), adapter.quote(item) -%}
select {{ user }}, {{ item }}, count(*) as rows_found
from {{ model }}
where {{ user }} is not null and {{ item }} is not null
group by {{ user }}, {{ item }}
having count(*) > 1
{% endtest %}

{% test rank_metric_at_least(
    model, truth, metric, at_least, users=none, confidence=0.95, inconclusive='fail'
) %}
{%- set test = 'rank_metric_at_least' -%}
{%- do rankdcg_sql.check_argument(
    at_least is number and at_least is not boolean and -1e308 < at_least < 1e308,
    test, 'at_least', 'a finite number', at_least
) -%}
with {{ rankdcg_sql.values_of_users(test, metric, {'truth': truth, 'rec': model}, users, kwargs) }},

pairs as (
    select userid, value, null::double as baseline_value, ({{ at_least }})::double as bound
    from values_of_rec
),

{{ rankdcg_sql.decision(test, metric, '0 - ' ~ at_least, '1 - ' ~ at_least, confidence, inconclusive) }}
{% endtest %}

{% test rank_metric_not_worse_than(
    model, truth, baseline, metric, margin, users=none, confidence=0.95, inconclusive='fail'
) %}
{%- set test = 'rank_metric_not_worse_than' -%}
{%- set is_relative = margin is string and margin.endswith('%') -%}
{%- set amount = margin[:-1] | float(0) / 100 if is_relative else margin -%}
{%- do rankdcg_sql.check_argument(
    amount is number and amount is not boolean and 0 < amount < (1 if is_relative else 1e308), test, 'margin',
    "a finite number above 0, or a share of the baseline above 0% and below 100%, such as '1%'", margin
) -%}
{%- set tables = {'truth': truth, 'rec': model, 'baseline': baseline} -%}
with {{ rankdcg_sql.values_of_users(test, metric, tables, users, kwargs) }},

pairs as (
    select
        a.userid, a.value, b.value as baseline_value,
        b.value {{ '*' if is_relative else '+' }} ({{ 1 if is_relative else 0 }} - {{ amount }})::double as bound
    from values_of_rec as a
    join values_of_baseline as b on rankdcg_sql_key(a.userid) = rankdcg_sql_key(b.userid)
),

{{ rankdcg_sql.decision(
    test, metric, amount ~ ' - 1', '1' if is_relative else '1 + ' ~ amount, confidence, inconclusive
) }}
{% endtest %}

{#- Common table expressions up to values_of_rec and values_of_baseline, the values of users. -#}
{%- macro values_of_users(test, metric, tables, users, parameters) -%}
{%- set name, at, k = (metric | string).partition('@') -%}
{%- do rankdcg_sql.check_argument(
    metric is string and (k.isdecimal() or k == 'all' or not at), test, 'metric',
    'a metric and its cutoff, such as ndcg@10, or ndcg@all for the whole list', metric
) -%}
{%- set as_metric, of_model = 'part of metric, as in ndcg@10', 'absent, because this is a test of a model' -%}
{%- for name, place in [('k', as_metric), ('ks', as_metric), ('column_name', of_model)] if name in parameters -%}
    {%- do rankdcg_sql.check_argument(false, test, name, place, parameters[name]) -%}
{%- endfor -%}
{%- for role, table in tables.items() -%}
    {%- do rankdcg_sql.check_argument(table, test, role, "a table, such as ref('" ~ role ~ "')", table) -%}
{%- endfor -%}
{%- if execute and not run_query(
    "select 1 from duckdb_functions() where function_name = 'rankdcg_sql_planned' limit 1"
) -%}
    {%- do exceptions.raise_compiler_error(
        test ~ ': rank_evaluate is not there. It needs DuckDB 2.0 or later, got '
        ~ run_query('select version()').rows[0][0] ~ ', and the plugin rankdcg_sql.dbt in profiles.yml'
    ) -%}
{%- endif -%}
{%- for role, table in tables.items() if role != 'truth' %}

values_of_{{ role }} as (
    select userid, value
    from (
        select
            userid, retrieved, max(retrieved) over () as most,
            columns(list_transform(
                rankdcg_sql_planned(
                    rank_macro_measures('{{ test }}', [{{ rankdcg_sql.as_sql(name) }}], [1]::bigint[], null, '')
                ),
                lambda planned: struct_extract(planned, 'metric')
            )) as value
        from {{ rankdcg_sql.call_table_macro(
            'rank_evaluate', {'truth': tables.truth, 'rec': table},
            dict(parameters, k=k | int if k.isdecimal() else none)
        ) }}
    )
    where case
        when most = 0 then error('{{ test }}: no user of {{ role }} is one of truth')
        else retrieved > 0 or rankdcg_sql_users(
            '{{ test }}', {{ rankdcg_sql.as_sql(users) }}, {{ rankdcg_sql.as_sql(parameters.get('options', '')) }}
        ) = 'truth'
    end
){{ ',' if not loop.last }}
{%- endfor %}
{%- endmacro -%}

{#- The decision on pairs of values and bounds, as rankdcg_sql.evaluation decides requirements: the test of Gaffke, for
    values less bounds from `least` to `most`. If the requirement is not met, each user who counts against it is a row,
    and there is a row in any case. -#}
{%- macro decision(test, metric, least, most, confidence, inconclusive) -%}
{%- do rankdcg_sql.check_argument(
    confidence is number and 0.5 < confidence < 1, test, 'confidence', 'a number above 0.5 and below 1', confidence
) -%}
{%- do rankdcg_sql.check_argument(
    inconclusive in ('fail', 'pass'), test, 'inconclusive', "'fail' or 'pass'", inconclusive
) -%}
tests as (
    select
        count(*) as n,
        mean_ci(value).mean as mean, mean_ci(baseline_value).mean as baseline, mean_ci(bound).mean as bound,
        count(*) > 1 and max(value - baseline_value) - min(value - baseline_value) <= 1e-12
            and abs(paired_t_test(value, baseline_value).mean_difference) <= 1e-12 as is_baseline,
        {%- for name, alternative in [('p_value', 'greater'), ('p_failed', 'less')] %}
        paired_t_test(value, bound, concat(
            'alternative={{ alternative }}, tolerance=1e-12, skewness=gaffke, ',
            'lower_bound=', {{ least }}, ', upper_bound=', {{ most }}
        )).p_value as {{ name }}{{ ',' if not loop.last }}
        {%- endfor %}
    from pairs
    where value is not null and bound is not null
),

decided as (
    select
        case
            when n = 0 then error({{ rankdcg_sql.as_sql(test ~ ': no user has a value of ' ~ metric) }})
            when is_baseline then 'passed'
            when p_value < 1 - {{ confidence }} then 'passed'
            when p_failed < 1 - {{ confidence }} then 'failed'
            else 'inconclusive'
        end as outcome,
        *
    from tests
)

select
    userid, value, baseline_value, outcome, {{ rankdcg_sql.as_sql(metric) }} as metric,
    n, mean, baseline, decided.bound as bound, p_value
from decided
left join pairs on value < coalesce(baseline_value, pairs.bound) - 1e-12
where outcome in ('failed'{{ ", 'inconclusive'" if inconclusive == 'fail' }})
order by value - coalesce(baseline_value, pairs.bound), userid
{%- endmacro -%}

{#- An error is that of one test, and not of the whole project, which dbt reads before it runs. -#}
{%- macro check_argument(is_allowed, test, argument, allowed, value) -%}
    {%- if execute and not is_allowed -%}
        {%- do exceptions.raise_compiler_error(
            test ~ ': ' ~ argument ~ ' must be ' ~ allowed ~ ', got ' ~ (tojson(value) if value is defined else 'nothing')
        ) -%}
    {%- endif -%}
{%- endmacro -%}
