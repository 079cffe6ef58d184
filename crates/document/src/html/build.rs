//! Parses HTML into a tree of elements with html5ever, with guards against input that would take it too long.
//!
//! The source is always parsed as a body, as TipTap hands it to a page's `DOMParser`: white space at its beginning is
//! in the body, there is no doctype, and nothing can become a frameset.

use super::dom::Dom;
use super::plain_tokens;
use super::sink::{Handle, MOST_OPEN, Sink};
use crate::Error;
use html5ever::TokenizerResult;
use html5ever::buffer_queue::BufferQueue;
use html5ever::interface::TreeSink;
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{Tag, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts};
use html5ever::tree_builder::{TreeBuilder, TreeBuilderOpts};
use html5ever::{LocalName, local_name};
use std::cell::Cell;

/// The most attributes a tag may have. The tokenizer compares each with all before it.
pub(super) const MOST_ATTRIBUTES: usize = 4096;

/// Number of bytes parsed between two checks of the limits.
const CHUNK: usize = 16_384;

/// Parses HTML as the content of a body.
///
/// # Errors
/// [`Error::TooManyAttributes`] if a tag may have more than [`MOST_ATTRIBUTES`]; [`Error::TooDeep`] if more
/// elements are open, or unclosed elements come again more often, than is accepted.
pub(super) fn build(html: &str) -> Result<Dom, Error> {
    build_after(html, |sink| plain_tokens::emit(sink, html))
}

/// Parses HTML without [`plain_tokens`].
#[cfg(test)]
pub(super) fn build_by_html5ever(html: &str) -> Result<Dom, Error> {
    build_after(html, |_| 0)
}

/// Parses HTML. `emit` emits the tokens of its beginning, and returns the length of that.
fn build_after(html: &str, emit: impl FnOnce(&BoundedBuilder) -> usize) -> Result<Dom, Error> {
    // Unclosed formatting elements come again in every paragraph, so few bytes can make many nodes.
    let most = html.len().max(1_000_000);
    let options = TreeBuilderOpts { scripting_enabled: false, ..TreeBuilderOpts::default() };
    let sink = BoundedBuilder {
        builder: TreeBuilder::new(Sink::new(most), options),
        work: Cell::new(most.saturating_mul(16)),
        widest: Cell::new(0),
        after_pre: Cell::new(false),
    };
    let tokenizer = Tokenizer::new(sink, TokenizerOpts { discard_bom: false, ..TokenizerOpts::default() });
    let feed = |chunk: &str| {
        let input = BufferQueue::default();
        input.push_back(StrTendril::from_slice(chunk));
        while !matches!(tokenizer.feed(&input), TokenizerResult::Done) {}
        if tokenizer.sink.is_exceeded() { Err(too_deep()) } else { Ok(()) }
    };
    feed("<body>")?;
    let rest = &html[emit(&tokenizer.sink)..];
    if most_attributes(rest.as_bytes()) > MOST_ATTRIBUTES {
        return Err(Error::TooManyAttributes { limit: MOST_ATTRIBUTES });
    }
    chunks(rest).chain(["</body>"]).try_for_each(feed)?;
    tokenizer.end();
    tokenizer.sink.builder.sink.finish().ok_or_else(too_deep)
}

fn too_deep() -> Error {
    Error::TooDeep { limit: MOST_OPEN as usize }
}

fn chunks(mut html: &str) -> impl Iterator<Item = &str> {
    std::iter::from_fn(move || {
        let mut end = html.len().min(CHUNK);
        while !html.is_char_boundary(end) {
            end -= 1;
        }
        let (chunk, rest) = html.split_at(end);
        html = rest;
        (!chunk.is_empty()).then_some(chunk)
    })
}

/// The tree builder, which is given nothing more once a limit is exceeded.
struct BoundedBuilder {
    builder: TreeBuilder<Handle, Sink>,
    /// Number of attributes of formatting elements that may still be copied or compared. For a start tag the tree
    /// builder looks at every open one, for an end tag it copies one; in what people write, that is next to nothing.
    work: Cell<usize>,
    /// The most attributes a formatting element had.
    widest: Cell<usize>,
    /// True if only NULs came since a `<pre>`.
    after_pre: Cell<bool>,
}

impl BoundedBuilder {
    fn is_exceeded(&self) -> bool {
        self.work.get() == 0 || self.builder.sink.is_exceeded()
    }

    fn spend(&self, work: usize) {
        self.work.set(self.work.get().saturating_sub(work));
    }
}

impl TokenSink for BoundedBuilder {
    type Handle = Handle;

    fn process_token(&self, token: Token, line: u64) -> TokenSinkResult<Handle> {
        if self.is_exceeded() {
            return TokenSinkResult::Continue;
        }
        match &token {
            Token::ParseError(_) => return TokenSinkResult::Continue,
            // A line break is dropped after this tag; in Chromium, a NUL between the two does not keep it.
            Token::NullCharacterToken if self.after_pre.get() => return TokenSinkResult::Continue,
            Token::TagToken(Tag { kind: TagKind::StartTag, name, attrs, .. }) => {
                self.after_pre.set(matches!(*name, local_name!("pre") | local_name!("listing")));
                if is_formatting(name) {
                    let width = attrs.len();
                    self.widest.set(self.widest.get().max(width));
                    let result = self.builder.process_token(token, line);
                    self.spend(width * self.builder.sink.depth());
                    return result;
                }
            }
            Token::TagToken(Tag { name, .. }) => {
                self.after_pre.set(false);
                if is_formatting(name) {
                    self.spend(self.widest.get());
                }
            }
            _ => self.after_pre.set(false),
        }
        self.builder.process_token(token, line)
    }

