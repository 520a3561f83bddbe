"""Ranking metrics as expressions of Ibis, for tables in DuckDB.

Each function has the name that it has in `rankdcg_sql.polars`. `ranked_list` and the functions over the rows
of a user, whose names end in ``_rows``, exist here, too. They are builtins of Ibis: an expression becomes a
call of the function in DuckDB.

>>> import ibis, rankdcg_sql.ibis as rk
>>> rows = ibis.memtable({
...     "user": [1, 1, 1, 1, 1, 2, 2],
...     "item": ["a", "b", "c", "a", "d", "a", "b"],
...     "score": [0.9, 0.8, 0.1, None, None, 0.5, None],
...     "rel": [None, None, None, 2, 1, None, 1],
... })
>>> metrics = rk.ndcg_rows("item", "score", "rel", k=3), rk.recall_rows("item", "score", "rel", k=3)
>>> rows.group_by("user").agg(metrics).order_by("user").execute().round(6)
   user    ndcg@3  recall@3
0     1  0.826235       0.5
1     2  0.000000       0.0

A column is given by its name, or as a column or a deferred column of Ibis. Other values, such as a list of
Python, are the same in every row. Wrong options and cutoffs are errors at once, with the sentences of the
other engines. DuckDB checks columns when an expression is executed.

From DuckDB 2.0 on, connections that are opened after the import of this package have the functions. For
others, and before 2.0, call ``rankdcg_sql.register(con.con)`` with a connection `con` of Ibis: see
docs/ibis.md.
"""

from __future__ import annotations

from rankdcg_sql.ibis import _builtins

globals().update(_builtins.functions())
__all__ = [*_builtins.functions()]
