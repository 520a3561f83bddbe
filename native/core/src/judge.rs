//! Meeting `rec` and `truth` item by item.

use std::ops::Range;

use crate::Error;
use crate::column::{Items, Numbers};
use crate::error::bail;
use crate::options::Duplicates;
use crate::ranking::UNJUDGED;

/// Up to this many distinct judged items are scanned; more are hashed.
const SCANNED: usize = 32;

/// An empty place of the hash table.
const EMPTY: u32 = u32::MAX;

/// Looks up each retrieved item among the judged ones. Kept over the rows of a call for its buffers.
#[derive(Default)]
pub struct Judge {
    /// The tags of the judged items, and where each lies in the column of truth items.
    tags: Vec<u64>,
    indices: Vec<usize>,
    retrieved: Vec<bool>,
    /// Which places tags fall on, so that most items that are not judged need no scan.
    filter: [u64; FILTER_WORDS],
    /// Open addressing over the judged items, in use where there are more than [`SCANNED`].
    table: Vec<u32>,
    /// The relevances of the judged items.
    pub truth: Vec<f64>,
    /// The relevances of the retrieved items in ranked order, cut at k.
    pub rels: Vec<f64>,
}

const FILTER_WORDS: usize = 8;

impl Judge {
    /// Reads the judged items of one row: each once, NULL items and NULL relevances left out.
    pub fn read_truth<T: Items>(
        &mut self,
        items: &T,
        span: Range<usize>,
        rels: Option<&Numbers>,
        check: impl Fn(f64) -> Result<f64, Error>,
    ) -> Result<(), Error> {
        self.tags.clear();
        self.indices.clear();
        self.retrieved.clear();
        self.truth.clear();
        self.table.clear();
        self.filter = [0; FILTER_WORDS];
        if span.len() > SCANNED {
            // At most half full, so that probing stays short.
            self.table.resize((span.len() * 2).next_power_of_two(), EMPTY);
        }
        for index in span {
            let Some(tag) = items.tag(index) else { continue };
            let rel = match rels {
                None => 1.0,
                Some(rels) => match rels.get(index) {
                    None => continue,
                    Some(rel) => check(rel)?,
                },
            };
            let same = |other: usize| T::EXACT || items.bytes(other) == items.bytes(index);
            let hash = mix(tag);
            match self.find(tag, hash, same) {
                Ok(earlier) if self.truth[earlier] == rel => {}
                Ok(earlier) => {
                    bail!("truth judges an item twice, with relevance {} and {rel}", self.truth[earlier])
                }
                Err(place) => {
                    if let Some(place) = place {
                        self.table[place] =
                            u32::try_from(self.tags.len()).expect("lists are shorter than 2^32");
                    }
                    let (word, bit) = filter_bit(hash);
                    self.filter[word] |= bit;
                    self.tags.push(tag);
                    self.indices.push(index);
                    self.retrieved.push(false);
                    self.truth.push(rel);
                }
            }
        }
        Ok(())
    }

    /// Writes the relevance of each retrieved item of one row to `self.rels`.
    pub fn rank<R: Items, T: Items>(
        &mut self,
        rec: &R,
        span: Range<usize>,
        truth: &T,
        duplicates: Duplicates,
    ) {
        self.rels.clear();
        for index in span {
            let rel = rec.tag(index).and_then(|tag| {
                let same = |other: usize| (R::EXACT && T::EXACT) || rec.bytes(index) == truth.bytes(other);
                let found = self.find(tag, mix(tag), same).ok()?;
                let repeated = std::mem::replace(&mut self.retrieved[found], true);
                (!repeated || duplicates == Duplicates::Count).then(|| self.truth[found])
            });
            self.rels.push(rel.unwrap_or(UNJUDGED));
        }
    }

