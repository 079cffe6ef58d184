//! The stored form of a call that waits for the user, for when the page is loaded again: the lines to which it refers,
//! and how they read.
//!
//! A [`Shown`] is lost with its page, and so are the ids of blocks. The part of it that is stored with the messages is
//! computed when the call could run: `{hash, total, lines: [[first, last, around, places, alone, places]]}`. `hash`
//! names the algorithm; `around` and `alone` are hashes of the lines with their two neighbours and without, each
//! followed by the number of places in the document with that hash. Lines are found again if exactly one place had the
//! hash `around` then and one has it now, or if as many places have it as then, the number of lines is unchanged, and
//! the old place is one of them. All other lines are stale: those that were changed meanwhile, those that have become
//! fewer, and those that were stored in another form.
//!
//! The algorithm is SipHash-2-4 with the keys below, so that other builds and platforms read what this one stored. A
//! line is the bytes of its type, a zero byte and its text; the ends of the document are lines with the hashes `0` and
//! `1`. A run of 2^k lines is the hashes of its two halves, and a run of n lines is n and the hashes of the first and
//! the last 2^⌊log₂ n⌋ of its lines, all as 64 bits with the lowest byte first. Hashes are stored as 16 hexadecimal
//! digits.

use super::AROUND;
use super::shown::{self, Relocated, Shown};
use crate::Error;
use crate::apply::DocumentHost;
use crate::evidence::Evidence;
use crate::find_text;
use crate::operation::DocUpdate;
use crate::target::{LineRange, SectionTarget, Target, TextMatch};
use copydesk_document::{Document, Line, Section};
use rustc_hash::FxHashMap;
use serde::Serialize;
use serde_json::{Map, Value};
use siphasher::sip::SipHasher24;
use std::ops::{Range, RangeInclusive};

/// The name of the algorithm that is specified above.
const HASH: &str = "siphash-2-4";
/// Its keys: the bytes of "copydesk waiting", the lowest first.
const KEYS: (u64, u64) = (u64::from_le_bytes(*b"copydesk"), u64::from_le_bytes(*b" waiting"));
/// The most lines that the error of a stale call shows.
const MOST_SHOWN: usize = 60;

/// Returns the data to store for calls, by their ids: for those that could run now, and for those that are stale
/// already.
pub fn keep<'a>(
    shown: &Shown,
    host: &dyn DocumentHost,
    calls: impl Iterator<Item = (&'a str, DocUpdate)>,
) -> Map<String, Value> {
    let Ok(now) = host.document() else { return Map::new() };
    let mut runs = None;
    let mut kept = Map::new();
    for (id, update) in calls {
        let stored = match meant(shown, host, &now, &update) {
            Meant::Lines(ranges) => {
                rows(runs.get_or_insert_with(|| Runs::of(&now)), &ranges).map(|lines| stored(&now, lines))
            }
            // It stays so: these lines are nowhere.
            Meant::Stale => Some(stored(&now, vec![vec![0; 2]].into())),
            Meant::Nothing => None,
        };
        kept.extend(stored.map(|stored| (id.to_owned(), stored)));
    }
    kept
}

/// The lines that a call refers to.
enum Meant {
    Lines(Vec<RangeInclusive<usize>>),
    Stale,
    Nothing,
}

/// The stored form of a call.
#[derive(Serialize)]
struct StoredCall {
    /// The name of the hash algorithm.
    hash: &'static str,
    /// The number of lines in the document.
    total: usize,
    /// A row for each range of lines: the first and the last line, then the hash and the number of occurrences of the
    /// range with one line around it, then those of the range alone. `[0, 0]` is a range that is nowhere.
    lines: Value,
}

fn stored(now: &Document, lines: Value) -> Value {
    serde_json::to_value(StoredCall { hash: HASH, total: now.line_count(), lines }).unwrap_or_default()
}

fn meant(shown: &Shown, host: &dyn DocumentHost, now: &Document, update: &DocUpdate) -> Meant {
    let Relocated { update: relocated, stated, .. } = match shown.relocate(host, update) {
        Ok(relocated) => relocated,
        Err(Error::Stale { .. } | Error::StaleLines { .. }) => return Meant::Stale,
        Err(_) => return Meant::Nothing,
    };
    let ranges = match (update.target(), relocated.target()) {
        (Target::Document, _) => match stated {
            Some(stated) if stated.is_empty() => Some(vec![1..=now.line_count()]),
            // It was about another document.
            _ => None,
        },
        (Target::Lines(_), _) => stated.map(|stated| stated.into_iter().map(|stated| stated.found).collect()),
        (_, Target::Text(text)) if text.all => Some(Vec::new()),
        (_, Target::Text(text)) => {
            let lines = find_text::lines_of(now, &text).ok();
            lines.map(|lines| lines.into_iter().map(|line| line..=line).collect())
        }
        (_, Target::Sections(sections)) => sections.iter().map(|section| section_lines(now, section)).collect(),
        _ => None,
    };
    ranges.map_or(Meant::Nothing, Meant::Lines)
}

