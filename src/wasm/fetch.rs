//! The page's network: `globalThis.fetch`, or what the app gives in its place.

use super::value::reason;
use crate::error::Error;
use crate::host::{Body, Fetch, LocalFuture, Request, Response, origin_of, within};
use crate::wasm::clock::PageClock;
use gloo_net::http;
use js_sys::{Function, Object, Promise, Reflect, Uint8Array};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{AbortController, ReadableStreamDefaultReader};

/// How long to wait when finding out why a request failed, in milliseconds.
const PROBE_TIMEOUT_MS: u64 = 3_000;

/// A function that behaves as `fetch(url, init)` does.
#[derive(Clone)]
pub struct PageFetch(Function);

impl PageFetch {
    /// Sends through this function.
    pub fn new(function: Function) -> PageFetch {
        PageFetch(function)
    }

    async fn send(&self, request: &Request, connection: &Connection) -> Result<web_sys::Response, JsValue> {
        let init = Object::new();
        let headers = Object::new();
        for (name, value) in &request.headers {
            Reflect::set(&headers, &(*name).into(), &value.as_str().into())?;
        }
        Reflect::set(&init, &"method".into(), &request.method.into())?;
        Reflect::set(&init, &"headers".into(), &headers)?;
        if let Some(body) = &request.body {
            Reflect::set(&init, &"body".into(), &body.as_str().into())?;
        }
        self.call(&request.url, &init, connection).await
    }

    async fn call(&self, url: &str, init: &Object, connection: &Connection) -> Result<web_sys::Response, JsValue> {
        Reflect::set(init, &"signal".into(), &connection.0.signal())?;
        let promise: Promise = self
            .0
            .call2(&JsValue::UNDEFINED, &url.into(), init)?
            .dyn_into()
            .or_else(|other| Ok::<_, JsValue>(Promise::resolve(&other)))?;
        // A stand-in may answer with an object that only looks like a Response.
        Ok(JsFuture::from(promise).await?.unchecked_into())
    }

    /// Finds out why no answer came: browsers tell pages no more than "TypeError". A server that answers a request
    /// without CORS, whose answer the page may not see, is there.
    async fn why(&self, url: &str) -> Error {
        let origin = origin_of(url);
        if is_offline() {
            return Error::Offline;
        }
        let connection = Connection::open();
        let probe = async {
            let connection = connection.as_ref().map_err(|_| Error::Aborted)?;
            let init = Object::new();
            Reflect::set(&init, &"mode".into(), &"no-cors".into()).map_err(|_| Error::Aborted)?;
            self.call(url, &init, connection).await.map_err(|_| Error::Aborted)
        };
        match within(&PageClock, PROBE_TIMEOUT_MS, "", probe).await {
            Ok(_) => Error::Blocked { origin },
            Err(_) => Error::Unreachable { origin },
        }
    }
}

impl Fetch for PageFetch {
    fn fetch(&self, request: Request) -> LocalFuture<'_, Result<Response, Error>> {
        Box::pin(async move {
            let connection = Connection::open().map_err(|thrown| Error::Internal { reason: reason(&thrown) })?;
            let response = match self.send(&request, &connection).await {
                Ok(response) => http::Response::from(response),
                Err(_) => return Err(self.why(&request.url).await),
            };
            let content_type = response.headers().get("content-type").unwrap_or_default();
            let reader = response.body().map(|stream| stream.get_reader().unchecked_into());
            let body = Box::new(PageBody { reader, origin: origin_of(&request.url), _connection: connection });
            Ok(Response { status: response.status(), content_type, body })
        })
    }
}

/// A request under way; dropping it ends it.
struct Connection(AbortController);

impl Connection {
    fn open() -> Result<Connection, JsValue> {
        AbortController::new().map(Connection)
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.0.abort();
    }
}

struct PageBody {
    /// None for an answer without a body.
    reader: Option<ReadableStreamDefaultReader>,
    origin: String,
    _connection: Connection,
}

impl Body for PageBody {
    fn chunk(&mut self) -> LocalFuture<'_, Result<Option<Vec<u8>>, Error>> {
        Box::pin(async {
            let Some(reader) = &self.reader else { return Ok(None) };
            let broken = |_: JsValue| Error::Unreachable { origin: self.origin.clone() };
            let read = JsFuture::from(reader.read()).await.map_err(broken)?;
            let done = Reflect::get(&read, &"done".into()).map_err(broken)?.is_truthy();
            let value = Reflect::get(&read, &"value".into()).map_err(broken)?;
            Ok((!done).then(|| Uint8Array::new(&value).to_vec()))
        })
    }
}

/// Whether the browser says that it is offline; Node and workers without `navigator` never do.
fn is_offline() -> bool {
    let navigator = Reflect::get(&js_sys::global(), &"navigator".into()).unwrap_or_default();
    Reflect::get(&navigator, &"onLine".into()).is_ok_and(|online| online.as_bool() == Some(false))
}
