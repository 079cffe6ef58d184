//! The platform's parser of URLs.

use copydesk_base::host::url::ParsedUrl;
use web_sys::Url;

/// Parses an absolute URL. Returns nothing where it is none.
pub fn parse(text: &str) -> Option<ParsedUrl> {
    let url = Url::new(text).ok()?;
    let mut scheme = url.protocol();
    scheme.pop();
    Some(ParsedUrl {
        href: url.href(),
        scheme,
        host: url.hostname(),
        payload: [url.pathname(), url.search(), url.hash()].concat(),
        has_user_info: !url.username().is_empty() || !url.password().is_empty(),
    })
}
