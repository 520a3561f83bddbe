-- The system in use: the song is in the second place, and for every fifth listener missing.
select userid, if(userid % 5 = 0, -1, userid) as itemid, 1.0 as score from {{ ref('truth') }}
union all
select userid, -2, 2.0 from {{ ref('truth') }}
