"""Conventions and `rankdcg_sql.compat` against the packages that they reproduce, on random rankings.

`make test-wheel` runs this file with cwl_eval, FairRankTune, ir_measures, ndeval (pyndeval), pyNTCIREVAL,
ranx, scikit-learn and trec_eval (pytrec_eval). The other packages are large or need Java; their tests run if
the packages are installed. If a package gives a number that no option reproduces, the convention says so
under `differs`, and a test below shows both numbers.
"""

from __future__ import annotations

import importlib
import math
import random
import re
import sys
from collections import defaultdict
from dataclasses import dataclass
from itertools import pairwise, permutations
from statistics import fmean
from typing import TYPE_CHECKING, Any

import pytest
from support import golden
from support.engines import METRICS, Core, Row
from support.paths import ROOT
from support.skipping import skip_unless_ci
from support.sql import insert
from test_conventions import OTHERWISE, SOURCES

import rankdcg_sql
from rankdcg_sql._measures_elsewhere import measures_elsewhere
from rankdcg_sql._sql import quote_name
from rankdcg_sql.compat import pytrec_eval as compat
from rankdcg_sql.compat._measures import NICKNAMES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    import duckdb

    #: Values of some functions, one for each ranking; None for NULL.
    Values = Mapping[str, Sequence[float | None]]

IN_CI = (
    "FairRankTune",
    "cwl",
    "ir_measures",
    "ppi_py",
    "pyndeval",
    "pyNTCIREVAL",
    "pytrec_eval",
    "ranx",
    "sklearn",
)  # what CI has
CUTS = (1, 3, 5, 20, None)
NO_TRUTH = ({}, {"x": 0})


def package(name: str) -> Any:
    """A module of a package; without it the test is skipped, or fails on CI if CI has that package."""
    try:
        return importlib.import_module(name)
    except ImportError:
        if name.split(".")[0] in IN_CI:
            skip_unless_ci(f"{name} is not installed")
        pytest.skip(f"{name} is not installed")


def test_measures_that_are_elsewhere_are_there():
    """The names in brackets exist in the packages that are installed here."""
    there: dict[str, set[str]] = {
        "pytrec_eval": {*package("pytrec_eval").supported_measures},
        "ir_measures": {*package("ir_measures.measures").registry},
        "ranx": {*package("ranx.metrics").__all__},
        "RecTools": {*package("rectools.metrics").__all__},
        "scikit-learn": {*package("sklearn.metrics").__all__},
        "FairRankTune": {*vars(package("FairRankTune.Metrics"))},
    }
    asked = 0
    page = (ROOT / "docs" / "measures.md").read_text("utf-8")
    named = {each for row in measures_elsewhere().values() for each in row.packages}
    for said in named | {*re.findall(r"[\w-]+ \([^()]+\)", page)}:
        name, _, listed = said.rstrip(")").partition(" (")
        for measure in re.split(", | to ", listed.partition(" with ")[0]):
            if name in there:
                assert measure in there[name], said
                asked += 1
    assert asked > 70


@dataclass(frozen=True)
class Ranking:
    """A list of retrieved items, and judgements."""

    #: The retrieved items, best first.
    rec: list[str]
    #: The relevance of each judged item.
    truth: dict[str, int]

    @property
    def relevant(self) -> list[str]:
        return [item for item, rel in self.truth.items() if rel > 0]


def rankings(grades: Sequence[int] = (1,), repeats: bool = False) -> list[Ranking]:
    """Random rankings, and rankings in which nothing or everything is relevant, retrieved or a hit.

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
    """The values of a function with a convention, and with the options that the package was given."""
    options = {"convention": convention, **options}
    return Core().many(function, kind, [Row(each, k, options) for each in args])


def compare(
    convention: str, kind: str, args: Sequence[tuple[Any, ...]], k: int | None, theirs: Values, **options: Any
) -> None:
    """Assert that every function gives the values of the package."""
    close = 1e-6 if convention == "torchmetrics" else 1e-9  # TorchMetrics computes in 32 bits
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


def compare_rankings(
    convention: str, every: Sequence[Ranking], k: int | None, theirs: Values, **options: Any
) -> None:
    compare(convention, "map", [(each.rec, each.truth) for each in every], k, theirs, **options)


def numbered(lists: Iterable[Iterable[str]]) -> dict[str, dict[str, float]]:
    """{query: {item: score}}, with descending scores in each list that are exact in trec_eval's 32 bits."""
    return {
        query_name(query): {item: -float(rank) for rank, item in enumerate(items)}
        for query, items in enumerate(lists)
    }


def query_name(query: int) -> str:
    return f"{query:03}"  # ranx sorts queries as texts


# trec_eval


def trec_eval_measures(k: int | None) -> dict[str, str]:
    """trec_eval's measures, by function."""
    if k is not None:
        cut = {"precision_at": "P", "recall_at": "recall", "average_precision": "map_cut"}
        cut |= {"ndcg": "ndcg_cut", "hit_rate": "success"}
        return {function: f"{measure}_{k}" for function, measure in cut.items()}
    return {
        "precision_at": "set_P",
        "recall_at": "set_recall",
        "f1_at": "set_F",
        "average_precision": "map",
        "ndcg": "ndcg",
        "mrr": "recip_rank",
        "r_precision": "Rprec",
        "bpref": "bpref",
        "inf_ap": "infAP",
        "relative_precision": "set_relative_P",
        "utility": "utility",
    }


def asked_of_trec_eval(
    qrels: Mapping[str, Mapping[str, int]], run: Any, measures: Iterable[str], **options: int
) -> dict[str, dict[str, float]]:
    """The values of measures by query."""
    asked = {re.sub(r"_(\d+)$", r".\1", measure) for measure in measures}
    return package("pytrec_eval").RelevanceEvaluator(qrels, asked, **options).evaluate(run)


def qrels_of(every: Sequence[Ranking]) -> dict[str, dict[str, int]]:
    return {query_name(query): each.truth for query, each in enumerate(every)}


def trec_eval(every: Sequence[Ranking], k: int | None, relevance_level: int = 1) -> Values:
    measures, run = trec_eval_measures(k), numbered(each.rec for each in every)
    if k is not None:
        measures["relative_precision"] = f"relative_P_{k}"
    found = asked_of_trec_eval(qrels_of(every), run, measures.values(), relevance_level=relevance_level)
    return {function: [found[query][measure] for query in run] for function, measure in measures.items()}


@pytest.mark.parametrize("k", CUTS)
def test_trec_eval(k: int | None):
    every = judged(rankings(grades=(0, 1, 1, 2, 3)))  # a query without judgements does not exist there
    compare_rankings("trec_eval", every, k, trec_eval(every, k))


