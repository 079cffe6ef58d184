//! HTML to nodes and back, as TipTap does it.
//!
//! `build` has html5ever build a tree of elements, as a browser would (`sink` and `dom`), from its own tokens or from
//! those that `plain_tokens` reads faster. `parse` walks over them by the rules of ProseMirror's `DOMParser`; `rules`
//! has the meaning of elements to TipTap's extensions, `style` that of inline styles. `serialize` is the way back:
//! ProseMirror's `DOMSerializer` and the extensions' `renderHTML`. The sources of these rules are prosemirror-model
//! 1.25 and TipTap 3.34.

#[cfg(feature = "html")]
mod build;
mod colors;
#[cfg(feature = "html")]
mod context;
#[cfg(feature = "html")]
mod dom;
pub(super) mod javascript;
#[cfg(feature = "html")]
mod parse;
#[cfg(feature = "html")]
mod plain_tokens;
#[cfg(feature = "html")]
mod rules;
mod serialize;
#[cfg(feature = "html")]
mod sink;
#[cfg(feature = "html")]
mod style;
#[cfg(feature = "html")]
mod whitespace;

#[cfg(feature = "html")]
use super::json::MAX_DEPTH;
use super::node::Node;
use super::schema::Schema;
use crate::Error;
#[cfg(not(feature = "html"))]
use copydesk_base::host::html::HtmlAttribute;
use std::borrow::Cow;
use std::sync::Arc;

pub use serialize::shown_text;
pub(super) use serialize::{Writer, is_style_value, write, write_line};
#[cfg(feature = "html")]
pub(super) use {
    dom::{Dom, DomId},
    rules::{AttrReader, Content, Element, ParseRules, StyleReader, TagRule},
};

pub use colors::is_color;

/// The greatest accepted length of HTML, in bytes.
pub const MAX_HTML_BYTES: usize = 50_000_000;

/// Returns the top-level blocks that an editor with a schema makes of HTML: the result of TipTap's `createDocument`,
/// for the types that TipTap's own extensions define. Of elements that mean another type of the schema, only the
/// content is read.
///
/// # Errors
/// [`copydesk_base::Error::TooLarge`] above [`MAX_HTML_BYTES`]; [`Error::TooDeep`] if more than 1024 elements are open
/// at once, or nodes nest deeper than 256; [`Error::TooManyAttributes`] if a tag has thousands;
/// [`Error::FullBuildNeeded`] without the feature `html`.
pub fn parse_fragment(html: impl AsRef<str>, schema: &Arc<Schema>) -> Result<Vec<Node>, Error> {
    let length = html.as_ref().len();
    if length > MAX_HTML_BYTES {
        return Err(copydesk_base::Error::TooLarge { length, limit: MAX_HTML_BYTES }.into());
    }
    parse_accepted(html, schema)
}

#[cfg(feature = "html")]
fn parse_accepted(html: impl AsRef<str>, schema: &Arc<Schema>) -> Result<Vec<Node>, Error> {
    let mut dom = build::build(html.as_ref())?;
    // A text that was passed by value is freed as soon as it is in the tree.
    drop(html);
    let body = dom.body().unwrap_or(Dom::DOCUMENT);
    whitespace::remove_line_breaks(&mut dom, body);
    let rules = schema.rules.get_or_init(|| ParseRules::new(schema));
    parse::parse(schema, rules, &mut dom, body).ok_or(Error::TooDeep { limit: MAX_DEPTH })
}

#[cfg(not(feature = "html"))]
fn parse_accepted(_html: impl AsRef<str>, _schema: &Arc<Schema>) -> Result<Vec<Node>, Error> {
    Err(Error::FullBuildNeeded)
}

/// Calls `see` with the element's name and the name and value of every attribute in HTML, with character references
/// decoded. Text that only looks like an attribute, in a text or a comment, does not count. The text in a script or a
/// style sheet is passed as an attribute without a name.
///
/// # Errors
/// As [`parse_fragment`]; `see` is not called then.
#[cfg(feature = "html")]
pub fn each_attribute(html: &str, see: &mut dyn FnMut(&str, &str, &str)) -> Result<(), Error> {
    build::build(html)?.each_attribute(see);
    Ok(())
}

/// Calls `see` as above, with the attributes that the host's parser finds ([`copydesk_base::host::html`]).
///
/// # Errors
/// [`Error::FullBuildNeeded`] if the host has none; `see` is not called then.
#[cfg(not(feature = "html"))]
pub fn each_attribute(html: &str, see: &mut dyn FnMut(&str, &str, &str)) -> Result<(), Error> {
    let found = copydesk_base::host::html::attributes(html).ok_or(Error::FullBuildNeeded)?;
    found.iter().for_each(|HtmlAttribute { element, name, value }| see(element, name, value));
    Ok(())
}

/// Returns the text with its character references resolved, as in the value of an attribute.
pub fn unescape(text: &str) -> Cow<'_, str> {
    if !text.contains('&') {
        return Cow::Borrowed(text);
    }
    let mut value = None;
    let seen = each_attribute(&format!("<p title=\"{}\">", text.replace('"', "&quot;")), &mut |_, _, found| {
        value.get_or_insert_with(|| found.to_owned());
    });
    // A text that cannot be an attribute's value has no references to resolve.
    seen.ok().and(value).map_or(Cow::Borrowed(text), Cow::Owned)
}
