"""Run the tests against mutants: wrong changes of the code, each of which some test should notice.

The mutants are in ``mutants.toml``, under their files and names. Each has a text that occurs once in the
file, the text to put there, and the tests that should fail. A test is a list of arguments of pytest, or a
command that begins with ``cargo test``. Each mutant is made in a copy of the sources, and Rust is compiled
again. In the end, the mutants that no test noticed are printed. The program needs Python 3.11.

    python tests/mutants.py             all mutants
    python tests/mutants.py users gain  mutants with one of these words in their file or name
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import tomllib

ROOT = Path(__file__).resolve().parents[1]
SCRATCH = ROOT / "build" / "mutants"
NOT_COPIED = (".git", ".venv*", "build", "dist", "target", "__pycache__", ".*_cache", ".hypothesis")
LIBRARY = "rankdcg_sql/rankdcg.duckdb_extension"
#: Seconds after which tests count as failed, because a mutant can make them endless.
PATIENCE = 900
#: Settings that compile quickly; no test measures speed.
QUICK = {"CARGO_PROFILE_RELEASE_LTO": "off", "CARGO_PROFILE_RELEASE_CODEGEN_UNITS": "16"}


def run(command: list[str], folder: Path = SCRATCH) -> bool:
    """Run a command in the copy, and say whether it succeeded in time."""
    environment = os.environ | QUICK | {"PYTHONPATH": str(SCRATCH)}
    try:
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


def compiled(command: list[str], folder: Path = SCRATCH) -> None:
    """Run a command that compiles. Stop if it fails: such a mutant says nothing about the tests."""
    if not run(command, folder):
        raise SystemExit(f"failed: {shlex.join(command)}")


def pass_all(tests: list[str], is_native: bool) -> bool:
    """Whether tests pass, those of Rust first. If `is_native`, compile the package for those of Python."""
    for command in (shlex.split(test) for test in tests if test.startswith("cargo test")):
        compiled([*command[:2], "--no-run", *command[2:]], SCRATCH / "native")
        if not run(command, SCRATCH / "native"):
            return False
    python = [word for test in tests if not test.startswith("cargo test") for word in shlex.split(test)]
    if python and is_native:
        compiled([sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", "dist", "."])
    return not python or run([sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *python])


def main() -> None:
    of_files = tomllib.loads((ROOT / "tests" / "mutants.toml").read_text())
    mutants = [
        mutant | {"file": file, "name": name}
        for file, of_file in of_files.items()
        for name, mutant in of_file.items()
    ]
    words = sys.argv[1:]
    chosen = [one for one in mutants if not words or any(word in one["file"] + one["name"] for word in words)]
    # Copies get new modification times: cargo takes a file as old as the original for compiled.
    ignored = shutil.ignore_patterns(*NOT_COPIED)
    shutil.copytree(ROOT, SCRATCH, ignore=ignored, copy_function=shutil.copy, dirs_exist_ok=True)
    if not all(pass_all([test], False) for test in sorted({test for one in chosen for test in one["tests"]})):
        raise SystemExit("the tests fail as it is")
    survivors = []
    for mutant in chosen:
        name, is_native = f"{mutant['file']}: {mutant['name']}", mutant["file"].startswith("native/")
        place, source = SCRATCH / mutant["file"], (ROOT / mutant["file"]).read_text()
        if source.count(mutant["old"]) != 1:
            raise SystemExit(f"{name}: the old text is there {source.count(mutant['old'])} times")
        place.write_text(source.replace(mutant["old"], mutant["new"]))
        survived = pass_all(mutant["tests"], is_native)
        place.write_text(source)
        shutil.copy(ROOT / LIBRARY, SCRATCH / LIBRARY)
        print("SURVIVED" if survived else "noticed ", name, flush=True)
        survivors += [name] if survived else []
    print(f"{len(survivors)} of {len(chosen)} survived", *survivors, sep="\n")
    sys.exit(bool(survivors))


if __name__ == "__main__":
    main()
