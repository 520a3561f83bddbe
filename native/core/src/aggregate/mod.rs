//! Aggregation: rankings whose rows come one by one, in any order and on any thread.
//!
//! A group holds what its rankings need and no more, and what it yields does not depend on the order of its rows.
//! Engines import from here; modules of this crate import from the one that defines what they need.

mod columns;
mod group;
mod lists;
mod merge;
mod pairs;
mod rows;
mod samples;
mod settings;
mod users;

pub use group::{Group, GroupEvaluator, Groups, Scratch};
pub use lists::evaluate_lists;
pub use pairs::Pairs;
pub use rows::Rows;
pub use samples::Samples;
pub use users::Users;
pub use users::evaluate::{PartitionCursor, Results, User};
