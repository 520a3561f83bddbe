//! The aggregate functions: one set of kernels for every kind of group.

use std::ffi::CString;

use rankdcg_core::aggregate::{Group, Groups, Ranking, Scratch, Users};
use rankdcg_core::{boxed, check_memory};

use crate::api::{Combine, Destroy, Finalize, Init, StateSize, Update, api, rows, throwing};
use crate::extra_info::BoundFunction;
use crate::handle::{AggregateState, DataChunk, FunctionInfo, Vector};
use crate::output::{Results, UserResults, entry};
use crate::vector::ListEntry;

/// What DuckDB calls of an aggregate function.
#[derive(Clone, Copy)]
pub struct Kernels {
    pub size: StateSize,
    pub init: Init,
    pub update: Update,
    pub combine: Combine,
    pub finalize: Finalize,
    pub destroy: Destroy,
}

/// For groups that yield one result.
pub fn metric_kernels<G: Ranking>() -> Kernels {
    kernels::<G>(finalize::<G>)
}

/// For groups that yield one result for each user.
pub fn user_kernels() -> Kernels {
    kernels::<Users>(finalize_users)
}

fn kernels<G: Group>(finalize: Finalize) -> Kernels {
    Kernels { size, init, update: update::<G>, combine: combine::<G>, finalize, destroy: destroy::<G> }
}

/// A state is a pointer to its group, NULL until there is one.
type Slot<G> = *mut G;

unsafe extern "C" fn size(_: FunctionInfo) -> u64 {
    size_of::<Slot<()>>() as u64
}

unsafe extern "C" fn init(_: FunctionInfo, state: AggregateState) {
    // SAFETY: DuckDB passes a state of the size that `size` says.
    unsafe { clear(state) };
}

/// Lets a state hold no group.
///
/// # Safety
/// The state has room for a pointer; it need not be aligned.
unsafe fn clear(state: AggregateState) {
    // SAFETY: the caller's promise.
    unsafe { state.memory::<Slot<()>>().write_unaligned(std::ptr::null_mut()) };
}

unsafe extern "C" fn destroy<G>(states: *mut AggregateState, count: u64) {
    // SAFETY: DuckDB passes as many states, each of which holds its group, or none.
    unsafe { drop_groups::<G>(slice(states, count)) };
}

/// Drops the groups in these states, which then hold none. After an error DuckDB destroys no state of a GROUP BY.
///
/// # Safety
/// Each state holds a group of this kind or none, to which there is no reference.
unsafe fn drop_groups<G>(states: &[AggregateState]) {
    for state in states {
        // SAFETY: the caller's promise; a group came from a box.
        unsafe {
            let group = state.memory::<Slot<G>>().read_unaligned();
            if !group.is_null() {
                clear(*state);
                drop(Box::from_raw(group.cast::<[G; 1]>()));
            }
        }
    }
}

unsafe extern "C-unwind" fn update<G: Group>(
    info: FunctionInfo,
    input: DataChunk,
    states: *mut AggregateState,
) {
    // SAFETY: DuckDB passes a chunk of flat vectors and a state for each row.
    unsafe {
        let bound = bound_function(info);
        let updated = bound.chunk(input).and_then(|chunk| {
            let mut groups = States(slice(states, chunk.rows as u64));
            bound.catch_panics(|| {
                check_memory()?;
                G::update(bound.function, &chunk.columns(bound.function)?, chunk.rows, &mut groups)
            })
        });
        report(info, updated);
    }
}

unsafe extern "C-unwind" fn combine<G: Group>(
    info: FunctionInfo,
    sources: *mut AggregateState,
    targets: *mut AggregateState,
    count: u64,
) {
    // SAFETY: DuckDB passes as many sources as targets, none of which is both.
    unsafe {
        let combined = bound_function(info).catch_panics(|| {
            for (source, target) in slice(sources, count).iter().zip(slice(targets, count)) {
                if let Some(source) = source.memory::<Slot<G>>().read_unaligned().as_ref() {
                    group::<G>(*target)?.combine(source)?;
                }
            }
            Ok(())
        });
        report(info, combined);
    }
}

