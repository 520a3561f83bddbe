"""Say what stands between main and a release: ``make release-check``, or for a release ``TAG=v1.2.3``, too.

It checks the wheel in a folder, the places that name the version, and the time of an import. The targets of
make before it check the sdist, the pages and their links.
"""

from __future__ import annotations

import re
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parents[1]
#: Each file that names the version, and the pattern of its line.
VERSIONS = {
    "native/Cargo.toml": r'^version = "(.+)"$',
    "native/Cargo.lock": r'^name = "rankdcg"\nversion = "(.+)"$',
    "CITATION.cff": r"^version: (.+)$",
    "CHANGELOG.md": r"^## (\d.*) - \d{4}-\d\d-\d\d$",
}
MEGABYTES = 4
#: How long an import may take, in milliseconds, beside that of DuckDB.
IMPORT = 60
TIMED = """
import time, duckdb
start = time.perf_counter()
import rankdcg_sql
print((time.perf_counter() - start) * 1000)
"""


def versions(root: Path, tag: str) -> Iterator[str]:
    """Yield the disagreements of the places that name the version."""
    named = {"the tag": tag.removeprefix("v")} if tag else {}
    for name, pattern in VERSIONS.items():
        found = re.search(pattern, (root / name).read_text(encoding="utf-8"), re.MULTILINE)
        if found:
            named[name] = found[1]
        else:
            yield f"{name} names no version"
    expected = named.get("native/Cargo.toml")
    for name, version in named.items():
        if version != expected:
            yield f"{name} names version {version}, and native/Cargo.toml {expected}"


def wheel(path: Path) -> Iterator[str]:
    """Yield the faults of a wheel: of its platform, its size, and the glibc that its library needs."""
    platform = path.stem.rpartition("-")[2]
    tag = re.fullmatch(r"manylinux_(\d+)_(\d+)_\w+", platform)
    if tag is None:
        yield f"{path.name} is for {platform}, which PyPI does not take"
    if path.stat().st_size > MEGABYTES * 1e6:
        yield f"{path.name} has {path.stat().st_size / 1e6:.1f} MB, more than {MEGABYTES}"
    with zipfile.ZipFile(path) as archive:
        library = archive.read("rankdcg_sql/rankdcg.duckdb_extension")
    # The names of the versions of the symbols that the library needs, as its dynamic section has them.
    needed = max(tuple(map(int, found)) for found in re.findall(rb"GLIBC_(\d+)\.(\d+)", library))
    if tag and needed > (int(tag[1]), int(tag[2])):
        yield f"{path.name} needs GLIBC_{needed[0]}.{needed[1]}"


def import_time() -> Iterator[str]:
    """Yield the time of an import if it is too long; the least of several is that without other work."""
    least = min(float(subprocess.check_output([sys.executable, "-c", TIMED], cwd=ROOT)) for _ in range(7))
    if least > IMPORT:
        yield f"an import takes {least:.0f} ms more than that of DuckDB, and may take {IMPORT}"


def faults(folder: Path, tag: str) -> Iterator[str]:
    """Yield all that stands between the clone and a release."""
    yield from versions(ROOT, tag)
    wheels = list(folder.glob("*.whl"))
    if not wheels:
        yield f"{folder} has no wheel"
    for path in wheels:
        yield from wheel(path)
    yield from import_time()


if __name__ == "__main__":
    found = list(faults(Path(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else ""))
    print("\n".join(found) or "nothing stands between this and a release")
    sys.exit(bool(found))
