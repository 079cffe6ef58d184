//! A run in Chinese: what the model reads has no English sentence.

use super::files::{Files, results, run_with};
use super::harness::{Answer, Harness, calls, page, says, tool};
use copydesk_agent::log::Log;
use copydesk_agent::tools;
use copydesk_base::Locale;
use serde_json::{Value, json};
use std::future::ready;

/// Two words of a sentence: the second one begins with a small letter and is not a name.
fn is_english(text: &str) -> bool {
    // Names with Chinese between them are not a sentence.
    let ascii: String = text.chars().map(|c| if c.is_ascii() { c.to_string() } else { " | ".to_owned() }).collect();
    let bare = |word: &str| word.trim_matches([',', '.', ':', ';', '(', '[', '"']).to_owned();
    let words: Vec<String> = ascii.split_whitespace().map(bare).collect();
    // Accepted values are stated in the terms of JSON Schema.
    let terms = [
        "array", "object", "integer", "number", "string", "boolean", "null", "of", "or", "from", "on", "true", "false",
    ];
    let is_word =
        |word: &str| word.len() > 1 && word.bytes().all(|byte| byte.is_ascii_alphabetic()) && !terms.contains(&word);
    words
        .windows(2)
        .any(|pair| is_word(&pair[0]) && is_word(&pair[1]) && pair[1].starts_with(|c: char| c.is_ascii_lowercase()))
}

/// Fails if a text of a result is English. Details of errors are for programs.
fn assert_chinese(result: &Value, call: &str) {
    match result {
        Value::String(text) => assert!(!is_english(text), "{call}: {text}"),
        Value::Array(items) => items.iter().for_each(|item| assert_chinese(item, call)),
        Value::Object(members) => {
            members.iter().filter(|(name, _)| *name != "details").for_each(|(_, member)| assert_chinese(member, call));
        }
        _ => {}
    }
}

#[test]
fn the_detector_knows_sentences() {
    for text in ["10 lines, version v2", "it must be one of these", "… [3 more characters: read line 1 alone]"] {
        assert!(is_english(text), "{text}");
    }
    for text in ["共 10 行，版本 v2", "integer 1–10", "read_lines {\"start_line\": 3}", "ValueError: a"] {
        assert!(!is_english(text), "{text}");
    }
}

/// Calls of every built-in tool: right ones, and wrong ones of each kind.
fn script() -> Vec<(&'static str, Value)> {
    let mut script: Vec<(&'static str, Value)> = vec![
        ("get_document", json!({})),
        ("read_lines", json!({})),
        ("read_lines", json!({ "start_line": 99 })),
        ("read_lines", json!({ "start_line": "x" })),
        ("edit_current_editor_document", json!({ "start_line": 1, "end_line": 1, "content": "茶叶。" })),
        ("edit_current_editor_document", json!({ "start_line": 1 })),
        ("edit_current_editor_document", json!({ "start_line": 50, "end_line": 51, "content": "茶" })),
        ("edit_current_editor_document", json!({ "start_line": 3, "end_line": 1, "content": "茶" })),
        ("edit_current_editor_document", json!({ "edits": [{ "line": 1, "content": "茶" }] })),
        ("edit_current_editor_document", json!({ "content": "茶" })),
        ("set_attributes", json!({ "edits": [{ "start_line": 1, "attributes": { "level": 3 } }] })),
        ("set_attributes", json!({ "edits": [{ "start_line": 1, "attributes": { "level": 9 } }] })),
        ("set_attributes", json!({ "edits": [{ "start_line": 1, "attributes": { "tick": true } }] })),
        ("set_attributes", json!({ "edits": [{ "start_line": 1 }] })),
        ("replace_text", json!({ "old": "没有", "new": "有" })),
        ("replace_text", json!({ "old": " ", "new": "有" })),
        ("replace_text", json!({ "old": "茶", "new": "水" })),
        ("replace_text", json!({ "old": "茶", "new": "水", "near_line": 77 })),
        ("replace_text", json!({ "old": "叶", "new": "<h2>叶</h2><p>水</p>" })),
        ("update_section", json!({ "operation": "append" })),
        ("update_section", json!({ "operation": "grow", "sectionIndex": 1 })),
        ("update_section", json!({ "operation": "append", "title": "水", "content": "<p>水</p>" })),
        ("update_section", json!({ "operation": "delete", "sectionIndex": 40 })),
        ("update_section", json!({ "operation": "delete", "sectionIndex": 0 })),
        ("update_section", json!({ "operation": "replace", "sectionIndex": 0 })),
        ("insert_image", json!({ "sectionIndex": 0, "imageUrl": "javascript:1", "imageDescription": "杯" })),
        ("insert_image", json!({ "sectionIndex": 0, "imageUrl": "https://a.example/b.png", "imageDescription": "杯" })),
        ("move_section", json!({ "sectionIndex": 0, "toIndex": 1 })),
        ("move_section", json!({ "sectionIndex": 1, "toIndex": 9 })),
        ("read_file", json!({ "path": "一.md" })),
        ("read_file", json!({ "path": "一.md", "start_line": 90 })),
        ("read_file", json!({ "path": "没有.md" })),
        ("read_file", json!({ "path": "../一.md" })),
        ("write_file", json!({ "path": "二.md", "content": "水" })),
        ("write_file", json!({ "path": "一.md", "content": "水" })),
        ("list_files", json!({})),
        ("list_files", json!({ "path": "没有" })),
        ("write_chapter", json!({ "number": 1, "title": "始", "content": "水" })),
        ("write_chapter", json!({ "number": 0, "title": "始", "content": "水" })),
        ("edit_file", json!({ "path": "一.md", "old_text": "茶", "new_text": "水" })),
        ("edit_file", json!({ "path": "一.md", "old_text": "无此文", "new_text": "水" })),
        ("edit_file", json!({ "path": "一.md", "old_text": "", "new_text": "水" })),
        ("search_files", json!({ "pattern": "茶" })),
        ("search_files", json!({ "pattern": "" })),
        ("search_content", json!({ "query": "茶" })),
        ("search_content", json!({})),
        ("verify_strict_timeline", json!({})),
        ("verify_strict_references", json!({})),
        ("activate_skill", json!({ "name": "无" })),
        ("read_more", json!({ "id": "page_9" })),
        ("read_more", json!({ "id": "page_1", "offset": -1 })),
        ("no_such_tool", json!({})),
        ("search_web", json!({ "query": " " })),
        ("search_image", json!({})),
    ];
    // A line that is cut, and a change of the user's that makes lines stale.
    script.push(("read_lines", json!({ "start_line": 1, "end_line": 9 })));
    script
}

