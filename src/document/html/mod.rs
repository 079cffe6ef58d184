//! HTML to nodes and back, as TipTap does it.
//!
//! `build` has html5ever make a tree of elements, as a browser would (`sink` and `dom`). `parse` walks over
//! them by the rules of ProseMirror's `DOMParser` and asks `rules` what an element means to TipTap's extensions,
//! `style` what its inline style says. `serialize` is the way back: ProseMirror's `DOMSerializer` and the
//! extensions' `renderHTML`. The sources of these rules are prosemirror-model 1.25 and TipTap 3.34.

mod build;
mod colors;
mod context;
mod dom;
mod javascript;
mod parse;
mod rules;
mod serialize;
mod sink;
mod style;
mod whitespace;

use super::json::MAX_DEPTH;
use super::node::Node;
use super::schema::Schema;
use crate::error::Error;
use dom::Dom;
use std::sync::Arc;

pub(super) use rules::Rules;
pub(super) use serialize::write;

/// The greatest accepted length of HTML, in bytes.
pub const MAX_HTML_BYTES: usize = 50_000_000;

/// The top-level blocks that an editor with a schema makes of HTML: what `createDocument` of TipTap gives, for
/// the types that TipTap's own extensions define. Elements that mean another type of the schema are read through to
/// their content.
///
/// # Errors
/// [`Error::TooLarge`] above [`MAX_HTML_BYTES`]; [`Error::TooDeep`] where more than 1024 elements are open at
/// once, or nodes nest deeper than [`MAX_DEPTH`]; [`Error::TooManyAttributes`] where a tag has thousands.
pub fn parse_fragment(html: impl AsRef<str>, schema: &Arc<Schema>) -> Result<Vec<Node>, Error> {
    let length = html.as_ref().len();
    if length > MAX_HTML_BYTES {
        return Err(Error::TooLarge { length, limit: MAX_HTML_BYTES });
    }
    let mut dom = build::build(html.as_ref())?;
    // A text that is given away is dropped as soon as it is in the tree.
    drop(html);
    let body = dom.body().unwrap_or(Dom::DOCUMENT);
    whitespace::remove_line_breaks(&mut dom, body);
    let rules = schema.rules.get_or_init(|| Rules::new(schema));
    parse::parse(schema, rules, &mut dom, body).ok_or(Error::TooDeep { limit: MAX_DEPTH })
}

/// Shows the name and the value of every attribute in HTML, entities resolved; what only looks like one, in a text or a
/// comment, is none. HTML that [`parse_fragment`] refuses shows nothing.
pub fn each_attribute(html: &str, see: &mut dyn FnMut(&str, &str)) {
    if html.contains('=')
        && let Ok(dom) = build::build(html)
    {
        dom.each_attribute(see);
    }
}
