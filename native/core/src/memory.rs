//! Allocation that fails with an error of the query, instead of the end of the process.
//!
//! States of aggregates and the buffers of their evaluation grow with the rows of a query, so all of these are
//! allocated by the functions below. Allocations up to the size of a chunk of rows, such as the sentence of an error,
//! are not checked. They may come when no memory is left, so some memory is held in reserve for them. It is released
//! once any allocation fails, and no checked allocation succeeds before it is held again.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::error::Error;

/// The size of the reserve in bytes. It is never written to, so it takes address space and no physical memory.
const RESERVE: usize = 8 << 20;

/// The reserve; without capacity while it is not held.
static RESERVED: Mutex<Vec<u8>> = Mutex::new(Vec::new());
/// Whether the reserve is held, to be read without the lock.
static IS_RESERVED: AtomicBool = AtomicBool::new(false);

/// Allocates the reserve if it is not held; returns whether it is held now.
#[cold]
fn reserve() -> bool {
    let mut fresh = Vec::new();
    // Not under the lock, because an allocation that fails locks it.
    if fresh.try_reserve_exact(RESERVE).is_err() {
        return false;
    }
    let mut reserved = RESERVED.lock().unwrap_or_else(PoisonError::into_inner);
    *reserved = fresh;
    IS_RESERVED.store(true, Ordering::Relaxed);
    true
}

/// Releases the reserve; returns whether it was held. The shared library's allocator calls it when the system refuses
/// memory, and then asks the system again.
#[cold]
pub fn release_reserve() -> bool {
    if !IS_RESERVED.load(Ordering::Relaxed) {
        return false;
    }
    let mut reserved = RESERVED.lock().unwrap_or_else(PoisonError::into_inner);
    IS_RESERVED.store(false, Ordering::Relaxed);
    std::mem::take(&mut *reserved).capacity() > 0
}

/// Releases the reserve, and returns the error for an allocation of `bytes` that failed.
#[cold]
#[inline(never)]
fn refused(bytes: usize) -> Error {
    release_reserve();
    Error::memory(format_args!("{bytes} bytes could not be allocated"))
}

/// Runs `attempt`, an allocation of `bytes`, if the reserve is held; an error if it is not or if `attempt` fails.
#[inline]
fn allocate<E>(bytes: usize, attempt: impl FnOnce() -> Result<(), E>) -> Result<(), Error> {
    if (IS_RESERVED.load(Ordering::Relaxed) || reserve()) && attempt().is_ok() {
        return Ok(());
    }
    Err(refused(bytes))
}

/// Tries to allocate, and frees, the memory that reading a chunk of rows takes without checks; an error if it fails.
pub fn check_memory() -> Result<(), Error> {
    const CHUNK: usize = 64 << 10;
    Vec::<u8>::new().make_exact_room(CHUNK)
}

/// Makes room for `items` more values of `T` in a collection other than a vector; `attempt` reserves it.
pub fn make_room_for<T, E>(items: usize, attempt: impl FnOnce() -> Result<(), E>) -> Result<(), Error> {
    allocate(items.saturating_mul(size_of::<T>()), attempt)
}

/// Lengthens a vector to `length` with default values. Out of line, because it is rarely called.
#[cold]
#[inline(never)]
pub fn lengthen<T: Clone + Default>(values: &mut Vec<T>, length: usize) -> Result<(), Error> {
    values.try_resize(length, T::default())
}

/// Collects values in a vector without spare capacity.
pub fn collected<T>(values: impl ExactSizeIterator<Item = T>) -> Result<Vec<T>, Error> {
    let mut collected = Vec::new();
    collected.make_exact_room(values.len())?;
    collected.extend(values);
    Ok(collected)
}

/// Checked growth of a vector: each method returns an error if memory runs out, and leaves the values as they are.
pub trait Grow<T>: AsMut<Vec<T>> {
    /// Makes room for `more` values, and possibly for others, so that repeated growth is cheap.
    #[inline]
    fn make_room(&mut self, more: usize) -> Result<(), Error> {
        let values = self.as_mut();
        if values.capacity() - values.len() < more {
            return reallocate(values, more);
        }
        Ok(())
    }

