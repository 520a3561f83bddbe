"""Table macros of DuckDB over the aggregates: their parameters, what they are for, and their SQL.

A macro takes the two tables by name. Its SQL follows four rules:

- A name in it that is a parameter stands for the argument. So no column has the name of a parameter, or it is
  always written behind that of its table, as in ``tests.k``.
- The tables of the caller are named in common table expressions whose names they cannot have, or in the first
  one. Otherwise it would hide a table of the same name.
- Directions and places of NULL are given wherever rows are sorted, and ids are compared as bytes, because
  settings of the caller change the defaults.
- Functions have their full names in the system, and operators that are functions, such as ``||``, do not
  occur. So no macro of the caller is called. In this module, ``@`` stands for ``system.main.``.

The helpers are macros, too, because DuckDB chooses a macro by the types of its arguments.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from functools import cache
from string import Template

from rankdcg_sql import _elsewhere, catalogue
from rankdcg_sql._arguments import USUAL_NAMES_OF_REL
from rankdcg_sql._native import extension_path
from rankdcg_sql._sql import quote_name, quote_text


@dataclass(frozen=True)
class MacroParameter:
    """A parameter of a table macro.

    Attributes
    ----------
    name : str
        Its name, for ``name := value`` in a call.
    type : str or None
        Its type in SQL, to which a value is cast; None for a table, and for a list that may be one value.
    default : str or None
        Its default as SQL; None if it must be given.
    description : str
        What it is, with its values.
    is_told : bool
        Whether the macro sees if a value is given. The default is then a text in SQL, which is no value.
    """

    name: str
    type: str | None
    default: str | None
    description: str
    is_told: bool = False

    @property
    def sql(self) -> str:
        """The parameter in the statement that creates the macro."""
        if self.default is None:
            return quote_name(self.name)
        # A macro of the caller could stand for the brackets.
        default = self.default.replace("[", "@list_value(").replace("]", ")")
        default = quote_text(self.default) if self.is_told else default
        # Before DuckDB 2.0, a keyword such as interval is a name between quotes only.
        return f"{' '.join(filter(None, (quote_name(self.name), self.type)))} := {default}"


@dataclass(frozen=True)
class TableMacro:
    """A table macro.

    Attributes
    ----------
    name : str
        Its name.
    summary : str
        What its rows are.
    parameters : tuple of MacroParameter
        Its parameters, in their order.
    columns : tuple of str
        The columns of its result.
    body : str
        The query that it stands for.
    needs_aggregates : bool
        Whether it calls aggregates that only DuckDB 2.0 has.
    """

    name: str
    summary: str
    parameters: tuple[MacroParameter, ...]
    columns: tuple[str, ...]
    body: str
    needs_aggregates: bool = True

    @property
    def signature(self) -> str:
        """The parameters as they are given, with their defaults."""
        return ", ".join(
            each.name if each.default is None else f"{each.name} := {each.default}"
            for each in self.parameters
        )


def statements(has_aggregates: bool) -> tuple[list[str], dict[str, str]]:
    """Write the statements that create helpers and table macros as TEMP macros, the latter keyed by name.

    A TEMP macro of the same name stays. `has_aggregates` is whether the database has the aggregates that only
    DuckDB 2.0 has. Without them, a call of a macro that needs them is an error that says so.
    """
    create = "CREATE TEMP MACRO IF NOT EXISTS"
    helpers = _helpers() if has_aggregates else _HELPERS_OF_CHECK
    macros = {
        macro.name: _created(create, macro if has_aggregates else _refusing(macro))
        for macro in table_macros()
    }
    return [_in_full(f"{create} {helper};") for helper in helpers], macros


def script(temporary: bool) -> str:
    """Write the statements that create or replace the macros, with comments, for any client of DuckDB."""
    create = f"CREATE OR REPLACE {'TEMP ' if temporary else ''}MACRO"
    head = f"""-- Table macros of rankdcg_sql {catalogue.version()}.
--
-- rank_evaluate, rank_summary and rank_compare need DuckDB 2.0 or later, and the extension of rankdcg_sql.
-- Before DuckDB 2.0, a call of them is an error that says so. rank_check and rank_functions need neither.
--
-- A client loads the extension if it allows unsigned extensions (duckdb -unsigned):
--
-- LOAD {quote_text(extension_path())};
"""
    if not temporary:
        head += """--
