//! Waiting with a clock whose timers come late, as in a hidden tab or on a laptop that was closed.

use super::harness::{Answer, Harness};
use copydesk_base::Error;
use copydesk_base::host::{Clock, LocalFuture, within};
use serde_json::json;
use std::cell::{Cell, RefCell};
use std::future::poll_fn;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

/// A clock whose timers fire when the test says so.
#[derive(Clone, Default)]
struct Throttled {
    now: Rc<Cell<f64>>,
    /// True if each timer has fired, in the order in which they were set.
    timers: Rc<RefCell<Vec<bool>>>,
}

impl Clock for Throttled {
    fn now(&self) -> f64 {
        self.now.get()
    }

    fn sleep(&self, _: u64) -> LocalFuture<'static, ()> {
        let timers = self.timers.clone();
        let own = timers.borrow().len();
        timers.borrow_mut().push(false);
        Box::pin(poll_fn(move |_| if timers.borrow()[own] { Poll::Ready(()) } else { Poll::Pending }))
    }

    fn random(&self) -> f64 {
        0.5
    }
}

impl Throttled {
    /// The last timer fires, so many milliseconds after the last thing that happened.
    fn fire(&self, after: f64) {
        self.now.set(self.now.get() + after);
        *self.timers.borrow_mut().last_mut().unwrap() = true;
    }
}

/// Something that is waited for, for ten seconds at most.
struct Waiting {
    clock: Throttled,
    arrived: Rc<Cell<bool>>,
    future: Pin<Box<dyn Future<Output = Result<(), Error>>>>,
}

impl Waiting {
    fn new() -> Waiting {
        let (clock, arrived) = (Throttled::default(), Rc::new(Cell::new(false)));
        let (held, there) = (clock.clone(), arrived.clone());
        let work = poll_fn(move |_| if there.get() { Poll::Ready(Ok(())) } else { Poll::Pending });
        let future = Box::pin(async move { within(&held, 10_000, "the model", work).await });
        let mut waiting = Waiting { clock, arrived, future };
        assert!(waiting.poll().is_none());
        waiting
    }

    fn poll(&mut self) -> Option<Result<(), Error>> {
        match self.future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(result) => Some(result),
            Poll::Pending => None,
        }
    }
}

#[test]
fn a_timer_in_time_ends_the_wait() {
    let mut waiting = Waiting::new();
    waiting.clock.fire(10_000.0);
    assert_eq!(waiting.poll(), Some(Err(Error::Timeout { what: "the model".into(), ms: 10_000 })));
}

#[test]
fn arrived_data_counts_even_if_the_timer_fires_too() {
    let mut waiting = Waiting::new();
    waiting.clock.fire(10_000.0);
    waiting.arrived.set(true);
    assert_eq!(waiting.poll(), Some(Ok(())));
}

#[test]
fn after_a_late_timer_delayed_data_is_still_read() {
    let mut waiting = Waiting::new();
    waiting.clock.fire(3_600_000.0);
    assert_eq!(waiting.poll(), None);
    waiting.arrived.set(true);
    assert_eq!(waiting.poll(), Some(Ok(())));

    let mut waiting = Waiting::new();
    waiting.clock.fire(3_600_000.0);
    assert_eq!(waiting.poll(), None);
    waiting.clock.fire(1_000.0);
    assert_eq!(waiting.poll(), Some(Err(Error::Timeout { what: "the model".into(), ms: 10_000 })));
}

#[test]
fn a_whole_answer_has_a_limit_of_its_own() {
    let piece =
        |text: &str| format!("data: {}\n\n", json!({ "choices": [{ "index": 0, "delta": { "content": text } }] }));
    let slow = || Answer::Slowly(400, (0..10).map(|at| piece(&at.to_string()).into_bytes()).collect());
    let options = json!({ "maxRetries": 0, "llmConfig": {
        "model": { "api": "openai-completions", "modelId": "test-model" },
        "streamOptions": { "baseUrl": "https://llm.example/v1", "timeout": 1000, "totalTimeout": 2000 },
    } });
    let world = Harness::with("<p>Tea</p>", vec![slow()], options, |_, _| {});
    let result = world.prompt("Go");
    assert_eq!(result.error.unwrap()["code"], "timeout");
    assert_eq!(world.now(), 2000.0);
}
