//! The description of a statistic, and the sample that it summarises.

use smallvec::{SmallVec, smallvec};

use crate::error::bail;
use crate::options::choices::Alternative;
use crate::options::parse::OptionSchema;
use crate::statistics::exact_sum::sum;

// Each file of a statistic imports these beside the description.
pub(super) use crate::error::Error;
pub(super) use crate::memory::Grow;
pub(super) use crate::options::Options;

/// The arguments and fields of a confidence interval.
pub(super) const INTERVAL: (&[&str], &[&str]) = (&["x"], &["mean", "low", "high"]);
/// The arguments and fields of a test of paired samples.
pub(super) const TEST: (&[&str], &[&str]) =
    (&["a", "b"], &["mean_difference", "statistic", "p_value", "effect_size"]);

/// The most arguments of a statistic: two values and a weight.
pub const MOST_ARGUMENTS: usize = 3;
/// The argument that has the weights of rows.
pub(super) const WEIGHT: &str = "weight";

/// A statistic: its name and description, as documented, its options, and the function that computes it.
pub struct Statistic {
    /// The name of its function.
    pub name: &'static str,
    /// The names of its arguments: one, or two whose differences are the sample. [`WEIGHT`] may follow them.
    pub arguments: &'static [&'static str],
    /// The fields of its result after `n`.
    pub fields: &'static [&'static str],
    pub summary: &'static str,
    pub formula: &'static str,
    pub latex: &'static str,
    pub range: &'static str,
    pub source: &'static str,
    pub options: &'static [&'static str],
    pub(super) compute: Compute,
}

/// The values of a sample, as a statistic keeps them while it reads rows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Observed {
    /// The number of each row: its value, the difference of its two values, or the first of them.
    pub first: Vec<f64>,
    /// The second value of each row; empty unless the statistic needs both. NaN for NULL, if that counts.
    pub second: Vec<f64>,
    /// The weight of each row, above 0; empty unless the statistic has weights. 0 if the first value is NULL, and that
    /// counts.
    pub weights: Vec<f64>,
}

impl Observed {
    pub fn clear(&mut self) {
        self.first.clear();
        self.second.clear();
        self.weights.clear();
    }

    /// Adds the rows of `other`.
    pub fn append(&mut self, other: &Self) -> Result<(), Error> {
        self.first.try_extend(other.first.iter().copied())?;
        self.second.try_extend(other.second.iter().copied())?;
        self.weights.try_extend(other.weights.iter().copied())
    }
}

/// The fields of a result after `n`; `None` for one that is not defined.
pub type Fields = SmallVec<[Option<f64>; 4]>;

/// Computes the two fields after the mean. A test has the effect size after them.
type AfterMean = fn(&Sample, &Options) -> Result<[Option<f64>; 2], Error>;

/// Computes the fields from the first and the second values of rows.
type OfPairs = fn(&mut [f64], &[f64], &Options) -> Result<Fields, Error>;

/// Computes the fields from rows and their weights.
type OfWeighted = fn(&mut Observed, &Options) -> Result<Fields, Error>;

/// Computes the fields of a statistic after `n`.
pub(super) enum Compute {
    /// The first field is the mean. Computes the other two from the mean and the squares of at least one value.
    Moments(AfterMean),
    /// The same for a sample whose values are sorted.
    Sorted(AfterMean),
    /// The same for the exposures of items, none of which is negative.
    Exposures(AfterMean),
    /// The fields are counts of the numbers of the sample, which may be empty.
    Counts(fn(&[f64]) -> [usize; COUNTS]),
    /// Computes the fields from the two values of each row, of which there is one at least. The last fields are counts.
    /// The first values may be overwritten.
    Pairs(OfPairs),
    /// The same, and a row of which one value is NULL counts, too: the value is NaN.
    Overlapping(OfPairs),
    /// Computes the fields from the rows, of which there is one at least, and their weights. The first values may be
    /// overwritten.
    Weighted(OfWeighted),
    /// The same, and a row of which one value is NULL counts, too: the value is NaN. The weight is that of the first value.
    WeightedOverlapping(OfWeighted),
}

/// The number of fields that are counts, in a statistic that counts.
pub(super) const COUNTS: usize = 3;

