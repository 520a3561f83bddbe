//! Random numbers that are the same for a seed in every version and on every platform: integers, and sums, products
//! and quotients, which IEEE 754 defines to the last bit.

/// SplitMix64: Steele, Lea and Flood, Fast Splittable Pseudorandom Number Generators, OOPSLA 2014.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }

    /// An index below a length; how much likelier some are than others is the length over 2^64.
    #[allow(clippy::cast_possible_truncation)]
    pub fn below(&mut self, length: usize) -> usize {
        ((u128::from(self.bits()) * length as u128) >> 64) as usize
    }

    /// A number from 0 to below 1.
    fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// Poisson's distribution of one mean.
pub struct Poisson {
    first: usize,
    /// The probability of `first`, of `first` or the next, and so on.
    cumulative: Vec<f64>,
}

impl Poisson {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    pub fn new(mean: f64) -> Self {
        /// The share of the most probable number's probability that is not worth a place.
        const NEGLIGIBLE: f64 = 1e-18;
        let mode = mean as usize;
        let kept = |weight: &f64| *weight > NEGLIGIBLE;
        let steps = (1..=mode).rev().scan(1.0, |weight, number| {
            *weight *= number as f64 / mean;
            Some(*weight)
        });
        let mut weights: Vec<f64> = steps.take_while(kept).collect();
        let first = mode - weights.len();
        weights.reverse();
        let steps = (mode + 1..)
            .scan(1.0, |weight, number| Some(std::mem::replace(weight, *weight * mean / number as f64)));
        weights.extend(steps.take_while(kept));
        let total: f64 = weights.iter().sum();
        let cumulative = weights.iter().scan(0.0, |sum, weight| {
            *sum += weight;
            Some(*sum / total)
        });
        Self { first, cumulative: cumulative.collect() }
    }

    pub fn draw(&self, random: &mut Random) -> usize {
        let unit = random.unit();
        self.first + self.cumulative.partition_point(|probability| *probability <= unit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_generator_is_the_published_one() {
        // The first numbers of Java's SplittableRandom and of Vigna's splitmix64.c for this seed.
        let mut random = Random::new(1_234_567);
        for expected in [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423] {
            assert_eq!(random.bits(), expected);
        }
    }

    #[test]
    fn indices_and_units_stay_in_their_range() {
        let mut random = Random::new(0);
        let mut seen = [0; 3];
        for _ in 0..30_000 {
            seen[random.below(3)] += 1;
            assert!((0.0..1.0).contains(&random.unit()));
        }
        // Standard deviation 82.
        assert!(seen.iter().all(|count: &i32| (count - 10_000).abs() < 400), "{seen:?}");
    }

    #[test]
    fn poisson_variates_have_the_probabilities_of_poisson() {
        // scipy.stats.poisson.cdf
        for (mean, number, expected) in [
            (1.0, 0, 0.367_879_441_171_442_45),
            (1.0, 3, 0.981_011_843_123_846_2),
            (40.0, 30, 0.061_694_153_112_469_61),
            (200_000.0, 200_500, 0.868_442_355_700_130_3),
        ] {
            let poisson = Poisson::new(mean);
            let got = poisson.cumulative[number - poisson.first];
            assert!((got - expected).abs() < 1e-10, "{mean} {number}: {got}");
        }
    }
}
