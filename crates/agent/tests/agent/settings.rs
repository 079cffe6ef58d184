//! Settings and tools that change while a run is under way.

use super::harness::{Harness, calls, says, slow_tool};
use copydesk_agent::{Agent, AgentOptions, Event, EventKind, Hook, Outcome};
use serde_json::{Value, json};

const TEA: &str = "<h1>Tea</h1><p>Old.</p>";

/// The options of [`Harness`] with these.
pub fn options(more: Value) -> AgentOptions {
    let mut options = json!({
        "llmConfig": {
            "model": { "api": "openai-completions", "modelId": "test-model" },
            "streamOptions": { "apiKey": "sk-secret", "baseUrl": "https://llm.example/v1" },
        },
        "documentInPrompt": false,
    });
    options.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    copydesk_base::decode::from_value(&options).unwrap()
}

/// A run of two requests between which `change` is called.
pub fn changing(before: Value, change: impl Fn(&Agent) + 'static) -> Harness {
    let answers = vec![calls(&[("c1", "get_document", json!({}))]), says("Done.")];
    let harness = Harness::with(TEA, answers, before, move |agent: &Agent, event: &Event| {
        if matches!(event.kind, EventKind::ToolUse { .. }) {
            change(agent);
        }
    });
    assert_eq!(harness.prompt("x").status, Outcome::Complete);
    harness
}

/// Returns the system prompt of a request.
pub fn system(harness: &Harness, request: usize) -> String {
    harness.requests()[request]["messages"][0]["content"].as_str().unwrap().to_owned()
}

/// Returns the last message of a request.
pub fn last(harness: &Harness, request: usize) -> String {
    let sent = harness.requests()[request]["messages"].as_array().unwrap().last().unwrap()["content"].clone();
    sent.as_str().unwrap().to_owned()
}

