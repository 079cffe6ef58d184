//! Resolves an edit of text: the blocks that change, and their new content.
//!
//! A text in one line changes nothing outside of its range. A text over several lines is an edit of these lines: the
//! first keeps the text before the range, the last the text behind it. As many new lines keep their blocks, fewer are
//! joined, more are added.

use super::apply::DocumentHost;
use super::as_shown::Prefixes;
use super::attributes::Known;
use super::content::{self, Format};
use super::find_text::{self, Found, Place, Reading, in_one_line, sign_of};
use super::inlines::Inlines;
use super::lines::{self, LinesResolved};
use super::marks_in_text::{self, MarkedText};
use super::named_parts::NamedParts;
use super::operation::LineEdit;
use super::rows::{self, InlineLine};
use super::target::TextMatch;
use super::typography::adapted;
use super::wrapping;
use super::{markdown, retext, runs, same_text};
use crate::Error;
use crate::messages;
use copydesk_base::error::excerpt;
use copydesk_document::notation::{Prefix, Sign};
use copydesk_document::{Document, Line, Marks, Node, join_texts, words};
use std::ops::{Range, RangeInclusive};

/// Lines, and their new content.
type NewLines = Vec<(RangeInclusive<usize>, Vec<InlineLine>)>;

/// A resolved edit of text.
#[derive(Debug, Default)]
pub struct TextResolved {
    /// The top-level blocks that change.
    pub blocks: Range<usize>,
    /// Their replacements.
    pub with: Vec<Node>,
    /// The lines of each place.
    pub lines: Vec<RangeInclusive<usize>>,
    /// True if the text matches to the letter, not only after normalization.
    pub exact: bool,
    /// True if the new text was Markdown.
    pub from_markdown: bool,
}

/// Resolves an edit of text.
///
/// # Errors
/// As [`find_text::find`]; an invalid parameter if cells of a table would be joined or split.
pub fn resolve(
    host: &dyn DocumentHost,
    document: &Document,
    asked: &TextMatch,
    new: &str,
    format: Option<Format>,
) -> Result<TextResolved, Error> {
    let lines = document.lines();
    if let Some(edit) = shown_lines_edit(document, &lines, asked, new, format) {
        let LinesResolved { blocks, with, from_markdown, .. } =
            lines::resolve(host, document, std::slice::from_ref(&edit))?;
        let range = edit.range().lines(lines.len())?;
        return Ok(TextResolved { blocks, with, lines: vec![range], exact: false, from_markdown });
    }
    let mut inlines = Inlines::new(document, &lines);
    let mut has_marks = |place: &Place, named: &str| match place.lines {
        [line] => {
            let inline = inlines.of(line.line - 1);
            let named = NamedParts::of(host, document, inline, place, named).ok().flatten();
            named.is_some_and(|named| named.have_their_marks())
        }
        _ => false,
    };
    let Found { places, reading, exact } = find_text::find(document, &lines, asked, new, &mut has_marks)?;
    if let Some(edit) = as_lines_edit(document, asked, new, format, &places) {
        let LinesResolved { blocks, with, from_markdown, .. } = lines::resolve(host, document, &[edit])?;
        let lines = places.iter().map(|place| place.first()..=place.last()).collect();
        return Ok(TextResolved { blocks, with, lines, exact: false, from_markdown });
    }
    let decoded = match format {
        // An escaped text has no such sign.
        None if !reading.new.contains('<') => wrapping::decoded(host, reading.new.clone(), &[])?,
        _ => reading.new.clone(),
    };
    let deletes_line = new.is_empty() && asked.old.trim_matches(['\r', '\n']).len() < asked.old.len();
    let readings = Readings { decoded: Reading { new: decoded, ..reading.clone() }, literal: reading };
    let mut edit = TextEdit { host, document, inlines, format, from_markdown: false };
    let mut contents: NewLines = Vec::new();
    for group in places.chunk_by(in_one_line) {
        match group {
            [place] if place.lines.len() > 1 || edit.adds_lines(place, &readings) => {
                let overlaps = contents.last().is_some_and(|(lines, _)| *lines.end() >= place.first());
                if !overlaps {
                    edit.over_lines(place, &readings, &mut contents)?;
                }
            }
            // If the end of a line is removed with all of its text, the line is removed.
            [place] if deletes_line && place.end - place.start == place.lines[0].text.len() => {
                push(&mut contents, place.first(), Vec::new());
            }
            group => push(&mut contents, group[0].first(), edit.in_line(group, &readings)?),
        }
    }
    let (blocks, with) = lines::with_contents(host, document, contents)?;
    let lines = places.iter().map(|place| place.first()..=place.last()).collect();
    Ok(TextResolved { blocks, with, lines, exact, from_markdown: edit.from_markdown })
}

