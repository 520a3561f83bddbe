# Written by `make docs` from the catalogue: do not edit. The writer is tools/generate_option_types.py.
"""The options of each function as keyword arguments, for type checkers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypedDict

__all__ = [
    "AucAggOptions",
    "AucOptions",
    "AucScoredOptions",
    "AveragePrecisionAggOptions",
    "AveragePrecisionOptions",
    "AveragePrecisionScoredOptions",
    "BootstrapCiOptions",
    "CgAggOptions",
    "CgOptions",
    "CgRelsOptions",
    "CgScoredOptions",
    "CorrectedPValuesOptions",
    "DcgAggOptions",
    "DcgOptions",
    "DcgRelsOptions",
    "DcgScoredOptions",
    "ErrAggOptions",
    "ErrOptions",
    "ErrRelsOptions",
    "ErrScoredOptions",
    "F1AggOptions",
    "F1Options",
    "F1ScoredOptions",
    "HitRateAggOptions",
    "HitRateOptions",
    "HitRateScoredOptions",
    "IdcgAggOptions",
    "IdcgOptions",
    "IdcgRelsOptions",
    "IdcgScoredOptions",
    "KendallTauAggOptions",
    "KendallTauOptions",
    "MeanCiOptions",
    "MrrAggOptions",
    "MrrOptions",
    "MrrScoredOptions",
    "NdcgAggOptions",
    "NdcgOptions",
    "NdcgRelsOptions",
    "NdcgScoredOptions",
    "PairedComparisonOptions",
    "PairedTTestOptions",
    "PairedTTestPowerOptions",
    "PrecisionAggOptions",
    "PrecisionOptions",
    "PrecisionScoredOptions",
    "RPrecisionAggOptions",
    "RPrecisionOptions",
    "RPrecisionScoredOptions",
    "RandomizationTestOptions",
    "RankEvaluationByUserOptions",
    "RankMetricsAggOptions",
    "RankMetricsAtAggOptions",
    "RankMetricsAtByUserOptions",
    "RankMetricsAtOptions",
    "RankMetricsAtScoredOptions",
    "RankMetricsByUserOptions",
    "RankMetricsOptions",
    "RankMetricsScoredOptions",
    "RankdcgAggOptions",
    "RankdcgOptions",
    "RbpAggOptions",
    "RbpOptions",
    "RbpScoredOptions",
    "RecallAggOptions",
    "RecallOptions",
    "RecallScoredOptions",
    "RocAucAggOptions",
    "RocAucOptions",
    "TukeyHsdOptions",
    "WilcoxonSignedRankOptions",
    "WinTieLossOptions",
]


class _PrecisionDenominator(TypedDict, total=False):
    precision_denominator: Literal["retrieved", "k"]


class _RecallDenominator(TypedDict, total=False):
    recall_denominator: Literal["truth", "min_truth_k"]


class _ApDenominator(TypedDict, total=False):
    ap_denominator: Literal["truth", "min_truth_k", "hits", "k", "min_truth_retrieved"]


class _ApSteps(TypedDict, total=False):
    ap_steps: Literal["rank", "threshold"]


class _Gain(TypedDict, total=False):
    gain: Literal["exp2", "linear", "binary"] | Sequence[float]


class _Discount(TypedDict, total=False):
    discount: Literal["log2", "log2_clip", "ln"]


class _Idcg(TypedDict, total=False):
    idcg: Literal["truth", "retrieved", "k"]


class _MinRel(TypedDict, total=False):
    min_rel: Literal["unset"] | float | None


class _P(TypedDict, total=False):
    p: float


class _RbpGain(TypedDict, total=False):
    rbp_gain: Literal["binary", "linear"]


class _MaxRel(TypedDict, total=False):
    max_rel: Literal["unset"] | float | None


class _NoRelevant(TypedDict, total=False):
    no_relevant: Literal["null", "zero", "one", "error", "one_if_rec_empty"]


class _EmptyRec(TypedDict, total=False):
    empty_rec: Literal["zero", "null"]


class _OneClass(TypedDict, total=False):
    one_class: Literal["half", "null", "zero", "by_class"]


class _AucPairs(TypedDict, total=False):
    auc_pairs: Literal["retrieved", "k"]


class _Duplicates(TypedDict, total=False):
    duplicates: Literal["first", "count"]


class _Unjudged(TypedDict, total=False):
    unjudged: Literal["zero", "skip"]


class _Ties(TypedDict, total=False):
    ties: Literal["average", "pessimistic", "optimistic", "input_order"]


class _ScoreType(TypedDict, total=False):
    score_type: Literal["exact", "float32"]


class _NullScores(TypedDict, total=False):
    null_scores: Literal["last", "skip"]


class _Convention(TypedDict, total=False):
    convention: Literal[
        "hivemall_page",
        "hivemall_java",
        "trec_eval",
        "sklearn",
        "spark",
        "ranx",
        "replay",
        "rectools",
        "recommenders",
        "lenskit",
        "torchmetrics",
    ]


class _Confidence(TypedDict, total=False):
    confidence: float


class _LowerBound(TypedDict, total=False):
    lower_bound: Literal["unset"] | float | None


class _UpperBound(TypedDict, total=False):
    upper_bound: Literal["unset"] | float | None


class _Skewness(TypedDict, total=False):
    skewness: Literal["ignored", "hall", "gaffke"]


class _Resamples(TypedDict, total=False):
    resamples: int


class _Seed(TypedDict, total=False):
    seed: int


class _Alternative(TypedDict, total=False):
    alternative: Literal["two_sided", "less", "greater", "equivalence"]


class _Margin(TypedDict, total=False):
    margin: float


class _Alpha(TypedDict, total=False):
    alpha: float


class _Power(TypedDict, total=False):
    power: float


class _Difference(TypedDict, total=False):
    difference: Literal["unset"] | float | None


class _Tolerance(TypedDict, total=False):
    tolerance: float


class _Correction(TypedDict, total=False):
    correction: Literal["holm", "bonferroni", "benjamini_hochberg"]


class _TiesAgg(TypedDict, total=False):
    ties: Literal["average", "pessimistic", "optimistic"]


class _TiesByUser(TypedDict, total=False):
    ties: Literal["average", "pessimistic", "optimistic", "item_asc", "item_desc"]


class _ShortApDenominator(TypedDict, total=False):
    denominator: Literal["truth", "min_truth_k", "hits", "k", "min_truth_retrieved"]


class _ShortPrecisionDenominator(TypedDict, total=False):
    denominator: Literal["retrieved", "k"]


class _ShortRecallDenominator(TypedDict, total=False):
    denominator: Literal["truth", "min_truth_k"]


class PrecisionOptions(
    _PrecisionDenominator,
    _MinRel,
    _NoRelevant,
    _EmptyRec,
    _Duplicates,
    _Convention,
    _ShortPrecisionDenominator,
    total=False,
):
    """The options of `precision_at`."""


class RecallOptions(
    _RecallDenominator,
    _MinRel,
    _NoRelevant,
    _EmptyRec,
    _Duplicates,
    _Convention,
    _ShortRecallDenominator,
    total=False,
):
    """The options of `recall_at`."""


class F1Options(
    _PrecisionDenominator,
    _RecallDenominator,
    _MinRel,
    _NoRelevant,
    _EmptyRec,
    _Duplicates,
    _Convention,
    total=False,
):
    """The options of `f1_at`."""


class HitRateOptions(_MinRel, _NoRelevant, _EmptyRec, _Duplicates, _Convention, total=False):
    """The options of `hit_rate`."""


class MrrOptions(_MinRel, _NoRelevant, _EmptyRec, _Duplicates, _Convention, total=False):
    """The options of `mrr`."""


class AveragePrecisionOptions(
    _ApDenominator,
    _MinRel,
    _NoRelevant,
    _EmptyRec,
    _Duplicates,
    _Convention,
    _ShortApDenominator,
    total=False,
):
    """The options of `average_precision`."""


class NdcgOptions(
    _Gain, _Discount, _Idcg, _MinRel, _NoRelevant, _EmptyRec, _Duplicates, _Convention, total=False
):
    """The options of `ndcg`."""


class CgOptions(_NoRelevant, _EmptyRec, _Duplicates, _Convention, total=False):
    """The options of `cg`."""


class DcgOptions(_Gain, _Discount, _MinRel, _NoRelevant, _EmptyRec, _Duplicates, _Convention, total=False):
    """The options of `dcg`."""


class IdcgOptions(
    _Gain, _Discount, _Idcg, _MinRel, _NoRelevant, _EmptyRec, _Duplicates, _Convention, total=False
):
    """The options of `idcg`."""


class AucOptions(
    _MinRel, _NoRelevant, _EmptyRec, _OneClass, _AucPairs, _Duplicates, _Convention, total=False
):
    """The options of `auc`."""


class RPrecisionOptions(_MinRel, _NoRelevant, _EmptyRec, _Duplicates, _Convention, total=False):
    """The options of `r_precision`."""


class RbpOptions(_MinRel, _P, _RbpGain, _NoRelevant, _EmptyRec, _Duplicates, _Convention, total=False):
    """The options of `rbp`."""


class ErrOptions(_MaxRel, _NoRelevant, _EmptyRec, _Duplicates, _Convention, total=False):
    """The options of `err`."""


class RankdcgOptions(_EmptyRec, _Unjudged, _Ties, _ScoreType, _Convention, total=False):
    """The options of `rankdcg`."""


class RankMetricsOptions(
    _PrecisionDenominator,
    _RecallDenominator,
    _ApDenominator,
    _Gain,
    _Discount,
    _Idcg,
    _MinRel,
    _NoRelevant,
    _EmptyRec,
    _OneClass,
    _AucPairs,
    _Duplicates,
    _Convention,
    total=False,
):
    """The options of `rank_metrics`."""


class RankMetricsAtOptions(
    _PrecisionDenominator,
    _RecallDenominator,
    _ApDenominator,
    _Gain,
    _Discount,
    _Idcg,
    _MinRel,
    _NoRelevant,
    _EmptyRec,
    _OneClass,
    _AucPairs,
    _Duplicates,
    _Convention,
    total=False,
):
    """The options of `rank_metrics_at`."""


class NdcgRelsOptions(_Gain, _Discount, _Idcg, _MinRel, _NoRelevant, _Convention, total=False):
    """The options of `ndcg_rels`."""


class CgRelsOptions(_NoRelevant, _Convention, total=False):
    """The options of `cg_rels`."""


class DcgRelsOptions(_Gain, _Discount, _MinRel, _NoRelevant, _Convention, total=False):
    """The options of `dcg_rels`."""


class IdcgRelsOptions(_Gain, _Discount, _Idcg, _MinRel, _NoRelevant, _Convention, total=False):
    """The options of `idcg_rels`."""


class ErrRelsOptions(_MaxRel, _NoRelevant, _Convention, total=False):
    """The options of `err_rels`."""


class PrecisionScoredOptions(
    _PrecisionDenominator,
    _MinRel,
    _NoRelevant,
    _EmptyRec,
    _Ties,
    _ScoreType,
    _Convention,
    _ShortPrecisionDenominator,
    total=False,
):
    """The options of `precision_at_scored`."""


class RecallScoredOptions(
    _RecallDenominator,
    _MinRel,
    _NoRelevant,
    _EmptyRec,
    _Ties,
    _ScoreType,
    _Convention,
    _ShortRecallDenominator,
    total=False,
):
    """The options of `recall_at_scored`."""


class F1ScoredOptions(
    _PrecisionDenominator,
    _RecallDenominator,
    _MinRel,
    _NoRelevant,
    _EmptyRec,
    _Ties,
    _ScoreType,
    _Convention,
    total=False,
):
    """The options of `f1_at_scored`."""


class HitRateScoredOptions(_MinRel, _NoRelevant, _EmptyRec, _Ties, _ScoreType, _Convention, total=False):
    """The options of `hit_rate_scored`."""


class MrrScoredOptions(_MinRel, _NoRelevant, _EmptyRec, _Ties, _ScoreType, _Convention, total=False):
    """The options of `mrr_scored`."""


class AveragePrecisionScoredOptions(
    _ApDenominator,
    _ApSteps,
    _MinRel,
    _NoRelevant,
    _EmptyRec,
    _Ties,
    _ScoreType,
    _Convention,
    _ShortApDenominator,
    total=False,
):
    """The options of `average_precision_scored`."""


class NdcgScoredOptions(
    _Gain, _Discount, _Idcg, _MinRel, _NoRelevant, _EmptyRec, _Ties, _ScoreType, _Convention, total=False
):
    """The options of `ndcg_scored`."""


class CgScoredOptions(_NoRelevant, _EmptyRec, _Ties, _ScoreType, _Convention, total=False):
    """The options of `cg_scored`."""


class DcgScoredOptions(
    _Gain, _Discount, _MinRel, _NoRelevant, _EmptyRec, _Ties, _ScoreType, _Convention, total=False
):
    """The options of `dcg_scored`."""


class IdcgScoredOptions(
    _Gain, _Discount, _Idcg, _MinRel, _NoRelevant, _EmptyRec, _Ties, _ScoreType, _Convention, total=False
):
    """The options of `idcg_scored`."""


class AucScoredOptions(
    _MinRel, _NoRelevant, _EmptyRec, _OneClass, _AucPairs, _Ties, _ScoreType, _Convention, total=False
):
    """The options of `auc_scored`."""


class RPrecisionScoredOptions(_MinRel, _NoRelevant, _EmptyRec, _Ties, _ScoreType, _Convention, total=False):
    """The options of `r_precision_scored`."""


class RbpScoredOptions(
    _MinRel, _P, _RbpGain, _NoRelevant, _EmptyRec, _Ties, _ScoreType, _Convention, total=False
):
    """The options of `rbp_scored`."""


class ErrScoredOptions(_MaxRel, _NoRelevant, _EmptyRec, _Ties, _ScoreType, _Convention, total=False):
    """The options of `err_scored`."""


class RocAucOptions(_MinRel, _Ties, _ScoreType, _Convention, total=False):
    """The options of `roc_auc`."""


class KendallTauOptions(_ScoreType, _Convention, total=False):
    """The options of `kendall_tau`."""


class RankMetricsScoredOptions(
    _PrecisionDenominator,
    _RecallDenominator,
    _ApDenominator,
    _ApSteps,
    _Gain,
    _Discount,
    _Idcg,
    _MinRel,
    _NoRelevant,
    _EmptyRec,
    _OneClass,
    _AucPairs,
    _Ties,
    _ScoreType,
    _Convention,
    total=False,
):
    """The options of `rank_metrics_scored`."""


class RankMetricsAtScoredOptions(
    _PrecisionDenominator,
    _RecallDenominator,
    _ApDenominator,
    _ApSteps,
    _Gain,
    _Discount,
    _Idcg,
    _MinRel,
    _NoRelevant,
    _EmptyRec,
    _OneClass,
    _AucPairs,
    _Ties,
    _ScoreType,
    _Convention,
    total=False,
):
    """The options of `rank_metrics_at_scored`."""


class PrecisionAggOptions(
    _PrecisionDenominator,
    _MinRel,
    _NoRelevant,
    _EmptyRec,
    _TiesAgg,
    _ScoreType,
    _Convention,
    _ShortPrecisionDenominator,
    total=False,
):
    """The options of `precision_at_agg`."""


class RecallAggOptions(
    _RecallDenominator,
    _MinRel,
    _NoRelevant,
    _EmptyRec,
    _TiesAgg,
    _ScoreType,
    _Convention,
    _ShortRecallDenominator,
    total=False,
):
    """The options of `recall_at_agg`."""


class F1AggOptions(
    _PrecisionDenominator,
    _RecallDenominator,
    _MinRel,
    _NoRelevant,
    _EmptyRec,
    _TiesAgg,
    _ScoreType,
    _Convention,
    total=False,
):
    """The options of `f1_at_agg`."""


class HitRateAggOptions(_MinRel, _NoRelevant, _EmptyRec, _TiesAgg, _ScoreType, _Convention, total=False):
    """The options of `hit_rate_agg`."""


class MrrAggOptions(_MinRel, _NoRelevant, _EmptyRec, _TiesAgg, _ScoreType, _Convention, total=False):
    """The options of `mrr_agg`."""


class AveragePrecisionAggOptions(
    _ApDenominator,
    _ApSteps,
    _MinRel,
    _NoRelevant,
    _EmptyRec,
    _TiesAgg,
    _ScoreType,
    _Convention,
    _ShortApDenominator,
    total=False,
):
    """The options of `average_precision_agg`."""


class NdcgAggOptions(
    _Gain, _Discount, _Idcg, _MinRel, _NoRelevant, _EmptyRec, _TiesAgg, _ScoreType, _Convention, total=False
):
    """The options of `ndcg_agg`."""


class CgAggOptions(_NoRelevant, _EmptyRec, _TiesAgg, _ScoreType, _Convention, total=False):
    """The options of `cg_agg`."""


class DcgAggOptions(
    _Gain, _Discount, _MinRel, _NoRelevant, _EmptyRec, _TiesAgg, _ScoreType, _Convention, total=False
):
    """The options of `dcg_agg`."""


class IdcgAggOptions(
    _Gain, _Discount, _Idcg, _MinRel, _NoRelevant, _EmptyRec, _TiesAgg, _ScoreType, _Convention, total=False
):
    """The options of `idcg_agg`."""


class AucAggOptions(
    _MinRel, _NoRelevant, _EmptyRec, _OneClass, _AucPairs, _TiesAgg, _ScoreType, _Convention, total=False
):
    """The options of `auc_agg`."""


class RPrecisionAggOptions(_MinRel, _NoRelevant, _EmptyRec, _TiesAgg, _ScoreType, _Convention, total=False):
    """The options of `r_precision_agg`."""


class RbpAggOptions(
    _MinRel, _P, _RbpGain, _NoRelevant, _EmptyRec, _TiesAgg, _ScoreType, _Convention, total=False
):
    """The options of `rbp_agg`."""


class ErrAggOptions(_MaxRel, _NoRelevant, _EmptyRec, _TiesAgg, _ScoreType, _Convention, total=False):
    """The options of `err_agg`."""


class RocAucAggOptions(_MinRel, _TiesAgg, _ScoreType, _Convention, total=False):
    """The options of `roc_auc_agg`."""


class KendallTauAggOptions(_ScoreType, _Convention, total=False):
    """The options of `kendall_tau_agg`."""


class RankdcgAggOptions(_EmptyRec, _Unjudged, _TiesAgg, _ScoreType, _Convention, total=False):
    """The options of `rankdcg_agg`."""


class RankMetricsAggOptions(
    _PrecisionDenominator,
    _RecallDenominator,
    _ApDenominator,
    _ApSteps,
    _Gain,
    _Discount,
    _Idcg,
    _MinRel,
    _NoRelevant,
    _EmptyRec,
    _OneClass,
    _AucPairs,
    _TiesAgg,
    _ScoreType,
    _Convention,
    total=False,
):
    """The options of `rank_metrics_agg`."""


class RankMetricsAtAggOptions(
    _PrecisionDenominator,
    _RecallDenominator,
    _ApDenominator,
    _ApSteps,
    _Gain,
    _Discount,
    _Idcg,
    _MinRel,
    _NoRelevant,
    _EmptyRec,
    _OneClass,
    _AucPairs,
    _TiesAgg,
    _ScoreType,
    _Convention,
    total=False,
):
    """The options of `rank_metrics_at_agg`."""


class RankMetricsByUserOptions(
    _PrecisionDenominator,
    _RecallDenominator,
    _ApDenominator,
    _ApSteps,
    _Gain,
    _Discount,
    _Idcg,
    _MinRel,
    _NoRelevant,
    _EmptyRec,
    _OneClass,
    _AucPairs,
    _TiesByUser,
    _ScoreType,
    _Convention,
    total=False,
):
    """The options of `rank_metrics_by_user`."""


class RankMetricsAtByUserOptions(
    _PrecisionDenominator,
    _RecallDenominator,
    _ApDenominator,
    _ApSteps,
    _Gain,
    _Discount,
    _Idcg,
    _MinRel,
    _NoRelevant,
    _EmptyRec,
    _OneClass,
    _AucPairs,
    _TiesByUser,
    _ScoreType,
    _Convention,
    total=False,
):
    """The options of `rank_metrics_at_by_user`."""


class RankEvaluationByUserOptions(
    _PrecisionDenominator,
    _RecallDenominator,
    _ApDenominator,
    _ApSteps,
    _Gain,
    _Discount,
    _Idcg,
    _MinRel,
    _NoRelevant,
    _EmptyRec,
    _OneClass,
    _AucPairs,
    _TiesByUser,
    _ScoreType,
    _Convention,
    total=False,
):
    """The options of `rank_evaluation_by_user`."""


class MeanCiOptions(_Confidence, _Skewness, _LowerBound, _UpperBound, total=False):
    """The options of `mean_ci`."""


class BootstrapCiOptions(_Confidence, _Resamples, _Seed, _LowerBound, _UpperBound, total=False):
    """The options of `bootstrap_ci`."""


class PairedTTestOptions(_Alternative, _Margin, _Tolerance, _Skewness, _LowerBound, _UpperBound, total=False):
    """The options of `paired_t_test`."""


class PairedTTestPowerOptions(
    _Alternative,
    _Margin,
    _Alpha,
    _Power,
    _Difference,
    _Tolerance,
    _Skewness,
    _LowerBound,
    _UpperBound,
    total=False,
):
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


class TukeyHsdOptions(_Resamples, _Seed, _Tolerance, total=False):
    """The options of `tukey_hsd`."""


class CorrectedPValuesOptions(_Correction, total=False):
    """The options of `corrected_p_values`."""
