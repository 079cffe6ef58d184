//! Reading, writing and querying documents.

use super::sources::*;
use super::{Family, family};
use copydesk_document::{Document, Node, Style};
use copydesk_edit::apply::outline;

pub fn families() -> Vec<Family> {
    let html = |name, unit, make: fn(usize) -> String| family(name, unit, make, |html: &String| document(html));
    let read = |name, unit, make: fn(usize) -> Document, look: fn(&Document) -> usize| {
        family(name, unit, make, move |document: &Document| look(document))
    };
    vec![
        html("from HTML, paragraphs", 2000, |n| repeat(n, |at| format!("<p>{}</p>", sentence(at)))),
        html("from HTML, one paragraph", 20_000, |n| format!("<p>{}</p>", text_of(n, 0))),
        html("from HTML, one list", 2000, |n| paragraphs_as(n, "<ul>", "<li>", "</li>", "</ul>")),
        html("from HTML, one table", 1000, |n| paragraphs_as(n, "<table>", "<tr><td>", "</td></tr>", "</table>")),
        html("from HTML, marks in one paragraph", 4000, |n| {
            repeat(n, |at| format!("<b>a{at}</b><i>b<a href='https://x.example/{at}'>c</a></i>"))
        }),
        html("from HTML, pictures", 2000, |n| repeat(n, |at| format!("<img src='/{at}.png'>"))),
        html("from HTML, tags that stay open", 2000, |n| "<p>a<b>b".repeat(n)),
        html("from HTML, tags closed in another order", 2000, |n| "<b><i>a</b></i>".repeat(n)),
        html("from HTML, text between the rows of a table", 2000, |n| format!("<table>{}", "a<tr>b<td>c".repeat(n))),
        html("from HTML, attributes of one tag", 500, |n| format!("<p {}>a</p>", repeat(n, |at| format!("a{at}=1 ")))),
        html("from HTML, white space", 20_000, |n| "<p>a</p> \n ".repeat(n / 10) + &" ".repeat(n)),
        html("from HTML, references", 20_000, |n| "&amp;&lt;&notit;&".repeat(n / 4)),
        html("from HTML, comments and what only begins one", 4000, |n| {
            "<!--a--><!b><?c>".repeat(n) + &"<!--".repeat(n)
        }),
        html("from HTML, quotes in quotes", 24, |n| {
            format!("{}a{}", "<blockquote>".repeat(n), "</blockquote>".repeat(n))
        }),
        html("from HTML, lists in lists", 12, |n| format!("{}{}", "<ul><li>a".repeat(n), "</li></ul>".repeat(n))),
        html("from HTML, styles", 2000, |n| repeat(n, |_| "<span style='font-weight:bold;color:red'>a</span>".into())),
        family("from JSON", 2000, |n| paragraphs(n).to_json(), |json: &String| from_json(json)),
        read("to JSON", 4000, paragraphs, |document| document.to_json().len()),
        read("to HTML", 4000, paragraphs, |document| document.to_html().len()),
        read("sections", 4000, sections, |document| document.sections().len()),
        read("outline", 2000, sections, |document| outline(document).to_string().len()),
        read("lines of paragraphs", 4000, paragraphs, |document| document.lines().len()),
        read("lines of one list", 4000, list, |document| document.lines().len()),
        read("lines of one block of code", 4000, code, |document| document.lines().len()),
        read("numbered, one list", 2000, list, |document| numbered(document, 1, document.line_count())),
        read("numbered, one table", 2000, table, |document| numbered(document, 1, document.line_count())),
        read("numbered, 100 lines at the end", 16_000, paragraphs, |document| {
            numbered(document, document.line_count() - 99, document.line_count())
        }),
        family("sync, one block", 8000, paragraphs, |document: &Document| typed(document, document.blocks().len())),
        family("sync, every second block", 1000, paragraphs, |document: &Document| typed(document, 2)),
        family("sync, blocks inserted here and there", 1000, paragraphs, |document: &Document| inserted(document, 2)),
        family(
            "sync, all blocks others",
            1000,
            |n| (paragraphs(n), other_paragraphs(n)),
            |(document, others): &(Document, Document)| {
                let mut document = document.clone();
                let json = json_of(others, others.blocks());
                document.sync(0, document.blocks().len(), &json).expect("it is synced")
            },
        ),
        family("sync, one block of a list as long", 2000, list, |document: &Document| typed(document, 1)),
    ]
}

fn paragraphs_as(count: usize, before: &str, open: &str, close: &str, after: &str) -> String {
    format!("{before}{}{after}", repeat(count, |at| format!("{open}<p>{}</p>{close}", sentence(at))))
}

fn other_paragraphs(count: usize) -> Document {
    document(&repeat(count, |at| format!("<p>other {}</p>", sentence(at + count))))
}

fn numbered(document: &Document, first: usize, last: usize) -> usize {
    document.numbered(Some(first), Some(last), Style::Structure).expect("the lines are shown").len()
}

/// Changes the text of every `step`th block, in one report of the editor.
fn typed(document: &Document, step: usize) -> Document {
    let mut typed = document.clone();
    let changed = (0..document.blocks().len()).step_by(step);
    let stretches: Vec<[usize; 3]> = changed.clone().map(|at| [at, 1, 1]).collect();
    let blocks: Vec<Node> = changed.map(|at| with_more(document, &document.blocks()[at])).collect();
    typed.sync_stretches(&stretches, &json_of(document, &blocks)).expect("it is synced");
    typed
}

fn inserted(document: &Document, step: usize) -> Document {
    let mut grown = document.clone();
    let places = (0..document.blocks().len()).step_by(step);
    let stretches: Vec<[usize; 3]> = places.clone().map(|at| [at, 0, 1]).collect();
    let blocks: Vec<Node> = places.map(|at| with_more(document, &document.blocks()[at])).collect();
    grown.sync_stretches(&stretches, &json_of(document, &blocks)).expect("it is synced");
    grown
}

/// Returns the block with a text appended to its first textblock.
fn with_more(document: &Document, block: &Node) -> Node {
    let mut children = block.children().to_vec();
    match children.first() {
        Some(first) if !first.is_text() => children[0] = with_more(document, first),
        _ => children.push(Node::text_node(document.schema(), " more", Default::default())),
    }
    block.with_children(children)
}
