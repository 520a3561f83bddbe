-- Does a system recommend many items, new and diverse ones, or the same popular few to everybody?
--
--   rankdcg-sql sql items.sql

-- The catalogue, with the number of users who have each item already, of 10 users.
CREATE OR REPLACE TEMP TABLE items AS
SELECT itemid, owners AS popularity, owners / 10 AS share, owners <= 2 AS long_tail, categories
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
WITH rankings AS (
    SELECT system, userid, ranked_list(itemid, score, 2) AS best
    FROM rec
    GROUP BY ALL
),

-- The values of the first user, then those of the next one.
of_systems AS (
    SELECT
        system,
        rank_items(
            list(best), NULL, (SELECT list(items) FROM items),
            'coverage, gini, entropy, personalisation, average_popularity, novelty, long_tail_share, '
            'intra_list_diversity'
        ) AS found
    FROM rankings
    GROUP BY system
)

-- The means over users, which are also the measures of all users.
SELECT
    system,
    round(list_avg(found[1:-:8]), 3) AS coverage,
    round(list_avg(found[2:-:8]), 3) AS gini,
    round(list_avg(found[3:-:8]), 3) AS entropy,
    round(list_avg(found[4:-:8]), 3) AS personalisation,
    round(list_avg(found[5:-:8]), 3) AS popularity,
    round(list_avg(found[6:-:8]), 3) AS novelty,
    round(list_avg(found[7:-:8]), 3) AS long_tail,
    round(list_avg(found[8:-:8]), 3) AS diversity
FROM of_systems
ORDER BY system;
