//! An edit that was planned earlier never removes text that the user typed after the model read. `COPYDESK_SEED=n`
//! repeats a run.

use super::documents::{WORDS, blocks, document_of, for_seeds};
use super::harness::{Harness, calls, says};
use super::random::Random;
use copydesk_agent::approvals::ApprovalResponse;
use copydesk_document::Document;
use copydesk_review::decide::{Reviewed, accept, set_mode};
use copydesk_review::{Mode, ReviewCell, Which};
use serde_json::{Value, json};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// The moments at which the user types.
const MOMENTS: [&str; 3] = ["read", "tool_args", "approval_request"];
/// The characters that the user types, which occur nowhere else.
const TYPED: std::ops::Range<u32> = 0xE100..0xE200;

fn is_typed(sign: &char) -> bool {
    TYPED.contains(&u32::from(*sign))
}

fn typed(text: &str) -> Vec<char> {
    let mut signs: Vec<char> = text.chars().filter(is_typed).collect();
    signs.sort_unstable();
    signs
}

/// Replaces the editor's blocks and reports those that changed.
fn sync(cell: &ReviewCell, now: &[Value]) {
    let old = content(&cell.base());
    let before = old.iter().zip(now).take_while(|(a, b)| a == b).count();
    let after = old[before..].iter().rev().zip(now[before..].iter().rev()).take_while(|(a, b)| a == b).count();
    let came = Value::from(now[before..now.len() - after].to_vec());
    let stretch = [before, old.len() - before - after, now.len() - before - after];
    cell.review().borrow_mut().sync(&[stretch], &came.to_string()).unwrap();
}

fn content(document: &Document) -> Vec<Value> {
    let json: Value = serde_json::from_str(&document.to_json()).unwrap();
    json["content"].as_array().cloned().unwrap_or_default()
}

/// Every textblock of a block, by a path of indexes.
fn textblocks(block: &Value, path: &mut Vec<usize>, found: &mut Vec<Vec<usize>>) {
    if matches!(block["type"].as_str(), Some("paragraph" | "heading" | "codeBlock")) {
        found.push(path.clone());
    }
    for (at, child) in block["content"].as_array().into_iter().flatten().enumerate() {
        path.push(at);
        textblocks(child, path, found);
        path.pop();
    }
}

fn at_path<'v>(blocks: &'v mut [Value], path: &[usize]) -> &'v mut Value {
    path[1..].iter().fold(&mut blocks[path[0]], |node, at| &mut node["content"][*at])
}

/// Inserts a character somewhere into a textblock.
fn type_in(random: &mut Random, textblock: &mut Value, sign: char) {
    let texts: Vec<usize> = match textblock["content"].as_array() {
        Some(nodes) => (0..nodes.len()).filter(|at| nodes[*at]["type"] == "text").collect(),
        None => Vec::new(),
    };
    if texts.is_empty() {
        let text = json!({ "type": "text", "text": sign.to_string() });
        match textblock["content"].as_array_mut() {
            Some(nodes) => nodes.insert(0, text),
            None => textblock["content"] = json!([text]),
        }
        return;
    }
    let node = &mut textblock["content"][*random.pick(&texts)];
    let mut text: Vec<char> = node["text"].as_str().unwrap().chars().collect();
    text.insert(random.below(text.len() + 1), sign);
    node["text"] = text.into_iter().collect::<String>().into();
}

/// One thing that a user does: type, press Enter, join, delete, begin a paragraph or a section.
fn act(random: &mut Random, cell: &ReviewCell, next: &Cell<u32>) {
    let mut now = content(&cell.base());
    let sign = char::from_u32(next.replace(next.get() + 1)).unwrap();
    let own = |kind: &str| {
        json!({ "type": kind, "attrs": if kind == "heading" { json!({ "level": 2 }) } else { json!({}) },
        "content": [{ "type": "text", "text": sign.to_string() }] })
    };
    let top = random.below(now.len());
    let is_paragraph = |node: &Value| node["type"] == "paragraph";
    match random.below(8) {
        0..3 => {
            let mut found = Vec::new();
            now.iter().enumerate().for_each(|(at, block)| textblocks(block, &mut vec![at], &mut found));
            if found.is_empty() {
                now.insert(top, own("paragraph"));
            } else {
                let path = random.pick(&found).clone();
                type_in(random, at_path(&mut now, &path), sign);
            }
        }
        3 => now.insert(top + random.below(2), own("paragraph")),
        4 => now.insert(top + random.below(2), own("heading")),
        5 if is_paragraph(&now[top]) => {
            // Enter, and a character at the start of the new paragraph.
            let mut first = now[top]["content"].as_array().cloned().unwrap_or_default();
            let mut second = first.split_off(random.below(first.len() + 1));
            second.insert(0, json!({ "type": "text", "text": sign.to_string() }));
            now[top]["content"] = first.into();
            now.insert(top + 1, json!({ "type": "paragraph", "content": second }));
        }
        6 if top + 1 < now.len() && is_paragraph(&now[top]) && is_paragraph(&now[top + 1]) => {
            let mut joined = now[top]["content"].as_array().cloned().unwrap_or_default();
            joined.push(json!({ "type": "text", "text": sign.to_string() }));
            joined.extend(now.remove(top + 1)["content"].as_array().cloned().unwrap_or_default());
            now[top]["content"] = joined.into();
        }
        7 if now.len() > 1 => drop(now.remove(top)),
        _ => now.insert(top, own("paragraph")),
    }
    sync(cell, &now);
}

