use super::distributions::t_above;
use super::statistic::{Compute, Sample, Statistic, TEST, p_value};
use crate::error::Error;
use crate::options::Options;

pub static STATISTIC: Statistic = Statistic {
    name: "paired_t_test",
    arguments: TEST.0,
    fields: TEST.1,
    summary: "Student's t test of a mean difference of 0 between pairs; statistic is t",
    formula: "mean(a - b) / (s / sqrt(n)), with n - 1 degrees of freedom",
    latex: r"t = \frac{\bar{d}}{s / \sqrt{n}}, \quad d_i = a_i - b_i",
    range: "p_value 0 to 1; NULL for one pair, or where no pair differs",
    source: "Student, The Probable Error of a Mean, Biometrika 1908; scipy.stats.ttest_rel",
    options: &["alternative", "tolerance"],
    compute: Compute::Moments(compute),
};

fn compute(sample: &Sample, options: &Options) -> Result<[Option<f64>; 2], Error> {
    let t = sample.standard_error().map(|error| sample.mean / error).filter(|t| !t.is_nan());
    let p = t.map(|t| {
        let above = |t| t_above(t, sample.n() - 1.0);
        p_value(options.alternative, above(-t), above(t))
    });
    Ok([t, p])
}
