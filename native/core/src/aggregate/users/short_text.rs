//! Texts of up to 15 bytes, stored in place.

use crate::aggregate::join::Item;
use crate::ranking::lookup::folded_product;

/// A byte string: up to 15 bytes, zeros after them, and the length. These 16 bytes are ordered as the byte strings are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ShortText([u8; 16]);

impl ShortText {
    pub const MAX_BYTES: usize = 15;

    /// The byte string with these bytes, of which there are [`Self::MAX_BYTES`] at most.
    #[inline]
    #[allow(clippy::cast_possible_truncation)]
    pub fn new(bytes: &[u8]) -> Self {
        let length = bytes.len() as u64;
        let (low, high) = match (bytes.first_chunk(), bytes.last_chunk()) {
            // Both words may have some of the bytes; these are shifted out of the second one.
            (Some(first), Some(last)) => {
                let shift = 8 * (16 - length) as u32;
                (u64::from_le_bytes(*first), u64::from_le_bytes(*last).checked_shr(shift).unwrap_or(0))
            }
            _ => (bytes.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte)), 0),
        };
        let mut text = [0; 16];
        text[..8].copy_from_slice(&low.to_le_bytes());
        text[8..].copy_from_slice(&(high | length << 56).to_le_bytes());
        Self(text)
    }

    /// The 16 bytes as two numbers, the least significant byte first.
    #[inline]
    fn words(self) -> [u64; 2] {
        let word = |index: usize| u64::from_le_bytes(std::array::from_fn(|byte| self.0[8 * index + byte]));
        [word(0), word(1)]
    }
}

impl Item for ShortText {
    const EXACT: bool = false;

    /// A hash of all 16 bytes.
    #[inline]
    fn tag(&self) -> i64 {
        let [low, high] = self.words();
        folded_product(low, high).cast_signed()
    }

    fn bytes(&self) -> &[u8] {
        &self.0[..usize::from(self.0[Self::MAX_BYTES])]
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn they_compare_like_their_bytes(
            one in prop::collection::vec(prop_oneof![0..3_u8, any::<u8>()], 0..=ShortText::MAX_BYTES),
            other in prop::collection::vec(prop_oneof![0..3_u8, any::<u8>()], 0..=ShortText::MAX_BYTES),
        ) {
            let (short, other_short) = (ShortText::new(&one), ShortText::new(&other));
            prop_assert_eq!(short.bytes(), &one[..]);
            prop_assert_eq!(short.cmp(&other_short), one.cmp(&other));
            prop_assert_eq!(short == other_short, one == other);
        }
    }

    #[test]
    fn the_tags_of_ids_differ() {
        let ids = (0..100_000).flat_map(|number| [format!("u{number}"), format!("user_{number:010}")]);
        let tags: HashSet<i64> = ids.map(|id| ShortText::new(id.as_bytes()).tag()).collect();
        assert_eq!(tags.len(), 200_000);
    }
}
