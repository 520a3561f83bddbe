//! The kernels of the aggregate functions: one set for each kind of group. Calls by which DuckDB may throw stand
//! outside of [`BoundFunction::catch_panics`].

use std::ffi::CString;

use rankdcg_core::aggregate::{
    Group, GroupEvaluator, Groups, PartitionCursor, RankedItems, Rows, Scratch, Users,
};
use rankdcg_core::{check_memory, collected, share_each};

use crate::api::{Combine, Destroy, Finalize, Update, api, throwing, to_usize};
use crate::explanations::ExplanationResults;
use crate::extra_info::BoundFunction;
use crate::group_pointer::{GroupPointer, clear, group, merge, pointer, release};
use crate::handle::{AggregateState, DataChunk, FunctionInfo, Vector};
use crate::item_results::ItemResults;
use crate::output::{Results, UserResults, entry};
use crate::vector::ListEntry;

/// The callbacks of an aggregate function that differ between kinds of groups. [`size`] and [`init`] are the others.
#[derive(Clone, Copy)]
pub struct Kernels {
    pub update: Update,
    pub combine: Combine,
    pub finalize: Finalize,
    pub destroy: Destroy,
}

/// The kernels for one kind of group, with a `finalize` of its own.
pub fn kernels<G: Group>(finalize: Finalize) -> Kernels {
    Kernels { update: update::<G>, combine: combine::<G>, finalize, destroy: destroy::<G> }
}

/// The size of a state in bytes: a state is a pointer to its group. See [`crate::api::StateSize`].
pub unsafe extern "C" fn size(_: FunctionInfo) -> u64 {
    size_of::<GroupPointer<()>>() as u64
}

/// Begins a state without a group, which its first row creates. See [`crate::api::Init`].
pub unsafe extern "C" fn init(_: FunctionInfo, state: AggregateState) {
    // SAFETY: DuckDB passes a state of the size that `size` says.
    unsafe { clear(state) };
}

/// Ends states, and drops their groups. See [`Destroy`].
unsafe extern "C" fn destroy<G>(states: *mut AggregateState, count: u64) {
    // SAFETY: DuckDB passes `count` states, each with a group of this kind or with none.
    unsafe { drop_groups::<G>(slice(states, count)) };
}

/// Drops the groups of these states, and leaves the states without one.
///
/// # Safety
/// Each state has a group of this kind or none. No reference to these groups is in use.
unsafe fn drop_groups<G>(states: &[AggregateState]) {
    for state in states {
        // SAFETY: the caller's promise.
        unsafe { release::<G>(*state) };
    }
}

/// Reads the rows of a chunk, each into the group of its state. See [`Update`].
unsafe extern "C-unwind" fn update<G: Group>(
    info: FunctionInfo,
    input: DataChunk,
    states: *mut AggregateState,
) {
    // SAFETY: DuckDB passes a chunk of flat vectors and a state for each row.
    unsafe {
        answer(info, |bound| {
            let chunk = bound.chunk(input)?;
            let mut groups = States::new(slice(states, chunk.rows as u64));
            bound.catch_panics(|| {
                check_memory()?; // for what is allocated without a check while the rows are read
                G::update(bound.function, &chunk.columns(bound.function)?, &mut groups)
            })
        });
    }
}

/// Merges the group of each source into that of its target. See [`Combine`].
unsafe extern "C-unwind" fn combine<G: Group>(
    info: FunctionInfo,
    sources: *mut AggregateState,
    targets: *mut AggregateState,
    count: u64,
) {
    // SAFETY: DuckDB passes `count` sources and as many targets. No state is both.
    unsafe {
        answer(info, |bound| {
            bound.catch_panics(|| {
                let mut pairs = slice(sources, count).iter().zip(slice(targets, count));
                pairs.try_for_each(|(source, target)| merge::<G>(*source, *target))
            })
        });
    }
}

