//! Aggregates: functions of rankings whose rows arrive one by one, in any order and on any thread.
//!
//! Each group has a partial state, which reads rows and merges with other states of the same group. A state keeps no
//! more than its metrics need, and its result does not depend on the order of the rows. Engines import from here;
//! modules of this crate import from the submodule that defines the item.

mod best_items;
mod columns;
mod explained;
mod group;
mod join;
mod list_column;
mod pairs;
mod ranked_items;
mod rows;
mod samples;
mod settings;
mod states;
#[cfg(test)]
mod test_parts;
mod users;

pub use best_items::ListItem;
pub use explained::{ExplainedRow, Explanations, User};
pub use group::{Group, GroupEvaluator, Groups, Scratch};
pub use list_column::evaluate_lists;
pub use pairs::Pairs;
pub use ranked_items::RankedItems;
pub use rows::Rows;
pub use samples::Samples;
pub use states::{WithState, with_state};
pub use users::Users;
pub use users::evaluate::{PartitionCursor, Results, RowCounts};
