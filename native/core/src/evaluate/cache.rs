//! The values of rankings that recur.

use crate::ranking::list::Look;
use crate::values::Nullable;

/// The values of rankings by what they look like: most have few hits or none, and many of those look the same.
#[derive(Default)]
pub struct Seen {
    slots: Vec<(Option<Look>, Vec<Nullable>)>,
    /// Those of a ranking like no other.
    others: Vec<Nullable>,
}

impl Seen {
    /// A power of two, and far more than there are places in most rankings.
    const SLOTS: usize = 256;

    /// Where the values of a ranking belong, and whether they are there.
    #[inline(always)]
    pub fn values(&mut self, look: Option<Look>) -> (bool, &mut Vec<Nullable>) {
        let Some(look) = look else { return (false, &mut self.others) };
        if self.slots.is_empty() {
            self.slots.resize(Self::SLOTS, (None, Vec::new()));
        }
        let (before, values) = &mut self.slots[look.hash() % Self::SLOTS];
        (before.replace(look) == Some(look), values)
    }
}
