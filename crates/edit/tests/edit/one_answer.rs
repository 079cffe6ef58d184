//! Several calls of one answer, compared with a list of sections or lines that is edited the simple way: all calls are
//! planned on the document that was shown, or each on the one that the call before it leaves.

use crate::documents::for_seeds;
use crate::random::Random;
use copydesk_base::ErrorInfo;
use copydesk_document::Document;
use copydesk_edit::relocate::Shown;
use copydesk_edit::{DocUpdate, DocumentCell, EditContext, Error, apply};
use serde_json::{Value, json};

/// A document that a model was shown, and its calls.
struct Answer {
    cell: DocumentCell,
    shown: Shown,
}

impl Answer {
    fn new(html: &str) -> Answer {
        let cell = DocumentCell::new(Document::from_html(html).unwrap());
        let document = cell.document();
        let mut shown = Shown::default();
        let mut evidence = shown.evidence(&document);
        evidence.with_outline();
        let sections: Vec<Value> = document
            .sections()
            .iter()
            .map(|section| {
                let content = evidence.with_content(&cell, section.index).unwrap();
                json!({ "index": section.index, "title": section.title, "content": content })
            })
            .collect();
        let lines = evidence.with_lines(1..=document.line_count()).unwrap();
        evidence.search(&json!({ "sections": sections, "lines": lines }), &mut |_| false);
        shown.show(&evidence);
        shown.answers();
        Answer { cell, shown }
    }

    /// Runs a call. Returns whether it was read as counted after the earlier ones.
    fn call(&mut self, given: &Value) -> Result<bool, Error> {
        let update = DocUpdate::from_value(given).unwrap();
        let before = self.cell.document();
        let relocated = self.shown.relocate(&self.cell, &update)?;
        let context = EditContext { stated: relocated.stated, ..EditContext::default() };
        apply(&self.cell, &relocated.update, &context)?;
        self.shown.wrote(&relocated.update, &before, &self.cell.document());
        Ok(relocated.counts_own_edits)
    }

    fn html(&self) -> String {
        self.cell.document().to_html()
    }
}

const WORDS: [&str; 40] = [
    "river", "stone", "amber", "violet", "garden", "winter", "silver", "candle", "bridge", "harbour", "meadow",
    "copper", "window", "ladder", "basket", "thunder", "velvet", "marble", "orchard", "lantern", "pepper", "saddle",
    "timber", "whisper", "anchor", "blossom", "cellar", "dagger", "ember", "falcon", "glacier", "hammock", "island",
    "jungle", "kettle", "linen", "mirror", "needle", "oyster", "parcel",
];

/// A text that has few words in common with others.
fn text(random: &mut Random) -> String {
    let words: Vec<String> =
        (0..8).map(|_| format!("{}{}", random.pick(&WORDS), char::from(b'a' + random.below(20) as u8))).collect();
    words.join(" ") + "."
}

/// The same text with one word changed.
fn reworded(random: &mut Random, text: &str) -> String {
    let mut words: Vec<&str> = text.split(' ').collect();
    let at = random.below(words.len() - 1);
    words[at] = "other";
    words.join(" ")
}

/// A section: the index with which it was shown, its title and its text.
#[derive(Clone, Debug, PartialEq)]
struct Entry {
    shown: Option<usize>,
    title: String,
    text: String,
}

impl Entry {
    fn html(&self) -> String {
        format!("<h2>{}</h2><p>{}</p>", self.title, self.text)
    }
}

/// The sections after section 0, which is the title.
fn html(entries: &[Entry]) -> String {
    format!("<h1>Title</h1>{}", entries.iter().map(Entry::html).collect::<String>())
}

fn some_entries(random: &mut Random) -> Vec<Entry> {
    let count = 3 + random.below(4);
    (1..=count)
        .map(|at| Entry { shown: Some(at), title: format!("Chapter {}", text(random)), text: text(random) })
        .collect()
}

fn new_entry(random: &mut Random) -> Entry {
    Entry { shown: None, title: format!("New {}", text(random)), text: text(random) }
}

