//! The errors of edits.

mod text;

use crate::guard::Part;
use crate::guard::dropped::{Dropped, list_dropped};
use crate::messages;
use copydesk_base::Locale;
use copydesk_base::catalog::Message;
use copydesk_base::error::excerpt;
use copydesk_base::phrases::listed;
use copydesk_document::notation::Headline;
use serde_json::{Value, json};
use text::{allowed_part, allowed_sources, numbered, numbered_json, partial_content};

/// The current state of the text that a stale edit meant.
#[derive(Clone, Debug, PartialEq)]
pub struct Now {
    /// The section that was meant: index, title and content; `None` if it no longer exists.
    pub section: Option<(usize, String, String)>,
    /// The outline.
    pub outline: Value,
}

impl Now {
    /// Returns the section that was meant, or one without title and content if it no longer exists.
    fn section_or(&self, index: usize) -> (usize, &str, &str) {
        self.section.as_ref().map_or((index, "", ""), |(at, title, content)| (*at, title, content))
    }
}

/// Content without lines that is only a part of the text that it would replace.
#[derive(Clone, Debug, PartialEq)]
pub struct Partial {
    /// The number of lines with text that it would replace.
    pub lines: usize,
    /// The number of lines that it has.
    pub left: usize,
    /// The first and the last of the lines that it resembles.
    pub like: Option<(usize, usize)>,
    /// These lines as they are now, or the first ones.
    pub now: String,
}

/// The amount of Markdown that is accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MarkdownLimit {
    /// Content that takes no more than a fixed amount of counted work to parse.
    Work,
    /// Content that results in at most this many characters of HTML.
    Html(usize),
}

