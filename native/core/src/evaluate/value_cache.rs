//! A cache of the values of small rankings, which recur from row to row.

use crate::ranking::list::ValueKey;
use crate::results::Nullable;

/// A direct-mapped cache of values by [`ValueKey`]: most rankings have one hit or none, and many have equal keys.
#[derive(Default)]
pub struct ValueCache {
    /// The slots: the key of a ranking, and its values.
    slots: Vec<(Option<ValueKey>, Vec<Nullable>)>,
    /// Buffer for rankings that cannot be cached.
    others: Vec<Nullable>,
}

impl ValueCache {
    /// The number of slots: a power of two, far above the number of ranks in most rankings.
    const SLOTS: usize = 256;

    /// Whether the values of a ranking are cached, and the buffer that has them or must be filled with them.
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