-- A database needs storage version v1.4.0 or later to keep these macros. A new one gets it by
-- duckdb -unsigned -storage-version v1.4.0 new.db
-- and a database of an earlier version is copied into a new one:
--
-- ATTACH 'shop.db' AS shop;
-- ATTACH 'new.db' AS new (STORAGE_VERSION 'v1.4.0');
-- COPY FROM DATABASE shop TO new;
"""
    helpers = "\n".join(_in_full(f"{create} {helper};") for helper in _helpers())
    parts = [head, f"-- Helpers of the macros below.\n{helpers}\n"]
    for macro in table_macros():
        described = [f"--   {each.name}: {each.description}" for each in macro.parameters]
        needs = ["-- It needs DuckDB 2.0 or later."] if macro.needs_aggregates else []
        parts.append("\n".join([f"-- {macro.summary}", *needs, *described, _created(create, macro)]) + "\n")
    return "\n".join(parts)


def _refusing(macro: TableMacro) -> TableMacro:
    """Return a macro with the same parameters and columns that says what it lacks, if it needs aggregates.

    Without a macro, DuckDB would suggest a function of its own, such as range for rank_evaluate.
    """
    if not macro.needs_aggregates:
        return macro
    columns = ", ".join(f"NULL AS {quote_name(column)}" for column in macro.columns)
    text = f"{macro.name}: {_NEEDS}"
    return replace(macro, body=f"SELECT {columns} WHERE @error({quote_text(text)})")


def _created(create: str, macro: TableMacro) -> str:
    parameters = ",\n    ".join(each.sql for each in macro.parameters)
    listed = f"\n    {parameters}\n" if parameters else ""
    return _in_full(f"{create} {macro.name}({listed}) AS TABLE\n{macro.body};")


def _in_full(sql: str) -> str:
    """Return SQL with the full names of functions."""
    return sql.replace("@", "system.main.")


# --- Parameters ---

_TRUTH = MacroParameter(
    "truth", None, None, "the table of judgements: a name, a view, a CTE, or the path of a file in quotes"
)
_REC = MacroParameter("rec", None, None, "the table of recommendations, given like truth")
_BASELINE = MacroParameter("baseline", None, None, "the recommendations to compare with, given like truth")
_COLUMNS = (
    MacroParameter("user", "VARCHAR", "'userid'", "the column of users, in each table"),
    MacroParameter("item", "VARCHAR", "'itemid'", "the column of items, in each table"),
    MacroParameter("score", "VARCHAR", "'score'", "the column of scores, in the recommendations"),
    MacroParameter(
        "rel", "VARCHAR", "NULL", "the column of relevances in truth; NULL: every row of truth is relevant"
    ),
)
_KS = MacroParameter(
    "ks", None, "[5, 10]", "the cutoffs, or one; NULL among them is the whole list", is_told=True
)
_K = MacroParameter("k", None, "'ks'", "another name of ks, for one of the two")
_COLUMNS_OF_ONE = tuple(
    MacroParameter(
        f"{role}_{what}", "VARCHAR", "NULL", f"the column of {what}s in {tables} alone, in place of {what}"
    )
    for role, tables in (("truth", "truth"), ("rec", "the recommendations"))
    for what in ("user", "item")
)
_OPTIONS = MacroParameter(
    "options", "VARCHAR", "''", "options of the metrics, such as 'gain=linear, min_rel=4'"
)
_MEANS = (
    MacroParameter(
        "users",
        "VARCHAR",
        "NULL",
        "the users of the means: 'truth', or 'both' for those who have recommendations, too; NULL: those of "
        "the convention in options, 'truth' without one",
    ),
    MacroParameter("interval", "VARCHAR", "'t'", "the kind of interval: 't' or 'bootstrap'"),
    MacroParameter("confidence", "DOUBLE", "0.95", "the confidence level of the intervals"),
)
_DRAWS = (
    MacroParameter("resamples", "BIGINT", "10000", "how many resamples are drawn, if any are"),
    MacroParameter("seed", "BIGINT", "0", "the seed of the resamples"),
)


def _option(name: str) -> catalogue.Option:
    """Return an option of the catalogue."""
    return next(option for option in catalogue.options() if option.name == name)


def _tests() -> tuple[MacroParameter, ...]:
    """List the parameters for tests."""
    corrections = ", ".join(map(quote_text, _option("correction").values))
    alternatives = ", ".join(map(quote_text, _option("alternative").values))
    corrected = f"how p-values are corrected for the number of rows: {corrections}, or 'none'; NULL is 'none'"
    return (
        MacroParameter("test", "VARCHAR", "'t'", "the test: 't', 'wilcoxon' or 'randomization'"),
        MacroParameter("alternative", "VARCHAR", "'two_sided'", f"one of {alternatives}"),
        MacroParameter("margin", "DOUBLE", "0", "the difference that does not matter, with test := 't'"),
        MacroParameter("correction", "VARCHAR", "'holm'", corrected),
    )


@cache
def _metrics() -> tuple[str, ...]:
    """List the metrics that the aggregates of all users compute, in the order of their fields."""
    return catalogue.expressions()["rank_metrics_at_by_user"].fields[1:]


def _metrics_parameter() -> MacroParameter:
    chosen = {function.base for function in catalogue.functions() if function.by_default}
    named = [metric for metric in _metrics() if metric in chosen]
    others = ", ".join(metric for metric in _metrics() if metric not in chosen)
    description = f"the metrics, or one; {others} is among them only if it is named"
    return MacroParameter("metrics", None, str(named), description)


_COLUMNS_OF_FUNCTIONS = (
    *("name", "aliases", "form", "arguments", "result", "description"),
    *("formula", "range", "options", "example", "source"),
)


# --- SQL ---

#: The error of macros that need aggregates, in a database without them.
_NEEDS = (
    "needs DuckDB 2.0 or later, and its functions as an extension: evaluate() and compare() in Python need "
    "neither"
)
#: A family of types. Only values of one family can be equal.
_HELPERS_OF_CHECK = (
    r"""rankdcg_sql_family(kind) AS CASE
    WHEN @regexp_full_match(kind, '(U?(TINY|SMALL|BIG)INT|HUGEINT|U?INTEGER|DECIMAL\(\d+,\d+\))')
        THEN 'whole number'
    WHEN @regexp_full_match(kind, 'VARCHAR|ENUM\(.*\)') THEN 'text'
    WHEN kind IN ('FLOAT', 'DOUBLE') THEN 'floating point'
    ELSE kind