/// Adds the content of a line. Lines beside each other that go are one range.
fn push(contents: &mut NewLines, line: usize, content: Vec<InlineLine>) {
    match contents.last_mut() {
        Some((lines, last)) if last.is_empty() && content.is_empty() && lines.end() + 1 == line => {
            *lines = *lines.start()..=line;
        }
        _ => contents.push((line..=line, content)),
    }
}

/// Returns an edit of lines for a text that is these lines as they are shown, if they are shown so nowhere else and no
/// line has the text as its own.
fn shown_lines_edit(
    document: &Document,
    lines: &[Line],
    asked: &TextMatch,
    new: &str,
    format: Option<Format>,
) -> Option<LineEdit> {
    let old: Vec<&str> = asked.old.trim_matches('\n').lines().map(str::trim_end).collect();
    let is_shown = old.iter().any(|row| rows::begins(row));
    if !is_shown || format.is_some() || asked.all || new.trim().is_empty() || !new.lines().any(rows::begins) {
        return None;
    }
    if lines.iter().any(|line| line.text.contains(old[0])) {
        return None;
    }
    let shown = rows::shown_as(document, lines);
    let matches = |rows: &[String]| rows.iter().zip(&old).all(|(row, old)| row.trim() == old.trim());
    let mut found = shown.windows(old.len()).enumerate().filter(|(_, rows)| matches(rows)).map(|(at, _)| at);
    let (at, None) = (found.next()?, found.next()) else { return None };
    // A text that is given without its shown indent lacks it in the new text as well.
    let indent = &shown[at][..shown[at].len() - shown[at].trim_start().len()];
    let indent = if old[0].starts_with(' ') { "" } else { indent };
    let content: Vec<String> = new.trim_matches('\n').lines().map(|row| format!("{indent}{row}")).collect();
    Some(LineEdit {
        start_line: Some(at as i64 + 1),
        end_line: Some((at + old.len()) as i64),
        content: content.join("\n"),
        format,
    })
}