def test_trec_eval_of_recalls():
    """trec_eval cuts the fraction of a recall times relevant documents off, after 0.9 was added."""
    every = [each for each in judged(rankings(grades=(0, 1, 1, 2, 3))) if each.rec]
    args, run = [(each.rec, each.truth) for each in every], numbered(each.rec for each in every)
    found = asked_of_trec_eval(qrels_of(every), run, {"iprec_at_recall", "11pt_avg"})
    asked = 0
    for measure in next(iter(found.values())):
        recall = {"recall": float(measure[-4:])} if measure != "11pt_avg" else {}
        function = "iprec" if recall else "eleven_point_average"
        values = ours("trec_eval", function, "map", args, None, **recall)
        for query, each, value in zip(run, every, values, strict=True):
            relevant = len(each.relevant)
            if all(int(tenths / 10 * relevant + 0.9) * 10 >= tenths * relevant for tenths in range(11)):
                assert value == pytest.approx(found[query][measure], rel=0, abs=1e-9), (measure, each)
                asked += 1
    assert asked > 250


def test_trec_eval_of_judged_documents_only():
    every = [each for each in judged(rankings(grades=(0, 1, 1, 2, 3))) if {*each.rec} & {*each.truth}]
    run = numbered(each.rec for each in every)
    for k in CUTS:
        measures = trec_eval_measures(k)
        found = asked_of_trec_eval(qrels_of(every), run, measures.values(), judged_docs_only_flag=True)
        theirs = {name: [found[query][measure] for query in run] for name, measure in measures.items()}
        compare_rankings("trec_eval", every, k, theirs, unjudged="skip")


def test_ir_measures():
    """Its names, of measures that it computes with trec_eval or on its own; scores tie."""
    ir_measures = package("ir_measures")
    names = [
        "Judged@1",
        "Judged@3",
        "Judged@20",
        "Bpref",
        "Bpref(rel=2)",
        "infAP",
        "infAP(rel=2)",
        "IPrec@0.5",
    ]
    names += [f"{name}(judged_only=True)@3" for name in ("nDCG", "P", "AP", "Success")]
    names += [
        "RR(judged_only=True)",
        "AP(judged_only=True)",
        "Rprec(judged_only=True)",
        "IPrec(judged_only=True)@1.0",
    ]
    every = [each for each in judged(rankings(grades=(0, 1, 1, 2, 3))) if {*each.rec} & {*each.truth}]
    rng = random.Random(9)
    run = {
        query_name(query): {item: rng.randint(1, 3) / 2 for item in each.rec}
        for query, each in enumerate(every)
    }
    qrels = qrels_of(every)
    for name in names:
        measure = ir_measures.parse_measure(name)
        theirs = {each.query_id: each.value for each in ir_measures.iter_calc([measure], qrels, run)}
        # ir_measures breaks ties of Judged the other way round.
        ties = {"ties": "item_asc"} if name.startswith("Judged") else {}
        whole = "@all" if name.startswith(("RR", "AP")) and "@" not in name else ""
        found = rankdcg_sql.evaluate(qrels, run, metrics=name + whole, convention="trec_eval", **ties)
        values = dict(found.per_user.project("userid, value").fetchall())
        assert values == pytest.approx(theirs, rel=0, abs=1e-9), name


@pytest.mark.parametrize("level", [2, 3])
@pytest.mark.parametrize("k", CUTS)
def test_trec_eval_relevance_level(k: int | None, level: int):
    every = judged(rankings(grades=(0, 1, 1, 2, 3)))
    theirs = trec_eval(every, k, level)
    binary = {function: values for function, values in theirs.items() if function != "ndcg"}
    compare_rankings("trec_eval", every, k, binary, min_rel=level)
    compare_rankings("trec_eval", every, k, {"ndcg": theirs["ndcg"]})  # NDCG has no relevance level


def rows_by_query(
    con: duckdb.DuckDBPyConnection, qrels: Mapping[str, Any], run: Mapping[str, Any], calls: str
) -> dict[str, tuple[Any, ...]]:
    """The values of calls of aggregates over the rows of each query, which come in any order."""
    rows = [(query, item, score, None) for query, items in run.items() for item, score in items.items()]
    rows += [(query, item, None, rel) for query, items in qrels.items() for item, rel in items.items()]
    random.Random(1).shuffle(rows)
    con.execute("CREATE TEMP TABLE pairs (query VARCHAR, item VARCHAR, score DOUBLE, rel DOUBLE)")
    insert(con, "pairs", rows)
    found = con.execute(f"SELECT query, {calls} FROM pairs GROUP BY query").fetchall()
    assert len(found) == len(run)
    return {query: values for query, *values in found}


@pytest.mark.parametrize("k", CUTS)
def test_trec_eval_ties(native: duckdb.DuckDBPyConnection, k: int | None):
    every = judged(rankings(grades=(0, 1, 1, 2, 3)))
    rng = random.Random(5)
    # Few different scores, exact in 32 bits.
    run = {
        query_name(query): {item: rng.randint(1, 3) / 2 for item in each.rec}
        for query, each in enumerate(every)
    }
    measures = {name.removesuffix("_at"): measure for name, measure in trec_eval_measures(k).items()}
    measures = {name: measure for name, measure in measures.items() if name in METRICS}
    theirs = asked_of_trec_eval(qrels_of(every), run, measures.values())
    call = f"rank_metrics_rows(item, score, rel, {k or 'NULL'}, 'convention=trec_eval')"
    for query, (values,) in rows_by_query(native, qrels_of(every), run, call).items():
        expected = {name: theirs[query][measure] for name, measure in measures.items()}
        assert {name: values[name] for name in measures} == pytest.approx(expected, rel=0, abs=1e-9), query


@pytest.mark.parametrize("level", [1, 2])
def test_geometric_means_of_trec_eval(level: int):
    """With ties, queries without a relevant document, and queries that are in one table alone."""
    rng = random.Random(13)
    for _ in range(40):
        queries = [f"q{number}" for number in range(30)]
        qrels = {
            query: {item: rng.choice((0, 1, 1, 2)) for item in rng.sample("abcdefghij", rng.randint(1, 8))}
            for query in rng.sample(queries, 25)
        }
        run = {
            query: {item: float(rng.randint(1, 4)) for item in rng.sample("abcdefghijkl", rng.randint(1, 9))}
            for query in rng.sample(queries, 25)
        }
        theirs = asked_of_trec_eval(qrels, run, {"gm_map", "gm_bpref"}, relevance_level=level)
        mean = package("pytrec_eval").compute_aggregated_measure
        # Queries without a relevant document count as 0 there.
        options: dict[str, Any] = {"convention": "trec_eval", "min_rel": level, "no_relevant": "zero"}
        found = rankdcg_sql.evaluate(qrels, run, metrics=["gm_map@all", "gm_bpref"], **options)
        expected = [
            mean(name, [values[name] for values in theirs.values()]) for name in ("gm_map", "gm_bpref")
        ]
        assert [*found.means.values()] == pytest.approx(expected, rel=1e-12, abs=1e-15)
        assert found.counts.users_evaluated == len(theirs)


