"""Slow reference of the list functions, written from the formulas.

It imports nothing of the package, so that the package can be tested against it. A ranking becomes two lists:
the relevances of the retrieved items in ranked order, and the relevances of all judged items. Wrong input
raises ValueError.
"""

from __future__ import annotations

import math
import operator
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from ctypes import c_float
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from itertools import accumulate, chain, combinations, permutations, product, repeat
from typing import Any

import numpy as np

CHOICES: dict[str, tuple[str, ...]] = {  # the legal values of each option, its default first
    "precision_denominator": ("retrieved", "k"),
    "recall_denominator": ("truth", "min_truth_k"),
    "ap_denominator": ("truth", "min_truth_k", "hits", "k", "min_truth_retrieved"),
    "ap_steps": ("rank", "threshold"),
    "gain": ("exp2", "linear", "binary"),  # or a list: the gain of grade 0, 1, 2 ...
    "discount": ("log2", "log2_clip", "ln"),
    "idcg": ("truth", "retrieved", "k"),
    "no_relevant": ("null", "zero", "one", "error", "one_if_rec_empty"),
    "empty_rec": ("zero", "null"),
    "rbp_gain": ("binary", "linear"),
    "patience": ("none", "reciprocal", "geometric", "insq"),
    "one_class": ("half", "null", "zero", "by_class"),
    "auc_pairs": ("retrieved", "k"),
    "duplicates": ("first", "count"),
    "unjudged": ("zero", "skip"),
    "ties": ("average", "pessimistic", "optimistic", "input_order", "item_asc", "item_desc"),
    "score_type": ("exact", "float32"),
}


@dataclass(frozen=True)
class Number:
    """The values of an option that is a number."""

    #: The least value, and the least number above the values.
    least: float
    above: float
    #: None is an option that is unset.
    default: float | None
    #: Values to draw, and those that are no error in any call.
    drawn: tuple[float, ...]
    valid: tuple[float | None, ...]


NUMBERS = {
    "beta": Number(math.ulp(0.0), math.nextafter(1000, math.inf), 1, drawn=(0.5, 2.0, 1000.0), valid=(2.0,)),
    "recall": Number(0.0, math.nextafter(1, 2), 0.1, drawn=(0.0, 0.3, 0.5, 0.7, 1.0), valid=(0.5,)),
    "min_rel": Number(math.ulp(0.0), math.inf, None, drawn=(0.5, 1.0, 2.0, 3.5), valid=(None,)),
    "p": Number(math.ulp(0.0), 1.0, 0.8, drawn=(0.5, 0.9, 1e-6), valid=(0.5, 0.9, 1e-6)),
    "q_beta": Number(0.0, math.inf, 1, drawn=(0.0, 0.5, 10.0), valid=(0.0, 2.5)),
    "t": Number(math.ulp(0.0), math.inf, 1, drawn=(0.125, 0.5, 2.5), valid=(0.25, 2.0)),
    "max_rel": Number(
        1.0, math.nextafter(100, math.inf), None, drawn=(1.0, 2.0, 4.25, 10.0), valid=(10.0, 12.5)
    ),
}
#: The default of each option whose values are lists of as many numbers, and no names.
LISTS = {"worth": [1.0, -1.0, 0.0]}
LARGEST_WORTH = 1e6
#: The options that each convention sets.
CONVENTIONS: dict[str, dict[str, Any]] = {
    name: {
        option: float(value) if option in NUMBERS else value
        for option, value in (pair.split("=") for pair in text.split())
    }
    for name, text in {
        "hivemall_page": "",
        "hivemall_java": "ap_denominator=hits idcg=retrieved auc_pairs=k duplicates=count no_relevant=zero",
        "trec_eval": "precision_denominator=k gain=linear no_relevant=zero ties=item_desc score_type=float32",
        "sklearn": "gain=linear ap_denominator=hits ap_steps=threshold one_class=null no_relevant=zero",
        "spark": "precision_denominator=k ap_denominator=min_truth_k duplicates=count no_relevant=zero",
        "ranx": "precision_denominator=k gain=linear rbp_gain=linear no_relevant=zero ties=input_order",
        "replay": (
            "precision_denominator=k ap_denominator=min_truth_k gain=binary "
            "one_class=by_class duplicates=count no_relevant=zero"
        ),
        "rectools": "precision_denominator=k gain=binary idcg=k duplicates=count",
        "recommenders": "precision_denominator=k gain=binary duplicates=count",
        "lenskit": (
            "recall_denominator=min_truth_k ap_denominator=min_truth_retrieved gain=linear "
            "discount=log2_clip p=0.85 duplicates=count"
        ),
        "torchmetrics": (
            "precision_denominator=k ap_denominator=hits gain=linear one_class=zero "
            "no_relevant=zero score_type=float32"
        ),
    }.items()
}
CONVENTIONS_OF_METRICS: dict[tuple[str, str], dict[str, Any]] = {
    ("hivemall_java", name): {"no_relevant": "one_if_rec_empty"}
    for name in ("precision_at", "recall_at", "average_precision")
} | {
    ("sklearn", "auc"): {"no_relevant": "null"},
    ("lenskit", "precision_at"): {"no_relevant": "zero", "empty_rec": "null"},
    ("lenskit", "average_precision"): {"empty_rec": "null"},
    ("lenskit", "dcg"): {"no_relevant": "zero"},
    **{
        ("recommenders", name): {"empty_rec": "null"}
        for name in ("precision_at", "recall_at", "average_precision")
    },
}
CHOICES["convention"] = tuple(CONVENTIONS)
DEFAULTS: dict[str, dict[str, Any]] = {  # where a function has its own
    "rankdcg": {"ties": "pessimistic"},
    **{f"q_measure{suffix}": {"gain": "linear"} for suffix in ("", "_rels", "_scored")},
}
LARGEST_GAIN = 1e300
_BINARY = ("min_rel", "no_relevant", "empty_rec", "duplicates")
_GAINS = ("gain", "discount", *_BINARY)
_OF_MAX_REL = ("max_rel", "no_relevant", "empty_rec", "duplicates")
OPTIONS: dict[str, tuple[str, ...]] = {  # the options that each function knows
    "precision_at": ("precision_denominator", *_BINARY),
    "recall_at": ("recall_denominator", *_BINARY),
    "f1_at": ("beta", "precision_denominator", "recall_denominator", *_BINARY),
    "hit_rate": _BINARY,
    "mrr": _BINARY,
    "average_precision": ("ap_denominator", "ap_steps", *_BINARY),
    "auc": ("one_class", "auc_pairs", *_BINARY),
    "cg": ("no_relevant", "empty_rec", "duplicates"),
    "dcg": _GAINS,
    "idcg": ("idcg", *_GAINS),
    "ndcg": ("idcg", *_GAINS),
    "r_precision": _BINARY,
    "rbp": ("p", "rbp_gain", *_BINARY),
    "rbp_residual": ("p", "empty_rec"),
    "err": _OF_MAX_REL,
    "nerr": _OF_MAX_REL,
    "nearly_err": ("patience", "p", "t", *_OF_MAX_REL),
    "q_measure": ("gain", "q_beta", *_BINARY),
    "sdcg": ("discount", *_OF_MAX_REL),
    "bpm": ("t", *_OF_MAX_REL),
    "insq": ("t", *_OF_MAX_REL),
    "inst": ("t", *_OF_MAX_REL),
    "bpref": _BINARY,
    "inf_ap": _BINARY,
    "iprec": ("recall", *_BINARY),
    "eleven_point_average": _BINARY,
    "relative_precision": _BINARY,
    "utility": ("worth", "min_rel", "empty_rec", "duplicates"),
    "judged_share": ("empty_rec", "duplicates"),
    "rankdcg": ("empty_rec", "ties", "score_type"),
    "roc_auc": ("min_rel", "ties", "score_type"),
    "kendall_tau": ("score_type",),
}
_OF_GAINS = (
    *("cg", "dcg", "idcg", "ndcg", "err", "nerr", "nearly_err", "q_measure", "sdcg", "bpm"),
    *("insq", "inst"),
)
#: The metrics whose expected values over ties are means over the orders of tied items.
BY_ORDERS = ("err", "nerr", "nearly_err", "inst", "inf_ap", "iprec", "eleven_point_average", "bpm")
_OF_SETS = ("utility", "judged_share", "rbp_residual")  # have a value without a relevant item, too
#: These tell an unjudged item from one judged with 0.
_OF_JUDGEMENTS = ("bpref", "inf_ap", "judged_share", "rbp_residual")
PAIRS = ("roc_auc", "kendall_tau")  # leave out items without a score or without a relevance
_OF_SCORES = ("rankdcg", *PAIRS)  # take scores under their own names, without _scored
_SIGNED = ("rankdcg", "kendall_tau")
_OF_WHOLE = ("r_precision", "bpref", "inf_ap", "iprec", "eleven_point_average")
WITHOUT_K = (*_OF_WHOLE, *(f"{name}_scored" for name in _OF_WHOLE), *_OF_SCORES)
OPTIONS |= {name: (*options, "unjudged") for name, options in OPTIONS.items() if name not in PAIRS}


def _without(name: str, *without: str) -> tuple[str, ...]:
    return tuple(option for option in OPTIONS[name] if option not in without)


# duplicates needs items, empty_rec a list beside the truth, and ap_steps scores.
OPTIONS |= {f"{name}_rels": _without(name, "duplicates", "empty_rec") for name in _OF_GAINS} | {
    f"{name}_scored": (*_without(name, "duplicates"), "ties", "score_type")
    for name in OPTIONS
    if name not in _OF_SCORES
}
OPTIONS["average_precision"] = _without("average_precision", "ap_steps")
OPTIONS = {name: ("convention", *options) for name, options in OPTIONS.items()}


# The public functions