    /// Makes room for `more` values and no others.
    #[inline(never)]
    fn make_exact_room(&mut self, more: usize) -> Result<(), Error> {
        allocate(more.saturating_mul(size_of::<T>()), || self.as_mut().try_reserve_exact(more))
    }

    #[inline]
    fn try_push(&mut self, value: T) -> Result<(), Error> {
        let values = self.as_mut();
        if values.len() == values.capacity() {
            grow(values)?;
        }
        values.push(value);
        Ok(())
    }

    #[inline]
    fn try_extend(
        &mut self,
        values: impl IntoIterator<Item = T, IntoIter: ExactSizeIterator>,
    ) -> Result<(), Error> {
        let values = values.into_iter();
        self.make_room(values.len())?;
        self.as_mut().extend(values);
        Ok(())
    }

    #[inline]
    fn try_extend_from_slice(&mut self, values: &[T]) -> Result<(), Error>
    where
        T: Copy,
    {
        self.make_room(values.len())?;
        self.as_mut().extend_from_slice(values);
        Ok(())
    }

    /// Shortens the vector to `length`, or lengthens it with copies of `value`.
    #[inline]
    fn try_resize(&mut self, length: usize, value: T) -> Result<(), Error>
    where
        T: Clone,
    {
        let values = self.as_mut();
        values.make_room(length.saturating_sub(values.len()))?;
        values.resize(length, value);
        Ok(())
    }
}

impl<T> Grow<T> for Vec<T> {}

/// Reallocates for `more` values. Out of line, because the check before it is compiled into every caller.
#[cold]
#[inline(never)]
fn reallocate<T>(values: &mut Vec<T>, more: usize) -> Result<(), Error> {
    allocate(more.saturating_mul(size_of::<T>()), || values.try_reserve(more))
}

/// Makes room in a full vector: for 4 values, then 16, because most groups have more than 8 rows, then twice as many.
/// From 65,536 values on for half as many again: unused room then costs more than moving the values.
#[cold]
pub fn grow<T>(values: &mut Vec<T>) -> Result<(), Error> {
    const FEW: usize = 4;
    const MANY: usize = 1 << 16;
    let length = values.len();
    values.make_exact_room(match length {
        0 => FEW,
        FEW => 3 * FEW,
        1..MANY => length,
        MANY.. => length / 2,
    })
}

/// A value in a box. It is an array of one, because only boxed slices can be allocated with a check in stable Rust.
pub fn boxed<T>(value: T) -> Result<Box<[T; 1]>, Error> {
    let mut room = Vec::new();
    room.make_exact_room(1)?;
    room.push(value);
    room.into_boxed_slice().try_into().map_err(|_| Error::internal("one value is not one"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_fit_memory_is_an_error() {
        let mut values = vec![1_u64];
        for error in [
            values.make_room(usize::MAX / 16).unwrap_err(),
            values.make_exact_room(usize::MAX / 16).unwrap_err(),
            values.try_extend(std::iter::repeat_n(1, usize::MAX / 16)).unwrap_err(),
            values.try_resize(usize::MAX / 16, 1).unwrap_err(),
        ] {
            assert!(error.to_string().starts_with("out of memory: "), "{error}");
        }
        assert_eq!(values, [1]);
        assert!(collected(std::iter::repeat_n(1_u64, usize::MAX / 16)).is_err());
        assert_eq!(collected([1, 2].into_iter()), Ok(vec![1, 2]));
    }

    #[test]
    fn room_is_made_behind_the_values_that_are_there() {
        let mut values = Vec::with_capacity(4);
        values.extend([1_u64; 4]);
        values.make_room(3).unwrap();
        assert!(values.capacity() >= 7, "{}", values.capacity());
    }

    #[test]
    fn room_doubles_until_it_is_large() {
        let mut values = Vec::new();
        let mut rooms = Vec::new();
        for value in 0..1 << 18 {
            values.try_push(value).unwrap();
            rooms.push(values.capacity());
        }
        rooms.dedup();
        assert_eq!(rooms[..3], [4, 16, 32]);
        assert_eq!(rooms[13..16], [1 << 16, (1 << 16) / 2 * 3, (1 << 16) / 4 * 9]);
    }
}
