//! Content as models write it, on its way to HTML.

use super::fence;
use super::markdown_syntax::{heading_sign, looks_like, without_code};
use rustc_hash::FxHashSet;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// The format of content.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// HTML.
    Html,
    /// Markdown.
    Markdown,
    /// Text, every line a paragraph; nothing in it means anything else.
    Text,
}

impl Format {
    /// Returns the name.
    pub fn name(self) -> &'static str {
        match self {
            Format::Html => "html",
            Format::Markdown => "markdown",
            Format::Text => "text",
        }
    }

    /// Returns the format of content for which none is stated: HTML if it has tags outside of code, unless these are
    /// inline and the rest looks like Markdown; Markdown if it looks like that or has tags only in code; otherwise
    /// text.
    pub fn of(content: &str) -> Format {
        let content = fence::unfenced(content, fence::HTML);
        let has_tags = has_tag(content);
        // Code in Markdown may contain tags, and marks that Markdown has no sign for are written as tags.
        let bare = if has_tags { without_code(content) } else { content.to_owned() };
        match has_tags && has_tag(&bare) {
            true if is_inline(&bare) && looks_like(&without_tags(&content.replace('<', " <"))) => Format::Markdown,
            true => Format::Html,
            false if has_tags || looks_like(content) => Format::Markdown,
            false => Format::Text,
        }
    }
}

/// Returns whether HTML is the content of a line: it has tags, but none of a block.
pub fn is_inline(html: &str) -> bool {
    const INLINE: &str = " a abbr b br code del em i img input ins kbd mark s small span strike strong sub sup u ";
    tags(html).all(|tag| INLINE.contains(&format!(" {} ", tag.to_ascii_lowercase())))
        && !tags(html).any(|tag| tag.eq_ignore_ascii_case("img"))
}

/// Returns whether content is HTML with blocks. Tags in code are text.
pub fn is_html(text: &str) -> bool {
    let text = fence::unfenced(text, fence::ANY_CONTENT);
    // An element of the app's own may be a block.
    let is_own = |tag: String| !is_known_tag(&tag) && has_tag(text);
    outer_tag(text).is_some_and(is_own)
        || has_tag(text) && !is_inline(text) && {
            let bare = without_code(text);
            has_tag(&bare) && !is_inline(&bare)
        }
}

/// Returns whether every tag that a text opens is closed.
pub(crate) fn closes(html: &str) -> bool {
    let ends = html.matches("</").count();
    let breaks = html.matches("<br").count();
    ends > 0 && html.matches('<').count() == 2 * ends + breaks
}

/// Returns content without its tags. Entities stay, and so does a text that has no tag, such as `I <3 tea`.
pub fn without_tags(html: &str) -> String {
    if !has_tag(html) {
        return html.to_owned();
    }
    let (mut out, mut rest) = (String::with_capacity(html.len()), html);
    while let Some(at) = rest.find('<') {
        out += &rest[..at];
        rest = &rest[at..];
        // `x < 5` is text.
        let is_tag = rest[1..].starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '/' | '!' | '?'));
        rest = match is_tag {
            true => rest.find('>').map_or("", |end| &rest[end + 1..]),
            false => {
                out.push('<');
                &rest[1..]
            }
        };
    }
    out + rest
}

/// Returns content without its `<code>` elements.
pub fn without_code_elements(html: &str) -> Cow<'_, str> {
    if !html.contains("<code") {
        return Cow::Borrowed(html);
    }
    let (mut out, mut rest) = (String::with_capacity(html.len()), html);
    while let Some((before, inside)) = rest.split_once("<code") {
        let Some((_, behind)) = inside.split_once("</code>") else { break };
        out += before;
        rest = behind;
    }
    Cow::Owned(out + rest)
}

/// Returns content without its tags, with a line for each paragraph, item and heading, and for the text behind a line
/// break.
pub fn lines_without_tags(html: &str) -> String {
    const ENDS: [&str; 11] =
        ["</p>", "</li>", "</h1>", "</h2>", "</h3>", "</h4>", "</h5>", "</h6>", "<br>", "<br/>", "<br />"];
    without_tags(&ENDS.iter().fold(html.to_owned(), |html, end| html.replace(end, "\n")))
}

/// Returns the lines of a text that are not blank.
pub fn written_lines(text: &str) -> Vec<&str> {
    text.lines().map(str::trim).filter(|line| !line.is_empty()).collect()
}

/// Returns the name of the tag that HTML begins with, in lower case.
pub fn outer_tag(html: &str) -> Option<String> {
    let rest = html.trim_start().strip_prefix('<')?;
    Some(name_at(rest).to_ascii_lowercase()).filter(|name| !name.is_empty())
}

