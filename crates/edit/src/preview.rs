//! Where a call whose arguments are still arriving will write, and what it has written so far.
//!
//! It is a guess for the eye, and free of effects: the edit itself is resolved when the call is whole.

use super::apply::DocumentHost;
use super::content::{self, Format};
use super::locate::locate;
use super::seen::Seen;
use copydesk_base::fields::form;
use copydesk_document::{Document, Section};
use serde_json::{Map, Value};

/// A place in the editor's document and the content that is coming there.
#[derive(Clone, Debug, PartialEq)]
pub struct Preview {
    /// Where what gives way begins.
    pub from: usize,
    /// Where it ends.
    pub to: usize,
    /// The content so far.
    pub content: String,
    /// How it is written, as far as can be told.
    pub format: Format,
}

impl Preview {
    /// As JSON.
    pub fn to_value(&self) -> Value {
        form(
            "from to content format",
            [self.from.into(), self.to.into(), self.content.as_str().into(), self.format.name().into()],
        )
    }
}

/// The preview of a call; none where it writes nothing, or where it does not say yet what it is about.
pub fn preview(host: &dyn DocumentHost, seen: &Seen, tool: &str, arguments: &Map<String, Value>) -> Option<Preview> {
    let now = host.document().ok()?;
    let whole = |name: &str| arguments.get(name).and_then(Value::as_str);
    let found = match tool {
        "update_section" => section(&now, seen, arguments),
        "edit_current_editor_document" => {
            let edit = match arguments.get("edits").and_then(Value::as_array) {
                Some(edits) => edits.last()?.as_object()?,
                None => arguments,
            };
            lines(&now, seen, edit)
        }
        "replace_text" => text(&now, whole("old")?, whole("new")?),
        _ => None,
    }?;
    let (range, content, said) = found;
    let format = match said.unwrap_or_else(|| Format::of(&content)) {
        Format::Html => Format::Html,
        Format::Markdown | Format::Text => Format::Text,
    };
    Some(Preview { from: host.in_editor(range.0), to: host.in_editor(range.1), content, format })
}

type Found = ((usize, usize), String, Option<Format>);

fn section(now: &Document, seen: &Seen, arguments: &Map<String, Value>) -> Option<Found> {
    let text = |name: &str| arguments.get(name).and_then(Value::as_str).unwrap_or_default();
    let (title, written) = (text("title"), text("content"));
    let titled = || content::heading(2, title) + &content::to_html(written);
    let section = || -> Option<Section> {
        let index = usize::try_from(arguments.get("sectionIndex")?.as_i64()?).ok()?;
        seen.section(now, index)
    };
    Some(match text("operation") {
        // The opening of a blank page, which has no sections yet.
        "replace" if now.sections().is_empty() && arguments.get("sectionIndex")?.as_i64() == Some(0) => {
            let heading = if title.is_empty() { String::new() } else { content::heading(1, title) };
            ((0, now.size()), heading + &content::to_html(written), Some(Format::Html))
        }
        "replace" => {
            let section = section()?;
            let first = section.heading.map_or(section.blocks.start, |heading| heading + 1);
            ((now.block_start(first), section.to), written.to_owned(), None)
        }
        "append" => ((now.size(), now.size()), titled(), Some(Format::Html)),
        "insert" => {
            let at = section()?.from;
            ((at, at), titled(), Some(Format::Html))
        }
        _ => return None,
    })
}

fn lines(now: &Document, seen: &Seen, edit: &Map<String, Value>) -> Option<Found> {
    let number = |name: &str| edit.get(name).and_then(Value::as_u64).map(|line| line as usize);
    let content = edit.get("content")?.as_str()?;
    let (Some(first), Some(last)) =
        (number("start_line").or(number("end_line")), number("end_line").or(number("start_line")))
    else {
        return Some(((0, now.size()), content.to_owned(), None));
    };
    let then = seen.meant_snapshot()?;
    let valid = 1 <= first && first <= last && last <= then.line_count();
    let (found, _) = locate(then, &valid.then_some(first..=last)?, now)?;
    let lines = now.lines_between(*found.start(), *found.end());
    Some(((lines.first()?.from, lines.last()?.to), content.to_owned(), None))
}

fn text(now: &Document, old: &str, new: &str) -> Option<Found> {
    let lines = now.lines();
    let mut places = lines.iter().flat_map(|line| {
        line.text.match_indices(old).map(|(at, found)| {
            let from = line.from + copydesk_document::utf16::len(&line.text[..at]);
            (from, from + copydesk_document::utf16::len(found))
        })
    });
    let place = places.next().filter(|_| !old.is_empty())?;
    places.next().is_none().then(|| (place, new.to_owned(), Some(Format::Text)))
}
