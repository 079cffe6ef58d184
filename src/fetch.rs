//! The page's network: its own `fetch`, or what the app gives in its place.
//!
//! What an app gives may do anything, so nothing of it is trusted: every property is asked for by name, and whatever
//! throws becomes an error. An exception that went through the core would leave its promises pending for ever.

use super::redirect::{Redirect, is_own_origin, redirect_by, redirect_of};
use super::value::reason;
use crate::clock::PageClock;
use copydesk_base::Error;
use copydesk_base::error::is_local;
use copydesk_base::host::{Body, Fetch, LocalFuture, Request, Response, origin_of, within};
use copydesk_base::number::parse;
use copydesk_base::secrets::url_without_keys;
use js_sys::{Array, Function, Object, Promise, Reflect, Uint8Array};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::AbortController;

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
        let mut init = vec![("method", request.method.into()), ("headers", headers.into()), ("body", body)];
        if request.is_confidential() {
            // Who follows would send headers and body along, to whatever origin the server names.
            init.push(("redirect", "manual".into()));
        }
        self.call(&request.url, &init, connection).await
    }

    /// The URL to send the request to again, where the answer redirects it within its origin.
    ///
    /// # Errors
    /// [`Error::Redirected`] where it leads to another origin, or nobody can tell where.
    async fn redirected(&self, request: &Request, response: &JsValue) -> Result<Option<String>, Error> {
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

    /// The answer to a request for a URL without keys, headers and body, wherever it leads; none where it cannot be read.
    async fn followed(&self, url: &str) -> Option<JsValue> {
        let connection = Connection::open().ok()?;
        let init = [("credentials", "omit".into()), ("redirect", "follow".into())];
        let url = url_without_keys(url);
        let asked = async { self.call(&url, &init, &connection).await.map_err(|thrown| failed(&thrown)) };
        within(&PageClock, PROBE_TIMEOUT_MS, "", asked).await.ok()
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
    /// key and body, and then without wanting to read the answer: a server that is asked so, and answers, is there but does
    /// not allow this page (CORS), or redirects what the browser asks before it sends the request.
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
        let unreachable = Error::Unreachable { origin: origin.clone() };
        let (true, Ok(connection)) = (!is_own_origin(&origin), Connection::open()) else { return unreachable };
        if request.is_confidential()
            && let Some(answer) = self.followed(&request.url).await
            && let Ok(Redirect::Away(target)) = redirect_by(request, &answer)
        {
            return Error::Redirected { origin, target: Some(target) };
        }
        let url = url_without_keys(&request.url);
        let probe = async {
            let init = [("mode", "no-cors".into()), ("credentials", "omit".into())];
            let asked = self.call(&url, &init, &connection).await;
            asked.map_err(|_| Error::Unreachable { origin: origin.clone() })
        };
        match within(&PageClock, PROBE_TIMEOUT_MS, "", probe).await {
            Ok(_) => Error::Blocked { origin },
            Err(_) => unreachable,
        }
    }
}

impl Fetch for PageFetch {
    fn fetch(&self, mut request: Request) -> LocalFuture<'_, Result<Response, Error>> {
        Box::pin(async move {
            for _ in 0..=MOST_REDIRECTS {
                let connection = Connection::open().map_err(|thrown| failed(&thrown))?;
                let response = match self.send(&request, &connection).await {
                    Ok(response) => response,
                    Err(thrown) => return Err(self.why(&request, &thrown).await),
                };
                match self.redirected(&request, &response).await? {
                    None => {
                        return self.read_head(&response, &request.url, connection).map_err(|thrown| failed(&thrown));
                    }
                    Some(url) => request.url = url,
                }
            }
            let reason = format!("{} redirects more than {MOST_REDIRECTS} times", origin_of(&request.url));
            Err(Error::FetchFailed { reason })
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

pub(super) fn get(object: &JsValue, name: &str) -> Result<JsValue, JsValue> {
    Reflect::get(object, &name.into())
}

pub(super) fn call(object: &JsValue, name: &str, arguments: &[JsValue]) -> Result<JsValue, JsValue> {
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
