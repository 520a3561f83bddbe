"""Conventions against the packages that they are named after: random rankings, the values side by side.

`make test-wheel` runs this file where ranx, scikit-learn and trec_eval (pytrec_eval) are installed. The other
packages are large or need Java; their tests run where they are. What a package leaves open is not compared:
the order of equal scores (TorchMetrics), repeats of an item (RecTools, Recommenders), a query without any
judgement (trec_eval drops it), precision where nothing was retrieved (LensKit has none, here it is 0).
"""

from __future__ import annotations

import importlib
import math
import random
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest
from absent import absent
from engines import Core, Row

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import duckdb

    #: Values of some functions, one for each ranking; None for NULL.
    Values = Mapping[str, Sequence[float | None]]

IN_CI = ("pytrec_eval", "ranx", "sklearn")  # the packages that CI has
CUTS = (1, 3, 5, 20, None)
NO_TRUTH = ({}, {"x": 0})


def package(name: str) -> Any:
    """A module of a package; without it the test is skipped, or fails on CI if CI has that package."""
    try:
        return importlib.import_module(name)
    except ImportError:
        if name.split(".")[0] in IN_CI:
            absent(f"{name} is not installed")
        pytest.skip(f"{name} is not installed")


@dataclass(frozen=True)
class Ranking:
    """What was retrieved, best first, and the relevance of what was judged."""

    rec: list[str]
    truth: dict[str, int]

    @property
    def relevant(self) -> list[str]:
        return [item for item, rel in self.truth.items() if rel > 0]


def rankings(grades: Sequence[int] = (1,), repeats: bool = False) -> list[Ranking]:
    """Random rankings, and those in which nothing or everything is relevant, retrieved or found.

    Items may be unjudged, and with `repeats` retrieved more than once.
    """
    rng = random.Random(len(grades) + 10 * repeats)
    items = list("abcdefghijkl")
    found = []
    for _ in range(60):
        size = rng.randint(1, 9)
        rec = rng.choices(items[:6], k=size) if repeats else rng.sample(items, size)
        found.append(
            Ranking(rec, {item: rng.choice(grades) for item in rng.sample(items, rng.randint(1, 8))})
        )
    best = max(grades)
    fixed = [
        Ranking(["a", "b", "c"], {"x": best, "y": best}),
        Ranking(["a", "b", "c"], {"b": best, "c": best, "a": best}),
        Ranking(["a", "b"], dict.fromkeys(items, best)),
        Ranking([], {"a": best}),
        *(Ranking(rec, truth) for rec in (["a", "b"], []) for truth in NO_TRUTH),
    ]
    return [*found, *fixed]


def judged(every: Iterable[Ranking]) -> list[Ranking]:
    return [each for each in every if each.truth]


def relevant(every: Iterable[Ranking]) -> list[Ranking]:
    return [each for each in every if each.relevant]


def ours(
    convention: str, function: str, kind: str, args: Sequence[tuple[Any, ...]], k: int | None, **options: Any
) -> list[float | None]:
    """The values of a function with a convention and no more than the options that the package was given."""
    options = {"convention": convention, **options}
    return Core().many(function, kind, [Row(each, k, options) for each in args])


def compare(
    convention: str, kind: str, args: Sequence[tuple[Any, ...]], k: int | None, theirs: Values, **options: Any
) -> None:
    """Assert that every function gives what the package gives."""
    close = 1e-6 if convention == "torchmetrics" else 1e-9  # it has 32 bits
    for function, values in theirs.items():
        for each, value, expected in zip(
            args, ours(convention, function, kind, args, k, **options), values, strict=True
        ):
            wanted = (
                None
                if expected is None or math.isnan(expected)
                else pytest.approx(expected, rel=0, abs=close)
            )
            assert value == wanted, (function, k, each)


def compare_ids(
    convention: str, every: Sequence[Ranking], k: int | None, theirs: Values, **options: Any
) -> None:
    compare(convention, "ids", [(each.rec, each.relevant) for each in every], k, theirs, **options)


def compare_graded(
    convention: str, every: Sequence[Ranking], k: int | None, theirs: Values, **options: Any
) -> None:
    compare(convention, "map", [(each.rec, each.truth) for each in every], k, theirs, **options)


