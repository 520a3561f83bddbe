use super::distributions::t_above;
use super::statistic::{Compute, Sample, Statistic, TEST, p_value};
use crate::error::Error;
use crate::options::Options;
use crate::options::choices::Alternative;

pub static STATISTIC: Statistic = Statistic {
    name: "paired_t_test",
    arguments: TEST.0,
    fields: TEST.1,
    summary: "Student's t test of a mean difference of 0 between pairs; statistic is t, and effect_size Cohen's d_z. With \
              a margin, greater is the test that a is not inferior to b, and equivalence is two one-sided tests: \
              p_value is the larger of theirs, and statistic its t",
    formula: "mean(a - b) / (s / sqrt(n)), with n - 1 degrees of freedom; greater: (mean(a - b) + margin) / (s / sqrt(n)); \
              less: (mean(a - b) - margin) / (s / sqrt(n)); effect_size: mean(a - b) / s",
    latex: r"t = \frac{\bar{d}}{s / \sqrt{n}}, \quad d_i = a_i - b_i",
    range: "p_value 0 to 1; NULL for one pair, where no pair differs, or with a margin, where all differences are at its \
            end",
    source: "Student, The Probable Error of a Mean, Biometrika 1908; scipy.stats.ttest_rel; Schuirmann, A Comparison of \
             the Two One-Sided Tests Procedure, Journal of Pharmacokinetics and Biopharmaceutics 1987; ttost_paired of \
             statsmodels",
    options: &["alternative", "margin", "tolerance"],
    compute: Compute::Moments(compute),
};

fn compute(sample: &Sample, options: &Options) -> Result<[Option<f64>; 2], Error> {
    let Some(error) = sample.standard_error() else { return Ok([None; 2]) };
    // The mean difference less the bound that the alternative `greater` denies, and the same for `less`.
    let [greater, less] = [options.margin, -options.margin].map(|margin| (sample.mean + margin) / error);
    let t = match options.alternative {
        Alternative::Greater | Alternative::TwoSided => greater,
        Alternative::Less => less,
        // The t of the larger p-value: that of the bound that is nearer to the mean.
        Alternative::Equivalence => if sample.mean < 0.0 { greater } else { less },
    };
    let above = |t| t_above(t, sample.n() - 1.0);
    let p = (!t.is_nan()).then(|| p_value(options.alternative, above(-less), above(greater)));
    Ok([Some(t).filter(|t| !t.is_nan()), p])
}
