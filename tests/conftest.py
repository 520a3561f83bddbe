"""Fixtures: the ways into DuckDB, each as a connection, and the engines, on which the same tests run."""

from __future__ import annotations

import os
import re
import shutil
import sys
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

import duckdb
import pytest
from support.skipping import skip_unless_ci

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

# From DuckDB 2.0 on, importing the package makes it a static extension of databases opened later. Databases
# opened before are reached in the other two ways.
assert "rankdcg_sql" not in sys.modules, "tests/conftest.py must come before the first import of the package"
_BEFORE = {"load": duckdb.connect(config={"allow_unsigned_extensions": "true"}), "udf": duckdb.connect()}

from support.engines import GROUPING, OTHERS, Engine, Sql  # noqa: E402
from support.forms import KEPT_AS_OTHERS  # noqa: E402

import rankdcg_sql  # noqa: E402
from rankdcg_sql import _static  # noqa: E402
from rankdcg_sql.evaluation._computing import progress as _progress  # noqa: E402

#: Before version 2.0, DuckDB registers no static extensions.
WAYS = ["static", "load", "udf"] if _static.installed() else ["load", "udf"]
if os.environ.get("CI") and not os.environ.get("RANKDCG_OLD_DUCKDB"):
    assert WAYS[0] == "static", "CI runs every way in"

#: The ways in which DuckDB calls the library directly, and not through Python functions.
NATIVE = [way for way in WAYS if way != "udf"]

#: The ways whose calls differ: "static" and "load" register the same functions of the library. Tests on every
#: way are about registration and golden values.
CALLING = list(dict.fromkeys([WAYS[0], "udf"]))
every_way = pytest.mark.parametrize("way", WAYS, indirect=True)

#: The ways with native aggregate functions. In the other ways, aggregates are macros.
AGGREGATING = NATIVE if _static.installed() else []
needs_duckdb_2 = pytest.mark.skipif(not AGGREGATING, reason="aggregates are native from DuckDB 2.0 on")
#: Each of these engines on each way. Macros have no functions by user. Polars has DuckDB make its rows.
GROUPED = [
    f"{name} {way}"
    for way in WAYS
    for name in GROUPING
    if (name != "by_user" or way in AGGREGATING) and (name != "by_user_of_polars" or way == WAYS[0])
]

_CONNECTIONS = {**_BEFORE, "static": duckdb.connect()}
for _way in WAYS:
    assert rankdcg_sql.register(_CONNECTIONS[_way]).route == _way


#: Files of others, which the repository may not contain: data sets, and a page of Hivemall's guide.
THIRD_PARTY = Path(__file__).resolve().parents[2] / "shared"


#: The name of a test that is about a metric which engines call as they call others.
_CALLED_AS_OTHERS = re.compile(rf"[\[-]({'|'.join(KEPT_AS_OTHERS)})(_scored|_rels|_agg|_rows)?[\]-]")


@pytest.hookimpl(tryfirst=True)  # before `-m` chooses by markers
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark the tests that read files of others with `third_party_data`, and deselect calls like others.

    `tests/metrics` tests the values of every metric on every engine. The tests of one engine, and those of an
    old DuckDB, are about how functions are called.
    """
    of_engines = {"duckdb", "polars", "spark"}
    for item in items[:]:
        if "third_party" in getattr(item, "fixturenames", ()):
            item.add_marker("third_party_data")
        is_about_calls = item.path.parent.name in of_engines or os.environ.get("RANKDCG_OLD_DUCKDB")
        if is_about_calls and _CALLED_AS_OTHERS.search(item.name):
            items.remove(item)
            config.hook.pytest_deselected(items=[item])


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip the tests that read files of others if the files are missing, or fail them on CI."""
    if item.get_closest_marker("third_party_data"):
        folders = ("data/trec_eval", "data/ml-latest-small", "seeds")
        if not all((THIRD_PARTY / name).is_dir() for name in folders):
            skip_unless_ci(
                "needs files of others in the folder shared beside the repository (see tests/README.md)"
            )


@pytest.fixture
def third_party() -> Path:
    """Give the folder with files of others."""
    return THIRD_PARTY


@pytest.fixture(params=CALLING)
def way(request: pytest.FixtureRequest) -> str:
    """Name a way into DuckDB, one of those that differ unless a test is on `every_way`."""
    return str(request.param)


def _opened(way: str) -> Iterator[duckdb.DuckDBPyConnection]:
    cursor = _CONNECTIONS[way].cursor()
    if not _static.installed():
        rankdcg_sql.register(cursor)
    yield cursor
    cursor.close()
    _CONNECTIONS[way].execute("RESET threads")


@pytest.fixture
def con(way: str) -> Iterator[duckdb.DuckDBPyConnection]:
    """Open a connection that has the functions by one of the ways.

    Its TEMP tables and its number of threads end with the test.
    """
    yield from _opened(way)


@pytest.fixture(scope="module")
def kept() -> Iterator[dict[str, duckdb.DuckDBPyConnection]]:
    """Cursors with macros that the tests of a module take in turn (`taken`), by the way into DuckDB."""
    cursors: dict[str, duckdb.DuckDBPyConnection] = {}
    yield cursors
    for way, cursor in cursors.items():
        with _CONNECTIONS[way].cursor() as fresh:
            rankdcg_sql.register(fresh)
            assert _macros(cursor) == _macros(fresh), "a module with macros of its own needs new cursors"
        cursor.close()