def numbered(lists: Iterable[Iterable[str]]) -> dict[str, dict[str, float]]:
    """{query: {item: score}}, scores falling along each list; trec_eval has 32 bits for them."""
    return {
        query_name(query): {item: -float(rank) for rank, item in enumerate(items)}
        for query, items in enumerate(lists)
    }


def query_name(query: int) -> str:
    return f"{query:03}"  # ranx sorts them as text


# trec_eval


def trec_eval(every: Sequence[Ranking], k: int | None) -> Values:
    names = {
        "precision_at": "set_P",
        "recall_at": "set_recall",
        "f1_at": "set_F",
        "average_precision": "map",
        "ndcg": "ndcg",
        "mrr": "recip_rank",
        "r_precision": "Rprec",
    }
    if k is not None:
        cut = {"precision_at": "P", "recall_at": "recall", "average_precision": "map_cut"}
        cut |= {"ndcg": "ndcg_cut", "hit_rate": "success"}
        names = {function: f"{measure}_{k}" for function, measure in cut.items()}
    measures = {name if k is None else name.replace(f"_{k}", f".{k}") for name in names.values()}
    qrels = {query_name(query): each.truth for query, each in enumerate(every)}
    evaluator = package("pytrec_eval").RelevanceEvaluator(qrels, measures)
    found = evaluator.evaluate(numbered(each.rec for each in every))
    return {
        function: [found[query_name(query)][name] for query in range(len(every))]
        for function, name in names.items()
    }


@pytest.mark.parametrize("k", CUTS)
def test_trec_eval(k: int | None):
    every = judged(rankings(grades=(0, 1, 1, 2, 3)))  # a query without judgements does not exist there
    compare_graded("trec_eval", every, k, trec_eval(every, k))


def test_trec_eval_binary():
    every = judged(rankings())
    compare_ids("trec_eval", every, 3, trec_eval(every, 3))
    compare_ids("trec_eval", every, None, trec_eval(every, None))


# ranx


def ranx(every: Sequence[Ranking], k: int | None) -> Values:
    names = {
        "precision_at": "precision",
        "recall_at": "recall",
        "f1_at": "f1",
        "hit_rate": "hit_rate",
        "mrr": "mrr",
        "average_precision": "map",
        "ndcg": "ndcg",
        "dcg": "dcg",
    }
    if k is None:
        names["r_precision"] = "r-precision"
    else:
        names = {function: f"{name}@{k}" for function, name in names.items()}
    module = package("ranx")
    qrels = module.Qrels({query_name(query): each.truth for query, each in enumerate(every)})
    run = module.Run(numbered(each.rec for each in every))
    found = module.evaluate(qrels, run, list(names.values()), return_mean=False)
    return {function: list(map(float, found[name])) for function, name in names.items()}


@pytest.mark.parametrize("k", CUTS)
def test_ranx(k: int | None):
    every = rankings(grades=(0, 1, 1, 2, 3))
    compare_graded("ranx", every, k, ranx(every, k))


def test_ranx_rank_biased_precision():
    every = rankings()  # with grades it weighs each hit by its own
    module = package("ranx")
    qrels = module.Qrels({query_name(query): each.truth for query, each in enumerate(every)})
    run = module.Run(numbered(each.rec for each in every))
    found = module.evaluate(qrels, run, "rbp.85", return_mean=False)
    compare_ids("ranx", every, None, {"rbp": list(map(float, found))}, p=0.85)


@pytest.mark.parametrize("k", CUTS)
def test_ranx_ties(k: int | None):
    every = scored(ties=True)
    module = package("ranx")
    named = [[f"{index}" for index in range(len(each.scores))] for each in every]
    qrels = {
        query_name(query): dict(zip(named[query], each.rels, strict=True)) for query, each in enumerate(every)
    }
    run = {
        query_name(query): dict(zip(named[query], each.scores, strict=True))
        for query, each in enumerate(every)
    }
    cut = "" if k is None else f"@{k}"
    found = module.evaluate(
        module.Qrels(qrels),
        module.Run(run),
        [f"{name}{cut}" for name in ("mrr", "map", "ndcg")],
        return_mean=False,
    )
    names = {"mrr": "mrr", "average_precision": "map", "ndcg": "ndcg"}
    theirs = {
        f"{function}_scored": list(map(float, found[f"{name}{cut}"])) for function, name in names.items()
    }
    compare_scored("ranx", every, k, theirs)


