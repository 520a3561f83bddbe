"""The ways in which connections get the functions, and the obstacles.

Most tests need a process of their own, because it matters whether a database was opened before the import.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import textwrap
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any

import duckdb
import pytest
from conftest import WAYS, every_way, needs_duckdb_2
from support import process
from support.process import PACKAGE
from support.sql import sentence, value

import rankdcg_sql
from rankdcg_sql import _static

STATIC = _static.installed()  # only DuckDB 2.0 and later registers static extensions
NUMBER = 0.6131471927654584  # of QUERY
QUERY = "SELECT ndcg([1, 3, 2, 6], [1, 2, 4], 2)"
PREAMBLE = f"""
import gc, json, sys
import duckdb

def number(con):
    return con.execute("{QUERY}").fetchall()[0][0]

def registered(con):
    found = rankdcg_sql.register(con)
    return [found.route, found.new]
"""


def python(script: str, *arguments: str, folder: Path = PACKAGE.parent) -> Any:
    """Run a script after the functions above, and return the JSON that it prints."""
    return process.python(PREAMBLE + textwrap.dedent(script), *arguments, folder=folder)


# Import


@needs_duckdb_2
def test_import_again():
    found = python("""
        import importlib
        import rankdcg_sql
        results = [number(duckdb.connect())]
        importlib.reload(rankdcg_sql)
        for name in [name for name in sys.modules if name.startswith("rankdcg_sql")]:
            importlib.reload(sys.modules[name])
        results.append(number(duckdb.connect()))
        for name in [name for name in sys.modules if name.startswith("rankdcg_sql")]:
            del sys.modules[name]
        import rankdcg_sql
        results.append(number(duckdb.connect()))
        print(json.dumps([results, registered(duckdb.connect())]))
    """)
    assert found == [[pytest.approx(NUMBER)] * 3, ["static", False]]


@needs_duckdb_2
@pytest.mark.parametrize(
    "between",
    [
        "",
        "rankdcg_sql.functions()",
        "importlib.reload(rankdcg_sql)",
        "importlib.reload(sys.modules['rankdcg_sql._static'])",
        "importlib.util.find_spec('duckdb')",
        "importlib.util.find_spec('_duckdb')",
    ],
)
def test_import_before_duckdb(between: str):
    found = process.python(f"""
        import importlib.util, json, sys
        import rankdcg_sql
        before = list(sys.meta_path)
        assert "duckdb" not in sys.modules and "_duckdb" not in sys.modules and "pyarrow" not in sys.modules
        {between}
        import duckdb
        con = duckdb.connect()
        number = con.execute("{QUERY}").fetchall()[0][0]
        finders = [f for f in sys.meta_path if type(f).__module__.startswith("rankdcg_sql")]
        gone = len(before) - len(sys.meta_path)
        print(json.dumps([number, rankdcg_sql.register(con).route, len(finders), gone]))
    """)
    assert found == [pytest.approx(NUMBER), "static", 0, 1]


@needs_duckdb_2
def test_default_connection():
    found = python("""
        import rankdcg_sql
        print(json.dumps([duckdb.sql(f"SELECT ndcg([2, 1], [1], 1, 'no_relevant=zero')").fetchall(),
                          registered(duckdb.default_connection())]))
    """)
    assert found == [[[0.0]], ["static", False]]


def test_default_connection_in_use_before_the_import():
    found = python("""
        duckdb.sql("CREATE TABLE t AS SELECT 1 AS x")
        import rankdcg_sql
        how = registered(duckdb.default_connection())
        print(json.dumps([how, duckdb.sql("SELECT ndcg([x], [x]) FROM t").fetchall()]))
    """)
    assert found == [["udf", True], [[1.0]]]


# Routes

#: Configurations of databases, each with the way in for a database that was opened before the import.
CONFIGURATIONS: dict[str, tuple[dict[str, str], str]] = {
    "default": ({}, "udf"),
    "unsigned": ({"allow_unsigned_extensions": "true"}, "load"),
    "locked": ({"lock_configuration": "true"}, "udf"),
    "locked, unsigned": ({"lock_configuration": "true", "allow_unsigned_extensions": "true"}, "load"),
    "no access": ({"enable_external_access": "false"}, "udf"),
    "no access, unsigned": ({"enable_external_access": "false", "allow_unsigned_extensions": "true"}, "udf"),
    "no access, locked": ({"enable_external_access": "false", "lock_configuration": "true"}, "udf"),
    "no community extensions": ({"allow_community_extensions": "false"}, "udf"),
    "one thread": ({"threads": "1", "allow_unsigned_extensions": "true"}, "load"),
}


@cache
def routes() -> dict[str, Any]:
    """Register with a connection of each configuration, opened before and after the import."""
    configurations = json.dumps({name: config for name, (config, _) in CONFIGURATIONS.items()})
    return python(
        """
        configurations = json.loads(sys.argv[1])
        opened = {("before", name): duckdb.connect(config=config) for name, config in configurations.items()}
        import rankdcg_sql
        opened |= {("after", name): duckdb.connect(config=config) for name, config in configurations.items()}
        results = {"before": {}, "after": {}}
        for (when, name), con in opened.items():
            earlier = con.cursor()
            first, second = registered(con), registered(earlier)
            numbers = [number(con), number(earlier), number(con.cursor())]
            results[when][name] = [first, second, numbers]
        print(json.dumps(results))
        """,
        configurations,
    )


@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_database_opened_before_and_after_the_import(name: str):
    before = CONFIGURATIONS[name][1]
    after = "static" if STATIC else before
    numbers = [pytest.approx(NUMBER)] * 3
    assert routes()["before"][name] == [[before, True], [before, False], numbers]
    assert routes()["after"][name] == [[after, not STATIC], [after, False], numbers]


@every_way
def test_registration_says_how(con: duckdb.DuckDBPyConnection, way: str):
    found = rankdcg_sql.register(con)
    assert (found.route, found.version, found.new) == (way, rankdcg_sql.__version__, False)
    assert rankdcg_sql.register(con.cursor()) == found
    assert value(con, "rankdcg_sql_version()") == f"{rankdcg_sql.__version__}+{way}"


@every_way
def test_every_function_is_there(con: duckdb.DuckDBPyConnection, way: str):
    are_macros = way == "udf" or not STATIC
    if are_macros:
        rankdcg_sql.register(con)  # macros belong to one connection
    kinds = ("temp", "macro") if are_macros else ("system", "aggregate")
    expected = {
        (name, *(kinds if function.is_aggregate else ("system", "scalar")))
        for function in rankdcg_sql.functions()
        for name in function.names
        if not are_macros or not function.is_native_only
    }
    found = con.execute(
        "SELECT DISTINCT function_name, database_name, function_type FROM duckdb_functions() "
        "WHERE function_name IN (SELECT unnest(?)) AND function_type <> 'table_macro'",
        [[name for function in rankdcg_sql.functions() for name in function.names]],
    ).fetchall()
    assert set(found) == expected


def test_connect(tmp_path: Path):
    config = {"threads": "1"}
    with rankdcg_sql.connect(tmp_path / "new.db", config=config) as con:
        assert value(con, QUERY.removeprefix("SELECT ")) == pytest.approx(NUMBER)
        assert value(con, "current_setting('threads')") == 1
        con.execute("CREATE VIEW v AS SELECT ndcg([1, 3, 2, 6], [1, 2, 4], 2) AS x")
    assert config == {"threads": "1"}
    with rankdcg_sql.connect(str(tmp_path / "new.db"), read_only=True) as con:
        assert value(con, "x FROM v") == pytest.approx(NUMBER)
        with pytest.raises(duckdb.InvalidInputException, match="read-only"):
            con.execute("CREATE TABLE t (x INTEGER)")
    with rankdcg_sql.connect(config={"allow_unsigned_extensions": "false"}) as con:
        assert rankdcg_sql.register(con).route == ("static" if STATIC else "udf")
        assert value(con, QUERY.removeprefix("SELECT ")) == pytest.approx(NUMBER)


# Connections in the middle of something

UNSIGNED = '{"allow_unsigned_extensions": "true"}'
opened_before = pytest.mark.parametrize(
    ("config", "route"), [("{}", "udf"), (UNSIGNED, "load")], ids=["udf", "load"]
)


@opened_before
def test_pending_result_is_left_alone(config: str, route: str):
    if not STATIC:
        pytest.skip("before 2.0, DuckDB does not say that a result is pending")
    found = python(f"""
        import warnings
        con = duckdb.connect(config={config})
        con.execute("SELECT range FROM range(10000)")
        first = con.fetchone()[0]
        import rankdcg_sql
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            how = registered(con)
        rest = len(con.fetchall())
        again = registered(con)
        mean = con.execute("SELECT mean_ci(i).mean FROM range(3) AS t(i)").fetchall()[0][0]
        seen = [[warning.category.__name__, str(warning.message), warning.filename] for warning in caught]
        print(json.dumps([how, first, rest, again, number(con), mean, seen]))
    """)
    assert found[:-1] == [[route, True], 0, 9999, [route, False], pytest.approx(NUMBER), 1]
    missing = "aggregate functions" if route == "udf" else "table macros"
    sentence = (
        f"register: the connection has a result that is not fetched yet, and no {missing}: "
        "fetch it and call register again"
    )
    # The warning points to the script that calls `register`.
    assert found[-1] == [["RuntimeWarning", sentence, "<string>"]]


@every_way
@pytest.mark.filterwarnings("ignore:register. the connection has a result")
def test_pending_result_of_a_connection_that_has_the_functions(con: duckdb.DuckDBPyConnection, way: str):
    if not STATIC:
        pytest.skip("before 2.0, DuckDB does not say that a result is pending")
    con.execute("SELECT range FROM range(10000)")
    assert con.fetchone() == (0,)
    assert not rankdcg_sql.register(con).new
    assert len(con.fetchall()) == 9999


@opened_before
def test_open_transaction(config: str, route: str):
    """A transaction's changes are committed or rolled back; the functions stay."""
    found = python(f"""
        opened = [duckdb.connect(config={config}) for _ in range(2)]
        for con in opened:
            con.execute("CREATE TABLE t AS SELECT 1 AS x")
            con.begin()
            con.execute("INSERT INTO t VALUES (2)")
        import rankdcg_sql
        results = []
        for con, end in zip(opened, ("commit", "rollback")):
            how = registered(con)
            inside = con.execute("SELECT count(*) FROM t").fetchall()[0][0]
            getattr(con, end)()
            after = con.execute("SELECT count(*) FROM t").fetchall()[0][0]
            results.append([how, inside, after, registered(con), number(con), number(con.cursor())])
        print(json.dumps(results))
    """)
    number = pytest.approx(NUMBER)
    assert found == [[[route, True], 2, after, [route, False], number, number] for after in (2, 1)]


