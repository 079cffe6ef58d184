//! The time that a run may take.

use copydesk_base::host::Clock;
use std::cell::Cell;
use std::rc::Rc;

/// The end of a run. It moves on while the run waits for somebody else than the model and its tools: the user, the app,
/// or the requests of other agents.
pub(super) struct Deadline {
    clock: Rc<dyn Clock>,
    /// When the run must be over, on its clock, apart from the pause under way.
    end: Cell<f64>,
    pauses: Cell<Pauses>,
}

/// The pauses that overlap just now.
#[derive(Clone, Copy, Default)]
struct Pauses {
    count: usize,
    /// When the first of them began.
    since: f64,
}

impl Deadline {
    /// Starts the time of a run of so many milliseconds.
    pub(super) fn new(clock: Rc<dyn Clock>, ms: u64) -> Deadline {
        let end = Cell::new(clock.now() + ms as f64);
        Deadline { clock, end, pauses: Cell::default() }
    }

    /// Returns how many milliseconds are left; negative where the time is over.
    pub(super) fn left(&self) -> f64 {
        let (now, Pauses { count, since }) = (self.clock.now(), self.pauses.get());
        let paused = if count > 0 { now - since } else { 0.0 };
        self.end.get() + paused - now
    }

    /// Pauses the time until the returned value is dropped. Pauses may overlap.
    pub(super) fn pause(&self) -> Pause<'_> {
        let Pauses { count, since } = self.pauses.get();
        let since = if count > 0 { since } else { self.clock.now() };
        self.pauses.set(Pauses { count: count + 1, since });
        Pause(self)
    }
}

/// A pause, until it is dropped.
pub(super) struct Pause<'a>(&'a Deadline);

impl Drop for Pause<'_> {
    fn drop(&mut self) {
        let Pauses { count, since } = self.0.pauses.get();
        if count == 1 {
            self.0.end.set(self.0.end.get() + self.0.clock.now() - since);
        }
        self.0.pauses.set(Pauses { count: count - 1, since });
    }
}