def taken(way: str, kept: dict[str, duckdb.DuckDBPyConnection]) -> Iterator[duckdb.DuckDBPyConnection]:
    """Give a connection as `con` is, in a module whose tests create tables, and no macros.

    Before DuckDB 2.0, a new cursor needs 200 macros, which take longer to create than most tests. So the next
    test has the cursor again, without the tables and views of this one, unless something else is left.
    """
    if _static.installed():
        yield from _opened(way)
        return
    if way not in kept:
        kept[way] = _CONNECTIONS[way].cursor()
        rankdcg_sql.register(kept[way])
    yield kept[way]
    for kind, name in kept[way].execute(_TABLES).fetchall():
        kept[way].execute(f'DROP {kind} temp."{name}"')
    _CONNECTIONS[way].execute("RESET threads")
    with _CONNECTIONS[way].cursor() as fresh:
        leaves_more = _beside_tables(kept[way]) != _beside_tables(fresh)
    if leaves_more:
        kept.pop(way).close()


#: The TEMP tables and views. A registered object is a view.
_TABLES = """
    SELECT 'TABLE', table_name FROM duckdb_tables() WHERE temporary
    UNION ALL SELECT 'VIEW', view_name FROM duckdb_views() WHERE temporary AND NOT internal
"""


#: The functions that list all but macros that a test may leave in a connection. Macros take long to list.
_BESIDE_TABLES = ("duckdb_settings", "duckdb_variables", "duckdb_prepared_statements", "duckdb_sequences")


def _beside_tables(cursor: duckdb.DuckDBPyConnection) -> list[list[tuple[object, ...]]]:
    """List the settings, variables, statements and sequences that a test may leave in a connection."""
    return [cursor.execute(f"FROM {function}() ORDER BY ALL").fetchall() for function in _BESIDE_TABLES]


def _macros(cursor: duckdb.DuckDBPyConnection) -> list[tuple[object, ...]]:
    """The TEMP macros of a connection."""
    names = "function_name, parameters, macro_definition"
    query = f"SELECT {names} FROM duckdb_functions() WHERE database_name = 'temp' ORDER BY ALL"
    return cursor.execute(query).fetchall()


@pytest.fixture
def native() -> Iterator[duckdb.DuckDBPyConnection]:
    """Open a connection that has the functions by the fastest way there is."""
    yield from _opened(WAYS[0])


@pytest.fixture
def empty() -> Iterator[duckdb.DuckDBPyConnection]:
    """Open a database of its own that has the functions."""
    with rankdcg_sql.connect() as opened:
        yield opened


@pytest.fixture(scope="session")
def engines() -> dict[str, Engine]:
    """List every engine over lists by name: the ways into DuckDB that differ, the core and Polars."""
    ways: dict[str, Engine] = {way: Sql(_connection(way)) for way in CALLING}
    return ways | {name: make() for name, make in OTHERS.items()}


@pytest.fixture(scope="session")
def grouping() -> dict[str, Engine]:
    """List the engines over rows of groups, which cannot represent all lists, on the fastest way."""
    way = WAYS[0]
    names = [name for name in GROUPING if f"{name} {way}" in GROUPED]
    return {name: GROUPING[name](_grouping_connection(way)) for name in names}


def _connection(way: str) -> duckdb.DuckDBPyConnection:
    return _CONNECTIONS[way].cursor()


def _grouping_connection(way: str) -> duckdb.DuckDBPyConnection:
    # Macros belong to one connection, so there is no cursor with them.
    return _CONNECTIONS[way].cursor() if way in AGGREGATING else _CONNECTIONS[way]


@pytest.fixture(params=[*CALLING, *OTHERS])
def engine(request: pytest.FixtureRequest, engines: dict[str, Engine]) -> Engine:
    """Give one of the engines over lists."""
    return engines[request.param]


@pytest.fixture(params=[*CALLING, *OTHERS, *(name for name in GROUPED if name.split()[1] in CALLING)])
def any_engine(request: pytest.FixtureRequest) -> Engine:
    """Give one of the engines over lists or over rows of groups. The latter cannot represent all lists."""
    name, _, way = request.param.partition(" ")
    if way:
        return GROUPING[name](_grouping_connection(way))
    return OTHERS[name]() if name in OTHERS else Sql(_connection(name))


@pytest.fixture(params=AGGREGATING[:1])
def aggregating(request: pytest.FixtureRequest) -> Iterator[duckdb.DuckDBPyConnection]:
    """Open a connection that has native aggregate functions. Its TEMP tables end with the test."""
    yield from _opened(request.param)


@pytest.fixture(scope="session")
def command() -> list[str]:
    """The installed command, or the Python call behind it if only the sources are there."""
    script = shutil.which("rankdcg-sql", path=str(Path(sys.executable).parent))
    return [script] if script else [sys.executable, "-c", "from rankdcg_sql.cli import main; main()"]


@pytest.fixture
def undrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the figures of reports be their captions alone. To draw them takes nearly all the time."""

    def caption_alone(draw: Callable[..., object], caption: str, is_wide: bool = False) -> str:
        return f"<figure><figcaption>{escape(caption)}</figcaption></figure>"

    monkeypatch.setattr("rankdcg_sql.report._parts.figure", caption_alone)


@pytest.fixture
def ran(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str]]:
    """The label and the SQL of each statement of `evaluate` or `compare` whose progress is shown."""
    statements: list[tuple[str, str]] = []
    run = _progress.Progress.run

    def note(self: _progress.Progress, label: str, statement: str) -> object:
        statements.append((label, statement))
        return run(self, label, statement)

    monkeypatch.setattr(_progress.Progress, "run", note)
    return statements