#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    pub n: usize,
    pub fields: Fields,
}

impl Statistic {
    pub(crate) fn option_schema(&self) -> OptionSchema {
        OptionSchema { names: self.options.to_vec(), ..OptionSchema::default() }
    }

    /// How many of the last fields are counts.
    pub fn trailing_counts(&self) -> usize {
        if self.needs_both() || matches!(self.compute, Compute::Counts(_)) { COUNTS } else { 0 }
    }

    /// Whether it needs both values of each row, and not only their difference.
    fn needs_both(&self) -> bool {
        match self.compute {
            Compute::Pairs(_) | Compute::Overlapping(_) | Compute::WeightedOverlapping(_) => true,
            Compute::Weighted(_) => self.arguments.len() == MOST_ARGUMENTS,
            _ => false,
        }
    }

    /// Whether the last value of a row is its weight.
    pub(super) fn is_weighted(&self) -> bool {
        matches!(self.compute, Compute::Weighted(_) | Compute::WeightedOverlapping(_))
    }

    /// Whether a row has the exposure of an item, and not the metric of a user.
    pub fn is_of_items(&self) -> bool {
        matches!(self.compute, Compute::Exposures(_))
    }

    /// Whether a row counts of which one value is NULL.
    pub fn counts_halves(&self) -> bool {
        matches!(self.compute, Compute::Overlapping(_) | Compute::WeightedOverlapping(_))
    }

    /// Makes room in `observed` for as many more rows.
    pub fn make_room(&self, rows: usize, observed: &mut Observed) -> Result<(), Error> {
        observed.first.make_room(rows)?;
        if self.needs_both() {
            observed.second.make_room(rows)?;
        }
        if self.is_weighted() { observed.weights.make_room(rows) } else { Ok(()) }
    }

    /// Adds a row of one or two values, and its weight if the statistic has weights, to `observed`, which has room for it,
    /// unless a NULL or a weight of 0 leaves it out. An error unless its values and their difference are finite, and the
    /// weight is, too, and not below 0.
    #[inline(always)]
    pub fn observe(
        &self,
        row: &[Option<f64>],
        options: &Options,
        observed: &mut Observed,
    ) -> Result<(), Error> {
        let (row, weight) = match row {
            [values @ .., weight] if self.is_weighted() => {
                let weight = weight.unwrap_or_default();
                if !(0.0..f64::INFINITY).contains(&weight) {
                    bail!(WEIGHT => "{WEIGHT} must be a finite number that is at least 0, got {weight}");
                }
                (values, weight)
            }
            _ => (row, 1.0),
        };
        let mut values = [0.0; 2];
        let values = &mut values[..row.len()];
        let first = row[0].filter(|_| weight > 0.0);
        let mut nulls = usize::from(first.is_none());
        values[0] = first.unwrap_or_default();
        for (value, given) in values.iter_mut().zip(row).skip(1) {
            nulls += usize::from(given.is_none());
            *value = given.unwrap_or_default();
        }
        if nulls == 0 {
            if self.is_weighted() {
                observed.weights.push(weight);
            }
            return self.observe_values(values, options, observed);
        }
        if nulls < row.len() && self.counts_halves() {
            // A 0 in the place of NULL is finite, and leaves the other value as the difference.
            self.value_or_difference(values, options)?;
            observed.first.push(first.unwrap_or(f64::NAN));
            observed.second.push(row[1].unwrap_or(f64::NAN));
            if self.is_weighted() {
                observed.weights.push(first.map_or(0.0, |_| weight));
            }
        }
        Ok(())
    }

    /// Adds a row without NULL.
    #[inline(always)]
    fn observe_values(&self, row: &[f64], options: &Options, observed: &mut Observed) -> Result<(), Error> {
        let number = self.value_or_difference(row, options)?;
        if self.needs_both() {
            observed.first.push(row[0]);
            observed.second.push(row[1]);
        } else {
            observed.first.push(number);
        }
        Ok(())
    }

    /// The value of a row, or the difference of its values, which is 0 for a tie. An error unless it is finite.
    #[inline(always)]
    fn value_or_difference(&self, row: &[f64], options: &Options) -> Result<f64, Error> {
        if !row.iter().all(|value| value.is_finite()) {
            return Err(self.not_finite(row));
        }
        let number = match *row {
            [a, b] => difference(a, b, options.tolerance),
            _ => row[0],
        };
        if !number.is_finite() {
            bail!("{} must be finite, got {number}", self.arguments[..row.len()].join(" - "));
        }
        Ok(number)
    }

