-- Which way of chunking finds the labelled spans, and does the answer hold at other thresholds?
--
--   rankdcg-sql sql spans.sql

-- The places that answer each question, by the offsets of characters: they stay when documents are divided anew.
CREATE OR REPLACE TEMP TABLE truth AS
FROM (
    VALUES
        ('ann', 'guide', 120, 180, 2), ('ann', 'guide', 390, 430, 1), ('ben', 'guide', 610, 640, 2),
        ('ben', 'faq', 40, 140, 1), ('cem', 'faq', 200, 230, 1)
) AS truth(userid, itemid, "start", "end", rel);

-- Two systems: chunks of 100 characters, and chunks of 400.
CREATE OR REPLACE TEMP TABLE small AS
FROM (
    VALUES
        ('ann', 'guide', 100, 200, 0.9), ('ann', 'guide', 400, 500, 0.8), ('ann', 'guide', 0, 100, 0.7),
        ('ben', 'guide', 600, 700, 0.9), ('ben', 'faq', 100, 200, 0.8), ('ben', 'faq', 0, 100, 0.7),
        ('cem', 'faq', 300, 400, 0.9), ('cem', 'faq', 200, 300, 0.8)
) AS small(userid, itemid, "start", "end", score);

CREATE OR REPLACE TEMP TABLE large AS
FROM (
    VALUES
        ('ann', 'guide', 0, 400, 0.9), ('ann', 'guide', 400, 800, 0.8), ('ben', 'guide', 400, 800, 0.9),
        ('ben', 'faq', 0, 400, 0.8), ('cem', 'faq', 0, 400, 0.9)
) AS large(userid, itemid, "start", "end", score);

-- The means of both at one threshold, the least share of a span that a chunk must have to find it.
CREATE OR REPLACE TEMP MACRO means_at(share) AS TABLE
SELECT share AS overlap, system, round(avg(ndcg), 3) AS ndcg, round(avg(span_recall), 3) AS span_recall
FROM (
    SELECT 'small' AS system, userid, ndcg_agg(score, rel, 2) AS ndcg
    FROM rank_spans(truth, small, rel := 'rel', overlap := share) GROUP BY userid
    UNION ALL
    SELECT 'large', userid, ndcg_agg(score, rel, 2)
    FROM rank_spans(truth, large, rel := 'rel', overlap := share) GROUP BY userid
) AS items
JOIN (
    SELECT 'small' AS system, userid, span_recall
    FROM rank_evaluate_spans(truth, small, ks := 2, rel := 'rel', overlap := share)
    UNION ALL
    SELECT 'large', userid, span_recall
    FROM rank_evaluate_spans(truth, large, ks := 2, rel := 'rel', overlap := share)
) AS spans USING (system, userid)
GROUP BY system;

FROM means_at('any')
UNION ALL FROM means_at('0.25')
UNION ALL FROM means_at('0.5')
UNION ALL FROM means_at('0.75')
UNION ALL FROM means_at('1')
ORDER BY system, overlap = 'any' DESC, overlap;

-- Characters depend on no threshold: what is found, and how much else is read.
SELECT system, round(avg(character_recall), 3) AS recall, round(avg(character_precision), 3) AS precision
FROM (
    SELECT 'small' AS system, * FROM rank_evaluate_spans(truth, small, ks := 2, rel := 'rel')
    UNION ALL
    SELECT 'large', * FROM rank_evaluate_spans(truth, large, ks := 2, rel := 'rel')
)
GROUP BY system
ORDER BY system;
