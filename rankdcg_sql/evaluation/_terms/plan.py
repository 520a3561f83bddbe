"""The plan of an evaluation: metrics, cutoffs and options, checked and written as SQL."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from itertools import chain
from typing import Any, Literal

from rankdcg_sql._errors import CallTypeError, CallValueError, shown
from rankdcg_sql._sql import quote_name, quote_text
from rankdcg_sql.catalogue import (
    Function,
    conventions,
    metric_functions,
    options_text,
    resolve_options,
    usual_names_of_rel,
)
from rankdcg_sql.evaluation._terms.metrics import (
    ALL,
    Measure,
    bundle,
    find_measure,
    function_of,
    options_of,
    unknown_metric,
)
from rankdcg_sql.evaluation._terms.statistics import Users, check_function

_MAX_K = 2**63 - 1
#: The options by which measures of items rank and judge: the order of tied items, the type of scores, and the
#: least relevance of a relevant item.
_OF_ITEMS = ("ties", "score_type", "min_rel")


class _DefaultCutoffs(tuple[int | None, ...]):
    """Cutoffs that no caller asked for, so that a metric without a cutoff is no error."""

    __slots__ = ()


DEFAULT_KS = _DefaultCutoffs((5, 10))

#: The number of rows of both tables together if nothing is missing in any of them, otherwise 0, in SQL. A row
#: has a score or a relevance, not both.
_COMPLETE_ROWS = (
    "if(count(userid) = count(*) AND count(itemid) = count(*) AND count(score) + count(rel) = count(*), "
    "count(*), 0)"
)

#: The aggregate that returns lists of users beside measures, keyed by the lists.
_WITH_LISTS = {
    ("ranking",): "rankdcg_sql_measures_and_ranking_by_user",
    ("ranking", "relevant"): "rankdcg_sql_measures_and_lists_by_user",
}

#: The arguments before k of measures of aspects, as SQL over the rows of a user.
_ASPECTS = (
    "list({'item': itemid, 'score': score}) FILTER (WHERE score IS NOT NULL), flatten(list("
    "[{'item': itemid, 'aspect': x.aspect, 'rel': x.rel} FOR x IN aspects]) FILTER (WHERE rel IS NOT NULL))"
)

#: A cutoff, in items from 1; None is the whole list, and so is "all".
Cutoff = int | Literal["all"] | None
#: A cutoff or several.
K = Cutoff | Iterable[Cutoff]


@dataclass(frozen=True)
class Plan:
    """The metrics of an evaluation, with their cutoffs and options."""

    #: The cutoffs of each metric, keyed by the metric's name in results; None is the whole list.
    cutoffs: dict[str, tuple[int | None, ...]]
    #: The options that were given, as texts keyed by the option's name.
    options: dict[str, str]
    #: Whether there is a table of items, in which the items of rankings are looked up.
    has_items: bool = False

    @property
    def metrics(self) -> tuple[str, ...]:
        """The metrics, by their names in results."""
        return tuple(self.cutoffs)

    @property
    def ks(self) -> tuple[int | None, ...]:
        """The cutoffs of all metrics that take one; the whole list if none does."""
        cut = [ks for metric, ks in self.cutoffs.items() if takes_k(metric)]
        return tuple(dict.fromkeys(chain(*cut))) or (None,)

    @property
    def measures(self) -> list[Measure]:
        """Each metric at each of its cutoffs."""
        return [Measure(metric, k) for metric, ks in self.cutoffs.items() for k in ks]

    @property
    def of_rankings(self) -> list[Measure]:
        """The measures of the rankings and judgements of one user, and the means of such measures."""
        others = "items", "spans"
        return [measure for measure in self.measures if function_of(measure.metric).form not in others]

    @property
    def geometric_means(self) -> list[Measure]:
        """The geometric means over users, computed from the values of all users."""
        return [measure for measure in self.measures if function_of(measure.metric).mean_of]

    @property
    def of_items(self) -> list[Measure]:
        """The measures of recommended items, which need the rankings of all users, and `unknown_items`."""
        of_items = [measure for measure in self.measures if is_of_items(measure.metric)]
        return [*dict.fromkeys([*of_items, self.unknown_items])] if self.has_items else of_items

    @property
    def unknown_items(self) -> Measure:
        """The measure that counts recommended items without a row in the table of items.

        It goes down to the largest cutoff of measures of items, or if there are none, of all metrics.
        """
        cuts = [measure.k for measure in self.measures if is_of_items(measure.metric)] or self.ks
        return Measure("unknown_items", None if None in cuts else max(filter(None, cuts)))

    @property
    def of_spans(self) -> list[Measure]:
        """The measures of spans of documents."""
        return [measure for measure in self.measures if is_of_spans(measure.metric)]

    @property
    def lists_of_users(self) -> tuple[str, ...]:
        """The lists of each user that measures of items read: the ranking, and the relevant items."""
        of_items = self.of_items
        reads_truth = any(function_of(measure.metric).needs_truth for measure in of_items)
        return ("ranking",) * bool(of_items) + ("relevant",) * reads_truth

    @property
    def properties(self) -> dict[str, str]:
        """The columns of items that measures of items read.

        Each has the name of a measure that reads it, with ``{}`` for the column: ``novelty(of={})@10``.
        """
        read: dict[str, str] = {}
        for measure, name in self._read_properties:
            function = function_of(measure.metric)
            read.setdefault(name, Measure(f"{function.base}(of={{}})", measure.k).column)
        return read

    @property
    def numbers_of_items(self) -> list[str]:
        """Those of these columns in which measures read numbers."""
        read = (name for of, name in self._read_properties if function_of(of.metric).reads_numbers)
        return list(dict.fromkeys(read))

    @property
    def _read_properties(self) -> list[tuple[Measure, str]]:
        """Each measure of items that reads a column of items, and the name of that column."""
        named = (
            (measure, options_of(measure.metric, {}).get("of", function_of(measure.metric).item_property))
            for measure in self.of_items
        )
        return [(measure, name) for measure, name in named if name]

    @property
    def users(self) -> Users:
        """The users over whom the convention takes means."""
        name = self.options.get("convention", "")
        users = {convention.name: convention.users for convention in conventions()}
        return users.get(name.lower(), "truth")

    def with_trec_ties(self) -> Plan:
        """Return this plan with trec_eval's order of documents; given options and conventions prevail."""
        if "convention" in self.options:
            return self
        return replace(self, options={"ties": "item_desc", "score_type": "float32", **self.options})

    def options_of(self, function: Function, metric: str = "") -> str:
        """Return the given options that a function takes, and a metric's own, as SQL text."""
        own = options_of(metric, {})
        taken = {name: text for name, text in self.options.items() if name in function.options}
        return options_text({**taken, **own})

    @property
    def deepest_of_items(self) -> int | None:
        """The largest cutoff of the measures of items; None if any ranks the whole list."""
        cuts = [measure.k for measure in self.of_items]
        return None if None in cuts else max((k for k in cuts if k is not None), default=None)

    @property
    def has_one_ranking(self) -> bool:
        """Whether measures of items rank as all metrics do, and none of them ranks the whole list."""
        own = (options_of(metric, {}) for metric in self.metrics)
        has_own = any({"ties", "score_type"} & {*options} for options in own)
        return self.deepest_of_items is not None and not has_own

    @property
    def order_of_items(self) -> dict[str, str]:
        """The options by which `ranked_list` orders items as measures of items do."""
        resolved = resolve_options(function_of("precision"), self.options)
        ties, score_type = (resolved[name].value for name in ("ties", "score_type"))
        by_item = ties if ties in ("item_asc", "item_desc") else "item_asc"
        return {"ties": by_item, "score_type": score_type}

    def select_in_one_pass(self, rows: str) -> str:
        """Write SQL that computes the metrics of all users with one aggregate over all rows.

        `rows` is a query with the columns userid, itemid, score and rel. The result has the columns userid,
        retrieved, judged, the numbers of repeats of the user, complete_rows, which is the number of rows if
        nothing is missing in any of them and 0 otherwise, and one for each measure.
        """
        return self._select_by_user("rank_measures_by_user", self.of_rankings, rows)

    def select_with_lists(self, rows: str) -> str:
        """Write SQL as `select_in_one_pass` does, with a column for each of `lists_of_users`.

        A ranking has the best items of a judged user, down to the largest cutoff of measures of items.
        """
        lists = self.lists_of_users
        return self._select_by_user(_WITH_LISTS[lists], self._as_of_items, rows, f", {', '.join(lists)}")

    def select_with_items(self, catalogue: str, users: Users, rows: str) -> str:
        """Write SQL as `select_in_one_pass` does, with the columns of the measures of items.

        `catalogue` is a query of the list of items. If there is a table of items, the column ranking has the
        items of each user with some that the table lacks.
        """
        # A struct without a ranking is a user that is not evaluated.
        served = "struct_pack(ranking := if(of_user.retrieved > 0, of_user.ranking, NULL))"
        rankings = f"[{served} FOR of_user IN evaluated]" if users == "both" else "evaluated"
        truths = "evaluated" if "relevant" in self.lists_of_users else "NULL"
        more = "".join(f", {quote_name(measure.column)}" for measure in self.of_items)
        if self.has_items:
            more += f", if({quote_name(self.unknown_items.column)} > 0, ranking, NULL) AS ranking"
        found = self.found_in("rankdcg_sql_items_by_measure", rankings, truths, catalogue)
        return self._select_by_user(_WITH_LISTS[self.lists_of_users], self._as_of_items, rows, more, found)

    def found_in(self, function: str, rankings: str, truths: str, catalogue: str) -> str:
        """Write `found`, the values of measures of items that a function returns for all rankings, as SQL.

        `rankings` and `truths` are lists of the same users: of lists of items, or of the structs that an
        aggregate returns. `catalogue` is a query of the list of items.
        """
        text = quote_text(", ".join(measure.column for measure in self.of_items))
        threads = "'threads=' || current_setting('threads')"
        return f"{function}({rankings}, {truths}, ({catalogue}), {text}, {threads}) AS found"

    @property
    def _as_of_items(self) -> list[Measure]:
        """The measures of rankings, of which the last one has the cutoff and `min_rel` of measures of items.

        An aggregate that returns lists of users returns them as its last measure reads them.
        """
        return [*self.of_rankings, Measure("precision", self.deepest_of_items)]

    def _select_by_user(
        self, function: str, measures: list[Measure], rows: str, more: str = "", of_all: str = ""
    ) -> str:
        """Write SQL that has a row for each user of the list that an aggregate of all users returns.

        `more` are further columns, after a comma. `of_all` is `found`, which has a list for each measure of
        items, if these are among them.
        """
        call = f"{function}(userid, itemid, score, rel, {self._arguments(measures)}) AS evaluated"
        places = enumerate(self.of_rankings, 1)
        columns = "".join(f', results[{place}] AS "{measure.column}"' for place, measure in places)
        evaluated = f"SELECT {call}, {_COMPLETE_ROWS} AS complete_rows FROM ({rows})"
        if of_all:
            evaluated = f"SELECT *, {of_all} FROM ({evaluated})"
        counts = "retrieved, judged, retrieved_repeats, judged_repeats, complete_rows"
        beside = "complete_rows"
        if of_all:
            for number, measure in enumerate(self.of_items, 1):
                beside += f", unnest(found[{number}]) AS {quote_name(measure.column)}"
        return (
            f"SELECT userid, {counts}{columns}{more} "
            f"FROM (SELECT unnest(evaluated, recursive := true), {beside} FROM ({evaluated}))"
        )

    def select_by_group(self, rows: str) -> str:
        """Write SQL that computes the metrics of each user with an aggregate over the user's group of rows.

        `rows` is a query with the columns userid, itemid, score and rel, and for measures of aspects the
        column aspects: a list of structs of aspect and rel. The result has the columns userid,
        retrieved, judged, and one for each measure.
        """
        of_rows = [measure for measure in self.of_rankings if function_of(measure.metric).form == "rows"]
        calls, columns = [], []
        if of_rows:
            calls.append(f"rank_measures_rows(itemid, score, rel, {self._arguments(of_rows)}) AS results")
        for measure in self.of_rankings:
            column = f'"{measure.column}"'
            if measure in of_rows:
                columns.append(f"results[{of_rows.index(measure) + 1}] AS {column}")
                continue
            function = function_of(measure.metric)
            options = self.options_of(function, measure.metric)
            last = f", {quote_text(options)}" * bool(options)
            calls.append(f"{function.name}({_ASPECTS}, {measure.sql_k}{last}) AS {column}")
            columns.append(column)
        counts = "count(score) AS retrieved, count(rel) AS judged"
        grouped = f"SELECT {', '.join(['userid', counts, *calls])} FROM ({rows}) GROUP BY userid"
        return f"SELECT {', '.join(['userid, retrieved, judged', *columns])} FROM ({grouped})"

    def _arguments(self, measures: list[Measure]) -> str:
        """Write measures and, if there are any, the options, in SQL.

        DuckDB makes a column of each constant argument, which takes a twenty-fifth of the time.
        """
        # The aggregate, which counts rows, too, needs a measure.
        names = quote_text(", ".join(measure.of_users for measure in measures) or "precision")
        known = {name for measure in measures for name in function_of(measure.metric).options}
        options = options_text({name: text for name, text in self.options.items() if name in known})
        return f"{names}, {quote_text(options)}" if options else names


