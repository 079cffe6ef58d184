//! The document as a request shows it: lines with their numbers, sections, and the user's selection.
//!
//! A document message stays in the conversation as it was sent
//! ([`Message::Document`](copydesk_llm::Message::Document)), so that the prefix of the next request is the same, byte
//! for byte, and providers find it in their caches. Later changes are stated in a further message, which maps the lines
//! to those that were shown before and has those that changed. That message has all lines again as soon as the changes
//! since the last such message amount to half of them: a conversation is at most one and a half times as long as with
//! the document shown once per change of all of it, and mostly much shorter.

use crate::Error;
use crate::messages;
use copydesk_base::locale::Locale;
use copydesk_document::align::{Relation, diff};
use copydesk_document::{Document, Line, Section, words};
use copydesk_edit::evidence::Evidence;
use copydesk_edit::guard::TrackedRange;
use copydesk_llm::tokens::estimate_text;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::ops::Range;

/// The first and the last line of a document message. No line inside begins like the last one.
const FENCE: [&str; 2] = ["<document>", "</document>"];
/// The number of tokens up to which a document is always shown whole.
const SMALL: usize = 400;
/// Number of lines on each side of the selection that are shown of a document that is too long to be shown whole.
const AROUND: usize = 10;
/// Number of characters of a selected text that are quoted.
const QUOTED: usize = 320;
/// Number of characters before a cursor that are quoted.
const BEFORE_CURSOR: usize = 30;
/// No token is longer on average, in positions of the document.
const WIDEST_TOKEN: usize = 8;

/// The state of the document that the conversation has told.
#[derive(Clone)]
pub struct Listing {
    /// The document of the last document message.
    listed: Document,
    /// The same, with the edits that results have told of since.
    told: Document,
    /// The content of the last message that does not build on another.
    whole: String,
    /// The tokens of the messages after it.
    later_tokens: usize,
    /// True if it was too long to have all lines.
    is_excerpt: bool,
    /// The selection as it was sent.
    selection: String,
    /// The range that was sent as selected.
    selected: Option<TrackedRange>,
    /// The state that the last answered request knew.
    known: Option<Document>,
}

/// The input of the next document message.
pub(super) struct ListingInput<'a> {
    /// The document.
    pub now: &'a Document,
    /// The state that was told so far, if the messages are still in the conversation.
    pub listing: Option<&'a Listing>,
    /// The last state that the model knew, also from removed messages.
    pub known: Option<&'a Document>,
    /// The user's selection, if it is sent.
    pub selection: Option<Range<usize>>,
    /// True for changes since the last document message, rather than since the last result.
    pub since_listed: bool,
    /// The path of the file that is open as the document.
    pub path: Option<&'a str>,
    /// The most tokens of a message.
    pub budget: usize,
    /// The language of the text around the lines.
    pub locale: Locale,
}

/// A document message, and the lines that it shows.
pub(super) struct DocumentMessage {
    pub content: String,
    pub evidence: Evidence,
    pub listing: Listing,
}

impl Listing {
    /// Records an edit whose result describes it.
    pub(super) fn edited(&mut self, before: &Document, after: &Document) {
        for state in std::iter::once(&mut self.told).chain(&mut self.known) {
            if state.version() == before.version() {
                *state = after.clone();
            }
        }
    }

    /// Takes in that the request with the last message is being answered.
    pub(super) fn answered(&mut self) {
        self.known = Some(self.told.clone());
    }

    /// Returns the last state that the model knew.
    pub(super) fn known(&self) -> Option<&Document> {
        self.known.as_ref()
    }

    /// Returns where the range that was told as selected is in a later state.
    pub(super) fn selection(&self, now: &Document) -> Option<Range<usize>> {
        self.selected.clone().map(|mut selected| selected.range(now))
    }

    /// Returns whether all lines were shown.
    pub(super) fn is_whole(&self) -> bool {
        !self.is_excerpt
    }

    /// Returns whether a text is that of the message that all later ones build on.
    pub(super) fn is_in(&self, content: &str) -> bool {
        self.whole == content
    }
}

