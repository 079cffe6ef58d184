//! Lines found again, beside a search for each range alone.

use crate::documents::for_seeds;
use crate::random::Random;
use copydesk_document::align::{Match, matches};
use copydesk_document::{BlockId, Document, Line};
use copydesk_edit::relocate::locate::{FoundBy, locate_all};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::ops::RangeInclusive;

type Found = (RangeInclusive<usize>, FoundBy);

fn locate(then: &Document, lines: &RangeInclusive<usize>, now: &Document) -> Option<Found> {
    let meant = then.lines_between(*lines.start(), *lines.end());
    let (Some(first), Some(last)) = (meant.first(), meant.last()) else { return None };
    if let Some(found) = by_blocks(then, &meant, now) {
        return Some((found, FoundBy::Lines));
    }
    let ids = &then.block_ids()[first.block..=last.block];
    if ids.iter().any(|id| now.block_with_id(*id).is_some()) {
        return None;
    }
    let (then_lines, now_lines) = (then.lines(), now.lines());
    let meant = (lines.start() - 1)..*lines.end();
    let places = |of: &Document, lines: &[Line], other: &Document| -> Vec<usize> {
        let reads = |start: &usize| {
            let pairs = then_lines[meant.clone()].iter().zip(&lines[*start..]);
            pairs.clone().all(|(line, there)| line.text == there.text)
                && pairs.clone().all(|(_, there)| other.block_with_id(of.block_ids()[there.block]).is_none())
        };
        (0..(lines.len() + 1).saturating_sub(meant.len())).filter(reads).collect()
    };
    let ([only], [_]) = (&places(now, &now_lines, then)[..], &places(then, &then_lines, now)[..]) else { return None };
    let found = only + 1..=only + meant.len();
    let runs = same_lines(&then_lines, &now_lines);
    let run = runs.iter().find(|run| run.old <= meant.start && meant.end <= run.old + run.len);
    if run.map(|run| run.new + meant.start - run.old) == Some(*only) {
        return Some((found, FoundBy::Diff));
    }
    if then_lines[meant.clone()].iter().all(|line| line.text.trim().is_empty()) {
        return None;
    }
    let around = |lines: &[Line], start: usize| {
        let text = |line: Option<&Line>| line.map(|line| line.text.clone());
        (start.checked_sub(1).map(|at| text(lines.get(at))), text(lines.get(start + meant.len())))
    };
    let alike = around(&now_lines, *only) == around(&then_lines, meant.start);
    Some((found, if alike { FoundBy::Context } else { FoundBy::Text }))
}

fn by_blocks(then: &Document, meant: &[Line], now: &Document) -> Option<RangeInclusive<usize>> {
    let mut carried_blocks: HashMap<usize, Vec<Option<usize>>> = HashMap::new();
    let mut numbers = Vec::new();
    for line in meant {
        let lines = match carried_blocks.entry(line.block) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => new.insert(carried(then, line.block, now)?),
        };
        numbers.push(lines[line.line - then.line_numbers_of(line.block).start]?);
    }
    let (first, last) = (*numbers.first()?, *numbers.last()?);
    (numbers.is_sorted() && last + 1 - first == numbers.len()).then_some(first..=last)
}

fn carried(then: &Document, block: usize, now: &Document) -> Option<Vec<Option<usize>>> {
    let index = now.block_with_id(then.block_ids()[block])?;
    let first = now.line_numbers_of(index).start;
    let count = then.line_numbers_of(block).len();
    if then.blocks()[block] == now.blocks()[index] {
        return Some((0..count).map(|line| Some(first + line)).collect());
    }
    let (old, new) = (then.lines_of_blocks(block..block + 1), now.lines_of_blocks(index..index + 1));
    let often = |lines: &[Line], like: &Line| {
        lines.iter().filter(|line| line.text == like.text && line.kind == like.kind).count()
    };
    let mut carried = vec![None; count];
    for Match { old: old_at, new: new_at, len } in same_lines(&old, &new) {
        for line in 0..len {
            let meant = &old[old_at + line];
            if often(&old, meant) == often(&new, meant) {
                carried[old_at + line] = Some(first + new_at + line);
            }
        }
    }
    if old.len() == new.len() && old.iter().zip(&new).all(|(a, b)| a.kind == b.kind && a.path[1..] == b.path[1..]) {
        for (at, _) in old.iter().zip(&new).enumerate().filter(|(_, (a, b))| a.text == b.text) {
            carried[at] = Some(first + at);
        }
    }
    Some(carried)
}

fn same_lines(old: &[Line], new: &[Line]) -> Vec<Match> {
    let texts = |lines: &[Line]| lines.iter().map(|line| (line.kind.clone(), line.text.clone())).collect::<Vec<_>>();
    matches(&texts(old), &texts(new))
}

/// Few texts, so that many lines read alike.
fn some_html(random: &mut Random, most: usize) -> String {
    let texts = ["a", "b", "c", ""];
    let block = |random: &mut Random| match random.below(4) {
        0 => {
            let items: String = (0..=random.below(4)).map(|_| format!("<li>{}</li>", random.pick(&texts))).collect();
            format!("<ul>{items}</ul>")
        }
        1 => format!("<p>{}<br>{}</p>", random.pick(&texts), random.pick(&texts)),
        2 => format!("<h2>{}</h2>", random.pick(&texts)),
        _ => format!("<p>{}</p>", random.pick(&texts)),
    };
    (0..=random.below(most)).map(|_| block(random)).collect()
}

/// The document as it may be now: blocks change under their names, come anew, move, come and go.
fn later(random: &mut Random, then: &Document) -> Document {
    let mut now = then.clone();
    for _ in 0..random.below(5) {
        let count = now.blocks().len();
        let at = random.below(count + 1);
        let one = Document::from_html(some_html(random, 1)).unwrap().blocks()[0].clone();
        match random.below(6) {
            0 => {
                now.put(at..at, vec![(now.next_id(), one)]);
                now.rename_anew(at);
            }
            1 if at < count => now.put(at..at + 1, Vec::new()),
            2 if at < count => now.put(at..at + 1, vec![(now.block_ids()[at], one)]),
            3 => (0..count).filter(|_| random.below(2) == 0).for_each(|at| now.rename_anew(at)),
            4 if at < count => now.rename_anew(at),
            5 if at < count => {
                let taken: (BlockId, _) = (now.block_ids()[at], now.blocks()[at].clone());
                now.put(at..at + 1, Vec::new());
                let to = random.below(now.blocks().len() + 1);
                now.put(to..to, vec![taken]);
            }
            _ => {}
        }
    }
    now
}

#[test]
fn ranges_located_at_once_are_ranges_located_one_by_one() {
    for_seeds(6000, |random| {
        let then = Document::from_html(some_html(random, 7)).unwrap();
        let now = later(random, &then);
        let (mut ranges, mut at) = (Vec::new(), 1);
        while at <= then.line_count() {
            let last = (at + random.below(3)).min(then.line_count());
            if random.below(3) > 0 {
                ranges.push(at..=last);
            }
            at = last + 1;
        }
        if random.below(2) == 0 {
            ranges.reverse();
        }
        let expected: Vec<Option<Found>> = ranges.iter().map(|range| locate(&then, range, &now)).collect();
        assert_eq!(locate_all(&then, &ranges, &now), expected, "{ranges:?} of {then:?} in {now:?}");
    });
}
