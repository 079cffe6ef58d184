//! URLs in attributes, found by their values. An app's schema can name its attributes in any way, and their use is not
//! known, so every text in an attribute, also in lists and objects, is checked:
//!
//! | name | value | judged as |
//! |---|---|---|
//! | ends in `href`; `cite`, `action`, `formaction`, `ping` | any | a link |
//! | ends in `src`, `url`, `uri`; `poster`, `background` | any | something that loads, also where it is relative |
//! | ends in `srcset` | candidates as HTML splits them | things that load |
//! | ends in `style`, `css` | CSS, as a CSS tokenizer reads it | things that load |
//! | ends in `srcdoc`, or any where a value has a tag | HTML | its attributes by these rules; scripts are refused |
//! | any | JSON | each of its values |
//! | any | begins with a scheme that loads, or with two slashes and a host | something that loads |
//! | any but those of texts | begins with `/`, `./`, `../` or `?name=` | something that loads |
//! | any | `url(…)` and other functions of CSS that load | something that loads |
//! | any | a text with URLs in it | mentions of these |
//!
//! Names of texts are those under which HTML and common schemas keep prose or words (`TEXTS`: `alt`, `title`,
//! `class`, …). So "10:30", "Re: tea", "and/or", "JavaScript: the good parts" in a title, a language or a width are
//! no URLs: a colon alone makes none, nor does a slash within a word.

use super::css;
use super::url::{self, Address, Role};
use copydesk_document::html;
use serde_json::Value;

/// Number of levels of HTML and JSON in one another that are read in attributes.
const DEEPEST: usize = 8;
/// Number of levels of lists and objects that are read.
const MOST_LEVELS: usize = 100;

/// The last words of names under which there are texts and words, not URLs.
const TEXTS: [&str; 38] = [
    "alt",
    "title",
    "caption",
    "label",
    "text",
    "name",
    "names",
    "description",
    "summary",
    "placeholder",
    "content",
    "language",
    "lang",
    "locale",
    "class",
    "classname",
    "id",
    "key",
    "rel",
    "target",
    "type",
    "kind",
    "role",
    "align",
    "level",
    "start",
    "value",
    "width",
    "height",
    "colwidth",
    "colspan",
    "rowspan",
    "date",
    "time",
    "author",
    "latex",
    "formula",
    "code",
];

/// A finding in an attribute.
#[derive(Debug)]
pub enum Found<'a> {
    /// A URL.
    Url(UrlIn<'a>),
    /// Content that is never written: code, or what cannot be read. Its kind and its text.
    Unsafe(&'static str, &'a str),
}

/// A URL in an attribute.
#[derive(Debug)]
pub struct UrlIn<'a> {
    /// The use of the URL.
    pub role: Role,
    /// As it is written.
    pub text: &'a str,
    /// True if it is in the `src` of an image.
    pub in_image: bool,
    /// Further URLs in it, for readers that split it: the items if it is a list.
    pub items: Vec<&'a str>,
}

/// The name of an attribute, and whether it is on an image.
#[derive(Clone, Copy)]
pub struct Name<'n> {
    /// The name.
    pub name: &'n str,
    /// True if it is on an image: a node of the type `image`, or an `img`.
    pub on_image: bool,
}

