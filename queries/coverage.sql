-- Does a system recommend many items, or the same few to everybody?
--
--   rankdcg-sql sql coverage.sql

-- The catalogue, with the number of users who have each item already.
CREATE OR REPLACE TEMP TABLE items AS
FROM (VALUES ('fig', 8), ('kiwi', 4), ('lime', 2), ('pear', 1), ('plum', 1)) AS items(itemid, owners);

CREATE OR REPLACE TEMP TABLE rec AS
FROM (
    VALUES
        ('popular', 'ann', 'fig', 0.9), ('popular', 'ann', 'kiwi', 0.8), ('popular', 'ann', 'lime', 0.1),
        ('popular', 'bob', 'fig', 0.9), ('popular', 'bob', 'kiwi', 0.8),
        ('personal', 'ann', 'lime', 0.9), ('personal', 'ann', 'fig', 0.8),
        ('personal', 'bob', 'plum', 0.9), ('personal', 'bob', 'pear', 0.8)
) AS rec(system, userid, itemid, score);

-- The first two items of each user.
WITH shown AS (
    FROM rec
    QUALIFY row_number() OVER (PARTITION BY system, userid ORDER BY score DESC, itemid) <= 2
),

-- How often each item of the catalogue is shown, even if it never is.
exposures AS (
    SELECT system, itemid, owners, count(shown.userid) AS times
    FROM (SELECT DISTINCT system FROM rec)
    CROSS JOIN items
    LEFT JOIN shown USING (system, itemid)
    GROUP BY ALL
),

placed AS (
    SELECT *, row_number() OVER (PARTITION BY system ORDER BY times, itemid) AS place
    FROM exposures
)

SELECT
    system,
    -- The part of the catalogue that anybody sees.
    round(avg((times > 0)::INTEGER), 3) AS coverage,
    -- 0 if all items are shown equally often, and near 1 if one item takes everything.
    round(sum((2 * place - count_of_items - 1) * times) / (any_value(count_of_items) * sum(times)), 3) AS gini,
    -- The mean number of bits of surprise: -log2 of the part of all ownerships that an item has.
    round(sum(-log2(owners / all_owners) * times) / sum(times), 3) AS novelty,
    -- The mean number of owners of a shown item, beside that of an item of the catalogue.
    round(sum(owners * times) / sum(times), 3) AS owners_of_shown,
    round(avg(owners), 3) AS owners_of_all
FROM placed, (SELECT count(*) AS count_of_items, sum(owners) AS all_owners FROM items)
GROUP BY system
ORDER BY system;
