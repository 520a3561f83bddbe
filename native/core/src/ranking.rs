//! What a metric sees of one user or query.

/// The relevance of a retrieved item on which the truth has no word.
///
/// No judgement is NaN (that is an error), so this cannot be mistaken for one, and it is above no threshold.
pub const UNJUDGED: f64 = f64::NAN;

/// One ranking and what should have been in it.
#[derive(Clone, Copy, Debug)]
pub struct Ranking<'a> {
    /// The relevance of each retrieved item in ranked order, cut at k; [`UNJUDGED`] where there is none.
    pub rels: &'a [f64],
    /// Where each block of tied items ends in `rels`; `None` where every item has a rank of its own.
    pub blocks: Option<&'a [usize]>,
    /// The relevances of all judged items, those in `rels` among them, in no order.
    pub truth: &'a [f64],
    /// How many items were retrieved, before the cut at k.
    pub retrieved: usize,
    pub k: Option<usize>,
}

impl Ranking<'_> {
    /// k, or the length of the whole list where there is no cut.
    #[must_use]
    pub fn cut(&self) -> usize {
        self.k.unwrap_or(self.retrieved)
    }
}
