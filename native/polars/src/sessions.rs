//! Sessions: rows of two frames that are read by expressions, a part at a time, before they are evaluated.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rankdcg_arrow::AllUsers;

/// The open sessions by number, and the number of the last one that was opened.
static SESSIONS: Mutex<(BTreeMap<i64, Arc<AllUsers>>, i64)> = Mutex::new((BTreeMap::new(), 0));

/// The sessions, locked. A thread that panicked left them whole, so it does not matter that it poisoned the lock.
fn sessions() -> MutexGuard<'static, (BTreeMap<i64, Arc<AllUsers>>, i64)> {
    SESSIONS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Opens a session and returns its number, which no other session of the process has.
pub fn open() -> i64 {
    let (sessions, last) = &mut *sessions();
    *last += 1;
    sessions.insert(*last, Arc::default());
    *last
}

/// The rows of a session; `None` if it is not open.
pub fn find(session: i64) -> Option<Arc<AllUsers>> {
    sessions().0.get(&session).cloned()
}

/// Closes a session. Its rows are freed as soon as nothing reads or evaluates them.
pub fn close(session: i64) {
    // Rows are freed after the lock is released, because that may take a while.
    let closed = sessions().0.remove(&session);
    drop(closed);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_is_there_until_it_is_closed() {
        let (one, other) = (open(), open());
        assert_ne!(one, other);
        let rows = find(one).unwrap();
        close(one);
        close(one);
        assert!(find(one).is_none() && find(other).is_some());
        assert_eq!(Arc::strong_count(&rows), 1);
        let third = open();
        assert_ne!(third, other, "a number is that of one session, also once others have closed");
        close(other);
        assert!(find(third).is_some());
        close(third);
    }
}
