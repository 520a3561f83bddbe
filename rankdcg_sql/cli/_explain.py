"""The command ``explain``: one user of a run, or why the mean moved between two runs."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, get_args

import click

import rankdcg_sql
from rankdcg_sql._output import Output, Result, fetch, four_digits, render, terminal_width
from rankdcg_sql._sql import quote_name
from rankdcg_sql.cli import _options as shared
from rankdcg_sql.cli._evaluation import run
from rankdcg_sql.evaluation._results.changed_values import Order

if TYPE_CHECKING:
    from duckdb import DuckDBPyRelation

    from rankdcg_sql.evaluation import Change, Explanation

#: The tables of a change, by the names of its properties.
_Shown = Literal["parts", "segments", "users", "items", "moves", "jackknife"]
_RELATIONS: dict[_Shown, str] = {
    "parts": "parts",
    "segments": "by_segment",
    "users": "deciding_users",
    "items": "by_item",
    "moves": "by_move",
    "jackknife": "jackknife",
}


@click.command(
    epilog=shared.examples(
        "explain --truth truth.csv --rec new.csv --before-rec old.csv -m ndcg@10",
        "explain --truth new_truth.csv --rec new.csv --before-truth truth.csv --before-rec old.csv",
        "explain --truth truth.csv --rec new.csv --before-rec old.csv --by country --show segments",
        "explain --truth truth.csv --rec new.csv --before-rec old.csv "
        "--require 'ranking part of ndcg@10 not worse by 1%'",
        "explain --truth truth.csv --rec rec.csv --user-id 42 -m ndcg@10",
    )
)
@shared.truth
@shared.rec
@shared.option(
    "--before-rec",
    "TABLE",
    "Recommendations of the run before, with which --rec is compared.",
    shared.utf8_text,
    shell_complete=shared.complete_file,
)
@shared.option(
    "--before-truth",
    "TABLE",
    "Judgements of the run before; --truth if not given.",
    shared.utf8_text,
    shell_complete=shared.complete_file,
)
@shared.option(
    "--user-id user_id",
    "USER",
    "User whose ranking is explained, item by item, in place of a change.",
    shared.utf8_text,
)
@shared.option(
    "--show",
    None,
    "Table of a change: its parts, or what segments, users, items and moves of items add to it, or the "
    "difference without the users who decide most.",
    type=click.Choice(get_args(_Shown)),
    default="parts",
)
@shared.option(
    "--order",
    None,
    "Order in which judgements and ranking change: judgements first, or the mean of both orders.",
    type=click.Choice(get_args(Order)),
    default="sequential",
)
@shared.metric_options
@shared.by
@shared.output_option(*get_args(Output))
@shared.requirement_options
@shared.database_options
def explain(output: Output, show: _Shown, **parameters: Any) -> None:
    """Explain a value, or a change of the mean.

    With --before-rec, prints the parts of the difference of the means: users who left, users who came,
    judgements that changed, and ranking that changed. With --user-id, prints what each item of the user's
    ranking adds to a metric, and what missed items would have added. The metric is ndcg unless -m names
    others.
    """
    before_rec, user_id = parameters["before_rec"], parameters["user_id"]
    if (before_rec is None) == (user_id is None):
        raise click.UsageError("Give --before-rec to explain a change, or --user-id to explain a ranking.")
    if before_rec is None and parameters["before_truth"] is not None:
        raise click.UsageError("--before-truth needs --before-rec: it has the judgements of that run.")
    if before_rec is None and (parameters["requirements"] or show != "parts"):
        raise click.UsageError("--require and --show are about a change: give --before-rec.")
    if user_id is not None and len(parameters["metrics"] or ()) > 1:
        raise click.UsageError("--user-id explains one metric: give one -m.")
    parameters |= {"metrics": parameters["metrics"] or ["ndcg"], "show": show}
    tables = {name: parameters.pop(name) for name in ("rec", "before_rec", "before_truth")}
    result, gate = run(explained, parameters, **tables)
    width = terminal_width(output)
    with shared.user_errors():
        rows = None
        if isinstance(result, rankdcg_sql.Change):
            gate.decide(result)
            relation = getattr(result, _RELATIONS[show])
            rows = None if show == "parts" else render(_rows(relation, output), output, width)
        text = result.render(output, width=width) if rows is None else rows
        if output == "json" and isinstance(result, rankdcg_sql.Change):
            text = gate.as_json(result, text)
    if output != "table" or not gate.quiet:
        shared.print_results(text, later_exit_code=gate.code)
    gate.end()


def _rows(relation: DuckDBPyRelation, output: Output) -> Result:
    """Fetch the rows of a table of a change, with four digits for people."""
    columns = zip(relation.columns, relation.types, strict=True)
    fractions = [quote_name(name) for name, kind in columns if kind.id == "double"]
    if output in ("csv", "json") or not fractions:
        return fetch(relation, output)
    rounded = ", ".join(f"{four_digits(name)} AS {name}" for name in fractions)
    shown = fetch(relation.project(f"* REPLACE ({rounded})"), output)
    return replace(shown, numeric=fetch(relation.limit(0), output).numeric)


def explained(
    truth: Any,
    rec: Any,
    before_truth: Any,
    before_rec: Any,
    user_id: str | None,
    order: Order,
    show: _Shown,
    **others: Any,
) -> Change | Explanation:
    """Evaluate one run or two, and explain a user or the change; whatever needs the tables is computed."""
    after = rankdcg_sql.evaluate(truth, rec, **others)
    if before_rec is None:
        return after.explain(str(user_id))
    before = rankdcg_sql.evaluate(truth if before_truth is None else before_truth, before_rec, **others)
    change = rankdcg_sql.explain_change(before, after, order=order)
    getattr(change, _RELATIONS[show])
    return change
