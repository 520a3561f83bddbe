//! An argument column of a call, which may be a single value for all rows.

use std::ops::Range;

use crate::column::Column;

/// An argument column; a column of length 1 stands for every row.
pub struct Argument<'a, C> {
    pub column: &'a C,
    is_constant: bool,
}

impl<'a, C: Column> Argument<'a, C> {
    pub fn new(column: &'a C) -> Self {
        Self { column, is_constant: column.len() == 1 }
    }

    /// Whether every row has the same value, because the column has a single one.
    pub fn is_constant(&self) -> bool {
        self.is_constant
    }

    /// The index in the column of the value for row `index`.
    #[inline(always)]
    pub fn place(&self, index: usize) -> usize {
        if self.is_constant { 0 } else { index }
    }

    /// The range of the elements of the list in row `index`; `None` for a NULL list.
    #[inline(always)]
    pub fn span(&self, index: usize) -> Option<Range<usize>> {
        self.column.span(self.place(index))
    }
}
