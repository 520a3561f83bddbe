"""Coverage of intervals of means that the judgements of people correct, in simulated experiments.

A population of queries has 20 documents each, with grades by people and by four judges, and two systems rank
them. An experiment draws 1,000 queries, of which people judge some. A line says for a metric, a judge and a
number of judged queries in how many experiments the 95% interval holds the mean of the population, and how
wide it is beside that of people alone; then in how many a requirement at 0.05 passes that is not quite met,
on more than the mean and on less; then the same for the difference of the two systems.

With --weighted, every fifth query is of a kind that has fewer relevant documents, people judge as many
queries of this kind as of the others, and each has a weight.
"""

from __future__ import annotations

import click
from rich.console import Console
from rich.table import Table

import rankdcg_sql

_METRICS = ("ndcg", "average_precision", "mrr", "precision")
_LABELLED = (30, 100, 300)
_QUERIES, _DOCUMENTS = 1000, 20
#: The grade of each judge in SQL, from that of people, the place of the document, and noise.
_JUDGES = {
    "biased": "rel + 0.9 * (document % 2) + 0.7 * noise",
    "reversed": "3 - rel + 0.7 * noise",
    "perfect": "rel",
    "random": "4 * random() - 0.5",
}


def _population(queries: int, grade: str) -> str:
    """Write a query of the values of `queries` queries: a column for each metric, truth and system.

    `grade` is SQL for a random number by which a document has its grade.
    """
    judged = ", ".join(
        f"least(greatest(round({grade}), 0), 3) AS {judge}" for judge, grade in _JUDGES.items()
    )
    rows = (
        "SELECT query, document, CASE WHEN grade > 0.97 THEN 3 WHEN grade > 0.9 THEN 2 "
        "WHEN grade > 0.75 THEN 1 ELSE 0 END AS rel, "
        "sqrt(-2 * ln(1 - random())) * cos(2 * pi() * random()) AS noise, "
        "random() + random() AS of_one, random() + random() AS of_other "
        f"FROM (SELECT query, document, {grade} AS grade FROM range({queries}) AS q(query), "
        f"range({_DOCUMENTS}) AS d(document))"
    )
    lists = ", ".join(f"list({column}) AS {column}" for column in ("rel", *_JUDGES))
    grouped = (
        f"SELECT query, {lists}, list(rel + 5 * of_one) AS one, list(rel + 7 * of_other) AS other "
        f"FROM (SELECT *, {judged} FROM ({rows})) GROUP BY query"
    )
    values = ", ".join(
        f"rank_metrics_scored({system}, {truth}, 10, 'no_relevant=zero') AS {truth}_{system}"
        for truth in ("rel", *_JUDGES)
        for system in ("one", "other")
    )
    return f"SELECT query, {values} FROM ({grouped})"


def _calls() -> list[tuple[tuple[str, ...], str, str, str]]:
    """List each case: its names, and SQL for the value by people, by the judge, and the true mean."""
    cases = []
    for metric in _METRICS:
        for judge in _JUDGES:
            for labelled in _LABELLED:
                human, model = f"rel_one.{metric}", f"{judge}_one.{metric}"
                pair = f"({human} - rel_other.{metric})", f"({model} - {judge}_other.{metric})"
                for what, one, other in (("mean", human, model), ("difference", *pair)):
                    cases.append(((what, metric, judge, str(labelled)), one, other, f"avg({one})"))
    return cases


@click.command(help=__doc__)
@click.option("--experiments", default=1000, show_default=True, help="Experiments of each case.")
@click.option("--population", default=200_000, show_default=True, help="Queries of the population.")
@click.option("--weighted", is_flag=True, help="Whether people judge more of a rare kind.")
def main(experiments: int, population: int, weighted: bool) -> None:
    """Print the table."""
    con = rankdcg_sql.connect()
    con.execute("SET threads = 1; SELECT setseed(0.25)")  # so that random numbers are the same each time
    rare = "query % 5 = 0"
    grade = f"random() * if({rare}, random(), 1)" if weighted else "random()"
    con.execute(f"CREATE TEMP TABLE population AS {_population(population, grade)}")
    con.execute(
        "CREATE TEMP TABLE drawn AS SELECT experiment, place, floor(random() * "
        f"{population})::BIGINT AS query FROM range({experiments}) AS e(experiment), "
        f"range({_QUERIES}) AS p(place)"
    )
    if weighted:
        # The place of a query among those of its kind, each of which stands for as many as its weight.
        con.execute(
            "CREATE OR REPLACE TEMP TABLE drawn AS SELECT experiment, query, "
            "2 * row_number() OVER (of_kind ORDER BY place) - 2 AS place, count(*) OVER of_kind AS weight "
            f"FROM drawn WINDOW of_kind AS (PARTITION BY experiment, {rare})"
        )
    corrected, alone, weight = "judge_corrected_mean", "mean_ci", ""
    if weighted:
        corrected, alone, weight = "weighted_judge_corrected_mean", "weighted_mean_ci", ", weight"
    table = Table(
        "of", "metric", "judge", "judged", "holds the mean", "people alone", "width", "> met", "< met"
    )
    for (what, metric, judge, labelled), human, model, true_mean in _calls():
        by_people = f"CASE WHEN place < {labelled} THEN {human} END"
        found = con.sql(
            f"SELECT {corrected}({by_people}, {model}{weight}) AS corrected, "
            f"{alone}({by_people}{weight}) AS alone, "
            f"{corrected}({by_people}, {model}{weight}, 'confidence=0.9') AS one_sided "
            "FROM drawn JOIN population USING (query) GROUP BY experiment"
        )
        holds = "avg(({0}.low <= true_mean AND true_mean <= {0}.high)::INT)"
        (row,) = found.query(
            "found",
            f"SELECT {holds.format('corrected')}, {holds.format('alone')}, "
            "avg(corrected.high - corrected.low) / avg(alone.high - alone.low), "
            "avg((one_sided.low > true_mean)::INT), avg((one_sided.high < true_mean)::INT) "
            f"FROM found, (SELECT {true_mean} AS true_mean FROM population)",
        ).fetchall()
        shares = [f"{share:.1%}" for share in row]
        table.add_row(what, metric, judge, labelled, *shares[:2], f"{row[2]:.2f}", *shares[3:])
    Console().print(table)


if __name__ == "__main__":
    main()
