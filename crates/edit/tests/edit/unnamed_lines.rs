//! Content that names no lines: it is the document only if it demonstrably is. `COPYDESK_SEED=n` makes a run again.

use super::documents::{blocks, document_of, for_seeds};
use super::random::Random;
use super::{after, cell, refused, update};
use copydesk_base::{ErrorInfo, Locale};
use copydesk_document::Document;
use copydesk_edit::DocumentCell;
use serde_json::{Value, json};

const POEM: [&str; 6] = [
    "The river runs slow in March.",
    "Ice breaks along the northern bank.",
    "A heron waits for the thaw.",
    "Boats come back in April.",
    "Children fish from the bridge.",
    "Summer smells of reed and tar.",
];

fn poem() -> String {
    POEM.map(|line| format!("<p>{line}</p>")).concat()
}

fn replace_lines(edits: Value) -> Value {
    json!({ "operation": "replace_lines", "edits": edits })
}

#[test]
fn an_edit_without_lines_takes_those_beside_it() {
    let expected = poem().replace("northern", "southern");
    let content = POEM[1].replace("northern", "southern");
    for (start, end) in
        [(json!(2), json!(2)), (json!(2), Value::Null), (Value::Null, json!(2)), (json!("2"), json!("2"))]
    {
        for given in [
            json!({ "operation": "replace_lines", "start_line": start, "end_line": end, "edits": [{ "content": content }] }),
            json!({ "operation": "replace_lines", "start_line": start, "end_line": end, "content": content }),
            json!({ "operation": "replace_lines", "start_line": start, "end_line": end, "content": content, "edits": [] }),
            json!({ "operation": "replace_lines", "start_line": start, "end_line": end, "content": content,
                "edits": [{ "content": content }] }),
            json!({ "operation": "replace_lines", "start_line": start, "end_line": end, "content": "",
                "edits": [{ "content": content }] }),
        ] {
            assert_eq!(after(&poem(), given.clone()), expected, "{given}");
        }
    }
    let both = json!({ "operation": "replace_lines", "start_line": 6, "end_line": 6,
        "edits": [{ "start_line": 2, "content": content }, { "content": "" }] });
    assert_eq!(after(&poem(), both), expected.replace(&format!("<p>{}</p>", POEM[5]), ""));
}

#[test]
fn of_several_edits_each_names_its_lines() {
    for edits in [
        json!([{ "content": "One." }, { "content": "Two." }]),
        json!([{ "start_line": 1, "content": "One." }, { "content": "Two." }]),
    ] {
        let error = refused(&poem(), replace_lines(edits.clone()));
        assert_eq!(error.code(), "invalid_parameter", "{edits}");
        assert!(error.message(Locale::En).contains("start_line") && error.message(Locale::ZhCn).contains("start_line"));
    }
    let content =
        json!({ "operation": "replace_lines", "content": "One.", "edits": [{ "start_line": 2, "content": "Two." }] });
    assert_eq!(refused(&poem(), content).code(), "invalid_parameter");
}

#[test]
fn content_that_is_nearly_a_line_is_refused_with_that_line() {
    let nearly = POEM[1].replace("northern", "southern");
    let error = refused(&poem(), replace_lines(json!([{ "content": nearly }])));
    assert_eq!(error.code(), "would_drop");
    assert_eq!(error.details(), json!({ "lines": 6, "left": 1, "like": [2, 2] }));
    for locale in [Locale::En, Locale::ZhCn] {
        let message = error.message(locale);
        for part in ["start_line: 2", "end_line: 2", "whole: true", "2: Ice breaks along the northern bank."] {
            assert!(message.contains(part), "{part} in {message}");
        }
    }
    let other = refused(&poem(), replace_lines(json!([{ "content": "Snow fell all night." }])));
    assert!(other.message(Locale::En).contains("1: The river runs slow in March."));
}

#[test]
fn a_section_that_would_be_left_with_a_few_of_its_lines_is_refused() {
    let sea = "<h2>Sea</h2>".to_owned() + &"<p>Salt and wind and nothing else.</p>".repeat(8);
    let html = format!("<h2>River</h2>{}{sea}", poem());
    let replace = |content: &str| json!({ "operation": "replace", "sectionIndex": 1, "content": content });
    let nearly = POEM[1].replace("northern", "southern");
    let error = refused(&html, replace(&format!("<p>{nearly}</p>")));
    assert_eq!((error.code(), error.details()["like"].clone()), ("would_drop", json!([3, 3])));
    let mut meant = replace(&format!("<p>{nearly}</p>"));
    meant["whole"] = json!(true);
    assert_eq!(after(&html, meant), format!("<h2>River</h2><p>{nearly}</p>{sea}"));
    // A shorter text of its own is a new content.
    let short = "<p>Rivers freeze and thaw.</p>";
    assert_eq!(after(&html, replace(short)), format!("<h2>River</h2>{short}{sea}"));
}

