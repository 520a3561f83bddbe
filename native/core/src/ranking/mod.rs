//! One ranking: judged items are looked up, scored items are sorted, and metrics read the result cut at k.

pub mod discount;
pub mod list;
pub mod lookup;
pub mod scored;
pub mod small_sort;
pub mod ties;
pub mod view;

/// A count as floating point. From a signed integer the conversion is one instruction on x86-64, from an unsigned one
/// it is five.
#[inline(always)]
pub fn as_f64(count: usize) -> f64 {
    count.cast_signed() as f64
}
