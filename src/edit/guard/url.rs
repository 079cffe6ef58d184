//! Addresses: what one does where it stands, which are never written, and where one leads.
//!
//! Browsers read an address more generously than it looks: they pass over white space and control signs, take any case,
//! and `\` for `/`. So does this file.

/// What becomes of an address in an attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The page asks for it by itself, without anybody's click: a picture, a frame, a video.
    Load,
    /// Somebody may follow it.
    Link,
}

/// What becomes of an address in an attribute of this name; none where attributes of this name hold no addresses.
/// Schemas name their attributes as they like, so endings count.
pub fn role(attribute: &str) -> Option<Role> {
    let name = attribute.to_ascii_lowercase();
    match &*name {
        "cite" | "action" | "formaction" | "ping" => return Some(Role::Link),
        "poster" | "background" | "data" | "srcset" | "style" => return Some(Role::Load),
        "image" | "images" | "img" | "picture" | "photo" | "thumbnail" | "cover" | "avatar" | "logo" | "video"
        | "audio" => return Some(Role::Load),
        _ => {}
    }
    match name.as_bytes() {
        [.., b'h', b'r', b'e', b'f'] => Some(Role::Link),
        [.., b's', b'r', b'c'] | [.., b'u', b'r', b'l'] | [.., b'u', b'r', b'i'] => Some(Role::Load),
        _ => None,
    }
}

/// The addresses in the value of an attribute: one, but for `srcset` and `style`.
pub fn addresses<'a>(attribute: &str, value: &'a str) -> Vec<&'a str> {
    if attribute.eq_ignore_ascii_case("srcset") {
        return value.split(',').filter_map(|candidate| candidate.split_whitespace().next()).collect();
    }
    if attribute.eq_ignore_ascii_case("style") {
        return in_style(value);
    }
    vec![value]
}

/// The addresses in a style: what stands in `url(…)` or between quotes. One with escapes is an address as a whole, and one
/// that leads nowhere: what it hides cannot be meant well.
fn in_style(style: &str) -> Vec<&str> {
    if style.contains('\\') {
        return vec![style];
    }
    let lower = style.to_ascii_lowercase();
    let of_urls = lower.match_indices("url(").map(|(at, _)| {
        let rest = &style[at + "url(".len()..];
        rest[..rest.find(')').unwrap_or(rest.len())].trim().trim_matches(['"', '\''])
    });
    let quoted = |quote: char| style.split(quote).skip(1).step_by(2);
    of_urls.chain(quoted('"')).chain(quoted('\'')).collect()
}

/// An address, read as browsers read it.
pub struct Address {
    /// It without what browsers and readers do not see, its letters small.
    bare: String,
    /// Where the scheme ends; 0 where there is none.
    scheme: usize,
    /// What stands between the slashes after the scheme and the path, where it names a host.
    authority: Option<String>,
}

impl Address {
    /// Reads an address.
    pub fn read(url: &str) -> Address {
        let mut bare = String::with_capacity(url.len());
        bare.extend(url.chars().filter(|c| !is_unseen(*c)).map(|c| c.to_ascii_lowercase()));
        let scheme = scheme_end(bare.as_bytes());
        let authority = authority(bare.as_bytes(), scheme).map(|range| bare[range].to_owned());
        Address { bare, scheme, authority }
    }

    fn scheme(&self) -> &str {
        &self.bare[..self.scheme]
    }

    /// Why the address is never written; none where it may be.
    pub fn fault(&self, role: Role) -> Option<String> {
        match self.scheme() {
            scheme @ ("javascript" | "vbscript" | "file") => Some(format!("{scheme}:")),
            "data" if role == Role::Link || !self.is_inline_image() => Some("data:".into()),
            _ if self.authority.as_ref().is_some_and(|authority| authority.contains('@')) => {
                Some("user:password@".into())
            }
            _ => None,
        }
    }

    /// Whether it names where it leads: it has a scheme, or a host.
    pub fn is_absolute(&self) -> bool {
        self.scheme > 0 || self.authority.is_some()
    }

    /// Whether it is a picture in itself.
    pub fn is_inline_image(&self) -> bool {
        self.bare.starts_with("data:image/")
    }

    /// The host that an http(s) address leads to, in lower case and without port; none for any other address.
    pub fn host(&self) -> Option<&str> {
        let authority = self.authority.as_deref().filter(|_| matches!(self.scheme(), "" | "http" | "https"))?;
        let host = &authority[authority.rfind('@').map_or(0, |at| at + 1)..];
        let end = match host.find(']') {
            Some(end) if host.starts_with('[') => end + 1,
            _ => host.find(':').unwrap_or(host.len()),
        };
        Some(host[..end].strip_suffix('.').unwrap_or(&host[..end]))
    }
}

/// Whether a host is the one that a pattern names; `*.example.com` names all below `example.com`.
pub fn host_matches(host: &str, pattern: &str) -> bool {
    match pattern.strip_prefix('*') {
        Some(below) => host.len() > below.len() && host.ends_with(below),
        None => host == pattern,
    }
}

/// A setting as a host pattern in lower case; none where it is something else, such as a whole address.
pub fn pattern(setting: &str) -> Option<String> {
    let name = setting.strip_prefix("*.").unwrap_or(setting);
    // As an address it would be that host and nothing more.
    let read = Address::read(&format!("//{name}"));
    let is_host = !name.contains('*') && read.host().is_some_and(|host| name.eq_ignore_ascii_case(host));
    is_host.then(|| setting.to_ascii_lowercase())
}

fn is_unseen(c: char) -> bool {
    c.is_control()
        || c.is_whitespace()
        || matches!(c, '\u{ad}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2064}' | '\u{feff}')
}

fn scheme_end(bare: &[u8]) -> usize {
    let mut at = 0;
    while at < bare.len() && (bare[at].is_ascii_alphanumeric() || matches!(bare[at], b'+' | b'-' | b'.')) {
        at += 1;
    }
    if bare.get(at) == Some(&b':') && bare[0].is_ascii_alphabetic() { at } else { 0 }
}

/// Where the authority stands. Browsers take `\` for `/`, and after the schemes of the web they need no slashes at all.
fn authority(bare: &[u8], scheme: usize) -> Option<std::ops::Range<usize>> {
    let is_slash = |at: usize| matches!(bare.get(at), Some(b'/' | b'\\'));
    let mut start = if scheme > 0 { scheme + 1 } else { 0 };
    let needs_slashes = !matches!(&bare[..scheme], b"http" | b"https" | b"ftp" | b"ws" | b"wss");
    if needs_slashes && !(is_slash(start) && is_slash(start + 1)) {
        return None;
    }
    while is_slash(start) {
        start += 1;
    }
    let mut end = start;
    while end < bare.len() && !is_slash(end) && !matches!(bare[end], b'?' | b'#') {
        end += 1;
    }
    (end > start).then_some(start..end)
}