# scikit-learn and torchmetrics: scores beside relevances, everything is retrieved


@dataclass(frozen=True)
class Scored:
    """Scores are above 0, for TorchMetrics takes others as not retrieved."""

    scores: list[float]
    rels: list[int]


def scored(grades: Sequence[int] = (0, 1), ties: bool = False) -> list[Scored]:
    rng = random.Random(len(grades) + 10 * ties)
    lists = []
    for _ in range(60):
        size = rng.randint(2, 9)
        scores = rng.choices(range(1, 5), k=size) if ties else rng.sample(range(1, 20), size)
        lists.append(Scored([score / 4 for score in scores], [rng.choice(grades) for _ in range(size)]))
    best = max(grades)
    return [*lists, Scored([3.0, 2.0, 1.0], [0, 0, 0]), Scored([3.0, 2.0, 1.0], [best] * 3)]


def compare_scored(convention: str, every: Sequence[Scored], k: int | None, theirs: Values) -> None:
    compare(convention, "scored", [(each.scores, each.rels) for each in every], k, theirs)


def top(each: Scored, k: int | None) -> Scored:
    order = sorted(range(len(each.scores)), key=lambda index: -each.scores[index])[:k]
    return Scored([each.scores[index] for index in order], [each.rels[index] for index in order])


@pytest.mark.parametrize("k", CUTS)
@pytest.mark.parametrize("ties", [False, True])
def test_sklearn_gains(ties: bool, k: int | None):
    metrics = package("sklearn.metrics")
    every = scored((0, 0, 1, 2, 3), ties)
    theirs = {
        f"{name}_scored": [
            getattr(metrics, f"{name}_score")([each.rels], [each.scores], k=k) for each in every
        ]
        for name in ("dcg", "ndcg")
    }
    compare_scored("sklearn", every, k, theirs)


@pytest.mark.parametrize("k", CUTS)
@pytest.mark.filterwarnings("ignore")
def test_sklearn_of_the_top(k: int | None):
    metrics = package("sklearn.metrics")
    every = scored()
    tops = [top(each, k) for each in every]
    theirs = {
        "average_precision_scored": [
            metrics.average_precision_score(each.rels, each.scores) for each in tops
        ],
        "auc_scored": [metrics.roc_auc_score(each.rels, each.scores) for each in tops],
    }
    compare_scored("sklearn", every, k, theirs)


@pytest.mark.filterwarnings("ignore")
def test_sklearn_ties_in_auc():
    metrics = package("sklearn.metrics")
    every = scored(ties=True)
    theirs = {"auc_scored": [metrics.roc_auc_score(each.rels, each.scores) for each in every]}
    compare_scored("sklearn", every, None, theirs)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("ties", [False, True])
def test_sklearn_roc_auc(ties: bool):
    metrics = package("sklearn.metrics")
    every = scored(ties=ties)
    theirs = {"roc_auc": [metrics.roc_auc_score(each.rels, each.scores) for each in every]}
    compare("sklearn", "aligned", [(each.scores, each.rels) for each in every], None, theirs)


def torchmetrics(every: Sequence[Scored], k: int | None, names: Mapping[str, str]) -> Values:
    module, torch = package("torchmetrics.functional.retrieval"), package("torch")
    cut = {} if k is None else {"top_k": k}
    return {
        function: [
            float(
                getattr(module, f"retrieval_{name}")(
                    torch.tensor(each.scores, dtype=torch.float64), torch.tensor(each.rels), **cut
                )
            )
            for each in every
        ]
        for function, name in names.items()
    }


@pytest.mark.parametrize("k", CUTS)
def test_torchmetrics(k: int | None):
    names = {
        "precision_at_scored": "precision",
        "recall_at_scored": "recall",
        "hit_rate_scored": "hit_rate",
        "mrr_scored": "reciprocal_rank",
        "average_precision_scored": "average_precision",
        "auc_scored": "auroc",
    }
    every = scored()
    compare_scored("torchmetrics", every, k, torchmetrics(every, k, names))