def evaluate(
    name: str, rec: Sequence | None, truth: Any, k: int | None = None, **options: Any
) -> float | None:
    """Value of the function `name` for one list of retrieved items.

    Parameters
    ----------
    rec : items, best first; None stands for a NULL item
    truth : relevant items (binary), or {item: relevance} or [(item, relevance), ...] (graded)
    k : cutoff; None for the whole list
    """
    settings = _settings(name, k, options)
    if truth is None:
        return None
    if name == "rankdcg" and not _is_graded(truth) and any(item is not None for item in truth):
        raise ValueError("rankdcg: needs graded truth")
    judged = _judgements(truth, signed=name == "rankdcg")
    retrieved = [_key(item) for item in rec or []]
    if name == "rankdcg":
        head = []
        for position, key in enumerate(retrieved):
            if key is not None and key in retrieved[:position]:  # an item has one place in an order
                continue
            if key in judged:
                head.append([judged[key]])
            elif settings["unjudged"] == "zero":
                head.append([0.0])
        tail = [rel for key, rel in judged.items() if key not in retrieved]
        return _rankdcg(head, tail, bool(head), settings)
    ranked: list[float | None] = []
    for position, key in enumerate(retrieved):
        repeat = settings.get("duplicates") == "first" and key in retrieved[:position]
        ranked.append(None if repeat else judged.get(key))
    return _value(name, ranked, list(judged.values()), k, settings)


def graded_lists(
    name: str,
    rec_rels: Sequence[float | None] | None,
    truth_rels: Sequence[float | None] | None,
    k: int | None = None,
    *,
    suffix: str = "",
    **options: Any,
) -> float | None:
    """Value of `name` for the relevances in ranked order, and the relevances of all judged items.

    The options are those of the function whose name ends with `suffix`.
    """
    settings = _settings(f"{name}{suffix}", k, options)
    if truth_rels is None:
        return None
    judged = _relevances(truth_rels, signed=name == "rankdcg")
    ranked: list[float | None] = []
    rest = Counter(judged)
    _relevances(rec_rels or [], signed=name == "rankdcg")
    for rel in rec_rels or []:
        if rel is not None and rest[rel] > 0:
            rest[rel] -= 1
            ranked.append(rel)
        elif rel:  # an unjudged item has relevance 0
            raise ValueError(f"{name}: rec holds relevance {rel} more often than truth")
        else:
            ranked.append(None)
    if name == "rankdcg":
        known = [rel for rel in ranked if rel is not None or settings["unjudged"] == "zero"]
        head = [[0.0 if rel is None else rel] for rel in known]
        return _rankdcg(head, list(rest.elements()), bool(head), settings)
    return _value(name, ranked, judged, k, settings)


def evaluate_rels(
    name: str, rels: Sequence[float | None] | None, k: int | None = None, **options: Any
) -> float | None:
    """Value of a metric of gains for one list of relevances in ranked order; None is an unjudged item."""
    return graded_lists(name, rels, rels, k, suffix="_rels", **options)


def evaluate_scored(
    name: str,
    scores: Sequence[float | None] | None,
    rels: Sequence[float | None] | None,
    k: int | None = None,
    *,
    aligned: bool = True,
    **options: Any,
) -> float | None:
    """Value of `name` for aligned lists: element i of both lists belongs to item i.

    An item whose score is None was not retrieved. An item whose relevance is None is not judged: in `aligned`
    lists rankdcg leaves it out, and in the rows of a group the option `unjudged` decides.
    """
    settings = _settings(name if name in _OF_SCORES else f"{name}_scored", k, options)
    if rels is None:
        return None
    if scores and len(scores) != len(rels):
        raise ValueError(f"{name}: unequal lengths")
    if any(score is not None and math.isnan(score) for score in scores or []):
        raise ValueError(f"{name}: NaN score")
    judged = _relevances(rels, signed=name in _SIGNED)
    scores = [score if score is None else compared(score, settings["score_type"]) for score in scores or []]
    items = list(zip(scores or [None] * len(rels), rels, strict=True))
    if name in PAIRS:
        items = [pair for pair in items if None not in pair]
        judged = [rel for _, rel in items]
    if not judged:
        return None
    if name == "kendall_tau":
        return _kendall_tau(items)
    levels = sorted({score for score, _ in items if score is not None}, reverse=True)
    blocks = [[rel for score, rel in items if score == level] for level in levels]
    if name == "rankdcg":
        if settings["ties"] == "input_order":
            blocks = [[rel] for block in blocks for rel in block]
        if not aligned and settings["unjudged"] == "zero":
            blocks = [[0.0 if rel is None else rel for rel in block] for block in blocks]
        known = [[rel for rel in block if rel is not None] for block in blocks]
        tail = [rel for score, rel in items if score is None and rel is not None]
        return _rankdcg(known, tail, any(known), settings)
    if settings.get("unjudged") == "skip":
        blocks = [[rel for rel in block if rel is not None] for block in blocks]
    elif name not in _OF_JUDGEMENTS:  # there are fewer orders then
        blocks = [[rel or 0.0 for rel in block] for block in blocks]
    ends = list(accumulate(len(block) for block in blocks))
    last = [end for end, block in zip(ends, blocks, strict=True) for _ in block]
    values = [_value(name, order, judged, k, settings, last) for order in _orders(blocks, settings["ties"])]
    defined = [value for value in values if value is not None]
    return math.fsum(defined) / len(defined) if defined else None


def evaluate_run(
    name: str, scores: Mapping[Any, float], truth: Any, k: int | None = None, **options: Any
) -> float | None:
    """Value of `name` for items that are ranked by score, and by item if scores tie."""
    backwards = {"item_asc": False, "item_desc": True}[options.pop("ties")]
    score_type = options.pop("score_type", "exact")
    scores = {item: compared(score, score_type) for item, score in scores.items()}
    by_item = sorted(scores, reverse=backwards)
    ranked = sorted(by_item, key=lambda item: -scores[item])
    if "ap_steps" in options:  # an option of lists with scores alone
        missed = [rel for item, rel in truth.items() if item not in scores]
        rels = [*(truth.get(item) for item in ranked), *missed]
        levels = [*(scores[item] for item in ranked), *(None for _ in missed)]
        return evaluate_scored(name, levels, rels, k, **options, ties="input_order")
    return evaluate(name, ranked, truth, k, **options)


def compared(score: float, score_type: str) -> float:
    """The score by which an item is ranked. C rounds it to the nearest number of 32 bits, or to infinity."""
    return score if score_type == "exact" else c_float(score).value


def is_by_order(name: str, options: Mapping[str, Any]) -> bool:
    """Whether the options of the function `name` leave tied items in the order of the list."""
    return _ties(name, options) == "input_order"


def is_by_item(name: str, options: Mapping[str, Any]) -> bool:
    """Whether the options of the function `name` break ties by item."""
    return _ties(name, options) in ("item_asc", "item_desc")


def _ties(name: str, options: Mapping[str, Any]) -> str | None:
    return with_convention(DEFAULTS.get(name, {}) | dict(options)).get("ties")


def score_type(options: Mapping[str, Any]) -> str:
    """The precision in which the options compare scores."""
    return str(with_convention(options).get("score_type", "exact"))


def with_convention(options: Mapping[str, Any]) -> dict[str, Any]:
    """The options, and those that their convention sets for all metrics."""
    return CONVENTIONS[options.get("convention", "hivemall_page")] | dict(options)


# Reading the input


def _settings(name: str, k: int | None, given: Mapping[str, Any]) -> dict[str, Any]:
    """The value of every option of the function `name`, after every check that needs no data."""
    if name not in OPTIONS:
        raise ValueError(f"there is no {name}")
    if k is not None and (k < 1 or name in WITHOUT_K):
        raise ValueError(f"{name}: k={k}")
    given = dict(given)
    if "denominator" in given:
        own = [option for option in OPTIONS[name] if option.endswith("_denominator")]
        if len(own) != 1 or own[0] in given:
            raise ValueError(f"{name}: denominator is not the short form of one option")
        given[own[0]] = given.pop("denominator")
    if unknown := set(given) - set(OPTIONS[name]):
        raise ValueError(f"{name}: unknown option {unknown}")
    settings: dict[str, Any] = {option: number.default for option, number in NUMBERS.items()}
    settings |= LISTS | {option: values[0] for option, values in CHOICES.items()}
    convention = given.get("convention", "hivemall_page")
    settings |= CONVENTIONS.get(convention, {})
    settings |= CONVENTIONS_OF_METRICS.get(
        (convention, name.removesuffix("_scored").removesuffix("_rels")), {}
    )
    settings |= DEFAULTS.get(name, {}) | given
    settings = {option: settings[option] for option in OPTIONS[name]}
    for option, value in settings.items():
        if option in NUMBERS:
            legal = value is None or NUMBERS[option].least <= value < NUMBERS[option].above
        elif option in LISTS:
            fits = len(value) == len(LISTS[option])
            legal = fits and all(abs(number) <= LARGEST_WORTH for number in value)
        elif option == "gain" and isinstance(value, list):
            legal = value and all(0 <= gain <= LARGEST_GAIN for gain in value)
        else:
            legal = value in CHOICES[option]
        if not legal:
            raise ValueError(f"{name}: {option}={value}")
    if settings.get("ties") in ("item_asc", "item_desc"):
        raise ValueError(f"{name}: ties={settings['ties']} without items")
    if settings.get("max_rel", 0) is None:
        raise ValueError(f"{name}: max_rel must be given")
    if settings.get("min_rel") is not None and settings.get("gain", "binary") != "binary":
        raise ValueError(f"{name}: min_rel has no meaning with gain={settings['gain']}")
    return settings


def _key(item: Any) -> Hashable:
    """A key that items share if they are equal in SQL: NaN equals NaN, and 1.0 is not the integer 1."""
    if isinstance(item, float):
        return "float", "nan" if math.isnan(item) else item
    return item


def _is_graded(truth: Any) -> bool:
    return isinstance(truth, dict) or any(isinstance(entry, tuple) for entry in truth)


def _judgements(truth: Any, signed: bool) -> dict[Hashable, float]:
    """Relevance of each judged item; the items of a plain list have relevance 1."""
    if isinstance(truth, dict):
        pairs = list(truth.items())
    elif _is_graded(truth):
        pairs = [entry for entry in truth if entry is not None]
    else:
        pairs = [(item, 1.0) for item in truth]
    judged: dict[Hashable, float] = {}
    for item, rel in pairs:
        if item is None or rel is None:
            continue
        _relevances([rel], signed)
        if judged.setdefault(_key(item), rel + 0.0) != rel:  # 0 for -0
            raise ValueError(f"item {item} is judged twice")
    return judged


def _relevances(rels: Iterable[float | None], signed: bool) -> list[float]:
    """The relevances that are not None, after a check of each."""
    known = [rel for rel in rels if rel is not None]
    for rel in known:
        if not math.isfinite(rel) or (rel < 0 and not signed):
            raise ValueError(f"relevance {rel}")
    return known


