//! Locating lines and texts again after edits elsewhere.

use super::sources::*;
use super::{Family, family};
use copydesk_document::Document;
use copydesk_edit::content::Format;
use copydesk_edit::operation::{LineEdit, ReplaceLines};
use copydesk_edit::preview::preview;
use copydesk_edit::relocate::{Shown, persist, relocate_update};
use copydesk_edit::{DocUpdate, DocumentCell};
use serde_json::json;

/// An earlier document, the current one, and the target in the earlier one.
type Carry = (Document, Document, DocUpdate);

pub fn families() -> Vec<Family> {
    let update = |make: fn(usize) -> (Document, Document, ReplaceLines)| {
        move |n| {
            let (then, now, asked) = make(n);
            (then, now, DocUpdate::from(asked))
        }
    };
    let carried = |name, unit, make| family(name, unit, update(make), carry);
    let stale = |name, unit, make| family(name, unit, update(make), refuse);
    vec![
        carried("carry n edits, a block inserted before", 500, |n| {
            let then = paragraphs(n);
            let now = then.replace_blocks(0..0, paragraphs(1).blocks().to_vec());
            (then, now, each(n, 2))
        }),
        carried("carry n edits in one list, an item changed", 250, |n| {
            let then = list(n);
            (then.clone(), with_item(&then, 1, "another"), each(n, 2))
        }),
        carried("carry one edit in a list of n equal items, one changed", 500, |n| {
            let then = equal_list(n);
            (then.clone(), with_item(&then, 0, "another"), asked(vec![line_edit(n / 2, n / 2, "new")]))
        }),
        stale("refuse n edits in a list of equal items, one more", 250, |n| {
            (equal_list(n), same_ids(&equal_list(n), &equal_list(n + 1)), each(n, 2))
        }),
        carried("carry n edits of blocks that came anew", 250, |n| (paragraphs(n), anew(&paragraphs(n)), each(n, 2))),
        carried("carry n edits of two lines of blocks that came anew", 250, |n| {
            let edits = (1..n).step_by(4).map(|at| line_edit(at, at + 1, "new")).collect();
            (paragraphs(n), anew(&paragraphs(n)), asked(edits))
        }),
        stale("refuse an edit of n lines among equal blocks that came anew", 500, |n| {
            let blocks = document(&"<p>the same</p>".repeat(2 * n));
            (blocks.clone(), anew(&blocks), asked(vec![line_edit(n / 2, n / 2 + n, "new")]))
        }),
        stale("refuse n edits among equal blocks that came anew", 250, |n| {
            let blocks = document(&"<p>the same</p>".repeat(n));
            (blocks.clone(), anew(&blocks), each(n, 2))
        }),
        carried("carry the whole text, every second line changed", 250, |n| {
            let then = paragraphs(n);
            let lines = text(&then).into_iter().enumerate();
            let new: Vec<String> =
                lines.map(|(at, line)| if at % 2 == 0 { format!("new {at}") } else { line }).collect();
            let now = then.replace_blocks(0..0, paragraphs(1).blocks().to_vec());
            (then, now, ReplaceLines { edits: vec![whole_edit(new.join("\n"))], ..ReplaceLines::default() })
        }),
        carried("carry the whole text of one list, every second item changed", 250, |n| {
            let then = list(n);
            let lines = text(&then).into_iter().enumerate();
            let new: Vec<String> =
                lines.map(|(at, line)| if at % 2 == 0 { format!("new {at}") } else { line }).collect();
            let now = then.replace_blocks(0..0, paragraphs(1).blocks().to_vec());
            (then, now, ReplaceLines { edits: vec![whole_edit(new.join("\n"))], ..ReplaceLines::default() })
        }),
        family("an agent's n edits of one list", 250, |n| agent(&list(n), n), agent_carries),
        family(
            "an agent's n edits of one list, since changed",
            250,
            |n| {
                let (seen, cell, update) = agent(&list(n), n);
                let now = with_item(&cell.document(), 1, "another");
                (seen, DocumentCell::new(now), update)
            },
            agent_carries,
        ),
        family(
            "what an agent's n edits of paragraphs leave it knowing",
            250,
            |n| {
                let (seen, cell, update) = agent(&paragraphs(n), n);
                let before = cell.document();
                let lines = (1..=n).step_by(2);
                let now = lines
                    .fold(before.clone(), |now, at| now.replace_blocks(at - 1..at, paragraphs(1).blocks().to_vec()));
                (seen, before, now, update)
            },
            |(seen, before, now, update)| seen.clone().wrote(update, before, now),
        ),
        family("carry a text found n times", 500, texts, carry),
        family("preview a section of n", 1000, |n| at_section(&sections(n), n / 2), previewed),
        family("preview a line of n", 1000, |n| at_line(&paragraphs(n), n / 2), previewed),
        family("preview a line of a list of n", 1000, |n| at_line(&list(n), n / 2), previewed),
        family("an approval pending over n equal lines", 250, keeping, |(seen, cell, update)| {
            persist::keep(seen, cell, std::iter::once(("c", update.clone())))
        }),
        family("an approval restored over n equal lines", 250, restoring, |(cell, update, kept)| {
            let (mut seen, mut arguments) = (Shown::default(), serde_json::Map::new());
            persist::restore(&mut seen, cell, update, kept, &mut arguments).ok().expect("the approval is restored")
        }),
    ]
}