END""",
    # Equal ids, and no others, have equal keys. Texts are compared as bytes.
    "rankdcg_sql_key(found BIGINT) AS found, (found VARCHAR) AS @encode(found), (found) AS found",
    # DuckDB 2.0 takes isnan(x) for false where the statistics of a Parquet file give x a range, and files of
    # Polars and pyarrow leave NaN out of them. It does not look through this CASE.
    "rankdcg_sql_is_nan(number) AS @isnan(CASE WHEN number IS NOT NULL THEN number END)",
    """rankdcg_sql_is_number(kind) AS
    kind IN ('UHUGEINT', 'BIGNUM') OR rankdcg_sql_family(kind) IN ('whole number', 'floating point')""",
    # A list with the name of the column. DuckDB's error shows a name that the table does not have, and such a
    # name is therefore a sentence here. A table without scores may be truth: it has the column of relevances,
    # or nothing but users and items. A printed macro may be called in a DuckDB before 2.0, which finds the
    # columns before it misses the aggregates.
    f"""rankdcg_sql_column(names, macro, source, parameter, given, rel) AS CASE
    WHEN macro <> 'rank_check' AND @starts_with(@version(), 'v1.')
        THEN @list_value(@concat(macro, ': {_NEEDS}'))
    WHEN @list_contains(@list_transform(names, lambda name: @lower(name)), @lower(given))
        THEN @list_value(given)
    ELSE @list_value(@concat(
        macro, ': ', source, ' has no column ', CASE WHEN given IS NULL THEN 'NULL' ELSE given END, ', and ',
        parameter, ' must name one of ',
        @array_to_string(@list_filter(names, lambda name: name <> 'rankdcg_sql: relevant'), ', '),
        CASE
            WHEN parameter = 'score' AND (
                @len(names) = 2
                OR @list_contains(@list_transform(names, lambda name: @lower(name)), @lower(rel))
            ) THEN @concat('; was truth given as ', source, '?')
            ELSE ''
        END
    ))
END""",
)

_HELPERS = (
    *_HELPERS_OF_CHECK,
    # The type decides at once, so that only one aggregate is needed, and integers are not written as text.
    # Equal values have equal texts: 0.0 and -0.0 are one user, and so are all NaN.
    """rankdcg_sql_userid(found BIGINT) AS found, (found) AS CASE
    WHEN @typeof(found) IN ('FLOAT', 'DOUBLE') AND found::VARCHAR IN ('-0.0', '-nan')
        THEN @substr(found::VARCHAR, 2)
    ELSE found::VARCHAR
END""",
    # Whether different texts are different values. They are not in intervals, and in lists and structs, which
    # may have numbers in them. The type decides at once.
    r"""rankdcg_sql_has_one_text(kind) AS @regexp_full_match(kind,
    '"NULL"|U?(TINY|SMALL|BIG|HUGE)INT|U?INTEGER|DECIMAL\(.*\)|BIGNUM|FLOAT|DOUBLE|BOOLEAN|VARCHAR|JSON|'
    'ENUM\(.*\)|DATE|TIME(_NS| WITH TIME ZONE)?|TIMESTAMP[^\[]*|UUID|BLOB|BIT'
)""",
    "rankdcg_sql_named(found BIGINT, name) AS found, (found, name) AS name",
    # One value is a list, too. Both are texts on the way, because a macro cannot be chosen by the type of a
    # parameter of a prepared statement, which has none yet.
    """rankdcg_sql_listed(given) AS CASE
    WHEN @ends_with(@typeof(given), ']') THEN given::VARCHAR
    ELSE @list_value(given)::VARCHAR
END""",
    r"""rankdcg_sql_has_integers(given) AS
    @regexp_full_match(@typeof(given), '("NULL"|U?(TINY|SMALL|BIG)INT|U?INTEGER)(\[\d*\])?')""",
    """rankdcg_sql_numbers(given) AS
    (CASE WHEN rankdcg_sql_has_integers(given) THEN rankdcg_sql_listed(given) END)::BIGINT[]""",
    "rankdcg_sql_names(given) AS rankdcg_sql_listed(given)::VARCHAR[]",
    # The names of the columns of metrics, or a sentence for DuckDB's error.
    """rankdcg_sql_metrics(macro, given, allowed) AS CASE
    WHEN @len(given) > 0 THEN @list_transform(given, lambda name: CASE
        WHEN @list_contains(allowed, @lower(name)) THEN @lower(name)
        ELSE @concat(
            macro, ': metrics must be among ', @array_to_string(allowed, ', '), ', got ',
            CASE WHEN name IS NULL THEN 'NULL' ELSE name END, rankdcg_sql_advice(name)
        )
    END)
    ELSE @list_value(
        @concat(macro, ': metrics must be among ', @array_to_string(allowed, ', '), ', got none')
    )
END""",
    # Each cutoff once, in their order. The list `numbers` has those that were given.
    """rankdcg_sql_distinct(macro, name, given, numbers) AS CASE
    WHEN NOT rankdcg_sql_has_integers(given) THEN @error(@concat(
        macro, ': ', name, ' must be an integer, a list of integers or NULL, got ',
        CASE WHEN given IS NULL THEN 'NULL' ELSE given::VARCHAR END, ' of type ', @typeof(given)
    ))
    WHEN numbers IS NULL THEN @list_value(NULL)::BIGINT[]
    WHEN @len(numbers) = 0
        THEN @error(@concat(macro, ': ', name, ' is empty: give cutoffs, such as ', name, ' := [5, 10]'))
    ELSE @list_filter(numbers, lambda cut, place: @list_position(numbers, cut) = place)
END""",
    # Whether an argument is not the text of its default.
    "rankdcg_sql_is_given(given, value) AS @typeof(given) <> 'VARCHAR' OR given::VARCHAR <> value",
    """rankdcg_sql_cutoffs(ks, k) AS CASE
    WHEN rankdcg_sql_is_given(k, 'ks') THEN rankdcg_sql_numbers(k)
    WHEN rankdcg_sql_is_given(ks, '[5, 10]') THEN rankdcg_sql_numbers(ks)
    ELSE @list_value(5, 10)::BIGINT[]
END""",
    """rankdcg_sql_ks(macro, ks, k) AS CASE
    WHEN NOT rankdcg_sql_is_given(k, 'ks') AND NOT rankdcg_sql_is_given(ks, '[5, 10]')
        THEN rankdcg_sql_cutoffs(ks, k)
    WHEN NOT rankdcg_sql_is_given(k, 'ks')
        THEN rankdcg_sql_distinct(macro, 'ks', ks, rankdcg_sql_numbers(ks))
    WHEN NOT rankdcg_sql_is_given(ks, '[5, 10]')
        THEN rankdcg_sql_distinct(macro, 'k', k, rankdcg_sql_numbers(k))
    ELSE @error(@concat(macro, ': k is another name of ks: give one of the two'))
