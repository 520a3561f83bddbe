//! The chunk of arguments of a call.

use rankdcg_core::{Error, Function};

use crate::api::{api, rows};
use crate::handle::DataChunk;
use crate::layout::Layout;
use crate::vector::Vector;

/// The layouts of a chunk's vectors.
pub struct Chunk {
    handle: DataChunk,
    layouts: Vec<Layout>,
    pub rows: usize,
}

impl Chunk {
    /// Asks DuckDB all that may throw.
    ///
    /// # Safety
    /// `handle` is a live chunk of flat vectors.
    pub unsafe fn new(handle: DataChunk) -> Result<Self, Error> {
        let api = api();
        // SAFETY: the caller's promise.
        unsafe {
            let columns = 0..(api.data_chunk_get_column_count)(handle);
            let layout = |column| Layout::of_vector((api.data_chunk_get_vector)(handle, column));
            let rows = rows((api.data_chunk_get_size)(handle));
            let chunk = Self { handle, layouts: columns.map(layout).collect(), rows };
            for (index, layout) in chunk.layouts.iter().enumerate() {
                if layout.has_dictionaries() {
                    chunk.vector(index, layout)?.fetch_texts()?;
                }
            }
            Ok(chunk)
        }
    }

    /// The columns of a call; of k and options one value where it is the same in all rows.
    pub fn columns(&self, function: &Function) -> Result<Vec<Vector<'_>>, Error> {
        let inputs = function.inputs().len();
        let column = |(index, layout)| {
            let vector = self.vector(index, layout)?;
            Ok(if index < inputs { vector } else { vector.folded() })
        };
        self.layouts.iter().enumerate().map(column).collect()
    }

    fn vector<'a>(&self, index: usize, layout: &'a Layout) -> Result<Vector<'a>, Error> {
        // SAFETY: the chunk is live, its vectors are flat, and this is the layout of the vector.
        unsafe { Vector::new((api().data_chunk_get_vector)(self.handle, index as u64), layout, self.rows) }
    }
}
