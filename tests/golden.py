"""The golden cases: inputs and expected values that other packages computed, in our own words.

The cases lie in `shared/golden/cases.json` beside the repository. `CASES`, `DATASET`, `PAIRED` and `TABLES`
are empty where that folder is absent: parametrize tests over `sorted(COVERED)`, and call `require()` first.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from absent import absent


@dataclass(frozen=True)
class Case:
    """One call of a list function.

    `args` is ("ids", rec, truth), ("graded", rec, {item: relevance}), ("aligned", scores, rels) for rankdcg,
    ("scored", scores, rels) for other functions of scores, or ("run", {item: score}, truth) where ties go by
    item; `expected` is a number, None for NULL, or "error".
    """

    id: str
    function: str
    args: tuple[Any, ...]
    k: int | None
    options: dict[str, Any]
    expected: float | str | None


@dataclass(frozen=True)
class DatasetCase:
    """Relevances of several users, in ranked order or beside scores, and how their values become one number.

    `how` is "avg" (the mean of ndcg_rels, or with scores of roc_auc) or "sum/sum" (the sum of dcg_rels over
    the sum of idcg_rels).
    """

    id: str
    scores_by_user: list[list[float] | None]
    rels_by_user: list[list[float]]
    k: int | None
    options: dict[str, Any]
    how: str
    expected: float


@dataclass(frozen=True)
class PairedCase:
    """A metric's values for two systems, and the p-value of a two-sided test of their mean difference."""

    id: str
    function: str
    a: list[float]
    b: list[float]
    expected: float


@dataclass(frozen=True)
class TablesCase:
    """Tables of users, items and scores or relevances, and the mean of a metric over users."""

    id: str
    metric: str
    truth: dict[str, list[Any]]
    rec: dict[str, list[Any]]
    k: int
    users: str
    options: dict[str, Any]
    expected: float


def shared() -> Path | None:
    """The folder `shared` beside the repository, if it holds the golden cases."""
    folder = Path(__file__).resolve().parents[2] / "shared"
    return folder if (folder / "golden" / "cases.json").is_file() else None


def require() -> Path:
    """The folder `shared`; without it the test is skipped, or fails on CI."""
    folder = shared()
    if folder is None:
        absent("the golden cases (shared/golden beside the repository) are not on this machine")
    return folder


_FUNCTIONS = {"rank_dcg": "rankdcg", "precision": "precision_at", "recall": "recall_at", "f1": "f1_at"}
_DENOMINATORS = {
    "precision": "precision_denominator",
    "f1": "precision_denominator",
    "recall": "recall_denominator",
    "average_precision": "ap_denominator",
}
_NO_RELEVANT = {"skip": "null", "zero": "zero"}
_SAME = ("gain", "discount", "idcg", "duplicates", "ties", "p")  # words that mean the same here
#: What holds here without being asked.
_ALWAYS = [("negative", "error"), ("variant", "b"), ("nulls", "drop"), ("weight", "uniform")]
_OF_PAIRS = ("roc_auc", "kendall_tau")  # functions of scores whose names do not say so
_PAIRED = {
    "paired_t_test": "paired_t_test",
    "wilcoxon_signed_rank": "wilcoxon_signed_rank",
    "fisher_randomization": "randomization_test",
}
_USERS = {("truth", "zero"): "truth", ("truth∩rec", None): "both"}  # whose means, and what the missing count
_DATASET = {"ndcg_macro": "avg", "ndcg_micro": "sum/sum", "auc_per_user": "avg"}

EXTRA_OPTIONS: dict[str, dict[str, Any]] = {  # what the packages do there without being asked
    "ndcg@2/zero/linear": {"no_relevant": "zero"},
}


def _options(metric: str, params: dict[str, Any]) -> dict[str, Any]:
    options: dict[str, Any] = {}
    for word, value in params.items():
        if word in _SAME:
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
    how = _DATASET[raw["metric"]]
    return DatasetCase(raw["id"], scores, rels, params.get("k"), options, how, raw["expected"])


def _paired_case(raw: dict[str, Any]) -> PairedCase:
    if raw["params"]["alternative"] != "two-sided":
        raise KeyError(f"{raw['id']}: not two-sided")
    return PairedCase(raw["id"], _PAIRED[raw["metric"]], raw["scores_a"], raw["scores_b"], raw["expected"])


def _tables_case(raw: dict[str, Any]) -> TablesCase:
    metric, params = raw["metric"].removeprefix("mean_"), dict(raw["params"])
    users = _USERS[params.pop("users"), params.pop("missing", None)]
    rec, truth = (
        {name: [row[place] for row in raw[f"{table}_table"]] for place, name in enumerate(names)}
        for table, names in [("rec", ("userid", "itemid", "score")), ("truth", ("userid", "itemid"))]
    )
    options = _options(metric, params)
    return TablesCase(raw["id"], metric, truth, rec, params["k"], users, options, raw["expected"])