END""",
    # True, or an error.
    """rankdcg_sql_match(macro, kind, other_kind) AS CASE
    WHEN kind <> other_kind THEN @error(@concat(
        macro, ': users or items of the tables have types that cannot be compared, such as text and ',
        'integer: cast one, in a view or a CTE; rank_check names the types'
    ))
    ELSE true
END""",
    """rankdcg_sql_one_of(macro, named, given, allowed) AS CASE
    WHEN @list_contains(allowed, given) THEN given
    ELSE @error(@concat(
        macro, ': ', named, ' must be one of ', @array_to_string(allowed, ', '), ', got ',
        CASE WHEN given IS NULL THEN 'NULL' ELSE given END
    ))
END""",
)


def _helpers() -> tuple[str, ...]:
    """List the helpers of all macros."""
    return (*_HELPERS, _advice())


def _advice() -> str:
    """Write the helper that says what to do about a name that is none of the macros' metrics, after a colon.

    A line of its text begins with names in plain letters. A regular expression finds the line of a name.
    """
    lines = dict(_elsewhere.advice())
    for name, metric in catalogue.metric_names().items():
        rows = catalogue.metric_functions()[metric].name
        lines[name] = (
            f"did you mean {metric}?"
            if metric in _metrics()
            else f"{rows} computes it from rows, and evaluate() in Python from tables"
        )
    by_advice: dict[str, list[str]] = {}
    for name, text in lines.items():
        by_advice.setdefault(text, []).append(name)
    table = "\n".join(f"|{'|'.join(names)}|: {text}" for text, names in by_advice.items())
    plain = "@lower(name)"
    for part, instead in _elsewhere.TO_PLAIN_LETTERS:
        plain = f"@regexp_replace({plain}, {quote_text(part)}, {quote_text(instead)}, 'g')"
    line = rf"@concat('\|', @regexp_escape({plain}), '\|[^:\n]*(: [^\n]*)')"
    return f"rankdcg_sql_advice(name) AS @regexp_extract({quote_text(table)}, {line}, 1)"


def _one_of(macro: str, name: str, *allowed: str, given: str | None = None) -> str:
    """Write SQL for an argument that is one of these texts, and for an error if it is not."""
    texts = ", ".join(f"'{text}'" for text in allowed)
    return f"rankdcg_sql_one_of('{macro}', '{name}', {given or name}, @list_value({texts}))"


def _users(macro: str) -> str:
    """Write SQL for the users of means: those that the argument names, or else those of the convention."""
    names = "|".join(each.name for each in catalogue.conventions() if each.users == "both")
    convention = quote_text(rf"(^|,)\s*convention\s*=\s*({names})\s*(,|$)")
    of_convention = f"@regexp_matches(@lower(options), {convention})"
    chosen = f"CASE WHEN users IS NOT NULL THEN users WHEN {of_convention} THEN 'both' ELSE 'truth' END"
    return _one_of(macro, "users", "truth", "both", given=chosen)


def _number_or_null(column: str) -> str:
    """Write SQL for a column in which NaN becomes NULL. Types without NaN stay as they are, at no cost."""
    return (
        f"CASE WHEN @typeof({column}) IN ('FLOAT', 'DOUBLE') AND rankdcg_sql_is_nan({column}::DOUBLE) "
        f"THEN NULL ELSE {column} END"
    )


def _column(macro: str, table: str, parameter: str, given: str | None = None) -> str:
    """Write SQL for the column of a table that an argument names."""
    return f"COLUMNS(rankdcg_sql_column(*, '{macro}', '{table}', '{parameter}', {given or parameter}, rel))"


def _id_column(macro: str, table: str, what: str) -> str:
    """Write SQL for the column of users or of items: the table's own argument prevails."""
    own = f"{'truth' if table == 'truth' else 'rec'}_{what}"
    given = f"CASE WHEN {own} IS NULL THEN {what} ELSE {own} END"
    return _column(macro, table, f"{what} or {own}", given)


def _rows(macro: str, table: str) -> str:
    """Write the query of the columns of a table: users, items, and relevances or scores."""
    user, item = (_id_column(macro, table, what) for what in ("user", "item"))
    ids = f"{user} AS userid,\n            {item} AS itemid"
    if table != "truth":
        return f"""SELECT
            {ids},
            {_column(macro, table, "score")} AS points
        FROM @query_table({table})"""
    rel = _column(macro, table, "rel", "CASE WHEN rel IS NULL THEN 'rankdcg_sql: relevant' ELSE rel END")
    return f"""SELECT
            {ids},
            {rel} AS grade
        FROM (SELECT *, true AS "rankdcg_sql: relevant" FROM @query_table(truth))"""


def _both_tables(macro: str, *recs: str) -> str:
    """Write the common table expressions with the rows of all tables, one after the other.

    A row of the recommendations `rec` has ``rec_points``, a row of truth has ``grade``, and the others are
    NULL. ``kinds`` is the same in all rows of a table, and differs between tables whose ids cannot be equal.
    """
    tables = (*recs, "truth")
    kinds = "@hash(rankdcg_sql_family(@typeof(userid)), rankdcg_sql_family(@typeof(itemid)))"

    def branch(table: str) -> str:
        numbers = [
            f"{_number_or_null('grade' if name == 'truth' else 'points') if name == table else 'NULL'} "
            f"AS {'grade' if name == 'truth' else f'{name}_points'}"
            for name in tables
        ]
        truth = "true" if table == "truth" else "false"
        listed = ",\n        ".join(["userid, itemid", *numbers, f"{kinds} AS kinds", f"{truth} AS is_truth"])
        return f"""    SELECT
        {listed}
    FROM (
        {_rows(macro, table)}
    )"""

    union = "\n    UNION ALL\n".join(map(branch, tables))
    has_one_text = "rankdcg_sql_has_one_text(@typeof(userid))"
    return f"""both_tables AS NOT MATERIALIZED (
{union}
),

-- The users as the aggregate takes them. One text stands for all equal users, however they are written.
rows_of_users AS NOT MATERIALIZED (
    SELECT *, rankdcg_sql_userid(userid) AS named
    FROM both_tables
    WHERE {has_one_text}
    UNION ALL
    SELECT both_tables.*, rankdcg_sql_named(userid, name)
    FROM both_tables LEFT JOIN (
        SELECT userid AS other, @max(userid::VARCHAR COLLATE "binary") AS name
        FROM both_tables
        WHERE NOT {has_one_text}
        GROUP BY userid
    ) ON userid = other
    WHERE NOT {has_one_text}
)"""


