//! The file format: its limit, its size, and errors of invalid files.

use super::{Woken, edits, play, record, record_with, try_staged};
use crate::harness::{Answer, says};
use crate::random::Random;
use base64::prelude::{BASE64_STANDARD, Engine};
use copydesk_recording::{Recording, Replay};
use serde_json::{Value, json};
use std::cell::Cell;
use std::pin::pin;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::task::{Context, Waker};

#[test]
fn a_recording_stops_at_its_limit_and_reports_it() {
    let recorded = record_with(edits(), json!({}), 6_000, |_, _, _| {});
    recorded.prompt("Make it older");
    let file = recorded.file();
    assert!(file.is_cut && file.to_value()["isCut"] == true);
    assert!(file.events.len() < recorded.harness.events().len());
    let whole = record(edits(), json!({}));
    whole.prompt("Make it older");
    assert!(!whole.file().is_cut);
    // The rest can be played.
    let played = play(Replay::new(file.clone()));
    assert_eq!(played.different, None);
}

#[test]
fn long_conversations_are_not_repeated_for_each_request() {
    let long = "word ".repeat(4_000);
    let answers: Vec<Answer> = (0..20).map(|_| says("Go on.")).collect();
    let recorded = record(answers, json!({}));
    for _ in 0..20 {
        recorded.prompt(&long);
    }
    let sent: usize = recorded.harness.requests().iter().map(|body| body.to_string().len()).sum();
    let file = recorded.file();
    let written: usize = file.requests.iter().map(|request| request.body.as_ref().unwrap().text.len()).sum();
    assert!(sent > 4_000_000 && written < 500_000, "{written} of {sent} bytes");
    recorded.plays_the_same();
}

#[test]
fn invalid_files_are_errors_with_a_reason() {
    let recorded = record(edits(), json!({}));
    recorded.prompt("Make it older");
    let good = recorded.file().to_value();
    let wrong = |path: &str, value: Value| {
        let mut file = good.clone();
        *file.pointer_mut(path).unwrap() = value;
        Recording::from_value(&file).unwrap_err().to_string()
    };
    for (said, expected) in [
        (Recording::from_json("{").unwrap_err().to_string(), "it is not JSON"),
        (Recording::from_json("[]").unwrap_err().to_string(), "it has no format"),
        (wrong("/format", json!(2)), "its format is 2, and this version reads 1"),
        (wrong("/requests", json!({})), "requests must be an array"),
        (wrong("/requests/1", json!(3)), "requests[1] must be an object"),
        (wrong("/requests/1/response/status", json!(70_000)), "requests[1].response.status must be an HTTP status"),
        (wrong("/requests/0/response/chunks/2", json!({ "order": 3 })), "chunks[2] must be either text or base64"),
        (
            wrong("/requests/0/response/chunks/0", json!({ "order": 3, "base64": "=a" })),
            "requests[0].response.chunks[0].base64 must be base64",
        ),
        (wrong("/inputs/0/name", json!(null)), "inputs[0].name must be a string"),
        (
            wrong("/requests/1/body/first", json!(1_000_000)),
            "requests[1].body is like a part of a body that is not there",
        ),
        (
            wrong("/requests/1/body/likeRequest", json!(1)),
            "requests[1].body is like a part of a body that is not there",
        ),
        (wrong("/requests/0/response/end", json!({ "order": 1, "error": {} })), "end.error.code must be a string"),
    ] {
        assert!(said.contains(expected), "{said}");
    }
    assert!(matches!(
        Recording::from_json(&"[".repeat(100_000)),
        Err(copydesk_recording::Error::Document(copydesk_document::Error::TooDeep { .. }))
    ));
    // Missing fields are empty, unknown ones are ignored.
    let little = Recording::from_value(&json!({ "format": 1, "later": true })).unwrap();
    assert_eq!(little, Recording::default());
}

#[test]
fn corrupt_files_cause_no_panic_and_bounded_memory() {
    let recorded = record(edits(), json!({}));
    recorded.prompt("Make it older");
    let good = recorded.file().to_value();
    let mut random = Random::new();
    for _ in 0..60 {
        let mut file = good.clone();
        for _ in 0..1 + random.below(3) {
            garble(&mut file, &mut random);
        }
        if let Ok(replay) = Recording::from_value(&file).map(Replay::new)
            && let Ok((stage, _)) = try_staged(&replay, &|_| {})
        {
            // The replay may wait forever for an item that was removed.
            let (stuck, mut run) = (Cell::new(false), pin!(replay.play(Rc::new(stage))));
            let woken = Arc::new(Woken::default());
            let waker = Waker::from(woken.clone());
            while !stuck.get() && run.as_mut().poll(&mut Context::from_waker(&waker)).is_pending() {
                stuck.set(!woken.0.swap(false, Ordering::Relaxed));
            }
        }
    }
}

/// Changes a random value.
fn garble(value: &mut Value, random: &mut Random) {
    let odd = [json!(null), json!(-1), json!(9e18), json!(1e308), json!("x"), json!([]), json!({}), json!(3)];
    match value {
        Value::Array(items) if !items.is_empty() && random.below(6) > 0 => {
            let at = random.below(items.len());
            garble(&mut items[at], random);
        }
        Value::Object(members) if !members.is_empty() && random.below(12) > 0 => {
            let at = random.below(members.len());
            garble(members.values_mut().nth(at).unwrap(), random);
        }
        value => *value = random.pick(&odd).clone(),
    }
}

#[test]
fn bytes_that_are_not_text_are_stored_as_base64() {
    let recorded = record(edits(), json!({}));
    recorded.prompt("Make it older");
    let mut file = recorded.file().to_value();
    let mut read = |base64: &str| {
        file["requests"][0]["response"]["chunks"][0] = json!({ "order": 3, "base64": base64 });
        let recording = Recording::from_value(&file)?;
        let bytes = recording.requests[0].response.as_ref().unwrap().chunks[0].bytes.clone();
        Ok::<_, copydesk_recording::Error>((bytes, recording.to_value()))
    };
    // "÷" in Latin-1, then with others.
    for (bytes, text) in [(&b"\xf7"[..], "9w=="), (b"\xf7o", "928="), (b"f\xf7o", "Zvdv"), (b"\xf7oobar", "929vYmFy")] {
        let (read, file) = read(text).unwrap();
        assert_eq!(read, bytes);
        assert_eq!(file["requests"][0]["response"]["chunks"][0]["base64"], text);
    }
    for wrong in ["Z", "Zh==", "Zm9vZ", "Zm 9v", "é"] {
        assert!(read(wrong).is_err(), "{wrong}");
    }
    let mut random = Random::new();
    for length in 0..200 {
        let bytes: Vec<u8> = (0..length).map(|_| random.below(256) as u8).chain([0xff]).collect();
        assert_eq!(read(&BASE64_STANDARD.encode(&bytes)).unwrap().0, bytes);
    }
}

#[test]
fn deeply_nested_documents_are_read() {
    let mut document = json!({ "type": "paragraph" });
    for _ in 0..310 {
        document = json!({ "type": "blockquote", "content": [document] });
    }
    let file = json!({ "format": 1, "before": document }).to_string();
    let read = move || assert_eq!(Recording::from_json(&file).unwrap().before, document.to_string());
    // Without optimization a level of nesting takes about 5 KiB.
    std::thread::Builder::new().stack_size(8 << 20).spawn(read).unwrap().join().unwrap();
}
