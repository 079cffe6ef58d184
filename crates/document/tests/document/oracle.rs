//! Random HTML and random documents, with TipTap's own results in Chromium (`tests/oracle`).
//!
//! A few hundred answers are committed. More are read with
//! `ORACLE_HTML=answers.jsonl cargo test --test document oracle` (and `ORACLE_DOCUMENTS`), from files that
//! `node tests/oracle/ask.mjs` wrote.

use copydesk_document::{Document, Schema};
use serde_json::Value;
use std::fs;

/// Compares every answer in a file and reports the shortest that differ.
fn compare(file: &str, check: impl Fn(&Value) -> Result<(), String>) {
    let text = fs::read_to_string(file).unwrap_or_else(|error| panic!("{file}: {error}"));
    let mut count = 0;
    let mut wrong = Vec::new();
    for line in text.lines() {
        let answer: Value = serde_json::from_str(line).unwrap();
        count += 1;
        if let Err(difference) = check(&answer) {
            wrong.push((answer["html"].as_str().unwrap().len(), answer["seed"].clone(), difference));
        }
    }
    wrong.sort_by_key(|(length, ..)| *length);
    let shown: Vec<_> =
        wrong.iter().take(10).map(|(_, seed, difference)| format!("seed {seed}\n{difference}\n")).collect();
    println!("{file}: {count} answers, {} differ", wrong.len());
    assert!(wrong.is_empty(), "{} of {count} differ:\n{}", wrong.len(), shown.join("\n"));
}

fn same(what: &str, html: &Value, ours: &str, theirs: &str) -> Result<(), String> {
    if ours == theirs {
        return Ok(());
    }
    // Long answers are shown from a little before the place where they part.
    let common = ours.bytes().zip(theirs.bytes()).take_while(|(a, b)| a == b).count();
    let part = |text: &str| {
        let characters: Vec<char> = text.chars().collect();
        let start = String::from_utf8_lossy(&text.as_bytes()[..common]).chars().count().saturating_sub(80);
        characters[start.min(characters.len())..].iter().take(300).collect::<String>()
    };
    Err(format!("{what} of {html}\n  ours   …{}\n  theirs …{}", part(ours), part(theirs)))
}

fn file(variable: &str, committed: &str) -> String {
    std::env::var(variable)
        .unwrap_or_else(|_| format!("{}/../../tests/fixtures/documents/{committed}", env!("CARGO_MANIFEST_DIR")))
}

#[test]
fn random_html_becomes_what_tiptap_makes_of_it() {
    compare(&file("ORACLE_HTML", "random-html.jsonl"), |answer| {
        let html = &answer["html"];
        let document = Document::from_html(html.as_str().unwrap()).map_err(|error| format!("{html}\n  {error}"))?;
        same("document", html, &document.to_json(), &answer["doc"].to_string())?;
        same("html", html, &document.to_html(), answer["editorHtml"].as_str().unwrap())
    });
}

#[test]
fn random_documents_become_the_html_that_tiptap_writes_and_what_it_makes_of_that() {
    compare(&file("ORACLE_DOCUMENTS", "random-documents.jsonl"), |answer| {
        let json = answer["json"].to_string();
        let document = Document::from_json(&json, Schema::tiptap()).map_err(|error| format!("{json}\n  {error}"))?;
        same("json", &answer["json"], &document.to_json(), &json)?;
        same("html", &answer["json"], &document.to_html(), answer["html"].as_str().unwrap())?;
        let again = Document::from_html(document.to_html()).map_err(|error| error.to_string())?;
        same("document", &answer["html"], &again.to_json(), &answer["doc"].to_string())?;
        same("html again", &answer["html"], &again.to_html(), answer["editorHtml"].as_str().unwrap())
    });
}
