//! Work that several threads share.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread::{Builder, scope};

use crate::error::Error;
use crate::ffi::catch_panics;

/// The work of a thread: the number of the task that it took last, and its results with their numbers.
type Done<T> = (usize, Result<Vec<(usize, T)>, Error>);

/// Does the tasks 0 to `count` (exclusive) on at most `threads` threads, this one among them, and returns their results
/// by number. Each thread takes the next task when it is done with one. `begin` makes what a thread keeps from task to
/// task, and `end` takes it back unless a task failed.
///
/// The error is that of the failed task with the lowest number. It does not depend on the number of threads, because
/// tasks are begun by number. A panic is an error, too. If a thread cannot be started, the others do its work.
pub fn share<S, T: Send>(
    count: usize,
    threads: usize,
    begin: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, usize) -> Result<T, Error> + Sync,
    end: impl Fn(S) + Sync,
) -> Result<Vec<T>, Error> {
    share_beside(count, threads, begin, work, end, &mut || Ok(()))
}

/// As [`share`]. This thread does `beside` before any task, and once. Its error comes after those of tasks.
pub fn share_beside<S, T: Send>(
    count: usize,
    threads: usize,
    begin: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, usize) -> Result<T, Error> + Sync,
    end: impl Fn(S) + Sync,
    beside: &mut dyn FnMut() -> Result<(), Error>,
) -> Result<Vec<T>, Error> {
    let (next, has_failed) = (AtomicUsize::new(0), AtomicBool::new(false));
    let run = || -> Done<T> {
        let mut task = 0;
        let outcome = catch_panics(|| {
            let (mut own, mut results) = (begin(), Vec::new());
            while !has_failed.load(Ordering::Relaxed) {
                task = next.fetch_add(1, Ordering::Relaxed);
                if task >= count {
                    break;
                }
                results.push((task, work(&mut own, task)?));
            }
            end(own);
            Ok(results)
        });
        if outcome.is_err() {
            has_failed.store(true, Ordering::Relaxed);
        }
        (task, outcome)
    };
    let (mut done, beside) = scope(|scope| {
        let start = |_| Builder::new().name("rankdcg".into()).spawn_scoped(scope, run).ok();
        let started: Vec<_> = (1..threads.min(count)).filter_map(start).collect();
        let beside = catch_panics(beside);
        let mut done = vec![run()];
        // `run` catches panics, so every thread can be joined.
        done.extend(started.into_iter().filter_map(|thread| thread.join().ok()));
        (done, beside)
    });
    // Errors come first, that of the lowest task before the others.
    done.sort_by_key(|(task, outcome)| (outcome.is_ok(), *task));
    let mut results = Vec::new();
    for (_, outcome) in done {
        results.extend(outcome?);
    }
    results.sort_by_key(|(task, _)| *task);
    beside?;
    Ok(results.into_iter().map(|(_, result)| result).collect())
}

/// Does the work on each of some values on a thread of its own, this one among them, and returns the results in their order.
/// `work` is passed the place of the value, too. Errors are those of [`share`].
pub fn share_each<S: Send, T: Send>(
    values: &mut [S],
    work: impl Fn(usize, &mut S) -> Result<T, Error> + Sync,
) -> Result<Vec<T>, Error> {
    let values: Vec<_> = values.iter_mut().map(Mutex::new).collect();
    let work = |(): &mut (), place: usize| {
        work(place, &mut values[place].lock().unwrap_or_else(PoisonError::into_inner))
    };
    share(values.len(), values.len(), || (), work, |()| {})
}

#[cfg(test)]
mod tests {
    use std::sync::Barrier;

    use super::*;

    #[test]
    fn results_are_in_the_order_of_tasks_on_any_number_of_threads() {
        for threads in [0, 1, 2, 7] {
            let kept = Mutex::new(Vec::new());
            let work = |seen: &mut Vec<usize>, task| {
                seen.push(task);
                Ok(task * 2)
            };
            let results = share(50, threads, Vec::new, work, |seen| kept.lock().unwrap().extend(seen));
            assert_eq!(results, Ok((0..100).step_by(2).collect()));
            let mut kept = kept.into_inner().unwrap();
            kept.sort_unstable();
            assert_eq!(kept, (0..50).collect::<Vec<_>>());
        }
        assert_eq!(share(0, 2, || (), |(), task| Ok(task), |()| {}), Ok(vec![]));
    }

    #[test]
    fn something_else_is_done_before_the_tasks_of_this_thread() {
        for threads in [1, 2, 7] {
            let share = |fails: bool, beside_fails: bool| {
                let (mut times, is_done) = (0, AtomicBool::new(false));
                let caller = std::thread::current().id();
                let work = |(): &mut (), task: usize| {
                    assert!(std::thread::current().id() != caller || is_done.load(Ordering::Relaxed));
                    if fails && task == 3 { Err(Error::new("3")) } else { Ok(task) }
                };
                let mut beside = || {
                    times += 1;
                    is_done.store(true, Ordering::Relaxed);
                    if beside_fails { Err(Error::new("beside")) } else { Ok(()) }
                };
                let results = share_beside(5, threads, || (), work, |()| {}, &mut beside);
                assert_eq!(times, 1);
                results
            };
            assert_eq!(share(false, false), Ok(vec![0, 1, 2, 3, 4]));
            assert_eq!(share(false, true), Err(Error::new("beside")));
            assert_eq!(share(true, true), Err(Error::new("3")));
        }
    }

    #[test]
    fn each_value_is_worked_on() {
        for count in [0, 1, 5] {
            let mut values: Vec<_> = (0..count).map(|value| value * 10).collect();
            let work = |place, value: &mut usize| {
                *value += 1;
                Ok(place + *value)
            };
            assert_eq!(share_each(&mut values, work), Ok((0..count).map(|place| 11 * place + 1).collect()));
            assert_eq!(values, (0..count).map(|value| value * 10 + 1).collect::<Vec<_>>());
        }
    }

    #[test]
    fn the_error_is_that_of_the_first_task_that_fails() {
        for threads in [1, 2, 7] {
            let all_fail = Barrier::new(threads);
            let work = |(): &mut (), task: usize| {
                if task < 9 {
                    return Ok(());
                }
                all_fail.wait();
                Err(Error::new(task.to_string()))
            };
            assert_eq!(share(50, threads, || (), work, |()| {}), Err(Error::new("9")));
            let work = |(): &mut (), task: usize| {
                assert!(task < 9, "task {task}");
                Ok(())
            };
            let error = share(50, threads, || (), work, |()| {}).unwrap_err().to_string();
            assert!(error.starts_with("rankdcg: internal error: task 9"), "{error}");
        }
    }
}
