"""Measures that other packages compute and this one does not, and other spellings of those that it does.

The tables below are the only place of these facts: errors about names, and the page
``docs/measures_elsewhere.md``, are written from them. A measure that is added to the catalogue loses its row.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

#: Regular expressions that bring a name to plain letters, for Python and for DuckDB, each with the text in
#: place of a match: arguments, blanks and the like, and a cutoff, such as ``@10``, ``_at_k`` or ``_0.10``.
TO_PLAIN_LETTERS = (
    (r"\(.*?\)", ""),
    (r"[-. ]+", "_"),
    (r"(_at)?[_\x40]+([0-9][0-9,_]*|k|n|all)$", ""),
)


@dataclass(frozen=True)
class Elsewhere:
    """A measure, or a family of measures, that other packages compute.

    Attributes
    ----------
    names : str
        Its usual names in plain letters, with blanks between them.
    about : str
        A few words that say what it measures.
    packages : tuple of str
        Who computes it: the name of a package, with that of the measure there in brackets.
    here : str
        A sentence about what comes near it here, without a full stop; empty if nothing does.
    """

    names: str
    about: str
    packages: tuple[str, ...]
    here: str = ""

    @property
    def advice(self) -> str:
        """A phrase that says that it is not computed here, and by whom it is."""
        *others, last = self.packages
        listed = f"{', '.join(others)} and {last} do" if others else f"{last} does"
        return f"rankdcg_sql does not compute {self.about}, but {listed}" + (self.here and f"; {self.here}")


#: The measures that are not here, by what they are about.
ELSEWHERE: dict[str, tuple[Elsewhere, ...]] = {
    "Incomplete judgements": (
        Elsewhere(
            "bpref",
            "binary preference",
            ("pytrec_eval (bpref)", "ir_measures (Bpref)", "ranx (bpref)", "TensorFlow Ranking (bpref)"),
        ),
        Elsewhere("gm_bpref", "the geometric mean of binary preference", ("pytrec_eval (gm_bpref)",)),
        Elsewhere(
            "infap inf_ap inferred_ap",
            "inferred average precision",
            ("pytrec_eval (infAP)", "ir_measures (infAP)"),
        ),
        Elsewhere(
            "xinfap infndcg inf_ndcg",
            "extended inferred average precision and inferred NDCG",
            ("sample_eval.pl of TREC",),
        ),
        Elsewhere(
            "statap stat_ap", "the sampling estimate of average precision", ("statAP_MQ_eval of TREC",)
        ),
        Elsewhere("judged", "the share of judged items in the top k", ("ir_measures (Judged)",)),
        Elsewhere("hole", "the share of items without a judgement in the top k", ("MTEB (hole)",)),
        Elsewhere("rbp_residual residual", "the residual of RBP", ("cwl-eval (option -r)",)),
    ),
    "Other measures of trec_eval": (
        Elsewhere(
            "gm_map gmap",
            "the geometric mean of average precision",
            ("pytrec_eval (gm_map)", "trectools (get_geometric_map)"),
            "in SQL it is exp(avg(ln(greatest(average_precision, 0.00001))))",
        ),
        Elsewhere(
            "num_q num_rel num_ret num_rel_ret num_nonrel_judged_ret numq numrel numret numrelret",
            "numbers of queries and documents as measures",
            ("pytrec_eval (num_q, num_rel, num_ret)", "ir_measures (NumQ, NumRel, NumRet)"),
            "rank_evaluate has the columns retrieved and judged",
        ),
        Elsewhere(
            "iprec_at_recall iprec interpolated_precision interpolated_precision_at_recall",
            "interpolated precision at levels of recall",
            ("pytrec_eval (iprec_at_recall)", "ir_measures (IPrec)"),
        ),
        Elsewhere(
            "11pt_avg 11pt eleven_point_average",
            "interpolated precision averaged over eleven levels of recall",
            ("pytrec_eval (11pt_avg)",),
        ),
        Elsewhere(
            "set_map setap",
            "the product of precision and recall of the whole list",
            ("pytrec_eval (set_map)", "ir_measures (SetAP)"),
        ),
        Elsewhere(
            "set_relative_p setrelp",
            "the precision of the whole list, relative to the largest possible one",
            ("pytrec_eval (set_relative_P)", "ir_measures (SetRelP)"),
        ),
        Elsewhere(
            "rprec_mult",
            "precision at multiples of the number of relevant items",
            ("pytrec_eval (Rprec_mult)",),
        ),
        Elsewhere(
            "rndcg ndcg_rel",
            "variants of NDCG without a fixed cutoff",
            ("pytrec_eval (Rndcg, ndcg_rel)",),
        ),
        Elsewhere("g bing", "normalised gain", ("pytrec_eval (G, binG)",)),
        Elsewhere("utility", "the linear utility of a set of items", ("pytrec_eval (utility)",)),
        Elsewhere(
            "prefs prefs_simp prefs_pair prefs_avgjg",
            "preferences between pairs of documents",
            ("trec_eval (prefs)",),
        ),
    ),
    "Models of users": (
        Elsewhere("inst insq", "INST and INSQ", ("ir_measures (INST, INSQ)", "cwl-eval (INST, INSQ)")),
        Elsewhere("bpm", "the Bejeweled Player Model", ("ir_measures (BPM)", "cwl-eval (BPM)")),
        Elsewhere("tbg", "time-biased gain", ("cwl-eval (TBG)",)),
        Elsewhere("u_measure umeasure", "the U-measure", ("cwl-eval (U-L)",)),
        Elsewhere("ift", "measures of information foraging", ("cwl-eval (IFT)",)),
        Elsewhere(
            "nerr8 nerr9 nerr10 nerr11",
            "nearly expected reciprocal rank",
            ("ir_measures (NERR8 to NERR11)", "cwl-eval (NERR)"),
        ),
        Elsewhere("nerr", "normalised expected reciprocal rank", ("pyNTCIREVAL (nERR)",)),
        Elsewhere("sdcg", "scaled discounted cumulative gain", ("ir_measures (SDCG)",)),
        Elsewhere("compat compatibility", "compatibility with ideal rankings", ("ir_measures (Compat)",)),
        Elsewhere(
            "q_measure qmeasure o_measure p_measure p_plus ncu",
            "the Q-measure and its relatives",
            ("pyNTCIREVAL (Q-measure, O-measure, P-measure, P-plus, NCU)",),
        ),
        Elsewhere("ncrr", "normalised cumulative reciprocal rank", ("Cornac (NCRR)",)),
        Elsewhere("pwa", "the position-weighted average of relevance", ("TensorFlow Ranking (pwa)",)),
    ),
    "Subtopics": (
        Elsewhere(
            "alpha_ndcg alpha_dcg",
            "alpha-nDCG and alpha-DCG",
            (
                "ir_measures (alpha_nDCG, alpha_DCG)",
                "pyndeval (alpha-nDCG, alpha-DCG)",
                "TensorFlow Ranking (alpha_dcg)",
            ),
        ),
        Elsewhere(
            "err_ia nerr_ia",
            "intent-aware expected reciprocal rank",
            ("ir_measures (ERR_IA, nERR_IA)", "pyndeval (ERR-IA, nERR-IA)"),
        ),
        Elsewhere(
            "map_ia ap_ia p_ia precision_ia",
            "intent-aware average precision and precision",
            ("ir_measures (AP_IA, P_IA)", "pyndeval (MAP-IA, P-IA)", "TensorFlow Ranking (precision_ia)"),
        ),
        Elsewhere(
            "nrbp nnrbp",
            "novelty- and rank-biased precision",
            ("ir_measures (NRBP, nNRBP)", "pyndeval (NRBP, nNRBP)"),
        ),
        Elsewhere(
            "strecall strec srecall s_recall subtopic_recall",
            "the recall of subtopics",
            ("ir_measures (StRecall)", "pyndeval (strec)", "Elliot (SRecall)"),
        ),
    ),
    "Two rankings": (
        Elsewhere(
            "rbo rank_biased_overlap",
            "the rank-biased overlap of two rankings",
            ("rbo (RankingSimilarity)", "LensKit (rank_biased_overlap)"),
        ),
        Elsewhere(
            "spearman spearmanr spearman_rho spearmans_rho weighted_tau weightedtau",
            "Spearman's correlation of ranks and the weighted tau",
            ("SciPy (spearmanr, weightedtau)",),
            "kendall_tau is a function of SQL and Polars",
        ),
        Elsewhere(
            "ndpm",
            "the normalised distance-based performance measure",
            ("RexMex (normalized_distance_based_performance_measure)",),
        ),
        Elsewhere("intersection", "the items that two models have in common", ("RecTools (Intersection)",)),
        Elsewhere("p_mrr", "the change of ranks after an instruction", ("MTEB (p-MRR)",)),
    ),
    "Areas under curves": (
        Elsewhere(
            "gauc group_auc",
            "AUC as a weighted mean over users",
            ("RecBole (GAUC)", "Elliot (GAUC)"),
            "the query gauc.sql does it, too",
        ),
        Elsewhere(
            "lauc limited_auc",
            "limited AUC",
            ("Elliot (LAUC)",),
            "auc pairs the hits and misses in the top k",
        ),
        Elsewhere(
            "pauc partial_auc pap",
            "the partial area under the ROC curve",
            ("RecTools (PartialAUC, PAP)", "scikit-learn (roc_auc_score with max_fpr)"),
        ),
        Elsewhere(
            "pr_auc prauc auprc aupr auc_pr",
            "the area under the precision-recall curve",
            ("scikit-learn (precision_recall_curve, average_precision_score)", "RexMex (pr_auc_score)"),
            "average_precision of the whole list is this area by steps",
        ),
        Elsewhere("nauc", "the area under the curve of abstention", ("MTEB (nAUC)",)),
        Elsewhere(
            "opa ordered_pair_accuracy",
            "the accuracy of ordered pairs",
            ("TensorFlow Ranking (ordered_pair_accuracy)",),
        ),
    ),
    "Classes and predicted numbers": (
        Elsewhere(
            "logloss log_loss cross_entropy brier brier_score",
            "losses of predicted probabilities",
            ("scikit-learn (log_loss, brier_score_loss)", "Recommenders (logloss)", "RecBole (LogLoss)"),
        ),
        Elsewhere(
            "rmse mae mse r2 rsquared exp_var explained_variance",
            "errors of predicted ratings",
            ("Recommenders (rmse, mae, rsquared)", "LensKit (RMSE, MAE)", "Cornac (RMSE, MAE, MSE)"),
        ),
        Elsewhere(
            "accuracy",
            "the accuracy of pairs or of classes",
            ("ir_measures (Accuracy)", "RecTools (Accuracy)"),
        ),
        Elsewhere("mcc matthews", "Matthews' correlation coefficient", ("RecTools (MCC)",)),
        Elsewhere(
            "fall_out fallout",
            "the share of irrelevant items retrieved",
            ("TorchMetrics (RetrievalFallOut)",),
        ),
        Elsewhere(
            "f_beta fbeta f2",
            "the F-measure with another weight than 1",
            ("RecTools (F1Beta)", "Evidently (FBetaTopK)"),
        ),
        Elsewhere(
            "g_measure g_mean",
            "the geometric mean of precision and recall",
            ("RexMex (fowlkes_mallows_index)",),
            "in SQL it is sqrt(precision * recall)",
        ),
        Elsewhere(
            "mar mark mean_average_recall", "mean average recall", ("recmetrics (mark)", "Elliot (MAR)")
        ),
        Elsewhere(
            "mean_rank gmean_rank", "the mean rank of relevant items", ("RexMex (mean_rank, gmean_rank)",)
        ),
        Elsewhere(
            "percentile_ranking", "the mean percentile of relevant items", ("RecPack (PercentileRanking)",)
        ),
    ),
    "Catalogues, popularity and diversity": (
        Elsewhere(
            "coverage catalog_coverage catalogue_coverage item_coverage",
            "the share of items that are recommended to anyone",
            (
                "RecTools (CatalogCoverage)",
                "RePlay (Coverage)",
                "Recommenders (catalog_coverage)",
                "recmetrics (catalog_coverage)",
            ),
            "the query coverage.sql does it, too",
        ),
        Elsewhere(
            "prediction_coverage distributional_coverage user_coverage covered_users",
            "other coverages",
            (
                "recmetrics (prediction_coverage)",
                "Recommenders (distributional_coverage)",
                "RecTools (CoveredUsers)",
                "Elliot (UserCoverage)",
            ),
        ),
        Elsewhere(
            "novelty",
            "the surprise of recommended items",
            (
                "RecTools (MeanInvUserFreq)",
                "Recommenders (novelty)",
                "recmetrics (novelty)",
                "Evidently (Novelty)",
            ),
            "the query coverage.sql does it, too",
        ),
        Elsewhere(
            "miuf mean_inv_user_freq", "the mean inverse user frequency", ("RecTools (MeanInvUserFreq)",)
        ),
        Elsewhere(
            "surprisal unexpectedness",
            "surprisal and unexpectedness",
            ("RePlay (Surprisal, Unexpectedness)",),
        ),
        Elsewhere(
            "epc efd",
            "the expected complement of popularity and the expected free discovery",
            ("Elliot (EPC, EFD)",),
        ),
        Elsewhere(
            "serendipity",
            "serendipity",
            ("RecTools (Serendipity)", "Recommenders (serendipity)", "Evidently (Serendipity)"),
        ),
        Elsewhere(
            "diversity ild ils intra_list_diversity intra_list_similarity",
            "the diversity of the items in a list",
            (
                "RecTools (IntraListDiversity)",
                "Recommenders (diversity)",
                "Evidently (Diversity)",
                "recmetrics (intra_list_similarity)",
            ),
        ),
        Elsewhere(
            "categorical_diversity", "the number of categories in a list", ("RePlay (CategoricalDiversity)",)
        ),
        Elsewhere(
            "personalization personalisation",
            "the dissimilarity of the lists of users",
            ("recmetrics (personalization)", "Evidently (Personalization)", "RexMex (personalization)"),
        ),
        Elsewhere(
            "gini gini_index exposure_gini",
            "the inequality of exposure",
            ("RecBole (GiniIndex)", "Elliot (Gini)", "LensKit (ListGini, ExposureGini)"),
            "the query coverage.sql does it, too",
        ),
        Elsewhere(
            "entropy shannon_entropy",
            "the entropy of recommended items",
            ("RecBole (ShannonEntropy)", "Elliot (SEntropy)", "LensKit (entropy)"),
        ),
        Elsewhere(
            "popularity average_popularity avg_popularity avg_rec_popularity popularity_bias mean_pop_rank "
            "tail_percentage aplt aclt",
            "the popularity of recommended items",
            (
                "RecTools (AvgRecPopularity)",
                "RecBole (AveragePopularity, TailPercentage)",
                "Elliot (ARP, APLT, ACLT)",
                "LensKit (MeanPopRank)",
            ),
            "the query coverage.sql has the mean number of owners",
        ),
        Elsewhere(
            "arp",
            "average recommendation popularity or average relevance position",
            ("Elliot (ARP)", "RecTools (AvgRecPopularity)", "TensorFlow Ranking (arp, of positions)"),
        ),
        Elsewhere(
            "fairness reo rsp pop_reo pop_rsp popreo poprsp",
            "fairness towards groups of users or items",
            ("Elliot (REO, RSP, PopREO, PopRSP)",),
        ),
    ),
    "Logged feedback and language models": (
        Elsewhere(
            "ips snips ipw snipw",
            "off-policy estimates",
            ("Open Bandit Pipeline (InverseProbabilityWeighting)", "RecPack (IPSHitRateK)"),
        ),
        Elsewhere(
            "context_precision context_recall faithfulness answer_relevancy answer_relevance",
            "the judgements of a language model",
            ("Ragas (ContextPrecision, ContextRecall, Faithfulness)",),
        ),
    ),
}

#: Names of other packages, in plain letters, for metrics with certain arguments, and what to write here.
SPELLINGS = {
    "set_p": "precision of the whole list",
    "setp": "precision of the whole list",
    "set_recall": "recall of the whole list",
    "setr": "recall of the whole list",
    "set_f": "f1 of the whole list",
    "setf": "f1 of the whole list",
    "relative_p": "recall with the option recall_denominator=min_truth_k",
    "ndcg_burges": "ndcg with the option gain=exp2",
    "dcg_burges": "dcg with the option gain=exp2",
    "hits": "hit_rate, or cg of a truth without relevances",
    "arhr": "mrr, if each user has one relevant item",
}


def in_plain_letters(name: str) -> str:
    """Return a name as the tables write it: small letters, ``_`` between words, and no cutoff."""
    plain = name.lower()
    for part, instead in TO_PLAIN_LETTERS:
        plain = re.sub(part, instead, plain)
    return plain


@cache
def measures_elsewhere() -> dict[str, Elsewhere]:
    """Return the measures that are not here, keyed by each of their names in plain letters."""
    return {name: row for rows in ELSEWHERE.values() for row in rows for name in row.names.split()}


@cache
def advice() -> dict[str, str]:
    """Return what to say about each name in plain letters that is not one of a metric here."""
    elsewhere = {name: row.advice for name, row in measures_elsewhere().items()}
    return elsewhere | {name: f"did you mean {here}?" for name, here in SPELLINGS.items()}


def advice_on(name: str) -> str | None:
    """Return what to say about a name of a measure, with or without a cutoff; None if it is unknown."""
    return advice().get(in_plain_letters(name))