def _read() -> list[dict[str, Any]]:
    folder = shared()
    return json.loads((folder / "golden" / "cases.json").read_text(encoding="utf-8")) if folder else []


COVERED: frozenset[str] = frozenset(
    {
        "recall@1/dummy_int/den=truth",
        "precision@2/dummy_int/den=k",
        "recall@2/dummy_int/den=truth",
        "precision@4/dummy_int/den=k",
        "recall@4/dummy_int/den=truth",
        "precision@5/dummy_int/den=k",
        "recall@5/dummy_int/den=truth",
        "recall@2/dummy_str/den=truth",
        "precision@4/dummy_str/den=k",
        "recall@4/dummy_str/den=truth",
        "precision@5/longtruth/den=k",
        "recall@5/longtruth/den=truth",
        "precision@5/blog_binary/den=k",
        "precision@2/nohit/den=k",
        "recall@2/nohit/den=truth",
        "precision@3/perfect/den=k",
        "recall@3/perfect/den=truth",
        "precision@5/dummy_int/den=retrieved",
        "recall@5/longtruth/den=min(truth,k)",
        "recall@2/dummy_int/den=min(truth,k)",
        "average_precision@2/dummy_int/den=truth",
        "average_precision@2/dummy_int/den=min_truth_k",
        "average_precision@2/dummy_int/den=hits",
        "average_precision@4/dummy_int/den=truth",
        "average_precision@4/dummy_int/den=min_truth_k",
        "average_precision@4/dummy_int/den=hits",
        "average_precision@4/dummy_str/den=truth",
        "average_precision@4/dummy_str/den=min_truth_k",
        "average_precision@4/dummy_str/den=hits",
        "average_precision@5/longtruth/den=truth",
        "average_precision@5/longtruth/den=min_truth_k",
        "average_precision@5/longtruth/den=hits",
        "average_precision@5/blog_binary/den=truth",
        "average_precision@5/blog_binary/den=hits",
        "average_precision@6/hivemall_doc6a/den=min_truth_k",
        "average_precision@6/hivemall_doc6b/den=min_truth_k",
        "average_precision@6/hivemall_doc6b/den=hits",
        "average_precision@5/short/den=truth",
        "average_precision@5/short/den=min_truth_k",
        "average_precision@5/short/den=hits",
        "average_precision@5/hivemall_str10/den=truth",
        "average_precision@5/hivemall_str10/den=min_truth_k",
        "average_precision@5/hivemall_str10/den=hits",
        "average_precision@2/nohit/den=truth",
        "average_precision@2/nohit/den=min_truth_k",
        "average_precision@2/nohit/den=hits",
        "average_precision@4/dummy_int/den=k",
        "ndcg@1/dummy_int/idcg=truth",
        "ndcg@2/dummy_int/idcg=truth",
        "ndcg@4/dummy_int/idcg=truth",
        "ndcg@5/dummy_int/idcg=truth",
        "ndcg@5/short/idcg=truth",
        "ndcg@5/longtruth/idcg=truth",
        "ndcg@2/nohit/idcg=truth",
        "ndcg@3/perfect/idcg=truth",
        "ndcg@2/latehit/idcg=truth",
        "ndcg@3/latehit/idcg=truth",
        "ndcg@5/short/idcg=retrieved",
        "ndcg@4/dummy_int/idcg=retrieved",
        "ndcg@4/dummy_int/idcg=k",
        "ndcg@5/short/idcg=k",
        "ndcg@4/dummy_int/discount=jarvelin_clip",
        "mrr@4/dummy_int",
        "hit_rate@4/dummy_int",
        "hit_rate@2/latehit",
        "mrr@3/latehit",
        "hit_rate@3/latehit",
        "mrr@2/nohit",
        "hit_rate@2/nohit",
        "mrr@4/dummy_str",
        "hit_rate@4/dummy_str",
        "f1@4/dummy_int",
        "f1@5/blog_binary",
        "f1@2/nohit",
        "auc@4/dummy_int/list",
        "auc@2/dummy_int/list",
        "auc@6/dummy_int/hivemall(k>len)",
        "auc@4/allhits/hivemall",
        "auc@4/allhits/replay",
        "auc@4/nohits/hivemall",
        "auc@4/nohits/replay",
        "ndcg@6/wiki/exp2",
        "ndcg@1/blog_graded/linear",
        "ndcg@2/blog_graded/linear",
        "ndcg@3/blog_graded/linear",
        "ndcg@4/blog_graded/linear",
        "ndcg@5/blog_graded/linear",
        "ndcg@3/ndcg_blog/exp2",
        "ndcg@3/hivemall_recrel/exp2",
        "ndcg@3/hivemall_recrel/linear",
        "ndcg@5/hivemall_recrel/exp2",
        "ndcg@2/zero/linear",
        "ndcg@4/unjudged/linear",
        "dcg@5/blog_graded/linear",
        "dcg@2/blog_graded/linear",
        "dcg@5/ndcg_blog/exp2",
        "ndcg@2/hivemall_recrel/jarvelin_clip",
        "ndcg@3/dup_rec/count",
        "average_precision@3/dup_rec/count",
        "precision@2/empty_truth",
        "average_precision@2/empty_truth",
        "ndcg@2/empty_rec",
        "ndcg@2/empty_truth",
        "mrr@2/empty_rec",
        "mrr@2/empty_truth",
        "hit_rate@2/empty_rec",
        "hit_rate@2/empty_truth",
        "precision@2/both_empty/hivemall",
        "recall@2/both_empty/hivemall",
        "average_precision@2/both_empty/hivemall",
        "rank_dcg/paper_table1_row1",
        "rank_dcg/paper_table1_row2",
        "rank_dcg/paper_table1_row3",
        "rank_dcg/paper_table1_row4",
        "rank_dcg/paper_table1_row5",
        "rank_dcg/paper_table1_row6",
        "rank_dcg/readme",
        "rank_dcg/readme_usage",
        "rank_dcg/constant_prediction",
        "rank_dcg/partial_tie",
        "rank_dcg/pair_ties",
        "rank_dcg/perfect_after_monotone_transform",
        "rank_dcg/reversed",
        "rank_dcg/binary_reference",
        "rank_dcg/wikipedia_order",
        "rank_dcg/one_distinct_value",
        "rank_dcg/single_item",
        "rank_dcg/empty",
        "rank_dcg/nan_score",
        "rank_dcg/partial_tie/average",
        "ndcg@0/invalid",
        "ndcg@None/ties1/ties=average",
        "ndcg@None/ties2/ties=average",
        "ndcg@3/ties3/ties=average",
        "ndcg@2/sk_ndcg_doc/ties=average",
        "ndcg/seed001_worst",
        "ndcg/negative_rel/error",
        "r_precision/dummy_int",
        "r_precision/longtruth",
        "r_precision/dummy_str",
        "rbp(p=0.85)/dummy_int",
        "roc_auc/hm_cls",
        "roc_auc/sk_doc",
        "roc_auc/oneclass",
        "mrr/tied-docids/stable",
        "mrr/tied-docids/msmarco(docid asc)",
        "kendall_tau_b/paper_table1_row1",
        "kendall_tau_b/paper_table1_row2",
        "kendall_tau_b/paper_table1_row6",
        "kendall_tau_b/scipy_doc",
        "kendall_tau_b/constant",
        "roc_auc/null_label_dropped",
    }
)

