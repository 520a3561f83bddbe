//! One ranking: how it is read from items or scores, and what metrics see of it.

pub mod discount;
pub mod list;
pub mod lookup;
pub mod scored;
pub mod small_sort;
pub mod ties;
pub mod view;

/// A count as a number. Of a signed integer that is one instruction on x86-64, else five.
#[inline(always)]
pub fn as_f64(count: usize) -> f64 {
    count.cast_signed() as f64
}
