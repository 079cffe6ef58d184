use super::harness::{Answer, BodyEnd, Harness, calls, chunks, page, says, stream};
use copydesk_agent::Outcome;
use copydesk_base::Error;
use copydesk_base::secrets::Secrets;
use copydesk_llm::LlmConfig;
use serde_json::json;

const TEA: &str = "<h1>Tea</h1><h2>History</h2><p>Old.</p>";

/// Returns an agent without retries.
fn at_once(answers: Vec<Answer>) -> Harness {
    Harness::with(TEA, answers, json!({ "maxRetries": 0 }), |_, _| {})
}

/// Returns the code of the `error` event for this response, and checks the invariants after it.
fn code_of(answer: Answer) -> String {
    let harness = at_once(vec![answer, says("Better.")]);
    let result = harness.prompt("x");
    assert_eq!(result.status, Outcome::Error);
    let event = harness.event("error");
    assert_eq!(event["code"], result.error.unwrap()["code"]);
    let sentence = event["error"].as_str().unwrap();
    assert!(sentence.len() > 20 && sentence.ends_with('.'), "{sentence}");
    assert!(!harness.events().iter().any(|event| event.to_string().contains("sk-secret")), "the key is shown");
    assert_eq!(harness.html(), TEA);
    assert_eq!(harness.open_connections(), 0);
    assert!(!harness.agent.is_running());
    assert_eq!(harness.prompt("again").status, Outcome::Complete, "the agent works again");
    event["code"].as_str().unwrap().to_owned()
}

