//! Enumerations of the named values of options, with their names in SQL. `table.rs` describes the options.

/// Declares enumerations together with the names that their values have in SQL.
macro_rules! choices {
    ($($(#[$about:meta])* $choice:ident { $($value:ident = $name:literal,)+ })+) => {$(
        $(#[$about])*
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
    PrecisionDenominator { Retrieved = "retrieved", K = "k", }
    RecallDenominator { Truth = "truth", MinTruthK = "min_truth_k", }
    ApDenominator {
        Truth = "truth", MinTruthK = "min_truth_k", Hits = "hits", K = "k",
        MinTruthRetrieved = "min_truth_retrieved",
    }
    ApSteps { Rank = "rank", Threshold = "threshold", }
    RboTies { First = "w", Average = "a", Corrected = "b", }
    RboUnseen { Extrapolate = "extrapolate", Min = "min", Max = "max", }
    OverlapDenominator { Longer = "longer", Shorter = "shorter", K = "k", }
    RbpGain { Binary = "binary", Linear = "linear", }
    Patience { None = "none", Reciprocal = "reciprocal", Geometric = "geometric", Insq = "insq", }
    EmptyRec { Zero = "zero", Null = "null", }
    Discount { Log2 = "log2", Log2Clip = "log2_clip", Ln = "ln", }
    Ideal { Truth = "truth", Retrieved = "retrieved", K = "k", }
    NoRelevant {
        Null = "null", Zero = "zero", One = "one", Error = "error", OneIfRecEmpty = "one_if_rec_empty",
    }
    OneClass { Half = "half", Null = "null", Zero = "zero", ByClass = "by_class", }
    AucPairs { Retrieved = "retrieved", K = "k", }
    Duplicates { First = "first", Count = "count", }
    Unjudged { Zero = "zero", Skip = "skip", }
    Ties {
        Average = "average", Pessimistic = "pessimistic", Optimistic = "optimistic", InputOrder = "input_order",
        ItemAsc = "item_asc", ItemDesc = "item_desc",
    }
    ScoreType { Exact = "exact", Float32 = "float32", }
    NullScores { Last = "last", Skip = "skip", }
    Alternative { TwoSided = "two_sided", Less = "less", Greater = "greater", Equivalence = "equivalence", }
    Skewness { Ignored = "ignored", Hall = "hall", Gaffke = "gaffke", }
    /// The metrics whose values are sums over items, the default of `rank_explain` first.
    Explained {
        Ndcg = "ndcg", Precision = "precision", Recall = "recall", F1 = "f1", Mrr = "mrr",
        AveragePrecision = "average_precision", Cg = "cg", Dcg = "dcg", RPrecision = "r_precision", Rbp = "rbp",
        Err = "err", Sdcg = "sdcg", RelativePrecision = "relative_precision", Rankdcg = "rankdcg",
    }
    Correction { Holm = "holm", Bonferroni = "bonferroni", BenjaminiHochberg = "benjamini_hochberg", }
}

/// The error for a value that its option does not take.
#[derive(Debug)]
pub struct Invalid;

impl Ties {
    pub fn are_by_item(self) -> bool {
        matches!(self, Self::ItemAsc | Self::ItemDesc)
    }
}

/// The number in a text; `None` unless it is finite.
pub(crate) fn finite(text: &str) -> Option<f64> {
    text.parse().ok().filter(|number: &f64| number.is_finite())
}
