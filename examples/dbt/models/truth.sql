-- 200 listeners, each with the one song that they played.
select userid, userid as itemid from range(200) as listeners(userid)
