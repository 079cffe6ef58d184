//! The peak memory of a thread, counted at the allocator.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    static HELD: Cell<isize> = const { Cell::new(0) };
    static MOST: Cell<isize> = const { Cell::new(0) };
}

/// The system's allocator with a counter.
pub struct Counted;

fn count(bytes: isize) {
    // At the end of a thread nothing is counted.
    let _ = HELD.try_with(|held| {
        held.set(held.get() + bytes);
        let _ = MOST.try_with(|most| most.set(most.get().max(held.get())));
    });
}

// SAFETY: all calls are forwarded unchanged to the system's allocator.
unsafe impl GlobalAlloc for Counted {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        // SAFETY: as above.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(-(layout.size() as isize));
        // SAFETY: as above.
        unsafe { System.dealloc(pointer, layout) }
    }
}

/// Returns the result of `work`, and the peak of the bytes allocated during it.
pub fn most_held<T>(work: impl FnOnce() -> T) -> (T, usize) {
    let before = HELD.get();
    MOST.set(before);
    let value = work();
    (value, usize::try_from(MOST.get() - before).unwrap_or(0))
}