/// Returns an edit of whole lines that were named with their shown signs and get others: a task is ticked, a heading
/// gets another level, items are added; or of paragraphs that blocks replace. The last line may be named by its
/// beginning if its signs change. `None` for any other edit.
fn as_lines_edit(
    document: &Document,
    asked: &TextMatch,
    new: &str,
    format: Option<Format>,
    places: &[Place],
) -> Option<LineEdit> {
    let [place] = places else { return None };
    let rows = |text: &'_ str| -> Vec<String> {
        text.lines().filter(|line| !line.trim().is_empty()).map(str::to_owned).collect()
    };
    let (old, rows) = (rows(&asked.old), rows(new));
    let filled: Vec<&Line> = place.lines.iter().filter(|line| !line.text.trim().is_empty()).collect();
    // Behind the text, in its last line.
    let rest = &place.lines.last()?.text[place.end..];
    if place.start > 0 || filled.len() != old.len() || rows.is_empty() || filled[0].is_code(document.schema()) {
        return None;
    }
    let mut prefixes = Prefixes::new(document);
    let prefixes: Vec<Prefix> = filled.iter().map(|line| prefixes.of(line)).collect();
    let signs = |rows: &[String]| rows.iter().map(|row| sign_of(row).to_owned()).collect::<Vec<_>>();
    let (old_signs, new_signs) = (signs(&old), signs(&rows));
    let is_shown = |((sign, line), prefix): ((&String, &&Line), &Prefix)| match sign.is_empty() {
        true => prefix.is_empty(),
        false => !line.text.starts_with(sign.as_str()),
    };
    let are_shown = old_signs.iter().zip(&filled).zip(&prefixes).all(is_shown);
    let has_signs = |signs: &[String]| signs.iter().any(|sign| !sign.is_empty());
    let has_blocks = || {
        let begins =
            |row: &String| markdown::heading(row).is_some_and(|(level, _)| level > 1) || markdown::item(row).is_some();
        let is_image = |row: &String| row.starts_with("![") && row.ends_with(')') && row.contains("](");
        let has_tags = || filled.iter().any(|line| content::has_tag(&line.text));
        content::has_tag(new) && !content::is_inline(new) && !has_tags()
            || rows.iter().any(is_image)
            || rows.len() > 1 && rows.iter().any(begins) && markdown::looks_like(new)
    };
    // A line of text with similar items below.
    let (begin, end) = (prefixes.first()?, prefixes.last()?);
    let goes_on = rest.is_empty()
        && !has_signs(&old_signs)
        && old.len() == 1
        && rows.len() > 1
        && matches!(end.signs().last(), Some(Sign::Bullet | Sign::Number(_) | Sign::Task { .. }))
        && rows[1..].iter().all(|row| end.without_indents().read(row.trim_start()).is_some())
        && !filled[0].text.starts_with(sign_of(&rows[1]));
    if goes_on && format.is_none() {
        let outer: String = begin.signs().iter().take(begin.signs().len() - 1).map(Sign::to_string).collect();
        let first = begin.without_indents();
        let content = std::iter::once(format!("{outer}{first}{}", rows[0]));
        let content = content.chain(rows[1..].iter().map(|row| format!("{outer}{}", row.trim_start())));
        return Some(LineEdit {
            start_line: Some(place.first() as i64),
            end_line: Some(place.last() as i64),
            content: content.collect::<Vec<_>>().join("\n"),
            format,
        });
    }
    let is_meant = are_shown
        && format != Some(Format::Text)
        && match has_signs(&old_signs) {
            true => old_signs != new_signs && has_signs(&new_signs) && (rest.is_empty() || rows.len() == old.len()),
            false => rest.is_empty() && has_blocks(),
        };
    // A text that is given without its shown indent lacks it in the new text as well.
    let indent = prefixes.first()?.signs().iter().filter(|sign| **sign == Sign::Indent).count();
    let is_bare = !old[0].starts_with([' ', '\t']) && has_signs(&old_signs);
    let indent = if is_bare { Sign::Indent.to_string().repeat(indent) } else { String::new() };
    let content: Vec<String> = new.lines().map(|line| format!("{indent}{line}")).collect();
    is_meant.then(|| LineEdit {
        start_line: Some(place.first() as i64),
        end_line: Some(place.last() as i64),
        content: content.join("\n") + rest,
        format,
    })
}

/// The new text as it was written, and with its character references decoded.
struct Readings {
    literal: Reading,
    decoded: Reading,
}

impl Readings {
    /// Returns the reading for lines: entities are decoded where neither the lines nor the old text have any.
    fn of(&self, lines: &[Line], is_code: bool) -> &Reading {
        let has_entity = || wrapping::has_entity(&self.literal.old);
        match is_code || has_entity() || lines.iter().any(|line| wrapping::has_entity(&line.text)) {
            true => &self.literal,
            false => &self.decoded,
        }
    }
}

struct TextEdit<'d> {
    host: &'d dyn DocumentHost,
    document: &'d Document,
    inlines: Inlines<'d>,
    /// The stated format of the new text.
    format: Option<Format>,
    from_markdown: bool,
}

