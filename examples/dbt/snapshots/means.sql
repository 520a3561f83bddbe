{% snapshot means %}
{{ config(unique_key=['metric', 'k'], strategy='check', check_cols=['mean']) }}
select metric, k, n, mean, low, high from {{ rankdcg_sql.rank_summary(ref('truth'), ref('candidate'), k=10) }}
{% endsnapshot %}
