//! A host for agents in tests: a clock that only moves when everything waits, and bodies of responses that arrive in
//! given pieces.

use copydesk_base::Error;
use copydesk_base::host::{Body, Clock, LocalFuture};
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::future::{Future, pending, poll_fn, ready};
use std::pin::pin;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Wake, Waker};

/// A clock. Clones share the time.
#[derive(Clone, Default)]
pub struct TestClock {
    now: Rc<Cell<f64>>,
    alarms: Rc<RefCell<Vec<f64>>>,
}

impl TestClock {
    /// Lets time pass.
    pub fn pass(&self, ms: f64) {
        self.now.set(self.now.get() + ms);
    }

    /// Waits for a future. When everything waits, the clock moves on to the next alarm.
    pub fn wait<T>(&self, future: impl Future<Output = T>) -> T {
        let mut future = pin!(future);
        let woken = Arc::new(Woken::default());
        let waker = Waker::from(woken.clone());
        let mut context = Context::from_waker(&waker);
        loop {
            if let Poll::Ready(value) = future.as_mut().poll(&mut context) {
                return value;
            }
            if woken.0.swap(false, Ordering::Relaxed) {
                continue;
            }
            let now = self.now.get();
            let mut alarms = self.alarms.borrow_mut();
            alarms.retain(|alarm| *alarm > now);
            let next = alarms.iter().copied().reduce(f64::min);
            self.now.set(next.expect("everything waits and no alarm is set"));
        }
    }
}

impl Clock for TestClock {
    fn now(&self) -> f64 {
        self.now.get()
    }

    fn sleep(&self, ms: u64) -> LocalFuture<'static, ()> {
        let (clock, until) = (self.clone(), self.now.get() + ms as f64);
        self.alarms.borrow_mut().push(until);
        Box::pin(poll_fn(move |_| if clock.now.get() >= until { Poll::Ready(()) } else { Poll::Pending }))
    }

    /// Always the middle, so that no delay is a matter of chance.
    fn random(&self) -> f64 {
        0.5
    }
}

/// True if something has happened that needs no time.
#[derive(Default)]
struct Woken(AtomicBool);

impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// The end of a body.
#[derive(Clone)]
pub enum BodyEnd {
    /// The body ends.
    Closes,
    /// Reading fails.
    Breaks(Error),
    /// Nothing comes, and the body does not end.
    Hangs,
    /// Repeats this piece, with this number of milliseconds before each.
    Repeats(Vec<u8>, u64),
}

/// The bytes that were read of all bodies of a server.
#[derive(Clone, Default)]
pub struct Reads {
    open: Rc<Cell<usize>>,
    bytes: Rc<Cell<usize>>,
}

impl Reads {
    /// Returns how many bodies are still being read.
    pub fn open(&self) -> usize {
        self.open.get()
    }

    /// Returns how many bytes were read.
    pub fn bytes(&self) -> usize {
        self.bytes.get()
    }

    /// Opens a body of these pieces. Each arrives `delay` milliseconds after the one before.
    pub fn body(&self, pieces: Vec<Vec<u8>>, delay: u64, end: BodyEnd, clock: &TestClock) -> Box<dyn Body> {
        self.open.set(self.open.get() + 1);
        Box::new(Pieces { pieces: pieces.into(), delay, end, reads: self.clone(), clock: clock.clone() })
    }
}

struct Pieces {
    pieces: VecDeque<Vec<u8>>,
    delay: u64,
    end: BodyEnd,
    reads: Reads,
    clock: TestClock,
}

impl Pieces {
    fn read(&self, piece: Vec<u8>) -> Result<Option<Vec<u8>>, Error> {
        self.reads.bytes.set(self.reads.bytes.get() + piece.len());
        Ok(Some(piece))
    }

    fn next(&mut self) -> LocalFuture<'_, Result<Option<Vec<u8>>, Error>> {
        match (self.pieces.pop_front(), &self.end) {
            (Some(piece), _) => Box::pin(ready(self.read(piece))),
            (None, BodyEnd::Closes) => Box::pin(ready(Ok(None))),
            (None, BodyEnd::Breaks(error)) => Box::pin(ready(Err(error.clone()))),
            (None, BodyEnd::Hangs) => Box::pin(pending()),
            (None, BodyEnd::Repeats(piece, every)) => {
                let (piece, wait) = (self.read(piece.clone()), self.clock.sleep(*every));
                Box::pin(async move {
                    wait.await;
                    piece
                })
            }
        }
    }
}

impl Body for Pieces {
    fn chunk(&mut self) -> LocalFuture<'_, Result<Option<Vec<u8>>, Error>> {
        if self.delay == 0 {
            return self.next();
        }
        Box::pin(async {
            self.clock.sleep(self.delay).await;
            self.next().await
        })
    }
}

impl Drop for Pieces {
    fn drop(&mut self) {
        self.reads.open.set(self.reads.open.get() - 1);
    }
}
