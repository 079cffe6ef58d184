//! Plays edits for `tests/fidelity/score.mjs`: reads one request in JSON per line, writes one answer per line.
//!
//! `{"schema"}` sets the schema. `{"document", "call"}` applies a doc update and is answered by
//! `{"document", "changes"}` or `{"document", "refused", "message"}`; `{"document", "line"}` is answered by `{"text"}`,
//! the line as it is shown, or null. While an edit is played, `{"markdown"}` asks for HTML, which is the next line
//! read: `{"html"}` or `{"failed"}`.

use copydesk_base::ErrorInfo;
use copydesk_base::Locale;
use copydesk_base::host::LocalFuture;
use copydesk_document::{Document, Schema, Style};
use copydesk_edit::markdown::Markdown;
use copydesk_edit::{DocUpdate, DocumentCell, EditContext, Error, apply};
use serde_json::{Value, json};
use std::error;
use std::future::ready;
use std::io::{BufRead, Write, stdin, stdout};
use std::rc::Rc;
use std::sync::Arc;

struct Parser;

impl Markdown for Parser {
    fn to_html(&self, markdown: &str) -> Result<Option<String>, Error> {
        let failed = |error: std::io::Error| Error::MarkdownFailed { reason: error.to_string() };
        say(&json!({ "markdown": markdown })).map_err(failed)?;
        let mut line = String::new();
        stdin().lock().read_line(&mut line).map_err(failed)?;
        let answer: Value = serde_json::from_str(&line).unwrap_or_default();
        match answer["html"].as_str() {
            Some(html) => Ok(Some(html.to_owned())),
            None => Err(Error::MarkdownFailed { reason: answer["failed"].to_string() }),
        }
    }

    fn load(&self) -> LocalFuture<'_, Result<(), Error>> {
        Box::pin(ready(Ok(())))
    }
}

fn main() -> Result<(), Box<dyn error::Error>> {
    let mut schema: Option<Arc<Schema>> = None;
    loop {
        let mut line = String::new();
        if stdin().lock().read_line(&mut line)? == 0 {
            return Ok(());
        }
        let request: Value = serde_json::from_str(&line)?;
        if !request["schema"].is_null() {
            schema = Some(Schema::from_json(&request["schema"].to_string())?);
            continue;
        }
        let schema = schema.clone().ok_or("no schema was given")?;
        let document = Document::from_json(&request["document"].to_string(), schema)?;
        say(&match request["line"].as_u64().map(|line| line as usize) {
            Some(line) => json!({ "text": document.numbered(Some(line), Some(line), Style::Plain).ok() }),
            None => play(document, &request["call"])?,
        })?;
    }
}

fn play(document: Document, call: &Value) -> Result<Value, Box<dyn error::Error>> {
    let cell = DocumentCell::new(document);
    cell.set_markdown(Rc::new(Parser));
    let format = serde_json::from_value(call["format"].clone())?;
    let confirm_drop = call["confirmDrop"] == true;
    let context = EditContext { format, confirm_drop, ..Locale::En.into() };
    let applied = DocUpdate::from_value(call).and_then(|update| apply(&cell, &update, &context));
    let document: Value = serde_json::from_str(&cell.document().to_json())?;
    Ok(match applied {
        Ok(applied) => json!({ "document": document, "changes": applied.changes }),
        Err(error) => {
            json!({ "document": document, "refused": error.code(), "message": error.message(Locale::En) })
        }
    })
}

fn say(answer: &Value) -> std::io::Result<()> {
    let mut out = stdout().lock();
    writeln!(out, "{answer}")?;
    out.flush()
}