def test_trec_eval_of_scores_that_are_nearly_equal(native: duckdb.DuckDBPyConnection):
    """trec_eval reads scores in 32 bits, so scores that differ in further bits are equal."""
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
    measures = {k: trec_eval_measures(k) for k in (1, 5, 10, 20, None)}
    found = asked_of_trec_eval(qrels, run, {each for of_k in measures.values() for each in of_k.values()})
    calls = "rank_metrics_at_rows(item, score, rel, [1, 5, 10, 20, NULL], 'convention=trec_eval'), "
    others = [name for name in measures[None] if name.removesuffix("_at") not in METRICS]
    calls += ", ".join(f"{name}_rows(item, score, rel, 'convention=trec_eval')" for name in others)
    for query, (several, *values_of_others) in rows_by_query(native, qrels, run, calls).items():
        alone = dict(zip(others, values_of_others, strict=True))
        values = {
            measure: {**metrics, **alone}[name.removesuffix("_at")]
            for metrics, of_k in zip(several, measures.values(), strict=True)
            for name, measure in of_k.items()
        }
        assert values == pytest.approx(found[query], rel=0, abs=1e-9), query


# rankdcg_sql.compat.pytrec_eval


#: Measures of aspects, and their names in ndeval.
OF_NDEVAL = {
    "alpha_ndcg": "alpha-nDCG", "alpha_dcg": "alpha-DCG", "nerr_ia": "nERR-IA", "err_ia": "ERR-IA",
    "nrbp": "NRBP", "nnrbp": "nNRBP", "subtopic_recall": "strec", "precision_ia": "P-IA",
    "average_precision_ia": "MAP-IA",
}  # fmt: skip


@pytest.mark.parametrize("level", [1, 2])
@pytest.mark.parametrize(("alpha", "beta"), [(0.5, 0.5), (0.25, 0.75), (1.0, 0.25), (0.0, 0.5)])
def test_ndeval(alpha: float, beta: float, level: int):
    """Over queries with tied scores, without a relevant item, and of one table only."""
    pyndeval, rng = package("pyndeval"), random.Random(level)
    truth = [
        (f"q{query}", topic, document, rng.choice([0, 1, 1, 2]))
        for query in range(40)
        for topic in "1234"
        for document in "abcdefgh"
        if rng.random() < 0.3
    ]
    truth += [("q40", "1", "a", 0), ("q41", "1", "a", 0)]
    run = [
        (f"q{query}", document, rng.choice([0.25, 0.5, 0.75, 1.0]))
        for query in range(3, 42)
        for document in rng.sample("abcdefghijkl", 9)
    ]
    uncut = ("nrbp", "nnrbp", "average_precision_ia")
    cut = [(name, k) for name in OF_NDEVAL for k in ((None,) if name in uncut else (1, 2, 5, 20))]
    asked = {f"{name}@{k or 'all'}": f"{OF_NDEVAL[name]}{f'@{k}' if k else ''}" for name, k in cut}
    ndeval = pyndeval.RelevanceEvaluator(truth, asked.values(), level, alpha, beta)
    theirs = ndeval.evaluate(sorted(run))
    found = rankdcg_sql.evaluate(
        dict(zip(("userid", "aspect", "itemid", "rel"), zip(*truth, strict=True), strict=True)),
        dict(zip(("userid", "itemid", "score"), zip(*run, strict=True), strict=True)),
        metrics=[*asked],
        rel="rel",
        aspect="aspect",
        ties="item_asc",
        no_relevant="zero",
        redundancy_intolerance=alpha,
        p=beta,
        min_rel=level,
    )
    columns = [measure.column for measure in found.measures]
    for query, *values in found.wide.project(f"userid, {', '.join(map(quote_name, columns))}").fetchall():
        for (name, there), value in zip(asked.items(), values, strict=True):
            expected = theirs.get(query, {}).get(there, 0.0)
            if name in ("alpha_dcg@1", "err_ia@1"):  # not divided by the number of aspects there
                topics = {topic for each, topic, _, rel in truth if each == query and rel >= level}
                expected /= max(1, len(topics))
            assert value == pytest.approx(0.0 if math.isnan(expected) else expected, abs=1e-9), (query, name)
    assert found.counts.users_without_rec == 3


def test_compat_of_pytrec_eval_has_its_names():
    theirs = package("pytrec_eval")
    assert {*NICKNAMES["all_trec"]} == theirs.supported_measures > compat.supported_measures
    assert {*theirs.__all__} <= {*compat.__all__}
    for nickname, names in NICKNAMES.items():
        assert {*names} == theirs.supported_nicknames[nickname] > compat.supported_nicknames[nickname]


def scores_of(rng: random.Random, documents: Sequence[str]) -> dict[str, float]:
    """Scores of a kind that has ties in 64 bits, in 32 bits only, or hardly any."""
    kinds: list[Callable[[], float]] = [
        rng.random,
        lambda: rng.randint(-2, 2),
        lambda: 1 + rng.randint(-3, 3) * 3e-8,
        lambda: 2**24 + rng.randint(0, 3),
        lambda: rng.choice((0.0, -0.0, math.inf, -math.inf, 1e39, -1e-50, 2**70, True)),
    ]
    kind = rng.choice(kinds)
    return {document: (kind if rng.random() < 0.9 else rng.choice(kinds))() for document in documents}