def _level(rel: float | None) -> tuple[float, bool]:
    """A key by which an unjudged item comes right below those judged with 0."""
    return rel or 0.0, rel is not None


def _orders(blocks: Iterable[Sequence[float | None]], ties: str) -> Iterator[list[float | None]]:
    """The orders that `ties` asks for. A block holds the relevances of tied items, best block first."""
    if ties == "average":
        orders = [list(_arrangements(block)) for block in blocks]
    elif ties == "input_order":
        orders = [[list(block)] for block in blocks]
    else:
        orders = [[sorted(block, key=_level, reverse=ties == "optimistic")] for block in blocks]
    return (list(chain(*order)) for order in product(*orders))


def _arrangements(rels: Sequence[float | None]) -> Iterator[list[float | None]]:
    """Every distinct order of the relevances, once. All are equally likely, also if relevances are equal."""
    if not rels:
        yield []
    for first in sorted(set(rels), key=_level):
        rest = list(rels)
        rest.remove(first)
        yield from ([first, *order] for order in _arrangements(rest))


# The formulas


@dataclass
class _Top:
    """The input of a formula: the top k of one user, and all judgements of that user."""

    #: The cutoff; None for the whole list.
    k: int | None
    #: Whether each item within the cut is relevant, best first.
    hits: list[bool]
    #: Whether each item within the cut is judged.
    judged: list[bool]
    #: How many judged items are relevant, and how many are not.
    relevant: int
    irrelevant: int
    #: The gains within the cut, best first.
    gains: list[float]
    #: The gains of all judged items, largest first.
    ideal: list[float]
    #: The options of the metric.
    options: dict[str, Any]
    #: The relevances within the cut, best first.
    rels: Sequence[float]
    #: The rank, counted from 1, of the last item with the same score, for each item within the cut.
    last: Sequence[int]

    @property
    def ranks(self) -> int:
        """How many ranks there are: k, or as many as there are retrieved items."""
        return len(self.hits) if self.k is None else self.k

    @property
    def findable(self) -> int:
        """How many relevant items the ranks could hold; without a cutoff, all of them."""
        return self.relevant if self.k is None else min(self.relevant, self.k)


def _value(
    name: str,
    ranked: Sequence[float | None],
    judged: Sequence[float],
    k: int | None,
    options: dict[str, Any],
    last: Sequence[int] | None = None,
) -> float | None:
    """Apply the rules in their order: empty_rec=null, no relevant item, nothing retrieved, the formula.

    `ranked` has the relevance of each retrieved item, and None if it is not judged. `last` has the rank,
    counted from 1, of the last item with the same score, for each item. Without scores it is the item's own
    rank.
    """
    if options.get("unjudged") == "skip":
        ranked = [rel for rel in ranked if rel is not None]
    known = [rel is not None for rel in ranked]
    rels = [rel or 0.0 for rel in ranked]
    if any(rel > options.get("max_rel", math.inf) for rel in judged):
        raise ValueError(f"{name}: a relevance above max_rel={options['max_rel']}")
    gains = [_gain(name, rel, options) for rel in rels]
    ideal = sorted((_gain(name, rel, options) for rel in judged), reverse=True)
    relevant = sum(_is_relevant(rel, options) for rel in judged)
    to_find = any(gain > 0 for gain in ideal) if name in _OF_GAINS else relevant > 0
    to_find |= name in _OF_SETS and bool(judged)
    if not ranked and options.get("empty_rec") == "null":
        return None
    if not to_find:
        rule = options.get("no_relevant", "null")
        if rule == "error":
            raise ValueError(f"{name}: no relevant item")
        return {"null": None, "zero": 0.0, "one": 1.0, "one_if_rec_empty": 0.0 if ranked else 1.0}[rule]
    if not ranked and name not in ("idcg", "rbp_residual", "utility"):  # what was missed is there without it
        return 0.0
    hits = [_is_relevant(rel, options) for rel in rels]
    last = range(1, len(ranked) + 1) if last is None else last
    return FORMULAS[name](
        _Top(
            k=k,
            hits=hits[:k],
            judged=known[:k],
            relevant=relevant,
            irrelevant=len(judged) - relevant,
            gains=gains[:k],
            ideal=ideal,
            options=options,
            rels=rels[:k],
            last=last[:k],
        )
    )


def _is_relevant(rel: float, options: dict[str, Any]) -> bool:
    threshold = options.get("min_rel")
    return rel > 0 if threshold is None else rel >= threshold


def _gain(name: str, rel: float, options: dict[str, Any]) -> float:
    fixed = dict.fromkeys(("cg", "nearly_err", "sdcg", "bpm", "insq", "inst"), "linear")
    gain = {**fixed, "err": "exp2", "nerr": "exp2"}.get(name) or options.get("gain", "binary")
    if isinstance(gain, list):
        if rel not in range(len(gain)):
            raise ValueError(f"{name}: grade {rel} has no gain")
        return gain[int(rel)]
    if gain == "binary":
        return float(_is_relevant(rel, options))
    worth = rel if gain == "linear" else 2.0 ** min(rel, 1023) - 1
    if worth > LARGEST_GAIN:
        raise ValueError(f"{name}: relevance {rel} is too large: its gain must be at most 1e300")
    return worth


def _discount(rank: int, discount: str) -> float:
    if discount == "log2":
        return 1 / math.log2(rank + 1)
    if discount == "log2_clip":
        return 1 / math.log2(max(rank, 2))
    return 1 / math.log(rank + 1)


def _precision_at(top: _Top) -> float:
    denominators = {"retrieved": len(top.hits), "k": top.ranks}
    return sum(top.hits) / denominators[top.options["precision_denominator"]]


def _recall_at(top: _Top) -> float:
    denominators = {"truth": top.relevant, "min_truth_k": top.findable}
    return sum(top.hits) / denominators[top.options["recall_denominator"]]


def _f1_at(top: _Top) -> float:
    precision, recall, weight = _precision_at(top), _recall_at(top), top.options["beta"] ** 2
    return (1 + weight) * precision * recall / (weight * precision + recall) if any(top.hits) else 0.0


def _hit_rate(top: _Top) -> float:
    return float(any(top.hits))


def _mrr(top: _Top) -> float:
    return next((1 / rank for rank, hit in enumerate(top.hits, 1) if hit), 0.0)


def _average_precision(top: _Top) -> float:
    if not any(top.hits):
        return 0.0
    if top.options.get("ap_steps") == "threshold":
        total = _sum_over_thresholds(top)
    else:
        total = math.fsum(sum(top.hits[:rank]) / rank for rank, hit in enumerate(top.hits, 1) if hit)
    denominators = {
        "truth": top.relevant,
        "min_truth_k": top.findable,
        "hits": sum(top.hits),
        "k": top.ranks,
        "min_truth_retrieved": min(top.relevant, len(top.hits)),
    }
    return total / denominators[top.options["ap_denominator"]]


def _sum_over_thresholds(top: _Top) -> float:
    """scikit-learn's sum of (R_n - R_n-1) P_n over the thresholds, without the divisor of the recall R.

    A threshold retrieves all items of a score or better, so its rank is the rank of the last of these items.
    """
    ranks = sorted({min(rank, len(top.hits)) for rank in top.last})
    found = [0, *(sum(top.hits[:rank]) for rank in ranks)]
    return math.fsum((found[n] - found[n - 1]) * (found[n] / rank) for n, rank in enumerate(ranks, 1))


def _auc(top: _Top) -> float | None:
    hits = sum(top.hits)
    misses = {"retrieved": len(top.hits), "k": top.ranks}[top.options["auc_pairs"]] - hits
    if hits == 0 or misses == 0:
        by_class = 1.0 if hits else 0.0
        return {"half": 0.5, "null": None, "zero": 0.0, "by_class": by_class}[top.options["one_class"]]
    correct = sum(earlier and not later for earlier, later in combinations(top.hits, 2))
    return correct / (hits * misses)


def _cg(top: _Top) -> float:
    return math.fsum(top.gains)


def _dcg(top: _Top) -> float:
    return math.fsum(gain * _discount(i, top.options["discount"]) for i, gain in enumerate(top.gains, 1))


def _idcg(top: _Top) -> float:
    ideals = {"truth": top.ideal[: top.k], "retrieved": top.ideal[: len(top.gains)], "k": [1.0] * top.ranks}
    ideal = ideals[top.options["idcg"]]
    return math.fsum(gain * _discount(i, top.options["discount"]) for i, gain in enumerate(ideal, 1))


def _ndcg(top: _Top) -> float:
    return _dcg(top) / _idcg(top)


def _r_precision(top: _Top) -> float:
    return sum(top.hits[: top.relevant]) / top.relevant


def _rbp(top: _Top) -> float:
    p = top.options["p"]
    gains = top.rels if top.options["rbp_gain"] == "linear" else [1.0] * len(top.hits)
    ranked = enumerate(zip(gains, top.hits, strict=True), 1)
    return (1 - p) * math.fsum(gain * p ** (rank - 1) for rank, (gain, hit) in ranked if hit)


def _rbp_residual(top: _Top) -> float:
    p = top.options["p"]
    known = (p**above for above, judged in enumerate(top.judged) if judged)
    return 1 - (1 - p) * math.fsum(known)


def _nerr(top: _Top) -> float:
    return _err(top) / _err(replace(top, gains=top.ideal[: top.k]))


def _q_measure(top: _Top) -> float:
    beta, ideal = top.options["q_beta"], top.ideal[: top.k]
    total = 0.0
    for rank, gain in enumerate(top.gains, 1):
        if gain > 0:
            hits = sum(each > 0 for each in top.gains[:rank])
            blended = hits + beta * math.fsum(top.gains[:rank])
            total += blended / (rank + beta * math.fsum(ideal[:rank]))
    return total / sum(gain > 0 for gain in ideal)


def _sdcg(top: _Top) -> float:
    discounts = [_discount(rank, top.options["discount"]) for rank in range(1, top.ranks + 1)]
    gains = [gain / top.options["max_rel"] for gain in top.gains]
    return math.fsum(map(math.prod, zip(gains, discounts, strict=False))) / math.fsum(discounts)


def _bpm(top: _Top) -> float:
    sums = list(accumulate(top.gains))
    goal = top.options["t"] * top.options["max_rel"]
    stop = next((rank for rank, total in enumerate(sums, 1) if total >= goal), top.ranks)
    return math.fsum(top.gains[:stop]) / top.options["max_rel"] / stop


