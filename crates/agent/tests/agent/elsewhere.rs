//! A document of another thread: its holder fetches parts when they are missing, and refuses changes that were planned
//! for another state.

use super::harness::{Harness, calls, says};
use copydesk_base::Locale;
use copydesk_base::host::LocalFuture;
use copydesk_document::{Document, Node};
use copydesk_edit::apply::{BlockParser, DocumentHolder, at_once};
use copydesk_edit::guard::Bound;
use copydesk_edit::markdown::Markdown;
use copydesk_edit::{Change, DocUpdate, Error, Origin, apply};
use copydesk_review::Reviewer;
use copydesk_review::{ReviewCell, Verdict};
use serde_json::{Value, json};
use std::cell::{Cell, RefCell};
use std::collections::{HashMap, VecDeque};
use std::future::ready;
use std::ops::Range;
use std::rc::Rc;

const TEA: &str = "<h1>Tea</h1><p>A leaf.</p><h2>History</h2><p>Old.</p>";

/// A document whose HTML and parsed blocks are fetched, and that the user changes before changes arrive.
struct Elsewhere {
    cell: ReviewCell,
    /// The changes of the user, each before the next commit.
    user: RefCell<VecDeque<Value>>,
    wanted: Cell<bool>,
    fetched: Rc<Cell<usize>>,
    /// The parts that were fetched, by the version of the document.
    known: RefCell<HashMap<(String, String), ()>>,
    /// The version that the last read has shown.
    read: RefCell<String>,
}

impl Elsewhere {
    fn fetch(&self, what: String) -> Result<(), Error> {
        let key = (self.cell.document().version(), what);
        if self.known.borrow_mut().insert(key, ()).is_some() {
            return Ok(());
        }
        self.wanted.set(true);
        Err(Error::EditorRefused { reason: "missing".into() })
    }
}

impl DocumentHolder for Elsewhere {
    fn document(&self) -> Result<Document, Error> {
        let document = self.cell.document();
        self.read.replace(document.version());
        Ok(document)
    }

    fn snapshot(&self, version: &str) -> Result<Document, Error> {
        self.cell.snapshot(version)
    }

    fn dispatch(&self, _: &[Change], _: &Origin) -> Result<(), Error> {
        panic!("changes of another thread are committed");
    }

    fn commit<'a>(&'a self, changes: &'a [Change], origin: &'a Origin) -> LocalFuture<'a, Result<bool, Error>> {
        if let Some(update) = self.user.borrow_mut().pop_front() {
            apply(&self.cell, &DocUpdate::from_value(&update).unwrap(), &Locale::En.into()).unwrap();
        }
        let is_current = *self.read.borrow() == self.cell.document().version();
        let made = if is_current { self.cell.dispatch(changes, origin) } else { Ok(()) };
        Box::pin(ready(made.map(|()| is_current)))
    }

    fn synced(&self) -> LocalFuture<'_, ()> {
        at_once(())
    }

    fn new_turn(&self) -> String {
        self.cell.new_turn()
    }

    fn guards(&self) -> Rc<Bound> {
        self.cell.guards()
    }

    fn selection(&self) -> Option<Range<usize>> {
        None
    }

    fn proposes(&self) -> bool {
        self.cell.proposes()
    }
}

impl BlockParser for Elsewhere {
    fn parse(&self, html: &str, at: usize) -> Result<Vec<Node>, Error> {
        self.fetch(format!("{at} {html}"))?;
        self.cell.parse(html, at)
    }

    fn html(&self, blocks: Range<usize>) -> Result<String, Error> {
        self.fetch(format!("{blocks:?}"))?;
        self.cell.html(blocks)
    }

    fn markdown(&self) -> Option<Rc<dyn Markdown>> {
        self.cell.markdown()
    }

    fn missing(&self) -> Option<LocalFuture<'_, ()>> {
        self.wanted.take().then(|| -> LocalFuture<'_, ()> {
            self.fetched.set(self.fetched.get() + 1);
            Box::pin(ready(()))
        })
    }
}

impl Reviewer for Elsewhere {
    fn in_editor(&self, position: usize) -> usize {
        self.cell.in_editor(position)
    }

    fn in_document(&self, range: Range<usize>) -> Range<usize> {
        self.cell.in_document(range)
    }

    fn verdicts(&self, turns: &[String]) -> Vec<Verdict> {
        self.cell.verdicts(turns)
    }

    fn decided<'a>(&'a self, _: &'a [String]) -> LocalFuture<'a, Vec<Verdict>> {
        Box::pin(ready(Vec::new()))
    }
}

/// Runs a model that reads the document and then makes these calls, while the user makes changes before each commit.
fn run(user: &[Value], model: &[(&str, &str, Value)]) -> (Harness, usize) {
    let fetched = Rc::new(Cell::new(0));
    let answers =
        vec![calls(&[("r", "get_document", json!({})), ("l", "read_lines", json!({}))]), calls(model), says("Done.")];
    let harness = Harness::hosted(
        TEA,
        answers,
        json!({}),
        |_, _| {},
        |_, _, document| {
            let host = Elsewhere {
                cell: document.clone(),
                user: RefCell::new(user.iter().cloned().collect()),
                wanted: Cell::default(),
                fetched: fetched.clone(),
                known: RefCell::default(),
                read: RefCell::default(),
            };
            (None, Rc::new(host))
        },
    );
    harness.prompt("Work");
    (harness, fetched.get())
}

fn result(harness: &Harness, id: &str) -> Value {
    let of_call = |event: &Value| event["type"] == "tool_result" && event["toolId"] == id;
    harness.events().into_iter().find(of_call).unwrap()["content"].clone()
}

fn replace(old: &str, new: &str) -> Value {
    json!({ "operation": "replace_text", "old": old, "new": new })
}

#[test]
fn what_is_missing_is_fetched() {
    let section = json!({ "operation": "replace", "sectionIndex": 1, "content": "<p>New <strong>text</strong>.</p>" });
    let (harness, fetched) = run(&[], &[("e", "update_section", section)]);
    assert_eq!(result(&harness, "r")["rawHtml"], TEA);
    assert_eq!(harness.html(), TEA.replace("<p>Old.</p>", "<p>New <strong>text</strong>.</p>"));
    assert!(fetched >= 4, "sections, the document, the content and its echo: {fetched}");
}

#[test]
fn an_edit_of_a_document_that_has_changed_is_planned_again() {
    let user = [replace("Tea", "Green tea"), replace("Old", "Very old")];
    let line = json!({ "start_line": 2, "end_line": 2, "content": "A fine leaf." });
    let (harness, _) = run(&user, &[("e", "edit_current_editor_document", line)]);
    let expected = "<h1>Green tea</h1><p>A fine leaf.</p><h2>History</h2><p>Very old.</p>";
    assert_eq!(harness.html(), expected);
    assert_eq!(result(&harness, "e")["success"], true);
    let updates = harness.events().into_iter().filter(|event| event["type"] == "doc_update").count();
    assert_eq!(updates, 1);
}

#[test]
fn an_edit_of_the_text_that_the_user_has_changed_meanwhile_fails() {
    let line = json!({ "start_line": 2, "end_line": 2, "content": "A fine leaf." });
    let (harness, _) = run(&[replace("leaf", "plant")], &[("e", "edit_current_editor_document", line)]);
    assert_eq!(harness.html(), TEA.replace("leaf", "plant"));
    assert_eq!(result(&harness, "e")["error"]["code"], "stale");
}