/// An edit, planned on the document as it was read.
fn plan(random: &mut Random, read: &Document) -> (&'static str, Value) {
    let sections = read.sections().len();
    let index = random.below(sections + 1);
    let text = |random: &mut Random| format!("<p>{}</p>", random.pick(&WORDS).replace('<', "&lt;"));
    let line = 1 + random.below(read.line_count().max(1));
    let last = (line + random.below(3)).min(read.line_count().max(1));
    let update = |arguments: Value| ("update_section", arguments);
    let lines = |arguments: Value| ("edit_current_editor_document", arguments);
    match random.below(9) {
        0 | 1 => {
            let mut arguments =
                json!({ "operation": "replace", "sectionIndex": index.min(sections), "content": text(random) });
            if random.below(2) == 0 {
                arguments["title"] = json!("Title");
            }
            update(arguments)
        }
        2 => update(json!({ "operation": "delete", "sectionIndex": index })),
        3 => update(json!({ "operation": "append", "title": "End", "content": text(random) })),
        4 => update(json!({ "operation": "insert", "sectionIndex": index, "title": "New", "content": text(random) })),
        5 => lines(json!({ "start_line": line, "end_line": last, "content": *random.pick(&["", "new", "a\nb\nc"]) })),
        6 => {
            let mut whole: Vec<String> = read.lines().iter().map(|line| line.text.clone()).collect();
            let at = random.below(whole.len().max(1));
            match random.below(3) {
                0 if whole.len() > 1 => drop(whole.remove(at)),
                1 => whole.insert(at, "a line more".into()),
                _ => whole.iter_mut().skip(at).take(1).for_each(|line| *line = "another".into()),
            }
            lines(json!({ "content": whole.join("\n") + "x" }))
        }
        7 => lines(json!({ "content": format!("<h1>All</h1>{}", text(random)) })),
        _ => {
            let all = random.below(2) == 0;
            let old: String = read.lines().get(line - 1).map(|line| line.text.clone()).unwrap_or_default();
            let old = if old.trim().is_empty() { "one".into() } else { old };
            ("replace_text", json!({ "old": old, "new": "", "all": all, "near_line": line }))
        }
    }
}

/// Runs a model that reads, a user who types at some moment, and an edit planned on what was read. Returns the code
/// of its result, the typed characters, and those that remain.
fn run(random: &mut Random, document: Document, review: bool) -> (String, Vec<char>, Vec<char>, String) {
    let moment = *random.pick(&MOMENTS);
    let (tool, arguments) = plan(random, &document);
    let acts = 1 + random.below(3);
    let random = Rc::new(RefCell::new(Random::from_seed(random.next())));
    let held: Rc<RefCell<Option<ReviewCell>>> = Rc::default();
    let next = Rc::new(Cell::new(TYPED.start));
    let acted = Rc::new(Cell::new(false));
    let person = {
        let (held, next, random, acted) = (held.clone(), next.clone(), random.clone(), acted.clone());
        move || {
            if let (Some(cell), false) = (&*held.borrow(), acted.replace(true)) {
                (0..acts).for_each(|_| act(&mut random.borrow_mut(), cell, &next));
            }
        }
    };
    let types = person.clone();
    let read = calls(&[("r", "get_document", json!({})), ("l", "read_lines", json!({}))]);
    let answers = vec![read, says("Read."), calls(&[("e", tool, arguments.clone())]), says("Done.")];
    let asks = if moment == "approval_request" { json!([tool]) } else { json!([]) };
    let harness = Harness::with("", answers, json!({ "needsApproval": asks }), move |agent, event| {
        let event = serde_json::to_value(event).unwrap();
        if event["type"] == moment && event["toolName"] == tool {
            types();
        }
        if event["type"] == "approval_request" {
            let yes = ApprovalResponse { approved: true, reason: String::new() };
            agent.approve(event["toolId"].as_str().unwrap(), yes).unwrap();
        }
    });
    sync(&harness.document, &content(&document));
    if review {
        set_mode(&harness.document, Mode::Review);
    }
    *held.borrow_mut() = Some(harness.document.clone());
    harness.prompt("Read");
    if moment == "read" {
        person();
    }
    let before = Rc::new(RefCell::new(String::new()));
    harness.prompt("Write");
    assert!(acted.get(), "the user was never there: {moment}");
    let results: Vec<Value> = harness.events().into_iter().filter(|event| event["toolId"] == "e").collect();
    let result = results.iter().rfind(|event| event["type"] == "tool_result").unwrap();
    let code = result["content"]["error"]["code"].as_str().unwrap_or("ok").to_owned();
    *before.borrow_mut() = harness.base_text();
    let all = typed(&before.borrow());
    if review {
        // Typed text stays in the editor until the user accepts.
        accept(&harness.document, &Which::All).unwrap();
    }
    let left = typed(&harness.base_text());
    (code, all, left, format!("{moment} review={review} {tool} {arguments}\n{}\n", document.to_json()))
}

