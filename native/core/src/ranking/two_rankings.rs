//! Two rankings of one user: the items that both have, by their ranks in each.

use std::ops::Range;

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;

use crate::column::{Encoded, Items};
use crate::error::Error;
use crate::memory::{Grow, make_room_for};
use crate::ranking::lookup::mix;

/// Two rankings, cut at k. An item has one rank in each: repeats are left out, and later items move up.
#[derive(Default)]
pub struct TwoRankings {
    /// The cutoff; `None` for the whole lists.
    pub k: Option<usize>,
    /// How many items the first ranking has, and how many the second one, down to k.
    pub lengths: [usize; 2],
    /// For each rank of each ranking from 0, the ranks of the items that are tied there; none if the ranking has no ties.
    tied: [Vec<Range<usize>>; 2],
    /// For each item of both, its rank in the first and in the second, counted from 0; ascending by the first.
    pub common: Vec<[usize; 2]>,
    /// The same for items of which a rank is below k, and tied with the last one above k.
    pub common_of_tie: Vec<[usize; 2]>,
    /// The distinct items of both. Kept for its memory.
    items: HashTable<Item>,
}

/// The elements of a list in ranked order.
pub enum Ranked {
    /// A range of elements without scores.
    InOrder(Range<usize>),
    /// Elements with their scores, the largest first.
    ByScore(Vec<(usize, f64)>),
}

impl Ranked {
    fn len(&self) -> usize {
        match self {
            Self::InOrder(span) => span.len(),
            Self::ByScore(elements) => elements.len(),
        }
    }

    /// The most items that are read of a list that is cut at `limit`: all may be tied.
    fn most_read(&self, limit: usize) -> usize {
        match self {
            Self::InOrder(span) => span.len().min(limit),
            Self::ByScore(elements) => elements.len(),
        }
    }

    /// The element at a place from 0, and its score if it has one.
    fn element(&self, place: usize) -> (usize, Option<f64>) {
        match self {
            Self::InOrder(span) => (span.start + place, None),
            Self::ByScore(elements) => (elements[place].0, Some(elements[place].1)),
        }
    }
}

struct Item {
    tag: i64,
    /// The column that has the item at `index`, 0 or 1.
    column: usize,
    index: usize,
    /// The rank in the second ranking; `None` if it does not have the item, or once the first one has it, too.
    unmatched_rank: Option<usize>,
}

impl TwoRankings {
    /// Reads the first `k` distinct items of two lists of elements of two columns, and those that are tied with the last of
    /// them. A NULL takes a rank, and is equal to no item.
    pub fn read(
        &mut self,
        columns: [&Encoded; 2],
        lists: &[Ranked; 2],
        k: Option<usize>,
    ) -> Result<(), Error> {
        let Self { lengths, tied, common, common_of_tie, items, .. } = self;
        let hash = |item: &Item| mix(item.tag);
        let limit = k.unwrap_or(usize::MAX);
        let shown = [0, 1].map(|list: usize| lists[list].most_read(limit));
        (self.k, *lengths) = (k, [0; 2]);
        for common in [&mut *common, common_of_tie] {
            common.clear();
            common.make_room(shown[0].min(shown[1]))?;
        }
        items.clear();
        make_room_for::<Item, _>(shown[0] + shown[1], || items.try_reserve(shown[0] + shown[1], hash))?;
        // The second list comes first, so that matches ascend by the rank in the first one.
        for list in [1, 0] {
            let (length, tied) = (&mut lengths[list], &mut tied[list]);
            tied.clear();
            if let Ranked::ByScore(_) = lists[list] {
                tied.make_room(shown[list])?;
            }
            let mut last_score = None;
            for place in 0..lists[list].len() {
                let (index, score) = lists[list].element(place);
                if *length >= limit && (score.is_none() || score != last_score) {
                    break;
                }
                let is_first = match columns[list].tag(index) {
                    None => true,
                    Some(tag) => {
                        let equal = |other: &Item| {
                            other.tag == tag
                                && columns[other.column].bytes(other.index) == columns[list].bytes(index)
                        };
                        match items.entry(mix(tag), equal, hash) {
                            Entry::Vacant(free) => {
                                let unmatched_rank = (list == 1).then_some(*length);
                                free.insert(Item { tag, column: list, index, unmatched_rank });
                                true
                            }
                            Entry::Occupied(mut known) if list == 0 => {
                                let rank = known.get_mut().unmatched_rank.take();
                                let found = rank.map(|rank| [*length, rank]);
                                if let Some(ranks) = found {
                                    let are_above = ranks.iter().all(|rank| *rank < limit);
                                    (if are_above { &mut *common } else { &mut *common_of_tie }).push(ranks);
                                }
                                found.is_some()
                            }
                            Entry::Occupied(_) => false,
                        }
                    }
                };
                if is_first {
                    if score.is_some() {
                        let above = tied.last().filter(|_| score == last_score);
                        tied.push(above.map_or(*length, |above: &Range<usize>| above.start)..*length + 1);
                        last_score = score;
                    }
                    *length += 1;
                }
            }
            // The ranks of one tie end where those of its last item do.
            for place in (1..tied.len()).rev() {
                if tied[place - 1].start == tied[place].start {
                    tied[place - 1].end = tied[place].end;
                }
            }
            *length = (*length).min(limit);
        }
        Ok(())
    }