def _evaluated(macro: str, rec: str) -> str:
    """Write SQL for the metrics and counts of all users, a list.

    It is an error if types of ids do not fit.
    """
    return f"""CASE
            WHEN rankdcg_sql_match('{macro}', @min(kinds), @max(kinds))
                THEN @rank_evaluation_by_user(
                    named, itemid, {rec}_points, grade,
                    rankdcg_sql_ks('{macro}', ks, k), options
                )
        END"""


def _named_metrics(macro: str) -> str:
    """Write SQL for the list of the metrics that the argument names."""
    texts = ", ".join(f"'{metric}'" for metric in _metrics())
    return f"rankdcg_sql_metrics('{macro}', rankdcg_sql_names(metrics), @list_value({texts}))"


def _place(macro: str, table: str) -> str:
    """Write SQL that orders the rows of a table as the arguments name metrics and cutoffs."""
    return f"""@list_position({_named_metrics(macro)}, metric) ASC NULLS LAST,
    @list_position(rankdcg_sql_cutoffs(ks, k), {table}.k) ASC NULLS LAST"""


def _interval(macro: str, values: str, of_t: str, least: int) -> str:
    """Write SQL for the confidence interval of the mean of values; `of_t` is that by Student's t.

    No value is below `least` or above 1.
    """
    return f"""CASE {_one_of(macro, "interval", "t", "bootstrap")}
                WHEN 't' THEN {of_t}
                ELSE @bootstrap_ci({values}, @concat(
                    'confidence=', confidence, ', resamples=', resamples, ', seed=', seed,
                    ', lower_bound={least}, upper_bound=1'
                ))
            END"""


def _interval_by(values: str) -> str:
    """Write SQL for what the interval of the mean of values is from, as `interval_by_in_sql`."""
    return f"""CASE
                WHEN @subtract(@max({values}), @min({values})) <= 1e-12 THEN 'range'
                WHEN @count({values}) > 0 THEN interval
            END"""


def _rank_evaluate() -> str:
    return f"""WITH {_both_tables("rank_evaluate", "rec")},

evaluated AS (
    SELECT
        {_evaluated("rank_evaluate", "rec")} AS found,
        @any_value(CASE WHEN false THEN userid END) AS no_user
    FROM rows_of_users
)

SELECT
    -- Users of other types than integers went through the aggregate as texts.
    @cast_to_type(userid, no_user) AS userid, users_at_k.k,
    {", ".join(_metrics())},
    retrieved, judged, retrieved_repeats, judged_repeats
FROM (SELECT unnest(found, recursive := true), no_user FROM evaluated) AS users_at_k
WHERE judged > 0"""


def _rank_summary() -> str:
    macro = "rank_summary"
    named = f"COLUMNS({_named_metrics(macro)})"
    values = f"CASE WHEN is_counted THEN {named} END"
    of_t = f"@mean_ci({values}, @concat('confidence=', confidence, ', lower_bound=0, upper_bound=1'))"
    return f"""WITH {_both_tables(macro, "rec")},

evaluated AS (
    SELECT
        {_evaluated(macro, "rec")} AS found,
        @count(
            CASE WHEN NOT is_truth AND (userid IS NULL OR rec_points IS NULL) THEN 1 END
        ) AS rec_left_out,
        @count(
            CASE WHEN is_truth AND (userid IS NULL OR itemid IS NULL OR grade IS NULL) THEN 1 END
        ) AS truth_left_out
    FROM rows_of_users
),

users_at_k AS (
    SELECT
        *,
        judged > 0 AND ({_users(macro)} = 'truth' OR retrieved > 0) AS is_counted
    FROM (SELECT unnest(found, recursive := true), rec_left_out, truth_left_out FROM evaluated)
),

means_at_k AS (
    SELECT
        users_at_k.k,
        @count(CASE WHEN is_counted THEN 1 END) AS users_evaluated,
        @count(CASE WHEN judged > 0 AND retrieved = 0 THEN 1 END) AS users_without_rec,
        @count(CASE WHEN judged = 0 AND retrieved > 0 THEN 1 END) AS users_without_truth,
        -- The repeats of a user are NULL where rows were dropped before they could be compared.
        CASE
            WHEN @count(*) = @count(retrieved_repeats)
                THEN @sum(retrieved_repeats)::BIGINT
        END AS rec_repeats,
        @sum(judged_repeats)::BIGINT AS truth_repeats,
        @any_value(rec_left_out) AS rec_left_out,
        @any_value(truth_left_out) AS truth_left_out,
        -- One column for each of the metrics, with the name of the metric.
        @struct_pack(
            found := {_interval(macro, values, of_t, 0)},
            interval_by := {_interval_by(values)},
            without_value := @count(CASE WHEN is_counted AND {named} IS NULL THEN 1 END)
        ) AS "\\0"
    FROM users_at_k
    GROUP BY users_at_k.k
)

SELECT
    metric, means.k, low, high, users_evaluated, users_without_rec, users_without_truth,
    rec_repeats, truth_repeats, rec_left_out, truth_left_out, without_value, interval_by, mean, n
FROM (
    SELECT * EXCLUDE (mean_of_metric), unnest(mean_of_metric, recursive := true)
    FROM means_at_k UNPIVOT (mean_of_metric FOR metric IN (COLUMNS(* EXCLUDE (
        k, users_evaluated, users_without_rec, users_without_truth,
        rec_repeats, truth_repeats, rec_left_out, truth_left_out
    ))))
) AS means
ORDER BY
    {_place(macro, "means")}"""