def _mean_gain(top: _Top, goes_on: Callable[[np.ndarray, np.ndarray], np.ndarray]) -> float:
    """The gain of each rank, weighted by the product of the probabilities to go on from earlier ranks."""
    rank = np.arange(1, min(top.k or 1000, 1000) + 1)
    gains = np.zeros(len(rank))
    shown = top.gains[: len(rank)]
    gains[: len(shown)] = np.array(shown) / top.options["max_rel"]
    seen = np.cumprod([1, *goes_on(rank, gains)[:-1]])
    return float((seen * gains).sum() / seen.sum())


def _nearly_err(top: _Top) -> float:
    p, t = top.options["p"], top.options["t"]
    patience: dict[str, Callable[[np.ndarray], Any]] = {
        "none": lambda rank: 1,
        "reciprocal": lambda rank: rank / (rank + 1),
        "geometric": lambda rank: p,
        "insq": lambda rank: ((rank + 2 * t - 1) / (rank + 2 * t)) ** 2,
    }
    return _mean_gain(top, lambda rank, gains: patience[top.options["patience"]](rank) * (1 - gains))


def _insq(top: _Top) -> float:
    t = top.options["t"]
    return _mean_gain(top, lambda rank, gains: ((rank + 2 * t - 1) / (rank + 2 * t)) ** 2)


def _inst(top: _Top) -> float:
    t = top.options["t"]

    def goes_on(rank: np.ndarray, gains: np.ndarray) -> np.ndarray:
        missing = t - np.cumsum(gains)
        return np.maximum((rank + t + missing - 1) / (rank + t + missing), 0) ** 2

    return _mean_gain(top, goes_on)


def _err(top: _Top) -> float:
    stops = [gain / 2 ** top.options["max_rel"] for gain in top.gains]
    reached = [math.prod(1 - stop for stop in stops[:above]) for above in range(len(stops))]
    ranks = range(1, len(stops) + 1)
    return math.fsum(there * stop / rank for there, stop, rank in zip(reached, stops, ranks, strict=True))


def _bpref(top: _Top) -> float:
    """The formula of trec_eval; repeats that count do not make more irrelevant items than there are."""
    total, above = 0.0, 0
    most = min(top.relevant, top.irrelevant)
    for hit, judged in zip(top.hits, top.judged, strict=True):
        if hit:
            total += 1 - min(above, most) / most if above else 1
        elif judged:
            above += 1
    return total / top.relevant


def _inf_ap(top: _Top) -> float:
    """The formula of trec_eval, in which no unjudged item is in the pool."""
    total, epsilon = 0.0, 0.00001
    for above, hit in enumerate(top.hits):
        if hit:
            hits, judged = sum(top.hits[:above]), sum(top.judged[:above])
            share = judged / above * (hits + epsilon) / (judged + 2 * epsilon) if above else 0.0
            total += 1 / (above + 1) + above / (above + 1) * share
    return total / top.relevant


def _at_recall(top: _Top, recall: Fraction) -> float:
    ranks = range(1, len(top.hits) + 1)
    found = [sum(top.hits[:rank]) for rank in ranks]
    reached = [hits / rank for hits, rank in zip(found, ranks, strict=True) if hits >= recall * top.relevant]
    return max(reached, default=0.0)


def _iprec(top: _Top) -> float:
    return _at_recall(top, Fraction(str(top.options["recall"])))


def _eleven_point_average(top: _Top) -> float:
    return math.fsum(_at_recall(top, Fraction(tenths, 10)) for tenths in range(11)) / 11


def _relative_precision(top: _Top) -> float:
    """Precision over the largest one that is possible."""
    return (sum(top.hits) / top.ranks) / (min(top.ranks, top.relevant) / top.ranks)


def _utility(top: _Top) -> float:
    hit, other, missed = top.options["worth"]
    hits = sum(top.hits)
    return hit * hits + other * (len(top.hits) - hits) + missed * (top.relevant - hits)


def _judged_share(top: _Top) -> float:
    return sum(top.judged) / len(top.judged)


def _roc_auc(top: _Top) -> float | None:
    correct = [earlier and not later for earlier, later in combinations(top.hits, 2) if earlier != later]
    return sum(correct) / len(correct) if correct else None


FORMULAS: dict[str, Callable[[_Top], float | None]] = {
    "precision_at": _precision_at,
    "recall_at": _recall_at,
    "f1_at": _f1_at,
    "hit_rate": _hit_rate,
    "mrr": _mrr,
    "average_precision": _average_precision,
    "auc": _auc,
    "cg": _cg,
    "dcg": _dcg,
    "idcg": _idcg,
    "ndcg": _ndcg,
    "r_precision": _r_precision,
    "rbp": _rbp,
    "rbp_residual": _rbp_residual,
    "err": _err,
    "nerr": _nerr,
    "nearly_err": _nearly_err,
    "q_measure": _q_measure,
    "sdcg": _sdcg,
    "bpm": _bpm,
    "insq": _insq,
    "inst": _inst,
    "bpref": _bpref,
    "inf_ap": _inf_ap,
    "iprec": _iprec,
    "eleven_point_average": _eleven_point_average,
    "relative_precision": _relative_precision,
    "utility": _utility,
    "judged_share": _judged_share,
    "roc_auc": _roc_auc,
}


def _kendall_tau(items: Sequence[tuple[float, float]]) -> float | None:
    """Kendall's tau-b of pairs of numbers."""

    def directions(side: int) -> list[int]:
        return [
            (one[side] > other[side]) - (one[side] < other[side]) for one, other in combinations(items, 2)
        ]

    scores, rels = directions(0), directions(1)
    untied = sum(map(abs, scores)) * sum(map(abs, rels))
    agreement = sum(one * other for one, other in zip(scores, rels, strict=True))
    return agreement / math.sqrt(untied) if untied else None


def _rankdcg(
    blocks: Iterable[Sequence[float]], tail: Sequence[float], retrieved: bool, options: Mapping[str, Any]
) -> float | None:
    """rankDCG of relevances in ranked order: blocks of tied items, and then the tail.

    The relative rank of a relevance is its place among the distinct relevances, ascending from 1. The
    discount falls along the list, so the worst order of a block has its smallest relative rank first. The sum
    is linear in the relative ranks, so its mean over all orders of a block has the block's mean relative rank
    at each position. The items of the `tail` were not retrieved and stand in their worst order.
    """
    ties = options["ties"]
    nothing_counts = not any(blocks := list(blocks))
    blocks = [block for block in [*blocks, *([rel] for rel in sorted(tail))] if block]
    distinct = sorted({rel for block in blocks for rel in block})
    if not retrieved and options["empty_rec"] == "null":
        return None
    if nothing_counts and distinct not in ([], [0]):
        return 0.0
    if len(distinct) < 2:
        return None
    relative = {rel: Fraction(rank) for rank, rel in enumerate(distinct, 1)}
    predicted: list[Fraction] = []
    for block in blocks:
        ranks = sorted((relative[rel] for rel in block), reverse=ties == "optimistic")
        predicted += [sum(ranks) / len(ranks)] * len(ranks) if ties == "average" else ranks
    perfect = sorted((relative[rel] for block in blocks for rel in block), reverse=True)
    reversed_ranks = [len(distinct) + 1 - rank for rank in perfect]

    def dcg(order: Iterable[Fraction]) -> Fraction:
        return sum((rank / other for rank, other in zip(order, reversed_ranks, strict=True)), Fraction(0))

    highest, lowest = dcg(perfect), dcg(reversed(perfect))
    return float((dcg(predicted) - lowest) / (highest - lowest))


# Similarities of two rankings


def similarity(
    name: str, a: Sequence | None, b: Sequence | None, k: int | None = None, **options: Any
) -> float | None:
    """Value of the similarity `name` of two lists of items, best first. None stands for a NULL item.

    A list may also have dictionaries of item and score, in any order.
    """
    if a is None or b is None:
        return None
    first, second = (_Ranking(items, k) for items in (a, b))
    if not first and not second:
        return None
    formula, defaults = SIMILARITIES[name]
    if unknown := options.keys() - defaults.keys():
        raise ValueError(f"{name}: unknown option {unknown}")
    return formula(first, second, k, defaults | options)


class _Ranking(list):
    """The distinct items of a list down to k.

    `tied` has those that are tied with the last one, too, and `ties` the first and the last rank of the items
    tied with each of these.
    """

    def __init__(self, items: Sequence, k: int | None) -> None:
        scores: dict[Any, Any] = {}
        for place, each in enumerate(items):
            item, score = (each["item"], each["score"]) if isinstance(each, dict) else (each, -place)
            # Each NULL is an item of its own. An item that is repeated counts at its first place alone.
            key = object() if item is None else _key(item)
            if score is not None:
                scores[key] = max(score, scores.get(key, score))
        is_null = {key: type(key) is object for key in scores}
        order = sorted(scores, key=lambda key: (-scores[key], is_null[key], None if is_null[key] else key))
        super().__init__(order[:k])
        self.tied = [key for key in order if self and scores[key] >= scores[self[-1]]]
        of_ranks = [scores[key] for key in self.tied]
        self.ties = [
            (of_ranks.index(score) + 1, len(of_ranks) - of_ranks[::-1].index(score)) for score in of_ranks
        ]


