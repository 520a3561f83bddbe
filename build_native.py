"""Build step of the package: compile the shared library and append DuckDB's footer to it.

The variable ``RANKDCG_TARGET`` chooses a target of cargo-zigbuild, whose linker knows old C libraries:
``x86_64-unknown-linux-gnu.2.17`` for glibc 2.17 and later, or ``x86_64-unknown-linux-musl``. Without it, the
library needs the C library of this machine.
"""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

EXTENSION = "rankdcg_sql/rankdcg.duckdb_extension"
LIBRARY = {"darwin": "librankdcg.dylib", "win32": "rankdcg.dll"}.get(sys.platform, "librankdcg.so")
API_VERSION = "v1.2.0"
TARGET = os.environ.get("RANKDCG_TARGET", "")
#: Where cargo finds the crates in an sdist, beside what its configuration has in a clone.
VENDORED = """
[source.crates-io]
replace-with = "vendored-sources"

[source.vendored-sources]
directory = "vendor"
"""


def duckdb_platform(target: str = TARGET) -> str:
    """Return DuckDB's name of a target, or of this platform."""
    system = {"darwin": "osx", "win32": "windows"}.get(sys.platform, "linux")
    machine = target.partition("-")[0] or platform.machine().lower()
    machine = {"aarch64": "arm64", "arm64": "arm64"}.get(machine, "amd64")
    return f"{system}_{machine}{'_musl' if target.endswith('musl') else ''}"


def wheel_platform(target: str = TARGET) -> str:
    """Return the platform tag of a wheel for a target, or for this platform."""
    machine, _, libc = target.partition("-unknown-linux-")
    name, _, version = libc.partition(".")
    tags = {"gnu": f"manylinux_{version}_{machine}", "musl": f"musllinux_1_2_{machine}"}
    return re.sub("[-.]", "_", tags[name] if target else sysconfig.get_platform())


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

    def dependencies(self) -> list[str]:
        """Return the packages that link for the chosen target."""
        return ["cargo-zigbuild>=0.24", "ziglang>=0.15"] if TARGET and self.target_name == "wheel" else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the shared library for a wheel; add the sources of all crates to an sdist."""
        if shutil.which("cargo") is None:
            raise RuntimeError("rankdcg_sql is built from Rust sources: install Rust (rustup) and try again")
        if self.target_name == "sdist":
            build_data["force_include"].update(self._vendored())
            return
        extension = Path(self.root, EXTENSION)
        # A new file replaces the old one, which stays intact for processes that have it open.
        fresh = extension.with_suffix(".new")
        fresh.write_bytes(self._library() + footer(self.metadata.version))
        fresh.replace(extension)
        build_data["artifacts"].append(EXTENSION)
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{wheel_platform()}"

    def _library(self) -> bytes:
        """Compile the library and return it."""
        native = Path(self.root, "native")
        target = Path(os.environ.get("CARGO_TARGET_DIR", native / "target"))
        options = ["--release", "--locked", "--package", "rankdcg", "--target-dir", str(target)]
        if not TARGET:
            subprocess.run(["cargo", "build", *options], cwd=native, check=True)
            return (target / "release" / LIBRARY).read_bytes()
        triple = TARGET.partition(".")[0]
        options += ["--target", TARGET]
        if triple.endswith("musl"):  # Rust would link musl into the library, which a shared one cannot have
            options += ["--config", f"target.{triple}.rustflags=['-Ctarget-feature=-crt-static']"]
        subprocess.run(["cargo-zigbuild", "zigbuild", *options], cwd=native, check=True)
        return (target / triple / "release" / LIBRARY).read_bytes()

    def _vendored(self) -> dict[str, str]:
        """Download the sources of all crates; return where they are, and where the sdist has them."""
        native, folder = Path(self.root, "native"), Path(mkdtemp())
        subprocess.run(
            ["cargo", "vendor", "--quiet", "--locked", str(folder / "vendor")],
            cwd=native,
            check=True,
            stdout=subprocess.DEVNULL,
        )
        config = (native / ".cargo" / "config.toml").read_text()
        (folder / "config.toml").write_text(config + VENDORED)
        return {
            str(folder / "vendor"): "native/vendor",
            str(folder / "config.toml"): "native/.cargo/config.toml",
        }
