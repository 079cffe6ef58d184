//! ProseMirror documents as values: schema, nodes, positions, sections, lines, HTML and JSON.
//!
//! The terms are ProseMirror's. Everything here is a value: no I/O, no clock, no async. A change returns a new value
//! that shares the unchanged parts, so clones and snapshots are cheap.
//!
//! # Levels
//!
//! | to | use |
//! |---|---|
//! | read a document as a model does | [`Document::sections`], [`Document::lines`], [`Document::numbered`] |
//! | follow an editor | [`Document::from_editor`], then [`Document::sync`] with the blocks that changed |
//! | change a document without an editor | [`Document::replace_blocks`], [`Document::splice_all`] |
//! | look at the tree | [`Document::blocks`], [`Node`], [`Mark`], [`Attrs`] |
//! | check or complete content | [`Schema`], [`content`] |
//! | compare two documents | [`align`] |
//! | write or read the notation of shown lines | [`notation`] |
//! | convert | [`html`], [`json`]; [`utf16`] for offsets in Rust strings |
//!
//! # A document
//!
//! HTML is parsed as TipTap parses it.
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
//!
//! # Following an editor
//!
//! The editor reports which top-level blocks it replaced. A block keeps its id as long as it is recognizably the same
//! block: equal, edited, or moved.
//!
//! ```
//! use copydesk_document::Document;
//!
//! let mut document = Document::from_html("<p>Tea is old.</p><p>Milk is not.</p>")?;
//! let milk = document.block_ids()[1];
//! let typed = r#"[{ "type": "paragraph", "content": [{ "type": "text", "text": "Tea is very old." }] }]"#;
//! document.sync(0, 1, typed)?;
//! assert_eq!(document.version(), "v2");
//! assert_eq!(document.block_with_id(milk), Some(1));
//! assert_eq!(document.to_html(), "<p>Tea is very old.</p><p>Milk is not.</p>");
//! # Ok::<(), copydesk_document::Error>(())
//! ```
//!
//! # Traps
//!
//! - Positions and sizes count UTF-16 code units, not bytes and not `char`s. A leaf is 1 wide, any other node is its
//!   content and 2 for its boundaries. [`utf16`] converts.
//! - Type ids ([`NodeTypeId`], [`MarkTypeId`]) are indexes into one schema and are not valid in another.
//! - [`Node::new`] checks nothing. Content of an editor may violate the schema: the editor is the source of truth.
//! - Sections and lines are numbered for one version. Only block ids survive a change.
//! - Equality of documents ignores ids and versions.
//!
//! # Invariants
//!
//! - Neighbouring texts with the same marks are one text node.
//! - Ids and blocks correspond one to one; an id is never given twice.
//! - The version changes with every change of content and with nothing else.
#![forbid(unsafe_code)]

pub mod align;
mod attrs;
mod body;
pub mod content;
#[allow(clippy::module_inception)]
mod document;
mod error;
mod expression;
mod global_attrs;
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
mod section_keys;
mod sums;
mod text_form;
pub mod utf16;
pub mod words;

mod messages;

pub use attrs::Attrs;
pub use body::BlockId;
pub use document::{BlockChange, Document};
pub use error::Error;
pub use html::{MAX_HTML_BYTES, parse_fragment, shown_text};
pub use json::MAX_DEPTH;
pub use line::{Line, LineRef, Lines, OBJECT, count as count_lines, push_inline, text_of};
pub use mark::{Mark, Marks};
pub use node::{Node, join_texts};
pub use nodes::{NodeRole, NodeTrait, nodes_with};
pub use numbered::{CutLine, MARK_START, Numbered, Style, cut_line, is_cut, text_in as line_text_in};
pub use schema::{MarkType, MarkTypeId, NodeType, NodeTypeId, Schema};
pub use section::{Section, heading_level};
pub use section_keys::SectionKeys;
pub use text_form::text_form;
