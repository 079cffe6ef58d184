//! Runs on a document with an editor's behavior, replayed without an editor.

use super::{Played, TEA, edits, finish, play, staged};
use crate::harness::{Answer, Harness, calls};
use copydesk_agent::Event;
use copydesk_base::Locale;
use copydesk_base::host::{Clock, LocalFuture};
use copydesk_document::{Document, Node};
use copydesk_edit::Error;
use copydesk_edit::apply::{BlockParser, DocumentHolder, at_once, made_at_once};
use copydesk_edit::guard::Bound;
use copydesk_edit::markdown::Markdown;
use copydesk_edit::{Change, DocUpdate, Origin, apply, change};
use copydesk_recording::recorder::LIMIT;
use copydesk_recording::{Beginning, RecordedDocument, Recorder, Recording, Replay, difference, playback};
use copydesk_review::decide::{self, Reviewed};
use copydesk_review::{DocumentEvent, Mode, Observer, Observers, Review, ReviewCell, Which};
use serde_json::{Value, json};
use std::cell::{Cell, RefCell};
use std::future::{Future, ready};
use std::ops::Range;
use std::rc::Rc;

/// A document that behaves like an editor with plugins.
struct TestEditor {
    cell: ReviewCell,
    behavior: EditorBehavior,
    turns: Cell<u64>,
    edits: Cell<usize>,
    observers: Observers,
}

#[derive(Clone, Copy, PartialEq)]
enum EditorBehavior {
    /// Adds a paragraph to each transaction.
    AppendsParagraph,
    /// Parses every paragraph as a heading.
    ParsesAsHeading,
    /// Serializes HTML with classes.
    SerializesClasses,
    /// Refuses every second edit.
    RefusesEverySecondEdit,
    /// Has had turns before.
    HasEarlierTurns,
    /// Has a selection.
    HasSelection,
}

impl Reviewed for TestEditor {
    fn review(&self) -> &RefCell<Review> {
        self.cell.review()
    }

    fn refresh(&self) -> Result<(), Error> {
        Ok(())
    }

    fn change_base(&self, changes: &[Change]) -> Result<(), Error> {
        let before = self.review().borrow().next_base();
        let changed = self.take(changes);
        let review = &self.review().borrow();
        self.observers.emit(DocumentEvent::Changed { before: &before, changes, review });
        changed
    }

    fn reviewed(&self) {}
}

impl TestEditor {
    fn take(&self, changes: &[Change]) -> Result<(), Error> {
        self.edits.set(self.edits.get() + 1);
        if self.behavior == EditorBehavior::RefusesEverySecondEdit && self.edits.get() % 2 == 1 {
            return Err(Error::EditorRefused { reason: "Not today.".into() });
        }
        if self.behavior != EditorBehavior::AppendsParagraph {
            return self.cell.change_base(changes);
        }
        // All at once, and then once more.
        let changed = change::replace(&self.cell.base(), changes)?;
        let mut all: Value = serde_json::from_str(&changed.to_json()).unwrap();
        let blocks = all["content"].as_array_mut().unwrap();
        blocks.push(json!({ "type": "paragraph", "content": [{ "type": "text", "text": "Added." }] }));
        let length = blocks.len();
        let before = self.cell.base().blocks().len();
        self.observers.dispatch(|| {
            self.sync([0, before, length], all["content"].take());
            self.sync([length, 0, 1], json!([{ "type": "horizontalRule" }]));
        });
        Ok(())
    }
}

impl DocumentHolder for TestEditor {
    fn document(&self) -> Result<Document, Error> {
        Ok(self.cell.document())
    }

    fn snapshot(&self, version: &str) -> Result<Document, Error> {
        self.cell.snapshot(version)
    }

    fn dispatch(&self, changes: &[Change], origin: &Origin) -> Result<(), Error> {
        let before = self.proposes().then(|| self.cell.document());
        decide::dispatch(self, changes, origin)?;
        if let Some(before) = before {
            let review = &self.review().borrow();
            self.observers.emit(DocumentEvent::Proposed { before: &before, origin, review });
        }
        Ok(())
    }

    fn commit<'a>(&'a self, changes: &'a [Change], origin: &'a Origin) -> LocalFuture<'a, Result<bool, Error>> {
        made_at_once(self.dispatch(changes, origin))
    }

    fn synced(&self) -> LocalFuture<'_, ()> {
        at_once(())
    }

    fn new_turn(&self) -> String {
        self.turns.set(self.turns.get() + 1);
        format!("t{}", self.turns.get() + if self.behavior == EditorBehavior::HasEarlierTurns { 7 } else { 0 })
    }

    fn guards(&self) -> Rc<Bound> {
        self.cell.guards()
    }

    fn selection(&self) -> Option<Range<usize>> {
        (self.behavior == EditorBehavior::HasSelection).then_some(2..4)
    }

    fn proposes(&self) -> bool {
        self.review().borrow().proposes()
    }
}

