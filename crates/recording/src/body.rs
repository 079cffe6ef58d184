//! Bodies of requests: each is stored as its difference from an earlier one, and compared with what a replay sends.
//!
//! Every request of a run contains the whole conversation so far.

use super::Recording;
use copydesk_base::secrets::REDACTED;
use serde::{Deserialize, Serialize};

/// The minimum length of the shared parts for which a difference is stored, in bytes.
const MIN_SHARED: usize = 1_000;
/// The length of the text that a redacted part is searched for by, in bytes.
const SOME: usize = 64;

/// A text, stored whole or as its difference from an earlier body.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "TextRow", into = "TextRow")]
pub struct StoredText {
    /// The parts that it shares with an earlier body.
    pub like: Option<Like>,
    /// The text between the two common parts, or the whole text.
    pub text: String,
}

/// The parts that a body shares with an earlier one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Like {
    /// The index of the request.
    pub request: usize,
    /// The number of bytes of its beginning.
    pub first: usize,
    /// The number of bytes of its end.
    pub last: usize,
}

/// A text in the file: a string, or an object.
#[derive(Serialize, Deserialize)]
#[serde(untagged, expecting = "a string, or an object of likeRequest, first, last and text")]
enum TextRow {
    Whole(String),
    #[serde(rename_all = "camelCase")]
    Difference {
        like_request: usize,
        first: usize,
        last: usize,
        text: String,
    },
}

impl From<TextRow> for StoredText {
    fn from(row: TextRow) -> StoredText {
        match row {
            TextRow::Whole(text) => StoredText { like: None, text },
            TextRow::Difference { like_request: request, first, last, text } => {
                StoredText { like: Some(Like { request, first, last }), text }
            }
        }
    }
}

impl From<StoredText> for TextRow {
    fn from(StoredText { like, text }: StoredText) -> TextRow {
        match like {
            Some(Like { request, first, last }) => TextRow::Difference { like_request: request, first, last, text },
            None => TextRow::Whole(text),
        }
    }
}

impl StoredText {
    /// Returns a text as its difference from the body of an earlier request.
    pub fn beyond(earlier: Option<(usize, &str)>, text: &str) -> StoredText {
        let whole = || StoredText { like: None, text: text.to_owned() };
        let Some((request, other)) = earlier else { return whole() };
        let mut first = alike(other.bytes(), text.bytes());
        while !text.is_char_boundary(first) {
            first -= 1;
        }
        let rest = (&other[first..], &text[first..]);
        let mut last = alike(rest.0.bytes().rev(), rest.1.bytes().rev());
        while !text.is_char_boundary(text.len() - last) {
            last -= 1;
        }
        if first + last < MIN_SHARED {
            return whole();
        }
        StoredText { like: Some(Like { request, first, last }), text: text[first..text.len() - last].to_owned() }
    }

    /// Returns the whole text, given the body that it refers to; `None` if that body has no such beginning and end.
    pub fn whole(&self, earlier: &str) -> Option<String> {
        let Some(Like { first, last, .. }) = self.like else { return Some(self.text.clone()) };
        // They may not overlap: a file could make each body twice as long as the one before it.
        let end = earlier.len().checked_sub(last).filter(|end| first <= *end)?;
        Some([earlier.get(..first)?, &self.text, earlier.get(end..)?].concat())
    }
}

fn alike(a: impl Iterator<Item = u8>, b: impl Iterator<Item = u8>) -> usize {
    a.zip(b).take_while(|(a, b)| a == b).count()
}

impl Recording {
    /// Returns the whole body of a request; `None` if it has none, or one that cannot be rebuilt.
    pub fn body_of(&self, request: usize) -> Option<String> {
        let mut row = vec![self.requests.get(request)?.body.as_ref()?];
        let mut at = request;
        while let Some(Like { request, .. }) = row.last().and_then(|text| text.like) {
            // Only earlier ones: a file may contain a cycle.
            if request >= at {
                return None;
            }
            at = request;
            row.push(self.requests.get(at)?.body.as_ref()?);
        }
        row.iter().rev().try_fold(String::new(), |earlier, text| text.whole(&earlier))
    }
}

/// Returns the first difference of two texts, as byte offsets in both. A redacted part matches anything.
pub(super) fn first_difference(recorded: &str, given: &str) -> Option<(usize, usize)> {
    let (mut was, mut is) = (recorded, given);
    loop {
        let same = common(was, is);
        (was, is) = (&was[same..], &is[same..]);
        let here = (recorded.len() - was.len(), given.len() - is.len());
        if was.is_empty() && is.is_empty() {
            return None;
        }
        // Users write this character as well: it represents a key only if the texts differ.
        let Some(rest) = was.strip_prefix(REDACTED) else { return Some(here) };
        if rest.is_empty() {
            return None;
        }
        let piece = rest.split(REDACTED).next().unwrap_or_default();
        let mut some = piece.len().min(SOME);
        while !piece.is_char_boundary(some) {
            some -= 1;
        }
        // If the texts differ again further down, the beginning of it is still found.
        match is.find(piece).or_else(|| is.find(&piece[..some])) {
            Some(at) => (was, is) = (rest, &is[at..]),
            None => return Some(here),
        }
    }
}

/// Returns the length of the common beginning of two texts, in bytes, up to a character boundary in both.
fn common(a: &str, b: &str) -> usize {
    let mut at = alike(a.bytes(), b.bytes());
    while !(a.is_char_boundary(at) && b.is_char_boundary(at)) {
        at -= 1;
    }
    at
}
