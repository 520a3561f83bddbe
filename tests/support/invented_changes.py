"""Changes of invented runs, with the members that plots and reports read."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import duckdb

from rankdcg_sql.evaluation._terms.counts import Unit
from rankdcg_sql.evaluation._terms.metrics import Measure
from support import invented_results as results

#: The parts of a change from 0.4 to 0.4117: users, difference, interval, p-value, and the corrected one.
PARTS = """
    ('ranking', 4650, -0.0033, -0.0070, 0.0004, 0.04, 0.08),
    ('users_left', 40, 0.0002, -0.0004, 0.0008, 0.4, 0.4),
    ('users_came', 310, 0.0200, 0.0150, 0.0250, 0.0001, 0.0004),
    ('judgements', 4650, -0.0052, -0.0061, -0.0043, 0.0001, 0.0004),
    ('total', 5000, 0.0117, 0.0030, 0.0204, 0.01, NULL)
"""
#: The shares of five users, or of as many items, in it.
SHARES = (0.03, 0.004, 0.0007, -0.003, -0.02)
#: The rest of it without some users, whose number is first.
WITHOUT = "(0, 0.0117, 0.01), (1, 0.009, 0.03), (1, 0.0113, 0.06), (2, 0.0051, 0.2)"
#: Segments with a part.
SEGMENTS = "('free', 'ranking', 9, -0.003), ('free', 'total', 9, -0.003), ('paid', 'total', 7, 0.0147)"
#: Moves: items, users, what they add.
MOVES = (
    "('out of top k', 12, 9, -0.02), ('into top k', 1000, 700, 0.018), (NULL, 2, 2, 0), ('up', 5, 5, 0.001)"
)
#: Two lists of the user ann: run, ranks, item, relevance, contribution.
LISTS = """
    ('before', 1, 1, 'fig', 1, 0.5), ('before', 2, 3, 'kiwi', 2, 0.25), ('before', 2, 3, 'lime', NULL, 0),
    ('before', 23, 23, 'pear', 1, NULL), ('before', NULL, NULL, 'plum', 1, NULL),
    ('after', 1, 1, 'lime', NULL, 0), ('after', 2, 2, 'fig', 1, 0.3), ('after', 3, 3, 'pear', 1, 0.2),
    ('after', NULL, NULL, 'kiwi', 2, NULL), ('after', NULL, NULL, 'plum', 1, NULL)
"""


def change(**members: Any) -> Any:
    """A change of ndcg@10, with the given members in place of those above."""
    con = duckdb.connect()

    def table(rows: str, names: str, numbers: str, more: str = "") -> duckdb.DuckDBPyRelation:
        """Rows of the measure; columns of `numbers` are DOUBLE, and columns in `more` follow."""
        cast = f"COLUMNS('^({numbers.replace(' ', '|')})$')::DOUBLE"
        others = f"t.* EXCLUDE ({', '.join(numbers.split())})"
        measure = "'ndcg' AS metric, 10::BIGINT AS k"
        return con.sql(f"SELECT {measure}, {others}, {cast}{more} FROM (VALUES {rows}) AS t({names})")

    shares = ", ".join(map(str, enumerate(SHARES, 1)))
    running = "5 AS n, sum(difference) OVER (ORDER BY place) AS cumulative, cumulative / 0.0117 AS share"
    means = ", if(part = 'total', 0.4, NULL) AS before, if(part = 'total', 0.4117, NULL) AS after"
    deciding = table(shares, "place, difference", "difference").project(f"*, {running}")
    explained = table(
        LISTS, "run, rank, last_rank, itemid, rel, contribution", "rel contribution",
        ", if(run = 'before', 0.75, 0.5) AS value",
    )  # fmt: skip
    given = {
        "kind": "change",
        "order": "sequential",
        "by": ("plan",),
        "confidence": 0.95,
        "words": Unit(),
        "user": "userid",
        "item": "itemid",
        "measures": (Measure("ndcg", 10),),
        "has_items": True,
        "before": results.evaluation(30, metrics="ndcg", k=10),
        "after": results.evaluation(30, metrics="ndcg", k=10),
        "parts": table(
            PARTS, "part, users, difference, low, high, p_value, p_corrected",
            "difference low high p_value p_corrected", f"{means}, difference / 0.0117 AS share",
        ),
        "by_segment": table(SEGMENTS, "plan, part, users, difference", "difference"),
        "by_move": table(MOVES, "move, items, users, ranking", "ranking"),
        "deciding_users": deciding.project("*, 'user ' || place AS userid, 0.25 AS before, 0.5 AS after"),
        "deciding_items": deciding.project(
            "*, 'item ' || place AS itemid, place + 6 AS users, place + 3 AS won, 3 AS lost"
        ),
        "jackknife": table(WITHOUT, "users_left_out, difference, p_value", "difference p_value",
            ", difference - 0.01 AS low, difference + 0.01 AS high"),
        "explain": lambda user, metric, k: explained.filter(f"'{user}' = 'ann'"),
        "notes": lambda: ["7.0% of judged items are gone: the new run returns them to nobody"],
        "headline": lambda measure: f"{measure.column} rose",
    }  # fmt: skip
    return SimpleNamespace(**given | members)