def test_compat_of_pytrec_eval_gives_its_results():
    """In its order. pytrec_eval may crash if all relevances of a query are negative."""
    rng = random.Random(11)
    documents = [*(f"d{number}" for number in range(25)), "D1", "d", "é", "z\u0301", "中", "\U0001d518"]
    more = {"P.1,2,3", "ndcg_cut_7", "recall_2", "map_cut.3", "relative_P_1", "success_2"}
    more |= {"iprec_at_recall_0.25", "bpref", "utility"}
    for _ in range(400):
        queries = [f"q{number}" for number in range(6)]
        rels = rng.choice(((-2, -1, 0, 0, 1, 1, 2, 3), (0, 0, 1, 1, 2, 3)))
        judged = {
            query: {document: rng.choice(rels) for document in rng.sample(documents, rng.randint(0, 12))}
            for query in rng.sample(queries, 5)
        }
        qrels = {query: each for query, each in judged.items() if not each or max(each.values()) >= 0}
        run = {
            query: scores_of(rng, rng.sample(documents, rng.randint(0, 20)))
            for query in rng.sample(queries, 5)
        }
        measures = rng.choice((compat.supported_measures, more, compat.supported_measures | more))
        if any(rel < 0 for each in qrels.values() for rel in each.values()):
            measures = measures - {"infAP"}
        options = {"relevance_level": rng.choice((1, 1, 2, 4)), "judged_docs_only_flag": rng.random() < 0.3}
        found, theirs = (
            module.RelevanceEvaluator(qrels, measures, **options).evaluate(run)
            for module in (compat, package("pytrec_eval"))
        )
        assert [*found] == [*theirs]
        for query, values in theirs.items():
            assert [*found[query]] == [*values]
            relevant = sum(rel >= options["relevance_level"] for rel in qrels[query].values())
            # Of 3 relevant documents, trec_eval takes 2 for a recall of 0.7. An empty run is 0 / 0 there.
            left_out = {"iprec_at_recall_0.70", "11pt_avg"} if relevant == 3 else set()
            same = {
                name: value
                for name, value in values.items()
                if name not in left_out and not math.isnan(value)
            }
            assert {name: found[query][name] for name in same} == pytest.approx(same, rel=0, abs=1e-9), (
                *(qrels, run, options),
            )


def test_compat_of_pytrec_eval_reads_what_it_reads():
    theirs = package("pytrec_eval")
    qrels, run = ["1 0 a -1", "2\t0  b 3\n"], ["1 Q0 a 1 -0.5 x", "1 Q0 c 2 1e-3 x\n"]
    assert compat.parse_qrel(qrels) == theirs.parse_qrel(qrels)
    assert compat.parse_run(run) == theirs.parse_run(run)
    for measure in ("num_q", "gm_map", "map"):
        means = [each.compute_aggregated_measure(measure, [-0.5, 2, 3.25]) for each in (compat, theirs)]
        assert means[0] == pytest.approx(means[1], rel=1e-12)


def test_compat_of_pytrec_eval_in_its_place_below_ir_measures(monkeypatch: pytest.MonkeyPatch):
    ir_measures = package("ir_measures")
    names = ["P@2", "RR", "Rprec", "AP", "AP@3", "nDCG", "nDCG@3", "R@3", "Success@1", "SetP", "SetR", "SetF"]
    measures = [
        ir_measures.parse_measure(name) for name in [*names, "P(rel=2)@3", "nDCG(judged_only=True)@2"]
    ]
    every = judged(rankings(grades=(0, 1, 1, 2, 3)))
    arguments = measures, qrels_of(every), numbered(each.rec for each in every)
    theirs = type(ir_measures.pytrec_eval)().calc(*arguments)
    # A provider imports pytrec_eval when it is first used.
    monkeypatch.setitem(sys.modules, "pytrec_eval", compat)
    provider = type(ir_measures.pytrec_eval)()
    ours = provider.calc(*arguments)
    assert provider.pytrec_eval is compat
    assert {**ours.aggregated} == pytest.approx({**theirs.aggregated}, rel=0, abs=1e-9)
    values = [
        {(each.query_id, each.measure): each.value for each in found.per_query} for found in (ours, theirs)
    ]
    assert values[0] == pytest.approx(values[1], rel=0, abs=1e-9)
    assert len(values[0]) > 500


# cwl_eval, alone and by ir_measures, and pyNTCIREVAL

#: Measures of ir_measures that cwl_eval computes, and what they are here. Those with a cutoff need one.
OF_USER_MODELS: dict[str, tuple[str, dict[str, Any]]] = {
    "SDCG@": ("sdcg", {}),
    "BPM@": ("bpm", {}),
    "BPM(T=1.75)@": ("bpm", {"t": 1.75}),
    "NERR8@": ("nearly_err", {}),
    "NERR9@": ("nearly_err", {"patience": "reciprocal"}),
    "NERR10": ("nearly_err", {"patience": "geometric", "p": 0.9}),
    "NERR11(T=2.5)": ("nearly_err", {"patience": "insq", "t": 2.5}),
    "INSQ(T=2.5)": ("insq", {"t": 2.5}),
    "INST": ("inst", {}),
    "INST(T=0.5)": ("inst", {"t": 0.5}),
    "INST(T=2.5)": ("inst", {"t": 2.5}),
}


@pytest.mark.parametrize("max_rel", [1, 4])
@pytest.mark.parametrize("name", OF_USER_MODELS)
def test_cwl_eval_by_ir_measures(name: str, max_rel: int):
    """Some users have no recommendations, some no relevant item. Sums of quarters are exact there, too."""
    ir_measures = package("ir_measures")
    package("cwl")
    every = judged(rankings(grades=(0, 1, 1, 2, 3) if max_rel > 1 else (1,)))
    function, options = OF_USER_MODELS[name]
    for k in (1, 3, 5, 20) if name.endswith("@") else (None,):
        measure = ir_measures.parse_measure(f"{name}{k or ''}")(max_rel=max_rel)
        found = ir_measures.cwl_eval.iter_calc(
            [measure], qrels_of(every), numbered(each.rec for each in every)
        )
        values = {each.query_id: each.value for each in found}
        theirs = {function: [values[query_name(query)] for query in range(len(every))]}
        convention = "trec_eval"  # 0 if nothing is relevant
        compare_rankings(convention, every, k, theirs, max_rel=max_rel, **options)


@pytest.mark.parametrize("p", [0.5, 0.8, 0.95])
def test_rbp_residual_of_cwl_eval(p: float):
    """Its lists have 1000 ranks, below which a user with a larger p may look."""
    ranking, ruler = package("cwl.ruler.ranking"), package("cwl.ruler.cwl_ruler")
    every = judged(rankings(grades=(0, 1)))
    measure, theirs = ruler.RBPCWLMetric(p), []
    measure.residuals = True
    for each in every:
        gains = [each.truth.get(item, math.nan) for item in each.rec]
        measure.measure(ranking.Ranking("", gains, [1.0] * len(gains)))
        theirs.append(measure.residual_expected_utility)
    compare_rankings("trec_eval", every, None, {"rbp_residual": theirs}, p=p)


