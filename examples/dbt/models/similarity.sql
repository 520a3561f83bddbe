select * from {{ rankdcg_sql.rank_similarity(ref('released'), ref('candidate'), k=10) }}
