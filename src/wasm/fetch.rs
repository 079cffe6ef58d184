//! The page's network: its own `fetch`, or what the app gives in its place.
//!
//! What an app gives may do anything, so nothing of it is trusted: every property is asked for by name, and whatever
//! throws becomes an error. An exception that went through the core would leave its promises pending for ever.

use super::value::reason;
use crate::error::{Error, is_local};
use crate::host::{Body, Fetch, LocalFuture, Request, Response, origin_of, within};
use crate::number::parse;
use crate::wasm::clock::PageClock;
use js_sys::{Array, Function, Object, Promise, Reflect, Uint8Array};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::AbortController;

/// How long to wait when finding out why a request failed, in milliseconds.
const PROBE_TIMEOUT_MS: u64 = 3_000;

/// Sends requests by a function that behaves as `fetch(url, init)` does.
#[derive(Clone)]
pub struct PageFetch {
    /// The app's function; none for the page's own.
    given: Option<Function>,
    /// What makes readers of bodies; none for the bodies' own.
    skin: Option<JsValue>,
}

impl PageFetch {
    /// Sends by the app's function, or by the page's own.
    pub fn new(given: Option<Function>) -> PageFetch {
        PageFetch { given, skin: None }
    }

    /// Reads bodies by what `skin.reader(body)` gives, which reads as a reader of the body does.
    pub fn read_by(self, skin: JsValue) -> PageFetch {
        PageFetch { skin: Some(skin), ..self }
    }

    fn reader(&self, body: JsValue) -> Result<Option<JsValue>, JsValue> {
        Ok(match &self.skin {
            _ if body.is_null() || body.is_undefined() => None,
            Some(skin) => Some(call(skin, "reader", &[body])?),
            None => Some(call(&body, "getReader", &[])?),
        })
    }

    fn read_head(&self, response: &JsValue, url: &str, connection: Connection) -> Result<Response, JsValue> {
        let status = get(response, "status")?.as_f64().ok_or_else(|| JsError::new("fetch gave no Response"))?;
        let headers = get(response, "headers")?;
        let header = |name: &str| call(&headers, "get", &[name.into()]).map(|value| value.as_string());
        let content_type = header("content-type")?;
        let ms = header("retry-after-ms")?.and_then(|ms| parse(ms.trim()).filter(|ms| *ms >= 0.0));
        let retry_after = match ms {
            Some(ms) => Some(ms as u64),
            None => header("retry-after")?.and_then(|value| wait_until(&value)),
        };
        let reader = self.reader(get(response, "body")?)?;
        let body = Box::new(PageBody { reader, origin: origin_of(url), _connection: connection });
        Ok(Response { status: status as u16, content_type: content_type.unwrap_or_default(), retry_after, body })
    }

    async fn send(&self, request: &Request, connection: &Connection) -> Result<JsValue, JsValue> {
        let headers = Object::new();
        for (name, value) in &request.headers {
            Reflect::set(&headers, &name.as_str().into(), &value.as_str().into())?;
        }
        let body = request.body.as_deref().map_or(JsValue::UNDEFINED, JsValue::from);
        self.call(
            &request.url,
            &[("method", request.method.into()), ("headers", headers.into()), ("body", body)],
            connection,
        )
        .await
    }

    async fn call(&self, url: &str, init: &[(&str, JsValue)], connection: &Connection) -> Result<JsValue, JsValue> {
        let options = Object::new();
        for (name, value) in init {
            Reflect::set(&options, &(*name).into(), value)?;
        }
        Reflect::set(&options, &"signal".into(), &connection.0.signal())?;
        let answer = match &self.given {
            Some(given) => given.call2(&JsValue::UNDEFINED, &url.into(), &options)?,
            None => call(&js_sys::global(), "fetch", &[url.into(), options.into()])?,
        };
        let promise: Promise = Promise::resolve(&answer);
        JsFuture::from(promise).await
    }

