//! The page's network: its own `fetch`, or the app's.
//!
//! gloo-net builds requests ([`super::request`]) and reads responses ([`super::response`]). The call itself is made
//! here, because gloo-net's `send` panics if the result is not an instance of `Response`.

use super::clock::PageClock;
use super::network_failure;
use super::promise::settled;
use super::redirect::{Redirect, redirect_by, redirect_of};
use super::request::BuiltRequest;
use super::response::{self, ReaderFactory, failed};
use super::url::is_cross_origin;
use super::value::reason;
use copydesk_base::Error;
use copydesk_base::error::is_local;
use copydesk_base::host::{Fetch, LocalFuture, Request, Response, origin_of, within};
use copydesk_base::secrets::url_without_keys;
use js_sys::Function;
use wasm_bindgen::prelude::*;
use web_sys::{AbortController, RequestInit};

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(catch)]
    fn fetch(url: &str, init: &RequestInit) -> Result<JsValue, JsValue>;

    /// Missing in Node and in some workers.
    type Navigator;
    #[wasm_bindgen(thread_local_v2, js_name = navigator)]
    static NAVIGATOR: Option<Navigator>;
    #[wasm_bindgen(method, getter, js_name = onLine)]
    fn on_line(this: &Navigator) -> Option<bool>;
}

/// The time limit of requests that find out why another one failed, or where it was redirected, in milliseconds.
const PROBE_TIMEOUT_MS: u64 = 3_000;
/// The most redirects that are followed.
const MOST_REDIRECTS: usize = 5;

/// Sends requests with a function that behaves like `fetch(url, init)`.
#[derive(Clone)]
pub struct PageFetch {
    /// The app's function; `None` for the page's own.
    given: Option<Function>,
    /// Creates readers of bodies; `None` for the bodies' own readers.
    readers: Option<ReaderFactory>,
}

impl PageFetch {
    /// Creates a network that uses the app's function, or the page's own.
    pub fn new(given: Option<Function>) -> PageFetch {
        PageFetch { given, readers: None }
    }

    /// Reads bodies with `readers.reader(body)`, whose result has the interface of a reader of the body.
    pub fn read_by(self, readers: ReaderFactory) -> PageFetch {
        PageFetch { readers: Some(readers), ..self }
    }

    /// Returns the URL for repeating the request if the response redirects it within its origin.
    ///
    /// # Errors
    /// [`Error::Redirected`] if it leads to another origin, or to an unknown one.
    async fn redirected(
        &self,
        request: &Request,
        response: &gloo_net::http::Response,
    ) -> Result<Option<String>, Error> {
        if !request.is_confidential() {
            return Ok(None);
        }
        let refused = |target| Err(Error::Redirected { origin: origin_of(&request.url), target });
        match redirect_of(request, response).map_err(|thrown| failed(&thrown))? {
            Redirect::None => Ok(None),
            Redirect::Within(url) => Ok(Some(url)),
            Redirect::Away(target) => refused(Some(target)),
            // Browsers hide the target of a manual redirect. A request without key and document may be followed, and
            // reveals it.
            Redirect::Hidden => match self.followed(&request.url).await.map(|answer| redirect_by(request, &answer)) {
                Some(Ok(Redirect::Within(url))) => Ok(Some(url)),
                Some(Ok(Redirect::Away(target))) => refused(Some(target)),
                _ => refused(None),
            },
        }
    }

    /// Returns the response to a request for a URL without keys, headers and body, following redirects; `None` if it
    /// cannot be read.
    async fn followed(&self, url: &str) -> Option<gloo_net::http::Response> {
        let request = BuiltRequest::following(&url_without_keys(url)).ok()?;
        response::checked(self.probe(&request).await?).ok()
    }

    /// Sends a request without content; `None` without a response in time.
    async fn probe(&self, request: &BuiltRequest) -> Option<JsValue> {
        let connection = Connection::open().ok()?;
        let asked = async { self.call(request, &connection).await.map_err(|thrown| failed(&thrown)) };
        within(&PageClock, PROBE_TIMEOUT_MS, "", asked).await.ok()
    }

    async fn call(&self, request: &BuiltRequest, connection: &Connection) -> Result<JsValue, JsValue> {
        let init = request.init(&connection.0.signal())?;
        let answer = match &self.given {
            Some(given) => given.call2(&JsValue::UNDEFINED, &request.url().into(), &init)?,
            None => fetch(request.url(), &init)?,
        };
        settled(answer).await
    }

    /// Finds out why a request failed. Browsers report only a `TypeError`, so the URL is requested again without key
    /// and body, and then in mode `no-cors`: a server that responds can be reached, but does not allow the page to
    /// read its responses (CORS), or redirects preflight requests.
    async fn why(&self, request: &Request, thrown: &JsValue) -> Error {
        let origin = origin_of(&request.url);
        // A server on the same machine can be reached without a network.
        let offline = is_offline() && !is_local(&origin);
        let is_own = self.given.is_none();
        // Errors of an app's function are reported unchanged, unless they are those of the network.
        if !is_own && !network_failure::is_network_failure(thrown) {
            return Error::FetchFailed { reason: reason(thrown) };
        }
        if offline {
            return Error::Offline;
        }
        // An app's function may forward requests to any server, so the browser cannot find out more.
        let reason = network_failure::reason_of(thrown, is_own);
        if !is_own || !is_cross_origin(&origin) {
            return Error::Unreachable { origin, reason };
        }
        if request.is_confidential()
            && let Some(answer) = self.followed(&request.url).await
            && let Ok(Redirect::Away(target)) = redirect_by(request, &answer)
        {
            return Error::Redirected { origin, target: Some(target) };
        }
        match BuiltRequest::opaque(&url_without_keys(&request.url)) {
            Ok(opaque) if self.probe(&opaque).await.is_some() => Error::Blocked { origin },
            _ => Error::Unreachable { origin, reason },
        }
    }
}

impl Fetch for PageFetch {
    fn fetch(&self, mut request: Request) -> LocalFuture<'_, Result<Response, Error>> {
        Box::pin(async move {
            for _ in 0..=MOST_REDIRECTS {
                let connection = Connection::open()?;
                let answer = match self.call(&BuiltRequest::of(&request)?, &connection).await {
                    Ok(answer) => answer,
                    Err(thrown) => return Err(self.why(&request, &thrown).await),
                };
                let response = response::checked(answer)?;
                match self.redirected(&request, &response).await? {
                    None => return response::opened(&response, self.readers.as_ref(), &request.url, connection),
                    Some(url) => request.url = url,
                }
            }
            let reason = format!("{} redirects more than {MOST_REDIRECTS} times", origin_of(&request.url));
            Err(Error::FetchFailed { reason })
        })
    }
}

/// A request under way; dropping it aborts it.
pub struct Connection(AbortController);

impl Connection {
    fn open() -> Result<Connection, Error> {
        AbortController::new().map(Connection).map_err(|thrown| failed(&thrown))
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// Returns whether the browser states that it is offline; always false in Node and in workers without `navigator`.
fn is_offline() -> bool {
    NAVIGATOR.with(|navigator| navigator.as_ref().is_some_and(|navigator| navigator.on_line() == Some(false)))
}
