//! Tests that need a browser: its clock and network as implementations of the core's traits.

use copydesk::clock::PageClock;
use copydesk::fetch::PageFetch;
use copydesk::value::{decode, encode, json as json_of, settings, throw};
use copydesk_base::Error;
use copydesk_base::ErrorInfo;
use copydesk_base::host::{Clock, Fetch, Request, read_to_end, within};
use js_sys::{Function, Reflect};
use serde_json::{Value, json};
use wasm_bindgen::prelude::*;
use wasm_bindgen_test::*;

/// A replacement of `fetch(url, init)`.
fn stand_in(body: &str) -> PageFetch {
    PageFetch::new(Some(function(body)))
}

fn function(body: &str) -> Function {
    Function::new_with_args("url, init", body)
}

async fn text_of(fetch: &PageFetch, request: Request) -> (u16, String, String) {
    let response = fetch.fetch(request).await.unwrap();
    let body = read_to_end(response.body, 1_000_000).await.unwrap();
    (response.status, response.content_type, String::from_utf8(body).unwrap())
}

#[wasm_bindgen_test]
async fn the_clock_waits_and_never_goes_back() {
    let before = PageClock.now();
    PageClock.sleep(20).await;
    assert!(PageClock.now() > before);
}

#[wasm_bindgen_test]
async fn what_takes_too_long_is_a_timeout() {
    let never = std::future::pending::<Result<(), Error>>();
    let result = within(&PageClock, 10, "the test", never).await;
    assert_eq!(result, Err(Error::Timeout { what: "the test".into(), ms: 10 }));
}

#[wasm_bindgen_test]
async fn a_request_reaches_the_function_with_method_headers_and_body() {
    let echo = stand_in(
        "return new Response(JSON.stringify([url, init.method, init.headers, init.body]), \
         { status: 201, headers: { 'content-type': 'application/json' } })",
    );
    let request = Request::post_json("https://a.example/b".into(), &json!({ "c": "ü" }))
        .with_header("authorization", "Bearer k".into());
    let (status, content_type, body) = text_of(&echo, request).await;
    assert_eq!((status, content_type.as_str()), (201, "application/json"));
    let headers = json!({ "content-type": "application/json", "authorization": "Bearer k" });
    assert_eq!(
        serde_json::from_str::<Value>(&body).unwrap(),
        json!(["https://a.example/b", "POST", headers, "{\"c\":\"ü\"}"])
    );
}

#[wasm_bindgen_test]
async fn a_body_is_read_as_it_arrives() {
    let slow = stand_in(
        "return Promise.resolve(new Response(new ReadableStream({ async start(stream) { \
           for (const piece of ['a', 'b', 'c']) { \
             stream.enqueue(new TextEncoder().encode(piece)); await new Promise((go) => setTimeout(go, 20)); \
           } stream.close(); } })))",
    );
    let mut response = slow.fetch(Request::get("https://a.example".into())).await.unwrap();
    let mut chunks = Vec::new();
    while let Some(chunk) = response.body.chunk().await.unwrap() {
        chunks.push(chunk);
    }
    assert_eq!(chunks, [b"a", b"b", b"c"]);
}

#[wasm_bindgen_test]
async fn an_answer_without_a_body_is_empty() {
    let empty = stand_in("return new Response(null, { status: 204 })");
    assert_eq!(text_of(&empty, Request::get("https://a.example".into())).await, (204, String::new(), String::new()));
}

#[wasm_bindgen_test]
async fn dropping_a_request_aborts_it() {
    let hanging = stand_in("window.signal = init.signal; return new Promise(() => {})");
    let request = hanging.fetch(Request::get("https://a.example".into()));
    let dropped = within(&PageClock, 10, "the test", request).await.err().unwrap();
    assert_eq!(dropped.code(), "timeout");
    let signal = Reflect::get(&js_sys::global(), &"signal".into()).unwrap();
    assert_eq!(Reflect::get(&signal, &"aborted".into()).unwrap(), JsValue::TRUE);
}

/// Makes `navigator.onLine` true, whatever the state of the machine is.
fn online() {
    js_sys::eval("Object.defineProperty(navigator, 'onLine', { value: true, configurable: true })").unwrap();
}

