# Written by `make docs` from the catalogue: do not edit. The writer is tools/generate_option_types.py.
# ruff: noqa: UP013
"""The options of each function as keyword arguments, for type checkers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypedDict

__all__ = [
    "AucAggOptions", "AucOptions", "AucRowsOptions", "AucScoredOptions", "AveragePrecisionAggOptions",
    "AveragePrecisionOptions", "AveragePrecisionRowsOptions", "AveragePrecisionScoredOptions",
    "BootstrapCiOptions", "CgAggOptions", "CgOptions", "CgRelsOptions", "CgRowsOptions", "CgScoredOptions",
    "CorrectedPValuesOptions", "DcgAggOptions", "DcgOptions", "DcgRelsOptions", "DcgRowsOptions",
    "DcgScoredOptions", "ErrAggOptions", "ErrOptions", "ErrRelsOptions", "ErrRowsOptions",
    "ErrScoredOptions", "F1AggOptions", "F1Options", "F1RowsOptions", "F1ScoredOptions",
    "HitRateAggOptions", "HitRateOptions", "HitRateRowsOptions", "HitRateScoredOptions", "IdcgAggOptions",
    "IdcgOptions", "IdcgRelsOptions", "IdcgRowsOptions", "IdcgScoredOptions", "JaccardIndexOptions",
    "KendallTauAggOptions", "KendallTauOptions", "MeanCiOptions", "MrrAggOptions", "MrrOptions",
    "MrrRowsOptions", "MrrScoredOptions", "NdcgAggOptions", "NdcgOptions", "NdcgRelsOptions",
    "NdcgRowsOptions", "NdcgScoredOptions", "OverlapOptions", "PairedComparisonOptions",
    "PairedTTestOptions", "PairedTTestPowerOptions", "PartiallyOverlappingTTestOptions",
    "PrecisionAggOptions", "PrecisionOptions", "PrecisionRowsOptions", "PrecisionScoredOptions",
    "RPrecisionAggOptions", "RPrecisionOptions", "RPrecisionRowsOptions", "RPrecisionScoredOptions",
    "RandomizationTestOptions", "RankEvaluationByUserOptions", "RankExplainByUserOptions",
    "RankExplainOptions", "RankExplainRowsOptions", "RankMetricsAggOptions", "RankMetricsAtAggOptions",
    "RankMetricsAtByUserOptions", "RankMetricsAtOptions", "RankMetricsAtRowsOptions",
    "RankMetricsAtScoredOptions", "RankMetricsByUserOptions", "RankMetricsOptions",
    "RankMetricsRowsOptions", "RankMetricsScoredOptions", "RankSimilarityOptions", "RankdcgAggOptions",
    "RankdcgOptions", "RankdcgRowsOptions", "RankedListOptions", "RboOptions", "RbpAggOptions",
    "RbpOptions", "RbpRowsOptions", "RbpScoredOptions", "RecallAggOptions", "RecallOptions",
    "RecallRowsOptions", "RecallScoredOptions", "RocAucAggOptions", "RocAucOptions", "SpearmanRhoOptions",
    "TauApOptions", "TukeyHsdOptions", "WeightedMeanCiOptions", "WeightedPairedComparisonOptions",
    "WeightedTauOptions", "WilcoxonSignedRankOptions", "WinTieLossOptions",
]  # fmt: skip


_Metric = TypedDict("_Metric", {"metric": Literal["ndcg", "precision", "recall", "f1", "mrr",
    "average_precision", "cg", "dcg", "r_precision", "rbp", "err", "rankdcg"]}, total=False)  # fmt: skip
_PrecisionDenominator = TypedDict("_PrecisionDenominator", {"precision_denominator":
    Literal["retrieved", "k"]}, total=False)  # fmt: skip
_RecallDenominator = TypedDict("_RecallDenominator", {"recall_denominator": Literal["truth",
    "min_truth_k"]}, total=False)  # fmt: skip
_ApDenominator = TypedDict("_ApDenominator", {"ap_denominator": Literal["truth", "min_truth_k",
    "hits", "k", "min_truth_retrieved"]}, total=False)  # fmt: skip
_ApSteps = TypedDict("_ApSteps", {"ap_steps": Literal["rank", "threshold"]}, total=False)
_Gain = TypedDict("_Gain", {"gain": Literal["exp2", "linear", "binary"] | Sequence[float]}, total=False)
_Discount = TypedDict("_Discount", {"discount": Literal["log2", "log2_clip", "ln"]}, total=False)
_Idcg = TypedDict("_Idcg", {"idcg": Literal["truth", "retrieved", "k"]}, total=False)
_MinRel = TypedDict("_MinRel", {"min_rel": Literal["unset"] | float | None}, total=False)
_P = TypedDict("_P", {"p": float}, total=False)
_RbpGain = TypedDict("_RbpGain", {"rbp_gain": Literal["binary", "linear"]}, total=False)
_RboUnseen = TypedDict("_RboUnseen", {"rbo_unseen": Literal["extrapolate", "min", "max"]}, total=False)
_OverlapDenominator = TypedDict("_OverlapDenominator", {"overlap_denominator": Literal["longer",
    "shorter", "k"]}, total=False)  # fmt: skip
_MaxRel = TypedDict("_MaxRel", {"max_rel": Literal["unset"] | float | None}, total=False)
_NoRelevant = TypedDict("_NoRelevant", {"no_relevant": Literal["null", "zero", "one", "error",
    "one_if_rec_empty"]}, total=False)  # fmt: skip
_EmptyRec = TypedDict("_EmptyRec", {"empty_rec": Literal["zero", "null"]}, total=False)
_OneClass = TypedDict("_OneClass", {"one_class": Literal["half", "null", "zero", "by_class"]}, total=False)
_AucPairs = TypedDict("_AucPairs", {"auc_pairs": Literal["retrieved", "k"]}, total=False)
_Duplicates = TypedDict("_Duplicates", {"duplicates": Literal["first", "count"]}, total=False)
_Unjudged = TypedDict("_Unjudged", {"unjudged": Literal["zero", "skip"]}, total=False)
_Ties = TypedDict("_Ties", {"ties": Literal["average", "pessimistic", "optimistic", "input_order"]},
    total=False)  # fmt: skip
_ScoreType = TypedDict("_ScoreType", {"score_type": Literal["exact", "float32"]}, total=False)
_NullScores = TypedDict("_NullScores", {"null_scores": Literal["last", "skip"]}, total=False)
_Convention = TypedDict("_Convention", {"convention": Literal["hivemall_page", "hivemall_java",
    "trec_eval", "sklearn", "spark", "ranx", "replay", "rectools", "recommenders", "lenskit",
    "torchmetrics"]}, total=False)  # fmt: skip
_Confidence = TypedDict("_Confidence", {"confidence": float}, total=False)
_LowerBound = TypedDict("_LowerBound", {"lower_bound": Literal["unset"] | float | None}, total=False)
_UpperBound = TypedDict("_UpperBound", {"upper_bound": Literal["unset"] | float | None}, total=False)
_Skewness = TypedDict("_Skewness", {"skewness": Literal["ignored", "hall", "gaffke"]}, total=False)
_Resamples = TypedDict("_Resamples", {"resamples": int}, total=False)
_Seed = TypedDict("_Seed", {"seed": int}, total=False)
_Alternative = TypedDict("_Alternative", {"alternative": Literal["two_sided", "less", "greater",
    "equivalence"]}, total=False)  # fmt: skip
_Margin = TypedDict("_Margin", {"margin": float}, total=False)
_Alpha = TypedDict("_Alpha", {"alpha": float}, total=False)
_Power = TypedDict("_Power", {"power": float}, total=False)
_Difference = TypedDict("_Difference", {"difference": Literal["unset"] | float | None}, total=False)
_Tolerance = TypedDict("_Tolerance", {"tolerance": float}, total=False)
_Correction = TypedDict("_Correction", {"correction": Literal["holm", "bonferroni",
    "benjamini_hochberg"]}, total=False)  # fmt: skip
_TiesAgg = TypedDict("_TiesAgg", {"ties": Literal["average", "pessimistic", "optimistic"]}, total=False)
_TiesRows = TypedDict("_TiesRows", {"ties": Literal["average", "pessimistic", "optimistic",
    "item_asc", "item_desc"]}, total=False)  # fmt: skip
_ShortApDenominator = TypedDict("_ShortApDenominator", {"denominator": Literal["truth",
    "min_truth_k", "hits", "k", "min_truth_retrieved"]}, total=False)  # fmt: skip
_ShortOverlapDenominator = TypedDict("_ShortOverlapDenominator", {"denominator": Literal["longer",
    "shorter", "k"]}, total=False)  # fmt: skip
_ShortPrecisionDenominator = TypedDict("_ShortPrecisionDenominator", {"denominator":
    Literal["retrieved", "k"]}, total=False)  # fmt: skip
_ShortRecallDenominator = TypedDict("_ShortRecallDenominator", {"denominator": Literal["truth",
    "min_truth_k"]}, total=False)  # fmt: skip


class _OfItems(_NoRelevant, _EmptyRec, _Duplicates, _Convention, total=False):
    """The options of most functions of items."""


class _OfScores(_NoRelevant, _EmptyRec, _Ties, _ScoreType, _Convention, total=False):
    """The options of most functions of scores."""


class _OfRows(_NoRelevant, _EmptyRec, _TiesAgg, _ScoreType, _Convention, total=False):
    """The options of most functions of rows."""


class _OfUsers(_NoRelevant, _EmptyRec, _TiesRows, _ScoreType, _Convention, total=False):
    """The options of most functions of users."""


class PrecisionOptions(_PrecisionDenominator, _MinRel, _ShortPrecisionDenominator, _OfItems, total=False):
    """The options of `precision_at`."""


class RecallOptions(_RecallDenominator, _MinRel, _ShortRecallDenominator, _OfItems, total=False):
    """The options of `recall_at`."""


class F1Options(_PrecisionDenominator, _RecallDenominator, _MinRel, _OfItems, total=False):
    """The options of `f1_at`."""


class HitRateOptions(_MinRel, _OfItems, total=False):
    """The options of `hit_rate`."""


class AveragePrecisionOptions(_ApDenominator, _MinRel, _ShortApDenominator, _OfItems, total=False):
    """The options of `average_precision`."""


class NdcgOptions(_Gain, _Discount, _Idcg, _MinRel, _OfItems, total=False):
    """The options of `ndcg`."""


class CgOptions(_OfItems, total=False):
    """The options of `cg`."""


class DcgOptions(_Gain, _Discount, _MinRel, _OfItems, total=False):
    """The options of `dcg`."""


class AucOptions(_MinRel, _OneClass, _AucPairs, _OfItems, total=False):
    """The options of `auc`."""


class RbpOptions(_MinRel, _P, _RbpGain, _OfItems, total=False):
    """The options of `rbp`."""


class ErrOptions(_MaxRel, _OfItems, total=False):
    """The options of `err`."""


class RankdcgOptions(_EmptyRec, _Unjudged, _Ties, _ScoreType, _Convention, total=False):
    """The options of `rankdcg`."""


class RankMetricsOptions(
    _PrecisionDenominator, _RecallDenominator, _ApDenominator, _Gain, _Discount, _Idcg, _MinRel, _OneClass,
    _AucPairs, _OfItems, total=False,
):  # fmt: skip
    """The options of `rank_metrics`."""


class RankExplainOptions(
    _Metric, _PrecisionDenominator, _RecallDenominator, _ApDenominator, _Gain, _Discount, _Idcg, _MinRel, _P,
    _RbpGain, _MaxRel, _Unjudged, _Ties, _ScoreType, _OfItems, total=False,
):  # fmt: skip
    """The options of `rank_explain`."""


class NdcgRelsOptions(_Gain, _Discount, _Idcg, _MinRel, _NoRelevant, _Convention, total=False):
    """The options of `ndcg_rels`."""


class CgRelsOptions(_NoRelevant, _Convention, total=False):
    """The options of `cg_rels`."""


class DcgRelsOptions(_Gain, _Discount, _MinRel, _NoRelevant, _Convention, total=False):
    """The options of `dcg_rels`."""


class ErrRelsOptions(_MaxRel, _NoRelevant, _Convention, total=False):
    """The options of `err_rels`."""


class PrecisionScoredOptions(
    _PrecisionDenominator, _MinRel, _ShortPrecisionDenominator, _OfScores, total=False
):
    """The options of `precision_at_scored`."""


class RecallScoredOptions(_RecallDenominator, _MinRel, _ShortRecallDenominator, _OfScores, total=False):
    """The options of `recall_at_scored`."""


class F1ScoredOptions(_PrecisionDenominator, _RecallDenominator, _MinRel, _OfScores, total=False):
    """The options of `f1_at_scored`."""


class HitRateScoredOptions(_MinRel, _OfScores, total=False):
    """The options of `hit_rate_scored`."""


class AveragePrecisionScoredOptions(
    _ApDenominator, _ApSteps, _MinRel, _ShortApDenominator, _OfScores, total=False
):
    """The options of `average_precision_scored`."""


class NdcgScoredOptions(_Gain, _Discount, _Idcg, _MinRel, _OfScores, total=False):
    """The options of `ndcg_scored`."""


class CgScoredOptions(_OfScores, total=False):
    """The options of `cg_scored`."""


class DcgScoredOptions(_Gain, _Discount, _MinRel, _OfScores, total=False):
    """The options of `dcg_scored`."""


class AucScoredOptions(_MinRel, _OneClass, _AucPairs, _OfScores, total=False):
    """The options of `auc_scored`."""


class RbpScoredOptions(_MinRel, _P, _RbpGain, _OfScores, total=False):
    """The options of `rbp_scored`."""


class ErrScoredOptions(_MaxRel, _OfScores, total=False):
    """The options of `err_scored`."""


class RocAucOptions(_MinRel, _Ties, _ScoreType, _Convention, total=False):
    """The options of `roc_auc`."""


class KendallTauOptions(_ScoreType, _Convention, total=False):
    """The options of `kendall_tau`."""


class RankMetricsScoredOptions(
    _PrecisionDenominator, _RecallDenominator, _ApDenominator, _ApSteps, _Gain, _Discount, _Idcg, _MinRel,
    _OneClass, _AucPairs, _OfScores, total=False,
):  # fmt: skip
    """The options of `rank_metrics_scored`."""


class PrecisionAggOptions(_PrecisionDenominator, _MinRel, _ShortPrecisionDenominator, _OfRows, total=False):
    """The options of `precision_at_agg`."""


class RecallAggOptions(_RecallDenominator, _MinRel, _ShortRecallDenominator, _OfRows, total=False):
    """The options of `recall_at_agg`."""


class F1AggOptions(_PrecisionDenominator, _RecallDenominator, _MinRel, _OfRows, total=False):
    """The options of `f1_at_agg`."""


class HitRateAggOptions(_MinRel, _OfRows, total=False):
    """The options of `hit_rate_agg`."""


class AveragePrecisionAggOptions(
    _ApDenominator, _ApSteps, _MinRel, _ShortApDenominator, _OfRows, total=False
):
    """The options of `average_precision_agg`."""


class NdcgAggOptions(_Gain, _Discount, _Idcg, _MinRel, _OfRows, total=False):
    """The options of `ndcg_agg`."""


class CgAggOptions(_OfRows, total=False):
    """The options of `cg_agg`."""


class DcgAggOptions(_Gain, _Discount, _MinRel, _OfRows, total=False):
    """The options of `dcg_agg`."""


class AucAggOptions(_MinRel, _OneClass, _AucPairs, _OfRows, total=False):
    """The options of `auc_agg`."""


class RbpAggOptions(_MinRel, _P, _RbpGain, _OfRows, total=False):
    """The options of `rbp_agg`."""


class ErrAggOptions(_MaxRel, _OfRows, total=False):
    """The options of `err_agg`."""


class RocAucAggOptions(_MinRel, _TiesAgg, _ScoreType, _Convention, total=False):
    """The options of `roc_auc_agg`."""


class RankdcgAggOptions(_EmptyRec, _Unjudged, _TiesAgg, _ScoreType, _Convention, total=False):
    """The options of `rankdcg_agg`."""


class RankMetricsAggOptions(
    _PrecisionDenominator, _RecallDenominator, _ApDenominator, _ApSteps, _Gain, _Discount, _Idcg, _MinRel,
    _OneClass, _AucPairs, _OfRows, total=False,
):  # fmt: skip
    """The options of `rank_metrics_agg`."""


class PrecisionRowsOptions(_PrecisionDenominator, _MinRel, _ShortPrecisionDenominator, _OfUsers, total=False):
    """The options of `precision_at_rows`."""


class RecallRowsOptions(_RecallDenominator, _MinRel, _ShortRecallDenominator, _OfUsers, total=False):
    """The options of `recall_at_rows`."""


class F1RowsOptions(_PrecisionDenominator, _RecallDenominator, _MinRel, _OfUsers, total=False):
    """The options of `f1_at_rows`."""


class HitRateRowsOptions(_MinRel, _OfUsers, total=False):
    """The options of `hit_rate_rows`."""


class AveragePrecisionRowsOptions(
    _ApDenominator, _ApSteps, _MinRel, _ShortApDenominator, _OfUsers, total=False
):
    """The options of `average_precision_rows`."""


class NdcgRowsOptions(_Gain, _Discount, _Idcg, _MinRel, _OfUsers, total=False):
    """The options of `ndcg_rows`."""


class CgRowsOptions(_OfUsers, total=False):
    """The options of `cg_rows`."""


class DcgRowsOptions(_Gain, _Discount, _MinRel, _OfUsers, total=False):
    """The options of `dcg_rows`."""


class AucRowsOptions(_MinRel, _OneClass, _AucPairs, _OfUsers, total=False):
    """The options of `auc_rows`."""


class RbpRowsOptions(_MinRel, _P, _RbpGain, _OfUsers, total=False):
    """The options of `rbp_rows`."""


class ErrRowsOptions(_MaxRel, _OfUsers, total=False):
    """The options of `err_rows`."""


class RankdcgRowsOptions(_EmptyRec, _Unjudged, _TiesRows, _ScoreType, _Convention, total=False):
    """The options of `rankdcg_rows`."""


class RankMetricsRowsOptions(
    _PrecisionDenominator, _RecallDenominator, _ApDenominator, _ApSteps, _Gain, _Discount, _Idcg, _MinRel,
    _OneClass, _AucPairs, _OfUsers, total=False,
):  # fmt: skip
    """The options of `rank_metrics_rows`."""


class RankExplainRowsOptions(
    _Metric, _PrecisionDenominator, _RecallDenominator, _ApDenominator, _ApSteps, _Gain, _Discount, _Idcg,
    _MinRel, _P, _RbpGain, _MaxRel, _Unjudged, _OfUsers, total=False,
):  # fmt: skip
    """The options of `rank_explain_rows`."""


class RankedListOptions(_TiesRows, _ScoreType, _NullScores, total=False):
    """The options of `ranked_list`."""


class RboOptions(_P, _RboUnseen, total=False):
    """The options of `rbo`."""


class JaccardIndexOptions(TypedDict, total=False):
    """The options of `jaccard_index`."""


class OverlapOptions(_OverlapDenominator, _ShortOverlapDenominator, total=False):
    """The options of `overlap`."""


class RankSimilarityOptions(_P, _RboUnseen, _OverlapDenominator, total=False):
    """The options of `rank_similarity`."""


class MeanCiOptions(_Confidence, _Skewness, _LowerBound, _UpperBound, total=False):
    """The options of `mean_ci`."""


class BootstrapCiOptions(_Confidence, _Resamples, _Seed, _LowerBound, _UpperBound, total=False):
    """The options of `bootstrap_ci`."""


class PairedTTestOptions(_Alternative, _Margin, _Tolerance, _Skewness, _LowerBound, _UpperBound, total=False):
    """The options of `paired_t_test`."""


class PairedTTestPowerOptions(
    _Alternative, _Margin, _Alpha, _Power, _Difference, _Tolerance, _Skewness, _LowerBound, _UpperBound,
    total=False,
):  # fmt: skip
    """The options of `paired_t_test_power`."""


class WilcoxonSignedRankOptions(_Alternative, _Tolerance, total=False):
    """The options of `wilcoxon_signed_rank`."""


class RandomizationTestOptions(_Alternative, _Resamples, _Seed, _Tolerance, total=False):
    """The options of `randomization_test`."""


class WinTieLossOptions(_Tolerance, total=False):
    """The options of `win_tie_loss`."""


class PairedComparisonOptions(
    _Alternative, _Margin, _Confidence, _LowerBound, _UpperBound, _Tolerance, total=False
):
    """The options of `paired_comparison`."""


class WeightedMeanCiOptions(_Confidence, _LowerBound, _UpperBound, total=False):
    """The options of `weighted_mean_ci`."""


class TukeyHsdOptions(_Resamples, _Seed, _Tolerance, total=False):
    """The options of `tukey_hsd`."""


class CorrectedPValuesOptions(_Correction, total=False):
    """The options of `corrected_p_values`."""


MrrOptions = HitRateOptions
IdcgOptions = NdcgOptions
RPrecisionOptions = HitRateOptions
RankMetricsAtOptions = RankMetricsOptions
IdcgRelsOptions = NdcgRelsOptions
MrrScoredOptions = HitRateScoredOptions
IdcgScoredOptions = NdcgScoredOptions
RPrecisionScoredOptions = HitRateScoredOptions
RankMetricsAtScoredOptions = RankMetricsScoredOptions
MrrAggOptions = HitRateAggOptions
IdcgAggOptions = NdcgAggOptions
RPrecisionAggOptions = HitRateAggOptions
KendallTauAggOptions = KendallTauOptions
RankMetricsAtAggOptions = RankMetricsAggOptions
MrrRowsOptions = HitRateRowsOptions
IdcgRowsOptions = NdcgRowsOptions
RPrecisionRowsOptions = HitRateRowsOptions
RankMetricsAtRowsOptions = RankMetricsRowsOptions
RankMetricsByUserOptions = RankMetricsRowsOptions
RankMetricsAtByUserOptions = RankMetricsRowsOptions
RankEvaluationByUserOptions = RankMetricsRowsOptions
RankExplainByUserOptions = RankExplainRowsOptions
SpearmanRhoOptions = JaccardIndexOptions
TauApOptions = JaccardIndexOptions
WeightedTauOptions = JaccardIndexOptions
PartiallyOverlappingTTestOptions = PairedComparisonOptions
WeightedPairedComparisonOptions = PairedComparisonOptions
