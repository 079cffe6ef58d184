//! URLs in style sheets and style attributes, by the tokens of [CSS Syntax](https://www.w3.org/TR/css-syntax-3/)
//! (crate `cssparser`): escapes, comments and quotes are read as browsers read them.

use cssparser::{Parser, Token};

/// Number of levels of blocks and functions that are read; deeper ones are refused.
const DEEPEST: usize = 64;

/// A text in CSS that may be a URL.
pub enum Found<'a> {
    /// A URL: the browser requests it.
    Url(&'a str),
    /// A string that becomes a URL where a property refers to it.
    Variable(&'a str),
    /// A string that is mostly a word, such as the name of a font.
    Text(&'a str),
    /// Blocks that nest too deep to be read.
    TooDeep,
}

/// Shows the URLs and strings in CSS: declarations, rules, or a value.
pub fn each_url(css: &str, see: &mut dyn FnMut(Found<'_>)) {
    let mut reader = Reader { see, variables: Vec::new(), refers: false };
    reader.read(&mut Parser::new(css), Place::Value, 0);
    let Reader { see, variables, refers } = reader;
    for text in &variables {
        see(if refers { Found::Url(text) } else { Found::Variable(text) });
    }
}

/// The meaning of a string at its place.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    /// In a value: words.
    Value,
    /// In a function that takes an image, or behind `@import`: URLs.
    Url,
    /// In a custom property: perhaps URLs.
    Variable,
    /// In a function whose strings are never URLs.
    Word,
}

struct Reader<'s> {
    see: &'s mut dyn FnMut(Found<'_>),
    /// The strings in custom properties.
    variables: Vec<String>,
    /// True if a function that takes an image refers to a custom property.
    refers: bool,
}

impl Reader<'_> {
    fn read(&mut self, css: &mut Parser<'_>, outer: Place, depth: usize) {
        let mut place = outer;
        // A name that begins with two hyphens declares a custom property where a colon follows.
        let mut custom = false;
        while let Ok(token) = css.next() {
            let token = token.clone();
            let mut inside = place;
            match &token {
                Token::UnquotedUrl(url) | Token::BadUrl(url) => (self.see)(Found::Url(url)),
                Token::QuotedString(text) | Token::BadString(text) => match place {
                    Place::Url => (self.see)(Found::Url(text)),
                    Place::Variable => self.variables.push(text.as_ref().to_owned()),
                    Place::Value => (self.see)(Found::Text(text)),
                    Place::Word => {}
                },
                Token::Ident(name) => {
                    custom = name.starts_with("--");
                    continue;
                }
                Token::Colon if custom => place = Place::Variable,
                Token::Semicolon => place = outer,
                Token::AtKeyword(name) if name.eq_ignore_ascii_case("import") => place = Place::Url,
                Token::Function(name) => {
                    inside = place_in(name, place);
                    self.refers |= place == Place::Url && name.eq_ignore_ascii_case("var");
                }
                _ => {}
            }
            custom = false;
            let opens = matches!(
                token,
                Token::Function(_) | Token::ParenthesisBlock | Token::SquareBracketBlock | Token::CurlyBracketBlock
            );
            if opens && depth == DEEPEST {
                (self.see)(Found::TooDeep);
            } else if opens {
                let read = css.parse_nested_block(|css| {
                    self.read(css, inside, depth + 1);
                    Ok::<(), cssparser::ParseError<()>>(())
                });
                // Content of it is never an error for the reader: the rest of a block is skipped.
                drop(read);
            }
            if matches!(token, Token::CurlyBracketBlock) {
                place = outer;
            }
        }
    }
}

fn place_in(function: &str, place: Place) -> Place {
    const IMAGES: [&str; 8] =
        ["url", "src", "image", "image-set", "-webkit-image-set", "cross-fade", "-webkit-cross-fade", "paint"];
    let is = |name: &&str| function.eq_ignore_ascii_case(name);
    match place {
        _ if IMAGES.iter().any(is) => Place::Url,
        _ if is(&"type") => Place::Word,
        place => place,
    }
}
