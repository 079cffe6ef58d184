//! Text forms: the text by which a line shows an inline leaf that is not text, such as `@Ann Lee` or `$x^2$`.
//!
//! A model reads the form and writes it back, so it is readable, in one line, never empty, and the same for the same
//! node. Each type of `nodes` defines its own; a leaf of any other type is `[type: value]`.
//!
//! A leaf is one position wide and its form is not: see [`Line::position`](super::Line::position).

use super::node::Node;
use super::schema::Schema;
use serde_json::Value;

/// Attributes that tell a leaf from others of its type, the most telling first.
const TELLING: [&str; 14] =
    ["label", "name", "title", "latex", "text", "alt", "caption", "value", "date", "id", "key", "src", "href", "url"];
/// The most characters of an attribute that are shown.
const MOST: usize = 80;

/// Returns the text form of an inline leaf that is not text.
pub fn text_form(schema: &Schema, leaf: &Node) -> String {
    let own = schema.node_type(leaf.kind()).spec.and_then(|spec| spec.text).map(|text| in_one_line(&text(leaf)));
    if let Some(own) = own.filter(|own| !own.is_empty()) {
        return own;
    }
    let name = leaf.name(schema);
    let said = TELLING.iter().filter_map(|attr| leaf.attrs().get(attr));
    match said.chain(leaf.attrs().iter().map(|(_, value)| value)).find_map(as_text) {
        Some(text) => format!("[{name}: {text}]"),
        None => format!("[{name}]"),
    }
}

fn as_text(value: &Value) -> Option<String> {
    let text = match value {
        Value::String(text) => in_one_line(text),
        Value::Number(number) => number.to_string(),
        _ => return None,
    };
    match text.char_indices().nth(MOST) {
        Some((end, _)) => Some(format!("{}…", &text[..end])),
        None => Some(text).filter(|text| !text.is_empty()),
    }
}

fn in_one_line(text: &str) -> String {
    let words = text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join(" ")
}
