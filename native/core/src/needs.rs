//! The properties of judged items that metrics read, so that no others are computed.

/// The property of judged items that a metric reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needs {
    /// Whether an item is relevant.
    Hits,
    /// Whether an item is judged, and whether it is relevant. A ranking without relevant items has a value, too.
    Judgements,
    /// Whether an item is relevant, and sums over the ranks of relevant items.
    HitSums,
    /// The gain of an item.
    Gains,
    /// The order of relevances alone: which item is more relevant than another.
    Levels,
}

/// The properties that the metrics of one function read together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools)] // each is independent of the others
pub struct AllNeeds {
    /// Whether any metric needs to know which items are relevant.
    pub hits: bool,
    /// Whether any metric tells judged items from others of relevance 0; true only if `hits` is.
    pub judgements: bool,
    /// Whether any metric needs sums over the ranks of relevant items; true only if `hits` is.
    pub hit_sums: bool,
    pub gains: bool,
    /// Whether any metric needs the order of relevances. A repeated retrieved item then counts once.
    pub levels: bool,
}