impl BlockParser for TestEditor {
    fn parse(&self, html: &str, at: usize) -> Result<Vec<Node>, Error> {
        let read = self.behavior == EditorBehavior::ParsesAsHeading;
        let html = if read { html.replace("<p>", "<h3>").replace("</p>", "</h3>") } else { html.to_owned() };
        self.cell.parse(&html, at)
    }

    fn html(&self, blocks: Range<usize>) -> Result<String, Error> {
        let html = self.cell.html(blocks)?;
        Ok(if self.behavior == EditorBehavior::SerializesClasses {
            html.replace("<p>", "<p class=\"body\">")
        } else {
            html
        })
    }

    fn markdown(&self) -> Option<Rc<dyn Markdown>> {
        self.cell.markdown()
    }

    fn missing(&self) -> Option<LocalFuture<'_, ()>> {
        None
    }
}

impl TestEditor {
    fn sync(&self, stretch: [usize; 3], blocks: Value) {
        let blocks = blocks.to_string();
        self.observers.emit(DocumentEvent::Synced { ranges: &[stretch], blocks: &blocks });
        self.review().borrow_mut().sync(&[stretch], &blocks).unwrap();
    }
}

/// The recorder and the editor, once the harness has made them.
type MadeLater = Rc<RefCell<Option<(Recorder, Rc<TestEditor>)>>>;

struct RecordedRun {
    harness: Harness,
    editor: Rc<TestEditor>,
    recorder: Recorder,
}

fn kept(behavior: EditorBehavior, answers: Vec<Answer>) -> RecordedRun {
    let made: MadeLater = Rc::default();
    let keep = made.clone();
    let harness = Harness::hosted(
        TEA,
        answers,
        json!({ "documentInPrompt": behavior == EditorBehavior::HasSelection }),
        |_, _: &Event| {},
        move |clock, options, document| {
            let beginning = Beginning {
                settings: options.clone(),
                document: document.document().to_json(),
                ..Beginning::default()
            };
            let recorder = Recorder::new(beginning, clock, LIMIT);
            let (turns, edits, observers) = Default::default();
            let editor = Rc::new(TestEditor { cell: document.clone(), behavior, turns, edits, observers });
            let watched = Rc::new(RecordedDocument::new(editor.clone(), recorder.clone()));
            let observer: Rc<dyn Observer> = watched.clone();
            editor.observers.subscribe(Rc::downgrade(&observer));
            *keep.borrow_mut() = Some((recorder.clone(), editor));
            (Some(recorder), watched)
        },
    );
    let (recorder, editor) = made.take().unwrap();
    RecordedRun { harness, editor, recorder }
}

impl RecordedRun {
    fn input(&self, name: &str, value: Value) {
        self.recorder.input(name, value);
    }

    fn prompt(&self, text: &str) {
        self.input("prompt", json!([{ "role": "user", "content": text }]));
        self.harness.prompt(text);
    }

    fn file(&self) -> Recording {
        let after = self.harness.document.document().to_json();
        Recording::from_json(&self.recorder.recording(&after).to_value().to_string()).unwrap()
    }

    #[track_caller]
    fn plays_the_same(&self) {
        let Played { ended, different, document, .. } = play(Replay::new(self.file()));
        assert_eq!((ended, different), (Ok(()), None));
        assert_eq!(document, self.harness.html());
    }
}

#[test]
fn changes_by_an_editor_are_replayed() {
    for behavior in [
        EditorBehavior::AppendsParagraph,
        EditorBehavior::ParsesAsHeading,
        EditorBehavior::SerializesClasses,
        EditorBehavior::RefusesEverySecondEdit,
        EditorBehavior::HasEarlierTurns,
        EditorBehavior::HasSelection,
    ] {
        let kept = kept(behavior, [edits(), edits()].into_iter().flatten().collect());
        kept.prompt("Make it older");
        kept.prompt("Once more");
        let answers = kept.file().answers;
        assert!(!answers.is_empty(), "a cell alone would not have done so");
        kept.plays_the_same();
    }
}

#[test]
fn undoing_a_turn_is_replayed() {
    let kept = kept(EditorBehavior::AppendsParagraph, edits());
    kept.prompt("Make it older");
    assert!(kept.harness.html().contains("Added."));
    kept.input("undoTurn", "t2".into());
    decide::undo_turn(&kept.harness.document, "t2").unwrap();
    assert!(!kept.harness.html().contains("Added."));
    kept.plays_the_same();
}

#[test]
fn proposals_and_decisions_are_replayed() {
    let kept = kept(EditorBehavior::AppendsParagraph, edits());
    kept.input("setMode", "review".into());
    decide::set_mode(&kept.harness.document, Mode::Review);
    let other = json!({ "stretches": [[1, 0, 1]], "blocks": [{ "type": "paragraph", "content": [{ "type": "text", "text": "Theirs." }] }], "turn": "t9" });
    kept.input("propose", other.clone());
    difference::propose(&kept.harness.document, other).unwrap();
    kept.prompt("Make it older");
    let document = &kept.harness.document;
    assert_eq!(document.base().to_html(), TEA);
    assert_eq!(document.review().borrow().hunks().len(), 2);
    let second = document.review().borrow().hunks()[1].id.clone();
    kept.input("accept", json!({ "hunk": second }));
    decide::accept(document, &Which::Hunk(second)).unwrap();
    assert_eq!(document.base().to_html(), TEA.replace("Old.", "Older."));
    kept.plays_the_same();
}

