//! The allocator of the shared library: that of the system, with the core's reserve.

use std::alloc::{GlobalAlloc, Layout, System};

use rankdcg_core::release_reserve;

/// Allocates as the system does. If the system refuses memory, the core's reserve is released, and the system is asked
/// again. So small allocations, which are not checked, succeed when memory runs out, and the process goes on.
struct WithReserve;

#[global_allocator]
static ALLOCATOR: WithReserve = WithReserve;

/// The memory that `attempt` allocates. If it fails, and the reserve could be released, that of a second attempt.
#[inline(always)]
fn with_reserve(attempt: impl Fn() -> *mut u8) -> *mut u8 {
    let memory = attempt();
    if memory.is_null() && release_reserve() { attempt() } else { memory }
}

// SAFETY: every call is passed to the system's allocator, which keeps the rules. A failed attempt changes nothing, so
// that the second one is valid, too. Releasing the reserve does not unwind.
unsafe impl GlobalAlloc for WithReserve {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise.
        with_reserve(|| unsafe { System.alloc(layout) })
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise.
        with_reserve(|| unsafe { System.alloc_zeroed(layout) })
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller's promise. Memory that was not reallocated stays valid.
        with_reserve(|| unsafe { System.realloc(memory, layout, size) })
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::ptr;

    use rankdcg_core::collected;

    use super::*;

    #[test]
    fn what_the_system_refuses_is_asked_for_again_without_the_reserve() {
        let (attempts, mut byte) = (Cell::new(0), 0_u8);
        let address = ptr::from_mut(&mut byte);
        let attempt = || {
            attempts.set(attempts.get() + 1);
            if attempts.get() == 1 { ptr::null_mut() } else { address }
        };
        // A checked allocation holds the reserve.
        collected([1].into_iter()).unwrap();
        assert_eq!(with_reserve(attempt), address);
        assert_eq!(attempts.replace(0), 2);
        assert!(with_reserve(attempt).is_null(), "the reserve is there once");
        assert_eq!(attempts.get(), 1);
    }
}
