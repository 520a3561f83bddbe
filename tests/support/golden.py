"""The golden cases as calls of this package: inputs, and expected values that others computed.

`vectors/cases.json` holds the cases. `vectors/README.md` says what its words mean, and who computed the
values.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import Any, NamedTuple

from support.paths import TESTS


@dataclass(frozen=True)
class Case:
    """One call of a list function.

    `args` has one of five forms:

    - ("ids", rec, truth)
    - ("graded", rec, {item: relevance})
    - ("aligned", scores, rels), for rankdcg
    - ("scored", scores, rels), for other functions of scores
    - ("run", {item: score}, truth), in which ties are broken by item
    """

    id: str
    function: str
    args: tuple[Any, ...]
    k: int | None
    options: dict[str, Any]
    #: The value: a number, None for NULL, or "error".
    expected: float | str | None


class DatasetCase(NamedTuple):
    """Relevances of several users, and the mean of a function over users.

    The function is roc_auc if there are scores, else ndcg_rels for relevances in ranked order.
    """

    id: str
    #: The scores of each user; None if the relevances are in ranked order.
    scores_by_user: list[list[float] | None]
    rels_by_user: list[list[float]]
    k: int | None
    options: dict[str, Any]
    expected: float


class PairedCase(NamedTuple):
    """A metric's values for two systems, user by user, and fields of a statistic. Tests are two-sided."""

    id: str
    function: str
    a: list[float]
    b: list[float]
    #: The fields by name: the p-value, or the numbers of wins, ties and losses.
    expected: dict[str, float]


class CorrectionCase(NamedTuple):
    """The p-values of several tests, of which None is no test, and the same after a correction."""

    id: str
    p_values: list[float | None]
    correction: str
    expected: list[float | None]


class TablesCase(NamedTuple):
    """Tables of users, items and scores or relevances, by column, and the mean of a metric over users."""

    id: str
    metric: str
    truth: dict[str, list[Any]]
    rec: dict[str, list[Any]]
    k: int
    #: The users that the mean is over: the argument `users` of `evaluate`.
    users: str
    options: dict[str, Any]
    expected: float


_FUNCTIONS = {
    "rank_dcg": "rankdcg",
    "precision": "precision_at",
    "recall": "recall_at",
    "f1": "f1_at",
    "average_precision_score": "average_precision",
}
_DENOMINATORS = {
    "precision": "precision_denominator",
    "f1": "precision_denominator",
    "recall": "recall_denominator",
    "average_precision": "ap_denominator",
}
_NO_RELEVANT = {"skip": "null", "zero": "zero"}
_SAME = ("gain", "discount", "idcg", "duplicates", "ties", "p")  # words of params that are options here
#: Words of params, with values that this package always has.
_ALWAYS = [("negative", "error"), ("nulls", "drop"), ("variant", "b"), ("weight", "uniform")]
_OF_PAIRS = ("roc_auc", "kendall_tau")  # functions of scores whose names do not end with _scored
_PAIRED = {
    "paired_t_test": "paired_t_test",
    "wilcoxon_signed_rank": "wilcoxon_signed_rank",
    "fisher_randomization": "randomization_test",
    "win_tie_loss": "win_tie_loss",
}
_CORRECTIONS = {"fdr_bh": "benjamini_hochberg"}  # names of corrections that differ here
_USERS = {("truth", "zero"): "truth", ("truth∩rec", None): "both"}  # the words users and missing of params
_DATASET = ("ndcg_macro", "auc_per_user")

EXTRA_OPTIONS: dict[str, dict[str, Any]] = {  # defaults of the packages that are options here
    "ndcg@2/zero/linear": {"no_relevant": "zero"},
}


def _options(metric: str, params: dict[str, Any]) -> dict[str, Any]:
    options: dict[str, Any] = {}
    for word, value in params.items():
        if (word, value) == ("ties", "threshold"):
            options["ap_steps"] = value
        elif word in _SAME:
            options[word] = value
        elif word == "denominator":
            options[_DENOMINATORS[metric]] = value
        elif word in ("empty_truth", "zero_idcg"):
            options["no_relevant"] = _NO_RELEVANT[value]
        elif word == "convention":
            options |= _convention(metric, value)
        elif word != "k" and (word, value) not in _ALWAYS:
            raise KeyError(f"{metric}: no meaning for {word}={value}")
    return options


