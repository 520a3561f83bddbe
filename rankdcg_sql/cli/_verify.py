"""The command ``verify``, which computes the results of a receipt again."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import click

import rankdcg_sql
from rankdcg_sql._output import Output, Result, render, terminal_width
from rankdcg_sql._printable import printable
from rankdcg_sql.cli import _options as shared
from rankdcg_sql.cli._evaluation import run
from rankdcg_sql.cli._gates import FAILED
from rankdcg_sql.evaluation._terms.metrics import ALL
from rankdcg_sql.evaluation._terms.plan import DEFAULT_KS, takes_k

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

#: The functions whose results can be computed again, keyed by the kind of a receipt.
_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "evaluation": rankdcg_sql.evaluate,
    "comparison": rankdcg_sql.compare,
}
#: The parts of a receipt that must be the same.
_PARTS = ("fingerprints", "definitions", "counts", "rows")
#: The columns by which rows of results are told apart, beside those of segments.
_NAMES = ("system", "against", "metric", "k")


@click.command(epilog=shared.examples("verify receipt.json", "verify receipt.json --output json"))
@click.argument("path", metavar="FILE", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@shared.output_option(*get_args(Output))
@shared.option("--memory-limit", "SIZE", "Largest amount of memory for DuckDB, such as 4GB.", shared.memory)
@shared.option("--threads", "N", "Largest number of threads for DuckDB.", type=click.IntRange(1, 1024))
def verify(path: Path, output: Output, memory_limit: str | None, threads: int | None) -> None:
    """Compute the results of a receipt again, and say what differs.

    FILE is what `rankdcg-sql evaluate --output json` or `compare --output json` printed. Its tables are read
    again under the names that it has, which are relative to the present folder. The fingerprints of the
    tables, the definitions of the metrics, the numbers of rows and users, and the results must be the same,
    numbers to nine digits; the exit code is 3 if they are not. Other versions of packages are a note.
    """
    receipt = _read(path)
    try:
        parameters, tables = _call(receipt)
        parameters |= {"memory_limit": memory_limit, "threads": threads}
        result, gate = run(_FUNCTIONS[receipt["kind"]], parameters, **tables)
        with shared.user_errors():
            again = json.loads(gate.as_json(result, result.render("json")))
        found, computed = (_flat(each) for each in (receipt, again))
    except (AttributeError, KeyError, RuntimeError, TypeError, UnicodeError) as error:  # as somebody wrote it
        wanted = "its parts must be those of --output json"
        raise click.ClickException(f"{path} is no receipt: {wanted}, got {error!r}") from error
    for name, now in again["versions"].items():
        if now != (version := receipt["versions"].get(name)):
            click.echo(printable(f"- computed with {name} {version}, and now with {now}"), err=True)
    names = [name for name in dict.fromkeys([*found, *computed]) if not _are_same(found, computed, name)]
    code = FAILED if names else 0
    if names or output != "table":
        rows = [(*name, *(_text(each.get(name)) for each in (found, computed))) for name in names]
        differences = Result(["part", "value", "receipt", "now"], [False] * 4, rows)
        shared.print_results(render(differences, output, terminal_width(output)), later_exit_code=code)
    count = f"{len(names)} of {len(found)} values differ" if names else f"{len(found)} values are the same"
    click.echo(f"{'failed' if names else 'verified'}: {count}", err=True)
    click.get_current_context().exit(code)


def _read(path: Path) -> dict[str, Any]:
    """Read a receipt, and raise an error if the file is something else."""
    try:
        receipt = json.loads(path.read_text(encoding="utf-8-sig"))
    except (OSError, RecursionError, ValueError) as error:
        raise click.ClickException(f"{path} cannot be read as JSON: {error}") from error
    kind = receipt.get("kind") if isinstance(receipt, dict) else None
    if not isinstance(kind, str) or kind not in _FUNCTIONS:
        raise click.ClickException(
            f"{path} is no receipt of evaluate or compare: its kind must be {' or '.join(_FUNCTIONS)}, "
            f"got {kind!r}"
        )
    for part in (*_PARTS, "options", "inputs", "versions"):
        kinds = (list, "a list of objects") if part == "rows" else (dict, "an object")
        value = receipt.get(part)
        inner = value if isinstance(value, list) else []
        if not isinstance(value, kinds[0]) or not all(isinstance(each, dict) for each in inner):
            raise click.ClickException(f"{path} is no receipt: its part {part} must be {kinds[1]}")
    read: dict[str, Any] = receipt
    return read


def _call(receipt: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the parameters of the command that wrote a receipt, and its tables of recommendations."""
    options, inputs = {**receipt["options"]}, receipt["inputs"]
    # A metric that takes cutoffs, and has none, is of the whole list.
    metrics = [
        name if "@" in name or not takes_k(name) else f"{name}@{ALL}" for name in options.pop("measures")
    ]
    of_command = {
        **{name: inputs[name] for name in ("truth", "segments", "items", "database", "engine")},
        **{"options": options["options"], "by": options["by"], "convention": None, "progress": None},
        **{"requirements": (), "inconclusive": "fail", "strict": False, "quiet": True, "fingerprints": True},
    }
    tables = "rec" if receipt["kind"] == "evaluation" else "recs"
    return {**options, **of_command, "metrics": metrics, "k": DEFAULT_KS}, {tables: inputs[tables]}


def _flat(receipt: dict[str, Any]) -> dict[tuple[str, str], list[Any]]:
    """List the values that must be the same, keyed by their part and a name within it.

    A name has one value, unless somebody wrote a row twice.
    """
    names = [*_NAMES, *receipt["options"]["by"], "all_users"]
    found: dict[tuple[str, str], list[Any]] = {}
    for part in _PARTS:
        for path, value in _leaves(receipt[part]) if part != "rows" else _cells(receipt[part], names):
            found.setdefault((part, path), []).append(value)
    return found


def _cells(rows: list[dict[str, Any]], names: list[str]) -> Iterator[tuple[str, Any]]:
    """List the cells of rows of results, each with the columns `names` that tell its row from others."""
    for row in rows:
        place = ", ".join(f"{name} {json.dumps(row[name])}" for name in names if row.get(name) is not None)
        for name, value in row.items():
            if name not in names:
                yield f"{place}: {name}", value


def _leaves(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """List the values of nested objects, each with the names that lead to it."""
    if not isinstance(value, dict):
        yield path, value
        return
    for name, inner in value.items():
        yield from _leaves(inner, f"{path}, {name}" if path else name)


def _are_same(
    one: dict[tuple[str, str], list[Any]], other: dict[tuple[str, str], list[Any]], name: tuple[str, str]
) -> bool:
    """Whether a name has one value in both, floating point to nine digits: machines differ in logarithms."""
    pair = [*one.get(name, []), *other.get(name, [])]
    if len(pair) != 2 or name not in one or name not in other:
        return False
    if any(isinstance(each, float) for each in pair):
        is_finite = all(isinstance(each, int | float) and abs(each) < 1e300 for each in pair)
        return is_finite and math.isclose(*pair, rel_tol=1e-9, abs_tol=1e-12)
    return bool(pair[0] == pair[1])


def _text(values: list[Any] | None) -> str:
    """Write the values of a name, of which there is one; signs that no output can encode are escaped."""
    texts = ("" if value is None else str(value) for value in values or [])
    return ", ".join(texts).encode(errors="backslashreplace").decode()
