//! Results of tools that are larger than a model should read at once: it is shown the beginning, and reads on with
//! `read_more`.
//!
//! Nothing is lost: what is shown and what is read on, put together, is the result letter for letter. A long text inside
//! a result is cut by itself, so that the rest of the result keeps its form; where that does not help, since there are
//! too many texts, the whole result is shown as the beginning of its JSON.

use crate::Error;
use copydesk_base::locale::Locale;
use copydesk_document::words::signs;
use copydesk_edit::evidence::Evidence;
use copydesk_llm::tokens::{estimate_text, estimate_value};
use serde_json::Value;
use std::ops::Range;
use std::rc::Rc;

/// The name of the tool that reads on.
pub const READ_MORE: &str = "read_more";
/// All the texts that are kept, in bytes. One text that is longer loses its end.
pub const MOST_BYTES: usize = 8 << 20;
/// The least that a text inside a result is cut to, in bytes: below, the whole result is cut instead.
const SHORTEST: usize = 1_000;
/// What a mark may take, in bytes and in tokens.
const MARK: (usize, usize) = (200, 60);
/// The longest sign that is kept whole, in bytes.
const LONGEST_SIGN: usize = 256;
/// How deep a result is looked into.
const DEEPEST: usize = 64;

/// How much of a result is shown at once: no more than either.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Its texts, in bytes of UTF-8; at least 1,000.
    pub bytes: usize,
    /// In tokens, as far as they can be estimated; at least 300.
    pub tokens: usize,
}

impl Default for Budget {
    fn default() -> Budget {
        Budget { bytes: 50_000, tokens: 12_000 }
    }
}

impl Budget {
    /// What the app says in bytes, or else the default, but no more than a fifth of the window.
    pub fn of_window(bytes: Option<usize>, window: usize) -> Budget {
        let Budget { bytes, tokens } = bytes.map_or_else(Budget::default, |bytes| Budget { bytes, tokens: usize::MAX });
        Budget { bytes, tokens: tokens.min(window / 5) }
    }

    fn at_least_small(self) -> Budget {
        Budget { bytes: self.bytes.max(1_000), tokens: self.tokens.max(300) }
    }
}

/// A result as it is shown.
#[derive(Clone, Debug, PartialEq)]
pub struct Paged {
    /// What the model is given.
    pub shown: Value,
    /// The pages that have the rest of it; none where all of it is shown.
    pub pages: Vec<String>,
    /// The pieces of those that are in it.
    pub pieces: Vec<PagePiece>,
}

/// A piece of a page, as it is in a result.
#[derive(Clone, Debug, PartialEq)]
pub struct PagePiece {
    page: usize,
    bytes: Range<usize>,
    /// The whole text that it appears in, with the mark.
    shown: String,
}

/// A text that was cut.
#[derive(Clone, Debug)]
struct Page {
    number: usize,
    untrusted: bool,
    text: String,
    /// What it shows of the document.
    evidence: Option<Rc<Evidence>>,
    /// Where in it, in bytes, each unit of that is.
    places: Vec<(Range<usize>, usize)>,
    /// What of it was sent, in bytes, in order and apart from each other.
    sent: Vec<Range<usize>>,
}

/// A piece of a text that was cut.
#[derive(Clone, Debug)]
pub struct Piece {
    /// The text, and behind it the mark that says how to read on, where there is more.
    pub shown: String,
    /// Where it begins, in characters.
    pub from: usize,
    /// Where it ends.
    pub to: usize,
    /// How many characters the text has.
    pub total: usize,
    /// The same as a piece of its page.
    pub piece: PagePiece,
    /// What the page shows of the document.
    pub evidence: Option<Rc<Evidence>>,
}

/// The texts that were cut, at most [`MOST_BYTES`] of them: the oldest are dropped first.
#[derive(Clone, Debug, Default)]
pub struct Pages {
    pages: Vec<Page>,
    bytes: usize,
    last: usize,
}

/// A text that was to be cut: what is shown of it, and the page that has it, where that is not all.
struct Kept {
    piece: Option<PagePiece>,
    shown: String,
}

/// How a result is cut.
enum How {
    /// Each text that is longer than so many bytes.
    Texts(usize),
    /// As one text.
    Whole,
}

impl Pages {
    /// A result of a tool within its budget. What is not shown is kept for [`Self::read`].
    pub fn page(&mut self, tool: &str, content: Value, untrusted: bool, budget: Budget, locale: Locale) -> Paged {
        self.page_with(tool, content, untrusted, None, budget, locale)
    }

