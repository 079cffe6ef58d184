//! Two people's changes made into one, tried on random documents. `COPYDESK_SEED=n` makes a run again.

use super::html;
use super::review::{hunks, person_blocks, propose, reviewed};
use crate::random::Random;
use copydesk_document::{Document, Node, Schema, join_texts};
use copydesk_edit::Change;
use copydesk_review::ReviewCell;
use copydesk_review::decide::{accept, reject, set_mode};
use copydesk_review::merge::map_range;
use copydesk_review::{Hunk, Mode, Which};
use serde_json::json;
use std::collections::HashSet;
use std::sync::Arc;

/// Returns the blocks of a document with some edited, inserted or removed; `doubles` states whether items may be
/// doubled.
fn edited(random: &mut Random, document: &Document, doubles: bool) -> Vec<Node> {
    let mut blocks = document.blocks().to_vec();
    for _ in 0..1 + random.below(3) {
        let at = random.below(blocks.len());
        let fresh = Document::from_html(html::blocks(random, 1)).unwrap().blocks().to_vec();
        match random.below(5) {
            0 => drop(blocks.splice(at..at, fresh)),
            1 if blocks.len() > 1 => drop(blocks.remove(at)),
            2 => drop(blocks.splice(at..at + 1, fresh)),
            _ => blocks[at] = reworded(random, document.schema(), &blocks[at], doubles),
        }
    }
    blocks
}

/// A node with a word of its text changed, an item of it doubled or one taken away.
fn reworded(random: &mut Random, schema: &Schema, node: &Node, doubles: bool) -> Node {
    let mut children = node.children().to_vec();
    if schema.is_textblock(node.kind()) {
        let word = Node::text_node(schema, *random.pick(&["coffee ", "咖啡", "x"]), Default::default());
        let at = random.below(children.len() + 1);
        let code = schema.node_type(node.kind()).code;
        if !children.is_empty() && random.below(2) == 0 {
            children.remove(at.min(children.len() - 1));
        } else if !code || children.iter().all(Node::is_text) {
            children.insert(at, word);
        }
        return node.with_children(join_texts(children));
    }
    if children.is_empty() {
        return node.clone();
    }
    let at = random.below(children.len());
    match random.below(4) {
        0 if schema.repeats_one_term(node.kind()) && children.len() > 1 => drop(children.remove(at)),
        1 if doubles && schema.repeats_one_term(node.kind()) => children.insert(at, children[at].clone()),
        _ => children[at] = reworded(random, schema, &children[at], doubles),
    }
    node.with_children(children)
}

fn valid(document: &Document) -> bool {
    fn holds(schema: &Schema, node: &Node) -> bool {
        schema.check(node).is_ok() && node.children().iter().all(|child| holds(schema, child))
    }
    !document.blocks().is_empty() && document.blocks().iter().all(|block| holds(document.schema(), block))
}

/// A random document with an agent's edits waiting, and a person's typing in between.
fn world(random: &mut Random, typing: bool) -> ReviewCell {
    let cell = reviewed(&(0..1 + random.below(5)).map(|_| html::blocks(random, 1)).collect::<String>());
    for turn in 1..2 + random.below(4) {
        propose(&cell, &format!("t{turn}"), edited(random, &cell.document(), true));
        if typing && random.below(2) == 0 {
            person_blocks(&cell, edited(random, &cell.base(), true));
        }
    }
    cell
}

fn one(random: &mut Random, cell: &ReviewCell) -> Option<Which> {
    let hunks = hunks(cell);
    (!hunks.is_empty()).then(|| Which::Hunk(random.pick(&hunks).id.clone()))
}

#[test]
fn accepting_all_one_by_one_in_any_order_comes_to_the_proposal() {
    let mut random = Random::new();
    for round in 0..600 {
        let typing = round % 2 == 0;
        let cell = world(&mut random, typing);
        let (proposed, start) = (cell.document(), cell.base());
        let most = 10 * hunks(&cell).len() + 10;
        for step in 0.. {
            let Some(which) = one(&mut random, &cell) else { break };
            assert!(step < most, "round {round}: it does not come to an end\n{start:?}\n{proposed:?}");
            accept(&cell, &which).unwrap();
            assert!(valid(&cell.base()), "round {round}: {:?}\n{start:?}\n{proposed:?}", cell.base());
            assert_eq!(cell.document(), proposed, "round {round}: the proposal stays");
        }
        assert_eq!(cell.base(), proposed, "round {round}");
    }
}

