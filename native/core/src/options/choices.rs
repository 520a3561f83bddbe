//! Enumerations of the named values of options, with their names in SQL.

/// Declares enumerations together with the names that their values have in SQL.
macro_rules! choices {
    ($($(#[$doc:meta])* $choice:ident { $($value:ident = $name:literal,)+ })+) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $choice { $($value,)+ }

        impl $choice {
            pub(crate) const NAMES: &[&str] = &[$($name,)+];

            pub(crate) const fn name(self) -> &'static str {
                match self {
                    $(Self::$value => $name,)+
                }
            }

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
    /// The denominator of precision.
    PrecisionDenominator { Retrieved = "retrieved", K = "k", }
    /// The denominator of recall.
    RecallDenominator { Truth = "truth", MinTruthK = "min_truth_k", }
    /// The denominator of average precision.
    ApDenominator {
        Truth = "truth", MinTruthK = "min_truth_k", Hits = "hits", K = "k",
        MinTruthRetrieved = "min_truth_retrieved",
    }
    /// The rank at which average precision measures the precision of a hit.
    ApSteps { Rank = "rank", Threshold = "threshold", }
    /// The gain of a hit in rank-biased precision.
    RbpGain { Binary = "binary", Linear = "linear", }
    /// The result if nothing was retrieved.
    EmptyRec { Zero = "zero", Null = "null", }
    /// The discount of gains by rank.
    Discount { Log2 = "log2", Log2Clip = "log2_clip", Ln = "ln", }
    /// The number of ranks of the ideal ranking.
    Ideal { Truth = "truth", Retrieved = "retrieved", K = "k", }
    /// The result if no item is relevant.
    NoRelevant {
        Null = "null", Zero = "zero", One = "one", Error = "error", OneIfRecEmpty = "one_if_rec_empty",
    }
    /// The AUC if the top k has only hits or only misses.
    OneClass { Half = "half", Null = "null", Zero = "zero", ByClass = "by_class", }
    /// The misses that AUC pairs the hits with.
    AucPairs { Retrieved = "retrieved", K = "k", }
    /// The treatment of repeats of an item in `rec`: irrelevant, or counted again.
    Duplicates { First = "first", Count = "count", }
    /// The treatment of retrieved items that are not judged, in metrics of the whole order: relevance 0, or left out.
    Unjudged { Zero = "zero", Skip = "skip", }
    /// The order of tied items, or `Average` for expected values over all their orders.
    Ties {
        Average = "average", Pessimistic = "pessimistic", Optimistic = "optimistic", InputOrder = "input_order",
        ItemAsc = "item_asc", ItemDesc = "item_desc",
    }
    /// The precision in which scores are compared.
    ScoreType { Exact = "exact", Float32 = "float32", }
    /// The place of items without a score in a list by score: after all others, or none.
    NullScores { Last = "last", Skip = "skip", }
    /// The alternative hypothesis of a test.
    Alternative { TwoSided = "two_sided", Less = "less", Greater = "greater", Equivalence = "equivalence", }
    /// The treatment of the skewness of a sample by statistics of its mean.
    Skewness { Ignored = "ignored", Hall = "hall", Gaffke = "gaffke", }
    /// The correction of p-values for the number of tests.
    Correction { Holm = "holm", Bonferroni = "bonferroni", BenjaminiHochberg = "benjamini_hochberg", }
}

/// The error for a value that its option does not take.
#[derive(Debug)]
pub struct Invalid;

impl Ties {
    /// Whether ties are broken by item.
    #[must_use]
    pub fn are_by_item(self) -> bool {
        matches!(self, Self::ItemAsc | Self::ItemDesc)
    }
}

/// The number in a text; `None` unless it is finite.
pub(crate) fn finite(text: &str) -> Option<f64> {
    text.parse().ok().filter(|number: &f64| number.is_finite())
}
