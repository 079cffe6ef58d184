//! What the core asks of the outside: requests and time.
//!
//! The browser's side of these traits is in `wasm/`; tests bring their own. Nothing here is `Send`: a page has
//! one thread, and so has a test. **Dropping is cancelling**: whoever drops the future of a request, or the
//! body of an answer, ends the request.

pub mod html;
pub mod limit;
pub mod url;

use crate::error::Error;
use crate::secrets::{has_keys, is_harmless};
use std::cell::RefCell;
use std::fmt;
use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::rc::Rc;
use std::task::{Poll, Waker};

/// A future that stays on its thread.
pub type LocalFuture<'a, T> = Pin<Box<dyn Future<Output = T> + 'a>>;

/// An HTTP request. `Debug` leaves the values of the headers out: a key is among them.
#[derive(Clone, PartialEq)]
pub struct Request {
    /// `GET` or `POST`.
    pub method: &'static str,
    /// The whole address.
    pub url: String,
    /// Names in lower case. Browsers ask servers for leave (a preflight) before they send any but a few.
    pub headers: Vec<(String, String)>,
    /// The body, where there is one.
    pub body: Option<String>,
    /// Its place among the requests to its origin, when it was admitted ([`Fetch::admit`]).
    pub place: Option<Rc<limit::Place>>,
}

impl Request {
    /// A request without headers or body.
    pub fn get(url: String) -> Request {
        Request { method: "GET", url, headers: Vec::new(), body: None, place: None }
    }

    /// A request that sends JSON.
    pub fn post_json(url: String, body: &serde_json::Value) -> Request {
        let headers = vec![("content-type".to_owned(), "application/json".to_owned())];
        Request { method: "POST", url, headers, body: Some(body.to_string()), place: None }
    }

    /// Returns whether it holds a key, or text of the document: then it may not be redirected to another origin.
    pub fn is_confidential(&self) -> bool {
        let is_secret = |(name, _): &(String, String)| !is_harmless(name);
        self.body.is_some() || self.headers.iter().any(is_secret) || has_keys(&self.url)
    }

    /// The same request with one more header.
    pub fn with_header(mut self, name: &str, value: String) -> Request {
        self.headers.push((name.to_owned(), value));
        self
    }
}

impl fmt::Debug for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = self.headers.iter().map(|(name, _)| name).collect();
        let Request { method, url, body, .. } = self;
        write!(f, "{method} {url} {names:?} {}", body.as_deref().unwrap_or_default())
    }
}

/// The answer to a request, its body yet to be read.
pub struct Response {
    /// The HTTP status.
    pub status: u16,
    /// The `content-type` header, or empty.
    pub content_type: String,
    /// After how many milliseconds the server wants to be asked again, where it says so and the page may read it
    /// (`retry-after`, `retry-after-ms`).
    pub retry_after: Option<u64>,
    /// The body.
    pub body: Box<dyn Body>,
}

/// The bytes of an answer as they arrive.
pub trait Body {
    /// The next bytes; `None` at the end.
    fn chunk(&mut self) -> LocalFuture<'_, Result<Option<Vec<u8>>, Error>>;
}

/// Sends requests.
pub trait Fetch {
    /// Sends a request and waits for the head of the answer. Any status is an answer; an error means that none
    /// came: [`Error::Offline`], [`Error::Blocked`] or [`Error::Unreachable`].
    fn fetch(&self, request: Request) -> LocalFuture<'_, Result<Response, Error>>;

    /// Waits until the request may be sent, where only so many may be under way; else [`fetch`](Fetch::fetch) waits. Whoever
    /// limits the time of a request calls it first: waiting for others is no fault of the server's.
    fn admit(&self, request: Request) -> LocalFuture<'_, Request> {
        Box::pin(std::future::ready(request))
    }
}

/// Tells and waits for time, and throws dice.
pub trait Clock {
    /// Milliseconds since some fixed moment; never goes back.
    fn now(&self) -> f64;
    /// Waits. In a hidden tab it may take longer than asked.
    fn sleep(&self, ms: u64) -> LocalFuture<'static, ()>;
    /// A random number from 0 up to, but not including, 1.
    fn random(&self) -> f64;
}

/// A switch that stops a run. Clones are the same switch.
#[derive(Clone, Default)]
pub struct AbortSignal(Rc<RefCell<AbortState>>);

#[derive(Default)]
struct AbortState {
    aborted: bool,
    waiting: Vec<Waker>,
}

impl AbortSignal {
    /// Stops whatever waits for this signal, now and later.
    pub fn abort(&self) {
        let waiting = {
            let mut state = self.0.borrow_mut();
            state.aborted = true;
            std::mem::take(&mut state.waiting)
        };
        waiting.into_iter().for_each(Waker::wake);
    }

