//! Redirects: a request with a key or the document in it goes to no other origin than the one that was configured.
//!
//! `fetch` takes headers and body along wherever a server redirects it (it drops `authorization` at another origin, and no
//! other header). So such requests are sent with `redirect: "manual"`. Node then gives the response with its `location`;
//! browsers give an "opaque redirect", which says only that there is one; a function of the app may follow all the same.

use super::url::absolute;
use copydesk_base::host::Request;
use copydesk_base::secrets::key_parameters;
use gloo_net::http::Response;
use wasm_bindgen::prelude::*;
use web_sys::{ResponseType, Url};

/// What a response says of a redirect.
pub enum Redirect {
    /// The response is that of the server that was asked.
    None,
    /// To a URL of the same origin.
    Within(String),
    /// To this other origin.
    Away(String),
    /// Somewhere.
    Hidden,
}

/// Returns where the response to a request redirects it.
pub fn redirect_of(request: &Request, response: &Response) -> Result<Redirect, JsValue> {
    if response.type_() == ResponseType::Opaqueredirect {
        return Ok(Redirect::Hidden);
    }
    let asked = absolute(&request.url)?;
    if let Some(target) = followed_to(&asked, response)? {
        // Whoever followed within the origin has the response already.
        return Ok(if target.origin() == asked.origin() { Redirect::None } else { away(&target) });
    }
    if ![301, 302, 303, 307, 308].contains(&response.status()) {
        return Ok(Redirect::None);
    }
    let Some(location) = response.headers().get("location") else { return Ok(Redirect::None) };
    let target = Url::new_with_base(&location, &asked.href())?;
    Ok(if target.origin() == asked.origin() { Redirect::Within(target.href()) } else { away(&target) })
}

/// Returns where a request would be redirected, by the response to the same one without keys, which was followed.
pub fn redirect_by(request: &Request, response: &Response) -> Result<Redirect, JsValue> {
    let asked = absolute(&request.url)?;
    let Some(target) = followed_to(&asked, response)? else { return Ok(Redirect::Hidden) };
    if target.origin() != asked.origin() {
        return Ok(away(&target));
    }
    for (name, key) in key_parameters(&request.url) {
        target.search_params().set(&name, &key);
    }
    Ok(Redirect::Within(target.href()))
}

/// Returns the URL from which a response came that was redirected.
fn followed_to(asked: &Url, response: &Response) -> Result<Option<Url>, JsValue> {
    if !response.redirected() {
        return Ok(None);
    }
    Url::new_with_base(&response.url(), &asked.href()).map(Some)
}

fn away(target: &Url) -> Redirect {
    Redirect::Away(target.origin())
}
