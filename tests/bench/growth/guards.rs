//! Edits under guards, and setting guards.

use super::sources::*;
use super::{Family, family};
use copydesk_base::{ErrorInfo, Locale};
use copydesk_document::Document;
use copydesk_edit::{DocUpdate, DocumentCell, Guards, apply};
use serde_json::{Value, json};

pub fn families() -> Vec<Family> {
    let set = |name, unit, given: fn(usize) -> Value| {
        family(name, unit, move |n| (sections(n), guards(given(n))), |(document, guards)| guarded(document, guards))
    };
    let made = |make: fn(usize) -> (Document, Value, DocUpdate)| {
        move |n| {
            let (document, given, update) = make(n);
            (document, guards(given), update)
        }
    };
    let edit = |name, unit, make| {
        family(name, unit, made(make), |(document, guards, update)| {
            apply(&guarded(document, guards), update, &Locale::En.into()).expect("the guards allow the update")
        })
    };
    let refused = |name, unit, make| {
        family(name, unit, made(make), |(document, guards, update)| {
            apply(&guarded(document, guards), update, &Locale::En.into())
                .expect_err("the guards refuse the update")
                .code()
        })
    };
    vec![
        set("setGuards, n sections locked by index", 500, |n| json!({ "locked": odd(n) })),
        set("setGuards, n sections locked by title", 500, |n| json!({ "locked": odd_titles(n) })),
        set("setGuards, a scope of n sections", 500, |n| json!({ "scope": { "sections": odd(n) } })),
        set("setGuards, a scope of n titles", 500, |n| json!({ "scope": { "sections": odd_titles(n) } })),
        edit("one edit, n sections locked by index", 500, |n| (sections(n), json!({ "locked": odd(n) }), of_even(n))),
        edit("one edit, n sections locked by title", 500, |n| {
            (sections(n), json!({ "locked": odd_titles(n) }), of_even(n))
        }),
        refused("one edit, refused by a lock among n", 500, |n| {
            (sections(n), json!({ "locked": odd(n) }), replace_section(n - 1, "<p>Another.</p>"))
        }),
        edit("one edit, a scope of n sections", 500, |n| {
            (sections(n), json!({ "scope": { "sections": odd(n) } }), replace_section(n / 2 / 2 * 2 + 1, "<p>New.</p>"))
        }),
        edit("n edits, a scope of n sections", 250, |n| {
            let edits = odd(n).into_iter().map(|at| line_edit(2 * at, 2 * at, "new")).collect();
            (sections(n), json!({ "scope": { "sections": odd(n) } }), replace_lines(edits))
        }),
        edit("one edit, a scope by positions", 1000, |n| {
            (sections(n), json!({ "scope": { "from": 0, "to": 5000 } }), replace_section(2, "<p>New.</p>"))
        }),
        family("one edit, n locked headings gone", 250, locked_and_gone, |(cell, update)| {
            copydesk_edit::apply::check(cell, update, &Locale::En.into()).expect("the guards allow the update")
        }),
        edit("lossless, n pictures dropped", 500, |n| {
            let html = repeat(n, |at| format!("<img src='/{at}.png' alt='a{at}'>"));
            (
                document(&format!("<h2>A</h2>{html}")),
                json!({ "lossless": "report" }),
                replace_whole_section(1, "<p>a</p>"),
            )
        }),
        edit("lossless, n links dropped", 500, |n| {
            let html = repeat(n, |at| format!("<p><a href='https://x.example/{at}'>a{at}</a></p>"));
            (
                document(&format!("<h2>A</h2>{html}")),
                json!({ "lossless": "report" }),
                replace_whole_section(1, "<p>a</p>"),
            )
        }),
        edit("lossless, every second item of a list of n", 250, |n| {
            let html = repeat(n, |at| format!("<li><b>{}</b></li>", sentence(at)));
            let edits = (1..=n).step_by(2).map(|at| line_edit(at, at, format!("new {at}"))).collect();
            (document(&format!("<ul>{html}</ul>")), json!({ "lossless": "report" }), replace_lines(edits))
        }),
        edit("lossless, every second of n paragraphs", 250, |n| {
            let html = repeat(n, |at| format!("<p><b>{}</b></p>", sentence(at)));
            let edits = (1..=n).step_by(2).map(|at| line_edit(at, at, format!("new {at}"))).collect();
            (document(&html), json!({ "lossless": "report" }), replace_lines(edits))
        }),
        edit("images.hosts, n pictures come", 1000, |n| {
            let html = repeat(n, |at| format!("<img src=\"https://x.example/{at}.png\">"));
            let guards = json!({ "images": { "hosts": ["a.example", "x.example"] } });
            (document("<h2>A</h2><p>a</p>"), guards, replace_section(1, &html))
        }),
        edit("images.hosts, n pictures stand", 1000, |n| {
            let html =
                |seed: usize| repeat(n, |at| format!("<img src=\"https://b.example/{at}.png\"><p>{}</p>", at + seed));
            let guards = json!({ "images": { "hosts": ["a.example"] } });
            let standing = document(&format!("<h2>A</h2>{}", html(0)));
            (standing, guards, replace_section(1, &html(1)))
        }),
    ]
}

fn odd(count: usize) -> Vec<usize> {
    (1..count).step_by(2).collect()
}

fn odd_titles(count: usize) -> Vec<String> {
    odd(count).into_iter().map(|at| format!("Section {}", at - 1)).collect()
}

fn of_even(count: usize) -> DocUpdate {
    replace_section(count / 4 * 2, "<p>Another text.</p>")
}

fn guards(given: Value) -> Guards {
    serde_json::from_value(given).expect("the guards are read")
}

fn guarded(document: &Document, guards: &Guards) -> DocumentCell {
    let cell = DocumentCell::new(document.clone());
    cell.set_guards(guards).expect("the guards are set");
    cell
}

/// A document in which each locked section was replaced: its heading is another block with the same title.
fn locked_and_gone(count: usize) -> (DocumentCell, DocUpdate) {
    let cell = guarded(&sections(count), &guards(json!({ "locked": odd_titles(count) })));
    let mut now = cell.document();
    let (blocks, end) = (now.blocks().to_vec(), now.blocks().len());
    now.splice(0..end, Vec::new());
    now.splice(0..0, blocks);
    cell.set_document(now);
    (cell, of_even(count))
}
