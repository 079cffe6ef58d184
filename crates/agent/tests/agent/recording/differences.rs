//! Replays with recorded timing, and replays that differ from the recording.

use super::{edits, finish, play, play_as, record, staged};
use crate::harness::{Answer, chunks, says};
use copydesk_base::Error;
use copydesk_base::host::{Clock, LocalFuture};
use copydesk_recording::Replay;
use serde_json::json;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::task::Poll;

#[test]
fn a_replay_can_run_in_real_time() {
    let body = chunks(&[json!({ "content": "One " }), json!({ "content": "two" })], "stop");
    let pieces: Vec<Vec<u8>> = body.split_inclusive("\n\n").map(|piece| piece.as_bytes().to_vec()).collect();
    let recorded = record(vec![Answer::Fails(Error::Offline), Answer::Slowly(100, pieces)], json!({}));
    recorded.prompt("Hi");

    #[derive(Default)]
    struct Wrist(Rc<Cell<f64>>);
    impl Clock for Wrist {
        fn now(&self) -> f64 {
            self.0.get()
        }
        fn sleep(&self, ms: u64) -> LocalFuture<'static, ()> {
            let (now, until) = (self.0.clone(), self.0.get() + ms as f64);
            Box::pin(std::future::poll_fn(move |_| if now.get() >= until { Poll::Ready(()) } else { Poll::Pending }))
        }
        fn random(&self) -> f64 {
            0.5
        }
    }
    let wrist = Wrist::default();
    let now = wrist.0.clone();
    now.set(77.0);
    let replay = Replay::in_time(recorded.file(), Rc::new(wrist));
    let (stage, events) = staged(&replay, &|_| {});
    let seen: RefCell<Vec<(f64, usize)>> = RefCell::default();
    let ended = finish(replay.play(Rc::new(stage)), &|| {
        seen.borrow_mut().push((now.get() - 77.0, events.borrow().len()));
        now.set(now.get() + 10.0);
    });
    assert_eq!((ended, replay.different_event()), (Ok(()), None));
    assert_eq!(now.get() - 77.0, recorded.harness.now());
    let seen = seen.borrow();
    let at = |ms: f64| seen.iter().find(|(at, _)| *at == ms).unwrap().1;
    // The retry waits a second, and then each piece comes a tenth of one after the one before.
    assert!(at(1000.0) < at(1110.0) && at(1110.0) < at(1210.0), "{seen:?}");
}

#[test]
fn a_different_request_is_reported_with_its_index_and_path() {
    let recorded = record(edits(), json!({}));
    recorded.prompt("Make it older");
    let played = play_as(Replay::new(recorded.file()), &|settings| {
        settings["llmConfig"]["model"]["modelId"] = "another-model".into();
    });
    let Err(copydesk_recording::Error::ReplayDiffers { request, what, at, recorded: was, given }) = played.ended else {
        panic!()
    };
    assert_eq!((request, what), (1, "body"));
    assert!(was.starts_with("test-model") && given.starts_with("another-model"), "{at}: {was} / {given}");
    assert_eq!(played.events.last().unwrap()["code"], "replay_differs");
    assert!(played.different.is_some());

    let mut other = recorded.file();
    other.before = other.before.replace("Old.", "New.");
    let Err(copydesk_recording::Error::ReplayDiffers { request, what, .. }) = play(Replay::new(other)).ended else {
        panic!()
    };
    assert_eq!((request, what), (2, "body"), "the second request has what was read");

    let mut other = recorded.file();
    other.requests[0].url = "https://other.example/v1/chat/completions".into();
    let Err(copydesk_recording::Error::ReplayDiffers { what, .. }) = play(Replay::new(other)).ended else { panic!() };
    assert_eq!(what, "url");
}

#[test]
fn a_replay_that_does_less_reports_it() {
    let recorded = record(vec![says("One."), says("Two.")], json!({}));
    recorded.prompt("a");
    recorded.prompt("b");
    let mut other = recorded.file();
    other.inputs.pop();
    let Err(copydesk_recording::Error::ReplayDiffers { what, .. }) = play(Replay::new(other)).ended else { panic!() };
    assert_eq!(what, "end");
}
