//! The mark types that copydesk knows, each defined in one file: schema, parse rules and HTML.
//!
//! To add a mark type, add a file with its [`MarkSpec`] and an entry in [`MARKS`].

mod bold;
mod code;
mod highlight;
mod italic;
pub(super) mod link;
mod strike;
mod subscript;
mod superscript;
mod text_style;
mod underline;

use super::html::Writer;
#[cfg(feature = "html")]
use super::html::{AttrReader, StyleReader, TagRule};
use super::mark::Mark;
#[cfg(feature = "html")]
use serde_json::Value;

/// The definitions, the types of TipTap's own schema in its order, which is their rank.
pub(super) static MARKS: &[&[MarkSpec]] = &[
    link::MARKS,
    bold::MARKS,
    code::MARKS,
    italic::MARKS,
    strike::MARKS,
    underline::MARKS,
    highlight::MARKS,
    subscript::MARKS,
    superscript::MARKS,
    text_style::MARKS,
];

/// Everything that is known about one type of marks.
pub(super) struct MarkSpec {
    /// The name, as in JSON.
    pub(super) name: &'static str,
    /// The name in ProseMirror's own schemas. Under that name it has no parse rules and no HTML.
    pub(super) other_name: &'static str,
    /// ProseMirror's `MarkSpec` as JSON: attributes, excluded marks and the like.
    pub(super) schema: &'static str,
    /// True if it is in the schema of documents without an editor.
    pub(super) is_default: bool,
    /// The rules that make it from HTML.
    #[cfg(feature = "html")]
    pub(super) parse: MarkParseSpec,
    /// Writes the start tag of a mark as HTML and returns the name of the element.
    pub(super) html: fn(&mut Writer<'_>, &Mark) -> &'static str,
    /// True if nothing is lost where an edit drops it together with its text.
    pub(super) is_plain: bool,
}

/// The rules that make marks of a type from HTML.
#[cfg(feature = "html")]
pub(super) struct MarkParseSpec {
    /// The elements that mean it.
    pub(super) tags: &'static [TagRule],
    /// Readers of attributes that are not simply the element's attribute of the same name. They return `None` if the
    /// element does not state the attribute.
    pub(super) attrs: &'static [AttrReader],
    /// Returns the effect of a style on the mark.
    pub(super) style: StyleReader,
}

/// The effect of a style on a mark.
#[cfg(feature = "html")]
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Styled {
    Nothing,
    /// The content has the mark.
    Adds,
    /// The content does not have the mark, although something around it said so.
    Clears,
}

#[cfg(feature = "html")]
impl Styled {
    fn adds_if(adds: bool) -> Styled {
        if adds { Styled::Adds } else { Styled::Nothing }
    }
}

/// The base of the types of an extension that documents do not have without an editor.
const EXTENSION: MarkSpec = MarkSpec { is_default: false, ..MarkSpec::DEFAULT };

impl MarkSpec {
    /// A type without attributes and parse rules.
    const DEFAULT: MarkSpec = MarkSpec {
        name: "",
        other_name: "",
        schema: "{}",
        is_default: true,
        #[cfg(feature = "html")]
        parse: MarkParseSpec::DEFAULT,
        html: |writer, _| writer.start("span"),
        is_plain: true,
    };
}

#[cfg(feature = "html")]
impl MarkParseSpec {
    /// No element and no style means it.
    const DEFAULT: MarkParseSpec = MarkParseSpec { tags: &[], attrs: &[], style: |_| Styled::Nothing };
}

/// Returns the definition of the type with a name.
pub(super) fn find(name: &str) -> Option<&'static MarkSpec> {
    MARKS.iter().copied().flatten().find(|spec| spec.name == name)
}

/// Returns the definition of the type with a name, be it the one in ProseMirror's own schemas.
pub(super) fn find_any(name: &str) -> Option<&'static MarkSpec> {
    let named = |spec: &&MarkSpec| spec.name == name || !name.is_empty() && spec.other_name == name;
    MARKS.iter().copied().flatten().find(named)
}