@pytest.mark.parametrize("k", CUTS)
@pytest.mark.parametrize("grades", [(1,), (0, 1, 1, 2, 3)])
def test_pyntcireval(k: int | None, grades: tuple[int, ...]):
    metrics = package("pyNTCIREVAL.metrics")
    every = [each for each in relevant(rankings(grades=grades)) if each.rec]
    linear, exp2 = [1, 2, 3], [1, 3, 7]

    def theirs(measure: Callable[[list[int]], Any]) -> list[float]:
        counts = [[[*each.truth.values()].count(grade) for grade in range(4)] for each in every]
        lists = [[(item, each.truth.get(item)) for item in each.rec] for each in every]
        return [float(measure(count).compute(ranked)) for count, ranked in zip(counts, lists, strict=True)]

    for gains, beta, options in (
        (linear, 1, {}),
        (linear, 0, {"q_beta": 0}),
        (exp2, 5, {"gain": "exp2", "q_beta": 5}),
    ):
        values = theirs(lambda counts: metrics.QMeasure(counts, gains, beta, k))  # noqa: B023
        compare_rankings("hivemall_page", every, k, {"q_measure": values}, **options)
    values = theirs(lambda counts: metrics.nERR(counts, exp2, k))
    compare_rankings("hivemall_page", every, k, {"nerr": values}, max_rel=3)


# ranx

RANX = {
    "precision_at": "precision",
    "recall_at": "recall",
    "f1_at": "f1",
    "hit_rate": "hit_rate",
    "mrr": "mrr",
    "average_precision": "map",
    "ndcg": "ndcg",
    "dcg": "dcg",
}


def asked_of_ranx(qrels: Any, run: Any, measures: Mapping[str, str]) -> Values:
    """The values of measures, given by function."""
    module = package("ranx")
    found = module.evaluate(module.Qrels(qrels), module.Run(run), [*measures.values()], return_mean=False)
    return {function: list(map(float, found[measure])) for function, measure in measures.items()}


def ranx(every: Sequence[Ranking], measures: Mapping[str, str]) -> Values:
    return asked_of_ranx(qrels_of(every), numbered(each.rec for each in every), measures)


def ranx_at(every: Sequence[Ranking], k: int | None) -> Values:
    cut = {function: f"{name}@{k}" for function, name in RANX.items()}
    return ranx(every, cut if k else RANX | {"r_precision": "r-precision"})


@pytest.mark.parametrize("k", CUTS)
def test_ranx(k: int | None):
    every = rankings(grades=(0, 1, 1, 2, 3))
    compare_rankings("ranx", every, k, ranx_at(every, k))


@pytest.mark.parametrize("level", [1, 2, 3])
def test_ranx_relevance_level(level: int):
    every = rankings(grades=(0, 1, 1, 2, 3))
    binary = {function: name for function, name in RANX.items() if function not in ("dcg", "ndcg")}
    binary |= {"r_precision": "r-precision", "rbp": "rbp.80"}
    theirs = ranx(every, {function: f"{name}-l{level}" for function, name in binary.items()})
    compare_rankings("ranx", every, None, theirs, min_rel=level)


@pytest.mark.parametrize("k", CUTS)
def test_ranx_ties(k: int | None):
    every = scored(ties=True)
    run, qrels = (
        {
            query_name(query): {f"{index}": value for index, value in enumerate(values)}
            for query, values in enumerate(lists)
        }
        for lists in ([each.scores for each in every], [each.rels for each in every])
    )
    measures = {
        name: RANX[name] if k is None else f"{RANX[name]}@{k}"
        for name in ("mrr", "average_precision", "ndcg")
    }
    theirs = asked_of_ranx(qrels, run, measures | {"rbp": "rbp.80"})
    compare_scored("ranx", every, None, {"rbp_scored": theirs["rbp"]})
    compare_scored("ranx", every, k, {f"{name}_scored": theirs[name] for name in measures})


# scikit-learn and TorchMetrics: scores and relevances of the same items, all of them retrieved


@dataclass(frozen=True)
class Scored:
    """Scores above 0, and relevances in their order. TorchMetrics takes other items for not retrieved."""

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


def sklearn_of_hits(every: Sequence[Scored]) -> Values:
    metrics = package("sklearn.metrics")
    return {
        "average_precision_scored": [
            metrics.average_precision_score(each.rels, each.scores) for each in every
        ],
        "auc_scored": [metrics.roc_auc_score(each.rels, each.scores) for each in every],
    }


@pytest.mark.parametrize("k", CUTS)
@pytest.mark.filterwarnings("ignore")
def test_sklearn_of_the_top(k: int | None):
    every = scored()
    compare_scored("sklearn", every, k, sklearn_of_hits([top(each, k) for each in every]))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("ties", [False, True])
def test_sklearn_ties(ties: bool):
    every = [*scored(ties=ties), Scored([3.5, 1, 0.5, 0.25, 0.25, 0], [0, 0, 0, 0, 1, 0])]
    theirs = sklearn_of_hits(every)
    assert theirs["average_precision_scored"][-1] == 0.2
    compare_scored("sklearn", every, None, theirs)
    args = [(each.scores, each.rels) for each in every]
    compare("sklearn", "aligned", args, None, {"roc_auc": theirs["auc_scored"]})


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("k", [1, 2, 3, 5])
def test_sklearn_ties_at_the_cut(k: int):
    """The value is the mean over all orders of tied items of scikit-learn's value for the top k."""
    metrics = package("sklearn.metrics")
    every = [each for each in scored(ties=True) if len(each.scores) <= 5]
    assert len(every) > 10
    means = []
    for each in every:
        tops = []
        for order in permutations(zip(each.scores, each.rels, strict=True)):
            if all(one[0] >= other[0] for one, other in pairwise(order)):
                shown = order[:k]
                tops.append(
                    metrics.average_precision_score([rel for _, rel in shown], [score for score, _ in shown])
                )
        means.append(sum(tops) / len(tops))
    compare_scored("sklearn", every, k, {"average_precision_scored": means})


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


@pytest.mark.parametrize(("labelled", "others"), [(10, 20), (30, 970), (300, 700)])
def test_ppi(native: duckdb.DuckDBPyConnection, labelled: int, others: int):
    """The corrected mean for the same weight; there, it is applied to the users whom people did not judge."""
    chance = random.Random(labelled)
    human = [chance.random() for _ in range(labelled)]
    judge = [0.2 + 0.6 * value + chance.gauss(0, 0.1) for value in human]
    alone = [chance.random() for _ in range(others)]
    native.execute("CREATE TEMP TABLE judged (human DOUBLE, judge DOUBLE)")
    insert(native, "judged", [*zip(human, judge, strict=True), *((None, value) for value in alone)])
    query = "SELECT unnest(judge_corrected_mean(human, judge)) FROM judged"
    (found,) = native.execute(query).fetchdf().to_dict("records")
    numpy = package("numpy")
    estimate = package("ppi_py").ppi_mean_pointestimate(
        *map(numpy.array, (human, judge, alone)), lam=found["judge_weight"] * others / (labelled + others)
    )
    assert found["mean"] == pytest.approx(float(estimate[0]), rel=0, abs=1e-9)


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
    if k is None:
        names["r_precision_scored"] = "r_precision"
    every = scored()
    compare_scored("torchmetrics", every, k, torchmetrics(every, k, names))


