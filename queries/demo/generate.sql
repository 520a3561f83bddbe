-- Writes three files to the current folder: songs that listeners go on to play, and songs that two systems recommend.
--
--   truth.parquet          userid, itemid, rel, listener   new songs: 1 played, 2 played to the end, 3 liked
--   popularity.parquet     userid, itemid, score           for each user, the 20 songs that most others have played
--   personalised.parquet   userid, itemid, score           20 songs of the genres that the user plays most
--
--   rankdcg-sql sql --set users=20000 --set seed=7 demo/generate.sql
--
-- A listener is new (no plays yet), casual (fewer than 40 plays) or regular. Random numbers are hash() of ids, so that a
-- seed gives the same rows on any number of threads.
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

CREATE OR REPLACE TEMP TABLE listeners AS
SELECT userid, CASE WHEN played = 0 THEN 'new' WHEN played < 40 THEN 'casual' ELSE 'regular' END AS listener
FROM (SELECT userid, count(*) FILTER (NOT later) AS played FROM plays GROUP BY userid);

CREATE OR REPLACE TEMP TABLE truth AS
SELECT DISTINCT userid, itemid, 1 + floor(3 * pow(chance('rel', userid, itemid), 2))::INTEGER AS rel, listener
FROM plays
ANTI JOIN history USING (userid, itemid)
INNER JOIN listeners USING (userid);

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

-- The 20 best songs of each system that the user has not played. Ties are broken by song, so that no scores tie.
CREATE OR REPLACE TEMP TABLE popularity AS
SELECT userid, itemid, 1 / row_number() OVER (PARTITION BY userid ORDER BY listeners DESC, itemid) AS score
FROM (SELECT DISTINCT userid FROM plays)
CROSS JOIN (FROM popular ORDER BY listeners DESC, itemid LIMIT 150)
ANTI JOIN history USING (userid, itemid)
QUALIFY score >= 1 / 20;

CREATE OR REPLACE TEMP TABLE personalised AS
SELECT userid, itemid, 1 / row_number() OVER (PARTITION BY userid ORDER BY share * plays DESC, itemid) AS score
FROM (FROM tastes QUALIFY row_number() OVER (PARTITION BY userid ORDER BY plays DESC, genre) <= 4)
INNER JOIN (FROM shares QUALIFY row_number() OVER (PARTITION BY genre ORDER BY share DESC, itemid) <= 60)
    USING (genre)
ANTI JOIN history USING (userid, itemid)
QUALIFY score >= 1 / 20;

COPY (FROM truth ORDER BY userid, itemid) TO 'truth.parquet' (FORMAT parquet);
COPY (FROM popularity ORDER BY userid, score DESC, itemid) TO 'popularity.parquet' (FORMAT parquet);
COPY (FROM personalised ORDER BY userid, score DESC, itemid) TO 'personalised.parquet' (FORMAT parquet);

-- The contents of the files.
SELECT 'truth.parquet' AS file, count(*) AS rows, count(DISTINCT userid) AS users FROM 'truth.parquet'
UNION ALL
SELECT 'popularity.parquet', count(*), count(DISTINCT userid) FROM 'popularity.parquet'
UNION ALL
SELECT 'personalised.parquet', count(*), count(DISTINCT userid) FROM 'personalised.parquet';
