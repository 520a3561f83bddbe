//! One ranking: judged items are looked up, scored items are sorted, and metrics read the result cut at k.

pub mod aspects;
pub mod discount;
pub mod item_order;
pub mod list;
pub mod lookup;
pub mod scored;
pub mod small_sort;
pub mod ties;
pub mod two_rankings;
pub mod view;

/// A count as floating point. On x86-64, the conversion of a signed integer is one instruction, and not five.
#[inline(always)]
pub fn as_f64(count: usize) -> f64 {
    count.cast_signed() as f64
}