    /// The ranks, from 0, of the items that are tied with the one at a rank of the first ranking (0) or the second (1).
    pub fn tie(&self, list: usize, rank: usize) -> Range<usize> {
        self.tied[list].get(rank).cloned().unwrap_or(rank..rank + 1)
    }

    /// The ranks of the common items in the second ranking among one another, in the order of the first ranking.
    pub fn relative_ranks(&self) -> Result<Vec<usize>, Error> {
        // The place of each common item by its rank in the second ranking.
        let mut places = Vec::new();
        places.try_resize(self.lengths[1], None)?;
        for (place, [_, rank]) in self.common.iter().enumerate() {
            places[*rank] = Some(place);
        }
        let mut ranks = Vec::new();
        ranks.try_resize(self.common.len(), 0)?;
        places.iter().flatten().enumerate().for_each(|(rank, place)| ranks[*place] = rank);
        Ok(ranks)
    }
}

/// For each of the common items, whose [`TwoRankings::relative_ranks`] are given, how many items are above it in both
/// rankings.
pub fn concordant_above(ranks: &[usize]) -> Result<Vec<usize>, Error> {
    // A Fenwick tree: node i has the number of ranks from i - (lowest bit of i) to i - 1 that were seen.
    let mut tree = Vec::new();
    tree.try_resize(ranks.len() + 1, 0)?;
    let lowest_bit = |node: usize| node & node.wrapping_neg();
    let mut counts = Vec::new();
    counts.try_extend(ranks.iter().map(|rank| {
        let (mut node, mut count) = (*rank, 0);
        while node > 0 {
            count += tree[node];
            node -= lowest_bit(node);
        }
        node = rank + 1;
        while node < tree.len() {
            tree[node] += 1;
            node += lowest_bit(node);
        }
        count
    }))?;
    Ok(counts)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn encoded(items: &[Option<u8>]) -> Encoded {
        Encoded::of(items.iter().map(|item| item.map(|item| [item]))).unwrap()
    }

    /// The first k items of a list without repeats, where a NULL repeats nothing.
    fn distinct(items: &[Option<u8>], k: usize) -> Vec<Option<u8>> {
        let is_first = |place: &usize| items[*place].is_none() || !items[..*place].contains(&items[*place]);
        (0..items.len()).filter(is_first).map(|place| items[place]).take(k).collect()
    }

    proptest! {
        #[test]
        fn ranks_are_those_of_a_plain_search(
            a in prop::collection::vec(prop::option::weighted(0.9, 0_u8..30), 0..40),
            b in prop::collection::vec(prop::option::weighted(0.9, 0_u8..30), 0..40),
            k in prop::option::of(1_usize..20),
        ) {
            let mut rankings = TwoRankings::default();
            // The ranks of one row must not reach the next.
            let lists = |one: &[_], other: &[_]| [one, other].map(|list| Ranked::InOrder(0..list.len()));
            rankings.read([&encoded(&b), &encoded(&a)], &lists(&b, &a), None).unwrap();
            rankings.read([&encoded(&a), &encoded(&b)], &lists(&a, &b), k).unwrap();
            let [a, b] = [a, b].map(|items| distinct(&items, k.unwrap_or(usize::MAX)));
            prop_assert_eq!(rankings.lengths, [a.len(), b.len()]);
            let rank_in_b = |item: &Option<u8>| b.iter().position(|other| item.is_some() && other == item);
            let common: Vec<[usize; 2]> =
                a.iter().enumerate().filter_map(|(rank, item)| Some([rank, rank_in_b(item)?])).collect();
            prop_assert_eq!(&rankings.common, &common);

            let ranks = rankings.relative_ranks().unwrap();
            let of_b: Vec<usize> = common.iter().map(|[_, rank]| *rank).collect();
            let lower = |ranks: &[usize], rank: usize| ranks.iter().filter(|other| **other < rank).count();
            prop_assert_eq!(&ranks, &of_b.iter().map(|rank| lower(&of_b, *rank)).collect::<Vec<_>>());
            let expected = of_b.iter().enumerate().map(|(place, rank)| lower(&of_b[..place], *rank));
            prop_assert_eq!(concordant_above(&ranks).unwrap(), expected.collect::<Vec<_>>());
        }
    }
}