/// See [`Finalize`]; for groups that yield one result each.
pub unsafe extern "C-unwind" fn finalize<G: GroupEvaluator>(
    info: FunctionInfo,
    states: *mut AggregateState,
    result: Vector,
    count: u64,
    offset: u64,
) {
    // SAFETY: DuckDB passes `count` states, and a flat vector with room for their results from row `offset` on.
    unsafe {
        answer_or_drop::<G>(info, slice(states, count), |bound, states| {
            // The capacity for elements of lists is 0 at first. The inner loop ends at a list that does not fit, whose
            // length is then `overflow`. Lists mostly have one length, from which the capacity for the others follows.
            let (mut done, mut capacity) = (0, 0);
            loop {
                let first = to_usize(offset) + done;
                let left = &states[done..];
                let mut results = Results::new(bound.function, result, first..first + left.len(), capacity);
                bound.catch_panics(|| {
                    let mut scratch = Scratch::default();
                    for (index, state) in left.iter().enumerate() {
                        prefetch_group::<G>(left, index);
                        let values = group::<G>(*state)?.evaluate(bound.function, &mut scratch)?;
                        if !results.put(first + index, values.as_ref()) {
                            break;
                        }
                        done += 1;
                    }
                    Ok(())
                })?;
                capacity = results.overflow().saturating_mul(states.len() - done);
                results.finish();
                if done == states.len() {
                    return Ok(());
                }
            }
        });
    }
}

/// See [`Finalize`]; for groups that yield one result for each user.
pub unsafe extern "C-unwind" fn finalize_users(
    info: FunctionInfo,
    states: *mut AggregateState,
    result: Vector,
    count: u64,
    offset: u64,
) {
    // SAFETY: as in `finalize`.
    unsafe {
        let element_count = || to_usize((api().list_vector_get_size)(result));
        let entries = (api().vector_get_data)(result).cast::<ListEntry>();
        answer_or_drop::<Users>(info, slice(states, count), |bound, states| {
            for (row, state) in (to_usize(offset)..).zip(states) {
                let first = element_count();
                append_users(bound, *state, result)?;
                entries.add(row).write(entry(first, element_count()));
            }
            Ok(())
        });
    }
}

/// Appends the results of the users of a group to the elements of a vector of lists.
///
/// # Safety
/// The state has a group of users or none, and the vector is that of the results. DuckDB may throw.
unsafe fn append_users(bound: &BoundFunction, state: AggregateState, list: Vector) -> Result<(), CString> {
    // SAFETY: the caller's promises.
    unsafe {
        // Each thread evaluates a partition of users at a time, once there is memory for all results of these.
        let mut cursors = bound.catch_panics(|| {
            let users = group::<Users>(state)?;
            collected((0..users.partitions().threads()).map(|_| users.partitions()))
        })?;
        let mut is_first = true;
        for place in (0..PartitionCursor::COUNT).step_by(cursors.len()) {
            let threads = cursors.len().min(PartitionCursor::COUNT - place);
            let current = &mut cursors[..threads];
            let counts =
                bound.catch_panics(|| share_each(current, |task, cursor| cursor.move_to(place + task)))?;
            let current = current.iter_mut().zip(counts).filter_map(|(cursor, count)| {
                Some((UserResults::sizes(bound.function, cursor, count?), cursor))
            });
            let current: Vec<(Vec<usize>, &mut PartitionCursor)> = current.collect();
            let Some((sizes, cursor)) = current.last() else { continue };
            // A list that grows is copied. Users are spread evenly: with the first partitions, there is room for those
            // of all others, or an eighth more.
            let left = if is_first { cursor.partitions_left() } else { 0 };
            is_first = false;
            let room = (0..sizes.len()).map(|number| {
                let size: usize = current.iter().map(|(sizes, _)| sizes[number]).sum();
                size.saturating_add((size / current.len() * left).div_ceil(8) * 9)
            });
            UserResults::reserve(bound.function, list, &room.collect::<Vec<_>>());
            let mut current: Vec<_> = current
                .into_iter()
                .map(|(sizes, cursor)| (cursor, UserResults::new(bound.function, list, &sizes)))
                .collect();
            bound.catch_panics(|| {
                share_each(&mut current, |_, (cursor, results)| {
                    cursor.evaluate(bound.function, results)?;
                    results.check_room()
                })
            })?;
            for (_, results) in current {
                results.finish();
            }
        }
        Ok(())
    }
}

