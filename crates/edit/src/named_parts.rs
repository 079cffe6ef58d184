//! The text to find in an edit of text, if it was given with marks: `**bold**`, `<em>so</em>`.

use super::apply::DocumentHost;
use super::content::{self, Format};
use super::find_text::Place;
use super::{marks_in_text, runs};
use crate::Error;
use copydesk_document::Document;
use copydesk_document::Node;
use std::ops::Range;

/// A text with marks, and the inline content of a place that it names.
pub(super) struct NamedParts {
    /// The bytes of the text in its line.
    pub(super) bytes: Range<usize>,
    /// Each node of the text with the nodes that the place has for it.
    pub(super) parts: Vec<(Node, Vec<Node>)>,
}

impl NamedParts {
    /// Reads a text with marks for a place in a line with some inline content; `None` if it is not the text of that
    /// place.
    pub(super) fn of(
        host: &dyn DocumentHost,
        document: &Document,
        inline: &[Node],
        place: &Place,
        named: &str,
    ) -> Result<Option<NamedParts>, Error> {
        let (schema, line) = (document.schema(), &place.lines[0]);
        let format = if content::has_tag(named) { Format::Html } else { Format::Markdown };
        if format == Format::Markdown && host.markdown().is_none() {
            return Ok(None);
        }
        let marked = marks_in_text::read(host, document, "", named, Some(format), line.block)?;
        let named = marked.map_or(Vec::new(), |marked| marked.lines.concat());
        let offset = line.text[place.bytes()].find(runs::flat_text(schema, &named).trim());
        let Some(start) = offset.map(|offset| place.start + offset) else { return Ok(None) };
        let mut at = start;
        let part = |named: Node| {
            let from = at;
            at += runs::flat_text(schema, std::slice::from_ref(&named)).len();
            let old = runs::cut(schema, inline, from..at);
            (named, old)
        };
        let parts = named.into_iter().map(part).collect();
        Ok(Some(NamedParts { bytes: start..at, parts }))
    }

    /// Returns whether each node of the place has the marks of its part of the text.
    pub(super) fn have_their_marks(&self) -> bool {
        let has = |old: &Node, kind| old.marks().iter().any(|mark| mark.kind == kind);
        let has_all = |named: &Node, old: &Node| named.marks().iter().all(|mark| has(old, mark.kind));
        self.parts.iter().all(|(named, old)| old.iter().all(|old| has_all(named, old)))
    }
}