def _convention(metric: str, name: str) -> dict[str, str]:
    if (metric, name) == ("auc", "list"):
        return {}
    if (metric, name) == ("auc", "replay"):
        return {"one_class": "by_class"}
    if (metric, name) == ("auc", "hivemall"):
        return {"auc_pairs": "k"}
    if metric in ("precision", "recall", "average_precision") and name == "hivemall":
        return {"no_relevant": "one_if_rec_empty"}
    raise KeyError(f"{metric}: no meaning for convention={name}")


def _args(raw: dict[str, Any]) -> tuple[Any, ...]:
    if "scores" in raw:
        scores = [math.nan if score == "NaN" else score for score in raw["scores"]]
        return "aligned" if raw["metric"] == "rank_dcg" else "scored", scores, raw["rels"]
    if "rec_scores" in raw:
        items = raw["rec_scores"]
        if raw["params"]["ties"].startswith("item_"):
            return "run", items, raw["truth"]
        return "scored", list(items.values()), [float(item in raw["truth"]) for item in items]
    rec, truth = raw["rec"], raw["truth"]
    if isinstance(truth, dict):
        as_item = type(rec[0])
        return "graded", rec, {as_item(key): rel for key, rel in truth.items()}
    return "ids", rec, truth


def _case(raw: dict[str, Any]) -> Case:
    metric, params = raw["metric"], raw["params"]
    options = _options(metric, params) | EXTRA_OPTIONS.get(raw["id"], {})
    args = _args(raw)
    suffix = "_scored" if args[0] == "scored" and metric not in _OF_PAIRS else ""
    function = _FUNCTIONS.get(metric, metric) + suffix
    return Case(raw["id"], function, args, params.get("k"), options, raw["expected"])


def _dataset_case(raw: dict[str, Any]) -> DatasetCase:
    params = raw["params"]
    options, rels = _options(raw["metric"], params), raw["rels_by_user"]
    scores = raw.get("scores_by_user", [None] * len(rels))
    return DatasetCase(raw["id"], scores, rels, params.get("k"), options, raw["expected"])


def _paired_case(raw: dict[str, Any]) -> PairedCase:
    if raw["params"].get("alternative", "two-sided") != "two-sided":
        raise KeyError(f"{raw['id']}: not two-sided")
    expected = raw["expected"] if isinstance(raw["expected"], dict) else {"p_value": raw["expected"]}
    return PairedCase(raw["id"], _PAIRED[raw["metric"]], raw["scores_a"], raw["scores_b"], expected)


def _correction_case(raw: dict[str, Any]) -> CorrectionCase:
    named = raw["params"]["correction"]
    return CorrectionCase(raw["id"], raw["p_values"], _CORRECTIONS.get(named, named), raw["expected"])


def _tables_case(raw: dict[str, Any]) -> TablesCase:
    metric, params = raw["metric"].removeprefix("mean_"), dict(raw["params"])
    users = _USERS[params.pop("users"), params.pop("missing", None)]
    rec, truth = (
        {name: [row[place] for row in raw[f"{table}_table"]] for place, name in enumerate(names)}
        for table, names in [("rec", ("userid", "itemid", "score")), ("truth", ("userid", "itemid"))]
    )
    options = _options(metric, params)
    return TablesCase(raw["id"], metric, truth, rec, params["k"], users, options, raw["expected"])


VECTORS = TESTS / "vectors"
_RAW: list[dict[str, Any]] = json.loads((VECTORS / "cases.json").read_text(encoding="utf-8"))
IDS: list[str] = [raw["id"] for raw in _RAW]
DATASET: list[DatasetCase] = [_dataset_case(raw) for raw in _RAW if raw["metric"] in _DATASET]
PAIRED: list[PairedCase] = [_paired_case(raw) for raw in _RAW if raw["metric"] in _PAIRED]
CORRECTIONS: list[CorrectionCase] = [_correction_case(raw) for raw in _RAW if "p_values" in raw]
TABLES: list[TablesCase] = [_tables_case(raw) for raw in _RAW if "rec_table" in raw]
CASES: dict[str, Case] = {
    raw["id"]: _case(raw)
    for raw in _RAW
    if raw["id"] not in {case.id for case in [*DATASET, *PAIRED, *CORRECTIONS, *TABLES]}
}


def sources(case_id: str) -> list[str]:
    """The sources of a case: who computed or published its value."""
    (raw,) = (raw for raw in _RAW if raw["id"] == case_id)
    return raw["source"].split("; ")


def names(case_id: str, beginnings: tuple[str, ...]) -> bool:
    """Whether a source of a case begins with one of these texts."""
    return any(source.startswith(beginnings) for source in sources(case_id))