impl ListingInput<'_> {
    /// Returns the next document message; `None` if the conversation has everything already. `evidence` returns new
    /// evidence of the document.
    ///
    /// # Errors
    /// As [`Document::numbered`].
    pub(super) fn show(&self, evidence: &dyn Fn() -> Evidence) -> Result<Option<DocumentMessage>, Error> {
        let selection = self.selection.as_ref().map(|range| self.selected(range)).unwrap_or_default();
        let base = self.listing.map(|listing| if self.since_listed { &listing.listed } else { &listing.told });
        let is_current = base.is_some_and(|base| base.version() == self.now.version());
        let selected = self.selection.clone().map(|range| TrackedRange::new(self.now, range));
        let is_told = selection.is_empty() || self.listing.is_some_and(|listing| listing.selection == selection);
        if is_current && is_told {
            return Ok(None);
        }
        let fits_maybe = self.now.size() / WIDEST_TOKEN <= self.budget;
        let all = || (1..=self.now.line_count()).collect::<BTreeSet<_>>();
        let mut whole = None;
        if !is_current && fits_maybe {
            let (evidence, written) = self.written(evidence(), &all(), None, &selection)?;
            let tokens = estimate_text(&written);
            whole = Some((written, evidence, tokens)).filter(|(.., tokens)| *tokens <= self.budget);
        }
        if let (Some(listing), Some(base)) = (self.listing, base)
            && whole.as_ref().is_none_or(|(.., tokens)| *tokens > SMALL)
        {
            let alignment = Alignment::of(base, self.now)?;
            // Changes are unknown in lines that were never shown.
            let lines = if listing.is_excerpt { self.excerpt(Some(&alignment)) } else { alignment.changed() };
            let (evidence, content) = self.written(evidence(), &lines, Some((base, &alignment)), &selection)?;
            let later_tokens = listing.later_tokens + estimate_text(&content);
            let limit = whole.as_ref().map_or(self.budget, |(.., tokens)| *tokens);
            if is_current || later_tokens <= limit / 2 {
                let listing = Listing {
                    listed: self.now.clone(),
                    told: self.now.clone(),
                    later_tokens,
                    selection: if selection.is_empty() { listing.selection.clone() } else { selection },
                    selected: selected.or_else(|| listing.selected.clone()),
                    ..listing.clone()
                };
                return Ok(Some(DocumentMessage { content, evidence, listing }));
            }
        }
        let is_excerpt = whole.is_none();
        let (evidence, content) = match whole {
            Some((content, evidence, _)) => (evidence, content),
            None => {
                let changed = self.known.map(|known| Alignment::of(known, self.now)).transpose()?;
                self.written(evidence(), &self.excerpt(changed.as_ref()), None, &selection)?
            }
        };
        let (now, whole, known) = (self.now.clone(), content.clone(), self.known.cloned());
        let listing =
            Listing { listed: now.clone(), told: now, whole, later_tokens: 0, is_excerpt, selection, selected, known };
        Ok(Some(DocumentMessage { content, evidence, listing }))
    }

    /// Writes a message with these lines.
    fn written(
        &self,
        mut evidence: Evidence,
        lines: &BTreeSet<usize>,
        since: Option<(&Document, &Alignment)>,
        selection: &str,
    ) -> Result<(Evidence, String), Error> {
        let (locale, total, version) = (self.locale, self.now.line_count(), self.now.version());
        let path = self.path.map(|path| path.split_whitespace().collect::<Vec<_>>().join(" ")).unwrap_or_default();
        let headline = match words::shorten(&path, QUOTED).as_str() {
            "" => messages::CurrentDocument { total: &total }.text(locale),
            path => messages::CurrentFile { path: &path, total: &total }.text(locale),
        };
        let mut text = format!("{headline}\n{} {version}", messages::VERSION.text(locale));
        if let Some((base, _)) = since {
            let _ = match base.version() {
                base if base == version => write!(text, "{}", messages::AS_BEFORE.text(locale)),
                base => write!(text, "{}", messages::ChangedSince { base: &base }.text(locale)),
            };
        }
        if since.is_none_or(|(base, _)| base.version() != version) || !lines.is_empty() {
            let mut next = 1;
            while next <= total {
                let end = self.same_run(next, lines, since);
                if lines.contains(&next) {
                    text += &evidence.with_whole_lines(next..=end)?;
                } else {
                    let _ = write!(text, "\n{}", self.not_shown(next..end + 1, since));
                }
                next = end + 1;
            }
            for gone in since.iter().flat_map(|(_, alignment)| &alignment.gone) {
                text += &messages::FormerGone { lines: &numbers(gone, locale) }.text(locale);
            }
            // The titles of the others are among the lines.
            let outline = self.outline_rows(since.is_none() && lines.len() < total);
            let left = if lines.len() < total { self.budget.saturating_sub(estimate_text(&text)) } else { usize::MAX };
            let sections = self.sections_within(left, &outline);
            let row = |section: Option<&Section>| match section {
                Some(section) if !sections.contains(&section.index) => String::new(),
                Some(section) => outline[section.index].clone(),
                None => messages::NO_SECTIONS.text(locale).to_owned(),
            };
            text += &evidence.with_outline_rows(&row);
            for hidden in [0..sections.start, sections.end..outline.len()] {
                if !hidden.is_empty() {
                    let (first, last) = (hidden.start, hidden.end - 1);
                    text += &messages::SectionsNotShown { first: &first, last: &last }.text(locale);
                }
            }
        }
        if !selection.is_empty() {
            let _ = write!(text, "\n{selection}");
        }
        // Other parts of a row, such as the language of a code block, may contain a newline.
        let text = text.replace("\n</document", "\n< /document");
        Ok((evidence, format!("{}\n{text}\n{}", FENCE[0], FENCE[1])))
    }

    /// Returns the last line of those from `first` on that are told in one row, or are shown together.
    fn same_run(&self, first: usize, lines: &BTreeSet<usize>, since: Option<(&Document, &Alignment)>) -> usize {
        let kind = |line: usize| {
            let was = since.and_then(|(_, alignment)| alignment.old[line - 1]);
            let is_shown = lines.contains(&line);
            (is_shown, was.filter(|_| !is_shown).map(|was| was.wrapping_sub(line)))
        };
        let is_same = |line: &usize| kind(*line) == kind(first);
        (first + 1..=self.now.line_count()).take_while(is_same).last().unwrap_or(first)
    }

    /// The row in the place of lines that are not shown.
    fn not_shown(&self, lines: Range<usize>, since: Option<(&Document, &Alignment)>) -> String {
        let locale = self.locale;
        let was = since.map(|(_, alignment)| alignment.old[lines.start - 1]);
        let here = numbers(&lines, locale);
        match was {
            None => messages::NotShown { here: &here }.text(locale),
            Some(None) => messages::ChangedNotShown { here: &here }.text(locale),
            Some(Some(was)) if was == lines.start => messages::Unchanged { here: &here }.text(locale),
            Some(Some(was)) => {
                let was = numbers(&(was..was + lines.len()), locale);
                messages::TheFormer { here: &here, was: &was }.text(locale)
            }
        }
    }

    /// Returns a row for each section: its first line, and its title where `titled`.
    fn outline_rows(&self, titled: bool) -> Vec<String> {
        let (now, locale) = (self.now, self.locale);
        let row = |section: &Section| {
            let first = now.line_numbers_of(section.blocks.start).start;
            let mut row = if section.blocks.is_empty() {
                messages::SectionEmpty { index: &section.index }.text(locale)
            } else {
                messages::SectionAt { index: &section.index, first: &first }.text(locale)
            };
            if titled {
                let _ = write!(row, " {}", Value::from(section.title.as_str()));
            }
            row
        };
        now.sections().iter().map(row).collect()
    }

    /// Returns the sections around the selection, or else the first ones, whose rows have at most `tokens` tokens.
    fn sections_within(&self, tokens: usize, rows: &[String]) -> Range<usize> {
        let block = self.selection.as_ref().map_or(0, |range| self.now.block_at(range.start));
        let sections = self.now.sections();
        let at = sections.iter().rposition(|section| section.blocks.start <= block).unwrap_or(0);
        let (mut shown, mut left) = (at..at, tokens);
        loop {
            // The nearer end first, and both alike.
            let after = (shown.end < rows.len()).then_some(shown.end);
            let before = shown.start.checked_sub(1);
            let next = match (before, after) {
                (Some(before), Some(after)) if at - before < after - at => before,
                (before, after) => match after.or(before) {
                    Some(next) => next,
                    None => return shown,
                },
            };
            let Some(rest) = left.checked_sub(estimate_text(&rows[next])) else { return shown };
            left = rest;
            shown = shown.start.min(next)..shown.end.max(next + 1);
        }
    }

    /// Returns the lines to show of a document that is too long: those of the selection, those that changed, and those
    /// around the selection, as many as fit into half of the budget. The outline gets the rest of it.
    fn excerpt(&self, alignment: Option<&Alignment>) -> BTreeSet<usize> {
        let total = self.now.line_count();
        let selected = self.selection.as_ref().map(|range| self.lines_of(range)).unwrap_or_default();
        let lines: Vec<usize> = selected.iter().map(|line| line.line).collect();
        let (first, last) = (lines.first().copied().unwrap_or(1), lines.last().copied().unwrap_or(1));
        let around = (1..=AROUND).flat_map(|away| [first.checked_sub(away), Some(last + away)]).flatten();
        let start = if lines.is_empty() { Some(1) } else { None };
        let changed = alignment.map(Alignment::changed).unwrap_or_default();
        let wanted = lines.iter().copied().chain(changed).chain(start).chain(around);
        let (mut shown, mut left) = (BTreeSet::new(), self.budget / 2);
        for number in wanted.filter(|line| (1..=total).contains(line)) {
            let text: usize = self.now.lines_between(number, number).iter().map(|line| estimate_text(&line.text)).sum();
            let Some(rest) = left.checked_sub(text + 4) else { break };
            left = rest;
            shown.insert(number);
        }
        shown
    }

    /// Returns the lines that a selection touches; for a range, those in which something is selected.
    fn lines_of(&self, range: &Range<usize>) -> Vec<Line> {
        let (now, last) = (self.now, self.now.blocks().len().saturating_sub(1));
        let blocks = now.block_at(range.start).min(last)..now.block_at(range.end).min(last) + 1;
        if now.is_empty() {
            return Vec::new();
        }
        let lines = now.lines_of_blocks(blocks);
        let touched = |line: &&Line| line.from <= range.end && line.to >= range.start;
        let inside = |line: &&Line| line.from < range.end && line.to > range.start;
        let within: Vec<Line> = lines.iter().filter(inside).cloned().collect();
        if within.is_empty() { lines.iter().filter(touched).take(1).cloned().collect() } else { within }
    }

    /// Returns a sentence that states the selection, or the position of the cursor.
    fn selected(&self, range: &Range<usize>) -> String {
        let locale = self.locale;
        let lines = self.lines_of(range);
        let (Some(first), Some(last)) = (lines.first(), lines.last()) else { return String::new() };
        let here = numbers(&(first.line..last.line + 1), locale);
        if range.is_empty() {
            let before = &first.text[..first.offset(range.start)];
            if before.is_empty() {
                return messages::CursorAtStart { here: &here }.text(locale);
            }
            let kept = before.char_indices().rev().take(BEFORE_CURSOR).last().map_or(0, |(at, _)| at);
            let before = Value::from(&before[kept..]);
            return messages::CursorAfter { here: &here, before: &before }.text(locale);
        }
        let part = |line: &Line| {
            let from = line.offset(range.start);
            line.text[from..line.offset(range.end).max(from)].to_owned()
        };
        let text = Value::from(words::shorten(&lines.iter().map(part).collect::<Vec<_>>().join("\n"), QUOTED));
        messages::Selected { here: &here, text: &text }.text(locale)
    }
}

