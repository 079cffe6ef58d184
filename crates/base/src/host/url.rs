//! The parser of URLs that the [WHATWG URL Standard](https://url.spec.whatwg.org/) describes: that of the platform,
//! so that the URL that is checked is the one that the browser requests; natively crate `url`.

#[cfg(target_arch = "wasm32")]
use std::sync::OnceLock;

/// A normalized absolute URL.
pub struct ParsedUrl {
    /// The whole URL.
    pub href: String,
    /// The scheme, without the colon.
    pub scheme: String,
    /// The host without port; empty if the URL has none.
    pub host: String,
    /// Path, query and fragment.
    pub payload: String,
    /// True if it has a user name or a password.
    pub has_user_info: bool,
}

/// The platform's parser, as [`install`] set it.
#[cfg(target_arch = "wasm32")]
static PLATFORM: OnceLock<fn(&str) -> Option<ParsedUrl>> = OnceLock::new();

/// Sets the platform's parser. The first one set stays.
#[cfg(target_arch = "wasm32")]
pub fn install(parser: fn(&str) -> Option<ParsedUrl>) {
    let _ = PLATFORM.set(parser);
}

/// Parses an absolute URL. Returns `None` if it is not one, or if no parser is installed: URLs that cannot be parsed
/// are refused.
#[cfg(target_arch = "wasm32")]
pub fn parse(text: &str) -> Option<ParsedUrl> {
    PLATFORM.get().and_then(|parser| parser(text))
}

/// Parses an absolute URL. Returns `None` if it is not one.
#[cfg(not(target_arch = "wasm32"))]
pub fn parse(text: &str) -> Option<ParsedUrl> {
    let url = url::Url::parse(text).ok()?;
    Some(ParsedUrl {
        href: url.as_str().to_owned(),
        scheme: url.scheme().to_owned(),
        host: url.host_str().unwrap_or_default().to_owned(),
        payload: url[url::Position::BeforePath..].to_owned(),
        has_user_info: !url.username().is_empty() || url.password().is_some(),
    })
}