impl TextEdit<'_> {
    /// Places in one line.
    fn in_line(&mut self, places: &[Place], readings: &Readings) -> Result<Vec<InlineLine>, Error> {
        let schema = self.document.schema();
        let line = &places[0].lines[0];
        let is_code = line.is_code(self.document.schema());
        let reading = readings.of(places[0].lines, is_code);
        let mut inline = self.inlines.of(line.line - 1).to_vec();
        let known = Known::of(&inline);
        let old = inline.clone();
        if let Some(named) = reading.marked.as_deref().filter(|_| !is_code) {
            for place in places {
                inline = self.without_named(inline, place, named)?;
            }
        }
        let texts: Vec<String> = places.iter().map(|place| new_text(line, &place.bytes(), reading)).collect();
        if is_code || !self.may_have_marks(&reading.new) {
            let ranges: Vec<Range<usize>> = places.iter().map(Place::bytes).collect();
            let all_equal = texts.windows(2).all(|pair| pair[0] == pair[1]);
            match texts.first().filter(|_| all_equal) {
                Some(text) => inline = retext::replace_all(schema, &inline, &ranges, text),
                None => {
                    for (range, text) in ranges.into_iter().zip(&texts).rev() {
                        inline = retext::replace_all(schema, &inline, &[range], text);
                    }
                }
            }
            let is_gone = !line.text.trim().is_empty() && runs::flat_text(schema, &inline).trim().is_empty();
            // An empty line would be left.
            return Ok(if is_gone && self.has_other_lines(line) { Vec::new() } else { as_lines(inline) });
        }
        for (place, text) in places.iter().zip(&texts).rev() {
            let found = &line.text[place.bytes()];
            let marked = self.marked(found, text, line.block)?;
            inline = match marked {
                Some(marked) => self.with_marked(&inline, &old, place.bytes(), marked, &known),
                None => retext::replace_all(schema, &inline, &[place.bytes()], text),
            };
        }
        Ok(as_lines(inline))
    }

    /// Returns whether the block of a line has other lines.
    fn has_other_lines(&self, line: &Line) -> bool {
        let around = self.document.lines_between(line.line.saturating_sub(1).max(1), line.line + 1);
        around.iter().any(|other| other.line != line.line && other.path == line.path)
    }

    /// Returns inline content of a line without the marks that were stated for the text to find: only the new text
    /// states which of them stay.
    fn without_named(&self, inline: Vec<Node>, place: &Place, named: &str) -> Result<Vec<Node>, Error> {
        let Some(named) = NamedParts::of(self.host, self.document, &inline, place, named)? else { return Ok(inline) };
        let (schema, length) = (self.document.schema(), place.lines[0].text.len());
        let mut out = runs::cut(schema, &inline, 0..named.bytes.start);
        out.extend(named.parts.iter().flat_map(|(named, old)| {
            old.iter().map(|old| {
                let is_named = |kind| named.marks().iter().any(|mark| mark.kind == kind);
                let marks = old.marks().iter().filter(|mark| !is_named(mark.kind)).cloned();
                old.with_marks(marks.collect::<Vec<_>>().into())
            })
        }));
        out.extend(runs::cut(schema, &inline, named.bytes.end..length));
        Ok(join_texts(out))
    }

    /// Returns inline content with a marked text in a range. A mark of it that was in the line has the attributes that
    /// it had there; any other one takes those that it does not state from the mark of its kind in the range of `old`,
    /// the old line.
    fn with_marked(
        &mut self,
        inline: &[Node],
        old: &[Node],
        range: Range<usize>,
        marked: MarkedText,
        known: &Known,
    ) -> Vec<Node> {
        self.from_markdown |= marked.from_markdown;
        let schema = self.document.schema();
        let newline = || vec![Node::text_node(schema, "\n", Marks::NONE)];
        let new: Vec<Node> = known.keep_inline(schema, marked.lines.join(&newline()[..]), "");
        let length = runs::flat_text(schema, inline).len();
        let (before, behind) =
            (runs::cut(schema, inline, 0..range.start), runs::cut(schema, inline, range.end..length));
        let around = |new: Vec<Node>| join_texts([before.clone(), new, behind.clone()].concat());
        let text = runs::flat_text(schema, &new);
        let place = range.start..range.start + text.len();
        let there = retext::replace_all(schema, old, std::slice::from_ref(&range), &text);
        let new = same_text::with_attributes(schema, new, &runs::cut(schema, &there, place));
        let kept = retext::replace_all(schema, inline, &[range], &text);
        // Without marks it has those of the text that it replaces.
        match new.iter().all(|node| node.is_text() && node.marks().is_empty()) {
            true => kept,
            false => same_text::with_marks(schema, kept, &around(new)),
        }
    }

    /// Returns whether the new text for a place in one line of text makes several lines of it.
    fn adds_lines(&self, place: &Place, readings: &Readings) -> bool {
        readings.literal.new.trim().contains('\n')
            && !place.lines.iter().any(|line| line.is_code(self.document.schema()))
    }

    /// A place over several lines.
    fn over_lines(&mut self, place: &Place, readings: &Readings, changes: &mut NewLines) -> Result<(), Error> {
        let schema = self.document.schema();
        // Empty lines separate paragraphs; in code they are lines.
        let code = place.lines.iter().all(|line| line.is_code(self.document.schema()));
        let reading = readings.of(place.lines, code);
        let counts = |text: &str| code || !text.trim().is_empty();
        let lines: Vec<Line> = place.lines.iter().filter(|line| counts(&line.text)).cloned().collect();
        let (Some(first), Some(last)) = (lines.first(), lines.last()) else { return Ok(()) };
        let (start, end) = with_spaces(place, &reading.old);
        let (before, behind) = (&first.text[..start], &last.text[end..]);
        let found: Vec<&str> = (0..lines.len())
            .map(|at| {
                let from = if at == 0 { start } else { 0 };
                let to = if at + 1 == lines.len() { end } else { lines[at].text.len() };
                &lines[at].text[from..to]
            })
            .collect();
        let old = reading.old.split('\n').filter(|line| counts(line)).zip(&found);
        let old: Vec<&str> = old.map(|(line, found)| with_spaces_of(line, found)).collect();
        let found = found.join("\n");
        let new: Vec<&str> = reading.new.split('\n').filter(|line| counts(line)).collect();
        // In code every space counts.
        let mut new = match code {
            true => {
                let new = indented(&reading.old, &new, &found);
                let lead = &reading.old[..indent(&reading.old).len()];
                match new.strip_prefix(lead).filter(|_| start == place.start) {
                    Some(rest) => rest.to_owned(),
                    None => new,
                }
            }
            false => adapted(&old.join("\n"), &new.join("\n"), &found),
        };
        // Removing a text does not join the words around it.
        if new.is_empty() && words::is_one_word(before, behind) {
            new.push(' ');
        }
        let marked = match code || !self.may_have_marks(&new) {
            true => None,
            false => self.marked(&found, &new, first.block)?,
        };
        self.from_markdown |= marked.as_ref().is_some_and(|marked| marked.from_markdown);
        let mut contents: Vec<Vec<Node>> = match marked {
            Some(marked) => marked.lines,
            None => new.split('\n').map(|line| self.text(line)).collect(),
        };
        if let Some(line) = contents.first_mut() {
            line.splice(0..0, self.text(before));
        }
        if let Some(line) = contents.last_mut() {
            line.extend(self.text(behind));
        }
        let contents: Vec<Vec<Node>> = contents.into_iter().map(join_texts).collect();
        let texts: Vec<String> = contents.iter().map(|nodes| runs::flat_text(schema, nodes)).collect();
        if texts.len() != lines.len() && lines.iter().any(|line| self.holder(line) != self.holder(first)) {
            let count = lines.len();
            return Err(Error::InvalidValue {
                name: "new",
                given: excerpt(&reading.new),
                expected: messages::ExpectedLines { count: &count }.message(),
            });
        }
        let content = |nodes| InlineLine { nodes, keeps_marks: true };
        let is_empty = texts.iter().all(String::is_empty);
        let contents = if is_empty { Vec::new() } else { contents.into_iter().map(content).collect() };
        changes.push((first.line..=last.line, contents));
        Ok(())
    }

    fn may_have_marks(&self, text: &str) -> bool {
        match self.format {
            Some(Format::Text) => false,
            Some(Format::Html | Format::Markdown) => !text.is_empty(),
            None => text.contains(['<', '*', '_', '`', '~', '[', '$']),
        }
    }

    /// Reads the marks in a new text for one that was found.
    fn marked(&self, found: &str, new: &str, block: usize) -> Result<Option<MarkedText>, Error> {
        marks_in_text::read(self.host, self.document, found, new, self.format, block)
    }

    fn text(&self, text: &str) -> Vec<Node> {
        match text.is_empty() {
            true => Vec::new(),
            false => vec![Node::text_node(self.document.schema(), text, Marks::NONE)],
        }
    }

    /// Returns the path of the innermost cell, or other isolating node, that a line is in.
    fn holder<'l>(&self, line: &'l Line) -> &'l [usize] {
        let schema = self.document.schema();
        let (mut siblings, mut holder) = (self.document.blocks(), 0);
        for (depth, index) in line.path.iter().enumerate() {
            let Some(node) = siblings.get(*index) else { break };
            if schema.node_type(node.kind()).isolating {
                holder = depth + 1;
            }
            siblings = node.children();
        }
        &line.path[..holder]
    }
}

