//! Writes nodes as HTML: ProseMirror's `DOMSerializer`, TipTap's `renderHTML`, and a browser's `innerHTML`.

use super::javascript::to_text;
use crate::attrs::Attrs;
use crate::global_attrs;
use crate::line::OBJECT;
use crate::mark::Mark;
use crate::node::Node;
use crate::schema::Schema;
use crate::text_form::text_form;
use serde_json::Value;
use std::borrow::Cow;

/// Returns nodes as HTML.
pub(crate) fn write(schema: &Schema, nodes: &[Node]) -> String {
    let mut writer = Writer { schema, form: HtmlForm::Whole, out: String::new() };
    writer.fragment(nodes);
    writer.out
}

/// Returns inline nodes as a line shows them: marks as tags with what identifies them, leaves as their text forms, text
/// with references only where it would be read as something else.
pub(crate) fn write_line(schema: &Schema, nodes: &[Node]) -> String {
    let mut writer = Writer { schema, form: HtmlForm::Line, out: String::new() };
    writer.fragment(nodes);
    writer.out
}

/// The extent of what is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum HtmlForm {
    /// Everything, as TipTap writes it.
    Whole,
    /// The part that a line shows.
    Line,
}

/// True for each byte that ends a character which is written as a reference, somewhere or everywhere.
const MAY_BE_ESCAPED: [bool; 256] = {
    let mut all = [false; 256];
    let bytes = *b"&<>\"\xA0";
    let mut at = 0;
    while at < bytes.len() {
        all[bytes[at] as usize] = true;
        at += 1;
    }
    all
};

/// Returns whether a value is one declaration of a style, and no more.
pub(crate) fn is_style_value(value: &str) -> bool {
    !value.trim().is_empty() && !value.contains([';', '{', '}'])
}

/// Writes nodes as HTML.
pub(crate) struct Writer<'s> {
    schema: &'s Schema,
    form: HtmlForm,
    out: String,
}

