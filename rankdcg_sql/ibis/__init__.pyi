# Written by `make docs` from the catalogue: do not edit. The writer is tools/generate_functions.py.
# ruff: noqa: F403, F405
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

import ibis
import ibis.expr.types as ir
from typing_extensions import Unpack

from rankdcg_sql._option_types import *

#: A column: its name, an expression of Ibis, or a value for all rows.
Column: TypeAlias = str | ir.Value | ibis.Deferred | Iterable[Any] | Mapping[Any, Any] | float | None
#: The cutoff, in items from 1; None is the whole list.
K: TypeAlias = int | ir.Value | ibis.Deferred | None
#: Several cutoffs; None is the whole list.
Ks: TypeAlias = Sequence[int | None] | ir.Value | ibis.Deferred
#: A condition for the rows that count; None is all rows.
Where: TypeAlias = str | bool | ir.Value | ibis.Deferred | None

__all__ = [
    "alpha_dcg", "alpha_ndcg", "anytime_mean_ci", "auc", "auc_agg", "auc_rows", "auc_scored",
    "average_popularity", "average_precision", "average_precision_agg", "average_precision_ia",
    "average_precision_rows", "average_precision_scored", "bootstrap_ci", "bpm", "bpm_agg", "bpm_rels",
    "bpm_rows", "bpm_scored", "bpref", "bpref_agg", "bpref_rows", "bpref_scored", "categorical_diversity",
    "cg", "cg_agg", "cg_rels", "cg_rows", "cg_scored", "concentration", "corrected_p_values", "dcg",
    "dcg_agg", "dcg_rels", "dcg_rows", "dcg_scored", "eleven_point_average", "eleven_point_average_agg",
    "eleven_point_average_rows", "eleven_point_average_scored", "err", "err_agg", "err_ia", "err_rels",
    "err_rows", "err_scored", "f1", "f1_agg", "f1_rows", "f1_scored", "geometric_mean_values", "hit_rate",
    "hit_rate_agg", "hit_rate_rows", "hit_rate_scored", "idcg", "idcg_agg", "idcg_rels", "idcg_rows",
    "idcg_scored", "inf_ap", "inf_ap_agg", "inf_ap_rows", "inf_ap_scored", "insq", "insq_agg", "insq_rels",
    "insq_rows", "insq_scored", "inst", "inst_agg", "inst_rels", "inst_rows", "inst_scored",
    "intra_list_diversity", "iprec", "iprec_agg", "iprec_rows", "iprec_scored", "jaccard_index",
    "judge_corrected_mean", "judged_share", "judged_share_agg", "judged_share_rows", "judged_share_scored",
    "kendall_tau", "kendall_tau_agg", "long_tail_share", "mean_ci", "mrr", "mrr_agg", "mrr_rows",
    "mrr_scored", "ndcg", "ndcg_agg", "ndcg_rels", "ndcg_rows", "ndcg_scored", "nearly_err",
    "nearly_err_agg", "nearly_err_rels", "nearly_err_rows", "nearly_err_scored", "nerr", "nerr_agg",
    "nerr_ia", "nerr_rels", "nerr_rows", "nerr_scored", "nnrbp", "novelty", "nrbp", "overlap",
    "paired_comparison", "paired_t_test", "paired_t_test_power", "partially_overlapping_t_test",
    "precision", "precision_agg", "precision_ia", "precision_rows", "precision_scored", "q_measure",
    "q_measure_agg", "q_measure_rels", "q_measure_rows", "q_measure_scored", "r_precision",
    "r_precision_agg", "r_precision_rows", "r_precision_scored", "randomization_test",
    "rank_evaluation_by_user", "rank_explain", "rank_explain_by_user", "rank_explain_rows", "rank_items",
    "rank_measures_by_user", "rank_measures_rows", "rank_metrics", "rank_metrics_agg", "rank_metrics_at",
    "rank_metrics_at_agg", "rank_metrics_at_by_user", "rank_metrics_at_rows", "rank_metrics_at_scored",
    "rank_metrics_by_user", "rank_metrics_rows", "rank_metrics_scored", "rank_similarity", "rankdcg",
    "rankdcg_agg", "rankdcg_rows", "ranked_list", "rbo", "rbp", "rbp_agg", "rbp_residual",
    "rbp_residual_agg", "rbp_residual_rows", "rbp_residual_scored", "rbp_rows", "rbp_scored", "recall",
    "recall_agg", "recall_rows", "recall_scored", "relative_precision", "relative_precision_agg",
    "relative_precision_rows", "relative_precision_scored", "roc_auc", "roc_auc_agg", "sdcg", "sdcg_agg",
    "sdcg_rels", "sdcg_rows", "sdcg_scored", "spearman_rho", "subtopic_recall", "tau_ap", "tukey_hsd",
    "utility", "utility_agg", "utility_rows", "utility_scored", "weighted_judge_corrected_mean",
    "weighted_mean_ci", "weighted_paired_comparison", "weighted_tau", "wilcoxon_signed_rank", "win_tie_loss",
]  # fmt: skip