#[test]
fn no_result_of_a_tool_has_an_english_sentence() {
    let files = Files::of(&[("一.md", "# 一\n\n茶和水。\n"), ("章节/二.md", "时间：第二天")]);
    let script = script();
    let options = json!({ "locale": "zh-CN", "maxTurns": 100 });
    let world = run_with(&files, options, &script, Log::silent(), |_| {});
    let seen = results(&world);
    assert_eq!(seen.len(), script.len());
    for ((name, given), result) in script.iter().zip(&seen) {
        assert_chinese(result, &format!("{name} {given}"));
    }
    let tried: Vec<&str> = script.iter().map(|(name, _)| *name).collect();
    for tool in tools::all_built_in(Locale::ZhCn) {
        assert!(tried.contains(&tool.spec.name.as_str()), "{} is not tried", tool.spec.name);
        assert_chinese(&tool.spec.description.into(), "its description");
        assert_chinese(&tool.spec.parameters["properties"], "its parameters");
    }
}

#[test]
fn nothing_else_that_the_model_or_the_user_reads_has_one() {
    let broken = |status: u16| page(status, "text/plain", "x");
    let html = format!("<p>{}</p><p>茶。</p>", "水".repeat(700));
    let answers = || -> Vec<Answer> {
        vec![
            calls(&[
                ("a", "read_lines", json!({})),
                ("b", "ask", json!({})),
                ("e", "ask", json!({ "数": 1 })),
                ("c", "search_web", json!({ "query": "茶" })),
            ]),
            broken(500),
            calls(&[("d", "read_lines", json!({ "start_line": 1, "end_line": 2 }))]),
            broken(503),
            says("好。"),
        ]
    };
    let more = json!({ "locale": "zh-CN", "documentInPrompt": true, "maxRetries": 2, "runTimeout": 60_000 });
    let world = Harness::with(&html, answers(), more, |_, _| {});
    world.agent.set_tools(vec![tool(
        json!({ "name": "ask", "description": "问。", "parameters": { "required": ["数"] } }),
        |_, _| Box::pin(ready(Err(copydesk_agent::Error::ToolFailed { tool: "ask".into(), message: "坏".into() }))),
    )]);
    world.prompt("写茶。");
    for event in world.events() {
        let message = ["message", "error", "content"].iter().map(|name| &event[*name]).find(|text| !text.is_null());
        assert_chinese(message.unwrap_or(&Value::Null), event["type"].as_str().unwrap());
    }
    for message in world.requests().last().unwrap()["messages"].as_array().unwrap() {
        // The system prompt has a test of its own.
        if message["role"] != "assistant" && message["role"] != "system" {
            assert_chinese(&message["content"], "a message");
        }
    }
}
