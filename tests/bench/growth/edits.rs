//! Doc updates of every kind.

use super::sources::*;
use super::{Family, family};
use copydesk_document::Document;
use copydesk_edit::DocUpdate;
use copydesk_edit::content::Format;
use copydesk_edit::operation::{Append, Delete, ImagePosition, Insert, InsertImage};

pub fn families() -> Vec<Family> {
    let mut all = of_sections();
    all.extend(of_lines());
    all.extend(of_whole_documents());
    all.extend(of_texts());
    all
}

/// One doc update of one document.
fn edit(name: &'static str, unit: usize, make: impl Fn(usize) -> (Document, DocUpdate) + 'static) -> Family {
    family(name, unit, make, |(document, update)| applied(document, update))
}

fn of_sections() -> Vec<Family> {
    let on = |name, update: fn(usize) -> DocUpdate| edit(name, 2000, move |n| (sections(n), update(n)));
    vec![
        on("replace one of n sections", |n| replace_section(n / 2, "<p>Another text.</p>")),
        on("append to n sections", |_| Append { title: "New".into(), content: "<p>a</p>".into() }.into()),
        on("insert among n sections", |n| {
            Insert { section_index: n as i64 / 2, title: "New".into(), content: "<p>a</p>".into() }.into()
        }),
        on("delete one of n sections", |n| Delete { section_index: n as i64 / 2 }.into()),
        on("insert a picture among n sections", |n| {
            let position = Some(ImagePosition::AfterSection);
            let (image_url, image_description) = ("https://a.example/1.png".into(), "A cup".into());
            InsertImage { section_index: n as i64 / 2, image_url, image_description, position }.into()
        }),
        edit("replace a section of n paragraphs, one changed", 1000, |n| {
            let html = |at: usize| format!("<p>{}</p>", sentence(at));
            (document(&format!("<h2>A</h2>{}", repeat(n, html))), {
                let new = repeat(n, |at| if at == n / 2 { "<p>another</p>".into() } else { html(at) });
                replace_section(1, &new)
            })
        }),
        edit("replace a section of n paragraphs, all changed", 500, |n| {
            let old = repeat(n, |at| format!("<p>{}</p>", sentence(at)));
            let new = repeat(n, |at| format!("<p>other {}</p>", text_of(8, at)));
            (document(&format!("<h2>A</h2>{old}")), replace_section(1, &new))
        }),
        edit("replace a section of n pictures that HTML loses", 250, |n| {
            let html = repeat(n, |at| format!("<img src=\"/{at}.png\" alt=\"a  {at}\">"));
            let lossy = format!("<h2>A</h2>{}<p>a\u{200B} b</p><pre><code>a\nb\n\n</code></pre>", html);
            (document(&lossy), replace_section(1, &repeat(n, |at| format!("<img src=\"/{at}.png\" alt=\"b {at}\">"))))
        }),
    ]
}