    fn end(&self) {
        self.builder.end();
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&self) -> bool {
        self.builder.adjusted_current_node_present_but_not_in_html_namespace()
    }
}

/// Returns whether elements of a name are opened again in the next paragraph where they were not closed.
fn is_formatting(name: &LocalName) -> bool {
    matches!(
        *name,
        local_name!("a")
            | local_name!("b")
            | local_name!("big")
            | local_name!("code")
            | local_name!("em")
            | local_name!("font")
            | local_name!("i")
            | local_name!("nobr")
            | local_name!("s")
            | local_name!("small")
            | local_name!("strike")
            | local_name!("strong")
            | local_name!("tt")
            | local_name!("u")
    )
}

/// The position of a byte in a tag.
#[derive(Clone, Copy)]
enum TagPosition {
    TagName,
    Between,
    Name,
    AfterName,
    BeforeValue,
    Unquoted,
    DoubleQuoted,
    SingleQuoted,
}

const PLACES: usize = 8;

/// Returns an upper bound of the number of attributes of a tag in this HTML: every `<` with a letter is taken for a
/// tag, be it in a comment or a script.
///
/// All these tags are read at once. Of those that are at the same place only the one with the most attributes counts.
fn most_attributes(html: &[u8]) -> usize {
    let mut most = 0;
    // A bit for each state in which one of the tags is, and the most attributes of those.
    let (mut taken, mut counts) = (0_u8, [0_usize; PLACES]);
    let mut at = 0;
    while let Some(&byte) = html.get(at) {
        if taken == 0 {
            match memchr::memchr(b'<', &html[at..]) {
                Some(found) => at += found,
                None => return most,
            }
        } else if taken.is_power_of_two() {
            // Almost always there is one tag.
            let place = ALL_PLACES[taken.trailing_zeros() as usize];
            taken = 0;
            if let Some((next, starts)) = step(place, byte) {
                let count = counts[place as usize] + usize::from(starts);
                most = most.max(count);
                counts[next as usize] = count;
                taken = next.bit();
            }
        } else {
            let before = (std::mem::take(&mut taken), counts);
            for place in ALL_PLACES.into_iter().filter(|place| before.0 & place.bit() != 0) {
                let Some((next, starts)) = step(place, byte) else { continue };
                let count = before.1[place as usize] + usize::from(starts);
                most = most.max(count);
                let known = if taken & next.bit() == 0 { 0 } else { counts[next as usize] };
                counts[next as usize] = known.max(count);
                taken |= next.bit();
            }
        }
        if let [b'<', b'a'..=b'z' | b'A'..=b'Z', ..] | [b'<', b'/', b'a'..=b'z' | b'A'..=b'Z', ..] = html[at..] {
            if taken & TagPosition::TagName.bit() == 0 {
                counts[TagPosition::TagName as usize] = 0;
            }
            taken |= TagPosition::TagName.bit();
        }
        at += 1;
    }
    most
}

impl TagPosition {
    fn bit(self) -> u8 {
        1 << self as u8
    }
}

const ALL_PLACES: [TagPosition; PLACES] = [
    TagPosition::TagName,
    TagPosition::Between,
    TagPosition::Name,
    TagPosition::AfterName,
    TagPosition::BeforeValue,
    TagPosition::Unquoted,
    TagPosition::DoubleQuoted,
    TagPosition::SingleQuoted,
];

/// Returns the place after a byte, and whether an attribute begins with it; `None` if the tag ends.
fn step(place: TagPosition, byte: u8) -> Option<(TagPosition, bool)> {
    let is_space = matches!(byte, b'\t' | b'\n' | b'\r' | b'\x0C' | b' ');
    let next = match (place, byte) {
        (TagPosition::DoubleQuoted, b'"') | (TagPosition::SingleQuoted, b'\'') => TagPosition::Between,
        (TagPosition::DoubleQuoted | TagPosition::SingleQuoted, _) => place,
        (_, b'>') => return None,
        (TagPosition::BeforeValue, b'"') => TagPosition::DoubleQuoted,
        (TagPosition::BeforeValue, b'\'') => TagPosition::SingleQuoted,
        (TagPosition::BeforeValue, _) if is_space => TagPosition::BeforeValue,
        (TagPosition::BeforeValue, _) => TagPosition::Unquoted,
        (TagPosition::Name | TagPosition::AfterName, b'=') => TagPosition::BeforeValue,
        (TagPosition::Name | TagPosition::AfterName, _) if is_space => TagPosition::AfterName,
        (TagPosition::Unquoted, _) if !is_space => TagPosition::Unquoted,
        (_, b'/') => TagPosition::Between,
        (_, _) if is_space => TagPosition::Between,
        (TagPosition::TagName | TagPosition::Name, _) => place,
        (_, _) => return Some((TagPosition::Name, true)),
    };
    Some((next, false))
}