def _rank_compare() -> str:
    macro = "rank_compare"
    pairs = ",\n        ".join(
        f"@struct_pack(a := a.{metric}, b := b.{metric}) AS {metric}" for metric in _metrics()
    )
    field = "@struct_extract({}, '{}')".format
    a, b = (field("COLUMNS(* EXCLUDE (k))", side) for side in "ab")
    difference = f"@subtract({a}, {b})"
    named = f"COLUMNS({_named_metrics(macro)})"
    margin = "CASE WHEN margin = 0 THEN '' ELSE @concat(', margin=', margin) END"
    options = f"'tolerance=1e-12, alternative=', alternative, {margin}"
    test, interval = (
        _one_of(macro, name, *values)
        for name, values in {
            "test": ("t", "wilcoxon", "randomization"),
            "interval": ("t", "bootstrap"),
        }.items()
    )
    bounded = "'confidence=', confidence, ', lower_bound=-1, upper_bound=1, '"
    compared = f"""CASE {test}
                WHEN 't' THEN @paired_comparison({a}, {b}, @concat({bounded}, {options}))
                ELSE @paired_comparison({a}, {b}, @concat({bounded}, 'tolerance=1e-12'))
            END"""
    low, high = (
        f"CASE {interval} WHEN 't' THEN {field('compared', end)} ELSE {field('found', end)} END"
        for end in ("low", "high")
    )
    return f"""WITH {_both_tables(macro, "rec", "baseline")},

evaluated AS MATERIALIZED (
    SELECT
        {_evaluated(macro, "rec")} AS found,
        {_evaluated(macro, "baseline")} AS baseline_found
    FROM rows_of_users
),

-- The values of each user: a of rec, and b of the baseline.
users_at_k AS (
    SELECT
        a.k,
        {pairs}
    FROM (SELECT unnest(found, recursive := true) FROM evaluated) AS a
    JOIN (SELECT unnest(baseline_found, recursive := true) FROM evaluated) AS b
        ON rankdcg_sql_key(a.userid) = rankdcg_sql_key(b.userid) AND a.k IS NOT DISTINCT FROM b.k
    WHERE a.judged > 0
        AND ({_users(macro)} = 'truth' OR (a.retrieved > 0 AND b.retrieved > 0))
),

-- A user without one of the two values has no pair.
pairs_at_k AS (
    SELECT
        users_at_k.k,
        CASE
            WHEN {field(named, "a")} IS NOT NULL AND {field(named, "b")} IS NOT NULL
                THEN {named}
        END AS "\\0"
    FROM users_at_k
),

tests_at_k AS (
    SELECT
        pairs_at_k.k,
        -- One column for each of the metrics, with the name of the metric.
        @struct_pack(
            compared := {compared},
            -- NULL for Student's t, which `compared` has.
            found := {_interval(macro, difference, "NULL", -1)},
            interval_by := {_interval_by(difference)},
            tested := CASE {test}
                WHEN 't' THEN NULL
                WHEN 'wilcoxon' THEN @wilcoxon_signed_rank({a}, {b}, @concat({options}))
                ELSE @randomization_test(
                    {a}, {b}, @concat({options}, ', resamples=', resamples, ', seed=', seed)
                )
            END,
            without_value := @count(CASE WHEN COLUMNS(* EXCLUDE (k)) IS NULL THEN 1 END)
        ) AS "\\0"
    FROM pairs_at_k
    GROUP BY pairs_at_k.k
),

tests AS (
    SELECT
        *, {low} AS low, {high} AS high,
        CASE {test}
            WHEN 't' THEN {field("compared", "p_value")} ELSE {field("tested", "p_value")}
        END AS p_value,
        @row_number() OVER (
            ORDER BY {_place(macro, "unnested")}
        ) AS place
    FROM (
        SELECT unpivoted.metric, unpivoted.k, unnest(test_of_metric)
        FROM tests_at_k UNPIVOT (test_of_metric FOR metric IN (COLUMNS(* EXCLUDE (k)))) AS unpivoted
    ) AS unnested
)

SELECT
    metric, tests.k, {field("compared", "mean_a")} AS mean, {field("compared", "mean_b")} AS baseline,
    {field("compared", "n")} AS n,
    low, high, {field("compared", "effect_size")} AS effect_size, p_value,
    {field("compared", "wins")} AS wins, {field("compared", "ties")} AS ties,
    {field("compared", "losses")} AS losses, without_value, interval_by,
    {field("compared", "mean_difference")} AS difference,
    CASE
        WHEN correction IS NULL THEN p_value
        WHEN {_one_of(macro, "correction", *_option("correction").values, "none")} = 'none' THEN p_value
        ELSE @list_extract(
            @corrected_p_values(
                @list(p_value) OVER (
                    ORDER BY place ASC NULLS LAST ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING
                ),
                @concat('correction=', correction)
            ),
            place
        )
    END AS p_corrected
FROM tests
ORDER BY place ASC NULLS LAST"""


