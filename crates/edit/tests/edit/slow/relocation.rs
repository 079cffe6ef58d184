//! Lines found again, beside a search for each range alone.

use crate::documents::for_seeds;
use crate::random::Random;
use copydesk_document::align::{Match, matches};
use copydesk_document::{BlockId, Document, Line, Node};
use copydesk_edit::inlines::Inlines;
use copydesk_edit::relocate::locate::{FoundBy, locate_all};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::ops::RangeInclusive;

type Found = (RangeInclusive<usize>, FoundBy);

fn locate(then: &Document, lines: &RangeInclusive<usize>, now: &Document) -> Option<Found> {
    let found = locate_any(then, lines, now)?;
    let blocks = |of: &Document, lines: &RangeInclusive<usize>| -> Vec<Node> {
        of.lines_between(*lines.start(), *lines.end()).iter().map(|line| of.blocks()[line.block].clone()).collect()
    };
    if blocks(then, lines) == blocks(now, &found.0) {
        return Some(found);
    }
    // Lines with other marks than those that are meant, which another line has.
    let (old, new) = (contents(then), contents(now));
    for (meant, place) in lines.clone().zip(found.0.clone()) {
        let (meant, there) = (&old[meant - 1], &new[place - 1]);
        let is_other = |number: &usize| *number != place && new[number - 1] == *meant;
        if meant != there && !meant.0.trim().is_empty() && (1..=new.len()).any(|number| is_other(&number)) {
            return None;
        }
    }
    Some(found)
}

/// The text, the type and the inline content of each line.
fn contents(document: &Document) -> Vec<(String, String, Vec<Node>)> {
    let lines = document.lines();
    let mut inlines = Inlines::new(document, &lines);
    (0..lines.len()).map(|at| (lines[at].text.clone(), lines[at].kind.clone(), inlines.of(at).to_vec())).collect()
}