/// A clock whose timers fire at once.
struct InstantClock;

impl Clock for InstantClock {
    fn now(&self) -> f64 {
        0.0
    }

    fn sleep(&self, _: u64) -> LocalFuture<'static, ()> {
        Box::pin(ready(()))
    }

    fn random(&self) -> f64 {
        0.5
    }
}

fn outcome_of(file: Recording) -> Value {
    let replay = Replay::new(file);
    let (stage, _) = staged(&replay, &|_| {});
    let document = stage.document.clone();
    let ended = finish(playback::play(&replay, stage, &InstantClock), &|| panic!("it waits for ever"));
    playback::differs(&replay, ended, &document)
}

#[test]
fn a_difference_is_reported_and_the_replay_ends() {
    let kept = kept(EditorBehavior::HasEarlierTurns, edits());
    kept.prompt("Make it older");
    let good = kept.file();
    assert_eq!(outcome_of(good.clone()), Value::Null);

    let mut other = good.clone();
    other.after = other.after.replace("Older", "Newer");
    let said = outcome_of(other);
    assert_eq!(said["what"], "document");
    assert!(said["recorded"].to_string().contains("Newer") && said["replayed"].to_string().contains("Older"));

    let mut other = good.clone();
    other.events[1]["turnId"] = "t1".into();
    assert_eq!(outcome_of(other)["what"], "event");

    let mut other = good.clone();
    other.before = other.before.replace("Old.", "New.");
    let said = outcome_of(other);
    assert_eq!((&said["what"], &said["request"]), (&json!("body"), &json!(2)));
    assert!(said["recorded"].as_str().unwrap().starts_with("Old.") && said["at"].is_number(), "{said}");

    // An answer that never comes to its end, and something that should come after it.
    let mut other = good;
    let response = other.requests[1].response.as_mut().unwrap();
    response.chunks.truncate(1);
    response.end = None;
    assert_eq!(outcome_of(other)["what"], "end");
}

#[test]
fn a_recording_saved_during_a_run_ends_there() {
    let kept = kept(EditorBehavior::HasEarlierTurns, vec![calls(&[("c1", "get_document", json!({}))]), Answer::Hangs]);
    kept.input("prompt", json!([{ "role": "user", "content": "Go" }]));
    let run = kept.harness.agent.prompt("Go").unwrap();
    let mut run: std::pin::Pin<Box<dyn Future<Output = ()>>> = Box::pin(async move { drop(run.await) });
    assert!(kept.harness.poll(&mut run).is_pending());
    assert_eq!(kept.harness.requests().len(), 2);
    assert_eq!(outcome_of(kept.file()), Value::Null);
}

#[test]
fn edits_of_others_are_inputs_and_edits_of_the_agent_are_not() {
    let append = json!({ "operation": "append", "title": "Theirs", "content": "<p>New.</p>" });
    let append = DocUpdate::from_value(&append).unwrap();
    for (behavior, mode) in [
        (EditorBehavior::AppendsParagraph, Mode::Auto),
        (EditorBehavior::HasEarlierTurns, Mode::Auto),
        (EditorBehavior::HasEarlierTurns, Mode::Review),
    ] {
        let kept = kept(behavior, [edits(), edits()].into_iter().flatten().collect());
        let (editor, review) = (kept.editor.as_ref(), kept.editor.review());
        let mut expected = vec!["prompt"];
        if mode == Mode::Review {
            editor.observers.input("setMode", &|| "review".into());
            decide::set_mode(editor, mode);
            expected.insert(0, "setMode");
        }
        kept.prompt("Make it older");
        // Another program edits the document, and the user decides about the edits of the agent.
        apply(editor, &append, &Locale::En.into()).unwrap();
        if mode == Mode::Review {
            let all = json!("all");
            let which = Which::from_value(&all).unwrap();
            editor.observers.decide("accept", &all, review, || decide::accept(editor, &which)).unwrap();
            expected.extend(["propose", "versions", "accept", "versions"]);
        } else {
            let turn = if behavior == EditorBehavior::HasEarlierTurns { "t9" } else { "t2" };
            editor.observers.decide("undoTurn", &turn.into(), review, || decide::undo_turn(editor, turn)).unwrap();
            expected.extend(["sync", "versions", "undoTurn"]);
            // The editor has added a block to what the decision came to.
            expected.extend(if behavior == EditorBehavior::AppendsParagraph { &["sync", "versions"][..] } else { &[] });
            expected.push("versions");
        }
        kept.prompt("Once more");
        expected.push("prompt");
        let file = kept.file();
        let names: Vec<&str> = file.inputs.iter().map(|input| input.name.as_str()).collect();
        assert_eq!(names, expected);
        kept.plays_the_same();
    }
}
