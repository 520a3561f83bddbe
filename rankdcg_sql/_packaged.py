"""Files and folders that a wheel holds inside the package, and a clone beside it."""

from __future__ import annotations

from pathlib import Path


def packaged(inside: str, beside: str) -> Path:
    """Return the path of a file or folder: `inside` the package if it is there, else `beside` the package."""
    package = Path(__file__).resolve().parent
    installed = package / inside
    return installed if installed.exists() else package.parent / beside