fn locate_any(then: &Document, lines: &RangeInclusive<usize>, now: &Document) -> Option<Found> {
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
    // Few differences are generated.
    let fold = |text: &str| text.replace('\u{a0}', " ").replace('’', "'").trim().to_owned();
    let reads = |a: &Line, b: &Line, folds: bool| a.text == b.text || (folds && fold(&a.text) == fold(&b.text));
    let is_new =
        |of: &Document, line: &Line, other: &Document| other.block_with_id(of.block_ids()[line.block]).is_none();
    let places = |of: &Document, lines: &[Line], other: &Document, folds: bool| -> Vec<usize> {
        let is_there = |start: &usize| {
            let mut pairs = then_lines[meant.clone()].iter().zip(&lines[*start..]);
            pairs.all(|(line, there)| reads(line, there, folds) && is_new(of, there, other))
        };
        (0..(lines.len() + 1).saturating_sub(meant.len())).filter(is_there).collect()
    };
    // Each of the lines is in the other blocks as often as before.
    let is_settled = |folds: bool| {
        then_lines[meant.clone()].iter().filter(|line| !line.text.trim().is_empty()).all(|line| {
            let often = |of: &Document, lines: &[Line], other: &Document| {
                lines.iter().filter(|there| reads(line, there, folds) && !is_new(of, there, other)).count()
            };
            often(then, &then_lines, now) == often(now, &now_lines, then)
        })
    };
    let only =
        |folds: bool| match (&places(now, &now_lines, then, folds)[..], &places(then, &then_lines, now, folds)[..]) {
            ([only], [_]) if is_settled(folds) => Some(*only),
            _ => None,
        };
    let found = |first: usize, by: FoundBy| Some((first + 1..=first + meant.len(), by));
    let runs = same_lines(&then_lines, &now_lines);
    let run = runs.iter().find(|run| run.old <= meant.start && meant.end <= run.old + run.len);
    if let Some(only) = only(false)
        && run.map(|run| run.new + meant.start - run.old) == Some(only)
    {
        return found(only, FoundBy::Diff);
    }
    if then_lines[meant.clone()].iter().all(|line| line.text.trim().is_empty()) {
        return None;
    }
    let with_context = |lines: &[Line], start: usize| {
        let text = |line: Option<&Line>| line.map(|line| line.text.clone());
        let before = start.checked_sub(1).map(|at| text(lines.get(at)));
        let own = lines[start..start + meant.len()].iter().map(|line| line.text.clone()).collect::<Vec<_>>();
        (before, own, text(lines.get(start + meant.len())))
    };
    let alike = |lines: &[Line]| -> Vec<usize> {
        let starts = 0..(lines.len() + 1).saturating_sub(meant.len());
        starts.filter(|start| with_context(lines, *start) == with_context(&then_lines, meant.start)).collect()
    };
    let is_same = |first: usize| {
        let (old, new) = (contents(then), contents(now));
        old[meant.clone()] == new[first..first + meant.len()]
    };
    if let ([_], [one]) = (&alike(&then_lines)[..], &alike(&now_lines)[..])
        && places(now, &now_lines, then, false).contains(one)
        && (only(false) == Some(*one) || is_same(*one))
    {
        return found(*one, FoundBy::Context);
    }
    only(false).or_else(|| only(true)).and_then(|only| found(only, FoundBy::Text))
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
    let texts = ["a", "b", "c", "", "it's", "it’s", "d\u{a0}e", "d e", "<strong>a</strong>", "<a href=\"/1\">b</a>"];
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

/// The document as it may be later: blocks change under their ids, are added again, added, moved and removed.
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

/// A document of paragraphs, and the same after a user has cut, pasted and typed, with the paragraph that each of its
/// own was before.
fn cut_and_pasted(random: &mut Random) -> (Document, Document, Vec<Option<usize>>) {
    let texts = ["tea", "leaf", "old", "new", "hot"];
    let count = 2 + random.below(6);
    let paragraphs: Vec<String> = (0..count)
        .map(|at| match random.below(3) {
            0 => (*random.pick(&texts)).to_owned(),
            _ => format!("{} {at}", random.pick(&texts)),
        })
        .collect();
    let html = |texts: &[String]| texts.iter().map(|text| format!("<p>{text}</p>")).collect::<String>();
    let then = Document::from_html(html(&paragraphs)).unwrap();
    let mut now = then.clone();
    let mut origin: Vec<Option<usize>> = (0..count).map(Some).collect();
    for _ in 0..1 + random.below(4) {
        let total = origin.len();
        let at = random.below(total);
        match random.below(4) {
            // Typed or pasted from elsewhere.
            0 => {
                let text = format!("<p>{}</p>", random.pick(&texts));
                let one = Document::from_html(text).unwrap().blocks()[0].clone();
                now.put(at..at, vec![(now.next_id(), one)]);
                now.rename_anew(at);
                origin.insert(at, None);
            }
            // Cut and pasted: it is the same text under another id.
            1 | 2 => {
                let block = now.blocks()[at].clone();
                let was = origin.remove(at);
                now.put(at..at + 1, Vec::new());
                let to = random.below(origin.len() + 1);
                now.put(to..to, vec![(now.next_id(), block)]);
                now.rename_anew(to);
                origin.insert(to, was);
            }
            _ if total > 1 => {
                now.put(at..at + 1, Vec::new());
                origin.remove(at);
            }
            _ => {}
        }
    }
    (then, now, origin)
}

#[test]
fn a_line_that_is_there_once_is_found_at_its_place_and_none_at_another() {
    let counts = std::cell::Cell::new(0);
    for_seeds(6000, |random| {
        let (then, now, origin) = cut_and_pasted(random);
        let (old, new) = (then.lines(), now.lines());
        let often = |lines: &[Line], text: &str| lines.iter().filter(|line| line.text == text).count();
        for (at, line) in old.iter().enumerate() {
            let found = locate_all(&then, &[line.line..=line.line], &now).pop().flatten();
            let place = origin.iter().position(|was| *was == Some(at));
            if let Some((found, by)) = &found {
                assert_eq!(new[found.start() - 1].text, line.text, "{by:?}");
            }
            if often(&old, &line.text) == 1 && often(&new, &line.text) <= 1 {
                // Once then and once now: it is found where it is, or nowhere if it was removed and typed again.
                match place {
                    Some(place) => assert_eq!(found.map(|(found, _)| *found.start()), Some(place + 1)),
                    None => assert!(found.is_none() || often(&new, &line.text) == 1),
                }
                counts.set(counts.get() + 1);
            } else if let Some((found, FoundBy::Text)) = &found {
                // Of the removed blocks and of the new ones, one each has the text.
                let candidates = |of: &Document, lines: &[Line], other: &Document| {
                    let is_candidate = |there: &&Line| other.block_with_id(of.block_ids()[there.block]).is_none();
                    lines.iter().filter(is_candidate).filter(|there| there.text == line.text).count()
                };
                let counts = (candidates(&then, &old, &now), candidates(&now, &new, &then));
                assert_eq!(counts, (1, 1), "{found:?} was chosen among lines that are alike");
            }
        }
    });
    assert!(counts.get() > 1_000 || std::env::var_os("COPYDESK_SEED").is_some(), "{}", counts.get());
}

/// Locates a line in another document, all of whose blocks are new except the named ones.
fn found(then: &str, line: usize, now: &str) -> Option<(usize, FoundBy)> {
    let then = Document::from_html(then).unwrap();
    let mut other = then.clone();
    let blocks = Document::from_html(now).unwrap().blocks().to_vec();
    let count = other.blocks().len();
    let first = other.next_id();
    other.put(0..count, blocks.into_iter().map(|block| (first, block)).collect());
    (0..other.blocks().len()).for_each(|at| other.rename_anew(at));
    let (found, by) = locate_all(&then, &[line..=line], &other).pop().flatten()?;
    Some((*found.start(), by))
}

#[test]
fn each_way_finds_a_line_where_those_before_it_fail() {
    // Its block is still there, further down.
    let then = Document::from_html("<p>a</p><p>b</p>").unwrap();
    let mut now = then.clone();
    let one = Document::from_html("<p>c</p>").unwrap().blocks()[0].clone();
    now.put(0..0, vec![(now.next_id(), one)]);
    now.rename_anew(0);
    assert_eq!(locate_all(&then, &[2..=2], &now), [Some((3..=3, FoundBy::Lines))]);
    // Its block no longer exists; a diff has its text in the order of the others.
    assert_eq!(found("<p>a</p><p>b</p><p>c</p>", 2, "<p>a</p><p>x</p><p>b</p><p>c</p>"), Some((3, FoundBy::Diff)));
    // Its text occurs twice: the lines around it identify it.
    let twice = "<p>a</p><p>tea</p><p>b</p><p>c</p><p>tea</p><p>d</p>";
    let swapped = "<p>c</p><p>tea</p><p>d</p><p>a</p><p>tea</p><p>b</p>";
    assert_eq!(found(twice, 2, swapped), Some((5, FoundBy::Context)));
    assert_eq!(found(twice, 5, swapped), Some((2, FoundBy::Context)));
    // Its text alone was moved, and with it came other quotes and spaces.
    assert_eq!(
        found("<p>a</p><p>b</p><p>c</p><p>d</p>", 1, "<p>b</p><p>c</p><p>a</p><p>d</p>"),
        Some((3, FoundBy::Text))
    );
    let quoted = "<p>b</p><p>c</p><p>it’s a “leaf”</p><p>d</p>";
    assert_eq!(found("<p>it's a \"leaf\"</p><p>b</p><p>c</p><p>d</p>", 1, quoted), Some((3, FoundBy::Text)));
    // Nothing tells two of them apart, and changed text is something else.
    assert_eq!(found(twice, 2, "<p>tea</p><p>x</p><p>tea</p>"), None);
    assert_eq!(found(twice, 1, "<p>b</p><p>an a</p>"), None);
}

#[test]
fn between_lines_that_are_alike_nothing_is_guessed() {
    // The lines around tell which of two is meant, but its link is that of the other one.
    let link = |to: usize| format!("<p><a href=\"/{to}\">tea</a></p>");
    let then = format!("<p>a</p>{}<p>b</p><p>c</p>{}<p>d</p>", link(1), link(2));
    let now = |first: usize, second: usize| {
        format!("<p>a</p>{}<p>b</p><p>c</p>{}<p>d</p><p>e</p>", link(first), link(second))
    };
    assert_eq!(found(&then, 2, &now(1, 2)), Some((2, FoundBy::Context)));
    assert_eq!(found(&then, 2, &now(2, 1)), None);
    // The line was moved into a list that still exists, and another line that reads like it was added.
    let mut now = Document::from_html("<p>tea</p><ul><li>a</li></ul><p>b</p>").unwrap();
    let then = now.clone();
    let new = Document::from_html("<ul><li>a</li><li>tea</li></ul><p>b</p><p>tea</p>").unwrap().blocks().to_vec();
    let list = now.block_ids()[1];
    now.put(1..2, vec![(list, new[0].clone())]);
    now.put(3..3, vec![(now.next_id(), new[2].clone())]);
    now.rename_anew(3);
    now.put(0..1, Vec::new());
    assert_eq!(locate_all(&then, &[1..=1], &now), [None]);
    // Two items with the same text changed places.
    let list = |first: usize, second: usize| {
        let item = |to: usize| format!("<li><a href=\"/{to}\">tea</a></li>");
        Document::from_html(format!("<ul>{}<li>leaf</li>{}</ul>", item(first), item(second))).unwrap()
    };
    let then = list(1, 2);
    let mut now = then.clone();
    now.put(0..1, vec![(now.block_ids()[0], list(2, 1).blocks()[0].clone())]);
    assert_eq!(locate_all(&then, &[1..=1, 2..=2], &now), [None, Some((2..=2, FoundBy::Lines))]);
    // An image with another source is another image.
    let then = Document::from_html("<p>a</p><img src=\"/1.png\">").unwrap();
    let mut now = then.clone();
    let other = Document::from_html("<img src=\"/2.png\">").unwrap().blocks()[0].clone();
    now.put(1..2, vec![(now.block_ids()[1], other)]);
    assert_eq!(locate_all(&then, &[2..=2], &now), [None]);
}
