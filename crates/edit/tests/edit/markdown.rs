use super::cell;
use copydesk_base::ErrorInfo;
use copydesk_base::Locale;
use copydesk_base::host::LocalFuture;
use copydesk_edit::DocumentCell;
use copydesk_edit::Error;
use copydesk_edit::content::Format;
use copydesk_edit::markdown::Markdown;
use copydesk_edit::markdown::{has_inline_mark, has_small_mark, looks_like};
use copydesk_edit::operation::EditOptions;
use copydesk_edit::{Applied, DocUpdate, EditContext, apply};
use serde_json::{Value, json};
use std::cell::Cell;
use std::future::ready;
use std::rc::Rc;

#[test]
fn markdown_is_known_by_what_nobody_writes_otherwise() {
    for content in [
        "## History",
        "Some text.\n\n## History\n\nMore.",
        "### 1.2 Kinds of tea ###",
        "   ## Three spaces",
        "# Tea\n\nA leaf.",
        "# 茶\n\n一种叶子。",
        "# Tea",
        "# Tea\nA leaf.\n\n> Said somebody.",
        "# Tea\nA leaf.\n\n---\n\nMore.",
        "- one\n- two",
        "* one\n* two",
        "+ one\n+ two",
        "- one\n\n- two",
        "- one\n  goes on\n- two",
        "- one\n  - inner",
        "1. one\n   - inner\n2. two",
        "Text before:\n\n- one",
        "需要准备：\n- 茶叶",
        "We need the following:\n1. Tea",
        "1. one\n2. two",
        "1. one\n1. two",
        "1) one\n2) two",
        "1. 第一\n2. 第二",
        "Intro.\n\n1. one\n\n   more\n\n2. two",
        "- [ ] to do",
        "* [x] done",
        "```\nlet x = 1;\n```",
        "```rust\nlet x = 1;\n```",
        "~~~\ncode\n~~~",
        "Text\n\n```js\nlet a;\n```\n\nText",
        "```markdown\nText with ## in it\n\n- a\n- b\n```",
        "This is **important**.",
        "这是**重要**的事。",
        "**注意：**小心。",
        "**Note:** mind the gap",
        "(**really**)",
        "| a | b |\n|---|---|\n| 1 | 2 |",
        "a | b\n--|--\n1 | 2",
        "| 茶 | 产地 |\n|:--|--:|\n| 绿茶 | 杭州 |",
        "See [the page](https://example.org).",
        "See [the page](https://example.org \"Title\").",
        "See [here](/docs/a) and more.",
        "见[文档](https://example.org)。",
        "![A cup](https://example.org/cup.png)",
        "![](cup.png)",
        "[mail](mailto:ann@example.org)",
        "line\r\n\r\n- a\r\n- b\r\n",
    ] {
        assert!(looks_like(content), "{content:?} is Markdown");
        assert_eq!(Format::of(content), Format::Markdown, "{content:?}");
    }
}

#[test]
fn prose_code_and_sums_are_no_markdown() {
    for content in [
        "",
        "Plain text.",
        "Two lines\nof text.",
        "1. May 2024 was warm",
        "1. May 2024 was warm\nand so was June.",
        "1984. That was the year.\n1985. And that one.",
        "3.5 km\n4.5 km",
        "# of people: 12",
        "# of people",
        "# install the thing\nnpm install thing",
        "# Install the thing\nnpm install thing",
        "#hashtag #another",
        "#!/bin/sh\necho",
        "#include <stdio.h>",
        "#1 in the charts",
        "####",
        "C# and F# are languages",
        "in C# **",
        "2 * 3 * 4",
        "2**3**4",
        "2 ** 3 ** 4",
        "a ** b ** c",
        "f(**args, **kwargs)",
        "def f(*args, **kwargs):",
        "char **argv, **envp;",
        "src/**/*.rs and **/test/**",
        "Tea** and coffee** are drinks",
        "p < 0.05 ** and p < 0.01 ***",
        "a lone * asterisk",
        "a lone _ underscore_name and __init__",
        "*Terms apply",
        "* Terms apply",
        "*** stars ***",
        "* * *",
        "a - b",
        "- said he",
        "– said he\n– said she",
        "—— 他说\n—— 她说",
        "-5 degrees\n-7 degrees",
        "-----",
        "Title\n-----",
        "> 5",
        "> quoted by somebody",
        "a | b",
        "a | b\nc | d",
        "x || y\n-----",
        "list[0](1)",
        "list[0](x.y)",
        "call(a)[b](c.d)",
        "[1] (see below)",
        "[1](2)",
        "[see](section two)",
        "see [1] and [2]",
        "] ( [",
        "`code` in text",
        "``` is how a fence begins",
        "```\nthis fence never ends",
        "let x = a[i];\nlet y = *p;\n// - one",
        "diff:\n",
        "- old\n+ new",
        "＃ 标题",
        "＊ 一\n＊ 二",
        "－ 一\n－ 二",
        "1、茶\n2、水",
        "第一章　茶",
        "他说：“好。”\n她说：“不。”",
        "5 * 3 = 15，2 * 2 = 4",
        "Use `**bold**` and `[a](https://b.example)` to write it",
        "Price: 5\n\n10. March is the day",
        "e.g. [x](y z)",
        "    - indented\n    - code",
    ] {
        assert!(!looks_like(content), "{content:?} is no Markdown");
        assert_eq!(Format::of(content), Format::Text, "{content:?}");
    }
}

