//! HTML to tags, texts and comments, by the rules of <https://html.spec.whatwg.org/#tokenization>.
//!
//! html5ever has a tokenizer too. It reads a stream that may pause anywhere, and reports every error. Here the whole
//! text is at hand and nobody reads errors, so that most of the standard's states become a search for what ends
//! them; and html5ever's table of every prefix of every entity alone is 54 kB of compressed wasm. The test below
//! asks html5ever whether this one is right.

use super::entities;
use html5ever::interface::{Attribute, QualName};
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::states::RawKind;
use html5ever::tokenizer::{Doctype, Tag, TagKind, Token, TokenSink, TokenSinkResult};
use html5ever::{LocalName, local_name, ns};
use std::borrow::Cow;
use std::ops::Range;

/// Lines are counted only for messages about errors.
const LINE: u64 = 1;

/// Reads HTML step by step.
pub(super) struct Tokenizer<'a, S> {
    /// The text, of which parts are shared.
    html: &'a StrTendril,
    /// The same, at hand.
    bytes: &'a [u8],
    at: usize,
    sink: &'a S,
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

impl<'a, S: TokenSink> Tokenizer<'a, S> {
    /// `html` has no carriage returns.
    pub(super) fn new(html: &'a StrTendril, sink: &'a S) -> Tokenizer<'a, S> {
        Tokenizer { html, bytes: html.as_bytes(), at: 0, sink }
    }

    /// Gives the sink what comes next: a text, a comment, or a tag and the text that belongs to it. False after
    /// the end.
    pub(super) fn step(&mut self) -> bool {
        match self.rest() {
            [] => {
                self.give(Token::EOFToken);
                return false;
            }
            [b'<', b'a'..=b'z' | b'A'..=b'Z', ..] => self.tag(TagKind::StartTag, self.at + 1),
            [b'<', b'/', b'a'..=b'z' | b'A'..=b'Z', ..] => self.tag(TagKind::EndTag, self.at + 2),
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
                    self.give(Token::CharacterTokens(self.slice(self.at..end)));
                    self.at = end;
                }
            }
        }
        true
    }

    fn tag(&mut self, kind: TagKind, name: usize) {
        self.at = self.until(name, |byte| is_space(byte) || matches!(byte, b'/' | b'>'));
        let name = self.name(name..self.at);
        let mut attrs: Vec<Attribute> = Vec::new();
        let mut self_closing = false;
        loop {
            match self.rest() {
                // A tag that the text ends in is none.
                [] => return,
                [b'>', ..] => break,
                [b'/', b'>', ..] => self_closing = true,
                [byte, ..] if is_space(*byte) || *byte == b'/' => {}
                _ => {
                    let attr = self.attribute();
                    if attrs.iter().all(|known| known.name != attr.name) {
                        attrs.push(attr);
                    }
                    continue;
                }
            }
            self.at += 1;
        }
        self.at += 1;
        if kind == TagKind::StartTag && matches!(name, local_name!("pre") | local_name!("listing")) {
            // A line break is dropped here; a NUL before it does not keep Chromium from doing so.
            self.at = self.until(self.at, |byte| byte != 0);
        }
        let tag = Tag { kind, name: name.clone(), self_closing, attrs, had_duplicate_attributes: false };
        match self.sink.process_token(Token::TagToken(tag), LINE) {
            TokenSinkResult::RawData(RawKind::Rcdata) => self.text(self.end_of(&name), Place::Rcdata),
            TokenSinkResult::RawData(RawKind::Rawtext) => self.text(self.end_of(&name), Place::Raw),
            TokenSinkResult::RawData(_) => self.text(self.end_of_script(), Place::Raw),
            TokenSinkResult::Plaintext => self.text(self.bytes.len(), Place::Raw),
            _ => {}
        }
    }

    fn attribute(&mut self) -> Attribute {
        // A "=" at its beginning belongs to the name.
        let end = self.until(self.at + 1, |byte| is_space(byte) || matches!(byte, b'/' | b'>' | b'='));
        let name = QualName::new(None, ns!(), self.name(self.at..end));
        self.at = self.until(end, |byte| !is_space(byte));
        let mut value = StrTendril::new();
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
            self.parts(range, Place::Attribute, |part| value.push_tendril(&part));
        }
        Attribute { name, value }
    }

    fn declaration(&mut self) {
        const CDATA: &[u8] = b"<![CDATA[";
        let rest = self.rest();
        if rest.starts_with(b"<!--") {
            self.comment(self.end_of_comment());
        } else if rest.get(2..9).is_some_and(|word| word.eq_ignore_ascii_case(b"doctype")) {
            // Only its being there counts in a body.
            self.at = self.after(self.at, b">");
            self.give(Token::DoctypeToken(Doctype::default()));
        } else if rest.starts_with(CDATA) && self.sink.adjusted_current_node_present_but_not_in_html_namespace() {
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
        self.give(Token::CommentToken(StrTendril::new()));
    }

    fn text(&mut self, end: usize, place: Place) {
        self.parts(self.at..end, place, |part| {
            self.give(if &*part == "\0" { Token::NullCharacterToken } else { Token::CharacterTokens(part) });
        });
        self.at = end;
    }

    /// Reads the references and NULs in a text. Each is a part; what stands between them is shared, not copied.
    fn parts(&self, range: Range<usize>, place: Place, mut give: impl FnMut(StrTendril)) {
        let bytes = &self.bytes[..range.end];
        let (mut from, mut at) = (range.start, range.start);
        while let Some(found) = bytes[at..].iter().position(|byte| matches!(byte, b'&' | 0)) {
            at += found;
            let part = match (bytes[at], place) {
                (b'&', Place::Raw | Place::Cdata) => None,
                (b'&', _) => entities::reference(&bytes[at + 1..], place == Place::Attribute),
                (_, Place::Content | Place::Cdata) => Some((StrTendril::from_char('\0'), 0)),
                _ => Some((StrTendril::from_char(char::REPLACEMENT_CHARACTER), 0)),
            };
            if let Some((part, length)) = part {
                if from < at {
                    give(self.slice(from..at));
                }
                give(part);
                at += length;
                from = at + 1;
            }
            at += 1;
        }
        if from < range.end {
            give(self.slice(from..range.end));
        }
    }

    /// The end of the text in an element: where its end tag begins.
    fn end_of(&self, name: &str) -> usize {
        self.first(|rest| is_tag(rest, b"</", name))
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

    fn slice(&self, range: Range<usize>) -> StrTendril {
        self.html.subtendril(range.start as u32, range.len() as u32)
    }

    fn name(&self, range: Range<usize>) -> LocalName {
        let name = &self.html[range];
        let is_plain = |byte| byte != 0 && !u8::is_ascii_uppercase(&byte);
        LocalName::from(match name.bytes().all(is_plain) {
            true => Cow::Borrowed(name),
            false => Cow::Owned(name.to_ascii_lowercase().replace('\0', "\u{FFFD}")),
        })
    }

    /// Gives the sink a token that is no tag: what the sink answers is always to go on.
    fn give(&self, token: Token) {
        let _ = self.sink.process_token(token, LINE);
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

#[cfg(test)]
mod tests {
    use super::super::dom::DomId;
    use super::super::sink::{self, Sink};
    use super::Tokenizer;
    use html5ever::TokenizerResult;
    use html5ever::buffer_queue::BufferQueue;
    use html5ever::tendril::StrTendril;
    use html5ever::tokenizer::{self, TagKind, Token, TokenSink, TokenSinkResult, TokenizerOpts};
    use html5ever::tree_builder::TreeBuilder;
    use std::cell::RefCell;

    /// Notes the tokens on their way to a tree builder, which has a say in how text is read.
    struct Noted {
        builder: TreeBuilder<DomId, Sink>,
        tokens: RefCell<Vec<Token>>,
    }

    impl TokenSink for Noted {
        type Handle = DomId;

        fn process_token(&self, token: Token, line: u64) -> TokenSinkResult<DomId> {
            let mut tokens = self.tokens.borrow_mut();
            let copy = match (&token, tokens.last_mut()) {
                (Token::ParseError(_), _) => return TokenSinkResult::Continue,
                (Token::CharacterTokens(text), _) if text.is_empty() => return TokenSinkResult::Continue,
                // Where one text ends and the next begins is left to the tokenizer.
                (Token::CharacterTokens(text), Some(Token::CharacterTokens(before))) => {
                    before.push_tendril(text);
                    None
                }
                (Token::CharacterTokens(text), _) => Some(Token::CharacterTokens(text.clone())),
                (Token::TagToken(tag), _) => {
                    Some(Token::TagToken(tokenizer::Tag { had_duplicate_attributes: false, ..tag.clone() }))
                }
                // Where this tokenizer follows Chromium instead.
                (Token::NullCharacterToken, Some(Token::TagToken(tag)))
                    if tag.kind == TagKind::StartTag && matches!(&*tag.name, "pre" | "listing") =>
                {
                    return TokenSinkResult::Continue;
                }
                (Token::CommentToken(_), _) => Some(Token::CommentToken(StrTendril::new())),
                (Token::DoctypeToken(_), _) => Some(Token::DoctypeToken(Default::default())),
                (Token::NullCharacterToken, _) => Some(Token::NullCharacterToken),
                (Token::EOFToken, _) => Some(Token::EOFToken),
            };
            tokens.extend(copy);
            self.builder.process_token(token, line)
        }

        fn adjusted_current_node_present_but_not_in_html_namespace(&self) -> bool {
            self.builder.adjusted_current_node_present_but_not_in_html_namespace()
        }
    }

    fn noted() -> Noted {
        Noted { builder: sink::tree_builder(usize::MAX), tokens: RefCell::default() }
    }

    fn ours(html: &str) -> Vec<Token> {
        let (html, noted) = (StrTendril::from_slice(html), noted());
        let mut tokenizer = Tokenizer::new(&html, &noted);
        while tokenizer.step() {}
        noted.tokens.into_inner()
    }

    fn theirs(html: &str) -> Vec<Token> {
        let tokenizer = tokenizer::Tokenizer::new(noted(), TokenizerOpts { discard_bom: false, ..Default::default() });
        let input = BufferQueue::default();
        input.push_back(StrTendril::from_slice(html));
        while !matches!(tokenizer.feed(&input), TokenizerResult::Done) {}
        tokenizer.end();
        tokenizer.sink.tokens.into_inner()
    }

    const PIECES: &str = "< > / = - ! ? & ; # ' \" ] [ x a A 0 9 \0 é 😀 \u{FEFF} \t \n \x0C </ <! /> --> --!> <!-- \
        <!doctype <![CDATA[ ]]> <script </script <SCRIPT> <title> </title <Textarea> </textarea> <style> </style> \
        <plaintext> <svg> </svg> <math><mi> </mi> <p> </p <noscript> <iframe> <pre> <br/ <a\u{20}href= b= b \
        &amp &amp; &AMP &not &notin; &notit; &ngE; &fjlig; &#x &#X41 &#65 &#128; &#x9F &#0 &#xD800; &#x110000; &#99999999999 \
        &CounterClockwiseContourIntegral; &frac34 &nbsp";

    #[test]
    fn gives_the_tokens_that_html5ever_gives() {
        let pieces: Vec<&str> =
            PIECES.split([' ', '\n']).filter(|piece| !piece.is_empty()).chain([" ", "\n"]).collect();
        let rounds: u64 = std::env::var("ROUNDS").map_or(20_000, |rounds| rounds.parse().unwrap());
        let mut random = 0x9E37_79B9_7F4A_7C15_u64;
        let mut below = |limit: usize| {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            (random >> 33) as usize % limit
        };
        for _ in 0..rounds {
            let html: String = (0..=below(30)).map(|_| pieces[below(pieces.len())]).collect();
            assert_eq!(ours(&html), theirs(&html), "{html:?}");
        }
    }
}
