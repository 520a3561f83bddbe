//! The concentration of recommendations on few items.

use super::exact_sum::sum;
use super::statistic::{Compute, Error, Options, Sample, Statistic};

pub static STATISTIC: Statistic = Statistic {
    name: "concentration",
    arguments: &["x"],
    fields: &["mean", "gini", "entropy"],
    summary: "how far the recommendations of a system concentrate on few items: Gini index and Shannon entropy, in bits, of \
              the exposures of all items of the catalogue",
    formula: "gini: sum of (2 * i - n - 1) * x_i over n * (sum of x), x ascending and i from 1; entropy: -sum of p * \
              log2(p), p = x / (sum of x)",
    latex: "",
    range: "gini from 0, all items equally often, to 1 - 1 / n, one item alone; entropy from 0, one item alone, to log2(n). \
            Both are NULL if all exposures are 0",
    source: "Gini, Variabilita e mutabilita 1912; Shannon, A Mathematical Theory of Communication, Bell System Technical \
             Journal 1948; RecBole, GiniIndex",
    options: &[],
    compute: Compute::Exposures(compute),
};

fn compute(sample: &Sample, _: &Options) -> Result<[Option<f64>; 2], Error> {
    let (n, total) = (sample.n(), sum(sample.values.iter().copied()));
    if total == 0.0 {
        return Ok([None; 2]);
    }
    // The values ascend, and the first place is 0. Values whose squares have a finite sum are small enough for products.
    let place_and_value = sample.values.iter().enumerate();
    let differences = place_and_value.map(|(place, value)| (2.0 * place as f64 + 1.0 - n) * value);
    let shares = sample.values.iter().map(|value| value / total).filter(|share| *share > 0.0);
    let surprises = shares.map(|share| 0.0 - share * share.log2());
    Ok([Some(sum(differences) / (n * total)), Some(sum(surprises))])
}
