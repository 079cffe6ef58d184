//! The table in the docs.

use crate::fault::{ALL, FaultOutcome};
use crate::shape::{ShapeOutcome, all};
use crate::wire::Format;
use crate::{Cell, Column, formats};
use std::fmt::Write;

const HEAD: &str = "\
# Matrix of answers and faults

The outcome of every shape of an answer, in every wire format, with every fault. Each cell of these tables was run
through a complete agent, with a server that behaves as the cell says and a clock that only the test advances. The test
generates this page (`cargo test --test matrix`; `COPYDESK_UPDATE=1` writes it again) and fails if an outcome differs from
its rule or from this page.

Every run also asserts that
- exactly one event ends the run (`complete` or `error`), and the events are numbered without a gap;
- a call ran only if it was complete in a finished answer, and never before a retry;
- the conversation contains what was shown, and nothing of an answer that was discarded;
- every request has a conversation that is valid in the format: each call has its result, each result its call, and roles
  alternate; the next prompt after any outcome included;
- the key is in no event, message, error, state or ledger, although servers repeat it;
- all connections are closed; at most 18 MiB were read and at most 128 MiB allocated.
";

const WORDS: &str = "\
- **answer**: the outcome of the shape in the first table.
- **retried** (`code`): the request is retried at most three times, with a `retry` event of this code each; then the answer. If the
  fault persists, the run fails with this code.
- `code`: the run fails with it at once. [errors.md](errors.md) explains each code.
- –: cannot happen in this format.

Faults that affect all shapes alike are run with one or two of them: very long or endless answers, values of other types. The shape \"a text\"
is split in two at every byte, the others at some; the tests of the decoders split all recorded streams everywhere.
In \"another type\" each value of each event is replaced by seven others: the answer may then be incomplete or empty.
";

/// The page.
pub fn markdown(columns: &[Column]) -> String {
    let formats = formats::all();
    let runs: usize = columns.iter().flat_map(|column| &column.cells).map(|cell| cell.runs).sum();
    let mut page = format!("{HEAD}\n{runs} runs in all.\n\n## Shapes\n\n");
    let mut notes = Vec::new();
    shapes(&formats, &mut page, &mut notes);
    write!(page, "\n## Faults\n\n{WORDS}").unwrap();
    let mut group = "";
    for fault in ALL {
        if fault.group != group {
            group = fault.group;
            write!(page, "\n### {group}\n\n").unwrap();
            row(
                &mut page,
                ["fault".to_owned()].into_iter().chain(columns.iter().map(|column| format!("`{}`", column.api))),
            );
            row(&mut page, std::iter::repeat_n("---".to_owned(), columns.len() + 1));
        }
        let cells = columns.iter().map(|column| {
            let cells: Vec<&Cell> = column.cells.iter().filter(|cell| cell.fault == fault.name).collect();
            outcomes(&cells, &mut notes)
        });
        let cells: Vec<String> = std::iter::once(fault.name.to_owned()).chain(cells).collect();
        row(&mut page, cells.into_iter());
    }
    if !notes.is_empty() {
        page += "\n## Notes\n\n";
        for (number, note) in notes.iter().enumerate() {
            writeln!(page, "{}. {note}", number + 1).unwrap();
        }
    }
    page
}

fn row(page: &mut String, cells: impl Iterator<Item = String>) {
    let cells: Vec<String> = cells.collect();
    writeln!(page, "| {} |", cells.join(" | ")).unwrap();
}

/// Writes the outcome of each shape without a fault.
fn shapes(formats: &[Format], page: &mut String, notes: &mut Vec<&'static str>) {
    row(page, ["shape".to_owned(), "outcome".to_owned()].into_iter());
    row(page, ["---".to_owned(), "---".to_owned()].into_iter());
    for shape in all() {
        let general = shape.outcome();
        let mut outcome = words(&general);
        for format in formats {
            let (own, reason) = (format.other_shape)(&shape, general.clone());
            if let Some(reason) = reason {
                write!(outcome, "; `{}`: {}{}", format.api, words(&own), note(reason, notes)).unwrap();
            }
        }
        row(page, [shape.name.to_owned(), outcome].into_iter());
    }
}

