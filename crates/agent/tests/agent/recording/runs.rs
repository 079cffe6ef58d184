//! Runs that are played again: turns, errors, timers, random numbers, split characters.

use super::{TEA, edits, play, record};
use crate::harness::{Answer, BodyEnd, chunks, page, says};
use crate::random::Random;
use copydesk_base::Error;
use copydesk_recording::file::Timer;
use copydesk_recording::{Recording, Replay};
use serde_json::json;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Wake, Waker};

/// A waker that notes that it was called.
#[derive(Default)]
struct WakeFlag(AtomicBool);

impl Wake for WakeFlag {
    fn wake(self: Arc<Self>) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[test]
fn a_run_with_calls_is_replayed_to_the_same_events_and_document() {
    let recorded = record(edits(), json!({}));
    recorded.prompt("Make it older");
    assert_eq!(recorded.harness.html(), TEA.replace("Old.", "Older."));
    recorded.plays_the_same();
}

#[test]
fn the_scope_of_a_run_is_played_again() {
    let recorded = record([edits(), edits()].into_iter().flatten().collect(), json!({}));
    // The edits are not in the first line.
    recorded.prompt_within("Make it older", 1, 3);
    assert_eq!(recorded.harness.html(), TEA);
    assert!(recorded.harness.events().iter().any(|event| event["content"]["error"]["code"] == "out_of_scope"));
    recorded.prompt("Make it older");
    assert_eq!(recorded.harness.html(), TEA.replace("Old.", "Older."));
    recorded.plays_the_same();
}

#[test]
fn several_runs_are_one_recording() {
    let recorded = record([edits(), vec![says("You are welcome.")]].into_iter().flatten().collect(), json!({}));
    recorded.prompt("Make it older");
    recorded.prompt("Thanks");
    recorded.plays_the_same();
}

#[test]
fn errors_retries_and_cut_streams_are_replayed() {
    let whole = chunks(&[json!({ "content": "Half an " }), json!({ "content": "answer." })], "stop");
    let pieces: Vec<Vec<u8>> = whole.split_inclusive("\n\n").take(1).map(|piece| piece.as_bytes().to_vec()).collect();
    let broken = |error: Error| Answer::Stream {
        status: 200,
        content_type: "text/event-stream",
        pieces: pieces.clone(),
        end: BodyEnd::Breaks(error),
    };
    for answers in [
        vec![Answer::Fails(Error::Offline), Answer::Later { status: 429, retry_after: 7_000 }, says("Hello.")],
        vec![
            page(500, "text/plain", "oops"),
            broken(Error::Unreachable { origin: "x".into(), reason: String::new() }),
            says("Hello."),
        ],
        vec![page(401, "application/json", r#"{"error":{"message":"No such key."}}"#)],
        vec![page(200, "text/html", "<h1>Welcome</h1>")],
        vec![Answer::Fails(Error::Blocked { origin: "https://llm.example".into() })],
        vec![broken(Error::FetchFailed { reason: "my proxy fell over".into() })],
        vec![Answer::Hangs, says("At last.")],
    ] {
        let recorded = record(answers, json!({ "maxRetries": 3 }));
        recorded.prompt("Hi");
        recorded.plays_the_same();
    }
}

#[test]
fn timers_after_an_answer_without_terminator_are_replayed() {
    let whole = chunks(&[json!({ "content": "Half." })], "stop");
    let unsaid = whole.replace("data: [DONE]\n\n", "");
    let google = r#"data: {"candidates":[{"content":{"parts":[{"text":"Half."}]},"finishReason":"STOP"}]}"#;
    let google = [google, "\n\n"].concat();
    let pieces = |body: &str| body.split_inclusive("\n\n").map(|piece| piece.as_bytes().to_vec()).collect();
    for (api, body) in [("openai-completions", &unsaid), ("google-generative-ai", &google)] {
        let options = json!({
            "llmConfig": {
                "model": { "api": api, "modelId": "test-model" },
                "streamOptions": { "apiKey": "sk-secret", "baseUrl": "https://llm.example/v1" },
            },
        });
        let slowly = || Answer::Slowly(10, pieces(body));
        let broken = Answer::Stream {
            status: 200,
            content_type: "text/event-stream",
            pieces: pieces(body)[..1].to_vec(),
            end: BodyEnd::Hangs,
        };
        let answers = vec![slowly(), Answer::Fails(Error::Offline), slowly(), broken, Answer::Hangs, slowly()];
        let recorded = record(answers, options);
        ["One", "Two", "Three"].iter().for_each(|text| recorded.prompt(text));
        assert_eq!(recorded.harness.event_types().last().unwrap(), "complete", "{api}");
        recorded.plays_the_same();
    }
}

#[test]
fn random_numbers_are_replayed() {
    let recorded = record(vec![Answer::Fails(Error::Offline), says("Hello.")], json!({}));
    recorded.prompt("Hi");
    assert_eq!(recorded.file().random, [0.5]);
    let mut other = recorded.file();
    other.random = vec![0.25];
    let (was, is) = play(Replay::new(other)).different.unwrap();
    assert_ne!(was["delayMs"], is["delayMs"], "the wait follows from it");
}

#[test]
fn a_split_character_is_replayed() {
    let body = chunks(&[json!({ "content": "Tee 🍵 für dich." })], "stop");
    let mut random = Random::new();
    for _ in 0..30 {
        let pieces = random.split(body.as_bytes(), 5).into_iter().map(<[u8]>::to_vec).collect();
        let recorded = record(vec![Answer::Slowly(3, pieces)], json!({}));
        recorded.prompt("Hi");
        let file = recorded.file().to_value();
        let chunks = file["requests"][0]["response"]["chunks"].as_array().unwrap();
        assert!(chunks.iter().all(|chunk| chunk["text"].is_string() != chunk["base64"].is_string()));
        assert_eq!(chunks[1]["ms"], 6.0, "it counts from when the answer began");
        recorded.plays_the_same();
    }
    let torn = vec![vec![0xF0, 0x9F], vec![0x8D, 0xB5]];
    let recorded = record(vec![Answer::Slowly(1, torn)], json!({ "maxRetries": 0 }));
    recorded.prompt("Hi");
    assert_eq!(recorded.file().to_value()["requests"][0]["response"]["chunks"][0]["base64"], "8J8=");
    recorded.plays_the_same();
}

#[test]
fn an_item_that_is_taken_wakes_only_the_future_that_waits_for_the_next_one() {
    let timer = |number| Timer { number, order: number + 1, ready: true, ..Timer::default() };
    let recording = Recording { timers: (0..3).map(timer).collect(), ..Recording::default() };
    let clock = Replay::new(recording).clock();
    let mut sleeps: Vec<_> = (0..3).map(|_| clock.sleep(0)).collect();
    let flags: Vec<Arc<WakeFlag>> = sleeps.iter().map(|_| Arc::default()).collect();
    let mut is_over = |at: usize| {
        let waker = Waker::from(flags[at].clone());
        sleeps[at].as_mut().poll(&mut Context::from_waker(&waker)).is_ready()
    };
    let woken = || flags.iter().map(|flag| flag.0.load(Ordering::Relaxed)).collect::<Vec<_>>();
    assert!(!is_over(2) && !is_over(1) && is_over(0));
    assert_eq!(woken(), [false, true, false]);
    assert!(is_over(1));
    assert_eq!(woken(), [false, true, true]);
    assert!(is_over(2));
}
