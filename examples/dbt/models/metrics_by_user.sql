select * from {{ rankdcg_sql.rank_evaluate(ref('truth'), ref('candidate'), ks=[1, 10]) }}
