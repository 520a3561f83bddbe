//! Measures of the items of one ranking, from a property of each.

use std::ops::Range;

use crate::column::Column;
use crate::column::nested::own_items;
use crate::error::{Error, bail};
use crate::evaluate::argument::Argument;
use crate::evaluate::call::Call;
use crate::item_measures::item_measure::{Allowed, ItemMeasure, Kernel, OfRanking, mean};
use crate::item_measures::labels::Labels;
use crate::item_measures::vectors::Vectors;
use crate::memory::{Grow, collected};
use crate::results::Values;
use crate::types::Type;

/// Computes the value of a list, whose elements, cut at k, are in this range; k is given, or else the number of elements.
type OfList<'a> = dyn FnMut(Range<usize>, usize) -> OfRanking + 'a;

impl<C: Column> Call<'_, C> {
    /// Evaluates a measure of items on the list of each row.
    #[inline(never)]
    pub(super) fn measure_items(
        &self,
        name: &'static str,
        measure: &ItemMeasure,
        lists: &C,
        rows: usize,
        put: &mut dyn FnMut(usize, Option<Values>),
    ) -> Result<(), Error> {
        let kind = lists.kind();
        let Some(element) = kind.element() else { bail!(name => "{name} must be a list, got {kind}") };
        let elements = lists.elements()?;
        match measure.kernel {
            Kernel::MeanOf(Allowed { in_words, allows_type, allows }, of_each) => {
                if !allows_type(element) {
                    bail!(name => "{name} must be a list of {in_words}, got {kind}");
                }
                let all = elements.numbers()?;
                let mut numbers = Vec::new();
                self.each_list(lists, rows, put, &mut |items, _| {
                    numbers.clear();
                    numbers.make_room(items.len())?;
                    for number in items.filter_map(|item| all.get(item)) {
                        if !allows(number) {
                            bail!(name => "{name} must hold {in_words}, got {number}");
                        }
                        numbers.push(of_each(number));
                    }
                    Ok(mean(numbers.iter().copied()))
                })
            }
            Kernel::LabelsOrVectors(_, compute) if is_vector(element) => {
                let parts = elements.elements()?;
                let numbers = parts.numbers()?;
                let mut vectors = Vectors::default();
                self.each_list(lists, rows, put, &mut |items, _| {
                    vectors.read(name, &numbers, items.filter_map(|item| elements.span(item)))?;
                    Ok(compute(&vectors))
                })
            }
            Kernel::DistinctLabels(_) if is_vector(element) => {
                bail!(name => "{name} must be a list of labels, or of lists of them, got {kind}, which has vectors")
            }
            Kernel::DistinctLabels(compute) => {
                self.measure_labels(lists, &elements, rows, put, &|labels, places| {
                    Ok((labels.distinct > 0).then(|| compute(labels.distinct, places)))
                })
            }
            Kernel::LabelsOrVectors(compute, _) => {
                self.measure_labels(lists, &elements, rows, put, &|labels, _| {
                    // There are at most 2^32 labels, and only items with a label are compared.
                    compute(labels, &collected(0..u32::try_from(labels.items().len()).unwrap_or(u32::MAX))?)
                })
            }
            _ => bail!(internal: "this measure needs more than a list of values"),
        }
    }

    /// Evaluates a measure of the labels of items, of which each has one label, or a list of them. `compute` is given those of a
    /// list, and the number of its places.
    fn measure_labels(
        &self,
        lists: &C,
        elements: &C,
        rows: usize,
        put: &mut dyn FnMut(usize, Option<Values>),
        compute: &dyn Fn(&Labels, usize) -> OfRanking,
    ) -> Result<(), Error> {
        let have_several = matches!(elements.kind(), Type::List(_));
        let several = if have_several { Some(elements.elements()?) } else { None };
        let column = own_items(several.as_ref().unwrap_or(elements))?;
        let mut labels = Labels::default();
        self.each_list(lists, rows, put, &mut |items, places| {
            let labels_of =
                |item| if have_several { elements.span(item).unwrap_or_default() } else { item..item + 1 };
            labels.read(&column, items.map(labels_of))?;
            compute(&labels, places)
        })
    }

    /// Passes each list to `value`, and the value to `put`: NULL for a NULL list.
    fn each_list(
        &self,
        lists: &C,
        rows: usize,
        put: &mut dyn FnMut(usize, Option<Values>),
        value: &mut OfList,
    ) -> Result<(), Error> {
        let lists = Argument::new(lists);
        let mut settings = self.function.settings();
        for index in 0..rows {
            self.resolve(index, &mut settings)?;
            let k = settings.ks[0];
            let value = match lists.span(index) {
                Some(all) => {
                    let places = k.unwrap_or(all.len());
                    value(all.start..all.end.min(all.start.saturating_add(places)), places)?
                }
                None => None,
            };
            put(index, Some(Values { ks: &settings.ks, values: &[value.into()] }));
        }
        Ok(())
    }
}

/// Whether values of this type are vectors: lists of numbers that no label has. DuckDB writes 0.5 as a decimal.
pub(super) fn is_vector(kind: &Type) -> bool {
    match kind.element() {
        Some(Type::Decimal { scale, .. }) => *scale != 0,
        element => element == Some(&Type::Float),
    }
}