#[test]
fn a_tag_makes_it_html_unless_it_stands_in_code() {
    for content in [
        "<p>a</p>",
        "<h2>x</h2>\n\n## y",
        "a<br>b *",
        "<p>a **b**</p>",
        "```html\n<p>a</p>\n```",
        "<pre>```\nx\n```</pre>",
    ] {
        assert_eq!(Format::of(content), Format::Html, "{content:?}");
    }
    for content in [
        "Write:\n\n```html\n<p>a</p>\n```\n\nThen go on.",
        "## Tags\n\nA paragraph is `<p>`.",
        "a<br>b **c**",
        "- <u>a</u>\n- b",
        "a `<p>` there",
    ] {
        assert_eq!(Format::of(content), Format::Markdown, "{content:?}");
    }
}

#[test]
fn a_part_of_a_word_has_marks_if_an_old_line_has_the_word_without_them() {
    for (line, old) in [
        ("un*believ*able", "unbelievable"),
        ("It is un**believ**able.", "It is unbelievable."),
        ("a ~~lo~~ng word", "a long word"),
        ("全*部*的", "全部的"),
        ("***a***b", "ab"),
    ] {
        let has_mark = |old: &str| has_small_mark(line, std::iter::once(old));
        assert!(has_mark(old), "{line}");
        assert!(!has_mark(line), "{line}");
        assert!(!has_mark("something else"), "{line}");
    }
    for (line, old) in [("a****b", "ab"), ("2 * 3 * 4", "2 3 4"), ("a* *b", "a b")] {
        assert!(!has_small_mark(line, std::iter::once(old)), "{line}");
    }
}

#[test]
fn words_between_small_signs_are_marks_unless_they_are_parts_of_names() {
    for line in ["a *word* here", "*word*", "a _word_ here", "~~gone~~", "一个 *词* 在"] {
        assert!(has_inline_mark(line), "{line}");
    }
    for line in ["a *word here", "2 * 3 * 4", "snake_case_name", "a ** b", "** and **", "_/path/_"] {
        assert!(!has_inline_mark(line), "{line}");
    }
}

/// Turns lines between `**` and `**` into bold paragraphs, others into paragraphs, and knows whether it was loaded.
#[derive(Default)]
struct Fake {
    loaded: Cell<bool>,
}

impl Markdown for Fake {
    fn to_html(&self, markdown: &str) -> Result<Option<String>, Error> {
        let line = |line: &str| match line.strip_prefix("**").and_then(|line| line.strip_suffix("**")) {
            Some(bold) => format!("<p><strong>{bold}</strong></p>"),
            None => format!("<p>{line}</p>"),
        };
        let lines = markdown.lines().filter(|line| !line.is_empty());
        Ok(self.loaded.get().then(|| lines.map(line).collect()))
    }

    fn load(&self) -> LocalFuture<'_, Result<(), Error>> {
        self.loaded.set(true);
        Box::pin(ready(Ok(())))
    }
}

fn desk(loaded: bool) -> DocumentCell {
    let cell = cell("<h2>A</h2><p>a</p>");
    cell.set_markdown(Rc::new(Fake { loaded: Cell::new(loaded) }));
    cell
}

fn write(cell: &DocumentCell, given: Value) -> Result<Applied, Error> {
    let context = EditContext { format: EditOptions::read(&given)?.format, ..EditContext::default() };
    apply(cell, &DocUpdate::from_value(&given)?, &context)
}

fn replace(content: &str) -> Value {
    json!({ "operation": "replace", "sectionIndex": 1, "content": content })
}