#[test]
fn rejecting_all_one_by_one_in_any_order_comes_to_base() {
    let mut random = Random::new();
    for round in 0..600 {
        let cell = world(&mut random, round % 2 == 0);
        let base = cell.base();
        let most = 10 * hunks(&cell).len() + 10;
        for step in 0.. {
            let Some(which) = one(&mut random, &cell) else { break };
            assert!(step < most, "round {round}: it does not come to an end");
            let before = format!("{:?}\n{:?}\n{:?} of {:?}", cell.base(), cell.document(), which, hunks(&cell));
            reject(&cell, &which).unwrap();
            assert!(valid(&cell.document()), "round {round}: {before}\n{:?}", cell.document());
            assert_eq!(cell.base(), base, "round {round}: base stays");
        }
        assert_eq!(cell.document(), base, "round {round}");
    }
}

#[test]
fn hunks_lead_from_base_to_the_proposal_and_their_ids_differ() {
    let mut random = Random::new();
    for round in 0..600 {
        let cell = world(&mut random, true);
        let hunks = hunks(&cell);
        let changes: Vec<Change> = hunks.iter().map(|hunk| hunk.change.clone()).collect();
        assert_eq!(copydesk_edit::change::replace(&cell.base(), &changes).unwrap(), cell.document(), "round {round}");
        assert!(valid(&cell.document()), "round {round}");
        let ids: HashSet<_> = hunks.iter().map(|hunk| &hunk.id).collect();
        assert_eq!(ids.len(), hunks.len(), "round {round}");
        assert!(hunks.iter().all(|hunk| !hunk.origins.is_empty()), "round {round}: {hunks:?}");
        let ids = |document: &Document| document.block_ids().iter().copied().collect::<HashSet<_>>().len();
        assert_eq!(ids(&cell.base()), cell.base().blocks().len(), "round {round}");
        assert_eq!(ids(&cell.document()), cell.document().blocks().len(), "round {round}");
    }
}

/// A person who types signs that are nowhere else, and now and then deletes one again.
struct Typist {
    next: u32,
    there: Vec<char>,
}

impl Typist {
    fn act(&mut self, random: &mut Random, cell: &ReviewCell) {
        let base = cell.base();
        if random.below(4) == 0 && !self.there.is_empty() {
            let sign = self.there.swap_remove(random.below(self.there.len()));
            let blocks = base.blocks().iter().map(|block| without(block, sign)).collect();
            return person_blocks(cell, blocks);
        }
        let mut places = Vec::new();
        for (at, block) in base.blocks().iter().enumerate() {
            if has_textblock(base.schema(), block) {
                places.push(at);
            }
        }
        if places.is_empty() {
            return;
        }
        let at = *random.pick(&places);
        let sign = char::from_u32(0xE000 + self.next).unwrap();
        self.next += 1;
        let mut blocks = base.blocks().to_vec();
        blocks[at] = typed(random, base.schema(), &blocks[at], sign);
        self.there.push(sign);
        person_blocks(cell, blocks);
    }
}

fn has_textblock(schema: &Schema, node: &Node) -> bool {
    schema.is_textblock(node.kind()) || node.children().iter().any(|child| has_textblock(schema, child))
}

fn typed(random: &mut Random, schema: &Arc<Schema>, node: &Node, sign: char) -> Node {
    let mut children = node.children().to_vec();
    if schema.is_textblock(node.kind()) {
        let size = children.iter().map(Node::size).sum::<usize>();
        let mut left = random.below(size + 1);
        let new = Node::text_node(schema, sign.to_string(), Default::default());
        let mut at = 0;
        while at < children.len() && left >= children[at].size() {
            left -= children[at].size();
            at += 1;
        }
        if at < children.len() && left > 0 && children[at].is_text() {
            let (before, after) = (children[at].cut_text(0, left), children[at].cut_text(left, usize::MAX));
            children.splice(at..at + 1, [before, after]);
            children.retain(|child| child.text() != Some(""));
            at = (at + 1).min(children.len());
        }
        children.insert(at, new);
        return node.with_children(join_texts(children));
    }
    let places: Vec<usize> = (0..children.len()).filter(|at| has_textblock(schema, &children[*at])).collect();
    let at = *random.pick(&places);
    children[at] = typed(random, schema, &children[at], sign);
    node.with_children(children)
}

