//! The results of a call, in the form in which every engine receives them.

/// The results for one row or group: the value of each metric at each k.
pub struct Values<'a> {
    /// The cutoffs; `None` is the whole list. For a statistic, the number of values that it summarises. Empty if the
    /// result is a list of numbers.
    pub ks: &'a [Option<usize>],
    /// The values of all metrics at the first cutoff, then those at the next one; or the numbers of a list.
    pub values: &'a [Nullable],
}

/// A result in eight bytes: a number, or NULL, which is encoded as NaN. No result is NaN itself.
#[derive(Clone, Copy)]
pub struct Nullable(f64);

impl Nullable {
    pub const NULL: Self = Self(f64::NAN);

    /// The number; `None` for NULL.
    #[inline(always)]
    pub fn get(self) -> Option<f64> {
        (!self.0.is_nan()).then_some(self.0)
    }

    #[inline(always)]
    pub fn or_nan(self) -> f64 {
        self.0
    }
}

impl From<Option<f64>> for Nullable {
    #[inline(always)]
    fn from(value: Option<f64>) -> Self {
        value.map_or(Self::NULL, Self)
    }
}
