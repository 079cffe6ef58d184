//! Statuses other than 2xx.

use copydesk::Error;
use copydesk::llm::http_error::status_error;

fn error(status: u16, body: &str) -> Error {
    status_error(status, "https://a.b/v1/chat/completions", "application/json", body, Some("sk-secret"))
}

#[test]
fn a_status_says_what_to_do() {
    for (status, code) in [
        (400, "bad_request"),
        (401, "unauthorized"),
        (402, "rate_limited"),
        (403, "unauthorized"),
        (404, "not_found"),
        (405, "not_found"),
        (408, "server_error"),
        (413, "bad_request"),
        (422, "bad_request"),
        (429, "rate_limited"),
        (500, "server_error"),
        (502, "server_error"),
        (529, "server_error"),
        (302, "bad_request"),
        (0, "bad_request"),
    ] {
        assert_eq!(error(status, "").code(), code, "{status}");
    }
}

#[test]
fn the_providers_own_words_are_found_in_the_shapes_they_use() {
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
fn an_error_that_a_gateway_passes_on_is_quoted_from_its_source() {
    let body = r#"{"error":{"message":"Provider returned error","code":400,"metadata":{"raw":"{\"error\":{\"message\":\"No.\"}}","provider_name":"X"}}}"#;
    assert_eq!(error(400, body), Error::BadRequest { status: 400, message: "Provider returned error: No.".into() });
}

#[test]
fn a_body_that_says_nothing_gives_no_words() {
    for body in ["", "{}", "[]", "null", "17", r#"{"error":null}"#, "<html></html>", "<title>"] {
        assert_eq!(error(500, body), Error::ServerError { status: 500, message: String::new() }, "{body}");
    }
}

#[test]
fn a_key_is_blotted_out_before_the_words_are_cut() {
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
fn an_address_is_shown_without_what_may_be_secret_in_it() {
    let error = status_error(404, "https://me:pass@a.b/sk-secret/v1?key=x#y", "", "", Some(" sk-secret "));
    assert_eq!(error, Error::NotFound { url: "https://a.b/…/v1".into(), message: String::new() });
}

#[test]
fn long_words_are_cut_at_a_character() {
    let Error::BadRequest { message, .. } = error(400, &"茶".repeat(5000)) else { panic!() };
    assert_eq!(message.chars().count(), 201);
}

#[test]
fn a_deep_body_is_no_danger() {
    error(400, &"[".repeat(1_000_000));
    error(400, &format!("{}{}", "{\"error\":".repeat(100), "1".to_owned() + &"}".repeat(100)));
}
