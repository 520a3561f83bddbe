//! Counting the rows of a user that repeat the item of another row.

use crate::aggregate::join::Item;
use crate::error::Error;
use crate::memory::Grow;
use crate::ranking::lookup::mix;

/// The state of a user's retrieved items after some of them were dropped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dropped {
    /// No item was repeated among all rows until then, and so many rows were kept.
    Distinct(usize),
    /// An item may have been repeated.
    #[default]
    Unknown,
}

/// Whether the repeats among all retrieved items of a user are those among the `kept` ones: none were dropped, or they
/// were dropped once, from rows without repeats, and no row came later.
pub fn are_known(kept: usize, drops: &[Dropped]) -> bool {
    match drops {
        [] => true,
        [Dropped::Distinct(count)] => *count == kept,
        _ => false,
    }
}

/// The number of slots up to which their table stays in the nearest cache.
const NEAR: usize = 1 << 11;

/// Counts repeated items of one user after the other. A hash table with open addressing, which is not emptied between
/// users: slots of earlier users are recognised by their stamp.
#[derive(Default)]
pub struct RepeatCounter {
    /// The slots: the stamp of the user that took the slot, and the index of an item of that user.
    slots: Vec<(u32, u32)>,
    /// The stamp of the current user; slots with other stamps are free.
    stamp: u32,
}

impl RepeatCounter {
    /// The number of items that equal an item before them; `item` returns the item at an index below `count`.
    #[allow(clippy::cast_possible_truncation)] // of a hash
    pub fn count<I: Item>(&mut self, count: usize, item: impl Fn(usize) -> I) -> Result<usize, Error> {
        if count < 2 {
            return Ok(0);
        }
        // At most a quarter of the slots are taken, and far fewer while the table stays in the nearest cache: most of the
        // cost of a row is a mispredicted branch at a slot that is taken.
        let length = (count * 4).next_power_of_two().max(NEAR.min((count * 16).next_power_of_two()));
        if self.slots.len() < length {
            self.slots.try_resize(length, (0, 0))?;
        }
        if self.stamp == u32::MAX {
            self.slots.fill((0, 0));
            self.stamp = 0;
        }
        self.stamp += 1;
        let mut repeats = 0;
        for index in 0..count {
            let new = item(index);
            let mut place = mix(new.tag()) as usize & (length - 1);
            loop {
                let slot = &mut self.slots[place];
                let (stamp, taken_by) = *slot;
                if stamp != self.stamp {
                    let index = u32::try_from(index).expect("a user has less than 2^32 rows");
                    *slot = (self.stamp, index);
                    break;
                }
                if item(taken_by as usize) == new {
                    repeats += 1;
                    break;
                }
                place = (place + 1) & (length - 1);
            }
        }
        Ok(repeats)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stamps_start_again() {
        let mut counter = RepeatCounter { stamp: u32::MAX - 1, ..RepeatCounter::default() };
        for _ in 0..3 {
            assert_eq!(counter.count(3, |index| [7_i64, 8, 7][index]).unwrap(), 1);
        }
    }
}