fn insert(index: usize, entry: &Entry) -> Value {
    let content = format!("<p>{}</p>", entry.text);
    json!({ "operation": "insert", "sectionIndex": index, "title": entry.title, "content": content })
}

fn replace(index: usize, title: Option<&str>, text: &str) -> Value {
    let mut call = json!({ "operation": "replace", "sectionIndex": index, "content": format!("<p>{text}</p>") });
    if let Some(title) = title {
        call["title"] = title.into();
    }
    call
}

fn delete(index: usize) -> Value {
    json!({ "operation": "delete", "sectionIndex": index })
}

fn move_section(index: usize, to: usize) -> Value {
    json!({ "operation": "move_section", "sectionIndex": index, "toIndex": to })
}

#[test]
fn sections_of_an_answer_count_as_they_were_shown() {
    for_seeds(2000, |random| {
        let mut entries = some_entries(random);
        let count = entries.len();
        let mut answer = Answer::new(&html(&entries));
        for _ in 0..2 + random.below(4) {
            let index = 1 + random.below(count);
            let at = entries.iter().position(|entry| entry.shown == Some(index));
            let before = answer.html();
            let (call, after) = match (random.below(4), at) {
                (0, Some(at)) => {
                    let entry = new_entry(random);
                    let call = insert(index, &entry);
                    entries.insert(at, entry);
                    (call, true)
                }
                (1, Some(at)) if entries.len() > 1 => {
                    entries.remove(at);
                    (delete(index), true)
                }
                (2, Some(at)) => {
                    let to = 1 + random.below(count);
                    match entries.iter().position(|entry| entry.shown == Some(to)) {
                        Some(place) => {
                            let entry = entries.remove(at);
                            entries.insert(place, entry);
                            (move_section(index, to), true)
                        }
                        None => continue,
                    }
                }
                (3, Some(at)) => {
                    let text = if random.below(2) == 0 { text(random) } else { reworded(random, &entries[at].text) };
                    let title = (random.below(3) == 0).then(|| match random.below(2) {
                        0 => entries[at].title.clone(),
                        _ => new_entry(random).title,
                    });
                    entries[at].text.clone_from(&text);
                    if let Some(title) = &title {
                        entries[at].title.clone_from(title);
                    }
                    (replace(index, title.as_deref(), &text), true)
                }
                // It was removed, and another one has its index now.
                (3, None) => (replace(index, None, &text(random)), false),
                (1, None) => (delete(index), false),
                _ => continue,
            };
            match answer.call(&call) {
                Ok(counts_own_edits) => assert!(after && !counts_own_edits, "{call}"),
                Err(error) => {
                    assert!(!after && error.code() == "stale", "{call}: {error}");
                    assert_eq!(answer.html(), before);
                }
            }
            assert_eq!(answer.html(), html(&entries), "{call}");
        }
    });
}

#[test]
fn a_section_is_recognised_by_its_title_or_content_at_the_index_that_earlier_calls_give_it() {
    for_seeds(2000, |random| {
        let mut entries = some_entries(random);
        let mut answer = Answer::new(&html(&entries));
        // Calls that leave the other sections with other indexes.
        let at = random.below(entries.len());
        let call = match random.below(3) {
            0 => {
                let entry = new_entry(random);
                let call = insert(at + 1, &entry);
                entries.insert(at, entry);
                call
            }
            1 => {
                entries.remove(at);
                delete(at + 1)
            }
            _ => {
                let to = random.below(entries.len());
                let entry = entries.remove(at);
                entries.insert(to, entry);
                move_section(at + 1, to + 1)
            }
        };
        answer.call(&call).unwrap();
        for _ in 0..1 + random.below(3) {
            let at = random.below(entries.len());
            let is_elsewhere = entries[at].shown != Some(at + 1);
            let (title, text) = match random.below(3) {
                0 => (Some(entries[at].title.clone()), text(random)),
                1 => (None, reworded(random, &entries[at].text)),
                _ => (Some(entries[at].title.clone()), reworded(random, &entries[at].text)),
            };
            let call = replace(at + 1, title.as_deref(), &text);
            let counts_own_edits = answer.call(&call).unwrap();
            assert_eq!(counts_own_edits, is_elsewhere, "{call}");
            entries[at].text = text;
            assert_eq!(answer.html(), html(&entries), "{call}");
        }
    });
}

