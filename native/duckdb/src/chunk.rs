//! The chunk of arguments of a call.

use rankdcg_core::Function;

use crate::api::{Handle, api};
use crate::layout::Layout;
use crate::vector::Vector;

/// The layouts of a chunk's vectors.
pub struct Chunk {
    handle: Handle,
    layouts: Vec<Layout>,
    pub rows: usize,
}

impl Chunk {
    /// # Safety
    /// `handle` is a live chunk of flat vectors.
    pub unsafe fn new(handle: Handle) -> Self {
        let api = api();
        // SAFETY: the caller's promise.
        unsafe {
            let rows = usize::try_from((api.data_chunk_get_size)(handle)).expect("a chunk fits memory");
            let columns = 0..(api.data_chunk_get_column_count)(handle);
            let layout = |column| Layout::of_vector((api.data_chunk_get_vector)(handle, column));
            Self { handle, layouts: columns.map(layout).collect(), rows }
        }
    }

    /// The columns of a call; of k and options one value where it is the same in all rows.
    pub fn columns(&self, function: &Function) -> Vec<Vector<'_>> {
        let inputs = function.inputs().len();
        let column = |(index, layout)| {
            // SAFETY: the chunk is live, its vectors are flat, and this is the layout of the vector.
            let vector = unsafe {
                Vector::new((api().data_chunk_get_vector)(self.handle, index as u64), layout, self.rows)
            };
            if index < inputs { vector } else { vector.folded() }
        };
        self.layouts.iter().enumerate().map(column).collect()
    }
}
