//! What a document is.
//!
//! The words are ProseMirror's. A [`Schema`] says which types of [`Node`] and [`Mark`] there are and what may
//! stand where ([`content`] matches it). A [`Document`] is a row of top-level blocks that have lasting names. It
//! is read as [sections](Section) and as [lines](Line), is made from [HTML](html) or [JSON](json), and follows an
//! editor through [`Document::sync`]. Everything here is a value: no I/O, no clock, nothing shared that changes.
//!
//! Positions count UTF-16 code units, as in the editor; [`utf16`] carries them over to Rust's strings.
//!
//! # A document
//!
//! HTML is parsed as TipTap parses it. Positions are ProseMirror's: UTF-16 code units, not bytes and not `char`s.
//!
//! ```
//! use copydesk_document::Document;
//!
//! let document = Document::from_html("<h1>Tea</h1><p>A 🍵.</p><h2>History</h2><p>Old.</p>")?;
//! let sections = document.sections();
//! assert_eq!(sections[1].title, "History");
//! assert_eq!((sections[1].from, sections[1].to), (12, 27));
//! assert_eq!(document.lines()[1].text, "A 🍵.");
//! # Ok::<(), copydesk_document::Error>(())
//! ```
#![forbid(unsafe_code)]

pub mod align;
mod attrs;
mod body;
pub mod content;
#[allow(clippy::module_inception)]
mod document;
mod error;
mod expression;
pub mod html;
pub mod json;
mod json_write;
mod line;
mod mark;
mod marks;
mod moved;
mod node;
mod nodes;
pub mod notation;
mod numbered;
mod schema;
mod section;
pub mod utf16;
pub mod words;

pub use attrs::Attrs;
pub use document::{BlockChange, BlockId, Document};
pub use error::Error;
pub use html::{MAX_HTML_BYTES, parse_fragment};
pub use json::MAX_DEPTH;
pub use line::{Line, LineRef, Lines, OBJECT, count as count_lines, push_inline};
pub use mark::{Mark, Marks};
pub use node::{Node, join_texts};
pub use numbered::{CutLine, MARK_START, Numbered, Style, cut_line, is_cut};
pub use schema::{MarkType, MarkTypeId, NodeType, NodeTypeId, Schema};
pub use section::{Section, heading_level};
