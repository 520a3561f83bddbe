//! One ranking: how it is read from items or scores, and what metrics see of it.

pub mod discount;
pub mod list;
pub mod lookup;
pub mod scored;
pub mod small_sort;
pub mod ties;
