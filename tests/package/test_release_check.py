"""The program behind ``make release-check``: wrong versions, changelogs, wheels and symbols."""

from __future__ import annotations

import platform
import runpy
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest
from support.paths import ROOT

CHECK = runpy.run_path(str(ROOT / "tools" / "release_check.py"))
DESCRIPTOR = "community_extension/description.yml"
FILES = {
    "native/Cargo.toml": '[workspace.package]\nversion = "1.2.3"\n',
    "native/Cargo.lock": '[[package]]\nname = "rankdcg"\nversion = "1.2.3"\n\n[[package]]\nname = "serde"\n',
    "CITATION.cff": "title: x\nversion: 1.2.3\n",
    DESCRIPTOR: "extension:\n  name: rankdcg\n  version: 1.2.3\n",
    "CHANGELOG.md": "# Changelog\n\n## 1.2.3 - 2026-12-01\n\n## 1.2.2 - 2026-11-01\n",
}


@pytest.mark.parametrize(
    ("name", "old", "new", "fault"),
    [
        ("CITATION.cff", "1.2.3", "1.2.2", "names version 1.2.2, and native/Cargo.toml 1.2.3"),
        ("native/Cargo.lock", "1.2.3", "1.2.4", "names version 1.2.4, and native/Cargo.toml 1.2.3"),
        ("CHANGELOG.md", "## 1.2.3 - 2026-12-01", "", "names version 1.2.2, and native/Cargo.toml 1.2.3"),
        ("CHANGELOG.md", " - 2026", "", r"names no version: it has no ^## (\d.*) - \d{4}-\d\d-\d\d$"),
        (DESCRIPTOR, " version", "", "names no version: it has no ^  version: (.+)$"),
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
    for tag in ("v1.3.0", "1.2.3"):
        named = list(CHECK["versions"](tmp_path, tag))
        assert f"the tag is {tag}, and that of version 1.2.3 in native/Cargo.toml is v1.2.3" in named


@pytest.mark.parametrize(
    ("platform", "needed", "size", "faults"),
    [
        ("manylinux_2_17_x86_64", b"GLIBC_2.2.5\0GLIBC_2.17", 9, []),
        ("manylinux_2_17_x86_64", b"GLIBC_2.4\0GLIBC_2.35", 9, ["{} needs GLIBC_2.35"]),
        ("manylinux_2_17_x86_64", b"GLIBC_2.4", 5_000_000, ["{} has 5.0 MB, more than 4"]),
        ("linux_x86_64", b"GLIBC_2.4", 9, ["{} is for linux_x86_64, which PyPI does not take"]),
        ("win_amd64", b"", 9, []),
    ],
)
def test_a_wheel_that_pypi_or_an_old_system_refuses(
    tmp_path: Path, platform: str, needed: bytes, size: int, faults: list[str]
) -> None:
    path = tmp_path / f"rankdcg_sql-1.2.3-py3-none-{platform}.whl"
    with zipfile.ZipFile(path, "w") as wheel:
        wheel.writestr("rankdcg_sql/rankdcg.duckdb_extension", needed + bytes(size))
    assert list(CHECK["wheel"](path)) == [fault.format(path.name) for fault in faults]


@pytest.mark.parametrize("version", ["1.2.3", "1.2.3-rc.1"])
def test_a_package_that_is_missing_broken_or_of_another_version(tmp_path: Path, version: str) -> None:
    def faults() -> list[str]:
        return [fault.removeprefix(f"{tmp_path} ") for fault in CHECK["packages"](tmp_path, version)]

    name = f"rankdcg_sql-{version.replace('-rc.', 'rc')}"
    library = "rankdcg_sql/rankdcg.duckdb_extension"
    sdist, wheel = tmp_path / f"{name}.tar.gz", tmp_path / f"{name}-py3-none-win_amd64.whl"
    (tmp_path / "rankdcg_sql-1.2.2.tar.gz").touch()
    assert faults() == [f"has no {name}-*.whl", f"has no {name}.tar.gz"]
    sdist.touch()
    wheel.touch()
    assert faults() == [f"{wheel.name}: File is not a zip file"]
    for member, found in [
        ("rankdcg_sql/__init__.py", [f"{wheel.name}: There is no item named '{library}' in the archive"]),
        (library, []),
    ]:
        with zipfile.ZipFile(wheel, "w") as archive:
            archive.writestr(member, b"")
        assert faults() == found


def test_a_package_that_is_not_imported() -> None:
    (fault,) = CHECK["import_time"]([sys.executable, "-IS"])
    assert fault == "the package is not imported: ModuleNotFoundError: No module named 'duckdb'"


@pytest.mark.parametrize(
    ("system", "machine", "target", "expected"),
    [
        # Python's own name of a Mac is that of both processors, and the library is for one.
        ("darwin", "arm64", "", "macosx_11_0_arm64"),
        ("darwin", "x86_64", "", "macosx_10_12_x86_64"),
        ("darwin", "arm64", "x86_64-apple-darwin", "macosx_10_12_x86_64"),
        ("linux", "x86_64", "x86_64-unknown-linux-gnu.2.17", "manylinux_2_17_x86_64"),
        ("linux", "aarch64", "aarch64-unknown-linux-musl", "musllinux_1_2_aarch64"),
        ("linux", "x86_64", "", "linux_x86_64"),
        ("win32", "AMD64", "", "win_amd64"),
    ],
)
def test_the_platform_of_a_wheel(
    monkeypatch: pytest.MonkeyPatch, system: str, machine: str, target: str, expected: str
) -> None:
    monkeypatch.setenv("RANKDCG_TARGET", target)
    monkeypatch.delenv("DUCKDB_PLATFORM", raising=False)
    build = runpy.run_path(str(ROOT / "build_native.py"))
    named = {"darwin": "macosx-10.13-universal2", "linux": "linux-x86_64", "win32": "win-amd64"}
    monkeypatch.setattr(sys, "platform", system)
    monkeypatch.setattr(platform, "machine", lambda: machine)
    monkeypatch.setattr(sysconfig, "get_platform", lambda: named[system])
    assert build["wheel_platform"]() == expected


def test_the_clone_agrees_but_for_the_changelog_of_its_release() -> None:
    unreleased = "## Unreleased" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    faults = [fault for fault in CHECK["versions"](ROOT, "") if not fault.startswith("CHANGELOG.md")]
    assert faults == []
    assert unreleased or not list(CHECK["versions"](ROOT, ""))
