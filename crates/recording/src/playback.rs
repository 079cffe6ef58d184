//! Plays a recording to its end and compares the outcome with the recorded one.

use super::inputs::ReplayAgent;
use super::replay::Replay;
use crate::Error;
use copydesk_base::host::{Clock, within};
use copydesk_document::Document;
use copydesk_review::ReviewCell;
use serde_json::{Value, json};
use std::pin::pin;
use std::rc::Rc;

/// The interval at which progress is checked, in milliseconds.
const CHECK_MS: u64 = 250;
/// The number of checks without progress after which a replay is stuck. One is not enough: timers of a hidden tab are
/// late.
const CHECKS: usize = 8;

/// Plays a recording. Also ends if a file announces something that it does not contain.
///
/// # Errors
/// The first [`Error::ReplayDiffers`].
pub async fn play(replay: &Replay, player: ReplayAgent, clock: &dyn Clock) -> Result<(), Error> {
    let mut playing = pin!(replay.play(Rc::new(player)));
    let (mut before, mut checks) = (replay.progress(), 0);
    loop {
        match within(clock, CHECK_MS, "", playing.as_mut()).await {
            Err(Error::Base(copydesk_base::Error::Timeout { .. })) => {}
            ended => return ended,
        }
        let now = replay.progress();
        let goes_on = now != before || replay.waits();
        (before, checks) = (now, if goes_on { 0 } else { checks + 1 });
        // A recording that was saved during a run ends there.
        if checks > 0 && replay.has_all() {
            return Ok(());
        }
        if checks == CHECKS {
            return Err(replay.stuck());
        }
    }
}

/// Returns the first difference between the replay and the recording: null, or `{what, recorded, replayed}`. `what` is
/// `event`, `document`, or that of [`Error::ReplayDiffers`], and then `request` and `at` have the place.
pub fn differs(replay: &Replay, ended: Result<(), Error>, document: &ReviewCell) -> Value {
    if let Err(Error::ReplayDiffers { request, what, at, recorded, given }) = ended {
        return json!({ "what": what, "request": request, "at": at, "recorded": recorded, "replayed": given });
    }
    let other = |what: &str, recorded: Value, replayed: Value| json!({ "what": what, "recorded": recorded, "replayed": replayed });
    if let Some((recorded, replayed)) = replay.different_event() {
        return other("event", recorded, replayed);
    }
    let recording = replay.recording();
    if recording.after.is_empty() || recording.is_cut {
        return Value::Null;
    }
    let now = document.document();
    match Document::from_editor(&recording.after, now.schema().clone()) {
        Ok(then) if then.blocks() == now.blocks() => Value::Null,
        _ => other("document", as_json(&recording.after), as_json(&now.to_json())),
    }
}

fn as_json(text: &str) -> Value {
    super::file::parse(text).unwrap_or_else(|_| text.into())
}