fn without(node: &Node, sign: char) -> Node {
    match node.text() {
        Some(text) => node.with_text(text.replace(sign, "")),
        None => {
            let children = node.children().iter().map(|child| without(child, sign));
            node.with_children(children.filter(|child| child.text() != Some("")).collect())
        }
    }
}

/// Returns the characters that the agent moved: one hunk removes them, another one inserts them. Accepting only the
/// first of these removes them.
fn moved(hunks: &[Hunk]) -> Vec<char> {
    let comes: String = hunks.iter().map(|hunk| hunk.new_text.as_str()).collect();
    hunks.iter().flat_map(|hunk| hunk.original_text.chars()).filter(|sign| comes.contains(*sign)).collect()
}

#[test]
fn no_sign_that_the_person_typed_is_lost_but_in_a_conflict_that_was_accepted() {
    let mut random = Random::new();
    for round in 0..600 {
        let cell = reviewed(&(0..1 + random.below(5)).map(|_| html::blocks(&mut random, 1)).collect::<String>());
        let mut typist = Typist { next: 0, there: Vec::new() };
        let mut given_up = HashSet::new();
        for turn in 0..12 {
            given_up.extend(moved(&hunks(&cell)));
            match random.below(6) {
                0 | 1 => {
                    // A model may delete what it reads; what it reads is not lost by the merge.
                    let (before, blocks) = (cell.document(), edited(&mut random, &cell.document(), false));
                    propose(&cell, &format!("t{turn}"), blocks);
                    let text =
                        |document: &Document| document.blocks().iter().map(Node::text_content).collect::<String>();
                    let after = text(&cell.document());
                    // It doubles nothing here: of two copies, the difference does not say which one is the person's.
                    given_up.extend(text(&before).chars().filter(|sign| !after.contains(*sign)));
                }
                2 => {
                    let hunks = hunks(&cell);
                    if let Some(Which::Hunk(id)) = one(&mut random, &cell) {
                        let which = Which::Hunk(id);
                        for hunk in which.of(&hunks).unwrap().into_iter().map(|at| &hunks[at]) {
                            if hunk.conflict {
                                given_up.extend(hunk.original_text.chars());
                            }
                        }
                        accept(&cell, &which).unwrap();
                    }
                }
                3 => one(&mut random, &cell).into_iter().for_each(|which| drop(reject(&cell, &which).unwrap())),
                _ => {
                    typist.act(&mut random, &cell);
                    let text: String = cell.base().blocks().iter().map(Node::text_content).collect();
                    let last = typist.there.last().copied();
                    assert!(last.is_none_or(|sign| given_up.contains(&sign) || text.contains(sign)), "round {round}");
                }
            }
        }
        given_up.extend(moved(&hunks(&cell)));
        for hunk in hunks(&cell) {
            let which = Which::Hunk(hunk.id.clone());
            if hunks(&cell).iter().any(|now| now.id == hunk.id) {
                let now = hunks(&cell).into_iter().find(|now| now.id == hunk.id).unwrap();
                if now.conflict {
                    reject(&cell, &which).unwrap();
                } else {
                    accept(&cell, &which).unwrap();
                }
            }
        }
        let text: String = cell.base().blocks().iter().map(Node::text_content).collect();
        for sign in typist.there.iter().filter(|sign| !given_up.contains(*sign)) {
            assert!(text.contains(*sign), "round {round}: {sign:?} is lost\n{:?}", cell.base());
        }
    }
}

#[test]
fn two_items_of_two_deleted_by_two_leave_a_valid_list_and_a_conflict() {
    let list = |items: &[&str]| {
        let items: String = items.iter().map(|item| format!("<li><p>{item}</p></li>")).collect();
        Document::from_html(format!("<ul>{items}</ul>")).unwrap().blocks().to_vec()
    };
    let cell = reviewed("<ul><li><p>one</p></li><li><p>two</p></li></ul>");
    propose(&cell, "t1", list(&["one"]));
    person_blocks(&cell, list(&["two"]));
    assert_eq!(cell.base().to_html(), "<ul><li><p>two</p></li></ul>");
    assert!(valid(&cell.document()));
    assert!(hunks(&cell).iter().any(|hunk| hunk.conflict));
}

