//! Groups of rows: what each keeps of its rows, and how it is evaluated.

use std::sync::Arc;

use crate::catalogue::Function;
use crate::column::Column;
use crate::error::Error;
use crate::evaluate::cutoffs::evaluate_at_cutoffs;
use crate::ranking::list::RankedList;
use crate::ranking::lookup::RelevanceLookup;
use crate::ranking::scored::ScoredItems;
use crate::settings::Settings;
use crate::values::{Nullable, Values};

/// What an aggregate knows of a group while its rows come in.
pub trait Group: Default {
    /// Reads rows 0 to `rows` of the argument columns, each into its group.
    fn update<C: Column>(
        function: &'static Function,
        columns: &[C],
        rows: usize,
        groups: &mut impl Groups<Self>,
    ) -> Result<(), Error>;

    /// Takes in what another group of the same rows knows.
    fn combine(&mut self, other: &Self) -> Result<(), Error>;
}

/// The groups that rows belong to.
pub trait Groups<G> {
    fn of(&mut self, row: usize) -> Result<&mut G, Error>;

    /// What tells the group of a row from others.
    fn id(&self, row: usize) -> usize;
}

/// A group that is one ranking.
pub trait GroupEvaluator: Group {
    /// The function's values for it; `None` where nothing was judged.
    fn evaluate<'a>(
        &mut self,
        function: &Function,
        scratch: &'a mut Scratch,
    ) -> Result<Option<Values<'a>>, Error>;
}

/// Room for the evaluation of one group after the other.
#[derive(Default)]
pub struct Scratch {
    /// The ranking of the group at hand.
    pub list: RankedList,
    /// Its items with their scores.
    pub scored: ScoredItems,
    /// The tables in which retrieved items are looked up among the judged ones.
    pub lookup: RelevanceLookup,
    /// The relevance of each retrieved item; `None` where it is not judged.
    pub rels: Vec<Option<f64>>,
    /// The relevances of the judged items.
    pub truth_rels: Vec<f64>,
    /// The values of the group at hand.
    pub values: Vec<Nullable>,
    /// How many values a statistic is of.
    pub count: [Option<usize>; 1],
    /// Of the group at hand, for the values that are handed out to refer to.
    settings: Option<Arc<Settings>>,
}

impl Scratch {
    /// Makes room for the evaluation of rankings of so many items, retrieved or judged.
    pub fn make_room(&mut self, items: usize, settings: &Settings) -> Result<(), Error> {
        self.list.make_room_for(items, settings)
    }

    /// The values for the ranking in `list`.
    pub fn evaluate(&mut self, function: &Function, settings: &Arc<Settings>) -> Result<Values<'_>, Error> {
        let Self { list, values, settings: kept, .. } = self;
        evaluate_at_cutoffs(list, function, kept.insert(Arc::clone(settings)), values)
    }
}

/// How many items more than needed a group keeps before it drops the others.
const SPARE: usize = 32;

/// How many items a group keeps at most that needs the best `k`.
pub fn capacity_for(k: usize) -> usize {
    k.saturating_mul(2).max(SPARE)
}
