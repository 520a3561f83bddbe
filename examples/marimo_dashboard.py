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
    import marimo as mo
    import numpy as np
    import polars as pl

    import rankdcg_sql

    return mo, np, pl, rankdcg_sql


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
def _(np, pl):
    def generate(
        users: int = 400, items: int = 200, seed: int = 1
    ) -> tuple[pl.DataFrame, dict[str, pl.DataFrame]]:
        """Generate judgements, and twenty recommendations of each system for each user."""
        rng = np.random.default_rng(seed)
        taste = rng.normal(size=(users, 4))
        popularity = rng.normal(size=items)
        liked = taste @ rng.normal(size=(4, items)) + 1.5 * popularity + rng.normal(0, 1.5, (users, items))
        rel = np.digitize(liked, np.quantile(liked, [0.95, 0.98, 0.995]))
        user, item = np.nonzero(rel)
        truth = pl.DataFrame({"userid": user, "itemid": item, "rel": rel[user, item]})
        predicted = {
            "popularity": np.tile(popularity, (users, 1)),
            "personal": liked + rng.normal(0, 2.5, (users, items)),
        }
        systems = {}
        for name, scores in predicted.items():
            best = np.argsort(-scores, axis=1, kind="stable")[:, :20]
            systems[name] = pl.DataFrame(
                {
                    "userid": np.repeat(np.arange(users), 20),
                    "itemid": best.ravel(),
                    "score": np.take_along_axis(scores, best, axis=1).ravel(),
                }
            )
        return truth, systems

    # Your own data: a table of judgements and a table of recommendations for each system.
    truth, systems = generate()
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
                    mo.stat(f"{row['mean']:.3f}", label="personal", bordered=True),
                    mo.stat(
                        f"{row['difference']:+.3f}",
                        label="difference",
                        caption=f"95% interval {row['low']:+.3f} to {row['high']:+.3f}",
                        bordered=True,
                    ),
                    mo.stat(
                        f"{row['wins']} : {row['ties']} : {row['losses']}",
                        label="wins : ties : losses of personal",
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
def _(mo, rankdcg_sql, systems, truth):
    # All cutoffs of the slider are evaluated at once, and only once.
    at_each_k = rankdcg_sql.compare(
        truth,
        systems,
        k=list(range(1, 21)),
        metrics=["ndcg", "recall", "precision", "average_precision", "mrr", "hit_rate"],
        rel="rel",
    )
    mo.md("## At each k")
    return (at_each_k,)


@app.cell
def _(at_each_k, metric):
    at_each_k.plot(metric.value)
    return


@app.cell
def _(compared, mo, pl):
    per_user = (
        compared.to_polars()
        .pivot("system", index="userid", values="value")
        .with_columns(difference=pl.col("personal") - pl.col("popularity"))
        .sort("difference", "userid", nulls_last=True)
        .with_columns(pl.col(pl.Float64).round(4))
    )
    mo.vstack(
        [
            mo.md("## Users\n\nThe users whom *personal* serves worse than *popularity* come first."),
            mo.ui.table(per_user, selection=None, page_size=8),
        ]
    )
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md("""
    ## Use your own data

    Replace `generate()` by a table of judgements (`userid`, `itemid`, `rel`) and a dict of two tables of
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
