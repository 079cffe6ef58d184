//! Responses: checked by shape, read by gloo-net.
//!
//! A `fetch` may return any object with the properties of a `Response`, such as one of another realm (an iframe,
//! jsdom) or of the app's own class. An exception inside the core would leave its promises pending, so each property
//! is read once, with exceptions caught, and gloo-net reads the copies.

use super::fetch::Connection;
use super::promise::settled;
use super::value::reason;
use copydesk_base::Error;
use copydesk_base::decimal;
use copydesk_base::host::{Body, LocalFuture, Response, origin_of};
use js_sys::{ArrayBuffer, Object, Uint8Array};
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    /// The result of a `fetch`. A getter may throw or return anything.
    type Candidate;
    #[wasm_bindgen(method, getter, catch)]
    fn status(this: &Candidate) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, getter, catch)]
    fn headers(this: &Candidate) -> Result<CandidateHeaders, JsValue>;
    #[wasm_bindgen(method, getter, catch)]
    fn body(this: &Candidate) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, getter, catch, js_name = type)]
    fn type_(this: &Candidate) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, getter, catch)]
    fn url(this: &Candidate) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, getter, catch)]
    fn redirected(this: &Candidate) -> Result<JsValue, JsValue>;

    /// Its headers.
    type CandidateHeaders;
    #[wasm_bindgen(method, catch)]
    fn get(this: &CandidateHeaders, name: &str) -> Result<JsValue, JsValue>;

    /// A copy of its properties in a plain object, which neither throws nor changes.
    #[wasm_bindgen(extends = Object)]
    type Snapshot;
    #[wasm_bindgen(method, setter, js_name = status)]
    fn set_status(this: &Snapshot, status: u16);
    #[wasm_bindgen(method, setter, js_name = headers)]
    fn set_headers(this: &Snapshot, headers: &web_sys::Headers);
    #[wasm_bindgen(method, setter, js_name = body)]
    fn set_body(this: &Snapshot, body: &JsValue);
    #[wasm_bindgen(method, setter, js_name = type)]
    fn set_type(this: &Snapshot, name: &str);
    #[wasm_bindgen(method, setter, js_name = url)]
    fn set_url(this: &Snapshot, url: &str);
    #[wasm_bindgen(method, setter, js_name = redirected)]
    fn set_redirected(this: &Snapshot, redirected: bool);

    /// A body as a stream.
    type Stream;
    #[wasm_bindgen(method, catch, js_name = getReader)]
    fn get_reader(this: &Stream) -> Result<Reader, JsValue>;

    /// Creates readers of bodies: the callbacks object of the JS package.
    #[derive(Clone)]
    pub type ReaderFactory;
    #[wasm_bindgen(method, catch)]
    fn reader(this: &ReaderFactory, body: &JsValue) -> Result<Reader, JsValue>;

    /// The reader of a body.
    type Reader;
    #[wasm_bindgen(method, catch)]
    fn read(this: &Reader) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, catch)]
    fn cancel(this: &Reader) -> Result<JsValue, JsValue>;

    /// The result of a reader.
    type Chunk;
    #[wasm_bindgen(method, getter, catch)]
    fn done(this: &Chunk) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, getter, catch)]
    fn value(this: &Chunk) -> Result<JsValue, JsValue>;

    /// A typed array or data view, of any realm.
    type View;
    #[wasm_bindgen(method, getter, catch, js_name = BYTES_PER_ELEMENT)]
    fn bytes_per_element(this: &View) -> Result<JsValue, JsValue>;

    /// Copies the elements of a typed array; fails if its buffer is detached.
    #[wasm_bindgen(js_name = Uint8Array)]
    type Bytes;
    #[wasm_bindgen(constructor, catch, js_class = "Uint8Array")]
    fn copy_of(view: &JsValue) -> Result<Bytes, JsValue>;
}

/// The headers that are read.
const HEADERS: [&str; 4] = ["content-type", "retry-after", "retry-after-ms", "location"];

