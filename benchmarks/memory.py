"""Memory of the states of aggregates, in bytes per row, without DuckDB's own memory for the groups.

Every call runs in a process of its own. A figure is the peak of resident memory, less the peak of ``count``
over the same rows and groups. It contains the rows that a state keeps, and the memory for the evaluation of
the groups at the end. Rows are ordered such that neighbours belong to different groups. ``list({a, b})`` is
DuckDB's own list of scores and relevances. ``rank_metrics_by_user`` groups the rows itself, so its figures
contain the groups, too. A call that needs more than ``--limit`` MiB of address space is shown as -.
"""

from __future__ import annotations

import resource
import subprocess
import sys

import click
from rich.console import Console
from rich.table import Table

_BASELINE = "count(score)"
_UNGROUPED_BASELINE = "count(rel)"
_CALLS = [
    "list({'a': score, 'b': rel})",
    "ndcg_agg(score, rel)",
    "ndcg_agg(score, rel, 10)",
    "list({'i': item, 'a': score, 'b': rel})",
    "ndcg_rows(item, score, rel)",
    "ndcg_rows(item, score, rel, 10)",
    "ndcg_rows('document ' || lpad(item::VARCHAR, 20, '0'), score, rel)",
    "list(item ORDER BY score DESC)",
    "ranked_list(item, score)",
    "ranked_list(item, score, 10)",
    "ranked_list('document ' || lpad(item::VARCHAR, 20, '0'), score)",
    "mean_ci(score)",
    "paired_t_test(score, item)",
    "rank_metrics_by_user(user, item, score, rel)",
    "rank_metrics_by_user(user, item, score, rel, 10)",
]
_UNGROUPED = {_UNGROUPED_BASELINE, *(call for call in _CALLS if call.startswith("rank_metrics_by_user"))}
# Three of four rows in a group are recommendations, and one of these also has a judgement. The fourth row is
# a judgement alone.
_ROWS = """
SELECT
    i % {users} AS user,
    i // {users} AS item,
    CASE WHEN item % 4 < 3 THEN hash(i) / 1e19 END AS score,
    CASE WHEN item % 4 > 1 THEN 1.0 END AS rel
FROM range({rows}) AS rows(i)
"""
_KIB = 1024


def _peak(call: str, users: int, rows: int, limit: int) -> int | None:
    """Return the peak memory in bytes of a process that computes an aggregate; None if it fails."""
    done = subprocess.run(
        [sys.executable, __file__, "--measure", call, str(users), str(rows), str(limit)],
        capture_output=True,
        text=True,
    )
    return int(done.stdout) if done.returncode == 0 else None


def _measure(call: str, users: int, rows: int, limit: int) -> None:
    import rankdcg_sql

    resource.setrlimit(resource.RLIMIT_AS, (limit * _KIB**2, limit * _KIB**2))
    source = _ROWS.format(users=users, rows=rows)
    groups = "" if call in _UNGROUPED else "GROUP BY user"
    with rankdcg_sql.connect(config={"threads": 2}) as con:
        con.execute(f"SELECT count(value) FROM (SELECT {call} AS value FROM ({source}) {groups})").fetchall()
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * _KIB)


@click.command(help=__doc__)
@click.option("--rows", default=4_000_000, show_default=True)
@click.option("--limit", default=2_800, show_default=True, help="MiB of addresses for each process.")
def main(rows: int, limit: int) -> None:
    """Print a table with a line for each aggregate and a column for each number of groups."""
    groups = [1, rows // 20, rows // 4, rows]
    table = Table("bytes a row", *(f"groups: {number:,}" for number in groups))
    bases = {
        baseline: [_peak(baseline, number, rows, limit) for number in groups]
        for baseline in (_BASELINE, _UNGROUPED_BASELINE)
    }
    for call in _CALLS:
        cells = []
        baseline = _UNGROUPED_BASELINE if call in _UNGROUPED else _BASELINE
        for number, base in zip(groups, bases[baseline], strict=True):
            peak = _peak(call, number, rows, limit)
            cells.append("-" if peak is None or base is None else f"{(peak - base) / rows:.0f}")
        table.add_row(call, *cells)
    Console(width=140).print(table)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--measure"]:
        _measure(sys.argv[2], *map(int, sys.argv[3:]))
    else:
        main()
