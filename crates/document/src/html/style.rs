//! Inline styles, as far as they determine the meaning of HTML to TipTap, with the values of a browser's
//! `element.style`.
//!
//! A browser drops declarations whose value is not valid, lets the later of two win unless the earlier is
//! important, and writes values in one canonical way. Only the properties that are asked for are read. The crate
//! `cssparser` reads the tokens.

use super::colors;
use cssparser::{ParseError, Parser, Token};

/// The valid declarations of a `style` attribute.
#[derive(Default)]
pub(crate) struct InlineStyle {
    font_weight: StyleValue,
    font_style: StyleValue,
    text_align: StyleValue,
    vertical_align: StyleValue,
    background_color: StyleValue,
    decoration: Decoration,
    spaces: Spaces,
}

/// A property's value and whether it was important.
#[derive(Clone, Default)]
struct StyleValue {
    value: String,
    important: bool,
}

impl StyleValue {
    fn set(&mut self, value: &str, important: bool) {
        if important || !self.important {
            *self = StyleValue { value: value.to_owned(), important };
        }
    }
}

/// `text-decoration` is short for four properties. It has a value only while all four have one.
#[derive(Default)]
struct Decoration {
    line: StyleValue,
    style: StyleValue,
    color: StyleValue,
    thickness: StyleValue,
}

/// `white-space` is short for two properties.
#[derive(Default)]
struct Spaces {
    collapse: StyleValue,
    wrap: StyleValue,
}

impl InlineStyle {
    pub(crate) fn parse(text: &str) -> InlineStyle {
        let mut style = InlineStyle::default();
        for (name, value, important) in declarations(text) {
            style.declare(&name, &value, important);
        }
        style
    }

    /// `font-weight`.
    pub(crate) fn font_weight(&self) -> &str {
        &self.font_weight.value
    }

    /// `font-style`.
    pub(crate) fn font_style(&self) -> &str {
        &self.font_style.value
    }

    /// `text-align`.
    pub(crate) fn text_align(&self) -> &str {
        &self.text_align.value
    }

    /// `vertical-align`.
    pub(crate) fn vertical_align(&self) -> &str {
        &self.vertical_align.value
    }

    /// `background-color`, as it is written, in lower case.
    pub(crate) fn background_color(&self) -> &str {
        &self.background_color.value
    }

    /// Returns whether `text-decoration` names a kind of line.
    pub(crate) fn has_decoration(&self, line: &str) -> bool {
        let Decoration { line: lines, style, color, thickness } = &self.decoration;
        have_one_value(&[lines, style, color, thickness]) && lines.value.contains(line)
    }

    /// Returns whether `white-space` keeps white space: its value has "pre" in it.
    pub(crate) fn preserves_whitespace(&self) -> bool {
        let Spaces { collapse, wrap } = &self.spaces;
        have_one_value(&[collapse, wrap]) && collapse.value.contains("pre")
    }