@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("k", CUTS)
def test_torchmetrics_gains(k: int | None, ties: bool):
    every = scored((0, 0, 1, 2, 3), ties)
    compare_scored("torchmetrics", every, k, torchmetrics(every, k, {"ndcg_scored": "normalized_dcg"}))


# FairRankTune, whose rankings have all items


def test_fairness_of_groups():
    theirs, pandas = package("FairRankTune.Metrics"), package("pandas")
    rng = random.Random(5)
    compared = 0
    for items, users in [(3, 1), (5, 2), (9, 4), (30, 10)]:
        for _ in range(20):
            group_of = {item: rng.choice("xyz"[: rng.randint(1, 3)]) for item in range(items)}
            recs = [rng.sample(range(items), items) for _ in range(users)]
            rels = [[rng.randint(0, 1) for _ in rec] for rec in recs]
            clicks = [[rel / math.log2(rank + 1) for rank, rel in enumerate(row, 1)] for row in rels]
            truths = [
                [item for item, rel in zip(rec, row, strict=True) if rel]
                for rec, row in zip(recs, rels, strict=True)
            ]
            relevant = {group_of[item] for truth in truths for item in truth}
            if relevant != {*group_of.values()} or len(relevant) < 2:
                continue  # they divide by the relevance of each group, and compare one with itself
            frames = [pandas.DataFrame(dict(enumerate(rows))) for rows in (recs, rels, clicks)]
            ranked, relevance, ctr = frames
            catalogue = [{"item": item, "group": group} for item, group in group_of.items()]
            found = {
                name: fmean(rankdcg_sql.rank_items(recs, truths, catalogue, measures=name))
                for name in ("exposure_ratio", "dtr", "dir")
            }
            combo = "MinMaxRatio"
            assert found == pytest.approx(
                {
                    "exposure_ratio": theirs.EXP(ranked, group_of, combo)[0],
                    "dtr": theirs.EXPU(ranked, group_of, relevance, combo)[0],
                    "dir": theirs.EXPRU(ranked, group_of, relevance, ctr, combo)[0],
                },
                abs=1e-9,
            )
            compared += 1
    assert compared > 40


# RecTools, Recommenders, RePlay, LensKit and Spark, for which every item of the truth is relevant


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


@pytest.mark.parametrize("repeats", [False, True])
@pytest.mark.parametrize("k", [1, 3, 5, 20])
def test_rectools(k: int, repeats: bool):
    every = rankings(repeats=repeats)
    theirs = rectools(every, k)
    same = ("precision_at", "hit_rate", "ndcg", "mrr") if repeats else theirs
    compare_rankings("rectools", every, k, {function: theirs[function] for function in same})


def recommenders(every: Sequence[Ranking], k: int) -> dict[str, float]:
    """The means over users."""
    module, pandas = package("recommenders.evaluation.python_evaluation"), package("pandas")
    rated = [(user, item, rel) for user, each in enumerate(every) for item, rel in each.truth.items()]
    predicted = [
        (user, item, -float(rank)) for user, each in enumerate(every) for rank, item in enumerate(each.rec)
    ]
    truth = pandas.DataFrame(rated, columns=["userID", "itemID", "rating"])
    rec = pandas.DataFrame(predicted, columns=["userID", "itemID", "prediction"])
    of = {
        "precision_at": module.precision_at_k,
        "recall_at": module.recall_at_k,
        "average_precision": module.map,
        "ndcg": module.ndcg_at_k,
    }
    return {function: float(metric(truth, rec, k=k)) for function, metric in of.items()}


@pytest.mark.parametrize("repeats", [False, True])
@pytest.mark.parametrize("k", [1, 3, 20])
def test_recommenders(k: int, repeats: bool):
    every = [each for each in relevant(rankings(grades=(1, 2, 3), repeats=repeats)) if each.rec]
    found = [recommenders([each], k) for each in every]
    functions = [function for function in found[0] if not (repeats and function == "ndcg")]
    theirs = {function: [each[function] for each in found] for function in functions}
    compare_rankings("recommenders", every, k, theirs)


@pytest.mark.parametrize("k", [1, 3, 20])
def test_recommenders_means(k: int):
    """All but ndcg leave out users without recommendations. All leave out users without judgements."""
    every = relevant(rankings(grades=(1, 2, 3)))
    assert not all(each.rec for each in every)
    args = [(each.rec, each.truth) for each in every]
    for function, mean in recommenders(every, k).items():
        values = [value for value in ours("recommenders", function, "map", args, k) if value is not None]
        assert sum(values) / len(values) == pytest.approx(mean, rel=0, abs=1e-9), function


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


@pytest.mark.parametrize("repeats", [False, True])
@pytest.mark.parametrize("k", [1, 3, 5, 20])
def test_replay(k: int, repeats: bool):
    every = rankings(repeats=repeats)
    for function, values in replay(every, k).items():
        # There, precision and recall count an item once.
        options = {"duplicates": "first"} if function in ("precision_at", "recall_at") else {}
        compare_rankings("replay", every, k, {function: values}, **options)


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
        test = items(item_ids=list(each.truth), rating=list(each.truth.values()))
        for function, metric in of.items():
            try:
                found[function].append(float(metric.measure_list(recs, test)))
            except ZeroDivisionError:  # LensKit's average precision without a relevant item
                found[function].append(None)
    return found


@pytest.mark.parametrize("repeats", [False, True])
@pytest.mark.parametrize("k", CUTS)
@pytest.mark.filterwarnings("ignore")
def test_lenskit(k: int | None, repeats: bool):
    every = [*rankings(grades=(1, 1, 2, 3), repeats=repeats), Ranking([], {})]
    every = [each for each in every if 0 not in each.truth.values()]
    compare_rankings("lenskit", every, k, lenskit(every, k))


