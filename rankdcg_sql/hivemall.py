"""A dialect for DuckDB connections in which Apache Hivemall's ranking queries run as they are."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rankdcg_sql._sql import call_if_known
from rankdcg_sql.catalogue import functions

if TYPE_CHECKING:
    from collections.abc import Iterator

    import duckdb

__all__ = ["register_hivemall"]

# `list_transform([x], lambda name: ...)[1]` names a value that is needed twice, so that every macro here has
# one aggregate, and takes OVER. DuckDB pastes arguments into macros as text. An argument that may be a column
# therefore stays outside the lambdas, whose parameters would hide a column of the same name.
_COLLECTORS = r"""
CREATE OR REPLACE TEMP MACRO collect_set(x) AS
    coalesce(list_sort(list(DISTINCT x) FILTER (WHERE x IS NOT NULL)), []);

-- Before 2.0 len() refuses maps and cardinality() refuses lists; a VARIANT may hold either.
CREATE OR REPLACE TEMP MACRO size(x) AS coalesce(len(x::VARIANT::VARIANT[]), -1);

CREATE OR REPLACE TEMP MACRO struct(a) AS row(a), (a, b) AS row(a, b), (a, b, c) AS row(a, b, c),
    (a, b, c, d) AS row(a, b, c, d), (a, b, c, d, e) AS row(a, b, c, d, e);

-- true: descending; k: the k largest keys, descending; -k: the k smallest, ascending.
CREATE OR REPLACE TEMP MACRO hivemall_map_descends(k_or_reverse) AS
    coalesce(try_cast(k_or_reverse AS BIGINT) > 0, false);

CREATE OR REPLACE TEMP MACRO hivemall_map_size(k_or_reverse) AS CASE
    WHEN typeof(k_or_reverse) = 'BOOLEAN' THEN 9223372036854775807
    WHEN regexp_full_match(k_or_reverse::VARCHAR, '-?[1-9]\d{0,17}')
        THEN abs(try_cast(k_or_reverse AS BIGINT))
    ELSE error('to_ordered_map: the third argument must be true, false or a whole number other than 0, '
        || 'got ' || coalesce(k_or_reverse::VARCHAR, 'NULL'))
END;

CREATE OR REPLACE TEMP MACRO hivemall_repeated(key) AS
    error('to_ordered_map: key ' || key::VARCHAR || ' occurs more than once in a group, and a '
        || 'map keeps one: use to_ordered_list(value, key[, options]), which keeps all');

CREATE OR REPLACE TEMP MACRO to_ordered_map(key, value, k_or_reverse := false) AS
    map_from_entries(list_transform(
        [list_sort(
            coalesce(list({'key': key, 'value': value}) FILTER (WHERE key IS NOT NULL), []),
            if(hivemall_map_descends(k_or_reverse), 'DESC', 'ASC')
        )],
        lambda pairs: list_transform(pairs, lambda pair, i: if(
            pair.key = pairs[i + 1].key, hivemall_repeated(pair.key), pair
        ))
    )[1][1:hivemall_map_size(k_or_reverse)]);

-- -k N: the N largest keys, descending; -k -N: the N smallest, ascending; no -k: all, ascending.
-- -reverse: the other end and direction.
CREATE OR REPLACE TEMP MACRO hivemall_list_descends(options) AS
    regexp_matches(options, '-k\s+\d') <> contains(options, '-reverse');