NOT_ASKED: dict[str, str] = {  # and why
    "average_precision_score/hm_cls": "thresholded average precision: no such metric here",
    "coverage_error/sk_doc": "no such metric here",
    "label_ranking_average_precision/ties1": "no such metric here",
    "label_ranking_loss/ties1": "no such metric here",
    "coverage_error/ties1": "no such metric here",
    "kendall_tau_c": "tau-c: no such metric here",
    "spearman_rho": "no such metric here",
    "weighted_tau": "no such metric here",
    "auc/global(pooled)": "plain SQL over roc_auc_agg",
    "gauc/weighted_by_impressions(one-class users skipped)": "plain SQL over roc_auc_agg",
    "gauc/unequal": "plain SQL over roc_auc_agg",
}

_RAW = _read()
IDS: frozenset[str] = frozenset(raw["id"] for raw in _RAW)
DATASET: list[DatasetCase] = [_dataset_case(raw) for raw in _RAW if raw["metric"] in _DATASET]
PAIRED: list[PairedCase] = [_paired_case(raw) for raw in _RAW if raw["metric"] in _PAIRED]
TABLES: list[TablesCase] = [_tables_case(raw) for raw in _RAW if "rec_table" in raw]
CASES: dict[str, Case] = {
    raw["id"]: _case(raw)
    for raw in _RAW
    if raw["id"] not in NOT_ASKED.keys() | {case.id for case in [*DATASET, *PAIRED, *TABLES]}
}


def names(case_id: str, sources: tuple[str, ...]) -> bool:
    """Whether one of those who computed a case begins so."""
    (raw,) = (raw for raw in _RAW if raw["id"] == case_id)
    return any(source.strip().startswith(sources) for source in raw["source"].split(";"))