@opened_before
def test_functions_outlive_the_connection_that_registered_them(config: str, route: str):
    """The connection, or its cursor, is gone, or the cursor is closed."""
    found = python(f"""
        opened = [duckdb.connect(config={config}) for _ in range(3)]
        import rankdcg_sql
        results = []
        for script in (
            "other = con.cursor(); rankdcg_sql.register(con); del con",
            "other = con.cursor(); rankdcg_sql.register(other); con, other = None, con",
            "other, cursor = con, con.cursor(); rankdcg_sql.register(cursor); cursor.close(); del cursor",
        ):
            names = {{"rankdcg_sql": rankdcg_sql, "con": opened.pop()}}
            exec(script, names)
            gc.collect()
            [bytearray(1000) for _ in range(10_000)]
            other = names["other"]
            results.append([number(other), number(other), registered(other)])
        print(json.dumps(results))
    """)
    assert found == [[pytest.approx(NUMBER), pytest.approx(NUMBER), [route, False]]] * 3


def test_closed_connection():
    con = duckdb.connect()
    con.close()
    with pytest.raises(duckdb.ConnectionException, match="closed"):
        rankdcg_sql.register(con)


@pytest.mark.parametrize("wrong", [None, "x.db", duckdb, 3])
def test_no_connection_at_all(wrong: Any):
    expected = f"register: con must be a DuckDB connection, got {type(wrong).__name__}"
    with pytest.raises(TypeError, match=f"^{expected}$"):
        rankdcg_sql.register(wrong)