    /// Adds several rows to `observed`, which has room for them, and returns true; or returns false and adds none,
    /// because [`Self::observe`] refuses one of the rows, with an error, or because rows have weights. `y` are the second
    /// values, if rows have two.
    ///
    /// Rows are looked at together, so that the processor compares several at once.
    pub fn observe_all(
        &self,
        x: &[f64],
        y: Option<&[f64]>,
        options: &Options,
        observed: &mut Observed,
    ) -> bool {
        if self.is_weighted() {
            return false;
        }
        let are_finite =
            |values: &[f64]| values.iter().fold(true, |finite, value| finite & value.is_finite());
        let before = observed.first.len();
        match y {
            Some(y) if !self.needs_both() => {
                let differences = x.iter().zip(y).map(|(a, b)| difference(*a, *b, options.tolerance));
                observed.first.extend(differences);
            }
            _ => observed.first.extend_from_slice(x),
        }
        let differ_finitely = |y: &[f64]| {
            if self.needs_both() {
                x.iter().zip(y).fold(true, |finite, (a, b)| finite & (a - b).is_finite())
            } else {
                are_finite(&observed.first[before..])
            }
        };
        let added = are_finite(x) && y.is_none_or(|y| are_finite(y) && differ_finitely(y));
        if !added {
            observed.first.truncate(before);
        } else if let Some(y) = y.filter(|_| self.needs_both()) {
            observed.second.extend_from_slice(y);
        }
        added
    }

    /// The error for a row with a value that is not finite.
    #[cold]
    fn not_finite(&self, row: &[f64]) -> Error {
        let refused = self.arguments.iter().zip(row).find(|(_, value)| !value.is_finite());
        let (argument, value) = refused.expect("a value is not finite");
        Error::new(format!("{argument} must be finite, got {value}")).about(*argument)
    }

    /// The statistic of the rows of an [`Observed`], in any order, whose first values may be overwritten. Without rows,
    /// counts are 0, and all other fields are not defined.
    pub fn summarise(&self, observed: &mut Observed, options: &Options) -> Result<Summary, Error> {
        let n = observed.first.len();
        if n == 0 {
            let mut fields: Fields = smallvec![None; self.fields.len()];
            fields.iter_mut().rev().take(self.trailing_counts()).for_each(|count| *count = Some(0.0));
            return Ok(Summary { n, fields });
        }
        let Observed { first, second, .. } = observed;
        let fields = match self.compute {
            Compute::Weighted(compute) | Compute::WeightedOverlapping(compute) => compute(observed, options)?,
            Compute::Counts(count) => counts(count(first)).collect(),
            Compute::Moments(compute) => self.after_mean(&Sample::new(first)?, options, compute)?,
            Compute::Sorted(compute) => self.after_mean(&Sample::sorted(first)?, options, compute)?,
            Compute::Exposures(compute) => {
                let sample = Sample::sorted(first)?;
                if sample.least < 0.0 {
                    bail!("x" => "x must be 0 or more, got {}", sample.least);
                }
                self.after_mean(&sample, options, compute)?
            }
            Compute::Pairs(compute) | Compute::Overlapping(compute) => compute(first, second, options)?,
        };
        Ok(Summary { n, fields })
    }

    /// The mean, the two fields that `compute` gives, and for a test the effect size.
    fn after_mean(&self, sample: &Sample, options: &Options, compute: AfterMean) -> Result<Fields, Error> {
        let [second, third] = compute(sample, options)?;
        let effect_size = (self.fields == TEST.1).then(|| sample.effect_size());
        Ok([Some(sample.mean), second, third].into_iter().chain(effect_size).collect())
    }
}

/// The fields of a result that are these counts.
pub(super) fn counts(counts: [usize; COUNTS]) -> impl Iterator<Item = Option<f64>> {
    counts.into_iter().map(|count| Some(count as f64))
}

