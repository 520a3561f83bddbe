//! The distribution of the means of resamples, to which drawing tends.

use std::array::from_fn;
use std::f64::consts::{PI, TAU};

/// The number of terms of the Fourier series.
const WAVES: usize = 512;

/// The distribution of the means of resamples: n values drawn from n values with replacement.
///
/// The values are drawn independently, so the characteristic function of their sum is that of one value to the power of
/// n. The distribution function follows from it as a Fourier series over the range of the means.
pub struct ResampledMeans {
    /// The lower end of the range in which means lie.
    lowest: f64,
    /// The upper end of the range in which means lie.
    highest: f64,
    /// The mean at which a period of the series starts, below `lowest`.
    start: f64,
    /// The period of the series, wider than the range.
    width: f64,
    /// For each term, the coefficients of 1 - cosine and of sine in the distribution function.
    waves: Vec<[f64; 2]>,
}

impl ResampledMeans {
    /// The distribution for values that are each given with their count. All means must be between `lowest` and
    /// `highest`, but for a share that rounding hides.
    pub fn new(values: &[(f64, f64)], lowest: f64, highest: f64) -> Self {
        /// The part of the range that the period adds at either end, so that its repetitions do not meet.
        const MARGIN: f64 = 0.05;
        let margin = MARGIN * (highest - lowest);
        let (start, width) = (lowest - margin, highest - lowest + 2.0 * margin);
        let angle = |mean: f64| TAU * mean / width;

        let n: f64 = values.iter().map(|(_, count)| count).sum();
        let mut powers = Powers { cosines: [0.0; WAVES], sines: [0.0; WAVES] };
        for (value, count) in values {
            powers.add(angle(value / n), count / n);
        }
        let characteristic = powers.cosines.iter().zip(&powers.sines);
        let waves = characteristic.zip(1_u32..).map(|((cosine, sine), number)| {
            let number = f64::from(number);
            let size = (n * cosine.hypot(*sine).ln() - damping(number)).exp() / (PI * number);
            let phase = n * sine.atan2(*cosine) - number * angle(start);
            [size * phase.sin(), size * phase.cos()]
        });
        Self { lowest, highest, start, width, waves: waves.collect() }
    }

    /// The share of means below `bound`, plus half the share of those equal to it.
    pub fn share_below(&self, bound: f64) -> f64 {
        let angle = TAU * (bound - self.start) / self.width;
        let (turn_sine, turn_cosine) = angle.sin_cos();
        let (mut share, mut sine, mut cosine) = (angle / TAU, 0.0, 1.0);
        // Each term has the angle of the one before, turned once more.
        for [by_cosine, by_sine] in &self.waves {
            (cosine, sine) =
                (cosine * turn_cosine - sine * turn_sine, cosine * turn_sine + sine * turn_cosine);
            share += by_cosine * (1.0 - cosine) + by_sine * sine;
        }
        share
    }

    /// The quantile: the mean that `share` of all means are below.
    pub fn quantile(&self, share: f64) -> f64 {
        /// The number of halvings of the range, after which it is far narrower than the series resolves.
        const HALVINGS: u32 = 40;
        let (mut low, mut high) = (self.lowest, self.highest);
        for _ in 0..HALVINGS {
            let middle = f64::midpoint(low, high);
            if self.share_below(middle) < share { low = middle } else { high = middle }
        }
        // An end of the range is returned exactly if the share is beyond it: the mean of equal values is their value.
        if low == self.lowest {
            low
        } else if high == self.highest {
            high
        } else {
            f64::midpoint(low, high)
        }
    }
}

/// The exponent d of term `number`, counted from 1, which is damped by the factor e^-d. Only the last terms are damped
/// noticeably. Without damping, a jump of the distribution function would cause oscillations all over its range
/// (Gottlieb and Shu, On the Gibbs Phenomenon and Its Resolution, SIAM Review 1997, section 3).
fn damping(number: f64) -> f64 {
    const ORDER: i32 = 8;
    -f64::EPSILON.ln() * (number / WAVES as f64).powi(ORDER)
}

/// For each multiple from 1 to [`WAVES`], the weighted sums of the cosines and sines of that multiple of all angles.
struct Powers {
    cosines: [f64; WAVES],
    sines: [f64; WAVES],
}

impl Powers {
    /// Adds the cosines and sines of all multiples of an angle. Each follows from an earlier one by a rotation.
    #[inline]
    fn add(&mut self, angle: f64, weight: f64) {
        /// The number of multiples that are rotated at once; one by one, each would wait for the one before.
        const LANES: usize = 8;
        let multiple = |lane: usize| angle * (lane + 1) as f64;
        let (turn_sine, turn_cosine) = multiple(LANES - 1).sin_cos();
        let mut cosines: [f64; LANES] = from_fn(|lane| weight * multiple(lane).cos());
        let mut sines: [f64; LANES] = from_fn(|lane| weight * multiple(lane).sin());
        let blocks = self.cosines.chunks_exact_mut(LANES).zip(self.sines.chunks_exact_mut(LANES));
        for (cosine_sums, sine_sums) in blocks {
            for lane in 0..LANES {
                let (cosine, sine) = (cosines[lane], sines[lane]);
                cosine_sums[lane] += cosine;
                sine_sums[lane] += sine;
                cosines[lane] = cosine * turn_cosine - sine * turn_sine;
                sines[lane] = cosine * turn_sine + sine * turn_cosine;
            }
        }
    }
}
