//! The tokens of random inputs.

use super::super::tokenizer::{Reading, Token, TokenSink, Tokenizer};
use super::super::tree::{Builder, page};
use super::random::Random;
use super::reference::{self, Sink};
use html5ever::TokenizerResult;
use html5ever::buffer_queue::BufferQueue;
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{self, TagKind, TokenSinkResult, TokenizerOpts};
use html5ever::tree_builder::TreeBuilder;
use std::cell::RefCell;

/// A token, whoever made it.
#[derive(Debug, PartialEq)]
enum Seen {
    Tag { is_end: bool, name: String, attrs: Vec<(String, String)>, self_closing: bool },
    Text(String),
    Null,
    Comment,
    Doctype,
    End,
}

/// Notes the tokens on their way to a tree builder, which has a say in how text is read.
struct Noted<B> {
    builder: B,
    seen: RefCell<Vec<Seen>>,
}

/// Where one text ends and the next begins is left to the tokenizer. A NUL behind `<pre>` is passed over: there this
/// tokenizer follows Chromium.
fn note(seen: &RefCell<Vec<Seen>>, token: Seen) {
    let mut seen = seen.borrow_mut();
    match (token, seen.last_mut()) {
        (Seen::Text(text), _) if text.is_empty() => {}
        (Seen::Null, Some(Seen::Tag { is_end: false, name, .. })) if name == "pre" => {}
        (Seen::Text(text), Some(Seen::Text(before))) => before.push_str(&text),
        (token, _) => seen.push(token),
    }
}

impl<'a> TokenSink<'a> for Noted<Builder<'a>> {
    fn take(&mut self, token: Token<'a>) -> Reading {
        note(
            &self.seen,
            match &token {
                Token::Tag(tag) => Seen::Tag {
                    is_end: tag.is_end,
                    name: tag.local.to_string(),
                    attrs: tag
                        .attrs
                        .iter()
                        .flat_map(|attrs| attrs.iter())
                        .map(|attr| (attr.name.to_string(), attr.value.to_string()))
                        .collect(),
                    self_closing: tag.self_closing,
                },
                Token::Text(text) => Seen::Text(text.to_string()),
                Token::Null => Seen::Null,
                Token::Comment => Seen::Comment,
                Token::Doctype => Seen::Doctype,
                Token::End => Seen::End,
            },
        );
        self.builder.take(token)
    }

    fn is_in_foreign(&self) -> bool {
        self.builder.is_in_foreign()
    }
}

impl tokenizer::TokenSink for Noted<TreeBuilder<usize, Sink>> {
    type Handle = usize;

    fn process_token(&self, token: tokenizer::Token, line: u64) -> TokenSinkResult<usize> {
        note(
            &self.seen,
            match &token {
                tokenizer::Token::ParseError(_) => return TokenSinkResult::Continue,
                tokenizer::Token::TagToken(tag) => Seen::Tag {
                    is_end: tag.kind == TagKind::EndTag,
                    name: tag.name.to_string(),
                    attrs: tag.attrs.iter().map(|attr| (attr.name.local.to_string(), attr.value.to_string())).collect(),
                    self_closing: tag.self_closing,
                },
                tokenizer::Token::CharacterTokens(text) => Seen::Text(text.to_string()),
                tokenizer::Token::NullCharacterToken => Seen::Null,
                tokenizer::Token::CommentToken(_) => Seen::Comment,
                tokenizer::Token::DoctypeToken(_) => Seen::Doctype,
                tokenizer::Token::EOFToken => Seen::End,
            },
        );
        self.builder.process_token(token, line)
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&self) -> bool {
        self.builder.adjusted_current_node_present_but_not_in_html_namespace()
    }
}

fn ours(page: &str) -> Vec<Seen> {
    let noted = Noted { builder: Builder::new(usize::MAX), seen: RefCell::default() };
    let mut tokenizer = Tokenizer::new(page, noted);
    while tokenizer.step() {}
    tokenizer.sink.seen.into_inner()
}

fn theirs(page: &str) -> Vec<Seen> {
    let noted = Noted { builder: reference::tree_builder(), seen: RefCell::default() };
    let tokenizer = tokenizer::Tokenizer::new(noted, TokenizerOpts { discard_bom: false, ..Default::default() });
    let input = BufferQueue::default();
    input.push_back(StrTendril::from_slice(page));
    while !matches!(tokenizer.feed(&input), TokenizerResult::Done) {}
    tokenizer.end();
    tokenizer.sink.seen.into_inner()
}

const PIECES: &str = "< > / = - ! ? & ; # ' \" ] [ x a A 0 9 \0 é 😀 \u{FEFF} \t \n \x0C </ <! /> --> --!> <!-- \
    <!doctype <![CDATA[ ]]> <script </script <SCRIPT> <title> </title <Textarea> </textarea> <style> </style> \
    <plaintext> <svg> </svg> <math><mi> </mi> <p> </p <noscript> <iframe> <pre> <br/ <a\u{20}href= b= b \
    &amp &amp; &AMP &not &notin; &notit; &ngE; &fjlig; &#x &#X41 &#65 &#128; &#x9F &#0 &#xD800; &#x110000; &#99999999999 \
    &CounterClockwiseContourIntegral; &frac34 &nbsp";

#[test]
fn random_inputs_become_the_tokens_that_html5ever_gives() {
    let pieces: Vec<&str> = PIECES.split([' ', '\n']).filter(|piece| !piece.is_empty()).chain([" ", "\n"]).collect();
    let mut random = Random::new();
    for round in 0..super::rounds() {
        let html: String = (0..=random.below(30)).map(|_| *random.pick(&pieces)).collect();
        let page = page(&html);
        assert_eq!(ours(&page), theirs(&page), "round {round}: {html:?}");
    }
}

#[test]
fn of_many_attributes_the_first_of_each_name_counts() {
    let mut random = Random::new();
    for count in [1, 31, 32, 33, 34, 60, 400] {
        let attrs: String = (0..count).map(|index| format!(" N{}={index}", random.below(count + 5))).collect();
        let page = page(&format!("<p{attrs}>x"));
        assert_eq!(ours(&page), theirs(&page), "{page}");
    }
}
