//! Memory of an index, asked for in large parts.
//!
//! The memory of wasm grows for each allocation that finds no room. In V8 each growth takes a time that depends on the
//! memory that there is: 2 ms at 200 MB. Without headroom, 5,000 texts of 35 kB take 20 seconds, with it one.

use std::cell::Cell;
use std::hint::black_box;

const LEAST: usize = 1 << 20;
const MOST: usize = 1 << 26;

/// The memory that texts and their indexes take, and that there is for them.
#[derive(Default)]
pub(crate) struct Headroom {
    taken: Cell<usize>,
    provided: Cell<usize>,
}

impl Headroom {
    /// Lets the memory grow if there may be no room for an allocation of this size.
    pub(crate) fn provide(&self, bytes: usize) {
        self.taken.set(self.taken.get().saturating_add(bytes));
        if self.taken <= self.provided {
            return;
        }
        let more = self.taken.get().clamp(LEAST, MOST);
        self.provided.set(self.taken.get().saturating_add(more));
        // Freed memory stays with the allocator. If there is none, the allocation itself may still find room.
        let mut room = Vec::<u8>::new();
        let _ = room.try_reserve_exact(more);
        black_box(&room);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_asked_for_a_few_times_for_many_texts() {
        for (texts, bytes, most) in [(5_000, 35_000, 15), (5_000, 200, 1)] {
            let memory = Headroom::default();
            let mut times = 0;
            for _ in 0..texts {
                let before = memory.provided.get();
                memory.provide(bytes);
                times += usize::from(memory.provided.get() != before);
                assert!(memory.provided >= memory.taken);
            }
            assert!(times <= most, "{times} times for {texts} texts of {bytes} bytes");
        }
    }

    #[test]
    fn texts_that_replace_others_do_not_overflow() {
        let memory = Headroom { taken: (usize::MAX - 1).into(), provided: (usize::MAX - 1).into() };
        memory.provide(usize::MAX);
        assert_eq!(memory.taken.get(), usize::MAX);
    }
}
