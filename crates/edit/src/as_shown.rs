//! Content in the notation in which a document was shown: a model that read numbered lines with their signs, fences
//! around code and long lines cut short may write them back like this. None of it is content.
//!
//! [`notation`](copydesk_document::notation) defines what is written and how it is read.

use super::content;
use super::fence::Fences;
use super::markdown_syntax::without_code;
use copydesk_base::catalog;
use copydesk_document::notation::Prefix;
use copydesk_document::{Document, Line, LineRef, MARK_START, OBJECT, Style, cut_line, line_text_in, shown_text};
use rustc_hash::FxHashMap;
use std::borrow::Cow;

/// Returns the lines of a content. A newline at its end ends the last line and begins none.
pub fn lines(content: &str) -> Vec<String> {
    each_line(content).map(str::to_owned).collect()
}

/// Returns the lines that [`lines`] returns, as parts of the content.
pub fn each_line(content: &str) -> impl Iterator<Item = &str> {
    let content = content.strip_suffix('\n').unwrap_or(content);
    content.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line))
}

/// Returns whether content repeats a character reference, such as `&lt;`, that is not in an old text but in the form in
/// which that text is shown. Such content is written as lines are shown.
pub fn repeats_reference(content: &str, old: &str) -> bool {
    let shown = shown_text(old);
    let is_of_shown = |word: &&str| !old.split_whitespace().any(|own| own == *word);
    let mut words = shown.split_whitespace().filter(|word| word.contains('&')).filter(is_of_shown);
    shown.contains("&lt;") && !old.contains("&lt;") && content.contains("&lt;")
        || words.any(|word| content.contains(word))
}

/// The lines of a document whose shown form differs from their text, by that form.
#[derive(Default)]
pub struct ShownLines {
    /// The texts of lines with marks, and how many lines are shown so.
    texts: FxHashMap<String, (String, usize)>,
    /// The ends of truncated lines, by the markers that are shown in their place.
    ends: FxHashMap<String, String>,
}

impl ShownLines {
    /// Returns the lines of a document that contents may repeat. Of lines with marks, only those whose text the
    /// contents replace are included, since a row that equals any other line states its marks.
    pub fn of<'c>(
        document: &Document,
        is_named: impl Fn(usize) -> bool,
        contents: impl Iterator<Item = &'c str>,
    ) -> ShownLines {
        let (mut has_marks, mut has_ends) = (false, false);
        for content in contents {
            has_marks |= content.contains(['<', '&']) && content::is_inline(&without_code(content));
            has_ends |= content.contains(MARK_START);
        }
        let mut lines = ShownLines::default();
        if has_marks || has_ends {
            document.each_line(0..document.blocks().len(), &mut |line| {
                let has_marks = has_marks && is_named(line.line);
                lines.add(document, line, has_marks);
            });
        }
        lines
    }

    fn add(&mut self, document: &Document, line: LineRef<'_>, has_marks: bool) {
        let schema = document.schema();
        if let Some(cut) = cut_line(schema, line, Style::Structure) {
            let marks = catalog::locales().into_iter().map(|locale| cut.mark_in(locale));
            self.ends.extend(marks.map(|mark| (mark, cut.rest.to_string())));
        }
        let shown = if has_marks { line_text_in(schema, line, Style::Structure) } else { line.text.into() };
        if shown != line.text {
            self.texts.entry(shown.trim_end().to_owned()).or_insert_with(|| (line.text.to_owned(), 0)).1 += 1;
        }
    }

    /// Returns content in which shown forms are replaced by the text of their lines, and the markers of truncated lines
    /// by their ends. Further rows of the same form are new, and state their marks.
    pub fn restored(&self, content: &str) -> String {
        if self.texts.is_empty() && self.ends.is_empty() {
            return content.to_owned();
        }
        let mut left: FxHashMap<&str, usize> = FxHashMap::default();
        let mut fences = Fences::default();
        let lines = content.split('\n').map(|line| {
            let whole = self.whole(line);
            let text = if fences.read(line) { None } else { self.text(&whole, &mut left) };
            text.map(Cow::Owned).unwrap_or(whole)
        });
        lines.collect::<Vec<_>>().join("\n")
    }

    fn whole<'l>(&self, line: &'l str) -> Cow<'l, str> {
        let end = line.rfind(MARK_START).and_then(|start| Some((start, self.ends.get(line[start..].trim_end())?)));
        end.map_or(Cow::Borrowed(line), |(start, rest)| Cow::Owned(line[..start].to_owned() + rest))
    }

    /// Returns a row with the text of the line, or the cells, that it shows. `left` counts the lines of each form
    /// that no row is so far.
    fn text<'s>(&'s self, row: &str, left: &mut FxHashMap<&'s str, usize>) -> Option<String> {
        if !row.contains(['<', '&']) {
            return None;
        }
        let mut take = |shown: &str| {
            let (shown, (text, count)) = self.texts.get_key_value(shown)?;
            // As a text it would be a tag.
            let text = Some(text).filter(|text| !content::has_tag(text))?;
            let left = left.entry(shown).or_insert(*count);
            *left = left.checked_sub(1)?;
            Some(text)
        };
        let starts = row.char_indices().map(|(at, _)| at).take_while(|at| may_be_signs(&row[..*at]));
        let found = starts.filter_map(|at| Some((at, take(row[at..].trim_end())?))).next();
        if let Some((at, text)) = found {
            return Some(row[..at].to_owned() + text);
        }
        let mut cell = |cell: &str| match take(cell.trim()).filter(|text| !text.contains('|')) {
            Some(text) => cell.replacen(cell.trim(), text, 1),
            None => cell.to_owned(),
        };
        row.trim_start().starts_with('|').then(|| row.split('|').map(&mut cell).collect::<Vec<_>>().join("|"))
    }
}

/// Returns whether nothing but a number and signs can be in the beginning of a row.
fn may_be_signs(text: &str) -> bool {
    text.chars().all(|c| {
        matches!(
            c,
            ' ' | '\t' | ':' | '>' | '#' | '-' | '*' | '+' | '|' | '.' | ')' | '[' | ']' | 'x' | 'X' | '、' | '▸'
        ) || c.is_ascii_digit()
    })
}

/// The prefixes of the lines of a document. A block is looked at once if its lines are asked for in sequence.
pub struct Prefixes<'d> {
    document: &'d Document,
    /// The block visited last, and the prefixes of its lines.
    open: (Option<usize>, Vec<Prefix>),
}

impl<'d> Prefixes<'d> {
    /// Prepares for the lines of a document.
    pub fn new(document: &'d Document) -> Prefixes<'d> {
        Prefixes { document, open: (None, Vec::new()) }
    }

    /// Returns the prefix of a line.
    pub fn of(&mut self, line: &Line) -> Prefix {
        if self.open.0 != Some(line.block) {
            self.open = (Some(line.block), self.document.prefixes(line.block));
        }
        let first = self.document.line_numbers_of(line.block).start;
        let prefix = line.line.checked_sub(first).and_then(|at| self.open.1.get(at));
        prefix.cloned().unwrap_or_default()
    }
}

/// Returns a line's text for comparison with what a model writes: without the characters that represent objects, and
/// without white space at its end.
pub fn comparable(text: &str) -> String {
    text.replace(OBJECT, "").trim_end().to_owned()
}
