-- Writes two files to the current folder: songs that listeners go on to play, and songs that two systems recommend.
--
--   truth.parquet  userid, itemid, rel                  new songs: 1 played, 2 played to the end, 3 liked
--   rec.parquet    recommender, userid, itemid, score   20 songs for each user from each recommender
--
--   rankdcg-sql sql --set users=20000 --set seed=7 demo/generate.sql
--
-- Random numbers are hash() of ids, so that a seed gives the same rows on any number of threads.
SET VARIABLE users = coalesce(getvariable('users')::BIGINT, 5000);
SET VARIABLE seed = coalesce(getvariable('seed')::BIGINT, 1);

-- A pseudorandom number from 0 to 1 for each purpose, user and n.
CREATE OR REPLACE TEMP MACRO chance(purpose, userid, n) AS
    (hash(concat_ws('/', getvariable('seed'), purpose, userid, n)) >> 11) / pow(2, 53);

-- A number from 1 to `size`. Number i is drawn about 1 / i times as often as number 1.
CREATE OR REPLACE TEMP MACRO skewed(size, chance) AS floor(pow(size + 1, chance))::BIGINT;

-- 20 genres of 100 songs each (song 342 is of genre 3). A user plays the favourite genre half of the time.
-- A quarter of the plays becomes the truth. Users 3, 53, 103 and so on have no history.
CREATE OR REPLACE TEMP TABLE plays AS
SELECT
    userid,
    if(
        chance('taste', userid, n) < 0.5,
        skewed(20, chance('favourite', userid, 0)),
        skewed(20, chance('genre', userid, n))
    ) * 100 + skewed(100, chance('song', userid, n)) - 1 AS itemid,
    userid % 50 = 3 OR chance('later', userid, n) < 0.25 AS later
FROM range(1, getvariable('users') + 1) AS users(userid)
CROSS JOIN range(1, 121) AS numbers(n)
WHERE n <= 20 + 100 * pow(chance('plays', userid, 0), 2);

CREATE OR REPLACE TEMP TABLE history AS
SELECT userid, itemid, count(*) AS plays
FROM plays
WHERE NOT later
GROUP BY userid, itemid;

CREATE OR REPLACE TEMP TABLE truth AS
SELECT DISTINCT userid, itemid, 1 + floor(3 * pow(chance('rel', userid, itemid), 2))::INTEGER AS rel
FROM plays
ANTI JOIN history USING (userid, itemid);

-- Popularity: the number of users who have played a song.
CREATE OR REPLACE TEMP TABLE popular AS
SELECT itemid, itemid // 100 AS genre, count(*) AS listeners
FROM history
GROUP BY itemid;

-- Personalised: the song's share of the listeners in its genre, times the user's plays of that genre.
CREATE OR REPLACE TEMP TABLE tastes AS
SELECT userid, itemid // 100 AS genre, sum(plays) AS plays
FROM history
GROUP BY ALL;

CREATE OR REPLACE TEMP TABLE shares AS
SELECT itemid, genre, listeners / sum(listeners) OVER (PARTITION BY genre) AS share
FROM popular;

-- The 20 best songs of each system that the user has not played. Ties are broken by song, ascending.
CREATE OR REPLACE TEMP TABLE rec AS
WITH candidates AS (
    SELECT 'popularity' AS recommender, userid, itemid, listeners::DOUBLE AS score
    FROM (SELECT DISTINCT userid FROM plays)
    CROSS JOIN (FROM popular ORDER BY listeners DESC, itemid LIMIT 150)
    UNION ALL
    SELECT 'personalised', userid, itemid, share * plays
    FROM (FROM tastes QUALIFY row_number() OVER (PARTITION BY userid ORDER BY plays DESC, genre) <= 4)
    INNER JOIN (FROM shares QUALIFY row_number() OVER (PARTITION BY genre ORDER BY share DESC, itemid) <= 60)
        USING (genre)
)

FROM candidates
ANTI JOIN history USING (userid, itemid)
QUALIFY row_number() OVER (PARTITION BY recommender, userid ORDER BY score DESC, itemid) <= 20;

COPY (FROM truth ORDER BY userid, itemid) TO 'truth.parquet' (FORMAT parquet);
COPY (FROM rec ORDER BY recommender, userid, score DESC, itemid) TO 'rec.parquet' (FORMAT parquet);

-- The contents of the files.
SELECT 'truth.parquet' AS file, NULL AS recommender, count(*) AS rows, count(DISTINCT userid) AS users
FROM 'truth.parquet'
UNION ALL
SELECT 'rec.parquet', recommender, count(*), count(DISTINCT userid)
FROM 'rec.parquet'
GROUP BY recommender
ORDER BY file DESC, recommender;
