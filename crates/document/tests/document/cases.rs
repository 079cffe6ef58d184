//! The 60 cases that TipTap itself answered: document, HTML, lines and sections must be the very same.

use copydesk_document::Document;
use serde_json::{Value, json};

fn each_case(check: impl Fn(&Document, &Value) -> (Value, Value)) {
    let file: Value = serde_json::from_str(include_str!("../../../../tests/fixtures/documents/cases.json")).unwrap();
    let cases = file["cases"].as_array().unwrap();
    assert_eq!(cases.len(), 60);
    let mut wrong = Vec::new();
    for case in cases {
        let document = Document::from_html(case["html"].as_str().unwrap()).unwrap();
        let (ours, theirs) = check(&document, case);
        if ours != theirs {
            wrong.push(format!("{}\n  ours   {ours}\n  theirs {theirs}", case["id"]));
        }
    }
    assert!(wrong.is_empty(), "{} of 60 differ:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn html_becomes_the_document_that_tiptap_makes_of_it() {
    each_case(|document, case| (serde_json::from_str(&document.to_json()).unwrap(), case["doc"].clone()));
}

#[test]
fn the_json_text_has_the_order_of_tiptaps() {
    each_case(|document, case| (document.to_json().into(), case["doc"].to_string().into()));
}

#[test]
fn a_document_becomes_the_html_that_tiptap_writes() {
    each_case(|document, case| (document.to_html().into(), case["editorHtml"].clone()));
}

#[test]
fn a_document_is_as_wide_as_tiptaps() {
    each_case(|document, case| (document.size().into(), case["docSize"].clone()));
}

#[test]
fn lines_stand_where_tiptap_has_them() {
    each_case(|document, case| {
        let line = |line: copydesk_document::Line| json!({"line": line.line, "from": line.from, "to": line.to, "type": line.kind, "text": line.text});
        (document.lines().into_iter().map(line).collect(), case["lines"].clone())
    });
}

#[test]
fn sections_stand_where_the_cases_have_them() {
    each_case(|document, case| {
        let section = |section: copydesk_document::Section| json!({"index": section.index, "title": section.title, "from": section.from, "to": section.to});
        (document.sections().iter().cloned().map(section).collect(), case["sections"].clone())
    });
}

#[test]
fn json_reads_back_as_the_same_document() {
    each_case(|document, _| {
        let again = Document::from_json(&document.to_json(), document.schema().clone()).unwrap();
        assert!(again == *document);
        (again.to_json().into(), document.to_json().into())
    });
}

#[test]
fn where_a_chunk_of_html_ends_makes_no_difference() {
    // HTML is given to the parser in chunks; the comment moves the end of the first through the case.
    each_case(|_, case| {
        let html = case["html"].as_str().unwrap();
        let after = |comment: usize| Document::from_html(format!("<!--{}-->{html}", "c".repeat(comment))).unwrap();
        let whole = after(0).to_json();
        let step = 1 + html.len() / 50;
        let differs =
            (0..html.len()).step_by(step).map(|at| after(16_384 - 7 - at).to_json()).find(|json| *json != whole);
        (differs.unwrap_or_else(|| whole.clone()).into(), whole.into())
    });
}

#[test]
fn an_annotation_in_mathml_holds_html() {
    // As TipTap 3.34 answers in Chromium 156.
    let html = r#"<math style="font-weight:bold"><annotation-xml encoding="text/html">y<br>z"#;
    assert_eq!(Document::from_html(html).unwrap().to_html(), "<p><strong>y<br>z</strong></p>");
}