fn of_lines() -> Vec<Family> {
    let every = |n: usize, step: usize| (1..=n).step_by(step);
    vec![
        edit("one line of n paragraphs", 4000, |n| {
            (paragraphs(n), replace_lines(vec![line_edit(n / 2, n / 2, "new")]))
        }),
        edit("one line of a list of n", 2000, |n| (list(n), replace_lines(vec![line_edit(n / 2, n / 2, "new")]))),
        edit("one line of n lines of code", 4000, |n| (code(n), replace_lines(vec![line_edit(n / 2, n / 2, "new")]))),
        edit("one line to n lines", 1000, |n| {
            (paragraphs(3), replace_lines(vec![line_edit(2, 2, text(&paragraphs(n)).join("\n"))]))
        }),
        edit("one item to n lines", 1000, |n| {
            (list(3), replace_lines(vec![line_edit(2, 2, text(&paragraphs(n)).join("\n"))]))
        }),
        edit("one line of code to n lines", 1000, |n| {
            (code(3), replace_lines(vec![line_edit(2, 2, text(&paragraphs(n)).join("\n"))]))
        }),
        edit("one cell to n lines", 1000, |n| {
            (table(3), replace_lines(vec![line_edit(2, 2, text(&paragraphs(n)).join("\n"))]))
        }),
        edit("n paragraphs to one", 1000, |n| (paragraphs(n), replace_lines(vec![line_edit(1, n, "one")]))),
        edit("a list of n to one", 1000, |n| (list(n), replace_lines(vec![line_edit(1, n, "one")]))),
        edit("n lines deleted in the middle", 1000, |n| {
            (paragraphs(2 * n), replace_lines(vec![line_edit(n / 2, n / 2 + n, "")]))
        }),
        edit("every second line of n paragraphs", 500, move |n| {
            (paragraphs(n), replace_lines(every(n, 2).map(|at| line_edit(at, at, format!("new {at}"))).collect()))
        }),
        edit("every second item of a list of n", 500, move |n| {
            (list(n), replace_lines(every(n, 2).map(|at| line_edit(at, at, format!("new {at}"))).collect()))
        }),
        edit("every second line of code", 500, move |n| {
            (code(n), replace_lines(every(n, 2).map(|at| line_edit(at, at, format!("new {at}"))).collect()))
        }),
        edit("every second row of a table", 500, move |n| {
            (table(n), replace_lines(every(2 * n, 4).map(|at| line_edit(at, at, format!("new {at}"))).collect()))
        }),
        edit("every second item deleted", 500, move |n| {
            (list(n), replace_lines(every(n, 2).map(|at| line_edit(at, at, "")).collect()))
        }),
        edit("every second line to two", 500, move |n| {
            (paragraphs(n), replace_lines(every(n, 2).map(|at| line_edit(at, at, format!("a {at}\nb {at}"))).collect()))
        }),
        edit("every second line, from the last to the first", 500, move |n| {
            let backwards: Vec<usize> = every(n, 2).collect();
            let edits = backwards.into_iter().rev().map(|at| line_edit(at, at, format!("new {at}")));
            (paragraphs(n), replace_lines(edits.collect()))
        }),
        edit("every second item to a block of HTML", 250, move |n| {
            let edits = every(n, 2).map(|at| line_edit(at, at, format!("<p>new {at}</p><p>b</p>")));
            (list(n), replace_lines(edits.map(html).collect()))
        }),
        edit("every second paragraph to a block of HTML", 250, move |n| {
            let edits = every(n, 2).map(|at| line_edit(at, at, format!("<h3>new {at}</h3><p>b</p>")));
            (paragraphs(n), replace_lines(edits.map(html).collect()))
        }),
        edit("every second item to a line of HTML", 250, move |n| {
            let edits = every(n, 2).map(|at| line_edit(at, at, format!("a <b>{at}</b>")));
            (list(n), replace_lines(edits.map(html).collect()))
        }),
        edit("one line in n quotes", 24, |n| (quotes(n), replace_lines(vec![line_edit(n, n, "new")]))),
        edit("every line in n quotes", 24, |n| {
            (quotes(n), replace_lines((1..=n).map(|at| line_edit(at, at, format!("new {at}"))).collect()))
        }),
        edit("a list of n lines cut short where they were shown", 100, |n| {
            let long = |at: usize| format!("{at} {}", text_of(200, at));
            let list = document(&format!("<ul>{}</ul>", repeat(n, |at| format!("<li><p>{}</p></li>", long(at)))));
            let shown = list.numbered(None, None, copydesk_document::Style::Structure).expect("it is shown");
            let new = shown.split_once('\n').expect("it has a headline").1.replacen("w1", "W1", 1);
            let mut edit = line_edit(1, n, new);
            edit.format = None;
            (list, replace_lines(vec![edit]))
        }),
    ]
}

/// Nested quotes, each with a line of its own.
fn quotes(depth: usize) -> Document {
    document(&(repeat(depth, |at| format!("<blockquote><p>{}</p>", sentence(at))) + &"</blockquote>".repeat(depth)))
}

fn html(edit: copydesk_edit::operation::LineEdit) -> copydesk_edit::operation::LineEdit {
    copydesk_edit::operation::LineEdit { format: Some(Format::Html), ..edit }
}

