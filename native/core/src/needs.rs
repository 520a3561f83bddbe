//! Which parts of the judgements metrics are made of.

/// Which part of what the judgements say a metric is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needs {
    /// Whether items are relevant.
    Hits,
    /// The same, and sums over the places of those that are.
    HitSums,
    /// How much items are worth.
    Gains,
    /// Only which items are more relevant than others.
    Levels,
}

/// What several metrics need together.
#[derive(Clone, Copy, Debug, Default)]
pub struct AllNeeds {
    /// Whether items are relevant.
    pub hits: bool,
    /// Only where hits are needed, too.
    pub hit_sums: bool,
    /// How much items are worth.
    pub gains: bool,
}
