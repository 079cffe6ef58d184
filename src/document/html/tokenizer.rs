//! HTML to tags, texts and comments, by the rules of <https://html.spec.whatwg.org/#tokenization>.
//!
//! The whole text is at hand and nobody reads errors, so that most of the standard's states become a search for what
//! ends them. A test asks html5ever whether the tokens are right.

use super::dom::Attr;
use super::entities;
use super::tree::Name;
use crate::map::HashSet;
use std::borrow::Cow;
use std::ops::Range;
use std::rc::Rc;

/// What HTML is made of.
pub(super) enum Token<'a> {
    Tag(Tag<'a>),
    /// A text, which may go on in the next token.
    Text(Cow<'a, str>),
    /// A NUL in a text. Some places drop it.
    Null,
    Comment,
    Doctype,
    End,
}

/// A start tag or an end tag.
pub(super) struct Tag<'a> {
    pub(super) is_end: bool,
    pub(super) name: Name,
    /// The name's text, in lower case.
    pub(super) local: Cow<'a, str>,
    pub(super) attrs: Option<Rc<[Attr<'a>]>>,
    pub(super) self_closing: bool,
}

impl<'a> Tag<'a> {
    /// A start tag without attributes.
    pub(super) fn named(name: Name) -> Tag<'a> {
        Tag { is_end: false, name, local: name.text().into(), attrs: None, self_closing: false }
    }

    pub(super) fn attribute(&self, name: &str) -> Option<&str> {
        self.attrs.as_deref()?.iter().find(|attr| attr.name == name).map(|attr| &*attr.value)
    }
}

/// How what follows a tag is to be read.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Reading {
    /// As HTML.
    Content,
    /// As text with references, up to the end tag.
    References,
    /// As text, up to the end tag.
    Raw,
    /// As text, up to the end tag of a script.
    Script,
    /// As text, all of it.
    Plaintext,
}

/// Who is given the tokens.
pub(super) trait TokenSink<'a> {
    /// Takes a token. What it says counts after a tag.
    fn take(&mut self, token: Token<'a>) -> Reading;
    /// Whether the innermost open element is one of SVG or MathML, where `<![CDATA[` is known.
    fn is_in_foreign(&self) -> bool;
}

/// Reads HTML step by step.
pub(super) struct Tokenizer<'a, S> {
    html: &'a str,
    bytes: &'a [u8],
    at: usize,
    /// The attributes of the tag that is read, kept for its room.
    attrs: Vec<Attr<'a>>,
    pub(super) sink: S,
}

/// Where a text stands decides what is special in it.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    Content,
    Cdata,
    /// An element that holds text with references, but no elements: `title`.
    Rcdata,
    /// An element that holds nothing but text: `style`.
    Raw,
    Attribute,
}

