//! copydesk: a document agent that works beside a TipTap editor, as a pure core.
//!
//! The crate reads a ProseMirror document as sections and lines, turns what a model wants into the smallest
//! change that comes to it, and runs the conversation in which the model wants it. It knows neither JavaScript
//! nor the network: [`host`] says what it asks of the outside, and `wasm` (on that target only) is the page's answer.
//!
//! # A document
//!
//! HTML is parsed as TipTap parses it. Positions are ProseMirror's: UTF-16 code units, not bytes and not `char`s.
//!
//! ```
//! use copydesk::document::Document;
//!
//! let document = Document::from_html("<h1>Tea</h1><p>A 🍵.</p><h2>History</h2><p>Old.</p>")?;
//! let sections = document.sections();
//! assert_eq!(sections[1].title, "History");
//! assert_eq!((sections[1].from, sections[1].to), (12, 27));
//! assert_eq!(document.lines()[1].text, "A 🍵.");
//! # Ok::<(), copydesk::Error>(())
//! ```
//!
//! # An edit
//!
//! A [`DocUpdate`](edit::DocUpdate) says what is wanted, as a model or a server states it. Whoever holds the
//! document, a [`DocumentHost`](edit::DocumentHost), parses the HTML in it with its own schema and takes the changes;
//! between the two, [`edit::plan`] finds changes that are as small as they can be.
//!
//! ```
//! use copydesk::document::Document;
//! use copydesk::edit::{DocUpdate, DocumentCell, apply};
//! use copydesk::Locale;
//! use serde_json::json;
//!
//! let cell = DocumentCell::new(Document::from_html("<h2>History</h2><p>Tea is old.</p>")?);
//! let update = json!({ "operation": "replace", "sectionIndex": 1, "content": "<p>Tea is very old.</p>" });
//! let applied = apply(&cell, &DocUpdate::from_value(&update)?, &Locale::En.into())?;
//!
//! assert_eq!(applied.message, "Section 1 'History' updated");
//! let inserted = json!([{ "from": 17, "to": 17, "content": [{ "type": "text", "text": "very " }] }]);
//! assert_eq!(applied.changes, inserted);
//! assert_eq!(cell.document().to_html(), "<h2>History</h2><p>Tea is very old.</p>");
//! # Ok::<(), copydesk::Error>(())
//! ```
//!
//! # An error
//!
//! One enum, [`Error`]. A model is told the message in its language and can act on it; a program reads the code.
//!
//! ```
//! # use copydesk::document::Document;
//! # use copydesk::edit::{DocUpdate, DocumentCell, apply};
//! # use copydesk::Locale;
//! # let cell = DocumentCell::new(Document::from_html("<h2>History</h2><p>Tea is old.</p>")?);
//! let error = apply(&cell, &DocUpdate::Delete { section_index: 4 }, &Locale::En.into()).unwrap_err();
//! assert_eq!(error.code(), "section_out_of_range");
//! assert!(error.message(Locale::En).starts_with("sectionIndex 4 is out of range: delete takes sections 1–1."));
//! # Ok::<(), copydesk::Error>(())
//! ```
//!
//! # An answer of a model
//!
//! [`llm`] is pure as well: bytes in, values out. However a stream is cut into pieces, the answer is the same, and a
//! tool call runs only when its arguments have arrived whole.
//!
//! ```
//! use copydesk::llm::{Api, Decoder, Delta};
//! use copydesk::secrets::Secrets;
//!
//! let mut decoder = Decoder::new(Api::OpenaiCompletions, "text/event-stream", &Secrets::default());
//! let stream = "data: {\"choices\":[{\"delta\":{\"content\":\"Hello.\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n";
//! assert_eq!(decoder.push(stream.as_bytes())?, [Delta::Text("Hello.".into())]);
//! assert_eq!(decoder.finish()?.text(), "Hello.");
//! # Ok::<(), copydesk::Error>(())
//! ```
//!
//! # A run
//!
//! An [`Agent`](agent::Agent) keeps a conversation. `prompt` runs turn after turn, reports
//! [events](agent::EventKind), and ends when the model calls no more tools. **Dropping is cancelling**: whoever drops
//! the future of a run, a request or a body ends it. And **nothing is borrowed while the outside runs**: a listener may
//! stop the agent, an editor may report its transaction before it has returned from taking it.
#![cfg_attr(not(target_arch = "wasm32"), forbid(unsafe_code))]

pub use copydesk_base::{error, locale};
use copydesk_base::{fields, map, number};
pub use copydesk_document::document;

pub mod agent;
pub mod arguments;
pub mod base64;
pub mod edit;
pub mod host;
pub mod llm;
pub mod search;
pub mod secrets;
pub mod tools;
#[cfg(target_arch = "wasm32")]
pub mod wasm;

pub use error::Error;
pub use locale::Locale;