# Names that are taken


@pytest.mark.parametrize("config", ["{}", UNSIGNED])
def test_macros_with_the_names_of_functions(config: str):
    """A user's macro still shadows the function of its name, which can be called by its full name."""
    if not STATIC and config == "{}":
        pytest.skip("a Python function cannot be created beside a macro of its name")
    script = f"""
        con = duckdb.connect(config={config})
        con.execute("CREATE MACRO ndcg(a, b) AS 42")
        con.execute("CREATE MACRO rankdcg_sql_version() AS 'mine'")
        how = registered(con)
        calls = "ndcg([1], [1]), system.main.ndcg([1], [1]), recall([1], [1])"
        print(json.dumps([how, con.execute("SELECT " + calls).fetchall(), registered(con)]))
    """
    route = "static" if STATIC else "load"
    expected = [[route, not STATIC], [[42, 1.0, 1.0]], [route, False]]
    assert python("        import rankdcg_sql" + script) == expected
    if config == UNSIGNED:
        later = script.replace("        how =", "        import rankdcg_sql\n        how =")
        assert python(later) == [["load", True], [[42, 1.0, 1.0]], ["load", False]]


@pytest.mark.parametrize(
    ("create", "remove", "names"),
    [
        (
            "for name in ('ndcg', 'hitrate'): con.execute(f'CREATE MACRO {name}(a) AS 42')",
            "con.execute('DROP MACRO ndcg; DROP MACRO hitrate')",
            "hitrate, ndcg",
        ),
        ("con.create_function('ndcg', abs, ['INTEGER'], 'INTEGER')", "con.remove_function('ndcg')", "ndcg"),
    ],
    ids=["macro", "function"],
)
def test_name_taken_before_python_functions_are_registered(create: str, remove: str, names: str):
    """Nothing is registered, and the error names the functions in the way. Without them, all works."""
    found = python(f"""
        con = duckdb.connect()
        {create}
        import rankdcg_sql
        try:
            rankdcg_sql.register(con)
        except duckdb.Error as error:
            message = str(error)
        names = "SELECT count(*) FROM duckdb_functions() WHERE function_name IN ('recall', 'mrr', 'auc')"
        others = con.execute(names).fetchall()[0][0]
        {remove}
        print(json.dumps([message, others, registered(con), number(con)]))
    """)
    assert found == [
        f"register: the database has functions of its own named {names}: drop them first",
        *(0, ["udf", True], pytest.approx(NUMBER)),
    ]