/// Returns the lines of a section that an update overwrites, or those of its first block, where it only states a place.
fn section_lines(now: &Document, stated: &SectionTarget) -> Option<RangeInclusive<usize>> {
    let section = section_at(now, stated.index)?;
    let last = if stated.usage.overwrites() { section.blocks.end.checked_sub(1)? } else { section.blocks.start };
    Some(now.line_numbers_of(section.blocks.start).start..=now.line_numbers_of(last).end - 1)
}

/// Returns the stored form of ranges of lines, or `None` if one is not in the document.
fn rows(runs: &mut Runs, ranges: &[RangeInclusive<usize>]) -> Option<Value> {
    let mut wanted = Vec::with_capacity(ranges.len() * 2);
    for range in ranges {
        for lines in [range.start().checked_sub(1)?..range.end() + 2, *range.start()..range.end() + 1] {
            wanted.push((lines.len(), runs.hash(&lines)?));
        }
    }
    let found = runs.find(&wanted);
    let row = |at: usize| -> Value {
        let mut row = vec![Value::from(*ranges[at].start()), (*ranges[at].end()).into()];
        for at in [2 * at, 2 * at + 1] {
            row.extend([format!("{:016x}", wanted[at].1).into(), found[at].count.into()]);
        }
        row.into()
    };
    Some((0..ranges.len()).map(row).collect())
}

/// A call that does not mean anything that is there.
pub struct Refused {
    /// Why.
    pub error: Error,
    /// The part of the document that the error shows.
    pub evidence: Option<Evidence>,
}

/// Restores the targets of a call in the current document: its `arguments` get the current numbers, and those lines
/// count as shown.
///
/// # Errors
/// [`Error::Stale`] or [`Error::StaleLines`] if they do not read as they did, or if they were stored in another form.
pub fn restore(
    shown: &mut Shown,
    host: &dyn DocumentHost,
    update: &DocUpdate,
    kept: &Value,
    arguments: &mut Map<String, Value>,
) -> Result<(), Box<Refused>> {
    let failed = |error| Box::new(Refused { error, evidence: None });
    let now = host.document().map_err(failed)?;
    let number = |value: &Value| value.as_u64().map_or(0, |number| number.min(u64::from(u32::MAX)) as usize);
    let rows = kept["lines"].as_array().map_or(&[][..], Vec::as_slice);
    let refused = |shown: &mut Shown, row: Option<&Value>| {
        let lines = row.map_or((1, 1), |row| (number(&row[0]), number(&row[1])));
        Err(Box::new(stale(shown, host, &now, update, lines)))
    };
    if kept["hash"] != HASH {
        return refused(shown, rows.first());
    }
    let mut runs = Runs::of(&now);
    let read = |row: &Value| {
        let hash = |at: usize| row[at].as_str().and_then(|digits| u64::from_str_radix(digits, 16).ok());
        let count = |at: usize| row[at].as_u64().filter(|count| *count > 0);
        let (first, last) = (number(&row[0]), number(&row[1]));
        let length = (last + 1).checked_sub(first).filter(|length| *length > 0)?;
        Some((first, [(length + 2, hash(2)?), (length, hash(4)?)], [count(3)?, count(5)?]))
    };
    let then: Vec<_> = rows.iter().map(read).collect();
    let wanted: Vec<(usize, u64)> = then.iter().flatten().flat_map(|(_, wanted, _)| *wanted).collect();
    let places = runs.find(&wanted);
    let mut places = places.chunks_exact(2);
    let mut found = Vec::new();
    for (row, then) in rows.iter().zip(&then) {
        let place = then.and_then(|(first, [around, alone], counts)| {
            let [now_around, now_alone] = places.next()? else { return None };
            let same_place = first.checked_sub(1).filter(|start| {
                let run = *start..start + around.0;
                runs.lines() == number(&kept["total"]) && runs.hash(&run) == Some(around.1)
            });
            // The only place, if it was the only one; otherwise the same one, if none was added or removed. If fewer
            // than then read so, the missing one may be the one that was meant.
            let start = match (counts[0], now_around.count) {
                (1, 1) => Some(now_around.first),
                (then, now) if then == now => same_place,
                _ => None,
            }?;
            (counts[1] < 2 || now_alone.count >= counts[1]).then_some(start + 1..=start + alone.0)
        });
        match place {
            Some(lines) => found.push(lines),
            None => return refused(shown, Some(row)),
        }
    }
    found.iter().for_each(|lines| shown.showed(&now, lines.clone()));
    let target = match update.target() {
        Target::Lines(_) => Target::Lines(found.iter().map(LineRange::of).collect()),
        Target::Text(text) => {
            let near = text.near_line.and(found.first()).map(|lines| *lines.start() as i64);
            Target::Text(TextMatch { near_line: near, ..text })
        }
        Target::Sections(sections) => {
            let mut current = Vec::new();
            for (stated, lines) in sections.into_iter().zip(&found) {
                let block = now.block_of_line(*lines.start());
                let Some(section) = now.sections().iter().find(|section| section.blocks.contains(&block)).cloned()
                else {
                    continue;
                };
                shown.showed_section(&now, &section, stated.usage.overwrites());
                current.push(SectionTarget { index: section.index as i64, ..stated });
            }
            Target::Sections(current)
        }
        target @ (Target::Document | Target::End) => target,
    };
    target.write(arguments);
    arguments.remove("version");
    Ok(())
}

