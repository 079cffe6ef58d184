//! Recording and replay, in the full build only: see [`super::recorder`].

use super::clock::PageClock;
use super::markdown::page_markdown;
use super::page_document::PageDocument;
use super::recorder::{PageHost, RecordingSource};
use super::value::{encode, report, throw};
use crate::error::Error;
use copydesk_base::locale::Locale;
use copydesk_document::Document;
use copydesk_recording::recorder::LIMIT;
use copydesk_recording::{Beginning, RecordedDocument, Recorder, Recording, Replay, ReplayAgent, file, playback};
use copydesk_review::decide::Reviewed;
use copydesk_review::{Observer, Observers};
use js_sys::{Function, Promise};
use serde_json::{Value, json};
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::future_to_promise;

impl RecordingSource for RecordedDocument {
    fn recording(&self, after: &Document) -> String {
        RecordedDocument::recording(self, after)
    }
}

/// Wraps the host of a new agent with a recorder, which observes the document and the calls of the user and the app
/// that `calls` reports. `settings` are the options of the agent.
pub fn record(
    document: &Rc<PageDocument>,
    calls: &Observers,
    settings: Value,
    host: PageHost,
) -> Result<(PageHost, Rc<dyn RecordingSource>), Error> {
    document.refresh()?;
    let beginning = Beginning {
        settings,
        schema: document.schema.as_deref().map(file::parse).transpose()?.unwrap_or_default(),
        document: document.review().borrow().base().to_json(),
        messages: Value::Null,
    };
    let recorder = Recorder::new(beginning, Rc::new(PageClock), LIMIT);
    let recorded = Rc::new(RecordedDocument::new(document.clone(), recorder.clone()));
    recorded.record_state(&document.given_guards.borrow());
    let observer: Rc<dyn Observer> = recorded.clone();
    document.observers.subscribe(Rc::downgrade(&observer));
    calls.subscribe(Rc::downgrade(&observer));
    let host = PageHost {
        document: recorded.clone(),
        host: recorder.host(host.host),
        functions: recorder.tool_functions(host.functions),
    };
    Ok((host, recorded))
}

/// Plays a recording, given as JSON, with an agent and a document of its own: `{document, html, differs}`. `listener`
/// receives the events and must not throw. With `in_time` it takes as long as the run did.
#[wasm_bindgen(js_name = replayRecording)]
pub fn replay_recording(json: String, listener: Function, in_time: bool, locale: &str) -> Promise {
    let locale = Locale::from_tag(locale);
    future_to_promise(async move {
        let played = played(json, listener, in_time).await;
        encode(&played.map_err(|error| throw(&error, locale))?)
    })
}

async fn played(json: String, listener: Function, in_time: bool) -> Result<Value, copydesk_recording::Error> {
    let recording = Recording::from_json(&json)?;
    drop(json);
    let options = recording.options()?;
    let replay = if in_time { Replay::in_time(recording, Rc::new(PageClock)) } else { Replay::new(recording) };
    let stage = ReplayAgent::new(&replay, options, report(listener))?;
    let document = stage.document.clone();
    if let Some(parser) = page_markdown() {
        // Without the parser the replay reports a difference if it is needed.
        let _ = parser.load().await;
        document.set_markdown(parser);
    }
    let ended = playback::play(&replay, stage, &PageClock).await;
    let differs = playback::differs(&replay, ended, &document);
    let now = document.document();
    Ok(json!({ "document": file::parse(&now.to_json())?, "html": now.to_html(), "differs": differs }))
}
