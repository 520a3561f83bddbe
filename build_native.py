"""Build step of the package: compile the shared library and append DuckDB's footer to it."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

EXTENSION = "rankdcg_sql/rankdcg.duckdb_extension"
LIBRARY = {"darwin": "librankdcg.dylib", "win32": "rankdcg.dll"}.get(sys.platform, "librankdcg.so")
API_VERSION = "v1.2.0"


def duckdb_platform() -> str:
    """Return DuckDB's name of this platform."""
    system = {"darwin": "osx", "win32": "windows"}.get(sys.platform, "linux")
    machine = {"aarch64": "arm64", "arm64": "arm64"}.get(platform.machine().lower(), "amd64")
    return f"{system}_{machine}"


def footer(version: str) -> bytes:
    """Return the footer of an extension: the metadata that DuckDB reads before it loads the extension.

    The footer is a custom WebAssembly section called ``duckdb_signature``, because DuckDB uses one layout on
    all platforms. The section has eight fields of 32 bytes, the last field first, and then 256 bytes of room
    for a signature.
    """
    header = b"\x00\x93\x04\x10" + b"duckdb_signature" + b"\x80\x04"
    fields = ["", "", "", "C_STRUCT", version, API_VERSION, duckdb_platform(), "4"]
    return header + b"".join(field.encode().ljust(32, b"\0") for field in fields) + bytes(256)


class BuildNative(BuildHookInterface):  # type: ignore[type-arg]
    """Compiles ``native/`` and puts the shared library into the package."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the shared library for a wheel; an sdist has the sources instead."""
        if self.target_name == "sdist":
            return
        root = Path(self.root)
        if shutil.which("cargo") is None:
            raise RuntimeError("rankdcg_sql is built from Rust sources: install Rust (rustup) and try again")
        target = Path(os.environ.get("CARGO_TARGET_DIR", root / "native" / "target"))
        command = ["cargo", "build", "--release", "--locked", "--package", "rankdcg"]
        subprocess.run([*command, "--target-dir", str(target)], cwd=root / "native", check=True)
        library = (target / "release" / LIBRARY).read_bytes()
        extension = root / EXTENSION
        # A new file replaces the old one, which stays intact for processes that have it open.
        fresh = extension.with_suffix(".new")
        fresh.write_bytes(library + footer(self.metadata.version))
        fresh.replace(extension)
        build_data["artifacts"].append(EXTENSION)
        build_data["pure_python"] = False
        tag = sysconfig.get_platform().replace("-", "_").replace(".", "_")
        build_data["tag"] = f"py3-none-{tag}"