def make_plan(
    caller: str, k: K, metrics: str | Iterable[str] | None, given: Mapping[str, Any], arguments: Iterable[str]
) -> Plan:
    """Check metrics, cutoffs and options, and make a plan of them.

    Errors name the function `caller`. `arguments` are its arguments that are not options.
    """
    chosen = _cutoffs(caller, metrics, k)
    taken = {name for metric in chosen for name in function_of(metric).options}
    of_items = [metric for metric in chosen if is_of_items(metric)]
    of_spans = [metric for metric in chosen if is_of_spans(metric)]
    taken |= ({*_OF_ITEMS} if of_items else set()) | ({"min_rel"} if of_spans else set())
    for name in given:
        _check_option(caller, name, taken, arguments)
    # The text of an option is ``name=value``, and empty if the option is None.
    texts = {name: options_text({name: value}).removeprefix(f"{name}=") for name, value in given.items()}
    made = Plan(chosen, {name: text for name, text in texts.items() if text})
    for metric in of_items:
        if {*options_of(metric, {})} - {"of"}:
            takes = "a measure of items takes no option but of=, the name of a column of items"
            raise CallValueError(caller, "metrics", f"{metric}: {takes}")
    for metric in of_spans:
        if options_of(metric, {}):
            raise CallValueError(caller, "metrics", f"{metric}: a measure of spans takes no options")
    others = [metric for metric in chosen if metric not in (*of_items, *of_spans)]
    functions = [(function_of(metric), metric) for metric in others if metric not in bundle().fields]
    if of_items or of_spans or len(functions) < len(others):
        functions.append((bundle(), ""))
    for function, metric in functions:
        cuts = [k for k in made.ks if k is not None] if {"k", "ks"} & {*function.arguments} else []
        own = options_of(metric, {})
        if "convention" in own:
            raise CallValueError(caller, "metrics", f"{metric}: a convention is an argument, for all metrics")
        try:
            check_function(caller, function.name, made.options_of(function, metric), cuts)
        except CallValueError as error:
            if not own:
                raise
            raise CallValueError(caller, "metrics", f"{metric}: {error.text}") from None
    return made


