//! Functions over results of users: statistics, corrections of p-values, and the test of several systems.

use std::ops::Range;

use crate::catalogue::Form;
use crate::column::{Column, Numbers};
use crate::error::{Error, bail};
use crate::evaluate::argument::Argument;
use crate::evaluate::call::Call;
use crate::memory::Grow;
use crate::results::{Nullable, Values};
use crate::statistics::correction::{check_p_value, correct};
use crate::statistics::geometric_mean::{check_value, replace_by_geometric_mean};
use crate::statistics::statistic::{Observed, Statistic};
use crate::statistics::tukey_hsd::{pair_count, tukey_hsd};
use crate::types::Type;

impl<C: Column> Call<'_, C> {
    /// Evaluates a statistic on lists: the lists of each row are one sample.
    pub(super) fn summarise(
        &self,
        statistic: &Statistic,
        columns: &[C],
        rows: usize,
        mut put: impl FnMut(usize, Option<Values>),
    ) -> Result<(), Error> {
        let mut elements = Vec::new();
        for (name, column) in statistic.arguments.iter().zip(columns) {
            self.check_lists(name, column.kind(), Type::is_number)?;
            elements.push((Argument::new(column), column.elements()?));
        }
        let lists: Vec<(&Argument<C>, Numbers)> = elements
            .iter()
            .map(|(lists, elements)| Ok((lists, elements.numbers()?)))
            .collect::<Result<_, Error>>()?;
        let mut settings = self.function.settings();
        let (mut observed, mut row, mut fields) = (Observed::default(), Vec::new(), Vec::new());
        for index in 0..rows {
            self.resolve(index, &mut settings)?;
            let spans = lists.iter().map(|(lists, _)| lists.span(index).unwrap_or_default());
            let spans: Vec<Range<usize>> = spans.collect();
            let length = spans[0].len();
            if let Some(other) = spans.iter().find(|span| span.len() != length) {
                let names = statistic.arguments.join(" and ");
                bail!("{names} must be of equal length, got {length} and {}", other.len());
            }
            observed.clear();
            statistic.make_room(length, &mut observed)?;
            for place in 0..length {
                row.clear();
                row.extend(
                    lists.iter().zip(&spans).map(|((_, numbers), span)| numbers.get(span.start + place)),
                );
                statistic.observe(&row, &settings.options, &mut observed)?;
            }
            let summary = statistic.summarise(&mut observed, &settings.options)?;
            fields.clear();
            fields.extend(summary.fields.into_iter().map(Nullable::from));
            // n is passed in the place of k: either is the first field of a result.
            put(index, Some(Values { ks: &[Some(summary.n)], values: &fields }));
        }
        Ok(())
    }

    /// Corrects the p-values in the list of each row, or computes the geometric mean of the values of users in it.
    pub(super) fn replace(
        &self,
        name: &str,
        column: &C,
        rows: usize,
        mut put: impl FnMut(usize, Option<Values>),
    ) -> Result<(), Error> {
        let of_users = self.function.form == Form::Users;
        let check = if of_users { check_value } else { check_p_value };
        self.check_lists(name, column.kind(), Type::is_number)?;
        let elements = column.elements()?;
        let (lists, numbers) = (Argument::new(column), elements.numbers()?);
        let mut settings = self.function.settings();
        let mut values: Vec<Nullable> = Vec::new();
        for index in 0..rows {
            self.resolve(index, &mut settings)?;
            let Some(span) = lists.span(index) else {
                put(index, None);
                continue;
            };
            values.clear();
            values.make_room(span.len())?;
            for element in span {
                let number = numbers.get(element).map(|number| check(name, number)).transpose()?;
                values.push(number.into());
            }
            if of_users {
                replace_by_geometric_mean(&mut values)?;
            } else {
                correct(&mut values, settings.options.correction)?;
            }
            put(index, Some(Values { ks: &[], values: &values }));
        }
        Ok(())
    }

    /// Tests all pairs of systems on the lists in the list of each row: each of these is a block.
    pub(super) fn test_blocks(
        &self,
        name: &str,
        column: &C,
        rows: usize,
        mut put: impl FnMut(usize, Option<Values>),
    ) -> Result<(), Error> {
        let kind = column.kind();
        if !kind.element().and_then(Type::element).is_some_and(Type::is_number) {
            bail!(name => "{name} must be a list of lists of numbers, got {kind}");
        }
        let blocks = column.elements()?;
        let elements = blocks.elements()?;
        let (lists, numbers) = (Argument::new(column), elements.numbers()?);
        let mut settings = self.function.settings();
        let (mut values, mut p_values): (Vec<f64>, Vec<Nullable>) = (Vec::new(), Vec::new());
        for index in 0..rows {
            self.resolve(index, &mut settings)?;
            values.clear();
            p_values.clear();
            let mut systems = None;
            for block in lists.span(index).unwrap_or_default().filter_map(|block| blocks.span(block)) {
                let (length, values_before) = (block.len(), values.len());
                let expected = *systems.get_or_insert(length);
                if length != expected {
                    bail!(name => "{name} must hold lists of equal length, got {expected} and {length}");
                }
                values.make_room(length)?;
                for value in block.map_while(|element| numbers.get(element)) {
                    if !value.is_finite() {
                        bail!(name => "{name} must hold finite numbers, got {value}");
                    }
                    values.push(value);
                }
                // A block with a NULL is left out.
                if values.len() < values_before + length {
                    values.truncate(values_before);
                }
            }
            let Some(systems) = systems else {
                put(index, None);
                continue;
            };
            if systems < 2 {
                bail!(name => "{name} must hold lists of two or more numbers, got {systems}");
            }
            p_values.make_room(pair_count(name, systems)?)?;
            tukey_hsd(&mut values, systems, &settings.options, &mut p_values)?;
            put(index, Some(Values { ks: &[], values: &p_values }));
        }
        Ok(())
    }
}
