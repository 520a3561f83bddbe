-- Which of two recommenders is better, by how much, and is it chance? demo/generate.sql writes the files.
FROM rank_compare(
    'truth.parquet', 'popularity.parquet', 'personalised.parquet',
    rel := 'rel', ks := 10, metrics := ['ndcg', 'recall', 'mrr']
);

-- For whom? The mean of each kind of listener. A user whom a system does not serve counts as 0.
SELECT listener, count(*) AS users, avg(popularity.ndcg) AS popularity, avg(personalised.ndcg) AS personalised
FROM rank_evaluate('truth.parquet', 'popularity.parquet', rel := 'rel', ks := 10) AS popularity
JOIN rank_evaluate('truth.parquet', 'personalised.parquet', rel := 'rel', ks := 10) AS personalised USING (userid)
JOIN (SELECT DISTINCT userid, listener FROM 'truth.parquet') USING (userid)
GROUP BY listener
ORDER BY listener;
