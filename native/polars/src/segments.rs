//! Columns in chunks, side by side.

use arrow_array::{Array, ArrayRef};

/// How many rows there are: columns of one row stand for as many as the others have.
pub fn rows(columns: &[Vec<ArrayRef>]) -> Result<usize, String> {
    let mut lengths: Vec<usize> =
        columns.iter().map(|chunks| length(chunks)).filter(|rows| *rows != 1).collect();
    lengths.dedup();
    match lengths[..] {
        [] => Ok(1),
        [rows] => Ok(rows),
        [one, other, ..] => Err(format!("the columns must be of one length, got {one} and {other} rows")),
    }
}

fn length(chunks: &[ArrayRef]) -> usize {
    chunks.iter().map(Array::len).sum()
}

/// Calls `run` on stretches of the columns in which none of them changes its chunk, with their number of rows.
///
/// A stretch is a slice of each chunk, without a copy. A column of one row is passed as it is every time. Where
/// there are no rows, there is one stretch without rows.
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

/// A place in a column.
struct Cursor<'a> {
    chunks: &'a [ArrayRef],
    /// Rows of the first chunk that are done with.
    offset: usize,
    is_repeated: bool,
}

impl<'a> Cursor<'a> {
    fn new(chunks: &'a [ArrayRef]) -> Self {
        let mut cursor = Self { chunks, offset: 0, is_repeated: length(chunks) == 1 };
        cursor.skip();
        cursor
    }

    /// Leaves chunks behind that have no rows left, but for the last.
    fn skip(&mut self) {
        while self.chunks.len() > 1 && self.offset == self.chunks[0].len() {
            (self.chunks, self.offset) = (&self.chunks[1..], 0);
        }
    }

    /// How many rows the chunk still has; `None` for a column that has as many as are wanted.
    fn left(&mut self) -> Option<usize> {
        (!self.is_repeated).then(|| self.chunks[0].len() - self.offset)
    }

    fn next(&mut self, size: usize) -> ArrayRef {
        let chunk = &self.chunks[0];
        if self.is_repeated {
            return chunk.clone();
        }
        let slice = chunk.slice(self.offset, size);
        self.offset += size;
        self.skip();
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
    fn stretches_end_where_any_chunk_ends() {
        let columns = [column(&[&[], &[1, 2, 3], &[4]]), column(&[&[5], &[], &[6, 7, 8], &[]])];
        let expected =
            vec![(vec![vec![1], vec![5]], 1), (vec![vec![2, 3], vec![6, 7]], 2), (vec![vec![4], vec![8]], 1)];
        assert_eq!(walk(&columns), expected);
    }

    #[test]
    fn a_column_of_one_row_is_there_in_every_stretch() {
        let columns = [column(&[&[], &[9], &[]]), column(&[&[1, 2], &[3]])];
        assert_eq!(walk(&columns), [(vec![vec![9], vec![1, 2]], 2), (vec![vec![9], vec![3]], 1)]);
        assert_eq!(walk(&[column(&[&[9]]), column(&[&[1]])]), [(vec![vec![9], vec![1]], 1)]);
    }

    #[test]
    fn no_rows_are_one_empty_stretch() {
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
