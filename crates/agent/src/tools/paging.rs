//! Paging of results that are too long for the model to read at once: it gets the beginning, and reads on with
//! `read_more`.
//!
//! Nothing is lost: the shown parts, joined, are exactly the result. A long text inside a result is cut by itself, so
//! that the result keeps its structure. If there are too many texts for that, the whole result is shown as the
//! beginning of its JSON.

use crate::Error;
use crate::messages;
use copydesk_base::locale::Locale;
use copydesk_document::words::signs;
use copydesk_edit::evidence::Evidence;
use copydesk_llm::tokens::{estimate_text, estimate_value};
use serde_json::Value;
use std::ops::Range;
use std::rc::Rc;

/// The name of the tool that reads on.
pub const READ_MORE: &str = "read_more";
/// The most text that is kept, in bytes. A single text that is longer loses its end.
pub const MOST_BYTES: usize = 8 << 20;
/// The shortest length that texts inside a result are cut to, in bytes; otherwise the whole result is cut.
const SHORTEST: usize = 1_000;
/// The most that a mark takes, in bytes and in tokens.
const MARK: (usize, usize) = (200, 60);
/// The longest grapheme that is kept whole, in bytes.
const LONGEST_GRAPHEME: usize = 256;
/// The deepest nesting of a result in which texts are cut.
const DEEPEST: usize = 64;

/// The limits of a result that is shown at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// The most bytes of its texts in UTF-8; at least 1,000.
    pub bytes: usize,
    /// The most estimated tokens; at least 300.
    pub tokens: usize,
}

impl Default for Budget {
    fn default() -> Budget {
        Budget { bytes: 50_000, tokens: 12_000 }
    }
}

impl Budget {
    /// Returns the configured limit, or the default, but at most a fifth of the window.
    pub fn of_window(bytes: Option<usize>, window: usize) -> Budget {
        let Budget { bytes, tokens } = bytes.map_or_else(Budget::default, |bytes| Budget { bytes, tokens: usize::MAX });
        Budget { bytes, tokens: tokens.min(window / 5) }
    }

    fn at_least_small(self) -> Budget {
        Budget { bytes: self.bytes.max(1_000), tokens: self.tokens.max(300) }
    }
}

/// A result after paging.
#[derive(Clone, Debug, PartialEq)]
pub struct Paged {
    /// The value for the model.
    pub shown: Value,
    /// The pages with the rest of it; empty if it is complete.
    pub pages: Vec<String>,
    /// The ranges of those pages that it contains.
    pub ranges: Vec<PageRange>,
}

/// A range of a page in a result.
#[derive(Clone, Debug, PartialEq)]
pub struct PageRange {
    page: usize,
    bytes: Range<usize>,
    /// The whole text that contains it, with the mark.
    shown: String,
}

/// A text that was cut.
#[derive(Clone, Debug)]
struct Page {
    number: usize,
    untrusted: bool,
    text: String,
    /// The evidence of the document in it.
    evidence: Option<Rc<Evidence>>,
    /// The range of each unit of that evidence, in bytes, with the unit.
    units: Vec<(Range<usize>, usize)>,
    /// The ranges that were sent, in bytes, sorted and disjoint.
    sent: Vec<Range<usize>>,
}

/// A range of a text that was cut.
#[derive(Clone, Debug)]
pub struct CutText {
    /// The text, followed by a marker that states how to read on if there is more.
    pub shown: String,
    /// Its start, in characters.
    pub from: usize,
    /// Its end.
    pub to: usize,
    /// The length of the whole text, in characters.
    pub total: usize,
    /// The range as part of its page.
    pub piece: PageRange,
    /// The evidence of the document in the page.
    pub evidence: Option<Rc<Evidence>>,
}

/// The texts that were cut, at most [`MOST_BYTES`]: the oldest are dropped first.
#[derive(Clone, Debug, Default)]
pub struct Pages {
    pages: Vec<Page>,
    bytes: usize,
    last: usize,
}

