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
    let ends = |endings: &[&str]| endings.iter().any(|ending| name.ends_with(ending));
    match &*name {
        "cite" | "action" | "formaction" | "ping" => Some(Role::Link),
        "poster" | "background" | "data" | "srcset" => Some(Role::Load),
        _ if ends(&["href"]) => Some(Role::Link),
        _ if ends(&["src", "url", "uri"]) => Some(Role::Load),
        _ => None,
    }
}

/// The addresses in the value of an attribute: one, but for `srcset`.
pub fn addresses<'a>(attribute: &str, value: &'a str) -> Vec<&'a str> {
    if !attribute.eq_ignore_ascii_case("srcset") {
        return vec![value];
    }
    value.split(',').filter_map(|candidate| candidate.split_whitespace().next()).collect()
}

/// Why an address is never written; none where it may be.
pub fn fault(url: &str, role: Role) -> Option<String> {
    let bare = bare(url);
    match scheme(&bare) {
        Some(scheme) if matches!(scheme, "javascript" | "vbscript" | "file") => Some(format!("{scheme}:")),
        Some("data") if role == Role::Link || !bare.starts_with("data:image/") => Some("data:".into()),
        _ => authority(&bare).filter(|authority| authority.contains('@')).map(|_| "user:password@".into()),
    }
}

/// Whether an address names where it leads: it has a scheme, or a host.
pub fn is_absolute(url: &str) -> bool {
    let bare = bare(url);
    scheme(&bare).is_some() || authority(&bare).is_some()
}

/// Whether an address is a picture in itself.
pub fn is_inline_image(url: &str) -> bool {
    bare(url).starts_with("data:image/")
}

/// The host that an http(s) address leads to, in lower case and without port; none for any other address.
pub fn host(url: &str) -> Option<String> {
    let bare = bare(url);
    if !matches!(scheme(&bare), None | Some("http" | "https")) {
        return None;
    }
    let authority = authority(&bare)?;
    let host = authority.rsplit('@').next().unwrap_or_default();
    let host = match host.find(']') {
        Some(end) if host.starts_with('[') => &host[..=end],
        _ => host.split(':').next().unwrap_or_default(),
    };
    Some(host.trim_end_matches('.').to_owned())
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
    let is_host =
        !name.is_empty() && !name.contains(['/', '\\', '@', '*', '?', '#']) && !name.contains(char::is_whitespace);
    (is_host && (name.starts_with('[') || !name.contains(':'))).then(|| setting.to_lowercase())
}

/// An address without what browsers and readers do not see, its letters small.
fn bare(url: &str) -> String {
    let unseen = |c: &char| {
        c.is_control()
            || c.is_whitespace()
            || matches!(c, '\u{ad}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2064}' | '\u{feff}')
    };
    url.chars().filter(|c| !unseen(c)).map(|c| c.to_ascii_lowercase()).collect()
}

fn scheme(bare: &str) -> Option<&str> {
    let end = bare.find(|c: char| !(c.is_ascii_alphanumeric() || "+-.".contains(c)))?;
    let scheme = &bare[..end];
    (bare[end..].starts_with(':') && scheme.starts_with(|c: char| c.is_ascii_alphabetic())).then_some(scheme)
}

/// What stands between the slashes after the scheme and the path.
fn authority(bare: &str) -> Option<&str> {
    const SLASHES: [char; 2] = ['/', '\\'];
    let rest = match scheme(bare) {
        // Browsers need no slashes there.
        Some(scheme @ ("http" | "https" | "ftp" | "ws" | "wss")) => &bare[scheme.len() + 1..],
        Some(scheme) => bare[scheme.len() + 1..].strip_prefix("//")?,
        None => bare.strip_prefix(SLASHES)?.strip_prefix(SLASHES)?,
    };
    rest.trim_start_matches(SLASHES).split(['/', '\\', '?', '#']).next().filter(|authority| !authority.is_empty())
}
