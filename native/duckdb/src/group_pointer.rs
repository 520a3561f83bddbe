//! The memory of a state: a pointer to its group, which several states may share.
//!
//! DuckDB merges most states into empty ones, because each of its threads groups rows in a table of its own before all
//! groups move to a common table. Such a merge shares the group instead of copying it. A shared group is only read: a
//! state that is to change gets a copy of its own first.

use std::sync::atomic::{AtomicUsize, Ordering, fence};

use rankdcg_core::aggregate::Group;
use rankdcg_core::{Error, boxed};

use crate::handle::AggregateState;

/// A group, and the number of states that point to it.
pub struct SharedGroup<G> {
    /// How many states point to this group.
    states: AtomicUsize,
    group: G,
}

/// The contents of a state: NULL if the state has no group. Every group is in a boxed array of one, made by [`boxed`].
pub type GroupPointer<G> = *mut SharedGroup<G>;

/// Leaves a state without a group. A group that it had is not freed.
///
/// # Safety
/// The state has room for a pointer. It need not be aligned.
pub unsafe fn clear(state: AggregateState) {
    // SAFETY: the caller's promise.
    unsafe { state.memory::<GroupPointer<()>>().write_unaligned(std::ptr::null_mut()) };
}

/// The pointer to the group of a state.
///
/// # Safety
/// The state has a group of this kind or none.
#[inline(always)]
pub unsafe fn pointer<G>(state: AggregateState) -> GroupPointer<G> {
    // SAFETY: the caller's promise.
    unsafe { state.memory::<GroupPointer<G>>().read_unaligned() }
}

/// The group of a state, to be changed. A state without a group gets a new one, and one that shares its group gets a
/// copy.
///
/// # Safety
/// The state has a group of this kind or none. No other reference to that group is used while this one is, except by
/// states that share it.
#[inline(always)]
pub unsafe fn group<'a, G: Group>(state: AggregateState) -> Result<&'a mut G, Error> {
    // SAFETY: the caller's promise. The group of a single state is written by nobody else. Another state that shared it
    // has read it before it let go: `Acquire` pairs with `Release` in `release`.
    unsafe {
        let mut group = pointer::<G>(state);
        if group.is_null() || (*group).states.load(Ordering::Acquire) != 1 {
            group = own_group(state)?;
        }
        Ok(&mut (*group).group)
    }
}

/// Gives a state a group of its own: a copy of the group that it shares, or an empty one.
///
/// # Safety
/// As for [`group`].
#[inline(never)]
unsafe fn own_group<G: Group>(state: AggregateState) -> Result<GroupPointer<G>, Error> {
    // SAFETY: the caller's promise. The shared group lives until this state lets go of it.
    unsafe {
        let mut group = G::default();
        if let Some(shared) = pointer::<G>(state).as_ref() {
            group.combine(&shared.group)?;
        }
        // A pointer to an array of one group is a pointer to the group.
        let own = Box::into_raw(boxed(SharedGroup { states: AtomicUsize::new(1), group })?).cast();
        release::<G>(state);
        state.memory::<GroupPointer<G>>().write_unaligned(own);
        Ok(own)
    }
}

/// Merges the group of `source` into that of `target`. A target without a group shares that of the source instead.
///
/// # Safety
/// Each state has a group of this kind or none. No other thread changes either group.
pub unsafe fn merge<G: Group>(source: AggregateState, target: AggregateState) -> Result<(), Error> {
    // SAFETY: the caller's promise. `group` returns another group than that of `source`, even if they shared one.
    unsafe {
        let Some(from) = pointer::<G>(source).as_ref() else { return Ok(()) };
        if pointer::<G>(target).is_null() {
            from.states.fetch_add(1, Ordering::Relaxed);
            target.memory::<GroupPointer<G>>().write_unaligned(pointer::<G>(source));
            return Ok(());
        }
        group::<G>(target)?.combine(&from.group)
    }
}

/// Takes its group from a state, and drops the group if no other state has it.
///
/// # Safety
/// The state has a group of this kind or none. No reference to this group is in use.
pub unsafe fn release<G>(state: AggregateState) {
    // SAFETY: the caller's promise. The last state to let go of a group sees what all others did before: `Release` of
    // each pairs with the fence.
    unsafe {
        let group = pointer::<G>(state);
        if group.is_null() {
            return;
        }
        clear(state);
        if (*group).states.fetch_sub(1, Ordering::Release) == 1 {
            fence(Ordering::Acquire);
            drop(Box::from_raw(group.cast::<[SharedGroup<G>; 1]>()));
        }
    }
}