@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("k", CUTS)
def test_torchmetrics_gains(k: int | None, ties: bool):
    every = scored((0, 0, 1, 2, 3), ties)
    compare_scored("torchmetrics", every, k, torchmetrics(every, k, {"ndcg_scored": "normalized_dcg"}))


def test_torchmetrics_r_precision():
    every = scored()
    theirs = torchmetrics(every, None, {"r_precision_scored": "r_precision"})
    compare_scored("torchmetrics", every, None, theirs)


# RecTools, recommenders, RePlay, LensKit and Spark: every item of the truth is relevant


def rectools(every: Sequence[Ranking], k: int) -> Values:
    metrics, pandas = package("rectools.metrics"), package("pandas")
    recs = [(user, item, rank) for user, each in enumerate(every) for rank, item in enumerate(each.rec, 1)]
    truth = [(user, item) for user, each in enumerate(every) for item in each.relevant]
    reco = pandas.DataFrame(recs, columns=["user_id", "item_id", "rank"])
    interactions = pandas.DataFrame(truth, columns=["user_id", "item_id"])
    of = {
        "precision_at": metrics.Precision,
        "recall_at": metrics.Recall,
        "f1_at": metrics.F1Beta,
        "hit_rate": metrics.HitRate,
        "average_precision": metrics.MAP,
        "ndcg": metrics.NDCG,
        "mrr": metrics.MRR,
    }
    found = {function: metric(k=k).calc_per_user(reco, interactions) for function, metric in of.items()}
    return {function: [found[function].get(user) for user in range(len(every))] for function in of}


@pytest.mark.parametrize("k", [1, 3, 5, 20])
def test_rectools(k: int):
    every = rankings()
    compare_ids("rectools", every, k, rectools(every, k))


def recommenders(each: Ranking, k: int) -> dict[str, float]:
    module, pandas = package("recommenders.evaluation.python_evaluation"), package("pandas")
    rated = [(1, item, rel) for item, rel in each.truth.items() if rel > 0]
    predicted = [(1, item, -float(rank)) for rank, item in enumerate(each.rec)]
    truth = pandas.DataFrame(rated, columns=["userID", "itemID", "rating"])
    rec = pandas.DataFrame(predicted, columns=["userID", "itemID", "prediction"])
    of = {
        "precision_at": module.precision_at_k,
        "recall_at": module.recall_at_k,
        "average_precision": module.map,
        "ndcg": module.ndcg_at_k,
    }
    return {function: float(metric(truth, rec, k=k)) for function, metric in of.items()}


@pytest.mark.parametrize("k", [1, 3, 20])
def test_recommenders(k: int):
    every = [each for each in relevant(rankings(grades=(1, 2, 3))) if each.rec]  # other users are left out
    found = [recommenders(each, k) for each in every]
    compare_graded("recommenders", every, k, {name: [each[name] for each in found] for name in found[0]})


def replay(every: Sequence[Ranking], k: int) -> Values:
    metrics = package("replay.metrics")
    recs = {
        user: [(item, -float(rank)) for rank, item in enumerate(each.rec)] for user, each in enumerate(every)
    }
    truth = {user: each.relevant for user, each in enumerate(every)}
    of = {
        "precision_at": metrics.Precision,
        "recall_at": metrics.Recall,
        "hit_rate": metrics.HitRate,
        "average_precision": metrics.MAP,
        "ndcg": metrics.NDCG,
        "mrr": metrics.MRR,
        "auc": metrics.RocAuc,
    }
    found = {}
    for function, metric in of.items():
        (values,) = metric(k, mode=metrics.PerUser())(recs, truth).values()
        found[function] = [values[user] for user in range(len(every))]
    return found


@pytest.mark.parametrize("k", [1, 3, 5, 20])
def test_replay(k: int):
    every = rankings()
    compare_ids("replay", every, k, replay(every, k))


@pytest.mark.parametrize("k", [1, 3, 5, 20])
def test_replay_repeats(k: int):
    every = rankings(repeats=True)
    theirs = replay(every, k)
    once = {function: theirs[function] for function in ("precision_at", "recall_at")}
    often = {function: values for function, values in theirs.items() if function not in once}
    compare_ids("replay", every, k, often)
    compare_ids("replay", every, k, once, duplicates="first")  # these two count an item once


