"""A dashboard of two recommenders: choose a metric and k, and see means, users and plots.

Install it with ``pip install '.[plots]' polars marimo``, open it with
``marimo run examples/marimo_dashboard.py``, and change it with ``marimo edit``. As a script,
``python examples/marimo_dashboard.py`` runs every cell once.
"""

import marimo

__generated_with = "0.25.2"
app = marimo.App(width="medium", app_title="Two recommenders")


@app.cell
def _():
    import subprocess
    import sys
    import tempfile

    import marimo as mo
    import polars as pl

    import rankdcg_sql

    return mo, pl, rankdcg_sql, subprocess, sys, tempfile


@app.cell(hide_code=True)
def _(mo):
    mo.md("""
    # Two recommenders, at any k

    This page compares two systems for the metric and the cutoff k that you choose. You see the means with
    their intervals, for how many users each system is better, and the users for whom the difference is
    largest. The evaluation runs again whenever you move the slider.

    Install: `pip install '.[plots]' polars marimo`
    """)
    return


@app.cell
def _(pl, subprocess, sys, tempfile):
    # Your own data: a table of judgements and a table of recommendations for each system.
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "rankdcg_sql", "sql", "demo/generate.sql"]
        subprocess.run(command, cwd=folder, check=True)
        truth = pl.read_parquet(f"{folder}/truth.parquet")
        systems = {
            name: pl.read_parquet(f"{folder}/{name}.parquet") for name in ("popularity", "personalised")
        }
    return systems, truth


@app.cell
def _(mo):
    metric = mo.ui.dropdown(
        ["ndcg", "recall", "precision", "average_precision", "mrr", "hit_rate"], value="ndcg", label="metric"
    )
    k = mo.ui.slider(1, 20, value=10, label="k", show_value=True)
    mo.hstack([metric, k], justify="start", gap=2)
    return k, metric


@app.cell
def _(k, metric, rankdcg_sql, systems, truth):
    compared = rankdcg_sql.compare(truth, systems, k=k.value, metrics=metric.value, rel="rel")
    return (compared,)


@app.cell
def _(compared, mo, pl):
    (row,) = compared.differences.pl().to_dicts()
    mo.vstack(
        [
            mo.hstack(
                [
                    mo.stat(f"{row['baseline']:.3f}", label="popularity", bordered=True),
                    mo.stat(f"{row['mean']:.3f}", label="personalised", bordered=True),
                    mo.stat(
                        f"{row['difference']:+.3f}",
                        label="difference",
                        caption=f"95% interval {row['low']:+.3f} to {row['high']:+.3f}",
                        bordered=True,
                    ),
                    mo.stat(
                        f"{row['wins']} : {row['ties']} : {row['losses']}",
                        label="wins : ties : losses of personalised",
                        caption=f"{row['n']} users",
                        bordered=True,
                    ),
                ],
                widths="equal",
            ),
            mo.ui.table(
                compared.summary.pl().select(
                    "system", "metric", "k", "n", pl.col("mean", "low", "high").round(4)
                ),
                selection=None,
                show_download=False,
            ),
        ]
    )
    return


@app.cell
def _(compared, k, metric):
    compared.plot_distribution(metric.value, k.value)
    return


@app.cell
def _(compared, mo, pl):
    per_user = (
        compared.to_polars()
        .pivot("system", index="userid", values="value")
        .with_columns(difference=pl.col("personalised") - pl.col("popularity"))
        .sort("difference", "userid", nulls_last=True)
        .with_columns(pl.col(pl.Float64).round(4))
    )
    mo.vstack(
        [
            mo.md("## Users\n\nThe users whom *personalised* serves worse than *popularity* come first."),
            mo.ui.table(per_user, selection=None, page_size=8),
        ]
    )
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md("""
    ## Use your own data

    Replace the songs by a table of judgements (`userid`, `itemid`, `rel`) and a dict of two tables of
    recommendations (`userid`, `itemid`, `score`). Paths of files and SQL queries work, too. If your systems
    or columns have other names, change the names in the cells.

    ## Further reading

    - `docs/evaluate.md`: `evaluate`, `compare`, tests, plots and reports.
    - `docs/options.md`: gains, ties and the conventions of other packages.
    - `examples/compare_recommenders.ipynb`: the same decision, step by step.
    """)
    return


if __name__ == "__main__":
    app.run()