/// Returns the new lines of code with the indentation that the lines found have more than the text to find, if all of
/// them but the first have the same.
fn indented(old: &str, new: &[&str], found: &str) -> String {
    let more = |(old, found): (&str, &str)| indent(found).strip_suffix(indent(old)).map(str::to_owned);
    let lines = old.split('\n').zip(found.split('\n')).skip(1).filter(|(old, _)| !old.trim().is_empty());
    let mut more = lines.map(more);
    let first = more.next().flatten().unwrap_or_default();
    if more.any(|more| more.as_ref() != Some(&first)) {
        return new.join("\n");
    }
    let line = |(at, line): (usize, &&str)| match at == 0 || line.trim().is_empty() {
        true => (*line).to_owned(),
        false => first.clone() + line,
    };
    new.iter().enumerate().map(line).collect::<Vec<_>>().join("\n")
}

/// Returns the spaces and tabs that a line begins with.
fn indent(line: &str) -> &str {
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}

/// Returns the bytes at which a place over several lines begins and ends, with the spaces that the text to find has at
/// its own ends: lines are found without those.
fn with_spaces(place: &Place, old: &str) -> (usize, usize) {
    let (first, last) = (&place.lines[0].text, &place.lines[place.lines.len() - 1].text);
    let old = old.trim_matches('\n');
    let (lead, trail) = (&old[..old.len() - old.trim_start().len()], &old[old.trim_end().len()..]);
    let start = if first[..place.start].ends_with(lead) { place.start - lead.len() } else { place.start };
    let end = if last[place.end..].starts_with(trail) { place.end + trail.len() } else { place.end };
    (start, end)
}