def lenskit(every: Sequence[Ranking], k: int | None) -> Values:
    items, metrics = package("lenskit.data").ItemList, package("lenskit.metrics.ranking")
    of = {
        "precision_at": metrics.Precision(k),
        "recall_at": metrics.Recall(k),
        "hit_rate": metrics.Hit(k),
        "mrr": metrics.RecipRank(k),
        "average_precision": metrics.AveragePrecision(k),
        "rbp": metrics.RBP(k),
        "dcg": metrics.DCG(k, gain="rating"),
        "ndcg": metrics.NDCG(k, gain="rating"),
    }
    found = defaultdict(list)
    for each in every:
        recs = items(item_ids=each.rec, ordered=True)
        test = items(item_ids=each.relevant, rating=[each.truth[item] for item in each.relevant])
        for function, metric in of.items():
            try:
                found[function].append(float(metric.measure_list(recs, test)))
            except ZeroDivisionError:  # average precision without a relevant item
                found[function].append(None)
    return found


@pytest.mark.parametrize("repeats", [False, True])
@pytest.mark.parametrize("k", CUTS)
@pytest.mark.filterwarnings("ignore")
def test_lenskit(k: int | None, repeats: bool):
    every = [each for each in rankings(grades=(1, 1, 2, 3), repeats=repeats) if each.rec]
    compare_graded("lenskit", every, k, lenskit(every, k))


def spark(every: Sequence[Ranking], k: int, session: Any) -> dict[str, float]:
    ranking_metrics = package("pyspark.mllib.evaluation").RankingMetrics
    pairs = session.sparkContext.parallelize([(each.rec, each.relevant) for each in every], 1)
    found = ranking_metrics(pairs)
    return {
        "precision_at": found.precisionAt(k),
        "recall_at": found.recallAt(k),
        "ndcg": found.ndcgAt(k),
        "average_precision": found.meanAveragePrecisionAt(k),
    }


@pytest.mark.parametrize("repeats", [False, True])
def test_spark(repeats: bool):
    builder = package("pyspark.sql").SparkSession.builder
    session = builder.master("local[1]").config("spark.ui.enabled", "false").getOrCreate()
    every = rankings(repeats=repeats)
    for k in (1, 3, 5, 20):
        for function, mean in spark(every, k, session).items():
            values = ours("spark", function, "ids", [(each.rec, each.relevant) for each in every], k)
            assert sum(values) / len(values) == pytest.approx(mean, abs=1e-9), (function, k)


def tied(every: Iterable[Ranking]) -> dict[str, dict[str, float]]:
    """{query: {item: score}} with few different scores, exact in 32 bits."""
    rng = random.Random(5)
    return {
        query_name(query): {item: rng.randint(1, 3) / 2 for item in each.rec}
        for query, each in enumerate(every)
    }


@pytest.mark.parametrize("k", [1, 3, 5, 20])
def test_trec_eval_ties(native: duckdb.DuckDBPyConnection, k: int):
    every = judged(rankings(grades=(0, 1, 1, 2, 3)))
    run = tied(every)
    qrels = {query_name(query): each.truth for query, each in enumerate(every)}
    names = {
        "precision": f"P_{k}",
        "recall": f"recall_{k}",
        "average_precision": f"map_cut_{k}",
        "ndcg": f"ndcg_cut_{k}",
        "hit_rate": f"success_{k}",
    }
    measures = {f"{name}.{k}" for name in ("P", "recall", "map_cut", "ndcg_cut", "success")}
    found = package("pytrec_eval").RelevanceEvaluator(qrels, measures).evaluate(run)
    rows = [(query, item, score, None) for query, items in run.items() for item, score in items.items()]
    rows += [(query, item, None, rel) for query, items in qrels.items() for item, rel in items.items()]
    random.Random(1).shuffle(rows)
    native.execute("CREATE TEMP TABLE pairs (query VARCHAR, item VARCHAR, score DOUBLE, rel DOUBLE)")
    native.executemany("INSERT INTO pairs VALUES (?, ?, ?, ?)", rows)
    values = native.execute(
        "SELECT query, rank_metrics_rows(item, score, rel, $k, 'convention=trec_eval') FROM pairs"
        " GROUP BY query",
        {"k": k},
    ).fetchall()
    assert len(values) == len(every)
    for query, metrics in values:
        theirs = {name: found[query][measure] for name, measure in names.items()}
        assert {name: metrics[name] for name in names} == pytest.approx(theirs, rel=0, abs=1e-9), query


