//! The page's network: its own `fetch`, or what the app gives in its place.
//!
//! gloo-net builds requests ([`super::request`]) and reads responses ([`super::response`]). The call is made here: its
//! own `send` panics on what is no instance of `Response`, and what an app gives may be anything.

use super::clock::PageClock;
use super::promise::settled;
use super::redirect::{Redirect, redirect_by, redirect_of};
use super::request::BuiltRequest;
use super::response::{self, ReaderFactory, failed};
use super::url::is_own_origin;
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

    /// Node's has no `onLine`, and workers may have none at all.
    type Navigator;
    #[wasm_bindgen(thread_local_v2, js_name = navigator)]
    static NAVIGATOR: Option<Navigator>;
    #[wasm_bindgen(method, getter, js_name = onLine)]
    fn on_line(this: &Navigator) -> Option<bool>;
}

/// How long to wait when finding out why a request failed, or where it was redirected, in milliseconds.
const PROBE_TIMEOUT_MS: u64 = 3_000;
/// How many redirects are followed.
const MOST_REDIRECTS: usize = 5;

/// Sends requests by a function that behaves as `fetch(url, init)` does.
#[derive(Clone)]
pub struct PageFetch {
    /// The app's function; none for the page's own.
    given: Option<Function>,
    /// What makes readers of bodies; none for the bodies' own.
    readers: Option<ReaderFactory>,
}

impl PageFetch {
    /// Sends by the app's function, or by the page's own.
    pub fn new(given: Option<Function>) -> PageFetch {
        PageFetch { given, readers: None }
    }

    /// Reads bodies by what `readers.reader(body)` gives, which reads as a reader of the body does.
    pub fn read_by(self, readers: ReaderFactory) -> PageFetch {
        PageFetch { readers: Some(readers), ..self }
    }

    /// Returns the URL to send the request to again, where the response redirects it within its origin.
    ///
    /// # Errors
    /// [`Error::Redirected`] where it leads to another origin, or nobody can tell where.
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
            // Browsers do not say where to: what is asked without key and document may be followed, and then they do.
            Redirect::Hidden => match self.followed(&request.url).await.map(|answer| redirect_by(request, &answer)) {
                Some(Ok(Redirect::Within(url))) => Ok(Some(url)),
                Some(Ok(Redirect::Away(target))) => refused(Some(target)),
                _ => refused(None),
            },
        }
    }

    /// Returns the response to a request for a URL without keys, headers and body, wherever it leads; none where it
    /// cannot be read.
    async fn followed(&self, url: &str) -> Option<gloo_net::http::Response> {
        let request = BuiltRequest::following(&url_without_keys(url)).ok()?;
        response::checked(self.probe(&request).await?).ok()
    }

    /// Sends a request that carries nothing; none where no answer comes in time.
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

    /// Finds out why no answer came. Browsers tell pages no more than "TypeError", so the same URL is asked once more
    /// without key and body, and then without wanting to read the answer: a server that is asked so, and answers, is
    /// there but does not allow this page (CORS), or redirects what the browser asks before it sends the request.
    async fn why(&self, request: &Request, thrown: &JsValue) -> Error {
        let origin = origin_of(&request.url);
        // Without a network a server on this very machine is as near as ever.
        let offline = is_offline() && !is_local(&origin);
        // What an app's function says is no riddle, unless it is what browsers say.
        if self.given.is_some() && !(offline && thrown.is_instance_of::<js_sys::TypeError>()) {
            return Error::FetchFailed { reason: reason(thrown) };
        }
        if offline {
            return Error::Offline;
        }
        if is_own_origin(&origin) {
            return Error::Unreachable { origin };
        }
        if request.is_confidential()
            && let Some(answer) = self.followed(&request.url).await
            && let Ok(Redirect::Away(target)) = redirect_by(request, &answer)
        {
            return Error::Redirected { origin, target: Some(target) };
        }
        match BuiltRequest::opaque(&url_without_keys(&request.url)) {
            Ok(opaque) if self.probe(&opaque).await.is_some() => Error::Blocked { origin },
            _ => Error::Unreachable { origin },
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

/// A request under way; dropping it ends it.
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

/// Returns whether the browser says that it is offline; Node and workers without `navigator` never do.
fn is_offline() -> bool {
    NAVIGATOR.with(|navigator| navigator.as_ref().is_some_and(|navigator| navigator.on_line() == Some(false)))
}