def _rbo_of_ties(shorter: _Ranking, longer: _Ranking, options: dict[str, Any]) -> float:
    """The formulas of Corsi and Urbano, with the share of each item at each depth."""
    p, ties, unseen = options["p"], options["rbo_ties"], options["rbo_unseen"]
    s, l = len(shorter), len(longer)  # noqa: E741 - the names in the paper
    alone = [item for item in longer.tied if item not in shorter.tied]

    def share(ranking: _Ranking, item: Any, d: int) -> float:
        top, bottom = ranking.ties[ranking.tied.index(item)]
        if d < top or d >= bottom or ties == "w":
            return float(d >= top)
        return (d - top + 1) / (bottom - top + 1)

    def norm(d: int) -> float:
        power = 1 if ties == "w" else 2
        sums = [
            math.fsum(share(each, item, d) ** power for item in each.tied) if d <= len(each) else d
            for each in (shorter, longer)
        ]
        return {"w": sum(sums) / 2, "a": d, "b": math.sqrt(sums[0] * sums[1])}[ties]

    def seen(d: int) -> float:
        return math.fsum(
            share(shorter, item, d) * share(longer, item, d) for item in shorter.tied if item in longer.tied
        )

    def agreement(d: int) -> float:
        if d > l:
            both = seen(l) / norm(l) * l  # of a tie that k divides, a share is above k
            of_max = min((2 * d - l - s + both) / d, 1)
            return {"min": both / d, "max": of_max, "extrapolate": agreement(l) if s else 0}[unseen]
        continued = 0.0
        if d > s and unseen == "max":
            continued = math.fsum(share(longer, item, d) for item in alone[: d - s])
        elif d > s > 0 and unseen == "extrapolate":
            shares = [each for item in alone if (each := share(longer, item, d)) > 0]
            continued = (d - s) * seen(s) / norm(s) * math.fsum(shares) / len(shares)
        return (seen(d) + continued) / norm(d)

    depths = range(1, math.ceil(math.log(1e-18) / math.log(p)) + 1)
    return math.fsum((1 - p) * p ** (d - 1) * agreement(d) for d in depths)


def _rbo(a: _Ranking, b: _Ranking, k: int | None, options: dict[str, Any]) -> float:
    p, (shorter, longer) = options["p"], sorted((a, b), key=len)
    if any(top < bottom for top, bottom in [*a.ties, *b.ties]):
        return _rbo_of_ties(shorter, longer, options)
    s, l = len(shorter), len(longer)  # noqa: E741 - the names in the paper
    if options["rbo_unseen"] != "extrapolate":
        return _rbo_of_continued(shorter, longer, p, options["rbo_unseen"])
    if s == 0:
        return 0.0
    x = [len({*shorter[:d]} & {*longer[:d]}) for d in range(l + 1)]
    seen = math.fsum(x[d] / d * p**d for d in range(1, l + 1))
    unseen = math.fsum(x[s] * (d - s) / (s * d) * p**d for d in range(s + 1, l + 1))
    return (1 - p) / p * (seen + unseen) + ((x[l] - x[s]) / l + x[s] / s) * p**l


def _rbo_of_continued(shorter: list, longer: list, p: float, unseen: str) -> float:
    """The sum over the depths whose weights are not negligible, of lists that go on below what was seen.

    The least value is that of items which no list has twice. For the largest one, each list goes on with what
    it lacks of the other, and both go on with the same items after that.
    """
    if unseen == "max":
        shorter, longer = (
            [*one, *(item for item in other if item not in one)]
            for one, other in ((shorter, longer), (longer, shorter))
        )

    def agreement(d: int) -> float:
        both_are_equal = unseen == "max" and d > len(longer)
        return 1.0 if both_are_equal else len({*shorter[:d]} & {*longer[:d]}) / d

    depths = range(1, math.ceil(math.log(1e-18) / math.log(p)) + 1)
    return math.fsum((1 - p) * p ** (d - 1) * agreement(d) for d in depths)


def _jaccard(a: list, b: list, k: int | None, options: dict[str, Any]) -> float:
    return len({*a} & {*b}) / len({*a} | {*b})


def _overlap(a: list, b: list, k: int | None, options: dict[str, Any]) -> float | None:
    sizes = {"longer": max(len(a), len(b)), "shorter": min(len(a), len(b))}
    size = {**sizes, "k": k or sizes["longer"]}[options["overlap_denominator"]]
    return len({*a} & {*b}) / size if size else None


def _common(a: list, b: list) -> tuple[list, list]:
    """The items that both lists have, in the order of each."""
    return [item for item in a if item in b], [item for item in b if item in a]


def _spearman_rho(a: list, b: list, k: int | None, options: dict[str, Any]) -> float | None:
    """Pearson's correlation of the ranks."""
    a, b = _common(a, b)
    mean = Fraction(len(a) - 1, 2)
    pairs = [(a.index(item) - mean, b.index(item) - mean) for item in a]
    squares = sum((rank**2 for rank, _ in pairs), Fraction())
    return float(sum(one * other for one, other in pairs) / squares) if squares else None


def _tau_ap(a: list, b: list, k: int | None, options: dict[str, Any]) -> float | None:
    a, b = _common(a, b)
    if len(a) < 2:
        return None
    shares = [sum(b.index(above) < b.index(a[i]) for above in a[:i]) / i for i in range(1, len(a))]
    return 2 * math.fsum(shares) / len(shares) - 1


def _weighted_tau(a: list, b: list, k: int | None, options: dict[str, Any]) -> float | None:
    """The mean over both rankings of the weighted sum of signs over the weighted sum of pairs."""
    a, b = _common(a, b)
    if len(a) < 2:
        return None
    of_each = []
    for ranked in (a, b):
        pairs = [
            (
                1 if (a.index(one) < a.index(other)) == (b.index(one) < b.index(other)) else -1,
                1 / (ranked.index(one) + 1) + 1 / (ranked.index(other) + 1),
            )
            for one, other in combinations(a, 2)
        ]
        weights = math.fsum(weight for _, weight in pairs)
        of_each.append(math.fsum(sign * weight for sign, weight in pairs) / weights)
    return sum(of_each) / 2


#: The formula of each similarity, and its options with their defaults.
SIMILARITIES: dict[str, tuple[Callable[..., float | None], dict[str, Any]]] = {
    "rbo": (_rbo, {"p": 0.9, "rbo_ties": "a", "rbo_unseen": "extrapolate"}),
    "jaccard_index": (_jaccard, {}),
    "overlap": (_overlap, {"overlap_denominator": "longer"}),
    "spearman_rho": (_spearman_rho, {}),
    "tau_ap": (_tau_ap, {}),
    "weighted_tau": (_weighted_tau, {}),
}


# Measures of the items of one ranking


def item_measure(name: str, values: Sequence[Any] | None, k: int | None = None) -> float | None:
    """Value of a measure of items, whose `values` are in ranked order. None stands for a NULL value.

    A label is a number or a text; several labels are a list of them, and a vector is a tuple.
    """
    if values is None:
        return None
    known = [value for value in values[:k] if value is not None]
    return ITEM_MEASURES[name](known, k or len(values))


def _mean(values: list, places: int) -> float | None:
    return math.fsum(values) / len(values) if values else None


def _novelty(shares: list, places: int) -> float | None:
    return _mean([math.log2(1 / share) for share in shares], places)


def _labels(value: Any) -> set:
    return {_key(label) for label in (value if isinstance(value, list) else [value]) if label is not None}


def _categorical_diversity(values: list, places: int) -> float | None:
    labels = set().union(*map(_labels, values))
    return len(labels) / places if labels else None


def _distance(one: Any, other: Any) -> float:
    if isinstance(one, tuple):
        product = math.fsum(x * y for x, y in zip(one, other, strict=True))
        return 1 - product / (math.hypot(*one) * math.hypot(*other))
    return 1 - len(_labels(one) & _labels(other)) / len(_labels(one) | _labels(other))


def _intra_list_diversity(values: list, places: int) -> float | None:
    known = [value for value in values if (any(value) if isinstance(value, tuple) else _labels(value))]
    return _mean([_distance(one, other) for one, other in combinations(known, 2)], places)


#: The formula of each measure, of the values that are not NULL and the number of places.
ITEM_MEASURES: dict[str, Callable[[list, int], float | None]] = {
    "average_popularity": _mean,
    "novelty": _novelty,
    "long_tail_share": _mean,
    "categorical_diversity": _categorical_diversity,
    "intra_list_diversity": _intra_list_diversity,
}


# Measures of the items of all rankings


def rank_items(
    name: str,
    recs: Sequence[list | None],
    truths: Sequence[list | None] | None,
    items: Sequence[dict[str, Any]],
    k: int | None = None,
    of: str = "",
) -> list[float | None]:
    """Value of a measure for each ranking, NULL for None. That of all rankings is the mean of the values.

    `items` are the catalogue: each a dictionary of item and properties, of which `of` is read.
    """
    catalogue = {each["item"]: each.get(of) for each in items if each["item"] is not None}
    cut = [rec if rec is None else _distinct(rec)[:k] for rec in recs]
    users = [place for place, rec in enumerate(cut) if rec is not None]
    rankings = [cut[place] for place in users]
    known = [truths[place] or [] for place in users] if truths else [[] for _ in users]
    if name in ITEM_MEASURES:
        found = [
            item_measure(name, [catalogue.get(item) for item in rec], k) if rec else None for rec in rankings
        ]
    elif name in OF_RANKINGS:
        formula = OF_RANKINGS[name]
        found = [formula(rec, {*truth}, catalogue) for rec, truth in zip(rankings, known, strict=True)]
    else:
        formula = OF_ALL_RANKINGS[name]
        found = _jackknifed(partial(formula, k=k) if name == "eel" else formula, rankings, known, catalogue)
    values = dict(zip(users, found, strict=True))
    return [values.get(place) for place in range(len(recs))]


def _distinct(rec: list) -> list:
    """A ranking with each item at its first place. A NULL is an item of its own."""
    return [
        object() if item is None else item
        for place, item in enumerate(rec)
        if item is None or item not in rec[:place]
    ]


def _jackknifed(formula: Callable, recs: list, truths: list, catalogue: dict) -> list[float | None]:
    """The measure of all rankings, with the influence of each: its mean is the measure."""
    value = formula(recs, truths, catalogue)
    if value is None or not recs:
        return [None] * len(recs)
    without = []
    for place in range(len(recs)):
        rest = formula(recs[:place] + recs[place + 1 :], truths[:place] + truths[place + 1 :], catalogue)
        without.append(value if rest is None else rest)
    mean = math.fsum(without) / len(without)
    return [value + (len(recs) - 1) * (mean - each) for each in without]


def _serendipity(rec: list, truth: set, catalogue: dict) -> float | None:
    n = len(catalogue)
    popularities = sorted({each for each in catalogue.values() if each is not None}, reverse=True)
    gains = []
    for rank, item in enumerate(rec, 1):
        popularity = catalogue.get(item)
        expected = 0 if popularity is None else (n + 1 - (popularities.index(popularity) + 1)) / n
        is_hit = item in truth and item in catalogue
        gains.append(max((n + 1 - rank) / n - expected, 0) if is_hit else 0)
    return _mean(gains, 0)