    /// Returns whether [`abort`](Self::abort) was called.
    pub fn is_aborted(&self) -> bool {
        self.0.borrow().aborted
    }

    /// Resolves when the signal is raised.
    async fn raised(&self) {
        poll_fn(|cx| {
            let mut state = self.0.borrow_mut();
            if state.aborted {
                return Poll::Ready(());
            }
            if !state.waiting.iter().any(|waker| waker.will_wake(cx.waker())) {
                state.waiting.push(cx.waker().clone());
            }
            Poll::Pending
        })
        .await;
    }

    /// Runs a future to its end or until the signal is raised, whichever comes first.
    pub async fn guard<T, E: From<Error>>(&self, future: impl Future<Output = Result<T, E>>) -> Result<T, E> {
        let stopped = async {
            self.raised().await;
            Err(Error::Aborted.into())
        };
        race(stopped, future).await
    }
}

/// How long something that is late because the machine slept is still waited for, in milliseconds.
const AFTER_SLEEP_MS: u64 = 1_000;

/// Runs a future for at most so many milliseconds; `what` names what was waited for in the error.
///
/// A timer that comes much later than it was set for was held back with the page (a hidden tab, a laptop that was
/// closed), and so perhaps was the answer: it gets a moment more.
pub async fn within<T, E: From<Error>>(
    clock: &dyn Clock,
    ms: u64,
    what: &str,
    future: impl Future<Output = Result<T, E>>,
) -> Result<T, E> {
    let late = async {
        late(clock, ms).await;
        Err(Error::Timeout { what: what.to_owned(), ms }.into())
    };
    // The work is asked first: what arrived in time counts, even when a throttled timer fires beside it.
    race(future, late).await
}

/// Waits until time is up.
fn late(clock: &dyn Clock, ms: u64) -> LocalFuture<'_, ()> {
    Box::pin(async move {
        let until = clock.now() + ms as f64;
        clock.sleep(ms).await;
        if clock.now() > until + AFTER_SLEEP_MS as f64 {
            clock.sleep(AFTER_SLEEP_MS).await;
        }
    })
}

/// The result of whichever future is done first; the other is dropped.
async fn race<T>(first: impl Future<Output = T>, second: impl Future<Output = T>) -> T {
    let (mut first, mut second) = (pin!(first), pin!(second));
    poll_fn(|cx| match first.as_mut().poll(cx) {
        Poll::Pending => second.as_mut().poll(cx),
        ready => ready,
    })
    .await
}

/// Runs futures side by side until all are done.
pub async fn all(futures: Vec<LocalFuture<'_, ()>>) {
    let mut under_way = futures;
    poll_fn(|cx| {
        under_way.retain_mut(|future| future.as_mut().poll(cx).is_pending());
        if under_way.is_empty() { Poll::Ready(()) } else { Poll::Pending }
    })
    .await;
}

/// Reads a body to its end, up to `limit` bytes.
pub async fn read_to_end(mut body: Box<dyn Body>, limit: usize) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    while let Some(chunk) = body.chunk().await? {
        bytes.extend_from_slice(&chunk);
        if bytes.len() > limit {
            return Err(Error::TooLarge { length: bytes.len(), limit });
        }
    }
    Ok(bytes)
}

/// The scheme, host and port of an address, for messages.
pub fn origin_of(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else { return crate::error::excerpt(url) };
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let host = authority.rsplit('@').next().unwrap_or_default();
    format!("{scheme}://{host}")
}

/// Returns whether an address is an absolute http(s) one with a host, and without a user name or password.
pub fn is_http_url(url: &str) -> bool {
    let Some((scheme, rest)) = url.split_once("://") else { return false };
    let authority = rest.split(['/', '?', '#', '\\']).next().unwrap_or_default();
    (scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https"))
        && !authority.is_empty()
        && !authority.contains('@')
        && !url.chars().any(|c| c.is_whitespace() || c.is_control() || c == '<' || c == '>' || c == '"')
}

/// Writes a text so that it can stand in the query of an address.
pub fn percent_encode(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for &byte in text.as_bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => encoded.push(byte as char),
            _ => encoded.push_str(&format!("%{byte:02X}")),
        }
    }
    encoded
}

/// A text as it was before it was written for an address.
pub fn percent_decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((byte, after)) = rest.split_first() {
        let digits = after.get(..2).and_then(|digits| std::str::from_utf8(digits).ok());
        let decoded = digits.filter(|_| *byte == b'%').and_then(|digits| u8::from_str_radix(digits, 16).ok());
        bytes.push(decoded.unwrap_or(*byte));
        rest = if decoded.is_some() { &after[2..] } else { after };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