fn of_whole_documents() -> Vec<Family> {
    let changed = |document: &Document, step: usize| {
        let lines = text(document).into_iter().enumerate();
        lines.map(|(at, line)| if at % step == 0 { format!("new {at}") } else { line }).collect::<Vec<_>>().join("\n")
    };
    let rewritten = move |name, unit, make: fn(usize) -> Document, step| {
        edit(name, unit, move |n| {
            let document = make(n);
            let content = changed(&document, step);
            (document, whole(content, Some(Format::Text)))
        })
    };
    let of_html = |name, unit, old: fn(usize) -> String, new: fn(usize) -> String| {
        edit(name, unit, move |n| (document(&old(n)), whole(new(n), Some(Format::Html))))
    };
    vec![
        rewritten("whole text, one paragraph in a hundred changed", 1000, paragraphs, 100),
        rewritten("whole text, every second paragraph changed", 1000, paragraphs, 2),
        rewritten("whole text, every paragraph changed", 1000, paragraphs, 1),
        rewritten("whole text with marks, lists and tables, one line in a hundred changed", 100, mixed, 100),
        edit("the same as it is shown", 100, |n| {
            let document = mixed(n);
            let shown = document.numbered(None, None, copydesk_document::Style::Structure).expect("it is shown");
            let lines = shown.lines().skip(1).enumerate();
            let lines =
                lines.map(|(at, line)| if at % 100 == 50 { line.replace("w1", "new") } else { line.to_owned() });
            let content = lines.collect::<Vec<_>>().join("\n");
            (document, whole(content, None))
        }),
        rewritten("whole text, one item in a hundred changed", 1000, list, 100),
        rewritten("whole text, every second item changed", 1000, list, 2),
        rewritten("whole text, every second of equal items changed", 1000, equal_list, 2),
        rewritten("whole text, every second row changed", 500, table, 4),
        rewritten("whole text, every second line of code changed", 1000, code, 2),
        edit("whole text, every second of equal items gone", 1000, |n| {
            (equal_list(n), whole(vec!["the same"; n / 2].join("\n"), Some(Format::Text)))
        }),
        edit("whole text, twice as many others", 500, |n| {
            let new: Vec<String> = (0..2 * n).map(|at| format!("other {}", text_of(6, at))).collect();
            (paragraphs(n), whole(new.join("\n"), Some(Format::Text)))
        }),
        edit("whole text, the paragraphs in another order", 500, |n| {
            let (document, mut lines) = (paragraphs(n), text(&paragraphs(n)));
            lines.sort_by_key(|line| line.bytes().rev().collect::<Vec<_>>());
            (document, whole(lines.join("\n"), Some(Format::Text)))
        }),
        edit("whole text, the paragraphs backwards", 500, |n| {
            let lines: Vec<String> = text(&paragraphs(n)).into_iter().rev().collect();
            (paragraphs(n), whole(lines.join("\n"), Some(Format::Text)))
        }),
        edit("whole text of two kinds of lines in another order", 500, |n| {
            let kinds = |seed: usize| {
                (0..n).map(move |at| if (at * 7919 + seed) % 13 < 6 { "one" } else { "two" }).collect::<Vec<_>>()
            };
            let old = kinds(0).into_iter().map(|kind| format!("<p>{kind}</p>")).collect::<String>();
            (document(&old), whole(kinds(5).join("\n"), Some(Format::Text)))
        }),
        of_html(
            "whole HTML, every second paragraph changed",
            500,
            |n| repeat(n, |at| format!("<p>{}</p>", sentence(at))),
            |n| repeat(n, |at| format!("<p>{}</p>", sentence(at + at % 2 * n))),
        ),
        of_html(
            "whole HTML, every second picture changed",
            500,
            |n| repeat(n, |at| format!("<img src='/{at}.png'>")),
            |n| repeat(n, |at| format!("<img src='/{}.png'>", at + at % 2 * n)),
        ),
        of_html(
            "whole HTML, equal paragraphs, half of them gone",
            500,
            |n| "<p>the same</p>".repeat(n),
            |n| "<p>the same</p>".repeat(n / 2),
        ),
        of_html(
            "whole HTML, every second item changed",
            500,
            |n| format!("<ul>{}</ul>", repeat(n, |at| format!("<li>{}</li>", sentence(at)))),
            |n| format!("<ul>{}</ul>", repeat(n, |at| format!("<li>{}</li>", sentence(at + at % 2 * n)))),
        ),
        of_html(
            "whole HTML, quotes in quotes, every second line changed",
            24,
            |n| repeat(n, |at| format!("<blockquote><p>a{at}</p>")) + &"</blockquote>".repeat(n),
            |n| repeat(n, |at| format!("<blockquote><p>a{}</p>", at + at % 2 * n)) + &"</blockquote>".repeat(n),
        ),
        of_html(
            "whole HTML, every second mark changed",
            500,
            |n| format!("<p>{}</p>", repeat(n, |at| format!("<b>a{at}</b> c "))),
            |n| {
                format!(
                    "<p>{}</p>",
                    repeat(n, |at| if at % 2 == 0 { format!("<b>a{at}</b> c ") } else { "d c ".into() })
                )
            },
        ),
    ]
}