def _parts(items: Iterable, catalogue: dict, weights: Iterable[float] | None = None) -> dict[Any, float]:
    """The share of each label among items, of which one with several labels divides its part."""
    parts: dict[Any, float] = {}
    for item, weight in zip(items, weights or repeat(1.0), strict=False):
        labels = _labels(catalogue.get(item))
        for label in labels:
            parts[label] = parts.get(label, 0) + weight / len(labels)
    total = math.fsum(parts.values())
    return {label: part / total for label, part in parts.items()}


def _divergence(p: dict, q: dict) -> float:
    return math.fsum(part * math.log(part / q[label]) for label, part in p.items())


def _calibration(rec: list, truth: set, catalogue: dict) -> float | None:
    p, q = _parts(truth, catalogue), _parts(rec, catalogue)
    if not p or not q:
        return None
    return _divergence(p, {label: 0.99 * q.get(label, 0) + 0.01 * part for label, part in p.items()})


def _awrf(rec: list, truth: set, catalogue: dict) -> float | None:
    """Jensen-Shannon divergence as the entropy of the middle, less the mean of the entropies."""
    attention = _parts(rec, catalogue, [1 / math.log2(rank + 1) for rank in range(1, len(rec) + 1)])
    if not attention:
        return None
    target = _parts(catalogue, catalogue)
    middle = {label: (attention.get(label, 0) + part) / 2 for label, part in target.items()}

    def entropy(shares: dict) -> float:
        return -math.fsum(share * math.log2(share) for share in shares.values() if share)

    return 1 - entropy(middle) + (entropy(attention) + entropy(target)) / 2


def _ndkl(rec: list, truth: set, catalogue: dict) -> float | None:
    rec = [item for item in rec if _labels(catalogue.get(item))]
    target = _parts(catalogue, catalogue)
    weights = [1 / math.log2(rank + 1) for rank in range(1, len(rec) + 1)]
    terms = [_divergence(_parts(rec[:rank], catalogue), target) for rank in range(1, len(rec) + 1)]
    return math.fsum(map(operator.mul, weights, terms)) / math.fsum(weights) if rec else None


def _max_skew(rec: list, truth: set, catalogue: dict) -> float | None:
    shares, target = _parts(rec, catalogue), _parts(catalogue, catalogue)
    return max(math.log(share / target[label]) for label, share in shares.items()) if shares else None


def _unknown_items(rec: list, truth: set, catalogue: dict) -> float:
    return len([item for item in rec if type(item) is not object and item not in catalogue])


#: The formula of each measure of one ranking, of its items, its truth, and the catalogue.
OF_RANKINGS: dict[str, Callable[[list, set, dict], float | None]] = {
    "serendipity": _serendipity,
    "calibration": _calibration,
    "awrf": _awrf,
    "ndkl": _ndkl,
    "max_skew": _max_skew,
    "unknown_items": _unknown_items,
}


def _exposures(recs: list[list], catalogue: dict) -> list[int]:
    return [sum(item in rec for rec in recs) for item in catalogue]


def _coverage(recs: list, truths: list, catalogue: dict) -> float | None:
    return len({*chain(*recs)} & {*catalogue}) / len(catalogue) if catalogue else None


def _gini(recs: list, truths: list, catalogue: dict) -> float | None:
    """Half the mean difference of two exposures, over their mean."""
    found = _exposures(recs, catalogue)
    differences = sum(abs(one - other) for one in found for other in found)
    return differences / (2 * len(found) * sum(found)) if sum(found) else None


def _entropy(recs: list, truths: list, catalogue: dict) -> float | None:
    found = _exposures(recs, catalogue)
    shares = [times / sum(found) for times in found if times]
    return math.fsum(share * math.log2(1 / share) for share in shares) if shares else None


def _personalisation(recs: list, truths: list, catalogue: dict) -> float | None:
    """The share of places of pairs of users whose items differ, over both users of each pair."""
    recs = [[item for item in rec if type(item) is not object] for rec in recs]
    recs = [rec for rec in recs if rec]
    places = sum(map(len, recs)) * (len(recs) - 1)
    common = sum(len({*one} & {*other}) for one, other in permutations(recs, 2))
    return 1 - common / places if places else None


def _unevenness(shares: list[float]) -> float | None:
    """The standard deviation over the mean."""
    mean = _mean(shares, 0)
    return math.sqrt(_mean([(share - mean) ** 2 for share in shares], 0)) / mean if mean else None


def _groups(catalogue: dict) -> dict[Any, set]:
    groups: dict[Any, set] = {}
    for item, labels in catalogue.items():
        for label in _labels(labels):
            groups.setdefault(label, set()).add(item)
    return groups


def _rsp(recs: list, truths: list, catalogue: dict) -> float | None:
    groups = _groups(catalogue).values()
    return (
        _unevenness([sum(len({*rec} & group) for rec in recs) / (len(recs) * len(group)) for group in groups])
        if recs
        else None
    )


def _reo(recs: list, truths: list, catalogue: dict) -> float | None:
    shares = []
    for group in _groups(catalogue).values():
        relevant = [group & {*truth} for truth in truths]
        if any(relevant):
            hits = sum(len({*rec} & wanted) for rec, wanted in zip(recs, relevant, strict=True))
            shares.append(hits / sum(map(len, relevant)))
    return _unevenness(shares)


def _amounts(weights: Iterable[tuple[Any, float]], catalogue: dict) -> dict[Any, float]:
    """The sum of the weights of items for each group of the catalogue."""
    amounts = dict.fromkeys(_groups(catalogue), 0.0)
    for item, weight in weights:
        labels = _labels(catalogue.get(item))
        for label in labels:
            amounts[label] += weight / len(labels)
    return amounts


def _attention(recs: list, catalogue: dict, truths: list | None = None) -> dict[Any, float]:
    """The attention to each group; with truths, to relevant items alone."""
    places = [
        (item, 1 / math.log2(rank + 1))
        for rec, truth in zip(recs, truths or repeat(None), strict=False)
        for rank, item in enumerate(rec, 1)
        if truth is None or item in truth
    ]
    return _amounts(places, catalogue)


def _relevance(truths: list, catalogue: dict) -> dict[Any, float]:
    return _amounts([(item, 1) for truth in truths for item in {*truth}], catalogue)


def _least_over_greatest(found: dict, of: dict) -> float | None:
    ratios = [found[group] / of[group] for group in of if of[group]]
    return min(ratios) / max(ratios) if len(ratios) > 1 and any(ratios) else None


def _exposure_ratio(recs: list, truths: list, catalogue: dict) -> float | None:
    sizes = _amounts([(item, 1) for item in catalogue], catalogue)
    return _least_over_greatest(_attention(recs, catalogue), sizes)


def _dtr(recs: list, truths: list, catalogue: dict) -> float | None:
    return _least_over_greatest(_attention(recs, catalogue), _relevance(truths, catalogue))


def _dir(recs: list, truths: list, catalogue: dict) -> float | None:
    return _least_over_greatest(_attention(recs, catalogue, truths), _relevance(truths, catalogue))


def _iaa(recs: list, truths: list, catalogue: dict) -> float | None:
    weights, wanted = [], []
    for rec, truth in zip(recs, truths, strict=True):
        ranks = [1 / math.log2(rank + 1) for rank in range(1, len(rec) + 1)]
        relevant = {*truth} & {*catalogue}
        weights += [(item, weight / math.fsum(ranks)) for item, weight in zip(rec, ranks, strict=True)]
        wanted += [(item, 1 / len(relevant)) for item in relevant]
    attention, relevance = _amounts(weights, catalogue), _amounts(wanted, catalogue)
    totals = math.fsum(attention.values()), math.fsum(relevance.values())
    if not all(totals):
        return None
    return math.fsum(abs(attention[group] / totals[0] - relevance[group] / totals[1]) for group in attention)


def _eel(recs: list, truths: list, catalogue: dict, k: int | None) -> float | None:
    """The ideal exposure of an item is a mean over the places that it has in all ideal rankings."""
    groups = _groups(catalogue)
    if not recs or not groups:
        return None
    ideal: list[tuple[Any, float]] = []
    for rec, truth in zip(recs, truths, strict=True):
        relevant = {*truth} & {*catalogue}
        places = min(len(rec) if k is None else k, len(catalogue))
        exposures = [1 / math.log2(rank + 1) for rank in range(1, places + 1)]
        above, below = exposures[: len(relevant)], exposures[len(relevant) :]
        others = len(catalogue) - len(relevant)
        for item in catalogue:
            ideal.append(
                (item, math.fsum(above) / len(relevant) if item in relevant else math.fsum(below) / others)
            )
    found, wanted = _attention(recs, catalogue), _amounts(ideal, catalogue)
    return math.fsum(((found[group] - wanted[group]) / len(recs)) ** 2 for group in groups)


#: The formula of each measure of all rankings, of their items, their truths, and the catalogue.
OF_ALL_RANKINGS: dict[str, Callable[..., float | None]] = {
    "coverage": _coverage,
    "personalisation": _personalisation,
    "gini": _gini,
    "entropy": _entropy,
    "rsp": _rsp,
    "reo": _reo,
    "exposure_ratio": _exposure_ratio,
    "dtr": _dtr,
    "dir": _dir,
    "eel": _eel,
    "iaa": _iaa,
}
#: The property that each measure of items reads.
PROPERTIES: dict[str, str] = {
    "average_popularity": "popularity", "novelty": "share", "long_tail_share": "long_tail",
    "categorical_diversity": "categories", "intra_list_diversity": "categories", "serendipity": "popularity",
    "calibration": "categories", "awrf": "group", "ndkl": "group", "rsp": "group", "reo": "group",
    "max_skew": "group", "exposure_ratio": "group", "dtr": "group", "dir": "group", "eel": "group",
    "iaa": "group",
    "coverage": "", "personalisation": "", "gini": "", "entropy": "", "unknown_items": "",
}  # fmt: skip


# Measures of aspects