impl<'a, S: TokenSink<'a>> Tokenizer<'a, S> {
    /// `html` has no carriage returns.
    pub(super) fn new(html: &'a str, sink: S) -> Tokenizer<'a, S> {
        Tokenizer { html, bytes: html.as_bytes(), at: 0, attrs: Vec::new(), sink }
    }

    /// Gives the sink what comes next: a text, a comment, or a tag and the text that belongs to it. False after
    /// the end.
    pub(super) fn step(&mut self) -> bool {
        match self.rest() {
            [] => {
                self.give(Token::End);
                return false;
            }
            [b'<', b'a'..=b'z' | b'A'..=b'Z', ..] => self.tag(false, self.at + 1),
            [b'<', b'/', b'a'..=b'z' | b'A'..=b'Z', ..] => self.tag(true, self.at + 2),
            [b'<', b'/', b'>', ..] => self.at += 3,
            [b'<', b'!', ..] => self.declaration(),
            [b'<', b'?', ..] | [b'<', b'/', _, ..] => self.bogus_comment(),
            _ => {
                // The first byte is text even where it is "<", and most texts have nothing special in them.
                let is_special = |byte| matches!(byte, b'&' | 0);
                let mut special = is_special(self.rest()[0]);
                let end = self.until(self.at + 1, |byte| {
                    special |= is_special(byte);
                    byte == b'<'
                });
                if special {
                    self.text(end, Place::Content);
                } else {
                    self.give(Token::Text(Cow::Borrowed(&self.html[self.at..end])));
                    self.at = end;
                }
            }
        }
        true
    }

    fn tag(&mut self, is_end: bool, name: usize) {
        self.at = self.until(name, |byte| is_space(byte) || matches!(byte, b'/' | b'>'));
        let local = self.name(name..self.at);
        self.attrs.clear();
        let mut self_closing = false;
        // The names of the attributes, where they are more than one looks through.
        let mut names = HashSet::default();
        loop {
            match self.rest() {
                // A tag that the text ends in is none.
                [] => return,
                [b'>', ..] => break,
                [b'/', b'>', ..] => self_closing = true,
                [byte, ..] if is_space(*byte) || *byte == b'/' => {}
                _ => {
                    let attr = self.attribute();
                    if names.is_empty() && self.attrs.len() > 32 {
                        names.extend(self.attrs.iter().map(|known| known.name.clone()));
                    }
                    let is_new = match names.is_empty() {
                        true => self.attrs.iter().all(|known| known.name != attr.name),
                        false => names.insert(attr.name.clone()),
                    };
                    if is_new {
                        self.attrs.push(attr);
                    }
                    continue;
                }
            }
            self.at += 1;
        }
        self.at += 1;
        let name = Name::of(&local);
        if !is_end && matches!(name, Name::Pre | Name::Listing) {
            // A line break is dropped here; a NUL before it does not keep Chromium from doing so.
            self.at = self.until(self.at, |byte| byte != 0);
        }
        let local = if name == Name::Other { local } else { name.text().into() };
        let attrs = (!self.attrs.is_empty()).then(|| self.attrs.drain(..).collect());
        let ends = |text: &[u8]| is_tag(text, b"</", &local);
        let tag = Tag { is_end, name, local: local.clone(), attrs, self_closing };
        match self.sink.take(Token::Tag(tag)) {
            Reading::Content => {}
            Reading::References => self.text(self.first(ends), Place::Rcdata),
            Reading::Raw => self.text(self.first(ends), Place::Raw),
            Reading::Script => self.text(self.end_of_script(), Place::Raw),
            Reading::Plaintext => self.text(self.bytes.len(), Place::Raw),
        }
    }

    fn attribute(&mut self) -> Attr<'a> {
        // A "=" at its beginning belongs to the name.
        let end = self.until(self.at + 1, |byte| is_space(byte) || matches!(byte, b'/' | b'>' | b'='));
        let name = self.name(self.at..end);
        self.at = self.until(end, |byte| !is_space(byte));
        let mut value = Cow::Borrowed("");
        if let [b'=', ..] = self.rest() {
            self.at = self.until(self.at + 1, |byte| !is_space(byte));
            let range = match self.rest() {
                [quote @ (b'"' | b'\''), ..] => {
                    let start = self.at + 1;
                    let end = self.until(start, |byte| byte == *quote);
                    self.at = self.bytes.len().min(end + 1);
                    start..end
                }
                _ => {
                    let start = self.at;
                    self.at = self.until(start, |byte| is_space(byte) || byte == b'>');
                    start..self.at
                }
            };
            value = self.read(range, Place::Attribute).0;
        }
        Attr { name, value }
    }

    fn declaration(&mut self) {
        const CDATA: &[u8] = b"<![CDATA[";
        let rest = self.rest();
        if rest.starts_with(b"<!--") {
            self.comment(self.end_of_comment());
        } else if rest.get(2..9).is_some_and(|word| word.eq_ignore_ascii_case(b"doctype")) {
            // Only its being there counts in a body.
            self.at = self.after(self.at, b">");
            self.give(Token::Doctype);
        } else if rest.starts_with(CDATA) && self.sink.is_in_foreign() {
            self.at += CDATA.len();
            let after = self.after(self.at, b"]]>");
            let closed = self.html[self.at..after].ends_with("]]>");
            self.text(if closed { after - 3 } else { after }, Place::Cdata);
            self.at = after;
        } else {
            self.bogus_comment();
        }
    }

    /// What is no tag, up to the next `>`.
    fn bogus_comment(&mut self) {
        self.comment(self.after(self.at, b">"));
    }

    /// A comment without its text: nothing reads it.
    fn comment(&mut self, end: usize) {
        self.at = end;
        self.give(Token::Comment);
    }

    fn text(&mut self, end: usize, place: Place) {
        loop {
            let (text, after) = self.read(self.at..end, place);
            if !text.is_empty() {
                self.give(Token::Text(text));
            }
            self.at = after;
            if after == end {
                return;
            }
            self.at += 1;
            self.give(Token::Null);
        }
    }

    /// A text with its references read, up to a NUL where those are told apart, and where it ends. Only what has
    /// something to read in it is copied.
    fn read(&self, range: Range<usize>, place: Place) -> (Cow<'a, str>, usize) {
        let bytes = &self.bytes[..range.end];
        let mut text = String::new();
        let (mut from, mut at) = (range.start, range.start);
        while let Some(found) = bytes[at..].iter().position(|byte| matches!(byte, b'&' | 0)) {
            at += found;
            let read = match (bytes[at], place) {
                (b'&', Place::Raw | Place::Cdata) => None,
                (b'&', _) => entities::reference(&bytes[at + 1..], place == Place::Attribute),
                (_, Place::Content | Place::Cdata) => return (self.join(text, range.start, from..at), at),
                _ => Some(((char::REPLACEMENT_CHARACTER, None), 0)),
            };
            if let Some(((first, second), length)) = read {
                text.push_str(&self.html[from..at]);
                text.push(first);
                text.extend(second);
                at += length;
                from = at + 1;
            }
            at += 1;
        }
        (self.join(text, range.start, from..range.end), range.end)
    }

    /// What was read of a text that begins at `start`, with what is left of it.
    fn join(&self, mut text: String, start: usize, rest: Range<usize>) -> Cow<'a, str> {
        if rest.start == start {
            return Cow::Borrowed(&self.html[rest]);
        }
        text.push_str(&self.html[rest]);
        Cow::Owned(text)
    }

    /// The end of a script. In `<!-- … -->`, a script may stand within the script.
    fn end_of_script(&self) -> usize {
        let (mut escaped, mut nested) = (false, false);
        self.first(|rest| {
            if rest.starts_with(b"<!--") {
                escaped = true;
            } else if rest.starts_with(b"-->") {
                (escaped, nested) = (false, false);
            } else if is_tag(rest, b"<", "script") {
                nested = escaped;
            } else if is_tag(rest, b"</", "script") {
                return !std::mem::take(&mut nested);
            }
            false
        })
    }

    /// The first place from here on where a text of some kind begins, or the end.
    fn first(&self, mut begins: impl FnMut(&[u8]) -> bool) -> usize {
        let bytes = self.bytes;
        (self.at..bytes.len()).find(|at| begins(&bytes[*at..])).unwrap_or(bytes.len())
    }

    /// `<!-->` and `<!--->` are comments, `<!--!>` begins one.
    fn end_of_comment(&self) -> usize {
        let bytes = self.bytes;
        let ends = |at: usize| match &bytes[at..] {
            [b'-', b'-', b'>', ..] => Some(at + 3),
            [b'-', b'-', b'!', b'>', ..] if at >= self.at + 4 => Some(at + 4),
            _ => None,
        };
        (self.at + 2..bytes.len()).find_map(ends).unwrap_or(bytes.len())
    }

    /// The place after the next of some bytes, or the end.
    fn after(&self, from: usize, bytes: &[u8]) -> usize {
        let found = self.bytes[from..].windows(bytes.len()).position(|window| window == bytes);
        found.map_or(self.bytes.len(), |found| from + found + bytes.len())
    }

    /// The place of the next byte of some kind, or the end.
    fn until(&self, from: usize, mut ends: impl FnMut(u8) -> bool) -> usize {
        let found = self.bytes[from..].iter().position(|byte| ends(*byte));
        found.map_or(self.bytes.len(), |found| from + found)
    }

    #[inline(always)]
    fn rest(&self) -> &'a [u8] {
        &self.bytes[self.at..]
    }

    /// A name in lower case.
    fn name(&self, range: Range<usize>) -> Cow<'a, str> {
        let name = &self.html[range];
        let is_plain = |byte| byte != 0 && !u8::is_ascii_uppercase(&byte);
        match name.bytes().all(is_plain) {
            true => Cow::Borrowed(name),
            false => Cow::Owned(name.to_ascii_lowercase().replace('\0', "\u{FFFD}")),
        }
    }

    /// Gives the sink a token that is no tag: what the sink answers says nothing.
    fn give(&mut self, token: Token<'a>) {
        self.sink.take(token);
    }
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | b'\x0C' | b' ')
}

/// Whether a text begins with a tag: `opening` is `<` or `</`.
fn is_tag(text: &[u8], opening: &[u8], name: &str) -> bool {
    let named = text.strip_prefix(opening).and_then(|text| text.split_at_checked(name.len()));
    named.is_some_and(|(given, after)| {
        given.eq_ignore_ascii_case(name.as_bytes())
            && after.first().is_some_and(|byte| is_space(*byte) || matches!(byte, b'/' | b'>'))
    })
}
