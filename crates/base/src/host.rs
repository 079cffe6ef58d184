//! The traits of the host: requests, time and random numbers.
//!
//! The root crate implements them for browsers and Node, tests for themselves. Nothing here is `Send`: a page has one
//! thread, and so has a test. **Dropping is cancelling**: dropping the future of a request, or the body of its
//! response, ends the request.

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
    /// The absolute URL.
    pub url: String,
    /// The headers, with names in lower case. Browsers send a preflight request first for all but a few.
    pub headers: Vec<(String, String)>,
    /// The body, if any.
    pub body: Option<String>,
    /// The slot among the requests to its origin, once it was admitted ([`Fetch::admit`]).
    pub place: Option<Rc<limit::RequestSlot>>,
}

impl Request {
    /// Returns a GET request without headers.
    pub fn get(url: String) -> Request {
        Request { method: "GET", url, headers: Vec::new(), body: None, place: None }
    }

    /// Returns a POST request with a JSON body.
    pub fn post_json(url: String, body: &serde_json::Value) -> Request {
        let headers = vec![("content-type".to_owned(), "application/json".to_owned())];
        Request { method: "POST", url, headers, body: Some(body.to_string()), place: None }
    }

    /// Returns whether it holds a key, or text of the document: then it may not be redirected to another origin.
    pub fn is_confidential(&self) -> bool {
        let is_secret = |(name, _): &(String, String)| !is_harmless(name);
        self.body.is_some() || self.headers.iter().any(is_secret) || has_keys(&self.url)
    }

    /// Returns the request with one more header.
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

/// A response whose body is not read yet.
pub struct Response {
    /// The HTTP status.
    pub status: u16,
    /// The `content-type` header, or empty.
    pub content_type: String,
    /// The delay before a retry that the server asks for, in milliseconds (`retry-after`, `retry-after-ms`), if the
    /// page may read it.
    pub retry_after: Option<u64>,
    /// The body.
    pub body: Box<dyn Body>,
}

/// The bytes of a response as they arrive.
pub trait Body {
    /// Returns the next bytes; `None` at the end.
    fn chunk(&mut self) -> LocalFuture<'_, Result<Option<Vec<u8>>, Error>>;
}

/// Sends requests.
pub trait Fetch {
    /// Sends a request and waits for status and headers. Any status is a response; without one it fails with
    /// [`Error::Offline`], [`Error::Blocked`] or [`Error::Unreachable`].
    fn fetch(&self, request: Request) -> LocalFuture<'_, Result<Response, Error>>;

    /// Waits until the request may be sent, if the number of requests is limited. Call it before a time limit starts:
    /// waiting for other requests is not the server's fault. [`fetch`](Fetch::fetch) waits by itself otherwise.
    fn admit(&self, request: Request) -> LocalFuture<'_, Request> {
        Box::pin(std::future::ready(request))
    }
}

/// Time and random numbers.
pub trait Clock {
    /// Returns the milliseconds since a fixed moment; never decreases.
    fn now(&self) -> f64;
    /// Waits. In a hidden tab it may take longer.
    fn sleep(&self, ms: u64) -> LocalFuture<'static, ()>;
    /// Returns a random number in `0.0..1.0`.
    fn random(&self) -> f64;
}

/// A signal that stops a run. Clones share their state.
#[derive(Clone, Default)]
pub struct AbortSignal(Rc<RefCell<AbortState>>);

#[derive(Default)]
struct AbortState {
    aborted: bool,
    waiting: Vec<Waker>,
}

impl AbortSignal {
    /// Raises the signal: every present and future [`guard`](Self::guard) ends.
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

/// The extra time for a result that is late because the machine slept, in milliseconds.
const AFTER_SLEEP_MS: u64 = 1_000;

/// Runs a future for at most `ms` milliseconds. Fails with [`Error::Timeout`], in which `what` names the operation.
///
/// A timer that fires much later than it was set for was suspended with the page (a hidden tab, a closed laptop), and
/// so perhaps was the response: it gets a moment more.
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

/// Waits until the time is over.
fn late(clock: &dyn Clock, ms: u64) -> LocalFuture<'_, ()> {
    Box::pin(async move {
        let until = clock.now() + ms as f64;
        clock.sleep(ms).await;
        if clock.now() > until + AFTER_SLEEP_MS as f64 {
            clock.sleep(AFTER_SLEEP_MS).await;
        }
    })
}

/// Returns the result of the future that is ready first and drops the other.
async fn race<T>(first: impl Future<Output = T>, second: impl Future<Output = T>) -> T {
    let (mut first, mut second) = (pin!(first), pin!(second));
    poll_fn(|cx| match first.as_mut().poll(cx) {
        Poll::Pending => second.as_mut().poll(cx),
        ready => ready,
    })
    .await
}

/// Runs futures concurrently until all are done.
pub async fn all(futures: Vec<LocalFuture<'_, ()>>) {
    let mut under_way = futures;
    poll_fn(|cx| {
        under_way.retain_mut(|future| future.as_mut().poll(cx).is_pending());
        if under_way.is_empty() { Poll::Ready(()) } else { Poll::Pending }
    })
    .await;
}

/// Reads a body to its end. Fails with [`Error::TooLarge`] beyond `limit` bytes.
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

/// Returns scheme, host and port of a URL, for messages.
pub fn origin_of(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else { return crate::error::excerpt(url) };
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let host = authority.rsplit('@').next().unwrap_or_default();
    format!("{scheme}://{host}")
}

/// Returns whether a text is an absolute http(s) URL with a host and without user name and password.
pub fn is_http_url(url: &str) -> bool {
    let Some((scheme, rest)) = url.split_once("://") else { return false };
    let authority = rest.split(['/', '?', '#', '\\']).next().unwrap_or_default();
    (scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https"))
        && !authority.is_empty()
        && !authority.contains('@')
        && !url.chars().any(|c| c.is_whitespace() || c.is_control() || c == '<' || c == '>' || c == '"')
}

/// Encodes a text for the query of a URL.
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

/// Decodes a percent-encoded text.
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

#[cfg(test)]
mod tests {
    use super::{Body, LocalFuture, read_to_end};
    use crate::Error;
    use std::collections::VecDeque;
    use std::future::{Future, ready};
    use std::pin::pin;
    use std::task::{Context, Poll, Waker};

    /// A body of chunks that have arrived.
    struct ReadyChunks(VecDeque<Vec<u8>>);

    impl Body for ReadyChunks {
        fn chunk(&mut self) -> LocalFuture<'_, Result<Option<Vec<u8>>, Error>> {
            Box::pin(ready(Ok(self.0.pop_front())))
        }
    }

    /// Returns the number of bytes that were read of a body with chunks of these lengths.
    fn read(lengths: &[usize], limit: usize) -> Result<usize, Error> {
        let chunks = lengths.iter().map(|length| vec![b'x'; *length]).collect();
        let reading = pin!(read_to_end(Box::new(ReadyChunks(chunks)), limit));
        match reading.poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(bytes) => bytes.map(|bytes| bytes.len()),
            Poll::Pending => panic!("every chunk has arrived"),
        }
    }

    #[test]
    fn a_body_may_be_as_long_as_its_limit_and_no_longer() {
        assert_eq!(read(&[], 0), Ok(0));
        assert_eq!(read(&[3, 2], 5), Ok(5));
        // The second chunk does not end at the limit but behind it.
        assert_eq!(read(&[3, 4], 5), Err(Error::TooLarge { length: 7, limit: 5 }));
        assert_eq!(read(&[3, 2, 1], 5), Err(Error::TooLarge { length: 6, limit: 5 }));
    }
}
