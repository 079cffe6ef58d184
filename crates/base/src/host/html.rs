//! The host's parser of HTML: in a page, that of the browser. It is used by builds without a parser of their own.

use std::sync::OnceLock;

/// An attribute of an element in HTML.
#[derive(Clone, Debug, PartialEq)]
pub struct HtmlAttribute {
    /// The local name of the element.
    pub element: String,
    /// The local name of the attribute; empty for the text in a script or a style sheet.
    pub name: String,
    /// The value, with its character references resolved.
    pub value: String,
}

/// Returns the attributes of all elements in the content of a body, also inside of templates; `None` if the host cannot
/// parse it. It must not run or load anything.
pub type HtmlParser = fn(html: &str) -> Option<Vec<HtmlAttribute>>;

static HOST: OnceLock<HtmlParser> = OnceLock::new();

/// Sets the host's parser. The first one set stays.
pub fn install(parser: HtmlParser) {
    let _ = HOST.set(parser);
}

/// Returns the attributes in HTML, as [`HtmlParser`] does; `None` if no parser is installed.
pub fn attributes(html: &str) -> Option<Vec<HtmlAttribute>> {
    HOST.get().and_then(|parser| parser(html))
}
