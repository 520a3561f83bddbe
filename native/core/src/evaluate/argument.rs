//! An argument of a call.

use std::ops::Range;

use crate::column::Column;

/// An argument column; a single value stands for every row.
pub struct Argument<'a, C> {
    /// The column.
    pub column: &'a C,
    /// Whether its one value stands for every row.
    is_constant: bool,
}

impl<'a, C: Column> Argument<'a, C> {
    pub fn new(column: &'a C) -> Self {
        Self { column, is_constant: column.len() == 1 }
    }

    pub fn is_constant(&self) -> bool {
        self.is_constant
    }

    /// Where the value for row `index` is.
    #[inline(always)]
    pub fn place(&self, index: usize) -> usize {
        if self.is_constant { 0 } else { index }
    }

    /// Where the elements of the list in row `index` lie.
    #[inline(always)]
    pub fn span(&self, index: usize) -> Option<Range<usize>> {
        self.column.span(self.place(index))
    }
}
