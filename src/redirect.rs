//! Redirects: a request with a key or the document in it goes to no other origin than the one that was configured.
//!
//! `fetch` takes headers and body along wherever a server redirects it (it drops `authorization` at another origin, and no
//! other header). So such requests are sent with `redirect: "manual"`. Node then gives the answer with its `location`;
//! browsers give an "opaque redirect", which says only that there is one; a function of the app may follow all the same.

use super::fetch::{call, get};
use copydesk_base::host::Request;
use copydesk_base::secrets::key_parameters;
use wasm_bindgen::prelude::*;
use web_sys::Url;

/// What an answer says of a redirect.
pub enum Redirect {
    /// The answer is that of the server that was asked.
    None,
    /// To a URL of the same origin.
    Within(String),
    /// To this other origin.
    Away(String),
    /// Somewhere.
    Hidden,
}

/// Where the answer to a request redirects it.
pub fn redirect_of(request: &Request, response: &JsValue) -> Result<Redirect, JsValue> {
    if get(response, "type")?.as_string().as_deref() == Some("opaqueredirect") {
        return Ok(Redirect::Hidden);
    }
    let asked = absolute(&request.url)?;
    if let Some(target) = followed_to(&asked, response)? {
        // Whoever followed within the origin has the answer already.
        return Ok(if target.origin() == asked.origin() { Redirect::None } else { away(&target) });
    }
    let status = get(response, "status")?.as_f64().unwrap_or_default();
    if ![301.0, 302.0, 303.0, 307.0, 308.0].contains(&status) {
        return Ok(Redirect::None);
    }
    let location = call(&get(response, "headers")?, "get", &["location".into()])?.as_string();
    let Some(location) = location else { return Ok(Redirect::None) };
    let target = Url::new_with_base(&location, &asked.href())?;
    Ok(if target.origin() == asked.origin() { Redirect::Within(target.href()) } else { away(&target) })
}

/// Where a request would be redirected, by the answer to the same one without keys, which was followed.
pub fn redirect_by(request: &Request, answer: &JsValue) -> Result<Redirect, JsValue> {
    let asked = absolute(&request.url)?;
    let Some(target) = followed_to(&asked, answer)? else { return Ok(Redirect::Hidden) };
    if target.origin() != asked.origin() {
        return Ok(away(&target));
    }
    for (name, key) in key_parameters(&request.url) {
        target.search_params().set(&name, &key);
    }
    Ok(Redirect::Within(target.href()))
}

/// The URL from which an answer came that was redirected.
fn followed_to(asked: &Url, answer: &JsValue) -> Result<Option<Url>, JsValue> {
    if !get(answer, "redirected")?.is_truthy() {
        return Ok(None);
    }
    let url = get(answer, "url")?.as_string().unwrap_or_default();
    Url::new_with_base(&url, &asked.href()).map(Some)
}

fn away(target: &Url) -> Redirect {
    Redirect::Away(target.origin())
}

/// The URL as `fetch` resolves it.
fn absolute(url: &str) -> Result<Url, JsValue> {
    let page = || -> Result<Option<String>, JsValue> {
        let document = get(&js_sys::global(), "document")?;
        let from = if document.is_object() { get(&document, "baseURI")? } else { own_location("href") };
        Ok(from.as_string())
    };
    match page()? {
        Some(base) => Url::new_with_base(url, &base),
        None => Url::new(url),
    }
}

/// Whether an origin is that of the page.
pub fn is_own_origin(origin: &str) -> bool {
    own_location("origin") == origin
}

fn own_location(part: &str) -> JsValue {
    let location = get(&js_sys::global(), "location").unwrap_or_default();
    if location.is_object() { get(&location, part).unwrap_or_default() } else { JsValue::UNDEFINED }
}