def spark(every: Sequence[Ranking], k: int, graded: bool = False) -> dict[str, float]:
    """The means over users."""
    builder = package("pyspark.sql").SparkSession.builder
    session = builder.master("local[1]").config("spark.ui.enabled", "false").getOrCreate()
    rows = [
        (each.rec, list(each.truth), list(map(float, each.truth.values())))
        if graded
        else (each.rec, each.relevant)
        for each in every
    ]
    ranking_metrics = package("pyspark.mllib.evaluation").RankingMetrics
    found = ranking_metrics(session.sparkContext.parallelize(rows, 1))
    return {
        "precision_at": found.precisionAt(k),
        "recall_at": found.recallAt(k),
        "ndcg": found.ndcgAt(k),
        "average_precision": found.meanAveragePrecisionAt(k),
    }


@pytest.mark.parametrize("graded", [False, True])
@pytest.mark.parametrize("repeats", [False, True])
def test_spark(repeats: bool, graded: bool):
    every = rankings(grades=(1, 2, 3) if graded else (1,), repeats=repeats)
    every = [each for each in every if 0 not in each.truth.values()]
    options = {"gain": "binary"} if graded else {}
    args = [(each.rec, each.truth) for each in every]
    for k in (1, 3, 5, 20):
        for function, mean in spark(every, k, graded).items():
            given = options if function == "ndcg" else {}
            values = ours("spark", function, "map", args, k, **given)
            assert sum(values) / len(values) == pytest.approx(mean, abs=1e-9), (function, k)


# Golden cases again


def first(values: Any) -> float | None:
    return values if isinstance(values, float) else values[0]


#: Functions above that compute the values of rankings with a package, by its convention.
PACKAGES: dict[str, Callable[[Sequence[Ranking], Any], Mapping[str, Any]]] = {
    "lenskit": lenskit,
    "ranx": ranx_at,
    "recommenders": recommenders,
    "rectools": rectools,
    "replay": replay,
    "spark": lambda every, k: spark(every, k, graded=True),
    "trec_eval": trec_eval,
}


@pytest.mark.parametrize("convention", ["ranx", "rectools", "spark", "trec_eval"])
@pytest.mark.filterwarnings("ignore")
def test_golden_cases(convention: str):
    """Those of `tests/vectors` that name the package, if it computes them by its convention alone."""
    named = [name for name in golden.CASES if golden.names(name, SOURCES[convention])]
    asked = 0
    for case in (golden.CASES[name] for name in named if name not in OTHERWISE.get(convention, {})):
        kind, rec, truth = case.args
        has_cut = case.k or (case.k is None and convention in ("ranx", "trec_eval"))
        if kind == "scored" or not has_cut or not (rec and truth) or len(set(rec)) < len(rec):
            continue
        rels = truth if kind == "graded" else dict.fromkeys(truth, 1)
        ranking = Ranking([*map(str, rec)], {str(item): int(rel) for item, rel in rels.items()})
        theirs = PACKAGES[convention]([ranking], case.k)
        if case.function in theirs:
            value = first(theirs[case.function])
            undefined = value is None or math.isnan(value)
            assert (None if undefined else pytest.approx(value, rel=0, abs=1e-9)) == case.expected, case.id
            asked += 1
    assert asked > len(named) / 2


# Cases in which other packages give another number


@dataclass(frozen=True)
class Shown:
    """A function, a ranking, and the values of this package and of another one."""

    function: str
    kind: str
    args: tuple[Any, ...]
    k: int | None
    #: The value of this package.
    here: float | None
    #: The value of the other package, as the convention's table says.
    there: float | None
    theirs: Callable[[], float | None]


def shown(
    convention: str, function: str, rec: list[str], truth: dict[str, int], k: int | None, *values: float
) -> Shown:
    """A ranking with judgements, computed with another package by a function above."""

    def theirs() -> float | None:
        return first(PACKAGES[convention]([Ranking(rec, truth)], k)[function])

    here, there = values
    return Shown(function, "map", (rec, truth), k, here, there, theirs)


def shown_in_torch(
    name: str, function: str, scores: list[float], rels: list[int], k: int | None, *values: float
) -> Shown:
    here, there = values
    function = f"{function}_scored"
    each = Scored(scores, rels)
    return Shown(
        function, "scored", (scores, rels), k, here, there,
        lambda: torchmetrics([each], k, {function: name})[function][0],
    )  # fmt: skip


#: 16 items, one more than ranx sorts by insertion.
SIXTEEN = Scored(
    [0, 2, 0, 1, 1, 2, 1, 2, 0, 0, 2, 1, 1, 1, 1, 1], [2, 0, 0, 0, 1, 1, 2, 1, 0, 1, 0, 0, 1, 0, 2, 2]
)


def ranx_of_sixteen() -> float:
    module = package("ranx")
    # Names as long as those of the other rankings: Numba compiles ranx again for texts of another length.
    names = list("abcdefghijklmnop")
    run = {query_name(0): dict(zip(names, map(float, SIXTEEN.scores), strict=True))}
    qrels = {query_name(0): dict(zip(names, SIXTEEN.rels, strict=True))}
    return float(module.evaluate(module.Qrels(qrels), module.Run(run), "mrr"))


def trec_eval_of(measure: str, rec: list[str], truth: dict[str, int]) -> Callable[[], float]:
    return lambda: asked_of_trec_eval({"q": truth}, {"q": numbered([rec])["000"]}, {measure})["q"][measure]


