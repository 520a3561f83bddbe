//! The metrics, one file for each. To add one, write its file, and add its name to the modules and to the list below.

pub mod auc;
pub mod average_precision;
pub mod bpm;
pub mod bpref;
pub mod cg;
pub mod dcg;
pub mod eleven_point_average;
pub mod err;
pub mod examined;
pub mod f1;
pub mod hit_rate;
pub mod idcg;
pub mod inf_ap;
pub mod insq;
pub mod inst;
pub mod iprec;
pub mod judged_share;
pub mod kendall_tau;
pub mod metric;
pub mod mrr;
pub mod ndcg;
pub mod nearly_err;
pub mod nerr;
pub mod precision;
pub mod q_measure;
pub mod r_precision;
pub mod rankdcg;
pub mod rbp;
pub mod rbp_residual;
pub mod recall;
pub mod relative_precision;
pub mod roc_auc;
pub mod sdcg;
pub mod terms;
pub mod utility;

use crate::error::{Error, bail};
use crate::metrics::metric::{Metric, Outcome, Terms};
use crate::needs::Needs;
use crate::options::Options;
use crate::options::choices::{EmptyRec, NoRelevant};
use crate::ranking::view::RankingAtK;
use crate::results::Nullable;

/// Every metric, in the order of the documentation.
pub static METRICS: &[&Metric] = &[
    &precision::METRIC,
    &recall::METRIC,
    &f1::METRIC,
    &hit_rate::METRIC,
    &mrr::METRIC,
    &average_precision::METRIC,
    &ndcg::METRIC,
    &cg::METRIC,
    &dcg::METRIC,
    &idcg::METRIC,
    &auc::METRIC,
    &r_precision::METRIC,
    &rbp::METRIC,
    &rbp_residual::METRIC,
    &err::METRIC,
    &nerr::METRIC,
    &nearly_err::METRIC,
    &q_measure::METRIC,
    &sdcg::METRIC,
    &bpm::METRIC,
    &insq::METRIC,
    &inst::METRIC,
    &bpref::METRIC,
    &inf_ap::METRIC,
    &iprec::METRIC,
    &eleven_point_average::METRIC,
    &relative_precision::METRIC,
    &utility::METRIC,
    &judged_share::METRIC,
    &roc_auc::METRIC,
    &kendall_tau::METRIC,
    &rankdcg::METRIC,
];

macro_rules! rank_metrics {
    ($first:ident, $($other:ident,)+) => {
        /// The description of `rank_metrics` in words.
        pub const RANK_METRICS_SUMMARY: &str = concat!(
            "several metrics in one pass, in a struct with k: ", stringify!($first), $(", ", stringify!($other),)+
        );

        rank_metrics! { @kernels $first, $($other,)+ }
    };
    (@kernels $($module:ident,)+) => {
        /// The metrics that `rank_metrics` computes in one pass, in the order of its fields.
        pub static RANK_METRICS: &[&Metric] = &[$(&$module::METRIC,)+];

        /// Writes the values of these metrics for one ranking.
        ///
        /// Rankings with a relevant and a retrieved item, which are most, take the first branch: kernels are inlined,
        /// and the rules for empty rankings are checked once. Measured: calls by address, or a check in each metric,
        /// take longer.
        #[inline(always)]
        pub fn evaluate_rank_metrics(
            values: &mut [Nullable; RANK_METRICS.len()],
            ranking: &RankingAtK,
            options: &Options,
        ) -> Result<(), Error> {
            let is_usual = ranking.relevant() > 0 && ranking.has_gains() && ranking.retrieved() > 0;
            if is_usual && options.per_metric.is_empty() {
                let (rec_empty, [$($module,)+]) = (false, values);
                $(*$module = apply_empty_rules($module::kernel(ranking, options), options, rec_empty)?.into();)+
            } else {
                for (value, metric) in values.iter_mut().zip(RANK_METRICS) {
                    *value = self::value(metric, ranking, options)?.into();
                }
            }
            Ok(())
        }
    };
}

rank_metrics! {
    precision, recall, f1, hit_rate, mrr, average_precision, ndcg, auc,
}

/// The metric's value for a ranking; `None` is NULL. The rules for empty rankings apply in this order: nothing
/// retrieved with `empty_rec=null`, no relevant item, nothing retrieved.
#[inline(always)]
pub fn value(metric: &Metric, ranking: &RankingAtK, options: &Options) -> Result<Option<f64>, Error> {
    let options = metric.options_in(options);
    apply_empty_rules(outcome(metric, ranking, options), options, ranking.retrieved() == 0)
}

/// The outcome of the metric's kernel, if the ranking has what the kernel needs.
#[inline(always)]
fn outcome(metric: &Metric, ranking: &RankingAtK, options: &Options) -> Outcome {
    let is_defined = match metric.needs {
        Needs::Hits | Needs::HitSums => ranking.relevant() > 0,
        Needs::Judgements => ranking.judged() > 0,
        Needs::Gains => ranking.has_gains(),
        Needs::Levels => true,
    };
    if is_defined { (metric.kernel)(ranking, options) } else { Outcome::NoRelevant }
}

/// Writes what each item adds to the metric's value for a ranking. Returns `false`, and writes nothing of use, if the value
/// is no sum over items: that of the metric never is, or a rule for empty rankings decides on it.
pub fn write_terms(
    metric: &Metric,
    ranking: &RankingAtK,
    options: &Options,
    terms: &mut Terms,
) -> Result<bool, Error> {
    let options = metric.options_in(options);
    let Some(write) = metric.terms else { return Ok(false) };
    if ranking.retrieved() == 0 && options.empty_rec == EmptyRec::Null {
        return Ok(false);
    }
    terms.clear(ranking.may_show())?;
    let written = match outcome(metric, ranking, options) {
        Outcome::Value(_) => write(ranking, options, terms),
        other => Err(other),
    };
    match written {
        Ok(()) => Ok(true),
        // The rules return the errors among the outcomes.
        Err(other) => apply_empty_rules(other, options, false).map(|_| false),
    }
}

/// The result for the outcome of a kernel, by the rules for empty rankings in the order of [`value`]; `None` is NULL.
#[inline(always)]
pub fn apply_empty_rules(outcome: Outcome, options: &Options, rec_empty: bool) -> Result<Option<f64>, Error> {
    Ok(match outcome {
        _ if rec_empty && options.empty_rec == EmptyRec::Null => None,
        Outcome::Failed(error) => return Err(error),
        Outcome::NoRelevant => match options.no_relevant {
            NoRelevant::Null => None,
            NoRelevant::Zero => Some(0.0),
            NoRelevant::One => Some(1.0),
            NoRelevant::OneIfRecEmpty => Some(f64::from(rec_empty)),
            NoRelevant::Error => bail!("no_relevant" => "truth has no relevant item, and no_relevant=error"),
        },
        Outcome::TooManyTied => bail!(
            "too many tied items differ in relevance to compute the expected value over their orders: give \
             ties=pessimistic or ties=optimistic, or a smaller k to a metric that takes one"
        ),
        // Adding 0 turns -0, the sum of no terms, into 0.
        Outcome::Ideal(value) => Some(value + 0.0),
        _ if rec_empty => Some(0.0),
        Outcome::Null => None,
        Outcome::Value(value) => Some(value + 0.0),
    })
}