/// A text after paging: the shown part, and its range of the page if that is not all.
struct PagedText {
    piece: Option<PageRange>,
    shown: String,
}

/// The way in which a result is cut.
enum CutMode {
    /// Cut each text that is longer than this, in bytes.
    Texts(usize),
    /// Cut it as one text.
    Whole,
}

impl Pages {
    /// Cuts a result to its budget. The rest is kept for [`Self::read`].
    pub fn page(&mut self, tool: &str, content: Value, untrusted: bool, budget: Budget, locale: Locale) -> Paged {
        self.page_with(tool, content, untrusted, None, budget, locale)
    }

    /// Cuts a result that shows parts of the document.
    pub fn page_with(
        &mut self,
        tool: &str,
        content: Value,
        untrusted: bool,
        evidence: Option<&Rc<Evidence>>,
        budget: Budget,
        locale: Locale,
    ) -> Paged {
        let budget = budget.at_least_small();
        if tool == READ_MORE || fits(&content, usize::MAX, budget) {
            return Paged { shown: content, pages: Vec::new(), ranges: Vec::new() };
        }
        let mut paged = Paged { shown: Value::Null, pages: Vec::new(), ranges: Vec::new() };
        let mut store = |text: String, longest: Budget| {
            let kept = self.store(untrusted, text, evidence, longest, locale);
            paged.pages.extend(kept.piece.as_ref().map(|piece| id_of(piece.page)));
            paged.ranges.extend(kept.piece);
            kept.shown
        };
        paged.shown = match cut_mode(&content, budget) {
            CutMode::Texts(longest) => cut_texts(content, longest, DEEPEST, &mut store),
            CutMode::Whole => match content {
                Value::String(text) => store(text, budget).into(),
                content => store(content.to_string(), budget).into(),
            },
        };
        paged
    }

    /// Returns the range of a text that begins at character `offset`.
    ///
    /// # Errors
    /// [`Error::PageGone`] if the text is not stored; [`copydesk_base::Error::InvalidParameter`] if it is shorter.
    pub fn read(&self, id: &str, offset: usize, budget: Budget, locale: Locale) -> Result<CutText, Error> {
        let page = self.find(id).ok_or_else(|| Error::PageGone {
            given: copydesk_base::error::excerpt(id),
            // The newest ones only: there may be thousands, and error messages are not paged.
            valid: self.pages[self.pages.len().saturating_sub(10)..].iter().map(|page| id_of(page.number)).collect(),
        })?;
        let total = page.text.chars().count();
        if offset > total {
            return Err(copydesk_base::Error::InvalidParameter {
                name: "offset".into(),
                given: offset.to_string(),
                expected: format!("integer 0–{total}"),
            }
            .into());
        }
        let at = page.text.char_indices().nth(offset).map_or(page.text.len(), |(at, _)| at);
        let piece = first_chunk(&page.text[at..], budget.at_least_small());
        let (from, to) = (offset, offset + piece.chars().count());
        let mut shown = piece.to_owned();
        if to < total {
            shown += &mark(page.number, from, to, total, locale);
        }
        let piece = PageRange { page: page.number, bytes: at..at + piece.len(), shown: shown.clone() };
        Ok(CutText { shown, from, to, total, piece, evidence: page.evidence.clone() })
    }

    /// Notes that a text of a result was sent. If it is one of these ranges, the evidence in all sent ranges of its
    /// page counts as shown. Returns whether it is one.
    pub fn send(&mut self, ranges: &[PageRange], text: &str) -> bool {
        let Some(piece) = ranges.iter().find(|piece| piece.shown == text) else { return false };
        let Some(page) = self.pages.iter_mut().find(|page| page.number == piece.page) else { return false };
        let joined = page.sent.iter().filter(|sent| sent.start <= piece.bytes.end && piece.bytes.start <= sent.end);
        let whole = joined.fold(piece.bytes.clone(), |all, sent| all.start.min(sent.start)..all.end.max(sent.end));
        page.sent.retain(|sent| sent.end < whole.start || whole.end < sent.start);
        page.sent.push(whole.clone());
        let units = page.units.iter().filter(|(place, _)| whole.start <= place.start && place.end <= whole.end);
        for (_, unit) in units {
            page.evidence.iter().for_each(|evidence| evidence.note(*unit));
        }
        true
    }

