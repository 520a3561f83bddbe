//! The chunk of arguments of a call.

use rankdcg_core::{Error, Function, Output};

use crate::api::{api, to_usize};
use crate::handle::DataChunk;
use crate::layout::{ITEMS, Layout, id};
use crate::vector::Vector;

/// A chunk with the layouts of its vectors.
pub struct Chunk {
    /// DuckDB's chunk, which lives as long as the call.
    handle: DataChunk,
    layouts: Vec<Layout>,
    /// How many rows every vector has.
    pub rows: usize,
}

impl Chunk {
    /// Reads the layouts, and the texts of ENUM values, because DuckDB may throw if it is asked for them. Nothing else
    /// that a chunk is asked for makes DuckDB throw, so all of it may run within [`rankdcg_core::catch_panics`].
    ///
    /// # Safety
    /// `handle` is a live chunk of flat vectors.
    pub unsafe fn new(handle: DataChunk) -> Result<Self, Error> {
        let api = api();
        // SAFETY: the caller's promise.
        unsafe {
            let columns = 0..(api.data_chunk_get_column_count)(handle);
            let layout = |column| Layout::of_vector((api.data_chunk_get_vector)(handle, column));
            let rows = to_usize((api.data_chunk_get_size)(handle));
            let chunk = Self { handle, layouts: columns.map(layout).collect(), rows };
            for (index, layout) in chunk.layouts.iter().enumerate() {
                if layout.has_dictionaries() {
                    // The texts stay in the layout; the vector was needed for the codes whose texts are fetched.
                    chunk.vector(index, layout)?.fetch_texts()?;
                }
            }
            Ok(chunk)
        }
    }

    /// The arguments as columns. Those of k and options have a single value if it is the same in all rows.
    /// It is an error if the function lists items, and cannot list those of the first argument.
    pub fn columns(&self, function: &Function) -> Result<Vec<Vector<'_>>, Error> {
        if function.output == Output::Items {
            self.check_items()?;
        }
        let input_count = function.inputs().len();
        self.collapsed_from(input_count)
    }

    /// The arguments as columns. Those from an index on have a single value if it is the same in all rows.
    pub fn collapsed_from(&self, first: usize) -> Result<Vec<Vector<'_>>, Error> {
        let column = |(index, layout)| {
            let vector = self.vector(index, layout)?;
            Ok(if index < first { vector } else { vector.collapsed_if_constant() })
        };
        self.layouts.iter().enumerate().map(column).collect()
    }

    /// An error if no list can be made of values of the first argument. An ENUM is refused, though its kind is text.
    fn check_items(&self) -> Result<(), Error> {
        let is_listed = |item| item == id::NULL || ITEMS.iter().any(|(known, ..)| *known == item);
        match self.layouts.first() {
            Some(layout) if self.rows > 0 && !is_listed(layout.id) => {
                let kind = layout.dictionary.as_ref().map_or(layout.kind.to_string(), |_| "ENUM".to_owned());
                let text = format!(
                    "items must be integers, FLOAT, DOUBLE, VARCHAR, BLOB, BOOLEAN, UUID, DATE, TIME or timestamps, \
                     got {kind}: cast them, or use list(item ORDER BY score DESC, item)"
                );
                Err(Error::new(text).about("item"))
            }
            _ => Ok(()),
        }
    }

    /// The vector of an argument.
    fn vector<'a>(&self, index: usize, layout: &'a Layout) -> Result<Vector<'a>, Error> {
        // SAFETY: the chunk is live, its vectors are flat, and this is the layout of the vector.
        unsafe { Vector::new((api().data_chunk_get_vector)(self.handle, index as u64), layout, self.rows) }
    }
}