fn asked(edits: Vec<LineEdit>) -> ReplaceLines {
    ReplaceLines { edits, ..ReplaceLines::default() }
}

fn each(lines: usize, step: usize) -> ReplaceLines {
    asked((1..=lines).step_by(step).map(|at| line_edit(at, at, format!("new {at}"))).collect())
}

fn whole_edit(content: String) -> LineEdit {
    LineEdit { content, format: Some(Format::Text), ..LineEdit::default() }
}

/// A document of one list in which one item has changed.
fn with_item(then: &Document, at: usize, new: &str) -> Document {
    let other = document(&format!("<ul><li><p>{new}</p></li></ul>"));
    let mut items = then.blocks()[0].children().to_vec();
    items[at] = other.blocks()[0].children()[0].clone();
    let list = then.blocks()[0].with_children(items);
    then.replace_blocks(0..1, vec![list])
}

/// The blocks of one document with the ids of another.
fn same_ids(then: &Document, now: &Document) -> Document {
    then.replace_blocks(0..then.blocks().len(), now.blocks().to_vec())
}

/// Returns a document whose blocks all have new ids.
fn anew(document: &Document) -> Document {
    let mut anew = document.clone();
    (0..document.blocks().len()).for_each(|at| anew.rename_anew(at));
    anew
}

fn texts(count: usize) -> Carry {
    let then = document(&"<p>tea and</p>".repeat(count));
    let now = then.replace_blocks(0..0, paragraphs(1).blocks().to_vec());
    (then, now, replace_text("tea", "coffee").into())
}

/// The knowledge of an agent that was sent the outline and the first lines of a document.
fn shown(document: &Document, lines: usize) -> Shown {
    let mut seen = Shown::default();
    let mut evidence = seen.evidence(document);
    evidence.with_outline();
    let text = evidence.with_lines(1..=lines).unwrap_or_default();
    let result = json!({ "sections": copydesk_edit::apply::outline(document), "lines": text });
    evidence.search(&result, &mut |_| false);
    seen.show(&evidence);
    seen.answers();
    seen
}

/// The snapshot an agent has of a document, and an edit of every second line.
fn agent(document: &Document, lines: usize) -> (Shown, DocumentCell, DocUpdate) {
    let seen = shown(document, lines);
    (seen, DocumentCell::new(document.clone()), DocUpdate::ReplaceLines(each(lines, 2)))
}

fn agent_carries((seen, cell, update): &(Shown, DocumentCell, DocUpdate)) {
    drop(seen.clone().relocate(cell, update).expect("the update of the agent is carried over"));
}

/// It is unknown which of the equal lines are meant.
fn refuse((then, now, update): &Carry) {
    drop(relocate_update(then, now, update).expect_err("the update is refused"));
}

fn carry((then, now, update): &Carry) {
    drop(relocate_update(then, now, update).expect("the update is carried over"));
}

type Call = (Shown, DocumentCell, serde_json::Map<String, serde_json::Value>);

fn call(document: &Document, arguments: serde_json::Value) -> Call {
    let seen = shown(document, 1);
    (seen, DocumentCell::new(document.clone()), arguments.as_object().cloned().unwrap_or_default())
}

fn at_section(document: &Document, index: usize) -> Call {
    let arguments = json!({ "operation": "replace", "sectionIndex": index, "content": "<p>a</p>" });
    call(document, arguments)
}

fn at_line(document: &Document, line: usize) -> Call {
    let edit = json!({ "start_line": line, "end_line": line, "content": "a" });
    call(document, json!({ "operation": "replace_lines", "edits": [edit] }))
}

fn previewed((seen, cell, update): &Call) {
    drop(preview(&cell.document(), seen, update).expect("there is a preview"));
}

fn keeping(lines: usize) -> (Shown, DocumentCell, DocUpdate) {
    agent(&document(&"<p>the same</p>".repeat(lines)), lines)
}

fn restoring(lines: usize) -> (DocumentCell, DocUpdate, serde_json::Value) {
    let (seen, cell, update) = keeping(lines);
    let mut kept = persist::keep(&seen, &cell, std::iter::once(("c", update.clone())));
    let kept = kept.remove("c").unwrap_or_default();
    (cell, update, kept)
}