/// The texts of the lines that have one.
fn texts(document: &Document) -> Vec<String> {
    let lines = document.lines().into_iter().map(|line| line.text);
    lines.filter(|text| !text.trim().is_empty()).collect()
}

/// Words that are in no random document.
fn fresh(random: &mut Random) -> String {
    let words = ["quartz", "vexes", "jumbled", "glyphs", "钟表", "邮递员"];
    (0..3 + random.below(4)).map(|_| *random.pick(&words)).collect::<Vec<_>>().join(" ")
}

/// A document of 1 to 40 blocks whose lines are distinguished by a number.
fn numbered_document(random: &mut Random) -> Document {
    let mut count = 0;
    let mut number = |block: &mut Value| {
        fn visit(node: &mut Value, count: &mut usize) {
            if let Some(text) = node["text"].as_str().map(str::to_owned) {
                *count += 1;
                node["text"] = format!("{text} entry{count} of{count}").into();
            }
            if let Some(children) = node["content"].as_array_mut() {
                children.iter_mut().for_each(|child| visit(child, count));
            }
        }
        visit(block, &mut count);
    };
    let mut blocks = blocks(random, 1, 40);
    blocks.iter_mut().for_each(&mut number);
    document_of(&blocks)
}

fn whole(document: &Document, content: &str, format: &str) -> (Result<(), copydesk_edit::Error>, Document) {
    let cell = DocumentCell::new(document.clone());
    let given = replace_lines(json!([{ "content": content, "format": format }]));
    let outcome = update(&cell, given).map(drop);
    (outcome, cell.document())
}

#[test]
fn a_part_of_a_random_document_never_replaces_it() {
    for_seeds(400, |random| {
        let document = numbered_document(random);
        let texts = texts(&document);
        if texts.len() < 2 {
            return;
        }
        // Up to half of its lines that follow each other, with or without a word more, or a text of its own.
        let count = 1 + random.below(texts.len() / 2);
        let first = random.below(texts.len() - count + 1);
        let mut part = texts[first..first + count].to_vec();
        match random.below(4) {
            0 => part.iter_mut().for_each(|line| line.push_str(" more")),
            1 => part = (0..1 + random.below(texts.len())).map(|_| fresh(random)).collect(),
            // Of two lines, one and another is a document with a new line.
            2 if texts.len() > 2 => part.push(fresh(random)),
            _ => {}
        }
        let (content, format) = match random.below(2) {
            0 => (part.join("\n"), "text"),
            _ => (part.iter().map(|line| format!("<p>{}</p>", line.replace('<', "&lt;"))).collect(), "html"),
        };
        let (outcome, after) = whole(&document, &content, format);
        let error = outcome.expect_err(&format!("{content:?} replaced {texts:?}"));
        assert_eq!(error.code(), "would_drop", "{content:?} for {texts:?}: {error:?}");
        assert_eq!(after.to_json(), document.to_json());
    });
}

#[test]
fn a_random_document_with_changes_is_the_document() {
    for_seeds(400, |random| {
        let document = numbered_document(random);
        let mut lines: Vec<String> = document.lines().into_iter().map(|line| line.text).collect();
        // Changed words, added lines, and up to a third of the lines left out between the first and the last.
        for line in &mut lines {
            if random.below(3) == 0 && !line.trim().is_empty() {
                line.push_str(" more");
            }
        }
        let has_text = |line: &String| !line.trim().is_empty();
        let Some(first) = lines.iter().position(has_text) else { return };
        let many = lines.iter().filter(|line| has_text(line)).count().saturating_sub(2) / 3;
        for _ in 0..many.min(random.below(4)) {
            let last = lines.iter().rposition(has_text).unwrap_or(first);
            lines.remove(first + 1 + random.below(last - first - 1));
        }
        let at = random.below(lines.len() + 1);
        lines.insert(at, fresh(random));
        let content: String = lines.iter().map(|line| format!("{line}\n")).collect();
        let (outcome, _) = whole(&document, &content, "text");
        assert_eq!(outcome, Ok(()), "{content:?} for {document:?}");
    });
}

#[test]
fn an_empty_document_takes_any_content() {
    assert_eq!(after("<p></p>", replace_lines(json!([{ "content": "<p>One.</p>" }]))), "<p>One.</p>");
    assert_eq!(after("", replace_lines(json!([{ "content": "<p>One.</p>" }]))), "<p>One.</p>");
    let cell = cell("<p>One.</p>");
    assert!(update(&cell, replace_lines(json!([{ "content": "<p>Another text.</p>" }]))).is_err());
}
