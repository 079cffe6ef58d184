//! URLs, parsed by the platform, and the URL of the page.

use copydesk_base::host::url::ParsedUrl;
use wasm_bindgen::prelude::*;
use web_sys::{Document, Location, Url};

#[wasm_bindgen]
extern "C" {
    // Missing in workers and in Node.
    #[wasm_bindgen(thread_local_v2, js_name = document)]
    static DOCUMENT: Option<Document>;
    #[wasm_bindgen(thread_local_v2, js_name = location)]
    static LOCATION: Option<Location>;
}

/// Parses an absolute URL; `None` if it is invalid.
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

/// Resolves a URL as `fetch` does.
pub fn absolute(url: &str) -> Result<Url, JsValue> {
    let base = match (DOCUMENT.with(Clone::clone), LOCATION.with(Clone::clone)) {
        (Some(document), _) => document.base_uri()?,
        (None, Some(location)) => Some(location.href()?),
        (None, None) => None,
    };
    match base {
        Some(base) => Url::new_with_base(url, &base),
        None => Url::new(url),
    }
}

/// Returns whether requests to an origin leave that of the page. Without a page, as in Node, there is no origin to
/// leave, and no CORS.
pub fn is_cross_origin(origin: &str) -> bool {
    LOCATION.with(Clone::clone).and_then(|location| location.origin().ok()).is_some_and(|own| own != origin)
}