@pytest.mark.parametrize("config", ["{}", UNSIGNED])
def test_name_taken_by_a_function_of_a_user_later(config: str):
    """DuckDB accepts the user's function as an overload or refuses it. The package's functions still work.

    One database was opened before the import, and the other one after it.
    """
    found = python(f"""
        opened = [duckdb.connect(config={config})]
        import rankdcg_sql
        opened.append(duckdb.connect(config={config}))
        results = []
        for con in opened:
            rankdcg_sql.register(con)
            try:
                con.create_function("ndcg", lambda x: x, ["INTEGER"], "INTEGER")
                accepted = con.execute("SELECT ndcg(7)").fetchall() == [(7,)]
            except duckdb.Error as error:
                accepted = "ndcg" in str(error)
            results.append([accepted, number(con), registered(con)[1]])
        print(json.dumps(results))
    """)
    assert found == [[True, pytest.approx(NUMBER), False]] * 2


# Files


def test_files(tmp_path: Path):
    """Files opened before and after the import, read-only, and attached. No function stays in a file."""
    for name in ("a", "b", "c"):
        duckdb.connect(str(tmp_path / f"{name}.db")).close()
    found = python(
        """
        a, b, c = (f"{sys.argv[1]}/{name}.db" for name in "abc")
        opened = {"before": duckdb.connect(a), "read-only": duckdb.connect(b, read_only=True)}
        opened["attached"] = duckdb.connect()
        opened["attached"].execute(f"ATTACH '{c}' AS other; USE other")
        import rankdcg_sql
        results = {}
        for name, con in opened.items():
            results[name] = [*registered(con), number(con), *registered(con)]
        opened["attached"].execute("CREATE VIEW v AS SELECT ndcg([1, 3, 2, 6], [1, 2, 4], 2) AS x")
        opened["before"].execute("CREATE TABLE t AS SELECT ndcg([2, 1], [1], 1) AS x")
        for con in opened.values():
            con.close()
        for name, database in (("after", a), ("attached after", ":memory:")):
            con = rankdcg_sql.connect(database)
            results[name] = [*registered(con), number(con)]
            con.execute(f"ATTACH '{c}' AS other (READ_ONLY)")
            results[name] += con.execute("SELECT x FROM other.v").fetchall()[0]
            con.close()
        print(json.dumps(results))
        """,
        str(tmp_path),
    )
    number, route = pytest.approx(NUMBER), "static" if STATIC else "load"
    for name in ("before", "read-only", "attached"):
        assert found[name] == ["udf", True, number, "udf", False], name
    for name in ("after", "attached after"):
        assert found[name] == [route, False, number, number], name
    count = """
        count = "SELECT count(*) FROM duckdb_functions() WHERE function_name IN ('ndcg', 'recall_at')"
        print(json.dumps([duckdb.connect(path).execute(count).fetchall() for path in sys.argv[1:]]))
    """
    assert python(count, *(str(tmp_path / f"{file}.db") for file in "abc")) == [[[0]]] * 3