def aspect_measure(
    name: str, rec: Sequence | None, truth: Sequence | None, k: int | None = None, **options: Any
) -> float | None:
    """Value of the measure `name` of a ranking and of judgements, dictionaries of item, aspect and rel.

    The ranking has items, best first, or dictionaries of item and score, whose ties are put in every order.
    """
    formula, own = ASPECT_MEASURES[name]
    if unknown := options.keys() - own.keys() - OF_ALL_ASPECTS.keys():
        raise ValueError(f"{name}: unknown option {unknown}")
    options = OF_ALL_ASPECTS | own | options
    if truth is None:
        return None
    judged: dict[Any, set] = {}
    for row in truth:
        rel = row.get("rel", 1)
        is_complete = row["item"] is not None and row["aspect"] is not None and rel is not None
        if is_complete and (rel > 0 if options["min_rel"] is None else rel >= options["min_rel"]):
            judged.setdefault(row["item"], set()).add(row["aspect"])
    orders = list(_orders_of_ranking(rec or [], options))
    retrieved = len(orders[0])
    if not retrieved and options["empty_rec"] == "null":
        return None
    if not judged:
        if options["no_relevant"] == "error":
            raise ValueError("no relevant item")
        empty = float(not retrieved)
        return {"null": None, "zero": 0.0, "one": 1.0, "one_if_rec_empty": empty}[options["no_relevant"]]
    if not retrieved:
        return 0.0
    values = [formula([judged.get(item, set()) for item in order], judged, k, options) for order in orders]
    return math.fsum(values) / len(values)


def _orders_of_ranking(rec: Sequence, options: dict[str, Any]) -> Iterator[list]:
    """Every order of the retrieved items. A NULL is an item of its own, and so is a repeat without scores."""
    if not any(isinstance(each, dict) for each in rec):
        yield [object() if item is None or item in rec[:place] else item for place, item in enumerate(rec)]
        return
    scores: dict[Any, float] = {}
    for row in rec:
        if row["score"] is not None:
            item = object() if row["item"] is None else row["item"]
            if row["score"] > scores.get(item, -math.inf):
                scores.pop(item, None)  # its place is that of the largest score
                scores[item] = row["score"]
    blocks = [
        [item for item in scores if scores[item] == score] for score in sorted({*scores.values()})[::-1]
    ]
    if options["ties"] == "average":
        for chosen in product(*map(permutations, blocks)):
            yield list(chain(*chosen))
    elif options["ties"] == "input_order":
        yield list(chain(*blocks))
    else:
        for block in blocks:  # NULL items come last
            known = sorted(item for item in block if type(item) is not object)
            nulls = [item for item in block if type(item) is object]
            block[:] = [*(known[::-1] if options["ties"] == "item_desc" else known), *nulls]
        yield list(chain(*blocks))


def _cascade(discount: Callable[[int, dict], Any], normal: str = "all") -> Callable[..., float]:
    """The formula of a sum of discounted gains, which shrink with each item of the same aspect above."""

    def gain(ranked: list[set], k: int | None, options: dict[str, Any]) -> float:
        kept, seen, terms = 1 - Fraction(options["redundancy_intolerance"]), Counter[Any](), []
        for rank, aspects in enumerate(ranked[:k], 1):
            terms.append(float(sum(kept ** seen[aspect] for aspect in aspects)) * discount(rank, options))
            seen.update(aspects)
        return math.fsum(terms)

    def value(ranked: list[set], judged: dict[Any, set], k: int | None, options: dict[str, Any]) -> float:
        every = {*chain(*judged.values())}
        if normal == "greedy":
            return gain(ranked, k, options) / gain(_greedy(judged, options), k, options)
        if normal == "endless":
            kept = 1 - options["redundancy_intolerance"]
            return gain(ranked, k, options) * (1 - kept * options["p"]) / len(every)
        return gain(ranked, k, options) / gain([every] * (k or len(ranked)), k, options)

    return value


def _greedy(judged: dict[Any, set], options: dict[str, Any]) -> list[set]:
    """The aspects of the items with the largest gain at each rank; of equal ones, that of the last item."""
    kept, seen, order, left = 1 - Fraction(options["redundancy_intolerance"]), Counter[Any](), [], {*judged}
    while left:
        gains = {item: sum(kept ** seen[aspect] for aspect in judged[item]) for item in left}
        best = max(left, key=lambda item: (gains[item], item))
        left.remove(best)
        order.append(judged[best])
        seen.update(judged[best])
    return order


def _subtopic_recall(ranked: list[set], judged: dict[Any, set], k: int | None, _: dict[str, Any]) -> float:
    return len({*chain(*ranked[:k])}) / len({*chain(*judged.values())})


def _precision_ia(ranked: list[set], judged: dict[Any, set], k: int | None, _: dict[str, Any]) -> float:
    aspects = {*chain(*judged.values())}
    return sum(map(len, ranked[:k])) / ((k or len(ranked)) * len(aspects))


def _average_precision_ia(
    ranked: list[set], judged: dict[Any, set], k: int | None, _: dict[str, Any]
) -> float:
    values = []
    for aspect in {*chain(*judged.values())}:
        has = [aspect in aspects for aspects in ranked[:k]]
        precisions = [sum(has[:rank]) / rank for rank in range(1, len(has) + 1) if has[rank - 1]]
        values.append(math.fsum(precisions) / sum(aspect in aspects for aspects in judged.values()))
    return math.fsum(values) / len(values)


#: The options of every measure of aspects, with their defaults.
OF_ALL_ASPECTS: dict[str, Any] = {
    "min_rel": None, "no_relevant": "null", "empty_rec": "zero", "ties": "average", "score_type": "exact",
}  # fmt: skip
_ALPHA = {"redundancy_intolerance": 0.5}
_LOG2, _RECIPROCAL = lambda rank, _: 1 / math.log2(rank + 1), lambda rank, _: 1 / rank
_PATIENT = lambda rank, options: options["p"] ** (rank - 1)  # noqa: E731
#: The formula of each measure of aspects, and its own options with their defaults.
ASPECT_MEASURES: dict[str, tuple[Callable[..., float], dict[str, Any]]] = {
    "alpha_ndcg": (_cascade(_LOG2, "greedy"), _ALPHA),
    "alpha_dcg": (_cascade(_LOG2), _ALPHA),
    "nerr_ia": (_cascade(_RECIPROCAL, "greedy"), _ALPHA),
    "err_ia": (_cascade(_RECIPROCAL), _ALPHA),
    "nnrbp": (_cascade(_PATIENT, "greedy"), _ALPHA | {"p": 0.5}),
    "nrbp": (_cascade(_PATIENT, "endless"), _ALPHA | {"p": 0.5}),
    "subtopic_recall": (_subtopic_recall, {}),
    "precision_ia": (_precision_ia, {}),
    "average_precision_ia": (_average_precision_ia, {}),
}


# Statistics


def concentration(exposures: Sequence[float]) -> dict[str, float | None]:
    """The fields after n: the Gini index is half of the mean difference of two items, over the mean."""
    total, n = math.fsum(exposures), len(exposures)
    if not total:
        return {"mean": 0.0 if n else None, "gini": None, "entropy": None}
    differences = math.fsum(abs(one - other) for one in exposures for other in exposures)
    shares = [exposure / total for exposure in exposures if exposure]
    return {
        "mean": total / n,
        "gini": differences / (2 * n * total),
        "entropy": math.fsum(share * math.log2(1 / share) for share in shares),
    }


def geometric_mean_values(values: Sequence[float | None]) -> list[float | None]:
    """The geometric mean of all values with the influence of each: the jackknife's. None is no value.

    A value below 0.00001 counts as 0.00001.
    """
    known = [value for value in values if value is not None]

    def geometric_mean(some: Sequence[float]) -> float:
        return math.exp(math.fsum(math.log(max(value, 0.00001)) for value in some) / len(some))

    def without(place: int) -> float:
        return geometric_mean(known[:place] + known[place + 1 :])

    if len(known) < 2:
        return [None if value is None else max(value, 0.00001) for value in values]
    mean_without = math.fsum(map(without, range(len(known)))) / len(known)
    influences = iter([(len(known) - 1) * (mean_without - without(place)) for place in range(len(known))])
    return [None if value is None else geometric_mean(known) + next(influences) for value in values]


def corrected_p_values(p_values: Sequence[float | None], correction: str = "holm") -> list[float | None]:
    """Each p-value, corrected for the number of tests. None is no test.

    Holm's correction is the largest of (m - r) * p over p-values up to this one, where m is the number of
    tests and r the number of p-values below p. Benjamini and Hochberg's is the least of m / i * p over
    p-values from this one on, where i is the number of p-values up to p.
    """
    tests = [p for p in p_values if p is not None]
    if not all(0 <= p <= 1 for p in tests):
        raise ValueError("a p-value is from 0 to 1")

    def corrected(p: float) -> float:
        if correction == "bonferroni":
            return min(1.0, p * len(tests))
        if correction == "benjamini_hochberg":
            larger = [other for other in tests if other >= p]
            return min(len(tests) / sum(q <= other for q in tests) * other for other in larger)
        smaller = [other for other in tests if other <= p]
        return max(min(1.0, (len(tests) - sum(q < other for q in tests)) * other) for other in smaller)

    return [None if p is None else corrected(p) for p in p_values]


def t_without_skewness(values: Sequence[float], mean: float) -> float:
    """Student's t of a mean after the transformation that Hall (1992) numbers (1.3)."""
    n = len(values)
    centre = math.fsum(values) / n
    squares, cubes = (math.fsum((value - centre) ** power for value in values) / n for power in (2, 3))
    skewness = cubes / squares**1.5
    w = (centre - mean) / math.sqrt(squares * n / (n - 1))
    return math.sqrt(n) * (w + skewness * w**2 / 3 + skewness**2 * w**3 / 27 + skewness / (6 * n))


def partially_overlapping_t_test(
    rows: Sequence[tuple[float | None, float | None]],
) -> tuple[float, float, float]:
    """The difference of the means, its standard error and its degrees of freedom.

    They are those of T_new2 in Derrick et al. (2017), whose names are n_c for pairs, n_a and n_b for values
    without a partner, and n_1 and n_2 for all values.
    """
    first, second = ([value for value in column if value is not None] for column in zip(*rows, strict=True))
    pairs = np.array([row for row in rows if None not in row], dtype=float)
    n_1, n_2, n_c = len(first), len(second), len(pairs)
    n_a, n_b = n_1 - n_c, n_2 - n_c
    s_1, s_2 = (float(np.std(values, ddof=1)) for values in (first, second))
    r = float(np.corrcoef(pairs.T)[0, 1]) if n_c > 1 and (np.std(pairs, axis=0) > 0).all() else 0.0
    error = math.sqrt(s_1**2 / n_1 + s_2**2 / n_2 - 2 * r * (s_1 * s_2 * n_c) / (n_1 * n_2))
    gamma = (s_1**2 / n_1 + s_2**2 / n_2) ** 2 / (
        (s_1**2 / n_1) ** 2 / (n_1 - 1) + (s_2**2 / n_2) ** 2 / (n_2 - 1)
    )
    freedom = (n_c - 1) + (gamma - n_c + 1) / (n_a + n_b + 2 * n_c) * (n_a + n_b)
    return float(np.mean(first) - np.mean(second)), error, freedom


