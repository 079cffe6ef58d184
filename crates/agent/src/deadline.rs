//! The time limit of a run.

use copydesk_base::host::Clock;
use std::cell::Cell;
use std::rc::Rc;

/// The deadline of a run. It moves while the run waits for the user, for the app, or for the requests of other
/// agents.
pub(super) struct Deadline {
    clock: Rc<dyn Clock>,
    /// The end on the run's clock, not counting the current pause.
    end: Cell<f64>,
    pauses: Cell<Pauses>,
}

/// The pauses that overlap at present.
#[derive(Clone, Copy, Default)]
struct Pauses {
    count: usize,
    /// The start of the first one.
    since: f64,
}

impl Deadline {
    /// Creates the deadline of a run that starts now and may take `ms` milliseconds.
    pub(super) fn new(clock: Rc<dyn Clock>, ms: u64) -> Deadline {
        let end = Cell::new(clock.now() + ms as f64);
        Deadline { clock, end, pauses: Cell::default() }
    }

    /// Returns the milliseconds that are left; negative after the deadline.
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

/// Pauses a deadline until it is dropped.
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