impl Harness {
    fn base_text(&self) -> String {
        self.document.base().to_html()
    }
}

#[test]
fn no_edit_removes_text_typed_after_the_read() {
    let counts: RefCell<std::collections::BTreeMap<String, usize>> = RefCell::default();
    for_seeds(400, |random| {
        let mut content = blocks(random, 0, 5);
        if content.is_empty() || random.below(8) == 0 {
            content = vec![json!({ "type": "paragraph" })];
        }
        if random.below(2) == 0 {
            let heading =
                json!({ "type": "heading", "attrs": { "level": 2 }, "content": [{ "type": "text", "text": "Part" }] });
            content.insert(random.below(content.len() + 1), heading);
        }
        let review = random.below(2) == 0;
        let seed = random.next();
        // The same acts without the edit say what has to be there.
        let expected = {
            let random = &mut Random::from_seed(seed);
            typed_by_acts(random, document_of(&content))
        };
        let (code, _, left, told) = run(&mut Random::from_seed(seed), document_of(&content), review);
        *counts.borrow_mut().entry(code.clone()).or_default() += 1;
        assert_eq!(left, expected, "{code} {told}");
    });
    let counts = counts.into_inner();
    println!("{counts:?}");
    assert!(counts.len() < 3 || counts["ok"] > 50 && counts["stale"] > 30, "{counts:?}");
}

/// Returns the characters that the user has typed in `run` with this random generator.
fn typed_by_acts(random: &mut Random, document: Document) -> Vec<char> {
    random.pick(&MOMENTS);
    plan(random, &document);
    let acts = 1 + random.below(3);
    let random = &mut Random::from_seed(random.next());
    let cell = ReviewCell::new(document);
    let next = Cell::new(TYPED.start);
    (0..acts).for_each(|_| act(random, &cell, &next));
    typed(&cell.base().to_html())
}

#[test]
fn a_line_typed_on_a_page_that_was_read_empty_survives_every_edit() {
    let replace = json!({ "operation": "replace", "sectionIndex": 0, "title": "Tea", "content": "<p>A leaf.</p>" });
    let append = json!({ "operation": "append", "title": "Tea", "content": "<p>A leaf.</p>" });
    let html = json!({ "content": "<h1>Tea</h1><p>A leaf.</p>" });
    let edits = [
        ("update_section", replace, "stale"),
        ("update_section", append, "ok"),
        ("edit_current_editor_document", html, "stale"),
        ("edit_current_editor_document", json!({ "content": "Tea\nA leaf." }), "stale"),
        ("edit_current_editor_document", json!({ "start_line": 1, "content": "Tea" }), "stale"),
    ];
    for (tool, arguments, expected) in edits {
        for (review, moment) in [false, true].into_iter().flat_map(|review| MOMENTS.map(|moment| (review, moment))) {
            let held: Rc<RefCell<Option<ReviewCell>>> = Rc::default();
            let types = {
                let held = held.clone();
                move || {
                    let line = json!({ "type": "paragraph", "content": [{ "type": "text", "text": "Mine." }] });
                    held.borrow().iter().for_each(|cell| sync(cell, std::slice::from_ref(&line)));
                }
            };
            let typing = types.clone();
            let read = calls(&[("r", "get_document", json!({})), ("l", "read_lines", json!({}))]);
            let answers = vec![read, says("Read."), calls(&[("e", tool, arguments.clone())]), says("Done.")];
            let asks = if moment == "approval_request" { json!([tool]) } else { json!([]) };
            let harness = Harness::with("<p></p>", answers, json!({ "needsApproval": asks }), move |agent, event| {
                let event = serde_json::to_value(event).unwrap();
                if event["type"] == moment && event["toolName"] == tool {
                    typing();
                }
                if event["type"] == "approval_request" {
                    let yes = ApprovalResponse { approved: true, reason: String::new() };
                    agent.approve(event["toolId"].as_str().unwrap(), yes).unwrap();
                }
            });
            *held.borrow_mut() = Some(harness.document.clone());
            if review {
                set_mode(&harness.document, Mode::Review);
            }
            harness.prompt("Read");
            if moment == "read" {
                types();
            }
            harness.prompt("Write");
            accept(&harness.document, &Which::All).unwrap();
            let told = format!("{tool} {arguments} {moment} review={review}: {}", harness.base_text());
            assert!(harness.base_text().contains("Mine."), "{told}");
            let mut results = harness.events().into_iter().filter(|event| event["type"] == "tool_result");
            let code = results.next_back().unwrap()["content"]["error"]["code"].as_str().unwrap_or("ok").to_owned();
            assert_eq!(code, expected, "{told}");
        }
    }
}
