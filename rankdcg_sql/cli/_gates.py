"""Requirements on the results of a command, its exit code, and its results as one JSON object."""

from __future__ import annotations

import json
import platform
import sys
from dataclasses import asdict, dataclass, field
from inspect import signature
from typing import TYPE_CHECKING, Any

import click
import duckdb

import rankdcg_sql
from rankdcg_sql._errors import CallError
from rankdcg_sql._printable import printable
from rankdcg_sql.cli._options import flag
from rankdcg_sql.evaluation import RequirementError, Requirements
from rankdcg_sql.evaluation._requirements.decider import Subject
from rankdcg_sql.evaluation._requirements.grammar import PARTS, parse
from rankdcg_sql.evaluation._requirements.requirements import Inconclusive
from rankdcg_sql.evaluation._terms.metrics import definition
from rankdcg_sql.evaluation._terms.plan import make_plan
from rankdcg_sql.evaluation._terms.statistics import RANDOM_TESTS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from rankdcg_sql.evaluation import Change, Comparison, DataWarning, Evaluation

#: The exit code if a requirement failed.
FAILED = 3
#: The exit code if no requirement failed, and the users cannot decide one.
INCONCLUSIVE = 4
#: The exit code if no requirement failed, but the data have warnings and must not.
DOUBTFUL_DATA = 5
#: The arguments of a call that its results name in another way, or that change no number.
_NOT_OPTIONS = {
    *(
        "truth",
        "rec",
        "recs",
        "segments",
        "items",
        "k",
        "metrics",
        "baseline",
        "con",
        "progress",
        "spark",
        "unit",
        "fingerprints",
    )
}


