//! Waiting with a clock whose timers are late, as in a hidden tab or on a laptop that was closed.

use super::harness::{Answer, Harness, calls, says, slow_tool};
use copydesk_agent::Hook;
use copydesk_base::Error;
use copydesk_base::host::{Clock, LocalFuture, within};
use serde_json::{Value, json};
use std::cell::{Cell, RefCell};
use std::future::poll_fn;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

/// A clock whose timers fire when the test calls `fire`.
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
    /// Fires the last timer, `after` milliseconds after the last event.
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
    let error = result.error.unwrap();
    assert_eq!(error["code"], "timeout");
    assert!(error["message"].as_str().unwrap().contains("totalTimeout"), "{error}");
    assert_eq!(world.now(), 2000.0);
}

/// The error of a run that is 300 ms long, and the result of its first call.
fn over(answers: Vec<Answer>, locale: &str, change: impl FnOnce(&Harness)) -> (Value, Value) {
    let world = Harness::with("<p>Tea</p>", answers, json!({ "runTimeout": 300, "locale": locale }), |_, _| {});
    world.agent.set_tools(vec![slow_tool("wait", 900)]);
    change(&world);
    let error = world.prompt("Go").error.unwrap();
    let result = world.events().into_iter().find(|event| event["type"] == "tool_result").unwrap_or_default();
    (error, result["content"].clone())
}

#[test]
fn a_run_whose_time_is_over_names_its_limit_whatever_it_waits_for() {
    let text = |text: &str| format!("data: {}\n\n", json!({ "choices": [{ "delta": { "content": text } }] }));
    let slow = || Answer::Slowly(40, (0..20).map(|at| text(&at.to_string()).into_bytes()).collect());
    let waits = || calls(&[("c", "wait", json!({}))]);
    for locale in ["en", "zh-CN"] {
        let hangs = |hook: Hook| move |world: &Harness| world.hook_that_hangs(hook);
        for ((error, result), what) in [
            (over(vec![slow()], locale, |_| {}), json!("test-model")),
            (over(vec![Answer::Hangs], locale, |_| {}), json!("test-model")),
            (over(vec![waits()], locale, |_| {}), json!("")),
            (over(vec![], locale, hangs(Hook::TransformContext)), json!("transformContext")),
            (over(vec![], locale, hangs(Hook::GetApiKey)), json!("getApiKey")),
        ] {
            for (error, what) in [(error, what), (result["error"].clone(), json!("wait"))] {
                if error.is_null() {
                    continue;
                }
                assert_eq!((&error["code"], &error["details"]["what"]), (&json!("timeout"), &what), "{error}");
                assert_eq!((&error["details"]["limit"], &error["details"]["ms"]), (&json!("runTimeout"), &json!(300)));
                let message = error["message"].as_str().unwrap();
                assert!(message.contains("runTimeout") && message.contains("0.3"), "{message}");
            }
        }
    }
}

#[test]
fn a_pause_of_the_run_by_one_call_counts_for_the_calls_beside_it() {
    let answers = vec![calls(&[("a", "wait", json!({})), ("b", "ask", json!({}))]), says("Done.")];
    let world = Harness::with("<p>Tea</p>", answers, json!({ "runTimeout": 600 }), |_, _| {});
    world.agent.set_tools(vec![slow_tool("wait", 900), slow_tool("ask", 1)]);
    let delays = RefCell::new(vec![800, 0]);
    world.hook_slowly(Hook::BeforeToolCall, move || delays.borrow_mut().pop().unwrap_or(0), |_| Ok(Value::Null));
    let result = world.prompt("Go");
    assert_eq!(result.error, None);
}

#[test]
fn a_window_without_room_for_the_smallest_request_is_refused_before_it_is_sent() {
    let model = |window: u64| {
        json!({ "documentInPrompt": true, "llmConfig": {
            "model": { "api": "openai-completions", "modelId": "small", "contextWindow": window },
            "streamOptions": { "baseUrl": "https://llm.example/v1" },
        } })
    };
    let html = "<p>Tea and milk.</p>".repeat(2_000);
    let world = Harness::with(&html, vec![], model(2_000), |_, _| {});
    let error = world.prompt("Go").error.unwrap();
    assert_eq!(error["code"], "context_overflow");
    let (tokens, window) = (&error["details"]["tokens"], &error["details"]["window"]);
    assert_eq!(window, 2_000);
    let message = error["message"].as_str().unwrap();
    assert!(message.contains(&tokens.to_string()) && message.contains("2000"), "{message}");
    assert_eq!(world.requests().len(), 0);
    // In a window of that size the same request is sent.
    let window = tokens.as_u64().unwrap() + 1;
    let world = Harness::with(&html, vec![says("Done.")], model(window), |_, _| {});
    assert_eq!(world.prompt("Go").error, None);
    // So is the request of the user.
    let world = Harness::with("", vec![], model(window), |_, _| {});
    let error = world.prompt(&"milk and sugar ".repeat(2_000)).error.unwrap();
    assert_eq!((&error["code"], world.requests().len()), (&json!("context_overflow"), 0));
}