/// Lines as they are named in a sentence.
fn numbers(lines: &Range<usize>, locale: Locale) -> String {
    match (lines.start, lines.end.saturating_sub(1)) {
        (first, last) if last <= first => messages::LineAt { first: &first }.text(locale),
        (first, last) => messages::LinesAt { first: &first, last: &last }.text(locale),
    }
}

/// The lines of a document that are as in an older one.
struct Alignment {
    /// For each line its former number; `None` if it is new or changed.
    old: Vec<Option<usize>>,
    /// The old lines without a corresponding new line.
    gone: Vec<Range<usize>>,
}

impl Alignment {
    fn of(then: &Document, now: &Document) -> Result<Alignment, Error> {
        let mut alignment = Alignment { old: vec![None; now.line_count()], gone: Vec::new() };
        for chunk in diff(&rows(then)?, &rows(now)?) {
            match chunk.relation {
                Relation::Equal => chunk.old.zip(chunk.new).for_each(|(was, at)| alignment.old[at] = Some(was + 1)),
                _ if chunk.new.is_empty() => alignment.gone.push(chunk.old.start + 1..chunk.old.end + 1),
                _ => {}
            }
        }
        // A block may have changes that no row shows, and nothing of a new block was shown.
        for (at, block) in now.blocks().iter().enumerate() {
            let lines = now.line_numbers_of(at);
            let was = then.block_with_id(now.block_ids()[at]).map(|at| &then.blocks()[at]);
            let reads_same = || lines.clone().all(|line| alignment.old[line - 1].is_some());
            if was.is_none() || (was != Some(block) && reads_same()) {
                alignment.old[lines.start - 1..lines.end - 1].fill(None);
            }
        }
        Ok(alignment)
    }

    fn changed(&self) -> BTreeSet<usize> {
        (1..=self.old.len()).filter(|line| self.old[line - 1].is_none()).collect()
    }
}

/// The rows of a document's lines without their numbers.
fn rows(document: &Document) -> Result<Vec<String>, Error> {
    if document.line_count() == 0 {
        return Ok(Vec::new());
    }
    let (text, rows) = document.whole_rows(1..=document.line_count()).map_err(copydesk_edit::Error::from)?;
    let row = |(line, row): (usize, Range<usize>)| {
        text[row].split_once(&format!("{line}: ")).map_or("", |(_, row)| row).to_owned()
    };
    Ok(rows.into_iter().map(row).collect())
}
