"""Compute the golden cases again with packages from PyPI, and compare.

    pip install -r tests/vectors/requirements.txt
    python tests/vectors/recompute.py

It prints how many cases each package computed, and every difference. The exit code is 1 if there is a
difference, or a package is missing. Nothing of rankdcg_sql is imported.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import math
import sys
import warnings
from fractions import Fraction
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

CASES = Path(__file__).with_name("cases.json")
CLOSE = 1e-9

Raw = dict[str, Any]
#: A number, "error", None for a value that is not defined, or several numbers.
Value = float | str | None | list[float | None] | dict[str, float]


class Unsupported(Exception):  # noqa: N818  # it says no more than that a package has no such metric
    """A package cannot compute this case."""


def formula(raw: Raw, *without: str) -> str:
    """The metric, and the words of `params` that choose its formula, as one text."""
    words = {word: value for word, value in raw["params"].items() if word not in ("k", "gain", *without)}
    metric = raw["metric"].removeprefix("mean_")
    return " ".join([metric, *(f"{word}={words[word]}" for word in sorted(words))])


def looked_up(table: dict[str, str], raw: Raw, *without: str) -> str:
    """The name that a package has for the measure of a case."""
    k = raw["params"].get("k")
    name = table.get(formula(raw, *without), "")
    if not name or ("{k}" in name and not k):
        raise Unsupported
    return name.format(k=k)


# Rankings


class Rankings(NamedTuple):
    """Scores of retrieved items and relevances of judged items."""

    #: The score of each retrieved item, by user and item.
    run: dict[str, dict[str, float]]
    #: The relevance of each judged item, by user and item.
    qrels: dict[str, dict[str, int]]
    #: Whether items of one user have the same score.
    tied: bool


def rankings(raw: Raw) -> Rankings:
    """A case as a run and judgements. A list without scores gets descending scores."""
    if "rec_table" in raw:
        run: dict[str, dict[str, float]] = {}
        qrels: dict[str, dict[str, int]] = {}
        for user, item, score in raw["rec_table"]:
            run.setdefault(user, {})[item] = score
        for user, item in raw["truth_table"]:
            qrels.setdefault(user, {})[item] = 1
        return Rankings(run, qrels, tied=False)
    if "rec" in raw:
        rec = [str(item) for item in raw["rec"]]
        scores = {item: -float(rank) for rank, item in enumerate(rec)}
        if len(scores) < len(rec):
            raise Unsupported  # an item is repeated
    elif "rec_scores" in raw:
        scores = raw["rec_scores"]
    elif "scores" in raw and not {None, "NaN"} & {*raw["scores"], *raw["rels"]}:
        scores = {f"d{place}": float(score) for place, score in enumerate(raw["scores"])}
    else:
        raise Unsupported
    if "rels" in raw:
        judged = {f"d{place}": rel for place, rel in enumerate(raw["rels"])}
    elif isinstance(raw["truth"], dict):
        judged = raw["truth"]
    else:
        judged = {str(item): 1 for item in raw["truth"]}
    if any(rel < 0 or rel != int(rel) for rel in judged.values()):
        raise Unsupported  # qrels hold whole numbers
    return Rankings({"u": scores}, {"u": judged}, tied=len(set(scores.values())) < len(scores))


def gained(judged: dict[str, int], gain: str) -> dict[str, int]:
    """The gains of judged items, for packages whose gain is linear."""
    of = {"binary": lambda rel: int(rel > 0), "linear": lambda rel: rel, "exp2": lambda rel: 2**rel - 1}
    return {item: of[gain](rel) for item, rel in judged.items()}


def best(scores: dict[str, float], k: int | None) -> dict[str, float]:
    return dict(sorted(scores.items(), key=lambda item: -item[1])[:k])


# Packages


def by_pytrec_eval(raw: Raw) -> Value:
    """trec_eval's values. It breaks ties by item, descending, and leaves out users without a run."""
    given = rankings(raw)
    if given.tied or not all(given.qrels.values()) or raw["params"].get("users") == "truth":
        raise Unsupported
    table = {
        "precision denominator=k": "P_{k}",
        "recall denominator=truth": "recall_{k}",
        "average_precision denominator=truth": "map_cut_{k}",
        "ndcg discount=log2 idcg=truth": "ndcg_cut_{k}",
        "hit_rate": "success_{k}",
        "mrr": "recip_rank",
        "r_precision": "Rprec",
    }
    name = looked_up(table, raw, "users", "ties")
    gain = raw["params"].get("gain", "linear")
    qrels = {user: gained(judged, gain) for user, judged in given.qrels.items()}
    run = given.run
    if name == "recip_rank":  # recip_rank has no cutoff
        run = {user: best(scores, raw["params"]["k"]) for user, scores in run.items()}
    measure = name.replace("_", ".") if name[-1].isdigit() else name
    measure = measure.replace("map.cut", "map_cut").replace("ndcg.cut", "ndcg_cut")
    found = importlib.import_module("pytrec_eval").RelevanceEvaluator(qrels, {measure}).evaluate(run)
    return mean([values[name] for values in found.values()])


