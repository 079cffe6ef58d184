//! URLs, read as the [WHATWG URL Standard](https://url.spec.whatwg.org/) has it
//! ([`host::url`](copydesk_base::host::url)): control characters at the ends and tabs and newlines anywhere do not
//! count, `\` is `/`, case, user info, ports, percent-encoding and internationalized domain names are normalized.

use copydesk_base::host::url::{ParsedUrl, parse};
use std::borrow::Cow;

/// The use of a URL at its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// The page requests it by itself, without anybody's click: an image, a frame, a style sheet.
    Load,
    /// Somebody may follow it.
    Link,
    /// A URL in a longer text. A schema of an app may still make something of it that is requested, so it is
    /// judged as one that is; but it does not make the URL known as one.
    Mention,
}

/// The kind of a reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A URL with a scheme, or with a host after two slashes.
    Absolute,
    /// A reference to the site of the page.
    Relative,
    /// A scheme of the web without two slashes: an absolute URL or a relative one, as the scheme of the page
    /// has it.
    Either,
    /// Not a URL: no browser requests it.
    Invalid,
}

/// A parsed URL reference.
pub struct Address {
    /// The normalized reference, for comparison.
    normal: String,
    kind: Kind,
    url: Option<ParsedUrl>,
    /// The text without characters that readers do not see, in lower case: a disguised scheme counts as one.
    bare: String,
}

impl Address {
    /// Parses a reference.
    pub fn parse(text: &str) -> Address {
        let mut bare = String::with_capacity(text.len());
        bare.extend(text.chars().filter(|c| !is_unseen(*c)).map(|c| c.to_ascii_lowercase()));
        let stripped = stripped(text);
        let is_of_page = has_two_slashes(&stripped);
        let url = match scheme(&stripped) {
            "" if is_of_page => parse(&["https:", &stripped].concat()),
            "" => return Address { normal: stripped.into_owned(), kind: Kind::Relative, url: None, bare },
            _ => parse(&stripped),
        };
        let kind = match &url {
            None => Kind::Invalid,
            Some(url) if !is_of_page && is_web(&url.scheme) && !has_two_slashes(after_scheme(&stripped)) => {
                Kind::Either
            }
            Some(_) => Kind::Absolute,
        };
        let normal = match &url {
            // A URL with the scheme of the page differs from one with a scheme of its own.
            Some(url) if is_of_page => url.href["https:".len()..].to_owned(),
            Some(url) if kind == Kind::Absolute => url.href.clone(),
            _ => stripped.into_owned(),
        };
        Address { normal, kind, url, bare }
    }

    /// The normal form of the URL: two URLs that are written differently and requested alike have the same.
    pub fn normal(&self) -> &str {
        &self.normal
    }

    /// Returns the kind of the reference.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// Returns the reason for which the URL is never written, or `None` if it may be. `in_image` is true if it is the
    /// `src` of an image, where SVG cannot run code.
    pub fn fault(&self, role: Role, in_image: bool) -> Option<&'static str> {
        match scheme(&self.bare) {
            "javascript" => return Some("javascript:"),
            "vbscript" => return Some("vbscript:"),
            "file" => return Some("file:"),
            "data" if role == Role::Link || !self.is_inline_image(in_image) => return Some("data:"),
            _ => {}
        }
        self.url.as_ref().is_some_and(|url| url.has_user_info).then_some("user:password@")
    }

    /// Returns whether the URL contains an image. SVG counts only in an image: elsewhere it is a document.
    pub fn is_inline_image(&self, in_image: bool) -> bool {
        const IMAGES: [&str; 10] =
            ["png", "jpeg", "jpg", "gif", "webp", "avif", "bmp", "apng", "x-icon", "vnd.microsoft.icon"];
        let Some(kind) = media_type(&self.bare).and_then(|kind| kind.strip_prefix("image/")) else { return false };
        IMAGES.contains(&kind) || in_image && kind == "svg+xml"
    }

    /// Returns whether the URL is one of `data:` with a media type.
    pub fn has_media_type(&self) -> bool {
        const TYPES: [&str; 9] =
            ["text", "application", "image", "audio", "video", "font", "model", "message", "multipart"];
        let kind = media_type(&self.bare).and_then(|kind| kind.split_once('/'));
        kind.is_some_and(|(kind, _)| TYPES.contains(&kind))
    }

    /// The scheme that the text seems to have, in lower case; empty if it has none.
    pub fn scheme(&self) -> &str {
        scheme(&self.bare)
    }

    /// The normalized host of an http(s) URL, without port.
    pub fn host(&self) -> Option<&str> {
        let url = self.url.as_ref().filter(|url| matches!(&*url.scheme, "http" | "https"))?;
        Some(url.host.strip_suffix('.').unwrap_or(&url.host))
    }

    /// The normalized path, query and fragment.
    pub fn payload(&self) -> &str {
        match &self.url {
            Some(url) => &url.payload,
            None => &self.normal,
        }
    }
}