/// Returns for each item that is not nested in another one whether its task is done. `None` if the item has no check
/// box and does not state it.
pub fn task_states(html: &str) -> Vec<Option<bool>> {
    let (mut states, mut depth) = (Vec::new(), 0_usize);
    let html = html.to_ascii_lowercase();
    for (at, _) in html.match_indices('<') {
        let rest = &html[at + 1..];
        let (closes, rest) = rest.strip_prefix('/').map_or((false, rest), |rest| (true, rest));
        let tag = &rest[..rest.find('>').unwrap_or(rest.len())];
        match (name_at(rest), closes) {
            ("li", false) => {
                depth += 1;
                if depth == 1 {
                    states.push(
                        tag.split_once("data-checked=")
                            .map(|(_, value)| value.trim_start_matches(['"', '\'']).starts_with("true")),
                    );
                }
            }
            ("li", true) => depth = depth.saturating_sub(1),
            ("input", false) if depth == 1 && tag.contains("checkbox") => {
                let is_checked = tag
                    .split(|c: char| c.is_whitespace() || c == '/')
                    .any(|word| word.split('=').next() == Some("checked"));
                if let Some(state @ None) = states.last_mut() {
                    *state = Some(is_checked);
                }
            }
            _ => {}
        }
    }
    states
}

/// Returns whether HTML knows a tag with this name.
pub(super) fn is_known_tag(name: &str) -> bool {
    TAGS.split(' ').any(|tag| tag.eq_ignore_ascii_case(name))
}

/// The names of the tags in a text, of those that HTML knows.
fn tags(text: &str) -> impl Iterator<Item = &str> {
    text.match_indices('<').filter_map(|(at, _)| {
        let rest = text[at + 1..].trim_start_matches('/');
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '-').unwrap_or(rest.len());
        Some(&rest[..end]).filter(|name| TAGS.split(' ').any(|tag| tag.eq_ignore_ascii_case(name)))
    })
}

/// Returns content as HTML. Models mostly write HTML; if there is no tag at all, every line of text is a paragraph.
pub fn to_html(content: &str) -> String {
    let content = fence::unfenced(content, fence::HTML);
    if has_tag(content) {
        return content.to_owned();
    }
    let lines = content.lines().map(str::trim).filter(|line| !line.is_empty());
    // Character references are kept: the author of a text such as "&lt;b&gt;" has escaped it.
    lines.map(|line| format!("<p>{}</p>", line.replace('<', "&lt;"))).collect()
}

/// A heading that holds a plain text.
pub fn heading(level: u8, title: &str) -> String {
    format!("<h{level}>{}</h{level}>", escape(&one_line(title)))
}

/// A picture.
pub fn image(url: &str, description: &str) -> String {
    format!(r#"<img src="{}" alt="{}">"#, escape(url), escape(&one_line(description)))
}

/// Returns the text of a title that is written as a heading or as bold text: `## End`, `**End**`, `<h2>End</h2>`.
pub fn title_text(title: &str) -> &str {
    let mut text = title.trim();
    if let Some((_, title)) = heading_sign(text) {
        text = title.trim().trim_end_matches('#').trim_end();
    }
    for (open, close) in [("**", "**"), ("__", "__")] {
        let inside = text.strip_prefix(open).and_then(|rest| rest.strip_suffix(close));
        text = inside.filter(|inside| !inside.trim().is_empty() && !inside.contains(open)).unwrap_or(text);
    }
    let inside = outer_tag(text).and_then(|tag| {
        let (_, rest) = text.split_once('>')?;
        let (inside, end) = rest.rsplit_once("</")?;
        end.trim_end_matches('>').eq_ignore_ascii_case(&tag).then_some(inside)
    });
    inside.filter(|inside| !has_tag(inside)).unwrap_or(text)
}

/// A text on one line, with single spaces: what titles are compared by.
pub fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns whether two titles say the same; a number before one of them (`1. `, `第一章 `, `一、`) makes no difference.
pub fn same_title(a: &str, b: &str) -> bool {
    let (a, b) = (one_line(a), one_line(b));
    a == b || without_number(&a) == b || a == without_number(&b)
}

/// A set of titles that compares as [`same_title`] does.
#[derive(Debug, Default)]
pub struct Titles {
    whole: FxHashSet<String>,
    without_numbers: FxHashSet<String>,
}

impl Titles {
    /// Builds the set.
    pub fn of<'t>(titles: impl IntoIterator<Item = &'t str>) -> Titles {
        let mut all = Titles::default();
        for title in titles.into_iter().map(one_line) {
            all.without_numbers.insert(without_number(&title).to_owned());
            all.whole.insert(title);
        }
        all
    }

    /// Returns whether a title of the set is the same as this one.
    pub fn have(&self, title: &str) -> bool {
        let title = one_line(title);
        self.whole.contains(&title)
            || self.without_numbers.contains(&title)
            || self.whole.contains(without_number(&title))
    }
}