fn of_texts() -> Vec<Family> {
    let words = |name, unit, new: fn(usize) -> String| {
        edit(name, unit, move |n| (paragraph(n), replace_lines(vec![line_edit(1, 1, new(n))])))
    };
    vec![
        words("one paragraph of n words, one changed", 4000, |n| text_of(n, 0).replacen("w1", "new", 1)),
        words("one paragraph of n words, every tenth changed", 2000, |n| {
            let words = text_of(n, 0);
            let words = words.split(' ').enumerate();
            words.map(|(at, word)| if at % 10 == 0 { "new" } else { word }).collect::<Vec<_>>().join(" ")
        }),
        words("one paragraph of n words, all others", 2000, |n| text_of(n, 1)),
        words("one paragraph of n words of two, in another order", 2000, |n| {
            (0..n).map(|at| if at * 7919 % 13 < 6 { "w0" } else { "w7919" }).collect::<Vec<_>>().join(" ")
        }),
        edit("one paragraph of n signs without spaces, all others", 2000, |n| {
            let signs = |seed: u32| {
                (0..n as u32).map(move |at| char::from_u32(0x4E00 + (at * 7919 + seed) % 997).unwrap_or('x'))
            };
            (document(&format!("<p>{}</p>", signs(0).collect::<String>())), {
                replace_lines(vec![line_edit(1, 1, signs(500).collect::<String>())])
            })
        }),
        edit("one paragraph of n marks, every second word changed", 500, |n| {
            let old = repeat(n, |at| format!("<b>a{at}</b> c{at} "));
            (document(&format!("<p>{old}</p>")), {
                replace_lines(vec![line_edit(1, 1, repeat(n, |at| format!("a{at} {} ", "d".repeat(1 + at % 3))))])
            })
        }),
        edit("one paragraph of n pictures, every second word changed", 500, |n| {
            let schema = r#"{"nodes":[{"name":"doc","content":"block+"},
                {"name":"paragraph","content":"inline*","group":"block"},{"name":"text","group":"inline"},
                {"name":"icon","group":"inline","inline":true,"attrs":{"src":{"default":""}}}],"marks":[]}"#;
            let schema = copydesk_document::Schema::from_json(schema).expect("the schema is read");
            let content = repeat(n, |at| {
                format!(r#"{{"type":"text","text":"a{at} "}},{{"type":"icon","attrs":{{"src":"{at}"}}}},"#)
            });
            let json = format!(
                r#"{{"type":"doc","content":[{{"type":"paragraph","content":[{}]}}]}}"#,
                content.trim_end_matches(',')
            );
            let old = Document::from_json(&json, schema).expect("the document is read");
            let new = repeat(n, |at| format!("{}{at} [icon: {at}]", if at % 2 == 0 { "a" } else { "b" }));
            (old, replace_lines(vec![line_edit(1, 1, new)]))
        }),
        edit("replace_text, all of n in one paragraph", 500, |n| {
            (document(&format!("<p>{}</p>", "tea and ".repeat(n))), replace_all("tea", "coffee"))
        }),
        edit("replace_text, all of n in one paragraph of marks", 250, |n| {
            (document(&format!("<p>{}</p>", "<b>tea</b> and ".repeat(n))), replace_all("tea", "coffee"))
        }),
        edit("replace_text, all of n in one paragraph, to two lines", 250, |n| {
            (document(&format!("<p>{}</p>", "tea and ".repeat(n))), replace_all("tea", "a\nb"))
        }),
        edit("replace_text, all of n in as many paragraphs", 500, |n| {
            (document(&"<p>tea and</p>".repeat(n)), replace_all("tea", "coffee"))
        }),
        edit("replace_text, all of n in one list", 500, |n| {
            (document(&format!("<ul>{}</ul>", "<li>tea and</li>".repeat(n))), replace_all("tea", "coffee"))
        }),
        edit("replace_text, all of n in lines of one paragraph", 500, |n| {
            (document(&format!("<p>{}</p>", "tea and<br>".repeat(n))), replace_all("tea", "coffee"))
        }),
        edit("replace_text, all of n in one block of code", 500, |n| {
            (document(&format!("<pre><code>{}</code></pre>", "tea and\n".repeat(n))), replace_all("tea", "coffee"))
        }),
        family(
            "replace_text, not found among n lines",
            1000,
            |n| (paragraphs(n), DocUpdate::ReplaceText(replace_text("line of no words that are", "a"))),
            |(document, update)| outcome(document, update).expect_err("the text is not found"),
        ),
        family(
            "replace_text, found n times",
            1000,
            |n| (document(&"<p>tea and tea</p>".repeat(n)), DocUpdate::ReplaceText(replace_text("tea", "a"))),
            |(document, update)| outcome(document, update).expect_err("the text is found several times"),
        ),
        edit("replace_text, nearly, all of n in one paragraph", 250, |n| {
            (document(&format!("<p>{}</p>", "the “tea” and ".repeat(n))), replace_all("\"tea\"", "coffee"))
        }),
    ]
}