    fn declare(&mut self, name: &str, value: &str, important: bool) {
        match name {
            "font-weight" => {
                if let Some(weight) = font_weight(value) {
                    self.font_weight.set(&weight, important);
                }
            }
            "font-style" => {
                if let Some(style) = font_style(value) {
                    self.font_style.set(&style, important);
                }
            }
            "font" => {
                if let Some((style, weight)) = font(value) {
                    self.font_style.set(&style, important);
                    self.font_weight.set(&weight, important);
                }
            }
            "text-align" => {
                const KEYWORDS: [&str; 10] = [
                    "left",
                    "right",
                    "center",
                    "justify",
                    "start",
                    "end",
                    "match-parent",
                    "-webkit-left",
                    "-webkit-right",
                    "-webkit-center",
                ];
                if is_wide(value) || KEYWORDS.contains(&value) || has_variable(value) {
                    self.text_align.set(value, important);
                }
            }
            "vertical-align" => set_if(&mut self.vertical_align, value, important, is_vertical_align),
            "background-color" | "background" => {
                set_if(&mut self.background_color, value, important, colors::is_color);
            }
            "text-decoration" => self.decoration.shorthand(value, important),
            "text-decoration-line" => set_if(&mut self.decoration.line, value, important, is_decoration_line),
            "text-decoration-style" => set_if(&mut self.decoration.style, value, important, is_decoration_style),
            "text-decoration-color" => set_if(&mut self.decoration.color, value, important, colors::is_color),
            "text-decoration-thickness" => set_if(&mut self.decoration.thickness, value, important, is_thickness),
            "white-space" => self.spaces.shorthand(value, important),
            "white-space-collapse" => set_if(&mut self.spaces.collapse, value, important, is_collapse),
            "text-wrap" if value == "nowrap" || is_wide(value) => self.spaces.wrap.set(value, important),
            "text-wrap" if matches!(value, "wrap" | "auto" | "balance" | "pretty" | "stable") => {
                self.spaces.wrap.set("wrap", important);
            }
            "text-wrap-mode" => set_if(&mut self.spaces.wrap, value, important, is_wrap),
            "all" if is_wide(value) => self.set_all(value, important),
            _ => {}
        }
    }

    fn set_all(&mut self, value: &str, important: bool) {
        let Decoration { line, style, color, thickness } = &mut self.decoration;
        let Spaces { collapse, wrap } = &mut self.spaces;
        let single = [
            &mut self.font_weight,
            &mut self.font_style,
            &mut self.text_align,
            &mut self.vertical_align,
            &mut self.background_color,
        ];
        for slot in single.into_iter().chain([line, style, color, thickness, collapse, wrap]) {
            slot.set(value, important);
        }
    }
}

/// Returns whether the parts of a shorthand property can be written as one: each has a value and the same importance,
/// and if one refers to another value ("inherit", a variable), all refer to the same.
fn have_one_value(parts: &[&StyleValue]) -> bool {
    let fits = |part: &&StyleValue| {
        let open = is_wide(&part.value) && part.value != "initial" || has_variable(&part.value);
        !part.value.is_empty()
            && part.important == parts[0].important
            && (!open || parts.iter().all(|other| other.value == part.value))
    };
    parts.iter().all(fits)
}

fn set_if(slot: &mut StyleValue, value: &str, important: bool, valid: fn(&str) -> bool) {
    if is_wide(value) || has_variable(value) || valid(value) {
        slot.set(value, important);
    }
}

impl Decoration {
    fn shorthand(&mut self, value: &str, important: bool) {
        let Decoration { line: line_slot, style: style_slot, color: color_slot, thickness: thickness_slot } = self;
        if is_wide(value) || has_variable(value) {
            for slot in [line_slot, style_slot, color_slot, thickness_slot] {
                slot.set(value, important);
            }
            return;
        }
        let (mut line, mut style, mut color, mut thickness) = (Vec::new(), None, None, None);
        for part in components(value) {
            let known_line = is_decoration_line(&part) && !line.contains(&part);
            if known_line && !(line.iter().any(|line| !joins_lines(line)) || !line.is_empty() && !joins_lines(&part)) {
                line.push(part);
            } else if style.is_none() && is_decoration_style(&part) {
                style = Some(part);
            } else if thickness.is_none() && is_thickness(&part) {
                thickness = Some(part);
            } else if color.is_none() && colors::is_color(&part) {
                color = Some(part);
            } else {
                return;
            }
        }
        if line.is_empty() && style.is_none() && color.is_none() && thickness.is_none() {
            return;
        }
        let or = |value: Option<String>, initial: &str| value.unwrap_or_else(|| initial.to_owned());
        let lines = if line.is_empty() { "none".to_owned() } else { line.join(" ") };
        line_slot.set(&lines, important);
        style_slot.set(&or(style, "solid"), important);
        color_slot.set(&or(color, "currentcolor"), important);
        thickness_slot.set(&or(thickness, "auto"), important);
    }
}

