//! Scope and locks, beside a search for each block and each section.

use crate::documents::for_seeds;
use crate::random::Random;
use copydesk_base::ErrorInfo;
use copydesk_base::Locale;
use copydesk_document::{BlockId, Document, Node, Section};
use copydesk_edit::content::same_title;
use copydesk_edit::guard::{self, Scope, SectionRef};
use copydesk_edit::{Change, EditContext, Guards, change};
use std::ops::Range;

const TITLES: [&str; 5] = ["One", "1. One", "Two", "二、 Two", ""];

fn some_blocks(random: &mut Random, most: usize) -> Vec<Node> {
    let html: String = (0..random.below(most + 1))
        .map(|_| match random.below(5) {
            0 | 1 => format!("<h2>{}</h2>", random.pick(&TITLES)),
            2 => format!("<h1>{}</h1>", random.pick(&TITLES)),
            3 => "<p></p>".to_owned(),
            _ => format!("<p>{}</p>", random.below(4)),
        })
        .collect();
    if html.is_empty() { Vec::new() } else { Document::from_html(html).unwrap().blocks().to_vec() }
}

/// A document as it may become: blocks come, go, move, and change their names.
fn edited(random: &mut Random, document: &Document) -> Document {
    let mut edited = document.clone();
    for _ in 0..random.below(4) {
        let count = edited.blocks().len();
        let from = random.below(count + 1);
        let to = (from + random.below(3)).min(count);
        match random.below(4) {
            0 => edited.splice(from..to, some_blocks(random, 2)),
            1 if from < count => edited.rename_anew(from),
            2 if from < to => {
                let taken: Vec<(BlockId, Node)> =
                    (from..to).map(|at| (edited.block_ids()[at], edited.blocks()[at].clone())).collect();
                edited.put(from..to, Vec::new());
                let at = random.below(edited.blocks().len() + 1);
                edited.put(at..at, taken);
            }
            _ => edited.splice(from..from, some_blocks(random, 1)),
        }
    }
    edited
}

/// The guards as they were bound.
struct Slow {
    /// For each range of the scope, the blocks before it and those behind it.
    spans: Option<Vec<(Vec<BlockId>, Vec<BlockId>)>>,
    of_sections: bool,
    of_first: bool,
    /// Heading and title of each locked section.
    locked: Vec<(Option<BlockId>, String)>,
}

fn named(sections: &[Section], named: &[SectionRef]) -> Vec<usize> {
    let is = |named: &SectionRef, section: &Section| match named {
        SectionRef::Index(index) => section.index == *index,
        SectionRef::Title(title) => same_title(title, &section.title),
    };
    (0..sections.len()).filter(|at| named.iter().any(|named| is(named, &sections[*at]))).collect()
}

impl Slow {
    fn of(guards: &Guards, document: &Document) -> Slow {
        let (sections, ids) = (document.sections(), document.block_ids());
        let around = |blocks: Range<usize>| (ids[..blocks.start].to_vec(), ids[blocks.end.min(ids.len())..].to_vec());
        let (mut spans, mut of_first) = (None, false);
        match &guards.scope {
            Some(Scope::Sections(scope)) => {
                let mut rows: Vec<Range<usize>> = Vec::new();
                for at in named(&sections, scope) {
                    of_first |= at == 0;
                    let blocks = sections[at].blocks.clone();
                    match rows.last_mut() {
                        Some(row) if row.end == blocks.start => row.end = blocks.end,
                        _ => rows.push(blocks),
                    }
                }
                spans = Some(rows.into_iter().map(around).collect());
            }
            Some(Scope::Range { from, to }) => {
                let last = document.blocks().len().saturating_sub(1);
                let first = document.block_at(*from).min(last);
                let end = document.block_at(to.saturating_sub(1).max(*from)).min(last) + 1;
                spans = Some(vec![around(first..end)]);
            }
            None => {}
        }
        let anchor = |at: usize| {
            let heading = sections[at].heading.filter(|_| at > 0).map(|block| ids[block]);
            (heading, sections[at].title.clone())
        };
        let locked = named(&sections, &guards.locked).into_iter().map(anchor).collect();
        Slow { spans, of_sections: matches!(guards.scope, Some(Scope::Sections(_))), of_first, locked }
    }

