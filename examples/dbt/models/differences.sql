select * from {{ rankdcg_sql.rank_compare(ref('truth'), ref('released'), ref('candidate'), k=10, metrics=['ndcg', 'recall']) }}