def _rank_check() -> str:
    macro = "rank_check"
    kinds = ",\n    ".join(
        f"""(
        SELECT
            @typeof(@any_value(userid)) AS users_of_{table},
            @typeof(@any_value(itemid)) AS items_of_{table}
        FROM (
            {rows}
        )
        WHERE false
    )"""
        for table, rows in (("truth", _rows(macro, "truth")), ("rec", _rows(macro, "rec")))
    )
    usual = ", ".join(map(quote_text, USUAL_NAMES_OF_REL))
    one_family = '(SELECT {}s_fit FROM "rankdcg_sql: kinds")'
    of_ids = "\n    UNION ALL\n".join(
        f"""    SELECT {place}, '{table}', '{name} without a row in {other}', @count(*), @min(id),
        '{consequence}'
    FROM {name}_ids
    WHERE in_{table} AND NOT in_{other} AND {one_family.format(name)}
    HAVING @count(*) > 0"""
        for place, table, other, name, consequence in (
            (9, "truth", "rec", "user", "counts as 0"),
            (9, "rec", "truth", "user", "is not evaluated"),
            (10, "truth", "rec", "item", "is never retrieved"),
            (10, "rec", "truth", "item", "is irrelevant to every user"),
        )
    )
    in_common = "\n    UNION ALL\n".join(
        f"""    SELECT 11, 'both', 'no {name} in common', 1, NULL, 'all metrics are 0'
    FROM {name}_ids
    WHERE {one_family.format(name)}
    HAVING @count(*) > 0 AND NOT @bool_or(in_truth AND in_rec)"""
        for name in ("user", "item")
    )
    of_types = "\n    UNION ALL\n".join(
        f"""    SELECT 12, 'both', '{name} has another type', 1,
        @concat({name}s_of_truth, ' in truth, ', {name}s_of_rec, ' in rec'), 'an error: cast one in a view'
    FROM "rankdcg_sql: kinds"
    WHERE NOT {name}s_fit"""
        for name in ("user", "item")
    )
    return Template("""WITH "rankdcg_sql: truth" AS (FROM @query_table(truth)),

"rankdcg_sql: kinds" AS (
    -- The types of the ids, and whether values of both tables can be equal. The tables are not read for them.
    SELECT
        *,
        rankdcg_sql_family(users_of_truth) = rankdcg_sql_family(users_of_rec) AS users_fit,
        rankdcg_sql_family(items_of_truth) = rankdcg_sql_family(items_of_rec) AS items_fit
    FROM $kinds, (
        -- A column that seems to hold relevances, although no argument names it.
        SELECT @min(column_name) AS forgotten
        FROM (DESCRIBE "rankdcg_sql: truth")
        WHERE rel IS NULL AND @list_contains(@list_value($usual), @lower(column_name))
            AND (column_type = 'BOOLEAN' OR rankdcg_sql_is_number(column_type))
    )
),

both_tables AS MATERIALIZED (
    SELECT
        true AS is_truth, userid, itemid, grade IS NULL AS is_missing, try_cast(grade AS DOUBLE) AS number,
        CASE
            WHEN @typeof(grade) <> 'BOOLEAN' AND NOT rankdcg_sql_is_number(@typeof(grade))
                THEN grade::VARCHAR
        END AS no_number
    FROM (
        $truth_rows
    )
    UNION ALL
    SELECT
        false, userid, itemid, points IS NULL, try_cast(points AS DOUBLE),
        CASE WHEN NOT rankdcg_sql_is_number(@typeof(points)) THEN points::VARCHAR END
    FROM (
        $rec_rows
    )
),

shown AS (
    SELECT
        *,
        CASE WHEN is_truth THEN 'truth' ELSE 'rec' END AS source,
        CASE WHEN is_truth THEN 'relevance' ELSE 'score' END AS measured,
        @concat(
            'user ', CASE WHEN userid IS NULL THEN 'NULL' ELSE userid::VARCHAR END,
            ', item ', CASE WHEN itemid IS NULL THEN 'NULL' ELSE itemid::VARCHAR END
        ) COLLATE "binary" AS example
    FROM both_tables
),

-- Rows that are left out are of no user. A row with a text is not left out: cast it, and it is of its user.
usable AS (
    SELECT is_truth, userid, itemid, number
    FROM both_tables
    WHERE userid IS NOT NULL AND NOT is_missing
        AND (no_number IS NOT NULL OR NOT rankdcg_sql_is_nan(number))
),

repeated AS (
    SELECT
        CASE WHEN is_truth THEN 'truth' ELSE 'rec' END AS source,
        @subtract(@count(*), 1) AS repeats,
        is_truth AND @min(number) <> @max(number) AS differs,
        @concat('user ', @any_value(userid)::VARCHAR, ', item ', @any_value(itemid)::VARCHAR)
            COLLATE "binary" AS example
    FROM usable
    WHERE itemid IS NOT NULL
    GROUP BY is_truth, rankdcg_sql_key(userid), rankdcg_sql_key(itemid)
    HAVING @count(*) > 1
),

user_ids AS (
    SELECT
        @any_value(userid)::VARCHAR COLLATE "binary" AS id,
        @bool_or(is_truth) AS in_truth, @bool_or(NOT is_truth) AS in_rec
    FROM usable
    GROUP BY rankdcg_sql_key(userid)
),

item_ids AS (
    SELECT
        @any_value(itemid)::VARCHAR COLLATE "binary" AS id,
        @bool_or(is_truth) AS in_truth, @bool_or(NOT is_truth) AS in_rec
    FROM usable
    WHERE itemid IS NOT NULL
    GROUP BY rankdcg_sql_key(itemid)
),

findings AS (
    SELECT
        1 AS place, source, 'user and item of another row' AS problem, @sum(repeats)::BIGINT AS found,
        @min(example) AS example,
        CASE source WHEN 'truth' THEN 'the judgement counts once' ELSE 'the largest score counts' END
            AS consequence
    FROM repeated
    WHERE differs IS DISTINCT FROM true
    GROUP BY source
    UNION ALL
    SELECT
        2, source, 'item of a user with several relevances', @count(*), @min(example),
        'an error: keep one relevance'
    FROM repeated
    WHERE differs
    GROUP BY source
    UNION ALL
    SELECT 3, source, 'user is NULL', @count(*), @min(example), 'the row is left out'
    FROM shown
    WHERE userid IS NULL
    GROUP BY source
    UNION ALL
    SELECT
        4, source, 'item is NULL', @count(*), @min(example),
        CASE source WHEN 'truth' THEN 'the row is left out' ELSE 'the row takes a rank, and is irrelevant' END
    FROM shown
    WHERE itemid IS NULL
    GROUP BY source
    UNION ALL
    SELECT
        5, source, @concat(measured, ' is NULL'), @count(*), @min(example),
        'the row is left out'
    FROM shown
    WHERE is_missing
    GROUP BY source, measured
    UNION ALL
    SELECT
        6, source, @concat(measured, ' is NaN'), @count(*), @min(example),
        'the row is left out'
    FROM shown
    WHERE rankdcg_sql_is_nan(number) AND no_number IS NULL
    GROUP BY source, measured
    UNION ALL
    SELECT
        7, source, @concat(measured, ' is no number'), @count(*), @min(no_number),
        'an error: cast the column to a number'
    FROM shown
    WHERE no_number IS NOT NULL
    GROUP BY source, measured
    UNION ALL
    SELECT
        8, source, 'relevance is infinite or negative', @count(*), @min(example), 'an error'
    FROM shown
    WHERE is_truth AND userid IS NOT NULL AND itemid IS NOT NULL AND no_number IS NULL
        AND (number < 0 OR @isinf(number))
    GROUP BY source
    UNION ALL
$of_ids
    UNION ALL
$in_common
    UNION ALL
$of_types
    UNION ALL
    SELECT
        13, 'truth', 'rel is not given', 1, @concat('column ', forgotten),
        'each row counts as relevant'
    FROM "rankdcg_sql: kinds"
    WHERE forgotten IS NOT NULL
)

SELECT source, problem, found, example, consequence
FROM findings
ORDER BY
    @starts_with(consequence, 'an error') DESC NULLS LAST,
    source = 'both' ASC NULLS LAST, source DESC NULLS LAST,
    place ASC NULLS LAST, problem ASC NULLS LAST""").substitute(
        truth_rows=_rows(macro, "truth"),
        rec_rows=_rows(macro, "rec"),
        kinds=kinds,
        usual=usual,
        of_ids=of_ids,
        in_common=in_common,
        of_types=of_types,
    )