def judge_corrected_mean(
    rows: Sequence[tuple[float | None, float | None]], weights: Sequence[float] | None = None
) -> tuple[float, float, float, float]:
    """The corrected mean, its standard error, the weight of the judge, and the users with both values.

    It is the regression estimator of double sampling (Cochran 1977, 12.6): PPI++ with the best weight. The
    weights are of the values by people, 1 by default. The error is then that of the weighted residuals, and
    the users are Kish's effective number.
    """
    weighted = [(*row, 1.0) for row in rows]
    if weights is not None:
        weighted = [(*row, weight) for row, weight in zip(rows, weights, strict=True)]
    human, judge, weight = np.array([row for row in weighted if None not in row], dtype=float).T
    everybody = np.array([judged for _, judged in rows if judged is not None])
    n, n_all = len(human), len(everybody)
    slope, intercept = np.polyfit(judge, human, 1, w=np.sqrt(weight))
    mean = intercept + slope * np.mean(everybody)
    u = weight / np.mean(weight)
    effective = float(np.sum(weight)) ** 2 / float(np.sum(weight**2))
    squares = float(np.mean((u * (human - intercept - slope * judge)) ** 2))
    residuals = squares * effective / (effective - 2)
    of_judge = np.average(judge, weights=weight)
    leverage = (np.mean(everybody) - of_judge) ** 2 / np.sum(u * (judge - of_judge) ** 2)
    variance = residuals * (1 / n + leverage) + slope**2 * np.var(everybody, ddof=1) / n_all
    return float(mean), math.sqrt(variance), float(slope), effective


def weighted_mean(rows: Sequence[tuple[float, float]]) -> tuple[float, float, float, float]:
    """The mean of values with weights, its standard error, Kish's design effect and the effective n.

    The error is that of Cochran's ratio estimator (1977, 6.3) of w * x by w, for a large population.
    """
    rows = [(x, w) for x, w in rows if w]
    n, total = len(rows), math.fsum(w for _, w in rows)
    mean = math.fsum(w * x for x, w in rows) / total
    residuals = math.fsum((w * x - mean * w) ** 2 for x, w in rows) / (n - 1)
    error = math.sqrt(residuals / n) / (total / n)
    effect = n * math.fsum(w * w for _, w in rows) / total**2
    return mean, error, effect, n / effect


def parts_of_change(values: Iterable[Sequence[float | None]], attribution: str) -> dict[str, list[Fraction]]:
    """The share of each user in the difference of two means, by part.

    `values` has the values of each user: by the truth and rec before, by the truth after and the rec before,
    by the truth before and the rec after, and by those after. None is no value.
    """
    exact = [[None if value is None else Fraction(value) for value in row] for row in values]
    before, after = ([row for row in exact if row[place] is not None] for place in (0, 3))
    both = [row for row in before if row[3] is not None]
    mean_before, mean_after = (
        sum((row[place] for row in both), Fraction()) / max(1, len(both)) for place in (0, 3)
    )
    parts: dict[str, list[Fraction]] = {
        "users_left": [(mean_before - row[0]) / len(before) for row in before if row[3] is None],
        "users_came": [(row[3] - mean_after) / len(after) for row in after if row[0] is None],
        "judgements": [],
        "ranking": [],
    }
    for first, middle, other_middle, last in both:
        judged = Fraction() if middle is None else middle - first
        if attribution == "shapley":
            judged = (judged + (Fraction() if other_middle is None else last - other_middle)) / 2
        parts["judgements"].append(judged / len(both))
        parts["ranking"].append((last - first - judged) / len(both))
    return parts


def tukey_hsd(blocks: Sequence[Sequence[float | None] | None]) -> list[float]:
    """The p-value of each pair of systems: the share of all ways to permute the values within blocks.

    A way counts if the largest mean of a system less the smallest one is at least as large as the difference
    of the observed means, but for rounding. Blocks with a None are left out.
    """
    complete = [block for block in blocks if block is not None and None not in block]
    sums = [math.fsum(values) for values in zip(*complete, strict=True)]
    ways = [
        [math.fsum(values) for values in zip(*way, strict=True)]
        for way in product(*(list(permutations(block)) for block in complete))
    ]
    ranges = [max(way) - min(way) for way in ways]
    return [
        sum(found >= abs(one - other) - 1e-9 for found in ranges) / len(ranges)
        for one, other in combinations(sums, 2)
    ]


def win_tie_loss(pairs: Sequence[tuple[float, float]], tolerance: float = 0) -> dict[str, int]:
    """The number of pairs a, b, and in how many of them a wins, ties with b, and loses."""
    ties = [abs(a - b) <= tolerance * max(1, abs(b)) for a, b in pairs]
    wins = [a > b and not tie for (a, b), tie in zip(pairs, ties, strict=True)]
    losses = len(pairs) - sum(wins) - sum(ties)
    return {"n": len(pairs), "wins": sum(wins), "ties": sum(ties), "losses": losses}


def bayes_factor_of_t(t: float, n: int, variance: float) -> float:
    """The density of Student's t of `n` values whose effect size is normal around 0, over that if it is 0."""
    from scipy import stats

    width = 9 * math.sqrt(variance)
    sizes = np.linspace(-width, width, 6001)
    densities = stats.nct.pdf(t, n - 1, sizes * math.sqrt(n)) * stats.norm.pdf(sizes, 0, math.sqrt(variance))
    # SciPy has NaN for densities that are next to 0.
    return float(np.trapezoid(np.nan_to_num(densities), sizes) / stats.t.pdf(t, n - 1))


def p_of_random_weights(values: Sequence[float], least: float, mean: float) -> float:
    """The p-value of Gaffke (2005) that the expected value is above `mean`, and no value is below `least`.

    A weighted mean of the values and `least`, with weights of exponential variates over their sum, is at most
    `mean` if the sum of variates times differences from `mean` is at most 0. The probability is the integral
    of Gil-Pelaez (Biometrika 1951) over the logarithm of its variable.
    """
    log = np.arange(-30, 14, 0.004)
    t = np.exp(log - math.log(max(abs(least - mean), 1e-9)))
    modulus, phase = np.zeros_like(t), np.zeros_like(t)
    for value, count in Counter([*values, least]).items():
        modulus -= count * np.log(np.hypot(1, t * (value - mean)))
        phase += count * np.arctan(t * (value - mean))
    return float(0.5 - (np.exp(modulus) * np.sin(phase)).sum() * 0.004 / math.pi)


#: A span: the document, its offsets and its relevance.
Span = tuple[Any, int, int, float]
#: A chunk: the document, its offsets and its score. The document is None if the row has no interval.
Chunk = tuple[Any, int | None, int | None, float]


def characters(document: Any, start: int | None, end: int | None) -> set[tuple[Any, int]]:
    """The characters of an interval."""
    return set() if document is None else {(document, place) for place in range(start or 0, end or 0)}


def ranked_chunks(chunks: Iterable[Chunk]) -> list[Chunk]:
    """The chunks by score, then by document and offsets; an interval that is there twice counts once."""
    best: dict[tuple[Any, ...], float] = {}
    others = []
    for document, start, end, score in chunks:
        if document is None:
            others.append((None, None, None, score))
        else:
            best[document, start, end] = max(score, best.get((document, start, end), -math.inf))
    ranked = [(*interval, score) for interval, score in best.items()] + others
    return sorted(ranked, key=lambda chunk: (-chunk[3], chunk[0] is None, chunk[:3] if chunk[0] else ()))


def finder(span: Span, ranked: Sequence[Chunk], overlap: str | float) -> int | None:
    """The place from 0 of the chunk that finds a span, None if none does."""
    wanted = characters(*span[:3])
    shared = [len(wanted & characters(*chunk[:3])) for chunk in ranked]
    for place, number in enumerate(shared):
        if number == 0:
            continue
        if overlap == "any" or (overlap == "best" and number == max(shared)):
            return place
        if not isinstance(overlap, str) and Fraction(number, len(wanted)) >= Fraction(str(overlap)):
            return place
    return None


def items_of_spans(
    spans: Iterable[Span], chunks: Iterable[Chunk], overlap: str | float
) -> list[tuple[str | None, float | None, float | None]]:
    """Item, score and relevance of each span, and of each chunk that has no item of a span."""
    ranked, known = ranked_chunks(chunks), list(dict.fromkeys(spans))
    found: dict[int, list[Span]] = {}
    for span in known:
        place = finder(span, ranked, overlap)
        if place is not None:
            found.setdefault(place, []).append(span)
    chosen = {
        min(of_chunk, key=lambda span: (-span[3], *span[:3])): ranked[place][3]
        for place, of_chunk in found.items()
    }
    rows: list[tuple[str | None, float | None, float | None]] = []
    for span in known:
        document, start, end, rel = span
        rows.append((f"{document}[{start},{end})", chosen.get(span), rel))
    for place, (document, start, end, score) in enumerate(ranked):
        if place not in found:
            rows.append((document and f"{document}[{start},{end}) chunk", score, None))
    return rows


def span_measures(
    spans: Iterable[Span], chunks: Iterable[Chunk], k: int | None, overlap: str | float, min_rel: float | None
) -> dict[str, float | None]:
    """The measures of spans of one user, character by character."""
    ranked = ranked_chunks(chunks)
    relevant = {span for span in spans if (span[3] > 0 if min_rel is None else span[3] >= min_rel)}
    if not relevant:
        return dict.fromkeys(("span_recall", "character_recall", "character_precision"))
    top = ranked[:k]
    places = [finder(span, ranked, overlap) for span in relevant]
    wanted = set().union(*(characters(*span[:3]) for span in relevant))
    retrieved = set().union(*(characters(*chunk[:3]) for chunk in top))
    read = sum(len(characters(*chunk[:3])) for chunk in top)
    return {
        "span_recall": sum(place is not None and place < len(top) for place in places) / len(relevant),
        "character_recall": len(wanted & retrieved) / len(wanted),
        "character_precision": len(wanted & retrieved) / read if read else 0.0,
    }
