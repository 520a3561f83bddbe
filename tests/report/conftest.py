"""Reports without plots."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

import pytest

from rankdcg_sql.report import report

if TYPE_CHECKING:
    from collections.abc import Callable

    from support.pages import Writer


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> Writer:
    """Write reports whose figures are their captions alone. To draw them takes nearly all the time."""

    def caption_alone(draw: Callable[..., object], caption: str, is_wide: bool = False) -> str:
        return f"<figure><figcaption>{escape(caption)}</figcaption></figure>"

    monkeypatch.setattr("rankdcg_sql.report._parts.figure", caption_alone)
    return report
