"""The golden cases: calls of this package, and expected values that others computed.

`vectors/README.md` describes the keys of `vectors/cases.json`, and says who computed the values.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import Any

from support.paths import TESTS


@dataclass(frozen=True)
class Case:
    """One call of a function, or the mean of a function over users.

    `args` is the kind of the case, and the arguments that vectors/README.md lists for this kind.
    """

    id: str
    function: str
    args: tuple[Any, ...]
    k: int | None
    options: dict[str, Any]
    #: A number, None for NULL, "error", a list of p-values, or the fields of a result.
    expected: Any


def _case(raw: dict[str, Any]) -> Case:
    kind, (first, *others) = raw["kind"], raw["args"]
    if kind == "graded":  # JSON has text keys only
        as_item = type(first[0])
        others = [{as_item(item): rel for item, rel in others[0].items()}]
    elif kind in ("aligned", "scored"):
        first = [math.nan if score == "NaN" else score for score in first]
    options = raw.get("options", {})
    return Case(raw["id"], raw["function"], (kind, first, *others), raw.get("k"), options, raw["expected"])


VECTORS = TESTS / "vectors"
_RAW: list[dict[str, Any]] = json.loads((VECTORS / "cases.json").read_text(encoding="utf-8"))
_EVERY = [_case(raw) for raw in _RAW]
IDS: list[str] = [case.id for case in _EVERY]
DATASET, PAIRED, CORRECTIONS, TABLES, ITEMS, EXPOSURES, ASPECTS, RANKINGS_OF_ITEMS = (
    [case for case in _EVERY if case.args[0] == kind]
    for kind in ("users", "pairs", "p_values", "tables", "values", "exposures", "aspects", "rankings")
)
#: The cases of functions of the lists of one ranking.
CASES: dict[str, Case] = {
    case.id: case for case in _EVERY if case.args[0] in ("ids", "graded", "aligned", "scored", "run")
}


def sources(case_id: str) -> list[str]:
    """The sources of a case: who computed or published its value."""
    (raw,) = (raw for raw in _RAW if raw["id"] == case_id)
    return raw["source"].split("; ")


def names(case_id: str, beginnings: tuple[str, ...]) -> bool:
    """Whether a source of a case begins with one of these texts."""
    return any(source.startswith(beginnings) for source in sources(case_id))