/// Shows the URLs in the value of an attribute.
pub fn each_url(name: Name, value: &Value, see: &mut dyn FnMut(&str, Found<'_>)) {
    in_value(name, value, 0, 0, see);
}

/// Shows the URLs in the text of an attribute in HTML. The one without a name is the text of a script or a style
/// sheet.
pub fn each_url_in_html(element: &str, name: &str, value: &str, see: &mut dyn FnMut(&str, Found<'_>)) {
    in_html_attribute(element, name, value, 0, see);
}

/// Reports the URLs in a value. `depth` counts nested texts, `level` nested lists and objects.
fn in_value(name: Name, value: &Value, depth: usize, level: usize, see: &mut dyn FnMut(&str, Found<'_>)) {
    match value {
        Value::Array(_) | Value::Object(_) if level == MOST_LEVELS => {
            see(name.name, Found::Unsafe("data that nests too deep", ""));
        }
        Value::String(text) => in_text(name, text, depth, see),
        Value::Array(items) => items.iter().for_each(|item| in_value(name, item, depth, level + 1, see)),
        Value::Object(fields) => {
            fields.iter().for_each(|(field, value)| {
                in_value(Name { name: field, on_image: false }, value, depth, level + 1, see);
            });
        }
        _ => {}
    }
}

fn in_html_attribute(element: &str, name: &str, value: &str, depth: usize, see: &mut dyn FnMut(&str, Found<'_>)) {
    match (element, name) {
        ("script", "") if depth > 0 => see("script", Found::Unsafe("a script", value)),
        ("script", "") => {}
        ("style", "") => in_style("style", value, see),
        // In these a page requests what `href` names.
        ("link" | "base" | "image" | "use" | "feimage" | "mpath" | "pattern", "href") => {
            see(name, url_in(Role::Load, value));
        }
        _ => in_text(Name { name, on_image: element == "img" }, value, depth, see),
    }
}

fn url_in(role: Role, text: &str) -> Found<'_> {
    Found::Url(UrlIn { role, text, in_image: false, items: Vec::new() })
}

/// The kind of value that an attribute has by its name.
enum Holds {
    Link,
    Links,
    Url,
    Candidates,
    Style,
    Html,
    Handler,
    Text,
    Anything,
}

fn holds(name: &str) -> Holds {
    let lower = name.to_ascii_lowercase();
    let ends = |endings: &[&str]| endings.iter().any(|ending| lower.ends_with(ending));
    let bare = lower.rsplit([':', '-', '_', '.']).next().unwrap_or_default();
    if ends(&["href"]) || matches!(bare, "cite" | "action" | "formaction") {
        Holds::Link
    } else if bare == "ping" {
        Holds::Links
    } else if ends(&["srcset"]) {
        Holds::Candidates
    } else if ends(&["srcdoc"]) {
        Holds::Html
    } else if ends(&["style", "css", "csstext"]) {
        Holds::Style
    } else if ends(&["src", "url", "uri"]) || matches!(bare, "poster" | "background") {
        Holds::Url
    } else if lower.len() > 4 && lower.starts_with("on") && lower.bytes().all(|b| b.is_ascii_lowercase()) {
        Holds::Handler
    } else if TEXTS.contains(&last_word(name).as_str()) || lower.starts_with("aria-") {
        Holds::Text
    } else {
        Holds::Anything
    }
}

/// The last word of a name such as `imageTitle` or `data-title`, in lower case.
fn last_word(name: &str) -> String {
    let start = name.rfind(|c: char| !c.is_alphanumeric()).map_or(0, |at| at + 1);
    let word = &name[start..];
    let start = word.rfind(|c: char| c.is_uppercase()).unwrap_or(0);
    let is_capitals = word.chars().all(|c| !c.is_lowercase());
    word[if is_capitals { 0 } else { start }..].to_lowercase()
}

fn in_text(name: Name, text: &str, depth: usize, see: &mut dyn FnMut(&str, Found<'_>)) {
    let value = text.trim_matches(|c: char| c <= ' ');
    if value.is_empty() {
        return;
    }
    let holds = holds(name.name);
    match holds {
        Holds::Link => return see(name.name, url_in(Role::Link, text)),
        Holds::Links => return value.split_ascii_whitespace().for_each(|url| see(name.name, url_in(Role::Link, url))),
        Holds::Candidates => return candidates(value).for_each(|url| see(name.name, url_in(Role::Load, url))),
        _ => {}
    }
    let is_whole = match holds {
        Holds::Url => !is_color(value),
        Holds::Text | Holds::Style | Holds::Html => false,
        _ => is_url(value) || is_path(value),
    };
    if is_whole {
        let mut items = Vec::new();
        mentions(value, true, &mut |url| items.push(url));
        let in_image = name.on_image && name.name == "src";
        see(name.name, Found::Url(UrlIn { role: Role::Load, text, in_image, items }));
    } else if matches!(holds, Holds::Text) {
        in_prose(name.name, value, see);
    } else if !matches!(holds, Holds::Style) {
        mentions(value, false, &mut |url| see(name.name, url_in(Role::Mention, url)));
    }
    if matches!(holds, Holds::Handler) && value.contains(['(', '=', '`', '[']) {
        see(name.name, Found::Unsafe("a script", value));
    }
    if matches!(holds, Holds::Style) || value.contains('(') {
        in_style(name.name, value, see);
    }
    let is_html = matches!(holds, Holds::Html) || has_tag(value);
    let json = value.starts_with(['{', '[', '"']).then(|| serde_json::from_str::<Value>(value).ok()).flatten();
    if (is_html || json.is_some()) && depth == DEEPEST {
        return see(name.name, Found::Unsafe("code in code", value));
    }
    if is_html {
        in_html(name.name, value, depth, see);
    }
    if let Some(json) = json {
        in_value(Name { on_image: false, ..name }, &json, depth + 1, 0, see);
    }
}

/// Finds URLs in the value of an attribute that holds prose or words.
fn in_prose(name: &str, value: &str, see: &mut dyn FnMut(&str, Found<'_>)) {
    let read = Address::parse(value);
    let is_code = match read.scheme() {
        "javascript" | "vbscript" => value.contains(['(', '=', '`', '[']),
        "data" => read.has_media_type(),
        _ => false,
    };
    if is_code {
        return see(name, url_in(Role::Load, value));
    }
    // Browsers remove tabs and newlines before they look for a host.
    if !url::stripped(value).contains(char::is_whitespace) && is_url(value) {
        return see(name, url_in(Role::Mention, value));
    }
    let mut has_mention = false;
    mentions(value, false, &mut |url| {
        has_mention = true;
        see(name, url_in(Role::Mention, url));
    });
    // A host without a dot is found only where the whole value is a URL: 2130706433 is one.
    if !has_mention && read.host().is_some() {
        see(name, url_in(Role::Mention, value));
    }
}

fn in_html(name: &str, value: &str, depth: usize, see: &mut dyn FnMut(&str, Found<'_>)) {
    // A frame set is a page of its own, which the tree of a fragment has no place for.
    if value.to_ascii_lowercase().contains("<frame") {
        return see(name, Found::Unsafe("a frame set", value));
    }
    let read = html::each_attribute(value, &mut |element, attribute, value| {
        in_html_attribute(element, attribute, value, depth + 1, see);
    });
    if read.is_err() {
        see(name, Found::Unsafe("code in code", value));
    }
}

fn in_style(name: &str, css: &str, see: &mut dyn FnMut(&str, Found<'_>)) {
    css::each_url(css, &mut |found| match found {
        css::Found::Url(url) => see(name, url_in(Role::Load, url)),
        css::Found::Variable(text) if is_url(text) || is_path(text) || text.contains(['/', '.', '?']) => {
            see(name, url_in(Role::Load, text));
        }
        css::Found::Variable(text) | css::Found::Text(text) => {
            mentions(text, false, &mut |url| see(name, url_in(Role::Mention, url)));
        }
        css::Found::TooDeep => see(name, Found::Unsafe("code in code", css)),
    });
}

/// Returns whether a text is as a whole a URL that names where it leads, or that runs or loads something.
fn is_url(value: &str) -> bool {
    let read = Address::parse(value);
    let stripped = url::stripped(value);
    let rest = stripped.split_once(':').map_or("", |(_, rest)| rest);
    match (read.kind(), read.scheme()) {
        (url::Kind::Relative, "") => false,
        (url::Kind::Invalid, "") => url::has_two_slashes(&stripped) && !stripped.contains(char::is_whitespace),
        (_, "") => true,
        (_, "javascript" | "vbscript") => true,
        (_, "file" | "blob" | "filesystem") => !rest.starts_with(' '),
        (_, "data") => read.has_media_type(),
        (url::Kind::Either, _) => true,
        _ => url::has_two_slashes(rest),
    }
}

/// Returns whether a text is a path, or a query, on the page's own site.
fn is_path(value: &str) -> bool {
    let text = url::stripped(value);
    if let Some(rest) = text.strip_prefix('/') {
        return rest.starts_with(|c: char| !c.is_whitespace() && !"/\\>".contains(c));
    }
    let query = text.strip_prefix('?').and_then(|rest| rest.split_once('='));
    let is_query = query.is_some_and(|(name, _)| !name.is_empty() && !name.contains(char::is_whitespace));
    is_query || text.starts_with("./") || text.starts_with("../")
}

/// Returns whether the value of a background is a colour.
fn is_color(value: &str) -> bool {
    value.starts_with('#') || html::is_color(&value.to_ascii_lowercase())
}

/// Calls `see` with the URLs of the web in a text: from a scheme, or from two slashes behind a separator and before a
/// host with a dot. With `items`, the beginning of the text and the delimiters within URLs do not count as separators.
fn mentions<'t>(text: &'t str, items: bool, see: &mut dyn FnMut(&'t str)) {
    const SCHEMES: [&str; 5] = ["https", "http", "wss", "ws", "ftp"];
    let mut end = 0;
    for (at, _) in text.match_indices(['/', '\\']) {
        if at < end || !url::has_two_slashes(&text[at..]) {
            continue;
        }
        let named = text[..at].strip_suffix(':').and_then(|before| {
            let ends = |scheme: &&str| {
                let start = before.len().checked_sub(scheme.len())?;
                before.get(start..).filter(|end| end.eq_ignore_ascii_case(scheme)).map(|_| start)
            };
            SCHEMES.iter().find_map(ends)
        });
        let start = named.unwrap_or(at);
        let separators = if items { " \t\r\n,;|\"'<>(" } else { " \t\r\n,;|\"'<>(=[{" };
        let is_separate = text[..start].ends_with(|c: char| separators.contains(c));
        if !is_separate && (items || named.is_none() && start > 0) {
            continue;
        }
        let rest = &text[start..];
        let long = &rest[..rest.find(|c: char| c.is_whitespace() || "\"'<>`".contains(c)).unwrap_or(rest.len())];
        let short = url::leading(long);
        // Where slashes are escaped or written as backslashes, the shorter one is only a scheme.
        let has_host = Address::parse(short).host().is_some();
        let url = if has_host { short } else { long };
        let read = Address::parse(url);
        let has_dot = read.host().is_some_and(|host| host.contains(['.', ':']));
        if read.kind() == url::Kind::Absolute && (named.is_some() || has_dot) {
            end = start + url.len();
            see(url);
        }
    }
}

/// Returns whether HTML begins a tag somewhere in a text.
fn has_tag(text: &str) -> bool {
    text.match_indices('<').any(|(at, _)| text[at + 1..].starts_with(|c: char| c.is_ascii_alphabetic()))
}

/// The URLs of the [candidates](https://html.spec.whatwg.org/#parsing-a-srcset-attribute) in a `srcset`.
fn candidates(value: &str) -> impl Iterator<Item = &str> {
    let mut rest = value;
    std::iter::from_fn(move || {
        rest = rest.trim_start_matches(|c: char| c.is_ascii_whitespace() || c == ',');
        if rest.is_empty() {
            return None;
        }
        let end = rest.find(|c: char| c.is_ascii_whitespace()).unwrap_or(rest.len());
        let (url, after) = rest.split_at(end);
        rest = after;
        if url.ends_with(',') {
            return Some(url.trim_end_matches(','));
        }
        // A comma within brackets does not end the descriptors.
        let mut open = 0_usize;
        let end = rest.find(|c: char| {
            match c {
                '(' => open += 1,
                ')' => open = open.saturating_sub(1),
                _ => {}
            }
            c == ',' && open == 0
        });
        rest = end.map_or("", |end| &rest[end + 1..]);
        Some(url)
    })
}