def by_ir_measures(raw: Raw) -> Value:
    """ir_measures' values. Means are over the users of the truth."""
    given = rankings(raw)
    if not all(given.qrels.values()) or raw["params"].get("users", "truth") != "truth":
        raise Unsupported
    table = {
        "precision denominator=k": "P@{k}",
        "recall denominator=truth": "R@{k}",
        "average_precision denominator=truth": "AP@{k}",
        "ndcg discount=log2 idcg=truth": "nDCG@{k}",
        "hit_rate": "Success@{k}",
        "mrr": "RR@{k}",
        "mrr ties=item_asc": "RR@{k}",
        "r_precision": "Rprec",
    }
    name = looked_up(table, raw, "users", "missing", *(() if given.tied else ("ties",)))
    module = importlib.import_module("ir_measures")
    measure = module.parse_measure(name)
    gain = raw["params"].get("gain", "linear")
    qrels = [
        module.Qrel(user, item, rel)
        for user, judged in given.qrels.items()
        for item, rel in gained(judged, gain).items()
    ]
    run = [
        module.ScoredDoc(user, item, score)
        for user, scores in given.run.items()
        for item, score in scores.items()
    ]
    return float(module.calc_aggregate([measure], qrels, run)[measure])


def by_ranx(raw: Raw) -> Value:
    """ranx's values. Means are over the users of truth (make_comparable). Few tied items keep their order."""
    if formula(raw) == "paired_t_test alternative=two-sided":
        test = importlib.import_module("ranx.statistical_tests").paired_student_t_test
        return float(test(raw["scores_a"], raw["scores_b"])[0])
    if raw["metric"] == "win_tie_loss":
        return by_ranx_of_quarters(raw)
    given = rankings(raw)
    params = raw["params"]
    if params.get("users", "truth") != "truth":
        raise Unsupported
    table = {
        "precision denominator=k": "precision@{k}",
        "recall denominator=truth": "recall@{k}",
        "f1 denominator=k": "f1@{k}",
        "average_precision denominator=truth": "map@{k}",
        "ndcg discount=log2 idcg=truth": "ndcg@{k}",
        "dcg discount=log2": "dcg@{k}",
        "hit_rate": "hit_rate@{k}",
        "mrr": "mrr@{k}",
        "mrr ties=input_order": "mrr",
        "r_precision": "r-precision",
        "rbp p=0.85": "rbp.85",
    }
    name = looked_up(table, raw, "users", "missing", "empty_truth", *(() if given.tied else ("ties",)))
    if params.get("gain") == "exp2":
        name = name.replace("dcg", "dcg_burges")
    # One more user, because ranx cannot infer the types of items and scores from empty lists alone.
    run = given.run | {"~": {"a": 1.0}}
    qrels = given.qrels | {"~": {"a": 1}}
    module = importlib.import_module("ranx")
    found = module.evaluate(
        module.Qrels(qrels), module.Run(run), name, return_mean=False, make_comparable=True
    )
    assert sorted(qrels)[-1] == "~"
    return mean(list(map(float, found[:-1])))


def by_ranx_of_quarters(raw: Raw) -> Value:
    """ranx's wins, ties and losses of precision@4. A user with n quarters has n hits among four items."""
    module = importlib.import_module("ranx")
    users = [f"u{place}" for place in range(len(raw["scores_a"]))]
    qrels = module.Qrels({user: {f"hit{place}": 1 for place in range(4)} for user in users})

    def run(name: str, values: list[float]) -> Any:
        items = {
            user: {f"{'hit' if place < 4 * value else 'miss'}{place}": 4.0 - place for place in range(4)}
            for user, value in zip(users, values, strict=True)
        }
        return module.Run(items, name=name)

    runs = [run("a", raw["scores_a"]), run("b", raw["scores_b"])]
    found = module.compare(qrels, runs, ["precision@4"], max_p=0.05).win_tie_loss["a", "b"]["precision@4"]
    return {name: int(found[letter]) for name, letter in (("wins", "W"), ("ties", "T"), ("losses", "L"))}


