//! A `doc_update` event carries the requested update, and brings another copy of the document to the same state.

use super::harness::{Answer, Harness, calls, says};
use super::random::Random;
use copydesk_agent::{Agent, Event};
use copydesk_base::Locale;
use copydesk_document::Document;
use copydesk_edit::{DocUpdate, EditContext, apply};
use copydesk_review::ReviewCell;
use serde_json::{Value, json};
use std::cell::RefCell;
use std::rc::Rc;

const TEA: &str = "<h1>Tea</h1><p>A leaf.</p><h2>History</h2><p>Old.</p><h2>Kinds</h2><p>Many.</p>";
const PICTURE: &str = "https://img.example/tea.png";

fn on() -> Value {
    json!({ "documentInPrompt": true })
}

/// Applies an update, or an event, as the package's `apply` does.
fn applied(document: &ReviewCell, update: &Value) -> Result<(), String> {
    let options = copydesk_edit::operation::EditOptions::read(update).unwrap();
    let context = EditContext {
        confirm_drop: options.confirm_drop == Some(true),
        format: options.format,
        ..EditContext::from(Locale::En)
    };
    let update = DocUpdate::from_value(update).map_err(|error| format!("{error:?}"))?;
    apply(document, &update, &context).map(drop).map_err(|error| format!("{error:?}"))
}

#[test]
fn an_event_has_what_was_asked_and_what_it_came_to() {
    let answers = vec![
        calls(&[
            ("a", "update_section", json!({ "operation": "append", "title": "End", "content": "<p>Done.</p>" })),
            (
                "b",
                "update_section",
                json!({ "operation": "replace", "sectionIndex": 1, "content": "<p>Very old.</p>", "title": "Past" }),
            ),
            (
                "c",
                "insert_image",
                json!({ "sectionIndex": 2, "imageUrl": PICTURE, "imageDescription": "Tea", "position": "before_section" }),
            ),
            ("d", "move_section", json!({ "sectionIndex": 1, "toIndex": 3 })),
            ("e", "replace_text", json!({ "old": "leaf", "new": "plant", "instruction": "simpler" })),
        ]),
        says("Done."),
    ];
    let world = Harness::with(TEA, answers, on(), |_, _| {});
    world.prompt(&format!("Use {PICTURE}"));
    let events: Vec<Value> = world.events().into_iter().filter(|event| event["type"] == "doc_update").collect();
    let asked: [&[(&str, Value)]; 5] = [
        &[
            ("operation", json!("append")),
            ("title", json!("End")),
            ("content", json!("<p>Done.</p>")),
            ("sectionIndex", json!(3)),
        ],
        &[
            ("operation", json!("replace")),
            ("title", json!("Past")),
            ("content", json!("<p>Very old.</p>")),
            ("sectionIndex", json!(1)),
        ],
        &[("imageUrl", json!(PICTURE)), ("imageDescription", json!("Tea")), ("position", json!("before_section"))],
        &[("operation", json!("move_section")), ("sectionIndex", json!(1)), ("toIndex", json!(3))],
        &[("old", json!("leaf")), ("new", json!("plant")), ("instruction", json!("simpler"))],
    ];
    assert_eq!(events.len(), 5, "{:?}", world.events());
    for (event, fields) in events.iter().zip(asked) {
        for (name, value) in fields {
            assert_eq!(event[*name], *value, "{name} of {event}");
        }
        assert!(event["changes"].is_array() && event["version"].is_string() && event["seq"].is_number());
    }
}

#[test]
fn lines_are_those_right_before_the_edit() {
    let html: Rc<RefCell<Option<ReviewCell>>> = Rc::default();
    let listen = {
        let document = html.clone();
        move |_: &Agent, event: &Event| {
            if serde_json::to_value(event).unwrap()["type"] == "tool_use"
                && let Some(document) = document.take()
            {
                let update =
                    json!({ "operation": "replace", "sectionIndex": 0, "content": "<p>New.</p><p>A leaf.</p>" });
                applied(&document, &update).unwrap();
            }
        }
    };
    let edit = json!({ "edits": [{ "start_line": 4, "end_line": 4, "content": "Very **old**.", "format": "text" }] });
    let world =
        Harness::with(TEA, vec![calls(&[("l", "edit_current_editor_document", edit)]), says("Done.")], on(), listen);
    *html.borrow_mut() = Some(world.document.clone());
    world.prompt("Write");
    let event = world.event("doc_update");
    assert_eq!(
        event["edits"],
        json!([{ "start_line": 5, "end_line": 5, "content": "Very **old**.", "format": "text" }])
    );
    assert_ne!(event["version"], Value::Null);
}

