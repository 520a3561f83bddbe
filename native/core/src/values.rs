//! The results of a call, as every engine takes them.

/// The results for one row: a value of each metric at each k, the metrics of the first k first.
pub struct Values<'a> {
    /// The cutoffs; `None` where that is the whole list.
    pub ks: &'a [Option<usize>],
    /// The values, as many for each cutoff as there are metrics.
    pub values: &'a [Nullable],
}

/// A result, which is NULL or a number but not NaN, in the room of a number.
#[derive(Clone, Copy)]
pub struct Nullable(f64);

impl Nullable {
    pub const NULL: Self = Self(f64::NAN);

    #[inline(always)]
    pub fn get(self) -> Option<f64> {
        (!self.0.is_nan()).then_some(self.0)
    }
}

impl From<Option<f64>> for Nullable {
    #[inline(always)]
    fn from(value: Option<f64>) -> Self {
        value.map_or(Self::NULL, Self)
    }
}
