//! A model whose context window is smaller than stated: the document becomes an excerpt before the run fails.

use super::harness::{Answer, Harness, calls, page, says, stream};
use copydesk_agent::{Outcome, RunOptions, RunResult};
use copydesk_base::Locale;
use copydesk_document::Document;
use copydesk_edit::{DocUpdate, apply};
use copydesk_llm::Message;
use serde_json::{Value, json};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// Refusals of a request that is too long, in the words of providers: see `crates/llm/tests/llm/provider_errors.rs`.
const REFUSALS: &[(u16, &str)] = &[
    // OpenAI, OpenAI Responses, OpenAI by limits per minute
    (
        400,
        r#"{"error":{"message":"This model's maximum context length is 8192 tokens. However, your messages resulted in 8202 tokens. Please reduce the length of the messages.","type":"invalid_request_error","param":"messages","code":"context_length_exceeded"}}"#,
    ),
    (
        400,
        r#"{"error":{"message":"Your input exceeds the context window of this model. Please adjust your input and try again.","type":"invalid_request_error","param":"input","code":"context_length_exceeded"}}"#,
    ),
    (
        429,
        r#"{"error":{"message":"Request too large for gpt-4o in organization org-x on tokens per min (TPM): Limit 30000, Requested 45000. The input or output tokens must be reduced in order to run successfully.","type":"tokens","param":null,"code":"rate_limit_exceeded"}}"#,
    ),
    // Anthropic
    (
        400,
        r#"{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 213462 tokens > 200000 maximum"}}"#,
    ),
    (413, r#"{"type":"error","error":{"type":"request_too_large","message":"Request exceeds the maximum size"}}"#),
    // Google
    (
        400,
        r#"{"error":{"code":400,"message":"The input token count (1196265) exceeds the maximum number of tokens allowed (1048575).","status":"INVALID_ARGUMENT"}}"#,
    ),
    // Ollama, llama.cpp, LM Studio, vLLM
    (400, r#"{"error":"prompt too long; exceeded max context length by 4 tokens"}"#),
    (
        400,
        r#"{"error":{"code":400,"message":"the request exceeds the available context size, try increasing it","type":"exceed_context_size_error","n_prompt_tokens":9000,"n_ctx":8192}}"#,
    ),
    (400, r#"{"error":"The number of tokens to keep from the initial prompt is greater than the context length."}"#),
    (
        400,
        r#"{"object":"error","message":"This model's maximum context length is 4096 tokens. However, you requested 5000 tokens in the messages, Please reduce the length of the messages.","type":"BadRequestError","code":400}"#,
    ),
];

type Selection = Rc<Cell<Option<(usize, usize)>>>;

/// A document of this number of sections, each of about 30 words.
fn long(sections: usize) -> String {
    let section = |at: usize| format!("<h2>S{at}</h2><p>{}</p>", format!("tea {at} ").repeat(15).trim_end());
    (1..=sections).map(section).collect()
}

fn refusal() -> Answer {
    page(REFUSALS[0].0, "application/json", REFUSALS[0].1)
}

/// The characters of a request beside its messages, and those of the system prompt.
fn fixed(options: &Value) -> usize {
    let probe = Harness::with("", vec![says("Hm.")], options.clone(), |_, _| {});
    probe.prompt("x");
    probe.requests()[0].to_string().chars().count()
}

/// A model of an unknown window that takes `characters` characters beside those of every request.
fn small_model(
    html: &str,
    characters: usize,
    options: Value,
    refuse: impl Fn() -> Answer + 'static,
    answers: Vec<Answer>,
) -> (Harness, Selection) {
    let selection = Selection::default();
    let most = fixed(&options) + characters;
    let world = Harness::selecting(html, vec![], options, |_, _| {}, selection.clone());
    let answers = RefCell::new(answers.into_iter());
    world.answers_by(move |request| match request.to_string().chars().count() > most {
        true => refuse(),
        false => answers.borrow_mut().next().unwrap_or_else(|| says("Done.")),
    });
    (world, selection)
}

fn on() -> Value {
    json!({ "documentInPrompt": true })
}

/// The messages that show the document in a request.
fn shown(request: &Value) -> Vec<String> {
    let messages = request["messages"].as_array().unwrap().iter().skip(1);
    let text = |message: &Value| message["content"].as_str().unwrap_or_default().to_owned();
    messages.map(text).filter_map(|text| text.find("<document>").map(|start| text[start..].to_owned())).collect()
}

fn notices(world: &Harness) -> Vec<Value> {
    world.events().into_iter().filter(|event| event["type"] == "notice").map(|event| event["code"].clone()).collect()
}

fn edit(line: usize, content: &str) -> Answer {
    calls(&[("l", "edit_current_editor_document", json!({ "start_line": line, "end_line": line, "content": content }))])
}

fn codes(world: &Harness) -> Vec<String> {
    let results = world.events().into_iter().filter(|event| event["type"] == "tool_result");
    results.map(|event| event["content"]["error"]["code"].as_str().unwrap_or("ok").to_owned()).collect()
}

#[test]
fn a_document_that_is_refused_as_too_long_becomes_an_excerpt_whatever_the_provider_says() {
    let html = long(200);
    let line = Document::from_html(&html).unwrap().lines()[299].clone();
    for (status, body) in REFUSALS {
        let event = format!("data: {body}\n\n");
        for within in [false, true] {
            // Some report it inside an answer.
            if within && !body.contains("\"error\":") {
                continue;
            }
            let (status, event) = (*status, event.clone());
            let refuse = move || if within { stream(&event) } else { page(status, "application/json", body) };
            let (world, selection) = small_model(&html, 16_000, on(), refuse, vec![edit(300, "Tea.")]);
            selection.set(Some((line.from, line.from + 3)));
            let result = world.prompt("Make this shorter");
            assert_eq!(result.status, Outcome::Complete, "{body}: {result:?}");
            assert_eq!(codes(&world), ["ok"], "{body}: {:?}", world.events());
            let requests = world.requests();
            assert!(shown(&requests[0])[0].contains("\n1: ## S1\n"), "all of it first");
            let told = shown(&requests[requests.len() - 2]);
            assert_eq!(told.len(), 1, "{told:?}");
            assert!(told[0].contains("\n300: tea 150") && told[0].contains("(lines 1-"), "{}", told[0]);
            assert!(told[0].contains("Selected: line 300, \"tea\""), "{}", told[0]);
            assert!(told[0].contains("\nsection 149: line 297 \"S149\"\n"), "{}", told[0]);
            assert_eq!(notices(&world), ["document_excerpt"]);
            assert!(!world.event_types().contains(&"compaction".to_owned()), "nothing said is lost");
            assert!(world.html().contains("<p>Tea.</p>"));
        }
    }
}

#[test]
fn a_window_once_found_to_be_small_is_remembered_for_the_model() {
    let (world, _) = small_model(&long(200), 6_000, on(), refusal, vec![]);
    world.prompt("Look");
    let before = world.requests().len();
    world.prompt("And now?");
    assert_eq!(world.requests().len(), before + 1, "not refused again");
    // Without the messages the document is shown again, within what the model takes.
    world.agent.set_messages(Vec::new()).unwrap();
    world.prompt("Look");
    assert_eq!(world.requests().len(), before + 2);
    assert!(shown(world.requests().last().unwrap())[0].contains(": not shown)"));
}

#[test]
fn the_limit_of_the_app_is_lowered_as_well() {
    let options = json!({ "documentInPrompt": true, "documentTokens": 100_000 });
    let (world, _) = small_model(&long(200), 4_000, options, refusal, vec![]);
    assert_eq!(world.prompt("Look").status, Outcome::Complete);
    assert_eq!(notices(&world), ["document_excerpt"]);
}

#[test]
fn an_excerpt_has_what_the_user_changed_since_the_model_last_saw_the_document() {
    let html = long(200);
    // All of the document fits beside a short request, and not beside a long one.
    let characters = shown(&{
        let world = Harness::with(&html, vec![says("Hm.")], on(), |_, _| {});
        world.prompt("Look");
        world.requests().remove(0)
    })[0]
        .chars()
        .count();
    let (world, _) = small_model(&html, characters + 6_000, on(), refusal, vec![says("Hm.")]);
    world.prompt("Look");
    let update = json!({ "operation": "replace", "sectionIndex": 150, "content": "<p>Mine.</p>" });
    apply(&world.document, &DocUpdate::from_value(&update).unwrap(), &Locale::En.into()).unwrap();
    world.prompt(&format!("And now? {}", "milk and sugar ".repeat(400)));
    let requests = world.requests();
    assert_eq!(requests.len(), 3);
    assert_eq!((shown(&requests[1]).len(), shown(&requests[2]).len()), (2, 1));
    let told = &shown(&requests[2])[0];
    assert!(told.contains("\n300: Mine.\n") && told.contains("-299: not shown)"), "{told}");
}

#[test]
fn an_excerpt_within_a_run_still_says_what_was_selected_when_the_user_asked() {
    let html = long(200);
    let line = Document::from_html(&html).unwrap().lines()[299].clone();
    let answers = vec![calls(&[("r", "fetch_page", json!({}))]), says("Done.")];
    let (world, selection) = small_model(&html, 60_000, on(), refusal, answers);
    let moved = selection.clone();
    world.agent.set_tools(vec![super::harness::tool(json!({ "name": "fetch_page" }), move |_, _| {
        // The user has clicked elsewhere meanwhile.
        moved.set(Some((2, 2)));
        let page = "milk and sugar ".repeat(2_000);
        Box::pin(std::future::ready(Ok(copydesk_agent::tools::app::output(page.into()))))
    })]);
    selection.set(Some((line.from, line.from + 3)));
    assert_eq!(world.prompt("Make this shorter").status, Outcome::Complete);
    let requests = world.requests();
    assert_eq!(requests.len(), 3, "the second is refused");
    let told = shown(&requests[2]);
    assert!(told[0].contains("\n300: tea 150") && told[0].contains("Selected: line 300, \"tea\""), "{told:?}");
}

#[test]
fn a_long_conversation_is_summarized_where_the_excerpt_is_not_enough() {
    let uncounted = |text: &str| {
        let delta = json!({ "choices": [{ "index": 0, "delta": { "content": text }, "finish_reason": "stop" }] });
        stream(&format!("data: {delta}\n\ndata: [DONE]\n\n"))
    };
    let (world, _) = small_model(&long(200), 8_000, on(), refusal, vec![]);
    let mut messages = Vec::new();
    for turn in 0..10 {
        messages.push(Message::user(format!("Question {turn}: {}", "tea and milk ".repeat(100))));
        let answer = json!({ "role": "assistant", "stopReason": "stop", "content": [
            { "type": "text", "text": format!("Answer {turn}: {}", "milk and tea ".repeat(100)) }] });
        messages.push(Message::try_from(answer).unwrap());
    }
    world.agent.set_messages(messages).unwrap();
    let most = fixed(&on()) + 8_000;
    world.answers_by(move |request| match request.to_string().chars().count() > most {
        true => refusal(),
        false => uncounted("Done."),
    });
    assert_eq!(world.prompt("Look").status, Outcome::Complete);
    assert!(world.event_types().contains(&"compaction".to_owned()));
    assert!(shown(world.requests().last().unwrap())[0].contains(": not shown)"));
}

#[test]
fn a_request_that_cannot_be_made_smaller_fails_with_the_way_out() {
    let (world, _) = small_model(&long(200), 2_000, on(), refusal, vec![]);
    let RunResult { status, error, .. } = world.prompt(&"milk and sugar ".repeat(400));
    let error = error.unwrap();
    assert_eq!((status, &error["code"]), (Outcome::Error, &json!("context_overflow")), "{error}");
    let message = error["message"].as_str().unwrap();
    assert!(message.contains("Shorten the request"), "{message}");
    assert!(world.requests().len() <= 6, "{}", world.requests().len());
    assert_eq!(world.agent.messages().iter().filter(|one| matches!(one, Message::User { .. })).count(), 1);
}

#[test]
fn a_server_that_refuses_everything_is_not_asked_for_ever() {
    let (world, _) = small_model(&long(200), 0, on(), refusal, vec![]);
    world.answers_by(|_| refusal());
    assert_eq!(world.prompt("Look").error.unwrap()["code"], "context_overflow");
    assert!(world.requests().len() <= 8, "{}", world.requests().len());
}

#[test]
fn the_scope_of_a_run_is_told_as_the_selection() {
    let scoped = |from: usize, to: usize| -> RunOptions {
        serde_json::from_value(json!({ "scope": { "from": from, "to": to } })).unwrap()
    };
    let html = "<p>One two three.</p><p>Four five.</p>";
    for (options, told) in [
        (scoped(5, 8), "\nSelected: line 1, \"two\"\n"),
        (scoped(16, 28), "\nSelected: line 2, \"Four five.\"\n"),
        (scoped(5, 5), "\nCursor: line 1, after \"One \"\n"),
        (RunOptions::default(), "\nCursor: line 2, at its start\n"),
    ] {
        let selection = Selection::default();
        let world = Harness::selecting(html, vec![says("Hm.")], on(), |_, _| {}, selection.clone());
        selection.set(Some((17, 17)));
        world.wait(world.agent.prompt_with(vec![Message::user("Improve this")], options).unwrap());
        let request = &world.requests()[0];
        assert!(shown(request)[0].contains(told), "{told}: {}", shown(request)[0]);
        assert_eq!(shown(request)[0].matches("Selected:").count() + shown(request)[0].matches("Cursor:").count(), 1);
    }
}
