//! The values of rankings that recur.

use crate::ranking::list::ValueKey;
use crate::values::Nullable;

/// The values of rankings by what they look like: most have few hits or none, and many of those look the same.
#[derive(Default)]
pub struct ValueCache {
    /// The key that each slot holds the values of, and these values.
    slots: Vec<(Option<ValueKey>, Vec<Nullable>)>,
    /// Those of a ranking like no other.
    others: Vec<Nullable>,
}

impl ValueCache {
    /// A power of two, and far more than there are places in most rankings.
    const SLOTS: usize = 256;

    /// Where the values of a ranking belong, and whether they are there.
    #[inline(always)]
    pub fn values(&mut self, key: Option<ValueKey>) -> (bool, &mut Vec<Nullable>) {
        let Some(key) = key else { return (false, &mut self.others) };
        if self.slots.is_empty() {
            self.slots.resize(Self::SLOTS, (None, Vec::new()));
        }
        let (known, values) = &mut self.slots[key.hash() % Self::SLOTS];
        (known.replace(key) == Some(key), values)
    }
}