    /// The judged item with this tag that is the `same`, or else where the table has room for it.
    #[inline]
    fn find(&self, tag: u64, hash: u64, same: impl Fn(usize) -> bool) -> Result<usize, Option<usize>> {
        let hit = |judged: usize| self.tags[judged] == tag && same(self.indices[judged]);
        if self.table.is_empty() {
            let (word, bit) = filter_bit(hash);
            if self.filter[word] & bit == 0 {
                return Err(None);
            }
            return (0..self.tags.len()).find(|judged| hit(*judged)).ok_or(None);
        }
        let mask = self.table.len() - 1;
        #[allow(clippy::cast_possible_truncation)]
        let mut place = hash as usize & mask;
        loop {
            match self.table[place] {
                EMPTY => return Err(Some(place)),
                found if hit(found as usize) => return Ok(found as usize),
                _ => place = (place + 1) & mask,
            }
        }
    }
}

/// The word and the bit of the filter that a hash falls on.
#[inline]
#[allow(clippy::cast_possible_truncation)]
fn filter_bit(hash: u64) -> (usize, u64) {
    ((hash >> 6) as usize % FILTER_WORDS, 1 << (hash % 64))
}

/// Spreads tags over the table: they may be consecutive ids, or multiples of a large power of two.
#[inline]
#[allow(clippy::cast_possible_truncation)]
fn mix(tag: u64) -> u64 {
    let product = u128::from(tag ^ 0x9e37_79b9_7f4a_7c15) * 0xbf58_476d_1ce4_e5b9;
    (product ^ (product >> 64)) as u64
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use super::*;
    use crate::column::{Fixed, Validity};

    fn ids(values: &[i64]) -> Fixed<'_> {
        Fixed { values: Cow::Borrowed(values), validity: Validity::All }
    }

    /// Byte strings whose tags all collide.
    struct Colliding(Vec<Vec<u8>>);

    impl Items for Colliding {
        const EXACT: bool = false;

        fn tag(&self, _: usize) -> Option<u64> {
            Some(7)
        }

        fn bytes(&self, index: usize) -> &[u8] {
            &self.0[index]
        }
    }

    #[test]
    fn short_and_long_truths_give_the_same() {
        for length in [1, 32, 33, 1000] {
            let truth: Vec<i64> = (0..length).map(|id| id << 40).collect();
            let rec: Vec<i64> = (0..2 * length).rev().map(|id| id << 40).collect();
            let mut judge = Judge::default();
            judge.read_truth(&ids(&truth), 0..truth.len(), None, Ok).unwrap();
            judge.rank(&ids(&rec), 0..rec.len(), &ids(&truth), Duplicates::First);
            let hits: Vec<bool> = judge.rels.iter().map(|rel| *rel == 1.0).collect();
            let expected: Vec<bool> = rec.iter().map(|id| truth.contains(id)).collect();
            assert_eq!(hits, expected, "{length}");
            assert_eq!(judge.truth.len(), truth.len());
        }
    }

    #[test]
    fn equal_tags_do_not_make_equal_items() {
        for length in [3_u8, 100] {
            let items = Colliding((0..length).map(|byte| vec![byte]).collect());
            let span = || 0..items.0.len();
            let mut judge = Judge::default();
            judge.read_truth(&items, span(), None, Ok).unwrap();
            assert_eq!(judge.truth.len(), items.0.len());
            judge.rank(&items, span(), &items, Duplicates::First);
            assert!(judge.rels.iter().all(|rel| *rel == 1.0));
        }
    }

    #[test]
    fn a_repeat_in_rec_is_irrelevant_unless_counted() {
        let (rec, truth) = ([1, 1, 2], [1, 2, 1]);
        let mut judge = Judge::default();
        for (duplicates, expected) in [(Duplicates::First, [1, 0, 1]), (Duplicates::Count, [1, 1, 1])] {
            judge.read_truth(&ids(&truth), 0..3, None, Ok).unwrap();
            judge.rank(&ids(&rec), 0..3, &ids(&truth), duplicates);
            assert_eq!(judge.rels.iter().map(|rel| i32::from(*rel > 0.0)).collect::<Vec<_>>(), expected);
            assert_eq!(judge.truth.len(), 2);
        }
    }

    #[test]
    fn conflicting_judgements_are_an_error() {
        let rels = Numbers { values: Cow::Borrowed(&[1.0, 2.0]), validity: Validity::All };
        let error = Judge::default().read_truth(&ids(&[5, 5]), 0..2, Some(&rels), Ok).unwrap_err();
        assert_eq!(error.to_string(), "truth judges an item twice, with relevance 1 and 2");
    }
}