#[test]
fn a_wrong_key_a_wrong_endpoint_and_a_failing_provider_each_give_their_own_error() {
    let json = "application/json";
    assert_eq!(
        code_of(page(401, json, r#"{"error":{"message":"Incorrect API key provided: sk-secret"}}"#)),
        "unauthorized"
    );
    assert_eq!(code_of(page(404, "text/html", "<h1>Not found</h1>")), "not_found");
    assert_eq!(code_of(page(429, json, r#"{"error":{"message":"Rate limit"}}"#)), "rate_limited");
    assert_eq!(code_of(page(500, "text/plain", "oops")), "server_error");
    assert_eq!(code_of(page(400, json, r#"{"error":{"message":"no such parameter"}}"#)), "bad_request");
}

#[test]
fn a_web_page_instead_of_a_stream_is_an_error_and_not_an_empty_answer() {
    assert_eq!(code_of(page(200, "text/html", "<!doctype html><h1>Welcome</h1>")), "not_a_stream");
}

#[test]
fn a_missing_response_has_a_reason() {
    assert_eq!(code_of(Answer::Fails(Error::Offline)), "offline");
    let origin = || "https://llm.example".to_owned();
    assert_eq!(code_of(Answer::Fails(Error::Blocked { origin: origin() })), "blocked_by_cors");
    assert_eq!(code_of(Answer::Fails(Error::Unreachable { origin: origin(), reason: String::new() })), "unreachable");
}

#[test]
fn a_stream_cut_in_the_middle_runs_none_of_its_calls() {
    let whole = chunks(
        &[json!({ "tool_calls": [{ "index": 0, "id": "c1", "function": {
        "name": "update_section", "arguments": "{\"operation\":\"delete\",\"sectionIndex\":1}" } }] })],
        "tool_calls",
    );
    let pieces = || vec![whole.split_inclusive("\n\n").next().unwrap().as_bytes().to_vec()];
    let cut = |end| Answer::Stream { status: 200, content_type: "text/event-stream", pieces: pieces(), end };
    assert_eq!(code_of(cut(BodyEnd::Closes)), "stream_cut");
    assert_eq!(
        code_of(cut(BodyEnd::Breaks(Error::Unreachable {
            origin: "https://llm.example".into(),
            reason: String::new()
        }))),
        "stream_cut"
    );
}

#[test]
fn a_silent_server_times_out() {
    assert_eq!(code_of(Answer::Hangs), "timeout");
    let quiet = Answer::Stream { status: 200, content_type: "text/event-stream", pieces: vec![], end: BodyEnd::Hangs };
    assert_eq!(code_of(quiet), "timeout");
    let harness = at_once(vec![Answer::Hangs]);
    harness.prompt("x");
    assert_eq!(harness.now(), 60_000.0);
}

#[test]
fn edits_before_a_failure_are_kept() {
    let replace = json!({ "operation": "replace", "sectionIndex": 1, "content": "<p>New.</p>" });
    let harness = at_once(vec![calls(&[("c1", "update_section", replace)]), page(500, "text/plain", "")]);
    harness.read();
    assert_eq!(harness.prompt("x").status, Outcome::Error);
    assert_eq!(harness.html(), TEA.replace("Old.", "New."));
}

#[test]
fn a_failed_answer_is_not_in_the_history() {
    let half = stream("data: {\"choices\":[{\"delta\":{\"content\":\"Half an ans\"}}]}\n\n");
    let harness = at_once(vec![half, says("Whole.")]);
    harness.prompt("x");
    harness.prompt("again");
    let history = serde_json::to_string(&harness.requests()[1]).unwrap();
    assert!(!history.contains("Half an ans"), "{history}");
}

#[test]
fn a_run_has_a_time_limit() {
    let slow = || {
        let mut answers: Vec<Answer> = Vec::new();
        // Each search waits for its 30 s; together they are more than the 5 minutes of a run.
        for turn in 0..12 {
            answers.push(calls(&[(&format!("c{turn}"), "search_web", json!({ "query": format!("tea {turn}") }))]));
            answers.push(Answer::Hangs);
        }
        answers
    };
    let harness = Harness::new(TEA, slow());
    let result = harness.prompt("x");
    assert_eq!(result.error.unwrap()["code"], "timeout");
    assert_eq!(harness.now(), 300_000.0);
    assert_eq!(harness.event("error")["details"]["ms"], 300_000);
}

#[test]
fn an_invalid_setting_is_named_before_anything_is_sent() {
    let config = |model: &str, base: &str, key: &str| {
        json!({ "llmConfig": {
            "model": { "api": "openai-completions", "modelId": model },
            "streamOptions": { "baseUrl": base, "apiKey": key },
        } })
    };
    for (more, name) in [
        (config("", "https://llm.example", "k"), "model.modelId"),
        (config("m", "", "k"), "streamOptions.baseUrl"),
        (config("m", "ftp://llm.example", "k"), "streamOptions.baseUrl"),
        (config("m", "https://llm.example", "schlüssel"), "streamOptions.apiKey"),
    ] {
        let harness = Harness::with(TEA, vec![], more, |_, _| {});
        let error = harness.prompt("x").error.unwrap();
        assert_eq!(error["code"], "config");
        assert!(error["message"].as_str().unwrap().contains(name), "{error}");
    }
}

#[test]
fn a_secret_in_a_custom_header_is_redacted() {
    let more = json!({ "maxRetries": 0, "llmConfig": {
        "model": { "api": "openai-completions", "modelId": "m" },
        "streamOptions": { "baseUrl": "https://llm.example", "headers": { "api-key": "azure-secret-7", "x-on": "true" } },
    } });
    let echo = r#"{"error":{"message":"true: azure-secret-7 is not a key"}}"#;
    let harness = Harness::with(TEA, vec![page(401, "application/json", echo)], more, |_, _| {});
    let error = harness.prompt("x").error.unwrap();
    assert!(error["message"].as_str().unwrap().contains("true: … is not a key"), "{error}");
    assert!(!harness.events().iter().any(|event| event.to_string().contains("azure-secret-7")));
}

#[test]
fn a_key_in_the_url_is_in_no_error_and_short_values_are_not_keys() {
    let config = |base: &str, key: &str| {
        let mut config = json!({ "model": { "api": "openai-completions", "modelId": "llama" } });
        config["streamOptions"] = json!({ "baseUrl": base, "apiKey": key });
        let secrets = Secrets::default();
        serde_json::from_value::<LlmConfig>(config).unwrap().stream_options.add_secrets(&secrets);
        secrets
    };
    let secrets = config("https://proxy.example/v1?token=tk-0123456789&api-version=2024-10-21", "sk-secret-77");
    let said = "no model llama for tk-0123456789 and sk-secret-77 in 2024-10-21";
    assert_eq!(secrets.redact(said), "no model llama for … and … in 2024-10-21");
    let short = config("http://localhost:11434/v1", "ollama");
    assert_eq!(short.redact("ollama has no llama"), "ollama has no llama");
    let encoded = config("https://proxy.example/v1?key=ab%2Bcd%2Fef9", "sk-1234");
    assert_eq!(encoded.redact("sk-1234 or ab+cd/ef9"), "… or …");
}
