"""Run the tests against wrong changes of the code, each of which some test should notice.

The changes are in ``mutants.toml``: a file, a text that is in it once, what to put there, and the tests that
should fail then, as arguments of pytest or, where they begin with ``cargo test``, as a command. Each is made
in a copy of the sources; what is written in Rust is compiled anew. Those that no test noticed are printed in
the end. It needs Python 3.11.

    python tests/mutants.py            all
    python tests/mutants.py users gain those with one of these words in their file or name
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
#: Tests that take longer wait for what will not come.
PATIENCE = 900
#: Quick to compile; the tests ask for no speed.
QUICK = {"CARGO_PROFILE_RELEASE_LTO": "off", "CARGO_PROFILE_RELEASE_CODEGEN_UNITS": "16"}


def run(command: list[str], folder: Path = SCRATCH) -> bool:
    """Run a command in the copy, and say whether it went well, in time."""
    environment = os.environ | QUICK | {"PYTHONPATH": str(SCRATCH)}
    try:
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


def compiled(command: list[str], folder: Path = SCRATCH) -> None:
    """Run a command that compiles, since what does not compile shows nothing of the tests."""
    if not run(command, folder):
        raise SystemExit(f"failed: {shlex.join(command)}")


def pass_all(tests: list[str], is_native: bool) -> bool:
    """Say whether tests pass, those of Rust first; for others, native code is compiled into the package."""
    for command in (shlex.split(test) for test in tests if test.startswith("cargo test")):
        compiled([*command[:2], "--no-run", *command[2:]], SCRATCH / "native")
        if not run(command, SCRATCH / "native"):
            return False
    python = [word for test in tests if not test.startswith("cargo test") for word in shlex.split(test)]
    if python and is_native:
        compiled([sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", "dist", "."])
    return not python or run([sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *python])


def main() -> None:
    mutants = tomllib.loads((ROOT / "tests" / "mutants.toml").read_text())["mutant"]
    words = sys.argv[1:]
    chosen = [one for one in mutants if not words or any(word in one["file"] + one["name"] for word in words)]
    # With the time of the copy: a file as old as the original would be taken for compiled already.
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
