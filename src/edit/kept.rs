//! What a call that waits for the person needs to know when the page is loaded anew: which lines it meant, and how they read.
//!
//! A [`Seen`] is gone with its page, and so are the ids of blocks. What is kept of it with the messages is made when the call
//! could run: numbers of lines, a hash of how they and their neighbours read, and how many places read so, with the neighbours
//! and without. They are found again where one place alone read so then and does now. What was changed meanwhile is stale, and
//! so is what may be the one that is left of several.

use super::apply::DocumentHost;
use super::carry::AROUND;
use super::find_text;
use super::section;
use super::seen::{self, Carried, Seen};
use super::update::DocUpdate;
use crate::document::{Document, Section, Style};
use crate::error::Error;
use crate::fields::form;
use serde_json::{Map, Value};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::RangeInclusive;

/// The code of what is stale.
const STALE: &str = "stale";
/// The most lines that the error of a stale call shows.
const MOST_SHOWN: usize = 60;

/// What is to be kept of a call: `{total, lines: [[first, last, hash, places, hash alone, places alone]]}`; none where it could not run now.
pub fn keep(seen: &Seen, host: &dyn DocumentHost, update: &DocUpdate) -> Option<Value> {
    let now = host.document().ok()?;
    let Carried { update: carried, stated } = match seen.carried(host, update) {
        Ok(carried) => carried,
        // It stays so: these lines are nowhere.
        Err(error) if error.code() == STALE => return Some(form("lines", [vec![vec![0; 3]].into()])),
        Err(_) => return None,
    };
    let ranges: Vec<RangeInclusive<usize>> = match (update, &carried) {
        (DocUpdate::ReplaceLines(asked), _) => match (asked.is_whole(), stated?) {
            (false, stated) => stated.into_iter().map(|stated| stated.found).collect(),
            (true, stated) if stated.is_empty() => vec![1..=now.line_count()],
            // It was about another document.
            (true, _) => return None,
        },
        (_, DocUpdate::ReplaceText(asked)) if asked.all == Some(true) => Vec::new(),
        (_, DocUpdate::ReplaceText(asked)) => {
            find_text::lines_of(&now, asked).ok()?.into_iter().map(|line| line..=line).collect()
        }
        (_, carried) => {
            let section = section_at(&now, carried.section_index()?)?;
            let last = if carried.overwrites() { section.blocks.end.checked_sub(1)? } else { section.blocks.start };
            let first = now.line_numbers_of(section.blocks.start).start;
            vec![first..=now.line_numbers_of(last).end - 1]
        }
    };
    let all = hashes(&now);
    let row = |range: RangeInclusive<usize>| -> Option<Value> {
        let mut row = vec![Value::from(*range.start()), (*range.end()).into()];
        for lines in [all.get(range.start() - 1..range.end() + 2)?, all.get(range)?] {
            let places = (0..all.len()).filter(|at| all[*at..].starts_with(lines)).count();
            row.extend([hash(lines).into(), places.into()]);
        }
        Some(row.into())
    };
    let lines = ranges.into_iter().map(row).collect::<Option<Value>>()?;
    Some(form("total lines", [now.line_count().into(), lines]))
}

/// Has a call mean in the document of now what it meant when this was kept of it: its `arguments` get the numbers of now, and
/// those lines count as seen.
///
/// # Errors
/// [`Error::StaleLines`] where they do not read as they did.
pub fn restore(
    seen: &mut Seen,
    host: &dyn DocumentHost,
    update: &DocUpdate,
    kept: &Value,
    arguments: &mut Map<String, Value>,
) -> Result<(), Error> {
    let now = host.document()?;
    let all = hashes(&now);
    let number = |value: &Value| value.as_u64().map_or(0, |number| number.min(u64::from(u32::MAX)) as usize);
    let mut found = Vec::new();
    for row in kept["lines"].as_array().into_iter().flatten() {
        let (first, last) = (number(&row[0]), number(&row[1]));
        let as_then = std::array::from_fn(|at| row[at + 2].as_u64().unwrap_or(0));
        match find(&all, number(&kept["total"]), first, last, as_then) {
            Some(at) => found.push(at..=at + last - first),
            None => return Err(stale(seen, host, &now, update, (first, last))),
        }
    }
    found.iter().for_each(|lines| seen.showed(&now, lines.clone()));
    let mut found = found.into_iter();
    match update {
        DocUpdate::ReplaceLines(asked) if asked.is_whole() => {}
        DocUpdate::ReplaceLines(_) => {
            if let Some(Value::Array(edits)) = arguments.get_mut("edits").map(as_list) {
                edits.iter_mut().filter_map(Value::as_object_mut).zip(found.by_ref()).for_each(number_lines);
            }
            found.next().into_iter().for_each(|lines| number_lines((arguments, lines)));
        }
        DocUpdate::ReplaceText(asked) => {
            if let (Some(_), Some(lines)) = (asked.near_line, found.next()) {
                arguments.insert("near_line".to_owned(), (*lines.start()).into());
            }
        }
        _ => {
            let block = found.next().map(|lines| now.block_of_line(*lines.start()));
            let section =
                now.sections().into_iter().find(|section| block.is_some_and(|at| section.blocks.contains(&at)));
            if let Some(section) = section {
                seen.showed_section(&now, &section);
                arguments.insert("sectionIndex".to_owned(), section.index.into());
            }
        }
    }
    arguments.remove("version");
    Ok(())
}