def is_of_items(metric: str) -> bool:
    """Whether a metric is a measure of recommended items."""
    return function_of(metric).form == "items"


def is_of_spans(metric: str) -> bool:
    """Whether a metric is a measure of spans of documents."""
    return function_of(metric).form == "spans"


def takes_k(metric: str) -> bool:
    """Whether a metric takes a cutoff."""
    return "k" in function_of(metric).arguments


def _cutoffs(caller: str, metrics: str | Iterable[str] | None, k: K) -> dict[str, tuple[int | None, ...]]:
    """Return the cutoffs of each metric: its own, as in ``ndcg@10``, or else those of `k`."""
    ks = _ks(caller, k)
    if metrics is None:
        metrics = [metric for metric, function in metric_functions().items() if function.by_default]
    if not isinstance(metrics, Iterable):
        raise CallTypeError.about(
            caller, "metrics", f"must be a name or a list of names, got {shown(metrics)}"
        )
    cutoffs: dict[str, dict[int | None, None]] = {}
    uses_k = False
    for name in [metrics] if isinstance(metrics, str) else metrics:
        metric, own = find_measure(name)
        if metric is None:
            raise unknown_metric(caller, name)
        if own and not takes_k(metric):
            whole = f"{metric} ranks the whole list and takes no cutoff, got {name!r}"
            raise CallValueError(caller, "metrics", whole)
        uses_k |= takes_k(metric) and not own
        cuts = ks if takes_k(metric) else (None,)
        if own:
            cuts = _ks(caller, None if own == ALL else int(own))
        cutoffs.setdefault(metric, {}).update(dict.fromkeys(cuts))
    if not cutoffs:
        there = ", ".join(metric_functions())
        raise CallValueError.about(caller, "metrics", f"is empty; there are {there}")
    used = {cut for metric, of_metric in cutoffs.items() if takes_k(metric) for cut in of_metric}
    # A `k` that no metric uses may repeat cutoffs of metrics, or say that whole lists are ranked.
    if not (uses_k or isinstance(k, _DefaultCutoffs) or {*ks} <= (used or {None})):
        if used:
            wanted = "is for metrics without a cutoff of their own, of which there are none, got "
            raise CallValueError.about(caller, "k", f"{wanted}{shown(k)}")
        rank, take = ("ranks", "takes") if len(cutoffs) == 1 else ("rank", "take")
        raise CallValueError(
            caller, "k", f"{' and '.join(cutoffs)} {rank} the whole list and {take} no k, got {shown(k)}"
        )
    return {metric: tuple(of_metric) for metric, of_metric in cutoffs.items()}