/// Returns a line of the text to find with spaces only at the ends at which the line found has some: lines are found without
/// those.
fn with_spaces_of<'l>(line: &'l str, found: &str) -> &'l str {
    let line = if found.starts_with(char::is_whitespace) { line } else { line.trim_start() };
    if found.ends_with(char::is_whitespace) { line } else { line.trim_end() }
}

/// Returns the new text for a place in a line: with the typography of the unchanged text, and without newlines at its
/// ends that would begin an empty line.
fn new_text(line: &Line, range: &Range<usize>, reading: &Reading) -> String {
    let (before, behind) = (&line.text[..range.start], &line.text[range.end..]);
    let found = &line.text[range.clone()];
    let mut new = adapted(&reading.old, &reading.new, found);
    if before.trim().is_empty() {
        new = new.trim_start_matches('\n').to_owned();
    }
    if behind.trim().is_empty() {
        new = new.trim_end_matches('\n').to_owned();
    }
    // Blank lines separate paragraphs.
    while new.contains("\n\n") {
        new = new.replace("\n\n", "\n");
    }
    new
}

/// Inline content as a line. Newlines in its text begin new lines.
fn as_lines(inline: Vec<Node>) -> Vec<InlineLine> {
    let mut lines = vec![Vec::new()];
    for node in inline {
        match node.text() {
            Some(text) if text.contains('\n') => {
                for (index, piece) in text.split('\n').enumerate() {
                    if index > 0 {
                        lines.push(Vec::new());
                    }
                    if let (false, Some(last)) = (piece.is_empty(), lines.last_mut()) {
                        last.push(node.with_text(piece));
                    }
                }
            }
            _ => lines.last_mut().into_iter().for_each(|last| last.push(node.clone())),
        }
    }
    lines.into_iter().map(|nodes| InlineLine { nodes: join_texts(nodes), keeps_marks: false }).collect()
}
