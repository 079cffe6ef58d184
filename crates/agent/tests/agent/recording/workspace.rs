//! Calls of a workspace are replayed from the recording: a replay has no files.

use super::{LIMIT, Recorded, TEA};
use crate::files::Files;
use crate::harness::{Harness, calls, says};
use copydesk_agent::AgentHost;
use copydesk_recording::{Beginning, Recorder};
use serde_json::{Value, json};
use std::cell::RefCell;
use std::rc::Rc;

#[test]
fn a_run_on_files_is_replayed_without_them() {
    let files = Files::of(&[("chapters/ch001.md", "第1天"), ("chapters/ch002.md", "第4天")]);
    let edit = json!({ "path": "chapters/ch002.md", "old_text": "4", "new_text": "2" });
    let answers = vec![
        calls(&[
            ("a", "verify_strict_timeline", json!({})),
            ("b", "read_file", json!({ "path": "chapters/ch009.md" })),
            ("c", "edit_file", edit),
            ("d", "verify_strict_timeline", json!({})),
            ("e", "search_files", json!({ "pattern": "天" })),
        ]),
        says("Done."),
    ];
    let kept: Rc<RefCell<Option<Recorder>>> = Rc::default();
    let keep = kept.clone();
    let workspace = files.clone();
    let harness = Harness::made(
        TEA,
        answers,
        json!({ "locale": "zh-CN" }),
        |_, _| {},
        move |clock, options, document| {
            let document_before = document.document().to_json();
            let beginning = Beginning { settings: options.clone(), document: document_before, ..Beginning::default() };
            let recorder = Recorder::new(beginning, clock, LIMIT);
            *keep.borrow_mut() = Some(recorder.clone());
            (Some(recorder), Rc::new(document.clone()))
        },
        move |host| AgentHost { workspace: Some(workspace), ..host },
    );
    let recorded = Recorded { harness, recorder: kept.borrow().clone().unwrap() };
    recorded.prompt("Check it.");
    assert_eq!(files.text("chapters/ch002.md").unwrap(), "第2天");
    let events = recorded.harness.events();
    let results: Vec<&Value> = events.iter().filter(|event| event["type"] == "tool_result").collect();
    assert_eq!(results[0]["content"]["errors"][0]["message"], "第2章时间线跳跃：第1天 → 第4天");
    assert_eq!(results[1]["content"]["error"]["code"], "file_not_found");
    assert_eq!(results[3]["content"]["errors"], json!([]));
    assert_eq!(results[4]["content"]["total"], 2);
    let called = files.called.borrow().len();
    recorded.plays_the_same();
    assert_eq!(files.called.borrow().len(), called);
}