fn without_number(title: &str) -> &str {
    const NUMERALS: &str = "0123456789〇零一二三四五六七八九十百";
    let counted = |text: &str| text.trim_start_matches(|c| NUMERALS.contains(c)).len();
    let numbered = |text: &str| counted(text) < text.len();
    if let Some(rest) = title.strip_prefix('第').filter(|rest| numbered(rest)) {
        let rest = &rest[rest.len() - counted(rest)..];
        return rest.strip_prefix(['章', '节', '部', '回', '篇']).map_or(title, str::trim_start);
    }
    if !numbered(title) {
        return title;
    }
    let rest = title[title.len() - counted(title)..].trim_start_matches(|c: char| c == '.' || c.is_ascii_digit());
    let signed = rest.len() < title[title.len() - counted(title)..].len();
    match rest.strip_prefix(['、', ')', '．', ':', '：']) {
        Some(rest) => rest.trim_start(),
        None if signed && rest.starts_with(' ') => rest.trim_start(),
        None => title,
    }
}

pub(super) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Returns whether a text has a tag or a comment. `x<y and z>1` has neither: a tag must be one of HTML's, have an
/// attribute, or have an end tag.
pub(super) fn has_tag(text: &str) -> bool {
    let (mut ends, mut values) = (Next::by(|text| text.find('>')), Next::by(|text| text.find("=\"")));
    let mut ended: Option<FxHashSet<&str>> = None;
    text.match_indices('<').any(|(at, _)| {
        let rest = &text[at + 1..];
        if rest.starts_with("!--") {
            return true;
        }
        let Some(end) = ends.from(text, at + 1) else { return false };
        let name = name_at(rest.trim_start_matches('/'));
        let known = TAGS.split(' ').any(|tag| tag.eq_ignore_ascii_case(name));
        let mut has_value = || values.from(text, at + 1).is_some_and(|value| value + 2 <= end);
        let mut is_ended = || ended.get_or_insert_with(|| end_tags(text)).contains(name);
        known || !name.is_empty() && (has_value() || is_ended())
    })
}

/// Returns HTML in which what only looks like a tag is text: `Vec<T>`.
pub(super) fn with_text_signs(html: &str) -> Cow<'_, str> {
    let mut ended: Option<FxHashSet<&str>> = None;
    let (mut out, mut done) = (String::new(), 0);
    for (at, _) in html.match_indices('<') {
        let rest = &html[at + 1..];
        let name = name_at(rest);
        let is_bare = !name.is_empty() && rest[name.len()..].starts_with('>');
        if is_bare && !is_known_tag(name) && !ended.get_or_insert_with(|| end_tags(html)).contains(name) {
            out += &html[done..at];
            out += "&lt;";
            done = at + 1;
        }
    }
    if done == 0 { html.into() } else { (out + &html[done..]).into() }
}

/// Returns the names of the start tags in HTML.
pub(super) fn start_tags(html: &str) -> impl Iterator<Item = &str> {
    html.match_indices('<').map(|(at, _)| name_at(&html[at + 1..])).filter(|name| !name.is_empty())
}

/// Returns the ASCII letters, digits and dashes at the start of a text.
fn name_at(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '-').unwrap_or(text.len());
    &text[..end]
}

/// Returns the names of the end tags in a text.
fn end_tags(text: &str) -> FxHashSet<&str> {
    let name = |(at, _)| {
        let rest = &text[at + 2..];
        let name = name_at(rest);
        rest[name.len()..].starts_with('>').then_some(name)
    };
    text.match_indices("</").filter_map(name).collect()
}

/// Searches forward from ascending offsets of one text and remembers the last hit, so that the text is scanned once in
/// all.
pub(super) struct Next<F> {
    find: F,
    /// The result of the last search; `None` before the first one.
    found: Option<Option<usize>>,
}

impl<F: Fn(&str) -> Option<usize>> Next<F> {
    /// `find` returns the offset of the first hit in a text.
    pub(super) fn by(find: F) -> Next<F> {
        Next { find, found: None }
    }

    /// Returns the first hit at or after `from`, which must not be less than in the call before.
    pub(super) fn from(&mut self, text: &str, from: usize) -> Option<usize> {
        let is_known = self.found.is_some_and(|found| found.is_none_or(|at| at >= from));
        if !is_known {
            self.found = Some((self.find)(&text[from..]).map(|at| from + at));
        }
        self.found.flatten()
    }
}

/// The tags that content is written with.
const TAGS: &str = "a abbr article aside b blockquote body br caption code col colgroup dd del details div dl dt em \
    figcaption figure h1 h2 h3 h4 h5 h6 header hr html i img input ins kbd label li main mark ol p pre s section small span \
    strike strong sub summary sup table tbody td tfoot th thead tr u ul";
