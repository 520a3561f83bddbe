//! The aggregate functions: one set of kernels for every kind of group.

use rankdcg_core::aggregate::{Group, Groups, Ranking, Scratch, Users};
use rankdcg_core::{boxed, check_memory};

use crate::api::{Combine, Destroy, Finalize, Handle, Init, State, StateSize, Update, api};
use crate::chunk::Chunk;
use crate::output::{Results, UserResults};
use crate::register::Named;

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

unsafe extern "C" fn update<G: Group>(info: Handle, input: Handle, states: *mut State) {
    guarded(info, |named| {
        check_memory()?;
        // SAFETY: DuckDB passes a chunk of flat vectors and a state for each row.
        unsafe {
            let chunk = Chunk::new(input);
            let mut groups = States(slice(states, chunk.rows as u64));
            let columns = chunk.columns(named.function);
            G::update(named.function, &columns, chunk.rows, &mut groups)
        }
    });
}

unsafe extern "C" fn combine<G: Group>(info: Handle, sources: *mut State, targets: *mut State, count: u64) {
    guarded(info, |_| {
        // SAFETY: DuckDB passes as many sources as targets, none of which is both.
        unsafe {
            for (source, target) in slice(sources, count).iter().zip(slice(targets, count)) {
                if let Some(source) = source.cast::<Slot<G>>().read_unaligned().as_ref() {
                    group::<G>(*target)?.combine(source)?;
                }
            }
        }
        Ok(())
    });
}

unsafe extern "C" fn finalize<G: Ranking>(
    info: Handle,
    states: *mut State,
    result: Handle,
    count: u64,
    offset: u64,
) {
    guarded(info, |named| {
        let mut scratch = Scratch::default();
        // SAFETY: DuckDB passes as many states, and a vector of results that has room for them.
        unsafe {
            let mut results = Results::new(named.function, result, row(count));
            for (row, state) in (row(offset)..).zip(slice(states, count)) {
                let values = group::<G>(*state)?.evaluate(named.function, &mut scratch)?;
                results.put(row, values.as_ref());
            }
            results.finish();
        }
        Ok(())
    });
}

unsafe extern "C" fn finalize_users(
    info: Handle,
    states: *mut State,
    result: Handle,
    count: u64,
    offset: u64,
) {
    guarded(info, |named| {
        // SAFETY: as in `finalize`.
        unsafe {
            for (row, state) in (row(offset)..).zip(slice(states, count)) {
                let mut results = UserResults::new(named.function, result);
                group::<Users>(*state)?.evaluate(named.function, &mut results)?;
                results.finish(row);
            }
        }
        Ok(())
    });
}

fn row(offset: u64) -> usize {
    usize::try_from(offset).expect("a vector fits memory")
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
    unsafe { if count == 0 { &[] } else { std::slice::from_raw_parts(states, row(count)) } }
}

/// Runs a kernel so that its errors and panics become errors of the query.
fn guarded(info: Handle, kernel: impl FnOnce(&'static Named) -> Result<(), rankdcg_core::Error>) {
    let run = || {
        // SAFETY: the extra information was set at registration, and lives for ever.
        let named = unsafe { &*(api().aggregate_function_get_extra_info)(info).cast::<Named>() };
        kernel(named).map_err(|error| error.of(named.name).to_string())
    };
    if let Err(message) = rankdcg_core::guarded(run) {
        // SAFETY: the information is that of the call under way; DuckDB copies the message.
        unsafe { (api().aggregate_function_set_error)(info, message.as_ptr()) };
    }
}
