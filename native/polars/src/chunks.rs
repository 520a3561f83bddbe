//! Splits columns with different chunks into segments: ranges of rows in which no column changes its chunk.

use arrow_array::{Array, ArrayRef};

/// The number of rows that all columns have, or an error. Columns of one row fit any number: they are repeated.
pub fn rows(columns: &[Vec<ArrayRef>]) -> Result<usize, String> {
    let mut lengths: Vec<usize> =
        columns.iter().map(|chunks| length(chunks)).filter(|rows| *rows != 1).collect();
    // One length is left if all are equal.
    lengths.dedup();
    match lengths[..] {
        [] => Ok(1),
        [rows] => Ok(rows),
        [one, other, ..] => Err(format!("the columns must be of one length, got {one} and {other} rows")),
    }
}

/// The number of rows of a column.
fn length(chunks: &[ArrayRef]) -> usize {
    chunks.iter().map(Array::len).sum()
}

/// Calls `run` on each maximal range of rows within which no column crosses a chunk boundary, with its number of rows.
///
/// `run` gets a slice of each column, which is no copy. It gets a column of one row as it is, every time. If there
/// are no rows, it is called once, on slices without rows. Returns the results of all calls, or the first error.
pub fn segments<T, E>(
    columns: &[Vec<ArrayRef>],
    rows: usize,
    mut run: impl FnMut(&[ArrayRef], usize) -> Result<T, E>,
) -> Result<Vec<T>, E> {
    let mut cursors: Vec<Cursor> = columns.iter().map(|chunks| Cursor::new(chunks)).collect();
    let mut results = Vec::new();
    let mut done = 0;
    while done < rows || results.is_empty() {
        let left = cursors.iter_mut().filter_map(Cursor::left);
        let size = left.fold(rows - done, usize::min);
        let slices: Vec<ArrayRef> = cursors.iter_mut().map(|cursor| cursor.next(size)).collect();
        results.push(run(&slices, size)?);
        done += size;
    }
    Ok(results)
}

/// A position in a column.
struct Cursor<'a> {
    /// The chunks from this position on.
    chunks: &'a [ArrayRef],
    /// How many rows of the first chunk lie before this position.
    offset: usize,
    /// Whether the column has one row, which is repeated.
    is_repeated: bool,
}

impl<'a> Cursor<'a> {
    /// The beginning of a column.
    fn new(chunks: &'a [ArrayRef]) -> Self {
        let mut cursor = Self { chunks, offset: 0, is_repeated: length(chunks) == 1 };
        cursor.skip_finished_chunks();
        cursor
    }

    /// Steps over chunks without rows left, but not over the last chunk.
    fn skip_finished_chunks(&mut self) {
        while self.chunks.len() > 1 && self.offset == self.chunks[0].len() {
            (self.chunks, self.offset) = (&self.chunks[1..], 0);
        }
    }

    /// How many rows the chunk has left; `None` for a column whose row is repeated.
    fn left(&mut self) -> Option<usize> {
        (!self.is_repeated).then(|| self.chunks[0].len() - self.offset)
    }

    /// The next `size` rows, which are within the chunk; or the row that is repeated.
    fn next(&mut self, size: usize) -> ArrayRef {
        let chunk = &self.chunks[0];
        if self.is_repeated {
            return chunk.clone();
        }
        let slice = chunk.slice(self.offset, size);
        self.offset += size;
        self.skip_finished_chunks();
        slice
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow_array::Int64Array;
    use arrow_array::cast::AsArray;
    use arrow_array::types::Int64Type;

    use super::*;

    fn column(chunks: &[&[i64]]) -> Vec<ArrayRef> {
        chunks.iter().map(|chunk| Arc::new(Int64Array::from(chunk.to_vec())) as ArrayRef).collect()
    }

    fn walk(columns: &[Vec<ArrayRef>]) -> Vec<(Vec<Vec<i64>>, usize)> {
        let values = |array: &ArrayRef| array.as_primitive::<Int64Type>().values().to_vec();
        let run = |slices: &[ArrayRef], size| Ok::<_, String>((slices.iter().map(values).collect(), size));
        segments(columns, rows(columns).unwrap(), run).unwrap()
    }

    #[test]
    fn segments_end_where_any_chunk_ends() {
        let columns = [column(&[&[], &[1, 2, 3], &[4]]), column(&[&[5], &[], &[6, 7, 8], &[]])];
        let expected =
            vec![(vec![vec![1], vec![5]], 1), (vec![vec![2, 3], vec![6, 7]], 2), (vec![vec![4], vec![8]], 1)];
        assert_eq!(walk(&columns), expected);
    }

    #[test]
    fn a_column_of_one_row_is_in_every_segment() {
        let columns = [column(&[&[], &[9], &[]]), column(&[&[1, 2], &[3]])];
        assert_eq!(walk(&columns), [(vec![vec![9], vec![1, 2]], 2), (vec![vec![9], vec![3]], 1)]);
        assert_eq!(walk(&[column(&[&[9]]), column(&[&[1]])]), [(vec![vec![9], vec![1]], 1)]);
    }

    #[test]
    fn no_rows_are_one_empty_segment() {
        let columns = [column(&[&[], &[]]), column(&[&[7]]), column(&[&[]])];
        assert_eq!(walk(&columns), [(vec![vec![], vec![7], vec![]], 0)]);
    }

    #[test]
    fn lengths_that_differ_are_an_error() {
        let error = rows(&[column(&[&[1, 2]]), column(&[&[1]]), column(&[&[1, 2], &[3]])]);
        assert_eq!(error, Err("the columns must be of one length, got 2 and 3 rows".into()));
        assert_eq!(rows(&[column(&[&[]]), column(&[&[1]])]), Ok(0));
    }
}
