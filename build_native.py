"""Build step of the package: compile the shared library and append DuckDB's footer to it.

The variable ``RANKDCG_TARGET`` chooses a target of cargo-zigbuild, whose linker knows old C libraries:
``x86_64-unknown-linux-gnu.2.17`` for glibc 2.17 and later, or ``x86_64-unknown-linux-musl``. Without it, the
library needs the C library of this machine.

``python build_native.py build/rankdcg.duckdb_extension`` builds the extension alone, by a Python that has
nothing installed, as for DuckDB's community extensions.
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

try:
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface
except ImportError:  # it builds packages, which the extension alone is not
    BuildHookInterface = object

ROOT = Path(__file__).resolve().parent
NATIVE = ROOT / "native"
EXTENSION = "rankdcg_sql/rankdcg.duckdb_extension"
LIBRARY = {"darwin": "librankdcg.dylib", "win32": "rankdcg.dll"}.get(sys.platform, "librankdcg.so")
API_VERSION = "v1.2.0"
#: DuckDB's name of the platform that its CI builds for, which may be a Mac with another processor.
PLATFORM = os.environ.get("DUCKDB_PLATFORM", "")
#: The targets of Rust for Macs, and the tags of their wheels: the oldest system that Rust compiles for.
#: Python's own tag may name both processors.
OF_MACS = {
    "osx_amd64": ("x86_64-apple-darwin", "macosx_10_12_x86_64"),
    "osx_arm64": ("aarch64-apple-darwin", "macosx_11_0_arm64"),
}
TARGET = os.environ.get("RANKDCG_TARGET") or OF_MACS.get(PLATFORM, ("", ""))[0]
#: The part of cargo's configuration that an sdist has and a clone has not: the folder with the crates.
VENDORED = """
[source.crates-io]
replace-with = "vendored-sources"

[source.vendored-sources]
directory = "vendor"
"""


def duckdb_platform() -> str:
    """Return DuckDB's name of the target, or else of this platform."""
    system = {"darwin": "osx", "win32": "windows"}.get(sys.platform, "linux")
    machine = TARGET.partition("-")[0] or platform.machine().lower()
    machine = {"aarch64": "arm64", "arm64": "arm64"}.get(machine, "amd64")
    return PLATFORM or f"{system}_{machine}{'_musl' if TARGET.endswith('musl') else ''}"


def wheel_platform() -> str:
    """Return the platform tag of a wheel for the target, or else for this platform."""
    machine, _, libc = TARGET.partition("-unknown-linux-")
    name, _, version = libc.partition(".")
    tags = {"gnu": f"manylinux_{version}_{machine}", "musl": f"musllinux_1_2_{machine}"}
    _, of_mac = OF_MACS.get(duckdb_platform(), ("", ""))
    tag = tags.get(name) or of_mac or sysconfig.get_platform()
    return re.sub("[-.]", "_", tag)


def footer(version: str) -> bytes:
    """Return the footer of an extension: the metadata that DuckDB reads before it loads the extension.

    The footer is a custom WebAssembly section called ``duckdb_signature``, because DuckDB uses one layout on
    all platforms. The section has eight fields of 32 bytes, the last field first, and then 256 bytes of room
    for a signature.
    """
    header = b"\x00\x93\x04\x10" + b"duckdb_signature" + b"\x80\x04"
    fields = ["", "", "", "C_STRUCT", version, API_VERSION, duckdb_platform(), "4"]
    return header + b"".join(field.encode().ljust(32, b"\0") for field in fields) + bytes(256)


def check_cargo() -> None:
    """Raise an error unless Rust is installed."""
    if shutil.which("cargo") is None:
        raise RuntimeError("rankdcg_sql is built from Rust sources: install Rust (rustup) and try again")


def build(extension: Path) -> None:
    """Compile ``native/`` and write the extension."""
    check_cargo()
    folder = Path(os.environ.get("CARGO_TARGET_DIR", NATIVE / "target"))
    options = ["--release", "--locked", "--package", "rankdcg", "--target-dir", str(folder)]
    triple = TARGET.partition(".")[0]
    if TARGET:
        options += ["--target", TARGET]
    if triple.endswith("musl"):  # Rust would link musl into the library, which a shared one cannot have
        options += ["--config", f"target.{triple}.rustflags=['-Ctarget-feature=-crt-static']"]
    command = ["cargo-zigbuild", "zigbuild"] if "linux" in TARGET else ["cargo", "build"]
    subprocess.run([*command, *options], cwd=NATIVE, check=True)
    manifest = (NATIVE / "Cargo.toml").read_text(encoding="utf-8")
    version = re.findall(r'^version = "(.+)"', manifest, re.MULTILINE)[0]
    # A new file replaces the old one, which stays intact for processes that have it open.
    fresh = extension.with_suffix(".new")
    fresh.write_bytes((folder / triple / "release" / LIBRARY).read_bytes() + footer(version))
    fresh.replace(extension)


def vendored() -> dict[str, str]:
    """Download the sources of all crates; return where they are, and where the sdist has them."""
    folder = Path(mkdtemp())
    command = ["cargo", "vendor", "--quiet", "--locked", str(folder / "vendor")]
    subprocess.run(command, cwd=NATIVE, check=True, stdout=subprocess.DEVNULL)
    config = (NATIVE / ".cargo" / "config.toml").read_text()
    (folder / "config.toml").write_text(config + VENDORED)
    return {
        str(folder / "vendor"): "native/vendor",
        str(folder / "config.toml"): "native/.cargo/config.toml",
    }


class BuildNative(BuildHookInterface):  # type: ignore[type-arg,misc]
    """Compiles ``native/`` and puts the shared library into the package."""

    def dependencies(self) -> list[str]:
        """Return the packages that link for the chosen target."""
        is_linked_by_zig = "linux" in TARGET and self.target_name == "wheel"
        return ["cargo-zigbuild>=0.24", "ziglang>=0.15"] if is_linked_by_zig else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the shared library for a wheel; add the sources of all crates to an sdist."""
        if self.target_name == "sdist":
            check_cargo()
            build_data["force_include"].update(vendored())
            return
        build(ROOT / EXTENSION)
        build_data["artifacts"].append(EXTENSION)
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{wheel_platform()}"


if __name__ == "__main__":
    place = Path(sys.argv[1])
    place.parent.mkdir(parents=True, exist_ok=True)
    build(place)
