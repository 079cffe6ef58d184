//! The parser of URLs that the [WHATWG URL Standard](https://url.spec.whatwg.org/) describes: that of the platform,
//! so that what is judged is what the browser requests; natively crate `url`.

/// An absolute URL, as it is normalized.
pub struct ParsedUrl {
    /// All of it.
    pub href: String,
    /// The scheme, without the colon.
    pub scheme: String,
    /// The host without port; empty where the URL has none.
    pub host: String,
    /// Path, query and fragment.
    pub payload: String,
    /// Whether it has a user name or a password.
    pub has_user_info: bool,
}

#[cfg(target_arch = "wasm32")]
pub use crate::wasm::url::parse;

/// Parses an absolute URL. Returns nothing where it is none.
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
