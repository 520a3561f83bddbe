//! What a statistic is, and the sample that it is of.

use crate::error::{Error, bail};
use crate::options::Options;
use crate::options::choices::Alternative;
use crate::options::parse::OptionSchema;

/// The arguments and fields of a confidence interval.
pub(super) const INTERVAL: (&[&str], [&str; 3]) = (&["x"], ["mean", "low", "high"]);
/// The arguments and fields of a test of paired samples.
pub(super) const TEST: (&[&str], [&str; 3]) = (&["a", "b"], ["mean_difference", "statistic", "p_value"]);

/// A statistic: what it is called, how it is computed, and where that comes from.
pub struct Statistic {
    /// The name of its function.
    pub name: &'static str,
    /// One argument, or the two whose difference counts.
    pub arguments: &'static [&'static str],
    /// The fields of its result after `n`.
    pub fields: [&'static str; 3],
    /// What it tells.
    pub summary: &'static str,
    /// How it is computed.
    pub formula: &'static str,
    /// The least and the largest value that there can be, in words.
    pub range: &'static str,
    /// Where it comes from.
    pub source: &'static str,
    /// The options that it takes.
    pub options: &'static [&'static str],
    /// Computes the two fields after the mean.
    pub(super) compute: Compute,
}

/// Computes the two fields after the mean, for a sample that is not empty.
pub(super) type Compute = fn(&Sample, &Options) -> Result<[Option<f64>; 2], Error>;

/// What a statistic finds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Summary {
    /// How many rows counted.
    pub n: usize,
    /// The other fields; none where not defined.
    pub fields: [Option<f64>; 3],
}

impl Statistic {
    /// The options that it takes.
    pub(crate) fn option_schema(&self) -> OptionSchema {
        OptionSchema { names: self.options.to_vec(), ..OptionSchema::default() }
    }

    /// The one number by which a row counts: its value, or the difference of its two values.
    pub fn observe(&self, row: &[f64]) -> Result<f64, Error> {
        for (argument, value) in self.arguments.iter().zip(row) {
            if !value.is_finite() {
                bail!("{argument} must be finite, got {value}");
            }
        }
        let number = row.iter().copied().reduce(|a, b| a - b).expect("a row has a value");
        if !number.is_finite() {
            bail!("{} must be finite, got {number}", self.arguments.join(" - "));
        }
        Ok(number)
    }

    /// The statistic of what was observed, in any order.
    pub fn summarise(&self, observed: &mut [f64], options: &Options) -> Result<Summary, Error> {
        let n = observed.len();
        if n == 0 {
            return Ok(Summary { n, fields: [None; 3] });
        }
        let sample = Sample::new(observed)?;
        let [second, third] = (self.compute)(&sample, options)?;
        Ok(Summary { n, fields: [Some(sample.mean), second, third] })
    }
}

/// A sorted sample of at least one number.
pub(super) struct Sample<'a> {
    /// The numbers, the least first.
    pub values: &'a [f64],
    /// Their mean.
    pub mean: f64,
    /// The sum of squared deviations from the mean.
    pub squares: f64,
}

impl<'a> Sample<'a> {
    pub fn new(values: &'a mut [f64]) -> Result<Self, Error> {
        values.sort_unstable_by(f64::total_cmp);
        let (least, most) = (values[0], values[values.len() - 1]);
        let total = sum(values.iter().copied());
        // Rounded, the mean of equal values may be another value.
        let mean = (total / values.len() as f64).clamp(least, most);
        let squares = sum(values.iter().map(|value| (value - mean) * (value - mean)));
        if !total.is_finite() || !squares.is_finite() {
            bail!("numbers must be small enough for the sum of their squares, got {least:?} to {most:?}");
        }
        Ok(Self { values, mean, squares })
    }

    pub fn n(&self) -> f64 {
        self.values.len() as f64
    }

    pub fn least(&self) -> f64 {
        self.values[0]
    }

    pub fn most(&self) -> f64 {
        self.values[self.values.len() - 1]
    }

    /// The estimated standard deviation of the mean; none of a single value.
    pub fn standard_error(&self) -> Option<f64> {
        (self.values.len() > 1).then(|| (self.squares / (self.n() - 1.0) / self.n()).sqrt())
    }
}

/// Neumaier's sum, which loses nothing where large terms cancel.
pub(super) fn sum(terms: impl Iterator<Item = f64>) -> f64 {
    let (mut total, mut lost) = (0.0_f64, 0.0);
    for term in terms {
        let next = total + term;
        lost += if total.abs() >= term.abs() { (total - next) + term } else { (term - next) + total };
        total = next;
    }
    total + lost
}

/// The p-value of an alternative, from the probabilities of a statistic at most and at least as large as that seen.
pub(super) fn p_value(alternative: Alternative, at_most: f64, at_least: f64) -> f64 {
    match alternative {
        Alternative::Less => at_most,
        Alternative::Greater => at_least,
        Alternative::TwoSided => (2.0 * at_most.min(at_least)).min(1.0),
    }
}