/// See [`Finalize`]; for groups that yield an explanation of the value of each user.
pub unsafe extern "C-unwind" fn finalize_explanations_of_users(
    info: FunctionInfo,
    states: *mut AggregateState,
    result: Vector,
    count: u64,
    offset: u64,
) {
    // SAFETY: as in `finalize_users`.
    unsafe {
        answer_or_drop::<Users>(info, slice(states, count), |bound, states| {
            for (row, state) in (to_usize(offset)..).zip(states) {
                let first = to_usize((api().list_vector_get_size)(result));
                let mut partitions = bound.catch_panics(|| Ok(group::<Users>(*state)?.partitions()))?;
                let (mut end, mut likely) = (first, None);
                while let Some(most) = bound.catch_panics(|| partitions.advance())? {
                    let room = most.max(likely.unwrap_or_default());
                    let mut results = ExplanationResults::new(bound.function, result, room);
                    bound.catch_panics(|| partitions.explain(bound.function, &mut results))?;
                    end = results.next();
                    results.finish([]);
                    // A list that grows is copied. After the first partition, there is room for all others if their rows
                    // have as many items, or an eighth more.
                    likely =
                        Some(likely.map_or_else(
                            || partitions.rows_left() / most.max(1) * (end - first) / 8 * 9,
                            |_| 0,
                        ));
                }
                (api().vector_get_data)(result).cast::<ListEntry>().add(row).write(entry(first, end));
            }
            Ok(())
        });
    }
}

/// See [`Finalize`]; for groups that yield an explanation of one value each.
pub unsafe extern "C-unwind" fn finalize_explanations(
    info: FunctionInfo,
    states: *mut AggregateState,
    result: Vector,
    count: u64,
    offset: u64,
) {
    // SAFETY: as in `finalize`.
    unsafe {
        answer_or_drop::<Rows>(info, slice(states, count), |bound, states| {
            let mut scratch = Scratch::default();
            for (row, state) in (to_usize(offset)..).zip(states) {
                // Memory is reserved for one group at a time: much fewer items may be explained than it has.
                let most = bound.catch_panics(|| Ok(group::<Rows>(*state)?.row_count()))?;
                let mut results = ExplanationResults::new(bound.function, result, most);
                let first = results.next();
                let is_judged = bound.catch_panics(|| {
                    group::<Rows>(*state)?.explain(bound.function, &mut scratch, &mut results)
                })?;
                results.end_list(row, first);
                results.finish((!is_judged).then_some(row));
            }
            Ok(())
        });
    }
}

/// See [`Finalize`]; for groups that yield a list of items each.
pub unsafe extern "C-unwind" fn finalize_items(
    info: FunctionInfo,
    states: *mut AggregateState,
    result: Vector,
    count: u64,
    offset: u64,
) {
    // SAFETY: as in `finalize`.
    unsafe {
        answer_or_drop::<RankedItems>(info, slice(states, count), |bound, states| {
            // Each group is sorted, and memory reserved for the items of all. `sort` returns how many a group has.
            let item_count = bound.catch_panics(|| {
                states.iter().try_fold(0, |count, state| Ok(count + group::<RankedItems>(*state)?.sort()))
            })?;
            let mut results = ItemResults::new(result, item_count);
            for (row, state) in (to_usize(offset)..).zip(states) {
                bound.catch_panics(|| results.put(row, group::<RankedItems>(*state)?))?;
                results.write_long_texts();
            }
            results.finish();
            Ok(())
        });
    }
}

/// How many rows or groups ahead a group is fetched into the cache; its state, in which DuckDB has the pointer to it, is
/// fetched as many rows before. Measured: on rows in random order, aggregates over many groups then take at least a tenth
/// less time.
const AHEAD: usize = 12;