impl Spaces {
    fn shorthand(&mut self, value: &str, important: bool) {
        let known = match value {
            "normal" => Some(("collapse", "wrap")),
            "pre" => Some(("preserve", "nowrap")),
            "pre-wrap" => Some(("preserve", "wrap")),
            "pre-line" => Some(("preserve-breaks", "wrap")),
            "nowrap" => Some(("collapse", "nowrap")),
            // Written "break-spaces", so it has no "pre" in it.
            "break-spaces" => Some(("break-spaces", "wrap")),
            _ if is_wide(value) || has_variable(value) => Some((value, value)),
            _ => None,
        };
        if let Some((collapse, wrap)) = known {
            self.collapse.set(collapse, important);
            self.wrap.set(wrap, important);
            return;
        }
        let (mut collapse, mut wrap) = (None, None);
        for part in components(value) {
            if collapse.is_none() && is_collapse(&part) {
                collapse = Some(part);
            } else if wrap.is_none() && is_wrap(&part) {
                wrap = Some(part);
            } else {
                return;
            }
        }
        if collapse.is_some() || wrap.is_some() {
            self.collapse.set(collapse.as_deref().unwrap_or("collapse"), important);
            self.wrap.set(wrap.as_deref().unwrap_or("wrap"), important);
        }
    }
}

/// A token of CSS with its text. A function and a block are one.
struct Lexeme<'a> {
    token: Token<'a>,
    text: &'a str,
}

impl Lexeme<'_> {
    /// Returns whether the token separates others. A comment does.
    fn is_space(&self) -> bool {
        matches!(self.token, Token::WhiteSpace(_) | Token::Comment(_))
    }

    fn is_word(&self, word: &str) -> bool {
        matches!(&self.token, Token::Ident(name) if name.eq_ignore_ascii_case(word))
    }
}

fn lexemes(css: &str) -> Vec<Lexeme<'_>> {
    let mut parser = Parser::new(css);
    let mut found = Vec::new();
    loop {
        let start = parser.position();
        let Ok(token) = parser.next_including_whitespace_and_comments().cloned() else { return found };
        let opens = matches!(
            token,
            Token::Function(_) | Token::ParenthesisBlock | Token::SquareBracketBlock | Token::CurlyBracketBlock
        );
        if opens {
            // Moves the parser behind the block, which it does even if the block is not closed.
            let _ = parser.parse_nested_block(|_| Ok::<(), ParseError<()>>(()));
        }
        found.push(Lexeme { token, text: parser.slice_from(start) });
    }
}

/// The declarations of a style attribute: name and value in lower case without comments, and whether important.
fn declarations(text: &str) -> Vec<(String, String, bool)> {
    lexemes(text).split(|lexeme| lexeme.token == Token::Semicolon).filter_map(declaration).collect()
}

fn declaration(lexemes: &[Lexeme<'_>]) -> Option<(String, String, bool)> {
    let (name, value) = trimmed(lexemes).split_first()?;
    let Token::Ident(name) = &name.token else { return None };
    let (colon, value) = trimmed(value).split_first()?;
    let important = match trimmed(value) {
        [.., sign, word] if sign.token == Token::Delim('!') && word.is_word("important") => Some(2),
        [.., sign, space, word] if sign.token == Token::Delim('!') && space.is_space() && word.is_word("important") => {
            Some(3)
        }
        _ => None,
    };
    let value = trimmed(value);
    let value = trimmed(&value[..value.len() - important.unwrap_or(0)]);
    let is_valid = colon.token == Token::Colon
        && !value.is_empty()
        && value.iter().all(|Lexeme { token, .. }| !token.is_parse_error() && *token != Token::Delim('!'));
    let text = value.iter().map(|lexeme| match &lexeme.token {
        _ if lexeme.is_space() => " ",
        Token::Ident(word) => word,
        _ => lexeme.text,
    });
    is_valid.then(|| (name.to_ascii_lowercase(), text.collect::<String>().to_ascii_lowercase(), important.is_some()))
}

fn trimmed<'l, 'a>(mut lexemes: &'l [Lexeme<'a>]) -> &'l [Lexeme<'a>] {
    while let [first, rest @ ..] = lexemes
        && first.is_space()
    {
        lexemes = rest;
    }
    while let [rest @ .., last] = lexemes
        && last.is_space()
    {
        lexemes = rest;
    }
    lexemes
}

