use super::harness::{Answer, Harness, calls, says};
use copydesk_base::host::LocalFuture;
use copydesk_edit::Error;
use copydesk_edit::markdown::Markdown;
use serde_json::{Value, json};
use std::cell::Cell;
use std::future::ready;
use std::rc::Rc;

/// A parser that has to be loaded.
struct Parser {
    loaded: Rc<Cell<usize>>,
    fails: bool,
}

impl Markdown for Parser {
    fn to_html(&self, markdown: &str) -> Result<Option<String>, Error> {
        Ok((self.loaded.get() > 0).then(|| format!("<p><em>{}</em></p>", markdown.replace("**", ""))))
    }

    fn load(&self) -> LocalFuture<'_, Result<(), Error>> {
        self.loaded.set(self.loaded.get() + 1);
        let failed = || Error::MarkdownNotLoaded { reason: Some("no network".into()) };
        Box::pin(ready(if self.fails { Err(failed()) } else { Ok(()) }))
    }
}

fn harness(answers: Vec<Answer>, fails: bool) -> (Harness, Rc<Cell<usize>>) {
    let harness = Harness::new("<h2>A</h2><p>a</p>", answers);
    let loaded = Rc::new(Cell::new(0));
    harness.document.set_markdown(Rc::new(Parser { loaded: loaded.clone(), fails }));
    (harness, loaded)
}

fn write(content: &str, format: Value) -> Answer {
    let given = json!({ "operation": "append", "title": "B", "content": content, "format": format });
    calls(&[("c", "update_section", given)])
}

#[test]
fn a_call_with_markdown_loads_the_parser_and_is_applied() {
    let (harness, loaded) = harness(vec![write("very **good**", Value::Null), says("Done.")], false);
    harness.prompt("x");
    assert_eq!(harness.html(), "<h2>A</h2><p>a</p><h2>B</h2><p><em>very good</em></p>");
    assert_eq!(loaded.get(), 1);
    assert_eq!(harness.event("doc_update")["converted"], "markdown");
    let message = harness.event("tool_result")["content"]["message"].as_str().unwrap().to_owned();
    assert!(message.contains("Markdown"), "{message}");
}

#[test]
fn a_call_without_markdown_loads_nothing() {
    for (content, format) in [("<p>b</p>", Value::Null), ("text", Value::Null), ("**b**", json!("text"))] {
        let (harness, loaded) = harness(vec![write(content, format), says("Done.")], false);
        harness.prompt("x");
        assert_eq!(loaded.get(), 0, "{content}");
        assert_eq!(harness.event("tool_result")["isError"], false);
    }
}

#[test]
fn a_parser_that_cannot_be_loaded_makes_the_model_write_html() {
    let (harness, _) = harness(vec![write("**b**", Value::Null), says("Done.")], true);
    harness.prompt("x");
    let error = harness.event("tool_result")["content"]["error"].clone();
    assert_eq!(error["code"], "markdown_not_loaded");
    assert!(error["message"].as_str().unwrap().ends_with("no network. Write HTML instead."), "{error}");
}