# Copies


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A folder with a copy of the package. Its name needs quoting in SQL."""
    folder = tmp_path / 'it\'s a copy, "really"'
    shutil.copytree(PACKAGE, folder / "rankdcg_sql", ignore=shutil.ignore_patterns("__pycache__"))
    return folder


SECOND_COPY = """
    import warnings
    unsigned = duckdb.connect(config={"allow_unsigned_extensions": "true"})
    default = duckdb.connect()
    import rankdcg_sql
    first = rankdcg_sql.extension_path()
    for name in [name for name in sys.modules if name.startswith("rankdcg_sql")]:
        del sys.modules[name]
    sys.path.insert(0, sys.argv[1])
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        import rankdcg_sql
    second = rankdcg_sql.extension_path()
    later = [registered(duckdb.connect()), registered(rankdcg_sql.connect())]
    numbers = [number(rankdcg_sql.connect())]
    for con in (unsigned, default):
        later.append(registered(con))
        numbers.append(number(con))
    seen = [[warning.category.__name__, str(warning.message)] for warning in caught]
    print(json.dumps([first, second, seen, later, numbers]))
"""


def test_second_copy_in_one_process(copy: Path):
    first, second, warned, routes, numbers = python(SECOND_COPY, str(copy))
    assert (Path(first).parent, Path(second).parent) == (PACKAGE, copy / "rankdcg_sql")
    number = rankdcg_sql.__version__
    sentence = (
        f"rankdcg_sql {number} at {first} is registered with DuckDB already; "
        f"version {number} at {second} is not"
    )
    assert warned == ([["RuntimeWarning", sentence]] if STATIC else [])
    after = [["static", False]] * 2 if STATIC else [["udf", True], ["load", False]]
    assert routes == [*after, ["load", True], ["udf", True]]
    assert numbers == [pytest.approx(NUMBER)] * 3


def test_package_in_a_folder_with_an_odd_name(copy: Path):
    found = python(
        """
        opened = [duckdb.connect(config={"allow_unsigned_extensions": "true"}), duckdb.connect()]
        import rankdcg_sql
        opened.append(rankdcg_sql.connect())
        routes = [registered(con)[0] for con in opened]
        print(json.dumps([rankdcg_sql.extension_path(), routes, [number(con) for con in opened]]))
        """,
        folder=copy,
    )
    assert Path(found[0]).parent == copy / "rankdcg_sql"
    assert found[1] == ["load", "udf", "static" if STATIC else "load"]
    assert found[2] == [pytest.approx(NUMBER)] * 3


# Other programs


def test_older_versions_of_duckdb_are_refused():
    """So is 1.4.0 without a module `duckdb.func`."""
    said = python(
        """
        import rankdcg_sql
        sys.modules["duckdb.func"] = None
        said = []
        for duckdb.__version__ in ("0.10.3", "1.4.0", "1.4.5", "1.5.0", "1.10.2", "2.0.0"):
            for name in ("connect", "evaluate"):
                sys.modules.pop("rankdcg_sql.duckdb", None)
                vars(rankdcg_sql).pop(name, None)
                try:
                    getattr(rankdcg_sql, name)
                except ImportError as error:
                    said.append(str(error))
        print(json.dumps(said))
        """
    )
    assert said == [
        f"rankdcg_sql needs DuckDB 1.5 or later, and this is DuckDB {version}: pip install 'duckdb>=1.5'"
        for version in ("0.10.3", "1.4.0", "1.4.5")
        for _ in ("connect", "evaluate")
    ]


def test_load_in_the_command_line_of_duckdb(copy: Path):
    extension = str(copy / "rankdcg_sql" / "rankdcg.duckdb_extension").replace("'", "''")
    sql = (
        f"LOAD '{extension}'; SELECT recall([1], [1, 2]) AS a, rankdcg_sql_version() AS b; "
        "SELECT ndcg([1], [1], 0)"
    )
    done = subprocess.run([process.duckdb(), "-unsigned", "-json", "-c", sql], capture_output=True, text=True)
    assert json.loads(done.stdout) == [{"a": 0.5, "b": f"{rankdcg_sql.__version__}+load"}]
    assert "Invalid Input Error: ndcg: k must be at least 1, got 0" in done.stderr
    signed = subprocess.run([process.duckdb(), "-c", f"LOAD '{extension}'"], capture_output=True, text=True)
    assert signed.returncode != 0
    assert "unsigned" in signed.stderr


# Threads


@every_way
def test_many_threads(con: duckdb.DuckDBPyConnection, way: str):
    """Threads call the functions at once, each on a cursor or, every other one, on a database of its own."""
    table = "FROM (SELECT i // 10 AS g, i, hash(i) % 7 AS s, hash(-i) % 3 AS r FROM range(3000) AS t(i))"
    lists = f"SELECT sum(ndcg([i % 5, 2, 3], [2, i % 7], 2)), list(mrr([i, 1], [i % 3])) {table}"
    groups = f"SELECT g, ndcg_agg(s, r, 5), rank_metrics_rows(i, s, r) {table} GROUP BY g ORDER BY g"
    rankdcg_sql.register(con)
    expected = [con.execute(query).fetchall() for query in (lists, groups)]

    def work(place: int) -> bool:
        own = con.cursor() if place % 2 else rankdcg_sql.connect()
        rankdcg_sql.register(own)
        same = all([own.execute(query).fetchall() for query in (lists, groups)] == expected for _ in range(5))
        of = way if place % 2 else WAYS[0]
        bad = {sentence(own, of, f"mrr([1], [1], {k})") for k in (0, -1)}
        return same and bad == {f"mrr: k must be at least 1, got {k}" for k in (0, -1)}

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(work, range(8)))


@opened_before
def test_threads_that_register_at_once(config: str, route: str):
    found = python(f"""
        from concurrent.futures import ThreadPoolExecutor
        con = duckdb.connect(config={config})
        import rankdcg_sql
        with ThreadPoolExecutor(4) as pool:
            found = list(pool.map(registered, [con.cursor() for _ in range(8)]))
        print(json.dumps([sorted(set(route for route, _ in found)), number(con)]))
    """)
    assert found == [[route], pytest.approx(NUMBER)]
