"""The progress bar of statements that take long."""

from __future__ import annotations

import duckdb
import pytest

from rankdcg_sql.evaluation._computing.progress import Progress

#: A statement that takes half a second on any machine. Statements under 0.1 seconds show no bar.
SLOW = """
    WITH RECURSIVE waiting AS (
        SELECT uuidv7() AS id
        UNION ALL
        SELECT uuidv7() FROM waiting WHERE uuid_extract_timestamp(id) < now() + INTERVAL 500 MILLISECONDS
    )
    SELECT count(*) FROM waiting
"""


def test_the_bar_is_that_of_the_running_statement(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    """Rich would read a name in brackets as markup, and leave it out."""
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "120")
    with Progress(duckdb.connect(), has_bar=True) as progress:
        for label in ("metrics of [old]", "metrics of [new]"):
            progress.run(label, SLOW)
    out, drawn = capsys.readouterr()
    assert out == ""
    assert 0 < drawn.rindex("metrics of [old]") < drawn.index("metrics of [new]")