/// `a - b`, or 0 if the two tie: if |a - b| is at most `tolerance` times the larger of 1 and |b|.
#[inline(always)]
pub(super) fn difference(a: f64, b: f64, tolerance: f64) -> f64 {
    let difference = a - b;
    if difference.abs() <= tolerance * b.abs().max(1.0) { 0.0 } else { difference }
}

/// A sample of at least one number.
pub(super) struct Sample<'a> {
    /// The numbers; ascending for [`Compute::Sorted`].
    pub values: &'a [f64],
    pub mean: f64,
    /// The sum of squared deviations from the mean.
    pub squares: f64,
    pub least: f64,
    pub most: f64,
    /// The number of values; for values with weights, the number of those with equal weights that say as much of the mean.
    pub effective_n: f64,
}

impl<'a> Sample<'a> {
    /// The sample of these values, of which there must be at least one; an error if the sum of their squares overflows.
    /// Sums are exact, so the order of the values changes no bit.
    pub fn new(values: &'a [f64]) -> Result<Self, Error> {
        let (least, most) = extremes(values);
        let mean = mean(values, [least, most])?;
        let squares = sum(values.iter().map(|value| (value - mean) * (value - mean)));
        if !squares.is_finite() {
            bail!("the sum of squares must be finite, got numbers from {least:?} to {most:?}");
        }
        Ok(Self { values, mean, squares, least, most, effective_n: values.len() as f64 })
    }

    /// The same; sorts the values first.
    pub fn sorted(values: &'a mut [f64]) -> Result<Self, Error> {
        values.sort_unstable_by(f64::total_cmp);
        Self::new(values)
    }

    pub fn n(&self) -> f64 {
        self.values.len() as f64
    }

    /// The estimated standard deviation of the mean; `None` for a single value.
    pub fn standard_error(&self) -> Option<f64> {
        (self.values.len() > 1).then(|| (self.squares / (self.n() - 1.0) / self.n()).sqrt())
    }

    /// Cohen's d_z: the mean over the estimated standard deviation; `None` for a single value, and if all are 0.
    pub fn effect_size(&self) -> Option<f64> {
        let deviation = (self.values.len() > 1).then(|| (self.squares / (self.n() - 1.0)).sqrt());
        deviation.map(|deviation| self.mean / deviation).filter(|size| !size.is_nan())
    }
}

/// The mean of at least one number, between the least and the largest of them; an error if their sum overflows.
fn mean(values: &[f64], [least, most]: [f64; 2]) -> Result<f64, Error> {
    let total = sum(values.iter().copied());
    if !total.is_finite() {
        bail!("the sum must be finite, got numbers from {least:?} to {most:?}");
    }
    // The mean of equal values may be rounded to another value.
    Ok((total / values.len() as f64).clamp(least, most))
}

/// The mean of at least one number; an error if their sum overflows.
pub(super) fn mean_of(values: &[f64]) -> Result<f64, Error> {
    mean(values, extremes(values).into())
}

/// The least and the largest of some numbers, without the sign of a zero; NaN if there are none.
pub(super) fn extremes(values: &[f64]) -> (f64, f64) {
    /// How many numbers are compared side by side, so that the processor compares several at once.
    const LANES: usize = 8;
    let first = values.first().copied().unwrap_or(f64::NAN);
    let (mut least, mut most) = ([first; LANES], [first; LANES]);
    for lanes in values.chunks(LANES) {
        for ((least, most), value) in least.iter_mut().zip(&mut most).zip(lanes) {
            *least = if value < least { *value } else { *least };
            *most = if value > most { *value } else { *most };
        }
    }
    // Adding 0 makes a negative zero positive.
    (least.into_iter().fold(first, f64::min) + 0.0, most.into_iter().fold(first, f64::max) + 0.0)
}

/// The p-value for an alternative. `at_most` and `at_least` are the probabilities, if there is no difference, that the
/// statistic is at most and at least as large as observed. Equivalence is two one-sided tests, which must both succeed.
pub(super) fn p_value(alternative: Alternative, at_most: f64, at_least: f64) -> f64 {
    match alternative {
        Alternative::Less => at_most,
        Alternative::Greater => at_least,
        Alternative::TwoSided => (2.0 * at_most.min(at_least)).min(1.0),
        Alternative::Equivalence => at_most.max(at_least),
    }
}
