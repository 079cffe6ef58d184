use super::harness::{Harness, calls, chunks, says, stream};
use copydesk_agent::Error;
use copydesk_agent::Outcome;
use serde_json::{Value, json};

const TEA: &str = "<h1>Tea</h1><h2>History</h2><p>Old.</p>";

fn replace(content: &str) -> Value {
    json!({ "operation": "replace", "sectionIndex": 1, "content": content })
}

#[test]
fn an_answer_without_calls_ends_the_run() {
    let harness = Harness::new(TEA, vec![says("Hello.")]);
    let result = harness.prompt("Hi");
    assert_eq!((result.status, result.text.as_str(), result.usage.total_tokens), (Outcome::Complete, "Hello.", 15));
    assert_eq!(harness.event_types(), ["agent_start", "turn_start", "content", "turn_end", "complete"]);
    assert!(!harness.agent.is_running());
}

#[test]
fn events_are_numbered_without_a_gap_over_several_runs() {
    let harness = Harness::new(TEA, vec![says("One."), says("Two.")]);
    harness.prompt("a");
    harness.prompt("b");
    let numbers: Vec<u64> = harness.events().iter().map(|event| event["seq"].as_u64().unwrap()).collect();
    assert_eq!(numbers, (1..=numbers.len() as u64).collect::<Vec<_>>());
}

#[test]
fn calls_run_and_their_results_are_sent_to_the_model() {
    let harness = Harness::new(
        TEA,
        vec![
            calls(&[("c1", "get_document", json!({}))]),
            calls(&[("c2", "update_section", replace("<p>Older.</p>"))]),
            says("Done."),
        ],
    );
    assert_eq!(harness.prompt("Make it older").status, Outcome::Complete);
    assert_eq!(harness.html(), TEA.replace("Old.", "Older."));
    let requests = harness.requests();
    assert_eq!(requests.len(), 3);
    let last = requests[2]["messages"].as_array().unwrap();
    let roles: Vec<_> = last.iter().map(|message| message["role"].as_str().unwrap()).collect();
    assert_eq!(roles, ["system", "user", "assistant", "tool", "assistant", "tool"]);
    let read: Value = serde_json::from_str(last[3]["content"].as_str().unwrap()).unwrap();
    assert_eq!(read["totalSections"], 2);
    assert_eq!(read["sections"][1], json!({ "index": 1, "title": "History", "content": "<p>Old.</p>" }));
    assert_eq!(read["rawHtml"], TEA);
    let written: Value = serde_json::from_str(last[5]["content"].as_str().unwrap()).unwrap();
    assert_eq!(written["success"], true);
    assert_eq!(written["message"], "Section 1 'History' updated");
    assert_eq!(written["sections"], json!([{ "index": 0, "title": "Tea" }, { "index": 1, "title": "History" }]));
    assert!(written.get("changes").is_none(), "positions are no matter of the model's");
}

#[test]
fn a_call_is_reported_from_its_first_argument_to_its_result() {
    let harness = Harness::new(TEA, vec![calls(&[("c1", "update_section", replace("<p>Older.</p>"))]), says("Done.")]);
    harness.read();
    harness.prompt("Make it older");
    let types = harness.event_types();
    let from = types.iter().position(|kind| kind == "tool_args").unwrap();
    let kinds: Vec<_> = types[from..].iter().filter(|kind| *kind != "tool_args").take(4).collect();
    assert_eq!(kinds, ["tool_use", "doc_update", "tool_result", "turn_end"]);
    let update = harness.event("doc_update");
    assert_eq!(update["toolId"], "c1");
    assert_eq!(update["operation"], "replace");
    assert_eq!(update["changes"][0]["content"], json!([{ "type": "text", "text": "Older" }]));
    assert_eq!(harness.event("tool_use")["toolInput"], replace("<p>Older.</p>"));
}

#[test]
fn an_empty_document_has_no_sections() {
    let harness = Harness::new("<p></p>", vec![calls(&[("c1", "get_document", json!({}))]), says("Empty.")]);
    harness.prompt("Read");
    let empty = json!({ "sections": [], "totalSections": 0, "rawHtml": "", "totalLines": 1, "version": "v1" });
    assert_eq!(harness.event("tool_result")["content"], empty);
}