/// A random call on sections and lines of a document.
fn call(random: &mut Random, at: usize, document: &Document) -> (String, &'static str, Value) {
    let words = ["tea", "leaf", "old", "many kinds", "hot water", "茶叶"];
    let text = |random: &mut Random| format!("{} {}", random.pick(&words), random.pick(&words));
    let section = random.below(document.sections().len().max(1) + 1);
    let line = 1 + random.below(document.line_count().max(1));
    let content = match random.below(6) {
        0 => format!("<p>{}</p><ul><li><p>{}</p></li></ul>", text(random), text(random)),
        1 => format!("- {}\n- **{}**", text(random), text(random)),
        2 => text(random),
        3 => format!("<blockquote><p>{}</p></blockquote><p><em>{}</em></p>", text(random), text(random)),
        4 => format!("<p>{}</p>\n<h3>{}</h3>", text(random), text(random)),
        _ => format!("<p>{}<br>{}</p>", text(random), text(random)),
    };
    let title = text(random);
    let (name, arguments) = match random.below(9) {
        0 => ("update_section", json!({ "operation": "append", "title": title, "content": content })),
        1 => (
            "update_section",
            json!({ "operation": "insert", "sectionIndex": section, "title": title, "content": content }),
        ),
        2 => (
            "update_section",
            json!({ "operation": "replace", "sectionIndex": section, "title": title, "content": content }),
        ),
        3 => ("update_section", json!({ "operation": "delete", "sectionIndex": section })),
        4 => ("insert_image", json!({ "sectionIndex": section, "imageUrl": PICTURE, "imageDescription": title })),
        5 => ("move_section", json!({ "sectionIndex": section, "toIndex": 1 + random.below(3) })),
        6 => ("replace_text", json!({ "old": random.pick(&words), "new": title, "all": true })),
        7 => (
            "edit_current_editor_document",
            json!({ "content": format!("<h1>{title}</h1>{content}<h2>Rest</h2><p>End.</p>") }),
        ),
        _ => ("edit_current_editor_document", json!({ "start_line": line, "end_line": line, "content": content })),
    };
    (format!("c{at}"), name, arguments)
}

#[test]
fn another_copy_comes_to_the_same_state_in_random_runs() {
    let mut random = Random::new();
    let mut edits = 0;
    for _ in 0..120 {
        let pair: Rc<RefCell<Option<(ReviewCell, ReviewCell)>>> = Rc::default();
        let count = Rc::new(RefCell::new(0));
        let listen = {
            let (pair, count) = (pair.clone(), count.clone());
            move |_: &Agent, event: &Event| {
                let event = serde_json::to_value(event).unwrap();
                let both = pair.borrow().clone();
                let Some((document, copy)) = both else { return };
                if event["type"] == "doc_update" {
                    applied(&copy, &event)
                        .unwrap_or_else(|error| panic!("{error}\n{event}\n{}", copy.document().to_html()));
                    assert_eq!(copy.document().to_json(), document.document().to_json(), "{event}");
                    *count.borrow_mut() += 1;
                } else if event["type"] == "turn_start" {
                    // The user writes between the turns.
                    let update = json!({ "operation": "insert", "sectionIndex": 1, "title": "Mine", "content": "<p>I write.</p>" });
                    let done = [applied(&document, &update), applied(&copy, &update)];
                    assert_eq!(done[0], done[1]);
                }
            }
        };
        let world = Harness::with(TEA, vec![], on(), listen);
        let copy = ReviewCell::new(Document::from_html(TEA).unwrap());
        *pair.borrow_mut() = Some((world.document.clone(), copy));
        let seed = RefCell::new(Random::from_seed(random.next()));
        let turns = RefCell::new(0);
        let document = world.document.clone();
        world.answers_by(move |_| -> Answer {
            *turns.borrow_mut() += 1;
            if *turns.borrow() > 4 {
                return says("Done.");
            }
            let random = &mut seed.borrow_mut();
            let wanted: Vec<_> = (0..1 + random.below(3)).map(|at| call(random, at, &document.document())).collect();
            let wanted: Vec<_> = wanted.iter().map(|(id, name, given)| (id.as_str(), *name, given.clone())).collect();
            calls(&wanted)
        });
        world.prompt(&format!("Use {PICTURE}"));
        edits += *count.borrow();
    }
    assert!(edits > 200, "{edits}");
}