/// Returns whether a host matches a pattern; `*.example.com` matches all hosts below `example.com`.
pub fn host_matches(host: &str, pattern: &str) -> bool {
    match pattern.strip_prefix('*') {
        Some(below) => host.len() > below.len() && host.ends_with(below),
        None => host == pattern,
    }
}

/// Returns a setting as a normalized host pattern, or `None` if it is something else, such as a whole URL.
pub fn pattern(setting: &str) -> Option<String> {
    let name = setting.strip_prefix("*.").unwrap_or(setting);
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '-' | '.' | '_');
    let is_address = name.starts_with('[') && name.ends_with(']');
    if name.is_empty() || name.ends_with('.') || !is_address && !name.chars().all(is_part) {
        return None;
    }
    let read = Address::parse(&["https://", name].concat());
    let below = if name.len() < setting.len() { "*." } else { "" };
    Some([below, read.host()?].concat())
}

/// Returns the URLs of http(s) in a text, without the punctuation around them, each with where it begins.
pub fn in_text(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + find_start(&text[at..])?;
        let url = leading(&text[start..]);
        at = start + url.len().max("http".len());
        Some((start, url))
    })
}

/// Returns whether a text begins as an http(s) URL does.
pub fn starts_as_web(text: &str) -> bool {
    let starts = |scheme: &str| text.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme));
    starts("http://") || starts("https://")
}

fn find_start(text: &str) -> Option<usize> {
    let scheme_at = |end: usize, scheme: &str| {
        let start = end.checked_sub(scheme.len())?;
        text.get(start..end).filter(|found| found.eq_ignore_ascii_case(scheme)).map(|_| start)
    };
    text.match_indices("://").find_map(|(at, _)| scheme_at(at, "https").or_else(|| scheme_at(at, "http")))
}

/// The URL with which a text begins, without the punctuation of the sentence around it.
pub fn leading(text: &str) -> &str {
    let mut open = 0_usize;
    let end = text.find(|c: char| match c {
        '(' => {
            open += 1;
            false
        }
        // A bracket that the URL did not open closes one around it.
        ')' if open == 0 => true,
        ')' => {
            open -= 1;
            false
        }
        _ => {
            c.is_whitespace()
                || c.is_control()
                || "\"'<>`[]{}|\\^".contains(c)
                || "，。；：！？、（）【】《》「」『』“”‘’…".contains(c)
        }
    });
    text[..end.unwrap_or(text.len())].trim_end_matches(['.', ',', ';', ':', '!', '?', '*', '_', '~'])
}

/// A text as URL parsers take it: without control characters and spaces at its ends, tabs and newlines.
pub fn stripped(text: &str) -> Cow<'_, str> {
    let text = text.trim_matches(|c: char| c <= ' ');
    if text.contains(['\t', '\n', '\r']) {
        Cow::Owned(text.chars().filter(|c| !matches!(c, '\t' | '\n' | '\r')).collect())
    } else {
        Cow::Borrowed(text)
    }
}

/// Returns whether a text begins with two slashes of either kind.
pub fn has_two_slashes(text: &str) -> bool {
    matches!(text.as_bytes(), [b'/' | b'\\', b'/' | b'\\', ..])
}

/// Returns whether a scheme is one of the web: behind it slashes may be missing.
fn is_web(scheme: &str) -> bool {
    matches!(scheme, "http" | "https" | "ws" | "wss" | "ftp")
}

fn after_scheme(text: &str) -> &str {
    text.split_once(':').map_or(text, |(_, rest)| rest)
}

fn scheme(bare: &str) -> &str {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.');
    match bare.split_once(':') {
        Some((scheme, _)) if scheme.bytes().all(is_part) && scheme.starts_with(|c: char| c.is_ascii_alphabetic()) => {
            scheme
        }
        _ => "",
    }
}

/// The media type of a `data:` URL.
fn media_type(bare: &str) -> Option<&str> {
    let (kind, _) = bare.strip_prefix("data:")?.split_once(',')?;
    Some(kind.split(';').next().unwrap_or_default())
}

fn is_unseen(c: char) -> bool {
    c.is_control()
        || c.is_whitespace()
        || matches!(c, '\u{ad}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2064}' | '\u{feff}')
}
