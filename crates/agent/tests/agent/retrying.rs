//! Requests that failed and are sent again.

use super::harness::{Answer, BodyEnd, Harness, chunks, page, says};
use copydesk_agent::Outcome;
use copydesk_agent::retry::delay;
use copydesk_base::Error;
use serde_json::{Value, json};

const TEA: &str = "<h1>Tea</h1><h2>History</h2><p>Old.</p>";

fn retries(harness: &Harness) -> Vec<(Value, Value, Value)> {
    let events = harness.events().into_iter().filter(|event| event["type"] == "retry");
    events.map(|event| (event["attempt"].clone(), event["delayMs"].clone(), event["reason"].clone())).collect()
}

fn failing() -> Answer {
    page(500, "text/plain", "oops")
}

#[test]
fn a_failed_request_is_retried_with_exponential_backoff() {
    let harness = Harness::new(TEA, vec![failing(), Answer::Fails(Error::Offline), failing(), says("Hello.")]);
    let result = harness.prompt("x");
    assert_eq!((result.status, result.text.as_str()), (Outcome::Complete, "Hello."));
    let expected = [(1, 1000, "server_error"), (2, 2000, "offline"), (3, 4000, "server_error")];
    assert_eq!(retries(&harness), expected.map(|(attempt, ms, why)| (json!(attempt), json!(ms), json!(why))));
    assert_eq!((harness.now(), harness.requests().len()), (7000.0, 4));
}

#[test]
fn after_the_last_retry_the_run_fails_with_the_last_error() {
    let harness = Harness::new(TEA, (0..4).map(|_| failing()).collect());
    assert_eq!(harness.prompt("x").error.unwrap()["code"], "server_error");
    assert_eq!(harness.requests().len(), 4);
    let none = Harness::with(TEA, vec![failing()], json!({ "maxRetries": 0 }), |_, _| {});
    assert_eq!(none.prompt("x").error.unwrap()["code"], "server_error");
}

#[test]
fn permanent_errors_are_not_retried() {
    for answer in [
        page(401, "application/json", "{}"),
        page(404, "text/html", ""),
        page(400, "application/json", "{}"),
        page(200, "text/html", "<h1>Welcome</h1>"),
        Answer::Fails(Error::Blocked { origin: "https://llm.example".into() }),
    ] {
        let harness = Harness::new(TEA, vec![answer]);
        assert_eq!(harness.prompt("x").status, Outcome::Error);
        assert_eq!(retries(&harness), []);
    }
}

#[test]
fn retry_after_is_respected_up_to_a_minute() {
    let harness = Harness::new(TEA, vec![Answer::Later { status: 429, retry_after: 12_000 }, says("Hello.")]);
    harness.prompt("x");
    assert_eq!(retries(&harness), [(json!(1), json!(12_000), json!("rate_limited"))]);
    assert_eq!(harness.now(), 12_000.0);
    let tomorrow = Harness::new(TEA, vec![Answer::Later { status: 429, retry_after: 86_400_000 }]);
    assert_eq!(tomorrow.prompt("x").error.unwrap()["code"], "rate_limited");
    assert_eq!(tomorrow.now(), 0.0);
}

#[test]
fn a_retry_after_of_zero_waits_the_usual_time() {
    let harness = Harness::new(TEA, vec![Answer::Later { status: 503, retry_after: 0 }, says("Hello.")]);
    harness.prompt("x");
    assert_eq!(harness.now(), 1_000.0);
}

#[test]
fn a_cut_stream_is_retried_and_its_content_is_discarded() {
    let whole = chunks(&[json!({ "content": "Half an " }), json!({ "content": "answer." })], "stop");
    let first = whole.split_inclusive("\n\n").next().unwrap().as_bytes().to_vec();
    let cut =
        Answer::Stream { status: 200, content_type: "text/event-stream", pieces: vec![first], end: BodyEnd::Closes };
    let harness = Harness::new(TEA, vec![cut, says("The whole answer.")]);
    assert_eq!(harness.prompt("x").text, "The whole answer.");
    assert_eq!(
        harness.event_types(),
        ["agent_start", "turn_start", "content", "retry", "content", "turn_end", "complete"]
    );
    let kept =
        serde_json::to_string(&harness.agent.messages().into_iter().map(Value::from).collect::<Vec<_>>()).unwrap();
    assert!(!kept.contains("Half an"), "{kept}");
}

#[test]
fn a_stop_ends_the_wait_for_a_retry() {
    let harness = Harness::with(TEA, vec![failing()], json!({}), |agent, event| {
        if serde_json::to_value(event).unwrap()["type"] == "retry" {
            agent.abort();
        }
    });
    assert_eq!(harness.prompt("x").status, Outcome::Aborted);
    assert_eq!(harness.now(), 0.0);
}

#[test]
fn no_retry_exceeds_the_time_of_the_run() {
    let harness = Harness::with(TEA, vec![failing()], json!({ "runTimeout": 900 }), |_, _| {});
    assert_eq!(harness.prompt("x").error.unwrap()["code"], "server_error");
    assert_eq!(harness.now(), 0.0);
}

#[test]
fn delays_have_jitter_and_an_upper_limit() {
    for attempt in 1..=40 {
        assert_eq!(delay(attempt, Some(0), 0.5), delay(attempt, None, 0.5), "a server cannot ask for no delay");
        let (least, most) = (delay(attempt, None, 0.0).unwrap(), delay(attempt, None, 0.999).unwrap());
        let middle = delay(attempt, None, 0.5).unwrap();
        assert!(least < middle && middle < most && most <= 37_500, "{attempt}: {least} {middle} {most}");
        assert_eq!(least, middle * 3 / 4);
    }
}
