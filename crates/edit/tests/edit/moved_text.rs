//! Plain text keeps the marks of unchanged text, also if lines are joined, split or swapped.

use crate::random::Random;
use crate::{after, cell, update};
use serde_json::{Value, json};

const TWO: &str = r#"<p>See <a href="https://a.org/">the guide</a> today</p><p>and <strong>read it</strong> twice</p>"#;

fn lines(start: usize, end: usize, content: &str) -> Value {
    json!({ "operation": "replace_lines", "edits": [{ "start_line": start, "end_line": end, "content": content }] })
}

/// Returns the document after an edit of lines, without the attributes that TipTap's link brings.
fn edited(html: &str, edit: Value) -> String {
    let link = r#" target="_blank" rel="noopener noreferrer nofollow""#;
    after(html, edit).replace(link, "").replace(&link.replacen(" target", "target", 1), "")
}

#[test]
fn joined_lines_keep_the_marks_of_both() {
    assert_eq!(
        edited(TWO, lines(1, 2, "See the guide today and read it twice")),
        r#"<p>See <a href="https://a.org/">the guide</a> today and <strong>read it</strong> twice</p>"#
    );
}

#[test]
fn a_split_line_keeps_the_marks_of_both_parts() {
    let html = r#"<p>See <a href="https://a.org/">the guide</a> today and <strong>read it</strong> twice</p>"#;
    assert_eq!(edited(html, lines(1, 1, "See the guide today\nand read it twice")), TWO);
}

#[test]
fn swapped_lines_are_what_they_were() {
    assert_eq!(
        edited(TWO, lines(1, 2, "and read it twice\nSee the guide today")),
        r#"<p>and <strong>read it</strong> twice</p><p>See <a href="https://a.org/">the guide</a> today</p>"#
    );
}

#[test]
fn words_that_recur_by_chance_bring_no_marks() {
    assert_eq!(
        edited(
            r#"<p><a href="https://a.org/">The oldest of all teas</a></p><p>Water.</p>"#,
            lines(1, 2, "Rice.\nThe water.")
        ),
        r#"<p><a href="https://a.org/">Rice.</a></p><p>The water.</p>"#
    );
}

/// Words that occur once, each with its mark. The oracle: a word that moves takes its mark with it.
#[test]
fn every_word_keeps_its_mark_wherever_its_line_goes() {
    const MARKS: [(&str, &str); 4] = [("", ""), ("<strong>", "</strong>"), ("<em>", "</em>"), ("<s>", "</s>")];
    let mut random = Random::new();
    for round in 0..400 {
        // Marks cover whole sentences of three words, so that no word is separated from words with the same mark.
        let mut sentences: Vec<(usize, Vec<String>)> = Vec::new();
        for sentence in 0..2 + random.below(6) {
            let words = (0..3).map(|word| format!("word{sentence}x{word}")).collect();
            sentences.push((random.below(MARKS.len()), words));
        }
        let html = |sentences: &[(usize, Vec<String>)], ends: &[bool]| {
            let mut html = String::from("<p>");
            for (at, (mark, words)) in sentences.iter().enumerate() {
                let (open, close) = MARKS[*mark];
                html += &format!("{open}{}{close}", words.join(" "));
                html += match (at + 1 == sentences.len(), ends[at]) {
                    (true, _) => "</p>",
                    (false, true) => "</p><p>",
                    (false, false) => ", ",
                };
            }
            html
        };
        let ends: Vec<bool> = sentences.iter().map(|_| random.below(2) == 0).collect();
        let cell = cell(&html(&sentences, &ends));
        let count = cell.document().line_count();
        // Sentences change places; where lines end changes too.
        let mut moved = sentences.clone();
        let at = random.below(moved.len());
        moved.rotate_left(at);
        let ends: Vec<bool> = moved.iter().map(|_| random.below(2) == 0).collect();
        let text = html(&moved, &ends).replace("</p><p>", "\n");
        let text = MARKS.iter().fold(text, |text, (open, close)| text.replace(open, "").replace(close, ""));
        let text = text.replace("<p>", "").replace("</p>", "");
        let before = cell.document().to_html();
        update(&cell, lines(1, count, &text)).unwrap();
        let document = cell.document();
        let mut seen = 0;
        for (block, node) in document.blocks().iter().flat_map(|block| block.children().iter().map(move |n| (block, n)))
        {
            for word in node.text().unwrap_or("").split([' ', ',']).filter(|word| !word.is_empty()) {
                let (mark, _) = sentences.iter().find(|(_, words)| words.iter().any(|own| own == word)).unwrap();
                let marks: Vec<_> =
                    node.marks().iter().map(|mark| document.schema().mark(mark.kind).unwrap().name.clone()).collect();
                let expected: Vec<&str> = match *mark {
                    0 => vec![],
                    at => vec![["bold", "italic", "strike"][at - 1]],
                };
                assert_eq!(marks, expected, "round {round}: {word} in {block:?}\n{before}\n{text}");
                seen += 1;
            }
        }
        assert_eq!(seen, 3 * sentences.len(), "round {round}: {document:?}");
    }
}

#[test]
fn a_link_that_html_takes_to_another_line_keeps_what_the_html_does_not_repeat() {
    let link = |attributes: &str| format!(r#"<a{attributes} href="https://a.org/">the guide</a>"#);
    let old = link(r#" target="_self" rel="author""#);
    for (open, close) in [("", ""), ("<ul><li>", "</li></ul>")] {
        let html = format!("{open}<p>See {old} today</p>{close}{open}<p>and twice</p>{close}");
        let edits = json!([
            { "start_line": 1, "end_line": 1, "content": "See it <em>today</em>" },
            { "start_line": 2, "end_line": 2, "content": format!("and {} twice", link("")) },
        ]);
        let after = after(&html, json!({ "operation": "replace_lines", "edits": edits }));
        assert!(after.contains(r#"target="_self" rel="author" href="https://a.org/""#), "{after}");
    }
}

#[test]
fn a_word_with_a_mark_of_its_own_takes_it_along_into_another_line() {
    let html = "<p>Alpha <strong>Zebra</strong> one two three</p><p>Beta four five six</p>";
    assert_eq!(
        edited(html, lines(1, 2, "Alpha one two three\nBeta Zebra four five six")),
        "<p>Alpha one two three</p><p>Beta <strong>Zebra</strong> four five six</p>"
    );
}
