"""The files of DuckDB's registry of community extensions, and the make targets that its CI calls."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from typing import Any

import duckdb
from conftest import needs_duckdb_2
from support import process
from support.paths import ROOT
from support.skipping import skip_unless_ci

import rankdcg_sql

REGISTRY = ROOT / "community_extension"
DESCRIPTOR = (REGISTRY / "description.yml").read_text(encoding="utf-8")
CSV = REGISTRY / "docs" / "function_descriptions.csv"


def test_the_descriptor_is_of_this_version() -> None:
    assert re.findall(r"^  (?:name|version|build|language): (.+)$", DESCRIPTOR, re.MULTILINE) == [
        *("rankdcg", rankdcg_sql.__version__, "Rust", "cargo")
    ]


@needs_duckdb_2
def test_the_example_of_the_descriptor_runs() -> None:
    (example,) = re.findall(
        r"^  hello_world: \|\n(.*)^  extended_description", DESCRIPTOR, re.MULTILINE | re.DOTALL
    )
    rows = process.python(
        """
        import json, sys
        import duckdb
        con = duckdb.connect(config={"allow_unsigned_extensions": "true"})
        con.execute(f"LOAD '{sys.argv[1]}'")
        print(json.dumps([len(con.execute(each).fetchall()) for each in con.extract_statements(sys.argv[2])]))
        """,
        rankdcg_sql.extension_path(),
        example,
    )
    # One value, two tables that are created, three users at two k, and seven metrics.
    assert rows == [1, 1, 1, 6, 7]


def described() -> dict[str, Any]:
    """The descriptions as the pages of community extensions read them, keyed by function."""
    found = duckdb.connect().execute(f"FROM read_csv('{CSV}')")
    assert [name for name, *_ in found.description or ()] == ["function", "description", "comment", "example"]
    rows = found.fetchall()
    assert len({row[0] for row in rows}) == len(rows)
    return {row[0]: row for row in rows}


@needs_duckdb_2
def test_every_function_and_table_macro_of_the_extension_has_its_description() -> None:
    added = process.python(
        """
        import json, sys
        import duckdb
        con = duckdb.connect(config={"allow_unsigned_extensions": "true"})
        kinds = "database_name = 'system' OR function_type = 'table_macro'"
        query = f"SELECT DISTINCT function_name FROM duckdb_functions() WHERE {kinds}"
        before = {*con.execute(query).fetchall()}
        con.execute(f"LOAD '{sys.argv[1]}'")
        print(json.dumps([name for name, in {*con.execute(query).fetchall()} - before]))
        """,
        rankdcg_sql.extension_path(),
    )
    # SQL of this project alone calls these.
    of_this_project = {
        "rankdcg_sql_measures_and_ranking_by_user",
        "rankdcg_sql_measures_and_lists_by_user",
        "rankdcg_sql_items_by_measure",
    }
    assert described().keys() == {*added} - of_this_project


def test_descriptions_are_rows_of_a_table_in_markdown() -> None:
    for row in described().values():
        assert not {"|", "\n"} & {*"".join(filter(None, row))}, row
        assert all((row[1], row[3])), row


@needs_duckdb_2
def test_the_targets_of_the_registry(tmp_path: Any) -> None:
    if shutil.which("make") is None:
        skip_unless_ci("needs make")

    def make(*targets: str, **environment: str) -> subprocess.CompletedProcess[str]:
        command = ["make", "--no-print-directory", *targets]
        return subprocess.run(command, cwd=ROOT, env=os.environ | environment, capture_output=True, text=True)

    for target in ("configure_ci", "set_duckdb_version", "set_duckdb_tag"):
        assert make(target).returncode == 0
    # In a container, the Python of the container builds, and nothing is tested.
    dry = make("--dry-run", "release", LINUX_CI_IN_DOCKER="1").stdout
    place = "build/release/extension/rankdcg/rankdcg.duckdb_extension"
    assert dry == f"/opt/python/cp312-cp312/bin/python build_native.py {place}\n"
    assert make("--dry-run", "release", LINUX_CI_IN_DOCKER="0").stdout == f"python3 build_native.py {place}\n"
    assert "python" not in make("--dry-run", "test_release", LINUX_CI_IN_DOCKER="1").stdout
    assert "python tools/run_sql_tests.py\n" in make("--dry-run", "test_release").stdout
    for target in ("wasm_mvp", "wasm_eh", "wasm_threads"):
        done = make(target)
        assert done.returncode != 0
        assert "rankdcg is not built for WebAssembly" in done.stderr
        assert f"exclude {target}" in done.stderr
        assert target in re.findall(r'excluded_platforms: "(.*)"', DESCRIPTOR)[0].split(";")