def by_statsmodels(raw: Raw) -> Value:
    """The corrected p-values of multipletests. It has no NULL, so these are left out and put back."""
    if "p_values" not in raw:
        raise Unsupported
    tests = [p for p in raw["p_values"] if p is not None]
    multitest = importlib.import_module("statsmodels.stats.multitest")
    corrected = iter(multitest.multipletests(tests, method=raw["params"]["correction"])[1])
    return [None if p is None else float(next(corrected)) for p in raw["p_values"]]


def by_sklearn(raw: Raw) -> Value:
    metrics = importlib.import_module("sklearn.metrics")
    params = raw["params"]
    k = params.get("k")
    asked = formula(raw)
    if asked in ("ndcg", "ndcg negative=error") or "NaN" in raw.get("scores", ()):
        return by_ndcg_score_of_anything(raw, metrics.ndcg_score)
    if asked in ("ndcg discount=log2 idcg=truth", "ndcg discount=log2 idcg=truth ties=average"):
        return gains_by(metrics.ndcg_score, raw)
    if raw["metric"] == "ndcg_macro":
        users = [rels for rels in raw["rels_by_user"] if any(rels) or params["zero_idcg"] != "skip"]
        lists = [{"rels": rels, "scores": [-rank for rank in range(len(rels))]} for rels in users]
        return mean([gains_by(metrics.ndcg_score, {"params": params, **each}) for each in lists])
    if asked == "dcg discount=log2":
        return gains_by(metrics.dcg_score, raw)
    if asked in ("average_precision denominator=hits", "auc convention=list"):
        (scores,), (judged,) = (part.values() for part in (rankings(raw).run, rankings(raw).qrels))
        shown = best(scores, k)
        hits = [int(item in judged) for item in shown]
        if len(set(hits)) < 2 and not (asked.startswith("average") and any(hits)):
            raise Unsupported  # only relevant or only irrelevant items
        score = metrics.roc_auc_score if asked.startswith("auc") else metrics.average_precision_score
        return float(score(hits, list(shown.values())))
    of_lists = {
        "roc_auc": lambda: metrics.roc_auc_score(*unzipped(raw)),
        "roc_auc nulls=drop": lambda: metrics.roc_auc_score(*unzipped(raw)),
        "average_precision_score ties=threshold": lambda: metrics.average_precision_score(*unzipped(raw)),
    }
    if asked in of_lists:
        return number(of_lists[asked]())
    if "scores_by_user" not in raw:
        raise Unsupported
    users = [*zip(raw["rels_by_user"], raw["scores_by_user"], strict=True)]
    return mean([metrics.roc_auc_score(*user) for user in users if len(set(user[0])) == 2])


def by_ndcg_score_of_anything(raw: Raw, score: Callable[..., Any]) -> Value:
    """scikit-learn's ndcg_score, also of NaN, of negative relevances, and at k=0."""
    if "rec" in raw:
        rels, scores = (
            [int(item in raw["truth"]) for item in raw["rec"]],
            [-place for place in range(len(raw["rec"]))],
        )
    else:
        rels, scores = raw["rels"], list(map(float, raw["scores"]))
    try:
        return float(score([rels], [scores], k=raw["params"].get("k")))
    except ValueError:
        return "error"


def gains_by(score: Callable[..., Any], raw: Raw) -> float:
    """A function of scikit-learn over gains. Items that were not retrieved get scores below all others."""
    (scores,), (judged,) = (part.values() for part in (rankings(raw).run, rankings(raw).qrels))
    k = raw["params"]["k"]
    below = [item for item in judged if item not in scores]
    items = [*scores, *below]
    if len(items) < 2 or not scores or (below and (k is None or k > len(scores))):
        raise Unsupported
    gains = gained(judged, raw["params"]["gain"])
    lowest = min(scores.values()) - 1
    return float(
        score([[gains.get(item, 0) for item in items]], [[scores.get(item, lowest) for item in items]], k=k)
    )


def by_scipy(raw: Raw) -> Value:
    stats = importlib.import_module("scipy.stats")
    asked = formula(raw)
    if "scores_a" in raw and raw["metric"] != "win_tie_loss":
        a, b = raw["scores_a"], raw["scores_b"]
        return {
            "paired_t_test alternative=two-sided": lambda: stats.ttest_rel(a, b),
            "wilcoxon_signed_rank alternative=two-sided zero_method=wilcox": lambda: stats.wilcoxon(a, b),
            "fisher_randomization alternative=two-sided n=exact": lambda: stats.permutation_test(
                (a, b), lambda x, y: (x - y).mean(), permutation_type="samples", n_resamples=math.inf
            ),
        }[asked]().pvalue
    if asked != "kendall_tau variant=b":
        raise Unsupported
    return number(stats.kendalltau(raw["rels"], raw["scores"], variant="b").statistic)