def test_trec_eval_of_scores_that_are_nearly_equal(native: duckdb.DuckDBPyConnection):
    """trec_eval reads scores in 32 bits, and takes those for equal which differ beyond them."""
    rng = random.Random(7)
    items = [f"d{number}" for number in range(40)]
    run, qrels = {}, {}
    for query in range(400):
        centre = rng.choice([25.1234567, 1.0, -3.5e-7, 16777216.0, 1e30, 0.1]) * rng.choice([1, rng.random()])
        steps = rng.choice([1e-9, 3e-8, 6e-8, 1e-7])
        run[query_name(query)] = {
            item: centre * (1 + steps * rng.randint(-3, 3)) for item in rng.sample(items, rng.randint(1, 40))
        }
        qrels[query_name(query)] = {item: rng.choice((0, 1, 1, 2, 3)) for item in rng.sample(items, 15)}
    cuts = (1, 5, 10, 20)
    of_cut = {"precision": "P", "recall": "recall", "average_precision": "map_cut", "ndcg": "ndcg_cut"}
    of_cut |= {"hit_rate": "success"}
    of_all = {"average_precision": "map", "ndcg": "ndcg", "mrr": "recip_rank", "recall": "set_recall"}
    measures = {f"{name}.{','.join(map(str, cuts))}" for name in of_cut.values()} | {
        *of_all.values(),
        "Rprec",
    }
    found = package("pytrec_eval").RelevanceEvaluator(qrels, measures).evaluate(run)
    rows = [(query, item, score, None) for query, items in run.items() for item, score in items.items()]
    rows += [(query, item, None, rel) for query, items in qrels.items() for item, rel in items.items()]
    native.execute("CREATE TEMP TABLE pairs (query VARCHAR, item VARCHAR, score DOUBLE, rel DOUBLE)")
    native.executemany("INSERT INTO pairs VALUES (?, ?, ?, ?)", rows)
    values = native.execute(
        "SELECT query, rank_metrics_at_rows(item, score, rel, [1, 5, 10, 20, NULL], 'convention=trec_eval'), "
        "r_precision_rows(item, score, rel, 'convention=trec_eval') FROM pairs GROUP BY query"
    ).fetchall()
    assert len(values) == len(run)
    for query, several, r_precision in values:
        ours = {
            f"{name}_{cut}": metrics[of]
            for cut, metrics in zip(cuts, several[:4], strict=True)
            for of, name in of_cut.items()
        }
        ours |= {name: several[4][of] for of, name in of_all.items()} | {"Rprec": r_precision}
        assert ours == pytest.approx(found[query], rel=0, abs=1e-9), query


def test_trec_eval_ties_without_a_cut(native: duckdb.DuckDBPyConnection):
    every = judged(rankings(grades=(0, 1, 1, 2, 3)))
    run = tied(every)
    qrels = {query_name(query): each.truth for query, each in enumerate(every)}
    names = {"average_precision": "map", "ndcg": "ndcg", "mrr": "recip_rank"}
    found = package("pytrec_eval").RelevanceEvaluator(qrels, set(names.values())).evaluate(run)
    rows = [(query, item, score, None) for query, items in run.items() for item, score in items.items()]
    rows += [(query, item, None, rel) for query, items in qrels.items() for item, rel in items.items()]
    native.execute("CREATE TEMP TABLE pairs (query VARCHAR, item VARCHAR, score DOUBLE, rel DOUBLE)")
    native.executemany("INSERT INTO pairs VALUES (?, ?, ?, ?)", rows)
    for query, metrics in native.execute(
        "SELECT query, rank_metrics_rows(item, score, rel, 'convention=trec_eval') FROM pairs GROUP BY query"
    ).fetchall():
        theirs = {name: found[query][measure] for name, measure in names.items()}
        assert {name: metrics[name] for name in names} == pytest.approx(theirs, rel=0, abs=1e-9), query