/// A line: the number with which it was shown, and its text.
type Row = (Option<usize>, String);

fn paragraphs(rows: &[Row]) -> String {
    rows.iter().map(|(_, text)| format!("<p>{text}</p>")).collect()
}

fn some_rows(random: &mut Random) -> Vec<Row> {
    (1..=5 + random.below(5)).map(|line| (Some(line), text(random))).collect()
}

fn lines(line: usize, content: &str) -> Value {
    json!({ "operation": "replace_lines", "edits": [{ "start_line": line, "end_line": line, "content": content }] })
}

#[test]
fn lines_of_an_answer_count_as_they_were_shown() {
    for_seeds(2000, |random| {
        let mut rows = some_rows(random);
        let count = rows.len();
        let mut answer = Answer::new(&paragraphs(&rows));
        for _ in 0..2 + random.below(4) {
            let line = 1 + random.below(count);
            let Some(at) = rows.iter().position(|(shown, _)| *shown == Some(line)) else { continue };
            let call = match random.below(3) {
                0 if rows.len() > 2 => {
                    rows.remove(at);
                    lines(line, "")
                }
                // The line with others after it.
                1 => {
                    let new = text(random);
                    let content = format!("{}\n{new}", rows[at].1);
                    rows.insert(at + 1, (None, new));
                    lines(line, &content)
                }
                _ => {
                    let new = if random.below(2) == 0 { text(random) } else { reworded(random, &rows[at].1) };
                    rows[at] = (None, new.clone());
                    lines(line, &new)
                }
            };
            assert!(!answer.call(&call).unwrap(), "{call}");
            assert_eq!(answer.html(), paragraphs(&rows), "{call}");
        }
    });
}

#[test]
fn a_line_is_recognised_by_its_content_at_the_number_that_earlier_calls_give_it() {
    let made = std::cell::Cell::new((0, 0));
    for_seeds(2000, |random| {
        let mut rows = some_rows(random);
        let mut answer = Answer::new(&paragraphs(&rows));
        let at = random.below(rows.len());
        let call = match random.below(2) {
            0 => {
                rows.remove(at);
                lines(at + 1, "")
            }
            _ => {
                let new: Vec<String> = (0..1 + random.below(3)).map(|_| text(random)).collect();
                let content = format!("{}\n{}", rows[at].1, new.join("\n"));
                rows.splice(at + 1..at + 1, new.into_iter().map(|text| (None, text)));
                lines(at + 1, &content)
            }
        };
        answer.call(&call).unwrap();
        let mut edited = Vec::new();
        for _ in 0..1 + random.below(3) {
            let at = random.below(rows.len());
            if edited.contains(&at) {
                continue;
            }
            edited.push(at);
            let is_elsewhere = rows[at].0 != Some(at + 1);
            let new = reworded(random, &rows[at].1);
            let call = lines(at + 1, &new);
            let (done, refused) = made.get();
            match answer.call(&call) {
                Ok(counts_own_edits) => {
                    assert_eq!(counts_own_edits, is_elsewhere, "{call}");
                    rows[at].1 = new;
                    made.set((done + 1, refused));
                }
                Err(error) => {
                    assert!(is_elsewhere && ["stale", "wrong_line"].contains(&error.code()), "{error}");
                    made.set((done, refused + 1));
                }
            }
            assert_eq!(answer.html(), paragraphs(&rows), "{call}");
        }
    });
    let (done, refused) = made.get();
    assert!(refused * 50 < done || std::env::var_os("COPYDESK_SEED").is_some(), "{done} recognised, {refused} refused");
}