    /// Returns whether a page is untrusted, as the result it belongs to. An unknown page is.
    pub fn is_untrusted(&self, id: &str) -> bool {
        self.find(id).is_none_or(|page| page.untrusted)
    }

    fn find(&self, id: &str) -> Option<&Page> {
        let number = id.trim().strip_prefix("page_").and_then(|number| number.parse().ok());
        self.pages.iter().find(|page| Some(page.number) == number)
    }

    /// Returns the size of the stored text, in bytes.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Stores a text that exceeds its budget, and returns its first range with a mark.
    fn store(
        &mut self,
        untrusted: bool,
        mut text: String,
        evidence: Option<&Rc<Evidence>>,
        longest: Budget,
        locale: Locale,
    ) -> PagedText {
        if text.len() > MOST_BYTES {
            text = format!("{}\n[…]", floor(&text, MOST_BYTES - 16));
        }
        let piece = first_chunk(&text, longest);
        if piece.len() == text.len() {
            return PagedText { piece: None, shown: text };
        }
        self.last += 1;
        let (to, total) = (piece.chars().count(), text.chars().count());
        let shown = format!("{piece}{}", mark(self.last, 0, to, total, locale));
        let piece = PageRange { page: self.last, bytes: 0..piece.len(), shown: shown.clone() };
        let units = evidence.map(|evidence| evidence.places(&text)).unwrap_or_default();
        self.bytes += text.len();
        let evidence = evidence.filter(|_| !units.is_empty()).cloned();
        self.pages.push(Page { number: self.last, untrusted, text, evidence, units, sent: Vec::new() });
        while self.bytes > MOST_BYTES && !self.pages.is_empty() {
            self.bytes -= self.pages.remove(0).text.len();
        }
        PagedText { piece: Some(piece), shown }
    }
}

fn id_of(number: usize) -> String {
    format!("page_{number}")
}

/// Returns the mark behind a range: its position in the text, and the call that continues it.
fn mark(number: usize, from: usize, to: usize, total: usize, locale: Locale) -> String {
    let call = format!("{READ_MORE} {{\"id\": \"page_{number}\", \"offset\": {to}}}");
    messages::PageMark { from: &from, to: &to, total: &total, call: &call }.text(locale)
}

/// Chooses the greatest length of texts with which the result fits its budget.
fn cut_mode(content: &Value, budget: Budget) -> CutMode {
    if content.is_string() || !fits(content, SHORTEST, budget) {
        return CutMode::Whole;
    }
    let (mut fitting, mut too_long) = (SHORTEST, budget.bytes);
    while too_long - fitting > 100 {
        let middle = fitting.midpoint(too_long);
        *(if fits(content, middle, budget) { &mut fitting } else { &mut too_long }) = middle;
    }
    CutMode::Texts(fitting)
}

/// Returns whether a result fits if its texts are cut to `longest` bytes and a mark.
fn fits(content: &Value, longest: usize, budget: Budget) -> bool {
    if let Value::String(text) = content {
        return text.len() <= budget.bytes && estimate_text(text) <= budget.tokens;
    }
    // Counting tokens is slower, so bytes are checked first.
    bytes(content, longest, DEEPEST).is_some_and(|bytes| bytes <= budget.bytes)
        && tokens(content, longest, DEEPEST) <= budget.tokens
}