def _rank_functions() -> str:
    """Write the rows of the catalogue as SQL. JSON in one text takes a tenth of the time of rows of SQL."""
    rows = [
        (
            *(each.name, each.aliases, each.form, each.signature, each.result, each.summary),
            *(each.formula, each.range, each.options, each.examples.sql, each.source),
        )
        for each in catalogue.functions()
    ]
    listed = [dict(zip(_COLUMNS_OF_FUNCTIONS, row, strict=True)) for row in rows]
    kinds = {
        name: ["VARCHAR"] if isinstance(value, tuple) else "VARCHAR" for name, value in listed[0].items()
    }
    # In macros here, the character @ stands for a schema.
    texts = [json.dumps(value, ensure_ascii=False).replace("@", "\\u0040") for value in (listed, [kinds])]
    return f"SELECT unnest(@from_json({', '.join(map(quote_text, texts))}), recursive := true)"


@cache
def table_macros() -> tuple[TableMacro, ...]:
    """List the table macros.

    DuckDB leaves out columns in the middle of a result that is too wide. Those that are read first are
    therefore the first and the last ones.
    """
    counts = ("retrieved", "judged", "retrieved_repeats", "judged_repeats")
    return (
        TableMacro(
            "rank_evaluate",
            "The metrics of each user of truth, in a row for each k.",
            (_TRUTH, _REC, _KS, *_COLUMNS, _OPTIONS, _K, *_COLUMNS_OF_ONE),
            ("userid", "k", *_metrics(), *counts),
            _rank_evaluate(),
        ),
        TableMacro(
            "rank_summary",
            "The mean of each metric over users and its confidence interval, in a row for each metric and k, "
            "with numbers of users and rows.",
            (
                *(_TRUTH, _REC, _KS, *_COLUMNS, _OPTIONS, _metrics_parameter()),
                *(*_MEANS, *_DRAWS, _K, *_COLUMNS_OF_ONE),
            ),
            (
                *("metric", "k", "low", "high"),
                *("users_evaluated", "users_without_rec", "users_without_truth"),
                *("rec_repeats", "truth_repeats", "rec_left_out", "truth_left_out"),
                *("without_value", "interval_by", "mean", "n"),
            ),
            _rank_summary(),
        ),
        TableMacro(
            "rank_compare",
            "How rec differs from a baseline, user by user, in a row for each metric and k.",
            (
                *(_TRUTH, _BASELINE, _REC, _KS, *_COLUMNS, _OPTIONS, _metrics_parameter()),
                *(*_MEANS, *_tests(), *_DRAWS, _K, *_COLUMNS_OF_ONE),
            ),
            (
                *("metric", "k", "mean", "baseline", "n", "low", "high", "effect_size", "p_value"),
                *("wins", "ties", "losses", "without_value", "interval_by", "difference", "p_corrected"),
            ),
            _rank_compare(),
        ),
        TableMacro(
            "rank_check",
            "Findings about the two tables, errors first; no row if nothing seems wrong.",
            (_TRUTH, _REC, *_COLUMNS, *_COLUMNS_OF_ONE),
            ("source", "problem", "found", "example", "consequence"),
            _rank_check(),
            needs_aggregates=False,
        ),
        TableMacro(
            "rank_functions",
            "The functions of rankdcg_sql, in the order of the documentation.",
            (),
            _COLUMNS_OF_FUNCTIONS,
            _rank_functions(),
            needs_aggregates=False,
        ),
    )