copydesk_base::errors! {
    /// A failure to edit a document. The document is as it was before the call that returned it.
    pub enum Error {
        /// An operation that does not exist.
        UnknownOperation {
            /// The given name.
            given: String,
            /// The operations there are.
            valid: &'static [&'static str],
        } = "unknown_operation" {
            shorten: given,
            message: |locale| messages::UnknownOperation { given, valid: &listed(valid, locale) }.text(locale),
            details: { "given": given, "valid": valid },
        }
        /// A section index that the document does not have, or that the operation does not take.
        SectionOutOfRange {
            /// The parameter that states the index.
            parameter: &'static str,
            /// The given index.
            index: i64,
            /// The first and last valid index; `None` if no index is valid.
            valid: Option<(usize, usize)>,
            /// The operation.
            operation: &'static str,
        } = "section_out_of_range" {
            message: |locale| match valid {
                None => messages::NoSection { parameter, index, operation }.text(locale),
                Some((first, last)) => {
                    messages::SectionOutOfRange { parameter, index, operation, first, last }.text(locale)
                }
            },
            details: { "index": index, "valid": valid, "operation": operation },
        }
        /// The user changed the section that the edit refers to since the model read it.
        Stale {
            /// The section that was meant, as the model counts.
            index: usize,
            /// The current state.
            now: Box<Now>,
        } = "stale" {
            message: |locale| match &now.section {
                None => messages::SectionGone { index }.text(locale),
                Some((now, title, content)) => messages::SectionStale { index, now, title, content }.text(locale),
            },
            details: { "index": index, "sections": now.outline },
        }
        /// A section whose content the model was never shown.
        SectionNotShown {
            /// The section that was meant, by the model's count.
            index: usize,
            /// The current state.
            now: Box<Now>,
        } = "section_not_shown" {
            message: |locale| {
                let (at, title, _) = now.section_or(*index);
                messages::SectionNotShown { at: &at, title: &title }.text(locale)
            },
            details: ({
                let (at, title, content) = now.section_or(*index);
                json!({ "index": at, "title": title, "content": content, "sections": now.outline })
            }),
        }
        /// Lines that were changed since the model read them.
        StaleLines {
            /// The first line that was meant, as the model counts.
            first: usize,
            /// The last one.
            last: usize,
            /// The current lines, numbered.
            now: String,
        } = "stale" {
            message: |locale| messages::StaleLines { first, last, now: &Headline::translated(now, locale) }.text(locale),
            details: { "lines": [first, last], "now": now },
        }
        /// Lines that the document does not have.
        LineOutOfRange {
            /// The given first line.
            start: i64,
            /// The given last line.
            end: i64,
            /// The number of lines.
            total: usize,
        } = "line_out_of_range" {
            message: |locale| match total {
                0 => messages::NoLines { start, end }.text(locale),
                _ => messages::LineOutOfRange { start, end, total }.text(locale),
            },
            details: { "given": [start, end], "valid": [1, total] },
        }
        /// Two edits of one call that change the same lines.
        OverlappingEdits {
            /// The lines of the one.
            first: (usize, usize),
            /// The lines of the other.
            second: (usize, usize),
        } = "overlapping_edits" {
            message: |locale| {
                let ((first, last), (other_first, other_last)) = (first, second);
                messages::OverlappingEdits { first, last, other_first, other_last }.text(locale)
            },
            details: { "first": first, "second": second },
        }
        /// Content with a line that represents text that was left out.
        Placeholder {
            /// The line.
            text: String,
        } = "placeholder" {
            shorten: text,
            message: |locale| messages::Placeholder { text }.text(locale),
            details: { "text": text },
        }
        /// Conflict markers whose old text differs from the lines.
        SearchDiffers {
            /// The old text in the markers.
            searched: String,
        } = "search_differs" {
            shorten: searched,
            message: |locale| messages::SearchDiffers { searched }.text(locale),
            details: { "searched": searched },
        }
        /// Incomplete conflict markers.
        MarkersCutOff = "search_differs" {
            message: |locale| messages::MARKERS_CUT_OFF.text(locale),
        }
        /// Content that is nearly a neighbouring line, and unlike the named one.
        WrongLine {
            /// The named lines.
            given: (usize, usize),
            /// The text of the first of them.
            text: String,
            /// The line that the content resembles.
            line: usize,
            /// The text of that line.
            like: String,
        } = "wrong_line" {
            shorten: text,
            message: |locale| messages::WrongLine { line, like, given: &given.0, text }.text(locale),
            details: { "given": given, "text": text, "line": line, "like": like },
        }
        /// A row of a table with another number of cells than the table has columns.
        ColumnCount {
            /// The number of columns that the row has.
            given: usize,
            /// The number of columns of the table.
            columns: usize,
        } = "column_count" {
            message: |locale| messages::ColumnCount { given, columns }.text(locale),
            details: { "given": given, "columns": columns },
        }
        /// A whole row of a table for lines that are only some of its cells.
        PartOfRow {
            /// The given lines.
            given: (usize, usize),
            /// The lines of the row.
            row: (usize, usize),
        } = "part_of_row" {
            message: |locale| {
                let ((first, last), (row_first, row_last)) = (given, row);
                messages::PartOfRow { first, last, row_first, row_last }.text(locale)
            },
            details: { "given": given, "row": row },
        }
        /// Rows of a table that do not leave a merged cell whole.
        MergedCell {
            /// The text of the cell.
            text: String,
            /// The number of rows that it covers.
            rows: usize,
            /// The number of columns that it covers.
            columns: usize,
        } = "merged_cell" {
            shorten: text,
            message: |locale| messages::MergedCell { text, rows, columns }.text(locale),
            details: { "text": text, "rows": rows, "columns": columns },
        }
        /// Lines that the model was never shown.
        LinesNotShown {
            /// The first of them.
            first: usize,
            /// The last one.
            last: usize,
        } = "lines_not_shown" {
            message: |locale| messages::LinesNotShown { first, last }.text(locale),
            details: { "lines": [first, last] },
        }
        /// A version that is not remembered.
        UnknownVersion {
            /// The given version.
            given: String,
            /// The versions that are remembered.
            valid: Vec<String>,
        } = "unknown_version" {
            shorten: given,
            message: |locale| match valid.as_slice() {
                [] => messages::UnknownVersionNoOther { given }.text(locale),
                valid => messages::UnknownVersion { given, valid: &listed(valid, locale) }.text(locale),
            },
            details: { "given": given, "valid": valid },
        }
        /// A text that is not in the document.
        TextNotFound {
            /// The text.
            old: String,
            /// The lines that resemble it most, with their numbers.
            nearest: Vec<(usize, String)>,
        } = "text_not_found" {
            shorten: old,
            message: |locale| messages::TextNotFound { old, numbered: &numbered(nearest) }.text(locale),
            details: { "old": old, "nearest": numbered_json(nearest) },
        }
        /// A text that is in the document more than once.
        TextAmbiguous {
            /// The text.
            old: String,
            /// The number of its occurrences.
            count: usize,
            /// The occurrences: the line, and the text around it.
            places: Vec<(usize, String)>,
        } = "text_ambiguous" {
            shorten: old,
            message: |locale| messages::TextAmbiguous { old, count, numbered: &numbered(places) }.text(locale),
            details: { "old": old, "count": count, "places": numbered_json(places) },
        }
        /// A URL that is not http(s).
        InvalidUrl {
            /// The parameter.
            name: &'static str,
            /// The given URL, cut to a readable length.
            given: String,
        } = "invalid_url" {
            message: |locale| messages::InvalidUrl { name, given }.text(locale),
        }
        /// A URL of a kind that is never written, such as `javascript:`.
        UnsafeUrl {
            /// The attribute.
            name: String,
            /// The given URL, cut to a readable length.
            given: String,
            /// The reason.
            fault: String,
        } = "invalid_url" {
            message: |locale| messages::UnsafeUrl { name, given, fault }.text(locale),
            details: { "name": name, "given": given },
        }
        /// A URL to a host that the app does not allow, or one that a model made up.
        UrlNotAllowed {
            /// True if the page would load it by itself, as an image; else it is a link.
            picture: bool,
            /// The given URL, cut to a readable length.
            given: String,
            /// The allowed hosts.
            hosts: Vec<String>,
            /// True if a model wrote it.
            agent: bool,
        } = "url_not_allowed" {
            message: |locale| {
                let sources = &allowed_sources(*picture, hosts, *agent, locale);
                match picture {
                    true => messages::PictureNotAllowed { given, sources }.text(locale),
                    false => messages::LinkNotAllowed { given, sources }.text(locale),
                }
            },
            details: { "given": given, "hosts": hosts },
        }
        /// The edit extends beyond the part that may be changed.
        OutOfScope {
            /// The sections that may be changed: index and title.
            sections: Vec<(usize, String)>,
            /// The first and the last line that may be changed; `None` if the scope consists of sections.
            lines: Option<(usize, usize)>,
            /// The part of these lines.
            part: Part,
        } = "out_of_scope" {
            message: |locale| messages::OutOfScope { allowed_part: &allowed_part(sections, *lines, part, locale) }.text(locale),
            details: {
                "sections": sections.iter().map(|(index, _)| *index).collect::<Vec<_>>(),
                "lines": lines,
            },
        }
        /// The edit would change a section that the app has locked.
        Locked {
            /// The section, in the document before the edit.
            index: usize,
            /// Its title.
            title: String,
        } = "locked" {
            message: |locale| messages::Locked { index, title }.text(locale),
            details: { "index": index, "title": title },
        }
        /// The edit would drop something that its author may not have meant to drop.
        WouldDrop {
            /// The content that it would drop.
            dropped: Vec<Dropped>,
        } = "would_drop" {
            message: |locale| messages::WouldDrop { list_dropped: &list_dropped(dropped, locale) }.text(locale),
            details: { "dropped": dropped },
        }
        /// The edit would change something that its content does not speak of.
        WouldChangeUnsaid {
            /// The nodes, marks and attributes that would change.
            dropped: Vec<Dropped>,
        } = "would_drop" {
            message: |locale| messages::WouldChangeUnsaid { list_dropped: &list_dropped(dropped, locale) }.text(locale),
            details: { "dropped": dropped },
        }
        /// Content without lines that would delete most of the document.
        WouldDropMost {
            /// The number of lines that it would replace.
            lines: usize,
            /// The number of lines that it has.
            left: usize,
        } = "would_drop" {
            message: |locale| messages::WouldDropMost { left, lines }.text(locale),
            details: { "lines": lines, "left": left },
        }
        /// One of several edits names no lines.
        EditWithoutLines {
            /// Its number in the list.
            number: usize,
            /// The number of edits.
            count: usize,
        } = "invalid_parameter" {
            message: |locale| messages::EditWithoutLines { number, count }.text(locale),
        }
        /// Content without lines that is only a part of the text that it would replace.
        NotTheWhole {
            /// The content, and the lines that it resembles.
            partial: Box<Partial>,
        } = "would_drop" {
            message: |locale| partial_content(partial, locale),
            details: { "lines": partial.lines, "left": partial.left, "like": partial.like },
        }
        /// The content is Markdown, and the parser of Markdown is not loaded.
        MarkdownNotLoaded {
            /// The reason for which it could not be loaded; `None` if that was not tried.
            reason: Option<String>,
        } = "markdown_not_loaded" {
            message: |locale| match reason {
                None => messages::MARKDOWN_NOT_LOADED.text(locale).to_owned(),
                Some(reason) => messages::MarkdownNotLoadable { reason }.text(locale),
            },
        }
        /// The content is Markdown that would take too long to parse, or become too much HTML.
        MarkdownTooLarge {
            /// The given length, in bytes.
            length: usize,
            /// The limit that it exceeds.
            limit: MarkdownLimit,
        } = "too_large" {
            message: |locale| match limit {
                MarkdownLimit::Work => messages::MarkdownTooSlow { length }.text(locale),
                MarkdownLimit::Html(limit) => messages::MarkdownTooLong { length, limit }.text(locale),
            },
            details: (match limit {
                MarkdownLimit::Work => json!({ "length": length }),
                MarkdownLimit::Html(limit) => json!({ "length": length, "limit": limit }),
            }),
        }
        /// The parser of Markdown failed.
        MarkdownFailed {
            /// The message of the failure.
            reason: String,
        } = "markdown_failed" {
            message: |locale| messages::MarkdownFailed { reason: &excerpt(reason) }.text(locale),
            details: { "reason": reason },
        }
        /// The editor's schema does not allow a node of the edit.
        NotInSchema {
            /// The HTML tag or node name that is not allowed, or a node without an attribute that it requires.
            what: String,
        } = "not_in_schema" {
            message: |locale| messages::NotInSchema { what }.text(locale),
        }
        /// Neither a line nor a node around it has an attribute that is to be set.
        UnknownAttribute {
            /// The line.
            line: usize,
            /// The name of its type.
            kind: String,
            /// The attribute.
            given: String,
            /// The attributes that it and the nodes around it have.
            valid: Vec<String>,
        } = "unknown_attribute" {
            message: |locale| messages::UnknownAttribute { line, kind, given, valid: &listed(valid, locale) }.text(locale),
            details: { "line": line, "type": kind, "given": given, "valid": valid },
        }
        /// The editor did not take the change.
        EditorRefused {
            /// The message of the editor.
            reason: String,
        } = "editor_refused" {
            message: |locale| messages::EditorRefused { reason }.text(locale),
        }
        /// The editor that held the document has been destroyed.
        EditorDestroyed = "editor_destroyed" {
            message: |locale| messages::EDITOR_DESTROYED.text(locale),
        }
        /// The editor is read-only: no edit that a model asked for is made.
        ReadOnly = "read_only" {
            message: |locale| messages::READ_ONLY.text(locale),
        }
        /// A parameter that is not valid for the text that it is about.
        InvalidValue {
            /// The parameter.
            name: &'static str,
            /// The given value, cut to a readable length.
            given: String,
            /// The accepted values.
            expected: Message,
        } = "invalid_parameter" {
            message: |locale| messages::InvalidValue { name, given, expected: &expected.text(locale) }.text(locale),
            details: { "name": name, "given": given, "expected": expected.text(Locale::En) },
        }
        /// A fault of copydesk itself.
        Internal {
            /// A description of the failure.
            reason: String,
        } = "internal" {
            message: |locale| messages::Internal { reason }.text(locale),
        }
    }
    wraps {
        /// A wrong parameter or setting.
        Base(copydesk_base),
        /// Content that cannot be read.
        Document(copydesk_document: Base),
    }
}