#[test]
fn a_schema_that_wants_a_title_first_keeps_it_through_both_sides_changes() {
    let schema = json!({
        "topNode": "doc",
        "nodes": [
            { "name": "doc", "content": "title block+" },
            { "name": "title", "content": "text*" },
            { "name": "paragraph", "content": "text*", "group": "block" },
            { "name": "callout", "content": "block+", "group": "block", "attrs": { "tone": { "default": "x" } } },
            { "name": "text" },
        ],
        "marks": [],
    });
    let schema = Schema::from_json(&schema.to_string()).unwrap();
    let read = |texts: &[&str]| {
        let text = |text: &&str| json!({ "type": "paragraph", "content": [{ "type": "text", "text": text }] });
        let mut content: Vec<_> = texts.iter().map(text).collect();
        content[0]["type"] = json!("title");
        content.push(json!({ "type": "callout", "content": [content[1].clone()] }));
        Document::from_json(&json!({ "type": "doc", "content": content }).to_string(), schema.clone()).unwrap()
    };
    let cell = ReviewCell::new(read(&["T", "one two", "three", "four five"]));
    set_mode(&cell, Mode::Review);
    propose(&cell, "t1", read(&["T", "one 2", "new", "three", "four 5"]).blocks().to_vec());
    person_blocks(&cell, read(&["Title", "one two", "three", "four five"]).blocks().to_vec());
    assert_eq!(cell.document(), read(&["Title", "one 2", "new", "three", "four 5"]));
    let mut random = Random::new();
    while let Some(which) = one(&mut random, &cell) {
        accept(&cell, &which).unwrap();
        assert!(valid(&cell.base()));
        assert_eq!(cell.base().blocks()[0].name(&schema), "title");
    }
    assert_eq!(cell.base(), cell.document());
}

#[test]
fn a_range_moves_with_what_is_changed_around_it() {
    let schema = Schema::tiptap();
    let change = |from, to, text: &str| {
        let content = if text.is_empty() { vec![] } else { vec![Node::text_node(&schema, text, Default::default())] };
        Change { from, to, content }
    };
    for (range, changes, expected) in [
        (5..8, vec![change(1, 2, "abc")], 7..10),
        (5..8, vec![change(5, 5, "ab")], 7..10),
        (5..8, vec![change(8, 8, "ab")], 5..8),
        (5..8, vec![change(6, 6, "ab")], 5..10),
        (5..8, vec![change(3, 6, "")], 3..5),
        (5..8, vec![change(4, 9, "xy")], 4..6),
        (5..5, vec![change(5, 5, "ab")], 5..5),
        (5..5, vec![change(2, 5, "")], 2..2),
        (5..8, vec![change(1, 3, ""), change(6, 9, "x")], 3..5),
    ] {
        assert_eq!(map_range(&range, &changes), expected, "{range:?} {changes:?}");
    }
}

#[test]
fn after_every_step_the_hunks_lead_from_base_to_the_proposal_and_name_their_calls() {
    let mut random = Random::new();
    for round in 0..1000 {
        let cell = reviewed(&(0..1 + random.below(3)).map(|_| html::blocks(&mut random, 1)).collect::<String>());
        for turn in 0..5 {
            let step = ["a proposal", "typing", "a verdict"][random.below(3)];
            let (base, proposed) = (cell.base(), cell.document());
            match step {
                "a proposal" => propose(&cell, &format!("t{turn}"), edited(&mut random, &proposed, true)),
                "typing" => person_blocks(&cell, edited(&mut random, &base, true)),
                _ => drop(one(&mut random, &cell).map(|which| accept(&cell, &which).unwrap())),
            }
            let hunks = hunks(&cell);
            let changes: Vec<Change> = hunks.iter().map(|hunk| hunk.change.clone()).collect();
            let led = copydesk_edit::change::replace(&cell.base(), &changes).unwrap();
            let at = format!("round {round}, {step} in\n{base:?}\n{proposed:?}");
            assert_eq!(led, cell.document(), "{at}");
            assert!(hunks.iter().all(|hunk| !hunk.origins.is_empty()), "{at}: {hunks:?}");
        }
    }
}
