//! Statuses other than 2xx.

use copydesk_base::ErrorInfo;
use copydesk_base::secrets::Secrets;
use copydesk_llm::Error;
use copydesk_llm::http_error::{retry_delay, status_error};

pub fn error(status: u16, body: &str) -> Error {
    status_error(
        status,
        "https://a.b/v1/chat/completions",
        "application/json",
        body,
        "tea-1",
        &Secrets::of("sk-secret"),
    )
}

#[test]
fn each_status_has_its_error() {
    for (status, code) in [
        (400, "bad_request"),
        (401, "unauthorized"),
        (402, "quota_exceeded"),
        (403, "unauthorized"),
        (404, "not_found"),
        (405, "not_found"),
        (408, "server_error"),
        (409, "server_error"),
        (413, "context_overflow"),
        (422, "bad_request"),
        (429, "rate_limited"),
        (500, "server_error"),
        (502, "server_error"),
        (503, "overloaded"),
        (529, "overloaded"),
        (302, "bad_request"),
        (0, "bad_request"),
    ] {
        assert_eq!(error(status, "").code(), code, "{status}");
    }
}

#[test]
fn the_message_of_a_provider_is_found_in_its_format() {
    for body in [
        r#"{"error":{"message":"No.","type":"x","code":null}}"#,
        r#"{"error":"No."}"#,
        r#"{"message":"No."}"#,
        r#"{"object":"error","message":"No.","code":400}"#,
        r#"{"detail":"No."}"#,
        r#"{"detail":[{"loc":["body"],"msg":"No.","type":"x"}]}"#,
        r#"{"errors":[{"message":"No."}]}"#,
        r#"[{"error":{"code":400,"message":"No.","status":"X"}}]"#,
        r#"{"error":{"message":" ","detail":"No."}}"#,
        "<html><head><title>\n No. </title></head><body>long</body></html>",
        " No. \n",
    ] {
        assert_eq!(error(400, body), Error::BadRequest { status: 400, message: "No.".into() }, "{body}");
    }
}

#[test]
fn an_error_forwarded_by_a_gateway_has_the_message_of_its_source() {
    let body = r#"{"error":{"message":"Provider returned error","code":400,"metadata":{"raw":"{\"error\":{\"message\":\"No.\"}}","provider_name":"X"}}}"#;
    assert_eq!(error(400, body), Error::BadRequest { status: 400, message: "Provider returned error: No.".into() });
}

#[test]
fn an_empty_body_has_no_message() {
    for body in ["", "{}", "[]", "null", "17", r#"{"error":null}"#, "<html></html>", "<title>"] {
        assert_eq!(error(500, body), Error::ServerError { status: 500, message: String::new() }, "{body}");
    }
}

#[test]
fn a_key_is_redacted_before_the_message_is_truncated() {
    let filler = "x".repeat(195);
    for body in [
        r#"{"error":{"message":"Incorrect key: sk-secret"}}"#.to_owned(),
        format!("{filler}sk-secret"),
        format!(r#"{{"message":"{filler}sk-se\u0063ret"}}"#),
        format!("<title>{filler}sk-secret</title>"),
    ] {
        let error = error(401, &body);
        assert!(!format!("{error:?}{error}").contains("sk-"), "{error:?}");
    }
}

#[test]
fn a_url_is_shown_without_parts_that_may_be_secret() {
    let error = status_error(404, "https://me:pass@a.b/sk-secret/v1?key=x#y", "", "", "", &Secrets::of(" sk-secret "));
    assert_eq!(error, Error::NotFound { url: "https://a.b/…/v1".into(), message: String::new() });
}

#[test]
fn a_long_message_is_truncated_at_a_character() {
    let Error::BadRequest { message, .. } = error(400, &"茶".repeat(5000)) else { panic!() };
    assert_eq!(message.chars().count(), 201);
}

#[test]
fn a_deeply_nested_body_causes_no_panic() {
    error(400, &"[".repeat(1_000_000));
    error(400, &format!("{}{}", "{\"error\":".repeat(100), "1".to_owned() + &"}".repeat(100)));
}

#[test]
fn a_missing_model_is_named() {
    let body = r#"{"error":{"message":"model not found","type":"api_error"}}"#;
    assert_eq!(error(404, body), Error::ModelNotFound { model: "tea-1".into(), message: "model not found".into() });
    assert_eq!(error(404, body).details(), serde_json::json!({ "model": "tea-1" }));
}

#[test]
fn the_body_may_state_the_retry_delay() {
    for (body, delay) in [
        (r#"{"error":{"details":[{"@type":"RetryInfo","retryDelay":"34s"}]}}"#, Some(34_000)),
        (r#"{"error":{"details":[{"retryDelay": "0.5s"}]}}"#, Some(500)),
        (r#"{"error":{"details":[{"retryDelay": "-5s"}]}}"#, None),
        (r#"{"error":{"details":[{"retryDelay": "1e300s"}]}}"#, None),
        (r#"{"error":{"details":[{"retryDelay": 5}]}}"#, None),
        (r#"{"retryDelay""#, None),
        ("", None),
    ] {
        assert_eq!(retry_delay(body), delay, "{body}");
    }
}

#[test]
fn a_cors_error_names_the_setting() {
    for (origin, help) in [
        ("http://localhost:11434", "OLLAMA_ORIGINS"),
        ("http://192.168.0.7:11434", "OLLAMA_ORIGINS"),
        ("http://127.0.0.1:1234", "--cors"),
        ("http://localhost:8000", "--allowed-origins"),
        ("http://localhost:8080", "--cors-origins"),
        ("https://api.openai.com", "streamOptions.headers"),
        ("https://api.anthropic.com", "streamOptions.headers"),
        ("https://a.example", "proxy"),
    ] {
        let error = copydesk_base::Error::Blocked { origin: origin.into() };
        assert!(error.to_string().contains(help), "{error}");
        let chinese = error.message(copydesk_base::Locale::ZhCn);
        assert!(help == "proxy" || chinese.contains(help), "{chinese}");
    }
}