/// The size of a line of the processor's cache in bytes.
const LINE: usize = 64;

/// Fetches into the cache the group of the state [`AHEAD`] places after `index`, and the state twice as far after it.
///
/// # Safety
/// Each state has a group of this kind or none.
#[inline(always)]
unsafe fn prefetch_group<G>(states: &[AggregateState], index: usize) {
    if let Some(later) = states.get(index + 2 * AHEAD) {
        prefetch(later.address() as *const u8);
    }
    if let Some(later) = states.get(index + AHEAD) {
        // SAFETY: the caller's promise.
        let group = unsafe { pointer::<G>(*later) };
        for line in (0..size_of::<G>()).step_by(LINE) {
            prefetch(group.cast::<u8>().wrapping_add(line));
        }
    }
}

/// Fetches the cache line at a pointer, which may be NULL, into the processor's cache.
#[inline(always)]
fn prefetch<T>(pointer: *const T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a prefetch reads nothing, whatever the address is.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(pointer.cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = pointer;
}

/// The state of each row of a chunk.
struct States<'a> {
    states: &'a [AggregateState],
    /// Whether rows of one group mostly do not follow one another, so that it pays to fetch groups ahead.
    are_scattered: bool,
}

impl<'a> States<'a> {
    /// Looks at the first rows. Few rows never count as scattered: there is nothing to be gained with them.
    fn new(states: &'a [AggregateState]) -> Self {
        const LOOKED_AT: usize = 64;
        let looked_at = &states[..states.len().min(LOOKED_AT)];
        let changes = looked_at.windows(2).filter(|pair| pair[0].address() != pair[1].address());
        Self { states, are_scattered: changes.count() > LOOKED_AT / 2 }
    }
}

impl<G: Group> Groups<G> for States<'_> {
    #[inline(always)]
    fn of(&mut self, row: usize) -> Result<&mut G, rankdcg_core::Error> {
        if self.are_scattered {
            // SAFETY: each row has a state.
            unsafe { prefetch_group::<G>(self.states, row) };
        }
        // SAFETY: each row has a state. The group is borrowed no longer than `self` is.
        unsafe { group(self.states[row]) }
    }

    fn id(&self, row: usize) -> usize {
        self.states[row].address()
    }
}

/// The states that a kernel was passed.
///
/// # Safety
/// `states` points to `count` states, which live as long as the call.
unsafe fn slice<'a>(states: *mut AggregateState, count: u64) -> &'a [AggregateState] {
    // SAFETY: the caller's promise. With a count of 0, the pointer may be invalid, and is not used.
    unsafe { if count == 0 { &[] } else { std::slice::from_raw_parts(states, to_usize(count)) } }
}

/// Runs a kernel on the function that is called, and passes its error to DuckDB, which makes the query fail.
///
/// # Safety
/// `info` is that of a call of a function whose extra information is a [`BoundFunction`]. DuckDB may throw.
unsafe fn answer(info: FunctionInfo, kernel: impl FnOnce(&BoundFunction) -> Result<(), CString>) {
    // SAFETY: registration has set the extra information, which is static. DuckDB copies the message.
    unsafe {
        let bound = &*(api().aggregate_function_get_extra_info)(info).cast::<BoundFunction>();
        if let Err(message) = kernel(bound) {
            (throwing().aggregate_function_set_error)(info, message.as_ptr());
        }
    }
}

/// Runs a kernel that writes the results of groups. If it fails, the groups are dropped here, because DuckDB does not
/// destroy the states of a GROUP BY after an error.
///
/// # Safety
/// As for [`answer`] and [`drop_groups`].
unsafe fn answer_or_drop<G>(
    info: FunctionInfo,
    states: &[AggregateState],
    kernel: impl FnOnce(&BoundFunction, &[AggregateState]) -> Result<(), CString>,
) {
    // SAFETY: the caller's promises. No reference to a group is in use after the kernel.
    unsafe { answer(info, |bound| kernel(bound, states).inspect_err(|_| drop_groups::<G>(states))) };
}
