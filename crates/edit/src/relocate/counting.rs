//! The document in which the index or the line numbers of a call count.
//!
//! All calls of one answer count in the document that the model was shown before it. Models sometimes plan otherwise:
//! after a call that inserts, deletes or moves, they use the numbers that later sections or lines have afterwards. A
//! call is read like this only if its content shows it: it states the heading of the section that has the index
//! afterwards, and not of the one that was shown with it; or its content is nearly the text that is there afterwards,
//! and unlike the text that was shown there. In all other cases the document that was shown counts.

use crate::content;
use crate::find_text;
use crate::neighbours::{is_another, is_nearly};
use crate::operation::DocUpdate;
use crate::target::{LineRange, TextMatch};
use copydesk_document::align::matches;
use copydesk_document::{Document, Section, words};
use std::ops::RangeInclusive;

/// From this share of common words on, content is a new wording of a section.
const NEW_WORDING: f32 = 0.6;
/// Up to this share of common words, content is another text than that of a section.
const OTHER_TEXT: f32 = 0.3;
/// The fewest and the most words of texts that are compared.
const COMPARED: RangeInclusive<usize> = 5..=3_000;

/// The document that an update counts in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counting {
    /// The document that the model was shown before its answer.
    AsShown,
    /// The document after the earlier edits of the same answer.
    AsEdited,
    /// Partly in the one, partly in the other.
    Mixed,
}

/// Returns whether an update that replaces a section is about `edited`, which has the index after the earlier edits of
/// the answer, and not about `shown`, which had it before; `shown` is `None` if that section no longer exists.
pub fn is_about_edited(update: &DocUpdate, now: &Document, edited: &Section, shown: Option<&Section>) -> bool {
    if let Some(heading) = update.heading() {
        let has_it = |section: &Section| content::same_title(&heading, &section.title);
        if shown.is_some_and(has_it) {
            return false;
        }
        if has_it(edited) {
            return true;
        }
    }
    let text = content::lines_without_tags(&update.contents().concat());
    let shares = |section: &Section| common_share(&text, &text_of(now, section));
    shares(edited).is_some_and(|share| share >= NEW_WORDING)
        && shown.is_none_or(|shown| shares(shown).is_some_and(|share| share <= OTHER_TEXT))
}

/// Returns the text of a section without its heading.
fn text_of(document: &Document, section: &Section) -> String {
    let blocks = section.blocks.clone().filter(|block| Some(*block) != section.heading);
    blocks.map(|block| document.blocks()[block].text_content() + "\n").collect()
}

/// Returns the share of words that two texts have in common, in the same order; `None` if one has too few or too many.
fn common_share(a: &str, b: &str) -> Option<f32> {
    let cut = |text: &str| {
        let words = words::split(text).filter(|word| word.chars().any(char::is_alphanumeric));
        words.map(str::to_lowercase).take(COMPARED.end() + 1).collect::<Vec<_>>()
    };
    let (a, b) = (cut(a), cut(b));
    (COMPARED.contains(&a.len()) && COMPARED.contains(&b.len())).then(|| {
        let common: usize = matches(&a, &b).iter().map(|run| run.len).sum();
        2.0 * common as f32 / (a.len() + b.len()) as f32
    })
}

/// Returns the document that the line numbers of an update count in.
pub fn of_lines(update: &DocUpdate, ranges: &[LineRange], shown: &Document, edited: &Document) -> Counting {
    let texts = |document: &Document, range: &LineRange| {
        let lines = range.lines(document.line_count()).ok()?;
        let lines = document.lines_between(*lines.start(), *lines.end());
        Some(lines.into_iter().map(|line| line.text).collect::<Vec<_>>())
    };
    let mut counted = [false; 2];
    for (range, content) in ranges.iter().zip(update.contents()) {
        let (there, named) = (texts(edited, range), texts(shown, range));
        if there == named {
            continue;
        }
        let content = content::lines_without_tags(content);
        let new = content::written_lines(&content);
        let is_rather = |this: &Option<Vec<String>>, other: &Option<Vec<String>>| {
            this.as_ref().is_some_and(|this| is_nearly(&new, this))
                && other.as_ref().is_none_or(|other| is_other(&new, other))
        };
        counted[0] |= is_rather(&named, &there);
        counted[1] |= is_rather(&there, &named);
    }
    match counted {
        [_, false] => Counting::AsShown,
        [false, true] => Counting::AsEdited,
        [true, true] => Counting::Mixed,
    }
}

/// Returns whether each of some lines is another text than the one in the same place: by its signs, its words or its
/// length.
fn is_other(new: &[&str], old: &[String]) -> bool {
    let is_other = |(new, old): (&&str, &String)| {
        let (a, b) = (new.chars().count(), old.chars().count());
        common_share(new, old).is_some_and(|share| share <= OTHER_TEXT) || a.min(b) * 3 <= a.max(b)
    };
    is_another(new, old) || (new.len() == old.len() && new.iter().zip(old).all(is_other))
}

/// Returns the document that the line near which a text is meant counts in.
pub fn of_text(asked: &TextMatch, shown: &Document, edited: &Document) -> Counting {
    let has_it = |document: &Document| {
        let near = asked.near_line.and_then(|line| usize::try_from(line).ok());
        let everywhere = TextMatch { all: true, near_line: None, ..asked.clone() };
        near.is_some_and(|near| find_text::lines_of(document, &everywhere).is_ok_and(|lines| lines.contains(&near)))
    };
    if !has_it(shown) && has_it(edited) { Counting::AsEdited } else { Counting::AsShown }
}