impl Writer<'_> {
    /// Returns whether only that is written of a mark which tells it from others.
    pub(crate) fn is_short(&self) -> bool {
        self.form == HtmlForm::Line
    }

    /// Writes siblings. Marks that neighbours share are one element around them.
    pub(crate) fn fragment(&mut self, nodes: &[Node]) {
        let mut active: Vec<(&Mark, &str)> = Vec::new();
        for node in nodes {
            let marks = node.marks();
            let spans = |mark: &Mark| self.schema.mark(mark.kind).is_some_and(|kind| kind.spanning);
            let same = |((open, _), mark): &(&(&Mark, &str), &Mark)| open == mark && spans(mark);
            let keep = active.iter().zip(marks).take_while(same).count();
            self.close_marks(&mut active, keep);
            for mark in &marks[keep..] {
                let tag = self.open_mark(mark, self.schema.is_inline(node.kind()));
                active.push((mark, tag));
            }
            self.node(node);
        }
        self.close_marks(&mut active, 0);
    }

    fn close_marks(&mut self, active: &mut Vec<(&Mark, &str)>, keep: usize) {
        for (_, tag) in active.drain(keep..).rev().filter(|(_, tag)| !tag.is_empty()) {
            self.close(tag);
        }
    }

    fn open_mark(&mut self, mark: &Mark, inline: bool) -> &'static str {
        let Some(kind) = self.schema.mark(mark.kind) else { return self.start("span") };
        // A tag that does not say what it is would not be read again.
        if self.is_short() && mark.is_hidden(self.schema) {
            return "";
        }
        if let Some(spec) = kind.spec {
            let start = self.out.len();
            let tag = (spec.html)(self, mark);
            global_attrs::write(self, start, &mark.attrs, kind.added_attrs());
            return tag;
        }
        let tag = if inline { "span" } else { "div" };
        self.raw("<");
        self.raw(tag);
        self.data(&kind.name, &mark.attrs);
        self.raw(">");
        tag
    }

    fn node(&mut self, node: &Node) {
        if let Some(text) = node.text() {
            self.text(text);
            return;
        }
        if self.is_short() {
            return self.form_of(node);
        }
        let kind = self.schema.node_type(node.kind());
        match kind.html_spec() {
            Some(spec) => {
                let start = self.out.len();
                (spec.html)(self, node);
                global_attrs::write(self, start, node.attrs(), kind.added_attrs());
            }
            None => self.unknown(node),
        }
    }

    /// Writes an inline node as it is shown in the text of a line.
    fn form_of(&mut self, node: &Node) {
        if node.is_leaf() {
            return self.text(&text_form(self.schema, node));
        }
        self.out.push(OBJECT);
        self.fragment(node.children());
        self.out.push(OBJECT);
    }

    /// Writes text that is HTML already.
    pub(crate) fn raw(&mut self, html: &str) {
        self.out.push_str(html);
    }

    /// Writes a start tag without attributes and returns its name.
    pub(crate) fn start(&mut self, tag: &'static str) -> &'static str {
        self.raw("<");
        self.raw(tag);
        self.raw(">");
        tag
    }

    /// Writes a node as an element without attributes.
    pub(crate) fn element(&mut self, tag: &str, node: &Node) {
        self.out.push('<');
        self.out.push_str(tag);
        self.out.push('>');
        self.fragment(node.children());
        self.close(tag);
    }

    /// Writes a node that copydesk has no definition of, so that nothing of it is lost.
    pub(crate) fn unknown(&mut self, node: &Node) {
        let tag = if self.schema.is_inline(node.kind()) { "span" } else { "div" };
        self.out.push('<');
        self.out.push_str(tag);
        self.data(node.name(self.schema), node.attrs());
        self.out.push('>');
        if node.is_leaf() && tag == "span" {
            // The text that a model reads there, and that remains if the element is not known.
            self.text(&text_form(self.schema, node));
        }
        self.fragment(node.children());
        self.close(tag);
    }

    /// Writes the name and the attributes of a type that TipTap's own schema does not have. Values other than plain
    /// ones are written as JSON.
    fn data(&mut self, name: &str, attrs: &Attrs) {
        self.attribute("data-type", name);
        for (name, value) in attrs.iter() {
            match value {
                Value::Array(_) | Value::Object(_) => self.attribute(name, &value.to_string()),
                value => self.attributes(std::iter::once((name, value))),
            }
        }
    }

    pub(crate) fn close(&mut self, tag: &str) {
        self.out.push_str("</");
        self.out.push_str(tag);
        self.out.push('>');
    }

    /// Adds attributes to the start tag that begins at a position. One that the tag has stays, but for its `style`,
    /// which gets further declarations.
    pub(crate) fn add_to_tag(&mut self, start: usize, attrs: &[(&str, &Value)], style: &str) {
        let Some(tag) = self.out.get(start..).filter(|tag| tag.starts_with('<')) else { return };
        let name_end = start + tag.find([' ', '>']).unwrap_or(tag.len());
        let end = start + end_of_tag(tag);
        let mut rest = self.out.split_off(name_end);
        let (own, _) = rest.split_at(end - name_end);
        let added: Vec<_> = attrs.iter().filter(|(name, _)| !own.contains(&format!(" {name}=\""))).copied().collect();
        if !style.is_empty() {
            match own.find(" style=\"") {
                Some(at) => rest.insert_str(at + " style=\"".len(), &format!("{style} ")),
                None => self.attribute("style", style),
            }
        }
        self.attributes(added.into_iter());
        self.out.push_str(&rest);
    }

    /// Writes attributes, but for those that are null.
    pub(crate) fn attributes<'a>(&mut self, attrs: impl Iterator<Item = (&'a str, &'a Value)>) {
        for (name, value) in attrs.filter(|(_, value)| !value.is_null()) {
            match value {
                Value::String(text) => self.attribute(name, text),
                value => self.attribute(name, &to_text(value)),
            }
        }
    }

    /// Writes an attribute, unless its name is invalid in HTML.
    pub(crate) fn attribute(&mut self, name: &str, value: &str) {
        let refused = |char: char| {
            char.is_whitespace() || char.is_control() || matches!(char, '"' | '\'' | '>' | '<' | '/' | '=')
        };
        if name.is_empty() || name.contains(refused) {
            return;
        }
        self.out.push(' ');
        self.out.push_str(name);
        self.out.push_str("=\"");
        self.escaped(value, true);
        self.out.push('"');
    }

    /// Writes text, escaped.
    pub(crate) fn text(&mut self, text: &str) {
        match self.form {
            HtmlForm::Whole => self.escaped(text, false),
            HtmlForm::Line => self.out.push_str(&shown_text(text)),
        }
    }

    fn escaped(&mut self, text: &str, in_attribute: bool) {
        let bytes = text.as_bytes();
        let (mut written, mut at) = (0, 0);
        while let Some(found) = bytes[at..].iter().position(|byte| MAY_BE_ESCAPED[usize::from(*byte)]) {
            let byte = at + found;
            at = byte + 1;
            let (reference, width) = match bytes[byte] {
                b'&' => ("&amp;", 1),
                b'<' => ("&lt;", 1),
                b'>' => ("&gt;", 1),
                // U+00A0, in two bytes.
                0xA0 if byte > 0 && bytes[byte - 1] == 0xC2 => ("&nbsp;", 2),
                b'"' if in_attribute => ("&quot;", 1),
                _ => continue,
            };
            self.out.push_str(&text[written..at - width]);
            self.out.push_str(reference);
            written = at;
        }
        self.out.push_str(&text[written..]);
    }
}

/// Returns a text as lines are shown with it: `<` and `&` are references where HTML has them begin something.
pub fn shown_text(text: &str) -> Cow<'_, str> {
    if !text.contains(['<', '&']) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    let mut chars = text.chars().peekable();
    while let Some(char) = chars.next() {
        let next = chars.peek();
        match char {
            '<' if next.is_some_and(|next| next.is_ascii_alphabetic() || "/!?".contains(*next)) => out.push_str("&lt;"),
            '&' if next.is_some_and(|next| next.is_ascii_alphanumeric() || *next == '#') => out.push_str("&amp;"),
            char => out.push(char),
        }
    }
    Cow::Owned(out)
}

/// Returns the length of the start tag that HTML begins with. `>` is a reference in the values of attributes.
fn end_of_tag(html: &str) -> usize {
    html.find('>').map_or(html.len(), |end| end + 1)
}
