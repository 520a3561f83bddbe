"""The page of each metric and statistic in all its forms, from the catalogue, with executed examples."""

from __future__ import annotations

import re
from functools import cache
from math import isclose, log2, sqrt

import duckdb

import rankdcg_sql
from rankdcg_sql import Function, catalogue

#: The symbols of the formulas. An index has no meaning of its own.
SYMBOLS = {
    "i": "",
    "j": "",
    "k": "the cutoff; without k, the whole list",
    "n": "the number of retrieved items",
    "N": "the number of distinct items that were retrieved or judged",
    "h_i": "1 if the item at rank $i$ is relevant, otherwise 0",
    "r_i": "the relevance of the item at rank $i$",
    "r^*_i": "the $i$-th largest relevance among the judgements",
    "q_i": "1 if the item at rank $i$ is judged, otherwise 0",
    "J_i": "the number of judged items above rank $i$",
    "H_i": "the number of hits above rank $i$",
    "V": "the number of items that are judged irrelevant",
    "V_i": "the number of these above rank $i$",
    "e": "0.00001",
    "R": "the number of relevant items",
    "I": "the number of irrelevant items",
    "H": "the number of hits in the top $k$",
    "M": "the number of misses in the top $k$",
    "s_i": "the probability that the item at rank $i$ satisfies the user",
    "p": "the option `p`, the probability that the user goes on to the next item",
    "l_i": "the level of the item at rank $i$, from 1 for the lowest distinct relevance",
    "c_i": "the discount of rank $i$: the level of that place in the right order, from 1 for the highest",
    "C": "the number of concordant pairs: the higher score has the higher relevance",
    "D": "the number of discordant pairs",
    "P": "the number of all pairs",
    "A": "the number of pairs of a relevant and an irrelevant item whose relevant item has the higher score",
    "E": "the number of such pairs with equal scores",
    "B": "the highest $\\mathrm{DCG}'$ of any order of these items",
    "W": "the lowest $\\mathrm{DCG}'$ of any order of these items",
    "T_s": "the number of pairs whose scores tie",
    "T_r": "the number of pairs whose relevances tie",
    "x": "the mean of the sample",
    "s": "the standard deviation of the sample, with the divisor $n - 1$",
    "t": "Student's t; with an index, its quantile at (1 + confidence) / 2, for as many degrees of freedom",
    "d": "the mean of the differences",
    "d_i": "the difference of the $i$-th pair",
    "a_i": "the value of the first sample in the $i$-th pair",
    "b_i": "the value of the second sample in the $i$-th pair",
    "Phi": "the distribution function of the normal distribution",
    "z": "the normal quantile of the end of the interval",
    "z_0": "the correction for bias, the normal quantile of the share of resampled means below the mean, "
    "plus half of the share of those equal to it",
    "a": "the correction for skewness, the acceleration",
    "Q": "the quantile function of the resampled means",
    "G": "the share of choices of signs whose mean difference is at least the observed one",
    "L": "the share of those for which it is at most the observed one",
    "sigma": "one of the $2^n$ choices of a sign for each pair; $\\sigma_i$ is the sign of the $i$-th pair",
    "sigma_i": "",
    "m": "the number of tests",
    "p_{(i)}": "the $i$-th smallest p-value",
}
#: Those of the formulas of similarities, where they differ.
SYMBOLS_OF_RANKINGS = {
    "A_k": "the first $k$ items of `a`",
    "B_k": "the first $k$ items of `b`",
    "X_i": "the number of items that are in the first $i$ of both lists",
    "X_l": "",
    "X_s": "",
    "l": "the number of items in the longer list",
    "s": "the number of items in the shorter list",
    "n": "the number of common items",
    "a_i": "the rank of the $i$-th common item in `a`, among the common items",
    "b_i": "its rank in `b`, among the common items",
    "C_i": "the number of common items above rank $i$ in `a` that are above its item in `b`, too",
    "D_i": "the number of common items whose order with the $i$-th one differs between the lists",
}
#: Those of the formulas of measures of aspects, where they differ.
SYMBOLS_OF_ASPECTS = {
    "A": "the number of aspects that have a relevant item",
    "S": "the number of aspects of the items in the top $k$",
    "n_i": "the number of aspects of the item at rank $i$",
    "p_i": "the average precision of the items with the $i$-th aspect",
    "q": "1 less the option `redundancy_intolerance`",
    "g_i": "the gain of the item at rank $i$: the sum over its aspects of $q$ to the power of the number of "
    "items above with the aspect",
    "g^*_i": "the gain at rank $i$ of the greedy order, which takes the largest gain at each rank",
}
#: The meaning of n in the formula of a statistic, keyed by the number of samples that the statistic reads.
SAMPLE_SIZES = {1: "the number of values in the sample", 2: "the number of pairs"}
#: The inputs of the first example, in words.
LISTS = "ranks 1, 2 and 3 have relevances 3, 0 and 1, and an item of relevance 2 was not retrieved"
SCORES = "scores 0.9, 0.5 and 0.4 have relevances 3, 0 and 1, and the item without a score does not count"
SAMPLE = "the mean is 0.6, the sum of squared deviations 0.245, and Student's t 3.182446"
PAIRS = (
    "the differences are 0.1, 0.25, -0.05 and 0.2, their mean 0.125, and the sum of squared deviations 0.0525"
)
RANKINGS = (
    "the first 4 items are a, c, b, d and c, a, e, b. The lists have 0, 2, 2 and 3 items in common down to "
    "ranks 1 to 4. Among one another, the common items a, c and b have ranks 1, 2, 3 and 2, 1, 3"
)
ASPECTS = (
    "the items are a, c and b. Item a has aspect 1, b has 1 and 2, and the missed d has 3. The "
    "greedy order is b, d, a"
)
#: The formula in the numbers of the first example: the inputs in words, and the terms of each number.
NUMBERS: dict[str, tuple[str, dict[str, str]]] = {
    "precision": (LISTS, {"precision": "(1 + 0) / min(2, 3)"}),
    "recall": (LISTS, {"recall": "(1 + 0) / 3"}),
    "f1": (LISTS, {"f1": "2 * (1 / 2) * (1 / 3) / (1 / 2 + 1 / 3)"}),
    "hit_rate": (LISTS, {"hit_rate": "max(1, 0)"}),
    "mrr": (LISTS, {"mrr": "max(1 / 1, 0 / 2)"}),
    "average_precision": (LISTS, {"average_precision": "(1 * 1 / 1 + 0 * 1 / 2) / 3"}),
    "r_precision": (LISTS, {"r_precision": "(1 + 0 + 1) / 3"}),
    "auc": (LISTS, {"auc": "1 * (1 - 0) / (1 * 1)"}),
    "cg": (LISTS, {"cg": "3 + 0"}),
    "dcg": (LISTS, {"dcg": "(2^3 - 1) / log2(2) + (2^0 - 1) / log2(3)"}),
    "idcg": (LISTS, {"idcg": "(2^3 - 1) / log2(2) + (2^2 - 1) / log2(3)"}),
    "ndcg": (
        LISTS,
        {
            "dcg": "(2^3 - 1) / log2(2) + (2^0 - 1) / log2(3)",
            "idcg": "(2^3 - 1) / log2(2) + (2^2 - 1) / log2(3)",
            "ndcg": "dcg / idcg",
        },
    ),
    "err": (LISTS, {"err": "(2^3 - 1) / 2^3 / 1 + (2^0 - 1) / 2^3 / 2 * (1 - (2^3 - 1) / 2^3)"}),
    "rbp": (LISTS, {"rbp": "(1 - 0.8) * (1 * 0.8^0 + 0 * 0.8^1)"}),
    "rbp_residual": (LISTS, {"rbp_residual": "1 - (1 - 0.8) * 0.8^0"}),
    "nerr": (
        LISTS,
        {
            "err": "(2^3 - 1) / 2^3 / 1 + (2^0 - 1) / 2^3 / 2 * (1 - (2^3 - 1) / 2^3)",
            "ideal": "(2^3 - 1) / 2^3 / 1 + (2^2 - 1) / 2^3 / 2 * (1 - (2^3 - 1) / 2^3)",
            "nerr": "err / ideal",
        },
    ),
    "nearly_err": (LISTS, {"nearly_err": "(3 / 3 * 1 + 0 / 3 * 1 * (1 - 3 / 3)) / (1 + 1 * (1 - 3 / 3))"}),
    "q_measure": (LISTS, {"q_measure": "(1 + 1 * 3) / (1 + 1 * 3) / min(3, 2)"}),
    "sdcg": (
        LISTS,
        {"sdcg": "(3 / 3 / log2(2) + 0 / 3 / log2(3)) / (1 / log2(2) + 1 / log2(3))"},
    ),
    "bpm": (LISTS, {"bpm": "3 / 3 / 1"}),
    "insq": (LISTS, {"insq": "(3 / 3 * 1 + 0 / 3 * (2 / (2 + 1))^2) / (1 + (2 / (2 + 1))^2)"}),
    "inst": (
        LISTS,
        {
            "d": "1 + 2 * 1 - 3 / 3",
            "inst": "(3 / 3 * 1 + 0 / 3 * ((d - 1) / d)^2) / (1 + ((d - 1) / d)^2)",
        },
    ),
    "bpref": (f"{LISTS}. None is judged irrelevant", {"bpref": "(1 + 1) / 3"}),
    "inf_ap": (LISTS, {"inf_ap": "(1 / 1 + 1 / 3 * (1 + 1 * (1 + 0.00001) / (1 + 2 * 0.00001))) / 3"}),
    "iprec": (LISTS, {"iprec": "max(1 / 1, 1 / 2, 2 / 3)"}),
    "eleven_point_average": (LISTS, {"eleven_point_average": "(4 * 1 / 1 + 3 * 2 / 3 + 4 * 0) / 11"}),
    "relative_precision": (LISTS, {"relative_precision": "(1 + 0) / min(2, 3)"}),
    "utility": (LISTS, {"utility": "1 * 1 - 1 * 1"}),
    "judged_share": (
        "the items at ranks 1 and 3 are judged, and that at rank 2 is not",
        {"judged_share": "(1 + 0) / min(2, 3)"},
    ),
    "rankdcg": (
        f"{LISTS}. Their levels are 4, 1 and 2, and 3",
        {
            "dcg": "4 / 1 + 1 / 2 + 2 / 3 + 3 / 4",
            "highest": "4 / 1 + 3 / 2 + 2 / 3 + 1 / 4",
            "lowest": "1 / 1 + 2 / 2 + 3 / 3 + 4 / 4",
            "rankdcg": "(dcg - lowest) / (highest - lowest)",
        },
    ),
    "kendall_tau": (SCORES, {"kendall_tau": "(2 - 1) / sqrt((3 - 0) * (3 - 0))"}),
    "roc_auc": (SCORES, {"roc_auc": "(1 + 0 / 2) / (2 * 1)"}),
    "rbo": (
        RANKINGS,
        {"rbo": "0.1 / 0.9 * (0 / 1 * 0.9 + 2 / 2 * 0.9^2 + 2 / 3 * 0.9^3 + 3 / 4 * 0.9^4) + 3 / 4 * 0.9^4"},
    ),
    "jaccard_index": (RANKINGS, {"jaccard_index": "3 / 5"}),
    "overlap": (RANKINGS, {"overlap": "3 / max(4, 4)"}),
    "spearman_rho": (
        RANKINGS,
        {"spearman_rho": "1 - 6 * ((1 - 2)^2 + (2 - 1)^2 + (3 - 3)^2) / (3^3 - 3)"},
    ),
    "tau_ap": (RANKINGS, {"tau_ap": "2 / (3 - 1) * (0 / 1 + 2 / 2) - 1"}),
    "weighted_tau": (
        RANKINGS,
        {
            "weights": "1 / 1 + 1 / 2 + 1 / 3",
            "weighted_tau": "1 - (1 * (1 / 1 + 1 / 2) + 1 * (1 / 2 + 1 / 1)) / ((3 - 1) * weights)",
        },
    ),
    "average_popularity": (
        "the first 2 items have popularities 40 and 10",
        {"average_popularity": "(40 + 10) / 2"},
    ),
    "novelty": ("the first 2 items have shares 0.5 and 0.125", {"novelty": "-(log2(0.5) + log2(0.125)) / 2"}),
    "long_tail_share": ("the first 2 items have the values 1 and 0", {"long_tail_share": "(1 + 0) / 2"}),
    "categorical_diversity": ("the first 2 items have 1 category", {"categorical_diversity": "1 / 2"}),
    "intra_list_diversity": (
        "the first 2 items have 1 of 2 categories in common",
        {"intra_list_diversity": "1 - 1 / 2"},
    ),
    "rank_items": (
        "both users have a, and one has c, which is relevant; b has the second popularity of 3 distinct, "
        "and c the third. Without either user, 2 of 4 items are covered",
        {
            "value_1": "(9 + 1) / 2",
            "value_2": "((4 + 1 - 2) / 4 - (4 + 1 - 3) / 4) / 2",
            "value_3": "3 / 4 + (2 - 1) * ((2 / 4 + 2 / 4) / 2 - 2 / 4)",
            "value_4": "(9 + 4) / 2",
            "value_5": "0 / 2",
            "value_6": "3 / 4 + (2 - 1) * ((2 / 4 + 2 / 4) / 2 - 2 / 4)",
        },
    ),
    "concentration": (
        "the exposures are 0.25, 0.5, 0.75 and 0.9 in ascending order, and their sum 2.4",
        {
            "mean": "2.4 / 4",
            "gini": "(-3 * 0.25 - 1 * 0.5 + 1 * 0.75 + 3 * 0.9) / (4 * 2.4)",
            "entropy": "-(0.25 * log2(0.25 / 2.4) + 0.5 * log2(0.5 / 2.4) + 0.75 * log2(0.75 / 2.4) "
            "+ 0.9 * log2(0.9 / 2.4)) / 2.4",
        },
    ),
    "alpha_ndcg": (ASPECTS, {"alpha_ndcg": "(1 / log2(2) + 0 / log2(3)) / (2 / log2(2) + 1 / log2(3))"}),
    "alpha_dcg": (
        ASPECTS,
        {"alpha_dcg": "(1 / log2(2) + 0 / log2(3)) / (3 / log2(2) + 3 * 0.5 / log2(3))"},
    ),
    "nerr_ia": (ASPECTS, {"nerr_ia": "(1 / 1 + 0 / 2) / (2 / 1 + 1 / 2)"}),
    "err_ia": (ASPECTS, {"err_ia": "(1 / 1 + 0 / 2) / (3 / 1 + 3 * 0.5 / 2)"}),
    "nnrbp": (ASPECTS, {"nnrbp": "(1 * 0.5^0 + 0 * 0.5^1) / (2 * 0.5^0 + 1 * 0.5^1)"}),
    "nrbp": (ASPECTS, {"nrbp": "(1 - 0.5 * 0.5) / 3 * (1 * 0.5^0 + 0 * 0.5^1)"}),
    "subtopic_recall": (ASPECTS, {"subtopic_recall": "1 / 3"}),
    "precision_ia": (ASPECTS, {"precision_ia": "(1 + 0) / (2 * 3)"}),
    "average_precision_ia": (ASPECTS, {"average_precision_ia": "((1 / 1) / 2 + 0 / 1 + 0 / 1) / 3"}),
    "weighted_mean_ci": (
        "the values 0.5, 0.75, 0.25 and 0.9 have the weights 3, 1, 2 and 4",
        {
            "mean": "(3 * 0.5 + 1 * 0.75 + 2 * 0.25 + 4 * 0.9) / (3 + 1 + 2 + 4)",
            "design_effect": "4 * (3^2 + 1^2 + 2^2 + 4^2) / (3 + 1 + 2 + 4)^2",
            "effective_n": "4 / design_effect",
        },
    ),
    "weighted_paired_comparison": (
        "the differences are 0.1, 0.25, -0.05 and 0.2, and their weights 3, 1, 2 and 4",
        {"mean_difference": "(3 * 0.1 + 1 * 0.25 - 2 * 0.05 + 4 * 0.2) / (3 + 1 + 2 + 4)"},
    ),
    "mean_ci": (
        SAMPLE,
        {
            "low": "0.6 - 3.182446 * sqrt(0.245 / 3) / sqrt(4)",
            "high": "0.6 + 3.182446 * sqrt(0.245 / 3) / sqrt(4)",
        },
    ),
    "paired_t_test": (PAIRS, {"statistic": "0.125 / (sqrt(0.0525 / 3) / sqrt(4))"}),
    "wilcoxon_signed_rank": (
        f"{PAIRS}. 2 of the 16 choices of signs have a sum of ranks of at most 1",
        {"statistic": "min(2 + 4 + 3, 1)", "p_value": "2 * 2 / 2^4"},
    ),
    "randomization_test": (
        f"{PAIRS}. 2 of the 16 choices of signs have a mean of at least 0.125, and 15 one of at most 0.125",
        {"p_value": "min(1, 2 * min(2 / 2^4, 15 / 2^4))"},
    ),
    "win_tie_loss": (PAIRS, {"wins": "1 + 1 + 0 + 1", "ties": "0 + 0 + 0 + 0", "losses": "0 + 0 + 1 + 0"}),
    "paired_comparison": (
        f"{PAIRS}. Student's t is 3.182446",
        {
            "mean_a": "(0.5 + 0.75 + 0.25 + 0.9) / 4",
            "mean_b": "(0.4 + 0.5 + 0.3 + 0.7) / 4",
            "mean_difference": "mean_a - mean_b",
            "low": "mean_difference - 3.182446 * sqrt(0.0525 / 3) / sqrt(4)",
            "high": "mean_difference + 3.182446 * sqrt(0.0525 / 3) / sqrt(4)",
            "statistic": "mean_difference / (sqrt(0.0525 / 3) / sqrt(4))",
            "effect_size": "mean_difference / sqrt(0.0525 / 3)",
        },
    ),
    "partially_overlapping_t_test": (
        f"all users have both values. {PAIRS}",
        {
            "mean_difference": "(0.5 + 0.75 + 0.25 + 0.9) / 4 - (0.4 + 0.5 + 0.3 + 0.7) / 4",
            "statistic": "mean_difference / (sqrt(0.0525 / 3) / sqrt(4))",
        },
    ),
    "judge_corrected_mean": (
        "people judged four of five users, whose deviations from their mean are -0.1, 0.15, -0.35 and 0.3, "
        "and those of the judge -0.1125, 0.0875, -0.1625 and 0.1875",
        {
            "mean_human": "(0.5 + 0.75 + 0.25 + 0.9) / 4",
            "mean_judge": "(0.4 + 0.6 + 0.35 + 0.7 + 0.9) / 5",
            "judge_weight": "(0.1 * 0.1125 + 0.15 * 0.0875 + 0.35 * 0.1625 + 0.3 * 0.1875) "
            "/ (0.1125^2 + 0.0875^2 + 0.1625^2 + 0.1875^2)",
            "mean": "mean_human + judge_weight * (mean_judge - (0.4 + 0.6 + 0.35 + 0.7) / 4)",
        },
    ),
    "weighted_judge_corrected_mean": (
        "people judged four of five users, with the weights 3, 1, 2 and 4. Their deviations from the "
        "weighted mean are -0.135, 0.115, -0.385 and 0.265, and those of the judge -0.13, 0.07, -0.18 and "
        "0.17",
        {
            "mean_human": "(3 * 0.5 + 1 * 0.75 + 2 * 0.25 + 4 * 0.9) / (3 + 1 + 2 + 4)",
            "mean_judge": "(0.4 + 0.6 + 0.35 + 0.7 + 0.9) / 5",
            "judge_weight": "(3 * 0.135 * 0.13 + 1 * 0.115 * 0.07 + 2 * 0.385 * 0.18 + 4 * 0.265 * 0.17) "
            "/ (3 * 0.13^2 + 1 * 0.07^2 + 2 * 0.18^2 + 4 * 0.17^2)",
            "mean": "mean_human + judge_weight * (mean_judge - (3 * 0.4 + 1 * 0.6 + 2 * 0.35 + 4 * 0.7) "
            "/ (3 + 1 + 2 + 4))",
        },
    ),
    "tukey_hsd": (
        "the means of the systems are 0.6, 0.475 and 0.8125. 918, 336 and 18 of the 6^4 ways have a range "
        "of means of at least 0.125, 0.2125 and 0.3375",
        {"p_1": "918 / 6^4", "p_2": "336 / 6^4", "p_3": "18 / 6^4"},
    ),
    "geometric_mean_values": (
        "the two users have 0.25 and 1. Without one of them, the mean is the value of the other one",
        {
            "value_1": "sqrt(0.25 * 1) + (2 - 1) * ((1 + 0.25) / 2 - 1)",
            "value_2": "sqrt(0.25 * 1) + (2 - 1) * ((1 + 0.25) / 2 - 0.25)",
        },
    ),
    "corrected_p_values": (
        "the p-values of the three tests are 0.01, 0.04 and 0.03",
        {"p_1": "min(1, 3 * 0.01)", "p_3": "max(p_1, min(1, 2 * 0.03))", "p_2": "max(p_3, min(1, 1 * 0.04))"},
    ),
}


