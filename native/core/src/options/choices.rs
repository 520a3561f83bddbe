//! The values of options that have names, and how those are written.

/// Declares an enumeration together with the names that its values have in options.
macro_rules! choices {
    ($($(#[$doc:meta])* $choice:ident { $($value:ident = $name:literal,)+ })+) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $choice { $($value,)+ }

        impl $choice {
            pub(crate) const NAMES: &[&str] = &[$($name,)+];

            pub(crate) fn parse(name: &str) -> Result<Self, Invalid> {
                match name {
                    $($name => Ok(Self::$value),)+
                    _ => Err(Invalid),
                }
            }
        }
    )+};
}

choices! {
    /// What precision divides by.
    PrecisionDenominator { Retrieved = "retrieved", K = "k", }
    /// What recall divides by.
    RecallDenominator { Truth = "truth", MinTruthK = "min_truth_k", }
    /// What average precision divides by.
    ApDenominator {
        Truth = "truth", MinTruthK = "min_truth_k", Hits = "hits", K = "k",
        MinTruthRetrieved = "min_truth_retrieved",
    }
    /// The rank at which average precision measures the precision of a hit.
    ApSteps { Rank = "rank", Threshold = "threshold", }
    /// What a hit gains in rank-biased precision.
    RbpGain { Binary = "binary", Linear = "linear", }
    /// The result where nothing was retrieved.
    EmptyRec { Zero = "zero", Null = "null", }
    /// How much less a gain counts at a lower rank.
    Discount { Log2 = "log2", Log2Clip = "log2_clip", Ln = "ln", }
    /// How many ranks the ideal order has.
    Ideal { Truth = "truth", Retrieved = "retrieved", K = "k", }
    /// The result where nothing is relevant.
    NoRelevant {
        Null = "null", Zero = "zero", One = "one", Error = "error", OneIfRecEmpty = "one_if_rec_empty",
    }
    /// The AUC of only hits or only misses.
    OneClass { Half = "half", Null = "null", Zero = "zero", ByClass = "by_class", }
    /// Which misses AUC pairs the hits with.
    AucPairs { Retrieved = "retrieved", K = "k", }
    /// What the repeat of an item in `rec` is.
    Duplicates { First = "first", Count = "count", }
    /// The relevance of a retrieved item without a judgement, for a metric of the whole order.
    Unjudged { Zero = "zero", Skip = "skip", }
    /// Which order tied items are in.
    Ties {
        Average = "average", Pessimistic = "pessimistic", Optimistic = "optimistic", InputOrder = "input_order",
        ItemAsc = "item_asc", ItemDesc = "item_desc",
    }
    /// How exactly scores are compared.
    ScoreType { Exact = "exact", Float32 = "float32", }
    /// What a test holds against no difference.
    Alternative { TwoSided = "two_sided", Less = "less", Greater = "greater", }
}

/// A value that its option does not take.
#[derive(Debug)]
pub struct Invalid;

impl Ties {
    /// Whether they are broken by item.
    #[must_use]
    pub fn are_by_item(self) -> bool {
        matches!(self, Self::ItemAsc | Self::ItemDesc)
    }
}

/// A number that is neither NaN nor infinite.
pub(crate) fn finite(text: &str) -> Option<f64> {
    text.parse().ok().filter(|number: &f64| number.is_finite())
}