/// Edits as a list, where they were given as text or as one object.
fn as_list(edits: &mut Value) -> &mut Value {
    if let Some(inside) = edits.as_str().and_then(|text| serde_json::from_str(text).ok()) {
        *edits = inside;
    }
    if edits.is_object() {
        *edits = vec![edits.take()].into();
    }
    edits
}

fn number_lines((edit, lines): (&mut Map<String, Value>, RangeInclusive<usize>)) {
    edit.insert("start_line".to_owned(), (*lines.start()).into());
    edit.insert("end_line".to_owned(), (*lines.end()).into());
}

/// How each line reads, between two signs for the ends of the document: line 1 is at 1.
fn hashes(document: &Document) -> Vec<u64> {
    let mut all = vec![0];
    all.extend(document.lines().iter().map(|line| hash((&line.kind, &line.text))));
    all.push(1);
    all
}

/// No more bits than a number of JavaScript has.
fn hash(what: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    what.hash(&mut hasher);
    hasher.finish() >> 11
}

/// Where lines begin that read as these did, with their neighbours: the only such place, where it was the only one, or, where
/// nothing was added or taken away, the same. None where fewer than then read so but for the neighbours: the one that is gone
/// may be the one that was meant.
fn find(all: &[u64], total: usize, first: usize, last: usize, as_then: [u64; 4]) -> Option<usize> {
    let length = (last + 1).checked_sub(first)?;
    let places = |length: usize, as_then: u64| -> Vec<usize> {
        let reads_so = |at: &usize| all.get(*at..at + length).is_some_and(|lines| hash(lines) == as_then);
        (0..all.len()).filter(reads_so).collect()
    };
    // Who kept no counts knows of no place that it was the only one.
    let [around, count, alone, alike] = as_then;
    let found = places(length + 2, around);
    let place = match &found[..] {
        [place] if count == 1 => *place,
        _ if count > 0 && found.len() as u64 != count => return None,
        _ => first.checked_sub(1).filter(|place| all.len() == total + 2 && found.contains(place))?,
    };
    (alike < 2 || places(length, alone).len() as u64 >= alike).then_some(place + 1)
}

fn stale(
    seen: &mut Seen,
    host: &dyn DocumentHost,
    now: &Document,
    update: &DocUpdate,
    (first, last): (usize, usize),
) -> Error {
    if let Some(index) = update.section_index() {
        let section = section_at(now, index);
        let content = section.as_ref().and_then(|section| section::html(host, now, section).ok());
        let fresh = section.zip(content).map(|(section, content)| {
            seen.showed_section(now, &section);
            (section.index, section.title, content)
        });
        return seen::stale(usize::try_from(index).unwrap_or_default(), fresh, now);
    }
    let total = now.line_count().max(1);
    let begin = first.saturating_sub(AROUND).clamp(1, total);
    let shown = begin..=(last + AROUND).min(begin + MOST_SHOWN).clamp(begin, total);
    let text = now.numbered(Some(*shown.start()), Some(*shown.end()), Style::Structure).unwrap_or_default();
    seen.read_lines(now, shown);
    Error::StaleLines { first, last, now: text }
}

fn section_at(document: &Document, index: i64) -> Option<Section> {
    document.sections().into_iter().nth(usize::try_from(index).ok()?).filter(|section| !section.blocks.is_empty())
}
