//! The aggregate functions: one set of kernels for every kind of group.

use std::ffi::CString;

use rankdcg_core::aggregate::{Group, Groups, Ranking, Scratch, Users};
use rankdcg_core::{Error, boxed, c_message, check_memory};

use crate::api::{Combine, Destroy, Finalize, Handle, Init, State, StateSize, Update, api, rows, throwing};
use crate::chunk::Chunk;
use crate::output::{Results, UserResults};
use crate::register::Named;
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

unsafe extern "C" fn size(_: Handle) -> u64 {
    size_of::<Slot<()>>() as u64
}

unsafe extern "C" fn init(_: Handle, state: State) {
    // SAFETY: the state has room for a pointer; it need not be aligned.
    unsafe { state.cast::<Slot<()>>().write_unaligned(std::ptr::null_mut()) };
}

unsafe extern "C" fn destroy<G>(states: *mut State, count: u64) {
    // SAFETY: DuckDB passes as many states, each of which holds its group, or none.
    unsafe {
        for state in slice(states, count) {
            let group = state.cast::<Slot<G>>().read_unaligned();
            if !group.is_null() {
                drop(Box::from_raw(group.cast::<[G; 1]>()));
                init(std::ptr::null_mut(), *state);
            }
        }
    }
}

unsafe extern "C-unwind" fn update<G: Group>(info: Handle, input: Handle, states: *mut State) {
    // SAFETY: DuckDB passes a chunk of flat vectors and a state for each row.
    unsafe {
        let named = named(info);
        let updated = Chunk::new(input).map_err(|error| message(named, error)).and_then(|chunk| {
            let mut groups = States(slice(states, chunk.rows as u64));
            guarded(named, || {
                check_memory()?;
                G::update(named.function, &chunk.columns(named.function), chunk.rows, &mut groups)
            })
        });
        report(info, updated);
    }
}

unsafe extern "C-unwind" fn combine<G: Group>(
    info: Handle,
    sources: *mut State,
    targets: *mut State,
    count: u64,
) {
    // SAFETY: DuckDB passes as many sources as targets, none of which is both.
    unsafe {
        let combined = guarded(named(info), || {
            for (source, target) in slice(sources, count).iter().zip(slice(targets, count)) {
                if let Some(source) = source.cast::<Slot<G>>().read_unaligned().as_ref() {
                    group::<G>(*target)?.combine(source)?;
                }
            }
            Ok(())
        });
        report(info, combined);
    }
}

unsafe extern "C-unwind" fn finalize<G: Ranking>(
    info: Handle,
    states: *mut State,
    result: Handle,
    count: u64,
    offset: u64,
) {
    // SAFETY: DuckDB passes as many states, and a flat vector of results that has room for them from `offset` on.
    unsafe {
        let named = named(info);
        let mut results = Results::new(named.function);
        let (mut states, mut row) = (slice(states, count).iter(), rows(offset));
        while states.len() > 0 {
            let evaluated = guarded(named, || {
                let mut scratch = Scratch::default();
                while !results.is_full()
                    && let Some(state) = states.next()
                {
                    let values = group::<G>(*state)?.evaluate(named.function, &mut scratch)?;
                    results.put(values.as_ref());
                }
                results.check()
            });
            if evaluated.is_err() {
                return report(info, evaluated);
            }
            row += results.write(result, row);
        }
    }
}

unsafe extern "C-unwind" fn finalize_users(
    info: Handle,
    states: *mut State,
    result: Handle,
    count: u64,
    offset: u64,
) {
    // SAFETY: as in `finalize`.
    unsafe {
        let named = named(info);
        let mut results = UserResults::new(named.function);
        for (row, state) in (rows(offset)..).zip(slice(states, count)) {
            let first = (api().list_vector_get_size)(result);
            let mut parts = match guarded(named, || group::<Users>(*state)) {
                Ok(users) => users.parts(),
                Err(message) => return report(info, Err(message)),
            };
            loop {
                let evaluated = guarded(named, || {
                    let is_more = parts.evaluate_next(named.function, &mut results)?;
                    results.check().map(|()| is_more)
                });
                match evaluated {
                    Ok(true) => results.append(result),
                    Ok(false) => break,
                    Err(message) => return report(info, Err(message)),
                }
            }
            let length = (api().list_vector_get_size)(result) - first;
            let lists = (api().vector_get_data)(result).cast::<ListEntry>();
            lists.add(row).write(ListEntry { offset: first, length });
        }
    }
}

/// The states of the rows of a chunk.
struct States<'a>(&'a [State]);

impl<G: Default> Groups<G> for States<'_> {
    #[inline]
    fn of(&mut self, row: usize) -> Result<&mut G, rankdcg_core::Error> {
        // SAFETY: each row has a state, and `self` is borrowed as long as the group is.
        unsafe { group(self.0[row]) }
    }

    fn id(&self, row: usize) -> usize {
        self.0[row] as usize
    }
}

/// The group in a state, a new one where there is none.
///
/// # Safety
/// The state holds a group of this kind or none, and no other reference to it is used as long as this one.
unsafe fn group<'a, G: Default>(state: State) -> Result<&'a mut G, rankdcg_core::Error> {
    let slot = state.cast::<Slot<G>>();
    // SAFETY: the caller's promise.
    unsafe {
        if slot.read_unaligned().is_null() {
            // An array of one group is where the group is.
            slot.write_unaligned(Box::into_raw(boxed(G::default())?).cast());
        }
        Ok(&mut *slot.read_unaligned())
    }
}

/// # Safety
/// `states` points to as many states, which live as long as the call.
unsafe fn slice<'a>(states: *mut State, count: u64) -> &'a [State] {
    // SAFETY: the caller's promise; of none, the pointer may be anything.
    unsafe { if count == 0 { &[] } else { std::slice::from_raw_parts(states, rows(count)) } }
}

/// # Safety
/// `info` is that of a call of a function with a [`Named`].
unsafe fn named(info: Handle) -> &'static Named {
    // SAFETY: the extra information was set at registration, and lives for ever.
    unsafe { &*(api().aggregate_function_get_extra_info)(info).cast::<Named>() }
}

/// Runs what does not call DuckDB where it may throw, so that a panic becomes an error.
fn guarded<T>(named: &Named, run: impl FnOnce() -> Result<T, Error>) -> Result<T, CString> {
    rankdcg_core::guarded(|| run().map_err(|error| error.of(named.name).to_string()))
}

fn message(named: &Named, error: Error) -> CString {
    c_message(&error.of(named.name).to_string())
}

/// Tells DuckDB what went wrong, if anything.
///
/// # Safety
/// `info` is that of the call under way; DuckDB may throw.
unsafe fn report(info: Handle, outcome: Result<(), CString>) {
    if let Err(message) = outcome {
        // SAFETY: the caller's promise; DuckDB copies the message.
        unsafe { (throwing().aggregate_function_set_error)(info, message.as_ptr()) };
    }
}
