"""The measures of pytrec_eval: their names, and which metrics of the catalogue they are."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

from rankdcg_sql._errors import CallTypeError, CallValueError, shown
from rankdcg_sql._measures_elsewhere import in_plain_letters, measures_elsewhere

#: The cutoffs of trec_eval.
_CUTOFFS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)
#: A name with cutoffs, such as ``P_5`` or ``map_cut.5,10``.
_WITH_CUTOFFS = re.compile(r"(\w+?)[._]([\d.,]+)")
_CUTOFF_LIST = re.compile(r"0*[1-9]\d{0,17}(,0*[1-9]\d{0,17})*")
_RECALL_LIST = re.compile(r"(0?\.\d+|0|1(\.0*)?)(,(0?\.\d+|0|1(\.0*)?))*")


class Measure(NamedTuple):
    """A measure of trec_eval in the terms of the catalogue."""

    metric: str
    #: The cutoffs if none are given; empty if the whole list counts.
    cutoffs: tuple[float, ...] = ()
    option: str = ""
    #: Whether its cutoffs are levels of recall.
    is_at_recall: bool = False
    #: Whether it tells documents that are judged irrelevant from those without a judgement.
    reads_judgements: bool = False
    #: Whether its values are logarithms, of whose mean trec_eval takes the exponential.
    is_logarithm: bool = False

    @property
    def cutoff_list(self) -> tuple[re.Pattern[str], str]:
        """The pattern of cutoffs, and a description."""
        if self.is_at_recall:
            return _RECALL_LIST, "recalls from 0 to 1"
        return _CUTOFF_LIST, "whole numbers from 1 on"


#: The measures in the order of pytrec_eval's results.
MEASURES = {
    "map": Measure("average_precision"),
    "gm_map": Measure("average_precision", is_logarithm=True),
    "Rprec": Measure("r_precision"),
    "bpref": Measure("bpref", reads_judgements=True),
    "recip_rank": Measure("mrr"),
    "iprec_at_recall": Measure("iprec", tuple(tenths / 10 for tenths in range(11)), is_at_recall=True),
    "P": Measure("precision", _CUTOFFS),
    "recall": Measure("recall", _CUTOFFS),
    "infAP": Measure("inf_ap", reads_judgements=True),
    "gm_bpref": Measure("bpref", reads_judgements=True, is_logarithm=True),
    "utility": Measure("utility", reads_judgements=True),
    "11pt_avg": Measure("eleven_point_average"),
    "ndcg": Measure("ndcg"),
    "ndcg_cut": Measure("ndcg", _CUTOFFS),
    "map_cut": Measure("average_precision", _CUTOFFS),
    "relative_P": Measure("recall", _CUTOFFS, ",recall_denominator=min_truth_k"),
    "success": Measure("hit_rate", (1, 5, 10)),
    "set_P": Measure("precision"),
    "set_relative_P": Measure("relative_precision"),
    "set_recall": Measure("recall"),
    "set_F": Measure("f1"),
}
#: The nicknames that pytrec_eval computes, with all of their measures.
NICKNAMES = {
    nickname: names.split()
    for nickname, names in {
        "official": (
            "runid num_q num_ret num_rel num_rel_ret map gm_map Rprec bpref recip_rank iprec_at_recall P"
        ),
        "set": (
            "runid num_q num_ret num_rel num_rel_ret utility set_P set_relative_P set_recall set_map set_F"
        ),
        "all_trec": (
            "runid num_q num_ret num_rel num_rel_ret map gm_map Rprec bpref recip_rank iprec_at_recall P "
            "relstring recall infAP gm_bpref Rprec_mult utility 11pt_avg binG G ndcg ndcg_rel Rndcg ndcg_cut "
            "map_cut relative_P success set_P set_relative_P set_recall set_map set_F num_nonrel_judged_ret"
        ),
    }.items()
}


def cutoffs_of_measures(caller: str, measures: Iterable[str]) -> dict[str, Iterable[float | None]]:
    """Return the cutoffs of each measure, in the order of results; None is the whole list."""
    if isinstance(measures, str) or not isinstance(measures, Iterable):
        raise CallTypeError.about(caller, "measures", f"must be a set of names, got {shown(measures)}")
    asked: dict[str, set[float]] = {}
    #: The measures that are not here, by what to say about them.
    unknown: dict[str, list[str]] = defaultdict(list)
    for measure in measures:
        if not isinstance(measure, str):
            raise CallTypeError.about(caller, "measures", f"must be names, got {shown(measure)}")
        elsewhere = [name for name in NICKNAMES.get(measure, ()) if name not in MEASURES]
        if elsewhere:
            told = f"pytrec_eval computes {', '.join(elsewhere)} of it, and rankdcg_sql does not; "
            unknown[f"{told}supported_nicknames[{measure!r}] has the others"].append(measure)
            continue
        for name in NICKNAMES.get(measure, [measure]):
            with_cutoffs = None if name in MEASURES else _WITH_CUTOFFS.fullmatch(name)
            base, cutoffs = with_cutoffs.groups() if with_cutoffs else (name, "")
            if base not in MEASURES:
                row = measures_elsewhere().get(in_plain_letters(name))
                unknown[row.advice if row else f"choose from {', '.join(MEASURES)}"].append(name)
                continue
            pattern, described = MEASURES[base].cutoff_list
            if cutoffs and not (MEASURES[base].cutoffs and pattern.fullmatch(cutoffs)):
                wanted = f"{described} as cutoffs" if MEASURES[base].cutoffs else "no cutoff"
                told = f"must have {wanted} after {base}, got {name!r}"
                raise CallValueError.about(caller, "measures", told)
            number = float if MEASURES[base].is_at_recall else int
            asked.setdefault(base, set()).update(map(number, filter(None, cutoffs.split(","))))
    if unknown:
        sentences = (
            f"there is no {' or '.join(map(repr, sorted(names)))} here: {why}"
            for why, names in unknown.items()
        )
        raise CallValueError(caller, "measures", "; ".join(sorted(sentences)))
    return {
        name: sorted(asked[name]) or measure.cutoffs or (None,)
        for name, measure in MEASURES.items()
        if name in asked
    }
