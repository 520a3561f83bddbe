//! Writes explanations to DuckDB's vectors: lists of structs, one for each item.

use rankdcg_core::aggregate::{ExplainedRow, Explanations};
use rankdcg_core::{Error, FieldType, Function};

use crate::api::{api, throwing};
use crate::handle::Vector;
use crate::output::{Column, IdColumn, NO_COUNT, NO_VALUE, entry, mark_nulls, reserve_elements};
use crate::vector::ListEntry;

/// The explanations of some rows or groups.
pub struct ExplanationResults {
    /// DuckDB's vector of lists.
    list: Vector,
    /// The list entry of each row.
    entries: *mut ListEntry,
    /// The fields of the structs, in their order: those of ids, then integers, then floating point.
    users: Option<IdColumn>,
    items: Option<IdColumn>,
    counts: Vec<Column<i64>>,
    numbers: Vec<Column<f64>>,
    /// The first element to be written.
    first: usize,
    /// The element to be written next.
    next: usize,
    /// The end of the elements for which there is memory.
    end: usize,
}

impl ExplanationResults {
    /// Reserves memory for `capacity` more items.
    ///
    /// # Safety
    /// `list` is flat, of the type that [`crate::output::logical_type`] returns, and outlives the results. DuckDB may throw.
    pub unsafe fn new(function: &Function, list: Vector, capacity: usize) -> Self {
        // SAFETY: the caller's promise. To reserve memory may move the child, so it is asked for after that.
        unsafe {
            let elements = reserve_elements(list, capacity);
            let structs = (api().list_vector_get_child)(list);
            let (mut users, mut items, mut counts, mut numbers) = (None, None, Vec::new(), Vec::new());
            for (field, (_, kind)) in (0..).zip(function.result().fields) {
                let vector = (api().struct_vector_get_child)(structs, field);
                match kind {
                    FieldType::User => users = Some(IdColumn::of(vector)),
                    FieldType::Item | FieldType::Items => items = Some(IdColumn::of(vector)),
                    FieldType::Count => counts.push(Column::of(vector)),
                    FieldType::Number | FieldType::Numbers => numbers.push(Column::of(vector)),
                }
            }
            let entries = (api().vector_get_data)(list).cast();
            let (first, end) = (elements.start, elements.end);
            Self { list, entries, users, items, counts, numbers, first, next: first, end }
        }
    }

    /// Makes the items since `first` the list of a row.
    ///
    /// # Safety
    /// The vector has room for the row.
    pub unsafe fn end_list(&self, row: usize, first: usize) {
        // SAFETY: the caller's promise.
        unsafe { self.entries.add(row).write(entry(first, self.next)) };
    }

    /// The index of the item that is written next.
    pub fn next(&self) -> usize {
        self.next
    }

    /// Writes long texts, marks NULLs, the lists of these rows among them, and sets the size of DuckDB's child vector.
    ///
    /// # Safety
    /// The vector has room for the rows. DuckDB may throw.
    pub unsafe fn finish(self, null_rows: impl IntoIterator<Item = usize>) {
        let Self { list, users, items, counts, numbers, first, next, .. } = self;
        // SAFETY: the caller's promise. The vectors are those that `new` was given.
        unsafe {
            users.into_iter().chain(items).for_each(|ids| ids.finish());
            for column in &counts {
                column.mark(first..next, |count| count == NO_COUNT);
            }
            for column in &numbers {
                column.mark(first..next, f64::is_nan);
            }
            mark_nulls(list, null_rows);
            (throwing().list_vector_set_size)(list, next as u64);
        }
    }
}

impl Explanations for ExplanationResults {
    fn put(&mut self, row: &ExplainedRow) -> Result<(), Error> {
        if self.next == self.end {
            return Err(Error::internal("the items do not fit"));
        }
        let place = self.next;
        let ExplainedRow { user, item, score, explained } = row;
        // Results of rows have no places of items, which come first.
        let counts = explained.counts();
        let counts = &counts[counts.len() - self.counts.len()..];
        let (scores, numbers) = self.numbers.split_at_mut(usize::from(self.items.is_some()));
        // SAFETY: the element fits.
        unsafe {
            self.users.iter_mut().try_for_each(|users| users.put(place, *user))?;
            self.items.iter_mut().try_for_each(|items| items.put(place, *item))?;
            self.counts
                .iter_mut()
                .zip(counts)
                .for_each(|(column, count)| column.put(place, *count, NO_COUNT));
            for column in scores {
                column.put(place, *score, NO_VALUE);
            }
            numbers
                .iter_mut()
                .zip(explained.numbers())
                .for_each(|(column, number)| column.put(place, number.get(), NO_VALUE));
        }
        self.next += 1;
        Ok(())
    }
}