fn notes(harness: &Harness) -> Vec<String> {
    let messages = harness.agent.messages().into_iter().map(Value::from);
    messages.filter(|one| one["role"] == "note").map(|one| one["content"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn the_next_request_has_changed_settings_and_a_note_says_so() {
    let rule = |id: &str, text: &str| json!({ "id": id, "text": text });
    let harness = changing(json!({ "rules": [rule("a", "Be brief."), rule("b", "No adverbs.")] }), move |agent| {
        let rules = json!([rule("a", "Be very brief."), rule("c", "British spelling."), rule("d", "Cite.")]);
        let skills = json!([{ "name": "haiku", "description": "Verse.", "content": "5, 7, 5." }]);
        agent.configure(options(json!({ "rules": rules, "skills": skills, "skillTokens": 1000 })));
        agent.set_tools(vec![slow_tool("weather", 1)]);
    });
    assert!(system(&harness, 0).ends_with("1. Be brief.\n2. No adverbs."), "{}", system(&harness, 0));
    assert!(system(&harness, 1).ends_with("1. Be very brief.\n2. British spelling.\n3. Cite."));
    assert!(system(&harness, 1).contains("5, 7, 5."));
    assert!(!harness.requests()[0].to_string().contains("weather"));
    assert!(harness.requests()[1]["tools"].to_string().contains("\"weather\""));
    let said = "rules: 2 added, 1 removed, 1 changed; skills added: haiku; tools added: activate_skill, weather";
    assert_eq!(notes(&harness), [format!("[Settings] Changed from here on: {said}")]);
    let notice = harness.event("notice");
    assert_eq!((&notice["code"], &notice["message"]), (&json!("settings_changed"), &json!(said)));
    assert!(last(&harness, 1).contains(said));
}

#[test]
fn nothing_is_noted_of_changes_between_runs_and_of_other_settings() {
    let harness = changing(json!({}), |agent| agent.configure(options(json!({ "maxRetries": 1 }))));
    assert_eq!((notes(&harness), system(&harness, 0)), (Vec::new(), system(&harness, 1)));

    let harness = Harness::new(TEA, vec![says("One."), says("Two.")]);
    harness.prompt("x");
    harness.agent.configure(options(json!({ "rules": [{ "id": "a", "text": "Be brief." }] })));
    harness.prompt("y");
    assert!(system(&harness, 1).ends_with("1. Be brief."));
    assert_eq!(notes(&harness), Vec::<String>::new());
}

#[test]
fn a_rule_that_is_disabled_and_one_that_moves_are_changes() {
    let rules = |list: Value| json!({ "rules": list });
    let (a, b) = (json!({ "id": "a", "text": "A" }), json!({ "id": "b", "text": "B" }));
    let off = json!({ "id": "b", "text": "B", "enabled": false });
    let cases = [
        (json!([a, b]), json!([a, off]), "rules: 1 removed"),
        (json!([a, off]), json!([a, b]), "rules: 1 added"),
        (json!([a, b]), json!([b, a]), "rules: another order"),
    ];
    for (before, after, said) in cases {
        let harness = changing(rules(before), move |agent| agent.configure(options(rules(after.clone()))));
        assert_eq!(notes(&harness), [format!("[Settings] Changed from here on: {said}")]);
    }
}

#[test]
fn rules_with_one_id_are_told_apart_by_their_order() {
    let rule = |id: &str, text: &str| json!({ "id": id, "text": text });
    let before = json!([rule("a", "App."), rule("a", "Plugin.")]);
    let cases = [
        (before.clone(), None),
        (json!([rule("a", "App."), rule("a", "Other.")]), Some("rules: 1 changed")),
        (json!([rule("a", "App.")]), Some("rules: 1 removed")),
        (json!([rule("a", "App."), rule("a", "Plugin."), rule("a", "Third.")]), Some("rules: 1 added")),
    ];
    for (after, said) in cases {
        let harness = changing(json!({ "rules": before }), move |agent| {
            agent.configure(options(json!({ "rules": after, "maxRetries": 1 })));
        });
        let said = said.map(|said| format!("[Settings] Changed from here on: {said}"));
        assert_eq!(notes(&harness), Vec::from_iter(said));
    }
}

#[test]
fn a_tool_with_another_definition_is_a_change_and_another_language_of_the_built_in_ones_is_none() {
    let with = |description: &str| {
        let mut tool = slow_tool("weather", 1);
        tool.spec.description = description.to_owned();
        tool
    };
    let changed = |locale: &'static str, description: &'static str| {
        let answers = vec![calls(&[("c1", "get_document", json!({}))]), says("Done.")];
        let harness = Harness::with(TEA, answers, json!({}), move |agent: &Agent, event: &Event| {
            if matches!(event.kind, EventKind::ToolUse { .. }) {
                agent.configure(options(json!({ "locale": locale })));
                agent.set_tools(vec![with(description)]);
            }
        });
        harness.agent.set_tools(vec![with("Old.")]);
        assert_eq!(harness.prompt("x").status, Outcome::Complete);
        notes(&harness)
    };
    assert_eq!(changed("en", "New."), ["[Settings] Changed from here on: tools redefined: weather"]);
    assert_eq!(changed("zh-CN", "New."), ["[设置] 自此有改动：工具定义有更新：weather"]);
    assert_eq!(changed("zh-CN", "Old."), Vec::<String>::new());
}

#[test]
fn a_run_whose_plugins_take_too_long_says_so() {
    let more = json!({ "runTimeout": 500 });
    let harness = Harness::with(TEA, Vec::new(), more, |_, _| {});
    harness.hook_that_hangs(Hook::PrepareRequest);
    let error = harness.prompt("x").error.unwrap();
    assert_eq!((&error["code"], &error["details"]["what"]), (&json!("timeout"), &json!("the plugins of the agent")));
}

#[test]
fn notes_are_in_the_language_of_the_agent_and_name_few_tools() {
    let tools = |count: usize| (0..count).map(|at| slow_tool(&format!("tool{at:02}"), 1)).collect::<Vec<_>>();
    let harness = changing(json!({ "locale": "zh-CN" }), move |agent| agent.set_tools(tools(20)));
    let note = &notes(&harness)[0];
    assert!(note.starts_with("[设置] 自此有改动：新增工具：tool00、tool01"), "{note}");
    assert!(note.ends_with("tool07 及另外 12 个"), "{note}");
}

#[test]
fn a_tool_that_was_removed_is_unknown_to_the_calls_of_later_answers() {
    let answers = vec![calls(&[("c1", "old", json!({}))]), calls(&[("c2", "old", json!({}))]), says("Done.")];
    let harness = Harness::with(TEA, answers, json!({}), |agent, event| {
        if matches!(event.kind, EventKind::ToolUse { .. }) {
            agent.set_tools(Vec::new());
        }
    });
    harness.agent.set_tools(vec![slow_tool("old", 1)]);
    assert_eq!(harness.prompt("x").status, Outcome::Complete);
    let results: Vec<Value> = harness.events().into_iter().filter(|event| event["type"] == "tool_result").collect();
    assert_eq!(results[0]["isError"], false, "a call of an answer to a request that had the tool");
    assert_eq!(results[1]["content"]["error"]["code"], "unknown_tool");
}

#[test]
fn settings_that_cannot_work_end_the_run_at_the_next_request() {
    let answers = vec![calls(&[("c1", "get_document", json!({}))])];
    let harness = Harness::with(TEA, answers, json!({}), |agent, event| {
        if matches!(event.kind, EventKind::ToolUse { .. }) {
            agent.configure(options(json!({ "needsApproval": ["get_documents"] })));
        }
    });
    let result = harness.prompt("x");
    assert_eq!(result.error.unwrap()["code"], "config");
    assert_eq!(harness.requests().len(), 1);
}

#[test]
fn each_request_waits_for_the_plugins_of_the_app() {
    let answers = vec![calls(&[("c1", "ready", json!({}))]), says("Done.")];
    let harness = Harness::new(TEA, answers);
    let agent = harness.agent.clone();
    harness.hook_slowly(
        Hook::PrepareRequest,
        || 100,
        move |_| {
            agent.set_tools(vec![slow_tool("ready", 1)]);
            Ok(Value::Null)
        },
    );
    assert_eq!(harness.prompt("x").status, Outcome::Complete);
    assert!(harness.requests()[0]["tools"].to_string().contains("\"ready\""), "the first request has the tool");
    assert_eq!(harness.event("tool_result")["isError"], false);
}

#[test]
fn a_run_can_be_stopped_while_it_waits_for_plugins() {
    let harness = Harness::new(TEA, Vec::new());
    harness.hook_that_hangs(Hook::PrepareRequest);
    let mut run: std::pin::Pin<Box<dyn Future<Output = _>>> = Box::pin(harness.agent.prompt("x").unwrap());
    assert!(harness.poll(&mut run).is_pending());
    harness.agent.abort();
    assert_eq!(harness.wait(run).status, Outcome::Aborted);
    assert_eq!(harness.requests().len(), 0);
}

#[test]
fn tools_of_servers_that_are_gone_may_need_approval() {
    let harness = Harness::with(TEA, vec![says("Done.")], json!({ "needsApproval": ["files__delete"] }), |_, _| {});
    assert_eq!(harness.prompt("x").status, Outcome::Complete);
}

#[test]
fn urls_in_notes_are_not_the_users_words() {
    let note = json!({ "role": "note", "content": "[Settings] https://evil.example/a.png" });
    let image = json!({
        "operation": "insert_image", "position": "end", "imageUrl": "https://evil.example/a.png", "imageDescription": "x",
    });
    let harness = Harness::new(TEA, vec![calls(&[("c1", "insert_image", image)]), says("Done.")]);
    let messages = vec![copydesk_llm::Message::try_from(note).unwrap()];
    harness.agent.set_messages(messages).unwrap();
    harness.prompt("x");
    assert_eq!(harness.event("tool_result")["isError"], true);
    assert!(!harness.document.document().to_html().contains("evil"));
}
