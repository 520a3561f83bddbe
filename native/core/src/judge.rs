//! Meeting `rec` and `truth` item by item.

use std::ops::Range;

use hashbrown::HashTable;

use crate::Error;
use crate::column::{Items, Numbers};
use crate::error::bail;
use crate::options::Duplicates;
use crate::ranking::UNJUDGED;

/// Up to this many judged items are scanned; more are hashed.
const SCANNED: usize = 32;

/// Looks up each retrieved item among the judged ones. Kept over the rows of a call for its buffers.
#[derive(Default)]
pub struct Judge {
    few: Few,
    many: Many,
    is_many: bool,
    /// The relevances of the judged items.
    pub truth: Vec<f64>,
    /// The relevances of the retrieved items in ranked order, cut at k.
    pub rels: Vec<f64>,
}

impl Judge {
    /// Reads the judged items of one row: each once, NULL items and NULL relevances left out.
    pub fn read_truth<T: Items>(
        &mut self,
        items: &T,
        span: Range<usize>,
        rels: Option<&Numbers>,
        check: impl Fn(f64) -> Result<f64, Error>,
    ) -> Result<(), Error> {
        self.truth.clear();
        self.is_many = span.len() > SCANNED;
        if self.is_many {
            read(&mut self.many, &mut self.truth, items, span, rels, check)
        } else {
            read(&mut self.few, &mut self.truth, items, span, rels, check)
        }
    }

    /// Writes the relevance of each retrieved item of one row to `self.rels`.
    ///
    /// Uses the judged items up: under [`Duplicates::First`], each gives its relevance once.
    pub fn rank<R: Items, T: Items>(
        &mut self,
        rec: &R,
        span: Range<usize>,
        truth: &T,
        duplicates: Duplicates,
    ) {
        self.rels.clear();
        if self.is_many {
            rank(&mut self.many, &mut self.rels, rec, span, truth, duplicates);
        } else {
            rank(&mut self.few, &mut self.rels, rec, span, truth, duplicates);
        }
    }
}

/// A judged item.
#[derive(Clone, Copy)]
struct Judged {
    tag: u64,
    /// Where the item lies in the column of truth items.
    index: usize,
    rel: f64,
}

/// A set of judged items.
trait Lookup {
    fn reset(&mut self, capacity: usize);
    /// The item with this tag that is the `same`; `hash` is the mixed tag.
    fn find(&mut self, tag: u64, hash: u64, same: impl Fn(usize) -> bool) -> Option<&mut Judged>;
    fn insert(&mut self, judged: Judged, hash: u64);
}

/// A few items, to be scanned. Most items that are not judged need no scan: a bit of the filter tells.
#[derive(Default)]
struct Few {
    items: Vec<Judged>,
    filter: [u64; 8],
}

impl Few {
    /// The word and the bit of the filter that a hash falls on.
    #[allow(clippy::cast_possible_truncation)]
    fn bit(hash: u64) -> (usize, u64) {
        ((hash >> 6) as usize % 8, 1 << (hash % 64))
    }
}

impl Lookup for Few {
    fn reset(&mut self, _: usize) {
        self.items.clear();
        self.filter = [0; 8];
    }

    #[inline]
    fn find(&mut self, tag: u64, hash: u64, same: impl Fn(usize) -> bool) -> Option<&mut Judged> {
        let (word, bit) = Self::bit(hash);
        if self.filter[word] & bit == 0 {
            return None;
        }
        self.items.iter_mut().find(|judged| judged.tag == tag && same(judged.index))
    }

    #[inline]
    fn insert(&mut self, judged: Judged, hash: u64) {
        let (word, bit) = Self::bit(hash);
        self.filter[word] |= bit;
        self.items.push(judged);
    }
}

/// Many items, to be hashed.
#[derive(Default)]
struct Many(HashTable<Judged>);

impl Lookup for Many {
    fn reset(&mut self, capacity: usize) {
        self.0.clear();
        self.0.reserve(capacity, |judged| mix(judged.tag));
    }

    #[inline]
    fn find(&mut self, tag: u64, hash: u64, same: impl Fn(usize) -> bool) -> Option<&mut Judged> {
        self.0.find_mut(hash, |judged| judged.tag == tag && same(judged.index))
    }

    #[inline]
    fn insert(&mut self, judged: Judged, hash: u64) {
        self.0.insert_unique(hash, judged, |judged| mix(judged.tag));
    }
}

/// Spreads tags over all bits: they may be consecutive ids, or multiples of a large power of two.
#[inline]
#[allow(clippy::cast_possible_truncation)]
fn mix(tag: u64) -> u64 {
    let product = u128::from(tag ^ 0x9e37_79b9_7f4a_7c15) * 0xbf58_476d_1ce4_e5b9;
    (product ^ (product >> 64)) as u64
}

fn read<T: Items>(
    lookup: &mut impl Lookup,
    truth: &mut Vec<f64>,
    items: &T,
    span: Range<usize>,
    rels: Option<&Numbers>,
    check: impl Fn(f64) -> Result<f64, Error>,
) -> Result<(), Error> {
    lookup.reset(span.len());
    for index in span {
        let Some(tag) = items.tag(index) else { continue };
        let rel = match rels {
            None => 1.0,
            Some(rels) => match rels.get(index) {
                None => continue,
                Some(rel) => check(rel)?,
            },
        };
        let hash = mix(tag);
        let same = |other: usize| T::EXACT || items.bytes(other) == items.bytes(index);
        match lookup.find(tag, hash, same) {
            Some(judged) if judged.rel == rel => {}
            Some(judged) => bail!("truth judges an item twice, with relevance {} and {rel}", judged.rel),
            None => {
                lookup.insert(Judged { tag, index, rel }, hash);
                truth.push(rel);
            }
        }
    }
    Ok(())
}

fn rank<R: Items, T: Items>(
    lookup: &mut impl Lookup,
    rels: &mut Vec<f64>,
    rec: &R,
    span: Range<usize>,
    truth: &T,
    duplicates: Duplicates,
) {
    for index in span {
        let found = rec.tag(index).and_then(|tag| {
            let same = |other: usize| (R::EXACT && T::EXACT) || rec.bytes(index) == truth.bytes(other);
            lookup.find(tag, mix(tag), same)
        });
        rels.push(match found {
            None => UNJUDGED,
            Some(judged) if duplicates == Duplicates::First => std::mem::replace(&mut judged.rel, UNJUDGED),
            Some(judged) => judged.rel,
        });
    }
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use proptest::prelude::*;

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

    proptest! {
        #[test]
        fn every_item_is_looked_up_as_a_plain_search_would(
            rec in prop::collection::vec(0_i64..60, 0..90),
            truth in prop::collection::vec(0_i64..60, 0..90),
            shift in 0_u32..56,
        ) {
            let spread = |values: &[i64]| values.iter().map(|id| id << shift).collect::<Vec<_>>();
            let (rec, truth) = (spread(&rec), spread(&truth));
            let mut judge = Judge::default();
            judge.read_truth(&ids(&truth), 0..truth.len(), None, Ok).unwrap();
            judge.rank(&ids(&rec), 0..rec.len(), &ids(&truth), Duplicates::First);
            let distinct: std::collections::HashSet<_> = truth.iter().collect();
            prop_assert_eq!(judge.truth.len(), distinct.len());
            for (place, id) in rec.iter().enumerate() {
                let hit = truth.contains(id) && !rec[..place].contains(id);
                prop_assert_eq!(judge.rels[place] == 1.0, hit);
            }
        }
    }
}
