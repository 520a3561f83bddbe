//! Random numbers. A seed gives the same numbers in every version and on every platform, because they are made by
//! integer operations alone.

/// SplitMix64: Steele, Lea and Flood, Fast Splittable Pseudorandom Number Generators, OOPSLA 2014.
pub struct Random(u64);

impl Random {
    const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

    /// A generator that continues after the first `drawn` numbers of a seed.
    pub fn new(seed: u64, drawn: usize) -> Self {
        Self(seed.wrapping_add(Self::STEP.wrapping_mul(drawn as u64)))
    }

    /// The next number: 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(Self::STEP);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }

    /// A random index below `length`. The probabilities of two indexes differ by at most a share of `length` / 2^64.
    #[allow(clippy::cast_possible_truncation)]
    pub fn below(&mut self, length: usize) -> usize {
        ((u128::from(self.bits()) * length as u128) >> 64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_generator_is_the_published_one() {
        // The first numbers of Java's SplittableRandom and of Vigna's splitmix64.c for this seed.
        let mut random = Random::new(1_234_567, 0);
        for expected in [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423] {
            assert_eq!(random.bits(), expected);
        }
        assert_eq!(Random::new(1_234_567, 2).bits(), 9_817_491_932_198_370_423);
    }
}
