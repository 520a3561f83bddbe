//! States of groups whose rows are values of a metric, over which a statistic is computed.

use crate::aggregate::columns::number_column;
use crate::aggregate::group::{Evaluated, Group, GroupEvaluator, Groups, Scratch, by_group};
use crate::aggregate::settings::{GroupSettings, SettingsCache};
use crate::catalogue::Function;
use crate::column::{Column, Numbers, Validity};
use crate::error::{Error, bail};
use crate::results::{Nullable, Values};
use crate::statistics::statistic::{MOST_ARGUMENTS, Observed};

/// The state of one group: its settings, and the values of rows that no NULL leaves out.
#[derive(Default)]
pub struct Samples {
    group_settings: GroupSettings,
    /// The values of these rows, in no order.
    observed: Observed,
}

impl Group for Samples {
    fn update<C: Column>(
        function: &'static Function,
        columns: &[C],
        groups: &mut impl Groups<Self>,
    ) -> Result<(), Error> {
        let scores_are_integers = false; // there are no scores
        let mut cache = SettingsCache::new(function, columns, scores_are_integers)?;
        let Some(statistic) = function.statistic else { bail!(internal: "not a statistic") };
        let arguments =
            function.inputs().iter().zip(columns).map(|(name, column)| number_column(name, column));
        let arguments: Vec<Numbers> = arguments.collect::<Result<_, _>>()?;
        let (x, y) = (&arguments[0], arguments.get(1));
        cache.runs(|settings, run| {
            by_group(run, groups, |group, rows| {
                group.group_settings.agree(settings)?;
                let (observed, options) = (&mut group.observed, &settings.options);
                statistic.make_room(rows.len(), observed)?;
                // Rows without NULL are read together. If one is refused, reading them one by one says which value.
                let mut numbers = [Some(x), y].into_iter().flatten();
                if numbers.all(|numbers| matches!(numbers.validity, Validity::All)) {
                    let y = y.map(|y| &y.values[rows.clone()]);
                    if statistic.observe_all(&x.values[rows.clone()], y, options, observed) {
                        return Ok(());
                    }
                }
                let mut values = [None; MOST_ARGUMENTS];
                let values = &mut values[..arguments.len()];
                rows.into_iter().try_for_each(|row| {
                    values.iter_mut().zip(&arguments).for_each(|(value, of)| *value = of.get(row));
                    statistic.observe(values, options, observed)
                })
            })
        })
    }

    fn combine(&mut self, other: &Self) -> Result<(), Error> {
        if let Some(settings) = &other.group_settings.0 {
            self.group_settings.agree(settings)?;
        }
        self.observed.append(&other.observed)
    }
}

impl GroupEvaluator for Samples {
    fn evaluate<'a>(&mut self, function: &Function, scratch: &'a mut Scratch) -> Evaluated<'a> {
        let Some(statistic) = function.statistic else { bail!(internal: "not a statistic") };
        let options = match &self.group_settings.0 {
            Some(settings) => settings.options.clone(),
            // Without rows: the defaults.
            None => function.parse("")?,
        };
        let summary = statistic.summarise(&mut self.observed, &options)?;
        // A result has the number of values in the place of k.
        scratch.count = [Some(summary.n)];
        scratch.values.clear();
        scratch.values.extend(summary.fields.into_iter().map(Nullable::from));
        Ok(Some(Values { ks: &scratch.count, values: &scratch.values }))
    }
}
