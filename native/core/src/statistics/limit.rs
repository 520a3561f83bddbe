use std::array::from_fn;
use std::f64::consts::{PI, TAU};

/// How many waves a distribution is made of.
const WAVES: usize = 512;

/// The distribution of the mean of as many values as there are, drawn with replacement.
///
/// The values are drawn independently, so that the characteristic function of their sum is a power of that of one. The
/// share of means below a bound is a Fourier series from there, over the range in which the means lie.
pub struct Limit {
    /// The least mean that there can be.
    lowest: f64,
    /// The largest mean that there can be.
    highest: f64,
    /// Where the series starts.
    start: f64,
    /// The width after which the series repeats.
    width: f64,
    /// By how much the share below changes with one minus the cosine, and with the sine, of each wave.
    waves: Vec<[f64; 2]>,
}

impl Limit {
    /// Of values, each given with how many of them there are, whose means all lie, but for rounding, in a range.
    pub fn new(values: &[(f64, f64)], lowest: f64, highest: f64) -> Self {
        /// By how much the series is wider at each end, since it repeats.
        const MARGIN: f64 = 0.05;
        let margin = MARGIN * (highest - lowest);
        let (start, width) = (lowest - margin, highest - lowest + 2.0 * margin);
        let angle = |mean: f64| TAU * mean / width;

        let n: f64 = values.iter().map(|(_, count)| count).sum();
        let mut powers = Powers::default();
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

    /// The share of means below a bound. Of those that equal it, half count.
    pub fn below(&self, bound: f64) -> f64 {
        let angle = TAU * (bound - self.start) / self.width;
        let (turn_sine, turn_cosine) = angle.sin_cos();
        let (mut share, mut sine, mut cosine) = (angle / TAU, 0.0, 1.0);
        for [by_cosine, by_sine] in &self.waves {
            (cosine, sine) =
                (cosine * turn_cosine - sine * turn_sine, cosine * turn_sine + sine * turn_cosine);
            share += by_cosine * (1.0 - cosine) + by_sine * sine;
        }
        share
    }

    /// The mean below which a share of means lies.
    pub fn quantile(&self, share: f64) -> f64 {
        /// Halved so often, the range is far below what the waves tell apart.
        const HALVINGS: u32 = 40;
        let (mut low, mut high) = (self.lowest, self.highest);
        for _ in 0..HALVINGS {
            let middle = f64::midpoint(low, high);
            if self.below(middle) < share {
                low = middle;
            } else {
                high = middle;
            }
        }
        // The range's own ends, where the share lies beyond them: a mean of equal values is that value.
        if low == self.lowest {
            low
        } else if high == self.highest {
            high
        } else {
            f64::midpoint(low, high)
        }
    }
}

/// How much smaller, as a power of e, a wave is made: hardly any but the last ones, without which a jump of the
/// distribution would ring all over its range (Gottlieb and Shu, On the Gibbs Phenomenon and Its Resolution, SIAM
/// Review 1997, section 3).
fn damping(number: f64) -> f64 {
    const ORDER: i32 = 8;
    -f64::EPSILON.ln() * (number / WAVES as f64).powi(ORDER)
}

/// The sums, over angles that each have a weight, of the cosines and sines of each angle times 1, 2, 3 and so on.
struct Powers {
    /// The weighted sum of the cosines, for each multiple of the angles from 1 on.
    cosines: [f64; WAVES],
    /// The weighted sum of the sines, for each multiple of the angles from 1 on.
    sines: [f64; WAVES],
}

impl Default for Powers {
    fn default() -> Self {
        Self { cosines: [0.0; WAVES], sines: [0.0; WAVES] }
    }
}

impl Powers {
    #[inline]
    fn add(&mut self, angle: f64, weight: f64) {
        /// So many multiples are turned on at once: one after the other, each would wait for the one before.
        const LANES: usize = 8;
        let multiple = |lane: usize| (angle * (lane + 1) as f64).sin_cos();
        let (turn_sine, turn_cosine) = multiple(LANES - 1);
        let mut cosines: [f64; LANES] = from_fn(|lane| weight * multiple(lane).1);
        let mut sines: [f64; LANES] = from_fn(|lane| weight * multiple(lane).0);
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