/// Checks that a value has the shape of a `Response`.
///
/// # Errors
/// [`Error::FetchFailed`] if it has not, or throws.
pub fn checked(value: JsValue) -> Result<gloo_net::http::Response, Error> {
    let read = || -> Result<web_sys::Response, JsValue> {
        let given: Candidate = value.unchecked_into();
        let status = given.status()?.as_f64().ok_or_else(|| JsError::new("fetch gave no Response"))?;
        let (given_headers, headers) = (given.headers()?, web_sys::Headers::new()?);
        for name in HEADERS {
            if let Some(value) = given_headers.get(name)?.as_string() {
                headers.append(name, &value)?;
            }
        }
        let snapshot: Snapshot = Object::new().unchecked_into();
        snapshot.set_status(status as u16);
        snapshot.set_headers(&headers);
        snapshot.set_body(&given.body()?);
        snapshot.set_type(&given.type_()?.as_string().unwrap_or_default());
        snapshot.set_url(&given.url()?.as_string().unwrap_or_default());
        snapshot.set_redirected(given.redirected()?.is_truthy());
        Ok(snapshot.unchecked_into())
    };
    read().map(Into::into).map_err(|thrown| failed(&thrown))
}

/// Reads status and headers, and starts to read the body: with `readers`, or with the body's own reader.
///
/// # Errors
/// [`Error::FetchFailed`] if the body has no reader.
pub fn opened(
    response: &gloo_net::http::Response,
    readers: Option<&ReaderFactory>,
    url: &str,
    connection: Connection,
) -> Result<Response, Error> {
    let headers = response.headers();
    let ms = headers.get("retry-after-ms").and_then(|ms| decimal::read(ms.trim()).filter(|ms| *ms >= 0.0));
    let retry_after = match ms {
        Some(ms) => Some(ms as u64),
        None => headers.get("retry-after").and_then(|value| wait_until(&value)),
    };
    let reader = response.body().map(|body| match readers {
        Some(readers) => readers.reader(&body),
        None => body.unchecked_into::<Stream>().get_reader(),
    });
    let reader = reader.transpose().map_err(|thrown| failed(&thrown))?;
    Ok(Response {
        status: response.status(),
        content_type: headers.get("content-type").unwrap_or_default(),
        retry_after,
        body: Box::new(PageBody { reader, origin: origin_of(url), _connection: connection }),
    })
}

/// Returns the delay in milliseconds of a `retry-after` header: a number of seconds or a date.
fn wait_until(value: &str) -> Option<u64> {
    let seconds = js_sys::Number::from(JsValue::from(value)).value_of();
    let ms = if seconds.is_nan() { js_sys::Date::parse(value) - js_sys::Date::now() } else { seconds * 1000.0 };
    ms.is_finite().then_some(ms.max(0.0) as u64)
}

struct PageBody {
    /// `None` for a response without a body.
    reader: Option<Reader>,
    origin: String,
    _connection: Connection,
}

// An app's function may ignore the signal, which would leave the stream locked.
impl Drop for PageBody {
    fn drop(&mut self) {
        if let Some(reader) = &self.reader {
            let _ = reader.cancel();
        }
    }
}

impl Body for PageBody {
    fn chunk(&mut self) -> LocalFuture<'_, Result<Option<Vec<u8>>, Error>> {
        Box::pin(async {
            let Some(reader) = &self.reader else { return Ok(None) };
            let broken = |_: JsValue| Error::Unreachable { origin: self.origin.clone(), reason: String::new() };
            let reading = reader.read().map_err(|thrown| failed(&thrown))?;
            let chunk: Chunk = settled(reading).await.map_err(broken)?.unchecked_into();
            if chunk.done().map_err(broken)?.is_truthy() {
                return Ok(None);
            }
            bytes_of(&chunk.value().map_err(broken)?).map(Some)
        })
    }
}

/// Returns the bytes of a chunk: text, or a byte array of any realm.
fn bytes_of(value: &JsValue) -> Result<Vec<u8>, Error> {
    if let Some(text) = value.as_string() {
        return Ok(text.into_bytes());
    }
    let is_bytes = |view: &View| view.bytes_per_element().is_ok_and(|size| size == 1);
    if !ArrayBuffer::is_view(value) || !is_bytes(value.unchecked_ref()) {
        return Err(Error::FetchFailed { reason: "the body is not made of bytes".into() });
    }
    let bytes: Uint8Array = Bytes::copy_of(value).map_err(|thrown| failed(&thrown))?.unchecked_into();
    Ok(bytes.to_vec())
}

/// Converts the exception of a `fetch` to an error.
pub fn failed(thrown: &JsValue) -> Error {
    Error::FetchFailed { reason: reason(thrown) }
}