def precision(
    rec: Column, truth: Column, k: K = None, **options: Unpack[PrecisionOptions]
) -> ir.FloatingValue: ...
def recall(rec: Column, truth: Column, k: K = None, **options: Unpack[RecallOptions]) -> ir.FloatingValue: ...
def f1(rec: Column, truth: Column, k: K = None, **options: Unpack[F1Options]) -> ir.FloatingValue: ...
def hit_rate(
    rec: Column, truth: Column, k: K = None, **options: Unpack[HitRateOptions]
) -> ir.FloatingValue: ...
def mrr(rec: Column, truth: Column, k: K = None, **options: Unpack[MrrOptions]) -> ir.FloatingValue: ...
def average_precision(
    rec: Column, truth: Column, k: K = None, **options: Unpack[AveragePrecisionOptions]
) -> ir.FloatingValue: ...
def ndcg(rec: Column, truth: Column, k: K = None, **options: Unpack[NdcgOptions]) -> ir.FloatingValue: ...
def cg(rec: Column, truth: Column, k: K = None, **options: Unpack[CgOptions]) -> ir.FloatingValue: ...
def dcg(rec: Column, truth: Column, k: K = None, **options: Unpack[DcgOptions]) -> ir.FloatingValue: ...
def idcg(rec: Column, truth: Column, k: K = None, **options: Unpack[IdcgOptions]) -> ir.FloatingValue: ...
def auc(rec: Column, truth: Column, k: K = None, **options: Unpack[AucOptions]) -> ir.FloatingValue: ...
def r_precision(rec: Column, truth: Column, **options: Unpack[RPrecisionOptions]) -> ir.FloatingValue: ...
def rbp(rec: Column, truth: Column, k: K = None, **options: Unpack[RbpOptions]) -> ir.FloatingValue: ...
def rbp_residual(
    rec: Column, truth: Column, k: K = None, **options: Unpack[RbpResidualOptions]
) -> ir.FloatingValue: ...
def err(rec: Column, truth: Column, k: K = None, **options: Unpack[ErrOptions]) -> ir.FloatingValue: ...
def nerr(rec: Column, truth: Column, k: K = None, **options: Unpack[NerrOptions]) -> ir.FloatingValue: ...
def nearly_err(
    rec: Column, truth: Column, k: K = None, **options: Unpack[NearlyErrOptions]
) -> ir.FloatingValue: ...
def q_measure(
    rec: Column, truth: Column, k: K = None, **options: Unpack[QMeasureOptions]
) -> ir.FloatingValue: ...
def sdcg(rec: Column, truth: Column, k: K = None, **options: Unpack[SdcgOptions]) -> ir.FloatingValue: ...
def bpm(rec: Column, truth: Column, k: K = None, **options: Unpack[BpmOptions]) -> ir.FloatingValue: ...
def insq(rec: Column, truth: Column, k: K = None, **options: Unpack[InsqOptions]) -> ir.FloatingValue: ...
def inst(rec: Column, truth: Column, k: K = None, **options: Unpack[InstOptions]) -> ir.FloatingValue: ...
def bpref(rec: Column, truth: Column, **options: Unpack[BprefOptions]) -> ir.FloatingValue: ...
def inf_ap(rec: Column, truth: Column, **options: Unpack[InfApOptions]) -> ir.FloatingValue: ...
def iprec(rec: Column, truth: Column, **options: Unpack[IprecOptions]) -> ir.FloatingValue: ...
def eleven_point_average(
    rec: Column, truth: Column, **options: Unpack[ElevenPointAverageOptions]
) -> ir.FloatingValue: ...
def relative_precision(
    rec: Column, truth: Column, k: K = None, **options: Unpack[RelativePrecisionOptions]
) -> ir.FloatingValue: ...
def utility(
    rec: Column, truth: Column, k: K = None, **options: Unpack[UtilityOptions]
) -> ir.FloatingValue: ...
def judged_share(
    rec: Column, truth: Column, k: K = None, **options: Unpack[JudgedShareOptions]
) -> ir.FloatingValue: ...
def rankdcg(rec: Column, truth: Column, **options: Unpack[RankdcgOptions]) -> ir.FloatingValue: ...
def rank_metrics(
    rec: Column, truth: Column, k: K = None, **options: Unpack[RankMetricsOptions]
) -> ir.StructValue: ...
def rank_metrics_at(
    rec: Column, truth: Column, ks: Ks, **options: Unpack[RankMetricsAtOptions]
) -> ir.ArrayValue: ...
def rank_explain(
    rec: Column, truth: Column, k: K = None, **options: Unpack[RankExplainOptions]
) -> ir.ArrayValue: ...
def ndcg_rels(rels: Column, k: K = None, **options: Unpack[NdcgRelsOptions]) -> ir.FloatingValue: ...
def cg_rels(rels: Column, k: K = None, **options: Unpack[CgRelsOptions]) -> ir.FloatingValue: ...
def dcg_rels(rels: Column, k: K = None, **options: Unpack[DcgRelsOptions]) -> ir.FloatingValue: ...
def idcg_rels(rels: Column, k: K = None, **options: Unpack[IdcgRelsOptions]) -> ir.FloatingValue: ...
def err_rels(rels: Column, k: K = None, **options: Unpack[ErrRelsOptions]) -> ir.FloatingValue: ...
def nerr_rels(rels: Column, k: K = None, **options: Unpack[NerrRelsOptions]) -> ir.FloatingValue: ...
def nearly_err_rels(
    rels: Column, k: K = None, **options: Unpack[NearlyErrRelsOptions]
) -> ir.FloatingValue: ...
def q_measure_rels(rels: Column, k: K = None, **options: Unpack[QMeasureRelsOptions]) -> ir.FloatingValue: ...
def sdcg_rels(rels: Column, k: K = None, **options: Unpack[SdcgRelsOptions]) -> ir.FloatingValue: ...
def bpm_rels(rels: Column, k: K = None, **options: Unpack[BpmRelsOptions]) -> ir.FloatingValue: ...
def insq_rels(rels: Column, k: K = None, **options: Unpack[InsqRelsOptions]) -> ir.FloatingValue: ...
def inst_rels(rels: Column, k: K = None, **options: Unpack[InstRelsOptions]) -> ir.FloatingValue: ...
def precision_scored(
    scores: Column, rels: Column, k: K = None, **options: Unpack[PrecisionScoredOptions]
) -> ir.FloatingValue: ...
def recall_scored(
    scores: Column, rels: Column, k: K = None, **options: Unpack[RecallScoredOptions]
) -> ir.FloatingValue: ...
def f1_scored(
    scores: Column, rels: Column, k: K = None, **options: Unpack[F1ScoredOptions]
) -> ir.FloatingValue: ...
def hit_rate_scored(
    scores: Column, rels: Column, k: K = None, **options: Unpack[HitRateScoredOptions]
) -> ir.FloatingValue: ...
def mrr_scored(
    scores: Column, rels: Column, k: K = None, **options: Unpack[MrrScoredOptions]
) -> ir.FloatingValue: ...
def average_precision_scored(
    scores: Column, rels: Column, k: K = None, **options: Unpack[AveragePrecisionScoredOptions]
) -> ir.FloatingValue: ...
def ndcg_scored(
    scores: Column, rels: Column, k: K = None, **options: Unpack[NdcgScoredOptions]
) -> ir.FloatingValue: ...
def cg_scored(
    scores: Column, rels: Column, k: K = None, **options: Unpack[CgScoredOptions]
) -> ir.FloatingValue: ...
def dcg_scored(
    scores: Column, rels: Column, k: K = None, **options: Unpack[DcgScoredOptions]
) -> ir.FloatingValue: ...
def idcg_scored(
    scores: Column, rels: Column, k: K = None, **options: Unpack[IdcgScoredOptions]
) -> ir.FloatingValue: ...
def auc_scored(
    scores: Column, rels: Column, k: K = None, **options: Unpack[AucScoredOptions]
) -> ir.FloatingValue: ...
def r_precision_scored(
    scores: Column, rels: Column, **options: Unpack[RPrecisionScoredOptions]
) -> ir.FloatingValue: ...
def rbp_scored(
    scores: Column, rels: Column, k: K = None, **options: Unpack[RbpScoredOptions]
) -> ir.FloatingValue: ...
def rbp_residual_scored(
    scores: Column, rels: Column, k: K = None, **options: Unpack[RbpResidualScoredOptions]
) -> ir.FloatingValue: ...
def err_scored(
    scores: Column, rels: Column, k: K = None, **options: Unpack[ErrScoredOptions]
) -> ir.FloatingValue: ...
def nerr_scored(
    scores: Column, rels: Column, k: K = None, **options: Unpack[NerrScoredOptions]
) -> ir.FloatingValue: ...
def nearly_err_scored(
    scores: Column, rels: Column, k: K = None, **options: Unpack[NearlyErrScoredOptions]
) -> ir.FloatingValue: ...
def q_measure_scored(
    scores: Column, rels: Column, k: K = None, **options: Unpack[QMeasureScoredOptions]
) -> ir.FloatingValue: ...
def sdcg_scored(
    scores: Column, rels: Column, k: K = None, **options: Unpack[SdcgScoredOptions]
) -> ir.FloatingValue: ...
def bpm_scored(
    scores: Column, rels: Column, k: K = None, **options: Unpack[BpmScoredOptions]
) -> ir.FloatingValue: ...
def insq_scored(
    scores: Column, rels: Column, k: K = None, **options: Unpack[InsqScoredOptions]
) -> ir.FloatingValue: ...
def inst_scored(
    scores: Column, rels: Column, k: K = None, **options: Unpack[InstScoredOptions]
) -> ir.FloatingValue: ...
def bpref_scored(scores: Column, rels: Column, **options: Unpack[BprefScoredOptions]) -> ir.FloatingValue: ...
def inf_ap_scored(
    scores: Column, rels: Column, **options: Unpack[InfApScoredOptions]
) -> ir.FloatingValue: ...
def iprec_scored(scores: Column, rels: Column, **options: Unpack[IprecScoredOptions]) -> ir.FloatingValue: ...
def eleven_point_average_scored(
    scores: Column, rels: Column, **options: Unpack[ElevenPointAverageScoredOptions]
) -> ir.FloatingValue: ...
def relative_precision_scored(
    scores: Column, rels: Column, k: K = None, **options: Unpack[RelativePrecisionScoredOptions]
) -> ir.FloatingValue: ...
def utility_scored(
    scores: Column, rels: Column, k: K = None, **options: Unpack[UtilityScoredOptions]
) -> ir.FloatingValue: ...
def judged_share_scored(
    scores: Column, rels: Column, k: K = None, **options: Unpack[JudgedShareScoredOptions]
) -> ir.FloatingValue: ...
def roc_auc(scores: Column, rels: Column, **options: Unpack[RocAucOptions]) -> ir.FloatingValue: ...
def kendall_tau(scores: Column, rels: Column, **options: Unpack[KendallTauOptions]) -> ir.FloatingValue: ...
def rank_metrics_scored(
    scores: Column, rels: Column, k: K = None, **options: Unpack[RankMetricsScoredOptions]
) -> ir.StructValue: ...
def rank_metrics_at_scored(
    scores: Column, rels: Column, ks: Ks, **options: Unpack[RankMetricsAtScoredOptions]
) -> ir.ArrayValue: ...
def precision_agg(
    score: Column, rel: Column, k: K = None, *, where: Where = None, **options: Unpack[PrecisionAggOptions]
) -> ir.FloatingScalar: ...
def recall_agg(
    score: Column, rel: Column, k: K = None, *, where: Where = None, **options: Unpack[RecallAggOptions]
) -> ir.FloatingScalar: ...
def f1_agg(
    score: Column, rel: Column, k: K = None, *, where: Where = None, **options: Unpack[F1AggOptions]
) -> ir.FloatingScalar: ...
def hit_rate_agg(
    score: Column, rel: Column, k: K = None, *, where: Where = None, **options: Unpack[HitRateAggOptions]
) -> ir.FloatingScalar: ...
def mrr_agg(
    score: Column, rel: Column, k: K = None, *, where: Where = None, **options: Unpack[MrrAggOptions]
) -> ir.FloatingScalar: ...
def average_precision_agg(
    score: Column,
    rel: Column,
    k: K = None,
    *,
    where: Where = None,
    **options: Unpack[AveragePrecisionAggOptions],
) -> ir.FloatingScalar: ...
def ndcg_agg(
    score: Column, rel: Column, k: K = None, *, where: Where = None, **options: Unpack[NdcgAggOptions]
) -> ir.FloatingScalar: ...
def cg_agg(
    score: Column, rel: Column, k: K = None, *, where: Where = None, **options: Unpack[CgAggOptions]
) -> ir.FloatingScalar: ...
def dcg_agg(
    score: Column, rel: Column, k: K = None, *, where: Where = None, **options: Unpack[DcgAggOptions]
) -> ir.FloatingScalar: ...
def idcg_agg(
    score: Column, rel: Column, k: K = None, *, where: Where = None, **options: Unpack[IdcgAggOptions]
) -> ir.FloatingScalar: ...
def auc_agg(
    score: Column, rel: Column, k: K = None, *, where: Where = None, **options: Unpack[AucAggOptions]
) -> ir.FloatingScalar: ...
def r_precision_agg(
    score: Column, rel: Column, *, where: Where = None, **options: Unpack[RPrecisionAggOptions]
) -> ir.FloatingScalar: ...
def rbp_agg(
    score: Column, rel: Column, k: K = None, *, where: Where = None, **options: Unpack[RbpAggOptions]
) -> ir.FloatingScalar: ...
def rbp_residual_agg(
    score: Column, rel: Column, k: K = None, *, where: Where = None, **options: Unpack[RbpResidualAggOptions]
) -> ir.FloatingScalar: ...
def err_agg(
    score: Column, rel: Column, k: K = None, *, where: Where = None, **options: Unpack[ErrAggOptions]
) -> ir.FloatingScalar: ...
def nerr_agg(
    score: Column, rel: Column, k: K = None, *, where: Where = None, **options: Unpack[NerrAggOptions]
) -> ir.FloatingScalar: ...
def nearly_err_agg(
    score: Column, rel: Column, k: K = None, *, where: Where = None, **options: Unpack[NearlyErrAggOptions]
) -> ir.FloatingScalar: ...
def q_measure_agg(
    score: Column, rel: Column, k: K = None, *, where: Where = None, **options: Unpack[QMeasureAggOptions]
) -> ir.FloatingScalar: ...
def sdcg_agg(
    score: Column, rel: Column, k: K = None, *, where: Where = None, **options: Unpack[SdcgAggOptions]
) -> ir.FloatingScalar: ...
def bpm_agg(
    score: Column, rel: Column, k: K = None, *, where: Where = None, **options: Unpack[BpmAggOptions]
) -> ir.FloatingScalar: ...
def insq_agg(
    score: Column, rel: Column, k: K = None, *, where: Where = None, **options: Unpack[InsqAggOptions]
) -> ir.FloatingScalar: ...
def inst_agg(
    score: Column, rel: Column, k: K = None, *, where: Where = None, **options: Unpack[InstAggOptions]
) -> ir.FloatingScalar: ...
def bpref_agg(
    score: Column, rel: Column, *, where: Where = None, **options: Unpack[BprefAggOptions]
) -> ir.FloatingScalar: ...
def inf_ap_agg(
    score: Column, rel: Column, *, where: Where = None, **options: Unpack[InfApAggOptions]
) -> ir.FloatingScalar: ...
def iprec_agg(
    score: Column, rel: Column, *, where: Where = None, **options: Unpack[IprecAggOptions]
) -> ir.FloatingScalar: ...
def eleven_point_average_agg(
    score: Column, rel: Column, *, where: Where = None, **options: Unpack[ElevenPointAverageAggOptions]
) -> ir.FloatingScalar: ...
def relative_precision_agg(
    score: Column,
    rel: Column,
    k: K = None,
    *,
    where: Where = None,
    **options: Unpack[RelativePrecisionAggOptions],
) -> ir.FloatingScalar: ...
def utility_agg(
    score: Column, rel: Column, k: K = None, *, where: Where = None, **options: Unpack[UtilityAggOptions]
) -> ir.FloatingScalar: ...
def judged_share_agg(
    score: Column, rel: Column, k: K = None, *, where: Where = None, **options: Unpack[JudgedShareAggOptions]
) -> ir.FloatingScalar: ...
def roc_auc_agg(
    score: Column, rel: Column, *, where: Where = None, **options: Unpack[RocAucAggOptions]
) -> ir.FloatingScalar: ...
def kendall_tau_agg(
    score: Column, rel: Column, *, where: Where = None, **options: Unpack[KendallTauAggOptions]
) -> ir.FloatingScalar: ...
def rankdcg_agg(
    score: Column, rel: Column, *, where: Where = None, **options: Unpack[RankdcgAggOptions]
) -> ir.FloatingScalar: ...
def rank_metrics_agg(
    score: Column, rel: Column, k: K = None, *, where: Where = None, **options: Unpack[RankMetricsAggOptions]
) -> ir.StructScalar: ...
def rank_metrics_at_agg(
    score: Column, rel: Column, ks: Ks, *, where: Where = None, **options: Unpack[RankMetricsAtAggOptions]
) -> ir.ArrayScalar: ...
def precision_rows(
    item: Column,
    score: Column,
    rel: Column,
    k: K = None,
    *,
    where: Where = None,
    **options: Unpack[PrecisionRowsOptions],
) -> ir.FloatingScalar: ...
def recall_rows(
    item: Column,
    score: Column,
    rel: Column,
    k: K = None,
    *,
    where: Where = None,
    **options: Unpack[RecallRowsOptions],
) -> ir.FloatingScalar: ...
def f1_rows(
    item: Column,
    score: Column,
    rel: Column,
    k: K = None,
    *,
    where: Where = None,
    **options: Unpack[F1RowsOptions],
) -> ir.FloatingScalar: ...
def hit_rate_rows(
    item: Column,
    score: Column,
    rel: Column,
    k: K = None,
    *,
    where: Where = None,
    **options: Unpack[HitRateRowsOptions],
) -> ir.FloatingScalar: ...
def mrr_rows(
    item: Column,
    score: Column,
    rel: Column,
    k: K = None,
    *,
    where: Where = None,
    **options: Unpack[MrrRowsOptions],
) -> ir.FloatingScalar: ...
def average_precision_rows(
    item: Column,
    score: Column,
    rel: Column,
    k: K = None,
    *,
    where: Where = None,
    **options: Unpack[AveragePrecisionRowsOptions],
) -> ir.FloatingScalar: ...
def ndcg_rows(
    item: Column,
    score: Column,
    rel: Column,
    k: K = None,
    *,
    where: Where = None,
    **options: Unpack[NdcgRowsOptions],
) -> ir.FloatingScalar: ...
def cg_rows(
    item: Column,
    score: Column,
    rel: Column,
    k: K = None,
    *,
    where: Where = None,
    **options: Unpack[CgRowsOptions],
) -> ir.FloatingScalar: ...
def dcg_rows(
    item: Column,
    score: Column,
    rel: Column,
    k: K = None,
    *,
    where: Where = None,
    **options: Unpack[DcgRowsOptions],
) -> ir.FloatingScalar: ...
def idcg_rows(
    item: Column,
    score: Column,
    rel: Column,
    k: K = None,
    *,
    where: Where = None,
    **options: Unpack[IdcgRowsOptions],
) -> ir.FloatingScalar: ...
def auc_rows(
    item: Column,
    score: Column,
    rel: Column,
    k: K = None,
    *,
    where: Where = None,
    **options: Unpack[AucRowsOptions],
) -> ir.FloatingScalar: ...
def r_precision_rows(
    item: Column, score: Column, rel: Column, *, where: Where = None, **options: Unpack[RPrecisionRowsOptions]
) -> ir.FloatingScalar: ...
def rbp_rows(
    item: Column,
    score: Column,
    rel: Column,
    k: K = None,
    *,
    where: Where = None,
    **options: Unpack[RbpRowsOptions],
) -> ir.FloatingScalar: ...
def rbp_residual_rows(
    item: Column,
    score: Column,
    rel: Column,
    k: K = None,
    *,
    where: Where = None,
    **options: Unpack[RbpResidualRowsOptions],
) -> ir.FloatingScalar: ...
def err_rows(
    item: Column,
    score: Column,
    rel: Column,
    k: K = None,
    *,
    where: Where = None,
    **options: Unpack[ErrRowsOptions],
) -> ir.FloatingScalar: ...
def nerr_rows(
    item: Column,
    score: Column,
    rel: Column,
    k: K = None,
    *,
    where: Where = None,
    **options: Unpack[NerrRowsOptions],
) -> ir.FloatingScalar: ...
def nearly_err_rows(
    item: Column,
    score: Column,
    rel: Column,
    k: K = None,
    *,
    where: Where = None,
    **options: Unpack[NearlyErrRowsOptions],
) -> ir.FloatingScalar: ...
def q_measure_rows(
    item: Column,
    score: Column,
    rel: Column,
    k: K = None,
    *,
    where: Where = None,
    **options: Unpack[QMeasureRowsOptions],
) -> ir.FloatingScalar: ...
def sdcg_rows(
    item: Column,
    score: Column,
    rel: Column,
    k: K = None,
    *,
    where: Where = None,
    **options: Unpack[SdcgRowsOptions],
) -> ir.FloatingScalar: ...
def bpm_rows(
    item: Column,
    score: Column,
    rel: Column,
    k: K = None,
    *,
    where: Where = None,
    **options: Unpack[BpmRowsOptions],
) -> ir.FloatingScalar: ...
def insq_rows(
    item: Column,
    score: Column,
    rel: Column,
    k: K = None,
    *,
    where: Where = None,
    **options: Unpack[InsqRowsOptions],
) -> ir.FloatingScalar: ...
def inst_rows(
    item: Column,
    score: Column,
    rel: Column,
    k: K = None,
    *,
    where: Where = None,
    **options: Unpack[InstRowsOptions],
) -> ir.FloatingScalar: ...
def bpref_rows(
    item: Column, score: Column, rel: Column, *, where: Where = None, **options: Unpack[BprefRowsOptions]
) -> ir.FloatingScalar: ...
def inf_ap_rows(
    item: Column, score: Column, rel: Column, *, where: Where = None, **options: Unpack[InfApRowsOptions]
) -> ir.FloatingScalar: ...
def iprec_rows(
    item: Column, score: Column, rel: Column, *, where: Where = None, **options: Unpack[IprecRowsOptions]
) -> ir.FloatingScalar: ...
def eleven_point_average_rows(
    item: Column,
    score: Column,
    rel: Column,
    *,
    where: Where = None,
    **options: Unpack[ElevenPointAverageRowsOptions],
) -> ir.FloatingScalar: ...
def relative_precision_rows(
    item: Column,
    score: Column,
    rel: Column,
    k: K = None,
    *,
    where: Where = None,
    **options: Unpack[RelativePrecisionRowsOptions],
) -> ir.FloatingScalar: ...
def utility_rows(
    item: Column,
    score: Column,
    rel: Column,
    k: K = None,
    *,
    where: Where = None,
    **options: Unpack[UtilityRowsOptions],
) -> ir.FloatingScalar: ...
def judged_share_rows(
    item: Column,
    score: Column,
    rel: Column,
    k: K = None,
    *,
    where: Where = None,
    **options: Unpack[JudgedShareRowsOptions],
) -> ir.FloatingScalar: ...
def rankdcg_rows(
    item: Column, score: Column, rel: Column, *, where: Where = None, **options: Unpack[RankdcgRowsOptions]
) -> ir.FloatingScalar: ...
def rank_metrics_rows(
    item: Column,
    score: Column,
    rel: Column,
    k: K = None,
    *,
    where: Where = None,
    **options: Unpack[RankMetricsRowsOptions],
) -> ir.StructScalar: ...
def rank_metrics_at_rows(
    item: Column,
    score: Column,
    rel: Column,
    ks: Ks,
    *,
    where: Where = None,
    **options: Unpack[RankMetricsAtRowsOptions],
) -> ir.ArrayScalar: ...
def rank_explain_rows(
    item: Column,
    score: Column,
    rel: Column,
    k: K = None,
    *,
    where: Where = None,
    **options: Unpack[RankExplainRowsOptions],
) -> ir.ArrayScalar: ...
def rank_measures_rows(
    item: Column,
    score: Column,
    rel: Column,
    measures: str,
    *,
    where: Where = None,
    **options: Unpack[RankMeasuresRowsOptions],
) -> ir.ArrayScalar: ...
def rank_metrics_by_user(
    userid: Column,
    item: Column,
    score: Column,
    rel: Column,
    k: K = None,
    *,
    where: Where = None,
    **options: Unpack[RankMetricsByUserOptions],
) -> ir.ArrayScalar: ...
def rank_metrics_at_by_user(
    userid: Column,
    item: Column,
    score: Column,
    rel: Column,
    ks: Ks,
    *,
    where: Where = None,
    **options: Unpack[RankMetricsAtByUserOptions],
) -> ir.ArrayScalar: ...
def rank_evaluation_by_user(
    userid: Column,
    item: Column,
    score: Column,
    rel: Column,
    ks: Ks,
    *,
    where: Where = None,
    **options: Unpack[RankEvaluationByUserOptions],
) -> ir.ArrayScalar: ...
def rank_explain_by_user(
    userid: Column,
    item: Column,
    score: Column,
    rel: Column,
    k: K = None,
    *,
    where: Where = None,
    **options: Unpack[RankExplainByUserOptions],
) -> ir.ArrayScalar: ...
def rank_measures_by_user(
    userid: Column,
    item: Column,
    score: Column,
    rel: Column,
    measures: str,
    *,
    where: Where = None,
    **options: Unpack[RankMeasuresByUserOptions],
) -> ir.ArrayScalar: ...
def ranked_list(
    item: Column, score: Column, k: K = None, *, where: Where = None, **options: Unpack[RankedListOptions]
) -> ir.ArrayScalar: ...
def rbo(a: Column, b: Column, k: K = None, **options: Unpack[RboOptions]) -> ir.FloatingValue: ...
def jaccard_index(
    a: Column, b: Column, k: K = None, **options: Unpack[JaccardIndexOptions]
) -> ir.FloatingValue: ...
def overlap(a: Column, b: Column, k: K = None, **options: Unpack[OverlapOptions]) -> ir.FloatingValue: ...
def spearman_rho(
    a: Column, b: Column, k: K = None, **options: Unpack[SpearmanRhoOptions]
) -> ir.FloatingValue: ...
def tau_ap(a: Column, b: Column, k: K = None, **options: Unpack[TauApOptions]) -> ir.FloatingValue: ...
def weighted_tau(
    a: Column, b: Column, k: K = None, **options: Unpack[WeightedTauOptions]
) -> ir.FloatingValue: ...
def rank_similarity(
    a: Column, b: Column, k: K = None, **options: Unpack[RankSimilarityOptions]
) -> ir.StructValue: ...
def average_popularity(
    values: Column, k: K = None, **options: Unpack[AveragePopularityOptions]
) -> ir.FloatingValue: ...
def novelty(values: Column, k: K = None, **options: Unpack[NoveltyOptions]) -> ir.FloatingValue: ...
def long_tail_share(
    values: Column, k: K = None, **options: Unpack[LongTailShareOptions]
) -> ir.FloatingValue: ...
def categorical_diversity(
    values: Column, k: K = None, **options: Unpack[CategoricalDiversityOptions]
) -> ir.FloatingValue: ...
def intra_list_diversity(
    values: Column, k: K = None, **options: Unpack[IntraListDiversityOptions]
) -> ir.FloatingValue: ...
def rank_items(
    rec: Column, truth: Column, items: Column, measures: str, **options: Unpack[RankItemsOptions]
) -> ir.ArrayValue: ...
def alpha_ndcg(
    rec: Column, truth: Column, k: K = None, **options: Unpack[AlphaNdcgOptions]
) -> ir.FloatingValue: ...
def alpha_dcg(
    rec: Column, truth: Column, k: K = None, **options: Unpack[AlphaDcgOptions]
) -> ir.FloatingValue: ...
def nerr_ia(
    rec: Column, truth: Column, k: K = None, **options: Unpack[NerrIaOptions]
) -> ir.FloatingValue: ...
def err_ia(rec: Column, truth: Column, k: K = None, **options: Unpack[ErrIaOptions]) -> ir.FloatingValue: ...
def nnrbp(rec: Column, truth: Column, k: K = None, **options: Unpack[NnrbpOptions]) -> ir.FloatingValue: ...
def nrbp(rec: Column, truth: Column, k: K = None, **options: Unpack[NrbpOptions]) -> ir.FloatingValue: ...
def subtopic_recall(
    rec: Column, truth: Column, k: K = None, **options: Unpack[SubtopicRecallOptions]
) -> ir.FloatingValue: ...
def precision_ia(
    rec: Column, truth: Column, k: K = None, **options: Unpack[PrecisionIaOptions]
) -> ir.FloatingValue: ...
def average_precision_ia(
    rec: Column, truth: Column, k: K = None, **options: Unpack[AveragePrecisionIaOptions]
) -> ir.FloatingValue: ...
def mean_ci(x: Column, *, where: Where = None, **options: Unpack[MeanCiOptions]) -> ir.StructScalar: ...
def bootstrap_ci(
    x: Column, *, where: Where = None, **options: Unpack[BootstrapCiOptions]
) -> ir.StructScalar: ...
def anytime_mean_ci(
    x: Column, *, where: Where = None, **options: Unpack[AnytimeMeanCiOptions]
) -> ir.StructScalar: ...
def paired_t_test(
    a: Column, b: Column, *, where: Where = None, **options: Unpack[PairedTTestOptions]
) -> ir.StructScalar: ...
def paired_t_test_power(
    a: Column, b: Column, *, where: Where = None, **options: Unpack[PairedTTestPowerOptions]
) -> ir.StructScalar: ...
def wilcoxon_signed_rank(
    a: Column, b: Column, *, where: Where = None, **options: Unpack[WilcoxonSignedRankOptions]
) -> ir.StructScalar: ...
def randomization_test(
    a: Column, b: Column, *, where: Where = None, **options: Unpack[RandomizationTestOptions]
) -> ir.StructScalar: ...
def win_tie_loss(
    a: Column, b: Column, *, where: Where = None, **options: Unpack[WinTieLossOptions]
) -> ir.StructScalar: ...
def paired_comparison(
    a: Column, b: Column, *, where: Where = None, **options: Unpack[PairedComparisonOptions]
) -> ir.StructScalar: ...
def partially_overlapping_t_test(
    a: Column, b: Column, *, where: Where = None, **options: Unpack[PartiallyOverlappingTTestOptions]
) -> ir.StructScalar: ...
def judge_corrected_mean(
    human: Column, judge: Column, *, where: Where = None, **options: Unpack[JudgeCorrectedMeanOptions]
) -> ir.StructScalar: ...
def concentration(
    x: Column, *, where: Where = None, **options: Unpack[ConcentrationOptions]
) -> ir.StructScalar: ...
def weighted_mean_ci(
    x: Column, weight: Column, *, where: Where = None, **options: Unpack[WeightedMeanCiOptions]
) -> ir.StructScalar: ...
def weighted_paired_comparison(
    a: Column,
    b: Column,
    weight: Column,
    *,
    where: Where = None,
    **options: Unpack[WeightedPairedComparisonOptions],
) -> ir.StructScalar: ...
def weighted_judge_corrected_mean(
    human: Column,
    judge: Column,
    weight: Column,
    *,
    where: Where = None,
    **options: Unpack[WeightedJudgeCorrectedMeanOptions],
) -> ir.StructScalar: ...
def tukey_hsd(blocks: Column, **options: Unpack[TukeyHsdOptions]) -> ir.ArrayValue: ...
def corrected_p_values(p_values: Column, **options: Unpack[CorrectedPValuesOptions]) -> ir.ArrayValue: ...
def geometric_mean_values(
    user_values: Column, **options: Unpack[GeometricMeanValuesOptions]
) -> ir.ArrayValue: ...
