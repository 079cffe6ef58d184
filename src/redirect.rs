//! Redirects. A request with a key or the document is sent to the configured origin only.
//!
//! `fetch` follows redirects with headers and body (it removes only `authorization` at another origin). So such
//! requests are sent with `redirect: "manual"`. Node then returns the response with its `location`; browsers return
//! an "opaque redirect" without the target; an app's function may follow nevertheless.

use super::url::absolute;
use copydesk_base::host::Request;
use copydesk_base::secrets::key_parameters;
use gloo_net::http::Response;
use wasm_bindgen::prelude::*;
use web_sys::{ResponseType, Url};

/// The redirect in a response.
pub enum Redirect {
    /// None: the response of the requested server.
    None,
    /// To a URL of the same origin.
    Within(String),
    /// To this other origin.
    Away(String),
    /// To an unknown target.
    Hidden,
}

/// Returns the redirect in the response to a request.
pub fn redirect_of(request: &Request, response: &Response) -> Result<Redirect, JsValue> {
    if response.type_() == ResponseType::Opaqueredirect {
        return Ok(Redirect::Hidden);
    }
    let asked = absolute(&request.url)?;
    if let Some(target) = followed_to(&asked, response)? {
        // A redirect within the origin that was followed needs no further request.
        return Ok(if target.origin() == asked.origin() { Redirect::None } else { away(&target) });
    }
    if ![301, 302, 303, 307, 308].contains(&response.status()) {
        return Ok(Redirect::None);
    }
    let Some(location) = response.headers().get("location") else { return Ok(Redirect::None) };
    let target = Url::new_with_base(&location, &asked.href())?;
    Ok(if target.origin() == asked.origin() { Redirect::Within(target.href()) } else { away(&target) })
}

/// Returns the redirect of a request, from the response to the same request without keys, which was followed.
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

/// Returns the URL of a response that was redirected.
fn followed_to(asked: &Url, response: &Response) -> Result<Option<Url>, JsValue> {
    if !response.redirected() {
        return Ok(None);
    }
    Url::new_with_base(&response.url(), &asked.href()).map(Some)
}

fn away(target: &Url) -> Redirect {
    Redirect::Away(target.origin())
}
