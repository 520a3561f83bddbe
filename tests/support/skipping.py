"""Skips for tests that need something which a machine may lack."""

from __future__ import annotations

import os
from typing import NoReturn

import pytest


def skip_unless_ci(reason: str) -> NoReturn:
    """Skip the test or the module, or fail it on CI, where nothing may be missing."""
    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason, allow_module_level=True)