    /// The same for a result that shows something of the document.
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
            return Paged { shown: content, pages: Vec::new(), pieces: Vec::new() };
        }
        let mut paged = Paged { shown: Value::Null, pages: Vec::new(), pieces: Vec::new() };
        let mut keep = |text: String, longest: Budget| {
            let kept = self.keep(untrusted, text, evidence, longest, locale);
            paged.pages.extend(kept.piece.as_ref().map(|piece| id_of(piece.page)));
            paged.pieces.extend(kept.piece);
            kept.shown
        };
        paged.shown = match how(&content, budget) {
            How::Texts(longest) => cut_texts(content, longest, DEEPEST, &mut keep),
            How::Whole => match content {
                Value::String(text) => keep(text, budget).into(),
                content => keep(content.to_string(), budget).into(),
            },
        };
        paged
    }

    /// The piece of a text that begins at a character.
    ///
    /// # Errors
    /// [`Error::PageGone`] where the text is not kept any more, or never was; [`copydesk_base::Error::InvalidParameter`] where the text
    /// has no such character.
    pub fn read(&self, id: &str, offset: usize, budget: Budget, locale: Locale) -> Result<Piece, Error> {
        let page = self.find(id).ok_or_else(|| Error::PageGone {
            given: copydesk_base::error::excerpt(id),
            // The newest: there may be thousands, and what a model is told of an error is not paged.
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
        let piece = first_piece(&page.text[at..], budget.at_least_small());
        let (from, to) = (offset, offset + piece.chars().count());
        let mut shown = piece.to_owned();
        if to < total {
            shown += &mark(page.number, from, to, total, locale);
        }
        let piece = PagePiece { page: page.number, bytes: at..at + piece.len(), shown: shown.clone() };
        Ok(Piece { shown, from, to, total, piece, evidence: page.evidence.clone() })
    }

    /// Notes for a text of a result that is sent that it is one of these pieces, and what its page shows of the document
    /// together with what of it was sent before; whether it was one.
    pub fn send(&mut self, pieces: &[PagePiece], text: &str) -> bool {
        let Some(piece) = pieces.iter().find(|piece| piece.shown == text) else { return false };
        let Some(page) = self.pages.iter_mut().find(|page| page.number == piece.page) else { return false };
        let joined = page.sent.iter().filter(|sent| sent.start <= piece.bytes.end && piece.bytes.start <= sent.end);
        let whole = joined.fold(piece.bytes.clone(), |all, sent| all.start.min(sent.start)..all.end.max(sent.end));
        page.sent.retain(|sent| sent.end < whole.start || whole.end < sent.start);
        page.sent.push(whole.clone());
        let places = page.places.iter().filter(|(place, _)| whole.start <= place.start && place.end <= whole.end);
        for (_, unit) in places {
            page.evidence.iter().for_each(|evidence| evidence.note(*unit));
        }
        true
    }

    /// Whether others wrote a text: what holds for a result holds for its rest. So it is taken for a page that is not
    /// kept.
    pub fn is_untrusted(&self, id: &str) -> bool {
        self.find(id).is_none_or(|page| page.untrusted)
    }

    fn find(&self, id: &str) -> Option<&Page> {
        let number = id.trim().strip_prefix("page_").and_then(|number| number.parse().ok());
        self.pages.iter().find(|page| Some(page.number) == number)
    }

    /// How many bytes of text are kept.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Keeps a text and gives its number, and its first piece with a mark.
    fn keep(
        &mut self,
        untrusted: bool,
        mut text: String,
        evidence: Option<&Rc<Evidence>>,
        longest: Budget,
        locale: Locale,
    ) -> Kept {
        if text.len() > MOST_BYTES {
            text = format!("{}\n[…]", floor(&text, MOST_BYTES - 16));
        }
        let piece = first_piece(&text, longest);
        if piece.len() == text.len() {
            return Kept { piece: None, shown: text };
        }
        self.last += 1;
        let (to, total) = (piece.chars().count(), text.chars().count());
        let shown = format!("{piece}{}", mark(self.last, 0, to, total, locale));
        let piece = PagePiece { page: self.last, bytes: 0..piece.len(), shown: shown.clone() };
        let places = evidence.map(|evidence| evidence.places(&text)).unwrap_or_default();
        self.bytes += text.len();
        let evidence = evidence.filter(|_| !places.is_empty()).cloned();
        self.pages.push(Page { number: self.last, untrusted, text, evidence, places, sent: Vec::new() });
        while self.bytes > MOST_BYTES && !self.pages.is_empty() {
            self.bytes -= self.pages.remove(0).text.len();
        }
        Kept { piece: Some(piece), shown }
    }
}

fn id_of(number: usize) -> String {
    format!("page_{number}")
}

/// What stands behind a piece: how much of the text it is, and how to read on.
fn mark(number: usize, from: usize, to: usize, total: usize, locale: Locale) -> String {
    let call = format!("{READ_MORE} {{\"id\": \"page_{number}\", \"offset\": {to}}}");
    match locale {
        Locale::En => format!("\n[… characters {from}–{to} of {total} are shown. To read on: {call}]"),
        Locale::ZhCn => format!("\n[……以上为第 {from}–{to} 个字符，共 {total} 个。继续读取：{call}]"),
    }
}

/// Which texts are cut, and how long they stay: as long as fits.
fn how(content: &Value, budget: Budget) -> How {
    if content.is_string() || !fits(content, SHORTEST, budget) {
        return How::Whole;
    }
    let (mut fitting, mut too_long) = (SHORTEST, budget.bytes);
    while too_long - fitting > 100 {
        let middle = fitting.midpoint(too_long);
        *(if fits(content, middle, budget) { &mut fitting } else { &mut too_long }) = middle;
    }
    How::Texts(fitting)
}

/// Returns whether a result fits with its texts cut to so many bytes and a mark.
fn fits(content: &Value, longest: usize, budget: Budget) -> bool {
    if let Value::String(text) = content {
        return text.len() <= budget.bytes && estimate_text(text) <= budget.tokens;
    }
    // Tokens take longer to count, so they are only where there are few bytes.
    bytes(content, longest, DEEPEST).is_some_and(|bytes| bytes <= budget.bytes)
        && tokens(content, longest, DEEPEST) <= budget.tokens
}

/// About how many bytes of JSON; none where it nests too deep to be cut inside.
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

/// About how many tokens of JSON.
fn tokens(content: &Value, longest: usize, depth: usize) -> usize {
    let depth = depth.saturating_sub(1);
    // In JSON quotes and new lines take more.
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

/// The result with a first piece in the place of each text that is longer than so many bytes.
fn cut_texts(content: Value, longest: usize, depth: usize, keep: &mut impl FnMut(String, Budget) -> String) -> Value {
    match content {
        _ if depth == 0 => content,
        Value::String(text) if text.len() > longest => {
            keep(text, Budget { bytes: longest + MARK.0, tokens: usize::MAX }).into()
        }
        Value::Array(items) => items.into_iter().map(|item| cut_texts(item, longest, depth - 1, keep)).collect(),
        Value::Object(mut fields) => {
            for field in fields.values_mut() {
                *field = cut_texts(field.take(), longest, depth - 1, keep);
            }
            fields.into()
        }
        other => other,
    }
}

/// All of a text, or its beginning that fits with a mark behind it. At least one character, so that reading on comes to
/// an end.
fn first_piece(text: &str, budget: Budget) -> &str {
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

/// The beginning of a text in no more than so many bytes: up to the end of a line, where one ends in the last fifth, and
/// else up to the end of a sign.
fn cut(text: &str, longest: usize) -> &str {
    let whole = floor(text, longest.max(4));
    if whole.len() == text.len() {
        return text;
    }
    if let Some(line_end) = whole.rfind('\n').map(|at| at + 1).filter(|end| end * 5 >= whole.len() * 4) {
        return &text[..line_end];
    }
    // From a little before, so that signs are not counted from the beginning. The first may be the end of one.
    let near = floor(text, whole.len().saturating_sub(LONGEST_SIGN));
    let mut end = near.len();
    for sign in signs(&text[near.len()..]) {
        if end + sign.len() > whole.len() {
            break;
        }
        end += sign.len();
    }
    // A sign that is longer still is mischief, and cut.
    if end > near.len() { &text[..end] } else { whole }
}

/// A text's beginning in no more than so many bytes, in whole characters.
fn floor(text: &str, longest: usize) -> &str {
    let end = (0..=longest.min(text.len())).rev().find(|end| text.is_char_boundary(*end));
    &text[..end.unwrap_or(0)]
}