/// Estimates the bytes of JSON; `None` if it nests too deep to be cut inside.
fn bytes(content: &Value, longest: usize, depth: usize) -> Option<usize> {
    let depth = depth.checked_sub(1)?;
    Some(match content {
        Value::String(text) if text.len() > longest => longest + MARK.0,
        Value::String(text) => text.len() + 2,
        Value::Array(items) => items.iter().try_fold(2, |sum, item| Some(sum + 1 + bytes(item, longest, depth)?))?,
        Value::Object(fields) => fields
            .iter()
            .try_fold(2, |sum, (name, field)| Some(sum + name.len() + 4 + bytes(field, longest, depth)?))?,
        _ => 8,
    })
}

/// Estimates the tokens of JSON.
fn tokens(content: &Value, longest: usize, depth: usize) -> usize {
    let depth = depth.saturating_sub(1);
    // Escapes of quotes and line breaks take tokens as well.
    let written = |text: &str| estimate_text(&serde_json::to_string(text).unwrap_or_default());
    match content {
        _ if depth == 0 => 0,
        Value::String(text) if text.len() > longest => written(floor(text, longest)) + MARK.1,
        Value::String(text) => written(text),
        Value::Array(items) => items.iter().map(|item| 1 + tokens(item, longest, depth)).sum(),
        Value::Object(fields) => {
            fields.iter().map(|(name, field)| 2 + estimate_text(name) + tokens(field, longest, depth)).sum()
        }
        _ => estimate_value(content),
    }
}

/// Replaces each text that is longer than `longest` bytes with its first range.
fn cut_texts(content: Value, longest: usize, depth: usize, store: &mut impl FnMut(String, Budget) -> String) -> Value {
    match content {
        _ if depth == 0 => content,
        Value::String(text) if text.len() > longest => {
            store(text, Budget { bytes: longest + MARK.0, tokens: usize::MAX }).into()
        }
        Value::Array(items) => items.into_iter().map(|item| cut_texts(item, longest, depth - 1, store)).collect(),
        Value::Object(mut fields) => {
            for field in fields.values_mut() {
                *field = cut_texts(field.take(), longest, depth - 1, store);
            }
            fields.into()
        }
        other => other,
    }
}

/// Returns the text, or its longest beginning that fits the budget with a mark. It has at least one character, so
/// that reading on makes progress.
fn first_chunk(text: &str, budget: Budget) -> &str {
    if text.len() <= budget.bytes && estimate_text(text) <= budget.tokens {
        return text;
    }
    let tokens = budget.tokens.saturating_sub(MARK.1).max(1);
    let mut longest = budget.bytes.saturating_sub(MARK.0);
    loop {
        let piece = cut(text, longest);
        let counted = estimate_text(piece);
        if counted <= tokens || longest <= 4 {
            return piece;
        }
        let in_proportion = piece.len() as u64 * tokens as u64 / counted as u64 * 19 / 20;
        longest = (in_proportion as usize).min(longest - 1);
    }
}

/// Returns the beginning of a text, at most `longest` bytes: up to the last line break if that is in its last fifth,
/// otherwise up to a grapheme boundary.
fn cut(text: &str, longest: usize) -> &str {
    let whole = floor(text, longest.max(4));
    if whole.len() == text.len() {
        return text;
    }
    if let Some(line_end) = whole.rfind('\n').map(|at| at + 1).filter(|end| end * 5 >= whole.len() * 4) {
        return &text[..line_end];
    }
    // Segments only the end, to save time. The first grapheme there may be incomplete.
    let near = floor(text, whole.len().saturating_sub(LONGEST_GRAPHEME));
    let mut end = near.len();
    for sign in signs(&text[near.len()..]) {
        if end + sign.len() > whole.len() {
            break;
        }
        end += sign.len();
    }
    // A longer grapheme is abuse, and is cut.
    if end > near.len() { &text[..end] } else { whole }
}

/// Returns the beginning of a text in whole characters, at most `longest` bytes.
fn floor(text: &str, longest: usize) -> &str {
    let end = (0..=longest.min(text.len())).rev().find(|end| text.is_char_boundary(*end));
    &text[..end.unwrap_or(0)]
}
