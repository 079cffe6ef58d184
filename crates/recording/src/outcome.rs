//! Playing a file to its end, and saying what came of it.

use super::replay::Replay;
use super::stage::AgentStage;
use crate::Error;
use copydesk_base::fields::object;
use copydesk_base::host::{Clock, within};
use copydesk_document::Document;
use copydesk_edit::DocumentCell;
use serde_json::Value;
use std::pin::pin;
use std::rc::Rc;

/// How often somebody looks whether it goes on, in milliseconds.
const LOOK_MS: u64 = 250;
/// After how many looks at which nothing has happened it does not go on any more. Timers of a hidden tab are late, so that one
/// look says nothing.
const LOOKS: usize = 8;

/// Plays a recording on a stage, and never waits for ever: a file may say that something comes and not have it.
///
/// # Errors
/// The first [`Error::ReplayDiffers`].
pub async fn play(replay: &Replay, stage: AgentStage, clock: &dyn Clock) -> Result<(), Error> {
    let mut playing = pin!(replay.play(Rc::new(stage)));
    let (mut before, mut looks) = (replay.progress(), 0);
    loop {
        match within(clock, LOOK_MS, "", playing.as_mut()).await {
            Err(Error::Base(copydesk_base::Error::Timeout { .. })) => {}
            ended => return ended,
        }
        let now = replay.progress();
        let goes_on = now != before || replay.waits();
        (before, looks) = (now, if goes_on { 0 } else { looks + 1 });
        // What was saved while a run was under way ends there.
        if looks > 0 && replay.has_all() {
            return Ok(());
        }
        if looks == LOOKS {
            return Err(replay.stuck());
        }
    }
}

/// In what the run was another one: null, or `{what, recorded, replayed}`. `what` is `event`, `document`, or what
/// [`Error::ReplayDiffers`] says, and then `request` and `at` say where.
pub fn differs(replay: &Replay, ended: Result<(), Error>, document: &DocumentCell) -> Value {
    if let Err(Error::ReplayDiffers { request, what, at, recorded, given }) = ended {
        return object(&mut [
            ("what", what.into()),
            ("request", request.into()),
            ("at", at.into()),
            ("recorded", recorded.into()),
            ("replayed", given.into()),
        ]);
    }
    let other = |what: &str, recorded: Value, replayed: Value| {
        object(&mut [("what", what.into()), ("recorded", recorded), ("replayed", replayed)])
    };
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
    super::json::parse(text).unwrap_or_else(|_| text.into())
}
