//! Files that earlier versions wrote are read, written unchanged, and played.

use super::play;
use copydesk_base::secrets::REDACTED;
use copydesk_document::{Document, Schema};
use copydesk_recording::{Recording, Replay};
use serde_json::Value;

/// A run with a lost connection, tools, hooks, approval, what the user wrote meanwhile, and a split character.
const RUN: &str = include_str!("../../../../../tests/fixtures/recordings/format-1-run.json");
/// Two runs on a document whose editor adds a block to each edit.
const EDITOR: &str = include_str!("../../../../../tests/fixtures/recordings/format-1-editor.json");

#[test]
fn files_of_format_1_are_serialized_byte_for_byte() {
    for file in [RUN, EDITOR] {
        let written = Recording::from_json(file).unwrap().to_value();
        assert_eq!(written, serde_json::from_str::<Value>(file).unwrap());
        assert_eq!(written.to_string(), file.trim_end());
    }
}

#[test]
fn files_of_format_1_are_replayed() {
    for file in [RUN, EDITOR] {
        let mut recording = Recording::from_json(file).unwrap();
        // The texts for the model may change between versions; a redacted text matches any.
        for body in recording.requests.iter_mut().filter_map(|request| request.body.as_mut()) {
            (body.like, body.text) = (None, REDACTED.to_owned());
        }
        let after = Document::from_editor(&recording.after, Schema::tiptap()).unwrap();
        let types = |events: &[Value]| events.iter().map(|event| event["type"].clone()).collect::<Vec<_>>();
        let recorded = types(&recording.events);
        let played = play(Replay::new(recording));
        assert_eq!((played.ended, types(&played.events)), (Ok(()), recorded));
        assert_eq!(played.document, after.to_html());
    }
}
