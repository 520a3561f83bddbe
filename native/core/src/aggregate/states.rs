//! The type of the state of a group, for each form whose groups give one result each.

use crate::aggregate::group::GroupEvaluator;
use crate::aggregate::pairs::Pairs;
use crate::aggregate::rows::Rows;
use crate::aggregate::samples::Samples;
use crate::catalogue::Form;

/// Code over a type of states that the form of a function decides.
pub trait WithState {
    type Output;

    /// Runs with states of type `G`.
    fn run<G: GroupEvaluator>(self) -> Self::Output;
}

/// Runs code with the type of the states of this form; `None` unless groups of this form give one result each.
pub fn with_state<W: WithState>(form: Form, code: W) -> Option<W::Output> {
    match form {
        Form::Agg => Some(code.run::<Pairs>()),
        Form::Rows => Some(code.run::<Rows>()),
        Form::Sample => Some(code.run::<Samples>()),
        Form::Lists
        | Form::Rels
        | Form::Scored
        | Form::PValues
        | Form::Blocks
        | Form::Users
        | Form::Rankings
        | Form::Values
        | Form::ByUser
        | Form::Rec
        | Form::Aspects
        | Form::Items
        | Form::Spans => None,
    }
}