CREATE OR REPLACE TEMP MACRO hivemall_list_size(options) AS list_transform(
    [trim(regexp_replace(options, '(-k\s+-?[1-9]\d{0,8}|-reverse(_order)?|-dedup)(\s|$)', '', 'g'))],
    lambda unknown: CASE unknown
        WHEN '' THEN coalesce(try_cast(regexp_extract(options, '\d+') AS BIGINT), 9223372036854775807)
        ELSE error('to_ordered_list: option ''' || unknown || ''' is not one of -k N (a whole number '
            || 'other than 0), -reverse, -dedup; -kv_map and -vk_map are not available: it gives a list')
    END
)[1];

CREATE OR REPLACE TEMP MACRO hivemall_ordered_values(pairs, options) AS
    [pair.value FOR pair IN list_transform(
        [list_sort(if(contains(options, '-dedup'), list_distinct(pairs), pairs))],
        lambda ascending: if(hivemall_list_descends(options), list_reverse(ascending), ascending)
    )[1][1:hivemall_list_size(options)]];

-- A macro cannot tell a constant from a column. So a second argument is taken for options where it looks like
-- them and is the same in the whole group: as a key it would order nothing.
CREATE OR REPLACE TEMP MACRO to_ordered_list(value) AS
    list_transform(
        [list({'key': value, 'value': value}) FILTER (WHERE value IS NOT NULL)],
        lambda pairs: hivemall_ordered_values(pairs, '')
    )[1],
(value, key_or_options) AS
    list_transform(
        [list({'key': key_or_options, 'value': value})
            FILTER (WHERE key_or_options IS NOT NULL AND value IS NOT NULL)],
        lambda pairs: hivemall_ordered_values(pairs, if(
            regexp_matches(pairs[1].key::VARCHAR, '^\s*-[a-z]')
                AND list_unique([pair.key FOR pair IN pairs]) = 1,
            pairs[1].key::VARCHAR,
            ''
        ))
    )[1],
(value, key, options) AS
    list_transform(
        [list({'key': key, 'value': value}) FILTER (WHERE key IS NOT NULL AND value IS NOT NULL)],
        lambda pairs: hivemall_ordered_values(pairs, coalesce(options::VARCHAR, ''))
    )[1];
"""

# The types of values and of keys that `ranked_list` takes without loss.
_INTEGERS = [f"{sign}{size}INT" for sign in ("", "U") for size in ("TINY", "SMALL", "BIG", "HUGE")]
_INTEGERS += ["INTEGER", "UINTEGER"]
_VALUES = (*_INTEGERS, "VARCHAR", "BLOB", "BOOLEAN", "UUID", "DATE", "TIME", "TIMESTAMP")
_KEYS = (*_INTEGERS, "FLOAT", "DOUBLE")

# The same macros by `ranked_list`, which is faster. Values and keys of other types, and -dedup, go to the
# macros above under other names. All rows go to one of the two aggregates, and the other one is NULL.
_RANKED_COLLECTORS = (
    re.sub(r"MACRO to_ordered_(list|map)", r"MACRO hivemall_any_\1", _COLLECTORS)
    + rf"""
CREATE OR REPLACE TEMP MACRO hivemall_is_ranked(value, key) AS
    typeof(value) IN {_VALUES} AND typeof(key) IN {_KEYS};

CREATE OR REPLACE TEMP MACRO hivemall_is_ranked_with(options, value, key) AS
    hivemall_is_ranked(value, key) AND NOT contains(options, '-dedup');

CREATE OR REPLACE TEMP MACRO hivemall_ranked(value, key, k, is_ranked) AS
    system.main.ranked_list(value, key, k, 'ties=item_desc, null_scores=skip') FILTER (WHERE is_ranked);

-- One aggregate lists the keys, which must differ, and one the values.
CREATE OR REPLACE TEMP MACRO hivemall_ranked_map(keys, items, k_or_reverse) AS list_transform(
    [{{'keys': keys, 'items': items}}],
    lambda ranked: map(
        list_transform(ranked.keys, lambda key, i: if(
            key = ranked.keys[i + 1], hivemall_repeated(key), key
        ))[1:hivemall_map_size(k_or_reverse)],
        ranked.items[1:hivemall_map_size(k_or_reverse)]
    )
)[1];

CREATE OR REPLACE TEMP MACRO hivemall_directed(ranked, descends) AS
    list_transform([ranked], lambda descending: if(descends, descending, list_reverse(descending)))[1];

CREATE OR REPLACE TEMP MACRO to_ordered_map(key, value, k_or_reverse := false) AS coalesce(
    hivemall_ranked_map(
        hivemall_directed(
            hivemall_ranked(key, key, NULL::BIGINT, hivemall_is_ranked(value, key)),
            hivemall_map_descends(k_or_reverse)
        ),
        hivemall_directed(
            hivemall_ranked(value, key, NULL::BIGINT, hivemall_is_ranked(value, key)),
            hivemall_map_descends(k_or_reverse)
        ),
        k_or_reverse
    ),
    hivemall_any_map(if(hivemall_is_ranked(value, key), NULL, key), value, k_or_reverse)
);

CREATE OR REPLACE TEMP MACRO to_ordered_list(value) AS hivemall_any_list(value),
(value, key_or_options) AS coalesce(
    list_reverse(hivemall_ranked(
        value, key_or_options, NULL::BIGINT, value IS NOT NULL AND hivemall_is_ranked(value, key_or_options)
    )),
    hivemall_any_list(if(hivemall_is_ranked(value, key_or_options), NULL, value), key_or_options)
),
(value, key, options) AS coalesce(
    hivemall_directed(
        hivemall_ranked(
            value,
            key,
            if(
                hivemall_list_descends(coalesce(options::VARCHAR, '')),
                try_cast(regexp_extract(options::VARCHAR, '-k\s+-?([1-9]\d{{0,8}})(\s|$)', 1) AS BIGINT),
                NULL
            ),
            value IS NOT NULL AND hivemall_is_ranked_with(coalesce(options::VARCHAR, ''), value, key)
        ),
        hivemall_list_descends(coalesce(options::VARCHAR, ''))
    )[1:hivemall_list_size(coalesce(options::VARCHAR, ''))],
    hivemall_any_list(
        if(hivemall_is_ranked_with(coalesce(options::VARCHAR, ''), value, key), NULL, value), key, options
    )
);
"""
)


def _averages() -> Iterator[str]:
    """Yield a statement for each name of a list metric. It makes this name that of the mean over users."""
    for function in functions():
        if function.form != "lists" or function.output != "value":
            continue
        arities = range(function.required, len(function.arguments) + 1)
        calls = [", ".join(function.arguments[:arity]) for arity in arities]
        for name in function.names:
            overloads = ", ".join(f'({call}) AS avg(system.main."{name}"({call}))' for call in calls)
            yield f'CREATE OR REPLACE TEMP MACRO "{name}" {overloads};'


def register_hivemall(con: duckdb.DuckDBPyConnection) -> None:
    """Let a connection run the ranking queries of Apache Hivemall as they are written.

    One name needs quotes, because it is a keyword of DuckDB: ``"precision"(...)``, or ``precision_at(...)``.

    Parameters
    ----------
    con : duckdb.DuckDBPyConnection
        A connection that has the functions of this package: one from :func:`rankdcg_sql.connect`, or any
        other after :func:`rankdcg_sql.register`.

    Notes
    -----
    The names are TEMP macros: they exist on this connection only and write nothing to the database. A cursor
    (``con.cursor()``) is another connection and needs a call of this function of its own.

    Aggregates that build the lists of one user:

    ``collect_set(x)``
        The distinct values that are not NULL, in ascending order; an empty list if there are none.
    ``to_ordered_map(key, value[, reverse | k])``
        A map in ascending order of keys. ``true`` gives descending order, ``k`` the k largest keys in
        descending order, ``-k`` the k smallest keys in ascending order. Rows with a NULL key are left out.
        Equal keys are an error. Hivemall would keep the value of one of them, and scores often tie.
    ``to_ordered_list(value[, key][, options])``
        The values in ascending order of keys, values with equal keys in ascending order; without a key, the
        values in ascending order. The options are ``-k N`` and ``-k -N`` (as in the map), ``-reverse``, and
        ``-dedup``, which keeps one of equal pairs of key and value. Rows with a NULL are left out. The result
        is NULL if no row remains. ``-kv_map`` and ``-vk_map`` are errors.

    Functions of one row: ``struct(a, ...)`` puts one to five values into fields without names. ``size(x)`` is
    the number of elements of a list or a map, and -1 for NULL.

    With native functions, from DuckDB 2.0 on, ``to_ordered_map`` and ``to_ordered_list`` use ``ranked_list``
    if values are integers, VARCHAR, BLOB, BOOLEAN, UUID, DATE, TIME or TIMESTAMP, and keys are integers,
    FLOAT or DOUBLE. A NaN key is an error then, and the two do not take ``OVER``.

    Every metric of ``(rec, truth)`` becomes Hivemall's aggregate of the same name, the mean over users:
    ``ndcg(rec, truth, 2)`` equals ``avg(ndcg(rec, truth, 2))`` without this dialect, so users whose metric is
    NULL do not count. The metric of one row is still available as ``system.main.ndcg(rec, truth, 2)``.

    Examples
    --------
    >>> import rankdcg_sql
    >>> con = rankdcg_sql.connect()
    >>> rankdcg_sql.register_hivemall(con)
    >>> con.execute('''
    ...     WITH rec AS (
    ...         SELECT userid, to_ordered_list(itemid, score, '-reverse') AS rec
    ...         FROM (VALUES (1, 'a', 0.2), (1, 'b', 0.9), (2, 'c', 0.5)) AS r(userid, itemid, score)
    ...         GROUP BY userid
    ...     ), truth AS (
    ...         SELECT userid, collect_set(itemid) AS truth
    ...         FROM (VALUES (1, 'a'), (2, 'c')) AS t(userid, itemid)
    ...         GROUP BY userid
    ...     )
    ...     SELECT mrr(rec, truth), recall(rec, truth, 1) FROM rec JOIN truth USING (userid)
    ... ''').fetchall()
    [(0.75, 0.5)]
    """
    with con.cursor() as cursor:
        has_ranked_list = call_if_known(cursor, "ranked_list(1, 1)") is not None
    collectors = _RANKED_COLLECTORS if has_ranked_list else _COLLECTORS
    con.execute(collectors + "\n".join(_averages()))
