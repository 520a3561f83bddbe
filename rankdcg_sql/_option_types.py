# Written by `make docs` from the catalogue: do not edit. The writer is tools/generate_option_types.py.
# ruff: noqa: UP013
"""The options of each function as keyword arguments, for type checkers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypedDict

__all__ = [
    "AlphaDcgOptions", "AlphaNdcgOptions", "AnytimeMeanCiOptions", "AucAggOptions", "AucOptions",
    "AucRowsOptions", "AucScoredOptions", "AveragePopularityOptions", "AveragePrecisionAggOptions",
    "AveragePrecisionIaOptions", "AveragePrecisionOptions", "AveragePrecisionRowsOptions",
    "AveragePrecisionScoredOptions", "BootstrapCiOptions", "BpmAggOptions", "BpmOptions", "BpmRelsOptions",
    "BpmRowsOptions", "BpmScoredOptions", "BprefAggOptions", "BprefOptions", "BprefRowsOptions",
    "BprefScoredOptions", "CategoricalDiversityOptions", "CgAggOptions", "CgOptions", "CgRelsOptions",
    "CgRowsOptions", "CgScoredOptions", "ConcentrationOptions", "CorrectedPValuesOptions", "DcgAggOptions",
    "DcgOptions", "DcgRelsOptions", "DcgRowsOptions", "DcgScoredOptions", "ElevenPointAverageAggOptions",
    "ElevenPointAverageOptions", "ElevenPointAverageRowsOptions", "ElevenPointAverageScoredOptions",
    "ErrAggOptions", "ErrIaOptions", "ErrOptions", "ErrRelsOptions", "ErrRowsOptions", "ErrScoredOptions",
    "F1AggOptions", "F1Options", "F1RowsOptions", "F1ScoredOptions", "GeometricMeanValuesOptions",
    "HitRateAggOptions", "HitRateOptions", "HitRateRowsOptions", "HitRateScoredOptions", "IdcgAggOptions",
    "IdcgOptions", "IdcgRelsOptions", "IdcgRowsOptions", "IdcgScoredOptions", "InfApAggOptions",
    "InfApOptions", "InfApRowsOptions", "InfApScoredOptions", "InsqAggOptions", "InsqOptions",
    "InsqRelsOptions", "InsqRowsOptions", "InsqScoredOptions", "InstAggOptions", "InstOptions",
    "InstRelsOptions", "InstRowsOptions", "InstScoredOptions", "IntraListDiversityOptions",
    "IprecAggOptions", "IprecOptions", "IprecRowsOptions", "IprecScoredOptions", "JaccardIndexOptions",
    "JudgeCorrectedMeanOptions", "JudgedShareAggOptions", "JudgedShareOptions", "JudgedShareRowsOptions",
    "JudgedShareScoredOptions", "KendallTauAggOptions", "KendallTauOptions", "LongTailShareOptions",
    "MeanCiOptions", "MrrAggOptions", "MrrOptions", "MrrRowsOptions", "MrrScoredOptions", "NdcgAggOptions",
    "NdcgOptions", "NdcgRelsOptions", "NdcgRowsOptions", "NdcgScoredOptions", "NearlyErrAggOptions",
    "NearlyErrOptions", "NearlyErrRelsOptions", "NearlyErrRowsOptions", "NearlyErrScoredOptions",
    "NerrAggOptions", "NerrIaOptions", "NerrOptions", "NerrRelsOptions", "NerrRowsOptions",
    "NerrScoredOptions", "NnrbpOptions", "NoveltyOptions", "NrbpOptions", "OverlapOptions",
    "PairedComparisonOptions", "PairedTTestOptions", "PairedTTestPowerOptions",
    "PartiallyOverlappingTTestOptions", "PrecisionAggOptions", "PrecisionIaOptions", "PrecisionOptions",
    "PrecisionRowsOptions", "PrecisionScoredOptions", "QMeasureAggOptions", "QMeasureOptions",
    "QMeasureRelsOptions", "QMeasureRowsOptions", "QMeasureScoredOptions", "RPrecisionAggOptions",
    "RPrecisionOptions", "RPrecisionRowsOptions", "RPrecisionScoredOptions", "RandomizationTestOptions",
    "RankEvaluationByUserOptions", "RankExplainByUserOptions", "RankExplainOptions",
    "RankExplainRowsOptions", "RankItemsOptions", "RankMeasuresByUserOptions", "RankMeasuresRowsOptions",
    "RankMetricsAggOptions", "RankMetricsAtAggOptions", "RankMetricsAtByUserOptions",
    "RankMetricsAtOptions", "RankMetricsAtRowsOptions", "RankMetricsAtScoredOptions",
    "RankMetricsByUserOptions", "RankMetricsOptions", "RankMetricsRowsOptions", "RankMetricsScoredOptions",
    "RankSimilarityOptions", "RankdcgAggOptions", "RankdcgOptions", "RankdcgRowsOptions",
    "RankedListOptions", "RboOptions", "RbpAggOptions", "RbpOptions", "RbpResidualAggOptions",
    "RbpResidualOptions", "RbpResidualRowsOptions", "RbpResidualScoredOptions", "RbpRowsOptions",
    "RbpScoredOptions", "RecallAggOptions", "RecallOptions", "RecallRowsOptions", "RecallScoredOptions",
    "RelativePrecisionAggOptions", "RelativePrecisionOptions", "RelativePrecisionRowsOptions",
    "RelativePrecisionScoredOptions", "RocAucAggOptions", "RocAucOptions", "SdcgAggOptions", "SdcgOptions",
    "SdcgRelsOptions", "SdcgRowsOptions", "SdcgScoredOptions", "SpearmanRhoOptions",
    "SubtopicRecallOptions", "TauApOptions", "TukeyHsdOptions", "UtilityAggOptions", "UtilityOptions",
    "UtilityRowsOptions", "UtilityScoredOptions", "WeightedJudgeCorrectedMeanOptions",
    "WeightedMeanCiOptions", "WeightedPairedComparisonOptions", "WeightedTauOptions",
    "WilcoxonSignedRankOptions", "WinTieLossOptions",
]  # fmt: skip


_Metric = TypedDict("_Metric", {"metric": Literal["ndcg", "precision", "recall", "f1", "mrr",
    "average_precision", "cg", "dcg", "r_precision", "rbp", "err", "sdcg", "relative_precision",
    "rankdcg"]}, total=False)  # fmt: skip
_PrecisionDenominator = TypedDict("_PrecisionDenominator", {"precision_denominator":
    Literal["retrieved", "k"]}, total=False)  # fmt: skip
_RecallDenominator = TypedDict("_RecallDenominator", {"recall_denominator": Literal["truth",
    "min_truth_k"]}, total=False)  # fmt: skip
_Beta = TypedDict("_Beta", {"beta": float}, total=False)
_ApDenominator = TypedDict("_ApDenominator", {"ap_denominator": Literal["truth", "min_truth_k",
    "hits", "k", "min_truth_retrieved"]}, total=False)  # fmt: skip
_ApSteps = TypedDict("_ApSteps", {"ap_steps": Literal["rank", "threshold"]}, total=False)
_Gain = TypedDict("_Gain", {"gain": Literal["exp2", "linear", "binary"] | Sequence[float]}, total=False)
_Discount = TypedDict("_Discount", {"discount": Literal["log2", "log2_clip", "ln"]}, total=False)
_Idcg = TypedDict("_Idcg", {"idcg": Literal["truth", "retrieved", "k"]}, total=False)
_MinRel = TypedDict("_MinRel", {"min_rel": Literal["unset"] | float | None}, total=False)
_P = TypedDict("_P", {"p": float}, total=False)
_RedundancyIntolerance = TypedDict("_RedundancyIntolerance", {"redundancy_intolerance": float}, total=False)
_RbpGain = TypedDict("_RbpGain", {"rbp_gain": Literal["binary", "linear"]}, total=False)
_RboTies = TypedDict("_RboTies", {"rbo_ties": Literal["w", "a", "b"]}, total=False)
_RboUnseen = TypedDict("_RboUnseen", {"rbo_unseen": Literal["extrapolate", "min", "max"]}, total=False)
_OverlapDenominator = TypedDict("_OverlapDenominator", {"overlap_denominator": Literal["longer",
    "shorter", "k"]}, total=False)  # fmt: skip
_QBeta = TypedDict("_QBeta", {"q_beta": float}, total=False)
_Patience = TypedDict("_Patience", {"patience": Literal["none", "reciprocal", "geometric",
    "insq"]}, total=False)  # fmt: skip
_T = TypedDict("_T", {"t": float}, total=False)
_Recall = TypedDict("_Recall", {"recall": float}, total=False)
_Worth = TypedDict("_Worth", {"worth": Sequence[float]}, total=False)
_MaxRel = TypedDict("_MaxRel", {"max_rel": Literal["unset"] | float | None}, total=False)
_NoRelevant = TypedDict("_NoRelevant", {"no_relevant": Literal["null", "zero", "one", "error",
    "one_if_rec_empty"]}, total=False)  # fmt: skip
_EmptyRec = TypedDict("_EmptyRec", {"empty_rec": Literal["zero", "null"]}, total=False)
_OneClass = TypedDict("_OneClass", {"one_class": Literal["half", "null", "zero", "by_class"]}, total=False)
_AucPairs = TypedDict("_AucPairs", {"auc_pairs": Literal["retrieved", "k"]}, total=False)
_Duplicates = TypedDict("_Duplicates", {"duplicates": Literal["first", "count"]}, total=False)
_Unjudged = TypedDict("_Unjudged", {"unjudged": Literal["zero", "skip"]}, total=False)
_Ties = TypedDict("_Ties", {"ties": Literal["average", "pessimistic", "optimistic",
    "input_order"]}, total=False)  # fmt: skip
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
_NarrowestAt = TypedDict("_NarrowestAt", {"narrowest_at": int}, total=False)
_Seed = TypedDict("_Seed", {"seed": int}, total=False)
_Threads = TypedDict("_Threads", {"threads": int}, total=False)
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
_TiesAspects = TypedDict("_TiesAspects", {"ties": Literal["average", "input_order", "item_asc",
    "item_desc"]}, total=False)  # fmt: skip
_ShortApDenominator = TypedDict("_ShortApDenominator", {"denominator": Literal["truth",
    "min_truth_k", "hits", "k", "min_truth_retrieved"]}, total=False)  # fmt: skip
_ShortOverlapDenominator = TypedDict("_ShortOverlapDenominator", {"denominator":
    Literal["longer", "shorter", "k"]}, total=False)  # fmt: skip
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


class PrecisionOptions(
    _PrecisionDenominator, _MinRel, _Unjudged, _ShortPrecisionDenominator, _OfItems, total=False
):
    """The options of `precision_at`."""


class RecallOptions(_RecallDenominator, _MinRel, _Unjudged, _ShortRecallDenominator, _OfItems, total=False):
    """The options of `recall_at`."""


class F1Options(_PrecisionDenominator, _RecallDenominator, _Beta, _MinRel, _Unjudged, _OfItems, total=False):
    """The options of `f1_at`."""


class HitRateOptions(_MinRel, _Unjudged, _OfItems, total=False):
    """The options of `hit_rate`."""


class AveragePrecisionOptions(_ApDenominator, _MinRel, _Unjudged, _ShortApDenominator, _OfItems, total=False):
    """The options of `average_precision`."""


class NdcgOptions(_Gain, _Discount, _Idcg, _MinRel, _Unjudged, _OfItems, total=False):
    """The options of `ndcg`."""


class CgOptions(_Unjudged, _OfItems, total=False):
    """The options of `cg`."""


class DcgOptions(_Gain, _Discount, _MinRel, _Unjudged, _OfItems, total=False):
    """The options of `dcg`."""


class AucOptions(_MinRel, _OneClass, _AucPairs, _Unjudged, _OfItems, total=False):
    """The options of `auc`."""


class RbpOptions(_MinRel, _P, _RbpGain, _Unjudged, _OfItems, total=False):
    """The options of `rbp`."""


class RbpResidualOptions(_P, _EmptyRec, _Unjudged, _Convention, total=False):
    """The options of `rbp_residual`."""


class ErrOptions(_MaxRel, _Unjudged, _OfItems, total=False):
    """The options of `err`."""


class NearlyErrOptions(_P, _Patience, _T, _MaxRel, _Unjudged, _OfItems, total=False):
    """The options of `nearly_err`."""


class QMeasureOptions(_Gain, _MinRel, _QBeta, _Unjudged, _OfItems, total=False):
    """The options of `q_measure`."""


class SdcgOptions(_Discount, _MaxRel, _Unjudged, _OfItems, total=False):
    """The options of `sdcg`."""


class BpmOptions(_T, _MaxRel, _Unjudged, _OfItems, total=False):
    """The options of `bpm`."""


class IprecOptions(_MinRel, _Recall, _Unjudged, _OfItems, total=False):
    """The options of `iprec`."""


class UtilityOptions(_MinRel, _Worth, _EmptyRec, _Duplicates, _Unjudged, _Convention, total=False):
    """The options of `utility`."""


class JudgedShareOptions(_EmptyRec, _Duplicates, _Unjudged, _Convention, total=False):
    """The options of `judged_share`."""


class RankdcgOptions(_EmptyRec, _Unjudged, _Ties, _ScoreType, _Convention, total=False):
    """The options of `rankdcg`."""


class RankMetricsOptions(
    _PrecisionDenominator, _RecallDenominator, _Beta, _ApDenominator, _Gain, _Discount, _Idcg, _MinRel,
    _OneClass, _AucPairs, _Unjudged, _OfItems, total=False,
):  # fmt: skip
    """The options of `rank_metrics`."""


class RankExplainOptions(
    _Metric, _PrecisionDenominator, _RecallDenominator, _Beta, _ApDenominator, _Gain, _Discount, _Idcg,
    _MinRel, _P, _RbpGain, _MaxRel, _Unjudged, _Ties, _ScoreType, _OfItems, total=False,
):  # fmt: skip
    """The options of `rank_explain`."""


class NdcgRelsOptions(_Gain, _Discount, _Idcg, _MinRel, _NoRelevant, _Unjudged, _Convention, total=False):
    """The options of `ndcg_rels`."""


class CgRelsOptions(_NoRelevant, _Unjudged, _Convention, total=False):
    """The options of `cg_rels`."""


class DcgRelsOptions(_Gain, _Discount, _MinRel, _NoRelevant, _Unjudged, _Convention, total=False):
    """The options of `dcg_rels`."""


class ErrRelsOptions(_MaxRel, _NoRelevant, _Unjudged, _Convention, total=False):
    """The options of `err_rels`."""


class NearlyErrRelsOptions(_P, _Patience, _T, _MaxRel, _NoRelevant, _Unjudged, _Convention, total=False):
    """The options of `nearly_err_rels`."""


class QMeasureRelsOptions(_Gain, _MinRel, _QBeta, _NoRelevant, _Unjudged, _Convention, total=False):
    """The options of `q_measure_rels`."""


class SdcgRelsOptions(_Discount, _MaxRel, _NoRelevant, _Unjudged, _Convention, total=False):
    """The options of `sdcg_rels`."""


class BpmRelsOptions(_T, _MaxRel, _NoRelevant, _Unjudged, _Convention, total=False):
    """The options of `bpm_rels`."""


class PrecisionScoredOptions(
    _PrecisionDenominator, _MinRel, _Unjudged, _ShortPrecisionDenominator, _OfScores, total=False
):
    """The options of `precision_at_scored`."""


class RecallScoredOptions(
    _RecallDenominator, _MinRel, _Unjudged, _ShortRecallDenominator, _OfScores, total=False
):
    """The options of `recall_at_scored`."""


class F1ScoredOptions(
    _PrecisionDenominator, _RecallDenominator, _Beta, _MinRel, _Unjudged, _OfScores, total=False
):
    """The options of `f1_at_scored`."""


class HitRateScoredOptions(_MinRel, _Unjudged, _OfScores, total=False):
    """The options of `hit_rate_scored`."""


class AveragePrecisionScoredOptions(
    _ApDenominator, _ApSteps, _MinRel, _Unjudged, _ShortApDenominator, _OfScores, total=False
):
    """The options of `average_precision_scored`."""


class NdcgScoredOptions(_Gain, _Discount, _Idcg, _MinRel, _Unjudged, _OfScores, total=False):
    """The options of `ndcg_scored`."""


class CgScoredOptions(_Unjudged, _OfScores, total=False):
    """The options of `cg_scored`."""


class DcgScoredOptions(_Gain, _Discount, _MinRel, _Unjudged, _OfScores, total=False):
    """The options of `dcg_scored`."""


class AucScoredOptions(_MinRel, _OneClass, _AucPairs, _Unjudged, _OfScores, total=False):
    """The options of `auc_scored`."""


class RbpScoredOptions(_MinRel, _P, _RbpGain, _Unjudged, _OfScores, total=False):
    """The options of `rbp_scored`."""


class RbpResidualScoredOptions(_P, _EmptyRec, _Unjudged, _Ties, _ScoreType, _Convention, total=False):
    """The options of `rbp_residual_scored`."""


class ErrScoredOptions(_MaxRel, _Unjudged, _OfScores, total=False):
    """The options of `err_scored`."""


class NearlyErrScoredOptions(_P, _Patience, _T, _MaxRel, _Unjudged, _OfScores, total=False):
    """The options of `nearly_err_scored`."""


class QMeasureScoredOptions(_Gain, _MinRel, _QBeta, _Unjudged, _OfScores, total=False):
    """The options of `q_measure_scored`."""


class SdcgScoredOptions(_Discount, _MaxRel, _Unjudged, _OfScores, total=False):
    """The options of `sdcg_scored`."""


class BpmScoredOptions(_T, _MaxRel, _Unjudged, _OfScores, total=False):
    """The options of `bpm_scored`."""


class IprecScoredOptions(_MinRel, _Recall, _Unjudged, _OfScores, total=False):
    """The options of `iprec_scored`."""


class UtilityScoredOptions(
    _MinRel, _Worth, _EmptyRec, _Unjudged, _Ties, _ScoreType, _Convention, total=False
):
    """The options of `utility_scored`."""


class RocAucOptions(_MinRel, _Ties, _ScoreType, _Convention, total=False):
    """The options of `roc_auc`."""


class KendallTauOptions(_ScoreType, _Convention, total=False):
    """The options of `kendall_tau`."""


class RankMetricsScoredOptions(
    _PrecisionDenominator, _RecallDenominator, _Beta, _ApDenominator, _ApSteps, _Gain, _Discount, _Idcg,
    _MinRel, _OneClass, _AucPairs, _Unjudged, _OfScores, total=False,
):  # fmt: skip
    """The options of `rank_metrics_scored`."""


class PrecisionAggOptions(
    _PrecisionDenominator, _MinRel, _Unjudged, _ShortPrecisionDenominator, _OfRows, total=False
):
    """The options of `precision_at_agg`."""


class RecallAggOptions(_RecallDenominator, _MinRel, _Unjudged, _ShortRecallDenominator, _OfRows, total=False):
    """The options of `recall_at_agg`."""


class F1AggOptions(
    _PrecisionDenominator, _RecallDenominator, _Beta, _MinRel, _Unjudged, _OfRows, total=False
):
    """The options of `f1_at_agg`."""


class HitRateAggOptions(_MinRel, _Unjudged, _OfRows, total=False):
    """The options of `hit_rate_agg`."""


class AveragePrecisionAggOptions(
    _ApDenominator, _ApSteps, _MinRel, _Unjudged, _ShortApDenominator, _OfRows, total=False
):
    """The options of `average_precision_agg`."""


class NdcgAggOptions(_Gain, _Discount, _Idcg, _MinRel, _Unjudged, _OfRows, total=False):
    """The options of `ndcg_agg`."""


class CgAggOptions(_Unjudged, _OfRows, total=False):
    """The options of `cg_agg`."""


class DcgAggOptions(_Gain, _Discount, _MinRel, _Unjudged, _OfRows, total=False):
    """The options of `dcg_agg`."""


class AucAggOptions(_MinRel, _OneClass, _AucPairs, _Unjudged, _OfRows, total=False):
    """The options of `auc_agg`."""


class RbpAggOptions(_MinRel, _P, _RbpGain, _Unjudged, _OfRows, total=False):
    """The options of `rbp_agg`."""


class RbpResidualAggOptions(_P, _EmptyRec, _Unjudged, _TiesAgg, _ScoreType, _Convention, total=False):
    """The options of `rbp_residual_agg`."""


class ErrAggOptions(_MaxRel, _Unjudged, _OfRows, total=False):
    """The options of `err_agg`."""


class NearlyErrAggOptions(_P, _Patience, _T, _MaxRel, _Unjudged, _OfRows, total=False):
    """The options of `nearly_err_agg`."""


class QMeasureAggOptions(_Gain, _MinRel, _QBeta, _Unjudged, _OfRows, total=False):
    """The options of `q_measure_agg`."""


class SdcgAggOptions(_Discount, _MaxRel, _Unjudged, _OfRows, total=False):
    """The options of `sdcg_agg`."""


class BpmAggOptions(_T, _MaxRel, _Unjudged, _OfRows, total=False):
    """The options of `bpm_agg`."""


class IprecAggOptions(_MinRel, _Recall, _Unjudged, _OfRows, total=False):
    """The options of `iprec_agg`."""


class UtilityAggOptions(
    _MinRel, _Worth, _EmptyRec, _Unjudged, _TiesAgg, _ScoreType, _Convention, total=False
):
    """The options of `utility_agg`."""


class JudgedShareAggOptions(_EmptyRec, _Unjudged, _TiesAgg, _ScoreType, _Convention, total=False):
    """The options of `judged_share_agg`."""


class RocAucAggOptions(_MinRel, _TiesAgg, _ScoreType, _Convention, total=False):
    """The options of `roc_auc_agg`."""


class RankMetricsAggOptions(
    _PrecisionDenominator, _RecallDenominator, _Beta, _ApDenominator, _ApSteps, _Gain, _Discount, _Idcg,
    _MinRel, _OneClass, _AucPairs, _Unjudged, _OfRows, total=False,
):  # fmt: skip
    """The options of `rank_metrics_agg`."""


class PrecisionRowsOptions(
    _PrecisionDenominator, _MinRel, _Unjudged, _ShortPrecisionDenominator, _OfUsers, total=False
):
    """The options of `precision_at_rows`."""


class RecallRowsOptions(
    _RecallDenominator, _MinRel, _Unjudged, _ShortRecallDenominator, _OfUsers, total=False
):
    """The options of `recall_at_rows`."""


class F1RowsOptions(
    _PrecisionDenominator, _RecallDenominator, _Beta, _MinRel, _Unjudged, _OfUsers, total=False
):
    """The options of `f1_at_rows`."""


class HitRateRowsOptions(_MinRel, _Unjudged, _OfUsers, total=False):
    """The options of `hit_rate_rows`."""


class AveragePrecisionRowsOptions(
    _ApDenominator, _ApSteps, _MinRel, _Unjudged, _ShortApDenominator, _OfUsers, total=False
):
    """The options of `average_precision_rows`."""


class NdcgRowsOptions(_Gain, _Discount, _Idcg, _MinRel, _Unjudged, _OfUsers, total=False):
    """The options of `ndcg_rows`."""


class CgRowsOptions(_Unjudged, _OfUsers, total=False):
    """The options of `cg_rows`."""


class DcgRowsOptions(_Gain, _Discount, _MinRel, _Unjudged, _OfUsers, total=False):
    """The options of `dcg_rows`."""


class AucRowsOptions(_MinRel, _OneClass, _AucPairs, _Unjudged, _OfUsers, total=False):
    """The options of `auc_rows`."""


class RbpRowsOptions(_MinRel, _P, _RbpGain, _Unjudged, _OfUsers, total=False):
    """The options of `rbp_rows`."""


class RbpResidualRowsOptions(_P, _EmptyRec, _Unjudged, _TiesRows, _ScoreType, _Convention, total=False):
    """The options of `rbp_residual_rows`."""


class ErrRowsOptions(_MaxRel, _Unjudged, _OfUsers, total=False):
    """The options of `err_rows`."""


class NearlyErrRowsOptions(_P, _Patience, _T, _MaxRel, _Unjudged, _OfUsers, total=False):
    """The options of `nearly_err_rows`."""


class QMeasureRowsOptions(_Gain, _MinRel, _QBeta, _Unjudged, _OfUsers, total=False):
    """The options of `q_measure_rows`."""


class SdcgRowsOptions(_Discount, _MaxRel, _Unjudged, _OfUsers, total=False):
    """The options of `sdcg_rows`."""


class BpmRowsOptions(_T, _MaxRel, _Unjudged, _OfUsers, total=False):
    """The options of `bpm_rows`."""


class IprecRowsOptions(_MinRel, _Recall, _Unjudged, _OfUsers, total=False):
    """The options of `iprec_rows`."""


class UtilityRowsOptions(
    _MinRel, _Worth, _EmptyRec, _Unjudged, _TiesRows, _ScoreType, _Convention, total=False
):
    """The options of `utility_rows`."""


class JudgedShareRowsOptions(_EmptyRec, _Unjudged, _TiesRows, _ScoreType, _Convention, total=False):
    """The options of `judged_share_rows`."""


class RankMetricsRowsOptions(
    _PrecisionDenominator, _RecallDenominator, _Beta, _ApDenominator, _ApSteps, _Gain, _Discount, _Idcg,
    _MinRel, _OneClass, _AucPairs, _Unjudged, _OfUsers, total=False,
):  # fmt: skip
    """The options of `rank_metrics_rows`."""


class RankExplainRowsOptions(
    _Metric, _PrecisionDenominator, _RecallDenominator, _Beta, _ApDenominator, _ApSteps, _Gain, _Discount,
    _Idcg, _MinRel, _P, _RbpGain, _MaxRel, _Unjudged, _OfUsers, total=False,
):  # fmt: skip
    """The options of `rank_explain_rows`."""


class RankMeasuresRowsOptions(
    _PrecisionDenominator, _RecallDenominator, _Beta, _ApDenominator, _ApSteps, _Gain, _Discount, _Idcg,
    _MinRel, _P, _RbpGain, _QBeta, _Patience, _T, _Recall, _Worth, _MaxRel, _OneClass, _AucPairs, _Unjudged,
    _OfUsers, total=False,
):  # fmt: skip
    """The options of `rank_measures_rows`."""


class RankedListOptions(_TiesRows, _ScoreType, _NullScores, total=False):
    """The options of `ranked_list`."""


class RboOptions(_P, _RboTies, _RboUnseen, total=False):
    """The options of `rbo`."""


class JaccardIndexOptions(TypedDict, total=False):
    """The options of `jaccard_index`."""


class OverlapOptions(_OverlapDenominator, _ShortOverlapDenominator, total=False):
    """The options of `overlap`."""


class RankSimilarityOptions(_P, _RboTies, _RboUnseen, _OverlapDenominator, total=False):
    """The options of `rank_similarity`."""


class RankItemsOptions(_Threads, total=False):
    """The options of `rank_items`."""


class AlphaNdcgOptions(
    _RedundancyIntolerance, _MinRel, _NoRelevant, _EmptyRec, _TiesAspects, _ScoreType, total=False
):
    """The options of `alpha_ndcg`."""


class NnrbpOptions(
    _RedundancyIntolerance, _P, _MinRel, _NoRelevant, _EmptyRec, _TiesAspects, _ScoreType, total=False
):
    """The options of `nnrbp`."""


class SubtopicRecallOptions(_MinRel, _NoRelevant, _EmptyRec, _TiesAspects, _ScoreType, total=False):
    """The options of `subtopic_recall`."""


class MeanCiOptions(_Confidence, _Skewness, _LowerBound, _UpperBound, total=False):
    """The options of `mean_ci`."""


class BootstrapCiOptions(_Confidence, _Resamples, _Seed, _LowerBound, _UpperBound, total=False):
    """The options of `bootstrap_ci`."""


class AnytimeMeanCiOptions(_Confidence, _NarrowestAt, _LowerBound, _UpperBound, total=False):
    """The options of `anytime_mean_ci`."""


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


class JudgeCorrectedMeanOptions(
    _Confidence, _LowerBound, _UpperBound, _Alpha, _Power, _Difference, total=False
):
    """The options of `judge_corrected_mean`."""


class WeightedMeanCiOptions(_Confidence, _LowerBound, _UpperBound, total=False):
    """The options of `weighted_mean_ci`."""


class TukeyHsdOptions(_Resamples, _Seed, _Tolerance, total=False):
    """The options of `tukey_hsd`."""


class CorrectedPValuesOptions(_Correction, total=False):
    """The options of `corrected_p_values`."""


MrrOptions = HitRateOptions
IdcgOptions = NdcgOptions
RPrecisionOptions = HitRateOptions
NerrOptions = ErrOptions
InsqOptions = BpmOptions
InstOptions = BpmOptions
BprefOptions = HitRateOptions
InfApOptions = HitRateOptions
ElevenPointAverageOptions = HitRateOptions
RelativePrecisionOptions = HitRateOptions
RankMetricsAtOptions = RankMetricsOptions
IdcgRelsOptions = NdcgRelsOptions
NerrRelsOptions = ErrRelsOptions
InsqRelsOptions = BpmRelsOptions
InstRelsOptions = BpmRelsOptions
MrrScoredOptions = HitRateScoredOptions
IdcgScoredOptions = NdcgScoredOptions
RPrecisionScoredOptions = HitRateScoredOptions
NerrScoredOptions = ErrScoredOptions
InsqScoredOptions = BpmScoredOptions
InstScoredOptions = BpmScoredOptions
BprefScoredOptions = HitRateScoredOptions
InfApScoredOptions = HitRateScoredOptions
ElevenPointAverageScoredOptions = HitRateScoredOptions
RelativePrecisionScoredOptions = HitRateScoredOptions
JudgedShareScoredOptions = RankdcgOptions
RankMetricsAtScoredOptions = RankMetricsScoredOptions
MrrAggOptions = HitRateAggOptions
IdcgAggOptions = NdcgAggOptions
RPrecisionAggOptions = HitRateAggOptions
NerrAggOptions = ErrAggOptions
InsqAggOptions = BpmAggOptions
InstAggOptions = BpmAggOptions
BprefAggOptions = HitRateAggOptions
InfApAggOptions = HitRateAggOptions
ElevenPointAverageAggOptions = HitRateAggOptions
RelativePrecisionAggOptions = HitRateAggOptions
KendallTauAggOptions = KendallTauOptions
RankdcgAggOptions = JudgedShareAggOptions
RankMetricsAtAggOptions = RankMetricsAggOptions
MrrRowsOptions = HitRateRowsOptions
IdcgRowsOptions = NdcgRowsOptions
RPrecisionRowsOptions = HitRateRowsOptions
NerrRowsOptions = ErrRowsOptions
InsqRowsOptions = BpmRowsOptions
InstRowsOptions = BpmRowsOptions
BprefRowsOptions = HitRateRowsOptions
InfApRowsOptions = HitRateRowsOptions
ElevenPointAverageRowsOptions = HitRateRowsOptions
RelativePrecisionRowsOptions = HitRateRowsOptions
RankdcgRowsOptions = JudgedShareRowsOptions
RankMetricsAtRowsOptions = RankMetricsRowsOptions
RankMetricsByUserOptions = RankMetricsRowsOptions
RankMetricsAtByUserOptions = RankMetricsRowsOptions
RankEvaluationByUserOptions = RankMetricsRowsOptions
RankExplainByUserOptions = RankExplainRowsOptions
RankMeasuresByUserOptions = RankMeasuresRowsOptions
SpearmanRhoOptions = JaccardIndexOptions
TauApOptions = JaccardIndexOptions
WeightedTauOptions = JaccardIndexOptions
AveragePopularityOptions = JaccardIndexOptions
NoveltyOptions = JaccardIndexOptions
LongTailShareOptions = JaccardIndexOptions
CategoricalDiversityOptions = JaccardIndexOptions
IntraListDiversityOptions = JaccardIndexOptions
AlphaDcgOptions = AlphaNdcgOptions
NerrIaOptions = AlphaNdcgOptions
ErrIaOptions = AlphaNdcgOptions
NrbpOptions = NnrbpOptions
PrecisionIaOptions = SubtopicRecallOptions
AveragePrecisionIaOptions = SubtopicRecallOptions
PartiallyOverlappingTTestOptions = PairedComparisonOptions
ConcentrationOptions = JaccardIndexOptions
WeightedPairedComparisonOptions = PairedComparisonOptions
WeightedJudgeCorrectedMeanOptions = JudgeCorrectedMeanOptions
GeometricMeanValuesOptions = JaccardIndexOptions
