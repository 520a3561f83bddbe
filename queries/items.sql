-- Does a system recommend many items, new and diverse ones, or the same popular few to everybody?
--
--   rankdcg-sql sql items.sql

-- The catalogue, with the number of users who have each item already, of 10 users.
CREATE OR REPLACE TEMP TABLE items AS
FROM (
    VALUES
        ('fig', 8, ['tree', 'sweet']), ('kiwi', 4, ['vine', 'sweet']), ('lime', 2, ['tree', 'sour']),
        ('pear', 1, ['tree', 'sweet']), ('plum', 1, ['tree'])
) AS items(itemid, owners, categories);

CREATE OR REPLACE TEMP TABLE rec AS
FROM (
    VALUES
        ('popular', 'ann', 'fig', 0.9), ('popular', 'ann', 'kiwi', 0.8), ('popular', 'ann', 'lime', 0.1),
        ('popular', 'bob', 'fig', 0.9), ('popular', 'bob', 'kiwi', 0.8),
        ('personal', 'ann', 'lime', 0.9), ('personal', 'ann', 'fig', 0.8),
        ('personal', 'bob', 'plum', 0.9), ('personal', 'bob', 'pear', 0.8)
) AS rec(system, userid, itemid, score);

-- The items of each user, best first, of which the first two are shown.
WITH ranked AS (
    SELECT system, userid, list(items ORDER BY score DESC, itemid) AS best
    FROM rec
    LEFT JOIN items USING (itemid)
    GROUP BY ALL
),

of_users AS (
    SELECT
        system,
        average_popularity([item.owners FOR item IN best], 2) AS popularity,
        novelty([item.owners / 10 FOR item IN best], 2) AS novelty,
        long_tail_share([item.owners <= 2 FOR item IN best], 2) AS long_tail,
        intra_list_diversity([item.categories FOR item IN best], 2) AS diversity
    FROM ranked
),

shown AS (
    SELECT system, userid, unnest(ranked_list(itemid, score, 2)) AS itemid
    FROM rec
    GROUP BY system, userid
),

-- How often each item of the catalogue is shown, even if it never is.
exposures AS (
    SELECT system, itemid, count(userid) AS times
    FROM (SELECT DISTINCT system FROM rec)
    CROSS JOIN items
    LEFT JOIN shown USING (system, itemid)
    GROUP BY ALL
),

of_catalogue AS (
    SELECT
        system,
        -- The part of the catalogue that anybody sees.
        count_if(times > 0) / count(*) AS coverage,
        -- The Gini index and the entropy.
        unnest(concentration(times)),
        -- How far the lists of two users differ: an item that n users see is common to n * (n - 1) / 2 pairs of them.
        1 - sum(times * (times - 1)) / (sum(times) * (any_value(users) - 1)) AS personalisation
    FROM exposures
    JOIN (SELECT system, count(*) AS users FROM ranked GROUP BY ALL) USING (system)
    GROUP BY system
)

SELECT
    system,
    round(any_value(coverage), 3) AS coverage,
    round(any_value(gini), 3) AS gini,
    round(any_value(entropy), 3) AS entropy,
    round(any_value(personalisation), 3) AS personalisation,
    round(avg(popularity), 3) AS popularity,
    round(avg(novelty), 3) AS novelty,
    round(avg(long_tail), 3) AS long_tail,
    round(avg(diversity), 3) AS diversity
FROM of_users
JOIN of_catalogue USING (system)
GROUP BY system
ORDER BY system;