#[wasm_bindgen_test]
async fn no_answer_is_told_apart_from_an_answer_that_may_not_be_read() {
    online();
    let origin = || "https://a.example".to_owned();
    let own = Reflect::get(&js_sys::global(), &"fetch".into()).unwrap();
    for (body, expected) in [
        (
            "return init.mode === 'no-cors' ? Promise.resolve(new Response()) : Promise.reject(new TypeError())",
            Error::Blocked { origin: origin() },
        ),
        (
            "return Promise.reject(new TypeError('Failed to fetch'))",
            Error::Unreachable { origin: origin(), reason: String::new() },
        ),
    ] {
        Reflect::set(&js_sys::global(), &"fetch".into(), &function(body)).unwrap();
        let answer = PageFetch::new(None).fetch(Request::get("https://a.example/b?key=1".into())).await;
        Reflect::set(&js_sys::global(), &"fetch".into(), &own).unwrap();
        assert_eq!(answer.err(), Some(expected));
    }
}

#[wasm_bindgen_test]
async fn whatever_an_apps_own_fetch_gives_is_an_answer_or_an_error() {
    online();
    let used = "const used = new Response('x'); return used.text().then(() => used)";
    for (body, said) in [
        ("return Promise.reject(new Error('my proxy: quota'))", "my proxy: quota"),
        ("throw new Error('not today')", "not today"),
        ("return {}", "fetch gave no Response"),
        ("return undefined", ""),
        ("return { status: 200 }", ""),
        ("return { status: 200, headers: new Headers(), body: 7 }", ""),
        (used, ""),
        ("return { get then() { throw new Error('no promise') } }", "no promise"),
        ("const p = Promise.resolve(); p.then = () => { throw new Error('own then') }; return p", "own then"),
        ("return { status: 200, get headers() { throw new Error('a getter') } }", "a getter"),
        ("return { status: 200, headers: { get() { throw new Error('a header') } }, body: null }", "a header"),
        (
            "return { status: 200, headers: new Headers(), body: null, get url() { throw new Error('no URL') } }",
            "no URL",
        ),
    ] {
        let error = stand_in(body).fetch(Request::get("https://a.example".into())).await.err();
        assert!(matches!(&error, Some(Error::FetchFailed { reason }) if reason.contains(said)), "{body}: {error:?}");
    }
}

#[wasm_bindgen_test]
async fn a_response_of_another_realm_is_read() {
    let foreign = stand_in(
        "const frame = document.body.appendChild(document.createElement('iframe')).contentWindow; \
         const bytes = frame.Uint8Array.of(102, 114, 97, 109, 101); \
         const body = new frame.ReadableStream({ start(s) { s.enqueue(bytes); s.close() } }); \
         return frame.Promise.resolve(new frame.Response(body, { headers: { 'content-type': 'text/x' } }))",
    );
    let read = text_of(&foreign, Request::get("https://a.example".into())).await;
    assert_eq!(read, (200, "text/x".into(), "frame".into()));
}

#[wasm_bindgen_test]
async fn what_has_the_shape_of_a_response_is_read() {
    let made = stand_in(
        "const chunks = [Uint8Array.of(111), 'wn']; \
         const read = async () => ({ done: !chunks.length, value: chunks.shift() }); \
         const get = (name) => (name === 'retry-after' ? '2' : null); \
         return { status: 503, headers: { get }, body: { getReader: () => ({ read, cancel() {} }) } }",
    );
    let response = made.fetch(Request::get("https://a.example".into())).await.unwrap();
    assert_eq!((response.status, response.retry_after), (503, Some(2000)));
    assert_eq!(read_to_end(response.body, 1_000).await.unwrap(), b"own");
}

#[wasm_bindgen_test]
async fn a_request_that_no_fetch_takes_is_refused_without_its_values() {
    let never = || stand_in("throw new Error('it was called')");
    let with_header = Request::get("https://a.example".into()).with_header("authorization", "Bearer ключ".into());
    for request in [with_header, Request::get("https://".into())] {
        let error = never().fetch(request).await.err();
        assert!(matches!(&error, Some(Error::FetchFailed { reason }) if !reason.contains("called")), "{error:?}");
        assert!(!format!("{error:?}").contains("ключ"));
    }
}

#[wasm_bindgen_test]
async fn an_apps_fetch_is_given_the_url_as_it_was_configured() {
    for (url, redirect) in [
        ("/proxy/v1?a=1", "undefined"),
        ("https://user:pass@a.example", "manual"),
        ("https://a.example/b/../c", "undefined"),
    ] {
        let echo = stand_in("return new Response(`${url} ${init.method} ${init.redirect} ${init.mode}`)");
        let (_, _, said) = text_of(&echo, Request::get(url.into())).await;
        assert_eq!(said, format!("{url} GET {redirect} undefined"));
    }
}

