"""Reports without plots."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from rankdcg_sql.report import report

if TYPE_CHECKING:
    from support.pages import Writer


@pytest.fixture
def written(undrawn: None) -> Writer:
    """Write reports whose figures are their captions alone."""
    return report