#[test]
fn edits_of_one_call_that_count_differently_are_refused() {
    let rows: Vec<String> =
        (1..=6).map(|at| format!("Line {at} says {}.", WORDS[at * 5..at * 5 + 5].join(" "))).collect();
    let html: String = rows.iter().map(|row| format!("<p>{row}</p>")).collect();
    let mut answer = Answer::new(&html);
    answer.call(&lines(1, &format!("{}\nA line that was not there before.", rows[0]))).unwrap();
    let before = answer.html();
    let edit = |line: usize, like: usize| json!({ "start_line": line, "end_line": line, "content": rows[like - 1].replace("says", "says now") });
    // Line 3 as it was shown, line 6 as the first call leaves it.
    let mixed = json!({ "operation": "replace_lines", "edits": [edit(3, 3), edit(6, 5)] });
    let error = answer.call(&mixed).unwrap_err();
    assert!(matches!(error, Error::StaleLines { first: 3, last: 6, .. }), "{error:?}");
    assert_eq!(answer.html(), before);
    let one = json!({ "operation": "replace_lines", "edits": [edit(4, 3), edit(6, 5)] });
    assert!(answer.call(&one).unwrap());
    let expected = before.replace("Line 3 says", "Line 3 says now").replace("Line 5 says", "Line 5 says now");
    assert_eq!(answer.html(), expected);
}

#[test]
fn a_text_is_the_one_near_the_line_that_has_it() {
    let html = "<p>One old leaf.</p><p>Two.</p><p>Three.</p><p>Four.</p><p>One old leaf again.</p><p>Six.</p>";
    for (near, expected) in [
        // As it was shown, and as the first call leaves it.
        (5, "<p>Two.</p><p>Three.</p><p>Four.</p><p>One new leaf again.</p>"),
        (7, "<p>Two.</p><p>Three.</p><p>Four.</p><p>One new leaf again.</p>"),
    ] {
        let mut answer = Answer::new(html);
        answer.call(&lines(1, "One old leaf.\nNew one.\nNew two.")).unwrap();
        let call = json!({ "operation": "replace_text", "old": "old leaf", "new": "new leaf", "near_line": near });
        let counts_own_edits = answer.call(&call);
        assert_eq!(counts_own_edits.ok(), Some(near == 7), "{near}");
        assert!(answer.html().contains(expected), "{}", answer.html());
    }
}

#[test]
fn a_section_that_the_answer_added_may_be_changed_at_the_index_that_it_has() {
    let html = "<h1>Tea</h1><h2>History</h2><p>Old.</p>";
    let mut answer = Answer::new(html);
    let added = Entry { shown: None, title: "Kinds".into(), text: "Many.".into() };
    // Behind the last section, where no other had an index.
    answer.call(&insert(2, &added)).unwrap();
    assert!(answer.call(&replace(2, None, "Green and black.")).unwrap());
    assert_eq!(answer.html(), format!("{html}<h2>Kinds</h2><p>Green and black.</p>"));
    // If a section that was shown has the index, it is meant, unless the title says otherwise.
    let mut answer = Answer::new(html);
    answer.call(&insert(1, &added)).unwrap();
    assert!(answer.call(&replace(1, Some("Kinds"), "Green and black.")).unwrap());
    assert!(!answer.call(&replace(1, None, "Older than paper.")).unwrap());
    let expected = "<h1>Tea</h1><h2>Kinds</h2><p>Green and black.</p><h2>History</h2><p>Older than paper.</p>";
    assert_eq!(answer.html(), expected);
}

#[test]
fn a_heading_in_the_content_is_a_title() {
    let html = "<h1>Tea</h1><h2>History</h2><p>Old.</p><h2>Kinds</h2><p>Many.</p><h2>End</h2><p>Drink.</p>";
    for content in ["<h2>Kinds</h2><p>Green.</p>", "<h2>Kinds</h2>\n<p>Green.</p>"] {
        let mut answer = Answer::new(html);
        answer.call(&delete(1)).unwrap();
        let call = json!({ "operation": "replace", "sectionIndex": 1, "content": content });
        assert!(answer.call(&call).unwrap(), "{content}");
        assert_eq!(answer.html(), "<h1>Tea</h1><h2>Kinds</h2><p>Green.</p><h2>End</h2><p>Drink.</p>");
    }
}
