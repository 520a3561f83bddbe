//! Grouping rows by user.

use crate::aggregate::merge::ScoredItem;
use crate::aggregate::users::buffer::{RowBlock, RowBuffer, UserItem, UserKey};
use crate::error::Error;
use crate::memory::Grow;
use crate::ranking::lookup::mix;

/// Numbers users in the order in which they come.
#[derive(Default)]
pub struct UserIndex<'a> {
    /// The users by number.
    pub users: Vec<UserKey<'a>>,
    /// The numbers of users from 1 on where their tags lead: a power of two of places, most of them free.
    places: Vec<u32>,
}

impl<'a> UserIndex<'a> {
    /// The number of the user of each run.
    pub fn assign_ids<V>(&mut self, rows: &'a RowBuffer<V>) -> Result<Vec<u32>, Error> {
        let mut ids = Vec::new();
        ids.make_exact_room(rows.blocks.iter().map(|block| block.users.len()).sum())?;
        for block in &rows.blocks {
            for (run, tag) in block.users.iter().enumerate() {
                ids.push(self.find_or_add((*tag, block.user_bytes.get(run)))?);
            }
        }
        Ok(ids)
    }

    #[inline]
    fn find_or_add(&mut self, user: UserKey<'a>) -> Result<u32, Error> {
        if self.places.len() <= self.users.len() * 4 {
            self.grow()?;
        }
        let mut place = self.place(user.0);
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

    /// Where a user is looked for first.
    #[allow(clippy::cast_possible_truncation)]
    fn place(&self, tag: i64) -> usize {
        mix(tag) as usize & (self.places.len() - 1)
    }

    pub fn clear(&mut self) {
        self.users.clear();
        self.places.fill(0);
    }

    #[cold]
    fn grow(&mut self) -> Result<(), Error> {
        const LEAST: usize = 16;
        let length = (self.places.len() * 2).max(LEAST);
        self.places.clear();
        self.places.try_resize(length, 0)?;
        for (number, (tag, _)) in (1..).zip(&self.users) {
            let mut place = self.place(*tag);
            while self.places[place] != 0 {
                place = (place + 1) & (self.places.len() - 1);
            }
            self.places[place] = number;
        }
        Ok(())
    }
}

pub fn scored_item<'a, S: Copy, I: UserItem<'a>>(
    block: &'a RowBlock<ScoredItem<S, i64>>,
    row: usize,
) -> ScoredItem<S, I> {
    let (score, tag) = block.values[row];
    (score, I::of(block, row, tag))
}

/// Rows and, for each run of them, the number of its user.
pub struct RunIndex<'a, V> {
    /// The rows.
    pub rows: &'a RowBuffer<V>,
    /// For each run of rows, the number of its user.
    pub ids: Vec<u32>,
}

impl<'a, V> RunIndex<'a, V> {
    /// The number of the user of each run, and what `value` makes of its rows.
    fn runs<T>(
        &self,
        value: impl Fn(&'a RowBlock<V>, usize) -> T + Copy,
    ) -> impl Iterator<Item = (usize, impl ExactSizeIterator<Item = T>)> {
        let runs =
            self.rows.blocks.iter().flat_map(|block| (0..block.users.len()).map(move |run| (block, run)));
        runs.zip(&self.ids).map(move |((block, run), number)| {
            (*number as usize, block.rows(run).map(move |row| value(block, row)))
        })
    }
}

/// Values by the numbers of their groups. Kept for its buffers.
#[derive(Default)]
pub struct Grouped<T> {
    /// The values of all groups, one group after the other.
    values: Vec<T>,
    /// Where the values of each group begin, and where the last ones end.
    starts: Vec<usize>,
}

impl<T: Copy + Default> Grouped<T> {
    /// Groups values that come in runs, each with the number of its group.
    pub fn fill<R: Iterator<Item = (usize, impl ExactSizeIterator<Item = T>)>>(
        &mut self,
        groups: usize,
        runs: impl Fn() -> R,
    ) -> Result<(), Error> {
        let Self { values, starts } = self;
        starts.clear();
        starts.try_resize(groups + 1, 0)?;
        runs().for_each(|(group, values)| starts[group] += values.len());
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
        // Each start has come to be the next one.
        starts.rotate_right(1);
        starts[0] = 0;
        Ok(())
    }

    /// Groups values by user.
    pub fn by_user<'a, V>(
        &mut self,
        users: usize,
        indexes: &[RunIndex<'a, V>],
        value: impl Fn(&'a RowBlock<V>, usize) -> T + Copy,
    ) -> Result<(), Error> {
        self.fill(users, || indexes.iter().flat_map(|index| index.runs(value)))
    }

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
