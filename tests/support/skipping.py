"""What a test needs and a machine may lack."""

from __future__ import annotations

import os
from typing import NoReturn

import pytest


def skip_unless_ci(reason: str) -> NoReturn:
    """Skip the test, or fail it on CI, where nothing is missing."""
    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason)