#[wasm_bindgen_test]
async fn a_body_of_strings_is_read_as_well_and_other_things_are_an_error() {
    let of = |value: &str| {
        stand_in(&format!(
            "return new Response(new ReadableStream({{ start(s) {{ s.enqueue({value}); s.close() }} }}))"
        ))
    };
    let read = async |fetch: PageFetch| {
        let mut response = fetch.fetch(Request::get("https://a.example".into())).await.unwrap();
        response.body.chunk().await
    };
    assert_eq!(read(of("'text'")).await.unwrap().unwrap(), b"text");
    for odd in ["{}", "new Uint16Array(3)", "new DataView(new ArrayBuffer(3))", "7"] {
        assert_eq!(read(of(odd)).await.unwrap_err().code(), "fetch_failed", "{odd}");
    }
    let gone =
        "(() => { const gone = new Uint8Array(3); structuredClone(gone, { transfer: [gone.buffer] }); return gone })()";
    assert_eq!(read(of(gone)).await.unwrap_err().code(), "fetch_failed");
}

#[wasm_bindgen_test]
fn values_go_out_and_come_back_as_plain_objects() {
    let value = json!({ "a": [1, 2.5, "ü😀", null, true], "b": { "c": {} } });
    let outside = encode(&value).unwrap();
    assert!(!outside.is_instance_of::<js_sys::Map>());
    assert_eq!(json_of("value", &outside).unwrap(), value);
    assert_eq!(settings("value", outside).unwrap(), value);
}

#[wasm_bindgen_test]
fn values_that_assignments_would_change_go_out_as_they_are() {
    let value =
        json!({ "a": [{ "__proto__": { "isAdmin": true }, "id": 12345678901234567890u64, "least": i64::MIN }] });
    let outside = encode(&value).unwrap();
    let inner = js_sys::Array::from(&Reflect::get(&outside, &"a".into()).unwrap()).get(0);
    assert!(Reflect::get(&inner, &"isAdmin".into()).unwrap().is_undefined());
    let names = js_sys::Object::keys(inner.unchecked_ref::<js_sys::Object>());
    assert!(names.includes(&"__proto__".into(), 0));
    assert_eq!(Reflect::get(&inner, &"id".into()).unwrap(), 12345678901234567890f64);
}

#[wasm_bindgen_test]
fn in_settings_undefined_is_absent_and_a_function_no_data() {
    let model = "{ api: 'openai-completions', modelId: 'm', cost: undefined }";
    let given = |more: &str| {
        let text = format!(
            "({{ llmConfig: {{ model: {model}, streamOptions: {{ baseUrl: 'http://a.example' }} }}, {more} }})"
        );
        let given = settings("options", js_sys::eval(&text).unwrap())?;
        decode::<copydesk_agent::AgentOptions>("options", &given)
    };
    let options = given("services: undefined, systemPrompt: undefined, maxTurns: undefined").ok().unwrap();
    assert_eq!((options.system_prompt, options.max_turns), (None, copydesk_agent::options::MAX_TURNS));
    for odd in ["{ a: [() => {}] }", "{ a: [Symbol.iterator] }", "{ a: [new Set()] }"] {
        let error = given(&format!("services: {odd}")).err();
        let name = "options".to_owned();
        assert_eq!(error, Some(Error::Config { name, expected: "plain data".into() }), "{odd}");
    }
}

#[wasm_bindgen_test]
fn an_error_is_thrown_with_its_code_and_details() {
    let thrown = throw(&copydesk_document::Error::TooDeep { limit: 7 }, copydesk_base::Locale::ZhCn);
    assert!(thrown.is_instance_of::<js_sys::Error>());
    assert_eq!(Reflect::get(&thrown, &"code".into()).unwrap(), "too_deep");
    let details = Reflect::get(&thrown, &"details".into()).unwrap();
    assert_eq!(Reflect::get(&details, &"limit".into()).unwrap(), 7);
    assert!(Reflect::get(&thrown, &"message".into()).unwrap().as_string().unwrap().contains("嵌套"));
}

#[wasm_bindgen_test]
fn a_setting_of_the_wrong_type_is_named_with_what_is_accepted() {
    let options = js_sys::JSON::parse(r#"{ "llmConfig": 7 }"#).unwrap();
    let given = settings("options", options).unwrap();
    let error = decode::<copydesk_agent::AgentOptions>("options", &given).err().unwrap();
    assert_eq!(error, Error::Config { name: "options.llmConfig".into(), expected: "an object".into() });
}