#[test]
fn markdown_becomes_html_before_the_edit_and_the_result_says_so() {
    let cell = desk(true);
    let applied = write(&cell, replace("### B\n\n**b**")).unwrap();
    assert_eq!(cell.document().to_html(), "<h2>A</h2><h3>B</h3><p><strong>b</strong></p>");
    assert_eq!(applied.message, "Section 1 'A' updated (its Markdown became HTML)");
    assert_eq!(applied.clone().into_map()["converted"], "markdown");
    let applied = write(&cell, replace("<p>c</p>")).unwrap();
    assert_eq!(applied.message, "Section 1 'A' updated");
    assert!(!applied.clone().into_map().contains_key("converted"));
}

#[test]
fn a_fence_around_all_of_it_is_taken_off() {
    let cell = desk(true);
    write(&cell, replace("```markdown\n### B\n```\n")).unwrap();
    assert_eq!(cell.document().to_html(), "<h2>A</h2><h3>B</h3>");
}

#[test]
fn without_its_parser_markdown_is_an_error_that_says_the_way_out() {
    let cell = desk(false);
    let before = cell.document();
    let error = write(&cell, replace("### B\n\n**b**")).unwrap_err();
    assert_eq!(error.code(), "markdown_not_loaded");
    assert!(
        error.message(Locale::En).contains("loadMarkdown()") && error.message(Locale::ZhCn).contains("loadMarkdown()")
    );
    assert_eq!(cell.document().version(), before.version());
    assert!(write(&cell, replace("<p>html</p>")).is_ok(), "what is no Markdown needs none");
    assert!(write(&cell, replace("text")).is_ok());
}

#[test]
fn the_format_can_be_stated_outright() {
    let with = |content: &str, format: &str| {
        let mut given = replace(content);
        given["format"] = json!(format);
        let cell = desk(true);
        write(&cell, given).map(|_| cell.document().to_html().replace("<h2>A</h2>", ""))
    };
    assert_eq!(with("**plain**", "markdown").unwrap(), "<p><strong>plain</strong></p>");
    assert_eq!(with("### B", "text").unwrap(), "<p>### B</p>");
    assert_eq!(with("a <b>&amp;</b>\nb", "text").unwrap(), "<p>a &lt;b&gt;&amp;amp;&lt;/b&gt;</p><p>b</p>");
    assert_eq!(with("### B", "html").unwrap(), "<p>### B</p>");
    let error = with("x", "md").unwrap_err();
    assert_eq!(error.code(), "invalid_parameter");
    assert!(error.message(Locale::En).contains("\"html\" | \"markdown\" | \"text\""));
}

#[test]
fn a_host_without_any_parser_takes_markdown_for_text_unless_it_is_stated() {
    let cell = cell("<h2>A</h2><p>a</p>");
    write(&cell, replace("### B\n\n**b**")).unwrap();
    assert_eq!(cell.document().to_html(), "<h2>A</h2><h3>B</h3><p>**b**</p>", "the signs of lines need no parser");
    let mut stated = replace("### B\n\n**b**");
    stated["format"] = json!("markdown");
    assert_eq!(write(&cell, stated).unwrap_err().code(), "markdown_not_loaded");
}

#[test]
fn what_markdown_becomes_is_held_against_the_rules_of_addresses() {
    struct Link;
    impl Markdown for Link {
        fn to_html(&self, _: &str) -> Result<Option<String>, Error> {
            Ok(Some("<p><a href=\"javascript:alert(1)\">x</a></p>".into()))
        }
        fn load(&self) -> LocalFuture<'_, Result<(), Error>> {
            Box::pin(ready(Ok(())))
        }
    }
    let cell = cell("<h2>A</h2><p>a</p>");
    cell.set_markdown(Rc::new(Link));
    assert_eq!(write(&cell, replace("[x](javascript:alert(1))")).unwrap_err().code(), "invalid_url");
}

fn lines(start: i64, content: &str) -> Value {
    json!({ "operation": "replace_lines", "edits": [{ "start_line": start, "end_line": start, "content": content }] })
}

#[test]
fn lines_of_markdown_are_converted_where_they_stand() {
    let cell = desk(true);
    let applied = write(&cell, lines(2, "### b\n\n**c**")).unwrap();
    assert_eq!(applied.clone().into_map()["converted"], "markdown");
    assert_eq!(cell.document().to_html(), "<h2>A</h2><h3>b</h3><p><strong>c</strong></p>");
    let cell = desk(true);
    write(&cell, lines(1, "## **B**")).unwrap();
    assert_eq!(cell.document().to_html(), "<h2><strong>B</strong></h2><p>a</p>", "a line of bold text stays a heading");
    let cell = desk(false);
    write(&cell, lines(2, "### b")).unwrap();
    assert_eq!(cell.document().to_html(), "<h2>A</h2><h3>b</h3>", "the signs of lines need no parser");
    assert_eq!(write(&desk(false), lines(2, "### b\n\n**c**")).unwrap_err().code(), "markdown_not_loaded");
}