def by_fractions(raw: Raw) -> Value:
    """rankDCG by the paper's formula, in fractions. Tied items are in the worst order, or averaged."""
    ties = raw["params"].get("ties")
    if raw["metric"] != "rank_dcg" or "NaN" in raw["scores"]:
        raise Unsupported
    rels, scores = raw["rels"], raw["scores"]
    grades = {rel: grade for grade, rel in enumerate(sorted(set(rels)), 1)}
    ideal = sorted((grades[rel] for rel in rels), reverse=True)

    def dcg(order: Sequence[Fraction | int]) -> Fraction:
        places = zip(order, ideal, strict=True)
        return sum((Fraction(grade) / (len(grades) + 1 - place) for grade, place in places), Fraction(0))

    order: list[Fraction | int] = []
    for score in sorted(set(scores), reverse=True):
        tied = sorted(grades[rel] for rel, other in zip(rels, scores, strict=True) if other == score)
        order += [Fraction(sum(tied), len(tied))] * len(tied) if ties == "average" else tied
    lowest, highest = dcg(ideal[::-1]), dcg(ideal)
    return None if lowest == highest else float((dcg(order) - lowest) / (highest - lowest))


# Arithmetic


def mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def number(value: Any) -> float | None:
    return None if math.isnan(value) else float(value)


def unzipped(raw: Raw) -> tuple[list[float], list[float]]:
    """Relevances and scores, without the items for which one is missing."""
    pairs = zip(raw["rels"], raw["scores"], strict=True)
    whole = [pair for pair in pairs if None not in pair]
    return [rel for rel, _ in whole], [score for _, score in whole]


# The report

#: Packages and formulas, each with the beginning of the entries in `source` that name it.
PACKAGES: dict[str, tuple[str, Callable[[Raw], Value]]] = {
    "ir-measures": ("ir_measures ", by_ir_measures),
    "pytrec-eval-terrier": ("pytrec-eval-terrier ", by_pytrec_eval),
    "ranx": ("ranx ", by_ranx),
    "scikit-learn": ("scikit-learn ", by_sklearn),
    "scipy": ("scipy ", by_scipy),
    "statsmodels": ("statsmodels ", by_statsmodels),
    "exact fractions": ("exact fraction ", by_fractions),
}


def sources(raw: Raw) -> list[str]:
    """The sources of a case: who computed or published its value."""
    return raw["source"].split("; ")


def same(value: Value, expected: Value) -> bool:
    if isinstance(value, float | int) and isinstance(expected, float | int):
        return abs(value - expected) <= CLOSE
    if isinstance(value, list) and isinstance(expected, list):
        return len(value) == len(expected) and all(map(same, value, expected))
    return value == expected


def computed(cases: list[Raw], compute: Callable[[Raw], Value]) -> dict[str, Value]:
    """The values of the cases that a package can compute."""
    found = {}
    for raw in cases:
        with contextlib.suppress(Unsupported):
            found[raw["id"]] = compute(raw)
    return found


def main() -> int:
    cases = json.loads(CASES.read_text(encoding="utf-8"))
    failed = False
    by_any: set[str] = set()
    print(
        f"{'':28} {'cases':>6} {'agree':>6} {'differ':>6} {'named in source':>16} {'of these computed':>18}"
    )
    for package, (begins, compute) in PACKAGES.items():
        try:
            shown = package if package == "exact fractions" else f"{package} {version(package)}"
        except PackageNotFoundError:
            print(f"{package:28} is not installed")
            failed = True
            continue
        found = computed(cases, compute)
        by_any |= found.keys()
        different = [
            raw for raw in cases if raw["id"] in found and not same(found[raw["id"]], raw["expected"])
        ]
        named = [raw["id"] for raw in cases if any(entry.startswith(begins) for entry in sources(raw))]
        asked = [case_id for case_id in named if case_id in found]
        agreed = len(found) - len(different)
        print(f"{shown:28} {len(found):6} {agreed:6} {len(different):6} {len(named):16} {len(asked):18}")
        for raw in different:
            print(f"    {raw['id']}: {found[raw['id']]!r}, not {raw['expected']!r}")
        for case_id in named:
            if case_id not in found:
                print(f"    {case_id}: named in source, not computed")
        failed = failed or bool(different)

    print(f"\n{len(by_any)} of {len(cases)} cases are computed; the others are:")
    for raw in cases:
        if raw["id"] not in by_any:
            print(f"    {raw['id']}")
    return int(failed)


if __name__ == "__main__":
    warnings.simplefilter("ignore")  # packages warn about values that are not defined
    sys.exit(main())