/// Splits a value at tokens outside of brackets.
fn split(value: &str, is_between: impl Fn(&Lexeme<'_>) -> bool) -> Vec<String> {
    lexemes(value).split(is_between).map(|part| part.iter().map(|lexeme| lexeme.text).collect()).collect()
}

/// The parts of a value, split at white space outside brackets.
fn components(value: &str) -> Vec<String> {
    split(value, |lexeme| lexeme.is_space()).into_iter().filter(|part| !part.is_empty()).collect()
}

fn is_css_space(char: char) -> bool {
    matches!(char, ' ' | '\t' | '\n' | '\r' | '\x0c')
}

/// The words that every property takes.
fn is_wide(value: &str) -> bool {
    matches!(value, "initial" | "inherit" | "unset" | "revert" | "revert-layer")
}

fn has_variable(value: &str) -> bool {
    value.contains("var(") || value.contains("env(")
}

fn is_vertical_align(value: &str) -> bool {
    const KEYWORDS: [&str; 8] = ["baseline", "sub", "super", "text-top", "text-bottom", "middle", "top", "bottom"];
    KEYWORDS.contains(&value) || value.starts_with(|first: char| first.is_ascii_digit() || "+-.".contains(first))
}

fn font_weight(value: &str) -> Option<String> {
    let word = matches!(value, "normal" | "bold" | "bolder" | "lighter");
    // A calculation is kept as it is written.
    if word || is_wide(value) || has_variable(value) || value.starts_with("calc(") && value.ends_with(')') {
        return Some(value.to_owned());
    }
    let number = css_number(value)?;
    (1.0..=1000.0).contains(&number).then(|| super::javascript::float_text(number))
}

fn font_style(value: &str) -> Option<String> {
    let angle = |text: &str| {
        let unit = text.find(|char: char| char.is_ascii_alphabetic())?;
        let (number, unit) = text.split_at(unit);
        css_number(number).filter(|_| matches!(unit, "deg" | "rad" | "grad" | "turn"))
    };
    let known = is_wide(value) || has_variable(value) || matches!(value, "normal" | "italic" | "oblique");
    let slanted =
        || value.strip_prefix("oblique ").is_some_and(|rest| angle(rest.trim_start_matches(is_css_space)).is_some());
    (known || slanted()).then(|| value.to_owned())
}

/// Style and weight out of the `font` shorthand.
fn font(value: &str) -> Option<(String, String)> {
    if is_wide(value) {
        return Some((value.to_owned(), value.to_owned()));
    }
    // Values that a variable or the system determines are not known here, and a browser returns none either.
    let system = matches!(value, "caption" | "icon" | "menu" | "message-box" | "small-caption" | "status-bar");
    if system || has_variable(value) {
        return Some((String::new(), String::new()));
    }
    let (mut style, mut weight) = (None, None);
    let parts = components(value);
    let mut at = 0;
    while let Some(part) = parts.get(at) {
        if style.is_none() && matches!(&**part, "italic" | "oblique") {
            style = Some(part.clone());
        } else if weight.is_none() && part != "normal" && font_weight(part).is_some() && !is_wide(part) {
            weight = font_weight(part);
        } else if !matches!(&**part, "normal" | "small-caps") && !is_stretch(part) {
            break;
        }
        at += 1;
    }
    // Then a size, perhaps with a line height, and at least one family.
    let (size, height) = parts.get(at)?.split_once('/').unwrap_or((parts.get(at)?, "normal"));
    let families = parts[at + 1..].join(" ");
    let is_height = height == "normal" || css_number(height).is_some() || is_length(height);
    if at > 4
        || !is_font_size(size)
        || !is_height
        || !split(&families, |lexeme| lexeme.token == Token::Comma).iter().all(|family| is_family(family))
    {
        return None;
    }
    Some((style.unwrap_or_else(|| "normal".into()), weight.unwrap_or_else(|| "normal".into())))
}

/// Returns whether a text is the name of a font: quoted, or words.
fn is_family(text: &str) -> bool {
    let text = text.trim_matches(is_css_space);
    let quote = text.chars().next().filter(|first| matches!(first, '"' | '\''));
    // A string that is not closed ends with the style.
    let is_quoted = |quote: char| text[1..].find(quote).is_none_or(|end| end == text.len() - 2);
    let is_word = |word: &str| {
        let starts = !word.starts_with(|char: char| char.is_ascii_digit());
        starts
            && word.chars().all(|char| char.is_ascii_alphanumeric() || char == '-' || char == '_' || !char.is_ascii())
    };
    quote.map_or(!text.is_empty() && text.split(' ').all(is_word), is_quoted)
}

fn is_stretch(part: &str) -> bool {
    part == "condensed"
        || part == "expanded"
        || ["ultra-", "extra-", "semi-"]
            .iter()
            .any(|prefix| matches!(part.strip_prefix(prefix), Some("condensed" | "expanded")))
}

fn is_font_size(part: &str) -> bool {
    const WORDS: [&str; 10] =
        ["xx-small", "x-small", "small", "medium", "large", "x-large", "xx-large", "xxx-large", "smaller", "larger"];
    WORDS.contains(&part) || is_length(part)
}

fn is_length(part: &str) -> bool {
    const UNITS: [&str; 24] = [
        "%", "px", "em", "rem", "ex", "ch", "cap", "ic", "lh", "rlh", "vw", "vh", "vi", "vb", "vmin", "vmax", "cm",
        "mm", "q", "in", "pt", "pc", "dvh", "svh",
    ];
    if part.starts_with("calc(") {
        return true;
    }
    let unit = part.find(|char: char| char.is_ascii_alphabetic() || char == '%').unwrap_or(part.len());
    let (number, unit) = part.split_at(unit);
    css_number(number).is_some_and(|number| if unit.is_empty() { number == 0.0 } else { UNITS.contains(&unit) })
}

fn css_number(text: &str) -> Option<f64> {
    let starts = text.trim_start_matches(['+', '-']).starts_with(|char: char| char.is_ascii_digit() || char == '.');
    let ends = text.ends_with(|char: char| char.is_ascii_digit());
    (starts && ends).then(|| text.parse().ok()).flatten()
}

fn is_decoration_line(part: &str) -> bool {
    matches!(part, "none" | "underline" | "overline" | "line-through" | "blink" | "spelling-error" | "grammar-error")
}

/// Returns whether a kind of line can be combined with others.
fn joins_lines(part: &str) -> bool {
    matches!(part, "underline" | "overline" | "line-through" | "blink")
}

fn is_decoration_style(part: &str) -> bool {
    matches!(part, "solid" | "double" | "dotted" | "dashed" | "wavy")
}

fn is_thickness(part: &str) -> bool {
    matches!(part, "auto" | "from-font") || is_length(part)
}

fn is_collapse(part: &str) -> bool {
    matches!(part, "collapse" | "preserve" | "preserve-breaks" | "preserve-spaces" | "break-spaces")
}

fn is_wrap(part: &str) -> bool {
    matches!(part, "wrap" | "nowrap")
}