#[test]
fn a_failed_call_is_reported_to_the_model_and_the_run_continues() {
    let bad = json!({ "operation": "replace", "sectionIndex": 9, "content": "x" });
    let harness = Harness::new(
        TEA,
        vec![
            calls(&[
                ("c1", "update_section", bad),
                ("c2", "rewrite", json!({})),
                ("c3", "update_section", replace("<p>New.</p>")),
            ]),
            says("Done."),
        ],
    );
    harness.read();
    assert_eq!(harness.prompt("x").status, Outcome::Complete);
    let results: Vec<Value> = harness.events().into_iter().filter(|event| event["type"] == "tool_result").collect();
    let codes: Vec<_> =
        results.iter().map(|result| result["content"]["error"]["code"].as_str().unwrap_or("ok")).collect();
    assert_eq!(codes, ["section_out_of_range", "unknown_tool", "ok"]);
    assert!(results[1]["content"]["error"]["message"].as_str().unwrap().contains("search_image"));
    assert_eq!(harness.html(), TEA.replace("Old.", "New."));
}

#[test]
fn cut_off_arguments_never_run() {
    let delta = json!({ "tool_calls": [{ "index": 0, "id": "c1", "function": {
        "name": "update_section", "arguments": "{\"operation\":\"delete\",\"sectionIndex\":1" } }] });
    let harness = Harness::new(TEA, vec![stream(&chunks(&[delta], "length")), says("I see.")]);
    assert_eq!(harness.prompt("x").status, Outcome::Complete);
    assert_eq!(harness.html(), TEA);
    let result = harness.event("tool_result");
    assert_eq!((&result["isError"], &result["content"]["error"]["code"]), (&json!(true), &json!("arguments_cut_off")));
    assert!(!harness.event_types().contains(&"tool_use".to_owned()));
    assert_eq!(harness.event("notice")["code"], "length");
}

#[test]
fn no_call_of_a_cut_off_answer_runs_and_the_model_is_told() {
    let piece = |index: usize, arguments: &str| {
        json!({ "tool_calls": [{ "index": index, "id": format!("c{index}"), "function": {
            "name": "update_section", "arguments": arguments } }] })
    };
    let whole = "{\"operation\":\"delete\",\"sectionIndex\":1}";
    for deltas in [vec![piece(0, whole)], vec![piece(0, whole), piece(1, whole)], vec![piece(0, whole), piece(1, "{")]]
    {
        let harness = Harness::new(TEA, vec![stream(&chunks(&deltas, "length")), says("I see.")]);
        assert_eq!(harness.prompt("x").status, Outcome::Complete);
        assert_eq!(harness.html(), TEA);
        let events = harness.events();
        let results: Vec<&Value> = events.iter().filter(|event| event["type"] == "tool_result").collect();
        assert_eq!(results.len(), deltas.len());
        assert!(results.iter().all(|result| result["content"]["error"]["code"] == "arguments_cut_off"), "{results:?}");
    }
}

#[test]
fn thinking_is_reported_between_start_and_end() {
    let deltas =
        [json!({ "reasoning_content": "Hm" }), json!({ "reasoning_content": "m." }), json!({ "content": "Yes." })];
    let harness = Harness::new(TEA, vec![stream(&chunks(&deltas, "stop"))]);
    harness.prompt("x");
    assert_eq!(harness.event_types()[2..7], ["thinking_start", "thinking", "thinking", "thinking_end", "content"]);
}

#[test]
fn the_conversation_is_kept_and_can_be_transferred() {
    let harness = Harness::new(TEA, vec![says("One."), says("Two.")]);
    harness.prompt("a");
    let kept = serde_json::to_value(harness.agent.messages()).unwrap();
    harness.prompt("b");
    assert_eq!(harness.requests()[1]["messages"].as_array().unwrap().len(), 4);
    let other = Harness::new(TEA, vec![says("Three.")]);
    other.agent.set_messages(serde_json::from_value(kept.clone()).unwrap()).unwrap();
    other.prompt("c");
    assert_eq!(other.requests()[0]["messages"][1]["content"], "a");
    assert_eq!(serde_json::to_value(&other.agent.messages()[0..2]).unwrap(), kept);
}