    /// The code of the error for changes that lead from one document to another.
    fn check(&self, before: &Document, changes: &[Change], after: &Document) -> &'static str {
        if let Some(spans) = &self.spans {
            let place = |id: &BlockId| before.block_with_id(*id);
            let find = |(before_it, behind): &(Vec<BlockId>, Vec<BlockId>)| {
                let end = behind.iter().find_map(place).unwrap_or(before.blocks().len());
                before_it.iter().rev().filter_map(place).find(|at| *at < end).map_or(0, |at| at + 1)..end
            };
            let blocks: Vec<Range<usize>> = spans.iter().map(find).collect();
            let start = |at: usize| before.block_start(at);
            let within = |change: &Change| {
                blocks.iter().any(|blocks| start(blocks.start) <= change.from && change.to <= start(blocks.end))
            };
            let covers = |section: &Section| {
                let overlaps = |span: &Range<usize>| span.start < section.blocks.end && section.blocks.start < span.end;
                blocks.iter().any(overlaps) || self.of_first && section.index == 0
            };
            let is_beside = |section: &Section| self.of_sections && !covers(section);
            if !changes.iter().all(within) || changed(before, &is_beside, after) {
                return "out_of_scope";
            }
        }
        let is_locked = |section: &Section| {
            let heading = section.heading.map(|at| before.block_ids()[at]);
            self.locked.iter().any(|(anchor, title)| match anchor {
                None => section.index == 0,
                _ if section.index == 0 => false,
                anchor if *anchor == heading => true,
                Some(id) => before.block_with_id(*id).is_none() && same_title(title, &section.title),
            })
        };
        if changed(before, &is_locked, after) { "locked" } else { "ok" }
    }
}

/// Returns whether a kept section has changed or no longer exists.
fn changed(before: &Document, is_kept: &dyn Fn(&Section) -> bool, after: &Document) -> bool {
    let content = |document: &Document, section: &Section| {
        let mut blocks = document.blocks()[section.blocks.clone()].to_vec();
        while blocks
            .last()
            .is_some_and(|last| last.children().is_empty() && last.name(document.schema()) == "paragraph")
        {
            blocks.pop();
        }
        blocks
    };
    let (now, mut next) = (after.sections(), 0);
    for section in before.sections().iter().filter(|section| is_kept(section)) {
        let blocks = content(before, section);
        let same = |one: &Section| (one.index == 0) == (section.index == 0) && content(after, one) == blocks;
        match now[next..].iter().position(same) {
            Some(at) => next += at + 1,
            None if blocks.is_empty() && now.is_empty() => {}
            None => return true,
        }
    }
    false
}

fn some_sections(random: &mut Random, document: &Document) -> Vec<SectionRef> {
    let sections = document.sections();
    let refer = |random: &mut Random, section: &Section| match random.below(2) {
        0 => SectionRef::Index(section.index),
        _ => SectionRef::Title(section.title.clone()),
    };
    let chosen = sections.iter().filter(|_| random.below(3) == 0).collect::<Vec<_>>();
    chosen.into_iter().map(|section| refer(random, section)).collect()
}

#[test]
fn guards_hold_as_they_do_by_a_search_for_each_block() {
    for_seeds(6000, |random| {
        let mut blocks = some_blocks(random, 9);
        blocks.extend(Document::from_html("<p>x</p>").unwrap().blocks().iter().cloned());
        let then = Document::from_blocks(copydesk_document::Schema::tiptap(), blocks);
        let scope = match random.below(3) {
            0 => Some(Scope::Sections(some_sections(random, &then))),
            1 => {
                let (a, b) = (random.below(then.size() + 1), random.below(then.size() + 1));
                Some(Scope::Range { from: a.min(b), to: a.max(b) })
            }
            _ => None,
        };
        let guards = Guards { scope, locked: some_sections(random, &then), ..Guards::default() };
        let bound = guards.bind(&then).unwrap();
        let before = edited(random, &then);
        let mut changes = Vec::new();
        let mut at = 0;
        while at < before.blocks().len() && changes.len() < 3 {
            let from = at + random.below(3);
            let to = (from + random.below(2)).min(before.blocks().len());
            if from > before.blocks().len() || from > to {
                break;
            }
            let content = some_blocks(random, 1);
            changes.push(Change { from: before.block_start(from), to: before.block_start(to), content });
            at = to + 1;
        }
        let after = change::replace(&before, &changes).unwrap();
        let expected =
            if changes.is_empty() { "ok" } else { Slow::of(&guards, &then).check(&before, &changes, &after) };
        let context: EditContext = Locale::En.into();
        let found = guard::check(&bound, &before, &changes, &context).map_err(|error| error.code());
        assert_eq!(found.err().unwrap_or("ok"), expected, "{guards:?} of {then:?} on {before:?} with {changes:?}");
    });
}