#: Why options that other functions have are none of a call with two tables.
_NO_OPTIONS = {
    "denominator": "denominator is short for the option of one metric: give precision_denominator, "
    "recall_denominator or ap_denominator",
    "duplicates": "duplicates is an option of functions over lists: in a table, one row for each user and "
    "item counts",
    "items": "items is for measures of items, which need the rankings of all users: call "
    "rankdcg_sql.evaluate",
    "threads": "threads is no option: run SET threads = 1 on a connection of DuckDB, and give it with con=, "
    "or give --threads on the command line",
}


def _check_option(caller: str, name: str, taken: set[str], arguments: Iterable[str]) -> None:
    """Raise an error unless an option is one of those that the metrics of the call take."""
    if name in taken:
        return
    metrics = [metric for metric, function in metric_functions().items() if name in function.options]
    others = f"{name} is an option of {', '.join(metrics)}, none of which is among metrics"
    if name in _NO_OPTIONS or metrics:
        raise CallValueError(caller, name, _NO_OPTIONS.get(name, others))
    if name == "options":
        raise CallTypeError(
            caller, name, 'options are keyword arguments here: give gain="linear", not options="gain=linear"'
        )
    of_metrics = {option for function in metric_functions().values() for option in function.options}
    near = get_close_matches(name, [*arguments, *sorted(of_metrics)])
    meant_elsewhere = {**dict.fromkeys(usual_names_of_rel(), "rel"), "relevance_level": "min_rel"}
    if name in meant_elsewhere:
        near = [meant_elsewhere[name]]
    hint = f": did you mean {' or '.join(near)}?" if near else ""
    raise CallTypeError(caller, name, f"there is no option {name!r}{hint}")


def _ks(caller: str, given: K) -> tuple[int | None, ...]:
    """Return one cutoff or several as whole numbers, each once; None is the whole list."""

    def cut(k: Any) -> int | None:
        if k is None or (isinstance(k, str) and k == ALL):
            return None
        try:
            if isinstance(k, bool):
                raise TypeError
            number = operator.index(k)
        except TypeError:
            wanted = 'must be a whole number, "all" or None for the whole list, or a list of these'
            raise CallTypeError.about(caller, "k", f"{wanted}, got {shown(k)}") from None
        if number > _MAX_K:
            raise CallValueError.about(caller, "k", f"must be at most {_MAX_K}, got {k}")
        return max(number, -_MAX_K)  # as 64 bits hold it: the core refuses any cutoff below 1

    several = isinstance(given, Iterable) and not isinstance(given, str | bytes)
    ks = tuple(dict.fromkeys(cut(k) for k in (given if several else [given])))  # type: ignore[union-attr]
    if not ks:
        raise CallValueError.about(caller, "k", "is empty: give a cutoff, or None for the whole list")
    return ks