THREE = (["a", "b", "u", "c"], {"a": 1, "b": 1, "c": 1})
DIFFERENCES: dict[tuple[str, str], list[Shown]] = {
    (
        "trec_eval",
        "iprec and eleven_point_average: of 3 relevant items, 2 reach a recall of 0.7 there, and 3 here",
    ): [
        Shown(
            *("eleven_point_average", "map", THREE, None, (7 + 4 * 0.75) / 11, (8 + 3 * 0.75) / 11),
            trec_eval_of("11pt_avg", *THREE),
        ),
    ],
    (
        "trec_eval",
        "inf_ap: a negative relevance stands for an item of the pool that was not judged there, for one "
        "judged with 0 here",
    ): [
        Shown(
            *("inf_ap", "map", (["n", "a"], {"n": 0, "a": 1}), None, (1 + 1e-5 / (1 + 2e-5)) / 2, 0.75),
            trec_eval_of("infAP", ["n", "a"], {"n": -1, "a": 1}),
        ),
    ],
    ("spark", "an item judged with 0: relevant there, irrelevant here"): [
        shown("spark", "precision_at", ["a", "b"], {"b": 1, "a": 0}, 2, 0.5, 1.0),
        shown("spark", "average_precision", ["a", "b"], {"b": 1, "a": 0}, 2, 0.5, 1.0),
        shown("spark", "ndcg", ["a", "b"], {"b": 1, "a": 0}, 1, 0.0, 1.0),
    ],
    ("spark", "ndcg of graded truth: called from PySpark, every label has gain 1, as gain=binary here"): [
        shown("spark", "ndcg", ["b"], {"a": 3, "b": 1}, 1, 1 / 7, 1.0),
    ],
    ("ranx", "ties among more than 15 items: their order is undefined there, that of the list here"): [
        Shown("mrr_scored", "scored", (SIXTEEN.scores, SIXTEEN.rels), None, 0.5, 1.0, ranx_of_sixteen),
    ],
    (
        "replay",
        "precision and recall of repeats: an item counts once there, which is duplicates=first here",
    ): [
        shown("replay", "precision_at", ["a", "a"], {"a": 1, "b": 1}, 2, 1.0, 0.5),
        shown("replay", "recall_at", ["a", "a"], {"a": 1, "b": 1}, 2, 1.0, 0.5),
    ],
    (
        "rectools",
        "recall, f1 and average_precision of repeats: there, a repeated hit adds a relevant item",
    ): [
        shown("rectools", "recall_at", ["a", "a"], {"a": 1, "b": 1}, 1, 1 / 2, 1 / 3),
        shown("rectools", "f1_at", ["a", "a"], {"a": 1, "b": 1}, 1, 2 / 3, 1 / 2),
        shown("rectools", "average_precision", ["a", "a"], {"a": 1, "b": 1}, 1, 1 / 2, 1 / 3),
    ],
    ("recommenders", "an item judged with 0: relevant there, irrelevant here"): [
        shown("recommenders", "precision_at", ["a", "b"], {"a": 0, "b": 1, "c": 2}, 2, 0.5, 1.0),
        shown("recommenders", "recall_at", ["a", "b"], {"a": 0, "b": 1, "c": 2}, 2, 0.5, 2 / 3),
        shown("recommenders", "average_precision", ["a", "b"], {"a": 0, "b": 1, "c": 2}, 2, 0.25, 2 / 3),
        shown("recommenders", "ndcg", ["b", "a"], {"a": 0, "b": 1}, 2, 1.0, 1.0),
        shown("recommenders", "ndcg", ["a"], {"a": 0, "b": 1}, 1, 0.0, 1.0),
    ],
    (
        "recommenders",
        "ndcg of repeats: there each hit counts as many times as rec holds the item",
    ): [
        shown("recommenders", "ndcg", ["a", "b", "b", "a"], {"a": 1}, 1, 1.0, 2.0),
    ],
    ("lenskit", "an item judged with 0: relevant there except to dcg and ndcg, irrelevant here"): [
        shown("lenskit", "precision_at", ["a", "b"], {"a": 0, "b": 1}, 1, 0.0, 1.0),
        shown("lenskit", "recall_at", ["b"], {"a": 0, "b": 1}, None, 1.0, 0.5),
        shown("lenskit", "mrr", ["a", "b"], {"a": 0, "b": 1}, None, 0.5, 1.0),
        shown("lenskit", "ndcg", ["b"], {"a": 0, "b": 1}, None, 1.0, 1.0),
    ],
    (
        "torchmetrics",
        "scores of 0 and below: irrelevant to precision, recall, mrr and average_precision there",
    ): [
        shown_in_torch("precision", "precision_at", [2, -1, -2, 1], [1, 0, 1, 1], None, 3 / 4, 2 / 4),
        shown_in_torch("recall", "recall_at", [2, -1, -2, 1], [1, 0, 1, 1], None, 1.0, 2 / 3),
        shown_in_torch("reciprocal_rank", "mrr", [0, -1], [1, 1], None, 1.0, 0.0),
        shown_in_torch("average_precision", "average_precision", [1, 0, -1], [0, 1, 1], None, 7 / 12, 0.0),
        shown_in_torch("hit_rate", "hit_rate", [0, -1], [1, 1], None, 1.0, 1.0),
    ],
    (
        "torchmetrics",
        "equal scores: one order there, the mean over all orders here, except for ndcg and for auc without k",
    ): [
        shown_in_torch("reciprocal_rank", "mrr", [0.5, 0.5], [1, 0], None, 3 / 4, 1.0),
        shown_in_torch("average_precision", "average_precision", [0.5, 0.5], [1, 0], None, 3 / 4, 1.0),
        shown_in_torch("precision", "precision_at", [0.5, 0.5], [1, 0], 1, 1 / 2, 1.0),
        shown_in_torch("hit_rate", "hit_rate", [0.5, 0.5], [1, 0], 1, 1 / 2, 1.0),
        shown_in_torch("auroc", "auc", [0.5, 0.5], [1, 0], None, 1 / 2, 1 / 2),
        shown_in_torch("normalized_dcg", "ndcg", [0.5, 0.5], [1, 0], 1, 1 / 2, 1 / 2),
    ],
    (
        "torchmetrics",
        "auc of scores above 1: there the sigmoid of each score in 32 bits, so that large scores tie",
    ): [
        shown_in_torch("auroc", "auc", [53, 25, 54], [1, 1, 0], None, 0.0, 0.5),
    ],
}  # fmt: skip
ITEMS_ARE_NUMBERS = "items that are numbers: their ties go by text there, by value here"


def test_every_difference_of_a_convention_is_shown():
    listed = [(each.name, where) for each in rankdcg_sql.conventions() for where in each.differs]
    assert sorted(listed) == sorted([*DIFFERENCES, ("trec_eval", ITEMS_ARE_NUMBERS)])


@pytest.mark.parametrize(("convention", "where"), DIFFERENCES)
@pytest.mark.filterwarnings("ignore")
def test_differs_where(convention: str, where: str):
    for each in DIFFERENCES[convention, where]:
        there = each.theirs()
        assert there is each.there is None or there == pytest.approx(each.there, rel=0, abs=1e-6), each
        (here,) = ours(convention, each.function, each.kind, [each.args], each.k)
        assert here == pytest.approx(each.here, rel=0, abs=1e-9), each


def test_differs_where_items_are_numbers(native: duckdb.DuckDBPyConnection):
    evaluator = package("pytrec_eval").RelevanceEvaluator({"1": {"9": 1, "10": 0}}, {"recip_rank"})
    assert evaluator.evaluate({"1": {"9": 1.0, "10": 1.0}})["1"]["recip_rank"] == 1.0
    rows = "(VALUES (9, 1.0, 1), (10, 1.0, 0)) AS t(item, score, rel)"
    for item, expected in {"item": 0.5, "item::VARCHAR": 1.0}.items():
        query = f"SELECT mrr_rows({item}, score, rel, 'convention=trec_eval') FROM {rows}"
        assert native.execute(query).fetchone() == (expected,), item