def pages() -> dict[str, str]:
    """Return the text of each page, keyed by the name that all forms of its function share."""
    families: dict[str, list[Function]] = {}
    for function in rankdcg_sql.functions():
        families.setdefault(function.base, []).append(function)
    return {base: _page(base, forms) for base, forms in families.items()}


def _page(base: str, forms: list[Function]) -> str:
    first = forms[0]
    parts = [
        f"# {base}",
        _sentence(first.summary),
        _formula(first) + _numbers(first),
        f"Result: {_result(first)}",
        f"Source: {first.source}.",
        "## Examples\n\n" + _examples(forms),
        "## Forms\n\n" + (_forms_and_options(forms) if len(forms) > 1 else _only_form(first)),
    ]
    return "\n\n".join(filter(None, parts)) + "\n"


def _sentence(text: str) -> str:
    """End a text with a full stop, and begin it with a capital unless its first word is a name."""
    first = re.match(r"\w*", text)
    begin = text[0].upper() if first and first[0].islower() and "_" not in first[0] else text[0]
    return f"{begin}{text[1:]}".rstrip(".") + "."


def table(columns: list[str], rows: list[list[str]]) -> str:
    """Write a table in Markdown."""
    lines = [columns, ["---"] * len(columns), *([cell.replace("|", "\\|") for cell in row] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _symbols(latex: str, meanings: dict[str, str]) -> list[str]:
    """List the symbols of a formula, each once. A symbol that has no meaning here is an error."""
    plain = re.sub(r"\\mathrm\{[^}]*\}'?|\\(?!Phi|sigma)[a-zA-Z]+", " ", latex)
    found = re.findall(r"p'?_\{\(\w\)\}|[a-zA-Z]\^\*_\w|(?:Phi|sigma|[a-zA-Z])(?:_\w)?", plain)
    # The j-th and the (i+1)-th of something are explained with the i-th.
    names = [re.sub(r"_j$", "_i", name.replace("_{(j)}", "_{(i)}").replace("'", "")) for name in found]
    return [name for name in dict.fromkeys(names) if meanings[name]]


def _written(symbol: str) -> str:
    """Write a symbol in LaTeX. Greek letters are commands, and means have a bar."""
    return f"\\bar{{{symbol}}}" if symbol in "dx" else re.sub("Phi|sigma", r"\\\g<0>", symbol)


def _formula(function: Function) -> str:
    text = f"In words: {function.formula}."
    if pages := [f"[{name}]({name}.md)" for name in function.fields if name in NUMBERS]:
        text += f" The pages of {', '.join(pages[:-1])} and {pages[-1]} have the formulas."
    if not function.latex:
        return text
    meanings = SYMBOLS | ({"n": SAMPLE_SIZES[function.required]} if function.form == "sample" else {})
    meanings |= {"rankings": SYMBOLS_OF_RANKINGS, "aspects": SYMBOLS_OF_ASPECTS}.get(function.form, {})
    listed = [f"- ${_written(name)}$: {meanings[name]}" for name in _symbols(function.latex, meanings)]
    return "\n\n".join([f"$$\n{function.latex}\n$$", "\n".join(listed), text])


def _numbers(function: Function) -> str:
    """Write the formula in the numbers of the first example. It is an error if the function has others."""
    if function.base not in NUMBERS:
        return ""
    given, terms = NUMBERS[function.base]
    ((answer,),) = _connection().sql(function.examples.sql).fetchall()
    if isinstance(answer, list):
        name = "value" if function.form == "items" else "p"
        answer = {f"{name}_{place}": value for place, value in enumerate(answer, 1)}
    answers = answer if isinstance(answer, dict) else {function.base: answer}
    values: dict[str, float] = {}
    for name, term in terms.items():
        values[name] = eval(term.replace("^", "**"), {"log2": log2, "sqrt": sqrt}, values)
        if not isclose(values[name], answers.get(name, values[name]), rel_tol=1e-6):
            raise ValueError(f"{function.name}: {name} is {answers[name]}, and {term} is {values[name]}")
    lines = [f"- `{name} = {term} = {values[name]:.6g}`" for name, term in terms.items()]
    return f" In numbers, for the first example: {given}.\n\n" + "\n".join(lines)


def _only_form(form: Function) -> str:
    """Write a sentence about the only form of a function, and one about its options."""
    in_polars = f", in [Polars](../polars.md) `rk.{form.expression}`," if form.expression else ""
    is_aggregate = " is an aggregate and" if form.is_aggregate else ""
    reads = catalogue.forms()[form.form].reads
    text = (
        f"`{form.name}({form.signature})`{in_polars}{is_aggregate} reads {reads}. "
        "See [Arguments](../functions.md#arguments)"
    )
    if not form.options:
        return f"{text}. It has no options."
    (defaults,) = _defaults([form]).values()
    return f"{text} and [Options](../options.md#options), whose defaults are {', '.join(defaults)}."


def _forms_and_options(forms: list[Function]) -> str:
    """Write a table of the forms, and the options with their defaults, in a line for the same forms."""
    rows = [
        [
            f"`{form.name}({form.signature})`" + "".join(f", also `{alias}`" for alias in form.aliases),
            ("aggregate: " if form.is_aggregate else "") + catalogue.forms()[form.form].reads,
            f"`rk.{form.expression}`" if form.expression else "",
        ]
        for form in forms
    ]
    links = "[arguments](../functions.md#arguments) and [options](../options.md#options)"
    lines = [
        f"- {'All forms' if len(names) == len(forms) else ', '.join(names)}: {', '.join(defaults)}"
        for names, defaults in _defaults(forms).items()
    ]
    return "\n".join(
        [
            table([f"SQL, with {links}", "reads", "[Polars](../polars.md)"], rows),
            "",
            "## Options and their defaults",
            "",
            *lines,
        ]
    )


def _defaults(forms: list[Function]) -> dict[tuple[str, ...], list[str]]:
    """Return the options with their defaults, keyed by the forms that have them."""
    taken: dict[tuple[str, ...], list[str]] = {}
    for option in rankdcg_sql.options():
        having = [form for form in forms if option.name in form.options]
        if having:
            default = next(
                (form.defaults[option.name] for form in having if option.name in form.defaults),
                option.default,
            )
            taken.setdefault(tuple(form.name for form in having), []).append(f"`{option.name}={default}`")
    return taken


def _result(function: Function) -> str:
    several = function.output in ("metrics", "metrics_at", "measures") and function.form != "sample"
    each = "similarity" if function.form == "rankings" else "metric"
    extent = f"Each {each} is {function.range}" if several else _sentence(function.range).rstrip(".")
    condition = ", with the default options" if re.fullmatch(r"-?\d (to \d|or more)", function.range) else ""
    lines = [f"`{function.result}`. {extent}{condition}."]
    if function.truth_needs and "no_relevant" in function.options:
        needs = function.truth_needs
        lines.append(
            f"A user without {needs} in the judgements has NULL, unless `no_relevant` says otherwise."
        )
    if function.form == "aspects":
        reason = catalogue.null_reason(function, {})
        lines.append(f"NULL where `truth` is, and {reason}, unless `no_relevant` says otherwise.")
    if function.form in ("rankings", "values"):
        reason = catalogue.null_reason(function, {})
        lists = " or ".join(f"`{each.name}`" for each in function.parameters if each.required)
        lines.append(f"NULL where {lists} is{f', and {reason}' if reason else ''}.")
    return " ".join(lines)


@cache
def _connection() -> duckdb.DuckDBPyConnection:
    return rankdcg_sql.connect()


def _examples(forms: list[Function]) -> str:
    """Write an example of each form in SQL with the answer of now. Docstrings have those in Polars."""
    statements = []
    for form in forms:
        rows = _connection().sql(form.examples.sql).fetchall()
        answer = ", ".join(str(value) for row in rows for value in row)
        statements.append(f"{form.examples.sql};  -- {answer}")
    return "\n".join(["```sql", *statements, "```"])
