//! Requests, built by gloo-net, as arguments of `fetch(url, init)`.

use super::url::absolute;
use super::value::reason;
use copydesk_base::Error;
use copydesk_base::host::Request;
use gloo_net::http::{Headers, Method, RequestBuilder};
use js_sys::Object;
use wasm_bindgen::prelude::*;
use web_sys::{AbortSignal, RequestCredentials, RequestInit, RequestMode, RequestRedirect};

/// A request that gloo-net has built and validated: its URL, header names and header values.
pub struct BuiltRequest {
    /// The configured URL: an app's `fetch` may treat a relative one in its own way.
    url: String,
    headers: web_sys::Headers,
    body: JsValue,
    request: web_sys::Request,
}

impl BuiltRequest {
    /// Builds a request of the core. A confidential one does not follow redirects, which would send headers and body
    /// to any origin that the server names.
    ///
    /// # Errors
    /// [`Error::FetchFailed`] if `fetch` would refuse the URL or a header.
    pub fn of(request: &Request) -> Result<BuiltRequest, Error> {
        let headers = web_sys::Headers::new().map_err(invalid)?;
        for (name, value) in &request.headers {
            // The browser's message may quote the value, which may be a key.
            let refused = |_| Error::FetchFailed { reason: format!("the header {name} has an invalid name or value") };
            headers.append(name, value).map_err(refused)?;
        }
        let body = request.body.as_deref().map_or(JsValue::UNDEFINED, JsValue::from);
        let method = if request.method == "GET" { Method::GET } else { Method::POST };
        build(&request.url, headers, body, |builder| {
            let builder = builder.method(method);
            if request.is_confidential() { builder.redirect(RequestRedirect::Manual) } else { builder }
        })
    }

    /// Builds a request without headers, body and credentials that follows every redirect.
    pub fn following(url: &str) -> Result<BuiltRequest, Error> {
        BuiltRequest::probing(url, |builder| builder.redirect(RequestRedirect::Follow))
    }

    /// Builds a request without headers, body and credentials whose response cannot be read.
    pub fn opaque(url: &str) -> Result<BuiltRequest, Error> {
        BuiltRequest::probing(url, |builder| builder.mode(RequestMode::NoCors))
    }

    fn probing(url: &str, set: impl FnOnce(RequestBuilder) -> RequestBuilder) -> Result<BuiltRequest, Error> {
        let headers = web_sys::Headers::new().map_err(invalid)?;
        build(url, headers, JsValue::UNDEFINED, |builder| set(builder.credentials(RequestCredentials::Omit)))
    }

    /// Returns the URL, the first argument of `fetch`.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Returns the second argument of `fetch`: what differs from its defaults, headers as a plain object, the body as
    /// text.
    pub fn init(&self, signal: &AbortSignal) -> Result<RequestInit, JsValue> {
        let init = RequestInit::new();
        init.set_method(&self.request.method());
        init.set_headers(&Object::from_entries(&self.headers)?.into());
        init.set_body(&self.body);
        init.set_signal(Some(signal));
        if self.request.redirect() == RequestRedirect::Manual {
            init.set_redirect(RequestRedirect::Manual);
        }
        if self.request.mode() == RequestMode::NoCors {
            init.set_mode(RequestMode::NoCors);
        }
        if self.request.credentials() == RequestCredentials::Omit {
            init.set_credentials(RequestCredentials::Omit);
        }
        Ok(init)
    }
}

fn build(
    url: &str,
    headers: web_sys::Headers,
    body: JsValue,
    set: impl FnOnce(RequestBuilder) -> RequestBuilder,
) -> Result<BuiltRequest, Error> {
    // gloo-net panics on an exception that is not an `Error` of this realm, so values that `Request` would refuse are
    // found here.
    let target = absolute(url).map_err(invalid)?;
    // `Request` refuses a URL with a user name; an app's `fetch` may accept it.
    target.set_username("");
    target.set_password("");
    let builder = set(RequestBuilder::new(&target.href())).headers(Headers::from_raw(headers.clone()));
    let request = if body.is_undefined() { builder.build() } else { builder.body(body.clone()) };
    let request = request.map_err(|error| Error::FetchFailed { reason: error.to_string() })?.into();
    Ok(BuiltRequest { url: url.to_owned(), headers, body, request })
}

fn invalid(thrown: JsValue) -> Error {
    Error::FetchFailed { reason: reason(&thrown) }
}
