"""Paths of the sources, also when an installed wheel is tested."""

from __future__ import annotations

from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
ROOT = TESTS.parent
README = ROOT / "README.md"
#: The README and the pages of the documentation.
PAGES = [README, *sorted((ROOT / "docs").rglob("*.md"))]
#: The pages about other packages. tests/package/test_migration_pages.py runs their examples.
MIGRATION = [page for page in PAGES if page.parent.name == "migration" and page.name != "index.md"]
