"""Compare recommenders: which one is better, by how much, and whether the difference may be chance.

Run it with ``python examples/compare_systems.py``.
"""

import polars as pl

import rankdcg_sql

TRUTH = """
    SELECT u AS userid, i AS itemid
    FROM range(500) AS users(u), range(60) AS items(i)
    WHERE hash(u, i) % 6 = 0
"""


def recommended(good: float) -> str:
    """Recommend ten items by a random score, to which `good` is added for relevant items."""
    relevant = "(hash(u, i) % 6 = 0)::INTEGER"
    return f"""
        SELECT u AS userid, i AS itemid, {good} * {relevant} + hash(i, u, {good}) / 2**64 AS score
        FROM range(500) AS users(u), range(60) AS items(i)
        QUALIFY row_number() OVER (PARTITION BY u ORDER BY score DESC) <= 10
    """


evaluated = rankdcg_sql.evaluate(TRUTH, recommended(0.3), k=[5, 10], metrics=["precision", "ndcg"])
print(evaluated)
print(evaluated.to_polars(wide=True).filter(pl.col("ndcg@10") > 0.9))

systems = {"chance": recommended(0), "good": recommended(0.3), "better": recommended(0.35)}
print(rankdcg_sql.compare(TRUTH, systems, baseline="good", k=10, metrics=["precision", "ndcg"]))
