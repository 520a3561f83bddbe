//! Grouping the rows of one partition by user.

use crate::aggregate::join::ScoredItem;
use crate::aggregate::users::buffer::{RowBlock, RowBuffer, StoredId, UserItem, UserKey};
use crate::error::Error;
use crate::memory::Grow;
use crate::ranking::lookup::mix;

/// Assigns ids to users: 0, 1, 2 and so on, in the order in which users first occur. A hash table with open addressing.
#[derive(Default)]
pub struct UserIndex<'a, K> {
    /// The users by id.
    pub users: Vec<UserKey<'a, K>>,
    /// The slots of the table: the id of a user plus 1, or 0 for a free slot. Their number is a power of two, and at
    /// most a quarter of them are taken.
    places: Vec<u32>,
}

impl<'a, K: StoredId> UserIndex<'a, K> {
    /// The id of the user of each run, block by block; users not met before get the next ids.
    pub fn assign_ids<V>(&mut self, rows: &'a RowBuffer<K, V>) -> Result<Vec<u32>, Error> {
        let mut ids = Vec::new();
        ids.make_exact_room(rows.blocks.iter().map(|block| block.users.len()).sum())?;
        for block in &rows.blocks {
            for (run, user) in block.users.iter().enumerate() {
                ids.push(self.find_or_add((*user, block.user_bytes.get(run)))?);
            }
        }
        Ok(ids)
    }

    /// The id of a user, a new one at the first occurrence.
    #[inline]
    fn find_or_add(&mut self, user: UserKey<'a, K>) -> Result<u32, Error> {
        if self.places.len() <= self.users.len() * 4 {
            self.grow()?;
        }
        let mut place = self.place(user.0.tag());
        loop {
            match self.places[place] {
                0 => {
                    self.users.try_push(user)?;
                    self.places[place] = u32::try_from(self.users.len()).expect("they are less than 2^32");
                    return Ok(self.places[place] - 1);
                }
                number if self.users[number as usize - 1] == user => return Ok(number - 1),
                _ => place = (place + 1) & (self.places.len() - 1),
            }
        }
    }

    /// The index of the slot at which the search for a user starts; later slots follow if it holds another user.
    #[allow(clippy::cast_possible_truncation)]
    fn place(&self, tag: i64) -> usize {
        mix(tag) as usize & (self.places.len() - 1)
    }

    /// Removes all users and keeps the memory.
    pub fn clear(&mut self) {
        self.users.clear();
        self.places.fill(0);
    }

    /// Doubles the slots and enters all users again.
    #[cold]
    fn grow(&mut self) -> Result<(), Error> {
        const LEAST: usize = 16;
        let length = (self.places.len() * 2).max(LEAST);
        self.places.clear();
        self.places.try_resize(length, 0)?;
        for (number, (user, _)) in (1..).zip(&self.users) {
            let mut place = self.place(user.tag());
            while self.places[place] != 0 {
                place = (place + 1) & (self.places.len() - 1);
            }
            self.places[place] = number;
        }
        Ok(())
    }
}

/// The score code and the item of a row of retrieved items.
pub fn scored_item<'a, S: Copy, I: UserItem<'a>>(
    block: &'a RowBlock<I::Stored, ScoredItem<S, I::Stored>>,
    row: usize,
) -> ScoredItem<S, I> {
    let (score, stored) = block.values[row];
    (score, I::from_block(block, row, stored))
}

/// The rows of a buffer with the id of each run's user.
pub struct RunIndex<'a, K, V> {
    pub rows: &'a RowBuffer<K, V>,
    /// The id of the user of each run, block by block.
    pub ids: Vec<u32>,
}

impl<'a, K: StoredId, V: Default> RunIndex<'a, K, V> {
    /// The id of the user of each run, and the values of its rows; `value` takes a block and the index of a row in it.
    fn runs<T>(
        &self,
        value: impl Fn(&'a RowBlock<K, V>, usize) -> T + Copy,
    ) -> impl Iterator<Item = (usize, impl ExactSizeIterator<Item = T>)> {
        let runs =
            self.rows.blocks.iter().flat_map(|block| (0..block.users.len()).map(move |run| (block, run)));
        runs.zip(&self.ids).map(move |((block, run), user)| {
            (*user as usize, block.rows(run).map(move |row| value(block, row)))
        })
    }
}

/// Values by the number of their group, which is the id of a user. Reused for its buffers.
#[derive(Default)]
pub struct Grouped<T> {
    /// The values of all groups, one group after the other, then values left over from earlier use.
    values: Vec<T>,
    /// The index in `values` at which each group starts, ascending; then the end of the last group.
    starts: Vec<usize>,
}

impl<T: Copy + Default> Grouped<T> {
    /// Groups values by counting sort, in two passes over `runs`: each run has the number of its group, below `groups`,
    /// and its values. Within a group, values keep their order.
    pub fn fill<R: Iterator<Item = (usize, impl ExactSizeIterator<Item = T>)>>(
        &mut self,
        groups: usize,
        runs: impl Fn() -> R,
    ) -> Result<(), Error> {
        let Self { values, starts } = self;
        starts.clear();
        starts.try_resize(groups + 1, 0)?;
        runs().for_each(|(group, values)| starts[group] += values.len());
        // Each count becomes the start of its group.
        let mut end = 0;
        for start in &mut *starts {
            end += std::mem::replace(start, end);
        }
        if values.len() < end {
            values.try_resize(end, T::default())?;
        }
        runs().for_each(|(group, run)| {
            let start = starts[group];
            starts[group] += run.len();
            values[start..starts[group]].iter_mut().zip(run).for_each(|(value, new)| *value = new);
        });
        // By now, each start has moved to the end of its group, which is the start of the next one.
        starts.rotate_right(1);
        starts[0] = 0;
        Ok(())
    }

    /// Groups the values of rows by the ids of their users, below `users`.
    pub fn by_user<'a, K: StoredId, V: Default>(
        &mut self,
        users: usize,
        indexes: &[RunIndex<'a, K, V>],
        value: impl Fn(&'a RowBlock<K, V>, usize) -> T + Copy,
    ) -> Result<(), Error> {
        self.fill(users, || indexes.iter().flat_map(|index| index.runs(value)))
    }

    /// How many values all groups have together.
    pub fn count(&self) -> usize {
        self.starts.last().copied().unwrap_or_default()
    }

    /// The values of one group.
    pub fn of(&mut self, group: usize) -> &mut [T] {
        &mut self.values[self.starts[group]..self.starts[group + 1]]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn users_keep_their_numbers_as_more_come() {
        let mut index = UserIndex::default();
        for user in (0..5000).chain(0..5000) {
            assert_eq!(index.find_or_add((user, None)).unwrap(), u32::try_from(user).unwrap());
        }
    }
}