unsafe extern "C-unwind" fn finalize<G: Ranking>(
    info: FunctionInfo,
    states: *mut AggregateState,
    result: Vector,
    count: u64,
    offset: u64,
) {
    // SAFETY: DuckDB passes as many states, and a flat vector of results that has room for them from `offset` on.
    unsafe {
        let bound = bound_function(info);
        let states = slice(states, count);
        // Lists are of one length as a rule, which the first of them tells.
        let (mut done, mut room) = (0, 0);
        loop {
            let first = rows(offset) + done;
            let left = &states[done..];
            let mut results = Results::new(bound.function, result, first, left.len(), room);
            let evaluated = bound.catch_panics(|| {
                let mut scratch = Scratch::default();
                for (row, state) in (first..).zip(left) {
                    let values = group::<G>(*state)?.evaluate(bound.function, &mut scratch)?;
                    if !results.put(row, values.as_ref()) {
                        break;
                    }
                    done += 1;
                }
                Ok(())
            });
            if evaluated.is_err() {
                drop_groups::<G>(states);
                return report(info, evaluated);
            }
            room = results.lacking().saturating_mul(states.len() - done);
            results.finish();
            if done == states.len() {
                return;
            }
        }
    }
}

unsafe extern "C-unwind" fn finalize_users(
    info: FunctionInfo,
    states: *mut AggregateState,
    result: Vector,
    count: u64,
    offset: u64,
) {
    // SAFETY: as in `finalize`.
    unsafe {
        let bound = bound_function(info);
        let size = || rows((api().list_vector_get_size)(result));
        let states = slice(states, count);
        for (row, state) in (rows(offset)..).zip(states) {
            let first = size();
            let written = bound.catch_panics(|| Ok(group::<Users>(*state)?.parts())).and_then(|mut parts| {
                while let Some(room) = bound.catch_panics(|| parts.advance())? {
                    let mut results = UserResults::new(bound.function, result, room);
                    bound.catch_panics(|| {
                        parts.evaluate(bound.function, &mut results)?;
                        results.check()
                    })?;
                    results.finish();
                }
                Ok(())
            });
            if written.is_err() {
                drop_groups::<Users>(states);
                return report(info, written);
            }
            (api().vector_get_data)(result).cast::<ListEntry>().add(row).write(entry(first, size()));
        }
    }
}

/// The states of the rows of a chunk.
struct States<'a>(&'a [AggregateState]);

impl<G: Default> Groups<G> for States<'_> {
    #[inline(always)]
    fn of(&mut self, row: usize) -> Result<&mut G, rankdcg_core::Error> {
        // SAFETY: each row has a state, and `self` is borrowed as long as the group is.
        unsafe { group(self.0[row]) }
    }

    fn id(&self, row: usize) -> usize {
        self.0[row].address()
    }
}

/// The group in a state, a new one where there is none.
///
/// # Safety
/// The state holds a group of this kind or none, and no other reference to it is used as long as this one.
#[inline(always)]
unsafe fn group<'a, G: Default>(state: AggregateState) -> Result<&'a mut G, rankdcg_core::Error> {
    #[inline(never)]
    fn new_group<G: Default>() -> Result<*mut G, rankdcg_core::Error> {
        // An array of one group is where the group is.
        Ok(Box::into_raw(boxed(G::default())?).cast())
    }
    let slot = state.memory::<Slot<G>>();
    // SAFETY: the caller's promise.
    unsafe {
        let mut group = slot.read_unaligned();
        if group.is_null() {
            group = new_group()?;
            slot.write_unaligned(group);
        }
        Ok(&mut *group)
    }
}

/// # Safety
/// `states` points to as many states, which live as long as the call.
unsafe fn slice<'a>(states: *mut AggregateState, count: u64) -> &'a [AggregateState] {
    // SAFETY: the caller's promise; of none, the pointer may be anything.
    unsafe { if count == 0 { &[] } else { std::slice::from_raw_parts(states, rows(count)) } }
}

/// # Safety
/// `info` is that of a call of a function with a [`BoundFunction`].
unsafe fn bound_function(info: FunctionInfo) -> &'static BoundFunction {
    // SAFETY: the extra information was set at registration, and lives for ever.
    unsafe { &*(api().aggregate_function_get_extra_info)(info).cast::<BoundFunction>() }
}

/// Tells DuckDB what went wrong, if anything.
///
/// # Safety
/// `info` is that of the call under way; DuckDB may throw.
unsafe fn report(info: FunctionInfo, outcome: Result<(), CString>) {
    if let Err(message) = outcome {
        // SAFETY: the caller's promise; DuckDB copies the message.
        unsafe { (throwing().aggregate_function_set_error)(info, message.as_ptr()) };
    }
}