fn words(said: &ShapeOutcome) -> String {
    let said = match said {
        Err(code) => return format!("`{code}`"),
        Ok(said) => said,
    };
    let mut words = Vec::new();
    if !said.thinking.is_empty() {
        words.push("its thinking".to_owned());
    }
    if !said.text.is_empty() {
        words.push("its text".to_owned());
    }
    let ran = said.calls.iter().filter(|call| call.is_ok()).count();
    match ran {
        0 => {}
        1 => words.push("its call runs".to_owned()),
        _ => words.push("its calls run".to_owned()),
    }
    for code in said.calls.iter().filter_map(|call| call.as_ref().err()) {
        words.push(format!("its call does not run (`{code}`) and the model is told"));
    }
    if words.is_empty() { "an empty answer, with a notice".to_owned() } else { words.join(", ") }
}

/// Returns the outcome of a fault in a format: for each time at which it occurs, once for all shapes, with exceptions
/// by name.
fn outcomes(cells: &[&Cell], notes: &mut Vec<&'static str>) -> String {
    let mut whens: Vec<&str> = Vec::new();
    for cell in cells {
        if !whens.contains(&cell.when) {
            whens.push(cell.when);
        }
    }
    let mut lines: Vec<(Vec<&str>, String)> = Vec::new();
    for when in whens {
        let cells: Vec<&Cell> = cells.iter().copied().filter(|cell| cell.when == when).collect();
        let mut kinds: Vec<(String, Vec<&str>)> = Vec::new();
        for cell in &cells {
            let outcome = outcome(cell, notes);
            match kinds.iter_mut().find(|(other, _)| *other == outcome) {
                Some((_, shapes)) => shapes.push(cell.shape),
                None => kinds.push((outcome, vec![cell.shape])),
            }
        }
        kinds.sort_by_key(|(_, shapes)| std::cmp::Reverse(shapes.len()));
        let one_each = cells.len() == count_of_shapes(&cells);
        let said = kinds.iter().enumerate().map(|(at, (outcome, shapes))| {
            if at == 0 || !one_each { outcome.clone() } else { format!("{}: {outcome}", shapes.join("; ")) }
        });
        let said = said.collect::<Vec<_>>().join("<br>");
        match lines.iter_mut().find(|(_, other)| *other == said) {
            Some((whens, _)) => whens.push(when),
            None => lines.push((vec![when], said)),
        }
    }
    let line = |(whens, said): &(Vec<&str>, String)| {
        if whens == &[""] { said.clone() } else { format!("{}: {said}", whens.join("; ")) }
    };
    let lines: Vec<String> = lines.iter().map(line).collect();
    if lines.is_empty() { "–".to_owned() } else { lines.join("<br>") }
}

fn count_of_shapes(cells: &[&Cell]) -> usize {
    let mut shapes: Vec<&str> = cells.iter().map(|cell| cell.shape).collect();
    shapes.sort_unstable();
    shapes.dedup();
    shapes.len()
}

fn outcome(cell: &Cell, notes: &mut Vec<&'static str>) -> String {
    let outcome = match cell.outcome {
        FaultOutcome::Answer => "answer".to_owned(),
        FaultOutcome::Corrupted => "answer, with U+FFFD".to_owned(),
        FaultOutcome::CallsFail(code) => format!("answer, its calls do not run (`{code}`)"),
        FaultOutcome::Retried(code) => format!("**retried** (`{code}`)"),
        FaultOutcome::Fails(code) => format!("`{code}`"),
        FaultOutcome::Anything => "anything".to_owned(),
    };
    let outcome = if cell.is_wrong { format!("{outcome} by rule, but **not in this run**") } else { outcome };
    cell.reason.map_or(outcome.clone(), |reason| format!("{outcome}{}", note(reason, notes)))
}

fn note(reason: &'static str, notes: &mut Vec<&'static str>) -> String {
    let at = notes.iter().position(|note| *note == reason).unwrap_or_else(|| {
        notes.push(reason);
        notes.len() - 1
    });
    format!(" <sup>{}</sup>", at + 1)
}