#[test]
fn a_second_prompt_during_a_run_is_refused() {
    let harness = Harness::with(TEA, vec![says("One.")], json!({}), |agent, event| {
        if serde_json::to_value(event).unwrap()["type"] == "content" {
            assert_eq!(agent.prompt("again").err(), Some(Error::Busy));
            assert_eq!(agent.set_messages(vec![]), Err(Error::Busy));
        }
    });
    assert_eq!(harness.prompt("a").status, Outcome::Complete);
}

#[test]
fn a_listener_may_stop_the_run_and_edits_stay() {
    let answers = vec![calls(&[
        ("c1", "update_section", replace("<p>New.</p>")),
        ("c2", "update_section", json!({ "operation": "delete", "sectionIndex": 1 })),
    ])];
    let harness = Harness::with(TEA, answers, json!({}), |agent, event| {
        if serde_json::to_value(event).unwrap()["type"] == "doc_update" {
            agent.abort();
        }
    });
    harness.read();
    assert_eq!(harness.prompt("x").status, Outcome::Aborted);
    assert_eq!(harness.html(), TEA.replace("Old.", "New."));
    assert_eq!(harness.event_types().last().unwrap(), "aborted");
    let messages = serde_json::to_value(harness.agent.messages()).unwrap();
    let results: Vec<_> =
        messages.as_array().unwrap().iter().filter(|message| message["role"] == "toolResult").collect();
    assert_eq!(results.len(), 3, "every call has a result: {messages}");
    assert_eq!(results[2]["content"]["error"]["code"], "not_run");
}

#[test]
fn a_run_ends_at_the_turn_limit() {
    let read = |turn: usize| calls(&[(&format!("c{turn}"), "get_document", json!({ "turn": turn }))]);
    let harness = Harness::new(TEA, (0..40).map(read).collect());
    let result = harness.prompt("x");
    assert_eq!(result.error.unwrap()["code"], "too_many_turns");
    assert_eq!(harness.requests().len(), 40);
    let fewer =
        Harness::with(TEA, vec![calls(&[("c", "get_document", json!({}))])], json!({ "maxTurns": 1 }), |_, _| {});
    assert_eq!(fewer.prompt("x").error.unwrap()["code"], "too_many_turns");
}

#[test]
fn the_prompt_and_the_tools_are_in_the_locale() {
    for (locale, word, tool) in [("en", "expert", "Read the whole document"), ("zh-CN", "专家", "读取整篇文档")]
    {
        let harness = Harness::with(TEA, vec![says("x")], json!({ "locale": locale }), |_, _| {});
        harness.prompt("x");
        let request = &harness.requests()[0];
        assert!(request["messages"][0]["content"].as_str().unwrap().contains(word));
        assert!(request["tools"][0]["function"]["description"].as_str().unwrap().contains(tool));
    }
}

#[test]
fn the_tools_have_exactly_their_parameters() {
    let harness = Harness::new(TEA, vec![says("x")]);
    harness.prompt("x");
    let tools = harness.requests()[0]["tools"].clone();
    let shown: Vec<(String, Vec<String>, Value)> = tools
        .as_array()
        .unwrap()
        .iter()
        .map(|tool| {
            let function = &tool["function"];
            let parameters = function["parameters"]["properties"].as_object().unwrap();
            for (name, parameter) in parameters {
                assert!(parameter["description"].is_string(), "{name} has a description");
            }
            let names = parameters.keys().cloned().collect();
            (function["name"].as_str().unwrap().to_owned(), names, function["parameters"]["required"].clone())
        })
        .collect();
    let expect = |name: &str, parameters: &[&str], required: Value| {
        (name.to_owned(), parameters.iter().map(|&parameter| parameter.to_owned()).collect::<Vec<_>>(), required)
    };
    assert_eq!(
        shown,
        [
            expect("get_document", &[], Value::Null),
            expect("read_lines", &["start_line", "end_line"], Value::Null),
            expect(
                "edit_current_editor_document",
                &["start_line", "end_line", "content", "edits", "format", "instruction", "version", "whole"],
                Value::Null
            ),
            expect(
                "replace_text",
                &["old", "new", "near_line", "all", "version", "instruction"],
                json!(["old", "new"])
            ),
            expect("set_attributes", &["edits", "version", "instruction"], json!(["edits"])),
            expect("update_section", &["operation", "sectionIndex", "title", "content", "whole"], json!(["operation"])),
            expect(
                "insert_image",
                &["sectionIndex", "imageUrl", "imageDescription", "position"],
                json!(["sectionIndex", "imageUrl", "imageDescription"])
            ),
            expect("move_section", &["sectionIndex", "toIndex"], json!(["sectionIndex", "toIndex"])),
            expect("search_web", &["query", "maxResults"], json!(["query"])),
            expect("search_image", &["keywords", "count"], json!(["keywords"])),
            expect("read_more", &["id", "offset"], json!(["id"])),
        ]
    );
    let update = &tools[5]["function"]["parameters"]["properties"];
    assert_eq!(update["operation"]["enum"], json!(["replace", "append", "insert", "delete"]));
    assert_eq!(
        tools[6]["function"]["parameters"]["properties"]["position"]["enum"],
        json!(["after_section", "before_section"])
    );
    assert_eq!(
        (
            &tools[8]["function"]["parameters"]["properties"]["maxResults"]["minimum"],
            &tools[8]["function"]["parameters"]["properties"]["maxResults"]["maximum"]
        ),
        (&json!(1), &json!(10))
    );
}

