//! HTML to nodes and back, as TipTap does it.
//!
//! `tokenizer` reads tags and texts, and `tree` makes elements of them (`dom`), as a browser would. `parse` walks over
//! them by the rules of ProseMirror's `DOMParser` and asks `rules` what an element means to TipTap's extensions,
//! `style` what its inline style says. `serialize` is the way back: ProseMirror's `DOMSerializer` and the
//! extensions' `renderHTML`. The sources of these rules are prosemirror-model 1.25 and TipTap 3.34.

mod colors;
mod context;
mod dom;
mod entities;
mod javascript;
#[cfg(test)]
#[path = "../../../tests/document/judge/mod.rs"]
mod judge;
mod parse;
mod rules;
mod serialize;
mod style;
mod tokenizer;
mod tree;
mod whitespace;

use super::json::MAX_DEPTH;
use super::node::Node;
use super::schema::Schema;
use crate::error::Error;
use dom::Dom;
use std::borrow::Cow;
use std::sync::Arc;

pub(super) use rules::Rules;
pub(super) use serialize::write;

pub use colors::is_color;

/// The greatest accepted length of HTML, in bytes.
pub const MAX_HTML_BYTES: usize = 50_000_000;

/// The top-level blocks that an editor with a schema makes of HTML: what `createDocument` of TipTap gives, for
/// the types that TipTap's own extensions define. Elements that mean another type of the schema are read through to
/// their content.
///
/// # Errors
/// [`Error::TooLarge`] above [`MAX_HTML_BYTES`]; [`Error::TooDeep`] where more than 1024 elements are open at
/// once, or nodes nest deeper than [`MAX_DEPTH`].
pub fn parse_fragment(html: impl AsRef<str>, schema: &Arc<Schema>) -> Result<Vec<Node>, Error> {
    let length = html.as_ref().len();
    if length > MAX_HTML_BYTES {
        return Err(Error::TooLarge { length, limit: MAX_HTML_BYTES });
    }
    let page = tree::page(html.as_ref());
    // A text that is given away is dropped as soon as it has been copied.
    drop(html);
    let mut dom = tree::parse(&page).ok_or(Error::TooDeep { limit: tree::MOST_OPEN as usize })?;
    let body = dom.body().unwrap_or(Dom::DOCUMENT);
    whitespace::remove_line_breaks(&mut dom, body);
    let rules = schema.rules.get_or_init(|| Rules::new(schema));
    parse::parse(schema, rules, &mut dom, body).ok_or(Error::TooDeep { limit: MAX_DEPTH })
}

/// Shows the element's name, the name and the value of every attribute in HTML, entities resolved; what only looks like
/// one, in a text or a comment, is none. The text in a script or a style sheet is shown as an attribute without a name.
///
/// # Errors
/// [`Error::TooDeep`] as [`parse_fragment`]; nothing is shown then.
pub fn each_attribute(html: &str, see: &mut dyn FnMut(&str, &str, &str)) -> Result<(), Error> {
    let page = tree::page(html);
    let dom = tree::parse(&page).ok_or(Error::TooDeep { limit: tree::MOST_OPEN as usize })?;
    dom.each_attribute(see);
    Ok(())
}

/// Returns the text with its character references resolved, as in the value of an attribute.
pub fn unescape(text: &str) -> Cow<'_, str> {
    let (mut out, mut rest) = (String::new(), text);
    while let Some(at) = rest.find('&') {
        let (before, after) = rest.split_at(at);
        out.push_str(before);
        rest = match entities::reference(&after.as_bytes()[1..], true) {
            Some(((first, second), length)) => {
                out.push(first);
                out.extend(second);
                &after[1 + length..]
            }
            None => {
                out.push('&');
                &after[1..]
            }
        };
    }
    if out.is_empty() { Cow::Borrowed(text) } else { Cow::Owned(out + rest) }
}
