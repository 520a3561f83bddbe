"""The program behind ``make release-check``: what it says of wrong versions, changelogs and symbols."""

from __future__ import annotations

import runpy
import zipfile
from pathlib import Path

import pytest
from support.paths import ROOT

CHECK = runpy.run_path(str(ROOT / "tools" / "release_check.py"))
FILES = {
    "native/Cargo.toml": '[workspace.package]\nversion = "1.2.3"\n',
    "native/Cargo.lock": '[[package]]\nname = "rankdcg"\nversion = "1.2.3"\n\n[[package]]\nname = "serde"\n',
    "CITATION.cff": "title: x\nversion: 1.2.3\n",
    "CHANGELOG.md": "# Changelog\n\n## 1.2.3 - 2026-12-01\n\n## 1.2.2 - 2026-11-01\n",
}


@pytest.mark.parametrize(
    ("name", "old", "new", "fault"),
    [
        ("CITATION.cff", "1.2.3", "1.2.2", "names version 1.2.2, and native/Cargo.toml 1.2.3"),
        ("native/Cargo.lock", "1.2.3", "1.2.4", "names version 1.2.4, and native/Cargo.toml 1.2.3"),
        ("CHANGELOG.md", "## 1.2.3 - 2026-12-01", "", "names version 1.2.2, and native/Cargo.toml 1.2.3"),
        ("CHANGELOG.md", " - 2026", "", "names no version"),
        ("CITATION.cff", "", "", None),
    ],
)  # fmt: skip
def test_places_that_name_the_version_agree(
    tmp_path: Path, name: str, old: str, new: str, fault: str | None
) -> None:
    for file, text in FILES.items():
        path = tmp_path / file
        path.parent.mkdir(exist_ok=True)
        path.write_text(text.replace(old, new) if file == name else text)
    assert list(CHECK["versions"](tmp_path, "v1.2.3")) == ([f"{name} {fault}"] if fault else [])
    named = list(CHECK["versions"](tmp_path, "v1.3.0"))
    assert "the tag names version 1.3.0, and native/Cargo.toml 1.2.3" in named


@pytest.mark.parametrize(
    ("platform", "needed", "size", "faults"),
    [
        ("manylinux_2_17_x86_64", b"GLIBC_2.2.5\0GLIBC_2.17", 9, []),
        ("manylinux_2_17_x86_64", b"GLIBC_2.4\0GLIBC_2.35", 9, ["{} needs GLIBC_2.35"]),
        ("manylinux_2_17_x86_64", b"GLIBC_2.4", 5_000_000, ["{} has 5.0 MB, more than 4"]),
        ("linux_x86_64", b"GLIBC_2.4", 9, ["{} is for linux_x86_64, which PyPI does not take"]),
    ],
)
def test_a_wheel_that_pypi_or_an_old_system_refuses(
    tmp_path: Path, platform: str, needed: bytes, size: int, faults: list[str]
) -> None:
    path = tmp_path / f"rankdcg_sql-1.2.3-py3-none-{platform}.whl"
    with zipfile.ZipFile(path, "w") as wheel:
        wheel.writestr("rankdcg_sql/rankdcg.duckdb_extension", needed + bytes(size))
    assert list(CHECK["wheel"](path)) == [fault.format(path.name) for fault in faults]


def test_the_clone_agrees_but_for_the_changelog_of_its_release() -> None:
    unreleased = "## Unreleased" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    faults = [fault for fault in CHECK["versions"](ROOT, "") if not fault.startswith("CHANGELOG.md")]
    assert faults == []
    assert unreleased or not list(CHECK["versions"](ROOT, ""))