/// Returns a hash of the type and the text of a line.
pub(super) fn line_hash(line: &Line) -> u64 {
    hash(&[line.kind.as_bytes(), &[0], line.text.as_bytes()].concat())
}

fn hash(bytes: &[u8]) -> u64 {
    SipHasher24::new_with_keys(KEYS.0, KEYS.1).hash(bytes)
}

fn hash_of(numbers: &[u64]) -> u64 {
    hash(&numbers.iter().flat_map(|number| number.to_le_bytes()).collect::<Vec<u8>>())
}

/// Hashes of the runs of a document's lines. Those of one length take time in proportion to the lines, whatever the
/// length.
struct Runs {
    /// At k, the hash of the 2^k lines from each line on. The ends of the document are lines too, so that line 1 is
    /// at 1.
    powers: Vec<Vec<u64>>,
}

/// The occurrences of runs with one hash.
#[derive(Clone, Copy, Default)]
struct Places {
    count: u64,
    first: usize,
}

impl Runs {
    fn of(document: &Document) -> Runs {
        let mut all = vec![0];
        all.extend(document.lines().iter().map(line_hash));
        all.push(1);
        Runs { powers: vec![all] }
    }

    /// Returns the number of lines of the document.
    fn lines(&self) -> usize {
        self.powers[0].len() - 2
    }

    fn power(&mut self, power: usize) -> &[u64] {
        while self.powers.len() <= power {
            let half = 1 << (self.powers.len() - 1);
            let last = &self.powers[self.powers.len() - 1];
            self.powers.push(last.iter().zip(last.iter().skip(half)).map(|(a, b)| hash_of(&[*a, *b])).collect());
        }
        &self.powers[power]
    }

    /// Returns the hash of a run; `None` if it is empty or not in the document.
    fn hash(&mut self, run: &Range<usize>) -> Option<u64> {
        let power = run.len().checked_ilog2()? as usize;
        if run.end > self.powers[0].len() {
            return None;
        }
        let halves = self.power(power);
        Some(hash_of(&[run.len() as u64, *halves.get(run.start)?, *halves.get(run.end - (1 << power))?]))
    }

    /// Finds the runs that have a length and a hash.
    fn find(&mut self, wanted: &[(usize, u64)]) -> Vec<Places> {
        let mut by_length: FxHashMap<usize, FxHashMap<u64, Places>> = FxHashMap::default();
        for (length, hash) in wanted {
            by_length.entry(*length).or_default().insert(*hash, Places::default());
        }
        for (length, places) in &mut by_length {
            for start in 0..(self.powers[0].len() + 1).saturating_sub(*length) {
                let hash = self.hash(&(start..start + length));
                if let Some(found) = hash.and_then(|hash| places.get_mut(&hash)) {
                    found.first = if found.count == 0 { start } else { found.first };
                    found.count += 1;
                }
            }
        }
        let found = |(length, hash): &(usize, u64)| by_length.get(length).and_then(|places| places.get(hash)).copied();
        wanted.iter().map(|wanted| found(wanted).unwrap_or_default()).collect()
    }
}

fn stale(
    shown: &mut Shown,
    host: &dyn DocumentHost,
    now: &Document,
    update: &DocUpdate,
    (first, last): (usize, usize),
) -> Refused {
    let mut evidence = shown.evidence(now);
    if let Some(SectionTarget { index, .. }) = update.target().sections().first().cloned() {
        evidence.with_outline();
        let section = section_at(now, index);
        let content = section.as_ref().and_then(|section| evidence.with_content(host, section.index).ok());
        let current = section.zip(content).map(|(section, content)| (section.index, section.title, content));
        let error = shown::stale(usize::try_from(index).unwrap_or_default(), current, now);
        return Refused { error, evidence: Some(evidence) };
    }
    let total = now.line_count().max(1);
    let begin = first.saturating_sub(AROUND).clamp(1, total);
    let shown = begin..=(last + AROUND).min(begin + MOST_SHOWN).clamp(begin, total);
    let now = evidence.with_lines(shown).unwrap_or_default();
    Refused { error: Error::StaleLines { first, last, now }, evidence: Some(evidence) }
}

fn section_at(document: &Document, index: i64) -> Option<Section> {
    document.sections().get(usize::try_from(index).ok()?).filter(|section| !section.blocks.is_empty()).cloned()
}
