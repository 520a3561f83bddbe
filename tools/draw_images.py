"""Draw the picture of the README from the tables of the demonstration: ``python tools/draw_images.py``."""

from __future__ import annotations

import re
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory

import matplotlib
from click.testing import CliRunner

import rankdcg_sql
from rankdcg_sql.cli import main
from rankdcg_sql.cli._demo import SYSTEMS

IMAGES = Path(__file__).resolve().parents[1] / "docs" / "images"
CUTOFFS = (1, 3, 5, 10, 20)


def draw_comparison(path: Path) -> None:
    """Draw the comparison of the two systems of ``rankdcg-sql demo``."""
    with TemporaryDirectory() as temporary:
        songs = Path(temporary) / "songs"
        CliRunner().invoke(main, ["demo", "--directory", str(songs)], catch_exceptions=False)
        recs = {system: songs / f"{system}.parquet" for system in SYSTEMS}
        metrics = ["ndcg", "recall", "mrr"]
        compared = rankdcg_sql.compare(songs / "truth.parquet", recs, k=CUTOFFS, metrics=metrics, rel="rel")
    # Without a date and random names, the same numbers give the same file.
    with matplotlib.rc_context({"svg.hashsalt": "rankdcg_sql"}):
        compared.plot().savefig(drawing := StringIO(), format="svg", metadata={"Date": None})
    # Nobody reads a drawing line by line, so no diff shows thousands of its lines.
    path.write_text(re.sub(r"\s*\n\s*", " ", drawing.getvalue().strip()) + "\n", encoding="utf-8")


if __name__ == "__main__":
    IMAGES.mkdir(exist_ok=True)
    draw_comparison(IMAGES / "comparison.svg")
