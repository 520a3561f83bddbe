-- The new system: the song is in the first place. With --vars 'candidate: bad', it is missing for every other listener.
select userid, if('{{ var("candidate", "good") }}' = 'bad' and userid % 2 = 1, -1, userid) as itemid, 1.0 as score
from {{ ref('truth') }}