    /// Why no answer came. Browsers tell pages no more than "TypeError", so the same address is asked once more without
    /// wanting to read the answer: a server that is asked so, and answers, is there but does not allow this page (CORS).
    async fn why(&self, url: &str, thrown: &JsValue) -> Error {
        let origin = origin_of(url);
        // Without a network a server on this very machine is as near as ever.
        let offline = is_offline() && !is_local(&origin);
        // What an app's function says is no riddle, unless it is what browsers say.
        if self.given.is_some() && !(offline && thrown.is_instance_of::<js_sys::TypeError>()) {
            return Error::FetchFailed { reason: reason(thrown) };
        }
        if offline {
            return Error::Offline;
        }
        let unreachable = Error::Unreachable { origin: origin.clone() };
        let (true, Ok(connection)) = (!is_own_origin(&origin), Connection::open()) else { return unreachable };
        let probe = async {
            let asked = self.call(url, &[("mode", "no-cors".into())], &connection).await;
            asked.map_err(|_| Error::Unreachable { origin: origin.clone() })
        };
        match within(&PageClock, PROBE_TIMEOUT_MS, "", probe).await {
            Ok(_) => Error::Blocked { origin },
            Err(_) => unreachable,
        }
    }
}

impl Fetch for PageFetch {
    fn fetch(&self, request: Request) -> LocalFuture<'_, Result<Response, Error>> {
        Box::pin(async move {
            let connection = Connection::open().map_err(|thrown| failed(&thrown))?;
            match self.send(&request, &connection).await {
                Ok(response) => self.read_head(&response, &request.url, connection).map_err(|thrown| failed(&thrown)),
                Err(thrown) => Err(self.why(&request.url, &thrown).await),
            }
        })
    }
}

/// The milliseconds that a `retry-after` asks for: it is a number of seconds or a date.
fn wait_until(value: &str) -> Option<u64> {
    let seconds = js_sys::Number::from(JsValue::from(value)).value_of();
    let ms = if seconds.is_nan() { js_sys::Date::parse(value) - js_sys::Date::now() } else { seconds * 1000.0 };
    ms.is_finite().then_some(ms.max(0.0) as u64)
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
    reader: Option<JsValue>,
    origin: String,
    _connection: Connection,
}

// What an app gives in the place of `fetch` may not heed its signal, and the stream would stay locked.
impl Drop for PageBody {
    fn drop(&mut self) {
        if let Some(reader) = &self.reader {
            let _ = call(reader, "cancel", &[]);
        }
    }
}

impl Body for PageBody {
    fn chunk(&mut self) -> LocalFuture<'_, Result<Option<Vec<u8>>, Error>> {
        Box::pin(async {
            let Some(reader) = &self.reader else { return Ok(None) };
            let broken = |_: JsValue| Error::Unreachable { origin: self.origin.clone() };
            let reading = call(reader, "read", &[]).map_err(|thrown| failed(&thrown))?;
            let read = JsFuture::from(Promise::resolve(&reading)).await.map_err(broken)?;
            if get(&read, "done").map_err(broken)?.is_truthy() {
                return Ok(None);
            }
            let value = get(&read, "value").map_err(broken)?;
            match (value.as_string(), value.dyn_into::<Uint8Array>()) {
                (Some(text), _) => Ok(Some(text.into_bytes())),
                (None, Ok(bytes)) => Ok(Some(bytes.to_vec())),
                (None, Err(_)) => Err(Error::FetchFailed { reason: "the body is not made of bytes".into() }),
            }
        })
    }
}

fn get(object: &JsValue, name: &str) -> Result<JsValue, JsValue> {
    Reflect::get(object, &name.into())
}

fn call(object: &JsValue, name: &str, arguments: &[JsValue]) -> Result<JsValue, JsValue> {
    let function: Function = get(object, name)?.dyn_into()?;
    function.apply(object, &arguments.iter().collect::<Array>())
}

fn failed(thrown: &JsValue) -> Error {
    Error::FetchFailed { reason: reason(thrown) }
}

/// Whether the browser says that it is offline; Node and workers without `navigator` never do.
fn is_offline() -> bool {
    let navigator = get(&js_sys::global(), "navigator").unwrap_or_default();
    get(&navigator, "onLine").is_ok_and(|online| online.as_bool() == Some(false))
}

fn is_own_origin(origin: &str) -> bool {
    get(&js_sys::global(), "location").and_then(|place| get(&place, "origin")).is_ok_and(|own| own == origin)
}
