//! A decision affects its own hunk and those with which it exchanges text, whatever was proposed, typed and decided
//! before. `ROUNDS` sets the number of runs, `COPYDESK_SEED=n` repeats a run.

use super::html;
use super::review::{TEA, edit, hunks, person, person_blocks, replace, reviewed};
use crate::random::Random;
use copydesk_base::Locale;
use copydesk_document::{Document, Node, Schema};
use copydesk_edit::{DocUpdate, EditContext, Origin, apply, change};
use copydesk_review::Error;
use copydesk_review::decide::{accept, reject, resolve, undo_turn};
use copydesk_review::{Hunk, ReviewCell, Version, Which};
use serde_json::{Value, json};
use std::collections::{HashMap, HashSet};

pub fn rounds(default: usize) -> usize {
    std::env::var("ROUNDS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(default)
}

pub fn valid(document: &Document) -> bool {
    fn holds(schema: &Schema, node: &Node) -> bool {
        schema.check(node).is_ok() && node.children().iter().all(|child| holds(schema, child))
    }
    !document.blocks().is_empty() && document.blocks().iter().all(|block| holds(document.schema(), block))
}

/// A hunk without its positions.
fn content(hunk: &Hunk) -> (Vec<Node>, String, bool, usize) {
    (hunk.change.content.clone(), hunk.original_text.clone(), hunk.conflict, hunk.change.to - hunk.change.from)
}

fn contents(hunks: &[Hunk]) -> HashMap<String, (Vec<Node>, String, bool, usize)> {
    hunks.iter().map(|hunk| (hunk.id.clone(), content(hunk))).collect()
}

/// A review, and all ids that its hunks ever had.
pub struct World {
    pub cell: ReviewCell,
    pub random: Random,
    seen: HashSet<String>,
    pub gone: HashSet<String>,
    calls: usize,
    words: usize,
    pub log: Vec<String>,
}

impl World {
    pub fn new(mut random: Random, blocks: usize) -> World {
        let text: String = (0..1 + random.below(blocks)).map(|_| html::blocks(&mut random, 1)).collect();
        let cell = reviewed(if random.below(6) == 0 { "<p></p>" } else { &text });
        let log = vec![cell.base().to_html()];
        World { cell, random, seen: HashSet::new(), gone: HashSet::new(), calls: 0, words: 0, log }
    }

    /// Checks the invariants.
    pub fn check(&mut self) {
        let hunks = hunks(&self.cell);
        let log = || self.log.join("\n");
        let changes: Vec<_> = hunks.iter().map(|hunk| hunk.change.clone()).collect();
        let (base, proposed) = (self.cell.base(), self.cell.document());
        assert!(valid(&base) && valid(&proposed), "{}\nbase {base:?}\nproposed {proposed:?}", log());
        let accepted = change::replace(&base, &changes);
        assert_eq!(accepted.as_ref(), Ok(&proposed), "the hunks are the difference\n{}\n{hunks:?}", log());
        // Any of them by themselves.
        for _ in 0..3 {
            let some: Vec<_> = changes.iter().filter(|_| self.random.below(2) == 0).cloned().collect();
            let made = change::replace(&base, &some).unwrap();
            assert!(valid(&made), "some of the hunks\n{}\n{base:?}\n{some:?}\n{made:?}", log());
        }
        let now: HashSet<String> = hunks.iter().map(|hunk| hunk.id.clone()).collect();
        assert_eq!(now.len(), hunks.len(), "{}", log());
        assert!(hunks.iter().all(|hunk| !hunk.origins.is_empty()), "{}", log());
        let is_empty = |hunk: &Hunk| hunk.change.content.iter().any(|node| node.text() == Some(""));
        assert!(!hunks.iter().any(is_empty), "ProseMirror knows no empty text\n{}", log());
        let again: Vec<_> = now.intersection(&self.gone).collect();
        assert!(again.is_empty(), "ids that were given before: {again:?}\n{}", log());
        self.gone.extend(self.seen.difference(&now).cloned());
        self.seen = now;
        for document in [&base, &proposed] {
            let ids: HashSet<_> = document.block_ids().iter().collect();
            assert_eq!(ids.len(), document.blocks().len(), "{}", log());
        }
    }

    pub fn word(&mut self) -> String {
        self.words += 1;
        format!("w{}w", self.words)
    }

    /// The agent edits, by an operation that any model may ask for.
    pub fn propose(&mut self) {
        let document = self.cell.document();
        let (sections, lines) = (document.sections().len(), document.line_count());
        let word = self.word();
        let section = self.random.below(sections.max(1));
        let line = 1 + self.random.below(lines.max(1));
        let last = (line + self.random.below(3)).min(lines.max(1));
        let text = document.lines().get(line - 1).map(|line| line.text.clone()).unwrap_or_default();
        let old =
            text.split(' ').find(|word| !word.is_empty() && !word.contains('\u{fffc}')).unwrap_or("tea").to_owned();
        let image = json!({ "operation": "insert_image", "sectionIndex": section, "imageUrl": "https://example.org/new.png", "imageDescription": word });
        let block = html::blocks(&mut self.random, 2);
        let update = match self.random.below(9) {
            0 => json!({ "operation": "replace", "sectionIndex": section, "content": format!("<p>{word}</p>{block}") }),
            1 => json!({ "operation": "append", "title": word, "content": block }),
            2 => json!({ "operation": "insert", "sectionIndex": section, "title": word, "content": block }),
            3 => json!({ "operation": "delete", "sectionIndex": section }),
            4 => image,
            5 => json!({ "operation": "replace_text", "old": old, "new": word, "all": self.random.below(2) == 0 }),
            6 => {
                json!({ "operation": "replace_lines", "edits": [{ "start_line": line, "end_line": last, "content": "" }] })
            }
            7 => {
                json!({ "operation": "replace_lines", "edits": [{ "start_line": line, "end_line": last, "content": block, "format": "html" }] })
            }
            _ => {
                json!({ "operation": "replace_lines", "edits": [{ "start_line": line, "end_line": line, "content": format!("{text} {word}") }] })
            }
        };
        self.propose_update(&update);
    }

    /// The agent edits.
    pub fn propose_update(&mut self, update: &Value) {
        self.calls += 1;
        let (turn, tool) = (format!("t{}", 1 + self.calls / 2), format!("c{}", self.calls));
        let origin = Origin { turn: Some(turn), tool_id: Some(tool), ..Origin::default() };
        let context = EditContext { locale: Locale::En, origin, ..EditContext::default() };
        self.log.push(update.to_string());
        // Not every edit fits: a refused one changes nothing.
        let _ = DocUpdate::from_value(update).and_then(|update| apply(&self.cell, &update, &context));
        self.log.push(format!("  proposed {}", self.cell.document().to_html()));
        self.check();
    }

    /// The user types, splits, joins, wraps, lifts or takes blocks away.
    pub fn type_something(&mut self) {
        let base = self.cell.base();
        let word = self.word();
        let blocks = structural(&mut self.random, &base, &word);
        self.log.push(format!("user: {}", base.html_of(&blocks)));
        person_blocks(&self.cell, blocks);
        self.log.push(format!("  proposed {}", self.cell.document().to_html()));
        self.check();
    }

    /// Something is decided; nothing else changes by it.
    pub fn decide(&mut self) {
        let before = hunks(&self.cell);
        if before.is_empty() {
            return;
        }
        let one = self.random.pick(&before).clone();
        let which = match self.random.below(4) {
            0 => one.tool_ids().last().map(|id| Which::ToolId((*id).to_owned())).unwrap(),
            1 => one.turns().last().map(|id| Which::Turn((*id).to_owned())).unwrap(),
            _ => Which::Hunk(one.id.clone()),
        };
        let meant: HashSet<String> = which.of(&before).unwrap().into_iter().map(|at| before[at].id.clone()).collect();
        let (base, proposed) = (self.cell.base(), self.cell.document());
        let way = self.random.below(5);
        self.log.push(format!("decides {which:?} {way}"));
        let decided: HashSet<String> = match way {
            0 | 1 => {
                let accepted = accept(&self.cell, &which).unwrap();
                assert_eq!(accepted.hunks.len() + accepted.conflicts, meant.len());
                assert_eq!(self.cell.document(), proposed, "{}", self.log.join("\n"));
                accepted.hunks.into_iter().collect()
            }
            2 | 3 => {
                let rejected = reject(&self.cell, &which).unwrap();
                assert_eq!(self.cell.base(), base, "{}", self.log.join("\n"));
                rejected.into_iter().collect()
            }
            _ => match resolve(&self.cell, &one.id, Version::Both) {
                Ok(()) => {
                    let text = self.cell.base().to_html();
                    assert!(text.len() >= base.to_html().len(), "nothing of the user's is lost");
                    one.linked.iter().chain([&one.id]).cloned().collect()
                }
                Err(Error::Edit(copydesk_edit::Error::NotInSchema { .. })) => HashSet::new(),
                Err(error) => panic!("{error:?}\n{}", self.log.join("\n")),
            },
        };
        let mut others = contents(&before);
        others.retain(|id, _| !decided.contains(id));
        assert_eq!(contents(&hunks(&self.cell)), others, "{}", self.log.join("\n"));
        self.check();
    }
}

/// Blocks with one thing changed that people do in an editor.
fn structural(random: &mut Random, document: &Document, word: &str) -> Vec<Node> {
    let schema = document.schema();
    let mut blocks = document.blocks().to_vec();
    let at = random.below(blocks.len());
    let block = blocks[at].clone();
    let kind = |name: &str| schema.find_node(name).unwrap();
    let make = |name: &str, children: Vec<Node>| {
        Node::new(schema, kind(name), schema.default_attrs(kind(name)), children, Default::default())
    };
    let text = Node::text_node(schema, word, Default::default());
    let is_text = schema.is_textblock(block.kind());
    match random.below(10) {
        // Enter.
        0 | 1 if is_text => {
            let (before, after) = cut(&block, random.below(block.content_size() + 1));
            blocks.splice(at..at + 1, [block.with_children(before), block.with_children(after)]);
        }
        // Backspace at the beginning.
        2 if is_text
            && at > 0
            && schema.is_textblock(blocks[at - 1].kind())
            && !schema.node_type(blocks[at - 1].kind()).code =>
        {
            let mut children = blocks[at - 1].children().to_vec();
            children.extend(block.children().iter().cloned());
            let joined = blocks[at - 1].with_children(children);
            if schema.check(&joined).is_ok() {
                blocks.splice(at - 1..at + 1, [joined]);
            }
        }
        3 => {
            let wrapped = if block.name(schema) == "paragraph" && random.below(2) == 0 {
                make("bulletList", vec![make("listItem", vec![block])])
            } else {
                make("blockquote", vec![block])
            };
            blocks[at] = wrapped;
        }
        // Lift.
        4 if block.name(schema) == "blockquote" => drop(blocks.splice(at..at + 1, block.children().iter().cloned())),
        4 if block.name(schema) == "bulletList" => {
            let all = block.children().iter().flat_map(|item| item.children().iter().cloned());
            blocks.splice(at..at + 1, all.collect::<Vec<_>>());
        }
        // Another kind of block.
        5 if is_text && block.children().iter().all(Node::is_text) => {
            let name = if block.name(schema) == "paragraph" { "heading" } else { "paragraph" };
            let other = make(name, block.children().to_vec());
            if schema.check(&other).is_ok() {
                blocks[at] = other;
            }
        }
        6 if blocks.len() > 1 => drop(blocks.remove(at)),
        7 => drop(blocks.splice(at..at, Document::from_html(html::blocks(random, 2)).unwrap().blocks().to_vec())),
        _ => {
            blocks[at] = typed(random, schema, &block, &text);
        }
    }
    blocks
}

/// The content of a textblock in two, at an offset.
fn cut(block: &Node, offset: usize) -> (Vec<Node>, Vec<Node>) {
    let (mut before, mut after, mut start) = (Vec::new(), Vec::new(), 0);
    for child in block.children() {
        let end = start + child.size();
        match () {
            () if end <= offset => before.push(child.clone()),
            () if start >= offset => after.push(child.clone()),
            () => {
                before.push(child.cut_text(0, offset - start));
                after.push(child.cut_text(offset - start, usize::MAX));
            }
        }
        start = end;
    }
    let whole = |nodes: Vec<Node>| nodes.into_iter().filter(|node| node.text() != Some("")).collect();
    (whole(before), whole(after))
}

pub fn typed(random: &mut Random, schema: &Schema, node: &Node, text: &Node) -> Node {
    if schema.is_textblock(node.kind()) {
        let (mut before, after) = cut(node, random.below(node.content_size() + 1));
        before.push(text.clone());
        before.extend(after);
        return node.with_children(before);
    }
    let mut children = node.children().to_vec();
    if !children.is_empty() {
        let at = random.below(children.len());
        children[at] = typed(random, schema, &children[at], text);
    }
    node.with_children(children)
}

#[test]
fn deciding_one_hunk_leaves_all_others_as_they_were() {
    let mut random = Random::new();
    for round in 0..rounds(400) {
        let mut world = World::new(Random::from_seed(random.next()), 5);
        for _ in 0..4 + round % 12 {
            match world.random.below(8) {
                0..3 => world.propose(),
                3..6 => world.type_something(),
                _ => world.decide(),
            }
        }
        let base = world.cell.base();
        match round % 3 {
            0 => {
                reject(&world.cell, &Which::All).unwrap();
                assert_eq!(
                    (world.cell.base(), world.cell.document()),
                    (base.clone(), base),
                    "{}",
                    world.log.join("\n")
                );
            }
            1 => {
                let proposed = world.cell.document();
                for id in hunks(&world.cell).iter().filter(|hunk| hunk.conflict).map(|hunk| hunk.id.clone()) {
                    // One that is linked may have been decided with it.
                    if hunks(&world.cell).iter().any(|hunk| hunk.id == id) {
                        resolve(&world.cell, &id, Version::Theirs).unwrap();
                    }
                }
                assert_eq!(accept(&world.cell, &Which::All).unwrap().conflicts, 0);
                assert_eq!((world.cell.base(), world.cell.document()), (proposed.clone(), proposed));
            }
            _ => {
                let most = 3 * hunks(&world.cell).len() + 10;
                for step in 0.. {
                    if hunks(&world.cell).is_empty() {
                        break;
                    }
                    assert!(step < 20 * most, "it does not come to an end\n{}", world.log.join("\n"));
                    world.decide();
                }
                assert_eq!(world.cell.base(), world.cell.document());
            }
        }
    }
}

#[test]
fn undoing_an_acceptance_brings_the_former_document_back() {
    let mut random = Random::new();
    for _ in 0..rounds(200) {
        let mut world = World::new(Random::from_seed(random.next()), 5);
        (0..3).for_each(|_| world.propose());
        let waiting = hunks(&world.cell);
        if waiting.is_empty() {
            continue;
        }
        let before = world.cell.base();
        let one = Which::Hunk(world.random.pick(&waiting).id.clone());
        accept(&world.cell, &one).unwrap();
        world.log.push(format!("accepts {one:?}, and undoes it"));
        // The editor's own undo: all of it comes as if the user had typed it.
        person_blocks(&world.cell, before.blocks().to_vec());
        assert_eq!(world.cell.base(), before);
        world.check();
        reject(&world.cell, &Which::All).unwrap();
        assert_eq!(world.cell.document(), before, "{}", world.log.join("\n"));
    }
}

#[test]
fn an_image_that_is_rejected_takes_nothing_with_it() {
    let cell = reviewed("<p></p>");
    edit(
        &cell,
        "t1",
        "a",
        json!({ "operation": "replace", "sectionIndex": 0, "title": "Tea", "content": "<p>About.</p>" }),
    );
    edit(&cell, "t1", "b", json!({ "operation": "append", "title": "One", "content": "<p>First.</p>" }));
    edit(&cell, "t1", "c", json!({ "operation": "append", "title": "Two", "content": "<p>Second.</p>" }));
    let image = json!({ "operation": "insert_image", "sectionIndex": 1, "imageUrl": "https://example.org/a.png", "imageDescription": "Tea" });
    edit(&cell, "t1", "d", image);
    let before = hunks(&cell);
    let picture = before.iter().find(|hunk| hunk.tool_ids() == ["d"]).unwrap().clone();
    reject(&cell, &Which::Hunk(picture.id.clone())).unwrap();
    let mut others = contents(&before);
    others.remove(&picture.id);
    assert_eq!(contents(&hunks(&cell)), others);
    let error = reject(&cell, &Which::Hunk(picture.id.clone())).unwrap_err();
    assert!(matches!(error, Error::UnknownHunk { .. }), "its id means no other hunk");
    accept(&cell, &Which::All).unwrap();
    assert_eq!(cell.base().to_html(), "<h1>Tea</h1><p>About.</p><h2>One</h2><p>First.</p><h2>Two</h2><p>Second.</p>");
}

#[test]
fn conflicts_are_left_open_and_decided_one_by_one() {
    let open = || {
        let cell = reviewed(TEA);
        edit(&cell, "t1", "a", replace(1, "<p>Young.</p>"));
        edit(&cell, "t1", "b", replace(2, "<p>Few.</p>"));
        person(&cell, &TEA.replace("Old", "Ancient"));
        cell
    };
    for which in [Which::All, Which::Turn("t1".into())] {
        let cell = open();
        let accepted = accept(&cell, &which).unwrap();
        assert_eq!((accepted.hunks, accepted.conflicts), (vec!["h2".to_owned()], 1));
        assert_eq!(cell.base().to_html(), TEA.replace("Old", "Ancient").replace("Many", "Few"));
    }
    assert_eq!(accept(&open(), &Which::ToolId("a".into())).unwrap().conflicts, 1);
    for (version, text) in [(Version::Mine, "Ancient"), (Version::Theirs, "Young"), (Version::Both, "Ancient Young")] {
        let cell = open();
        resolve(&cell, "h1", version).unwrap();
        assert_eq!(cell.base().to_html(), TEA.replace("Old", text));
        assert_eq!(cell.document().to_html(), TEA.replace("Old", text).replace("Many", "Few"));
        assert_eq!(hunks(&cell).iter().map(|hunk| hunk.id.as_str()).collect::<Vec<_>>(), ["h2"]);
    }
    let cell = open();
    reject(&cell, &Which::All).unwrap();
    assert_eq!(cell.base().to_html(), TEA.replace("Old", "Ancient"));
}

/// A user's change of a paragraph in which two words are changed, and the results of accepting all, and then the
/// conflict with the version of the agent.
#[test]
fn changes_of_the_structure_are_followed_or_are_conflicts_that_double_nothing() {
    let start = "<p>one two three four</p><p>five</p>";
    let followed = [
        ("<p>one two</p><p>three four</p><p>five</p>", "<p>1 two</p><p>three 4</p><p>five</p>"),
        ("<h2>one two three four</h2><p>five</p>", "<h2>1 two three 4</h2><p>five</p>"),
        (
            "<blockquote><p>one two three four</p></blockquote><p>five</p>",
            "<blockquote><p>1 two three 4</p></blockquote><p>five</p>",
        ),
        ("<ul><li><p>one two three four</p></li></ul><p>five</p>", "<ul><li><p>1 two three 4</p></li></ul><p>five</p>"),
        (
            "<ul><li><p>one two three four</p></li><li><p>five</p></li></ul>",
            "<ul><li><p>1 two three 4</p></li><li><p>five</p></li></ul>",
        ),
        ("<p>one two three fourfive</p>", "<p>1 two three 4five</p>"),
        ("<p>one two<br>three four</p><p>five</p>", "<p>1 two<br>three 4</p><p>five</p>"),
        ("<p></p><p>one two three four</p><p>five</p>", "<p></p><p>1 two three 4</p><p>five</p>"),
        ("<p>one <strong>two</strong> three four</p><p>five</p>", "<p>1 <strong>two</strong> three 4</p><p>five</p>"),
    ];
    for (typed, expected) in followed {
        let cell = reviewed(start);
        edit(&cell, "t1", "a", json!({ "operation": "replace_text", "old": "one", "new": "1" }));
        edit(&cell, "t1", "b", json!({ "operation": "replace_text", "old": "four", "new": "4" }));
        person(&cell, typed);
        assert_eq!(cell.document().to_html(), expected, "{typed}");
        let ids: Vec<_> = hunks(&cell).iter().map(|hunk| (hunk.id.clone(), hunk.conflict)).collect();
        assert_eq!(ids, [("h1".into(), false), ("h2".into(), false)], "{typed}");
        // And back again: lift, join.
        person(&cell, start);
        assert_eq!(cell.document().to_html(), "<p>1 two three 4</p><p>five</p>", "{typed}");
        assert_eq!(contents(&hunks(&cell)).len(), 2, "{typed}");
        accept(&cell, &Which::All).unwrap();
        assert_eq!(cell.base().to_html(), "<p>1 two three 4</p><p>five</p>", "{typed}");
    }
    // Through a changed word, or away with it.
    for typed in [
        "<p>o</p><p>ne two three four</p><p>five</p>",
        "<p>five</p>",
        "<ul><li><p>o</p></li><li><p>ne two three four</p></li></ul><p>five</p>",
    ] {
        let cell = reviewed(start);
        edit(&cell, "t1", "a", json!({ "operation": "replace_text", "old": "one", "new": "1" }));
        person(&cell, typed);
        assert_eq!(accept(&cell, &Which::All).unwrap().conflicts, 1, "{typed}");
        assert_eq!(cell.base().to_html(), typed);
        let id = hunks(&cell)[0].id.clone();
        resolve(&cell, &id, Version::Theirs).unwrap();
        assert_eq!(cell.base().to_html(), "<p>1 two three four</p><p>five</p>", "{typed}");
    }
}

#[test]
fn a_turn_over_many_hunks_is_taken_back() {
    let start: String = (0..60).map(|at| format!("<p>old {at}</p><p>between</p>")).collect();
    let cell = reviewed(&start);
    edit(&cell, "t1", "a", json!({ "operation": "replace_text", "old": "old", "new": "new", "all": true }));
    accept(&cell, &Which::All).unwrap();
    assert_eq!(undo_turn(&cell, "t1").unwrap().restored, 60);
    assert_eq!(cell.base().to_html(), start);
}

#[test]
fn both_versions_of_a_cell_would_be_two_columns() {
    let table = |cell: &str| format!("<table><tbody><tr>{cell}<td><p>b</p></td></tr></tbody></table>");
    let cell = reviewed(&table("<td><p>a</p></td>"));
    let before = cell.base();
    let content = table("<th><p>a</p></th>");
    edit(
        &cell,
        "t1",
        "a",
        json!({ "operation": "replace_lines", "edits": [{ "start_line": 1, "end_line": 2, "content": content }] }),
    );
    let hunk = hunks(&cell)[0].id.clone();
    let error = resolve(&cell, &hunk, Version::Both).unwrap_err();
    assert!(matches!(error, Error::Edit(copydesk_edit::Error::NotInSchema { .. })));
    assert_eq!((cell.base(), hunks(&cell).len()), (before, 1));
    resolve(&cell, &hunk, Version::Theirs).unwrap();
    assert!(cell.base().to_html().contains("<th"));
}
