"""The names of pytrec_eval, for the measures that are here.

>>> from rankdcg_sql.compat import pytrec_eval
>>> qrels, run = {"q1": {"a": 2, "b": 1}}, {"q1": {"a": 0.5, "c": 0.9}}
>>> pytrec_eval.RelevanceEvaluator(qrels, {"recip_rank", "P_1,2"}).evaluate(run)
{'q1': {'recip_rank': 0.5, 'P_1': 0.0, 'P_2': 0.5}}
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain, compress
from math import inf, nan
from numbers import Integral, Real
from typing import Any, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from rankdcg_sql import _native, catalogue
from rankdcg_sql._arguments import check_choice
from rankdcg_sql._errors import Argument, CallTypeError, CallValueError, shown
from rankdcg_sql.compat._measures import MEASURES, NICKNAMES, cutoffs_of_measures

__all__ = [
    "RelevanceEvaluator",
    "compute_aggregated_measure",
    "parse_qrel",
    "parse_run",
    "supported_measures",
    "supported_nicknames",
]
__version__ = catalogue.version()  # ir_measures refuses a module without one

_Number = TypeVar("_Number", int, float)
_Floats: TypeAlias = npt.NDArray[np.float64]
_Integers: TypeAlias = npt.NDArray[np.int64]
#: The documents of each query, with their scores or relevances.
_Queries: TypeAlias = Mapping[str, Mapping[str, float]]

#: The function of most metrics, at several cutoffs.
_BUNDLE = "rank_metrics_at"
#: The number of queries that are evaluated at a time: their arrays fit the processor's cache.
_QUERIES = 512
#: The orders of tied documents; those by name, and whether they are descending.
_TIES = next(option.values for option in catalogue.options() if option.name == "ties")
_DESCENDING = {"item_desc": True, "item_asc": False}
#: The largest relevance that the functions of lists take as gain.
_LARGEST = 1e300
#: The value as which trec_eval counts a smaller one before it takes the logarithm.
_LEAST = 0.00001
#: The types that the documents of a query may have. A dict is recognised faster than any other mapping.
_DICTS = (dict, Mapping)


#: The measures of pytrec_eval that are here.
supported_measures = {*MEASURES}
#: The nicknames of pytrec_eval, with those of their measures that are here.
supported_nicknames = {nickname: {*names} & supported_measures for nickname, names in NICKNAMES.items()}


class RelevanceEvaluator:
    """Evaluates runs against judgements, as that of pytrec_eval does.

    Values are those of ``convention="trec_eval"``: scores are compared in 32 bits. Documents without a
    judgement, or with a negative one, are irrelevant.

    Parameters
    ----------
    query_relevance : dict of dict
        The relevance of each judged document of each query. A query without documents does not exist.
    measures : iterable of str
        Names of `supported_measures`, with cutoffs or without: ``"ndcg_cut"``, ``"ndcg_cut_10"``,
        ``"ndcg_cut.5,10"``.
    relevance_level : int or float, default 1
        The least relevance of a relevant document. ``ndcg`` and ``ndcg_cut`` ignore it.
    judged_docs_only_flag : bool, default False
        Whether documents without a judgement, or with a negative one, are taken out of the run.
    ties : str, default "item_desc"
        The order of documents with equal scores, a value of the option ``ties``. The default is trec_eval's
        order, which depends on names. ``"average"`` gives the expected value over all orders. pytrec_eval
        lacks this argument.
    float_gains : bool, default False
        Whether relevances may be any finite numbers, such as 0.5, and `relevance_level` any number above 0.
        ``ndcg`` takes a relevance as gain. pytrec_eval lacks this argument.

    Raises
    ------
    ValueError
        For a measure that is not here. The error says who computes it. Also for negative relevances with
        ``infAP``.
    TypeError
        For judgements of another type.

    Examples
    --------
    >>> from rankdcg_sql.compat.pytrec_eval import RelevanceEvaluator
    >>> run = {"q1": {"a": 1.0, "b": 1.0}}
    >>> RelevanceEvaluator({"q1": {"a": 1}}, {"recip_rank"}).evaluate(run)
    {'q1': {'recip_rank': 0.5}}
    >>> RelevanceEvaluator({"q1": {"a": 1}}, {"recip_rank"}, ties="average").evaluate(run)
    {'q1': {'recip_rank': 0.75}}
    >>> RelevanceEvaluator({"q1": {"a": 0.5, "b": 0.25}}, {"ndcg_cut_1"}, float_gains=True).evaluate(run)
    {'q1': {'ndcg_cut_1': 0.5}}
    """

    def __init__(
        self,
        query_relevance: _Queries,
        measures: Iterable[str],
        relevance_level: float = 1,
        judged_docs_only_flag: bool = False,
        *,
        ties: str = "item_desc",
        float_gains: bool = False,
    ) -> None:
        caller = type(self).__name__
        check_choice(caller, "ties", ties, _TIES)
        check_choice(caller, "judged_docs_only_flag", judged_docs_only_flag, (False, True))
        check_choice(caller, "float_gains", float_gains, (False, True))
        number: Any = Real if float_gains else Integral
        if not (isinstance(relevance_level, number) and 0 < relevance_level <= _LARGEST):
            wanted = "a number above 0, up to 1e300" if float_gains else "an integer from 1 to 1e300"
            told = f"must be {wanted}, got {shown(relevance_level)}"
            raise CallTypeError.about(caller, "relevance_level", told)
        self._descending = _DESCENDING.get(ties)
        options = f"convention=trec_eval,min_rel={float(relevance_level)!r}"
        if self._descending is None:
            options += f",ties={ties}"
        #: The cutoffs of each call, a function with options: keys of a dict, each once, in order.
        self._calls: dict[tuple[str, str], dict[float | None, None]] = defaultdict(dict)
        #: For each key of a result, the call that computes it, the metric, the cutoff, and whether the value
        #: is the logarithm.
        self._asked: dict[str, tuple[tuple[str, str], str, float | None, bool]] = {}
        asked = cutoffs_of_measures(caller, measures)
        for name, cutoffs in asked.items():
            metric, _, option, is_at_recall, _, is_logarithm = MEASURES[name]
            function = _BUNDLE if metric in catalogue.expressions()[_BUNDLE].fields else metric
            for cutoff in cutoffs:
                own, k = (f",recall={cutoff!r}", None) if is_at_recall else (option, cutoff)
                call = function, options + own
                self._calls[call][k] = None
                key = f"{name}_{cutoff:.2f}" if is_at_recall else f"{name}_{k}" if k else name
                self._asked[key] = call, metric, k, is_logarithm
        judged = _judgements(caller, query_relevance, number)
        if "infAP" in asked and any(rel < 0 for rels in judged.values() for rel in rels.values()):
            told = "with infAP must have no negative relevances: pytrec_eval reads them as documents of the "
            raise CallValueError.about(caller, "query_relevance", f"{told}pool that were not judged")
        #: The documents that stay in the run; None if all do.
        self._judged: dict[str, set[str]] | None = None
        if judged_docs_only_flag:
            self._judged = {
                query: {document for document, rel in documents.items() if rel >= 0}
                for query, documents in judged.items()
            }
        #: The relevances that count: those above 0, and 0 if a measure tells it from no judgement.
        reads_judgements = any(MEASURES[name].reads_judgements for name in asked)
        self._relevant = {
            query: {
                document: rel
                for document, rel in documents.items()
                if rel > 0 or (reads_judgements and rel == 0)
            }
            for query, documents in judged.items()
        }
        self._place = {query: place for place, query in enumerate(self._relevant)}
        lengths = np.fromiter(map(len, self._relevant.values()), np.int64)
        self._truth = _lists(pa.array(np.array(_flat(self._relevant), np.float64)), lengths)

    def evaluate(self, scores: _Queries) -> dict[str, dict[str, float]]:
        """Return the values of the measures for each query that has judgements.

        Parameters
        ----------
        scores : dict of dict
            The score of each retrieved document of each query.

        Returns
        -------
        dict of dict
            The values, keyed by query in the order of `scores`, and by measure.

        Raises
        ------
        ValueError
            For a score that is NaN.
        TypeError
            For scores of another type.
        """
        if scores is None:
            return {}
        run = _of_queries("evaluate", "scores", scores)
        queries = [query for query in run if query in self._relevant]
        results: dict[str, dict[str, float]] = {}
        for start in range(0, len(queries), _QUERIES):
            results |= self._evaluated({query: run[query] for query in queries[start : start + _QUERIES]})
        return results

    def _evaluated(self, run: _Queries) -> dict[str, dict[str, float]]:
        """Return the values of the measures for each query; all have judgements."""
        if self._judged is not None:
            kept = self._judged
            run = {
                query: {document: ranking[document] for document in ranking if document in kept[query]}
                for query, ranking in run.items()
            }
        scores = _scores(run)
        lengths = np.fromiter(map(len, run.values()), np.int64)
        if self._descending is None:
            values = self._values(self._scored_lists(run, scores, lengths), "_scored")
        else:
            truth = self._truth.take(pa.array([self._place[query] for query in run], pa.int64()))
            rels = pa.array(self._ranked(run, scores, lengths, truth, self._descending), from_pandas=True)
            values = self._values([_lists(pa.StructArray.from_arrays([rels], ["rel"]), lengths), truth], "")
        return {
            query: dict(zip(self._asked, row, strict=True)) for query, row in zip(run, values, strict=True)
        }

    def _ranked(
        self, run: _Queries, scores: _Floats, lengths: _Integers, truth: pa.Array, descending: bool
    ) -> _Floats:
        """Return the relevances of documents, best first within each query; NaN if a document has none.

        `truth` has the relevances of relevant documents for each query, and `descending` is whether tied
        documents are in descending order.
        """
        # Relevant documents are few. Only their ranks are needed, which are numbers of larger scores.
        relevant = [self._relevant[query] for query in run]
        found = (map(ranking.get, rels) for ranking, rels in zip(run.values(), relevant, strict=True))
        scores_of_relevant = _floats([*chain.from_iterable(found)])
        hit = ~np.isnan(scores_of_relevant)
        keys = _keys(scores, lengths)
        keys_of_hits = _keys(scores_of_relevant, truth.value_lengths().to_numpy())[hit]
        ordered = np.sort(keys)
        places = np.searchsorted(ordered, keys_of_hits)
        # A key is above 0, so that the last document ties with none after it.
        tied = np.flatnonzero(np.append(ordered, np.uint64(0))[places + 1] == keys_of_hits)
        if len(tied):
            hits = [*compress(chain.from_iterable(relevant), hit.tolist())]
            documents = np.array([*chain.from_iterable(run.values())], object)[np.argsort(keys)].tolist()
            ends_of_ties = np.searchsorted(ordered, keys_of_hits[tied], "right").tolist()
            tied_hits = zip(
                [hits[place] for place in tied.tolist()], places[tied].tolist(), ends_of_ties, strict=True
            )
            places[tied] += [*_places_in_ties(documents, tied_hits, descending)]
        rels = np.full(len(scores), np.nan)
        rels[places] = truth.flatten().to_numpy()[hit]
        return rels

    def _scored_lists(self, run: _Queries, scores: _Floats, lengths: _Integers) -> list[pa.Array]:
        """Return lists of scores and of relevances, with the relevant documents that were not retrieved."""
        rels = chain.from_iterable(map(self._relevant[query].get, ranking) for query, ranking in run.items())
        # Values without any relevance are NULL.
        missed = [
            [
                *([] if self._relevant[query] else [0.0]),
                *(rel for document, rel in self._relevant[query].items() if document not in ranking),
            ]
            for query, ranking in run.items()
        ]
        more = np.fromiter(map(len, missed), np.int64)
        ends = np.repeat(np.cumsum(lengths), more)
        values = (
            np.insert(scores, ends, np.nan),
            np.insert(np.array([*rels], np.float64), ends, [*chain.from_iterable(missed)]),
        )
        # NaN stands for NULL, because no score and no relevance is NaN.
        return [_lists(pa.array(each, from_pandas=True), lengths + more) for each in values]

    def _values(self, lists: list[pa.Array], suffix: str) -> list[list[float]]:
        """Return the values of the measures for each query.

        `suffix` is the ending of the names of the functions that read such lists.
        """
        found: dict[tuple[str, str], dict[str, _Floats]] = {}
        for (function, options), ks in self._calls.items():
            given = [*lists, pa.array([options])]
            if function == _BUNDLE:
                given.insert(2, pa.array([[*ks]], pa.list_(pa.int64())))
                metrics = _native.call(function + suffix, given).flatten()
                named = {each.name: metrics.field(each.name) for each in metrics.type}
            else:
                named = {function: _native.call(function + suffix, given)}
            found[function, options] = {
                metric: values.to_numpy(zero_copy_only=False) for metric, values in named.items()
            }
        rows = np.empty((len(lists[0]), len(self._asked)))
        for column, (call, metric, k, is_logarithm) in enumerate(self._asked.values()):
            ks = self._calls[call]
            of_queries = np.nan_to_num(found[call][metric][[*ks].index(k) :: len(ks)])
            rows[:, column] = np.log(np.maximum(of_queries, _LEAST)) if is_logarithm else of_queries
        values: list[list[float]] = rows.tolist()
        return values


def parse_run(f_run: Iterable[str]) -> dict[str, dict[str, float]]:
    """Read the lines of a run: query, Q0, document, rank, score and name of the system.

    Examples
    --------
    >>> from rankdcg_sql.compat import pytrec_eval
    >>> dict(pytrec_eval.parse_run(["q1 Q0 a 1 0.9 mine", "q1 Q0 b 2 0.5 mine"]))
    {'q1': {'a': 0.9, 'b': 0.5}}
    """
    return _parsed("parse_run", "f_run", f_run, 6, 4, float)


def parse_qrel(f_qrel: Iterable[str]) -> dict[str, dict[str, int]]:
    """Read the lines of judgements: query, 0, document and relevance.

    Examples
    --------
    >>> from rankdcg_sql.compat import pytrec_eval
    >>> dict(pytrec_eval.parse_qrel(["q1 0 a 2", "q1 0 b 0"]))
    {'q1': {'a': 2, 'b': 0}}
    """
    return _parsed("parse_qrel", "f_qrel", f_qrel, 4, 3, int)


def compute_aggregated_measure(measure: str, values: Iterable[float]) -> float:
    """Return the mean of the values of queries.

    As in pytrec_eval, it is the sum for measures whose names begin with ``num_``. For those that begin with
    ``gm_``, whose values are logarithms, it is the exponential of the mean.

    Examples
    --------
    >>> from rankdcg_sql.compat import pytrec_eval
    >>> pytrec_eval.compute_aggregated_measure("map", [0.25, 0.75])
    0.5
    """
    column = np.array([*values])
    if measure.startswith("num_"):
        return float(column.sum())
    mean = float(column.mean())
    return float(np.exp(mean)) if measure.startswith("gm_") else mean


def _of_queries(caller: str, argument: str, given: object) -> _Queries:
    """Return dicts of the documents of queries, which are texts."""
    if not isinstance(given, Mapping):
        told = f"must be a dict with a dict of documents for each query, got {shown(given)}"
        raise CallTypeError.about(caller, argument, told)
    for query, documents in given.items():
        if not isinstance(query, str):
            raise CallTypeError.about(caller, argument, f"must have texts as queries, got {shown(query)}")
        if not isinstance(documents, _DICTS):
            told = f"must have a dict of documents for each query, got {shown(documents)} for {query!r}"
            raise CallTypeError.about(caller, argument, told)
        try:
            "".join(documents)  # the fastest way to find out whether all are texts
        except TypeError:
            wrong = next(document for document in documents if not isinstance(document, str))
            told = f"must have texts as documents, got {shown(wrong)} for {query!r}"
            raise CallTypeError.about(caller, argument, told) from None
    return given


def _judgements(caller: str, given: object, number: Any) -> _Queries:
    """Return judgements without empty queries; relevances are of the type `number`."""
    judged = {q: each for q, each in _of_queries(caller, "query_relevance", given).items() if each}
    values = _flat(judged)
    if {*map(type, values)} <= {int} and max(values, default=0) <= _LARGEST:
        return judged
    for query, documents in judged.items():
        for document, rel in documents.items():
            if not (isinstance(rel, number) and -inf < rel <= _LARGEST):
                wanted = f"{'finite numbers' if number is Real else 'integers'} up to 1e300"
                told = f"must have {wanted} as relevances, got {shown(rel)} for {document!r} of {query!r}"
                others: list[str | Argument] = ["; ", Argument("float_gains"), " allows other numbers"]
                if number is Real:
                    others = []
                raise CallTypeError.about(caller, "query_relevance", told, *others)
    return judged


def _scores(run: _Queries) -> _Floats:
    """Return the scores of all documents."""
    scores = _floats(_flat(run))
    if np.isnan(scores).any():
        for query, ranking in run.items():
            for document, score in ranking.items():
                if not (isinstance(score, Real) and -inf <= score <= inf):
                    error = CallValueError if isinstance(score, Real) else CallTypeError
                    told = f"must have numbers as scores, got {shown(score)} for {document!r} of {query!r}"
                    raise error.about("evaluate", "scores", told)
    return scores


def _floats(values: list[Any]) -> _Floats:
    """Return numbers in floating point; NaN if a value is none."""
    try:
        floats: _Floats = pa.array(values, pa.float64()).to_numpy(zero_copy_only=False)
    except (pa.ArrowException, TypeError):
        # Arrow refuses booleans, and integers that floating point cannot represent. In 32 bits, all numbers
        # from the largest relevance on are infinite. NaN stays, because it is the first one that is compared.
        numbers: list[Any] = [value if isinstance(value, Real) else nan for value in values]
        with np.errstate(over="ignore"):
            floats = np.array([float(max(min(number, _LARGEST), -_LARGEST)) for number in numbers])
    return floats


def _keys(scores: _Floats, lengths: _Integers) -> npt.NDArray[np.uint64]:
    """Return a number above 0 for each document: in ascending order, queries follow, best scores first."""
    # The bits of floating point from 0 on are in the order of the numbers, and those below 0 in the opposite
    # order. To add 0 makes 0 of -0.
    with np.errstate(over="ignore"):
        bits = (scores.astype(np.float32) + np.float32(0)).view(np.int32)
    ascending = (bits ^ ((bits >> 31) | np.int32(-(2**31)))).view(np.uint32)
    queries = np.repeat(np.arange(len(lengths), dtype=np.uint64), lengths)
    return (queries << np.uint64(32)) | ~ascending


def _places_in_ties(
    documents: list[str], hits: Iterable[tuple[str, int, int]], descending: bool
) -> Iterator[int]:
    """Yield how many tied documents come before each hit.

    `documents` are in the order of scores. A hit is a document with the place of the first one that has its
    score, and the place after the last.
    """
    ties: dict[int, list[str]] = {}
    for document, first, end in hits:
        if first not in ties:
            ties[first] = sorted(documents[first:end])
        before = bisect_left(ties[first], document)
        yield end - first - 1 - before if descending else before


def _flat(queries: _Queries) -> list[float]:
    return [*chain.from_iterable(documents.values() for documents in queries.values())]


def _lists(values: pa.Array, lengths: _Integers) -> pa.Array:
    return pa.LargeListArray.from_arrays(np.append(0, np.cumsum(lengths)), values)


def _parsed(
    caller: str,
    argument: str,
    lines: Iterable[str],
    width: int,
    place_of_value: int,
    number: Callable[[str], _Number],
) -> dict[str, dict[str, _Number]]:
    """Read lines of `width` columns. The first one is the query, and the third one the document."""
    if isinstance(lines, str) or not isinstance(lines, Iterable):
        told = f"must be lines, such as an open file, got {shown(lines)}"
        raise CallTypeError.about(caller, argument, told)
    parsed: dict[str, dict[str, _Number]] = defaultdict(dict)
    for row, line in enumerate(lines, 1):
        columns = line.split() if isinstance(line, str) else ()
        if len(columns) != width:
            told = f"must have texts of {width} columns as lines, got {shown(line)} in line {row}"
            raise CallValueError.about(caller, argument, told)
        query, document, value = columns[0], columns[2], columns[place_of_value]
        if document in parsed[query]:
            told = (
                f"must have each document of a query once, got {document!r} of {query!r} again in line {row}"
            )
            raise CallValueError.about(caller, argument, told)
        try:
            parsed[query][document] = number(value)
        except ValueError:
            wanted = "integers as relevances" if number is int else "numbers as scores"
            told = f"must have {wanted}, got {value!r} in line {row}"
            raise CallValueError.about(caller, argument, told) from None
    return parsed
