-- Table 1 of the rankDCG paper (Katerenchuk and Rosenberg, LREC 2016): six orders of one reference list, from the
-- perfect one to its reverse. Element i of both lists belongs to item i.
WITH hypotheses(number, hypothesis) AS (
    VALUES
        (1, [9, 4, 4, 2, 2, 2, 1, 1, 1, 1]),
        (2, [9, 4, 4, 2, 2, 1, 2, 1, 1, 1]),
        (3, [4, 4, 2, 9, 2, 2, 1, 1, 1, 1]),
        (4, [1, 4, 4, 2, 2, 2, 9, 1, 1, 1]),
        (5, [1, 4, 4, 2, 2, 2, 1, 1, 1, 9]),
        (6, [1, 1, 1, 1, 2, 2, 2, 4, 4, 9])
)

SELECT number, hypothesis, rankdcg(hypothesis, [9, 4, 4, 2, 2, 2, 1, 1, 1, 1]) AS rankdcg
FROM hypotheses
ORDER BY number;