#[test]
fn a_stop_works_from_the_call_of_prompt_on() {
    let harness = Harness::new(TEA, vec![]);
    let run = harness.agent.prompt("x").unwrap();
    harness.agent.abort();
    assert_eq!(harness.wait(run).status, Outcome::Aborted);
    assert!(harness.requests().is_empty());
}

#[test]
fn a_dropped_run_leaves_the_agent_usable() {
    let harness = Harness::new(TEA, vec![says("One.")]);
    drop(harness.agent.prompt("x").unwrap());
    assert_eq!(harness.prompt("y").status, Outcome::Complete);
}

#[test]
fn a_listener_of_the_last_event_may_start_a_run() {
    let harness = Harness::with(TEA, vec![says("One.")], json!({}), |agent, event| {
        if serde_json::to_value(event).unwrap()["type"] == "complete" {
            agent.set_messages(vec![]).unwrap();
        }
    });
    harness.prompt("x");
    assert!(harness.agent.messages().is_empty());
}

#[test]
fn an_answer_is_complete_at_its_terminator_even_if_the_connection_stays_open() {
    let pieces = |body: &str| vec![body.as_bytes().to_vec()];
    let open = |body: &str| super::harness::Answer::Stream {
        status: 200,
        content_type: "text/event-stream",
        pieces: pieces(body),
        end: super::harness::BodyEnd::Hangs,
    };
    let whole = chunks(&[json!({ "content": "Whole." })], "stop");
    let harness = Harness::new(TEA, vec![open(&whole)]);
    assert_eq!((harness.prompt("x").text.as_str(), harness.now()), ("Whole.", 200.0));
    assert_eq!(harness.open_connections(), 0);
    let without_done = Harness::new(TEA, vec![open(whole.trim_end_matches("data: [DONE]\n\n"))]);
    assert_eq!(without_done.prompt("x").text, "Whole.");
}

#[test]
fn repeated_call_ids_of_a_server_are_made_unique() {
    let again = || calls(&[("call_0", "get_document", json!({}))]);
    let harness = Harness::new(TEA, vec![again(), again(), says("Done.")]);
    harness.prompt("x");
    let ids = |kind: &str| -> Vec<Value> {
        harness
            .events()
            .into_iter()
            .filter(|event| event["type"] == kind)
            .map(|event| event["toolId"].clone())
            .collect()
    };
    assert_eq!(ids("tool_use"), ["call_0", "call_0_2"]);
    assert_eq!(ids("tool_result"), ids("tool_use"));
    let last = harness.requests()[2]["messages"].clone();
    assert_eq!((&last[2]["tool_calls"][0]["id"], &last[3]["tool_call_id"]), (&json!("call_0"), &json!("call_0")));
    assert_eq!((&last[4]["tool_calls"][0]["id"], &last[5]["tool_call_id"]), (&json!("call_0_2"), &json!("call_0_2")));
}

#[test]
fn after_a_stop_no_further_call_is_reported() {
    let both = calls(&[("a", "update_section", replace("<p>New.</p>")), ("b", "get_document", json!({}))]);
    let harness = Harness::with(TEA, vec![both], json!({}), |agent, event| {
        if serde_json::to_value(event).unwrap()["type"] == "doc_update" {
            agent.abort();
        }
    });
    harness.read();
    harness.prompt("x");
    assert_eq!(harness.event("tool_use")["toolId"], "a");
}