#[test]
fn the_sign_of_an_item_is_no_markdown_in_a_list_and_no_sign_is_any_in_code() {
    let list = cell("<ul><li><p>a</p></li></ul><pre><code>x</code></pre>");
    list.set_markdown(Rc::new(Fake { loaded: Cell::new(true) }));
    let applied = write(&list, lines(1, "- b\n- c")).unwrap();
    assert!(!applied.clone().into_map().contains_key("converted"));
    write(&list, lines(3, "### y")).unwrap();
    let expected = "<ul><li><p>b</p></li><li><p>c</p></li></ul><pre><code>### y</code></pre>";
    assert_eq!(list.document().to_html(), expected);
}

/// Makes words between `__` and `__` bold.
struct Underscores;

impl Markdown for Underscores {
    fn to_html(&self, markdown: &str) -> Result<Option<String>, Error> {
        let pieces = markdown.split("__").enumerate();
        let html =
            pieces.map(|(at, piece)| if at % 2 == 1 { format!("<strong>{piece}</strong>") } else { piece.into() });
        Ok(Some(format!("<p>{}</p>", html.collect::<String>())))
    }

    fn load(&self) -> LocalFuture<'_, Result<(), Error>> {
        Box::pin(ready(Ok(())))
    }
}

#[test]
fn a_word_between_underscores_is_bold_where_it_replaces_itself() {
    let replaced = |old: &str, new: &str| {
        let cell = cell("<p>The oolong is rare.</p>");
        cell.set_markdown(Rc::new(Underscores));
        write(&cell, json!({ "operation": "replace_text", "old": old, "new": new })).unwrap();
        cell.document().to_html()
    };
    assert_eq!(replaced("oolong", "__oolong__"), "<p>The <strong>oolong</strong> is rare.</p>");
    assert_eq!(replaced("The oolong", "The __oolong__"), "<p>The <strong>oolong</strong> is rare.</p>");
    assert_eq!(replaced("oolong", "__init__"), "<p>The __init__ is rare.</p>");
}

#[test]
fn a_paragraph_of_html_may_contain_markdown() {
    for (content, expected) in [("<p>**b**</p>", "<p><strong>b</strong></p>"), ("<p>b</p>", "<p>b</p>")] {
        let cell = desk(true);
        write(&cell, lines(2, content)).unwrap();
        assert_eq!(cell.document().to_html(), format!("<h2>A</h2>{expected}"));
    }
}

/// Turns a line that is a link into one.
struct LinkLine;

impl Markdown for LinkLine {
    fn to_html(&self, markdown: &str) -> Result<Option<String>, Error> {
        let link = markdown.trim().strip_prefix('[').and_then(|rest| rest.strip_suffix(')')?.split_once("]("));
        Ok(link.map(|(text, url)| format!("<p><a href=\"{url}\">{text}</a></p>")))
    }

    fn load(&self) -> LocalFuture<'_, Result<(), Error>> {
        Box::pin(ready(Ok(())))
    }
}

#[test]
fn a_link_that_is_given_as_markdown_is_found_and_replaced() {
    let html = |text: &str| format!("<p>Before the <a href=\"https://a.example\">{text}</a>, no.</p>");
    let link = |text: &str| format!("[{text}](https://a.example)");
    let document = cell(&html("legal review"));
    document.set_markdown(Rc::new(LinkLine));
    let (old, new) = (link("legal review"), link("last review"));
    write(&document, json!({ "operation": "replace_text", "old": old, "new": new })).unwrap();
    assert_eq!(document.document(), cell(&html("last review")).document());
}

#[test]
fn a_sign_of_markdown_without_its_end_is_text() {
    for sign in ["**", "__", "~~"] {
        let html = |text: &str| format!("<p>a</p><p>{sign} {text}</p>");
        let document = cell(&html("is power"));
        document.set_markdown(Rc::new(Fake { loaded: Cell::new(true) }));
        let (old, new) = (format!("{sign} is power"), format!("{sign} is power now"));
        write(&document, json!({ "operation": "replace_text", "old": old, "new": new })).unwrap();
        assert_eq!(document.document().to_html(), html("is power now"));
    }
}