@dataclass
class Gate:
    """The requirements on the results of one command, and what it prints about them."""

    #: The function that makes the results: `evaluate`, `compare` or `explained`.
    function: Callable[..., Any]
    #: The options of the command.
    parameters: dict[str, Any]
    #: The tables of recommendations, keyed by the name of their argument.
    tables: dict[str, Any]
    #: The texts of the requirements.
    texts: Sequence[str]
    #: How requirements count that the users cannot decide.
    inconclusive: Inconclusive
    #: Whether warnings about the data are failures.
    strict: bool
    #: Whether only what is wrong is printed.
    quiet: bool
    #: The warnings about the data.
    warnings: list[DataWarning] = field(default_factory=list)
    #: The outcomes of the requirements.
    decided: Requirements = field(default_factory=Requirements)

    @classmethod
    def take(cls, function: Callable[..., Any], parameters: dict[str, Any], **tables: Any) -> Gate:
        """Make a gate of its options, which are removed from `parameters`. A quiet one shows no progress bar.

        A requirement about a measure, a system or a column that the results will lack is a usage error.
        """
        texts = parameters.pop("requirements")
        own = {name: parameters.pop(name) for name in ("inconclusive", "strict", "quiet")}
        gate = cls(function, {**parameters}, tables, texts, **own)
        if gate.quiet:
            parameters["progress"] = False
        gate._check()
        return gate

    def _check(self) -> None:
        """Raise a usage error for a requirement about something that the results will lack."""
        parameters = self.parameters
        systems = [*self.tables.get("recs", ())]
        baseline = parameters.get("baseline") or next(iter(systems), None)
        if baseline not in [*systems, None, "all"]:  # the comparison itself says so
            return
        try:
            k, metrics, options = (parameters[name] for name in ("k", "metrics", "options"))
            plan = make_plan(self.function.__name__, k, metrics, options, arguments=())  # for errors alone
        except CallError:  # the evaluation itself finds it, too
            return
        of_change: dict[str, Any] = {"baseline": "before", "parts": tuple(PARTS)}
        of_systems = {"baseline": baseline if baseline in systems else None}
        subject = Subject(
            measures=plan.measures,
            by=parameters["by"],
            systems=systems,
            confidence=parameters["confidence"],
            **(of_change if self.tables.get("before_rec") else of_systems),
        )
        try:
            subject.check([parse(text) for text in self.texts])
        except CallError as error:
            raise click.BadParameter(error.text, param_hint="'--require'") from None

    def decide(self, result: Evaluation | Comparison | Change) -> None:
        """Decide the requirements, and keep their outcomes."""
        if self.texts:
            try:
                self.decided = result.require(*self.texts, inconclusive=self.inconclusive)
            except RequirementError as error:
                self.decided = error.requirements

    def end(self) -> None:
        """Print the outcomes on standard error, and end the command with its exit code if it is not 0."""
        if sys.stdout:
            sys.stdout.flush()  # a terminal shows the outcomes below the results
        unmet = self.decided.unmet(self.inconclusive)
        for decision in self.decided:
            if not self.quiet or decision in unmet:
                click.echo(printable(str(decision)), err=True)
        if self.strict and self.warnings:
            click.echo("failed: --strict allows no warning about the data:", err=True)
            for text in dict.fromkeys(warning.write(flag) for warning in self.warnings):
                click.echo(printable(f"- {text}"), err=True)
        click.get_current_context().exit(self.code)

    @property
    def code(self) -> int:
        """The exit code of the command: the first of these that applies, or 0."""
        outcomes = {decision.outcome for decision in self.decided.unmet(self.inconclusive)}
        codes = {
            FAILED: "failed" in outcomes,
            DOUBTFUL_DATA: self.strict and bool(self.warnings),
            INCONCLUSIVE: "inconclusive" in outcomes,
        }
        return next((code for code, applies in codes.items() if applies), 0)

    def as_json(self, result: Evaluation | Comparison | Change, rows: str) -> str:
        """Write the results as a JSON object: `rows`, a JSON list, and everything on which they depend."""
        parameters = self.parameters
        by_system: Mapping[str, Evaluation] = (
            {"": result} if result.kind == "evaluation" else result.evaluations
        )
        first = next(iter(by_system.values()))
        counts = {name: asdict(evaluation.counts) for name, evaluation in by_system.items()}
        fingerprints = {name: evaluation.fingerprints for name, evaluation in by_system.items()}
        known = {*signature(rankdcg_sql.evaluate).parameters, *signature(self.function).parameters}
        options = {
            name: value for name, value in parameters.items() if name in known and name not in _NOT_OPTIONS
        }
        if parameters["interval"] == "bootstrap" or parameters.get("test") in RANDOM_TESTS:
            # The command leaves these to the functions of SQL, whose defaults apply.
            drawn = [option for option in rankdcg_sql.options() if option.name in ("resamples", "seed")]
            given = {option.name: options[option.name] for option in drawn}
            options |= {o.name: int(o.default if given[o.name] is None else given[o.name]) for o in drawn}
        parts = {
            "counts": counts.get("", counts),
            "warnings": [
                {"argument": argument, "kind": kind, "text": text}
                for argument, kind, text in dict.fromkeys(
                    (warning.argument, warning.kind, warning.write(flag)) for warning in self.warnings
                )
            ],
            "requirements": [asdict(decision) for decision in self.decided],
            "options": {
                "metrics": first.metrics,
                "k": first.ks,
                "measures": [measure.column for measure in first.measures],
                **({"baseline": result.baseline or "all"} if result.kind == "comparison" else {}),
                **options,
                "options": first.options,
            },
            "definitions": {metric: definition(metric, first.options) for metric in first.metrics},
            "fingerprints": fingerprints.get("", fingerprints),
            "inputs": {
                "truth": parameters["truth"],
                **self.tables,
                **{name: parameters[name] for name in ("segments", "items", "database", "engine")},
            },
            "versions": {
                "rankdcg_sql": rankdcg_sql.__version__,
                "duckdb": duckdb.__version__,
                **_version_of_engine(parameters["engine"]),
                "python": platform.python_version(),
            },
        }
        written = [f'"kind": "{result.kind}"', f'"rows": {rows}']
        written += [
            f'"{name}": {json.dumps(part, ensure_ascii=False, allow_nan=False)}'
            for name, part in parts.items()
        ]
        return "{" + ",\n".join(written) + "}"


def _version_of_engine(engine: str) -> dict[str, str]:
    """Return the version of an engine that is not always there, keyed by its name."""
    if engine != "spark":
        return {}
    from rankdcg_sql.cli._spark import spark_version

    return {"spark": spark_version()}
