"""Say what stands between main and a release: ``make release-check``, or for a release ``TAG=v1.2.3``, too.

It checks the wheels in a folder, the places that name the version, and the time of an import. The targets of
make before it check the sdist, the pages and their links.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

ROOT = Path(__file__).resolve().parents[1]
#: Each file that names the version, and the pattern of its line.
VERSIONS = {
    "native/Cargo.toml": r'^version = "(.+)"$',
    "native/Cargo.lock": r'^name = "rankdcg"\nversion = "(.+)"$',
    "CITATION.cff": r"^version: (.+)$",
    "community_extension/description.yml": r"^  version: (.+)$",
    "CHANGELOG.md": r"^## (\d.*) - \d{4}-\d\d-\d\d$",
}
MEGABYTES = 4
#: The time that an import may take, in milliseconds, beside that of DuckDB.
IMPORT = 60
TIMED = """
import time, duckdb
start = time.perf_counter()
import rankdcg_sql
print((time.perf_counter() - start) * 1000)
"""


def versions(root: Path, tag: str) -> Iterator[str]:
    """Yield the disagreements of the places that name the version."""
    expected = version_in("native/Cargo.toml", root)
    for name, pattern in VERSIONS.items():
        version = version_in(name, root)
        if version is None:
            yield f"{name} names no version: it has no {pattern}"
        elif version != expected:
            yield f"{name} names version {version}, and native/Cargo.toml {expected}"
    if tag not in ("", f"v{expected}"):
        yield f"the tag is {tag}, and that of version {expected} in native/Cargo.toml is v{expected}"


def version_in(name: str, root: Path = ROOT) -> str | None:
    """Return the version that a file names."""
    found = re.search(VERSIONS[name], (root / name).read_text(encoding="utf-8"), re.MULTILINE)
    return found and found[1]


def packages(folder: Path, version: str | None) -> Iterator[str]:
    """Yield the faults of the wheels and the sdist in a folder."""
    name = f"rankdcg_sql-{re.sub('-rc[.]?', 'rc', str(version))}"  # a pre-release as Python names it
    for pattern in (f"{name}-*.whl", f"{name}.tar.gz"):
        if not list(folder.glob(pattern)):
            yield f"{folder} has no {pattern}"
    for path in sorted(folder.glob("*.whl")):
        yield from wheel(path)


def wheel(path: Path) -> Iterator[str]:
    """Yield the faults of a wheel: of its platform, its size, and the glibc that its library needs."""
    platform = path.stem.rpartition("-")[2]
    if platform.startswith("linux_"):
        yield f"{path.name} is for {platform}, which PyPI does not take"
    if path.stat().st_size > MEGABYTES * 1e6:
        yield f"{path.name} has {path.stat().st_size / 1e6:.1f} MB, more than {MEGABYTES}"
    try:
        with zipfile.ZipFile(path) as archive:
            library = archive.read("rankdcg_sql/rankdcg.duckdb_extension")
    except (zipfile.BadZipFile, KeyError) as error:
        yield f"{path.name}: {error.args[0]}"
        return
    # The names of the versions of the symbols that the library needs, as its dynamic section has them.
    needed = [tuple(map(int, found)) for found in re.findall(rb"GLIBC_(\d+)\.(\d+)", library)]
    tag = re.match(r"manylinux_(\d+)_(\d+)_", platform)
    if tag and max(needed, default=(0, 0)) > (int(tag[1]), int(tag[2])):
        yield "{} needs GLIBC_{}.{}".format(path.name, *max(needed))


def import_time(python: Sequence[str] = (sys.executable,)) -> Iterator[str]:
    """Yield the time of an import if it is too long; the least of several is that without other work."""
    least = float("inf")
    for _ in range(7):
        done = subprocess.run([*python, "-c", TIMED], cwd=ROOT, capture_output=True, text=True)
        if done.returncode:
            yield f"the package is not imported: {done.stderr.splitlines()[-1]}"
            return
        least = min(least, float(done.stdout))
    if least > IMPORT:
        yield f"an import takes {least:.0f} ms more than that of DuckDB, and may take {IMPORT}"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path, help="the folder with the wheels and the sdist")
    parser.add_argument("tag", nargs="?", default="", help="the tag of the release, such as v1.2.3")
    given = parser.parse_args()
    built = packages(given.folder, version_in("native/Cargo.toml"))
    found = [*versions(ROOT, given.tag), *built, *import_time()]
    print("\n".join(found) or "nothing stands between this and a release")
    sys.exit(bool(found))
